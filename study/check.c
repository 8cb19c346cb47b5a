/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/check.c -- rows that compare model and simulator on the same streams.
 *
 * Streams are made once for each group of configurations, profiles once for each of its profile
 * groups, with only the needed line sizes and set counts.
 */
#include "study/private.h"

#include <stdlib.h>
#include <string.h>

struct measured {		/* a profile of the streams at hand */
	uint64_t group;		/* of plan->profiles */
	struct ws_profile *profile;
	struct ws_model *answers; /* made of it */
};

struct checked_streams {			/* what a slot has prepared */
	struct ws_streams *streams;
	size_t launches;
	struct measured *measured;
	size_t count, cap;
};

struct checked {		/* one configuration, kernel and level */
	struct ws_check check;
	struct ws_cycle_counts load;
	uint64_t cycles;
};

struct study_checking {
	const struct ws_study_options *options;
	const struct ws_study_plan *plan;
	const struct ws_study_input *input;
	double bound;
	struct ws_emitter emitter;
	struct checked_streams *slot;
	unsigned slots;
};

/* ---- profiles of the streams --------------------------------------------- */

static enum ws_status push_launch(struct ws_profiler *p, const struct ws_streams *s,
				  const struct ws_launch *launch, struct ws_err *err)
{
	enum ws_status status = ws_profiler_launch(p, launch, err);

	for (size_t sm = 0; sm < s->sms && status == WS_OK; sm++)
		status = ws_profiler_push(p, sm, s->sm[sm].request, s->sm[sm].count, err);
	return status == WS_OK ? ws_profiler_end(p, &s->stats, err) : status;
}

static enum ws_status push_all(const struct study_checking *c, const struct checked_streams *at,
			       const struct ws_machine *m, const struct ws_profile_options *options,
			       struct ws_profile **out, struct ws_err *err)
{
	struct ws_profiler *p = NULL;
	enum ws_status status = ws_profiler_new(&p, m, options, err);

	for (size_t i = 0; i < at->launches && status == WS_OK; i++)
		status = push_launch(p, &at->streams[i], ws_trace_launch(c->input->trace, i), err);
	if (status == WS_OK)
		status = ws_profiler_finish(p, out, err);
	ws_profiler_free(p);
	return status;
}

/* What the streams' loads missed where they were simulated, into their kernels' sections. */
static void put_simulated(const struct checked_streams *at, struct ws_profile *p)
{
	for (size_t i = 0; i < at->launches; i++) {
		const struct ws_streams *s = &at->streams[i];
		struct ws_section *to = p->section;

		while (to < p->section + p->sections && strcmp(to->kernel, s->kernel) != 0)
			to++;
		for (size_t sm = 0; sm < s->sms && to < p->section + p->sections; sm++)
			for (size_t k = 0; k < s->sm[sm].count; k++) {
				const struct ws_request *r = &s->sm[sm].request[k];

				to->simulated[0][WS_LOAD].requests += r->kind == WS_LOAD;
				to->simulated[0][WS_LOAD].misses += r->kind == WS_LOAD && r->fetch;
			}
	}
}

/* As ws_source_profile. */
static enum ws_status push_timed(const struct study_checking *c, const struct checked_streams *at,
				 const struct ws_machine *m, uint64_t config,
				 struct ws_profile_options *options, struct ws_profile **out,
				 struct ws_err *err)
{
	bool timed = c->options->cycles && options->order == WS_ORDER_CYCLES;
	struct ws_machine anchor;
	enum ws_status status = ws_study_plan_anchor(c->plan, config, &anchor, err);

	if (timed && anchor.l1.alloc == WS_ALLOC_ON_FILL)
		options->record |= WS_STUDY_TIMES;
	if (status == WS_OK)
		status = push_all(c, at, m, options, out, err);
	if (status != WS_OK || !timed || options->record & WS_RECORD_TIMES)
		return status;
	put_simulated(at, *out);
	if (!ws_simulated_differs(*out, &anchor))
		return WS_OK;
	ws_profile_free(*out);
	*out = NULL;
	options->record |= WS_STUDY_TIMES;
	return push_all(c, at, m, options, out, err);
}

static enum ws_status measure(const struct study_checking *c, const struct checked_streams *at,
			      uint64_t group, struct ws_profile **out, struct ws_err *err)
{
	uint64_t first = ws_partition_member(&c->plan->profiles, group, 0);
	struct ws_shapes shapes = { 0 };
	struct ws_l2_wanted behind = { .trace = c->input->trace };
	struct ws_profile_options options = {
		.threads = c->slots > 1 ? 1 : c->options->threads, .seed = c->options->seed,
		.order = ws_study_plan_order(c->plan, first),
		.record = ws_study_plan_needs(c->plan),
		.grain_period = ws_study_plan_period(c->plan, first),
	};
	struct ws_machine m;
	enum ws_status status = ws_study_plan_measured(c->plan, first, &m, err);

	if (status == WS_OK)
		status = ws_study_plan_shapes(c->plan, group, &shapes, err);
	if (status == WS_OK)
		status = ws_study_plan_l2(c->plan, group, &behind, err);
	options.shape = shapes.shape;
	options.shapes = shapes.count;
	options.filter = behind.filter;
	options.filters = behind.filters;
	options.l2_sets = behind.sets;
	options.l2_set_counts = behind.set_counts;
	if (status == WS_OK)
		status = ws_shapes_fit(&shapes, &m, ws_busy_sms(c->input->trace, &m, options.sm),
				       c->emitter.kernels.count, options.record, c->slots, err);
	if (status == WS_OK)
		status = push_timed(c, at, &m, first, &options, out, err);
	ws_shapes_clear(&shapes);
	ws_l2_wanted_clear(&behind);
	return status;
}

static const struct measured *find_measured(const struct checked_streams *at, uint64_t group)
{
	for (size_t i = 0; i < at->count; i++)
		if (at->measured[i].group == group)
			return &at->measured[i];
	return NULL;
}

static enum ws_status add_profile(const struct study_checking *c, struct checked_streams *at,
				  uint64_t group, struct ws_err *err)
{
	struct measured *new;
	enum ws_status status;

	if (find_measured(at, group))
		return WS_OK;
	if (!WS_ROOM(at->measured, at->cap, at->count + 1))
		return ws_fail_memory(err, "the profiles");
	new = &at->measured[at->count];
	*new = (struct measured){ .group = group };
	status = measure(c, at, group, &new->profile, err);
	if (status != WS_OK)
		return status;
	at->count++;
	return ws_model_new(&new->answers, new->profile, err);
}

static void forget_made(struct checked_streams *at)
{
	for (size_t i = 0; i < at->count; i++) {
		ws_model_free(at->measured[i].answers);
		ws_profile_free(at->measured[i].profile);
	}
	at->count = 0;
	ws_streams_free(at->streams, at->launches);
	at->streams = NULL;
	at->launches = 0;
}

static enum ws_status prepare_made(void *context, unsigned slot, uint64_t group, uint64_t run,
				   struct ws_err *err)
{
	struct study_checking *c = context;
	struct checked_streams *at = &c->slot[slot];
	uint64_t members = ws_partition_members(&c->plan->streams, group, c->plan->count);
	uint64_t first = ws_partition_member(&c->plan->streams, group, 0);
	struct ws_source source = {
		.options = c->options, .trace = c->input->trace, .seed = c->options->seed + run,
		.order = ws_study_plan_order(c->plan, first),
		.threads = c->slots > 1 ? 1 : 0, .quiet = c->slots > 1,
	};
	enum ws_status status = ws_study_plan_anchor(c->plan, first, &source.machine, err);

	forget_made(at);
	if (status == WS_OK)
		status = ws_source_streams(&source, &at->streams, &at->launches, err);
	for (uint64_t k = 0; k < members && status == WS_OK; k++) {
		uint64_t config = ws_partition_member(&c->plan->streams, group, k);

		status = add_profile(c, at, ws_partition_group(&c->plan->profiles, config), err);
	}
	return status;
}

/* ---- one configuration ------------------------------------------------------- */

/* All kernels at one level. */
static enum ws_status check_level(const struct study_checking *c, const struct checked_streams *at,
				  const struct measured *of, const struct ws_machine *m, bool l2,
				  struct checked *out, struct ws_err *err)
{
	const struct ws_streams *streams = at->streams;
	struct ws_streams *behind = NULL;
	enum ws_status status = WS_OK;

	if (l2)
		status = ws_streams_behind(&behind, at->streams, at->launches, m, c->options->seed,
					   err);
	streams = l2 ? behind : streams;
	for (size_t i = 0; i < of->profile->sections && status == WS_OK; i++) {
		struct ws_check *check = &out[i].check;
		struct ws_machine own;
		struct ws_cache cache;

		status = ws_study_kernel_machine(&c->emitter.kernels, i, m, &own, err);
		if (status != WS_OK)
			break;
		cache = l2 ? ws_l2_whole(&own) : own.l1;
		/* Behind LRU, the model has it. */
		check->other_stream = l2 && !ws_policy_as_lru(&own.l1);
		status = l2 ? ws_model_predict_l2(of->answers, i, &own, &check->model, err)
			    : ws_model_predict(of->answers, i, &own.l1, &check->model, err);
		if (status == WS_OK)
			status = ws_simulate(streams, at->launches, of->profile->section[i].kernel,
					     &cache, c->options->seed, check->exact, err);
		if (status == WS_OK)
			ws_check_judge(check, m->count_pending, c->bound);
	}
	ws_streams_free(behind, at->launches);
	return status;
}

struct check_summing {
	const struct ws_study_kernels *kernels;
	struct checked *l1, *l2; /* NULL: not asked for */
};

static void add_simulated(struct checked *to, const struct ws_cycle_counts kind[WS_KINDS + 1],
			  uint64_t cycles)
{
	ws_cycle_counts_add(&to->load, &kind[WS_LOAD]);
	to->cycles += cycles;
}

static enum ws_status launched(void *context, const struct ws_cycle_result *r, struct ws_err *err)
{
	const struct check_summing *s = context;
	struct ws_cycle_counts kind[WS_KINDS + 1];

	(void)err;
	for (size_t i = 0; i < s->kernels->count; i++) {
		if (strcmp(s->kernels->name[i], r->kernel) != 0)
			continue;
		ws_cycle_l1(r, kind);
		if (s->l1)
			add_simulated(&s->l1[i], kind, r->cycles);
		ws_cycle_l2(r, kind);
		if (s->l2)
			add_simulated(&s->l2[i], kind, r->cycles);
	}
	return WS_OK;
}

static enum ws_status simulate_machine(const struct study_checking *c, const struct ws_machine *m,
				       struct check_summing *sums, struct ws_err *err)
{
	const struct ws_cycle_options options = {
		.seed = c->options->seed, .threads = c->options->threads ? c->options->threads : 1,
		.launched = launched, .context = sums,
	};
	struct ws_cycle_result *none;
	size_t zero;

	return ws_cycles_run(&none, &zero, c->input->trace, m, &options, err);
}

static enum ws_status compute(void *context, unsigned slot, unsigned thread, uint64_t config,
			      const struct ws_machine *m, void *result, struct ws_err *err)
{
	const struct study_checking *c = context;
	const struct checked_streams *at = &c->slot[slot];
	const struct measured *of = find_measured(at,
						  ws_partition_group(&c->plan->profiles, config));
	struct checked *l1 = result, *l2 = l1 + c->emitter.kernels.count;
	struct check_summing sums = { &c->emitter.kernels, c->plan->l1 ? l1 : NULL,
				c->plan->l2 ? l2 : NULL };
	enum ws_status status = WS_OK;

	(void)thread;
	if (c->plan->l1)
		status = check_level(c, at, of, m, false, l1, err);
	if (status == WS_OK && c->plan->l2)
		status = check_level(c, at, of, m, true, l2, err);
	if (status == WS_OK && c->options->cycles)
		status = simulate_machine(c, m, &sums, err);
	return status;
}

static enum ws_status print(void *context, uint64_t config, const struct ws_machine *m,
			    const void *result, struct ws_err *err)
{
	const struct study_checking *c = context;
	const struct checked *checked = result;
	size_t kernels = c->emitter.kernels.count;
	char order[WS_ORDER_TEXT];
	enum ws_status status = ws_emitter_order(&c->emitter, config, m, 0, order, err);

	for (size_t i = 0; i < 2 * kernels && status == WS_OK; i++) {
		struct ws_machine own;
		const struct ws_row row = {
			.plan = c->plan, .config = config, .machine = &own,
			.kernel = c->emitter.kernels.name[i % kernels], .l2 = i >= kernels,
			.kind = c->options->cycles ? WS_LOAD : WS_KINDS, .order = order,
			.prediction = &checked[i].check.model,
			.basis = checked[i].check.model.basis, .check = &checked[i].check,
			.timed = c->options->cycles ? &checked[i].load : NULL,
			.cycles = checked[i].cycles,
		};

		status = ws_study_kernel_machine(&c->emitter.kernels, i % kernels, m, &own, err);
		if (status == WS_OK && (row.l2 ? c->plan->l2 : c->plan->l1))
			status = c->emitter.sink(c->emitter.context, &row, err);
	}
	return status;
}

enum ws_status ws_study_crosscheck(const struct ws_study_options *o,
				   const struct ws_study_plan *plan,
				   const struct ws_study_input *input, double bound,
				   ws_row_sink *sink, void *context, struct ws_err *err)
{
	struct study_checking c = { .options = o, .plan = plan, .input = input, .bound = bound };
	struct ws_runner runner = {
		.options = o, .plan = plan, .partition = &plan->streams, .runs = 1, .context = &c,
		.prepare = prepare_made, .compute = compute, .print = print,
	};
	enum ws_status status = ws_emitter_init(&c.emitter, o, plan, input, sink, context, err);

	runner.size = 2 * c.emitter.kernels.count * sizeof(struct checked);
	c.slots = ws_runner_slots(o, &plan->streams);
	c.slot = ws_alloc_zero(c.slots, sizeof *c.slot);
	if (status == WS_OK && !c.slot)
		status = ws_fail_memory(err, "the streams");
	if (status == WS_OK)
		status = ws_runner_run(&runner, err);
	for (unsigned i = 0; c.slot && i < c.slots; i++) {
		forget_made(&c.slot[i]);
		free(c.slot[i].measured);
	}
	free(c.slot);
	ws_emitter_clear(&c.emitter);
	return status;
}
