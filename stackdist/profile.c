/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/profile.c -- a trace to a profile, and what a profile may hold.
 */
#include "stackdist/profile.h"

#include <inttypes.h>
#include <stdlib.h>

#define DEFAULT_SETS_MAX 4096u

void ws_profile_free(struct ws_profile *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->sections; i++) {
		struct ws_section *s = p->section + i;

		for (size_t j = 0; j < s->geometries; j++)
			for (unsigned kind = 0; kind < WS_KINDS; kind++) {
				free(s->geometry[j].kind[kind].distance);
				free(s->geometry[j].kind[kind].capacity);
			}
		free(s->geometry);
		free(s->kernel);
	}
	free(p->section);
	free(p);
}

const struct ws_geometry *ws_section_geometry(const struct ws_section *s, uint64_t sets)
{
	size_t low = 0, high = s->geometries;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s->geometry[mid].sets < sets)
			low = mid + 1;
		else
			high = mid;
	}
	return low < s->geometries && s->geometry[low].sets == sets ? s->geometry + low : NULL;
}

enum ws_status ws_profile_check_sets(const struct ws_machine *m, uint64_t sets,
				     struct ws_err *err)
{
	const struct ws_key *key = ws_key_find("l1.sets");
	struct ws_cache cache = m->l1;

	if (sets < key->min || sets > key->max)
		return ws_fail(err, WS_EINVAL, "%" PRIu64 " sets: expected %" PRIu64 " to %" PRIu64,
			       sets, key->min, key->max);
	if (sets == 1 || !cache.hash->check)
		return WS_OK;
	cache.sets = sets;
	cache.size_bytes = sets * cache.ways * cache.line_bytes;
	return cache.hash->check(&cache, err);
}

/* ---- a trace to a profile ---------------------------------------------------- */

struct job {
	struct ws_profiler *profiler;
	const struct ws_profile_options *options;
	uint64_t before, total;	/* CTAs of the launches before this one; of all */
};

static enum ws_status take_requests(void *context, uint64_t sm, const struct ws_request *r,
				    size_t count, struct ws_err *err)
{
	const struct job *job = context;

	return ws_profiler_push(job->profiler, sm, r, count, err);
}

static void take_progress(void *context, uint64_t ctas)
{
	const struct job *job = context;

	job->options->progress(job->options->context, job->before + ctas, job->total);
}

static enum ws_status one_launch(struct job *job, const struct ws_trace *t, size_t i,
				 const struct ws_machine *m, struct ws_err *err)
{
	const struct ws_launch *launch = ws_trace_launch(t, i);
	struct ws_order_options order = { job->options->seed, job->options->threads, NULL };
	struct ws_sink sink = { .context = job, .requests = take_requests,
				.progress = job->options->progress ? take_progress : NULL };
	struct ws_order_stats stats = { 0 };
	enum ws_status status = ws_profiler_launch(job->profiler, launch, err);

	if (!status)
		status = ws_order_run(t, i, m, &order, &sink, &stats, err);
	if (!status)
		status = ws_profiler_end(job->profiler, &stats, err);
	job->before += launch->ctas;
	return status;
}

static enum ws_status all_launches(struct ws_profile **out, struct job *job,
				   const struct ws_trace *t, const struct ws_machine *m,
				   struct ws_err *err)
{
	size_t launches = ws_trace_launches(t);
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < launches; i++)
		job->total += ws_trace_launch(t, i)->ctas;
	for (size_t i = 0; i < launches && !status; i++)
		status = one_launch(job, t, i, m, err);
	if (!status)
		status = ws_profiler_finish(job->profiler, out, err);
	if (!status)
		(*out)->seed = job->options->seed;
	return status;
}

enum ws_status ws_profile_trace(struct ws_profile **out, const struct ws_trace *t,
				const struct ws_machine *m,
				const struct ws_profile_options *options, struct ws_err *err)
{
	uint64_t all[16];
	struct job job = { .options = options };
	const uint64_t *sets = options->set_counts;
	size_t count = options->count;
	enum ws_status status;

	if (!sets) {
		sets = all;
		count = 0;
		all[count++] = m->l1.sets;
		for (uint64_t n = 1; n <= DEFAULT_SETS_MAX; n *= 2)
			if (!ws_profile_check_sets(m, n, NULL))
				all[count++] = n;
	}
	status = ws_profiler_new(&job.profiler, m, sets, count, options->threads, err);
	if (status)
		return status;
	status = all_launches(out, &job, t, m, err);
	ws_profiler_free(job.profiler);
	return status;
}
