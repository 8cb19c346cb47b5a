/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/sets.c -- the stacks of all sets of a cache (sets.h).
 *
 * Each line has an entry: its set, the time slot of its last use, its
 * neighbour in the list of the set's lines, which renumbering walks.  Each
 * set has time slots, allocated when it is first used.  A use asks how many
 * occupied slots are newer, gives the slot back and takes the next one; what
 * else happens is written under each policy below.
 *
 * Sectored caches keep, per line and sector, the largest position the line
 * was seen at since the sector was fetched.  The two values above all
 * distances, WS_DISTANCE_COLD and WS_DISTANCE_UNCACHED, stand for never
 * fetched and thrown out, so the largest of what is asked for is the answer.
 *
 * Memory: 16 bytes per line and 4 per sector, 32 bytes per set (48 or 72 with
 * holes or pins), 1 byte or so of slots per line.
 */
#include "stackdist/sets.h"

#include <stdlib.h>
#include <string.h>

#include "stackdist/holes.h"
#include "stackdist/lines.h"
#include "stackdist/pins.h"

#define POSITION_NONE WS_DISTANCE_UNCACHED	/* the line is not in the stack */

struct entry {
	uint32_t slot;		/* of the last use; WS_SLOT_NONE: not in the stack */
	uint32_t next;		/* another line of the set, or WS_LINE_NONE */
	uint32_t set;
	uint32_t pinned;	/* position, or WS_PIN_NONE */
};

struct set {
	struct ws_slots slots;
	uint32_t head;		/* list of its lines */
};

struct ws_sets {
	struct ws_cache cache;
	struct entry *entry;	/* by line number */
	size_t count, cap;
	struct set *set;
	struct ws_holes *holes;	/* per set, write-evict only */
	struct ws_pins *pins;	/* per set, write-through only */
	uint32_t *mark;		/* [line * sectors + sector], sectored only */
	size_t mark_cap;
	unsigned sectors;	/* per line; 1: not sectored */
	unsigned fold;		/* 32 B sectors in one of the cache's */
};

/* ---- life ------------------------------------------------------------------- */

static enum ws_status check(const struct ws_cache *c, struct ws_err *err)
{
	if (c->sets == 0 || c->sets > UINT32_MAX)
		return ws_fail(err, WS_EINVAL, "%llu sets: expected 1 to %u",
			       (unsigned long long)c->sets, UINT32_MAX);
	if (c->sector_bytes == c->line_bytes)
		return WS_OK;
	if (c->sector_bytes == 0 || c->sector_bytes % WS_SECTOR_BYTES ||
	    c->line_bytes % c->sector_bytes || c->line_bytes > WS_LINE_MAX)
		return ws_fail(err, WS_EINVAL, "sectors of %llu bytes in lines of %llu: expected "
			       "a multiple of %u that divides a line of at most %u bytes",
			       (unsigned long long)c->sector_bytes,
			       (unsigned long long)c->line_bytes, WS_SECTOR_BYTES, WS_LINE_MAX);
	return WS_OK;
}

static bool allocate(struct ws_sets *s)
{
	size_t sets = (size_t)s->cache.sets;

	s->set = ws_alloc_zero(sets, sizeof(*s->set));
	if (!s->set)
		return false;
	for (size_t i = 0; i < sets; i++)
		s->set[i].head = WS_LINE_NONE;
	if (s->cache.write == WS_WRITE_EVICT)
		s->holes = ws_alloc_zero(sets, sizeof(*s->holes));
	else if (s->cache.write == WS_WRITE_THROUGH)
		s->pins = ws_alloc_zero(sets, sizeof(*s->pins));
	return (s->holes || s->cache.write != WS_WRITE_EVICT) &&
	       (s->pins || s->cache.write != WS_WRITE_THROUGH);
}

enum ws_status ws_sets_new(struct ws_sets **out, const struct ws_cache *cache,
			   struct ws_err *err)
{
	enum ws_status status = check(cache, err);
	struct ws_sets *s;

	if (status)
		return status;
	s = ws_alloc_zero(1, sizeof(*s));
	if (!s)
		return ws_fail_memory(err, "stacks");
	s->cache = *cache;
	s->sectors = 1;
	if (cache->sector_bytes != cache->line_bytes)
		s->sectors = (unsigned)(cache->line_bytes / cache->sector_bytes);
	s->fold = (unsigned)(cache->sector_bytes / WS_SECTOR_BYTES);
	if (!allocate(s)) {
		ws_sets_free(s);
		return ws_fail_memory(err, "the stacks of a cache's sets");
	}
	*out = s;
	return WS_OK;
}

void ws_sets_free(struct ws_sets *s)
{
	if (!s)
		return;
	for (size_t i = 0; s->set && i < s->cache.sets; i++) {
		ws_slots_clear(&s->set[i].slots);
		if (s->holes)
			ws_holes_clear(s->holes + i);
		if (s->pins)
			ws_pins_clear(s->pins + i);
	}
	free(s->set);
	free(s->holes);
	free(s->pins);
	free(s->mark);
	free(s->entry);
	free(s);
}

/* ---- room: all that can fail happens here, before the stack is touched --------- */

static bool add_line(struct ws_sets *s, uint64_t address)
{
	struct entry *e = ws_grow(s->entry, &s->cap, s->count + 1, sizeof(*e));
	uint32_t set;

	if (!e)
		return false;
	s->entry = e;
	if (s->sectors > 1) {
		size_t need = (s->count + 1) * s->sectors;
		uint32_t *mark = ws_grow(s->mark, &s->mark_cap, need, sizeof(*mark));

		if (!mark)
			return false;
		s->mark = mark;
		for (size_t i = need - s->sectors; i < need; i++)
			mark[i] = WS_DISTANCE_COLD;
	}
	set = (uint32_t)ws_set_index(&s->cache, address);
	e[s->count] = (struct entry){ WS_SLOT_NONE, s->set[set].head, set, WS_PIN_NONE };
	s->set[set].head = (uint32_t)s->count++;
	return true;
}

static bool renumber(struct ws_sets *s, uint32_t index)
{
	struct set *set = s->set + index;
	struct ws_slots *slots = &set->slots;
	const struct ws_pins *pins = s->pins ? s->pins + index : NULL;

	/* Pinned lines hold slots that are not counted: count them meanwhile. */
	for (size_t i = 0; pins && i < pins->count; i++)
		ws_slots_restore(slots, s->entry[pins->pin[i].id].slot);
	ws_slots_open(slots);
	for (uint32_t id = set->head; id != WS_LINE_NONE; id = s->entry[id].next)
		if (s->entry[id].slot != WS_SLOT_NONE)
			s->entry[id].slot = ws_slots_rank(slots, s->entry[id].slot);
	for (size_t i = 0; s->holes && i < s->holes[index].count; i++)
		s->holes[index].heap[i] = ws_slots_rank(slots, s->holes[index].heap[i]);
	if (!ws_slots_close(slots))
		return false;
	for (size_t i = 0; pins && i < pins->count; i++)
		ws_slots_give(slots, s->entry[pins->pin[i].id].slot);
	return true;
}

static bool make_room(struct ws_sets *s, uint32_t set)
{
	const struct ws_slots *slots = &s->set[set].slots;

	return (slots->top < slots->capacity || renumber(s, set)) &&
	       (!s->holes || ws_holes_room(s->holes + set)) &&
	       (!s->pins || ws_pins_room(s->pins + set));
}

/* ---- one use of a line; returns the position it was found at ---------------------- */

static uint32_t use_allocate(struct ws_sets *s, uint32_t id, bool store)
{
	struct entry *e = s->entry + id;
	struct ws_slots *slots = &s->set[e->set].slots;
	uint32_t position = POSITION_NONE;

	(void)store;
	if (e->slot != WS_SLOT_NONE) {
		if (e->slot + 1 == slots->top)
			return 0;
		position = ws_slots_above(slots, e->slot);
		ws_slots_give(slots, e->slot);
	}
	e->slot = ws_slots_take(slots, true);
	return position;
}

/* A store leaves a hole.  A load fills the newest hole that is above the line
 * and leaves one where it was: what lies between shifts by one, the rest stays. */
static uint32_t use_evict(struct ws_sets *s, uint32_t id, bool store)
{
	struct entry *e = s->entry + id;
	struct ws_slots *slots = &s->set[e->set].slots;
	struct ws_holes *holes = s->holes + e->set;
	uint32_t slot = e->slot, position;

	if (slot == WS_SLOT_NONE) {
		if (store)
			return POSITION_NONE;
		if (holes->count)
			ws_slots_give(slots, ws_holes_pop(holes));
		e->slot = ws_slots_take(slots, true);
		return POSITION_NONE;
	}
	if (!store && slot + 1 == slots->top)
		return 0;
	position = ws_slots_above(slots, slot);
	if (store) {
		ws_holes_push(holes, slot);
		e->slot = WS_SLOT_NONE;
		return position;
	}
	if (holes->count && holes->heap[0] > slot)
		slot = ws_holes_swap(holes, slot);
	ws_slots_give(slots, slot);
	e->slot = ws_slots_take(slots, true);
	return position;
}

/* Lets the pinned lines whose gap has closed join the flow. */
static void settle(struct ws_sets *s, struct ws_slots *slots, struct ws_pins *pins)
{
	uint64_t due = UINT64_MAX;

	if (!pins->count || pins->uses < pins->due)
		return;
	for (size_t i = 0; i < pins->count; ) {
		struct ws_pin *pin = pins->pin + i;
		struct entry *e = s->entry + pin->id;

		if (pin->due <= pins->uses)
			pin->due = pins->uses + pin->position - i -
				   ws_slots_above(slots, e->slot);
		if (pin->due == pins->uses) {
			ws_slots_restore(slots, e->slot);
			e->pinned = WS_PIN_NONE;
			ws_pins_remove(pins, pin->position);
			continue;
		}
		due = pin->due < due ? pin->due : due;
		i++;
	}
	pins->due = due;
}

/* A pinned line, or one that is to be pinned, is newest but not counted. */
static uint32_t use_through(struct ws_sets *s, uint32_t id, bool store)
{
	struct entry *e = s->entry + id;
	struct ws_slots *slots = &s->set[e->set].slots;
	struct ws_pins *pins = s->pins + e->set;
	uint32_t position = e->pinned;

	if (e->slot == WS_SLOT_NONE) {
		position = POSITION_NONE;
	} else if (position != WS_PIN_NONE) {
		if (store) {
			e->slot = ws_slots_take(slots, false);
			return position;
		}
		ws_pins_remove(pins, position);
		e->pinned = WS_PIN_NONE;
	} else {
		if (e->slot + 1 == slots->top)
			return 0;
		position = ws_pins_position(pins, ws_slots_above(slots, e->slot));
		ws_slots_give(slots, e->slot);
	}
	pins->uses++;
	if (store && position > 0) {
		ws_pins_add(pins, position, id);
		e->pinned = position;
	}
	e->slot = ws_slots_take(slots, e->pinned == WS_PIN_NONE);
	settle(s, slots, pins);
	return position;
}

/* ---- requests ------------------------------------------------------------------------ */

static uint32_t fold_mask(const struct ws_sets *s, uint32_t sectors)
{
	uint32_t mask = 0, group = s->fold < 32 ? ((uint32_t)1 << s->fold) - 1 : UINT32_MAX;

	for (unsigned i = 0; i < s->sectors; i++)
		if (sectors >> i * s->fold & group)
			mask |= (uint32_t)1 << i;
	return mask;
}

/* The largest mark of the sectors asked for, at least `least`. */
static uint32_t use_sectors(struct ws_sets *s, uint32_t id, const struct ws_request *r,
			    uint32_t position, uint32_t least)
{
	uint32_t *mark = s->mark + (size_t)id * s->sectors, mask = fold_mask(s, r->sectors);
	bool fetch = r->kind == WS_LOAD || ws_store_allocates(s->cache.write);
	bool evict = !fetch && s->cache.write == WS_WRITE_EVICT;

	for (unsigned i = 0; i < s->sectors; i++) {
		bool held = position != POSITION_NONE && mark[i] <= WS_DISTANCE_MAX;

		if (held && mark[i] < position)
			mark[i] = position;
		if (mask >> i & 1 && mark[i] > least)
			least = mark[i];
		if (mask >> i & 1 && fetch)
			mark[i] = 0;
		else if (held && evict)
			mark[i] = WS_DISTANCE_UNCACHED;
	}
	return least;
}

typedef uint32_t use_line(struct ws_sets *s, uint32_t id, bool store);

static use_line *use_of(enum ws_write write)
{
	switch (write) {
	case WS_WRITE_EVICT:
		return use_evict;
	case WS_WRITE_THROUGH:
		return use_through;
	case WS_WRITE_BACK:
	case WS_WRITE_THROUGH_ALLOCATE:
		break;
	}
	return use_allocate;
}

enum ws_status ws_sets_push(struct ws_sets *s, const struct ws_request *request,
			    const uint32_t *id, size_t count, uint32_t *distance,
			    struct ws_err *err)
{
	use_line *use = use_of(s->cache.write);
	bool stores = ws_store_allocates(s->cache.write);

	for (size_t i = 0; i < count; i++) {
		const struct ws_request *r = request + i;
		bool store = r->kind == WS_STORE && !stores, new = id[i] == s->count;
		uint32_t position, d;

		distance[i] = WS_DISTANCE_UNCACHED;
		if (id[i] == WS_LINE_NONE)
			continue;
		if (new && !add_line(s, r->address))
			return ws_fail_memory(err, "the lines of a stack");
		if (!make_room(s, s->entry[id[i]].set))
			return ws_fail_memory(err, "the time slots of a stack");
		position = use(s, id[i], store);
		d = new ? WS_DISTANCE_COLD : position;
		if (s->sectors > 1)
			d = use_sectors(s, id[i], r, position, d);
		distance[i] = store && d == WS_DISTANCE_COLD ? WS_DISTANCE_UNCACHED : d;
	}
	return WS_OK;
}
