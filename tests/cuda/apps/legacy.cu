/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Code as it was written for older GPUs, and what device code has beside numbers: a warp that goes
 * on together through volatile memory, clocks, managed variables, words of several parts.
 */
#include <algorithm>
#include <chrono>
#include <iostream>
#include <string>
#include <vector>
#include "common.h"

__device__ __managed__ int turns = 3;

__global__ void sum(const float *in, float *out)
{
	__shared__ float all[256];
	int tid = threadIdx.x;

	all[tid] = in[blockIdx.x * 256 + tid];
	for (int s = 128; s > 32; s /= 2) {
		__syncthreads();
		if (tid < s)
			all[tid] += all[tid + s];
	}
	__syncthreads();
	if (tid < 32) {
		volatile float *v = all;

		v[tid] += v[tid + 32];
		v[tid] += v[tid + 16];
		v[tid] += v[tid + 8];
		v[tid] += v[tid + 4];
		v[tid] += v[tid + 2];
		v[tid] += v[tid + 1];
	}
	if (tid == 0)
		out[blockIdx.x] = all[0];
	if (blockIdx.x == 0 && tid == 0)
		turns += 1;
}

/* Known by their names, as up to CUDA 4. */
__constant__ int table[8];
__device__ int offset;

__global__ void look_up(int *out)
{
	out[threadIdx.x] = table[threadIdx.x] + offset;
}

static bool named()
{
	int given[8], more = 5, *out;
	bool good = true;

	for (int i = 0; i < 8; i++)
		given[i] = i * i;
	CHECK(cudaMallocManaged(&out, sizeof given));
	CHECK(cudaMemcpyToSymbol("table", given, sizeof given));
	CHECK(cudaMemcpyToSymbol("offset", &more, sizeof more));
	good = cudaMemcpyToSymbol("no_such", &more, sizeof more) == cudaErrorInvalidSymbol;
	(void)cudaGetLastError();
	look_up<<<1, 8>>>(out);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < 8; i++)
		good &= out[i] == i * i + 5;
	return good;
}

/* A lane whose partner is none of the mask's gets 0. */
__global__ void eight(const int *in, int *out)
{
	if (threadIdx.x < 8) {
		int v = in[threadIdx.x];

		for (int by = 16; by > 0; by /= 2)
			v += __shfl_down_sync(0xff, v, by);
		if (threadIdx.x == 0)
			*out = v;
	}
}

/* Registers that only assembly reads. */
__global__ void registers(unsigned *wrong)
{
	unsigned lane, warp, below, from, mine = threadIdx.x % 32;

	asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
	asm("mov.u32 %0, %%warpid;" : "=r"(warp));
	asm("mov.u32 %0,\t%%lanemask_lt; " : "=r"(below));
	asm("mov.u32 %0, %%lanemask_ge;" : "=r"(from));
	wrong[threadIdx.x] = lane != mine || warp != threadIdx.x / 32 || __popc(below) != mine ||
			     from != ~below;
}

__global__ void wait(long long *took, long long cycles)
{
	long long begin = clock64(), end;

	do
		end = clock64();
	while (end - begin < cycles);
	took[threadIdx.x] = clock() > end ? end - begin : 0;
}

__global__ void numbers(double *out, unsigned *words)
{
	int i = threadIdx.x, e;
	double y = (i - 15.5) / 16, m = frexp(3.0 * i + 1, &e);
	char from[32], to[32];

	out[i] = erf(erfinv(y)) - y;
	out[32 + i] = normcdf(normcdfinv((i + 1) / 40.0)) - (i + 1) / 40.0;
	out[64 + i] = ldexp(m, e) - (3.0 * i + 1);
	out[96 + i] = !(__fadd_ru(1, 1e-10f) > 1 && __fadd_rd(1, 1e-10f) == 1 &&
			__fadd_rz(-1, -1e-10f) == -1 && __fdiv_ru(1, 3) > __fdiv_rd(1, 3));
	memset(from, 7 + i, sizeof from);
	memcpy(to, from, sizeof to);
	out[128 + i] = to[31 - i] - (7 + i);
	out[160 + i] = std::max(i, 3) + std::abs(-1.5f) + std::sqrt(4.0f) - (i > 3 ? i : 3) - 3.5;
	words[0] = __vadd4(0x01ff7f80u, 0x01010101u);
	words[1] = __vabsdiffu4(0x01ff7f80u, 0x02010101u);
	words[2] = __vsadu4(0x01ff7f80u, 0x02010101u);
	words[3] = __vmins2(0x8000ffffu, 0x00010001u);
}

int main()
{
	float *in, *out;
	long long *took;
	double *left;
	unsigned *words;
	int *ints;
	unsigned *wrong;
	bool good = true;

	turns = 10; /* before the first launch */
	CHECK(cudaMallocManaged(&in, 1024 * sizeof *in));
	CHECK(cudaMallocManaged(&out, 4 * sizeof *out));
	CHECK(cudaMallocManaged(&took, 32 * sizeof *took));
	CHECK(cudaMallocManaged(&left, 192 * sizeof *left));
	CHECK(cudaMallocManaged(&words, 4 * sizeof *words));
	CHECK(cudaMallocManaged(&ints, 9 * sizeof *ints));
	CHECK(cudaMallocManaged(&wrong, 64 * sizeof *wrong));
	for (int i = 0; i < 1024; i++)
		in[i] = (float)i;
	for (int i = 0; i < 8; i++)
		ints[i] = i + 1;
	sum<<<4, 256>>>(in, out);
	eight<<<1, 32>>>(ints, ints + 8);
	wait<<<1, 32>>>(took, 10000000);
	numbers<<<1, 32>>>(left, words);
	registers<<<1, 64>>>(wrong);
	CHECK(cudaDeviceSynchronize());
	for (int b = 0; b < 4; b++)
		good &= out[b] == 256 * 256 * b + 255 * 128;
	for (int i = 0; i < 64; i++)
		good &= wrong[i] == 0;
	good &= turns == 11 && ints[8] == 36 && took[5] >= 10000000;
	for (int i = 0; i < 192; i++)
		good &= fabs(left[i]) < 1e-14;
	good &= words[0] == 0x02008081u;
	good &= words[1] == 0x01fe7e7fu && words[2] == 1 + 254 + 126 + 127;
	good &= words[3] == 0x8000ffffu;
	std::cout << std::string("done") << std::endl;
	return passed(good && named());
}
