/* SPDX-License-Identifier: GPL-3.0-or-later
 * radix_sort.cu -- least digit first, one bit a pass: ballots give each thread its place.
 */
#include "common.h"
#include <algorithm>
#include <vector>

__global__ void count_zeros(const unsigned *key, int *zeros, int n, int bit)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int here = __syncthreads_count(i < n && !(key[i] >> bit & 1));

	if (threadIdx.x == 0)
		zeros[blockIdx.x] = here;
}

__global__ void scatter(const unsigned *key, unsigned *out, const int *zeros, int n, int bit, int all)
{
	__shared__ int warp_zeros[32];
	int i = blockIdx.x * blockDim.x + threadIdx.x, warp = threadIdx.x >> 5, before = 0, mine;
	bool zero = i < n && !(key[i] >> bit & 1);
	unsigned votes = __ballot_sync(0xffffffffu, zero), lower = (1u << (threadIdx.x & 31)) - 1;

	for (int b = 0; b < blockIdx.x; b++)
		before += zeros[b];
	if ((threadIdx.x & 31) == 0)
		warp_zeros[warp] = __popc(votes);
	__syncthreads();
	mine = before + __popc(votes & lower);
	for (int w = 0; w < warp; w++)
		mine += warp_zeros[w];
	if (i < n)
		out[zero ? mine : all + i - mine] = key[i];
}

int main()
{
	const int n = 4000, block = 128, blocks = (n + block - 1) / block, bits = 12;
	std::vector<unsigned> host(n), got(n);
	std::vector<int> zeros(blocks);
	unsigned *a, *b, seed = 9;
	int *z;

	for (auto &v : host)
		v = next(&seed) % (1 << bits);
	CHECK(cudaMalloc(&a, n * 4));
	CHECK(cudaMalloc(&b, n * 4));
	CHECK(cudaMalloc(&z, blocks * 4));
	CHECK(cudaMemcpy(a, host.data(), n * 4, cudaMemcpyHostToDevice));
	for (int bit = 0; bit < bits; bit++) {
		int all = 0;

		count_zeros<<<blocks, block>>>(a, z, n, bit);
		CHECK(cudaMemcpy(zeros.data(), z, blocks * 4, cudaMemcpyDeviceToHost));
		for (int v : zeros)
			all += v;
		scatter<<<blocks, block>>>(a, b, z, n, bit, all);
		std::swap(a, b);
	}
	CHECK(cudaMemcpy(got.data(), a, n * 4, cudaMemcpyDeviceToHost));
	std::sort(host.begin(), host.end());
	return passed(got == host);
}
