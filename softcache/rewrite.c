/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * softcache/rewrite.c -- rewrites a launch's trace to contain a software cache, as softcache.h
 * says.
 *
 * Each step is taken apart where the cache changes it: the lanes' counts of added instructions,
 * then lines written back and fetched by the lanes that have to, then the access of those that do
 * not go through the cache.  A warp's instructions are still the steps with one of its lanes
 * active.
 */
#include "base/bits.h"
#include "softcache/simulate.h"

#include <stdlib.h>
#include <string.h>

#define WORDS (WS_CTA_THREADS_MAX / 64)
#define CTAS_TOGETHER 64u	/* of a chunk, at most */

struct lanes {
	uint64_t bit[WORDS];
};

struct rewriter {
	struct ws_softsim *sim;
	struct soft_program program;
	struct ws_decoder *decoder;
	struct ws_encoder *encoder;
	struct soft_threads cta;
	struct soft_access *access; /* [thread], of the instruction at hand */
	uint64_t *count, *loaded, *stored; /* [thread]: added instructions; lines' addresses */
	struct lanes load, store; /* which of them have one */
	size_t threads, words;
};

/* ---- lanes ---------------------------------------------------------------------------- */

static bool any(const struct rewriter *r, const struct lanes *l)
{
	for (size_t w = 0; w < r->words; w++)
		if (l->bit[w])
			return true;
	return false;
}

/* ---- steps that come out ----------------------------------------------------------------- */

static void emit(struct rewriter *r, uint32_t segment, const struct lanes *l,
		 const uint64_t *address)
{
	const uint64_t *const one[] = { address };

	if (any(r, l))
		ws_encoder_step(r->encoder, segment, l->bit, one);
}

static void emit_run(struct rewriter *r, uint64_t instructions, const struct lanes *l)
{
	if (instructions && any(r, l))
		emit(r, soft_program_run(&r->program, instructions), l, NULL);
}

/* r->count[lane] instructions of each lane: those with the same number do them together. */
static void emit_counts(struct rewriter *r, struct lanes left)
{
	while (any(r, &left)) {
		struct lanes now = { { 0 } };
		uint64_t number = 0;

		for (size_t t = 0; t < r->threads; t++) {
			if (!ws_bit(left.bit, t))
				continue;
			if (!any(r, &now))
				number = r->count[t];
			if (r->count[t] != number)
				continue;
			ws_bit_set(now.bit, t);
			ws_bit_clear(left.bit, t);
		}
		emit_run(r, number, &now);
	}
}

/* ---- lines ----------------------------------------------------------------------------- */

static void no_lines(struct rewriter *r)
{
	memset(&r->load, 0, sizeof r->load);
	memset(&r->store, 0, sizeof r->store);
}

static void gather_lanes(struct rewriter *r, size_t thread, const struct soft_out *out)
{
	r->loaded[thread] = out->loaded * r->sim->soft.line_bytes;
	r->stored[thread] = out->stored * r->sim->soft.line_bytes;
	if (out->load)
		ws_bit_set(r->load.bit, thread);
	if (out->store)
		ws_bit_set(r->store.bit, thread);
}

static uint64_t look_up_cost(const struct rewriter *r, const struct soft_access *a)
{
	return WS_SOFT_DO_LOOK_UP * (r->sim->stored[a->structure] ? 2u : 1u);
}

/* Lanes of structures that are written to, of those that miss. */
static struct lanes written(const struct rewriter *r)
{
	struct lanes l = { { 0 } };

	for (size_t t = 0; t < r->threads; t++)
		if (ws_bit(r->load.bit, t) && r->sim->stored[r->access[t].structure])
			ws_bit_set(l.bit, t);
	return l;
}

/* One line of each lane, the n-th that its access touches; leaves in *more those that touch
 * another. */
static void look_up(struct rewriter *r, uint32_t instruction, struct lanes *more, uint64_t n)
{
	uint64_t line = r->sim->soft.line_bytes;
	struct lanes dirty;

	if (n)
		emit_counts(r, *more);
	no_lines(r);
	for (size_t t = 0; t < r->threads; t++) {
		const struct soft_access *a = &r->access[t];
		struct soft_out out;

		if (!ws_bit(more->bit, t))
			continue;
		soft_look_up(r->sim, &r->cta, a, a->first / line + n, &out);
		gather_lanes(r, t, &out);
		r->count[t] = look_up_cost(r, a);
		if (a->first / line + n == a->last / line)
			ws_bit_clear(more->bit, t);
	}
	dirty = written(r);
	emit_run(r, SOFT_TAKEN_OUT, &dirty);
	emit(r, r->program.back[instruction], &r->store, r->stored);
	emit(r, r->program.fetch[instruction], &r->load, r->loaded);
}

/* ---- instructions ----------------------------------------------------------------------- */

/* What the cache does before the access proper, but look at further lines. */
static uint64_t cost(const struct rewriter *r, const struct soft_access *a)
{
	uint64_t others = r->cta.in_use[a->thread];
	bool monitors = r->cta.calls[a->thread] <= r->sim->soft.threshold;

	if (monitors)
		return WS_SOFT_DO_MONITOR;
	others = r->sim->soft.aliased ? (others - a->through) * WS_SOFT_DO_OTHER_LINE : 0;
	return others + (a->through ? look_up_cost(r, a) : WS_SOFT_DO_DIRECT);
}

static void access(struct rewriter *r, uint32_t instruction, const uint64_t *address,
		   const struct lanes *mask)
{
	struct lanes through = { { 0 } }, direct = { { 0 } }, more;

	for (size_t t = 0; t < r->threads; t++) {
		struct soft_out out;

		if (!ws_bit(mask->bit, t) ||
		    !soft_begin(r->sim, &r->cta, t, instruction, address[t], &r->access[t], &out))
			continue;
		ws_bit_set(r->access[t].through ? through.bit : direct.bit, t);
		r->count[t] = cost(r, &r->access[t]);
	}
	emit_run(r, r->sim->launch.instruction[instruction].gap, &through);
	emit_counts(r, *mask);
	more = through;
	for (uint64_t n = 0; any(r, &more); n++)
		look_up(r, instruction, &more, n);
	emit_run(r, SOFT_SHARED, &through);
	emit(r, r->program.single[instruction], &direct, address);
}

static void atomic(struct rewriter *r, uint32_t instruction, const uint64_t *address,
		   const struct lanes *mask)
{
	struct lanes looks = { { 0 } };

	no_lines(r);
	for (size_t t = 0; t < r->threads; t++) {
		struct soft_out out;

		if (!ws_bit(mask->bit, t) ||
		    !soft_begin(r->sim, &r->cta, t, instruction, address[t], &r->access[t], &out))
			continue;
		gather_lanes(r, t, &out);
		if (soft_uses(r->sim, &r->cta, t, r->access[t].structure))
			ws_bit_set(looks.bit, t);
	}
	emit_run(r, WS_SOFT_DO_ATOMIC, &looks);
	emit(r, r->program.back[instruction], &r->store, r->stored);
	emit(r, r->program.single[instruction], mask, address);
}

/* A barrier, or an end. */
static void flush_lanes(struct rewriter *r, const struct lanes *mask)
{
	for (size_t t = 0; t < r->threads; t++)
		if (ws_bit(mask->bit, t))
			r->sim->barriers += soft_past(r->sim, &r->cta, t);
	for (size_t s = 0; s < r->sim->structures; s++) {
		struct lanes looks = { { 0 } };

		no_lines(r);
		for (size_t t = 0; t < r->threads; t++) {
			struct soft_out out = { false, false, 0, 0 };

			if (!ws_bit(mask->bit, t))
				continue;
			if (soft_uses(r->sim, &r->cta, t, s))
				ws_bit_set(looks.bit, t);
			soft_leave(r->sim, &r->cta, t, s, &out);
			gather_lanes(r, t, &out);
		}
		emit_run(r, WS_SOFT_DO_EMPTY, &looks);
		if (s + 1 < r->sim->structures)
			emit(r, r->program.empty[s], &r->store, r->stored);
	}
}

/* ---- steps that go in -------------------------------------------------------------------- */

/* Nothing of the cache is in it. */
static bool remains(const struct rewriter *r, const struct ws_segment *segment)
{
	const struct ws_launch *l = &r->sim->launch;

	for (uint32_t i = 0; i < segment->count; i++)
		if (l->instruction[segment->first + i].space == WS_SPACE_GLOBAL)
			return false;
	return !segment->barrier;
}

static void count_instructions(struct rewriter *r, const struct ws_segment *segment,
			       const struct lanes *mask)
{
	uint64_t each = (uint64_t)segment->tail + segment->barrier, lanes = 0;

	for (uint32_t i = 0; i < segment->count; i++)
		each += 1 + (uint64_t)r->sim->launch.instruction[segment->first + i].gap;
	for (size_t w = 0; w < r->words; w++)
		lanes += ws_popcount(mask->bit[w]);
	r->sim->instructions += each * lanes;
}

static void rewrite_step(struct rewriter *r, const struct ws_step *step)
{
	const struct ws_launch *l = &r->sim->launch;
	const struct ws_segment *segment = &l->segment[step->segment];
	struct lanes mask = { { 0 } };

	memcpy(mask.bit, step->mask, r->words * sizeof *step->mask);
	count_instructions(r, segment, &mask);
	if (remains(r, segment)) {
		ws_encoder_step(r->encoder, step->segment, step->mask,
				(const uint64_t *const *)step->address);
		return;
	}
	for (uint32_t i = 0; i < segment->count; i++) {
		uint32_t number = segment->first + i;

		if (l->instruction[number].space != WS_SPACE_GLOBAL)
			emit(r, r->program.single[number], &mask, step->address[i]);
		else if (l->instruction[number].kind == WS_ATOMIC)
			atomic(r, number, step->address[i], &mask);
		else
			access(r, number, step->address[i], &mask);
	}
	emit_run(r, segment->tail, &mask);
	if (!segment->barrier)
		return;
	flush_lanes(r, &mask);
	emit(r, r->program.barrier, &mask, NULL);
}

static enum ws_status rewrite_cta(struct rewriter *r, uint64_t cta, struct ws_buf *data,
				  uint64_t accesses[WS_KINDS], struct ws_err *err)
{
	enum ws_status status = ws_decoder_seek(r->decoder, cta, err);
	struct lanes all = { { 0 } };
	struct ws_step step;
	bool more = true;

	for (size_t t = 0; t < r->threads; t++)
		ws_bit_set(all.bit, t);
	soft_threads_clear(&r->cta);
	if (status == WS_OK)
		status = soft_threads_new(&r->cta, r->sim, err);
	if (status != WS_OK)
		return status;
	if (!r->sim->soft.lines)
		status = ws_softsim_cta(r->sim, err);
	if (status != WS_OK)
		return status;
	ws_encoder_begin(r->encoder);
	while (!ws_encoder_full(r->encoder)) {
		status = ws_decoder_next(r->decoder, &step, &more, err);
		if (status != WS_OK)
			return status;
		if (!more)
			break;
		if (r->sim->soft.lines) {
			rewrite_step(r, &step);
			continue;
		}
		ws_softsim_step(r->sim, &step);
		ws_encoder_step(r->encoder, step.segment, step.mask,
				(const uint64_t *const *)step.address);
	}
	if (r->sim->soft.lines)
		flush_lanes(r, &all);
	return ws_encoder_end(r->encoder, data, accesses, err);
}

/* ---- a launch ------------------------------------------------------------------------------ */

static enum ws_status write_chunk(struct rewriter *r, struct ws_trace_writer *w, uint64_t first,
				  size_t count, struct ws_err *err)
{
	uint64_t lens[CTAS_TOGETHER], accesses[WS_KINDS] = { 0 };
	size_t launch = ws_trace_writer_launches(w) - 1;
	struct ws_buf data = { 0 }, packed = { 0 };
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < count && status == WS_OK; i++) {
		size_t before = data.len;

		status = rewrite_cta(r, first + i, &data, accesses, err);
		lens[i] = data.len - before;
	}
	if (status == WS_OK)
		status = ws_chunk_pack(&packed, launch, first, &data, lens, count, err);
	if (status == WS_OK)
		status = ws_trace_writer_chunk(w, &packed, first, count, accesses, err);
	ws_buf_clear(&data);
	ws_buf_clear(&packed);
	return status;
}

static enum ws_status write_ctas(struct rewriter *r, struct ws_trace_writer *w, struct ws_err *err)
{
	uint64_t ctas = r->sim->launch.ctas, size = ctas / CTAS_TOGETHER;
	enum ws_status status = ws_trace_writer_launch(w, &r->program.launch, err);

	size = size < 1 ? 1 : size > CTAS_TOGETHER ? CTAS_TOGETHER : size;
	for (uint64_t first = 0; first < ctas && status == WS_OK; first += size)
		status = write_chunk(r, w, first,
				     (size_t)(ctas - first < size ? ctas - first : size), err);
	return status;
}

static enum ws_status prepare_rewriter(struct rewriter *r, const struct ws_trace *t, size_t launch,
				       const struct ws_soft_kernel *kernel, struct ws_err *err)
{
	const struct ws_launch *l = ws_trace_launch(t, launch);
	enum ws_status status = ws_softsim_new(&r->sim, l, &kernel->soft, err);

	if (status == WS_OK)
		status = ws_decoder_new(&r->decoder, t, launch, err);
	if (status == WS_OK)
		status = soft_monitor(r->sim, r->decoder, err);
	if (status == WS_OK)
		status = soft_program_new(&r->program, l, &kernel->soft, err);
	if (status != WS_OK)
		return status;
	r->program.launch.shared_bytes = kernel->shared_bytes;
	r->program.launch.registers = kernel->registers;
	r->threads = r->sim->threads;
	r->words = (r->threads + 63) / 64;
	r->access = ws_alloc_zero(r->threads, sizeof *r->access);
	r->count = ws_alloc_zero(r->threads, sizeof *r->count);
	r->loaded = ws_alloc_zero(r->threads, sizeof *r->loaded);
	r->stored = ws_alloc_zero(r->threads, sizeof *r->stored);
	if (!r->access || !r->count || !r->loaded || !r->stored)
		return ws_fail_memory(err, "a launch with a software cache");
	return ws_encoder_new(&r->encoder, &r->program.launch, err);
}

enum ws_status ws_soft_rewrite(struct ws_trace_writer *w, const struct ws_trace *t, size_t launch,
			       const struct ws_soft_kernel *kernel, struct ws_soft_result *out,
			       struct ws_err *err)
{
	struct rewriter r = { 0 };
	enum ws_status status = prepare_rewriter(&r, t, launch, kernel, err);

	*out = (struct ws_soft_result){ 0 };
	if (status == WS_OK && kernel->name)
		r.program.launch.kernel = kernel->name;
	if (status == WS_OK)
		status = write_ctas(&r, w, err);
	if (status == WS_OK && !kernel->soft.lines)
		status = ws_softsim_cta(r.sim, err);
	if (status == WS_OK)
		ws_softsim_result(r.sim, out);
	ws_encoder_free(r.encoder);
	ws_decoder_free(r.decoder);
	soft_threads_clear(&r.cta);
	soft_program_clear(&r.program);
	ws_softsim_free(r.sim);
	free(r.access);
	free(r.count);
	free(r.loaded);
	free(r.stored);
	return status;
}
