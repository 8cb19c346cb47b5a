/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages of processes that run kernels, damaged at random or out of order: refused or taken,
 * never more.  The processes: t-child.c.
 */
#include "tests/test.h"
#include "tests/trace/wstfile.h"
#include "trace/capture/child.h"
#include "trace/capture/soft_remote.h"
#include "trace/format/handover.h"

/* ---- of launches and their steps ---------------------------------------------------------- */

/* A few bytes are others, gone, or there twice. */
static void damage(struct ws_rng *rng, struct ws_buf *b)
{
	for (uint64_t i = pick(rng, 1, 4); i && b->len; i--) {
		size_t at = (size_t)ws_rng_below(rng, b->len);

		switch (ws_rng_below(rng, 6)) {
		case 0:
			b->len = at;
			break;
		case 1:
			b->data[at] ^= (uint8_t)(1u << ws_rng_below(rng, 8));
			break;
		case 2:
			b->data[at] = one_in(rng, 2) ? 0xff : 0;
			break;
		case 3:
			memmove(b->data + at, b->data + at + 1, --b->len - at);
			break;
		case 4:
			ws_put_bytes(b, (uint8_t[]){ 0xff, 0x7f, 0, 1 }, 1 + ws_rng_below(rng, 4));
			break;
		default:
			for (size_t k = at; k < at + 8 && k < b->len; k++)
				b->data[k] = (uint8_t)ws_rng_u64(rng);
		}
	}
}

/* What a trace holds: its launches, and their chunks with the counts of accesses. */
struct messages {
	struct ws_buf message[64];
	enum ws_message type[64];
	size_t count;
};

static struct ws_buf *add(struct messages *m, enum ws_message type)
{
	must(m->count < WS_COUNT(m->message), "too many messages");
	m->type[m->count] = type;
	return &m->message[m->count++];
}

static void clear(struct messages *m)
{
	for (size_t i = 0; i < m->count; i++)
		ws_buf_clear(&m->message[i]);
}

static void put_chunks(struct messages *m, const struct ws_launch *l, uint64_t seed)
{
	struct ws_buf data = { 0 }, packed = { 0 };
	struct ws_encoder *e;
	struct steps s;

	steps_new(&s);
	must(!ws_encoder_new(&e, l, NULL), "ws_encoder_new");
	for (uint64_t cta = 0; cta < l->ctas && m->count < WS_COUNT(m->message) - 1; cta++) {
		uint64_t len, accesses[WS_KINDS] = { 0 };

		data.len = packed.len = 0;
		ws_encoder_begin(e);
		steps_begin(&s, l, seed + cta);
		while (steps_next(&s))
			ws_encoder_step(e, s.segment, s.mask, (const uint64_t *const *)s.address);
		must(!ws_encoder_end(e, &data, accesses, NULL), "ws_encoder_end");
		len = data.len;
		must(!ws_chunk_pack(&packed, 0, cta, &data, &len, 1, NULL), "ws_chunk_pack");
		ws_handover_put_chunk(add(m, WS_MSG_CHUNK), &packed, cta, 1, accesses);
	}
	ws_encoder_free(e);
	steps_free(&s);
	ws_buf_clear(&data);
	ws_buf_clear(&packed);
}

/* The messages as they are, or one of them damaged: into a file that goes nowhere. */
static enum ws_status hand_over(struct messages *m, struct ws_err *err)
{
	struct ws_out out = { .file = fopen("/dev/null", "w") };
	struct ws_trace_writer *w;
	enum ws_status status = WS_OK;

	must(out.file && !ws_trace_writer_new(&w, &out, NULL), "ws_trace_writer_new");
	for (size_t i = 0; i < m->count && status == WS_OK; i++) {
		/* Of just the size: what reads too far is found. */
		size_t len = m->message[i].len;
		uint8_t *copy = malloc(len ? len : 1);

		must(copy, "malloc");
		memcpy(copy, m->message[i].data, len);
		status = m->type[i] == WS_MSG_LAUNCH ? ws_handover_take_launch(w, copy, len, err)
						     : ws_handover_take_chunk(w, copy, len, err);
		free(copy);
	}
	ws_trace_writer_free(w);
	fclose(out.file);
	return status;
}

static void damaged_handover(uint64_t seed)
{
	int whole = 0, refused = 0, other = 0;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (int i = 0; i < 200; i++) {
		struct ws_launch l = random_launch(&rng);
		struct messages m = { .count = 0 };
		struct ws_err err = { 0 };

		ws_handover_put_launch(add(&m, WS_MSG_LAUNCH), &l);
		put_chunks(&m, &l, seed + (uint64_t)i);
		whole += hand_over(&m, &err) == WS_OK;
		for (int k = 0; k < 20; k++) {
			struct ws_buf *b = &m.message[ws_rng_below(&rng, m.count)];
			struct ws_buf kept = *b;
			struct ws_err why = { 0 };
			enum ws_status status;

			*b = (struct ws_buf){ 0 };
			ws_put_bytes(b, kept.data, kept.len);
			damage(&rng, b);
			status = hand_over(&m, &why);
			refused += status == WS_EINPUT && why.text[0];
			other += status != WS_EINPUT && status != WS_OK;
			ws_buf_clear(b);
			*b = kept;
		}
		clear(&m);
		ws_launch_clear(&l);
	}
	test_ok(whole == 200, "%d traces of 200 are taken as they are", whole);
	test_ok(refused > 2000 && !other, "4000 damaged: %d refused, %d errors of another kind",
		refused, other);
}

/* ---- of a software cache -------------------------------------------------------------- */

struct soft {			/* looks at all it is passed */
	const struct ws_launch *launch;
	uint64_t sum;
	int caches;
};

static enum ws_status soft_begin(void *context, const struct ws_launch *l, struct ws_err *err)
{
	struct soft *s = context;

	(void)err;
	s->launch = l;
	s->caches = 2;
	return WS_OK;
}

static void soft_cta(void *context)
{
	((struct soft *)context)->sum++;
}

static enum ws_status soft_step(void *context, const struct ws_step *step, struct ws_err *err)
{
	struct soft *s = context;

	(void)err;
	for (size_t lane = 0; lane < step->words * 64; lane++) {
		for (uint32_t i = 0;
		     is_active(step->mask, lane) && i < s->launch->segment[step->segment].count;
		     i++)
			s->sum += step->address[i][lane];
	}
	return WS_OK;
}

static enum ws_status soft_next(void *context, struct ws_soft_cache *cache, bool *more,
				struct ws_err *err)
{
	struct soft *s = context;

	(void)err;
	*cache = (struct ws_soft_cache){ .line_bytes = 64, .threshold = 4, .lines = 2 };
	*more = s->caches-- > 0;
	return WS_OK;
}

static enum ws_status soft_choose(void *context, const struct ws_soft_ran *ran, int32_t *line,
				  struct ws_err *err)
{
	(void)err;
	for (size_t i = 0; i < ran->structures; i++) {
		((struct soft *)context)->sum += ran->structure[i].monitored;
		line[i] = (int32_t)i;
	}
	return WS_OK;
}

static enum ws_status soft_ran(void *context, const struct ws_soft_ran *ran, struct ws_err *err)
{
	(void)err;
	((struct soft *)context)->sum += ran->wrong ? strlen(ran->buffer) : ran->cache->line_bytes;
	return WS_OK;
}

/* What a child sends, in order: a launch, CTAs with steps, caches. */
static void put_soft(struct messages *m, const struct ws_launch *l, struct ws_rng *rng)
{
	size_t counts = 7 * sizeof(uint64_t) + (l->arrays + 1) * sizeof(struct ws_soft_tally);
	uint64_t ctas = l->grid[0] * l->grid[1] * l->grid[2];
	struct ws_buf *b;

	ws_handover_put_launch(add(m, WS_MSG_SOFT_BEGIN), l);
	for (uint64_t i = 0; i <= ctas; i++) {
		add(m, WS_MSG_SOFT_CTA);
		if (i == ctas || one_in(rng, 2))
			continue;
		b = add(m, WS_MSG_SOFT_STEP);
		ws_put_u32(b, (uint32_t)ws_rng_below(rng, l->segments));
		ws_put_u32(b, 0);
		for (uint32_t k = 0; k < l->segment[b->data[0]].count; k++)
			ws_put_u64(b, ws_rng_u64(rng));
	}
	for (int i = 0; i < 2; i++) {
		add(m, WS_MSG_SOFT_NEXT);
		for (int k = 0; k < 2; k++) {
			b = add(m, k ? WS_MSG_SOFT_RAN : WS_MSG_SOFT_CHOOSE);
			while (b->len < counts)
				ws_put_u64(b, 0);
		}
	}
	add(m, WS_MSG_SOFT_NEXT);
	ws_put_bytes(add(m, WS_MSG_SOFT_IR), "text", 4);
}

static enum ws_status soft_take(struct messages *m, struct ws_err *err)
{
	char name[2][2] = { "A", "B" };
	struct ws_buffer buffer[2] = { { .name = name[0] }, { .name = name[1] } };
	const struct ws_program p = { .buffer = buffer, .buffers = 2 };
	struct soft s = { .sum = 0 };
	const struct ws_soft_hooks hooks = { &s, soft_begin, soft_cta, soft_step, soft_next,
					     soft_choose, soft_ran };
	struct ws_buf ir = { 0 }, answer = { 0 };
	struct ws_soft_taker *t;
	enum ws_status status = ws_soft_taker_new(&t, &p, &hooks, &ir, err);

	for (size_t i = 0; i < m->count && status == WS_OK; i++) {
		size_t len = m->message[i].len;
		uint8_t *copy = malloc(len ? len : 1);

		must(copy, "malloc");
		if (len)
			memcpy(copy, m->message[i].data, len);
		answer.len = 0;
		status = ws_soft_take(t, m->type[i], copy, len, &answer, err);
		free(copy);
	}
	ws_soft_taker_free(t);
	ws_buf_clear(&ir);
	ws_buf_clear(&answer);
	return status;
}

/* A message is damaged, of another kind, gone, or there twice. */
static void confuse(struct ws_rng *rng, struct messages *m)
{
	size_t i = (size_t)ws_rng_below(rng, m->count), k = (size_t)ws_rng_below(rng, m->count);
	struct ws_buf other = m->message[k];
	enum ws_message type = m->type[k];

	switch (ws_rng_below(rng, 4)) {
	case 0:
		m->type[i] = (enum ws_message)ws_rng_below(rng, WS_MSG_SOFT_IR + 2);
		break;
	case 1:
		m->message[k] = m->message[i];
		m->message[i] = other;
		m->type[k] = m->type[i];
		m->type[i] = type;
		break;
	case 2:
		ws_buf_clear(&m->message[i]);
		m->message[i] = m->message[--m->count];
		m->type[i] = m->type[m->count];
		break;
	default:
		damage(rng, &m->message[i]);
	}
}

static void damaged_soft(uint64_t seed)
{
	int whole = 0, refused = 0, other = 0;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (int i = 0; i < 5000; i++) {
		struct ws_launch l = random_launch(&rng);
		struct messages m = { .count = 0 };
		struct ws_err err = { 0 };
		enum ws_status status;

		put_soft(&m, &l, &rng);
		if (i % 10)
			confuse(&rng, &m);
		status = soft_take(&m, &err);
		whole += i % 10 == 0 && status == WS_OK;
		refused += i % 10 && status == WS_EINPUT && err.text[0];
		other += status != WS_OK && status != WS_EINPUT;
		clear(&m);
		ws_launch_clear(&l);
	}
	test_ok(whole == 500, "%d runs of 500 are taken as they are", whole);
	test_ok(refused > 2000 && !other, "4500 confused: %d refused, %d errors of another kind",
		refused, other);
}

/* What is right by itself, in an order that no child has. */
static void out_of_order(const char *what, const int *type, size_t count)
{
	struct ws_launch l;
	struct messages all = { .count = 0 }, m = { .count = 0 };
	struct ws_err err = { 0 };
	struct ws_rng rng;
	enum ws_status status;

	ws_rng_seed(&rng, 1);
	l = random_launch(&rng);
	l.ctas = l.grid[0] = l.grid[1] = l.grid[2] = 1;
	put_soft(&all, &l, &rng);
	for (size_t i = 0; i < count; i++) {
		struct ws_buf *b = add(&m, (enum ws_message)type[i]);

		for (size_t k = 0; k < all.count; k++) {
			if ((int)all.type[k] == type[i] && !b->len)
				ws_put_bytes(b, all.message[k].data, all.message[k].len);
		}
	}
	status = soft_take(&m, &err);
	test_ok(status == WS_EINPUT, "%s: got '%s'", what, err.text);
	clear(&m);
	clear(&all);
	ws_launch_clear(&l);
}

#define ORDER(what, ...) \
	out_of_order(what, (const int[]){ __VA_ARGS__ }, \
		     sizeof((const int[]){ __VA_ARGS__ }) / sizeof(int))

static void orders(void)
{
	enum { b = WS_MSG_SOFT_BEGIN, c = WS_MSG_SOFT_CTA, n = WS_MSG_SOFT_NEXT,
	       r = WS_MSG_SOFT_RAN, h = WS_MSG_SOFT_CHOOSE, ir = WS_MSG_SOFT_IR };

	ORDER("a CTA before the launch", c);
	ORDER("a CTA too many", b, c, c, c);
	ORDER("a cache before the CTAs have ended", b, c, n);
	ORDER("counts without a cache", b, c, c, r);
	ORDER("a choice without a cache", b, c, c, h);
	ORDER("counts twice", b, c, c, n, h, r, r);
	ORDER("a choice twice", b, c, c, n, h, h);
	ORDER("a cache before the last one's counts", b, c, c, n, n);
	ORDER("a CTA behind a cache", b, c, c, n, c);
	ORDER("counts behind the last cache", b, c, c, n, r, n, r, n, r);
	ORDER("two texts", ir, ir);
}

int main(void)
{
	uint64_t seed = test_seed(1);

	damaged_handover(seed);
	damaged_soft(seed);
	orders();
	return test_done();
}
