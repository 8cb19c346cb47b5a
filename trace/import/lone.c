/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/lone.c -- the builder's way for traces of one thread: what it is told goes to a list
 * on disk at once (trace/format/lone.h), and a launch's end leaves its static part.
 */
#include "trace/import/builder.h"

#include <inttypes.h>
#include <stdlib.h>

/* A trace's limits hold here, too: what is read could be written. */
static enum ws_status check_launches(struct ws_builder *b, struct ws_err *err)
{
	uint64_t items = ws_launch_items(&b->launch);

	if (items > WST_ITEMS_MAX - b->lone_items || b->number >= WST_CTAS_MAX)
		return ws_fail(err, WS_EFORMAT, "launch %" PRIu64 ": more than %" PRIu64
			       " arrays, instructions, segments and files so far, or more than "
			       "%" PRIu64 " launches", b->number, (uint64_t)WST_ITEMS_MAX,
			       (uint64_t)WST_CTAS_MAX);
	b->lone_items += items;
	return WS_OK;
}

enum ws_status ws_builder_lone_launch(struct ws_builder *b, struct ws_err *err)
{
	uint32_t *segment = NULL;
	enum ws_status status = b->arrays ? ws_builder_ranges(b, err) : WS_OK;

	if (status == WS_OK)
		status = ws_builder_number(b, &segment, err);
	if (status == WS_OK)
		status = check_launches(b, err);
	if (status != WS_OK) {
		free(segment);
		return status;
	}
	b->launch.ctas = 1;
	return ws_lone_launch(b->lone, &b->launch, segment, b->items, err);
}

enum ws_status ws_builder_lone_end(struct ws_builder *b, struct ws_trace **out, const char *name,
				   struct ws_err *err)
{
	return ws_lone_open(out, b->lone, name, err);
}
