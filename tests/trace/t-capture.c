/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Captured kernels: known answers, and properties of random control flow.
 *
 * Invariant 1: a warp's steps in its group are what the warp would do alone.  Kernels
 * with random branches, loops, breaks and early returns are captured once in large groups
 * and once with groups of w work-items: the steps must agree, lane masks and
 * addresses included, for w = 1, 8, 16, 32, 64.
 */
#include <unistd.h>

#include "tests/test.h"
#include "trace/capture/launch.h"

#define TOTAL 128u
#define WORDS 1024u

static char folder[] = "/tmp/warpstack-test-XXXXXX";

static const char *temporary(const char *name)
{
	static char path[4][128]; /* as many may be in use in one call */
	static unsigned turn;

	turn = (turn + 1) % 4;
	snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
	return path[turn];
}

static void write_source(const char *text)
{
	FILE *f = fopen(temporary("k.cl"), "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

/* ---- capturing ------------------------------------------------------------------- */

struct job {
	const char *kernel;
	uint64_t global[3], local[3];
	unsigned dim;
	const char *args[8];
	size_t nargs, words; /* elements of buffers a, b, c */
	struct ws_capture_options options;
};

static void write_launch(const struct job *j)
{
	FILE *f = fopen(temporary("k.launch"), "w");

	if (!f)
		abort();
	fprintf(f, "source = k.cl\n[buffers]\na = int %zu random 0 1000000 seed=9\n", j->words);
	fprintf(f, "b = int %zu zero\nc = int %zu iota\n[launch]\nkernel = %s\n", j->words,
		j->words, j->kernel);
	fprintf(f, "global =");
	for (unsigned d = 0; d < j->dim; d++)
		fprintf(f, " %" PRIu64, j->global[d]);
	fprintf(f, "\nlocal =");
	for (unsigned d = 0; d < j->dim; d++)
		fprintf(f, " %" PRIu64, j->local[d]);
	fprintf(f, "\nargs =");
	for (size_t i = 0; i < j->nargs; i++)
		fprintf(f, " %s", j->args[i]);
	fprintf(f, "\n");
	if (fclose(f))
		abort();
}

static enum ws_status capture(const struct job *j, const char *path, struct ws_err *err)
{
	struct ws_program p = { 0 };
	enum ws_status status;
	struct ws_out out;

	write_launch(j);
	status = ws_program_read(&p, temporary("k.launch"), err);
	if (status == WS_OK)
		status = ws_out_open(&out, path, err);
	if (status == WS_OK) {
		status = ws_capture(&p, &j->options, &out, err);
		if (status == WS_OK)
			status = ws_out_commit(&out, err);
		else
			ws_out_abort(&out);
	}
	ws_program_clear(&p);
	return status;
}

static struct ws_trace *traced(const struct job *j, const char *name)
{
	struct ws_err err = { 0 };
	struct ws_trace *t = NULL;

	if (capture(j, temporary(name), &err) != WS_OK ||
	    ws_trace_open(&t, temporary(name), &err) != WS_OK)
		test_ok(false, "capture of %s: %s", j->kernel, err.text);
	return t;
}

/* ---- sequences of warp instructions --------------------------------------------------- */

struct sequence {
	uint64_t *word;
	size_t count, cap;
};

static void put(struct sequence *s, uint64_t word)
{
	if (!WS_ROOM(s->word, s->cap, s->count + 1))
		abort();
	s->word[s->count++] = word;
}

static uint64_t bits_of(const struct ws_step *s, size_t from, size_t width)
{
	uint64_t bits = s->mask[from / 64] >> from % 64;

	return width == 64 ? bits : bits & ((UINT64_C(1) << width) - 1);
}

/* The memory instructions of lanes [from, from+width) of a CTA: line, mask, addresses;
 * segment numbers too, if they are the same in both traces. */
static void gather(struct sequence *out, const struct ws_trace *t, uint64_t cta, size_t from,
		   size_t width, bool segments)
{
	const struct ws_launch *l = ws_trace_launch(t, 0);
	struct ws_err err = { 0 };
	struct ws_decoder *d = NULL;
	struct ws_step step;
	bool more;

	if (ws_decoder_new(&d, t, 0, &err) != WS_OK || ws_decoder_seek(d, cta, &err) != WS_OK)
		test_ok(false, "reading: %s", err.text);
	while (ws_decoder_next(d, &step, &more, &err) == WS_OK && more) {
		const struct ws_segment *s = &l->segment[step.segment];
		uint64_t bits = bits_of(&step, from, width);

		if (!bits || (!segments && !s->count))
			continue;
		if (segments)
			put(out, step.segment);
		for (uint32_t a = 0; a < s->count; a++) {
			put(out, l->instruction[s->first + a].line);
			put(out, bits);
			for (size_t i = 0; i < width; i++) {
				if (bits >> i & 1)
					put(out, step.address[a][from + i]);
			}
		}
	}
	if (err.status != WS_OK)
		test_ok(false, "reading a CTA: %s", err.text);
	ws_decoder_free(d);
}

static bool equal(struct sequence *a, struct sequence *b)
{
	bool same = a->count == b->count &&
		    (a->count == 0 || memcmp(a->word, b->word, a->count * 8) == 0);

	a->count = b->count = 0;
	return same;
}

/* ---- random kernels ------------------------------------------------------------------- */

struct writer {
	struct ws_rng rng;
	struct ws_buf text;
	unsigned loops; /* open ones, also a supply of names */
	unsigned names;
};

WS_PRINTF(2, 3)
static void line(struct writer *w, const char *fmt, ...)
{
	char text[160];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	ws_put_bytes(&w->text, text, strlen(text));
	ws_put_u8(&w->text, '\n');
}

static unsigned pick(struct writer *w, unsigned n)
{
	return (unsigned)ws_rng_below(&w->rng, n);
}

static void statements(struct writer *w, unsigned depth);

static void branch(struct writer *w, unsigned depth)
{
	line(w, "if ((s >> %u) %% %uu == %u) {", pick(w, 12), 2 + pick(w, 3), pick(w, 2));
	statements(w, depth - 1);
	if (pick(w, 2)) {
		line(w, "} else {");
		statements(w, depth - 1);
	}
	line(w, "}");
}

static void loop(struct writer *w, unsigned depth)
{
	unsigned j = w->names++;

	w->loops++;
	if (pick(w, 2)) {
		line(w, "for (uint j%u = 0; j%u < ((s >> %u) & 3); j%u++) {", j, j, pick(w, 12), j);
	} else {
		line(w, "uint j%u = 0;", j);
		line(w, "while (j%u++ < 4 && (s & %u)) {", j, 1u << pick(w, 6));
	}
	statements(w, depth - 1);
	line(w, "}");
	w->loops--;
}

static void statement(struct writer *w, unsigned depth)
{
	unsigned kind = pick(w, 12);

	if (kind < 5 || depth == 0)
		line(w, "s = s * 2654435761u + a[(s >> 7 ^ i * %uu) %% %uu];", 1 + pick(w, 9),
		     WORDS);
	else if (kind < 8)
		branch(w, depth);
	else if (kind < 10)
		loop(w, depth);
	else if (kind == 10 && w->loops)
		line(w, "if ((s >> %u & 3) == 1) %s;", pick(w, 20),
		     pick(w, 2) ? "break" : "continue");
	else if (kind == 11 && pick(w, 4) == 0)
		line(w, "if ((s >> %u & 31) == 7) return;", pick(w, 20));
	else
		line(w, "b[i] = s;");
}

static void statements(struct writer *w, unsigned depth)
{
	unsigned n = 1 + pick(w, 3);

	for (unsigned i = 0; i < n; i++)
		statement(w, depth);
}

static void random_kernel(struct ws_rng *rng)
{
	struct writer w = { .rng = *rng };

	line(&w, "kernel void k(global const int *a, global int *b) {");
	line(&w, "uint i = get_global_id(0); uint s = a[i];");
	statements(&w, 4);
	line(&w, "b[i] = s;");
	line(&w, "}");
	ws_put_u8(&w.text, 0);
	write_source((const char *)w.text.data);
	ws_buf_clear(&w.text);
	ws_rng_u64(&w.rng);
	*rng = w.rng;
}

static struct job random_job(uint64_t local)
{
	return (struct job){ .kernel = "k", .dim = 1, .global = { TOTAL }, .local = { local },
			     .args = { "a", "b" }, .nargs = 2, .words = WORDS };
}

static uint64_t compare_widths(const struct ws_trace *group)
{
	static const size_t width[] = { 1, 8, 16, 32, 64 };
	struct sequence in_group = { 0 }, alone = { 0 };
	uint64_t bad = 0;

	for (size_t w = 0; w < WS_COUNT(width); w++) {
		struct job j = random_job(width[w]);
		struct ws_trace *t = traced(&j, "alone.wst");

		for (size_t from = 0; t && from < TOTAL; from += width[w]) {
			gather(&in_group, group, 0, from, width[w], true);
			gather(&alone, t, from / width[w], 0, width[w], true);
			bad += !equal(&in_group, &alone);
		}
		ws_trace_close(t);
	}
	free(in_group.word);
	free(alone.word);
	return bad;
}

static uint64_t compare_skip_silent(const struct ws_trace *group)
{
	static const struct ws_capture_test test = { .skip_silent = true };
	struct sequence few = { 0 }, all = { 0 };
	struct job j = random_job(TOTAL);
	struct ws_trace *t;
	uint64_t bad;

	j.options.test = &test;
	t = traced(&j, "blocks.wst");
	if (!t)
		return 1;
	bad = 0;
	for (size_t from = 0; from < TOTAL; from += 64) {
		gather(&few, group, 0, from, 64, false);
		gather(&all, t, 0, from, 64, false);
		bad += few.count == 0 || !equal(&few, &all);
	}
	ws_trace_close(t);
	free(few.word);
	free(all.word);
	return bad;
}

static bool same_bytes(const char *one, const char *other)
{
	struct ws_in a, b;
	bool same;

	if (ws_in_open(&a, one, NULL) != WS_OK)
		return false;
	if (ws_in_open(&b, other, NULL) != WS_OK) {
		ws_in_close(&a);
		return false;
	}
	same = a.len == b.len && memcmp(a.data, b.data, a.len) == 0;
	ws_in_close(&a);
	ws_in_close(&b);
	return same;
}

static void test_random_control_flow(void)
{
	static const struct ws_capture_test thorough = { .thorough = true };
	uint64_t widths = 0, blocks = 0, threads = 0, quick = 0;
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(7));
	for (int i = 0; i < 3; i++) {
		struct job j = random_job(TOTAL);
		struct ws_trace *group;

		random_kernel(&rng);
		group = traced(&j, "group.wst");
		if (!group)
			return;
		widths += compare_widths(group);
		blocks += compare_skip_silent(group);
		ws_trace_close(group);
		j = random_job(8);
		j.options.threads = 1;
		ws_trace_close(traced(&j, "one.wst"));
		j.options.threads = 3;
		ws_trace_close(traced(&j, "three.wst"));
		threads += !same_bytes(temporary("one.wst"), temporary("three.wst"));
		j.options.test = &thorough;
		ws_trace_close(traced(&j, "thorough.wst"));
		quick += !same_bytes(temporary("one.wst"), temporary("thorough.wst"));
	}
	test_u64(widths, 0, "warps that do otherwise in a group than alone");
	test_u64(blocks, 0, "halves of groups changed by leaving out silent blocks");
	test_u64(threads, 0, "traces that depend on the number of threads");
	test_u64(quick, 0, "traces that depend on how well the code is made");
}

/* ---- known answers ------------------------------------------------------------------------ */

/* n x n by groups of 2 x 2: each loop turn loads a[row*n+k] and b[k*n+col]. */
static void test_matmul(void)
{
	enum { N = 4 };
	struct job j = { .kernel = "mm", .dim = 2, .global = { N, N }, .local = { 2, 2 },
			 .args = { "a", "c", "b", "4" }, .nargs = 4, .words = N * N };
	uint64_t base = WS_DEVICE_BASE, bad = 0;
	struct sequence got = { 0 }, want = { 0 };
	struct ws_trace *t;

	write_source("kernel void mm(global const int *a, global const int *c, global int *b, int "
		     "n) {\n"
		     "	int x = get_global_id(0), y = get_global_id(1), s = 0;\n"
		     "	for (int k = 0; k < n; k++)\n"
		     "		s += a[y * n + k] * c[k * n + x];\n"
		     "	b[y * n + x] = s;\n"
		     "}\n");
	t = traced(&j, "mm.wst");
	for (uint64_t cta = 0; t && cta < 4; cta++) {
		uint64_t x0 = cta % 2 * 2, y0 = cta / 2 * 2;

		for (uint64_t k = 0; k <= N; k++) {
			for (int operand = 0; operand < (k < N ? 2 : 1); operand++) {
				put(&want, k < N ? 4 : 5);
				put(&want, 0xf);
				for (uint64_t lane = 0; lane < 4; lane++) {
					uint64_t x = x0 + lane % 2, y = y0 + lane / 2;

					if (k == N) /* buffers in order a, b, c, 256 bytes apart */
						put(&want, base + 256 + 4 * (y * N + x));
					else if (operand == 0)
						put(&want, base + 4 * (y * N + k));
					else
						put(&want, base + 512 + 4 * (k * N + x));
				}
			}
		}
		gather(&got, t, cta, 0, 4, false);
		bad += !equal(&got, &want);
	}
	test_u64(bad, 0, "groups of a matrix multiplication not as worked out by hand");
	if (t) {
		const struct ws_launch *l = ws_trace_launch(t, 0);

		test_u64(l->accesses[WS_LOAD], 2 * N * N * N, "loads");
		test_u64(l->accesses[WS_STORE], N * N, "stores");
		test_u64(l->arrays, 3, "arrays");
		test_str(l->array[1].name, "c", "the second argument's array");
	}
	ws_trace_close(t);
	free(got.word);
	free(want.word);
}

/* ---- errors ------------------------------------------------------------------------------- */

static void test_error(const char *source, struct job j, enum ws_status want, const char *words)
{
	struct ws_err err = { 0 };
	enum ws_status status;

	write_source(source);
	status = capture(&j, temporary("bad.wst"), &err);
	test_ok(status == want && strstr(err.text, words), "status %d (want %d), \"%s\" has \"%s\"",
		status, want, err.text, words);
	test_ok(access(temporary("bad.wst"), F_OK) != 0, "nothing is left behind");
}

static void test_errors(void)
{
	struct job j = { .kernel = "k", .dim = 1, .global = { 64 }, .local = { 16 },
			 .args = { "a" }, .nargs = 1, .words = 32 };

	test_error("kernel void k(global int *a) {\n a[get_global_id(0)] = 1;\n}", j, WS_EINPUT,
		   "k.cl:2: out of bounds in kernel k: work-item (32,0,0) makes a store of 4 bytes "
		   "at byte 128");
	test_error("kernel void k(global int *a) {\n a[0] = 1;\n", j, WS_EFORMAT, ":2:");
	test_error("kernel void other(global int *a) {}", j, WS_EFORMAT, "no kernel 'k': want one "
		   "of other");
	test_error("kernel void k(global int *a, int n) {}", j, WS_EFORMAT,
		   "1 argument, want 2: k(global int* a, int n)");
	test_error("kernel void k(int n) {}", j, WS_EFORMAT, "want a number");
	test_error("kernel void k(global int *a) {\n"
		   " if (get_local_id(0) > 3) barrier(CLK_LOCAL_MEM_FENCE);\n"
		   " else {\n a[0]++;\n barrier(CLK_LOCAL_MEM_FENCE);\n }\n}",
		   j, WS_EINPUT, "divergent barrier");
	test_error("kernel void k(global int *a) {\n"
		   " volatile local int t[4];\n t[get_local_id(0)] = 1;\n a[0] = t[0];\n}",
		   j, WS_EINPUT, ":3: out of bounds in kernel k: work-item (4,0,0) makes a store");
	test_error("kernel void k(image2d_t a) {}", j, WS_EFORMAT, "want the name of an image");
	test_error("kernel void k(image2d_msaa_t a) {}", j, WS_EINPUT, "images");
	test_error("int f(int n) { return n > 0 ? f(n - 1) * n + 3 : 1; }\n"
		   "kernel void k(global int *a) { a[0] = f(a[1]); }",
		   j, WS_EINPUT, "calls itself: recursion");
	test_error("kernel void k(global int *a) {\n printf(a[0] ? \"a %d\" : \"b %d\", a[1]);\n}",
		   j, WS_EINPUT, "k.cl:2: kernel k: printf with a format that is no literal");
	test_error("kernel void k(global int *a) {\n printf(\"%v4hld %d\", (int4)(a[0]));\n}", j,
		   WS_EINPUT, "k.cl:2: kernel k: printf with fewer values than its format has");
	test_error("kernel void k(global int *a) {\n printf(\"%v4d\", (int4)(a[0]));\n}", j,
		   WS_EINPUT, "k.cl:2: kernel k: printf with a format that OpenCL C does not have");
	test_error("int f(int n);\nkernel void k(global int *a) { a[0] = f(a[1]); }", j, WS_EINPUT,
		   "k.cl:2: function f is called but not defined");
	test_error("kernel void k(global int *a) {\n"
		   " local int s[64], t[64];\n local int *p = a[0] & 1 ? s : t;\n p[1000] = 1;\n"
		   " a[1] = s[0];\n}", j, WS_EINPUT, ":4: out of bounds");
	test_error("kernel void k(global int *a) {\n volatile int *p = 0;\n *p = a[0];\n}", j,
		   WS_EINPUT, "crashed");
	test_error("constant int t[4] = {1, 2, 3, 4};\n"
		   "kernel void k(global int *a) { a[0] = t[a[0] * 0 + 500000000 + "
		   "get_global_id(0)]; }", j, WS_EINPUT, "crashed");
	j.options.budget = 100000;
	test_error("kernel void k(volatile global int *a) { while (a[0] != 77) ; }", j, WS_EINPUT,
		   "waits here for ever");
	j.options.max_threads = 8;
	test_error("kernel void k(global int *a) { a[0] = 1; }", j, WS_EFORMAT, "at most 8");
}

/* Division by zero and the overflowing quotient are undefined, not fatal. */
static void test_division(void)
{
	struct job j = { .kernel = "k", .dim = 1, .global = { 32 }, .local = { 32 },
			 .args = { "a", "b", "c" }, .nargs = 3, .words = 32 };
	struct ws_trace *t;

	write_source("kernel void k(global const int *a, global int *b, global const int *c) {\n"
		     " int i = get_global_id(0);\n"
		     " b[i] = a[i] / c[i] + a[i] % c[i] + (INT_MIN + c[i]) / (c[i] - 1);\n}\n");
	t = traced(&j, "div.wst");
	test_ok(t != NULL, "a kernel that divides by zero runs");
	ws_trace_close(t);
}

int main(void)
{
	struct ws_err why = { 0 };
	char command[64];

	if (ws_capture_load(&why) != WS_OK) {
		test_skip("capture", why.text);
		return test_done();
	}
	if (!mkdtemp(folder))
		return 1;
	test_matmul();
	test_random_control_flow();
	test_errors();
	test_division();
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command) != 0 || test_done();
}
