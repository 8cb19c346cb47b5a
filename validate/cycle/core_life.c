/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/core_life.c -- the load-store unit of an SM: made, set up for a launch, read,
	 freed.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "validate/cycle/core.h"

static enum ws_status make_parts(struct ws_core *c, uint64_t seed, struct ws_err *err)
{
	const struct ws_machine *m = c->machine;
	enum ws_status status = WS_OK;

	c->parts = m->l1.ways ? (size_t)m->l1_parts : 0;
	c->part = ws_alloc_zero((size_t)m->l1_parts, sizeof *c->part);
	if (!c->part)
		return ws_fail_memory(err, "an SM");
	c->translates = m->tlb[0].runs > 0;
	c->direct = c->knows && c->wait && !c->translates;
	for (size_t i = 0; i < m->l1_parts && status == WS_OK; i++)
		status = ws_tlb_new(&c->part[i].tlb, m, err);
	for (size_t i = 0; i < c->parts && status == WS_OK; i++) {
		struct ws_core_l1 *p = &c->part[i];

		if (ws_organisation_of(&m->l1)->sub_sectors)
			status = ws_words_new(&p->words, &m->l1, c->use, m->l2.line_bytes, err);
		else
			status = ws_tags_new(&p->tags, &m->l1, c->use, m->l1.sets,
					     m->l2.line_bytes, seed, err);
	}
	return status;
}

static bool make_banks(struct ws_core *c)
{
	size_t banks = (size_t)c->machine->l1_banks;

	if (!c->wait)
		return true;
	c->bank = ws_alloc_zero(banks, sizeof *c->bank);
	for (size_t i = 0; c->bank && i < banks; i++) {
		c->bank[i].item = ws_alloc((size_t)c->wait, sizeof *c->bank[i].item);
		if (!c->bank[i].item)
			return false;
	}
	return c->bank != NULL;
}

enum ws_status ws_core_new(struct ws_core **out, const struct ws_machine *m,
			   const struct ws_use *use, uint64_t sm, uint64_t seed,
			   struct ws_err *err)
{
	struct ws_core *c = ws_alloc_zero(1, sizeof *c);
	enum ws_status status;

	*out = NULL;
	if (!c)
		return ws_fail_memory(err, "an SM");
	c->machine = m;
	c->cache = m->l1;
	c->use = use;
	c->sm = (uint16_t)sm;
	c->wait = m->l1_lookup_cycles;
	c->router = m->icnt_queues == WS_QUEUES_ROUTER;
	ws_core_pipeline(c, NULL);
	c->network = ws_icnt_cycles(m);
	c->bank_bits = ws_log2(m->l1_banks_bytes ? m->l1_banks_bytes : m->l1.line_bytes);
	c->acknowledged = m->sm_stores == WS_STORES_ACKNOWLEDGED;
	c->knows = m->profile == WS_BEHAVES_GPGPUSIM;
	c->turns = m->sm_lsu_ops > 1 && m->sm_lsu_order == WS_LSU_TURNS;
	c->singly = c->turns || c->wait;
	c->op = ws_alloc_zero((size_t)m->sm_lsu_ops, sizeof *c->op);
	status = c->op && make_banks(c) ? make_parts(c, seed, err)
					: ws_fail_memory(err, "a load-store unit");
	if (status != WS_OK)
		ws_core_free(c);
	else
		*out = c;
	return status;
}

enum ws_status ws_core_fit(struct ws_core *c, const struct ws_cache *l1, struct ws_err *err)
{
	bool other = l1->ways != c->cache.ways;
	enum ws_status status = WS_OK;

	c->cache.ways = l1->ways;
	c->cache.size_bytes = l1->size_bytes;
	for (size_t i = 0; i < c->parts && status == WS_OK; i++) {
		struct ws_core_l1 *p = &c->part[i];

		if (!p->words) {
			status = ws_tags_resize(p->tags, l1->ways, err);
		} else if (other) {
			ws_words_free(p->words);
			p->words = NULL;
			status = ws_words_new(&p->words, &c->cache, c->use,
					      c->machine->l2.line_bytes, err);
		}
	}
	return status;
}

void ws_core_pipeline(struct ws_core *c, const struct ws_pipeline *p)
{
	const struct ws_machine *m = c->machine;
	uint64_t before;

	c->entry = p ? ws_pipeline_front(p) : 0;
	c->port = p && ws_pipeline_has_port(m);
	before = c->wait + c->entry;
	c->latency = m->l1.latency_cycles > before ? m->l1.latency_cycles - before : 0;
	c->ops = p ? 1 : (size_t)m->sm_lsu_ops;
}

void ws_core_past(struct ws_core *c, const bool *past)
{
	c->past = past;
}

void ws_core_launch(struct ws_core *c, struct ws_core_stats *stats, struct ws_site_table *sites,
		    struct ws_stream *accepted)
{
	for (size_t i = 0; i < c->parts; i++) {
		c->part[i].helds = c->part[i].freed_first = c->part[i].kept = 0;
		if (c->part[i].words)
			ws_words_launch(c->part[i].words);
		else
			ws_tags_flush(c->part[i].tags);
	}
	for (size_t i = 0; i < c->machine->l1_parts && c->translates; i++)
		ws_tlb_flush(c->part[i].tlb);
	c->stats = stats;
	c->sites = sites;
	c->accepted = accepted;
	c->gone = 0;
	c->held = c->front = c->piped = 0;
	for (size_t i = 0; c->bank && i < c->machine->l1_banks; i++)
		c->bank[i].count = c->bank[i].head = 0;
	c->stuck = false;
	c->loads_used = c->loads_free = 0;
	c->in_flight = c->counted = 0;
	c->send_free = c->receive_free = c->serve_free = 0;
	c->credit = c->machine->icnt_credits;
	ws_packets_empty(&c->queue);
	ws_packets_empty(&c->sent);
	ws_packets_empty(&c->replies);
	for (unsigned i = 0; i < 2; i++)
		ws_packets_empty(&c->walk[i]);
	c->credits_coming = 0;
	c->credits_first = UINT64_MAX;
	c->lsu.due = UINT64_MAX;
	c->lsu.free = 0;
	ws_core_drive(c);
}

size_t ws_core_shared(const struct ws_core *c, uint64_t **shared)
{
	size_t n = 0;

	for (size_t i = 0; i < c->parts; i++)
		if (c->part[i].tags)
			shared[n++] = ws_tags_shared(c->part[i].tags);
	return n;
}

size_t ws_core_known(const struct ws_core *c, size_t known)
{
	const struct ws_stream *s = c->accepted;

	while (known < s->count && s->request[known].fetch != WS_FETCH_COMING)
		known++;
	return known;
}

void ws_core_take(struct ws_core *c, size_t count)
{
	struct ws_stream *s = c->accepted;

	assert(count && count <= s->count);
	c->gone += count;
	s->count -= count;
	memmove(s->request, s->request + count, s->count * sizeof *s->request);
}

void ws_core_end(struct ws_core *c)
{
	struct ws_grain_stats one;

	for (size_t i = 0; i < c->parts && c->part[i].words; i++) {
		ws_words_stats(c->part[i].words, &one);
		ws_grain_stats_add(&c->stats->grain, &one);
	}
}

void ws_core_free(struct ws_core *c)
{
	if (!c)
		return;
	for (size_t i = 0; c->part && i < c->machine->l1_parts; i++) {
		ws_tlb_free(c->part[i].tlb);
		ws_tags_free(c->part[i].tags);
		ws_words_free(c->part[i].words);
		free(c->part[i].coming);
		free(c->part[i].freed);
	}
	free(c->part);
	for (uint64_t i = 0; c->op && i < c->machine->sm_lsu_ops; i++) {
		free(c->op[i].request);
		free(c->op[i].written);
	}
	free(c->op);
	for (uint64_t i = 0; c->bank && i < c->machine->l1_banks; i++)
		free(c->bank[i].item);
	free(c->bank);
	free(c->loads);
	ws_packets_clear(&c->queue);
	ws_packets_clear(&c->sent);
	ws_packets_clear(&c->replies);
	for (unsigned i = 0; i < 2; i++)
		ws_packets_clear(&c->walk[i]);
	free(c->credits);
	ws_front_forget(c->lsu.kept);
	free(c);
}
