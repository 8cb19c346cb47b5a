/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/streams.c -- the request streams of a trace, kept in memory.
 *
 * Each launch is ordered once and every SM's requests are stored
 * as they come, so that any number of caches can be simulated on the same
 * stream: 32 bytes a request, and as much again while an array grows.
 */
#include <stdlib.h>
#include <string.h>

#include "validate/sim/sim.h"

struct gather {
	struct ws_streams *launch; /* the one that is being made */
	const struct ws_profile_options *options;
	struct ws_orderer *orderer;
	uint64_t before, total;	/* CTAs: of earlier launches, of all */
};

enum ws_status ws_stream_add(struct ws_stream *s, const struct ws_request *r, size_t count,
			     struct ws_err *err)
{
	struct ws_request *grown;

	if (!count)
		return WS_OK;
	if (count > SIZE_MAX - s->count)
		return ws_fail_memory(err, "a request stream");
	grown = ws_grow(s->request, &s->cap, s->count + count, sizeof *grown);
	if (!grown)
		return ws_fail_memory(err, "a request stream");
	s->request = grown;
	memcpy(&grown[s->count], r, count * sizeof *r);
	s->count += count;
	return WS_OK;
}

static enum ws_status take(void *context, uint64_t sm, const struct ws_request *r,
			   size_t count, struct ws_err *err)
{
	struct gather *g = context;

	if (sm >= g->launch->sms)
		return ws_fail(err, WS_EINVAL, "requests of SM %llu: want 0..%zu",
			       (unsigned long long)sm, g->launch->sms - 1);
	return ws_stream_add(&g->launch->sm[sm], r, count, err);
}

static void step(void *context, uint64_t ctas)
{
	const struct gather *g = context;

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

static enum ws_status make_launch(struct gather *g, const struct ws_trace *t, size_t number,
				  const struct ws_machine *m, struct ws_err *err)
{
	struct ws_sink sink = { .context = g, .requests = take,
				.progress = g->options->progress ? step : NULL };
	struct ws_streams *launch = g->launch;
	enum ws_status status;

	launch->launch = ws_trace_launch(t, number);
	launch->kernel = ws_strdup(launch->launch->kernel);
	launch->sm = ws_alloc_zero((size_t)m->sm_count, sizeof *launch->sm);
	if (!launch->kernel || !launch->sm)
		return ws_fail_memory(err, "the request streams of a launch");
	launch->sms = (size_t)m->sm_count;
	launch->line_bytes = m->l1.line_bytes;
	launch->coalesce_line = m->coalesce_line;
	status = ws_orderer_run(g->orderer, number, &sink, &launch->stats, err);
	if (!status)
		trim(launch);
	return status;
}

enum ws_status ws_streams_make(struct ws_streams **out, size_t *launches, const struct ws_trace *t,
			       const struct ws_machine *m,
			       const struct ws_profile_options *options, struct ws_err *err)
{
	size_t count = ws_trace_launches(t);
	struct ws_streams *all = ws_alloc_zero(count ? count : 1, sizeof *all);
	struct gather g = { .options = options };
	const struct ws_order_options order = { .seed = options->seed, .threads = options->threads };
	enum ws_status status;

	*out = NULL;
	*launches = 0;
	if (!all)
		return ws_fail_memory(err, "the request streams of a trace");
	status = ws_orderer_new(&g.orderer, options->order, t, m, &order, err);
	for (size_t i = 0; i < count; i++)
		g.total += ws_trace_launch(t, i)->ctas;
	for (size_t i = 0; i < count && !status; i++) {
		g.launch = &all[i];
		status = make_launch(&g, t, i, m, err);
		g.before += ws_trace_launch(t, i)->ctas;
	}
	ws_orderer_free(g.orderer);
	if (status) {
		ws_streams_free(all, count);
		return status;
	}
	*out = all;
	*launches = count;
	return WS_OK;
}

void ws_streams_free(struct ws_streams *s, size_t launches)
{
	if (!s)
		return;
	for (size_t i = 0; i < launches; i++) {
		for (size_t sm = 0; sm < s[i].sms; sm++)
			free(s[i].sm[sm].request);
		free(s[i].sm);
		free(s[i].kernel);
	}
	free(s);
}

/* ---- simulation ---------------------------------------------------------------- */

#define PIECE 4096u	/* requests that are cut at a time, at least */

struct recut {
	uint64_t line_bytes;	/* of the cache */
	struct ws_request *out;
	size_t cap;
};

/* As many whole warp instructions as make a piece. */
static size_t piece(const struct ws_request *r, size_t count, bool whole)
{
	size_t n = whole || count < PIECE ? count : PIECE;

	while (n < count && r[n].follows)
		n++;
	return n;
}

static enum ws_status push_recut(struct ws_sim *sim, const struct ws_streams *launch,
				 const struct ws_stream *stream, struct recut *c,
				 struct ws_err *err)
{
	size_t pieces = launch->line_bytes > c->line_bytes
		? (size_t)(launch->line_bytes / c->line_bytes) : 1;
	enum ws_status status = WS_OK;

	for (size_t at = 0, n; at < stream->count && !status; at += n) {
		const struct ws_request *r = stream->request + at;
		struct ws_request *grown;

		n = piece(r, stream->count - at, ws_sim_offline(sim));
		grown = ws_grow(c->out, &c->cap, n * pieces, sizeof *grown);
		if (!grown)
			return ws_fail_memory(err, "requests of another line size");
		c->out = grown;
		status = ws_sim_push(sim, c->out, ws_recut(launch->coalesce_line,
							   launch->line_bytes, c->line_bytes, r, n,
							   c->out), err);
	}
	return status;
}

/* recut: room for requests of another line, kept between calls. */
static enum ws_status push_stream(struct ws_sim *sim, const struct ws_streams *launch, size_t sm,
				  struct recut *c, struct ws_err *err)
{
	const struct ws_stream *stream = &launch->sm[sm];

	if (!stream->count)
		return WS_OK;
	ws_sim_flush(sim);
	return launch->line_bytes == c->line_bytes
		? ws_sim_push(sim, stream->request, stream->count, err)
		: push_recut(sim, launch, stream, c, err);
}

enum ws_status ws_sim_push_stream(struct ws_sim *sim, const struct ws_streams *launch, size_t sm,
				  struct ws_err *err)
{
	struct recut c = { .line_bytes = ws_sim_line_bytes(sim) };
	enum ws_status status = push_stream(sim, launch, sm, &c, err);

	free(c.out);
	return status;
}

uint64_t ws_streams_instructions(const struct ws_streams *s, size_t launches, const char *kernel)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < launches; i++)
		if (!kernel || strcmp(kernel, s[i].kernel) == 0)
			sum += s[i].stats.warp_instructions;
	return sum;
}

/* What fills an L2 before a launch, whole lines, misses, cold, whatever the policy. */
static void take_off(struct ws_counts *c, uint64_t warm, uint64_t line_bytes)
{
	uint64_t sectors = warm * (line_bytes / WS_SECTOR_BYTES);

	c->sectors -= sectors;
	c->sectors_missed -= sectors;
	c->requests -= warm;
	c->misses -= warm;
	c->cold -= warm;
}

/* SMs do not see each other's caches, and each starts a launch with an empty one: one
 * simulator, flushed between them, stands for all. */
enum ws_status ws_simulate(const struct ws_streams *s, size_t launches, const char *kernel,
			   const struct ws_cache *cache, uint64_t seed,
			   struct ws_counts kind[WS_KINDS + 1], struct ws_err *err)
{
	struct ws_sim *sim;
	struct recut c = { .line_bytes = cache->line_bytes };
	enum ws_status status = ws_sim_new(&sim, cache, err);
	size_t found = 0;
	uint64_t warm = 0;

	memset(kind, 0, (WS_KINDS + 1) * sizeof *kind);
	if (status)
		return status;
	ws_sim_seed(sim, seed);
	for (size_t i = 0; i < launches && !status; i++) {
		if (kernel && strcmp(kernel, s[i].kernel) != 0)
			continue;
		found++;
		warm += s[i].warm;
		for (size_t sm = 0; sm < s[i].sms && !status; sm++)
			status = push_stream(sim, &s[i], sm, &c, err);
	}
	free(c.out);
	if (!status && kernel && !found)
		status = ws_fail(err, WS_EINVAL, "kernel %s: none of the %zu launches simulated is"
				 " of it", kernel, launches);
	if (!status) {
		ws_sim_counts(sim, kind);
		take_off(&kind[WS_LOAD], warm, cache->line_bytes);
		take_off(&kind[WS_KINDS], warm, cache->line_bytes);
	}
	ws_sim_free(sim);
	return status;
}
