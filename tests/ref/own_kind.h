/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/own_kind.h -- what a request is in truth: to an L1 a load or store that goes past it
 * is an atomic.
 */
#ifndef WS_REF_OWN_KIND_H
#define WS_REF_OWN_KIND_H

#include "trace/trace.h"

static inline enum ws_kind ref_own_kind(const struct ws_request *r)
{
	return r->past == 0 ? (enum ws_kind)r->kind : r->past == 1 ? WS_LOAD : WS_STORE;
}

#endif
