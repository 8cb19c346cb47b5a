/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/crossbar.h -- a switch with queues at its inputs (icnt.queues = input).
 *
 * Packets of an input cross in order of arrival, so one whose output is busy blocks those behind it
 * (head-of-line blocking; Karol, Hluchyj, Morgan, IEEE Trans. Communications
 * 35(12), 1987).  cycle.h says when a packet crosses.
 */
#ifndef WS_VALIDATE_CYCLE_CROSSBAR_H
#define WS_VALIDATE_CYCLE_CROSSBAR_H

#include "validate/cycle/cycle.h"

struct ws_crossbar;

/* From SMs to slices, or the replies' from slices to SMs.  width: bytes a cycle of each port. */
enum ws_status ws_crossbar_new(struct ws_crossbar **out, const struct ws_machine *m, bool replies,
			       struct ws_err *err) WS_MUST_CHECK;
void ws_crossbar_launch(struct ws_crossbar *x); /* empty again, from cycle 0 */
/* Packets of an input are added in order of arrival. */
enum ws_status ws_crossbar_add(struct ws_crossbar *x, const struct ws_packet *p,
			       struct ws_err *err) WS_MUST_CHECK;
/* The cycle before which no packet crosses; UINT64_MAX: there is none. */
uint64_t ws_crossbar_next(const struct ws_crossbar *x);
/* The next packet that crosses before `until`; NULL: none does.  All that arrive before `until`
 * must have been added.  Its .arrival becomes the cycle in which it crosses.  Valid until the next
 * call. */
const struct ws_packet *ws_crossbar_take(struct ws_crossbar *x, uint64_t until);
void ws_crossbar_free(struct ws_crossbar *x);

#endif
