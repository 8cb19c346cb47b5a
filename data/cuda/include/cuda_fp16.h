/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_fp16.h -- half precision: numbers of 16 bits, alone and in pairs.
 *
 * What they have in common with bfloat16 is in cuda_half_operations.h.  Fused sums are computed as
 * double.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_FP16_H
#define WARPSTACK_CUDA_FP16_H

#include "cuda_runtime.h"
#include "cuda_letters_begin.h"

#ifdef __cplusplus
#include "cuda_half_bits.h"

struct __attribute__((aligned(2))) __half_raw {
	unsigned short x;
};
struct __attribute__((aligned(4))) __half2_raw {
	unsigned short x, y;
};

#define WS_ONE __half
#define WS_TWO __half2
#define WS_RAW __half_raw
#define WS_WORD half
#define WS_TO(F) __ws_half_bits(F)
#define WS_FROM(BITS) __ws_float_of_half(BITS)
#define WS_INFINITE 0x7c00
#include "cuda_half_operations.h"
#undef WS_ONE
#undef WS_TWO
#undef WS_RAW
#undef WS_WORD
#undef WS_TO
#undef WS_FROM
#undef WS_INFINITE
typedef __half half;
typedef __half __nv_half;
typedef __half2 half2;
typedef __half2 __nv_half2;

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)

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
#endif
#include "cuda_letters_end.h"

#endif
