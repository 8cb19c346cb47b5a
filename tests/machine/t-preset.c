/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/machine/t-preset.c -- the presets: all load, and have the numbers that
 * are known of the cards by other ways than the files.
 */
#include "tests/test.h"
#include "machine/machine.h"

#include <stdlib.h>
#include <unistd.h>

#define K 1024u

/* SMs, KB of the largest L1 (of a part), of the most shared memory and of L1 and shared memory
 * together on the chip (0: apart), KB of the least shared memory, KB of L2, GB/s of DRAM within a
 * tenth. */
static const struct {
	const char *name;
	unsigned sms, l1, shared, unified, least, l2;
	double clock_ghz, dram_gbs;
} known[] = {
	{ "gtx480", 15, 16, 48, 64, 48, 768, 0.700, 177.4 },
	{ "gtx480-48k", 15, 48, 16, 64, 16, 768, 0.700, 177.4 },
	{ "gtx680", 8, 16, 48, 64, 48, 512, 1.006, 192.3 },
	{ "k20", 13, 16, 48, 64, 48, 1280, 0.706, 208 },
	{ "k40", 15, 16, 48, 64, 48, 1536, 0.745, 288 },
	{ "gtx980", 16, 24, 96, 0, 0, 2 * K, 1.126, 224.3 },
	{ "titanx-maxwell", 24, 24, 96, 0, 0, 3 * K, 1.000, 336.5 },
	{ "p100", 56, 24, 64, 0, 0, 4 * K, 1.480, 732 },
	{ "rtx2080ti", 68, 64, 64, 96, 32, 5632, 1.545, 616 },
	{ "mi100", 120, 16, 64, 0, 0, 8 * K, 1.502, 1229 },
	{ "mi210", 104, 16, 64, 0, 0, 8 * K, 1.700, 1638 },
	{ "titanx-pascal", 28, 24, 96, 0, 0, 3 * K, 1.417, 480 },
	{ "v100", 80, 128, 96, 128, 0, 6 * K, 1.132, 870 },
	{ "rtx2060", 30, 64, 64, 96, 32, 3 * K, 1.365, 336 },
	{ "a100", 108, 192, 164, 192, 0, 40 * K, 1.410, 1935 },
	{ "h100", 132, 256, 228, 256, 0, 50 * K, 1.980, 3350 },
	{ "h200", 132, 256, 228, 256, 0, 60 * K, 1.980, 4800 },
};

static void numbers(void)
{
	for (size_t i = 0; i < WS_COUNT(known); i++) {
		struct ws_err err = { .status = WS_OK };
		struct ws_machine m;
		double gbs;

		if (!test_ok(ws_machine_load(&m, known[i].name, &err) == WS_OK, "%s loads %s",
			     known[i].name, err.text))
			continue;
		test_str(m.name, known[i].name, "name");
		test_u64(m.sm_count, known[i].sms, "SMs");
		test_u64(m.l1.size_bytes, known[i].l1 * K, "L1");
		test_u64(m.l2.size_bytes, known[i].l2 * K, "L2");
		test_u64(m.sm_shared_bytes, known[i].shared * K, "shared memory");
		if (known[i].unified)
			test_u64(m.l1.size_bytes + known[i].least * K, known[i].unified * K,
				 "L1 and shared memory");
		test_u64(m.sm_threads, m.sm_warps * m.warp_width, "warps fill the threads");
		test_ok(m.title[0] && strcmp(m.title, m.name) != 0, "title %s", m.title);
		gbs = (double)m.dram_bandwidth * known[i].clock_ghz;
		test_abs(gbs, known[i].dram_gbs, 0.01 * known[i].dram_gbs, "DRAM in GB/s");
	}
}

/* Every file of data/machine is in the table above, and agrees with itself. */
static void all(void)
{
	char **names, path[256];
	size_t count, ours = 0;

	test_ok(ws_machine_list(&names, &count, NULL) == WS_OK, "the list");
	for (size_t i = 0; i < count; i++) {
		struct ws_err err = { .status = WS_OK };
		struct ws_machine m;
		bool ok = ws_machine_load(&m, names[i], &err) == WS_OK &&
			  m.l1.size_bytes == m.l1.sets * m.l1.ways * m.l1.line_bytes &&
			  m.l2.size_bytes ==
				  m.l2_slices * m.l2.sets * m.l2.ways * m.l2.line_bytes &&
			  m.l1.given == 0 && m.l2.given == 0;

		test_ok(ok, "%s is sound %s", names[i], err.text);
		snprintf(path, sizeof path, "data/machine/%s.conf", names[i]);
		ours += access(path, R_OK) == 0; /* not another data directory's */
		free(names[i]);
	}
	free(names);
	test_u64(ours, WS_COUNT(known), "presets known here");
}

int main(void)
{
	setenv("WARPSTACK_DATA", "data", 1);
	numbers();
	all();
	return test_done();
}
