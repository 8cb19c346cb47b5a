/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/sim/simulate.c -- runs the streams of a trace through a simulated cache.
 */
#include <stdlib.h>
#include <string.h>

#include "validate/sim/miss_stream.h"
#include "validate/sim/sim.h"
#include "validate/sim/tlb.h"

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
				  struct ws_err *err)
{
	if (launch->keeps && ws_sim_offline(sim))
		return ws_fail(err, WS_EINVAL, "l2.start = keep: an offline policy needs to know "
			       "what comes, up to the last launch; want another start or policy");
	return ws_sim_push_launch(sim, launch, NULL, NULL, err);
}

/* Of another kernel, whose launch leaves something in the cache. */
static enum ws_status push_uncounted(struct ws_sim *sim, const struct ws_streams *launch,
				     struct ws_err *err)
{
	struct ws_counts kind[WS_KINDS + 1];
	enum ws_status status;

	if (!launch->keeps)
		return WS_OK;
	ws_sim_counts(sim, kind);
	status = push_launch(sim, launch, err);
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
	enum ws_status status = ws_sim_new(&sim, cache, err);
	size_t found = 0;
	uint64_t warm = 0;

	memset(kind, 0, (WS_KINDS + 1) * sizeof *kind);
	if (status != WS_OK)
		return status;
	ws_sim_seed(sim, seed);
	for (size_t i = 0; i < launches && status == WS_OK; i++) {
		if (kernel && strcmp(kernel, s[i].kernel) != 0) {
			status = push_uncounted(sim, &s[i], err);
			continue;
		}
		found++;
		warm += s[i].warm;
		status = push_launch(sim, &s[i], err);
	}
	if (status == WS_OK && kernel && !found)
		status = ws_fail(err, WS_EINVAL, "kernel %s: none of the %zu launches simulated is"
				 " of it", kernel, launches);
	if (status == WS_OK) {
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

struct translated {
	struct ws_miss_stream *misses;
	struct ws_tlb *tlb;
	struct ws_tlb_counts *out;
};

static enum ws_status translate(void *context, size_t sm, struct ws_err *err)
{
	struct translated *t = context;

	(void)sm;
	if (t->misses->failed)
		return ws_fail_memory(err, "what an L1 asks its TLB");
	count_pages(t->tlb, &t->misses->stream, t->out);
	t->misses->stream.count = 0;
	return WS_OK;
}

enum ws_status ws_simulate_tlbs(const struct ws_streams *s, size_t launches, const char *kernel,
				const struct ws_machine *m, uint64_t seed,
				struct ws_tlb_counts *out, struct ws_err *err)
{
	struct ws_miss_stream misses = { .line = m->l1.line_bytes, .from_line = m->l1.line_bytes };
	struct ws_tlb *tlb = NULL;
	struct ws_sim *sim = NULL;
	struct translated t = { .misses = &misses, .out = out };
	enum ws_status status = WS_OK;

	*out = (struct ws_tlb_counts){ 0 };
	if (!m->tlb[0].runs || ws_organisation_of(&m->l1)->sub_sectors)
		return WS_OK;
	status = ws_tlb_new(&tlb, m, err);
	t.tlb = tlb;
	if (status == WS_OK)
		status = ws_sim_new(&sim, &m->l1, err);
	if (status == WS_OK) {
		ws_sim_seed(sim, seed);
		status = ws_sim_pass(sim, &misses, err);
	}
	for (size_t i = 0; i < launches && status == WS_OK; i++)
		if (!kernel || strcmp(kernel, s[i].kernel) == 0)
			status = ws_sim_push_launch(sim, &s[i], translate, &t, err);
	free(misses.stream.request);
	ws_sim_free(sim);
	ws_tlb_free(tlb);
	return status;
}
