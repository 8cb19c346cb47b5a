/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/windows.c -- see windows.h.
 */
#include "tests/ref/windows.h"

#include <stdlib.h>

struct walk {
	const struct ws_batch *b;
	struct ws_detail *to;
	struct ws_dense *dense;
	size_t *last;		/* by line: the latest reference, plus one */
	uint16_t *type;		/* by request: the count type */
	uint64_t *seen;		/* by line */
};

static bool reference(const struct ws_batch *b, size_t i)
{
	return b->type[i] != WS_TYPE_NONE;
}

/* [class] from the comment in stackdist.h */
static unsigned count_class(uint64_t before)
{
	static const uint64_t most[] = { 1, 2, 4, 8, 16, 32, 128 };
	unsigned class = 0;

	while (class < WS_COUNT(most) && before > most[class])
		class++;
	return class;
}

static void count_types(struct walk *w)
{
	for (size_t i = 0; i < w->b->count; i++) {
		uint32_t id = w->b->id[i];

		if (!reference(w->b, i))
			continue;
		w->type[i] = (uint16_t)(8 * w->b->type[i] + count_class(w->seen[id]));
		w->seen[id]++;
		if (w->b->type[i] == WS_TYPE_EVICT)
			w->seen[id] = 0;
		if (w->dense)
			w->dense->references[w->type[i]]++;
		w->to->references[w->b->request[i].kind][w->b->type[i]]++;
	}
}

static void window(struct walk *w, size_t from, size_t to)
{
	const struct ws_batch *b = w->b;
	unsigned i = b->type[to], wide = w->type[to];
	uint64_t time = 1;

	for (size_t k = from + 1; k < to; k++) {
		if (!reference(b, k) || b->set[k] != b->set[to])
			continue;
		time++;
		w->to->within[i][b->type[k]]++;
		if (w->dense)
			w->dense->within[wide][w->type[k]]++;
	}
	w->to->time[i] += time;
	w->to->previous[b->type[from]][i]++;
	if (!w->dense)
		return;
	w->dense->time[wide] += time;
	w->dense->previous[w->type[from]][wide]++;
}

static void end_window(struct walk *w, size_t from)
{
	const struct ws_batch *b = w->b;
	uint64_t length = 0;
	unsigned class = 0;

	for (size_t k = from + 1; k < b->count; k++)
		length += reference(b, k) && b->set[k] == b->set[from];
	while (class < 31 && (length + 1) >> (class + 1))
		class++;
	w->to->end_count[class]++;
	w->to->end_time[class] += length + 1;
	w->to->end_previous[class][b->type[from]]++;
	if (w->dense)
		w->dense->end_previous[class][w->type[from]]++;
	for (size_t k = from + 1; k < b->count; k++) {
		if (!reference(b, k) || b->set[k] != b->set[from])
			continue;
		w->to->end_within[class][b->type[k]]++;
		if (w->dense)
			w->dense->end_within[class][w->type[k]]++;
	}
}

static void walk(struct walk *w, size_t lines)
{
	const struct ws_batch *b = w->b;

	count_types(w);
	for (size_t i = 0; i < b->count; i++) {
		if (!reference(b, i))
			continue;
		if (b->type[i] != WS_TYPE_COLD && b->type[i] != WS_TYPE_RELOAD)
			window(w, w->last[b->id[i]] - 1, i);
		w->last[b->id[i]] = i + 1;
	}
	for (size_t id = 0; id < lines; id++)
		if (w->last[id] && b->type[w->last[id] - 1] != WS_TYPE_EVICT)
			end_window(w, w->last[id] - 1);
}

bool ref_windows(const struct ws_batch *stream, struct ws_detail *to, struct ws_dense *dense)
{
	struct walk w = { .b = stream, .to = to, .dense = dense };
	size_t lines = 0;
	bool ok;

	for (size_t i = 0; i < stream->count; i++)
		if (reference(stream, i) && stream->id[i] >= lines)
			lines = (size_t)stream->id[i] + 1;
	w.last = ws_alloc_zero(lines, sizeof(*w.last));
	w.seen = ws_alloc_zero(lines, sizeof(*w.seen));
	w.type = ws_alloc_zero(stream->count, sizeof(*w.type));
	ok = w.last && w.seen && w.type;
	if (ok)
		walk(&w, lines);
	free(w.last);
	free(w.seen);
	free(w.type);
	return ok;
}
