/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cooperative_groups.h -- groups of threads: of a grid, a block, a tile of a warp, or those that
 * are there together.
 *
 * Names and meanings are those of the CUDA C++ Programming Guide, "Cooperative Groups".  A grid's
 * barrier is one in global memory, as on a GPU: its accesses are in the trace.
 */
#pragma GCC system_header
#ifndef WARPSTACK_COOPERATIVE_GROUPS_H
#define WARPSTACK_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#define _CG_HAS_OP_REDUCE 1

#ifdef __CUDA__
#pragma push_macro("WS_GROUP")
#pragma push_macro("WS_MEETS")
#define WS_GROUP __device__ __forceinline__ __attribute__((nodebug))
#define WS_MEETS WS_GROUP __attribute__((convergent))

/* Blocks that have come, and how often all had. */
struct __ws_grid_barrier {
	unsigned int come, round;
};
static __device__ __ws_grid_barrier __ws_grid_barrier_of_all;

namespace cooperative_groups
{
inline namespace __v1
{
namespace __ws
{
WS_GROUP unsigned int thread_in_block()
{
	return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
WS_GROUP unsigned int block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
WS_GROUP unsigned long long block_in_grid()
{
	return blockIdx.x + (unsigned long long)gridDim.x *
	       (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
}
WS_GROUP unsigned long long grid_blocks()
{
	return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
}
/* Ones below bit n. */
WS_GROUP unsigned int below(unsigned int n) { return n < 32 ? (1u << n) - 1 : ~0u; }
}

/* ---- a block ----------------------------------------------------------------------------------- */

struct thread_block {
	static constexpr unsigned int _size = 0;
	WS_MEETS void sync() const { __syncthreads(); }
	WS_GROUP unsigned int size() const { return __ws::block_threads(); }
	WS_GROUP unsigned int num_threads() const { return __ws::block_threads(); }
	WS_GROUP unsigned int thread_rank() const { return __ws::thread_in_block(); }
	WS_GROUP dim3 group_index() const { return blockIdx; }
	WS_GROUP dim3 thread_index() const { return threadIdx; }
	WS_GROUP dim3 group_dim() const { return blockDim; }
	WS_GROUP dim3 dim_threads() const { return blockDim; }
	WS_GROUP bool is_valid() const { return true; }
};
WS_GROUP thread_block this_thread_block() { return thread_block(); }

/* ---- a grid ------------------------------------------------------------------------------------ */

struct grid_group {
	WS_GROUP bool is_valid() const { return true; }
	WS_MEETS void sync() const
	{
		__syncthreads();
		if (__ws::thread_in_block() == 0) {
			__ws_grid_barrier *b = &__ws_grid_barrier_of_all;
			unsigned int round = *(volatile unsigned int *)&b->round;
			if (atomicAdd(&b->come, 1u) == (unsigned int)__ws::grid_blocks() - 1) {
				b->come = 0;
				__threadfence();
				atomicAdd(&b->round, 1u);
			} else {
				while (*(volatile unsigned int *)&b->round == round)
					;
			}
		}
		__syncthreads();
	}
	WS_GROUP unsigned long long size() const
	{
		return __ws::grid_blocks() * __ws::block_threads();
	}
	WS_GROUP unsigned long long num_threads() const { return size(); }
	WS_GROUP unsigned long long num_blocks() const { return __ws::grid_blocks(); }
	WS_GROUP unsigned long long block_rank() const { return __ws::block_in_grid(); }
	WS_GROUP unsigned long long thread_rank() const
	{
		return __ws::block_in_grid() * __ws::block_threads() + __ws::thread_in_block();
	}
	WS_GROUP dim3 group_dim() const { return gridDim; }
	WS_GROUP dim3 dim_blocks() const { return gridDim; }
	WS_GROUP dim3 block_index() const { return blockIdx; }
};
WS_GROUP grid_group this_grid() { return grid_group(); }

/* ---- lanes of a warp ----------------------------------------------------------------------------- */

/* Lanes by a mask; ranks are among them.  A warp's lanes are `lane` and those of its mask. */
struct __ws_lanes {
	unsigned int mask;
	WS_GROUP explicit __ws_lanes(unsigned int m) : mask(m) {}
	WS_MEETS void sync() const { __syncwarp(mask); }
	WS_GROUP unsigned int size() const { return (unsigned int)__popc(mask); }
	WS_GROUP unsigned int num_threads() const { return size(); }
	WS_GROUP unsigned int thread_rank() const
	{
		return (unsigned int)__popc(mask & __ws::below(__ws_lane()));
	}
	/* The lane of a rank. */
	WS_GROUP unsigned int lane_of(unsigned int rank) const
	{
		unsigned int left = mask;
		for (unsigned int i = 0; i < rank; i++)
			left &= left - 1;
		return left ? (unsigned int)__ffs((int)left) - 1 : __ws_lane();
	}
	/* Bits of ranks for bits of lanes. */
	WS_GROUP unsigned int packed(unsigned int lanes) const
	{
		unsigned int ranks = 0, n = 0;
		for (unsigned int i = 0; i < 32; i++) {
			if (mask >> i & 1)
				ranks |= (lanes >> i & 1) << n++;
		}
		return ranks;
	}
	template <class T> WS_MEETS T shfl(T v, int rank) const
	{
		return __shfl_sync(mask, v, (int)lane_of((unsigned int)rank % size()));
	}
	template <class T> WS_MEETS T shfl_up(T v, unsigned int by) const
	{
		unsigned int rank = thread_rank();
		return __shfl_sync(mask, v, (int)lane_of(rank >= by ? rank - by : rank));
	}
	template <class T> WS_MEETS T shfl_down(T v, unsigned int by) const
	{
		unsigned int rank = thread_rank();
		return __shfl_sync(mask, v, (int)lane_of(rank + by < size() ? rank + by : rank));
	}
	template <class T> WS_MEETS T shfl_xor(T v, unsigned int by) const
	{
		unsigned int to = thread_rank() ^ by;
		return __shfl_sync(mask, v, (int)lane_of(to < size() ? to : thread_rank()));
	}
	WS_MEETS int any(int p) const { return __any_sync(mask, p); }
	WS_MEETS int all(int p) const { return __all_sync(mask, p); }
	WS_MEETS unsigned int ballot(int p) const { return packed(__ballot_sync(mask, p)); }
	template <class T> WS_MEETS unsigned int match_any(T v) const
	{
		return packed(__match_any_sync(mask, v));
	}
	template <class T> WS_MEETS unsigned int match_all(T v, int &all) const
	{
		return packed(__match_all_sync(mask, v, &all));
	}
};

struct coalesced_group : __ws_lanes {
	WS_GROUP explicit coalesced_group(unsigned int m) : __ws_lanes(m) {}
	WS_GROUP unsigned int meta_group_size() const { return 1; }
	WS_GROUP unsigned int meta_group_rank() const { return 0; }
};
WS_MEETS coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/* A tile of N threads of what it was cut from: lanes of one warp. */
template <unsigned int N, class Parent = void> struct thread_block_tile : __ws_lanes {
	static_assert(N && N <= 32 && (N & (N - 1)) == 0, "a power of two up to 32");
	WS_GROUP thread_block_tile()
		: __ws_lanes((N < 32 ? (1u << (N & 31)) - 1 : ~0u) << (__ws_lane() / N * N)) {}
	template <class Other> WS_GROUP thread_block_tile(const thread_block_tile<N, Other> &other)
		: __ws_lanes(other.mask) {}
	WS_GROUP static constexpr unsigned int size() { return N; }
	WS_GROUP static constexpr unsigned int num_threads() { return N; }
	WS_GROUP unsigned int thread_rank() const { return __ws_lane() % N; }
	WS_GROUP unsigned int meta_group_rank() const { return __ws::thread_in_block() / N; }
	WS_GROUP unsigned int meta_group_size() const
	{
		return (__ws::block_threads() + N - 1) / N;
	}
	template <class T> WS_MEETS T shfl(T v, int rank) const
	{
		return __shfl_sync(mask, v, rank, (int)N);
	}
	template <class T> WS_MEETS T shfl_up(T v, unsigned int by) const
	{
		return __shfl_up_sync(mask, v, by, (int)N);
	}
	template <class T> WS_MEETS T shfl_down(T v, unsigned int by) const
	{
		return __shfl_down_sync(mask, v, by, (int)N);
	}
	template <class T> WS_MEETS T shfl_xor(T v, unsigned int by) const
	{
		return __shfl_xor_sync(mask, v, (int)by, (int)N);
	}
};
template <unsigned int N, class P> WS_MEETS thread_block_tile<N, P> tiled_partition(const P &)
{
	return thread_block_tile<N, P>();
}

/* Any group, told which at run time. */
struct thread_group {
	unsigned int kind, mask; /* 0: a block; 1: a grid; 2: lanes */
	WS_GROUP thread_group(const thread_block &) : kind(0), mask(0) {}
	WS_GROUP thread_group(const grid_group &) : kind(1), mask(0) {}
	WS_GROUP thread_group(const __ws_lanes &l) : kind(2), mask(l.mask) {}
	WS_MEETS void sync() const
	{
		if (kind == 0)
			thread_block().sync();
		else if (kind == 1)
			grid_group().sync();
		else
			__syncwarp(mask);
	}
	WS_GROUP unsigned int size() const
	{
		return kind == 0 ? thread_block().size()
		       : kind == 1 ? (unsigned int)grid_group().size() : __ws_lanes(mask).size();
	}
	WS_GROUP unsigned int num_threads() const { return size(); }
	WS_GROUP unsigned int thread_rank() const
	{
		return kind == 0 ? thread_block().thread_rank()
		       : kind == 1 ? (unsigned int)grid_group().thread_rank()
				   : __ws_lanes(mask).thread_rank();
	}
};
/* Tiles of a size that is told at run time. */
WS_MEETS thread_group tiled_partition(const thread_group &, unsigned int n)
{
	unsigned int ones = n < 32 ? (1u << n) - 1 : ~0u;
	return __ws_lanes(ones << (__ws_lane() / n * n));
}
template <class G> WS_MEETS coalesced_group labeled_partition(const G &g, unsigned int label)
{
	return coalesced_group(__match_any_sync(g.mask, label));
}
template <class G> WS_MEETS coalesced_group binary_partition(const G &g, bool p)
{
	unsigned int votes = __ballot_sync(g.mask, p);
	return coalesced_group(p ? votes : g.mask & ~votes);
}

template <class G> WS_MEETS void sync(const G &g) { g.sync(); }
template <class G> WS_GROUP unsigned int group_size(const G &g) { return (unsigned int)g.size(); }
template <class G> WS_GROUP unsigned int thread_rank(const G &g)
{
	return (unsigned int)g.thread_rank();
}

/* ---- reductions and scans over a warp's lanes ---------------------------------------------------------- */

template <class T> struct plus { WS_GROUP T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { WS_GROUP T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { WS_GROUP T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { WS_GROUP T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { WS_GROUP T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { WS_GROUP T operator()(T a, T b) const { return a ^ b; } };

/* In the order of ranks; all threads get the result. */
template <class G, class T, class F> WS_MEETS T reduce(const G &g, T v, F f)
{
	T all = g.shfl(v, 0);
	for (unsigned int i = 1; i < g.size(); i++)
		all = f(all, g.shfl(v, (int)i));
	return all;
}
template <class G, class T, class F> WS_MEETS T inclusive_scan(const G &g, T v, F f)
{
	for (unsigned int by = 1; by < g.size(); by *= 2) {
		T other = g.shfl_up(v, by);
		if (g.thread_rank() >= by)
			v = f(other, v);
	}
	return v;
}
template <class G, class T> WS_MEETS T inclusive_scan(const G &g, T v)
{
	return inclusive_scan(g, v, plus<T>());
}
template <class G, class T, class F> WS_MEETS T exclusive_scan(const G &g, T v, F f)
{
	T before = g.shfl_up(inclusive_scan(g, v, f), 1);
	return g.thread_rank() ? before : T();
}
template <class G, class T> WS_MEETS T exclusive_scan(const G &g, T v)
{
	return exclusive_scan(g, v, plus<T>());
}

/* ---- copies ------------------------------------------------------------------------------------------ */

/* Done when it returns; the group's threads take turns. */
template <class G, class T> WS_GROUP void memcpy_async(const G &g, T *to, const T *from, size_t bytes)
{
	for (size_t i = g.thread_rank(); i < bytes / sizeof(T); i += g.size())
		to[i] = from[i];
}
template <class G> WS_MEETS void wait(const G &g) { g.sync(); }
}
}
#pragma pop_macro("WS_GROUP")
#pragma pop_macro("WS_MEETS")
#endif

#endif
