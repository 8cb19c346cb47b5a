/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/launch.c -- the static part of a launch: names of kinds and orders, freeing, and its
 * demand on an SM.
 */
#include "trace/trace.h"

#include <stdlib.h>

const char *const ws_kind_names[WS_KINDS + 1] = {
	[WS_LOAD] = "load", [WS_STORE] = "store", [WS_ATOMIC] = "atomic", [WS_KINDS] = "all",
};

const char *const ws_order_names[WS_ORDERS + 1] = {
	[WS_ORDER_NOMINAL] = "nominal", [WS_ORDER_CYCLES] = "cycles", [WS_ORDERS] = NULL,
};

void ws_launch_clear(struct ws_launch *launch)
{
	for (size_t i = 0; launch->array && i < launch->arrays; i++)
		free(launch->array[i].name);
	for (size_t i = 0; launch->file && i < launch->files; i++)
		free(launch->file[i]);
	for (size_t i = 0; launch->text && i < launch->files; i++)
		free(launch->text[i]);
	free(launch->kernel);
	free(launch->array);
	free(launch->instruction);
	free(launch->segment);
	free(launch->file);
	free(launch->text);
	free(launch->code);
	free(launch->reg);
	free(launch->run);
	free(launch->path);
	free(launch->copy);
	free(launch->unmet);
	*launch = (struct ws_launch){ 0 };
}

void ws_launch_drop_code(struct ws_launch *l)
{
	l->executed = 0;
	l->codes = l->regs = l->runs = l->paths = 0;
	l->code = NULL;
	l->reg = NULL;
	l->run = NULL;
	l->path = NULL;
	for (size_t i = 0; i < l->instructions; i++)
		l->instruction[i].path = 0;
	for (size_t i = 0; i < l->segments; i++)
		l->segment[i].path = 0;
}

/* input[arrays]: what a load or an atomic may be of; of one that may be of several, all are. */
static void find_inputs(const struct ws_launch *l, bool *input)
{
	bool any = false;

	for (size_t i = 0; i < l->arrays; i++)
		input[i] = false;
	for (size_t i = 0; i < l->instructions; i++) {
		const struct ws_instruction *in = &l->instruction[i];

		if (in->kind == WS_STORE || in->space == WS_SPACE_LOCAL)
			continue;
		if (in->array < l->arrays)
			input[in->array] = true;
		else
			any = true;
	}
	for (size_t i = 0; any && i < l->arrays; i++)
		input[i] = true;
}

struct ws_demand ws_launch_demand(const struct ws_launch *l)
{
	uint64_t ctas = l->grid[0] * l->grid[1] * l->grid[2];

	return (struct ws_demand){
		.shared_bytes = l->shared_bytes, .threads = ws_launch_threads(l),
		.registers = l->registers, .ctas = ctas,
	};
}

bool ws_launch_has_pipeline(const struct ws_launch *l, const struct ws_machine *m)
{
	return l->codes && ws_machine_has_pipeline(m) && m->sm_large_warp <= 1 &&
	       (m->sm_scheduler == WS_SCHED_LRR || m->sm_scheduler == WS_SCHED_GTO);
}

enum ws_status ws_launch_machine(const struct ws_launch *launch, const struct ws_machine *m,
				 struct ws_machine *out, struct ws_err *err)
{
	const struct ws_demand d = ws_launch_demand(launch);

	return ws_machine_adapt(m, &d, out, err);
}

enum ws_status ws_residency(const struct ws_launch *launch, const struct ws_machine *m,
			    uint64_t *ctas, const char **limit, struct ws_err *err)
{
	const struct ws_demand d = ws_launch_demand(launch);

	return ws_machine_residency(m, &d, ctas, limit, err);
}

#define LOW_END (UINT64_C(1) << 32) /* of addresses that GPGPU-Sim's copies keep all bits of */

static size_t copied_arrays(const struct ws_launch *l, bool all, const bool *input,
			    struct ws_copy *out)
{
	size_t n = 0;

	for (size_t i = 0; i < l->arrays; i++)
		if (l->array[i].bytes && (all || input[i]))
			out[n++] = (struct ws_copy){ l->array[i].base, l->array[i].bytes };
	return n;
}

static size_t copied_ranges(const struct ws_launch *l, const struct ws_machine *m,
			    struct ws_copy *out)
{
	bool low = m->profile == WS_BEHAVES_GPGPUSIM;
	size_t n = 0;

	for (size_t i = 0; i < l->copies; i++) {
		struct ws_copy c = l->copy[i];

		if (low && c.base >= LOW_END)
			continue;
		if (low && c.bytes > LOW_END - c.base)
			c.bytes = LOW_END - c.base;
		if (c.bytes)
			out[n++] = c;
	}
	return n;
}

enum ws_status ws_launch_copied(const struct ws_launch *l, const struct ws_machine *m, bool all,
				struct ws_copy **out, size_t *count, struct ws_err *err)
{
	bool *input = ws_alloc(l->arrays + 1, sizeof *input);

	*count = 0;
	*out = ws_alloc(l->arrays + l->copies + 1, sizeof **out);
	if (!input || !*out) {
		free(input);
		free(*out);
		*out = NULL;
		return ws_fail_memory(err, "what an L2 holds at the start");
	}
	find_inputs(l, input);
	*count = all || !l->copies ? copied_arrays(l, all, input, *out)
				   : copied_ranges(l, m, *out);
	free(input);
	return WS_OK;
}
