/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/detail.h -- what is recorded beside the distances (struct ws_detail): each number by
 * scanning the list of a set's references back and forth.
 */
#ifndef WS_REF_DETAIL_H
#define WS_REF_DETAIL_H

#include "tests/ref/places.h"

/* x below 2^bits; beyond, 2^fine cells to the octave. */
uint32_t ref_cell(uint32_t x, unsigned bits, unsigned fine);

struct ref_changes {		/* in any order, several of a place */
	struct ws_fill_reuse *entry;
	size_t count, cap;
};

struct ref_counting {		/* of one geometry */
	const uint32_t *retention;	/* ws_retained_ways */
	struct ws_detail *detail;
	uint64_t sets;
	struct ref_changes fill_reuse[WS_KINDS];
};

/* Counts into *d, which is all zero. */
void ref_detail_begin(struct ref_counting *c, struct ws_detail *d, uint64_t sets,
		      const uint32_t *retention);
/* The accesses of one SM in one launch, with their `before`. */
void ref_detail_count(struct ref_counting *c, struct ref_access *a, size_t count);
void ref_detail_end(struct ref_counting *c);

#endif
