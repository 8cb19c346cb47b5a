/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/t-recut.c -- streams that are simulated with lines of another size: a policy that
 * looks ahead sees the whole of a launch, of each launch its own, however it is cut.
 */
#include "tests/validate/stream.h"

#define REQUESTS 20000u		/* of a launch: of several pieces */
#define LAUNCHES 2u
#define PIECES 4u

static struct ws_request request[LAUNCHES][REQUESTS];

/* Warp instructions of one to four lines of a segment of 512 bytes. */
static void draw(struct ws_request *r, struct ws_rng *rng)
{
	for (size_t i = 0; i < REQUESTS;) {
		uint64_t segment = ws_rng_below(rng, 40) * 4, n = 1 + ws_rng_below(rng, 4);
		uint64_t u = ws_rng_below(rng, 10);

		for (uint64_t k = 0; k < n && i < REQUESTS; k++, i++)
			r[i] = (struct ws_request){
				.address = (segment + k) * 128, .cycle = i, .follows = k > 0,
				.sectors = 1 + (uint32_t)ws_rng_below(rng, 15),
				.kind = u < 3 ? WS_STORE : u == 3 ? WS_ATOMIC : WS_LOAD,
			};
	}
}

/* Cut as a whole, launch by launch. */
static bool by_hand(const struct ws_cache *c, struct ws_counts *kind)
{
	static struct ws_request cut[PIECES * REQUESTS];
	struct ws_sim *sim;
	bool good;

	if (ws_sim_new(&sim, c, NULL))
		return false;
	good = true;
	for (size_t i = 0; i < LAUNCHES && good; i++) {
		size_t n = ws_recut(512, 128, c->line_bytes, request[i], REQUESTS, cut);

		ws_sim_flush(sim);
		good = !ws_sim_push(sim, cut, n, NULL);
	}
	ws_sim_counts(sim, kind);
	ws_sim_free(sim);
	return good;
}

static void same(const struct ws_streams *s, uint64_t line, uint64_t sector, enum ws_write write,
		 const char *policy)
{
	struct ws_counts want[WS_KINDS + 1], got[WS_KINDS + 1];
	struct ws_cache c = cache_make(4, 4, line, sector, "modulo", write);
	struct ws_err err = { 0 };

	snprintf(c.policy, sizeof c.policy, "%s", policy);
	if (ws_simulate(s, LAUNCHES, NULL, &c, 1, got, &err) || !by_hand(&c, want)) {
		test_ok(false, "%s: %s", policy, err.text);
		return;
	}
	test_ok(!memcmp(got, want, sizeof got) && got[WS_KINDS].hits && got[WS_KINDS].misses,
		"%s, lines of %" PRIu64 ", sectors of %" PRIu64 ", %s: %" PRIu64 " misses", policy,
		line, sector, write_names[write], got[WS_KINDS].misses);
}

int main(void)
{
	static char kernel[] = "k";
	struct ws_stream stream[LAUNCHES];
	struct ws_streams s[LAUNCHES];
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(4711));
	for (size_t i = 0; i < LAUNCHES; i++) {
		draw(request[i], &rng);
		stream[i] = (struct ws_stream){ request[i], REQUESTS, REQUESTS };
		s[i] = (struct ws_streams){ .sm = stream + i, .sms = 1, .kernel = kernel,
					    .line_bytes = 128, .coalesce_line = 512 };
	}
	for (int write = WS_WRITE_BACK; write <= WS_WRITE_EVICT; write++) {
		same(s, 32, 32, (enum ws_write)write, "opt");
		same(s, 128, 32, (enum ws_write)write, "opt");
		same(s, 512, 512, (enum ws_write)write, "opt");
		same(s, 512, 64, (enum ws_write)write, "lru");
	}
	return test_done();
}
