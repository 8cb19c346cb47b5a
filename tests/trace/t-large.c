/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-large.c -- large warps, worked by hand: which lanes meet in a sub-warp, when data
 * is waited for, what is refused.  Equality with the reference is t-order's and t-cycle's.
 */
#include "tests/trace/steps.h"
#include "tests/test.h"

#define WIDTH 4u

static enum ws_status requests(void *context, uint64_t sm, const struct ws_request *r,
			       size_t count, struct ws_err *err)
{
	return gather(context, sm, r, count, err);
}

/* One CTA of 8 lanes; `steps` steps of a load each, of these masks; lane i loads line i. */
static struct ref_launch loads(const uint64_t *mask, size_t steps, uint32_t gap, uint32_t use)
{
	struct ref_launch l = { .launch = {
		.kernel = ws_strdup("loads"), .ctas = 1, .grid = { 1, 1, 1 },
		.block = { 2 * WIDTH, 1, 1 }, .instructions = 1, .segments = 1,
		.instruction = ws_alloc_zero(1, sizeof *l.launch.instruction),
		.segment = ws_alloc_zero(1, sizeof *l.launch.segment),
	} };

	l.launch.instruction[0] = (struct ws_instruction){ .kind = WS_LOAD, .bytes = 4,
							   .gap = gap, .use = use };
	l.launch.segment[0] = (struct ws_segment){ .count = 1 };
	l.step = ws_alloc_zero(1, sizeof *l.step);
	l.steps = ws_alloc_zero(1, sizeof *l.steps);
	l.step[0] = ws_alloc_zero(steps, sizeof **l.step);
	l.steps[0] = steps;
	for (size_t s = 0; s < steps; s++) {
		struct ref_step *step = &l.step[0][s];

		step->mask[0] = mask[s];
		step->address = ws_alloc_zero(1, sizeof *step->address);
		step->address[0] = ws_alloc_zero(2 * WIDTH, sizeof **step->address);
		for (uint64_t lane = 0; lane < 2 * WIDTH; lane++)
			step->address[0][lane] = 128 * lane;
	}
	return l;
}

static struct ws_machine large_machine(uint64_t rows, enum ws_scheduler scheduler)
{
	struct ws_machine m = small_machine();

	m.warp_width = WIDTH;
	m.sm_large_warp = rows;
	m.sm_scheduler = scheduler;
	return m;
}

/* "line@cycle" of each request. */
static void expect(const char *what, struct ref_launch l, struct ws_machine m, const char *want)
{
	struct ref_stream got = { 0 };
	char text[512] = "";
	size_t len = 0;

	if (order_array(&l, &m, NULL, &got, NULL) != WS_OK)
		test_ok(false, "%s failed", what);
	for (size_t i = 0; i < got.count && len < sizeof text; i++)
		len += (size_t)snprintf(text + len, sizeof text - len, "%" PRIu64 "@%" PRIu64 " ",
					got.item[i].address / 128, got.item[i].cycle);
	test_str(text, want, what);
	ref_stream_clear(&got);
	ref_launch_clear(&l);
}

static uint64_t warp_instructions(struct ref_launch l, struct ws_machine m)
{
	struct array_steps array = { .l = &l };
	const struct ws_steps steps = { &array, array_seek, array_next };
	struct ref_stream got = { 0 };
	const struct ws_sink sink = { .context = &got, .requests = requests };
	struct ws_order_stats stats = { 0 };

	if (ws_order_steps(&l.launch, &steps, &m, NULL, &sink, &stats, NULL))
		stats.warp_instructions = UINT64_MAX;
	ref_stream_clear(&got);
	ref_launch_clear(&l);
	return stats.warp_instructions;
}

static void test_lanes(void)
{
	static const uint64_t apart = 0xc3, same = 0x33, odd = 0x1f, all = 0xff;
	const struct ws_machine plain = large_machine(1, WS_SCHED_SEQUENTIAL),
				large = large_machine(2, WS_SCHED_SEQUENTIAL);

	/* Row 0 is lanes 0 to 3, row 1 lanes 4 to 7.  Columns 0, 1 of one and 2, 3 of the other fit
	 * into one sub-warp, in the order of columns. */
	expect("plain warps", loads(&apart, 1, 0, 1), plain, "0@0 1@1 6@2 7@3 ");
	expect("rows that complete each other", loads(&apart, 1, 0, 1), large,
	       "0@0 1@1 6@2 7@3 ");
	test_u64(warp_instructions(loads(&apart, 1, 0, 1), plain), 2, "two warps");
	test_u64(warp_instructions(loads(&apart, 1, 0, 1), large), 1, "one sub-warp");
	/* The same columns do not. */
	expect("the same columns", loads(&same, 1, 0, 1), large, "0@0 1@1 4@2 5@3 ");
	test_u64(warp_instructions(loads(&same, 1, 0, 1), large), 2, "two sub-warps");
	test_u64(warp_instructions(loads(&all, 1, 0, 1), large), 2, "all lanes: two sub-warps");
	test_u64(warp_instructions(loads(&odd, 1, 0, 1), large), 2, "the fullest column counts");
	/* Untimed, round robin: there is one warp, and a sub-warp is a turn. */
	expect("round robin", loads(&odd, 1, 0, 1), large_machine(2, WS_SCHED_ROUND_ROBIN),
	       "0@0 1@1 2@2 3@3 4@4 ");
}

/* Nominal memory: all lines miss, data is back 30 + 200 cycles after the look-up. */
static void test_waits(void)
{
	static const uint64_t twice[] = { 0x33, 0x33 };
	const struct ws_machine m = large_machine(2, WS_SCHED_GTO);

	/* Sub-warps of one instruction do not wait for each other: look-ups at 0, 1, 2, 3.  The
	 * next instruction waits for the last of them, and hits. */
	expect("the next instruction waits for all sub-warps", loads(twice, 2, 0, 1), m,
	       "0@0 1@1 4@2 5@3 0@233 1@234 4@235 5@236 ");
	/* Three instructions between take two slots each: loads are issued at 6 and 8, others from
	 * 9 to 14, the next load at 15. */
	expect("data is needed only later", loads(twice, 2, 3, 5), m,
	       "0@6 1@7 4@8 5@9 0@15 1@16 4@17 5@18 ");
	/* Of use 2: the second of the three, whose first slot is 239, when the data is back. */
	expect("in the midst of others", loads(twice, 2, 3, 2), m,
	       "0@6 1@7 4@8 5@9 0@243 1@244 4@245 5@246 ");
}

static enum ws_status no_lanes(void *context, uint64_t sm, const struct ws_warp_access *a,
			       struct ws_err *err)
{
	(void)context;
	(void)sm;
	(void)a;
	(void)err;
	return WS_OK;
}

static void test_refused(void)
{
	static const uint64_t all = 0xff;
	struct ref_launch l = loads(&all, 1, 0, 1);
	struct ws_machine m = large_machine(2, WS_SCHED_GTO);
	struct array_steps array = { .l = &l };
	const struct ws_steps steps = { &array, array_seek, array_next };
	const struct ws_sink sink = { .lanes = no_lanes };
	struct ws_err err = { 0 };

	test_ok(ws_order_steps(&l.launch, &steps, &m, NULL, &sink, NULL, &err) == WS_EINVAL &&
		strstr(err.text, "sm.large-warp = 2"), "lanes of large warps: %s", err.text);
	ref_launch_clear(&l);
}

int main(void)
{
	test_lanes();
	test_waits();
	test_refused();
	return test_done();
}
