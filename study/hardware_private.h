/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/hardware_private.h -- what the files that judge a data set share.
 */
#ifndef WS_HARDWARE_PRIVATE_H
#define WS_HARDWARE_PRIVATE_H

#include "study/hardware.h"

struct hardware_counts {	/* of loads */
	uint64_t requests, misses, sectors, sectors_missed;
};
enum { HARDWARE_MODEL, HARDWARE_SIMULATED, HARDWARE_WAYS };

struct hardware_row {
	struct ws_set_row r;
	struct ws_buf label, launch;
	char *machine;		/* the file's path */
	struct ws_machine m;	/* with its alternatives */
	uint64_t key;		/* of all that the result hangs on */
	uint64_t configurations;
	/* [configurations + 1][levels][ways], the last of the nominal order; NULL: not there yet */
	struct hardware_counts *counts;
};

static inline const struct hardware_counts *hardware_at(const struct hardware_row *row,
							uint64_t config, unsigned level,
							unsigned way)
{
	return &row->counts[(config * WS_SET_LEVELS + level) * HARDWARE_WAYS + way];
}
static inline size_t hardware_numbers(const struct hardware_row *row)
{
	return (size_t)(row->configurations + 1) * WS_SET_LEVELS * HARDWARE_WAYS;
}

/* hardware_run.c: fills the counts of all rows that have none. */
struct hardware_state;
enum ws_status ws_hardware_run(struct ws_hardware *h, const struct ws_hardware_options *o,
			       struct hardware_state *state, struct ws_err *err) WS_MUST_CHECK;

/* hardware_state.c: results in a file, a line each; path NULL: nothing is kept. */
struct hardware_state {
	FILE *file;
	const char *path;
};
enum ws_status ws_hardware_state_open(struct hardware_state *s, const char *path,
				      struct ws_hardware *h, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_hardware_state_add(struct hardware_state *s, const struct hardware_row *row,
				     struct ws_err *err) WS_MUST_CHECK;
void ws_hardware_state_close(struct hardware_state *s);

/* hardware_points.c: what the counts say of the rows. */
enum ws_status ws_hardware_points(struct ws_hardware *h, struct ws_err *err) WS_MUST_CHECK;

#endif
