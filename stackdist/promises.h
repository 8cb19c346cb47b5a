/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/promises.h -- what stackdist.h promises of the lists in a profile, as asserts: where
 * one is finished, merged or read.  Without asserts nothing is left of them.
 */
#ifndef WS_STACKDIST_PROMISES_H
#define WS_STACKDIST_PROMISES_H

#include <assert.h>

#include "stackdist/record/sites.h"

#ifdef NDEBUG
static inline void ws_promise_profile(const struct ws_profile *p)
{
	(void)p;
}
#else
static inline void ws_promise_reuses(const struct ws_fill_reuses *f)
{
	for (size_t i = 0; i < f->count; i++) {
		const struct ws_fill_reuse *e = f->entry + i;

		assert(e->change && e->cell < WS_FILL_REUSE_CELLS);
		assert(i == 0 || e[-1].cell < e->cell ||
		       (e[-1].cell == e->cell && e[-1].ways < e->ways));
	}
}

static inline void ws_promise_detail(const struct ws_detail *d)
{
	for (unsigned k = 0; k < WS_KINDS; k++)
		ws_promise_reuses(d->fill_reuse + k);
}

static inline void ws_promise_windows(const struct ws_grain_runs *g, const struct ws_chunked *c)
{
	size_t windows = 0;

	for (size_t i = 0; i < g->runs; i++) {
		assert(g->run[i] >= 1);
		windows += g->run[i];
	}
	assert(windows == g->windows && (g->period || !windows));
	for (unsigned grain = 0; grain < WS_GRAINS && c->window[grain].first; grain++) {
		const struct ws_grain_cells *w = c->window + grain;

		for (size_t i = 0; i < windows; i++) {
			assert(w->first[i] <= w->first[i + 1]);
			for (size_t j = w->first[i]; j < w->first[i + 1]; j++) {
				assert(w->count[j] && w->at[j] < WS_GRAIN_CELLS);
				assert(j == w->first[i] || w->at[j - 1] < w->at[j]);
			}
		}
	}
}

static inline void ws_promise_section(const struct ws_section *s)
{
	for (size_t i = 0; i < s->geometries; i++) {
		const struct ws_geometry *g = s->geometry + i;

		assert(g->sets && g->sector_bytes && g->sector_bytes <= g->line_bytes);
		assert(i == 0 || g[-1].line_bytes < g->line_bytes ||
		       (g[-1].line_bytes == g->line_bytes && g[-1].sets < g->sets));
		if (g->detail)
			ws_promise_detail(g->detail);
	}
	for (size_t i = 0; i < s->sites; i++) {
		assert(s->site[i].array && s->site[i].file);
		assert(i == 0 || ws_site_compare(s->site + i - 1, s->site + i) < 0);
	}
	for (size_t i = 0; i < s->chunkeds; i++) {
		assert(i == 0 || s->chunked[i - 1].sets < s->chunked[i].sets);
		ws_promise_windows(&s->grains, s->chunked + i);
	}
}

static inline void ws_promise_profile(const struct ws_profile *p)
{
	assert(p->sample_rate > 0 && p->sample_rate <= 1);
	for (size_t i = 0; i < p->sections; i++) {
		assert(p->section[i].kernel && p->section[i].launches);
		ws_promise_section(p->section + i);
	}
	for (size_t i = 0; i < p->behinds; i++) {
		const struct ws_next_level *b = p->behind + i;

		assert(b->l2->sections == p->sections && !b->l2->behinds && !b->l2->others);
		assert(i == 0 || ws_filter_compare(&b[-1].l1, &b->l1) < 0);
	}
	assert(!p->others || p->order == WS_ORDER_CYCLES);
	for (size_t i = 0; i < p->others; i++)
		assert(p->other[i]->sections == p->sections && !p->other[i]->behinds);
}
#endif

#endif
