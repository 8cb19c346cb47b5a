/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_half_bits.h -- numbers of 16 bits from float and back: half precision, bfloat16.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_HALF_BITS_H
#define WARPSTACK_CUDA_HALF_BITS_H

#include "cuda_runtime.h"

#ifdef __CUDA__
#define WS_HALF static __host__ __device__ inline __attribute__((nodebug))
#define WS_HALF_MEMBER __host__ __device__
#else
#define WS_HALF static inline
#define WS_HALF_MEMBER
#endif

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

/* The upper half of a float. */
WS_HALF unsigned short __ws_brain_bits(float f)
{
	unsigned int u;
	__builtin_memcpy(&u, &f, sizeof u);
	if ((u & 0x7fffffff) > 0x7f800000)
		return 0x7fff;
	return (unsigned short)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}
WS_HALF float __ws_float_of_brain(unsigned short b)
{
	unsigned int u = (unsigned int)b << 16;
	float f;
	__builtin_memcpy(&f, &u, sizeof f);
	return f;
}

#endif
