/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/run.c -- ws_order_run: checks a launch against the machine, then
 * runs it timed or untimed, with the trace's decoders as source of steps.
 */
#include "trace/order/sm.h"

#include <inttypes.h>
#include <stdlib.h>

/* Preconditions of all below; the reader of a trace has checked them too. */
static enum ws_status check_launch(const struct ws_launch *launch, struct ws_err *err)
{
	for (size_t d = 0; d < 3; d++) {
		if (launch->block[d] < 1 || launch->block[d] > WS_CTA_THREADS_MAX)
			return ws_fail(err, WS_EINVAL, "kernel %s: a CTA of %" PRIu64 " threads "
				       "along one dimension, want 1..%u", launch->kernel,
				       launch->block[d], WS_CTA_THREADS_MAX);
	}
	if (ws_launch_threads(launch) > WS_CTA_THREADS_MAX)
		return ws_fail(err, WS_EINVAL, "kernel %s: a CTA of %" PRIu64 " threads, "
			       "want at most %u", launch->kernel, ws_launch_threads(launch),
			       WS_CTA_THREADS_MAX);
	if (launch->ctas > UINT32_MAX)
		return ws_fail(err, WS_EINVAL, "kernel %s: a grid of %" PRIu64 " CTAs, "
			       "want at most %u", launch->kernel, launch->ctas, UINT32_MAX);
	for (size_t i = 0; i < launch->instructions; i++) {
		if (launch->instruction[i].kind >= WS_KINDS ||
		    launch->instruction[i].bytes > WS_ACCESS_BYTES_MAX)
			return ws_fail(err, WS_EINVAL, "kernel %s: memory instruction %zu has "
				       "kind %u and %u bytes, want kind 0..%u and at most %u bytes",
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
	if (status == WS_OK)
		status = ws_code_init(&run->code, launch, NULL, 0, m, err);
	if (status == WS_OK && !untimed && !run->memory && !run->asynchronous)
		status = ws_nominal_new(&run->memory, m, err);
	else if (status == WS_OK && run->memory && run->memory->flush)
		run->memory->flush(run->memory);
	return status;
}

enum ws_status ws_run_init(struct ws_run *run, const struct ws_launch *launch,
			   const struct ws_steps *steps, const struct ws_machine *m,
			   const struct ws_order_options *options, const struct ws_sink *sink,
			   bool asynchronous, struct ws_err *err)
{
	bool untimed = ws_scheduler_rows[m->sm_scheduler]->drain != NULL;
	enum ws_status status = check_launch(launch, err);
	size_t rows = m->sm_large_warp ? (size_t)m->sm_large_warp : 1;
	uint64_t threads, wide = m->warp_width * rows;

	*run = (struct ws_run){ 0 };
	if (status == WS_OK && sink && sink->lanes && rows > 1)
		status = ws_fail(err, WS_EINVAL, "sm.large-warp = %zu: lanes of sub-warps are not "
				 "those of a warp, as is wanted here: want 1", rows);
	if (status == WS_OK && asynchronous && untimed)
		status = ws_fail(err, WS_EINVAL, "sm.scheduler = %s ignores time: want a timed "
				 "one, lrr, gto or two-level",
					 ws_scheduler_rows[m->sm_scheduler]->name);
	if (status == WS_OK)
		status = ws_launch_machine(launch, m, &run->machine, err);
	if (status != WS_OK)
		return status;
	threads = ws_launch_threads(launch);
	*run = (struct ws_run){
		.machine = run->machine,
		.plan = { .launch = launch, .machine = &run->machine, .threads = (size_t)threads,
			  .warps = (size_t)((threads + wide - 1) / wide), .rows = rows,
			  .lanes = sink && sink->lanes,
			  .paced = !untimed && ws_machine_paces(m),
			  .coded = asynchronous && ws_launch_has_pipeline(launch, m),
			  .written = asynchronous && m->profile == WS_BEHAVES_GPGPUSIM },
		.memory = options->memory, .shared = options->memory != NULL,
		.asynchronous = asynchronous, .seed = options->seed,
	};
	if (sink)
		run->sink = *sink;
	return set_up(run, steps, options, untimed, err);
}

void ws_run_clear(struct ws_run *run, const struct ws_order_options *options)
{
	ws_supply_clear(&run->supply);
	ws_dispatch_clear(&run->dispatch);
	ws_code_clear(&run->code);
	if (run->memory && !options->memory)
		run->memory->free(run->memory);
}

static enum ws_status run_untimed(struct ws_run *run, struct ws_err *err)
{
	const struct ws_scheduler_row *row = ws_scheduler_rows[run->plan.machine->sm_scheduler];
	enum ws_status status = WS_OK;

	for (uint64_t sm = 0; sm < run->dispatch.sms && status == WS_OK; sm++)
		status = row->drain(run, sm, err);
	return status;
}

enum ws_status ws_order_steps(const struct ws_launch *launch, const struct ws_steps *steps,
			      const struct ws_machine *m, const struct ws_order_options *options,
			      const struct ws_sink *sink, struct ws_order_stats *stats,
			      struct ws_err *err)
{
	static const struct ws_order_options plain = { .seed = 1 };
	enum ws_status status;
	struct ws_run run;

	options = options ? options : &plain;
	status = ws_run_init(&run, launch, steps, m, options, sink, false, err);
	if (status == WS_OK)
		status = ws_scheduler_rows[m->sm_scheduler]->drain ? run_untimed(&run, err)
								   : ws_timed_run(&run, err);
	ws_run_clear(&run, options);
	if (stats && status == WS_OK)
		*stats = run.stats;
	return status;
}

/* ---- steps of a trace ----------------------------------------------------------- */

struct ws_launch_steps {
	const struct ws_trace *trace;
	size_t launch;
	unsigned threads;
	bool planes;
	struct ws_decoder **decoder;	/* [thread], made when first needed */
};

static enum ws_status seek(void *context, unsigned thread, uint64_t cta, struct ws_err *err)
{
	struct ws_launch_steps *r = context;
	enum ws_status status = WS_OK;

	if (!r->decoder[thread])
		status = ws_decoder_new(&r->decoder[thread], r->trace, r->launch, err);
	if (status == WS_OK && r->planes)
		status = ws_decoder_planes(r->decoder[thread], err);
	return status == WS_OK ? ws_decoder_seek(r->decoder[thread], cta, err) : status;
}

static enum ws_status next_step(void *context, unsigned thread, struct ws_step *step, bool *more,
				struct ws_err *err)
{
	struct ws_launch_steps *r = context;

	return ws_decoder_next(r->decoder[thread], step, more, err);
}

void ws_launch_steps_free(struct ws_launch_steps *r)
{
	if (!r)
		return;
	for (unsigned i = 0; r->decoder && i < r->threads; i++)
		ws_decoder_free(r->decoder[i]);
	free(r->decoder);
	free(r);
}

enum ws_status ws_launch_steps_new(struct ws_launch_steps **out, const struct ws_trace *t,
				   size_t launch, unsigned threads, bool planes,
					   struct ws_steps *steps,
				   struct ws_err *err)
{
	struct ws_launch_steps *r;

	*out = NULL;
	if (launch >= ws_trace_launches(t))
		return ws_fail(err, WS_EINVAL, "launch %zu of %s, which has %zu (0 is the first)",
			       launch, ws_trace_name(t), ws_trace_launches(t));
	r = ws_alloc_zero(1, sizeof *r);
	if (!r)
		return ws_fail_memory(err, "decoders");
	*r = (struct ws_launch_steps){ .trace = t, .launch = launch, .planes = planes,
				       .threads = ws_threads(threads) };
	r->decoder = ws_alloc_zero(r->threads, sizeof *r->decoder);
	if (!r->decoder) {
		ws_launch_steps_free(r);
		return ws_fail_memory(err, "decoders");
	}
	*steps = (struct ws_steps){ r, seek, next_step };
	*out = r;
	return WS_OK;
}

enum ws_status ws_order_run(const struct ws_trace *t, size_t launch, const struct ws_machine *m,
			    const struct ws_order_options *options, const struct ws_sink *sink,
			    struct ws_order_stats *stats, struct ws_err *err)
{
	struct ws_launch_steps *reader;
	struct ws_steps steps;
	enum ws_status status;

	if (ws_lone_ordered(t, launch, m, options, sink))
		return ws_lone_order(t, launch, m, options, sink, stats, err);
	status = ws_launch_steps_new(&reader, t, launch, options ? options->threads : 0,
				     (!sink || !sink->lanes) && ws_needs_no_lanes(m), &steps, err);
	if (status != WS_OK)
		return status;
	status = ws_order_steps(ws_trace_launch(t, launch), &steps, m, options, sink, stats, err);
	ws_launch_steps_free(reader);
	return status;
}
