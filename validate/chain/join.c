/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/chain/join.c -- joins states that miss alike now and after every step (ordinary
 * lumpability): the ways' order under LRU, the trees' mirror images, equal lines.
 *
 * Blocks are split until the states of each go to every block with the same chance.  What a state
 * does is told by two sums over its steps, chance times a hash of the block, so that steps need not
 * be sorted.  At the end steps are compared one by one; if the sums have failed, it begins anew
 * with other hashes.
 */
#include <stdlib.h>

#include "base/map.h"
#include "validate/chain/markov.h"

struct sign {			/* of a state */
	uint64_t key, sum[2], block;
};

struct joint {
	const struct ws_markov *c;
	uint64_t seed;
	uint32_t *block;	/* [states] */
	uint32_t *next;		/* [states]: block after the split */
	struct sign *sign;	/* [blocks] */
	uint64_t *into;		/* [blocks]: chances of a state's steps, summed; zero between */
	struct ws_map map;
};

static uint64_t scatter(uint64_t v)
{
	v = (v ^ v >> 31) * UINT64_C(0x7fb5d329728ea185);
	v = (v ^ v >> 27) * UINT64_C(0x81dadef4bc2dd44d);
	return v ^ v >> 33;
}

static struct sign sign_of(const struct joint *j, size_t s)
{
	const struct ws_markov *c = j->c;
	struct sign out = { .block = j->block[s] };

	for (size_t i = c->first[s]; i < c->first[s + 1]; i++) {
		uint64_t hash = scatter(j->block[c->to[i]] + j->seed);

		out.sum[0] += c->chance[i] * hash;
		out.sum[1] += c->chance[i] * scatter(hash);
	}
	out.key = ws_map_mix(ws_map_mix(out.sum[0], out.sum[1]), out.block);
	return out;
}

/* The block of a sign among `count`; count itself: it is new, and there is its place. */
static uint32_t *block_of(struct joint *j, struct sign *x)
{
	for (;; x->key++) {
		uint32_t *slot = ws_map_slot(&j->map, j->sign, sizeof *j->sign, x->key);
		const struct sign *y = *slot ? &j->sign[*slot - 1] : NULL;

		if (!y || (y->sum[0] == x->sum[0] && y->sum[1] == x->sum[1] &&
			   y->block == x->block))
			return slot;
	}
}

static size_t number_signs(struct joint *j, struct sign (*sign)(const struct joint *, size_t))
{
	size_t count = 0;

	ws_map_flush(&j->map, j->c->states);
	for (size_t s = 0; s < j->c->states; s++) {
		struct sign x = sign(j, s);
		uint32_t *slot = block_of(j, &x);

		if (!*slot) {
			j->sign[count] = x;
			*slot = (uint32_t)++count;
		}
		j->next[s] = *slot - 1;
	}
	for (size_t s = 0; s < j->c->states; s++)
		j->block[s] = j->next[s];
	return count;
}

static struct sign by_misses(const struct joint *j, size_t s)
{
	return (struct sign){ .key = scatter(j->c->miss[s]), .sum = { j->c->miss[s], 0 } };
}

static size_t split(struct joint *j)
{
	size_t count = number_signs(j, by_misses), before;

	do {
		before = count;
		count = number_signs(j, sign_of);
	} while (count > before);
	return count;
}

/* ---- the joined chain ------------------------------------------------------------------- */

static void gather(const struct joint *j, size_t s)
{
	const struct ws_markov *c = j->c;

	for (size_t i = c->first[s]; i < c->first[s + 1]; i++)
		j->into[j->block[c->to[i]]] += c->chance[i];
}

static enum ws_status put_block(const struct joint *j, struct ws_markov *out, size_t s,
				struct ws_err *err)
{
	const struct ws_markov *c = j->c;
	size_t b = j->block[s], most = out->steps + c->first[s + 1] - c->first[s];

	if (!WS_ROOM(out->to, out->to_cap, most + 1) ||
	    !WS_ROOM(out->chance, out->chance_cap, most + 1))
		return ws_fail_memory(err, "a chain");
	gather(j, s);
	out->miss[b] = c->miss[s];
	out->first[b] = out->steps;
	for (size_t i = c->first[s]; i < c->first[s + 1]; i++) {
		uint32_t to = j->block[c->to[i]];

		if (!j->into[to])
			continue;
		out->to[out->steps] = to;
		out->chance[out->steps++] = j->into[to];
		j->into[to] = 0;
	}
	out->first[b + 1] = out->steps;
	return WS_OK;
}

/* Does a state step as its block does? */
static bool as_its_block(const struct joint *j, const struct ws_markov *out, size_t s)
{
	size_t b = j->block[s];
	bool same = out->miss[b] == j->c->miss[s];

	gather(j, s);
	for (size_t i = out->first[b]; i < out->first[b + 1]; i++) {
		same = same && j->into[out->to[i]] == out->chance[i];
		j->into[out->to[i]] = 0;
	}
	for (size_t i = j->c->first[s]; i < j->c->first[s + 1]; i++) {
		uint32_t to = j->block[j->c->to[i]];

		same = same && !j->into[to];
		j->into[to] = 0;
	}
	return same;
}

/* Blocks are numbered in the order of their first states. */
static enum ws_status make(const struct joint *j, struct ws_markov *out, size_t count, bool *right,
			   struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t made = 0;

	ws_markov_clear(out);
	out->whole = j->c->whole;
	out->states = count;
	out->miss = ws_alloc(count, sizeof *out->miss);
	out->first = ws_alloc(count + 1, sizeof *out->first);
	if (!out->miss || !out->first)
		return ws_fail_memory(err, "a chain");
	for (size_t s = 0; s < j->c->states && status == WS_OK; s++) {
		if (j->block[s] == made) {
			status = put_block(j, out, s, err);
			made++;
		}
	}
	*right = true;
	for (size_t s = 0; s < j->c->states && status == WS_OK; s++)
		*right = as_its_block(j, out, s) && *right;
	return status;
}

enum ws_status ws_markov_join(struct ws_markov *out, const struct ws_markov *from,
			      struct ws_err *err)
{
	struct joint j = { .c = from };
	size_t n = from->states;
	enum ws_status status = WS_OK;
	bool right = false;

	*out = (struct ws_markov){ 0 };
	j.block = ws_alloc(n, sizeof *j.block);
	j.next = ws_alloc(n, sizeof *j.next);
	j.sign = ws_alloc(n, sizeof *j.sign);
	j.into = ws_alloc_zero(n, sizeof *j.into);
	if (!j.block || !j.next || !j.sign || !j.into ||
	    !ws_map_room(&j.map, NULL, sizeof *j.sign, n))
		status = ws_fail_memory(err, "a chain");
	while (status == WS_OK && !right) {
		j.seed += UINT64_C(0x51ed270b35a1c9f3);
		status = make(&j, out, split(&j), &right, err);
	}
	free(j.block);
	free(j.next);
	free(j.sign);
	free(j.into);
	ws_map_clear(&j.map);
	return status;
}
