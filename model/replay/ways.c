/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/replay/ways.c -- the ways of a sample's sets, and what a policy sees of them.
 */
#include "model/replay/parts.h"

#include <string.h>

void ws_replayed_evict(struct ws_replayed *p, struct ws_set *view, uint32_t set, unsigned way)
{
	uint32_t *slot = p->slot + (size_t)set * p->ways + way;

	if (p->policy->on_evict)
		p->policy->on_evict(view, way);
	p->line[*slot - 1].way = WS_REPLAY_NOWHERE;
	p->line[*slot - 1].sectors = 0;
	*slot = 0;
	p->valid[set]--;
	if (way < p->search[set])
		p->search[set] = way;
}

static bool reserved(const struct ws_replayed *p, uint32_t set, unsigned way)
{
	return p->reserves && p->coming[p->slot[(size_t)set * p->ways + way] - 1];
}

/* The words that the policy may change: kept, or back again. */
static void keep(struct ws_replayed *p, struct ws_set *view, bool back)
{
	const struct ws_policy_state *s = &p->state;
	uint64_t *of[] = { view->meta, view->own, view->shared }, *kept = p->kept;
	size_t words[] = { s->set_meta, s->set_own, s->shared_words };

	for (size_t i = 0; i < WS_COUNT(of); kept += words[i++]) {
		if (!words[i])
			continue;
		memcpy(back ? of[i] : kept, back ? kept : of[i], words[i] * sizeof *kept);
	}
}

/* The policy named a reserved way: which would it name if that was not a choice?  One of the set is
 * not reserved (validate/cycle/cycle.h, to take a way). */
static unsigned pass_over(struct ws_replayed *p, struct ws_set *view, uint32_t set, unsigned way)
{
	struct ws_rng rng = p->rng;

	keep(p, view, false);
	for (unsigned asked = 1; asked < 2 * p->ways && reserved(p, set, way); asked++) {
		if (p->policy->on_fill)
			p->policy->on_fill(view, way);
		way = p->policy->victim(view);
		if (way >= p->ways)
			return WS_REPLAY_NOWHERE;
	}
	keep(p, view, true);
	p->rng = rng;
	if (reserved(p, set, way))
		for (way = 0; reserved(p, set, way); way++)
			;
	return way;
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
	if (way < p->ways && reserved(p, set, way))
		way = pass_over(p, view, set, way);
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
	p->line[line].way = way;
	if (p->policy->on_fill)
		p->policy->on_fill(view, way);
	return true;
}
