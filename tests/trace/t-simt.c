/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Group lockstep (lowest-numbered block first) against the stack of immediate post-dominators that
 * GPUs before Volta are described with (Fung et al., MICRO 2007): on random structured control
 * flow, ifs and loops nested at will, both execute the same blocks with the same masks in the same
 * order.
 *
 * Where a divergent branch is left by a break they differ: lanes that take the
 * other side then meet the rest at the end of the if in lockstep (thread frontiers, Diamos et
 * al., MICRO 2011), behind the loop with the stack.  Lockstep is what is modelled; the last
 * test shows one such case.
 */
#include "tests/test.h"
#include "trace/capture/kernel.h"

#define BLOCKS 60
#define LANES 16
#define STEPS 4000
#define END BLOCKS /* the virtual exit */

struct cfg {
	size_t blocks, first[BLOCKS + 1];
	uint32_t succ[BLOCKS * 2], order[BLOCKS], position[BLOCKS + 1];
	int target[BLOCKS][2]; /* -1: none */
	bool loop[BLOCKS];	 /* a loop's header: [0] is its body */
	int ipdom[BLOCKS + 1];
	uint64_t salt;
};

static uint64_t mix(uint64_t x)
{
	x ^= x >> 31;
	x *= 0x9e3779b97f4a7c15u;
	return x ^ x >> 29;
}

/* Where a lane goes from block b, the visit-th time it leaves it. */
static int choose(const struct cfg *g, int b, unsigned lane, unsigned visit)
{
	uint64_t h = mix(g->salt ^ mix((uint64_t)b << 40 ^ (uint64_t)lane << 20 ^ visit));

	if (g->target[b][0] < 0)
		return END;
	if (g->target[b][1] < 0)
		return g->target[b][0];
	if (g->loop[b]) /* ends sooner or later */
		return g->target[b][h % 4 == 0 || visit > 20];
	return g->target[b][h % 2];
}

/* ---- programs --------------------------------------------------------------- */

static int new_block(struct cfg *g)
{
	g->target[g->blocks][0] = g->target[g->blocks][1] = -1;
	return (int)g->blocks++;
}

/* Control flow that begins in block b; the block it ends in. */
static int structured(struct cfg *g, struct ws_rng *rng, int b, int depth)
{
	for (uint64_t n = 1 + ws_rng_below(rng, 3); n && g->blocks + 8 < BLOCKS; n--) {
		int one, other, join;

		if (depth == 0)
			break;
		if (ws_rng_below(rng, 2)) { /* if, with or without else */
			bool otherwise = ws_rng_below(rng, 2);

			one = new_block(g);
			other = otherwise ? new_block(g) : -1;
			g->target[b][0] = one;
			one = structured(g, rng, one, depth - 1);
			if (otherwise)
				g->target[b][1] = other;
			other = otherwise ? structured(g, rng, other, depth - 1) : b;
			join = new_block(g);
			g->target[one][0] = join;
			g->target[other][otherwise ? 0 : 1] = join;
		} else { /* while */
			int header = new_block(g);

			g->target[b][0] = header;
			g->loop[header] = true;
			one = new_block(g);
			g->target[header][0] = one;
			one = structured(g, rng, one, depth - 1);
			g->target[one][0] = header;
			join = new_block(g);
			g->target[header][1] = join;
		}
		b = join;
	}
	return b;
}

static void finish(struct cfg *g)
{
	size_t n = 0;

	for (size_t b = 0; b < g->blocks; b++) {
		g->first[b] = n;
		for (int i = 0; i < 2; i++) {
			if (g->target[b][i] >= 0)
				g->succ[n++] = (uint32_t)g->target[b][i];
		}
	}
	g->first[g->blocks] = n;
	if (ws_block_order(g->blocks, g->first, g->succ, g->order, NULL) != WS_OK)
		abort();
	for (size_t i = 0; i < g->blocks; i++)
		g->position[g->order[i]] = (uint32_t)i;
	g->position[END] = UINT32_MAX;
}

/* Post-dominators by brute force: sets of blocks as bits, until nothing changes. */
static void post_dominators(struct cfg *g)
{
	uint64_t dom[BLOCKS + 1], all = ~UINT64_C(0);
	bool changed = true;

	for (size_t b = 0; b < g->blocks; b++)
		dom[b] = all;
	dom[END] = UINT64_C(1) << END;
	while (changed) {
		changed = false;
		for (size_t b = 0; b < g->blocks; b++) {
			uint64_t meet = g->target[b][0] < 0 ? dom[END] : all;

			for (int i = 0; i < 2; i++)
				meet &= g->target[b][i] >= 0 ? dom[g->target[b][i]] : all;
			meet |= UINT64_C(1) << b;
			changed |= meet != dom[b];
			dom[b] = meet;
		}
	}
	for (size_t b = 0; b < g->blocks; b++) {
		/* The immediate one is post-dominated by all the others. */
		for (int c = 0; c <= END; c++) {
			uint64_t others = dom[b] & ~(UINT64_C(1) << b);

			if (c != (int)b && others >> c & 1 && (c == END || c < (int)g->blocks) &&
			    dom[c] == others)
				g->ipdom[b] = c;
		}
	}
}

/* ---- the two machines --------------------------------------------------------- */

struct log {
	int block[STEPS];
	uint32_t mask[STEPS];
	size_t count;
};

static void note(struct log *l, int block, uint32_t mask)
{
	if (l->count < STEPS) {
		l->block[l->count] = block;
		l->mask[l->count++] = mask;
	}
}

static void lockstep(const struct cfg *g, struct log *l)
{
	unsigned visit[LANES][BLOCKS] = { { 0 } };
	int at[LANES] = { 0 };

	for (;;) {
		int low = END;
		uint32_t mask = 0;

		for (unsigned i = 0; i < LANES; i++)
			low = g->position[at[i]] < g->position[low] ? at[i] : low;
		if (low == END || l->count == STEPS)
			return;
		for (unsigned i = 0; i < LANES; i++) {
			if (at[i] == low) {
				mask |= 1u << i;
				at[i] = choose(g, low, i, visit[i][low]++);
			}
		}
		note(l, low, mask);
	}
}

static void post_dominator_stack(const struct cfg *g, struct log *l)
{
	struct {
		int block, until;
		uint32_t mask;
	} stack[BLOCKS * 4] = { { 0, END, (1u << LANES) - 1 } };
	unsigned visit[LANES][BLOCKS] = { { 0 } };
	size_t top = 1;

	while (top && l->count < STEPS) {
		int b = stack[top - 1].block, to[LANES] = { 0 }, first = -1;
		uint32_t mask = stack[top - 1].mask, left = mask;
		bool uniform = true;

		if (b == END || b == stack[top - 1].until) {
			top--;
			continue;
		}
		note(l, b, mask);
		for (unsigned i = 0; i < LANES; i++) {
			if (!(mask >> i & 1))
				continue;
			to[i] = choose(g, b, i, visit[i][b]++);
			first = first < 0 ? to[i] : first;
			uniform &= to[i] == first;
		}
		stack[top - 1].block = uniform ? first : g->ipdom[b];
		while (!uniform && left) { /* the lowest-numbered target ends on top */
			int high = -1;
			uint32_t side = 0;

			for (unsigned i = 0; i < LANES; i++) {
				if (left >> i & 1 &&
				    (high < 0 || g->position[to[i]] > g->position[high]))
					high = to[i];
			}
			for (unsigned i = 0; i < LANES; i++)
				side |= left >> i & 1 && to[i] == high ? 1u << i : 0;
			left &= ~side;
			if (high != g->ipdom[b]) {
				stack[top].block = high;
				stack[top].until = g->ipdom[b];
				stack[top++].mask = side;
			}
		}
	}
}

static bool agree(struct cfg *g, size_t *steps, size_t *diverged)
{
	static struct log a, b;

	finish(g);
	post_dominators(g);
	a.count = b.count = 0;
	lockstep(g, &a);
	post_dominator_stack(g, &b);
	*steps += a.count;
	for (size_t i = 0; i < a.count; i++)
		*diverged += a.mask[i] != (1u << LANES) - 1;
	return a.count == b.count && memcmp(a.block, b.block, a.count * sizeof a.block[0]) == 0 &&
	       memcmp(a.mask, b.mask, a.count * sizeof a.mask[0]) == 0;
}

/* for (;;) { if (a) { if (b) break; x } y }: 1 is the header, 2 `if (b)`, 3 x, 4 y. */
static void left_by_break(struct cfg *g)
{
	memset(g, 0, sizeof *g);
	for (int i = 0; i < 6; i++)
		new_block(g);
	g->target[0][0] = 1;
	g->target[1][0] = 2;
	g->target[1][1] = 4;
	g->target[2][0] = 3;
	g->target[2][1] = 5;
	g->loop[2] = true; /* breaks in the end */
	g->target[3][0] = 4;
	g->target[4][0] = 1;
}

int main(void)
{
	size_t bad = 0, steps = 0, diverged = 0;
	struct ws_rng rng;
	struct cfg g;

	ws_rng_seed(&rng, test_seed(3));
	for (int i = 0; i < 400; i++) {
		memset(&g, 0, sizeof g);
		g.salt = ws_rng_u64(&rng);
		structured(&g, &rng, new_block(&g), 4);
		bad += !agree(&g, &steps, &diverged);
	}
	test_u64(bad, 0, "structured programs on which lockstep and the stack differ");
	test_ok(diverged > steps / 4, "%zu of %zu steps are diverged: the test sees something",
		diverged, steps);
	left_by_break(&g);
	test_ok(!agree(&g, &steps, &diverged), "a divergent if left by a break: they differ, as "
		"said");
	return test_done();
}
