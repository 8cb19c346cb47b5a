/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/trace.c -- a trace to a profile, in the nominal order.
 */
#include "stackdist/stackdist.h"

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
	struct ws_order_options order = { .seed = job->options->seed,
					  .threads = job->options->threads };
	struct ws_sink sink = { .context = job, .requests = take_requests,
				.progress = job->options->progress ? take_progress : NULL };
	struct ws_order_stats stats = { 0 };
	enum ws_status status = ws_profiler_launch(job->profiler, launch, err);

	if (status == WS_OK)
		status = ws_order_run(t, i, m, &order, &sink, &stats, err);
	if (status == WS_OK)
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
	for (size_t i = 0; i < launches && status == WS_OK; i++)
		status = one_launch(job, t, i, m, err);
	if (status == WS_OK)
		status = ws_profiler_finish(job->profiler, out, err);
	return status;
}

enum ws_status ws_profile_trace(struct ws_profile **out, const struct ws_trace *t,
				const struct ws_machine *m,
				const struct ws_profile_options *options, struct ws_err *err)
{
	struct job job = { .options = options };
	enum ws_status status = options->order == WS_ORDER_NOMINAL ? WS_OK
		: ws_fail(err, WS_EINVAL, "a trace is ordered by ws_order_run here: want order "
			  "%s, not %s",
			  ws_order_names[WS_ORDER_NOMINAL], ws_order_names[options->order]);

	if (status == WS_OK)
		status = ws_profiler_new(&job.profiler, m, options, err);
	if (status != WS_OK)
		return status;
	status = all_launches(out, &job, t, m, err);
	ws_profiler_free(job.profiler);
	return status;
}
