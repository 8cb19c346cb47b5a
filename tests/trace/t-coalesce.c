/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-coalesce.c -- known request lists, and equality with a
 * coalescer that looks at every byte (tests/ref/order.c).
 */
#include "tests/trace/steps.h"
#include "tests/test.h"

#define ROOM WS_COALESCE_MAX(64, WS_ACCESS_BYTES_MAX)

static void expect(const char *what, uint64_t line, uint64_t segment, const uint64_t *address,
		   uint64_t mask, uint32_t bytes, const struct ws_request *want, size_t n)
{
	static struct ws_request got[ROOM];
	struct ws_machine m = small_machine();
	bool same;

	m.l1.line_bytes = line;
	m.coalesce_line = segment;
	same = ws_coalesce(&m, address, mask, bytes, got) == n;
	for (size_t i = 0; i < n; i++)
		same &= got[i].address == want[i].address && got[i].sectors == want[i].sectors;
	test_ok(same, "%s", what);
}

static void test_known(void)
{
	const struct ws_request one[] = { { .address = 0x1000, .sectors = 0xf } };
	const struct ws_request halves[] = { { .address = 0x1000, .sectors = 0x3 },
					     { .address = 0x1000, .sectors = 0xc } };
	const struct ws_request turned[] = { { .address = 0x1080, .sectors = 0x1 },
					     { .address = 0x1000, .sectors = 0x8 } };
	const struct ws_request over[] = { { .address = 0x1000, .sectors = 0x8 },
					   { .address = 0x1080, .sectors = 0x1 } };
	const struct ws_request top[] = { { .address = 0xffffffffffffff80, .sectors = 0x8 } };
	const struct ws_request wide[] = { { .address = 0x1000, .sectors = UINT32_MAX } };
	uint64_t row[64], pair[2] = { 0x1080, 0x107c }, cut[1] = { 0x107e };
	uint64_t end[2] = { 0xfffffffffffffffe, 0xffffffffffffffe0 }, large[1] = { 0x1000 };

	for (unsigned i = 0; i < 64; i++)
		row[i] = 0x1000 + 4 * i;
	expect("32 floats in a row are one line, four sectors", 128, 128, row, 0xffffffff, 4, one,
	       1);
	expect("segments of half a line make two requests", 128, 64, row, 0xffffffff, 4, halves, 2);
	expect("the order is that of the first lane", 128, 128, pair, 3, 4, turned, 2);
	expect("a float across a border asks for both lines", 128, 128, cut, 1, 4, over, 2);
	expect("an access is clipped at 2^64", 128, 128, end, 3, 64, top, 1);
	expect("1024 B of one lane are one line", 1024, 1024, large, 1, 1024, wide, 1);
	expect("no lane, no request", 128, 128, row, 0, 4, NULL, 0);
	expect("no bytes, no request", 128, 128, row, 1, 0, NULL, 0);
}

static void random_lanes(struct ws_rng *rng, uint64_t *address, uint32_t bytes)
{
	uint64_t base = ws_rng_below(rng, 1u << 16), span = 1ull << ws_rng_below(rng, 16);
	uint64_t stride = ws_rng_below(rng, 2) ? bytes : ws_rng_below(rng, 3 * bytes + 40);
	uint64_t shape = ws_rng_below(rng, 4);

	if (ws_rng_below(rng, 20) == 0)
		base = 0 - ws_rng_below(rng, 4096); /* across 2^64 */
	for (unsigned i = 0; i < 64; i++) {
		address[i] = base + (shape < 2 ? i * stride
				   : shape == 2 ? i / 16 * span + i % 16 * bytes
				   : ws_rng_below(rng, span));
	}
}

static bool one_trial(struct ws_rng *rng, size_t *most)
{
	static struct ws_request got[ROOM], want[ROOM];
	struct ws_machine m = small_machine();
	uint64_t address[64], mask = ws_rng_u64(rng);
	uint32_t bytes = 1u << ws_rng_below(rng, 5);
	size_t n;

	m.l1.line_bytes = 32u << ws_rng_below(rng, 6);
	m.coalesce_line = 32u << ws_rng_below(rng, 6);
	if (ws_rng_below(rng, 2))
		mask |= ws_rng_u64(rng) | ws_rng_u64(rng) | ws_rng_u64(rng);
	if (ws_rng_below(rng, 6) == 0)
		bytes = (uint32_t)ws_rng_below(rng, 300);
	if (ws_rng_below(rng, 1000) == 0)
		bytes = WS_ACCESS_BYTES_MAX - (uint32_t)ws_rng_below(rng, 50);
	random_lanes(rng, address, bytes);
	n = ws_coalesce(&m, address, mask, bytes, got);
	if (n != ref_coalesce(&m, address, mask, bytes, want))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (got[i].address != want[i].address || got[i].sectors != want[i].sectors)
			return false;
	}
	*most = n > *most ? n : *most;
	return true;
}

static void test_random(uint64_t seed)
{
	unsigned good = 0, trials = 3000;
	size_t most = 0;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (unsigned i = 0; i < trials; i++)
		good += one_trial(&rng, &most);
	test_ok(good == trials, "%u of %u random warps as the reference, up to %zu requests", good,
		trials, most);
}

/* Runs of lanes of a random block, rows of up to 40 lanes, and all their addresses on a plane. */
static size_t random_plane(struct ws_rng *rng, struct ws_plane *plane, struct ws_lane_run *run,
			   uint64_t *address, uint64_t *mask, uint32_t bytes)
{
	uint16_t row = (uint16_t)(1 + ws_rng_below(rng, 40)),
		 rows = (uint16_t)(1 + ws_rng_below(rng, 4));
	uint64_t few = ws_rng_below(rng, 3) ? 40 : 2;
	size_t runs = 0;

	*plane = (struct ws_plane){ .even = true, .base = ws_rng_below(rng, 1u << 16) };
	if (ws_rng_below(rng, 20) == 0)
		plane->base = 0 - ws_rng_below(rng, 4096);
	for (int i = 0; i < 3; i++)
		plane->stride[i] = ws_rng_below(rng, 3) ? ws_rng_below(rng, 2) * bytes
			: ws_rng_below(rng, 2) ? ws_rng_below(rng, 3 * bytes + 40)
			: 0 - ws_rng_below(rng, 1u << ws_rng_below(rng, 16));
	for (uint16_t lane = 0; lane < 128 && ws_rng_below(rng, 30);) {
		struct ws_lane_run r = { .lane = lane, .len = 0, .x = lane % row,
					 .y = (uint16_t)(lane / row % rows),
					 .z = (uint16_t)(lane / row / rows) };

		for (; lane < 128 && r.x + r.len < row && (!r.len || ws_rng_below(rng, few));
		     lane++, r.len++) {
			address[lane] = plane->base + ws_reach(plane->stride, &r) +
					r.len * plane->stride[0];
			mask[lane / 64] |= 1ull << lane % 64;
		}
		run[runs++] = r;
		lane = (uint16_t)(lane + (ws_rng_below(rng, 3) ? 0 : ws_rng_below(rng, 20)));
	}
	return runs;
}

static bool one_plane(struct ws_rng *rng, size_t *runs_most)
{
	static struct ws_request got[ROOM], want[ROOM];
	struct ws_machine m = small_machine();
	uint64_t address[128], mask[2] = { 0 }, warp_mask;
	uint32_t bytes = ws_rng_below(rng, 6) ? 1u << ws_rng_below(rng, 5)
					      : (uint32_t)ws_rng_below(rng, 300);
	size_t width = 8u << ws_rng_below(rng, 4), lane = ws_rng_below(rng, 128 / width) * width;
	struct ws_lane_run run[128], *from = run;
	struct ws_plane plane;
	size_t runs = random_plane(rng, &plane, run, address, mask, bytes), n;

	m.l1.line_bytes = 32u << ws_rng_below(rng, 6);
	m.coalesce_line = 32u << ws_rng_below(rng, 6);
	warp_mask = mask[lane / 64] >> lane % 64 & (width < 64 ? (1ull << width) - 1 : UINT64_MAX);
	while (from < run + runs && from->lane + (size_t)from->len <= lane)
		from++;
	n = ws_coalesce_plane(&m, &plane, from, run + runs, lane, width, bytes, got);
	if (n != ref_coalesce(&m, address + lane, warp_mask, bytes, want))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (got[i].address != want[i].address || got[i].sectors != want[i].sectors)
			return false;
	}
	*runs_most = runs > *runs_most ? runs : *runs_most;
	return true;
}

static void test_planes(uint64_t seed)
{
	unsigned good = 0, trials = 4000;
	size_t most = 0;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (unsigned i = 0; i < trials; i++)
		good += one_plane(&rng, &most);
	test_ok(good == trials, "%u of %u random warps on planes as the reference, up to %zu runs",
		good, trials, most);
}

/* Every lane 4096 bytes of its own, off by one: the most there can be. */
static void test_largest(void)
{
	static struct ws_request got[ROOM];
	struct ws_machine m = small_machine();
	uint64_t address[64];

	m.l1.line_bytes = m.coalesce_line = 32;
	for (uint64_t i = 0; i < 64; i++)
		address[i] = i * 8192 + 31;
	test_u64(ws_coalesce(&m, address, UINT64_MAX, 4096, got), 64 * 129,
		 "64 lanes of 4096 B, each over 129 sectors");
}

int main(void)
{
	test_known();
	test_random(test_seed(3));
	test_planes(test_seed(4));
	test_largest();
	return test_done();
}
