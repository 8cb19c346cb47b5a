/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/untimed.c -- the naive orders: no latencies, no residency limits.
 *
 *	sequential	the first warp that can go on, CTA by CTA, warp by warp,
 *			does so to its end or a barrier; so CTAs run one by one
 *	round-robin	every warp of the SM that can go on makes one memory
 *			instruction in turn
 *	random		a random one of those that can makes one
 *
 * A warp is at a barrier as soon as it has issued its last memory instruction before it.  A
 * request's cycle is its ordinal on its SM.  With warp.width = 1 these are the thread orders of
 * Crawford, "GPU L1 Cache Model for OpenCL Programs" (Edinburgh 2014), section 5.2, except that his
 * barriers stop all CTAs.
 *
 * Sequential needs memory for one CTA, the others for all of an SM.
 */
#include "trace/order/sm.h"

#include <stdlib.h>

struct thread {			/* a warp, or with width 1 a thread */
	struct ws_cta_program *program;
	uint32_t op, number;
	size_t first;		/* of its CTA, in the array */
	bool blocked;
};

struct untimed_sm {
	struct ws_run *run;
	uint64_t sm, ordinal;
	struct thread *thread;
	size_t threads, cap;
	size_t *list;		/* random: those that can go on */
	size_t listed, list_cap;
	struct ws_outlet outlet;
};

static inline enum ws_action action(const struct thread *t)
{
	return (enum ws_action)t->program->op[t->op].action;
}

/* Skips ops that only take time, up to a memory instruction, a barrier or the end. */
static void skip(struct thread *t)
{
	while (t->op != WS_NO_OP && action(t) == WS_DO_NOTHING)
		t->op = t->program->op[t->op].next;
	t->blocked = t->op != WS_NO_OP && action(t) == WS_DO_BARRIER;
}

/* Opens the CTA's barrier if all warps that have not ended wait at it, and then the next one if
 * they all reach it at once, and so on.  True if one was opened. */
static bool open_barrier(struct untimed_sm *c, size_t first)
{
	size_t warps = c->run->plan.warps;
	bool opened = false;

	for (;;) {
		bool any = false;

		for (size_t i = first; i < first + warps; i++) {
			if (c->thread[i].op != WS_NO_OP && !c->thread[i].blocked)
				return opened;
			any |= c->thread[i].blocked;
		}
		if (!any)
			return opened;
		opened = true;
		for (size_t i = first; i < first + warps; i++) {
			struct thread *t = &c->thread[i];

			if (!t->blocked)
				continue;
			t->op = t->program->op[t->op].next;
			skip(t);
		}
	}
}

/* Adds the SM's next CTA; *more false: there is none. */
static enum ws_status add_cta(struct untimed_sm *c, bool *more, struct ws_err *err)
{
	size_t warps = c->run->plan.warps, first = c->threads;
	struct ws_cta_program *program;
	enum ws_status status = ws_supply_take(&c->run->supply, &c->run->dispatch, c->sm, &program,
					       err);

	*more = program != NULL;
	if (status != WS_OK || !program)
		return status;
	if (!WS_ROOM(c->thread, c->cap, first + warps)) {
		ws_program_free(program);
		return ws_fail_memory(err, "the warps of an SM");
	}
	for (size_t k = 0; k < warps; k++) {
		c->thread[first + k] = (struct thread){ .program = program, .op = program->head[k],
						    .number = (uint32_t)k, .first = first };
		skip(&c->thread[first + k]);
	}
	c->threads += warps;
	open_barrier(c, first);
	return WS_OK;
}

/* One memory instruction. */
static enum ws_status issue(struct untimed_sm *c, struct thread *t, struct ws_err *err)
{
	struct ws_run *run = c->run;
	const struct ws_asker by = { (uint16_t)t->number,
				     ws_l1_part(&run->machine, (uint64_t)(t - c->thread)) };
	const struct ws_request *request;
	enum ws_status status;

	status = ws_outlet_put(&c->outlet, &run->sink, c->sm, t->program, t->op, by, c->ordinal,
			       &request, err);
	if (status == WS_OK && run->sink.lanes)
		status = ws_outlet_lanes(&run->plan, &run->sink, c->sm, t->program, t->op,
					 t->number, c->ordinal, err);
	c->ordinal += t->program->op[t->op].count;
	t->op = t->program->op[t->op].next;
	skip(t);
	return status;
}

static inline bool can_go(const struct thread *t)
{
	return t->op != WS_NO_OP && !t->blocked;
}

static void drop_ctas(struct untimed_sm *c)
{
	for (size_t i = 0; i < c->threads; i += c->run->plan.warps) {
		ws_supply_give_back(&c->run->supply, c->thread[i].program);
		c->run->done++;
		if (c->run->sink.progress)
			c->run->sink.progress(c->run->sink.context, c->run->done);
	}
	c->threads = 0;
}

static enum ws_status leave(struct untimed_sm *c, enum ws_status status, struct ws_err *err)
{
	struct ws_order_stats *stats = &c->run->stats;

	if (status == WS_OK)
		status = ws_outlet_flush(&c->outlet, &c->run->sink, c->sm, err);
	drop_ctas(c);
	stats->warp_instructions += c->outlet.warp_instructions;
	stats->requests += c->outlet.requests;
	if (c->ordinal > stats->cycles)
		stats->cycles = c->ordinal;
	ws_outlet_clear(&c->outlet);
	free(c->thread);
	free(c->list);
	return status;
}

/* ---- the orders ------------------------------------------------------------------ */

static enum ws_status drain_cta(struct untimed_sm *c, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	do { /* between barriers each warp has one go */
		for (size_t i = 0; i < c->threads; i++) {
			while (can_go(&c->thread[i]) && status == WS_OK)
				status = issue(c, &c->thread[i], err);
		}
	} while (status == WS_OK && open_barrier(c, 0));
	return status;
}

enum ws_status ws_drain_sequential(struct ws_run *run, uint64_t sm, struct ws_err *err)
{
	struct untimed_sm c = { .run = run, .sm = sm,
				 .outlet = { .machine = run->plan.machine } };
	enum ws_status status;
	bool more;

	while ((status = add_cta(&c, &more, err)) == WS_OK && more) {
		status = drain_cta(&c, err);
		if (status != WS_OK)
			break;
		drop_ctas(&c);
	}
	return leave(&c, status, err);
}

static enum ws_status add_all(struct untimed_sm *c, struct ws_err *err)
{
	enum ws_status status;
	bool more;

	do
		status = add_cta(c, &more, err);
	while (status == WS_OK && more);
	return status;
}

enum ws_status ws_drain_round_robin(struct ws_run *run, uint64_t sm, struct ws_err *err)
{
	struct untimed_sm c = { .run = run, .sm = sm,
				 .outlet = { .machine = run->plan.machine } };
	enum ws_status status = add_all(&c, err);
	size_t *live = ws_alloc(c.threads, sizeof *live), n = c.threads;

	if (status == WS_OK && !live)
		status = ws_fail_memory(err, "the warps of an SM");
	for (size_t i = 0; live && i < n; i++)
		live[i] = i;
	while (status == WS_OK && n) {
		size_t kept = 0;

		for (size_t i = 0; i < n && status == WS_OK; i++) {
			struct thread *t = &c.thread[live[i]];

			if (t->op == WS_NO_OP)
				continue;
			live[kept++] = live[i];
			if (t->blocked)
				continue;
			status = issue(&c, t, err);
			if (!can_go(t))
				open_barrier(&c, t->first);
		}
		n = kept;
	}
	free(live);
	return leave(&c, status, err);
}

static enum ws_status list(struct untimed_sm *c, size_t first, struct ws_err *err)
{
	if (!WS_ROOM(c->list, c->list_cap, c->listed + c->run->plan.warps))
		return ws_fail_memory(err, "the warps of an SM");
	for (size_t i = first; i < first + c->run->plan.warps; i++) {
		if (can_go(&c->thread[i]))
			c->list[c->listed++] = i;
	}
	return WS_OK;
}

enum ws_status ws_drain_random(struct ws_run *run, uint64_t sm, struct ws_err *err)
{
	struct untimed_sm c = { .run = run, .sm = sm,
				 .outlet = { .machine = run->plan.machine } };
	enum ws_status status = add_all(&c, err);
	struct ws_rng rng;

	ws_rng_seed(&rng, run->seed + sm);
	for (size_t i = 0; i < c.threads && status == WS_OK; i += run->plan.warps)
		status = list(&c, i, err);
	while (status == WS_OK && c.listed) {
		size_t at = (size_t)ws_rng_below(&rng, c.listed);
		struct thread *t = &c.thread[c.list[at]];

		status = issue(&c, t, err);
		if (can_go(t))
			continue;
		c.list[at] = c.list[--c.listed];
		if (open_barrier(&c, t->first) && status == WS_OK)
			status = list(&c, t->first, err);
	}
	return leave(&c, status, err);
}
