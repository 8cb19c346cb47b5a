/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/decide.c -- DyCache's decisions (model.h): the simulator's, and those that are replayed
 * from a profile.
 *
 * Nothing here knows what a cache holds: a decision is a function of the window's counts.
 */
#include "model/model.h"

#define CALM 8u			/* decisions without a change that halve the period */
#define RESTLESS 2u		/* changes in succession that double it */
#define PERCENT 100u

unsigned ws_grain_decide(const struct ws_grain_window *w, unsigned grain, uint32_t threshold,
			 enum ws_grain_fine fine)
{
	uint64_t bar = threshold * w->requests;
	bool poor = PERCENT * w->misses > bar;
	bool small = PERCENT * (w->size[0] + w->size[1]) > bar;

	if (!poor)
		return grain;
	if (!small)
		return WS_GRAIN_WORDS;
	if (grain < WS_GRAIN_WORDS && fine == WS_GRAIN_KEEP)
		return grain;
	return w->size[0] > w->size[1] ? 1 : 2;
}

void ws_grain_start(struct ws_grain_control *c, const struct ws_cache *cache)
{
	*c = (struct ws_grain_control){
		.threshold = cache->organised.parameter, .period_first = cache->grain_period,
		.period_max = cache->grain_period_max, .period = cache->grain_period,
		.fine = cache->grain_fine, .grain = WS_GRAIN_WORDS,
	};
}

static void adapt(struct ws_grain_control *c, bool change)
{
	c->same = change ? 0 : c->same + 1;
	c->changed = change ? c->changed + 1 : 0;
	if (c->changed == RESTLESS) {
		c->changed = 0;
		if (c->period < c->period_max)
			c->period = c->period > c->period_max / 2 ? c->period_max : 2 * c->period;
	} else if (c->same == CALM) {
		c->same = 0;
		if (c->period > c->period_first)
			c->period = c->period / 2 < c->period_first ? c->period_first
								    : c->period / 2;
	}
}

bool ws_grain_take_all(struct ws_grain_control *c, const struct ws_grain_window *w)
{
	unsigned before = c->grain;

	c->window.requests += w->requests;
	c->window.misses += w->misses;
	for (unsigned size = 0; size < WS_GRAIN_SIZES; size++)
		c->window.size[size] += w->size[size];
	if (c->window.requests < c->period)
		return false;
	c->grain = ws_grain_decide(&c->window, before, c->threshold, c->fine);
	adapt(c, c->grain != before);
	c->window = (struct ws_grain_window){ 0 };
	return c->grain != before;
}

bool ws_grain_take(struct ws_grain_control *c, unsigned size, bool miss)
{
	struct ws_grain_window one = { .requests = 1, .misses = miss };

	one.size[size] = 1;
	return ws_grain_take_all(c, &one);
}
