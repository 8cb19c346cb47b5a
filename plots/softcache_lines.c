/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/softcache_lines.c -- the figure `softcache-lines`: a thread-private software cache against
 * the size of its lines.
 *
 * A curve for each structure, those with most accesses: the hits of a line of its own, all through
 * the launch.  One of the whole cache: of all loads and stores, those that hit once what there is
 * room for is chosen after the usual monitoring phase, with the lines of a thread (CLN) above.
 */
#include "plots/script.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CURVES_MAX 6u
#define FIRST_LEVEL 2u	/* 4 bytes: below, there are hardly accesses that lie in one line */

struct curve {
	size_t structure;
	uint64_t hits[WS_SOFT_SIZES], look_ups[WS_SOFT_SIZES];
};

static int compare_lines(const void *a, const void *b)
{
	const struct curve *x = a, *y = b;
	uint64_t most = y->look_ups[WS_SOFT_LINE_BITS], own = x->look_ups[WS_SOFT_LINE_BITS];

	if (own != most)
		return own < most ? 1 : -1;
	return x->structure < y->structure ? -1 : 1;
}

static void put_curve(struct ws_buf *script, const struct ws_launch *l, const struct curve *c,
		      size_t number)
{
	char name[16];

	snprintf(name, sizeof name, "name%zu", number);
	ws_script_string(script, name, c->structure < l->arrays ? l->array[c->structure].name
								: "no array");
	ws_put_printf(script, "$structure%zu << EOD\n", number);
	for (unsigned k = FIRST_LEVEL; k < WS_SOFT_SIZES; k++)
		ws_put_printf(script, "%u %" PRIu64 " %" PRIu64 "\n", 1u << k, c->hits[k],
			      c->look_ups[k]);
	ws_put_printf(script, "EOD\n");
}

static enum ws_status curves(const struct ws_launch *l, const struct ws_soft_record *r,
			     struct ws_buf *script, struct ws_err *err)
{
	size_t structures = ws_soft_structures(l), used = 0;
	struct curve *all = ws_alloc(structures, sizeof *all);

	if (!all)
		return ws_fail_memory(err, "a figure's curves");
	for (size_t i = 0; i < structures; i++) {
		struct curve *c = &all[used];

		c->structure = i + 1 < structures ? i : SIZE_MAX;
		ws_soft_lines(r, i, c->hits, c->look_ups);
		used += c->look_ups[WS_SOFT_LINE_BITS] > 0;
	}
	qsort(all, used, sizeof *all, compare_lines);
	for (size_t i = 0; i < used && i < CURVES_MAX; i++)
		put_curve(script, l, &all[i], i + 1);
	ws_script_u64(script, "structures", used);
	ws_script_u64(script, "curves", used < CURVES_MAX ? used : CURVES_MAX);
	free(all);
	return WS_OK;
}

/* Line size, CLN, hits, loads and stores. */
static enum ws_status put_lines(const struct ws_figure_input *in, const struct ws_launch *l,
				const struct ws_soft_record *r, struct ws_soft soft,
				struct ws_buf *script, struct ws_err *err)
{
	struct ws_soft_result result;
	struct ws_soft_counts sum;
	struct ws_soft_room room;
	enum ws_status status = ws_soft_predict(r, &soft, &result, err);

	if (status == WS_OK)
		status = ws_soft_fit(&room, l, in->machine, 0, soft.line_bytes, &result, err);
	ws_soft_result_clear(&result);
	if (status != WS_OK)
		return status;
	soft.lines = room.lines;
	status = ws_soft_predict(r, &soft, &result, err);
	sum = ws_soft_sum(&result);
	if (status == WS_OK)
		ws_put_printf(script, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
			      "\n", soft.line_bytes, soft.lines, sum.hits[0] + sum.hits[1],
			      sum.accesses[WS_LOAD] + sum.accesses[WS_STORE], result.chosen);
	ws_soft_result_clear(&result);
	return status;
}

static enum ws_status find_launch(const struct ws_figure_input *in, size_t *launch,
				  struct ws_err *err)
{
	size_t launches = ws_trace_launches(in->trace);

	if (launches == 0)
		return ws_fail(err, WS_EINVAL, "the trace holds no launch, want at least 1");
	for (*launch = 0; *launch < launches; ++*launch)
		if (!in->kernel || !strcmp(ws_trace_launch(in->trace, *launch)->kernel, in->kernel))
			return WS_OK;
	return ws_fail(err, WS_EINVAL, "kernel %s is not in the trace; the first it has is %s",
		       in->kernel, ws_trace_launch(in->trace, 0)->kernel);
}

static enum ws_status softcache_lines_data(const struct ws_figure_input *in, struct ws_buf *script,
					   struct ws_err *err)
{
	struct ws_soft soft = WS_SOFT_INIT;
	struct ws_soft_record *r = NULL;
	const struct ws_launch *l;
	size_t launch = 0;
	enum ws_status status = find_launch(in, &launch, err);

	if (status == WS_OK)
		status = ws_soft_record_make(&r, in->trace, launch, NULL, err);
	if (status != WS_OK)
		return status;
	l = ws_trace_launch(in->trace, launch);
	ws_script_launch(script, l, in->machine);
	ws_script_u64(script, "threshold", soft.threshold);
	status = curves(l, r, script, err);
	ws_put_printf(script, "$whole << EOD\n");
	for (unsigned k = FIRST_LEVEL; k < WS_SOFT_SIZES && status == WS_OK; k++) {
		soft.line_bytes = UINT64_C(1) << k;
		status = put_lines(in, l, r, soft, script, err);
	}
	ws_put_printf(script, "EOD\n");
	ws_soft_record_free(r);
	return status;
}

const struct ws_figure ws_figure_softcache_lines = {
	.name = "softcache-lines",
	.summary = "hit ratio of a thread-private software cache against the size of its lines, by "
		   "structure and of all that there is room for",
	.needs = WS_FIGURE_TRACE,
	.data = softcache_lines_data,
};
