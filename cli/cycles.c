/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cycles.c -- runs the cycle simulator for a plan.
 */
#include "cli/cycles.h"

#include <stdlib.h>
#include <string.h>

/* ---- one simulation -------------------------------------------------------- */

struct progress_watch {			/* the callbacks' context */
	const struct cycles_job *job;
	struct ws_progress progress;
	size_t launches;
};

static void report_progress(void *context, uint64_t done, uint64_t total)
{
	struct progress_watch *w = context;

	if (!w->job->progress)
		return;
	w->progress.total = total;
	ws_progress_step(&w->progress, done);
}

static void sample(void *context, const struct ws_cycle_sample *s)
{
	const struct progress_watch *w = context;

	cycles_timeline_sample(w->job->timeline, s);
}

static enum ws_status launched(void *context, const struct ws_cycle_result *r, struct ws_err *err)
{
	struct progress_watch *w = context;

	w->launches++;
	return w->job->launched(w->job->context, r, err);
}

enum ws_status cycles_simulate(const struct cycles_job *job, struct ws_err *err)
{
	struct progress_watch w = { .job = job };
	const struct ws_cycle_options options = {
		.seed = job->seed, .threads = job->threads, .kernel = job->kernel,
		.sites = job->sites, .progress = report_progress, .launched = launched,
		.context = &w,
		.period = job->timeline ? cycles_timeline_period(job->timeline) : 0,
		.sample = job->timeline ? sample : NULL,
	};
	struct ws_cycle_result *none;
	size_t zero;
	enum ws_status status;

	ws_progress_begin(&w.progress, "simulating CTAs", 0,
			  job->call->options->quiet || !job->progress);
	status = ws_cycles_run(&none, &zero, job->trace, job->machine, &options, err);
	ws_progress_end(&w.progress);
	if (status == WS_OK)
		cli_say(job->call, "%s: %zu launch%s simulated on %s in %.3f s",
			ws_trace_name(job->trace), w.launches, w.launches == 1 ? "" : "es",
			job->machine->name, ws_seconds() - w.progress.start);
	return status;
}

/* The engine computes the configurations of a group at once.  Threads within one meet every few
 * dozen cycles, and took 0.6 to 1.5 of the time of one from run to run (b-cycle): only if asked
 * for. */
unsigned cycles_threads(const struct cli_call *call, const struct ws_study_plan *plan)
{
	uint64_t together = plan->count;
	unsigned threads = ws_threads((unsigned)call->options->threads);

	return !call->options->threads || together >= threads ? 1 : threads / (unsigned)together;
}

/* ---- the command ----------------------------------------------------------- */

struct cycles {
	struct cli_call *call;
	struct cli_input input;
	struct ws_study_plan plan;
	struct cycles_rows rows;
	const char *kernel;
	bool gpgpusim;
	struct cycles_timeline *timeline;
};

struct cycles_summing {		/* of one configuration */
	const struct cycles *cycles;
	struct cycles_kernel *kernel;
};

static enum ws_status add_up(void *context, const struct ws_cycle_result *r, struct ws_err *err)
{
	struct cycles_summing *s = context;
	const struct cycles *c = s->cycles;

	for (size_t k = 0; k < c->rows.kernels.count; k++)
		if (strcmp(c->rows.kernels.name[k], r->kernel) == 0)
			return cycles_add(&s->kernel[k], c->rows.by, c->input.trace, r, err);
	return WS_OK;
}

static enum ws_status pass_launch(void *gpgpusim, const struct ws_cycle_result *r,
				  struct ws_err *err)
{
	return cycles_gpgpusim_launch(gpgpusim, r, err);
}

static struct cycles_job job_of(const struct cycles *c, const struct ws_machine *m)
{
	return (struct cycles_job){
		.call = c->call, .trace = c->input.trace, .machine = m, .kernel = c->kernel,
		.seed = c->call->seed, .threads = cycles_threads(c->call, &c->plan),
		.sites = c->gpgpusim || (c->rows.by && c->rows.by != CYCLES_BY_SM),
		.progress = c->plan.count == 1, .timeline = c->timeline,
	};
}

static enum ws_status gpgpusim(const struct cycles *c, const struct ws_machine *m,
			       struct ws_err *err)
{
	struct cycles_job job = job_of(c, m);
	struct cycles_gpgpusim *g;
	enum ws_status status = cycles_gpgpusim_new(&g, c->call, c->input.trace, m, err);

	job.launched = pass_launch;
	job.context = g;
	if (status == WS_OK)
		status = cycles_simulate(&job, err);
	status = cycles_timeline_settle(c->timeline, status, err);
	return cycles_gpgpusim_end(g, status, err);
}

static enum ws_status compute(void *context, unsigned slot, unsigned thread, uint64_t config,
			      const struct ws_machine *m, void *result, struct ws_err *err)
{
	const struct cycles *c = context;
	struct cycles_job job = job_of(c, m);
	struct cycles_summing sums = { c, result };
	enum ws_status status;

	(void)slot;
	(void)thread;
	(void)config;
	if (c->gpgpusim)
		return gpgpusim(c, m, err);
	job.launched = add_up;
	job.context = &sums;
	status = cycles_simulate(&job, err);
	for (size_t k = 0; k < c->rows.kernels.count; k++)
		cycles_sort(&sums.kernel[k], c->rows.by);
	return status;
}

static enum ws_status print(void *context, uint64_t config, const struct ws_machine *m,
			    const void *result, struct ws_err *err)
{
	struct cycles *c = context;

	return c->gpgpusim ? WS_OK : cycles_rows_print(&c->rows, config, m, result, err);
}

static void clear_kernels(void *context, void *result)
{
	const struct cycles *c = context;
	struct cycles_kernel *kernel = result;

	for (size_t k = 0; k < c->rows.kernels.count; k++)
		cycles_kernel_clear(&kernel[k]);
}

static enum ws_status work_cycles(struct cycles *c, struct ws_err *err)
{
	struct ws_runner engine = {
		.options = cli_ask(c->call), .plan = &c->plan, .partition = &c->plan.streams,
		.runs = 1, .context = c, .compute = compute, .print = print,
		.clear = clear_kernels,
	};
	enum ws_status status = ws_study_kernels_find(&c->rows.kernels, c->input.trace,
						      c->input.profile, err);

	if (status == WS_OK && c->kernel && !ws_study_kernels_only(&c->rows.kernels, c->kernel))
		return cli_usage(c->call->command, err, "--kernel=%.200s: the trace has no such "
				 "kernel; the first it has is %s", c->kernel,
				 c->rows.kernels.count ? c->rows.kernels.name[0] : "none");
	engine.size = c->rows.kernels.count * sizeof(struct cycles_kernel);
	return status == WS_OK ? ws_runner_run(&engine, err) : status;
}

static enum cycles_by by_of(const char *by)
{
	static const char *const names[] = { "", "array", "line", "site", "sm" };
	unsigned i = 0;

	while (by && i + 1 < WS_COUNT(names) && strcmp(by, names[i]) != 0)
		i++;
	return (enum cycles_by)i;
}

enum ws_status cycles_check(const struct cli_call *call, const struct cycles_options *o,
			    struct ws_err *err)
{
	const struct cli_options *c = call->options;
	bool gpgpusim = strcmp(c->format, "gpgpusim") == 0;

	if (!c->cycles && (c->by || o->timeline || gpgpusim))
		return cli_usage(call->command, err, "%s wants --cycles",
				 c->by ? "--by" : o->timeline ? "--timeline" : "--format=gpgpusim");
	if (o->period && !o->timeline)
		return cli_usage(call->command, err, "--period wants --timeline");
	if (c->cycles && c->level)
		return cli_usage(call->command, err, "--cycles and --level: want one of them; with "
				 "--cycles there are rows of both levels");
	if (c->cycles && c->runs)
		return cli_usage(call->command, err, "--cycles and --runs: want one of them");
	if (c->cycles && c->order)
		return cli_usage(call->command, err, "--cycles and --order: want one of them");
	if (gpgpusim && c->by)
		return cli_usage(call->command, err, "--format=gpgpusim and --by: want one of "
				 "them");
	if ((gpgpusim || o->timeline) && c->vary.count)
		return cli_usage(call->command, err, "%s and --vary: it is of one configuration",
				 o->timeline ? "--timeline" : "--format=gpgpusim");
	if (o->timeline && strcmp(o->timeline, "-") == 0)
		return cli_usage(call->command, err, "--timeline=%s: want a file of its own",
				 o->timeline);
	return WS_OK;
}

enum ws_status cycles_run(struct cli_call *call, const struct cycles_options *o,
			  const char *kernel, struct ws_err *err)
{
	struct cycles c = { .call = call, .kernel = kernel,
			    .gpgpusim = strcmp(call->options->format, "gpgpusim") == 0 };
	enum ws_status status = cli_input_open(&c.input, call, 0, CLI_TRACE, err);

	if (status == WS_OK)
		status = cli_plan_init(&c.plan, call, NULL, NULL, err);
	c.rows.call = call;
	c.rows.plan = &c.plan;
	c.rows.by = by_of(call->options->by);
	if (status == WS_OK && o->timeline)
		status = cycles_timeline_new(&c.timeline, call, o->timeline, c.input.trace,
					     &c.plan.machine, o->period, err);
	if (status == WS_OK && c.timeline)
		cycles_timeline_expect(c.timeline, kernel, &c.plan.machine);
	if (status == WS_OK)
		status = work_cycles(&c, err);
	status = cycles_timeline_settle(c.timeline, status, err);
	if (status == WS_OK && !c.gpgpusim)
		status = cycles_rows_begin(&c.rows, err);
	status = cli_report_end(&c.rows.report, status, err);
	status = cycles_timeline_end(c.timeline, status, err);
	ws_study_kernels_clear(&c.rows.kernels);
	ws_study_plan_clear(&c.plan);
	cli_input_close(&c.input);
	return status;
}
