/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/results.c -- sums of the cycle simulator's counts.
 */
#include "validate/cycle/cycle.h"

#include <stdlib.h>

const char *const ws_fail_names[WS_FAILS] = { "line", "queue", "mshr", "merge" };
const char *const ws_stall_names[WS_STALLS] = { "empty", "lsu", "data", "barrier", "other" };

void ws_cycle_result_clear(struct ws_cycle_result *r)
{
	free(r->kernel);
	free(r->sm);
	free(r->slice);
	free(r->site);
	*r = (struct ws_cycle_result){ 0 };
}

void ws_cycle_results_free(struct ws_cycle_result *r, size_t launches)
{
	for (size_t i = 0; r && i < launches; i++)
		ws_cycle_result_clear(&r[i]);
	free(r);
}

void ws_cycle_counts_add(struct ws_cycle_counts *to, const struct ws_cycle_counts *from)
{
	to->requests += from->requests;
	to->hits += from->hits;
	to->pending += from->pending;
	to->misses += from->misses;
	to->sector_misses += from->sector_misses;
	to->sectors += from->sectors;
	for (size_t i = 0; i < WS_FAILS; i++)
		to->fails[i] += from->fails[i];
}

static void add_kinds(struct ws_cycle_counts to[WS_KINDS + 1],
		      const struct ws_cycle_counts from[WS_KINDS])
{
	for (size_t k = 0; k < WS_KINDS; k++) {
		ws_cycle_counts_add(&to[k], &from[k]);
		ws_cycle_counts_add(&to[WS_KINDS], &from[k]);
	}
}

void ws_cycle_l1(const struct ws_cycle_result *r, struct ws_cycle_counts kind[WS_KINDS + 1])
{
	for (size_t k = 0; k <= WS_KINDS; k++)
		kind[k] = (struct ws_cycle_counts){ 0 };
	for (size_t i = 0; i < r->sms; i++)
		add_kinds(kind, r->sm[i].l1);
}

void ws_cycle_l2(const struct ws_cycle_result *r, struct ws_cycle_counts kind[WS_KINDS + 1])
{
	for (size_t k = 0; k <= WS_KINDS; k++)
		kind[k] = (struct ws_cycle_counts){ 0 };
	for (size_t i = 0; i < r->slices; i++)
		add_kinds(kind, r->slice[i].l2);
}

void ws_grain_stats_add(struct ws_grain_stats *to, const struct ws_grain_stats *from)
{
	for (size_t i = 0; i < WS_GRAIN_SIZES; i++)
		to->size[i] += from->size[i];
	to->partial += from->partial;
	to->invalidated += from->invalidated;
	to->written_back += from->written_back;
	to->finer += from->finer;
	to->coarser += from->coarser;
	to->flushed += from->flushed;
}

void ws_core_stats_add(struct ws_core_stats *to, const struct ws_core_stats *from)
{
	for (size_t k = 0; k < WS_KINDS; k++)
		ws_cycle_counts_add(&to->l1[k], &from->l1[k]);
	to->cycles += from->cycles;
	to->issued += from->issued;
	to->memory_instructions += from->memory_instructions;
	to->warp_cycles += from->warp_cycles;
	to->bank_conflicts += from->bank_conflicts;
	to->waits += from->waits;
	to->slots += from->slots;
	for (size_t i = 0; i < WS_STALLS; i++)
		to->stalls[i] += from->stalls[i];
	to->loads += from->loads;
	to->latency_sum += from->latency_sum;
	if (from->latency_max > to->latency_max)
		to->latency_max = from->latency_max;
	for (size_t i = 0; i < WS_LATENCY_CELLS; i++)
		to->latency[i] += from->latency[i];
	to->mshrs_sum += from->mshrs_sum;
	to->sent_packets += from->sent_packets;
	to->sent_bytes += from->sent_bytes;
	to->received_packets += from->received_packets;
	to->received_bytes += from->received_bytes;
	ws_grain_stats_add(&to->grain, &from->grain);
	to->tlb.requests += from->tlb.requests;
	for (size_t i = 0; i < 2; i++)
		to->tlb.misses[i] += from->tlb.misses[i];
}

void ws_cycle_sm(const struct ws_cycle_result *r, struct ws_core_stats *sum)
{
	*sum = (struct ws_core_stats){ 0 };
	for (size_t i = 0; i < r->sms; i++)
		ws_core_stats_add(sum, &r->sm[i]);
}

uint64_t ws_cycle_latency(const struct ws_core_stats *s, double share)
{
	uint64_t total = 0, below = 0, end;
	uint32_t last = 0;

	for (uint32_t i = 0; i < WS_LATENCY_CELLS; i++)
		total += s->latency[i];
	for (uint32_t i = 0; i < WS_LATENCY_CELLS && (double)below < share * (double)total; i++) {
		below += s->latency[i];
		last = s->latency[i] ? i : last;
	}
	if (!total)
		return 0;
	/* The last cell has no next one. */
	if (last + 1 == WS_LATENCY_CELLS)
		return s->latency_max;
	end = ws_cell_first(last + 1, WS_LATENCY_BITS) - 1u;
	return end < s->latency_max ? end : s->latency_max;
}
