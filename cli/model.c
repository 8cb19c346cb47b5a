/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/model.c -- what predict and sweep have in common: a profile for each
 * group of configurations, the model for each configuration.
 */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

struct model {
	struct cli_call *call;
	struct cli_input input;
	struct cli_plan plan;
	struct cli_rows rows;
	struct ws_profile *own;	  /* of the group at hand, if it was made here */
	const struct ws_profile *profile; /* the same, or the input */
	struct ws_answers *answers; /* made of it */
	struct cli_verify *verify; /* NULL: not asked for */
	enum ws_by by;
};

/* ---- a group's profile --------------------------------------------------- */

/* The machine that a group's profile is made with if it is to tell who misses: that is counted
 * where its own sets say, so these are the first configuration's. */
static enum ws_status parts_machine(const struct model *w, uint64_t group, struct ws_machine *own,
				    struct ws_err *err)
{
	uint64_t first = cli_plan_member(&w->plan, WS_STAGE_PROFILE, group, 0);
	struct ws_machine m;
	enum ws_status status = cli_plan_measured(&w->plan, first, own, err);

	if (status == WS_OK)
		status = cli_plan_machine(&w->plan, first, &m, err);
	if (status != WS_OK || m.l1.line_bytes != own->l1.line_bytes)
		return status;
	own->l1.sets = m.l1.sets;
	own->l1.ways = m.l1.ways;
	own->l1.size_bytes = m.l1.size_bytes;
	return ws_machine_check(own, err);
}

static enum ws_status make_profile(struct model *w, uint64_t group, uint64_t run,
				   struct ws_err *err)
{
	uint64_t first = cli_plan_member(&w->plan, WS_STAGE_PROFILE, group, 0);
	struct cli_source source = {
		.call = w->call, .trace = w->input.trace, .seed = w->call->seed + run,
		.record = cli_plan_needs(&w->plan) | (w->rows.parts ? WS_RECORD_SITES : 0) |
			  (w->rows.latency ? WS_RECORD_DETAIL : 0),
		.grain_period = cli_plan_period(&w->plan),
		.behind = { .trace = w->input.trace },
	};
	enum ws_status status = cli_source_machines(&source, &w->plan, first, err);

	if (status == WS_OK && w->rows.parts)
		status = parts_machine(w, group, &source.measured, err);
	if (status == WS_OK)
		status = cli_plan_shapes(&w->plan, WS_STAGE_PROFILE, group, &source.shapes, err);
	if (status == WS_OK)
		status = cli_plan_behind(&w->plan, WS_STAGE_PROFILE, group, &source.behind, err);
	if (status == WS_OK && w->rows.latency)
		status = cli_plan_anchor(&w->plan, &source.measured, &source.shapes, &source.behind,
					 err);
	if (status == WS_OK)
		status = cli_profile_make(&source, &w->own, err);
	cli_shapes_clear(&source.shapes);
	cli_behind_clear(&source.behind);
	w->profile = w->own;
	return status;
}

static void forget(struct model *w)
{
	ws_answers_free(w->answers);
	ws_profile_free(w->own);
	w->answers = NULL;
	w->own = NULL;
}

static enum ws_status prepare(void *context, uint64_t group, uint64_t run, struct ws_err *err)
{
	struct model *w = context;
	enum ws_status status = WS_OK;

	forget(w);
	if (w->verify)
		cli_verify_turn(w->verify, cli_plan_member(&w->plan, WS_STAGE_PROFILE, group, 0),
				w->call->seed + run);
	w->profile = w->input.profile;
	if (!w->profile)
		status = make_profile(w, group, run, err);
	return status == WS_OK ? ws_answers_new(&w->answers, w->profile, err) : status;
}

/* ---- rows of kernels ------------------------------------------------------- */

static enum ws_status predict(const struct model *w, size_t section, const struct ws_cache *cache,
			      struct ws_prediction *out, struct ws_err *err)
{
	bool simulate = w->verify && !cli_policy_modelled(cache);
	enum ws_status status = WS_OK;

	if (!simulate)
		status = ws_answers_predict(w->answers, section, cache, out, err);
	simulate = simulate || (w->verify && out->unsure);
	if (status == WS_OK && simulate)
		status = cli_verify_kernel(w->verify, w->profile->section[section].kernel, cache,
					   out, err);
	return status;
}

/* Puts what is pending where it belongs. */
static void add_pending(struct ws_prediction *to, const struct ws_prediction *timed)
{
	for (unsigned kind = 0; kind <= WS_KINDS; kind++) {
		to->kind[kind].hits = timed->kind[kind].hits;
		to->kind[kind].pending = timed->kind[kind].pending;
	}
}

static enum ws_status compute_time(const struct model *w, const struct ws_machine *m,
				   struct ws_prediction *p, struct ws_err *err)
{
	size_t kernels = w->rows.kernels.count;
	struct ws_timing *timing = (struct ws_timing *)(p + (1 + w->plan.l2) * kernels);
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < w->profile->sections && status == WS_OK; i++) {
		status = ws_answers_timing(w->answers, i, m, timing + i, err);
		if (status != WS_OK)
			break;
		add_pending(p + i, &timing[i].l1);
		if (w->plan.l2)
			add_pending(p + kernels + i, &timing[i].l2);
	}
	return status;
}

static enum ws_status compute(void *context, uint64_t config, const struct ws_machine *m,
			      void *result, struct ws_err *err)
{
	const struct model *w = context;
	struct ws_prediction *p = result;
	enum ws_status status = WS_OK;
	struct ws_machine own;

	(void)config;
	for (size_t i = 0; w->plan.l1 && i < w->profile->sections && status == WS_OK; i++) {
		status = cli_kernel_machine(&w->rows.kernels, i, m, &own, err);
		if (status == WS_OK)
			status = predict(w, i, &own.l1, &p[i], err);
	}
	p += w->plan.l1 ? w->rows.kernels.count : 0;
	for (size_t i = 0; w->plan.l2 && i < w->profile->sections && status == WS_OK; i++)
		status = ws_answers_predict_l2(w->answers, i, m, &p[i], err);
	return status == WS_OK && w->rows.latency ? compute_time(w, m, result, err) : status;
}

static enum ws_status print(void *context, uint64_t config, const struct ws_machine *m,
			    const void *result, struct ws_err *err)
{
	struct model *w = context;

	return cli_rows_print(&w->rows, config, m, result, err);
}

/* ---- rows of their parts (--by) -------------------------------------------- */

/* Moves a name that may be NULL; NULL to: says how long it is. */
static size_t move_name(const char **name, char *to)
{
	size_t len = *name ? strlen(*name) + 1 : 0;

	if (to && len)
		*name = memcpy(to, *name, len);
	return len;
}

/* Rows wait for those before them, and may be printed when the profile is gone. */
static enum ws_status keep_names(struct cli_parts *p, struct ws_err *err)
{
	size_t len = 1;

	for (size_t i = 0; i < p->count; i++)
		len += move_name(&p->part[i].array, NULL) + move_name(&p->part[i].file, NULL);
	p->names = ws_alloc(len, 1);
	if (!p->names)
		return ws_fail_memory(err, "the names of arrays");
	len = 0;
	for (size_t i = 0; i < p->count; i++) {
		len += move_name(&p->part[i].array, p->names + len);
		len += move_name(&p->part[i].file, p->names + len);
	}
	return WS_OK;
}

static enum ws_status compute_parts(void *context, uint64_t config, const struct ws_machine *m,
				    void *result, struct ws_err *err)
{
	const struct model *w = context;
	struct cli_parts *p = result;
	unsigned most = w->rows.each ? WS_KINDS : w->rows.kind;
	enum ws_status status = WS_OK;
	struct ws_machine own;

	(void)config;
	for (size_t i = 0; i < w->profile->sections && status == WS_OK; i++) {
		status = cli_kernel_machine(&w->rows.kernels, i, m, &own, err);
		if (status == WS_OK)
			status = ws_answers_parts(w->answers, i, &own.l1, w->by, most, &p[i].part,
						  &p[i].count, err);
		if (status == WS_OK)
			status = keep_names(&p[i], err);
	}
	return status;
}

static enum ws_status print_parts(void *context, uint64_t config, const struct ws_machine *m,
				  const void *result, struct ws_err *err)
{
	struct model *w = context;

	return cli_rows_print_parts(&w->rows, config, m, result, err);
}

static void clear_parts(void *context, void *result)
{
	const struct model *w = context;
	struct cli_parts *p = result;

	for (size_t i = 0; i < w->rows.kernels.count; i++) {
		free(p[i].part);
		free(p[i].names);
	}
}

/* Who misses is known of one line and set count: said before the first row. */
static enum ws_status check_part(const struct model *w, uint64_t config, struct ws_err *err)
{
	uint64_t group = cli_plan_group_of(&w->plan, WS_STAGE_PROFILE, config);
	struct ws_err inner = { 0 };
	struct ws_machine m, own;
	enum ws_status status = cli_plan_machine(&w->plan, config, &m, err);

	if (status == WS_OK && w->input.profile)
		own = w->input.profile->machine;
	else if (status == WS_OK)
		status = parts_machine(w, group, &own, err);
	if (status != WS_OK)
		return status;
	status = ws_parts_check(&own, &m.l1, &inner);
	if (status == WS_OK)
		return WS_OK;
	if (m.l1.line_bytes != own.l1.line_bytes)
		return ws_fail(err, status, "%s: want a machine (-m) whose own lines are those",
			       inner.text);
	if (m.l1.sets != own.l1.sets)
		return ws_fail(err, status, "%s: %s", inner.text, w->input.profile
			       ? "give the trace, with one l1.sets, or profile it with another -m"
			       : "want one l1.sets at a time");
	return ws_fail(err, status, "%s", inner.text);
}

static enum ws_status check_parts(const struct model *w, struct ws_err *err)
{
	const struct cli_options *o = w->call->options;
	enum ws_status status = WS_OK;

	if (w->plan.l2)
		return cli_usage(w->call->command, err, "--by and --level=%s: who misses is "
				 "known of the L1s", o->level);
	if (o->runs)
		return cli_usage(w->call->command, err, "--by and --runs: want one of them");
	if (o->sample > 0 || o->sample_lines)
		return cli_usage(w->call->command, err, "--by and --sample: a sample does not "
				 "tell who misses");
	for (uint64_t i = 0; i < w->plan.count && status == WS_OK; i++)
		status = check_part(w, i, err);
	return status;
}

/* ---- the command ----------------------------------------------------------- */

static unsigned kind_number(const char *kind)
{
	for (unsigned i = 0; i <= WS_KINDS; i++)
		if (strcmp(kind, ws_kind_names[i]) == 0)
			return i;
	return WS_KINDS;
}

static enum ws_by by_number(const char *by)
{
	return strcmp(by, "array") == 0 ? WS_BY_ARRAY
		: strcmp(by, "line") == 0 ? WS_BY_LINE : WS_BY_SITE;
}

static enum ws_status run(struct model *w, const char *kind, struct ws_err *err)
{
	const struct cli_options *o = w->call->options;
	struct cli_engine engine = {
		.call = w->call, .plan = &w->plan, .depth = WS_STAGE_PROFILE,
		.runs = o->runs ? o->runs : 1,
		.context = w, .prepare = prepare, .compute = compute, .print = print,
	};
	enum ws_status status = cli_kernels_find(&w->rows.kernels, &w->input, err);

	w->rows.call = w->call;
	w->rows.plan = &w->plan;
	w->rows.runs = engine.runs;
	w->rows.spread = o->runs != 0;
	w->rows.each = strcmp(kind, "each") == 0;
	w->rows.kind = kind_number(kind);
	w->rows.parts = o->by != NULL;
	w->rows.latency = o->latency;
	engine.size = cli_rows_size(&w->rows);
	if (status == WS_OK && w->rows.parts) {
		w->by = by_number(o->by);
		engine.size = w->rows.kernels.count * sizeof(struct cli_parts);
		engine.compute = compute_parts;
		engine.print = print_parts;
		engine.clear = clear_parts;
		status = check_parts(w, err);
	}
	return status == WS_OK ? cli_engine_run(&engine, err) : status;
}

static enum ws_status check_latency(const struct cli_call *call, struct ws_err *err)
{
	const struct cli_options *o = call->options;
	const char *other = o->by ? "by" : o->runs ? "runs" : o->verify ? "verify"
			  : o->sample > 0 || o->sample_lines ? "sample" : NULL;

	if (!o->latency)
		return WS_OK;
	if (other)
		return cli_usage(call->command, err, "--latency and --%s: want one of them", other);
	if (o->level && strcmp(o->level, "l2") == 0)
		return cli_usage(call->command, err, "--latency and --level=l2: time is of both: want "
				 "--level=all");
	return WS_OK;
}

/* A profile is of one run, sampled or not since it was made, and no requests are in it. */
static enum ws_status check_profile(const struct cli_call *call, struct ws_err *err)
{
	const struct cli_options *o = call->options;

	if (o->runs > 1)
		return cli_usage(call->command, err, "--runs=%llu: a profile is of one run: "
				 "give the trace", (unsigned long long)o->runs);
	if (o->sample > 0 || o->sample_lines)
		return cli_usage(call->command, err, "--sample%s: a profile is sampled when it is "
				 "made: give the trace", o->sample > 0 ? "" : "-lines");
	if (o->verify)
		return cli_usage(call->command, err, "--verify: a profile cannot be simulated: "
				 "give the trace");
	return WS_OK;
}

/* Can it be answered from a trace?  Said before the trace is profiled. */
static enum ws_status check_trace(const struct model *w, struct ws_err *err)
{
	const struct cli_options *o = w->call->options;
	bool sampled = o->sample > 0 || o->sample_lines;

	if (o->verify && sampled)
		return cli_usage(w->call->command, err, "--verify and --sample: want one of them: "
				 "samples are for what is too large to simulate");
	if (w->plan.l2 && (sampled || o->verify))
		return cli_usage(w->call->command, err, "--%s and --level=%s: want one of them",
				 o->verify ? "verify" : "sample", o->level);
	if (sampled && cli_plan_needs(&w->plan))
		return cli_usage(w->call->command, err, "--sample: a sample holds distances alone, "
				 "which predict l1.policy lru and l1.organisation line or sector");
	return o->verify ? WS_OK : cli_plan_modelled(&w->plan, "use `warpstack simulate`, or "
						     "--verify", err);
}

enum ws_status cli_model(struct cli_call *call, const char *kind, struct ws_err *err)
{
	const char *asked = call->options->kind;
	struct model w = { .call = call };
	enum ws_status status = cli_input_open(&w.input, call, 0, CLI_TRACE | CLI_PROFILE, err);

	if (status == WS_OK)
		status = check_latency(call, err);
	if (status == WS_OK && w.input.profile)
		status = check_profile(call, err);
	if (status == WS_OK)
		status = cli_plan_init(&w.plan, call, w.input.profile, w.input.trace, err);
	if (status == WS_OK && w.input.trace)
		status = check_trace(&w, err);
	if (status == WS_OK && call->options->verify)
		status = cli_verify_new(&w.verify, call, w.input.trace, &w.plan, err);
	if (status == WS_OK)
		status = run(&w, asked ? asked : kind, err);
	status = cli_rows_end(&w.rows, status, err);
	cli_verify_free(w.verify);
	forget(&w);
	cli_plan_clear(&w.plan);
	cli_input_close(&w.input);
	return status;
}
