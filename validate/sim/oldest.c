/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/sim/oldest.c -- tournaments for the least recently used entry (oldest.h).
 */
#include "validate/sim/oldest.h"

#include <stdlib.h>

bool ws_oldest_new(struct ws_oldest *o, size_t rows, uint32_t width)
{
	*o = (struct ws_oldest){ .width = width, .leaves = 1 };
	while (o->leaves < width)
		o->leaves *= 2;
	o->used = ws_alloc_zero(rows * width, sizeof *o->used);
	o->first = ws_alloc_zero(rows * o->leaves, sizeof *o->first);
	return o->used && o->first;
}

void ws_oldest_clear(struct ws_oldest *o)
{
	free(o->used);
	free(o->first);
	*o = (struct ws_oldest){ 0 };
}

void ws_oldest_set(struct ws_oldest *o, size_t row, uint32_t entry, uint64_t used)
{
	uint64_t *of = o->used + row * o->width;
	uint32_t *first = o->first + row * o->leaves, leaves = o->leaves;

	of[entry] = used;
	for (uint32_t node = (entry + leaves) / 2, half = 1; node; node /= 2, half *= 2) {
		uint32_t base = entry & ~(2 * half - 1), old = base + first[node];
		uint32_t left = base + (half > 1 ? first[2 * node] : 0);
		uint32_t right = base + half + (half > 1 ? first[2 * node + 1] : 0);
		uint32_t best = right < o->width && of[right] < of[left] ? right : left;

		first[node] = best - base;
		if (best == old && old != entry)
			return;	/* nor does anything change above */
	}
}
