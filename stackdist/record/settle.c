/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/settle.c -- the sums of the windows recorder (windows.c says what they are): of
 * a block all windows of which have ended, and of what is left when the launch ends.
 */
#include "stackdist/record/windows.h"

#include <string.h>

/* ---- blocks that are full ------------------------------------------------------------- */

/* The terms of `before`; excess as in pairs.h. */
static void add_before(const struct ws_windows *w, const int *excess, uint64_t first,
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

static void add_before_counted(const struct ws_windows *w, const int16_t *excess, uint64_t first,
			       const uint64_t *before, struct ws_dense *dense)
{
	bool small = first < (uint64_t)1 << 31;
	const struct ws_pairs_loops *loops = small ? w->loops : ws_pairs_version(WS_SIMD_NONE);
	bool some[WS_COUNT_TYPES / WS_SPAN] = { false };

	for (unsigned j = 0; j < WS_COUNT_TYPES; j++)
		some[j / WS_SPAN] |= before[j] != 0;
	for (unsigned i = 0; i < WS_COUNT_TYPES && first; i++) {
		if (!excess[i] || !ws_has_window(i / WS_COUNT_CLASSES))
			continue;
		for (unsigned s = 0; s < WS_COUNT(some); s++)
			if (some[s])
				loops->add_product(dense->within[i] + s * WS_SPAN,
						   before + s * WS_SPAN, excess[i]);
		dense->time[i] += (uint64_t)excess[i] * first;
	}
}

/* previous[from][to] += 1 if there is a `to`: hard to foresee, so no branch. */
static inline void succeed(uint64_t *previous, unsigned types, unsigned from, unsigned to)
{
	previous[(size_t)from * types + to % types] += to < types;
}

static void settle_plain(struct ws_windows *w, uint32_t b, unsigned count, struct ws_detail *to)
{
	const uint8_t *type = ws_log_types(w, b), *end = ws_log_ends(w, b);
	int16_t excess[WS_TYPES];
	int each[WS_TYPES];

	w->pairs.to = (struct ws_pairs_to){ to->within[0], to->time };
	w->loops->walk(&w->pairs, type, end, count, excess);
	for (unsigned i = 0; i < WS_TYPES; i++)
		each[i] = excess[i];
	add_before(w, each, w->block[b].first, ws_log_before(w, b), to);
	for (unsigned k = 0; k < count; k++)
		succeed(to->previous[0], WS_TYPES, type[k], end[k]);
}

static void fold(const uint64_t *counted, uint64_t *types)
{
	memset(types, 0, WS_TYPES * sizeof *types);
	for (unsigned j = 0; j < WS_COUNT_TYPES; j++)
		types[j / WS_COUNT_CLASSES] += counted[j];
}

static void settle_counted(struct ws_windows *w, uint32_t b, unsigned count, struct ws_sums s)
{
	const uint16_t *type = ws_log_wide_types(w, b), *end = ws_log_wide_ends(w, b);
	uint64_t first = w->block[b].first, before[WS_TYPES];
	int16_t excess[WS_COUNT_TYPES];
	int each[WS_TYPES] = { 0 };

	w->pairs.to = (struct ws_pairs_to){ s.dense->within[0], s.dense->time };
	w->pairs.folded = (struct ws_pairs_to){ s.to->within[0], s.to->time };
	w->loops->walk_counted(&w->pairs, type, end, count, excess);
	add_before_counted(w, excess, first, ws_log_before(w, b), s.dense);
	for (unsigned i = 0; i < WS_COUNT_TYPES; i++)
		each[i / WS_COUNT_CLASSES] += excess[i];
	fold(ws_log_before(w, b), before);
	add_before(w, each, first, before, s.to);
	for (unsigned k = 0; k < count; k++) {
		succeed(s.dense->previous[0], WS_COUNT_TYPES, type[k], end[k]);
		succeed(s.to->previous[0], WS_TYPES, type[k] / WS_COUNT_CLASSES,
			end[k] / WS_COUNT_CLASSES);
	}
}

void ws_windows_settle(struct ws_windows *w, uint32_t b, unsigned count, struct ws_sums s)
{
	size_t bytes = ((size_t)1 << w->bits) * (w->counted ? sizeof(uint16_t) : sizeof(uint8_t));
	const char *type = (const char *)w->type + b * bytes;
	const char *end = (const char *)w->end + b * bytes;

	for (size_t i = 0; i < bytes; i += 64) {
		WS_FETCH(type + i);
		WS_FETCH(end + i);
	}
	if (w->counted)
		settle_counted(w, b, count, s);
	else
		settle_plain(w, b, count, s.to);
}

/* All references that can have a window have one. */
static void count_plain(const struct ws_windows *w, uint32_t b, unsigned count, uint64_t *to,
			struct ws_sums s)
{
	const uint8_t *type = ws_log_types(w, b);
	const uint64_t *before = ws_log_before(w, b);
	uint16_t number[2][WS_TYPES] = { { 0 } };

	for (unsigned k = 0; k < count; k++)
		number[k % 2][type[k]]++;
	for (unsigned j = 0; j < WS_TYPES; j++) {
		unsigned n = (unsigned)number[0][j] + number[1][j];

		to[j] = before[j] + n;
		s.to->time[j] += ws_has_window(j) ? n : 0;
	}
}

static void count_counted(const struct ws_windows *w, uint32_t b, unsigned count, uint64_t *to,
			  struct ws_sums s)
{
	const uint16_t *type = ws_log_wide_types(w, b);
	const uint64_t *before = ws_log_before(w, b);
	uint16_t number[WS_COUNT_TYPES] = { 0 };

	for (unsigned k = 0; k < count; k++)
		number[type[k]]++;
	for (unsigned j = 0; j < WS_COUNT_TYPES; j++) {
		unsigned n = number[j];

		to[j] = before[j] + n;
		s.dense->references[j] += n;
		s.dense->time[j] += ws_has_window(j / WS_COUNT_CLASSES) ? n : 0;
		s.to->time[j / WS_COUNT_CLASSES] += ws_has_window(j / WS_COUNT_CLASSES) ? n : 0;
	}
}

void ws_windows_count(const struct ws_windows *w, uint32_t b, unsigned count, uint64_t *to,
		      struct ws_sums s)
{
	if (w->counted)
		count_counted(w, b, count, to, s);
	else
		count_plain(w, b, count, to, s);
}

/* ---- the end --------------------------------------------------------------------------- */

struct tail {			/* of a block, at the end */
	unsigned count;
	uint64_t time;		/* references to the set from its first entry on */
	uint16_t type[WS_LOG_BLOCK_MAX];
	bool live[WS_LOG_BLOCK_MAX]; /* with an end window */
	uint64_t after[WS_COUNT_TYPES]; /* `time`, by type */
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

/* within [class][type], previous [class][type].  From the last entry to the first, classes
 * grow, but mostly all are of one. */
static void add_tail(struct tail *t, unsigned types, uint64_t *within, uint64_t *previous)
{
	unsigned low = end_class(t->time + 1 - t->count), high = end_class(t->time);
	unsigned to = t->count, from;

	memset(t->ends, 0, sizeof t->ends);
	memset(t->length, 0, sizeof t->length);
	for (unsigned c = low; c <= high; c++, to = from) {
		from = c == high ? 0 : (unsigned)(t->time + 1 - ((uint64_t)2 << c));
		add_run(t, from, to, c, within + c * types, previous + c * types);
		for (unsigned i = low; i < c; i++)
			for (unsigned k = from; k < to; k++)
				within[i * types + t->type[k]] -= t->ends[i];
	}
	for (unsigned c = low; c <= high; c++)
		for (unsigned j = 0; j < types; j++)
			within[c * types + j] += t->ends[c] * t->after[j];
}

static void tail_counted(const struct ws_windows *w, uint32_t b, const uint64_t *final,
			 struct tail *t, struct ws_sums s)
{
	const uint16_t *end = ws_log_wide_ends(w, b);
	const uint64_t *before = ws_log_before(w, b);
	uint64_t after[WS_TYPES];

	for (unsigned k = 0; k < t->count; k++)
		t->live[k] = end[k] == WS_END_LIVE;
	memcpy(t->type, ws_log_wide_types(w, b), t->count * sizeof t->type[0]);
	for (unsigned j = 0; j < WS_COUNT_TYPES; j++)
		t->after[j] = final[j] - before[j];
	add_tail(t, WS_COUNT_TYPES, s.dense->end_within[0], s.dense->end_previous[0]);
	for (unsigned k = 0; k < t->count; k++)
		t->type[k] /= WS_COUNT_CLASSES;
	fold(t->after, after);
	memcpy(t->after, after, sizeof after);
	add_tail(t, WS_TYPES, s.to->end_within[0], s.to->end_previous[0]);
}

static void tail_plain(const struct ws_windows *w, uint32_t b, const uint64_t *final,
		       struct tail *t, struct ws_sums s)
{
	const uint8_t *type = ws_log_types(w, b), *end = ws_log_ends(w, b);
	const uint64_t *before = ws_log_before(w, b);

	for (unsigned k = 0; k < t->count; k++) {
		t->live[k] = end[k] == (WS_END_LIVE & 0xff);
		t->type[k] = type[k];
	}
	for (unsigned j = 0; j < WS_TYPES; j++)
		t->after[j] = final[j] - before[j];
	add_tail(t, WS_TYPES, s.to->end_within[0], s.to->end_previous[0]);
}

/* A block with count entries of a set with final[] references, `total` in all. */
static void finish(struct ws_windows *w, uint32_t b, unsigned count, const uint64_t *final,
		   uint64_t total, struct ws_sums s)
{
	struct tail t;

	if (!count)
		return;
	ws_windows_settle(w, b, count, s);
	t.count = count;
	t.time = total - w->block[b].first;
	if (w->counted)
		tail_counted(w, b, final, &t, s);
	else
		tail_plain(w, b, final, &t, s);
	for (unsigned c = 0; c < WS_END_CLASSES; c++) {
		s.to->end_count[c] += t.ends[c];
		s.to->end_time[c] += t.length[c];
	}
}

/* The open block of a set; its `before` becomes the final counts, its `first` the total. */
static void finish_open(struct ws_windows *w, uint32_t at, struct ws_sums s)
{
	uint64_t final[WS_COUNT_TYPES];
	uint32_t b = at >> w->bits;
	unsigned count = at % (1u << w->bits);
	uint64_t total = w->block[b].first + count;

	ws_windows_count(w, b, count, final, s);
	finish(w, b, count, final, total, s);
	memcpy(ws_log_before(w, b), final, w->types * sizeof *final);
	w->block[b].first = total;
	w->block[b].set = WS_NO_SET;
}

void ws_windows_end(struct ws_windows *w, struct ws_detail *to, struct ws_dense *dense)
{
	struct ws_sums s = { to, dense };

	for (uint64_t set = 0; set < w->sets; set++)
		if (w->open[set] != WS_NO_ENTRY)
			finish_open(w, w->open[set], s);
	for (uint32_t b = 0; b < w->blocks; b++) {
		uint32_t last;

		if (w->block[b].set == WS_NO_SET)
			continue;
		last = w->open[w->block[b].set] >> w->bits;
		finish(w, b, 1u << w->bits, ws_log_before(w, last), w->block[last].first, s);
	}
	w->pairs.to = (struct ws_pairs_to){ to->within[0], to->time };
	if (w->counted) {
		w->pairs.to = (struct ws_pairs_to){ dense->within[0], dense->time };
		w->pairs.folded = (struct ws_pairs_to){ to->within[0], to->time };
	}
	ws_pairs_flush(&w->pairs);
}
