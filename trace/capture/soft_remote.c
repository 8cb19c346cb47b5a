/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/soft_remote.c -- the hooks of ws_soft_run, called across processes (soft_remote.h).
 */
#include "trace/capture/soft_remote.h"
#include "trace/format/handover.h"

#include <stdlib.h>
#include <string.h>


_Static_assert(sizeof(struct ws_soft_tally) % sizeof(uint64_t) == 0, "all counts are 64 bits");

/* ---- in the child --------------------------------------------------------------------------- */

static struct ws_buf *start_message(struct ws_soft_sender *s)
{
	s->message.len = 0;
	return &s->message;
}

static enum ws_status begin_launch(void *context, const struct ws_launch *l, struct ws_err *err)
{
	struct ws_soft_sender *s = context;

	s->launch = l;
	ws_handover_put_launch(start_message(s), l);
	return ws_port_send(s->port, WS_MSG_SOFT_BEGIN, &s->message, err);
}

/* This hook cannot fail: the next does. */
static void cta(void *context)
{
	struct ws_soft_sender *s = context;

	start_message(s);
	(void)!ws_port_send(s->port, WS_MSG_SOFT_CTA, &s->message, &s->err);
}

/* A step is of one work-item. */
static enum ws_status send_step(void *context, const struct ws_step *step, struct ws_err *err)
{
	struct ws_soft_sender *s = context;
	size_t word = 0, lane, count = s->launch->segment[step->segment].count;

	if (s->err.status != WS_OK)
		return ws_fail_as(err, &s->err);
	while (!step->mask[word])
		word++;
	lane = word * 64 + (size_t)__builtin_ctzll(step->mask[word]);
	ws_put_u32(start_message(s), step->segment);
	ws_put_u32(&s->message, (uint32_t)lane);
	for (size_t i = 0; i < count; i++)
		ws_put_u64(&s->message, step->address[i][lane]);
	return ws_port_send(s->port, WS_MSG_SOFT_STEP, &s->message, err);
}

struct next_answer {
	uint64_t more, line_bytes, threshold, lines, aliased;
};

static enum ws_status next_cache(void *context, struct ws_soft_cache *cache, bool *more,
				 struct ws_err *err)
{
	struct ws_soft_sender *s = context;
	struct next_answer a = { 0 };
	enum ws_status status = ws_port_send(s->port, WS_MSG_SOFT_NEXT, start_message(s), err);

	if (status == WS_OK)
		status = ws_port_ask(s->port, &a, sizeof a, err);
	*more = a.more;
	*cache = (struct ws_soft_cache){ (uint32_t)a.line_bytes, (uint32_t)a.threshold, a.lines,
					 a.aliased != 0 };
	return status;
}

/* The buffer by its number; the others of struct ws_soft_ran as they stand. */
static void put_ran(struct ws_soft_sender *s, const struct ws_soft_ran *ran)
{
	struct ws_buf *m = start_message(s);
	uint64_t buffer = 0;

	while (ran->wrong && buffer < s->program->buffers &&
	       s->program->buffer[buffer].name != ran->buffer)
		buffer++;
	ws_put_u64(m, ran->left);
	ws_put_u64(m, ran->instructions[0]);
	ws_put_u64(m, ran->instructions[1]);
	ws_put_u64(m, ran->wrong);
	ws_put_u64(m, buffer);
	ws_put_u64(m, ran->byte);
	ws_put_u64(m, ran->fences);
	ws_put_bytes(m, ran->structure, ran->structures * sizeof *ran->structure);
}

static enum ws_status send_choice(void *context, const struct ws_soft_ran *ran, int32_t *line,
				  struct ws_err *err)
{
	struct ws_soft_sender *s = context;
	enum ws_status status;

	put_ran(s, ran);
	status = ws_port_send(s->port, WS_MSG_SOFT_CHOOSE, &s->message, err);
	return status == WS_OK ? ws_port_ask(s->port, line, ran->structures * sizeof *line, err)
			       : status;
}

static enum ws_status ran(void *context, const struct ws_soft_ran *ran, struct ws_err *err)
{
	struct ws_soft_sender *s = context;

	put_ran(s, ran);
	return ws_port_send(s->port, WS_MSG_SOFT_RAN, &s->message, err);
}

struct ws_soft_hooks ws_soft_sending(struct ws_soft_sender *s)
{
	return (struct ws_soft_hooks){ s, begin_launch, cta, send_step, next_cache, send_choice,
				       ran };
}

enum ws_status ws_soft_send_ir(struct ws_soft_sender *s, const struct ws_buf *ir,
			       struct ws_err *err)
{
	return ws_port_send(s->port, WS_MSG_SOFT_IR, ir, err);
}

void ws_soft_sender_clear(struct ws_soft_sender *s)
{
	ws_buf_clear(&s->message);
}

/* ---- in the caller -------------------------------------------------------------------------- */

struct ws_soft_taker {
	const struct ws_program *program;
	const struct ws_soft_hooks *hooks;
	struct ws_buf *ir;
	struct ws_launch launch;
	bool begun;
	uint64_t ctas;		/* begun, and 1 when all have ended */
	bool asked, runs;	/* for a cache; one runs, whose counts are due */
	bool chosen;
	/* A step of the launch: its mask, its addresses, and those by instruction. */
	uint64_t *mask, *address, **column;
	size_t threads, words;
	/* The cache that runs. */
	struct ws_soft_cache cache;
	struct ws_soft_tally *structure;
	int32_t *line;
};

static enum ws_status wrong(const char *what, struct ws_err *err)
{
	return ws_fail(err, WS_EINPUT, "what a kernel's process handed back is damaged: %s", what);
}

static void forget_taker(struct ws_soft_taker *t)
{
	ws_launch_clear(&t->launch);
	free(t->mask);
	free(t->address);
	free(t->column);
	free(t->structure);
	free(t->line);
	t->mask = t->address = NULL;
	t->column = NULL;
	t->structure = NULL;
	t->line = NULL;
	t->begun = t->asked = t->runs = t->chosen = false;
	t->ctas = 0;
}

static size_t largest_segment(const struct ws_launch *l)
{
	size_t most = 1;

	for (size_t i = 0; i < l->segments; i++)
		most = l->segment[i].count > most ? l->segment[i].count : most;
	return most;
}

static enum ws_status take_begin(struct ws_soft_taker *t, const uint8_t *data, size_t len,
				 struct ws_err *err)
{
	enum ws_status status;
	size_t most;

	forget_taker(t);
	status = ws_handover_get_launch(&t->launch, data, len, err);
	if (status != WS_OK)
		return status;
	t->threads = (size_t)ws_launch_threads(&t->launch);
	t->words = (t->threads + 63) / 64;
	most = largest_segment(&t->launch);
	t->mask = ws_alloc_zero(t->words, sizeof *t->mask);
	t->address = ws_alloc_zero(most, t->threads * sizeof *t->address);
	t->column = ws_alloc_zero(most, sizeof *t->column);
	t->structure = ws_alloc_zero(t->launch.arrays + 1, sizeof *t->structure);
	t->line = ws_alloc_zero(t->launch.arrays + 1, sizeof *t->line);
	if (!t->mask || !t->address || !t->column || !t->structure || !t->line)
		return ws_fail_memory(err, "a launch");
	for (size_t i = 0; i < most; i++)
		t->column[i] = t->address + i * t->threads;
	t->begun = true;
	return t->hooks->begin(t->hooks->context, &t->launch, err);
}

static uint64_t ctas_of(const struct ws_launch *l)
{
	return l->grid[0] * l->grid[1] * l->grid[2];
}

static enum ws_status take_cta(struct ws_soft_taker *t, struct ws_err *err)
{
	if (t->asked || t->ctas > ctas_of(&t->launch))
		return wrong("a CTA that is not the launch's", err);
	t->ctas++;
	t->hooks->cta(t->hooks->context);
	return WS_OK;
}

static enum ws_status take_step(struct ws_soft_taker *t, const uint8_t *data, size_t len,
				struct ws_err *err)
{
	struct ws_cursor c = { .p = data, .end = data + len };
	uint32_t segment = ws_get_u32(&c), lane = ws_get_u32(&c);
	struct ws_step step = { .segment = segment, .mask = t->mask, .words = t->words,
				.address = t->column };
	enum ws_status status;

	if (c.bad || t->asked || !t->ctas || t->ctas > ctas_of(&t->launch) ||
	    segment >= t->launch.segments || lane >= t->threads ||
	    len != 8 + sizeof(uint64_t) * (size_t)t->launch.segment[segment].count)
		return wrong("a step", err);
	for (size_t i = 0; i < t->launch.segment[segment].count; i++)
		t->column[i][lane] = ws_get_u64(&c);
	t->mask[lane / 64] = UINT64_C(1) << lane % 64;
	status = t->hooks->step(t->hooks->context, &step, err);
	t->mask[lane / 64] = 0;
	return status;
}

static enum ws_status take_next(struct ws_soft_taker *t, struct ws_buf *answer, struct ws_err *err)
{
	struct next_answer a = { 0 };
	bool more = false;
	enum ws_status status;

	if (t->runs || t->ctas != ctas_of(&t->launch) + 1)
		return wrong("a launch that has not ended", err);
	status = t->hooks->next(t->hooks->context, &t->cache, &more, err);
	t->asked = true;
	t->runs = more;
	t->chosen = false;
	if (more)
		a = (struct next_answer){ 1, t->cache.line_bytes, t->cache.threshold,
					  t->cache.lines, t->cache.aliased };
	ws_put_bytes(answer, &a, sizeof a);
	return status;
}

static bool get_ran(struct ws_soft_taker *t, const uint8_t *data, size_t len,
		    struct ws_soft_ran *ran)
{
	struct ws_cursor c = { .p = data, .end = data + len };
	size_t bytes = (t->launch.arrays + 1) * sizeof *t->structure;
	const uint8_t *structures;
	uint64_t buffer;

	*ran = (struct ws_soft_ran){ .cache = &t->cache, .structure = t->structure,
				     .structures = t->launch.arrays + 1 };
	ran->left = ws_get_u64(&c);
	ran->instructions[0] = ws_get_u64(&c);
	ran->instructions[1] = ws_get_u64(&c);
	ran->wrong = ws_get_u64(&c);
	buffer = ws_get_u64(&c);
	ran->byte = ws_get_u64(&c);
	ran->fences = ws_get_u64(&c) != 0;
	structures = ws_get_bytes(&c, bytes);
	if (c.bad || c.p != c.end || (ran->wrong && buffer >= t->program->buffers))
		return false;
	memcpy(t->structure, structures, bytes);
	ran->buffer = ran->wrong ? t->program->buffer[buffer].name : NULL;
	return true;
}

static enum ws_status take_ran(struct ws_soft_taker *t, enum ws_message type, const uint8_t *data,
			       size_t len, struct ws_buf *answer, struct ws_err *err)
{
	size_t structures = t->launch.arrays + 1;
	struct ws_soft_ran ran;
	enum ws_status status;

	if (!t->runs || (type == WS_MSG_SOFT_CHOOSE && t->chosen) || !get_ran(t, data, len, &ran))
		return wrong("counts of a software cache", err);
	t->chosen = true;
	if (type == WS_MSG_SOFT_RAN) {
		t->runs = false;
		return t->hooks->ran(t->hooks->context, &ran, err);
	}
	memset(t->line, 0xff, structures * sizeof *t->line);
	status = t->hooks->choose(t->hooks->context, &ran, t->line, err);
	ws_put_bytes(answer, t->line, structures * sizeof *t->line);
	return status;
}

enum ws_status ws_soft_take(struct ws_soft_taker *t, enum ws_message type, const uint8_t *data,
			    size_t len, struct ws_buf *answer, struct ws_err *err)
{
	if (type == WS_MSG_SOFT_BEGIN)
		return take_begin(t, data, len, err);
	if (type == WS_MSG_SOFT_IR && t->ir && !t->ir->len) {
		ws_put_bytes(t->ir, data, len);
		return t->ir->failed ? ws_fail_memory(err, "a kernel's text") : WS_OK;
	}
	if (!t->begun)
		return wrong("no launch", err);
	switch (type) {
	case WS_MSG_SOFT_CTA:
		return take_cta(t, err);
	case WS_MSG_SOFT_STEP:
		return take_step(t, data, len, err);
	case WS_MSG_SOFT_NEXT:
		return take_next(t, answer, err);
	case WS_MSG_SOFT_CHOOSE:
	case WS_MSG_SOFT_RAN:
		return take_ran(t, type, data, len, answer, err);
	default:
		return wrong("an unknown message", err);
	}
}

enum ws_status ws_soft_taker_new(struct ws_soft_taker **out, const struct ws_program *p,
				 const struct ws_soft_hooks *hooks, struct ws_buf *ir,
				 struct ws_err *err)
{
	struct ws_soft_taker *t = ws_alloc_zero(1, sizeof *t);

	*out = t;
	if (!t)
		return ws_fail_memory(err, "a software cache's run");
	t->program = p;
	t->hooks = hooks;
	t->ir = ir;
	return WS_OK;
}

void ws_soft_taker_free(struct ws_soft_taker *t)
{
	if (t)
		forget_taker(t);
	free(t);
}
