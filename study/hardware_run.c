/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/hardware_run.c -- what a machine and its alternatives make of a launch.
 */
#include "study/hardware_private.h"

#include <stdlib.h>
#include <string.h>

struct hardware_run {
	const struct ws_hardware_options *o;
	struct hardware_state *state;
};

/* ---- one row ----------------------------------------------------------------------- */

static struct hardware_counts loads(const struct ws_counts *c)
{
	return (struct hardware_counts){ c->requests, c->misses, c->sectors, c->sectors_missed };
}

struct row_sink {
	struct hardware_row *row;
	uint64_t first;		/* configuration that the plan's first is */
};

static enum ws_status take_row(void *context, const struct ws_row *r, struct ws_err *err)
{
	const struct row_sink *s = context;
	size_t at = (size_t)(((s->first + r->config) * WS_SET_LEVELS + r->l2) * HARDWARE_WAYS);

	(void)err;
	s->row->counts[at + HARDWARE_MODEL] = loads(&r->check->model.kind[WS_LOAD]);
	s->row->counts[at + HARDWARE_SIMULATED] = loads(&r->check->exact[WS_LOAD]);
	return WS_OK;
}

static enum ws_status check_row(const struct ws_study_options *ask, const struct ws_trace *trace,
				struct row_sink *sink, struct ws_err *err)
{
	const struct ws_study_input in = { trace, NULL };
	struct ws_study_plan plan = { 0 };
	enum ws_status status = ws_study_plan_init(&plan, ask, NULL, trace, err);

	if (status == WS_OK)
		status = ws_study_crosscheck(ask, &plan, &in, -1, take_row, sink, err);
	ws_study_plan_clear(&plan);
	return status;
}

#define OPEN_MAX 128u	/* open keys of a machine */

bool ws_hardware_open_keys(const struct ws_machine *m, bool all, struct ws_list *list,
			   char **room)
{
	char *text = ws_alloc(OPEN_MAX, WS_ALTERNATIVES_MAX);
	bool ok = text != NULL;

	*room = text;
	for (size_t i = 0; ok && i < OPEN_MAX &&
	     ws_machine_alternatives(m, i, text, WS_ALTERNATIVES_MAX); i++) {
		for (char *bar; (bar = strchr(text, '|')) != NULL;)
			*bar = all ? ',' : '\0';
		ok = ws_list_add(list, text);
		text += WS_ALTERNATIVES_MAX;
	}
	return ok;
}

/* What --set says, but of the open keys what stands first. */
static enum ws_status ask_central(const struct hardware_run *run, struct hardware_row *row,
				  struct ws_study_options ask, const struct ws_trace *trace,
				  struct ws_err *err)
{
	struct row_sink sink = { row, row->configurations };
	struct ws_list set = { 0 };
	char *room = NULL;
	bool ok = true;
	enum ws_status status;

	for (size_t i = 0; i < run->o->study->set.count; i++)
		ok = ok && ws_list_add(&set, run->o->study->set.item[i]);
	ok = ok && ws_hardware_open_keys(&row->m, false, &set, &room);
	ask.set = set;
	ask.vary = (struct ws_list){ 0 };
	ask.order = ws_order_names[WS_ORDER_NOMINAL];
	status = ok ? check_row(&ask, trace, &sink, err) : ws_fail_memory(err, "a launch");
	ws_list_clear(&set);
	free(room);
	return status;
}

static enum ws_status judge_row(const struct hardware_run *run, struct hardware_row *row,
				const struct ws_trace *trace, struct ws_err *err)
{
	struct ws_study_options ask = *run->o->study;
	struct row_sink sink = { row, 0 };
	struct ws_list vary = { 0 };
	char *room = NULL;
	bool ok = ws_hardware_open_keys(&row->m, true, &vary, &room);
	enum ws_status status = WS_OK;

	row->counts = ws_alloc_zero(hardware_numbers(row), sizeof *row->counts);
	if (!ok || !row->counts)
		status = ws_fail_memory(err, "a launch's results");
	ask.machine = row->machine;
	ask.vary = vary;
	ask.levels = WS_STUDY_L1 | WS_STUDY_L2;
	ask.order = ws_order_names[WS_ORDER_CYCLES];
	ask.l2_what_if = true;
	ask.threads = 1;
	ask.progress = false;
	if (status == WS_OK)
		status = check_row(&ask, trace, &sink, err);
	if (status == WS_OK)
		status = ask_central(run, row, ask, trace, err);
	ws_list_clear(&vary);
	free(room);
	return status;
}

/* ---- all of them ---------------------------------------------------------------------- */

bool ws_hardware_kept(struct hardware_row *row, struct hardware_state *state)
{
	size_t count = hardware_numbers(row) * HARDWARE_COUNTS;
	const uint64_t *value = ws_hardware_state_find(state, row->key, count);

	if (!row->counts && value)
		row->counts = ws_alloc(count, sizeof *value);
	if (row->counts && value)
		memcpy(row->counts, value, count * sizeof *value);
	return row->counts != NULL;
}

static enum ws_status take_launch(void *context, struct hardware_row *row,
				  const struct ws_trace *trace, struct ws_err *err)
{
	const struct hardware_run *run = context;
	enum ws_status status;

	if (ws_hardware_kept(row, run->state)) /* of a row with the same key */
		return WS_OK;
	status = judge_row(run, row, trace, err);
	return status != WS_OK ? status
			       : ws_hardware_state_add(run->state, row->key,
						       &row->counts->requests,
						       hardware_numbers(row) * HARDWARE_COUNTS,
						       err);
}

/* Rows of one launch stay together: it is captured once for them. */
static bool in_part(const struct ws_hardware_options *o, const struct hardware_row *row)
{
	return !o->parts || row->launch_key % o->parts == o->part - 1;
}

enum ws_status ws_hardware_run(struct ws_hardware *h, const struct ws_hardware_options *o,
			       struct hardware_state *state, struct ws_err *err)
{
	struct hardware_run run = { .o = o, .state = state };
	bool *asked = ws_alloc(h->row_count, sizeof *asked);
	const struct hardware_pass pass = {
		.h = h, .o = o, .what = "judging launches", .asked = asked, .take = take_launch,
		.context = &run,
	};
	enum ws_status status = asked ? WS_OK : ws_fail_memory(err, "the launches");

	for (size_t i = 0; i < h->row_count && status == WS_OK; i++)
		asked[i] = !h->row[i].counts && in_part(o, &h->row[i]);
	if (status == WS_OK)
		status = ws_hardware_launches(&pass, err);
	h->computed = state->added;
	free(asked);
	return status;
}
