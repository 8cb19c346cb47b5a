/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/ranges.c -- arrays of a trace that knows none.
 *
 * The pages of 4 KiB that a launch touches, in order of address, are cut wherever at least GAP_MIN
 * bytes between two of them are touched by nothing; more often than not an instruction accesses one
 * array, so they are cut, too, between what is touched by different instructions: extents
 * (first to last byte) that overlap are one, and so are neighbours of which one is smaller than
 * SMALL.  The pieces are the arrays, named range0, range1, ... by ascending address.  If there
 * were more than RANGES_MAX of either kind, GAP_MIN or SMALL is doubled until there are not.  It
 * is a guess: an array of which different parts are used by different instructions is several, and
 * arrays that one instruction accesses both of are one, if they are near each other.
 *
 * Costs: 16 bytes a page at most; a comparison an access of a page touched of late, else one
 * probe of a hash table.
 */
#include "trace/import/builder.h"

#include <stdlib.h>
#include <string.h>

#define GAP_MIN (64ull << 10)
#define SMALL 1024u
#define ALIGN 256u		/* where arrays begin, if possible */
#define RANGES_MAX 256u
#define PAGE_BYTES (1ull << WS_PAGE_SHIFT)

/* ---- arrays ---------------------------------------------------------------------- */

struct extent {		/* bytes low .. high, both included */
	uint64_t low, high;
};

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Is there a cut between two neighbours? */
static bool is_cut(uint64_t page, uint64_t next, uint64_t gap)
{
	return next - page > gap >> WS_PAGE_SHIFT;
}

static size_t count_pieces(const uint64_t *page, size_t count, uint64_t gap)
{
	size_t n = count > 0;

	for (size_t i = 1; i < count; i++)
		n += is_cut(page[i - 1], page[i], gap);
	return n;
}

/* The pages, cut at gaps, into `to`, which has room for RANGES_MAX. */
static size_t cut_pages(const uint64_t *page, size_t count, struct extent *to)
{
	uint64_t gap = GAP_MIN;
	size_t n = 0;

	while (count_pieces(page, count, gap) > RANGES_MAX)
		gap *= 2;
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || is_cut(page[i - 1], page[i], gap))
			to[n++].low = page[i] << WS_PAGE_SHIFT;
		to[n - 1].high = (page[i] << WS_PAGE_SHIFT) + (PAGE_BYTES - 1);
	}
	return n;
}

static int by_low(const void *a, const void *b)
{
	const struct extent *x = a, *y = b;

	return x->low != y->low ? (x->low > y->low) - (x->low < y->low) :
				  (x->high > y->high) - (x->high < y->high);
}

/* Unites neighbours that overlap or of which one is smaller than least. */
static size_t unite(struct extent *e, size_t count, uint64_t least)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		struct extent *last = n ? &e[n - 1] : NULL;

		if (last && (e[i].low <= last->high || e[i].high - e[i].low + 1 < least ||
			     last->high - last->low + 1 < least)) {
			if (e[i].high > last->high)
				last->high = e[i].high;
		} else {
			e[n++] = e[i];
		}
	}
	return n;
}

/* What each instruction touches in global memory, united until few are left. */
static size_t unite_items(const struct ws_builder *b, struct extent *to)
{
	uint64_t least = SMALL;
	size_t n = 0;

	for (size_t i = 0; i < b->items; i++)
		if (b->item[i].kind < WS_KINDS && b->item[i].space == WS_SPACE_GLOBAL)
			to[n++] = (struct extent){ b->item[i].low, b->item[i].high };
	if (n)
		qsort(to, n, sizeof *to, by_low);
	for (n = unite(to, n, 0); (n = unite(to, n, least)) > RANGES_MAX; least *= 2)
		continue;
	return n;
}

static bool add_range(struct ws_launch *l, uint64_t low, uint64_t high)
{
	struct ws_array *a = &l->array[l->arrays];
	char name[32];

	snprintf(name, sizeof name, "range%zu", l->arrays);
	/* 2^64 itself is no number: the last byte of all is in no array */
	*a = (struct ws_array){ .name = ws_strdup(name), .base = low,
				.bytes = high - low + (high < UINT64_MAX) };
	l->arrays += a->name != NULL;
	return a->name != NULL;
}

/* Pieces of pages, cut again where what an instruction touches begins. */
static enum ws_status make_arrays(struct ws_launch *l, const struct extent *piece, size_t pieces,
				  const struct extent *item, size_t items, struct ws_err *err)
{
	size_t at = 0;

	l->array = ws_alloc_zero(pieces + items + 1, sizeof *l->array);
	if (!l->array)
		return ws_fail_memory(err, "ranges of addresses");
	for (size_t i = 0; i < pieces; i++) {
		uint64_t low = piece[i].low;

		for (; at < items && item[at].low <= piece[i].high; at++) {
			uint64_t cut = item[at].low & ~(uint64_t)(ALIGN - 1);

			if (at && cut <= item[at - 1].high)
				cut = item[at].low;
			if (cut <= low)
				continue;
			/* what no instruction touches is in no array */
			if (at && item[at - 1].high >= low && !add_range(l, low, cut - 1))
				return ws_fail_memory(err, "ranges of addresses");
			low = cut;
		}
		if (!add_range(l, low, piece[i].high))
			return ws_fail_memory(err, "ranges of addresses");
	}
	return WS_OK;
}

enum ws_status ws_builder_ranges(struct ws_builder *b, struct ws_err *err)
{
	struct extent piece[RANGES_MAX], *item = ws_alloc(b->items + 1, sizeof *item);
	size_t pieces, items;
	enum ws_status status;

	if (!item)
		return ws_fail_memory(err, "ranges of addresses");
	if (b->pages.count)
		qsort(b->pages.key, b->pages.count, sizeof *b->pages.key, ascending);
	pieces = cut_pages(b->pages.key, b->pages.count, piece);
	items = unite_items(b, item);
	status = make_arrays(&b->launch, piece, pieces, item, items, err);
	free(item);
	ws_keys_clear(&b->pages);
	memset(b->last_page, 0, sizeof b->last_page);
	return status;
}
