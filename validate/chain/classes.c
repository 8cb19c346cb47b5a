/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/chain/classes.c -- the sets of states that are never left: strongly connected components
 * without a step out of them.
 *
 * Method: Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1(2), 1972,
 * with a stack of its own instead of recursion.
 */
#include <stdlib.h>

#include "validate/chain/markov.h"

#define UNSEEN UINT32_MAX

struct class_search {
	const struct ws_markov *c;
	uint32_t *order, *low;	/* [states]: when it was found; the earliest it reaches */
	uint32_t *component;	/* [states]; UNSEEN while it is open */
	uint32_t *open;		/* stack of states whose component is not closed */
	uint32_t *path;		/* stack of the search */
	size_t *step;		/* [states]: the next to look at */
	size_t opens, depth, found, components;
};

static void enter(struct class_search *x, uint32_t s)
{
	x->order[s] = x->low[s] = (uint32_t)x->found++;
	x->step[s] = x->c->first[s];
	x->open[x->opens++] = s;
	x->path[x->depth++] = s;
}

/* The search goes back from s. */
static void leave(struct class_search *x, uint32_t s)
{
	uint32_t up;

	x->depth--;
	if (x->low[s] == x->order[s]) {
		uint32_t member;

		do {
			member = x->open[--x->opens];
			x->component[member] = (uint32_t)x->components;
		} while (member != s);
		x->components++;
	}
	if (!x->depth)
		return;
	up = x->path[x->depth - 1];
	x->low[up] = x->low[s] < x->low[up] ? x->low[s] : x->low[up];
}

static void search_from(struct class_search *x, uint32_t start)
{
	enter(x, start);
	while (x->depth) {
		uint32_t s = x->path[x->depth - 1], to;

		if (x->step[s] == x->c->first[s + 1]) {
			leave(x, s);
			continue;
		}
		to = x->c->to[x->step[s]++];
		if (x->order[to] == UNSEEN)
			enter(x, to);
		else if (x->component[to] == UNSEEN && x->order[to] < x->low[s])
			x->low[s] = x->order[to];
	}
}

/* Components that are left become WS_TRANSIENT, the others are numbered anew, by their first
 * states. */
static size_t name_classes(const struct class_search *x, uint32_t *class, uint32_t *name)
{
	const struct ws_markov *c = x->c;
	uint32_t classes = 0;

	for (size_t k = 0; k < x->components; k++)
		name[k] = UNSEEN;
	for (size_t s = 0; s < c->states; s++)
		for (size_t i = c->first[s]; i < c->first[s + 1]; i++)
			if (x->component[c->to[i]] != x->component[s])
				name[x->component[s]] = WS_TRANSIENT - 1;
	for (size_t s = 0; s < c->states; s++) {
		uint32_t *n = &name[x->component[s]];

		if (*n == UNSEEN)
			*n = classes++;
		class[s] = *n == WS_TRANSIENT - 1 ? WS_TRANSIENT : *n;
	}
	return classes;
}

enum ws_status ws_markov_classes(const struct ws_markov *c, uint32_t *class, size_t *classes,
				 struct ws_err *err)
{
	size_t n = c->states;
	uint32_t *room = ws_alloc(n, 6 * sizeof *room);
	size_t *step = ws_alloc(n, sizeof *step);
	enum ws_status status = room && step ? WS_OK : ws_fail_memory(err, "a chain");
	struct class_search x = { .c = c, .step = step };

	*classes = 0;
	if (status == WS_OK) {
		x.order = room;
		x.low = room + n;
		x.component = room + 2 * n;
		x.open = room + 3 * n;
		x.path = room + 4 * n;
		for (size_t s = 0; s < n; s++)
			x.order[s] = x.component[s] = UNSEEN;
		for (size_t s = 0; s < n; s++)
			if (x.order[s] == UNSEEN)
				search_from(&x, (uint32_t)s);
		*classes = name_classes(&x, class, room + 5 * n);
	}
	free(room);
	free(step);
	return status;
}

static enum ws_status copy_state(struct ws_markov *out, const struct ws_markov *c, size_t s,
				 const uint32_t *number, struct ws_err *err)
{
	size_t at = out->states++, most = out->steps + c->first[s + 1] - c->first[s];

	if (!WS_ROOM(out->to, out->to_cap, most) || !WS_ROOM(out->chance, out->chance_cap, most))
		return ws_fail_memory(err, "a chain");
	out->first[at] = out->steps;
	out->miss[at] = c->miss[s];
	for (size_t i = c->first[s]; i < c->first[s + 1]; i++) {
		out->to[out->steps] = number[c->to[i]];
		out->chance[out->steps++] = c->chance[i];
	}
	out->first[at + 1] = out->steps;
	return WS_OK;
}

enum ws_status ws_markov_part(struct ws_markov *out, const struct ws_markov *c,
			      const uint32_t *class, uint32_t which, struct ws_err *err)
{
	uint32_t *number = ws_alloc(c->states, sizeof *number), count = 0;
	enum ws_status status = WS_OK;

	*out = (struct ws_markov){ .whole = c->whole };
	out->first = ws_alloc(c->states + 1, sizeof *out->first);
	out->miss = ws_alloc(c->states, sizeof *out->miss);
	if (!number || !out->first || !out->miss)
		status = ws_fail_memory(err, "a chain");
	for (size_t s = 0; s < c->states && status == WS_OK; s++)
		number[s] = class[s] == which ? count++ : 0;
	for (size_t s = 0; s < c->states && status == WS_OK; s++)
		if (class[s] == which)
			status = copy_state(out, c, s, number, err);
	free(number);
	return status;
}
