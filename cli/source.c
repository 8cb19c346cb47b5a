/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/source.c -- streams and profiles made of a trace, with a progress line.
 */
#include "cli/cli.h"

#include <inttypes.h>

static void step(void *context, uint64_t done, uint64_t total)
{
	struct ws_progress *p = context;

	p->total = total;
	ws_progress_step(p, done);
}

static struct ws_profile_options options_for(const struct cli_source *source,
					     struct ws_progress *progress)
{
	return (struct ws_profile_options){
		.set_counts = source->sets,
		.count = source->count,
		.seed = source->seed,
		.threads = (unsigned)source->call->options->threads,
		.progress = step,
		.context = progress,
	};
}

static void say(const struct cli_source *source, const struct ws_progress *progress,
		const char *what)
{
	cli_say(source->call, "%s: %s for %s with seed %" PRIu64 " in %.3f s",
		ws_trace_name(source->trace), what, source->machine.name, source->seed,
		ws_seconds() - progress->start);
}

enum ws_status cli_profile_make(const struct cli_source *source, struct ws_profile **out,
				struct ws_err *err)
{
	struct ws_progress progress;
	struct ws_profile_options options = options_for(source, &progress);
	enum ws_status status;

	ws_progress_begin(&progress, "profiling CTAs", 0, source->call->options->quiet);
	status = ws_profile_trace(out, source->trace, &source->machine, &options, err);
	ws_progress_end(&progress);
	if (status == WS_OK)
		say(source, &progress, "profiled");
	return status;
}

enum ws_status cli_streams_make(const struct cli_source *source, struct ws_streams **out,
				size_t *launches, struct ws_err *err)
{
	struct ws_progress progress;
	struct ws_profile_options options = options_for(source, &progress);
	enum ws_status status;

	ws_progress_begin(&progress, "ordering CTAs", 0, source->call->options->quiet);
	status = ws_streams_make(out, launches, source->trace, &source->machine, &options, err);
	ws_progress_end(&progress);
	if (status == WS_OK)
		say(source, &progress, "request streams");
	return status;
}
