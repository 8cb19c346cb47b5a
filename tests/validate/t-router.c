/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The router of the cycle simulator (icnt.queues = router): answers worked out by hand, and random
 * packets against the slow reference, tests/ref/router.c, cycle by cycle.
 */
#include "tests/ref/router.h"
#include "tests/test.h"
#include "tests/ref/must.h"

#define ROUNDS 150u
#define PORTS  7u

static struct ws_router *make(size_t inputs, size_t outputs, uint64_t in, uint64_t buffer,
			      uint64_t out, uint64_t speedup)
{
	const struct ws_router_shape shape = { inputs, outputs, in, buffer, out, speedup };
	struct ws_router *r;

	if (ws_router_new(&r, &shape, NULL) != WS_OK)
		abort();
	return r;
}

static void add(struct ws_router *r, size_t input, size_t output, uint64_t flits, uint64_t name)
{
	const struct ws_packet p = { .address = name };

	if (ws_router_add(r, input, output, flits, &p, NULL) != WS_OK)
		abort();
}

/* Cycles until the output has a packet, which is `name`; then it is taken. */
static uint64_t cycles_to(struct ws_router *r, size_t output, uint64_t name)
{
	const struct ws_packet *p;
	uint64_t n = 0;

	while ((p = ws_router_take(r, output)) == NULL && n < 1000) {
		ws_router_step(r);
		n++;
	}
	return p && p->address == name ? n : UINT64_MAX;
}

/* ---- by hand ------------------------------------------------------------------------------- */

/* Injected in the first cycle, two on the link; an output, and the switch, are two steps; it is
 * sent in the next cycle, two on the link, and is out. */
static void alone(void)
{
	struct ws_router *r = make(15, 12, 9, 64, 16, 2);

	add(r, 3, 4, 1, 1);
	test_u64(cycles_to(r, 4, 1), 6, "a flit alone: cycles, with that of its injection");
	add(r, 3, 4, 4, 2);
	test_u64(cycles_to(r, 4, 2), 9, "four flits: three cycles more");
	ws_router_free(r);
	r = make(15, 12, 9, 64, 16, 1);
	add(r, 3, 4, 1, 1);
	test_u64(cycles_to(r, 4, 1), 7, "one step a cycle: a cycle more");
	ws_router_free(r);
}

/* Of three for one output the first is input 0's, as its pointer is 0; then in turn. */
static void in_turn(void)
{
	struct ws_router *r = make(4, 2, 9, 64, 16, 2);

	add(r, 2, 1, 1, 20);
	add(r, 0, 1, 1, 10);
	add(r, 3, 1, 1, 30);
	add(r, 0, 1, 1, 11);
	test_u64(cycles_to(r, 1, 10), 6, "the lowest input first");
	test_u64(cycles_to(r, 1, 20), 1, "then the next one up");
	test_u64(cycles_to(r, 1, 30), 1, "and the next");
	test_u64(cycles_to(r, 1, 11), 1, "then the first one again");
	add(r, 0, 1, 1, 12);
	add(r, 1, 1, 1, 40);
	test_u64(cycles_to(r, 1, 40), 6, "the pointer stays behind input 0");
	test_u64(cycles_to(r, 1, 12), 1, "which is last");
	ws_router_free(r);
}

/* A packet whose output is busy holds up the one behind it, whose output is free. */
static void head_of_line(void)
{
	struct ws_router *r = make(2, 2, 9, 64, 16, 2);

	add(r, 0, 0, 8, 10);
	add(r, 1, 0, 1, 20);
	add(r, 1, 1, 1, 21);
	test_u64(cycles_to(r, 0, 10), 13, "eight flits");
	test_u64(cycles_to(r, 1, 21), 1, "what waits behind them for another output");
	test_u64(cycles_to(r, 0, 20), 0, "with the one before it");
	ws_router_free(r);
}

/* Nobody takes anything: the way out, the output's credits, the input's and the sender's queue
 * fill up. */
static void backs_up(void)
{
	struct ws_router *r = make(1, 1, 3, 5, 2, 2);
	uint64_t added = 0;

	for (unsigned i = 0; i < 100; i++) {
		for (; ws_router_room(r, 0); added++)
			add(r, 0, 0, 1, added);
		ws_router_step(r);
	}
	test_u64(added, 2 + 5 + 5 + 3, "flits that are inside when all is full");
	for (uint64_t i = 0; i < added; i++)
		if (cycles_to(r, 0, i) > 20)
			added = 0;
	test_ok(added > 0, "and all come out, in order");
	for (unsigned i = 0; i < 20; i++)
		ws_router_step(r);
	test_ok(ws_router_idle(r), "then it is idle");
	ws_router_free(r);
}

/* A cycle for a packet, whatever its size.  Output 0 takes input 0's, whose next is for output 1
 * and comes before input 1's in the same cycle; input 1's other one waits behind that. */
static void crossbar(void)
{
	struct ws_router *r = make(2, 2, 9, 64, 3, 0);

	add(r, 0, 0, 3, 10);
	add(r, 0, 1, 1, 11);
	add(r, 1, 1, 2, 20);
	add(r, 1, 0, 1, 21);
	test_u64(cycles_to(r, 0, 10), 1, "a crossbar: three flits in a cycle");
	test_u64(cycles_to(r, 1, 11), 0, "and what was behind them, for a later output");
	test_u64(cycles_to(r, 1, 20), 1, "then the other input");
	test_u64(cycles_to(r, 0, 21), 1, "whose next one is for an earlier output, a cycle later");
	add(r, 0, 1, 2, 12);
	add(r, 0, 1, 2, 13);
	ws_router_step(r);
	ws_router_step(r);
	test_u64(ws_router_room(r, 0), 9 - 2, "four flits do not go where three can be");
	test_u64(cycles_to(r, 1, 12), 0, "the first two do");
	test_u64(cycles_to(r, 1, 13), 1, "and when they are gone, the others");
	ws_router_free(r);
}

/* ---- against the reference ------------------------------------------------------------------ */

static uint64_t between(struct ws_rng *rng, uint64_t low, uint64_t high)
{
	return low + ws_rng_below(rng, high - low + 1);
}

struct pair {
	struct ws_router_shape shape;
	struct ws_router *got;
	struct ref_router *want;
	uint64_t *names;	/* [added]: what packets of the reference point to */
	uint64_t added, taken, cap;
	bool same;
};

static void add_some(struct pair *p, struct ws_rng *rng, uint64_t one_in)
{
	uint64_t most = p->shape.in < p->shape.out ? p->shape.in : p->shape.out;

	for (size_t i = 0; i < p->shape.inputs && p->added < p->cap; i++) {
		size_t output = (size_t)ws_rng_below(rng, p->shape.outputs);
		uint64_t flits = ws_rng_below(rng, 2) ? 1 : between(rng, 1, most);

		p->same &= ws_router_room(p->got, i) == ref_router_room(p->want, i);
		if (ws_rng_below(rng, one_in) || flits > ws_router_room(p->got, i))
			continue;
		p->names[p->added] = p->added;
		add(p->got, i, output, flits, p->added);
		ref_router_add(p->want, i, output, flits, &p->names[p->added++]);
	}
}

static void take_some(struct pair *p, struct ws_rng *rng, uint64_t one_in)
{
	for (size_t i = 0; i < p->shape.outputs; i++) {
		const struct ws_packet *got;
		const uint64_t *want;

		if (ws_rng_below(rng, one_in))
			continue;
		got = ws_router_take(p->got, i);
		want = ref_router_take(p->want, i);
		p->same &= (got != NULL) == (want != NULL) && (!got || got->address == *want);
		p->taken += got != NULL;
	}
}

static bool one_round(uint64_t seed, uint64_t *packets)
{
	struct pair p = { .same = true, .cap = 300 };
	struct ws_rng rng;
	uint64_t adds, takes, cycles = 0;

	ws_rng_seed(&rng, seed);
	adds = between(&rng, 1, 4);
	takes = between(&rng, 1, 4);
	p.shape = (struct ws_router_shape){ between(&rng, 1, PORTS), between(&rng, 1, PORTS),
		between(&rng, 1, 9), between(&rng, 1, 12), between(&rng, 1, 6),
		between(&rng, 0, 3) };
	p.got = make(p.shape.inputs, p.shape.outputs, p.shape.in, p.shape.buffer, p.shape.out,
		     p.shape.speedup);
	p.want = ref_router_new(&p.shape);
	p.names = must((size_t)p.cap, sizeof *p.names);
	for (; p.same && (p.taken < p.cap || !ws_router_idle(p.got)) && cycles < 20000; cycles++) {
		if (ws_rng_below(&rng, 100) < 98 || p.taken == p.cap)
			add_some(&p, &rng, adds);
		take_some(&p, &rng, takes);
		ws_router_step(p.got);
		ref_router_cycle(p.want);
	}
	p.same &= p.taken == p.cap && !ref_router_busy(p.want);
	*packets += p.taken;
	if (!p.same)
		printf("# seed %" PRIu64 "\n", seed);
	ws_router_free(p.got);
	ref_router_free(p.want);
	free(p.names);
	return p.same;
}

int main(void)
{
	uint64_t seed = test_seed(20261126), good = 0, packets = 0;

	alone();
	in_turn();
	head_of_line();
	backs_up();
	crossbar();
	while (good < ROUNDS && one_round(seed + good, &packets))
		good++;
	test_ok(good == ROUNDS, "as the reference, cycle by cycle: %" PRIu64 " of %u rounds, %"
		PRIu64 " packets", good, ROUNDS, packets);
	return test_done();
}
