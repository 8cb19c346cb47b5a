/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/lru.c -- walks over growing arrays under LRU, one load after the other.
 */
#include "validate/pchase/probe.h"

#include <stdlib.h>

enum ws_status ws_chase_lru_open(struct ws_chase_lru *l, const struct ws_cache *cache,
				 const struct ws_chase_point *walk, struct ws_err *err)
{
	*l = (struct ws_chase_lru){
		.cache = cache, .window = walk->loads, .base = walk->base,
		.line = UINT64_MAX, .sector = UINT64_MAX,
		.stride = walk->stride < WS_SECTOR_BYTES ? WS_SECTOR_BYTES : walk->stride,
		.lines = ws_alloc_zero((size_t)cache->sets, sizeof *l->lines),
		.loads = ws_alloc_zero((size_t)cache->sets, sizeof *l->loads),
	};
	return l->lines && l->loads ? WS_OK : ws_fail_memory(err, "the sets");
}

/* One load more in each pass. */
static void lru_load(struct ws_chase_lru *l, uint64_t address)
{
	uint64_t line = address / l->cache->line_bytes, sector = address / l->cache->sector_bytes;
	uint64_t set = ws_set_index(l->cache, address);
	bool counts = sector != l->sector && (!l->window || l->next < l->window);

	if (line != l->line && l->lines[set]++ == l->cache->ways)
		l->misses += l->loads[set];
	l->loads[set] += counts;
	l->misses += counts && l->lines[set] > l->cache->ways;
	l->line = line;
	l->sector = sector;
}

double ws_chase_lru_walk(struct ws_chase_lru *l, uint64_t array)
{
	for (; l->next * l->stride < array; l->next++)
		lru_load(l, l->base + l->next * l->stride);
	return (double)l->misses / (double)(l->window ? l->window : l->next);
}

void ws_chase_lru_close(struct ws_chase_lru *l)
{
	free(l->lines);
	free(l->loads);
	*l = (struct ws_chase_lru){ 0 };
}
