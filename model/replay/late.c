/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/replay/late.c -- replays a sample's requests at their cycles.  Fetches take as long as in
 * the simulation that the order comes from (validate/cycle/cycle.h).  This file has caches that
 * allocate a way on a fill; reserve.c those that allocate on a miss.
 *
 * A line in flight takes no way.  So more lines can hit than the cache has ways, and a line is
 * young when it arrives, not when it is requested.  A load hits if all its sectors are valid or in
 * flight.  The policy learns of a hit only if the line is valid.
 *
 * In the order of a simulation of the same cache, every fetch takes as long as it did there.  So
 * with all sets, the hits are those of the simulation.
 */
#include "model/replay/parts.h"

/* Ends the fetch that an item began; false: the policy names no way. */
static bool fill(struct ws_replayed *p, const struct ws_replay_run *run, size_t i)
{
	uint32_t number = p->r->item[run->item + i].line;
	struct ws_replay_line *line = p->line + number;
	struct ws_set *view;
	bool ok = true;

	if (p->fetch[i].past)
		return true;
	p->coming[number] &= ~p->fetch[i].sectors;
	if (line->way == WS_REPLAY_NOWHERE) {
		view = ws_replayed_view(p, run, i);
		view->clock = ++p->clock[line->set];
		ok = ws_replayed_take(p, view, line->set, number);
	}
	line->sectors |= p->fetch[i].sectors;
	return ok;
}

/* Ends the fetches whose data has arrived by a cycle, in order of arrival. */
static bool end_fetches(struct ws_replayed *p, const struct ws_replay_run *run, uint64_t cycle)
{
	bool ok = true;

	while (ok && p->due.count && p->due.item->key <= cycle) {
		size_t i = ws_heap_pop(&p->due);

		if (p->reserves)
			ws_reserved_end(p, run, i);
		else
			ok = fill(p, run, i);
	}
	return ok;
}

static bool load(struct ws_replayed *p, const struct ws_replay_run *run, size_t i,
		 struct ws_set *view, bool *hit)
{
	const struct ws_replay_item *item = p->r->item + run->item + i;
	const struct ws_replay_line *line = p->line + item->line;
	uint32_t missing = item->sectors & ~line->sectors;
	uint32_t fetch = missing & ~p->coming[item->line], way = line->way;
	bool there = way != WS_REPLAY_NOWHERE, past = false;

	*hit = !fetch;
	if (fetch && !there)
		past = ws_replayed_bypassed(p, view);
	if (fetch)
		ws_late_begin(p, run, i, (struct ws_late_fetch){ .sectors = fetch, .past = past });
	if (there || past)
		p->clock[line->set]++;
	if (there && p->policy->on_hit)
		p->policy->on_hit(view, way);
	return true;
}

static bool store(struct ws_replayed *p, const struct ws_replay_run *run, size_t i,
		  struct ws_set *view, bool *hit)
{
	const struct ws_replay_item *item = p->r->item + run->item + i;
	struct ws_replay_line *line = p->line + item->line;
	uint32_t set = line->set, way = line->way;
	bool there = way != WS_REPLAY_NOWHERE;

	p->clock[set]++;
	*hit = !(item->sectors & ~line->sectors);
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
		line->sectors |= item->sectors;
	return true;
}

static bool one_request(struct ws_replayed *p, const struct ws_replay_run *run, size_t i, bool *hit)
{
	const struct ws_replay_item *item = p->r->item + run->item + i;
	struct ws_set *view = ws_replayed_view(p, run, i);

	view->clock = 1 + (p->clock[p->line[item->line].set] += item->idle);
	if (item->kind == WS_STORE)
		return p->reserves ? ws_reserved_store(p, run, i, view, hit)
				   : store(p, run, i, view, hit);
	return p->reserves ? ws_reserved_load(p, run, i, view, hit)
			   : load(p, run, i, view, hit);
}

bool ws_replayed_late(struct ws_replayed *p, const struct ws_replay_run *run)
{
	bool ok = true, hit;

	for (size_t i = 0; i < run->items && ok; i++) {
		ok = end_fetches(p, run, p->r->time[run->item + i].cycle) &&
		     one_request(p, run, i, &hit);
		if (ok)
			p->hits[run->item + i] += hit;
	}
	return ok;
}
