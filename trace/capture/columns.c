/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/columns.c -- the inner loops of lockstep.c, over all the work-items of a CTA:
 * where each of them stands, and what each has recorded, turned so that words of one step are
 * neighbours.
 *
 * Each loop is written once, for vectors that any processor has or that the compiler takes apart,
 * and compiled twice: for AVX2, too.
 */
#include "trace/capture/columns.h"

typedef uint64_t v4 __attribute__((vector_size(32)));
typedef uint64_t v4_anywhere __attribute__((vector_size(32), aligned(8), may_alias));

#define INLINE static inline __attribute__((always_inline))
#define HEADS  16 /* a constant count, so that it is made SIMD code */

/* ---- heads ------------------------------------------------------------------------------ */

INLINE uint32_t least(const uint32_t head[64])
{
	int32_t low[HEADS], found = INT32_MAX;

	for (size_t j = 0; j < HEADS; j++)
		low[j] = (int32_t)head[j];
	for (size_t i = HEADS; i < 64; i += HEADS) {
		for (size_t j = 0; j < HEADS; j++)
			low[j] = (int32_t)head[i + j] < low[j] ? (int32_t)head[i + j] : low[j];
	}
	for (size_t j = 0; j < HEADS; j++)
		found = low[j] < found ? low[j] : found;
	return (uint32_t)found;
}

INLINE uint64_t at_segment(const uint32_t head[64], uint32_t segment, uint32_t *other)
{
	int32_t low[HEADS], found = (int32_t)*other;
	uint64_t bits = 0;

	for (size_t j = 0; j < HEADS; j++)
		low[j] = INT32_MAX;
	for (size_t k = 0; k < 64; k += HEADS) {
		uint32_t part[HEADS], sum = 0;

		for (size_t j = 0; j < HEADS; j++) {
			int32_t h = head[k + j] == segment ? INT32_MAX : (int32_t)head[k + j];

			part[j] = (uint32_t)(head[k + j] == segment) << j;
			low[j] = h < low[j] ? h : low[j];
		}
		for (size_t j = 0; j < HEADS; j++)
			sum |= part[j];
		bits |= (uint64_t)sum << k;
	}
	for (size_t j = 0; j < HEADS; j++)
		found = low[j] < found ? low[j] : found;
	*other = (uint32_t)found;
	return bits;
}

/* ---- records ---------------------------------------------------------------------------- */

/* What four neighbours have recorded, `at` words from the next: rows of four words each. */
INLINE void turn(const uint64_t *const from[4], const uint64_t *like, uint64_t *to, size_t pitch,
		 v4 *differ)
{
	v4 a = *(const v4_anywhere *)from[0], b = *(const v4_anywhere *)from[1];
	v4 c = *(const v4_anywhere *)from[2], d = *(const v4_anywhere *)from[3];
	v4 ab = __builtin_shufflevector(a, b, 0, 4, 2, 6);
	v4 ba = __builtin_shufflevector(a, b, 1, 5, 3, 7);
	v4 cd = __builtin_shufflevector(c, d, 0, 4, 2, 6);
	v4 dc = __builtin_shufflevector(c, d, 1, 5, 3, 7);
	v4 row[4] = {
		__builtin_shufflevector(ab, cd, 0, 1, 4, 5),
		__builtin_shufflevector(ba, dc, 0, 1, 4, 5),
		__builtin_shufflevector(ab, cd, 2, 3, 6, 7),
		__builtin_shufflevector(ba, dc, 2, 3, 6, 7),
	};

	for (size_t k = 0; k < 4; k++) {
		*(v4_anywhere *)(to + k * pitch) = row[k];
		differ[k] |= row[k] ^ like[k];
	}
}

INLINE void turn_four(const struct ws_lane_ctx *x, const uint64_t *like, size_t words,
		      uint64_t *to, size_t pitch, v4 *differ)
{
	const uint64_t *from[4] = { x[0].rd, x[1].rd, x[2].rd, x[3].rd };

	for (size_t k = 0; k < words; k += 4) {
		turn(from, like + k, to + k * pitch, pitch, differ + k);
		for (size_t j = 0; j < 4; j++)
			from[j] += 4;
	}
	for (size_t j = 0; j < 4; j++)
		__builtin_prefetch(from[j] + WS_TURNED_WORDS - 4);
}

INLINE void turn_one(const struct ws_lane_ctx *x, const uint64_t *like, size_t words, uint64_t *to,
		     size_t pitch, v4 *differ)
{
	for (size_t k = 0; k < words; k++) {
		to[k * pitch] = x->rd[k];
		differ[k][0] |= x->rd[k] ^ like[k];
	}
}

INLINE size_t recorded(const struct ws_lane_ctx *x, size_t most)
{
	size_t n = (size_t)(x->p - x->rd) - (x->state == LANE_FULL);

	return n < most ? n : most;
}

INLINE size_t turn_records(const struct ws_lane_ctx *lane, size_t lanes, const uint64_t *mask,
			   const uint64_t *like, struct ws_turned *t)
{
	v4 differ[WS_TURNED_WORDS] = { { 0 } };
	size_t words = (t->words + 3) / 4 * 4, most = t->words;

	for (size_t i = 0; i < lanes; i += 4) {
		unsigned four = mask[i / 64] >> i % 64 & 15;

		if (four == 15) {
			turn_four(lane + i, like, words, t->to + i, lanes, differ);
			for (size_t j = 0; j < 4; j++)
				most = recorded(lane + i + j, most);
			continue;
		}
		for (size_t j = i; four; four >>= 1, j++) {
			if (!(four & 1))
				continue;
			turn_one(lane + j, like, t->words, t->to + j, lanes, differ);
			most = recorded(lane + j, most);
		}
	}
	for (size_t k = 0; k < t->words; k++)
		t->differ[k] = differ[k][0] | differ[k][1] | differ[k][2] | differ[k][3];
	return most;
}

/* ---- which of the two ------------------------------------------------------------------- */

#define WAYS_OF(name, target)                                                                      \
	target static uint32_t least_##name(const uint32_t head[64])                               \
	{                                                                                          \
		return least(head);                                                                \
	}                                                                                          \
	target static uint64_t at_segment_##name(const uint32_t head[64], uint32_t segment,        \
						 uint32_t *other)                                  \
	{                                                                                          \
		return at_segment(head, segment, other);                                           \
	}                                                                                          \
	target static size_t turn_##name(const struct ws_lane_ctx *lane, size_t lanes,             \
					 const uint64_t *mask, const uint64_t *like,               \
					 struct ws_turned *t)                                      \
	{                                                                                          \
		return turn_records(lane, lanes, mask, like, t);                                   \
	}                                                                                          \
	static const struct ws_columns name = { least_##name, at_segment_##name, turn_##name };

WAYS_OF(portable, )
#if defined(__x86_64__)
WAYS_OF(avx2, __attribute__((target("avx2"))))
#endif

const struct ws_columns *ws_columns_for(bool simd)
{
#if defined(__x86_64__)
	if (simd && __builtin_cpu_supports("avx2"))
		return &avx2;
#endif
	return &portable;
}
