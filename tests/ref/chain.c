/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/chain.c -- see chain.h.  The long-run shares are found by the elimination of Grassmann,
 * Taksar and Heyman ("Regenerative analysis and steady state distributions for Markov
 * chains", Operations Research 33(5), 1985).
 */
#include "tests/ref/chain.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct state {
	unsigned char line[REF_CHAIN_WAYS]; /* in each way */
	unsigned char value[REF_CHAIN_WAYS]; /* RRIP: predicted interval; LRU, FIFO, BIP: place in
					      * the order, 0 goes last */
	unsigned char tree[REF_CHAIN_WAYS]; /* PLRU: bit of each node, from 1 */
	unsigned char next;	/* loop: the line to come */
};

struct build {
	const struct ref_chain_question *q;
	struct ref_chain *c;
	struct state *state;
	size_t most;
};

static void *must(void *p)
{
	if (!p)
		abort();
	return p;
}

/* ---- policies ------------------------------------------------------------------------ */

/* Way to place `to` of the order; those between move by one. */
static void put(struct state *s, unsigned ways, unsigned way, unsigned to)
{
	unsigned from = s->value[way];

	for (unsigned i = 0; i < ways; i++) {
		if (s->value[i] > from && s->value[i] <= to)
			s->value[i]--;
		else if (s->value[i] < from && s->value[i] >= to)
			s->value[i]++;
	}
	s->value[way] = (unsigned char)to;
}

static void point_away(struct state *s, unsigned ways, unsigned way)
{
	for (unsigned node = way + ways; node > 1; node /= 2)
		s->tree[node / 2] = node % 2 == 0;
}

static void hit(const struct ref_chain_question *q, struct state *s, unsigned way)
{
	if (q->policy == REF_CHAIN_LRU || q->policy == REF_CHAIN_BIP)
		put(s, q->ways, way, 0);
	else if (q->policy == REF_CHAIN_RRIP)
		s->value[way] = 0;
	else if (q->policy == REF_CHAIN_PLRU)
		point_away(s, q->ways, way);
}

/* Not asked of RANDOM. */
static unsigned victim(const struct ref_chain_question *q, struct state *s)
{
	unsigned way = 0, top = (1u << q->bits) - 1, largest = 0;

	if (q->policy == REF_CHAIN_PLRU) {
		for (way = 1; way < q->ways;)
			way = 2 * way + s->tree[way];
		return way - q->ways;
	}
	if (q->policy != REF_CHAIN_RRIP) {
		while (s->value[way] != q->ways - 1)
			way++;
		return way;
	}
	for (unsigned i = 0; i < q->ways; i++)
		largest = s->value[i] > largest ? s->value[i] : largest;
	for (unsigned i = 0; i < q->ways; i++)
		s->value[i] = (unsigned char)(s->value[i] + top - largest);
	while (s->value[way] != top)
		way++;
	return way;
}

static void fill(const struct ref_chain_question *q, struct state *s, unsigned way, unsigned line,
		 bool near)
{
	unsigned top = (1u << q->bits) - 1;

	s->line[way] = (unsigned char)line;
	if (q->policy == REF_CHAIN_PLRU)
		point_away(s, q->ways, way);
	else if (q->policy == REF_CHAIN_RRIP)
		s->value[way] = (unsigned char)(near ? top - 1 : top);
	else if (q->policy != REF_CHAIN_RANDOM)
		put(s, q->ways, way, near ? 0 : q->ways - 1);
}

/* ---- the chain -------------------------------------------------------------------------- */

static size_t find(struct build *b, const struct state *s)
{
	for (size_t i = 0; i < b->c->states; i++)
		if (memcmp(&b->state[i], s, sizeof *s) == 0)
			return i;
	if (b->c->states == b->most)
		abort();
	b->state[b->c->states] = *s;
	mpq_init(b->c->miss[b->c->states]);
	return b->c->states++;
}

static void branch(struct build *b, size_t from, const struct state *to, const mpq_t chance)
{
	struct ref_chain *c = b->c;

	if (mpq_sgn(chance) == 0)
		return;
	c->step = must(realloc(c->step, (c->steps + 1) * sizeof *c->step));
	c->step[c->steps].from = from;
	c->step[c->steps].to = find(b, to);
	mpq_init(c->step[c->steps].chance);
	mpq_set(c->step[c->steps].chance, chance);
	c->steps++;
}

static void misses(struct build *b, size_t from, const struct state *s, unsigned line,
		   const mpq_t chance)
{
	const struct ref_chain_question *q = b->q;
	bool random = q->policy == REF_CHAIN_RANDOM;

	mpq_add(b->c->miss[from], b->c->miss[from], chance);
	for (unsigned way = 0; way < (random ? q->ways : 1); way++) {
		for (unsigned near = 0; near < (q->of ? 2u : 1u); near++) {
			struct state to = *s;
			unsigned at = random ? way : victim(q, &to);
			mpq_t part;

			mpq_init(part);
			mpq_set_ui(part, 1, random ? q->ways : 1);
			if (q->of) {
				mpq_t share;

				mpq_init(share);
				mpq_set_ui(share, near ? q->near : q->of - q->near, q->of);
				mpq_canonicalize(share);
				mpq_mul(part, part, share);
				mpq_clear(share);
			}
			mpq_mul(part, part, chance);
			fill(q, &to, at, line, near || !q->of);
			branch(b, from, &to, part);
			mpq_clear(part);
		}
	}
}

static void reference(struct build *b, size_t from, const struct state *s, unsigned line,
		      const mpq_t chance)
{
	struct state to = *s;

	for (unsigned way = 0; way < b->q->ways; way++) {
		if (s->line[way] != line)
			continue;
		hit(b->q, &to, way);
		branch(b, from, &to, chance);
		return;
	}
	misses(b, from, s, line, chance);
}

static void leave(struct build *b, size_t from, unsigned weights)
{
	const struct ref_chain_question *q = b->q;
	struct state s = b->state[from];
	mpq_t chance;

	mpq_init(chance);
	if (!weights) {
		unsigned line = s.next;

		s.next = (unsigned char)((s.next + 1) % q->lines);
		mpq_set_ui(chance, 1, 1);
		reference(b, from, &s, line, chance);
	}
	for (unsigned line = 0; weights && line < q->lines; line++) {
		mpq_set_ui(chance, q->weight[line], weights);
		mpq_canonicalize(chance);
		if (q->weight[line])
			reference(b, from, &s, line, chance);
	}
	mpq_clear(chance);
}

/* ---- states that are come back to ----------------------------------------------------- */

/* Marks what can be reached from a state; returns how many. */
static size_t reach(const struct ref_chain *c, size_t from, bool *mark)
{
	size_t count = 1;

	memset(mark, 0, c->states * sizeof *mark);
	mark[from] = true;
	for (bool more = true; more;) {
		more = false;
		for (size_t i = 0; i < c->steps; i++) {
			if (!mark[c->step[i].from] || mark[c->step[i].to])
				continue;
			mark[c->step[i].to] = more = true;
			count++;
		}
	}
	return count;
}

/* From the states that reach the fewest there is no way out: only they are kept. */
static void keep_recurrent(struct ref_chain *c)
{
	bool *mark = must(calloc(c->states, sizeof *mark));
	size_t *number = must(calloc(c->states, sizeof *number));
	size_t best = 0, least = c->states + 1, states = 0, steps = 0;

	for (size_t i = 0; i < c->states; i++) {
		size_t count = reach(c, i, mark);

		best = count < least ? i : best;
		least = count < least ? count : least;
	}
	reach(c, best, mark);
	for (size_t i = 0; i < c->states; i++) {
		number[i] = states;
		if (mark[i])
			mpq_swap(c->miss[states++], c->miss[i]);
	}
	for (size_t i = 0; i < c->steps; i++) {
		struct ref_chain_step *s = &c->step[i];

		if (!mark[s->from])
			continue;
		mpq_swap(c->step[steps].chance, s->chance);
		c->step[steps].from = number[s->from];
		c->step[steps++].to = number[s->to];
	}
	for (size_t i = states; i < c->states; i++)
		mpq_clear(c->miss[i]);
	for (size_t i = steps; i < c->steps; i++)
		mpq_clear(c->step[i].chance);
	c->states = states;
	c->steps = steps;
	free(mark);
	free(number);
}

void ref_chain_build(struct ref_chain *c, const struct ref_chain_question *q, size_t most)
{
	struct build b = { .q = q, .c = c, .most = most };
	struct state first;
	unsigned weights = 0;

	*c = (struct ref_chain){ 0 };
	b.state = must(calloc(most, sizeof *b.state));
	c->miss = must(calloc(most, sizeof *c->miss));
	memset(&first, 0, sizeof first);
	for (unsigned way = 0; way < q->ways; way++) {
		first.line[way] = (unsigned char)way;
		/* As filled one after the other. */
		first.value[way] = (unsigned char)(q->policy == REF_CHAIN_RRIP ? 0
									       : q->ways - 1 - way);
	}
	if (q->policy == REF_CHAIN_RANDOM)
		memset(first.value, 0, sizeof first.value);
	first.next = (unsigned char)(q->ways % q->lines);
	for (unsigned line = 0; line < q->lines; line++)
		weights += q->weight[line];
	if (weights)
		first.next = 0;
	find(&b, &first);
	for (size_t i = 0; i < c->states; i++)
		leave(&b, i, weights);
	free(b.state);
	keep_recurrent(c);
}

void ref_chain_clear(struct ref_chain *c)
{
	for (size_t i = 0; i < c->steps; i++)
		mpq_clear(c->step[i].chance);
	for (size_t i = 0; i < c->states; i++)
		mpq_clear(c->miss[i]);
	free(c->step);
	free(c->miss);
}

/* ---- the long run -------------------------------------------------------------------------- */

static mpq_t *matrix(const struct ref_chain *c)
{
	size_t n = c->states;
	mpq_t *a = must(calloc(n * n, sizeof *a));

	for (size_t i = 0; i < n * n; i++)
		mpq_init(a[i]);
	for (size_t i = 0; i < c->steps; i++) {
		mpq_t *at = &a[c->step[i].from * n + c->step[i].to];

		mpq_add(*at, *at, c->step[i].chance);
	}
	return a;
}

/* States are taken out from the last, each replaced by the ways through it. */
static void eliminate(mpq_t *a, size_t n, mpq_t *out)
{
	mpq_t part;

	mpq_init(part);
	for (size_t k = n; k-- > 1;) {
		for (size_t j = 0; j < k; j++)
			mpq_add(out[k], out[k], a[k * n + j]);
		for (size_t i = 0; i < k; i++) {
			if (mpq_sgn(a[i * n + k]) == 0)
				continue;
			mpq_div(a[i * n + k], a[i * n + k], out[k]);
			for (size_t j = 0; j < k; j++) {
				if (mpq_sgn(a[k * n + j]) == 0)
					continue;
				mpq_mul(part, a[i * n + k], a[k * n + j]);
				mpq_add(a[i * n + j], a[i * n + j], part);
			}
		}
	}
	mpq_clear(part);
}

void ref_chain_solve(const struct ref_chain *c, mpq_t ratio)
{
	size_t n = c->states;
	mpq_t *a = matrix(c), *out = must(calloc(n, sizeof *out)),
	      *share = must(calloc(n, sizeof *share));
	mpq_t sum, part;

	mpq_inits(sum, part, NULL);
	for (size_t i = 0; i < n; i++)
		mpq_inits(out[i], share[i], NULL);
	eliminate(a, n, out);
	mpq_set_ui(share[0], 1, 1);
	mpq_set_ui(ratio, 0, 1);
	for (size_t k = 0; k < n; k++) {
		for (size_t i = 0; i < k; i++) {
			mpq_mul(part, share[i], a[i * n + k]);
			mpq_add(share[k], share[k], part);
		}
		mpq_add(sum, sum, share[k]);
		mpq_mul(part, share[k], c->miss[k]);
		mpq_add(ratio, ratio, part);
	}
	mpq_div(ratio, ratio, sum);
	for (size_t i = 0; i < n * n; i++)
		mpq_clear(a[i]);
	for (size_t i = 0; i < n; i++)
		mpq_clears(out[i], share[i], NULL);
	mpq_clears(sum, part, NULL);
	free(a);
	free(out);
	free(share);
}
