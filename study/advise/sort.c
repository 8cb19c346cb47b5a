/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/advise/sort.c -- an order of a CTA's work-items in which those that go the same way are
 * neighbours.
 *
 * A way is the sequence of segments that a work-item executes.  Long ways come first, so that loops
 * of different lengths are sorted, too; ways of one length in the order of their first work-items.
 */
#include "base/bits.h"
#include "study/advise/private.h"

#include <stdlib.h>

struct way {
	uint64_t steps, hash, first; /* first: the least lane of the same way */
	uint16_t lane;
};

static int by_way(const void *a, const void *b)
{
	const struct way *x = a, *y = b;

	if (x->steps != y->steps)
		return x->steps > y->steps ? -1 : 1;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return (x->lane > y->lane) - (x->lane < y->lane);
}

static int by_hash(const void *a, const void *b)
{
	const struct way *x = a, *y = b;

	if (x->steps != y->steps)
		return x->steps > y->steps ? -1 : 1;
	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->lane > y->lane) - (x->lane < y->lane);
}

static void add_step(struct way *way, size_t threads, const struct ws_step *s)
{
	for (size_t lane = 0; lane < threads && lane / 64 < s->words; lane++) {
		if (!ws_bit(s->mask, lane))
			continue;
		way[lane].steps++;
		way[lane].hash = (way[lane].hash ^ (s->segment + 1)) * UINT64_C(0x100000001b3);
	}
}

static void sort_ways(struct way *way, size_t threads)
{
	qsort(way, threads, sizeof *way, by_hash);
	for (size_t i = 0; i < threads; i++) {
		bool same = i && way[i].steps == way[i - 1].steps && way[i].hash == way[i - 1].hash;

		way[i].first = same ? way[i - 1].first : way[i].lane;
	}
	qsort(way, threads, sizeof *way, by_way);
}

enum ws_status ws_lanes_sort(struct ws_decoder *steps, size_t threads, uint16_t *order,
			     struct ws_err *err)
{
	struct way *way = ws_alloc_zero(threads, sizeof *way);
	enum ws_status status = WS_OK;
	struct ws_step step;
	bool more = true;

	if (!way)
		return ws_fail_memory(err, "the ways of work-items");
	for (size_t i = 0; i < threads; i++)
		way[i] = (struct way){ .lane = (uint16_t)i, .hash = UINT64_C(0xcbf29ce484222325) };
	while (status == WS_OK && more) {
		status = ws_decoder_next(steps, &step, &more, err);
		if (status == WS_OK && more)
			add_step(way, threads, &step);
	}
	sort_ways(way, threads);
	for (size_t i = 0; i < threads; i++)
		order[i] = way[i].lane;
	free(way);
	return status;
}
