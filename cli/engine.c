/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/engine.c -- runs all configurations of a plan.
 *
 * Group by group, those of one stream together, and run by run within a group: prepare once,
 * then compute the group's configurations on all cores, a batch at a time.  A result waits until
 * all configurations before it are printed, so rows come in order whatever the
 * grouping and the threads; without ORDER or PROFILE keys among the varied ones, no more than a
 * batch ever waits.
 */
#include "cli/cli.h"

#include <pthread.h>
#include <stdlib.h>

#define BATCH 256u

struct queue {
	void **result;		/* by configuration; NULL: not yet, or printed */
	uint64_t printed;
	pthread_mutex_t lock;	/* of the progress */
	struct ws_progress progress; /* of configurations, each run counted */
};

struct batch {
	const struct cli_engine *e;
	struct queue *queue;
	uint64_t group, run, first;
};

static enum ws_status compute(void *context, size_t i, unsigned thread, struct ws_err *err)
{
	const struct batch *b = context;
	const struct cli_engine *e = b->e;
	uint64_t config = cli_plan_member(e->plan, e->depth, b->group, b->first + i);
	void **result = &b->queue->result[config];
	struct ws_machine m;
	enum ws_status status = cli_plan_machine(e->plan, config, &m, err);

	(void)thread;
	if (status != WS_OK)
		return status;
	if (!*result)
		*result = ws_alloc_zero(e->runs, e->size ? e->size : 1);
	if (!*result)
		return ws_fail_memory(err, "a row");
	status = e->compute(e->context, config, &m, (char *)*result + b->run * e->size, err);
	pthread_mutex_lock(&b->queue->lock);
	ws_progress_step(&b->queue->progress, b->queue->progress.done + 1);
	pthread_mutex_unlock(&b->queue->lock);
	return status;
}

static void drop(const struct cli_engine *e, void **result)
{
	for (uint64_t run = 0; *result && e->clear && run < e->runs; run++)
		e->clear(e->context, (char *)*result + run * e->size);
	free(*result);
	*result = NULL;
}

static enum ws_status print_ready(const struct cli_engine *e, struct queue *q, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	while (q->printed < e->plan->count && q->result[q->printed] && status == WS_OK) {
		struct ws_machine m;

		status = cli_plan_machine(e->plan, q->printed, &m, err);
		if (status == WS_OK)
			status = e->print(e->context, q->printed, &m, q->result[q->printed], err);
		drop(e, &q->result[q->printed++]);
	}
	return status;
}

static enum ws_status run_group(const struct cli_engine *e, struct queue *q, uint64_t group,
				uint64_t run, uint64_t members, struct ws_err *err)
{
	enum ws_status status = e->prepare(e->context, group, run, err);
	struct batch batch = { e, q, group, run, 0 };

	for (; batch.first < members && status == WS_OK; batch.first += BATCH) {
		uint64_t left = members - batch.first;

		status = ws_parallel((unsigned)e->call->options->threads,
				     left < BATCH ? (size_t)left : BATCH, compute, &batch, err);
		/* Before the last run a result is there, but not whole. */
		if (status == WS_OK && run + 1 == e->runs)
			status = print_ready(e, q, err);
	}
	return status;
}

/* The groups whose stream is that of a group of depth WS_STAGE_ORDER. */
static enum ws_status run_stream(const struct cli_engine *e, struct queue *q, uint64_t stream,
				 struct ws_err *err)
{
	struct cli_groups g = cli_plan_groups(e->plan, e->depth);
	enum ws_status status = WS_OK;

	for (uint64_t group = 0; group < g.groups && status == WS_OK; group++) {
		uint64_t first = cli_plan_member(e->plan, e->depth, group, 0);

		if (cli_plan_group_of(e->plan, WS_STAGE_ORDER, first) != stream)
			continue;
		for (uint64_t run = 0; run < e->runs && status == WS_OK; run++)
			status = run_group(e, q, group, run, g.members, err);
	}
	return status;
}

enum ws_status cli_engine_run(const struct cli_engine *e, struct ws_err *err)
{
	struct cli_groups streams = cli_plan_groups(e->plan, WS_STAGE_ORDER);
	struct queue q = { .result = ws_alloc_zero((size_t)e->plan->count, sizeof *q.result) };
	enum ws_status status = WS_OK;

	if (!q.result)
		return ws_fail_memory(err, "the rows");
	pthread_mutex_init(&q.lock, NULL);
	ws_progress_begin(&q.progress, "configurations", e->plan->count * e->runs,
			  e->call->options->quiet);
	for (uint64_t i = 0; i < streams.groups && status == WS_OK; i++)
		status = run_stream(e, &q, i, err);
	ws_progress_end(&q.progress);
	for (uint64_t i = q.printed; i < e->plan->count; i++)
		drop(e, &q.result[i]);
	pthread_mutex_destroy(&q.lock);
	free(q.result);
	return status;
}
