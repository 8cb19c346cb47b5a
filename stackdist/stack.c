/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/stack.c -- exact stack distances of one stream: line numbers
 * (lines.h), then the sets' stacks (sets.h), a batch at a time, so that the
 * look-ups of a batch overlap in the processor.
 *
 * Several threads share the sets in *shards*, each with a table of its own lines.  A push is
 * worked off in rounds of two steps:
 *
 *   part   in parallel, each piece of the stream: its requests by shard
 *   work   in parallel, each shard: its requests of all pieces
 *
 * Who does which piece or shard leaves no trace.  A shard's sets are such that 16 lines in a
 * row are of one shard, where there are sets enough, so that pages (lines.h) stay whole.
 * Memory beyond that of lines and sets: 13 bytes per request of a round.
 */
#include <stdlib.h>

#include "stackdist/cpu.h"
#include "stackdist/lines.h"
#include "stackdist/sets.h"

#if WS_X86
#include <immintrin.h>
#endif

#define BATCH 256u
#define PIECE (1u << 12)	/* requests */
#define PIECES 64u		/* of a round */
#define ROUND (PIECE * PIECES)
#define SHARD_BITS 6u		/* at most */
#define RUN_BITS 4u		/* log2 of sets in a row, of one shard */
#define AHEAD 512u	/* requests between what is read and what is fetched */
#define PICK 16u		/* requests looked at together */
#define ALONE (1u << 14)	/* fewer requests are not worth a thread */

struct shard {
	struct ws_lines lines;
	struct ws_sets *sets;
	uint32_t id[BATCH];
};

struct round {			/* of several shards */
	const struct ws_request *request;
	uint32_t *distance;
	size_t count;
	/* Requests by piece, then shard, in order; and room for PICK more. */
	uint32_t index[ROUND + PICK]; /* in the piece */
	uint64_t address[ROUND];
	uint8_t kind[ROUND];
	uint32_t end[PIECES][1u << SHARD_BITS]; /* of a shard in a piece */
};

struct ws_stack {
	struct ws_cache cache;
	unsigned threads;
	unsigned bits;		/* log2 of the number of shards */
	unsigned run_bits;	/* of a shard's sets in a row */
	unsigned line_bits;	/* of a line's bytes, if the hash is modulo a power of two; or 0 */
	struct shard *shard[1u << SHARD_BITS];
	struct round *round;	/* NULL: one shard */
};

/* ---- life -------------------------------------------------------------------- */

static size_t shards(const struct ws_stack *s)
{
	return (size_t)1 << s->bits;
}

static enum ws_status add_shard(struct ws_stack *s, size_t i, struct ws_err *err)
{
	s->shard[i] = ws_alloc_zero(1, sizeof(**s->shard));
	if (!s->shard[i])
		return ws_fail_memory(err, "a stack");
	return ws_sets_new(&s->shard[i]->sets, &s->cache, err);
}

/* As many shards as threads, if there are sets enough. */
static void divide(struct ws_stack *s, const struct ws_cache *cache, unsigned threads)
{
	s->threads = ws_threads(threads);
	while (s->bits < SHARD_BITS && 1u << s->bits < s->threads &&
	       (uint64_t)2 << s->bits <= cache->sets)
		s->bits++;
	while (s->run_bits < RUN_BITS && (uint64_t)2 << (s->bits + s->run_bits) <= cache->sets)
		s->run_bits++;
	if (cache->hash == ws_hash_find("modulo") && ws_is_pow2(cache->sets))
		s->line_bits = ws_log2(cache->line_bytes);
}

enum ws_status ws_stack_new(struct ws_stack **out, const struct ws_cache *cache,
			    unsigned threads, struct ws_err *err)
{
	struct ws_stack *s = ws_alloc_zero(1, sizeof(*s));
	enum ws_status status = WS_OK;

	if (!s)
		return ws_fail_memory(err, "a stack");
	s->cache = *cache;
	divide(s, cache, threads);
	if (s->bits > 0)
		s->round = ws_alloc(1, sizeof(*s->round));
	if (s->bits > 0 && !s->round)
		status = ws_fail_memory(err, "a stack");
	for (size_t i = 0; i < shards(s) && !status; i++)
		status = add_shard(s, i, err);
	if (status) {
		ws_stack_free(s);
		return status;
	}
	*out = s;
	return WS_OK;
}

void ws_stack_free(struct ws_stack *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < shards(s) && s->shard[i]; i++) {
		ws_lines_clear(&s->shard[i]->lines);
		ws_sets_free(s->shard[i]->sets);
		free(s->shard[i]);
	}
	free(s->round);
	free(s);
}

/* ---- one shard -------------------------------------------------------------------- */

static enum ws_status push(struct ws_stack *s, const struct ws_request *request, size_t count,
			   uint32_t *distance, struct ws_err *err)
{
	struct ws_places to = { .distance = distance };
	struct shard *shard = s->shard[0];
	enum ws_status status;

	status = ws_lines_number(&shard->lines, s->cache.write, request, count, shard->id, err);
	if (!status)
		status = ws_sets_push(shard->sets, request, shard->id, count, &to, err);
	return status;
}

/* ---- several -------------------------------------------------------------------------- */

/* Bits of the set above those of a run. */
static WS_INLINE uint8_t shard_of(const struct ws_stack *s, uint64_t set)
{
	set >>= s->run_bits;
	return (uint8_t)((set ^ set >> s->bits) & (shards(s) - 1));
}

static void shards_of(const struct ws_stack *s, const struct ws_request *request, size_t count,
		      uint8_t *which)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t address = request[i].address;

		WS_FETCH_AHEAD(request + i, AHEAD);
		which[i] = shard_of(s, s->line_bits ?
				       address >> s->line_bits & (s->cache.sets - 1) :
				       ws_set_index(&s->cache, address));
	}
}

/* The places of a shard; writes up to PICK more. */
static size_t pick(const uint8_t *which, size_t count, uint8_t shard, uint32_t *index)
{
	size_t n = 0;

	for (uint32_t i = 0; i < count; i++) {
		index[n] = i;
		n += which[i] == shard;
	}
	return n;
}

#if WS_X86
WS_TARGET_AVX512 static size_t pick_avx512(const uint8_t *which, size_t count, uint8_t shard,
					   uint32_t *index)
{
	__m512i at = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	__m128i own = _mm_set1_epi8((char)shard);
	size_t n = 0;

	for (size_t i = 0; i < count; i += PICK) {
		unsigned here = count - i < PICK ? (1u << (count - i)) - 1 : 0xffff;
		__m128i x = _mm_maskz_loadu_epi8((__mmask16)here, which + i);
		__mmask16 ours = _mm_mask_cmpeq_epi8_mask((__mmask16)here, x, own);

		_mm512_storeu_si512(index + n, _mm512_maskz_compress_epi32(ours, at));
		at = _mm512_add_epi32(at, _mm512_set1_epi32(PICK));
		n += (size_t)__builtin_popcount(ours);
	}
	return n;
}
#endif

static size_t pick_best(const uint8_t *which, size_t count, uint8_t shard, uint32_t *index)
{
#if WS_X86
	if (ws_cpu_simd() == WS_SIMD_AVX512)
		return pick_avx512(which, count, shard, index);
#endif
	return pick(which, count, shard, index);
}

/* Item: a piece. */
static enum ws_status part(void *context, size_t item, unsigned thread, struct ws_err *err)
{
	const struct ws_stack *s = context;
	struct round *r = s->round;
	size_t at = item * PIECE, count = r->count - at < PIECE ? r->count - at : PIECE;
	const struct ws_request *request = r->request + at;
	uint8_t which[PIECE];

	(void)thread;
	(void)err;
	shards_of(s, request, count, which);
	for (size_t k = 0; k < shards(s); k++) {
		uint32_t index[PIECE + PICK];
		size_t n = pick_best(which, count, (uint8_t)k, index);

		for (size_t i = 0; i < n; i++) {
			r->index[at + i] = index[i];
			r->address[at + i] = request[index[i]].address;
			r->kind[at + i] = request[index[i]].kind;
		}
		at += n;
		r->end[item][k] = (uint32_t)at;
	}
	return WS_OK;
}

/* A shard's requests of a piece: from .. end - 1. */
static enum ws_status use(const struct ws_stack *s, struct shard *shard, size_t piece, size_t from,
			  size_t end, struct ws_err *err)
{
	const struct round *r = s->round;
	enum ws_status status = WS_OK;

	for (size_t n; from < end && !status; from += n) {
		n = end - from < BATCH ? end - from : BATCH;
		status = ws_lines_number_bare(&shard->lines, s->cache.write, r->address + from,
					      r->kind + from, n, shard->id, err);
		if (!status)
			status = ws_sets_push_some(shard->sets, r->request + piece * PIECE,
						   r->index + from, shard->id, n,
						   r->distance + piece * PIECE, err);
	}
	return status;
}

/* Item: a shard. */
static enum ws_status work(void *context, size_t item, unsigned thread, struct ws_err *err)
{
	const struct ws_stack *s = context;
	const struct round *r = s->round;
	enum ws_status status = WS_OK;

	(void)thread;
	for (size_t i = 0; i * PIECE < r->count && !status; i++)
		status = use(s, s->shard[item], i, item ? r->end[i][item - 1] : i * PIECE,
			     r->end[i][item], err);
	return status;
}

static enum ws_status push_round(struct ws_stack *s, struct ws_err *err)
{
	unsigned threads = s->round->count < ALONE ? 1 : s->threads;
	enum ws_status status;

	status = ws_parallel(threads, (s->round->count + PIECE - 1) / PIECE, part, s, err);
	if (!status)
		status = ws_parallel(threads, shards(s), work, s, err);
	return status;
}

enum ws_status ws_stack_push(struct ws_stack *s, const struct ws_request *request, size_t count,
			     uint32_t *distance, struct ws_err *err)
{
	size_t step = s->round ? ROUND : BATCH;
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < count && !status; i += step) {
		size_t n = count - i < step ? count - i : step;

		if (!s->round) {
			status = push(s, request + i, n, distance + i, err);
			continue;
		}
		s->round->request = request + i;
		s->round->distance = distance + i;
		s->round->count = n;
		status = push_round(s, err);
	}
	return status;
}
