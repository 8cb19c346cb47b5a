/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/ncu.c -- predict --format ncu-csv: each launch's predicted counters as Nsight Compute prints
 * them by `--csv --page raw`, for scripts that read that.
 *
 * A counter has the name that ws_counters_names has first for it.  Counters that a prediction has
 * no number for are left out: instructions, DRAM, and the L2's without --level all.
 */
#include "cli/cli.h"
#include "validate/counters.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char cli_ncu_name[] = "ncu-csv";

/* ---- options ------------------------------------------------------------------------------- */

enum ws_status cli_ncu_check(struct cli_call *call, struct ws_err *err)
{
	struct cli_options *o = call->options;
	const char *other = o->columns ? "columns" : o->sort ? "sort" : o->top ? "top"
			  : o->where.count ? "where" : o->kind ? "kind" : o->runs ? "runs"
			  : o->by ? "by" : NULL;

	if (other)
		return cli_usage(call->command, err, "--format ncu-csv and --%s: want one of them",
				 other);
	if (o->per && strcmp(o->per, "launch") != 0)
		return cli_usage(call->command, err, "--format ncu-csv and --per=%s: it is of "
				 "launches", o->per);
	o->per_usual = "launch";
	return WS_OK;
}

/* ---- a launch's counters ------------------------------------------------------------------- */

static void put_unit(double value[WS_COUNTERS], enum ws_counter queries,
		     const struct ws_counts *c)
{
	if (c->requests && !c->sectors)
		return; /* sectors are not known */
	value[queries] = (double)c->sectors;
	value[queries + 1] = (double)(c->sectors - c->sectors_missed);
	value[queries + 2] = (double)c->sectors_missed;
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static void put_l1(double value[WS_COUNTERS], const struct ws_prediction *p)
{
	put_unit(value, WS_COUNTER_L1_LOAD_QUERIES, &p->kind[WS_LOAD]);
	put_unit(value, WS_COUNTER_L1_STORE_QUERIES, &p->kind[WS_STORE]);
	if (!isnan(value[WS_COUNTER_L1_LOAD_QUERIES]))
		value[WS_COUNTER_L1_HIT_PCT] = percent(value[WS_COUNTER_L1_LOAD_HITS],
						       value[WS_COUNTER_L1_LOAD_QUERIES]);
}

static void put_l2(double value[WS_COUNTERS], const struct ws_prediction *p)
{
	const struct ws_counts *atomics = &p->kind[WS_ATOMIC];

	put_unit(value, WS_COUNTER_L2_READ_QUERIES, &p->kind[WS_LOAD]);
	put_unit(value, WS_COUNTER_L2_WRITE_QUERIES, &p->kind[WS_STORE]);
	if (!atomics->requests || atomics->sectors)
		value[WS_COUNTER_L2_ATOMIC_QUERIES] = (double)atomics->sectors;
	if (!isnan(value[WS_COUNTER_L2_READ_QUERIES]))
		value[WS_COUNTER_L2_HIT_PCT] = percent(value[WS_COUNTER_L2_READ_HITS],
						       value[WS_COUNTER_L2_READ_QUERIES]);
}

static struct cli_ncu_launch *launch_of(struct cli_ncu *n, const struct ws_row *r,
					struct ws_err *err)
{
	struct cli_ncu_launch *l = n->launches ? &n->launch[n->launches - 1] : NULL;

	for (size_t i = 0; i < n->launches; i++)
		if (strcmp(n->launch[i].kernel, r->kernel) == 0)
			return &n->launch[i];
	if (!WS_ROOM(n->launch, n->cap, n->launches + 1)) {
		ws_fail_memory(err, "the counters of launches");
		return NULL;
	}
	l = &n->launch[n->launches];
	*l = (struct cli_ncu_launch){ .kernel = ws_strdup(r->kernel) };
	for (unsigned k = 0; k < WS_COUNTERS; k++)
		l->value[k] = (double)NAN;
	if (!l->kernel) {
		ws_fail_memory(err, "a kernel's name");
		return NULL;
	}
	n->launches++;
	return l;
}

enum ws_status cli_ncu_put(void *context, const struct ws_row *r, struct ws_err *err)
{
	struct cli_ncu *n = context;
	struct cli_ncu_launch *l;

	if (r->kind != WS_KINDS)
		return WS_OK; /* the row of all kinds has them all */
	l = launch_of(n, r, err);
	if (!l)
		return WS_ENOMEM;
	if (r->l2)
		put_l2(l->value, r->prediction);
	else
		put_l1(l->value, r->prediction);
	if (r->timing)
		l->value[WS_COUNTER_CYCLES] = round(r->timing->cycles);
	return WS_OK;
}

/* ---- the file ------------------------------------------------------------------------------ */

static const struct ws_counters_name *ncu_name(unsigned counter)
{
	const struct ws_counters_name *at = ws_counters_names;

	while (at->name && (at->profiler != WS_PROFILER_NCU || at->counter != counter))
		at++;
	return at->name ? at : NULL;
}

static bool is_known(const struct cli_ncu *n, unsigned counter)
{
	for (size_t i = 0; i < n->launches; i++)
		if (!isnan(n->launch[i].value[counter]))
			return ncu_name(counter) != NULL;
	return false;
}

static void put(struct ws_buf *text, const char *s)
{
	ws_put_bytes(text, s, strlen(s));
}

/* len bytes of s as a cell; control characters would end the line. */
static void put_quoted(struct ws_buf *text, const char *s, size_t len)
{
	put(text, ",\"");
	for (size_t i = 0; i < len; i++) {
		if (s[i] == '"')
			ws_put_u8(text, '"');
		ws_put_u8(text, (uint8_t)((unsigned char)s[i] < ' ' ? ' ' : s[i]));
	}
	put(text, "\"");
}

static void put_cell(struct ws_buf *text, const char *s)
{
	put_quoted(text, s, strlen(s));
}

static void put_header(struct ws_buf *text, const struct cli_ncu *n)
{
	static const char *const before[] = { "Process ID", "Process Name", "Host Name",
					      "Kernel Name", "Context", "Stream", "Block Size",
					      "Grid Size", "Device", "CC",
					      "device__attribute_display_name" };

	put(text, "\"ID\"");
	for (size_t i = 0; i < WS_COUNT(before); i++)
		put_cell(text, before[i]);
	for (unsigned k = 0; k < WS_COUNTERS; k++)
		if (is_known(n, k))
			put_cell(text, ncu_name(k)->name);
	put(text, "\n\"\"");
	for (size_t i = 0; i < WS_COUNT(before); i++)
		put_cell(text, "");
	for (unsigned k = 0; k < WS_COUNTERS; k++)
		if (is_known(n, k))
			put_cell(text, ncu_name(k)->unit);
	put(text, "\n");
}

static size_t launch_number(const struct ws_trace *t, const char *kernel)
{
	size_t i = 0;

	while (i < ws_trace_launches(t) && strcmp(ws_trace_launch(t, i)->kernel, kernel) != 0)
		i++;
	return i;
}

/* Launches are told apart as NAME#N (ws_trace_part). */
static void put_kernel(struct ws_buf *text, const char *kernel, size_t number)
{
	char end[32];
	size_t len = strlen(kernel), tail;

	tail = (size_t)snprintf(end, sizeof end, "#%zu", number + 1);
	if (len > tail && strcmp(kernel + len - tail, end) == 0)
		len -= tail;
	put_quoted(text, kernel, len);
}

static void put_size(struct ws_buf *text, const uint64_t n[3])
{
	char size[80];

	snprintf(size, sizeof size, "(%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")", n[0], n[1], n[2]);
	put_cell(text, size);
}

static void put_launch(struct ws_buf *text, const struct cli_ncu *n, size_t i,
		       const struct ws_machine *m)
{
	const struct cli_ncu_launch *l = &n->launch[i];
	size_t number = launch_number(n->trace, l->kernel);
	const struct ws_launch *launch;
	char cell[64];

	if (number == ws_trace_launches(n->trace))
		return;
	launch = ws_trace_launch(n->trace, number);
	snprintf(cell, sizeof cell, "\"%zu\",\"0\"", number);
	put(text, cell);
	put_cell(text, ws_trace_name(n->trace));
	put_cell(text, "127.0.0.1");
	put_kernel(text, launch->kernel, number);
	put(text, ",\"1\",\"7\"");
	put_size(text, launch->block);
	put_size(text, launch->grid);
	put(text, ",\"0\",\"\"");
	put_cell(text, m->title[0] ? m->title : m->name);
	for (unsigned k = 0; k < WS_COUNTERS; k++) {
		if (!is_known(n, k))
			continue;
		snprintf(cell, sizeof cell, strcmp(ncu_name(k)->unit, "%") ? "%.0f" : "%.2f",
			 l->value[k]);
		put_cell(text, isnan(l->value[k]) ? "n/a" : cell);
	}
	put(text, "\n");
}

enum ws_status cli_ncu_end(struct cli_ncu *n, const struct ws_study_plan *plan, struct ws_err *err)
{
	char *how = cli_provenance(n->call, plan);
	struct ws_buf text = { 0 };
	enum ws_status status;

	if (how && !n->call->options->no_provenance) {
		put(&text, "==PROF== predicted by ");
		put(&text, how);
		put(&text, "\n");
	}
	put_header(&text, n);
	for (size_t i = 0; i < n->launches; i++)
		put_launch(&text, n, i, &plan->machine);
	text.failed = text.failed || !how;
	status = cli_write_text(n->call, n->call->options->output, &text, "the counters", err);
	free(how);
	ws_buf_clear(&text);
	return status;
}

void cli_ncu_clear(struct cli_ncu *n)
{
	for (size_t i = 0; i < n->launches; i++)
		free(n->launch[i].kernel);
	free(n->launch);
	*n = (struct cli_ncu){ .call = NULL };
}
