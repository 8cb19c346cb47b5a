/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/replay/ways.c -- the ways of a sample's sets.
 */
#include "model/replay/parts.h"

void ws_replayed_evict(struct ws_replayed *p, struct ws_set *view, uint32_t set, unsigned way)
{
	uint32_t *slot = p->slot + (size_t)set * p->ways;
	struct ws_replay_line *line = p->line + ws_ways_evict(p->set + set, slot, way, view);

	line->way = WS_REPLAY_NOWHERE;
	line->sectors = 0;
}

struct replay_reservations {			/* of a set */
	const uint32_t *coming, *slot;
};

static bool is_reserved(const void *context, unsigned way)
{
	const struct replay_reservations *r = context;

	return r->coming[r->slot[way] - 1];
}

/* The lowest invalid way; in a full set the victim's, which is thrown out.  WS_REPLAY_NOWHERE: the
 * policy names no way. */
static unsigned choose(struct ws_replayed *p, struct ws_set *view, uint32_t set)
{
	const struct replay_reservations r = { p->coming, p->slot + (size_t)set * p->ways };
	unsigned way;

	if (p->set[set].valid < p->ways)
		return ws_ways_invalid(p->set + set, r.slot);
	way = p->policy->victim(view);
	if (p->reserves && way < p->ways && is_reserved(&r, way))
		way = ws_ways_pass_over(way, view, &p->kept, &p->state, is_reserved, &r);
	if (way >= p->ways)
		return WS_REPLAY_NOWHERE;
	ws_replayed_evict(p, view, set, way);
	return way;
}

bool ws_replayed_bypassed(const struct ws_replayed *p, struct ws_set *view)
{
	if (!ws_ways_bypassed(view))
		return false;
	if (p->policy->on_bypass)
		p->policy->on_bypass(view);
	return true;
}

bool ws_replayed_take(struct ws_replayed *p, struct ws_set *view, uint32_t set, uint32_t line)
{
	unsigned way = choose(p, view, set);

	if (way == WS_REPLAY_NOWHERE)
		return false;
	p->line[line].way = way;
	ws_ways_fill(p->set + set, p->slot + (size_t)set * p->ways, way, line, view);
	return true;
}
