/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/recut.c -- requests of one line size as requests of another.
 *
 * If units (units.h) do not grow, a request is cut into its units and no two pieces share one.  If
 * they grow, pieces of a warp instruction that share a unit are merged into the first.
 */
#include "trace/order/units.h"

struct recut_state {
	uint64_t line, from_unit, unit;	/* sizes */
	struct ws_request *out;
	size_t n, first;	/* pieces so far; of this warp instruction from here on */
};

/* The pieces of a warp instruction; entered: those of `first` onwards that are in it. */
struct piece_index {
	struct ws_units units;
	size_t entered;
};

/* The piece of that unit, or c->n.  room: no more pieces than this will be made. */
static size_t find_hashed(const struct recut_state *c, struct piece_index *x, uint64_t unit,
			  size_t room)
{
	const struct ws_request *first = c->out + c->first;
	uint16_t *slot;

	if (x->entered == 0)
		ws_units_begin(&x->units, c->unit - 1, first, room);
	for (; x->entered < c->n - c->first; x->entered++)
		*ws_units_slot(&x->units, ws_unit_of(c->unit - 1, first + x->entered)) =
			(uint16_t)(x->entered + 1);
	slot = ws_units_slot(&x->units, unit);
	return *slot ? c->first + *slot - 1 : c->n;
}

static size_t find_piece(const struct recut_state *c, struct piece_index *x, uint64_t unit,
			 size_t room)
{
	size_t end = c->n > c->first + WS_UNITS_FEW ? c->n - WS_UNITS_FEW : c->first;
	size_t found = ws_unit_find(c->unit - 1, c->out, end, c->n, unit);

	/* A table that is half full at most; what does not fit is left unmerged, which
	 * takes more pieces than the accesses of a warp can make. */
	if (found < c->n || end == c->first || room > WS_UNITS_SLOTS / 2)
		return found;
	return find_hashed(c, x, unit, room);
}

/* The sectors of one unit of a request, as a piece: merged or new. */
static void add_sectors(struct recut_state *c, struct piece_index *x, const struct ws_request *r,
			uint64_t unit, uint32_t sectors, size_t room)
{
	struct ws_request piece = *r;
	size_t at = c->n;

	piece.address = unit & ~(c->line - 1);
	piece.sectors = sectors << (unit - piece.address) / WS_SECTOR_BYTES;
	piece.follows = c->n > c->first;
	if (c->unit > c->from_unit)
		at = find_piece(c, x, unit, room);
	if (at == c->n) {
		c->out[c->n++] = piece;
		return;
	}
	c->out[at].sectors |= piece.sectors;
	if (piece.fetch > c->out[at].fetch)
		c->out[at].fetch = piece.fetch;
}

static void cut_request(struct recut_state *c, struct piece_index *x, const struct ws_request *r,
			size_t room)
{
	uint64_t first = r->address;
	unsigned lowest = ws_lowest_bit(r->sectors);
	uint32_t all = c->unit / WS_SECTOR_BYTES >= 32 ? UINT32_MAX :
		((uint32_t)1 << c->unit / WS_SECTOR_BYTES) - 1;

	/* A line's bits may begin inside a larger unit: go from unit to unit. */
	for (uint32_t left = r->sectors; left; lowest = left ? ws_lowest_bit(left) : 0) {
		uint64_t byte = first + (uint64_t)lowest * WS_SECTOR_BYTES;
		uint64_t unit = byte & ~(c->unit - 1);
		unsigned inside = (unsigned)((byte - unit) / WS_SECTOR_BYTES);
		uint32_t bits = (left >> lowest) & (all >> inside);

		add_sectors(c, x, r, unit, bits << inside, room);
		left &= ~(bits << lowest);
	}
}

size_t ws_recut(uint64_t coalesce_line, uint64_t from_line, uint64_t to_line,
		const struct ws_request *r, size_t count, struct ws_request *out)
{
	struct recut_state c = {
		.line = to_line,
		.from_unit = from_line < coalesce_line ? from_line : coalesce_line,
		.unit = to_line < coalesce_line ? to_line : coalesce_line,
		.out = out,
	};
	struct piece_index x;
	size_t end;

	for (size_t i = 0; i < count; i = end) {
		for (end = i + 1; end < count && r[end].follows;)
			end++;
		c.first = c.n;
		x.entered = 0;
		for (size_t j = i; j < end; j++)
			cut_request(&c, &x, r + j, end - i);
	}
	return c.n;
}
