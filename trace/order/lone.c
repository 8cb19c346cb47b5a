/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/lone.c -- launches of one thread, from a list of its accesses.
 *
 * There is one warp, so no order is to be found, and no program is built: what sm.h says of
 * it is done access by access.  Each op takes a cycle; a memory op waits until the load-store unit
 * is free; an op that needs data waits until it is back.  tests/trace/t-lone.c compares this with
 * the engine of many warps.
 *
 * If nobody reads the cycles, neither they nor the nominal memory are needed.
 *
 * Costs: the nominal memory's, and some 10 ns an access; memory for a batch.
 */
#include "trace/format/lone.h"
#include "trace/order/needs.h"

#include <stdlib.h>

#define BATCH 256u /* requests */

struct lone_form {		/* of a segment's access */
	struct ws_request request; /* what all its requests have in common */
	const struct ws_instruction *instruction; /* NULL: it has none */
	uint32_t bytes, tail;
};

struct lone_order {
	const struct ws_launch *launch;
	struct lone_form *form;	/* [segment] */
	struct ws_machine machine;
	uint64_t line, unit, sm; /* line, unit: size - 1 */
	bool untold;
	struct ws_memory *memory;
	const struct ws_sink *sink;
	struct ws_order_stats *stats;
	struct ws_request *batch;
	size_t count, room;	/* room: requests of one access at most */
	uint64_t cycle, end;	/* of the next op; of what has been issued */
	uint64_t unit_free;
	uint64_t owed;		/* other instructions to be issued first */
	struct ws_warp warp;	/* .at, .need */
	bool any;		/* has it ops? */
};

/* ---- time ---------------------------------------------------------------------------------- */

/* The next op needs data that is not there yet: it waits. */
static void await_data(struct lone_order *o)
{
	struct ws_warp *w = &o->warp;

	ws_needs_drop(w, o->cycle);
	while (w->needs && w->need[0].at <= w->at) {
		size_t last = 0;

		while (last + 1 < w->needs && w->need[last + 1].at <= w->at)
			last++;
		o->cycle = w->need[last].back;
		o->stats->waits++;
		ws_needs_drop(w, o->cycle);
	}
}

/* Other instructions, one a cycle. */
static void issue_others(struct lone_order *o)
{
	struct ws_warp *w = &o->warp;

	while (o->owed) {
		uint64_t run = o->owed;

		await_data(o);
		if (w->needs && w->need[0].at - w->at < run)
			run = w->need[0].at - w->at;
		w->at += run;
		o->owed -= run;
		o->cycle += run;
		o->stats->issued += run;
		o->end = o->end > o->cycle - 1 ? o->end : o->cycle - 1;
	}
}

static bool issue_access(struct lone_order *o, const struct ws_instruction *i, size_t count)
{
	const struct ws_request *r = o->batch + o->count - count;
	uint64_t back;

	o->cycle = o->cycle > o->unit_free ? o->cycle : o->unit_free;
	for (size_t k = 0; k < count; k++)
		o->batch[o->count - count + k].cycle = o->cycle + k;
	back = o->memory->access(o->memory, o->sm, r, count, o->cycle);
	o->unit_free = o->cycle + count;
	o->end = o->end > o->cycle ? o->end : o->cycle;
	o->stats->issued++;
	if (i->kind != WS_STORE) {
		o->end = o->end > back ? o->end : back;
		if (!ws_need_add(&o->warp, o->warp.at + (i->use ? i->use : 1), back))
			return false;
	}
	o->warp.at++;
	o->cycle++;
	return true;
}

/* ---- requests ------------------------------------------------------------------------------ */

static enum ws_status flush(struct lone_order *o, struct ws_err *err)
{
	size_t count = o->count;

	o->count = 0;
	return ws_sink_put(o->sink, &o->machine, o->sm, o->batch, count, err);
}

static struct lone_form form_of(const struct lone_order *o, const struct ws_segment *s)
{
	const struct ws_instruction *i = &o->launch->instruction[s->first];
	struct lone_form f = { .tail = s->tail };

	if (!s->count)
		return f;
	f.instruction = i;
	f.bytes = i->bytes;
	f.request.instruction = s->first;
	f.request.part = ws_l1_part(&o->machine, 0) & 0x1fu;
	ws_request_classify(&f.request, i->kind, i->past);
	return f;
}

static enum ws_status make_forms(struct lone_order *o, struct ws_err *err)
{
	const struct ws_launch *l = o->launch;

	o->form = ws_alloc(l->segments + 1, sizeof *o->form);
	if (!o->form)
		return ws_fail_memory(err, "the instructions of a trace");
	for (size_t i = 0; i < l->segments; i++)
		o->form[i] = form_of(o, &l->segment[i]);
	return WS_OK;
}

/* An access's requests into the batch; how many. */
static inline size_t put_requests(struct lone_order *o, const struct lone_form *f, uint64_t address)
{
	struct ws_request *r = o->batch + o->count;
	uint64_t end = address + f->bytes - 1, low, high;
	size_t count = 1;

	*r = f->request;
	if (((address ^ end) & ~o->unit) == 0) {
		low = (address & o->line) / WS_SECTOR_BYTES;
		high = (end & o->line) / WS_SECTOR_BYTES;
		r->address = address & ~o->line;
		r->sectors = (uint32_t)((2ull << high) - (1ull << low));
	} else {
		count = ws_coalesce(&o->machine, &address, 1, f->bytes, r);
		for (size_t k = 1; k < count; k++) {
			uint64_t line = r[k].address;
			uint32_t sectors = r[k].sectors;

			r[k] = f->request;
			r[k].address = line;
			r[k].sectors = sectors;
			r[k].follows = true;
		}
	}
	o->count += count;
	o->stats->warp_instructions++;
	o->stats->requests += count;
	return count;
}

static enum ws_status take_timed(struct lone_order *o, const struct lone_form *f, uint64_t address,
				 struct ws_err *err)
{
	if (f->instruction) {
		size_t count = put_requests(o, f, address);

		o->owed += f->instruction->gap;
		issue_others(o);
		await_data(o);
		if (!issue_access(o, f->instruction, count))
			return ws_fail_memory(err, "loads in flight");
	}
	o->owed += f->tail;
	return WS_OK;
}

static enum ws_status take_steps(struct lone_order *o, const struct ws_lone_steps *steps,
				 struct ws_err *err)
{
	enum ws_status status = WS_OK;

	o->any |= steps->count > 0;
	for (size_t i = 0; i < steps->count && status == WS_OK; i++) {
		const struct lone_form *f = &o->form[steps->segment[i]];

		if (o->count >= BATCH)
			status = flush(o, err);
		if (status != WS_OK)
			break;
		if (!o->untold)
			status = take_timed(o, f, steps->address[i], err);
		else if (f->instruction)
			put_requests(o, f, steps->address[i]);
	}
	return status;
}

/* ---- launches ------------------------------------------------------------------------------ */

bool ws_lone_ordered(const struct ws_trace *t, size_t launch, const struct ws_machine *m,
		     const struct ws_order_options *options, const struct ws_sink *sink)
{
	return ws_trace_lone(t, launch) && !ws_scheduler_rows[m->sm_scheduler]->drain &&
	       ws_needs_no_lanes(m) && sink && !sink->lanes && !(options && options->memory) &&
	       (!ws_machine_paces(m) || (options && options->untold));
}

/* The SM of the only CTA. */
static enum ws_status find_sm(struct lone_order *o, uint64_t seed, struct ws_err *err)
{
	struct ws_dispatch d;
	uint64_t cta;
	enum ws_status status = ws_dispatch_init(&d, o->launch, &o->machine, false, seed, err);

	while (status == WS_OK && o->sm + 1 < d.sms && !ws_dispatch_next(&d, o->sm, &cta))
		o->sm++;
	ws_dispatch_clear(&d);
	return status;
}

static enum ws_status begin(struct lone_order *o, const struct ws_machine *m, uint64_t seed,
			    struct ws_err *err)
{
	uint32_t bytes = 1;
	enum ws_status status = ws_launch_machine(o->launch, m, &o->machine, err);

	for (size_t i = 0; i < o->launch->instructions; i++)
		if (o->launch->instruction[i].bytes > bytes)
			bytes = o->launch->instruction[i].bytes;
	o->line = m->l1.line_bytes - 1;
	o->unit = (m->l1.line_bytes < m->coalesce_line ? m->l1.line_bytes : m->coalesce_line) - 1;
	o->room = WS_COALESCE_MAX(1, bytes);
	o->cycle = o->machine.sm_start_cycles;
	o->batch = ws_alloc(BATCH + o->room, sizeof *o->batch);
	if (status == WS_OK)
		status = ws_residency(o->launch, &o->machine, &o->stats->resident_ctas,
				      &o->stats->limit, err);
	if (status == WS_OK && !o->batch)
		status = ws_fail_memory(err, "a batch of requests");
	if (status == WS_OK)
		status = make_forms(o, err);
	if (status == WS_OK)
		status = find_sm(o, seed, err);
	if (status == WS_OK && !o->untold)
		status = ws_nominal_new(&o->memory, &o->machine, err);
	return status;
}

static enum ws_status run_list(struct lone_order *o, struct ws_lone_reader *list,
			       struct ws_err *err)
{
	const struct ws_lone_steps *steps;
	enum ws_status status;

	do {
		status = ws_lone_read(list, &steps, err);
		if (status == WS_OK)
			status = take_steps(o, steps, err);
	} while (steps->count && status == WS_OK);
	if (status == WS_OK && !o->untold)
		issue_others(o);
	return status == WS_OK ? flush(o, err) : status;
}

enum ws_status ws_lone_order(const struct ws_trace *t, size_t launch, const struct ws_machine *m,
			     const struct ws_order_options *options, const struct ws_sink *sink,
			     struct ws_order_stats *stats, struct ws_err *err)
{
	struct ws_order_stats own = { 0 };
	struct lone_order o = { .launch = ws_trace_launch(t, launch), .sink = sink, .stats = &own,
				.untold = options && options->untold };
	struct ws_lone_reader *list = NULL;
	enum ws_status status = begin(&o, m, options ? options->seed : 1, err);

	if (status == WS_OK)
		status = ws_lone_reader_new(&list, t, launch, err);
	if (status == WS_OK)
		status = run_list(&o, list, err);
	own.cycles = o.untold ? 0 : o.any ? o.end + 1 : 1;
	if (status == WS_OK && sink->progress)
		sink->progress(sink->context, 1);
	if (status == WS_OK && stats)
		*stats = own;
	if (o.memory)
		o.memory->free(o.memory);
	ws_lone_reader_free(list);
	free(o.warp.need);
	free(o.form);
	free(o.batch);
	return status;
}
