/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/bits.h -- sets of bits in 64-bit words, bit i of word i / 64 up; sums and products that
 * saturate at 2^64 - 1; not installed.
 */
#ifndef WS_BASE_BITS_H
#define WS_BASE_BITS_H

#include "base/base.h"

static inline bool ws_bit(const uint64_t *bits, size_t i)
{
	return bits[i / 64] >> i % 64 & 1;
}

static inline void ws_bit_set(uint64_t *bits, size_t i)
{
	bits[i / 64] |= UINT64_C(1) << i % 64;
}

static inline void ws_bit_clear(uint64_t *bits, size_t i)
{
	bits[i / 64] &= ~(UINT64_C(1) << i % 64);
}

static inline uint64_t ws_first_bits(uint64_t count) /* of a word; 64 or more: all */
{
	return count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

static inline uint64_t ws_add_sat(uint64_t a, uint64_t b)
{
	return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

static inline uint64_t ws_mul_sat(uint64_t a, uint64_t b)
{
	return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

#endif
