/* SPDX-License-Identifier: GPL-3.0-or-later
 * async.cu -- barriers whose arrival and wait are apart, pipelines of a block and of a thread.
 */
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <vector>

#include "common.h"

namespace cg = cooperative_groups;
#define THREADS 96
#define STAGES 2

/* Each round all threads add what their neighbour put there in the last one. */
__global__ void rounds(const int *in, int *out, int n)
{
	__shared__ cuda::barrier<cuda::thread_scope_block> bar;
	__shared__ int part[THREADS];
	cg::thread_block block = cg::this_thread_block();
	int t = threadIdx.x, sum = 0;

	if (t == 0)
		init(&bar, THREADS);
	block.sync();
	for (int round = 0; round < n; round++) {
		cuda::memcpy_async(block, part, in + (size_t)round * THREADS,
				   cuda::aligned_size_t<16>(sizeof part), bar);
		auto token = bar.arrive();
		sum = sum * 3;
		bar.wait(std::move(token));
		sum += part[(t + 1) % THREADS];
		bar.arrive_and_wait();
	}
	out[t] = sum;
}

/* A warp fills stages, the others use them. */
__global__ void staged(const int *in, int *out, int n)
{
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
	__shared__ int part[STAGES][THREADS];
	cg::thread_block block = cg::this_thread_block();
	bool fills = threadIdx.x < 32;
	auto pipe = cuda::make_pipeline(block, &state, fills ? cuda::pipeline_role::producer
							     : cuda::pipeline_role::consumer);
	int t = threadIdx.x, sum = 0;

	for (int round = 0; round < n; round++) {
		int *stage = part[round % STAGES];

		if (fills) {
			pipe.producer_acquire();
			for (int i = t; i < THREADS; i += 32)
				cuda::memcpy_async(stage + i, in + (size_t)round * THREADS + i,
						   sizeof(int), pipe);
			pipe.producer_commit();
		} else {
			pipe.consumer_wait();
			sum = sum * 3 + stage[(t + 1) % THREADS];
			pipe.consumer_release();
		}
	}
	out[t] = sum;
}

__global__ void alone(const int *in, int *out, int n)
{
	__shared__ int part[THREADS];
	int t = threadIdx.x, sum = 0;

	for (int round = 0; round < n; round++) {
		__pipeline_memcpy_async(&part[t], &in[(size_t)round * THREADS + t], sizeof(int));
		__pipeline_commit();
		__pipeline_wait_prior(0);
		__syncthreads();
		sum = sum * 3 + part[(t + 1) % THREADS];
		__syncthreads();
	}
	out[t] = sum;
}

int main()
{
	const int n = 5;
	std::vector<int> in((size_t)n * THREADS), want(THREADS), got(THREADS);
	unsigned seed = 7;
	int *d_in, *d_out;
	bool good = true;

	for (int &v : in)
		v = (int)(next(&seed) % 100);
	for (int t = 0; t < THREADS; t++) {
		for (int round = 0; round < n; round++)
			want[t] = want[t] * 3 + in[(size_t)round * THREADS + (t + 1) % THREADS];
	}
	CHECK(cudaMalloc(&d_in, in.size() * sizeof(int)));
	CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
	CHECK(cudaMemcpy(d_in, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice));
	for (int way = 0; way < 3; way++) {
		if (way == 0)
			rounds<<<1, THREADS>>>(d_in, d_out, n);
		else if (way == 1)
			staged<<<1, THREADS>>>(d_in, d_out, n);
		else
			alone<<<1, THREADS>>>(d_in, d_out, n);
		CHECK(cudaMemcpy(got.data(), d_out, THREADS * sizeof(int), cudaMemcpyDeviceToHost));
		for (int t = way == 1 ? 32 : 0; t < THREADS; t++)
			good &= got[t] == want[t];
		if (!good)
			break;
	}
	return passed(good);
}
