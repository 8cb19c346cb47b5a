/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/router.c -- the router of validate/cycle/router.h in the plainest way.
 */
#include "tests/ref/router.h"

#include <stdlib.h>
#include <string.h>

#include "tests/ref/must.h"

enum where { SENDER, TO_ROUTER, BUFFER, PASSED, FROM_ROUTER, EJECTED, WAY_OUT, GONE };

struct ref_flit {
	void *packet;
	size_t input, output;
	bool head, tail;
	enum where where;
	uint64_t since, step;	/* the cycle, and the step of all, in which it came there */
};

struct ref_credit {
	bool of_sender;		/* else of an output */
	size_t port;
	uint64_t sent;		/* the cycle; UINT64_MAX: it is due */
};

struct ref_router {
	struct ws_router_shape shape;
	struct ref_flit *flit;	/* in the order in which they were added */
	struct ref_credit *credit;
	size_t flits, credits;
	uint64_t *sender, *output; /* their credits */
	size_t *holds, *turn;	/* an input's output, or SIZE_MAX; an output's pointer */
	uint64_t cycle, step;
};

struct ref_router *ref_router_new(const struct ws_router_shape *shape)
{
	struct ref_router *r = must(1, sizeof *r);

	r->shape = *shape;
	r->sender = must(shape->inputs, sizeof *r->sender);
	r->output = must(shape->outputs, sizeof *r->output);
	r->holds = must(shape->inputs, sizeof *r->holds);
	r->turn = must(shape->outputs, sizeof *r->turn);
	ref_router_empty(r);
	return r;
}

void ref_router_empty(struct ref_router *r)
{
	r->flits = r->credits = 0;
	for (size_t i = 0; i < r->shape.inputs; i++) {
		r->sender[i] = r->shape.buffer;
		r->holds[i] = SIZE_MAX;
	}
	for (size_t i = 0; i < r->shape.outputs; i++)
		r->output[i] = r->shape.buffer;
}

void ref_router_free(struct ref_router *r)
{
	free(r->flit);
	free(r->credit);
	free(r->sender);
	free(r->output);
	free(r->holds);
	free(r->turn);
	free(r);
}

static bool is_at(const struct ref_flit *f, enum where where, size_t port)
{
	return f->where == where && (where < PASSED ? f->input : f->output) == port;
}

/* The one that came there first, of one step the one that was added first; NULL: there is none. */
static struct ref_flit *first(const struct ref_router *r, enum where where, size_t port)
{
	struct ref_flit *found = NULL;

	for (size_t i = 0; i < r->flits; i++) {
		struct ref_flit *f = &r->flit[i];

		if (is_at(f, where, port) &&
		    (!found || f->since < found->since ||
		     (f->since == found->since && f->step < found->step)))
			found = f;
	}
	return found;
}

static uint64_t how_many(const struct ref_router *r, enum where where, size_t port)
{
	uint64_t n = 0;

	for (size_t i = 0; i < r->flits; i++)
		n += is_at(&r->flit[i], where, port);
	return n;
}

static void go(struct ref_router *r, struct ref_flit *f, enum where to)
{
	f->where = to;
	f->since = r->cycle;
	f->step = r->step;
}

static void owe(struct ref_router *r, bool of_sender, size_t port, uint64_t sent)
{
	r->credit = more(r->credit, r->credits + 1, sizeof *r->credit);
	r->credit[r->credits++] = (struct ref_credit){ of_sender, port, sent };
}

uint64_t ref_router_room(const struct ref_router *r, size_t input)
{
	return r->shape.in - how_many(r, SENDER, input);
}

void ref_router_add(struct ref_router *r, size_t input, size_t output, uint64_t flits,
		    void *packet)
{
	for (uint64_t i = 0; i < flits; i++) {
		r->flit = more(r->flit, r->flits + 1, sizeof *r->flit);
		r->flit[r->flits++] = (struct ref_flit){
			.packet = packet, .input = input, .output = output, .head = i == 0,
			.tail = i == flits - 1, .where = SENDER, .since = r->cycle,
			.step = r->step };
	}
}

static void forget_gone(struct ref_router *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->flits; i++)
		if (r->flit[i].where != GONE)
			r->flit[kept++] = r->flit[i];
	r->flits = kept;
}

void *ref_router_take(struct ref_router *r, size_t output)
{
	void *packet = NULL;

	for (size_t i = 0; i < r->flits && !packet; i++)
		if (is_at(&r->flit[i], WAY_OUT, output) && r->flit[i].tail)
			packet = first(r, WAY_OUT, output)->packet;
	for (size_t i = 0; i < r->flits && packet; i++)
		if (r->flit[i].packet == packet)
			r->flit[i].where = GONE;
	forget_gone(r);
	return packet;
}

bool ref_router_busy(const struct ref_router *r)
{
	return r->flits > 0;
}

/* ---- a cycle ------------------------------------------------------------------------------ */

static void credits_back(struct ref_router *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->credits; i++) {
		const struct ref_credit c = r->credit[i];

		if (c.sent == UINT64_MAX || c.sent + 2 != r->cycle)
			r->credit[kept++] = c;
		else if (c.of_sender)
			r->sender[c.port]++;
		else
			r->output[c.port]++;
	}
	r->credits = kept;
}

static void ends_of_links(struct ref_router *r)
{
	for (size_t i = 0; i < r->flits; i++) {
		struct ref_flit *f = &r->flit[i];

		if (f->since + 2 == r->cycle && (f->where == TO_ROUTER || f->where == FROM_ROUTER))
			go(r, f, f->where == TO_ROUTER ? BUFFER : EJECTED);
	}
	for (size_t i = 0; i < r->shape.outputs; i++) {
		struct ref_flit *f = first(r, EJECTED, i);

		if (!f || how_many(r, WAY_OUT, i) == r->shape.out)
			continue;
		go(r, f, WAY_OUT);
		owe(r, false, i, r->cycle);
	}
}

static bool is_held(const struct ref_router *r, size_t output)
{
	for (size_t i = 0; i < r->shape.inputs; i++)
		if (r->holds[i] == output)
			return true;
	return false;
}

/* Who gets each output; SIZE_MAX: nobody. */
static void arbitrate(const struct ref_router *r, size_t *winner)
{
	for (size_t i = 0; i < r->shape.outputs; i++) {
		winner[i] = SIZE_MAX;
		for (size_t n = 0; n < r->shape.inputs && !is_held(r, i); n++) {
			size_t input = (r->turn[i] + n) % r->shape.inputs;
			const struct ref_flit *f = first(r, BUFFER, input);

			if (f && f->head && f->output == i && r->holds[input] == SIZE_MAX) {
				winner[i] = input;
				break;
			}
		}
	}
}

static void step(struct ref_router *r)
{
	size_t *winner = must(r->shape.outputs, sizeof *winner);

	r->step++;
	arbitrate(r, winner);
	for (size_t i = 0; i < r->shape.inputs; i++) {
		struct ref_flit *f = first(r, BUFFER, i);

		if (!f || r->holds[i] == SIZE_MAX || !r->output[f->output])
			continue;
		r->output[f->output]--;
		owe(r, true, i, UINT64_MAX);
		go(r, f, PASSED);
		if (f->tail)
			r->holds[i] = SIZE_MAX;
	}
	for (size_t i = 0; i < r->shape.outputs; i++)
		if (winner[i] != SIZE_MAX) {
			r->holds[winner[i]] = i;
			r->turn[i] = (winner[i] + 1) % r->shape.inputs;
		}
	free(winner);
}

static void send(struct ref_router *r)
{
	for (size_t i = 0; i < r->shape.outputs; i++) {
		struct ref_flit *f = first(r, PASSED, i);

		if (f && f->step != r->step)
			go(r, f, FROM_ROUTER);
	}
	for (size_t i = 0; i < r->shape.inputs; i++)
		for (size_t k = 0; k < r->credits; k++) {
			struct ref_credit *c = &r->credit[k];

			if (c->of_sender && c->port == i && c->sent == UINT64_MAX) {
				c->sent = r->cycle;
				break;
			}
		}
}

/* ---- a crossbar ----------------------------------------------------------------------------- */

static uint64_t size_of(const struct ref_router *r, const void *packet)
{
	uint64_t n = 0;

	for (size_t i = 0; i < r->flits; i++)
		n += r->flit[i].packet == packet;
	return n;
}

static void cross(struct ref_router *r, size_t output)
{
	for (size_t n = 0; n < r->shape.inputs; n++) {
		size_t input = (r->turn[output] + n) % r->shape.inputs;
		const struct ref_flit *f = first(r, SENDER, input);
		void *packet = f ? f->packet : NULL;

		if (!f || f->output != output)
			continue;
		if (how_many(r, WAY_OUT, output) + size_of(r, packet) > r->shape.out)
			return;
		for (size_t i = 0; i < r->flits; i++)
			if (r->flit[i].packet == packet)
				go(r, &r->flit[i], WAY_OUT);
		r->turn[output] = (input + 1) % r->shape.inputs;
		return;
	}
}

void ref_router_cycle(struct ref_router *r)
{
	r->cycle++;
	r->step++; /* what comes now comes before the first step */
	for (size_t i = 0; i < r->shape.outputs && !r->shape.speedup; i++)
		cross(r, i);
	if (!r->shape.speedup)
		return;
	ends_of_links(r);
	credits_back(r);
	for (size_t i = 0; i < r->shape.inputs; i++) {
		struct ref_flit *f = first(r, SENDER, i);

		if (!f || !r->sender[i])
			continue;
		r->sender[i]--;
		go(r, f, TO_ROUTER);
	}
	for (uint64_t i = 0; i < r->shape.speedup; i++)
		step(r);
	send(r);
}
