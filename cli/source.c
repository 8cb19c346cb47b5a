/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/source.c -- streams and profiles made of a trace, with a progress line.
 */
#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>

static void step(void *context, uint64_t done, uint64_t total)
{
	struct ws_progress *p = context;

	p->total = total;
	ws_progress_step(p, done);
}

static struct ws_profile_options options_for(const struct cli_call *call, uint64_t seed,
					     struct ws_progress *progress)
{
	return (struct ws_profile_options){
		.seed = seed,
		.threads = (unsigned)call->options->threads,
		.progress = step,
		.context = progress,
	};
}

enum ws_status cli_profile_make(struct ws_profile **out, const struct cli_call *call,
				const struct ws_trace *t, const struct ws_machine *m,
				const uint64_t *sets, size_t count, uint64_t seed,
				struct ws_err *err)
{
	struct ws_progress progress;
	struct ws_profile_options options = options_for(call, seed, &progress);
	enum ws_status status;

	options.set_counts = sets;
	options.count = count;
	ws_progress_begin(&progress, "profiling CTAs", 0, call->options->quiet);
	status = ws_profile_trace(out, t, m, &options, err);
	ws_progress_end(&progress);
	if (status == WS_OK)
		cli_say(call, "%s: profiled for %s with seed %" PRIu64 " in %.3f s",
			ws_trace_name(t), m->name, seed, ws_seconds() - progress.start);
	return status;
}

enum ws_status cli_streams_make(struct ws_streams **out, size_t *launches,
				const struct cli_call *call, const struct ws_trace *t,
				const struct ws_machine *m, uint64_t seed, struct ws_err *err)
{
	struct ws_progress progress;
	struct ws_profile_options options = options_for(call, seed, &progress);
	enum ws_status status;

	ws_progress_begin(&progress, "ordering CTAs", 0, call->options->quiet);
	status = ws_streams_make(out, launches, t, m, &options, err);
	ws_progress_end(&progress);
	if (status == WS_OK)
		cli_say(call, "%s: request streams for %s with seed %" PRIu64 " in %.3f s",
			ws_trace_name(t), m->name, seed, ws_seconds() - progress.start);
	return status;
}
