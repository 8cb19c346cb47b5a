/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/detail.c -- windows, lines and fill-to-reuse times the slow way (detail.h).
 */
#include "tests/ref/detail.h"

#include <string.h>

#include "tests/ref/must.h"

uint32_t ref_cell(uint32_t x, unsigned bits, unsigned fine)
{
	unsigned o;

	if (x < (uint32_t)1 << bits)
		return x;
	o = ws_log2(x);
	return ((uint32_t)1 << bits) + (o - bits) * ((uint32_t)1 << fine) +
	       (x >> (o - fine)) % ((uint32_t)1 << fine);
}

static bool finite(uint32_t distance)
{
	return distance <= WS_DISTANCE_MAX;
}

/* ---- fill-to-reuse times ------------------------------------------------------------ */

static void change(struct ref_changes *c, uint32_t cell, uint32_t ways, int64_t by)
{
	if (c->count == c->cap) {
		c->cap = 2 * c->cap + 64;
		c->entry = more(c->entry, c->cap, sizeof *c->entry);
	}
	c->entry[c->count++] = (struct ws_fill_reuse){ cell, ways, by };
}

#define NOT_COUNTED UINT32_MAX

/* With `ways` ways, in which a[i] hits: the cell of the cycles since the last fetch of a sector
 * asked for.  What a store brought was not fetched. */
static uint32_t flight_cell(const struct ref_access *a, size_t i, uint32_t ways)
{
	uint64_t fetched = 0;
	bool any = false;

	for (unsigned s = 0; s < REF_SECTORS_MAX; s++) {
		size_t j = a[i].before;

		if (!(a[i].asked >> s & 1))
			continue;
		/* A hit has one before it that brought it, and only references that allocate do. */
		while (a[j].type == WS_TYPE_NONE || a[j].type == WS_TYPE_EVICT ||
		       !(a[j].asked >> s & 1) || a[j].m[s] < ways)
			j = a[j].before;
		if (a[j].r.kind == WS_STORE)
			continue;
		any = true;
		if (a[j].r.cycle > fetched)
			fetched = a[j].r.cycle;
	}
	if (!any || a[i].r.cycle - fetched > WS_FILL_REUSE_MAX)
		return NOT_COUNTED;
	return ref_cell((uint32_t)(a[i].r.cycle - fetched), WS_FILL_REUSE_BITS, 4);
}

/* Beyond the largest distance of the line before, back to when it was not there, the last fetch
 * stays the same. */
static uint32_t most_ways(const struct ref_access *a, size_t i)
{
	uint32_t ways = a[i].distance + 1;

	for (size_t j = a[i].before; a[j].type != WS_TYPE_COLD && a[j].type != WS_TYPE_RELOAD;
	     j = a[j].before)
		for (unsigned s = 0; s < REF_SECTORS_MAX; s++)
			if (a[j].asked >> s & 1 && finite(a[j].m[s]) && a[j].m[s] >= ways)
				ways = a[j].m[s] + 1;
	return ways < 65536 ? ways : 65536;
}

/* Of 64 ways and more only multiples of a 16th of an octave are. */
static bool counted(uint32_t ways)
{
	uint32_t step = 1;

	while (ways >= 32 * step)
		step *= 2;
	return ways <= 64 || ways % step == 0;
}

static void count_flight(struct ref_changes *c, const struct ref_access *a, size_t i)
{
	uint32_t cell = NOT_COUNTED, most;

	if (a[i].type == WS_TYPE_NONE || a[i].type == WS_TYPE_EVICT || !finite(a[i].distance))
		return;
	most = most_ways(a, i);
	while (!counted(most))
		most++;
	for (uint32_t ways = a[i].distance + 1; ways <= most; ways++) {
		uint32_t now = flight_cell(a, i, ways);

		if (!counted(ways) || now == cell)
			continue;
		if (cell != NOT_COUNTED)
			change(c, cell, ways, -1);
		if (now != NOT_COUNTED)
			change(c, now, ways, 1);
		cell = now;
	}
}

static int by_cell_ways(const void *a, const void *b)
{
	const struct ws_fill_reuse *x = a, *y = b;

	if (x->cell != y->cell)
		return x->cell < y->cell ? -1 : 1;
	return x->ways < y->ways ? -1 : x->ways > y->ways;
}

/* Sums entries of equal cell and ways; hands them to *f and empties *c. */
static void sum_changes(struct ref_changes *c, struct ws_fill_reuses *f)
{
	size_t n = 0;

	if (c->count)
		qsort(c->entry, c->count, sizeof *c->entry, by_cell_ways);
	for (size_t i = 0, j; i < c->count; i = j) {
		struct ws_fill_reuse sum = c->entry[i];

		for (j = i + 1; j < c->count && !by_cell_ways(c->entry + i, c->entry + j); j++)
			sum.change += c->entry[j].change;
		if (sum.change)
			c->entry[n++] = sum;
	}
	f->entry = c->entry;
	f->count = n;
}

/* ---- windows ---------------------------------------------------------------------- */

/* The references to one set in order; before: index in this list. */
struct references {
	const struct ref_access **at;
	size_t *before;
	size_t count;
};

static bool has_window(unsigned type)
{
	return type != WS_TYPE_COLD && type != WS_TYPE_RELOAD;
}

static void count_window(const struct references *refs, size_t i, struct ws_detail *d)
{
	const struct ref_access *a = refs->at[i];
	size_t before = refs->before[i];

	if (before != SIZE_MAX && refs->at[before]->type != WS_TYPE_EVICT)
		d->previous[refs->at[before]->type][a->type]++;
	if (!has_window(a->type))
		return;
	d->time[a->type] += i - before - 1 + 1;
	for (size_t j = before + 1; j < i; j++)
		d->within[a->type][refs->at[j]->type]++;
}

static bool is_last(const struct references *refs, size_t i)
{
	for (size_t j = i + 1; j < refs->count; j++)
		if (refs->before[j] == i)
			return false;
	return true;
}

static void count_end_window(const struct references *refs, size_t i, struct ws_detail *d)
{
	uint64_t after = refs->count - 1 - i;
	unsigned class = ws_log2(after + 1) < 31 ? ws_log2(after + 1) : 31;

	if (refs->at[i]->type == WS_TYPE_EVICT || !is_last(refs, i))
		return;
	d->end_count[class]++;
	d->end_time[class] += after + 1;
	d->end_previous[class][refs->at[i]->type]++;
	for (size_t j = i + 1; j < refs->count; j++)
		d->end_within[class][refs->at[j]->type]++;
}

static void count_windows(const struct references *refs, struct ws_detail *d)
{
	for (size_t i = 0; i < refs->count; i++) {
		count_window(refs, i, d);
		count_end_window(refs, i, d);
	}
}

/* ---- lines ------------------------------------------------------------------------- */

static void count_arrivals(const struct references *refs, struct ws_detail *d)
{
	uint32_t lines = 0;

	for (size_t i = 0; i < refs->count; i++)
		if (refs->at[i]->type == WS_TYPE_COLD) {
			uint32_t cell = ref_cell(lines++, WS_DEPTH_BITS, 4);

			d->arrivals[cell]++;
			d->fill[cell] += refs->count - 1 - i;
		}
}

static size_t find_line(const uint64_t *line, size_t count, uint64_t address)
{
	size_t i = 0;

	while (i < count && line[i] != address)
		i++;
	return i;
}

static void count_retained(const struct references *refs, uint32_t ways, uint64_t *retained)
{
	uint64_t *line = must(refs->count, sizeof *line);
	size_t count = 0;

	for (size_t i = 0; i < refs->count; i++) {
		const struct ref_access *a = refs->at[i];
		size_t at = find_line(line, count, a->r.address);

		if (a->type == WS_TYPE_EVICT && at < count)
			line[at] = line[--count];
		if (a->type >= WS_BINS)
			continue;
		if (at == count && a->position < ways && count + 1 < ways)
			line[count++] = a->r.address;
		if (at < count)
			retained[a->type]++;
	}
	free(line);
}

static int descending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? 1 : x > y ? -1 : 0;
}

static void count_top(const struct references *refs, const uint32_t *retention, uint64_t *top)
{
	uint64_t *line = must(refs->count, sizeof *line), *n = must(refs->count, sizeof *n);
	size_t lines = 0;

	for (size_t i = 0; i < refs->count; i++) {
		size_t at = find_line(line, lines, refs->at[i]->r.address);

		line[at] = refs->at[i]->r.address;
		lines += at == lines;
		n[at] += refs->at[i]->type < WS_BINS;
	}
	qsort(n, lines, sizeof *n, descending);
	for (unsigned f = 0; f < WS_RETENTIONS; f++)
		for (size_t i = 0; i < lines && i + 1 < retention[f]; i++)
			top[f] += n[i];
	free(line);
	free(n);
}

/* ---- one geometry ---------------------------------------------------------------------- */

/* Fetches of the set with `ways` ways, each with the ways-th one before it. */
static void count_reservation(const struct references *refs, uint32_t ways, uint64_t *cells)
{
	for (size_t i = 0; i < refs->count; i++) {
		const struct ref_access *a = refs->at[i];
		size_t j = i, back = 0;

		if (a->r.kind != WS_LOAD || a->position < ways)
			continue;
		while (j > 0 && back < ways) {
			j--;
			back += refs->at[j]->r.kind == WS_LOAD && refs->at[j]->position >= ways;
		}
		if (back == ways && a->r.cycle - refs->at[j]->r.cycle <= WS_FILL_REUSE_MAX)
			cells[ref_cell((uint32_t)(a->r.cycle - refs->at[j]->r.cycle),
				       WS_FILL_REUSE_BITS, 4)]++;
	}
}

static void list_references(struct ref_access *a, size_t count, uint64_t set,
			    struct references *refs)
{
	refs->count = 0;
	for (size_t i = 0; i < count; i++) {
		size_t n = refs->count, j = n;

		if (a[i].set != set || a[i].type == WS_TYPE_NONE)
			continue;
		while (j > 0 && refs->at[j - 1]->r.address != a[i].r.address)
			j--;
		refs->at[n] = a + i;
		refs->before[n] = j ? j - 1 : SIZE_MAX;
		refs->count++;
	}
}

static void count_references(const struct references *refs, struct ref_counting *c)
{
	struct ws_detail *d = c->detail;

	for (size_t i = 0; i < refs->count; i++)
		d->references[refs->at[i]->r.kind][refs->at[i]->type]++;
	count_windows(refs, d);
	count_arrivals(refs, d);
	for (unsigned f = 0; f < WS_RETENTIONS; f++)
		count_retained(refs, c->retention[f], d->retained[f]);
	count_top(refs, c->retention, d->top);
	for (unsigned i = 0; i < WS_RESERVATION_WAYS; i++)
		count_reservation(refs, 1u << i, d->reservation[i]);
}

void ref_detail_begin(struct ref_counting *c, struct ws_detail *d, uint64_t sets,
		      const uint32_t *retention)
{
	*c = (struct ref_counting){ .retention = retention, .detail = d, .sets = sets };
}

void ref_detail_count(struct ref_counting *c, struct ref_access *a, size_t count)
{
	struct references refs = { .at = must(count, sizeof *refs.at),
				   .before = must(count, sizeof *refs.before) };

	for (uint64_t set = 0; set < c->sets; set++) {
		list_references(a, count, set, &refs);
		if (refs.count)
			count_references(&refs, c);
	}
	for (size_t i = 0; i < count; i++)
		count_flight(&c->fill_reuse[a[i].r.kind], a, i);
	free(refs.at);
	free(refs.before);
}

void ref_detail_end(struct ref_counting *c)
{
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		sum_changes(&c->fill_reuse[kind], &c->detail->fill_reuse[kind]);
}
