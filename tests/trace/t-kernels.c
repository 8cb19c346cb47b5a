/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels of data/kernel/ compute what they should when captured: each launch file is run and
 * its output compared with the same sums in C, bit for bit where the order of
 * additions is the kernel's (compilation contracts nothing).
 */
#include "tests/test.h"
#include "trace/capture/capture.h"

static const float *f32(const struct ws_program *p, const char *name, size_t *count)
{
	for (size_t i = 0; i < p->buffers; i++) {
		if (strcmp(p->buffer[i].name, name) == 0) {
			if (count)
				*count = (size_t)p->buffer[i].count;
			return (const float *)(const void *)p->buffer[i].host;
		}
	}
	abort();
}

static const uint32_t *u32(const struct ws_program *p, const char *name)
{
	return (const uint32_t *)(const void *)f32(p, name, NULL);
}

static size_t side(const struct ws_program *p, const char *name)
{
	size_t count, n = 1;

	f32(p, name, &count);
	while (n * n < count)
		n++;
	return n;
}

static uint64_t wrong_mm(const struct ws_program *p)
{
	const float *a = f32(p, "A", NULL), *b = f32(p, "B", NULL), *c = f32(p, "C", NULL);
	size_t n = side(p, "C");
	uint64_t bad = 0;

	for (size_t y = 0; y < n; y++) {
		for (size_t x = 0; x < n; x++) {
			float sum = 0;

			for (size_t k = 0; k < n; k++) {
				volatile float product = a[y * n + k] * b[k * n + x];

				sum += product;
			}
			bad += sum != c[y * n + x];
		}
	}
	return bad;
}

static uint64_t wrong_mt(const struct ws_program *p)
{
	const float *in = f32(p, "idata", NULL), *out = f32(p, "odata", NULL);
	size_t n = side(p, "odata");
	uint64_t bad = 0;

	for (size_t y = 0; y < n; y++)
		for (size_t x = 0; x < n; x++)
			bad += out[x * n + y] != in[y * n + x];
	return bad;
}

static uint64_t wrong_stencil(const struct ws_program *p)
{
	const float *a = f32(p, "A0", NULL), *next = f32(p, "Anext", NULL);
	enum { NX = 128, NY = 128, NZ = 32 };
	uint64_t bad = 0;

	for (int k = 1; k < NZ - 1; k++) {
		for (int j = 1; j < NY - 1; j++) {
			for (int i = 1; i < NX - 1; i++) {
				const float *at = a + i + NX * (j + NY * k);
				float around = at[NX * NY] + at[-NX * NY] + at[NX] + at[-NX] + at[1] + at[-1];
				volatile float plus = 0.0277778f * around, minus = 0.1666667f * at[0];

				bad += plus - minus != next[at - a];
			}
		}
	}
	return bad;
}

static uint64_t wrong_divergent(const struct ws_program *p)
{
	const uint32_t *start = u32(p, "start"), *even = u32(p, "even"), *odd = u32(p, "odd");
	const uint32_t *sum = u32(p, "sum"), *rounds = u32(p, "rounds");
	uint64_t bad = 0;

	for (size_t id = 0; id < 4096; id++) {
		uint32_t total = 0, count = 0;

		for (uint64_t n = start[id]; n > 1; count++) {
			total += even[n & 4095];
			if (n & 1)
				total ^= odd[n >> 1 & 4095];
			n = n & 1 ? 3 * n + 1 : n / 2;
		}
		bad += total != sum[id] || count != rounds[id];
	}
	return bad;
}

static uint64_t wrong_histogram(const struct ws_program *p)
{
	const uint32_t *value = u32(p, "value");
	uint32_t want[256] = { 0 };
	uint64_t bad = 0;

	for (size_t i = 0; i < 65536; i++)
		want[value[i] & 255]++;
	for (size_t b = 0; b < 256; b++)
		bad += u32(p, "first")[b] != want[b] || u32(p, "second")[b] != want[b];
	return bad;
}

static uint64_t wrong_spmv(const struct ws_program *p)
{
	const uint32_t *row = u32(p, "row"), *column = u32(p, "column");
	const float *value = f32(p, "value", NULL), *x = f32(p, "x", NULL), *y = f32(p, "y", NULL);
	uint64_t bad = row[0] != 0 || row[4096] != 32768;

	for (size_t r = 0; r < 4096; r++) {
		float sum = 0;

		for (uint32_t e = row[r]; e < row[r + 1]; e++) {
			volatile float product = value[e] * x[column[e]];

			sum += product;
		}
		bad += sum != y[r];
	}
	return bad;
}

static void run(const char *file, uint64_t (*wrong)(const struct ws_program *p), unsigned threads)
{
	char relative[64], *path;
	struct ws_capture_options options = { .threads = threads };
	struct ws_program p = { 0 };
	struct ws_err err = { 0 };
	struct ws_out out = { 0 };
	enum ws_status status;

	snprintf(relative, sizeof relative, "kernel/%s.launch", file);
	path = ws_data_path(relative);
	if (!path) {
		test_ok(false, "data/%s is there", relative);
		return;
	}
	status = ws_program_read(&p, path, &err);
	if (status == WS_OK)
		status = ws_out_open(&out, "/dev/null", &err);
	if (status == WS_OK)
		status = ws_capture(&p, &options, &out, &err);
	if (status == WS_OK)
		status = ws_out_commit(&out, &err);
	if (test_ok(status == WS_OK, "%s runs %s", file, err.text))
		test_u64(wrong(&p), 0, "wrong results");
	ws_program_clear(&p);
	free(path);
}

int main(void)
{
	if (!ws_capture_available()) {
		test_skip("the kernels' results", ws_capture_missing());
		return test_done();
	}
	run("mm-16x3", wrong_mm, 2);
	run("mm-tiled", wrong_mm, 2);
	run("mt-16x3", wrong_mt, 1);
	run("stencil", wrong_stencil, 2);
	run("divergent", wrong_divergent, 2);
	run("histogram", wrong_histogram, 2);
	run("spmv-csr", wrong_spmv, 2);
	return test_done();
}
