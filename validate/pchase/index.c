/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/index.c -- from a line to its set.
 *
 * If the set is a linear function of the address over GF(2), each address bit is worth a vector.
 * Going up, a bit is either independent of the basis so far, or the one combination of it that
 * undoes its change: all lines that differ from one of the full set by that bit and a combination
 * are tried at once, as they are of different sets; halving finds the combination.  Lines drawn at
 * random then confirm the matrix.  If they do not, every known function of any number of sets is
 * held against lines drawn at random that are, or are not, of the full set.
 */
#include "validate/pchase/probe.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define RANK_MAX WS_HASH_ROWS
#define CONFIRM 24u		/* lines of the set, and as many of others */
#define MEMBERS 16u		/* lines of the full set that are looked for */
#define BATCH 16u
#define BATCHES_MOST 4096u
#define SETS_MOST 4096u

struct xor_index {		/* of address bits low..high */
	unsigned low, high, rank;
	unsigned basis[RANK_MAX];
	uint32_t code[WS_PROBE_BITS]; /* by bit: a combination of basis bits */
};

static uint64_t combination(const struct xor_index *x, uint32_t code)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < x->rank; i++)
		if (code >> i & 1)
			bits ^= 1ull << x->basis[i];
	return bits;
}

static uint32_t code_of(const struct xor_index *x, uint64_t address)
{
	uint32_t code = 0;

	for (unsigned k = x->low; k <= x->high; k++)
		if (address >> k & 1)
			code ^= x->code[k];
	return code;
}

/* Is p->other with this bit and a combination among [from, to) changed of its set? */
static enum ws_status any_combination(struct ws_probe *p, const struct xor_index *x, unsigned bit,
				      uint32_t from, uint32_t to, bool *yes, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	p->batch.count = 0;
	for (uint32_t code = from; code < to && status == WS_OK; code++)
		status = ws_chase_list_add(&p->batch,
				      p->other ^ 1ull << bit ^ combination(x, code), err);
	return status == WS_OK
		? ws_probe_same_set(p, p->batch.at, p->batch.count, yes, err) : status;
}

static enum ws_status place_bit(struct ws_probe *p, struct xor_index *x, unsigned bit,
				bool *linear, struct ws_err *err)
{
	uint32_t from = 0, to = 1u << x->rank;
	bool yes;
	enum ws_status status = any_combination(p, x, bit, from, to, &yes, err);

	if (status != WS_OK)
		return status;
	if (!yes) {
		*linear = x->rank < RANK_MAX;
		if (*linear) {
			x->code[bit] = 1u << x->rank;
			x->basis[x->rank++] = bit;
		}
		return WS_OK;
	}
	while (to - from > 1 && status == WS_OK) {
		uint32_t middle = from + (to - from) / 2;

		status = any_combination(p, x, bit, from, middle, &yes, err);
		*(yes ? &to : &from) = middle;
	}
	x->code[bit] = from;
	return status;
}

enum ws_status ws_probe_rank(struct ws_probe *p, unsigned low, unsigned high, unsigned *rank,
			     struct ws_err *err)
{
	struct xor_index x = { .low = low, .high = high };
	enum ws_status status = WS_OK;
	bool linear = true;

	for (unsigned bit = low; bit <= high && status == WS_OK && linear; bit++)
		status = place_bit(p, &x, bit, &linear, err);
	*rank = x.rank;
	return status;
}

/* Lines that it puts into the full set, and lines that it does not. */
static enum ws_status confirm(struct ws_probe *p, const struct xor_index *x, bool *good,
			      struct ws_err *err)
{
	enum ws_status status = WS_OK;

	*good = true;
	for (unsigned i = 0; i < 2 * CONFIRM && status == WS_OK && *good; i++) {
		uint64_t at = ws_probe_draw(p);
		uint32_t code = code_of(x, at ^ p->other);
		bool yes;

		if (i < CONFIRM)
			at ^= combination(x, code);
		else if (code == 0)
			continue;
		status = ws_probe_same_set(p, &at, 1, &yes, err);
		*good = yes == (i < CONFIRM);
	}
	return status;
}

/* ---- the functions that have names ------------------------------------------------------- */

/* Whether a function of 2^rank sets tells the same lines apart. */
static bool same_parts(const struct xor_index *x, const struct ws_cache *shape)
{
	bool used[1u << RANK_MAX] = { false };

	for (uint32_t code = 0; code < 1u << x->rank; code++) {
		uint64_t set = ws_set_index(shape, combination(x, code));

		if (used[set])
			return false;
		used[set] = true;
	}
	for (unsigned k = x->low; k <= x->high; k++)
		if (ws_set_index(shape, 1ull << k) !=
		    ws_set_index(shape, combination(x, x->code[k])))
			return false;
	return true;
}

static bool take_hash(struct ws_cache *shape, const char *text)
{
	struct ws_err ignored = { 0 };
	const char *colon = strchr(text, ':');

	shape->hash = ws_hash_find(text);
	if (!shape->hash)
		return false;
	if (shape->hash->parse && !(colon && shape->hash->parse(shape, colon + 1)))
		return false;
	return !shape->hash->check || shape->hash->check(shape, &ignored) == WS_OK;
}

static void matrix_text(const struct xor_index *x, char *text, size_t len)
{
	size_t at = (size_t)snprintf(text, len, "matrix:");

	for (unsigned i = 0; i < x->rank && at < len; i++) {
		uint64_t row = 0;

		for (unsigned k = x->low; k <= x->high; k++)
			row |= (uint64_t)(x->code[k] >> i & 1) << k;
		at += (size_t)snprintf(text + at, len - at, "%s%" PRIx64, i ? "/" : "", row);
	}
}

/* The first of the table without parameters, a range of bits, or the matrix itself. */
static bool name_matrix(struct ws_probe *p, const struct xor_index *x)
{
	struct ws_cache *shape = &p->shape;
	char *text = p->found->hash;

	shape->sets = 1ull << x->rank;
	for (size_t i = 0; ws_hashes[i]; i++) {
		if (ws_hashes[i]->parse || !take_hash(shape, ws_hashes[i]->name))
			continue;
		snprintf(text, WS_CHASE_TEXT, "%s", ws_hashes[i]->name);
		if (same_parts(x, shape))
			return true;
	}
	if (x->rank) {
		snprintf(text, WS_CHASE_TEXT, "bits:%u-%u", x->basis[0],
			 x->basis[0] + x->rank - 1);
		if (take_hash(shape, text) && same_parts(x, shape))
			return true;
	}
	matrix_text(x, text, WS_CHASE_TEXT);
	return take_hash(shape, text) && same_parts(x, shape);
}

/* ---- any number of sets ---------------------------------------------------------------- */

struct membership {
	struct ws_chase_list members, others;
};

static enum ws_status sort_out(struct ws_probe *p, struct membership *m, const uint64_t *at,
			       size_t count, struct ws_err *err)
{
	bool yes;
	enum ws_status status = ws_probe_same_set(p, at, count, &yes, err);

	if (status == WS_OK && yes && count == 1)
		return ws_chase_list_add(&m->members, *at, err);
	if (status == WS_OK && yes) {
		status = sort_out(p, m, at, count / 2, err);
		return status == WS_OK
			? sort_out(p, m, at + count / 2, count - count / 2, err) : status;
	}
	for (size_t i = 0; i < count && status == WS_OK; i++)
		status = ws_chase_list_add(&m->others, at[i], err);
	return status;
}

static bool explains(const struct membership *m, const struct ws_cache *shape, uint64_t set)
{
	for (size_t i = 0; i < m->members.count; i++)
		if (ws_set_index(shape, m->members.at[i]) != set)
			return false;
	for (size_t i = 0; i < m->others.count; i++)
		if (ws_set_index(shape, m->others.at[i]) == set)
			return false;
	return true;
}

static bool name_any(struct ws_probe *p, const struct membership *m)
{
	struct ws_cache *shape = &p->shape;

	for (size_t i = 0; ws_hashes[i]; i++) {
		for (shape->sets = 2; shape->sets <= SETS_MOST; shape->sets++) {
			if (ws_hashes[i]->parse || !take_hash(shape, ws_hashes[i]->name) ||
			    !explains(m, shape, ws_set_index(shape, p->other)))
				continue;
			snprintf(p->found->hash, WS_CHASE_TEXT, "%s", ws_hashes[i]->name);
			return true;
		}
	}
	p->found->hash[0] = '\0';
	return false;
}

static enum ws_status try_names(struct ws_probe *p, bool *good, struct ws_err *err)
{
	struct membership m = { 0 };
	uint64_t at[BATCH];
	enum ws_status status = WS_OK;

	for (size_t k = 0; k < BATCHES_MOST && m.members.count < MEMBERS && status == WS_OK &&
	     !p->found->exhausted; k++) {
		for (size_t i = 0; i < BATCH; i++)
			at[i] = ws_probe_draw(p);
		status = sort_out(p, &m, at, BATCH, err);
	}
	*good = status == WS_OK && m.members.count >= MEMBERS && name_any(p, &m);
	ws_chase_list_clear(&m.members);
	ws_chase_list_clear(&m.others);
	return status;
}

enum ws_status ws_chase_index(struct ws_probe *p, struct ws_err *err)
{
	struct xor_index x = { .low = ws_log2(p->found->line.value),
			       .high = ws_log2(p->target->bytes) - 1 };
	enum ws_status status = WS_OK;
	bool linear = true, good = false;

	p->shape = (struct ws_cache){
		.line_bytes = p->found->line.value, .ways = p->found->ways.value,
		.sector_bytes = p->found->line.value,
	};
	for (unsigned bit = x.low; bit <= x.high && status == WS_OK && linear; bit++)
		status = place_bit(p, &x, bit, &linear, err);
	if (status == WS_OK && linear)
		status = confirm(p, &x, &good, err);
	if (status == WS_OK && good)
		good = name_matrix(p, &x);
	if (status == WS_OK && !good)
		status = try_names(p, &good, err);
	if (status != WS_OK || p->found->exhausted || !good)
		return status;
	p->indexed = true;
	p->found->hash_low = x.low;
	p->found->hash_high = x.high;
	p->found->hash_confidence = ws_probe_confidence(p);
	p->found->sets = (struct ws_chase_value){ p->shape.sets, p->found->hash_confidence };
	return WS_OK;
}
