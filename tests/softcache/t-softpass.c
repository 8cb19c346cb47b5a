/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels rewritten to have a software cache compute the same bytes, and count what the model
 * derives of the kernel as it is: those of data/kernel/, hard ones, and random ones.
 *
 * Of data/kernel/ each .cl is run once, with one of the caches and a part of its work-items; with
 * WS_TEST_ROUNDS set, every launch file but those of 64K nodes with as many caches, whole.
 * WS_TEST_SEED and WS_TEST_ROUNDS: random kernel i has seed + i.
 */
#include "tests/softcache/softpass.h"
#include "trace/capture/launch.h"

#include <dirent.h>
#include <unistd.h>

static const struct ws_soft_cache caches[] = {
	{ 16, 300, 2, false }, { 16, 1, 3, false }, { 64, 20, 1, false }, { 4, 5, 3, true },
	{ 256, 2, 2, false },  { 32, 7, 3, true },  { 1, 3, 3, false },	  { 16, 40, 0, false },
	{ 8, 2, 1, false },    { 128, 1, 3, true }, { 2, 1, 2, true },
};

/* ---- the kernels of data/kernel/ ---------------------------------------------------------- */

static bool is_launch(const char *name, const char *with)
{
	size_t len = strlen(name);

	return len > 7 && strcmp(name + len - 7, ".launch") == 0 && strstr(name, with);
}

/* At most `items` work-items of each launch: whole CTAs, at least one. */
static void crop(struct ws_program *p, uint64_t items)
{
	for (size_t i = 0; i < p->launches; i++) {
		struct ws_launch_spec *l = &p->launch[i];
		uint64_t all = 1;

		for (unsigned d = 0; d < l->dim; d++)
			all *= l->global[d];
		for (unsigned d = l->dim; d-- && all > items;) {
			uint64_t others = all / l->global[d], ctas = items / others / l->local[d];

			l->global[d] = (ctas ? ctas : 1) * l->local[d];
			all = others * l->global[d];
		}
	}
}

static void run_file(const char *folder, const char *name, const struct ws_soft_cache *cache,
		     size_t count, uint64_t items)
{
	const struct ws_soft_run_options options = { 0 };
	struct softpass c = { .cache = cache, .caches = count };
	struct ws_program p = { 0 };
	struct ws_err err = { 0 };
	char path[512];
	enum ws_status status;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	status = ws_program_read(&p, path, &err);
	crop(&p, items);
	if (status == WS_OK)
		status = softpass_run(&c, &p, &options, &err);
	test_ok(status == WS_OK && c.runs && !c.wrong && !c.different,
		"%s: %" PRIu64 " runs, %" PRIu64 " chosen, %" PRIu64 " hits: %" PRIu64
		" wrong bytes, %" PRIu64 " other counts %s",
		name, c.runs, c.chosen, c.hits, c.wrong, c.different, err.text);
	ws_program_clear(&p);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool exists(const char *folder, const char *stem, const char *end)
{
	char path[512];

	snprintf(path, sizeof path, "%s/%s%s", folder, stem, end);
	return access(path, R_OK) == 0;
}

/* The smaller of a kernel's launch files: x-4k.launch, x.launch, or another. */
static bool is_small(const char *folder, const char *name)
{
	char stem[128];
	bool own;

	snprintf(stem, sizeof stem, "%.*s", (int)(strlen(name) - 7), name);
	own = exists(folder, stem, ".cl");
	if (own)
		return !exists(folder, stem, "-4k.launch");
	return strstr(name, "-4k.") || strcmp(stem, "mm-16x2") == 0 || strcmp(stem, "mt-16x2") == 0;
}

static void data_kernels(uint64_t rounds)
{
	char *folder = ws_data_path("kernel"), *name[256];
	DIR *d = folder ? opendir(folder) : NULL;
	size_t names = 0, kernels = 0;

	for (struct dirent *e; d && (e = readdir(d)) && names < WS_COUNT(name);)
		if (is_launch(e->d_name, "") && !strstr(e->d_name, "64k"))
			name[names++] = ws_strdup(e->d_name);
	qsort(name, names, sizeof *name, by_name);
	for (size_t i = 0; i < names; i++) {
		if (rounds)
			run_file(folder, name[i], caches,
				 rounds < WS_COUNT(caches) ? (size_t)rounds : WS_COUNT(caches),
				 UINT64_MAX);
		else if (is_small(folder, name[i]))
			run_file(folder, name[i], &caches[kernels++ % 3], 1, 2048);
		free(name[i]);
	}
	test_ok(rounds || kernels >= 31, "%zu kernels", kernels);
	if (d)
		closedir(d);
	free(folder);
}

/* ---- hard kernels ------------------------------------------------------------------------- */

static char folder[] = "/tmp/warpstack-softpass-XXXXXX";

static void file_in(char path[128], const char *name, const char *text)
{
	FILE *f;

	snprintf(path, 128, "%s/%s", folder, name);
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

static enum ws_status run_text(struct softpass *c, const char *source, const char *launch,
			       const struct ws_soft_run_options *options, struct ws_err *err)
{
	char path[128], at[128];
	struct ws_program p = { 0 };
	enum ws_status status;

	file_in(path, "k.cl", source);
	file_in(at, "k.launch", launch);
	status = ws_program_read(&p, at, err);
	if (status == WS_OK)
		status = softpass_run(c, &p, options, err);
	ws_program_clear(&p);
	unlink(path);
	unlink(at);
	return status;
}

#define BEGIN "source = k.cl\n[buffers]\n"
#define LAUNCH "[launch]\nkernel = k\n"

static const struct hard {
	const char *name, *source, *launch;
	unsigned omit;		/* without this it goes wrong */
	bool racy;		/* its result depends on the order of threads */
} hard[] = {
	{ "bytes of neighbours share lines",
	  "kernel void k(global uchar *a, uint n) {\n"
	  "	size_t t = get_global_id(0), all = get_global_size(0);\n"
	  "	for (uint r = 0; r < 3; r++)\n"
	  "		for (uint i = 0; i < n; i++) a[i * all + t] += a[i * all + t] * 3 + t + r; "
	  "}", BEGIN "a = uchar 2048 random\n" LAUNCH "global = 64\nlocal = 32\nargs = a 32\n",
	  WS_SOFT_OMIT_END, false },
	{ "neighbours talk at barriers",
	  "kernel void k(global int *a, global const int *b) {\n"
	  "	size_t t = get_global_id(0), l = get_local_id(0), n = get_local_size(0);\n"
	  "	size_t base = t - l;\n"
	  "	for (int r = 0; r < 9; r++) {\n"
	  "		int v = a[base + (l + 1) % n] + b[t] + b[t ^ 1];\n"
	  "		barrier(CLK_GLOBAL_MEM_FENCE);\n"
	  "		a[t] = v + a[t];\n"
	  "		barrier(CLK_GLOBAL_MEM_FENCE); } }",
	  BEGIN "a = int 64 random\nb = int 64 random\n" LAUNCH
		"global = 64\nlocal = 32\nargs = a b\n",
	  WS_SOFT_OMIT_BARRIER, false },
	{ "atomics on what was stored",
	  "kernel void k(global int *a, global uint *h) {\n"
	  "	size_t t = get_global_id(0);\n"
	  "	for (int r = 0; r < 12; r++) {\n"
	  "		a[t] = a[t] * 5 + r;\n"
	  "		if (r % 3 == 0) atomic_add(&a[t], 7);\n"
	  "		if (r % 4 == 1) atomic_xor(&a[t], 12345);\n"
	  "		atomic_inc(&h[a[t] & 15]); } }",
	  BEGIN "a = int 64 random\nh = uint 16\n" LAUNCH "global = 64\nlocal = 32\nargs = a h\n",
	  WS_SOFT_OMIT_ATOMIC, false },
	{ "accesses that span lines",
	  "typedef struct { uchar c; uint x; ushort s; } __attribute__((packed)) part;\n"
	  "kernel void k(global uchar *a, global float *b, global part *p, global float3 *q,\n"
	  "	      global long *w) {\n"
	  "	size_t t = get_global_id(0);\n"
	  "	for (int r = 0; r < 5; r++) {\n"
	  "		float4 v = vload4(0, b + 5 * t + r);\n"
	  "		vstore4(v + 1.0f, 0, b + 5 * t + r);\n"
	  "		uchar8 u = vload8(0, a + 13 * t + r);\n"
	  "		vstore8(u.s76543210, 0, a + 13 * t + r);\n"
	  "		part x = p[t]; x.x += u.s0; x.s ^= x.c; p[t] = x;\n"
	  "		p[t].c += p[t].s;\n"
	  "		q[t] = q[t].yzx * 2.0f;\n"
	  "		vstore16(vload16(t, w) + r, t, w); } }",
	  BEGIN "a = uchar 845 random\nb = float 340 random\np = uchar 448 random\n"
		"q = float3 64 random\nw = long 1024 random\n" LAUNCH
		"global = 64\nlocal = 32\nargs = a b p q w\n",
	  WS_SOFT_OMIT_END, true },
	{ "structures copied whole",
	  "typedef struct { int v[9]; short s[3]; } part;\n"
	  "kernel void k(global part *a, global const part *b, global int *c) {\n"
	  "	size_t t = get_global_id(0);\n"
	  "	part x[2];\n"
	  "	for (int r = 0; r < 4; r++) {\n"
	  "		x[r & 1] = b[(t + r) % 32]; x[r & 1].v[(t + r) % 9] += r;\n"
	  "		a[2 * t + (r & 1)] = x[(t ^ r) & 1 ? r & 1 : 0];\n"
	  "		a[2 * t] = a[2 * t + 1]; c[t] += a[2 * t].v[r]; } }",
	  BEGIN "a = uchar 2816 random\nb = uchar 1408 random\nc = int 32\n" LAUNCH
		"global = 32\nlocal = 32\nargs = a b c\n", WS_SOFT_OMIT_END, false },
	{ "pointers to either of two",
	  "kernel void k(global int *a, global int *b, global const int *c, int n) {\n"
	  "	size_t t = get_global_id(0);\n"
	  "	global int *p = c[t] & 1 ? a : b;\n"
	  "	for (int r = 0; r < n; r++) {\n"
	  "		global int *q = c[t + r] & 2 ? a : p;\n"
	  "		p[t * 8 + (r & 7)] += q[t * 8 + (c[r] & 7)] + c[t];\n"
	  "		atomic_add(&q[t * 8 + 3], r); } }",
	  BEGIN "a = int 512 random\nb = int 512 random\nc = int 80 random\n" LAUNCH
		"global = 64\nlocal = 32\nargs = a b c 16\n", WS_SOFT_OMIT_ATOMIC, false },
	{ "two names of one buffer",
	  "kernel void k(global int *a, global int *b, global const float *c) {\n"
	  "	size_t t = get_global_id(0);\n"
	  "	for (int r = 0; r < 12; r++) {\n"
	  "		a[t] = b[t] + r; b[t] = a[t] * 3 + (int)c[t]; a[t] ^= b[t] + (int)c[t ^ "
	  "1]; } }", BEGIN "a = int 64 random\nc = float 64 random 0 9\n" LAUNCH
		"global = 64\nlocal = 32\nargs = a a c\n", WS_SOFT_OMIT_END, false },
	{ "threads in both slices at one barrier, some gone",
	  "kernel void k(global int *a, global int *b, local int *s) {\n"
	  "	size_t t = get_global_id(0), l = get_local_id(0);\n"
	  "	int sum = 0;\n"
	  "	for (size_t i = 0; i < t % 11; i++) sum += a[(t * i) % 64];\n"
	  "	a[t + 64] = sum; s[l] = sum;\n"
	  "	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
	  "	if (t % 5 == 0) return;\n"
	  "	for (size_t i = 0; i < l; i++) sum += s[i] + a[t - l + 64 + i] * b[i];\n"
	  "	barrier(CLK_GLOBAL_MEM_FENCE);\n"
	  "	b[t] = sum; b[t] += a[t]; }",
	  BEGIN "a = int 128 random\nb = int 64 random\n" LAUNCH
		"global = 64\nlocal = 32\nargs = a b local:128\n", WS_SOFT_OMIT_BARRIER, true },
	{ "a last line that is not whole",
	  "kernel void k(global uchar *a, global ushort *b, local uint *s) {\n"
	  "	size_t t = get_global_id(0);\n"
	  "	s[t] = t;\n"
	  "	for (int r = 0; r < 20; r++) {\n"
	  "		a[76 - t] += b[(t + r) % 33] + s[t]; b[32 - t % 33] ^= a[t + r]; } }",
	  BEGIN "a = uchar 77 random\nb = ushort 33 random\n" LAUNCH
		"global = 32\nlocal = 32\nargs = a b local:128\n", WS_SOFT_OMIT_END, true },
	{ "copies by groups",
	  "kernel void k(global int *a, global const int *b) {\n"
	  "	local int s[64];\n"
	  "	event_t e = async_work_group_copy(s, b + get_group_id(0) * 64, 64, 0);\n"
	  "	wait_group_events(1, &e);\n"
	  "	for (int r = 0; r < 8; r++)\n"
	  "		a[get_global_id(0)] += s[(get_local_id(0) * 3 + r) & 63];\n"
	  "	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
	  "	s[get_local_id(0)] = a[get_global_id(0) ^ 1];\n"
	  "	barrier(CLK_LOCAL_MEM_FENCE);\n"
	  "	e = async_work_group_copy(a + get_group_id(0) * 32, s, 32, 0);\n"
	  "	wait_group_events(1, &e); }",
	  BEGIN "a = int 64 random\nb = int 128 random\n" LAUNCH
		"global = 64\nlocal = 32\nargs = a b\n", WS_SOFT_OMIT_BARRIER, false },
};

static void hard_kernel(const struct hard *h, bool all)
{
	static const struct ws_soft_cache usual = { 16, 7, 3, false };
	struct ws_capture_test test = { .turn = 1 };
	struct ws_soft_run_options options = { 0 };
	struct softpass c = { .cache = all ? caches : &usual,
			      .caches = all ? WS_COUNT(caches) : 1 };
	struct softpass turns = { .cache = &usual, .caches = 1 }, bad = turns;
	struct ws_err err = { 0 };
	enum ws_status status = run_text(&c, h->source, h->launch, &options, &err);

	test_ok(status == WS_OK && !c.wrong && !c.different && c.hits && c.write_backs,
		"%s: %" PRIu64 " hits, %" PRIu64 " written back: %" PRIu64 " wrong bytes, %" PRIu64
		" other counts %s",
		h->name, c.hits, c.write_backs, c.wrong, c.different, err.text);
	options.test = &test;
	if (!h->racy)
		status = run_text(&turns, h->source, h->launch, &options, &err);
	test_ok(status == WS_OK && !turns.wrong && !turns.different,
		"%s, threads taking turns: %" PRIu64 " wrong bytes, %" PRIu64 " other counts %s",
		h->name, turns.wrong, turns.different, err.text);
	test = (struct ws_capture_test){ .omit = h->omit };
	status = run_text(&bad, h->source, h->launch, &options, &err);
	test_ok(status == WS_OK && bad.wrong, "%s, without a flush: %" PRIu64 " wrong bytes %s",
		h->name, bad.wrong, err.text);
}

/* What the model cannot know: the trace has no fences. */
static void fences(void)
{
	static const struct ws_soft_cache one = { 16, 2, 1, false };
	const struct ws_soft_run_options options = { 0 };
	struct softpass c = { .cache = &one, .caches = 1 };
	struct ws_err err = { 0 };
	enum ws_status status = run_text(
		&c,
		"kernel void k(global int *a) {\n"
		"	a[get_global_id(0)] += a[get_global_id(0) ^ 1];\n"
		"	for (int r = 0; r < 10; r++) {\n"
		"		a[get_global_id(0)] = r; mem_fence(CLK_GLOBAL_MEM_FENCE); } }",
		BEGIN "a = int 64 random\n" LAUNCH "global = 64\nlocal = 32\nargs = a\n", &options,
		&err);

	test_ok(status == WS_OK && !c.wrong && c.fences, "fences: %" PRIu64 " wrong bytes %s",
		c.wrong, err.text);
	test_u64(c.write_backs, 64 * 10, "a write-back at each fence");
}

static void refused(const char *source, const char *launch, const char *want)
{
	const struct ws_soft_run_options options = { 0 };
	struct softpass c = { .cache = caches, .caches = 1 };
	struct ws_err err = { 0 };
	enum ws_status status = run_text(&c, source, launch, &options, &err);

	test_ok(status == WS_EINPUT && strstr(err.text, want), "refused: %s", err.text);
}

static void refusals(void)
{
	refused("kernel void k(volatile global int *a) {\n"
		"	a[get_global_id(0)] = a[0]; }",
		BEGIN "a = int 64\n" LAUNCH "global = 64\nlocal = 32\nargs = a\n",
		"kernel k, line 2: no software cache: a volatile or atomic access must reach "
		"memory");
	refused("kernel void k(global int *a, constant int *c) {\n"
		"	a[get_global_id(0)] = c[0]; }",
		BEGIN "a = int 64\n" LAUNCH "global = 64\nlocal = 32\nargs = a a\n",
		"the buffer of its __constant argument c is written to by another's name");
}

/* ---- random kernels ------------------------------------------------------------------------ */

struct writer {
	struct ws_rng *rng;
	struct ws_buf text;
	unsigned depth;
};

WS_PRINTF(2, 3)
static void put(struct writer *w, const char *format, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	ws_put_bytes(&w->text, text, strlen(text));
}

static unsigned below(struct writer *w, unsigned n)
{
	return (unsigned)ws_rng_below(w->rng, n);
}

/* A place of 0 .. 895: near the thread's own, or anywhere. */
static void put_index(struct writer *w)
{
	static const char *const from[] = { "t * 13u", "t * 4u", "x", "t", "y + t", "i + t * 16u" };

	put(w, "(%s + %uu) %% 896u", from[below(w, 6)], below(w, 40));
}

static void put_value(struct writer *w)
{
	static const char *const array[] = { "A", "B", "C", "W", "P", "Q" };

	if (below(w, 3) == 0) {
		put(w, "x * %uu + i", 1 + below(w, 99));
		return;
	}
	put(w, "(uint)%s[", array[below(w, 6)]);
	put_index(w);
	put(w, "]");
}

static void put_statement(struct writer *w);

static void put_store(struct writer *w)
{
	static const char *const array[] = { "A", "B", "W", "P" };

	put(w, "%s[", array[below(w, 4)]);
	put_index(w);
	put(w, "] %s= ", below(w, 2) ? "" : "^");
	put_value(w);
	put(w, ";\n");
}

static void put_wide(struct writer *w)
{
	static const char *const of[] = { "2(0, B + ", "4(0, B + ", "8(0, B + ", "16(0, B + ",
					  "3(0, A + ", "4(0, A + ", "16(0, A + " };
	unsigned k = below(w, 7);

	put(w, "vstore%.*s(vload%s", (int)strcspn(of[k], "("), of[k], of[k]);
	put_index(w);
	put(w, ") + (%s)x, 0, %c + ", k < 4 ? "uint" : "uchar", k < 4 ? 'B' : 'A');
	put_index(w);
	put(w, ");\n");
}

static void put_block(struct writer *w, const char *head)
{
	put(w, "%s {\n", head);
	w->depth++;
	for (unsigned n = 1 + below(w, 3); n; n--)
		put_statement(w);
	w->depth--;
	put(w, "}\n");
}

static void put_statement(struct writer *w)
{
	char head[80];

	switch (below(w, w->depth < 2 ? 9 : 6)) {
	case 0: case 1:
		put(w, "x += ");
		put_value(w);
		put(w, ";\n");
		break;
	case 2: case 3:
		put_store(w);
		break;
	case 4:
		put_wide(w);
		break;
	case 5:
		put(w, "y += atomic_%s(&%c[", below(w, 2) ? "add" : "xchg",
		    below(w, 2) ? 'P' : 'B');
		put_index(w);
		put(w, "], x);\n");
		break;
	case 6:
		snprintf(head, sizeof head, "if ((x >> %u & 3) < %u)", below(w, 8),
			 1 + below(w, 3));
		put_block(w, head);
		break;
	default:
		snprintf(head, sizeof head, "for (uint i = 0; i < %u + (t & %u); i++)", below(w, 9),
			 below(w, 8));
		put_block(w, head);
	}
}

/* A and B and W are buffers of their own, C is read, P is A's words or B, Q one of two. */
static void random_kernel(struct writer *w)
{
	put(w, "kernel void k(global uchar *A, global uint *B, global const ushort *C,\n"
	       "global ulong *W, global uint *D) {\n"
	       "uint t = get_global_id(0), x = t, y = 0, i = 0;\n");
	put(w, "global uint *P = C[t] & 1 ? B : D;\nglobal const uint *Q = C[t] & %u ? D : P;\n",
	    1 + below(w, 3));
	for (unsigned n = 2 + below(w, 3); n; n--) {
		put_block(w, "for (uint r = 0; r < 3; r++)");
		if (below(w, 2))
			put(w, "barrier(CLK_GLOBAL_MEM_FENCE);\n");
	}
	put(w, "B[t] = x; D[t] ^= y; }\n");
	ws_put_u8(&w->text, '\0');
}

static void random_round(uint64_t seed)
{
	const struct ws_soft_run_options options = { 0 };
	struct ws_soft_cache cache[1];
	struct ws_rng rng;
	struct writer w = { .rng = &rng };
	struct softpass c = { .cache = cache, .caches = WS_COUNT(cache) };
	struct ws_err err = { 0 };
	enum ws_status status;
	bool good;

	ws_rng_seed(&rng, seed);
	for (size_t i = 0; i < WS_COUNT(cache); i++)
		cache[i] = (struct ws_soft_cache){
			.line_bytes = 1u << ws_rng_below(&rng, 9),
			.threshold = 1 + (uint32_t)ws_rng_below(&rng, ws_rng_below(&rng,
			2) ? 8 : 100),
			.lines = 1 + ws_rng_below(&rng, 5), .aliased = ws_rng_below(&rng, 4) == 0,
		};
	random_kernel(&w);
	status = run_text(&c, (const char *)w.text.data,
			  BEGIN "A = uchar 1000 random\nB = uint 1000 random\n"
				"C = ushort 1000 random\nW = ulong 1000 random\n"
				"D = uint 1000 random\n" LAUNCH
				"global = 24\nlocal = 12\nargs = A B C W D\n", &options, &err);
	good = test_ok(status == WS_OK && !c.wrong && !c.different,
		       "random kernel %" PRIu64 ": %" PRIu64 " chosen, %" PRIu64 " hits: %" PRIu64
		       " wrong bytes, %" PRIu64 " other counts %s",
		       seed, c.chosen, c.hits, c.wrong, c.different, err.text);
	if (!good)
		fprintf(stderr, "%s", (const char *)w.text.data);
	ws_buf_clear(&w.text);
}

int main(void)
{
	struct ws_err why = { 0 };
	const char *text = getenv("WS_TEST_ROUNDS");
	uint64_t seed = test_seed(1), rounds = 0;

	if (text && !ws_parse_u64(text, &rounds))
		rounds = 0;
	if (ws_capture_load(&why) != WS_OK) {
		test_skip("software caches in kernels", why.text);
		return test_done();
	}
	if (!mkdtemp(folder))
		return 1;
	for (size_t i = 0; i < WS_COUNT(hard); i++)
		hard_kernel(&hard[i], rounds);
	fences();
	refusals();
	for (uint64_t i = 0; i < (rounds ? rounds : 1); i++)
		random_round(seed + i);
	data_kernels(rounds);
	rmdir(folder);
	return test_done();
}
