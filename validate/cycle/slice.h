/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/slice.h -- what the slices of a DRAM channel keep, for slice.c, where they work,
 * and slice_life.c, where they are made and set up for a launch.
 */
#ifndef WS_CYCLE_SLICE_H
#define WS_CYCLE_SLICE_H

#include "base/inline.h"
#include "validate/cycle/banks.h"
#include "validate/cycle/cycle.h"

#define WS_SLICE_NOBODY UINT32_MAX	/* no place of those that wait */

struct ws_slice_waiting {		/* a packet that waits for fetches */
	struct ws_packet packet;
	uint64_t number;	/* in the order in which they began to wait */
	unsigned fetches;
	uint32_t next;		/* free ones: the next */
};

struct ws_slice {
	struct ws_tags *tags;
	struct ws_slice_stats *stats;
	struct ws_packets in;
	struct ws_packets dram;	/* fetches under way, with banks such as have come: .arrival of the
				 * data, .ticket: MSHR */
	uint32_t *left;		/* [MSHR], with banks: sectors to come */
	size_t left_cap;
	struct ws_packets out;	/* .arrival: when it is ready */
	struct ws_packets answers; /* behind a router: that waited; .arrival: of the fill */
	size_t queued;		/* ... of .in, that may be looked up */
	struct ws_slice_waiting *waiting;
	size_t cap;
	uint32_t vacant;	/* of waiting, or WS_SLICE_NOBODY */
	uint32_t *served;	/* of the cycle at hand */
	size_t serve_cap;
	uint64_t numbers;	/* of waiting, given so far */
	uint64_t port;		/* free from this cycle on */
	uint64_t looked;	/* no look-up before this cycle */
	uint64_t in_flight, counted; /* MSHRs in use since cycle counted */
	bool blocked;		/* the head failed, and will until the next fill */
	uint8_t cause;
};

struct ws_channel {
	const struct ws_machine *machine;
	struct ws_cache cache;	/* of a slice, allocating on a miss */
	struct ws_site_table *sites;
	struct ws_slice *slice;
	uint64_t *due;		/* [slices]: the next cycle with something to do */
	uint64_t first;		/* slice of the machine */
	size_t slices;
	uint64_t channels, icnt, hit; /* cycles: one way, and a hit's */
	uint64_t atom;		/* of DRAM, in sectors */
	uint64_t work;		/* DRAM's for a byte, in parts of dram.bandwidth */
	bool plain;		/* no banks, no router, one cycle a look-up, requests counted */
	bool each;		/* sectors are counted */
	bool turns;		/* behind a router: in each cycle one of everything */
	uint64_t wait;		/* ... from a packet's arrival to its look-up */
	uint64_t free;		/* DRAM, in 1 / dram.bandwidth cycles */
	struct ws_banks *banks;	/* NULL: bandwidth and rows alone */
	uint64_t row, last;	/* open, + 1; when the last data comes: with dram.row */
	struct ws_packets replies;
	struct ws_credits credits;
};

static inline uint64_t ws_slice_set(const struct ws_channel *c, uint64_t address)
{
	return ws_set_index(&c->cache, ws_l2_local(c->machine, address));
}

#endif
