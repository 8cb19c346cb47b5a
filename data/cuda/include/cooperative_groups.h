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
#include "cuda_letters_begin.h"

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
/* In the order of ranks; all threads get the result. */
template <class G, class T, class F> WS_MEETS T reduce(const G &g, T v, F f)
{
	T all = g.shfl(v, 0);
	for (unsigned int i = 1; i < g.size(); i++)
		all = f(all, g.shfl(v, (int)i));
	return all;
}
/* Ones below bit n. */
WS_GROUP unsigned int below(unsigned int n) { return n < 32 ? (1u << n) - 1 : ~0u; }
}

/* ---- a block ----------------------------------------------------------------------------------- */

/* Tiles of several warps meet and exchange values in shared memory: a barrier of each tile of 1024,
 * 512, ..., 64 threads, and a value of each warp. */
struct __ws_tiles {
	unsigned int come[31], round[31];
	alignas(16) unsigned char value[32][16];
};
template <unsigned int MaxBlockSize = 1024> struct block_tile_memory {
	__ws_tiles tiles;
};

/* Who has arrived goes on at once; all meet where they wait. */
struct __ws_arrival {
	__ws_arrival() = default;
	__ws_arrival(__ws_arrival &&) = default;
};
struct thread_block {
	typedef __ws_arrival arrival_token;
	__ws_tiles *tiles = nullptr;
	static constexpr unsigned int _size = 0;
	WS_MEETS static void sync() { __syncthreads(); }
	WS_GROUP arrival_token barrier_arrive() const { return arrival_token(); }
	WS_MEETS void barrier_wait(arrival_token &&) const { sync(); }
	WS_GROUP static unsigned int size() { return __ws::block_threads(); }
	WS_GROUP static unsigned int num_threads() { return __ws::block_threads(); }
	WS_GROUP static unsigned int thread_rank() { return __ws::thread_in_block(); }
	WS_GROUP static dim3 group_index() { return blockIdx; }
	WS_GROUP static dim3 thread_index() { return threadIdx; }
	WS_GROUP static dim3 group_dim() { return blockDim; }
	WS_GROUP static dim3 dim_threads() { return blockDim; }
	WS_GROUP static bool is_valid() { return true; }
};
WS_GROUP thread_block this_thread_block() { return thread_block(); }
/* All threads of the block call it. */
template <unsigned int N> WS_MEETS thread_block this_thread_block(block_tile_memory<N> &memory)
{
	thread_block b;
	b.tiles = &memory.tiles;
	for (unsigned int i = b.thread_rank(); i < 31; i += b.size())
		b.tiles->come[i] = b.tiles->round[i] = 0;
	b.sync();
	return b;
}

/* ---- a grid ------------------------------------------------------------------------------------ */

struct grid_group {
	typedef __ws_arrival arrival_token;
	WS_GROUP arrival_token barrier_arrive() const { return arrival_token(); }
	WS_MEETS void barrier_wait(arrival_token &&) const { sync(); }
	WS_GROUP static bool is_valid() { return true; }
	WS_MEETS static void sync()
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
	WS_GROUP static unsigned long long size()
	{
		return __ws::grid_blocks() * __ws::block_threads();
	}
	WS_GROUP static unsigned long long num_threads() { return size(); }
	WS_GROUP static unsigned long long num_blocks() { return __ws::grid_blocks(); }
	WS_GROUP static unsigned long long block_rank() { return __ws::block_in_grid(); }
	WS_GROUP static unsigned long long thread_rank()
	{
		return __ws::block_in_grid() * __ws::block_threads() + __ws::thread_in_block();
	}
	WS_GROUP static dim3 group_dim() { return gridDim; }
	WS_GROUP static dim3 dim_blocks() { return gridDim; }
	WS_GROUP static dim3 block_index() { return blockIdx; }
};
WS_GROUP grid_group this_grid() { return grid_group(); }

/* There is one device: its grid is all of them. */
struct multi_grid_group {
	WS_GROUP static bool is_valid() { return true; }
	WS_MEETS static void sync() { grid_group::sync(); }
	WS_GROUP static unsigned long long size() { return grid_group::size(); }
	WS_GROUP static unsigned long long num_threads() { return grid_group::size(); }
	WS_GROUP static unsigned long long thread_rank() { return grid_group::thread_rank(); }
	WS_GROUP static unsigned int num_grids() { return 1; }
	WS_GROUP static unsigned int grid_rank() { return 0; }
};
WS_GROUP multi_grid_group this_multi_grid() { return multi_grid_group(); }

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
	template <class T, class F> WS_MEETS T reduce(T v, F f) const
	{
		return __ws::reduce(*this, v, f);
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

/* N threads that follow each other: lanes of one warp. */
template <unsigned int N, bool wide = (N > 32)> struct __ws_tile : __ws_lanes {
	WS_GROUP explicit __ws_tile(__ws_tiles *)
		: __ws_lanes((N < 32 ? (1u << (N & 31)) - 1 : ~0u) << (__ws_lane() / N * N)) {}
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
	template <class T, class F> WS_MEETS T reduce(T v, F f) const
	{
		return __ws::reduce(*this, v, f);
	}
};

/* Several warps. */
template <unsigned int N> struct __ws_tile<N, true> {
	__ws_tiles *tiles;
	WS_GROUP explicit __ws_tile(__ws_tiles *t) : tiles(t)
	{
		if (!tiles) {
			printf("a tile of %u threads: want this_thread_block(block_tile_memory)\n", N);
			__trap();
		}
	}
	WS_GROUP static constexpr unsigned int size() { return N; }
	WS_GROUP static constexpr unsigned int num_threads() { return N; }
	WS_GROUP unsigned int thread_rank() const { return __ws::thread_in_block() % N; }
	WS_GROUP unsigned int meta_group_rank() const { return __ws::thread_in_block() / N; }
	WS_GROUP unsigned int meta_group_size() const
	{
		return (__ws::block_threads() + N - 1) / N;
	}
	WS_GROUP unsigned int warps() const
	{
		unsigned int after = __ws::block_threads() - meta_group_rank() * N;
		return ((after < N ? after : N) + 31) / 32;
	}
	/* A thread of each warp waits for those of the others. */
	WS_MEETS void sync() const
	{
		unsigned int which = 1024 / N - 1 + meta_group_rank();
		__syncwarp();
		if (__ws_lane() == 0) {
			unsigned int round = *(volatile unsigned int *)&tiles->round[which];
			__threadfence_block();
			if (atomicAdd(&tiles->come[which], 1u) == warps() - 1) {
				tiles->come[which] = 0;
				__threadfence_block();
				atomicAdd(&tiles->round[which], 1u);
			} else {
				while (*(volatile unsigned int *)&tiles->round[which] == round)
					;
			}
		}
		__syncwarp();
	}
	template <class T> WS_GROUP volatile T *place(unsigned int warp) const
	{
		static_assert(sizeof(T) <= 16, "values of at most 16 bytes");
		return (volatile T *)tiles->value[meta_group_rank() * (N / 32) + warp];
	}
	template <class T> WS_MEETS T shfl(T v, int rank) const
	{
		T got;
		if (thread_rank() == (unsigned int)rank % N)
			*place<T>(0) = v;
		sync();
		got = *place<T>(0);
		sync();
		return got;
	}
	/* The warps' results, in their order. */
	template <class T, class F> WS_MEETS T reduce(T v, F f) const
	{
		unsigned int n = warps();
		T all = __ws_lanes(__activemask()).reduce(v, f);
		if (__ws_lane() == 0)
			*place<T>(thread_rank() / 32) = all;
		sync();
		all = *place<T>(0);
		for (unsigned int i = 1; i < n; i++)
			all = f(all, (T)*place<T>(i));
		sync();
		return all;
	}
	WS_MEETS int any(int p) const
	{
		return reduce((int)(p != 0), [](int a, int b) { return a | b; });
	}
	WS_MEETS int all(int p) const
	{
		return reduce((int)(p != 0), [](int a, int b) { return a & b; });
	}
};

/* A tile of N threads of what it was cut from. */
template <unsigned int N, class Parent = void> struct thread_block_tile : __ws_tile<N> {
	static_assert(N && N <= 1024 && (N & (N - 1)) == 0, "a power of two up to 1024");
	WS_GROUP explicit thread_block_tile(__ws_tiles *tiles = nullptr) : __ws_tile<N>(tiles) {}
	template <class Other> WS_GROUP thread_block_tile(const thread_block_tile<N, Other> &other)
		: __ws_tile<N>(other) {}
};
WS_GROUP __ws_tiles *__ws_tiles_of(const thread_block &b) { return b.tiles; }
WS_GROUP __ws_tiles *__ws_tiles_of(const __ws_lanes &) { return nullptr; }
template <unsigned int N> WS_GROUP __ws_tiles *__ws_tiles_of(const __ws_tile<N, true> &t)
{
	return t.tiles;
}
template <unsigned int N, class P> WS_MEETS thread_block_tile<N, P> tiled_partition(const P &p)
{
	return thread_block_tile<N, P>(__ws_tiles_of(p));
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
/* Of threads that are there together, as many by their ranks. */
WS_MEETS coalesced_group tiled_partition(const coalesced_group &g, unsigned int n)
{
	unsigned int first = g.thread_rank() / n * n, lanes = 0;
	for (unsigned int i = first; i < first + n && i < g.size(); i++)
		lanes |= 1u << g.lane_of(i);
	return coalesced_group(lanes);
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

/* A thread alone. */
WS_GROUP coalesced_group this_thread() { return coalesced_group(1u << __ws_lane()); }
/* By one thread of the group. */
template <class G, class F, class... A> WS_GROUP void invoke_one(const G &g, F &&f, A &&...a)
{
	if (g.thread_rank() == 0)
		f(static_cast<A &&>(a)...);
}
/* All get what it returned. */
template <class G, class F, class... A> WS_MEETS auto invoke_one_broadcast(const G &g, F &&f, A &&...a)
{
	decltype(f(static_cast<A &&>(a)...)) got{};
	if (g.thread_rank() == 0)
		got = f(static_cast<A &&>(a)...);
	return g.shfl(got, 0);
}

template <class G> WS_MEETS void sync(const G &g) { g.sync(); }
template <class G> WS_GROUP unsigned int group_size(const G &g) { return (unsigned int)g.size(); }
template <class G> WS_GROUP unsigned int thread_rank(const G &g)
{
	return (unsigned int)g.thread_rank();
}

/* ---- reductions over tiles, scans over a warp's lanes -------------------------------------------------- */

template <class T> struct plus { WS_GROUP T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { WS_GROUP T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { WS_GROUP T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { WS_GROUP T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { WS_GROUP T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { WS_GROUP T operator()(T a, T b) const { return a ^ b; } };

/* In the order of ranks; all threads get the result. */
template <class G, class T, class F> WS_MEETS T reduce(const G &g, T v, F f)
{
	return g.reduce(v, f);
}
/* What one thread of the group does with the result. */
template <class G, class P, class T, class F> WS_MEETS void
reduce_store_async(const G &g, P *to, T v, F f)
{
	T all = g.reduce(v, f);
	if (g.thread_rank() == 0)
		*to = all;
}
template <class T> struct __ws_update {
	template <class A> WS_GROUP static void with(A &to, T v, plus<T>) { to.fetch_add(v); }
	template <class A> WS_GROUP static void with(A &to, T v, bit_and<T>) { to.fetch_and(v); }
	template <class A> WS_GROUP static void with(A &to, T v, bit_or<T>) { to.fetch_or(v); }
	template <class A> WS_GROUP static void with(A &to, T v, bit_xor<T>) { to.fetch_xor(v); }
	template <class A, class F> WS_GROUP static void with(A &to, T v, F f)
	{
		T before = to.load();
		while (!to.compare_exchange_weak(before, f(before, v)))
			;
	}
};
template <class G, class A, class T, class F> WS_MEETS void
reduce_update_async(const G &g, A &to, T v, F f)
{
	T all = g.reduce(v, f);
	if (g.thread_rank() == 0)
		__ws_update<T>::with(to, all, f);
}
template <class G, class A, class T, class F> WS_MEETS void
reduce_store_async(const G &g, A &to, T v, F f)
{
	T all = g.reduce(v, f);
	if (g.thread_rank() == 0)
		to.store(all);
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

namespace __ws
{
template <size_t N> struct chunk { typedef uint4 type; };
template <> struct chunk<1> { typedef unsigned char type; };
template <> struct chunk<2> { typedef unsigned short type; };
template <> struct chunk<4> { typedef unsigned int type; };
template <> struct chunk<8> { typedef uint2 type; };
/* What both are known to be aligned to: 16 bytes at most, as a GPU copies them at once. */
template <class T, class Size> struct known { enum { value = alignof(T) < 16 ? alignof(T) : 16 }; };
template <> struct known<void, size_t> { enum { value = 1 }; };
template <class T, template <size_t> class Size, size_t N> struct known<T, Size<N>> {
	enum { value = N < 16 ? N : 16 };
};
template <size_t N, class G> WS_GROUP void copy(const G &g, void *to, const void *from, size_t bytes)
{
	typedef typename chunk<N>::type Chunk;
	size_t whole = bytes / sizeof(Chunk);
	for (size_t i = g.thread_rank(); i < whole; i += g.size())
		((Chunk *)to)[i] = ((const Chunk *)from)[i];
	for (size_t i = whole * sizeof(Chunk) + g.thread_rank(); i < bytes; i += g.size())
		((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}
}
/* Done when it returns; the group's threads take turns. */
template <class G, class T, class U, class Size>
WS_GROUP void memcpy_async(const G &g, T *to, const U *from, const Size &bytes)
{
	__ws::copy<__ws::known<U, Size>::value>(g, (void *)to, (const void *)from, (size_t)bytes);
}
/* By elements, of which there are so many here and there. */
template <class G, class T, class To, class From>
WS_GROUP void memcpy_async(const G &g, T *to, const To &room, const T *from, const From &count)
{
	size_t n = (size_t)room < (size_t)count ? (size_t)room : (size_t)count;
	__ws::copy<__ws::known<T, size_t>::value>(g, to, from, n * sizeof(T));
}
template <class G> WS_MEETS void wait(const G &g) { g.sync(); }
template <unsigned int N, class G> WS_MEETS void wait_prior(const G &g) { g.sync(); }
}
}
#pragma pop_macro("WS_GROUP")
#pragma pop_macro("WS_MEETS")
#endif
#include "cuda_letters_end.h"

#endif
