/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/cycle_cache.h -- one cache of the reference of the whole GPU, an L1 or a slice: tags,
 * states and MSHRs; and lists of pointers.
 */
#ifndef WS_TESTS_REF_CYCLE_CACHE_H
#define WS_TESTS_REF_CYCLE_CACHE_H

#include "tests/ref/grain.h"
#include "validate/cycle/cycle.h"

#define SECTORS (WS_LINE_MAX / WS_SECTOR_BYTES)

struct ref_list {			/* of pointers, in order */
	void **item;
	size_t count, cap;
};

enum state { INVALID, RESERVED, VALID, MODIFIED };

struct ref_line {
	bool there;
	uint64_t address, life;	/* life: which time a line was taken into a way */
	enum state state[SECTORS];
	bool stored[SECTORS];	/* RESERVED: MODIFIED when the data comes */
	bool partial[SECTORS];	/* VALID or MODIFIED, and not to be read: only .written of it is */
	uint32_t written[SECTORS];
};

struct ref_waiter {
	unsigned left;		/* MSHRs that it waits for */
	void *owner;		/* a struct ref_load, or a packet that is to be answered */
};

#define PAST UINT64_MAX

struct ref_mshr {
	uint64_t line, life;	/* life 0: of no way (on-fill); PAST: it goes past the cache */
	struct ws_access by;	/* who began it */
	uint32_t fetch;
	unsigned pieces;	/* replies that have not come */
	uint64_t due;		/* of a slice: when the data comes, */
	unsigned sectors;	/* ... of banks: of it, that have not come */
	struct ref_list waiter;
};

struct ref_set {			/* all that a look-up may change */
	struct ref_line *line;
	uint64_t *meta, *own, clock;
	unsigned ways;		/* never changes */
};

struct ref_timed_cache {
	struct ws_cache of;
	uint64_t sets, lives;
	struct ws_use use;
	struct ws_rng rng;
	uint64_t *shared;	/* the policy's */
	uint8_t *table;
	struct ws_access asked;	/* at hand */
	struct ref_set *set;
	struct ref_list mshr;	/* in the order in which they were taken */
	uint64_t held;		/* besides: filled, but in use */
	bool stays;		/* write-evict: a line that is reserved */
	bool full;		/* the queue has no place for what does not hit, or is sent */
	struct ref_list freed;	/* of those: the cycles in which they no longer are */
	uint64_t piece;		/* bytes of the lines of which packets are */
	struct ref_grain *words; /* in place of sets; NULL: lines */
};

struct ref_answer {
	enum ws_outcome outcome;
	enum ws_fail cause;
	struct ref_mshr *mshr;	/* takes the fetch; NULL: there is none */
	uint32_t hits, pending;	/* sectors */
	uint32_t send, victim_sectors;
	uint64_t victim;
	bool waits;
	struct ref_grain_timed words; /* .gone: as victim */
};

void ref_list_add(struct ref_list *l, void *item);
void *ref_list_take(struct ref_list *l, size_t i);
void ref_list_free(struct ref_list *l); /* and the items */
void ref_timed_begin(struct ref_timed_cache *c, const struct ws_cache *of, uint64_t piece,
		     uint64_t seed);
void ref_timed_flush(struct ref_timed_cache *c);
void ref_timed_end(struct ref_timed_cache *c);
unsigned ref_pieces(const struct ref_timed_cache *c, uint64_t address, uint32_t sectors);
void ref_look_up_words(struct ref_timed_cache *c, const struct ws_request *r, struct ref_waiter *w,
			  uint64_t room, struct ref_answer *a);
struct ref_answer ref_look_up(struct ref_timed_cache *c, uint64_t set_index,
			      const struct ws_access *r, const struct ws_written *written,
			      struct ref_waiter *w, uint64_t room);
void ref_fill(struct ref_timed_cache *c, uint64_t set_index, struct ref_mshr *m,
	      struct ref_answer *a,
		 void (*served)(void *context, struct ref_waiter *w), void *context);
/* served: of each waiter; it may wait for others still, .left of them. */
void ref_fail(struct ref_answer *a, enum ws_fail cause);
void ref_count(struct ws_cycle_counts *c, const struct ref_answer *a, uint32_t sectors);

static inline bool has(uint32_t sectors, unsigned s)
{
	return sectors >> s & 1;
}

#endif
