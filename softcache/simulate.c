/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * softcache/simulate.c -- simulates the thread-private software cache of softcache.h.
 *
 * Every thread has a line for every structure.  While it monitors these are the imaginary lines;
 * its next call finds them all empty.
 */
#include "base/bits.h"
#include "softcache/simulate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define WORDS WS_COUNT(((struct soft_line *)0)->mask)

/* ---- life ------------------------------------------------------------------------- */

enum ws_status soft_threads_new(struct soft_threads *t, const struct ws_softsim *s,
				struct ws_err *err)
{
	t->line = ws_alloc_zero(s->threads * s->structures, sizeof *t->line);
	t->use = ws_alloc_zero(s->threads * s->structures, sizeof *t->use);
	t->hits = ws_alloc_zero(s->threads * s->structures, sizeof *t->hits);
	t->calls = ws_alloc_zero(s->threads, sizeof *t->calls);
	t->in_use = ws_alloc_zero(s->threads, sizeof *t->in_use);
	if (t->line && t->use && t->hits && t->calls && t->in_use)
		return WS_OK;
	soft_threads_clear(t);
	return ws_fail_memory(err, "a software cache's lines");
}

void soft_threads_clear(struct soft_threads *t)
{
	free(t->line);
	free(t->use);
	free(t->hits);
	free(t->calls);
	free(t->in_use);
	*t = (struct soft_threads){ 0 };
}

void ws_softsim_free(struct ws_softsim *s)
{
	if (!s)
		return;
	soft_threads_clear(&s->cta);
	ws_soft_result_clear(&s->choice);
	ws_soft_result_clear(&s->own);
	free(s->stored);
	free(s->use);
	free(s->choosers);
	free(s->counts);
	free(s);
}

enum ws_status ws_softsim_new(struct ws_softsim **out, const struct ws_launch *launch,
			      const struct ws_soft *soft, struct ws_err *err)
{
	enum ws_status status = ws_soft_check(soft, err);
	struct ws_softsim *s;

	*out = NULL;
	if (status != WS_OK)
		return status;
	s = ws_alloc_zero(1, sizeof *s);
	if (!s)
		return ws_fail_memory(err, "a software cache");
	s->launch = *launch;
	s->soft = *soft;
	s->threads = (size_t)ws_launch_threads(launch);
	s->structures = ws_soft_structures(launch);
	s->stored = ws_alloc_zero(s->structures, sizeof *s->stored);
	s->use = ws_alloc_zero(s->structures, sizeof *s->use);
	s->counts = ws_alloc_zero(s->structures, sizeof *s->counts);
	s->choosers = ws_alloc_zero(s->structures, sizeof *s->choosers);
	s->own.part = ws_alloc_zero(s->structures, sizeof *s->own.part);
	if (!s->stored || !s->use || !s->counts || !s->choosers || !s->own.part) {
		ws_softsim_free(s);
		return ws_fail_memory(err, "a software cache");
	}
	for (size_t i = 0; i + 1 < s->structures; i++)
		s->stored[i] = ws_soft_stored(launch, i);
	*out = s;
	return WS_OK;
}

/* ---- the choice ------------------------------------------------------------------------ */

bool soft_past(const struct ws_softsim *s, const struct soft_threads *cta, size_t thread)
{
	assert(thread < s->threads);
	return cta->calls[thread] >= s->soft.threshold;
}

bool soft_uses(const struct ws_softsim *s, const struct soft_threads *cta, size_t thread,
	       size_t structure)
{
	assert(thread < s->threads && structure < s->structures);
	return cta->use[thread * s->structures + structure];
}

/* By the thread's own hits. */
static void rank_own(struct ws_softsim *s, const uint64_t *hits)
{
	s->own.parts = s->structures - 1;
	for (size_t i = 0; i + 1 < s->structures; i++)
		s->own.part[i] = (struct ws_soft_part){ .array = (uint32_t)i,
							.writable = s->stored[i],
							.counts.monitor_hits = hits[i] };
	assert(s->own.parts < s->structures);
	ws_soft_choose(&s->own, s->soft.lines);
}

/* It is through with monitoring: what has a line from now on? */
static void settle_thread(struct ws_softsim *s, struct soft_threads *cta, size_t thread)
{
	bool *use = &cta->use[thread * s->structures];

	if (s->soft.by_thread && s->chosen)
		rank_own(s, &cta->hits[thread * s->structures]);
	for (size_t i = 0; s->chosen && i + 1 < s->structures; i++) {
		use[i] = s->soft.by_thread ? s->own.part[i].why == WS_SOFT_CHOSEN : s->use[i];
		assert(!use[i] || s->chosen);
		cta->in_use[thread] += use[i];
		s->choosers[i] += use[i];
	}
}

/* ---- lines -------------------------------------------------------------------------- */

/* Writes back what was modified; returns whether there was anything. */
static bool clean(struct ws_softsim *s, struct soft_line *l, size_t structure)
{
	unsigned bytes = 0;

	for (size_t i = 0; i < WORDS; i++) {
		bytes += ws_popcount(l->mask[i]);
		l->mask[i] = 0;
	}
	s->counts[structure].write_backs += bytes > 0;
	s->counts[structure].write_back_bytes += bytes;
	return bytes > 0;
}

static void empty(struct ws_softsim *s, struct soft_threads *cta, size_t thread, size_t structure,
		  struct soft_out *out)
{
	struct soft_line *l = &cta->line[thread * s->structures + structure];

	out->store = l->there && clean(s, l, structure);
	out->stored = l->number;
	l->there = false;
}

void soft_leave(struct ws_softsim *s, struct soft_threads *cta, size_t thread, size_t structure,
		struct soft_out *out)
{
	s->counts[structure].emptied += soft_uses(s, cta, thread, structure);
	empty(s, cta, thread, structure, out);
}

static bool holds(const struct soft_line *l, uint64_t number)
{
	return l->there && l->number == number;
}

static void modify(const struct ws_softsim *s, struct soft_line *l, const struct soft_access *a)
{
	for (uint64_t i = 0; i < s->soft.line_bytes; i++) {
		uint64_t address = l->number * s->soft.line_bytes + i;

		if (a->first <= address && address <= a->last)
			ws_bit_set(l->mask, i);
	}
}

void soft_look_up(struct ws_softsim *s, struct soft_threads *cta, const struct soft_access *a,
		  uint64_t line, struct soft_out *out)
{
	struct soft_line *l = &cta->line[a->thread * s->structures + a->structure];
	struct ws_soft_counts *c = &s->counts[a->structure];

	*out = (struct soft_out){ false, false, 0, 0 };
	if (holds(l, line)) {
		c->hits[a->kind]++;
	} else {
		c->misses[a->kind]++;
		empty(s, cta, a->thread, a->structure, out);
		out->load = true;
		out->loaded = line;
		l->number = line;
		l->there = true;
	}
	if (a->kind == WS_STORE)
		modify(s, l, a);
}

/* ---- accesses ------------------------------------------------------------------------- */

static void monitor(struct ws_softsim *s, struct soft_threads *cta, const struct soft_access *a)
{
	size_t cell = a->thread * s->structures + a->structure;
	struct soft_line *l = &cta->line[cell];
	uint64_t end = a->last / s->soft.line_bytes;
	bool hit = holds(l, a->first / s->soft.line_bytes);

	s->counts[a->structure].monitored++;
	s->counts[a->structure].monitor_hits += hit;
	cta->hits[cell] += hit;
	l->number = end;
	l->there = true;
}

static void atomic(struct ws_softsim *s, struct soft_threads *cta, const struct soft_access *a,
		   struct soft_out *out)
{
	const struct soft_line *l = &cta->line[a->thread * s->structures + a->structure];

	s->counts[a->structure].direct[WS_ATOMIC]++;
	s->counts[a->structure].atomics += soft_uses(s, cta, a->thread, a->structure);
	if (l->there && l->number >= a->first / s->soft.line_bytes &&
	    l->number <= a->last / s->soft.line_bytes)
		empty(s, cta, a->thread, a->structure, out);
}

static void call(struct ws_softsim *s, struct soft_threads *cta, struct soft_access *a)
{
	uint64_t number = ++cta->calls[a->thread];
	struct ws_soft_counts *c = &s->counts[a->structure];

	if (number == s->soft.threshold + 1)
		memset(&cta->line[a->thread * s->structures], 0, s->structures * sizeof *cta->line);
	s->stored[a->structure] |= a->kind == WS_STORE;
	s->past += number > s->soft.threshold;
	a->through = soft_uses(s, cta, a->thread, a->structure);
	if (number > s->soft.threshold)
		c->others += cta->in_use[a->thread] - a->through;
	else
		monitor(s, cta, a);
	if (number == s->soft.threshold)
		settle_thread(s, cta, a->thread);
	c->direct[a->kind] += !a->through;
}

bool soft_begin(struct ws_softsim *s, struct soft_threads *cta, size_t thread,
		uint32_t instruction, uint64_t address, struct soft_access *a,
		struct soft_out *out)
{
	const struct ws_instruction *in = &s->launch.instruction[instruction];

	*out = (struct soft_out){ false, false, 0, 0 };
	if (in->space != WS_SPACE_GLOBAL || !in->bytes)
		return false;
	*a = (struct soft_access){
		.thread = thread, .structure = ws_soft_structure(&s->launch, instruction, address),
		.kind = in->kind, .first = address, .last = address + in->bytes - 1,
	};
	if (a->last < a->first)
		a->last = UINT64_MAX;
	s->counts[a->structure].accesses[a->kind]++;
	if (a->kind == WS_ATOMIC)
		atomic(s, cta, a, out);
	else
		call(s, cta, a);
	return true;
}

/* ---- steps ---------------------------------------------------------------------------- */

static void leave(struct ws_softsim *s, size_t thread)
{
	struct soft_out out;

	s->barriers += s->cta.calls[thread] >= s->soft.threshold;
	for (size_t i = 0; i < s->structures; i++)
		soft_leave(s, &s->cta, thread, i, &out);
}

enum ws_status ws_softsim_cta(struct ws_softsim *s, struct ws_err *err)
{
	for (size_t t = 0; s->begun && t < s->threads; t++)
		leave(s, t);
	soft_threads_clear(&s->cta);
	s->begun = true;
	return soft_threads_new(&s->cta, s, err);
}

static void one(struct ws_softsim *s, size_t thread, uint32_t instruction, uint64_t address)
{
	struct soft_access a;
	struct soft_out out;

	s->instructions += 1 + s->launch.instruction[instruction].gap;
	if (!soft_begin(s, &s->cta, thread, instruction, address, &a, &out) || !a.through)
		return;
	for (uint64_t line = a.first / s->soft.line_bytes; line <= a.last /
	     s->soft.line_bytes; line++)
		soft_look_up(s, &s->cta, &a, line, &out);
}

void ws_softsim_step(struct ws_softsim *s, const struct ws_step *step)
{
	const struct ws_segment *segment = &s->launch.segment[step->segment];

	for (size_t t = 0; t < s->threads; t++) {
		if (!ws_bit(step->mask, t))
			continue;
		for (uint32_t i = 0; i < segment->count; i++)
			one(s, t, segment->first + i, step->address[i][t]);
		s->instructions += segment->tail + segment->barrier;
		if (segment->barrier)
			leave(s, t);
	}
}

/* ---- results ---------------------------------------------------------------------------- */

/* The structures that were accessed, with their counts. */
static enum ws_status gather_structures(const struct ws_softsim *s, struct ws_soft_result *r,
					struct ws_err *err)
{
	*r = (struct ws_soft_result){ .part = ws_alloc_zero(s->structures, sizeof *r->part) };
	if (!r->part)
		return ws_fail_memory(err, "a software cache's structures");
	for (size_t i = 0; i < s->structures; i++) {
		const struct ws_soft_counts *c = &s->counts[i];

		if (c->accesses[WS_LOAD] + c->accesses[WS_STORE] + c->accesses[WS_ATOMIC])
			r->part[r->parts++] = (struct ws_soft_part){
				.array = i + 1 < s->structures ? (uint32_t)i : WS_NO_ARRAY,
				.writable = s->stored[i], .counts = *c,
			};
	}
	return WS_OK;
}

enum ws_status ws_softsim_choose(struct ws_softsim *s, struct ws_err *err)
{
	enum ws_status status = gather_structures(s, &s->choice, err);

	if (status != WS_OK)
		return status;
	ws_soft_choose(&s->choice, s->soft.lines);
	for (size_t i = 0; i < s->choice.parts; i++)
		if (s->choice.part[i].why == WS_SOFT_CHOSEN)
			s->use[s->choice.part[i].array] = true;
	memset(s->counts, 0, s->structures * sizeof *s->counts);
	s->barriers = s->past = s->instructions = 0;
	s->chosen = true;
	soft_threads_clear(&s->cta);
	s->begun = false;
	return WS_OK;
}

void ws_softsim_result(struct ws_softsim *s, struct ws_soft_result *out)
{
	*out = s->choice;
	s->choice = (struct ws_soft_result){ 0 };
	for (size_t i = 0; i < out->parts; i++) {
		struct ws_soft_part *p = &out->part[i];

		p->counts = s->counts[p->array == WS_NO_ARRAY ? s->structures - 1 : p->array];
		p->threads = p->array == WS_NO_ARRAY ? 0 : s->choosers[p->array];
	}
	if (s->soft.by_thread)
		ws_soft_chosen_by(out, s->soft.lines);
	out->barriers = s->barriers;
	out->past = s->past;
	out->instructions = s->instructions;
	ws_soft_instructions(out, &s->soft);
}

/* ---- a launch ----------------------------------------------------------------------------- */

static enum ws_status run_cta(struct ws_softsim *s, struct ws_decoder *d, uint64_t cta,
			      struct ws_err *err)
{
	enum ws_status status = ws_decoder_seek(d, cta, err);
	struct ws_step step;
	bool more = true;

	if (status == WS_OK)
		status = ws_softsim_cta(s, err);
	while (status == WS_OK) {
		status = ws_decoder_next(d, &step, &more, err);
		if (status != WS_OK || !more)
			break;
		ws_softsim_step(s, &step);
	}
	return status;
}

enum ws_status soft_monitor(struct ws_softsim *s, struct ws_decoder *d, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (uint64_t cta = 0; cta < s->launch.ctas && status == WS_OK; cta++)
		status = run_cta(s, d, cta, err);
	return status == WS_OK ? ws_softsim_choose(s, err) : status;
}

enum ws_status ws_soft_simulate(struct ws_soft_result *out, const struct ws_trace *t, size_t launch,
				const struct ws_soft *soft, struct ws_err *err)
{
	struct ws_softsim *s = NULL;
	struct ws_decoder *d = NULL;
	enum ws_status status = ws_softsim_new(&s, ws_trace_launch(t, launch), soft, err);

	*out = (struct ws_soft_result){ 0 };
	if (status == WS_OK)
		status = ws_decoder_new(&d, t, launch, err);
	if (status == WS_OK)
		status = soft_monitor(s, d, err);
	for (uint64_t cta = 0; status == WS_OK && cta < s->launch.ctas; cta++)
		status = run_cta(s, d, cta, err);
	if (status == WS_OK)
		status = ws_softsim_cta(s, err);
	if (status == WS_OK)
		ws_softsim_result(s, out);
	ws_decoder_free(d);
	ws_softsim_free(s);
	return status;
}
