/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/chain/solve.c -- a policy and a law to the long-run miss ratio.
 */
#include <math.h>
#include <stdlib.h>

#include "validate/chain/markov.h"

struct run_long {		/* of the joined chain */
	struct ws_markov chain;
	uint32_t *class;	/* [states] */
	size_t classes;
	mpq_t *ratio;		/* [classes] */
	bool fraction;		/* all of them are fractions, not bounds alone */
	double low, high;	/* over the classes, if not */
};

/* ---- classes ------------------------------------------------------------------------------ */

/* mpq_get_d() cuts off. */
static double nearest(mpq_t value)
{
	double below = mpq_get_d(value), above = nextafter(below, 2);
	mpq_t one, other;

	mpq_inits(one, other, NULL);
	mpq_set_d(one, below);
	mpq_set_d(other, above);
	mpq_add(one, one, other);
	mpq_set_ui(other, 2, 1);
	mpq_div(one, one, other);
	below = mpq_cmp(value, one) > 0 ? above : below;
	mpq_clears(one, other, NULL);
	return below;
}

static enum ws_status solve_part(struct run_long *x, const struct ws_markov *part, mpq_t ratio,
				 struct ws_err *err)
{
	enum ws_status status;
	double low, high;

	if (part->states <= WS_CHAIN_SOLVED) {
		status = ws_markov_exact(part, ratio, err);
		low = high = nearest(ratio);
	} else {
		status = ws_markov_bracket(part, &low, &high, err);
		x->fraction = false;
	}
	x->low = low < x->low ? low : x->low;
	x->high = high > x->high ? high : x->high;
	return status;
}

static enum ws_status solve_classes(struct run_long *x, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (uint32_t i = 0; i < x->classes && status == WS_OK; i++) {
		struct ws_markov part;

		status = ws_markov_part(&part, &x->chain, x->class, i, err);
		if (status == WS_OK)
			status = solve_part(x, &part, x->ratio[i], err);
		ws_markov_clear(&part);
	}
	return status;
}

static bool all_equal(const struct run_long *x)
{
	bool equal = true;

	for (size_t i = 1; i < x->classes; i++)
		equal = equal && mpq_equal(x->ratio[0], x->ratio[i]);
	return equal;
}

static enum ws_status mean_ratio(struct run_long *x, struct ws_chain_result *out,
				 struct ws_err *err)
{
	enum ws_status status = WS_OK;
	mpq_t mean;

	if (!x->fraction) {
		out->low = x->low;
		out->high = x->high;
		out->ratio = x->low + (x->high - x->low) / 2;
		return WS_OK;
	}
	mpq_init(mean);
	mpq_set(mean, x->ratio[0]);
	if (!all_equal(x))
		status = ws_markov_mean(&x->chain, x->class, x->ratio, mean, err);
	out->ratio = out->low = out->high = nearest(mean);
	if (status == WS_OK) {
		out->fraction = mpq_get_str(NULL, 10, mean);
		if (!out->fraction)
			status = ws_fail_memory(err, "a fraction");
	}
	mpq_clear(mean);
	return status;
}

static enum ws_status long_run(struct run_long *x, struct ws_chain_result *out,
			       struct ws_err *err)
{
	enum ws_status status;

	x->class = ws_alloc(x->chain.states, sizeof *x->class);
	if (!x->class)
		return ws_fail_memory(err, "a chain");
	status = ws_markov_classes(&x->chain, x->class, &x->classes, err);
	if (status != WS_OK)
		return status;
	x->ratio = ws_alloc(x->classes, sizeof *x->ratio);
	if (!x->ratio)
		return ws_fail_memory(err, "a chain");
	for (size_t i = 0; i < x->classes; i++)
		mpq_init(x->ratio[i]);
	status = solve_classes(x, err);
	if (status == WS_OK)
		status = mean_ratio(x, out, err);
	for (size_t i = 0; i < x->classes; i++)
		mpq_clear(x->ratio[i]);
	free(x->ratio);
	return status;
}

enum ws_status ws_chain_solve(struct ws_chain_result *out, const char *policy, unsigned ways,
			      const struct ws_line_law *law, struct ws_err *err)
{
	struct run_long x = { .fraction = true, .low = 1, .high = 0 };
	struct ws_markov built = { 0 };
	enum ws_status status;

	*out = (struct ws_chain_result){ 0 };
	status = ws_markov_build(&built, policy, ways, law, err);
	out->states = built.states;
	if (status == WS_OK)
		status = ws_markov_join(&x.chain, &built, err);
	ws_markov_clear(&built);
	if (status == WS_OK)
		status = long_run(&x, out, err);
	out->joined = x.chain.states;
	out->classes = x.classes;
	ws_markov_clear(&x.chain);
	free(x.class);
	return status;
}

void ws_chain_result_clear(struct ws_chain_result *r)
{
	free(r->fraction);
	*r = (struct ws_chain_result){ 0 };
}
