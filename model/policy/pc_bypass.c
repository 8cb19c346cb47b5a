/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/pc_bypass.c -- LRU with bypassing for instructions whose lines are not used again.
 *
 * Exact face, the paper's rules: a line keeps the hashed program counter (PC) of the instruction
 * that used it last.  A table has one saturating counter for each hash.  A hit decrements the
 * counter of the line's PC, since that use was not the last one.  An eviction increments it, since
 * it was.  A request that misses bypasses the cache if the counter of its own PC has reached a
 * threshold.
 *
 * Our choices: 128 counters of 4 bits that begin at 0, and a threshold of 8.  The hash folds the
 * instruction's number; numbers below 128 do not collide.  In the paper the next level reports
 * requests that should not have bypassed.  A cache alone cannot know, so every 16th request that
 * would bypass is filled all the same, and the counters learn from it.  Any request that finds its
 * line is a hit.  A line that a store evicts (write-evict) counts like any other eviction.
 * Requests without an instruction (lines of an L2 at the start, write-backs of an L1) never bypass.
 *
 * A way has two words: the clock of its last use, and the hash of the PC that used it.
 *
 * Analytic face: none.
 */
#include "model/policy/order.h"

#define HASH_BITS 7u
#define HASHES (1u << HASH_BITS)
#define COUNTER_TOP 15u
#define THRESHOLD 8u
#define PAST_MAX 15u		/* bypasses in a row */

/* A counter's word in set->shared: its value, and the bypasses since the last fill. */
#define ONE (UINT64_C(1) << 32)

static unsigned hash(const struct ws_set *set)
{
	uint32_t pc = set->access->instruction;

	pc ^= pc >> 4 * HASH_BITS ^ pc >> 3 * HASH_BITS ^ pc >> 2 * HASH_BITS ^ pc >> HASH_BITS;
	return pc % HASHES;
}

static uint64_t *user(const struct ws_set *set, unsigned way)
{
	return &set->meta[set->ways + way];
}

static void use(struct ws_set *set, unsigned way)
{
	set->meta[way] = set->clock;
	*user(set, way) = hash(set);
}

static void pc_bypass_hit(struct ws_set *set, unsigned way)
{
	uint64_t *counter = &set->shared[*user(set, way)];

	*counter -= *counter >= ONE ? ONE : 0;
	use(set, way);
}

static void evict(struct ws_set *set, unsigned way)
{
	uint64_t *counter = &set->shared[*user(set, way)];

	*counter += *counter < COUNTER_TOP * ONE ? ONE : 0;
}

static void pc_bypass_fill(struct ws_set *set, unsigned way)
{
	use(set, way);
	set->shared[hash(set)] &= ~(ONE - 1);
}

static bool bypass(const struct ws_set *set)
{
	uint64_t counter = set->shared[hash(set)];

	return set->access->instruction != UINT32_MAX && counter >= THRESHOLD * ONE &&
	       counter % ONE < PAST_MAX;
}

static void went_past(struct ws_set *set)
{
	set->shared[hash(set)]++;
}

static unsigned pc_bypass_victim(struct ws_set *set)
{
	return ws_order_least(set);
}

extern const struct ws_policy ws_policy_pc_bypass;
const struct ws_policy ws_policy_pc_bypass = {
	.name = "pc-bypass",
	.summary = "LRU; what instructions ask for whose lines are not used again goes past the "
		   "cache",
	.source = "Tian, Puthoor, Greathouse, Beckmann, Jimenez: Adaptive GPU cache bypassing, "
		  "GPGPU-8, 2015; a sample brought in takes the place of what the L2 tells",
	.variant = true,
	.basis = WS_APPROX,
	.way_words = 2, .cache_words = HASHES,
	.on_hit = pc_bypass_hit,
	.on_fill = pc_bypass_fill,
	.on_evict = evict,
	.victim = pc_bypass_victim,
	.endless = "learns of instructions, which a law of lines has not",
	.bypass = bypass,
	.on_bypass = went_past,
};
