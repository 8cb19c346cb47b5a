/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/fill_to_reuse.c -- fill-to-reuse times.
 *
 * With W ways, a line's last fetch is its latest reference of distance >= W.  So a line's past is
 * its *skyline*: those references (d, t) after which none has a distance >= d, newest first, d
 * increasing.  A request of distance d hits with W > d ways.  For W up to the first entry above d
 * its interval runs from that entry's cycle, for larger W up to the next entry from the next one's,
 * and so on.  Then the request becomes the first entry, and entries of distances <= d are dropped.
 *
 * Entries older than WS_FILL_REUSE_MAX are useless, so all lines share one ring of the latest
 * references.  A line has the number of its first entry, an entry that of the next.  Numbers below
 * `oldest` are of entries that are too old: one comparison tells, and for most lines it is all.
 *
 * Sectors have entries of their own, with their own distances m.  Sectors that were fetched
 * together mostly share them.  With W ways, the interval of a request for several sectors runs from
 * the latest fetch.
 *
 * Not all W are counted, so distances that miss with the same of these are alike: d below is the
 * way class of a distance (changes.h), which keeps skylines short.  Infinite distances are entries
 * for all W, of class WS_FILL_REUSE_WAYS.  A store that evicts its line leaves nothing to do: the
 * line's next distance is infinite.  A store that allocates brings its own data: its entry ends
 * the intervals below it, but is *store-made*, and no interval runs from it.
 *
 * An entry has its kind, its way class, whether it is store-made, and 15 bits of its cycle.  No
 * entry in the ring was older than WS_FILL_REUSE_MAX when the last chunk began (below), and a chunk
 * takes at most CHUNK_CYCLES, so 15 bits give the age unless all are too old.  Numbers have 32 bits
 * and are reset (restart) before they overflow; they start near the limit, so that tests see it.
 *
 * Whether a line has living entries is hard to predict, and a wrong guess costs more than an entry.
 * So requests are processed in chunks: old entries are dropped; each request becomes its line's
 * first entry, above the previous one whatever its distance; then the requests that found living
 * entries walk along them, one step each in turn.  An entry that is not above all before it, or has
 * become too old, counts nothing, so it may be dropped late.
 *
 * Invariant: the ring has the entries oldest .. head - 1, in order of cycles (a clock that is set
 * back stands still); numbers along a skyline decrease.
 *
 * Costs: O(1) for a line without living entries, else O(entries dropped and above d).
 * Memory: 4 bytes per line and sector, 8 to 16 per reference (sectored: and group of unlike
 * sectors) in the last WS_FILL_REUSE_MAX cycles.
 *
 * Source: inclusion (Mattson et al. 1970); the rest follows.
 */
#include "stackdist/record/changes.h"
#include "stackdist/stack/sets.h"

#include <stdlib.h>
#include <string.h>

#include "stackdist/stack/cpu.h"

#define NONE 0u			/* no entry */
#define CHUNK 256u		/* requests that are worked on side by side, at most */
#define CHUNK_CYCLES (1u << 14)	/* between the first and the last of them, at most */
#define FIRST (UINT32_MAX - CHUNK - 50u) /* number of the first */
#define CAPACITY_MIN 256u
#define CYCLE_BITS 15u
#define WAY_CLASS_BITS 8u
#define STORE_MADE (1u << (CYCLE_BITS + WAY_CLASS_BITS))
#define KIND_SHIFT (CYCLE_BITS + WAY_CLASS_BITS + 1)
#define SECTORS_MAX (WS_LINE_MAX / WS_SECTOR_BYTES)
#define AHEAD 64u		/* requests between prefetch and use */

_Static_assert(2 * WS_FILL_REUSE_MAX + CHUNK_CYCLES < 1u << CYCLE_BITS, "an age has CYCLE_BITS");
_Static_assert(WS_FILL_REUSE_WAYS < 1u << WAY_CLASS_BITS, "a way class has RUNG_BITS");

struct reuse_entry {
	uint32_t place; /* kind; STORE_MADE or 0; way class, at most WS_FILL_REUSE_WAYS; cycle's
			   CYCLE_BITS */
	uint32_t next;		/* the older one above it, or a number below oldest */
};

struct ws_fill_recorder {
	uint32_t *first;	/* [line * sectors + sector]: number of the newest entry */
	size_t lines, cap, cleared; /* cap, cleared: of `first` */
	struct ws_sectoring by;
	struct reuse_entry *ring;	/* number n is at n & (capacity - 1) */
	uint32_t capacity;	/* a power of two */
	uint32_t oldest, head;	/* numbers in the ring; head: the next one */
	uint64_t now;
};

/* ---- life ------------------------------------------------------------------- */

/* The cache was checked by ws_sets_new. */
enum ws_status ws_fill_recorder_new(struct ws_fill_recorder **out, const struct ws_cache *cache,
			       struct ws_err *err)
{
	struct ws_fill_recorder *f = ws_alloc_zero(1, sizeof *f);

	if (f)
		f->ring = ws_alloc(CAPACITY_MIN, sizeof *f->ring);
	if (!f || !f->ring) {
		ws_fill_recorder_free(f);
		return ws_fail_memory(err, "fill-to-reuse times");
	}
	f->capacity = CAPACITY_MIN;
	f->by = ws_sectoring_of(cache->line_bytes, cache->sector_bytes);
	f->oldest = f->head = FIRST;
	*out = f;
	return WS_OK;
}

void ws_fill_recorder_free(struct ws_fill_recorder *f)
{
	if (!f)
		return;
	free(f->first);
	free(f->ring);
	free(f);
}

/* ---- the ring ---------------------------------------------------------------- */

static inline struct reuse_entry *entry_at(const struct ws_fill_recorder *f, uint32_t number)
{
	return f->ring + (number & (f->capacity - 1));
}

static inline uint32_t age(const struct ws_fill_recorder *f, const struct reuse_entry *s)
{
	return ((uint32_t)f->now - s->place) & ((1u << CYCLE_BITS) - 1);
}

static inline uint32_t way_class_of(const struct reuse_entry *s)
{
	return s->place >> CYCLE_BITS & ((1u << WAY_CLASS_BITS) - 1);
}

/* Of a reference that allocates. */
static inline uint32_t store_made(unsigned kind)
{
	return kind == WS_STORE ? STORE_MADE : 0;
}

static inline bool alive(const struct ws_fill_recorder *f, uint32_t number)
{
	return number >= f->oldest;
}

static bool enlarge_table(struct ws_fill_recorder *f)
{
	struct ws_fill_recorder old = *f;
	struct reuse_entry *ring = f->capacity < 1u << 30 ?
		ws_alloc((size_t)f->capacity * 2, sizeof *ring) : NULL;

	if (!ring)
		return false;
	f->ring = ring;
	f->capacity *= 2;
	for (uint32_t n = f->oldest; n < f->head; n++)
		*entry_at(f, n) = *entry_at(&old, n);
	free(old.ring);
	return true;
}

static inline uint32_t lowered(uint32_t number, uint32_t oldest, uint32_t by)
{
	return number < oldest ? NONE : number - by;
}

/* Makes all numbers small; each stays at its place in the ring. */
static void restart(struct ws_fill_recorder *f)
{
	uint32_t by = (f->oldest & ~(f->capacity - 1)) - f->capacity;

	for (size_t i = 0; i < f->lines * f->by.count; i++)
		f->first[i] = lowered(f->first[i], f->oldest, by);
	for (uint32_t n = f->oldest; n < f->head; n++)
		entry_at(f, n)->next = lowered(entry_at(f, n)->next, f->oldest, by);
	f->oldest -= by;
	f->head -= by;
}

/* Room for so many entries, whatever becomes too old meanwhile. */
static bool make_room_for_entries(struct ws_fill_recorder *f, uint32_t entries)
{
	if (f->head > UINT32_MAX - entries)
		restart(f);
	while (f->head - f->oldest > f->capacity - entries)
		if (!enlarge_table(f))
			return false;
	return true;
}

/* Moves the clock on and drops what is too old then. */
static inline void advance(struct ws_fill_recorder *f, uint64_t cycle)
{
	if (cycle <= f->now)
		return;
	if (cycle - f->now > WS_FILL_REUSE_MAX)
		f->oldest = f->head;
	f->now = cycle;
	while (f->oldest < f->head && age(f, entry_at(f, f->oldest)) > WS_FILL_REUSE_MAX)
		f->oldest++;
}

/* The entry of a reference of way class d. */
static inline uint32_t place_of_way_class(unsigned kind, uint32_t d, uint64_t cycle)
{
	static const uint32_t of_kind[WS_KINDS] = {
		[WS_LOAD] = WS_LOAD << KIND_SHIFT,
		[WS_STORE] = WS_STORE << KIND_SHIFT | STORE_MADE,
		[WS_ATOMIC] = WS_ATOMIC << KIND_SHIFT,
	};

	return of_kind[kind] | d << CYCLE_BITS | ((uint32_t)cycle & ((1u << CYCLE_BITS) - 1));
}

/* Adds the reference before the entries from `next` on; returns its number. */
static inline uint32_t push(struct ws_fill_recorder *f, uint32_t d, unsigned kind, uint32_t next)
{
	*entry_at(f, f->head) = (struct reuse_entry){ place_of_way_class(kind, d, f->now), next };
	return f->head++;
}

/* ---- one entry ------------------------------------------------------------ */

/* The first entry above d, or NONE. */
static inline uint32_t above(const struct ws_fill_recorder *f, uint32_t number, uint32_t d)
{
	while (alive(f, number) && way_class_of(entry_at(f, number)) <= d)
		number = entry_at(f, number)->next;
	return alive(f, number) ? number : NONE;
}

/* The reference changes nothing of what its line's entries say: the first is of this cycle, and as
 * store-made. */
static inline bool repeats(const struct ws_fill_recorder *f, uint32_t number, uint32_t d,
			   uint32_t ground)
{
	const struct reuse_entry *s = entry_at(f, number);

	return alive(f, number) && age(f, s) == 0 && way_class_of(s) >= d &&
	       (s->place & STORE_MADE) == ground;
}

static inline uint32_t select_word(bool condition, uint32_t yes, uint32_t no)
{
	uint32_t mask = 0 - (uint32_t)condition;

	return (yes & mask) | (no & ~mask);
}

struct entry_walk {			/* of a request along its line's entries */
	uint32_t at;		/* number of the entry it has come to */
	uint32_t way_class;		/* of the highest before it, or of the request */
	uint32_t place;		/* of the request, as its entry has it */
	uint32_t own;		/* number of that entry, if it is there */
};

/* Counts one entry; false: it was the last.  Lines differ too much for branches to be predicted,
 * so entries that are not above all before them, or that are too old, are counted as well: for no
 * number of ways. */
static inline bool step_entry(const struct ws_fill_recorder *f, struct entry_walk *w,
			      struct ws_changes *to)
{
	const struct reuse_entry *s = entry_at(f, w->at);
	uint32_t from = w->way_class, upto = way_class_of(s), next = s->next;
	uint32_t cycles = (w->place - s->place) & ((1u << CYCLE_BITS) - 1);
	bool young = cycles <= WS_FILL_REUSE_MAX;

	upto = select_word(young & (upto > from), upto, from);
	ws_changes_span(to, (w->place >> KIND_SHIFT) * WS_FILL_REUSE_CELLS +
			to->cell[young ? cycles : 0], from,
			select_word(s->place & STORE_MADE, from, upto));
	w->way_class = upto;
	w->at = next;
	return young & alive(f, next);
}

/* A reference of way class d to sectors whose first entry is `number`; returns what it is then.
 */
static uint32_t use(struct ws_fill_recorder *f, uint32_t number, uint32_t d, unsigned kind,
		    struct ws_changes *to)
{
	struct entry_walk w = { .at = number,
				  .way_class = d,
				  .place = place_of_way_class(kind, d, f->now) };
	uint32_t spans = 1, next;

	if (!alive(f, number))
		return push(f, d, kind, NONE);
	next = above(f, number, d);
	while (step_entry(f, &w, to))
		spans++;
	ws_changes_made(to, spans);
	return repeats(f, number, d, store_made(kind)) ? number : push(f, d, kind, next);
}

/* ---- several entries ---------------------------------------------------------- */

struct fill_reuse {			/* of the sectors with the same entries and m */
	uint32_t first, m;	/* number before the request; way class of m */
	uint32_t at;		/* number of the entry that counting has got to */
	uint32_t next, number;	/* of the request's entry: its next, its number */
	bool old;		/* the entry was there */
};

struct fill_reuses {		/* of the sectors that a request asks for */
	struct fill_reuse fill_reuse[SECTORS_MAX];
	unsigned count;
	unsigned of[SECTORS_MAX]; /* by sector */
};

static void add_sector(const struct ws_fill_recorder *f, struct fill_reuses *s, unsigned sector,
		       uint32_t first, uint32_t m, uint32_t ground)
{
	unsigned i = 0;

	while (i < s->count && (s->fill_reuse[i].first != first || s->fill_reuse[i].m != m))
		i++;
	s->of[sector] = i;
	if (i < s->count)
		return;
	s->count++;
	s->fill_reuse[i] = (struct fill_reuse){ .first = first, .m = m, .next = above(f, first, m),
					.old = repeats(f, first, m, ground),
					.number = first };
	s->fill_reuse[i].at = s->fill_reuse[i].next;
}

/* Lets all climb to the first entries above the way class.  *least: the age of the youngest of
 * these that is not store-made, or UINT32_MAX; *upto: the way class until which none changes.
 * False: none is left. */
static bool climb(const struct ws_fill_recorder *f, struct fill_reuses *s, uint32_t way_class,
		  uint32_t *least, uint32_t *upto)
{
	bool any = false;

	*least = UINT32_MAX;
	*upto = WS_FILL_REUSE_WAYS;
	for (unsigned i = 0; i < s->count; i++) {
		uint32_t number = s->fill_reuse[i].at = above(f, s->fill_reuse[i].at, way_class);
		const struct reuse_entry *at = entry_at(f, number);

		if (number == NONE)
			continue;
		*upto = way_class_of(at) < *upto ? way_class_of(at) : *upto;
		any = true;
		if (!(at->place & STORE_MADE) && age(f, at) < *least)
			*least = age(f, at);
	}
	return any;
}

/* Counts a request of way class d, the largest of its sectors'. */
static void climb_all(const struct ws_fill_recorder *f, struct fill_reuses *s, uint32_t d,
		      unsigned kind, struct ws_changes *to)
{
	uint32_t way_class = d, spans = 0, least, upto;

	for (; way_class < WS_FILL_REUSE_WAYS && climb(f, s, way_class, &least, &upto);
	     way_class = upto) {
		if (least != UINT32_MAX)
			ws_changes_span(to, ws_changes_row(to, kind, least), way_class, upto);
		spans++;
	}
	ws_changes_made(to, spans);
}

/* Sectors whose entries have become alike share them. */
static void push_all(struct ws_fill_recorder *f, struct fill_reuses *s, unsigned kind)
{
	for (unsigned i = 0; i < s->count; i++) {
		struct fill_reuse *new = s->fill_reuse + i, *like = s->fill_reuse;

		if (new->old)
			continue;
		while (like < new && (like->m != new->m || like->next != new->next))
			like++;
		new->number = like < new ? like->number : push(f, new->m, kind, new->next);
	}
}

/* m: of the sectors asked for, in order. */
static void use_apart(struct ws_fill_recorder *f, uint32_t *first, uint32_t mask, const uint32_t *m,
		      unsigned kind, struct ws_changes *to)
{
	struct fill_reuses s = { .count = 0 };
	uint32_t d = 0;

	for (unsigned i = 0; i < f->by.count; i++)
		if (mask >> i & 1) {
			uint32_t own = ws_way_class(*m++);

			add_sector(f, &s, i, first[i], own, store_made(kind));
			d = own > d ? own : d;
		}
	climb_all(f, &s, d, kind, to);
	push_all(f, &s, kind);
	for (unsigned i = 0; i < f->by.count; i++)
		if (mask >> i & 1)
			first[i] = s.fill_reuse[s.of[i]].number;
}

static unsigned ones(uint32_t mask)
{
	unsigned count = 0;

	for (; mask; mask &= mask - 1)
		count++;
	return count;
}

/* Mostly the sectors asked for are alike. */
static void use_sectors(struct ws_fill_recorder *f, uint32_t *first, uint32_t mask,
			const uint32_t *m, unsigned kind, struct ws_changes *to)
{
	uint32_t number = NONE, differ = 0;
	const uint32_t *next = m;

	for (unsigned i = 0; i < f->by.count; i++)
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
		number = use(f, number, ws_way_class(*m), kind, to);
	for (unsigned i = 0; i < f->by.count; i++)
		if (mask >> i & 1)
			first[i] = number;
}

/* ---- requests --------------------------------------------------------------------- */

/* Lines that a batch may bring have no entries. */
static bool make_lines(struct ws_fill_recorder *f, size_t count)
{
	size_t need = (f->lines + count) * f->by.count;

	if (!WS_ROOM(f->first, f->cap, need))
		return false;
	if (f->cleared < need) {
		memset(f->first + f->cleared, 0, /* NONE */
		       (need - f->cleared) * sizeof *f->first);
		f->cleared = need;
	}
	return true;
}

/* The entries of the line of b's request i, which is a reference that allocates. */
static inline uint32_t *entries_of(struct ws_fill_recorder *f, const struct ws_batch *b, size_t i)
{
	f->lines += b->id[i] == f->lines;
	return f->first + (size_t)b->id[i] * f->by.count;
}

/* Always inline: gcc 12 takes a function that does no more than fetch for one that does
 * nothing. */
static WS_INLINE void look_ahead(const struct ws_fill_recorder *f, const struct ws_batch *b,
				 size_t i)
{
	/* As a number: the line may be new, or none. */
	if (i + AHEAD < b->count)
		WS_FETCH((const void *)((uintptr_t)f->first + (uintptr_t)b->id[i + AHEAD] *
				       f->by.count * sizeof *f->first));
}

/* The references among the batch's requests *at .., as many as a chunk may have, become the first
 * entries of their lines; those whose lines have living ones are to walk these.  Returns how many
 * are. */
static size_t push_chunk(struct ws_fill_recorder *f, const struct ws_batch *batch, size_t *at,
			 struct entry_walk *walk)
{
	const struct ws_batch b = *batch; /* in registers, as far as there are any */
	struct ws_fill_recorder here = *f;
	size_t i = *at, upto = b.count - i < CHUNK ? b.count : i + CHUNK, walks = 0;
	uint64_t begin = here.now;

	here.by.count = 1;
	for (; i < upto; i++) {
		uint64_t cycle = b.request[i].cycle;
		uint32_t *first, place;

		look_ahead(&here, &b, i);
		if (b.type[i] >= WS_TYPE_EVICT)
			continue;
		cycle = cycle > here.now ? cycle : here.now;
		if (cycle - begin > CHUNK_CYCLES)
			break;
		here.now = cycle;
		first = entries_of(&here, &b, i);
		place = place_of_way_class(b.request[i].kind, ws_way_class(b.distance[i]), cycle);
		walk[walks].at = *first;
		walk[walks].place = place;
		walk[walks].own = here.head;
		walks += alive(&here, *first); /* hard to foresee, so no branch */
		entry_at(&here, here.head)->place = place;
		entry_at(&here, here.head)->next = *first;
		*first = here.head++;
	}
	*f = here;
	*at = i;
	return walks;
}

/* Field by field: a copy of the whole would have to wait until all of it was stored. */
static inline void move(struct entry_walk *to, const struct entry_walk *from)
{
	to->at = from->at;
	to->way_class = from->way_class;
	to->place = from->place;
	to->own = from->own;
}

/* All walk, an entry each in turn.  What a walk has found not to be above its request is no
 * longer on the way of those that come to the request's entry later. */
static void walk_all(const struct ws_fill_recorder *f, struct entry_walk *walk, size_t walks,
		     struct ws_changes *to)
{
	const struct ws_fill_recorder here = *f; /* in registers */
	size_t spans = 0;

	for (size_t i = 0; i < walks; i++)
		walk[i].way_class = walk[i].place >> CYCLE_BITS & ((1u << WAY_CLASS_BITS) - 1);
	while (walks) {
		size_t left = 0;

		spans += walks;
		for (size_t i = 0; i < walks; i++) {
			struct entry_walk *w = walk + i;
			struct reuse_entry *own = entry_at(&here, w->own);
			uint32_t number = w->at, way_class = way_class_of(own);
			bool above_none = w->way_class == way_class,
			     more = step_entry(&here, w, to);

			number = select_word(w->way_class == way_class, w->at, number);
			own->next = select_word(above_none, number, own->next);
			move(walk + left, w);
			left += more;
		}
		walks = left;
	}
	ws_changes_made(to, (uint32_t)spans);
}

static bool push_lines(struct ws_fill_recorder *f, const struct ws_batch *b, struct ws_changes *to)
{
	struct entry_walk walk[CHUNK + 1];

	for (size_t i = 0; i < b->count; ) {
		if (b->type[i] >= WS_TYPE_EVICT) {
			i++;
			continue;
		}
		if (!make_room_for_entries(f, CHUNK))
			return false;
		advance(f, b->request[i].cycle);
		walk_all(f, walk, push_chunk(f, b, &i, walk), to);
	}
	return true;
}

static bool push_sectors(struct ws_fill_recorder *f, const struct ws_batch *b,
			 struct ws_changes *to)
{
	const uint32_t *m = b->sector;

	for (size_t i = 0; i < b->count; i++) {
		uint32_t mask = ws_sectors_asked(f->by, b->request[i].sectors);

		look_ahead(f, b, i);
		if (b->type[i] < WS_TYPE_EVICT) {
			advance(f, b->request[i].cycle);
			if (!make_room_for_entries(f, f->by.count))
				return false;
			use_sectors(f, entries_of(f, b, i), mask, m, b->request[i].kind, to);
		}
		m += ones(mask);
	}
	return true;
}

enum ws_status ws_fill_recorder_push(struct ws_fill_recorder *f, const struct ws_batch *b,
				struct ws_changes *to, struct ws_err *err)
{
	if (!b->count)
		return WS_OK;
	if (!make_lines(f, b->count) ||
	    !(f->by.count > 1 ? push_sectors(f, b, to) : push_lines(f, b, to)))
		return ws_fail_memory(err, "fill-to-reuse times");
	return WS_OK;
}
