/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_bf16.h -- bfloat16: the upper half of a float, alone and in pairs.
 *
 * All is computed as float and rounded to nearest, ties to even; fused ones as double before.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_BF16_H
#define WARPSTACK_CUDA_BF16_H

#include "cuda_runtime.h"

#ifdef __cplusplus
#ifdef __CUDA__
#define WS_BRAIN static __host__ __device__ inline __attribute__((nodebug))
#else
#define WS_BRAIN static inline
#endif

struct __attribute__((aligned(2))) __nv_bfloat16_raw {
	unsigned short x;
};

WS_BRAIN unsigned short __ws_brain_bits(float f)
{
	unsigned int u;
	__builtin_memcpy(&u, &f, sizeof u);
	if ((u & 0x7fffffff) > 0x7f800000)
		return 0x7fff;
	return (unsigned short)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}
WS_BRAIN float __ws_float_of_brain(unsigned short b)
{
	unsigned int u = (unsigned int)b << 16;
	float f;
	__builtin_memcpy(&f, &u, sizeof f);
	return f;
}

struct __attribute__((aligned(2))) __nv_bfloat16 {
	unsigned short __x;
	__nv_bfloat16() = default;
	__host__ __device__ __nv_bfloat16(__nv_bfloat16_raw r) : __x(r.x) {}
	__host__ __device__ __nv_bfloat16(float f) : __x(__ws_brain_bits(f)) {}
	__host__ __device__ __nv_bfloat16(double f) : __x(__ws_brain_bits((float)f)) {}
	__host__ __device__ __nv_bfloat16(int i) : __x(__ws_brain_bits((float)i)) {}
	__host__ __device__ __nv_bfloat16(unsigned int i) : __x(__ws_brain_bits((float)i)) {}
	__host__ __device__ operator float() const { return __ws_float_of_brain(__x); }
	__host__ __device__ operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{ __x }; }
};
typedef __nv_bfloat16 nv_bfloat16;
struct __attribute__((aligned(4))) __nv_bfloat162 {
	__nv_bfloat16 x, y;
	__nv_bfloat162() = default;
	__host__ __device__ __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
};
typedef __nv_bfloat162 nv_bfloat162;

WS_BRAIN __nv_bfloat16 __float2bfloat16(float f) { return __nv_bfloat16(f); }
WS_BRAIN __nv_bfloat16 __float2bfloat16_rn(float f) { return __nv_bfloat16(f); }
WS_BRAIN __nv_bfloat16 __double2bfloat16(double f) { return __nv_bfloat16(f); }
WS_BRAIN __nv_bfloat16 __int2bfloat16_rn(int i) { return __nv_bfloat16(i); }
WS_BRAIN float __bfloat162float(__nv_bfloat16 b) { return (float)b; }
WS_BRAIN int __bfloat162int_rz(__nv_bfloat16 b) { return (int)(float)b; }
WS_BRAIN __nv_bfloat162 __float2bfloat162_rn(float f) { return __nv_bfloat162(f, f); }
WS_BRAIN __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return __nv_bfloat162(a, b); }
WS_BRAIN __nv_bfloat162 __float22bfloat162_rn(float2 f) { return __nv_bfloat162(f.x, f.y); }
WS_BRAIN float2 __bfloat1622float2(__nv_bfloat162 b) { return float2{ (float)b.x, (float)b.y }; }
WS_BRAIN float __low2float(__nv_bfloat162 b) { return (float)b.x; }
WS_BRAIN float __high2float(__nv_bfloat162 b) { return (float)b.y; }
WS_BRAIN __nv_bfloat16 __low2bfloat16(__nv_bfloat162 b) { return b.x; }
WS_BRAIN __nv_bfloat16 __high2bfloat16(__nv_bfloat162 b) { return b.y; }
WS_BRAIN __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
WS_BRAIN __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{
	return __nv_bfloat162(a, b);
}
WS_BRAIN __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
WS_BRAIN unsigned short __bfloat16_as_ushort(__nv_bfloat16 b) { return b.__x; }
WS_BRAIN __nv_bfloat16 __ushort_as_bfloat16(unsigned short u)
{
	return __nv_bfloat16(__nv_bfloat16_raw{ u });
}

#define WS_BRAIN_OPERATION(NAME, OP) \
	WS_BRAIN __nv_bfloat16 __h##NAME(__nv_bfloat16 a, __nv_bfloat16 b) \
	{ return __nv_bfloat16((float)a OP (float)b); } \
	WS_BRAIN __nv_bfloat162 __h##NAME##2(__nv_bfloat162 a, __nv_bfloat162 b) \
	{ return __nv_bfloat162(__h##NAME(a.x, b.x), __h##NAME(a.y, b.y)); } \
	WS_BRAIN __nv_bfloat16 operator OP(__nv_bfloat16 a, __nv_bfloat16 b) { return __h##NAME(a, b); } \
	WS_BRAIN __nv_bfloat162 operator OP(__nv_bfloat162 a, __nv_bfloat162 b) \
	{ return __h##NAME##2(a, b); } \
	WS_BRAIN __nv_bfloat16 &operator OP##=(__nv_bfloat16 &a, __nv_bfloat16 b) \
	{ return a = __h##NAME(a, b); } \
	WS_BRAIN __nv_bfloat162 &operator OP##=(__nv_bfloat162 &a, __nv_bfloat162 b) \
	{ return a = __h##NAME##2(a, b); }
WS_BRAIN_OPERATION(add, +)
WS_BRAIN_OPERATION(sub, -)
WS_BRAIN_OPERATION(mul, *)
WS_BRAIN_OPERATION(div, /)
#undef WS_BRAIN_OPERATION
/* The product of two is exact as float. */
WS_BRAIN __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
	return __nv_bfloat16(__builtin_fmaf((float)a, (float)b, (float)c));
}
WS_BRAIN __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)
{
	return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
WS_BRAIN __nv_bfloat16 __hneg(__nv_bfloat16 a) { return __ushort_as_bfloat16(a.__x ^ 0x8000); }
WS_BRAIN __nv_bfloat16 __habs(__nv_bfloat16 a) { return __ushort_as_bfloat16(a.__x & 0x7fff); }
WS_BRAIN __nv_bfloat16 operator-(__nv_bfloat16 a) { return __hneg(a); }
WS_BRAIN __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b)
{
	return __nv_bfloat16(__builtin_fmaxf((float)a, (float)b));
}
WS_BRAIN __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b)
{
	return __nv_bfloat16(__builtin_fminf((float)a, (float)b));
}
WS_BRAIN bool __hisnan(__nv_bfloat16 a) { return (a.__x & 0x7fff) > 0x7f80; }
#define WS_BRAIN_COMPARE(NAME, OP) \
	WS_BRAIN bool __h##NAME(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a OP (float)b; } \
	WS_BRAIN bool operator OP(__nv_bfloat16 a, __nv_bfloat16 b) { return __h##NAME(a, b); }
WS_BRAIN_COMPARE(eq, ==)
WS_BRAIN_COMPARE(ne, !=)
WS_BRAIN_COMPARE(lt, <)
WS_BRAIN_COMPARE(le, <=)
WS_BRAIN_COMPARE(gt, >)
WS_BRAIN_COMPARE(ge, >=)
#undef WS_BRAIN_COMPARE

#ifdef __CUDA__
#define WS_BRAIN_FUNCTION(NAME, OF) \
	WS_DEVICE __nv_bfloat16 h##NAME(__nv_bfloat16 a) { return __nv_bfloat16(OF((float)a)); }
WS_BRAIN_FUNCTION(sqrt, sqrtf) WS_BRAIN_FUNCTION(rsqrt, rsqrtf) WS_BRAIN_FUNCTION(rcp, 1.0f /)
WS_BRAIN_FUNCTION(exp, expf) WS_BRAIN_FUNCTION(log, logf) WS_BRAIN_FUNCTION(sin, sinf)
WS_BRAIN_FUNCTION(cos, cosf) WS_BRAIN_FUNCTION(floor, floorf) WS_BRAIN_FUNCTION(ceil, ceilf)
#undef WS_BRAIN_FUNCTION
#endif
#undef WS_BRAIN
#endif

#endif
