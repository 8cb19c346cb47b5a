/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/hardware.h -- predictions held against the counters of a data set; not installed.
 *
 * Each row of the set is a launch on a machine.  The launch is captured once for all machines that
 * have it.  What a machine leaves open (ws_machine_alternatives) makes configurations, of which the
 * first of all is the central one: each is predicted by the model and simulated on the same
 * requests, in the order of cycles; the central one is also simulated in the nominal order.  What
 * is open of the L2 changes no order.
 *
 * Costs: ws_study_crosscheck of every configuration; 64 bytes a request of a launch, for each
 * thread.
 */
#ifndef WS_HARDWARE_H
#define WS_HARDWARE_H

#include "study/study.h"
#include "validate/dataset.h"

struct ws_hardware_options {
	const struct ws_study_options *study; /* set, seed, threads, note, progress */
	const char *machine;	/* of all launches: a preset or a file; NULL: each its GPU's */
	const char *machines;	/* a folder of other machines, of the same file names; NULL */
	const char *state;	/* a file that keeps results; NULL: none is kept */
	const char *gpu, *kernel, *rows; /* which rows, the last an expression; NULL: all */
	bool quick;		/* those that set.conf says are quick */
	bool all;		/* those that are scored at no level, too */
	double budget;		/* requests of a launch, as set.conf expects them: larger ones are
				 * not run */
	uint64_t seconds;	/* that a launch may take; 0: any */
	uint64_t part, parts;	/* only the launches of part K of N: their results go to `state`,
				 * and there are no points; 0: all */
	bool keep;		/* compiled kernels, in ws_capture_cache's folder */
};

/* A value of an open key, not the first, all else as in the central configuration. */
struct ws_hardware_choice {
	char text[WS_ALTERNATIVES_MAX]; /* "l2.start=warm" */
	double hit;		/* percent, simulated */
};

struct ws_hardware_band {
	double central, low, high; /* the ends: of all configurations */
};

struct ws_hardware_point {	/* a row at a level */
	struct ws_set_row row;
	const char *label;	/* the launch in words */
	const char *machine;
	enum ws_set_level level;
	const char *left_out;	/* why it is not scored; NULL: it is */
	bool trivial;		/* streaming, or measured below 2 % or above 98 % */
	/* Hit rate of loads in percent; of the L1 the sectors that it asks the L2 for, of the L2
	 * those that miss.  NAN: not measured. */
	struct ws_measured hit, sectors;
	struct ws_hardware_band hit_predicted, sectors_predicted;
	double simulated, nominal; /* hit rates of the central configuration */
	struct ws_hardware_choice *choice;
	size_t choices;
};

struct ws_hardware {
	struct ws_hardware_point *point;
	size_t points;
	uint64_t rows;		/* of the data set that were asked for; of those: */
	uint64_t too_large, no_machine, no_kernel, not_scored, computed, kept;
	struct hardware_row *row; /* private */
	size_t row_count, row_cap;
};

enum ws_status ws_hardware_judge(struct ws_hardware *out, const struct ws_data_set *set,
				 const struct ws_hardware_options *o,
				 struct ws_err *err) WS_MUST_CHECK;
void ws_hardware_clear(struct ws_hardware *h);

/* ---- the error over launches (hardware_sum.c) ------------------------------------------- */

/* Is the measured hit rate in the predicted band? */
bool ws_hardware_inside(const struct ws_hardware_point *p);
struct ws_error_budget ws_hardware_budget(const struct ws_hardware_point *p);

struct ws_hardware_of {		/* which points; those that are not scored are in no sum */
	const char *gpu, *kernel; /* NULL: any */
	enum ws_set_level level;
};

struct ws_hardware_sum {	/* hit rates in points; means are absolute */
	struct ws_agreement all, nontrivial;
	uint64_t inside;	/* of all */
	double policy, time, machine; /* means of the parts of the budget */
	double noise;		/* mean of half the p10 .. p90 spread, of the launches that have
				 * one */
	uint64_t spreads;	/* launches that have one */
	double sectors_error;	/* sum of differences in sectors, of the sum of those measured */
};
enum ws_status ws_hardware_sum_of(const struct ws_hardware *h, const struct ws_hardware_of *of,
				  struct ws_hardware_sum *s, struct ws_err *err) WS_MUST_CHECK;

struct ws_hardware_move {	/* of an alternative */
	uint64_t count;		/* launches whose machine has it */
	double move;		/* mean by which it moves the simulated hit rate */
	double mean_abs;	/* mean error if it were the central one */
};
struct ws_hardware_move ws_hardware_move_of(const struct ws_hardware *h,
					    const struct ws_hardware_of *of, const char *choice);

#endif
