/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-windows.c -- the windows recorder against one that walks every window
 * (tests/ref/windows.h), on random streams; its inner loops against counting pairs.
 */
#include "stackdist/record/windows.h"
#include "tests/ref/windows.h"
#include "tests/test.h"

#define LONGEST 30000u
#define LINES_MOST 600u
#define SMS 3u

struct stream {			/* of one SM */
	struct ws_request request[LONGEST];
	uint32_t id[LONGEST], set[LONGEST];
	uint8_t type[LONGEST];
	size_t count, done;
	unsigned sets, lines;
};

/* ---- streams -------------------------------------------------------------------------- */

struct maker {
	struct ws_rng rng;
	struct stream *s;
	uint32_t id[LINES_MOST], set[LINES_MOST]; /* by line */
	uint32_t stack[LINES_MOST + 1];	/* lines of all sets by latest use */
	unsigned in_stack;
	uint32_t ids;
	enum ws_write write;
	unsigned stores;	/* share in 1/16 */
	int fixed;		/* type of all finite positions; -1: as found; -2: any */
};

/* Where the line is in the stack of its set, and takes it out. */
static uint32_t find(struct maker *m, uint32_t line, bool *there)
{
	uint32_t position = 0;

	*there = false;
	for (unsigned i = 0; i < m->in_stack; i++) {
		if (m->stack[i] == line) {
			memmove(m->stack + i, m->stack + i + 1,
				(--m->in_stack - i) * sizeof m->stack[0]);
			*there = true;
			return position;
		}
		position += m->set[m->stack[i]] == m->set[line];
	}
	return position;
}

static void put(struct maker *m, uint32_t line)
{
	memmove(m->stack + 1, m->stack, m->in_stack++ * sizeof m->stack[0]);
	m->stack[0] = line;
}

static uint8_t retype(struct maker *m, uint8_t type)
{
	if (type >= WS_BINS || m->fixed == -1)
		return type;
	return (uint8_t)(m->fixed < 0 ? ws_rng_below(&m->rng, WS_BINS) : (unsigned)m->fixed);
}

static void make_one(struct maker *m, size_t i)
{
	struct stream *s = m->s;
	uint32_t line = (uint32_t)ws_rng_below(&m->rng, s->lines);
	bool store = ws_rng_below(&m->rng, 16) < m->stores, there;
	bool allocates = !store || m->write == WS_WRITE_BACK ||
			 m->write == WS_WRITE_THROUGH_ALLOCATE;
	uint32_t position;

	if (ws_rng_below(&m->rng, 3))
		line = (uint32_t)ws_rng_below(&m->rng, 1 + line / 8);
	s->request[i] = (struct ws_request){
		.kind = ws_rng_below(&m->rng, 20) == 0 ? WS_ATOMIC : store ? WS_STORE : WS_LOAD,
	};
	s->set[i] = m->set[line];
	s->id[i] = s->request[i].kind == WS_ATOMIC ? UINT32_MAX : m->id[line];
	position = WS_DISTANCE_UNCACHED;
	if (s->request[i].kind != WS_ATOMIC) {
		position = find(m, line, &there);
		if (!there)
			position = m->id[line] == UINT32_MAX ? WS_DISTANCE_COLD :
				WS_DISTANCE_UNCACHED;
		if (allocates && m->id[line] == UINT32_MAX)
			s->id[i] = m->id[line] = m->ids++;
		if (allocates || (there && m->write == WS_WRITE_THROUGH))
			put(m, line);
	}
	ws_types(m->write, s->request + i, s->id + i, &position, 1, s->type + i);
	s->type[i] = retype(m, s->type[i]);
}

static void make(struct stream *s, struct ws_rng *rng, size_t count, unsigned sets)
{
	static struct maker m;
	static const int fixed[] = { -1, -1, -2, -2, 0, 60 };

	m = (struct maker){ .rng = *rng, .s = s };
	s->count = count;
	s->done = 0;
	s->sets = sets;
	s->lines = 1 + (unsigned)ws_rng_below(&m.rng, 1u << ws_rng_below(&m.rng, 10));
	s->lines = s->lines < LINES_MOST ? s->lines : LINES_MOST;
	m.write = (enum ws_write)ws_rng_below(&m.rng, 4);
	m.stores = (unsigned)ws_rng_below(&m.rng, 8);
	m.fixed = fixed[ws_rng_below(&m.rng, WS_COUNT(fixed))];
	for (unsigned i = 0; i < s->lines; i++) {
		m.id[i] = UINT32_MAX;
		m.set[i] = (uint32_t)ws_rng_below(&m.rng, s->sets);
	}
	for (size_t i = 0; i < count; i++)
		make_one(&m, i);
	*rng = m.rng;
}

/* ---- recorders --------------------------------------------------------------------------- */

static struct ws_batch rest(const struct stream *s, size_t count)
{
	return (struct ws_batch){ .count = count, .request = s->request + s->done,
				  .id = s->id + s->done, .set = s->set + s->done,
				  .type = s->type + s->done };
}

/* What is counted goes to one of two places, by batch, as if two threads took turns. */
static bool record(struct stream *s, unsigned sms, struct ws_rng *rng, struct ws_detail *to)
{
	struct ws_windows *w[SMS] = { NULL };
	uint64_t most = 1 + ws_rng_below(rng, 1u << ws_rng_below(rng, 14));
	unsigned left = sms;
	bool ok = true;

	for (unsigned i = 0; i < sms; i++)
		ok = ok && !ws_windows_new(w + i, s[i].sets, NULL);
	while (left && ok) {
		unsigned i = (unsigned)ws_rng_below(rng, sms), place = ws_rng_below(rng, 2) != 0;
		size_t n = s[i].count - s[i].done;
		struct ws_batch b;

		if (!w[i])
			continue;
		b = rest(s + i, n < most ? n : 1 + ws_rng_below(rng, most));
		ok = !ws_windows_push(w[i], &b, to + place, NULL);
		s[i].done += b.count;
		if (s[i].done < s[i].count)
			continue;
		ws_windows_end(w[i], to + place);
		ws_windows_free(w[i]);
		w[i] = NULL;
		left--;
	}
	for (unsigned i = 0; i < sms; i++)
		ws_windows_free(w[i]);
	return ok;
}

#define SAME(a, b, field) (!memcmp((a)->field, (b)->field, sizeof((a)->field)) || differ(#field))

static bool differ(const char *field)
{
	printf("# %s differs\n", field);
	return false;
}

static bool same(const struct ws_detail *a, const struct ws_detail *b)
{
	return SAME(a, b, references) && SAME(a, b, time) && SAME(a, b, within) &&
	       SAME(a, b, previous) && SAME(a, b, end_count) && SAME(a, b, end_time) &&
	       SAME(a, b, end_within) && SAME(a, b, end_previous);
}

/* Room for all that is compared: of the recorder's two places, and of the reference. */
struct table {
	struct stream stream[SMS];
	struct ws_detail got[2], want;
};

static bool compare(struct table *t, unsigned sms, struct ws_rng *rng)
{
	bool ok = true;

	memset(t->got, 0, sizeof t->got);
	memset(&t->want, 0, sizeof t->want);
	for (unsigned i = 0; i < sms; i++) {
		struct ws_batch b = rest(t->stream + i, t->stream[i].count);

		ok = ok && ref_windows(&b, &t->want);
	}
	ok = ok && record(t->stream, sms, rng, t->got);
	return ok && !ws_detail_add(t->got, t->got + 1, NULL) && same(t->got, &t->want);
}

static void test_streams(const char *what, unsigned times, size_t longest, struct table *t,
			 struct ws_rng *rng)
{
	unsigned bad = 0, i;
	size_t references = 0;

	for (i = 0; i < times && !bad; i++) {
		unsigned sms = 1 + (unsigned)ws_rng_below(rng, SMS);
		unsigned sets = 1 + (unsigned)ws_rng_below(rng, 1u << ws_rng_below(rng, 7));

		if (ws_rng_below(rng, 4) == 0)
			sets = 1;
		for (unsigned j = 0; j < sms; j++) {
			size_t n = 1 + ws_rng_below(rng, longest);

			n = ws_rng_below(rng, 4) ? n : n >> ws_rng_below(rng, 10);
			make(t->stream + j, rng, n, sets);
			references += t->stream[j].count;
		}
		bad = !compare(t, sms, rng);
		if (bad)
			printf("# stream %u: %u SMs, %u sets\n", i, sms, sets);
	}
	test_ok(!bad, "%s: %u random streams, %zu requests, are counted as the reference counts "
		"them", what, i, references);
}

/* Two lines in turn, a third between now and then, on one set: the windows of the third are
 * blocks apart, and sums of equal types run as high as they can. */
static void test_extremes(struct table *t, struct ws_rng *rng)
{
	bool ok = true;

	for (unsigned rare = 100; rare < 3000 && ok; rare = rare * 7 / 3 + 1) {
		struct stream *s = t->stream;

		s->count = 20000;
		s->done = 0;
		s->sets = 1;
		for (uint32_t i = 0; i < s->count; i++) {
			uint32_t line = i % rare == 0 ? 2 : i % 2;
			bool cold = i < 3;

			line = cold ? 2 - i : line;
			s->id[i] = 2 - line;
			s->set[i] = 0;
			s->request[i] = (struct ws_request){ .kind = WS_LOAD };
			s->type[i] = (uint8_t)(cold ? WS_TYPE_COLD : line == 2 ? 1 : 0);
		}
		ok = compare(t, 1, rng);
	}
	test_ok(ok, "few lines and few types, windows across many blocks");
}

/* Loads of 100 lines in turn, each thrown out now and then: a handful of blocks at any time. */
static void test_room(struct table *t)
{
	struct stream *s = t->stream;
	struct ws_windows *w = NULL;
	struct ws_batch b;
	bool ok = !ws_windows_new(&w, 1, NULL);

	memset(t->got, 0, sizeof t->got);
	s->count = 25600;
	s->done = 0;
	for (uint32_t i = 0; i < s->count; i++) {
		uint32_t turn = i / 100;

		s->id[i] = i % 100;
		s->set[i] = 0;
		s->request[i] = (struct ws_request){ .kind = WS_LOAD };
		s->type[i] = turn == 0 ? WS_TYPE_COLD : turn % 256 == 255 ? WS_TYPE_EVICT : 20;
	}
	for (int i = 0; i < 20 && ok; i++) {
		b = rest(s, s->count);
		ok = !ws_windows_push(w, &b, t->got, NULL) && w->blocks <= 4;
		for (unsigned j = 0; j < 100; j++)
			s->type[j] = WS_TYPE_RELOAD;
	}
	test_ok(ok, "blocks are used again: 512000 references in 4 of them");
	ws_windows_free(w);
}

static void test_nothing(struct table *t)
{
	struct ws_windows *w = NULL;
	struct ws_batch none = { .count = 0 };
	bool ok = !ws_windows_new(&w, 7, NULL);

	memset(t->got, 0, sizeof t->got);
	memset(&t->want, 0, sizeof t->want);
	ok = ok && !ws_windows_push(w, &none, t->got, NULL);
	if (ok)
		ws_windows_end(w, t->got);
	ws_windows_free(w);
	ws_windows_free(NULL);
	test_ok(ok && same(t->got, &t->want), "no references, no windows");
}

/* ---- inner loops --------------------------------------------------------------------------- */

struct block {
	uint8_t type[WS_LOG_BLOCK], end[WS_LOG_BLOCK];
	unsigned count;
};

static void make_block(struct block *b, struct ws_rng *rng)
{
	unsigned few = 1 + (unsigned)ws_rng_below(rng, WS_TYPES), odd;

	b->count = (unsigned)ws_rng_below(rng, WS_LOG_BLOCK + 1);
	b->count = ws_rng_below(rng, 3) ? b->count : WS_LOG_BLOCK;
	few = ws_rng_below(rng, 3) ? few : 1;
	odd = ws_rng_below(rng, 3) ? 8 : 1;	/* 1: as unequal as can be */
	for (unsigned k = 0; k < b->count; k++) {
		b->type[k] = (uint8_t)ws_rng_below(rng, few);
		b->end[k] = (uint8_t)ws_rng_below(rng, few);
		if (ws_rng_below(rng, odd) == 0)
			b->end[k] = few % 2 ? WS_TYPES - 1 : WS_END_LIVE;
		if (ws_rng_below(rng, 2 * odd) == 0)
			b->end[k] = WS_END_NONE;
	}
}

static bool windowless(unsigned type)
{
	return type == WS_TYPE_COLD || type == WS_TYPE_RELOAD;
}

static void count_pairs(const struct block *b, uint64_t *within, uint64_t *time, int *excess)
{
	for (unsigned k = 0; k < b->count; k++) {
		for (unsigned q = 0; q <= k; q++) {
			if (q < k && !windowless(b->type[k])) {
				within[b->type[k] * WS_TYPES + b->type[q]]++;
				time[b->type[k]]++;
			}
			if (b->end[k] < WS_TYPES && !windowless(b->end[k])) {
				within[b->end[k] * WS_TYPES + b->type[q]]--;
				time[b->end[k]]--;
			}
		}
		excess[b->type[k]]++;
		if (b->end[k] < WS_TYPES)
			excess[b->end[k]]--;
	}
}

struct square {
	uint64_t within[WS_TYPES * WS_TYPES], time[WS_TYPES];
};

static void test_walk(const struct ws_pairs_loops *loops, unsigned times, struct ws_rng *rng)
{
	struct square *got = ws_alloc_zero(1, sizeof *got), *want = ws_alloc_zero(1, sizeof *got);
	struct block *b = ws_alloc_zero(1, sizeof *b);
	struct ws_pairs p;
	bool ok = ws_pairs_new(&p) && got && want && b;

	for (unsigned i = 0; i < times && ok; i++) {
		int16_t excess[WS_TYPES];
		int wanted[WS_TYPES] = { 0 };

		if (i % 16 == 0)
			make_block(b, rng);
		p.to = (struct ws_pairs_to){ got->within, got->time };
		loops->walk(&p, b->type, b->end, b->count, excess);
		count_pairs(b, want->within, want->time, wanted);
		for (unsigned j = 0; j < WS_TYPES; j++)
			ok = ok && excess[j] == wanted[j];
	}
	if (ok) {
		ws_pairs_flush(&p);
		ok = !memcmp(got, want, sizeof *got);
	}
	ws_pairs_clear(&p);
	free(b);
	free(got);
	free(want);
	test_ok(ok, "%s: pairs of types in %u blocks", loops->name, times);
}

static void test_product(const struct ws_pairs_loops *loops, bool large, struct ws_rng *rng)
{
	uint64_t row[WS_TYPES], want[WS_TYPES], factor[WS_TYPES];
	bool ok = true;

	for (int i = 0; i < 1000 && ok; i++) {
		int by = (int)ws_rng_below(rng, 65535) - 32767;

		for (unsigned j = 0; j < WS_TYPES; j++) {
			want[j] = row[j] = ws_rng_u64(rng);
			factor[j] = ws_rng_u64(rng) >> (large ? 0 : 33);
			want[j] += factor[j] * (uint64_t)(int64_t)by;
		}
		loops->add_product(row, factor, by);
		ok = !memcmp(row, want, sizeof(row));
	}
	test_ok(ok, "%s: products%s", loops->name, large ? " of 64 bits" : "");
}

static void test_loops(struct ws_rng *rng)
{
	for (int simd = WS_SIMD_NONE; simd <= WS_SIMD_AVX512; simd++) {
		const struct ws_pairs_loops *loops = ws_pairs_version((enum ws_simd)simd);

		if (!loops || simd > (int)ws_cpu_simd()) {
			test_skip("vector loops", "this processor or build has none of them");
			continue;
		}
		test_walk(loops, 480, rng);
		test_product(loops, false, rng);
		if (simd == WS_SIMD_NONE)
			test_product(loops, true, rng);
	}
}

int main(void)
{
	uint64_t seed = test_seed(20250314);
	struct table *t = ws_alloc_zero(1, sizeof *t);
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	if (!t)
		return 1;
	test_nothing(t);
	test_room(t);
	test_loops(&rng);
	test_extremes(t, &rng);
	test_streams("short", 2000, 60, t, &rng);
	test_streams("medium", 300, 1500, t, &rng);
	test_streams("long", 4, LONGEST, t, &rng);
	free(t);
	return test_done();
}
