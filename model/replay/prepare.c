/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/replay/prepare.c -- reads a sample of sets: its requests, and the bins of their distances,
 * which LRU stacks measure again.
 */
#include "machine/sectors.h"
#include "model/replay/parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool ws_replay_suits(const struct ws_geometry *g, const struct ws_policy *policy)
{
	bool shares = policy->cache_words || policy->table_bytes;

	return g->sample && policy->victim && !policy->meet &&
	       (g->sample->requests || !g->sample->halvings) &&
	       (!g->sample->halvings || !shares || !policy->solve);
}

void ws_replay_free(struct ws_replay *r)
{
	if (!r)
		return;
	free(r->run);
	free(r->item);
	free(r->cell);
	free(r->time);
	free(r->set);
	free(r->address);
	free(r->index);
	free(r);
}

bool ws_replay_timed(const struct ws_geometry *g)
{
	const struct ws_set_sample *s = g->sample;
	bool all = s && s->runs;

	for (size_t i = 0; all && i < s->runs; i++)
		all = s->run[i].timed;
	return all;
}

static bool allocate(struct ws_replay *r, const struct ws_set_sample *s, bool timed)
{
	size_t lines = 0;

	for (size_t i = 0; i < s->runs; i++)
		lines += (size_t)s->run[i].lines;
	if (timed)
		r->time = ws_alloc_zero((size_t)s->requests + 1, sizeof *r->time);
	r->run = ws_alloc_zero(s->runs + 1, sizeof *r->run);
	r->item = ws_alloc_zero((size_t)s->requests + 1, sizeof *r->item);
	r->cell = ws_alloc_zero((size_t)s->requests + 1, sizeof *r->cell);
	r->set = ws_alloc_zero(lines + 1, sizeof *r->set);
	r->address = ws_alloc_zero(lines + 1, sizeof *r->address);
	r->index = ws_alloc_zero(lines + 1, sizeof *r->index);
	return r->run && r->item && r->cell && r->set && r->address && r->index &&
	       (r->time || !timed);
}

struct preparing {
	struct ws_replay *replay;
	const struct ws_cache *cache;
	struct ws_stack *stack;
	uint32_t *dense;	/* by set of the cache: its number in the run + 1 */
	struct ws_request *request; /* room for a run's */
	uint32_t *distance;
	size_t cap, distance_cap;
};

/* The lines of the run are in r->address. */
static void number_sets(struct preparing *p, struct ws_replay_run *run)
{
	struct ws_replay *r = p->replay;

	for (size_t i = run->line; i < run->line + run->lines; i++) {
		uint64_t set = ws_set_index(p->cache, r->address[i]);

		if (!p->dense[set]) {
			r->index[r->clusters++] = set;
			p->dense[set] = (uint32_t)++run->clusters;
		}
		r->set[i] = p->dense[set] - 1;
	}
	for (size_t i = run->cluster; i < run->cluster + run->clusters; i++)
		p->dense[r->index[i]] = 0;
	if (run->clusters > r->sets_most)
		r->sets_most = run->clusters;
}

static void read_items(struct preparing *p, const struct ws_sampled_run *from,
		       struct ws_replay_run *run)
{
	struct ws_replay *r = p->replay;
	struct ws_run_reader reader = ws_run_read(from, p->cache->line_bytes,
						  p->cache->sector_bytes < p->cache->line_bytes,
						  r->address + run->line);
	struct ws_sectoring by = ws_sectoring_of(p->cache->line_bytes, p->cache->sector_bytes);
	struct ws_sampled_request s;

	while (ws_run_next(&reader, &s)) {
		if (r->time)
			r->time[run->item + run->items] = (struct ws_replay_time){ s.cycle,
										   s.fetch };
		p->request[run->items] = (struct ws_request){
			.address = s.address, .sectors = s.sectors, .kind = s.kind,
		};
		r->item[run->item + run->items++] = (struct ws_replay_item){
			.line = s.line, .mask = s.sectors,
			.sectors = ws_sectors_asked(by, s.sectors),
			.instruction = s.instruction, .idle = s.idle, .kind = s.kind,
		};
	}
	run->lines = (size_t)reader.lines;
}

/* A request that did not fetch would fetch as long as the run's last fetch before it did. */
static void guess_fetches(const struct ws_replay *r, const struct ws_replay_run *run)
{
	struct ws_replay_time *t = r->time + run->item;
	uint64_t last = 0;

	for (size_t i = 0; i < run->items && !last; i++)
		last = t[i].fetch;
	for (size_t i = 0; i < run->items; i++) {
		last = t[i].fetch ? t[i].fetch : last;
		t[i].fetch = last;
	}
}

static enum ws_status find_distances(struct preparing *p, const struct ws_replay_run *run,
				     struct ws_err *err)
{
	struct ws_replay *r = p->replay;
	enum ws_status status = ws_stack_new(&p->stack, p->cache, 1, err);

	if (status == WS_OK)
		status = ws_stack_push(p->stack, p->request, run->items, p->distance, err);
	ws_stack_free(p->stack);
	for (size_t i = 0; i < run->items && status == WS_OK; i++) {
		struct ws_replay_item *item = r->item + run->item + i;
		bool finite = p->distance[i] <= WS_DISTANCE_MAX;

		item->bin = finite ? (uint8_t)ws_bin(p->distance[i]) : WS_REPLAY_NOT_FINITE;
	}
	return status;
}

/* Sets are dealt out to the groups in turn. */
static void number_cells(struct ws_replay *r)
{
	static_assert(WS_REPLAY_CELLS <= WS_REPLAY_CELL_MASK, "two bits are left");
	r->groups = r->clusters < WS_REPLAY_GROUPS ? (unsigned)r->clusters : WS_REPLAY_GROUPS;
	for (size_t k = 0; k < r->runs; k++) {
		const struct ws_replay_run *run = r->run + k;

		for (size_t i = run->item; i < run->item + run->items; i++) {
			const struct ws_replay_item *item = r->item + i;
			size_t set = run->cluster + r->set[run->line + item->line];
			bool finite = item->bin != WS_REPLAY_NOT_FINITE;
			size_t cell = finite ? WS_REPLAY_CELL(set % r->groups, item->kind,
							      item->bin) : item->kind;

			r->count[cell]++;
			r->cell[i] = (uint16_t)(cell | (finite ? WS_REPLAY_FINITE : 0) |
						(item->kind == WS_STORE ? WS_REPLAY_STORE : 0));
		}
	}
}

static enum ws_status prepare_run(struct preparing *p, const struct ws_sampled_run *from,
				  struct ws_err *err)
{
	struct ws_replay *r = p->replay;
	struct ws_replay_run *run = r->run + r->runs++;
	enum ws_status status;

	*run = (struct ws_replay_run){ .item = r->items, .line = r->lines, .cluster = r->clusters };
	if (!WS_ROOM(p->request, p->cap, (size_t)from->requests) ||
	    !WS_ROOM(p->distance, p->distance_cap, (size_t)from->requests))
		return ws_fail_memory(err, "a sample of sets");
	read_items(p, from, run);
	if (r->time)
		guess_fetches(r, run);
	number_sets(p, run);
	status = find_distances(p, run, err);
	r->items += run->items;
	r->lines += run->lines;
	return status;
}

enum ws_status ws_replay_new(struct ws_replay **out, const struct ws_geometry *g,
			     const struct ws_cache *cache, struct ws_err *err)
{
	struct ws_replay *r = ws_alloc_zero(1, sizeof *r);
	struct preparing p = { .replay = r, .cache = cache };
	enum ws_status status = WS_OK;

	*out = r;
	p.dense = ws_alloc_zero((size_t)cache->sets, sizeof *p.dense);
	if (!r || !p.dense || !allocate(r, g->sample, ws_replay_timed(g)))
		status = ws_fail_memory(err, "a sample of sets");
	for (size_t i = 0; status == WS_OK && i < g->sample->runs; i++)
		status = prepare_run(&p, g->sample->run + i, err);
	if (status == WS_OK) {
		number_cells(r);
		r->halvings = g->sample->halvings;
	}
	free(p.dense);
	free(p.request);
	free(p.distance);
	if (status != WS_OK) {
		ws_replay_free(r);
		*out = NULL;
	}
	return status;
}

