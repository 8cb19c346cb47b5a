/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/best.c -- the best rows of a study, and those that could be as good.
 *
 * A row that another one surely beats can never be the best, whatever follows, so only candidates
 * are kept.
 */
#include "study/private.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char *const ws_choice_names[] = { "", "best", "within" };

/* ---- what there is to choose by --------------------------------------------------- */

enum from { COUNTS, TIMING, SPREAD, RATIO, CYCLES };

static const struct aim {
	enum ws_col column;
	enum from from;
	size_t offset;
} aims[] = {
	{ WS_COL_HITS, COUNTS, offsetof(struct ws_counts, hits) },
	{ WS_COL_PENDING, COUNTS, offsetof(struct ws_counts, pending) },
	{ WS_COL_MISSES, COUNTS, offsetof(struct ws_counts, misses) },
	{ WS_COL_COLD, COUNTS, offsetof(struct ws_counts, cold) },
	{ WS_COL_CAPACITY, COUNTS, offsetof(struct ws_counts, capacity) },
	{ WS_COL_CONFLICT, COUNTS, offsetof(struct ws_counts, conflict) },
	{ WS_COL_UNCACHED, COUNTS, offsetof(struct ws_counts, uncached) },
	{ WS_COL_MISS_RATIO, RATIO, offsetof(struct ws_interval, value) },
	{ WS_COL_MISS_RATIO_LOW, RATIO, offsetof(struct ws_interval, low) },
	{ WS_COL_MISS_RATIO_HIGH, RATIO, offsetof(struct ws_interval, high) },
	{ WS_COL_SECTORS_MISSED, COUNTS, offsetof(struct ws_counts, sectors_missed) },
	{ WS_COL_MISS_RATIO_MEDIAN, SPREAD, offsetof(struct ws_spread, median) },
	{ WS_COL_MISS_RATIO_MIN, SPREAD, offsetof(struct ws_spread, min) },
	{ WS_COL_MISS_RATIO_MAX, SPREAD, offsetof(struct ws_spread, max) },
	{ WS_COL_CYCLES, CYCLES, offsetof(struct ws_timing, cycles) },
	{ WS_COL_LATENCY_MEAN, CYCLES, offsetof(struct ws_timing, load_cycles) },
	{ WS_COL_ACCESS_CYCLES, TIMING, offsetof(struct ws_timing, access_cycles) },
	{ WS_COL_FETCH_CYCLES, TIMING, offsetof(struct ws_timing, fetch_cycles) },
	{ WS_COL_MSHRS, CYCLES, offsetof(struct ws_timing, mshrs) },
	{ WS_COL_DRAM_BYTES, TIMING, offsetof(struct ws_timing, dram_bytes) },
};

static const struct aim *aim_of(const struct ws_goal *goal)
{
	const struct aim *a = aims;

	while (a->column != goal->column)
		a++;
	return a;
}

static const char *aim_name(size_t i, const void *context)
{
	(void)context;
	return ws_columns[aims[i].column].name;
}

static bool is_column(const char *word)
{
	for (size_t i = 0; i < WS_COLS; i++)
		if (strcmp(ws_columns[i].name, word) == 0)
			return true;
	return false;
}

enum ws_status ws_goal_parse(struct ws_goal *goal, const char *text, struct ws_err *err)
{
	const char *colon = strchr(text, ':');
	size_t len = strcspn(text, ":");
	char word[WS_NAME_MAX];
	int nearest;

	snprintf(word, sizeof word, "%.*s", len < sizeof word ? (int)len : (int)sizeof word - 1,
		 text);
	if (colon && strcmp(colon, ":max") != 0 && strcmp(colon, ":min") != 0)
		return ws_fail(err, WS_EINVAL, "'%.80s': want %s or %s:max", text, word, word);
	for (size_t i = 0; i < WS_COUNT(aims); i++) {
		if (strcmp(aim_name(i, NULL), word) == 0) {
			goal->column = aims[i].column;
			goal->most = colon && strcmp(colon, ":max") == 0;
			return WS_OK;
		}
	}
	nearest = ws_nearest_name(word, WS_COUNT(aims), aim_name, NULL);
	if (nearest >= 0)
		return ws_fail(err, WS_EINVAL, "'%s' is nothing to choose by, did you mean '%s'?",
			       word, aim_name((size_t)nearest, NULL));
	return ws_fail(err, WS_EINVAL, "'%s' is %s: want a column that says how good a cache is, "
		       "as %s", word, is_column(word) ? "nothing to choose by" : "no column",
		       ws_columns[WS_COL_MISS_RATIO].name);
}

bool ws_goal_timed(const struct ws_goal *goal)
{
	enum from from = aim_of(goal)->from;

	return from == TIMING || from == CYCLES;
}

/* Of what else there is to choose by no error is ever stated. */
static bool has_errors(const struct ws_goal *goal)
{
	return goal->column == WS_COL_MISS_RATIO || goal->column == WS_COL_MISSES;
}

/* ---- values --------------------------------------------------------------------------- */

static double real_at(const void *base, size_t offset)
{
	double value;

	memcpy(&value, (const char *)base + offset, sizeof value);
	return value;
}

static bool find_count(const struct aim *aim, const struct ws_row *r, struct ws_interval *out)
{
	const struct ws_prediction *p = r->prediction;
	const struct ws_counts *c = &p->kind[r->kind];
	uint64_t count;

	memcpy(&count, (const char *)c + aim->offset, sizeof count);
	*out = (struct ws_interval){ (double)count, (double)count, (double)count, false };
	if (aim->column == WS_COL_SECTORS_MISSED)
		return c->sectors > 0;
	if (aim->column != WS_COL_MISSES || p->error_pp[r->kind] < 0)
		return true;
	out->low = p->low[r->kind] * (double)c->requests;
	out->high = p->high[r->kind] * (double)c->requests;
	out->stated = true;
	return true;
}

/* False: the row has no value there. */
static bool find_value(const struct aim *aim, const struct ws_row *r, struct ws_interval *out)
{
	struct ws_interval ratio = ws_row_miss_ratio(r);
	const void *of = &ratio;

	if (!r->prediction->kind[r->kind].requests)
		return false;
	if (aim->from == COUNTS)
		return find_count(aim, r, out);
	*out = ratio;
	if (aim->column == WS_COL_MISS_RATIO)
		return true;
	if (aim->from == RATIO && !ratio.stated)
		return false;
	if (aim->from == TIMING || aim->from == CYCLES)
		of = r->timing;
	else if (aim->from == SPREAD)
		of = r->spread;
	if (!of || (aim->from == CYCLES && !(r->timing->cycles > 0)) ||
	    (aim->column == WS_COL_DRAM_BYTES && r->timing->l2_assumed))
		return false;
	out->value = out->low = out->high = real_at(of, aim->offset);
	out->stated = false;
	return isfinite(out->value);
}

/* ---- candidates ---------------------------------------------------------------------- */

struct candidate {
	struct ws_row row;	/* whose pointers are to what follows */
	struct ws_machine machine;
	struct ws_prediction prediction;
	struct ws_spread spread;
	struct ws_timing timing;
	char order[WS_ORDER_TEXT];
	struct ws_interval value; /* less is better: negative if most is */
	size_t policy;		/* place in ws_policies */
};

struct best_group {
	struct ws_best_summary of;
	char *kernel;
	struct candidate **one;
	size_t count, cap;
	double bar;		/* the least of the upper ends: what begins above cannot be the
				 * best.  Where errors are stated, a row without one sets none */
};

struct ws_best {
	struct ws_goal goal;
	uint64_t budget, smallest; /* that of the caches that it did not hold; UINT64_MAX: it held
				    * all */
	struct best_group *group;
	size_t groups, cap;
};

enum ws_status ws_best_new(struct ws_best **out, const struct ws_goal *goal, uint64_t budget,
			   struct ws_err *err)
{
	struct ws_best *b = ws_alloc_zero(1, sizeof *b);

	*out = b;
	if (!b)
		return ws_fail_memory(err, "the best rows");
	b->goal = *goal;
	b->budget = budget;
	b->smallest = UINT64_MAX;
	return WS_OK;
}

void ws_best_free(struct ws_best *b)
{
	for (size_t g = 0; b && g < b->groups; g++) {
		for (size_t i = 0; i < b->group[g].count; i++)
			free(b->group[g].one[i]);
		free(b->group[g].one);
		free(b->group[g].kernel);
	}
	if (b)
		free(b->group);
	free(b);
}

static struct best_group *group_of(struct ws_best *b, const struct ws_row *r)
{
	struct best_group *g;

	for (size_t i = 0; i < b->groups; i++) {
		g = &b->group[i];
		if (g->of.l2 == r->l2 && g->of.kind == r->kind && strcmp(g->kernel, r->kernel) == 0)
			return g;
	}
	if (!WS_ROOM(b->group, b->cap, b->groups + 1))
		return NULL;
	g = &b->group[b->groups];
	*g = (struct best_group){ .of = { .l2 = r->l2, .kind = r->kind }, .bar = (double)INFINITY };
	g->kernel = ws_strdup(r->kernel);
	b->groups += g->kernel != NULL;
	return g->kernel ? g : NULL;
}

static const struct ws_cache *cache_of(const struct ws_row *r)
{
	return r->l2 ? &r->machine->l2 : &r->machine->l1;
}

static struct candidate *copy(const struct ws_row *r, const struct best_group *g)
{
	struct candidate *c = ws_alloc(1, sizeof *c);

	if (!c)
		return NULL;
	c->row = *r;
	c->machine = *r->machine;
	c->prediction = *r->prediction;
	c->row.machine = &c->machine;
	c->row.prediction = &c->prediction;
	c->row.kernel = g->kernel;
	c->row.part = NULL;
	c->row.check = NULL;
	c->row.timed = NULL;
	if (r->spread) {
		c->spread = *r->spread;
		c->row.spread = &c->spread;
	}
	if (r->timing) {
		c->timing = *r->timing;
		c->row.timing = &c->timing;
	}
	snprintf(c->order, sizeof c->order, "%s", r->order ? r->order : "");
	c->row.order = c->order;
	c->policy = ws_policy_place(cache_of(r));
	return c;
}

/* Forgets those that the bar has left behind. */
static void prune(struct best_group *g)
{
	size_t kept = 0;

	for (size_t i = 0; i < g->count; i++) {
		if (g->one[i]->value.low <= g->bar)
			g->one[kept++] = g->one[i];
		else
			free(g->one[i]);
	}
	g->count = kept;
}

static enum ws_status keep_row(struct best_group *g, const struct ws_row *r,
			       const struct ws_interval *value, struct ws_err *err)
{
	struct candidate *c;

	if (g->count == g->cap)
		prune(g);
	c = WS_ROOM(g->one, g->cap, g->count + 1) ? copy(r, g) : NULL;
	if (!c)
		return ws_fail_memory(err, "the best rows");
	c->value = *value;
	g->one[g->count++] = c;
	return WS_OK;
}

enum ws_status ws_best_take(void *best, const struct ws_row *r, struct ws_err *err)
{
	struct ws_best *b = best;
	uint64_t size = ws_study_plan_cache(r->plan, r->machine)->size_bytes;
	struct ws_interval value;
	struct best_group *g;

	if (b->budget && size > b->budget) {
		b->smallest = size < b->smallest ? size : b->smallest;
		return WS_OK;
	}
	g = group_of(b, r);
	if (!g)
		return ws_fail_memory(err, "the best rows");
	if (!find_value(aim_of(&b->goal), r, &value)) {
		g->of.without++;
		return WS_OK;
	}
	g->of.rows++;
	if (b->goal.most)
		value = (struct ws_interval){ -value.value, -value.high, -value.low, value.stated };
	value.low = fmin(value.low, value.value); /* counts are rounded, intervals are not */
	value.high = fmax(value.high, value.value);
	if (value.stated || !has_errors(&b->goal))
		g->bar = fmin(g->bar, value.high);
	return value.low <= g->bar ? keep_row(g, r, &value, err) : WS_OK;
}

/* ---- the best ---------------------------------------------------------------------------- */

static int by_count(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int better_first(const void *a, const void *b)
{
	const struct candidate *x = *(struct candidate *const *)a;
	const struct candidate *y = *(struct candidate *const *)b;
	const struct ws_cache *p = cache_of(&x->row), *q = cache_of(&y->row);
	int order = (x->value.value > y->value.value) - (x->value.value < y->value.value);

	order = order ? order : by_count(p->size_bytes, q->size_bytes);
	order = order ? order : by_count(p->ways, q->ways);
	order = order ? order : by_count(x->policy, y->policy);
	order = order ? order : by_count(p->organised.as, q->organised.as);
	order = order ? order : by_count(p->organised.parameter, q->organised.parameter);
	return order ? order : by_count(x->row.config, y->row.config);
}

/* The candidates, the better ones first; *count of them.  NULL: memory is out. */
static struct candidate **ranked(const struct best_group *g, size_t *count)
{
	struct candidate **list = ws_alloc(g->count + 1, sizeof *list);

	*count = 0;
	for (size_t i = 0; list && i < g->count; i++)
		if (g->one[i]->value.low <= g->bar)
			list[(*count)++] = g->one[i];
	if (list && *count)
		qsort(list, *count, sizeof *list, better_first);
	return list;
}

static enum ws_status group_rows(const struct best_group *g, uint64_t top, ws_row_sink *sink,
				 void *context, struct ws_err *err)
{
	size_t count;
	struct candidate **list = ranked(g, &count);
	enum ws_status status = list ? WS_OK : ws_fail_memory(err, "the best rows");

	for (size_t i = 0; i < count && (!top || i < top) && status == WS_OK; i++) {
		struct ws_row row = list[i]->row;

		row.choice = i ? WS_CHOICE_WITHIN : WS_CHOICE_BEST;
		status = sink(context, &row, err);
	}
	free(list);
	return status;
}

static enum ws_status none(const struct ws_best *b, struct ws_err *err)
{
	if (!b->groups && b->smallest != UINT64_MAX)
		return ws_fits_none(b->budget, b->smallest, err);
	return ws_fail(err, WS_EINVAL, "%s: no row has a value of it",
		       ws_columns[b->goal.column].name);
}

enum ws_status ws_best_rows(const struct ws_best *b, uint64_t top, ws_row_sink *sink, void *context,
			    struct ws_err *err)
{
	enum ws_status status = WS_OK;
	uint64_t rows = 0;

	for (size_t g = 0; g < b->groups; g++)
		rows += b->group[g].of.rows;
	if (!rows)
		return none(b, err);
	for (size_t g = 0; g < b->groups && status == WS_OK; g++)
		status = group_rows(&b->group[g], top, sink, context, err);
	return status;
}

bool ws_best_of(const struct ws_best *b, size_t i, struct ws_best_summary *of)
{
	const struct best_group *g = i < b->groups ? &b->group[i] : NULL;
	const struct candidate *best = NULL;

	if (!g)
		return false;
	*of = g->of;
	of->kernel = g->kernel;
	for (size_t k = 0; k < g->count; k++) {
		if (g->one[k]->value.low > g->bar)
			continue;
		of->could++;
		if (!best || better_first(&g->one[k], &best) < 0)
			best = g->one[k];
	}
	of->stated = best && best->value.stated;
	return true;
}
