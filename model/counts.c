/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/counts.c -- counts of requests, and ratios of them.
 */
#include "model/model.h"

#include <assert.h>

const char *const ws_basis_names[] = { "exact", "approx", "simulated", NULL };

double ws_miss_ratio(const struct ws_counts *c, bool count_pending)
{
	uint64_t misses = c->misses + (count_pending ? c->pending : 0);

	assert(misses <= c->requests);
	return c->requests ? (double)misses / (double)c->requests : 0;
}

void ws_prediction_close(struct ws_prediction *p)
{
	for (unsigned kind = 0; kind <= WS_KINDS; kind++)
		p->low[kind] = p->high[kind] = ws_miss_ratio(p->kind + kind, false);
}

void ws_counts_add(struct ws_counts *to, const struct ws_counts *from)
{
	to->requests += from->requests;
	to->hits += from->hits;
	to->pending += from->pending;
	to->misses += from->misses;
	to->cold += from->cold;
	to->capacity += from->capacity;
	to->conflict += from->conflict;
	to->uncached += from->uncached;
	to->sectors += from->sectors;
	to->sectors_missed += from->sectors_missed;
}

static bool same_counts(const struct ws_counts *a, const struct ws_counts *b)
{
	bool both = a->sectors && b->sectors;

	return a->requests == b->requests && a->hits == b->hits && a->pending == b->pending &&
	       a->misses == b->misses && a->cold == b->cold && a->capacity == b->capacity &&
	       a->conflict == b->conflict && a->uncached == b->uncached &&
	       (!both || (a->sectors == b->sectors && a->sectors_missed == b->sectors_missed));
}

bool ws_counts_equal(const struct ws_counts *a, const struct ws_counts *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!same_counts(&a[i], &b[i]))
			return false;
	return true;
}

/* Whether parts add up to whole without overflow. */
static bool adds_up(uint64_t whole, const uint64_t *part, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (part[i] > whole)
			return false;
		whole -= part[i];
	}
	return whole == 0;
}

bool ws_counts_check(const struct ws_counts *c)
{
	const uint64_t all[] = { c->hits, c->pending, c->misses };
	const uint64_t missed[] = { c->cold, c->capacity, c->conflict, c->uncached };

	return adds_up(c->requests, all, WS_COUNT(all)) &&
	       adds_up(c->misses, missed, WS_COUNT(missed));
}
