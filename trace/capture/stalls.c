/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/stalls.c -- CTAs that seem to wait, in loops that are not known to (waits.c): ones
 * that count their turns, or have a barrier in them.
 *
 * A step is stale if its segment stores nothing and accesses what it did the last time, by the same
 * work-items; steps without accesses do not count.  A CTA stalls when a run of stale steps is long;
 * then others have their turn.  It may still be about to go on, since registers are not looked at:
 * only a run that takes seconds, when no other CTA can go on either, is taken for a wait without an
 * end.
 *
 * A loop may also access nothing that steps tell of, and of a bare kernel there are no steps: a CTA
 * stalls when it has gone on from many barriers or meetings without any that count in between.
 */
#include "trace/capture/lockstep.h"

#define PATIENCE_FIRST (1u << 14) /* stale steps, so that hardly any kernel that waits for nobody
				   * stalls */
#define PATIENCE	256u	  /* once one has */
#define FOR_EVER	(1u << 26) /* stale steps times work-items, each of which may pass
				    * barriers */
#define FOR_EVER_LEAST	(1u << 16)

static bool stores(const struct ws_kernel *k, const struct ws_segment *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		if (k->instruction[s->first + i].kind == WS_STORE)
			return true;
	}
	return false;
}

/* Of the work-items of a step and where the first of them accesses what. */
static uint64_t mark(const struct ws_cta_run *r, const struct ws_segment *s)
{
	uint64_t hash = 0x9e3779b97f4a7c15u;
	size_t lane = SIZE_MAX;

	for (size_t w = 0; w < r->mask_words; w++) {
		if (r->mask[w] && lane == SIZE_MAX)
			lane = w * 64 + (size_t)__builtin_ctzll(r->mask[w]);
		hash = (hash ^ r->mask[w]) * 0xbf58476d1ce4e5b9u;
	}
	for (uint32_t i = 0; i < s->count; i++)
		hash = (hash ^ hash >> 29 ^ r->column[i][lane]) * 0x94d049bb133111ebu;
	return hash | 1;
}

static uint64_t patience(const struct ws_cta_run *r)
{
	return *r->config->stalled ? PATIENCE : PATIENCE_FIRST;
}

void ws_stall_begin(struct ws_cta_run *r)
{
	r->stale = r->stops = 0;
	r->patience = r->config->stalled ? patience(r) : UINT64_MAX;
	r->stalls = r->novel = false;
}

void ws_stall_turn(struct ws_cta_run *r)
{
	r->novel = false;
	if (r->stalls)
		r->patience = r->stale + PATIENCE;
	r->stalls = false;
}

void ws_stall_step(struct ws_cta_run *r, uint32_t segment)
{
	const struct ws_kernel *k = r->config->kernel;
	const struct ws_segment *s = &k->segment[segment];
	uint64_t now;

	if (!s->count)
		return;
	r->stops = 0;
	now = mark(r, s);
	if (r->mark[segment] == now && !stores(k, s)) {
		r->stalls = ++r->stale >= r->patience;
		*r->config->stalled |= r->stalls;
		r->stale_segment = segment;
		return;
	}
	r->mark[segment] = now;
	r->novel = true;
	r->stale = 0;
	r->patience = patience(r);
}

void ws_stall_stop(struct ws_cta_run *r, unsigned stops)
{
	r->stops += stops;
	if (r->patience == UINT64_MAX || r->stops < patience(r))
		return;
	r->stops = 0;
	r->stalls = r->novel = *r->config->stalled = true;
}

bool ws_cta_stalls(const struct ws_cta_run *r, bool *for_ever)
{
	*for_ever = r->stalls && r->stale >= FOR_EVER_LEAST && r->stale >= FOR_EVER / r->lanes;
	return r->stalls;
}
