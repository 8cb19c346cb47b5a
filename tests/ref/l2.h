/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/l2.h -- the L2 behind the L1s of all SMs, simulated the slow way: every request of a
 * launch, in order of (cycle, SM, position), is looked up in its SM's L1, and what that lets
 * through at once in the L2.  Functional and LRU in both.
 */
#ifndef WS_REF_L2_H
#define WS_REF_L2_H

#include "stackdist/stackdist.h"

struct ref_stream {
	const struct ws_request *request; /* cycles do not go back */
	size_t count;
};

struct ref_l2_counts {
	uint64_t requests, hits, misses, cold, uncached; /* cold, uncached: of a cache of any
							  * ways */
};

/* Adds a launch's counts to kind[WS_KINDS].  m->l1 and m->l2 are the caches, with all their ways;
 * the requests are of lines of m->l1.  O(requests * (SMs + ways)). */
void ref_l2(const struct ws_machine *m, const struct ws_launch *launch,
	    const struct ref_stream *sm, struct ref_l2_counts *kind);

#endif
