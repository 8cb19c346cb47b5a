/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Half precision: the compiler's own _Float16 is what each operation is held against.  Bfloat16 and
 * what both have besides: answers by hand.
 */
#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "common.h"

#define COUNT 65536

__global__ void operate(const half *a, const half *b, half *out, float *back, half2 *pair, half *sum)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = a[i] + b[i];
	out[COUNT + i] = __hmul(a[i], b[i]);
	out[2 * COUNT + i] = a[i] / b[i];
	out[3 * COUNT + i] = __hfma(a[i], b[i], a[i ^ 77]);
	out[4 * COUNT + i] = hsqrt(__habs(a[i]));
	out[5 * COUNT + i] = __float2half(__half2float(a[i]) * 1.0009765f);
	back[i] = __half2float(a[i]);
	pair[i] = __hfma2(__halves2half2(a[i], b[i]), __float2half2_rn(2.0f), __half2half2(b[i]));
	if (i < 100)
		atomicAdd(&sum[i & 1], __half(1.0f));
}

static _Float16 as_native(half h)
{
	_Float16 n;

	memcpy(&n, &h, sizeof n);
	return n;
}

/* The same bits, or no numbers both. */
static bool same(half h, _Float16 n)
{
	unsigned short a, b;

	memcpy(&a, &h, sizeof a);
	memcpy(&b, &n, sizeof b);
	return a == b || ((a & 0x7fff) > 0x7c00 && (b & 0x7fff) > 0x7c00);
}

#define WIDE (__nv_bfloat16)1e30f /* no half is as large */
#define ANSWERS 20

__global__ void others(float *o, __nv_bfloat16 *sum)
{
	half2 p = __floats2half2_rn(1, 2), q = __floats2half2_rn(3, -1);
	half h = 1.5f;

	*o++ = (float)hlog2(WIDE) > 99 && (float)hlog2(WIDE) < 100;
	*o++ = (float)htrunc(WIDE) == (float)WIDE && !__hisinf(WIDE) && !__hisnan(WIDE);
	*o++ = (float)hexp2(__nv_bfloat16(20)) == 1048576;
	*o++ = (float)__habs2(__float2bfloat162_rn(-3)).y;
	*o++ = (float)__float2bfloat16_rz(-1.999f) * 128;
	*o++ = (float)__float2half_rd(-1.0001f) * 1024;
	*o++ = (float)__float2half_ru(1e-9f) * 16777216;
	*o++ = (float)__float2half_rz(1e9f);
	*o++ = (float)__hcmadd(p, q, p).x;
	*o++ = (float)__hcmadd(p, q, p).y;
	*o++ = p == p && p != q && !(p < q);
	*o++ = (float)__hgt2_mask(p, q);
	*o++ = __hltu(h, half(NAN)) && !__hlt(h, half(NAN));
	*o++ = (float)__half2ushort_rn(half(-3)) + (float)__half2short_rz(half(60000.0f));
	*o++ = (float)__half2int_ru(half(-1.5f)) + (float)__half2uint_rd(half(2.75f));
	*o++ = (float)h++ + (float)--h + (float)__hfma_relu(h, h, half(-9));
	*o++ = __hisnan(__hmax_nan(h, half(NAN))) && (float)__hmax(h, half(NAN)) == 1.5f;
	*o++ = (float)htanh(half(0.5f)) * 1024;
	*o++ = (float)__hfma2_sat(p, q, p).x + (float)__hfma2_sat(p, q, p).y;
	*o++ = (float)(__nv_bfloat16)(half)0.1f * 1024;
	atomicAdd(sum, __nv_bfloat16(2));
}

static bool others_are_right()
{
	static const float want[ANSWERS] = { 1, 1, 1, 3, -255, -1025, 1, 65504, 6, 7, 1, 4294901760.0f,
					     1, 32767, 1, 3, 1, 473.25f, 1, 102.5f };
	float *out;
	__nv_bfloat16 *sum;
	bool good = true;

	CHECK(cudaMallocManaged(&out, sizeof want));
	CHECK(cudaMallocManaged(&sum, 4));
	sum[0] = sum[1] = 1;
	others<<<1, 1>>>(out, sum + 1);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < ANSWERS; i++) {
		if (out[i] != want[i])
			printf("answer %d: %g, want %g\n", i, out[i], want[i]);
		good &= out[i] == want[i];
	}
	return good && (float)sum[0] == 1 && (float)sum[1] == 3;
}

int main()
{
	half *a, *b, *out, *sum;
	half2 *pair;
	float *back;
	unsigned state = 1, wrong = 0;

	CHECK(cudaMallocManaged(&a, COUNT * sizeof *a));
	CHECK(cudaMallocManaged(&b, COUNT * sizeof *b));
	CHECK(cudaMallocManaged(&out, 6 * COUNT * sizeof *out));
	CHECK(cudaMallocManaged(&pair, COUNT * sizeof *pair));
	CHECK(cudaMallocManaged(&back, COUNT * sizeof *back));
	CHECK(cudaMallocManaged(&sum, 2 * sizeof *sum));
	for (int i = 0; i < COUNT; i++) { /* each number there is */
		a[i] = __ushort_as_half((unsigned short)i);
		b[i] = __ushort_as_half((unsigned short)next(&state));
	}
	sum[0] = sum[1] = 0.0f;
	operate<<<COUNT / 256, 256>>>(a, b, out, back, pair, sum);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < COUNT; i++) {
		_Float16 x = as_native(a[i]), y = as_native(b[i]), z = as_native(a[i ^ 77]);
		double fused = (double)x * (double)y;

		wrong += !same(out[i], x + y);
		wrong += !same(out[COUNT + i], x * y);
		wrong += !same(out[2 * COUNT + i], x / y);
		/* Its sum is exact in a long double: 22 digits, and exponents from -48 to 32. */
		wrong += !same(out[3 * COUNT + i], (_Float16)((long double)fused + (long double)z));
		wrong += !same(out[4 * COUNT + i], (_Float16)sqrt(fabs((double)x)));
		wrong += !same(out[5 * COUNT + i], (_Float16)((float)x * 1.0009765f));
		wrong += !(back[i] == (float)x) && !std::isnan((float)x);
		wrong += !same(pair[i].x, (_Float16)((double)x * 2 + (double)y));
		wrong += !same(pair[i].y, (_Float16)((double)y * 2 + (double)y));
	}
	wrong += (float)sum[0] != 50 || (float)sum[1] != 50;
	printf("%u wrong\n", wrong);
	return passed(wrong == 0 && others_are_right());
}
