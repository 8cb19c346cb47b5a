/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_machine.c -- the machines there are, and one of them key by key.
 */
#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>

struct options {
	struct cli_options common;
	bool keys, conf;
};

static const struct ws_option table[] = {
	{ .name = "keys", .letter = 'k', .type = WS_OPT_FLAG,
	  .offset = offsetof(struct options, keys),
	  .help = "lists all keys: type, range, unit, the stage that reads them first, meaning" },
	{ .name = "conf", .type = WS_OPT_FLAG, .offset = offsetof(struct options, conf),
	  .help = "prints the machine as a .conf file, which -m takes back" },
	CLI_OPT_SET, { 0 },
};

const char *const cli_key_types[] = {
	[WS_KEY_U64] = "number", [WS_KEY_SIZE] = "size", [WS_KEY_CHOICE] = "choice",
	[WS_KEY_BOOL] = "boolean", [WS_KEY_NAME] = "name", [WS_KEY_HASH] = "hash",
	[WS_KEY_TEXT] = "text",
};

static void join(char *text, size_t len, size_t *at, const char *word)
{
	if (*at < len)
		*at += (size_t)snprintf(text + *at, len - *at, "%s%s", *at ? " " : "", word);
}

void cli_key_range(const struct ws_key *key, char *text, size_t len)
{
	size_t at = 0;

	text[0] = '\0';
	switch (key->type) {
	case WS_KEY_U64:
	case WS_KEY_SIZE:
		snprintf(text, len, "%" PRIu64 "..%" PRIu64 "%s", key->min, key->max,
			 key->pow2 ? ", a power of two" : "");
		break;
	case WS_KEY_CHOICE:
		for (size_t i = 0; key->choices[i]; i++)
			join(text, len, &at, key->choices[i]);
		break;
	case WS_KEY_BOOL:
		snprintf(text, len, "true false");
		break;
	case WS_KEY_HASH:
		for (size_t i = 0; ws_hashes[i]; i++)
			join(text, len, &at, ws_hashes[i]->name);
		break;
	case WS_KEY_NAME:
		for (size_t i = 0; cli_policies_key(key) && ws_policies[i]; i++)
			join(text, len, &at, ws_policies[i]->name);
		break;
	case WS_KEY_TEXT:
		break;
	}
}

/* ---- tables -------------------------------------------------------------- */

static void cell_or_none(struct ws_table *t, const char *text)
{
	if (text && *text)
		ws_cell_str(t, text);
	else
		ws_cell_none(t);
}

static enum ws_status list_keys(struct cli_call *call, struct ws_err *err)
{
	static const char *const columns[] = { "key", "type", "range", "unit", "stage", "help" };
	struct cli_report report = { 0 };
	enum ws_status status = cli_report_begin(&report, call, columns, WS_COUNT(columns), err);
	char range[256];

	for (const struct ws_key *key = ws_keys; key->name && status == WS_OK; key++) {
		cli_key_range(key, range, sizeof range);
		ws_cell_str(&report.table, key->name);
		ws_cell_str(&report.table, cli_key_types[key->type]);
		cell_or_none(&report.table, range);
		cell_or_none(&report.table, key->unit);
		ws_cell_str(&report.table, cli_stage_names[key->stage]);
		ws_cell_str(&report.table, key->help);
	}
	return cli_report_end(&report, status, err);
}

static enum ws_status list_machines(struct cli_call *call, struct ws_err *err)
{
	static const char *const columns[] = { "name", "title" };
	struct cli_report report = { 0 };
	char **names = NULL;
	size_t count = 0;
	enum ws_status status = ws_machine_list(&names, &count, err);

	if (status == WS_OK)
		status = cli_report_begin(&report, call, columns, WS_COUNT(columns), err);
	for (size_t i = 0; i < count; i++) {
		struct ws_machine m;

		if (status == WS_OK)
			status = ws_machine_load(&m, names[i], err);
		if (status == WS_OK) {
			ws_cell_str(&report.table, names[i]);
			cell_or_none(&report.table, m.title);
		}
		free(names[i]);
	}
	free(names);
	return cli_report_end(&report, status, err);
}

static enum ws_status explain(struct cli_call *call, const struct ws_machine *m,
			      struct ws_err *err)
{
	static const char *const columns[] = { "key", "value", "unit", "help" };
	struct cli_report report = { 0 };
	enum ws_status status = cli_report_begin(&report, call, columns, WS_COUNT(columns), err);
	char value[2 * WS_NAME_MAX];

	for (const struct ws_key *key = ws_keys; key->name && status == WS_OK; key++) {
		ws_machine_get(m, key, value, sizeof value);
		ws_cell_str(&report.table, key->name);
		cell_or_none(&report.table, value);
		cell_or_none(&report.table, key->unit);
		ws_cell_str(&report.table, key->help);
	}
	return cli_report_end(&report, status, err);
}

static enum ws_status print_conf(struct cli_call *call, const struct ws_machine *m,
				 struct ws_err *err)
{
	struct ws_buf text = { 0 };
	struct ws_out out = { 0 };
	enum ws_status status = ws_out_open(&out, call->options->output, err);

	if (status != WS_OK)
		return status;
	ws_machine_write(m, &text);
	if (text.failed)
		status = ws_fail_memory(err, "the machine");
	else
		ws_out_write(&out, text.data, text.len);
	if (status == WS_OK)
		status = ws_out_commit(&out, err);
	ws_out_abort(&out);
	ws_buf_clear(&text);
	return status;
}

static enum ws_status run(struct cli_call *call, struct ws_err *err)
{
	const struct options *o = (const struct options *)(const void *)call->options;
	struct ws_machine m;
	enum ws_status status;

	if (o->keys)
		return list_keys(call, err);
	if (call->operands.count == 0 && (o->conf || o->common.set.count))
		return cli_usage(call->command, err, "--%s wants the NAME of a machine",
				 o->conf ? "conf" : "set");
	if (call->operands.count == 0)
		return list_machines(call, err);
	call->options->machine = call->operands.item[0];
	status = cli_machine(call, &m, err);
	if (status != WS_OK)
		return status;
	return o->conf ? print_conf(call, &m, err) : explain(call, &m, err);
}

const struct cli_command cli_cmd_machine = {
	.name = "machine",
	.summary = "lists the machines; explains one, or the keys",
	.usage = "[options] [NAME|FILE]",
	.description =
		"Without a name, lists the machines that -m knows.  With one (or a .conf file), "
		"explains it key by key; --set shows what follows from an override, as the sets "
		"from a size.\n"
		"\n"
		"The stage of a key says what another value costs: order and profile, a new "
		"pass over the "
		"trace; predict, nothing, since one profile answers all its values; keys of the "
		"stage cycles describe the machine, but hit and miss counts do not depend on them.",
	.examples =
		"warpstack machine\n"
		"warpstack machine gtx480\n"
		"warpstack machine gtx480 --set l1.size=64K --conf -o my.conf\n"
		"warpstack machine -k",
	.table = { table, cli_report, cli_general },
	.size = sizeof(struct options),
	.operands_max = 1,
	.complete = "machine",
	.lists = CLI_LIST_KEYS | CLI_LIST_HASHES,
	.run = run,
};
