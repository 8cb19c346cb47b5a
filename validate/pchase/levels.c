/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/levels.c -- which latencies there are: clusters of what loads took.
 *
 * The sample has loads that hit for certain (one address again and again), loads of fresh lines,
 * the same when only what is behind the cache has them, and walks over arrays of growing size, of
 * each of which as many loads count.  Clusters are runs of full cells of a histogram of
 * logarithms; outliers are spread too thin to fill one.
 */
#include "validate/pchase/probe.h"

#include <math.h>
#include <stdlib.h>

#define HITS 4096u		/* loads of one address */
#define KEPT 512u		/* loads of a walk that count, its last */
#define FRESH 512u
#define FRESH_STRIDE 256u
#define WALK_STRIDE 512u
#define WALK_FIRST (1u << 12)	/* bytes */
#define WALK_LAST (1u << 22)
#define SCATTER 40503u		/* odd, so that a power of two of lines is walked in no order that
				 * a prefetcher knows */
#define CELLS 512u
#define CELL_WIDTH 0.03		/* of a logarithm */
#define SMOOTH 2u		/* cells on both sides */
#define SIGMAS 5.0

struct latencies {
	double *cycles;
	size_t count, cap;
};

static enum ws_status keep_answers(struct latencies *l, const struct ws_probe *p, size_t from,
				   struct ws_err *err)
{
	if (!WS_ROOM(l->cycles, l->cap, l->count + p->program.count))
		return ws_fail_memory(err, "the latencies");
	if (from + KEPT < p->program.count)
		from = p->program.count - KEPT;
	for (size_t i = from; i < p->program.count; i++)
		l->cycles[l->count++] = p->cycles[i];
	return WS_OK;
}

/* `count` loads of this stride, over and over; all but the first pass is kept. */
static enum ws_status walk_often(struct ws_probe *p, struct latencies *l, size_t count,
				 uint64_t stride, struct ws_err *err)
{
	size_t passes = count < KEPT ? 1 + KEPT / count : 2;
	enum ws_status status = WS_OK;

	p->program.count = 0;
	for (size_t i = 0; i < passes * count && status == WS_OK; i++)
		status = ws_chase_list_add(&p->program, i % count * SCATTER % count * stride, err);
	if (status == WS_OK)
		status = ws_probe_run(p, err);
	return status == WS_OK ? keep_answers(l, p, count, err) : status;
}

static enum ws_status fresh_lines(struct ws_probe *p, struct latencies *l, struct ws_err *err)
{
	uint64_t first = ws_rng_below(&p->rng, p->target->bytes / 2 / FRESH_STRIDE) * FRESH_STRIDE;
	enum ws_status status = WS_OK;

	p->program.count = 0;
	for (uint64_t i = 0; i < FRESH && status == WS_OK; i++)
		status = ws_chase_list_add(&p->program,
				      (first + i * FRESH_STRIDE) % p->target->bytes, err);
	for (size_t k = 0; k < 2 && status == WS_OK; k++) {
		status = ws_probe_run(p, err);
		if (status == WS_OK)
			status = keep_answers(l, p, 0, err);
	}
	return status;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static size_t cell_of(double cycles)
{
	double cell = log(fmax(cycles, 1)) / CELL_WIDTH;

	return cell < CELLS - 1 ? (size_t)cell : CELLS - 1;
}

static size_t around(const size_t *cell, size_t at)
{
	size_t sum = 0;

	for (size_t i = at < SMOOTH ? 0 : at - SMOOTH; i <= at + SMOOTH && i < CELLS; i++)
		sum += cell[i];
	return sum;
}

/* Median, and the standard deviation as the middle half of a sorted cluster has it. */
static struct ws_chase_level level_of(const double *sorted, size_t count)
{
	struct ws_chase_level l = {
		.cycles = sorted[count / 2],
		.sd = (sorted[count * 3 / 4] - sorted[count / 4]) / 1.349,
	};

	l.sd = fmax(l.sd, 0.01 * l.cycles);
	l.low = fmax(0, l.cycles - SIGMAS * l.sd - 1);
	l.high = l.cycles + SIGMAS * l.sd + 1;
	return l;
}

/* Levels do not overlap: a border lies as many deviations off one as off the other. */
static void part_levels(struct ws_chase *found)
{
	found->level[0].low = 0;
	for (size_t i = 1; i < found->levels; i++) {
		struct ws_chase_level *a = &found->level[i - 1], *b = &found->level[i];
		double border = (a->cycles * b->sd + b->cycles * a->sd) / (a->sd + b->sd);

		a->high = fmin(a->high, border);
		b->low = fmax(b->low, border);
	}
}

/* The end of the cluster that begins at cell `at`: where cells are no longer full, or the lowest of
 * a valley that is half as deep as the peaks on both sides. */
static size_t cluster_end(const size_t *cell, size_t at, size_t least)
{
	size_t peak = 0, valley = 0, lowest = at;

	for (; at < CELLS && around(cell, at) >= least; at++) {
		size_t here = around(cell, at);

		if (2 * valley <= peak && here >= 2 * valley && peak)
			return lowest;
		if (here > peak)
			peak = here;
		if (here == peak || here < valley) {
			valley = here;
			lowest = at;
		}
	}
	return at;
}

void ws_probe_clusters(struct ws_chase *found, double *cycles, size_t count)
{
	size_t cell[CELLS] = { 0 }, least = count / 300 + 3, i = 0;

	qsort(cycles, count, sizeof *cycles, by_value);
	for (size_t k = 0; k < count; k++)
		cell[cell_of(cycles[k])]++;
	for (size_t at = 0; at < CELLS && found->levels < WS_CHASE_LEVELS;) {
		size_t begin, end = at;

		if (around(cell, at) < least) {
			at++;
			continue;
		}
		while (i < count && cell_of(cycles[i]) < at)
			i++;
		begin = i;
		end = cluster_end(cell, at, least);
		while (i < count && cell_of(cycles[i]) < end)
			i++;
		if (i - begin >= least)
			found->level[found->levels++] = level_of(cycles + begin, i - begin);
		at = end > at ? end : at + 1;
	}
	part_levels(found);
}

/* Behind TLBs a miss takes anything up to all of their cycles more. */
static void add_walks(struct ws_chase *found)
{
	double most = found->behind[1];

	if (!found->tlbs || found->levels < 2)
		return;
	for (unsigned i = 0; i < found->tlbs; i++)
		most += found->tlb[i].cycles;
	for (size_t i = 1; i + 1 < found->levels; i++)
		found->level[i].high = found->level[i + 1].low;
	found->level[found->levels - 1].high =
		fmax(found->level[found->levels - 1].high,
		     most * (1 + SIGMAS * found->level[0].sd / found->level[0].cycles));
}

/* How often a load that hits is not read as one. */
static void count_mistakes(struct ws_probe *p, const double *hits, size_t count)
{
	size_t misses = 0, unread = 0;

	for (size_t i = 0; i < count; i++) {
		enum ws_probe_load load = ws_probe_read(p, hits[i]);

		misses += load == WS_PROBE_MISS;
		unread += load == WS_PROBE_UNREAD;
	}
	p->found->false_misses = ((double)misses + 0.5) / (double)count;
	p->found->unread = ((double)unread + 0.5) / (double)count;
}

static enum ws_status sample(struct ws_probe *p, struct latencies *l, struct latencies *hits,
			     struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < HITS / KEPT && status == WS_OK; i++)
		status = walk_often(p, hits, KEPT, 0, err);
	if (status == WS_OK) /* as many of them as of others */
		status = walk_often(p, l, FRESH, 0, err);
	if (status == WS_OK)
		status = fresh_lines(p, l, err);
	for (uint64_t bytes = WALK_FIRST; bytes <= WALK_LAST && status == WS_OK; bytes *= 2)
		status = walk_often(p, l, bytes <= p->target->bytes ? bytes / WALK_STRIDE : 1,
				    WALK_STRIDE, err);
	return status;
}

enum ws_status ws_probe_levels(struct ws_probe *p, struct ws_err *err)
{
	struct latencies l = { 0 }, hits = { 0 };
	enum ws_status status = sample(p, &l, &hits, err);

	if (status == WS_OK && !p->found->exhausted) {
		ws_probe_clusters(p->found, l.cycles, l.count);
		add_walks(p->found);
		count_mistakes(p, hits.cycles, hits.count);
	}
	free(l.cycles);
	free(hits.cycles);
	return status;
}
