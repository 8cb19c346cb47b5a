/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/launch_outside.c -- what a line about accesses out of bounds says.
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
