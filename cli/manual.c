/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/manual.c -- manual pages in man(7), written from the tables:
 * `warpstack __manual` for warpstack(1), `warpstack __manual predict` for
 * warpstack-predict(1), `warpstack __manual columns` for warpstack-columns(5).
 */
#include "cli/cli.h"
#include "validate/counters.h"

#include <ctype.h>
#include <string.h>

#define DATE "2026-11-23" /* of WS_VERSION */

/* ---- roff ---------------------------------------------------------------- */

static void put_char(char c)
{
	if (c == '\\')
		fputs("\\e", stdout);
	else if (c == '-')
		fputs("\\-", stdout);
	else if (c == '\'')
		fputs("\\(aq", stdout);
	else
		putchar(c);
}

/* One input line: what stands between backquotes is bold. */
static void put_line(const char *text, size_t len)
{
	bool bold = false;

	if (len && text[0] == '.')
		fputs("\\&", stdout);
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '`') {
			bold = !bold;
			fputs(bold ? "\\fB" : "\\fR", stdout);
		} else {
			put_char(text[i]);
		}
	}
	putchar('\n');
}

static void put_text(const char *text)
{
	put_line(text, strlen(text));
}

static void put_paragraphs(const char *text)
{
	while (*text) {
		const char *end = strstr(text, "\n\n");
		size_t len = end ? (size_t)(end - text) : strlen(text);

		put_line(text, len);
		text += len;
		if (end) {
			puts(".PP");
			text += 2;
		}
	}
}

static void put_bold(const char *text)
{
	fputs("\\fB", stdout);
	for (; *text; text++)
		put_char(*text);
	fputs("\\fR", stdout);
}

static void put_italic(const char *text)
{
	fputs("\\fI", stdout);
	for (; *text; text++)
		put_char(*text);
	fputs("\\fR", stdout);
}

static void item(const char *name, const char *text)
{
	puts(".TP");
	put_bold(name);
	putchar('\n');
	put_text(text && *text ? text : "(no description)");
}

static void title(const char *command)
{
	fputs(".TH WARPSTACK", stdout);
	if (command)
		fputs("\\-", stdout);
	for (const char *c = command ? command : ""; *c; c++)
		put_char((char)toupper((unsigned char)*c));
	puts(" 1 \"" DATE "\" \"warpstack " WS_VERSION "\" \"User Commands\"");
}

/* ---- lists that several pages have --------------------------------------- */

static void keys_section(void)
{
	char range[256], help[512];

	puts(".SH MACHINE KEYS\nWhat \\fB\\-\\-set\\fR, \\fB\\-\\-vary\\fR and .conf files may "
	     "name.  "
	     "The stage is the first one that reads a key:");
	for (size_t s = WS_STAGE_ORDER; s <= WS_STAGE_LABEL; s++)
		item(cli_stage_names[s], cli_stage_help[s]);
	puts(".PP\nThe keys:");
	for (const struct ws_key *key = ws_keys; key->name; key++) {
		cli_key_range(key, range, sizeof range);
		item(key->name, cli_key_help(key, help, sizeof help));
		printf(".br\n%s", cli_key_types[key->type]);
		if (*range)
			printf(", %s", range);
		if (key->unit)
			printf(", in %s", key->unit);
		printf("; stage %s\n", cli_stage_names[key->stage]);
	}
}

static void hashes_section(void)
{
	puts(".SH SET INDEX FUNCTIONS\nWhat l1.hash and l2.hash may be:");
	for (size_t i = 0; ws_hashes[i]; i++) {
		item(ws_hashes[i]->name, ws_hashes[i]->summary);
		if (ws_hashes[i]->source) {
			puts(".br");
			put_text(ws_hashes[i]->source);
		}
	}
}

static void policy_facts(const struct ws_policy *p)
{
	printf(".br\n%s", ws_basis_names[p->basis]);
	if (p->basis == WS_APPROX && p->max_pp > 0)
		printf(" (measured: %.2f points in the mean, %.2f at most)", p->mean_pp, p->max_pp);
	if (p->gpgpusim)
		printf("; %c in GPGPU\\-Sim", p->gpgpusim);
	if (p->variant)
		printf("; a variant, not in \\fBall\\fR");
	printf("\n.br\n");
	put_text(p->source);
}

static void organisations_section(void)
{
	char form[WS_NAME_MAX];

	puts(".SH ORGANISATIONS\nWhat l1.organisation may be:");
	for (size_t i = 0; i < WS_ORGANISATIONS; i++) {
		ws_organisation_form(&ws_organisations[i], form, sizeof form);
		item(form, ws_organisations[i].summary);
		if (ws_organisations[i].source) {
			puts(".br");
			put_text(ws_organisations[i].source);
		}
	}
}

static void policies_section(void)
{
	char form[CLI_POLICY_FORM];

	puts(".SH POLICIES\nWhat l1.policy may be, with parameters after a colon, and how its "
	     "prediction "
	     "compares with a simulation of the same request stream:");
	for (size_t i = 0; ws_policies[i]; i++) {
		cli_policy_form(ws_policies[i], form, sizeof form);
		item(form, ws_policies[i]->summary);
		policy_facts(ws_policies[i]);
	}
}

static void figures_section(void)
{
	static const char *const made_of[] = { "profile or a trace", "trace", "table" };

	puts(".SH FIGURES");
	for (size_t i = 0; ws_figures[i]; i++) {
		item(ws_figures[i]->name, ws_figures[i]->summary);
		printf(".br\nof a %s\n", made_of[ws_figures[i]->needs]);
	}
}

static void formats_section(void)
{
	puts(".SH FORMATS\nSee\n.BR warpstack\\-formats (5)\nfor what each of them is and loses.");
	for (size_t i = 0; cli_format_name(i); i++)
		item(cli_format_name(i), cli_format_summary(i));
}

static void counters_section(void)
{
	char text[512];

	puts(".SH COUNTERS\nWhat each counter is, and which of the profilers' counters are it:");
	for (unsigned i = 0; i < WS_COUNTERS; i++) {
		item(ws_counter_rows[i].name, ws_counter_rows[i].meaning);
		for (const struct ws_counters_name *c = ws_counters_names; c->name; c++)
			if (c->counter == i) {
				puts(".br");
				put_text(cli_counter_form(c, text, sizeof text));
			}
	}
}

static void lists(unsigned which)
{
	if (which & CLI_LIST_COUNTERS)
		counters_section();
	if (which & CLI_LIST_FORMATS)
		formats_section();
	if (which & CLI_LIST_FIGURES)
		figures_section();
	if (which & CLI_LIST_POLICIES)
		policies_section();
	if (which & CLI_LIST_KEYS)
		keys_section();
	if (which & CLI_LIST_HASHES) {
		hashes_section();
		organisations_section();
	}
}

static void exit_section(void)
{
	puts(".SH EXIT STATUS");
	for (size_t i = 0; cli_exit_codes[i][0]; i++)
		item(cli_exit_codes[i][0], cli_exit_codes[i][1]);
}

static void examples_section(const char *examples)
{
	puts(".SH EXAMPLES\n.nf");
	while (*examples) {
		size_t len = strcspn(examples, "\n");

		put_line(examples, len);
		examples += len;
		examples += *examples == '\n';
	}
	puts(".fi");
}

/* ---- pages --------------------------------------------------------------- */

static void option(const struct ws_option *o)
{
	char name[64];

	puts(".TP");
	if (o->letter) {
		snprintf(name, sizeof name, "-%c", o->letter);
		put_bold(name);
		fputs(", ", stdout);
	}
	snprintf(name, sizeof name, "--%s", o->name);
	put_bold(name);
	if (o->arg) {
		putchar(' ');
		put_italic(o->arg);
	}
	putchar('\n');
	put_text(o->help);
}

static void command_page(const struct cli_command *c)
{
	title(c->name);
	printf(".SH NAME\nwarpstack\\-%s \\- ", c->name);
	put_text(c->summary);
	printf(".SH SYNOPSIS\n\\fBwarpstack %s\\fR ", c->name);
	put_text(c->usage);
	puts(".SH DESCRIPTION");
	put_paragraphs(c->description);
	puts(".SH OPTIONS");
	for (size_t t = 0; t < cli_tables(c); t++)
		for (const struct ws_option *o = c->table[t]; o->name; o++)
			option(o);
	lists(c->lists);
	exit_section();
	if (c->examples)
		examples_section(c->examples);
	puts(".SH SEE ALSO\n.BR warpstack (1)");
}

static void commands_section(const struct cli_command *const *commands)
{
	puts(".SH COMMANDS");
	for (size_t i = 0; commands[i]; i++)
		if (commands[i]->summary)
			item(commands[i]->name, commands[i]->summary);
}

static void outputs_section(void)
{
	puts(".SH OUTPUT FILES");
	put_paragraphs("A file that is written takes the place of what was there when it is "
		       "complete and on the disk, or not at all: a command that fails or is "
		       "killed leaves the old one.  The new one keeps its mode; of a symbolic "
		       "link what it leads to is replaced.  `--no-sync` does not wait for the "
		       "disk.\n\n"
		       "No command writes to a file that it reads: an operand, the machine, what a "
		       "launch file or a list of traces names, what a source includes; nor twice "
		       "to the same file, however it is spelt.  Devices, pipes and descriptors "
		       "(/dev/stdout) are written as they are.\n\n"
		       "Until then the file has no name.  It has one, .warpstack-XXXXXXXX in the "
		       "same folder, between two system calls at the end if there is an old file, "
		       "or from the beginning on a file system without unnamed files; of a list "
		       "of more than 256 kernels some members have one until all are written.  "
		       "Killed then, a command leaves such a file.");
}

static void files_section(void)
{
	puts(".SH ENVIRONMENT");
	item("WARPSTACK_DATA", "a folder whose machine/, kernel/ and plot/ are looked at "
			       "before the "
	     "installed ones");
	item("WARPSTACK_CAPTURE", "libwarpstack-capture.so, which runs kernels, if it is not "
	     "where it was installed.  It is loaded, and LLVM with it, by commands that are "
	     "given a launch file or a kernel");
	item("WARPSTACK_CACHE", "a folder that keeps compiled kernels, 64 MiB at most, so that a "
	     "source is compiled once by a compiler with the same options; a source that includes "
	     "files or asks for the time is compiled each time.  $XDG_CACHE_HOME/warpstack or "
	     "~/.cache/warpstack if unset; if empty, none are kept.  warpstack-nvcc keeps "
	     "eight precompiled headers of 5 MiB there");
	item("TMPDIR", "where files without a name are while they are used: what comes from a "
	     "pipe, a trace that no one asked to keep, what does not fit in memory; and folders "
	     "for what other programs write or read: LaTeX figures, sources of NVRTC; /tmp if "
	     "unset");
	puts(".SH FILES");
	item("machine/NAME.conf", "the machines that -m knows, in the data folder "
	     "(`warpstack version -v` tells where that is)");
	item("kernel/*.launch", "kernels to try, as launch files");
}

static void program_page(const struct cli_command *const *commands)
{
	title(NULL);
	puts(".SH NAME\nwarpstack \\- miss rates of GPU caches from one pass over a memory trace\n"
	     ".SH SYNOPSIS\n\\fBwarpstack\\fR \\fICOMMAND\\fR [options] [\\fIFILE\\fR]\n"
	     ".SH DESCRIPTION");
	put_paragraphs("One pass over the memory trace of a GPU kernel leaves a small profile; "
		       "what the "
		       "miss rates would be if the cache were different is then arithmetic on the "
		       "profile, and an exact simulator stands beside it to say how far it is "
		       "off.\n\n"
		       "A FILE may be a launch file, a trace or a profile, told apart by content; "
		       "without one, or with -, it is standard input, so commands pipe.  "
		       "Results go "
		       "to standard output or to -o: aligned on a terminal, else as tsv, whose "
		       "first line says how they were made, or as csv, json or Markdown.  "
		       "`warpstack-columns`(5) explains the columns.  Errors are one line on "
		       "standard error.");
	commands_section(commands);
	lists(CLI_LIST_KEYS | CLI_LIST_HASHES | CLI_LIST_POLICIES | CLI_LIST_FIGURES);
	outputs_section();
	files_section();
	exit_section();
	examples_section("warpstack trace mm.launch -o mm.wst\n"
			 "warpstack profile mm.wst -m gtx480 -o mm.wsp\n"
			 "warpstack sweep mm.wsp --vary l1.size=8K:128K:x2\n"
			 "warpstack crosscheck mm.wst -m gtx480");
	fputs(".SH SEE ALSO\n.BR warpstack\\-columns (5),\n", stdout);
	for (size_t i = 0; commands[i]; i++)
		if (commands[i]->summary)
			printf(".BR warpstack\\-%s (1)%s\n", commands[i]->name,
			       commands[i + 1] && commands[i + 1]->summary ? "," : "");
}

/* ---- columns ---------------------------------------------------------------- */

static void column(const struct ws_column *c)
{
	item(c->name, c->meaning);
	printf(".br\n%s", ws_column_types[c->type]);
	if (c->unit)
		printf(", in %s", c->unit);
	putchar('\n');
	if (c->formula) {
		fputs(".br\n= ", stdout);
		put_text(c->formula);
	}
	if (c->when) {
		fputs(".br\nin: ", stdout);
		put_text(c->when);
	}
}

static void columns_page(void)
{
	puts(".TH WARPSTACK\\-COLUMNS 5 \"" DATE "\" \"warpstack " WS_VERSION "\" \"File "
	     "Formats\"\n"
	     ".SH NAME\nwarpstack\\-columns \\- the columns of warpstack's tables\n.SH "
	     "DESCRIPTION");
	put_paragraphs(cli_columns_introduction);
	for (const struct ws_column_group *g = ws_column_groups; g->title; g++) {
		fputs(".SS ", stdout);
		put_text(g->title);
		for (unsigned i = g[0].first; i < (unsigned)g[1].first; i++)
			column(&ws_columns[i]);
	}
	puts(".SH SEE ALSO\n.BR warpstack (1)");
}

static enum ws_status run_manual(struct cli_call *call, struct ws_err *err)
{
	const struct cli_command *command;

	if (call->operands.count == 0) {
		program_page(call->commands);
		return WS_OK;
	}
	if (strcmp(call->operands.item[0], cli_columns_name) == 0) {
		columns_page();
		return WS_OK;
	}
	command = cli_command_find(call->commands, call->operands.item[0]);
	if (!command || !command->summary)
		return cli_command_unknown(call->commands, call->operands.item[0], err);
	command_page(command);
	return WS_OK;
}

const struct cli_command cli_cmd_manual = {
	.name = "__manual",
	.usage = "[COMMAND|columns]",
	.description = "Writes the manual page of a command, of the columns, or of warpstack, in "
		       "man(7).",
	.table = { cli_general },
	.size = sizeof(struct cli_options),
	.operands_max = 1,
	.run = run_manual,
};
