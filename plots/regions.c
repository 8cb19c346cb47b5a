/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/regions.c -- touched arrays and clusters of addresses, stacked.  See regions.h.
 */
#include "plots/regions.h"

#include <stdlib.h>

static int by_base(const void *a, const void *b)
{
	const struct ws_array *x = *(const struct ws_array *const *)a;
	const struct ws_array *y = *(const struct ws_array *const *)b;

	return x->base < y->base ? -1 : x->base > y->base;
}

static enum ws_status add_region(struct regions *r, uint64_t base, uint64_t bytes, const char *name,
				 struct ws_err *err)
{
	if (!WS_ROOM(r->at, r->cap, r->count + 1))
		return ws_fail_memory(err, "a figure's regions");
	r->at[r->count++] = (struct region){ .base = base, .bytes = bytes, .name = name };
	return WS_OK;
}

/* Puts an address that no array holds into the last cluster, or a new one. */
static enum ws_status add_stray(struct regions *r, uint64_t address, struct ws_err *err)
{
	struct region *last = r->count ? &r->at[r->count - 1] : NULL;

	if (last && !last->name && address - last->base - last->bytes < REGION_GAP) {
		last->bytes = address - last->base + 1;
		return WS_OK;
	}
	return add_region(r, address, 1, NULL, err);
}

/* Walks addresses and arrays, both ascending, side by side. */
static enum ws_status walk(struct regions *r, const struct ws_array *const *array, size_t arrays,
			   const uint64_t *address, size_t count, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t a = 0;

	for (size_t i = 0; status == WS_OK && i < count; i++) {
		const struct region *last = r->count ? &r->at[r->count - 1] : NULL;

		if (last && address[i] - last->base < last->bytes)
			continue;
		while (a < arrays && array[a]->base <= address[i] &&
		       address[i] - array[a]->base >= array[a]->bytes)
			a++;
		if (a < arrays && array[a]->base <= address[i])
			status = add_region(r, array[a]->base, array[a]->bytes, array[a]->name,
					    err);
		else
			status = add_stray(r, address[i], err);
	}
	return status;
}

static void stack_up(struct regions *r)
{
	uint64_t at = 0;

	for (size_t i = 0; i < r->count; i++) {
		if (i) {
			const struct region *below = &r->at[i - 1];
			uint64_t gap = r->at[i].base - below->base - below->bytes;

			r->cut |= gap > REGION_GAP;
			at += gap > REGION_GAP ? REGION_GAP : gap;
		}
		r->at[i].offset = at;
		at += r->at[i].bytes;
	}
	r->total = at;
}

enum ws_status regions_make(struct regions *r, const struct ws_launch *launch,
			    const uint64_t *address, size_t count, struct ws_err *err)
{
	const struct ws_array **sorted = ws_alloc(launch->arrays, sizeof *sorted);
	enum ws_status status;
	size_t n = 0;

	*r = (struct regions){ 0 };
	if (!sorted)
		return ws_fail_memory(err, "a figure's arrays");
	for (size_t i = 0; i < launch->arrays; i++)
		if (launch->array[i].bytes)
			sorted[n++] = &launch->array[i];
	qsort(sorted, n, sizeof *sorted, by_base);
	/* Of arrays that overlap, the first has what it covers. */
	for (size_t i = 1, kept = n ? 1 : 0; i <= n && n; i++) {
		if (i == n) {
			n = kept;
			break;
		}
		if (sorted[i]->base - sorted[kept - 1]->base >= sorted[kept - 1]->bytes)
			sorted[kept++] = sorted[i];
	}
	status = walk(r, sorted, n, address, count, err);
	free(sorted);
	if (status == WS_OK)
		stack_up(r);
	else
		regions_clear(r);
	return status;
}

uint64_t regions_offset(const struct regions *r, uint64_t address)
{
	size_t low = 0, high = r->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (r->at[middle].base <= address)
			low = middle;
		else
			high = middle;
	}
	return r->at[low].offset + (address - r->at[low].base);
}

void regions_clear(struct regions *r)
{
	free(r->at);
	*r = (struct regions){ 0 };
}
