/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/counters.c -- a profiler's counter, in a line.
 */
#include "cli/cli.h"
#include "validate/counters.h"

#include <string.h>

const char *cli_counter_form(const struct ws_counters_name *c, char *text, size_t len)
{
	bool counts = strcmp(c->unit, "%") != 0;

	snprintf(text, len, "%s %s, in %s%s%s%s", ws_gpu_profiler_names[c->profiler], c->name,
		 c->unit, counts ? "s" : "", c->note ? "; " : "", c->note ? c->note : "");
	return text;
}
