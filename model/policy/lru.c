/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/lru.c -- least recently used.
 *
 * Exact face: a way's word is the set's clock at its last use.
 *
 * Analytic face: exact.  A request at stack distance d hits if and only if d < ways, whatever the
 * write policy (stackdist.h).  So the histogram's tail is the number of misses.  The tail of the
 * histogram of min(d, q / sets) is the number of those that a fully associative cache of the same
 * size has, too.  O(1) with the sums of ws_model, else O(len).
 */
#include "model/policy/order.h"

static void lru_touch(struct ws_set *set, unsigned way)
{
	set->meta[way] = set->clock;
}

static unsigned lru_victim(struct ws_set *set)
{
	return ws_order_least(set);
}

static uint64_t lru_settle(struct ws_set *set)
{
	ws_order_rank(set, 1, 0);
	return set->ways;
}

static uint64_t tail(const uint64_t *count, const uint64_t *sum, size_t len, size_t from)
{
	uint64_t all = 0;

	if (sum)
		return sum[from < len ? from : len];
	for (size_t i = from; i < len; i++)
		all += count[i];
	return all;
}

static struct ws_counts lru_count(const struct ws_histogram *h, const struct ws_tail *sums,
				  uint64_t ways)
{
	struct ws_counts c = { .requests = h->requests, .cold = h->cold,
			       .uncached = h->uncached };
	struct ws_tail none = { NULL, NULL };
	size_t from = ws_cell(ways < UINT32_MAX ? (uint32_t)ways : UINT32_MAX, WS_DISTANCE_BITS);
	uint64_t finite;

	sums = sums ? sums : &none;
	finite = tail(h->distance, sums->distance, h->len, from);
	c.capacity = tail(h->capacity, sums->capacity, h->len, from);
	c.conflict = finite - c.capacity;
	c.misses = c.cold + c.uncached + finite;
	c.hits = c.requests - c.misses;
	return c;
}

/* For a cache that fetches only the sectors that are requested. */
static void count_sectors(const struct ws_histogram *h, uint64_t ways, struct ws_counts *c)
{
	size_t from = ws_cell(ways < UINT32_MAX ? (uint32_t)ways : UINT32_MAX, WS_DISTANCE_BITS);

	c->sectors = h->sectors;
	c->sectors_missed = h->sector_cold + h->sector_uncached +
			    tail(h->sector, NULL, h->sector_len, from);
}

static enum ws_status lru_predict(const struct ws_query *q, struct ws_prediction *out,
				  struct ws_err *err)
{
	const struct ws_geometry *g = q->geometry;

	(void)err;
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		out->kind[kind] = lru_count(g->kind + kind, q->tail ? q->tail + kind : NULL,
					    q->cache->ways);
		if (g->sector_bytes == WS_SECTOR_BYTES && g->sector_bytes < g->line_bytes)
			count_sectors(g->kind + kind, q->cache->ways, out->kind + kind);
	}
	return WS_OK;
}

extern const struct ws_policy ws_policy_lru;
const struct ws_policy ws_policy_lru = {
	.name = "lru", .of_words = true,
	.summary = "least recently used; exact for every number of ways",
	.source = "Mattson, Gecsei, Slutz, Traiger: Evaluation techniques for storage "
		  "hierarchies, IBM Systems Journal 9(2), 1970: the tail of the histogram of "
		  "stack distances",
	.gpgpusim = 'L',
	.basis = WS_EXACT,
	.way_words = 1,
	.on_hit = lru_touch,
	.on_fill = lru_touch,
	.victim = lru_victim,
	.settle = lru_settle, .ways_alike = true,
	.predict = lru_predict,
};
