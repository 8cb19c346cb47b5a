/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/simulate.c -- rows by the functional simulator: streams once for each group of
 * configurations, then every configuration's caches.
 */
#include "study/private.h"

#include <stdlib.h>
#include <string.h>

struct made_streams {			/* a group's streams */
	struct ws_streams *streams;
	size_t launches;
	uint64_t seed;		/* of the run at hand */
	struct ws_machine anchor; /* whose simulation the order is from */
	enum ws_order order;
};

struct simulating {
	const struct ws_study_options *options;
	const struct ws_study_plan *plan;
	const struct ws_study_input *input;
	struct ws_emitter emitter;
	struct made_streams *slot;	/* [slots] */
	unsigned slots;
};

static enum ws_status prepare_streams(void *context, unsigned slot, uint64_t group, uint64_t run,
				      struct ws_err *err)
{
	struct simulating *s = context;
	struct made_streams *at = &s->slot[slot];
	uint64_t first = ws_partition_member(&s->plan->streams, group, 0);
	struct ws_source source = {
		.options = s->options, .trace = s->input->trace, .seed = s->options->seed + run,
		.threads = s->slots > 1 ? 1 : 0, .quiet = s->slots > 1,
		.order = ws_study_plan_order(s->plan, first),
	};
	enum ws_status status = ws_study_plan_anchor(s->plan, first, &source.machine, err);

	if (status != WS_OK)
		return status;
	ws_streams_free(at->streams, at->launches);
	*at = (struct made_streams){ .seed = source.seed, .anchor = source.machine,
			     .order = source.order };
	return ws_source_streams(&source, &at->streams, &at->launches, err);
}

static enum ws_status level(const struct simulating *s, const struct made_streams *at, bool l2,
			    const struct ws_streams *streams, const struct ws_machine *m,
			    struct ws_answered *out, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t k = 0; k < s->emitter.kernels.count && status == WS_OK; k++) {
		struct ws_prediction *p = l2 ? &out[k].l2 : &out[k].l1;
		struct ws_machine own;
		struct ws_cache cache;

		status = ws_study_kernel_machine(&s->emitter.kernels, k, m, &own, err);
		if (status != WS_OK)
			break;
		cache = l2 ? ws_l2_whole(&own) : own.l1;
		p->basis = WS_SIMULATED;
		p->instructions = ws_streams_instructions(streams, at->launches,
							  s->emitter.kernels.name[k]);
		status = ws_simulate(streams, at->launches, s->emitter.kernels.name[k], &cache,
				     at->seed, p->kind, err);
		ws_prediction_close(p);
		if (status == WS_OK && !l2)
			status = ws_simulate_tlbs(streams, at->launches,
						  s->emitter.kernels.name[k], &own, at->seed,
						  &out[k].tlb, err);
	}
	return status;
}

/* In the order of another cache, how far off the counts are is not known. */
static void judge(const struct simulating *s, const struct made_streams *at,
		  const struct ws_machine *m,
		  struct ws_answered *out)
{
	bool own = ws_order_timeless(m) || ws_plan_single_file(s->plan, m) ||
		   (at->order == WS_ORDER_CYCLES && ws_order_own(m, &at->anchor, true));

	for (size_t k = 0; k < s->emitter.kernels.count && !own; k++)
		for (unsigned kind = 0; kind <= WS_KINDS; kind++)
			out[k].l1.error_pp[kind] = out[k].l2.error_pp[kind] = -1;
}

static enum ws_status compute(void *context, unsigned slot, unsigned thread, uint64_t config,
			      const struct ws_machine *m, void *result, struct ws_err *err)
{
	const struct simulating *s = context;
	const struct made_streams *at = &s->slot[slot];
	struct ws_streams *behind = NULL;
	enum ws_status status = WS_OK;

	(void)thread;
	(void)config;
	if (s->plan->l1)
		status = level(s, at, false, at->streams, m, result, err);
	if (!s->plan->l2)
		judge(s, at, m, result);
	if (status != WS_OK || !s->plan->l2)
		return status;
	status = ws_streams_behind(&behind, at->streams, at->launches, m, at->seed, err);
	if (status == WS_OK)
		status = level(s, at, true, behind, m, result, err);
	ws_streams_free(behind, at->launches);
	judge(s, at, m, result);
	return status;
}

static enum ws_status print(void *context, uint64_t config, const struct ws_machine *m,
			    const void *result, struct ws_err *err)
{
	struct simulating *s = context;

	return ws_emitter_put(&s->emitter, config, m, result, err);
}

enum ws_status ws_study_simulate(const struct ws_study_options *o, const struct ws_study_plan *plan,
				 const struct ws_study_input *input, ws_row_sink *sink,
					 void *context,
				 struct ws_err *err)
{
	struct simulating s = { .options = o, .plan = plan, .input = input };
	struct ws_runner runner = {
		.options = o, .plan = plan, .partition = &plan->streams,
		.runs = o->runs ? o->runs : 1, .context = &s,
		.prepare = prepare_streams, .compute = compute, .print = print,
	};
	enum ws_status status = ws_emitter_init(&s.emitter, o, plan, input, sink, context, err);

	runner.size = s.emitter.kernels.count * sizeof(struct ws_answered);
	s.slots = ws_runner_slots(o, &plan->streams);
	s.slot = ws_alloc_zero(s.slots, sizeof *s.slot);
	if (status == WS_OK && !s.slot)
		status = ws_fail_memory(err, "the streams");
	if (status == WS_OK)
		status = ws_runner_run(&runner, err);
	for (unsigned i = 0; s.slot && i < s.slots; i++)
		ws_streams_free(s.slot[i].streams, s.slot[i].launches);
	free(s.slot);
	ws_emitter_clear(&s.emitter);
	return status;
}
