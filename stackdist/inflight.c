/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/inflight.c -- in-flight intervals.
 *
 * With W ways the last fetch of a line is its latest reference of distance >= W.
 * So what matters of a line's past is a *staircase*: of its references those
 * (d, t) that no later one has a distance >= d, newest first, d increasing.  A
 * request of distance d hits with W > d ways, and for the W up to the first
 * stair above d, from there to the next and so on the interval runs from the
 * cycle of that stair.  Then the request becomes the first stair, and those of
 * distances <= d are dropped.
 *
 * Stairs older than WS_FLIGHT_MAX are of no use, so all lines share one ring of
 * the latest references; a line has the number of its first stair, a
 * stair that of the next.  Numbers below `oldest` are of stairs that are too
 * old: most lines' last reference is long ago, and one comparison tells.
 *
 * Sectors have staircases of their own, of their own distances m.  Those that were
 * fetched together mostly have the same, and share its stairs.  With W ways
 * the interval of a request for several runs from the fetch that came last.
 *
 * Not all W are counted, so distances that miss with the same of these are alike: what is
 * called d below is the rung of a distance (changes.h), which makes staircases short.
 * Infinite distances are stairs for all W, WS_FLIGHT_WAYS high.  A store that throws
 * its line out needs no thought: what comes next to the line is infinite.
 *
 * A stair keeps 15 bits of its cycle: none in the ring was older than WS_FLIGHT_MAX at the
 * reference before this one, so none is older than twice that unless all are too old.
 * Numbers are 32 bits wide and taken back (restart) before they overflow; they
 * begin so near to that that it happens early, also in tests.
 *
 * Invariant: the ring has the stairs oldest .. head - 1, of cycles that do not decrease (a
 * clock that is set back stands still); numbers along a staircase decrease.
 *
 * Costs: O(1) for a line without living stairs, else O(stairs dropped and above d).
 * Memory: 4 bytes per line and sector, 8 to 16 per reference (sectored: and group of
 * unlike sectors) in the last WS_FLIGHT_MAX cycles.
 *
 * Source: inclusion (Mattson et al. 1970); the rest follows.
 */
#include "stackdist/changes.h"

#include <stdlib.h>
#include <string.h>

#define NONE 0u			/* number of no stair */
#define FIRST (UINT32_MAX - 100u) /* number of the first */
#define CAPACITY_MIN 256u
#define CYCLE_BITS 15u
#define SECTORS_MAX (WS_LINE_MAX / WS_SECTOR_BYTES)
#define AHEAD 16u		/* requests between prefetch and use */

#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch((const void *)(address), 1)
#else
#define PREFETCH(address) ((void)(address))
#endif

_Static_assert(2 * WS_FLIGHT_MAX < 1u << CYCLE_BITS, "an age has CYCLE_BITS");
_Static_assert(((uint64_t)WS_FLIGHT_WAYS + 1) << CYCLE_BITS <= UINT32_MAX, "so has a place");

struct stair {
	uint32_t place;		/* rung, at most WS_FLIGHT_WAYS; CYCLE_BITS of the cycle */
	uint32_t next;		/* the older one above it, or a number below oldest */
};

struct ws_inflight {
	uint32_t *first;	/* [line * sectors + sector]: number of the newest stair */
	size_t lines, cap, cleared; /* cap, cleared: of `first` */
	unsigned sectors;	/* per line; 1: not sectored */
	unsigned fold;		/* 32 B sectors in one of the cache's */
	struct stair *ring;	/* number n is at n & (capacity - 1) */
	uint32_t capacity;	/* a power of two */
	uint32_t oldest, head;	/* numbers in the ring; head: the next one */
	uint64_t now;
};

/* ---- life ------------------------------------------------------------------- */

/* The cache was checked by ws_sets_new. */
enum ws_status ws_inflight_new(struct ws_inflight **out, const struct ws_cache *cache,
			       struct ws_err *err)
{
	struct ws_inflight *f = ws_alloc_zero(1, sizeof(*f));

	if (f)
		f->ring = ws_alloc(CAPACITY_MIN, sizeof(*f->ring));
	if (!f || !f->ring) {
		ws_inflight_free(f);
		return ws_fail_memory(err, "in-flight intervals");
	}
	f->capacity = CAPACITY_MIN;
	f->sectors = 1;
	if (cache->sector_bytes != cache->line_bytes)
		f->sectors = (unsigned)(cache->line_bytes / cache->sector_bytes);
	f->fold = (unsigned)(cache->sector_bytes / WS_SECTOR_BYTES);
	f->oldest = f->head = FIRST;
	*out = f;
	return WS_OK;
}

void ws_inflight_free(struct ws_inflight *f)
{
	if (!f)
		return;
	free(f->first);
	free(f->ring);
	free(f);
}

/* ---- the ring ---------------------------------------------------------------- */

static inline struct stair *stair(const struct ws_inflight *f, uint32_t number)
{
	return f->ring + (number & (f->capacity - 1));
}

static inline uint32_t age(const struct ws_inflight *f, const struct stair *s)
{
	return ((uint32_t)f->now - s->place) & ((1u << CYCLE_BITS) - 1);
}

static inline uint32_t rung_of(const struct stair *s)
{
	return s->place >> CYCLE_BITS;
}

static inline bool alive(const struct ws_inflight *f, uint32_t number)
{
	return number >= f->oldest;
}

static bool enlarge(struct ws_inflight *f)
{
	struct ws_inflight old = *f;
	struct stair *ring = f->capacity < 1u << 30 ?
		ws_alloc((size_t)f->capacity * 2, sizeof(*ring)) : NULL;

	if (!ring)
		return false;
	f->ring = ring;
	f->capacity *= 2;
	for (uint32_t n = f->oldest; n < f->head; n++)
		*stair(f, n) = *stair(&old, n);
	free(old.ring);
	return true;
}

static inline uint32_t lowered(uint32_t number, uint32_t oldest, uint32_t by)
{
	return number < oldest ? NONE : number - by;
}

/* Makes all numbers small; each stays at its place in the ring. */
static void restart(struct ws_inflight *f)
{
	uint32_t by = (f->oldest & ~(f->capacity - 1)) - f->capacity;

	for (size_t i = 0; i < f->lines * f->sectors; i++)
		f->first[i] = lowered(f->first[i], f->oldest, by);
	for (uint32_t n = f->oldest; n < f->head; n++)
		stair(f, n)->next = lowered(stair(f, n)->next, f->oldest, by);
	f->oldest -= by;
	f->head -= by;
}

/* Room for a request's stairs. */
static bool make_room(struct ws_inflight *f)
{
	if (f->head > UINT32_MAX - f->sectors)
		restart(f);
	return f->head - f->oldest <= f->capacity - f->sectors || enlarge(f);
}

/* Moves the clock on and drops what is too old then. */
static inline void advance(struct ws_inflight *f, uint64_t cycle)
{
	if (cycle <= f->now)
		return;
	if (cycle - f->now > WS_FLIGHT_MAX)
		f->oldest = f->head;
	f->now = cycle;
	while (f->oldest < f->head && age(f, stair(f, f->oldest)) > WS_FLIGHT_MAX)
		f->oldest++;
}

/* Puts the reference on top of the stairs from `next` on; its number. */
static inline uint32_t push(struct ws_inflight *f, uint32_t d, uint32_t next)
{
	uint32_t cycle = (uint32_t)f->now & ((1u << CYCLE_BITS) - 1);

	*stair(f, f->head) = (struct stair){ d << CYCLE_BITS | cycle, next };
	return f->head++;
}

/* ---- one staircase ------------------------------------------------------------ */

/* The first of the staircase that is above d, or NONE. */
static inline uint32_t above(const struct ws_inflight *f, uint32_t number, uint32_t d)
{
	while (alive(f, number) && rung_of(stair(f, number)) <= d)
		number = stair(f, number)->next;
	return alive(f, number) ? number : NONE;
}

/* The reference changes nothing of what its line's stairs say: the first is of this cycle. */
static inline bool repeats(const struct ws_inflight *f, uint32_t number, uint32_t d)
{
	const struct stair *s = stair(f, number);

	return alive(f, number) && age(f, s) == 0 && rung_of(s) >= d;
}

static inline uint32_t choose(bool condition, uint32_t yes, uint32_t no)
{
	uint32_t mask = 0 - (uint32_t)condition;

	return (yes & mask) | (no & ~mask);
}

/* Counts a reference of rung d to a line whose first stair is `number`; returns that of
 * the first stair after it.  Lines differ too much for branches to be predicted, so stairs
 * that are dropped are climbed as well, in the row that counts nothing. */
static uint32_t use_stairs(struct ws_inflight *f, uint32_t number, uint32_t d, unsigned kind,
			   struct ws_changes *to)
{
	uint32_t row = WS_ROW_NONE, rung = d, next = NONE, at = number, turns = 1;
	const struct ws_inflight here = *f; /* in registers */

	do {
		const struct stair *s = stair(&here, at);
		uint32_t upto = rung_of(s), was = row;
		bool higher = upto > d;

		row = choose(higher, ws_changes_row(to, kind, age(&here, s)), WS_ROW_NONE);
		ws_changes_turn(to, was, row, rung);
		next = choose(higher & (next == NONE), at, next);
		rung = choose(higher, upto, rung);
		at = s->next;
		turns++;
	} while (alive(&here, at));
	ws_changes_turn(to, row, WS_ROW_NONE, rung);
	ws_changes_made(to, turns);
	return repeats(f, number, d) ? number : push(f, d, next);
}

static inline uint32_t use(struct ws_inflight *f, uint32_t number, uint32_t d, unsigned kind,
			   struct ws_changes *to)
{
	return alive(f, number) ? use_stairs(f, number, d, kind, to) : push(f, d, NONE);
}

/* ---- several staircases ---------------------------------------------------------- */

struct flight {			/* of the sectors with the same stairs and m */
	uint32_t first, m;	/* number before the request; rung of m */
	uint32_t at;		/* number of the stair that counting has got to */
	uint32_t next, number;	/* of the request's stair: its next, its number */
	bool old;		/* the stair was there */
};

struct flights {		/* of the sectors that a request asks for */
	struct flight flight[SECTORS_MAX];
	unsigned count;
	unsigned of[SECTORS_MAX]; /* by sector */
};

static void add_sector(const struct ws_inflight *f, struct flights *s, unsigned sector,
		       uint32_t first, uint32_t m)
{
	unsigned i = 0;

	while (i < s->count && (s->flight[i].first != first || s->flight[i].m != m))
		i++;
	s->of[sector] = i;
	if (i < s->count)
		return;
	s->count++;
	s->flight[i] = (struct flight){ .first = first, .m = m, .next = above(f, first, m),
					.old = repeats(f, first, m), .number = first };
	s->flight[i].at = s->flight[i].next;
}

/* Lets all climb to the first stairs above the rung.  *least: the age of the youngest of
 * these; *upto: the rung until which none changes.  False: none is left. */
static bool climb(const struct ws_inflight *f, struct flights *s, uint32_t rung, uint32_t *least,
		  uint32_t *upto)
{
	*least = UINT32_MAX;
	*upto = WS_FLIGHT_WAYS;
	for (unsigned i = 0; i < s->count; i++) {
		uint32_t number = s->flight[i].at = above(f, s->flight[i].at, rung);
		const struct stair *at = stair(f, number);

		if (number == NONE)
			continue;
		*upto = rung_of(at) < *upto ? rung_of(at) : *upto;
		*least = age(f, at) < *least ? age(f, at) : *least;
	}
	return *least != UINT32_MAX;
}

/* Counts a request of rung d, the largest of its sectors'. */
static void climb_all(const struct ws_inflight *f, struct flights *s, uint32_t d, unsigned kind,
		      struct ws_changes *to)
{
	uint32_t row = WS_ROW_NONE, rung = d, turns = 1, least, upto;

	while (rung < WS_FLIGHT_WAYS && climb(f, s, rung, &least, &upto)) {
		uint32_t was = row;

		row = ws_changes_row(to, kind, least);
		ws_changes_turn(to, was, row, rung);
		rung = upto;
		turns++;
	}
	ws_changes_turn(to, row, WS_ROW_NONE, rung);
	ws_changes_made(to, turns);
}

/* Flights that have become alike share their stair. */
static void push_all(struct ws_inflight *f, struct flights *s)
{
	for (unsigned i = 0; i < s->count; i++) {
		struct flight *new = s->flight + i, *like = s->flight;

		if (new->old)
			continue;
		while (like < new && (like->m != new->m || like->next != new->next))
			like++;
		new->number = like < new ? like->number : push(f, new->m, new->next);
	}
}

/* m: of the sectors asked for, in order. */
static void use_apart(struct ws_inflight *f, uint32_t *first, uint32_t mask, const uint32_t *m,
		      unsigned kind, struct ws_changes *to)
{
	struct flights s = { .count = 0 };
	uint32_t d = 0;

	for (unsigned i = 0; i < f->sectors; i++)
		if (mask >> i & 1) {
			uint32_t own = ws_rung(*m++);

			add_sector(f, &s, i, first[i], own);
			d = own > d ? own : d;
		}
	climb_all(f, &s, d, kind, to);
	push_all(f, &s);
	for (unsigned i = 0; i < f->sectors; i++)
		if (mask >> i & 1)
			first[i] = s.flight[s.of[i]].number;
}

static uint32_t fold_mask(const struct ws_inflight *f, uint32_t sectors)
{
	uint32_t mask = 0, group = f->fold < 32 ? ((uint32_t)1 << f->fold) - 1 : UINT32_MAX;

	if (f->fold == 1)
		return f->sectors < 32 ? sectors & (((uint32_t)1 << f->sectors) - 1) : sectors;
	for (unsigned i = 0; i < f->sectors; i++)
		if (sectors >> i * f->fold & group)
			mask |= (uint32_t)1 << i;
	return mask;
}

static unsigned ones(uint32_t mask)
{
	unsigned count = 0;

	for (; mask; mask &= mask - 1)
		count++;
	return count;
}

/* Mostly the sectors asked for are alike. */
static void use_sectors(struct ws_inflight *f, uint32_t *first, uint32_t mask, const uint32_t *m,
			unsigned kind, struct ws_changes *to)
{
	uint32_t number = NONE, differ = 0;
	const uint32_t *next = m;

	for (unsigned i = 0; i < f->sectors; i++)
		if (mask >> i & 1) {
			if (!alive(f, first[i]))
				first[i] = NONE;
			number = next == m ? first[i] : number;
			differ |= (first[i] ^ number) | (*next++ ^ *m);
		}
	if (differ) {
		use_apart(f, first, mask, m, kind, to);
		return;
	}
	if (mask)
		number = use(f, number, ws_rung(*m), kind, to);
	for (unsigned i = 0; i < f->sectors; i++)
		if (mask >> i & 1)
			first[i] = number;
}

/* ---- requests --------------------------------------------------------------------- */

/* Lines that a batch may bring have no stairs. */
static bool make_lines(struct ws_inflight *f, size_t count)
{
	size_t need = (f->lines + count) * f->sectors;
	uint32_t *first = ws_grow(f->first, &f->cap, need, sizeof(*first));

	if (!first)
		return false;
	f->first = first;
	if (f->cleared < need) {
		memset(first + f->cleared, 0, (need - f->cleared) * sizeof(*first)); /* NONE */
		f->cleared = need;
	}
	return true;
}

/* The stairs of the line of b's request i, which is a reference that allocates. */
static inline uint32_t *stairs_of(struct ws_inflight *f, const struct ws_batch *b, size_t i)
{
	f->lines += b->id[i] == f->lines;
	return f->first + (size_t)b->id[i] * f->sectors;
}

static inline bool begin(struct ws_inflight *f, const struct ws_request *r)
{
	advance(f, r->cycle);
	return (f->head - f->oldest <= f->capacity - f->sectors &&
		f->head <= UINT32_MAX - f->sectors) || make_room(f);
}

static inline void look_ahead(const struct ws_inflight *f, const struct ws_batch *b, size_t i)
{
	/* As a number: the line may be new, or none. */
	if (i + AHEAD < b->count)
		PREFETCH((uintptr_t)f->first +
			 (uintptr_t)b->id[i + AHEAD] * f->sectors * sizeof(*f->first));
}

static bool push_lines(struct ws_inflight *f, const struct ws_batch *b, struct ws_changes *to)
{
	for (size_t i = 0; i < b->count; i++) {
		uint32_t *first;

		look_ahead(f, b, i);
		if (b->type[i] >= WS_TYPE_EVICT)
			continue;
		if (!begin(f, b->request + i))
			return false;
		first = stairs_of(f, b, i);
		*first = use(f, *first, ws_rung(b->distance[i]), b->request[i].kind, to);
	}
	return true;
}

static bool push_sectors(struct ws_inflight *f, const struct ws_batch *b, struct ws_changes *to)
{
	const uint32_t *m = b->sector;

	for (size_t i = 0; i < b->count; i++) {
		uint32_t mask = fold_mask(f, b->request[i].sectors);

		look_ahead(f, b, i);
		if (b->type[i] < WS_TYPE_EVICT) {
			if (!begin(f, b->request + i))
				return false;
			use_sectors(f, stairs_of(f, b, i), mask, m, b->request[i].kind, to);
		}
		m += ones(mask);
	}
	return true;
}

enum ws_status ws_inflight_push(struct ws_inflight *f, const struct ws_batch *b,
				struct ws_changes *to, struct ws_err *err)
{
	if (!b->count)
		return WS_OK;
	if (!make_lines(f, b->count) ||
	    !(f->sectors > 1 ? push_sectors(f, b, to) : push_lines(f, b, to)))
		return ws_fail_memory(err, "in-flight intervals");
	return WS_OK;
}
