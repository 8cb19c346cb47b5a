/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/fenwick.h -- LRU stack distances with the textbook structure, to
 * measure the library's against: a hash table from lines to the time of their
 * last use and a Fenwick tree over all times, one node per use, renumbered
 * when it is full.
 */
#ifndef WS_REF_FENWICK_H
#define WS_REF_FENWICK_H

#include "trace/trace.h"

struct ref_fenwick;

struct ref_fenwick *ref_fenwick_new(void);
void ref_fenwick_push(struct ref_fenwick *f, const struct ws_request *r, size_t count,
		      uint32_t *distance);
size_t ref_fenwick_bytes(const struct ref_fenwick *f); /* of memory that it holds */
void ref_fenwick_free(struct ref_fenwick *f);

#endif
