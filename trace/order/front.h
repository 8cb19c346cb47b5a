/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/front.h -- instruction fetch, and the ends of warps and CTAs: sm.front.
 *
 * This is for launches that sm.pipeline executes.  It replaces what sm.h says of fetches, sm.start,
 * sm.code and the ends of CTAs.  A CTA that an SM gets in cycle c has its warps there from c + 1
 * on.  An SM gets one CTA a cycle, at first in cycles 0, 1 and so on.  At the end of a cycle the SM
 * does this, sm.fetch times:
 *
 *   decode   Instructions that were fetched (sm.buffer of a warp, or as many as it has left) can be
 *            issued from the next cycle on.
 *   fetch    If a line of code has arrived for which warps wait, the first of these warps fetches
 *            from it; of several lines, the one that arrived first.  Else slots are looked at in
 *            turn, from the one behind that of the last look-up on (at first, 0).  A warp ends if
 *            it has issued everything, has no instruction in flight and no data outstanding, and
 *            its stores are acknowledged; a CTA ends with its last warp.  The first warp that has
 *            instructions left, has none fetched and waits for no line looks its PC up, and slots
 *            behind it are not looked at.  If the line is there (with sm.front = all, or if the PC
 *            is unknown, it always is), the warp fetches from it.  If the line is on its way and
 *            fewer than `merge` warps wait for it, the warp waits, too.  If fewer than `mshr` lines
 *            are on their way, and fewer than `queue` of these not sent, the line is requested and
 *            the warp is the first to wait for it.  Else nothing happens.
 *   send     The first line that is not sent yet is, if the network has room.
 *
 * When a barrier opens, its warps continue at once, or in the next cycle if their scheduler had its
 * turn in this one.
 *
 * Under gto, the slot that issued last comes first, even if it now holds a warp of another CTA.
 *
 * A warp's PC is that of its first instruction, or 16 more than that of its last issued one:
 * Accel-Sim looks code up this way, whatever comes next in the trace.
 *
 * A line is on its way until all warps that wait for it have fetched from it.  It enters the cache
 * when its last sector arrives, and may be fetched from in the same cycle.  It replaces an invalid
 * way, or the way whose last look-up or arrival is longest ago.  The cache is kept from launch to
 * launch.  So are the slot of the last look-up and the turn of the schedulers: the first one
 * changes with each cycle in which the SM has a CTA, and is scheduler 0 at first.
 */
#ifndef WS_TRACE_ORDER_FRONT_H
#define WS_TRACE_ORDER_FRONT_H

#include "trace/order/sm.h"

/* *out is NULL if the machine has no front, or the launch is not executed this way. */
enum ws_status ws_front_new(struct ws_front **out, const struct ws_sm *sm,
			    struct ws_err *err) WS_MUST_CHECK;
void ws_front_free(struct ws_front *f);

/* Restores what the SM kept from the launch before, if it kept anything. */
void ws_front_resume(struct ws_sm *sm, const struct ws_front_kept *kept);
enum ws_status ws_front_keep(const struct ws_sm *sm, struct ws_front_kept **kept,
			     struct ws_err *err) WS_MUST_CHECK;
/* The warp has issued all its instructions. */
void ws_front_leaves(struct ws_sm *sm, size_t slot);
/* What the SM does at the end of a cycle. */
enum ws_status ws_front_cycle(struct ws_sm *sm, uint64_t cycle, struct ws_err *err) WS_MUST_CHECK;
/* Is there anything to do in the next cycle? */
bool ws_front_due(const struct ws_sm *sm);

#endif
