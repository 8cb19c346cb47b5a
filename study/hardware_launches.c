/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/hardware_launches.c -- rows of a data set on the traces of their launches.
 *
 * Rows are sorted by launch; a thread takes all rows of one launch.  Captures fork, and a child of
 * a process whose other threads run may find a lock held that nobody will release: so a few
 * launches are captured while no other thread is there, then taken side by side.
 */
#include "study/hardware_private.h"

#include <stdlib.h>
#include <string.h>

struct launch_group {		/* rows of one launch */
	size_t first, count;
	struct ws_trace *trace;	/* NULL: not captured */
};

#define CAPTURED_MAX 4u		/* launches at a time, for each thread */

struct launches_run {
	const struct hardware_pass *pass;
	size_t *order;		/* of rows, by launch, then key */
	struct launch_group *group;
	size_t groups, begun;	/* begun: those before the ones that are taken now */
	pthread_mutex_t lock;
	struct ws_progress progress;
	uint64_t done;
};

static struct hardware_row *row_at(const struct launches_run *run, size_t i)
{
	return &run->pass->h->row[run->order[i]];
}

/* ---- one launch --------------------------------------------------------------------- */

static enum ws_status capture_launch(const struct ws_hardware_options *o,
				     const struct hardware_row *row,
				     struct ws_trace **trace, struct ws_err *err)
{
	char *cache = o->keep ? ws_capture_cache() : NULL;
	const struct ws_capture_options options = {
		.threads = 1, .max_threads = row->m.cta_threads, .seconds = o->seconds,
		.cache = cache,
	};
	struct ws_program p = { 0 };
	enum ws_status status;

	status = ws_program_parse(&p, row->r.set->conf, row->launch.data, row->launch.len, err);
	if (status == WS_OK)
		status = ws_capture_trace(trace, &p, &options, err);
	if (status == WS_OK) /* the last one's rows are those that stay */
		status = ws_trace_part(*trace, err);
	ws_program_clear(&p);
	free(cache);
	return status;
}

/* What failed, with the row. */
static enum ws_status of_row(const struct hardware_row *row, const struct ws_err *why,
			     struct ws_err *err)
{
	return ws_fail(err, why->status, "%s:%zu: %s", row->r.table->path, ws_set_line(&row->r),
		       why->text);
}

/* What is wrong with the launch, whose lines are numbered as it was made: by those of set.conf. */
static enum ws_status of_launch(const struct hardware_row *row, const struct ws_err *why,
				struct ws_err *err)
{
	const char *conf = row->r.set->conf;
	size_t len = strlen(conf);
	uint64_t line;
	char *end;

	if (strncmp(why->text, conf, len) != 0 || why->text[len] != ':')
		return of_row(row, why, err);
	line = strtoull(why->text + len + 1, &end, 10);
	if (!line || *end != ':')
		return of_row(row, why, err);
	return ws_fail(err, why->status, "%s:%zu: %s:%zu%s", row->r.table->path,
		       ws_set_line(&row->r), conf, ws_set_launch_line(&row->r, (size_t)line), end);
}

static enum ws_status take_group(void *context, size_t i, unsigned thread, struct ws_err *err)
{
	struct launches_run *run = context;
	const struct hardware_pass *pass = run->pass;
	struct launch_group *g = &run->group[run->begun + i];
	struct ws_err why = { .status = WS_OK };
	enum ws_status status = WS_OK;

	(void)thread;
	for (size_t k = 0; k < g->count && status == WS_OK; k++) {
		struct hardware_row *row = row_at(run, g->first + k);

		if (pass->take(pass->context, row, g->trace, &why) != WS_OK)
			status = of_row(row, &why, err);
		pthread_mutex_lock(&run->lock);
		ws_progress_step(&run->progress, ++run->done);
		pthread_mutex_unlock(&run->lock);
	}
	ws_trace_close(g->trace);
	g->trace = NULL;
	return status;
}

/* The next launches: captured, then taken. */
static enum ws_status take_some(struct launches_run *run, size_t count, struct ws_err *err)
{
	struct ws_err why = { .status = WS_OK };
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < count && status == WS_OK; i++) {
		struct launch_group *g = &run->group[run->begun + i];
		const struct hardware_row *first = row_at(run, g->first);

		if (capture_launch(run->pass->o, first, &g->trace, &why) != WS_OK)
			status = of_launch(first, &why, err);
	}
	if (status == WS_OK)
		status = ws_parallel(run->pass->o->study->threads, count, take_group, run, err);
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

static size_t find_groups(struct launches_run *run)
{
	const struct ws_hardware *h = run->pass->h;
	size_t count = 0;

	for (size_t i = 0; i < h->row_count; i++)
		if (run->pass->asked[i])
			run->order[count++] = i;
	qsort_r(run->order, count, sizeof *run->order, by_launch, h->row);
	for (size_t i = 0; i < count; i++) {
		if (!i || compare_launches(row_at(run, i), row_at(run, i - 1)))
			run->group[run->groups++] = (struct launch_group){ .first = i };
		run->group[run->groups - 1].count++;
	}
	return count;
}

enum ws_status ws_hardware_launches(const struct hardware_pass *pass, struct ws_err *err)
{
	const struct ws_study_options *study = pass->o->study;
	struct launches_run run = {
		.pass = pass,
		.order = ws_alloc(pass->h->row_count + 1, sizeof *run.order),
		.group = ws_alloc(pass->h->row_count + 1, sizeof *run.group),
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	size_t most = CAPTURED_MAX * (size_t)ws_threads(study->threads), count;
	enum ws_status status = WS_OK;

	if (!run.order || !run.group) {
		free(run.order);
		free(run.group);
		return ws_fail_memory(err, "the launches");
	}
	count = find_groups(&run);
	if (count)
		status = ws_capture_load(err);
	ws_progress_begin(&run.progress, pass->what, count, !study->progress);
	while (status == WS_OK && run.begun < run.groups) {
		size_t left = run.groups - run.begun;

		status = take_some(&run, left < most ? left : most, err);
	}
	ws_progress_end(&run.progress);
	pthread_mutex_destroy(&run.lock);
	free(run.order);
	free(run.group);
	return status;
}
