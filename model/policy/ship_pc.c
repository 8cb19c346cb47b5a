/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/ship_pc.c -- signature-based hit prediction; signatures are program counters.
 *
 * Exact face, the paper's rules: a line keeps the 14-bit signature of the instruction that filled
 * it, and its outcome: whether it was hit since.  A table of 2^14 counters of 3 bits (SHCT) has one
 * for each signature.  A hit sets the outcome and increments the counter of the line's signature.
 * The eviction of a line without a hit decrements it.  Lines are replaced as under SRRIP of two
 * bits with hit priority.  But a line is inserted at the top ("distant") if the counter of its
 * signature is 0, else one below.
 *
 * Our choices: the paper gives no hash, so the instruction's number is folded; numbers below 2^14
 * do not collide.  Counters begin at 0, so the first lines of an instruction are distant.  Any
 * request that finds its line is a hit, also a store, and also if the line is only partly valid.  A
 * line that a store evicts (write-evict) counts like any other eviction.  Fills without an
 * instruction (lines of an L2 at the start, write-backs of an L1) share one signature.
 *
 * A way has two words: its value (rrip.h), and its signature with the outcome.
 *
 * Analytic face: none.
 */
#include "model/policy/rrip.h"

#define SIGNATURE_BITS 14u
#define SIGNATURES (1u << SIGNATURE_BITS)
#define COUNTER_TOP 7u		/* three bits */
#define OUTCOME (UINT64_C(1) << SIGNATURE_BITS)

static uint64_t signature(const struct ws_set *set)
{
	uint32_t pc = set->access->instruction;

	return (pc ^ pc >> SIGNATURE_BITS ^ pc >> 2 * SIGNATURE_BITS) % SIGNATURES;
}

/* The word with a way's signature and outcome. */
static uint64_t *mark(const struct ws_set *set, unsigned way)
{
	return &set->meta[set->ways + way];
}

static void ship_pc_hit(struct ws_set *set, unsigned way)
{
	uint8_t *counter = &set->table[*mark(set, way) % SIGNATURES];

	if (*counter < COUNTER_TOP)
		++*counter;
	*mark(set, way) |= OUTCOME;
	ws_rrip_hit(set, way);
}

static void evict(struct ws_set *set, unsigned way)
{
	uint8_t *counter = &set->table[*mark(set, way) % SIGNATURES];

	if (*counter > 0 && !(*mark(set, way) & OUTCOME))
		--*counter;
}

static void ship_pc_fill(struct ws_set *set, unsigned way)
{
	*mark(set, way) = signature(set);
	ws_rrip_put(set, way, set->table[signature(set)] ? WS_RRIP_TOP - 1 : WS_RRIP_TOP);
}

static unsigned ship_pc_victim(struct ws_set *set)
{
	return ws_rrip_victim(set, WS_RRIP_TOP);
}

extern const struct ws_policy ws_policy_ship_pc;
const struct ws_policy ws_policy_ship_pc = {
	.name = "ship-pc",
	.summary = "SRRIP, but lines of instructions whose lines were not hit are inserted last",
	.source = "Wu, Jaleel, Hasenplaugh, Martonosi, Steely, Emer: SHiP: signature-based hit "
		  "predictor for high performance caching, MICRO 2011",
	.variant = true,
	.basis = WS_APPROX,
	.way_words = 2, .set_words = 1, .table_bytes = SIGNATURES,
	.on_hit = ship_pc_hit,
	.on_fill = ship_pc_fill,
	.on_evict = evict,
	.victim = ship_pc_victim,
	.endless = "learns of instructions, which a law of lines has not",
};
