/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/run.c -- ws_order_run: checks a launch against the machine, then
 * runs it timed or untimed, with the trace's decoders as source of steps.
 */
#include "trace/order/sm.h"

#include <stdlib.h>

/* What the rest relies on; the reader of a trace has checked the same. */
static enum ws_status check(const struct ws_launch *launch, struct ws_err *err)
{
	for (size_t d = 0; d < 3; d++) {
		if (launch->block[d] < 1 || launch->block[d] > WS_CTA_THREADS_MAX)
			return ws_fail(err, WS_EINVAL, "kernel %s: a CTA of %llu threads along one "
				       "dimension, want 1..%u", launch->kernel,
				       (unsigned long long)launch->block[d], WS_CTA_THREADS_MAX);
	}
	if (ws_launch_threads(launch) > WS_CTA_THREADS_MAX)
		return ws_fail(err, WS_EINVAL, "kernel %s: a CTA of %llu threads, want at most %u",
			       launch->kernel, (unsigned long long)ws_launch_threads(launch),
			       WS_CTA_THREADS_MAX);
	if (launch->ctas > UINT32_MAX)
		return ws_fail(err, WS_EINVAL, "kernel %s: a grid of %llu CTAs, want at most %llu",
			       launch->kernel, (unsigned long long)launch->ctas,
			       (unsigned long long)UINT32_MAX);
	for (size_t i = 0; i < launch->instructions; i++) {
		if (launch->instruction[i].kind >= WS_KINDS ||
		    launch->instruction[i].bytes > WS_ACCESS_BYTES_MAX)
			return ws_fail(err, WS_EINVAL, "kernel %s: memory instruction %zu has kind %u "
				       "and %u bytes, want kind 0..%u and at most %u bytes",
				       launch->kernel, i, launch->instruction[i].kind,
				       launch->instruction[i].bytes, WS_KINDS - 1u,
				       WS_ACCESS_BYTES_MAX);
	}
	return WS_OK;
}

static enum ws_status set_up(struct ws_run *run, const struct ws_steps *steps,
			     const struct ws_order_options *options, bool untimed,
			     struct ws_err *err)
{
	const struct ws_launch *launch = run->plan.launch;
	const struct ws_machine *m = run->plan.machine;
	unsigned threads = ws_threads(options->threads);
	uint64_t share = (launch->ctas + m->sm_count - 1) / m->sm_count;
	enum ws_status status = WS_OK;

	if (untimed) {
		run->stats.resident_ctas = share;
		run->stats.limit = "none";
	} else {
		status = ws_residency(launch, m, &run->stats.resident_ctas, &run->stats.limit, err);
	}
	run->resident = run->stats.resident_ctas < share ? run->stats.resident_ctas : share;
	if (m->sm_assign == WS_ASSIGN_DYNAMIC) /* an SM that ends soon gets more than its share */
		run->resident = run->stats.resident_ctas < launch->ctas ? run->stats.resident_ctas
									: launch->ctas;
	if (threads > launch->ctas)
		threads = launch->ctas ? (unsigned)launch->ctas : 1;
	if (status == WS_OK)
		status = ws_dispatch_init(&run->dispatch, launch, m, untimed, options->seed, err);
	if (status == WS_OK)
		status = ws_supply_init(&run->supply, &run->plan, steps, threads, err);
	if (status == WS_OK && !untimed && !run->memory)
		status = ws_nominal_new(&run->memory, m, err);
	else if (status == WS_OK && run->memory && run->memory->flush)
		run->memory->flush(run->memory);
	return status;
}

enum ws_status ws_order_steps(const struct ws_launch *launch, const struct ws_steps *steps,
			      const struct ws_machine *m, const struct ws_order_options *options,
			      const struct ws_sink *sink, struct ws_order_stats *stats,
			      struct ws_err *err)
{
	static const struct ws_order_options plain = { .seed = 1 };
	bool untimed = ws_scheduler_rows[m->sm_scheduler]->drain != NULL;
	enum ws_status status = check(launch, err);
	struct ws_run run;
	uint64_t threads;

	if (status != WS_OK)
		return status;
	options = options ? options : &plain;
	threads = ws_launch_threads(launch);
	run = (struct ws_run){
		.plan = { .launch = launch, .machine = m, .threads = (size_t)threads,
			  .warps = (size_t)((threads + m->warp_width - 1) / m->warp_width),
			  .lanes = sink && sink->lanes },
		.memory = options->memory, .shared = options->memory != NULL,
		.seed = options->seed,
	};
	if (sink)
		run.sink = *sink;
	status = set_up(&run, steps, options, untimed, err);
	if (status == WS_OK)
		status = untimed ? ws_untimed_run(&run, err) : ws_timed_run(&run, err);
	ws_supply_clear(&run.supply);
	ws_dispatch_clear(&run.dispatch);
	if (run.memory && !options->memory)
		run.memory->free(run.memory);
	if (stats && status == WS_OK)
		*stats = run.stats;
	return status;
}

/* ---- steps of a trace ----------------------------------------------------------- */

struct reader {
	const struct ws_trace *trace;
	size_t launch;
	struct ws_decoder **decoder;	/* [thread], made when first needed */
};

static enum ws_status seek(void *context, unsigned thread, uint64_t cta, struct ws_err *err)
{
	struct reader *r = context;
	enum ws_status status = WS_OK;

	if (!r->decoder[thread])
		status = ws_decoder_new(&r->decoder[thread], r->trace, r->launch, err);
	return status == WS_OK ? ws_decoder_seek(r->decoder[thread], cta, err) : status;
}

static enum ws_status next(void *context, unsigned thread, struct ws_step *step, bool *more,
			   struct ws_err *err)
{
	struct reader *r = context;

	return ws_decoder_next(r->decoder[thread], step, more, err);
}

enum ws_status ws_order_run(const struct ws_trace *t, size_t launch, const struct ws_machine *m,
			    const struct ws_order_options *options, const struct ws_sink *sink,
			    struct ws_order_stats *stats, struct ws_err *err)
{
	unsigned threads = ws_threads(options ? options->threads : 0);
	struct reader reader = { t, launch, NULL };
	const struct ws_steps steps = { &reader, seek, next };
	enum ws_status status;

	if (launch >= ws_trace_launches(t))
		return ws_fail(err, WS_EINVAL, "launch %zu of %s, which has %zu (0 is the first)",
			       launch, ws_trace_name(t), ws_trace_launches(t));
	reader.decoder = ws_alloc_zero(threads, sizeof *reader.decoder);
	if (!reader.decoder)
		return ws_fail_memory(err, "decoders");
	status = ws_order_steps(ws_trace_launch(t, launch), &steps, m, options, sink, stats, err);
	for (unsigned i = 0; i < threads; i++)
		ws_decoder_free(reader.decoder[i]);
	free(reader.decoder);
	return status;
}
