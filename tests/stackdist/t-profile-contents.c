/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-profile-contents.c -- a profile file whose checksums are right and whose
 * contents are not is refused, whichever of the rules in warpstack-profile(5) it breaks.
 */
#include "tests/test.h"

#include "stackdist/file/file.h"
#include "tests/stackdist/made.h"

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
	ws_detail_free(g->detail);
	g->detail = NULL;
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
	distance = ws_alloc_zero(h->len + 17, sizeof *distance);
	if (!distance)
		return false;
	memcpy(distance, h->distance, h->len * sizeof *distance);
	for (size_t i = 0; i < h->len; i++)
		if (distance[i]) {
			distance[i]--;
			break;
		}
	distance[h->len + 16]++;
	free(h->distance);
	h->distance = distance;
	distance = ws_alloc_zero(h->len + 17, sizeof *distance);
	if (distance)
		memcpy(distance, h->capacity, h->len * sizeof *distance);
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
	memset(p->sm, 0, sizeof p->sm);
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

int main(void)
{
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(7003));
	wrong_contents(&rng);
	return test_done();
}
