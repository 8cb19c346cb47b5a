/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/router.h -- the router of validate/cycle/router.h, flit by flit: each knows where it
 * is, and everything is looked for among all of them.
 */
#ifndef WS_TESTS_REF_ROUTER_H
#define WS_TESTS_REF_ROUTER_H

#include "validate/cycle/router.h"

struct ref_router;

struct ref_router *ref_router_new(const struct ws_router_shape *shape);
void ref_router_free(struct ref_router *r);
void ref_router_empty(struct ref_router *r);
uint64_t ref_router_room(const struct ref_router *r, size_t input);
void ref_router_add(struct ref_router *r, size_t input, size_t output, uint64_t flits,
		    void *packet);
void ref_router_cycle(struct ref_router *r);
void *ref_router_take(struct ref_router *r, size_t output); /* NULL: there is none */
bool ref_router_busy(const struct ref_router *r); /* a flit is inside */

#endif
