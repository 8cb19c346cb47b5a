/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/lifetimes.c -- arrivals, fill, retained and top of a detail.
 *
 * A line has the set of thresholds w at which it is retained, as a mask of
 * WS_RETENTIONS bits, and its number of finite references, up to 2^40 - 1; a set has the
 * thresholds that still take lines (fewer than w - 1 are retained there) as such
 * a mask, so that a reference that retains nothing, as most do, is known by
 *
 *	reach[type] & set->open & ~line->retained == 0
 *
 * reach[type] being the w above the position: every w is the first position of
 * a bin, so the type decides.
 *
 * A reference to a retained line adds 1 to up to WS_RETENTIONS counters of its
 * type.  They are gathered in bytes, eight to a word, to which the mask is
 * added after its bits were spread to bytes; 255 references later the
 * bytes are added to the table.
 *
 * fill: the k-th line of a set arrives at its reference number r and at the end
 * R - r are left.  The r are summed by cell; how many lines of a set fell into
 * a cell follows from its number of lines.
 *
 * Costs: O(1) per request (O(WS_RETENTIONS) when a line is retained or is released);
 * ws_lifetimes_end O(lines + references / FEW log).  Memory: 12 bytes per line
 * (at the end 8 more), 64 per set.  What a reference needs of its line is one word of 8, as the
 * lines of all set counts together do not fit into any cache.
 *
 * Why: without ageing, LFU keeps in W - 1 ways the lines that were hit first.
 */
#include "stackdist/record/detail.h"

#include <stdlib.h>
#include <string.h>

#include "stackdist/stack/cpu.h"

#define WORDS (WS_RETENTIONS / 8)
#define AHEAD 64u		/* requests between prefetch and use */

/* A line's word. */
#define RETAINED (((uint64_t)1 << WS_RETENTIONS) - 1) /* bit f: at ws_retained_ways[f] */
#define FINITE ((uint64_t)1 << WS_RETENTIONS) /* one reference of a finite type; above to the top */

struct life_set {
	uint64_t references;
	uint32_t lines;
	uint32_t open;		/* bit f: fewer than ws_retained_ways[f] - 1 lines are retained */
	uint16_t retained[WS_RETENTIONS];
};

struct retained_row {			/* of one type: what is not in the table yet */
	uint64_t bytes[WORDS];	/* byte f % 8 of word f / 8 */
	uint64_t references;	/* at most 255 */
};

struct ws_lifetimes {
	uint64_t *line;		/* words */
	uint32_t *home;		/* by line: its set */
	size_t lines, cap, home_cap;
	struct life_set *set;
	size_t sets;
	uint64_t *before;	/* [WS_DEPTH_CELLS]: sum of r over arrivals */
	uint32_t reach[WS_TYPES]; /* bit f: positions of the type are < ws_retained_ways[f] */
	struct retained_row row[WS_BINS];
	bool froze;		/* some line, once */
};

_Static_assert(WS_RETENTIONS <= 24, "40 bits are left to count");
_Static_assert(WS_RETENTIONS % 8 == 0, "counters fill words of bytes");

/* ---- life ------------------------------------------------------------------- */

enum ws_status ws_lifetimes_new(struct ws_lifetimes **out, uint64_t sets, struct ws_err *err)
{
	struct ws_lifetimes *l = ws_alloc_zero(1, sizeof *l);

	if (l) {
		l->sets = (size_t)sets;
		l->set = ws_alloc_zero(l->sets, sizeof *l->set);
		l->before = ws_alloc_zero(WS_DEPTH_CELLS, sizeof *l->before);
	}
	if (!l || !l->set || !l->before) {
		ws_lifetimes_free(l);
		return ws_fail_memory(err, "the lifetimes of lines");
	}
	for (size_t i = 0; i < l->sets; i++)
		l->set[i].open = (1u << WS_RETENTIONS) - 1;
	for (unsigned f = 0; f < WS_RETENTIONS; f++)
		for (unsigned type = 0; type < ws_bin(ws_retained_ways[f]); type++)
			l->reach[type] |= 1u << f;
	*out = l;
	return WS_OK;
}

void ws_lifetimes_free(struct ws_lifetimes *l)
{
	if (!l)
		return;
	free(l->line);
	free(l->home);
	free(l->set);
	free(l->before);
	free(l);
}

/* ---- retained --------------------------------------------------------------------- */

static void retention(struct life_set *set, uint64_t *line, uint32_t at)
{
	*line |= at;
	for (unsigned f = 0; f < WS_RETENTIONS; f++)
		if (at >> f & 1 && ++set->retained[f] == ws_retained_ways[f] - 1)
			set->open &= ~(1u << f);
}

static void release_line(struct life_set *set, uint64_t *line)
{
	uint32_t at = (uint32_t)(*line & RETAINED);

	for (unsigned f = 0; f < WS_RETENTIONS; f++)
		set->retained[f] = (uint16_t)(set->retained[f] - (at >> f & 1));
	set->open |= at;
	*line -= at;
}

/* Bit i of eight to byte i: the product has the bits in each byte, the mask leaves
 * bit i in byte i, the sum carries it to the byte's highest. */
static inline uint64_t spread(uint32_t bits)
{
	uint64_t x = (bits & 255) * 0x0101010101010101u & 0x8040201008040201u;

	return (x + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
}

static void flush_row(struct retained_row *row, unsigned type, struct ws_detail *to)
{
	for (unsigned f = 0; f < WS_RETENTIONS; f++)
		to->retained[f][type] += row->bytes[f / 8] >> f % 8 * 8 & 255;
	*row = (struct retained_row){ .references = 0 };
}

static inline void count_row(struct retained_row *row, uint32_t retained, unsigned type,
			     struct ws_detail *to)
{
	for (unsigned i = 0; i < WORDS; i++)
		row->bytes[i] += spread(retained >> 8 * i);
	if (++row->references == 255)
		flush_row(row, type, to);
}

/* ---- references ------------------------------------------------------------------- */

/* The set's reference number set->references brings a line that is new to it. */
static void arrive(struct ws_lifetimes *l, struct life_set *set, uint32_t index,
		   struct ws_detail *to)
{
	uint32_t cell = ws_cell(set->lines++, WS_DEPTH_BITS);

	l->before[cell] += set->references;
	to->arrivals[cell]++;
	l->home[l->lines] = index;
	l->line[l->lines++] = 0;
}

/* A reference of a finite type. */
static inline void reuse(struct ws_lifetimes *l, struct life_set *set, uint64_t *line,
			 unsigned type, struct ws_detail *to)
{
	uint32_t at = l->reach[type] & set->open & ~(uint32_t)*line;

	*line += *line < UINT64_MAX - RETAINED ? FINITE : 0;
	if (at) {
		retention(set, line, at);
		l->froze = true;
	}
	/* Whether this one is retained is hard to foresee: what is not adds zeros. */
	if (l->froze)
		count_row(l->row + type, (uint32_t)(*line & RETAINED), type, to);
}

static inline void refer(struct ws_lifetimes *l, const struct ws_batch *b, size_t i,
			 struct ws_detail *to)
{
	unsigned type = b->type[i];
	struct life_set *set = l->set + b->set[i];
	uint64_t *line = l->line + b->id[i];

	set->references++;
	if (type < WS_BINS)
		reuse(l, set, line, type, to);
	else if (type == WS_TYPE_COLD)
		arrive(l, set, b->set[i], to);
	else if (type == WS_TYPE_EVICT && *line & RETAINED)
		release_line(set, line);
}

enum ws_status ws_lifetimes_push(struct ws_lifetimes *l, const struct ws_batch *b,
				 struct ws_detail *to, struct ws_err *err)
{
	if (!b->count)
		return WS_OK;
	if (!WS_ROOM(l->line, l->cap, l->lines + b->count) ||
	    !WS_ROOM(l->home, l->home_cap, l->lines + b->count))
		return ws_fail_memory(err, "the lifetimes of lines");
	for (size_t i = 0; i < b->count; i++) {
		/* As a number: the line may be new, or none. */
		if (i + AHEAD < b->count)
			WS_FETCH_AHEAD(l->line, b->id[i + AHEAD]);
		if (b->type[i] != WS_TYPE_NONE)
			refer(l, b, i, to);
	}
	return WS_OK;
}

/* ---- the end of the launch ------------------------------------------------------------ */

static void fill_detail(const struct ws_lifetimes *l, struct ws_detail *to)
{
	for (size_t i = 0; i < l->sets; i++) {
		const struct life_set *set = l->set + i;
		uint32_t first = 0;

		for (uint32_t cell = 0; first < set->lines; cell++) {
			uint32_t next = ws_cell_first(cell + 1, WS_DEPTH_BITS);
			uint32_t upto = next < set->lines ? next : set->lines;

			to->fill[cell] += set->references * (upto - first);
			first = next;
		}
	}
	for (uint32_t cell = 0; cell < WS_DEPTH_CELLS; cell++)
		to->fill[cell] -= l->before[cell];
}

static int descending(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

/* Numbers below FEW are counted, the others sorted: a reference is to be paid for by no more
 * than its share of a sort. */
#define FEW 256u

/* Adds the sums of the largest; the order of the numbers is lost. */
static void add_largest(uint64_t *number, size_t count_of, uint64_t top[WS_RETENTIONS])
{
	uint64_t few = count_of > FEW ? FEW : 0, sum = 0;
	uint32_t equal[FEW] = { 0 };
	size_t many = 0, taken = 0;

	for (size_t i = 0; i < count_of; i++)
		if (number[i] < few)
			equal[number[i]]++;
		else
			number[many++] = number[i];
	if (many)
		qsort(number, many, sizeof *number, descending);
	for (unsigned f = 0; f < WS_RETENTIONS; f++) {
		for (; taken < ws_retained_ways[f] - 1 && taken < count_of; taken++) {
			if (taken < many) {
				sum += number[taken];
				continue;
			}
			while (!equal[few - 1])
				few--;
			equal[few - 1]--;
			sum += few - 1;
		}
		top[f] += sum;
	}
}

static enum ws_status top(const struct ws_lifetimes *l, struct ws_detail *to, struct ws_err *err)
{
	uint64_t *number = ws_alloc(l->lines ? l->lines : 1, sizeof *number);
	size_t *end = ws_alloc(l->sets, sizeof *end), sum = 0;

	if (!number || !end) {
		free(number);
		free(end);
		return ws_fail_memory(err, "the lines of sets");
	}
	for (size_t i = 0; i < l->sets; i++) {
		end[i] = sum; /* it grows to the end as the set's lines come */
		sum += l->set[i].lines;
	}
	for (size_t i = 0; i < l->lines; i++)
		number[end[l->home[i]]++] = l->line[i] / FINITE;
	for (size_t i = 0; i < l->sets; i++)
		if (l->set[i].lines)
			add_largest(number + end[i] - l->set[i].lines, l->set[i].lines, to->top);
	free(number);
	free(end);
	return WS_OK;
}

enum ws_status ws_lifetimes_end(struct ws_lifetimes *l, struct ws_detail *to, struct ws_err *err)
{
	for (unsigned type = 0; type < WS_BINS; type++)
		if (l->row[type].references)
			flush_row(l->row + type, type, to);
	fill_detail(l, to);
	return top(l, to, err);
}
