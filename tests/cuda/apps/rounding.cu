/* SPDX-License-Identifier: GPL-3.0-or-later
 * rounding.cu -- sums, products and quotients, and numbers of integers, rounded in each direction:
 * the host's under fesetround() is the reference.  Shuffles of 16 bytes, atomics by scope.  Shifts by the
 * width and more, numbers that no integer holds, votes of lanes that are not in their mask.
 */
#include <cfenv>
#include <cmath>
#include <cstring>
#include "common.h"

#define THREADS 256
#define RESULTS 36

#define EACH(name, ...) __##name##_rd(__VA_ARGS__), __##name##_ru(__VA_ARGS__), __##name##_rz(__VA_ARGS__)

__global__ void directed(double *out, const double *in)
{
	double x = in[2 * threadIdx.x], y = in[2 * threadIdx.x + 1];
	float f = (float)x, g = (float)y;
	long long whole = (long long)(x * 0x1p42);
	unsigned long long bits = (unsigned long long)whole;
	double all[RESULTS] = { EACH(dadd, x, y), EACH(dsub, x, y), EACH(dmul, x, y), EACH(ddiv, x, y),
				EACH(dsqrt, fabs(x)), EACH(fma, x, y, -x * y),
				EACH(fadd, f, g * 1e-15f), EACH(fmaf, f, g, 1e20f),
				EACH(ll2double, whole), EACH(ull2double, bits), EACH(ll2float, whole),
				EACH(ull2float, bits) };

	for (int i = 0; i < RESULTS; i++)
		out[threadIdx.x * RESULTS + i] = all[i];
}

__global__ void others(uint4 *out, unsigned *counter)
{
	uint4 v = { threadIdx.x, 2 * threadIdx.x, 3 * threadIdx.x, 4 * threadIdx.x };

	out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, v, 5);
	atomicInc_system(counter, 1000);
	atomicInc_block(counter, 1000);
	atomicDec_block(counter, 1000);
	atomicExch_block((float *)(counter + 1), 2.5f);
}

/* By hand, from the rules of PTX.  What the host's instructions would say is in brackets. */
#define DEFINED 16

__global__ void defined(unsigned *o, int n, float f, double d, float none)
{
	unsigned lane = threadIdx.x, lower = (1u << lane) - 1;

	o += DEFINED * lane;
	o[0] = (1u << n) - 1;			 /* 32 bits (none) */
	o[1] = 0xffffffffu >> n;		 /* none (all) */
	o[2] = (unsigned)(-5 >> n);		 /* the sign (-5) */
	o[3] = (unsigned)(1ull << (n + n));	 /* none (1) */
	o[4] = (unsigned)(~0ull >> (n + 33) >> n); /* none */
	o[5] = (unsigned)f;			 /* 0 (-7) */
	o[6] = (unsigned)(int)(f * 1e20f);	 /* the least */
	o[7] = (unsigned)(int)none;		 /* 0 (the least) */
	o[8] = (unsigned char)f;		 /* 0 (249) */
	o[9] = (unsigned)(int)(d * 1e20);	 /* the largest (the least) */
	o[10] = (unsigned)((long long)(d * -1e30) >> 63);
	o[11] = __float2uint_rn(f);
	o[12] = (unsigned)((unsigned long long)none >> 32); /* the highest bit */
	o[13] = (unsigned)(int)(none * d);	 /* the same */
	o[14] = __ballot_sync(lower, lane % 3 == 0);
	o[15] = (unsigned)__shfl_down_sync(0xffffu, lane, 1);
}

static bool defined_is_right()
{
	unsigned *out;
	bool good = true;

	CHECK(cudaMallocManaged(&out, 32 * DEFINED * sizeof *out));
	defined<<<1, 32>>>(out, 32, -7.5f, 3.0, NAN);
	CHECK(cudaDeviceSynchronize());
	for (unsigned i = 0; i < 32; i++) {
		unsigned want[DEFINED] = { ~0u, 0, ~0u, 0, 0, 0, 1u << 31, 0, 0, 0x7fffffff, ~0u, 0,
					   1u << 31, 1u << 31, 0x49249249u & ((1u << i) - 1),
					   i == 15 ? 0 : i == 31 ? 31 : i + 1 };

		for (int k = 0; k < DEFINED; k++) {
			good &= out[DEFINED * i + k] == want[k];
			if (out[DEFINED * i + k] != want[k])
				printf("lane %u, answer %d: %x, want %x\n", i, k, out[DEFINED * i + k], want[k]);
		}
	}
	return good;
}

/* Under the rounding of the moment. */
static void reference(volatile double *want, double given, double other)
{
	volatile double x = given, y = other, size = fabs(x);
	volatile float f, g, big = 1e20f;
	volatile long long whole = (long long)(x * 0x1p42);
	volatile unsigned long long bits = (unsigned long long)whole;
	int mode = fegetround();

	fesetround(FE_TONEAREST);
	volatile double product = x * y;
	f = (float)x;
	g = (float)y;
	volatile float small = g * 1e-15f;
	fesetround(mode);
	want[0] = x + y;
	want[1] = x - y;
	want[2] = x * y;
	want[3] = x / y;
	want[4] = sqrt(size);
	want[5] = std::fma(x, y, -product);
	want[6] = f + small;
	want[7] = std::fma((float)f, (float)g, (float)big);
	want[8] = (double)whole;
	want[9] = (double)bits;
	want[10] = (float)whole;
	want[11] = (float)bits;
}

static double random_double(unsigned *state)
{
	*state = *state * 1664525u + 1013904223u;
	return ((int)*state) * std::ldexp(1.0, (int)(*state >> 8 & 31) - 40) / 3;
}

/* Functions with one right result, on the host and on the device alike. */
enum { EXACT = 16 };
__host__ __device__ void exact(double *out, double x, double y, double z)
{
	float a = (float)x, b = (float)y, c = (float)z;

	out[0] = sqrt(x), out[1] = fma(x, y, z), out[2] = fabs(x), out[3] = floor(x);
	out[4] = ceil(x), out[5] = trunc(x), out[6] = rint(x), out[7] = copysign(x, y);
	out[8] = sqrtf(a), out[9] = fmaf(a, b, c), out[10] = fabsf(a), out[11] = floorf(a);
	out[12] = ceilf(a), out[13] = truncf(a), out[14] = rintf(a), out[15] = copysignf(a, b);
}
__global__ void exact_of(double *out, const double *in)
{
	int i = (int)threadIdx.x;

	exact(out + i * EXACT, in[i], in[(i + 7) % (int)blockDim.x], in[(i + 3) % (int)blockDim.x]);
}

static bool exact_is_right()
{
	const double edge[] = { 0.0, -0.0, INFINITY, -INFINITY, NAN, 0.5, -0.5, 1.5, 2.5, -1e-310,
				16777217.0, -4503599627370497.5, 1e300, -1e-45, 3.0, 1.0 };
	double *in, *out, want[EXACT];
	unsigned state = 7;
	bool good = true;

	CHECK(cudaMallocManaged(&in, 64 * sizeof *in));
	CHECK(cudaMallocManaged(&out, 64 * EXACT * sizeof *out));
	for (int i = 0; i < 64; i++)
		in[i] = i < 16 ? edge[i] : random_double(&state);
	exact_of<<<1, 64>>>(out, in);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < 64; i++) {
		exact(want, in[i], in[(i + 7) % 64], in[(i + 3) % 64]);
		for (int k = 0; k < EXACT; k++) {
			double got = out[i * EXACT + k];

			good &= std::isnan(want[k]) ? std::isnan(got)
						    : memcmp(&got, &want[k], sizeof got) == 0;
		}
	}
	return good;
}

int main()
{
	static const int mode[3] = { FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO };
	double *in, *out;
	uint4 *wide;
	unsigned *counter, state = 1;
	bool good = true;

	CHECK(cudaMallocManaged(&in, 2 * THREADS * sizeof *in));
	CHECK(cudaMallocManaged(&out, RESULTS * THREADS * sizeof *out));
	CHECK(cudaMallocManaged(&wide, 32 * sizeof *wide));
	CHECK(cudaMallocManaged(&counter, 2 * sizeof *counter));
	counter[0] = 0;
	for (int i = 0; i < 2 * THREADS; i++)
		in[i] = random_double(&state);
	in[0] = 1, in[1] = 0.5;
	directed<<<1, THREADS>>>(out, in);
	others<<<1, 32>>>(wide, counter);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < RESULTS * THREADS; i++) {
		volatile double want[RESULTS / 3];

		fesetround(mode[i % 3]);
		reference(want, in[i / RESULTS * 2], in[i / RESULTS * 2 + 1]);
		fesetround(FE_TONEAREST);
		good &= out[i] == want[i % RESULTS / 3];
		if (out[i] != want[i % RESULTS / 3])
			printf("%d.%d: %a, want %a\n", i / RESULTS, i % RESULTS, out[i],
			       want[i % RESULTS / 3]);
	}
	for (unsigned i = 0; i < 32; i++)
		good &= wide[i].x == (i ^ 5) && wide[i].w == 4 * (i ^ 5);
	good &= counter[0] == 32 && ((float *)counter)[1] == 2.5f;
	return passed(good && defined_is_right() && exact_is_right());
}
