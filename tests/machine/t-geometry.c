/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/machine/t-geometry.c -- size, sets, ways and line: what follows from
 * what, by hand and beside a search on random values; sectors; edges.
 */
#include "tests/test.h"
#include "machine/machine.h"

#include <stdlib.h>

static struct ws_machine gtx, v100;

/* Applies up to 4 assignments and checks. */
static enum ws_status with(const struct ws_machine *from, const char *const set[4],
			   struct ws_machine *m, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	*m = *from;
	for (unsigned i = 0; i < 4 && set[i] && !status; i++)
		status = ws_machine_set(m, set[i], err);
	return status ? status : ws_machine_check(m, err);
}

static void gives(const struct ws_machine *from, const char *const set[4], uint64_t size,
		  uint64_t sets, uint64_t ways, uint64_t line)
{
	struct ws_err err = { .status = WS_OK };
	struct ws_machine m, again;
	const struct ws_cache *c = strncmp(set[0], "l2", 2) == 0 ? &m.l2 : &m.l1;
	bool ok = with(from, set, &m, &err) == WS_OK;

	test_ok(ok && c->size_bytes == size && c->sets == sets && c->ways == ways &&
		c->line_bytes == line, "%s %s %s gives %" PRIu64 " = %" PRIu64 " x %" PRIu64
		" x %" PRIu64 " %s", set[0], set[1] ? set[1] : "", set[2] ? set[2] : "",
		c->size_bytes, c->sets, c->ways, c->line_bytes, err.text);
	again = m;
	test_ok(ok && ws_machine_check(&again, NULL) == WS_OK &&
		memcmp(&again, &m, sizeof m) == 0, "twice is once");
}

static void refused(const struct ws_machine *from, const char *const set[4], const char *says)
{
	struct ws_err err = { .status = WS_OK };
	struct ws_machine m;

	test_ok(with(from, set, &m, &err) == WS_EINVAL, "%s %s is refused", set[0],
		set[1] ? set[1] : "");
	test_str(err.text, says, "and says");
}

#define SET(...) ((const char *const[4]){ __VA_ARGS__ })

static void by_hand(void)
{
	struct ws_machine none;

	/* gtx480: 16 KB = 32 x 4 x 128 */
	gives(&gtx, SET("l1.size=32K"), 32768, 64, 4, 128);
	gives(&gtx, SET("l1.size=32K", "l1.ways=8"), 32768, 32, 8, 128);
	gives(&gtx, SET("l1.size=48K", "l1.sets=64"), 49152, 64, 6, 128);
	/* no L1 */
	gives(&gtx, SET("l1.size=0"), 0, 32, 0, 128);
	gives(&gtx, SET("l1.size=0", "l1.line=32"), 0, 32, 0, 32);
	gives(&gtx, SET("l1.size=0", "l1.ways=0"), 0, 32, 0, 128);
	none = gtx;
	test_ok(!ws_machine_set(&none, "l1.size=0", NULL) && !ws_machine_check(&none, NULL),
		"no L1");
	none.l1.given = 0;
	gives(&none, SET("l1.line=32"), 0, 32, 0, 32);
	gives(&none, SET("l1.sets=64"), 0, 64, 0, 128);
	gives(&none, SET("l1.ways=2"), 8192, 32, 2, 128);
	gives(&none, SET("l1.size=16K"), 16384, 32, 4, 128);
	refused(&none, SET("l1.size=6K"),
		"l1.size = 6144, l1.sets = 32 and l1.line = 128 leave no whole number of l1.ways: "
		"want a size that is a multiple of 4096 (or give other l1.sets)");
	/* no whole number of sets that fermi takes: ways follow */
	gives(&gtx, SET("l1.size=48K"), 49152, 32, 12, 128);
	gives(&gtx, SET("l1.size=48K", "l1.hash=modulo"), 49152, 96, 4, 128);
	gives(&gtx, SET("l1.sets=64"), 32768, 64, 4, 128);
	gives(&gtx, SET("l1.ways=7"), 28672, 32, 7, 128);
	gives(&gtx, SET("l1.sets=64", "l1.ways=6"), 49152, 64, 6, 128);
	gives(&gtx, SET("l1.line=64"), 16384, 64, 4, 64);
	gives(&gtx, SET("l1.line=64", "l1.sets=32"), 8192, 32, 4, 64);
	gives(&gtx, SET("l1.line=256", "l1.size=64K"), 65536, 64, 4, 256);
	gives(&gtx, SET("l1.line=256", "l1.size=64K", "l1.sets=128", "l1.ways=2"), 65536, 128, 2,
	      256);
	gives(&gtx, SET("l1.latency=3"), 16384, 32, 4, 128);
	gives(&gtx, SET("l1.sets=1", "l1.ways=65536", "l1.line=1K"), 1ull << 26, 1, 65536, 1024);
	/* the last of two values for one key holds */
	gives(&gtx, SET("l1.size=1M", "l1.size=8K"), 8192, 16, 4, 128);
	/* its L2: 768 KB = 12 slices of 64 x 8 x 128 */
	gives(&gtx, SET("l2.size=1536K"), 1572864, 128, 8, 128);
	gives(&gtx, SET("l2.slices=6"), 393216, 64, 8, 128);
	gives(&gtx, SET("l2.slices=6", "l2.size=768K"), 786432, 128, 8, 128);
	gives(&gtx, SET("l2.ways=16"), 1572864, 64, 16, 128);
	gives(&gtx, SET("l2.line=64"), 786432, 128, 8, 64);
	gives(&v100, SET("l1.ways=64"), 32768, 4, 64, 128);
}

static void contradictions(void)
{
	refused(&gtx, SET("l1.size=16K", "l1.sets=32", "l1.ways=8"),
		"l1.size = 16384, l1.sets = 32, l1.ways = 8 and l1.line = 128 contradict each "
		"other: want size = sets * ways * line, which is 32768");
	refused(&gtx, SET("l2.size=1M", "l2.sets=64", "l2.ways=8"),
		"l2.size = 1048576 in l2.slices = 12, l2.sets = 64, l2.ways = 8 and l2.line = 128 "
		"contradict each other: want size = sets * ways * line, which is 786432");
	refused(&gtx, SET("l1.size=0", "l1.ways=4"),
		"l1.size = 0 is none at all, and l1.ways = 4 contradicts it: want one of them");
	refused(&gtx, SET("l1.ways=0"), "l1.ways = 0: want one or more; l1.size = 0 is none at "
		"all");
	refused(&gtx, SET("l1.size=0", "l1.organisation=elastic:32"),
		"l1.organisation = elastic: want an L1, and l1.size is 0");
	refused(&gtx, SET("l2.size=0"), "l2.size = 0: want 32..68719476736 bytes");
	refused(&gtx, SET("l1.size=10000"),
		"l1.size = 10000, l1.ways = 4 and l1.line = 128 leave no whole number of l1.sets: "
		"want a size that is a multiple of 512 (or give other l1.ways)");
	refused(&gtx, SET("l1.size=2K", "l1.sets=32"),
		"l1.size = 2048, l1.sets = 32 and l1.line = 128 leave no whole number of l1.ways: "
		"want a size that is a multiple of 4096 (or give other l1.sets)");
	refused(&gtx, SET("l1.size=48K", "l1.ways=4"),
		"l1.hash: fermi is defined for a power of two of sets, not 96 (l1.size = 49152, "
		"l1.ways = 4, l1.line = 128)");
	refused(&gtx, SET("l1.size=1G", "l1.ways=1"), "l1.sets = 8388608: want 1..65536");
	refused(&gtx, SET("l1.sets=65536", "l1.ways=65536"),
		"l1.size = 549755813888: want 0..1073741824 bytes");
	refused(&gtx, SET("l1.sector=256"),
		"l1.sector = 256: want a power of two 32..128, the line");
	refused(&gtx, SET("l1.hash=bits:6-12", "l1.line=128"),
		"l1.hash: bits:6-12 begins inside a line of 128 bytes: want LOW 7 or more "
		"(l1.size = 16384, l1.ways = 4, l1.line = 128)");
}

static void failure_changes_nothing(void)
{
	struct ws_machine m = gtx, before;

	test_ok(ws_machine_set(&m, "l1.size=10000", NULL) == WS_OK, "a size alone is fine");
	before = m;
	test_ok(ws_machine_check(&m, NULL) == WS_EINVAL && memcmp(&m, &before, sizeof m) == 0,
		"a check that fails leaves the machine");
	test_ok(ws_machine_set(&m, "l1.size=8K", NULL) == WS_OK &&
		ws_machine_check(&m, NULL) == WS_OK && m.l1.sets == 16, "which can be mended");
}

static void sectors(void)
{
	static const struct {
		const char *set[4];
		uint64_t sector;
	} plain[] = { /* the GTX 480's L1 is not sectored, its line 128 */
		{ { "l1.line=64" }, 64 },
		{ { "l1.line=64", "l1.line=512" }, 512 },
		{ { "l1.sector=32", "l1.line=256" }, 32 },
		{ { "l1.sector=128", "l1.line=256" }, 128 },
		{ { "l1.line=256", "l1.sector=128" }, 128 },
	};
	struct ws_machine m;

	for (size_t i = 0; i < WS_COUNT(plain); i++) {
		test_ok(with(&gtx, plain[i].set, &m, NULL) == WS_OK, "%s", plain[i].set[0]);
		test_u64(m.l1.sector_bytes, plain[i].sector, "unsectored stays so, unless told");
	}
	test_ok(with(&v100, SET("l1.line=64"), &m, NULL) == WS_OK && m.l1.sector_bytes == 32,
		"a sector of 32 stays under a line of 64");
	test_ok(with(&v100, SET("l1.line=32", "l1.line=128"), &m, NULL) == WS_OK &&
		m.l1.sector_bytes == 32, "and under one of 128 after one of 32");
	m = v100;
	m.l1.sector_bytes = 64;
	test_ok(ws_machine_set(&m, "l1.line=32", NULL) == WS_OK &&
		ws_machine_check(&m, NULL) == WS_OK && m.l1.sector_bytes == 32,
		"one of 64 becomes a line of 32");
}

/* What the header promises, found by search: the one machine with the given
 * values that keeps what it may keep. */
static bool expect(const struct ws_cache *own, struct ws_cache *c)
{
	unsigned given = c->given;
	bool size = given & WS_GIVEN_SIZE, sets = given & WS_GIVEN_SETS,
	     ways = given & WS_GIVEN_WAYS, line = given & WS_GIVEN_LINE;
	uint64_t target = size ? c->size_bytes : own->size_bytes;
	unsigned found = 0;

	if (!sets && !ways && !size && !line) {
		*c = *own;
		return true;
	}
	if ((sets || ways) && !size) {
		c->size_bytes = c->sets * c->ways * c->line_bytes;
		return true;
	}
	for (uint64_t s = sets ? c->sets : 1; s <= (sets ? c->sets : 4096) && !found; s++) {
		for (uint64_t w = !sets || ways ? c->ways : 1;
		     w <= (!sets || ways ? c->ways : 4096) && !found; w++) {
			if (s * w * c->line_bytes != target)
				continue;
			c->sets = s, c->ways = w, c->size_bytes = target;
			found++;
		}
	}
	return found;
}

static void random_givens(struct ws_rng *rng)
{
	unsigned wrong = 0, fine = 0, bad = 0;

	for (unsigned i = 0; i < 20000; i++) {
		struct ws_machine m = gtx;
		struct ws_cache want;
		bool possible;

		m.l1.hash = ws_hash_find("modulo");
		m.l1.given = (unsigned)ws_rng_below(rng, 16);
		if (m.l1.given & WS_GIVEN_SETS)
			m.l1.sets = 1 + ws_rng_below(rng, 40);
		if (m.l1.given & WS_GIVEN_WAYS)
			m.l1.ways = 1 + ws_rng_below(rng, 12);
		if (m.l1.given & WS_GIVEN_LINE)
			m.l1.line_bytes = m.l1.sector_bytes = 32ull << ws_rng_below(rng, 6);
		if (m.l1.given & WS_GIVEN_SIZE)
			m.l1.size_bytes = 512 * (1 + ws_rng_below(rng, 96));
		want = m.l1;
		possible = expect(&gtx.l1, &want);
		if (ws_machine_check(&m, NULL) == WS_OK) {
			fine++;
			wrong += !possible || m.l1.size_bytes != want.size_bytes ||
				 m.l1.sets != want.sets || m.l1.ways != want.ways;
		} else {
			bad++;
			wrong += possible;
		}
	}
	test_ok(wrong == 0, "20000 random givens: %u wrong", wrong);
	test_ok(fine > 5000 && bad > 2000, "%u could be settled, %u not", fine, bad);
}

/* Products that would wrap round to the right size. */
static void overflow(void)
{
	static const uint64_t huge[] = {
		UINT64_MAX, 1ull << 63, 1ull << 57, (1ull << 57) + 1, 1ull << 32, UINT64_MAX / 3,
	};
	unsigned let = 0;

	for (size_t i = 0; i < WS_COUNT(huge); i++) {
		for (size_t j = 0; j < WS_COUNT(huge); j++) {
			for (unsigned given = 0; given < 16; given++) {
				struct ws_machine m = gtx;

				m.l1.sets = huge[i];
				m.l1.ways = huge[j];
				m.l1.given = given;
				let += ws_machine_check(&m, NULL) == WS_OK;
				m = gtx;
				m.l2_slices = huge[i];
				m.l2.size_bytes = huge[j];
				m.l2.given = given;
				let += ws_machine_check(&m, NULL) == WS_OK;
			}
		}
	}
	test_ok(let == 0, "%u products of absurd factors pass", let);
}

int main(void)
{
	struct ws_err err = { .status = WS_OK };
	struct ws_rng rng;

	setenv("WARPSTACK_DATA", "data", 1);
	ws_rng_seed(&rng, test_seed(480));
	test_ok(ws_machine_load(&gtx, "gtx480", &err) == WS_OK &&
		ws_machine_load(&v100, "v100", &err) == WS_OK, "presets load: %s", err.text);
	by_hand();
	contradictions();
	failure_changes_nothing();
	sectors();
	random_givens(&rng);
	overflow();
	return test_done();
}
