/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/sim/push.c -- the streams of a launch through a simulated cache.  Requests are cut for
 * its lines, and each SM's cache starts empty.
 *
 * One simulator stands for all SMs, one after the other.  Where L1s choose their policy together
 * (struct ws_policy, meet), what a meeting decides depends on all of them, so first as many
 * simulators as SMs run side by side, from meeting to meeting; what each has after a meeting is the
 * plan that the one simulator then follows.  An SM's random numbers begin anew with the launch:
 * they are the same both times.  The slices of an L2 are all in one simulator, and meet there.
 */
#include <stdlib.h>
#include <string.h>

#include "validate/sim/sim.h"

#define PIECE 4096u	/* requests that are cut at a time, at least */
#define PLAN_MOST ((size_t)1 << 27) /* words: 1 GiB */

struct meetings {			/* the plan of a launch */
	uint64_t *words;	/* [meeting][SM][each] */
	size_t count, cap, sms, each;
};

struct push {
	struct ws_sim *sim;
	const struct ws_streams *launch;
	struct ws_request *cut;	/* room for requests of another line */
	size_t cap;
	struct meetings plan;
	uint64_t turn;		/* of the stream at hand, the next meeting */
};

/* ---- lines --------------------------------------------------------------------------------- */

/* As many whole warp instructions as make a piece. */
static size_t piece(const struct ws_request *r, size_t count, bool whole)
{
	size_t n = whole || count < PIECE ? count : PIECE;

	while (n < count && r[n].follows)
		n++;
	return n;
}

/* The next requests from *at on as the cache's line has them. */
static enum ws_status cut(struct push *p, const struct ws_stream *s, size_t *at, bool whole,
			  const struct ws_request **out, size_t *count, struct ws_err *err)
{
	uint64_t line = ws_sim_line_bytes(p->sim), from = p->launch->line_bytes;
	size_t pieces = from > line ? (size_t)(from / line) : 1;
	const struct ws_request *r = s->request + *at;
	size_t n = s->count - *at;

	*out = r;
	*count = n;
	if (from != line) {
		n = piece(r, n, whole);
		if (!WS_ROOM(p->cut, p->cap, n * pieces))
			return ws_fail_memory(err, "requests of another line size");
		*out = p->cut;
		*count = ws_recut(p->launch->coalesce_line, from, line, r, n, p->cut);
	}
	*at += n;
	return WS_OK;
}

/* ---- meetings ------------------------------------------------------------------------------ */

static enum ws_status meet_slices(struct push *p, struct ws_err *err)
{
	const struct ws_use *use = ws_sim_use(p->sim);
	size_t caches;
	uint64_t *members = ws_sim_members(p->sim, &caches);
	uint64_t **shared = ws_alloc(caches, sizeof *shared);

	if (!shared)
		return ws_fail_memory(err, "the slices of an L2");
	for (size_t i = 0; i < caches; i++)
		shared[i] = members + i * use->policy->cache_words;
	use->policy->meet(use, p->turn++, shared, caches);
	free(shared);
	return WS_OK;
}

static enum ws_status next_meeting(struct push *p, size_t sm, struct ws_err *err)
{
	const struct meetings *plan = &p->plan;
	size_t caches;

	if (!plan->sms)
		return meet_slices(p, err);
	memcpy(ws_sim_members(p->sim, &caches),
	       plan->words + ((size_t)p->turn++ * plan->sms + sm) * plan->each,
	       plan->each * sizeof *plan->words);
	return WS_OK;
}

/* Requests that come before a cycle, from i on, in the order in which they are. */
static size_t before(const struct ws_request *r, size_t i, size_t count, uint64_t cycle)
{
	while (i < count && r[i].cycle < cycle)
		i++;
	return i;
}

static enum ws_status push_meeting(struct push *p, size_t sm, const struct ws_request *r,
				   size_t count, struct ws_err *err)
{
	const struct ws_use *use = ws_sim_use(p->sim);
	enum ws_status status = WS_OK;

	if (!use->policy->meet)
		return ws_sim_push(p->sim, r, count, err);
	for (size_t i = 0, end; i < count && status == WS_OK; i = end) {
		end = before(r, i, count, use->policy->meeting(use, p->turn));
		status = ws_sim_push(p->sim, r + i, end - i, err);
		if (end < count && status == WS_OK)
			status = next_meeting(p, sm, err);
	}
	return status;
}

/* ---- a stream ------------------------------------------------------------------------------ */

static enum ws_status push_stream(struct push *p, size_t sm, struct ws_err *err)
{
	const struct ws_stream *stream = &p->launch->sm[sm];
	const struct ws_request *r;
	enum ws_status status = WS_OK;
	size_t at = 0, count;

	if (!stream->count)
		return WS_OK;
	if (!p->launch->keeps)
		ws_sim_flush(p->sim);
	if (p->plan.sms)
		ws_sim_reseed(p->sim, sm);
	p->turn = 0;
	if (ws_sim_use(p->sim)->policy->meet) { /* what fills an L2 comes before all meetings */
		at = p->launch->warm;
		status = ws_sim_push(p->sim, stream->request, at, err);
	}
	while (at < stream->count && status == WS_OK) {
		status = cut(p, stream, &at, ws_sim_offline(p->sim), &r, &count, err);
		if (status == WS_OK)
			status = push_meeting(p, sm, r, count, err);
	}
	return status;
}

/* ---- the plan: all L1s side by side -------------------------------------------------------- */

struct side_by_side {
	struct ws_sim *sim;
	struct ws_stream stream; /* of its line */
	uint64_t *shared;
	size_t at;
};

static enum ws_status begin_side(struct push *p, size_t sm, struct side_by_side *side,
				 struct ws_err *err)
{
	const struct ws_stream *stream = &p->launch->sm[sm];
	const struct ws_request *r;
	size_t at = 0, count;
	enum ws_status status = ws_sim_another(&side->sim, p->sim, err);

	if (status != WS_OK)
		return status;
	ws_sim_reseed(side->sim, sm);
	side->shared = ws_sim_members(side->sim, &count);
	while (at < stream->count && status == WS_OK) {
		status = cut(p, stream, &at, false, &r, &count, err);
		if (status == WS_OK)
			status = ws_stream_add(&side->stream, r, count, err);
	}
	return status;
}

/* Up to meeting n.  *left: requests come later. */
static enum ws_status run_sides(struct side_by_side *side, size_t sms, uint64_t cycle, bool *left,
				struct ws_err *err)
{
	enum ws_status status = WS_OK;

	*left = false;
	for (size_t i = 0; i < sms && status == WS_OK; i++) {
		struct side_by_side *s = side + i;
		size_t end = before(s->stream.request, s->at, s->stream.count, cycle);

		if (end > s->at) /* an empty stream has no array */
			status = ws_sim_push(s->sim, s->stream.request + s->at, end - s->at, err);
		s->at = end;
		*left = *left || end < s->stream.count;
	}
	return status;
}

static enum ws_status note(struct meetings *plan, uint64_t *const *shared, struct ws_err *err)
{
	size_t row = plan->sms * plan->each;

	if ((plan->count + 1) * row > PLAN_MOST)
		return ws_fail(err, WS_EINVAL, "%zu caches choose their policy %zu times in a "
			       "launch, and more: want a longer period", plan->sms, plan->count);
	if (!WS_ROOM(plan->words, plan->cap, (plan->count + 1) * row))
		return ws_fail_memory(err, "what caches choose");
	for (size_t i = 0; i < plan->sms; i++)
		memcpy(plan->words + plan->count * row + i * plan->each, shared[i],
		       plan->each * sizeof **shared);
	plan->count++;
	return WS_OK;
}

static enum ws_status meet_sides(struct push *p, struct side_by_side *side, uint64_t **shared,
				 struct ws_err *err)
{
	const struct ws_use *use = ws_sim_use(p->sim);
	size_t sms = p->launch->sms;
	bool left = true;
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < sms && status == WS_OK; i++) {
		status = begin_side(p, i, &side[i], err);
		shared[i] = side[i].shared;
	}
	while (status == WS_OK) {
		uint64_t n = p->plan.count;

		status = run_sides(side, sms, use->policy->meeting(use, n), &left, err);
		if (status != WS_OK || !left)
			break;
		use->policy->meet(use, n, shared, sms);
		status = note(&p->plan, shared, err);
	}
	return status;
}

static enum ws_status make_plan(struct push *p, struct ws_err *err)
{
	size_t sms = p->launch->sms;
	struct side_by_side *side = ws_alloc_zero(sms + 1, sizeof *side);
	uint64_t **shared = ws_alloc_zero(sms + 1, sizeof *shared);
	enum ws_status status;

	p->plan.sms = sms;
	p->plan.each = ws_sim_use(p->sim)->policy->cache_words;
	status = side && shared ? meet_sides(p, side, shared, err)
				: ws_fail_memory(err, "the L1s of all SMs");
	for (size_t i = 0; side && i < sms; i++) {
		ws_sim_free(side[i].sim);
		free(side[i].stream.request);
	}
	free(side);
	free(shared);
	return status;
}

enum ws_status ws_sim_push_launch(struct ws_sim *sim, const struct ws_streams *launch,
				  ws_sm_pushed *pushed, void *context, struct ws_err *err)
{
	struct push p = { .sim = sim, .launch = launch };
	enum ws_status status = WS_OK;

	if (ws_sim_use(sim)->policy->meet && !ws_sim_slices(sim))
		status = make_plan(&p, err);
	for (size_t sm = 0; sm < launch->sms && status == WS_OK; sm++) {
		status = push_stream(&p, sm, err);
		if (status == WS_OK && pushed)
			status = pushed(context, sm, err);
	}
	free(p.cut);
	free(p.plan.words);
	return status;
}
