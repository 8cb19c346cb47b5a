/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cooperative groups: a sum over a grid that meets, tiles, threads that are there together.
 */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda/latch>
#include <cuda/semaphore>
#include "common.h"

namespace cg = cooperative_groups;

__device__ int reduce_any(cg::thread_group g, int *scratch, int value)
{
	int lane = g.thread_rank();

	for (int i = g.size() / 2; i > 0; i /= 2) {
		scratch[lane] = value;
		g.sync();
		if (lane < i)
			value += scratch[lane + i];
		g.sync();
	}
	return value;
}

__global__ void sum(const int *in, int *part, int *all, int n)
{
	cg::grid_group grid = cg::this_grid();
	cg::thread_block block = cg::this_thread_block();
	cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
	int s = 0;

	for (int i = grid.thread_rank(); i < n; i += grid.size())
		s += in[i];
	s = cg::reduce(warp, s, cg::plus<int>());
	if (warp.thread_rank() == 0)
		atomicAdd(&part[blockIdx.x], s);
	for (int turn = 0; turn < 3; turn++) { /* a barrier can be passed again */
		grid.sync();
		if (grid.thread_rank() == 0) {
			all[turn] = 0;
			for (int b = 0; b < gridDim.x; b++)
				all[turn] += part[b];
		}
		grid.barrier_wait(grid.barrier_arrive());
		if (block.thread_rank() == 0)
			part[block.group_index().x] += 1;
	}
}

__global__ void lanes(int *out)
{
	__shared__ int scratch[128];
	cg::thread_block block = cg::this_thread_block();
	cg::thread_block_tile<4> four = cg::tiled_partition<4>(cg::tiled_partition<32>(block));
	cg::thread_group eight = cg::tiled_partition(block, 8);
	int t = threadIdx.x, total = reduce_any(block, scratch, t);

	scratch[t] = 2 * t;
	cg::thread_block::arrival_token come = block.barrier_arrive();
	block.barrier_wait(static_cast<cg::thread_block::arrival_token &&>(come));
	if (t == 0)
		out[0] = total + scratch[127] - 254;
	out[128 + t] = four.shfl_xor(t, 1) + 1000 * four.shfl(t, 2) + four.meta_group_rank();
	out[256 + t] = reduce_any(eight, scratch + t / 8 * 8, 1);
	out[384 + t] = -1;
	if (t % 3 == 0) {
		cg::coalesced_group some = cg::coalesced_threads();

		out[384 + t] = some.thread_rank() + 100 * some.size() + 10000 * some.shfl(t, 1);
	}
	out[512 + t] = cg::inclusive_scan(cg::tiled_partition<32>(block), 1);
	out[640 + t] = __popc(cg::labeled_partition(cg::tiled_partition<32>(block), t % 5).mask);
}

/* Tiles of several warps, which go their own ways between barriers; one of them is not whole. */
template <unsigned int N> __global__ void wide(int *out)
{
	__shared__ cg::block_tile_memory<256> memory;
	__shared__ int slot[256];
	cg::thread_block block = cg::this_thread_block(memory);
	auto tile = cg::tiled_partition<N>(block);
	auto half = cg::tiled_partition<N / 2>(tile);
	int t = threadIdx.x, *to = out + 6 * t, turns = 1 + tile.meta_group_rank();

	for (int turn = 0; turn < turns; turn++) {
		slot[t] = t + turn;
		tile.sync();
		to[0] = slot[t / N * N];
		tile.sync();
	}
	to[1] = cg::reduce(tile, t, cg::plus<int>());
	to[2] = tile.shfl(t, 5);
	to[3] = 10 * tile.any(t == 77) + tile.all(t < 192);
	to[4] = cg::reduce(half, t, cg::greater<int>());
	to[5] = 1000 * tile.meta_group_size() + tile.thread_rank();
}

template <unsigned int N> static bool wide_is_right()
{
	const int threads = 224;
	int *out;
	bool good = true;

	CHECK(cudaMallocManaged(&out, 6 * threads * sizeof *out));
	wide<N><<<1, threads>>>(out);
	CHECK(cudaDeviceSynchronize());
	for (int t = 0; t < threads; t++) {
		int first = t / N * N, last = first + (int)N < threads ? first + N : threads;
		int half = t / (N / 2) * (N / 2), end = half + (int)N / 2, *is = out + 6 * t;

		good &= is[0] == first + t / (int)N;
		good &= is[1] == (first + last - 1) * (last - first) / 2 && is[2] == first + 5;
		good &= is[3] == 10 * (first <= 77 && last > 77) + (last <= 192);
		good &= is[4] == (end < threads ? end : threads) - 1;
		good &= is[5] == 1000 * ((threads + (int)N - 1) / (int)N) + t % (int)N;
	}
	CHECK(cudaFree(out));
	return good;
}

/* Copies by a group, one for all, groups of groups; and what lets some threads pass, or all at last. */
__global__ void passes(int *out, const int *in)
{
	__shared__ alignas(16) int copied[128], sum;
	__shared__ cuda::latch<cuda::thread_scope_block> latch;
	__shared__ cuda::binary_semaphore<cuda::thread_scope_block> one;
	cg::thread_block block = cg::this_thread_block();
	cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
	int t = (int)cg::thread_block::thread_rank();

	cg::memcpy_async(block, copied, in, cuda::aligned_size_t<16>(sizeof(int) * 96));
	cg::memcpy_async(block, copied + 96, 31, in + 96, 40);
	cg::wait_prior<0>(block);
	cg::invoke_one(block, [&] {
		init(&latch, cg::thread_block::size());
		init(&one, 1);
		sum = copied[127] = 0;
	});
	cg::thread_block::sync();
	one.acquire();
	sum += copied[t];
	one.release();
	latch.arrive_and_wait();
	out[t] = sum;
	out[128 + t] = cg::invoke_one_broadcast(warp, [&] { return t + 1; });
	if (t % 2) {
		cg::coalesced_group odd = cg::coalesced_threads(), four = cg::tiled_partition(odd, 4);
		out[256 + t] = cg::reduce(four, t, cg::plus<int>()) + 1000 * (int)four.thread_rank();
	}
}

int main()
{
	const int n = 10000, blocks = 8;
	int *in, *part, *all, *out, want = 0, most = 0, size = 0;
	bool good = true;

	CHECK(cudaMallocManaged(&in, n * sizeof *in));
	CHECK(cudaMallocManaged(&part, blocks * sizeof *part));
	CHECK(cudaMallocManaged(&all, 3 * sizeof *all));
	CHECK(cudaMallocManaged(&out, 768 * sizeof *out));
	for (int i = 0; i < n; i++)
		want += in[i] = i % 7;
	CHECK(cudaMemset(part, 0, blocks * sizeof *part));
	CHECK(cudaOccupancyMaxPotentialBlockSize(&most, &size, sum, 0, 256));
	good &= size > 0 && size <= 256 && size % 32 == 0 && most >= blocks;
	{
		int count = n;
		void *args[] = { &in, &part, &all, &count };

		CHECK(cudaLaunchCooperativeKernel((void *)sum, dim3(blocks), dim3(128), args, 0, 0));
	}
	lanes<<<1, 128>>>(out);
	CHECK(cudaDeviceSynchronize());
	for (int turn = 0; turn < 3; turn++)
		good &= all[turn] == want + turn * blocks;
	good &= out[0] == 127 * 128 / 2;
	for (int t = 0; t < 128; t++) {
		int lane = t % 32, first = t / 32 * 32, of = 0, mine = 0, same = 0, before = 0;

		good &= out[128 + t] == (t ^ 1) + 1000 * (t / 4 * 4 + 2) + t / 4;
		good &= t % 8 != 0 || out[256 + t] == 8;
		for (int l = 0; l < 32; l++) {
			if ((first + l) % 3 == 0) {
				if (++of == 2)
					mine = first + l;
				before += l < lane;
			}
			same += (first + l) % 5 == t % 5;
		}
		good &= out[384 + t] == (t % 3 ? -1 : before + 100 * of + 10000 * mine);
		good &= out[512 + t] == lane + 1;
		good &= out[640 + t] == same;
	}
	passes<<<1, 128>>>(out, in);
	CHECK(cudaDeviceSynchronize());
	for (int t = 0, copies = 0; t < 128; t++) {
		int first = t / 8 * 8;

		for (int i = 0; i < 127 && t == 0; i++)
			copies += in[i];
		good &= t == 0 || out[t] == out[0];
		good &= t != 0 || out[0] == copies;
		good &= out[128 + t] == t / 32 * 32 + 1;
		good &= t % 2 == 0 || out[256 + t] == 4 * first + 16 + 1000 * (t % 8 / 2);
	}
	good &= wide_is_right<64>();
	good &= wide_is_right<128>();
	CHECK(cudaFree(in));
	CHECK(cudaFree(part));
	CHECK(cudaFree(all));
	CHECK(cudaFree(out));
	return passed(good);
}
