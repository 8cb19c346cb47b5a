/* SPDX-License-Identifier: GPL-3.0-or-later
 * lenient.cu -- what gcc, behind nvcc, only warns of, if of anything: numbers that are narrowed in
 * braces, a name right behind a literal, register, functions that end without a return; alignas behind
 * __shared__; strings that are printed from any memory; cuda::std without libcu++; numbers
 * that are written as one type and read as another.
 */
#include <cuda/std/array>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/utility>
#include "common.h"

#define NUMBER "%d"

__device__ int put(int *to, int value)
{
	*to = value;
}

__device__ float choose(int which)
{
	if (which == 1)
		return 1.5f;
	else if (which == 2)
		return 2.5f;
}

__global__ void __cluster_dims__(1, 1, 1) narrow(int *out, float4 *vector, int i, double d)
{
	register int sum = 0;
	float4 v = { i, i + 1, d, 2.0 };
	unsigned bits[] = { i };

	for (register int k = 0; k < 4; k++)
		sum += k;
	put(out, sum + bits[0]);
	*vector = v;
	vector->w += choose(threadIdx.x + 1);
}

template <int N, class T> struct alignas(N > 8 ? N : 8) tile {
	alignas(T) unsigned char raw[sizeof(T)];
};

__global__ void aligned(int *out, const char *text)
{
	__shared__ unsigned char odd;
	__shared__ alignas(32) unsigned char fixed[33];
	extern __shared__ alignas(64) unsigned char dynamic[];
	char own[] = "own";
	cuda::std::array<cuda::std::uint16_t, 3> three = { { 7, 8, 9 } };
	cuda::std::pair<int, char> pair = cuda::std::make_pair(1, 'c');

	odd = fixed[0] = dynamic[0] = 's';
	fixed[1] = 0;
	own[0] = 'O';
	*out = alignof(tile<16, double>) == 16 && alignof(tile<4, char>) == 8 && odd == 's' &&
	       three[threadIdx.x + 2] + three.size() == 12 && pair.second == 'c' &&
	       cuda::std::numeric_limits<int>::max() == 0x7fffffff && (size_t)fixed % 32 == 0 && (size_t)dynamic % 64 == 0;
	printf("%s %s %3s %s\n", text, own, (const char *)fixed, *out ? "good" : "bad");
}

/* Both pointers are to the same word. */
__global__ void punned(int *number, float *real, int *out)
{
	*number = 1;
	*real = 2.0f;
	*out = *number;
}

int report(int number)
{
	if (number > 100)
		return 1;
	printf("number "NUMBER"\n", number);
}

int main()
{
	int n = 5, *out;
	float4 *vector;
	dim3 grid = { n - 4, 1, 1 };
	char *text;
	bool good;

	CHECK(cudaMallocManaged(&out, 2 * sizeof *out));
	CHECK(cudaMallocManaged(&vector, sizeof *vector));
	narrow<<<grid, 1>>>(out, vector, n, 7.25);
	CHECK(cudaDeviceSynchronize());
	report(*out);
	good = *out == 11;
	CHECK(cudaMallocManaged(&text, 5));
	memcpy(text, "text", 5);
	aligned<<<1, 1, 64>>>(out, text);
	CHECK(cudaDeviceSynchronize());
	good &= *out;
	punned<<<1, 1>>>(out, (float *)out, out + 1);
	CHECK(cudaDeviceSynchronize());
	good &= out[1] == 0x40000000;
	return passed(good && vector->x == 5 && vector->z == 7.25f && vector->w == 3.5f);
}
