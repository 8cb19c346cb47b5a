/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/sim/directory.h -- one record for every line asked for since the last
 * flush, found by address.
 *
 * The record says where the line stands in each of the simulator's three caches.  Records are never
 * removed, so each keeps its number until the flush.  O(1) expected per look-up; 48 B and up to 16
 * B of map per line.
 */
#ifndef WS_DIRECTORY_H
#define WS_DIRECTORY_H

#include "base/map.h"

#define WS_NOWHERE UINT32_MAX

struct ws_sim_line {
	uint64_t address;
	uint32_t set, slot;	/* slot = set * ways + way, or WS_NOWHERE */
	uint32_t valid;		/* sectors; 0 when not resident */
	uint32_t modified;	/* 32 B sectors, of a cache that passes on what it throws out */
	uint32_t full_valid;	/* the same in the fully associative cache */
	uint32_t newer, older;	/* its neighbours there, or WS_NOWHERE */
	uint32_t kept, ever;	/* in the infinite cache: valid; fetched once */
};

struct ws_directory {		/* zero is empty */
	struct ws_sim_line *line;
	size_t lines, lines_cap;
	struct ws_map map;
};

/* *number: the line's; *fresh: it was not known, and its record has only the address,
 * set 0, no sectors, and is nowhere. */
enum ws_status ws_directory_find(struct ws_directory *d, uint64_t address, uint32_t *number,
				 bool *fresh, struct ws_err *err) WS_MUST_CHECK;
void ws_directory_flush(struct ws_directory *d);
void ws_directory_clear(struct ws_directory *d); /* frees */
#endif
