/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/file/check.c -- what must hold of the details in a profile file, by the
 * definitions in stackdist.h.
 *
 * With n references, t their time, C what is within windows, P what was previous, all by type i,
 * j, and E what came last before the end:
 *
 *   sum_j C[i][j] + n[i] = t[i]        for types with windows; else 0
 *   sum_i P[i][j] = n[j]               for types with a line before; else 0
 *   sum_j P[i][j] + sum_c E[c][i] = n[i]   for all but EVICT; else 0
 *
 * and references are the requests of the kinds that may be some.  All of it stays true of sums
 * over sets, SMs and launches.
 */
#include "stackdist/file/file.h"

#include "stackdist/stack/lines.h"

#define ADDS_UP "a detail's counts do not add up"

/* *sum += x; false: past 2^64. */
static bool add_checked(uint64_t *sum, uint64_t x)
{
	*sum += x;
	return *sum >= x;
}

static bool total(const uint64_t *count, size_t len, uint64_t *sum)
{
	bool ok = true;

	*sum = 0;
	for (size_t i = 0; i < len; i++)
		ok &= add_checked(sum, count[i]);
	return ok;
}

/* ---- references against requests -------------------------------------------------- */

/* Whether its requests bring their lines in as loads do. */
static bool as_load(const struct ws_cache *cache, unsigned kind)
{
	return kind == WS_LOAD || (kind == WS_ATOMIC && ws_atomics_allocate(cache));
}

static bool may_be(const struct ws_cache *cache, unsigned kind, unsigned type)
{
	bool evicts = ws_store_act(cache->write) == WS_ACT_EVICT;

	if (as_load(cache, kind))
		return type != WS_TYPE_EVICT &&
		       (type != WS_TYPE_RELOAD || evicts);
	if (kind == WS_STORE && ws_store_allocates(cache->write))
		return type <= WS_TYPE_COLD;
	return kind == WS_STORE && evicts && type == WS_TYPE_EVICT;
}

static const char *check_kind(const uint64_t *n, unsigned kind, const struct ws_geometry *g,
			      const struct ws_cache *cache)
{
	const struct ws_histogram *h = g->kind + kind;
	bool load = as_load(cache, kind);
	bool all = load || (kind == WS_STORE && ws_store_allocates(cache->write));
	uint64_t sum;

	for (unsigned type = 0; type < WS_TYPES; type++)
		if (n[type] && !may_be(cache, kind, type))
			return "references of a type that their kind cannot have";
	if (!total(n, WS_TYPES, &sum) || (all ? sum != h->requests : sum > h->requests))
		return "the references are not the requests";
	if (n[WS_TYPE_COLD] > h->cold)
		return "more first references than cold requests";
	/* Without sectors both say the same of a line. */
	if (g->sector_bytes == g->line_bytes && (n[WS_TYPE_COLD] != h->cold ||
					 (load && n[WS_TYPE_RELOAD] != h->uncached)))
		return "the first references are not the cold requests, or the reloads the "
		       "uncached loads";
	return NULL;
}

/* n: by type, of all kinds. */
static const char *check_references(const struct ws_detail *d, const struct ws_geometry *g,
				    const struct ws_cache *cache, uint64_t *n)
{
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		const char *wrong = check_kind(d->references[kind], kind, g, cache);

		if (wrong)
			return wrong;
		for (unsigned type = 0; type < WS_TYPES; type++)
			n[type] += d->references[kind][type];
	}
	return n[WS_TYPE_RELOAD] > n[WS_TYPE_EVICT] ? "more reloads than lines thrown out" : NULL;
}

/* ---- windows ------------------------------------------------------------------------ */

struct list_sums {
	const uint64_t *references, *time;
	/* of the columns and rows of within, previous and end_* */
	uint64_t within[WS_TYPES], in_windows[WS_TYPES];
	uint64_t previous[WS_TYPES], of_previous[WS_TYPES], last[WS_TYPES];
	uint64_t end_within[WS_END_CLASSES], end_previous[WS_END_CLASSES];
	bool overflow;
};

enum matrix { WITHIN, PREVIOUS, END_WITHIN, END_PREVIOUS };

static void sum_entry(struct list_sums *s, enum matrix of, size_t i, size_t j, uint64_t count)
{
	uint64_t *row = of == WITHIN ? s->within : of == PREVIOUS ? s->previous :
			of == END_WITHIN ? s->end_within : s->end_previous;
	uint64_t *column = of == PREVIOUS ? s->of_previous : of == END_PREVIOUS ? s->last : NULL;

	s->overflow |= !add_checked(row + i, count);
	if (column)
		s->overflow |= !add_checked(column + j, count);
	else
		s->in_windows[j] |= count;
}

static void sum_matrix(struct list_sums *s, enum matrix of, const uint64_t *count, size_t rows)
{
	for (size_t i = 0; i < rows * WS_TYPES; i++)
		sum_entry(s, of, i / WS_TYPES, i % WS_TYPES, count[i]);
}

static const char *check_type(const struct list_sums *s, size_t i)
{
	bool first = i == WS_TYPE_COLD || i == WS_TYPE_RELOAD;
	bool out = i == WS_TYPE_EVICT;
	uint64_t n = s->references[i], windows = s->within[i], went = s->previous[i];

	if (n == 0 && (s->time[i] || s->in_windows[i]))
		return "windows of references that there are not";
	if (!add_checked(&windows, first ? 0 : n) || windows != s->time[i] || (first && windows))
		return "what is within windows does not add up to their time";
	if (s->of_previous[i] != (first ? 0 : n))
		return "what was previous does not add up to the references";
	if (!add_checked(&went, s->last[i]) || went != (out ? 0 : n))
		return "what came next and what came last do not add up to the references";
	return NULL;
}

static const char *check_windows(const struct list_sums *s)
{
	if (s->overflow)
		return ADDS_UP;
	for (size_t i = 0; i < WS_TYPES; i++) {
		const char *wrong = check_type(s, i);

		if (wrong)
			return wrong;
	}
	return NULL;
}

/* End windows of class c take 2^c <= references + 1 < 2^(c + 1) each. */
static bool class_holds(uint64_t count, uint64_t time, unsigned c)
{
	uint64_t low = 1ull << c, high = c < WS_END_CLASSES - 1 ? 2 * low - 1 : UINT64_MAX;

	return count <= time / low && (count == 0 ? time == 0 : (time - 1) / count < high);
}

static const char *check_ends(const struct ws_detail *d, const struct list_sums *s)
{
	for (unsigned c = 0; c < WS_END_CLASSES; c++) {
		uint64_t time = s->end_within[c];

		if (s->end_previous[c] != d->end_count[c] || !add_checked(&time, d->end_count[c]) ||
		    time != d->end_time[c])
			return "end windows do not add up";
		if (!class_holds(d->end_count[c], d->end_time[c], c))
			return "end windows of a class that they are too short or too long for";
	}
	return NULL;
}

static const char *check_matrices(const struct ws_detail *d, const uint64_t *n)
{
	struct list_sums s = { .references = n, .time = d->time };
	const char *wrong;

	sum_matrix(&s, WITHIN, d->within[0], WS_TYPES);
	sum_matrix(&s, PREVIOUS, d->previous[0], WS_TYPES);
	sum_matrix(&s, END_WITHIN, d->end_within[0], WS_END_CLASSES);
	sum_matrix(&s, END_PREVIOUS, d->end_previous[0], WS_END_CLASSES);
	wrong = check_windows(&s);
	return wrong ? wrong : check_ends(d, &s);
}

/* ---- lines -------------------------------------------------------------------------- */

/* A set has a k-th line only after it had one before, and that one is a reference. */
static const char *check_arrivals(const struct ws_detail *d, const uint64_t *n)
{
	uint64_t all, lines, first = d->fill[0];

	if (!total(n, WS_TYPES, &all) || !total(d->arrivals, WS_DEPTH_CELLS, &lines) ||
	    lines != n[WS_TYPE_COLD])
		return "lines arrive that are not first references";
	if (!add_checked(&first, d->arrivals[0]) || first != all)
		return "references come before a set's first line, or never";
	for (size_t i = 1; i < WS_DEPTH_CELLS; i++) {
		uint64_t later = d->fill[i];

		if (d->arrivals[i] == 0 && d->fill[i])
			return "references come after a line that never does";
		if (i < 1u << WS_DEPTH_BITS &&
		    (d->arrivals[i] > d->arrivals[i - 1] || !add_checked(&later, d->arrivals[i]) ||
		     later > d->fill[i - 1]))
			return "more sets have a line, or references after it, than have the "
			       "line before";
	}
	return NULL;
}

static const char *check_retained(const struct ws_detail *d, const uint64_t *n)
{
	uint64_t finite, retained;

	if (!total(n, WS_BINS, &finite))
		return ADDS_UP;
	for (unsigned f = 0; f < WS_RETENTIONS; f++) {
		for (unsigned type = 0; type < WS_TYPES; type++)
			if (d->retained[f][type] > (type < WS_BINS ? n[type] : 0))
				return "more references to retained lines than references";
		if (d->top[f] > finite || (f > 0 && d->top[f] < d->top[f - 1]))
			return "fewer references to more lines, or more than there are";
		/* Lines that nothing releases are as many as the most referenced ones. */
		if (!total(d->retained[f], WS_BINS, &retained) ||
		    (n[WS_TYPE_EVICT] == 0 && retained > d->top[f]))
			return "more references to retained lines than to the most referenced ones";
	}
	return NULL;
}

/* ---- fill-to-reuse times --------------------------------------------------------------------- */

static const char *check_fill_reuses(const struct ws_fill_reuses *f, const struct ws_histogram *h,
				 bool allocates)
{
	uint64_t most = h->requests - h->cold - h->uncached, now = 0;

	if (f->count && !allocates)
		return "fill-to-reuse times of requests that do not allocate";
	for (size_t i = 0; i < f->count; i++) {
		int64_t change = f->entry[i].change;

		if (i == 0 || f->entry[i].cell != f->entry[i - 1].cell)
			now = 0;
		if (change > 0 ? (uint64_t)change > most - now : 0 - (uint64_t)change > now)
			return "fill-to-reuse times of fewer than no requests, or of more than "
			       "there are";
		now += (uint64_t)change;
	}
	return NULL;
}

/* ---- reservation stalls ---------------------------------------------------------------------- */

/* Fetches with W ways are loads of distance W and more. */
static const char *check_reservation(const struct ws_detail *d, const struct ws_histogram *loads,
			       bool of_l2)
{
	for (unsigned i = 0; i < WS_RESERVATION_WAYS; i++) {
		uint64_t fetches = loads->requests, reserved;

		for (size_t cell = 0; cell < loads->len && cell < (size_t)1 << i; cell++)
			fetches -= loads->distance[cell];
		if (!total(d->reservation[i], WS_FILL_REUSE_CELLS, &reserved) ||
		    reserved > fetches || (of_l2 && reserved))
			return "more fetches follow others of their set than there are";
	}
	return NULL;
}

const char *ws_detail_check(const struct ws_detail *d, const struct ws_geometry *g,
			    const struct ws_cache *cache)
{
	uint64_t n[WS_TYPES] = { 0 };
	const char *wrong = check_references(d, g, cache, n);

	if (!wrong)
		wrong = check_matrices(d, n);
	if (!wrong)
		wrong = check_arrivals(d, n);
	if (!wrong)
		wrong = check_retained(d, n);
	for (unsigned kind = 0; kind < WS_KINDS && !wrong; kind++)
		wrong = check_fill_reuses(d->fill_reuse + kind, g->kind + kind,
					  as_load(cache, kind) ||
					  (kind == WS_STORE && ws_store_allocates(cache->write)));
	return wrong ? wrong : check_reservation(d, g->kind + WS_LOAD, cache->slices > 0);
}
