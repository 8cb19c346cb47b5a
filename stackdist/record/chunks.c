/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/chunks.c -- an SM's requests to distances of chunks and sectors (chunks.h).
 *
 * A form of chunks has a fully associative LRU stack of words, which says what is cold, what is
 * uncached and what a capacity miss is, and lists (chunk_list.h), a set each, at each set count.
 * The form of sectors has a sectored stack at each set count, and one of one set.
 */
#include "stackdist/record/chunks.h"

#include <stdlib.h>
#include <string.h>

#include "stackdist/record/chunk_list.h"
#include "stackdist/stack/lines.h"
#include "stackdist/record/series.h"

#define PIECE 256u		/* requests at a time */

struct at_sets {		/* of a form, at one set count */
	struct ws_cache cache;
	unsigned region;
	struct ws_chunk_list *list; /* a set each; NULL: sectors */
	struct ws_stack *stack;	/* of sectors */
	struct ws_distance_tally kind[WS_KINDS];
	struct ws_series series;
};

struct form {
	struct ws_stack *full;
	struct at_sets *at;
	uint32_t clock;		/* loads and stores */
	uint64_t pushed[WS_KINDS];
	/* of a piece */
	struct ws_request word[PIECE * WS_CHUNK_WORDS];
	uint32_t word_distance[PIECE * WS_CHUNK_WORDS];
	uint32_t q[PIECE], d[PIECE];
	bool absent[PIECE];	/* no word of the block was ever fetched, or all were thrown out */
};

struct ws_chunks {
	enum ws_act store;
	bool sectors;
	size_t counts;
	uint64_t period;	/* 0: no windows */
	uint32_t size[WS_GRAINS]; /* of the window at hand; counted with chunks of 128 B */
	struct ws_grain_runs runs;
	struct form form[WS_FORMS];
};

/* ---- life ------------------------------------------------------------------- */

static enum ws_status new_at(struct at_sets *at, const struct ws_cache *cache, uint64_t sets,
			     bool chunks, struct ws_err *err)
{
	at->cache = *cache;
	at->cache.sets = sets;
	at->region = ws_region_shift(&at->cache) - ws_log2(WS_SECTOR_BYTES);
	if (!chunks) {
		at->cache.sector_bytes = WS_SECTOR_BYTES;
		return ws_stack_new(&at->stack, &at->cache, 1, err);
	}
	at->list = ws_alloc_zero((size_t)sets, sizeof *at->list);
	return at->list ? WS_OK : ws_fail_memory(err, "the chunks of a cache");
}

static enum ws_status new_form(struct form *f, const struct ws_cache *cache, const uint64_t *sets,
			       size_t count, bool chunks, struct ws_err *err)
{
	struct ws_cache one = *cache;
	enum ws_status status;

	one.sets = 1;
	one.sector_bytes = WS_SECTOR_BYTES;
	if (chunks)
		one.line_bytes = WS_SECTOR_BYTES;
	status = ws_stack_new(&f->full, &one, 1, err);
	f->at = status != WS_OK ? NULL : ws_alloc_zero(count, sizeof *f->at);
	if (status == WS_OK && !f->at)
		status = ws_fail_memory(err, "the chunks of a cache");
	for (size_t i = 0; i < count && status == WS_OK; i++)
		status = new_at(f->at + i, cache, sets[i], chunks, err);
	return status;
}

enum ws_status ws_chunks_new(struct ws_chunks **out, const struct ws_cache *cache,
			     const uint64_t *sets, size_t count, uint64_t period,
			     struct ws_err *err)
{
	struct ws_chunks *c = ws_alloc_zero(1, sizeof *c);
	enum ws_status status = WS_OK;

	*out = NULL;
	if (!c)
		return ws_fail_memory(err, "the chunks of a cache");
	c->counts = count;
	c->period = period;
	c->sectors = cache->sector_bytes == cache->line_bytes;
	c->store = ws_store_act(cache->write);
	for (unsigned i = 0; i < WS_FORMS && status == WS_OK; i++)
		if (i != WS_FORM_SECTORS || c->sectors)
			status = new_form(c->form + i, cache, sets, count, i != WS_FORM_SECTORS,
					  err);
	if (status != WS_OK)
		ws_chunks_free(c);
	else
		*out = c;
	return status;
}

static void free_at(struct at_sets *at)
{
	for (uint64_t i = 0; at->list && i < at->cache.sets; i++)
		ws_chunk_list_clear(at->list + i);
	free(at->list);
	ws_stack_free(at->stack);
	ws_series_clear(&at->series);
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		ws_tally_clear(at->kind + kind);
}

void ws_chunks_free(struct ws_chunks *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i < WS_FORMS; i++) {
		struct form *f = c->form + i;

		for (size_t j = 0; f->at && j < c->counts; j++)
			free_at(f->at + j);
		free(f->at);
		ws_stack_free(f->full);
	}
	ws_grain_runs_clear(&c->runs);
	free(c);
}

/* ---- chunks --------------------------------------------------------------------- */

static uint32_t block_of(uint32_t need, unsigned words)
{
	uint32_t chunk = (1u << words) - 1, block = need;

	for (; chunk >> WS_CHUNK_WORDS == 0; chunk <<= words)
		if (need & chunk)
			block |= chunk;
	return block;
}

/* q: the largest distance of the words needed, cold if one is. */
static uint32_t worse(uint32_t a, uint32_t b)
{
	if (a == WS_DISTANCE_COLD || b == WS_DISTANCE_COLD)
		return WS_DISTANCE_COLD;
	return a > b ? a : b;
}

/* Fully associative distances of the words of the requests' blocks. */
static enum ws_status find_q(struct form *f, unsigned words, const struct ws_request *r, size_t n,
			     struct ws_err *err)
{
	size_t count = 0;
	enum ws_status status;

	for (size_t i = 0; i < n; i++) {
		uint32_t block = block_of(ws_request_block(r[i].sectors), words);

		for (unsigned w = 0; w < WS_CHUNK_WORDS; w++) {
			if (!(block >> w & 1))
				continue;
			f->word[count] = r[i];
			f->word[count].address += w * WS_SECTOR_BYTES;
			f->word[count++].sectors = 1;
		}
	}
	status = ws_stack_push(f->full, f->word, count, f->word_distance, err);
	count = 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t need = ws_request_block(r[i].sectors), block = block_of(need, words);

		f->q[i] = 0;
		f->absent[i] = true;
		for (unsigned w = 0; w < WS_CHUNK_WORDS; w++) {
			if (!(block >> w & 1))
				continue;
			if (need >> w & 1)
				f->q[i] = worse(f->q[i], f->word_distance[count]);
			f->absent[i] &= f->word_distance[count] > WS_DISTANCE_MAX;
			count++;
		}
	}
	return status;
}

static struct ws_chunk_ask ask_of(const struct ws_chunks *c, const struct at_sets *at,
				  const struct ws_request *r, unsigned words, uint32_t number)
{
	uint32_t need = ws_request_block(r->sectors);

	return (struct ws_chunk_ask){
		.first = r->address / WS_SECTOR_BYTES, .need = need,
		.block = block_of(need, words),
		.act = r->kind == WS_STORE ? c->store : WS_ACT_FETCH,
		.number = number, .region = at->region,
	};
}

static bool count_window(const struct ws_chunks *c, struct at_sets *at, unsigned kind,
			 uint32_t number, uint32_t q, const struct ws_chunk_found *found)
{
	uint32_t lines = q == WS_DISTANCE_COLD ? WS_GRAIN_COLD
		: q == WS_DISTANCE_UNCACHED ? WS_GRAIN_UNCACHED : found->lines;
	uint64_t lag = number / c->period - found->loaded / c->period;

	return ws_series_count(&at->series, kind, lines, lag, found->block) &&
	       ((number + UINT64_C(1)) % c->period || ws_series_end(&at->series));
}

static bool push_lists(const struct ws_chunks *c, struct form *f, struct at_sets *at,
		       unsigned words, const struct ws_request *r, size_t n)
{
	uint32_t number = f->clock;
	bool ok = true;

	for (size_t i = 0; i < n; i++) {
		struct ws_chunk_ask a = ask_of(c, at, r + i, words, number);
		uint64_t set = ws_set_index(&at->cache, r[i].address);
		struct ws_chunk_found found;
		uint32_t q = f->q[i];

		if (r[i].kind == WS_ATOMIC) {
			ok &= ws_tally_count(at->kind + WS_ATOMIC, WS_DISTANCE_UNCACHED, 0);
			continue;
		}
		a.absent = f->absent[i];
		ok &= ws_chunk_list_push(at->list + set, &a, &found);
		ok &= ws_tally_count(at->kind + r[i].kind, q > WS_DISTANCE_MAX ? q : found.lines,
				     (uint32_t)(q / (WS_CHUNK_WORDS * at->cache.sets)));
		if (c->period)
			ok &= count_window(c, at, r[i].kind, number, q, &found);
		number++;
	}
	return ok;
}

/* Of each window, how large its requests are. */
static bool count_sizes(struct ws_chunks *c, uint32_t number, const struct ws_request *r, size_t n)
{
	bool ok = true;

	for (size_t i = 0; i < n; i++) {
		uint32_t need = ws_request_block(r[i].sectors);

		if (r[i].kind == WS_ATOMIC)
			continue;
		c->size[ws_log2((uint64_t)__builtin_popcount(need))]++;
		if (++number % c->period == 0) {
			ok &= ws_grain_runs_add(&c->runs, c->size);
			memset(c->size, 0, sizeof c->size);
		}
	}
	return ok;
}

/* ---- sectors ---------------------------------------------------------------------- */

static enum ws_status push_sectors(struct form *f, struct at_sets *at, const struct ws_request *r,
				   size_t n, struct ws_err *err)
{
	enum ws_status status = ws_stack_push(at->stack, r, n, f->d, err);
	bool ok = true;

	for (size_t i = 0; i < n && status == WS_OK; i++)
		ok &= ws_tally_count(at->kind + r[i].kind, f->d[i],
				     (uint32_t)(f->q[i] / at->cache.sets));
	return status != WS_OK ? status : ok ? WS_OK
	       : ws_fail_memory(err, "a histogram of sectors");
}

/* ---- all of it ---------------------------------------------------------------------- */

static enum ws_status piece(struct ws_chunks *c, enum ws_chunk_form form,
			    const struct ws_request *r, size_t n, struct ws_err *err)
{
	struct form *f = c->form + form;
	bool sectors = form == WS_FORM_SECTORS;
	unsigned words = 1u << form;
	enum ws_status status = sectors ? ws_stack_push(f->full, r, n, f->q, err)
					: find_q(f, words, r, n, err);

	for (size_t i = 0; i < c->counts && status == WS_OK; i++) {
		if (sectors)
			status = push_sectors(f, f->at + i, r, n, err);
		else if (!push_lists(c, f, f->at + i, words, r, n))
			status = ws_fail_memory(err, "a histogram of chunks");
	}
	if (form == WS_FORM_128 && c->period && !count_sizes(c, f->clock, r, n))
		status = ws_fail_memory(err, "windows of requests");
	for (size_t i = 0; i < n; i++) {
		f->pushed[r[i].kind]++;
		f->clock += r[i].kind != WS_ATOMIC;
	}
	return status;
}

enum ws_status ws_chunks_push(struct ws_chunks *c, enum ws_chunk_form form,
			      const struct ws_request *r, size_t count, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (form == WS_FORM_SECTORS && !c->sectors)
		return WS_OK;
	for (size_t n; count && status == WS_OK; r += n, count -= n) {
		n = count < PIECE ? count : PIECE;
		status = piece(c, form, r, n, err);
	}
	return status;
}

static enum ws_status take_counts(struct ws_chunks *c, struct ws_chunked *to, struct ws_err *err)
{
	for (unsigned i = 0; i < WS_FORMS; i++) {
		struct form *f = c->form + i;

		for (size_t j = 0; f->at && j < c->counts; j++)
			for (unsigned kind = 0; kind < WS_KINDS; kind++) {
				struct ws_histogram *h = to[j].kind[i] + kind;
				uint64_t sum = 0;

				if (!ws_tally_take(h, f->at[j].kind + kind, &sum))
					return ws_fail_memory(err, "a histogram of chunks");
				h->requests += sum;
				if (sum != f->pushed[kind])
					return ws_fail(err, WS_EIO, "internal error: requests of "
						       "chunks do not add up");
			}
	}
	return WS_OK;
}

/* The windows of the SM are one run more; the last of them may be short. */
static bool take_windows(struct ws_chunks *c, struct ws_section *s)
{
	struct ws_grain_runs *runs = &s->grains;
	uint32_t count = 1;
	bool last = c->form[WS_FORM_128].clock % c->period, ok = true;

	if (last)
		ok = ws_grain_runs_add(&c->runs, c->size);
	if (!ok || !c->runs.windows)
		return ok;
	for (unsigned i = 0; i < WS_GRAINS && ok; i++)
		for (size_t j = 0; j < c->counts && ok; j++) {
			struct ws_series *from = &c->form[i].at[j].series;

			ok = (!last || ws_series_end(from)) &&
			     ws_grain_cells_append(s->chunked[j].window + i, runs->windows,
						   &from->ended, from->windows);
		}
	count = (uint32_t)c->runs.windows;
	c->runs.run = &count;
	c->runs.runs = 1;
	ok = ok && ws_grain_runs_append(runs, &c->runs);
	c->runs.run = NULL;
	return ok;
}

enum ws_status ws_chunks_take(struct ws_chunks *c, struct ws_section *to, struct ws_err *err)
{
	enum ws_status status = take_counts(c, to->chunked, err);

	if (status == WS_OK && c->period && !take_windows(c, to))
		status = ws_fail_memory(err, "windows of requests");
	return status;
}

/* ---- tables of a section -------------------------------------------------------------- */

enum ws_status ws_chunked_new(struct ws_section *s, const uint64_t *sets, size_t count,
			      uint64_t period, struct ws_err *err)
{
	s->grains.period = period;
	s->chunked = ws_alloc_zero(count, sizeof *s->chunked);
	if (!s->chunked)
		return ws_fail_memory(err, "a section of the profile");
	s->chunkeds = count;
	for (size_t i = 0; i < count; i++)
		s->chunked[i].sets = sets[i];
	return WS_OK;
}

const struct ws_chunked *ws_section_chunked(const struct ws_section *s, uint64_t sets)
{
	for (size_t i = 0; i < s->chunkeds; i++)
		if (s->chunked[i].sets == sets)
			return s->chunked + i;
	return NULL;
}
