/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread-private software cache: the derived counts, the simulated ones and a slow
 * reference's, on random launches with barriers, atomics, wide and unaligned accesses; the choice,
 * the registers and the lines of the worked example of its text.
 */
#include "tests/softcache/softcase.h"

/* ---- three ways ----------------------------------------------------------------------- */

static struct ws_soft_record *recorded(const struct fixture *f, const struct ws_soft *by_thread)
{
	struct ws_soft_record *r;

	must(ws_soft_record_new(&r, &f->launch, by_thread, NULL) == WS_OK);
	for (size_t i = 0; by_thread && i < f->ctas * f->steps; i++)
		ws_soft_record_stores(r, &f->step[i]);
	for (size_t i = 0; i < f->ctas * f->steps; i++) {
		if (i % f->steps == 0)
			ws_soft_record_cta(r);
		must(ws_soft_record_step(r, &f->step[i], NULL) == WS_OK);
	}
	ws_soft_record_cta(r);
	return r;
}

static void simulated(const struct fixture *f, const struct ws_soft *soft,
		      struct ws_soft_result *out)
{
	struct ws_softsim *s;

	must(ws_softsim_new(&s, &f->launch, soft, NULL) == WS_OK);
	for (int turn = 0; turn < 2; turn++) {
		for (size_t i = 0; i < f->ctas * f->steps; i++) {
			if (i % f->steps == 0)
				must(ws_softsim_cta(s, NULL) == WS_OK);
			ws_softsim_step(s, &f->step[i]);
		}
		must((turn ? ws_softsim_cta(s, NULL) : ws_softsim_choose(s, NULL)) == WS_OK);
	}
	ws_softsim_result(s, out);
	ws_softsim_free(s);
}

static bool same(const struct ws_soft_result *a, const struct ws_soft_result *b)
{
	bool equal = a->parts == b->parts && a->chosen == b->chosen && a->barriers == b->barriers &&
		     a->past == b->past && a->instructions == b->instructions &&
		     a->extra == b->extra;

	for (size_t i = 0; equal && i < a->parts; i++) {
		const struct ws_soft_part *p = &a->part[i], *q = &b->part[i];

		equal = p->array == q->array && p->rank == q->rank && p->why == q->why &&
			p->writable == q->writable && p->threads == q->threads &&
			memcmp(&p->counts, &q->counts, sizeof p->counts) == 0;
	}
	return equal;
}

static bool as_reference(const struct ws_soft_result *r, const struct ref_soft_counts *want)
{
	size_t seen = 0, all = 0;

	for (size_t i = 0; i < r->parts; i++) {
		const struct ws_soft_part *p = &r->part[i];
		const struct ws_soft_counts *c = &p->counts;
		const struct ref_soft_counts *w =
			&want[p->array == WS_NO_ARRAY ? ARRAYS : p->array];

		seen++;
		if (c->monitored != w->monitored || c->monitor_hits != w->monitor_hits ||
		    c->hits[0] != w->hits[0] || c->hits[1] != w->hits[1] ||
		    c->misses[0] != w->misses[0] || c->misses[1] != w->misses[1] ||
		    c->write_backs != w->write_backs ||
		    c->write_back_bytes != w->write_back_bytes || c->direct[0] != w->direct[0] ||
		    c->direct[1] != w->direct[1] || c->direct[2] != w->direct[2] ||
		    (p->why == WS_SOFT_CHOSEN) != w->chosen || p->writable != w->stored)
			return false;
	}
	for (size_t i = 0; i <= ARRAYS; i++)
		all += want[i].monitored || want[i].direct[0] || want[i].direct[1] ||
		       want[i].direct[2] || want[i].hits[0] || want[i].misses[0] ||
		       want[i].hits[1] || want[i].misses[1];
	return seen == all;
}

/* Monitoring without an end is a line of its own for each structure. */
static bool all_lines(const struct fixture *f, const struct ws_soft_record *r, unsigned k)
{
	struct ref_soft_counts want[ARRAYS + 1] = { 0 };
	bool equal = ref_soft(f->thread, f->ctas * f->threads, ARRAYS, MEMORY, UINT64_C(1) << k,
			      UINT64_MAX, 0, false, want, NULL);

	for (size_t i = 0; i <= ARRAYS; i++) {
		uint64_t hits[WS_SOFT_SIZES], look_ups[WS_SOFT_SIZES];

		ws_soft_lines(r, i, hits, look_ups);
		equal = equal && hits[k] == want[i].monitor_hits &&
			(f->plain && k >= 4 ? look_ups[k] == want[i].monitored
					    : look_ups[k] >= want[i].monitored);
	}
	return equal;
}

static void one_round(struct ws_rng *rng, unsigned *rounds, unsigned *agree, unsigned *exact,
		      unsigned *data, uint64_t hits[2])
{
	struct fixture f;
	struct ws_soft_record *r;

	fixture_init(&f, rng);
	r = recorded(&f, NULL);
	for (unsigned k = 0; k < WS_SOFT_SIZES; k++) {
		struct ws_soft soft = { .line_bytes = UINT64_C(1) << k,
					.threshold = 1 + ws_rng_below(rng, 30),
					.lines = ws_rng_below(rng, ARRAYS + 1),
					.aliased = ws_rng_below(rng, 2),
					.by_thread = ws_rng_below(rng, 2) };
		struct ws_soft_record *own = soft.by_thread ? recorded(&f, &soft) : NULL;
		struct ref_soft_counts want[ARRAYS + 1] = { 0 };
		struct ws_soft_result model, exactly;

		for (size_t i = 0; i < ARRAYS; i++)
			want[i].stored = ws_soft_stored(&f.launch, i);
		must(ws_soft_predict(own ? own : r, &soft, &model, NULL) == WS_OK);
		simulated(&f, &soft, &exactly);
		*data += ref_soft(f.thread, f.ctas * f.threads, ARRAYS, MEMORY, soft.line_bytes,
				  soft.threshold, soft.lines, soft.by_thread, want, NULL);
		*agree += same(&model, &exactly) && all_lines(&f, r, k);
		*exact += as_reference(&exactly, want);
		hits[0] += ws_soft_sum(&exactly).hits[0];
		hits[1] += ws_soft_sum(&exactly).hits[1];
		++*rounds;
		ws_soft_record_free(own);
		ws_soft_result_clear(&model);
		ws_soft_result_clear(&exactly);
	}
	ws_soft_record_free(r);
	fixture_clear(&f);
}

static void test_random(void)
{
	unsigned rounds = 0, agree = 0, exact = 0, data = 0;
	uint64_t hits[2] = { 0, 0 };
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(7));
	for (unsigned i = 0; i < 150; i++)
		one_round(&rng, &rounds, &agree, &exact, &data, hits);
	test_u64(exact, rounds, "random: simulated as the reference");
	test_u64(agree, rounds, "random: derived as simulated");
	test_u64(data, rounds, "random: memory as without the cache");
	test_ok(hits[0] > 10000 && hits[1] > 10000, "random: %" PRIu64 " and %" PRIu64 " hits",
		hits[0], hits[1]);
}

/* ---- the text's example ------------------------------------------------------------------ */

#define TURNS 400u

/* for i: a = charInput[i]; b = intInput[i]; intOutput[i] = f(a, b).  One thread. */
static struct ws_soft_record *example(void)
{
	static struct ws_array array[] = { { .base = 0x1000, .bytes = TURNS },
					   { .base = 0x2000, .bytes = 4 * TURNS },
					   { .base = 0x3000, .bytes = 4 * TURNS } };
	static struct ws_instruction in[] = {
		{ .kind = WS_LOAD, .bytes = 1, .array = 0, .use = 1 },
		{ .kind = WS_LOAD, .bytes = 4, .array = 1, .use = 1 },
		{ .kind = WS_STORE, .bytes = 4, .array = 2, .gap = 7 },
	};
	static struct ws_segment segment = { .count = 3 };
	struct ws_launch l = { .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .array = array,
			       .instruction = in, .segment = &segment, .arrays = 3,
			       .instructions = 3, .segments = 1, .ctas = 1 };
	uint64_t mask = 1, at[3], *address[] = { &at[0], &at[1], &at[2] };
	struct ws_step step = { .mask = &mask, .words = 1, .address = address };
	struct ws_soft_record *r;

	must(ws_soft_record_new(&r, &l, NULL, NULL) == WS_OK);
	ws_soft_record_cta(r);
	for (uint64_t i = 0; i < TURNS; i++) {
		at[0] = 0x1000 + i;
		at[1] = 0x2000 + 4 * i;
		at[2] = 0x3000 + 4 * i;
		must(ws_soft_record_step(r, &step, NULL) == WS_OK);
	}
	ws_soft_record_cta(r);
	return r;
}

/* 300 calls are 100 turns: the characters are in 7 lines of 16 bytes, the integers in 25 each.  The
 * other 300 turns begin at a line of integers (400 = 25 * 16), 4 characters into one: 19 and 75
 * lines. */
static void test_example(void)
{
	static const char *const chosen[] = { "---", "c--", "ci-", "cio", "cio" };
	struct ws_soft_record *r = example();

	for (uint64_t lines = 0; lines < WS_COUNT(chosen); lines++) {
		struct ws_soft soft = WS_SOFT_INIT;
		struct ws_soft_result out;
		char text[4] = "---", what[40];

		soft.lines = lines;
		must(ws_soft_predict(r, &soft, &out, NULL) == WS_OK);
		for (size_t i = 0; i < 3; i++)
			text[i] = out.part[i].why == WS_SOFT_CHOSEN ? "cio"[i] : '-';
		snprintf(what, sizeof what, "example, CLN %" PRIu64, lines);
		test_str(text, chosen[lines], what);
		if (lines == 3) {
			test_u64(out.part[0].counts.monitor_hits, 93, "example: char hits");
			test_u64(out.part[1].counts.monitor_hits, 75, "example: int hits");
			test_u64(out.part[2].counts.monitor_hits, 75, "example: output hits");
			test_u64(out.part[0].counts.misses[WS_LOAD], 19, "example: char lines");
			test_u64(out.part[1].counts.misses[WS_LOAD], 75, "example: int lines");
			test_u64(out.part[2].counts.write_backs, 75, "example: write-backs");
			test_u64(out.part[2].counts.write_back_bytes, 1200, "example: bytes");
			test_u64(out.instructions, TURNS * 10, "example: instructions");
		} else if (lines == 1) {
			test_u64(out.part[1].why, WS_SOFT_FEWER_HITS, "example: int at CLN 1");
			/* 300 monitored; 600 not cached; 300 look-ups, of which 19 miss; one end */
			test_u64(out.extra, 300 * 5 + 600 * 3 + 300 * 5 + 19 * 4 + 1,
				 "example: added instructions at CLN 1");
		} else if (lines == 0) {
			test_u64(out.extra, 0, "example: nothing is added at CLN 0");
		}
		ws_soft_result_clear(&out);
	}
	ws_soft_record_free(r);
}

static void test_twice(void)
{
	static const struct { uint64_t read, written; bool takes; } row[] = {
		{ 50, 99, false }, { 50, 100, true }, { 50, 101, true }, { 50, 40, false },
	};

	for (size_t i = 0; i < WS_COUNT(row); i++) {
		struct ws_soft_part part[] = {
			{ .array = 0, .counts.monitor_hits = row[i].read },
			{ .array = 1, .writable = true, .counts.monitor_hits = row[i].written },
			{ .array = WS_NO_ARRAY, .counts.monitor_hits = 1000 },
		};
		struct ws_soft_result r = { .part = part, .parts = 3 };

		ws_soft_choose(&r, 1);
		test_ok((part[1].why == WS_SOFT_CHOSEN) == row[i].takes && r.chosen == 1 &&
				part[2].why == WS_SOFT_NO_ARRAY,
			"%" PRIu64 " hits written, %" PRIu64 " read", row[i].written, row[i].read);
		if (i == 0)
			test_u64(part[1].why, WS_SOFT_NOT_TWICE, "99 are not twice 50");
	}
}

/* ---- histograms of one choice ------------------------------------------------------------- */

static void test_choice(void)
{
	const struct ws_soft own = { .line_bytes = 16, .threshold = 7, .lines = 1,
				     .by_thread = true };
	struct ws_soft other = own, launch = own;
	struct ws_soft_result out;
	struct ws_soft_record *r;
	struct fixture f;
	struct ws_rng rng;

	ws_rng_seed(&rng, 3);
	fixture_init(&f, &rng);
	r = recorded(&f, &own);
	other.threshold = 8;
	launch.by_thread = false;
	test_u64(ws_soft_predict(r, &other, &out, NULL), WS_EINVAL, "choice: another threshold");
	test_u64(ws_soft_predict(r, &launch, &out, NULL), WS_EINVAL, "choice: the launch's");
	ws_soft_record_free(r);
	r = recorded(&f, NULL);
	test_u64(ws_soft_predict(r, &own, &out, NULL), WS_EINVAL, "choice: each thread's");
	ws_soft_record_free(r);
	other.threshold = 0;
	test_u64(ws_soft_record_new(&r, &f.launch, &other, NULL), WS_EINVAL, "choice: threshold 0");
	fixture_clear(&f);
}

/* ---- room --------------------------------------------------------------------------------- */

/* A Kepler SM of the text: 48 KB, 2048 threads, 65536 registers: 24 bytes a thread, one line of 16;
 * two registers a read-only structure are 6 % of all, three 9 %, two of each 31 %. */
static void test_room(void)
{
	struct ws_machine m;
	struct ws_launch l = { .grid = { 1000, 1, 1 }, .block = { 256, 1, 1 }, .ctas = 1000 };
	struct ws_soft_part part[] = { { .array = 0 }, { .array = 1 },
				       { .array = 2, .writable = true, .why = WS_SOFT_NO_HIT },
				       { .array = 3, .writable = true } };
	struct ws_soft_result r = { .part = part, .parts = 4 };
	struct ws_soft_room room;

	must(ws_machine_load(&m, "gtx480", NULL) == WS_OK);
	m.sm_count = 10;
	m.sm_ctas = 16;
	m.sm_threads = 2048;
	m.sm_warps = 64;
	m.sm_shared_bytes = 48 << 10;
	m.sm_registers = 65536;
	must(ws_soft_fit(&room, &l, &m, 22, 16, &r, NULL) == WS_OK);
	test_u64(room.ctas_before, 8, "room: all threads with 22 registers");
	test_u64(room.cache_registers, 10, "room: 2 + 2 + 3 + 3 registers, 31 %");
	test_u64(room.monitor_registers, 8, "room: two a structure to monitor");
	test_u64(room.spilled_registers, 8, "room: one if not chosen");
	test_u64(room.ctas, 8, "room: 32 registers still go");
	test_u64(room.threads, 2048, "room: threads");
	test_u64(room.thread_bytes, 24, "room: 24 bytes a thread");
	test_u64(room.lines, 1, "room: one line of 16");
	test_u64(room.shared_used, 32768, "room: shared memory");
	must(ws_soft_fit(&room, &l, &m, 23, 16, &r, NULL) == WS_OK);
	test_u64(room.ctas, 7, "room: 33 registers cost a CTA");
	test_str(room.limit, "registers", "room: by its registers");
	test_u64(room.lines, 1, "room: 27 bytes a thread");
	l.shared_bytes = 5000; /* 7 * 256 threads: 14152 bytes are left, 7 each */
	must(ws_soft_fit(&room, &l, &m, 23, 16, &r, NULL) == WS_OK);
	test_u64(room.thread_bytes, 7, "room: the kernel's own shared memory");
	test_u64(room.lines, 0, "room: no line");
	l.ctas = 11; /* at most two on an SM */
	must(ws_soft_fit(&room, &l, &m, 23, 16, &r, NULL) == WS_OK);
	test_u64(room.lines, (49152 - 2 * 5000) / 512 / 16, "room: a small launch");
}

int main(void)
{
	test_random();
	test_example();
	test_twice();
	test_choice();
	test_room();
	return test_done();
}
