/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/pilot.c -- --sample auto: the time that profiling may take, and the rate that was chosen for
 * it.
 */
#include "cli/cli.h"

#include <string.h>

static bool read_time(const char *text, double *seconds)
{
	static const struct {
		const char *name;
		double seconds;
	} unit[] = {
		{ "", 1 }, { "s", 1 }, { "ms", 1e-3 }, { "min", 60 }, { "h", 3600 },
	};
	size_t len = strspn(text, "0123456789."), i = 0;
	char number[32];

	while (i < WS_COUNT(unit) && strcmp(text + len, unit[i].name) != 0)
		i++;
	if (i == WS_COUNT(unit) || len >= sizeof number)
		return false;
	memcpy(number, text, len);
	number[len] = '\0';
	if (!ws_parse_double(number, seconds))
		return false;
	*seconds *= unit[i].seconds;
	return *seconds > 0;
}

enum ws_status cli_sample_time(const struct cli_call *call, double *seconds, struct ws_err *err)
{
	const struct cli_options *o = call->options;
	bool chosen = o->sample < 0;

	if (chosen && !o->time)
		return cli_usage(call->command, err, "--sample=auto: want --time TIME too");
	if (o->time && !chosen)
		return cli_usage(call->command, err, "--time: want --sample auto too");
	if (o->time && !read_time(o->time, seconds))
		return cli_usage(call->command, err, "--time=%s: want a time, as in 10s, 500ms, "
				 "5min or 2h", o->time);
	if (chosen && (call->parts > 1 || o->part || o->jobs_file))
		return cli_usage(call->command, err, "--sample=auto: each part would choose a rate "
				 "of its own: want a number");
	return WS_OK;
}

const struct ws_study_options *cli_sample_chosen(struct cli_call *call,
						 const struct ws_pilot *pilot)
{
	call->options->sample = pilot->rate;
	cli_note(call, "--sample %.2g: some %.2g requests should take %.2g s%s", pilot->rate,
		 pilot->requests, pilot->seconds,
		 pilot->late ? ", more than --time leaves: no rate takes less" : "");
	return cli_ask(call);
}
