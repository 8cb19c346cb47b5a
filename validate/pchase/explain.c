/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/explain.c -- caches that miss as a file says.
 *
 * A file cannot be asked for more.  So caches are tried: each replays the loads of the file, or
 * walks over the arrays of the curve, and the one that is off least is the nearest.  What it has in
 * common with all others that are about as near is determined.
 */
#include "validate/pchase/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINE_LEAST 32u
#define LINE_MOST 256u
#define SETS_MOST 256u
#define POINTS_MOST 12u		/* of the curve that are walked; under LRU it is all of it */
#define WALKED_MOST 65536u	/* loads of all walks of a cache */
#define WAYS_MOST 6u		/* values of ways that are tried; more of few loads */
#define ARRAY_MOST (1u << 22)	/* bytes of an array that is walked */
#define BASES 256u		/* lines of the array's address that are tried */
#define BASES_BYTES (1ull << 26) /* walked for them; larger arrays lie at 0 */
#define BEYOND 1.5		/* arrays up to this times the one that fits are walked */
#define LOADS_MOST 65536u	/* of a file that are replayed */
#define GROWTH 1.2		/* sizes of a curve: to this times the array that fits */
#define NEAR_PP 0.5		/* points: as near as the best */
#define NEAR_PART 0.1		/* and a part of its error */
#define FAR_PP 5.0		/* the best explains nothing */
#define EXPLAINED 0.95		/* confidence of what all that are near agree on */

struct chase_tried {
	struct ws_cache cache;
	uint64_t base;
	double error;
};

struct explainer {
	const struct ws_chase_file *file;
	struct ws_probe probe;	/* levels, for reading latencies */
	struct ws_chase_point point[POINTS_MOST];
	size_t points, walks;	/* walks: of the curve, from which those are */
	bool alike;		/* the curve can be derived */
	uint64_t low, high;	/* sizes that may be */
	uint64_t sector;	/* 0: not known */
	struct chase_tried *tried;
	size_t count, cap;
	double best;		/* error of those so far */
	bool no_memory;		/* for one to compare with */
};

static double near_error(double best)
{
	return best + NEAR_PP + NEAR_PART * best;
}

/* ---- replaying -------------------------------------------------------------------------- */

struct replay {
	struct ws_sim *sim;
	const struct ws_cache *cache;
	uint64_t misses, clock;
	bool *no_memory;
};

static bool replay_load(struct replay *r, uint64_t address, bool *miss)
{
	struct ws_counts kind[WS_KINDS + 1];
	uint64_t offset = address & (r->cache->line_bytes - 1);
	struct ws_request request = {
		.address = address - offset, .sectors = 1u << offset / WS_SECTOR_BYTES,
		.cycle = r->clock++, .kind = WS_LOAD,
	};
	struct ws_err ignored = { 0 };
	enum ws_status status = ws_sim_push(r->sim, &request, 1, &ignored);

	*r->no_memory |= status == WS_ENOMEM;
	if (status != WS_OK)
		return false;
	ws_sim_counts(r->sim, kind);
	*miss = kind[WS_KINDS].misses != r->misses;
	r->misses = kind[WS_KINDS].misses;
	return true;
}

/* |ratio - measured| of a walk over the array after one whole pass; over 1: it cannot be. */
static double point_error(struct replay *r, const struct ws_chase_point *p, uint64_t base)
{
	uint64_t step = p->stride < WS_SECTOR_BYTES ? WS_SECTOR_BYTES : p->stride;
	uint64_t pass = (p->array - 1) / step + 1, loads = p->loads ? p->loads : pass;
	double misses = 0, each = step == p->stride ? 1
		: (double)r->cache->sector_bytes / WS_SECTOR_BYTES; /* bytes count */
	bool miss;

	loads = loads > LOADS_MOST ? LOADS_MOST : loads;
	ws_sim_flush(r->sim);
	for (uint64_t i = 0; i < pass + loads; i++) {
		if (!replay_load(r, base + i % pass * step, &miss))
			return 2;
		misses += i >= pass && miss ? each : 0;
	}
	return fabs(misses / (double)loads - p->miss_ratio);
}

static double loads_error(struct replay *r, const struct explainer *e, double most)
{
	size_t count = e->file->loads < LOADS_MOST ? e->file->loads : LOADS_MOST;
	size_t wrong = 0, read = 0;
	bool miss;

	for (size_t i = 0; i < count && 100 * (double)wrong <= most * (double)count; i++) {
		enum ws_probe_load load = ws_probe_read(&e->probe, e->file->latency[i]);

		if (!replay_load(r, e->file->offset[i], &miss))
			return 2;
		read += load != WS_PROBE_UNREAD;
		wrong += load != WS_PROBE_UNREAD && miss != (load == WS_PROBE_MISS);
	}
	return read ? (double)wrong / (double)read : 2;
}

static bool is_walked(const struct explainer *e, const struct ws_chase_point *p)
{
	return p->array && p->array >= e->low && p->array < ARRAY_MOST &&
		(double)p->array <= BEYOND * (double)e->low;
}

/* Whether the walks near the array that fits can be derived under LRU: they are alike but for the
 * array, which grows, and time no more than a pass. */
static bool walks_alike(const struct explainer *e)
{
	uint64_t array = 0;

	for (size_t i = 0; i < e->file->points; i++) {
		const struct ws_chase_point *p = &e->file->point[i];
		uint64_t step = p->stride < WS_SECTOR_BYTES ? WS_SECTOR_BYTES : p->stride;

		if (!is_walked(e, p))
			continue;
		if (p->array < array || p->stride != e->point[0].stride ||
		    p->loads != e->point[0].loads || p->loads > p->array / step)
			return false;
		array = p->array;
	}
	return e->points > 0;
}

/* Of walks that are alike; no more than the sum that is `most` points in the mean is certain. */
static double curve_error(struct explainer *e, const struct ws_cache *cache, uint64_t base,
			  double most)
{
	struct ws_chase_point first = e->point[0];
	struct ws_chase_lru l;
	struct ws_err ignored = { 0 };
	enum ws_status status;
	double sum = 0, each = 1;

	first.base = base;
	status = ws_chase_lru_open(&l, cache, &first, &ignored);
	e->no_memory |= status == WS_ENOMEM;
	if (status != WS_OK) {
		ws_chase_lru_close(&l);
		return 2;
	}
	if (first.stride < WS_SECTOR_BYTES) /* bytes count */
		each = (double)cache->sector_bytes / WS_SECTOR_BYTES;
	for (size_t i = 0; i < e->file->points && 100 * sum <= most * (double)e->walks; i++) {
		const struct ws_chase_point *p = &e->file->point[i];

		if (is_walked(e, p))
			sum += fabs(each * ws_chase_lru_walk(&l, p->array) - p->miss_ratio);
	}
	ws_chase_lru_close(&l);
	return sum / (double)e->walks;
}

/* In points; 200 or more if there is no such cache.  Once it is more than `most`, at least that. */
static double replay_error(struct explainer *e, const struct ws_cache *cache, uint64_t base,
			   double most)
{
	struct replay r = { .cache = cache, .no_memory = &e->no_memory };
	struct ws_err ignored = { 0 };
	enum ws_status status;
	double sum = 0;

	if (e->alike && ws_policy_as_lru(cache))
		return 100 * curve_error(e, cache, base, most);
	status = ws_sim_new(&r.sim, cache, &ignored);
	e->no_memory |= status == WS_ENOMEM;
	if (status != WS_OK)
		return 200;
	if (e->file->loads)
		sum = loads_error(&r, e, most);
	for (size_t i = 0; i < e->points && !e->file->loads && 100 * sum <= most; i++)
		sum += point_error(&r, &e->point[i], base) / (double)e->points;
	ws_sim_free(r.sim);
	return 100 * sum;
}

/* ---- what is tried ------------------------------------------------------------------------ */

static enum ws_status try_cache(struct explainer *e, struct ws_cache cache, struct ws_err *err)
{
	struct ws_err ignored = { 0 };
	struct chase_tried *t;
	uint64_t bases = BASES;

	cache.size_bytes = cache.sets * cache.ways * cache.line_bytes;
	if (cache.hash->check && cache.hash->check(&cache, &ignored) != WS_OK)
		return WS_OK;
	/* A block of warps walks no known way: there is no point in asking where. */
	if (!e->alike || cache.hash == ws_hashes[0] || e->point[0].stride < WS_SECTOR_BYTES)
		bases = 1;
	if (bases * e->high > BASES_BYTES)
		bases = 1;
	if (!WS_ROOM(e->tried, e->cap, e->count + 1))
		return ws_fail_memory(err, "the caches");
	t = &e->tried[e->count++];
	*t = (struct chase_tried){ .cache = cache, .error = 200 };
	for (uint64_t i = 0; i < bases; i++) {
		uint64_t base = i * cache.line_bytes;
		double error = replay_error(e, &cache, base, near_error(e->best));

		if (error < t->error) {
			t->base = base;
			t->error = error;
		}
		if (error < e->best)
			e->best = error;
	}
	return e->no_memory ? ws_fail_memory(err, "a cache to compare with") : WS_OK;
}

/* All ways that give a size that may be, or some of them. */
static enum ws_status try_ways(struct explainer *e, struct ws_cache cache, struct ws_err *err)
{
	uint64_t way = cache.sets * cache.line_bytes, first = (e->low + way - 1) / way;
	uint64_t last = e->high / way, step = 1, most = WAYS_MOST;
	enum ws_status status = WS_OK;

	first += first == 0;
	if (e->file->loads && e->file->loads < WALKED_MOST / WAYS_MOST)
		most = WALKED_MOST / e->file->loads;
	if (last >= first + most)
		step = (last - first) / most + 1;
	for (cache.ways = first; cache.ways <= last && status == WS_OK; cache.ways += step)
		status = try_cache(e, cache, err);
	return status;
}

static enum ws_status try_geometries(struct explainer *e, struct ws_err *err)
{
	struct ws_cache c = { 0 };
	enum ws_status status = WS_OK;

	ws_policy_set_lru(&c);
	for (c.line_bytes = LINE_LEAST; c.line_bytes <= LINE_MOST; c.line_bytes *= 2)
		for (c.sector_bytes = e->sector ? e->sector : LINE_LEAST;
		     c.sector_bytes <= (e->sector ? e->sector : c.line_bytes); c.sector_bytes *= 2)
			for (c.sets = 1; c.sets <= SETS_MOST; c.sets *= 2)
				for (size_t h = 0; ws_hashes[h] && status == WS_OK; h++) {
					c.hash = ws_hashes[h];
					if (c.hash->parse || c.sector_bytes > c.line_bytes ||
					    (c.sets == 1 && h))
						continue;
					status = try_ways(e, c, err);
				}
	return status;
}

/* ---- what the file says by itself ---------------------------------------------------------- */

/* Of fresh memory the least stride of which every load misses. */
static void read_sector(struct explainer *e, struct ws_chase *out)
{
	uint64_t all = UINT64_MAX, some = 0;

	for (size_t i = 0; i < e->file->points; i++) {
		const struct ws_chase_point *p = &e->file->point[i];

		if (p->array)
			continue;
		if (p->miss_ratio > 0.99 && p->stride < all)
			all = p->stride;
		if (p->miss_ratio <= 0.99 && p->stride > some)
			some = p->stride;
	}
	if (some && some < all && ws_is_pow2(all) && all >= LINE_LEAST && all <= LINE_MOST) {
		e->sector = all;
		out->sector = (struct ws_chase_value){ all, EXPLAINED };
	}
}

static void read_curve(struct explainer *e, struct ws_chase_nearest *nearest)
{
	const struct ws_chase_file *f = e->file;
	size_t usable = 0, most;

	nearest->overflows = UINT64_MAX;
	for (size_t i = 0; i < f->points; i++) /* a few misses are the measurement's */
		if (f->point[i].miss_ratio > 0.01 && f->point[i].array &&
		    f->point[i].array < nearest->overflows)
			nearest->overflows = f->point[i].array;
	for (size_t i = 0; i < f->points; i++)
		if (f->point[i].array < nearest->overflows &&
		    f->point[i].array > nearest->fits)
			nearest->fits = f->point[i].array;
	if (nearest->overflows == UINT64_MAX)
		nearest->overflows = 0;
	e->low = nearest->fits;
	e->high = (uint64_t)((double)nearest->fits * GROWTH);
	for (size_t i = 0; i < f->points; i++)
		usable += is_walked(e, &f->point[i]);
	e->walks = usable;
	most = WALKED_MOST / (2 * e->low / WS_SECTOR_BYTES + 1);
	most = most > POINTS_MOST ? POINTS_MOST : most < 3 ? 3 : most;
	for (size_t i = 0, k = 0; i < f->points && e->points < POINTS_MOST; i++)
		if (is_walked(e, &f->point[i]) && k++ % (usable / most + 1) == 0)
			e->point[e->points++] = f->point[i];
	e->alike = walks_alike(e);
}

static enum ws_status read_loads(struct explainer *e, struct ws_chase *out, struct ws_err *err)
{
	const struct ws_chase_file *f = e->file;
	double *sorted = ws_alloc(f->loads, sizeof *sorted);
	uint64_t last = 0;

	if (!sorted)
		return ws_fail_memory(err, "the latencies");
	memcpy(sorted, f->latency, f->loads * sizeof *sorted);
	ws_probe_clusters(out, sorted, f->loads);
	free(sorted);
	for (size_t i = 0; i < f->loads; i++)
		last = f->offset[i] > last ? f->offset[i] : last;
	e->low = last / 2;
	e->high = last < ARRAY_MOST ? last + 1 : ARRAY_MOST;
	return WS_OK;
}

/* ---- what the near ones agree on ------------------------------------------------------------ */

static void agree(struct ws_chase *out, const struct explainer *e, const struct chase_tried *best)
{
	const struct ws_cache *b = &best->cache;
	double near = near_error(best->error);
	double line = EXPLAINED, ways = EXPLAINED, sets = EXPLAINED, size = EXPLAINED;
	double sector = EXPLAINED, hash = EXPLAINED;

	for (size_t i = 0; i < e->count; i++) {
		const struct ws_cache *c = &e->tried[i].cache;

		if (e->tried[i].error > near)
			continue;
		line = c->line_bytes == b->line_bytes ? line : 0;
		ways = c->ways == b->ways ? ways : 0;
		sets = c->sets == b->sets ? sets : 0;
		size = c->size_bytes == b->size_bytes ? size : 0;
		sector = c->sector_bytes == b->sector_bytes ? sector : 0;
		hash = c->hash == b->hash ? hash : 0;
	}
	out->line = (struct ws_chase_value){ b->line_bytes, line };
	out->ways = (struct ws_chase_value){ b->ways, ways };
	out->sets = (struct ws_chase_value){ b->sets, sets };
	out->size = (struct ws_chase_value){ b->size_bytes, size };
	out->sector = (struct ws_chase_value){ b->sector_bytes, sector };
	snprintf(out->hash, sizeof out->hash, "%s", b->hash->name);
	out->hash_confidence = hash;
}

/* The policies that are as near with the best geometry. */
static void agree_policy(struct ws_chase *out, struct explainer *e,
			 struct chase_tried *best)
{
	double near = near_error(best->error);

	for (size_t i = 0; ws_policies[i]; i++) {
		struct ws_cache cache = best->cache;
		size_t len = strlen(out->policy);

		snprintf(cache.policy, sizeof cache.policy, "%s", ws_policies[i]->name);
		if (ws_policies[i]->offline || replay_error(e, &cache, best->base, near) > near)
			continue;
		snprintf(out->policy + len, sizeof out->policy - len, "%s%s", len ? " " : "",
			 ws_policies[i]->name);
	}
	if (out->policy[0] && out->line.confidence > 0 && out->sets.confidence > 0 &&
	    out->ways.confidence > 0)
		out->policy_confidence = EXPLAINED;
}

enum ws_status ws_chase_explain(struct ws_chase *out, struct ws_chase_nearest *nearest,
				const struct ws_chase_file *f, struct ws_err *err)
{
	struct explainer e = { .file = f, .probe.found = out, .best = 200 };
	struct chase_tried *best = NULL;
	enum ws_status status = WS_OK;

	*out = (struct ws_chase){ 0 };
	*nearest = (struct ws_chase_nearest){ 0 };
	if (f->loads) {
		status = read_loads(&e, out, err);
	} else {
		read_sector(&e, out);
		read_curve(&e, nearest);
	}
	if (status == WS_OK && (f->loads ? out->levels > 1 : nearest->overflows > 0))
		status = try_geometries(&e, err);
	for (size_t i = 0; i < e.count; i++)
		if (!best || e.tried[i].error < best->error)
			best = &e.tried[i];
	if (status == WS_OK && best) {
		nearest->cache = best->cache;
		nearest->base = best->base;
		nearest->best_pp = best->error;
	}
	if (status == WS_OK && best && best->error <= FAR_PP) {
		agree(out, &e, best);
		agree_policy(out, &e, best);
		if (e.no_memory)
			status = ws_fail_memory(err, "a cache to compare with");
	}
	free(e.tried);
	return status;
}
