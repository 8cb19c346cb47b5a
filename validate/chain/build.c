/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/chain/build.c -- the chain of a set, by its policy's hooks.
 *
 * A state is a record of words: a hash of the rest; the lines of the ways, a byte each, NONE in an
 * invalid one; the policy's words of the ways, the set and the cache, settled; the clock; the line
 * to come in a loop.  Every reference is tried in every state.  Hooks that draw are run again for
 * each outcome: `choice` is the path of outcomes, taken like an odometer.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "validate/chain/markov.h"

#define NONE 0xffu
#define DEPTH 8u		/* draws in a row */
#define LINE_WORDS (WS_CHAIN_WAYS / 8)

struct choice {
	unsigned taken, of;
	const double *weight;	/* NULL: all alike */
	double probability;	/* weight NULL, of 2: of the first; negative: all alike */
};

struct builder {
	struct ws_draws draws;	/* first: hooks hand it back */
	const struct ws_use *use;
	const char *name;	/* of the policy, with its parameters */
	const struct ws_line_law *law;
	struct ws_markov *out;
	unsigned ways;
	size_t meta, own, shared, words; /* words of a record's parts, and in all */
	uint64_t *record;	/* [states * words] */
	uint64_t *now;		/* the state that hooks work on */
	size_t record_cap;
	struct ws_map map;
	struct choice choice[DEPTH];
	unsigned depth, at;
	mpq_t *path;		/* chances of outcomes, each once */
	size_t paths, path_cap;
	uint32_t *line, *path_of; /* [steps]: the reference and its path */
	uint32_t *missed;	/* [states]: weights of the lines that miss, summed */
	size_t line_cap, path_of_cap, missed_cap;
	uint64_t weights;	/* the sum of all */
};

/* ---- draws ------------------------------------------------------------------------------ */

void ws_chain_fraction(mpq_t out, double value)
{
	int64_t above[2] = { 1, 0 }, below[2] = { 0, 1 };
	double rest = value;

	for (int i = 0; i < 40 && fabs(rest) < 1e15; i++) {
		int64_t whole = (int64_t)floor(rest), next[2];

		next[0] = whole * above[0] + above[1];
		next[1] = whole * below[0] + below[1];
		if (fabs((double)next[0]) > 1e15 || (double)next[1] > 1e15)
			break;
		above[1] = above[0];
		below[1] = below[0];
		above[0] = next[0];
		below[0] = next[1];
		if ((double)above[0] / (double)below[0] == value) {
			mpq_set_si(out, above[0], (unsigned long)below[0]);
			mpq_canonicalize(out);
			return;
		}
		rest = 1 / (rest - (double)whole);
	}
	mpq_set_d(out, value);
}

static void chance_of(const struct choice *c, unsigned which, mpq_t out)
{
	mpq_t sum, one;

	if (!c->weight && c->probability < 0) {
		mpq_set_ui(out, 1, c->of);
		return;
	}
	mpq_inits(sum, one, NULL);
	if (c->weight) {
		for (unsigned i = 0; i < c->of; i++) {
			ws_chain_fraction(one, c->weight[i]);
			mpq_add(sum, sum, one);
		}
		ws_chain_fraction(one, c->weight[which]);
		mpq_div(out, one, sum);
	} else {
		ws_chain_fraction(out, c->probability);
		mpq_set_ui(one, 1, 1);
		if (which)
			mpq_sub(out, one, out);
	}
	mpq_clears(sum, one, NULL);
}

static bool possible(const struct choice *c, unsigned which)
{
	if (c->weight)
		return c->weight[which] > 0;
	return c->probability < 0 || (which ? c->probability < 1 : c->probability > 0);
}

/* To the next outcome that is possible; false: there is none. */
static bool next_choice(struct choice *c)
{
	while (++c->taken < c->of)
		if (possible(c, c->taken))
			return true;
	return false;
}

static unsigned choose(struct builder *b, struct choice c)
{
	if (b->at == b->depth) {
		assert(b->depth < DEPTH);
		c.taken = UINT_MAX; /* one before the first */
		next_choice(&c);
		b->choice[b->depth++] = c;
	}
	return b->choice[b->at++].taken;
}

static bool decide_chance(struct ws_draws *d, double probability)
{
	struct choice c = { .of = 2, .probability = probability };

	return choose((struct builder *)d, c) == 0;
}

static unsigned decide_among(struct ws_draws *d, const double *weight, unsigned n)
{
	struct choice c = { .of = n, .weight = weight, .probability = -1 };

	return choose((struct builder *)d, c);
}

/* The number of the path's chance; SIZE_MAX: out of memory. */
static size_t path_number(struct builder *b)
{
	size_t i = 0;
	mpq_t all, one;

	mpq_inits(all, one, NULL);
	mpq_set_ui(all, 1, 1);
	for (unsigned k = 0; k < b->depth; k++) {
		chance_of(&b->choice[k], b->choice[k].taken, one);
		mpq_mul(all, all, one);
	}
	while (i < b->paths && !mpq_equal(b->path[i], all))
		i++;
	if (i == b->paths && WS_ROOM(b->path, b->path_cap, b->paths + 1)) {
		mpq_init(b->path[i]);
		mpq_set(b->path[i], all);
		b->paths++;
	}
	mpq_clears(all, one, NULL);
	return i < b->paths ? i : SIZE_MAX;
}

/* The next path; false: all were taken. */
static bool next_path(struct builder *b)
{
	while (b->depth && !next_choice(&b->choice[b->depth - 1]))
		b->depth--;
	return b->depth > 0;
}

/* ---- states ------------------------------------------------------------------------------- */

static unsigned char *lines_of(uint64_t *record)
{
	return (unsigned char *)(record + 1);
}

static uint64_t *clock_of(const struct builder *b, uint64_t *record)
{
	return record + b->words - 2;
}

static uint64_t *coming(const struct builder *b, uint64_t *record)
{
	return record + b->words - 1;
}

static enum ws_status too_many(const struct builder *b, struct ws_err *err)
{
	return ws_fail(err, WS_EINVAL, "policy %s, %u ways, %u lines: a chain of more than %u "
		       "states or %u steps: want fewer ways or lines", b->name, b->ways,
		       b->law->lines, WS_CHAIN_STATES, WS_CHAIN_ENTRIES);
}

/* The number of the state at hand, which may be new. */
static enum ws_status number(struct builder *b, uint32_t *out, struct ws_err *err)
{
	size_t size = b->words * sizeof *b->now, n = b->out->states;
	uint64_t key = 1;
	uint32_t *slot;

	for (size_t i = 1; i < b->words; i++)
		key = ws_map_mix(key, b->now[i]);
	if (!WS_ROOM(b->record, b->record_cap, (n + 1) * b->words) ||
	    !WS_ROOM(b->missed, b->missed_cap, n + 1) ||
	    !ws_map_room(&b->map, b->record, size, n + 1))
		return ws_fail_memory(err, "a chain");
	for (;; key++) {
		slot = ws_map_slot(&b->map, b->record, size, key);
		if (!*slot || !memcmp(b->record + (*slot - 1) * b->words + 1, b->now + 1,
				      size - sizeof key))
			break;
	}
	if (!*slot) {
		if (n == WS_CHAIN_STATES)
			return too_many(b, err);
		b->now[0] = key;
		memcpy(b->record + n * b->words, b->now, size);
		b->missed[n] = 0;
		*slot = (uint32_t)++b->out->states;
	}
	*out = *slot - 1;
	return WS_OK;
}

/* ---- steps -------------------------------------------------------------------------------- */

static struct ws_set view(const struct builder *b, const struct ws_access *access)
{
	uint64_t *words = b->now + 1 + LINE_WORDS;

	return (struct ws_set){
		.meta = words, .own = words + b->meta, .shared = words + b->meta + b->own,
		.ways = b->ways, .clock = ++*clock_of(b, b->now), .sets = 1,
		.access = access, .draws = (struct ws_draws *)&b->draws, .use = b->use,
	};
}

static void bring_line(struct builder *b, struct ws_set *set, unsigned line)
{
	const struct ws_policy *p = b->use->policy;
	unsigned char *held = lines_of(b->now);
	unsigned way = 0;

	if (p->bypass && p->bypass(set)) {
		if (p->on_bypass)
			p->on_bypass(set);
		return;
	}
	while (way < b->ways && held[way] != NONE)
		way++;
	if (way == b->ways) {
		way = p->victim(set);
		if (p->on_evict)
			p->on_evict(set, way);
	}
	held[way] = (unsigned char)line;
	if (p->on_fill)
		p->on_fill(set, way);
}

static void swap_ways(const struct builder *b, unsigned one, unsigned other)
{
	unsigned char *held = lines_of(b->now), line = held[one];
	uint64_t *words = b->now + 1 + LINE_WORDS;

	held[one] = held[other];
	held[other] = line;
	for (size_t w = 0; w < b->meta; w += b->ways) {
		uint64_t word = words[w + one];

		words[w + one] = words[w + other];
		words[w + other] = word;
	}
}

/* Ways that are alike, in the order of their lines; invalid ones stay last. */
static void sort_ways(const struct builder *b)
{
	const unsigned char *held = lines_of(b->now);

	for (unsigned i = 1; i < b->ways; i++)
		for (unsigned k = i; k && held[k] < held[k - 1]; k--)
			swap_ways(b, k, k - 1);
}

/* A reference in the state at hand; true: it hits. */
static bool refer(struct builder *b, unsigned line)
{
	const struct ws_policy *p = b->use->policy;
	struct ws_access access = { .address = 128u * line, .instruction = UINT32_MAX,
				    .sectors = 15 };
	struct ws_set set = view(b, &access);
	unsigned way = 0;

	while (way < b->ways && lines_of(b->now)[way] != line)
		way++;
	if (way == b->ways)
		bring_line(b, &set, line);
	else if (p->on_hit)
		p->on_hit(&set, way);
	*clock_of(b, b->now) = p->settle(&set);
	if (p->ways_alike)
		sort_ways(b);
	return way < b->ways;
}

static enum ws_status add_step(struct builder *b, unsigned line, struct ws_err *err)
{
	struct ws_markov *c = b->out;
	size_t n = c->steps, path = path_number(b);
	enum ws_status status;

	if (n == WS_CHAIN_ENTRIES)
		return too_many(b, err);
	if (path == SIZE_MAX || !WS_ROOM(c->to, c->to_cap, n + 1) ||
	    !WS_ROOM(b->line, b->line_cap, n + 1) || !WS_ROOM(b->path_of, b->path_of_cap, n + 1))
		return ws_fail_memory(err, "a chain");
	status = number(b, &c->to[n], err);
	b->line[n] = line;
	b->path_of[n] = (uint32_t)path;
	c->steps += status == WS_OK;
	return status;
}

/* All outcomes of a reference in a state. */
static enum ws_status outcomes(struct builder *b, size_t from, unsigned line, uint64_t weight,
			       struct ws_err *err)
{
	enum ws_status status = WS_OK;
	bool hit = false;

	b->depth = 0;
	do {
		memcpy(b->now, b->record + from * b->words, b->words * sizeof *b->now);
		b->at = 0;
		if (b->law->loop)
			*coming(b, b->now) = (line + 1) % b->law->lines;
		hit = refer(b, line);
		status = add_step(b, line, err);
	} while (status == WS_OK && next_path(b));
	if (status == WS_OK && !hit)
		b->missed[from] += (uint32_t)weight;
	return status;
}

static enum ws_status explore(struct builder *b, size_t from, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (b->law->loop)
		return outcomes(b, from, (unsigned)*coming(b, b->record + from * b->words), 1, err);
	for (unsigned line = 0; line < b->law->lines && status == WS_OK; line++)
		status = outcomes(b, from, line, b->law->weight[line], err);
	return status;
}

/* ---- chances in whole numbers ----------------------------------------------------------- */

/* Chances of paths and references as multiples of 1 / whole. */
static enum ws_status count_chances(struct builder *b, struct ws_err *err)
{
	struct ws_markov *c = b->out;
	mpz_t common, part;
	bool fits;

	mpz_inits(common, part, NULL);
	mpz_set_ui(common, 1);
	for (size_t i = 0; i < b->paths; i++)
		mpz_lcm(common, common, mpq_denref(b->path[i]));
	mpz_mul_ui(part, common, b->weights);
	fits = mpz_cmp_ui(part, WS_MARKOV_WHOLE) <= 0;
	if (fits) {
		uint64_t each = mpz_get_ui(common);

		c->whole = mpz_get_ui(part);
		for (size_t i = 0; i < c->steps; i++) {
			mpq_t *path = &b->path[b->path_of[i]];

			mpz_divexact(part, common, mpq_denref(*path));
			mpz_mul(part, part, mpq_numref(*path));
			c->chance[i] = mpz_get_ui(part) *
				       (b->law->loop ? 1 : b->law->weight[b->line[i]]);
		}
		for (size_t s = 0; s < c->states; s++)
			c->miss[s] = b->missed[s] * each;
	}
	mpz_clears(common, part, NULL);
	return fits ? WS_OK
		: ws_fail(err, WS_EINVAL, "the common denominator of the law's and the policy's "
			  "probabilities is larger than 2^53: want rounder ones");
}

static enum ws_status weigh_steps(struct builder *b, struct ws_err *err)
{
	struct ws_markov *c = b->out;

	c->chance = ws_alloc(c->steps + 1, sizeof *c->chance);
	c->miss = ws_alloc(c->states, sizeof *c->miss);
	if (!c->chance || !c->miss)
		return ws_fail_memory(err, "a chain");
	return count_chances(b, err);
}

static enum ws_status begin(struct builder *b, struct ws_err *err)
{
	const struct ws_policy *p = b->use->policy;
	uint32_t first;

	b->meta = (size_t)b->ways * p->way_words;
	b->own = p->set_words;
	b->shared = p->cache_words;
	b->words = 1 + LINE_WORDS + b->meta + b->own + b->shared + 2;
	b->now = ws_alloc_zero(b->words, sizeof *b->now);
	if (!b->now)
		return ws_fail_memory(err, "a chain");
	memset(lines_of(b->now), NONE, LINE_WORDS * 8);
	for (unsigned i = 0; i < b->law->lines; i++)
		b->weights += b->law->weight[i];
	if (b->law->loop)
		b->weights = 1;
	if (b->weights > UINT32_MAX)
		return ws_fail(err, WS_EINVAL, "weights whose sum is past 2^32");
	return number(b, &first, err);
}

void ws_markov_clear(struct ws_markov *c)
{
	free(c->first);
	free(c->to);
	free(c->chance);
	free(c->miss);
	*c = (struct ws_markov){ 0 };
}

/* The policy, if it has a chain of so many ways and lines. */
static enum ws_status use_for_chain(struct ws_use *use, const char *policy, unsigned ways,
				    const struct ws_line_law *law, struct ws_err *err)
{
	struct ws_cache cache = { .sets = 1, .ways = ways, .line_bytes = 128, .sector_bytes = 128,
				  .size_bytes = 128 * (uint64_t)ways };
	enum ws_status status;

	if (!ways || ways > WS_CHAIN_WAYS)
		return ws_fail(err, WS_EINVAL, "a chain of %u ways: want 1 to %u", ways,
			       WS_CHAIN_WAYS);
	if (!law->lines || law->lines > WS_CHAIN_LINES)
		return ws_fail(err, WS_EINVAL, "a chain of %u lines: want 1 to %u", law->lines,
			       WS_CHAIN_LINES);
	status = ws_use_parse(use, policy, err);
	if (status != WS_OK)
		return status;
	if (!use->policy->settle)
		return ws_fail(err, WS_EINVAL, "policy %s has no chain: it %s", use->policy->name,
			       use->policy->endless);
	return use->policy->check ? use->policy->check(use, &cache, err) : WS_OK;
}

enum ws_status ws_markov_build(struct ws_markov *out, const char *policy, unsigned ways,
			       const struct ws_line_law *law, struct ws_err *err)
{
	struct ws_use use;
	struct builder b = { .draws = { decide_chance, decide_among }, .use = &use,
			     .name = policy, .law = law, .out = out, .ways = ways };
	enum ws_status status;

	*out = (struct ws_markov){ 0 };
	status = use_for_chain(&use, policy, ways, law, err);
	if (status == WS_OK)
		status = begin(&b, err);
	for (size_t s = 0; s < out->states && status == WS_OK; s++) {
		if (!WS_ROOM(out->first, out->first_cap, s + 2)) {
			status = ws_fail_memory(err, "a chain");
			break;
		}
		out->first[s] = out->steps;
		status = explore(&b, s, err);
		out->first[s + 1] = out->steps;
	}
	if (status == WS_OK)
		status = weigh_steps(&b, err);
	for (size_t i = 0; i < b.paths; i++)
		mpq_clear(b.path[i]);
	free(b.path);
	free(b.record);
	free(b.now);
	free(b.line);
	free(b.path_of);
	free(b.missed);
	ws_map_clear(&b.map);
	return status;
}
