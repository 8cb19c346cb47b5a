/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/units.h -- finds the request of a unit among those of one warp instruction, for
 * coalesce.c and recut.c.
 *
 * A *unit* lies in one segment of coalesce.line and in one cache line: the smaller of the two.  Few
 * requests are searched newest first; more of them are found through a table of 16-bit slots on the
 * stack.  It does not use base/map.h, as it lives for one warp instruction, allocates nothing, and
 * computes keys from requests.
 */
#ifndef WS_TRACE_ORDER_UNITS_H
#define WS_TRACE_ORDER_UNITS_H

#include "base/map.h"
#include "trace/order/order.h"

#define WS_UNITS_FEW 16u
#define WS_UNITS_SLOTS 32768u

/* The unit of a request's sectors; offset: a unit's offset bits, its size - 1. */
static inline uint64_t ws_unit_of(uint64_t offset, const struct ws_request *r)
{
	return (r->address + (uint64_t)ws_lowest_bit(r->sectors) * WS_SECTOR_BYTES) & ~offset;
}

/* The newest of request[from .. end - 1] that stands for the unit, or end. */
static inline size_t ws_unit_find(uint64_t offset, const struct ws_request *request, size_t from,
				  size_t end, uint64_t unit)
{
	for (size_t i = end; i-- > from;)
		if (ws_unit_of(offset, &request[i]) == unit)
			return i;
	return end;
}

struct ws_units {
	uint64_t offset;
	const struct ws_request *request; /* the first that may be in it */
	size_t mask;
	uint16_t slot[WS_UNITS_SLOTS];	/* number of a request + 1; 0: free */
};

/* Empties it, for at most so many requests: it needs twice as many slots. */
static inline void ws_units_begin(struct ws_units *x, uint64_t offset,
				  const struct ws_request *request, size_t most)
{
	x->offset = offset;
	x->request = request;
	for (x->mask = 63; x->mask + 1 < 2 * most && x->mask + 1 < WS_UNITS_SLOTS;)
		x->mask = 2 * x->mask + 1;
	for (size_t i = 0; i <= x->mask; i++)
		x->slot[i] = 0;
}

/* The slot of the unit's request, or the free one where it may be put. */
static inline uint16_t *ws_units_slot(struct ws_units *x, uint64_t unit)
{
	size_t i = (size_t)(unit / WS_SECTOR_BYTES * WS_MAP_GOLDEN >> 40) & x->mask;

	while (x->slot[i] && ws_unit_of(x->offset, &x->request[x->slot[i] - 1u]) != unit)
		i = (i + 1) & x->mask;
	return &x->slot[i];
}

#endif
