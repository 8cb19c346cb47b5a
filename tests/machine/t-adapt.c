/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/machine/t-adapt.c -- L1 and shared memory that share one array: carve-outs by kernel and
 * preset, and what is given besides.
 *
 * The numbers are made by hand from the presets' limits: CTAs by threads, warps, CTAs, registers
 * and the largest carve-out, or the grid's share; times shared memory; the next size of the list;
 * ways of the whole array * (1 - size / array).
 */
#include "tests/test.h"
#include "machine/machine.h"

#include <stdlib.h>

#define K 1024u

struct row {
	const char *machine;
	struct ws_demand demand; /* shared memory of a CTA, threads, registers, CTAs */
	unsigned carveout, ways; /* KB */
};

static const struct row rows[] = {
	/* V100: 80 SMs, 2048 threads, 32 CTAs, 65536 registers, 256 ways for 128 KB. */
	{ "v100", { 0, 256, 0, 0 }, 0, 256 },
	{ "v100", { 1, 1024, 0, 0 }, 8, 240 },			/* 2 B */
	{ "v100", { 4 * K, 1024, 0, 0 }, 8, 240 },		/* 2 * 4 KB: just */
	{ "v100", { 4 * K + 1, 1024, 0, 0 }, 16, 224 },
	{ "v100", { 4 * K, 256, 0, 0 }, 32, 192 },		/* 8 * 4 KB */
	{ "v100", { 4 * K, 256, 64, 0 }, 16, 224 },		/* 65536 / (64 * 256): 4 CTAs */
	{ "v100", { 2 * K, 32, 0, 0 }, 64, 128 },		/* 32 CTAs, and no more */
	{ "v100", { 12 * K, 256, 0, 0 }, 96, 64 },		/* 8 * 12 KB: just */
	{ "v100", { 48 * K, 256, 0, 0 }, 96, 64 },		/* 2, by shared memory */
	{ "v100", { 48 * K, 1024, 64, 0 }, 64, 128 },		/* 1, by registers */
	{ "v100", { 96 * K, 32, 0, 0 }, 96, 64 },
	{ "v100", { 48 * K, 256, 0, 80 }, 64, 128 },		/* a CTA for each SM */
	{ "v100", { 48 * K, 256, 0, 81 }, 96, 64 },		/* one SM has two */
	{ "v100", { 4 * K, 256, 0, 161 }, 16, 224 },		/* 3 * 4 KB */
	/* Turing has no less than 32 KB: 1024 threads, 16 CTAs, 192 ways for 96 KB. */
	{ "rtx2060", { 0, 256, 0, 0 }, 32, 128 },
	{ "rtx2060", { 8 * K, 256, 0, 0 }, 32, 128 },		/* 4 * 8 KB */
	{ "rtx2060", { 8 * K + 4, 256, 0, 0 }, 64, 64 },
	{ "rtx2060", { 64 * K, 64, 0, 0 }, 64, 64 },
	/* Ampere and Hopper: 1 KB more for each CTA; 384 ways for 192 KB, 512 for 256 KB. */
	{ "a100", { 0, 1024, 0, 0 }, 8, 368 },			/* 2 KB */
	{ "a100", { 0, 256, 0, 0 }, 8, 368 },			/* 8 KB: just */
	{ "a100", { 0, 128, 0, 0 }, 16, 352 },
	{ "a100", { 12 * K, 256, 0, 0 }, 132, 120 },		/* 8 * 13 = 104 KB */
	{ "a100", { 11 * K, 256, 0, 0 }, 100, 184 },		/* 8 * 12 = 96 KB */
	{ "a100", { 163 * K, 256, 0, 0 }, 164, 56 },
	{ "h100", { 0, 256, 0, 0 }, 8, 496 },
	{ "h100", { 20 * K, 256, 0, 0 }, 196, 120 },		/* 8 * 21 = 168 KB */
	{ "h200", { 227 * K, 1024, 0, 0 }, 228, 56 },
};

static struct ws_machine load(const char *name)
{
	struct ws_err err = { .status = WS_OK };
	struct ws_machine m;

	memset(&m, 0, sizeof m);
	test_ok(ws_machine_load(&m, name, &err) == WS_OK, "%s loads %s", name, err.text);
	return m;
}

static void table(void)
{
	for (size_t i = 0; i < WS_COUNT(rows); i++) {
		const struct row *r = &rows[i];
		struct ws_machine m = load(r->machine), out = m, again = m;
		uint64_t before = 0, after = 0;
		struct ws_err err = { .status = WS_OK };
		const char *limit;

		test_ok(ws_machine_adapt(&m, &r->demand, &out, &err) == WS_OK, "row %zu %s", i,
			err.text);
		test_u64(out.sm_carveout, r->carveout * K, "carve-out");
		test_u64(out.sm_shared_bytes, r->carveout * K, "shared memory");
		test_u64(out.l1.ways, r->ways, "ways");
		test_u64(out.l1.sets, m.l1.sets, "sets stay");
		test_u64(out.l1.size_bytes + out.sm_shared_bytes, m.sm_unified_bytes, "the array");
		test_ok(!ws_machine_adapts(&out) &&
			ws_machine_adapt(&out, &r->demand, &again, &err) == WS_OK &&
			again.l1.ways == out.l1.ways && ws_machine_check(&again, &err) == WS_OK &&
			again.l1.ways == out.l1.ways, "adapts no more %s", err.text);
		/* A small grid gets less: there is no need for more. */
		if (!r->demand.ctas &&
		    ws_machine_residency(&m, &r->demand, &before, &limit, &err) == WS_OK &&
		    ws_machine_residency(&out, &r->demand, &after, &limit, &err) == WS_OK)
			test_u64(after, before, "as many CTAs");
	}
}

static void too_large(const char *name, const char *set, uint64_t shared, const char *says)
{
	const struct ws_demand d = { .shared_bytes = shared, .threads = 64 };
	struct ws_machine m = load(name), out = m;
	struct ws_err err = { .status = WS_OK };

	if (set)
		test_ok(ws_machine_set(&m, set, &err) == WS_OK &&
				ws_machine_check(&m, &err) == WS_OK,
			"%s %s", set, err.text);
	if (ws_machine_adapts(&m)) {
		test_ok(ws_machine_adapt(&m, &d, &out, &err) == WS_EINVAL, "does not fit");
	} else {
		uint64_t ctas = 1;
		const char *limit;

		test_ok(ws_machine_residency(&m, &d, &ctas, &limit, &err) == WS_EINVAL && !ctas,
			"does not fit");
	}
	test_str(err.text, says, "and is told");
}

/* Orders without time hold any number of CTAs; the L1 is then what the largest carve-out leaves. */
static void untimed(void)
{
	const struct ws_demand d = { .shared_bytes = 200 * K, .threads = 64 };
	struct ws_machine m = load("v100"), out = m;

	m.sm_scheduler = WS_SCHED_SEQUENTIAL;
	test_ok(ws_machine_adapt(&m, &d, &out, NULL) == WS_OK, "whatever it wants");
	test_u64(out.l1.ways, 64, "ways");
}

/* ---- what is given -------------------------------------------------------------------------- */

struct given {
	const char *machine, *set[3];
	uint64_t size, sets, ways, shared;	/* size 0: an error */
	const char *carveout;			/* or what it says */
};

static const struct given givens[] = {
	{ "v100", { NULL }, 128 * K, 4, 256, 96 * K, "auto" },
	{ "v100", { "sm.carveout=auto" }, 128 * K, 4, 256, 96 * K, "auto" },
	{ "v100", { "sm.carveout=32K" }, 96 * K, 4, 192, 32 * K, "32768" },
	{ "v100", { "sm.carveout=none" }, 128 * K, 4, 256, 96 * K, "none" },
	{ "v100", { "sm.shared=64K" }, 64 * K, 4, 128, 64 * K, "none" },
	{ "v100", { "sm.shared=48K" }, 80 * K, 4, 160, 48 * K, "none" }, /* no card has it */
	{ "v100", { "l1.size=64K" }, 64 * K, 4, 128, 96 * K, "none" },
	{ "v100", { "l1.size=128K" }, 128 * K, 4, 256, 96 * K, "none" },
	{ "v100", { "l1.size=1M" }, 1024 * K, 4, 2048, 96 * K, "none" }, /* is asked about */
	{ "v100", { "l1.ways=64" }, 32 * K, 4, 64, 96 * K, "none" },
	{ "v100", { "l1.sets=8" }, 256 * K, 8, 256, 96 * K, "none" },
	{ "v100", { "l1.line=64" }, 128 * K, 8, 256, 96 * K, "auto" },
	{ "v100", { "l1.size=64K", "l1.ways=4" }, 64 * K, 128, 4, 96 * K, "none" },
	{ "v100", { "l1.size=64K", "sm.shared=96K" }, 64 * K, 4, 128, 96 * K, "none" },
	{ "v100", { "sm.carveout=32K", "l1.size=96K" }, 96 * K, 4, 192, 32 * K, "32768" },
	{ "v100", { "sm.carveout=32K", "l1.size=16K" }, 16 * K, 4, 32, 32 * K, "none" },
	{ "v100", { "sm.carveout=32K", "l1.sets=64" }, 96 * K, 64, 12, 32 * K, "32768" },
	{ "v100", { "sm.carveout=32K", "sm.shared=32K" }, 96 * K, 4, 192, 32 * K, "none" },
	{ "v100", { "sm.carveout=auto", "l1.size=128K" }, 128 * K, 4, 256, 96 * K, "auto" },
	{ "v100", { "sm.unified=256K" }, 256 * K, 4, 512, 96 * K, "auto" },
	{ "v100", { "sm.unified=0" }, 128 * K, 4, 256, 96 * K, "none" },
	{ "gtx480", { "sm.unified=64K", "sm.carveouts=16K,48K", "sm.carveout=16K" }, 48 * K, 32, 12,
	  16 * K, "16384" },

	{ "v100", { "sm.carveout=48K" }, .carveout = "sm.carveout = 49152: want auto, none, or one "
	  "of sm.carveouts = 0,8K,16K,32K,64K,96K" },
	{ "v100", { "sm.carveout=32K", "l1.size=128K" }, .carveout = "l1.size = 131072 and "
	  "sm.carveout = 32768 of sm.unified = 131072 contradict each other: want one of them" },
	{ "v100", { "sm.carveout=auto", "l1.size=64K" }, .carveout = "l1.size = 65536 and "
	  "sm.carveout = auto of sm.unified = 131072 contradict each other: want one of them" },
	{ "v100", { "sm.carveout=32K", "sm.shared=64K" }, .carveout = "sm.shared = 65536 and "
	  "sm.carveout = 32768 of sm.unified = 131072 contradict each other: want one of them" },
	{ "v100", { "sm.carveouts=none" }, .carveout = "sm.carveouts = none: want the sizes that "
	  "sm.carveout can have" },
	{ "v100", { "sm.carveouts=0,256K" }, .carveout = "sm.carveouts: 262144 is more than "
	  "sm.unified = 131072" },
	{ "v100", { "sm.shared=128K" }, .carveout = "131072 bytes of shared memory of sm.unified = "
	  "131072 leave an L1 of l1.sets = 4 no way" },
	{ "gtx480", { "sm.carveout=auto" }, .carveout = "sm.carveout: L1 and shared memory of "
	  "gtx480 are apart (sm.unified = 0)" },
	{ "gtx480", { "sm.shared=auto" }, .carveout = "sm.shared = auto: L1 and shared memory of "
	  "gtx480 are apart (sm.unified = 0)" },
};

/* Settled again, and as a file and back, it is the same. */
static bool stable(struct ws_machine *m)
{
	struct ws_buf first = { .data = NULL }, second = { .data = NULL }, third = { .data = NULL };
	struct ws_machine again = *m, back;
	struct ws_err err = { .status = WS_OK };
	bool same = ws_machine_check(&again, &err) == WS_OK;

	ws_machine_write(m, &first);
	ws_machine_write(&again, &second);
	same = same &&
	       ws_machine_read(&back, (const char *)first.data, first.len, "f", &err) == WS_OK;
	if (same)
		ws_machine_write(&back, &third);
	same = same && first.len == second.len && !memcmp(first.data, second.data, first.len) &&
	       first.len == third.len && !memcmp(first.data, third.data, first.len);
	if (!same)
		printf("# %s\n", err.text);
	ws_buf_clear(&first);
	ws_buf_clear(&second);
	ws_buf_clear(&third);
	return same;
}

static void given(const struct given *g)
{
	struct ws_machine m = load(g->machine);
	struct ws_err err = { .status = WS_OK };
	char carveout[2 * WS_NAME_MAX];
	enum ws_status status;

	for (size_t i = 0; i < WS_COUNT(g->set) && g->set[i]; i++)
		test_ok(ws_machine_set(&m, g->set[i], &err) == WS_OK, "%s %s", g->set[i], err.text);
	status = ws_machine_check(&m, &err);
	if (!g->size) {
		test_ok(status == WS_EINVAL, "%s: refused", g->set[0]);
		test_str(err.text, g->carveout, "with");
		return;
	}
	test_ok(status == WS_OK, "%s %s", g->set[0] ? g->set[0] : "nothing", err.text);
	test_u64(m.l1.size_bytes, g->size, "l1.size");
	test_u64(m.l1.sets, g->sets, "l1.sets");
	test_u64(m.l1.ways, g->ways, "l1.ways");
	test_u64(m.sm_shared_bytes, g->shared, "shared memory");
	ws_machine_get(&m, ws_key_find("sm.carveout"), carveout, sizeof carveout);
	test_str(carveout, g->carveout, "sm.carveout");
	test_ok(stable(&m), "and stays so");
}

/* Whichever comes first. */
static void demands(void)
{
	static const struct ws_demand ascending[] = {
		{ 0, 256, 0, 10 }, { 0, 128, 0, 20 }, { 100, 256, 64, 20 }, { 100, 128, 64, 20 },
		{ 100, 128, 32, 20 }, { 100, 128, 32, 0 }, { 200, 512, 0, 1 },
	};

	for (size_t i = 0; i < WS_COUNT(ascending); i++) {
		for (size_t j = 0; j < WS_COUNT(ascending); j++) {
			struct ws_demand sum = ascending[i];
			const struct ws_demand *want = &ascending[i > j ? i : j];

			ws_demand_add(&sum, ascending[j]);
			test_ok(sum.shared_bytes == want->shared_bytes &&
					sum.threads == want->threads &&
					sum.registers == want->registers && sum.ctas == want->ctas,
				"%zu and %zu", i, j);
		}
	}
}

int main(void)
{
	setenv("WARPSTACK_DATA", "data", 1);
	table();
	too_large("v100", NULL, 96 * K + 4,
		  "a CTA of 98308 bytes of shared memory: v100 allows 98304 (sm.carveouts)");
	too_large("a100", NULL, 164 * K,
		  "a CTA of 168960 bytes of shared memory: a100 allows 167936 (sm.carveouts)");
	too_large("v100", "sm.carveout=32K", 48 * K,
		  "a CTA of 49152 bytes of shared memory: v100 allows 32768 (sm.carveout)");
	too_large("v100", "sm.shared=32K", 48 * K,
		  "a CTA of 49152 bytes of shared memory: v100 allows 32768 (sm.shared)");
	untimed();
	for (size_t i = 0; i < WS_COUNT(givens); i++)
		given(&givens[i]);
	demands();
	return test_done();
}
