/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/warm.c -- what an L2 that starts filled has seen: all lines of the launch's arrays, or
 * of those that it reads, once, in order.  Of lines that several arrays touch the last reference
 * counts, so each is named where no later array has it.
 */
#include "stackdist/stackdist.h"

#include <stdlib.h>

#include "stackdist/stack/lines.h"

struct warm {
	const struct ws_launch *launch;
	bool *copied;		/* [array] */
	uint64_t line, left;
	enum ws_status (*fill)(void *context, const struct ws_request *line, struct ws_err *err);
	void *context;
};

static enum ws_status lines(struct warm *w, uint64_t from, uint64_t end, struct ws_err *err)
{
	uint32_t all = w->line < WS_LINE_MAX ? (1u << w->line / WS_SECTOR_BYTES) - 1 : UINT32_MAX;
	enum ws_status status = WS_OK;

	if (end - from > w->left * w->line)
		return ws_fail(err, WS_EINVAL, "l2.start: arrays of more than %u lines of "
			       "the L2; no more can be counted", WS_LINES_MAX);
	w->left -= (end - from) / w->line;
	for (; from < end && status == WS_OK; from += w->line) {
		const struct ws_request r = { .address = from, .sectors = all, .kind = WS_LOAD };

		status = w->fill(w->context, &r, err);
	}
	return status;
}

/* The lines of an array; false: none of it are there. */
static bool extent(const struct warm *w, size_t i, uint64_t *from, uint64_t *end)
{
	const struct ws_array *a = w->launch->array + i;
	uint64_t line = w->line, last;

	if (!a->bytes || !w->copied[i])
		return false;
	last = a->base + (a->bytes - 1) < a->base ? UINT64_MAX : a->base + (a->bytes - 1);
	if (last > UINT64_MAX - 2 * WS_LINE_MAX) /* no array ends up there */
		last = UINT64_MAX - 2 * WS_LINE_MAX;
	*from = a->base & ~(line - 1);
	*end = (last | (line - 1)) + 1;
	return true;
}

static enum ws_status array(struct warm *w, size_t i, struct ws_err *err)
{
	uint64_t from, end;
	enum ws_status status = WS_OK;

	if (!extent(w, i, &from, &end))
		return WS_OK;
	while (from < end && status == WS_OK) {
		uint64_t upto = end, past = from, first, last;

		for (size_t j = i + 1; j < w->launch->arrays; j++) {
			if (!extent(w, j, &first, &last) || last <= from)
				continue;
			if (first > from && first < upto)
				upto = first;
			else if (first <= from && last > past)
				past = last;
		}
		if (past == from)
			status = lines(w, from, upto, err);
		from = past > from ? past : upto;
	}
	return status;
}

enum ws_status ws_warm_lines(const struct ws_launch *launch, enum ws_l2_start start,
			     uint64_t line_bytes,
			     enum ws_status (*fill)(void *context, const struct ws_request *line,
						    struct ws_err *err),
			     void *context, struct ws_err *err)
{
	struct warm w = { launch, NULL, line_bytes, WS_LINES_MAX, fill, context };
	enum ws_status status = WS_OK;

	w.copied = ws_alloc(launch->arrays + 1, sizeof *w.copied);
	if (!w.copied)
		return ws_fail_memory(err, "an L2");
	ws_launch_inputs(launch, w.copied);
	for (size_t i = 0; i < launch->arrays && start == WS_L2_WARM; i++)
		w.copied[i] = true;
	for (size_t i = 0; i < launch->arrays && status == WS_OK; i++)
		status = array(&w, i, err);
	free(w.copied);
	return status;
}
