/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/grain/grain.c -- requests to a cache with sub-sectors, and what its kinds share: the
 * fully associative and the infinite cache that classify misses (grain.h).
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "validate/grain/parts.h"

#define WORDS_MAX (1ull << 28)	/* of the whole cache; 100 B each at most */

/* ---- the fully associative cache ----------------------------------------------------- */

static void full_unlink(struct ws_grain *g, uint32_t number)
{
	struct ws_sim_line *w = ws_grain_word(g, number);

	*(w->newer == WS_NOWHERE ? &g->newest : &ws_grain_word(g, w->newer)->older) = w->older;
	*(w->older == WS_NOWHERE ? &g->oldest : &ws_grain_word(g, w->older)->newer) = w->newer;
	w->newer = w->older = WS_NOWHERE;
}

static void full_remove(struct ws_grain *g, uint32_t number)
{
	full_unlink(g, number);
	ws_grain_word(g, number)->full_valid = 0;
	g->resident--;
}

static void full_use(struct ws_grain *g, uint32_t number)
{
	struct ws_sim_line *w = ws_grain_word(g, number);

	if (w->full_valid) {
		full_unlink(g, number);
	} else {
		if (g->resident == g->places)
			full_remove(g, g->oldest);
		g->resident++;
		w->full_valid = 1;
	}
	w->older = g->newest;
	*(g->newest == WS_NOWHERE ? &g->oldest : &ws_grain_word(g, g->newest)->newer) = number;
	g->newest = number;
}

static void full_access(struct ws_grain *g, const struct ws_grain_ask *a)
{
	bool miss = false;

	for (unsigned w = 0; w < g->line_words; w++)
		miss |= a->need >> w & 1 && !ws_grain_word(g, a->number[w])->full_valid;
	for (unsigned w = 0; w < g->line_words; w++) {
		bool valid;

		if (!(a->block >> w & 1))
			continue;
		valid = ws_grain_word(g, a->number[w])->full_valid;
		if (a->action == WS_ACT_EVICT && valid)
			full_remove(g, a->number[w]);
		else if (a->action != WS_ACT_EVICT &&
			 (valid || (miss && a->action == WS_ACT_FETCH)))
			full_use(g, a->number[w]);
	}
}

static void infinite_access(struct ws_grain *g, const struct ws_grain_ask *a)
{
	for (unsigned w = 0; w < g->line_words; w++) {
		struct ws_sim_line *word;

		if (!(a->block >> w & 1))
			continue;
		word = ws_grain_word(g, a->number[w]);
		if (a->action == WS_ACT_EVICT)
			word->kept = 0;
		else if (a->action == WS_ACT_FETCH && !a->hit)
			word->kept = word->ever = 1;
	}
}

/* ---- a request ------------------------------------------------------------------------- */

/* By what the caches hold before it. */
static void count_ask(struct ws_grain *g, const struct ws_grain_ask *a, struct ws_counts *c)
{
	bool kept = true, ever = true, full = true;

	c->requests++;
	if (a->hit) {
		c->hits++;
		return;
	}
	for (unsigned w = 0; w < g->line_words; w++) {
		const struct ws_sim_line *word;

		if (!(a->need >> w & 1))
			continue;
		word = ws_grain_word(g, a->number[w]);
		kept &= word->kept;
		ever &= word->ever;
		full &= word->full_valid;
	}
	assert(a->need);
	c->misses++;
	if (!kept && !ever && a->action == WS_ACT_FETCH)
		c->cold++;
	else if (!kept)
		c->uncached++;
	else if (!full)
		c->capacity++;
	else
		c->conflict++;
}

/* The words asked for, and those that go with them under the grain. */
static void blocks(const struct ws_grain *g, const struct ws_request *r, struct ws_grain_ask *a)
{
	unsigned grain = g->control.grain;

	if (ws_grain_decoupled(g)) {
		a->need = r->sectors;
		a->block = a->action == WS_ACT_EVICT ? UINT32_MAX >> (32 - g->line_words)
						       : a->need;
		return;
	}
	a->need = a->block = ws_request_block(r->sectors);
	for (unsigned first = 0; first < WS_GRAIN_WORDS; first += grain) {
		uint32_t chunk = ((1u << grain) - 1) << first;

		assert(grain && WS_GRAIN_WORDS % grain == 0);
		if (a->need & chunk)
			a->block |= chunk;
	}
}

static enum ws_status find_grain(struct ws_grain *g, struct ws_grain_ask *a, struct ws_err *err)
{
	uint64_t set = ws_set_index(&g->cache, a->address);

	if (set >= g->cache.sets)
		return ws_fail(err, WS_EINVAL, "set-index function gives set %" PRIu64 ": want 0..%"
			       PRIu64, set, g->cache.sets - 1);
	a->set = (uint32_t)set;
	for (unsigned w = 0; w < g->line_words; w++) {
		enum ws_status status;
		bool fresh;

		if (!(a->block >> w & 1))
			continue;
		status = ws_directory_find(&g->directory, a->address + w * WS_SECTOR_BYTES,
					   &a->number[w], &fresh, err);
		if (status != WS_OK)
			return status;
	}
	return WS_OK;
}

void ws_grain_account(struct ws_grain *g, const struct ws_grain_ask *a)
{
	unsigned before = g->control.grain;
	unsigned size = ws_log2((uint64_t)__builtin_popcount(a->need));

	assert(a->need && (a->need & a->block) == a->need);
	if (ws_grain_decoupled(g))
		return;
	g->stats.size[size]++;
	if (!g->dynamic || !ws_grain_take(&g->control, size, !a->hit))
		return;
	if (g->control.grain > before) {
		g->stats.coarser++;
		ws_chunks_coarsen(g);
	} else {
		g->stats.finer++;
	}
}

enum ws_status ws_grain_look_up(struct ws_grain *g, struct ws_grain_ask *a,
				const struct ws_request *r, struct ws_err *err)
{
	enum ws_status status;

	a->address = r->address;
	a->action = r->kind == WS_STORE ? g->store : WS_ACT_FETCH;
	a->dirty = r->kind == WS_STORE && !ws_writes_through(g->cache.write);
	blocks(g, r, a);
	status = find_grain(g, a, err);
	if (status == WS_OK)
		a->hit = ws_grain_decoupled(g) ? ws_decoupled_hit(g, a) : ws_chunks_hit(g, a);
	if (status == WS_OK && ws_grain_decoupled(g))
		status = ws_decoupled_look_up(g, a, err);
	return status;
}

void ws_grain_access(struct ws_grain *g, const struct ws_grain_ask *a)
{
	g->clock++;
	if (ws_grain_decoupled(g))
		ws_decoupled_access(g, a);
	else
		ws_chunks_access(g, a);
}

enum ws_status ws_grain_request(struct ws_grain *g, const struct ws_request *r,
				struct ws_counts *c, struct ws_err *err)
{
	struct ws_grain_ask a;
	enum ws_status status = ws_grain_look_up(g, &a, r, err);

	if (status != WS_OK)
		return status;
	count_ask(g, &a, c);
	infinite_access(g, &a);
	full_access(g, &a);
	ws_grain_access(g, &a);
	ws_grain_account(g, &a);
	return WS_OK;
}

/* ---- life -------------------------------------------------------------------------------- */

static void start_grain(struct ws_grain *g)
{
	ws_grain_start(&g->control, &g->cache);
	if (!g->dynamic && !g->decoupled)
		g->control.grain = g->cache.organised.parameter / WS_SECTOR_BYTES;
	g->newest = g->oldest = WS_NOWHERE;
	g->resident = 0;
}

static enum ws_status chunk_check(const struct ws_cache *c, struct ws_err *err)
{
	const struct ws_organisation *organisation = ws_organisation_of(c);

	if (!organisation->chunks)
		return WS_OK;
	if (c->line_bytes != WS_GRAIN_LINE)
		return ws_fail(err, WS_EINVAL, "chunks of a line of %" PRIu64 " bytes: want %u",
			       c->line_bytes, WS_GRAIN_LINE);
	if (c->chunk_tag_bits < 2 || c->chunk_tag_bits > 40)
		return ws_fail(err, WS_EINVAL, "a chunk tag of %" PRIu64 " bits: want 2..40",
			       c->chunk_tag_bits);
	if (organisation->dynamic && c->grain_period < 1)
		return ws_fail(err, WS_EINVAL, "decisions every 0 requests: want 1 or more");
	return WS_OK;
}

static enum ws_status setup(struct ws_grain *g, struct ws_err *err)
{
	const struct ws_cache *c = &g->cache;
	uint64_t ways = c->sets * c->ways;

	g->decoupled = !ws_organisation_of(c)->chunks;
	g->dynamic = ws_organisation_of(c)->dynamic;
	g->store = ws_store_act(c->write);
	g->line_words = (uint32_t)(c->line_bytes / WS_SECTOR_BYTES);
	if (ways > WORDS_MAX / g->line_words)
		return ws_fail(err, WS_EINVAL, "a cache of %" PRIu64 " lines of %u sectors: want "
			       "%llu sectors at most", ways, g->line_words, WORDS_MAX);
	g->places = (size_t)ways * g->line_words;
	g->tags = (uint32_t)c->ways;
	if (ws_grain_decoupled(g) && ways > WORDS_MAX / c->organised.parameter)
		return ws_fail(err, WS_EINVAL, "a cache of %" PRIu64 " lines with %u tags each: "
			       "want %llu tags at most", ways, c->organised.parameter, WORDS_MAX);
	g->tags *= ws_grain_decoupled(g) ? (uint32_t)c->organised.parameter : 1;
	g->lines = (size_t)c->sets * g->tags;
	g->place = ws_alloc_zero(g->places, sizeof *g->place);
	g->line = ws_alloc_zero(g->lines, sizeof *g->line);
	start_grain(g);
	if (!g->place || !g->line)
		return ws_fail_memory(err, "a simulated cache");
	return ws_grain_decoupled(g) ? ws_decoupled_new(g, err) : WS_OK;
}

enum ws_status ws_grain_new(struct ws_grain **out, const struct ws_cache *cache, struct ws_err *err)
{
	enum ws_status status = chunk_check(cache, err);
	struct ws_grain *g;

	*out = NULL;
	if (status != WS_OK)
		return status;
	g = ws_alloc_zero(1, sizeof *g);
	if (!g)
		return ws_fail_memory(err, "a simulated cache");
	g->cache = *cache;
	status = setup(g, err);
	if (status != WS_OK)
		ws_grain_free(g);
	else
		*out = g;
	return status;
}

void ws_grain_flush(struct ws_grain *g)
{
	for (size_t i = 0; i < g->directory.lines; i++) {
		uint32_t at = g->directory.line[i].slot;
		uint32_t tag;

		if (at == WS_NOWHERE)
			continue;
		tag = (uint32_t)(at / ((size_t)g->cache.ways * g->line_words)) * g->tags;
		tag += ws_grain_decoupled(g) ? g->place[at].tag : at / g->line_words % g->tags;
		if (ws_grain_decoupled(g))
			ws_decoupled_forget(g, at);
		g->line[tag] = (struct ws_grain_line){ 0 };
		g->place[at] = (struct ws_grain_place){ 0 };
	}
	ws_directory_flush(&g->directory);
	ws_directory_flush(&g->names);
	start_grain(g);
}

void ws_grain_stats(const struct ws_grain *g, struct ws_grain_stats *out)
{
	*out = g->stats;
}

unsigned ws_grain_now(const struct ws_grain *g)
{
	return ws_grain_decoupled(g) ? 0 : g->control.grain * WS_SECTOR_BYTES;
}

void ws_grain_free(struct ws_grain *g)
{
	if (!g)
		return;
	free(g->place);
	free(g->line);
	ws_decoupled_free(g);
	ws_directory_clear(&g->directory);
	free(g);
}
