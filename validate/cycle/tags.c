/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/tags.c -- tags, sector states, policy and MSHRs of one cache.
 *
 * A line that is in the cache, or on its way to it, has one record (mshr.h), found by address; the
 * ways of a set point back to it.  All masks are of 32-byte sectors: those of a request are first
 * rounded out to the cache's sectors.
 *
 * A look-up first finds out whether it fails, and changes nothing until then but for one case: if
 * the queue has room for the request's own packets, but maybe not for those of a line thrown
 * out, the victim must be named to know.  The policy's words and random numbers are then kept, and
 * put back if it fails; so are they while a set's reserved ways are passed over.
 *
 * Look-up, fill: O(1) expected and the policy's hooks, of which victim is often O(ways); passing
 * over k reserved ways k times that.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "validate/cycle/tags.h"
#include "validate/sim/sim.h"

struct tags_access {			/* a look-up or fill at hand */
	struct ws_answer *answer;
	struct ws_set *view;	/* the policy's */
	struct ws_tag_set *set;
	uint32_t first;		/* slot of way 0 */
	uint32_t number;	/* the line's record, or WS_NONE */
	uint32_t asked;		/* its sectors, whole */
	uint32_t room, held;
	bool there;
	bool stays;		/* though a store evicts it, if it is reserved */
	bool full;		/* there is no room for what is no hit */
	bool chosen;		/* way is, and t->queue what was before */
	unsigned way;
};

/* ---- a set --------------------------------------------------------------------------------- */

/* What differs from set to set. */
static inline void access_begin(struct ws_tags *t, struct tags_access *x, struct ws_answer *answer,
				const struct ws_access *access, uint64_t set)
{
	size_t ways = (size_t)t->cache.ways, first = (size_t)set * ways;
	const struct ws_policy_state *state = &t->state;
	struct ws_set *view = &t->view;

	assert(set < t->cache.sets && view->use == &t->use);
	x->answer = answer;
	x->view = view;
	x->set = &t->set[set];
	x->first = (uint32_t)first;
	x->chosen = false;
	view->meta = &state->meta[set * state->set_meta];
	view->own = &state->own[set * state->set_own];
	if (t->ways)
		view->ways = t->ways[set];
	view->clock = x->set->clock + 1;
	view->index = set;
	view->access = access;
}

static inline struct ws_tag_line *line_of(struct ws_tags *t, const struct tags_access *x)
{
	assert(x->number < t->lines.used);
	return &t->lines.line[x->number];
}

/* The access counts, and has found its line. */
static void touch_line(struct ws_tags *t, struct tags_access *x)
{
	x->set->clock = x->view->clock;
	if (x->there && t->policy->on_hit)
		t->policy->on_hit(x->view, line_of(t, x)->way);
}

struct tag_reservations {			/* of a set */
	const struct ws_tags *t;
	const uint32_t *slot;
};

static bool is_reserved(const void *context, unsigned way)
{
	const struct tag_reservations *r = context;

	return !r->t->on_fill && r->t->lines.line[r->slot[way] - 1].coming;
}

static enum ws_status way_choose(struct ws_tags *t, struct tags_access *x, struct ws_err *err)
{
	const struct tag_reservations r = { t, t->slot + x->first };

	assert(x->set->ways.valid <= x->view->ways);
	if (x->set->ways.valid < x->view->ways) {
		x->way = ws_ways_invalid(&x->set->ways, r.slot);
		return WS_OK;
	}
	assert(x->set->reserved < x->view->ways);
	x->way = t->policy->victim(x->view);
	if (x->way < x->view->ways && is_reserved(&r, x->way))
		x->way = ws_ways_pass_over(x->way, x->view, &t->search, &t->state, is_reserved,
					   &r);
	if (x->way < x->view->ways)
		return WS_OK;
	return ws_fail(err, WS_EINVAL, "policy %s throws out way %u: want 0..%u", t->policy->name,
		       x->way, x->view->ways - 1);
}

static inline uint32_t partial_of(const struct ws_tags *t, uint32_t number)
{
	return number < t->partials ? t->partial[number] : 0;
}

/* Those sectors are written in part no longer. */
static inline void keep_whole(struct ws_tags *t, uint32_t number, uint32_t sectors)
{
	if (number < t->partials)
		t->partial[number] &= ~sectors;
}

/* Its fetches go on: on-fill they bring it back, on-miss they bring nothing. */
static void throw_out(struct ws_tags *t, struct tags_access *x, unsigned way)
{
	uint32_t number = ws_ways_evict(&x->set->ways, t->slot + x->first, way, x->view);
	struct ws_tag_line *line = &t->lines.line[number];

	assert(line->way == way);
	line->way = WS_NONE;
	line->valid = line->modified = 0;
	keep_whole(t, number, UINT32_MAX);
	if (t->on_fill && line->coming)
		return;
	assert(!line->coming || x->set->reserved);
	x->set->reserved -= line->coming != 0;
	for (uint32_t m = line->mshr; m != WS_NONE; m = t->mshrs.mshr[m].next)
		t->mshrs.mshr[m].line = WS_NONE;
	ws_tag_lines_remove(&t->lines, number);
}

static enum ws_status line_add(struct ws_tags *t, struct tags_access *x, struct ws_err *err)
{
	enum ws_status status = ws_tag_lines_add(&t->lines, x->view->access->address, &x->number,
						 err);

	if (status == WS_OK)
		line_of(t, x)->set = (uint32_t)x->view->index;
	return status;
}

/* The access counts, and its line takes a way; x->chosen: x->way. */
static enum ws_status take_way(struct ws_tags *t, struct tags_access *x, struct ws_err *err)
{
	enum ws_status status = x->chosen ? WS_OK : way_choose(t, x, err);
	uint32_t old;

	if (status != WS_OK)
		return status;
	x->set->clock = x->view->clock;
	old = t->slot[x->first + x->way];
	if (old) {
		const struct ws_tag_line *line = &t->lines.line[old - 1];

		x->answer->victim = line->address;
		x->answer->victim_sectors = line->modified;
		throw_out(t, x, x->way);
	}
	if (x->number == WS_NONE) {
		status = ws_tag_lines_add(&t->lines, x->view->access->address, &x->number, err);
		if (status != WS_OK)
			return status;
		line_of(t, x)->set = (uint32_t)x->view->index;
	}
	line_of(t, x)->way = x->way;
	ws_ways_fill(&x->set->ways, t->slot + x->first, x->way, x->number, x->view);
	assert(x->set->ways.valid <= x->view->ways);
	return WS_OK;
}

static void went_past(struct ws_tags *t, struct tags_access *x)
{
	x->set->clock = x->view->clock;
	if (t->policy->on_bypass)
		t->policy->on_bypass(x->view);
}

/* ---- what makes a look-up fail ------------------------------------------------------------- */

static void fail(struct ws_tags *t, struct tags_access *x, enum ws_fail cause)
{
	if (x->chosen)
		ws_policy_put_back(&t->queue, &t->state, x->view);
	*x->answer = (struct ws_answer){ .outcome = WS_FAILED, .cause = (uint8_t)cause,
					 .mshr = WS_NONE };
}

static inline bool failed(const struct tags_access *x)
{
	return x->answer->outcome == WS_FAILED;
}

static uint32_t victim_pieces(const struct ws_tags *t, const struct tags_access *x)
{
	uint32_t number = t->slot[x->first + x->way];

	return number ? ws_tag_pieces(t, t->lines.line[number - 1].modified) : 0;
}

/* Fails unless there is a way to take, and room for so many packets and those of the victim. */
static enum ws_status way_check(struct ws_tags *t, struct tags_access *x, uint32_t packets,
				struct ws_err *err)
{
	enum ws_status status;

	assert(x->set->reserved <= x->view->ways);
	if (x->set->reserved == x->view->ways)
		fail(t, x, WS_FAIL_LINE);
	else if (x->room < packets || x->full)
		fail(t, x, WS_FAIL_QUEUE);
	if (failed(x) || !t->modified || x->set->ways.valid < x->view->ways
	    || x->room - packets >= t->pieces_most)
		return WS_OK;
	ws_policy_keep(&t->queue, &t->state, x->view);
	status = way_choose(t, x, err);
	if (status != WS_OK)
		return status;
	x->chosen = true;
	if (x->room - packets < victim_pieces(t, x))
		fail(t, x, WS_FAIL_QUEUE);
	return WS_OK;
}

/* Does one of the MSHRs that bring these sectors hold as many requests as it can? */
static bool merge_full(struct ws_tags *t, const struct tags_access *x, uint32_t sectors)
{
	if (!sectors)
		return false;
	for (uint32_t m = line_of(t, x)->mshr; m != WS_NONE; m = t->mshrs.mshr[m].next)
		if (t->mshrs.mshr[m].fetch & sectors
		    && t->mshrs.mshr[m].requests >= t->cache.mshr_merge)
			return true;
	return false;
}

/* ---- loads --------------------------------------------------------------------------------- */

static enum ws_status wait(struct ws_tags *t, struct tags_access *x, uint32_t sectors,
			   uint32_t name,
			   struct ws_err *err)
{
	enum ws_status status = WS_OK;
	uint32_t m = sectors ? line_of(t, x)->mshr : WS_NONE;

	for (; m != WS_NONE && status == WS_OK; m = t->mshrs.mshr[m].next) {
		if (!(t->mshrs.mshr[m].fetch & sectors))
			continue;
		x->answer->waits++;
		status = ws_mshrs_wait(&t->mshrs, m, name, err);
	}
	return status;
}

static enum ws_status load_pending(struct ws_tags *t, struct tags_access *x, uint32_t coming,
				   uint32_t name, struct ws_err *err)
{
	if (x->full || merge_full(t, x, coming)) {
		fail(t, x, x->full ? WS_FAIL_QUEUE : WS_FAIL_MERGE);
		return WS_OK;
	}
	x->answer->outcome = WS_PENDING;
	if (x->there)
		touch_line(t, x);
	return wait(t, x, coming, name, err);
}

/* An MSHR for sectors of a line that has a record. */
static enum ws_status fetch_begin(struct ws_tags *t, struct tags_access *x, uint32_t fetch,
				  struct ws_err *err)
{
	struct ws_answer *a = x->answer;
	enum ws_status status = ws_mshrs_add(&t->mshrs, x->view->access->address, fetch, &a->mshr,
					     err);
	struct ws_tag_line *line = line_of(t, x);

	if (status != WS_OK)
		return status;
	if (t->on_fill)
		t->mshrs.mshr[a->mshr].access = *x->view->access;
	t->mshrs.mshr[a->mshr].line = x->number;
	t->mshrs.mshr[a->mshr].next = line->mshr;
	line->mshr = a->mshr;
	x->set->reserved += !t->on_fill && !line->coming;
	line->coming |= fetch;
	if (!t->on_fill && partial_of(t, x->number)) { /* RESERVED again */
		line->valid &= ~fetch;
		keep_whole(t, x->number, fetch);
	}
	a->fetch = fetch;
	return WS_OK;
}

/* An MSHR for a request that goes past: nobody else learns of it, and it fills nothing. */
static enum ws_status fetch_past(struct ws_tags *t, struct tags_access *x, uint32_t fetch,
				 uint32_t name, struct ws_err *err)
{
	struct ws_answer *a = x->answer;
	enum ws_status status = ws_mshrs_add(&t->mshrs, x->view->access->address, fetch, &a->mshr,
					     err);

	if (status != WS_OK)
		return status;
	went_past(t, x);
	a->fetch = fetch;
	a->waits++;
	return ws_mshrs_wait(&t->mshrs, a->mshr, name, err);
}

static enum ws_status load_miss(struct ws_tags *t, struct tags_access *x, uint32_t fetch,
				uint32_t coming, uint32_t name, struct ws_err *err)
{
	bool past = !x->there && ws_ways_bypassed(x->view);
	bool way = !past && !x->there && !t->on_fill;
	enum ws_status status = WS_OK;

	if (way)
		status = way_check(t, x, ws_tag_pieces(t, fetch), err);
	else if (x->room < ws_tag_pieces(t, fetch) || x->full)
		fail(t, x, WS_FAIL_QUEUE);
	if (status != WS_OK || failed(x))
		return status;
	assert(fetch && !(fetch & coming));
	if (t->mshrs.live + (uint64_t)x->held >= t->cache.mshr_entries)
		fail(t, x, WS_FAIL_MSHR);
	else if (merge_full(t, x, coming))
		fail(t, x, WS_FAIL_MERGE);
	if (failed(x))
		return WS_OK;
	x->answer->outcome = x->there ? WS_SECTOR_MISS : WS_MISS;
	if (x->there)
		touch_line(t, x);
	else if (way)
		status = take_way(t, x, err);
	else if (!past && x->number == WS_NONE)
		status = line_add(t, x, err);
	if (past) {
		status = fetch_past(t, x, fetch, name, err);
		fetch = 0;
	} else if (status == WS_OK) {
		status = fetch_begin(t, x, fetch, err);
	}
	return status != WS_OK ? status : wait(t, x, fetch | coming, name, err);
}

static enum ws_status load_sectors(struct ws_tags *t, struct tags_access *x,
				   const struct ws_lookup *l,
				   struct ws_err *err)
{
	static const struct ws_tag_line none;
	const struct ws_tag_line *line = x->number == WS_NONE ? &none : line_of(t, x);
	uint32_t missing = x->asked & ~line->valid, coming, partial = partial_of(t, x->number);
	enum ws_status status = WS_OK;

	if (partial)
		missing |= ws_tag_groups(&t->sector, x->asked & partial) * t->sector.all;
	coming = missing & line->coming;
	x->answer->hits = x->asked & ~missing;
	x->answer->pending = coming;
	if (!missing) {
		x->answer->outcome = WS_HIT;
		touch_line(t, x);
	} else if (missing == coming) {
		status = load_pending(t, x, coming, l->waiter, err);
	} else {
		status = load_miss(t, x, missing & ~coming, coming, l->waiter, err);
	}
	if (l->access.kind == WS_ATOMIC && status == WS_OK && !failed(x)) {
		line_of(t, x)->modified |= x->asked;
		t->modified = true;
	}
	return status;
}

/* ---- stores -------------------------------------------------------------------------------- */

static enum ws_outcome store_outcome(struct ws_tags *t, const struct tags_access *x)
{
	const struct ws_tag_line *line;

	if (!x->there)
		return WS_MISS;
	line = line_of(t, x);
	x->answer->hits = x->asked & line->valid;
	x->answer->pending = t->on_fill ? 0 : x->asked & line->coming;
	if (!(x->asked & ~line->valid))
		return WS_HIT;
	if (!t->on_fill && !(x->asked & ~(line->valid | line->coming)))
		return WS_PENDING;
	return WS_SECTOR_MISS;
}

static void store_past(struct ws_tags *t, struct tags_access *x, uint32_t sectors, bool past)
{
	if (x->room < ws_tag_pieces(t, sectors) || x->full) {
		fail(t, x, WS_FAIL_QUEUE);
		return;
	}
	x->answer->send = sectors;
	if (past) {
		went_past(t, x);
		return;
	}
	if (t->store == WS_ACT_TOUCH || !x->there) {
		touch_line(t, x);
		return;
	}
	x->set->clock = x->view->clock;
	if (x->stays && !t->on_fill && line_of(t, x)->coming)
		return;
	throw_out(t, x, line_of(t, x)->way);
}

/* Stores are known by their bytes: what they wrote in part, sectors `fresh` of a line that had them
 * not, cannot be read until all of it is written, or fetched. */
static enum ws_status note_written(struct ws_tags *t, struct tags_access *x, uint32_t sectors,
				   uint32_t fresh, const struct ws_written *written,
				   struct ws_err *err)
{
	uint64_t first = line_of(t, x)->address / WS_SECTOR_BYTES;
	size_t each = (size_t)t->cache.line_bytes / WS_SECTOR_BYTES;
	uint32_t *bytes, *partial;

	if (!WS_ROOM(t->written, t->written_cap, t->lines.used * each) ||
	    !WS_ROOM(t->partial, t->partial_cap, t->lines.used))
		return ws_fail_memory(err, "what stores wrote");
	while (t->partials < t->lines.used)
		t->partial[t->partials++] = 0;
	bytes = t->written + x->number * each;
	partial = &t->partial[x->number];
	for (uint32_t left = x->asked & (fresh | *partial); left; left &= left - 1) {
		unsigned s = ws_lowest_bit(left);
		unsigned at = (unsigned)(first + s) % WS_COUNT(written->byte);
		uint32_t bit = 1u << s, now = sectors & bit ? written->byte[at] : 0;

		bytes[s] = fresh & bit ? now : bytes[s] | now;
		if (bytes[s] == UINT32_MAX)
			*partial &= ~bit;
		else
			*partial |= bit;
	}
	return WS_OK;
}

static enum ws_status store_keep(struct ws_tags *t, struct tags_access *x,
				 const struct ws_lookup *l, struct ws_err *err)
{
	uint32_t sectors = l->access.sectors, fresh;
	uint32_t packets = t->through ? ws_tag_pieces(t, sectors) : 0;
	enum ws_status status = WS_OK;
	struct ws_tag_line *line;

	if (!x->there)
		status = way_check(t, x, packets, err);
	else if (x->room < packets || (x->full && (packets || x->answer->outcome != WS_HIT)))
		fail(t, x, WS_FAIL_QUEUE);
	if (status != WS_OK || failed(x))
		return status;
	if (x->there)
		touch_line(t, x);
	else
		status = take_way(t, x, err);
	if (status != WS_OK)
		return status;
	line = line_of(t, x);
	fresh = x->asked & ~(line->valid | line->coming);
	line->valid |= t->on_fill ? x->asked : x->asked & ~line->coming;
	if (l->written)
		status = note_written(t, x, sectors, fresh, l->written, err);
	if (t->through) {
		x->answer->send = sectors;
	} else {
		line->modified |= x->asked;
		t->modified = true;
	}
	return status;
}

static enum ws_status store_sectors(struct ws_tags *t, struct tags_access *x,
				    const struct ws_lookup *l, struct ws_err *err)
{
	uint32_t sectors = l->access.sectors;
	bool keeps = t->store == WS_ACT_FETCH;
	bool past = keeps && !x->there && ws_ways_bypassed(x->view);

	x->answer->outcome = (uint8_t)store_outcome(t, x);
	if (keeps && !past)
		return store_keep(t, x, l, err);
	store_past(t, x, sectors, past);
	return WS_OK;
}

/* ---- the interface ------------------------------------------------------------------------- */

enum ws_status ws_tags_lookup(struct ws_tags *t, const struct ws_lookup *l, struct ws_answer *a,
			      struct ws_err *err)
{
	const struct ws_access *r = &l->access;
	struct tags_access x;

	/* Of no sectors, the difference is more than any mask. */
	if (l->set >= t->cache.sets || r->sectors - 1 >= t->line_mask || r->kind >= t->kinds)
		return ws_fail(err, WS_EINVAL, "look-up of kind %u, set %" PRIu64 ", sectors 0x%x: "
			       "want those of a cache of %" PRIu64 " sets and sectors 0x%x",
			       r->kind, l->set, r->sectors, t->cache.sets, t->line_mask);
	*a = (struct ws_answer){ .mshr = WS_NONE };
	access_begin(t, &x, a, r, l->set);
	x.number = ws_tag_lines_find(&t->lines, r->address);
	x.there = x.number != WS_NONE && t->lines.line[x.number].way != WS_NONE;
	x.asked = ws_tag_groups(&t->sector, r->sectors) * t->sector.all;
	x.room = l->room;
	x.held = l->held;
	x.stays = l->stays;
	x.full = l->full;
	return r->kind == WS_STORE ? store_sectors(t, &x, l, err)
	       : load_sectors(t, &x, l, err);
}

/* Sectors of a line that is still wanted. */
static enum ws_status arrive(struct ws_tags *t, uint32_t mshr, struct ws_answer *a,
			     struct ws_err *err)
{
	const struct ws_mshr *m = &t->mshrs.mshr[mshr];
	struct ws_tag_line *line = &t->lines.line[m->line];
	uint32_t *link = &line->mshr;
	struct tags_access x;
	enum ws_status status = WS_OK;

	while (*link != mshr)
		link = &t->mshrs.mshr[*link].next;
	*link = m->next;
	line->coming &= ~m->fetch;
	if (line->way == WS_NONE) {
		access_begin(t, &x, a, &m->access, line->set);
		x.number = m->line;
		status = take_way(t, &x, err);
	} else if (!t->on_fill && !line->coming) {
		t->set[line->set].reserved--;
	}
	line->valid |= m->fetch;
	keep_whole(t, m->line, m->fetch);
	return status;
}

enum ws_status ws_tags_fill(struct ws_tags *t, uint32_t mshr, const uint32_t **waiter,
			    size_t *count, uint64_t *victim, uint32_t *victim_sectors,
			    struct ws_err *err)
{
	const struct ws_mshr *m = &t->mshrs.mshr[mshr];
	struct ws_answer a = { 0 };
	enum ws_status status = ws_mshrs_wake(&t->mshrs, mshr, waiter, count, err);

	if (status == WS_OK && m->line != WS_NONE)
		status = arrive(t, mshr, &a, err);
	*victim = a.victim;
	*victim_sectors = a.victim_sectors;
	if (status == WS_OK)
		ws_mshrs_remove(&t->mshrs, mshr);
	return status;
}

uint64_t *ws_tags_shared(const struct ws_tags *t)
{
	return t->state.shared;
}

enum ws_status ws_tags_warm(struct ws_tags *t, uint64_t line, uint64_t set, uint32_t sectors,
			    struct ws_err *err)
{
	const struct ws_lookup l = {
		.access = { .address = line, .instruction = UINT32_MAX, .sectors = sectors,
			    .kind = WS_LOAD },
		.set = set, .room = UINT32_MAX,
	};
	struct ws_answer a;
	const uint32_t *waiter;
	size_t count;
	enum ws_status status = ws_tags_lookup(t, &l, &a, err);

	if (status != WS_OK || !a.fetch)
		return status;
	return ws_tags_fill(t, a.mshr, &waiter, &count, &a.victim, &a.victim_sectors, err);
}
