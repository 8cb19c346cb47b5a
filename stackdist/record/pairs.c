/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/pairs.c -- the inner loops of the windows recorder (pairs.h), in plain C and
 * for AVX2 and AVX-512.
 *
 * Costs per reference: one vector row of 128 bytes, that is 2 to 16 additions.
 */
#include "stackdist/record/pairs.h"

#include <stdlib.h>
#include <string.h>

#if WS_X86
#include <immintrin.h>
#endif

#define LINE 64u		/* bytes of a line of the processor's cache */

/* ---- rows ------------------------------------------------------------------------ */

bool ws_pairs_new(struct ws_pairs *p)
{
	uintptr_t from;

	*p = (struct ws_pairs){ .memory = ws_alloc_zero(WS_TYPES * WS_TYPES * sizeof *p->sum + LINE,
							1) };
	if (!p->memory)
		return false;
	from = (uintptr_t)p->memory;
	p->sum = (int16_t *)((char *)p->memory + (LINE - from % LINE) % LINE);
	for (unsigned j = 0; j < WS_TYPES; j++)
		p->room[j] = INT16_MAX;
	return true;
}

void ws_pairs_clear(struct ws_pairs *p)
{
	free(p->memory);
	*p = (struct ws_pairs){ 0 };
}

static void flush_row(struct ws_pairs *p, unsigned j)
{
	int16_t *row = p->sum + (size_t)j * WS_TYPES;

	for (unsigned i = 0; i < WS_TYPES; i++) {
		uint64_t by = (uint64_t)row[i];

		if (!by || !ws_has_window(i))
			continue;
		p->to.within[(size_t)i * WS_TYPES + j] += by;
		p->to.time[i] += by;
	}
	memset(row, 0, WS_TYPES * sizeof *row);
	p->room[j] = INT16_MAX;
}

void ws_pairs_flush(struct ws_pairs *p)
{
	for (unsigned j = 0; j < WS_TYPES; j++)
		if (p->room[j] < INT16_MAX)
			flush_row(p, j);
}

/* Row j, to each cell of which at most `bound` will be added. */
static inline int16_t *row_of(struct ws_pairs *p, unsigned j, int32_t bound)
{
	if (WS_RARELY(p->room[j] < bound))
		flush_row(p, j);
	p->room[j] -= bound;
	return p->sum + (size_t)j * WS_TYPES;
}

/* ---- plain C ----------------------------------------------------------------------- */

static WS_INLINE void add_row(int16_t *restrict row, const int16_t *restrict by)
{
	for (unsigned i = 0; i < WS_TYPES; i++)
		row[i] = (int16_t)(row[i] + by[i]);
}

static void walk(struct ws_pairs *p, const uint8_t *type, const uint8_t *end, unsigned count,
		 int16_t *excess)
{
	memset(excess, 0, WS_TYPES * sizeof *excess);
	for (unsigned k = count; k--;) {
		if (end[k] < WS_TYPES)
			excess[end[k]]--;
		add_row(row_of(p, type[k], (int32_t)(count - k)), excess);
		excess[type[k]]++;
	}
}

static void add_product(uint64_t *row, const uint64_t *factor, int by)
{
	for (unsigned j = 0; j < WS_TYPES; j++)
		row[j] += factor[j] * (uint64_t)by;
}

static const struct ws_pairs_loops plain = { "plain", walk, add_product };

/* ---- AVX2 and AVX-512 ----------------------------------------------------------------- */

#if WS_X86

/* a += by or a -= by where the lane is the type: -1 in the lanes that equal. */
#define LANES_AVX2(first) \
	_mm256_setr_epi16((first), (first) + 1, (first) + 2, (first) + 3, (first) + 4, \
			  (first) + 5, (first) + 6, (first) + 7, (first) + 8, (first) + 9, \
			  (first) + 10, (first) + 11, (first) + 12, (first) + 13, (first) + 14, \
			  (first) + 15)

WS_TARGET_AVX2 static void walk_avx2(struct ws_pairs *p, const uint8_t *type, const uint8_t *end,
				     unsigned count, int16_t *excess)
{
	const __m256i l0 = LANES_AVX2(0), l1 = LANES_AVX2(16);
	const __m256i l2 = LANES_AVX2(32), l3 = LANES_AVX2(48);
	__m256i s0 = _mm256_setzero_si256(), s1 = s0, s2 = s0, s3 = s0;
	__m256i *to = (__m256i *)(void *)excess;

	for (unsigned k = count; k--;) {
		__m256i e = _mm256_set1_epi16(end[k]), t = _mm256_set1_epi16(type[k]);
		__m256i *row = (__m256i *)(void *)row_of(p, type[k], (int32_t)(count - k));

		s0 = _mm256_add_epi16(s0, _mm256_cmpeq_epi16(e, l0));
		s1 = _mm256_add_epi16(s1, _mm256_cmpeq_epi16(e, l1));
		s2 = _mm256_add_epi16(s2, _mm256_cmpeq_epi16(e, l2));
		s3 = _mm256_add_epi16(s3, _mm256_cmpeq_epi16(e, l3));
		_mm256_store_si256(row, _mm256_add_epi16(_mm256_load_si256(row), s0));
		_mm256_store_si256(row + 1, _mm256_add_epi16(_mm256_load_si256(row + 1), s1));
		_mm256_store_si256(row + 2, _mm256_add_epi16(_mm256_load_si256(row + 2), s2));
		_mm256_store_si256(row + 3, _mm256_add_epi16(_mm256_load_si256(row + 3), s3));
		s0 = _mm256_sub_epi16(s0, _mm256_cmpeq_epi16(t, l0));
		s1 = _mm256_sub_epi16(s1, _mm256_cmpeq_epi16(t, l1));
		s2 = _mm256_sub_epi16(s2, _mm256_cmpeq_epi16(t, l2));
		s3 = _mm256_sub_epi16(s3, _mm256_cmpeq_epi16(t, l3));
	}
	_mm256_storeu_si256(to, s0);
	_mm256_storeu_si256(to + 1, s1);
	_mm256_storeu_si256(to + 2, s2);
	_mm256_storeu_si256(to + 3, s3);
}

WS_TARGET_AVX2 static void add_product_avx2(uint64_t *row, const uint64_t *factor, int by)
{
	const __m256i b = _mm256_set1_epi64x(by);

	for (unsigned j = 0; j < WS_TYPES; j += 4) {
		__m256i *to = (__m256i *)(void *)(row + j);
		__m256i f = _mm256_loadu_si256((const __m256i *)(const void *)(factor + j));

		_mm256_storeu_si256(to, _mm256_add_epi64(_mm256_loadu_si256(to),
							 _mm256_mul_epi32(f, b)));
	}
}

WS_TARGET_AVX512 static void walk_avx512(struct ws_pairs *p, const uint8_t *type,
					 const uint8_t *end, unsigned count, int16_t *excess)
{
	const __m512i one = _mm512_set1_epi16(1);
	const __m512i l0 = _mm512_inserti64x4(_mm512_castsi256_si512(LANES_AVX2(0)),
					      LANES_AVX2(16), 1);
	const __m512i l1 = _mm512_add_epi16(l0, _mm512_set1_epi16(32));
	__m512i s0 = _mm512_setzero_si512(), s1 = s0;

	for (unsigned k = count; k--;) {
		__m512i e = _mm512_set1_epi16(end[k]), t = _mm512_set1_epi16(type[k]);
		int16_t *row = row_of(p, type[k], (int32_t)(count - k));

		s0 = _mm512_mask_sub_epi16(s0, _mm512_cmpeq_epi16_mask(e, l0), s0, one);
		s1 = _mm512_mask_sub_epi16(s1, _mm512_cmpeq_epi16_mask(e, l1), s1, one);
		_mm512_store_si512(row, _mm512_add_epi16(_mm512_load_si512(row), s0));
		_mm512_store_si512(row + 32, _mm512_add_epi16(_mm512_load_si512(row + 32), s1));
		s0 = _mm512_mask_add_epi16(s0, _mm512_cmpeq_epi16_mask(t, l0), s0, one);
		s1 = _mm512_mask_add_epi16(s1, _mm512_cmpeq_epi16_mask(t, l1), s1, one);
	}
	_mm512_storeu_si512(excess, s0);
	_mm512_storeu_si512(excess + 32, s1);
}

WS_TARGET_AVX512 static void add_product_avx512(uint64_t *row, const uint64_t *factor, int by)
{
	const __m512i b = _mm512_set1_epi64(by);

	for (unsigned j = 0; j < WS_TYPES; j += 8) {
		__m512i f = _mm512_loadu_si512(factor + j);

		_mm512_storeu_si512(row + j, _mm512_add_epi64(_mm512_loadu_si512(row + j),
							      _mm512_mul_epi32(f, b)));
	}
}

static const struct ws_pairs_loops avx2 = { "avx2", walk_avx2, add_product_avx2 };
static const struct ws_pairs_loops avx512 = { "avx512", walk_avx512, add_product_avx512 };

const struct ws_pairs_loops *ws_pairs_version(enum ws_simd simd)
{
	return simd == WS_SIMD_AVX512 ? &avx512 : simd == WS_SIMD_AVX2 ? &avx2 : &plain;
}

#else

const struct ws_pairs_loops *ws_pairs_version(enum ws_simd simd)
{
	return simd == WS_SIMD_NONE ? &plain : NULL;
}

#endif
