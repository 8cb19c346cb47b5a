/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/colours.c -- sets of a cache that is indexed by addresses that are not known.
 *
 * Of a physical address the offset in the page alone is known.  It chooses one of 2^rank sets; the
 * page's number chooses which of `colours` such groups.  Pages drawn at random are of the full
 * set's colour with probability 1 / colours, which is a power of two: so a count of them says
 * which.
 */
#include "validate/pchase/probe.h"

#include <math.h>

#define PAGES_MOST 2048u
#define SAME_LEAST 8u		/* pages */
#define COLOURS_MOST_LOG 12u

/* Of the pages that were tried so many were of the colour; the log of its probability. */
static double likelihood(size_t same, size_t tried, unsigned colours_log)
{
	double part = 1 / (double)(1u << colours_log);

	if (colours_log == 0)	/* but for mistakes */
		part = 0.99;
	return (double)same * log(part) + (double)(tried - same) * log(1 - part);
}

static unsigned likeliest(size_t same, size_t tried, double *confidence)
{
	unsigned best = 0;
	double others = 0;

	for (unsigned k = 1; k <= COLOURS_MOST_LOG; k++)
		if (likelihood(same, tried, k) > likelihood(same, tried, best))
			best = k;
	for (unsigned k = 0; k <= COLOURS_MOST_LOG; k++)
		if (k != best)
			others += exp(likelihood(same, tried, k) -
				      likelihood(same, tried, best));
	*confidence = 1 / (1 + others);
	return best;
}

/* Pages that hold lines of the full set say nothing. */
static bool is_known(const struct ws_probe *p, uint64_t page)
{
	for (size_t i = 0; i < p->full.count; i++)
		if (p->full.at[i] / p->target->page == page)
			return true;
	return p->other / p->target->page == page;
}

/* Two of three tests agree: mistakes either way would shift the count. */
static enum ws_status of_colour(struct ws_probe *p, uint64_t at, bool *yes, struct ws_err *err)
{
	unsigned votes[2] = { 0 };
	enum ws_status status = WS_OK;

	while (votes[0] < 2 && votes[1] < 2 && status == WS_OK) {
		status = ws_probe_same_set(p, &at, 1, yes, err);
		votes[*yes]++;
	}
	return status;
}

static enum ws_status count_same(struct ws_probe *p, size_t *same, size_t *tried,
				 struct ws_err *err)
{
	uint64_t size = p->target->page, pages = p->target->bytes / size;
	uint64_t page = ws_rng_below(&p->rng, pages), step = 2 * ws_rng_below(&p->rng, pages) + 1;
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < pages && *tried < PAGES_MOST && status == WS_OK; i++) {
		uint64_t at = page * size + p->other % size;
		bool yes;

		page = (page + step) % pages;
		if (is_known(p, at / size))
			continue;
		status = of_colour(p, at, &yes, err);
		*same += status == WS_OK && yes;
		++*tried;
	}
	return status;
}

enum ws_status ws_chase_colours(struct ws_probe *p, struct ws_err *err)
{
	struct ws_chase *found = p->found;
	unsigned low = ws_log2(found->line.value), high = ws_log2(p->target->page) - 1, rank = 0;
	unsigned colours;
	size_t same = 0, tried = 0;
	double confidence;
	enum ws_status status = ws_probe_rank(p, low, high, &rank, err);

	if (status == WS_OK)
		status = count_same(p, &same, &tried, err);
	if (status != WS_OK || found->exhausted || same < SAME_LEAST)
		return status;
	colours = likeliest(same, tried, &confidence);
	confidence *= ws_probe_confidence(p);
	found->sets = (struct ws_chase_value){ 1ull << (rank + colours), confidence };
	found->size = (struct ws_chase_value){
		found->sets.value * found->ways.value * found->line.value, confidence,
	};
	return WS_OK;
}
