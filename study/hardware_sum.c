/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/hardware_sum.c -- the error over launches, in its parts.
 */
#include "study/hardware.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool asked_of(const char *asked, const char *is)
{
	return !asked || strcmp(asked, is) == 0;
}

static bool in_sum(const struct ws_hardware_point *p, const struct ws_hardware_of *of)
{
	return !p->left_out && p->level == of->level && isfinite(p->hit_predicted.central) &&
	       asked_of(of->gpu, ws_set_cell(&p->row, "gpu")) &&
	       asked_of(of->kernel, ws_set_cell(&p->row, "kernel"));
}

bool ws_hardware_inside(const struct ws_hardware_point *p)
{
	/* Counters of two runs may make more than all. */
	double measured = fmin(fmax(p->hit.median, 0), 100);

	return measured >= p->hit_predicted.low && measured <= p->hit_predicted.high;
}

struct ws_error_budget ws_hardware_budget(const struct ws_hardware_point *p)
{
	return ws_error_budget_of(p->hit_predicted.central, p->simulated, p->nominal,
				  p->hit.median);
}

struct point_values {		/* of the points in a sum */
	double *predicted, *measured;
	size_t count, nontrivial; /* those that are trivial come last */
};

static void put_values(struct point_values *v, const struct ws_hardware *h,
		       const struct ws_hardware_of *of, bool trivial)
{
	for (size_t i = 0; i < h->points; i++) {
		const struct ws_hardware_point *p = &h->point[i];

		if (!in_sum(p, of) || p->trivial != trivial)
			continue;
		v->predicted[v->count] = p->hit_predicted.central;
		v->measured[v->count++] = p->hit.median;
	}
}

static void add_point(struct ws_hardware_sum *s, const struct ws_hardware_point *p,
		      double sectors[2])
{
	struct ws_error_budget b = ws_hardware_budget(p);
	double noise = (p->hit.p90 - p->hit.p10) / 2;

	s->inside += ws_hardware_inside(p);
	s->policy += fabs(b.policy);
	s->time += fabs(b.time);
	s->machine += fabs(b.machine);
	if (isfinite(noise)) {
		s->noise += noise;
		s->spreads++;
	}
	if (isfinite(p->sectors.median)) {
		sectors[0] += fabs(p->sectors_predicted.central - p->sectors.median);
		sectors[1] += p->sectors.median;
	}
}

static void add_points(const struct ws_hardware *h, const struct ws_hardware_of *of,
		       struct ws_hardware_sum *s)
{
	double sectors[2] = { 0, 0 }, count = (double)s->all.count;

	for (size_t i = 0; i < h->points; i++)
		if (in_sum(&h->point[i], of))
			add_point(s, &h->point[i], sectors);
	s->sectors_error = sectors[1] > 0 ? sectors[0] / sectors[1] : (double)NAN;
	s->noise = s->spreads ? s->noise / (double)s->spreads : (double)NAN;
	s->policy /= count;
	s->time /= count;
	s->machine /= count;
}

enum ws_status ws_hardware_sum_of(const struct ws_hardware *h, const struct ws_hardware_of *of,
				  struct ws_hardware_sum *s, struct ws_err *err)
{
	struct point_values v = {
		.predicted = ws_alloc(h->points + 1, sizeof *v.predicted),
		.measured = ws_alloc(h->points + 1, sizeof *v.measured),
	};
	enum ws_status status = v.predicted && v.measured ? WS_OK
							  : ws_fail_memory(err, "the errors");

	*s = (struct ws_hardware_sum){ 0 };
	if (status == WS_OK) {
		put_values(&v, h, of, false);
		v.nontrivial = v.count;
		put_values(&v, h, of, true);
		status = ws_agreement_of(v.predicted, v.measured, v.count, &s->all, err);
	}
	if (status == WS_OK)
		status = ws_agreement_of(v.predicted, v.measured, v.nontrivial, &s->nontrivial,
					 err);
	if (status == WS_OK && v.count)
		add_points(h, of, s);
	free(v.predicted);
	free(v.measured);
	return status;
}

struct ws_hardware_move ws_hardware_move_of(const struct ws_hardware *h,
					    const struct ws_hardware_of *of, const char *choice)
{
	struct ws_hardware_move m = { 0 };

	for (size_t i = 0; i < h->points; i++) {
		const struct ws_hardware_point *p = &h->point[i];

		for (size_t k = 0; in_sum(p, of) && k < p->choices; k++) {
			if (strcmp(p->choice[k].text, choice) != 0)
				continue;
			m.count++;
			m.move += fabs(p->choice[k].hit - p->simulated);
			m.mean_abs += fabs(p->choice[k].hit - p->hit.median);
		}
	}
	if (m.count) {
		m.move /= (double)m.count;
		m.mean_abs /= (double)m.count;
	}
	return m;
}
