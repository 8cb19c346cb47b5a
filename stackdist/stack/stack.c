/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/stack/stack.c -- exact stack distances of one stream: line numbers
 * (lines.h), then the sets' stacks (sets.h), a batch at a time, so that the
 * look-ups of a batch overlap in the processor.
 *
 * Several threads share the sets in *shards*, each with a table of its own lines.  A push is
 * worked off in rounds of three steps:
 *
 *   part   in parallel, each piece of the stream: the shard of each request
 *   work   in parallel, each shard: picks its requests out of all pieces, in order
 *   merge  in parallel, each piece: the distances in the order of the stream
 *
 * Between processors goes as little as may be: a byte per request, then six.  (Were distances
 * written to their places by work, cache lines would go to and fro where shards alternate.)
 * Who does which piece or shard leaves no trace.  A shard's sets are such that 16 lines in a
 * row are of one shard, where there are sets enough, so that pages (lines.h) stay whole.
 * Memory beyond that of lines and sets: 6 bytes per request of a round and shard.
 */
#include <stdlib.h>

#include "stackdist/stack/cpu.h"
#include "stackdist/stack/lines.h"
#include "stackdist/stack/pick.h"
#include "stackdist/stack/sets.h"

#define BATCH 256u
#define PIECE (1u << 12)	/* requests; places in it have 16 bits */
#define PIECES 128u		/* of a round */
#define ROUND (PIECE * PIECES)
#define SHARD_BITS 4u		/* at most */
#define RUN_BITS 4u		/* log2 of sets in a row, of one shard */
#define AHEAD 512u		/* requests between what is read and what is fetched */
#define ALONE (1u << 14)	/* fewer requests are not worth a thread */

struct shard {
	struct ws_lines lines;
	struct ws_sets *sets;
	uint32_t index[PIECE + WS_PICK_SPARE]; /* of its requests in a piece */
	uint32_t id[PIECE];
	/* Of a round: */
	uint32_t end[PIECES];	/* of each piece in the following */
	uint16_t place[ROUND];	/* in the piece */
	uint32_t result[ROUND];
};

struct ws_stack {
	struct ws_cache cache;
	unsigned threads;
	unsigned bits;		/* log2 of the number of shards */
	unsigned run_bits;	/* of a shard's sets in a row */
	unsigned line_bits;	/* of a line's bytes, if the hash is modulo a power of two; or 0 */
	struct shard *shard[1u << SHARD_BITS];
	/* A round, of several shards: */
	const struct ws_request *request;
	uint32_t *distance;
	size_t count;
	uint8_t *which;		/* the shard of each request */
};

/* ---- life -------------------------------------------------------------------- */

static size_t shards(const struct ws_stack *s)
{
	return (size_t)1 << s->bits;
}

static enum ws_status add_shard(struct ws_stack *s, size_t i, struct ws_err *err)
{
	s->shard[i] = ws_alloc_zero(1, sizeof **s->shard);
	if (!s->shard[i])
		return ws_fail_memory(err, "a stack");
	return ws_sets_new(&s->shard[i]->sets, &s->cache, err);
}

/* As many shards as threads, if there are sets enough. */
static void divide_into_shards(struct ws_stack *s, const struct ws_cache *cache, unsigned threads)
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
	struct ws_stack *s = ws_alloc_zero(1, sizeof *s);
	enum ws_status status = WS_OK;

	if (!s)
		return ws_fail_memory(err, "a stack");
	s->cache = *cache;
	divide_into_shards(s, cache, threads);
	if (s->bits > 0)
		s->which = ws_alloc(ROUND, sizeof *s->which);
	if (s->bits > 0 && !s->which)
		status = ws_fail_memory(err, "a stack");
	for (size_t i = 0; i < shards(s) && status == WS_OK; i++)
		status = add_shard(s, i, err);
	if (status != WS_OK) {
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
	free(s->which);
	free(s);
}

/* ---- one shard -------------------------------------------------------------------- */

static enum ws_status push(struct ws_stack *s, const struct ws_request *request, size_t count,
			   uint32_t *distance, struct ws_err *err)
{
	struct ws_set_places to = { .distance = distance };
	struct shard *shard = s->shard[0];
	enum ws_status status;

	status = ws_lines_number(&shard->lines, s->cache.write, request, count, shard->id, err);
	if (status == WS_OK)
		status = ws_sets_push(shard->sets, request, shard->id, count, &to, err);
	return status;
}

/* ---- several -------------------------------------------------------------------------- */

/* Bits of the set above those of a run. */
static void shards_of(const struct ws_stack *s, const struct ws_request *request, size_t count,
		      uint8_t *which)
{
	unsigned line_bits = s->line_bits, low = s->run_bits, high = s->run_bits + s->bits;
	uint64_t sets = s->cache.sets - 1, mask = shards(s) - 1;

	for (size_t i = 0; i < count; i++) {
		uint64_t address = request[i].address, set;

		WS_FETCH_AHEAD(request + i, AHEAD);
		set = line_bits ? address >> line_bits & sets : ws_set_index(&s->cache, address);
		which[i] = (uint8_t)((set >> low ^ set >> high) & mask);
	}
}

static size_t piece_count(const struct ws_stack *s, size_t piece)
{
	size_t left = s->count - piece * PIECE;

	return left < PIECE ? left : PIECE;
}

/* Item: a piece. */
static enum ws_status part(void *context, size_t item, unsigned thread, struct ws_err *err)
{
	const struct ws_stack *s = context;
	size_t at = item * PIECE;

	(void)thread;
	(void)err;
	shards_of(s, s->request + at, piece_count(s, item), s->which + at);
	return WS_OK;
}

static enum ws_status use(struct shard *shard, enum ws_write write,
			  const struct ws_request *request, size_t count, uint32_t *result,
			  struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < count && status == WS_OK; i += BATCH) {
		size_t n = count - i < BATCH ? count - i : BATCH;

		status = ws_lines_number_some(&shard->lines, write, request, shard->index + i, n,
					      shard->id, err);
		if (status == WS_OK)
			status = ws_sets_push_some(shard->sets, request, shard->index + i,
						   shard->id, n, result + i, err);
	}
	return status;
}

/* Item: a shard. */
static enum ws_status work_shard(void *context, size_t item, unsigned thread, struct ws_err *err)
{
	struct ws_stack *s = context;
	struct shard *shard = s->shard[item];
	enum ws_status status = WS_OK;
	uint32_t end = 0;

	(void)thread;
	for (size_t i = 0; i * PIECE < s->count && status == WS_OK; i++) {
		size_t n = ws_pick(s->which + i * PIECE, piece_count(s, i), (uint8_t)item,
				   shard->index, WS_SIMD_AVX512);

		status = use(shard, s->cache.write, s->request + i * PIECE, n,
			     shard->result + end, err);
		for (size_t j = 0; j < n; j++)
			shard->place[end + j] = (uint16_t)shard->index[j];
		end += (uint32_t)n;
		shard->end[i] = end;
	}
	return status;
}

/* Item: a piece. */
static enum ws_status merge(void *context, size_t item, unsigned thread, struct ws_err *err)
{
	const struct ws_stack *s = context;
	uint32_t *distance = s->distance + item * PIECE;

	(void)thread;
	(void)err;
	for (size_t k = 0; k < shards(s); k++) {
		const struct shard *shard = s->shard[k];

		for (uint32_t i = item ? shard->end[item - 1] : 0; i < shard->end[item]; i++)
			distance[shard->place[i]] = shard->result[i];
	}
	return WS_OK;
}

static enum ws_status push_round(struct ws_stack *s, struct ws_err *err)
{
	unsigned threads = s->count < ALONE ? 1 : s->threads;
	size_t pieces = (s->count + PIECE - 1) / PIECE;
	enum ws_status status = ws_parallel(threads, pieces, part, s, err);

	if (status == WS_OK)
		status = ws_parallel(threads, shards(s), work_shard, s, err);
	if (status == WS_OK)
		status = ws_parallel(threads, pieces, merge, s, err);
	return status;
}

enum ws_status ws_stack_push(struct ws_stack *s, const struct ws_request *request, size_t count,
			     uint32_t *distance, struct ws_err *err)
{
	size_t step = s->bits ? ROUND : BATCH;
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < count && status == WS_OK; i += step) {
		s->request = request + i;
		s->distance = distance + i;
		s->count = count - i < step ? count - i : step;
		status = s->bits ? push_round(s, err) :
				   push(s, request + i, s->count, distance + i, err);
	}
	return status;
}
