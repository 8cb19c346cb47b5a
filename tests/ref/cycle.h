/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/cycle.h -- a slow, obvious reference of the whole GPU of validate/cycle/cycle.h: every
 * cycle, SM, warp, slice and channel is looked at.  Written from that text alone; the policies'
 * exact faces, the set-index functions and the places of slices are the library's.
 */
#ifndef WS_TESTS_REF_CYCLE_H
#define WS_TESTS_REF_CYCLE_H

#include "tests/ref/order.h"
#include "validate/validate.h"

struct ref_gpu;			/* what goes on from launch to launch: the policies' random
				 * numbers */

struct ref_gpu *ref_gpu_new(const struct ws_machine *m, uint64_t seed);
/* The result as of ws_cycles_run with sites; stream: the requests, in the order in
 * which the L1s accept them, with the cycles in which they do. */
void ref_gpu_launch(struct ref_gpu *gpu, const struct ref_launch *l, size_t number,
		    struct ws_cycle_result *out, struct ref_stream *stream);
void ref_gpu_free(struct ref_gpu *gpu);

#endif
