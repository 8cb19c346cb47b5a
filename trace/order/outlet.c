/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/outlet.c -- gathers an SM's requests into batches for the sink:
 * a call per BATCH requests or so costs the receiver nothing.
 */
#include "trace/order/order.h"

#include <stdlib.h>

#define BATCH 1024u

enum ws_status ws_sink_put(const struct ws_sink *sink, const struct ws_machine *m, uint64_t sm,
			   const struct ws_request *r, size_t count, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t end = count;

	if (!sink->requests)
		return WS_OK;
	for (size_t first = 0; first < count && status == WS_OK; first = end) {
		unsigned part = r[first].part;

		for (end = m->l1_parts == 1 ? count : first + 1;
		     end < count && r[end].part == part;)
			end++;
		status = sink->requests(sink->context, sm * m->l1_parts + part, r + first,
					end - first, err);
	}
	return status;
}

enum ws_status ws_outlet_flush(struct ws_outlet *o, const struct ws_sink *sink, uint64_t sm,
			       struct ws_err *err)
{
	size_t count = o->count;

	o->count = 0;
	return ws_sink_put(sink, o->machine, sm, o->batch, count, err);
}

void ws_outlet_clear(struct ws_outlet *o)
{
	free(o->batch);
	*o = (struct ws_outlet){ 0 };
}

static enum ws_status make_room_in_batch(struct ws_outlet *o, const struct ws_sink *sink,
					 uint64_t sm, size_t count, struct ws_err *err)
{
	if (o->count + count > BATCH) {
		enum ws_status status = ws_outlet_flush(o, sink, sm, err);

		if (status != WS_OK)
			return status;
	}
	if (o->count + count <= o->cap)
		return WS_OK;
	if (!WS_ROOM(o->batch, o->cap, count < BATCH ? BATCH : count))
		return ws_fail_memory(err, "a batch of requests");
	return WS_OK;
}

enum ws_status ws_outlet_put(struct ws_outlet *o, const struct ws_sink *sink, uint64_t sm,
			     const struct ws_cta_program *p, uint32_t op, struct ws_asker by,
			     uint64_t cycle, const struct ws_request **out, struct ws_err *err)
{
	const struct ws_op *from = &p->op[op];
	enum ws_status status = make_room_in_batch(o, sink, sm, from->count, err);
	struct ws_request *to;

	if (status != WS_OK)
		return status;
	to = o->batch + o->count;
	for (size_t i = 0; i < from->count; i++) {
		to[i] = (struct ws_request){
			.address = p->address[from->first + i],
			.sectors = p->sectors[from->first + i],
			.cycle = cycle + i,
			.instruction = from->instruction,
			.cta = (uint32_t)p->cta,
			.warp = by.warp,
			.follows = i > 0,
			.part = by.part & 0x1fu,
		};
		ws_request_classify(&to[i], from->action, from->past);
	}
	o->count += from->count;
	o->requests += from->count;
	o->warp_instructions++;
	*out = to;
	return WS_OK;
}

enum ws_status ws_outlet_lanes(const struct ws_plan *plan, const struct ws_sink *sink, uint64_t sm,
			       const struct ws_cta_program *p, uint32_t op, size_t warp,
			       uint64_t cycle, struct ws_err *err)
{
	const struct ws_warp_access access = {
		.cycle = cycle,
		.cta = p->cta,
		.instruction = p->op[op].instruction,
		.warp = (uint32_t)warp,
		.mask = p->lane_mask[op],
		.address = p->lane_address + (size_t)op * (size_t)plan->machine->warp_width,
	};

	return sink->lanes(sink->context, sm, &access, err);
}
