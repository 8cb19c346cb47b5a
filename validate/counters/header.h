/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/counters/header.h -- the headers of profilers' tables.
 */
#ifndef WS_COUNTERS_HEADER_H
#define WS_COUNTERS_HEADER_H

#include "validate/counters.h"
#include "validate/counters/csv.h"

enum ws_column_role {
	WS_ROLE_NONE,		/* nothing that we want, or a counter of that name */
	WS_ROLE_LAUNCH, WS_ROLE_KERNEL, WS_ROLE_GPU,
	WS_ROLE_METRIC, WS_ROLE_UNIT, WS_ROLE_VALUE, WS_ROLE_MIN, WS_ROLE_MAX, WS_ROLE_SAMPLES,
	WS_ROLE_NOTE,		/* rows may end before it */
	WS_ROLE_GRID, WS_ROLE_BLOCK, /* three numbers */
	WS_ROLE_GRID_X, WS_ROLE_GRID_Y, WS_ROLE_GRID_Z,
	WS_ROLE_BLOCK_X, WS_ROLE_BLOCK_Y, WS_ROLE_BLOCK_Z,
	WS_ROLE_ITEMS, WS_ROLE_GROUP, /* work-items of the grid and of a work-group */
	WS_ROLE_REGISTERS, WS_ROLE_SHARED, /* shared memory adds up */
	WS_ROLES
};

struct ws_heading {		/* one column */
	enum ws_column_role role;
	const struct ws_counters_name *counter; /* of ours; NULL: none */
	char unit[16];		/* that the second row has for it */
};

struct ws_header {
	enum ws_gpu_profiler profiler;
	struct ws_heading *column;
	size_t columns, cap;
	size_t place[WS_ROLES];	/* the first column of that role, or SIZE_MAX */
	uint64_t line;
	bool by_metric;		/* a metric a row; else a launch a row */
};

/* Is the record one?  Then *h is it, and true.  *no_memory: there was none. */
bool ws_header_take(struct ws_header *h, const struct ws_csv *c, bool *no_memory);
/* Could a record be one that begins with this cell?  Quick, for every record. */
bool ws_header_begins(const char *first);
void ws_header_clear(struct ws_header *h);
/* What a metric says of a launch, by its name: registers, shared memory, GPU; else NONE. */
enum ws_column_role ws_header_property(enum ws_gpu_profiler profiler, const char *name);
/* The counter of that name, or NULL. */
const struct ws_counters_name *ws_header_counter(enum ws_gpu_profiler profiler, const char *name);

#endif
