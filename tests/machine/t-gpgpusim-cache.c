/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/machine/t-gpgpusim-cache.c -- GPGPU-Sim's strings of a cache: what they say, and errors.
 */
#include "machine/machine.h"
#include "tests/test.h"

/* The strings of GPGPU-Sim's and Accel-Sim's own configurations, with the sizes that these give
 * in their comments or that follow from them; slices 0: not an L2. */
static const struct {
	const char *text;
	uint64_t kb, slices, all_kb;
	const char *form;
} presets[] = {
	{ "N:32:128:4,L:L:m:N:H,S:64:8,8", 16, 0, 0, "4.x" },		/* GTX 480 */
	{ "N:64:128:6,L:L:m:N:H,S:64:8,8", 48, 0, 0, "4.x" },
	{ "S:64:128:8,L:B:m:L:L,A:256:4,4:0,32", 64, 12, 768, "4.x" },
	{ "S:4:128:32,L:L:s:N:L,A:256:8,16:0,32", 16, 0, 0, "4.x" },	/* Kepler TITAN */
	{ "S:4:128:96,L:L:s:N:L,A:256:8,16:0,32", 48, 0, 0, "4.x" },	/* and TITAN X */
	{ "S:32:128:16,L:B:m:L:P,A:256:64,16:0,32", 64, 24, 1536, "4.x" },
	{ "S:64:128:16,L:B:m:L:P,A:256:64,16:0,32", 128, 24, 3072, "4.x" }, /* TITAN X */
	{ "S:4:128:64,L:T:m:L:L,A:512:8,16:0,32", 32, 0, 0, "4.x" },	/* TITAN V, V100 */
	{ "S:32:128:24,L:B:m:L:P,A:192:4,32:0,32", 96, 48, 4608, "4.x" },
	{ "S:32:128:24,L:B:m:L:P,A:192:4,32:0,32", 96, 64, 6144, "4.x" },
	{ "S:4:128:64,L:T:m:L:L,A:256:32,16:0,32", 32, 0, 0, "4.x" },	/* RTX 2060 */
	{ "S:64:128:16,L:B:m:L:P,A:192:4,32:0,32", 128, 24, 3072, "4.x" },
	{ "S:1:128:512,L:L:s:N:L,A:256:8,16:0,32", 64, 0, 0, "4.x" },	/* RTX 2060 S */
	{ "S:64:128:16,L:B:m:L:P,A:192:4,32:0,32", 128, 32, 4096, "4.x" },
	{ "S:4:128:256,L:T:m:L:L,A:384:48,16:0,32", 128, 0, 0, "4.x" },	/* RTX 3070 */
	{ "S:4:128:64,L:T:m:L:L,A:512:64,16:0,32", 32, 0, 0, "4.x" },	/* A100, H100, H200 */
	{ "S:256:128:16,L:B:m:L:X,A:192:4,32:0,32", 512, 80, 40960, "4.x" },
	{ "S:128:128:16,L:B:m:L:X,A:192:4,32:0,32", 256, 160, 40960, "4.x" },
	{ "S:64:128:40,L:B:m:L:P,A:192:4,32:0,32", 320, 160, 51200, "4.x" }, /* H100, draft */
	{ "S:256:128:20,L:B:m:L:X,A:384:4,32:0,32", 640, 80, 51200, "4.x" },
	{ "S:256:128:20,L:B:m:L:X,A:384:4,32:0,32", 640, 96, 61440, "4.x" },
	{ "32:128:4,L:L:m:N:H,A:32:8,8", 16, 0, 0, "3.2.2" },		/* GTX 480, 3.x */
	{ "32:128:4,L:L:m:N,A:32:8,8", 16, 0, 0, "3.0" },
	{ "64:128:8,L:B:m:W:L,A:32:4,4:0,32", 64, 12, 768, "3.2.2" },
	{ "64:128:8,L:B:m:W,A:32:4,4:0,32", 64, 12, 768, "3.2" },
	{ "N:64:128:6,L:L:m:N:H,A:128:8,8", 48, 0, 0, "4.x" },		/* GTX 1080 */
	{ "N:64:128:16,L:B:m:W:L,A:1024:1024,4:0,32", 128, 22, 2816, "4.x" },
	{ "64:128:6,L:L:m:N:H,A:128:8,16", 48, 0, 0, "3.2.2" },		/* P100 */
	{ "64:128:16,L:B:m:W:L,A:128:8,4:0,32", 128, 32, 4096, "3.2.2" },
	{ "64:128:8,L:L:m:N:H,A:128:8,16", 64, 0, 0, "3.2.2" },		/* TITAN V, 3.x */
	{ "64:128:24,L:B:m:W:L,A:128:8,4:0,32", 192, 24, 4608, "3.2.2" },
	{ "1024:128:8,L:B:m:W:L,A:32:4,4:0,32", 1024, 2, 2048, "3.2.2" }, /* GTX 750 Ti */
	{ "16:256:8,L:B:m:W:L,A:16:4,4", 32, 8, 256, "3.2.2" },		/* Quadro FX 5800 */
	{ "none", 0, 0, 0, "" },
	{ "N:4:128:256,L:R:m:N:L,T:512:8,128:2", 128, 0, 0, "4.x" },	/* textures */
	{ "N:128:64:8,L:R:f:N:L,S:2:64,4", 64, 0, 0, "4.x" },		/* constants */
	{ "N:64:128:16,L:R:f:N:L,S:2:48,4", 128, 0, 0, "4.x" },		/* instructions */
	{ "4:128:24,L:R:m:N:L,F:128:4,128:2", 12, 0, 0, "3.2.2" },
	{ "8:128:5,L:R:m:N,F:128:4,128:2", 5, 0, 0, "3.0" },
};

static void sizes(void)
{
	for (size_t i = 0; i < WS_COUNT(presets); i++) {
		struct ws_err err = { .status = WS_OK };
		struct ws_cache_string c;
		struct ws_cache_field f;
		enum ws_status status = ws_cache_string_parse(&c, presets[i].text, &err);
		uint64_t size = status ? 1 : ws_cache_string_size(&c);

		test_ok(status == WS_OK && size == presets[i].kb * 1024 &&
			size * presets[i].slices == presets[i].all_kb * 1024,
			"%s: %" PRIu64 " bytes %s", presets[i].text, size, err.text);
		test_ok(ws_cache_string_field(&c, 0, &f) && strcmp(f.value, presets[i].form) == 0,
			"%s: form %s", presets[i].text, f.value);
	}
}

/* The fields that a string is read as, and the words they are said in. */
static void fields(void)
{
	static const char *const wanted[][3] = {
		{ "type", "S", "sectored: " }, { "sets", "4", "" }, { "line", "128", "" },
		{ "ways", "64", "" }, { "replacement", "L", "lru" }, { "write", "T", "through" },
		{ "allocation", "m", "on miss" }, { "write miss", "L", "lazy fetch" },
		{ "set index", "P", "ipoly" }, { "mshr", "A", "associative" },
		{ "mshr entries", "384", "" }, { "mshr merge", "48", "" },
		{ "miss queue", "16", "" }, { "result queue", "0", "" },
		{ "port", "32", "4 cycles a line" }, { "sector", "32", "4 sectors" },
		{ "size", "32768", "32 KB = 4 sets x 64 ways x 128 bytes" },
		{ "note", "", "16, 32 and 64 sets" },
	};
	struct ws_cache_string c;
	struct ws_cache_field f;
	size_t n = 0;

	test_ok(ws_cache_string_parse(&c, "S:4:128:64,L:T:m:L:P,A:384:48,16:0,32", NULL) == WS_OK,
		"a string is read");
	for (; n < WS_COUNT(wanted) && ws_cache_string_field(&c, n + 1, &f); n++)
		test_ok(strcmp(f.name, wanted[n][0]) == 0 && strcmp(f.value, wanted[n][1]) == 0 &&
			strstr(f.meaning, wanted[n][2]), "%s = %s: %s", f.name, f.value, f.meaning);
	test_ok(n == WS_COUNT(wanted) && !ws_cache_string_field(&c, n + 1, &f), "%zu fields", n);
}

static void malformed(void)
{
	static const struct {
		const char *text, *says;
	} bad[] = {
		{ "", "character 1: the end: want N or S" },
		{ "L2", "character 1: 'L': want N or S" },
		{ "S4:128:64", "character 2: '4': want ':' and the sets" },
		{ "S:4:128:64", "character 11: the end: want ','" },
		{ "S:4:128:64,X:T:m:L:L,A:1:1,1", "character 12: 'X': want L, F, S, B or H" },
		{ "S:4:128:64,L:Q:m:L:L,A:1:1,1", "character 14: 'Q': want R, B, T, E or L" },
		{ "S:4:128:64,L:T:x:L:L,A:1:1,1", "character 16: 'x': want m, f or s" },
		{ "S:4:128:64,L:T:m:X:L,A:1:1,1", "character 18: 'X': want N, W, F or L" },
		{ "S:4:128:64,L:T:m:L:Z,A:1:1,1", "character 20: 'Z': want L, X, P, H or C" },
		{ "S:4:128:64,L:T:m:L,A:1:1,1", "character 19: ',': want ':' and the set index" },
		{ "S:4:128:64,L:T:m:L:L,Q:1:1,1", "character 22: 'Q': want A, S, F or T" },
		{ "S:4:128:64,L:T:m:L:L,A:1:1:", "':': want ',' and the miss queue, or the end" },
		{ "N:4:128:64,L:T:m:N:L,F:1:1", "the end: want ',' and the reorder buffer" },
		{ "S:4:128:64,L:T:m:L:L,A:1:1,1,32", "character 29: ',': want ':' and the result" },
		{ "S:4:128:64,L:T:m:L:L,A:1:1,1:0,32:", "character 34: ':': want the end" },
		{ "S:4:128:64,L:T:m:L:L,A:1:1,1:0,3\t", "character 32: '3': want a port" },
		{ "S:3:128:64,L:T:m:L:L,A:1:1,1", "character 3: '3': want a power of two of sets" },
		{ "S:0:128:64,L:T:m:L:L,A:1:1,1", "character 3: '0': want a power of two of sets" },
		{ "S:4:64:64,L:T:m:L:L,A:1:1,1", "character 5: '6': want 128" },
		{ "N:4:96:64,L:T:m:L:L,A:1:1,1", "character 5: '9': want a line that is a power" },
		{ "N:4:64:0,L:T:m:L:L,A:1:1,1", "character 8: '0': want one way or more" },
		{ "S:4:128:64,L:B:f:N:L,A:1:1,1", "character 16: 'f': want m with write back" },
		{ "S:4:128:64,L:B:s:N:L,A:1:1,1", "character 16: 's': want m with write back" },
		{ "4:128:64,L:T:f:F,A:1:1,1", "character 16: 'F': want N or W" },
		{ "S:4:128:64,L:T:s:L:L,A:1:1,1", "character 18: 'L': want N or W" },
		{ "4:128:64,L:T:m:N,A:0:1,1", "character 20: '0': want one entry or more" },
		{ "4:128:64,L:T:m:N:L,A:1:0,1", "character 24: '0': want one request or more" },
		{ "4:128:64,L:T:m:N:L,A:1:1,0", "character 26: '0': want a queue of one or more" },
		{ "4:128:64,L:R:m:N:L,F:1:1,1", "the end: want ':' and the result queue" },
		{ "4:128:64,L:R:m:N:L,T:1:1,1:2,32", "character 29: ',': want the end" },
		{ "4294967297:128:64,L:T:m:N,A:1:1,1", "character 1: '4': want a number 0.." },
		{ "-4:128:64,L:T:m:N,A:1:1,1", "character 1: '-': want N or S" },
		{ "S:4:128:64,\033", "character 12: '?': want L, F, S, B or H" },
	};

	for (size_t i = 0; i < WS_COUNT(bad); i++) {
		struct ws_err err = { .status = WS_OK };
		struct ws_cache_string c;

		test_ok(ws_cache_string_parse(&c, bad[i].text, &err) == WS_EINVAL &&
			strstr(err.text, bad[i].says), "'%s': %s", bad[i].text, err.text);
	}
}

int main(void)
{
	sizes();
	fields();
	malformed();
	return test_done();
}
