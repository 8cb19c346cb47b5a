/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/pchase_report.c -- pchase report: every verb's rows as a file of a folder, every figure drawn
 * of them, and a page that shows them.
 */
#include "cli/pchase.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#define PATH 1024u

struct report_figure {
	const char *name, *file;	/* of ws_figures; without its ending */
	const char *text;
	const char *without;	/* what stands there if there is no row for it; NULL: there must
				 * be */
};

static const struct report_rows {
	const char *verb;
	const char *policies;
	uint64_t passes;
	struct report_figure figure[2];
} report_rows[] = {
	{ .verb = "infer" },
	{ .verb = "curve", .policies = "lru,fifo,random", .figure = { {
		"pchase-curve", "curve", "The miss ratio of walks over arrays of growing size, "
		"under LRU, FIFO and random replacement, and as measured, if it was.  LRU and FIFO "
		"lose a whole set as soon as it has a line too many, random replacement does not.",
		NULL } } },
	{ .verb = "classic", .figure = { {
		"pchase-size", "size", "The mean latency against the size of the array.  It rises "
		"from the size of the cache on, until every set overflows.", NULL }, {
		"pchase-stride", "stride", "The mean latency against the stride.  It rises up to "
		"the line, and falls where the array has no more lines than a set has ways.",
		NULL } } },
	{ .verb = "trace", .passes = 3, .figure = { {
		"pchase-access", "access", "The loads of an array one line larger than the cache, "
		"one by one: the lines that miss are those of one set.", NULL } } },
	{ .verb = "map", .figure = { {
		"pchase-map", "map", "The lines of an array as large as the cache by their sets, "
		"in words of 4 bytes counted from 1.", NULL } } },
	{ .verb = "structure", .figure = { {
		"pchase-sets", "sets", "How many lines each set holds, as counted by the loads.",
		"How many lines each set holds was not determined." }, {
		"pchase-victims", "victims", "How often a full set loses each way.",
		"The replacement draws no random numbers: there is no histogram of victims." } } },
	{ .verb = "spectrum", .figure = { {
		"pchase-spectrum", "spectrum", "The latency of a load by the cache and the TLB "
		"that it hits in: P1 to P6 of Mei and Chu, and an L1 hit.", NULL } } },
	{ .verb = "banks", .figure = { {
		"pchase-banks", "banks", "Shared memory: the latency against the stride of the "
		"threads; above each bar the ways of its conflict.", NULL } } },
};

static enum ws_status run_verb(const struct chase_call *c, const struct report_rows *r,
			       const char *path, struct ws_chase *found, struct ws_err *err)
{
	struct pchase_options o = *c->o;
	struct cli_call call = *c->call;
	struct chase_call part = { .call = &call, .o = &o, .machine = c->machine };
	enum ws_status status;
	size_t i = 0;

	call.options = &o.common;
	o.common.output = path;
	o.common.format = "tsv";
	o.policies = r->policies;
	o.passes = r->passes;
	o.like = r->policies ? c->o->like : NULL;
	o.nearest = r->policies && c->o->nearest;
	while (strcmp(c->verbs[i].name, r->verb) != 0)
		i++;
	status = c->verbs[i].run(&part, err);
	if (i == 0)
		*found = part.found;
	ws_chase_close(&part.target);
	return status;
}

static enum ws_status draw_figure(const struct chase_call *c, const struct report_figure *f,
				  const char *rows, const char *path, bool *drawn,
				  struct ws_err *err)
{
	struct ws_in in = { 0 };
	struct ws_figure_input input = {
		.table = &in, .no_sync = c->call->options->no_sync, .source = c->machine.title,
	};
	enum ws_status status = ws_in_open(&in, rows, err);

	if (status == WS_OK)
		status = ws_plot(ws_figure_find(f->name), &input, path, 0, err);
	*drawn = status == WS_OK;
	if (status == WS_EINVAL && f->without)
		status = WS_OK;
	ws_in_close(&in);
	return status;
}

static void put_value(struct ws_buf *page, const char *name, const char *value, double confidence)
{
	if (confidence > 0)
		ws_put_printf(page, "| %s | %s | %.4f |\n", name, value, confidence);
	else
		ws_put_printf(page, "| %s | not determined | |\n", name);
}

static void put_inferred(struct ws_buf *page, const struct chase_call *c, const struct ws_chase *f)
{
	const struct {
		const char *name;
		struct ws_chase_value v;
	} value[] = {
		{ "sector (bytes)", f->sector }, { "line (bytes)", f->line }, { "ways", f->ways },
		{ "sets", f->sets }, { "size (bytes)", f->size },
	};
	char number[24];

	ws_put_printf(page, "# Pointer chasing: %s\n\nWhat %" PRIu64 " dependent loads say of the "
		      "cache:\n\n| property | value | certainty |\n|---|---|---|\n",
		      c->machine.title, f->loads);
	for (size_t i = 0; i < WS_COUNT(value); i++) {
		snprintf(number, sizeof number, "%" PRIu64, value[i].v.value);
		put_value(page, value[i].name, number, value[i].v.confidence);
	}
	put_value(page, "set index", f->hash, f->hash_confidence);
	put_value(page, "policy", f->policy, f->policy_confidence);
}

static enum ws_status make_rows(const struct chase_call *c, const struct report_rows *r,
				const char *folder, struct ws_buf *page, struct ws_err *err)
{
	char rows[PATH], picture[PATH];
	struct ws_chase found = { 0 };
	enum ws_status status;

	snprintf(rows, sizeof rows, "%s/%s.tsv", folder, r->verb);
	status = run_verb(c, r, rows, &found, err);
	if (status == WS_OK && r == report_rows)
		put_inferred(page, c, &found);
	for (size_t i = 0; i < WS_COUNT(r->figure) && r->figure[i].name && status == WS_OK; i++) {
		const struct report_figure *f = &r->figure[i];
		bool drawn;

		snprintf(picture, sizeof picture, "%s/%s.svg", folder, f->file);
		status = draw_figure(c, f, rows, picture, &drawn, err);
		if (status == WS_OK && drawn)
			ws_put_printf(page, "\n![](%s.svg)\n\n%s ([rows](%s.tsv))\n", f->file,
				      f->text, r->verb);
		else if (status == WS_OK)
			ws_put_printf(page, "\n%s\n", f->without);
	}
	return status;
}

static enum ws_status write_page(const struct chase_call *c, const char *folder,
				 const struct ws_buf *page, struct ws_err *err)
{
	char path[PATH];

	snprintf(path, sizeof path, "%s/report.md", folder);
	return cli_write_text(c->call, path, page, "the page", err);
}

enum ws_status cli_chase_report(struct chase_call *c, struct ws_err *err)
{
	const char *folder = c->call->options->output;
	struct ws_buf page = { 0 };
	enum ws_status status = WS_OK;

	if (!folder || strcmp(folder, "-") == 0)
		return cli_usage(c->call->command, err, "no -o FOLDER for the report");
	if (strlen(folder) > PATH - 64)
		return cli_usage(c->call->command, err, "-o: the folder's name is too long");
	if (mkdir(folder, 0777) && errno != EEXIST)
		return ws_fail(err, WS_EIO, "%s: %s", folder, strerror(errno));
	/* If gnuplot dies, that is an error to report, not an end. */
	signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < WS_COUNT(report_rows) && status == WS_OK; i++)
		status = make_rows(c, &report_rows[i], folder, &page, err);
	if (status == WS_OK)
		status = write_page(c, folder, &page, err);
	ws_buf_clear(&page);
	return status;
}
