/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/file/sparse.c -- tables of few entries in a profile file.
 *
 * Gaps and counts stand apart, since each is like its own kind: in a dense table all gaps
 * are 0 and pack to nothing.  Neighbours in a histogram are alike, so their
 * differences are short; those in a matrix are not.
 */
#include "stackdist/file/file.h"

static void put_count(struct ws_buf *raw, uint64_t count, uint64_t *before,
		      enum ws_sparse_kind kind)
{
	if (kind == WS_SPARSE_SMOOTH)
		ws_put_svar(raw, (int64_t)(count - *before));
	else
		ws_put_var(raw, count);
	*before = count;
}

void ws_sparse_put(struct ws_buf *raw, const uint64_t *count, size_t len, enum ws_sparse_kind kind)
{
	size_t filled = 0, zeros = 0;
	uint64_t before = 0;

	for (size_t i = 0; i < len; i++)
		filled += count[i] != 0;
	ws_put_var(raw, filled);
	for (size_t i = 0; i < len; i++) {
		if (count[i])
			ws_put_var(raw, zeros);
		zeros = count[i] ? 0 : zeros + 1;
	}
	for (size_t i = 0; i < len; i++)
		if (count[i])
			put_count(raw, count[i], &before, kind);
}

void ws_sparse_put_matrix(struct ws_buf *raw, const struct ws_matrix *m, size_t columns)
{
	size_t next = 0;

	ws_put_var(raw, m->count);
	for (size_t i = 0; i < m->count; i++) {
		size_t at = m->entry[i].row * columns + m->entry[i].column;

		ws_put_var(raw, at - next);
		next = at + 1;
	}
	for (size_t i = 0; i < m->count; i++)
		ws_put_var(raw, m->entry[i].count);
}

/* ---- reading ------------------------------------------------------------------ */

static void take_count(struct ws_sparse *s)
{
	if (s->kind == WS_SPARSE_SMOOTH)
		s->value += (uint64_t)ws_get_svar(&s->count);
	else
		s->value = ws_get_var(&s->count);
}

struct ws_sparse ws_sparse_find(struct ws_cursor *c, uint64_t size, enum ws_sparse_kind kind)
{
	struct ws_sparse s = { .kind = kind }, walk;
	uint64_t next = 0;

	s.entries = (size_t)ws_get_count(c, 2);
	s.gap = *c;
	for (size_t i = 0; i < s.entries && !c->bad; i++) {
		uint64_t gap = ws_get_var(c);

		c->bad |= gap >= size - next;
		next += gap + 1;
	}
	s.len = (size_t)next;
	s.count = *c;
	walk = s;
	for (size_t i = 0; i < s.entries && !walk.count.bad; i++) {
		take_count(&walk);
		walk.count.bad |= walk.value == 0;
	}
	*c = walk.count;
	if (c->bad)
		s.entries = s.len = 0;
	return s;
}

bool ws_sparse_next(struct ws_sparse *s)
{
	if (s->entries == 0)
		return false;
	s->entries--;
	s->index = s->next + ws_get_var(&s->gap);
	s->next = s->index + 1;
	take_count(s);
	return true;
}

void ws_sparse_expand(struct ws_sparse s, uint64_t *count)
{
	while (ws_sparse_next(&s))
		count[s.index] = s.value;
}
