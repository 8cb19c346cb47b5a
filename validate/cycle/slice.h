/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/slice.h -- the state of a DRAM channel and its slices.  slice.c simulates them,
 * slice_life.c makes them and sets them up for a launch.
 */
#ifndef WS_CYCLE_SLICE_H
#define WS_CYCLE_SLICE_H

#include "base/inline.h"
#include "validate/cycle/banks.h"
#include "validate/cycle/cycle.h"

#define WS_SLICE_NOBODY UINT32_MAX	/* not a place of .waiting */

struct ws_slice_waiting {		/* a packet that waits for fetches */
	struct ws_packet packet;
	uint64_t number;	/* in the order in which they began to wait */
	unsigned fetches;
	uint32_t next;		/* of a free place: the next free one */
};

struct ws_slice {
	struct ws_tags *tags;
	struct ws_slice_stats *stats;
	struct ws_packets in;
	struct ws_packets dram;	/* fetches in flight; with banks, those whose data is here.
				 * .arrival: of the data, .ticket: the MSHR */
	uint32_t *left;		/* [MSHR], with banks: sectors that have not arrived */
	size_t left_cap;
	struct ws_packets out;	/* .arrival: when it is ready */
	/* With l2.misses, on their way to the banks: */
	struct ws_bank_request *miss; /* [misses], from .miss_first on */
	size_t misses, miss_first, miss_cap;
	struct ws_packets answers; /* with routers: replies that waited; .arrival: of the fill */
	uint32_t held;		/* ... MSHRs that these are of, with profile = gpgpusim */
	size_t queued;		/* ... packets of .in that may be looked up */
	struct ws_slice_waiting *waiting;
	size_t cap;
	uint32_t vacant;	/* the first free place of .waiting, or WS_SLICE_NOBODY */
	uint32_t *served;	/* places served in the cycle at hand */
	size_t serve_cap;
	uint64_t numbers;	/* how many packets have begun to wait */
	uint64_t port;		/* its port is free from this cycle on */
	uint64_t looked;	/* no look-up before this cycle */
	uint64_t in_flight, counted; /* MSHRs in use, since cycle .counted */
	bool blocked;		/* the first packet failed, and will fail until the next fill */
	uint8_t cause;
};

struct ws_channel {
	const struct ws_machine *machine;
	struct ws_cache cache;	/* of a slice, allocating on a miss */
	struct ws_site_table *sites;
	struct ws_slice *slice;
	uint64_t *due;		/* [slices]: the next cycle with something to do */
	uint64_t first;		/* number of its first slice in the machine */
	size_t slices;
	uint64_t channels;	/* of the machine */
	uint64_t icnt, hit;	/* cycles: one way to the SMs; of a hit */
	uint64_t atom;		/* DRAM's smallest access, in sectors */
	uint64_t work;		/* DRAM's time for a byte, in 1 / dram.bandwidth cycles */
	bool plain;		/* no banks, no router, one cycle a look-up, requests counted */
	bool each;		/* sectors are counted */
	bool turns;		/* with routers: one step of each kind a cycle */
	uint64_t misses;	/* ... l2.misses, of banks */
	bool holds;		/* ... an MSHR is free when all who waited have their replies, and
				 * a line thrown out by a store takes the port */
	uint64_t wait;		/* ... from a packet's arrival to its look-up */
	uint64_t free;		/* DRAM is free from then on, in 1 / dram.bandwidth cycles */
	struct ws_banks *banks;	/* NULL: bandwidth and rows alone are modelled */
	uint64_t row, last;	/* with dram.row: the open row + 1; when the last data arrives */
	struct ws_packets replies;
	struct ws_credits credits;
};

static inline uint64_t ws_slice_set(const struct ws_channel *c, uint64_t address)
{
	return ws_set_index(&c->cache, ws_l2_local(c->machine, address));
}

#endif
