/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/replay/parts.h -- private: a prepared sample (prepare.c), and the replay of a policy on it
 * (run.c, estimate.c).
 *
 * Requests, lines and sets are numbered through all runs of the sample; a set of a run is a cluster
 * there.  The state of a replay is that of one run at a time, whose sets are numbered from 0.
 */
#ifndef WS_MODEL_REPLAY_PARTS_H
#define WS_MODEL_REPLAY_PARTS_H

#include "base/heap.h"
#include "model/replay/replay.h"
#include "model/ways.h"

#define WS_REPLAY_NOT_FINITE UINT8_MAX /* bin of a request that always misses */
#define WS_REPLAY_NOWHERE UINT32_MAX
#define WS_REPLAY_GROUPS 32u	/* groups of sets, at most, to estimate the variance between sets */
/* Requests are counted in cells: by group of sets, kind and bin.  Those that always miss are
 * counted by kind, in the first cells.  An item has the number of its cell, with two flags. */
#define WS_REPLAY_CELL(group, kind, bin) \
	(WS_KINDS + ((group) * WS_KINDS + (kind)) * WS_BINS + (bin))
#define WS_REPLAY_CELLS WS_REPLAY_CELL(WS_REPLAY_GROUPS, 0, 0)
#define WS_REPLAY_CELL_MASK 0x3fffu
#define WS_REPLAY_FINITE 0x4000u
#define WS_REPLAY_STORE 0x8000u

struct ws_replay_item {			/* a request */
	uint32_t line;		/* of the run */
	uint32_t sectors;	/* of the cache's; 1 where it has none */
	uint32_t mask;		/* of 32 B */
	uint32_t instruction;
	uint32_t idle;		/* requests to its set right before it that had no effect */
	uint8_t kind, bin;	/* bin of its distance, or NOT_FINITE */
};

struct ws_replay_time {			/* of a request */
	uint64_t cycle;
	uint64_t fetch;		/* cycles of its fetch; if it did not fetch, those of the run's last
				 * fetch before it, or else of the first */
};

struct ws_replay_run {
	size_t item, items, line, lines, cluster, clusters;
};

struct ws_replay {
	unsigned halvings;
	struct ws_replay_run *run;
	size_t runs;
	struct ws_replay_item *item;
	uint16_t *cell;		/* by item: a WS_REPLAY_CELL, FINITE, STORE */
	struct ws_replay_time *time; /* by item; NULL: the sample has none */
	uint32_t *set;		/* by line: of the run */
	uint64_t *address;	/* by line */
	uint64_t *index;	/* by cluster: its set's number in the cache */
	size_t items, lines, clusters, sets_most; /* sets_most: of a run */
	unsigned groups;	/* of sets: 1 .. WS_REPLAY_GROUPS */
	uint64_t count[WS_REPLAY_CELLS];
};

struct ws_replay_line {		/* in the cache, or not */
	uint32_t way;		/* or NOWHERE */
	uint32_t sectors;	/* valid ones */
	uint32_t set;		/* of the run */
};

struct ws_replayed {
	const struct ws_replay *r;
	const struct ws_query *q;
	const struct ws_policy *policy;
	enum ws_act store;
	unsigned ways;
	struct ws_rng rng;
	struct ws_policy_state state;
	struct ws_set *view;	/* by set of the run: what the policy sees */
	struct ws_access access; /* of all views */
	uint32_t *slot;		/* [set of the run][way]: line of the run + 1 */
	struct ws_ways *set;	/* of the run */
	uint64_t *clock;
	struct ws_replay_line *line; /* of the run */
	uint64_t *next;		/* offline: by item of the run */
	uint8_t *hits;		/* by item, of all repeats */
	bool late;		/* data comes at the requests' times */
	bool reserves;		/* late, with allocation on a miss */
	uint32_t *coming;	/* late: by line of the run, sectors that are being fetched; */
	struct ws_late_fetch *fetch; /* by item that began one */
	struct ws_heap due;	/* those under way */
	uint32_t *life;		/* reserves: by line, how often a store threw it out; */
	uint32_t *reserved;	/* by set, ways with sectors that are being fetched */
	struct ws_policy_kept kept; /* while reserved ways are passed over */
};

struct ws_late_fetch {
	uint32_t sectors, life;
	bool past;		/* it goes past the cache */
};

/* Allocates the state of a replay; false: no memory.  ws_replayed_clear is wanted in both cases. */
bool ws_replayed_room(struct ws_replayed *p);
void ws_replayed_clear(struct ws_replayed *p);
/* Replays the whole sample once and adds to hits[].  Fails if the policy names a victim that is no
 * way. */
enum ws_status ws_replayed_pass(struct ws_replayed *p, struct ws_err *err) WS_MUST_CHECK;

/* run.c, for late.c.  What the policy sees of the set of an item of the run, valid until the next
 * call; the caller sets its clock. */
static inline struct ws_set *ws_replayed_view(struct ws_replayed *p,
					      const struct ws_replay_run *run, size_t i)
{
	const struct ws_replay_item *item = p->r->item + run->item + i;
	struct ws_set *view = p->view + p->line[item->line].set;

	p->access.address = p->r->address[run->line + item->line];
	p->access.instruction = item->instruction;
	p->access.sectors = item->mask;
	p->access.kind = item->kind;
	if (p->next)
		view->next = p->next[i];
	return view;
}

/* ways.c.  Throws out the line in the way. */
void ws_replayed_evict(struct ws_replayed *p, struct ws_set *view, uint32_t set, unsigned way);
bool ws_replayed_bypassed(const struct ws_replayed *p, struct ws_set *view);
/* The item's line takes a way, with no valid sector; false: the policy names no way. */
bool ws_replayed_take(struct ws_replayed *p, struct ws_set *view, uint32_t set, uint32_t line);

/* late.c: replays a run from an empty cache; false: the policy names no way. */
bool ws_replayed_late(struct ws_replayed *p, const struct ws_replay_run *run);
/* reserve.c, for late.c, if p->reserves: a fetch that has ended, a load, a store.  *hit: its
 * sectors are valid or in flight. */
void ws_reserved_end(struct ws_replayed *p, const struct ws_replay_run *run, size_t i);
bool ws_reserved_load(struct ws_replayed *p, const struct ws_replay_run *run, size_t i,
		      struct ws_set *view, bool *hit);
bool ws_reserved_store(struct ws_replayed *p, const struct ws_replay_run *run, size_t i,
		       struct ws_set *view, bool *hit);
/* Item i begins a fetch. */
static inline void ws_late_begin(struct ws_replayed *p, const struct ws_replay_run *run, size_t i,
				 struct ws_late_fetch fetch)
{
	const struct ws_replay_time *t = p->r->time + run->item + i;
	uint64_t back = t->cycle + t->fetch;

	p->fetch[i] = fetch;
	if (!fetch.past)
		p->coming[p->r->item[run->item + i].line] |= fetch.sectors;
	ws_heap_push(&p->due, back >= t->cycle ? back : UINT64_MAX, i);
}

#endif
