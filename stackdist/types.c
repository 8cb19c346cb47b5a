/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/types.c -- types of references, and cells: what the tables of a profile are
 * indexed by (stackdist.h has the definitions).
 *
 * A cell of x takes a number of bits below the highest of x, so all of these are a shift of x
 * by what its highest bit says; the first value of a cell is the same backwards.
 */
#include "stackdist/record/detail.h"
#include "stackdist/stack/lines.h"

const uint32_t ws_retained_ways[WS_RETENTIONS] = {
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

/* ---- types ---------------------------------------------------------------------- */

/* ws_bin, and what is no position, without a loop or a branch. */
static inline uint32_t type_of(uint32_t position)
{
	uint32_t deep = position < 1u << 16 ? position : 1u << 16, small = 0u - (deep < 8);
	uint32_t bin = ws_octaves(deep, 2) - ws_octaves(8, 2) + 8;

	bin = bin < WS_BINS - 1 ? bin : WS_BINS - 1;
	bin = (deep & small) | (bin & ~small);
	small = 0u - (position <= WS_DISTANCE_MAX);
	return (bin & small) | ((WS_TYPE_COLD + WS_DISTANCE_COLD - position) & ~small);
}

#define SIDE 16u		/* types made side by side */

/* As if all allocate. */
static inline uint32_t allocated(uint32_t id, uint32_t position)
{
	return type_of(position) | (0u - (id == WS_LINE_NONE));
}

static inline void types_of(const uint32_t *id, const uint32_t *position, uint8_t *type)
{
	uint32_t wide[SIDE];

	for (unsigned i = 0; i < SIDE; i++)
		wide[i] = allocated(id[i], position[i]);
	for (unsigned i = 0; i < SIDE; i++)
		type[i] = (uint8_t)wide[i];
}

void ws_types(enum ws_write write, const struct ws_request *request, const uint32_t *id,
	      const uint32_t *position, size_t count, uint8_t *type)
{
	bool evicts = ws_store_act(write) == WS_ACT_EVICT;
	size_t i = 0;

	/* Atomics, too: of these those alone that have a line, in an L2. */
	for (; i + SIDE <= count; i += SIDE)
		types_of(id + i, position + i, type + i);
	for (; i < count; i++)
		type[i] = (uint8_t)allocated(id[i], position[i]);
	for (i = 0; i < count && !ws_store_allocates(write); i++)
		if (request[i].kind == WS_STORE && id[i] != WS_LINE_NONE)
			type[i] = evicts && position[i] <= WS_DISTANCE_MAX
				? WS_TYPE_EVICT : WS_TYPE_NONE;
}
