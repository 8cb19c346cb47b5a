/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/sim/miss_stream.c -- the L2's stream, behind L1s of any policy.
 *
 * Each SM's requests go through its L1; what that asks for, in order of (cycle, SM, position), is
 * one stream, as the L2's slices together see it (ws_l2_whole).  An SM's cycles do not go back, so
 * its part is sorted; the parts are merged two and two, O(requests log SMs).
 */
#include "validate/sim/miss_stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "validate/sim/sim.h"

struct parts {			/* of one stream: part i ends where part i + 1 begins */
	size_t *end;
	size_t count;
};

/* Two sorted ranges that touch; equals: the first's go first. */
static void merge(const struct ws_request *a, size_t first, size_t middle, size_t end,
		  struct ws_request *out)
{
	size_t i = first, j = middle;

	for (size_t at = first; at < end; at++)
		out[at] = j == end || (i < middle && a[i].cycle <= a[j].cycle) ? a[i++] : a[j++];
}

static enum ws_status merge_all(struct ws_stream *s, struct parts *p, struct ws_err *err)
{
	struct ws_request *other = ws_alloc(s->count + 1, sizeof *other), *swap;

	if (!other)
		return ws_fail_memory(err, "the requests to an L2");
	while (p->count > 1) {
		size_t from = 0, kept = 0;

		for (size_t i = 0; i < p->count; i += 2) {
			bool alone = i + 1 == p->count;
			size_t end = p->end[alone ? i : i + 1];

			merge(s->request, from, p->end[i], end, other);
			p->end[kept++] = from = end;
		}
		p->count = kept;
		swap = s->request;
		s->request = other;
		other = swap;
		s->cap = s->count + 1;
	}
	free(other);
	return WS_OK;
}

static enum ws_status warm_line(void *context, const struct ws_request *line, struct ws_err *err)
{
	struct ws_miss_stream *to = context;

	ws_miss_stream_put(to, line, line->address, line->sectors, WS_LOAD);
	return to->failed ? ws_fail_memory(err, "what an L2 holds at the start") : WS_OK;
}

/* What it holds at the start goes before all else, at cycle 0. */
static enum ws_status warm(struct ws_streams *out, const struct ws_machine *m, struct ws_err *err)
{
	uint64_t line = m->l2.line_bytes;
	struct ws_stream *all = out->sm;
	struct ws_miss_stream filled = { .line = line, .from_line = line };
	struct ws_stream *s = &filled.stream;
	enum ws_status status = ws_warm_lines(out->launch, m, line, warm_line, &filled,
					       err);

	out->warm = s->count;
	if (status == WS_OK && !WS_ROOM(s->request, s->cap, s->count + all->count + 1))
		status = ws_fail_memory(err, "what an L2 holds at the start");
	if (status == WS_OK) {
		if (all->count)
			memcpy(s->request + s->count, all->request,
			       all->count * sizeof *s->request);
		s->count += all->count;
		free(all->request);
		*all = *s;
		return WS_OK;
	}
	free(s->request);
	return status;
}

struct passing {
	struct ws_miss_stream *to;
	struct parts *parts;
};

static enum ws_status passed(void *context, size_t sm, struct ws_err *err)
{
	struct passing *p = context;

	(void)sm;
	p->parts->end[p->parts->count++] = p->to->stream.count;
	return p->to->failed ? ws_fail_memory(err, "the requests to an L2") : WS_OK;
}

static enum ws_status make_stream(struct ws_streams *out, const struct ws_streams *launch,
				  struct ws_sim *sim, const struct ws_machine *m,
				  struct ws_err *err)
{
	struct ws_miss_stream to = { .line = m->l2.line_bytes, .from_line = m->l1.line_bytes };
	struct parts parts = { .end = ws_alloc(launch->sms + 1, sizeof *parts.end) };
	struct passing passing = { &to, &parts };
	enum ws_status status = ws_sim_pass(sim, &to, err);

	out->launch = launch->launch;
	out->keeps = m->l2_start == WS_L2_KEEP;
	out->line_bytes = out->coalesce_line = m->l2.line_bytes;
	out->kernel = ws_strdup(launch->kernel);
	out->sm = ws_alloc_zero(1, sizeof *out->sm);
	out->sms = out->sm != NULL;
	if (status == WS_OK && (!out->sm || !out->kernel || !parts.end))
		status = ws_fail_memory(err, "the requests to an L2");
	if (status == WS_OK)
		status = ws_sim_push_launch(sim, launch, passed, &passing, err);
	if (status == WS_OK)
		status = merge_all(&to.stream, &parts, err);
	if (out->sm)
		*out->sm = to.stream;
	else
		free(to.stream.request);
	free(parts.end);
	return status;
}

/* The machine as it is for the kernel of launch i, as a profile's section has it. */
static enum ws_status adapt(const struct ws_streams *s, size_t launches, size_t i,
			    const struct ws_machine *m, struct ws_machine *own, struct ws_err *err)
{
	struct ws_demand d = ws_launch_demand(s[i].launch);

	for (size_t k = 0; k < launches && ws_machine_adapts(m); k++)
		if (strcmp(s[k].kernel, s[i].kernel) == 0)
			ws_demand_add(&d, ws_launch_demand(s[k].launch));
	return ws_machine_adapt(m, &d, own, err);
}

/* A simulator of such an L1: the one there is, or a new one in its place. */
static enum ws_status renew(struct ws_sim **sim, const struct ws_cache *was,
			    const struct ws_cache *l1, uint64_t seed, struct ws_err *err)
{
	enum ws_status status;

	if (*sim && was->ways == l1->ways)
		return WS_OK;
	ws_sim_free(*sim);
	status = ws_sim_new(sim, l1, err);
	if (status == WS_OK)
		ws_sim_seed(*sim, seed);
	return status;
}

enum ws_status ws_streams_behind(struct ws_streams **out, const struct ws_streams *s,
				 size_t launches, const struct ws_machine *m, uint64_t seed,
				 struct ws_err *err)
{
	struct ws_streams *all = ws_alloc_zero(launches + 1, sizeof *all);
	struct ws_cache was = m->l1;
	struct ws_machine own = *m;
	struct ws_sim *sim = NULL;
	enum ws_status status = all ? WS_OK : ws_fail_memory(err, "the requests to an L2");

	for (size_t i = 0; i < launches && status == WS_OK; i++) {
		status = adapt(s, launches, i, m, &own, err);
		if (status == WS_OK)
			status = renew(&sim, &was, &own.l1, seed, err);
		was = own.l1;
		if (status == WS_OK)
			status = make_stream(&all[i], &s[i], sim, &own, err);
		if (status == WS_OK && ws_l2_filled(m->l2_start))
			status = warm(&all[i], m, err);
	}
	ws_sim_free(sim);
	*out = NULL;
	if (status != WS_OK)
		ws_streams_free(all, launches);
	else
		*out = all;
	return status;
}
