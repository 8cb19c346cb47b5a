/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/places.h -- where requests find their lines: position, m of each sector, distance.
 */
#ifndef WS_REF_PLACES_H
#define WS_REF_PLACES_H

#include "stackdist/stackdist.h"

#define REF_SECTORS_MAX (WS_LINE_MAX / WS_SECTOR_BYTES)

/* A request as its set sees it. */
struct ref_access {
	struct ws_request r;
	uint64_t set;
	uint32_t asked;		/* sectors of the geometry asked for, one bit each */
	uint32_t position;	/* at which its line is, WS_DISTANCE_COLD: it never was there,
				 * WS_DISTANCE_UNCACHED: it is not */
	uint32_t m[REF_SECTORS_MAX]; /* of each sector asked for, or COLD, UNCACHED */
	uint32_t distance;	/* of the request: the largest m */
	uint32_t full;		/* the same with one set */
	unsigned type;
	size_t before;		/* the access to the same line before, or none: SIZE_MAX */
};

/* Fills a[i] of request r[i] but for full and before.  The stack is written out as
 * a list of lines and invalid ways. */
void ref_listed(const struct ws_cache *cache, const struct ws_request *r, size_t count,
		struct ref_access *a);
/* The same position, m and distance by a cache of each of 1 .. ways ways, which must be enough for
 * all lines of a set: it knows of no stack.  False if what one size holds is not
 * contained in the next: then there would be no stack. */
bool ref_simulated(const struct ws_cache *cache, unsigned ways, const struct ws_request *r,
		   size_t count, struct ref_access *a);
/* In a cache of `ways` ways: cycles[i] since the last fetch of the sectors that request i asks for,
 * if it allocates and hits, and not all of them were brought by stores; else UINT64_MAX. */
void ref_intervals(const struct ws_cache *cache, unsigned ways, const struct ws_request *r,
		   size_t count, uint64_t *cycles);

#endif
