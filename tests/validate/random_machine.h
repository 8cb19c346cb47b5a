/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/random_machine.h -- machines of few small parts, with all that the cycle simulator
 * knows, drawn at random.
 */
#ifndef WS_TESTS_VALIDATE_RANDOM_MACHINE_H
#define WS_TESTS_VALIDATE_RANDOM_MACHINE_H

#include "tests/ref/set_ways.h"
#include "tests/validate/sides.h"

static inline bool chance(struct ws_rng *rng, uint64_t one_in)
{
	return ws_rng_below(rng, one_in) == 0;
}

static inline uint64_t between(struct ws_rng *rng, uint64_t low, uint64_t high)
{
	return low + ws_rng_below(rng, high - low + 1);
}

/* Mostly small, now and then far beyond need. */
static inline uint64_t limit(struct ws_rng *rng)
{
	return chance(rng, 3) ? 1000 : between(rng, 1, 6);
}

static inline void random_policy(struct ws_cache *c, struct ws_rng *rng)
{
	static const char *const more[] = { "lru", "srrip:3", "drrip:3", "random",
					    "select:lru/brrip,160,40", "select:nru/lfu/dip/20" };
	struct ws_use use;
	size_t n = 0, i;

	while (ws_policies[n])
		n++;
	i = ws_rng_below(rng, n + WS_COUNT(more));
	snprintf(c->policy, sizeof c->policy, "%s", i < n ? ws_policies[i]->name : more[i - n]);
	if (ws_use_parse(&use, c->policy, NULL) || use.policy->offline || !use.policy->victim ||
	    (use.policy->check && use.policy->check(&use, c, NULL)))
		snprintf(c->policy, sizeof c->policy, "lru");
}

static inline void random_cache(struct ws_cache *c, struct ws_rng *rng, uint64_t slices)
{
	size_t hashes = 0;

	*c = (struct ws_cache){ .ways = between(rng, 1, chance(rng, 3) ? 8 : 4),
				.line_bytes = 32u << ws_rng_below(rng, 4),
				.write = (enum ws_write)ws_rng_below(rng, 4),
				.mshr_entries = limit(rng), .mshr_merge = limit(rng) };
	c->sets = chance(rng, 4) ? between(rng, 1, 7) : 1ull << ws_rng_below(rng, 6);
	c->sector_bytes = chance(rng, 2) ? c->line_bytes : 32u << ws_rng_below(rng, 3);
	c->sector_bytes = c->sector_bytes > c->line_bytes ? c->line_bytes : c->sector_bytes;
	c->size_bytes = slices * c->sets * c->ways * c->line_bytes;
	while (ws_hashes[hashes])
		hashes++;
	c->hash = ws_hashes[ws_rng_below(rng, hashes)];
	c->hash_low = 5;
	c->hash_high = 5;
	if (strcmp(c->hash->name, "bits") == 0 || (c->hash->check && c->hash->check(c, NULL)))
		c->hash = ws_hash_find("modulo");
	random_policy(c, rng);
}

static inline void random_slices(struct ws_machine *m, struct ws_rng *rng)
{
	const char *const *names = ws_key_find("l2.slice-hash")->choices;
	struct ws_cache blocks = { .ways = 1 };
	const struct ws_hash *hash;

	m->l2_interleave_bytes = m->l2.line_bytes << ws_rng_below(rng, 3);
	m->l2_slice_hash = (unsigned)ws_rng_below(rng, 4);
	hash = ws_hash_find(names[m->l2_slice_hash]);
	blocks.hash = hash;
	blocks.sets = m->l2_slices;
	blocks.line_bytes = m->l2_interleave_bytes;
	blocks.size_bytes = blocks.sets * blocks.line_bytes;
	if (m->l2_slices == 1 || (hash->check && hash->check(&blocks, NULL)))
		m->l2_slice_hash = 0;
	do {
		m->dram_channels = ws_rng_below(rng, m->l2_slices + 1);
	} while (m->dram_channels && m->l2_slices % m->dram_channels);
}

static inline void random_sm(struct ws_machine *m, struct ws_rng *rng)
{
	*m = small_machine();
	m->sm_count = between(rng, 1, 4);
	m->sm_schedulers = between(rng, 1, 4);
	m->sm_scheduler = (enum ws_scheduler)ws_rng_below(rng, 3);
	m->sm_active_warps = between(rng, 1, 4);
	m->sm_assign = (enum ws_assign)ws_rng_below(rng, 3);
	m->sm_ctas = between(rng, 1, 5);
	m->sm_large_warp = chance(rng, 3) ? between(rng, 2, 5) : 1;
	m->sm_launch_cycles = chance(rng, 3) ? between(rng, 1, 30) : 0;
	m->l1_parts = chance(rng, 3) ? between(rng, 2, PARTS_MAX) : 1;
	m->sm_warps = 512;
	m->warp_width = between(rng, 1, chance(rng, 2) ? 64 : 16);
	m->coalesce_line = 32u << ws_rng_below(rng, 4);
}

/* An L1 of words in place of it. */
static inline void random_words(struct ws_cache *c, struct ws_rng *rng)
{
	static const enum ws_organised_as organisations[] = { WS_DECOUPLED, WS_ELASTIC, WS_DYCACHE,
							      WS_DYCACHE };

	c->organised.as = organisations[ws_rng_below(rng, WS_COUNT(organisations))];
	c->organised.parameter = c->organised.as == WS_ELASTIC ? 32u << ws_rng_below(rng, 2)
			       : c->organised.as == WS_DECOUPLED ? (uint32_t)between(rng, 1, 3)
			       : 10 * (uint32_t)ws_rng_below(rng, 10);
	if (c->organised.as != WS_DECOUPLED) {
		c->size_bytes = c->size_bytes / c->line_bytes * WS_GRAIN_LINE;
		c->line_bytes = WS_GRAIN_LINE;
	}
	c->sector_bytes = c->line_bytes;
	c->chunk_tag_bits = between(rng, 2, chance(rng, 2) ? 5 : 16);
	c->chunk_victim = (enum ws_chunk_victim)ws_rng_below(rng, 3);
	c->chunk_invalid = (enum ws_chunk_invalid)ws_rng_below(rng, 2);
	c->grain_period = between(rng, 1, chance(rng, 2) ? 4 : 40);
	c->grain_period_max = chance(rng, 2) ? 0 : c->grain_period * between(rng, 1, 5);
	c->grain_fine = (enum ws_grain_fine)ws_rng_below(rng, 2);
	c->grain_retain = chance(rng, 2);
	c->alloc = WS_ALLOC_ON_MISS;
	snprintf(c->policy, sizeof c->policy, "lru");
}

static inline void random_equal_words(struct ws_cache *c, struct ws_rng *rng)
{
	c->set_ways.runs = 0;
	c->size_bytes = c->sets * c->ways * c->line_bytes;
	random_words(c, rng);
}

static inline void random_entries(struct ws_set_ways *entries, struct ws_rng *rng)
{
	struct ws_cache c = { .sets = between(rng, 1, 4), .line_bytes = 1 };

	ref_draw_set_ways(&c, 4, rng);
	*entries = c.set_ways;
}

static inline void random_tlbs(struct ws_machine *m, struct ws_rng *rng)
{
	m->tlb_page = 4096;
	random_entries(&m->tlb[0], rng);
	if (chance(rng, 2))
		random_entries(&m->tlb[1], rng);
	for (unsigned i = 0; i < 2; i++)
		m->tlb_miss_cycles[i] = chance(rng, 4) ? 0 : between(rng, 1, 60);
}

static inline void random_banks(struct ws_machine *m, struct ws_rng *rng)
{
	static const char *const mappings[] = {
		"RRRRRRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS", "RRRRRRRRRBBCCSSSSS", "RBRBRSCCCCC",
		"B.RRRRRRRRSSSSS",
	};
	size_t n = 0, size = sizeof m->dram_timing, banks = (size_t)1 << ws_rng_below(rng, 5);

	for (size_t i = 0; i < WS_DRAM_BANKS; i++)
		if (!chance(rng, 3) && n < 70)
			n += (size_t)snprintf(m->dram_timing + n, size - n, "%s=%" PRIu64 ":",
					      ws_dram_time_names[i],
					      between(rng, 1, chance(rng, 3) ? 30 : 6));
	snprintf(m->dram_timing + n, size - n, "nbk=%zu:grp=%d:low=%" PRIu64 ":bus=%" PRIu64
		 ":in=%" PRIu64 ":out=%" PRIu64, banks, banks > 3 ? 4 : 1, ws_rng_below(rng, 2),
		 between(rng, 1, 2), limit(rng), limit(rng));
	snprintf(m->dram_mapping, sizeof m->dram_mapping, "%s",
		 mappings[ws_rng_below(rng, WS_COUNT(mappings))]);
	m->dram_ticks = between(rng, 1, 9);
	m->dram_ticks_cycles = between(rng, 1, 9);
	m->dram_wait_cycles = chance(rng, 2) ? 0 : between(rng, 1, 60);
	m->l2_slice_order = (enum ws_slice_order)ws_rng_below(rng, 2);
}

/* Room for the largest packet, and seldom more. */
static inline void random_router(struct ws_machine *m, struct ws_rng *rng)
{
	uint64_t most = (8 + m->l2.line_bytes + m->icnt_width - 1) / m->icnt_width;

	m->icnt_router_in = between(rng, most, most + 9);
	m->icnt_router_out = between(rng, most, most + 9);
	m->icnt_router_buffer = limit(rng);
	m->icnt_router_speedup = between(rng, 0, 3);
	m->l2_queue = between(rng, m->l2.line_bytes / 32, chance(rng, 2) ? 64 : 8);
	m->l2_queue = m->l2_queue < 4 ? 4 : m->l2_queue;
	m->l2_misses = chance(rng, 3) ? 0 : between(rng, 1, chance(rng, 4) ? 40 : 5);
}

static inline void behave_as_gpgpusim(struct ws_machine *m)
{
	uint64_t most = m->l1.line_bytes < 128 ? m->l1.line_bytes : 128;

	m->profile = WS_BEHAVES_GPGPUSIM;
	m->coalesce_line = m->coalesce_line < most ? m->coalesce_line : most;
	m->sm_large_warp = 1;
	m->l2_rate = m->l2_rate > 2 ? 1 : m->l2_rate; /* a line thrown out has more sectors */
}

/* Each scheduler has collectors and units. */
static inline void random_pipeline(struct ws_machine *m, struct ws_rng *rng)
{
	static const char *const units[] = { "sp", "hp", "dp", "sfu", "bra", "tex", "mma", "uni" };
	char *text = m->sm_pipeline;
	size_t size = sizeof m->sm_pipeline, n;
	uint64_t cycles = between(rng, 1, 5);
	bool shared = chance(rng, 2);

	n = (size_t)snprintf(text, size, "%scol=%" PRIu64 ":bank=%" PRIu64 ":step=%" PRIu64
			     ":in=%" PRIu64 ":out=%" PRIu64 ":wb=%" PRIu64 ":smem=%" PRIu64
			     ":int=%" PRIu64 "/%" PRIu64, shared ? "share=1:" : "",
			     between(rng, 1, 4), between(rng, 1, 5),
			     between(rng, 1, 3), between(rng, 1, 5), between(rng, 1, 5),
			     between(rng, 1, 4), between(rng, 1, 30), cycles,
			     between(rng, 1, cycles));
	for (size_t i = 0; i < WS_COUNT(units) && n < 110; i++) {
		if (i && !chance(rng, 2))
			continue;
		cycles = between(rng, 1, 9);
		if (i && shared)
			n += (size_t)snprintf(text + n, size - n, "x%" PRIu64, between(rng, 1, 3));
		n += (size_t)snprintf(text + n, size - n, ":%s=%" PRIu64 "/%" PRIu64,
				      units[i], cycles, between(rng, 1, cycles));
	}
}

static void random_front(struct ws_machine *m, struct ws_rng *rng)
{
	m->sm_code_line = 32u << ws_rng_below(rng, m->l2.line_bytes > 64 ? 3 : 1);
	m->sm_buffer = between(rng, 1, 3);
	m->sm_fetch = between(rng, 1, 4);
	snprintf(m->sm_front, sizeof m->sm_front, "sets=%u:ways=%" PRIu64 ":mshr=%" PRIu64
		 ":merge=%" PRIu64 ":queue=%" PRIu64, 1u << ws_rng_below(rng, 3),
		 between(rng, 1, 3), between(rng, 1, 3), between(rng, 1, 4), between(rng, 1, 3));
	if (chance(rng, 4))
		snprintf(m->sm_front, sizeof m->sm_front, "all");
}

static inline void random_machine(struct ws_machine *m, struct ws_rng *rng)
{
	random_sm(m, rng);
	m->l2_slices = chance(rng, 5) ? 16 : between(rng, 1, 6);
	random_cache(&m->l1, rng, 1);
	random_cache(&m->l2, rng, m->l2_slices);
	if (chance(rng, 3)) { /* of sets that differ */
		ref_draw_set_ways(&m->l1, 5, rng);
		if (strncmp(m->l1.policy, "prob", 4) == 0)
			snprintf(m->l1.policy, sizeof m->l1.policy, "lru");
	}
	m->l1.alloc = (enum ws_alloc_when)ws_rng_below(rng, 2);
	m->l1.latency_cycles = between(rng, 0, chance(rng, 2) ? 3 : 40);
	m->l2.latency_cycles = between(rng, 0, chance(rng, 2) ? 9 : 80);
	m->icnt_latency_cycles = chance(rng, 3) ? 0 : between(rng, 1, 20);
	m->l1_banks = chance(rng, 2) ? 1 : between(rng, 2, chance(rng, 3) ? 64 : 5);
	m->l1_queue = limit(rng);
	m->l1_mshr_rate = chance(rng, 2) ? between(rng, 1, 3) : 0;
	m->l1_mshr_cycles = chance(rng, 2) ? between(rng, 1, chance(rng, 3) ? 90 : 4) : 0;
	m->l1_lookup_cycles = chance(rng, 2) ? 0 : between(rng, 1, chance(rng, 2) ? 4 : 40);
	m->sm_lsu_ops = chance(rng, 2) ? 1 : between(rng, 2, chance(rng, 3) ? 64 : 4);
	m->sm_start_cycles = chance(rng, 3) ? between(rng, 1, 90) : 0;
	m->sm_alu_cycles = chance(rng, 2) ? between(rng, 0, 12) : 0;
	m->sm_alu_interval = chance(rng, 3) ? between(rng, 0, 5) : 0;
	m->sm_alu_queue = between(rng, 0, 4);
	m->sm_buffer = chance(rng, 2) ? between(rng, 0, 4) : 0;
	m->sm_fetch = chance(rng, 2) ? between(rng, 0, 3) : 0;
	m->sm_code_line = chance(rng, 2) ? between(rng, 50, 300) : 0;
	m->sm_code_cycles = between(rng, 0, 60);
	m->sm_stores = (enum ws_stores)ws_rng_below(rng, 2);
	m->sm_lsu_order = (enum ws_lsu_order)ws_rng_below(rng, 2);
	m->sm_lsu_requests = (enum ws_lsu_requests)ws_rng_below(rng, 2);
	m->l1_banks_bytes = chance(rng, 2) ? 0 : 32u << ws_rng_below(rng, 4);
	m->l2_rate = chance(rng, 2) ? 0 : between(rng, 1, 5);
	m->dram_atom = 32u << (chance(rng, 2) ? 0 : ws_rng_below(rng, 4));
	m->icnt_credits = limit(rng);
	m->icnt_queues = (enum ws_queues)ws_rng_below(rng, 3);
	m->icnt_width = chance(rng, 3) ? 1024 : between(rng, 1, 64);
	random_router(m, rng);
	m->l2_start = (enum ws_l2_start)ws_rng_below(rng, 4);
	m->dram_latency_cycles = between(rng, 0, chance(rng, 2) ? 5 : 100);
	m->dram_bandwidth = chance(rng, 3) ? between(rng, 1000, 4000) : between(rng, 1, 200);
	random_slices(m, rng);
	if (chance(rng, 3))
		random_tlbs(m, rng);
	if (chance(rng, 3)) {
		m->dram_row = m->l2.line_bytes << ws_rng_below(rng, 4);
		m->dram_row_miss_cycles = between(rng, 0, 60);
	}
	if (chance(rng, 2))
		random_banks(m, rng);
	if (chance(rng, 2))
		random_equal_words(&m->l1, rng);
	else if (chance(rng, 5))
		m->l1.ways = m->l1.size_bytes = m->l1.set_ways.runs = 0;
	if (chance(rng, 2))
		behave_as_gpgpusim(m);
	if (chance(rng, 2))
		random_pipeline(m, rng);
	if (ws_machine_has_pipeline(m) && chance(rng, 2)) { /* ws_pipeline_has_port */
		m->l1_mshr_rate = 1;
		m->l1_mshr_cycles = between(rng, 2, 4);
	}
	if (chance(rng, 2))
		random_front(m, rng);
}

#endif
