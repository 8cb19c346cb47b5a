/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/compare/stats.c -- the statistics by name, and launches that have them.
 */
#include "base/demangle.h"
#include "validate/compare/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AT(first, of) ((unsigned)(first) + (unsigned)WS_OF_##of)
#define CACHE(first, name, of) \
	[AT(first, ACCESSES)] = { name "_accesses", false, "requests of " of }, \
	[AT(first, HITS)] = { name "_hits", false, "of them, those whose data is there" }, \
	[AT(first, PENDING)] = { name "_pending", false, \
		"of them, those whose data is on its way" }, \
	[AT(first, MISSES)] = { name "_misses", false, \
		"of them, those whose data is not there, be it of a line or of a sector" }, \
	[AT(first, FAILS)] = { name "_fails", false, \
		"look-ups that were tried again, as something was full" }, \
	[AT(first, MISS_RATIO)] = { name "_miss_ratio", true, "misses / accesses" }

const struct ws_stat_row ws_stat_rows[WS_STATS] = {
	[WS_STAT_CYCLES] = { "cycles", false, "cycles of the SMs, from begin to end" },
	[WS_STAT_THREAD_INSTRUCTIONS] = { "thread_instructions", false,
		"instructions of threads" },
	[WS_STAT_WARP_INSTRUCTIONS] = { "warp_instructions", false, "instructions of warps" },
	CACHE(WS_STAT_L1_LOAD, "l1_load", "loads to the L1s"),
	CACHE(WS_STAT_L1_STORE, "l1_store", "stores to the L1s"),
	CACHE(WS_STAT_L2_LOAD, "l2_load", "loads and atomics to the L2"),
	CACHE(WS_STAT_L2_STORE, "l2_store", "stores to the L2, lines written back with them"),
	[WS_STAT_L2_ACCESSES] = { "l2_accesses", false,
		"requests of all kinds to the L2; of GPGPU-Sim code and constants, too" },
	[WS_STAT_L2_MISSES] = { "l2_misses", false, "of them, those whose data is not there" },
	[WS_STAT_L2_MISS_RATIO] = { "l2_miss_ratio", true, "l2_misses / l2_accesses" },
	[WS_STAT_DRAM_READS] = { "dram_reads", false, "32 bytes read from DRAM" },
	[WS_STAT_DRAM_WRITES] = { "dram_writes", false, "32 bytes written to DRAM" },
};

struct ws_stats_launch *ws_stats_launch_new(struct ws_stats *s, const char *kernel, size_t len,
					    uint64_t line)
{
	struct ws_stats_launch *l;
	char *written = strndup(kernel, len), *name = written ? ws_plain_name(written) : NULL;

	free(written);
	if (!name || !WS_ROOM(s->launch, s->cap, s->launches + 1)) {
		free(name);
		return NULL;
	}
	l = &s->launch[s->launches++];
	*l = (struct ws_stats_launch){ .kernel = name, .number = s->launches, .line = line };
	for (unsigned i = 0; i < WS_STATS; i++)
		l->value[i] = (double)NAN;
	return l;
}

void ws_stats_free(struct ws_stats *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->launches; i++)
		free(s->launch[i].kernel);
	free(s->launch);
	free(s);
}

/* part / whole; where the whole is 0 there is none. */
static double share(double part, double whole)
{
	return whole > 0 ? part / whole : (double)NAN;
}

void ws_stats_ratios(struct ws_stats_launch *l)
{
	for (unsigned first = WS_STAT_L1_LOAD; first < WS_STAT_L2_ACCESSES; first += WS_OF_CACHE) {
		double *of = &l->value[first];

		if (isnan(of[WS_OF_ACCESSES]))
			of[WS_OF_ACCESSES] = of[WS_OF_HITS] + of[WS_OF_PENDING] + of[WS_OF_MISSES];
		if (isnan(of[WS_OF_MISS_RATIO]))
			of[WS_OF_MISS_RATIO] = share(of[WS_OF_MISSES], of[WS_OF_ACCESSES]);
	}
	if (isnan(l->value[WS_STAT_L2_MISS_RATIO]))
		l->value[WS_STAT_L2_MISS_RATIO] =
			share(l->value[WS_STAT_L2_MISSES], l->value[WS_STAT_L2_ACCESSES]);
}
