/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-nominal.c -- when the nominal memory's data is back: hit 30,
 * miss 30 + 200 cycles.
 */
#include "tests/trace/steps.h"
#include "tests/test.h"

enum { HIT = 30, MISS = 230 };

static uint64_t latency(struct ws_memory *memory, uint64_t sm, enum ws_kind kind, uint64_t address,
			uint32_t sectors)
{
	const struct ws_request r = { .address = address, .sectors = sectors,
				      .kind = (uint8_t)kind };

	return memory->access(memory, sm, &r, 1, 1000) - 1000;
}

static uint64_t load(struct ws_memory *memory, uint64_t address)
{
	return latency(memory, 0, WS_LOAD, address, 0xf);
}

static struct ws_memory *make(const struct ws_machine *m)
{
	struct ws_memory *memory = NULL;
	struct ws_err err = { 0 };

	if (ws_nominal_new(&memory, m, &err) != WS_OK)
		test_ok(false, "%s", err.text);
	return memory;
}

static void test_lru(void)
{
	struct ws_machine m = small_machine(); /* 32 sets of 4 ways of 128 B */
	struct ws_memory *memory;
	uint64_t set = 32 * 128;

	m.sm_count = 2;
	memory = make(&m);
	test_u64(load(memory, 0), MISS, "first load");
	test_u64(load(memory, 0), HIT, "second");
	test_u64(latency(memory, 1, WS_LOAD, 0, 0xf), MISS, "another SM has its own");
	for (uint64_t i = 1; i < 4; i++)
		load(memory, i * set);
	test_u64(load(memory, 0), HIT, "four lines of the set fit");
	load(memory, 4 * set); /* the least recent is now line 1 */
	test_u64(load(memory, 0), HIT, "the most recent stays");
	test_u64(load(memory, 1 * set), MISS, "the least recent is gone");
	test_u64(load(memory, 128), MISS, "the next set is another");
	memory->flush(memory);
	test_u64(load(memory, 0), MISS, "flushed");
	memory->free(memory);
}

static uint64_t load_by(struct ws_memory *memory, uint64_t sm, uint64_t part)
{
	const struct ws_request r = { .address = 0, .sectors = 0xf, .kind = WS_LOAD,
				      .part = part & 1 };

	return memory->access(memory, sm, &r, 1, 1000) - 1000;
}

static void test_parts(void)
{
	struct ws_machine m = small_machine();
	struct ws_memory *memory;

	m.sm_count = m.l1_parts = 2;
	memory = make(&m);
	test_u64(load_by(memory, 0, 1), MISS, "first load");
	test_u64(load_by(memory, 0, 1), HIT, "of the same L1");
	test_u64(load_by(memory, 0, 0), MISS, "of the other L1");
	test_u64(load_by(memory, 0, 0), HIT, "which has it now");
	test_u64(load_by(memory, 1, 0), MISS, "another SM has its own");
	memory->flush(memory);
	test_u64(load_by(memory, 0, 1), MISS, "flushed");
	memory->free(memory);
}

static void test_batch(void)
{
	struct ws_machine m = small_machine();
	struct ws_memory *memory = make(&m);
	const struct ws_request r[3] = {
		{ .address = 128, .sectors = 1 }, { .address = 256, .sectors = 1 },
		{ .address = 384, .sectors = 1 },
	};

	load(memory, 256);
	load(memory, 384);
	test_u64(memory->access(memory, 0, r, 3, 50), 50 + MISS, "a miss first outlasts later "
		 "hits");
	memory->flush(memory);
	load(memory, 128);
	test_u64(memory->access(memory, 0, r, 3, 50), 50 + 2 + MISS, "the last is looked up at +2");
	memory->free(memory);
}

static void test_stores(void)
{
	static const struct { enum ws_write write; uint64_t after_miss, after_hit; } want[] = {
		{ WS_WRITE_BACK, HIT, HIT },
		{ WS_WRITE_THROUGH_ALLOCATE, HIT, HIT },
		{ WS_WRITE_THROUGH, MISS, HIT },
		{ WS_WRITE_EVICT, MISS, MISS },
	};
	struct ws_machine m = small_machine();

	for (size_t i = 0; i < WS_COUNT(want); i++) {
		const char *name = ws_key_find("l1.write")->choices[want[i].write];
		struct ws_memory *memory;

		m.l1.write = want[i].write;
		memory = make(&m);
		test_ok(latency(memory, 0, WS_STORE, 0, 0xf) == 1 &&
			load(memory, 0) == want[i].after_miss, "%s: load after a store that missed",
			name);
		load(memory, 128);
		test_ok(latency(memory, 0, WS_STORE, 128, 0xf) == 1 &&
			load(memory, 128) == want[i].after_hit, "%s: load after a store that hit",
			name);
		memory->free(memory);
	}
}

/* An evicted line leaves room: the lines older than it stay. */
static void test_evict(void)
{
	struct ws_machine m = small_machine();
	struct ws_memory *memory = make(&m);
	uint64_t set = 32 * 128;

	for (uint64_t i = 0; i < 4; i++)
		load(memory, i * set);
	latency(memory, 0, WS_STORE, 2 * set, 0xf);
	load(memory, 9 * set);
	test_ok(load(memory, 0) == HIT && load(memory, 1 * set) == HIT &&
			load(memory, 3 * set) == HIT,
		"a line takes the place of the one thrown out");
	memory->free(memory);
}

static void test_sectors(void)
{
	struct ws_machine m = small_machine();
	struct ws_memory *memory;

	m.l1.sector_bytes = 32;
	memory = make(&m);
	test_u64(latency(memory, 0, WS_LOAD, 0, 0x1), MISS, "32 B sectors: first");
	test_u64(latency(memory, 0, WS_LOAD, 0, 0x2), MISS, "32 B sectors: its neighbour");
	test_u64(latency(memory, 0, WS_LOAD, 0, 0x3), HIT, "32 B sectors: both");
	test_u64(latency(memory, 0, WS_LOAD, 0, 0x7), MISS, "32 B sectors: and a third");
	memory->free(memory);
	m.l1.sector_bytes = 64;
	memory = make(&m);
	test_u64(latency(memory, 0, WS_LOAD, 0, 0x4), MISS, "64 B sectors: first");
	test_u64(latency(memory, 0, WS_LOAD, 0, 0xc), HIT, "64 B sectors: its other half");
	test_u64(latency(memory, 0, WS_LOAD, 0, 0x2), MISS, "64 B sectors: the other sector");
	memory->free(memory);
	m.l1.sector_bytes = 128;
	memory = make(&m);
	test_u64(latency(memory, 0, WS_LOAD, 0, 0x4), MISS, "no sectors: first");
	test_u64(latency(memory, 0, WS_LOAD, 0, 0xb), HIT, "no sectors: the rest of the line");
	memory->free(memory);
}

static void test_atomics(void)
{
	struct ws_machine m = small_machine();
	struct ws_memory *memory = make(&m);

	load(memory, 0);
	test_u64(latency(memory, 0, WS_ATOMIC, 0, 0xf), MISS, "an atomic goes past the L1");
	test_u64(load(memory, 0), HIT, "and leaves it as it is");
	memory->free(memory);
}

int main(void)
{
	test_lru();
	test_parts();
	test_batch();
	test_stores();
	test_evict();
	test_sectors();
	test_atomics();
	return test_done();
}
