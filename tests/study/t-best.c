/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/study/t-best.c -- which rows are the best, and which could be.
 */
#include "study/study.h"
#include "tests/test.h"

#define REQUESTS 1000u
#define SHOWN_MAX 512u

struct made {			/* a row to be taken */
	const char *kernel;
	bool l2;
	unsigned kind;
	uint64_t size, ways;
	const char *policy;
	enum ws_organised_as as;
	uint64_t misses;
	double low, high;	/* of misses; both 0: the count itself */
	double cycles;		/* 0: none */
	bool unstated;
};

static struct ws_study_plan plan = { .l1 = true };

static enum ws_status take(struct ws_best *best, const struct made *m, uint64_t config)
{
	struct ws_machine machine = { .name = "m" };
	struct ws_cache *c = m->l2 ? &machine.l2 : &machine.l1;
	struct ws_prediction p = { .basis = WS_APPROX };
	struct ws_timing timing = { .cycles = m->cycles };
	char order[] = "own", kernel[16];
	struct ws_row row = {
		.plan = &plan, .config = config, .machine = &machine, .kernel = kernel, .l2 = m->l2,
		.kind = m->kind, .prediction = &p, .order = order,
		.timing = m->cycles > 0 ? &timing : NULL,
	};
	struct ws_err err = { 0 };
	enum ws_status status;

	snprintf(kernel, sizeof kernel, "%s", m->kernel);
	c->size_bytes = m->size;
	c->ways = m->ways;
	c->organised.as = m->as;
	snprintf(c->policy, sizeof c->policy, "%s", m->policy);
	p.kind[m->kind] = (struct ws_counts){ .requests = REQUESTS, .misses = m->misses,
					      .hits = REQUESTS - m->misses };
	p.low[m->kind] = p.high[m->kind] = (double)m->misses / REQUESTS;
	if (m->high > 0) {
		p.low[m->kind] = m->low / REQUESTS;
		p.high[m->kind] = m->high / REQUESTS;
	}
	p.error_pp[m->kind] = m->unstated ? -1 : 0;
	status = ws_best_take(best, &row, &err);
	/* Nothing of the row is needed any longer. */
	memset(&machine, 0x55, sizeof machine);
	memset(&p, 0x55, sizeof p);
	memset(order, 'x', sizeof order - 1);
	memset(kernel, 'x', sizeof kernel - 1);
	return status;
}

static enum ws_status show(void *context, const struct ws_row *r, struct ws_err *err)
{
	char *text = context;
	size_t used = strlen(text);

	(void)err;
	snprintf(text + used, SHOWN_MAX - used, "%s%s%s:%" PRIu64 "%s", used ? " " : "", r->kernel,
		 r->l2 ? "/L2" : "", r->config,
		 r->choice == WS_CHOICE_BEST ? "!" : r->choice == WS_CHOICE_WITHIN ? "" : "?");
	return strcmp(r->order, "own") == 0 ? WS_OK : WS_EINVAL;
}

/* The rows that are chosen, as "kernel:number", the best with a "!". */
static void check(const char *goal, uint64_t budget, uint64_t top, const struct made *made,
		  size_t count, const char *want, const char *what)
{
	struct ws_goal parsed = { WS_COL_MISS_RATIO, false };
	char shown[SHOWN_MAX] = "";
	struct ws_best *best;
	struct ws_err err = { 0 };
	enum ws_status status = ws_goal_parse(&parsed, goal, &err);

	if (status == WS_OK)
		status = ws_best_new(&best, &parsed, budget, &err);
	for (size_t i = 0; i < count && status == WS_OK; i++)
		status = take(best, &made[i], i);
	if (status == WS_OK)
		status = ws_best_rows(best, top, show, shown, &err);
	test_ok(status == WS_OK, "%s: %s", what, err.text);
	test_str(shown, want, what);
	ws_best_free(best);
}

#define CHECK(goal, budget, top, made, want, what) \
	check(goal, budget, top, made, WS_COUNT(made), want, what)

static const struct made exact[] = {
	{ "k", false, WS_KINDS, 8192, 4, "lru", WS_LINES, 300, 0, 0, 0, false },
	{ "k", false, WS_KINDS, 16384, 4, "lru", WS_LINES, 200, 0, 0, 0, false },
	{ "k", false, WS_KINDS, 32768, 4, "lru", WS_LINES, 100, 0, 0, 0, false },
};

/* 1 is the least; 0 and 3 reach into what 2, the surest, leaves; 4 does not. */
static const struct made wide[] = {
	{ "k", false, WS_KINDS, 8192, 4, "fifo", WS_LINES, 300, 140, 500, 0, false },
	{ "k", false, WS_KINDS, 8192, 2, "fifo", WS_LINES, 130, 90, 400, 0, false },
	{ "k", false, WS_KINDS, 8192, 4, "lru", WS_LINES, 140, 140, 140, 0, false },
	{ "k", false, WS_KINDS, 8192, 8, "fifo", WS_LINES, 135, 100, 200, 0, false },
	{ "k", false, WS_KINDS, 8192, 8, "lru", WS_LINES, 142, 141, 143, 0, false },
};

static const struct made ties[] = {
	{ "k", false, WS_KINDS, 8192, 8, "lru", WS_SECTORS, 100, 0, 0, 0, false },
	{ "k", false, WS_KINDS, 16384, 1, "lru", WS_LINES, 100, 0, 0, 0, false },
	{ "k", false, WS_KINDS, 8192, 8, "random", WS_LINES, 100, 0, 0, 0, false },
	{ "k", false, WS_KINDS, 8192, 8, "lru", WS_LINES, 100, 0, 0, 0, false },
	{ "k", false, WS_KINDS, 8192, 8, "fifo", WS_LINES, 100, 0, 0, 0, false },
	{ "k", false, WS_KINDS, 8192, 8, "lru", WS_LINES, 100, 0, 0, 0, false },
	{ "k", false, WS_KINDS, 8192, 16, "lru", WS_LINES, 100, 0, 0, 0, false },
	{ "k", false, WS_KINDS, 8192, 8, "lru", WS_LINES, 101, 0, 0, 0, false },
};

static const struct made kernels[] = {
	{ "b", false, WS_KINDS, 8192, 4, "lru", WS_LINES, 10, 0, 0, 0, false },
	{ "a", false, WS_KINDS, 8192, 4, "lru", WS_LINES, 900, 0, 0, 0, false },
	{ "b", true, WS_KINDS, 8192, 4, "lru", WS_LINES, 500, 0, 0, 0, false },
	{ "b", false, 0, 8192, 4, "lru", WS_LINES, 9, 0, 0, 0, false },
	{ "b", false, WS_KINDS, 16384, 4, "lru", WS_LINES, 11, 0, 0, 0, false },
	{ "a", false, WS_KINDS, 16384, 4, "lru", WS_LINES, 899, 0, 0, 0, false },
};

/* Misses have intervals, cycles have none; the last has no cycles. */
static const struct made timed[] = {
	{ "k", false, WS_KINDS, 8192, 4, "lru", WS_LINES, 10, 0, 0, 700, false },
	{ "k", false, WS_KINDS, 8192, 8, "lru", WS_LINES, 20, 1, 900, 650, false },
	{ "k", false, WS_KINDS, 8192, 2, "lru", WS_LINES, 30, 0, 0, 650, false },
	{ "k", false, WS_KINDS, 8192, 16, "lru", WS_LINES, 1, 0, 0, 0, false },
};

static const struct made unstated[] = {
	{ "k", false, WS_KINDS, 8192, 4, "opt", WS_LINES, 100, 0, 0, 0, true },
	{ "k", false, WS_KINDS, 8192, 4, "fifo", WS_LINES, 120, 110, 130, 0, false },
	{ "k", false, WS_KINDS, 8192, 4, "random", WS_LINES, 140, 0, 0, 0, true },
};

static void test_many(void)
{
	struct ws_goal goal = { WS_COL_MISS_RATIO, false };
	struct ws_best_summary of = { 0 };
	struct ws_err err = { 0 };
	struct ws_best *best;
	enum ws_status status = ws_best_new(&best, &goal, 0, &err);
	char shown[SHOWN_MAX] = "";

	for (uint64_t i = 0; i < 20000 && status == WS_OK; i++) {
		uint64_t misses = 999 - (i * 7919 + 13) % 990;
		struct made m = { "k", false, WS_KINDS, 8192, 4, "lru", WS_LINES, misses, 0, 0, 0,
				  false };

		status = take(best, &m, i);
	}
	test_ok(status == WS_OK, "many rows: %s", err.text);
	if (status == WS_OK)
		status = ws_best_rows(best, 3, show, shown, &err);
	test_str(shown, "k:14! k:1004 k:1994", "many rows: those of 10 misses, in their order");
	test_ok(ws_best_of(best, 0, &of) && of.rows == 20000 && of.could == 21 && of.stated &&
		!ws_best_of(best, 1, &of), "many rows: %" PRIu64 " could be the best", of.could);
	ws_best_free(best);
}

static void test_none(void)
{
	static const struct made none = { "k", false, WS_KINDS, 8192, 4, "lru", WS_LINES, 9, 0, 0,
					  0, false };
	struct ws_goal goal = { WS_COL_MISSES, false };
	char shown[SHOWN_MAX] = "";
	struct ws_err err = { 0 };
	struct ws_best *best;
	enum ws_status status = ws_best_new(&best, &goal, 8191, &err);

	for (size_t i = 0; i < WS_COUNT(exact) && status == WS_OK; i++)
		status = take(best, &exact[i], i);
	test_ok(status == WS_OK && ws_best_rows(best, 0, show, shown, &err) == WS_EINVAL &&
			!*shown &&
			strstr(err.text, "the smallest of the caches asked for has 8192"),
		"nothing fits: %s", err.text);
	ws_best_free(best);
	err = (struct ws_err){ 0 };
	goal.column = WS_COL_CYCLES;
	status = ws_best_new(&best, &goal, 0, &err);
	if (status == WS_OK)
		status = take(best, &none, 0);
	test_ok(status == WS_OK && ws_best_rows(best, 0, show, shown, &err) == WS_EINVAL &&
		strstr(err.text, "cycles: no row has a value"), "no value: %s", err.text);
	ws_best_free(best);
}

static void test_goals(void)
{
	struct ws_goal goal;
	struct ws_err err = { 0 };

	test_ok(ws_goal_parse(&goal, "hits:max", &err) == WS_OK && goal.column == WS_COL_HITS &&
		goal.most && !ws_goal_timed(&goal), "hits:max");
	test_ok(ws_goal_parse(&goal, "cycles", &err) == WS_OK && !goal.most && ws_goal_timed(&goal),
		"cycles");
	test_ok(ws_goal_parse(&goal, "mises", &err) == WS_EINVAL && strstr(err.text, "'misses'"),
		"a misspelt column: %s", err.text);
	err = (struct ws_err){ 0 };
	test_ok(ws_goal_parse(&goal, "kernel", &err) == WS_EINVAL &&
		strstr(err.text, "nothing to choose by"), "a text: %s", err.text);
	err = (struct ws_err){ 0 };
	test_ok(ws_goal_parse(&goal, "xyzzyxyzzy", &err) == WS_EINVAL &&
			strstr(err.text, "no column"),
		"no column: %s", err.text);
	err = (struct ws_err){ 0 };
	test_ok(ws_goal_parse(&goal, "misses:most", &err) == WS_EINVAL &&
		strstr(err.text, "misses:max"), "misses:most: %s", err.text);
}

int main(void)
{
	CHECK("miss_ratio", 0, 0, exact, "k:2!", "exact rows: no other could be");
	CHECK("miss_ratio", 20000, 0, exact, "k:1!", "a budget");
	CHECK("miss_ratio", 16384, 0, exact, "k:1!", "a budget that is just large enough");
	test_none();
	CHECK("hits", 0, 0, exact, "k:0!", "the fewest hits");
	CHECK("hits:max", 0, 0, exact, "k:2!", "the most hits");
	CHECK("miss_ratio", 0, 0, wide, "k:1! k:3 k:2 k:0", "intervals");
	CHECK("misses", 0, 0, wide, "k:1! k:3 k:2 k:0", "intervals of counts");
	CHECK("misses", 0, 2, wide, "k:1! k:3", "the first two");
	CHECK("misses:max", 0, 0, wide, "k:0! k:4 k:3 k:1", "intervals, from above");
	CHECK("miss_ratio", 0, 0, ties, "k:3! k:5 k:0 k:4 k:2 k:6 k:1", "the cheaper first");
	CHECK("miss_ratio", 0, 0, kernels, "b:0! a:5! b/L2:2! b:3!", "kernels, levels and kinds");
	CHECK("cycles", 0, 0, timed, "k:2! k:1", "no error is stated: those that are equal");
	CHECK("miss_ratio", 0, 0, unstated, "k:0! k:1", "a row without an error rules none out");
	test_many();
	test_goals();
	return test_done();
}
