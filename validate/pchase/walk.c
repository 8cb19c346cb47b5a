/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/walk.c -- what a machine answers to a walk over an array, predicted.
 *
 * LRU: of lines that are walked round and round a set keeps all, if they are no more than its ways,
 * and none that is asked for again, if they are more.  So the loads of the L1 that miss follow from
 * the lines of each set.  The L2 gets all of the first pass and what misses of the second: between
 * the two loads of a line lie, in its set, those behind it in the first pass and those before it
 * that miss in the second.  Everything else is simulated.
 */
#include "validate/pchase.h"
#include "validate/sim/tlb.h"

#include <inttypes.h>
#include <stdlib.h>

#define LOADS_MOST (1ull << 26)

struct walked_set {
	uint64_t ways;
	uint64_t lines;		/* of the whole pass */
	uint64_t seen;		/* of them those before the load at hand */
	uint64_t missed;	/* of those the ones that the L1 asked for again */
};

struct walked_cache {
	const struct ws_cache *cache;
	struct walked_set *set;
	uint64_t line, sector;	/* of the load before; UINT64_MAX: none */
	bool kept;		/* L2: its line was kept from the first pass */
	bool asked;		/* L2: the L1 asked for the line */
};

static enum ws_status walked_open(struct walked_cache *w, const struct ws_cache *cache,
				  struct ws_err *err)
{
	uint32_t *ways;

	*w = (struct walked_cache){ .cache = cache, .line = UINT64_MAX, .sector = UINT64_MAX };
	w->set = ws_alloc_zero((size_t)cache->sets, sizeof *w->set);
	if (!w->set || !ws_cache_set_ways(cache, &ways))
		return ws_fail_memory(err, "the sets");
	for (size_t i = 0; i < cache->sets; i++)
		w->set[i].ways = ways ? ways[i] : cache->ways;
	free(ways);
	return WS_OK;
}

/* Does the L1 have what the load before brought?  Then nothing behind it learns of this one. */
static bool just_brought(const struct ws_machine *m, uint64_t at, uint64_t stride, uint64_t i)
{
	return i && m->l1.size_bytes &&
		at / m->l1.sector_bytes == (at - stride) / m->l1.sector_bytes;
}

/* behind: of the loads that go past the L1 of *m; NULL: of all. */
static void count_lines(struct walked_cache *w, uint64_t pass, const struct ws_chase_point *walk,
			const struct ws_machine *behind)
{
	uint64_t last = UINT64_MAX;

	for (uint64_t i = 0; i < pass; i++) {
		uint64_t at = walk->base + i * walk->stride, line = at / w->cache->line_bytes;

		if (behind && just_brought(behind, at, walk->stride, i))
			continue;
		if (line != last)
			w->set[ws_set_index(w->cache, at)].lines++;
		last = line;
	}
}

/* Whether the load misses in the second pass; in order. */
static bool l1_misses(struct walked_cache *w, uint64_t address)
{
	uint64_t sector = address / w->cache->sector_bytes;
	bool fresh = sector != w->sector;
	const struct walked_set *set;

	w->sector = sector;
	set = &w->set[ws_set_index(w->cache, address)];
	return fresh && set->lines > set->ways;
}

/* The same of the L2; all loads of the pass in order, `asked` are those that miss in the L1. */
static bool l2_misses(struct walked_cache *w, uint64_t address, bool asked)
{
	uint64_t line = address / w->cache->line_bytes, sector = address / w->cache->sector_bytes;
	struct walked_set *set = &w->set[ws_set_index(w->cache, address)];
	bool fresh = sector != w->sector;

	if (line != w->line) {
		w->line = line;
		w->asked = false;
		set->seen++;
	}
	if (!asked)
		return false;
	if (!w->asked) {
		w->kept = set->lines - set->seen + set->missed < set->ways;
		w->asked = true;
		set->missed++;
	}
	w->sector = sector;
	return fresh && !w->kept;
}

struct walk_counts {
	uint64_t loads, l1, l2;	/* misses */
	uint64_t pages, rows;	/* in which no load was before */
};

static enum ws_status derive_fresh(struct walk_counts *n, const struct ws_machine *m,
				   uint64_t stride, struct ws_err *err)
{
	uint64_t *row = ws_alloc_zero((size_t)ws_dram_channels(m), sizeof *row), channel, mine;

	if (!row)
		return ws_fail_memory(err, "the channels");
	if (m->dram_row) {
		mine = ws_dram_row(m, 0, &channel) + 1;
		row[channel] = mine;
	}
	for (uint64_t i = 1; i <= n->loads; i++) {
		uint64_t at = i * stride, before = at - stride;
		bool l1 = !m->l1.size_bytes ||
			at / m->l1.sector_bytes != before / m->l1.sector_bytes;

		n->l1 += l1;
		n->pages += at / m->tlb_page != before / m->tlb_page;
		if (!l1 || at / m->l2.sector_bytes == before / m->l2.sector_bytes)
			continue;
		n->l2++;
		if (m->dram_row) {
			mine = ws_dram_row(m, at, &channel) + 1;
			n->rows += row[channel] != mine;
			row[channel] = mine;
		}
	}
	free(row);
	return WS_OK;
}

static enum ws_status derive(struct walk_counts *n, const struct ws_machine *m,
			     const struct ws_chase_point *walk, uint64_t pass, struct ws_err *err)
{
	struct ws_cache whole = ws_l2_whole(m);
	struct walked_cache l1 = { 0 }, l2 = { 0 };
	enum ws_status status = walked_open(&l1, &m->l1, err);

	if (status == WS_OK)
		status = walked_open(&l2, &whole, err);
	if (status == WS_OK && m->l1.size_bytes)
		count_lines(&l1, pass, walk, NULL);
	if (status == WS_OK)
		count_lines(&l2, pass, walk, m);
	for (uint64_t i = 0; i < n->loads && status == WS_OK; i++) {
		uint64_t at = walk->base + i * walk->stride;
		bool miss;

		if (just_brought(m, at, walk->stride, i))
			continue;
		miss = !m->l1.size_bytes || l1_misses(&l1, at);
		n->l1 += miss;
		n->l2 += l2_misses(&l2, at, miss);
	}
	free(l1.set);
	free(l2.set);
	return status;
}

/* ---- by simulation ------------------------------------------------------------------- */

static enum ws_status simulate_misses(struct walk_counts *n, const struct ws_cache *cache,
				      const struct ws_chase_point *walk, uint64_t pass,
				      uint64_t seed, struct ws_err *err)
{
	struct ws_counts kind[WS_KINDS + 1];
	struct ws_sim *sim;
	uint64_t before = 0;
	enum ws_status status = ws_sim_new(&sim, cache, err);

	if (status != WS_OK)
		return status;
	ws_sim_seed(sim, seed + 1);
	for (uint64_t i = 0; i < pass + n->loads && status == WS_OK; i++) {
		uint64_t at = walk->base + i % pass * walk->stride, offset = at % cache->line_bytes;
		struct ws_request r = {
			.address = at - offset, .cycle = i, .kind = WS_LOAD,
			.sectors = 1u << offset / WS_SECTOR_BYTES,
		};

		if (i == pass) {
			ws_sim_counts(sim, kind);
			before = kind[WS_KINDS].misses;
		}
		status = ws_sim_push(sim, &r, 1, err);
	}
	ws_sim_counts(sim, kind);
	n->l1 = kind[WS_KINDS].misses - before;
	ws_sim_free(sim);
	return status;
}

static enum ws_status simulate_cycles(double *mean, const struct ws_machine *m,
				      const struct ws_chase_point *walk, uint64_t pass,
				      uint64_t loads, uint64_t seed, struct ws_err *err)
{
	struct ws_chase_noise quiet = { .seed = seed };
	struct ws_chase_target target = { 0 };
	uint64_t count = pass + loads;
	uint64_t *offset = ws_alloc((size_t)count, sizeof *offset);
	double *cycles = ws_alloc((size_t)count, sizeof *cycles), sum = 0;
	enum ws_status status = offset && cycles ? ws_chase_machine(&target, m, &quiet, err)
		: ws_fail_memory(err, "the loads");

	for (uint64_t i = 0; i < count && status == WS_OK; i++)
		offset[i] = walk->base + i % pass * walk->stride;
	if (status == WS_OK)
		status = target.run(target.state, offset, (size_t)count, true, cycles, err);
	for (uint64_t i = pass; i < count && status == WS_OK; i++)
		sum += cycles[i];
	*mean = sum / (double)loads;
	ws_chase_close(&target);
	free(offset);
	free(cycles);
	return status;
}

static enum ws_status simulate(struct ws_chase_answer *out, struct walk_counts *n,
			       const struct ws_machine *m, const struct ws_chase_point *walk,
			       uint64_t pass, uint64_t seed, struct ws_err *err)
{
	struct ws_cache l2 = ws_l2_whole(m);
	enum ws_status status = simulate_misses(n, m->l1.size_bytes ? &m->l1 : &l2, walk, pass,
						seed, err);

	out->basis = WS_SIMULATED;
	if (status != WS_OK)
		return status;
	return simulate_cycles(&out->cycles, m, walk, pass, n->loads, seed, err);
}

static bool derivable(const struct ws_machine *m)
{
	return !m->tlb[0].runs && !m->dram_row && ws_policy_as_lru(&m->l2) && (!m->l1.size_bytes ||
		(ws_policy_as_lru(&m->l1) && ws_organised_plainly(&m->l1)));
}

enum ws_status ws_chase_answer(struct ws_chase_answer *out, const struct ws_machine *m,
			       const struct ws_chase_point *walk, uint64_t seed, struct ws_err *err)
{
	uint64_t pass = walk->array ? (walk->array - 1) / walk->stride + 1 : 0;
	struct walk_counts n = { .loads = walk->loads ? walk->loads : pass ? pass : 1 };
	unsigned tlbs = m->tlb[1].runs ? 2 : m->tlb[0].runs > 0;
	enum ws_status status = WS_OK;

	*out = (struct ws_chase_answer){ .basis = WS_EXACT };
	if (pass > LOADS_MOST || n.loads > LOADS_MOST)
		return ws_fail(err, WS_EINVAL, "a walk over %" PRIu64 " bytes in steps of %" PRIu64
			       ": want at most %llu loads", walk->array, walk->stride, LOADS_MOST);
	if (!pass)
		status = derive_fresh(&n, m, walk->stride, err);
	else if (derivable(m) && n.loads <= pass)
		status = derive(&n, m, walk, pass, err);
	else
		status = simulate(out, &n, m, walk, pass, seed, err);
	if (status != WS_OK)
		return status;
	if (out->basis == WS_EXACT)
		out->cycles = (double)m->l1.latency_cycles +
			((double)n.l1 * (double)m->l2.latency_cycles +
			 (double)n.l2 * (double)m->dram_latency_cycles) / (double)n.loads;
	if (!pass)
		out->cycles += ((double)n.pages * (double)ws_tlb_cycles(m, tlbs) +
				(double)n.rows * (double)m->dram_row_miss_cycles) /
			(double)n.loads;
	if (!m->l1.size_bytes && out->basis == WS_EXACT)
		n.l1 = n.l2;
	out->miss_ratio = (double)n.l1 / (double)n.loads;
	return WS_OK;
}
