/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-profile-file.c -- the profile file: comes back the same; cut anywhere, or
 * with any byte changed, it is refused with one sentence; so is one whose checksums are right
 * and whose contents are not, whichever of the rules in warpstack-profile(5) it
 * breaks.  The fuzzer's seeds in tests/fuzz/corpus-profile run through the fuzz target itself.
 */
#include "tests/test.h"

#include <dirent.h>

#include "stackdist/file/file.h"
#include "tests/stackdist/made.h"

#define CORPUS "tests/fuzz/corpus-profile"

/* ---- the same ------------------------------------------------------------------ */

/* Equal, or both nothing but zeros from where one ends. */
static bool same_numbers(const uint64_t *a, size_t na, const uint64_t *b, size_t nb)
{
	for (size_t i = 0; i < na || i < nb; i++)
		if ((i < na ? a[i] : 0) != (i < nb ? b[i] : 0))
			return false;
	return true;
}

static bool same_histogram(const struct ws_histogram *a, const struct ws_histogram *b)
{
	return a->requests == b->requests && a->cold == b->cold && a->uncached == b->uncached &&
	       same_numbers(a->distance, a->len, b->distance, b->len) &&
	       same_numbers(a->capacity, a->len, b->capacity, b->len) &&
	       a->sectors == b->sectors && a->sector_cold == b->sector_cold &&
	       a->sector_uncached == b->sector_uncached &&
	       same_numbers(a->sector, a->sector_len, b->sector, b->sector_len) &&
	       !a->variance == !b->variance &&
	       (!a->variance || same_numbers(a->variance, WS_BINS, b->variance, WS_BINS));
}

static bool same_matrix(const struct ws_matrix *a, const struct ws_matrix *b)
{
	bool same = a->count == b->count;

	for (size_t i = 0; same && i < a->count; i++)
		same = a->entry[i].row == b->entry[i].row &&
		       a->entry[i].column == b->entry[i].column &&
		       a->entry[i].count == b->entry[i].count;
	return same;
}

static bool same_flights(const struct ws_fill_reuses *a, const struct ws_fill_reuses *b)
{
	bool same = a->count == b->count;

	for (size_t i = 0; same && i < a->count; i++)
		same = a->entry[i].cell == b->entry[i].cell &&
		       a->entry[i].ways == b->entry[i].ways &&
		       a->entry[i].change == b->entry[i].change;
	return same;
}

static bool same_counted(const struct ws_counted *a, const struct ws_counted *b)
{
	if (!a || !b)
		return !a == !b;
	return same_numbers(a->references, WS_COUNT_TYPES, b->references, WS_COUNT_TYPES) &&
	       same_numbers(a->time, WS_COUNT_TYPES, b->time, WS_COUNT_TYPES) &&
	       same_matrix(&a->within, &b->within) && same_matrix(&a->previous, &b->previous) &&
	       same_matrix(&a->end_within, &b->end_within) &&
	       same_matrix(&a->end_previous, &b->end_previous);
}

static bool same_detail(const struct ws_detail *a, const struct ws_detail *b)
{
	if (!a || !b)
		return !a == !b;
	/* Up to the first list there are numbers only. */
	return !memcmp(a, b, offsetof(struct ws_detail, fill_reuse)) &&
	       same_flights(a->fill_reuse, b->fill_reuse) &&
	       same_flights(a->fill_reuse + 1, b->fill_reuse + 1) &&
	       same_flights(a->fill_reuse + 2, b->fill_reuse + 2) &&
	       same_counted(a->counted, b->counted);
}

static bool same_geometry(const struct ws_geometry *a, const struct ws_geometry *b)
{
	bool same = a->line_bytes == b->line_bytes && a->sector_bytes == b->sector_bytes &&
		    a->sets == b->sets && same_detail(a->detail, b->detail);

	for (unsigned kind = 0; same && kind < WS_KINDS; kind++)
		same = same_histogram(a->kind + kind, b->kind + kind);
	return same;
}

static bool same_site(const struct ws_site *a, const struct ws_site *b)
{
	return !strcmp(a->array, b->array) && !strcmp(a->file, b->file) && a->line == b->line &&
	       a->kind == b->kind && same_histogram(&a->count, &b->count);
}

static bool same_demand(const struct ws_demand *a, const struct ws_demand *b)
{
	return a->shared_bytes == b->shared_bytes && a->threads == b->threads &&
	       a->registers == b->registers && a->ctas == b->ctas;
}

static bool same_section(const struct ws_section *a, const struct ws_section *b)
{
	bool same = !strcmp(a->kernel, b->kernel) && !memcmp(a->grid, b->grid, sizeof(a->grid)) &&
		    !memcmp(a->block, b->block, sizeof(a->block)) &&
		    a->launches == b->launches && a->ctas == b->ctas &&
		    a->warp_instructions == b->warp_instructions && a->cycles == b->cycles &&
		    a->issued == b->issued && a->waits == b->waits &&
		    a->resident_ctas == b->resident_ctas && a->geometries == b->geometries &&
		    a->sites == b->sites;

	for (size_t i = 0; same && i < a->geometries; i++)
		same = same_geometry(a->geometry + i, b->geometry + i);
	for (size_t i = 0; same && i < a->sites; i++)
		same = same_site(a->site + i, b->site + i);
	return same;
}

static bool same_profile(const struct ws_profile *a, const struct ws_profile *b)
{
	bool same = a->sections == b->sections && a->seed == b->seed &&
		    a->order == b->order &&
		    !memcmp(a->sm, b->sm, sizeof(a->sm)) &&
		    !memcmp(&a->sample_rate, &b->sample_rate, sizeof(a->sample_rate)) &&
		    a->sample_lines == b->sample_lines &&
		    !strcmp(a->machine.name, b->machine.name);

	for (size_t i = 0; same && i < a->sections; i++)
		same = same_section(a->section + i, b->section + i) &&
		       (!ws_machine_adapts(&a->machine) ||
			same_demand(&a->section[i].demand, &b->section[i].demand));
	return same;
}

static void round_trips(struct ws_rng *rng)
{
	int same = 0, times = 60;
	struct ws_err err = { 0 };

	for (bool ok = true; ok && same < times; same += ok) {
		struct ws_profile *p = made_profile(rng, &err), *back = NULL;
		struct memory m = { NULL, 0 };

		if (p)
			m = memory_write(p);
		ok = m.data && ws_profile_recognise(m.data, m.len) &&
		     !memory_read(&back, m.data, m.len, &err) && same_profile(p, back) &&
		     memory_comes_back(p);
		ws_profile_free(p);
		ws_profile_free(back);
		free(m.data);
	}
	test_ok(same == times, "%d profiles come back%s%s", same, err.text[0] ? ": " : "",
		err.text);
	test_ok(!ws_profile_recognise("WSPROF\0", 7) && !ws_profile_recognise("WSTRACE", 8),
		"what is no profile is not recognised");
}

/* What a profiler makes is none of what a reader refuses. */
static void measured(unsigned write, const char *sector, double rate, unsigned record)
{
	static const struct ws_shape shapes[] = { { 128, 32 }, { 128, 1 }, { 64, 16 }, { 32, 1 } };
	const struct memory_launch launch[] = { { "k", 5 }, { "other", 6 }, { "k", 7 } };
	struct ws_profile_options o = { .shape = shapes, .shapes = WS_COUNT(shapes), .threads = 2,
					.record = record, .seed = UINT64_MAX,
					.sample_rate = rate };
	struct ws_profile *p = NULL, *back = NULL;
	struct memory m = { NULL, 0 };
	struct ws_machine machine;
	struct ws_err err = { 0 };
	char text[64];

	snprintf(text, sizeof(text), "l1.write=%s", stream_write_names[write]);
	if (memory_machine(&machine, &err) && !ws_machine_set(&machine, text, &err) &&
	    !ws_machine_set(&machine, sector, &err) && !ws_machine_check(&machine, &err))
		p = memory_profile(&machine, &o, launch, WS_COUNT(launch), &err);
	if (p)
		m = memory_write(p);
	test_ok(m.data && !memory_read(&back, m.data, m.len, &err) && same_profile(p, back) &&
		memory_comes_back(p), "%s, %s, %g of the lines: %zu bytes%s%s",
		stream_write_names[write], sector, rate, m.len, err.text[0] ? ": " : "", err.text);
	ws_profile_free(p);
	ws_profile_free(back);
	free(m.data);
}

static void profiler(void)
{
	for (unsigned write = WS_WRITE_BACK; write <= WS_WRITE_EVICT; write++) {
		measured(write, "l1.sector=128", 1, WS_RECORD_DEFAULT);
		measured(write, "l1.sector=32", 1, WS_RECORD_DEFAULT);
		measured(write, "l1.sector=64", 0.3, WS_RECORD_DEFAULT);
	}
	measured(WS_WRITE_EVICT, "l1.sector=64", 1, WS_RECORD_DEFAULT | WS_RECORD_COUNTED);
}

/* ---- damage ---------------------------------------------------------------------- */

/* EFORMAT and one sentence. */
static bool refused(const void *data, size_t len)
{
	struct ws_err err = { 0 };
	struct ws_profile *p;
	enum ws_status status = memory_read(&p, data, len, &err);
	bool ok = status == WS_EFORMAT && err.text[0] && !strpbrk(err.text, "\n\r\033");

	ws_profile_free(p);
	return ok;
}

static void damage(struct memory m)
{
	size_t bad = 0, step = 1 + m.len / 1500;
	char *longer = malloc(m.len + 1);

	for (size_t n = 0; n < m.len; n += step)
		bad += !refused(m.data, n);
	test_ok(!bad, "cut at places of %zu bytes: %zu accepted", m.len, bad);
	bad = 0;
	for (size_t i = 0; i < m.len; i += i < 300 ? 1 : step) {
		char was = m.data[i];

		/* Bytes 12 to 15 of the header are spare. */
		m.data[i] = (char)(was ^ (1 << i % 8));
		bad += !refused(m.data, m.len) && (i < 12 || i > 15);
		m.data[i] = (char)~was;
		bad += !refused(m.data, m.len) && (i < 12 || i > 15);
		m.data[i] = was;
	}
	test_ok(!bad, "a byte changed at each place: %zu accepted", bad);
	if (longer) {
		memcpy(longer, m.data, m.len);
		longer[m.len] = 'x';
		test_ok(refused(longer, m.len + 1), "one byte more");
	}
	free(longer);
}

static void versions(struct memory m)
{
	struct ws_err err = { 0 };
	struct ws_profile *p;
	char was = m.data[8];

	m.data[8] = 1;
	test_ok(memory_read(&p, m.data, m.len, &err) == WS_EFORMAT &&
		strstr(err.text, "profile the trace again"), "version 1: %s", err.text);
	for (char other = 2; other <= 5; other++) {
		err = (struct ws_err){ 0 };
		m.data[8] = other;
		if (other != was)
			test_ok(memory_read(&p, m.data, m.len, &err) == WS_EFORMAT,
				"version %d of %d: %s", other, was, err.text);
	}
	m.data[8] = was;
}

/* ---- right checksums, wrong contents ------------------------------------------- */

/* Breaks one rule; false if there is nothing to break it with. */
typedef bool breaker(struct ws_profile *p);

static struct ws_histogram *loads(struct ws_profile *p)
{
	return p->section->geometry[0].kind + WS_LOAD;
}

static struct ws_detail *detail(struct ws_profile *p)
{
	return p->section->geometry[0].detail;
}

static bool sampled(const struct ws_profile *p)
{
	return p->sample_rate < 1;
}

static bool less(struct ws_profile *p)
{
	struct ws_histogram *h = loads(p);

	for (size_t i = 0; i < h->len; i++)
		if (h->distance[i]) {
			h->distance[i]--;
			return true;
		}
	return false;
}

static bool more_cold(struct ws_profile *p)
{
	struct ws_geometry *g = p->section->geometry;

	if (sampled(p) || p->section->geometries < 2 || g[0].line_bytes != g[1].line_bytes)
		return false;
	g[1].kind[WS_STORE].cold++;
	g[1].kind[WS_STORE].requests++;
	return true;
}

static bool all_cold(struct ws_profile *p)
{
	loads(p)->cold = UINT64_MAX;
	return true;
}

static bool all_requests(struct ws_profile *p)
{
	struct ws_histogram *h = loads(p);

	h->uncached += UINT64_MAX - h->requests;
	h->requests = UINT64_MAX;
	return h[WS_STORE].requests;
}

static bool descend(struct ws_profile *p)
{
	struct ws_geometry *g = p->section->geometry;

	if (p->section->geometries < 2)
		return false;
	g[1].line_bytes = g[0].line_bytes;
	g[1].sector_bytes = g[0].sector_bytes;
	g[1].sets = g[0].sets;
	return true;
}

static bool no_sets(struct ws_profile *p)
{
	p->section->geometry[0].sets = 0;
	return true;
}

static bool odd_line(struct ws_profile *p)
{
	p->section->geometry[0].line_bytes = 96;
	return true;
}

static bool odd_sector(struct ws_profile *p)
{
	p->section->geometry[0].sector_bytes = 16;
	return true;
}

static bool other_sets(struct ws_profile *p)
{
	if (p->sections < 2)
		return false;
	p->section[1].geometry[p->section[1].geometries - 1].sets *= 2;
	return true;
}

static bool other_sectors(struct ws_profile *p)
{
	struct ws_geometry *g;

	if (p->sections < 2)
		return false;
	g = p->section[1].geometry + p->section[1].geometries - 1;
	if (g->sector_bytes == WS_SECTOR_BYTES)
		return false;
	g->sector_bytes /= 2;
	return true;
}

static bool other_detail(struct ws_profile *p)
{
	struct ws_geometry *g;

	if (p->sections < 2 || !detail(p))
		return false;
	g = p->section[1].geometry;
	ws_detail_clear(g->detail);
	free(g->detail);
	g->detail = NULL;
	return true;
}

static bool other_counted(struct ws_profile *p)
{
	if (p->sections < 2 || !detail(p) || !detail(p)->counted)
		return false;
	made_drop_counted(detail(p));
	return true;
}

static bool other_sites(struct ws_profile *p)
{
	if (p->sections < 2 || !p->section->sites)
		return false;
	made_drop_sites(p->section + 1);
	return true;
}

static bool heavy(struct ws_profile *p)
{
	struct ws_histogram *h = loads(p);

	if (h->len < 2)
		return false;
	for (size_t i = 0; i < h->len; i++)
		h->distance[i] = h->capacity[i] = 0;
	h->distance[h->len - 2] = h->requests - h->cold - h->uncached;
	h->capacity[h->len - 1] = h->requests - h->cold - h->uncached;
	return true;
}

static bool far(struct ws_profile *p)
{
	struct ws_histogram *h = loads(p);
	uint64_t *distance, lines = h[WS_LOAD].cold + h[WS_STORE].cold;

	if (sampled(p) || h->len == 0 || h->len >= WS_DISTANCE_CELLS - 17 ||
	    ws_cell_first((uint32_t)h->len + 16, WS_DISTANCE_BITS) < lines)
		return false;
	distance = ws_alloc_zero(h->len + 17, sizeof(*distance));
	if (!distance)
		return false;
	memcpy(distance, h->distance, h->len * sizeof(*distance));
	for (size_t i = 0; i < h->len; i++)
		if (distance[i]) {
			distance[i]--;
			break;
		}
	distance[h->len + 16]++;
	free(h->distance);
	h->distance = distance;
	distance = ws_alloc_zero(h->len + 17, sizeof(*distance));
	if (distance)
		memcpy(distance, h->capacity, h->len * sizeof(*distance));
	free(h->capacity);
	h->capacity = distance;
	h->len = distance ? h->len + 17 : 0;
	return distance;
}

static bool sector_less(struct ws_profile *p)
{
	struct ws_histogram *h = p->section->geometry[p->section->geometries - 1].kind;

	if (h->sectors == 0)
		return false;
	h->sectors--;
	return true;
}

static bool flat(struct ws_profile *p)
{
	p->section->grid[1] = 0;
	return true;
}

static bool never(struct ws_profile *p)
{
	p->section->launches = 0;
	return true;
}

static bool twice(struct ws_profile *p)
{
	if (p->sections < 2)
		return false;
	free(p->section[1].kernel);
	p->section[1].kernel = ws_strdup(p->section[0].kernel);
	return p->section[1].kernel;
}

static bool no_sms(struct ws_profile *p)
{
	memset(p->sm, 0, sizeof(p->sm));
	return true;
}

static bool far_sm(struct ws_profile *p)
{
	p->sm[WS_SM_WORDS - 1] = 1ull << 63;
	return true;
}

static bool no_order(struct ws_profile *p)
{
	p->order = WS_ORDERS;
	return true;
}

static bool no_threads(struct ws_profile *p)
{
	p->section->demand.threads = 0;
	return ws_machine_adapts(&p->machine);
}

static bool no_ctas(struct ws_profile *p)
{
	p->section->demand.ctas = 0;
	return ws_machine_adapts(&p->machine);
}

static bool rate_0(struct ws_profile *p)
{
	p->sample_rate = 0;
	return true;
}

static bool rate_nan(struct ws_profile *p)
{
	p->sample_rate = (double)NAN;
	return true;
}

static bool rate_2(struct ws_profile *p)
{
	p->sample_rate = 2;
	return true;
}

static bool sampled_detail(struct ws_profile *p)
{
	p->sample_rate = 0.5;
	return detail(p);
}

static bool site_twice(struct ws_profile *p)
{
	struct ws_site *s = p->section->site;

	if (p->section->sites < 2)
		return false;
	free(s[1].array);
	s[1].array = ws_strdup(s[0].array);
	s[1].kind = s[0].kind;
	return s[1].array;
}

static bool site_kind(struct ws_profile *p)
{
	if (p->section->sites == 0)
		return false;
	p->section->site[p->section->sites - 1].kind = WS_KINDS;
	return true;
}

static bool site_less(struct ws_profile *p)
{
	struct ws_site *s = p->section->site;

	if (p->section->sites == 0 || sampled(p))
		return false;
	s->count.uncached++;
	s->count.requests++;
	return true;
}

/* One of each table of the detail changed by one. */
#define DETAIL_BREAKER(name, ...) \
	static bool name(struct ws_profile *p) \
	{ \
		struct ws_detail *d = detail(p); \
		\
		if (!d) \
			return false; \
		__VA_ARGS__; \
		return true; \
	}
DETAIL_BREAKER(reference, d->references[WS_LOAD][3]++)
DETAIL_BREAKER(reference_kind, d->references[WS_ATOMIC][3]++)
DETAIL_BREAKER(reference_type, d->references[WS_LOAD][WS_TYPE_EVICT]++)
DETAIL_BREAKER(first, d->references[WS_LOAD][WS_TYPE_COLD]++; d->references[WS_LOAD][2]--)
DETAIL_BREAKER(within, d->within[3][4]++)
DETAIL_BREAKER(within_time, d->within[3][4]++; d->time[3]++;
	       d->references[WS_LOAD][3] = d->references[WS_STORE][3] = 0)
DETAIL_BREAKER(within_cold, d->within[WS_TYPE_COLD][4]++; d->time[WS_TYPE_COLD]++)
DETAIL_BREAKER(time_huge, d->time[0] = UINT64_MAX; d->within[0][0] = UINT64_MAX)
DETAIL_BREAKER(previous, d->previous[3][4]++)
DETAIL_BREAKER(previous_evict, d->previous[WS_TYPE_EVICT][4]++)
DETAIL_BREAKER(end_count, d->end_count[2]++)
DETAIL_BREAKER(end_time, d->end_time[2]++)
DETAIL_BREAKER(end_class, d->end_time[20] += 7; d->end_within[20][WS_TYPE_COLD] += 7)
DETAIL_BREAKER(end_last, d->end_previous[1][WS_TYPE_EVICT]++; d->end_count[1]++;
	       d->end_time[1] += 2; d->end_within[1][WS_TYPE_COLD]++)
DETAIL_BREAKER(arrival, d->arrivals[3]++)
DETAIL_BREAKER(fill_first, d->fill[0]++)
DETAIL_BREAKER(fill_later, d->fill[1] = d->fill[0])
DETAIL_BREAKER(fill_none, d->fill[WS_DEPTH_CELLS - 1]++)
DETAIL_BREAKER(retained_type, d->retained[0][WS_TYPE_COLD]++)
DETAIL_BREAKER(retained_many, d->retained[5][7] = UINT64_MAX)
DETAIL_BREAKER(top_many, d->top[WS_RETENTIONS - 1] = UINT64_MAX)
DETAIL_BREAKER(top_fewer, d->top[3]++; d->top[4] = d->top[3] - 1)
DETAIL_BREAKER(reservation_many, d->reservation[2][5] = loads(p)->requests + 1)
DETAIL_BREAKER(reservation_huge, d->reservation[0][1] = d->reservation[0][2] = (uint64_t)1 << 63)

static struct ws_fill_reuses *fill_reuses(struct ws_profile *p)
{
	return detail(p) && detail(p)->fill_reuse[WS_LOAD].count ? detail(p)->fill_reuse : NULL;
}

static bool flight_negative(struct ws_profile *p)
{
	struct ws_fill_reuses *f = fill_reuses(p);

	return f && (f->entry[0].change = -1);
}

static bool flight_many(struct ws_profile *p)
{
	struct ws_fill_reuses *f = fill_reuses(p);

	return f && (f->entry[0].change = INT64_MAX);
}

static bool flight_none(struct ws_profile *p)
{
	struct ws_fill_reuses *f = fill_reuses(p);

	if (!f)
		return false;
	f->entry[f->count - 1].change = 0;
	return true;
}

static bool flight_ways(struct ws_profile *p)
{
	struct ws_fill_reuses *f = fill_reuses(p);

	return f && (f->entry[f->count - 1].ways = 65536 + 4096);
}

static bool flight_cell(struct ws_profile *p)
{
	struct ws_fill_reuses *f = fill_reuses(p);

	return f && (f->entry[f->count - 1].cell = WS_FILL_REUSE_CELLS);
}

static bool flight_atomic(struct ws_profile *p)
{
	struct ws_fill_reuses *f = fill_reuses(p);

	if (!f || !p->section->geometry->kind[WS_ATOMIC].requests)
		return false;
	f[WS_ATOMIC] = f[WS_LOAD];
	f[WS_LOAD] = (struct ws_fill_reuses){ 0 };
	return true;
}

static struct ws_counted *counted(struct ws_profile *p)
{
	struct ws_counted *c = detail(p) ? detail(p)->counted : NULL;

	return c && c->within.count && c->previous.count && c->end_previous.count ? c : NULL;
}

static bool counted_reference(struct ws_profile *p)
{
	return counted(p) && ++counted(p)->references[24];
}

static bool counted_within(struct ws_profile *p)
{
	return counted(p) && ++counted(p)->within.entry->count;
}

static bool counted_previous(struct ws_profile *p)
{
	return counted(p) && counted(p)->previous.entry->count++;
}

static bool counted_end(struct ws_profile *p)
{
	return counted(p) && ++counted(p)->end_previous.entry->count;
}

/* Another class of the same type: the types add up, the windows do not. */
static bool counted_class(struct ws_profile *p)
{
	struct ws_counted *c = counted(p);

	for (size_t i = 0; c && i < WS_COUNT_TYPES; i++)
		if (c->time[i]) {
			c->time[i ^ 1] += c->time[i];
			c->time[i] = 0;
			return true;
		}
	return false;
}

static bool counted_cold(struct ws_profile *p)
{
	struct ws_counted *c = counted(p);

	if (!c || !c->references[8 * WS_TYPE_COLD])
		return false;
	c->references[8 * WS_TYPE_COLD]--;
	c->references[8 * WS_TYPE_COLD + 2]++;
	return true;
}

static const struct {
	const char *what;
	breaker *breaks;
} rules[] = {
	{ "one request less", less },
	{ "more cold at one set count", more_cold },
	{ "cold overflows", all_cold },
	{ "requests overflow", all_requests },
	{ "shapes do not ascend", descend },
	{ "0 sets", no_sets },
	{ "lines of 96 bytes", odd_line },
	{ "sectors of 16 bytes", odd_sector },
	{ "shapes depend on the kernel", other_sets },
	{ "sectors depend on the kernel", other_sectors },
	{ "details depend on the kernel", other_detail },
	{ "count types depend on the kernel", other_counted },
	{ "sites depend on the kernel", other_sites },
	{ "capacity misses where there are no misses", heavy },
	{ "a distance past all lines", far },
	{ "one sector less", sector_less },
	{ "an empty grid", flat },
	{ "no launch", never },
	{ "a kernel twice", twice },
	{ "no SMs", no_sms },
	{ "an SM that is not there", far_sm },
	{ "an order that is not there", no_order },
	{ "a launch of CTAs without threads", no_threads },
	{ "a launch without CTAs", no_ctas },
	{ "a sample of none", rate_0 },
	{ "a sample of no number", rate_nan },
	{ "a sample of twice as many", rate_2 },
	{ "a detail of a sample", sampled_detail },
	{ "a site twice", site_twice },
	{ "a site of no kind", site_kind },
	{ "one request of a site more", site_less },
	{ "a reference more", reference },
	{ "an atomic's reference", reference_kind },
	{ "a load that evicts", reference_type },
	{ "a first reference more", first },
	{ "more within windows", within },
	{ "windows of no reference", within_time },
	{ "windows of first references", within_cold },
	{ "windows overflow", time_huge },
	{ "a previous type more", previous },
	{ "a store before that evicted", previous_evict },
	{ "an end window more", end_count },
	{ "a longer end window", end_time },
	{ "an end window in a wrong class", end_class },
	{ "an end window after an eviction", end_last },
	{ "an arrival more", arrival },
	{ "a reference before the first line", fill_first },
	{ "more references after a later line", fill_later },
	{ "references after a line that does not come", fill_none },
	{ "a frozen first reference", retained_type },
	{ "more frozen references than references", retained_many },
	{ "more top references than references", top_many },
	{ "fewer references to more lines", top_fewer },
	{ "more crowded fetches than loads", reservation_many },
	{ "crowded fetches overflow", reservation_huge },
	{ "fewer than no flights", flight_negative },
	{ "more flights than requests", flight_many },
	{ "a change that is none", flight_none },
	{ "a change beyond 65536 ways", flight_ways },
	{ "a change past the cells", flight_cell },
	{ "an atomic's flight", flight_atomic },
	{ "a counted reference more", counted_reference },
	{ "more within counted windows", counted_within },
	{ "a counted previous more", counted_previous },
	{ "a counted end window more", counted_end },
	{ "counted windows of another class", counted_class },
	{ "a first reference that is not the first", counted_cold },
};

/* True if the profile was refused; *broken counts those that could be broken. */
static bool refuse(struct ws_profile *p, breaker *breaks, int *broken, struct ws_err *err)
{
	struct memory bytes = { NULL, 0 };
	struct ws_profile *back = NULL;
	bool ok = true;

	if (p && p->sections && breaks(p)) {
		bytes = memory_write(p);
		ok = bytes.data && memory_read(&back, bytes.data, bytes.len, err) == WS_EFORMAT;
		++*broken;
	}
	ws_profile_free(back);
	ws_profile_free(p);
	free(bytes.data);
	return ok;
}

/* Each rule is broken in a few profiles that can break it. */
static void wrong_contents(struct ws_rng *rng)
{
	for (size_t i = 0; i < WS_COUNT(rules); i++) {
		struct ws_err err;
		int broken = 0;
		bool ok = true;

		for (int j = 0; j < 400 && broken < 2 && ok; j++) {
			err = (struct ws_err){ 0 };
			ok = refuse(made_profile(rng, NULL), rules[i].breaks, &broken, &err);
		}
		test_ok(ok && broken, "%s: %s", rules[i].what, err.text);
	}
}

/* ---- small files that ask for much --------------------------------------------- */

/* A first block that says it unpacks to 1 GiB. */
static void bomb(void)
{
	struct ws_buf file = { 0 };
	struct ws_err err = { 0 };
	struct ws_profile *p;

	ws_put_bytes(&file, "WSPROF\0\0\2\0\0\0\0\0\0\0", 16);
	ws_put_u32(&file, WS_PMAC);
	ws_put_u32(&file, 0);
	ws_put_u64(&file, 8);
	ws_put_u64(&file, 1u << 30);
	ws_put_u64(&file, 0);
	test_ok(!file.failed && memory_read(&p, file.data, file.len, &err) == WS_EFORMAT &&
		strstr(err.text, "MiB"), "%zu bytes that unpack to 1 GiB: %s", file.len, err.text);
	ws_buf_clear(&file);
}

/* One request at a far distance, at one geometry. */
static void far_geometry(struct ws_geometry *g)
{
	struct ws_histogram *h = g->kind;

	*g = (struct ws_geometry){ .line_bytes = 128, .sector_bytes = 128, .sets = 32 };
	h->requests = 4000000001u;
	h->cold = 4000000000u;
	h->len = WS_DISTANCE_CELLS - 20;
	h->distance = ws_alloc_zero(h->len, sizeof(*h->distance));
	h->capacity = ws_alloc_zero(h->len, sizeof(*h->capacity));
	if (h->distance && h->capacity)
		h->distance[h->len - 1] = h->capacity[0] = 1;
}

/* Many kernels, each of which has little to say of large tables. */
static void hollow(void)
{
	struct ws_profile *p = ws_alloc_zero(1, sizeof(*p)), *back = NULL;
	struct ws_section section = { .kernel = (char[8]){ "" }, .grid = { 1, 1, 1 },
				      .block = { 1, 1, 1 }, .launches = 1, .geometries = 1 };
	struct ws_geometry g;
	struct ws_err err = { 0 };
	struct memory m = { NULL, 0 };
	enum { MANY = 1000 };

	far_geometry(&g);
	section.geometry = &g;
	if (p && memory_machine(&p->machine, &err)) {
		p->sample_rate = 1;
		p->sm[0] = 1;
		p->section = ws_alloc_zero(MANY, sizeof(section));
		p->sections = MANY;
	}
	for (size_t i = 0; p && p->section && i < MANY; i++) {
		p->section[i] = section;
		p->section[i].kernel = ws_alloc(8, 1);
		if (p->section[i].kernel)
			snprintf(p->section[i].kernel, 8, "k%zu", i);
	}
	if (p && p->section)
		m = memory_write(p);
	test_ok(m.data && memory_read(&back, m.data, m.len, &err) == WS_EFORMAT,
		"%zu bytes of far distances: %s", m.len, err.text);
	ws_profile_free(back);
	for (size_t i = 0; p && p->section && i < MANY; i++)
		free(p->section[i].kernel);
	if (p)
		free(p->section);
	free(p);
	free(g.kind->distance);
	free(g.kind->capacity);
	free(m.data);
}

/* ---- the fuzzer's seeds ------------------------------------------------------------- */

static size_t slurp(const char *name, uint8_t *data, size_t max)
{
	char path[512];
	FILE *file;
	size_t len;

	snprintf(path, sizeof(path), CORPUS "/%s", name);
	file = fopen(path, "rb");
	if (!file)
		return 0;
	len = fread(data, 1, max, file);
	fclose(file);
	return len;
}

/* True if it and 200 mutants of it do what any bytes must do. */
static bool seed_ok(uint8_t *data, size_t len, struct ws_rng *rng)
{
	bool ok = memory_try(data, len);

	for (unsigned i = 0; i < 200 && ok; i++) {
		size_t at = ws_rng_below(rng, len);
		uint8_t was = data[at];

		data[at] = (uint8_t)ws_rng_u64(rng);
		ok = memory_try(data, ws_rng_below(rng, 8) ? len : at);
		data[at] = was;
	}
	return ok;
}

static size_t corpus(struct ws_rng *rng)
{
	static uint8_t data[1 << 16];
	DIR *dir = opendir(CORPUS);
	struct dirent *entry;
	size_t files = 0;

	while (dir && (entry = readdir(dir))) {
		const char *name = entry->d_name;
		size_t len = name[0] == '.' ? 0 : slurp(name, data, sizeof(data));
		struct ws_err err = { 0 };
		struct ws_profile *p;

		if (len == 0)
			continue;
		files++;
		test_ok(seed_ok(data, len, rng), "%s and mutants of it", name);
		if (!strncmp(name, "ok-", 3)) {
			test_ok(!memory_read(&p, data, len, &err), "%s is read%s%s", name,
				err.text[0] ? ": " : "", err.text);
			ws_profile_free(p);
		}
	}
	if (dir)
		closedir(dir);
	return files;
}

/* Bytes of a profile with at least one section. */
static struct memory some_bytes(struct ws_rng *rng)
{
	struct memory m = { NULL, 0 };
	struct ws_profile *p = made_profile(rng, NULL);

	while (p && !p->sections) {
		ws_profile_free(p);
		p = made_profile(rng, NULL);
	}
	if (p)
		m = memory_write(p);
	ws_profile_free(p);
	return m;
}

int main(void)
{
	struct memory m;
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(7003));
	round_trips(&rng);
	profiler();
	m = some_bytes(&rng);
	if (test_ok(m.data, "a profile")) {
		versions(m);
		damage(m);
	}
	free(m.data);
	wrong_contents(&rng);
	bomb();
	hollow();
	test_ok(corpus(&rng) >= 3, "the corpus");
	return test_done();
}
