/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/front.h -- instructions fetched for warps, and warps and CTAs that end: sm.front.
 *
 * Of a launch that sm.pipeline executes, in place of what sm.h says of fetches, sm.start, sm.code
 * and the ends of CTAs.  A CTA that is given to an SM in cycle c has its warps there from c + 1 on;
 * an SM gets one a cycle, at first in cycles 0, 1 and so on.  A cycle of the SM ends with, sm.fetch
 * times:
 *
 *   decode   What was fetched, sm.buffer instructions of a warp or as many as it has left, is
 *            issued from the next cycle on.
 *   fetch    If a line of code has come for which warps wait, it is fetched for the first of them,
 *            of the line that came first.  Else slots are looked at in turn, from that behind the
 *            last one looked up for (0 at first) on.  A warp that has issued everything, of which
 *            no instruction is under way, no data outstanding, and all stores are acknowledged,
 *            ends; the CTA ends with its last warp.  The first warp that has instructions left and
 *            none fetched, and waits for no line, is looked up for, and the others are not looked
 *            at: if the line of its PC is there (always, with sm.front = all, or if it is not
 *            known), it is fetched; if it is on its way and fewer than `merge` warps wait for it,
 *            it waits, too;
 *            if fewer than `mshr` lines are, and fewer than `queue` of them not sent, it is the
 *            first to wait for it; else nothing happens.
 *   send     The first line not sent is asked for, if the network has room.
 *
 * A barrier lets warps go on as soon as it opens: if their scheduler had its turn in the cycle, in
 * the next one.
 *
 * Under gto a slot from which was issued last is first, also when a warp of another CTA has it.
 *
 * A warp's PC is that of its first instruction, or 16 more than that of the one issued last: Accel-
 * Sim looks code up so, whatever comes next in the trace.
 *
 * A line is on its way until it has been fetched for all that wait for it.  It is one of the
 * cache's when its last sector comes, which may be fetched in the same cycle, in place of an
 * invalid way or of that whose last look-up or arrival is longest ago.  It is kept from launch to
 * launch, as are the slot last looked up for and the turn of the schedulers: the one that goes
 * first changes with each cycle in which the SM has a CTA, scheduler 0 at first.
 */
#ifndef WS_TRACE_ORDER_FRONT_H
#define WS_TRACE_ORDER_FRONT_H

#include "trace/order/sm.h"

/* *out stays NULL if the machine has none, or the launch is not executed so. */
enum ws_status ws_front_new(struct ws_front **out, const struct ws_sm *sm,
			    struct ws_err *err) WS_MUST_CHECK;
void ws_front_free(struct ws_front *f);

/* What an SM has of the launch before, if anything is kept; and keeps for the next. */
void ws_front_resume(struct ws_sm *sm, const struct ws_front_kept *kept);
enum ws_status ws_front_keep(const struct ws_sm *sm, struct ws_front_kept **kept,
			     struct ws_err *err) WS_MUST_CHECK;
/* A warp has issued everything. */
void ws_front_leaves(struct ws_sm *sm, size_t slot);
/* The end of a cycle. */
enum ws_status ws_front_cycle(struct ws_sm *sm, uint64_t cycle, struct ws_err *err) WS_MUST_CHECK;
/* Does the next cycle have any of it? */
bool ws_front_due(const struct ws_sm *sm);

#endif
