/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/lru.c -- least recently used.
 *
 * Exact face: a way's word is the set's clock at its last use.
 *
 * Analytic face: a request at stack distance d hits iff d < ways, whatever the
 * write policy (stackdist.h), so the tail of the histogram is the misses, to
 * the last count; the tail of the histogram of min(d, q / sets) is those of
 * them that a fully associative cache of the same size has too.  O(len).
 */
#include "model/model.h"

static void touch(struct ws_set *set, unsigned way)
{
	set->meta[way] = set->clock;
}

static unsigned victim(struct ws_set *set)
{
	unsigned oldest = 0;

	for (unsigned way = 1; way < set->ways; way++)
		if (set->meta[way] < set->meta[oldest])
			oldest = way;
	return oldest;
}

static uint64_t tail(const uint64_t *count, size_t len, uint64_t from)
{
	uint64_t sum = 0;

	for (size_t i = (size_t)(from < len ? from : len); i < len; i++)
		sum += count[i];
	return sum;
}

static struct ws_counts count(const struct ws_histogram *h, uint64_t ways)
{
	struct ws_counts c = { .requests = h->requests, .cold = h->cold,
			       .uncached = h->uncached };
	uint64_t finite = tail(h->distance, h->len, ways);

	c.capacity = tail(h->capacity, h->len, ways);
	c.conflict = finite - c.capacity;
	c.misses = c.cold + c.uncached + finite;
	c.hits = c.requests - c.misses;
	return c;
}

static enum ws_status predict(const struct ws_cache *cache, const struct ws_section *section,
			      struct ws_prediction *out, struct ws_err *err)
{
	const struct ws_geometry *g = ws_section_geometry(section, cache->sets);

	(void)err;	/* the caller has made sure of the geometry */
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		out->kind[kind] = count(g->kind + kind, cache->ways);
	out->error_pp = 0;
	return WS_OK;
}

extern const struct ws_policy ws_policy_lru;
const struct ws_policy ws_policy_lru = {
	.name = "lru",
	.summary = "least recently used; exact for every number of ways",
	.source = "Mattson, Gecsei, Slutz, Traiger: Evaluation techniques for storage "
		  "hierarchies, IBM Systems Journal 9(2), 1970: the tail of the histogram of "
		  "stack distances",
	.gpgpusim = 'L',
	.basis = WS_EXACT,
	.on_hit = touch,
	.on_fill = touch,
	.victim = victim,
	.predict = predict,
};
