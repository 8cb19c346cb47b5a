/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/format/lanes.c -- active masks as runs of neighbouring lanes of one row.
 *
 * Within a run an affine address vector is an arithmetic progression, so
 * verifying and expanding it are tight loops.  A mask is cut into runs once
 * per change of mask, O(words + runs), and used for all vectors of its steps.
 */
#include "base/bits.h"
#include "trace/format/wst.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* First lane >= from whose bit, xored with flip, is set; threads if none. */
static size_t next_lane(const struct ws_lanes *l, size_t from, uint64_t flip)
{
	for (size_t w = from / 64; w < l->words; w++) {
		uint64_t word = l->mask[w] ^ flip;

		if (w == from / 64)
			word &= UINT64_MAX << from % 64;
		if (word) {
			size_t lane = w * 64 + ws_lowest_bit(word);

			return lane < l->threads ? lane : l->threads;
		}
	}
	return l->threads;
}

static size_t cut_run(struct ws_lanes *l, struct ws_lane_run *run)
{
	size_t runs = 0, lane = next_lane(l, 0, 0);

	l->active = 0;
	while (lane < l->threads) {
		size_t end = next_lane(l, lane, UINT64_MAX);

		l->active += end - lane;
		while (lane < end) {
			size_t left = (size_t)l->extent[0] - l->at[lane].x;
			size_t len = left < end - lane ? left : end - lane;

			assert(len && lane + len <= l->threads);
			run[runs] = l->at[lane];
			run[runs++].len = (uint16_t)len;
			lane += len;
		}
		lane = next_lane(l, end, 0);
	}
	assert(runs <= l->active && l->active <= l->threads);
	return runs;
}

void ws_lanes_update(struct ws_lanes *l)
{
	l->runs = cut_run(l, l->own);
	l->run = l->own;
}

void ws_lanes_full(struct ws_lanes *l)
{
	if (l->run == l->full)
		return;
	memcpy(l->mask, l->all, sizeof l->mask);
	l->run = l->full;
	l->runs = l->fulls;
	l->active = l->threads;
}

static void number_lanes(struct ws_lanes *l)
{
	size_t lane = 0;

	for (uint16_t z = 0; z < l->extent[2]; z++)
		for (uint16_t y = 0; y < l->extent[1]; y++)
			for (uint16_t x = 0; x < l->extent[0]; x++, lane++)
				l->at[lane] = (struct ws_lane_run){ .lane = (uint16_t)lane,
								    .len = 1,
								.x = x, .y = y, .z = z };
}

enum ws_status ws_lanes_init(struct ws_lanes *l, const uint64_t block[3], struct ws_err *err)
{
	size_t used = 0;

	*l = (struct ws_lanes){ .extent = { 1, 1, 1 } };
	for (size_t i = 0; i < 3; i++)
		if (block[i] > 1)
			l->extent[used++] = (uint16_t)block[i];
	l->threads = (size_t)l->extent[0] * l->extent[1] * l->extent[2];
	l->words = (l->threads + 63) / 64;
	for (size_t i = 0; i < l->threads; i++)
		ws_bit_set(l->all, i);
	l->full = ws_alloc(l->threads, sizeof *l->full);
	l->own = ws_alloc(l->threads, sizeof *l->own);
	l->at = ws_alloc(l->threads, sizeof *l->at);
	if (!l->full || !l->own || !l->at) {
		ws_lanes_clear(l);
		return ws_fail_memory(err, "the lanes of a CTA");
	}
	number_lanes(l);
	memcpy(l->mask, l->all, sizeof l->mask);
	l->fulls = cut_run(l, l->full);
	ws_lanes_full(l);
	return WS_OK;
}

void ws_lanes_clear(struct ws_lanes *l)
{
	free(l->full);
	free(l->own);
	free(l->at);
	*l = (struct ws_lanes){ 0 };
}
