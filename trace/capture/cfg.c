/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/cfg.c -- numbering of basic blocks.
 *
 * Group lockstep executes the lowest-numbered block first, so the numbers decide where diverged
 * threads reconverge: blocks of a loop are contiguous, its entry first, and everything outside a
 * loop is in topological order; a loop's exit therefore waits for all its turns.  That is a weak
 * topological order (F. Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993),
 * made here by his recursive use of Tarjan's algorithm, with the recursion turned into an explicit
 * stack of components: graphs of generated kernels are deep.
 *
 * Cost: O(edges * loop depth).
 */
#include "trace/capture/kernel.h"

#include <stdlib.h>
#include <string.h>

/* One depth-first search over the blocks of one region (blocks whose region number
 * is the region's), without the edges into its head. */
struct search {
	const size_t *first;
	const uint32_t *succ;
	uint32_t *region;       /* of each block */
	uint32_t *index, *low;  /* Tarjan's; 0: not seen */
	size_t *edge;           /* next edge to look at */
	uint32_t *path, *stack; /* depth-first path; Tarjan's stack */
	bool *on_stack;
	uint32_t *component;   /* members in order of completion */
	size_t *component_end; /* ends of components in .component */
	uint32_t *head;        /* entry of each component */
};

/* A piece of the order still to be made: blocks of one component. */
struct region_piece {
	uint32_t head, region, from; /* place in order[] of its first block */
	size_t count;
};

static uint32_t min32(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Strongly connected components of region r reachable from start, in reverse topological
 * order; edges to `cut` are left out.  Returns their number. */
static size_t components(struct search *s, uint32_t start, uint32_t r, uint32_t cut)
{
	size_t found = 0, members = 0, depth = 0, top = 0;
	uint32_t counter = 0;

	s->path[depth++] = start;
	while (depth) {
		uint32_t b = s->path[depth - 1];

		if (!s->index[b]) {
			s->index[b] = s->low[b] = ++counter;
			s->edge[b] = s->first[b];
			s->stack[top++] = b;
			s->on_stack[b] = true;
		}
		if (s->edge[b] < s->first[b + 1]) {
			uint32_t to = s->succ[s->edge[b]++];

			if (s->region[to] != r || to == cut)
				continue;
			if (!s->index[to])
				s->path[depth++] = to;
			else if (s->on_stack[to])
				s->low[b] = min32(s->low[b], s->index[to]);
			continue;
		}
		depth--;
		if (depth)
			s->low[s->path[depth - 1]] = min32(s->low[s->path[depth - 1]], s->low[b]);
		if (s->low[b] != s->index[b])
			continue;
		s->head[found] = b;
		for (uint32_t m = UINT32_MAX; m != b;) {
			m = s->stack[--top];
			s->on_stack[m] = false;
			s->component[members++] = m;
		}
		s->component_end[found++] = members;
	}
	return found;
}

/* Lays out the components found in a piece, and pushes those that are loops. */
static size_t lay_out(struct search *s, size_t found, uint32_t at, uint32_t *order,
		      struct region_piece *todo, size_t todos, uint32_t *regions)
{
	for (size_t c = found; c-- > 0;) {
		size_t from = c ? s->component_end[c - 1] : 0, count = s->component_end[c] - from;

		order[at] = s->head[c];
		if (count > 1) {
			uint32_t r = ++*regions;

			for (size_t m = from; m < from + count; m++)
				s->region[s->component[m]] = r;
			todo[todos++] = (struct region_piece){ s->head[c], r, at, count };
		}
		at += (uint32_t)count;
	}
	return todos;
}

static void forget_found(struct search *s, size_t found)
{
	size_t members = found ? s->component_end[found - 1] : 0;

	for (size_t m = 0; m < members; m++)
		s->index[s->component[m]] = 0;
}

/* A loop: its head first, then the order of the rest without edges to the head. */
static void loop_order(struct search *s, const struct region_piece *p, uint32_t *order,
		       struct region_piece *todo,
		       size_t *todos, uint32_t *regions)
{
	size_t found;

	order[p->from] = p->head;
	/* From the head everything of the loop is reached; the cut makes the
	 * head a component of its own, the last one completed. */
	found = components(s, p->head, p->region, p->head);
	forget_found(s, found);
	s->region[p->head] = 0;
	*todos = lay_out(s, found - 1, p->from + 1, order, todo, *todos, regions);
}

static bool search_alloc(struct search *s, size_t n)
{
	s->region = ws_alloc_zero(n, sizeof *s->region);
	s->index = ws_alloc_zero(n, sizeof *s->index);
	s->low = ws_alloc_zero(n, sizeof *s->low);
	s->edge = ws_alloc_zero(n, sizeof *s->edge);
	s->path = ws_alloc_zero(n, sizeof *s->path);
	s->stack = ws_alloc_zero(n, sizeof *s->stack);
	s->on_stack = ws_alloc_zero(n, sizeof *s->on_stack);
	s->component = ws_alloc_zero(n, sizeof *s->component);
	s->component_end = ws_alloc_zero(n, sizeof *s->component_end);
	s->head = ws_alloc_zero(n, sizeof *s->head);
	return s->region && s->index && s->low && s->edge && s->path && s->stack && s->on_stack &&
	       s->component && s->component_end && s->head;
}

static void search_free(struct search *s)
{
	free(s->region);
	free(s->index);
	free(s->low);
	free(s->edge);
	free(s->path);
	free(s->stack);
	free(s->on_stack);
	free(s->component);
	free(s->component_end);
	free(s->head);
}

enum ws_status ws_block_order(size_t blocks, const size_t *first, const uint32_t *succ,
			      uint32_t *order, struct ws_err *err)
{
	struct search s = { .first = first, .succ = succ };
	struct region_piece *todo = ws_alloc(blocks, sizeof *todo);
	size_t todos = 0, found, reached;
	uint32_t regions = 1;

	if (!todo || !search_alloc(&s, blocks)) {
		free(todo);
		search_free(&s);
		return ws_fail_memory(err, "the order of basic blocks");
	}
	for (size_t b = 0; b < blocks; b++)
		s.region[b] = 1;
	found = components(&s, 0, 1, UINT32_MAX);
	forget_found(&s, found);
	reached = s.component_end[found - 1];
	for (size_t m = 0; m < reached; m++)
		s.on_stack[s.component[m]] = true; /* borrowed: "reached" */
	for (size_t b = 0, at = reached; b < blocks; b++) {
		if (!s.on_stack[b])
			order[at++] = (uint32_t)b;
		s.on_stack[b] = false;
	}
	todos = lay_out(&s, found, 0, order, todo, 0, &regions);
	while (todos) {
		struct region_piece p = todo[--todos];

		loop_order(&s, &p, order, todo, &todos, &regions);
	}
	free(todo);
	search_free(&s);
	return WS_OK;
}

void ws_keep_latches(size_t blocks, const size_t *first, const uint32_t *succ,
		     const uint32_t *position, bool *keep)
{
	bool *at = ws_alloc_zero(blocks, sizeof *at); /* keep by position */
	bool changed = true;

	if (!at) { /* keeping all of them is always right */
		memset(keep, true, blocks);
		return;
	}
	for (size_t b = 0; b < blocks; b++)
		at[position[b]] = keep[b];
	while (changed) {
		changed = false;
		for (size_t b = 0; b < blocks; b++) {
			for (size_t e = first[b]; e < first[b + 1] && !keep[b]; e++) {
				for (uint32_t i = position[succ[e]]; i <= position[b]; i++)
					keep[b] |= at[i];
			}
			changed |= keep[b] && !at[position[b]];
			at[position[b]] = keep[b];
		}
	}
	free(at);
}
