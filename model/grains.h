/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/grains.h -- private: DyCache's decisions and hits, replayed from windows.
 */
#ifndef WS_MODEL_GRAINS_H
#define WS_MODEL_GRAINS_H

#include "model/model.h"

struct ws_grain_replay {	/* of all runs, loads and stores */
	double hits[2];
	double cold[2], uncached[2], finite[2][WS_GRAINS]; /* misses; finite: by the grain then */
	uint64_t changes;
};

/* c: of the section, at the cache's sets.  O(cells of the windows). */
void ws_grain_replay(const struct ws_section *s, const struct ws_chunked *c,
		     const struct ws_cache *cache, struct ws_grain_replay *out);

#endif
