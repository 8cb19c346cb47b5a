/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/request_sizes.c -- the figure `request-sizes`: what part of the requests, loads and stores
 * after coalescing, ask for 32, 64 and 128 bytes, over the run of a trace.
 *
 * A request's size is that of the smallest aligned block that holds the sectors asked for, as a
 * multi-grain cache sees it (validate/grain/grain.h).  Time is counted in requests.  The SMs'
 * streams of a launch go on side by side: a *round* is the next few requests of each SM, a *bin*,
 * one step of the figure, as many rounds as hold a period of requests, those of later launches too.
 */
#include "plots/script.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SIZES 3u		/* 1, 2, 4 sectors and more */
#define ROUNDS_MAX 4096u	/* of a launch: where there are more, two become one */
#define BINS 250u		/* if no period is given */
#define BINS_MAX 4000u

struct size_round {
	uint64_t size[SIZES];
};

struct size_gather {
	struct size_round *round;	/* of all launches */
	size_t count, cap;
	size_t first;		/* of this launch */
	uint64_t width;		/* its rounds: requests of an SM */
	uint64_t *position;	/* its SMs: requests so far */
	size_t sms, sms_cap;
};

/* log2 of the sectors in the smallest aligned block that holds those asked for, at most 2. */
static unsigned size_of(uint32_t sectors)
{
	unsigned low = 0, high = ws_log2(sectors), size = 0;

	while (!(sectors >> low & 1))
		low++;
	while (low >> size != high >> size)
		size++;
	return size < SIZES ? size : SIZES - 1;
}

static void halve(struct size_gather *g)
{
	size_t kept = g->first;

	for (size_t i = g->first; i < g->count; kept++) {
		g->round[kept] = g->round[i++];
		for (unsigned s = 0; i < g->count && s < SIZES; s++)
			g->round[kept].size[s] += g->round[i].size[s];
		i++;
	}
	g->count = kept;
	g->width *= 2;
}

/* The round of a request at `position` in its SM's stream; NULL: out of memory. */
static struct size_round *round_at(struct size_gather *g, uint64_t position)
{
	size_t want;

	while (position / g->width >= ROUNDS_MAX)
		halve(g);
	want = g->first + (size_t)(position / g->width);
	if (want >= g->count) {
		if (!WS_ROOM(g->round, g->cap, want + 1))
			return NULL;
		memset(&g->round[g->count], 0, (want + 1 - g->count) * sizeof *g->round);
		g->count = want + 1;
	}
	return &g->round[want];
}

static enum ws_status take_requests(void *context, uint64_t sm, const struct ws_request *r,
				    size_t count, struct ws_err *err)
{
	struct size_gather *g = context;

	for (size_t i = 0; i < count; i++) {
		struct size_round *round;

		if (r[i].kind == WS_ATOMIC || !r[i].sectors)
			continue;
		round = round_at(g, g->position[sm]++);
		if (!round)
			return ws_fail_memory(err, "a figure's bins");
		round->size[size_of(r[i].sectors)]++;
	}
	return WS_OK;
}

static enum ws_status run_launch(struct size_gather *g, const struct ws_figure_input *in,
				 size_t launch, struct ws_err *err)
{
	const struct ws_order_options options = { .seed = in->seed };
	const struct ws_sink sink = { .context = g, .requests = take_requests };
	size_t sms = (size_t)ws_l1s(in->machine);
	struct ws_order_stats stats;

	if (sms > g->sms) {
		if (!WS_ROOM(g->position, g->sms_cap, sms))
			return ws_fail_memory(err, "a figure's streams");
		g->sms = sms;
	}
	memset(g->position, 0, g->sms * sizeof *g->position);
	g->first = g->count;
	g->width = 1;
	return ws_order_run(in->trace, launch, in->machine, &options, &sink, &stats, err);
}

/* ---- the figure's data ------------------------------------------------------------ */

static uint64_t requests_of(const struct size_round *r)
{
	return r->size[0] + r->size[1] + r->size[2];
}

/* Requests before it, 32, 64 and 128 bytes, at either end. */
static void put_bin(struct ws_buf *script, uint64_t from, const struct size_round *bin)
{
	for (int end = 0; end < 2; end++)
		ws_put_printf(script, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
			      from + (end ? requests_of(bin) : 0), bin->size[0], bin->size[1],
			      bin->size[2]);
}

static enum ws_status put_bins(struct ws_buf *script, const struct size_gather *g, uint64_t period,
			       struct ws_err *err)
{
	struct size_round all = { { 0 } }, bin = { { 0 } };
	uint64_t from = 0;

	for (size_t i = 0; i < g->count; i++)
		for (unsigned s = 0; s < SIZES; s++)
			all.size[s] += g->round[i].size[s];
	if (!requests_of(&all))
		return ws_fail(err, WS_EINVAL, "there is neither load nor store: no request has a "
			       "size to draw");
	if (period && requests_of(&all) / period > BINS_MAX)
		return ws_fail(err, WS_EINVAL,
			       "a period of %" PRIu64 " of %" PRIu64 " requests: want "
			       "%" PRIu64 " or more",
			       period, requests_of(&all), requests_of(&all) / BINS_MAX + 1);
	if (!period)
		period = requests_of(&all) / BINS + 1;
	ws_put_printf(script, "$bins << EOD\n");
	for (size_t i = 0; i < g->count; i++) {
		for (unsigned s = 0; s < SIZES; s++)
			bin.size[s] += g->round[i].size[s];
		if (requests_of(&bin) < period && i + 1 < g->count)
			continue;
		put_bin(script, from, &bin);
		from += requests_of(&bin);
		bin = (struct size_round){ { 0 } };
	}
	ws_put_printf(script, "EOD\n");
	ws_script_u64(script, "requests", from);
	ws_script_u64(script, "period", period);
	for (unsigned s = 0; s < SIZES; s++) {
		char name[16];

		snprintf(name, sizeof name, "of_%u", WS_SECTOR_BYTES << s);
		ws_script_u64(script, name, all.size[s]);
	}
	return WS_OK;
}

/* Where launches begin, in requests. */
static void put_start(struct ws_buf *starts, const struct size_gather *g, size_t from, uint64_t *at)
{
	ws_put_printf(starts, "%" PRIu64 "\n", *at);
	for (size_t i = from; i < g->count; i++)
		*at += requests_of(&g->round[i]);
}

static enum ws_status put_title(struct ws_buf *script, const struct ws_figure_input *in,
				size_t first, size_t launches, struct ws_err *err)
{
	const char *slash = strrchr(ws_trace_name(in->trace), '/');
	const struct ws_launch *l;

	if (!launches && in->kernel)
		return ws_fail(err, WS_EINVAL, "kernel %s is not in %s", in->kernel,
			       ws_trace_name(in->trace));
	if (!launches)
		return ws_fail(err, WS_EINVAL, "%s: holds no launch, want at least 1",
			       ws_trace_name(in->trace));
	l = ws_trace_launch(in->trace, first);
	ws_script_launch(script, l, in->machine);
	ws_script_string(script, "source", slash ? slash + 1 : ws_trace_name(in->trace));
	ws_script_u64(script, "launches", launches);
	ws_script_u64(script, "alone", in->kernel != NULL);
	return WS_OK;
}

/* All launches, or those of in->kernel. */
static enum ws_status count_launches(struct size_gather *g, const struct ws_figure_input *in,
				     struct ws_buf *script, struct ws_err *err)
{
	size_t launches = 0, first = 0;
	struct ws_buf starts = { 0 };
	enum ws_status status = WS_OK;
	uint64_t at = 0;

	for (size_t i = 0; i < ws_trace_launches(in->trace) && status == WS_OK; i++) {
		if (in->kernel && strcmp(ws_trace_launch(in->trace, i)->kernel, in->kernel))
			continue;
		first = launches++ ? first : i;
		status = run_launch(g, in, i, err);
		put_start(&starts, g, g->first, &at);
	}
	if (status == WS_OK)
		status = put_title(script, in, first, launches, err);
	ws_put_printf(script, "$launches << EOD\n");
	ws_put_bytes(script, starts.data, starts.len);
	ws_put_printf(script, "EOD\n");
	script->failed = script->failed || starts.failed;
	ws_buf_clear(&starts);
	return status;
}

static enum ws_status request_sizes_data(const struct ws_figure_input *in, struct ws_buf *script,
					 struct ws_err *err)
{
	struct size_gather g = { 0 };
	enum ws_status status = count_launches(&g, in, script, err);

	if (status == WS_OK)
		status = put_bins(script, &g, in->period, err);
	free(g.round);
	free(g.position);
	return status;
}

const struct ws_figure ws_figure_request_sizes = {
	.name = "request-sizes",
	.summary = "what part of the requests ask for 32, 64 and 128 bytes after coalescing, over "
		   "the run of a whole trace, or of one kernel",
	.needs = WS_FIGURE_TRACE,
	.data = request_sizes_data,
};
