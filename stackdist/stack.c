/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/stack.c -- exact stack distances of one stream: line numbers
 * (lines.h), then the sets' stacks (sets.h), a batch at a time, so that the
 * look-ups of a batch overlap in the processor.
 */
#include <stdlib.h>

#include "stackdist/lines.h"
#include "stackdist/sets.h"

#define BATCH 256u

struct ws_stack {
	struct ws_lines lines;
	struct ws_sets *sets;
	enum ws_write write;
	uint32_t id[BATCH];
};

enum ws_status ws_stack_new(struct ws_stack **out, const struct ws_cache *cache,
			    struct ws_err *err)
{
	struct ws_stack *s = ws_alloc_zero(1, sizeof(*s));
	enum ws_status status;

	if (!s)
		return ws_fail_memory(err, "a stack");
	s->write = cache->write;
	status = ws_sets_new(&s->sets, cache, err);
	if (status) {
		ws_stack_free(s);
		return status;
	}
	*out = s;
	return WS_OK;
}

enum ws_status ws_stack_push(struct ws_stack *s, const struct ws_request *request, size_t count,
			     uint32_t *distance, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < count && !status; i += BATCH) {
		size_t n = count - i < BATCH ? count - i : BATCH;

		status = ws_lines_number(&s->lines, s->write, request + i, n, s->id, err);
		if (!status)
			status = ws_sets_push(s->sets, request + i, s->id, n, distance + i, err);
	}
	return status;
}

void ws_stack_free(struct ws_stack *s)
{
	if (!s)
		return;
	ws_lines_clear(&s->lines);
	ws_sets_free(s->sets);
	free(s);
}
