/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/stack/bounded.c -- stack distances up to a depth (bounded.h).
 *
 * A set is the list of its WS_BOUNDED_DEPTH most recent lines, newest first, side by side
 * in memory.  A request compares its line with all of them, takes the place of the first and
 * moves those that were before it down by one: Mattson's list, cut off.  An unused
 * entry has all bits set, which is no line's address.
 *
 * With AVX-512 or AVX2 all are compared, then all are written: those above the place found
 * are what stood one entry further up.  The portable way looks and moves at once and stops
 * where it finds the line.
 *
 * memory  256 bytes per set
 */
#include "stackdist/stack/bounded.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#if WS_X86
#include <immintrin.h>
#endif

#define DEPTH WS_BOUNDED_DEPTH
#define LINE_BYTES 64u		/* of the processor's cache */
#define AHEAD 256u		/* requests between what is read and what is fetched */

struct bounded_list {			/* of a set, in whole cache lines */
	uint64_t line[DEPTH];
};

struct ws_bounded {
	struct ws_cache cache;
	enum ws_simd simd;
	unsigned line_bits;	/* of a line's bytes, if the hash is modulo a power of two; or 0 */
	void *memory;		/* of list, which begins with a cache line */
	struct bounded_list *list;	/* by set */
};

enum ws_status ws_bounded_new(struct ws_bounded **out, const struct ws_cache *cache,
			      struct ws_err *err)
{
	struct ws_bounded *b;

	if (cache->sets == 0 || cache->sets > UINT32_MAX)
		return ws_fail(err, WS_EINVAL, "%" PRIu64 " sets: expected 1 to %u", cache->sets,
			       UINT32_MAX);
	b = ws_alloc_zero(1, sizeof *b);
	if (b)
		b->memory = ws_alloc((size_t)cache->sets + 1, sizeof *b->list);
	if (!b || !b->memory) {
		ws_bounded_free(b);
		return ws_fail_memory(err, "the stacks of a cache's sets");
	}
	b->cache = *cache;
	b->simd = ws_cpu_simd();
	if (cache->hash == ws_hash_find("modulo") && ws_is_pow2(cache->sets))
		b->line_bits = ws_log2(cache->line_bytes);
	b->list = (struct bounded_list *)(((uintptr_t)b->memory + LINE_BYTES - 1) &
					  ~(uintptr_t)(LINE_BYTES - 1));
	memset(b->list, 0xff, (size_t)cache->sets * sizeof *b->list);
	*out = b;
	return WS_OK;
}

void ws_bounded_free(struct ws_bounded *b)
{
	if (!b)
		return;
	free(b->memory);
	free(b);
}

/* ---- one use of a line; DEPTH: it was not there --------------------------------------- */

static WS_INLINE uint32_t use_portable(uint64_t *line, uint64_t address)
{
	uint64_t above = address;

	WS_UNROLL
	for (uint32_t i = 0; i < DEPTH; i++) {
		uint64_t here = line[i];

		line[i] = above;
		if (here == address)
			return i;
		above = here;
	}
	return DEPTH;
}

#if WS_X86
static WS_INLINE uint32_t first(uint32_t found)
{
	return (uint32_t)__builtin_ctzll(found | (uint64_t)1 << DEPTH);
}

WS_TARGET_AVX512 static inline uint32_t use_avx512(uint64_t *line, uint64_t address)
{
	__m512i own = _mm512_set1_epi64((long long)address), at[DEPTH / 8], above = own;
	__mmask8 same[DEPTH / 8];
	__mmask32 found, moved;

	WS_UNROLL
	for (unsigned k = 0; k < DEPTH / 8; k++) {
		at[k] = _mm512_load_si512(line + 8 * k);
		same[k] = _mm512_cmpeq_epi64_mask(at[k], own);
	}
	/* One request of a set waits for the one before it, so masks stay where they are. */
	found = _mm512_kunpackw(_mm512_kunpackb(same[3], same[2]),
				_mm512_kunpackb(same[1], same[0]));
	moved = _kxor_mask32(found, _kadd_mask32(found, 0xffffffff));
	WS_UNROLL
	for (unsigned k = 0; k < DEPTH / 8; k++) {
		__m512i down = _mm512_alignr_epi64(at[k], above, 7);

		above = at[k];
		_mm512_store_si512(line + 8 * k, _mm512_mask_mov_epi64(at[k], (__mmask8)moved,
								       down));
		moved = _kshiftri_mask32(moved, 8);
	}
	return first(_cvtmask32_u32(found));
}

WS_TARGET_AVX2 static inline uint32_t use_avx2(uint64_t *line, uint64_t address)
{
	__m256i own = _mm256_set1_epi64x((long long)address), at[DEPTH / 4], above = own, last;
	__m256i index = _mm256_setr_epi64x(0, 1, 2, 3), four = _mm256_set1_epi64x(4);
	uint32_t found = 0;

	WS_UNROLL
	for (unsigned k = 0; k < DEPTH / 4; k++) {
		__m256i same;

		at[k] = _mm256_load_si256((const __m256i *)(const void *)(line + 4 * k));
		same = _mm256_cmpeq_epi64(at[k], own);
		found |= (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(same)) << (4 * k);
	}
	found = first(found);
	last = _mm256_set1_epi64x(found);
	WS_UNROLL
	for (unsigned k = 0; k < DEPTH / 4; k++) {
		__m256i turned = _mm256_permute4x64_epi64(at[k], 0x93);
		__m256i down = _mm256_blend_epi32(turned, above, 3);

		above = turned;
		_mm256_store_si256((__m256i *)(void *)(line + 4 * k), _mm256_blendv_epi8(
			down, at[k], _mm256_cmpgt_epi64(index, last)));
		index = _mm256_add_epi64(index, four);
	}
	return found;
}
#endif

/* ---- requests ---------------------------------------------------------------------------- */

typedef uint32_t use_line(uint64_t *line, uint64_t address);

static WS_INLINE void push(struct ws_bounded *b, const struct ws_request *request, size_t count,
			   uint32_t *distance, use_line *use)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t address = request[i].address, set;
		uint32_t found;

		WS_FETCH_AHEAD(request + i, AHEAD);
		distance[i] = WS_DISTANCE_UNCACHED;
		if (request[i].kind >= WS_ATOMIC)
			continue;
		set = b->line_bits ? address >> b->line_bits & (b->cache.sets - 1) :
				     ws_set_index(&b->cache, address);
		assert(set < b->cache.sets);
		found = use(b->list[set].line, address);
		assert(found <= DEPTH);
		/* WS_DISTANCE_COLD if DEPTH; written so that it is no branch, for nobody could
		 * guess it. */
		distance[i] = found | (0 - found / DEPTH);
	}
}

#if WS_X86
WS_TARGET_AVX2 static void push_avx2(struct ws_bounded *b, const struct ws_request *request,
				     size_t count, uint32_t *distance)
{
	push(b, request, count, distance, use_avx2);
}

WS_TARGET_AVX512 static void push_avx512(struct ws_bounded *b, const struct ws_request *request,
					 size_t count, uint32_t *distance)
{
	push(b, request, count, distance, use_avx512);
}
#endif

bool ws_bounded_push_by(struct ws_bounded *b, enum ws_simd simd, const struct ws_request *request,
			size_t count, uint32_t *distance)
{
	if (simd > b->simd)
		return false;
#if WS_X86
	if (simd == WS_SIMD_AVX512)
		push_avx512(b, request, count, distance);
	else if (simd == WS_SIMD_AVX2)
		push_avx2(b, request, count, distance);
#endif
	if (simd == WS_SIMD_NONE)
		push(b, request, count, distance, use_portable);
	return true;
}

void ws_bounded_push(struct ws_bounded *b, const struct ws_request *request, size_t count,
		     uint32_t *distance)
{
	(void)ws_bounded_push_by(b, b->simd, request, count, distance);
}
