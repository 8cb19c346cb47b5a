/* SPDX-License-Identifier: GPL-3.0-or-later
 * scan.cu -- prefix sums: in blocks, of their sums, and added, with dynamic shared memory.
 */
#include "common.h"

__global__ void scan_block(const unsigned *in, unsigned *out, unsigned *sums, int n)
{
	extern __shared__ unsigned both[];
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, from = 0, to = 1;

	both[t] = i < n ? in[i] : 0;
	__syncthreads();
	for (int by = 1; by < blockDim.x; by *= 2) {
		to = 1 - from;
		both[to * blockDim.x + t] = both[from * blockDim.x + t] +
					    (t >= by ? both[from * blockDim.x + t - by] : 0);
		from = to;
		__syncthreads();
	}
	if (i < n)
		out[i] = both[from * blockDim.x + t];
	if (sums && t == blockDim.x - 1)
		sums[blockIdx.x] = both[from * blockDim.x + t];
}

__global__ void add_sums(unsigned *out, const unsigned *sums, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (blockIdx.x && i < n)
		out[i] += sums[blockIdx.x - 1];
}

int main()
{
	const int n = 30000, block = 256, blocks = (n + block - 1) / block;
	unsigned *in, *out, *sums, *host = new unsigned[n], *got = new unsigned[n], seed = 3, sum = 0;
	bool good = true;

	for (int i = 0; i < n; i++)
		host[i] = next(&seed) % 1000;
	CHECK(cudaMalloc(&in, n * 4));
	CHECK(cudaMalloc(&out, n * 4));
	CHECK(cudaMalloc(&sums, blocks * 4));
	CHECK(cudaMemcpy(in, host, n * 4, cudaMemcpyHostToDevice));
	scan_block<<<blocks, block, 2 * block * sizeof(unsigned)>>>(in, out, sums, n);
	scan_block<<<1, 256, 2 * 256 * sizeof(unsigned)>>>(sums, sums, nullptr, blocks);
	add_sums<<<blocks, block>>>(out, sums, n);
	CHECK(cudaMemcpy(got, out, n * 4, cudaMemcpyDeviceToHost));
	for (int i = 0; i < n; i++)
		good &= got[i] == (sum += host[i]);
	return passed(good);
}
