/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/fit_points.c -- which launches are fitted, and what was measured of them.
 */
#include "study/fit_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* asked_sectors NAN: what depends on it is not known yet. */
static enum ws_status measure(const struct fit_run *f, size_t row, enum ws_set_level level,
			      double asked_sectors, struct ws_hardware_point *p,
			      struct ws_err *err)
{
	*p = (struct ws_hardware_point){ .row = f->fit->h.row[row].r, .level = level };
	p->row.asked_sectors = asked_sectors;
	return ws_hardware_measure(p, err);
}

static enum ws_status add_candidate(struct fit_run *f, size_t row, enum ws_set_level level,
				    struct ws_err *err)
{
	struct ws_fit *fit = f->fit;
	struct fit_point *to = &fit->point[fit->points];
	struct ws_hardware_point p;
	enum ws_status status = measure(f, row, level, (double)NAN, &p, err);
	bool known = isfinite(p.hit.median);

	if (status == WS_OK && !known)
		status = measure(f, row, level, 1, &p, err);
	if (status != WS_OK || p.left_out || !isfinite(p.hit.median))
		return status;
	*to = (struct fit_point){ .row = row, .level = level, .hit = p.hit,
				  .trivial = known && p.trivial };
	fit->points++;
	return WS_OK;
}

/* Without the trivial ones, if there are others. */
static void drop_trivial(struct ws_fit *fit)
{
	size_t kept = 0, others = 0;

	for (size_t i = 0; i < fit->points; i++)
		others += !fit->point[i].trivial;
	fit->trivial = !others;
	for (size_t i = 0; i < fit->points && others; i++)
		if (!fit->point[i].trivial)
			fit->point[kept++] = fit->point[i];
	fit->points = others ? kept : fit->points;
}

static enum ws_status same_machine(struct fit_run *f, struct ws_err *err)
{
	const struct hardware_row *first = NULL;

	for (size_t i = 0; i < f->fit->h.row_count; i++) {
		const struct hardware_row *row = &f->fit->h.row[i];

		if (!f->asked[i])
			continue;
		if (!first)
			f->fit->start = row->m;
		first = first ? first : row;
		if (f->o->one_machine && strcmp(first->machine, row->machine) != 0)
			return ws_fail(err, WS_EINVAL, "the launches are of several machines, %s "
				       "and %s: want launches of one GPU, with its L1 in one "
				       "mode, or one start for all", first->machine, row->machine);
	}
	return WS_OK;
}

enum ws_status ws_fit_points(struct fit_run *f, struct ws_err *err)
{
	struct ws_fit *fit = f->fit;
	enum ws_status status = WS_OK;

	fit->point = ws_alloc(fit->h.row_count * WS_SET_LEVELS + 1, sizeof *fit->point);
	f->asked = ws_alloc_zero(fit->h.row_count + 1, sizeof *f->asked);
	if (!fit->point || !f->asked)
		return ws_fail_memory(err, "the launches");
	for (size_t i = 0; i < fit->h.row_count; i++)
		for (unsigned l = 0; l < WS_SET_LEVELS && status == WS_OK; l++)
			if (f->o->level[l])
				status = add_candidate(f, i, (enum ws_set_level)l, err);
	if (status == WS_OK && !fit->points)
		status = ws_fail(err, WS_EINVAL, "%s: no launch that was asked for is scored at "
				 "that level: there is nothing to fit", f->set->folder);
	if (status != WS_OK)
		return status;
	drop_trivial(fit);
	for (size_t i = 0; i < fit->points; i++)
		f->asked[fit->point[i].row] = true;
	return same_machine(f, err);
}

/* How many different cells the column has. */
static size_t count_names(const struct ws_fit *fit, const char *column)
{
	size_t count = 0;

	for (size_t i = 0; i < fit->points; i++) {
		const struct ws_set_row *r = &fit->h.row[fit->point[i].row].r;
		size_t k = 0;

		while (k < i && strcmp(ws_set_cell(&fit->h.row[fit->point[k].row].r, column),
				       ws_set_cell(r, column)) != 0)
			k++;
		count += k == i;
	}
	return count;
}

enum ws_status ws_fit_settle_points(struct fit_run *f, struct ws_err *err)
{
	struct ws_fit *fit = f->fit;
	uint64_t start = ws_fit_start_number(fit);
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < fit->points && status == WS_OK; i++) {
		struct fit_point *to = &fit->point[i];
		struct hardware_row *row = &fit->h.row[to->row];
		const struct hardware_counts *c = ws_fit_counts(f, row, start, false);
		struct ws_hardware_point p;

		status = measure(f, to->row, to->level,
				 c ? (double)c[WS_SET_L1].sectors : (double)NAN, &p, err);
		to->hit = p.hit;
		to->trivial = p.trivial;
		if (status == WS_OK && !isfinite(p.hit.median))
			status = ws_fail(err, WS_EINVAL, "%s:%zu: its hit rate is not known, as it "
					 "loads nothing", row->r.table->path,
					 ws_set_line(&row->r));
	}
	if (status != WS_OK)
		return status;
	drop_trivial(fit);
	memset(f->asked, 0, fit->h.row_count * sizeof *f->asked);
	for (size_t i = 0; i < fit->points; i++)
		f->asked[fit->point[i].row] = true;
	for (size_t i = 0; i < fit->points; i++)
		fit->launches += !i || fit->point[i].row != fit->point[i - 1].row;
	fit->kernels = count_names(fit, "kernel");
	fit->gpus = count_names(fit, "gpu");
	return WS_OK;
}

const char *ws_fit_gpu(const struct ws_fit *fit, size_t i)
{
	for (size_t p = 0; p < fit->points; p++) {
		const char *gpu = ws_set_cell(&fit->h.row[fit->point[p].row].r, "gpu");
		size_t k = 0;

		while (k < p && strcmp(ws_set_cell(&fit->h.row[fit->point[k].row].r, "gpu"),
				       gpu) != 0)
			k++;
		if (k == p && !i--)
			return gpu;
	}
	return NULL;
}
