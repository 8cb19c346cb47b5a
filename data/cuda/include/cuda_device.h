/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_device.h -- what device code calls: registers, barriers, warps, atomics, clocks; it
 * includes cuda_math.h, cuda_numbers.h and cuda_heap.h, which are parts of it.
 *
 * Names and meanings are those of the CUDA C++ Programming Guide.  __ws_ctx(), __ws_barrier() and
 * __ws_warp() are the engine's (trace/capture/cuda.c).
 *
 * Accuracy is the C library's: __sinf() and its like are as good as sinf().  A fence orders
 * nothing but the compiler, since the threads of a block take turns on one core.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_DEVICE_H
#define WARPSTACK_CUDA_DEVICE_H

#include <stddef.h>
#if __has_include(<time.h>)
#include <time.h>
#else
typedef long clock_t;
#endif
#include "vector_functions.h"
#include "cuda_letters_begin.h"

#define WS_DEVICE static __device__ __forceinline__ __attribute__((nodebug))
#define WS_BOTH static __host__ __device__ inline __attribute__((nodebug))
#define WS_LIBRARY extern "C" __device__ __attribute__((const, nothrow))

/* The first fields of the engine's own: one of a thread. */
struct __ws_thread {
	unsigned long long gid[3], lid[3], grp[3], lsz[3], gsz[3], ngr[3], off[3];
	unsigned int dim, lane;
	unsigned long long clock;
	char *shared;
};

/* What the lanes of a warp that met gave, and which they are. */
struct __ws_meeting {
	unsigned long long value[32];
	unsigned int lanes;
};

extern "C" {
__device__ __ws_thread *__ws_ctx() __attribute__((const));
__device__ void __ws_barrier(unsigned int) __attribute__((convergent));
/* Waits for the lanes of the warp in mask that have not ended (0: those that come here too). */
__device__ const __ws_meeting *__ws_warp(unsigned int mask, unsigned long long value) __attribute__((convergent));
__device__ int __ws_printf(const char *, ...);
__device__ unsigned int __ws_atomic_inc(unsigned int *, unsigned int);
__device__ unsigned int __ws_atomic_dec(unsigned int *, unsigned int);
}

/* ---- registers ------------------------------------------------------------------------------ */

#define WS_REGISTER(N, FIELD, D) \
	__declspec(property(get = __ws_get_##D)) unsigned int N; \
	__device__ __forceinline__ __attribute__((nodebug)) unsigned int __ws_get_##D() const \
	{ return (unsigned int)__ws_ctx()->FIELD[D]; }
#define WS_REGISTERS(NAME, FIELD) \
	struct __ws_##NAME { \
		WS_REGISTER(x, FIELD, 0) WS_REGISTER(y, FIELD, 1) WS_REGISTER(z, FIELD, 2) \
		__device__ __forceinline__ operator uint3() const { return uint3{ x, y, z }; } \
		__device__ __forceinline__ operator dim3() const { return dim3{ x, y, z }; } \
	}; \
	static const __device__ __ws_##NAME NAME = {};

WS_REGISTERS(threadIdx, lid)
WS_REGISTERS(blockIdx, grp)
WS_REGISTERS(blockDim, lsz)
WS_REGISTERS(gridDim, ngr)
#undef WS_REGISTER
#undef WS_REGISTERS
enum { warpSize = 32 };

/* ---- barriers and fences ---------------------------------------------------------------------- */

/* The compiler has a function of this name, which is the GPU's. */
#define __syncthreads() __ws_barrier(0)
WS_DEVICE void __threadfence() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
WS_DEVICE void __threadfence_block() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
WS_DEVICE void __threadfence_system() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

/* The condition of a graph's node (cuda_graph.h), which is a word of global memory. */
WS_DEVICE void cudaGraphSetConditional(unsigned long long handle, unsigned int value)
{
	*(unsigned int *)handle = value;
}

/* ---- warps ------------------------------------------------------------------------------------- */

WS_DEVICE unsigned int __ws_lane() { return __ws_ctx()->lane & 31u; }

template <class T> union __ws_bits {
	T value;
	unsigned long long bits;
};

template <class T> WS_DEVICE unsigned long long __ws_bits_of(T value)
{
	static_assert(sizeof(T) <= 8, "a value of 8 bytes at most");
	unsigned long long bits = 0;
	__builtin_memcpy(&bits, &value, sizeof value);
	return bits;
}

template <class T> WS_DEVICE T __ws_of_bits(unsigned long long bits)
{
	T value;
	__builtin_memcpy(&value, &bits, sizeof value);
	return value;
}

/* What lane `from` gave; one's own if it is not there; 0 if it has not come, as hardware has it. */
template <class T> WS_DEVICE __attribute__((convergent)) T
__ws_from_lane(unsigned int mask, T value, unsigned int from, bool there)
{
	const __ws_meeting *m = __ws_warp(mask, __ws_bits_of(value));
	return there ? __ws_of_bits<T>(m->lanes >> from & 1 ? m->value[from] : 0) : value;
}

/* A value of more than 8 bytes goes word by word. */
template <class T> struct __ws_words {
	unsigned long long word[(sizeof(T) + 7) / 8];
};
template <class T> WS_DEVICE __attribute__((convergent)) T
__ws_wide_from_lane(unsigned int mask, T value, unsigned int from, bool there)
{
	if constexpr (sizeof(T) <= 8) {
		return __ws_from_lane(mask, value, from, there);
	} else {
		__ws_words<T> w = {};
		__builtin_memcpy(&w, &value, sizeof value);
		for (unsigned int i = 0; i < sizeof w / 8; i++)
			w.word[i] = __ws_from_lane(mask, w.word[i], from, there);
		__builtin_memcpy(&value, &w, sizeof value);
		return value;
	}
}

#define WS_SHUFFLES(NAME, MASK_PARAMETER, MASK) \
	template <class T> WS_DEVICE __attribute__((convergent)) T \
	__shfl##NAME(MASK_PARAMETER T value, int from, int width = 32) \
	{ \
		unsigned int lane = __ws_lane(), base = lane & ~((unsigned int)width - 1); \
		return __ws_wide_from_lane(MASK, value, base | ((unsigned int)from & \
							   ((unsigned int)width - 1)), true); \
	} \
	template <class T> WS_DEVICE __attribute__((convergent)) T \
	__shfl_up##NAME(MASK_PARAMETER T value, unsigned int by, int width = 32) \
	{ \
		unsigned int lane = __ws_lane(), in = lane & ((unsigned int)width - 1); \
		return __ws_wide_from_lane(MASK, value, (lane - by) & 31u, in >= by); \
	} \
	template <class T> WS_DEVICE __attribute__((convergent)) T \
	__shfl_down##NAME(MASK_PARAMETER T value, unsigned int by, int width = 32) \
	{ \
		unsigned int lane = __ws_lane(), in = lane & ((unsigned int)width - 1); \
		return __ws_wide_from_lane(MASK, value, (lane + by) & 31u, \
					   in + by < (unsigned int)width); \
	} \
	template <class T> WS_DEVICE __attribute__((convergent)) T \
	__shfl_xor##NAME(MASK_PARAMETER T value, int bits, int width = 32) \
	{ \
		unsigned int lane = __ws_lane(), to = lane ^ (unsigned int)bits; \
		return __ws_wide_from_lane(MASK, value, to & 31u, \
				      (to & ~((unsigned int)width - 1)) <= lane); \
	}
#define WS_MASK unsigned int mask,
#define WS_NO_MASK
WS_SHUFFLES(_sync, WS_MASK, mask)
WS_SHUFFLES(, WS_NO_MASK, 0u)
#undef WS_SHUFFLES
#undef WS_MASK
#undef WS_NO_MASK

/* Bits of the lanes that met and whose value is not 0. */
WS_DEVICE __attribute__((convergent)) unsigned int __ws_votes(unsigned int mask, bool yes)
{
	const __ws_meeting *m = __ws_warp(mask, yes);
	unsigned int votes = 0;
	for (unsigned int i = 0; i < 32; i++)
		votes |= (unsigned int)(m->value[i] & 1) << i;
	return votes & m->lanes;
}
WS_DEVICE __attribute__((convergent)) void __syncwarp(unsigned int mask = 0xffffffffu)
{
	__ws_warp(mask, 0);
}
WS_DEVICE __attribute__((convergent)) unsigned int __activemask()
{
	return __ws_warp(0, 0)->lanes;
}
WS_DEVICE __attribute__((convergent)) unsigned int __ballot_sync(unsigned int mask, int p)
{
	return __ws_votes(mask, p != 0) & mask;
}
WS_DEVICE __attribute__((convergent)) int __any_sync(unsigned int mask, int p)
{
	return __ws_votes(mask, p != 0) != 0;
}
WS_DEVICE __attribute__((convergent)) int __all_sync(unsigned int mask, int p)
{
	return __ws_votes(mask, p == 0) == 0;
}
WS_DEVICE __attribute__((convergent)) int __uni_sync(unsigned int mask, int p)
{
	const __ws_meeting *m = __ws_warp(mask, p != 0);
	bool same = true;
	for (unsigned int i = 0; i < 32; i++)
		same &= !(m->lanes >> i & 1) || (m->value[i] != 0) == (p != 0);
	return same;
}
WS_DEVICE __attribute__((convergent)) unsigned int __ballot(int p) { return __ws_votes(0, p != 0); }
WS_DEVICE __attribute__((convergent)) int __any(int p) { return __any_sync(0, p); }
WS_DEVICE __attribute__((convergent)) int __all(int p) { return __all_sync(0, p); }

WS_DEVICE unsigned int __ws_same(const __ws_meeting *m, unsigned long long bits)
{
	unsigned int same = 0;
	for (unsigned int i = 0; i < 32; i++)
		same |= (unsigned int)(m->value[i] == bits) << i;
	return same & m->lanes;
}
template <class T> WS_DEVICE __attribute__((convergent)) unsigned int
__match_any_sync(unsigned int mask, T value)
{
	unsigned long long bits = __ws_bits_of(value);
	const __ws_meeting *m = __ws_warp(mask, bits);
	return __ws_same(m, bits);
}
template <class T> WS_DEVICE __attribute__((convergent)) unsigned int
__match_all_sync(unsigned int mask, T value, int *all)
{
	unsigned long long bits = __ws_bits_of(value);
	const __ws_meeting *m = __ws_warp(mask, bits);
	unsigned int same = __ws_same(m, bits);
	*all = same == m->lanes;
	return *all ? same : 0;
}

#define WS_REDUCE(NAME, T, START, STEP) \
	WS_DEVICE __attribute__((convergent)) T __reduce_##NAME##_sync(unsigned int mask, T value) \
	{ \
		T all = START; \
		const __ws_meeting *m = __ws_warp(mask, __ws_bits_of(value)); \
		for (unsigned int i = 0; i < 32; i++) { \
			T one = __ws_of_bits<T>(m->value[i]); \
			if (m->lanes >> i & 1) \
				all = STEP; \
		} \
		return all; \
	}
WS_REDUCE(add, unsigned int, 0, all + one)
WS_REDUCE(add, int, 0, (int)((unsigned int)all + (unsigned int)one))
WS_REDUCE(min, unsigned int, value, one < all ? one : all)
WS_REDUCE(min, int, value, one < all ? one : all)
WS_REDUCE(max, unsigned int, value, one > all ? one : all)
WS_REDUCE(max, int, value, one > all ? one : all)
WS_REDUCE(and, unsigned int, value, all & one)
WS_REDUCE(or, unsigned int, value, all | one)
WS_REDUCE(xor, unsigned int, 0, all ^ one)
#undef WS_REDUCE

/* ---- atomics ------------------------------------------------------------------------------------ */

#define WS_SCOPES(T, NAME, ...) \
	WS_DEVICE T atomic##NAME##_block(T *p, T v) { return atomic##NAME(p, v); } \
	WS_DEVICE T atomic##NAME##_system(T *p, T v) { return atomic##NAME(p, v); }
#define WS_ATOMIC(T, NAME, BUILTIN) \
	WS_DEVICE T atomic##NAME(T *p, T v) { return BUILTIN(p, v, __ATOMIC_RELAXED); } \
	WS_SCOPES(T, NAME)
#define WS_ATOMICS(T) \
	WS_ATOMIC(T, Add, __atomic_fetch_add) WS_ATOMIC(T, Sub, __atomic_fetch_sub) \
	WS_ATOMIC(T, Min, __atomic_fetch_min) WS_ATOMIC(T, Max, __atomic_fetch_max) \
	WS_ATOMIC(T, And, __atomic_fetch_and) WS_ATOMIC(T, Or, __atomic_fetch_or) \
	WS_ATOMIC(T, Xor, __atomic_fetch_xor) WS_ATOMIC(T, Exch, __atomic_exchange_n) \
	WS_DEVICE T atomicCAS(T *p, T old, T v) \
	{ \
		__atomic_compare_exchange_n(p, &old, v, false, __ATOMIC_RELAXED, \
					    __ATOMIC_RELAXED); \
		return old; \
	} \
	WS_DEVICE T atomicCAS_block(T *p, T old, T v) { return atomicCAS(p, old, v); } \
	WS_DEVICE T atomicCAS_system(T *p, T old, T v) { return atomicCAS(p, old, v); }
WS_DEVICE unsigned short atomicCAS(unsigned short *p, unsigned short old, unsigned short v)
{
	__atomic_compare_exchange_n(p, &old, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	return old;
}
WS_ATOMICS(int)
WS_ATOMICS(unsigned int)
WS_ATOMICS(long long)
WS_ATOMICS(unsigned long long)
WS_ATOMIC(float, Add, __atomic_fetch_add)
WS_ATOMIC(double, Add, __atomic_fetch_add)
WS_DEVICE float atomicExch(float *p, float v)
{
	return __ws_of_bits<float>(atomicExch((unsigned int *)p, (unsigned int)__ws_bits_of(v)));
}
WS_DEVICE unsigned int atomicInc(unsigned int *p, unsigned int v) { return __ws_atomic_inc(p, v); }
WS_DEVICE unsigned int atomicDec(unsigned int *p, unsigned int v) { return __ws_atomic_dec(p, v); }
WS_SCOPES(unsigned int, Inc)
WS_SCOPES(unsigned int, Dec)
WS_SCOPES(float, Exch)
/* Each number by itself, as hardware has it. */
WS_DEVICE float2 atomicAdd(float2 *p, float2 v)
{
	float x = atomicAdd(&p->x, v.x);
	return float2{ x, atomicAdd(&p->y, v.y) };
}
WS_DEVICE float4 atomicAdd(float4 *p, float4 v)
{
	float x = atomicAdd(&p->x, v.x), y = atomicAdd(&p->y, v.y), z = atomicAdd(&p->z, v.z);
	return float4{ x, y, z, atomicAdd(&p->w, v.w) };
}
#undef WS_ATOMICS
#undef WS_ATOMIC
#undef WS_SCOPES

/* ---- barriers that count ---------------------------------------------------------------------------- */

WS_DEVICE __attribute__((convergent)) int __syncthreads_count(int p)
{
	__shared__ int count;
	count = 0;
	__syncthreads();
	if (p)
		atomicAdd(&count, 1);
	__syncthreads();
	p = count;
	__syncthreads();
	return p;
}
WS_DEVICE __attribute__((convergent)) int __syncthreads_or(int p)
{
	return __syncthreads_count(p) != 0;
}
WS_DEVICE __attribute__((convergent)) int __syncthreads_and(int p)
{
	return __syncthreads_count(!p) == 0;
}

/* ---- loads and stores with a cache operator ------------------------------------------------------- */

#define WS_LOAD(NAME) template <class T> WS_DEVICE T NAME(const T *p) { return *p; }
WS_LOAD(__ldg) WS_LOAD(__ldca) WS_LOAD(__ldcs) WS_LOAD(__ldlu)
#undef WS_LOAD
/* Those that go past the L1.  The mark that the engine knows them by is on numbers and vectors. */
template <int bytes> struct __ws_number;
template <> struct __ws_number<1> { typedef unsigned char __attribute__((may_alias)) type; };
template <> struct __ws_number<2> { typedef unsigned short __attribute__((may_alias)) type; };
template <> struct __ws_number<4> { typedef unsigned int __attribute__((may_alias)) type; };
template <> struct __ws_number<8> { typedef unsigned long long __attribute__((may_alias)) type; };
template <> struct __ws_number<16> { typedef unsigned int __attribute__((ext_vector_type(4), may_alias)) type; };
#define WS_LOAD(NAME) template <class T> WS_DEVICE T NAME(const T *p) { \
	typedef typename __ws_number<sizeof(T)>::type N; \
	N n = __builtin_nontemporal_load((const N *)p); \
	T v; \
	__builtin_memcpy(&v, &n, sizeof v); \
	return v; }
WS_LOAD(__ldcg) WS_LOAD(__ldcv)
#undef WS_LOAD
#define WS_STORE(NAME) template <class T> WS_DEVICE void NAME(T *p, T v) { *p = v; }
WS_STORE(__stwb) WS_STORE(__stcs)
#undef WS_STORE
#define WS_STORE(NAME) template <class T> WS_DEVICE void NAME(T *p, T v) { \
	typedef typename __ws_number<sizeof(T)>::type N; \
	N n; \
	__builtin_memcpy(&n, &v, sizeof n); \
	__builtin_nontemporal_store(n, (N *)p); }
WS_STORE(__stcg) WS_STORE(__stwt)
#undef WS_STORE

#include "cuda_math.h"
#include "cuda_numbers.h"
#include "cuda_heap.h"

/* ---- clocks ------------------------------------------------------------------------------------------------- */

/* Each question takes longer than the one before, up to 2^20 cycles, so that loops that wait for a
 * time end soon.  Time itself is not known: threads do not run side by side.  A loop that waits for
 * others until a time begins anew with short ones (trace/capture/waits.c). */
WS_DEVICE long long clock64()
{
	volatile unsigned long long *t = &__ws_ctx()->clock;
	unsigned long long was = *t, asked = was >> 48, now = was & 0xffffffffffffull;
	now += asked < 20 ? 1ull << asked : 1ull << 20;
	*t = (asked < 20 ? asked + 1 : 20) << 48 | (now & 0xffffffffffffull);
	return (long long)now;
}
WS_DEVICE clock_t clock() { return (clock_t)clock64(); }

/* ---- the rest ----------------------------------------------------------------------------------------- */

WS_DEVICE void __trap() { __builtin_trap(); }
WS_DEVICE void __brkpt() {}
WS_DEVICE void __prof_trigger(int) {}
/* A pointer of global memory is a generic one here; one of shared memory counts from its begin, and
 * has 32 bits. */
WS_DEVICE size_t __cvta_generic_to_global(const void *p) { return (size_t)p; }
WS_DEVICE void *__cvta_global_to_generic(size_t p) { return (void *)p; }
WS_DEVICE size_t __cvta_generic_to_shared(const void *p)
{
	return (unsigned int)((const char *)p - __ws_ctx()->shared);
}
WS_DEVICE void *__cvta_shared_to_generic(size_t p)
{
	return __ws_ctx()->shared + (unsigned int)p;
}
WS_DEVICE void __nanosleep(unsigned int) {}
template <class... A> WS_DEVICE int printf(const char *format, A... values)
{
	return __ws_printf(format, values...);
}
/* What assert() of <assert.h> calls.  The engine knows an assertion by its kind of trap. */
extern "C" __device__ __attribute__((noreturn)) inline void
__assert_fail(const char *what, const char *file, unsigned int line, const char *) noexcept
{
	__ws_printf("%s:%u: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file,
		    line, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y,
		    threadIdx.z, what);
	__builtin_debugtrap();
	__builtin_unreachable();
}
#include "cuda_letters_end.h"

#endif
