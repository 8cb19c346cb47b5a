/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/fit_search.c -- which combinations are tried.
 */
#include "study/fit_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DESCENTS 3u		/* from the start, and from combinations that are drawn */

/* ---- what was tried ---------------------------------------------------------------- */

static double hit_of(struct fit_run *f, const struct fit_point *p, uint64_t number)
{
	const struct hardware_counts *c = ws_fit_counts(f, &f->fit->h.row[p->row], number, false);

	return c ? ws_hardware_hit(&c[p->level], p->hit.sectors) : (double)NAN;
}

static enum ws_status add_tried(struct fit_run *f, uint64_t number, struct ws_err *err)
{
	struct ws_fit *fit = f->fit;
	struct fit_tried t = { .number = number };
	bool possible = true;

	if (ws_fit_tried(fit, number))
		return WS_OK;
	t.hit = ws_alloc(fit->points + 1, sizeof *t.hit);
	if (!t.hit || !WS_ROOM(fit->combination, fit->combination_cap, fit->tried + 1)) {
		free(t.hit);
		return ws_fail_memory(err, "the combinations");
	}
	for (size_t i = 0; i < fit->points; i++) {
		t.hit[i] = hit_of(f, &fit->point[i], number);
		possible = possible && isfinite(t.hit[i]);
	}
	if (!possible) {
		free(t.hit);
		t.hit = NULL;
	}
	fit->combination[fit->tried++] = t;
	return WS_OK;
}

/* ---- boxes ------------------------------------------------------------------------- */

static void free_box(const struct ws_fit *fit, struct fit_box *box)
{
	for (size_t k = 0; box->take && k < fit->keys; k++)
		free(box->take[k]);
	free(box->take);
}

/* That combination alone. */
static enum ws_status make_box(const struct ws_fit *fit, uint64_t number, struct fit_box *box,
			       struct ws_err *err)
{
	bool ok;

	*box = (struct fit_box){ .take = ws_alloc_zero(fit->keys, sizeof *box->take) };
	ok = box->take != NULL;
	for (size_t k = 0; k < fit->keys && ok; k++) {
		box->take[k] = ws_alloc_zero(fit->vary[k].count, sizeof **box->take);
		ok = box->take[k] != NULL;
		if (ok)
			box->take[k][ws_fit_digit(fit, number, k)] = true;
	}
	if (ok)
		return WS_OK;
	free_box(fit, box);
	*box = (struct fit_box){ 0 };
	return ws_fail_memory(err, "the combinations");
}

enum ws_status ws_fit_ask_one(struct fit_run *f, uint64_t number, bool own, struct ws_err *err)
{
	struct fit_box box;
	enum ws_status status = make_box(f->fit, number, &box, err);

	box.own = own;
	if (status == WS_OK)
		status = ws_fit_ask(f, &box, err);
	free_box(f->fit, &box);
	return status;
}

/* All there are, the start as well. */
static enum ws_status try_all(struct fit_run *f, struct ws_err *err)
{
	struct ws_fit *fit = f->fit;
	struct fit_box box;
	enum ws_status status = make_box(fit, 0, &box, err);

	for (size_t k = 0; k < fit->keys && status == WS_OK; k++)
		for (size_t i = 0; i < fit->vary[k].count; i++)
			box.take[k][i] = true;
	if (status == WS_OK)
		status = ws_fit_ask(f, &box, err);
	if (status == WS_OK)
		status = ws_fit_settle_points(f, err);
	for (uint64_t n = 0; n < fit->combinations && status == WS_OK; n++)
		status = add_tried(f, n, err);
	free_box(fit, &box);
	return status;
}

/* All values of one key. */
static enum ws_status try_line(struct fit_run *f, uint64_t number, size_t key, struct ws_err *err)
{
	struct ws_fit *fit = f->fit;
	struct fit_box box;
	enum ws_status status = make_box(fit, number, &box, err);

	for (size_t i = 0; i < fit->vary[key].count && status == WS_OK; i++)
		box.take[key][i] = !ws_fit_tried(fit, ws_fit_replace(fit, number, key, i));
	if (status == WS_OK)
		status = ws_fit_ask(f, &box, err);
	for (size_t i = 0; i < fit->vary[key].count && status == WS_OK; i++)
		status = add_tried(f, ws_fit_replace(fit, number, key, i), err);
	free_box(fit, &box);
	return status;
}

/* ---- descents ---------------------------------------------------------------------- */

static double error_at(const struct ws_fit *fit, uint64_t number)
{
	const struct fit_tried *t = ws_fit_tried(fit, number);
	double error = t ? ws_fit_error_of(fit, t, NULL) : (double)NAN;

	return isnan(error) ? (double)INFINITY : error;
}

/* One key after another to its best value, until none is better. */
static enum ws_status descend(struct fit_run *f, uint64_t *number, struct ws_err *err)
{
	const struct ws_fit *fit = f->fit;
	enum ws_status status = WS_OK;

	for (size_t k = 0, still = 0; still < fit->keys && status == WS_OK;
	     k = (k + 1) % fit->keys) {
		uint64_t before = *number;

		status = try_line(f, before, k, err);
		for (size_t i = 0; i < fit->vary[k].count && status == WS_OK; i++) {
			uint64_t n = ws_fit_replace(fit, before, k, i);

			if (error_at(fit, n) < error_at(fit, *number))
				*number = n;
		}
		still = *number == before ? still + 1 : 1;
	}
	return status;
}

static enum ws_status try_descents(struct fit_run *f, struct ws_err *err)
{
	struct ws_fit *fit = f->fit;
	uint64_t start = ws_fit_start_number(fit), end[DESCENTS];
	struct ws_rng rng;
	enum ws_status status = ws_fit_ask_one(f, start, false, err);

	if (status == WS_OK)
		status = ws_fit_settle_points(f, err);
	if (status == WS_OK)
		status = add_tried(f, start, err);
	ws_rng_seed(&rng, f->o->hardware->study->seed);
	for (unsigned d = 0; d < DESCENTS && status == WS_OK; d++) {
		end[d] = d ? ws_rng_below(&rng, fit->combinations) : start;
		status = descend(f, &end[d], err);
		fit->descents++;
	}
	for (unsigned d = 0; d < DESCENTS && status == WS_OK; d++) {
		double least = fmin(error_at(fit, end[0]), fmin(error_at(fit, end[1]),
								error_at(fit, end[2])));

		fit->agreed += error_at(fit, end[d]) <= least;
	}
	return status;
}

enum ws_status ws_fit_search(struct fit_run *f, struct ws_err *err)
{
	return f->fit->combinations <= f->o->most ? try_all(f, err) : try_descents(f, err);
}
