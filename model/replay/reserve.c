/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/replay/reserve.c -- replays a sample's requests at their cycles (late.c) in a cache that
 * allocates on a miss: the line takes a way at once, and cannot be thrown out before its data is
 * there.
 *
 * If all ways of a set are reserved, a request waits for the next data that frees one.  In the
 * simulation that the order comes from it has waited already.  In another cache the requests behind
 * it do not wait with it; they find what arrived meanwhile.
 */
#include "model/replay/parts.h"

void ws_reserved_end(struct ws_replayed *p, const struct ws_replay_run *run, size_t i)
{
	uint32_t line = p->r->item[run->item + i].line, set = p->line[line].set;
	const struct ws_late_fetch *f = p->fetch + i;

	if (f->past || f->life != p->life[line])
		return;
	p->coming[line] &= ~f->sectors;
	p->line[line].sectors |= f->sectors;
	p->reserved[set] -= !p->coming[line];
}

/* A way for the item's line; false: the policy names no way. */
static bool take(struct ws_replayed *p, const struct ws_replay_run *run, size_t i,
		 struct ws_set *view)
{
	uint32_t line = p->r->item[run->item + i].line, set = p->line[line].set;

	while (p->reserved[set] == p->ways)
		ws_reserved_end(p, run, ws_heap_pop(&p->due));
	return ws_replayed_take(p, view, set, line);
}

bool ws_reserved_load(struct ws_replayed *p, const struct ws_replay_run *run, size_t i,
		      struct ws_set *view, bool *hit)
{
	const struct ws_replay_item *item = p->r->item + run->item + i;
	uint32_t line = item->line, set = p->line[line].set, way = p->line[line].way;
	struct ws_late_fetch f = {
		.sectors = item->sectors & ~(p->line[line].sectors | p->coming[line]),
		.life = p->life[line],
	};
	bool there = way != WS_REPLAY_NOWHERE;

	*hit = !f.sectors;
	p->clock[set]++;
	if (there && p->policy->on_hit)
		p->policy->on_hit(view, way);
	if (!f.sectors)
		return true;
	f.past = !there && ws_replayed_bypassed(p, view);
	if (!there && !f.past && !take(p, run, i, view))
		return false;
	p->reserved[set] += !f.past && !p->coming[line];
	ws_late_begin(p, run, i, f);
	return true;
}

static void evict(struct ws_replayed *p, struct ws_set *view, uint32_t set, uint32_t line)
{
	ws_replayed_evict(p, view, set, p->line[line].way);
	p->reserved[set] -= p->coming[line] != 0;
	p->coming[line] = 0;
	p->life[line]++;
}

bool ws_reserved_store(struct ws_replayed *p, const struct ws_replay_run *run, size_t i,
		       struct ws_set *view, bool *hit)
{
	const struct ws_replay_item *item = p->r->item + run->item + i;
	uint32_t line = item->line, set = p->line[line].set, way = p->line[line].way;
	bool there = way != WS_REPLAY_NOWHERE;

	*hit = there && !(item->sectors & ~(p->line[line].sectors | p->coming[line]));
	p->clock[set]++;
	if (p->store == WS_ACT_FETCH && !there) {
		if (ws_replayed_bypassed(p, view))
			return true;
		if (!take(p, run, i, view))
			return false;
	} else if (there && p->store == WS_ACT_EVICT) {
		evict(p, view, set, line);
	} else if (there && p->policy->on_hit) {
		p->policy->on_hit(view, way);
	}
	if (p->store == WS_ACT_FETCH)
		p->line[line].sectors |= item->sectors & ~p->coming[line];
	return true;
}
