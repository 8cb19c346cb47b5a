/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/study/t-advise.c -- changed traces and samples against their definition, element by
 * element; accesses past the L1 against a machine without one.
 */
#include "study/advise/private.h"
#include "tests/test.h"
#include "trace/import.h"

#include <math.h>

#define ROWS 24u
#define PITCH 256u
#define LANES 64u
#define CTAS 6u
#define STEPS 20u
#define BASE UINT64_C(0x10000)

static void must(bool ok, const char *why)
{
	if (ok)
		return;
	printf("Bail out! %s\n", why);
	exit(1);
}

/* Loads and stores of floats of one array of ROWS rows, by lanes drawn at random: the first warp
 * instruction touches both ends. */
static struct ws_trace *random_trace(struct ws_rng *rng)
{
	const struct ws_built_launch launch = { .kernel = "k", .grid = { 3, 2, 1 },
						.block = { 16, 4, 1 }, .warp_width = 32 };
	struct ws_builder *b = NULL;
	struct ws_trace *t = NULL;
	struct ws_out out = { 0 };
	struct ws_err err = { 0 };

	must(!ws_out_temporary(&out, &err) && !ws_builder_new(&b, &out, true, &err) &&
	     !ws_builder_launch(b, &launch, &err), err.text);
	for (uint64_t cta = 0; cta < CTAS; cta++)
		for (uint32_t step = 0; step < STEPS; step++)
			for (uint32_t warp = 0; warp < 2; warp++) {
				uint64_t address[32], lanes = ws_rng_u64(rng) & 0xffffffffu;
				struct ws_built_access a = {
					.cta = cta, .warp = warp, .pc = step + 1, .bytes = 4,
					.kind = step % 3 ? WS_LOAD : WS_STORE, .address = address,
					.lanes = lanes | 3 };

				for (unsigned i = 0; i < 32; i++)
					address[i] = BASE + 4 * ws_rng_below(rng, ROWS * PITCH / 4);
				address[0] = BASE;
				address[1] = BASE + ROWS * PITCH - 4;
				must(!ws_builder_access(b, &a, &err), err.text);
			}
	must(!ws_builder_end(b, &err) && !ws_trace_open_written(&t, &out, "random", &err),
	     err.text);
	ws_builder_free(b);
	ws_out_abort(&out);
	return t;
}

/* ---- every access of a CTA, by lane ---------------------------------------------------- */

struct accesses {
	uint64_t address[STEPS * 2 + 1];
	size_t count;
};

static void read_cta(const struct ws_trace *t, uint64_t cta, struct accesses lane[LANES])
{
	struct ws_decoder *d = NULL;
	struct ws_step step;
	struct ws_err err = { 0 };
	bool more = true;

	memset(lane, 0, LANES * sizeof *lane);
	must(!ws_decoder_new(&d, t, 0, &err) && !ws_decoder_seek(d, cta, &err), err.text);
	while (!ws_decoder_next(d, &step, &more, &err) && more)
		for (size_t l = 0; l < LANES; l++)
			for (uint32_t i = 0; step.mask[0] >> l & 1 &&
			     i < ws_trace_launch(t, 0)->segment[step.segment].count; i++)
				lane[l].address[lane[l].count++] = step.address[i][l];
	ws_decoder_free(d);
}

static uint64_t plain(uint64_t at)
{
	return at;
}

static uint64_t padded(uint64_t at)
{
	return at + at / PITCH * 128;
}

static uint64_t rows;	/* of the array, as it was inferred */

/* Row and column change places. */
static uint64_t transposed(uint64_t at)
{
	uint64_t row = at / PITCH, column = at % PITCH / 4;

	return (column * rows + row) * 4 + at % 4;
}

/* Lane and CTA of (x, y) in a block and a grid of other widths. */
static uint64_t across(uint64_t i, uint64_t width, uint64_t height)
{
	return i % width * height + i / width;
}

static bool same_but(const struct ws_trace *a, const struct ws_trace *b, uint64_t (*map)(uint64_t),
		     bool swapped)
{
	static struct accesses x[LANES], y[LANES];
	uint64_t from = ws_trace_launch(a, 0)->array[0].base,
		 to = ws_trace_launch(b, 0)->array[0].base;
	bool same = true;

	for (uint64_t cta = 0; cta < CTAS; cta++) {
		read_cta(a, cta, x);
		read_cta(b, swapped ? across(cta, 3, 2) : cta, y);
		for (uint64_t l = 0; l < LANES; l++) {
			const struct accesses *other = &y[swapped ? across(l, 16, 4) : l];

			same = same && x[l].count == other->count;
			for (size_t i = 0; i < x[l].count && same; i++)
				same = other->address[i] == to + map(x[l].address[i] - from);
		}
	}
	return same;
}

static struct ws_trace *changed(const struct ws_trace *t, const struct ws_change *change)
{
	struct ws_trace *out = NULL;
	struct ws_err err = { 0 };

	must(!ws_rewrite(&out, t, "k", change, &err), err.text);
	return out;
}

static void check_changes(const struct ws_trace *t)
{
	const struct {
		struct ws_change change;
		uint64_t (*map)(uint64_t);
		const char *what;
	} row[] = {
		{ { .shift = 0 }, plain, "nothing is changed" },
		{ { .shift = 7 }, plain, "arrays lie elsewhere" },
		{ { .lanes = WS_LANES_SWAPPED }, plain, "x and y change places" },
		{ { .remap = { .row = PITCH, .pad = 128 } }, padded, "rows are padded" },
		{ { .remap = { .row = PITCH, .element = 4 } }, transposed, "transposed" },
	};

	for (size_t i = 0; i < WS_COUNT(row); i++) {
		struct ws_trace *u = changed(t, &row[i].change);

		test_ok(same_but(t, u, row[i].map, row[i].change.lanes == WS_LANES_SWAPPED), "%s",
			row[i].what);
		ws_trace_close(u);
	}
}

/* Sorted lanes are a permutation, by falling numbers of steps. */
static void check_sorted(const struct ws_trace *t)
{
	static struct accesses x[LANES], y[LANES];
	const struct ws_change change = { .lanes = WS_LANES_SORTED };
	struct ws_trace *u = changed(t, &change);
	bool falls = true, there = true;

	for (uint64_t cta = 0; cta < CTAS; cta++) {
		bool taken[LANES] = { false };

		read_cta(t, cta, x);
		read_cta(u, cta, y);
		for (size_t l = 0; l < LANES; l++) {
			size_t from = 0;

			falls = falls && (!l || y[l].count <= y[l - 1].count);
			while (from < LANES && (taken[from] ||
						memcmp(&x[from], &y[l], sizeof *x) != 0))
				from++;
			there = there && from < LANES;
			if (from < LANES)
				taken[from] = true;
		}
	}
	test_ok(falls, "work-items that take longer come first");
	test_ok(there, "every work-item is there, with its accesses");
	ws_trace_close(u);
}

/* ---- past the L1 ---------------------------------------------------- */

static const bool *all_past(void *context, size_t launch)
{
	static bool past[4096];

	(void)context;
	(void)launch;
	memset(past, 1, sizeof past);
	return past;
}

static void check_past(const struct ws_trace *t, const char *write)
{
	struct ws_cycle_options o = { .seed = 1, .threads = 1 };
	struct ws_cycle_result *r[2] = { NULL, NULL };
	struct ws_cycle_counts l2[2][WS_KINDS + 1];
	struct ws_machine m, none;
	struct ws_err err = { 0 };
	size_t launches[2];
	char set[64];

	snprintf(set, sizeof set, "l1.write=%s", write);
	must(!ws_machine_load(&m, "gtx480", &err) && !ws_machine_set(&m, set, &err) &&
	     !ws_machine_check(&m, &err), err.text);
	none = m;
	must(!ws_machine_set(&none, "l1.size=0", &err) && !ws_machine_check(&none, &err), err.text);
	must(!ws_cycles_run(&r[0], &launches[0], t, &none, &o, &err), err.text);
	o.past = all_past;
	must(!ws_cycles_run(&r[1], &launches[1], t, &m, &o, &err), err.text);
	for (unsigned i = 0; i < 2; i++)
		ws_cycle_l2(r[i], l2[i]);
	test_ok(r[0]->cycles == r[1]->cycles && memcmp(l2[0], l2[1], sizeof l2[0]) == 0,
		"%s, all past the L1: as without one", write);
	for (unsigned i = 0; i < 2; i++)
		ws_cycle_results_free(r[i], launches[i]);
}

/* ---- samples --------------------------------------------------------- */

/* One SM of three has the CTAs 0 and 3 of 0 to 5. */
static void check_sample(const struct ws_trace *t)
{
	const char *const set[] = { "sm.count=3", "l2.slices=6", "dram.channels=3" };
	static struct accesses x[LANES], y[LANES];
	struct ws_sample sample;
	struct ws_machine m;
	struct ws_err err = { 0 };
	bool same = true;

	must(!ws_machine_load(&m, "gtx480", &err), err.text);
	for (size_t i = 0; i < WS_COUNT(set); i++)
		must(!ws_machine_set(&m, set[i], &err), err.text);
	must(!ws_machine_check(&m, &err) && !ws_sample_make(&sample, t, "k", &m, 1, &err) &&
	     sample.trace, err.text);
	for (uint64_t cta = 0; cta < 2; cta++) {
		read_cta(t, 3 * cta, x);
		read_cta(sample.trace, cta, y);
		same = same && memcmp(x, y, sizeof x) == 0;
	}
	test_ok(same && ws_trace_launch(sample.trace, 0)->ctas == 2, "a sample's CTAs");
	test_ok(sample.machine.sm_count == 1 && sample.machine.l2_slices == 2 &&
		sample.machine.dram_channels == 1 &&
		sample.machine.l2.size_bytes * 3 == m.l2.size_bytes, "a sample's machine");
	test_ok(fabs(sample.weight[0] - 1) < 1e-12 && fabs(sample.times - 3) < 1e-12 &&
		fabs(sample.share - 1.0 / 3) < 1e-12, "what a sample stands for");
	ws_sample_clear(&sample);
	must(!ws_sample_make(&sample, t, "k", &m, 1e9, &err), err.text);
	test_ok(!sample.trace, "little is not sampled");
	ws_sample_clear(&sample);
}

/* ---- work-items sorted over the grid ------------------------------------------ */

#define PLACES (CTAS * LANES)

/* A launch of CTAS with LANES each, in a temporary file. */
static struct ws_builder *begin_launch(struct ws_out *out)
{
	const struct ws_built_launch launch = { .kernel = "k", .grid = { CTAS, 1, 1 },
						.block = { LANES, 1, 1 }, .warp_width = 32 };
	struct ws_builder *b = NULL;
	struct ws_err err = { 0 };

	must(!ws_out_temporary(out, &err) && !ws_builder_new(&b, out, true, &err) &&
	     !ws_builder_launch(b, &launch, &err), err.text);
	return b;
}

/* Each work-item loads its own element, then as many words of a table as is drawn for it. */
static struct ws_trace *loops_trace(struct ws_rng *rng, size_t turns[PLACES])
{
	struct ws_trace *t = NULL;
	struct ws_out out = { 0 };
	struct ws_err err = { 0 };
	struct ws_builder *b = begin_launch(&out);

	for (size_t i = 0; i < PLACES; i++)
		turns[i] = ws_rng_below(rng, STEPS);
	for (uint32_t step = 0; step <= STEPS; step++)
		for (size_t first = 0; first < PLACES; first += 32) {
			uint64_t address[32], lanes = 0;
			struct ws_built_access a = {
				.cta = first / LANES, .warp = first % LANES / 32, .pc = step + 1,
				.bytes = 4, .kind = WS_LOAD, .address = address };

			for (unsigned i = 0; i < 32; i++) {
				lanes |= (uint64_t)(!step || step <= turns[first + i]) << i;
				address[i] = BASE + (step ? 65536 + 4 * step : 4 * (first + i));
			}
			a.lanes = lanes;
			if (lanes)
				must(!ws_builder_access(b, &a, &err), err.text);
		}
	must(!ws_builder_end(b, &err) && !ws_trace_open_written(&t, &out, "loops", &err), err.text);
	ws_builder_free(b);
	ws_out_abort(&out);
	return t;
}

static void check_regrouped(struct ws_rng *rng)
{
	static struct accesses lane[LANES];
	size_t turns[PLACES], had[STEPS] = { 0 }, last = STEPS;
	struct ws_trace *t = loops_trace(rng, turns), *u = NULL;
	struct ws_err err = { 0 };
	bool falls = true, own = true, same = true;

	must(!ws_regroup(&u, t, WS_WAYS_LONG_FIRST, &err) && u, err.text);
	for (size_t i = 0; i < PLACES; i++)
		had[turns[i]]++;
	for (size_t i = 0; i < PLACES; i++) {
		if (i % LANES == 0)
			read_cta(u, i / LANES, lane);
		falls = falls && lane[i % LANES].count - 1 <= last;
		last = lane[i % LANES].count - 1;
		same = same && had[last]-- > 0;
		own = own && lane[i % LANES].address[0] == BASE + 4 * i;
	}
	test_ok(falls && same, "work-items of the grid by falling numbers of steps");
	test_ok(own, "what their numbers index moves with them");
	ws_trace_close(u);
	ws_trace_close(t);
}

/* ---- pieces ---------------------------------------------------------- */

#define PASSES 3u
#define CHUNKS 8u	/* of a pass */
#define ELSEWHERE UINT64_C(0x4000000)

static void add_access(struct ws_builder *b, enum ws_kind kind, uint64_t cta, uint64_t at)
{
	struct ws_err err = { 0 };

	for (uint32_t warp = 0; warp < 2; warp++) {
		uint64_t address[32];
		struct ws_built_access a = { .cta = cta, .warp = warp, .pc = kind == WS_LOAD,
					     .bytes = 4, .kind = (uint8_t)kind, .address = address,
					     .lanes = 0xffffffffu };

		for (unsigned i = 0; i < 32; i++)
			address[i] = at + 4 * (32 * warp + i);
		must(!ws_builder_access(b, &a, &err), err.text);
	}
}

/* Each CTA reads its chunks in passes, and stores after each pass. */
static struct ws_trace *passes_trace(void)
{
	struct ws_trace *t = NULL;
	struct ws_out out = { 0 };
	struct ws_err err = { 0 };
	struct ws_builder *b = begin_launch(&out);

	for (uint64_t cta = 0; cta < CTAS; cta++)
		for (uint64_t p = 0; p < PASSES; p++) {
			for (uint64_t c = 0; c < CHUNKS; c++)
				add_access(b, WS_LOAD, cta, BASE + (cta * CHUNKS + c) * 256);
			add_access(b, WS_STORE, cta, ELSEWHERE + (cta * PASSES + p) * 256);
		}
	must(!ws_builder_end(b, &err) && !ws_trace_open_written(&t, &out, "passes", &err),
	     err.text);
	ws_builder_free(b);
	ws_out_abort(&out);
	return t;
}

/* All passes over a piece, then over the next; what is stored between passes stands before each
 * part of the second that is executed, or before the first alone. */
static void expect_pieces(struct accesses *e, uint64_t cta, uint64_t pieces, bool again)
{
	e->count = 0;
	for (uint64_t k = 0; k < pieces; k++)
		for (uint64_t p = 0; p < PASSES; p++) {
			if (p && (!k || again))
				e->address[e->count++] = ELSEWHERE + (cta * PASSES + p - 1) * 256;
			for (uint64_t c = k * CHUNKS / pieces; c < (k + 1) * CHUNKS / pieces; c++)
				e->address[e->count++] = BASE + (cta * CHUNKS + c) * 256;
		}
	e->address[e->count++] = ELSEWHERE + (cta * PASSES + PASSES - 1) * 256;
}

static void check_pieces(const struct ws_trace *t, uint32_t pieces, bool again)
{
	static struct accesses got[LANES];
	struct ws_change change = { .pieces = pieces, .again = again };
	const struct ws_array *array = ws_trace_launch(t, 0)->array;
	struct ws_trace *u;
	bool same = true;

	snprintf(change.pieced, sizeof change.pieced, "%s",
		 array[array[0].base > array[1].base].name);
	u = changed(t, &change);
	for (uint64_t cta = 0; cta < CTAS; cta++) {
		struct accesses e;

		read_cta(u, cta, got);
		expect_pieces(&e, cta, pieces, again);
		for (size_t l = 0; l < LANES; l++) {
			same = same && got[l].count == e.count;
			for (size_t i = 0; i < e.count && same; i++)
				same = got[l].address[i] == e.address[i] + 4 * l;
		}
	}
	test_ok(same, "%u pieces%s", (unsigned)pieces,
		again ? ", what stands between passes once a piece" : "");
	ws_trace_close(u);
}

int main(void)
{
	struct ws_rng rng;
	struct ws_trace *t;

	ws_rng_seed(&rng, test_seed(1));
	t = random_trace(&rng);
	rows = (ws_trace_launch(t, 0)->array[0].bytes + PITCH - 1) / PITCH;
	check_changes(t);
	check_sorted(t);
	check_sample(t);
	check_regrouped(&rng);
	ws_trace_close(t);
	t = passes_trace();
	for (uint32_t pieces = 2; pieces <= CHUNKS; pieces *= 2)
		for (int again = 0; again < 2; again++)
			check_pieces(t, pieces, again);
	ws_trace_close(t);
	t = random_trace(&rng);
	for (unsigned i = 0; i < WS_WRITES; i++)
		check_past(t, ws_write_names[i]);
	ws_trace_close(t);
	return test_done();
}
