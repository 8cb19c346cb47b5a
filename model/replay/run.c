/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/replay/run.c -- replays a sample's requests one by one with a policy's hooks, as the
 * simulator does (validate/sim/sim.c), in the sets that are in the sample.
 */
#include "model/replay/parts.h"

#include <stdlib.h>
#include <string.h>

static bool bring(struct ws_replayed *p, struct ws_set *view, uint32_t set,
		  const struct ws_replay_item *item)
{
	if (ws_replayed_bypassed(p, view))
		return true;
	if (!ws_replayed_take(p, view, set, item->line))
		return false;
	p->line[item->line].sectors = item->sectors;
	return true;
}

/* A request whose line is not there, or which throws it out. */
static bool moves_line(struct ws_replayed *p, const struct ws_replay_run *run, size_t i)
{
	const struct ws_replay_item *item = p->r->item + run->item + i;
	struct ws_replay_line *line = p->line + item->line;
	struct ws_set *view = ws_replayed_view(p, run, i);

	view->clock = p->clock[line->set];
	if (line->way != WS_REPLAY_NOWHERE)
		ws_replayed_evict(p, view, line->set, line->way);
	else if (item->kind != WS_STORE || p->store == WS_ACT_FETCH)
		return bring(p, view, line->set, item);
	return true;
}

static void empty(struct ws_replayed *p, const struct ws_replay_run *run)
{
	size_t slots = run->clusters * p->ways;

	memset(p->slot, 0, slots * sizeof *p->slot);
	memset(p->set, 0, run->clusters * sizeof *p->set);
	memset(p->clock, 0, run->clusters * sizeof *p->clock);
	for (size_t i = 0; i < run->lines; i++)
		p->line[i] = (struct ws_replay_line){ WS_REPLAY_NOWHERE, 0,
						      p->r->set[run->line + i] };
	for (size_t i = 0; i < run->clusters; i++)
		p->view[i].index = p->r->index[run->cluster + i];
	if (p->late)
		memset(p->coming, 0, run->lines * sizeof *p->coming);
	if (p->reserves) {
		memset(p->life, 0, run->lines * sizeof *p->life);
		memset(p->reserved, 0, run->clusters * sizeof *p->reserved);
	}
	p->due.count = 0;
	for (size_t i = 0; i < run->clusters; i++)
		ws_policy_state_flush_set(&p->state, i);
	ws_policy_state_flush_shared(&p->state);
}

/* next[]: when the line of each request is requested next.  Overwrites line[]. */
static void look_ahead(struct ws_replayed *p, const struct ws_replay_run *run)
{
	for (size_t i = 0; i < run->lines; i++)
		p->line[i].way = WS_REPLAY_NOWHERE;
	for (size_t i = run->items; i-- > 0;) {
		uint32_t *last = &p->line[p->r->item[run->item + i].line].way;

		p->next[i] = *last == WS_REPLAY_NOWHERE ? UINT64_MAX : *last;
		*last = (uint32_t)i;
	}
}

/* As ws_replayed_view, of item i of the run. */
static inline struct ws_set *view_of(struct ws_replayed *p, size_t i,
				     const struct ws_replay_item *item,
				     const struct ws_replay_line *line, const uint64_t *address)
{
	if (p->next)
		p->view[line->set].next = p->next[i];
	p->access.address = address[item->line];
	p->access.instruction = item->instruction;
	p->access.sectors = item->mask;
	p->access.kind = item->kind;
	return p->view + line->set;
}

/* A request hits if its sectors are valid before it.  Most requests find their line, and many
 * policies are not told of that.  Pointers are of the function: a byte that is stored could be any
 * of *p. */
static bool at_once(struct ws_replayed *p, const struct ws_replay_run *run)
{
	const struct ws_replay_item *item = p->r->item + run->item, *end = item + run->items;
	const unsigned evicting = p->store == WS_ACT_EVICT ? WS_STORE : WS_KINDS;
	const unsigned touching = p->store == WS_ACT_TOUCH ? WS_STORE : WS_KINDS;
	void (*const on_hit)(struct ws_set *set, unsigned way) = p->policy->on_hit;
	struct ws_replay_line *const lines = p->line;
	const uint64_t *const address = p->r->address + run->line;
	uint64_t *const clock = p->clock;
	uint8_t *hits = p->hits + run->item;

	for (size_t i = 0; item < end; i++, item++) {
		struct ws_replay_line *line = lines + item->line;

		clock[line->set] += 1 + (uint64_t)item->idle;
		hits[i] = (uint8_t)(hits[i] + !(item->sectors & ~line->sectors));
		if (line->way == WS_REPLAY_NOWHERE || item->kind == evicting) {
			if (!moves_line(p, run, i))
				return false;
			continue;
		}
		if (item->kind != touching)
			line->sectors |= item->sectors;
		if (on_hit) {
			struct ws_set *view = view_of(p, i, item, line, address);

			view->clock = clock[line->set];
			on_hit(view, line->way);
		}
	}
	return true;
}

static enum ws_status replay_run(struct ws_replayed *p, const struct ws_replay_run *run,
				 struct ws_err *err)
{
	if (p->next)
		look_ahead(p, run);
	empty(p, run);
	if (p->late ? ws_replayed_late(p, run) : at_once(p, run))
		return WS_OK;
	return ws_fail(err, WS_EINVAL, "policy %s throws out a way that there is not",
		       p->policy->name);
}

enum ws_status ws_replayed_pass(struct ws_replayed *p, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < p->r->runs && status == WS_OK; i++)
		status = replay_run(p, p->r->run + i, err);
	return status;
}

static bool room_late(struct ws_replayed *p, size_t lines, size_t items)
{
	bool kept = true;

	if (!p->late)
		return true;
	p->coming = ws_alloc_zero(lines + 1, sizeof *p->coming);
	p->fetch = ws_alloc_zero(items + 1, sizeof *p->fetch);
	if (p->reserves) {
		p->life = ws_alloc_zero(lines + 1, sizeof *p->life);
		p->reserved = ws_alloc_zero(p->r->sets_most + 1, sizeof *p->reserved);
		kept = ws_policy_kept_new(&p->kept, &p->state);
	}
	return p->coming && p->fetch && ws_heap_room(&p->due, items + 1) &&
	       (!p->reserves || (p->life && p->reserved && kept));
}

/* What the policy sees of the sets, except what differs by request. */
static bool room_views(struct ws_replayed *p)
{
	p->view = ws_alloc_zero(p->r->sets_most + 1, sizeof *p->view);
	for (size_t i = 0; p->view && i < p->r->sets_most; i++)
		p->view[i] = (struct ws_set){
			.meta = p->state.meta + i * p->state.set_meta,
			.own = p->state.own + i * p->state.set_own,
			.shared = p->state.shared, .table = p->state.table, .ways = p->ways,
			.sets = p->q->cache->sets, .access = &p->access, .rng = &p->rng,
			.use = p->q->use,
		};
	return p->view;
}

bool ws_replayed_room(struct ws_replayed *p)
{
	size_t slots = p->r->sets_most * p->ways, lines = 0, items = 0;

	for (size_t i = 0; i < p->r->runs; i++) {
		lines = p->r->run[i].lines > lines ? p->r->run[i].lines : lines;
		items = p->r->run[i].items > items ? p->r->run[i].items : items;
	}
	p->slot = ws_alloc_zero(slots + 1, sizeof *p->slot);
	p->set = ws_alloc_zero(p->r->sets_most + 1, sizeof *p->set);
	p->clock = ws_alloc_zero(p->r->sets_most + 1, sizeof *p->clock);
	p->line = ws_alloc_zero(lines + 1, sizeof *p->line);
	p->hits = ws_alloc_zero(p->r->items + 1, sizeof *p->hits);
	if (p->policy->offline)
		p->next = ws_alloc_zero(items + 1, sizeof *p->next);
	return p->slot && p->set && p->clock && p->line && p->hits &&
	       (p->next || !p->policy->offline) && room_views(p) && room_late(p, lines, items);
}

void ws_replayed_clear(struct ws_replayed *p)
{
	ws_policy_state_clear(&p->state);
	free(p->slot);
	free(p->set);
	free(p->clock);
	free(p->line);
	free(p->view);
	free(p->next);
	free(p->hits);
	free(p->coming);
	free(p->fetch);
	free(p->life);
	free(p->reserved);
	ws_policy_kept_clear(&p->kept);
	ws_heap_clear(&p->due);
}

