/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/series.h -- private: requests by windows of time (struct ws_grain_cells), while
 * they are counted and where they are added up.
 *
 * ws_series_count   O(1)
 * ws_series_end     O(cells of the window log cells)
 * memory            150 KB, and 6 bytes for each cell of each window
 */
#ifndef WS_STACKDIST_SERIES_H
#define WS_STACKDIST_SERIES_H

#include "stackdist/stackdist.h"

struct ws_series {		/* all zero: nothing was counted */
	uint32_t *count;	/* [WS_GRAIN_CELLS], of the window at hand */
	uint16_t *used;		/* its cells that are not 0 */
	size_t cells;
	struct ws_grain_cells ended;
	size_t windows;
};

/* False: out of memory. */
bool ws_series_count(struct ws_series *s, unsigned kind, uint32_t lines, uint64_t lag,
		     unsigned words);
bool ws_series_end(struct ws_series *s); /* of the window */
void ws_series_clear(struct ws_series *s);

/* Windows of `from` after the `windows` of *to. */
bool ws_grain_cells_append(struct ws_grain_cells *to, size_t windows,
			   const struct ws_grain_cells *from, size_t count);
bool ws_grain_runs_append(struct ws_grain_runs *to, const struct ws_grain_runs *from);
/* One more window of the run at hand. */
bool ws_grain_runs_add(struct ws_grain_runs *to, const uint32_t size[WS_GRAINS]);
void ws_grain_cells_clear(struct ws_grain_cells *c);
void ws_grain_runs_clear(struct ws_grain_runs *r);

#endif
