/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/coalesce.c -- a warp instruction's lane accesses as requests.
 *
 * Both coalesce.line and l1.line are powers of two, so the distinct pairs of
 * segment and line are the distinct *units*, the smaller of the two: a unit
 * lies in one segment and in one line.  Lanes are taken in order; a lane
 * access is cut at unit borders, and each piece joins the request of its unit
 * or opens one.  Looked at first is the sector of the lane before, then its
 * unit, then all units so far (newest first), and past LINEAR_MAX of them a
 * hash table on the stack.
 *
 * Cost: about 1 ns a lane when neighbours share units, 3-6 ns when every lane
 * has its own (tests/trace/b-order.c).
 *
 * Modelled: what each generation's rule comes to for aligned elements, 32 B
 * sectors within segments of coalesce.line (GPGPU-Sim abstract_hardware_model.cc,
 * memory_coalescing_arch).  Not modelled: the halving of 128 B transactions
 * of the oldest rule, which the sector mask stands for.
 */
#include "trace/order/order.h"

#define LINEAR_MAX 16u
#define HASH_MAX 32768u /* slots; at most WS_COALESCE_MAX(64, 4096) = 8320 are used */

struct grain {
	uint64_t line, unit;	/* offset bits: size - 1 */
};

static inline uint32_t sector_bits(const struct grain *g, uint64_t first, uint64_t last)
{
	uint64_t low = (first & g->line) / WS_SECTOR_BYTES;
	uint64_t high = (last & g->line) / WS_SECTOR_BYTES;

	return (uint32_t)((2ull << high) - (1ull << low));
}

static inline uint64_t unit_of(const struct grain *g, uint64_t address)
{
	return address & ~g->unit;
}

/* The unit a request stands for: that of any sector it has. */
static inline uint64_t request_unit(const struct grain *g, const struct ws_request *r)
{
	return unit_of(g, r->address + (uint64_t)ws_lowest_bit(r->sectors) * WS_SECTOR_BYTES);
}

static inline uint64_t last_byte(uint64_t first, uint32_t bytes)
{
	uint64_t last = first + (bytes - 1);

	return last < first ? UINT64_MAX : last;
}

/* ---- many requests ------------------------------------------------------------ */

struct index {
	size_t mask;
	uint16_t slot[HASH_MAX];	/* request + 1; 0: free */
};

static size_t hash_slot(const struct index *x, const struct grain *g, uint64_t unit,
			const struct ws_request *out)
{
	size_t i = (size_t)((unit / WS_SECTOR_BYTES * 0x9e3779b97f4a7c15ull) >> 40) & x->mask;

	while (x->slot[i] && request_unit(g, &out[x->slot[i] - 1u]) != unit)
		i = (i + 1) & x->mask;
	return i;
}

static size_t add_hashed(struct index *x, const struct grain *g, uint64_t first, uint64_t last,
			 struct ws_request *out, size_t n)
{
	uint64_t unit = unit_of(g, first);
	size_t slot = hash_slot(x, g, unit, out);

	if (x->slot[slot]) {
		out[x->slot[slot] - 1u].sectors |= sector_bits(g, first, last);
		return n;
	}
	out[n].address = first & ~g->line;
	out[n].sectors = sector_bits(g, first, last);
	x->slot[slot] = (uint16_t)(n + 1);
	return n + 1;
}

/* Goes on from the lanes in mask with n requests made.  A lane may be given
 * again: what it asked for is only or-ed in once more. */
static size_t coalesce_many(const struct grain *g, const uint64_t *address, uint64_t mask,
			    uint32_t bytes, struct ws_request *out, size_t n)
{
	struct index x;
	size_t slots = 128;

	while (slots < 2 * WS_COALESCE_MAX(64, bytes) && slots < HASH_MAX)
		slots *= 2;
	x.mask = slots - 1;
	for (size_t i = 0; i < slots; i++)
		x.slot[i] = 0;
	for (size_t i = 0; i < n; i++)
		x.slot[hash_slot(&x, g, request_unit(g, &out[i]), out)] = (uint16_t)(i + 1);
	for (; mask; mask &= mask - 1) {
		uint64_t first = address[ws_lowest_bit(mask)], last = last_byte(first, bytes), end;

		for (;; first = end + 1) {
			end = first | g->unit;
			n = add_hashed(&x, g, first, end < last ? end : last, out, n);
			if (end >= last)
				break;
		}
	}
	return n;
}

/* ---- few requests --------------------------------------------------------------- */

static inline size_t add_linear(const struct grain *g, uint64_t first, uint64_t last,
				struct ws_request *out, size_t n)
{
	uint64_t unit = unit_of(g, first);

	for (size_t i = n; i-- > 0;) {
		if (request_unit(g, &out[i]) == unit) {
			out[i].sectors |= sector_bits(g, first, last);
			return n;
		}
	}
	out[n].address = first & ~g->line;
	out[n].sectors = sector_bits(g, first, last);
	return n + 1;
}

size_t ws_coalesce(const struct ws_machine *m, const uint64_t *address, uint64_t mask,
		   uint32_t bytes, struct ws_request *out)
{
	uint64_t line = m->l1.line_bytes, segment = m->coalesce_line;
	struct grain g = { line - 1, (line < segment ? line : segment) - 1 };
	uint64_t seen;
	size_t n = 0;

	if (!mask || !bytes)
		return 0;
	seen = ~address[ws_lowest_bit(mask)];
	for (; mask; mask &= mask - 1) {
		uint64_t first = address[ws_lowest_bit(mask)], last = last_byte(first, bytes);

		if (((first ^ seen) | (last ^ seen)) < WS_SECTOR_BYTES)
			continue;
		seen = first;
		if (n > LINEAR_MAX || (first | g.unit) < last)
			return coalesce_many(&g, address, mask, bytes, out, n);
		n = add_linear(&g, first, last, out, n);
	}
	return n;
}
