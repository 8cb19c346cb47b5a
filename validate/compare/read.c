/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/compare/read.c -- an output of whatever kind; counters of profilers as statistics.
 */
#include "validate/compare/stats.h"
#include "validate/counters.h"

#include <math.h>
#include <string.h>

/* ---- counters of profilers ----------------------------------------------------------------- */

static const struct stat_counter {
	enum ws_stat stat;
	enum ws_counter counter;
} counters[] = {
	{ WS_STAT_CYCLES, WS_COUNTER_CYCLES },
	{ WS_STAT_WARP_INSTRUCTIONS, WS_COUNTER_INSTRUCTIONS },
	{ (unsigned)WS_STAT_L1_LOAD + (unsigned)WS_OF_ACCESSES, WS_COUNTER_L1_LOAD_QUERIES },
	{ (unsigned)WS_STAT_L1_LOAD + (unsigned)WS_OF_MISSES, WS_COUNTER_L1_LOAD_MISSES },
	{ (unsigned)WS_STAT_L1_STORE + (unsigned)WS_OF_ACCESSES, WS_COUNTER_L1_STORE_QUERIES },
	{ (unsigned)WS_STAT_L1_STORE + (unsigned)WS_OF_MISSES, WS_COUNTER_L1_STORE_MISSES },
	{ (unsigned)WS_STAT_L2_LOAD + (unsigned)WS_OF_ACCESSES, WS_COUNTER_L2_READ_QUERIES },
	{ (unsigned)WS_STAT_L2_LOAD + (unsigned)WS_OF_MISSES, WS_COUNTER_L2_READ_MISSES },
	{ (unsigned)WS_STAT_L2_STORE + (unsigned)WS_OF_ACCESSES, WS_COUNTER_L2_WRITE_QUERIES },
	{ (unsigned)WS_STAT_L2_STORE + (unsigned)WS_OF_MISSES, WS_COUNTER_L2_WRITE_MISSES },
	{ WS_STAT_L2_MISSES, WS_COUNTER_L2_ALL_MISSES },
	{ WS_STAT_DRAM_READS, WS_COUNTER_DRAM_READ },
	{ WS_STAT_DRAM_WRITES, WS_COUNTER_DRAM_WRITE },
};

/* Hit rates count where there are no counts. */
static const struct stat_counter rates[] = {
	{ (unsigned)WS_STAT_L1_LOAD + (unsigned)WS_OF_MISS_RATIO, WS_COUNTER_L1_HIT_PCT },
	{ (unsigned)WS_STAT_L2_LOAD + (unsigned)WS_OF_MISS_RATIO, WS_COUNTER_L2_HIT_PCT },
	{ WS_STAT_L2_MISS_RATIO, WS_COUNTER_L2_ALL_HIT_PCT },
};

static void settle(struct ws_stats_launch *l, const struct ws_counters_launch *from)
{
	const struct ws_counter_value *hits = &from->value[WS_COUNTER_L2_ALL_HITS];

	for (size_t i = 0; i < WS_COUNT(counters); i++)
		if (from->value[counters[i].counter].from)
			l->value[counters[i].stat] = from->value[counters[i].counter].value;
	if (hits->from)
		l->value[WS_STAT_L2_ACCESSES] = hits->value + l->value[WS_STAT_L2_MISSES];
	ws_stats_ratios(l);
	for (size_t i = 0; i < WS_COUNT(rates); i++)
		if (isnan(l->value[rates[i].stat]) && from->value[rates[i].counter].from)
			l->value[rates[i].stat] = 1 - from->value[rates[i].counter].value / 100;
}

static enum ws_status read_counters(struct ws_stats *s, const struct ws_in *in, struct ws_err *err)
{
	struct ws_err why = { .status = WS_OK };
	struct ws_counters *c = NULL;
	enum ws_status status = ws_counters_read(&c, in, NULL, &why);

	s->kind = "counters";
	if (status == WS_EFORMAT)
		return ws_fail(err, status, "%s; nor is it statistics of GPGPU-Sim, or rows of a "
			       "simulation", why.text);
	if (status != WS_OK)
		return ws_fail_as(err, &why);
	for (size_t i = 0; status == WS_OK && i < c->launches; i++) {
		const struct ws_counters_launch *from = &c->launch[i];
		struct ws_stats_launch *l = ws_stats_launch_new(s, from->kernel,
								strlen(from->kernel), from->line);

		if (l)
			settle(l, from);
		else
			status = ws_fail_memory(err, "a launch");
	}
	ws_counters_free(c);
	return status;
}

enum ws_status ws_stats_read(struct ws_stats **out, const struct ws_in *in, struct ws_err *err)
{
	struct ws_stats *s = ws_alloc_zero(1, sizeof *s);
	enum ws_status status;

	*out = NULL;
	if (!s)
		return ws_fail_memory(err, "the statistics");
	if (ws_stats_is_text(in))
		status = ws_stats_text(s, in, err);
	else if (ws_stats_is_rows(in))
		status = ws_stats_rows(s, in, err);
	else
		status = read_counters(s, in, err);
	if (status == WS_OK && !s->launches)
		status = ws_fail(err, WS_EFORMAT, "%s:1: no launch is in it", in->name);
	if (status == WS_OK)
		*out = s;
	else
		ws_stats_free(s);
	return status;
}
