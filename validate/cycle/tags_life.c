/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/tags_life.c -- tags of one cache made, resized, emptied and freed.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "validate/cycle/tags.h"
#include "validate/sim/sim.h"

static struct ws_tag_grain grain_make(uint64_t bytes, uint64_t line_bytes)
{
	uint64_t group = bytes < line_bytes ? bytes : line_bytes;
	struct ws_tag_grain g = { .sectors = (unsigned)(group / WS_SECTOR_BYTES) };

	g.all = UINT32_MAX >> (32 - g.sectors);
	for (uint64_t at = 0; at < line_bytes; at += group)
		g.low |= 1u << at / WS_SECTOR_BYTES;
	return g;
}

static enum ws_status check_cache(const struct ws_cache *c, const struct ws_use *use,
				  struct ws_err *err)
{
	if (c->ways < 1 || c->ways > WS_SIM_WAYS_MAX || c->sets < 1
	    || c->sets > WS_SIM_LINES_MAX / c->ways)
		return ws_fail(err, WS_EINVAL, "a cache of %" PRIu64 " sets of %" PRIu64
			       " ways: want 1..%u ways, and 1..%llu lines", c->sets, c->ways,
			       WS_SIM_WAYS_MAX, WS_SIM_LINES_MAX);
	if (c->line_bytes < WS_SECTOR_BYTES || c->line_bytes > WS_LINE_MAX
	    || !ws_is_pow2(c->line_bytes) || !ws_is_pow2(c->sector_bytes)
	    || c->sector_bytes < WS_SECTOR_BYTES || c->sector_bytes > c->line_bytes)
		return ws_fail(err, WS_EINVAL, "a line of %" PRIu64 " bytes in sectors of %" PRIu64
			       ": want powers of two from %u, the line's at most %u",
			       c->line_bytes, c->sector_bytes, WS_SECTOR_BYTES, WS_LINE_MAX);
	if (c->mshr_entries < 1 || c->mshr_merge < 1)
		return ws_fail(err, WS_EINVAL, "a cache of %" PRIu64 " MSHRs of %" PRIu64
			       " requests: want 1 or more", c->mshr_entries, c->mshr_merge);
	if (!use->policy->victim || use->policy->offline)
		return ws_fail(err, WS_EINVAL, "policy %s needs to know what comes: it cannot be"
			       " simulated cycle by cycle", use->policy->name);
	return use->policy->check ? use->policy->check(use, c, err) : WS_OK;
}

static void make_view(struct ws_tags *t)
{
	t->view = (struct ws_set){
		.shared = t->state.shared, .table = t->state.table,
		.ways = (unsigned)t->cache.ways, .sets = t->cache.sets, .rng = &t->rng,
		.use = &t->use,
	};
}

static enum ws_status allocate_tags(struct ws_tags *t, struct ws_err *err)
{
	size_t sets = (size_t)t->cache.sets, ways = (size_t)t->cache.ways;
	enum ws_status status;

	t->set = ws_alloc_zero(sets, sizeof *t->set);
	t->slot = ws_alloc_zero(sets * ways, sizeof *t->slot);
	if (!t->set || !t->slot || !ws_cache_set_ways(&t->cache, &t->ways))
		return ws_fail_memory(err, "the tags of a cache");
	status = ws_policy_state_new(&t->state, t->policy, sets, ways, err);
	if (status == WS_OK && (!ws_policy_kept_new(&t->queue, &t->state) ||
				!ws_policy_kept_new(&t->search, &t->state)))
		status = ws_fail_memory(err, "the tags of a cache");
	make_view(t);
	return status;
}

static void release(struct ws_tags *t)
{
	free(t->set);
	free(t->slot);
	free(t->written);
	free(t->partial);
	free(t->ways);
	ws_policy_state_clear(&t->state);
	ws_policy_kept_clear(&t->queue);
	ws_policy_kept_clear(&t->search);
	t->set = NULL;
	t->slot = t->ways = t->written = t->partial = NULL;
	t->partials = t->partial_cap = t->written_cap = 0;
}

static enum ws_status setup(struct ws_tags *t, uint64_t piece_bytes, struct ws_err *err)
{
	const struct ws_cache *c = &t->cache;

	t->on_fill = c->alloc == WS_ALLOC_ON_FILL;
	t->kinds = t->on_fill ? WS_ATOMIC : WS_KINDS;
	t->store = ws_store_act(c->write);
	t->through = ws_writes_through(c->write);
	t->line_mask = UINT32_MAX >> (32 - c->line_bytes / WS_SECTOR_BYTES);
	t->sector = grain_make(c->sector_bytes, c->line_bytes);
	t->piece = grain_make(piece_bytes, c->line_bytes);
	t->pieces_most = ws_tag_pieces(t, t->line_mask);
	return allocate_tags(t, err);
}

enum ws_status ws_tags_new(struct ws_tags **out, const struct ws_cache *cache,
			   const struct ws_use *use, uint64_t sets, uint64_t piece_bytes,
			   uint64_t seed, struct ws_err *err)
{
	struct ws_cache own = *cache;
	enum ws_status status;
	struct ws_tags *t;

	*out = NULL;
	own.sets = sets;
	status = check_cache(&own, use, err);
	if (status != WS_OK)
		return status;
	if (!ws_is_pow2(piece_bytes) || piece_bytes < WS_SECTOR_BYTES)
		return ws_fail(err, WS_EINVAL, "packets of %" PRIu64 " bytes: want a power of two "
			       "from %u", piece_bytes, WS_SECTOR_BYTES);
	t = ws_alloc_zero(1, sizeof *t);
	if (!t)
		return ws_fail_memory(err, "the tags of a cache");
	t->cache = own;
	t->use = *use;
	t->policy = use->policy;
	ws_rng_seed(&t->rng, seed);
	status = setup(t, piece_bytes, err);
	if (status != WS_OK)
		ws_tags_free(t);
	else
		*out = t;
	return status;
}

enum ws_status ws_tags_resize(struct ws_tags *t, uint64_t ways, struct ws_err *err)
{
	struct ws_cache other = t->cache;
	enum ws_status status;

	if (ways == other.ways)
		return WS_OK;
	other.ways = ways;
	other.size_bytes = ways * other.sets * other.line_bytes;
	status = check_cache(&other, &t->use, err);
	if (status != WS_OK)
		return status;
	release(t);
	t->cache = other;
	return allocate_tags(t, err);
}

#ifndef NDEBUG
/* Of a record's MSHRs, the sectors that they bring; each of one. */
static uint32_t brought(const struct ws_tags *t, const struct ws_tag_line *line)
{
	uint32_t sectors = 0;

	for (uint32_t m = line->mshr; m != WS_NONE; m = t->mshrs.mshr[m].next) {
		assert(!(sectors & t->mshrs.mshr[m].fetch));
		sectors |= t->mshrs.mshr[m].fetch;
	}
	return sectors;
}

/* The invariants of tags.h. */
static void check_set(const struct ws_tags *t, size_t number)
{
	const struct ws_tag_set *set = t->set + number;
	uint32_t lines = 0, reserved = 0;

	for (size_t way = 0; way < t->cache.ways; way++) {
		uint32_t slot = t->slot[number * t->cache.ways + way];
		const struct ws_tag_line *line;

		assert(slot || way >= set->ways.search);
		if (!slot)
			continue;
		line = &t->lines.line[slot - 1];
		assert(slot <= t->lines.used && line->set == number && line->way == way);
		assert(!(line->valid & ~t->line_mask) && !(line->coming & ~t->line_mask));
		assert(t->on_fill || !(line->valid & line->coming));
		assert(brought(t, line) == line->coming);
		reserved += !t->on_fill && line->coming;
		lines++;
	}
	assert(lines == set->ways.valid && reserved == set->reserved);
	assert(lines == 0 || set->clock);
}
#endif

void ws_tags_flush(struct ws_tags *t)
{
	size_t ways = (size_t)t->cache.ways;

	for (size_t s = 0; s < t->cache.sets; s++) {
#ifndef NDEBUG
		check_set(t, s);
#endif
		if (!t->set[s].clock)
			continue;
		memset(&t->slot[s * ways], 0, ways * sizeof *t->slot);
		ws_policy_state_flush_set(&t->state, s);
		t->set[s] = (struct ws_tag_set){ 0 };
	}
	ws_policy_state_flush_shared(&t->state);
	t->modified = false;
	ws_tag_lines_flush(&t->lines);
	t->partials = 0;
	ws_mshrs_flush(&t->mshrs);
}

void ws_tags_free(struct ws_tags *t)
{
	if (!t)
		return;
	release(t);
	ws_tag_lines_clear(&t->lines);
	ws_mshrs_clear(&t->mshrs);
	free(t);
}
