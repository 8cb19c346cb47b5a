/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/replay/run.c -- requests of a sample through a cache, one by one, by a policy's hooks: as
 * the simulator does (validate/sim/sim.c), of the sets that are in the sample.
 */
#include "model/replay/parts.h"

#include <stdlib.h>
#include <string.h>

static void evict(struct ws_replayed *p, struct ws_set *view, uint32_t set, unsigned way)
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
	evict(p, view, set, way);
	return way;
}

static bool bypassed(const struct ws_replayed *p, struct ws_set *view)
{
	if (!p->policy->bypass || view->access->kind == WS_ATOMIC || !p->policy->bypass(view))
		return false;
	if (p->policy->on_bypass)
		p->policy->on_bypass(view);
	return true;
}

static bool bring(struct ws_replayed *p, struct ws_set *view, uint32_t set,
		  const struct ws_replay_item *item)
{
	unsigned way;

	if (bypassed(p, view))
		return true;
	way = choose(p, view, set);
	if (way == WS_REPLAY_NOWHERE)
		return false;
	p->slot[(size_t)set * p->ways + way] = item->line + 1;
	p->valid[set]++;
	p->at[item->line] = way;
	p->sectors[item->line] = item->sectors;
	if (p->policy->on_fill)
		p->policy->on_fill(view, way);
	return true;
}

/* The request's sectors are there, or not, before it. */
static bool one_request(struct ws_replayed *p, const struct ws_replay_run *run, size_t i, bool *hit)
{
	const struct ws_replay_item *item = p->r->item + run->item + i;
	enum ws_act act = item->kind == WS_STORE ? p->store : WS_ACT_FETCH;
	uint32_t set = p->r->set[run->line + item->line];
	const struct ws_access access = {
		.address = p->r->address[run->line + item->line],
		.instruction = item->instruction, .sectors = item->mask, .kind = item->kind,
	};
	struct ws_set view = {
		.meta = p->state.meta + set * p->state.set_meta,
		.own = p->state.own + set * p->state.set_own,
		.shared = p->state.shared, .table = p->state.table, .ways = p->ways,
		.clock = p->clock[set] += 1 + (uint64_t)item->idle,
		.index = p->r->index[run->cluster + set],
		.sets = p->q->cache->sets, .next = p->next ? p->next[i] : 0, .access = &access,
		.rng = &p->rng, .use = p->q->use,
	};
	uint32_t way = p->at[item->line];

	*hit = !(item->sectors & ~p->sectors[item->line]);
	if (way == WS_REPLAY_NOWHERE)
		return act != WS_ACT_FETCH || bring(p, &view, set, item);
	if (act == WS_ACT_EVICT) {
		evict(p, &view, set, way);
		return true;
	}
	if (act == WS_ACT_FETCH)
		p->sectors[item->line] |= item->sectors;
	if (p->policy->on_hit)
		p->policy->on_hit(&view, way);
	return true;
}

static void empty(struct ws_replayed *p, const struct ws_replay_run *run)
{
	size_t slots = run->clusters * p->ways;

	memset(p->slot, 0, slots * sizeof *p->slot);
	memset(p->valid, 0, run->clusters * sizeof *p->valid);
	memset(p->search, 0, run->clusters * sizeof *p->search);
	memset(p->clock, 0, run->clusters * sizeof *p->clock);
	memset(p->at, 0xff, run->lines * sizeof *p->at);
	memset(p->sectors, 0, run->lines * sizeof *p->sectors);
	for (size_t i = 0; i < run->clusters; i++)
		ws_policy_state_flush_set(&p->state, i);
	ws_policy_state_flush_shared(&p->state);
}

/* When the line of each request is asked for next.  Spoils at[]. */
static void look_ahead(struct ws_replayed *p, const struct ws_replay_run *run)
{
	memset(p->at, 0xff, run->lines * sizeof *p->at);
	for (size_t i = run->items; i-- > 0;) {
		uint32_t *last = p->at + p->r->item[run->item + i].line;

		p->next[i] = *last == WS_REPLAY_NOWHERE ? UINT64_MAX : *last;
		*last = (uint32_t)i;
	}
}

static enum ws_status replay_run(struct ws_replayed *p, const struct ws_replay_run *run,
				 struct ws_err *err)
{
	if (p->next)
		look_ahead(p, run);
	empty(p, run);
	for (size_t i = 0; i < run->items; i++) {
		bool hit;

		if (!one_request(p, run, i, &hit))
			return ws_fail(err, WS_EINVAL, "policy %s throws out a way that there is "
				       "not", p->policy->name);
		p->hits[run->item + i] += hit;
	}
	return WS_OK;
}

enum ws_status ws_replayed_pass(struct ws_replayed *p, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < p->r->runs && status == WS_OK; i++)
		status = replay_run(p, p->r->run + i, err);
	return status;
}

bool ws_replayed_room(struct ws_replayed *p)
{
	size_t slots = p->r->sets_most * p->ways, lines = 0, items = 0;

	for (size_t i = 0; i < p->r->runs; i++) {
		lines = p->r->run[i].lines > lines ? p->r->run[i].lines : lines;
		items = p->r->run[i].items > items ? p->r->run[i].items : items;
	}
	p->slot = ws_alloc_zero(slots + 1, sizeof *p->slot);
	p->valid = ws_alloc_zero(p->r->sets_most + 1, sizeof *p->valid);
	p->search = ws_alloc_zero(p->r->sets_most + 1, sizeof *p->search);
	p->clock = ws_alloc_zero(p->r->sets_most + 1, sizeof *p->clock);
	p->at = ws_alloc_zero(lines + 1, sizeof *p->at);
	p->sectors = ws_alloc_zero(lines + 1, sizeof *p->sectors);
	p->hits = ws_alloc_zero(p->r->items + 1, sizeof *p->hits);
	if (p->policy->offline)
		p->next = ws_alloc_zero(items + 1, sizeof *p->next);
	return p->slot && p->valid && p->search && p->clock && p->at && p->sectors && p->hits &&
	       (p->next || !p->policy->offline);
}

void ws_replayed_clear(struct ws_replayed *p)
{
	ws_policy_state_clear(&p->state);
	free(p->slot);
	free(p->valid);
	free(p->search);
	free(p->clock);
	free(p->at);
	free(p->sectors);
	free(p->next);
	free(p->hits);
}

