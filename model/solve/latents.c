/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/latents.c -- see latents.h.
 */
#include "model/solve/latents.h"
#include "model/constants.h"
#include "model/solve/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SWEEPS 40u		/* of the fit */

/* ---- what is inside, and before ----------------------------------------------------------- */

static bool is_near(const struct ws_reuse_row *inside, const struct ws_reuse_row *of)
{
	bool again = inside->sort == WS_ROW_FINITE || inside->sort == WS_ROW_EVICT;

	return again && inside->time <= of->time;
}

static void fill_inside(struct ws_latents *l, const struct ws_reuse *w, size_t row)
{
	const struct ws_reuse_row *of = w->row + row;
	struct ws_latent_row *to = l->row + row;
	size_t far = to->far, near = to->near;

	for (size_t i = 0; i < of->within.count; i++) {
		const struct ws_term *t = of->within.term + i;
		const struct ws_reuse_row *from = w->row + t->row;
		struct ws_inside in = { t->row, t->value, t->value };

		if (is_near(from, of)) {
			in.lines *= from->time / of->time;
			to->near_lines += in.lines;
			l->near[near++] = in;
		} else {
			to->far_lines += in.lines;
			l->far[far++] = in;
		}
	}
	to[1].far = far;
	to[1].near = near;
}

static void fill_prior(struct ws_latents *l, const struct ws_reuse *w, size_t row)
{
	const struct ws_reuse_row *of = w->row + row;
	const struct ws_term *t = of->before.term;
	struct ws_latent_row *to = l->row + row;
	size_t at = to->prior;
	double all = 0, least = 0;

	for (size_t i = 0; i < of->before.count; i++)
		least += t[i].row != row ? WS_LATENTS_SELDOM * t[i].value : 0;
	for (size_t i = 0; i < of->before.count; i++)
		all += t[i].value > least ? t[i].value : 0;
	for (size_t i = 0; i < of->before.count; i++) {
		const struct ws_latent_row *from = l->row + t[i].row;
		double time = w->row[t[i].row].time;

		if (!(t[i].value > least))
			continue;
		l->prior[at++] = (struct ws_prior){
			.row = t[i].row, .fraction = t[i].value / all,
			.again = time > 0 ? fmin(1, of->time / time) : 0,
			.arrived = fmin(1, fmax(0, (to->near_lines - from->near_lines) /
						   fmax(from->far_lines, 1e-9))),
		};
	}
	to[1].prior = at;
}

/* ---- latents --------------------------------------------------------------------------- */

struct fit {
	double bin[WS_LATENTS][WS_TYPES];	/* u */
	double fraction[WS_LATENTS];		/* pi */
};

struct fitting {
	const struct ws_latents *latents;
	const struct ws_reuse *windows;
	struct fit fit;
};

static void fit_begin(struct fit *f)
{
	const double apart = (double)WS_BINS * 0.7 / (WS_LATENTS - 1);

	for (unsigned k = 0; k < WS_LATENTS; k++) {
		double sum = 0;

		for (unsigned b = 0; b < WS_TYPES; b++) {
			double off = (b - 2 - k * apart) / apart;

			f->bin[k][b] = 0.02 + exp(-0.5 * off * off);
			sum += f->bin[k][b];
		}
		for (unsigned b = 0; b < WS_TYPES; b++)
			f->bin[k][b] /= sum;
		f->fraction[k] = 1.0 / WS_LATENTS;
	}
}

/* The probability of each kind for a line that had these two references; either may be NULL. */
static void divide(const struct fit *f, const struct ws_reuse_row *before,
		   const struct ws_reuse_row *after, double *latent)
{
	double sum = 0;

	for (unsigned k = 0; k < WS_LATENTS; k++) {
		double p = f->fraction[k];

		p *= before->sort == WS_ROW_FINITE ? f->bin[k][before->type] : 1;
		p *= after->sort == WS_ROW_FINITE ? f->bin[k][after->type] : 1;
		latent[k] = p + 1e-12;
		sum += latent[k];
	}
	for (unsigned k = 0; k < WS_LATENTS; k++)
		latent[k] /= sum;
}

static void gather_fit(const struct fitting *of, struct fit *next)
{
	const struct ws_reuse *w = of->windows;
	const struct ws_latents *l = of->latents;

	memset(next, 0, sizeof *next);
	for (size_t i = 0; i < w->types; i++)
		for (size_t j = l->row[i].prior; j < l->row[i + 1].prior; j++) {
			const struct ws_reuse_row *after = w->row + i;
			const struct ws_reuse_row *before = w->row + l->prior[j].row;
			double latent[WS_LATENTS], n = after->count * l->prior[j].fraction;

			divide(&of->fit, before, after, latent);
			for (unsigned k = 0; k < WS_LATENTS; k++) {
				next->fraction[k] += n * latent[k];
				if (before->sort == WS_ROW_FINITE)
					next->bin[k][before->type] += n * latent[k];
				if (after->sort == WS_ROW_FINITE)
					next->bin[k][after->type] += n * latent[k];
			}
		}
}

/* Makes the sum 1, and no element exactly 0. */
static void normalize(double *p, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += p[i];
	for (size_t i = 0; i < count; i++)
		p[i] = (p[i] + 1e-6 * sum + 1e-9) /
			(sum + (double)count * (1e-6 * sum + 1e-9));
}

/* One step of expectation-maximization.  All sweeps are made, so the returned change does not
 * matter. */
static double fit_sweep(void *context, unsigned number)
{
	struct fitting *f = context;
	struct fit next;

	(void)number;
	gather_fit(f, &next);
	for (unsigned k = 0; k < WS_LATENTS; k++)
		normalize(next.bin[k], WS_TYPES);
	normalize(next.fraction, WS_LATENTS);
	f->fit = next;
	return HUGE_VAL;
}

static void fit_latents(struct ws_latents *l, const struct ws_reuse *w)
{
	struct fitting f = { .latents = l, .windows = w };

	fit_begin(&f.fit);
	(void)ws_sweep(&(struct ws_sweeping){ .sweep = fit_sweep, .context = &f, .most = SWEEPS });
	for (size_t i = 0; i < w->rows; i++)
		for (size_t j = l->row[i].prior; j < l->row[i + 1].prior; j++) {
			struct ws_prior *p = l->prior + j;

			divide(&f.fit, w->row + p->row, w->row + i, p->latent);
			for (unsigned k = 0; k < WS_LATENTS; k++) {
				p->latent[k] *= p->fraction;
				l->row[i].latent[k] += p->latent[k];
			}
		}
}

/* ---- life ------------------------------------------------------------------------------ */

static void count_terms(const struct ws_reuse *w, size_t *within, size_t *before)
{
	*within = *before = 0;
	for (size_t i = 0; i < w->rows; i++) {
		*within += w->row[i].within.count;
		*before += w->row[i].before.count;
	}
}

enum ws_status ws_latents_new(struct ws_latents **out, const struct ws_reuse *w,
			      struct ws_err *err)
{
	struct ws_latents *l = ws_alloc_zero(1, sizeof *l);
	size_t within, before;

	*out = NULL;
	count_terms(w, &within, &before);
	if (l) {
		l->row = ws_alloc_zero(w->rows + 1, sizeof *l->row);
		l->far = ws_alloc(within + 1, sizeof *l->far);
		l->near = ws_alloc(within + 1, sizeof *l->near);
		l->prior = ws_alloc(before + 1, sizeof *l->prior);
	}
	if (!l || !l->row || !l->far || !l->near || !l->prior) {
		ws_latents_free(l);
		return ws_fail_memory(err, "the kinds of lines behind a profile's windows");
	}
	for (size_t i = 0; i < w->rows; i++)
		fill_inside(l, w, i);
	for (size_t i = 0; i < w->rows; i++) /* needs the windows of both rows */
		fill_prior(l, w, i);
	fit_latents(l, w);
	*out = l;
	return WS_OK;
}

void ws_latents_free(struct ws_latents *l)
{
	if (!l)
		return;
	free(l->row);
	free(l->far);
	free(l->near);
	free(l->prior);
	free(l);
}
