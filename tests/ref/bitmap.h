/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/bitmap.h -- LRU stack distances with the better known of the fast structures, to
 * measure the library's against: a hash table from lines to the time of their last use, a bit
 * per time, and a Fenwick tree over the words of bits; times are renumbered when they run out.
 */
#ifndef WS_REF_BITMAP_H
#define WS_REF_BITMAP_H

#include "trace/trace.h"

struct ref_bitmap;

struct ref_bitmap *ref_bitmap_new(void);
void ref_bitmap_push(struct ref_bitmap *b, const struct ws_request *r, size_t count,
		     uint32_t *distance);
size_t ref_bitmap_bytes(const struct ref_bitmap *b); /* of memory that it holds */
void ref_bitmap_free(struct ref_bitmap *b);

#endif
