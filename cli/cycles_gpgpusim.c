/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cycles_gpgpusim.c -- `simulate --cycles --format gpgpusim`: what GPGPU-Sim 4 prints after
 * each kernel, in its spelling, order and number formats, blanks at the ends of lines included, so
 * that scripts that read its output (Accel-Sim's get_stats.py among them) read this too.
 *
 * As there, gpu_sim_* are of the launch and all else is cumulative.  Only lines that the simulation
 * has a number for:
 *   requests       are warps' requests for a line; with profile = gpgpusim, of the L2, 32-byte
 *                  sectors, as there
 *   RESERVATION_FAIL  look-ups that were tried again, one a cycle
 *   HIT_RESERVED   pending hits; those of loads are MSHR_HIT too, as there
 *   atomics        bypass the L1 and are not among the L1D's; reads in the L2
 *   L1_WRBK_ACC    stores in the L2 that no instruction asked for
 *   gpu_sim_insn   instructions of threads, counted in the trace; warps' are gpgpu_n_tot_w_icount
 *   averagemflatency  from the look-up of a load that misses to its data: of reads that the L1
 *                  fetches, as MSHRs in use, summed over cycles, over fetches
 *   total dram reads, writes  in units of 32 bytes
 *   gpu_occupancy  of the warps that the SMs with CTAs could have had, those there; to their last
 *                  instruction
 *   L2_BW, gpgpu_silicon_slowdown  of SMs at 1 GHz, as no clock is known
 *   gpgpu_n_shmem_bkconflict  turns of shared memory's banks after an access's first, counted in
 *                  the trace; they take no time here
 *   gpgpu_simulation_time, rates  of the host, in whole seconds, 1 at least, as there; always 1
 *                  with --no-provenance, so that equal runs have equal bytes
 * The rate of a cache without accesses is 0.000; there it is no number.
 */
#include "cli/cycles.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HERTZ 1000000000u /* of SMs, as `machine --to gpgpusim` writes */

enum { ACC_R, ACC_W, ACC_WRBK, ACCS };
static const char *const acc_names[ACCS] = { "GLOBAL_ACC_R", "GLOBAL_ACC_W", "L1_WRBK_ACC" };
static const char *const fail_names[WS_FAILS] = {
	[WS_FAIL_LINE] = "LINE_ALLOC_FAIL", [WS_FAIL_QUEUE] = "MISS_QUEUE_FULL",
	[WS_FAIL_MSHR] = "MSHR_ENRTY_FAIL", [WS_FAIL_MERGE] = "MSHR_MERGE_ENRTY_FAIL",
};

struct totals { /* of the launches so far */
	uint64_t cycles, instructions, warp_instructions, ctas;
	uint64_t accesses[WS_KINDS];
	struct ws_cycle_counts *sm;    /* of each SM's L1 */
	struct ws_cycle_counts *slice; /* of each slice */
	size_t sms, slices;
	struct ws_cycle_counts l1[ACCS], l2[ACCS];
	uint64_t in_flight, fetches;
	uint64_t reads, writes;		/* packets to the L2 that instructions asked for */
	uint64_t dram_reads, dram_writes;
	uint64_t warp_cycles, warp_room; /* warps there, and that could have been, over cycles */
	uint64_t data_bytes;		 /* from the L2 */
	uint64_t l1_conflicts, shared_conflicts;
};

struct cycles_gpgpusim {
	const struct ws_trace *trace;
	const struct ws_machine *machine;
	struct ws_out out;
	bool open, timed;
	time_t start;
	size_t launches;
	struct totals totals;
};

struct thread_counts {		/* of a launch, from its trace */
	uint64_t instructions, shared_conflicts;
};

/* ---- counting ---------------------------------------------------------------- */

/* Ops of a segment, barriers too. */
static uint64_t ops_of(const struct ws_launch *l, const struct ws_segment *s)
{
	uint64_t ops = (uint64_t)s->count + s->tail + s->barrier;

	for (uint32_t i = 0; i < s->count; i++)
		ops += l->instruction[s->first + i].gap;
	return ops;
}

/* The turns that the busiest bank of shared memory takes: one for each of its words asked for. */
static unsigned bank_turns(const struct ws_machine *m, const uint64_t *address, uint64_t lanes)
{
	unsigned turns[64] = { 0 }, most = 0;
	uint64_t word[64];

	for (unsigned i = 0; i < 64; i++) {
		bool known = !(lanes >> i & 1);

		word[i] = known ? UINT64_MAX : address[i] / m->shared_width;
		for (unsigned k = 0; k < i && !known; k++)
			known = word[k] == word[i];
		if (known)
			continue;
		turns[word[i] % m->shared_banks]++;
		if (turns[word[i] % m->shared_banks] > most)
			most = turns[word[i] % m->shared_banks];
	}
	return most;
}

static uint64_t step_conflicts(const struct ws_machine *m, const struct ws_launch *l,
			       const struct ws_step *step)
{
	const struct ws_segment *s = &l->segment[step->segment];
	uint64_t sum = 0, threads = ws_launch_threads(l);

	for (uint32_t i = 0; i < s->count; i++) {
		if (l->instruction[s->first + i].space != WS_SPACE_LOCAL)
			continue;
		for (uint64_t at = 0; at < threads; at += m->warp_width) {
			uint64_t lanes = ws_step_lanes(step, at, m->warp_width);

			if (lanes)
				sum += bank_turns(m, step->address[i] + at, lanes) - 1;
		}
	}
	return sum;
}

static enum ws_status thread_ops(struct ws_decoder *d, const struct ws_machine *m,
				 const struct ws_launch *l, const uint64_t *ops,
				 struct thread_counts *sum, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (uint64_t cta = 0; cta < l->ctas && status == WS_OK; cta++) {
		bool more = true;

		status = ws_decoder_seek(d, cta, err);
		while (status == WS_OK) {
			struct ws_step step;

			status = ws_decoder_next(d, &step, &more, err);
			if (status != WS_OK || !more)
				break;
			for (size_t w = 0; w < step.words; w++)
				sum->instructions += ws_popcount(step.mask[w]) * ops[step.segment];
			sum->shared_conflicts += step_conflicts(m, l, &step);
		}
	}
	return status;
}

/* Instructions of threads, from the trace: the simulator issues those of warps. */
static enum ws_status count_threads(const struct ws_trace *t, const struct ws_machine *m,
				    size_t launch, struct thread_counts *sum, struct ws_err *err)
{
	const struct ws_launch *l = ws_trace_launch(t, launch);
	uint64_t *ops = ws_alloc(l->segments + 1, sizeof *ops);
	struct ws_decoder *d = NULL;
	enum ws_status status = ops ? ws_decoder_new(&d, t, launch, err)
				    : ws_fail_memory(err, "a launch's instructions");

	*sum = (struct thread_counts){ 0 };
	for (size_t i = 0; ops && i < l->segments; i++)
		ops[i] = ops_of(l, &l->segment[i]);
	if (status == WS_OK)
		status = thread_ops(d, m, l, ops, sum, err);
	ws_decoder_free(d);
	free(ops);
	return status;
}

static uint64_t fails(const struct ws_cycle_counts *c)
{
	uint64_t sum = 0;

	for (int i = 0; i < WS_FAILS; i++)
		sum += c->fails[i];
	return sum;
}

/* Stores of the L2 by where they come from; all that failed are put to the instructions'. */
static void split_stores(struct totals *n, const struct ws_cycle_result *r,
			 const struct ws_launch *l, const struct ws_cycle_counts *stores)
{
	struct ws_cycle_counts asked = { 0 }, rest = *stores;

	for (size_t i = 0; i < r->sites; i++)
		if (l->instruction[r->site[i].instruction].kind == WS_STORE)
			ws_cycle_counts_add(&asked, &r->site[i].l2);
	rest.requests -= asked.requests;
	rest.hits -= asked.hits;
	rest.pending -= asked.pending;
	rest.misses -= asked.misses;
	rest.sector_misses -= asked.sector_misses;
	for (int i = 0; i < WS_FAILS; i++) {
		asked.fails[i] = stores->fails[i];
		rest.fails[i] = 0;
	}
	ws_cycle_counts_add(&n->l2[ACC_W], &asked);
	ws_cycle_counts_add(&n->l2[ACC_WRBK], &rest);
}

static void count_launch(struct totals *n, const struct ws_machine *m,
			 const struct ws_cycle_result *r, const struct ws_launch *l)
{
	struct ws_cycle_counts l2[WS_KINDS + 1];

	for (size_t i = 0; i < r->sms; i++) {
		const struct ws_core_stats *s = &r->sm[i];

		ws_cycle_counts_add(&n->sm[i], &s->l1[WS_LOAD]);
		ws_cycle_counts_add(&n->sm[i], &s->l1[WS_STORE]);
		ws_cycle_counts_add(&n->l1[ACC_R], &s->l1[WS_LOAD]);
		ws_cycle_counts_add(&n->l1[ACC_W], &s->l1[WS_STORE]);
		n->warp_instructions += s->issued;
		n->in_flight += s->mshrs_sum;
		n->warp_cycles += s->warp_cycles * m->sm_large_warp;
		n->warp_room += s->cycles * m->sm_warps;
		n->data_bytes += s->received_bytes - WS_PACKET_HEADER_BYTES * s->received_packets;
		n->l1_conflicts += s->bank_conflicts;
		n->fetches += s->l1[WS_LOAD].misses;
		n->reads += s->l1[WS_LOAD].misses + s->l1[WS_ATOMIC].requests;
		n->writes += m->l1.ways && !ws_write_policies[m->l1.write].through
			? 0 : s->l1[WS_STORE].requests;
	}
	for (size_t i = 0; i < r->slices; i++) {
		for (int k = 0; k < WS_KINDS; k++)
			ws_cycle_counts_add(&n->slice[i], &r->slice[i].l2[k]);
		n->dram_reads += r->slice[i].dram_read_bytes / WS_SECTOR_BYTES;
		n->dram_writes += r->slice[i].dram_write_bytes / WS_SECTOR_BYTES;
	}
	ws_cycle_l2(r, l2);
	ws_cycle_counts_add(&n->l2[ACC_R], &l2[WS_LOAD]);
	ws_cycle_counts_add(&n->l2[ACC_R], &l2[WS_ATOMIC]);
	split_stores(n, r, l, &l2[WS_STORE]);
	for (int k = 0; k < WS_KINDS; k++)
		n->accesses[k] += l->accesses[k];
	n->ctas += l->ctas;
}

/* ---- printing ----------------------------------------------------------------- */

static double per(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static void put_unit(FILE *f, const char *name, size_t i, const struct ws_cycle_counts *c)
{
	fprintf(f, "%s[%zu]: Access = %" PRIu64 ", Miss = %" PRIu64 ", Miss_rate = %.3f, "
		"Pending_hits = %" PRIu64 ", Reservation_fails = %" PRIu64 "\n", name, i,
		c->requests, c->misses, per(c->misses, c->requests), c->pending, fails(c));
}

static void put_total(FILE *f, const char *name, const struct ws_cycle_counts *unit, size_t units)
{
	struct ws_cycle_counts c = { 0 };

	for (size_t i = 0; i < units; i++)
		ws_cycle_counts_add(&c, &unit[i]);
	fprintf(f, "%s_total_cache_accesses = %" PRIu64 "\n", name, c.requests);
	fprintf(f, "%s_total_cache_misses = %" PRIu64 "\n", name, c.misses);
	if (c.requests)
		fprintf(f, "%s_total_cache_miss_rate = %.4f\n", name, per(c.misses, c.requests));
	fprintf(f, "%s_total_cache_pending_hits = %" PRIu64 "\n", name, c.pending);
	fprintf(f, "%s_total_cache_reservation_fails = %" PRIu64 "\n", name, fails(&c));
}

static void put_breakdown(FILE *f, const char *name, const struct ws_cycle_counts *acc,
			  int accs)
{
	for (int i = 0; i < accs; i++) {
		const struct ws_cycle_counts *c = &acc[i];
		const struct { const char *name; uint64_t count; } status[] = {
			{ "HIT", c->hits },
			{ "HIT_RESERVED", c->pending },
			{ "MISS", c->misses - c->sector_misses },
			{ "RESERVATION_FAIL", fails(c) },
			{ "SECTOR_MISS", c->sector_misses },
			{ "MSHR_HIT", i == ACC_R ? c->pending : 0 },
		};

		for (size_t k = 0; k < WS_COUNT(status); k++)
			fprintf(f, "\t%s[%s][%s] = %" PRIu64 "\n", name, acc_names[i],
				status[k].name, status[k].count);
	}
	for (int i = 0; i < accs; i++)
		if (acc[i].requests)
			fprintf(f, "\t%s[%s][TOTAL_ACCESS] = %" PRIu64 "\n", name, acc_names[i],
				acc[i].requests);
}

static void put_fails(FILE *f, const char *name, const struct ws_cycle_counts *acc, int accs)
{
	for (int i = 0; i < accs; i++)
		for (int k = 0; k < WS_FAILS; k++)
			if (acc[i].fails[k])
				fprintf(f, "\t%s[%s][%s] = %" PRIu64 "\n", name, acc_names[i],
					fail_names[k], acc[i].fails[k]);
}

static void put_caches(FILE *f, const struct totals *n)
{
	fprintf(f, "\n========= Core cache stats =========\nL1D_cache:\n");
	for (size_t i = 0; i < n->sms; i++)
		put_unit(f, "\tL1D_cache_core", i, &n->sm[i]);
	put_total(f, "\tL1D", n->sm, n->sms);
	fprintf(f, "\nTotal_core_cache_stats:\n");
	put_breakdown(f, "Total_core_cache_stats_breakdown", n->l1, ACC_WRBK);
	fprintf(f, "\nTotal_core_cache_fail_stats:\n");
	put_fails(f, "Total_core_cache_fail_stats_breakdown", n->l1, ACC_WRBK);
}

static void put_l2(FILE *f, const struct totals *n)
{
	fprintf(f, "\n========= L2 cache stats =========\n");
	for (size_t i = 0; i < n->slices; i++)
		put_unit(f, "L2_cache_bank", i, &n->slice[i]);
	put_total(f, "L2", n->slice, n->slices);
	fprintf(f, "L2_total_cache_breakdown:\n");
	put_breakdown(f, "L2_cache_stats_breakdown", n->l2, ACCS);
	fprintf(f, "L2_total_cache_reservation_fail_breakdown:\n");
	put_fails(f, "L2_cache_stats_fail_breakdown", n->l2, ACCS);
}

/* The kernel's name as one word of a line, without the number that --per launch adds. */
static void put_name(FILE *f, const struct ws_cycle_result *r)
{
	size_t len = strlen(r->kernel), added;
	char number[32];

	snprintf(number, sizeof number, "#%zu", r->launch + 1);
	added = strlen(number);
	if (len > added && strcmp(r->kernel + len - added, number) == 0)
		len -= added;
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)r->kernel[i];

		fputc(c <= ' ' || c == 127 ? '_' : c, f);
	}
}

/* Of the host. */
static void put_times(FILE *f, const struct cycles_gpgpusim *g)
{
	const struct totals *n = &g->totals;
	time_t now = g->timed ? time(NULL) : g->start;
	uint64_t s = now > g->start ? (uint64_t)(now - g->start) : 1, rate = n->cycles / s;

	fprintf(f, "gpgpu_simulation_time = %" PRIu64 " days, %" PRIu64 " hrs, %" PRIu64
		" min, %" PRIu64 " sec (%" PRIu64 " sec)\n", s / 86400, s / 3600 % 24, s / 60 % 60,
		s % 60, s);
	fprintf(f, "gpgpu_simulation_rate = %" PRIu64 " (inst/sec)\n", n->instructions / s);
	fprintf(f, "gpgpu_simulation_rate = %" PRIu64 " (cycle/sec)\n", rate);
	fprintf(f, "gpgpu_silicon_slowdown = %" PRIu64 "x\n", HERTZ / (rate ? rate : 1));
}

static void put_totals(FILE *f, const struct totals *n, const struct ws_cycle_result *r,
		       const struct totals *before)
{
	uint64_t instructions = n->instructions - before->instructions;

	fprintf(f, "kernel_name = ");
	put_name(f, r);
	fprintf(f, " \nkernel_launch_uid = %zu \n", r->launch + 1);
	fprintf(f, "gpu_sim_cycle = %" PRIu64 "\n", r->cycles);
	fprintf(f, "gpu_sim_insn = %" PRIu64 "\n", instructions);
	fprintf(f, "gpu_ipc = %12.4f\n", per(instructions, r->cycles));
	fprintf(f, "gpu_tot_sim_cycle = %" PRIu64 "\n", n->cycles);
	fprintf(f, "gpu_tot_sim_insn = %" PRIu64 "\n", n->instructions);
	fprintf(f, "gpu_tot_ipc = %12.4f\n", per(n->instructions, n->cycles));
	fprintf(f, "gpu_tot_issued_cta = %" PRIu64 "\n", n->ctas);
	fprintf(f, "gpu_occupancy = %.4f%% \n", /* a blank at the end, as there */
		100 * per(n->warp_cycles - before->warp_cycles, n->warp_room - before->warp_room));
	fprintf(f, "gpu_tot_occupancy = %.4f%% \n", 100 * per(n->warp_cycles, n->warp_room));
	fprintf(f, "L2_BW  = %12.4f GB/Sec\n",
		per(n->data_bytes - before->data_bytes, r->cycles) * (HERTZ / 1e9));
	put_caches(f, n);
	fprintf(f, "gpgpu_n_tot_thrd_icount = %" PRIu64 "\n", n->instructions);
	fprintf(f, "gpgpu_n_tot_w_icount = %" PRIu64 "\n", n->warp_instructions);
	fprintf(f, "gpgpu_n_shmem_bkconflict = %" PRIu64 "\n", n->shared_conflicts);
	fprintf(f, "gpgpu_n_l1cache_bkconflict = %" PRIu64 "\n", n->l1_conflicts);
	fprintf(f, "gpgpu_n_mem_read_global = %" PRIu64 "\n", n->reads);
	fprintf(f, "gpgpu_n_mem_write_global = %" PRIu64 "\n", n->writes);
	fprintf(f, "gpgpu_n_load_insn  = %" PRIu64 "\n", /* two blanks, as there */
		n->accesses[WS_LOAD] + n->accesses[WS_ATOMIC]);
	fprintf(f, "gpgpu_n_store_insn = %" PRIu64 "\n", n->accesses[WS_STORE]);
	if (n->fetches)
		fprintf(f, "averagemflatency = %" PRIu64 " \n", n->in_flight / n->fetches);
	fprintf(f, "total dram reads = %" PRIu64 "\n", n->dram_reads);
	fprintf(f, "total dram writes = %" PRIu64 "\n", n->dram_writes);
	put_l2(f, n);
}

enum ws_status cycles_gpgpusim_new(struct cycles_gpgpusim **out, const struct cli_call *call,
				   const struct ws_trace *t, const struct ws_machine *m,
				   struct ws_err *err)
{
	struct cycles_gpgpusim *g = *out = ws_alloc_zero(1, sizeof *g);
	char *provenance = cli_provenance(call, NULL);
	enum ws_status status = WS_OK;

	if (g) {
		g->trace = t;
		g->machine = m;
		g->timed = !call->options->no_provenance;
		g->start = time(NULL);
		g->totals.sms = (size_t)m->sm_count;
		g->totals.slices = (size_t)m->l2_slices;
		g->totals.sm = ws_alloc_zero(g->totals.sms, sizeof *g->totals.sm);
		g->totals.slice = ws_alloc_zero(g->totals.slices, sizeof *g->totals.slice);
	}
	if (!g || !provenance || !g->totals.sm || !g->totals.slice)
		status = ws_fail_memory(err, "the statistics");
	if (status == WS_OK)
		status = cli_out_open(&g->out, call, call->options->output, err);
	if (status == WS_OK) {
		g->open = true;
		if (!call->options->no_provenance)
			fprintf(g->out.file, "# %s\n", provenance);
	}
	free(provenance);
	return status;
}

enum ws_status cycles_gpgpusim_launch(struct cycles_gpgpusim *g, const struct ws_cycle_result *r,
				      struct ws_err *err)
{
	const struct ws_launch *launch = ws_trace_launch(g->trace, r->launch);
	struct totals *n = &g->totals, before = *n;
	struct thread_counts threads;
	enum ws_status status = count_threads(g->trace, g->machine, r->launch, &threads, err);

	if (status != WS_OK)
		return status;
	n->cycles += r->cycles;
	n->instructions += launch->executed ? launch->executed : threads.instructions;
	n->shared_conflicts += threads.shared_conflicts;
	count_launch(n, g->machine, r, launch);
	if (g->launches++)
		fputc('\n', g->out.file);
	put_totals(g->out.file, n, r, &before);
	put_times(g->out.file, g);
	return WS_OK;
}

enum ws_status cycles_gpgpusim_end(struct cycles_gpgpusim *g, enum ws_status status,
				   struct ws_err *err)
{
	if (!g)
		return status;
	if (status == WS_OK) {
		/* What Accel-Sim looks for: it is whole. */
		fprintf(g->out.file, "GPGPU-Sim: *** exit detected ***\n");
		status = ws_out_commit(&g->out, err);
	} else if (g->open) {
		ws_out_abort(&g->out);
	}
	free(g->totals.sm);
	free(g->totals.slice);
	free(g);
	return status;
}
