/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_machine.c -- lists machines, prints one key by key, and explains cache strings.
 */
#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct machine_options {
	struct cli_options common;
	bool keys, conf;
	const char *to, *explain;
};

static const struct ws_option table[] = {
	{ .name = "machine", .letter = 'm', .type = WS_OPT_STRING, .offset = CLI_AT(machine),
	  .arg = "NAME|FILE", .complete = "machine",
	  .brief = "the same as the operand, as other commands have it",
	  .help = "the machine, in place of the operand, as other commands have it" },
	{ .name = "keys", .letter = 'k', .type = WS_OPT_FLAG,
	  .offset = offsetof(struct machine_options, keys),
	  .brief = "lists all keys, or those of a name: -k l1.mshr",
	  .help = "lists all keys: type, range, unit, the stage that reads them first, meaning; "
		  "with an operand that key, or those of that part: l1.mshr, l1" },
	{ .name = "conf", .type = WS_OPT_FLAG, .offset = offsetof(struct machine_options, conf),
	  .brief = "prints the machine as a .conf file",
	  .help = "prints the machine as a .conf file, which -m takes back" },
	{ .name = "to", .type = WS_OPT_CHOICE, .offset = offsetof(struct machine_options, to),
	  .arg = "FORMAT", .choices = "conf gpgpusim",
	  .brief = "prints it as conf or gpgpusim",
	  .help = "prints the machine as a .conf file, or as options of GPGPU-Sim and Accel-Sim, "
		  "with a comment on the keys that those cannot say; -m takes back both" },
	{ .name = "explain", .type = WS_OPT_STRING,
	  .offset = offsetof(struct machine_options, explain),
	  .arg = "CACHE",
	  .brief = "says what a cache string of GPGPU-Sim means",
	  .help = "says in words what a cache string of a GPGPU-Sim configuration means, in any of "
		  "its four forms; with a machine or --set also what all SMs or L2 slices have" },
	CLI_OPT_SET, { 0 },
};

/* ---- tables -------------------------------------------------------------- */

static void cell_or_none(struct ws_table *t, enum ws_col column, const char *text)
{
	ws_cell_str(t, column, text && *text ? text : NULL);
}

/* Is the key NAME, or one of the group NAME, as l1.mshr.merge is of l1.mshr and of l1? */
static bool is_of(const struct ws_key *key, const char *name)
{
	size_t len = name ? strlen(name) : 0;

	return !name || (strncmp(key->name, name, len) == 0 &&
			 (key->name[len] == '\0' || key->name[len] == '.'));
}

static const char *key_name_at(size_t i, const void *context)
{
	(void)context;
	return ws_keys[i].name;
}

static enum ws_status check_key(struct cli_call *call, const char *name, struct ws_err *err)
{
	size_t count = 0;
	bool found = false;
	int nearest;

	for (; ws_keys[count].name; count++)
		found = found || is_of(&ws_keys[count], name);
	if (found)
		return WS_OK;
	nearest = ws_nearest_name(name, count, key_name_at, NULL);
	return nearest < 0 ? cli_usage(call->command, err, "unknown key '%.64s'", name)
			   : cli_usage(call->command, err, "unknown key '%.64s', did you mean "
				       "'%s'?", name, ws_keys[nearest].name);
}

/* For a reader: whole sentences, which a table of rows would cut. */
static void explain_keys(const char *name)
{
	for (const struct ws_key *key = ws_keys; key->name; key++)
		if (is_of(key, name))
			cli_help_key(stdout, key);
}

static enum ws_status list_keys(struct cli_call *call, const char *name, struct ws_err *err)
{
	static const enum ws_col columns[] = { WS_COL_KEY, WS_COL_TYPE, WS_COL_RANGE, WS_COL_UNIT,
					       WS_COL_STAGE, WS_COL_HELP };
	struct cli_report report = { 0 };
	enum ws_status status = cli_report_begin(&report, call, NULL, columns, WS_COUNT(columns),
						 err);
	char range[256], help[512];

	for (const struct ws_key *key = ws_keys; key->name && status == WS_OK; key++) {
		if (!is_of(key, name))
			continue;
		cli_key_range(key, range, sizeof range);
		ws_cell_str(report.table, WS_COL_KEY, key->name);
		ws_cell_str(report.table, WS_COL_TYPE, cli_key_types[key->type]);
		cell_or_none(report.table, WS_COL_RANGE, range);
		cell_or_none(report.table, WS_COL_UNIT, key->unit);
		ws_cell_str(report.table, WS_COL_STAGE, cli_stage_names[key->stage]);
		ws_cell_str(report.table, WS_COL_HELP, cli_key_help(key, help, sizeof help));
		ws_row_end(report.table);
	}
	return cli_report_end(&report, status, err);
}

static enum ws_status keys(struct cli_call *call, const char *name, struct ws_err *err)
{
	enum ws_status status = check_key(call, name, err);

	if (status != WS_OK)
		return status;
	if (name && !call->options->columns && !call->options->where.count && cli_aligned(call)) {
		explain_keys(name);
		return WS_OK;
	}
	return list_keys(call, name, err);
}

static enum ws_status list_machines(struct cli_call *call, struct ws_err *err)
{
	static const enum ws_col columns[] = { WS_COL_MACHINE, WS_COL_TITLE };
	struct cli_report report = { 0 };
	char **names = NULL;
	size_t count = 0;
	enum ws_status status = ws_machine_list(&names, &count, err);

	if (status == WS_OK)
		status = cli_report_begin(&report, call, NULL, columns, WS_COUNT(columns),
						 err);
	for (size_t i = 0; i < count; i++) {
		struct ws_machine m;

		if (status == WS_OK)
			status = ws_machine_load(&m, names[i], err);
		if (status == WS_OK) {
			ws_cell_str(report.table, WS_COL_MACHINE, names[i]);
			cell_or_none(report.table, WS_COL_TITLE, m.title);
			ws_row_end(report.table);
		}
		free(names[i]);
	}
	free(names);
	return cli_report_end(&report, status, err);
}

/* ---- a machine and what was said when it was read ------------------------- */

/* By the operand, or by -m; NULL: none is. */
static const char *named(const struct cli_call *call)
{
	return call->operands.count ? call->operands.item[0] : call->options->machine;
}

/* As ws_study_machine, with the notes on a gpgpusim.config. */
static enum ws_status load_machine(struct cli_call *call, struct ws_machine *m,
				   struct ws_notes *notes,
				   struct ws_err *err)
{
	const char *name = named(call) ? named(call) : WS_MACHINE_DEFAULT;
	const struct ws_list *set = &call->options->set;
	enum ws_status status = ws_machine_load_notes(m, name, notes, err);

	if (status == WS_OK)
		status = ws_policy_loaded(cli_ask(call), m, name, err);
	for (size_t i = 0; i < set->count && status == WS_OK; i++)
		status = ws_machine_set(m, set->item[i], err);
	if (status == WS_OK)
		status = ws_machine_check(m, err);
	if (status == WS_OK)
		status = ws_policy_check(m, err);
	for (size_t i = 0; i < notes->count && status == WS_OK; i++)
		if (notes->note[i].kind == WS_NOTE_WARNING)
			cli_note(call, "%s", notes->note[i].text);
	return status;
}

/* Options that are no key's, as rows after those of the keys. */
static void list_notes(struct ws_table *t, const struct ws_notes *notes)
{
	for (size_t i = 0; i < notes->count; i++) {
		const struct ws_note *n = &notes->note[i];
		char why[160];

		if (n->kind == WS_NOTE_WARNING)
			continue;
		ws_cell_str(t, WS_COL_KEY, n->option);
		if (n->kind == WS_NOTE_UNMODELLED) {
			cell_or_none(t, WS_COL_VALUE, n->text);
			snprintf(why, sizeof why, "not modelled: %s", n->why);
		}
		ws_cell_str(t, WS_COL_HELP, n->kind == WS_NOTE_UNMODELLED ? why : n->text);
		ws_row_end(t);
	}
}

static enum ws_status explain(struct cli_call *call, const struct ws_machine *m,
			      const struct ws_notes *notes, struct ws_err *err)
{
	static const enum ws_col columns[] = { WS_COL_KEY, WS_COL_VALUE, WS_COL_UNIT, WS_COL_HELP };
	struct cli_report report = { 0 };
	enum ws_status status = cli_report_begin(&report, call, NULL, columns, WS_COUNT(columns),
						 err);
	char value[2 * WS_NAME_MAX], help[512];

	for (const struct ws_key *key = ws_keys; key->name && status == WS_OK; key++) {
		ws_machine_get(m, key, value, sizeof value);
		ws_cell_str(report.table, WS_COL_KEY, key->name);
		cell_or_none(report.table, WS_COL_VALUE, value);
		cell_or_none(report.table, WS_COL_UNIT, key->unit);
		ws_cell_str(report.table, WS_COL_HELP, cli_key_help(key, help, sizeof help));
		ws_row_end(report.table);
	}
	if (status == WS_OK)
		list_notes(report.table, notes);
	return cli_report_end(&report, status, err);
}

/* ---- a machine as a file ---------------------------------------------------- */

static enum ws_status put_machine(const struct machine_options *o, const struct ws_machine *m,
				  struct ws_buf *text, struct ws_err *err)
{
	if (o->to && strcmp(o->to, "gpgpusim") == 0)
		return ws_gpgpusim_write(m, text, err);
	ws_machine_write(m, text);
	return WS_OK;
}

static enum ws_status print_file(struct cli_call *call, const struct machine_options *o,
				 const struct ws_machine *m, struct ws_err *err)
{
	struct ws_buf text = { 0 };
	enum ws_status status = put_machine(o, m, &text, err);

	if (status == WS_OK)
		status = cli_write_text(call, call->options->output, &text, "the machine", err);
	ws_buf_clear(&text);
	return status;
}

/* ---- a cache string --------------------------------------------------------- */

static void put_field(struct ws_table *t, const struct ws_cache_field *f)
{
	ws_cell_str(t, WS_COL_FIELD, f->name);
	cell_or_none(t, WS_COL_VALUE, f->value);
	cell_or_none(t, WS_COL_UNIT, f->unit);
	ws_cell_str(t, WS_COL_MEANING, f->meaning);
	ws_row_end(t);
}

/* What `count` such caches have. */
static void put_total(struct ws_table *t, const char *name, uint64_t count, const char *of,
		      uint64_t size)
{
	struct ws_cache_field f = { .name = name, .unit = "bytes" };
	char all[40], one[40];

	ws_size_words(size, one, sizeof one);
	ws_size_words(count * size, all, sizeof all);
	snprintf(f.value, sizeof f.value, "%" PRIu64, count * size);
	snprintf(f.meaning, sizeof f.meaning, "%s = %" PRIu64 " %s x %s", all, count, of, one);
	put_field(t, &f);
}

static enum ws_status list_fields(struct cli_call *call, const struct ws_cache_string *c,
				  const struct ws_machine *m, struct ws_err *err)
{
	static const enum ws_col columns[] = { WS_COL_FIELD, WS_COL_VALUE, WS_COL_UNIT,
					       WS_COL_MEANING };
	struct cli_report report = { 0 };
	struct ws_cache_field f;
	uint64_t size = ws_cache_string_size(c);
	enum ws_status status = cli_report_begin(&report, call, NULL, columns, WS_COUNT(columns),
						 err);

	for (size_t i = 0; status == WS_OK && ws_cache_string_field(c, i, &f); i++)
		put_field(report.table, &f);
	/* A size is below 2^60; a total that does not fit into 64 bits is left out. */
	if (status == WS_OK && m && size && m->sm_count <= UINT64_MAX / size)
		put_total(report.table, "all as L1", m->sm_count, "SMs", size);
	if (status == WS_OK && m && size && m->l2_slices <= UINT64_MAX / size)
		put_total(report.table, "all as L2", m->l2_slices, "slices", size);
	return cli_report_end(&report, status, err);
}

static enum ws_status explain_string(struct cli_call *call, const char *text, struct ws_err *err)
{
	bool machine = named(call) || call->options->set.count;
	struct ws_cache_string c;
	struct ws_err why = { 0 };
	struct ws_notes notes = { 0 };
	struct ws_machine m;
	enum ws_status status = ws_cache_string_parse(&c, text, &why);

	if (status != WS_OK)
		return ws_fail(err, status, "--explain=%.200s: %s", text, why.text);
	if (machine)
		status = load_machine(call, &m, &notes, err);
	if (status == WS_OK)
		status = list_fields(call, &c, machine ? &m : NULL, err);
	ws_notes_clear(&notes);
	return status;
}

/* ---- the command ------------------------------------------------------------ */

static enum ws_status one_machine(struct cli_call *call, const struct machine_options *o,
				  struct ws_err *err)
{
	struct ws_notes notes = { 0 };
	struct ws_machine m;
	enum ws_status status = load_machine(call, &m, &notes, err);

	if (status == WS_OK)
		status = o->conf || o->to ? print_file(call, o, &m, err)
					  : explain(call, &m, &notes, err);
	ws_notes_clear(&notes);
	return status;
}

static enum ws_status run_machine(struct cli_call *call, struct ws_err *err)
{
	const struct machine_options *o =
		(const struct machine_options *)(const void *)call->options;

	if (o->keys + o->conf + (o->to != NULL) + (o->explain != NULL) > 1)
		return cli_usage(call->command, err, "want one of --keys, --conf, --to and "
				 "--explain");
	if (call->operands.count && o->common.machine)
		return cli_usage(call->command, err, "two machines: '%.64s', and -m %.64s",
				 call->operands.item[0], o->common.machine);
	if (o->keys)
		return keys(call, call->operands.count ? call->operands.item[0] : NULL, err);
	if (o->explain)
		return explain_string(call, o->explain, err);
	if (!named(call) && (o->conf || o->to || o->common.set.count))
		return cli_usage(call->command, err, "--%s wants the NAME of a machine",
				 o->conf ? "conf" : o->to ? "to" : "set");
	if (!named(call))
		return list_machines(call, err);
	return one_machine(call, o, err);
}

const struct cli_command cli_cmd_machine = {
	.name = "machine",
	.summary = "lists machines; explains one, or its keys",
	.usage = "[options] [NAME|FILE] | -k [KEY]",
	.description =
		"Without a name, lists the machines that -m knows.  With one (or a .conf file), "
		"explains it key by key; --set shows what follows from an override, as the sets "
		"from a size.\n"
		"\n"
		"A FILE whose first word begins with - is a gpgpusim.config of GPGPU-Sim 3 or 4 or "
		"of Accel-Sim, here and for -m of all commands.  Its options become keys; those "
		"that no key stands for follow after the keys as not modelled, each with the "
		"reason, and options left out are GPGPU-Sim's defaults.  An unknown option, of a "
		"newer version or misspelt, is noted and passed over.\n"
		"\n"
		"What nobody knows of a machine is a set of alternatives: sm.scheduler = "
		"gto|lrr|two-level in a .conf, or in --set.  The first counts where one is "
		"shown.  predict, sweep and simulate answer with it and with the band over all "
		"combinations (`warpstack help predict`), validate with the band of each "
		"launch; other commands want --set to choose.\n"
		"\n"
		"The stage of a key says what another value costs: order and profile, a new "
		"pass over the "
		"trace; predict, nothing, since one profile answers all its values; keys of the "
		"stage cycles describe the machine, but hit and miss counts do not depend on them.",
	.examples =
		"warpstack machine\n"
		"warpstack machine gtx480\n"
		"warpstack machine gtx480 --set l1.size=64K --conf -o my.conf\n"
		"warpstack machine v100 --to gpgpusim\n"
		"warpstack machine --explain S:32:128:24,L:B:m:L:P,A:192:4,32:0,32 v100\n"
		"warpstack machine -k l1.mshr",
	.table = { table, cli_report, cli_general },
	.size = sizeof(struct machine_options),
	.operands_max = 1,
	.complete = "machine",
	.lists = CLI_LIST_KEYS | CLI_LIST_HASHES,
	.run = run_machine,
};
