/* SPDX-License-Identifier: GPL-3.0-or-later
 * hash_join.cu -- builds a hash table by atomicCAS on 64 bits, probes it, counts what joins.
 */
#include "common.h"
#include <map>
#include <vector>

#define EMPTY 0xffffffffffffffffull

__device__ unsigned hash(unsigned key)
{
	key ^= key >> 16;
	key *= 0x85ebca6bu;
	return key ^ key >> 13;
}

__global__ void build(const unsigned *key, unsigned long long *table, unsigned mask, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	unsigned long long entry = (unsigned long long)key[i] << 32 | (unsigned)i;
	unsigned at = hash(key[i]) & mask;

	while (atomicCAS(&table[at], EMPTY, entry) != EMPTY)
		at = (at + 1) & mask;
}

__global__ void probe(const unsigned *key, const unsigned long long *table, unsigned mask, int n,
		      unsigned long long *pairs)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned found = 0;

	if (i < n) {
		for (unsigned at = hash(key[i]) & mask; table[at] != EMPTY; at = (at + 1) & mask)
			found += (unsigned)(table[at] >> 32) == key[i];
	}
	found = __reduce_add_sync(__activemask(), found);
	if ((threadIdx.x & 31) == 0)
		atomicAdd(pairs, (unsigned long long)found);
}

int main()
{
	const int n = 1000, m = 3000, size = 4096;
	std::vector<unsigned> a(n), b(m);
	std::map<unsigned, int> count;
	unsigned *d_a, *d_b, seed = 11;
	unsigned long long *table, *pairs, got, want = 0;

	for (auto &v : a)
		count[v = next(&seed) % 700]++;
	for (auto &v : b)
		want += count[v = next(&seed) % 900];
	CHECK(cudaMalloc(&d_a, n * 4));
	CHECK(cudaMalloc(&d_b, m * 4));
	CHECK(cudaMalloc(&table, size * 8));
	CHECK(cudaMalloc(&pairs, 8));
	CHECK(cudaMemcpy(d_a, a.data(), n * 4, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(d_b, b.data(), m * 4, cudaMemcpyHostToDevice));
	CHECK(cudaMemset(table, 0xff, size * 8));
	CHECK(cudaMemset(pairs, 0, 8));
	build<<<(n + 127) / 128, 128>>>(d_a, table, size - 1, n);
	probe<<<(m + 127) / 128, 128>>>(d_b, table, size - 1, m, pairs);
	CHECK(cudaMemcpy(&got, pairs, 8, cudaMemcpyDeviceToHost));
	return passed(got == want);
}
