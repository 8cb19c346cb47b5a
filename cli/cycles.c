/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cycles.c -- runs the cycle simulator for a plan and adds its results up.
 */
#include "cli/cycles.h"

#include <stdlib.h>
#include <string.h>

/* ---- one simulation -------------------------------------------------------- */

struct watch {			/* the callbacks' context */
	const struct cycles_job *job;
	struct ws_progress progress;
	size_t launches;
};

static void step(void *context, uint64_t done, uint64_t total)
{
	struct watch *w = context;

	if (!w->job->progress)
		return;
	w->progress.total = total;
	ws_progress_step(&w->progress, done);
}

static void sample(void *context, const struct ws_cycle_sample *s)
{
	const struct watch *w = context;

	cycles_timeline_sample(w->job->timeline, s);
}

static enum ws_status launched(void *context, const struct ws_cycle_result *r, struct ws_err *err)
{
	struct watch *w = context;

	w->launches++;
	return w->job->launched(w->job->context, r, err);
}

enum ws_status cycles_simulate(const struct cycles_job *job, struct ws_err *err)
{
	struct watch w = { .job = job };
	const struct ws_cycle_options options = {
		.seed = job->seed, .threads = job->threads, .kernel = job->kernel,
		.parts = job->parts, .progress = step, .launched = launched, .context = &w,
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

/* ---- sums ------------------------------------------------------------------ */

static void add_kind(struct ws_cycle_counts to[WS_KINDS + 1], unsigned kind,
		     const struct ws_cycle_counts *from)
{
	ws_cycle_counts_add(&to[kind], from);
	ws_cycle_counts_add(&to[WS_KINDS], from);
}

double cycles_miss_ratio(const struct ws_cycle_counts *c, bool count_pending)
{
	uint64_t misses = c->misses + (count_pending ? c->pending : 0);

	return c->requests ? (double)misses / (double)c->requests : 0;
}

static void add_launch(struct cycles_kernel *k, const struct ws_cycle_result *r)
{
	struct ws_cycle_counts l1[WS_KINDS + 1], l2[WS_KINDS + 1];
	struct ws_core_stats sm;

	ws_cycle_l1(r, l1);
	ws_cycle_l2(r, l2);
	for (int i = 0; i <= WS_KINDS; i++) {
		ws_cycle_counts_add(&k->l1[i], &l1[i]);
		ws_cycle_counts_add(&k->l2[i], &l2[i]);
	}
	ws_cycle_sm(r, &sm);
	ws_core_stats_add(&k->sm, &sm);
	k->cycles += r->cycles;
	for (size_t i = 0; i < r->slices; i++) {
		k->dram_read_bytes += r->slice[i].dram_read_bytes;
		k->dram_write_bytes += r->slice[i].dram_write_bytes;
	}
}

/* ---- parts ----------------------------------------------------------------- */

/* Of the launches of one kernel on one machine, which all have the same SMs and slices. */
static void add_units(struct cycles_kernel *k, const struct ws_cycle_result *r)
{
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		for (size_t i = 0; i < r->sms; i++)
			add_kind(k->part[i].l1, kind, &r->sm[i].l1[kind]);
		for (size_t i = 0; i < r->slices; i++)
			add_kind(k->part[i].l2, kind, &r->slice[i].l2[kind]);
	}
}

static struct cycles_part part_of(const struct ws_launch *l, const struct ws_cycle_part *from,
				  enum cycles_by by)
{
	const struct ws_instruction *at = &l->instruction[from->instruction];
	struct cycles_part p = { 0 };

	if (by != CYCLES_BY_LINE)
		p.array = from->array < l->arrays ? l->array[from->array].name : "";
	if (by != CYCLES_BY_ARRAY) {
		p.file = at->line && at->file < l->files ? l->file[at->file] : "";
		p.line = at->line;
	}
	add_kind(p.l1, at->kind, &from->l1);
	add_kind(p.l2, at->kind, &from->l2);
	return p;
}

static int compare_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int by_name(const void *a, const void *b)
{
	const struct cycles_part *x = a, *y = b;
	int order = compare_text(x->array, y->array);

	if (order == 0)
		order = compare_text(x->file, y->file);
	return order ? order : (x->line > y->line) - (x->line < y->line);
}

static int by_misses(const void *a, const void *b)
{
	const struct cycles_part *x = a, *y = b;
	uint64_t m = x->l1[WS_KINDS].misses, n = y->l1[WS_KINDS].misses;

	return m != n ? (m < n) - (m > n) : by_name(a, b);
}

/* Parts of one name become one. */
static void merge_parts(struct cycles_kernel *k)
{
	size_t kept = 0;

	if (!k->parts)
		return;
	qsort(k->part, k->parts, sizeof *k->part, by_name);
	for (size_t i = 1; i < k->parts; i++) {
		if (by_name(&k->part[kept], &k->part[i]) != 0) {
			k->part[++kept] = k->part[i];
			continue;
		}
		for (int kind = 0; kind <= WS_KINDS; kind++) {
			ws_cycle_counts_add(&k->part[kept].l1[kind], &k->part[i].l1[kind]);
			ws_cycle_counts_add(&k->part[kept].l2[kind], &k->part[i].l2[kind]);
		}
	}
	k->parts = kept + 1;
}

static enum ws_status more_parts(struct cycles_kernel *k, size_t more, struct ws_err *err)
{
	struct cycles_part *grown = k->part;

	if (!grown || k->parts + more > k->parts_cap)
		grown = ws_grow(k->part, &k->parts_cap, k->parts + more + 1, sizeof *grown);
	if (!grown)
		return ws_fail_memory(err, "who misses");
	k->part = grown;
	return WS_OK;
}

static enum ws_status add_by_unit(struct cycles_kernel *k, const struct ws_cycle_result *r,
				  struct ws_err *err)
{
	size_t units = r->sms > r->slices ? r->sms : r->slices;
	enum ws_status status = k->parts ? WS_OK : more_parts(k, units, err);

	if (status != WS_OK)
		return status;
	while (k->parts < units) {
		k->part[k->parts] = (struct cycles_part){ .unit = k->parts };
		k->parts++;
	}
	add_units(k, r);
	return WS_OK;
}

enum ws_status cycles_add(struct cycles_kernel *k, enum cycles_by by, const struct ws_trace *t,
			  const struct ws_cycle_result *r, struct ws_err *err)
{
	enum ws_status status;

	add_launch(k, r);
	if (by == CYCLES_WHOLE)
		return WS_OK;
	if (by == CYCLES_BY_SM)
		return add_by_unit(k, r, err);
	status = more_parts(k, r->parts, err);
	if (status != WS_OK)
		return status;
	for (size_t p = 0; p < r->parts; p++)
		k->part[k->parts++] = part_of(ws_trace_launch(t, r->launch), &r->part[p], by);
	merge_parts(k);
	return WS_OK;
}

void cycles_sort(struct cycles_kernel *k, enum cycles_by by)
{
	if (k->parts && by != CYCLES_BY_SM)
		qsort(k->part, k->parts, sizeof *k->part, by_misses);
}

void cycles_kernel_clear(struct cycles_kernel *k)
{
	free(k->part);
	*k = (struct cycles_kernel){ 0 };
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

struct summing {		/* of one configuration */
	const struct cycles *cycles;
	struct cycles_kernel *kernel;
};

static enum ws_status add_up(void *context, const struct ws_cycle_result *r, struct ws_err *err)
{
	struct summing *s = context;
	const struct cycles *c = s->cycles;

	for (size_t k = 0; k < c->rows.kernels.count; k++)
		if (strcmp(c->rows.kernels.name[k], r->kernel) == 0)
			return cycles_add(&s->kernel[k], c->rows.by, c->input.trace, r, err);
	return WS_OK;
}

static enum ws_status put_launch(void *gpgpusim, const struct ws_cycle_result *r,
				 struct ws_err *err)
{
	return cycles_gpgpusim_launch(gpgpusim, r, err);
}

static struct cycles_job job_of(const struct cycles *c, const struct ws_machine *m)
{
	return (struct cycles_job){
		.call = c->call, .trace = c->input.trace, .machine = m, .kernel = c->kernel,
		.seed = c->call->seed, .threads = cycles_threads(c->call, &c->plan),
		.parts = c->gpgpusim || (c->rows.by && c->rows.by != CYCLES_BY_SM),
		.progress = c->plan.count == 1, .timeline = c->timeline,
	};
}

static enum ws_status gpgpusim(const struct cycles *c, const struct ws_machine *m,
			       struct ws_err *err)
{
	struct cycles_job job = job_of(c, m);
	struct cycles_gpgpusim *g;
	enum ws_status status = cycles_gpgpusim_new(&g, c->call, c->input.trace, m, err);

	job.launched = put_launch;
	job.context = g;
	if (status == WS_OK)
		status = cycles_simulate(&job, err);
	status = cycles_timeline_settle(c->timeline, status, err);
	return cycles_gpgpusim_end(g, status, err);
}

static enum ws_status compute(void *context, unsigned slot, uint64_t config,
			      const struct ws_machine *m, void *result, struct ws_err *err)
{
	const struct cycles *c = context;
	struct cycles_job job = job_of(c, m);
	struct summing sums = { c, result };
	enum ws_status status;

	(void)slot;
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

static void clear(void *context, void *result)
{
	const struct cycles *c = context;
	struct cycles_kernel *kernel = result;

	for (size_t k = 0; k < c->rows.kernels.count; k++)
		cycles_kernel_clear(&kernel[k]);
}

enum ws_status cycles_kernel_only(struct ws_study_kernels *k, const struct cli_call *call,
				  const char *name, struct ws_err *err)
{
	for (size_t i = 0; i < k->count; i++) {
		if (strcmp(k->name[i], name) == 0) {
			k->name[0] = k->name[i];
			k->demand[0] = k->demand[i];
			k->count = 1;
			return WS_OK;
		}
	}
	return cli_usage(call->command, err, "--kernel=%.200s: the trace has no such kernel; the "
			 "first it has is %s", name, k->count ? k->name[0] : "none");
}

static enum ws_status work(struct cycles *c, struct ws_err *err)
{
	struct ws_runner engine = {
		.options = cli_ask(c->call), .plan = &c->plan, .partition = &c->plan.streams,
		.runs = 1, .context = c, .compute = compute, .print = print,
		.clear = clear,
	};
	enum ws_status status = ws_study_kernels_find(&c->rows.kernels, c->input.trace, c->input.profile, err);

	if (status == WS_OK && c->kernel)
		status = cycles_kernel_only(&c->rows.kernels, c->call, c->kernel, err);
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
		status = work(&c, err);
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
