/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-cuda.c -- CUDA kernels do what their programming guide says: each buffer they leave
 * is computed again here.
 */
#include "tests/test.h"
#include "trace/capture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SOURCE "tests/trace/cuda/semantics.cu"
#define THREADS 128u
#define BLOCK 64u

static const struct ws_buffer *find(const struct ws_program *p, const char *name)
{
	for (size_t i = 0; i < p->buffers; i++) {
		if (strcmp(p->buffer[i].name, name) == 0)
			return &p->buffer[i];
	}
	abort();
}

static const int32_t *ints(const struct ws_program *p, const char *name)
{
	return (const int32_t *)(const void *)find(p, name)->host;
}

static const uint32_t *words(const struct ws_program *p, const char *name)
{
	return (const uint32_t *)(const void *)find(p, name)->host;
}

/* Runs one launch; text is of a launch file from its buffers on. */
static enum ws_status launch(struct ws_program *p, const char *text, struct ws_err *err)
{
	const struct ws_capture_options options = { .threads = 2 };
	struct ws_buf all = { 0 };
	struct ws_out out = { 0 };
	enum ws_status status;

	ws_put_bytes(&all, "source = " SOURCE "\n", strlen("source = " SOURCE "\n"));
	ws_put_bytes(&all, text, strlen(text));
	status = ws_program_parse(p, "t.launch", all.data, all.len, err);
	if (status == WS_OK)
		status = ws_out_open(&out, "/dev/null", err);
	if (status == WS_OK)
		status = ws_capture(p, &options, &out, err);
	if (status == WS_OK)
		status = ws_out_commit(&out, err);
	ws_out_abort(&out);
	ws_buf_clear(&all);
	return status;
}

static bool runs(struct ws_program *p, const char *what, const char *text)
{
	struct ws_err err = { 0 };

	return test_ok(launch(p, text, &err) == WS_OK, "%s runs %s", what, err.text);
}

/* ---- warps ----------------------------------------------------------------------------- */

static int32_t shuffled(const int32_t *in, unsigned kind, uint32_t i, int32_t by, uint32_t width)
{
	uint32_t base = i / width * width, at = i % width, warp = i / 32 * 32;
	uint32_t other = i % 32 ^ (uint32_t)by;

	switch (kind) {
	case 0:
		return in[base + (uint32_t)by % width];
	case 1:
		return at >= (uint32_t)by ? in[i - (uint32_t)by] : in[i];
	case 2:
		return at + (uint32_t)by < width ? in[i + (uint32_t)by] : in[i];
	case 3: /* not into a group that is behind one's own */
		return other / width <= i % 32 / width ? in[warp + other] : in[i];
	default:
		return in[base + (uint32_t)by % width] / 2;
	}
}

static void shuffle(uint32_t width, uint64_t seed)
{
	struct ws_program p = { 0 };
	char text[600], what[40];
	uint64_t wrong = 0;

	snprintf(what, sizeof what, "shuffles of %u", width);
	snprintf(text, sizeof text, "[buffers]\nin = int 128 random -99 99 seed=%llu\n"
		 "by = int 128 random 0 31 seed=%llu\nout = int 640\n[launch]\nkernel = shuffles\n"
		 "grid = 2\nblock = 64\nargs = in by out %u\n", (unsigned long long)seed,
		 (unsigned long long)seed + 1, width);
	if (runs(&p, what, text)) {
		const int32_t *in = ints(&p, "in"), *by = ints(&p, "by"), *out = ints(&p, "out");

		for (uint32_t k = 0; k < 5 * THREADS; k++) {
			uint32_t i = k % THREADS, kind = k / THREADS;

			wrong += out[k] != shuffled(in, kind, i, kind % 4 ? by[0] : by[i], width);
		}
		test_u64(wrong, 0, what);
	}
	ws_program_clear(&p);
}

static uint32_t lanes_with(const int32_t *in, uint32_t i, uint32_t among, bool (*test)(int32_t v))
{
	uint32_t lanes = 0;

	for (uint32_t k = 0; k < 32; k++)
		lanes |= (uint32_t)((among >> k & 1) && test(in[i / 32 * 32 + k])) << k;
	return lanes;
}

static bool above_3(int32_t v)
{
	return v > 3;
}

static bool is_7(int32_t v)
{
	return v == 7;
}

static bool not_0(int32_t v)
{
	return v != 0;
}

static uint32_t vote(const int32_t *in, unsigned kind, uint32_t i)
{
	uint32_t mask = i & 1 ? 0xaaaaaaaau : 0x55555555u, same = 0, sum = 0;
	int32_t most = in[i];

	for (uint32_t k = 0; k < 32; k++) {
		int32_t v = in[i / 32 * 32 + k];

		same |= (uint32_t)(v == in[i]) << k;
		sum += (uint32_t)v;
		most = v > most ? v : most;
	}
	switch (kind) {
	case 0:
		return lanes_with(in, i, mask, above_3);
	case 1:
		return lanes_with(in, i, mask, is_7) != 0;
	case 2:
		return 1;
	case 3:
		return same;
	case 4:
		return sum;
	default:
		return (uint32_t)most;
	}
}

#define ONE_IN "[buffers]\nin = int 128 random 0 7 seed=5\nout = uint 768\n[launch]\nkernel = "
#define TWO_BLOCKS "\ngrid = 2\nblock = 64\nargs = in out\n"

static void votes(void)
{
	struct ws_program p = { 0 };
	uint64_t wrong = 0;

	if (runs(&p, "votes", ONE_IN "votes" TWO_BLOCKS)) {
		for (uint32_t k = 0; k < 6 * THREADS; k++)
			wrong += words(&p, "out")[k] !=
				 vote(ints(&p, "in"), k / THREADS, k % THREADS);
		test_u64(wrong, 0, "votes, matches and sums of masks");
	}
	ws_program_clear(&p);
}

static void legacy(void)
{
	struct ws_program p = { 0 };
	uint64_t wrong = 0;

	if (runs(&p, "no masks", ONE_IN "legacy" TWO_BLOCKS)) {
		const int32_t *in = ints(&p, "in");
		const uint32_t *out = words(&p, "out");

		for (uint32_t i = 0; i < THREADS; i++) {
			uint32_t there = lanes_with(in, i, UINT32_MAX, above_3), want = 0;
			int32_t other = there >> (i % 32 ^ 1) & 1 ? in[i ^ 1] : 0;

			want = (uint32_t)in[i];
			if (in[i] > 3)
				want += (uint32_t)other + 100 * (uint32_t)__builtin_popcount(there);
			wrong += out[i] != want || out[THREADS + i] != UINT32_MAX;
		}
		test_u64(wrong, 0, "lanes that are there");
	}
	ws_program_clear(&p);
}

static void early(void)
{
	struct ws_program p = { 0 };
	uint64_t wrong = 0;

	if (runs(&p, "early ends", ONE_IN "early" TWO_BLOCKS)) {
		const int32_t *in = ints(&p, "in");

		for (uint32_t i = 0; i < THREADS; i++)
			wrong += words(&p, "out")[i] !=
				 (in[i] ? lanes_with(in, i, UINT32_MAX, not_0) : 0);
		test_u64(wrong, 0, "lanes that ended are not waited for");
	}
	ws_program_clear(&p);
}

/* ---- memory ---------------------------------------------------------------------------- */

static void atomics(void)
{
	struct ws_program p = { 0 };
	int32_t sum = 0, least = 1000, most = 0;
	uint32_t bits = 0, odd = 0;

	if (runs(&p, "atomics", "[buffers]\nin = int 128 random 0 99 seed=3\n"
		 "to = int 5 constant 50\nu = uint 5\nf = float 1\nd = double 1\nl = ulong 1\n"
		 "[launch]\nkernel = atomics\ngrid = 2\nblock = 64\nargs = in to u f d l\n")) {
		const int32_t *in = ints(&p, "in"), *to = ints(&p, "to");
		const uint32_t *u = words(&p, "u");
		float f;
		double d;
		uint64_t l;

		for (uint32_t i = 0; i < THREADS; i++) {
			sum += in[i];
			least = in[i] < least ? in[i] : least;
			most = in[i] > most ? in[i] : most;
			bits |= 1u << (in[i] & 31);
			odd ^= (uint32_t)in[i];
		}
		memcpy(&f, find(&p, "f")->host, sizeof f);
		memcpy(&d, find(&p, "d")->host, sizeof d);
		memcpy(&l, find(&p, "l")->host, sizeof l);
		test_ok(to[0] == 50 + sum && to[1] == 50 - sum && to[4] == 50 + sum, "sums");
		test_ok(to[2] == (least < 50 ? least : 50) && to[3] == (most > 50 ? most : 50),
			"least and most");
		test_ok(u[0] == bits && u[1] == 0 && u[2] == odd, "bits");
		test_u64(u[3], THREADS % 7, "atomicInc wraps");
		test_u64(u[4], (7 * THREADS - THREADS) % 7, "atomicDec wraps");
		test_ok(f == (float)sum && d == (double)sum && l == (uint64_t)most << 40,
			"numbers of other types");
	}
	ws_program_clear(&p);
}

static void generic(void)
{
	struct ws_program p = { 0 };
	uint64_t wrong = 0;

	if (runs(&p, "generic pointers", "[buffers]\ng = float 128 iota\nout = float 128\n"
		 "[launch]\nkernel = generic\ngrid = 1\nblock = 64\nargs = g out\n")) {
		const float *out = (const float *)(const void *)find(&p, "out")->host;

		for (uint32_t t = 0; t < BLOCK; t++) {
			uint32_t o = t ^ 1;
			float want = (float)(t % 3 == 2 ? t % 4 + 1 : t) + 5;
			float there = (float)(o & 1 ? 64 + o : o);

			there += !(o & 1) && o % 3 == 1 ? 5 : 0;
			wrong += out[t] != want || out[64 + t] != there;
		}
		test_u64(wrong, 0, "generic pointers");
	}
	ws_program_clear(&p);
}

static void variables(void)
{
	static const int32_t fixed[4] = { 2, 3, 5, 7 };
	struct ws_program p = { 0 };
	uint64_t wrong = 0;
	int32_t sum = 0;

	if (runs(&p, "variables", "[buffers]\nout = int 64\ntable = int 4 iota\ntotal = int 1\n"
		 "[launch]\nkernel = variables<int, 3>\ngrid = 1\nblock = 64\n"
		 "args = out table total local:256\n")) {
		for (uint32_t i = 0; i < BLOCK; i++) {
			uint32_t at = BLOCK - 1 - i;
			int32_t want = (int32_t)(at % 4) * 3 + fixed[at % 4];

			wrong += ints(&p, "out")[i] != want;
			sum += want;
		}
		test_u64(wrong, 0, "constants and shared memory");
		test_ok(ints(&p, "total")[0] == sum, "a variable of the module");
	}
	ws_program_clear(&p);
}

static uint32_t reversed(uint32_t x)
{
	uint32_t r = 0;

	for (unsigned b = 0; b < 32; b++)
		r |= (x >> b & 1) << (31 - b);
	return r;
}

static void mathematics(void)
{
	struct ws_program p = { 0 };
	uint64_t wrong = 0;

	if (runs(&p, "mathematics", "[buffers]\nin = float 64 iota\nout = double 256\n[launch]\n"
		 "kernel = (anonymous namespace)::mathematics\ngrid = 1\nblock = 64\n"
		 "args = in out 1,2,3,4\n")) {
		const double *out = (const double *)(const void *)find(&p, "out")->host;

		for (uint32_t i = 0; i < BLOCK; i++) {
			float x = (float)i;
			float first = sinf(x) + sqrtf(x) + fmaf(x, 2, 1) + 1 / sqrtf(x + 1);
			double second = 2.0 * (double)((uint64_t)(i * 65536u) * (1u << 20) >> 32) +
					(i ? __builtin_clz(i) : 32) + reversed(i) % 7 +
					(uint32_t)__builtin_ffs((int)i) + (i > 3 ? i : 3);

			wrong += fabs(out[i] - (double)first) > 1e-5 * fabs((double)first);
			wrong += out[64 + i] != second + (x < 2 ? (double)x : 2);
			wrong += out[128 + i] != (double)(1 + 2 * x + 3 + 4 + x);
			wrong += out[192 + i] != (double)(0x77553311u + (i << 4));
		}
		test_u64(wrong, 0, "mathematics");
	}
	ws_program_clear(&p);
}

/* Blocks that wait for each other, through volatile memory. */
static void meeting(void)
{
	struct ws_program p = { 0 };
	uint64_t wrong = 0;

	if (runs(&p, "a wait", "[buffers]\nout = int 128\ncome = uint 1\n[launch]\nkernel = meet\n"
		 "grid = 4\nblock = 32\nargs = out come\n")) {
		for (uint32_t i = 0; i < THREADS; i++)
			wrong += ints(&p, "out")[i] != 4;
		test_u64(wrong, 0, "a wait for other blocks");
	}
	ws_program_clear(&p);
}

/* ---- what is refused ------------------------------------------------------------------- */

static void refused(const char *kernel, const char *args, const char *says)
{
	struct ws_program p = { 0 };
	struct ws_err err = { 0 };
	char text[300];
	enum ws_status status;

	snprintf(text, sizeof text, "[buffers]\nout = int 64\n[launch]\nkernel = %s\ngrid = 1\n"
		 "block = 64\nargs = %s\n", kernel, args);
	status = launch(&p, text, &err);
	test_ok(status != WS_OK && strstr(err.text, says), "%s: %s", kernel, err.text);
	ws_program_clear(&p);
}

int main(void)
{
	uint64_t seed = test_seed(1);

	for (uint32_t width = 2; width <= 32; width *= 2)
		shuffle(width, seed + width);
	votes();
	legacy();
	early();
	atomics();
	generic();
	variables();
	mathematics();
	meeting();
	refused("stuck", "out", ":164: kernel stuck: thread (1,0,0) waits here for lanes");
	refused("misuse", "out", "semantics.cu:171: inline assembly 'nop' is not supported");
	refused("recursive", "out", ":177: kernel recursive: work-item (0,0,0) calls a "
		"function that calls itself, too deep");
	refused("variables", "out", "is there 2 times: want one of");
	refused("nothing", "out", "no kernel 'nothing': want one of shuffles, votes");
	refused("variables<int,3>", "out", "1 argument, want 2 to 5");
	return test_done();
}
