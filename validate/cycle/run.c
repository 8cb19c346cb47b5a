/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/run.c -- builds the machine and runs the launches of a trace on it.
 *
 * SMs, slices and channels are made once; a launch empties them.  Only the result grows with the
 * trace, and queues to their largest length.
 */
#include "validate/cycle/run.h"

#include <stdlib.h>
#include <string.h>

#define NEVER UINT64_MAX
#define WINDOW_MAX 4096u	/* more cycles at a time gain nothing */

static enum ws_status find_policy(const char *key, const char *text, struct ws_use *use,
				  struct ws_err *err)
{
	enum ws_status status = ws_use_parse(use, text, err);

	if (status == WS_OK && use->policy->offline)
		status = ws_fail(err, WS_EINVAL, "%s = %s: an offline policy needs to know what "
				 "comes, which depends on time here", key, text);
	return status;
}

enum ws_status ws_cycles_check(const struct ws_machine *m, struct ws_err *err)
{
	struct ws_use ignored;
	enum ws_status status;

	if (m->sm_scheduler >= WS_SCHED_SEQUENTIAL)
		return ws_fail(err, WS_EINVAL, "sm.scheduler is an order without time; cycles want "
			       "lrr, gto or two-level");
	status = find_policy("l1.policy", m->l1.policy, &ignored, err);
	return status == WS_OK ? find_policy("l2.policy", m->l2.policy, &ignored, err) : status;
}

/* ---- the machine ----------------------------------------------------------------------- */

static enum ws_status allocate_run(struct ws_cycles *run, struct ws_err *err)
{
	size_t cores = run->cores, channels = run->channels;

	run->core = ws_alloc_zero(cores, sizeof *run->core);
	run->lsu = ws_alloc_zero(cores, sizeof *run->lsu);
	run->sent = ws_alloc_zero(cores, sizeof *run->sent);
	run->kept = ws_alloc_zero(cores, sizeof(struct ws_front_kept *));
	run->before = ws_alloc_zero(cores, sizeof *run->before);
	run->channel = ws_alloc_zero(channels, sizeof *run->channel);
	run->replies = ws_alloc_zero(channels, sizeof *run->replies);
	run->credits = ws_alloc_zero(channels, sizeof *run->credits);
	run->due = ws_alloc(channels, sizeof *run->due);
	run->waiting = ws_alloc_zero(channels / 64 + 1, sizeof *run->waiting);
	run->active = ws_alloc(channels, sizeof *run->active);
	run->answers = ws_alloc(channels, sizeof(struct ws_packets *));
	run->sites = ws_alloc_zero(cores + channels, sizeof *run->sites);
	run->l1s = (struct ws_meetings){ .use = &run->l1 };
	run->slices = (struct ws_meetings){ .use = &run->l2 };
	run->l1s.shared = ws_alloc_zero(cores * run->machine->l1_parts, sizeof(uint64_t *));
	run->slices.shared = ws_alloc_zero((size_t)run->machine->l2_slices, sizeof(uint64_t *));
	if (run->options->sink) {
		run->accepted = ws_alloc_zero(cores, sizeof *run->accepted);
		run->known = ws_alloc_zero(cores, sizeof *run->known);
		if (!run->accepted || !run->known)
			return ws_fail_memory(err, "the machine");
	}
	return run->core && run->lsu && run->sent && run->kept && run->before && run->channel &&
	       run->replies && run->credits && run->due && run->waiting && run->active &&
	       run->answers && run->sites && run->l1s.shared &&
	       run->slices.shared ? WS_OK : ws_fail_memory(err, "the machine");
}

static enum ws_status make_machine(struct ws_cycles *run, struct ws_err *err)
{
	uint64_t seed = run->options->seed;
	enum ws_status status = find_policy("l1.policy", run->machine->l1.policy, &run->l1, err);

	if (status == WS_OK)
		status = find_policy("l2.policy", run->machine->l2.policy, &run->l2, err);
	if (status == WS_OK)
		status = allocate_run(run, err);
	for (size_t i = 0; i < run->cores && status == WS_OK; i++) {
		status = ws_core_new(&run->core[i], run->machine, &run->l1, i, seed, err);
		if (status != WS_OK)
			break;
		run->lsu[i] = ws_core_lsu(run->core[i]);
		run->sent[i] = ws_core_sent(run->core[i]);
	}
	for (size_t i = 0; i < run->channels && status == WS_OK; i++) {
		status = ws_channel_new(&run->channel[i], run->machine, &run->l2, i, seed,
					err);
		if (status != WS_OK)
			break;
		run->replies[i] = ws_channel_replies(run->channel[i]);
		run->credits[i] = ws_channel_credits(run->channel[i]);
	}
	return status;
}

static void free_parts(struct ws_cycles *run)
{
	for (size_t i = 0; run->sites && i < run->cores + run->channels; i++) {
		ws_site_table_free(run->sites[i]);
		run->sites[i] = NULL;
	}
}

void ws_cycles_free(struct ws_cycles *run)
{
	if (!run)
		return;
	ws_pool_free(run->pool);
	free_parts(run);
	for (size_t i = 0; run->core && i < run->cores; i++)
		ws_core_free(run->core[i]);
	for (size_t i = 0; run->channel && i < run->channels; i++)
		ws_channel_free(run->channel[i]);
	for (size_t i = 0; run->accepted && i < run->cores; i++)
		free(run->accepted[i].request);
	ws_merger_clear(&run->merger);
	ws_crossbar_free(run->requests);
	ws_crossbar_free(run->responses);
	ws_router_free(run->out);
	ws_router_free(run->back);
	free(run->accepted);
	free(run->known);
	free(run->core);
	free(run->lsu);
	free(run->sent);
	free(run->kept);
	free(run->before);
	free(run->channel);
	free(run->replies);
	free(run->credits);
	free(run->due);
	free(run->waiting);
	free(run->answers);
	free(run->active);
	free(run->sites);
	free(run->l1s.shared);
	free(run->slices.shared);
	free(run);
}

/* ---- a launch -------------------------------------------------------------------------- */

static bool keeps(const struct ws_cycles *run)
{
	return run->machine->l2_start == WS_L2_KEEP;
}

static enum ws_status make_result(struct ws_cycles *run, struct ws_cycle_result *r, size_t launch,
				  struct ws_err *err)
{
	*r = (struct ws_cycle_result){ .launch = launch };
	r->kernel = ws_strdup(ws_trace_launch(run->trace, launch)->kernel);
	r->sms = run->cores;
	r->slices = (size_t)run->machine->l2_slices;
	r->sm = ws_alloc_zero(r->sms, sizeof *r->sm);
	r->slice = ws_alloc_zero(r->slices, sizeof *r->slice);
	run->result = r;
	return r->kernel && r->sm && r->slice ? WS_OK : ws_fail_memory(err, "results of a launch");
}

static enum ws_status begin_channel(void *context, size_t i, unsigned thread, struct ws_err *err)
{
	struct ws_cycles *run = context;
	size_t per = run->result->slices / run->channels;

	(void)thread;
	run->due[i] = NEVER;
	return ws_channel_launch(run->channel[i],
				 ws_trace_launch(run->trace, run->result->launch),
				 &run->dram, &run->result->slice[i * per],
				 run->sites[run->cores + i], err);
}

/* m: the machine while the launch runs. */
static enum ws_status begin_launch(struct ws_cycles *run, const struct ws_machine *m,
				   struct ws_err *err)
{
	const struct ws_launch *launch = ws_trace_launch(run->trace, run->result->launch);
	enum ws_status status = WS_OK;

	if (ws_dram_has_banks(run->machine) && keeps(run))
		ws_dram_clock_go_on(&run->dram, run->cycles_before);
	for (size_t i = 0; run->options->sites && i < run->cores + run->channels &&
	     status == WS_OK; i++)
		status = ws_site_table_new(&run->sites[i], launch, err);
	for (size_t i = 0; i < run->cores && status == WS_OK; i++) {
		status = ws_core_fit(run->core[i], &m->l1, err);
		if (status != WS_OK)
			break;
		ws_core_launch(run->core[i], &run->result->sm[i], run->sites[i],
			       run->accepted ? &run->accepted[i] : NULL);
		run->sent[i]->head = run->sent[i]->count = 0;
	}
	return status == WS_OK ? ws_pool_run(run->pool, run->channels, begin_channel, run, err)
			       : status;
}

static void gather_caches(struct ws_cycles *run)
{
	run->l1s.caches = run->slices.caches = 0;
	run->l1s.turn = run->slices.turn = 0;
	for (size_t i = 0; i < run->cores; i++)
		run->l1s.caches += ws_core_shared(run->core[i],
						  run->l1s.shared + run->l1s.caches);
	for (size_t i = 0; i < run->channels; i++)
		run->slices.caches += ws_channel_shared(run->channel[i],
							run->slices.shared + run->slices.caches);
}

static enum ws_status add_parts(struct ws_cycles *run, struct ws_err *err)
{
	const struct ws_launch *launch = ws_trace_launch(run->trace, run->result->launch);
	struct ws_site_table *sum;
	enum ws_status status = ws_site_table_new(&sum, launch, err);

	if (status != WS_OK)
		return status;
	for (size_t i = 0; i < run->cores + run->channels && status == WS_OK; i++)
		status = ws_site_table_add(sum, run->sites[i], err);
	if (status == WS_OK)
		status = ws_site_table_list(sum, &run->result->site, &run->result->sites, err);
	ws_site_table_free(sum);
	return status;
}

static void tell_past(struct ws_cycles *run, size_t launch)
{
	const struct ws_cycle_options *o = run->options;
	const bool *past = o->past ? o->past(o->context, launch) : NULL;

	for (size_t i = 0; i < run->cores; i++)
		ws_core_past(run->core[i], past);
}

static enum ws_status tell_pipeline(struct ws_cycles *run, size_t launch,
				    const struct ws_machine *m, struct ws_err *err)
{
	bool has = ws_launch_has_pipeline(ws_trace_launch(run->trace, launch), m);
	struct ws_pipeline p;
	enum ws_status status = has ? ws_pipeline_read(m, &p, err) : WS_OK;

	for (size_t i = 0; i < run->cores && status == WS_OK; i++)
		ws_core_pipeline(run->core[i], has ? &p : NULL);
	return status;
}

/* A launch's first CTA goes to the SM behind that which got the last one of the launch before.
 * Here it goes to SM 0, which has what that SM kept. */
static void turn_kept(struct ws_cycles *run, size_t by)
{
	for (size_t i = 0; i < run->cores; i++)
		run->kept[i] = run->lsu[(i + by) % run->cores]->kept;
	for (size_t i = 0; i < run->cores; i++)
		run->lsu[i]->kept = run->kept[i];
}

static enum ws_status keep_fronts(struct ws_cycles *run, struct ws_err *err)
{
	size_t last = run->cores - 1;
	enum ws_status status = ws_engine_keep(run->engine, &last, err);

	turn_kept(run, run->cores - run->first);
	run->first = (run->first + last + 1) % run->cores;
	return status;
}

enum ws_status ws_cycles_next(struct ws_cycles *run, size_t launch, struct ws_cycle_result *r,
			      struct ws_err *err)
{
	const struct ws_order_options order = { .seed = run->options->seed,
						.threads = run->options->threads };
	struct ws_machine m;
	enum ws_status status = make_result(run, r, launch, err);

	if (status == WS_OK)
		status = ws_launch_machine(ws_trace_launch(run->trace, launch), run->machine, &m,
					   err);
	if (status == WS_OK)
		tell_past(run, launch);
	if (status == WS_OK)
		status = tell_pipeline(run, launch, &m, err);
	if (status == WS_OK)
		status = begin_launch(run, &m, err);
	turn_kept(run, run->first);
	if (status == WS_OK)
		status = ws_engine_new(&run->engine, run->trace, launch, &m, &order,
				       run->lsu, err);
	if (status == WS_OK) {
		run->sms = ws_engine_sms(run->engine);
		gather_caches(run);
		r->resident_ctas = ws_engine_resident(run->engine);
		status = ws_cycles_launch(run, run->out ? ws_lockstep : ws_windows, err);
		if (status == WS_OK)
			status = keep_fronts(run, err);
		ws_engine_free(run->engine);
		for (size_t i = 0; i < run->cores; i++)
			ws_core_end(run->core[i]);
	}
	if (status == WS_OK && run->options->sites)
		status = add_parts(run, err);
	free_parts(run);
	run->cycles_before = r->cycles;
	run->ctas_before += ws_trace_launch(run->trace, launch)->ctas;
	return status;
}

/* ---- a trace --------------------------------------------------------------------------- */

static bool chosen(const struct ws_cycles *run, size_t launch)
{
	const char *kernel = run->options->kernel;

	return !kernel || !strcmp(kernel, ws_trace_launch(run->trace, launch)->kernel);
}

static void set_windows(struct ws_cycles *run, uint64_t window)
{
	uint64_t most = ws_icnt_cycles(run->machine), period = run->options->period;

	run->network = most;
	run->window = window && window < WINDOW_MAX ? window : WINDOW_MAX;
	run->period = NEVER;
	if (run->options->sample && period && period < NEVER / 2)
		run->period = (period + most - 1) / most * most;
}

static enum ws_status set_up(struct ws_cycles *run, uint64_t window, struct ws_err *err)
{
	const struct ws_machine *m = run->machine;
	size_t most = run->cores > run->channels ? run->cores : run->channels;
	unsigned threads = ws_threads(run->options->threads);
	enum ws_status status = make_machine(run, err);

	if (status == WS_OK && m->icnt_queues == WS_QUEUES_INPUT)
		status = ws_crossbar_new(&run->requests, m, false, err);
	if (status == WS_OK && m->icnt_queues == WS_QUEUES_INPUT)
		status = ws_crossbar_new(&run->responses, m, true, err);
	if (status == WS_OK && m->icnt_queues == WS_QUEUES_ROUTER) {
		status = ws_lockstep_new(run, err);
		threads = 1;	/* they would wait for each other in each cycle */
	}
	set_windows(run, window);
	for (size_t i = 0; i < ws_trace_launches(run->trace); i++)
		run->ctas_total += keeps(run) || chosen(run, i)
			? ws_trace_launch(run->trace, i)->ctas : 0;
	if (status == WS_OK)
		status = ws_pool_new(&run->pool, threads < most ? threads : (unsigned)most, err);
	return status;
}

enum ws_status ws_cycles_new(struct ws_cycles **out, const struct ws_trace *t,
			     const struct ws_machine *m, const struct ws_cycle_options *options,
			     uint64_t window, struct ws_err *err)
{
	enum ws_status status = ws_cycles_check(m, err);
	struct ws_cycles *run;

	*out = NULL;
	if (status != WS_OK)
		return status;
	run = ws_alloc_zero(1, sizeof *run);
	if (!run)
		return ws_fail_memory(err, "the machine");
	run->trace = t;
	run->machine = m;
	run->options = options;
	run->cores = (size_t)m->sm_count;
	run->channels = (size_t)ws_dram_channels(m);
	if (ws_dram_has_banks(m))
		ws_dram_clock_start(&run->dram, m);
	status = set_up(run, window, err);
	if (status == WS_OK)
		*out = run;
	else
		ws_cycles_free(run);
	return status;
}

static enum ws_status tell(const struct ws_cycles *run, struct ws_cycle_result *r,
			   struct ws_err *err)
{
	enum ws_status status = run->options->launched(run->options->context, r, err);

	ws_cycle_result_clear(r);
	return status;
}

/* A launch that is not asked for, but leaves something in the L2. */
static enum ws_status leave_contents(struct ws_cycles *run, size_t launch, struct ws_err *err)
{
	struct ws_cycle_result r;
	uint64_t period = run->period;
	enum ws_status status;

	run->period = NEVER;
	status = ws_cycles_next(run, launch, &r, err);
	run->period = period;
	ws_cycle_result_clear(&r);
	return status;
}

static enum ws_status run_all(struct ws_cycles *run, struct ws_cycle_result *r, size_t *launches,
			      struct ws_err *err)
{
	bool told = run->options->launched;
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < ws_trace_launches(run->trace) && status == WS_OK; i++) {
		struct ws_cycle_result *at = told ? r : &r[*launches];

		if (!chosen(run, i)) {
			status = keeps(run) ? leave_contents(run, i, err) : WS_OK;
			continue;
		}
		*launches += told ? 0 : 1;
		status = ws_cycles_next(run, i, at, err);
		if (status == WS_OK && told)
			status = tell(run, at, err);
	}
	return status;
}

enum ws_status ws_cycles_windows(struct ws_cycle_result **out, size_t *launches,
				 const struct ws_trace *t, const struct ws_machine *m,
				 const struct ws_cycle_options *options, uint64_t window,
				 struct ws_err *err)
{
	struct ws_cycles *run;
	struct ws_cycle_result *r = NULL;
	enum ws_status status = ws_cycles_new(&run, t, m, options, window, err);

	*out = NULL;
	*launches = 0;
	if (status == WS_OK) {
		r = ws_alloc_zero(ws_trace_launches(t) + 1, sizeof *r);
		status = r ? WS_OK : ws_fail_memory(err, "results");
	}
	if (status == WS_OK)
		status = run_all(run, r, launches, err);
	ws_cycles_free(run);
	if (status == WS_OK && !options->launched) {
		*out = r;
		return WS_OK;
	}
	ws_cycle_results_free(r, options->launched ? 1 : *launches);
	*launches = 0;
	return status;
}

enum ws_status ws_cycles_run(struct ws_cycle_result **out, size_t *launches,
			     const struct ws_trace *t, const struct ws_machine *m,
			     const struct ws_cycle_options *options, struct ws_err *err)
{
	static const struct ws_cycle_options plain = { .seed = 1 };

	return ws_cycles_windows(out, launches, t, m, options ? options : &plain, 0, err);
}
