/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/types.c -- types of references, and cells: what the tables of a profile are
 * indexed by (stackdist.h has the definitions).
 *
 * A cell of x takes a number of bits below the highest of x, so all of these are a shift of x
 * by what its highest bit says; the first value of a cell is the same backwards.
 */
#include "stackdist/detail.h"
#include "stackdist/lines.h"

const uint32_t ws_freeze_ways[WS_FREEZES] = {
	2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32,
	40, 48, 64, 80, 96, 128, 160, 192, 256, 384, 512, 1024,
};

static inline unsigned top_bit(uint32_t x) /* as ws_log2 */
{
#if defined(__GNUC__)
	return 31u ^ (unsigned)__builtin_clz(x);
#else
	return ws_log2(x);
#endif
}

/* ---- cells ---------------------------------------------------------------------- */

/* Cells of 1/2^fine octave above 2^bits. */
static inline uint32_t cell_of(uint32_t x, unsigned bits, unsigned fine)
{
	unsigned o;

	if (x >> bits == 0)
		return x;
	o = top_bit(x);
	return (1u << bits) + ((o - bits) << fine) + (x >> (o - fine) & ((1u << fine) - 1));
}

/* UINT32_MAX if x would not fit. */
static uint32_t first_of(uint32_t cell, unsigned bits, unsigned fine)
{
	uint32_t above = cell - (1u << bits), o = bits + (above >> fine);

	if (cell >> bits == 0)
		return cell;
	if (o > 31)
		return UINT32_MAX;
	return ((1u << fine) + (above & ((1u << fine) - 1))) << (o - fine);
}

uint32_t ws_cell(uint32_t x, unsigned bits)
{
	return cell_of(x, bits, 4);
}

uint32_t ws_cell_first(uint32_t cell, unsigned bits)
{
	return first_of(cell, bits, 4);
}

uint32_t ws_bin_first(unsigned bin)
{
	return first_of(bin, 3, 2);
}

unsigned ws_count_class(uint64_t references_before)
{
	if (references_before < 2)
		return 0;
	if (references_before > 32)
		return references_before > 128 ? 7 : 6;
	return top_bit((uint32_t)references_before - 1) + 1;
}

/* ---- types ---------------------------------------------------------------------- */

/* ws_bin, and what is no position, without a loop or a branch. */
static inline unsigned type_of(uint32_t position)
{
	unsigned o = top_bit(position | 8), small = 0u - (position < 8);
	unsigned bin = 8 + 4 * (o - 3) + (position >> (o - 2) & 3);

	bin = bin < WS_BINS - 1 ? bin : WS_BINS - 1;
	bin = (position & small) | (bin & ~small);
	return bin + (position == WS_DISTANCE_COLD) * (WS_TYPE_COLD - WS_BINS + 1) +
	       (position == WS_DISTANCE_UNCACHED) * (WS_TYPE_RELOAD - WS_BINS + 1);
}

static inline unsigned store_type(enum ws_write write, uint32_t position)
{
	if (ws_store_allocates(write))
		return type_of(position);
	return write == WS_WRITE_EVICT && position <= WS_DISTANCE_MAX ? WS_TYPE_EVICT :
		WS_TYPE_NONE;
}

void ws_types(enum ws_write write, const struct ws_request *request, const uint32_t *id,
	      const uint32_t *position, size_t count, uint8_t *type)
{
	for (size_t i = 0; i < count; i++) {
		unsigned t = WS_TYPE_NONE;

		if (request[i].kind == WS_STORE)
			t = store_type(write, position[i]);
		else /* of atomics those alone that have a line: in an L2 */
			t = type_of(position[i]);
		type[i] = (uint8_t)(id[i] == WS_LINE_NONE ? WS_TYPE_NONE : t);
	}
}
