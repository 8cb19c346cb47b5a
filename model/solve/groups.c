/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/groups.c -- see groups.h.
 */
#include "model/solve/groups.h"
#include "model/constants.h"
#include "model/solve/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLASSES 8u
#define SWEEPS 40u		/* of the fit */

/* ---- which types go together ----------------------------------------------------------- */

static bool same_bin(const struct ws_reuse *w, size_t a, size_t b)
{
	return b < w->types && w->row[a].type == w->row[b].type;
}

/* Where the group that begins at `from` ends; a rare rest of the bin goes with it. */
static size_t group_end(const struct ws_reuse *w, size_t from, double rare)
{
	double sum = 0, rest = 0;
	size_t to = from, last;

	do
		sum += w->row[to++].count;
	while (same_bin(w, from, to) && sum < rare);
	for (last = to; same_bin(w, from, last); last++)
		rest += w->row[last].count;
	return rest < rare ? last : to;
}

/* How many references are rare, that groups are not too many. */
static double rare_below(const struct ws_reuse *w)
{
	double rare = WS_GROUPS_RARE * w->references;

	for (;; rare *= 1.5) {
		size_t groups = 0;

		for (size_t i = 0; i < w->types; groups++)
			i = group_end(w, i, rare);
		if (groups <= WS_GROUPS_TYPES_MOST || rare > w->references)
			return rare;
	}
}

static void join_groups(struct ws_groups *g, const struct ws_reuse *w)
{
	double rare = rare_below(w);

	for (size_t i = 0; i < w->rows; g->groups++) {
		size_t end = i < w->types ? group_end(w, i, rare) : i + 1;
		struct ws_group *to = g->group + g->groups;

		to->sort = w->row[i].sort;
		to->type = w->row[i].type;
		to->class = w->row[i].class;
		g->types += i < w->types;
		for (; i < end; i++) {
			g->of[i] = (uint32_t)g->groups;
			to->count += w->row[i].count;
			to->time += w->row[i].count * w->row[i].time;
		}
		to->time /= to->count;
	}
	g->references = w->references;
}

/* ---- what is inside, and before ----------------------------------------------------------- */

static bool is_near(const struct ws_group *inside, const struct ws_group *of)
{
	bool again = inside->sort == WS_ROW_FINITE || inside->sort == WS_ROW_EVICT;

	return again && inside->time <= of->time;
}

/* sum[types] of all rows of the group that begins at *row. */
static void add_up(const struct ws_groups *g, const struct ws_reuse *w, size_t group, size_t row,
		   bool before, double *sum)
{
	for (size_t i = 0; i < g->types; i++)
		sum[i] = 0;
	for (; row < w->rows && g->of[row] == group; row++) {
		const struct ws_terms *t = before ? &w->row[row].before : &w->row[row].within;

		for (size_t i = 0; i < t->count; i++)
			sum[g->of[t->term[i].row]] += w->row[row].count * t->term[i].value;
	}
}

static void fill_inside(struct ws_groups *g, struct ws_group *to, const double *sum)
{
	size_t far = to->far, near = to->near;

	for (size_t i = 0; i < g->types; i++) {
		const struct ws_group *from = g->group + i;
		struct ws_inside in = { (uint32_t)i, sum[i] / to->count, sum[i] / to->count };

		if (!(sum[i] > 0))
			continue;
		if (is_near(from, to)) {
			in.lines *= from->time / to->time;
			to->near_lines += in.lines;
			g->near[near++] = in;
		} else {
			to->far_lines += in.lines;
			g->far[far++] = in;
		}
	}
	to[1].far = far;
	to[1].near = near;
}

static void fill_prior(struct ws_groups *g, struct ws_group *to, const double *sum)
{
	size_t at = to->prior;
	double all = 0, least = 0;

	for (size_t i = 0; i < g->types; i++)
		least += g->group + i != to ? WS_GROUPS_SELDOM * sum[i] : 0;
	for (size_t i = 0; i < g->types; i++)
		all += sum[i] > least ? sum[i] : 0;
	for (size_t i = 0; i < g->types; i++) {
		const struct ws_group *from = g->group + i;

		if (!(sum[i] > least))
			continue;
		g->prior[at++] = (struct ws_prior){
			.group = (uint32_t)i, .fraction = sum[i] / all,
			.again = from->time > 0 ? fmin(1, to->time / from->time) : 0,
			.arrived = fmin(1, fmax(0, (to->near_lines - from->near_lines) /
						   fmax(from->far_lines, 1e-9))),
		};
	}
	to[1].prior = at;
}

/* All windows first: priors compare them. */
static void fill_groups(struct ws_groups *g, const struct ws_reuse *w, double *sum)
{
	for (size_t i = 0, row = 0; i < g->groups; i++) {
		add_up(g, w, i, row, false, sum);
		fill_inside(g, g->group + i, sum);
		while (row < w->rows && g->of[row] == i)
			row++;
	}
	for (size_t i = 0, row = 0; i < g->groups; i++) {
		add_up(g, w, i, row, true, sum);
		fill_prior(g, g->group + i, sum);
		while (row < w->rows && g->of[row] == i)
			row++;
	}
}

/* ---- latents --------------------------------------------------------------------------- */

struct fit {
	double bin[WS_LATENTS][WS_TYPES];	/* u */
	double fraction[CLASSES][WS_LATENTS];	/* pi */
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
	}
	for (unsigned c = 0; c < CLASSES; c++)
		for (unsigned k = 0; k < WS_LATENTS; k++)
			f->fraction[c][k] = 1.0 / WS_LATENTS;
}

/* Which kind of line it is that had these two references; either may say nothing. */
static void divide_class(const struct fit *f, unsigned class, const struct ws_group *before,
			 const struct ws_group *after, double *latent)
{
	double sum = 0;

	for (unsigned k = 0; k < WS_LATENTS; k++) {
		double p = f->fraction[class][k];

		p *= before->sort == WS_ROW_FINITE ? f->bin[k][before->type] : 1;
		p *= after->sort == WS_ROW_FINITE ? f->bin[k][after->type] : 1;
		latent[k] = p + 1e-12;
		sum += latent[k];
	}
	for (unsigned k = 0; k < WS_LATENTS; k++)
		latent[k] /= sum;
}

static void gather_fit(const struct ws_groups *g, const struct fit *f, struct fit *next)
{
	memset(next, 0, sizeof *next);
	for (size_t i = 0; i < g->types; i++)
		for (size_t j = g->group[i].prior; j < g->group[i + 1].prior; j++) {
			const struct ws_group *after = g->group + i;
			const struct ws_group *before = g->group + g->prior[j].group;
			double latent[WS_LATENTS], n = after->count * g->prior[j].fraction;

			divide_class(f, after->class, before, after, latent);
			for (unsigned k = 0; k < WS_LATENTS; k++) {
				next->fraction[after->class][k] += n * latent[k];
				if (before->sort == WS_ROW_FINITE)
					next->bin[k][before->type] += n * latent[k];
				if (after->sort == WS_ROW_FINITE)
					next->bin[k][after->type] += n * latent[k];
			}
		}
}

/* Adds up to 1, and nothing is quite 0. */
static void normalize(double *p, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += p[i];
	for (size_t i = 0; i < count; i++)
		p[i] = (p[i] + 1e-6 * sum + 1e-9) /
			(sum + (double)count * (1e-6 * sum + 1e-9));
}

struct fitting {
	const struct ws_groups *groups;
	struct fit fit;
};

/* Expectation and maximization; all sweeps are made, so the change does not matter. */
static double fit_sweep(void *context, unsigned number)
{
	struct fitting *f = context;
	struct fit next;

	(void)number;
	gather_fit(f->groups, &f->fit, &next);
	for (unsigned k = 0; k < WS_LATENTS; k++)
		normalize(next.bin[k], WS_TYPES);
	for (unsigned c = 0; c < CLASSES; c++)
		normalize(next.fraction[c], WS_LATENTS);
	f->fit = next;
	return HUGE_VAL;
}

static void fit_latents(struct ws_groups *g)
{
	struct fitting f = { .groups = g };

	fit_begin(&f.fit);
	(void)ws_sweep(&(struct ws_sweeping){ .sweep = fit_sweep, .context = &f, .most = SWEEPS });
	for (size_t i = 0; i < g->groups; i++)
		for (size_t j = g->group[i].prior; j < g->group[i + 1].prior; j++) {
			struct ws_prior *p = g->prior + j;
			const struct ws_group *before = g->group + p->group;
			unsigned class = i < g->types ? g->group[i].class : before->class;

			divide_class(&f.fit, class, before, g->group + i, p->latent);
			for (unsigned k = 0; k < WS_LATENTS; k++) {
				p->latent[k] *= p->fraction;
				g->latent[i][k] += p->latent[k];
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

enum ws_status ws_groups_new(struct ws_groups **out, const struct ws_reuse *w, struct ws_err *err)
{
	struct ws_groups *g = ws_alloc_zero(1, sizeof *g);
	double *sum = ws_alloc(w->types + 1, sizeof *sum);
	size_t within, before;

	*out = NULL;
	count_terms(w, &within, &before);
	if (g) {
		g->group = ws_alloc_zero(w->rows + 1, sizeof *g->group);
		g->of = ws_alloc(w->rows + 1, sizeof *g->of);
		g->far = ws_alloc(within + 1, sizeof *g->far);
		g->near = ws_alloc(within + 1, sizeof *g->near);
		g->prior = ws_alloc(before + 1, sizeof *g->prior);
		g->latent = ws_alloc_zero(w->rows + 1, sizeof *g->latent);
	}
	if (!g || !sum || !g->group || !g->of || !g->far || !g->near || !g->prior || !g->latent) {
		free(sum);
		ws_groups_free(g);
		return ws_fail_memory(err, "the groups of a profile's windows");
	}
	join_groups(g, w);
	fill_groups(g, w, sum);
	fit_latents(g);
	free(sum);
	*out = g;
	return WS_OK;
}

void ws_groups_free(struct ws_groups *g)
{
	if (!g)
		return;
	free(g->group);
	free(g->of);
	free(g->far);
	free(g->near);
	free(g->prior);
	free(g->latent);
	free(g);
}
