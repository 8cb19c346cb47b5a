/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/stack/pick.c -- which of a row of bytes have a value (pick.h).  Neither way has a
 * branch that depends on the bytes: every place is written, and written over if it was none.
 */
#include "stackdist/stack/pick.h"

#if WS_X86
#include <immintrin.h>

WS_TARGET_AVX512 static size_t pick_avx512(const uint8_t *byte, size_t count, uint8_t value,
					   uint32_t *index)
{
	__m512i at = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	__m128i own = _mm_set1_epi8((char)value);
	size_t n = 0;

	for (size_t i = 0; i < count; i += 16) {
		__mmask16 here = (__mmask16)(count - i < 16 ? (1u << (count - i)) - 1 : 0xffff);
		__m128i bytes = _mm_maskz_loadu_epi8(here, byte + i);
		__mmask16 same = _mm_mask_cmpeq_epi8_mask(here, bytes, own);

		_mm512_storeu_si512(index + n, _mm512_maskz_compress_epi32(same, at));
		at = _mm512_add_epi32(at, _mm512_set1_epi32(16));
		n += (size_t)__builtin_popcount(same);
	}
	return n;
}
#endif

size_t ws_pick(const uint8_t *byte, size_t count, uint8_t value, uint32_t *index,
	       enum ws_simd simd)
{
	size_t n = 0;

#if WS_X86
	if (simd >= WS_SIMD_AVX512 && ws_cpu_simd() >= WS_SIMD_AVX512)
		return pick_avx512(byte, count, value, index);
#endif
	(void)simd;
	for (size_t i = 0; i < count; i++) {
		index[n] = (uint32_t)i;
		n += byte[i] == value;
	}
	return n;
}
