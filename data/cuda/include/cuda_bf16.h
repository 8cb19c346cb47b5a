/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_bf16.h -- bfloat16: the upper half of a float, alone and in pairs.
 *
 * What it has in common with half precision is in cuda_half_operations.h.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_BF16_H
#define WARPSTACK_CUDA_BF16_H

#include "cuda_runtime.h"
#include "cuda_letters_begin.h"

#ifdef __cplusplus
#include "cuda_half_bits.h"

struct __attribute__((aligned(2))) __nv_bfloat16_raw {
	unsigned short x;
};
struct __attribute__((aligned(4))) __nv_bfloat162_raw {
	unsigned short x, y;
};

#define WS_ONE __nv_bfloat16
#define WS_TWO __nv_bfloat162
#define WS_RAW __nv_bfloat16_raw
#define WS_WORD bfloat16
#define WS_TO(F) __ws_brain_bits(F)
#define WS_FROM(BITS) __ws_float_of_brain(BITS)
#define WS_INFINITE 0x7f80
#include "cuda_half_operations.h"
#undef WS_ONE
#undef WS_TWO
#undef WS_RAW
#undef WS_WORD
#undef WS_TO
#undef WS_FROM
#undef WS_INFINITE
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)

/* The product of two is exact as float. */
WS_HALF __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
	return __nv_bfloat16(__builtin_fmaf((float)a, (float)b, (float)c));
}
#endif
#include "cuda_letters_end.h"

#endif
