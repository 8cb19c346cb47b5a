/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Half precision: the compiler's own _Float16 is what each operation is held against.
 */
#include <cmath>
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
	return passed(wrong == 0);
}
