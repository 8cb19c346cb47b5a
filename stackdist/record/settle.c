/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/settle.c -- the sums of the windows recorder (windows.c says what they are): of
 * a block all windows of which have ended, and of what is left when the launch ends.
 */
#include "stackdist/record/windows.h"

#include <string.h>

/* ---- blocks that are full ------------------------------------------------------------- */

/* The terms of `before`; excess as in pairs.h. */
static void add_before(const struct ws_windows *w, const int16_t *excess, uint64_t first,
		       const uint64_t *before, struct ws_detail *to)
{
	bool small = first < (uint64_t)1 << 31;
	const struct ws_pairs_loops *loops = small ? w->loops : ws_pairs_version(WS_SIMD_NONE);

	for (unsigned i = 0; i < WS_TYPES && first; i++) {
		if (!excess[i] || !ws_has_window(i))
			continue;
		loops->add_product(to->within[i], before, excess[i]);
		to->time[i] += (uint64_t)excess[i] * first;
	}
}

/* previous[from][to] += 1 if there is a `to`: hard to foresee, so no branch. */
static inline void succeed(uint64_t *previous, unsigned from, unsigned to)
{
	previous[from * WS_TYPES + to % WS_TYPES] += to < WS_TYPES;
}

void ws_windows_settle(struct ws_windows *w, uint32_t b, unsigned count, struct ws_detail *sums)
{
	const uint8_t *type = ws_log_types(w, b), *end = ws_log_ends(w, b);
	int16_t excess[WS_TYPES];

	for (size_t i = 0; i < WS_LOG_BLOCK; i += 64) {
		WS_FETCH(type + i);
		WS_FETCH(end + i);
	}
	w->pairs.to = (struct ws_pairs_to){ sums->within[0], sums->time };
	w->loops->walk(&w->pairs, type, end, count, excess);
	add_before(w, excess, w->block[b].first, ws_log_before(w, b), sums);
	for (unsigned k = 0; k < count; k++)
		succeed(sums->previous[0], type[k], end[k]);
}

/* All references that can have a window have one. */
void ws_windows_count(const struct ws_windows *w, uint32_t b, unsigned count, uint64_t *to,
		      struct ws_detail *sums)
{
	const uint8_t *type = ws_log_types(w, b);
	const uint64_t *before = ws_log_before(w, b);
	uint16_t number[2][WS_TYPES] = { { 0 } };

	for (unsigned k = 0; k < count; k++)
		number[k % 2][type[k]]++;
	for (unsigned j = 0; j < WS_TYPES; j++) {
		unsigned n = (unsigned)number[0][j] + number[1][j];

		to[j] = before[j] + n;
		sums->time[j] += ws_has_window(j) ? n : 0;
	}
}

/* ---- the end --------------------------------------------------------------------------- */

struct tail {			/* of a block, at the end */
	unsigned count;
	uint64_t time;		/* references to the set from its first entry on */
	const uint8_t *type;
	bool live[WS_LOG_BLOCK]; /* with an end window */
	uint64_t after[WS_TYPES]; /* `time`, by type */
	uint64_t ends[WS_END_CLASSES], length[WS_END_CLASSES]; /* number and sum of times */
};

static inline unsigned end_class(uint64_t time)
{
	unsigned o = ws_log2(time);

	return o < WS_END_CLASSES ? o : WS_END_CLASSES - 1;
}

/* Entries [from, to), all of class c; within and previous are rows of the class. */
static void add_run(struct tail *t, unsigned from, unsigned to, unsigned c, uint64_t *within,
		    uint64_t *previous)
{
	uint64_t ends = t->ends[c], length = 0;

	for (unsigned k = to; k-- > from;) {
		uint64_t live = t->live[k];

		ends += live;
		length += live * (t->time - k);
		previous[t->type[k]] += live;
		within[t->type[k]] -= ends;
	}
	t->ends[c] = ends;
	t->length[c] += length;
}

/* From the last entry to the first, classes grow, but mostly all are of one. */
static void add_tail(struct tail *t, struct ws_detail *sums)
{
	unsigned low = end_class(t->time + 1 - t->count), high = end_class(t->time);
	unsigned to = t->count, from;

	memset(t->ends, 0, sizeof t->ends);
	memset(t->length, 0, sizeof t->length);
	for (unsigned c = low; c <= high; c++, to = from) {
		from = c == high ? 0 : (unsigned)(t->time + 1 - ((uint64_t)2 << c));
		add_run(t, from, to, c, sums->end_within[c], sums->end_previous[c]);
		for (unsigned i = low; i < c; i++)
			for (unsigned k = from; k < to; k++)
				sums->end_within[i][t->type[k]] -= t->ends[i];
	}
	for (unsigned c = low; c <= high; c++)
		for (unsigned j = 0; j < WS_TYPES; j++)
			sums->end_within[c][j] += t->ends[c] * t->after[j];
}

/* A block with count entries of a set with final[] references, `total` in all. */
static void finish(struct ws_windows *w, uint32_t b, unsigned count, const uint64_t *final,
		   uint64_t total, struct ws_detail *sums)
{
	const uint8_t *end = ws_log_ends(w, b);
	const uint64_t *before = ws_log_before(w, b);
	struct tail t = { .count = count, .time = total - w->block[b].first,
			  .type = ws_log_types(w, b) };

	if (!count)
		return;
	ws_windows_settle(w, b, count, sums);
	for (unsigned k = 0; k < count; k++)
		t.live[k] = end[k] == WS_END_LIVE;
	for (unsigned j = 0; j < WS_TYPES; j++)
		t.after[j] = final[j] - before[j];
	add_tail(&t, sums);
	for (unsigned c = 0; c < WS_END_CLASSES; c++) {
		sums->end_count[c] += t.ends[c];
		sums->end_time[c] += t.length[c];
	}
}

/* The open block of a set; its `before` becomes the final counts, its `first` the total. */
static void finish_open(struct ws_windows *w, uint32_t at, struct ws_detail *sums)
{
	uint64_t final[WS_TYPES];
	uint32_t b = at >> WS_LOG_BITS;
	unsigned count = at % WS_LOG_BLOCK;
	uint64_t total = w->block[b].first + count;

	ws_windows_count(w, b, count, final, sums);
	finish(w, b, count, final, total, sums);
	memcpy(ws_log_before(w, b), final, sizeof final);
	w->block[b].first = total;
	w->block[b].set = WS_NO_SET;
}

void ws_windows_end(struct ws_windows *w, struct ws_detail *to)
{
	for (uint64_t set = 0; set < w->sets; set++)
		if (w->open[set] != WS_NO_ENTRY)
			finish_open(w, w->open[set], to);
	for (uint32_t b = 0; b < w->blocks; b++) {
		uint32_t last;

		if (w->block[b].set == WS_NO_SET)
			continue;
		last = w->open[w->block[b].set] >> WS_LOG_BITS;
		finish(w, b, WS_LOG_BLOCK, ws_log_before(w, last), w->block[last].first, to);
	}
	w->pairs.to = (struct ws_pairs_to){ to->within[0], to->time };
	ws_pairs_flush(&w->pairs);
}
