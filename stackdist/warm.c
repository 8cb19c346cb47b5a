/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/warm.c -- what an L2 that starts filled has seen: all lines of the launch's arrays, or
 * of what was copied, once, in order.  Of lines that several arrays touch the last reference
 * counts, so each is named where no later array has it.
 */
#include "stackdist/stackdist.h"

#include <stdlib.h>

#include "stackdist/stack/lines.h"

struct warm {
	struct ws_copy *copy;
	size_t copies;
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

/* The lines of a copy. */
static void extent(const struct warm *w, size_t i, uint64_t *from, uint64_t *end)
{
	const struct ws_copy *a = w->copy + i;
	uint64_t line = w->line, last;

	last = a->base + (a->bytes - 1) < a->base ? UINT64_MAX : a->base + (a->bytes - 1);
	if (last > UINT64_MAX - 2 * WS_LINE_MAX) /* no array ends up there */
		last = UINT64_MAX - 2 * WS_LINE_MAX;
	*from = a->base & ~(line - 1);
	*end = (last | (line - 1)) + 1;
}

static enum ws_status fill_copy(struct warm *w, size_t i, struct ws_err *err)
{
	uint64_t from, end;
	enum ws_status status = WS_OK;

	extent(w, i, &from, &end);
	while (from < end && status == WS_OK) {
		uint64_t upto = end, past = from, first, last;

		for (size_t j = i + 1; j < w->copies; j++) {
			extent(w, j, &first, &last);
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

enum ws_status ws_warm_lines(const struct ws_launch *launch, const struct ws_machine *m,
			     uint64_t line_bytes,
			     enum ws_status (*fill)(void *context, const struct ws_request *line,
						    struct ws_err *err),
			     void *context, struct ws_err *err)
{
	struct warm w = { .line = line_bytes, .left = WS_LINES_MAX, .fill = fill,
			  .context = context };
	enum ws_status status = ws_launch_copied(launch, m, m->l2_start == WS_L2_WARM, &w.copy,
						 &w.copies, err);

	for (size_t i = 0; i < w.copies && status == WS_OK; i++)
		status = fill_copy(&w, i, err);
	free(w.copy);
	return status;
}
