/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/sets.c -- how many lines each set holds.
 *
 * All sets are filled at once: if nothing misses, none is smaller than the one whose ways were
 * counted.  Then each is asked for one line more.  Sets that differ are counted by themselves.
 */
#include "validate/pchase/probe.h"

#include <stdlib.h>

#define LARGER 4u		/* times the ways counted first; if a set holds more, as many */
#define LARGER_MOST 64u		/* times that again, up to this */
#define SHORT_PART 16u		/* of the sets, at most, may lack a line */
#define DRAWS 64u		/* for each line that is wanted */

/* `each` lines of every set, set by set. */
static enum ws_status draw_sets(struct ws_probe *p, uint64_t *line, size_t each, bool *complete,
				struct ws_err *err)
{
	size_t sets = (size_t)p->shape.sets, missing = sets * each;
	size_t *have = ws_alloc_zero(sets, sizeof *have);

	if (!have)
		return ws_fail_memory(err, "the sets");
	for (size_t draws = missing * DRAWS; draws && missing; draws--) {
		uint64_t at = ws_probe_draw(p);
		size_t set = (size_t)ws_set_index(&p->shape, at), i = 0;

		while (i < have[set] && line[set * each + i] != at)
			i++;
		if (i < have[set] || i == each)
			continue;
		line[set * each + have[set]++] = at;
		missing--;
	}
	*complete = missing == 0;
	free(have);
	return WS_OK;
}

static enum ws_status all_hold(struct ws_probe *p, const uint64_t *line, size_t each, bool *yes,
			       struct ws_err *err)
{
	enum ws_status status = WS_OK;

	p->batch.count = 0;
	for (size_t i = 0; i < p->shape.sets * each && status == WS_OK; i++)
		if (i % each < each - 1)
			status = ws_chase_list_add(&p->batch, line[i], err);
	if (status == WS_OK)
		status = ws_probe_overflows(p, p->batch.at, p->batch.count, yes, err);
	*yes = !*yes;
	return status;
}

/* The most of these lines of one set that fit. */
static enum ws_status count_set(struct ws_probe *p, const uint64_t *line, size_t each,
				uint64_t *ways, struct ws_err *err)
{
	size_t fits = 1, most = each;
	enum ws_status status = WS_OK;

	while (most - fits > 1 && status == WS_OK) {
		size_t middle = fits + (most - fits) / 2;
		bool over;

		status = ws_probe_overflows(p, line, middle, &over, err);
		*(over ? &most : &fits) = middle;
	}
	*ways = fits;
	return status;
}

/* Counted one by one, sets must differ, and the first one must be as it was counted. */
static bool counts_agree(const struct ws_probe *p)
{
	uint64_t ways = p->found->ways.value;
	bool differ = false;

	for (size_t i = 0; i < p->shape.sets; i++)
		differ |= p->found->set_ways[i] != ways;
	return differ && p->found->set_ways[ws_set_index(&p->shape, p->other)] == ways;
}

/* On a processor a few sets may lack a line: something else has it all the time.  If more differ,
 * it was busy, and how many lines they hold is not determined. */
static void forgive_short(struct ws_probe *p)
{
	struct ws_chase *found = p->found;
	size_t sets = (size_t)p->shape.sets, fewer = 0, other = 0;
	uint64_t most = 0;

	for (size_t i = 0; i < sets; i++)
		if (found->set_ways[i] > most)
			most = found->set_ways[i];
	for (size_t i = 0; i < sets; i++) {
		fewer += found->set_ways[i] + 1 == most;
		other += found->set_ways[i] + 1 < most;
	}
	found->unequal = false;
	found->contradictory = false;
	if (other || fewer > sets / SHORT_PART)
		return;
	found->short_sets = fewer;
	found->ways.value = most;
	found->size.value = sets * most * found->line.value;
}

/* Lines that are tried of a set: no more than the target has of it, and some to choose from. */
static size_t most_lines(const struct ws_probe *p, uint64_t want)
{
	uint64_t have = p->target->bytes / p->found->line.value / p->shape.sets * 3 / 4;

	return (size_t)(have < want && have > p->found->ways.value + 1 ? have : want);
}

/* counted: each set by itself, none holding all of these lines. */
static enum ws_status count_each(struct ws_probe *p, size_t each, bool *counted,
				 struct ws_err *err)
{
	size_t sets = (size_t)p->shape.sets;
	uint64_t *line = ws_alloc(sets * each, sizeof *line);
	enum ws_status status = line ? draw_sets(p, line, each, counted, err)
		: ws_fail_memory(err, "the sets");

	for (size_t i = 0; i < sets && status == WS_OK && *counted; i++) {
		status = count_set(p, line + i * each, each, &p->found->set_ways[i], err);
		if (status == WS_OK && p->found->set_ways[i] == each - 1)
			status = ws_probe_overflows(p, line + i * each, each, counted, err);
	}
	free(line);
	return status;
}

static enum ws_status count_all(struct ws_probe *p, struct ws_err *err)
{
	uint64_t ways = p->found->ways.value, sum = 0;
	bool counted = false;
	enum ws_status status = WS_OK;

	for (size_t larger = LARGER; larger <= LARGER_MOST && !counted && status == WS_OK &&
	     !p->found->exhausted; larger *= LARGER)
		status = count_each(p, most_lines(p, larger * ways + 1), &counted, err);
	if (status != WS_OK || !counted || p->found->exhausted)
		return status;
	for (size_t i = 0; i < p->shape.sets; i++)
		sum += p->found->set_ways[i];
	p->found->contradictory = !counts_agree(p);
	p->found->unequal = !p->found->contradictory;
	if (p->found->unequal)
		p->found->size.value = sum * p->found->line.value;
	if (p->target->orders)
		forgive_short(p);
	return status;
}

static enum ws_status each_holds_no_more(struct ws_probe *p, const uint64_t *line, size_t each,
					 bool *yes, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < p->shape.sets && status == WS_OK && *yes; i++)
		status = ws_probe_overflows(p, line + i * each, each, yes, err);
	return status;
}

/* A prefetcher throws lines out where all sets are full: one by one. */
static enum ws_status each_holds(struct ws_probe *p, const uint64_t *line, size_t each, bool *yes,
				 struct ws_err *err)
{
	enum ws_status status = WS_OK;
	bool over = false;

	for (size_t i = 0; i < p->shape.sets && status == WS_OK && !over; i++)
		status = ws_probe_overflows(p, line + i * each, each - 1, &over, err);
	*yes = !over;
	return status;
}

enum ws_status ws_chase_sets(struct ws_probe *p, struct ws_err *err)
{
	size_t sets = (size_t)p->shape.sets, each = (size_t)p->found->ways.value + 1;
	struct ws_chase *found = p->found;
	uint64_t *line;
	bool complete, equal = false;
	enum ws_status status;

	found->size.value = found->line.value * found->ways.value * sets;
	if (sets > WS_CHASE_SETS)
		return WS_OK;	/* not counted: not determined */
	line = ws_alloc(sets * each, sizeof *line);
	status = line ? draw_sets(p, line, each, &complete, err)
		: ws_fail_memory(err, "the sets");
	if (status == WS_OK && complete)
		status = (p->target->orders ? each_holds : all_hold)(p, line, each, &equal,
									 err);
	if (status == WS_OK && complete && equal)
		status = each_holds_no_more(p, line, each, &equal, err);
	free(line);
	if (status != WS_OK || !complete)
		return status;
	if (!equal)
		status = count_all(p, err);
	if (status == WS_OK && !found->exhausted &&
	    (equal || found->unequal || found->short_sets))
		found->size.confidence = ws_probe_confidence(p);
	return status;
}
