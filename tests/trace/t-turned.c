/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inner loops of captured CTAs, portable and for this processor, against a loop over lanes.
 */
#include "tests/test.h"
#include "trace/capture/columns.h"

#define LANES_MAX 200u
#define BUFFER	  (WS_TURNED_WORDS + 8u)

static struct ws_lane_ctx lane[LANES_MAX];
static uint64_t buffer[LANES_MAX][BUFFER], turned[WS_TURNED_WORDS * LANES_MAX];

static bool heads_agree(const struct ws_columns *c, struct ws_rng *rng)
{
	uint32_t head[64], segment = (uint32_t)ws_rng_below(rng, 4), low = UINT32_MAX;
	uint32_t start = (uint32_t)ws_rng_below(rng, 8), other = start, wanted = start;
	uint64_t bits = 0;

	for (size_t i = 0; i < 64; i++) {
		head[i] = (uint32_t)ws_rng_below(rng, 6);
		head[i] = head[i] == 5 ? 0x7fffffff : head[i] == 4 ? 0x7ffffffe : head[i];
		low = head[i] < low ? head[i] : low;
		if (head[i] == segment)
			bits |= UINT64_C(1) << i;
		else
			wanted = head[i] < wanted ? head[i] : wanted;
	}
	return c->least(head) == low && c->at_segment(head, segment, &other) == bits &&
	       other == wanted;
}

static void record_lanes(struct ws_rng *rng, size_t lanes)
{
	for (size_t i = 0; i < lanes; i++) {
		size_t at = (size_t)ws_rng_below(rng, 4);

		for (size_t k = 0; k < BUFFER; k++)
			buffer[i][k] = ws_rng_below(rng, 60) ? k : ws_rng_u64(rng);
		lane[i].rd = buffer[i] + at;
		lane[i].p = lane[i].rd + 1 + ws_rng_below(rng, WS_TURNED_WORDS + 3);
		lane[i].state = ws_rng_below(rng, 2) ? LANE_FULL : LANE_BARRIER;
		/* Mostly the same words: from at on. */
		for (size_t k = 0; k < WS_TURNED_WORDS; k++)
			lane[i].rd[k] = ws_rng_below(rng, 60) ? k : ws_rng_u64(rng);
	}
}

/* Lanes of the mask alone are turned, and looked at. */
static bool turns(const struct ws_columns *c, struct ws_rng *rng)
{
	size_t lanes = 1 + (size_t)ws_rng_below(rng, LANES_MAX), first = SIZE_MAX, most, wanted;
	struct ws_turned t = { .words = 1 + (size_t)ws_rng_below(rng, WS_TURNED_WORDS),
			       .to = turned };
	uint64_t mask[(LANES_MAX + 63) / 64] = { 0 }, differ[WS_TURNED_WORDS] = { 0 };
	bool all = ws_rng_below(rng, 2), good = true;

	record_lanes(rng, lanes);
	mask[(lanes - 1) / 64] = UINT64_C(1) << (lanes - 1) % 64;
	for (size_t i = 0; i < lanes; i++)
		mask[i / 64] |= (uint64_t)(all || ws_rng_below(rng, 3)) << i % 64;
	for (size_t i = lanes; i-- > 0;)
		first = mask[i / 64] >> i % 64 & 1 ? i : first;
	most = c->turn(lane, lanes, mask, lane[first].rd, &t);
	wanted = t.words;
	for (size_t i = 0; i < lanes; i++) {
		size_t has = (size_t)(lane[i].p - lane[i].rd) - (lane[i].state == LANE_FULL);

		if (!(mask[i / 64] >> i % 64 & 1))
			continue;
		wanted = has < wanted ? has : wanted;
		for (size_t k = 0; k < t.words; k++) {
			differ[k] |= lane[i].rd[k] ^ lane[first].rd[k];
			good &= turned[k * lanes + i] == lane[i].rd[k];
		}
	}
	for (size_t k = 0; k < t.words; k++)
		good &= !differ[k] == !t.differ[k];
	return good && most == wanted;
}

int main(void)
{
	static const char *const names[] = { "any processor", "this processor" };
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(22));
	for (int simd = 0; simd < 2; simd++) {
		const struct ws_columns *c = ws_columns_for(simd);
		bool heads = true, records = true;

		for (int i = 0; i < 3000; i++) {
			heads &= heads_agree(c, &rng);
			records &= turns(c, &rng);
		}
		test_ok(heads, "heads: the lowest, and who stands there: %s", names[simd]);
		test_ok(records, "records are turned: %s", names[simd]);
	}
	return test_done();
}
