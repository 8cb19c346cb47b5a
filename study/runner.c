/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/runner.c -- runs all configurations of a plan.
 *
 * Groups of configurations are prepared once and then computed, several groups at a time if there
 * are several, else a batch of the only group's configurations on all cores, while the batch before
 * it is printed.  A result waits until all configurations before it are printed, so rows come in
 * order whatever the grouping and the threads; of one group no more than two batches ever wait.
 */
#include "base/pool.h"
#include "study/private.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 256u

struct waiting_result {		/* a configuration's results */
	struct ws_machine machine; /* its own */
	max_align_t of_runs[];
};

struct study_run {
	const struct ws_runner *r;
	unsigned slots;
	struct waiting_result **result; /* by configuration; NULL: not yet, or printed */
	bool *whole;		/* its last run is there */
	uint64_t printed;
	pthread_mutex_t lock;	/* of whole and the progress */
	pthread_mutex_t printing; /* of printed */
	struct ws_progress progress; /* of configurations, each run counted */
};

struct result_batch {
	struct study_run *run;
	unsigned slot;
	uint64_t group, number, first; /* of the run's number */
};

static enum ws_status compute_one(struct study_run *u, unsigned slot, unsigned thread,
				  uint64_t config, uint64_t number, struct ws_err *err)
{
	const struct ws_runner *r = u->r;
	struct waiting_result **result = &u->result[config];
	enum ws_status status = WS_OK;

	if (!*result && r->size <= (SIZE_MAX - sizeof **result) / r->runs) {
		*result = ws_alloc(1, sizeof **result + r->runs * r->size);
		if (*result) {
			memset((*result)->of_runs, 0, r->runs * r->size);
			status = ws_study_plan_machine(r->plan, config, &(*result)->machine, err);
		}
	}
	if (!*result)
		return ws_fail_memory(err, "a row");
	if (status == WS_OK)
		status = r->compute(r->context, slot, thread, config, &(*result)->machine,
				    (char *)(*result)->of_runs + number * r->size, err);
	pthread_mutex_lock(&u->lock);
	u->whole[config] = status == WS_OK && number + 1 == r->runs;
	ws_progress_step(&u->progress, u->progress.done + 1);
	pthread_mutex_unlock(&u->lock);
	return status;
}

static enum ws_status compute(void *context, size_t i, unsigned thread, struct ws_err *err)
{
	const struct result_batch *b = context;
	const struct ws_runner *r = b->run->r;

	return compute_one(b->run, b->slot, thread,
			   ws_partition_member(r->partition, b->group, b->first + i), b->number,
			   err);
}

static void drop(const struct ws_runner *r, struct waiting_result **result)
{
	for (uint64_t run = 0; *result && r->clear && run < r->runs; run++)
		r->clear(r->context, (char *)(*result)->of_runs + run * r->size);
	free(*result);
	*result = NULL;
}

static bool is_whole(struct study_run *u, uint64_t config)
{
	bool whole;

	pthread_mutex_lock(&u->lock);
	whole = config < u->r->plan->count && u->whole[config];
	pthread_mutex_unlock(&u->lock);
	return whole;
}

/* One thread at a time: the rows that nothing before them keeps waiting. */
static enum ws_status print_ready(struct study_run *u, struct ws_err *err)
{
	const struct ws_runner *r = u->r;
	enum ws_status status = WS_OK;

	pthread_mutex_lock(&u->printing);
	while (status == WS_OK && is_whole(u, u->printed)) {
		const struct waiting_result *w = u->result[u->printed];

		status = r->print(r->context, u->printed, &w->machine, w->of_runs, err);
		drop(r, &u->result[u->printed++]);
	}
	pthread_mutex_unlock(&u->printing);
	return status;
}

/* The group's configurations, those of a run; rows are printed behind the last run.  Two batches
 * have turns: one is computed, of the other the rows are printed. */
static enum ws_status run_batches(struct study_run *u, struct ws_pool *pool,
				  struct result_batch *batch, uint64_t members, struct ws_err *err)
{
	const struct ws_runner *r = u->r;
	bool last = batch->number + 1 == r->runs;
	enum ws_status status = WS_OK, printed = WS_OK;

	for (uint64_t first = 0; first < members && status == WS_OK; first += BATCH) {
		struct result_batch *b = &batch[first / BATCH % 2];

		if (r->options->cancelled && r->options->cancelled(r->options->context))
			return ws_fail(err, WS_EIO, "cancelled before the end");
		b->first = first;
		ws_pool_begin(pool, members - first < BATCH ? (size_t)(members - first) : BATCH,
			      compute, b);
		if (last)
			printed = print_ready(u, err);
		status = ws_pool_end(pool, printed == WS_OK ? err : NULL);
		status = printed != WS_OK ? printed : status;
	}
	return status == WS_OK && last ? print_ready(u, err) : status;
}

static enum ws_status run_group(struct study_run *u, unsigned slot, uint64_t group, uint64_t number,
				struct ws_err *err)
{
	const struct ws_runner *r = u->r;
	uint64_t members = ws_partition_members(r->partition, group, r->plan->count);
	struct result_batch batch[2] = { { u, slot, group, number, 0 },
					 { u, slot, group, number, 0 } };
	unsigned threads = ws_runner_threads(r->options, r->partition);
	struct ws_pool *pool = NULL;
	enum ws_status status = WS_OK;

	if (r->prepare)
		status = r->prepare(r->context, slot, group, number, err);
	if (status == WS_OK)
		status = ws_pool_new(&pool, threads < members ? threads : (unsigned)members, err);
	if (status == WS_OK)
		status = run_batches(u, pool, batch, members, err);
	ws_pool_free(pool);
	return status;
}

static enum ws_status work_group(void *context, size_t group, unsigned thread, struct ws_err *err)
{
	struct study_run *u = context;
	enum ws_status status = WS_OK;

	for (uint64_t number = 0; number < u->r->runs && status == WS_OK; number++)
		status = run_group(u, thread, group, number, err);
	return status;
}

unsigned ws_runner_slots(const struct ws_study_options *o, const struct ws_partition *p)
{
	uint64_t groups = ws_partition_groups(p);
	unsigned threads = ws_threads(o->threads);

	return groups < threads ? (unsigned)groups : threads;
}

unsigned ws_runner_threads(const struct ws_study_options *o, const struct ws_partition *p)
{
	return ws_runner_slots(o, p) > 1 ? 1 : ws_threads(o->threads);
}

enum ws_status ws_runner_run(const struct ws_runner *r, struct ws_err *err)
{
	size_t count = (size_t)r->plan->count;
	struct study_run u = {
		.r = r, .slots = ws_runner_slots(r->options, r->partition),
		.result = ws_alloc_zero(count, sizeof *u.result),
		.whole = ws_alloc_zero(count, sizeof *u.whole),
	};
	enum ws_status status = WS_OK;

	if (!u.result || !u.whole) {
		free(u.result);
		free(u.whole);
		return ws_fail_memory(err, "the rows");
	}
	pthread_mutex_init(&u.lock, NULL);
	pthread_mutex_init(&u.printing, NULL);
	ws_progress_begin(&u.progress, "configurations", r->plan->count * r->runs,
			  !r->options->progress);
	status = ws_parallel(u.slots, (size_t)ws_partition_groups(r->partition), work_group, &u,
			     err);
	ws_progress_end(&u.progress);
	for (uint64_t i = u.printed; i < r->plan->count; i++)
		drop(r, &u.result[i]);
	pthread_mutex_destroy(&u.lock);
	pthread_mutex_destroy(&u.printing);
	free(u.result);
	free(u.whole);
	return status;
}
