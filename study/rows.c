/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/rows.c -- a configuration's results as rows.
 *
 * Of several runs a row shows the one whose miss ratio is the lower median of that row's, so its
 * counts are counts that occurred.
 */
#include "study/private.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EACH "each"

unsigned ws_kind_number(const char *kind)
{
	for (unsigned i = 0; i <= WS_KINDS; i++)
		if (strcmp(kind, ws_kind_names[i]) == 0)
			return i;
	return WS_KINDS;
}

/* The anchors of a profile's orders. */
static enum ws_status find_suspects(struct ws_emitter *e, struct ws_err *err)
{
	const struct ws_profile *p = e->input->profile;
	size_t orders = ws_profile_orders(p);
	enum ws_status status = WS_OK;

	e->suspects = ws_alloc_zero(orders, sizeof *e->suspects);
	if (!e->suspects)
		return ws_fail_memory(err, "the orders");
	for (; e->orders < orders && status == WS_OK; e->orders++)
		status = ws_suspects_find(&e->suspects[e->orders], e->plan,
					  &ws_profile_order(p, e->orders)->machine, err);
	return status;
}

enum ws_status ws_emitter_init(struct ws_emitter *e, const struct ws_study_options *o,
			       const struct ws_study_plan *plan, const struct ws_study_input *input,
			       ws_row_sink *sink, void *context, struct ws_err *err)
{
	enum ws_status status;

	*e = (struct ws_emitter){ .options = o, .plan = plan, .input = input, .sink = sink,
				  .context = context };
	status = ws_study_kernels_find(&e->kernels, input->trace, input->profile, err);
	if (status == WS_OK && input->profile)
		status = find_suspects(e, err);
	if (status != WS_OK || !o->kernel || ws_study_kernels_only(&e->kernels, o->kernel))
		return status;
	return ws_fail(err, WS_EINVAL, "no kernel is called %.200s%s%s", o->kernel,
		       e->kernels.count ? "; the first is " : "",
		       e->kernels.count ? e->kernels.name[0] : "");
}

void ws_emitter_clear(struct ws_emitter *e)
{
	for (size_t i = 0; i < e->orders; i++)
		ws_suspects_clear(&e->suspects[i]);
	free(e->suspects);
	free(e->first);
	free(e->band);
	ws_study_kernels_clear(&e->kernels);
}

void ws_answered_clear(struct ws_answered *a, size_t kernels)
{
	for (size_t i = 0; i < kernels; i++) {
		free(a[i].part);
		free(a[i].names);
	}
}

struct ws_interval ws_row_miss_ratio(const struct ws_row *r)
{
	const struct ws_prediction *p = r->prediction;
	const struct ws_counts *c = &p->kind[r->kind];
	double ratio = ws_miss_ratio(c, r->machine->count_pending);
	double waiting = ratio - ws_miss_ratio(c, false); /* low and high leave out pending hits */
	struct ws_interval i = { ratio, ratio, ratio, p->error_pp[r->kind] >= 0 };

	if (!i.stated) /* simulated in another cache's order */
		return i;
	i.low = p->low[r->kind] + waiting;
	i.high = p->high[r->kind] + waiting;
	i.low = i.low < 1 ? i.low : 1;
	i.high = i.high < 1 ? i.high : 1;
	return i;
}

/* ---- one row ------------------------------------------------------------------------- */

static const struct ws_prediction *of_level(const struct ws_answered *a, bool l2)
{
	return l2 ? &a->l2 : &a->l1;
}

/* The spread of a kernel's miss ratio over the runs, and the run that is shown. */
static enum ws_status find_spread(const struct ws_emitter *e, const struct ws_machine *m,
				  const struct ws_answered *result, bool l2, unsigned kind,
				  struct ws_spread *s, size_t *shown, struct ws_err *err)
{
	size_t n = (size_t)e->options->runs, kernels = e->kernels.count;
	double *ratio = ws_alloc(n, 2 * sizeof *ratio), *sorted = ratio + n;

	if (!ratio)
		return ws_fail_memory(err, "the runs");
	*shown = 0;
	for (size_t r = 0; r < n; r++)
		ratio[r] = ws_miss_ratio(&of_level(&result[r * kernels], l2)->kind[kind],
					 m->count_pending);
	memcpy(sorted, ratio, n * sizeof *ratio);
	*s = (struct ws_spread){ .runs = n };
	s->median = gsl_stats_median(sorted, 1, n); /* arranges its argument */
	s->sd = n > 1 ? gsl_stats_sd(ratio, 1, n) : 0;
	gsl_stats_minmax(&s->min, &s->max, ratio, 1, n);
	/* The run nearest to the median from below. */
	for (size_t r = 0; r < n; r++)
		if (ratio[r] <= s->median &&
		    (ratio[*shown] > s->median || ratio[r] > ratio[*shown]))
			*shown = r;
	free(ratio);
	return WS_OK;
}

static bool wanted(const struct ws_emitter *e, const struct ws_prediction *p, unsigned kind)
{
	const char *asked = e->options->kind ? e->options->kind : EACH;

	if (strcmp(asked, EACH) == 0)
		return kind == WS_KINDS || p->kind[kind].requests > 0;
	return kind == ws_kind_number(asked);
}

static enum ws_basis basis_of(const struct ws_answered *a, const struct ws_row *row)
{
	const struct ws_prediction *p = row->prediction;

	return p->basis == WS_APPROX && a->own[row->l2] && p->error_pp[row->kind] == 0
		? WS_EXACT : p->basis;
}

enum ws_status ws_emitter_kind(const struct ws_emitter *e, struct ws_row *row, unsigned kind,
			       const struct ws_answered *result, struct ws_spread *s,
			       struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t shown = 0;

	if (e->options->runs)
		status = find_spread(e, row->machine, result, row->l2, kind, s, &shown, err);
	if (status != WS_OK)
		return status;
	result += shown * e->kernels.count;
	row->kind = kind;
	row->prediction = of_level(result, row->l2);
	row->basis = basis_of(result, row);
	row->low_confidence = row->prediction->low_confidence;
	row->spread = e->options->runs ? s : NULL;
	return WS_OK;
}

struct ws_band *ws_band_of(const struct ws_emitter *e, bool l2, size_t kernel, unsigned kind)
{
	return &e->band[(l2 * e->kernels.count + kernel) * (WS_KINDS + 1) + kind];
}

/* What the other machines' rows mean for the first's. */
static void judge_band(struct ws_row *row, const struct ws_band *b)
{
	double value = ws_row_miss_ratio(row).value;

	row->band = b;
	if (row->basis == WS_EXACT && !(b->exact && b->low >= b->high))
		row->basis = WS_APPROX;
	if (fmax(value - b->low, b->high - value) > WS_LOW_CONFIDENCE)
		row->low_confidence = true;
}

/* Of kernel k; result: of the first run, the others following. */
static enum ws_status whole_rows(const struct ws_emitter *e, struct ws_row *row, size_t k,
				 const struct ws_answered *result, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	struct ws_spread spread;

	for (unsigned kind = 0; kind <= WS_KINDS && status == WS_OK; kind++) {
		if (!wanted(e, of_level(result, row->l2), kind))
			continue;
		status = ws_emitter_kind(e, row, kind, result, &spread, err);
		if (status != WS_OK)
			break;
		if (e->band)
			judge_band(row, ws_band_of(e, row->l2, k, kind));
		row->timing = e->options->latency && kind == WS_KINDS && !row->l2 ? &result->timing
										   : NULL;
		row->tlb = result->tlb.requests && kind == WS_KINDS && !row->l2 && !e->options->runs
			? &result->tlb : NULL;
		status = e->sink(e->context, row, err);
	}
	return status;
}

static enum ws_status part_rows(const struct ws_emitter *e, struct ws_row *row,
				const struct ws_answered *result, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < result->parts; i++) {
		row->part = &result->part[i];
		row->prediction = &row->part->prediction;
		for (row->kind = 0; row->kind <= WS_KINDS && status == WS_OK; row->kind++) {
			if (!wanted(e, row->prediction, row->kind) ||
			    !row->prediction->kind[row->kind].requests)
				continue;
			row->basis = basis_of(result, row);
			row->low_confidence = row->prediction->low_confidence;
			status = e->sink(e->context, row, err);
		}
	}
	return status;
}

/* ---- a configuration ---------------------------------------------------------------- */

enum ws_status ws_emitter_order(const struct ws_emitter *e, uint64_t config,
				const struct ws_machine *m, size_t number,
				char text[WS_ORDER_TEXT], struct ws_err *err)
{
	const struct ws_profile *p = e->input->profile;

	if (!p)
		return ws_study_plan_order_text(e->plan, config, text, err);
	if (p->order == WS_ORDER_CYCLES)
		ws_suspects_text(&e->suspects[number], m, text);
	else
		snprintf(text, WS_ORDER_TEXT, "%s", ws_order_timeless(m) ||
			 ws_profile_single_file(p)
			 ? "own" : ws_order_names[p->order]);
	return WS_OK;
}

enum ws_status ws_emitter_rows(const struct ws_emitter *e, uint64_t config,
			       const struct ws_machine *m, const struct ws_answered *result,
			       struct ws_err *err)
{
	enum ws_status status = WS_OK;
	char order[WS_ORDER_TEXT];
	struct ws_machine adapted;

	for (unsigned level = 0; level < 2; level++) {
		for (size_t k = 0; k < e->kernels.count && status == WS_OK; k++) {
			struct ws_row row = {
				.plan = e->plan, .config = config, .machine = m,
				.l2 = level == 1,
				.kernel = e->kernels.name[k], .order = order,
			};

			if (!(row.l2 ? e->plan->l2 : e->plan->l1))
				continue;
			if (ws_machine_adapts(m)) {
				row.machine = &adapted;
				status = ws_study_kernel_machine(&e->kernels, k, m, &adapted, err);
			}
			if (status == WS_OK)
				status = ws_emitter_order(e, config, m, result[k].order, order,
							  err);
			if (status == WS_OK)
				status = e->options->by ? part_rows(e, &row, &result[k], err)
							: whole_rows(e, &row, k, &result[k], err);
		}
	}
	return status;
}
