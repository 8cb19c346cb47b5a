/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/order.c -- a trace's request streams in any order (enum ws_order), launch by launch.
 *
 * The cycle simulator's machine lives from launch to launch, as in ws_cycles_run, so that the
 * random numbers of its policies do; the result of a launch does not.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

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
	struct ws_cycle_counts l1[WS_KINDS + 1], l2[WS_KINDS + 1]; /* of the launch run last */
};

static void report_progress(void *context, uint64_t done, uint64_t total)
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
		.progress = report_progress, .context = o,
	};
	if (order == WS_ORDER_CYCLES)
		status = ws_cycles_new(&o->cycles, t, &o->machine, &o->simulation, 0, err);
	if (status == WS_OK)
		*out = o;
	else
		ws_orderer_free(o);
	return status;
}

static enum ws_status simulate_launch(struct ws_orderer *o, size_t launch,
				      struct ws_order_stats *stats,
				      struct ws_err *err)
{
	const struct ws_launch *l = ws_trace_launch(o->trace, launch);
	struct ws_cycle_result r = { 0 };
	struct ws_core_stats sum;
	enum ws_status status = ws_cycles_next(o->cycles, launch, &r, err);

	o->before += l->ctas;
	if (status == WS_OK) {
		ws_cycle_l1(&r, o->l1);
		ws_cycle_l2(&r, o->l2);
		ws_cycle_sm(&r, &sum);
		stats->cycles = r.cycles;
		stats->warp_instructions = sum.memory_instructions;
		stats->requests = o->l1[WS_KINDS].requests;
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
	assert(launch < ws_trace_launches(o->trace));
	if (o->order == WS_ORDER_NOMINAL)
		return ws_order_run(o->trace, launch, &o->machine, &o->options, sink, stats, err);
	o->sink = *sink;
	return simulate_launch(o, launch, stats, err);
}

/* ---- of all SMs ------------------------------------------------------------------------- */

struct merging {
	struct ws_stream *sm;
	size_t *at;	/* [sm]: what is next */
	size_t sms;
};

static enum ws_status keep_requests(void *context, uint64_t sm, const struct ws_request *r,
				    size_t count,
				    struct ws_err *err)
{
	const struct merging *m = context;

	return ws_stream_add(&m->sm[sm], r, count, err);
}

/* The SM whose next warp instruction is the first; sms: none. */
static size_t first_of(const struct merging *m)
{
	size_t first = m->sms;
	uint64_t cycle = 0;

	for (size_t i = 0; i < m->sms; i++) {
		const struct ws_stream *s = &m->sm[i];

		if (m->at[i] == s->count || (first < m->sms && s->request[m->at[i]].cycle >= cycle))
			continue;
		first = i;
		cycle = s->request[m->at[i]].cycle;
	}
	return first;
}

static enum ws_status merge(struct merging *m, const struct ws_sink *sink, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i; status == WS_OK && (i = first_of(m)) < m->sms;) {
		const struct ws_stream *s = &m->sm[i];
		size_t from = m->at[i]++;

		assert(!s->request[from].follows);
		while (m->at[i] < s->count && s->request[m->at[i]].follows)
			m->at[i]++;
		status = sink->requests(sink->context, i, s->request + from, m->at[i] - from, err);
	}
	return status;
}

enum ws_status ws_orderer_merged(struct ws_orderer *o, size_t launch, const struct ws_sink *sink,
				 struct ws_order_stats *stats, struct ws_err *err)
{
	size_t sms = (size_t)ws_l1s(&o->machine);
	struct merging m = { ws_alloc_zero(sms, sizeof *m.sm), ws_alloc_zero(sms, sizeof *m.at),
			     sms };
	struct ws_sink all = { .context = &m, .requests = keep_requests, .progress = NULL };
	enum ws_status status = m.sm && m.at ? WS_OK : ws_fail_memory(err, "the SMs' streams");

	if (status == WS_OK)
		status = ws_orderer_run(o, launch, &all, stats, err);
	if (status == WS_OK)
		status = merge(&m, sink, err);
	for (size_t i = 0; m.sm && i < sms; i++)
		free(m.sm[i].request);
	free(m.sm);
	free(m.at);
	return status;
}

void ws_orderer_counts(const struct ws_orderer *o, struct ws_cycle_counts l1[WS_KINDS + 1],
		       struct ws_cycle_counts l2[WS_KINDS + 1])
{
	memcpy(l1, o->l1, sizeof o->l1);
	memcpy(l2, o->l2, sizeof o->l2);
}

void ws_orderer_free(struct ws_orderer *o)
{
	if (!o)
		return;
	ws_cycles_free(o->cycles);
	free(o);
}
