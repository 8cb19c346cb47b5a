/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/streams.c -- the request streams of a trace, kept in memory.
 *
 * Each launch is ordered once and every SM's requests are stored
 * as they come, so that any number of caches can be simulated on the same
 * stream.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "validate/sim/sim.h"

struct stream_gather {
	struct ws_streams *launch; /* the one that is being made */
	const struct ws_profile_options *options;
	struct ws_orderer *orderer;
	uint64_t before, total;	/* CTAs: of earlier launches, of all */
};

static enum ws_status add_requests(void *context, uint64_t sm, const struct ws_request *r,
				   size_t count, struct ws_err *err)
{
	struct stream_gather *g = context;

	if (sm >= g->launch->sms)
		return ws_fail(err, WS_EINVAL, "requests of SM %" PRIu64 ": want 0..%zu", sm,
			       g->launch->sms - 1);
	return ws_stream_add(&g->launch->sm[sm], r, count, err);
}

static void report_ctas(void *context, uint64_t ctas)
{
	const struct stream_gather *g = context;

	g->options->progress(g->options->context, g->before + ctas, g->total);
}

/* Gives the room that growing left over back; failing to is no harm. */
static void trim(struct ws_streams *launch)
{
	for (size_t i = 0; i < launch->sms; i++) {
		struct ws_stream *s = &launch->sm[i];
		struct ws_request *exact;

		if (!s->count || s->cap == s->count)
			continue;
		exact = realloc(s->request, s->count * sizeof *exact);
		if (exact) {
			s->request = exact;
			s->cap = s->count;
		}
	}
}

static enum ws_status make_launch(struct stream_gather *g, const struct ws_trace *t, size_t number,
				  const struct ws_machine *m, struct ws_err *err)
{
	struct ws_sink sink = { .context = g, .requests = add_requests,
				.progress = g->options->progress ? report_ctas : NULL };
	struct ws_streams *launch = g->launch;
	enum ws_status status;

	launch->launch = ws_trace_launch(t, number);
	launch->kernel = ws_strdup(launch->launch->kernel);
	launch->sm = ws_alloc_zero((size_t)ws_l1s(m), sizeof *launch->sm);
	if (!launch->kernel || !launch->sm)
		return ws_fail_memory(err, "the request streams of a launch");
	launch->sms = (size_t)ws_l1s(m);
	launch->line_bytes = m->l1.line_bytes;
	launch->coalesce_line = m->coalesce_line;
	status = ws_orderer_run(g->orderer, number, &sink, &launch->stats, err);
	if (status == WS_OK)
		trim(launch);
	return status;
}

enum ws_status ws_streams_make(struct ws_streams **out, size_t *launches, const struct ws_trace *t,
			       const struct ws_machine *m,
			       const struct ws_profile_options *options, struct ws_err *err)
{
	size_t count = ws_trace_launches(t);
	struct ws_streams *all = ws_alloc_zero(count ? count : 1, sizeof *all);
	struct stream_gather g = { .options = options };
	const struct ws_order_options order = { .seed = options->seed,
						.threads = options->threads };
	enum ws_status status;

	*out = NULL;
	*launches = 0;
	if (!all)
		return ws_fail_memory(err, "the request streams of a trace");
	status = ws_orderer_new(&g.orderer, options->order, t, m, &order, err);
	for (size_t i = 0; i < count; i++)
		g.total += ws_trace_launch(t, i)->ctas;
	for (size_t i = 0; i < count && status == WS_OK; i++) {
		g.launch = &all[i];
		status = make_launch(&g, t, i, m, err);
		g.before += ws_trace_launch(t, i)->ctas;
	}
	ws_orderer_free(g.orderer);
	if (status != WS_OK) {
		ws_streams_free(all, count);
		return status;
	}
	*out = all;
	*launches = count;
	return WS_OK;
}
