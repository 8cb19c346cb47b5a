/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/regions.h -- the vertical axis of the figure `access`: stretches of memory on top of
 * each other.
 *
 * A region is an array of the launch that is touched, or a cluster of addresses that lie in none.
 * Regions are stacked by address; a gap between two is kept up to REGION_GAP bytes (alignment),
 * and cut down to that otherwise, so that a heap and a stack terabytes apart fit one figure.
 */
#ifndef WS_PLOTS_REGIONS_H
#define WS_PLOTS_REGIONS_H

#include "plots/plots.h"

#define REGION_GAP 4096u

struct region {
	uint64_t base, bytes;
	uint64_t offset;	/* on the axis */
	const char *name;	/* NULL: no array's */
};

struct regions {
	struct region *at;	/* by ascending base, disjoint */
	size_t count, cap;
	uint64_t total;		/* height of the axis */
	bool cut;		/* a gap was shortened */
};

/* address: sorted ascending, count >= 1. */
enum ws_status regions_make(struct regions *r, const struct ws_launch *launch,
			    const uint64_t *address, size_t count,
			    struct ws_err *err) WS_MUST_CHECK;
/* Offset on the axis of an address that was among those. O(log regions). */
uint64_t regions_offset(const struct regions *r, uint64_t address);
void regions_clear(struct regions *r);

#endif
