/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/windows.c -- what is in the windows of references, counted in one pass.
 *
 * With count_j a running count of a set's references of type j,
 *
 *   within[i][j] = sum over references of type i that have a window of count_j before them
 *                - sum over entries whose window a reference of type i ended of count_j
 *                  up to and including the entry
 *
 * so each reference adds one term when it comes and one when its window ends, and the terms can
 * be added in any order, modulo 2^64.  Each set keeps a log of its references in blocks; a block
 * has `before`, the counts before its first entry.  An entry is a reference's type and, once
 * it is known, the type that ended the window it began; each line knows its latest
 * entry.  So a reference touches its line's word, one byte of an old entry and the end of its
 * set's log.  When all windows that began in a block have ended, the block is *settled*
 * (settle.c): its terms are summed, those of `before` as a product of vectors, those inside it by
 * pairs.c; and its room is used again.  What is left at the end is settled then, its
 * unfinished windows as end windows.  There are sum_j within[i][j] references in windows of
 * type i, so time needs no terms of its own but the number of windows.
 *
 * Invariant: a block is free, or some line's latest entry is in it, or it is its set's open one.
 *
 * Cost per reference: O(types) for pairs, O(types^2 / references of a block) for the product;
 * 7 to 13 ns (zipf, cyclic and matmul of tests/stackdist/b-windows.c, Zen 5).
 * Memory: 4 bytes per line and set; 1042 bytes per block of 256 references, which is 4 per
 * reference until its block is settled, and at worst, each line's latest entry in another
 * block, 1046 bytes per line; and an open block per set in use.  Per line it was 8 bytes
 * on the cyclic stream, 55 on the zipf, 58 (one set) and 88 (64) on the matmul after 10M
 * references.
 */
#include "stackdist/record/windows.h"

#include <stdlib.h>
#include <string.h>

#include "stackdist/stack/lines.h"

#define AHEAD_LINE 64u		/* requests ahead lines are fetched; then entries */
#define AHEAD_ENTRY 32u
#define BLOCKS_MIN 128u		/* there is room for as many at first, or for one a set */

/* ---- life --------------------------------------------------------------------------- */

void ws_windows_free(struct ws_windows *w)
{
	if (!w)
		return;
	ws_pairs_clear(&w->pairs);
	free(w->open);
	free(w->last);
	free(w->block);
	free(w->live);
	free(w->before);
	free(w->type);
	free(w->end);
	free(w);
}

/* Room for `lines` lines. */
static bool grow_lines(struct ws_windows *w, size_t lines)
{
	size_t old = w->lines_cap, cap = old;

	if (!WS_ROOM(w->last, cap, lines))
		return false;
	memset(w->last + old, 0, (cap - old) * sizeof *w->last);
	w->lines_cap = cap;
	return true;
}

static bool grow_blocks(struct ws_windows *w, size_t need)
{
	size_t cap[] = { w->cap, w->cap, w->cap, w->cap, w->cap };
	bool ok = need <= (size_t)1 << (32 - WS_LOG_BITS) && /* entries have 32 bits */
		  ws_room(&w->live, &cap[0], need, sizeof *w->live) &&
		  ws_room(&w->before, &cap[1], need, WS_TYPES * sizeof *w->before) &&
		  ws_room(&w->type, &cap[2], need, WS_LOG_BLOCK) &&
		  ws_room(&w->end, &cap[3], need, WS_LOG_BLOCK) &&
		  ws_room(&w->block, &cap[4], need, sizeof *w->block);

	if (ok)
		w->cap = cap[0];
	return ok;
}

enum ws_status ws_windows_new(struct ws_windows **out, uint64_t sets, struct ws_err *err)
{
	struct ws_windows *w = ws_alloc_zero(1, sizeof *w);

	if (!w)
		return ws_fail_memory(err, "reuse windows");
	w->loops = ws_pairs_version(ws_cpu_simd());
	w->sets = sets;
	w->open = sets < SIZE_MAX ? ws_alloc_zero((size_t)sets, sizeof *w->open) : NULL;
	if (!w->open || !ws_pairs_new(&w->pairs) || !grow_lines(w, 1) ||
	    !grow_blocks(w, sets < BLOCKS_MIN ? (size_t)sets + 1 : BLOCKS_MIN)) {
		ws_windows_free(w);
		return ws_fail_memory(err, "reuse windows");
	}
	w->block[w->blocks++] = (struct ws_log_block){ .set = WS_NO_SET };
	w->live[WS_NO_ENTRY] = 0;
	*out = w;
	return WS_OK;
}

/* ---- blocks --------------------------------------------------------------------------- */

/* An empty block for the set, its `before` unset; WS_NO_ENTRY: out of memory. */
static uint32_t take_block(struct ws_windows *w, uint32_t set, uint64_t first)
{
	uint32_t b = w->free;

	if (b != WS_NO_ENTRY) {
		w->free = w->block[b].next;
	} else {
		if (w->blocks == w->cap && !grow_blocks(w, w->blocks + 1))
			return WS_NO_ENTRY;
		b = (uint32_t)w->blocks++;
	}
	w->block[b] = (struct ws_log_block){ .first = first, .set = set };
	w->live[b] = WS_LOG_BLOCK;
	memset(ws_log_ends(w, b), WS_END_LIVE, WS_LOG_BLOCK);
	return b;
}

static void retire(struct ws_windows *w, uint32_t b, struct ws_detail *sums)
{
	if (b == WS_NO_ENTRY)
		return;
	ws_windows_settle(w, b, WS_LOG_BLOCK, sums);
	w->block[b] = (struct ws_log_block){ .set = WS_NO_SET, .next = w->free };
	w->free = b;
}

/* The block is full: opens the set's next one. */
static bool turn(struct ws_windows *w, uint32_t b, struct ws_detail *sums)
{
	uint32_t set = w->block[b].set;
	uint32_t next = take_block(w, set, w->block[b].first + WS_LOG_BLOCK);

	if (next == WS_NO_ENTRY)
		return false;
	ws_windows_count(w, b, WS_LOG_BLOCK, ws_log_before(w, next), sums);
	w->open[set] = next << WS_LOG_BITS;
	if (w->live[b] == 0)
		retire(w, b, sums);
	return true;
}

/* The set's first block; false: out of memory. */
static bool begin_block(struct ws_windows *w, uint32_t set)
{
	uint32_t b = take_block(w, set, 0);

	if (b == WS_NO_ENTRY)
		return false;
	memset(ws_log_before(w, b), 0, WS_TYPES * sizeof *w->before);
	w->open[set] = b << WS_LOG_BITS;
	return true;
}

/* ---- references ----------------------------------------------------------------------- */

/* What push uses all the time.  A stored byte may change anything in memory, for all the
 * compiler knows, but not this. */
struct hot {
	uint32_t *open, *last;
	size_t lines;
	uint16_t *live;
	uint8_t *type, *end;
};

static WS_INLINE struct hot hot_of(const struct ws_windows *w)
{
	return (struct hot){ w->open, w->last, w->lines_cap, w->live, w->type, w->end };
}

/* One reference, to a line that there is room for; false: out of memory. */
static WS_INLINE bool refer(struct ws_windows *w, struct hot *h, uint32_t line, uint32_t set,
			    uint8_t type, struct ws_detail *sums)
{
	uint32_t at = h->open[set], before = h->last[line];

	if (WS_RARELY(at == WS_NO_ENTRY)) {
		if (!begin_block(w, set))
			return false;
		*h = hot_of(w);
		at = h->open[set];
	}
	/* WS_NO_ENTRY is an entry too, as it is hard to foresee. */
	h->end[before] = type;
	if (WS_RARELY(--h->live[before >> WS_LOG_BITS] == 0))
		retire(w, before >> WS_LOG_BITS, sums);
	h->type[at] = type;
	h->last[line] = at;
	if (type == WS_TYPE_EVICT) {
		h->end[at] = WS_END_NONE;
		h->live[at >> WS_LOG_BITS]--;
		h->last[line] = WS_NO_ENTRY;
	}
	h->open[set] = ++at;
	if (WS_RARELY(at % WS_LOG_BLOCK == 0)) {
		if (!turn(w, (at - 1) >> WS_LOG_BITS, sums))
			return false;
		*h = hot_of(w);
	}
	return true;
}

/* What requests soon to come will touch. */
static WS_INLINE void fetch(const struct hot *h, const uint32_t *id)
{
	uint32_t line = id[AHEAD_LINE], at;

	WS_FETCH(h->last + (line < h->lines ? line : 0));
	line = id[AHEAD_ENTRY];
	at = h->last[line < h->lines ? line : 0];
	WS_FETCH(h->end + at);
}

static bool push(struct ws_windows *w, const struct ws_batch *batch, struct ws_detail *to)
{
	const struct ws_batch b = *batch;
	struct hot h = hot_of(w);

	for (size_t i = 0; i < b.count; i++) {
		uint8_t type = b.type[i];

		if (!WS_RARELY(i + AHEAD_LINE >= b.count))
			fetch(&h, b.id + i);
		if (type == WS_TYPE_NONE)
			continue;
		if (WS_RARELY(b.id[i] >= h.lines)) {
			if (!grow_lines(w, (size_t)b.id[i] + 1))
				return false;
			h = hot_of(w);
		}
		to->references[b.request[i].kind][type]++;
		if (!refer(w, &h, b.id[i], b.set[i], type, to))
			return false;
	}
	return true;
}

enum ws_status ws_windows_push(struct ws_windows *w, const struct ws_batch *b,
			       struct ws_detail *to, struct ws_err *err)
{
	return push(w, b, to) ? WS_OK : ws_fail_memory(err, "the log of reuse windows");
}
