/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Launch files: what is read, every mistake's message, contents of buffers,
 * comparison, and random damage to a good file.  Graphs: t-launch-graphs.c.
 */
#include "tests/test.h"
#include "trace/capture/launch.h"

#include <glob.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 1024u

static const char good[] =
	"# the 16 x 2 row of Table 8.1\n"
	"source  = mm.cl\n"
	"options = -DW=4 -I include   # of clang\n"
	"[buffers]\n"
	"A = float 1K random -1 1 seed=7\r\n"
	"\tV3 = float3 7 constant 1,2.5,-3\n"
	"I=int 9 iota\n"
	"C = ulong 33\n"
	"[launch]\n"
	"kernel = mm\n"
	"global = 32 48\n"
	"local = 16,16\n"
	"offset = 0 5\n"
	"args = A V3 C 128 -1.5 1,2,3,4 local:1K\n"
	"repeat = 3\n"
	"registers = 21\n"
	"[launch]\n"
	"global = 7\n"
	"local = 1\n"
	"kernel = other\n"
	"args =\n"
	"[check]\n"
	"C = out dir/c.bin 1e-3\n"
	"A = /abs/a.bin\n";

static enum ws_status parse(struct ws_program *p, const char *text, struct ws_err *err)
{
	return ws_program_parse(p, "dir/mm.launch", text, strlen(text), err);
}

static void test_good(void)
{
	struct ws_err err = { 0 };
	struct ws_program p;

	if (!test_ok(parse(&p, good, &err) == WS_OK, "a good file is read: %s", err.text))
		return;
	test_str(p.source, "dir/mm.cl", "source is beside the launch file");
	test_str(p.options, "-DW=4 -I include", "options without the comment");
	test_u64(p.buffers, 4, "buffers");
	test_u64(p.buffer[0].count, 1024, "count with a suffix");
	test_u64(p.buffer[1].bytes, 7 * 16, "float3 takes the room of float4");
	test_u64(p.buffer[1].lanes, 3, "lanes");
	test_str(p.buffer[3].init, "zero", "no initialiser is zero");
	test_u64((uint64_t)p.buffer[3].line, 8, "line of a buffer");
	test_u64(p.launches, 2, "launches");
	test_u64(p.launch[0].dim, 2, "dimensions");
	test_u64(p.launch[0].global[1], 48, "global");
	test_u64(p.launch[0].global[2], 1, "global beyond dim");
	test_u64(p.launch[0].local[0], 16, "local");
	test_u64(p.launch[0].offset[1], 5, "offset");
	test_u64(p.launch[0].args, 7, "args");
	test_str(p.launch[0].arg[5].text, "1,2,3,4", "a vector");
	test_u64(p.launch[0].repeat, 3, "repeat");
	test_u64(p.launch[0].registers, 21, "registers");
	test_u64(p.launch[1].repeat, 1, "repeat by default");
	test_u64(p.launch[1].registers, 0, "registers unknown");
	test_str(p.check[0].path, "dir/out dir/c.bin", "a path with a blank");
	test_abs(p.check[0].tolerance, 1e-3, 0, "tolerance");
	test_str(p.check[1].path, "/abs/a.bin", "an absolute path stays");
	test_ok(ws_program_verify(&p, THREADS, &err) == WS_OK, "it verifies: %s", err.text);
	ws_program_clear(&p);
	ws_program_clear(&p);
	test_u64(p.buffers, 0, "clear twice");
}

/* ---- mistakes ----------------------------------------------------------------- */

#define RUN "[launch]\nkernel=k\nglobal=16\nlocal=16\n"

static const struct {
	const char *text, *says; /* the message has this in it */
} mistakes[] = {
	{ "sauce = mm.cl\n", "dir/mm.launch:1: unknown key 'sauce'" },
	{ "\nsource = a.cl\nsource = b.cl\n", ":3: source again" },
	{ "source =\n", ":1: source without a value" },
	{ "base = 4G\nbase = 4G\n", ":2: base again" },
	{ "base = 0xffffff00\n", ":1: base '0xffffff00': want a multiple of 256 from 0x1" },
	{ "base = 0x100000080\n", ":1: base '0x100000080'" },
	{ "base = 0xffffff000100\n", ":1: base '0xffffff000100'" },
	{ "base = 0x\n", ":1: base '0x'" },
	{ "base = -4G\n", ":1: base '-4G'" },
	{ "align = 128\n", ":1: align '128': want a power of two from 256 to 1G" },
	{ "align = 768\n", ":1: align '768'" },
	{ "align = 2G\n", ":1: align '2G'" },
	{ "align = 0\n", ":1: align '0'" },
	{ "source mm.cl\n", ":1: 'source mm.cl': want NAME = VALUE" },
	{ "[bufers]\n", ":1: section '[bufers'" },
	{ "[buffers\n", ":1: section '[buffers'" },
	{ "[]\n", ":1: section '[': want [buffers], [launch]" },
	{ "[buffers]\nA = float\n", ":2: buffer A: want NAME = TYPE COUNT" },
	{ "[buffers]\nA = half 4\n", ":2: type 'half' of buffer A" },
	{ "[buffers]\nA = float5 4\n", "type 'float5'" },
	{ "[buffers]\nA = float16x 4\n", "type 'float16x'" },
	{ "[buffers]\n1A = float 4\n", "'1A' as a name" },
	{ "[buffers]\n = float 4\n", "'' as a name" },
	{ "[buffers]\nA = float 4\nA = int 4\n", ":3: buffer A was declared before" },
	{ "[buffers]\nA = float 0\n", "count '0' of buffer A" },
	{ "[buffers]\nA = float -1\n", "count '-1' of buffer A" },
	{ "[buffers]\nA = float 18446744073709551616\n", "count '18446744073709551616'" },
	{ "[buffers]\nA = double16 18446744073709551615\n", "at most 17179869184 bytes" },
	{ "[buffers]\nA = double16 0x2000000000000001\n", "at most 17179869184 bytes" },
	{ "[buffers]\nA = char 16G\nB = char 1\n", ":3: buffer B" },
	{ "[buffers]\nA = float 4 ones\n", "initialiser 'ones'" },
	{ "[buffers]\nA = float 4 file\n", "initialiser 'file'" },
	{ "[buffers]\nA = float 4 zero 1\n", "want nothing after zero" },
	{ "[buffers]\nA = float 4 iota seed=1\n", "want nothing after iota" },
	{ "[buffers]\nA = float 4 constant\n", "want constant V" },
	{ "[buffers]\nA = float 4 constant 1e39\n", "want constant V" },
	{ "[buffers]\nA = float 4 constant nan\n", "want constant V" },
	{ "[buffers]\nA = char 4 constant 128\n", "want constant V with V a char" },
	{ "[buffers]\nA = uchar 4 constant -1\n", "want constant V with V a uchar" },
	{ "[buffers]\nA = int 4 constant 1.5\n", "want constant V" },
	{ "[buffers]\nA = int4 4 constant 1,2\n", "or 4 with commas between" },
	{ "[buffers]\nA = int2 4 constant 1,2,3\n", "or 2 with commas between" },
	{ "[buffers]\nA = int2 4 constant 1,\n", "or 2 with commas between" },
	{ "[buffers]\nA = int 4 random 5\n", "want random" },
	{ "[buffers]\nA = int 4 random 5 4\n", "want random" },
	{ "[buffers]\nA = int 4 random 0 2147483648\n", "want random" },
	{ "[buffers]\nA = float 4 random 1 0\n", "want random" },
	{ "[buffers]\nA = double 4 random -1e308 1e308\n", "want random" },
	{ "[buffers]\nA = int 4 random seed=-1\n", "want seed=S" },
	{ "[buffers]\nA = int 4 random seed=18446744073709551616\n", "want seed=S" },
	{ "[buffers]\nA = int 4 random 0 1 2 3 4 5 6 7 8 9\n", "at most 8 words" },
	{ "[buffers]\nA = uint 5 csr-rows 4\n", "want csr-rows NODES DEGREE" },
	{ "[buffers]\nA = uint 5 csr-rows 0 4\n", "NODES x DEGREE from 1" },
	{ "[buffers]\nA = uint 5 csr-rows 0xffffffffffffffff 0xffffffffffffffff\n", "from 1 to" },
	{ "[buffers]\nA = uint 4 csr-rows 4 2\n", "of 4 elements: want 5" },
	{ "[buffers]\nA = uint 5 csr-columns 4 2\n", "of 5 elements: want 8" },
	{ "[buffers]\nA = uchar 17 csr-rows 16 16\n", "type that holds 256" },
	{ "[buffers]\nA = float 8 csr-columns 4 2\n", "want an integer type" },
	{ "[buffers]\nA = uint 8 csr-columns 4 2 directed\n", "perhaps symmetric" },
	{ "[buffers]\nA = uint 8 csr-columns 4 2 uniform uniform\n", "perhaps symmetric, uniform" },
	{ "[buffers]\nA = uint 9 csr-columns 3 3 symmetric\n", "NODES x DEGREE even" },
	{ "[buffers]\nA = uint 5 road-rows 2 2\n", "want road-rows WIDTH HEIGHT MISSING" },
	{ "[buffers]\nA = uint 5 road-rows 0 2 0\n", "WIDTH x HEIGHT from 1" },
	{ "[buffers]\nA = uint 5 road-rows 0x7fffffffffffffff 16 0\n", "from 1 to" },
	{ "[buffers]\nA = uint 5 road-rows 2 2 4\n", "fewer edges missing than the grid's 4" },
	{ "[buffers]\nA = uint 2 road-rows 1 1 0\n", "fewer edges missing than the grid's 0" },
	{ "[buffers]\nA = uint 7 road-columns 2 2 0\n", "of 7 elements: want 8" },
	{ "[buffers]\nA = float 5 road-rows 2 2 0\n", "want an integer type" },
	{ "[launch]\n", ":1: launch without kernel" },
	{ "[launch]\nkernel=k\nglobal=4\n[check]\n", ":1: launch without local" },
	{ "[launch]\nkernel=k k\n", ":2: kernel 'k k'" },
	{ "[launch]\nglobal=1 2 3 4\n", "'4' in global: want one to three" },
	{ "[launch]\nglobal=0\n", "'0' in global" },
	{ "[launch]\nglobal=16 16\nlocal=16\n", ":3: local has 1 numbers: want 2" },
	{ "[launch]\nrepeat=0\n", "'0': want a number from 1 to 1000000" },
	{ "[launch]\nregisters=99999\n", "from 1 to 65536" },
	{ "[launch]\nargs = local:0\n", "want local:BYTES" },
	{ "[launch]\nargs = local:17M\n", "want local:BYTES" },
	{ "[launch]\nargs = 1,2,3,4,5\n", "argument '1,2,3,4,5'" },
	{ "[launch]\nargs = 1f\n", "argument '1f'" },
	{ "[launch]\nargs = A+1\n", "argument 'A+1'" },
	{ "[launch]\nsource = k.cl\n", ":2: unknown key 'source': want kernel" },
	{ "[check]\nA =\n", ":2: check of 'A'" },
	{ "[check]\nA = f -1\n", "tolerance -1" },
	{ "a\001b\n", ":1: byte 0x01" },
	/* these read well but do not verify */
	{ RUN, "dir/mm.launch: no source" },
	{ "source=k.cl\n", "dir/mm.launch: no launch" },
	{ "source=k.cl\n[launch]\nkernel=k\nglobal=33\nlocal=16\n", ":2: global size 33" },
	{ "source=k.cl\n[launch]\nkernel=k\nglobal=2048\nlocal=2048\n", "at most 1024" },
	{ "source=k.cl\n[launch]\nkernel=k\nglobal=64 64\nlocal=64 64\n", "at most 1024" },
	{ "source=k.cl\n[launch]\nkernel=k\nglobal=0x8000000000000000 2\nlocal=1 1\n",
	  "more than 4294967295 groups" },
	{ "source=k.cl\n[launch]\nkernel=k\nglobal=16\nlocal=16\noffset=0xfffffffffffffff8\n",
	  "ids below 2^64" },
	{ "source=k.cl\n" RUN "args=A\n", ":2: argument 1, 'A': want a buffer" },
	{ "source=k.cl\n" RUN "[check]\nA = a.bin\n", ":7: check of 'A'" },
};

static void test_mistakes(void)
{
	for (size_t i = 0; i < WS_COUNT(mistakes); i++) {
		struct ws_err err = { 0 };
		struct ws_program p;
		enum ws_status status = parse(&p, mistakes[i].text, &err);

		if (status == WS_OK)
			status = ws_program_verify(&p, THREADS, &err);
		test_ok(status == WS_EFORMAT && err.status == status &&
			strstr(err.text, mistakes[i].says), "mistake %zu: status %d \"%s\"", i,
			status, err.text);
		ws_program_clear(&p);
	}
}

static void test_absurd(void)
{
	static char text[(1 << 20) + 8];
	struct ws_err err = { 0 };
	struct ws_program p;

	memset(text, '\n', sizeof text - 1);
	test_ok(parse(&p, text, &err) == WS_EFORMAT && strstr(err.text, "at most 1048576"),
		"a file too long: %s", err.text);
	err = (struct ws_err){ 0 };
	test_ok(ws_program_parse(&p, "z", "a\0b", 3, &err) == WS_EFORMAT &&
		strstr(err.text, "zero byte at offset 1"), "a zero byte: %s", err.text);
	err = (struct ws_err){ 0 };
	test_ok(ws_program_read(&p, "/nonexistent/x.launch", &err) == WS_EINPUT, "no file: %s",
		err.text);
	ws_program_clear(&p);
	memset(text, 'a', 70000);
	text[70000] = '\0';
	err = (struct ws_err){ 0 };
	test_ok(parse(&p, text, &err) == WS_EFORMAT, "a word of 70000 bytes: %.40s", err.text);
}

/* ---- one by one -------------------------------------------------------------------- */

static void test_arguments(void)
{
	static const char *const bad[] = {
		"A", "=1", "A=buffer:float", "A=buffer:float:4:ones", "9=4", "a=", "a=1,",
		"a=local:",
		"A=buffer:float:4", "a=--1", "a=0x",
	};
	struct ws_program p = { 0 };
	struct ws_err err = { 0 };

	test_ok(ws_program_arg(&p, "A=buffer:float4:16:random:0:2:seed=9", &err) == WS_OK &&
		ws_program_arg(&p, "width=128", &err) == WS_OK &&
		ws_program_arg(&p, "tile=local:1024", &err) == WS_OK &&
		ws_program_arg(&p, "again=A", &err) == WS_OK &&
		ws_program_arg(&p, "F=buffer:int:2:file:a:b.bin", &err) == WS_OK &&
		ws_program_check(&p, "A=x:y.bin:1e-6", &err) == WS_OK &&
		ws_program_check(&p, "F=x:y.bin", &err) == WS_OK, "good arguments: %s", err.text);
	test_u64(p.launches, 1, "they make a launch");
	test_u64(p.launch[0].args, 5, "arguments in order");
	test_str(p.launch[0].arg[2].text, "local:1024", "local memory");
	test_str(p.launch[0].arg[3].text, "A", "a buffer again");
	test_str(p.buffer[0].init, "random 0 2 seed=9", "an initialiser");
	test_str(p.buffer[1].init, "file a:b.bin", "a path keeps its colons");
	test_str(p.check[0].path, "x:y.bin", "path of a check");
	test_abs(p.check[0].tolerance, 1e-6, 0, "its tolerance");
	test_abs(p.check[1].tolerance, 0, 0, "no tolerance");
	test_ok(ws_program_verify(&p, THREADS, &err) == WS_EINVAL, "no source: %s", err.text);
	for (size_t i = 0; i < WS_COUNT(bad); i++) {
		err = (struct ws_err){ 0 };
		test_ok(ws_program_arg(&p, bad[i], &err) == WS_EINVAL &&
			strstr(err.text, "argument "), "argument %s: %s", bad[i], err.text);
	}
	test_u64(p.launch[0].args, 5, "bad arguments add none");
	test_u64(p.buffers, 2, "bad buffers add none");
	ws_program_clear(&p);
}

/* ---- contents ---------------------------------------------------------------------- */

static void test_addresses(struct ws_program *p)
{
	uint64_t next = WS_DEVICE_BASE;

	for (size_t i = 0; i < p->buffers; i++) {
		test_u64(p->buffer[i].base, next, p->buffer[i].name);
		next += (p->buffer[i].bytes + 255) / 256 * 256;
	}
}

static void test_placed(void)
{
	static const char text[] = "base = 0xb00000300\nalign = 1M\n[buffers]\nA = char 1\n"
				   "B = char 1048577\nC = int 4\n";
	struct ws_err err = { 0 };
	struct ws_program p;

	if (!test_ok(parse(&p, text, &err) == WS_OK && ws_program_fill(&p, &err) == WS_OK,
		     "base and align: %s", err.text))
		return;
	test_u64(p.buffer[0].base, 0xb00100000, "the base is rounded up to align");
	test_u64(p.buffer[1].base, 0xb00200000, "1 byte takes 1M");
	test_u64(p.buffer[2].base, 0xb00400000, "1M and a byte take 2M");
	ws_program_clear(&p);
}

static void test_ranges(const struct ws_program *p)
{
	const float *f = (const float *)(const void *)p->buffer[0].host;
	const int8_t *c = (const int8_t *)p->buffer[1].host;
	const uint64_t *u = (const uint64_t *)(const void *)p->buffer[2].host;
	const double *d = (const double *)(const void *)p->buffer[3].host;
	uint64_t top = 0;
	bool in = true, ends[2] = { false, false };

	for (unsigned i = 0; i < 1000; i++) {
		in = in && f[i] >= 2.0f && f[i] < 3.0f && c[i] >= -3 && c[i] <= 4 &&
		     d[i] >= 0 && d[i] < 1;
		ends[0] = ends[0] || c[i] == -3;
		ends[1] = ends[1] || c[i] == 4;
		top |= u[i];
	}
	test_ok(in, "random values are in their ranges");
	test_ok(ends[0] && ends[1], "an integer range has both its ends");
	test_u64(top, UINT64_MAX, "ulong's whole range is the default");
}

/* Each is the next number of the generator, whatever its place. */
static void test_drawn(void)
{
	static const char text[] = "[buffers]\nA = float 1001 random -3 2.5 seed=9\n"
				   "B = float3 334 random -3 2.5 seed=9\n";
	struct ws_err err = { 0 };
	struct ws_program p;
	struct ws_rng rng;
	bool same = true;

	if (!test_ok(parse(&p, text, &err) == WS_OK && ws_program_fill(&p, &err) == WS_OK,
		     "filled: %s", err.text))
		return;
	ws_rng_seed(&rng, 9);
	for (unsigned i = 0; i < 1001 && same; i++) {
		double unit = (double)(ws_rng_u64(&rng) >> 11) * 0x1p-53;
		float want = (float)(-3 + 5.5 * unit), got[2];

		memcpy(&got[0], p.buffer[0].host + i * sizeof want, sizeof want);
		memcpy(&got[1], p.buffer[1].host + (i / 3 * 4 + i % 3) * sizeof want, sizeof want);
		same = !memcmp(&got[0], &want, sizeof want) && !memcmp(&got[1], &want, sizeof want);
	}
	test_ok(same, "random floats, and those of vectors with padding");
	ws_program_clear(&p);
}

static void test_contents(void)
{
	static const char text[] =
		"[buffers]\nR = float 1000 random 2 3\nC = char 1000 random -3 4 seed=5\n"
		"U = ulong 1000 random\nD = double 1000 random\nI = uchar2 200 iota\n"
		"V = float3 5 constant 1,2.5,-3\nK = short4 3 constant -7\nZ = int 9 zero\n"
		"T = float 1000 random 2 3 seed=1\nE = float 64 random 1 1.0000001 seed=3\n";
	static const float v[4] = { 1, 2.5f, -3, 0 };
	struct ws_err err = { 0 };
	struct ws_program p;

	if (!test_ok(parse(&p, text, &err) == WS_OK && ws_program_fill(&p, &err) == WS_OK &&
		     ws_program_fill(&p, &err) == WS_OK, "filled, twice: %s", err.text))
		return;
	test_addresses(&p);
	test_ranges(&p);
	test_ok(p.buffer[4].host[255] == 255 && p.buffer[4].host[256] == 0 &&
		p.buffer[4].host[399] == 143, "iota counts components modulo the type");
	test_ok(!memcmp(p.buffer[5].host, v, 16) && !memcmp(p.buffer[5].host + 64, v, 16),
		"a constant 3-vector, padded");
	test_ok(((const int16_t *)(const void *)p.buffer[6].host)[11] == -7, "one constant for "
		"all");
	test_ok(((const int32_t *)(const void *)p.buffer[7].host)[8] == 0, "zero");
	test_ok(!memcmp(p.buffer[0].host, p.buffer[8].host, 4000), "the default seed is position "
		"1");
	for (unsigned i = 0; i < 64; i++) {
		float e = ((const float *)(const void *)p.buffer[9].host)[i];

		if (!(e >= 1.0f && e < 1.0000001f))
			test_ok(false, "rounding reached the upper end: %.9g", (double)e);
	}
	ws_program_clear(&p);
}

/* Writing one byte before or a page after a buffer is a fault. */
static void test_guards(void)
{
	struct ws_program p = { 0 };
	struct ws_err err = { 0 };
	long page = sysconf(_SC_PAGESIZE);

	if (ws_program_arg(&p, "A=buffer:char:5000", &err) != WS_OK ||
	    ws_program_fill(&p, &err) != WS_OK) {
		test_ok(false, "%s", err.text);
		return;
	}
	for (unsigned i = 0; i < 2; i++) {
		volatile uint8_t *outside = i ? p.buffer[0].host - 1 : p.buffer[0].host + 2 * page;
		int status = 0;
		pid_t child;

		fflush(stdout);
		child = fork();
		if (child == 0) {
			fclose(stderr);
			*outside = 1;
			_exit(0);
		}
		waitpid(child, &status, 0);
		test_ok(status != 0, "a guard page %s", i ? "before" : "after");
	}
	ws_program_clear(&p);
}

/* ---- files and comparison -------------------------------------------------------------- */

static void write_file(const char *path, const void *data, size_t len)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(data, 1, len, f) != len || fclose(f))
		test_ok(false, "cannot write %s", path);
}

static void write_text(const char *path, const char *text)
{
	write_file(path, text, strlen(text));
}

static void compare_with(const char *folder, const float *want, double tolerance, bool differs,
			 const char *says)
{
	struct ws_program p = { 0 };
	struct ws_err err = { 0 };
	char path[300], spec[400], text[200];
	bool got = false;

	snprintf(path, sizeof path, "%s/want.bin", folder);
	write_file(path, want, 32);
	snprintf(spec, sizeof spec, "A=%s:%g", path, tolerance);
	if (ws_program_arg(&p, "A=buffer:float3:2:constant:1,2,3", &err) != WS_OK ||
	    ws_program_check(&p, spec, &err) != WS_OK || ws_program_fill(&p, &err) != WS_OK ||
	    ws_program_compare(&p, &got, text, sizeof text, &err) != WS_OK)
		test_ok(false, "compare: %s", err.text);
	else
		test_ok(got == differs && strstr(text, says), "compared: \"%s\"", text);
	ws_program_clear(&p);
}

static void test_compare(const char *folder)
{
	float want[8] = { 1, 2, 3, 99, 1, 2, 3, 0 };

	compare_with(folder, want, 0, false, "");
	want[5] = 2.002f;
	want[6] = NAN;
	compare_with(folder, want, 0, true, "A[1].s1: got 2, want 2.00200009 (2 of 6 ");
	compare_with(folder, want, 1e-2, true, "A[1].s2: got 3, want nan (1 of 6 ");
	want[6] = 3;
	compare_with(folder, want, 1e-2, false, "");
	compare_with(folder, want, 1e-4, true, "(1 of 6 components differ)");
}

static void test_files(const char *folder)
{
	static const int32_t data[3] = { -1, 2, 0x7fffffff };
	char path[300], text[400];
	struct ws_err err = { 0 };
	struct ws_program p;

	snprintf(path, sizeof path, "%s/a b.bin", folder);
	write_file(path, data, sizeof data);
	snprintf(path, sizeof path, "%s/x.launch", folder);
	snprintf(text, sizeof text, "[buffers]\nA = int 3 file a b.bin\n");
	write_text(path, text);
	test_ok(ws_program_read(&p, path, &err) == WS_OK && ws_program_fill(&p, &err) == WS_OK &&
		!memcmp(p.buffer[0].host, data, sizeof data), "contents from a file: %s", err.text);
	ws_program_clear(&p);
	write_text(path, "[buffers]\nA = int 4 file a b.bin");
	test_ok(ws_program_read(&p, path, &err) == WS_OK &&
			ws_program_fill(&p, &err) == WS_EFORMAT &&
			strstr(err.text, "has 12 bytes: want 16"),
		"a file of the wrong size: %s", err.text);
	ws_program_clear(&p);
	err = (struct ws_err){ 0 };
	write_text(path, "[buffers]\nA = int 4 file /dev/zero");
	test_ok(ws_program_read(&p, path, &err) == WS_OK &&
			ws_program_fill(&p, &err) == WS_EFORMAT && strstr(err.text, "regular file"),
		"an endless file: %s", err.text);
	ws_program_clear(&p);
	err = (struct ws_err){ 0 };
	write_text(path, "[buffers]\nA = int 4 file none");
	test_ok(ws_program_read(&p, path, &err) == WS_OK && ws_program_fill(&p, &err) == WS_EINPUT,
		"no such file: %s", err.text);
	ws_program_clear(&p);
}

/* ---- the files that come with the program ---------------------------------------------- */

static uint64_t groups(const struct ws_launch_spec *l)
{
	return l->global[0] / l->local[0] * (l->global[1] / l->local[1]) *
	       (l->global[2] / l->local[2]);
}

static void test_shipped(void)
{
	glob_t found;

	if (glob("data/kernel/*.launch", 0, NULL, &found) != 0) {
		test_skip("shipped launch files", "not in a source tree");
		return;
	}
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct ws_err err = { 0 };
		struct ws_program p;
		bool ok = ws_program_read(&p, found.gl_pathv[i], &err) == WS_OK &&
			  ws_program_verify(&p, THREADS, &err) == WS_OK &&
			  access(p.source, R_OK) == 0;

		test_ok(ok, "%s: %s", found.gl_pathv[i], err.text);
		if (ok && strstr(found.gl_pathv[i], "/stencil.launch"))
			test_u64(groups(&p.launch[0]), 7560, "groups of the stencil, section 8.3");
		if (ok && strstr(found.gl_pathv[i], "/mm-32x10.launch"))
			test_u64(p.buffer[0].count, 102400, "elements of 32 x 10, table 8.1");
		ws_program_clear(&p);
	}
	globfree(&found);
}

/* ---- damage -------------------------------------------------------------------------- */

static void damage(struct ws_rng *rng, char *text, size_t len)
{
	static const char *const bits[] = {
		"=", "\n", "[launch]\n", "18446744073709551615", ",", ":", "-", "#", " ", "local:",
	};

	for (uint64_t n = 1 + ws_rng_below(rng, 4); n; n--) {
		size_t at = (size_t)ws_rng_below(rng, len), piece;
		const char *bit = bits[ws_rng_below(rng, WS_COUNT(bits))];

		switch (ws_rng_below(rng, 3)) {
		case 0:
			text[at] = (char)ws_rng_below(rng, 256);
			break;
		case 1:
			piece = strlen(bit) < len - at ? strlen(bit) : len - at;
			memcpy(text + at, bit, piece);
			break;
		default:
			piece = (size_t)ws_rng_below(rng, len - at);
			memmove(text + at, text + len - piece, piece);
		}
	}
}

static void test_damage(void)
{
	struct ws_rng rng;
	unsigned read = 0, refused = 0, silent = 0;
	char text[sizeof good];

	ws_rng_seed(&rng, test_seed(20110607));
	for (unsigned i = 0; i < 4000; i++) {
		size_t len = sizeof good - 1;
		struct ws_err err = { 0 };
		enum ws_status status;
		struct ws_program p;

		memcpy(text, good, sizeof good);
		damage(&rng, text, len);
		if (i % 4 == 0)
			len = (size_t)ws_rng_below(&rng, len);
		status = ws_program_parse(&p, "x", text, len, &err);
		if (status == WS_OK)
			status = ws_program_verify(&p, THREADS, &err);
		read += status == WS_OK;
		refused += status == WS_EFORMAT;
		silent += (status != WS_OK) != (err.text[0] != '\0');
		ws_program_clear(&p);
	}
	test_ok(read + refused == 4000 && silent == 0 && refused > 1000,
		"damaged files: %u read, %u refused with a message", read, refused);
}

int main(void)
{
	char folder[] = "/tmp/ws-launch-XXXXXX", path[64];

	test_good();
	test_mistakes();
	test_absurd();
	test_arguments();
	test_contents();
	test_drawn();
	test_placed();
	test_guards();
	test_damage();
	test_shipped();
	if (mkdtemp(folder)) {
		test_compare(folder);
		test_files(folder);
		for (unsigned i = 0; i < 3; i++) {
			snprintf(path, sizeof path, "%s/%s", folder,
				 (const char *[]){ "want.bin", "a b.bin", "x.launch" }[i]);
			unlink(path);
		}
		rmdir(folder);
	} else {
		test_ok(false, "no temporary folder");
	}
	return test_done();
}
