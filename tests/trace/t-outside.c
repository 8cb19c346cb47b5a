/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Accesses outside their arrays, and misaligned ones: what the kernel sees, what the trace holds
 * and what is told.
 */
#include <unistd.h>

#include "tests/test.h"
#include "trace/capture/launch.h"

#define BASE WS_DEVICE_BASE /* of buffer a; b begins 256 bytes further */

static char folder[] = "/tmp/warpstack-test-XXXXXX";

struct told { /* what was */
	char text[8][WS_OUTSIDE_TEXT];
	size_t lines;
};

struct result {
	enum ws_status status;
	struct ws_err err;
	struct ws_trace *trace;
	struct told told;
	int32_t a[64], b[64];
};

static void note(void *context, const struct ws_outside *o)
{
	struct told *told = context;

	if (told->lines < WS_COUNT(told->text))
		ws_outside_text(o, told->text[told->lines]);
	told->lines++;
}

static void write_source(char path[64], const char *text)
{
	FILE *f;

	snprintf(path, 64, "%s/k.cl", folder);
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

/* Runs kernel k of the source over a, 64 ints that count, and b, 64 zeros, 64 work-items in groups
 * of 16.  The trace is the caller's to close. */
static struct result run(const char *source, const char *more, struct ws_capture_options options)
{
	struct result r = { .status = WS_OK };
	struct ws_program p = { 0 };
	char path[64], text[400];

	write_source(path, source);
	snprintf(text, sizeof text, "source = %s\n[buffers]\na = int 64 iota\nb = int 64\n"
		 "[launch]\n"
		 "kernel = k\nglobal = 64\nlocal = 16\n%s", path, more);
	options.outside = note;
	options.context = &r.told;
	r.status = ws_program_parse(&p, "k.launch", text, strlen(text), &r.err);
	if (r.status == WS_OK)
		r.status = ws_capture_trace(&r.trace, &p, &options, &r.err);
	if (r.status == WS_OK) {
		memcpy(r.a, p.buffer[0].host, sizeof r.a);
		memcpy(r.b, p.buffer[1].host, sizeof r.b);
	}
	ws_program_clear(&p);
	return r;
}

static const struct ws_capture_options record = { .out_of_bounds = WS_OUT_OF_BOUNDS_RECORD };

/* The addresses of a line's accesses of a kind, in the order of groups, steps and lanes. */
static size_t addresses(const struct ws_trace *t, uint32_t line, enum ws_kind kind, uint64_t *out,
			size_t most)
{
	const struct ws_launch *l = ws_trace_launch(t, 0);
	struct ws_decoder *d = NULL;
	struct ws_step step;
	bool more = true;
	size_t n = 0;

	if (ws_decoder_new(&d, t, 0, NULL) != WS_OK)
		abort();
	for (uint64_t cta = 0; cta < l->ctas; cta++) {
		if (ws_decoder_seek(d, cta, NULL) != WS_OK)
			abort();
		while (ws_decoder_next(d, &step, &more, NULL) == WS_OK && more) {
			const struct ws_segment *s = &l->segment[step.segment];

			for (uint32_t a = 0; a < s->count; a++) {
				const struct ws_instruction *i = &l->instruction[s->first + a];

				for (size_t lane = 0; i->line == line && i->kind == kind &&
						      lane < 16; lane++)
					if (step.mask[0] >> lane & 1 && n < most)
						out[n++] = step.address[a][lane];
			}
		}
	}
	ws_decoder_free(d);
	return n;
}

static bool holds(const uint64_t *list, size_t n, uint64_t address)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == address)
			return true;
	return false;
}

/* ---- what a kernel sees, and the trace ----------------------------------------------------- */

static const char each_kind[] =
	"kernel void k(global int *a, global int *b) {\n"
	" int i = get_global_id(0);\n"
	" b[i] = a[i + 4] + 1000;\n"
	" b[i + 60] = 7;\n"
	" int was = atomic_add(&a[i - 4], 100), old = atomic_cmpxchg(&b[-1 - i], 0, 5);\n"
	" if (i < 4) b[i] += was + old * 100;\n"
	"}\n";

static void test_each_kind(void)
{
	struct ws_capture_options options = record;
	struct result r;
	uint64_t at[64];
	size_t n, bad = 0;

	options.threads = 1;
	r = run(each_kind, "args = a b\n", options);
	if (!test_ok(r.status == WS_OK, "record: %s", r.err.text))
		return;
	/* Groups run in order, so that a[i + 4] of a group's last four is not yet changed. */
	for (int i = 0; i < 64; i++) {
		int loaded = i >= 60 ? 0 : i + 4;

		bad += r.b[i] != 1000 + loaded && !(i < 4 && r.b[i] == 7);
		bad += r.a[i] != i + (i < 60 ? 100 : 0);
	}
	test_u64(bad, 0, "values of loads, stores and atomics");
	n = addresses(r.trace, 3, WS_LOAD, at, 64);
	test_ok(n == 64 && at[0] == BASE + 16 && at[63] == BASE + 4 * 67, "loads at their "
		"addresses");
	n = addresses(r.trace, 4, WS_STORE, at, 64);
	test_ok(n == 64 && at[63] == BASE + 256 + 4 * 123, "stores at theirs");
	n = addresses(r.trace, 5, WS_ATOMIC, at, 64);
	test_ok(n == 64 && holds(at, n, BASE - 16) && holds(at, n, BASE + 252),
		"atomics at theirs");
	test_u64(r.told.lines, 3, "lines told of");
	test_str(strstr(r.told.text[0], "k.cl:3"),
		 "k.cl:3: out of bounds in kernel k: 4 loads, first work-item (60,0,0) makes a "
		 "load of 4 bytes at byte 256 of buffer a (argument a), which has 256",
		 "the first line");
	test_str(strstr(r.told.text[1], "k.cl:4"),
		 "k.cl:4: out of bounds in kernel k: 60 stores, first work-item (4,0,0) makes a "
		 "store of 4 bytes at byte 256 of buffer b (argument b), which has 256",
		 "the second");
	test_str(strstr(r.told.text[2], "k.cl:5"),
		 "k.cl:5: out of bounds in kernel k: 68 atomics, first work-item (0,0,0) makes an "
		 "atomic of 4 bytes at byte -16 of buffer a (argument a), which has 256",
		 "the third");
	ws_trace_close(r.trace);
}

static bool same_trace(const struct ws_trace *one, const struct ws_trace *other, uint32_t line,
		       enum ws_kind kind)
{
	uint64_t a[64], b[64];
	size_t n = addresses(one, line, kind, a, 64);

	return addresses(other, line, kind, b, 64) == n && memcmp(a, b, n * sizeof *a) == 0;
}

static void test_modes_and_threads(void)
{
	static const char source[] =
		"kernel void k(global const int *a, global int *b) {\n"
		" int i = get_global_id(0);\n"
		" b[3 * i] = a[70 - i * i];\n}\n";
	struct ws_capture_options ignore = { .out_of_bounds = WS_OUT_OF_BOUNDS_IGNORE },
				  one = record, three = record, fail = { 0 };
	struct result i, r, s, f;

	one.threads = 1;
	three.threads = 3;
	i = run(source, "args = a b\n", ignore);
	r = run(source, "args = a b\nrepeat = 2\n", one);
	s = run(source, "args = a b\nrepeat = 2\n", three);
	f = run(source, "args = a b\n", fail);
	if (test_ok(i.status == WS_OK && r.status == WS_OK && s.status == WS_OK, "%s%s%s",
		    i.err.text, r.err.text, s.err.text)) {
		test_u64(i.told.lines, 0, "lines told of if they are ignored");
		test_ok(same_trace(i.trace, r.trace, 3, WS_LOAD) &&
			same_trace(i.trace, r.trace, 3, WS_STORE), "ignored or not, the same "
			"trace");
		test_ok(same_trace(s.trace, r.trace, 3, WS_LOAD) && !memcmp(s.b, r.b, sizeof r.b) &&
			!memcmp(&s.told, &r.told, sizeof r.told), "the same of any threads");
		/* 70 - i * i is in 0 .. 63 for i = 3 .. 8 */
		test_ok(strstr(r.told.text[0], " 116 loads, 84 stores, first work-item (0,0,0) "
			       "makes a load"), "one line of two launches: %s", r.told.text[0]);
	}
	test_ok(f.status == WS_EINPUT && f.told.lines == 0 &&
		strstr(f.err.text, "k.cl:3: out of bounds in kernel k: work-item (0,0,0) makes a "
		       "load of 4 bytes at byte 280 of buffer a"), "fail: %s", f.err.text);
	ws_trace_close(i.trace);
	ws_trace_close(r.trace);
	ws_trace_close(s.trace);
}

/* Accesses that end outside, copies, addresses that wrap, of no array, of any array. */
static void test_odd_ones(void)
{
	static const char source[] =
		"struct s { int x[20]; };\n"
		"kernel void k(global int *a, global int *b) {\n"
		" int i = get_global_id(0);\n"
		" int4 v = vload4(0, a + i);\n"
		" if (i > 20) vstore4((int4)(1, 2, 3, 4) + v, 0, b + i * 3);\n"
		" if (i == 1) ((global struct s *)b)[3] = ((global struct s *)a)[3];\n"
		" if (i == 2) b[63] = a[-(1L << 40)] + a[1L << 61] + 9;\n"
		" global int *p = a[i] & 1 ? a : b;\n"
		" if (i == 3) b[60] = p[66] + 5;\n"
		" if (i == 4) b[61] = *(global int *)(size_t)(a[i] * 4) + 6;\n"
		"}\n";
	struct ws_capture_options options = record;
	struct result r;
	uint64_t at[64];

	options.threads = 1;
	r = run(source, "args = a b\n", options);
	if (!test_ok(r.status == WS_OK, "odd accesses: %s", r.err.text))
		return;
	test_ok(strstr(r.told.text[0], ":4: out of bounds in kernel k: 3 loads, first work-item "
		       "(61,0,0) makes a load of 16 bytes at byte 244"), "%s", r.told.text[0]);
	test_ok(strstr(r.told.text[1], ":5: out of bounds in kernel k: 43 stores, first work-item "
		       "(21,0,0) makes a store of 16 bytes at byte 252"), "%s", r.told.text[1]);
	test_ok(strstr(r.told.text[2], ":6: out of bounds in kernel k: 1 load, 1 store, first "
		       "work-item (1,0,0) makes a load of 80 bytes at byte 240 of buffer a"),
		"%s", r.told.text[2]);
	test_ok(strstr(r.told.text[3], ":7: out of bounds in kernel k: 2 loads"), "%s",
		r.told.text[3]);
	test_ok(r.b[63] == 9 && r.b[60] == 5 && r.b[61] == 6 && r.b[62] == 0,
		"loads outside give 0, stores vanish: %d %d %d %d", r.b[63], r.b[60], r.b[61],
		r.b[62]);
	test_ok(addresses(r.trace, 7, WS_LOAD, at, 64) == 2 &&
			holds(at, 2, BASE - (UINT64_C(1) << 42)) &&
			holds(at, 2, BASE + (UINT64_C(1) << 63)),
		"addresses wrap");
	test_ok(addresses(r.trace, 9, WS_LOAD, at, 64) == 1 && at[0] == BASE + 264,
		"near an array, though which is not known");
	test_ok(addresses(r.trace, 10, WS_LOAD, at, 64) == 2 && holds(at, 2, 16), "near none");
	ws_trace_close(r.trace);
}

static void test_local(void)
{
	static const char source[] =
		"kernel void k(global int *a, global int *b, local int *l) {\n"
		" local int t[20];\n int i = get_local_id(0);\n"
		" t[i] = a[i]; l[i] = 3; barrier(CLK_LOCAL_MEM_FENCE);\n"
		" l[i - 4] = 4;\n"
		" barrier(CLK_LOCAL_MEM_FENCE);\n"
		" b[get_global_id(0)] = l[i] * 100 + t[i + 12];\n"
		"}\n";
	struct ws_capture_options options = record;
	uint64_t at[64];

	for (int all = 0; all < 2; all++) {
		struct result r;

		options.local = all;
		r = run(source, "args = a b local:64\n", options);
		test_ok(r.status == WS_OK && r.told.lines == 2 && r.b[0] == 412 && r.b[12] == 300 &&
			r.b[3] == 415 && r.b[11] == 400, "local memory: %s %d %d %d %d", r.err.text,
			r.b[0], r.b[3], r.b[11], r.b[12]);
		test_ok(strstr(r.told.text[0], ":5: out of bounds in kernel k: 16 stores, first "
			       "work-item (0,0,0) makes a store of 4 bytes at byte -16 of __local "
			       "memory l, which has 64"), "%s", r.told.text[0]);
		test_ok(strstr(r.told.text[1], ":7: out of bounds in kernel k: 32 loads, first "
			       "work-item (8,0,0) makes a load of 4 bytes at byte 80 of __local "
			       "memory t, which has 80"), "%s", r.told.text[1]);
		test_ok(addresses(r.trace, 5, WS_STORE, at, 64) == (all ? 64 : 0) &&
			(!all || at[0] == UINT64_MAX - 15), "recorded only if asked for");
		ws_trace_close(r.trace);
	}
}

/* ---- misaligned vectors, and what is refused whatever is asked for --------------------------- */

static void test_refused(const char *source, const char *words)
{
	for (int mode = WS_OUT_OF_BOUNDS_FAIL; mode <= WS_OUT_OF_BOUNDS_IGNORE; mode++) {
		struct ws_capture_options options = { .out_of_bounds =
							      (enum ws_out_of_bounds)mode };
		struct result r = run(source, "args = a b\n", options);

		test_ok(r.status == WS_EINPUT && strstr(r.err.text, words), "%s: \"%s\" has \"%s\"",
			ws_out_of_bounds_names[mode], r.err.text, words);
		ws_trace_close(r.trace);
	}
}

static void test_alignment(void)
{
	static const char aligned[] =
		"kernel void k(global int *a, global int *b) {\n"
		" int i = get_global_id(0) % 12;\n"
		" int4 v = *(global int4 *)(a + 4 * i) + vload4(0, a + i);\n"
		" b[i] = v.x + v.w + *(global long *)((global char *)a + 1 + i);\n"
		"}\n";
	struct result r = run(aligned, "args = a b\n", record);

	test_ok(r.status == WS_OK && r.told.lines == 0, "aligned vectors, vload4, numbers: %s",
		r.err.text);
	ws_trace_close(r.trace);
	test_refused("kernel void k(global int *a, global int *b) {\n"
		     " int i = get_global_id(0);\n"
		     " int4 v = *(global int4 *)(a + i);\n b[i] = v.x + v.y;\n}\n",
		     "k.cl:3: misaligned access in kernel k: work-item (1,0,0) makes a load of 16 "
		     "bytes at byte 4 of buffer a (argument a), which has 256, address "
		     "0x100000004: want a multiple of 16");
	test_refused("kernel void k(global int *a, global int *b) {\n"
		     " int i = get_global_id(0) / 4;\n"
		     " *(global short2 *)((global char *)b + i + 2) = (short2)(i, a[i]);\n}\n",
		     "k.cl:3: misaligned access in kernel k: work-item (0,0,0) makes a store of 4 "
		     "bytes at byte 2 of buffer b (argument b), which has 256, address "
		     "0x100000102: want a multiple of 4");
	test_refused("struct s { int4 v[2]; };\n"
		     "kernel void k(global int *a, global int *b) {\n"
		     " *(global struct s *)b = *(global struct s *)(a + 1);\n}\n",
		     "k.cl:3: misaligned access in kernel k: work-item (0,0,0) makes a load of 32 "
		     "bytes at byte 4");
	test_refused("kernel void k(global int *a, global int *b) {\n"
		     " local int t[40];\n int i = get_local_id(0);\n t[i] = a[i];\n"
		     " barrier(CLK_LOCAL_MEM_FENCE);\n int2 v = *(local int2 *)(t + i);\n"
		     " b[get_global_id(0)] = v.x * v.y;\n}\n",
		     "k.cl:6: misaligned access in kernel k: work-item (1,0,0) makes a load of 8 "
		     "bytes at byte 4 of __local memory t");
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
	test_each_kind();
	test_modes_and_threads();
	test_odd_ones();
	test_local();
	test_alignment();
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command) != 0 || test_done();
}
