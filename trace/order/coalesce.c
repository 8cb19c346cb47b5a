/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/coalesce.c -- a warp instruction's lane accesses as requests.
 *
 * Both coalesce.line and l1.line are powers of two, so the distinct pairs of
 * segment and line are the distinct *units* (units.h).  Lanes are taken in order; a lane
 * access is cut at unit borders, and each piece joins the request of its unit
 * or opens one.  Most lanes need no search: they stay in the sector of the
 * lane before, or their unit is above or below all so far, hence new.  The
 * others look for the request of their unit.
 *
 * Cost, on one core of an EPYC server (tests/trace/b-order.c): 1.3 ns a lane
 * where neighbours share sectors, 4 ns where each has a line of its own in
 * rising order, 6 ns where lines come again in any order.
 *
 * Modelled: what each generation's rule comes to for aligned elements, 32 B sectors within segments
 * of coalesce.line (GPGPU-Sim abstract_hardware_model.cc, memory_coalescing_arch).  Not modelled:
 * that the oldest rule halves 128 B transactions; the sector mask says as much.
 */
#include "trace/order/units.h"

struct coalesce_grain {
	uint64_t line, unit;	/* offset bits: size - 1 */
};

static inline uint32_t sector_bits(const struct coalesce_grain *g, uint64_t first, uint64_t last)
{
	uint64_t low = (first & g->line) / WS_SECTOR_BYTES;
	uint64_t high = (last & g->line) / WS_SECTOR_BYTES;

	return (uint32_t)((2ull << high) - (1ull << low));
}

static inline uint64_t unit_of(const struct coalesce_grain *g, uint64_t address)
{
	return address & ~g->unit;
}

static inline uint64_t last_byte(uint64_t first, uint32_t bytes)
{
	uint64_t last = first + (bytes - 1);

	return last < first ? UINT64_MAX : last;
}

/* ---- many requests ------------------------------------------------------------ */

static size_t add_hashed(struct ws_units *x, const struct coalesce_grain *g, uint64_t first,
			 uint64_t last, struct ws_request *out, size_t n)
{
	uint16_t *slot = ws_units_slot(x, unit_of(g, first));

	if (*slot) {
		out[*slot - 1u].sectors |= sector_bits(g, first, last);
		return n;
	}
	out[n].address = first & ~g->line;
	out[n].sectors = sector_bits(g, first, last);
	*slot = (uint16_t)(n + 1);
	return n + 1;
}

/* Coalesces the lanes in mask after n requests.  The first lane may be repeated: its sectors are
 * or-ed in once more. */
static size_t coalesce_many(const struct coalesce_grain *g, const uint64_t *address, uint64_t mask,
			    uint32_t bytes, struct ws_request *out, size_t n)
{
	struct ws_units x;

	ws_units_begin(&x, g->unit, out, WS_COALESCE_MAX(64, bytes)); /* of 4096 bytes: 8320 */
	for (size_t i = 0; i < n; i++)
		*ws_units_slot(&x, ws_unit_of(g->unit, &out[i])) = (uint16_t)(i + 1);
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

/* Units from `low` to `high` may have a request; the others have none. */
struct byte_range {
	uint64_t low, high;
};

static inline size_t add_request(const struct coalesce_grain *g, uint64_t first, uint64_t last,
				 struct ws_request *out, size_t n)
{
	out[n].address = first & ~g->line;
	out[n].sectors = sector_bits(g, first, last);
	return n + 1;
}

/* Adds a lane's pieces; false if there are too many requests to search. */
static inline bool add_lane(const struct coalesce_grain *g, struct byte_range *seen, uint64_t first,
			    uint64_t last, struct ws_request *out, size_t *n)
{
	for (;;) {
		uint64_t unit = unit_of(g, first), end = first | g->unit;
		uint64_t to = end < last ? end : last;

		if (unit > seen->high || unit < seen->low) {
			*n = add_request(g, first, to, out, *n);
			seen->high = unit > seen->high ? unit : seen->high;
			seen->low = unit < seen->low ? unit : seen->low;
		} else if (*n > WS_UNITS_FEW) {
			return false;
		} else {
			size_t i = ws_unit_find(g->unit, out, 0, *n, unit);

			if (i < *n)
				out[i].sectors |= sector_bits(g, first, to);
			else
				*n = add_request(g, first, to, out, *n);
		}
		if (end >= last)
			return true;
		first = end + 1;
	}
}

/* With profile = gpgpusim small accesses have segments of 32 and 64 bytes. */
static inline struct coalesce_grain grain_of(const struct ws_machine *m, uint32_t bytes)
{
	uint64_t line = m->l1.line_bytes, segment = m->coalesce_line;

	if (m->profile == WS_BEHAVES_GPGPUSIM && bytes <= 2 && segment > bytes * WS_SECTOR_BYTES)
		segment = bytes * WS_SECTOR_BYTES;
	return (struct coalesce_grain){ line - 1, (line < segment ? line : segment) - 1 };
}

size_t ws_coalesce(const struct ws_machine *m, const uint64_t *address, uint64_t mask,
		   uint32_t bytes, struct ws_request *out)
{
	struct coalesce_grain g = grain_of(m, bytes);
	/* Where an access of the sector seen last may begin: first - sector < fits. */
	uint64_t sector = 0, fits = 0;
	struct byte_range seen;
	size_t n = 0;

	if (!mask || !bytes)
		return 0;
	/* The first lane opens with one byte, so that `seen` has a beginning. */
	seen.low = seen.high = unit_of(&g, address[ws_lowest_bit(mask)]);
	n = add_request(&g, address[ws_lowest_bit(mask)], address[ws_lowest_bit(mask)], out, 0);
	for (; mask; mask &= mask - 1) {
		uint64_t first = address[ws_lowest_bit(mask)];

		if (first - sector < fits)
			continue;
		if (!add_lane(&g, &seen, first, last_byte(first, bytes), out, &n))
			return coalesce_many(&g, address, mask, bytes, out, n);
		sector = first & ~(uint64_t)(WS_SECTOR_BYTES - 1);
		fits = bytes <= WS_SECTOR_BYTES ? WS_SECTOR_BYTES + 1 - bytes : 0;
	}
	return n;
}

/* ---- planes -------------------------------------------------------------------- */

struct lane_span {			/* lanes of a run */
	uint64_t first, stride;
	size_t lane, count;
};

static inline struct lane_span span_of(const struct ws_plane *plane, const struct ws_lane_run *run,
				    size_t lane, size_t width)
{
	size_t from = run->lane > lane ? run->lane : lane, to = (size_t)run->lane + run->len;

	to = to < lane + width ? to : lane + width;
	return (struct lane_span){ plane->base + ws_reach(plane->stride, run) +
			       plane->stride[0] * (from - run->lane),
			       plane->stride[0], from - lane, to - from };
}

/* The same from the addresses, for many requests. */
static size_t coalesce_apart(const struct ws_machine *m, const struct ws_plane *plane,
			     const struct ws_lane_run *run, const struct ws_lane_run *end,
			     size_t lane, size_t width, uint32_t bytes, struct ws_request *out)
{
	uint64_t address[64], mask = 0;

	for (; run < end && run->lane < lane + width; run++) {
		struct lane_span s = span_of(plane, run, lane, width);

		for (size_t i = 0; i < s.count; i++) {
			address[s.lane + i] = s.first + i * s.stride;
			mask |= 1ull << (s.lane + i);
		}
	}
	return ws_coalesce(m, address, mask, bytes, out);
}

/* A span that rises and leaves out no sector is as one access; others are taken lane by lane. */
static inline bool add_span(const struct coalesce_grain *g, struct byte_range *seen,
			     const struct lane_span *s, uint32_t bytes, struct ws_request *out,
			     size_t *n)
{
	uint64_t last = s->first + s->stride * (s->count - 1), sector = 0, fits = 0;

	if (s->count == 1 || (s->stride < (uint64_t)bytes + WS_SECTOR_BYTES && last >= s->first))
		return add_lane(g, seen, s->first, last_byte(last, bytes), out, n);
	for (size_t i = 0; i < s->count; i++) {
		uint64_t first = s->first + i * s->stride;

		if (first - sector < fits)
			continue;
		if (!add_lane(g, seen, first, last_byte(first, bytes), out, n))
			return false;
		sector = first & ~(uint64_t)(WS_SECTOR_BYTES - 1);
		fits = bytes <= WS_SECTOR_BYTES ? WS_SECTOR_BYTES + 1 - bytes : 0;
	}
	return true;
}

size_t ws_coalesce_plane(const struct ws_machine *m, const struct ws_plane *plane,
			 const struct ws_lane_run *run, const struct ws_lane_run *end, size_t lane,
			 size_t width, uint32_t bytes, struct ws_request *out)
{
	struct coalesce_grain g = grain_of(m, bytes);
	struct byte_range seen = { 0 };
	size_t n = 0;

	if (!bytes)
		return 0;
	for (const struct ws_lane_run *r = run; r < end && r->lane < lane + width; r++) {
		struct lane_span s = span_of(plane, r, lane, width);

		if (!n) { /* so that `seen` has a beginning, as in ws_coalesce */
			seen.low = seen.high = unit_of(&g, s.first);
			n = add_request(&g, s.first, s.first, out, 0);
		}
		if (!add_span(&g, &seen, &s, bytes, out, &n))
			return coalesce_apart(m, plane, run, end, lane, width, bytes, out);
	}
	return n;
}
