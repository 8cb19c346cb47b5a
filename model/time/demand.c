/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/time/demand.c -- the L1s' requests to the L2, and the L2's fetches.
 *
 * If the profile has an L2 behind such L1s, it predicts the L2's misses.  If the L1s differ from
 * the recorded ones, or have another policy, the number of L2 misses is assumed to be that behind
 * the recorded L1s of the nearest size: most L2 misses are first accesses.  If the profile has no
 * L2, the L1s' cold misses are assumed to miss in the L2, and all others to hit.
 */
#include "model/time/time.h"

#include <math.h>

/* The recorded L1 of the nearest size.  One with the same line size is preferred, and of those of
 * equal size the one with the same sets and ways. */
static const struct ws_next_level *nearest(const struct ws_profile *p, const struct ws_cache *l1)
{
	const struct ws_next_level *best = NULL;
	double least = 0, size = fmax(1, (double)(l1->sets * l1->ways * l1->line_bytes));

	for (size_t i = 0; i < p->behinds; i++) {
		const struct ws_filter *f = &p->behind[i].l1;
		double other = fmax(1, (double)(f->sets * f->ways * f->line_bytes));
		double far = fabs(log2(other / size)) +
			     (f->line_bytes == l1->line_bytes ? 0 : 64) +
			     (f->sets == l1->sets && f->ways == l1->ways ? 0 : 1e-9);

		if (!best || far < least) {
			best = p->behind + i;
			least = far;
		}
	}
	return best;
}

/* The machine with the L1s behind which the L2 was recorded. */
static struct ws_machine recorded(const struct ws_profile *p, const struct ws_machine *m,
				  const struct ws_next_level *b)
{
	struct ws_machine with = *m;

	with.l1.line_bytes = b->l1.line_bytes;
	with.l1.sets = b->l1.sets;
	with.l1.ways = b->l1.ways;
	with.l1.size_bytes = b->l1.sets * b->l1.ways * b->l1.line_bytes;
	with.l1.sector_bytes = ws_shape_sector(&p->machine, b->l1.line_bytes);
	ws_policy_set_lru(&with.l1);
	return with;
}

/* 32-byte sectors of a request of the kind, if known. */
static double sectors_of(const struct ws_geometry *g, unsigned kind)
{
	const struct ws_histogram *h = g->kind + kind;

	if (g->sector_bytes == g->line_bytes || !h->requests)
		return (double)(g->line_bytes / WS_SECTOR_BYTES);
	return ws_per((double)h->sectors, (double)h->requests) *
	       (double)(g->sector_bytes / WS_SECTOR_BYTES);
}

/* Modified lines that the L2 evicts. */
static double written_back(const struct ws_machine *m, const struct ws_prediction *l2)
{
	const struct ws_counts *all = l2->kind + WS_KINDS, *stores = l2->kind + WS_STORE;
	double lines = (double)(m->l2_slices * m->l2.sets * m->l2.ways);
	double out = fmax(0, (double)all->misses - lines);

	if (ws_writes_through(m->l2.write))
		return 0;
	return out * ws_per((double)stores->misses, (double)all->misses);
}

/* The number of slices over which so many lines are spread. */
static double spread(const struct ws_machine *m, double lines)
{
	double chunks = lines * (double)m->l2.line_bytes / (double)m->l2_interleave_bytes;

	return fmin((double)m->l2_slices, fmax(1, chunks));
}

/* Lines that the launches access; an upper bound if the L2 may have held them before. */
static uint64_t lines_of(const struct ws_machine *m, const struct ws_geometry *g, unsigned kind)
{
	const struct ws_histogram *h = g->kind + kind;

	return m->l2_start == WS_L2_KEEP ? h->requests : h->cold;
}

/* loads: the predicted fetches of the L1s, relative to those of the recorded L1s. */
static void fill(const struct ws_machine *m, const struct ws_geometry *g, double launches,
		 double loads, const struct ws_prediction *l2, struct ws_l2_demand *d)
{
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		d->requests[kind] = (double)l2->kind[kind].requests;
		if (kind == WS_LOAD)
			d->requests[kind] *= loads;
		d->sectors[kind] = d->requests[kind] * sectors_of(g, kind);
		d->spread[kind] = spread(m, (double)lines_of(m, g, kind) / launches);
	}
	d->misses = fmin(d->requests[WS_LOAD], (double)l2->kind[WS_LOAD].misses) +
		    (double)l2->kind[WS_ATOMIC].misses;
	d->pending = fmin(d->requests[WS_LOAD] + d->requests[WS_ATOMIC] - d->misses,
			  (double)(l2->kind[WS_LOAD].pending + l2->kind[WS_ATOMIC].pending));
	d->dram_bytes = d->misses * sectors_of(g, WS_LOAD) + written_back(m, l2) *
			sectors_of(g, WS_STORE);
	d->dram_bytes *= WS_SECTOR_BYTES;
}

/* With an L2 in the profile. */
static enum ws_status from_profile(const struct ws_model *a, size_t section,
				   const struct ws_machine *m, struct ws_l2_demand *d,
				   struct ws_timing *out, struct ws_err *err)
{
	const struct ws_next_level *b = nearest(a->profile, &m->l1);
	const struct ws_section *s = b->l2->section + section;
	const struct ws_machine with = recorded(a->profile, m, b);
	const struct ws_model *l2 = a->behind[b - a->profile->behind];
	const struct ws_cache whole = ws_l2_whole(&with);
	const struct ws_fetches fetch = { { (double)m->dram_latency_cycles, 0 }, { 1, 0 } };
	const struct ws_geometry *g;
	struct ws_prediction first;
	struct ws_pending pending = { .blocked = 0 };
	double fetched;
	enum ws_status status = ws_model_predict_l2(a, section, &with, &out->l2, err);

	if (status == WS_OK)
		status = ws_model_predict(a, section, &with.l1, &first, err);
	if (status != WS_OK)
		return status;
	g = ws_section_geometry(s, m->l2.line_bytes, m->l2.sets * m->l2_slices);
	if (g->detail)
		status = ws_pending_take(l2, section, &whole, &fetch, &out->l2, &pending, err);
	if (status != WS_OK)
		return status;
	d->blocked = pending.blocked;
	fetched = (double)first.kind[WS_LOAD].misses;
	fill(m, g, (double)s->launches,
	     fetched > 0 ? (double)out->l1.kind[WS_LOAD].misses / fetched : 1, &out->l2, d);
	return WS_OK;
}

/* Without an L2 in the profile. */
static void assume(const struct ws_machine *m, const struct ws_geometry *g,
		   const struct ws_prediction *l1, struct ws_l2_demand *d)
{
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		const struct ws_counts *c = l1->kind + kind;

		d->requests[kind] = (double)(kind == WS_STORE ? c->requests : c->misses);
		d->sectors[kind] = d->requests[kind] * sectors_of(g, kind);
		d->spread[kind] = (double)m->l2_slices;
	}
	d->misses = (double)l1->kind[WS_LOAD].cold;
	d->dram_bytes = d->misses * sectors_of(g, WS_LOAD) * WS_SECTOR_BYTES;
}

enum ws_status ws_l2_demand_find(const struct ws_model *a, size_t section,
				 const struct ws_machine *m, struct ws_l2_demand *d,
				 struct ws_timing *out, struct ws_err *err)
{
	const struct ws_section *s = a->profile->section + section;
	enum ws_status status = WS_OK;

	*d = (struct ws_l2_demand){ .misses = 0 };
	out->l2_assumed = !a->profile->behinds;
	if (a->profile->behinds)
		status = from_profile(a, section, m, d, out, err);
	else
		assume(m, ws_section_geometry(s, m->l1.line_bytes, m->l1.sets), &out->l1, d);
	out->dram_bytes = d->dram_bytes;
	return status;
}
