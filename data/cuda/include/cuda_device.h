/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_device.h -- what device code calls: registers, barriers, warps, atomics, mathematics.
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

#define WS_DEVICE static __device__ __forceinline__ __attribute__((nodebug))
#define WS_BOTH static __host__ __device__ inline __attribute__((nodebug))
#define WS_LIBRARY extern "C" __device__ __attribute__((const, nothrow))

/* The first fields of the engine's own: one of a thread. */
struct __ws_thread {
	unsigned long long gid[3], lid[3], grp[3], lsz[3], gsz[3], ngr[3], off[3];
	unsigned int dim, lane;
	unsigned long long clock;
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
WS_STORE(__stwb) WS_STORE(__stcg) WS_STORE(__stcs) WS_STORE(__stwt)
#undef WS_STORE

/* ---- mathematics ---------------------------------------------------------------------------------- */

#define WS_REAL1(F) WS_LIBRARY double F(double); WS_LIBRARY float F##f(float); \
	WS_DEVICE float F(float x) { return F##f(x); }
#define WS_REAL2(F) WS_LIBRARY double F(double, double); WS_LIBRARY float F##f(float, float); \
	WS_DEVICE float F(float x, float y) { return F##f(x, y); }
WS_REAL1(acos) WS_REAL1(acosh) WS_REAL1(asin) WS_REAL1(asinh) WS_REAL1(atan) WS_REAL1(atanh)
WS_REAL1(cbrt) WS_REAL1(ceil) WS_REAL1(cos) WS_REAL1(cosh) WS_REAL1(erf) WS_REAL1(erfc)
WS_REAL1(exp) WS_REAL1(exp2) WS_REAL1(expm1) WS_REAL1(fabs) WS_REAL1(floor) WS_REAL1(lgamma)
WS_REAL1(log) WS_REAL1(log10) WS_REAL1(log1p) WS_REAL1(log2) WS_REAL1(logb) WS_REAL1(rint)
WS_REAL1(round) WS_REAL1(sin) WS_REAL1(sinh) WS_REAL1(sqrt) WS_REAL1(tan) WS_REAL1(tanh)
WS_REAL1(tgamma) WS_REAL1(trunc) WS_REAL1(j0) WS_REAL1(j1) WS_REAL1(y0) WS_REAL1(y1)
WS_REAL2(atan2) WS_REAL2(copysign) WS_REAL2(fdim) WS_REAL2(fmax) WS_REAL2(fmin) WS_REAL2(fmod)
WS_REAL2(hypot) WS_REAL2(nextafter) WS_REAL2(pow) WS_REAL2(remainder)
#undef WS_REAL1
#undef WS_REAL2
WS_LIBRARY double fma(double, double, double);
WS_LIBRARY float fmaf(float, float, float);
WS_LIBRARY double ldexp(double, int);
WS_LIBRARY float ldexpf(float, int);
WS_LIBRARY double exp10(double);
WS_LIBRARY float exp10f(float);
WS_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }
WS_DEVICE double pow(double x, int n) { return pow(x, (double)n); }
WS_DEVICE float pow(float x, int n) { return powf(x, (float)n); }
WS_DEVICE double nearbyint(double x) { return rint(x); }
WS_DEVICE float nearbyintf(float x) { return rintf(x); }
WS_BOTH double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
WS_BOTH float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
WS_BOTH float rsqrt(float x) { return rsqrtf(x); }
WS_DEVICE double rcbrt(double x) { return 1.0 / cbrt(x); }
WS_DEVICE float rcbrtf(float x) { return 1.0f / cbrtf(x); }
WS_DEVICE void sincos(double x, double *s, double *c) { *s = sin(x); *c = cos(x); }
WS_DEVICE void sincosf(float x, float *s, float *c) { *s = sinf(x); *c = cosf(x); }
WS_DEVICE double sinpi(double x) { return sin(x * 3.14159265358979323846); }
WS_DEVICE float sinpif(float x) { return (float)sinpi((double)x); }
WS_DEVICE double cospi(double x) { return cos(x * 3.14159265358979323846); }
WS_DEVICE float cospif(float x) { return (float)cospi((double)x); }
WS_DEVICE float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
WS_DEVICE double normcdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }
WS_DEVICE float normcdff(float x) { return (float)normcdf((double)x); }
WS_DEVICE float saturate(float x) { return x > 0 ? x < 1 ? x : 1.0f : 0.0f; }
WS_DEVICE float __saturatef(float x) { return saturate(x); }

#define WS_FAST1(F) WS_DEVICE float __##F##f(float x) { return F##f(x); }
WS_FAST1(cos) WS_FAST1(sin) WS_FAST1(tan) WS_FAST1(exp) WS_FAST1(exp10) WS_FAST1(log)
WS_FAST1(log2) WS_FAST1(log10)
#undef WS_FAST1
WS_DEVICE float __powf(float x, float y) { return powf(x, y); }
WS_DEVICE float __fdividef(float x, float y) { return x / y; }
WS_DEVICE float fdividef(float x, float y) { return x / y; }
WS_DEVICE void __sincosf(float x, float *s, float *c) { sincosf(x, s, c); }
WS_DEVICE float __frsqrt_rn(float x) { return rsqrtf(x); }
WS_DEVICE float __frcp_rn(float x) { return 1.0f / x; }
WS_DEVICE float __fsqrt_rn(float x) { return sqrtf(x); }
WS_DEVICE double __dsqrt_rn(double x) { return sqrt(x); }
WS_DEVICE float __fadd_rn(float x, float y) { return x + y; }
WS_DEVICE float __fsub_rn(float x, float y) { return x - y; }
WS_DEVICE float __fmul_rn(float x, float y) { return x * y; }
WS_DEVICE float __fdiv_rn(float x, float y) { return x / y; }
WS_DEVICE float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
WS_DEVICE double __dadd_rn(double x, double y) { return x + y; }
WS_DEVICE double __dmul_rn(double x, double y) { return x * y; }
WS_DEVICE double __ddiv_rn(double x, double y) { return x / y; }
WS_DEVICE double __fma_rn(double x, double y, double z) { return fma(x, y, z); }
WS_DEVICE int __isnan(double x) { return __builtin_isnan(x); }

/* On the host too, where the toolkit has them. */
#define WS_CHOOSE(A, B, T) \
	WS_BOTH T min(A a, B b) { return (T)a < (T)b ? (T)a : (T)b; } \
	WS_BOTH T max(A a, B b) { return (T)a > (T)b ? (T)a : (T)b; }
WS_CHOOSE(int, int, int)
WS_CHOOSE(unsigned int, unsigned int, unsigned int)
WS_CHOOSE(int, unsigned int, unsigned int)
WS_CHOOSE(unsigned int, int, unsigned int)
WS_CHOOSE(long, long, long)
WS_CHOOSE(unsigned long, unsigned long, unsigned long)
WS_CHOOSE(long, unsigned long, unsigned long)
WS_CHOOSE(unsigned long, long, unsigned long)
WS_CHOOSE(long long, long long, long long)
WS_CHOOSE(unsigned long long, unsigned long long, unsigned long long)
WS_CHOOSE(long long, unsigned long long, unsigned long long)
WS_CHOOSE(unsigned long long, long long, unsigned long long)
#undef WS_CHOOSE
#define WS_CHOOSE(A, B, T, S) \
	WS_BOTH T min(A a, B b) { return __builtin_fmin##S(a, b); } \
	WS_BOTH T max(A a, B b) { return __builtin_fmax##S(a, b); }
WS_CHOOSE(float, float, float, f)
WS_CHOOSE(double, double, double,)
WS_CHOOSE(float, double, double,)
WS_CHOOSE(double, float, double,)
#undef WS_CHOOSE
WS_DEVICE int abs(int x) { return x < 0 ? -x : x; }
WS_DEVICE long abs(long x) { return x < 0 ? -x : x; }
WS_DEVICE long long abs(long long x) { return x < 0 ? -x : x; }
WS_DEVICE float abs(float x) { return fabsf(x); }
WS_DEVICE double abs(double x) { return fabs(x); }
WS_DEVICE long labs(long x) { return x < 0 ? -x : x; }
WS_DEVICE long long llabs(long long x) { return x < 0 ? -x : x; }

/* ---- integers --------------------------------------------------------------------------------------- */

WS_DEVICE int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
WS_DEVICE unsigned int __umul24(unsigned int a, unsigned int b)
{
	return (a & 0xffffffu) * (b & 0xffffffu);
}
WS_DEVICE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
WS_DEVICE unsigned int __umulhi(unsigned int a, unsigned int b)
{
	return (unsigned int)((unsigned long long)a * b >> 32);
}
WS_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
	return (unsigned long long)((unsigned __int128)a * b >> 64);
}
WS_DEVICE long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
WS_DEVICE int __popc(unsigned int x) { return __builtin_popcount(x); }
WS_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
WS_DEVICE int __clz(int x) { return x ? __builtin_clz((unsigned int)x) : 32; }
WS_DEVICE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
WS_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
WS_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
WS_DEVICE unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
WS_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
WS_DEVICE unsigned int __sad(int a, int b, unsigned int c)
{
	return c + (a > b ? (unsigned int)a - (unsigned int)b : (unsigned int)b - (unsigned int)a);
}
WS_DEVICE unsigned int __usad(unsigned int a, unsigned int b, unsigned int c)
{
	return c + (a > b ? a - b : b - a);
}
WS_DEVICE unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int s)
{
	unsigned long long bytes = (unsigned long long)b << 32 | a;
	unsigned int r = 0;
	for (unsigned int i = 0; i < 4; i++) {
		unsigned int pick = s >> 4 * i & 15, byte = (unsigned int)(bytes >> 8 * (pick & 7)) & 255;
		r |= (pick & 8 ? byte & 128 ? 255u : 0u : byte) << 8 * i;
	}
	return r;
}
WS_DEVICE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int by)
{
	return (unsigned int)((((unsigned long long)high << 32 | low) << (by & 31)) >> 32);
}
WS_DEVICE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int by)
{
	return (unsigned int)(((unsigned long long)high << 32 | low) >> (by & 31));
}
WS_DEVICE int __dp4a(int a, int b, int c)
{
	for (int i = 0; i < 32; i += 8)
		c += (signed char)(a >> i) * (signed char)(b >> i);
	return c;
}

/* ---- bits of numbers, and conversions ------------------------------------------------------------------ */

WS_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
WS_DEVICE unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
WS_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
WS_DEVICE float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
WS_DEVICE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
WS_DEVICE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
WS_DEVICE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
WS_DEVICE int __double2loint(double x) { return (int)__double_as_longlong(x); }
WS_DEVICE double __hiloint2double(int high, int low)
{
	return __longlong_as_double((long long)((unsigned long long)(unsigned int)high << 32 |
						(unsigned int)low));
}
WS_DEVICE int __float2int_rn(float x) { return (int)rintf(x); }
WS_DEVICE int __float2int_rz(float x) { return (int)x; }
WS_DEVICE int __float2int_rd(float x) { return (int)floorf(x); }
WS_DEVICE int __float2int_ru(float x) { return (int)ceilf(x); }
WS_DEVICE unsigned int __float2uint_rn(float x) { return (unsigned int)rintf(x); }
WS_DEVICE unsigned int __float2uint_rz(float x) { return (unsigned int)x; }
WS_DEVICE float __int2float_rn(int x) { return (float)x; }
WS_DEVICE float __uint2float_rn(unsigned int x) { return (float)x; }
WS_DEVICE int __double2int_rn(double x) { return (int)rint(x); }
WS_DEVICE int __double2int_rz(double x) { return (int)x; }
WS_DEVICE double __int2double_rn(int x) { return (double)x; }
WS_DEVICE float __double2float_rn(double x) { return (float)x; }

#define WS_CONVERT(NAME, TO, FROM, ROUND) WS_DEVICE TO __##NAME(FROM x) { return (TO)ROUND(x); }
WS_CONVERT(float2uint_rd, unsigned int, float, floorf)
WS_CONVERT(float2uint_ru, unsigned int, float, ceilf)
WS_CONVERT(float2ll_rn, long long, float, rintf) WS_CONVERT(float2ll_rz, long long, float, )
WS_CONVERT(float2ll_rd, long long, float, floorf) WS_CONVERT(float2ll_ru, long long, float, ceilf)
WS_CONVERT(float2ull_rn, unsigned long long, float, rintf)
WS_CONVERT(float2ull_rz, unsigned long long, float, )
WS_CONVERT(double2int_rd, int, double, floor) WS_CONVERT(double2int_ru, int, double, ceil)
WS_CONVERT(double2uint_rn, unsigned int, double, rint)
WS_CONVERT(double2uint_rz, unsigned int, double, )
WS_CONVERT(double2uint_rd, unsigned int, double, floor)
WS_CONVERT(double2uint_ru, unsigned int, double, ceil)
WS_CONVERT(double2ll_rn, long long, double, rint) WS_CONVERT(double2ll_rz, long long, double, )
WS_CONVERT(double2ll_rd, long long, double, floor)
WS_CONVERT(double2ull_rn, unsigned long long, double, rint)
WS_CONVERT(double2ull_rz, unsigned long long, double, )
WS_CONVERT(uint2double_rn, double, unsigned int, ) WS_CONVERT(ll2float_rn, float, long long, )
WS_CONVERT(ll2double_rn, double, long long, ) WS_CONVERT(ull2float_rn, float, unsigned long long, )
WS_CONVERT(ull2double_rn, double, unsigned long long, )
#undef WS_CONVERT

/* Of a sum, product or quotient the next number below, above or towards 0: what the nearest one
 * leaves is known exactly, or its sign is by a wider number. */
WS_DEVICE float __ws_towards(float near, double exact, int up)
{
	if ((double)near == exact || __builtin_isnan(near))
		return near;
	if (up > 0)
		return (double)near < exact ? nextafterf(near, __builtin_inff()) : near;
	return (double)near > exact ? nextafterf(near, -__builtin_inff()) : near;
}
#define WS_DIRECTED(NAME, PARAMETERS, EXACT) \
	WS_DEVICE float __##NAME##_rd PARAMETERS \
	{ double e = EXACT; return __ws_towards((float)e, e, -1); } \
	WS_DEVICE float __##NAME##_ru PARAMETERS \
	{ double e = EXACT; return __ws_towards((float)e, e, 1); } \
	WS_DEVICE float __##NAME##_rz PARAMETERS \
	{ double e = EXACT; return __ws_towards((float)e, e, e < 0 ? 1 : -1); }
WS_DIRECTED(fadd, (float x, float y), (double)x + y)
WS_DIRECTED(fsub, (float x, float y), (double)x - y)
WS_DIRECTED(fmul, (float x, float y), (double)x * y)
WS_DIRECTED(fdiv, (float x, float y), (double)x / y)
WS_DIRECTED(fmaf, (float x, float y, float z), __builtin_fma((double)x, (double)y, (double)z))
WS_DIRECTED(frcp, (float x), 1.0 / x)
WS_DIRECTED(fsqrt, (float x), sqrt((double)x))
WS_DIRECTED(int2float, (int x), x)
WS_DIRECTED(uint2float, (unsigned int x), x)
WS_DIRECTED(double2float, (double x), x)
#undef WS_DIRECTED
WS_DEVICE double __dsub_rn(double x, double y) { return x - y; }
/* In double precision the sign of what the nearest number leaves is that of a sum or product
 * without rounding: Knuth's two-sum, and a fused product. */
WS_DEVICE double __ws_next(double near, double left, int up)
{
	if (left == 0 || __builtin_isnan(near) || __builtin_isinf(near))
		return near;
	if (up > 0)
		return left > 0 ? nextafter(near, __builtin_inf()) : near;
	return left < 0 ? nextafter(near, -__builtin_inf()) : near;
}
WS_DEVICE double __ws_left_of_sum(double x, double y, double sum)
{
	double z = sum - x;
	return (x - (sum - z)) + (y - z);
}
#define WS_DIRECTED(NAME, PARAMETERS, NEAR, LEFT) \
	WS_DEVICE double __##NAME##_rd PARAMETERS \
	{ double r = NEAR; return __ws_next(r, LEFT, -1); } \
	WS_DEVICE double __##NAME##_ru PARAMETERS \
	{ double r = NEAR; return __ws_next(r, LEFT, 1); } \
	WS_DEVICE double __##NAME##_rz PARAMETERS \
	{ double r = NEAR; return __ws_next(r, LEFT, r < 0 ? 1 : -1); }
WS_DIRECTED(dadd, (double x, double y), x + y, __ws_left_of_sum(x, y, r))
WS_DIRECTED(dsub, (double x, double y), x - y, __ws_left_of_sum(x, -y, r))
WS_DIRECTED(dmul, (double x, double y), x * y, __builtin_fma(x, y, -r))
WS_DIRECTED(ddiv, (double x, double y), x / y,
	    __builtin_fma(-r, y, x) * __builtin_copysign(1.0, y))
WS_DIRECTED(drcp, (double x), 1.0 / x, __builtin_fma(-r, x, 1.0) * __builtin_copysign(1.0, x))
WS_DIRECTED(dsqrt, (double x), sqrt(x), __builtin_fma(-r, r, x))
#undef WS_DIRECTED
WS_DEVICE double __drcp_rn(double x) { return 1.0 / x; }

/* ---- integers in parts of a word ------------------------------------------------------------------------ */

WS_DEVICE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
WS_DEVICE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
WS_DEVICE unsigned int __uhadd(unsigned int a, unsigned int b)
{
	return (unsigned int)(((unsigned long long)a + b) >> 1);
}
WS_DEVICE unsigned int __urhadd(unsigned int a, unsigned int b)
{
	return (unsigned int)(((unsigned long long)a + b + 1) >> 1);
}
WS_DEVICE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int by)
{
	return by >= 32 ? low : __funnelshift_l(low, high, by);
}
WS_DEVICE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int by)
{
	return by >= 32 ? high : __funnelshift_r(low, high, by);
}
/* OF of the parts a and b of two words, N bits each. */
#define WS_PARTWISE(NAME, N, T, OF) \
	WS_DEVICE unsigned int __##NAME(unsigned int x, unsigned int y) \
	{ \
		unsigned int r = 0, ones = (1u << N) - 1; \
		for (int i = 0; i < 32; i += N) { \
			T a = (T)(x >> i & ones), b = (T)(y >> i & ones); \
			r |= ((unsigned int)(OF) & ones) << i; \
		} \
		return r; \
	}
#define WS_PARTS2(NAME, S, U, OF) \
	WS_PARTWISE(v##NAME##s4, 8, S##char, OF) WS_PARTWISE(v##NAME##s2, 16, S##short, OF) \
	WS_PARTWISE(v##NAME##u4, 8, U##char, OF) WS_PARTWISE(v##NAME##u2, 16, U##short, OF)
typedef signed char __ws_s8char;
typedef short __ws_s8short;
typedef unsigned char __ws_u8char;
typedef unsigned short __ws_u8short;
WS_PARTWISE(vadd4, 8, __ws_u8char, a + b) WS_PARTWISE(vadd2, 16, __ws_u8short, a + b)
WS_PARTWISE(vsub4, 8, __ws_u8char, a - b) WS_PARTWISE(vsub2, 16, __ws_u8short, a - b)
WS_PARTS2(max, __ws_s8, __ws_u8, a > b ? a : b)
WS_PARTS2(min, __ws_s8, __ws_u8, a < b ? a : b)
WS_PARTS2(absdiff, __ws_s8, __ws_u8, a > b ? a - b : b - a)
#define WS_PARTS(NAME, OF) \
	WS_PARTWISE(v##NAME##4, 8, __ws_u8char, OF) WS_PARTWISE(v##NAME##2, 16, __ws_u8short, OF)
#define WS_PARTS_COMPARE(NAME, OP) \
	WS_PARTS2(cmp##NAME, __ws_s8, __ws_u8, a OP b ? -1 : 0) \
	WS_PARTS2(set##NAME, __ws_s8, __ws_u8, a OP b)
WS_PARTS(cmpeq, a == b ? -1 : 0) WS_PARTS(cmpne, a != b ? -1 : 0)
WS_PARTS(seteq, a == b) WS_PARTS(setne, a != b)
WS_PARTS_COMPARE(ge, >=)
WS_PARTS_COMPARE(gt, >)
WS_PARTS_COMPARE(le, <=)
WS_PARTS_COMPARE(lt, <)
WS_PARTS2(avg, __ws_s8, __ws_u8, (a + b + (a + b >= 0)) >> 1)
WS_PARTS(haddu, (a + b) >> 1)
/* Saturated: what does not fit is the nearest that does. */
template <class T> WS_DEVICE int __ws_fit(int v, T least, T most)
{
	return v < least ? least : v > most ? most : v;
}
WS_PARTWISE(vaddus4, 8, __ws_u8char, __ws_fit(a + b, 0, 255))
WS_PARTWISE(vaddus2, 16, __ws_u8short, __ws_fit(a + b, 0, 65535))
WS_PARTWISE(vaddss4, 8, __ws_s8char, __ws_fit(a + b, -128, 127))
WS_PARTWISE(vaddss2, 16, __ws_s8short, __ws_fit(a + b, -32768, 32767))
WS_PARTWISE(vsubus4, 8, __ws_u8char, __ws_fit(a - b, 0, 255))
WS_PARTWISE(vsubus2, 16, __ws_u8short, __ws_fit(a - b, 0, 65535))
WS_PARTWISE(vsubss4, 8, __ws_s8char, __ws_fit(a - b, -128, 127))
WS_PARTWISE(vsubss2, 16, __ws_s8short, __ws_fit(a - b, -32768, 32767))
#define WS_PART(NAME, N, T, OF) \
	WS_PARTWISE(ws_##NAME, N, T, (OF) + 0 * b) \
	WS_DEVICE unsigned int __##NAME(unsigned int x) { return __ws_##NAME(x, 0); }
WS_PART(vabs4, 8, __ws_s8char, a < 0 ? -a : a) WS_PART(vabs2, 16, __ws_s8short, a < 0 ? -a : a)
WS_PART(vneg4, 8, __ws_s8char, -a) WS_PART(vneg2, 16, __ws_s8short, -a)
WS_PART(vabsss4, 8, __ws_s8char, __ws_fit(a < 0 ? -a : a, 0, 127))
WS_PART(vabsss2, 16, __ws_s8short, __ws_fit(a < 0 ? -a : a, 0, 32767))
WS_PART(vnegss4, 8, __ws_s8char, __ws_fit(-a, -128, 127))
WS_PART(vnegss2, 16, __ws_s8short, __ws_fit(-a, -32768, 32767))
#undef WS_PART
#undef WS_PARTS_COMPARE
#undef WS_PARTS
#undef WS_PARTS2
#undef WS_PARTWISE
#define WS_SUM_OF_PARTS(NAME, N, T) \
	WS_DEVICE unsigned int __##NAME(unsigned int x, unsigned int y) \
	{ \
		unsigned int sum = 0; \
		for (int i = 0; i < 32; i += N) { \
			int d = (T)(x >> i) - (T)(y >> i); \
			sum += (unsigned int)(d < 0 ? -d : d); \
		} \
		return sum; \
	}
WS_SUM_OF_PARTS(vsadu4, 8, __ws_u8char) WS_SUM_OF_PARTS(vsadu2, 16, __ws_u8short)
WS_SUM_OF_PARTS(vsads4, 8, __ws_s8char) WS_SUM_OF_PARTS(vsads2, 16, __ws_s8short)
#undef WS_SUM_OF_PARTS
/* Of two halves of a and two bytes of b. */
#define WS_DOT2(T, LONG) \
	WS_DEVICE T __dp2a_lo(T a, T b, T c) \
	{ return c + (LONG##short)a * (LONG##char)b + (LONG##short)(a >> 16) * (LONG##char)(b >> 8); } \
	WS_DEVICE T __dp2a_hi(T a, T b, T c) { return __dp2a_lo(a, b >> 16, c); }
WS_DOT2(int, __ws_s8)
WS_DOT2(unsigned int, __ws_u8)
#undef WS_DOT2
/* The position of the offset-th one from base on, upwards or downwards. */
WS_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int offset)
{
	int step = offset < 0 ? -1 : 1, left = offset < 0 ? -offset : offset;
	if (!offset)
		return base < 32 && mask >> base & 1 ? base : 0xffffffffu;
	for (int i = (int)base; i >= 0 && i < 32; i += step)
		if (mask >> i & 1 && --left == 0)
			return (unsigned int)i;
	return 0xffffffffu;
}
WS_DEVICE unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c)
{
	for (int i = 0; i < 32; i += 8)
		c += (a >> i & 255) * (b >> i & 255);
	return c;
}

/* ---- more mathematics ----------------------------------------------------------------------------------- */

WS_BOTH double norm3d(double a, double b, double c) { return __builtin_sqrt(a * a + b * b + c * c); }
WS_BOTH double norm4d(double a, double b, double c, double d)
{
	return __builtin_sqrt(a * a + b * b + c * c + d * d);
}
WS_BOTH float norm4df(float a, float b, float c, float d)
{
	return __builtin_sqrtf(a * a + b * b + c * c + d * d);
}
WS_BOTH float rnorm3df(float a, float b, float c)
{
	return 1.0f / __builtin_sqrtf(a * a + b * b + c * c);
}
WS_BOTH double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
WS_DEVICE double norm(int n, const double *a)
{
	double sum = 0;
	for (int i = 0; i < n; i++)
		sum += a[i] * a[i];
	return __builtin_sqrt(sum);
}
WS_DEVICE float normf(int n, const float *a)
{
	double sum = 0;
	for (int i = 0; i < n; i++)
		sum += (double)a[i] * a[i];
	return (float)__builtin_sqrt(sum);
}
WS_DEVICE double rnorm(int n, const double *a) { return 1.0 / norm(n, a); }
WS_DEVICE float rnormf(int n, const float *a) { return 1.0f / normf(n, a); }
WS_DEVICE double rhypot(double a, double b) { return 1.0 / hypot(a, b); }
WS_DEVICE float rhypotf(float a, float b) { return 1.0f / hypotf(a, b); }
WS_DEVICE double erfcx(double x) { return exp(x * x) * erfc(x); }
WS_DEVICE float erfcxf(float x) { return (float)erfcx((double)x); }
/* Two Newton steps from a rational approximation (Giles, GPU Computing Gems, 2011, of 2e-4). */
WS_DEVICE double erfinv(double y)
{
	double w = -log((1 - y) * (1 + y)), x, s;
	if (y <= -1 || y >= 1)
		return y == 1 ? __builtin_inf() : y == -1 ? -__builtin_inf() : __builtin_nan("");
	if (w < 5) {
		w -= 2.5;
		x = 1.50140941 + w * (0.246640727 + w * (-0.00417768164 + w * -0.00125372503));
	} else {
		w = sqrt(w) - 3;
		x = 2.83297682 + w * (1.00167406 + w * (0.00943887047 + w * -0.0076224613));
	}
	x *= y;
	for (int i = 0; i < 3; i++) {
		s = erf(x) - y;
		if (fabs(y) > 0.5) /* what is left of 1 keeps its digits */
			s = y > 0 ? (1 - y) - erfc(x) : erfc(-x) - (1 + y);
		x -= s / (1.12837916709551257390 * exp(-x * x));
	}
	return x;
}
WS_DEVICE float erfinvf(float y) { return (float)erfinv((double)y); }
WS_DEVICE double erfcinv(double y)
{
	double x = erfinv(1 - y), s;
	for (int i = 0; i < 2 && y > 0 && y < 0.5; i++) {
		s = erfc(x) - y;
		x += s / (1.12837916709551257390 * exp(-x * x));
	}
	return x;
}
WS_DEVICE float erfcinvf(float y) { return (float)erfcinv((double)y); }
WS_DEVICE double normcdfinv(double p) { return -1.41421356237309504880 * erfcinv(2 * p); }
WS_DEVICE float normcdfinvf(float p) { return (float)normcdfinv((double)p); }
WS_DEVICE void sincospi(double x, double *s, double *c) { *s = sinpi(x); *c = cospi(x); }
WS_DEVICE void sincospif(float x, float *s, float *c) { *s = sinpif(x); *c = cospif(x); }
WS_DEVICE unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
WS_DEVICE unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
WS_DEVICE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
WS_DEVICE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
WS_DEVICE long long llmin(long long a, long long b) { return a < b ? a : b; }
WS_DEVICE long long llmax(long long a, long long b) { return a > b ? a : b; }
WS_DEVICE long lrint(double x) { return (long)rint(x); }
WS_DEVICE long lrintf(float x) { return (long)rintf(x); }
WS_DEVICE long long llrint(double x) { return (long long)rint(x); }
WS_DEVICE long long llrintf(float x) { return (long long)rintf(x); }
WS_DEVICE long lround(double x) { return (long)round(x); }
WS_DEVICE long long llround(double x) { return (long long)round(x); }
WS_DEVICE long long llroundf(float x) { return (long long)roundf(x); }
WS_DEVICE long lroundf(float x) { return (long)roundf(x); }
WS_LIBRARY int ilogb(double);
WS_LIBRARY int ilogbf(float);
WS_DEVICE double frexp(double x, int *e)
{
	if (x == 0 || __builtin_isnan(x) || __builtin_isinf(x)) {
		*e = 0;
		return x;
	}
	*e = ilogb(x) + 1;
	return ldexp(x, -*e);
}
WS_DEVICE float frexpf(float x, int *e) { return (float)frexp((double)x, e); }
WS_DEVICE double modf(double x, double *whole)
{
	*whole = trunc(x);
	return __builtin_isinf(x) ? copysign(0.0, x) : copysign(x - *whole, x);
}
WS_DEVICE float modff(float x, float *whole)
{
	*whole = truncf(x);
	return __builtin_isinf(x) ? copysignf(0.0f, x) : copysignf(x - *whole, x);
}
WS_DEVICE void __prof_trigger(int) {}
WS_DEVICE double nan(const char *) { return __builtin_nan(""); }
WS_DEVICE float nanf(const char *) { return __builtin_nanf(""); }
WS_DEVICE double scalbn(double x, int n) { return ldexp(x, n); }
WS_DEVICE float scalbnf(float x, int n) { return ldexpf(x, n); }
WS_DEVICE double scalbln(double x, long n) { return ldexp(x, (int)(n < -4200 ? -4200 : n > 4200 ? 4200 : n)); }
WS_DEVICE float scalblnf(float x, long n) { return (float)scalbln((double)x, n); }
WS_DEVICE double remquo(double x, double y, int *quotient)
{
	double r = remainder(x, y), n = rint((x - r) / y);
	*quotient = (int)fmod(n, 8.0);
	return r;
}
WS_DEVICE float remquof(float x, float y, int *quotient) { return (float)remquo((double)x, (double)y, quotient); }
WS_LIBRARY double jn(int, double);
WS_LIBRARY double yn(int, double);
WS_DEVICE float jnf(int n, float x) { return (float)jn(n, (double)x); }
WS_DEVICE float ynf(int n, float x) { return (float)yn(n, (double)x); }
/* Modified Bessel functions by their series, whose terms are all positive. */
WS_DEVICE double __ws_bessel_i(double x, int order)
{
	double term = order ? x / 2 : 1, sum = term;
	for (int k = 1; k < 2000 && fabs(term) > 1e-17 * fabs(sum); k++) {
		term *= x * x / 4 / k / (k + order);
		sum += term;
	}
	return sum;
}
WS_DEVICE double cyl_bessel_i0(double x) { return __ws_bessel_i(x, 0); }
WS_DEVICE double cyl_bessel_i1(double x) { return __ws_bessel_i(x, 1); }
WS_DEVICE float cyl_bessel_i0f(float x) { return (float)__ws_bessel_i((double)x, 0); }
WS_DEVICE float cyl_bessel_i1f(float x) { return (float)__ws_bessel_i((double)x, 1); }
WS_DEVICE double rnorm4d(double a, double b, double c, double d) { return 1 / norm4d(a, b, c, d); }
WS_DEVICE float rnorm4df(float a, float b, float c, float d) { return 1 / norm4df(a, b, c, d); }

#include "cuda_heap.h"

/* ---- clocks ------------------------------------------------------------------------------------------------- */

/* Each question takes longer than the one before, up to 2^20 cycles, so that loops that wait for a
 * time end soon.  Time itself is not known: threads do not run side by side. */
WS_DEVICE long long clock64()
{
	__ws_thread *t = __ws_ctx();
	unsigned long long asked = t->clock >> 48, now = t->clock & 0xffffffffffffull;
	now += asked < 20 ? 1ull << asked : 1ull << 20;
	t->clock = (asked < 20 ? asked + 1 : 20) << 48 | (now & 0xffffffffffffull);
	return (long long)now;
}
WS_DEVICE clock_t clock() { return (clock_t)clock64(); }

/* ---- the rest ----------------------------------------------------------------------------------------- */

WS_DEVICE void __trap() { __builtin_trap(); }
WS_DEVICE void __brkpt() {}
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

#endif
