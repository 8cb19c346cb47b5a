/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/level.c -- --level: which caches the rows are of, and what a profile of the L2 needs: the L1s
 * and set counts that the configurations have.
 */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

void cli_plan_levels(struct cli_plan *plan, const struct cli_call *call,
		     const struct ws_profile *profile)
{
	const char *level = call->options->level;

	plan->l1 = !level || strcmp(level, "l2") != 0;
	plan->l2 = level && strcmp(level, "l1") != 0;
	plan->behind = plan->l2 || (call->options->latency && (!profile || profile->behinds));
}

/* In time, who waits decides the order, and what the L1s hold, who waits. */
static bool decides_time(const struct cli_plan *plan, const struct ws_key *key)
{
	for (size_t v = 0; plan->shared && v < plan->varies; v++)
		if (plan->vary[v].key == key)
			return false;
	return key->stage == WS_STAGE_CYCLES || !strcmp(key->name, "l1.size") ||
	       (!plan->sized && (!strcmp(key->name, "l1.sets") || !strcmp(key->name, "l1.ways")));
}

enum ws_stage cli_plan_stage(const struct cli_plan *plan, const struct ws_key *key)
{
	if (key->stage == WS_STAGE_L2_PROFILE)
		return plan->behind ? WS_STAGE_PROFILE : WS_STAGE_CYCLES;
	if (key->stage == WS_STAGE_L2_PREDICT)
		return plan->behind ? WS_STAGE_PREDICT : WS_STAGE_CYCLES;
	if (plan->simulated && decides_time(plan, key))
		return WS_STAGE_ORDER;
	if (plan->apart && key->type == WS_KEY_ORGANISATION)
		return WS_STAGE_PROFILE;
	return key->stage;
}

/* ---- what an L2's profile needs ------------------------------------------------ */

static int compare_filters(const void *a, const void *b)
{
	return ws_filter_compare(a, b);
}

static int compare_sets(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Sorts, and keeps each once; as in shapes.c whenever the list is full. */
static void tidy(void *list, size_t *count, size_t size, int (*compare)(const void *, const void *))
{
	char *at = list;
	size_t kept = 0;

	if (*count)
		qsort(list, *count, size, compare);
	for (size_t i = 0; i < *count; i++)
		if (i == 0 || compare(at + i * size, at + (kept - 1) * size))
			memmove(at + kept++ * size, at + i * size, size);
	*count = kept;
}

static enum ws_status add_one(struct cli_behind *b, const struct ws_machine *m, struct ws_err *err)
{
	struct ws_filter *filter;
	uint64_t *sets;

	if (b->filters == b->filter_cap)
		tidy(b->filter, &b->filters, sizeof *b->filter, compare_filters);
	filter = ws_grow(b->filter, &b->filter_cap, b->filters + 1, sizeof *filter);
	if (!filter)
		return ws_fail_memory(err, "the L1s");
	b->filter = filter;
	filter[b->filters++] = (struct ws_filter){ m->l1.line_bytes, m->l1.sets, m->l1.ways };
	if (b->set_counts == b->set_cap)
		tidy(b->sets, &b->set_counts, sizeof *b->sets, compare_sets);
	sets = ws_grow(b->sets, &b->set_cap, b->set_counts + 1, sizeof *sets);
	if (!sets)
		return ws_fail_memory(err, "the set counts of the L2");
	b->sets = sets;
	sets[b->set_counts++] = m->l2.sets;
	return WS_OK;
}

enum ws_status cli_behind_add(struct cli_behind *b, const struct ws_machine *m, struct ws_err *err)
{
	struct cli_kernels kernels = { 0 };
	enum ws_status status;

	if (!ws_machine_adapts(m) || !b->trace)
		return add_one(b, m, err);
	status = cli_kernels_of(&kernels, b->trace, err);
	for (size_t i = 0; i < kernels.count && status == WS_OK; i++) {
		struct ws_machine own;

		status = cli_kernel_machine(&kernels, i, m, &own, err);
		if (status == WS_OK)
			status = add_one(b, &own, err);
	}
	cli_kernels_clear(&kernels);
	return status;
}

void cli_behind_clear(struct cli_behind *b)
{
	free(b->filter);
	free(b->sets);
	*b = (struct cli_behind){ 0 };
}

/* For time alone the L2 behind L1s of about the size says enough: is there one, of such a line, and
 * the L2's sets? */
static bool like(const struct cli_behind *b, const struct ws_machine *m)
{
	bool l1 = false, l2 = false;

	for (size_t i = 0; i < b->filters; i++) {
		const struct ws_filter *f = b->filter + i;

		l1 = l1 || (f->line_bytes == m->l1.line_bytes &&
			    ws_log2(f->sets * f->ways) == ws_log2(m->l1.sets * m->l1.ways));
	}
	for (size_t i = 0; i < b->set_counts; i++)
		l2 = l2 || b->sets[i] == m->l2.sets;
	return l1 && l2;
}

enum ws_status cli_plan_behind(const struct cli_plan *plan, enum ws_stage depth, uint64_t group,
			       struct cli_behind *b, struct ws_err *err)
{
	struct cli_groups g = cli_plan_groups(plan, depth);
	enum ws_status status = WS_OK;
	struct ws_machine m;

	for (uint64_t k = 0; plan->behind && k < g.members && status == WS_OK; k++) {
		status = cli_plan_machine(plan, cli_plan_member(plan, depth, group, k), &m, err);
		if (status == WS_OK && (plan->l2 || ws_machine_adapts(&m) || !like(b, &m)))
			status = cli_behind_add(b, &m, err);
	}
	tidy(b->filter, &b->filters, sizeof *b->filter, compare_filters);
	tidy(b->sets, &b->set_counts, sizeof *b->sets, compare_sets);
	return status;
}

enum ws_status cli_plan_anchor(const struct cli_plan *plan, const struct ws_machine *own,
			       struct cli_shapes *shapes, struct cli_behind *b, struct ws_err *err)
{
	enum ws_status status;

	if (!plan->simulated)
		return WS_OK;
	status = cli_shapes_add(shapes, own->l1.line_bytes, own->l1.sets, err);
	cli_shapes_sort(shapes);
	if (status == WS_OK && plan->behind && (ws_machine_adapts(own) || !like(b, own)))
		status = cli_behind_add(b, own, err);
	tidy(b->filter, &b->filters, sizeof *b->filter, compare_filters);
	tidy(b->sets, &b->set_counts, sizeof *b->sets, compare_sets);
	return status;
}
