/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/stack/bounded.h -- private: ways to push into a bounded stack, so that each can be
 * tested and measured on one machine.
 */
#ifndef WS_STACKDIST_BOUNDED_H
#define WS_STACKDIST_BOUNDED_H

#include "stackdist/stack/cpu.h"
#include "stackdist/stackdist.h"

/* ws_bounded_push, by the instructions named; false, and nothing done, if this
 * processor or build does not have them. */
bool ws_bounded_push_by(struct ws_bounded *b, enum ws_simd simd, const struct ws_request *request,
			size_t count, uint32_t *distance);

#endif
