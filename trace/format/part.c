/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/format/part.c -- makes each launch of a trace a kernel of its own.
 *
 * Kernels are told apart by name, so each launch gets a unique one.  Kernels launched once keep
 * theirs, unless it looks like a name made here; so no two clash.
 */
#include "trace/format/wst.h"

#include <stdlib.h>
#include <string.h>

size_t ws_kernel_length(const char *name)
{
	const char *mark = strrchr(name, '#');
	bool numbered = mark && mark > name && mark[1] &&
			!mark[1 + strspn(mark + 1, "0123456789")];

	return numbered ? (size_t)(mark - name) : strlen(name);
}

static int by_kernel(const void *a, const void *b)
{
	const struct ws_trace_section *const *x = a, *const *y = b;

	return strcmp((*x)->launch.kernel, (*y)->launch.kernel);
}

static enum ws_status ctas_of_part(struct ws_launch *launch, size_t n, struct ws_err *err)
{
	size_t len = strlen(launch->kernel) + sizeof "#18446744073709551615";
	char *name = ws_alloc(len, 1);

	if (!name)
		return ws_fail_memory(err, "the names of launches");
	snprintf(name, len, "%s#%zu", launch->kernel, n);
	free(launch->kernel);
	launch->kernel = name;
	return WS_OK;
}

/* The end of the launches that are of the kernel of order[from]. */
static size_t end_of(struct ws_trace_section *const *order, size_t from, size_t count)
{
	size_t end = from + 1;

	while (end < count && by_kernel(&order[from], &order[end]) == 0)
		end++;
	return end;
}

enum ws_status ws_trace_part(struct ws_trace *t, struct ws_err *err)
{
	struct ws_trace_section **order = ws_alloc(t->sections + 1, sizeof *order);
	enum ws_status status = WS_OK;

	if (!order)
		return ws_fail_memory(err, "the names of launches");
	for (size_t i = 0; i < t->sections; i++)
		order[i] = &t->section[i];
	qsort(order, t->sections, sizeof *order, by_kernel);
	for (size_t from = 0, end; from < t->sections && status == WS_OK; from = end) {
		const char *name = order[from]->launch.kernel;

		end = end_of(order, from, t->sections);
		if (end - from == 1 && !name[ws_kernel_length(name)])
			continue;
		for (size_t i = from; i < end && status == WS_OK; i++)
			status = ctas_of_part(&order[i]->launch,
					      (size_t)(order[i] - t->section) + 1,
					      err);
	}
	free(order);
	return status;
}
