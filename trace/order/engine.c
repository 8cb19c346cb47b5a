/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/engine.c -- the SMs together.
 *
 * A heap orders the SMs by the cycle of their next event, then by number.  The first SM gets a new
 * CTA in each slot that is free, and runs:
 *
 * - with the nominal memory, which each SM has to itself, to the end of its next CTA: SMs share
 *   only the queue of CTAs, which is served in order of (cycle, SM);
 * - with a memory of the caller's, until another SM is first: its requests come in order of
 *   (cycle, SM), so SMs may share it.
 *
 * The result differs only by the memory's answers.
 */
#include "base/heap.h"
#include "trace/order/sm.h"

#include <stdlib.h>

struct engine {
	struct ws_run *run;
	struct ws_sm *sm;
	size_t sms;		/* those that get any CTA */
	struct ws_heap heap;	/* of SMs that are not at their end */
};

enum ws_status ws_sm_take(struct ws_sm *sm, uint64_t start, bool *taken, struct ws_err *err)
{
	struct ws_cta_program *program;
	enum ws_status status = ws_supply_take(&sm->run->supply, &sm->run->dispatch, sm->id,
					       &program, err);

	*taken = program != NULL;
	if (program)
		ws_sm_place(sm, program, start);
	return status;
}

enum ws_status ws_sms_fill(struct ws_sm *sm, size_t sms, struct ws_err *err)
{
	bool any = sms != 0;

	for (uint64_t round = 0; any && round < sm[0].run->resident; round++) {
		any = false;
		for (size_t i = 0; i < sms; i++) {
			bool taken;
			uint64_t start = sm[i].front ? round + 1 : 0;
			enum ws_status status = ws_sm_take(&sm[i], start, &taken, err);

			if (status != WS_OK)
				return status;
			any |= taken;
		}
	}
	return WS_OK;
}

static enum ws_status replace_ended(struct engine *e, size_t sm, struct ws_err *err)
{
	struct ws_cta_program *program;

	while ((program = ws_sm_remove(&e->sm[sm]))) {
		enum ws_status status;
		bool taken;

		ws_supply_give_back(&e->run->supply, program);
		e->run->done++;
		if (e->run->sink.progress)
			e->run->sink.progress(e->run->sink.context, e->run->done);
		status = ws_sm_take(&e->sm[sm], e->sm[sm].end + 1, &taken, err);
		if (status != WS_OK)
			return status;
	}
	return WS_OK;
}

/* Up to which cycle the first SM may run before another is first. */
static uint64_t limit(const struct engine *e)
{
	uint64_t next = WS_NEVER;
	const struct ws_heap_item *item = e->heap.item;

	if (!e->run->shared)
		return WS_NEVER;
	for (size_t i = 1; i < 3 && i < e->heap.count; i++) {
		uint64_t cycle = item[i].key;

		cycle -= item[0].id > item[i].id; /* a tie is the other's */
		next = cycle < next ? cycle : next;
	}
	return next;
}

static enum ws_status run_first(struct engine *e, struct ws_err *err)
{
	size_t first = e->heap.item[0].id;
	struct ws_sm *sm = &e->sm[first];
	enum ws_status status = replace_ended(e, first, err);

	if (status == WS_OK)
		status = ws_sm_run(sm, limit(e), err);
	if (status == WS_OK && ws_sm_next(sm) == WS_NEVER) {
		status = ws_outlet_flush(&sm->outlet, &e->run->sink, sm->id, err);
		ws_heap_pop(&e->heap);
	} else {
		ws_heap_change_top(&e->heap, ws_sm_next(sm));
	}
	return status;
}

static enum ws_status set_up(struct engine *e, struct ws_run *run, struct ws_err *err)
{
	uint64_t sms = run->dispatch.sms < run->dispatch.ctas ? run->dispatch.sms
							      : run->dispatch.ctas;

	*e = (struct engine){ .run = run, .sms = (size_t)sms };
	e->sm = ws_alloc_zero(e->sms, sizeof *e->sm);
	if (!e->sm || !ws_heap_room(&e->heap, e->sms))
		return ws_fail_memory(err, "the SMs");
	for (size_t i = 0; i < e->sms; i++) {
		enum ws_status status = ws_sm_init(&e->sm[i], run, i, err);

		if (status != WS_OK)
			return status;
		ws_heap_push(&e->heap, 0, i);
	}
	return ws_sms_fill(e->sm, e->sms, err);
}

enum ws_status ws_timed_run(struct ws_run *run, struct ws_err *err)
{
	struct engine e;
	enum ws_status status = set_up(&e, run, err);

	while (status == WS_OK && e.heap.count)
		status = run_first(&e, err);
	for (size_t i = 0; e.sm && i < e.sms; i++) {
		struct ws_sm *sm = &e.sm[i];

		run->stats.warp_instructions += sm->outlet.warp_instructions;
		run->stats.requests += sm->outlet.requests;
		run->stats.issued += sm->stats.issued;
		run->stats.waits += sm->waits;
		if (sm->end + 1 > run->stats.cycles)
			run->stats.cycles = sm->end + 1;
		if (sm->run)
			ws_sm_clear(sm);
	}
	free(e.sm);
	ws_heap_clear(&e.heap);
	return status;
}
