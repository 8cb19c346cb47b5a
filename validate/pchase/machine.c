/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/machine.c -- a modelled machine as a target of pointer chasing.
 */
#include "validate/pchase.h"
#include "validate/sim/tlb.h"

#include <math.h>
#include <stdlib.h>

#define SPAN (1ull << 34)	/* bytes: all address bits of the published hashes */
#define OUTLIER_LEAST 300.0
#define OUTLIER_MOST 2000.0

struct chase_cache {
	struct ws_sim *sim;
	struct ws_cache cache;
	uint64_t misses;
	uint64_t clock;
};

struct chase_machine {
	struct chase_cache l1, l2; /* l1.sim NULL: there is none */
	struct ws_rng rng;
	struct ws_chase_noise noise;
	double cycles[3];
	struct ws_tlb *tlb;	/* NULL: there is none */
	double walk[3];		/* by how many TLBs miss */
	struct ws_machine machine;
	uint64_t *row;		/* open, of each DRAM channel, + 1 */
};

static bool chase_missed(struct chase_cache *c, uint64_t address, enum ws_status *status,
			 struct ws_err *err)
{
	struct ws_counts kind[WS_KINDS + 1];
	uint64_t offset = address & (c->cache.line_bytes - 1), before = c->misses;
	struct ws_request r = {
		.address = address - offset, .cycle = c->clock++,
		.sectors = 1u << offset / WS_SECTOR_BYTES, .kind = WS_LOAD,
	};

	*status = ws_sim_push(c->sim, &r, 1, err);
	if (*status != WS_OK)
		return false;
	ws_sim_counts(c->sim, kind);
	c->misses = kind[WS_KINDS].misses;
	return c->misses != before;
}

/* Box and Muller. */
static double normal(struct ws_rng *rng)
{
	double u = 1 - ws_rng_double(rng), v = ws_rng_double(rng);

	return sqrt(-2 * log(u)) * cos(2 * 3.14159265358979323846 * v);
}

static double noisy(struct chase_machine *m, double cycles)
{
	if (m->noise.jitter > 0)
		cycles = fmax(1, rint(cycles * (1 + m->noise.jitter * normal(&m->rng))));
	if (m->noise.outliers > 0 && ws_rng_double(&m->rng) < m->noise.outliers)
		cycles += rint(OUTLIER_LEAST +
			       (OUTLIER_MOST - OUTLIER_LEAST) * ws_rng_double(&m->rng));
	return cycles;
}

/* What another row than the channel's last takes. */
static double open_row(struct chase_machine *m, uint64_t address)
{
	uint64_t channel, row;

	if (!m->machine.dram_row)
		return 0;
	row = ws_dram_row(&m->machine, address, &channel) + 1;
	if (m->row[channel] == row)
		return 0;
	m->row[channel] = row;
	return (double)m->machine.dram_row_miss_cycles;
}

static enum ws_status chase_machine_run(void *state, const uint64_t *offset, size_t count,
					bool flush, double *cycles, struct ws_err *err)
{
	struct chase_machine *m = state;
	enum ws_status status = WS_OK;

	if (flush) {
		ws_sim_flush(m->l1.sim ? m->l1.sim : m->l2.sim);
		ws_tlb_flush(m->tlb);
	}
	for (size_t i = 0; i < count && status == WS_OK; i++) {
		unsigned level = 0, walked = 0;
		double row = 0;

		if (!m->l1.sim || chase_missed(&m->l1, offset[i], &status, err))
			level = 1;
		if (level && m->tlb)
			walked = ws_tlb_ask(m->tlb, offset[i]);
		if (level && status == WS_OK && chase_missed(&m->l2, offset[i], &status, err))
			level = 2;
		if (level == 2)
			row = open_row(m, offset[i]);
		cycles[i] = noisy(m, m->cycles[level] + m->walk[walked] + row);
	}
	return status;
}

static void chase_machine_free(void *state)
{
	struct chase_machine *m = state;

	if (!m)
		return;
	ws_sim_free(m->l1.sim);
	ws_sim_free(m->l2.sim);
	ws_tlb_free(m->tlb);
	free(m->row);
	free(m);
}

static enum ws_status chase_cache_open(struct chase_cache *c, const struct ws_cache *cache,
				       uint64_t seed, struct ws_err *err)
{
	enum ws_status status = ws_sim_new(&c->sim, cache, err);

	c->cache = *cache;
	if (status == WS_OK)
		ws_sim_seed(c->sim, seed);
	return status;
}

enum ws_status ws_chase_machine(struct ws_chase_target *out, const struct ws_machine *machine,
				const struct ws_chase_noise *noise, struct ws_err *err)
{
	struct chase_machine *m = ws_alloc_zero(1, sizeof *m);
	struct ws_cache l2 = ws_l2_whole(machine);
	enum ws_status status = WS_OK;

	*out = (struct ws_chase_target){ .bytes = SPAN, .state = m, .run = chase_machine_run,
					 .free = chase_machine_free };
	if (!m)
		return ws_fail_memory(err, "the machine");
	if (noise)
		m->noise = *noise;
	ws_rng_seed(&m->rng, m->noise.seed);
	m->cycles[0] = (double)machine->l1.latency_cycles;
	m->cycles[1] = m->cycles[0] + (double)machine->l2.latency_cycles;
	m->cycles[2] = m->cycles[1] + (double)machine->dram_latency_cycles;
	m->machine = *machine;
	m->row = ws_alloc_zero((size_t)ws_dram_channels(machine), sizeof *m->row);
	if (!m->row) {
		ws_chase_close(out);
		return ws_fail_memory(err, "the machine");
	}
	for (unsigned i = 0; i < WS_COUNT(m->walk); i++)
		m->walk[i] = (double)ws_tlb_cycles(machine, i);
	status = ws_tlb_new(&m->tlb, machine, err);
	if (status == WS_OK && machine->l1.size_bytes)
		status = chase_cache_open(&m->l1, &machine->l1, m->noise.seed + 1, err);
	if (status == WS_OK)
		status = chase_cache_open(&m->l2, &l2, m->noise.seed + 2, err);
	if (status != WS_OK)
		ws_chase_close(out);
	return status;
}

void ws_chase_close(struct ws_chase_target *t)
{
	if (t->free)
		t->free(t->state);
	*t = (struct ws_chase_target){ 0 };
}
