/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-writers.c -- traces written in other tools' formats: known lines, the order of
 * several SMs, and that they read back as what they were as far as the format can say it.
 */
#include "tests/test.h"
#include "tests/trace/foreign.h"
#include "tests/trace/steps.h"
#include "trace/import/ordered.h"

struct text {
	char *data;
	size_t len;
};

static enum ws_status write_as(const char *format, const struct ws_trace *t,
			       const struct ws_machine *m, struct text *out, struct ws_err *err)
{
	struct ws_out to = { .file = open_memstream(&out->data, &out->len) };
	enum ws_status status;

	must(to.file != NULL, "open_memstream");
	status = ws_trace_format_find(format)->write(t,
						     &(struct ws_writing){ .machine = m,
									   .l1 = &m->l1 },
						     &to, err);
	must(!fclose(to.file) && !to.failed, "fclose");
	return status;
}

static void must_read(const char *format, const void *data, size_t len, struct file *f,
		      struct ws_trace **t)
{
	struct ws_err err = { 0 };

	must(!read_named(format, "x", data, len, f, t, &err), err.text);
}

/* ---- known lines ----------------------------------------------------------------------- */

static void expect(const char *from, const char *text, const char *to, const struct ws_machine *m,
		   const char *want)
{
	struct ws_err err = { 0 };
	struct ws_trace *t;
	struct file f;
	struct text got;

	must_read(from, text, strlen(text), &f, &t);
	must(!write_as(to, t, m, &got, &err), err.text);
	if (!test_ok(strcmp(got.data, want) == 0, "%s written as %s", from, to))
		printf("# got %s# want %s", got.data, want);
	free(got.data);
	ws_trace_close(t);
	free(f.data);
}

static void known_lines(void)
{
	struct ws_machine m = small_machine(), sectored = m;

	sectored.l1.sector_bytes = 32;
	/* 160 bytes from the last sector of a line: two lines, or six sectors */
	expect("xdin", "r 1060 a0\nw 2044 4\n", "din", &m, "0 1060\n0 1080\n1 2040\n");
	expect("xdin", "r 1060 a0\nw 2044 4\n", "din", &sectored,
	       "0 1060\n0 1080\n0 10a0\n0 10c0\n0 10e0\n1 2040\n");
	expect("din", "0 0\n4 0\n0 20\n", "din", &m, "0 0\n4 0\n0 20\n");
	expect("plain", "R 4096\nW 0xabcdef00\n", "crawford-order", &m,
	       "1 1\n0x1000 R 0 0 1\n0xABCDEF00 W 0 0 2\n");
	/* as in listing 5.1, the loops apart; a barrier is the warp's, after what lanes do
	 * before */
	expect("crawford", "local size:2 1 1\n0x9CAE000F0000319|0x2|0x0\n0x1|0x2|0x0\n"
	       "0x9CBB040A000031A|0x3|0x0\n",
	       "crawford", &m,
	       "local size:2 1 1\n0x9CAE000F0000319|0x2|0x11000120001\n"
	       "0x9CBB040A000031A|0x3|0x11000120002\n0x1|0x2|0x0\n0x1|0x3|0x0\n--\n");
	expect("crawford-order", "2 3\n0x10 R 1 0 7\n0x90 R 1 0 7\n0x20 W 1 1 8\n",
	       "crawford-order", &m, "4 3\n0x10 R 1 0 1\n0x90 R 1 0 1\n0x20 W 1 0 2\n");
}

static void oracle_records(void)
{
	static const char text[] = "0 1000\n1 1044\n0 1080\n0 1000\n4 0\n0 1080\n";
	static const uint64_t want[][3] = { /* object, size, next */
		{ 0x1000, 128, 2 }, { 0x1000, 128, 4 }, { 0x1080, 128, 5 }, { 0x1000, 128,
		  UINT64_MAX },
		{ 0x1080, 128, UINT64_MAX },
	};
	struct ws_machine m = small_machine();
	struct ws_err err = { 0 };
	struct ws_cursor c;
	struct ws_trace *t;
	struct file f;
	struct text got;
	uint64_t before = 0;
	bool good = true;

	must_read("din", text, strlen(text), &f, &t);
	must(!write_as("oracle-general", t, &m, &got, &err), err.text);
	test_u64(got.len, sizeof want / sizeof want[0] * 24, "oracle-general: bytes");
	c = (struct ws_cursor){ .p = (const uint8_t *)got.data,
				.end = (const uint8_t *)got.data + got.len };
	for (size_t i = 0; i < WS_COUNT(want); i++) {
		uint64_t time = ws_get_u32(&c);

		good = good && time >= before && ws_get_u64(&c) == want[i][0] &&
		       ws_get_u32(&c) == want[i][1] && ws_get_u64(&c) == want[i][2];
		before = time;
	}
	test_ok(good && !c.bad && before > 0, "oracle-general: records");
	free(got.data);
	ws_trace_close(t);
	free(f.data);
}

/* What cannot be said is refused. */
static void refused(void)
{
	static const char *const bad[][2] = {
		{ "din", "0 100000000\n0 0\n" }, { "din", "0 0\n4 0\n0 100000000\n" },
		{ "crawford-order", "64 20000\n0x0 R 0 63 1\n" },
	};
	struct ws_machine m = small_machine();

	for (size_t i = 0; i < WS_COUNT(bad); i++) {
		struct ws_err err = { 0 };
		struct ws_trace *t;
		struct file f;
		struct text got;

		must_read(bad[i][0], bad[i][1], strlen(bad[i][1]), &f, &t);
		test_ok(write_as("crawford", t, &m, &got, &err) == WS_EINVAL, "crawford: %s",
			err.text);
		free(got.data);
		ws_trace_close(t);
		free(f.data);
	}
}

/* ---- round trips -------------------------------------------------------------------------- */

static void same(const char *what, const struct ws_trace *t, const struct ws_trace *back,
		 unsigned width)
{
	bool good = ws_trace_launches(t) == ws_trace_launches(back);

	for (size_t i = 0; good && i < ws_trace_launches(t); i++) {
		char *a = tell(t, i, width), *b = tell(back, i, width);

		good = strcmp(a, b) == 0;
		if (!good)
			printf("# was %.400s# is %.400s", a, b);
		free(a);
		free(b);
	}
	test_ok(good, "%s comes back", what);
}

static void there_and_back(const char *format, const struct ws_trace *t, const struct ws_machine *m,
			   unsigned width)
{
	struct ws_err err = { 0 };
	struct ws_trace *back;
	struct file f;
	struct text got;

	must(!write_as(format, t, m, &got, &err), err.text);
	must_read(NULL, got.data, got.len, &f, &back);
	same(format, t, back, width);
	free(got.data);
	ws_trace_close(back);
	free(f.data);
}

/* A thread's words, each the first of a sector. */
static void single(struct ws_rng *rng, bool stores)
{
	struct ws_machine m = small_machine();
	struct ws_trace *t, *back;
	struct ws_err err = { 0 };
	struct file f, g;
	struct text text;
	FILE *to = open_memstream(&text.data, &text.len);

	must(to != NULL, "open_memstream");
	m.l1.sector_bytes = one_in(rng, 2) ? 32 : 128;
	for (unsigned i = 0; i < 500; i++)
		fprintf(to, "%c %llx\n", stores && one_in(rng, 3) ? '1' : '0',
			(unsigned long long)ws_rng_below(rng, 256) * (stores ? 32 : 128));
	fclose(to);
	must_read("din", text.data, text.len, &f, &t);
	free(text.data);
	there_and_back("din", t, &m, 1);
	there_and_back("crawford", t, &m, 1);
	there_and_back("crawford-order", t, &m, 1);
	if (!stores) { /* and objects have no size: by way of din, then */
		must(!write_as("oracle-general", t, &m, &text, &err), err.text);
		must_read(NULL, text.data, text.len, &g, &back);
		free(text.data);
		must(!write_as("din", back, &m, &text, &err), err.text);
		ws_trace_close(back);
		free(g.data);
		must_read("din", text.data, text.len, &g, &back);
		same("oracle-general", t, back, 1);
		free(text.data);
		ws_trace_close(back);
		free(g.data);
	}
	ws_trace_close(t);
	free(f.data);
}

/* Work-items of groups of 12 x 3, each with instructions of its own choice in loops: divergence
 * of all kinds, and barriers that some reach. */
static void put_item(FILE *to, struct ws_rng *rng, uint64_t item)
{
	uint64_t turns = pick(rng, 0, 3);

	for (uint64_t turn = 0; turn <= turns; turn++) {
		uint64_t loops = turn ? turn << 40 : 0;

		for (unsigned i = turn ? 2 : 0; i < (turn ? 5 : 2); i++)
			if (!one_in(rng, 4))
				fprintf(to, "0x%llX|0x%llX|0x%llX\n",
					(unsigned long long)(4 * ws_rng_below(rng, 1 << 20)) << 32 |
					((i % 2 ? 0xa0000319 : 0xf0000319) + i),
					(unsigned long long)item, (unsigned long long)loops);
		if (turn == 0)
			fprintf(to, "0x1|0x%llX|0x0\n", (unsigned long long)item);
	}
}

static void work_items(struct ws_rng *rng)
{
	struct ws_machine m = small_machine();
	struct ws_trace *t;
	struct file f;
	struct text text;
	FILE *to = open_memstream(&text.data, &text.len);

	must(to != NULL, "open_memstream");
	fputs("local size:12 3 1\n", to);
	for (uint64_t y = 0; y < 6; y++)
		for (uint64_t x = 0; x < 36; x++)
			if (!one_in(rng, 9))
				put_item(to, rng, y << 20 | x);
	fclose(to);
	must_read("crawford", text.data, text.len, &f, &t);
	free(text.data);
	there_and_back("crawford", t, &m, 32);
	ws_trace_close(t);
	free(f.data);
}

/* Warps that do one instruction after the other, all lanes: as far as crawford-order can tell. */
static void warps(struct ws_rng *rng)
{
	struct ws_machine m = small_machine();
	struct ws_trace *t;
	struct file f;
	struct text text;
	FILE *to = open_memstream(&text.data, &text.len);

	must(to != NULL, "open_memstream");
	m.sm_count = 3;
	m.warp_width = 4;
	fputs("4 7\n", to);
	for (unsigned i = 0; i < 40; i++)
		for (unsigned group = 0; group < 7; group++)
			for (unsigned warp = 0; warp < 3; warp++)
				for (unsigned lane = 0; lane < 4; lane++)
					fprintf(to, "0x%llX %c %u %u %u\n",
						(unsigned long long)ws_rng_below(rng, 9999) * 4,
						i % 3 ? 'R' : 'W', group, warp, i % 5);
	fclose(to);
	must_read("crawford-order", text.data, text.len, &f, &t);
	free(text.data);
	there_and_back("crawford-order", t, &m, 4);
	m.sm_scheduler = WS_SCHED_ROUND_ROBIN;
	there_and_back("crawford-order", t, &m, 4);
	ws_trace_close(t);
	free(f.data);
}

/* ---- the order of several SMs ---------------------------------------------------------------- */

struct seen {
	struct ref_stream stream;	/* what the engine gives one SM after the other */
	struct ws_request *request;	/* what writers get */
	size_t count, cap;
	uint64_t places;		/* sum of a request's cycle times its L1's number */
};

static enum ws_status see(void *context, uint64_t l1, const struct ws_request *r,
			  struct ws_err *err)
{
	struct seen *s = context;

	(void)err;
	must(WS_ROOM(s->request, s->cap, s->count + 1), "WS_ROOM");
	s->request[s->count++] = *r;
	s->places += r->cycle * l1;
	return WS_OK;
}

static enum ws_status see_batch(void *context, uint64_t l1, const struct ws_request *r,
				size_t count, struct ws_err *err)
{
	for (size_t i = 0; i < count; i++)
		must(!see(context, l1, &r[i], err), "see");
	return WS_OK;
}

static int by_cycle(const void *a, const void *b)
{
	const struct ws_request *x = a, *y = b;

	if (x->cycle != y->cycle)
		return x->cycle < y->cycle ? -1 : 1;
	if (x->cta != y->cta)
		return x->cta < y->cta ? -1 : 1;
	return x->address < y->address ? -1 : x->address > y->address;
}

/* The same requests at the same cycles as the profile pass sees, and cycles do not fall but
 * within a warp instruction, whose requests follow each other. */
static void ordered(unsigned scheduler)
{
	static const char text[] = "4 9\n";
	struct ws_machine m = small_machine();
	struct seen ours = { .count = 0 }, engine = { .count = 0 };
	struct ws_ordered to = { .context = &ours, .request = see };
	struct ws_sink sink = { .context = &engine, .requests = see_batch };
	struct ws_rng rng;
	struct ws_err err = { 0 };
	struct ws_trace *t;
	struct file f;
	struct text input;
	FILE *file = open_memstream(&input.data, &input.len);
	bool rising = true, equal;
	uint64_t last = 0;

	must(file != NULL, "open_memstream");
	ws_rng_seed(&rng, 5);
	m.sm_count = 4;
	m.warp_width = 4;
	m.sm_scheduler = scheduler;
	fputs(text, file);
	for (unsigned i = 0; i < 4000; i++)
		fprintf(file, "0x%llX R %u %u %u\n",
			(unsigned long long)ws_rng_below(&rng, 999) * 64,
			(unsigned)ws_rng_below(&rng, 9), (unsigned)ws_rng_below(&rng, 5), i % 3);
	fclose(file);
	must_read("crawford-order", input.data, input.len, &f, &t);
	must(!ws_ordered_run(t, &(struct ws_writing){ .machine = &m, .l1 = &m.l1 }, &to, &err),
	     err.text);
	must(!ws_order_run(t, 0, &m, NULL, &sink, NULL, &err), err.text);
	for (size_t i = 0; i < ours.count; i++) {
		rising = rising && (ours.request[i].follows || ours.request[i].cycle >= last);
		last = ours.request[i].follows ? last : ours.request[i].cycle;
	}
	if (scheduler == WS_SCHED_GTO)
		test_ok(rising, "cycles do not fall");
	qsort(ours.request, ours.count, sizeof *ours.request, by_cycle);
	qsort(engine.request, engine.count, sizeof *engine.request, by_cycle);
	equal = ours.count == engine.count && ours.count > 3000 && ours.places == engine.places;
	for (size_t i = 0; equal && i < ours.count; i++)
		equal = by_cycle(&ours.request[i], &engine.request[i]) == 0 &&
			ours.request[i].sectors == engine.request[i].sectors;
	test_ok(equal, "%zu requests as the engine has them", ours.count);
	free(ours.request);
	free(engine.request);
	free(input.data);
	ws_trace_close(t);
	free(f.data);
}

int main(void)
{
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(23));
	known_lines();
	oracle_records();
	refused();
	for (int i = 0; i < 4; i++)
		single(&rng, i % 2);
	for (int i = 0; i < 6; i++)
		work_items(&rng);
	warps(&rng);
	ordered(WS_SCHED_GTO);
	ordered(WS_SCHED_RANDOM);
	return test_done();
}
