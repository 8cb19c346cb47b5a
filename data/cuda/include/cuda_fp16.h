/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_fp16.h -- half precision: numbers of 16 bits, alone and in pairs.
 *
 * Sums, products, quotients and roots are computed as float, which has digits enough that rounding
 * twice is rounding once; fused ones as double.  Subnormal numbers are kept.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_FP16_H
#define WARPSTACK_CUDA_FP16_H

#include "cuda_runtime.h"

#ifdef __cplusplus
#ifdef __CUDA__
#define WS_HALF static __host__ __device__ inline __attribute__((nodebug))
#else
#define WS_HALF static inline
#endif

struct __attribute__((aligned(2))) __half_raw {
	unsigned short x;
};
struct __attribute__((aligned(4))) __half2_raw {
	unsigned short x, y;
};

/* ---- bits ------------------------------------------------------------------------------------------ */

WS_HALF unsigned int __ws_word_of(float f)
{
	unsigned int u;
	__builtin_memcpy(&u, &f, sizeof u);
	return u;
}
WS_HALF float __ws_float_of(unsigned int u)
{
	float f;
	__builtin_memcpy(&f, &u, sizeof f);
	return f;
}
/* To nearest, ties to even. */
WS_HALF unsigned short __ws_half_bits(float f)
{
	unsigned int u = __ws_word_of(f), sign = u >> 16 & 0x8000, a = u & 0x7fffffff, r, shift;

	if (a > 0x7f800000)
		return 0x7fff;
	if (a >= 0x477ff000) /* 65520 and more */
		return (unsigned short)(sign | 0x7c00);
	if (a >= 0x38800000) { /* normal: 2^-14 and more */
		r = a - 0x38000000;
		return (unsigned short)(sign | ((r + 0xfff + (r >> 13 & 1)) >> 13));
	}
	if (a < 0x33000000) /* less than half of the least */
		return (unsigned short)sign;
	shift = 126 - (a >> 23);
	r = (a & 0x7fffff) | 0x800000;
	return (unsigned short)(sign | ((r + (1u << (shift - 1)) - 1 + (r >> shift & 1)) >> shift));
}
WS_HALF float __ws_float_of_half(unsigned short h)
{
	unsigned int sign = (h & 0x8000u) << 16, e = h >> 10 & 31, m = h & 1023u;

	if (e == 31)
		return __ws_float_of(sign | 0x7f800000 | m << 13);
	if (e)
		return __ws_float_of(sign | (e + 112) << 23 | m << 13);
	float f = (float)m * 5.9604644775390625e-8f;
	return sign ? -f : f;
}

/* ---- types ----------------------------------------------------------------------------------------- */

struct __attribute__((aligned(2))) __half {
	unsigned short __x;
	__half() = default;
	__host__ __device__ __half(__half_raw r) : __x(r.x) {}
	__host__ __device__ __half(float f) : __x(__ws_half_bits(f)) {}
	__host__ __device__ __half(double f) : __x(__ws_half_bits((float)f)) {}
	__host__ __device__ __half(int i) : __x(__ws_half_bits((float)i)) {}
	__host__ __device__ __half(unsigned int i) : __x(__ws_half_bits((float)i)) {}
	__host__ __device__ __half(short i) : __x(__ws_half_bits((float)i)) {}
	__host__ __device__ __half(unsigned short i) : __x(__ws_half_bits((float)i)) {}
	__host__ __device__ __half(long long i) : __x(__ws_half_bits((float)i)) {}
	__host__ __device__ __half(unsigned long long i) : __x(__ws_half_bits((float)i)) {}
	__host__ __device__ operator float() const { return __ws_float_of_half(__x); }
	__host__ __device__ operator __half_raw() const { return __half_raw{ __x }; }
	__host__ __device__ __half &operator=(float f) { __x = __ws_half_bits(f); return *this; }
	__host__ __device__ __half &operator=(double f) { return *this = (float)f; }
};
typedef __half half;
typedef __half __nv_half;
struct __attribute__((aligned(4))) __half2 {
	__half x, y;
	__half2() = default;
	__host__ __device__ __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half2 half2;

/* ---- conversions -------------------------------------------------------------------------------------- */

WS_HALF __half __float2half(float f) { return __half(f); }
WS_HALF __half __float2half_rn(float f) { return __half(f); }
WS_HALF __half __float2half_rz(float f)
{
	__half h(f);
	if (__builtin_fabsf((float)h) > __builtin_fabsf(f))
		h.__x--;
	return h;
}
WS_HALF __half __double2half(double f) { return __half((float)f); }
WS_HALF float __half2float(__half h) { return (float)h; }
WS_HALF __half2 __float2half2_rn(float f) { return __half2(__half(f), __half(f)); }
WS_HALF __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
WS_HALF __half2 __float22half2_rn(float2 f) { return __floats2half2_rn(f.x, f.y); }
WS_HALF float2 __half22float2(__half2 h) { return float2{ (float)h.x, (float)h.y }; }
WS_HALF float __low2float(__half2 h) { return (float)h.x; }
WS_HALF float __high2float(__half2 h) { return (float)h.y; }
WS_HALF __half __low2half(__half2 h) { return h.x; }
WS_HALF __half __high2half(__half2 h) { return h.y; }
WS_HALF __half2 __low2half2(__half2 h) { return __half2(h.x, h.x); }
WS_HALF __half2 __high2half2(__half2 h) { return __half2(h.y, h.y); }
WS_HALF __half2 __lowhigh2highlow(__half2 h) { return __half2(h.y, h.x); }
WS_HALF __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
WS_HALF __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
WS_HALF __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
WS_HALF __half2 __half2half2(__half a) { return __half2(a, a); }
WS_HALF __half2 make_half2(__half a, __half b) { return __half2(a, b); }
WS_HALF int __half2int_rz(__half h) { return (int)(float)h; }
WS_HALF int __half2int_rn(__half h) { return (int)__builtin_rintf((float)h); }
WS_HALF __half __int2half_rn(int i) { return __half((float)i); }
WS_HALF __half __uint2half_rn(unsigned int i) { return __half((float)i); }
WS_HALF unsigned short __half_as_ushort(__half h) { return h.__x; }
WS_HALF short __half_as_short(__half h) { return (short)h.__x; }
WS_HALF __half __ushort_as_half(unsigned short u) { return __half(__half_raw{ u }); }
WS_HALF __half __short_as_half(short s) { return __half(__half_raw{ (unsigned short)s }); }

/* ---- arithmetic ------------------------------------------------------------------------------------------ */

#define WS_HALF2(NAME) \
	WS_HALF __half2 __h##NAME##2(__half2 a, __half2 b) \
	{ return __half2(__h##NAME(a.x, b.x), __h##NAME(a.y, b.y)); }
#define WS_HALF_OPERATION(NAME, OP) \
	WS_HALF __half __h##NAME(__half a, __half b) { return __half((float)a OP (float)b); } \
	WS_HALF2(NAME) \
	WS_HALF __half operator OP(__half a, __half b) { return __h##NAME(a, b); } \
	WS_HALF __half2 operator OP(__half2 a, __half2 b) { return __h##NAME##2(a, b); } \
	WS_HALF __half &operator OP##=(__half &a, __half b) { return a = __h##NAME(a, b); } \
	WS_HALF __half2 &operator OP##=(__half2 &a, __half2 b) { return a = __h##NAME##2(a, b); }
WS_HALF_OPERATION(add, +)
WS_HALF_OPERATION(sub, -)
WS_HALF_OPERATION(mul, *)
WS_HALF_OPERATION(div, /)
#undef WS_HALF_OPERATION
WS_HALF __half __ws_saturated(__half h) { return (float)h > 1 ? __half(1.0f) : (float)h > 0 ? h : __half(0.0f); }
#define WS_HALF_SATURATED(NAME) \
	WS_HALF __half __h##NAME##_rn(__half a, __half b) { return __h##NAME(a, b); } \
	WS_HALF __half2 __h##NAME##2_rn(__half2 a, __half2 b) { return __h##NAME##2(a, b); } \
	WS_HALF __half __h##NAME##_sat(__half a, __half b) { return __ws_saturated(__h##NAME(a, b)); } \
	WS_HALF __half2 __h##NAME##2_sat(__half2 a, __half2 b) \
	{ return __half2(__h##NAME##_sat(a.x, b.x), __h##NAME##_sat(a.y, b.y)); }
WS_HALF_SATURATED(add)
WS_HALF_SATURATED(sub)
WS_HALF_SATURATED(mul)
#undef WS_HALF_SATURATED
WS_HALF __half2 __h2div(__half2 a, __half2 b) { return __hdiv2(a, b); }
/* The sum of a product of 22 digits and a half is rounded to odd first, where double loses some. */
WS_HALF __half __hfma(__half a, __half b, __half c)
{
	double p = (double)(float)a * (double)(float)b, s = p + (double)(float)c;
	double part = s - p, lost = (p - (s - part)) + ((double)(float)c - part);
	unsigned long long u;
	float f;
	__builtin_memcpy(&u, &s, sizeof u);
	if ((lost > 0 || lost < 0) && !(u & 1)) {
		u += (lost > 0) == (s > 0) ? 1 : -1;
		__builtin_memcpy(&s, &u, sizeof s);
	}
	/* To odd as float, so that the half is rounded once. */
	f = (float)s;
	if (__builtin_isfinite(f) && (double)f != s && !(__ws_word_of(f) & 1)) {
		bool larger = (f < 0 ? -s : s) > (f < 0 ? -(double)f : (double)f);
		f = __ws_float_of(__ws_word_of(f) + (larger ? 1u : -1u));
	}
	return __half(f);
}
WS_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
	return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
WS_HALF __half __hneg(__half a) { return __ushort_as_half(a.__x ^ 0x8000); }
WS_HALF __half __habs(__half a) { return __ushort_as_half(a.__x & 0x7fff); }
WS_HALF __half2 __hneg2(__half2 a) { return __half2(__hneg(a.x), __hneg(a.y)); }
WS_HALF __half2 __habs2(__half2 a) { return __half2(__habs(a.x), __habs(a.y)); }
WS_HALF __half operator-(__half a) { return __hneg(a); }
WS_HALF __half2 operator-(__half2 a) { return __hneg2(a); }
WS_HALF __half __hmax(__half a, __half b) { return __half(__builtin_fmaxf((float)a, (float)b)); }
WS_HALF __half __hmin(__half a, __half b) { return __half(__builtin_fminf((float)a, (float)b)); }
WS_HALF2(max)
WS_HALF2(min)
WS_HALF bool __hisnan(__half a) { return (a.__x & 0x7fff) > 0x7c00; }
WS_HALF int __hisinf(__half a) { return a.__x == 0x7c00 ? 1 : a.__x == 0xfc00 ? -1 : 0; }
#define WS_HALF_COMPARE(NAME, OP) \
	WS_HALF bool __h##NAME(__half a, __half b) { return (float)a OP (float)b; } \
	WS_HALF __half2 __h##NAME##2(__half2 a, __half2 b) \
	{ return __floats2half2_rn(__h##NAME(a.x, b.x), __h##NAME(a.y, b.y)); } \
	WS_HALF bool __hb##NAME##2(__half2 a, __half2 b) \
	{ return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y); } \
	WS_HALF bool operator OP(__half a, __half b) { return __h##NAME(a, b); }
WS_HALF_COMPARE(eq, ==)
WS_HALF_COMPARE(ne, !=)
WS_HALF_COMPARE(lt, <)
WS_HALF_COMPARE(le, <=)
WS_HALF_COMPARE(gt, >)
WS_HALF_COMPARE(ge, >=)
#undef WS_HALF_COMPARE
#undef WS_HALF2

#ifdef __CUDA__
#define WS_HALF_FUNCTION(NAME, OF) \
	WS_DEVICE __half h##NAME(__half a) { return __half(OF((float)a)); } \
	WS_DEVICE __half2 h2##NAME(__half2 a) { return __half2(h##NAME(a.x), h##NAME(a.y)); }
WS_HALF_FUNCTION(sqrt, sqrtf) WS_HALF_FUNCTION(rsqrt, rsqrtf) WS_HALF_FUNCTION(rcp, 1.0f /)
WS_HALF_FUNCTION(exp, expf) WS_HALF_FUNCTION(exp2, exp2f) WS_HALF_FUNCTION(exp10, exp10f)
WS_HALF_FUNCTION(log, logf) WS_HALF_FUNCTION(log2, log2f) WS_HALF_FUNCTION(log10, log10f)
WS_HALF_FUNCTION(sin, sinf) WS_HALF_FUNCTION(cos, cosf) WS_HALF_FUNCTION(floor, floorf)
WS_HALF_FUNCTION(ceil, ceilf) WS_HALF_FUNCTION(trunc, truncf) WS_HALF_FUNCTION(rint, rintf)
#undef WS_HALF_FUNCTION

/* By exchanges of the 4 bytes that it lies in. */
WS_DEVICE __half atomicAdd(__half *p, __half v)
{
	unsigned int *word = (unsigned int *)((size_t)p & ~(size_t)3), shift = (size_t)p & 2 ? 16 : 0;
	unsigned int old = *(volatile unsigned int *)word, seen;
	__half was;
	do {
		seen = old;
		was = __ushort_as_half((unsigned short)(seen >> shift));
		old = atomicCAS(word, seen, (seen & ~(0xffffu << shift)) |
						    (unsigned int)(was + v).__x << shift);
	} while (old != seen);
	return was;
}
WS_DEVICE __half2 atomicAdd(__half2 *p, __half2 v)
{
	unsigned int *word = (unsigned int *)p, old = *(volatile unsigned int *)word, seen;
	__half2 was, now;
	do {
		unsigned int bits;
		seen = old;
		__builtin_memcpy(&was, &seen, sizeof was);
		now = was + v;
		__builtin_memcpy(&bits, &now, sizeof bits);
		old = atomicCAS(word, seen, bits);
	} while (old != seen);
	return was;
}
#endif
#undef WS_HALF
#endif

#endif
