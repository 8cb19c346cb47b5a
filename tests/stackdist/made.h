/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/made.h -- profiles that nobody measured: random, and such as a profiler could
 * have made.
 *
 * A list of events says how often lines are referenced, by what, and with what outcome;
 * positions, sets and distances are drawn, and all that a profile says of windows and ends is
 * counted from the list by scanning it.  All counts are then multiplied by one factor.
 */
#ifndef WS_TEST_MADE_H
#define WS_TEST_MADE_H

#include "stackdist/record/detail.h"
#include "stackdist/stack/lines.h"
#include "tests/stackdist/memory.h"

#define MADE_EVENTS 90u
#define MADE_LINES 12u
#define MADE_SETS 3u		/* that the lines fall into */

enum made_outcome { MADE_FINITE, MADE_COLD, MADE_UNCACHED };

struct made_event {
	unsigned line, kind;
	enum made_outcome outcome;
	unsigned type;		/* WS_TYPE_NONE: no reference; 0: of a finite type */
};

struct made_stream {		/* what a section has at one line size */
	struct made_event event[MADE_EVENTS];
	uint64_t requests[WS_KINDS], cold[WS_KINDS], uncached[WS_KINDS];
	uint64_t sector_cold[WS_KINDS], sector_uncached[WS_KINDS], sector_finite[WS_KINDS];
	uint64_t lines;
};

struct made {
	struct ws_rng *rng;
	struct ws_profile *p;
	uint64_t factor;
	bool sectored, sampled, detail, sites;
	struct made_stream stream;
};

static inline uint64_t made_below(const struct made *m, uint64_t bound)
{
	return ws_rng_below(m->rng, bound);
}

/* ---- events ----------------------------------------------------------------------- */

static inline struct made_event made_event(const struct made *m, bool *seen, bool *in)
{
	enum ws_write write = m->p->machine.l1.write;
	struct made_event e = { .line = (unsigned)made_below(m, MADE_LINES),
				.kind = (unsigned)made_below(m, 5) % WS_KINDS,
				.outcome = MADE_UNCACHED, .type = WS_TYPE_NONE };
	bool allocates = e.kind == WS_LOAD || ws_store_allocates(write);

	if (e.kind == WS_ATOMIC)
		return e;
	if (in[e.line])
		e.outcome = MADE_FINITE;
	else if (allocates && !seen[e.line])
		e.outcome = MADE_COLD;
	if (allocates) {
		e.type = in[e.line] ? 0 : seen[e.line] ? WS_TYPE_RELOAD : WS_TYPE_COLD;
		in[e.line] = seen[e.line] = true;
	} else if (write == WS_WRITE_EVICT && in[e.line]) {
		e.type = WS_TYPE_EVICT;
		in[e.line] = false;
	}
	/* A sector that was not asked for before. */
	if (m->sectored && e.outcome == MADE_FINITE && allocates && made_below(m, 4) == 0)
		e.outcome = MADE_COLD;
	return e;
}

static inline void made_events(struct made *m)
{
	struct made_stream *s = &m->stream;
	bool seen[MADE_LINES] = { false }, in[MADE_LINES] = { false };

	memset(s, 0, sizeof *s);
	for (unsigned i = 0; i < MADE_EVENTS; i++) {
		struct made_event *e = s->event + i;

		*e = made_event(m, seen, in);
		s->requests[e->kind]++;
		s->cold[e->kind] += e->outcome == MADE_COLD;
		s->uncached[e->kind] += e->outcome == MADE_UNCACHED;
		s->lines += e->outcome == MADE_COLD;
	}
	for (unsigned kind = 0; kind < WS_KINDS && m->sectored; kind++) {
		s->sector_cold[kind] = s->cold[kind] + made_below(m, 9);
		s->sector_uncached[kind] = s->uncached[kind];
		s->sector_finite[kind] = made_below(m, 50);
	}
}

/* ---- histograms -------------------------------------------------------------------- */

/* Adds `units` requests to cells below *len, drawn; in *lower a cell at or below each. */
static inline void made_spread(const struct made *m, uint64_t *count, uint64_t *lower,
			       uint32_t len, uint64_t units)
{
	while (units) {
		uint64_t n = 1 + made_below(m, units);
		uint32_t cell = (uint32_t)made_below(m, len);

		if (made_below(m, 2))
			cell %= 20;
		count[cell] += n * m->factor;
		if (lower)
			lower[made_below(m, cell + 1)] += n * m->factor;
		units -= n;
	}
}

static inline uint64_t *made_numbers(size_t count)
{
	return ws_alloc_zero(count, sizeof(uint64_t));
}

static inline void made_histogram(const struct made *m, unsigned kind, struct ws_histogram *h)
{
	const struct made_stream *s = &m->stream;
	uint64_t finite = s->requests[kind] - s->cold[kind] - s->uncached[kind];
	uint64_t lines = s->lines * m->factor;
	uint32_t len = 1;

	if (lines)
		len += ws_cell(lines - 1 < WS_DISTANCE_MAX ? (uint32_t)(lines - 1) :
			       WS_DISTANCE_MAX, WS_DISTANCE_BITS);
	if (len > 2000 && made_below(m, 8))
		len = 2000;
	h->requests = s->requests[kind] * m->factor;
	h->cold = s->cold[kind] * m->factor;
	h->uncached = s->uncached[kind] * m->factor;
	if (finite) {
		h->len = len;
		h->distance = made_numbers(len);
		h->capacity = made_numbers(len);
		made_spread(m, h->distance, h->capacity, len, finite);
	}
	h->sector_cold = s->sector_cold[kind] * m->factor;
	h->sector_uncached = s->sector_uncached[kind] * m->factor;
	h->sectors = (s->sector_cold[kind] + s->sector_uncached[kind]) * m->factor;
	if (m->sectored && s->lines && s->sector_finite[kind]) {
		h->sector_len = len;
		h->sector = made_numbers(len);
		made_spread(m, h->sector, NULL, len, s->sector_finite[kind]);
		h->sectors += s->sector_finite[kind] * m->factor;
	}
	if (m->sampled) {
		h->variance = made_numbers(WS_BINS);
		made_spread(m, h->variance, NULL, WS_BINS, 30);
	}
}

/* ---- details ------------------------------------------------------------------------ */

struct made_reference {
	unsigned line, set, type;
	bool last;
};

static inline void made_window(struct made *m, struct ws_detail *d,
			       const struct made_reference *r, size_t from, size_t to, size_t row,
			       bool end)
{
	uint64_t time = 1;
	unsigned c = 0;

	for (size_t i = from + 1; i < to; i++)
		time += r[i].set == r[from].set;
	while (c < WS_END_CLASSES - 1 && time >> (c + 1))
		c++;
	if (end) {
		d->end_count[c] += m->factor;
		d->end_time[c] += time * m->factor;
		d->end_previous[c][r[from].type] += m->factor;
	} else {
		d->time[r[row].type] += time * m->factor;
		d->previous[r[from].type][r[row].type] += m->factor;
	}
	for (size_t i = from + 1; i < to; i++) {
		if (r[i].set != r[from].set)
			continue;
		if (end)
			d->end_within[c][r[i].type] += m->factor;
		else
			d->within[r[row].type][r[i].type] += m->factor;
	}
}

static inline void made_windows(struct made *m, struct ws_detail *d,
				const struct made_reference *r, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t before = i;

		if (r[i].last && r[i].type != WS_TYPE_EVICT)
			made_window(m, d, r, i, count, i, true);
		if (r[i].type == WS_TYPE_COLD || r[i].type == WS_TYPE_RELOAD)
			continue;
		while (r[--before].line != r[i].line)
			;
		made_window(m, d, r, before, i, i, false);
	}
}

static inline void made_lines(const struct made *m, struct ws_detail *d,
			      const struct made_reference *r, size_t count, uint64_t finite)
{
	uint32_t lines[MADE_SETS] = { 0 };
	uint64_t top = 0;

	for (size_t i = 0; i < count; i++) {
		if (r[i].type != WS_TYPE_COLD)
			continue;
		d->arrivals[lines[r[i].set]] += m->factor;
		for (size_t j = i + 1; j < count; j++)
			if (r[j].set == r[i].set)
				d->fill[lines[r[i].set]] += m->factor;
		lines[r[i].set]++;
	}
	for (unsigned f = 0; f < WS_RETENTIONS; f++) {
		unsigned type = (unsigned)made_below(m, WS_BINS);
		uint64_t n = 0;

		for (unsigned kind = 0; kind < WS_KINDS; kind++)
			n += d->references[kind][type];
		top += made_below(m, finite - top + 1) / 4;
		d->top[f] = top;
		d->retained[f][type] = made_below(m, (n < top ? n : top) + 1);
	}
}

static inline void made_flights(const struct made *m, struct ws_fill_reuses *f,
				const struct ws_histogram *h)
{
	uint64_t most = h->requests - h->cold - h->uncached, now = 0;
	uint32_t cell = 0, ways = 0;

	if (most == 0)
		return;
	f->entry = ws_alloc(20, sizeof *f->entry);
	for (size_t i = 0; i < 20 && f->entry; i++) {
		uint64_t next = made_below(m, most + 1);

		if (made_below(m, 3) == 0) {
			cell += 1 + (uint32_t)made_below(m, 14);
			now = ways = 0;
		}
		if (next == now)
			continue;
		ways += 1 + (uint32_t)made_below(m, i % 7 ? 8 : 25);
		f->entry[f->count++] = (struct ws_fill_reuse){
			cell, ws_cell_first(ways, WS_FILL_REUSE_WAYS_BITS),
			(int64_t)next - (int64_t)now };
		now = next;
	}
}

static inline void made_reservation(const struct made *m, struct ws_detail *d,
			      const struct ws_histogram *h)
{
	for (unsigned i = 0; i < WS_RESERVATION_WAYS; i++) {
		uint64_t fetches = h->cold + h->uncached;

		for (size_t cell = (size_t)1 << i; cell < h->len; cell++)
			fetches += h->distance[cell];
		for (unsigned n = 0; n < 4; n++) {
			uint64_t some = made_below(m, fetches + 1);

			d->reservation[i][made_below(m, WS_FILL_REUSE_CELLS)] += some;
			fetches -= some;
		}
	}
}

/* The references among the events, with sets and positions; returns their number. */
static inline size_t made_references(struct made *m, struct ws_detail *d,
				     struct made_reference *r, uint64_t *finite)
{
	size_t count = 0;

	for (unsigned i = 0; i < MADE_EVENTS; i++) {
		const struct made_event *e = m->stream.event + i;
		unsigned type = e->type ? e->type : (unsigned)made_below(m, WS_BINS);

		if (e->type == WS_TYPE_NONE)
			continue;
		r[count++] = (struct made_reference){
			.line = e->line, .set = e->line % MADE_SETS, .type = type, .last = true,
		};
		for (size_t j = 0; j + 1 < count; j++)
			r[j].last = r[j].last && r[j].line != e->line;
		d->references[e->kind][type] += m->factor;
		*finite += type < WS_BINS ? m->factor : 0;
	}
	return count;
}

static inline struct ws_detail *made_detail(struct made *m, const struct ws_geometry *g)
{
	struct made_reference r[MADE_EVENTS];
	struct ws_detail *d = ws_alloc_zero(1, sizeof *d);
	uint64_t finite = 0;
	size_t count;

	if (!d)
		return NULL;
	count = made_references(m, d, r, &finite);
	made_windows(m, d, r, count);
	made_lines(m, d, r, count, finite);
	made_flights(m, d->fill_reuse + WS_LOAD, g->kind + WS_LOAD);
	made_reservation(m, d, g->kind + WS_LOAD);
	if (ws_store_allocates(m->p->machine.l1.write))
		made_flights(m, d->fill_reuse + WS_STORE, g->kind + WS_STORE);
	return d;
}

/* ---- sites, sections, profiles ---------------------------------------------------------- */

/* Half of it; the factor is even. */
static inline struct ws_histogram made_half(const struct ws_histogram *h)
{
	struct ws_histogram half = { .requests = h->requests / 2, .cold = h->cold / 2,
				     .uncached = h->uncached / 2, .len = h->len };

	if (h->len == 0)
		return half;
	half.distance = made_numbers(h->len);
	half.capacity = made_numbers(h->len);
	for (size_t i = 0; i < h->len; i++) {
		half.distance[i] = h->distance[i] / 2;
		half.capacity[i] = h->capacity[i] / 2;
	}
	return half;
}

static inline void made_sites(struct ws_section *s, const struct ws_geometry *g)
{
	static const char *const array[] = { "", "B" };

	s->site = ws_alloc_zero(2 * (size_t)WS_KINDS, sizeof *s->site);
	for (unsigned i = 0; i < 2 * WS_KINDS && s->site; i++)
		if (g->kind[i % WS_KINDS].requests)
			s->site[s->sites++] = (struct ws_site){
				.array = ws_strdup(array[i / WS_KINDS]),
				.file = ws_strdup("k.cl"), .line = 7,
				.kind = (enum ws_kind)(i % WS_KINDS),
				.count = made_half(g->kind + i % WS_KINDS),
			};
}

static inline void made_drop_sites(struct ws_section *s)
{
	for (size_t i = 0; i < s->sites; i++) {
		free(s->site[i].array);
		free(s->site[i].file);
		free(s->site[i].count.distance);
		free(s->site[i].count.capacity);
	}
	free(s->site);
	s->site = NULL;
	s->sites = 0;
}

static inline void made_geometry(struct made *m, struct ws_geometry *g)
{
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		made_histogram(m, kind, g->kind + kind);
	if (m->detail)
		g->detail = made_detail(m, g);
}

static inline void made_section(struct made *m, struct ws_section *s, const struct ws_shape *shape,
				size_t shapes)
{
	s->grid[0] = 1 + made_below(m, 1000);
	s->grid[1] = s->grid[2] = s->block[2] = 1;
	s->block[0] = s->block[1] = 16;
	s->launches = 1 + made_below(m, 3);
	s->ctas = s->grid[0] * s->launches;
	s->warp_instructions = made_below(m, 1ull << 40);
	s->cycles = made_below(m, 1ull << 50);
	s->issued = made_below(m, 3) ? made_below(m, 1ull << 40) : 0;
	s->waits = made_below(m, 1ull << 30) * (s->issued > 0);
	s->resident_ctas = 8;
	s->demand = (struct ws_demand){ made_below(m, 49153), 1 + made_below(m, 1024),
					made_below(m, 64), 1 + made_below(m, 1000) };
	s->geometry = ws_alloc_zero(shapes, sizeof *s->geometry);
	for (; s->geometry && s->geometries < shapes; s->geometries++) {
		struct ws_geometry *g = s->geometry + s->geometries;

		g->line_bytes = shape[s->geometries].line_bytes;
		g->sets = shape[s->geometries].sets;
		g->sector_bytes = ws_shape_sector(&m->p->machine, g->line_bytes);
		m->sectored = g->sector_bytes < g->line_bytes;
		if (s->geometries == 0 || g->line_bytes != g[-1].line_bytes)
			made_events(m);
		made_geometry(m, g);
	}
	if (m->sites)
		made_sites(s, s->geometry + shapes - 1);
}

static inline bool made_machine(struct made *m, struct ws_machine *machine, struct ws_err *err)
{
	char write[64];

	snprintf(write, sizeof(write), "l1.write=%s", stream_write_names[made_below(m, 4)]);
	return memory_machine(machine, err) && !ws_machine_set(machine, write, err) &&
	       (made_below(m, 2) || !ws_machine_set(machine, "l1.sector=32", err)) &&
	       (made_below(m, 3) || (!ws_machine_set(machine, "sm.unified=64K", err) &&
				     !ws_machine_set(machine, "sm.carveouts=16K,48K", err) &&
				     !ws_machine_set(machine, "sm.carveout=auto", err))) &&
	       !ws_machine_check(machine, err);
}

/* Draws the machine, the SMs, the sample and what is recorded. */
static inline bool made_begin(struct made *m, struct ws_err *err)
{
	struct ws_profile *p = m->p;

	if (!made_machine(m, &p->machine, err))
		return false;
	p->seed = ws_rng_u64(m->rng);
	p->sm[0] = 1 + made_below(m, 31);
	p->sample_rate = 1;
	m->sampled = made_below(m, 4) == 0;
	m->detail = !m->sampled && made_below(m, 4);
	m->sites = made_below(m, 3);
	p->order = made_below(m, 3) ? WS_ORDER_NOMINAL : WS_ORDER_CYCLES;
	if (m->sampled) {
		p->sample_rate = ws_rng_double(m->rng);
		p->sample_lines = made_below(m, 2) ? 8192 : 0;
	}
	return p->sample_rate > 0;
}

/* Of up to 3 sections; NULL only if memory is out or there is no machine. */
static inline struct ws_profile *made_profile(struct ws_rng *rng, struct ws_err *err)
{
	static const struct ws_shape all[] = { { 32, 1 }, { 32, 128 }, { 64, 16 }, { 128, 1 },
					       { 128, 8 }, { 128, 32 } };
	static const char *const kernel[] = { "mm", "", "spmv_csr" };
	struct ws_shape shape[WS_COUNT(all)];
	struct made *m = ws_alloc_zero(1, sizeof *m);
	struct ws_profile *p = ws_alloc_zero(1, sizeof *p);
	size_t shapes = 0, sections;

	if (m && p)
		*m = (struct made){ .rng = rng, .p = p,
				    .factor = 2ull << ws_rng_below(rng, ws_rng_below(rng, 3) ?
								   4 : 33) };
	if (!m || !p || !made_begin(m, err)) {
		free(m);
		ws_profile_free(p);
		return NULL;
	}
	for (size_t i = 0; i < WS_COUNT(all); i++)
		if (made_below(m, 2))
			shape[shapes++] = all[i];
	if (shapes == 0)
		shape[shapes++] = all[5];
	sections = made_below(m, 1 + WS_COUNT(kernel));
	p->section = ws_alloc_zero(sections, sizeof *p->section);
	for (; p->section && p->sections < sections; p->sections++) {
		p->section[p->sections].kernel = ws_strdup(kernel[p->sections]);
		made_section(m, p->section + p->sections, shape, shapes);
	}
	free(m);
	return p;
}

#endif
