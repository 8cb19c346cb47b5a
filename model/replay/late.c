/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/replay/late.c -- requests of a sample through a cache whose lines are allocated when their
 * data comes (l1.alloc = on-fill), each at its cycle: as the cycle simulator does
 * (validate/cycle/cycle.h).
 *
 * What is on its way takes no way, so more lines can be at hand than the cache has, and a line is
 * young when it comes, not when it was asked for.  A load of sectors that are all there or on
 * their way hits; of what is on its way it does not tell the policy, unless the line is there.
 *
 * In the order of a simulation of the same cache, every fetch takes as long as it took there; so of
 * all sets the hits are those of the simulation.
 */
#include "model/replay/parts.h"

/* Fetches whose data is there by then, in the order in which they came. */
static bool land(struct ws_replayed *p, const struct ws_replay_run *run, uint64_t cycle)
{
	bool ok = true;

	while (ok && p->due.count && p->due.item->key <= cycle) {
		size_t i = ws_heap_pop(&p->due);
		uint32_t line = p->r->item[run->item + i].line, set = p->r->set[run->line + line];
		struct ws_access access;
		struct ws_set view;

		if (p->fetch[i].past)
			continue;
		p->coming[line] &= ~p->fetch[i].sectors;
		if (p->at[line] == WS_REPLAY_NOWHERE) {
			view = ws_replayed_view(p, run, i, &access);
			view.clock = ++p->clock[set];
			ok = ws_replayed_take(p, &view, set, line);
		}
		p->sectors[line] |= p->fetch[i].sectors;
	}
	return ok;
}

static void begin_fetch(struct ws_replayed *p, const struct ws_replay_run *run, size_t i,
			uint32_t sectors, bool past)
{
	const struct ws_replay_time *t = p->r->time + run->item + i;
	uint64_t back = t->cycle + t->fetch;

	p->fetch[i] = (struct ws_late_fetch){ sectors, past };
	if (!past)
		p->coming[p->r->item[run->item + i].line] |= sectors;
	ws_heap_push(&p->due, back >= t->cycle ? back : UINT64_MAX, i);
}

/* True: it hits, or what it misses is on its way. */
static bool load(struct ws_replayed *p, const struct ws_replay_run *run, size_t i,
		 struct ws_set *view)
{
	const struct ws_replay_item *item = p->r->item + run->item + i;
	uint32_t missing = item->sectors & ~p->sectors[item->line];
	uint32_t fetch = missing & ~p->coming[item->line], way = p->at[item->line];
	bool there = way != WS_REPLAY_NOWHERE, past = false;

	if (fetch && !there)
		past = ws_replayed_bypassed(p, view);
	if (fetch)
		begin_fetch(p, run, i, fetch, past);
	if (there || past)
		p->clock[p->r->set[run->line + item->line]]++;
	if (there && p->policy->on_hit)
		p->policy->on_hit(view, way);
	return !fetch;
}

/* False: the policy is wrong. */
static bool store(struct ws_replayed *p, const struct ws_replay_run *run, size_t i,
		  struct ws_set *view)
{
	const struct ws_replay_item *item = p->r->item + run->item + i;
	uint32_t set = p->r->set[run->line + item->line], way = p->at[item->line];
	bool there = way != WS_REPLAY_NOWHERE;

	p->clock[set]++;
	if (p->store == WS_ACT_FETCH && !there) {
		if (ws_replayed_bypassed(p, view))
			return true;
		if (!ws_replayed_take(p, view, set, item->line))
			return false;
	} else if (there && p->store == WS_ACT_EVICT) {
		ws_replayed_evict(p, view, set, way);
	} else if (there && p->policy->on_hit) {
		p->policy->on_hit(view, way);
	}
	if (p->store == WS_ACT_FETCH)
		p->sectors[item->line] |= item->sectors;
	return true;
}

bool ws_replayed_late(struct ws_replayed *p, const struct ws_replay_run *run)
{
	bool ok = true;

	for (size_t i = 0; i < run->items && ok; i++) {
		const struct ws_replay_item *item = p->r->item + run->item + i;
		struct ws_access access;
		struct ws_set view;
		bool hit;

		if (!land(p, run, p->r->time[run->item + i].cycle))
			return false;
		p->clock[p->r->set[run->line + item->line]] += item->idle;
		view = ws_replayed_view(p, run, i, &access);
		view.clock++;
		hit = !(item->sectors & ~p->sectors[item->line]);
		if (item->kind == WS_STORE)
			ok = store(p, run, i, &view);
		else
			hit = load(p, run, i, &view);
		p->hits[run->item + i] += hit;
	}
	return ok;
}
