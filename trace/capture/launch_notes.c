/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/launch_notes.c -- what lines about accesses out of bounds, and about barriers, say.
 */
#include "trace/capture.h"

#include <inttypes.h>

const char *const ws_out_of_bounds_names[] = { "fail", "record", "ignore", NULL };

void ws_outside_text(const struct ws_outside *o, char text[WS_OUTSIDE_TEXT])
{
	static const char *const noun[WS_KINDS] = { "load", "store", "atomic" };
	size_t used = (size_t)snprintf(text, WS_OUTSIDE_TEXT, "%.200s:%" PRIu32
				       ": out of bounds in kernel %.60s:", o->file, o->line,
				       o->kernel);

	for (int k = 0; k < WS_KINDS; k++)
		if (o->count[k])
			used += (size_t)snprintf(text + used, WS_OUTSIDE_TEXT - used,
						 " %" PRIu64 " %s%s,", o->count[k], noun[k],
						 o->count[k] == 1 ? "" : "s");
	snprintf(text + used, WS_OUTSIDE_TEXT - used, " first %.300s", o->first);
}

void ws_unmet_text(const struct ws_unmet_barrier *b, char text[WS_UNMET_TEXT])
{
	snprintf(text, WS_UNMET_TEXT,
		 "%.200s:%" PRIu32 ": kernel %.60s: not all work-items of a group reach this "
		 "barrier (undefined in OpenCL): in %" PRIu64 " of %" PRIu64 " groups, first in "
		 "group %" PRIu64
		 ", of which %" PRIu64 " of %" PRIu64 " work-items had ended",
		 b->file, b->at.line, b->kernel, b->at.ctas, b->ctas, b->at.cta, b->at.threads,
		 b->threads);
}
