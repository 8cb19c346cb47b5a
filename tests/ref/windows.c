/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/windows.c -- see windows.h.
 */
#include "tests/ref/windows.h"

#include <stdlib.h>

struct walk {
	const struct ws_batch *b;
	struct ws_detail *to;
	size_t *last;		/* by line: the latest reference, plus one */
};

static bool reference(const struct ws_batch *b, size_t i)
{
	return b->type[i] != WS_TYPE_NONE;
}

static void window(struct walk *w, size_t from, size_t to)
{
	const struct ws_batch *b = w->b;
	unsigned i = b->type[to];
	uint64_t time = 1;

	for (size_t k = from + 1; k < to; k++) {
		if (!reference(b, k) || b->set[k] != b->set[to])
			continue;
		time++;
		w->to->within[i][b->type[k]]++;
	}
	w->to->time[i] += time;
	w->to->previous[b->type[from]][i]++;
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
	for (size_t k = from + 1; k < b->count; k++)
		if (reference(b, k) && b->set[k] == b->set[from])
			w->to->end_within[class][b->type[k]]++;
}

static void walk(struct walk *w, size_t lines)
{
	const struct ws_batch *b = w->b;

	for (size_t i = 0; i < b->count; i++) {
		if (!reference(b, i))
			continue;
		w->to->references[b->request[i].kind][b->type[i]]++;
		if (b->type[i] != WS_TYPE_COLD && b->type[i] != WS_TYPE_RELOAD)
			window(w, w->last[b->id[i]] - 1, i);
		w->last[b->id[i]] = i + 1;
	}
	for (size_t id = 0; id < lines; id++)
		if (w->last[id] && b->type[w->last[id] - 1] != WS_TYPE_EVICT)
			end_window(w, w->last[id] - 1);
}

bool ref_windows(const struct ws_batch *stream, struct ws_detail *to)
{
	struct walk w = { .b = stream, .to = to };
	size_t lines = 0;

	for (size_t i = 0; i < stream->count; i++)
		if (reference(stream, i) && stream->id[i] >= lines)
			lines = (size_t)stream->id[i] + 1;
	w.last = ws_alloc_zero(lines, sizeof *w.last);
	if (!w.last)
		return false;
	walk(&w, lines);
	free(w.last);
	return true;
}
