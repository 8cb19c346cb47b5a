/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/sim/simulate.c -- runs the streams of a trace through a simulated cache.  Requests are
 * cut for its lines, and each SM's cache starts empty.
 */
#include <stdlib.h>
#include <string.h>

#include "validate/sim/miss_stream.h"
#include "validate/sim/sim.h"
#include "validate/sim/tlb.h"

#define PIECE 4096u	/* requests that are cut at a time, at least */

struct recut_room {
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
				 const struct ws_stream *stream, struct recut_room *c,
				 struct ws_err *err)
{
	size_t pieces = launch->line_bytes > c->line_bytes
		? (size_t)(launch->line_bytes / c->line_bytes) : 1;
	enum ws_status status = WS_OK;

	for (size_t at = 0, n; at < stream->count && !status; at += n) {
		const struct ws_request *r = stream->request + at;

		n = piece(r, stream->count - at, ws_sim_offline(sim));
		if (!WS_ROOM(c->out, c->cap, n * pieces))
			return ws_fail_memory(err, "requests of another line size");
		status = ws_sim_push(sim, c->out, ws_recut(launch->coalesce_line,
							   launch->line_bytes, c->line_bytes, r, n,
							   c->out), err);
	}
	return status;
}

/* recut: room for requests of another line, kept between calls. */
static enum ws_status push_stream(struct ws_sim *sim, const struct ws_streams *launch, size_t sm,
				  struct recut_room *c, struct ws_err *err)
{
	const struct ws_stream *stream = &launch->sm[sm];

	if (!stream->count)
		return WS_OK;
	if (!launch->keeps)
		ws_sim_flush(sim);
	return launch->line_bytes == c->line_bytes
		? ws_sim_push(sim, stream->request, stream->count, err)
		: push_recut(sim, launch, stream, c, err);
}

enum ws_status ws_sim_push_stream(struct ws_sim *sim, const struct ws_streams *launch, size_t sm,
				  struct ws_err *err)
{
	struct recut_room c = { .line_bytes = ws_sim_line_bytes(sim) };
	enum ws_status status = push_stream(sim, launch, sm, &c, err);

	free(c.out);
	return status;
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

static enum ws_status push_launch(struct ws_sim *sim, const struct ws_streams *launch,
				  struct recut_room *c, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (launch->keeps && ws_sim_offline(sim))
		return ws_fail(err, WS_EINVAL, "l2.start = keep: an offline policy needs to know "
			       "what comes, up to the last launch; want another start or policy");
	for (size_t sm = 0; sm < launch->sms && !status; sm++)
		status = push_stream(sim, launch, sm, c, err);
	return status;
}

/* Of another kernel, whose launch leaves something in the cache. */
static enum ws_status push_uncounted(struct ws_sim *sim, const struct ws_streams *launch,
				     struct recut_room *c, struct ws_err *err)
{
	struct ws_counts kind[WS_KINDS + 1];
	enum ws_status status;

	if (!launch->keeps)
		return WS_OK;
	ws_sim_counts(sim, kind);
	status = push_launch(sim, launch, c, err);
	ws_sim_recount(sim, kind);
	return status;
}

/* SMs do not see each other's caches, and each starts a launch with an empty one: one
 * simulator, flushed between them, stands for all. */
enum ws_status ws_simulate(const struct ws_streams *s, size_t launches, const char *kernel,
			   const struct ws_cache *cache, uint64_t seed,
			   struct ws_counts kind[WS_KINDS + 1], struct ws_err *err)
{
	struct ws_sim *sim;
	struct recut_room c = { .line_bytes = cache->line_bytes };
	enum ws_status status = ws_sim_new(&sim, cache, err);
	size_t found = 0;
	uint64_t warm = 0;

	memset(kind, 0, (WS_KINDS + 1) * sizeof *kind);
	if (status)
		return status;
	ws_sim_seed(sim, seed);
	for (size_t i = 0; i < launches && !status; i++) {
		if (kernel && strcmp(kernel, s[i].kernel) != 0) {
			status = push_uncounted(sim, &s[i], &c, err);
			continue;
		}
		found++;
		warm += s[i].warm;
		status = push_launch(sim, &s[i], &c, err);
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

/* ---- TLBs ------------------------------------------------------------------------------ */

static void count_pages(struct ws_tlb *tlb, const struct ws_stream *misses,
			struct ws_tlb_counts *out)
{
	ws_tlb_flush(tlb);
	for (size_t i = 0; i < misses->count; i++) {
		unsigned missed = ws_tlb_ask(tlb, misses->request[i].address);

		out->requests++;
		for (unsigned k = 0; k < missed; k++)
			out->misses[k]++;
	}
}

static enum ws_status translate_launch(const struct ws_streams *s, struct ws_sim *sim,
				       struct ws_miss_stream *misses, struct ws_tlb *tlb,
				       struct ws_tlb_counts *out, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t sm = 0; sm < s->sms && status == WS_OK; sm++) {
		misses->stream.count = 0;
		status = ws_sim_push_stream(sim, s, sm, err);
		if (status == WS_OK && misses->failed)
			status = ws_fail_memory(err, "what an L1 asks its TLB");
		if (status == WS_OK)
			count_pages(tlb, &misses->stream, out);
	}
	return status;
}

enum ws_status ws_simulate_tlbs(const struct ws_streams *s, size_t launches, const char *kernel,
				const struct ws_machine *m, uint64_t seed,
				struct ws_tlb_counts *out, struct ws_err *err)
{
	struct ws_miss_stream misses = { .line = m->l1.line_bytes, .from_line = m->l1.line_bytes };
	struct ws_tlb *tlb = NULL;
	struct ws_sim *sim = NULL;
	enum ws_status status = WS_OK;

	*out = (struct ws_tlb_counts){ 0 };
	if (!m->tlb[0].runs || ws_organisation_of(&m->l1)->sub_sectors)
		return WS_OK;
	status = ws_tlb_new(&tlb, m, err);
	if (status == WS_OK)
		status = ws_sim_new(&sim, &m->l1, err);
	if (status == WS_OK) {
		ws_sim_seed(sim, seed);
		status = ws_sim_pass(sim, &misses, err);
	}
	for (size_t i = 0; i < launches && status == WS_OK; i++)
		if (!kernel || strcmp(kernel, s[i].kernel) == 0)
			status = translate_launch(&s[i], sim, &misses, tlb, out, err);
	free(misses.stream.request);
	ws_sim_free(sim);
	ws_tlb_free(tlb);
	return status;
}
