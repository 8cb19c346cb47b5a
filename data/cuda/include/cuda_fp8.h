/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_fp8.h -- numbers of 8 bits: four bits of exponent and three of mantissa, or five and two.
 *
 * To nearest, ties to even; what is too large, infinity as well, is the largest number
 * (__NV_SATFINITE), or not a number and infinity (__NV_NOSAT).  The first kind has no infinity.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_FP8_H
#define WARPSTACK_CUDA_FP8_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#ifdef __cplusplus
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

WS_HALF __nv_fp8_storage_t __nv_cvt_float_to_fp8(float f, __nv_saturation_t saturate,
						 __nv_fp8_interpretation_t kind)
{
	unsigned int mantissa = kind == __NV_E4M3 ? 3 : 2, largest = kind == __NV_E4M3 ? 0x7e : 0x7b;
	unsigned int u = __ws_word_of(f), sign = u >> 24 & 0x80, a = u & 0x7fffffff, shift, r;
	int least = kind == __NV_E4M3 ? -6 : -14, e = (int)(a >> 23) - 127; /* exponents */

	if (a > 0x7f800000)
		return (__nv_fp8_storage_t)(sign | (kind == __NV_E4M3 ? 0x7f : 0x7e));
	shift = 23 - mantissa + (e < least ? (unsigned int)(least - e) : 0);
	if (shift > 24)
		return (__nv_fp8_storage_t)sign;
	r = (a & 0x7fffff) | (a >> 23 ? 0x800000 : 0);
	r = (r + (1u << (shift - 1)) - 1 + (r >> shift & 1)) >> shift;
	if (e >= least) /* the leading one is counted as one of the exponent */
		r += (unsigned int)(e - least) << mantissa;
	if (r > largest)
		r = saturate == __NV_SATFINITE ? largest : largest + 1;
	return (__nv_fp8_storage_t)(sign | r);
}
WS_HALF float __ws_float_of_fp8(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind)
{
	unsigned int e = kind == __NV_E4M3 ? x >> 3 & 15 : x >> 2 & 31;
	unsigned int m = kind == __NV_E4M3 ? (x & 7u) << 20 : (x & 3u) << 21, sign = (x & 0x80u) << 24;
	float f;

	if (kind == __NV_E4M3 ? (x & 0x7f) == 0x7f : e == 31)
		return __ws_float_of(sign | 0x7f800000 | (kind == __NV_E4M3 ? 0x700000 : m));
	if (e)
		return __ws_float_of(sign | (e + (kind == __NV_E4M3 ? 120 : 112)) << 23 | m);
	f = (float)(m >> 20) * (kind == __NV_E4M3 ? 0x1p-9f : 0x1p-17f);
	return sign ? -f : f;
}
WS_HALF __nv_fp8_storage_t __nv_cvt_double_to_fp8(double f, __nv_saturation_t saturate,
						  __nv_fp8_interpretation_t kind)
{
	/* To odd, so that it is rounded once. */
	float near = (float)f;
	if ((double)near != f && !__builtin_isnan(near) && !(__ws_word_of(near) & 1)) {
		bool larger = (f < 0 ? -f : f) > (f < 0 ? -(double)near : (double)near);
		near = __ws_float_of(__ws_word_of(near) + (larger ? 1u : -1u));
	}
	return __nv_cvt_float_to_fp8(near, saturate, kind);
}
WS_HALF __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind)
{
	return (__half_raw)__half(__ws_float_of_fp8(x, kind));
}
WS_HALF __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 f, __nv_saturation_t saturate,
						      __nv_fp8_interpretation_t kind)
{
	return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_fp8(f.x, saturate, kind) |
				      __nv_cvt_float_to_fp8(f.y, saturate, kind) << 8);
}

#define WS_FP8(NAME, KIND) \
	struct NAME { \
		__nv_fp8_storage_t __x; \
		NAME() = default; \
		WS_HALF_MEMBER explicit NAME(float f) \
			: __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, KIND)) {} \
		WS_HALF_MEMBER explicit NAME(double f) \
			: __x(__nv_cvt_double_to_fp8(f, __NV_SATFINITE, KIND)) {} \
		WS_HALF_MEMBER explicit NAME(int i) : NAME((double)i) {} \
		WS_HALF_MEMBER explicit NAME(__half h) : NAME((float)h) {} \
		WS_HALF_MEMBER explicit NAME(__nv_bfloat16 b) : NAME((float)b) {} \
		WS_HALF_MEMBER explicit operator float() const { return __ws_float_of_fp8(__x, KIND); } \
		WS_HALF_MEMBER explicit operator double() const { return (double)(float)*this; } \
		WS_HALF_MEMBER explicit operator __half() const { return __half((float)*this); } \
		WS_HALF_MEMBER explicit operator __nv_bfloat16() const \
		{ return __nv_bfloat16((float)*this); } \
		WS_HALF_MEMBER explicit operator int() const { return (int)(float)*this; } \
		WS_HALF_MEMBER explicit operator bool() const { return (__x & 0x7f) != 0; } \
	};
WS_FP8(__nv_fp8_e4m3, __NV_E4M3)
WS_FP8(__nv_fp8_e5m2, __NV_E5M2)
#undef WS_FP8
#define WS_FP8(NAME, KIND) \
	struct __attribute__((aligned(2))) NAME { \
		__nv_fp8x2_storage_t __x; \
		NAME() = default; \
		WS_HALF_MEMBER explicit NAME(float2 f) \
			: __x(__nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, KIND)) {} \
		WS_HALF_MEMBER explicit operator float2() const \
		{ return float2{ __ws_float_of_fp8((unsigned char)__x, KIND), \
				 __ws_float_of_fp8((unsigned char)(__x >> 8), KIND) }; } \
	};
WS_FP8(__nv_fp8x2_e4m3, __NV_E4M3)
WS_FP8(__nv_fp8x2_e5m2, __NV_E5M2)
#undef WS_FP8
#define WS_FP8(NAME, HALF) \
	struct __attribute__((aligned(4))) NAME { \
		__nv_fp8x4_storage_t __x; \
		NAME() = default; \
		WS_HALF_MEMBER explicit NAME(float4 f) \
			: __x(HALF(float2{ f.x, f.y }).__x | (unsigned int)HALF(float2{ f.z, f.w }).__x << 16) {} \
		WS_HALF_MEMBER explicit operator float4() const \
		{ \
			HALF low, high; \
			low.__x = (__nv_fp8x2_storage_t)__x; \
			high.__x = (__nv_fp8x2_storage_t)(__x >> 16); \
			float2 a = (float2)low, b = (float2)high; \
			return float4{ a.x, a.y, b.x, b.y }; \
		} \
	};
WS_FP8(__nv_fp8x4_e4m3, __nv_fp8x2_e4m3)
WS_FP8(__nv_fp8x4_e5m2, __nv_fp8x2_e5m2)
#undef WS_FP8
#endif

#endif
