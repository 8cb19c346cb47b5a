/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/sample.c -- levels of chosen lines (sample.h): what each of them counts.
 * What is concluded from the counts is in sample_estimate.c.
 *
 * A batch goes through the levels from the top.  Each takes those of the requests before it
 * whose lines it has chosen; whether an open request ends here is told by its stack.
 */
#include "stackdist/sample_level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stackdist/lines.h"

#define BATCH WS_RECENT_BATCH
#define SHRINK 4.0	/* rate of a level by that of the next */
#define BLOCK_BITS 16	/* log2 of the lines that share an offset */
#define SECTORS_MAX 32u	/* of a line */

/* ---- life ------------------------------------------------------------------------ */

static void add_level(struct ws_sampler *s, double rate, uint64_t limit)
{
	struct ws_level *l = s->level + s->levels++;
	double places = ldexp(rate, 64);

	l->last = rate >= 1 ? UINT64_MAX : places < 1 ? 0 : (uint64_t)places - 1;
	l->rate = rate >= 1 ? 1 : ldexp((double)l->last + 1, -64);
	l->limit = limit;
	l->keep = limit < WS_SAMPLE_LINES ? limit : WS_SAMPLE_LINES;
}

/* Rates from 1 down to the one asked for; with a limit, on while one may be needed; else one
 * more, for the last to be compared with. */
static void plan(struct ws_sampler *s, double rate, uint64_t lines_max)
{
	uint64_t limit = lines_max ? lines_max : UINT64_MAX;
	double r = 1;

	while (r > rate && s->levels < WS_SAMPLE_LEVELS - 2) {
		add_level(s, r, limit < WS_SAMPLE_LINES ? limit : WS_SAMPLE_LINES);
		r = r / SHRINK < 2 * rate ? rate : r / SHRINK;
	}
	add_level(s, r, limit);
	if (rate < 1 || lines_max)
		do {
			r /= SHRINK;
			add_level(s, r, limit);
		} while (lines_max && r > 1e-9 && s->levels < WS_SAMPLE_LEVELS);
	s->level[s->levels - 1].limit = UINT64_MAX;
}

/* Stack 0 has one set; the others are the other set counts, in their order. */
static bool new_stacks(struct ws_sampler *s, const uint64_t *sets, size_t set_counts,
		       uint64_t *others)
{
	s->set_counts = set_counts;
	s->stacks = 1;
	s->stack_of = ws_alloc(set_counts, sizeof(*s->stack_of));
	s->exact = ws_alloc_zero(set_counts + 1, sizeof(*s->exact));
	if (!s->stack_of || !s->exact)
		return false;
	s->exact[0].sets = 1;
	for (size_t i = 0; i < set_counts; i++) {
		s->stack_of[i] = sets[i] == 1 ? 0 : s->stacks;
		if (sets[i] == 1)
			continue;
		others[s->stacks - 1] = sets[i];
		s->exact[s->stacks++].sets = sets[i];
	}
	return true;
}

static bool new_found(struct ws_sampler *s)
{
	s->found.distance = ws_alloc(BATCH * s->stacks, sizeof(*s->found.distance));
	if (s->sectored)
		s->found.sector = ws_alloc(BATCH * s->stacks * SECTORS_MAX,
					   sizeof(*s->found.sector));
	return s->found.distance && (s->found.sector || !s->sectored);
}

static enum ws_status start(struct ws_sampler *s, const uint64_t *sets, size_t set_counts,
			    double rate, uint64_t lines_max, struct ws_err *err)
{
	uint64_t *others = ws_alloc(set_counts + 1, sizeof(*others));
	enum ws_status status = WS_OK;

	if (!others || !new_stacks(s, sets, set_counts, others) || !new_found(s)) {
		free(others);
		return ws_fail_memory(err, "a sampler");
	}
	plan(s, rate, lines_max);
	for (size_t i = 0; i < s->levels && !status; i++)
		status = ws_recent_new(&s->level[i].recent, &s->cache, others,
				       i ? 0 : s->stacks - 1, err);
	free(others);
	return status;
}

enum ws_status ws_sampler_new(struct ws_sampler **out, const struct ws_cache *cache,
			      const uint64_t *sets, size_t set_counts, double rate,
			      uint64_t lines_max, uint64_t seed, struct ws_err *err)
{
	struct ws_sampler *s;
	enum ws_status status;
	struct ws_rng rng;

	if (!(rate > 0 && rate <= 1))
		return ws_fail(err, WS_EINVAL, "a sample of %g of the lines: expected more than 0, "
			       "at most 1", rate);
	s = ws_alloc_zero(1, sizeof(*s));
	if (!s)
		return ws_fail_memory(err, "a sampler");
	s->cache = *cache;
	s->sectored = cache->sector_bytes != cache->line_bytes;
	while (cache->line_bytes >> s->shift > 1 && !(cache->line_bytes >> s->shift & 1))
		s->shift++;
	ws_rng_seed(&rng, seed);
	s->offset = ws_rng_u64(&rng);
	status = start(s, sets, set_counts, rate, lines_max, err);
	if (status) {
		ws_sampler_free(s);
		return status;
	}
	*out = s;
	return WS_OK;
}

static void clear_level(struct ws_level *l)
{
	ws_recent_free(l->recent);
	free(l->group);
	for (unsigned i = 0; i < WS_KINDS; i++) {
		free(l->request[i].placed.count);
		free(l->sector[i].placed.count);
	}
}

void ws_sampler_free(struct ws_sampler *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->levels; i++)
		clear_level(s->level + i);
	for (size_t i = 0; s->exact && i < s->stacks; i++)
		for (unsigned k = 0; k < WS_KINDS; k++) {
			free(s->exact[i].distance[k].count);
			free(s->exact[i].capacity[k].count);
			free(s->exact[i].sector[k].count);
		}
	free(s->exact);
	free(s->stack_of);
	free(s->found.distance);
	free(s->found.sector);
	free(s);
}

uint64_t ws_sampler_lines(const struct ws_sampler *s)
{
	uint64_t lines = 0;

	for (size_t i = 0; i < s->levels; i++)
		lines += ws_recent_lines(s->level[i].recent);
	return lines;
}

/* ---- choice ------------------------------------------------------------------------ */

/* A line is in the levels whose `last` is not below its place. */
static inline uint64_t place_of(const struct ws_sampler *s, uint64_t address)
{
	uint64_t line = address >> s->shift, block = line >> BLOCK_BITS;

	block = (block + s->offset) * 0xff51afd7ed558ccdu;
	block = (block ^ block >> 32) * 0xc4ceb9fe1a85ec53u;
	return line * 0x9e3779b97f4a7c15u + (block ^ block >> 32);
}

static inline unsigned group_of(const struct ws_level *l, uint64_t place)
{
	unsigned group = (unsigned)((double)place / ((double)l->last + 1) * WS_SAMPLE_GROUPS);

	return group < WS_SAMPLE_GROUPS ? group : WS_SAMPLE_GROUPS - 1;
}

/* ---- counting ---------------------------------------------------------------------- */

/* As ws_bin, without its end. */
unsigned ws_sample_bin(double q)
{
	uint64_t x = q < 4e9 ? (uint64_t)q : 4000000000u;
	unsigned o;

	if (x < 8)
		return (unsigned)x;
	o = ws_log2(x);
	return 8 + 4 * (o - 3) + (x >> (o - 2) & 3);
}

double ws_sample_bin_first(unsigned bin)
{
	return bin < 8 ? bin : ldexp(4 + (bin - 8) % 4, (int)((bin - 8) / 4 + 1));
}

static bool grow(struct ws_counts *c, uint32_t cell)
{
	uint64_t *count = ws_grow(c->count, &c->cap, (size_t)cell + 1, sizeof(*count));

	if (!count)
		return false;
	memset(count + c->len, 0, ((size_t)cell + 1 - c->len) * sizeof(*count));
	c->count = count;
	c->len = (size_t)cell + 1;
	return true;
}

static inline bool count_at(struct ws_counts *c, uint32_t d)
{
	uint32_t cell = d >> WS_DISTANCE_BITS ? ws_cell(d, WS_DISTANCE_BITS) : d;

	if (cell >= c->len && !grow(c, cell))
		return false;
	c->count[cell]++;
	return true;
}

/* False if the request stays open. */
static inline bool ends(struct ws_channel *c, bool bounded, uint32_t d)
{
	c->seen++;
	if (d > WS_DISTANCE_MAX && bounded) {
		c->passed++;
		return false;
	}
	c->cold += d == WS_DISTANCE_COLD;
	c->uncached += d == WS_DISTANCE_UNCACHED;
	return true;
}

static inline bool count_exact(struct ws_sampler *s, unsigned kind, const uint32_t *d)
{
	uint32_t q = d[0];
	bool ok = count_at(s->exact[0].distance + kind, q);

	for (size_t i = 1; i < s->stacks && ok; i++) {
		struct ws_exact *x = s->exact + i;
		uint32_t share = (uint32_t)(q / x->sets);

		ok = count_at(x->distance + kind, d[i]) &&
		     count_at(x->capacity + kind, d[i] < share ? d[i] : share);
		if (q >= WS_SAMPLE_LINES / 2 && x->sets <= q) {
			double mean = (double)q / (double)x->sets, off = d[i] - mean;

			x->share.square += off * off;
			x->share.expected += mean;
		}
	}
	return ok;
}

struct batch {
	const struct ws_request *request;
	uint32_t pick[BATCH];	/* those whose lines the level has */
	uint32_t above[BATCH];	/* by request: position in the level above */
	uint64_t place[BATCH];
	uint32_t sectors[BATCH]; /* still open, of those asked for */
	bool open[BATCH];
	size_t count;		/* of pick */
};

/* The sectors of the first request begin at m; returns where those of the next do. */
static uint32_t *count_sectors(struct ws_sampler *s, struct ws_level *l, struct batch *b,
			       uint32_t i, uint32_t *m, bool *ok)
{
	uint32_t mask = ws_recent_mask(l->recent, b->request[i].sectors);
	unsigned kind = b->request[i].kind;
	size_t stacks = l == s->level ? s->stacks : 1;

	for (; mask; mask &= mask - 1, m += stacks) {
		uint32_t bit = mask & (0 - mask);

		if (!(b->sectors[i] & bit) || !ends(l->sector + kind, l->bounded, *m))
			continue;
		b->sectors[i] ^= bit;
		if (*m > WS_DISTANCE_MAX)
			continue;
		if (l != s->level)
			*ok = *ok && count_at(&l->sector[kind].placed, *m);
		else
			for (size_t k = 0; k < stacks; k++)
				*ok = *ok && count_at(s->exact[k].sector + kind, m[k]);
	}
	return m;
}

static inline bool count_top(struct ws_sampler *s, struct batch *b)
{
	struct ws_level *l = s->level;
	uint32_t *m = s->found.sector;
	bool ok = true;

	for (size_t j = 0; j < b->count && ok; j++) {
		uint32_t i = b->pick[j], *d = s->found.distance + j * s->stacks;
		unsigned kind = b->request[i].kind;

		b->open[i] = !ends(l->request + kind, l->bounded, *d);
		if (*d <= WS_DISTANCE_MAX)
			ok = count_exact(s, kind, d);
		if (s->sectored) {
			b->sectors[i] = UINT32_MAX;
			m = count_sectors(s, l, b, i, m, &ok);
		}
	}
	return ok;
}

/* How far the position in a level is from what the one above makes expect, in places of
 * that one. */
static void scatter(struct ws_level *above, const struct ws_level *l, uint32_t e_above, uint32_t e)
{
	double share = l->rate / above->rate, off = e - share * e_above;
	struct ws_scatter *x = above->scatter + ws_sample_bin(e_above / above->rate);

	x->square += off * off;
	x->expected += e_above * share * (1 - share);
}

static bool count_open(struct ws_sampler *s, struct ws_level *l, struct batch *b, uint32_t i,
		       uint32_t d)
{
	unsigned kind = b->request[i].kind, bin = WS_SAMPLE_PASSED;

	if (!l->group)
		l->group = ws_alloc_zero(WS_KINDS, sizeof(*l->group));
	if (!l->group)
		return false;
	b->open[i] = !ends(l->request + kind, l->bounded, d);
	if (!b->open[i])
		bin = WS_SAMPLE_ENDED;
	if (d <= WS_DISTANCE_MAX) {
		double least = (double)l[-1].keep / l[-1].rate, q = (d + 0.5) / l->rate;

		bin = ws_sample_bin(q > least ? q : least);
	}
	l->group[kind][group_of(l, b->place[i])].count[bin]++;
	(void)s;
	return d > WS_DISTANCE_MAX || count_at(&l->request[kind].placed, d);
}

static bool count_below(struct ws_sampler *s, struct ws_level *l, struct batch *b)
{
	uint32_t *m = s->found.sector;
	bool ok = true;

	for (size_t j = 0; j < b->count && ok; j++) {
		uint32_t i = b->pick[j], d = s->found.distance[j];

		if (l - s->level > 1 && b->above[i] <= WS_DISTANCE_MAX && d <= WS_DISTANCE_MAX)
			scatter(l - 1, l, b->above[i], d);
		b->above[i] = d;
		if (b->open[i])
			ok = count_open(s, l, b, i, d);
		if (s->sectored)
			m = count_sectors(s, l, b, i, m, &ok);
	}
	return ok;
}

static enum ws_status push_level(struct ws_sampler *s, struct ws_level *l, struct batch *b,
				 struct ws_err *err)
{
	enum ws_status status;

	status = ws_recent_push(l->recent, b->request, b->pick, b->count, &s->found, err);
	if (status)
		return status;
	if (!(l == s->level ? count_top(s, b) : count_below(s, l, b)))
		return ws_fail_memory(err, "the counts of a sampler");
	if (l->bounded || ws_recent_lines(l->recent) <= l->limit)
		return WS_OK;
	l->bounded = true;
	return ws_recent_bound(l->recent, (size_t)l->keep, err);
}

static enum ws_status open_batch(struct ws_sampler *s, struct batch *b, size_t count,
				 struct ws_err *err)
{
	b->count = 0;
	for (uint32_t i = 0; i < count; i++) {
		unsigned kind = b->request[i].kind;

		if (kind >= WS_KINDS)
			return ws_fail(err, WS_EINVAL, "a request of kind %u: expected 0 to %u",
				       kind, WS_KINDS - 1);
		s->requests[kind]++;
		if (s->sectored)
			for (uint32_t x = ws_recent_mask(s->level->recent, b->request[i].sectors);
			     x; x &= x - 1)
				s->sectors[kind]++;
		if (kind == WS_ATOMIC)
			continue;
		b->place[i] = place_of(s, b->request[i].address);
		b->pick[b->count++] = i;
	}
	return WS_OK;
}

enum ws_status ws_sampler_push(struct ws_sampler *s, const struct ws_request *request,
			       size_t count, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	struct batch b;

	for (size_t at = 0; at < count && !status; at += BATCH) {
		b.request = request + at;
		status = open_batch(s, &b, count - at < BATCH ? count - at : BATCH, err);
		for (size_t i = 0; i < s->levels && b.count && !status; i++) {
			size_t n = 0;

			for (size_t j = 0; i && j < b.count; j++) {
				b.pick[n] = b.pick[j];
				n += b.place[b.pick[j]] <= s->level[i].last;
			}
			b.count = i ? n : b.count;
			status = push_level(s, s->level + i, &b, err);
		}
	}
	return status;
}
