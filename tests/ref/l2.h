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

/* What stays from launch to launch, if l2.start says so.  m, which must outlive it: m->l1 and m->l2
 * are the caches, with all their ways. */
struct ref_l2;

struct ref_l2 *ref_l2_new(const struct ws_machine *m);
/* Adds a launch's counts to kind[WS_KINDS], or nothing to NULL.  The requests are of lines of
 * m->l1.  O(requests * (SMs + ways)). */
void ref_l2_launch(struct ref_l2 *r, const struct ws_launch *launch, const struct ref_stream *sm,
		   struct ref_l2_counts *kind);
void ref_l2_free(struct ref_l2 *r);

#endif
