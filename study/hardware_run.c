/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/hardware_run.c -- the launches of a data set, on their machines.
 *
 * Rows are sorted by launch; a thread takes all rows of one launch.  What writes to files is done
 * by one thread at a time.  Captures fork, and a child of a process whose other threads run may
 * find a lock held that nobody will release: so a few launches are captured while no other thread
 * is there, then judged side by side.
 */
#include "study/hardware_private.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct launch_group {		/* rows of one launch */
	size_t first, count;
	struct ws_trace *trace;	/* NULL: not captured */
};

#define CAPTURED_MAX 4u		/* launches at a time, for each thread */

struct hardware_run {
	struct ws_hardware *h;
	const struct ws_hardware_options *o;
	struct hardware_state *state;
	size_t *order;		/* of rows, by launch, then key */
	struct launch_group *group;
	size_t groups, begun;	/* begun: those before the ones that are judged now */
	pthread_mutex_t lock;
	struct ws_progress progress;
	uint64_t done;
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

/* Adds "KEY=A,B,C" or "KEY=A" of each open key to the list; the text is on buf until it is
 * cleared. */
static bool add_keys(const struct ws_machine *m, bool all, struct ws_list *list, char *room)
{
	bool ok = true;

	for (size_t i = 0; ws_machine_alternatives(m, i, room, WS_ALTERNATIVES_MAX); i++) {
		for (char *bar; (bar = strchr(room, '|')) != NULL;)
			*bar = all ? ',' : '\0';
		ok = ok && ws_list_add(list, room);
		room += WS_ALTERNATIVES_MAX;
	}
	return ok;
}

#define OPEN_MAX 128u	/* open keys of a machine */

static enum ws_status judge_row(const struct hardware_run *run, struct hardware_row *row,
				const struct ws_trace *trace, struct ws_err *err)
{
	struct ws_study_options ask = *run->o->study;
	struct row_sink sink = { row, 0 };
	char *room = ws_alloc(OPEN_MAX, WS_ALTERNATIVES_MAX);
	struct ws_list set = { 0 }, vary = { 0 };
	bool ok = room && add_keys(&row->m, true, &vary, room);
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
	for (size_t i = 0; i < ask.set.count; i++)
		ok = ok && ws_list_add(&set, ask.set.item[i]);
	ok = ok && add_keys(&row->m, false, &set, room);
	ask.set = set;
	ask.vary = (struct ws_list){ 0 };
	ask.order = ws_order_names[WS_ORDER_NOMINAL];
	sink.first = row->configurations;
	if (status == WS_OK)
		status = ok ? check_row(&ask, trace, &sink, err) : ws_fail_memory(err, "a launch");
	ws_list_clear(&set);
	ws_list_clear(&vary);
	free(room);
	return status;
}

/* ---- one launch --------------------------------------------------------------------- */

static enum ws_status capture_launch(struct hardware_run *run, const struct hardware_row *row,
				     struct ws_trace **trace, struct ws_err *err)
{
	const struct ws_capture_options options = {
		.threads = 1, .max_threads = row->m.cta_threads, .seconds = run->o->seconds,
	};
	const char *base = row->r.set->base;
	size_t len = strlen(base) + 16;
	char *name = ws_alloc(len, 1);
	struct ws_program p = { 0 };
	enum ws_status status;

	if (!name)
		return ws_fail_memory(err, "a launch");
	snprintf(name, len, "%s/set.launch", base);
	status = ws_program_parse(&p, name, row->launch.data, row->launch.len, err);
	if (status == WS_OK)
		status = ws_capture_trace(trace, &p, &options, err);
	ws_program_clear(&p);
	free(name);
	return status;
}

/* What failed, with the row. */
static enum ws_status of_row(const struct hardware_row *row, const struct ws_err *why,
			     struct ws_err *err)
{
	return ws_fail(err, why->status, "%s:%zu: %s", row->r.table->path, ws_set_line(&row->r),
		       why->text);
}

static enum ws_status keep_row(struct hardware_run *run, const struct hardware_row *row,
			       struct ws_err *err)
{
	enum ws_status status;

	pthread_mutex_lock(&run->lock);
	status = ws_hardware_state_add(run->state, row, err);
	run->h->computed++;
	ws_progress_step(&run->progress, ++run->done);
	pthread_mutex_unlock(&run->lock);
	return status;
}

static enum ws_status copy_row(const struct hardware_row *from, struct hardware_row *row,
			       struct ws_err *err)
{
	size_t count = hardware_numbers(from);

	row->counts = ws_alloc(count, sizeof *row->counts);
	if (!row->counts)
		return ws_fail_memory(err, "a launch's results");
	memcpy(row->counts, from->counts, count * sizeof *row->counts);
	return WS_OK;
}

static enum ws_status judge_group(void *context, size_t i, unsigned thread, struct ws_err *err)
{
	struct hardware_run *run = context;
	struct launch_group *g = &run->group[run->begun + i];
	struct ws_err why = { .status = WS_OK };
	enum ws_status status = WS_OK;

	(void)thread;
	for (size_t k = 0; k < g->count && status == WS_OK; k++) {
		struct hardware_row *row = &run->h->row[run->order[g->first + k]];
		const struct hardware_row *before =
			k ? &run->h->row[run->order[g->first + k - 1]] : NULL;

		if (before && before->key == row->key) {
			status = copy_row(before, row, err);
			continue;
		}
		if (judge_row(run, row, g->trace, &why) != WS_OK)
			status = of_row(row, &why, err);
		else
			status = keep_row(run, row, err);
	}
	ws_trace_close(g->trace);
	g->trace = NULL;
	return status;
}

/* The next launches: captured, then judged. */
static enum ws_status judge_some(struct hardware_run *run, size_t count, struct ws_err *err)
{
	struct ws_err why = { .status = WS_OK };
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < count && status == WS_OK; i++) {
		struct launch_group *g = &run->group[run->begun + i];
		const struct hardware_row *first = &run->h->row[run->order[g->first]];

		if (capture_launch(run, first, &g->trace, &why) != WS_OK)
			status = of_row(first, &why, err);
	}
	if (status == WS_OK)
		status = ws_parallel(run->o->study->threads, count, judge_group, run, err);
	for (size_t i = 0; i < count; i++)
		ws_trace_close(run->group[run->begun + i].trace);
	run->begun += count;
	return status;
}

/* ---- all of them ---------------------------------------------------------------------- */

static int compare_launches(const struct hardware_row *a, const struct hardware_row *b)
{
	size_t least = a->launch.len < b->launch.len ? a->launch.len : b->launch.len;
	int order = memcmp(a->launch.data, b->launch.data, least);

	return order ? order : (a->launch.len > b->launch.len) - (a->launch.len < b->launch.len);
}

static int by_launch(const void *a, const void *b, void *context)
{
	const struct hardware_row *row = context;
	const struct hardware_row *x = &row[*(const size_t *)a], *y = &row[*(const size_t *)b];
	int order = compare_launches(x, y);

	if (!order)
		order = (x->key > y->key) - (x->key < y->key);
	return order ? order : (x > y) - (x < y);
}

static size_t find_groups(struct hardware_run *run)
{
	struct ws_hardware *h = run->h;
	size_t count = 0;

	for (size_t i = 0; i < h->row_count; i++)
		if (!h->row[i].counts)
			run->order[count++] = i;
	qsort_r(run->order, count, sizeof *run->order, by_launch, h->row);
	for (size_t i = 0; i < count; i++) {
		const struct hardware_row *row = &h->row[run->order[i]];

		if (!i || compare_launches(row, &h->row[run->order[i - 1]]))
			run->group[run->groups++] = (struct launch_group){ .first = i };
		run->group[run->groups - 1].count++;
	}
	return count;
}

enum ws_status ws_hardware_run(struct ws_hardware *h, const struct ws_hardware_options *o,
			       struct hardware_state *state, struct ws_err *err)
{
	struct hardware_run run = {
		.h = h, .o = o, .state = state,
		.order = ws_alloc(h->row_count + 1, sizeof *run.order),
		.group = ws_alloc(h->row_count + 1, sizeof *run.group),
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	size_t most = CAPTURED_MAX * (size_t)ws_threads(o->study->threads), count;
	enum ws_status status = WS_OK;

	if (!run.order || !run.group) {
		free(run.order);
		free(run.group);
		return ws_fail_memory(err, "the launches");
	}
	count = find_groups(&run);
	if (count && !ws_capture_available())
		status = ws_fail(err, WS_EINVAL, "%s", ws_capture_missing());
	ws_progress_begin(&run.progress, "judging launches", count, !o->study->progress);
	while (status == WS_OK && run.begun < run.groups) {
		size_t left = run.groups - run.begun;

		status = judge_some(&run, left < most ? left : most, err);
	}
	ws_progress_end(&run.progress);
	pthread_mutex_destroy(&run.lock);
	free(run.order);
	free(run.group);
	return status;
}
