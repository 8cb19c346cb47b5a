/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/compare/pairs.c -- launches of two outputs side by side, and how far they are apart.
 */
#include "validate/compare.h"
#include "validate/dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- pairs ------------------------------------------------------------------------------ */

static int by_kernel(const void *left, const void *right)
{
	const struct ws_stats_launch *a = *(const struct ws_stats_launch *const *)left;
	const struct ws_stats_launch *b = *(const struct ws_stats_launch *const *)right;
	int order = strcmp(a->kernel, b->kernel);

	return order ? order : (a->number > b->number) - (a->number < b->number);
}

static int by_place(const void *left, const void *right)
{
	const struct ws_stats_pair *a = left, *b = right;

	return (a->a->number > b->a->number) - (a->a->number < b->a->number);
}

static const struct ws_stats_launch **sorted(const struct ws_stats *s)
{
	const struct ws_stats_launch **launch = ws_alloc(s->launches, sizeof *launch);

	for (size_t i = 0; launch && i < s->launches; i++)
		launch[i] = &s->launch[i];
	if (launch)
		qsort(launch, s->launches, sizeof *launch, by_kernel);
	return launch;
}

/* Both are sorted by kernel, then number. */
static size_t merge_sorted(struct ws_stats_pair *pair, const struct ws_stats_launch *const *a,
			   size_t as, const struct ws_stats_launch *const *b, size_t bs)
{
	size_t pairs = 0, i = 0, k = 0;

	while (i < as && k < bs) {
		int order = strcmp(a[i]->kernel, b[k]->kernel);

		if (order == 0)
			pair[pairs++] = (struct ws_stats_pair){ a[i], b[k] };
		i += order <= 0;
		k += order >= 0;
	}
	qsort(pair, pairs, sizeof *pair, by_place);
	return pairs;
}

enum ws_status ws_stats_match(struct ws_stats_pair **out, size_t *pairs, const struct ws_stats *a,
			      const struct ws_stats *b, bool by_name, struct ws_err *err)
{
	const struct ws_stats_launch **of_a = NULL, **of_b = NULL;
	enum ws_status status = WS_OK;

	*out = NULL;
	*pairs = 0;
	if (!by_name && a->launches != b->launches)
		return ws_fail(err, WS_EINVAL, "%zu launches beside %zu", a->launches, b->launches);
	*out = ws_alloc(a->launches, sizeof **out);
	if (by_name && *out) {
		of_a = sorted(a);
		of_b = sorted(b);
	}
	if (!*out || (by_name && (!of_a || !of_b)))
		status = ws_fail_memory(err, "the launches");
	else if (by_name)
		*pairs = merge_sorted(*out, of_a, a->launches, of_b, b->launches);
	else
		for (; *pairs < a->launches; ++*pairs)
			(*out)[*pairs] = (struct ws_stats_pair){ &a->launch[*pairs],
								 &b->launch[*pairs] };
	free(of_a);
	free(of_b);
	return status;
}

/* ---- differences -------------------------------------------------------------------------- */

bool ws_stat_known(const struct ws_stats_pair *pair, enum ws_stat stat)
{
	return !isnan(pair->a->value[stat]) && !isnan(pair->b->value[stat]);
}

bool ws_stat_equal(const struct ws_stats_pair *pair, enum ws_stat stat)
{
	double a = pair->a->value[stat], b = pair->b->value[stat];

	return a <= b && a >= b;
}

/* Points of a ratio, percent of a count; those of which there is none are left out. */
static size_t scale(enum ws_stat stat, const double *a, const double *b, size_t count,
		    double *there, double *here)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		if (!ws_stat_rows[stat].ratio && !(a[i] > 0))
			continue;
		there[n] = 100 * (ws_stat_rows[stat].ratio ? a[i] : 1);
		here[n] = 100 * (ws_stat_rows[stat].ratio ? b[i] : b[i] / a[i]);
		n++;
	}
	return n;
}

enum ws_status ws_stat_sum_of(const struct ws_stats_pair *pair, size_t pairs, enum ws_stat stat,
			      struct ws_stat_sum *out, struct ws_err *err)
{
	double *a = ws_alloc(4 * pairs, sizeof *a), *b = a + pairs;
	double *there = b + pairs, *here = there + pairs;
	struct ws_agreement whole, scaled;
	size_t n = 0;
	enum ws_status status;

	*out = (struct ws_stat_sum){ 0 };
	if (!a)
		return ws_fail_memory(err, "the differences");
	for (size_t i = 0; i < pairs; i++) {
		if (!ws_stat_known(&pair[i], stat))
			continue;
		a[n] = pair[i].a->value[stat];
		b[n++] = pair[i].b->value[stat];
		out->equal += ws_stat_equal(&pair[i], stat);
	}
	out->launches = n;
	status = ws_agreement_of(b, a, n, &whole, err);
	n = scale(stat, a, b, n, there, here);
	if (status == WS_OK)
		status = ws_agreement_of(here, there, n, &scaled, err);
	if (status == WS_OK) {
		out->mean_abs = scaled.mean_abs;
		out->largest = scaled.largest;
		out->rank = whole.rank;
	}
	free(a);
	return status;
}
