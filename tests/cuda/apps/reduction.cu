/* SPDX-License-Identifier: GPL-3.0-or-later
 * reduction.cu -- sum of an array: by shuffles, by shared memory, templates of the block size.
 */
#include <cuda_runtime.h>
#include "common.h"

template <unsigned BLOCK> __global__ void sum_shared(const int *in, int *out, int n)
{
	__shared__ int part[BLOCK];
	unsigned t = threadIdx.x, i = blockIdx.x * BLOCK * 2 + t;

	part[t] = (i < n ? in[i] : 0) + (i + BLOCK < n ? in[i + BLOCK] : 0);
	__syncthreads();
	for (unsigned s = BLOCK / 2; s > 0; s >>= 1) {
		if (t < s)
			part[t] += part[t + s];
		__syncthreads();
	}
	if (t == 0)
		out[blockIdx.x] = part[0];
}

__global__ void sum_shuffle(const int *in, int *out, int n)
{
	int sum = 0;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
		sum += in[i];
	for (int by = 16; by > 0; by >>= 1)
		sum += __shfl_xor_sync(0xffffffff, sum, by);
	if ((threadIdx.x & 31) == 0)
		atomicAdd(out, sum);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 100000, *in, *out, want = 0, blocks = (n + 511) / 512;
	int *host = (int *)malloc(n * sizeof *host), *parts = (int *)malloc(blocks * sizeof *parts);
	int first = 0, second = 0;
	unsigned seed = 1;

	for (int i = 0; i < n; i++)
		want += host[i] = next(&seed) % 100;
	CHECK(cudaMalloc(&in, n * sizeof *in));
	CHECK(cudaMalloc((void **)&out, blocks * sizeof *out));
	CHECK(cudaMemcpy(in, host, n * sizeof *in, cudaMemcpyHostToDevice));
	sum_shared<256><<<blocks, 256>>>(in, out, n);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(parts, out, blocks * sizeof *out, cudaMemcpyDeviceToHost));
	for (int i = 0; i < blocks; i++)
		first += parts[i];
	CHECK(cudaMemset(out, 0, sizeof *out));
	sum_shuffle<<<16, 256>>>(in, out, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(&second, out, sizeof second, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(in));
	CHECK(cudaFree(out));
	return passed(first == want && second == want);
}
