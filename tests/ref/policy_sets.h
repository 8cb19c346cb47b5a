/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/policy_sets.h -- what the reference cache (policy_cache.c) keeps, which the policies
 * (policy.c) look at.
 *
 * Every set keeps, whatever the policy, the list of its valid ways by recency and the list by time
 * of fill.  A "use" is a fill, or any request that finds its line and leaves it there, be all its
 * sectors valid or not.
 */
#ifndef WS_REF_POLICY_SETS_H
#define WS_REF_POLICY_SETS_H

#include "trace/trace.h"

#define SECTORS (WS_LINE_MAX / WS_SECTOR_BYTES)
#define WEIGHTS 64u

struct line {
	bool valid;
	uint64_t address;
	bool has[SECTORS];
	uint64_t count;		/* of LFU and MFU */
	uint64_t value;		/* of RRIP and NRU */
	unsigned signature;	/* of SHiP */
	bool outcome;
	unsigned last_pc;	/* of dead-line prediction */
};

struct list {
	unsigned *way;		/* the foremost first */
	unsigned count;
};

struct set {
	struct line *line;
	struct list recent;	/* most recent first */
	struct list filled;	/* latest fill first */
	bool *right;		/* PLRU: does the node point to its right child? */
	uint64_t clock;		/* requests so far */
	unsigned hand;		/* CLOCK: the way that is looked at next */
};

struct rule;

#define PEERS 4u

struct ref_cache {
	struct ws_cache cache;
	const struct rule *rule;
	struct ws_rng rng;
	unsigned ways;		/* of the set at hand; the most between requests */
	struct set *set;
	/* Parameters. */
	unsigned bits;		/* RRIP's M, or the width of PSEL */
	bool frequency;
	double epsilon;
	uint64_t period;
	double weight[WEIGHTS];
	unsigned weights;

	uint64_t psel;
	unsigned shct[16384];	/* SHiP's counters */
	unsigned dead[128], passed[128]; /* of program counters: of dead lines; gone past since one
				 * was brought in */
	/* select: each policy has a cache of its own, of the same lines. */
	struct ref_cache *peer[PEERS];
	unsigned peers, charge;
	uint64_t monitor, hits, fills; /* its period is above */
	/* Of the launch. */
	const struct ws_request *r;
	size_t count, now;
};

struct rule {
	const char *name;
	char letter;
	bool (*parse)(struct ref_cache *c, const char *text); /* text: NULL without a colon */
	void (*begin)(struct ref_cache *c, struct set *s); /* of every request to the set */
	void (*hit)(struct ref_cache *c, struct set *s, unsigned way);
	void (*fill)(struct ref_cache *c, struct set *s, unsigned way);
	unsigned (*victim)(struct ref_cache *c, struct set *s);
	void (*leave)(struct ref_cache *c, struct set *s, unsigned way); /* its line is thrown
									  * out */
	bool (*past)(struct ref_cache *c); /* does what is asked go past the cache, line and all? */
};

/* ---- lists ----------------------------------------------------------------------- */

static inline void list_remove(struct list *l, unsigned way)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < l->count; i++)
		if (l->way[i] != way)
			l->way[kept++] = l->way[i];
	l->count = kept;
}

static inline void list_to_front(struct list *l, unsigned way)
{
	list_remove(l, way);
	for (unsigned i = l->count; i > 0; i--)
		l->way[i] = l->way[i - 1];
	l->way[0] = way;
	l->count++;
}

static inline void list_to_back(struct list *l, unsigned way)
{
	list_remove(l, way);
	l->way[l->count++] = way;
}

static inline unsigned list_last(const struct list *l)
{
	return l->way[l->count - 1];
}

/* select.c */
bool ref_select_parse(struct ref_cache *c, const char *text);
void ref_select_begin(struct ref_cache *c, struct set *s);
void ref_select_hit(struct ref_cache *c, struct set *s, unsigned way);
void ref_select_fill(struct ref_cache *c, struct set *s, unsigned way);
unsigned ref_select_victim(struct ref_cache *c, struct set *s);
void ref_select_leave(struct ref_cache *c, struct set *s, unsigned way);

/* policy.c: NULL: there is none of this name. */
const struct rule *ref_rule_find(const char *text);

#endif
