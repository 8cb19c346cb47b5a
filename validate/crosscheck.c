/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/crosscheck.c -- the model beside the simulator, on the same streams.
 *
 * The difference is the policy error alone: profile and streams come from one
 * order of one trace, so neither the scheduler nor the machine has a part in it.
 * A prediction that calls itself exact must agree in every count of every
 * kind; one that is approximate must agree in the number of requests of
 * every kind (else the two did not see the same streams), and its miss ratio must be
 * within a bound, or the simulated one within the interval that it gives.
 */
#include <math.h>

#include "validate/validate.h"

#define POINTS 100.0 /* percentage points of a ratio of 1 */
#define SLACK 1e-9   /* of an interval's ends: they are sums in doubles */

/* Whether model and simulator agree in what must be equal. */
static bool agree(const struct ws_check *c)
{
	for (int k = 0; k <= WS_KINDS; k++) {
		const struct ws_counts *model = &c->model.kind[k], *exact = &c->exact[k];

		if (c->model.basis == WS_EXACT ? !ws_counts_equal(model, exact, 1)
					       : !c->other_stream &&
						       model->requests != exact->requests)
			return false;
	}
	return true;
}

static bool within(const struct ws_check *c, bool count_pending, double bound_pp)
{
	double exact = ws_miss_ratio(&c->exact[WS_KINDS], count_pending);

	if (c->model.basis == WS_EXACT)
		return true;
	if (bound_pp >= 0)
		return c->error_pp <= bound_pp;
	return exact >= c->model.low[WS_KINDS] - SLACK && exact <= c->model.high[WS_KINDS] + SLACK;
}

void ws_check_judge(struct ws_check *c, bool count_pending, double bound_pp)
{
	double model = ws_miss_ratio(&c->model.kind[WS_KINDS], count_pending);
	double exact = ws_miss_ratio(&c->exact[WS_KINDS], count_pending);

	c->agree = agree(c);
	c->error_pp = c->agree ? POINTS * fabs(model - exact) : POINTS;
	c->within_bound = c->agree && within(c, count_pending, bound_pp);
}

enum ws_status ws_crosscheck(const struct ws_profile *p, size_t section,
			     const struct ws_streams *s, size_t launches,
			     const struct ws_cache *cache, double bound_pp,
			     struct ws_check *out, struct ws_err *err)
{
	enum ws_status status;

	*out = (struct ws_check){ .error_pp = POINTS };
	if (section >= p->sections)
		return ws_fail(err, WS_EINVAL, "section %zu of a profile of %zu", section,
			       p->sections);
	status = ws_predict(p, section, cache, &out->model, err);
	if (status == WS_OK)
		status = ws_simulate(s, launches, p->section[section].kernel, cache, p->seed,
				     out->exact, err);
	if (status == WS_OK)
		ws_check_judge(out, p->machine.count_pending, bound_pp);
	return status;
}
