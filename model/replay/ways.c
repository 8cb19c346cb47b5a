/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/replay/ways.c -- the ways of a sample's sets, and what a policy sees of them.
 */
#include "model/replay/parts.h"

void ws_replayed_evict(struct ws_replayed *p, struct ws_set *view, uint32_t set, unsigned way)
{
	uint32_t *slot = p->slot + (size_t)set * p->ways + way;

	if (p->policy->on_evict)
		p->policy->on_evict(view, way);
	p->at[*slot - 1] = WS_REPLAY_NOWHERE;
	p->sectors[*slot - 1] = 0;
	*slot = 0;
	p->valid[set]--;
	if (way < p->search[set])
		p->search[set] = way;
}

/* The lowest invalid way; of a full set the victim, thrown out.  WS_REPLAY_NOWHERE: the policy is
 * wrong. */
static unsigned choose(struct ws_replayed *p, struct ws_set *view, uint32_t set)
{
	const uint32_t *slot = p->slot + (size_t)set * p->ways;
	unsigned way;

	if (p->valid[set] < p->ways) {
		while (slot[p->search[set]])
			p->search[set]++;
		return p->search[set];
	}
	way = p->policy->victim(view);
	if (way >= p->ways)
		return WS_REPLAY_NOWHERE;
	ws_replayed_evict(p, view, set, way);
	return way;
}

bool ws_replayed_bypassed(const struct ws_replayed *p, struct ws_set *view)
{
	if (!p->policy->bypass || view->access->kind == WS_ATOMIC || !p->policy->bypass(view))
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
	p->slot[(size_t)set * p->ways + way] = line + 1;
	p->valid[set]++;
	p->at[line] = way;
	if (p->policy->on_fill)
		p->policy->on_fill(view, way);
	return true;
}

struct ws_set ws_replayed_view(struct ws_replayed *p, const struct ws_replay_run *run, size_t i,
			       struct ws_access *access)
{
	const struct ws_replay_item *item = p->r->item + run->item + i;
	uint32_t set = p->r->set[run->line + item->line];

	*access = (struct ws_access){
		.address = p->r->address[run->line + item->line],
		.instruction = item->instruction, .sectors = item->mask, .kind = item->kind,
	};
	return (struct ws_set){
		.meta = p->state.meta + set * p->state.set_meta,
		.own = p->state.own + set * p->state.set_own,
		.shared = p->state.shared, .table = p->state.table, .ways = p->ways,
		.clock = p->clock[set], .index = p->r->index[run->cluster + set],
		.sets = p->q->cache->sets, .next = p->next ? p->next[i] : 0, .access = access,
		.rng = &p->rng, .use = p->q->use,
	};
}
