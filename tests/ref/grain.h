/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/grain.h -- caches of 32 B words as validate/grain.h defines them, slow and plain: every
 * word is looked for in every place, addresses are compared whole, orders are times.
 */
#ifndef WS_REF_GRAIN_H
#define WS_REF_GRAIN_H

#include "trace/trace.h"

struct ref_grain;

struct ref_grain_stats { uint64_t partial, invalidated, written_back, changes, flushed; };

struct ref_grain *ref_grain_new(const struct ws_cache *cache); /* decoupled, elastic or dycache */
/* 'h' hit, 'o' cold, 'a' capacity, 'f' conflict, 'u' uncached; loads and stores. */
char ref_grain_request(struct ref_grain *g, const struct ws_request *r);
void ref_grain_flush(struct ref_grain *g);
struct ref_grain_stats ref_grain_stats(const struct ref_grain *g);
unsigned ref_grain_now(const struct ref_grain *g); /* bytes; 0: decoupled */
void ref_grain_free(struct ref_grain *g);
#endif
