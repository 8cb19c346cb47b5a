/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/sectors.h -- private to the project: a request's sectors of 32 B, and those of a cache.
 */
#ifndef WS_MACHINE_SECTORS_H
#define WS_MACHINE_SECTORS_H

#include "machine/machine.h"

struct ws_sectoring {		/* of a cache's lines; a line has 1 .. 32 sectors of 32 B */
	unsigned count;		/* sectors a line; 1: not sectored */
	unsigned fold;		/* 32 B sectors in each */
};

static inline struct ws_sectoring ws_sectoring_of(uint64_t line_bytes, uint64_t sector_bytes)
{
	uint64_t each = sector_bytes && sector_bytes < line_bytes ? sector_bytes : line_bytes;

	return (struct ws_sectoring){ .count = (unsigned)(line_bytes / each),
				      .fold = (unsigned)(each / WS_SECTOR_BYTES) };
}

static inline uint32_t ws_sectoring_first(struct ws_sectoring by)
{
	return by.fold < 32 ? ((uint32_t)1 << by.fold) - 1 : UINT32_MAX;
}

/* The cache's sectors in which those of 32 B lie: a bit each, as everywhere here. */
static inline uint32_t ws_sectors_asked(struct ws_sectoring by, uint32_t asked)
{
	uint32_t mask = 0, first = ws_sectoring_first(by);

	if (by.fold == 1)
		return asked & (uint32_t)(((uint64_t)1 << by.count) - 1);
	for (unsigned i = 0; i < by.count; i++)
		if (asked >> i * by.fold & first)
			mask |= (uint32_t)1 << i;
	return mask;
}

/* All 32 B of sectors of the cache. */
static inline uint32_t ws_sectors_whole(struct ws_sectoring by, uint32_t sectors)
{
	uint32_t mask = 0, first = ws_sectoring_first(by);

	if (by.fold == 1)
		return sectors;
	for (unsigned i = 0; i < by.count; i++)
		if (sectors >> i & 1)
			mask |= first << i * by.fold;
	return mask;
}

/* What is fetched where sectors of 32 B are asked for. */
static inline uint32_t ws_sectors_fetched(struct ws_sectoring by, uint32_t asked)
{
	return by.fold == 1 ? asked : ws_sectors_whole(by, ws_sectors_asked(by, asked));
}

#endif
