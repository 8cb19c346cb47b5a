/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/ordered.c -- the order engine run for a writer: see ordered.h.
 *
 * A memory of the caller's keeps SMs in step (order/engine.c): what it is asked comes in order of
 * (cycle, SM).  So the nominal memory is made here instead of there, within one that passes on
 * what it is asked; the answers are the same, hence the cycles.  Lanes come in the same order, but
 * take the engine 8 bytes for each lane of a warp, active or not.  The naive orders ask no
 * memory; their requests come through the sink, SM after SM.
 */
#include "trace/import/ordered.h"
#include "trace/order/sm.h"

#include <stdlib.h>

struct import_ordering {
	struct ws_memory memory;	/* what the engine sees of it; first */
	struct ws_memory *nominal;
	const struct ws_ordered *to;
	const struct ws_launch *launch;
	uint64_t coalesced, own, line;	/* bytes of coalesce.line, of the machine's and of l1's
					 * lines */
	struct ws_request *piece;	/* requests cut or merged */
	size_t cap;
	uint64_t parts;			/* L1s of an SM */
	uint64_t start;			/* cycles of the launches before */
	enum ws_status status;		/* of what was passed on */
	struct ws_err err;
};

/* The requests of warp instructions as those of l1's lines: r itself, or cut. */
static const struct ws_request *cut_requests(struct import_ordering *o, const struct ws_request *r,
					     size_t *count)
{
	size_t most = *count * (size_t)(o->own > o->line ? o->own / o->line : 1);

	if (o->own == o->line)
		return r;
	if (!WS_ROOM(o->piece, o->cap, most)) {
		o->status = ws_fail_memory(&o->err, "the requests of a warp");
		return NULL;
	}
	*count = ws_recut(o->coalesced, o->own, o->line, r, *count, o->piece);
	return o->piece;
}

static void pass_on(struct import_ordering *o, uint64_t l1, const struct ws_request *r,
		    size_t count)
{
	if (o->status == WS_OK)
		r = cut_requests(o, r, &count);
	for (size_t i = 0; i < count && o->status == WS_OK; i++) {
		struct ws_request one = r[i];

		one.cycle += o->start;
		o->status = o->to->request(o->to->context, l1, &one, &o->err);
	}
}

static uint64_t access_memory(struct ws_memory *self, uint64_t sm, const struct ws_request *r,
			      size_t count, uint64_t cycle)
{
	struct import_ordering *o = (struct import_ordering *)self;

	if (o->to->request && count)
		pass_on(o, sm * o->parts + r->part, r, count);
	return o->nominal->access(o->nominal, sm, r, count, cycle);
}

static void flush_memory(struct ws_memory *self)
{
	struct import_ordering *o = (struct import_ordering *)self;

	o->nominal->flush(o->nominal);
}

static enum ws_status take_requests(void *context, uint64_t l1, const struct ws_request *r,
				    size_t count, struct ws_err *err)
{
	struct import_ordering *o = context;

	pass_on(o, l1, r, count);
	return o->status == WS_OK ? WS_OK : ws_fail_as(err, &o->err);
}

static enum ws_status take_lanes(void *context, uint64_t sm, const struct ws_warp_access *a,
				 struct ws_err *err)
{
	const struct import_ordering *o = context;

	(void)sm;
	return o->to->lanes(o->to->context, o->launch, a, err);
}

static enum ws_status run_nominal(struct import_ordering *o, const struct ws_trace *t,
				  size_t number, const struct ws_machine *m,
				  struct ws_order_stats *stats, struct ws_err *err)
{
	bool timed = !ws_scheduler_rows[m->sm_scheduler]->drain;
	struct ws_sink sink = { .context = o, .lanes = o->to->lanes ? take_lanes : NULL,
				.requests = !timed && o->to->request ? take_requests : NULL };
	struct ws_order_options options = { .seed = 1, .memory = &o->memory };
	struct ws_machine narrow = *m;

	/* One CTA of fewer lanes than a warp has: the same order, and less memory. */
	if (o->launch->ctas == 1 && ws_launch_threads(o->launch) < m->warp_width)
		narrow.warp_width = ws_launch_threads(o->launch);
	return ws_order_run(t, number, &narrow, &options, &sink, stats, err);
}

static enum ws_status run_launch(struct import_ordering *o, const struct ws_trace *t, size_t number,
				 const struct ws_writing *how, struct ws_err *err)
{
	struct ws_sink sink = { .context = o, .requests = take_requests };
	struct ws_order_stats stats = { 0 };
	enum ws_status status = WS_OK;

	o->launch = ws_trace_launch(t, number);
	if (o->to->launch)
		status = o->to->launch(o->to->context, o->launch, number, err);
	if (status == WS_OK && how->run && !o->to->lanes)
		status = how->run(how->context, number, &sink, &stats, err);
	else if (status == WS_OK)
		status = run_nominal(o, t, number, how->machine, &stats, err);
	if (status == WS_OK && o->status != WS_OK)
		status = ws_fail_as(err, &o->err);
	o->start += stats.cycles;
	return status;
}

enum ws_status ws_ordered_run(const struct ws_trace *t, const struct ws_writing *how,
			      const struct ws_ordered *to, struct ws_err *err)
{
	const struct ws_machine *m = how->machine;
	struct import_ordering o = { .memory = { access_memory, flush_memory, NULL }, .to = to,
			      .coalesced = m->coalesce_line, .own = m->l1.line_bytes,
			      .line = how->l1->line_bytes, .parts = m->l1_parts };
	enum ws_status status = ws_nominal_new(&o.nominal, m, err);

	if (status != WS_OK)
		return status;
	for (size_t i = 0; i < ws_trace_launches(t) && status == WS_OK; i++)
		status = run_launch(&o, t, i, how, err);
	o.nominal->free(o.nominal);
	free(o.piece);
	return status;
}

bool ws_ordered_part(const struct ws_cache *l1, const struct ws_request *r, uint64_t *at,
		     uint64_t *first)
{
	uint64_t grain = l1->sector_bytes < l1->line_bytes ? l1->sector_bytes : l1->line_bytes;

	while (*at < l1->line_bytes && !(r->sectors >> *at / WS_SECTOR_BYTES & 1))
		*at += WS_SECTOR_BYTES;
	if (*at >= l1->line_bytes)
		return false;
	*first = r->address + *at;
	*at = (*at / grain + 1) * grain;
	return true;
}
