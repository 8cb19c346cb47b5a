/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/recent.c -- the most recent lines of a stream (recent.h).
 *
 * Lines have numbers, which are used again when a line is forgotten.  A line is found by open
 * addressing with linear probing, at most half full; an entry is the number and 32 bits of
 * the hash, so nearly all that is looked at beyond the table is what was looked for.
 * A line that is forgotten leaves no tombstone: what stands behind it moves up.
 *
 * A line that a store threw out has no slot.  Unbounded, it is remembered as such; bounded,
 * it is forgotten.
 */
#include "stackdist/recent.h"

#include <stdlib.h>
#include <string.h>

#include "stackdist/cpu.h"
#include "stackdist/holes.h"
#include "stackdist/lines.h"
#include "stackdist/slots.h"

#define HOLE UINT32_MAX			/* owner of a slot, if not a line */
#define GONE (UINT32_MAX - 1)		/* a line that was forgotten */
#define SLOT_NEW WS_DISTANCE_COLD	/* slots of lines that have none */
#define SLOT_OUT WS_DISTANCE_UNCACHED
#define SLOT_MAX (SLOT_OUT - 1)
#define FREE UINT64_MAX			/* of the table; no number is UINT32_MAX */
#define TABLE_MIN 64u

struct line {
	uint64_t address;
	uint32_t key;		/* its hash */
	uint32_t slot;		/* in stack 0: of its last use, or one of the above */
};

struct place {			/* of a line in another stack */
	uint32_t slot, set;
};

struct ring {			/* one set of one stack */
	struct ws_slots slots;
	uint32_t *owner;	/* by slot: the line, or HOLE */
	uint32_t low;		/* no slot below this one is a line's; stack 0 only */
};

struct stack {
	struct ws_cache cache;
	struct ring *ring;
	struct ws_holes *holes;	/* per set, write-evict only */
};

struct ws_recent {
	struct stack *stack;
	size_t stacks;
	uint64_t *table;	/* hash << 32 | line */
	size_t size;		/* power of two */
	struct line *line;
	struct place *place;	/* [line * (stacks - 1) + stack - 1] */
	uint32_t *mark;		/* [(line * stacks + stack) * sectors + sector], sectored only */
	uint32_t *spare;	/* numbers of forgotten lines */
	size_t line_cap, place_cap, mark_cap, spare_cap;
	size_t numbers, spares;	/* numbers given out; of these to be used again */
	size_t limit;
	enum ws_write write;
	enum ws_simd simd;
	unsigned sectors, fold;	/* per line (1: not sectored); 32 B ones in each */
	bool bounded, stores_miss;
};

static inline unsigned low_bit(uint64_t x)
{
#if defined(__GNUC__)
	return (unsigned)__builtin_ctzll(x);
#else
	return ws_log2(x & (0 - x));
#endif
}

/* ---- life --------------------------------------------------------------------- */

static enum ws_status check(const struct ws_cache *c, const uint64_t *sets, size_t set_counts,
			    struct ws_err *err)
{
	for (size_t i = 0; i < set_counts; i++)
		if (sets[i] == 0 || sets[i] > UINT32_MAX)
			return ws_fail(err, WS_EINVAL, "%llu sets: expected 1 to %u",
				       (unsigned long long)sets[i], UINT32_MAX);
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

static bool new_stack(struct stack *k, const struct ws_cache *cache, uint64_t sets)
{
	k->cache = *cache;
	k->cache.sets = sets;
	k->ring = ws_alloc_zero((size_t)sets, sizeof(*k->ring));
	if (cache->write == WS_WRITE_EVICT)
		k->holes = ws_alloc_zero((size_t)sets, sizeof(*k->holes));
	return k->ring && (k->holes || cache->write != WS_WRITE_EVICT);
}

static bool new_table(struct ws_recent *r, size_t size)
{
	r->table = ws_alloc(size, sizeof(*r->table));
	if (!r->table)
		return false;
	memset(r->table, 0xff, size * sizeof(*r->table));
	r->size = size;
	return true;
}

enum ws_status ws_recent_new(struct ws_recent **out, const struct ws_cache *cache,
			     const uint64_t *sets, size_t set_counts, struct ws_err *err)
{
	enum ws_status status = check(cache, sets, set_counts, err);
	struct ws_recent *r;
	bool ok;

	if (status)
		return status;
	r = ws_alloc_zero(1, sizeof(*r));
	if (!r)
		return ws_fail_memory(err, "recent lines");
	r->stacks = set_counts + 1;
	r->limit = SIZE_MAX;
	r->write = cache->write;
	r->simd = ws_cpu_simd();
	r->stores_miss = !ws_store_allocates(cache->write);
	r->sectors = 1;
	r->fold = (unsigned)(cache->sector_bytes / WS_SECTOR_BYTES);
	if (cache->sector_bytes != cache->line_bytes)
		r->sectors = (unsigned)(cache->line_bytes / cache->sector_bytes);
	r->stack = ws_alloc_zero(r->stacks, sizeof(*r->stack));
	ok = r->stack && new_table(r, TABLE_MIN);
	for (size_t i = 0; i < r->stacks && ok; i++)
		ok = new_stack(r->stack + i, cache, i ? sets[i - 1] : 1);
	if (!ok) {
		ws_recent_free(r);
		return ws_fail_memory(err, "the stacks of recent lines");
	}
	*out = r;
	return WS_OK;
}

static void clear_stack(struct stack *k)
{
	for (uint64_t i = 0; k->ring && i < k->cache.sets; i++) {
		ws_slots_clear(&k->ring[i].slots);
		free(k->ring[i].owner);
		if (k->holes)
			ws_holes_clear(k->holes + i);
	}
	free(k->ring);
	free(k->holes);
}

void ws_recent_free(struct ws_recent *r)
{
	if (!r)
		return;
	for (size_t i = 0; r->stack && i < r->stacks; i++)
		clear_stack(r->stack + i);
	free(r->stack);
	free(r->table);
	free(r->line);
	free(r->place);
	free(r->mark);
	free(r->spare);
	free(r);
}

size_t ws_recent_lines(const struct ws_recent *r)
{
	return r->numbers - r->spares;
}

/* ---- the table ------------------------------------------------------------------- */

static inline uint32_t hash(uint64_t address)
{
	address *= 0xff51afd7ed558ccdu;
	address ^= address >> 32;
	address *= 0xc4ceb9fe1a85ec53u;
	return (uint32_t)(address >> 32);
}

/* Where the line is in the table, or where it belongs. */
static inline size_t find(const struct ws_recent *r, uint64_t address, uint32_t key)
{
	size_t i = key & (r->size - 1);

	while (r->table[i] != FREE && (r->table[i] >> 32 != key ||
				       r->line[(uint32_t)r->table[i]].address != address))
		i = (i + 1) & (r->size - 1);
	return i;
}

static bool enlarge(struct ws_recent *r)
{
	uint64_t *old = r->table;
	size_t size = r->size;

	if (!new_table(r, 2 * size)) {
		r->table = old;
		return false;
	}
	for (size_t i = 0; i < size; i++) {
		size_t to = (old[i] >> 32) & (r->size - 1);

		if (old[i] == FREE)
			continue;
		while (r->table[to] != FREE)
			to = (to + 1) & (r->size - 1);
		r->table[to] = old[i];
	}
	free(old);
	return true;
}

/* Frees entry i; those behind it that were displaced past it move up. */
static void leave(struct ws_recent *r, size_t i)
{
	size_t mask = r->size - 1;

	for (size_t j = (i + 1) & mask; r->table[j] != FREE; j = (j + 1) & mask) {
		size_t home = (r->table[j] >> 32) & mask;

		if (((j - home) & mask) < ((j - i) & mask))
			continue;
		r->table[i] = r->table[j];
		i = j;
	}
	r->table[i] = FREE;
}

/* ---- lines come and go ------------------------------------------------------------- */

static bool new_number(struct ws_recent *r, uint32_t *id)
{
	size_t need = r->numbers + 1, places = need * (r->stacks - 1);
	void *p;

	p = need < GONE ? ws_grow(r->line, &r->line_cap, need, sizeof(*r->line)) : NULL;
	r->line = p ? p : r->line;
	if (p && places) {
		p = ws_grow(r->place, &r->place_cap, places, sizeof(*r->place));
		r->place = p ? p : r->place;
	}
	if (p && r->sectors > 1) {
		p = ws_grow(r->mark, &r->mark_cap, need * r->stacks * r->sectors,
			    sizeof(*r->mark));
		r->mark = p ? p : r->mark;
	}
	*id = (uint32_t)r->numbers;
	r->numbers += p != NULL;
	return p != NULL;
}

static inline bool add(struct ws_recent *r, size_t at, uint64_t address, uint32_t key,
		       uint32_t *id)
{
	if (r->spares) {
		*id = r->spare[--r->spares];
	} else if (!new_number(r, id)) {
		return false;
	} else if (2 * r->numbers >= r->size) {
		if (!enlarge(r))
			return false;
		at = find(r, address, key);
	}
	r->table[at] = (uint64_t)key << 32 | *id;
	r->line[*id] = (struct line){ address, key, SLOT_NEW };
	for (size_t i = 1; i < r->stacks; i++) {
		uint64_t set = ws_set_index(&r->stack[i].cache, address);

		r->place[*id * (r->stacks - 1) + i - 1] =
			(struct place){ SLOT_NEW, (uint32_t)set };
	}
	return true;
}

/* The spare list has room.  A line that is the oldest of its sets (so it is, unless it has
 * no slots) leaves its slots occupied: who counts the newer ones does not see them. */
static void forget(struct ws_recent *r, uint32_t id)
{
	const struct line *line = r->line + id;
	const struct place *place = r->place + id * (r->stacks - 1);
	size_t i = line->key & (r->size - 1);

	if (line->slot <= SLOT_MAX) {
		r->stack[0].ring->owner[line->slot] = GONE;
		for (size_t k = 1; k < r->stacks; k++, place++)
			r->stack[k].ring[place->set].owner[place->slot] = GONE;
	}
	while ((uint32_t)r->table[i] != id)
		i = (i + 1) & (r->size - 1);
	leave(r, i);
	r->spare[r->spares++] = id;
}

static uint32_t oldest(struct ws_recent *r)
{
	struct ring *ring = r->stack[0].ring;

	for (;;) {
		uint64_t x = ring->slots.word[ring->low / 64] >> ring->low % 64;

		ring->low = x ? ring->low + low_bit(x) : (ring->low | 63) + 1;
		if (x && ring->owner[ring->low] < GONE)
			return ring->owner[ring->low];
		ring->low += x != 0;
	}
}

/* ---- slots -------------------------------------------------------------------------- */

/* Those of lines that are gone are not kept. */
static bool renumber(struct ws_recent *r, size_t index, uint32_t set)
{
	struct stack *k = r->stack + index;
	struct ring *ring = k->ring + set;
	struct ws_slots *slots = &ring->slots;
	uint32_t capacity = slots->capacity, n = 0, *owner;
	size_t holes = k->holes ? k->holes[set].count : 0;

	for (uint32_t w = 0; w < capacity / 64; w++)
		for (uint64_t x = slots->word[w]; x; x &= x - 1) {
			uint32_t id = ring->owner[w * 64 + low_bit(x)];

			if (id == GONE)
				continue;
			if (id == HOLE) /* descending numbers are a heap */
				k->holes[set].heap[--holes] = n;
			else if (index == 0)
				r->line[id].slot = n;
			else
				r->place[id * (r->stacks - 1) + index - 1].slot = n;
			ring->owner[n++] = id;
		}
	ring->low = 0;
	slots->count = n;
	if (!ws_slots_close(slots))
		return false;
	if (slots->capacity == capacity)
		return true;
	owner = ws_alloc(slots->capacity, sizeof(*owner));
	if (!owner)
		return false;
	if (n)
		memcpy(owner, ring->owner, n * sizeof(*owner));
	free(ring->owner);
	ring->owner = owner;
	return true;
}

static WS_INLINE bool make_room(struct ws_recent *r, size_t index, uint32_t set)
{
	struct ws_slots *slots = &r->stack[index].ring[set].slots;

	if (slots->top % 64)
		return true;
	if (slots->top == slots->capacity && !renumber(r, index, set))
		return false;
	ws_slots_enter(slots);
	return true;
}

/* ---- one use of a line; returns the position it was found at -------------------------- */

static WS_INLINE uint32_t use_allocate(struct ring *ring, uint32_t *slot, uint32_t id,
				       bool popcnt)
{
	uint32_t position = *slot;

	if (position > SLOT_MAX)
		*slot = ws_slots_take(&ring->slots, true);
	else if (position + 1 == ring->slots.top)
		return 0;
	else
		position = ws_slots_renew(&ring->slots, slot, popcnt);
	ring->owner[*slot] = id;
	return position;
}

/* As in sets.c: a store leaves a hole; a load fills the newest hole that is above
 * the line and leaves one where it was. */
static uint32_t use_evict(struct ring *ring, struct ws_holes *holes, uint32_t *slot, uint32_t id,
			  bool store)
{
	uint32_t position = *slot, given = position;

	if (position <= SLOT_MAX) {
		if (!store && given + 1 == ring->slots.top)
			return 0;
		position = ws_slots_above(&ring->slots, given, false);
		if (store) {
			ws_holes_push(holes, given);
			ring->owner[given] = HOLE;
			*slot = SLOT_OUT;
			return position;
		}
		if (holes->count && holes->heap[0] > given) {
			ring->owner[given] = HOLE;
			given = ws_holes_swap(holes, given);
		}
		ws_slots_give(&ring->slots, given);
	} else if (holes->count) {
		ws_slots_give(&ring->slots, ws_holes_pop(holes));
	}
	*slot = ws_slots_take(&ring->slots, true);
	ring->owner[*slot] = id;
	return position;
}

/* ---- requests --------------------------------------------------------------------------- */

uint32_t ws_recent_mask(const struct ws_recent *r, uint32_t sectors)
{
	uint32_t mask = 0, group = r->fold < 32 ? ((uint32_t)1 << r->fold) - 1 : UINT32_MAX;

	for (unsigned i = 0; i < r->sectors; i++)
		if (sectors >> i * r->fold & group)
			mask |= (uint32_t)1 << i;
	return mask;
}

/* The largest mark of the sectors asked for; each one's own goes to found[]. */
static uint32_t use_sectors(const struct ws_recent *r, uint32_t *mark, uint32_t mask, bool store,
			    uint32_t position, uint32_t *found)
{
	uint32_t most = 0;

	for (unsigned i = 0; i < r->sectors; i++) {
		bool held = position <= WS_DISTANCE_MAX && mark[i] <= WS_DISTANCE_MAX;

		if (held && mark[i] < position)
			mark[i] = position;
		if (mask >> i & 1) {
			uint32_t m = store && mark[i] == WS_DISTANCE_COLD ? WS_DISTANCE_UNCACHED :
				     mark[i];

			most = m > most ? m : most;
			*found = m;
			found += r->stacks;
		}
		if (mask >> i & 1 && !store)
			mark[i] = 0;
		else if (held && store && r->write == WS_WRITE_EVICT)
			mark[i] = WS_DISTANCE_UNCACHED;
	}
	return most;
}

static void clear_marks(struct ws_recent *r, uint32_t id)
{
	size_t marks = r->stacks * r->sectors;

	for (size_t i = 0; i < marks; i++)
		r->mark[id * marks + i] = WS_DISTANCE_COLD;
}

/* A store that does not allocate, to a line that is not there.  Returns the sectors. */
static size_t miss(const struct ws_recent *r, uint32_t mask, uint32_t *distance, uint32_t *sector)
{
	size_t n = 0;

	for (size_t i = 0; i < r->stacks; i++)
		distance[i] = WS_DISTANCE_UNCACHED;
	for (; mask && r->sectors > 1; mask &= mask - 1, n++)
		for (size_t i = 0; i < r->stacks; i++)
			sector[n * r->stacks + i] = WS_DISTANCE_UNCACHED;
	return n;
}

static WS_INLINE bool use(struct ws_recent *r, size_t index, uint32_t set, uint32_t *slot,
			  uint32_t id, bool store, uint32_t *position, bool popcnt)
{
	struct stack *k = r->stack + index;

	if (!make_room(r, index, set))
		return false;
	if (!k->holes) {
		*position = use_allocate(k->ring + set, slot, id, popcnt);
		return true;
	}
	if (!ws_holes_room(k->holes + set))
		return false;
	*position = use_evict(k->ring + set, k->holes + set, slot, id, store);
	return true;
}

/* In all stacks. */
static WS_INLINE bool use_line(struct ws_recent *r, uint32_t id, bool store, uint32_t *distance,
			       bool popcnt)
{
	struct place *place = r->place + id * (r->stacks - 1);
	bool ok = use(r, 0, 0, &r->line[id].slot, id, store, distance, popcnt);

	for (size_t i = 1; i < r->stacks; i++, place++)
		ok = ok && use(r, i, place->set, &place->slot, id, store, distance + i, popcnt);
	return ok;
}

static void use_marks(struct ws_recent *r, uint32_t id, bool store, uint32_t mask,
		      uint32_t *distance, uint32_t *sector)
{
	for (size_t i = 0; i < r->stacks; i++)
		distance[i] = use_sectors(r, r->mark + (id * r->stacks + i) * r->sectors, mask,
					  store, distance[i], sector + i);
}

/* Sectors used of to->sector so far; none without sectors. */
static WS_INLINE bool push(struct ws_recent *r, const struct ws_request *q, uint32_t key,
			   struct ws_found *to, size_t i, size_t *sectors, bool popcnt)
{
	bool store = q->kind == WS_STORE && r->stores_miss;
	uint32_t *distance = to->distance + i * r->stacks, id, mask = 0;
	uint32_t *sector = r->sectors > 1 ? to->sector + *sectors * r->stacks : NULL;
	size_t at = find(r, q->address, key);
	bool there = r->table[at] != FREE;

	id = (uint32_t)r->table[at];
	if (r->sectors > 1)
		mask = ws_recent_mask(r, q->sectors);
	if (store && (!there || r->line[id].slot > SLOT_MAX)) {
		*sectors += miss(r, mask, distance, sector);
		return true;
	}
	if (!there && !add(r, at, q->address, key, &id))
		return false;
	if (!there && r->sectors > 1)
		clear_marks(r, id);
	if (!use_line(r, id, store, distance, popcnt))
		return false;
	if (r->sectors > 1)
		use_marks(r, id, store, mask, distance, sector);
	for (; mask; mask &= mask - 1)
		++*sectors;
	if (r->bounded && r->line[id].slot > SLOT_MAX)
		forget(r, id);
	if (r->numbers - r->spares > r->limit)
		forget(r, oldest(r));
	return true;
}

static WS_INLINE bool push_all(struct ws_recent *r, const struct ws_request *request,
			       const uint32_t *pick, size_t count, struct ws_found *to,
			       bool popcnt)
{
	uint32_t key[WS_RECENT_BATCH];
	size_t sectors = 0;
	bool ok = true;

	for (size_t i = 0; i < count; i++) {
		key[i] = hash(request[pick[i]].address);
		WS_FETCH(r->table + (key[i] & (r->size - 1)));
	}
	for (size_t i = 0; i < count && ok; i++)
		ok = push(r, request + pick[i], key[i], to, i, &sectors, popcnt);
	return ok;
}

WS_TARGET_AVX2 static bool push_avx2(struct ws_recent *r, const struct ws_request *request,
				     const uint32_t *pick, size_t count, struct ws_found *to)
{
	return push_all(r, request, pick, count, to, true);
}

static bool push_plain(struct ws_recent *r, const struct ws_request *request,
		       const uint32_t *pick, size_t count, struct ws_found *to)
{
	return push_all(r, request, pick, count, to, false);
}

enum ws_status ws_recent_push(struct ws_recent *r, const struct ws_request *request,
			      const uint32_t *pick, size_t count, struct ws_found *to,
			      struct ws_err *err)
{
	bool ok = r->simd == WS_SIMD_NONE ? push_plain(r, request, pick, count, to) :
					    push_avx2(r, request, pick, count, to);

	return ok ? WS_OK : ws_fail_memory(err, "recent lines");
}

enum ws_status ws_recent_bound(struct ws_recent *r, size_t limit, struct ws_err *err)
{
	/* From now on there are at most limit + 1 lines, so the list never grows. */
	uint32_t *spare = ws_grow(r->spare, &r->spare_cap, r->numbers + 2, sizeof(*spare));

	if (!spare)
		return ws_fail_memory(err, "recent lines");
	r->spare = spare;
	for (size_t i = 0; i < r->size; ) {
		uint32_t id = (uint32_t)r->table[i];

		/* What forget moves up to i is looked at next. */
		if (r->table[i] != FREE && r->line[id].slot > SLOT_MAX)
			forget(r, id);
		else
			i++;
	}
	while (r->numbers - r->spares > limit)
		forget(r, oldest(r));
	r->limit = limit;
	r->bounded = true;
	return WS_OK;
}
