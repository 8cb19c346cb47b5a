/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_softcache.c -- predicts and simulates a thread-private software cache in shared memory:
 * its hits, its cost and the traffic it saves.
 */
#include "cli/softcache.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct softcache_options {
	struct cli_options common;
	const char *kernel, *line, *threshold, *lines, *trace, *choice, *ir;
	uint64_t registers;
	bool aliased, simulate, transform;
};

#define AT(member) offsetof(struct softcache_options, member)

static const struct ws_option table[] = {
	CLI_OPT_MACHINE, CLI_OPT_SET, CLI_OPT_VARY,
	{ .name = "line", .type = WS_OPT_STRING, .offset = AT(line), .arg = "BYTES",
	  .brief = "line size of the software cache",
	  .help = "line sizes, powers of two from 1 to 256: a,b,c or LO:HI:xFACTOR; 16 if left "
		  "out" },
	{ .name = "threshold", .type = WS_OPT_STRING, .offset = AT(threshold), .arg = "CALLS",
	  .help = "loads and stores of a thread that it monitors, 1 to 1024: a,b,c, LO:HI:+STEP or "
		  "LO:HI:xFACTOR; 300 if left out" },
	{ .name = "lines", .type = WS_OPT_STRING, .offset = AT(lines), .arg = "N",
	  .brief = "lines of each thread",
	  .help = "lines of a thread, CLN, from 0: a,b,c, LO:HI:+STEP or LO:HI:xFACTOR; what the "
		  "machine's shared memory has room for if left out" },
	{ .name = "registers", .type = WS_OPT_U64, .offset = AT(registers), .arg = "N", .min = 1,
	  .max = 1024,
	  .help = "registers that a thread has without the cache; the trace's if left out; where "
		  "neither says, registers bound nothing" },
	{ .name = "aliased", .type = WS_OPT_FLAG, .offset = AT(aliased),
	  .help = "pointers may overlap (no restrict): every access looks in all lines" },
	{ .name = "choice", .type = WS_OPT_CHOICE, .offset = AT(choice), .arg = "WHOSE",
	  .choices = "launch thread",
	  .help = "who chooses the structures: the launch, by the hits of all its threads (the "
		  "default), or each thread for itself, by its own, as the design's authors have "
		  "it" },
	{ .name = "by", .type = WS_OPT_CHOICE, .offset = CLI_AT(by), .arg = "WHAT",
	  .choices = "structure launch traffic",
	  .brief = "rows by structure, launch or traffic",
	  .help = "rows for each structure (the default), or one for each launch: what the cache "
		  "takes, and what memory gets; traffic: what L1s, L2 and DRAM get of it, without "
		  "and with the cache" },
	{ .name = "cycles", .type = WS_OPT_FLAG, .offset = CLI_AT(cycles),
	  .brief = "with --by traffic: cycles, too",
	  .help = "with --by traffic, also simulates the launches in time, without and with the "
		  "cache" },
	{ .name = "trace", .type = WS_OPT_STRING, .offset = AT(trace), .arg = "OUT",
	  .complete = "file",
	  .help = "also writes the launches there, as a trace, as they would be with the cache in "
		  "their kernels: of one line size, threshold and number of lines, and one "
		  "machine" },
	{ .name = "simulate", .type = WS_OPT_FLAG, .offset = AT(simulate),
	  .help = "also simulates the cache, each thread's lines; exit code 1 if any count is not "
		  "the derived one; with --by launch, runs the requests that are left through the "
		  "machine's L1s" },
	{ .name = "transform", .type = WS_OPT_FLAG, .offset = AT(transform),
	  .brief = "rewrites the kernels, and runs them",
	  .help = "of a launch file: rewrites the kernels by LLVM to have the cache and runs them, "
		  "too; a row of each launch and cache; exit code 1 if one leaves other bytes in "
		  "its buffers, or counts otherwise than is derived; --trace is then of these "
		  "kernels" },
	{ .name = "emit-llvm", .type = WS_OPT_STRING, .offset = AT(ir), .arg = "OUT",
	  .complete = "file",
	  .help = "with --transform, also writes the rewritten kernels there, as LLVM's text" },
	{ .name = "kernel", .type = WS_OPT_STRING, .offset = AT(kernel), .arg = "NAME",
	  .help = "launches of this kernel only, or NAME#N, launch N of the trace" },
	CLI_OPT_SEED, CLI_OPT_THREADS, CLI_OPT_FROM_LAUNCH, { 0 },
};

struct softcache_work {
	struct cli_call *call;
	struct softcache_options *o;
	struct cli_input input;
	struct ws_study_plan plan;
	struct cli_report report;
	struct ws_out trace;	/* --trace; committed after the report */
	struct softcache_lists lists;
	size_t launches;
	struct ws_soft_record **record; /* [launch * records + ...]; NULL: not asked for */
	size_t records;		/* of a launch: with --choice thread one a threshold, else one */
	struct ws_soft_requests **requests; /* [launch], of `measured`; NULL: not asked for yet */
	struct ws_machine measured;
	bool by_launch, by_traffic;
	struct softcache_launch *rewritten; /* [launch], of the point at hand */
	uint64_t different;	/* rows of launches that are not as simulated */
};

/* ---- what is asked for --------------------------------------------------------------------- */

static bool by_thread(const struct softcache_options *o)
{
	return o->choice && strcmp(o->choice, "thread") == 0;
}

/* Is it the launch's name, or that of its kernel? */
static bool asked(const struct softcache_work *w, size_t launch)
{
	const char *name = ws_trace_launch(w->input.trace, launch)->kernel;
	const char *want = w->o->kernel;
	size_t len = want ? strlen(want) : 0;

	return !want || (strncmp(name, want, len) == 0 && (!name[len] || name[len] == '#'));
}

static enum ws_status read_lists(struct softcache_work *w, struct ws_err *err)
{
	enum ws_status status = softcache_lists_read(&w->lists, w->call, w->o->line,
						     w->o->threshold, w->o->lines, err);

	if (status == WS_OK && w->o->trace && softcache_lists_points(&w->lists) > 1)
		return cli_usage(w->call->command, err, "--trace is of one line size, threshold "
				 "and number of lines");
	return status;
}

/* ---- one point ----------------------------------------------------------------------------- */

static bool same_result(const struct ws_soft_result *a, const struct ws_soft_result *b)
{
	bool equal = a->parts == b->parts && a->chosen == b->chosen && a->past == b->past &&
		     a->barriers == b->barriers && a->extra == b->extra;

	for (size_t i = 0; equal && i < a->parts; i++)
		equal = a->part[i].threads == b->part[i].threads &&
			a->part[i].why == b->part[i].why && a->part[i].rank == b->part[i].rank &&
			memcmp(&a->part[i].counts, &b->part[i].counts,
			       sizeof a->part[i].counts) == 0;
	return equal;
}

/* The machine as it is while the launch runs with the cache in its shared memory. */
static enum ws_status machine_with(struct ws_machine *out, const struct ws_launch *launch,
				   const struct softcache_point *p, const struct ws_soft *soft,
				   uint64_t ctas, struct ws_err *err)
{
	struct ws_demand d = ws_launch_demand(launch);
	struct ws_machine m = *p->m;
	uint64_t most = m.sm_shared_bytes - m.sm_shared_reserved;

	/* More lines than there is room for may be asked about. */
	d.shared_bytes += ws_soft_lines_used(soft, p->result.chosen) * soft->line_bytes * d.threads;
	d.shared_bytes = d.shared_bytes < most ? d.shared_bytes : most;
	if (ctas && ctas < m.sm_ctas)
		m.sm_ctas = ctas;
	return ws_machine_adapt(&m, &d, out, err);
}

/* Requests that are left, through the L1s.  A cache of no lines leaves them all. */
static enum ws_status through_l1(struct softcache_work *w, const struct softcache_point *p,
				 uint64_t lines,
				 uint64_t ctas, struct ws_counts kind[WS_KINDS + 1],
				 struct ws_err *err)
{
	const struct ws_profile_options options = {
		.seed = w->call->seed, .threads = (unsigned)w->call->options->threads,
	};
	struct ws_soft soft = p->soft;
	struct ws_streams *streams = NULL;
	struct ws_machine m;
	enum ws_status status = ws_study_plan_anchor(&w->plan, p->config, &m, err);

	soft.lines = lines;
	if (status == WS_OK)
		status = ws_soft_streams(&streams, w->input.trace, p->launch, &m, ctas, &soft,
					 &options, err);
	if (status == WS_OK)
		status = machine_with(&m, streams->launch, p, &soft, ctas, err);
	if (status == WS_OK)
		status = ws_simulate(streams, 1, NULL, &m.l1, w->call->seed, kind, err);
	ws_streams_free(streams, streams != NULL);
	return status;
}

static enum ws_status simulate_point(struct softcache_work *w, struct softcache_point *p,
				     struct ws_err *err)
{
	struct ws_soft_result exact;
	enum ws_status status = ws_soft_simulate(&exact, w->input.trace, p->launch, &p->soft, err);

	if (status == WS_OK)
		w->different += !same_result(&exact, &p->result);
	ws_soft_result_clear(&exact);
	if (status == WS_OK && w->by_launch)
		status = through_l1(w, p, 0, 0, p->before, err);
	if (status == WS_OK && w->by_launch)
		status = through_l1(w, p, p->soft.lines, p->room.ctas, p->after, err);
	if (status == WS_OK && w->by_launch && !by_thread(w->o))
		w->different += p->requests_before != p->before[WS_KINDS].requests ||
				p->requests != p->after[WS_KINDS].requests;
	return status;
}

static const struct ws_soft_record *record_of(const struct softcache_work *w,
					      const struct softcache_point *p)
{
	size_t i = 0;

	while (i + 1 < w->records && w->lists.threshold.value[i] != p->soft.threshold)
		i++;
	return w->record[p->launch * w->records + i];
}

/* What there is room for depends on the structures alone; which are chosen, on the room. */
static enum ws_status derive(struct softcache_work *w, struct softcache_point *p,
			     struct ws_err *err)
{
	const struct ws_launch *l = ws_trace_launch(w->input.trace, p->launch);
	const struct ws_soft_record *record = record_of(w, p);
	enum ws_status status = ws_soft_predict(record, &p->soft, &p->result, err);

	for (int turn = 0; turn < 2 && status == WS_OK; turn++) {
		status = ws_soft_fit(&p->room, l, p->m, w->o->registers, p->soft.line_bytes,
				      &p->result, err);
		if (status != WS_OK || turn)
			break;
		if (!w->lists.lines.count)
			p->soft.lines = p->room.lines;
		ws_soft_result_clear(&p->result);
		status = ws_soft_predict(record, &p->soft, &p->result, err);
	}
	return status;
}

/* Those of the launch, for such warps and lines. */
static enum ws_status requests_of(struct softcache_work *w, const struct softcache_point *p,
				  struct ws_err *err)
{
	const struct ws_machine *m = p->m;

	if (m->warp_width != w->measured.warp_width ||
	    m->l1.line_bytes != w->measured.l1.line_bytes ||
	    m->coalesce_line != w->measured.coalesce_line)
		for (size_t i = 0; i < w->launches; i++) {
			ws_soft_requests_free(w->requests[i]);
			w->requests[i] = NULL;
		}
	w->measured = *m;
	if (w->requests[p->launch])
		return WS_OK;
	return ws_soft_requests_make(&w->requests[p->launch], w->input.trace, p->launch, m, err);
}

static enum ws_status derive_requests(struct softcache_work *w, struct softcache_point *p,
				      struct ws_err *err)
{
	enum ws_status status = requests_of(w, p, err);
	uint64_t kind[WS_KINDS];

	if (status != WS_OK)
		return status;
	ws_soft_requests_left(w->requests[p->launch], &p->soft, &p->result, kind);
	p->requests = kind[WS_LOAD] + kind[WS_STORE] + kind[WS_ATOMIC];
	ws_soft_requests_left(w->requests[p->launch], &p->soft, NULL, kind);
	p->requests_before = kind[WS_LOAD] + kind[WS_STORE] + kind[WS_ATOMIC];
	return WS_OK;
}

static enum ws_status point(struct softcache_work *w, struct softcache_point *p, struct ws_err *err)
{
	const struct softcache_rows rows = {
		.trace = w->input.trace, .plan = &w->plan, .table = w->report.table,
		.simulated = w->o->simulate,
	};
	enum ws_status status = derive(w, p, err);

	if (status == WS_OK && w->by_launch && !by_thread(w->o))
		status = derive_requests(w, p, err);
	if (status == WS_OK && w->o->simulate)
		status = simulate_point(w, p, err);
	if (status == WS_OK && w->by_launch)
		status = softcache_launch_row(&rows, p, err);
	else if (status == WS_OK)
		softcache_structure_rows(&rows, p);
	ws_soft_result_clear(&p->result);
	return status;
}

/* ---- launches with the cache in them ------------------------------------------------------- */

/* The launches that are asked for, as at *p; soft.line_bytes 0: as they are. */
static enum ws_status rewritten(struct softcache_work *w, struct softcache_point *p,
				struct softcache_job *job, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	*job = (struct softcache_job){ .call = w->call, .trace = w->input.trace, .plan = &w->plan,
				       .config = p->config, .launch = w->rewritten };
	for (size_t l = 0; l < w->launches && status == WS_OK; l++) {
		struct softcache_launch *to = &job->launch[job->launches];
		struct softcache_point at = *p;

		if (!asked(w, l))
			continue;
		at.launch = l;
		if (p->soft.line_bytes)
			status = derive(w, &at, err);
		*to = (struct softcache_launch){
			.launch = l, .soft = at.soft, .chosen = at.result.chosen,
			.registers = w->o->registers ? w->o->registers
						     : ws_trace_launch(w->input.trace,
								       l)->registers,
			.added = ws_soft_added(&at.room),
		};
		job->launches++;
		ws_soft_result_clear(&at.result);
	}
	return status;
}

static enum ws_status traffic(struct softcache_work *w, struct softcache_point *p,
			      struct ws_err *err)
{
	struct softcache_job job;
	enum ws_status status = rewritten(w, p, &job, err);

	return status == WS_OK ? softcache_traffic(&job, w->report.table, err) : status;
}

static enum ws_status write_trace(struct softcache_work *w, struct softcache_point *p,
				  struct ws_err *err)
{
	struct softcache_job job;
	enum ws_status status = rewritten(w, p, &job, err);

	return status == WS_OK ? softcache_trace(&job, w->call, w->o->trace, &w->trace, err)
	       : status;
}

static struct softcache_point point_at(const struct softcache_work *w, uint64_t config,
				       const struct ws_machine *m, size_t i)
{
	struct softcache_point p = { .config = config, .m = m,
				     .soft = softcache_lists_at(&w->lists, i) };

	p.soft.aliased = w->o->aliased;
	p.soft.by_thread = by_thread(w->o);
	return p;
}

/* All launches of a machine together: first as they are. */
static enum ws_status machine_traffic(struct softcache_work *w, uint64_t config,
				      const struct ws_machine *m,
				      size_t points, struct ws_err *err)
{
	struct softcache_point p = { .config = config, .m = m };
	enum ws_status status = traffic(w, &p, err);

	for (size_t i = 0; i < points && status == WS_OK; i++) {
		p = point_at(w, config, m, i);
		status = traffic(w, &p, err);
	}
	return status;
}

static enum ws_status machine(struct softcache_work *w, uint64_t config, struct ws_err *err)
{
	size_t points = softcache_lists_points(&w->lists);
	struct ws_machine m;
	struct softcache_point p;
	enum ws_status status = ws_study_plan_machine(&w->plan, config, &m, err);

	if (status == WS_OK && w->o->trace) {
		p = point_at(w, config, &m, 0);
		status = write_trace(w, &p, err);
	}
	if (status == WS_OK && w->by_traffic)
		return machine_traffic(w, config, &m, points, err);
	for (size_t l = 0; l < w->launches; l++)
		for (size_t i = 0; asked(w, l) && i < points && status == WS_OK; i++) {
			p = point_at(w, config, &m, i);
			p.launch = l;
			status = point(w, &p, err);
		}
	return status;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static enum ws_status record_one(void *context, size_t launch, unsigned thread, struct ws_err *err)
{
	struct softcache_work *w = context;
	struct ws_soft own = { .line_bytes = 1, .by_thread = true };
	enum ws_status status = WS_OK;

	(void)thread;
	for (size_t i = 0; i < w->records && status == WS_OK && asked(w, launch); i++) {
		own.threshold = w->lists.threshold.value[i];
		status = ws_soft_record_make(&w->record[launch * w->records + i], w->input.trace,
					     launch, by_thread(w->o) ? &own : NULL, err);
	}
	return status;
}

static enum ws_status record(struct softcache_work *w, struct ws_err *err)
{
	size_t found = 0;

	w->launches = ws_trace_launches(w->input.trace);
	w->records = by_thread(w->o) ? w->lists.threshold.count : 1;
	w->record = ws_alloc_zero((w->launches + 1) * w->records, sizeof(struct ws_soft_record *));
	w->rewritten = ws_alloc_zero(w->launches + 1, sizeof *w->rewritten);
	w->requests = ws_alloc_zero(w->launches + 1, sizeof(struct ws_soft_requests *));
	if (!w->record || !w->rewritten || !w->requests)
		return ws_fail_memory(err, "the launches");
	for (size_t i = 0; i < w->launches; i++)
		found += asked(w, i);
	if (w->o->kernel && !found)
		return cli_usage(w->call->command, err, "no launch of a kernel %.64s in %s",
				 w->o->kernel, ws_trace_name(w->input.trace));
	return ws_parallel((unsigned)w->call->options->threads, w->launches, record_one, w, err);
}

static enum ws_status begin_softcache(struct softcache_work *w, struct ws_err *err)
{
	const enum ws_col *column = w->by_launch ? softcache_launch_columns
				    : w->by_traffic ? softcache_traffic_columns
						    : softcache_structure_columns;
	size_t columns = w->by_launch ? softcache_launch_count
			 : w->by_traffic ? softcache_traffic_count : softcache_structure_count;

	return cli_report_begin(&w->report, w->call, &w->plan, column, columns, err);
}

/* --by traffic asks for the L2 and for time behind each of the machines: are they known there? */
static enum ws_status traffic_known(const struct softcache_work *w, struct ws_err *err)
{
	static const char *const hint = "ask for --by launch --simulate";
	enum ws_status status = ws_study_plan_modelled(&w->plan, hint, err);
	struct ws_machine m;

	for (uint64_t i = 0; i < w->plan.count && status == WS_OK; i++) {
		status = ws_study_plan_machine(&w->plan, i, &m, err);
		if (status == WS_OK && ws_organisation_of(&m.l1)->sub_sectors)
			status = ws_fail(err, WS_EINVAL, "l1.organisation: --by traffic knows line "
					 "and sector only, not %s: %s",
					 ws_organisation_of(&m.l1)->name, hint);
	}
	return status;
}

static enum ws_status work_softcache(struct softcache_work *w, struct ws_err *err)
{
	enum ws_status status = read_lists(w, err);

	if (status == WS_OK)
		status = cli_input_open(&w->input, w->call, 0, CLI_TRACE, err);
	if (status == WS_OK) /* each launch chooses for itself */
		status = ws_trace_part(w->input.trace, err);
	if (status == WS_OK)
		status = cli_plan_init(&w->plan, w->call, NULL, w->input.trace, err);
	if (status == WS_OK && w->by_traffic)
		status = traffic_known(w, err);
	if (status == WS_OK)
		status = record(w, err);
	if (status == WS_OK)
		status = begin_softcache(w, err);
	for (uint64_t c = 0; c < w->plan.count && status == WS_OK; c++)
		status = machine(w, c, err);
	status = cli_report_end(&w->report, status, err);
	if (status == WS_OK && w->trace.path)
		status = ws_out_commit(&w->trace, err);
	ws_out_abort(&w->trace);
	return status;
}

static bool by(const struct softcache_options *o, const char *what)
{
	return o->common.by && strcmp(o->common.by, what) == 0;
}

/* What of the options goes together. */
static enum ws_status check_options(struct cli_call *call, const struct softcache_options *o,
				    struct ws_err *err)
{
	if (o->common.cycles && !by(o, "traffic"))
		return cli_usage(call->command, err, "--cycles wants --by traffic");
	if (o->simulate && by(o, "traffic"))
		return cli_usage(call->command, err, "--simulate wants --by structure or launch");
	if (o->ir && !o->transform)
		return cli_usage(call->command, err, "--emit-llvm wants --transform");
	if (o->transform && (o->common.by || o->simulate || o->choice || o->kernel ||
			     o->common.vary.count || o->common.out_of_bounds))
		return cli_usage(call->command, err, "--transform does not go with --%s",
				 o->common.by ? "by" : o->simulate ? "simulate"
				 : o->choice ? "choice" : o->kernel ? "kernel"
				 : o->common.vary.count ? "vary" : "out-of-bounds");
	if (o->trace && o->common.vary.count)
		return cli_usage(call->command, err, "--trace and --vary: it is of one machine");
	if (o->trace && (strcmp(o->trace, "-") == 0 ||
			 (o->common.output && strcmp(o->trace, o->common.output) == 0)))
		return cli_usage(call->command, err, "--trace=%s: want a file of its own",
				 o->trace);
	if (by(o, "traffic"))
		call->options->level = "all";
	return WS_OK;
}

static enum ws_status transform(struct softcache_work *w, struct ws_err *err)
{
	enum ws_status status = read_lists(w, err);
	const struct softcache_transform t = {
		.call = w->call, .lists = &w->lists, .aliased = w->o->aliased,
		.registers = w->o->registers, .trace = w->o->trace,
		.ir = w->o->ir,
	};

	return status == WS_OK ? softcache_transform(&t, err) : status;
}

static enum ws_status run_softcache(struct cli_call *call, struct ws_err *err)
{
	struct softcache_options *o = (struct softcache_options *)(void *)call->options;
	struct softcache_work w = { .call = call, .o = o, .by_launch = by(o, "launch"),
			  .by_traffic = by(o, "traffic") };
	enum ws_status status = check_options(call, o, err);

	if (status != WS_OK)
		return status;
	status = o->transform ? transform(&w, err) : work_softcache(&w, err);
	if (status == WS_OK && w.different) {
		cli_note(call, "%" PRIu64 " of the launches are not as simulated", w.different);
		call->no = true;
	}
	for (size_t i = 0; w.record && i < w.launches * w.records; i++)
		ws_soft_record_free(w.record[i]);
	free(w.record);
	for (size_t i = 0; w.requests && i < w.launches; i++)
		ws_soft_requests_free(w.requests[i]);
	free(w.requests);
	free(w.rewritten);
	ws_study_plan_clear(&w.plan);
	cli_input_close(&w.input);
	return status;
}

const struct cli_command cli_cmd_softcache = {
	.name = "softcache",
	.summary = "predicts a software cache in shared memory",
	.usage = "[options] [FILE]",
	.description =
		"Reads a trace or a launch file and predicts what a software cache would change in "
		"each launch.  A compiler puts such a cache into the kernel: each thread has lines "
		"of its own in the shared memory that the kernel leaves free.  Threads that work "
		"through records of their own evict each other's lines from an L1, but not from "
		"these.\n"
		"\n"
		"A thread gets CLN = floor(floor(shared memory free on an SM / threads on an SM) / "
		"line) lines.  Each line serves one of the kernel's structures, which are its "
		"buffers.  A monitoring phase chooses them: the first --threshold loads and stores "
		"of each thread go to memory, and an imaginary line for each structure counts what "
		"would have hit.  The structures with most hits are chosen.  One that is written "
		"to goes before one that is only read if it has twice its hits, as its lines take "
		"twice the instructions.  After the monitoring phase, an access to a chosen "
		"structure that misses writes the modified bytes of its line back and loads "
		"another.  A barrier writes all lines back, and an atomic the line that it would "
		"bypass.\n"
		"\n"
		"One pass over the trace gives the counts of every line size, threshold and number "
		"of lines.  They are exact: --simulate simulates the cache and compares, and the "
		"exit code is 1 if a count differs.  The keys that count are sm.shared, "
		"sm.registers, sm.ctas, sm.warps, sm.threads and sm.count: --vary sm.ctas=1:8:+1 "
		"shows CLN against threads on an SM.\n"
		"\n"
		"There is a row for each structure and one for all.  monitored and monitor_hits "
		"are accesses of the monitoring phase, and rank is the structure's place by its "
		"hits.  why says: chosen; no line (CLN is 0); no hit; fewer hits than those "
		"chosen; not twice the hits of a read-only one that is chosen; no thread's choice "
		"(--choice thread); no array, for addresses in none.  soft_hits and soft_misses "
		"are accesses to chosen structures after the monitoring phase, and direct is what "
		"went to memory as it was.  A structure that no thread accesses after its "
		"monitoring phase can be chosen and have neither: a launch of short threads gains "
		"nothing.  threads are those that were through with monitoring and have a line for "
		"the structure.\n"
		"\n"
		"With --choice thread each thread ranks its own hits.  rank is then missing, and a "
		"structure chosen if any thread chose it; lines, hits and instructions are of each "
		"thread's own choice.  Such counts are of one pass for each threshold.\n"
		"\n"
		"With --by launch a row is a launch.  accesses_before and accesses are those "
		"of threads to memory, without and with the cache (a line loaded or written back "
		"is one).  extra_instructions are those that monitoring and caching add to the "
		"threads' own, none at CLN 0: three of an access that is not cached, as the "
		"cache's authors have it, the rest counted on their pseudo-code.  "
		"registers_monitor and registers_cache are what a thread takes besides, two a "
		"structure and two or, if it is written to, three; registers_spilled if structures "
		"that are not chosen keep but one.  soft_shared_bytes is what the lines of those "
		"that are chosen take of an SM.  ctas_before and ctas are those of an SM at once, "
		"limit what bounds the latter.  l1_requests_before and l1_requests are requests of "
		"warps, derived of the same pass for every line size and threshold; with --choice "
		"thread they want --simulate, as do the misses: in the order of the machine's "
		"warps, of the kernel as it is and of what the cache leaves; without those of "
		"stores, which many L1s do not keep, in the columns l1_load_.\n"
		"\n"
		"With --by traffic rows are of launches as they are, cache none, and with the "
		"cache in their kernels, cache software.  For the latter each launch's trace is "
		"rewritten: accesses that hit become instructions, lines are loaded and written "
		"back by the threads that miss, the added instructions take issue slots, and lines "
		"and registers take room on the SM, so that ctas and sm_threads are what is left.  "
		"All of it is then profiled in one pass, as predict does: requests and misses of "
		"the L1s and of the L2 behind them, bytes of DRAM, and the model's cycles with "
		"their bound; basis says whether requests and misses are exact, as they are for "
		"LRU; of l1.organisation line and sector alone.  thread_instructions and accesses "
		"are of threads; a launch of which an SM could not hold a CTA has ctas 0.  "
		"--cycles adds simulated_cycles and bytes of DRAM from the cycle simulator.  With "
		"--transform the cache is not derived but made: each kernel of a launch file is "
		"rewritten so that a thread's loads and stores monitor, look up and fill its "
		"lines in shared memory, and write them back before barriers, fences and atomics "
		"and at its end. It is run first with no line in use, so that all threads "
		"monitor, then with those chosen by what was counted, each work-item up to its "
		"next barrier or its end before another, as is the kernel as it is.  wrong_bytes "
		"are of buffers that differ from that one's, different_counts structures that "
		"hit, miss, write back and go to memory another number of times than derived "
		"(none if the kernel has fences, which traces do not hold).  With --lines 0 it "
		"only monitors.  thread_instructions are those of the kernel as it is, "
		"monitoring_instructions and cached_instructions those of the rewritten one, of "
		"threads before their first load or store past monitoring and from then on, "
		"counted in LLVM's code; run_extra_instructions is what they have more, "
		"extra_instructions what the model says, as --by launch does.  Kernels with "
		"volatile accesses are refused, and so is a buffer that is __constant and written "
		"to.\n"
		"\n"
		"--trace writes what was rewritten for any other command; at CLN 0 it is the "
		"launch as it is.\n"
		"\n"
		"Assumed: threads end monitoring after exactly that many accesses, rather than at "
		"the end of their loop's turn; "
		"with --simulate, warps are in the order of the kernel as it is.",
	.examples =
		"warpstack softcache data/kernel/records.launch -m gtx480-48k\n"
		"warpstack softcache data/kernel/records.launch --lines 0:3:+1\n"
		"warpstack softcache mm.wst --line 4:64:x2 --threshold 50,300\n"
		"# lines of a thread against threads on an SM\n"
		"warpstack softcache mm.wst --by launch --vary sm.ctas=1:8:+1\n"
		"warpstack softcache data/kernel/records.launch --by launch --simulate\n"
		"warpstack softcache data/kernel/records.launch --by traffic --cycles --line "
		"4:32:x2\n"
		"warpstack softcache data/kernel/records.launch --transform --lines 1:3:+1\n"
		"warpstack softcache mm.wst --trace cached.wst && warpstack simulate cached.wst "
		"--cycles",
	.table = { table, cli_report, cli_general },
	.size = sizeof(struct softcache_options),
	.operands_max = 1,
	.complete = "file",
	.run = run_softcache,
};
