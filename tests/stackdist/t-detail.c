/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-detail.c -- everything a profile records, equal to the reference
 * (tests/ref/profile.h) on random small streams, through the public interface alone.
 *
 * WS_TEST_SEED and WS_TEST_ROUNDS: round i has seed + i, so a failure is repeated by its own
 * seed and one round.
 */
#include "tests/test.h"

#include "tests/ref/places.h"
#include "tests/ref/profile.h"
#include "tests/ref/stack.h"
#include "tests/stackdist/input.h"

/* ---- both profiles ------------------------------------------------------------------ */

/* From `at` on, up to the end of some warp instruction. */
static size_t batch_end(const struct stream *s, size_t at, size_t want)
{
	size_t end = at + want;

	while (end < s->count && s->r[end].follows)
		end++;
	return end < s->count ? end : s->count;
}

static enum ws_status push_launch(struct ws_profiler *p, const struct input *in, size_t l,
				  struct ws_rng *rng, struct ws_err *err)
{
	size_t done[SMS] = { 0 }, left = 0;
	size_t most = one_in(rng, 2) ? 3 : REQUESTS_MAX;
	enum ws_status status;

	for (unsigned sm = 0; sm < SMS; sm++)
		left += in->stream[l][sm].count;
	while (left) {
		unsigned sm = below(rng, SMS);
		const struct stream *s = &in->stream[l][sm];
		size_t end = batch_end(s, done[sm], ws_rng_below(rng, most + 1));

		status = ws_profiler_push(p, sm, s->r ? s->r + done[sm] : NULL, end - done[sm],
					  err);
		if (status)
			return status;
		left -= end - done[sm];
		done[sm] = end;
	}
	return WS_OK;
}

static enum ws_status gather(const struct input *in, struct ws_profile **out, struct ws_err *err)
{
	struct ws_profiler *p = NULL;
	struct ws_rng rng;
	enum ws_status status = ws_profiler_new(&p, &in->machine, &in->options, err);

	ws_rng_seed(&rng, in->batches);
	*out = NULL;
	for (size_t l = 0; l < in->launches && !status; l++) {
		status = ws_profiler_launch(p, in->launch + l, err);
		if (!status)
			status = push_launch(p, in, l, &rng, err);
		if (!status)
			status = ws_profiler_end(p, in->stats + l, err);
	}
	if (!status)
		status = ws_profiler_finish(p, out, err);
	ws_profiler_free(p);
	return status;
}

static struct ws_profile *reference(const struct input *in)
{
	const struct ws_request *request[LAUNCHES][SMS];
	size_t count[LAUNCHES][SMS];
	struct ref_launch launch[LAUNCHES];
	struct ws_profile_options options = in->options;
	struct ws_shape *shape = NULL;
	struct ws_profile *p;

	if (!options.shape && ws_profile_shapes(&in->machine, &shape, &options.shapes, NULL))
		return NULL;
	options.shape = options.shape ? options.shape : shape;
	for (size_t l = 0; l < in->launches; l++) {
		for (unsigned sm = 0; sm < SMS; sm++) {
			request[l][sm] = in->stream[l][sm].r;
			count[l][sm] = in->stream[l][sm].count;
		}
		launch[l] = (struct ref_launch){ .launch = in->launch + l, .stats = in->stats[l],
						 .request = request[l], .count = count[l] };
	}
	p = ref_profile(&in->machine, &options, ws_retained_ways, launch, in->launches);
	free(shape);
	return p;
}

/* Prints what differs. */
static bool as_reference(const struct input *in, bool print)
{
	struct ws_profile *got = NULL, *want = NULL;
	struct ws_err err = { 0 };
	char where[sizeof err.text] = "";
	bool same = false;

	if (gather(in, &got, &err)) {
		snprintf(where, sizeof(where), "%s", err.text);
	} else {
		want = reference(in);
		same = want && ref_profile_same(got, want, where, sizeof(where));
		ref_profile_free(want);
	}
	ws_profile_free(got);
	if (!same && print)
		print_input(in);
	if (!same)
		printf("# %s\n", where);
	return same;
}

/* ---- the reference against itself ---------------------------------------------------------- */

static bool same_places(const struct ref_access *a, const struct ref_access *b)
{
	bool same = a->distance == b->distance && a->type == b->type && a->asked == b->asked &&
		    a->position == b->position;

	for (unsigned s = 0; s < REF_SECTORS_MAX; s++)
		same = same && (!(a->asked >> s & 1) || a->m[s] == b->m[s]);
	return same;
}

/* The list and its rules, caches of every number of ways, and those of tests/ref/stack.h. */
static bool places_agree(struct ws_rng *rng)
{
	struct ref_access list[REQUESTS_MAX], cache[REQUESTS_MAX];
	uint32_t distance[REQUESTS_MAX];
	struct input in;
	struct stream *s = &in.stream[0][0];
	bool same = true;

	some_input(rng, &in, 1);
	ref_listed(&in.machine.l1, s->r, s->count, list);
	same = ref_simulated(&in.machine.l1, LINES_MAX, s->r, s->count, cache) &&
	       ref_distances(&in.machine.l1, LINES_MAX, s->r, s->count, distance);
	for (size_t i = 0; i < s->count; i++)
		same = same && same_places(list + i, cache + i) && list[i].distance == distance[i];
	if (!same)
		print_input(&in);
	input_clear(&in);
	return same;
}

/* What the changes of the machine's own shape say of `ways` ways, as a cache of them has it. */
static bool intervals_agree(const struct input *in, const struct ws_detail *d, unsigned ways)
{
	const struct stream *s = &in->stream[0][0];
	int64_t left[WS_KINDS][WS_FILL_REUSE_CELLS] = { 0 };
	uint64_t cycles[REQUESTS_MAX];
	bool same = true;

	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		for (size_t i = 0; i < d->fill_reuse[kind].count; i++)
			if (d->fill_reuse[kind].entry[i].ways <= ways)
				left[kind][d->fill_reuse[kind].entry[i].cell] +=
					d->fill_reuse[kind].entry[i].change;
	ref_intervals(&in->machine.l1, ways, s->r, s->count, cycles);
	for (size_t i = 0; i < s->count; i++)
		if (cycles[i] <= WS_FILL_REUSE_MAX)
			left[s->r[i].kind][ws_cell((uint32_t)cycles[i], WS_FILL_REUSE_BITS)]--;
	for (unsigned i = 0; i < WS_KINDS * WS_FILL_REUSE_CELLS; i++)
		same = same && left[i / WS_FILL_REUSE_CELLS][i % WS_FILL_REUSE_CELLS] == 0;
	return same;
}

static bool flights_agree(struct ws_rng *rng)
{
	struct input in;
	struct ws_profile *p;
	bool same = true;

	some_input(rng, &in, 1);
	in.launches = in.options.shapes = in.options.sm[0] = 1;
	in.options.record = WS_RECORD_DETAIL;
	in.options.shape = in.shape;
	in.shape[0] = (struct ws_shape){ in.machine.l1.line_bytes, in.machine.l1.sets };
	p = reference(&in);
	for (unsigned ways = 1; ways <= LINES_MAX && same; ways++)
		same = intervals_agree(&in, p->section->geometry->detail, ways);
	if (!same)
		print_input(&in);
	ref_profile_free(p);
	input_clear(&in);
	return same;
}

static uint64_t sum(const uint64_t *array, size_t len)
{
	uint64_t total = 0;

	for (size_t i = 0; i < len; i++)
		total += array[i];
	return total;
}

static bool adds_up(const struct ws_geometry *g)
{
	const struct ws_detail *d = g->detail;
	uint64_t references = sum(d->references[0], WS_KINDS * WS_TYPES), cold = 0, ends = 0;
	bool ok = true;

	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		const struct ws_histogram *h = g->kind + kind;

		ok = ok && h->cold + h->uncached + sum(h->distance, h->len) == h->requests &&
		     sum(h->capacity, h->len) == sum(h->distance, h->len) &&
		     h->sector_cold + h->sector_uncached + sum(h->sector, h->sector_len) ==
		     h->sectors;
		cold += d->references[kind][WS_TYPE_COLD];
	}
	for (unsigned i = 0; i < WS_TYPES; i++) {
		uint64_t n = 0, following = 0;

		for (unsigned kind = 0; kind < WS_KINDS; kind++)
			n += d->references[kind][i];
		for (unsigned j = 0; j < WS_TYPES; j++)
			following += d->previous[j][i];
		ok = ok && (i == WS_TYPE_COLD || i == WS_TYPE_RELOAD ?
			    d->time[i] == 0 && following == 0 :
			    sum(d->within[i], WS_TYPES) == d->time[i] - n && following == n);
	}
	for (unsigned c = 0; c < WS_END_CLASSES; c++) {
		ok = ok && sum(d->end_within[c], WS_TYPES) == d->end_time[c] - d->end_count[c] &&
		     sum(d->end_previous[c], WS_TYPES) == d->end_count[c];
		ends += d->end_count[c];
	}
	return ok && sum(d->arrivals, WS_DEPTH_CELLS) == cold && ends <= cold &&
	       references >= cold;
}

static bool identities(struct ws_rng *rng)
{
	struct input in;
	struct ws_profile *p;
	bool ok = true;

	some_input(rng, &in, 1);
	in.options.record |= WS_RECORD_DETAIL;
	p = reference(&in);
	for (size_t s = 0; s < p->sections; s++)
		for (size_t g = 0; g < p->section[s].geometries; g++)
			ok = ok && adds_up(p->section[s].geometry + g);
	if (!ok)
		print_input(&in);
	ref_profile_free(p);
	input_clear(&in);
	return ok;
}

static void reference_holds(uint64_t seed)
{
	const int rounds = 100;
	int same = 0, fill_reuses = 0, add = 0;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	while (same < rounds && places_agree(&rng))
		same++;
	test_ok(same == rounds, "%d streams: the list as caches of every number of ways", same);
	while (fill_reuses < rounds && flights_agree(&rng))
		fill_reuses++;
	test_ok(fill_reuses == rounds, "%d streams: fetches as in those caches", fill_reuses);
	while (add < rounds && identities(&rng))
		add++;
	test_ok(add == rounds, "%d references add up", add);
}

/* ---- the tests ------------------------------------------------------------------------------ */

static uint64_t rounds_asked(uint64_t fallback)
{
	const char *text = getenv("WS_TEST_ROUNDS");
	uint64_t rounds = fallback;

	return text && !ws_parse_u64(text, &rounds) ? fallback : rounds;
}

static void at_random(uint64_t seed)
{
	uint64_t rounds = rounds_asked(200), same = 0, streams = 0;
	struct ws_rng rng;

	for (; same < rounds; same++) {
		struct input in;
		bool ok;

		ws_rng_seed(&rng, seed + same);
		some_input(&rng, &in, (seed + same) % 100 == 99 ? 20 : 1);
		ok = as_reference(&in, true);
		for (size_t l = 0; l < in.launches; l++)
			for (unsigned sm = 0; sm < SMS; sm++)
				streams += in.options.shapes * (in.stream[l][sm].count > 0);
		input_clear(&in);
		if (!ok) {
			printf("# WS_TEST_SEED=%llu WS_TEST_ROUNDS=1\n",
			       (unsigned long long)(seed + same));
			break;
		}
	}
	test_ok(same == rounds, "%llu profiles, %llu streams in their geometries: every field",
		(unsigned long long)same, (unsigned long long)streams);
}

static struct input plain(uint64_t seed, enum ws_write write, const char *hash)
{
	struct input in = { .machine = { .sm_count = SMS, .l1_parts = 1, .coalesce_line = 128 },
			    .launches = 1,
			    .batches = seed };

	in.machine.l1 = (struct ws_cache){ .sets = 1, .ways = 4, .line_bytes = 128,
					   .sector_bytes = 128, .hash = ws_hash_find(hash),
					   .write = write };
	in.options = (struct ws_profile_options){ .threads = 2, .record = WS_RECORD_DEFAULT };
	return in;
}

/* Deep stacks: cells beyond 2^WS_DEPTH_BITS, most types, invalid ways and lifted lines far down. */
static void deep(uint64_t seed, enum ws_write write, size_t count, unsigned lines)
{
	struct input in = plain(seed, write, "xor");
	struct some pattern = { .lines = lines, .again = 3, .stride = 1, .jump = 50 };
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	in.options.shape = in.shape;
	in.options.shapes = 2;
	in.shape[0] = (struct ws_shape){ 128, 1 };
	in.shape[1] = (struct ws_shape){ 256, 2 };
	in.machine.l1.sector_bytes = write == WS_WRITE_BACK ? 32 : 128;
	some_launch(&rng, 0, in.launch, in.stats);
	some_stream(&rng, &in.machine, in.launch, &pattern, &in.stream[0][1], count);
	test_ok(as_reference(&in, false), "%s: %zu requests of %u lines in one set",
		writes[write], count, lines);
	input_clear(&in);
}

/* More requests than are worked off at once, of several SMs. */
static void lengthy(uint64_t seed, size_t count, unsigned lines)
{
	struct input in = plain(seed, WS_WRITE_EVICT, "modulo");
	struct some pattern = { .lines = lines, .again = 2, .stride = 1, .jump = 50 };
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	in.options.shape = in.shape;
	in.options.shapes = 2;
	in.shape[0] = (struct ws_shape){ 128, 1 };
	in.shape[1] = (struct ws_shape){ 64, 7 };
	some_launch(&rng, 0, in.launch, in.stats);
	for (unsigned sm = 0; sm < SMS; sm++)
		some_stream(&rng, &in.machine, in.launch, &pattern, &in.stream[0][sm],
			    count + 1000 * sm);
	test_ok(as_reference(&in, false), "%zu requests of each SM", count);
	input_clear(&in);
}

/* Cells and bins by what is said of them: they begin at their first value, go on to the next
 * one's, and from some value on are so many to the octave. */
static void cells(void)
{
	bool ok = true;

	for (uint32_t x = 0; x < 1u << 20 && ok; x++) {
		uint32_t d = ws_cell(x, WS_DISTANCE_BITS), k = ws_cell(x, WS_DEPTH_BITS);
		unsigned b = ws_bin(x);

		ok = ws_cell_first(d, WS_DISTANCE_BITS) <= x &&
		     x < ws_cell_first(d + 1, WS_DISTANCE_BITS) &&
		     ws_cell_first(k, WS_DEPTH_BITS) <= x &&
		     x < ws_cell_first(k + 1, WS_DEPTH_BITS) && ws_bin_first(b) <= x &&
		     (b + 1 == WS_BINS || x < ws_bin_first(b + 1));
	}
	test_ok(ok, "cells and bins hold their values");
	test_ok(ws_cell(65535, 16) == 65535 && ws_cell(131072, 16) == 65536 + 16 &&
		ws_cell(131072 + 8192, 16) == 65536 + 17 &&
		ws_cell((1u << 28) - 1, 10) == WS_DEPTH_CELLS - 1 &&
		ws_cell_first(65536 + 16, 16) == 131072, "cells");
	test_ok(ws_bin(7) == 7 && ws_bin(8) == 8 && ws_bin(10) == 9 && ws_bin(16) == 12 &&
		ws_bin(65535) == 59 && ws_bin(65536) == 60 && ws_bin_first(60) == 65536, "bins");
	test_ok(ws_cell(WS_FILL_REUSE_MAX, WS_FILL_REUSE_BITS) == WS_FILL_REUSE_CELLS - 1 &&
		ws_cell(65536, WS_FILL_REUSE_WAYS_BITS) == WS_FILL_REUSE_WAYS, "intervals");
}

/* N lines in a cycle, twice, in one set: beyond what the reference can do, but known. */
static void cycle(void)
{
	enum { N = 70000 };
	const uint64_t half = (uint64_t)N * (N - 1) / 2;
	struct input in = plain(1, WS_WRITE_BACK, "modulo");
	struct ws_profile *p = NULL;
	struct ws_err err = { 0 };
	struct ws_rng rng;

	ws_rng_seed(&rng, 1);
	in.options.shape = in.shape;
	in.options.shapes = 1;
	in.options.record = WS_RECORD_DETAIL;
	in.shape[0] = (struct ws_shape){ 128, 1 };
	some_launch(&rng, 0, in.launch, in.stats);
	in.stream[0][0] = (struct stream){ ws_alloc_zero(2 * N, sizeof(struct ws_request)), 2 * N };
	for (size_t i = 0; i < 2 * N && in.stream[0][0].r; i++)
		in.stream[0][0].r[i] = (struct ws_request){ .address = i % N * 128, .sectors = 1 };
	if (test_ok(in.stream[0][0].r && !gather(&in, &p, &err), "a cycle of %d lines %s", N,
		    err.text)) {
		const struct ws_histogram *h = p->section->geometry->kind;
		const struct ws_detail *d = p->section->geometry->detail;

		test_ok(h->cold == N && h->len == 65538 && h->distance[65537] == N &&
			h->capacity[65537] == N, "distances of 69999");
		test_ok(d->references[WS_LOAD][60] == N &&
				d->references[WS_LOAD][WS_TYPE_COLD] == N,
			"types");
		test_ok(d->time[60] == (uint64_t)N * N && d->within[60][WS_TYPE_COLD] == half &&
			d->within[60][60] == half && d->previous[WS_TYPE_COLD][60] == N, "windows");
		test_ok(sum(d->end_count, WS_END_CLASSES) == N && d->end_count[0] == 1 &&
			d->end_count[1] == 2 && d->end_count[16] == N - 65535 &&
			sum(d->end_time, WS_END_CLASSES) == half + N &&
			sum(d->end_within[0], WS_END_CLASSES * WS_TYPES) == half, "end windows");
		test_ok(d->arrivals[1023] == 1 && d->arrivals[1024] == 64 &&
			d->fill[1024] == 64u * (2u * N - 1025) - 63 * 64 / 2, "arrivals and fill");
		test_ok(sum(d->retained[0], WS_RETENTIONS * WS_TYPES) == 0 &&
				d->top[WS_RETENTIONS - 1] ==
					ws_retained_ways[WS_RETENTIONS - 1] - 1,
			"lines");
		test_ok(!d->fill_reuse[WS_LOAD].count, "fetches beyond 65536 ways are left out");
	}
	ws_profile_free(p);
	input_clear(&in);
}

/* Is (line, sets) listed, once? */
static bool listed(const struct ws_shape *shape, size_t count, uint64_t line, uint64_t sets)
{
	size_t times = 0;

	for (size_t i = 0; i < count; i++)
		times += shape[i].line_bytes == line && shape[i].sets == sets;
	return times == 1;
}

static void default_shapes(const char *hash, uint64_t line, uint64_t sets, size_t expected)
{
	struct ws_machine m = { .sm_count = 1, .l1_parts = 1, .coalesce_line = 128,
				.l1 = { .sets = sets, .ways = 4, .line_bytes = line,
					.sector_bytes = 32, .hash = ws_hash_find(hash),
					.hash_low = 7, .hash_high = 8 } };
	const uint64_t lines[] = { 32, 128, line };
	struct ws_shape *shape = NULL;
	size_t count = 0, wanted = 0;
	bool ok = !ws_profile_shapes(&m, &shape, &count, NULL);

	for (size_t l = 0; l < (line == 32 || line == 128 ? 2 : 3); l++)
		for (uint64_t n = sets * line / lines[l], s = n / 4; s <= 4 * n; s *= 2)
			if (takes(&m, lines[l], s)) {
				ok = ok && listed(shape, count, lines[l], s);
				wanted++;
			}
	for (size_t l = 0; l < 3; l++)
		ok = ok && listed(shape, count, lines[l], 1);
	wanted += line == 32 || line == 128 ? 2 : 3;
	test_ok(ok && count == wanted && wanted == expected,
		"%s, %llu B x %llu: %zu shapes by default", hash, (unsigned long long)line,
		(unsigned long long)sets, count);
	free(shape);
}

int main(void)
{
	uint64_t seed = test_seed(7201);

	cells();

	default_shapes("modulo", 128, 32, 12);
	default_shapes("modulo", 256, 24, 18);
	default_shapes("xor", 32, 128, 12);
	default_shapes("ipoly", 128, 1024, 10);
	default_shapes("ipoly", 128, 2048, 8);
	reference_holds(seed);
	at_random(seed);
	for (unsigned write = WS_WRITE_BACK; write <= WS_WRITE_EVICT; write++)
		deep(seed + write, (enum ws_write)write, 3000, 1500);
	lengthy(seed, 24000, 60);
	cycle();
	return test_done();
}
