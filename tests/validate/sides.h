/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/sides.h -- launches run by the cycle simulator and by its slow reference
 * (tests/ref/cycle.c), and what both count compared.
 */
#ifndef WS_TESTS_VALIDATE_SIDES_H
#define WS_TESTS_VALIDATE_SIDES_H

#include "tests/ref/cycle.h"
#include "tests/test.h"
#include "tests/trace/steps.h"
#include "validate/grain/grain.h"

#define SMS_MAX 8u
#define PARTS_MAX 4u		/* L1s of an SM */
#define L1S_MAX (SMS_MAX * PARTS_MAX)

/* ---- traces in memory ------------------------------------------------------------------ */

struct memory {
	char *data;
	size_t len;
	struct ws_trace *trace;
};

static inline void must_be(bool ok, const char *what)
{
	if (ok)
		return;
	printf("Bail out! %s\n", what);
	exit(1);
}

static inline void write_one(struct ws_trace_writer *w, const struct ref_launch *l, size_t number)
{
	struct ws_encoder *e;
	struct ws_buf data = { 0 }, packed = { 0 };
	struct ws_err err = { 0 };

	must_be(!ws_trace_writer_launch(w, &l->launch, &err) &&
		!ws_encoder_new(&e, &l->launch, &err), err.text);
	for (uint64_t cta = 0; cta < l->launch.ctas; cta++) {
		uint64_t accesses[WS_KINDS] = { 0 }, length;

		data.len = packed.len = 0;
		ws_encoder_begin(e);
		for (size_t s = 0; s < l->steps[cta]; s++)
			ws_encoder_step(e, l->step[cta][s].segment, l->step[cta][s].mask,
					(const uint64_t *const *)l->step[cta][s].address);
		must_be(!ws_encoder_end(e, &data, accesses, NULL), "ws_encoder_end");
		length = data.len;
		must_be(!ws_chunk_pack(&packed, number, cta, &data, &length, 1, NULL) &&
			!ws_trace_writer_chunk(w, &packed, cta, 1, accesses, NULL), "a chunk");
	}
	ws_encoder_free(e);
	ws_buf_clear(&data);
	ws_buf_clear(&packed);
}

static inline void memory_write(struct memory *t, const struct ref_launch *l, size_t launches)
{
	struct ws_out out = { .file = open_memstream(&t->data, &t->len) };
	struct ws_in in = { .name = ws_strdup("memory.wst") };
	struct ws_trace_writer *w;
	struct ws_err err = { 0 };

	must_be(out.file && !ws_trace_writer_new(&w, &out, NULL), "a trace in memory");
	for (size_t i = 0; i < launches; i++)
		write_one(w, &l[i], i);
	must_be(!ws_trace_writer_end(w, NULL), "ws_trace_writer_end");
	ws_trace_writer_free(w);
	must_be(!fclose(out.file) && !out.failed, "fclose");
	in.data = (const uint8_t *)t->data;
	in.len = t->len;
	must_be(!ws_trace_open_in(&t->trace, &in, &err), err.text);
	ws_in_close(&in);
}

static inline void memory_free(struct memory *t)
{
	ws_trace_close(t->trace);
	free(t->data);
}

/* ---- both sides ------------------------------------------------------------------------- */

struct streams {		/* of each L1, as SMs may be in several threads */
	struct ref_stream sm[L1S_MAX];
};

static inline enum ws_status gather_sm(void *context, uint64_t sm, const struct ws_request *r,
				       size_t count, struct ws_err *err)
{
	return gather(&((struct streams *)context)->sm[sm], sm, r, count, err);
}

struct side {
	struct ws_cycle_result *result;
	size_t launches;
	struct streams streams;
	uint64_t requests, instructions, issued; /* as an order has them */
	bool ok;
};

static inline struct side simulated(const struct memory *t, const struct ws_machine *m,
				    uint64_t seed, unsigned threads, bool sites)
{
	struct side s = { .result = NULL };
	const struct ws_sink sink = { .context = &s.streams, .requests = gather_sm };
	const struct ws_cycle_options options = { .seed = seed, .threads = threads,
						  .sites = sites, .sink = &sink };
	struct ws_err err = { 0 };

	s.ok = ws_cycles_run(&s.result, &s.launches, t->trace, m, &options, &err) == WS_OK;
	if (!s.ok)
		printf("# %s\n", err.text);
	return s;
}

/* The requests alone, launch by launch. */
static inline bool ordered(const struct memory *t, const struct ws_machine *m, uint64_t seed,
			   unsigned threads, struct side *out)
{
	const struct ws_order_options options = { .seed = seed, .threads = threads };
	const struct ws_sink sink = { .context = &out->streams, .requests = gather_sm };
	struct ws_order_stats stats[2] = { { 0 } };
	struct ws_orderer *o;
	struct ws_err err = { 0 };
	bool ok = !ws_orderer_new(&o, WS_ORDER_CYCLES, t->trace, m, &options, &err);

	out->launches = ws_trace_launches(t->trace);
	out->result = ws_alloc_zero(out->launches, sizeof *out->result);
	for (size_t i = 0; ok && i < out->launches && i < 2; i++) {
		ok = !ws_orderer_run(o, i, &sink, &stats[i], &err);
		out->result[i].cycles = stats[i].cycles;
		out->result[i].resident_ctas = stats[i].resident_ctas;
		out->requests += stats[i].requests;
		out->instructions += stats[i].warp_instructions;
		out->issued += stats[i].issued;
	}
	if (!ok)
		printf("# %s\n", err.text);
	ws_orderer_free(o);
	return out->ok = ok;
}

static inline struct side by_reference(const struct ref_launch *l, size_t launches,
				       const struct ws_machine *m, uint64_t seed)
{
	struct side s = { .launches = launches, .ok = true };
	struct ref_gpu *gpu = ref_gpu_new(m, seed);

	s.result = ws_alloc_zero(launches, sizeof *s.result);
	for (size_t i = 0; i < launches; i++) {
		struct ref_stream all = { 0 };

		ref_gpu_launch(gpu, &l[i], i, &s.result[i], &all);
		for (size_t r = 0; r < all.count; r++)
			ref_stream_add(&s.streams.sm[all.item[r].sm], &all.item[r]);
		ref_stream_clear(&all);
	}
	ref_gpu_free(gpu);
	return s;
}

static inline void side_clear(struct side *s)
{
	if (s->ok)
		ws_cycle_results_free(s->result, s->launches);
	for (size_t i = 0; i < L1S_MAX; i++)
		ref_stream_clear(&s->streams.sm[i]);
}

/* ---- comparing ---------------------------------------------------------------------------- */

static unsigned told;		/* differences said so far, of one comparison */

static inline unsigned equal(uint64_t got, uint64_t want, const char *what, size_t number,
			     size_t more)
{
	if (got == want)
		return 1;
	if (told++ < 12)
		printf("# %s [%zu] [%zu]: %" PRIu64 ", want %" PRIu64 "\n", what, number, more, got,
		       want);
	return 0;
}

#define SAME(a, b, member, number, more) equal((a)->member, (b)->member, #member, number, more)

static inline bool same_counts(const struct ws_cycle_counts *a, const struct ws_cycle_counts *b,
			       const char *of, size_t number, size_t kind)
{
	bool ok = SAME(a, b, requests, number, kind) & SAME(a, b, hits, number, kind) &
		  SAME(a, b, pending, number, kind) & SAME(a, b, misses, number, kind) &
		  SAME(a, b, sector_misses, number, kind) & SAME(a, b, sectors, number, kind);

	for (size_t i = 0; i < WS_FAILS; i++)
		ok &= equal(a->fails[i], b->fails[i], ws_fail_names[i], number, kind);
	if (!ok && told < 12)
		printf("# ... of %s %zu, %s\n", of, number, ws_kind_names[kind]);
	return ok;
}

static inline bool same_sm(const struct ws_core_stats *a, const struct ws_core_stats *b, size_t i)
{
	bool ok = SAME(a, b, cycles, i, 0) & SAME(a, b, issued, i, 0) &
		  SAME(a, b, memory_instructions, i, 0) & SAME(a, b, slots, i, 0) &
		  SAME(a, b, loads, i, 0) & SAME(a, b, latency_sum, i, 0) &
		  SAME(a, b, latency_max, i, 0) &
		  SAME(a, b, bank_conflicts, i, 0) &
		  SAME(a, b, mshrs_sum, i, 0) & SAME(a, b, sent_packets, i, 0) &
		  SAME(a, b, sent_bytes, i, 0) & SAME(a, b, received_packets, i, 0) &
		  SAME(a, b, received_bytes, i, 0) & SAME(a, b, tlb.requests, i, 0) &
		  SAME(a, b, tlb.misses[0], i, 0) & SAME(a, b, tlb.misses[1], i, 0);

	for (size_t k = 0; k < WS_KINDS; k++)
		ok &= same_counts(&a->l1[k], &b->l1[k], "SM", i, k);
	for (size_t k = 0; k < WS_STALLS; k++)
		ok &= equal(a->stalls[k], b->stalls[k], ws_stall_names[k], i, k);
	for (size_t k = 0; k < WS_GRAIN_SIZES; k++)
		ok &= SAME(a, b, grain.size[k], i, k);
	ok &= SAME(a, b, grain.partial, i, 0) & SAME(a, b, grain.invalidated, i, 0) &
	      SAME(a, b, grain.written_back, i, 0) & SAME(a, b, grain.finer, i, 0) &
	      SAME(a, b, grain.coarser, i, 0) & SAME(a, b, grain.flushed, i, 0);
	for (size_t k = 0; k < WS_LATENCY_CELLS; k++)
		ok &= equal(a->latency[k], b->latency[k], "latency", i, k);
	return ok;
}

static inline bool same_slice(const struct ws_slice_stats *a, const struct ws_slice_stats *b,
			      size_t i)
{
	bool ok = SAME(a, b, dram_read_bytes, i, 0) & SAME(a, b, dram_write_bytes, i, 0) &
		  SAME(a, b, dram_wait_sum, i, 0) & SAME(a, b, mshrs_sum, i, 0);

	for (size_t k = 0; k < WS_KINDS; k++)
		ok &= same_counts(&a->l2[k], &b->l2[k], "slice", i, k);
	return ok;
}

static inline bool same_sites(const struct ws_cycle_result *a, const struct ws_cycle_result *b)
{
	bool ok = SAME(a, b, sites, 0, 0);

	for (size_t i = 0; ok && i < a->sites; i++) {
		const struct ws_cycle_site *p = &a->site[i], *q = &b->site[i];

		ok &= SAME(p, q, instruction, i, 0) & SAME(p, q, array, i, 0) &
		      same_counts(&p->l1, &q->l1, "site, L1", i, WS_KINDS) &
		      same_counts(&p->l2, &q->l2, "site, L2", i, WS_KINDS);
	}
	return ok;
}

static inline bool same_streams(const struct streams *a, const struct streams *b)
{
	bool ok = true;

	for (size_t sm = 0; sm < L1S_MAX; sm++) {
		const struct ref_stream *x = &a->sm[sm], *y = &b->sm[sm];

		ok &= equal(x->count, y->count, "requests in the stream", sm, 0);
		for (size_t i = 0; i < x->count && i < y->count; i++)
			ok &= equal(memcmp(&x->item[i], &y->item[i], sizeof x->item[i]) == 0, 1,
				    "request in the stream", sm, i);
	}
	return ok;
}

static inline bool same_sides(const struct side *a, const struct side *b, bool sites)
{
	bool ok = a->ok && b->ok;

	told = 0;
	ok = ok && equal(a->launches, b->launches, "launches", 0, 0);
	for (size_t l = 0; ok && l < a->launches; l++) {
		const struct ws_cycle_result *x = &a->result[l], *y = &b->result[l];

		ok &= strcmp(x->kernel, y->kernel) == 0 && SAME(x, y, launch, l, 0) &
		      SAME(x, y, cycles, l, 0) & SAME(x, y, resident_ctas, l, 0) &
		      SAME(x, y, sms, l, 0) & SAME(x, y, slices, l, 0);
		for (size_t i = 0; x->sms == y->sms && i < x->sms; i++)
			ok &= same_sm(&x->sm[i], &y->sm[i], i);
		for (size_t i = 0; x->slices == y->slices && i < x->slices; i++)
			ok &= same_slice(&x->slice[i], &y->slice[i], i);
		ok &= !sites || same_sites(x, y);
	}
	return ok && same_streams(&a->streams, &b->streams);
}

/* What an order tells of launches, and its requests, are the simulation's. */
static inline bool same_order(const struct side *order, const struct side *want)
{
	uint64_t requests = 0, instructions = 0, issued = 0;
	bool ok = order->ok && equal(order->launches, want->launches, "launches", 0, 0);

	for (size_t l = 0; ok && l < want->launches; l++) {
		const struct ws_cycle_result *x = &order->result[l], *y = &want->result[l];
		struct ws_core_stats sum;

		ws_cycle_sm(y, &sum);
		instructions += sum.memory_instructions;
		issued += sum.issued;
		ok = SAME(x, y, cycles, l, 0) & SAME(x, y, resident_ctas, l, 0);
	}
	for (size_t i = 0; i < L1S_MAX; i++)
		requests += want->streams.sm[i].count;
	return ok && equal(order->requests, requests, "requests of an order", 0, 0) &&
	       equal(order->instructions, instructions, "instructions of an order", 0, 0) &&
	       equal(order->issued, issued, "ops of an order", 0, 0) &&
	       same_streams(&order->streams, &want->streams);
}

#endif
