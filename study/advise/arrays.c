/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/advise/arrays.c -- what a scan found of an array: sums over its lines, and strides.
 */
#include "study/advise/private.h"

#include <string.h>

void ws_scan_array(struct ws_array_sum *a, const struct ws_scan *scan, const char *name)
{
	*a = (struct ws_array_sum){ .name = name };
	for (size_t i = 0; i < scan->count; i++) {
		const struct ws_scan_site *s = &scan->site[i];
		uint64_t wasted = s->sum.sectors - s->sum.needed;

		if (strcmp(s->array, name) != 0)
			continue;
		a->sum.instructions += s->sum.instructions;
		a->sum.requests += s->sum.requests;
		a->sum.sectors += s->sum.sectors;
		a->sum.needed += s->sum.needed;
		a->bytes = s->bytes > a->bytes ? s->bytes : a->bytes;
		if (!a->worst || wasted > a->wasted) {
			a->worst = s;
			a->wasted = wasted;
		}
	}
}

bool ws_scan_begins_array(const struct ws_scan *scan, size_t site)
{
	if (strcmp(scan->site[site].array, "?") == 0)
		return false;
	for (size_t i = 0; i < site; i++)
		if (strcmp(scan->site[i].array, scan->site[site].array) == 0)
			return false;
	return true;
}

static void add_stride_of(struct ws_strides *sum, uint64_t bytes, uint64_t count)
{
	size_t least = 0;

	for (size_t i = 0; i < WS_STRIDES; i++) {
		if (sum->count[i] && sum->bytes[i] == bytes) {
			sum->count[i] += count;
			return;
		}
		if (sum->count[i] < sum->count[least])
			least = i;
	}
	if (count > sum->count[least]) {
		sum->bytes[least] = bytes;
		sum->count[least] = count;
	}
}

/* A loop in a loop has a short stride, and a long one each time that the inner loop begins anew:
 * rows are as far apart as both together. */
static void add_rows(struct ws_strides *sum, const struct ws_strides *steps, uint64_t least)
{
	size_t often = 0;

	for (size_t i = 1; i < WS_STRIDES; i++)
		if (steps->count[i] > steps->count[often])
			often = i;
	for (size_t i = 0; i < WS_STRIDES; i++) {
		uint64_t count = steps->count[i], inner;

		if (!count || i == often || steps->bytes[i] <= steps->bytes[often])
			continue;
		inner = (steps->count[often] + count / 2) / count * steps->bytes[often];
		if (steps->bytes[i] + inner >= least)
			add_stride_of(sum, steps->bytes[i] + inner, count);
	}
}

/* How many times as many lines of a set there are at such a distance. */
static double crowding(uint64_t bytes, const struct ws_cache *l1)
{
	uint64_t together = bytes & (~bytes + 1), way = l1->sets * l1->line_bytes;

	together = together < way ? together : way;
	return together < l1->line_bytes ? 1 : (double)together / (double)l1->line_bytes;
}

/* Of equal ones the shortest, of which others may be multiples. */
static size_t heaviest(const struct ws_strides *s, const struct ws_cache *l1)
{
	double most = 0;
	size_t best = 0;

	for (size_t i = 0; i < WS_STRIDES; i++) {
		double weight = (double)s->count[i];

		weight *= l1 && s->count[i] ? crowding(s->bytes[i], l1) : 1;
		if (weight < most || (!(weight > most) && s->bytes[i] >= s->bytes[best]))
			continue;
		best = i;
		most = weight;
	}
	return best;
}

void ws_scan_strides(uint64_t out[WS_STRIDES_TRIED], const struct ws_scan *scan,
		     const char *array, unsigned kinds, uint64_t least, const struct ws_cache *l1)
{
	struct ws_strides sum = { .count = { 0 } };

	for (size_t i = 0; i < scan->count; i++)
		for (unsigned k = 0; k < WS_STRIDE_KINDS; k++) {
			const struct ws_strides *s = &scan->site[i].stride[k];

			if (!(kinds >> k & 1) || (array && strcmp(scan->site[i].array, array) != 0))
				continue;
			for (size_t j = 0; j < WS_STRIDES; j++)
				if (s->count[j] && s->bytes[j] >= least)
					add_stride_of(&sum, s->bytes[j], s->count[j]);
			if (k == WS_STRIDE_STEP)
				add_rows(&sum, s, least);
		}
	for (unsigned n = 0; n < WS_STRIDES_TRIED; n++) {
		size_t best = heaviest(&sum, l1);

		out[n] = sum.count[best] ? sum.bytes[best] : 0;
		sum.count[best] = 0;
	}
}

uint64_t ws_scan_lanes_apart(const struct ws_scan *scan, const char *array, uint64_t bytes)
{
	uint64_t count = 0;

	for (size_t i = 0; i < scan->count; i++) {
		const struct ws_strides *s = &scan->site[i].stride[WS_STRIDE_LANE];

		for (size_t j = 0; j < WS_STRIDES && strcmp(scan->site[i].array, array) == 0; j++)
			count += s->bytes[j] == bytes ? s->count[j] : 0;
	}
	return count;
}

uint64_t ws_scan_array_bytes(const struct ws_scan *scan, const char *name)
{
	for (size_t i = 0; i < scan->launch->arrays; i++)
		if (strcmp(scan->launch->array[i].name, name) == 0)
			return scan->launch->array[i].bytes;
	return 0;
}
