/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/paths.c -- work-items that recorded the same between two barriers, merged as one.
 *
 * Between barriers that follow each other closely work-items access nothing that is recorded, and
 * take one of a few paths.  If all of them came to a barrier or their end, each path is merged once
 * with the mask of those that took it: the same steps as of each work-item by itself, at a cost per
 * path instead of per work-item.
 */
#include "base/bits.h"
#include "trace/capture/lockstep.h"

#include <string.h>

void ws_paths_begin(struct ws_cta_run *r)
{
	r->paths = 0;
}

static bool same_path(const struct ws_path *p, const uint64_t *word, size_t words)
{
	if (p->words != words)
		return false;
	for (size_t i = 0; i < words; i++) {
		if (p->word[i] != word[i])
			return false;
	}
	return true;
}

static bool accesses_nothing(const struct ws_kernel *k, const uint64_t *word, size_t words)
{
	for (size_t i = 0; i < words; i++) {
		if (k->segment[word[i]].count)
			return false; /* and what follows is no segment */
	}
	return true;
}

bool ws_paths_add(struct ws_cta_run *r, const struct ws_lane_ctx *x)
{
	size_t words = (size_t)(x->p - x->rd), i = 0;
	struct ws_path *p = r->path;

	if (x->state != LANE_BARRIER && x->state != LANE_DONE)
		return false;
	for (; i < r->paths && !same_path(p, x->rd, words); i++)
		p++;
	if (i == WS_PATHS || (i == r->paths && !accesses_nothing(r->config->kernel, x->rd, words)))
		return false;
	if (i == r->paths) {
		r->paths++;
		p->word = x->rd;
		p->words = words;
		p->at = 0;
		memset(p->mask, 0, r->mask_words * sizeof *p->mask);
	}
	ws_bit_set(p->mask, x->lane);
	return true;
}

bool ws_paths_step(struct ws_cta_run *r, uint32_t *segment)
{
	uint64_t low = UINT64_MAX;

	for (size_t i = 0; i < r->paths; i++) {
		const struct ws_path *p = &r->path[i];

		if (p->at < p->words && p->word[p->at] < low)
			low = p->word[p->at];
	}
	if (low == UINT64_MAX)
		return false;
	memset(r->mask, 0, r->mask_words * sizeof *r->mask);
	for (size_t i = 0; i < r->paths; i++) {
		struct ws_path *p = &r->path[i];

		if (p->at == p->words || p->word[p->at] != low)
			continue;
		p->at++;
		for (size_t w = 0; w < r->mask_words; w++)
			r->mask[w] |= p->mask[w];
	}
	*segment = (uint32_t)low;
	return true;
}
