/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels of data/kernel/ compute what they should when captured: each launch file is run and
 * its output compared with the same sums in C, bit for bit where the order of
 * additions is the kernel's (compilation contracts nothing).
 */
#include "tests/trace/kernels.h"

#include <tgmath.h>

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
				float around = at[NX * NY] + at[-NX * NY] + at[NX] + at[-NX] +
					       at[1] + at[-1];
				volatile float plus = 0.0277778f * around,
					       minus = 0.1666667f * at[0];

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

static uint64_t wrong_records(const struct ws_program *p)
{
	const int8_t *c = (const int8_t *)(const void *)u32(p, "char_in");
	const uint32_t *in = u32(p, "int_in"), *out = u32(p, "out");
	uint64_t bad = 0;

	for (size_t i = 0; i < 1638400; i++)
		bad += out[i] != in[i] + 3u * (uint32_t)(int32_t)c[i];
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

/* Levels by relaxing every edge until nothing changes: seven rounds beside the eighth launch. */
static uint64_t wrong_bfs(const struct ws_program *p)
{
	const uint32_t *row = u32(p, "row"), *column = u32(p, "column"), *got = u32(p, "level");
	enum { NODES = 32768, ROOT = 2, LEVELS = 8 };
	static uint32_t level[NODES];
	uint64_t bad = 0, reached = 0;

	for (size_t v = 0; v < NODES; v++)
		level[v] = v == ROOT ? 0 : UINT32_MAX;
	for (unsigned round = 0; round < LEVELS; round++)
		for (size_t v = 0; v < NODES; v++)
			for (uint32_t e = row[v]; level[v] < LEVELS && e < row[v + 1]; e++)
				if (level[column[e]] > level[v] + 1)
					level[column[e]] = level[v] + 1;
	for (size_t v = 0; v < NODES; v++) {
		bad += got[v] != level[v];
		reached += got[v] != UINT32_MAX;
	}
	return bad + (reached < NODES / 4);
}

static uint64_t wrong_cp(const struct ws_program *p)
{
	const float *atoms[] = { f32(p, "atom", NULL), f32(p, "other", NULL) };
	const float *potential = f32(p, "potential", NULL);
	uint64_t bad = 0;

	for (size_t at = 0; at < 128 * 128; at++) {
		float all = 0;

		for (size_t set = 0; set < 2; set++) {
			float sum = 0;

			for (const float *a = atoms[set]; a < atoms[set] + 4000; a += 4) {
				volatile float dx = 0.1f * (float)(at % 128),
					       dy = 0.1f * (float)(at / 128);
				volatile float dz = 20.0f - a[2], xx, yy, zz, squares;

				dx -= a[0];
				dy -= a[1];
				xx = dx * dx;
				yy = dy * dy;
				zz = dz * dz;
				squares = xx + yy;
				squares += zz;
				sum += a[3] / sqrtf(squares);
			}
			all += sum;
		}
		bad += all != potential[at];
	}
	return bad;
}

enum { LX = 128, LY = 64, LZ = 32 };

static float lps_point(const float *u, size_t x, size_t y, size_t z)
{
	const float *at = u + x + LX * (y + LY * z);

	if (!x || !y || !z || x == LX - 1 || y == LY - 1 || z == LZ - 1)
		return *at;
	return (at[-LX * LY] + at[LX * LY] + at[-1] + at[1] + at[-LX] + at[LX]) * (1.0f / 6.0f);
}

/* The first step is in v, the second, of v, in u. */
static uint64_t wrong_lps(const struct ws_program *p)
{
	const float *u = f32(p, "u", NULL), *v = f32(p, "v", NULL);
	uint64_t bad = 0;

	for (size_t z = 0; z < LZ; z++)
		for (size_t y = 0; y < LY; y++)
			for (size_t x = 0; x < LX; x++)
				bad += u[x + LX * (y + LY * z)] != lps_point(v, x, y, z);
	return bad + (v[LX * LY + LX + 1] == 0);
}

/* The kernel as C: that capture computes what the compiler does of the same text. */
#define __kernel static
#define __global
typedef struct { float x, y, z, w; } float4;
static int ray_x, ray_y;
#define get_global_id(d) ((d) ? ray_y : ray_x)
#define get_global_size(d) ((d) ? 128 : 256)
#include "data/kernel/ray.cl"

static uint64_t wrong_ray(const struct ws_program *p)
{
	const float *noise = f32(p, "noise", NULL), *brightness = f32(p, "brightness", NULL);
	const float *got = f32(p, "image", NULL);
	enum { CELLS = 48 * 48 * 48 };
	static float4 sphere[CELLS];
	static float image[256 * 128];
	uint64_t bad = 0, lit = 0;

	for (ray_x = 0; ray_x < CELLS; ray_x++)
		scene(noise, sphere);
	for (ray_y = 0; ray_y < 128; ray_y++)
		for (ray_x = 0; ray_x < 256; ray_x++)
			ray(sphere, brightness, image, 48, 4);
	for (size_t i = 0; i < WS_COUNT(image); i++) {
		bad += memcmp(&image[i], &got[i], sizeof image[i]) != 0;
		lit += got[i] > 0;
	}
	return bad + (lit < WS_COUNT(image) / 2);
}

int main(void)
{
	struct ws_err why = { 0 };

	if (ws_capture_load(&why) != WS_OK) {
		test_skip("the kernels' results", why.text);
		return test_done();
	}
	run("mm-16x3", wrong_mm, 2);
	run("mm-tiled", wrong_mm, 2);
	run("mt-16x3", wrong_mt, 1);
	run("stencil", wrong_stencil, 2);
	run("divergent", wrong_divergent, 2);
	run("histogram", wrong_histogram, 2);
	run("spmv-csr", wrong_spmv, 2);
	run("records", wrong_records, 1);
	run("bfs", wrong_bfs, 2);
	run("cp", wrong_cp, 2);
	run("lps", wrong_lps, 2);
	run("ray", wrong_ray, 2);
	return test_done();
}
