/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/slice.c -- an address's slice of the L2, and its place in the slice.
 *
 * h is a set-index function of hash.c over blocks of l2.interleave bytes.  Each of them here maps
 * an aligned run of `slices` blocks one to one onto the slices, so the number of the run is the
 * number of the block within its slice.
 */
#include "machine/private.h"

const char *const ws_slice_hash_names[] = { "modulo", "xor", "ipoly", "ipoly-skew", NULL };

/* groups: channels that take turns, of which each has slices / groups; 1: slices do. */
static inline uint64_t slice_of(const struct ws_hash *hash, uint64_t slices, uint64_t groups,
				uint64_t block)
{
	if (slices <= 1)
		return 0;
	if (groups > 1) {
		uint64_t run = block / slices, in = block % slices;

		block = run * slices + in % groups * (slices / groups) + in / groups;
	}
	return ws_hash_line(hash, block, slices);
}

static uint64_t groups_of(const struct ws_machine *m)
{
	return m->l2_slice_order == WS_SLICES_CHANNELS ? ws_dram_channels(m) : 1;
}

/* The address within the slice: the run's number is the block's there. */
static inline uint64_t local_of(uint64_t slices, unsigned shift, uint64_t addr)
{
	uint64_t block = addr >> shift, in = addr & (((uint64_t)1 << shift) - 1);

	if (slices <= 1)
		return addr;
	block = ws_is_pow2(slices) ? block >> ws_exponent(slices) : block / slices;
	return block << shift | in;
}

uint64_t ws_l2_slice(const struct ws_machine *m, uint64_t addr)
{
	return slice_of(ws_slice_hashes[m->l2_slice_hash], m->l2_slices, groups_of(m),
			addr >> ws_exponent(m->l2_interleave_bytes));
}

uint64_t ws_l2_local(const struct ws_machine *m, uint64_t addr)
{
	return local_of(m->l2_slices, ws_exponent(m->l2_interleave_bytes), addr);
}

/* Once per access to the L2: nothing is copied. */
uint64_t ws_sliced_index(const struct ws_cache *cache, uint64_t addr)
{
	unsigned shift = ws_exponent(cache->interleave_bytes);
	uint64_t slice = slice_of(cache->slice_hash, cache->slices, cache->slice_groups,
				  addr >> shift);
	uint64_t sets = ws_is_pow2(cache->slices) ? cache->sets >> ws_exponent(cache->slices)
						  : cache->sets / cache->slices;
	uint64_t local;

	if (sets == 1)
		return slice;
	local = local_of(cache->slices, shift, addr);
	return slice * sets + ws_hash_local(cache, local, sets);
}

struct ws_cache ws_l2_whole(const struct ws_machine *m)
{
	struct ws_cache whole = m->l2;

	whole.sets = m->l2.sets * m->l2_slices;
	whole.slices = m->l2_slices;
	whole.slice_groups = groups_of(m);
	whole.interleave_bytes = m->l2_interleave_bytes;
	whole.slice_hash = ws_slice_hashes[m->l2_slice_hash];
	return whole;
}

uint64_t ws_icnt_cycles(const struct ws_machine *m)
{
	uint64_t cycles = m->icnt_latency_cycles ? m->icnt_latency_cycles
						 : m->l2.latency_cycles / 4;

	return cycles ? cycles : 1;
}

uint64_t ws_l2_cycles(const struct ws_machine *m)
{
	uint64_t rest = 2 * ws_icnt_cycles(m) + m->l1_mshr_cycles;

	return m->l2.latency_cycles > rest ? m->l2.latency_cycles - rest : 0;
}

/* Sixteen: the L1's queue; seven to the slice, and seven back, of which the router takes six; and
 * the SM's own queue.  A crossbar takes one. */
uint64_t ws_router_wait_cycles(const struct ws_machine *m)
{
	uint64_t rest = (m->icnt_router_speedup ? 16 : 6) + m->l1_mshr_cycles;

	return m->l2.latency_cycles > rest ? m->l2.latency_cycles - rest : 1;
}

uint64_t ws_dram_row(const struct ws_machine *m, uint64_t addr, uint64_t *channel)
{
	uint64_t slice = ws_l2_slice(m, addr), each = m->l2_slices / ws_dram_channels(m);

	*channel = slice / each;
	return ws_l2_local(m, addr) / m->dram_row * each + slice % each;
}

uint64_t ws_dram_channels(const struct ws_machine *m)
{
	uint64_t a = m->l2_slices, b = m->dram_channels;

	while (b) { /* Euclid's; of 0 channels it leaves one for each slice */
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}
