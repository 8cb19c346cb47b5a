/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/missrate_time.c -- the figure `missrate-time`: miss ratio of the L1s' loads against time,
 * by the cycle simulator.
 *
 * Launches of the kernel follow one another.  Samples of all SMs over the same cycles are one bin;
 * when there are BINS_MAX, two neighbours of a launch become one, and bins are twice as wide from
 * then on.  A bin is drawn as a step; where no load was looked up there is none.
 */
#include "plots/script.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BINS_MAX 400u

struct bin {
	size_t launch;
	uint64_t from, to;	/* in its launch */
	uint64_t requests, pending, misses;
};

struct sample_gather {
	struct { size_t launch; uint64_t cycles; } *launch;
	size_t launches, launches_cap;
	struct ws_cycle_counts loads;
	struct bin *bin;
	size_t count, cap, most;
	uint64_t width;		/* of a bin, in cycles; the last of a launch may have less */
	bool failed;
};

static void add_bin(struct bin *to, const struct bin *from)
{
	to->to = from->to;
	to->requests += from->requests;
	to->pending += from->pending;
	to->misses += from->misses;
}

static void halve(struct sample_gather *g)
{
	size_t kept = 0;

	for (size_t i = 0; i < g->count; kept++) {
		g->bin[kept] = g->bin[i++];
		if (i < g->count && g->bin[i].launch == g->bin[kept].launch)
			add_bin(&g->bin[kept], &g->bin[i++]);
	}
	g->count = kept;
	g->width *= 2;
	/* Launches are not put together: with many of them there have to be more bins. */
	if (kept > g->most * 3 / 4)
		g->most *= 2;
}

static void take_sample(void *context, const struct ws_cycle_sample *s)
{
	struct sample_gather *g = context;
	struct bin new = { s->launch, s->from, s->to, s->requests, s->pending, s->misses };
	struct bin *last = g->count ? &g->bin[g->count - 1] : NULL;

	if (g->failed)
		return;
	if (last && last->launch == s->launch &&
	    (last->to == s->to || s->to - last->from <= g->width)) {
		add_bin(last, &new);
		return;
	}
	if (g->count >= g->most)
		halve(g);
	if (!g->width)
		g->width = s->to - s->from;
	g->failed = !WS_ROOM(g->bin, g->cap, g->count + 1);
	if (!g->failed)
		g->bin[g->count++] = new;
}

static enum ws_status launched(void *context, const struct ws_cycle_result *r, struct ws_err *err)
{
	struct sample_gather *g = context;
	struct ws_cycle_counts kind[WS_KINDS + 1];

	if (!WS_ROOM(g->launch, g->launches_cap, g->launches + 1))
		return ws_fail_memory(err, "a figure's launches");
	g->launch[g->launches].launch = r->launch;
	g->launch[g->launches++].cycles = r->cycles;
	ws_cycle_l1(r, kind);
	ws_cycle_counts_add(&g->loads, &kind[WS_LOAD]);
	return WS_OK;
}

/* The first that loads, or else the first. */
static size_t first_to_load(const struct ws_trace *t)
{
	for (size_t i = 0; i < ws_trace_launches(t); i++)
		if (ws_trace_launch(t, i)->accesses[WS_LOAD])
			return i;
	return 0;
}

static enum ws_status find_kernel(const struct ws_figure_input *in, size_t *first,
				  struct ws_err *err)
{
	size_t launches = ws_trace_launches(in->trace);

	*first = 0;
	if (launches == 0)
		return ws_fail(err, WS_EINVAL, "the trace holds no launch, want at least 1");
	*first = in->kernel ? 0 : first_to_load(in->trace);
	for (size_t i = 0; in->kernel && i < launches; i++) {
		*first = i;
		if (!strcmp(ws_trace_launch(in->trace, i)->kernel, in->kernel))
			return WS_OK;
	}
	if (!in->kernel)
		return WS_OK;
	return ws_fail(err, WS_EINVAL, "kernel %s is not in the trace; the first it has is %s",
		       in->kernel, ws_trace_launch(in->trace, 0)->kernel);
}

/* Short enough for the longest launch: a warp's memory instruction takes its SM a cycle. */
static uint64_t period_for(const struct ws_figure_input *in, const char *kernel)
{
	uint64_t most = 0;

	for (size_t i = 0; i < ws_trace_launches(in->trace); i++) {
		const struct ws_launch *l = ws_trace_launch(in->trace, i);
		uint64_t accesses = 0;

		for (int k = 0; !strcmp(l->kernel, kernel) && k < WS_KINDS; k++)
			accesses += l->accesses[k];
		most = accesses > most ? accesses : most;
	}
	return most / in->machine->warp_width / in->machine->sm_count / BINS_MAX + 1;
}

/* A line for either end of each bin: cycle, misses, pending hits, requests; a blank one where a
 * launch begins. */
static void put_bins(struct ws_buf *script, const struct sample_gather *g)
{
	uint64_t start = 0;
	size_t at = 0;

	ws_put_printf(script, "$bins << EOD\n");
	for (size_t i = 0; i < g->launches; i++) {
		for (; at < g->count && g->bin[at].launch == g->launch[i].launch; at++) {
			const struct bin *b = &g->bin[at];

			for (int end = 0; end < 2; end++)
				ws_put_printf(script, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %"
					      PRIu64 "\n", start + (end ? b->to : b->from),
					      b->misses, b->pending, b->requests);
		}
		ws_put_printf(script, "\n");
		start += g->launch[i].cycles;
	}
	ws_put_printf(script, "EOD\n$launches << EOD\n");
	start = 0;
	for (size_t i = 0; i < g->launches; i++) {
		ws_put_printf(script, "%" PRIu64 "\n", start);
		start += g->launch[i].cycles;
	}
	ws_put_printf(script, "EOD\n");
	ws_script_u64(script, "cycles", start);
	ws_script_u64(script, "launches", g->launches);
}

static enum ws_status put_kernel(struct ws_buf *script, const struct ws_figure_input *in,
				 size_t first, const struct sample_gather *g, struct ws_err *err)
{
	const struct ws_launch *l = ws_trace_launch(in->trace, first);
	const struct ws_cycle_counts *sum = &g->loads;

	if (!sum->requests)
		return ws_fail(err, WS_EINVAL, "kernel %.200s loads nothing: it has no miss ratio "
			       "of loads to draw", l->kernel);
	ws_script_launch(script, l, in->machine);
	ws_script_string(script, "policy", in->machine->l1.policy);
	ws_script_u64(script, "requests", sum->requests);
	ws_script_u64(script, "pending", sum->pending);
	ws_script_u64(script, "misses", sum->misses);
	put_bins(script, g);
	return WS_OK;
}

static enum ws_status missrate_time_data(const struct ws_figure_input *in, struct ws_buf *script,
					 struct ws_err *err)
{
	struct sample_gather g = { .most = BINS_MAX };
	struct ws_cycle_options options = {
		.seed = in->seed, .sample = take_sample, .launched = launched, .context = &g,
	};
	struct ws_cycle_result *none;
	size_t zero, first;
	enum ws_status status = find_kernel(in, &first, err);

	if (status != WS_OK)
		return status;
	options.kernel = ws_trace_launch(in->trace, first)->kernel;
	options.period = period_for(in, options.kernel);
	status = ws_cycles_run(&none, &zero, in->trace, in->machine, &options, err);
	if (status == WS_OK && g.failed)
		status = ws_fail_memory(err, "a figure's bins");
	if (status == WS_OK)
		status = put_kernel(script, in, first, &g, err);
	free(g.launch);
	free(g.bin);
	return status;
}

const struct ws_figure ws_figure_missrate_time = {
	.name = "missrate-time",
	.summary = "miss ratio of the L1's loads against time, by the cycle simulator, with the "
		   "pending hits above it",
	.needs = WS_FIGURE_TRACE,
	.cycles = true,
	.data = missrate_time_data,
};
