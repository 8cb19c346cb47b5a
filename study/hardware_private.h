/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/hardware_private.h -- what the files that run the launches of a data set share.
 */
#ifndef WS_HARDWARE_PRIVATE_H
#define WS_HARDWARE_PRIVATE_H

#include "base/map.h"
#include "study/hardware.h"

#include <pthread.h>

struct hardware_counts {	/* of loads */
	uint64_t requests, misses, sectors, sectors_missed;
};
#define HARDWARE_COUNTS (sizeof(struct hardware_counts) / sizeof(uint64_t))
enum { HARDWARE_MODEL, HARDWARE_SIMULATED, HARDWARE_WAYS };

struct hardware_row {
	struct ws_set_row r;
	struct ws_buf label, launch;
	char *machine;		/* the file's path, or a preset's name */
	struct ws_machine m;	/* with its alternatives */
	uint64_t launch_key;	/* of the launch, the kernels and the version */
	uint64_t key;		/* of all that the result depends on */
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

/* hardware.c: the rows that are asked for; none is run yet. */
enum ws_status ws_hardware_rows(struct ws_hardware *h, const struct ws_data_set *set,
				const struct ws_hardware_options *o,
				struct ws_err *err) WS_MUST_CHECK;
/* hardware.c: a key, of `len` more bytes. */
uint64_t ws_hardware_hash(uint64_t key, const void *data, size_t len);

/* hardware_state.c: results by key, a line each in a file; path NULL: they are in memory alone. */
struct hardware_result {
	uint64_t key;
	size_t count;
	uint64_t *value;
};
struct hardware_state {
	FILE *file;
	const char *path;
	struct hardware_result *result;
	size_t results, cap;
	struct ws_map map;
	uint64_t added;		/* since it was opened */
	bool open;
	pthread_mutex_t lock;
};
/* Close it even after a failure. */
enum ws_status ws_hardware_state_open(struct hardware_state *s, const char *path,
				      struct ws_err *err) WS_MUST_CHECK;
/* NULL: not there.  Both: any thread. */
const uint64_t *ws_hardware_state_find(struct hardware_state *s, uint64_t key, size_t count);
enum ws_status ws_hardware_state_add(struct hardware_state *s, uint64_t key,
				     const uint64_t *value, size_t count,
				     struct ws_err *err) WS_MUST_CHECK;
void ws_hardware_state_close(struct hardware_state *s);

/* hardware_launches.c: rows on the traces of their launches, each of which is captured once. */
struct hardware_pass {
	struct ws_hardware *h;
	const struct ws_hardware_options *o;
	const char *what;	/* the progress line's words */
	const bool *asked;	/* [h->row_count]: the rows to take */
	/* Any thread; of a launch one row after another, those of equal keys together. */
	enum ws_status (*take)(void *context, struct hardware_row *row,
			       const struct ws_trace *trace, struct ws_err *err);
	void *context;
};
enum ws_status ws_hardware_launches(const struct hardware_pass *pass,
				    struct ws_err *err) WS_MUST_CHECK;

/* hardware_run.c: fills the counts of all rows that have none. */
enum ws_status ws_hardware_run(struct ws_hardware *h, const struct ws_hardware_options *o,
			       struct hardware_state *state, struct ws_err *err) WS_MUST_CHECK;
/* hardware_run.c: takes the row's counts from the results; are they there? */
bool ws_hardware_kept(struct hardware_row *row, struct hardware_state *state);
/* hardware_run.c: "KEY=A" of each key that the machine leaves open, or "KEY=A,B,C" of all; NULL:
 * out of memory.  *room holds the texts, and is freed with the list. */
bool ws_hardware_open_keys(const struct ws_machine *m, bool all, struct ws_list *list,
			   char **room);

/* hardware_points.c: what the counts say of the rows. */
enum ws_status ws_hardware_points(struct ws_hardware *h, struct ws_err *err) WS_MUST_CHECK;
/* hardware_points.c: what was measured at p->level, and whether that is trivial or left out. */
enum ws_status ws_hardware_measure(struct ws_hardware_point *p, struct ws_err *err) WS_MUST_CHECK;
/* NAN: of no requests. */
double ws_hardware_hit(const struct hardware_counts *c, bool sectors);

#endif
