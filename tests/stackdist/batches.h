/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/batches.h -- small random streams as the recorders get them: where each
 * request was found in stacks that are plain lists, as stackdist.h describes them.
 */
#ifndef WS_TEST_BATCHES_H
#define WS_TEST_BATCHES_H

#include "stackdist/record/detail.h"
#include "stackdist/stack/lines.h"
#include "tests/test.h"

#define BATCHES_HOLE UINT32_MAX
#define BATCHES_SECTORS 4u

struct batches {
	struct ws_cache cache;	/* sets, line_bytes, sector_bytes, write; set = line % sets */
	unsigned sectors;	/* of a line */
	uint32_t lines;		/* that there may be */
	size_t count;
	struct ws_request *request;
	uint32_t *id, *set, *position, *distance, *sector;
	size_t *first_sector;	/* of request i in sector; [count]: how many */
	uint8_t *type;
	/* the stacks */
	uint32_t *number;	/* by line: its id */
	uint32_t numbers;
	uint32_t *stack;	/* [set * lines + position]: id or HOLE */
	uint32_t *depth;	/* by set */
	uint64_t *last;		/* by id: time of last use; write-through */
	uint32_t *m;		/* [id * sectors + sector] */
};

static inline void *batches_room(size_t count, size_t size)
{
	void *p = calloc(count + 1, size);

	if (!p)
		abort();
	return p;
}

static inline void batches_free(struct batches *b)
{
	free(b->request);
	free(b->id);
	free(b->set);
	free(b->position);
	free(b->distance);
	free(b->sector);
	free(b->first_sector);
	free(b->type);
	free(b->number);
	free(b->stack);
	free(b->depth);
	free(b->last);
	free(b->m);
}

static inline void batches_new(struct batches *b, const struct ws_cache *cache, uint32_t lines,
			       size_t count)
{
	*b = (struct batches){ .cache = *cache, .lines = lines, .count = count };
	b->sectors = (unsigned)(cache->line_bytes / cache->sector_bytes);
	b->request = batches_room(count, sizeof *b->request);
	b->id = batches_room(count, sizeof *b->id);
	b->set = batches_room(count, sizeof *b->set);
	b->position = batches_room(count, sizeof *b->position);
	b->distance = batches_room(count, sizeof *b->distance);
	b->sector = batches_room(count * b->sectors, sizeof *b->sector);
	b->first_sector = batches_room(count, sizeof *b->first_sector);
	b->type = batches_room(count, sizeof *b->type);
	b->number = batches_room(lines, sizeof *b->number);
	b->stack = batches_room(lines * (size_t)cache->sets, sizeof *b->stack);
	b->depth = batches_room((size_t)cache->sets, sizeof *b->depth);
	b->last = batches_room(lines, sizeof *b->last);
	b->m = batches_room((size_t)lines * b->sectors, sizeof *b->m);
	for (uint32_t i = 0; i < lines; i++)
		b->number[i] = WS_LINE_NONE;
}

/* ---- the stacks ------------------------------------------------------------------- */

/* Position of what, or the depth of the stack. */
static inline uint32_t batches_find(const uint32_t *stack, uint32_t depth, uint32_t what)
{
	uint32_t k = 0;

	while (k < depth && stack[k] != what)
		k++;
	return k;
}

/* What was above position k goes down by one, to k. */
static inline void batches_shift(uint32_t *stack, uint32_t k, uint32_t on_top)
{
	memmove(stack + 1, stack, k * sizeof *stack);
	stack[0] = on_top;
}

static inline void batches_load_holes(uint32_t *stack, uint32_t k, uint32_t depth, uint32_t id)
{
	uint32_t hole = batches_find(stack, depth, BATCHES_HOLE);

	if (hole < k) {
		if (k < depth)
			stack[k] = BATCHES_HOLE;
		k = hole;
	}
	batches_shift(stack, k, id);
}

static inline void batches_load_times(const struct batches *b, uint32_t *stack, uint32_t k,
				      uint32_t depth, uint32_t id)
{
	uint32_t down = depth ? stack[0] : id;

	for (uint32_t j = 1; j < k; j++)
		if (b->last[stack[j]] < b->last[down]) {
			uint32_t older = stack[j];

			stack[j] = down;
			down = older;
		}
	if (k > 0)
		stack[k] = down;
	stack[0] = id;
}

/* One use of a line that has a number; the position it was found at. */
static inline uint32_t batches_use(struct batches *b, uint32_t set, uint32_t id, bool store)
{
	uint32_t *stack = b->stack + (size_t)set * b->lines, depth = b->depth[set];
	uint32_t k = batches_find(stack, depth, id);

	if (store) {
		if (k < depth && b->cache.write == WS_WRITE_EVICT)
			stack[k] = BATCHES_HOLE;
	} else {
		bool fills = b->cache.write == WS_WRITE_EVICT &&
			     batches_find(stack, depth, BATCHES_HOLE) < depth;

		b->depth[set] += k == depth && !fills;
		if (b->cache.write == WS_WRITE_EVICT)
			batches_load_holes(stack, k, depth, id);
		else if (b->cache.write == WS_WRITE_THROUGH)
			batches_load_times(b, stack, k, depth, id);
		else
			batches_shift(stack, k, id);
	}
	return k < depth ? k : WS_DISTANCE_UNCACHED;
}

static inline bool batches_allocates(const struct batches *b, const struct ws_request *r)
{
	return r->kind == WS_LOAD || (r->kind == WS_STORE && ws_store_allocates(b->cache.write));
}

/* The sectors asked for in units of the cache's sectors. */
static inline uint32_t batches_mask(const struct batches *b, uint32_t sectors)
{
	unsigned fold = (unsigned)(b->cache.sector_bytes / WS_SECTOR_BYTES);
	uint32_t mask = 0;

	for (unsigned s = 0; s < 32; s++)
		if (sectors >> s & 1 && s / fold < b->sectors)
			mask |= 1u << s / fold;
	return mask;
}

/* Updates m and lists it for the sectors asked for; the largest of these, or least. */
static inline uint32_t batches_sectors(struct batches *b, size_t i, uint32_t position,
				       uint32_t least)
{
	const struct ws_request *r = b->request + i;
	uint32_t mask = batches_mask(b, r->sectors), id = b->id[i];
	bool fetch = batches_allocates(b, r);

	for (unsigned s = 0; s < b->sectors; s++) {
		uint32_t none = WS_DISTANCE_UNCACHED;
		uint32_t *m = id == WS_LINE_NONE ? &none : b->m + (size_t)id * b->sectors + s;

		if (position <= WS_DISTANCE_MAX && *m <= WS_DISTANCE_MAX && *m < position)
			*m = position;
		if (mask >> s & 1) {
			b->sector[b->first_sector[i + 1]++] = *m;
			least = *m > least ? *m : least;
			if (fetch)
				*m = 0;
		}
		if (r->kind == WS_STORE && !fetch && b->cache.write == WS_WRITE_EVICT &&
		    *m <= WS_DISTANCE_MAX)
			*m = WS_DISTANCE_UNCACHED;
	}
	return least;
}

static inline uint8_t batches_type(const struct batches *b, const struct ws_request *r,
				   uint32_t position)
{
	if (batches_allocates(b, r))
		return position == WS_DISTANCE_COLD ? WS_TYPE_COLD :
		       position == WS_DISTANCE_UNCACHED ? WS_TYPE_RELOAD :
		       (uint8_t)ws_bin(position);
	return r->kind == WS_STORE && b->cache.write == WS_WRITE_EVICT &&
	       position <= WS_DISTANCE_MAX ? WS_TYPE_EVICT : WS_TYPE_NONE;
}

/* Finds request i, of which address, kind and sectors are set. */
static inline void batches_locate(struct batches *b, size_t i)
{
	const struct ws_request *r = b->request + i;
	uint64_t line = r->address / b->cache.line_bytes;
	uint32_t position = WS_DISTANCE_UNCACHED, id;
	bool allocates = batches_allocates(b, r), new = false;

	if (allocates && b->number[line] == WS_LINE_NONE) {
		b->number[line] = b->numbers++;
		new = true;
		for (unsigned s = 0; s < b->sectors; s++)
			b->m[(size_t)b->number[line] * b->sectors + s] = WS_DISTANCE_COLD;
	}
	id = r->kind == WS_ATOMIC ? WS_LINE_NONE : b->number[line];
	b->id[i] = id;
	b->set[i] = (uint32_t)(line % b->cache.sets);
	if (id != WS_LINE_NONE) {
		position = batches_use(b, b->set[i], id, !allocates);
		b->last[id] = i + 1;
	}
	b->position[i] = new ? WS_DISTANCE_COLD : position;
	b->type[i] = batches_type(b, r, b->position[i]);
	b->first_sector[i + 1] = b->first_sector[i];
	b->distance[i] = batches_sectors(b, i, position, b->position[i]);
}

/* ---- random ones ------------------------------------------------------------------ */

static inline struct ws_cache batches_cache(struct ws_rng *rng)
{
	struct ws_cache c = { .sets = 1, .line_bytes = 128 };

	if (ws_rng_below(rng, 2))
		c.sets = 1 + ws_rng_below(rng, 1 + 63 * ws_rng_below(rng, 2));
	c.line_bytes = ws_rng_below(rng, 4) ? 128 : 256;
	c.sector_bytes = c.line_bytes >> ws_rng_below(rng, 3);
	c.write = (enum ws_write)ws_rng_below(rng, 4);
	return c;
}

/* Cycles that stand still, step, leap. */
static inline uint64_t batches_cycle(struct ws_rng *rng, uint64_t cycle, uint64_t leaps)
{
	if (ws_rng_below(rng, 200) < leaps)
		return cycle + ws_rng_below(rng, 3 * WS_FILL_REUSE_MAX) +
		       (ws_rng_below(rng, 4) ? 0 : (uint64_t)1 << (12 + ws_rng_below(rng, 40)));
	if (leaps == 1)
		return cycle;
	return cycle + (ws_rng_below(rng, 4) ? ws_rng_below(rng, 2 + 100 * (leaps % 3)) : 0);
}

static inline void batches_fill(struct batches *b, struct ws_rng *rng)
{
	uint64_t stores = ws_rng_below(rng, 8), leaps = ws_rng_below(rng, 12), cycle = 0;
	uint64_t near = 1 + ws_rng_below(rng, b->lines), split = ws_rng_below(rng, 5);

	for (size_t i = 0; i < b->count; i++) {
		uint64_t line = ws_rng_below(rng, ws_rng_below(rng, 4) ? near : b->lines);
		uint64_t kind = ws_rng_below(rng, 16);
		uint32_t some = (uint32_t)ws_rng_u64(rng) |
				1u << ws_rng_below(rng, b->cache.line_bytes / WS_SECTOR_BYTES);

		cycle = batches_cycle(rng, cycle, leaps);
		b->request[i] = (struct ws_request){
			.address = line * b->cache.line_bytes, .cycle = cycle,
			.sectors = ws_rng_below(rng, 4) < split ? some : 255,
			.kind = kind < stores ? WS_STORE : kind == 15 ? WS_ATOMIC : WS_LOAD,
		};
		batches_locate(b, i);
	}
}

static inline struct ws_batch batches_piece(const struct batches *b, size_t from, size_t count)
{
	return (struct ws_batch){
		.count = count, .request = b->request + from, .id = b->id + from,
		.set = b->set + from, .position = b->position + from,
		.distance = b->distance + from, .type = b->type + from,
		.sector = b->sectors > 1 ? b->sector + b->first_sector[from] : NULL,
	};
}

#endif
