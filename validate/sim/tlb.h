/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/sim/tlb.h -- the TLBs of an L1 (tlb.* of a machine).
 *
 * Each L1 has a first TLB of its own, and a second behind it.  The L1 is asked with virtual
 * addresses: what it holds is found without a TLB.  What it asks the L2 for, sends or throws out to
 * it is translated first, a request for (parts of) a line once: by the first TLB; else by the
 * second, after tlb.l1.miss cycles; else by the page table, after tlb.l2.miss more.  A TLB that did
 * not know the page knows it then.  Each is a set-associative cache of page numbers: set = page
 * number modulo sets, LRU.  Both are empty when a launch starts.  A page table has no memory
 * requests here, and any number of translations are under way at a time.
 *
 *   ws_tlb_ask   O(entries of a set)
 */
#ifndef WS_TLB_H
#define WS_TLB_H

#include "validate/validate.h"

struct ws_tlb;

/* *out NULL: the machine has none. */
enum ws_status ws_tlb_new(struct ws_tlb **out, const struct ws_machine *m,
			  struct ws_err *err) WS_MUST_CHECK;
/* How many TLBs do not know the page of the address: 0, 1 or 2, of one TLB 0 or 1. */
unsigned ws_tlb_ask(struct ws_tlb *t, uint64_t address);
/* Cycles until it is known, of so many. */
static inline uint64_t ws_tlb_cycles(const struct ws_machine *m, unsigned missed)
{
	return (missed > 0 ? m->tlb_miss_cycles[0] : 0) + (missed > 1 ? m->tlb_miss_cycles[1] : 0);
}
void ws_tlb_flush(struct ws_tlb *t);	/* takes NULL */
void ws_tlb_free(struct ws_tlb *t);	/* takes NULL */

#endif
