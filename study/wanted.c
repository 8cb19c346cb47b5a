/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/wanted.c -- the contents that a plan needs in a profile of the L1s and the L2.
 */
#include "study/private.h"

#include <stdlib.h>
#include <string.h>

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

static enum ws_status add_one(struct ws_l2_wanted *b, const struct ws_cache *l1,
			      struct ws_err *err)
{
	if (b->filters == b->filter_cap)
		tidy(b->filter, &b->filters, sizeof *b->filter, compare_filters);
	if (!WS_ROOM(b->filter, b->filter_cap, b->filters + 1))
		return ws_fail_memory(err, "the L1s");
	b->filter[b->filters++] = (struct ws_filter){ l1->line_bytes, l1->sets, l1->ways };
	return WS_OK;
}

/* The machine's L1; of one that adapts, as it is for each kernel. */
static enum ws_status add_filter(struct ws_l2_wanted *b, const struct ws_machine *m,
				 struct ws_err *err)
{
	struct ws_study_kernels kernels = { 0 };
	enum ws_status status;

	if (!ws_machine_adapts(m) || !b->trace)
		return add_one(b, &m->l1, err);
	status = ws_study_kernels_find(&kernels, b->trace, NULL, err);
	for (size_t i = 0; i < kernels.count && status == WS_OK; i++) {
		struct ws_machine own;

		status = ws_study_kernel_machine(&kernels, i, m, &own, err);
		if (status == WS_OK)
			status = add_one(b, &own.l1, err);
	}
	ws_study_kernels_clear(&kernels);
	return status;
}

static enum ws_status add_sets(struct ws_l2_wanted *b, uint64_t count, struct ws_err *err)
{
	if (b->set_counts == b->set_cap)
		tidy(b->sets, &b->set_counts, sizeof *b->sets, compare_sets);
	if (!WS_ROOM(b->sets, b->set_cap, b->set_counts + 1))
		return ws_fail_memory(err, "the set counts of the L2");
	b->sets[b->set_counts++] = count;
	return WS_OK;
}

enum ws_status ws_l2_wanted_add(struct ws_l2_wanted *b, const struct ws_machine *m,
				struct ws_err *err)
{
	enum ws_status status = add_filter(b, m, err);

	return status == WS_OK ? add_sets(b, m->l2.sets, err) : status;
}

enum ws_status ws_source_behind(struct ws_source *source, const struct ws_machine *what,
				struct ws_err *err)
{
	struct ws_machine *own = &source->measured;
	enum ws_status status;

	source->behind.trace = source->trace;
	status = ws_l2_wanted_add(&source->behind, own, err);
	if (status == WS_OK)
		status = ws_l2_wanted_add(&source->behind, what, err);
	source->behind.set_counts = 0;
	own->l2.size_bytes = what->l2.size_bytes;
	own->l2.sets = what->l2.sets;
	own->l2.ways = what->l2.ways;
	return status;
}

void ws_l2_wanted_clear(struct ws_l2_wanted *b)
{
	free(b->filter);
	free(b->sets);
	*b = (struct ws_l2_wanted){ 0 };
}

enum ws_status ws_study_plan_shapes(const struct ws_study_plan *plan, uint64_t group,
				    struct ws_shapes *shapes, struct ws_err *err)
{
	uint64_t members = ws_partition_members(&plan->profiles, group, plan->count);
	enum ws_status status = WS_OK;
	struct ws_machine m;

	for (uint64_t k = 0; k < members && status == WS_OK; k++) {
		status = ws_study_plan_machine(plan, ws_partition_member(&plan->profiles, group, k),
					       &m, err);
		if (status == WS_OK)
			status = ws_shapes_add(shapes, m.l1.line_bytes, m.l1.sets, err);
	}
	ws_shapes_sort(shapes);
	return status;
}

/* For time alone, the L2 behind the L1s that were simulated says enough; their misses make its
 * stream. */
enum ws_status ws_study_plan_l2(const struct ws_study_plan *plan, uint64_t group,
				struct ws_l2_wanted *b, struct ws_err *err)
{
	uint64_t members = ws_partition_members(&plan->profiles, group, plan->count);
	enum ws_status status = WS_OK;
	struct ws_machine m;

	if (!plan->behind)
		return WS_OK;
	if (!plan->l2) {
		uint64_t first = ws_partition_member(&plan->profiles, group, 0);

		status = ws_study_plan_measured(plan, first, &m, err);
		if (status == WS_OK)
			status = add_filter(b, &m, err);
	}
	for (uint64_t k = 0; k < members && status == WS_OK; k++) {
		status = ws_study_plan_machine(plan, ws_partition_member(&plan->profiles, group, k),
					       &m, err);
		if (status == WS_OK && plan->l2)
			status = add_filter(b, &m, err);
		if (status == WS_OK)
			status = add_sets(b, m.l2.sets, err);
	}
	tidy(b->filter, &b->filters, sizeof *b->filter, compare_filters);
	tidy(b->sets, &b->set_counts, sizeof *b->sets, compare_sets);
	return status;
}

enum ws_status ws_study_plan_timed(const struct ws_study_plan *plan, const struct ws_machine *own,
				   struct ws_shapes *shapes, struct ws_l2_wanted *b,
				   struct ws_err *err)
{
	enum ws_status status = ws_shapes_add(shapes, own->l1.line_bytes, own->l1.sets, err);

	ws_shapes_sort(shapes);
	if (status == WS_OK && plan->simulated && plan->behind)
		status = ws_l2_wanted_add(b, own, err);
	tidy(b->filter, &b->filters, sizeof *b->filter, compare_filters);
	tidy(b->sets, &b->set_counts, sizeof *b->sets, compare_sets);
	return status;
}
