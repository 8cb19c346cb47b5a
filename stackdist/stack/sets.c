/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/stack/sets.c -- the stacks of all sets of a cache (sets.h).
 *
 * Each line has an entry: its set and the time slot of its last use.  Each set has
 * time slots, allocated when it is first used, and a list of its lines, which
 * renumbering walks.  A use asks how many occupied slots are newer, gives the
 * slot back and takes the next one; what else happens is written under each
 * policy below.
 *
 * A batch is worked off in stages: new lines get entries, and the entries of the batch
 * are fetched; then what they point to is fetched; then the lines are used one
 * after another, which gives positions; then distances are made of positions, request by
 * request or, in sectored caches, sector by sector.
 *
 * Sectored caches keep, per line and sector, the largest position the line
 * was seen at since the sector was fetched.  The two values above all
 * distances, WS_DISTANCE_COLD and WS_DISTANCE_UNCACHED, stand for never
 * fetched and thrown out, so the largest of what is asked for is the answer.
 *
 * Where sets differ in their ways (ws_cache.set_ways), distances are from the end of the set with
 * the most: those of a set with k ways less are k more.  So a request hits iff its distance is
 * below the most ways.
 *
 * Memory: 12 bytes per line (16 under write-through) and 4 per sector, times two where
 * arrays have just grown; 64 bytes per set (88 or 104 with invalid ways or pins); 1 byte or so
 * of slots per line.
 */
#include "stackdist/stack/sets.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stackdist/stack/cpu.h"
#include "stackdist/stack/invalid_ways.h"
#include "stackdist/stack/lines.h"
#include "stackdist/stack/deferred.h"

#define BATCH 256u
#define FETCH_LINES (1u << 19)	/* with more of them the slots are in no near cache */

/* Slots of lines that have none. */
#define SLOT_NEW WS_DISTANCE_COLD	/* never used before */
#define SLOT_OUT WS_DISTANCE_UNCACHED	/* thrown out */
#define SLOT_MAX (SLOT_OUT - 1)

struct stack_entry {
	uint32_t slot;		/* of the last use, or one of the above */
	uint32_t set;
};

struct stack_set {
	struct ws_slots slots;
	uint32_t *line;		/* the numbers of its lines, in any order */
	uint32_t lines, lines_cap;
};

struct part;
typedef bool find_lines(struct ws_sets *s, const struct part *p);

struct ws_sets {
	struct ws_cache cache;
	struct stack_entry *entry;	/* by line number */
	size_t count, cap;
	struct stack_set *set;
	struct ws_invalid_ways *invalid_ways;	/* per set, write-evict only */
	struct ws_deferred *deferred;	/* per set, write-through only */
	uint32_t *promoted_late;	/* per line, write-through only: position, or WS_PIN_NONE */
	size_t promoted_late_cap;
	uint32_t *mark;		/* [line * sectors + sector], sectored only */
	size_t mark_cap;
	find_lines *find;
	struct ws_sectoring by;
	uint32_t *fewer;	/* by set: ways less than the most; NULL: all have as many */
};

static find_lines *find_of(enum ws_write write, enum ws_simd simd);

/* ---- life ------------------------------------------------------------------- */

static enum ws_status check_cache(const struct ws_cache *c, struct ws_err *err)
{
	if (c->sets == 0 || c->sets > UINT32_MAX)
		return ws_fail(err, WS_EINVAL, "%" PRIu64 " sets: expected 1 to %u", c->sets,
			       UINT32_MAX);
	if (c->sector_bytes == c->line_bytes)
		return WS_OK;
	if (c->sector_bytes == 0 || c->sector_bytes % WS_SECTOR_BYTES ||
	    c->line_bytes % c->sector_bytes || c->line_bytes > WS_LINE_MAX)
		return ws_fail(err, WS_EINVAL, "sectors of %" PRIu64 " bytes in lines of %" PRIu64
			       ": expected a multiple of %u that divides a line of at most %u "
			       "bytes", c->sector_bytes, c->line_bytes, WS_SECTOR_BYTES,
			       WS_LINE_MAX);
	return WS_OK;
}

static bool allocate_sets(struct ws_sets *s)
{
	size_t sets = (size_t)s->cache.sets;
	enum ws_act store = ws_store_act(s->cache.write);

	s->set = ws_alloc_zero(sets, sizeof *s->set);
	if (store == WS_ACT_EVICT)
		s->invalid_ways = ws_alloc_zero(sets, sizeof *s->invalid_ways);
	else if (store == WS_ACT_TOUCH)
		s->deferred = ws_alloc_zero(sets, sizeof *s->deferred);
	return s->set && (s->invalid_ways || store != WS_ACT_EVICT) &&
	       (s->deferred || store != WS_ACT_TOUCH);
}

static bool note_fewer(struct ws_sets *s)
{
	bool ok = ws_cache_set_ways(&s->cache, &s->fewer);

	for (size_t i = 0; s->fewer && i < s->cache.sets; i++)
		s->fewer[i] = (uint32_t)s->cache.ways - s->fewer[i];
	return ok;
}

enum ws_status ws_sets_new(struct ws_sets **out, const struct ws_cache *cache,
			   struct ws_err *err)
{
	enum ws_status status = check_cache(cache, err);
	struct ws_sets *s;

	if (status != WS_OK)
		return status;
	s = ws_alloc_zero(1, sizeof *s);
	if (!s)
		return ws_fail_memory(err, "stacks");
	s->cache = *cache;
	s->find = find_of(cache->write, ws_cpu_simd());
	s->by = ws_sectoring_of(cache->line_bytes, cache->sector_bytes);
	if (!allocate_sets(s) || !note_fewer(s)) {
		ws_sets_free(s);
		return ws_fail_memory(err, "the stacks of a cache's sets");
	}
	*out = s;
	return WS_OK;
}

void ws_sets_limit(struct ws_sets *s, enum ws_simd most)
{
	enum ws_simd here = ws_cpu_simd();

	s->find = find_of(s->cache.write, here < most ? here : most);
}

void ws_sets_free(struct ws_sets *s)
{
	if (!s)
		return;
	for (size_t i = 0; s->set && i < s->cache.sets; i++) {
		ws_slots_clear(&s->set[i].slots);
		free(s->set[i].line);
		if (s->invalid_ways)
			ws_invalid_ways_clear(s->invalid_ways + i);
		if (s->deferred)
			ws_deferred_clear(s->deferred + i);
	}
	free(s->set);
	free(s->fewer);
	free(s->invalid_ways);
	free(s->deferred);
	free(s->promoted_late);
	free(s->mark);
	free(s->entry);
	free(s);
}

/* ---- room ------------------------------------------------------------------------ */

static bool join_flow(struct stack_set *set, uint32_t id)
{
	size_t cap = set->lines_cap;

	if (!WS_ROOM(set->line, cap, set->lines + (size_t)1))
		return false;
	set->lines_cap = (uint32_t)cap;
	set->line[set->lines++] = id;
	return true;
}

static bool add_line(struct ws_sets *s, uint64_t address)
{
	size_t marks = s->by.count > 1 ? s->by.count : 0;
	uint32_t set = (uint32_t)ws_set_index(&s->cache, address);

	if (!WS_ROOM(s->entry, s->cap, s->count + 1) ||
	    !join_flow(s->set + set, (uint32_t)s->count) ||
	    (marks && !WS_ROOM(s->mark, s->mark_cap, (s->count + 1) * marks)) ||
	    (s->deferred && !WS_ROOM(s->promoted_late, s->promoted_late_cap, s->count + 1)))
		return false;
	for (size_t i = 0; i < marks; i++)
		s->mark[s->count * marks + i] = WS_DISTANCE_COLD;
	if (s->deferred)
		s->promoted_late[s->count] = WS_PIN_NONE;
	s->entry[s->count++] = (struct stack_entry){ SLOT_NEW, set };
	return true;
}

static bool renumber(struct ws_sets *s, uint32_t index)
{
	struct stack_set *set = s->set + index;
	struct ws_slots *slots = &set->slots;
	const struct ws_deferred *deferred = s->deferred ? s->deferred + index : NULL;

	/* Pinned lines hold slots that are not counted: count them meanwhile. */
	for (size_t i = 0; deferred && i < deferred->count; i++)
		ws_slots_restore(slots, s->entry[deferred->pin[i].id].slot);
	for (uint32_t i = 0; i < set->lines; i++) {
		struct stack_entry *e = s->entry + set->line[i];

		if (e->slot <= SLOT_MAX)
			e->slot = ws_slots_rank(slots, e->slot);
	}
	for (size_t i = 0; s->invalid_ways && i < s->invalid_ways[index].count; i++)
		s->invalid_ways[index].heap[i] =
			ws_slots_rank(slots, s->invalid_ways[index].heap[i]);
	if (!ws_slots_close(slots))
		return false;
	for (size_t i = 0; deferred && i < deferred->count; i++)
		ws_slots_give(slots, s->entry[deferred->pin[i].id].slot);
	return true;
}

/* ---- one use of a line; returns the position it was found at ----------------------
 * popcnt: as in slots.h.
 */
typedef uint32_t use_line(struct ws_sets *s, uint32_t id, bool store, bool popcnt);

/* A store leaves an invalid way.  A load fills the newest invalid way that is above the line
 * and leaves one where it was: what lies between shifts by one, the rest stays. */
static WS_INLINE uint32_t use_evict(struct ws_sets *s, uint32_t id, bool store, bool popcnt)
{
	struct stack_entry *e = s->entry + id;
	struct ws_slots *slots = &s->set[e->set].slots;
	struct ws_invalid_ways *invalid_ways = s->invalid_ways + e->set;
	uint32_t slot = e->slot, position = slot;

	if (slot > SLOT_MAX) {
		if (store)
			return position;
		if (invalid_ways->count)
			ws_slots_give(slots, ws_invalid_ways_pop(invalid_ways));
		e->slot = ws_slots_take(slots, true);
		return position;
	}
	if (!store && slot + 1 == slots->top)
		return 0;
	position = ws_slots_above(slots, slot, popcnt);
	if (store) {
		ws_invalid_ways_push(invalid_ways, slot);
		e->slot = SLOT_OUT;
		return position;
	}
	if (invalid_ways->count && invalid_ways->heap[0] > slot)
		slot = ws_invalid_ways_swap(invalid_ways, slot);
	ws_slots_give(slots, slot);
	e->slot = ws_slots_take(slots, true);
	return position;
}

/* Lets the pinned lines whose gap has closed join the flow. */
static void settle_pins(struct ws_sets *s, struct ws_slots *slots, struct ws_deferred *deferred)
{
	uint64_t due = UINT64_MAX;

	for (size_t i = 0; i < deferred->count; ) {
		struct ws_pin *pin = deferred->pin + i;
		struct stack_entry *e = s->entry + pin->id;

		if (pin->due <= deferred->uses)
			pin->due = deferred->uses + pin->position - i -
				   ws_slots_above(slots, e->slot, false);
		if (pin->due == deferred->uses) {
			ws_slots_restore(slots, e->slot);
			s->promoted_late[pin->id] = WS_PIN_NONE;
			ws_deferred_remove(deferred, pin->position);
			continue;
		}
		due = pin->due < due ? pin->due : due;
		i++;
	}
	deferred->due = due;
}

/* A pinned line, or one that is to be pinned, is newest but not counted. */
static WS_INLINE uint32_t use_through(struct ws_sets *s, uint32_t id, bool store, bool popcnt)
{
	struct stack_entry *e = s->entry + id;
	struct ws_slots *slots = &s->set[e->set].slots;
	struct ws_deferred *deferred = s->deferred + e->set;
	uint32_t position = s->promoted_late[id];

	if (e->slot > SLOT_MAX) {
		position = e->slot;
	} else if (position != WS_PIN_NONE) {
		if (store) {
			e->slot = ws_slots_take(slots, false);
			return position;
		}
		ws_deferred_remove(deferred, position);
		s->promoted_late[id] = WS_PIN_NONE;
	} else {
		if (e->slot + 1 == slots->top)
			return 0;
		position = ws_slots_above(slots, e->slot, popcnt);
		if (deferred->count)
			position = ws_deferred_position(deferred, position);
		ws_slots_give(slots, e->slot);
	}
	deferred->uses++;
	if (store && position > 0) {
		ws_deferred_add(deferred, position, id);
		s->promoted_late[id] = position;
	}
	e->slot = ws_slots_take(slots, s->promoted_late[id] == WS_PIN_NONE);
	if (deferred->count && deferred->uses >= deferred->due)
		settle_pins(s, slots, deferred);
	return position;
}

/* ---- the lines of a batch -------------------------------------------------------------- */

struct part {			/* of a push */
	const struct ws_request *request;
	const uint32_t *index;	/* its requests are request[index[i]]; NULL: request[i] */
	const uint32_t *id;
	size_t count;
	uint32_t *position;	/* of each */
};

static inline const struct ws_request *request_of(const struct part *p, size_t i)
{
	return p->request + (p->index ? p->index[i] : i);
}

/* Entries for the lines that are new; the others' are fetched, and their marks. */
static bool meet(struct ws_sets *s, const struct part *p)
{
	for (size_t i = 0; s->by.count > 1 && i < p->count; i++)
		WS_FETCH_AHEAD(s->mark, (size_t)p->id[i] * s->by.count);
	for (size_t i = 0; i < p->count; i++) {
		WS_FETCH_AHEAD(s->entry, p->id[i]);
		if (p->id[i] == s->count && !add_line(s, request_of(p, i)->address))
			return false;
	}
	return true;
}

/* Fetches what the uses of a batch will read and write first. */
static void fetch(const struct ws_sets *s, const struct part *p)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct stack_entry *e = s->entry + (p->id[i] == WS_LINE_NONE ? 0 : p->id[i]);
		const struct ws_slots *slots = &s->set[e->set].slots;
		uint32_t slot = e->slot <= SLOT_MAX ? e->slot : 0;

		WS_FETCH_AHEAD(slots->word, slot / 64);
		WS_FETCH_AHEAD(slots->near, slot / 64);
	}
}

/* Makes sure that the set's next slot can be taken; false: out of memory. */
static bool advance(struct ws_sets *s, uint32_t index)
{
	struct ws_slots *slots = &s->set[index].slots;

	if (slots->top == slots->capacity && !renumber(s, index))
		return false;
	ws_slots_enter(slots);
	return true;
}

/* Positions of a batch where all allocate; false: out of memory. */
static WS_INLINE bool find_loads(struct ws_sets *s, const struct part *p, bool popcnt)
{
	struct stack_entry *entry = s->entry;
	struct stack_set *set = s->set;
	const uint32_t *id = p->id;
	uint32_t *position = p->position;

	for (size_t i = 0, n = p->count; i < n; i++) {
		struct ws_slots *slots;
		struct stack_entry *e;

		if (id[i] == WS_LINE_NONE) {
			position[i] = WS_DISTANCE_UNCACHED;
			continue;
		}
		e = entry + id[i];
		slots = &set[e->set].slots;
		if (slots->top % 64 == 0 && !advance(s, e->set))
			return false;
		position[i] = e->slot;
		if (e->slot > SLOT_MAX)
			e->slot = ws_slots_take(slots, true);
		else if (e->slot + 1 == slots->top)
			position[i] = 0;
		else
			position[i] = ws_slots_renew(slots, &e->slot, popcnt);
	}
	return true;
}

/* The same where stores do not. */
static WS_INLINE bool find_position(struct ws_sets *s, const struct part *p, use_line *use,
				    bool popcnt)
{
	for (size_t i = 0; i < p->count; i++) {
		uint32_t id = p->id[i], set;

		p->position[i] = WS_DISTANCE_UNCACHED;
		if (id == WS_LINE_NONE)
			continue;
		set = s->entry[id].set;
		if (s->set[set].slots.top % 64 == 0 && !advance(s, set))
			return false;
		if (s->invalid_ways ? !ws_invalid_ways_room(s->invalid_ways + set)
				    : !ws_deferred_room(s->deferred + set))
			return false;
		p->position[i] = use(s, id, request_of(p, i)->kind == WS_STORE, popcnt);
	}
	return true;
}

#define FIND(name, found) \
	static bool name(struct ws_sets *s, const struct part *p) \
	{ \
		const bool popcnt = false; \
		return found; \
	} \
	WS_TARGET_AVX2 static bool name##_avx2(struct ws_sets *s, const struct part *p) \
	{ \
		const bool popcnt = true; \
		return found; \
	}
FIND(find_allocate, find_loads(s, p, popcnt))
FIND(find_evict, find_position(s, p, use_evict, popcnt))
FIND(find_through, find_position(s, p, use_through, popcnt))

static find_lines *find_of(enum ws_write write, enum ws_simd simd)
{
	bool avx2 = simd != WS_SIMD_NONE;

	switch (ws_store_act(write)) {
	case WS_ACT_EVICT:
		return avx2 ? find_evict_avx2 : find_evict;
	case WS_ACT_TOUCH:
		return avx2 ? find_through_avx2 : find_through;
	case WS_ACT_FETCH:
		break;
	}
	return avx2 ? find_allocate_avx2 : find_allocate;
}

/* ---- from positions to distances -------------------------------------------------------- */

/* The largest mark of the sectors asked for, at least the position. */
static uint32_t use_sectors(struct ws_sets *s, uint32_t id, const struct ws_request *r,
			    uint32_t position, struct ws_set_places *to)
{
	uint32_t mask = ws_sectors_asked(s->by, r->sectors);
	uint32_t *mark = s->mark + (size_t)id * s->by.count;
	bool fetch = r->kind != WS_STORE || ws_store_allocates(s->cache.write);
	bool evict = !fetch && ws_store_act(s->cache.write) == WS_ACT_EVICT;
	uint32_t most = position;

	for (unsigned i = 0; i < s->by.count; i++) {
		bool held = position <= WS_DISTANCE_MAX && mark[i] <= WS_DISTANCE_MAX;
		bool asked = mask >> i & 1;

		if (held && mark[i] < position)
			mark[i] = position;
		if (asked && mark[i] > most)
			most = mark[i];
		if (asked && to->sector)
			to->sector[to->sectors++] = !fetch && mark[i] == WS_DISTANCE_COLD ?
						    WS_DISTANCE_UNCACHED : mark[i];
		if (asked && fetch)
			mark[i] = 0;
		else if (held && evict)
			mark[i] = WS_DISTANCE_UNCACHED;
	}
	return !fetch && most == WS_DISTANCE_COLD ? WS_DISTANCE_UNCACHED : most;
}

/* The same where every request fetches and nobody wants to know of single sectors. */
static WS_INLINE uint32_t use_fetched(uint32_t *mark, unsigned sectors, uint32_t mask,
				      uint32_t position)
{
	uint32_t most = position;

	WS_UNROLL
	for (unsigned i = 0; i < sectors; i++) {
		uint32_t m = mark[i], asked = 0 - (mask >> i & 1);

		if (m < position && position <= WS_DISTANCE_MAX)
			m = position;
		most = (m & asked) > most ? m : most;
		mark[i] = m & ~asked;
	}
	return most;
}

static WS_INLINE void by_fetched(struct ws_sets *s, const struct part *p, unsigned sectors)
{
	for (size_t i = 0; i < p->count; i++) {
		uint32_t id = p->id[i];

		if (id != WS_LINE_NONE)
			p->position[i] = use_fetched(
				s->mark + (size_t)id * sectors, sectors,
				ws_sectors_asked(s->by, request_of(p, i)->sectors), p->position[i]);
	}
}

/* A request without a line: nothing of what it asks for is cached. */
static void no_sectors(const struct ws_sets *s, const struct ws_request *r,
		       struct ws_set_places *to)
{
	if (to->sector)
		for (uint32_t mask = ws_sectors_asked(s->by, r->sectors); mask; mask &= mask - 1)
			to->sector[to->sectors++] = WS_DISTANCE_UNCACHED;
}

/* Positions become distances. */
static void by_sector(struct ws_sets *s, const struct part *p, struct ws_set_places *to)
{
	if (ws_store_allocates(s->cache.write) && !to->sector) {
		if (s->by.count == 4)
			by_fetched(s, p, 4);
		else
			by_fetched(s, p, s->by.count);
		return;
	}
	for (size_t i = 0; i < p->count; i++)
		if (p->id[i] == WS_LINE_NONE)
			no_sectors(s, request_of(p, i), to);
		else
			p->position[i] = use_sectors(s, p->id[i], request_of(p, i),
						     p->position[i], to);
}

/* Distances from the end of each set; sector: to->sectors before the batch. */
static void count_from_end(const struct ws_sets *s, const struct part *p, size_t sector,
			   struct ws_set_places *to)
{
	for (size_t i = 0; i < p->count; i++) {
		uint32_t fewer = p->id[i] == WS_LINE_NONE ? 0 : s->fewer[s->entry[p->id[i]].set];
		uint32_t mask = to->sector ? ws_sectors_asked(s->by, request_of(p, i)->sectors) : 0;

		if (p->position[i] <= WS_DISTANCE_MAX)
			p->position[i] += fewer;
		for (; mask; mask &= mask - 1, sector++)
			if (to->sector[sector] <= WS_DISTANCE_MAX)
				to->sector[sector] += fewer;
	}
}

static bool push(struct ws_sets *s, const struct part *p, size_t at, struct ws_set_places *to)
{
	size_t sectors = to->sectors;

	if (!meet(s, p))
		return false;
	if (s->count > FETCH_LINES)
		fetch(s, p);
	if (!s->find(s, p))
		return false;
	if (to->position)
		memcpy(to->position + at, p->position, p->count * sizeof *p->position);
	for (size_t i = 0; to->set && i < p->count; i++)
		if (p->id[i] != WS_LINE_NONE)
			to->set[at + i] = s->entry[p->id[i]].set;
	if (s->by.count > 1)
		by_sector(s, p, to);
	if (s->fewer)
		count_from_end(s, p, sectors, to);
	return true;
}

enum ws_status ws_sets_push(struct ws_sets *s, const struct ws_request *request,
			    const uint32_t *id, size_t count, struct ws_set_places *to,
			    struct ws_err *err)
{
	to->sectors = 0;
	for (size_t i = 0; i < count; i += BATCH) {
		struct part p = { request + i, NULL, id + i,
				  count - i < BATCH ? count - i : BATCH, to->distance + i };

		if (!push(s, &p, i, to))
			return ws_fail_memory(err, "the stacks of a cache's sets");
	}
	return WS_OK;
}

enum ws_status ws_sets_push_some(struct ws_sets *s, const struct ws_request *request,
				 const uint32_t *index, const uint32_t *id, size_t count,
				 uint32_t *distance, struct ws_err *err)
{
	struct ws_set_places to = { .distance = distance };

	for (size_t i = 0; i < count; i += BATCH) {
		struct part p = { request, index + i, id + i,
				  count - i < BATCH ? count - i : BATCH, distance + i };

		if (!push(s, &p, i, &to))
			return ws_fail_memory(err, "the stacks of a cache's sets");
	}
	return WS_OK;
}
