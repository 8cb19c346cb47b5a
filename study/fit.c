/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/fit.c -- a machine's keys fitted to the counters of a data set; see study/fit.h.
 */
#include "study/private.h"
#include "study/fit_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const ws_fit_way_names[WS_FIT_WAYS] = {
	"start", "fitted", "own order", "left-out kernel", "left-out gpu",
};

/* ---- the start --------------------------------------------------------------------- */

/* A free key that --set sets has its value at the start; the sweep does without the setting. */
static enum ws_status split_set(struct fit_run *f, struct ws_err *err)
{
	const struct ws_list *set = &f->o->hardware->study->set;
	bool ok = true;

	for (size_t i = 0; i < set->count; i++) {
		const struct ws_key *key = ws_assigned_key(set->item[i]);
		bool free_key = false;

		for (size_t k = 0; k < f->fit->keys; k++)
			free_key = free_key || f->fit->vary[k].key == key;
		ok = ok && (free_key || ws_list_add(&f->set_keys, set->item[i]));
	}
	return ok ? WS_OK : ws_fail_memory(err, "the options");
}

/* Do all machines begin at the same values? */
static enum ws_status same_start(const struct fit_run *f, struct ws_err *err)
{
	const struct ws_fit *fit = f->fit;

	for (size_t i = 0; i < fit->h.row_count; i++)
		for (size_t k = 0; k < fit->keys && f->asked[i]; k++) {
			const struct hardware_row *row = &fit->h.row[i];
			char value[2 * WS_NAME_MAX];
			const struct ws_vary *v = &fit->vary[k];

			ws_machine_get(&row->m, v->key, value, sizeof value);
			if (strcmp(value, v->value[fit->key[k].start]) != 0)
				return ws_fail(err, WS_EINVAL, "%s starts at %s on machine %s and "
					       "at %s on %s: want one value that is set for "
					       "all, or launches of one machine",
					       v->key->name, v->value[fit->key[k].start],
					       fit->start.name, value, row->m.name);
		}
	return WS_OK;
}

/* ---- what the launches say --------------------------------------------------------- */

static const char *name_of(const struct ws_fit *fit, size_t point, const char *column)
{
	return ws_set_cell(&fit->h.row[fit->point[point].row].r, column);
}

/* Each point's rate with what errs least on those of other names in that column. */
static enum ws_status leave_out(struct ws_fit *fit, const char *column, enum ws_fit_way way,
				struct ws_err *err)
{
	bool *in = ws_alloc(fit->points, sizeof *in);
	enum ws_status status = in ? WS_OK : ws_fail_memory(err, "the launches");

	for (size_t i = 0; i < fit->points && status == WS_OK; i++) {
		struct fit_choice c;
		size_t first = 0;

		while (strcmp(name_of(fit, first, column), name_of(fit, i, column)) != 0)
			first++;
		if (first < i) /* done with the first of that name */
			continue;
		for (size_t k = 0; k < fit->points; k++)
			in[k] = strcmp(name_of(fit, k, column), name_of(fit, i, column)) != 0;
		status = ws_fit_choose(fit, in, NULL, &c, err);
		for (size_t k = 0; k < fit->points && status == WS_OK; k++)
			if (!in[k])
				fit->point[k].way[way] = c.best->hit[k];
	}
	free(in);
	return status;
}

/* Is the sweep's order the fitted machine's own? */
static bool same_order(const struct ws_fit *fit)
{
	for (size_t k = 0; k < fit->keys; k++) {
		struct ws_study_plan plan = { .vary = &fit->vary[k], .varies = 1,
					      .l2_what_if = true };

		if (fit->key[k].fitted != fit->key[k].start &&
		    !ws_anchor_told(&plan, fit->vary[k].key))
			return false;
	}
	return true;
}

static enum ws_status own_order(struct fit_run *f, const struct fit_tried *fitted,
				struct ws_err *err)
{
	struct ws_fit *fit = f->fit;
	enum ws_status status;

	if (same_order(fit))
		return WS_OK;
	status = ws_fit_ask_one(f, fitted->number, true, err);

	for (size_t i = 0; i < fit->points && status == WS_OK; i++) {
		struct fit_point *p = &fit->point[i];
		const struct hardware_counts *c =
			ws_fit_counts(f, &fit->h.row[p->row], fitted->number, true);

		if (c)
			p->way[WS_FIT_OWN] = ws_hardware_hit(&c[p->level], p->hit.sectors);
	}
	return status;
}

static enum ws_status conclude(struct fit_run *f, struct ws_err *err)
{
	struct ws_fit *fit = f->fit;
	const struct fit_tried *start = ws_fit_tried(fit, ws_fit_start_number(fit));
	struct fit_choice c;
	enum ws_status status = ws_fit_choose(fit, NULL, fit->key, &c, err);

	if (status != WS_OK)
		return status;
	fit->noise = c.noise;
	for (size_t i = 0; i < fit->points; i++) {
		struct fit_point *p = &fit->point[i];

		for (unsigned w = 0; w < WS_FIT_WAYS; w++)
			p->way[w] = (double)NAN;
		p->way[WS_FIT_START] = start->hit ? start->hit[i] : (double)NAN;
		p->way[WS_FIT_FITTED] = c.fitted->hit[i];
	}
	status = own_order(f, c.fitted, err);
	if (status == WS_OK && fit->kernels > 1)
		status = leave_out(fit, "kernel", WS_FIT_NO_KERNEL, err);
	if (status == WS_OK && fit->gpus > 1)
		status = leave_out(fit, "gpu", WS_FIT_NO_GPU, err);
	fit->fitted = fit->start;
	for (size_t k = 0; k < fit->keys && status == WS_OK; k++)
		if (fit->key[k].fitted != fit->key[k].start)
			status = ws_machine_set_key(&fit->fitted, fit->vary[k].key,
						    fit->vary[k].value[fit->key[k].fitted], err);
	return status == WS_OK ? ws_machine_check(&fit->fitted, err) : status;
}

/* ---- all of it --------------------------------------------------------------------- */

enum ws_status ws_fit_run(struct ws_fit *fit, const struct ws_data_set *set,
			  const struct ws_fit_options *o, struct ws_err *err)
{
	struct fit_run f = { .fit = fit, .set = set, .o = o };
	enum ws_status status;

	*fit = (struct ws_fit){ 0 };
	status = ws_hardware_rows(&fit->h, set, o->hardware, err);
	if (status == WS_OK)
		status = ws_fit_points(&f, err);
	if (status == WS_OK)
		status = ws_fit_keys(&f, err);
	if (status == WS_OK)
		status = same_start(&f, err);
	if (status == WS_OK)
		status = split_set(&f, err);
	if (status == WS_OK)
		status = ws_hardware_state_open(&f.state, o->hardware->state, err);
	fit->h.kept = f.state.results;
	if (status == WS_OK)
		status = ws_fit_search(&f, err);
	if (status == WS_OK)
		status = conclude(&f, err);
	fit->h.computed = f.state.added;
	ws_hardware_state_close(&f.state);
	ws_list_clear(&f.set_keys);
	free(f.asked);
	return status;
}

void ws_fit_clear(struct ws_fit *fit)
{
	for (size_t k = 0; k < fit->keys; k++) {
		ws_vary_clear(&fit->vary[k]);
		free(fit->key[k].value);
	}
	for (uint64_t i = 0; i < fit->tried; i++)
		free(fit->combination[i].hit);
	free(fit->vary);
	free(fit->key);
	free(fit->combination);
	free(fit->point);
	ws_hardware_clear(&fit->h);
	*fit = (struct ws_fit){ 0 };
}

enum ws_status ws_fit_errors(const struct ws_fit *fit, enum ws_fit_way way, const char *gpu,
			     struct ws_agreement *out, struct ws_err *err)
{
	double *predicted = ws_alloc(fit->points + 1, sizeof *predicted);
	double *measured = ws_alloc(fit->points + 1, sizeof *measured);
	enum ws_status status = predicted && measured ? WS_OK : ws_fail_memory(err, "the errors");
	size_t count = 0;

	*out = (struct ws_agreement){ 0 };
	for (size_t i = 0; i < fit->points && status == WS_OK; i++) {
		double hit = fit->point[i].way[way];

		if (isnan(hit) || (gpu && strcmp(gpu, name_of(fit, i, "gpu")) != 0))
			continue;
		predicted[count] = hit;
		measured[count++] = fit->point[i].hit.median;
	}
	if (status == WS_OK && count)
		status = ws_agreement_of(predicted, measured, count, out, err);
	free(predicted);
	free(measured);
	return status;
}
