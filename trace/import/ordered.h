/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/ordered.h -- for writers of streams: the warp instructions of a trace in the order
 * in which a machine would issue them.
 *
 * Launches come one after the other.  Within one, under a timed scheduler (lrr, gto,
 * two-level), warp instructions come by cycle and then by SM, as struct ws_writing's run or the
 * nominal memory times them: the order in which the SMs' requests would meet; the naive orders have
 * no common clock, so one SM's come after the other's.
 */
#ifndef WS_IMPORT_ORDERED_H
#define WS_IMPORT_ORDERED_H

#include "trace/import.h"

struct ws_ordered {
	void *context;
	/* Before each launch, with its number. */
	enum ws_status (*launch)(void *context, const struct ws_launch *launch, size_t number,
				 struct ws_err *err);
	/* Requests of warp instructions to global memory, by cycle from the begin of the first
	 * launch, and the number of the L1 that is asked (ws_l1s); those of an instruction one
	 * after the other.  NULL: not wanted. */
	enum ws_status (*request)(void *context, uint64_t l1, const struct ws_request *r,
				  struct ws_err *err);
	/* Warp instructions with their lanes; NULL: not wanted.  cycle: of the launch. */
	enum ws_status (*lanes)(void *context, const struct ws_launch *launch,
				const struct ws_warp_access *a, struct ws_err *err);
};

/* Requests are those of the machine's own lines, cut or merged to l1's as profiles do. */
enum ws_status ws_ordered_run(const struct ws_trace *t, const struct ws_writing *how,
			      const struct ws_ordered *to, struct ws_err *err) WS_MUST_CHECK;

/* The accesses of a request for a simulator without sectors: of a sectored L1 each requested
 * sector, else the line.  False: no more; *at begins with 0.  *first: the first requested address,
 * to 32 bytes. */
bool ws_ordered_part(const struct ws_cache *l1, const struct ws_request *r, uint64_t *at,
		     uint64_t *first);

#endif
