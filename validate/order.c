/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/order.c -- a trace's request streams in any order (enum ws_order), launch by launch.
 *
 * The cycle simulator's machine lives from launch to launch, as in ws_cycles_run, so that the
 * random numbers of its policies do; the result of a launch does not.
 */
#include <stdlib.h>

#include "validate/cycle/run.h"

struct ws_orderer {
	enum ws_order order;
	const struct ws_trace *trace;
	struct ws_machine machine;
	struct ws_order_options options;
	/* WS_ORDER_CYCLES: */
	struct ws_cycle_options simulation;
	struct ws_cycles *cycles;
	struct ws_sink sink;	/* of the launch at hand */
	uint64_t before;	/* CTAs of earlier launches */
};

static void step(void *context, uint64_t done, uint64_t total)
{
	const struct ws_orderer *o = context;

	(void)total;
	if (o->sink.progress)
		o->sink.progress(o->sink.context, done - o->before);
}

enum ws_status ws_orderer_new(struct ws_orderer **out, enum ws_order order,
			      const struct ws_trace *t, const struct ws_machine *m,
			      const struct ws_order_options *options, struct ws_err *err)
{
	struct ws_orderer *o = ws_alloc_zero(1, sizeof *o);
	enum ws_status status = WS_OK;

	*out = NULL;
	if (!o)
		return ws_fail_memory(err, "an order");
	o->order = order;
	o->trace = t;
	o->machine = *m;
	o->options = *options;
	o->simulation = (struct ws_cycle_options){
		.seed = options->seed, .threads = options->threads, .sink = &o->sink,
		.progress = step, .context = o,
	};
	if (order == WS_ORDER_CYCLES)
		status = ws_cycles_new(&o->cycles, t, &o->machine, &o->simulation, 0, err);
	if (status == WS_OK)
		*out = o;
	else
		ws_orderer_free(o);
	return status;
}

static enum ws_status simulate(struct ws_orderer *o, size_t launch, struct ws_order_stats *stats,
			       struct ws_err *err)
{
	const struct ws_launch *l = ws_trace_launch(o->trace, launch);
	struct ws_cycle_result r = { 0 };
	struct ws_cycle_counts l1[WS_KINDS + 1];
	struct ws_core_stats sum;
	enum ws_status status = ws_cycles_next(o->cycles, launch, &r, err);

	o->before += l->ctas;
	if (status == WS_OK) {
		ws_cycle_l1(&r, l1);
		ws_cycle_sm(&r, &sum);
		stats->cycles = r.cycles;
		stats->warp_instructions = sum.memory_instructions;
		stats->requests = l1[WS_KINDS].requests;
		stats->issued = sum.issued;
		stats->waits = sum.waits;
		status = ws_residency(l, &o->machine, &stats->resident_ctas, &stats->limit, err);
	}
	ws_cycle_result_clear(&r);
	return status;
}

enum ws_status ws_orderer_run(struct ws_orderer *o, size_t launch, const struct ws_sink *sink,
			      struct ws_order_stats *stats, struct ws_err *err)
{
	if (o->order == WS_ORDER_NOMINAL)
		return ws_order_run(o->trace, launch, &o->machine, &o->options, sink, stats, err);
	o->sink = *sink;
	return simulate(o, launch, stats, err);
}

void ws_orderer_free(struct ws_orderer *o)
{
	if (!o)
		return;
	ws_cycles_free(o->cycles);
	free(o);
}
