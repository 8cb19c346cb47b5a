/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/fit.h -- values of a machine's keys that explain the counters of a data set; not installed.
 *
 * The objective is the mean absolute error of hit rates of loads, in points.  Every launch weighs
 * the same at each level.  Launches that set.conf leaves out are in no mean, those that are trivial
 * (study/hardware.h) only if there are no others.
 *
 * A combination has a value for each free key.  All are tried if they are few enough; else
 * coordinate descents begin at the start and at combinations that are drawn.  The order of requests
 * is the start's for keys that leave the order alone in a sweep (study/study.h): so one order
 * answers all their values.  The fitted machine is run in its own order, too.
 *
 * Errors are taken as Laplace's distribution has them: of n launches with mean error e, n log e is
 * the likelihood's logarithm, but for its sign.  A value whose least error has n log(e / least)
 * above 1.92 is told apart from the best (95 %, one parameter).  No e is below what the counters
 * vary by, or 0.1 points.  A key whose start's value cannot be told from the best stays there.
 *
 * Costs: for each launch a capture and a simulation of each order, then one of each cache; results
 * are 64 bytes a launch and combination.
 */
#ifndef WS_FIT_H
#define WS_FIT_H

#include "study/hardware.h"

#define WS_FIT_MOST 64u		/* combinations that are all tried, if not said otherwise */

struct ws_fit_options {
	const struct ws_hardware_options *hardware;
	struct ws_list free;	/* "KEY,KEY=A|B|C,KEY=LOW:HIGH:+STEP": after a comma a new key */
	bool level[WS_SET_LEVELS];
	bool predicted;		/* the model's hit rate is fitted, not the simulation's */
	uint64_t most;
	bool one_machine;	/* WS_EINVAL if the launches are of several */
};

struct ws_fit_value {
	double error;		/* the least that was found with it; NAN: it was never possible */
	double log_likelihood;	/* less the best's: 0 or below */
	bool told;		/* from the best */
};

enum ws_determined { WS_DETERMINED_NO, WS_DETERMINED_PARTLY, WS_DETERMINED_YES };
extern const char *const ws_determined_names[];

struct ws_fit_key {
	struct ws_fit_value *value; /* of fit->vary's values */
	size_t start, best, fitted; /* best: of the combination of least error */
	enum ws_determined determined;
};

/* Whose errors: of the start; the fitted machine; the same in its own order; of each launch the
 * combination that errs least on all others but those of its kernel, or of its GPU. */
enum ws_fit_way {
	WS_FIT_START, WS_FIT_FITTED, WS_FIT_OWN, WS_FIT_NO_KERNEL, WS_FIT_NO_GPU,
	WS_FIT_WAYS,
};
extern const char *const ws_fit_way_names[WS_FIT_WAYS];

struct ws_fit {
	struct ws_vary *vary;	/* the free keys: their values */
	struct ws_fit_key *key;	/* [keys] */
	size_t keys;
	uint64_t combinations, tried, descents, agreed; /* agreed: descents that ended at the best;
							 * no descents: all were tried */
	uint64_t launches;	/* that are fitted */
	size_t points;		/* the same at each level */
	size_t kernels, gpus;	/* of them */
	bool trivial;		/* there were no others */
	double noise;		/* of the mean, in points */
	struct ws_machine start, fitted; /* of the first launch */
	struct ws_hardware h;
	struct fit_tried *combination; /* private */
	struct fit_point *point;
	size_t combination_cap;
};

/* fit is cleared even after a failure.  WS_EINVAL: a key that is none or cannot be free, no value
 * to choose from, no launch that is scored. */
enum ws_status ws_fit_run(struct ws_fit *fit, const struct ws_data_set *set,
			  const struct ws_fit_options *o, struct ws_err *err) WS_MUST_CHECK;
void ws_fit_clear(struct ws_fit *fit);

/* The i-th GPU of the launches; NULL past the last. */
const char *ws_fit_gpu(const struct ws_fit *fit, size_t i);
/* gpu NULL: all.  count 0: not known, as leaving out one of one. */
enum ws_status ws_fit_errors(const struct ws_fit *fit, enum ws_fit_way way, const char *gpu,
			     struct ws_agreement *out, struct ws_err *err) WS_MUST_CHECK;

/* The machine as a .conf file, with what was found in comments. */
enum ws_status ws_fit_conf(const struct ws_fit *fit, const struct ws_data_set *set,
			   struct ws_buf *text, struct ws_err *err) WS_MUST_CHECK;

#endif
