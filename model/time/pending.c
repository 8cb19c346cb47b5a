/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/time/pending.c -- pending hits: hits on data that is still being fetched.
 *
 * The profile's fill-to-reuse times (struct ws_fill_reuses) are, for every number of ways, a
 * histogram of LRU hits by the cycles since the fetch of the line they hit.  A hit is pending if
 * that is less than a fetch takes.  Fetches that hit in the next level and fetches that miss take
 * different times.  It is not known which hits wait for which fetches, so both are counted,
 * weighted by the miss ratio.  In the nominal order this is exact if a fetch's cycles are the begin
 * of a cell of the histogram; within a cell it is interpolated.  Under other policies than LRU the
 * same fraction of hits is assumed to be pending.  An MSHR takes mshr.merge requests: there are at
 * most mshr.merge - 1 pending hits for each miss, and the rest are hits.
 */
#include "model/time/time.h"

#include <math.h>

void ws_waiting_add(struct ws_waiting *w, double requests, double first, double next, double fetch)
{
	double inside = fmin(next, fetch) - first;

	if (!(inside > 0) || !(requests > 0))
		return;
	requests *= inside / (next - first);
	w->requests += requests;
	w->cycles += requests * (fetch - first - (inside - 1) / 2);
}

/* For fetches that all take the same time. */
static struct ws_waiting waiting(const struct ws_fill_reuses *fill_reuses, uint64_t ways,
				 double fetch)
{
	struct ws_waiting w = { 0, 0 };

	for (size_t i = 0, j; i < fill_reuses->count; i = j) {
		uint32_t cell = fill_reuses->entry[i].cell;
		int64_t requests = 0;

		for (j = i; j < fill_reuses->count && fill_reuses->entry[j].cell == cell; j++)
			if (fill_reuses->entry[j].ways <= ways)
				requests += fill_reuses->entry[j].change;
		ws_waiting_add(&w, (double)requests, ws_cell_first(cell, WS_FILL_REUSE_BITS),
			       ws_cell_first(cell + 1, WS_FILL_REUSE_BITS), fetch);
	}
	return w;
}

struct ws_waiting ws_waiting_hits(const struct ws_fill_reuses *fill_reuses, uint64_t ways,
				  const struct ws_fetches *fetch)
{
	struct ws_waiting sum = { 0, 0 };

	for (unsigned i = 0; i < 2; i++) {
		struct ws_waiting w = waiting(fill_reuses, ways, fetch->cycles[i]);

		sum.requests += w.requests * fetch->fraction[i];
		sum.cycles += w.cycles * fetch->fraction[i];
	}
	return sum;
}

/* Turns hits into pending hits; returns their waits' sum in cycles.  lru: hits of LRU. */
static double take(struct ws_counts *c, const struct ws_waiting *w, uint64_t lru)
{
	double scale = lru ? (double)c->hits / (double)lru : 0;
	double pending = fmin((double)c->hits, round(w->requests * scale));

	c->pending = (uint64_t)pending;
	c->hits -= c->pending;
	return w->requests > 0 ? w->cycles * (pending / w->requests) : 0;
}

/* An MSHR takes `merge` requests, the miss included.  Requests beyond that wait before the look-up
 * and then hit.  Returns their number. */
static double limit(struct ws_prediction *p, uint64_t merge, double *waited)
{
	double misses = (double)(p->kind[WS_LOAD].misses + p->kind[WS_ATOMIC].misses), left = 0;
	double pending = 0, most = misses * ((double)merge - 1);

	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		pending += (double)p->kind[kind].pending;
	for (unsigned kind = 0; kind < WS_KINDS && pending > most; kind++) {
		struct ws_counts *c = p->kind + kind;
		uint64_t keep = (uint64_t)(most / pending * (double)c->pending);

		left += (double)(c->pending - keep);
		c->hits += c->pending - keep;
		c->pending = keep;
		waited[kind] *= most / pending;
	}
	return left;
}

enum ws_status ws_pending_take(const struct ws_model *a, size_t section,
			       const struct ws_cache *cache, const struct ws_fetches *fetch,
			       struct ws_prediction *p, struct ws_pending *out, struct ws_err *err)
{
	const struct ws_geometry *g = ws_section_geometry(a->profile->section + section,
							  cache->line_bytes, cache->sets);
	struct ws_cache plain = *cache;
	struct ws_prediction lru;
	enum ws_status status;

	if (!g || !g->detail)
		return ws_fail_remedy(err, WS_REMEDY_DETAIL, "pending hits are predicted from "
				      "fill-to-reuse times, and the profile holds distances alone: "
				      "profile all lines of the trace again, with details");
	ws_policy_set_lru(&plain);
	status = ws_model_predict(a, section, &plain, &lru, err);
	if (status != WS_OK)
		return status;
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		struct ws_waiting w =
			ws_waiting_hits(g->detail->fill_reuse + kind, cache->ways, fetch);

		out->cycles[kind] = take(p->kind + kind, &w, lru.kind[kind].hits);
	}
	out->lru_misses = (double)lru.kind[WS_LOAD].misses;
	out->blocked = limit(p, cache->mshr_merge, out->cycles);
	p->kind[WS_KINDS] = (struct ws_counts){ 0 };
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		ws_counts_add(p->kind + WS_KINDS, p->kind + kind);
	return WS_OK;
}
