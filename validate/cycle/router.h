/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/router.h -- a router of one stage with buffers at its inputs (icnt.queues =
 * router): from SMs to slices, or back.
 *
 * It is what GPGPU-Sim 4 makes of BookSim 2 (Jiang et al., ISPASS 2013) with its icnt files of
 * -network_mode 1: a fly of one router and one virtual channel, known routes, iSLIP (McKeown,
 * IEEE/ACM Trans. Networking 7(2), 1999).  A packet is so many flits, at least one; the first is
 * its head, the last its tail.  An output is held by an input from a packet's head to its tail.
 * Links and credits take two cycles.
 *
 * A cycle:
 *
 *   1 eject    Of each output: the flit that its link took two cycles ago joins those ejected.  If
 *              its way out holds fewer than `out` flits, the first of those ejected joins it, and a
 *              credit goes to the router.
 *   2 arrive   Flits that senders sent two cycles ago join their input's buffer, and credits are
 *              back at senders and outputs that were sent two cycles ago.  (At first a sender has
 *              `buffer` credits, and so has an output.)
 *   3 inject   Each sender with a flit and a credit sends its first flit.
 *   4 steps    `speedup` times: each input that holds an output, has a flit and a credit of that
 *              output passes its first flit on, and a credit is due to its sender; with a tail it
 *              holds none from the next step on.  Each output that none holds is given to one of
 *              the inputs that have a packet's head for it first, and hold none: the first in turn
 *              from the output's pointer on (0 at first), which points behind it then.  It holds it
 *              from the next step on.
 *   5 send     Each output's link takes the first flit that was passed on, but none of the last
 *              step.  One credit of those due goes to each sender.
 *
 * With a speedup of 0 it is a crossbar instead, as GPGPU-Sim's own is (-network_mode 2), with
 * queues at both ends and nothing between.  In a cycle each output, in ascending order, takes a
 * whole packet of one of the senders that then have one for it first: the first in turn from the
 * output's pointer on, which points behind it then.  It takes none if its way out has no room.
 *
 * What has arrived whole at the way out can be taken.  A sender holds `in` flits at most; one that
 * is added in a cycle is injected in the next.
 */
#ifndef WS_VALIDATE_CYCLE_ROUTER_H
#define WS_VALIDATE_CYCLE_ROUTER_H

#include "validate/cycle/cycle.h"

struct ws_router;

struct ws_router_shape {
	size_t inputs, outputs;
	uint64_t in, buffer, out; /* flits */
	uint64_t speedup;	  /* steps a cycle; 0: a crossbar */
};

enum ws_status ws_router_new(struct ws_router **out, const struct ws_router_shape *shape,
			     struct ws_err *err) WS_MUST_CHECK;
void ws_router_free(struct ws_router *r);
void ws_router_launch(struct ws_router *r); /* empty again; pointers stay */
/* How many more flits the sender's queue can take. */
uint64_t ws_router_room(const struct ws_router *r, size_t input);
/* The queue must have room, and a packet has at most `in` and at most `out` flits. */
enum ws_status ws_router_add(struct ws_router *r, size_t input, size_t output, uint64_t flits,
			     const struct ws_packet *p, struct ws_err *err) WS_MUST_CHECK;
/* Simulates a cycle.  O(inputs + outputs). */
void ws_router_step(struct ws_router *r);
/* Takes an output's first packet that has arrived whole; NULL: there is none.  Valid until the next
 * ws_router_add. */
const struct ws_packet *ws_router_take(struct ws_router *r, size_t output);
/* True if neither a flit nor a credit is in flight, so that a cycle changes nothing. */
bool ws_router_idle(const struct ws_router *r);

#endif
