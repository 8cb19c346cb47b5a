/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/fit_private.h -- what the files that fit a machine share.
 */
#ifndef WS_FIT_PRIVATE_H
#define WS_FIT_PRIVATE_H

#include "study/fit.h"
#include "study/hardware_private.h"

struct fit_point {		/* a launch at a level */
	size_t row;		/* of h.row */
	enum ws_set_level level;
	struct ws_measured hit;
	bool trivial;
	double way[WS_FIT_WAYS]; /* hit rates in percent; NAN: not known */
};

struct fit_tried {
	uint64_t number;	/* of the product of the values, the last key's fastest */
	double *hit;		/* [points]; NULL: no machine can have it */
};

struct fit_run {
	struct ws_fit *fit;
	const struct ws_data_set *set;
	const struct ws_fit_options *o;
	struct hardware_state state;
	bool *asked;		/* [h.row_count]: rows that have a point */
	struct ws_list set_keys; /* --set without the free keys */
};

/* fit_keys.c: fit->vary and the start's values. */
enum ws_status ws_fit_keys(struct fit_run *f, struct ws_err *err) WS_MUST_CHECK;

/* fit_points.c: the points there may be, before anything is run; the first machine; and those that
 * count, when the start has been tried. */
enum ws_status ws_fit_points(struct fit_run *f, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_fit_settle_points(struct fit_run *f, struct ws_err *err) WS_MUST_CHECK;

/* fit_run.c: a box of combinations: of each key some of its values. */
struct fit_box {
	bool **take;		/* [keys][values] */
	bool own;		/* in the order of the very machine */
};
/* Runs what is not known of the box; results are in f->state. */
enum ws_status ws_fit_ask(struct fit_run *f, const struct fit_box *box,
			  struct ws_err *err) WS_MUST_CHECK;
/* The counts of a row, [WS_SET_LEVELS]; NULL: no machine can have the combination. */
const struct hardware_counts *ws_fit_counts(struct fit_run *f, const struct hardware_row *row,
					    uint64_t number, bool own);

/* fit_search.c: fills fit->combination. */
enum ws_status ws_fit_search(struct fit_run *f, struct ws_err *err) WS_MUST_CHECK;
/* That combination alone is asked about. */
enum ws_status ws_fit_ask_one(struct fit_run *f, uint64_t number, bool own,
			      struct ws_err *err) WS_MUST_CHECK;

/* fit_choose.c: the combination for the points in `in`, and of each key what the values' errors
 * say (NULL: not wanted). */
struct fit_choice {
	const struct fit_tried *best, *fitted;
	double noise;
};
enum ws_status ws_fit_choose(const struct ws_fit *fit, const bool *in, struct ws_fit_key *key,
			     struct fit_choice *c, struct ws_err *err) WS_MUST_CHECK;
/* NAN: not possible. */
double ws_fit_error_of(const struct ws_fit *fit, const struct fit_tried *t, const bool *in);

/* fit_numbers.c: the digit of a key, and the number with another. */
size_t ws_fit_digit(const struct ws_fit *fit, uint64_t number, size_t key);
uint64_t ws_fit_replace(const struct ws_fit *fit, uint64_t number, size_t key, size_t digit);
/* The combination of that number; NULL: it was not tried. */
const struct fit_tried *ws_fit_tried(const struct ws_fit *fit, uint64_t number);
uint64_t ws_fit_start_number(const struct ws_fit *fit);

#endif
