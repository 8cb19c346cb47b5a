/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels whose work-items wait for those of other CTAs: known results, and the same trace for any
 * number of threads; polls of a turn; and waits that nothing ends, which are errors that say where.
 */
#include "tests/test.h"
#include "trace/capture.h"

#include <time.h>
#include <unistd.h>

#define COUNT 4096u

static char folder[] = "/tmp/warpstack-test-XXXXXX";

static const char *temporary(const char *name)
{
	static char path[4][128];
	static unsigned turn;

	turn = (turn + 1) % 4;
	snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
	return path[turn];
}

static void write_text(const char *name, const char *text)
{
	FILE *f = fopen(temporary(name), "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

struct ran {
	enum ws_status status;
	struct ws_err err;
	struct ws_program p;
	uint64_t loads, atomics;
};

/* Kernel k(a, b, count) of global work-items in groups of local; as many as COUNT each. */
static struct ran run(const char *source, unsigned global, unsigned local, unsigned threads,
		      const struct ws_machine *m, const char *trace)
{
	const struct ws_capture_options options = { .threads = threads, .machine = m };
	struct ran r = { .status = WS_OK };
	struct ws_trace *t = NULL;
	struct ws_out out = { 0 };
	char text[512];

	write_text("k.cl", source);
	snprintf(text, sizeof text,
		 "source = k.cl\n[buffers]\na = uint %u iota\nb = uint %u zero\n"
		 "count = uint %u zero\n"
		 "[launch]\nkernel = k\nglobal = %u\nlocal = %u\nargs = a b count\n",
		 COUNT, COUNT, COUNT, global, local);
	write_text("k.launch", text);
	r.status = ws_program_read(&r.p, temporary("k.launch"), &r.err);
	if (r.status == WS_OK)
		r.status = ws_out_open(&out, temporary(trace), &r.err);
	if (r.status == WS_OK)
		r.status = ws_capture(&r.p, &options, &out, &r.err);
	if (r.status == WS_OK)
		r.status = ws_out_commit(&out, &r.err);
	ws_out_abort(&out);
	if (r.status == WS_OK)
		r.status = ws_trace_open(&t, temporary(trace), &r.err);
	if (t) {
		r.loads = ws_trace_launch(t, 0)->accesses[WS_LOAD];
		r.atomics = ws_trace_launch(t, 0)->accesses[WS_ATOMIC];
	}
	ws_trace_close(t);
	return r;
}

static const uint32_t *buffer(const struct ran *r, size_t i)
{
	return (const uint32_t *)(const void *)r->p.buffer[i].host;
}

static bool same_files(const char *a, const char *b)
{
	struct ws_in x = { 0 }, y = { 0 };
	bool same = ws_in_open(&x, temporary(a), NULL) == WS_OK &&
		    ws_in_open(&y, temporary(b), NULL) == WS_OK && x.len == y.len &&
		    memcmp(x.data, y.data, x.len) == 0;

	ws_in_close(&x);
	ws_in_close(&y);
	return same;
}

/* ---- those that end ------------------------------------------------------------------------- */

#define MEET(poll)                                                                                 \
	"void meet(volatile global uint *count, uint goal) {\n"                                    \
	"	barrier(CLK_GLOBAL_MEM_FENCE);\n"                                                  \
	"	if (get_local_id(0) == 0) {\n"                                                     \
	"		atomic_inc(count);\n"                                                      \
	"		" poll "\n"                                                                \
	"	}\n"                                                                               \
	"	barrier(CLK_GLOBAL_MEM_FENCE);\n"                                                  \
	"}\n"
#define TWICE                                                                                      \
	"kernel void k(global uint *a, global uint *b, volatile global uint *count) {\n"           \
	"	uint i = get_global_id(0), n = get_global_size(0), g = get_num_groups(0);\n"       \
	"	a[i] = 2 * i;\n"                                                                   \
	"	meet(count, g);\n"                                                                 \
	"	b[i] = a[n - 1 - i];\n"                                                            \
	"	meet(count, 2 * g);\n"                                                             \
	"	a[i] = b[n - 1 - i] + 1;\n"                                                        \
	"}\n"

static const char *const meetings[] = {
	MEET("while (*count < goal);") TWICE,
	MEET("while (atomic_add(count, 0) < goal);") TWICE,
	MEET("while (atomic_or(count, 0) < goal);") TWICE,
	MEET("while (atomic_cmpxchg(count, 0, 0) < goal);") TWICE,
	MEET("uint seen; do { seen = *count; mem_fence(CLK_GLOBAL_MEM_FENCE); } while (seen < "
	     "goal);") TWICE,
	MEET("uint seen = *count; while (seen < goal) seen = *count;") TWICE,
	MEET("for (;;) { if (*count >= goal) break; }") TWICE,
};

static void test_grid_barrier(void)
{
	for (size_t m = 0; m < WS_COUNT(meetings); m++) {
		struct ran one = run(meetings[m], 37 * 48, 48, 1, NULL, "one.wst");
		struct ran many = run(meetings[m], 37 * 48, 48, 4, NULL, "many.wst");
		uint64_t wrong = 0;

		test_ok(one.status == WS_OK && many.status == WS_OK, "meeting %zu: %s%s", m,
			one.err.text, many.err.text);
		for (uint32_t i = 0; one.status == WS_OK && i < 37 * 48; i++)
			wrong += buffer(&one, 0)[i] != 2 * i + 1;
		test_u64(wrong, 0, "wrong results");
		test_ok(same_files("one.wst", "many.wst"), "meeting %zu: the same on all threads",
			m);
		/* A load each of a and b; 36 groups poll in the turn in which they come, and all
		 * but the last that comes once more when it has come.  Of each meeting. */
		test_u64(one.loads + one.atomics, 2 * 37 * 48 + 2 * (37 + 36 + 37),
			 "a poll a turn");
		ws_program_clear(&one.p);
		ws_program_clear(&many.p);
	}
}

/* Each group hands its sum to the one that took the next tile; fewer groups than tiles. */
static const char chain[] =
	"kernel void k(global const uint *a, global uint *b, volatile global uint *count) {\n"
	"	local uint tile, base;\n"
	"	uint l = get_local_id(0), size = get_local_size(0);\n"
	"	while (true) {\n"
	"		if (l == 0)\n"
	"			tile = atomic_inc(&count[0]);\n"
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"
	"		if (tile >= 50)\n"
	"			return;\n"
	"		if (l == 0) {\n"
	"			uint sum = 0;\n"
	"			for (uint j = 0; j < size; j++)\n"
	"				sum += a[tile * size + j];\n"
	"			if (tile)\n"
	"				while ((base = count[tile]) == 0)\n"
	"					;\n"
	"			else\n"
	"				base = 1;\n"
	"			atomic_xchg(&count[tile + 1], base + sum);\n"
	"		}\n"
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"
	"		uint sum = base;\n"
	"		for (uint j = 0; j <= l; j++)\n"
	"			sum += a[tile * size + j];\n"
	"		b[tile * size + l] = sum;\n"
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	}\n"
	"}\n";

static void check_sums(const struct ran *r, const char *what)
{
	uint64_t wrong = 0;
	uint32_t sum = 1;

	test_ok(r->status == WS_OK, "%s: %s", what, r->err.text);
	for (uint32_t i = 0; r->status == WS_OK && i < 50 * 32; i++)
		wrong += buffer(r, 1)[i] != (sum += i);
	test_u64(wrong, 0, what);
}

static void test_persistent(void)
{
	struct ran r = run(chain, 8 * 32, 32, 2, NULL, "one.wst");

	check_sums(&r, "persistent groups");
	ws_program_clear(&r.p);
}

/* The last group goes first: all others wait for it, and for those behind them. */
static void test_backwards(void)
{
	static const char source[] =
		"kernel void k(global uint *a, global uint *b, volatile global uint *count) {\n"
		"	uint g = get_group_id(0), n = get_num_groups(0);\n"
		"	if (g + 1 < n)\n"
		"		while (count[g + 1] == 0)\n"
		"			;\n"
		"	b[get_global_id(0)] = g + 1 < n ? b[get_global_id(0) + get_local_size(0)] "
		"+ 1 : 7;\n"
		"	barrier(CLK_GLOBAL_MEM_FENCE);\n"
		"	count[g] = 1;\n"
		"}\n";
	struct ran r = run(source, 60 * 64, 64, 2, NULL, "one.wst");
	uint64_t wrong = 0;

	test_ok(r.status == WS_OK, "backwards: %s", r.err.text);
	for (uint32_t i = 0; r.status == WS_OK && i < 60 * 64; i++)
		wrong += buffer(&r, 1)[i] != 7 + 59 - i / 64;
	test_u64(wrong, 0, "backwards: wrong results");
	ws_program_clear(&r.p);
}

/* A lock that others hold while they wait themselves. */
static void test_lock(void)
{
	static const char source[] =
		"kernel void k(global uint *a, volatile global uint *b, volatile global uint "
		"*count) {\n"
		"	if (get_local_id(0) == 0) {\n"
		"		while (atomic_xchg(&count[0], 1))\n"
		"			;\n"
		"		uint before = b[0];\n"
		"		atomic_inc(&count[1]);\n"
		"		while (count[1] < 2 && get_group_id(0) == 0)\n"
		"			;\n"
		"		b[0] = before + 1;\n"
		"		atomic_xchg(&count[0], 0);\n"
		"	} else if (get_group_id(0) == 1)\n"
		"		atomic_or(&count[1], 2);\n"
		"}\n";
	struct ran r = run(source, 20 * 8, 8, 2, NULL, "one.wst");

	if (test_ok(r.status == WS_OK, "a lock: %s", r.err.text))
		test_u64(buffer(&r, 1)[0], 20, "a lock: times held");
	ws_program_clear(&r.p);
}

/* Loops that are not known to wait: one counts its polls, one has barriers in it. */
static const char counted[] =
	"kernel void k(global uint *a, global uint *b, volatile global uint *count) {\n"
	"	uint polls = 0;\n"
	"	if (get_local_id(0) == 0) {\n"
	"		atomic_inc(count);\n"
	"		while (*count < get_num_groups(0))\n"
	"			polls++;\n"
	"	}\n"
	"	barrier(CLK_GLOBAL_MEM_FENCE);\n"
	"	b[get_global_id(0)] = 5;\n"
	"	if (get_local_id(0) == 0)\n"
	"		a[get_group_id(0)] = polls;\n"
	"}\n";
static const char together[] =
	"kernel void k(global uint *a, global uint *b, volatile global uint *count) {\n"
	"	local uint seen;\n"
	"	if (get_local_id(0) == 0)\n"
	"		atomic_inc(count);\n"
	"	do {\n"
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"
	"		if (get_local_id(0) == 0)\n"
	"			seen = *count;\n"
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	} while (seen < get_num_groups(0));\n"
	"	b[get_global_id(0)] = 5;\n"
	"}\n";

static void test_unknown(void)
{
	static const char *const source[] = { counted, together };

	for (size_t s = 0; s < WS_COUNT(source); s++) {
		struct ran one = run(source[s], 6 * 16, 16, 1, NULL, "one.wst");
		struct ran many = run(source[s], 6 * 16, 16, 4, NULL, "many.wst");
		uint64_t right = 0;

		test_ok(one.status == WS_OK && many.status == WS_OK, "not known to wait, %zu: %s%s",
			s, one.err.text, many.err.text);
		for (uint32_t i = 0; one.status == WS_OK && i < 6 * 16; i++)
			right += buffer(&one, 1)[i] == 5;
		test_u64(right, 6 * 16, "not known to wait: right results");
		test_ok(same_files("one.wst", "many.wst"), "not known to wait, %zu: the same", s);
		ws_program_clear(&one.p);
		ws_program_clear(&many.p);
	}
}

/* ---- those that do not
 * ------------------------------------------------------------------------ */

static void test_stuck(const char *what, const char *source, unsigned groups,
		       const struct ws_machine *m, const char *text)
{
	clock_t begun = clock(); /* of both threads: others may keep the machine busy */
	struct ran r = run(source, groups * 32, 32, 2, m, "one.wst");

	test_ok(r.status == WS_EINPUT && strstr(r.err.text, text), "%s: '%s'", what, r.err.text);
	test_ok(clock() - begun < 30 * CLOCKS_PER_SEC, "%s: in time", what);
	ws_program_clear(&r.p);
}

static void test_beyond(void)
{
	struct ws_machine m;
	struct ws_err err = { 0 };
	struct ran r;

	if (!test_ok(ws_machine_load(&m, "gtx480", &err) == WS_OK, "gtx480: %s", err.text))
		return;
	/* 15 SMs of 8 CTAs */
	r = run(meetings[0], 120 * 32, 32, 2, &m, "one.wst");
	test_ok(r.status == WS_OK, "as many CTAs as the machine holds: %s", r.err.text);
	ws_program_clear(&r.p);
	test_stuck("one more", meetings[0], 121, &m,
		   "k.cl:5: kernel k: work-item (0,0,0) waits here for ever: nothing that runs "
		   "beside it writes what it waits for (of 121 groups 0 have ended; at most 120 "
		   "run together)");
	r = run(chain, 8 * 32, 32, 2, &m, "one.wst");
	check_sums(&r, "persistent groups on a machine");
	ws_program_clear(&r.p);
}

static void test_never(void)
{
	test_stuck("a flag that nobody sets",
		   "kernel void k(global uint *a, global uint *b, volatile global uint *count) {\n"
		   "	b[get_global_id(0)] = a[0];\n"
		   "	if (get_global_id(0) == 70)\n"
		   "		while (count[9] != 3)\n"
		   "			;\n"
		   "	count[0] = 1;\n"
		   "}\n",
		   4, NULL, "k.cl:4: kernel k: work-item (70,0,0) waits here for ever");
	test_stuck("not known to wait",
		   "kernel void k(global uint *a, global uint *b, volatile global uint *count) {\n"
		   "	uint polls = 0;\n"
		   "	while (count[get_group_id(0)] == 0)\n"
		   "		polls++;\n"
		   "	count[0] = polls;\n"
		   "}\n",
		   3, NULL, "k.cl:3: kernel k: work-item (0,0,0) waits here for ever");
	test_stuck("of its own group",
		   "kernel void k(global uint *a, global uint *b, volatile global uint *count) {\n"
		   "	volatile local uint flag;\n"
		   "	if (get_local_id(0) == 0) flag = 0;\n"
		   "	barrier(CLK_LOCAL_MEM_FENCE);\n"
		   "	while (flag == 0)\n"
		   "		;\n"
		   "	b[get_global_id(0)] = a[0];\n"
		   "}\n",
		   1, NULL, "k.cl:5: kernel k: work-item (0,0,0) waits here for ever");
}

int main(void)
{
	struct ws_err why = { 0 };
	char command[64];

	if (ws_capture_load(&why) != WS_OK) {
		test_skip("waits", why.text);
		return test_done();
	}
	if (!mkdtemp(folder))
		return 1;
	test_grid_barrier();
	test_persistent();
	test_backwards();
	test_unknown();
	test_lock();
	test_beyond();
	test_never();
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command) != 0 || test_done();
}
