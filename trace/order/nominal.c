/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/nominal.c -- the memory that the profile pass schedules against:
 * fixed latencies, hit or miss decided by an LRU cache of the machine's own L1
 * geometry for each L1 (ws_l1s).
 *
 * Modelled: sets, ways, line, set index, sectors, what a store does (enum ws_write).  Atomics
 * bypass the L1.  Not modelled: other policies than LRU, outstanding fills (a line is there at
 * once), MSHRs, bandwidth, L2 contents.
 *
 * A set is an array of ways, most recent first, empty ones (no sectors) last; a lookup costs
 * O(ways).  Memory is 16 B a line, untouched for SMs not used.
 *
 * This is not the LRU cache of stackdist/l1_filter.c, whose lines are found by a hash table: a miss
 * of a set of 4 ways takes 18 ns here and 52 ns there, of 256 ways 193 ns and 47 ns.  Set arrays
 * also need no memory after the start, so that an access cannot fail.
 */
#include "machine/sectors.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

struct nominal_way {
	uint64_t line;		/* address */
	uint32_t sectors;	/* those that are there; 0: empty */
};

struct nominal {
	struct ws_memory memory;
	struct ws_cache l1;
	uint64_t miss_cycles, l1s, parts;
	struct ws_sectoring by;
	size_t lines;		/* of an L1, each set with the most ways */
	uint32_t *ways;		/* of each set; NULL: l1.ways */
	bool *used;		/* [number] */
	struct nominal_way *way;	/* [number][set][way] */
};

static struct nominal_way *set_of(struct nominal *n, uint64_t l1, uint64_t line, size_t *ways)
{
	uint64_t set = ws_set_index(&n->l1, line);

	n->used[l1] = true;
	*ways = n->ways ? n->ways[set] : (size_t)n->l1.ways;
	return n->way + l1 * n->lines + set * n->l1.ways;
}

/* The way that holds the line, else the first empty one, else ways. */
static size_t find_way(const struct nominal_way *set, size_t ways, uint64_t line)
{
	size_t i = 0;

	while (i < ways && set[i].sectors && set[i].line != line)
		i++;
	return i;
}

static void to_front(struct nominal_way *set, size_t i)
{
	struct nominal_way moved = set[i];

	memmove(set + 1, set, i * sizeof *set);
	set[0] = moved;
}

/* True if all sectors were there; they are now. */
static bool allocate_line(struct nominal *n, uint64_t l1, const struct ws_request *r)
{
	size_t ways, i;
	struct nominal_way *set = set_of(n, l1, r->address, &ways);
	bool hit;

	if (!ways)
		return false;
	i = find_way(set, ways, r->address);
	if (i == ways)
		set[--i].sectors = 0;
	hit = (r->sectors & ~set[i].sectors) == 0;
	if (!hit) {
		set[i].line = r->address;
		set[i].sectors |= ws_sectors_fetched(n->by, r->sectors);
	}
	if (i)
		to_front(set, i);
	return hit;
}

/* A store that does not allocate: refreshes the line, or evicts it. */
static void pass(struct nominal *n, uint64_t l1, uint64_t line)
{
	size_t ways;
	struct nominal_way *set = set_of(n, l1, line, &ways);
	size_t i = find_way(set, ways, line);

	if (i == ways || !set[i].sectors)
		return;
	if (ws_store_act(n->l1.write) != WS_ACT_EVICT) {
		to_front(set, i);
		return;
	}
	memmove(set + i, set + i + 1, (ways - i - 1) * sizeof *set);
	set[ways - 1].sectors = 0;
}

static void store_line(struct nominal *n, uint64_t l1, const struct ws_request *r)
{
	if (ws_store_allocates(n->l1.write))
		allocate_line(n, l1, r);
	else
		pass(n, l1, r->address);
}

static uint64_t access_memory(struct ws_memory *self, uint64_t sm,
			      const struct ws_request *request, size_t count, uint64_t cycle)
{
	struct nominal *n = (struct nominal *)self;
	/* All of one warp. */
	uint64_t part = count ? request->part : 0;
	uint64_t l1 = sm * n->parts + part, last = 0;

	for (size_t i = 0; i < count; i++) {
		const struct ws_request *r = &request[i];
		uint64_t back = cycle + i;

		if (r->kind == WS_STORE) {
			store_line(n, l1, r);
			back++;
		} else if (r->kind == WS_LOAD && allocate_line(n, l1, r)) {
			back += n->l1.latency_cycles;
		} else {
			back += n->miss_cycles;
		}
		last = back > last ? back : last;
	}
	return last;
}

static void flush_memory(struct ws_memory *self)
{
	struct nominal *n = (struct nominal *)self;

	for (uint64_t i = 0; i < n->l1s; i++) {
		if (n->used[i])
			memset(n->way + i * n->lines, 0, n->lines * sizeof *n->way);
		n->used[i] = false;
	}
}

static void free_nominal(struct ws_memory *self)
{
	struct nominal *n = (struct nominal *)self;

	if (!n)
		return;
	free(n->used);
	free(n->way);
	free(n->ways);
	free(n);
}

enum ws_status ws_nominal_new(struct ws_memory **out, const struct ws_machine *m,
			      struct ws_err *err)
{
	struct nominal *n = ws_alloc_zero(1, sizeof *n);

	if (!n)
		return ws_fail_memory(err, "the nominal memory");
	n->memory = (struct ws_memory){ access_memory, flush_memory, free_nominal };
	n->parts = m->l1_parts;
	n->l1 = m->l1;
	n->miss_cycles = m->l1.latency_cycles + m->l2.latency_cycles;
	n->l1s = ws_l1s(m);
	n->lines = (size_t)(m->l1.sets * m->l1.ways);
	n->by = ws_sectoring_of(m->l1.line_bytes, m->l1.sector_bytes);
	n->used = ws_alloc_zero((size_t)n->l1s, sizeof *n->used);
	if (n->lines <= SIZE_MAX / n->l1s)
		n->way = ws_alloc_zero((size_t)n->l1s * n->lines, sizeof *n->way);
	if (!n->used || !n->way || !ws_cache_set_ways(&n->l1, &n->ways)) {
		free_nominal(&n->memory);
		return ws_fail_memory(err, "the nominal memory's caches");
	}
	*out = &n->memory;
	return WS_OK;
}
