/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/predict.c -- rows by the model: a profile for each group of configurations, the model for
 * each configuration.
 */
#include "study/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct prepared_profile {		/* a group's profile, in each of its orders */
	struct ws_profile *own;	/* if it was made here */
	const struct ws_profile *profile; /* the same, or the input */
	struct ws_machine anchor; /* whose simulation its first order is from */
	struct ws_model **answers; /* [orders] */
	double (*at_anchor)[2][WS_KINDS + 1]; /* [orders][sections] */
	struct ws_suspects *suspects; /* [orders]: against the anchors */
	size_t orders;
	struct ws_verify *verify; /* NULL: not asked for */
};

#define KEPT 256u		/* kernels of which a thread keeps the last row's answer */

struct answered_before {	/* a kernel's last answer on a thread: keys of which neither the
				 * model nor the order knows vary from row to row */
	bool is;
	struct ws_cache l1;
	bool own, other;	/* as struct ws_held has them */
	bool exact[2];		/* as struct ws_answered .own has it */
	size_t order;
	struct ws_prediction answer;
};

struct predicting {
	const struct ws_study_options *options;
	const struct ws_study_plan *plan;
	const struct ws_study_input *input;
	struct ws_emitter emitter;
	struct prepared_profile *slot;	/* [slots] */
	unsigned slots, threads; /* of each slot */
	size_t kept;		/* kernels, at most KEPT; 0: rows have more than L1s in them */
	struct answered_before *before; /* [slots][threads][kept] */
	enum ws_by by;
	unsigned most;		/* the kind whose misses decide the order of parts */
};

/* ---- a group's profile --------------------------------------------------- */

/* The machine that a group's profile is made with if misses by array and line are asked for: they
 * are counted for its own sets, so these are the first configuration's. */
static enum ws_status parts_machine(const struct ws_study_plan *plan, uint64_t group,
				    struct ws_machine *own, struct ws_err *err)
{
	uint64_t first = ws_partition_member(&plan->profiles, group, 0);
	struct ws_machine m;
	enum ws_status status = ws_study_plan_measured(plan, first, own, err);

	if (status == WS_OK)
		status = ws_study_plan_machine(plan, first, &m, err);
	if (status != WS_OK || m.l1.line_bytes != own->l1.line_bytes)
		return status;
	own->l1.sets = m.l1.sets;
	own->l1.ways = m.l1.ways;
	own->l1.size_bytes = m.l1.size_bytes;
	return ws_machine_check(own, err);
}

/* What a group's profile is made of, but for the machines. */
static enum ws_status find_source(const struct predicting *w, struct ws_source *source,
				  uint64_t group, struct ws_err *err)
{
	uint64_t first = ws_partition_member(&w->plan->profiles, group, 0);
	enum ws_status status = ws_source_machines(source, w->plan, first, err);

	/* The machine that is simulated, for what misses there in that order. */
	if (status == WS_OK && source->order == WS_ORDER_CYCLES)
		status = ws_shapes_add(&source->shapes, source->machine.l1.line_bytes,
				       source->machine.l1.sets, err);
	if (status == WS_OK && w->options->by)
		status = parts_machine(w->plan, group, &source->measured, err);
	if (status == WS_OK)
		status = ws_study_plan_shapes(w->plan, group, &source->shapes, err);
	if (status == WS_OK)
		status = ws_study_plan_l2(w->plan, group, &source->behind, err);
	if (status == WS_OK && (w->options->latency || w->plan->l2))
		status = ws_study_plan_timed(w->plan, &source->measured, &source->shapes,
					     &source->behind, err);
	return status;
}

static unsigned record_of(const struct predicting *w)
{
	return ws_study_plan_needs(w->plan) | (w->options->by ? WS_RECORD_SITES : 0) |
	       (w->options->latency ? WS_RECORD_DETAIL : 0);
}

/* What does not follow from the plan (find_source). */
static struct ws_source source_of(const struct predicting *w, uint64_t group, uint64_t run)
{
	uint64_t first = ws_partition_member(&w->plan->profiles, group, 0);

	return (struct ws_source){
		.options = w->options, .trace = w->input->trace, .seed = w->options->seed + run,
		.record = record_of(w), .timed = true,
		.grain_period = ws_study_plan_period(w->plan, first),
		.threads = w->slots > 1 ? 1 : 0, .quiet = w->slots > 1,
		.behind = { .trace = w->input->trace },
	};
}

static enum ws_status make_profile(const struct predicting *w, struct prepared_profile *at,
				   uint64_t group, uint64_t run, struct ws_err *err)
{
	struct ws_source source = source_of(w, group, run);
	enum ws_status status = find_source(w, &source, group, err);

	if (status == WS_OK)
		status = ws_source_profile(&source, &at->own, err);
	ws_shapes_clear(&source.shapes);
	ws_l2_wanted_clear(&source.behind);
	at->profile = at->own;
	at->anchor = source.machine;
	return status;
}

static const struct ws_machine *anchor_of(const struct prepared_profile *at, size_t order)
{
	return order ? &ws_profile_order(at->profile, order)->machine : &at->anchor;
}

static void forget_prepared(struct prepared_profile *at)
{
	for (size_t i = 0; i < at->orders; i++)
		ws_model_free(at->answers[i]);
	for (size_t i = 0; i < at->orders && at->suspects; i++)
		ws_suspects_clear(&at->suspects[i]);
	free(at->suspects);
	free(at->answers);
	free(at->at_anchor);
	ws_profile_free(at->own);
	at->suspects = NULL;
	at->answers = NULL;
	at->at_anchor = NULL;
	at->own = NULL;
	at->orders = 0;
}

static enum ws_status predict_lru(const struct ws_model *answers, size_t section,
				  const struct ws_machine *m, bool l2, uint64_t ways,
				  struct ws_prediction *answer)
{
	struct ws_cache l1 = m->l1;
	struct ws_machine lru;

	ws_policy_set_lru(&l1);
	if (!l2) { /* it is asked some times a row: not the whole machine */
		l1.ways = ways;
		return ws_model_predict(answers, section, &l1, answer, NULL);
	}
	lru = *m;
	lru.l1 = l1;
	lru.l2.ways = ways;
	ws_policy_set_lru(&lru.l2);
	return ws_model_predict_l2(answers, section, &lru, answer, NULL);
}

/* LRU's miss ratios of the machine's L1 or L2; none: of no way at all. */
static bool lru_ratios(const struct ws_model *answers, size_t section, const struct ws_machine *m,
		       bool l2, uint64_t ways, double ratio[WS_KINDS + 1])
{
	struct ws_prediction answer;
	enum ws_status status;

	for (unsigned kind = 0; kind <= WS_KINDS; kind++)
		ratio[kind] = 1;
	if (!ways || (!l2 && ws_model_lru(answers, section, &m->l1, ways, ratio)))
		return true;
	status = predict_lru(answers, section, m, l2, ways, &answer);
	for (unsigned kind = 0; kind <= WS_KINDS && status == WS_OK; kind++)
		ratio[kind] = ws_miss_ratio(&answer.kind[kind], false);
	return status == WS_OK;
}

/* LRU's miss ratios of the simulated machine's own caches, in its order, as far as they are
 * held. */
static void find_anchor(const struct prepared_profile *at, size_t order, size_t section)
{
	const struct ws_profile *p = ws_profile_order(at->profile, order);
	double (*ratio)[WS_KINDS + 1] = at->at_anchor[order * at->profile->sections + section];
	struct ws_machine lru;

	if (ws_section_machine(&p->section[section], anchor_of(at, order), &lru, NULL) != WS_OK)
		lru = *anchor_of(at, order);
	/* As lines, which every profile holds, whatever else is asked for beside them. */
	lru.l1.organised = (struct ws_organised){ 0 };
	lru.l1.sector_bytes = p->machine.l1.sector_bytes;
	for (unsigned level = 0; level < 2; level++)
		if (!lru_ratios(at->answers[order], section, &lru, level,
				level ? lru.l2.ways : lru.l1.ways, ratio[level]))
			for (unsigned kind = 0; kind <= WS_KINDS; kind++)
				ratio[level][kind] = -1;
}

static struct answered_before *before_of(const struct predicting *w, unsigned slot,
					 unsigned thread)
{
	return w->before + ((size_t)slot * w->threads + thread) * w->kept;
}

static enum ws_status prepare_profile(void *context, unsigned slot, uint64_t group, uint64_t run,
				      struct ws_err *err)
{
	struct predicting *w = context;
	struct prepared_profile *at = &w->slot[slot];
	enum ws_status status = WS_OK;
	size_t orders;

	forget_prepared(at);
	for (size_t i = 0; i < w->threads * w->kept; i++)
		before_of(w, slot, 0)[i].is = false;
	if (at->verify)
		ws_verify_turn(at->verify, ws_partition_member(&w->plan->profiles, group, 0),
			       w->options->seed + run);
	at->profile = w->input->profile;
	if (at->profile)
		at->anchor = at->profile->machine;
	else
		status = make_profile(w, at, group, run, err);
	if (status != WS_OK)
		return status;
	orders = ws_profile_orders(at->profile);
	at->answers = ws_alloc_zero(orders, sizeof *at->answers);
	at->at_anchor = ws_alloc_zero(orders * at->profile->sections + 1, sizeof *at->at_anchor);
	at->suspects = ws_alloc_zero(orders, sizeof *at->suspects);
	if (!at->answers || !at->at_anchor || !at->suspects)
		return ws_fail_memory(err, "the orders");
	for (; at->orders < orders && status == WS_OK; at->orders++) {
		status = ws_model_new(&at->answers[at->orders],
					ws_profile_order(at->profile, at->orders), err);
		if (status == WS_OK)
			status = ws_suspects_find(&at->suspects[at->orders], w->plan,
						  anchor_of(at, at->orders), err);
		for (size_t i = 0; i < at->profile->sections && status == WS_OK; i++)
			find_anchor(at, at->orders, i);
	}
	return status;
}

/* ---- one configuration ---------------------------------------------------------- */

/* Puts what is pending where it belongs. */
static void add_pending(struct ws_prediction *to, const struct ws_prediction *timed)
{
	for (unsigned kind = 0; kind <= WS_KINDS; kind++) {
		to->kind[kind].hits = timed->kind[kind].hits;
		to->kind[kind].pending = timed->kind[kind].pending;
	}
}

static enum ws_status predict_l1(const struct predicting *w, const struct prepared_profile *at,
				 size_t section, const struct ws_machine *m,
				 struct ws_answered *out, struct ws_err *err)
{
	const char *kernel = at->profile->section[section].kernel;
	bool simulate = at->verify && !ws_policy_modelled(&m->l1);
	enum ws_status status = WS_OK;

	(void)w;
	if (!simulate)
		status = ws_model_predict(at->answers[out->order], section, &m->l1, &out->l1,
					    err);
	simulate = simulate || (at->verify && out->l1.low_confidence);
	if (status == WS_OK && simulate)
		status = ws_verify_kernel(at->verify, kernel, &m->l1, &out->l1, err);
	return status;
}

/* The L2.  Its profile is behind L1s of LRU; those asked about may have another policy. */
static enum ws_status predict_l2(const struct prepared_profile *at, size_t section,
				 const struct ws_machine *m, struct ws_answered *out,
				 struct ws_err *err)
{
	double more[WS_KINDS + 1] = { 0 };
	struct ws_err unknown = { 0 }; /* of a profile of distances alone: the L2's interval is all
					* of 0 to 1 */
	struct ws_prediction own, lru;
	struct ws_cache l1 = m->l1;
	enum ws_status status = ws_model_predict_l2(at->answers[0], section, m, &out->l2, err);

	if (status != WS_OK || ws_policy_as_lru(&m->l1) || !ws_policy_modelled(&m->l1))
		return status;
	ws_policy_set_lru(&l1);
	if (ws_model_predict(at->answers[0], section, &m->l1, &own, &unknown) != WS_OK ||
	    ws_model_predict(at->answers[0], section, &l1, &lru, &unknown) != WS_OK)
		return WS_OK;
	for (unsigned kind = 0; kind <= WS_KINDS; kind++)
		if (out->l2.kind[kind].requests)
			more[kind] = ((double)own.kind[WS_LOAD].misses -
				      (double)lru.kind[WS_LOAD].misses) /
				     (double)out->l2.kind[kind].requests;
	more[WS_STORE] = more[WS_ATOMIC] = 0;
	ws_order_behind(more, &out->l2);
	return WS_OK;
}

static enum ws_status predict_time(const struct predicting *w, const struct prepared_profile *at,
				   size_t section, const struct ws_machine *m,
				   struct ws_answered *out, struct ws_err *err)
{
	enum ws_status status = ws_model_timing(at->answers[0], section, m, &out->timing, err);

	if (status != WS_OK)
		return status;
	if (out->order == 0)
		add_pending(&out->l1, &out->timing.l1);
	if (w->plan->l2 && out->order == 0)
		add_pending(&out->l2, &out->timing.l2);
	return WS_OK;
}

/* LRU's miss ratios with half the ways less those with twice the ways. */
static void find_steepness(const struct ws_model *answers, size_t section,
			   const struct ws_machine *m, bool l2, double steepness[WS_KINDS + 1])
{
	uint64_t ways = l2 ? m->l2.ways : m->l1.ways;
	double twice[WS_KINDS + 1];

	lru_ratios(answers, section, m, l2, ways / 2, steepness);
	lru_ratios(answers, section, m, l2, 2 * ways, twice);
	for (unsigned kind = 0; kind <= WS_KINDS; kind++)
		steepness[kind] -= twice[kind];
}

/* How far LRU's miss ratios are, at most, in the other orders that hold the L1; false: there are
 * none. */
static bool find_spread(const struct prepared_profile *at, size_t section,
			const struct ws_machine *m,
			size_t order, double spread[WS_KINDS + 1])
{
	double own[WS_KINDS + 1], other[WS_KINDS + 1];
	uint64_t ways = m->l1.ways;
	bool any = false;

	for (unsigned kind = 0; kind <= WS_KINDS; kind++)
		spread[kind] = 0;
	if (at->orders < 2 || !lru_ratios(at->answers[order], section, m, false, ways, own))
		return false;
	for (size_t i = 0; i < at->orders; i++) {
		const struct ws_profile *p = ws_profile_order(at->profile, i);

		if (i == order || (ws_organised_plainly(&m->l1) &&
				   !ws_section_geometry(&p->section[section], m->l1.line_bytes,
							m->l1.sets)) ||
		    !lru_ratios(at->answers[i], section, m, false, ways, other))
			continue;
		any = true;
		for (unsigned kind = 0; kind <= WS_KINDS; kind++)
			spread[kind] = fmax(spread[kind], fabs(own[kind] - other[kind]));
	}
	return any;
}

static void judge_level(const struct prepared_profile *at, size_t section,
			const struct ws_machine *m,
			bool l2, size_t order, struct ws_held held, struct ws_prediction *p)
{
	const struct ws_machine *anchor = anchor_of(at, order);
	double steepness[WS_KINDS + 1], spread[WS_KINDS + 1], lru[WS_KINDS + 1];
	struct ws_machine adapted;
	const struct ws_machine *own = m;

	if (ws_machine_adapts(m) && ws_section_machine(&at->profile->section[section], m, &adapted,
						       NULL) == WS_OK)
		own = &adapted;
	held.at_anchor = at->at_anchor[order * at->profile->sections + section][l2];
	held.steepness = steepness;
	held.lru = lru;
	held.policy = !ws_policies_same(m, anchor, l2);
	if (!held.own && held.policy &&
	    !lru_ratios(at->answers[order], section, own, l2,
			l2 ? own->l2.ways : own->l1.ways, lru))
		held.policy = false;
	if (held.other && held.order == WS_ORDER_CYCLES)
		find_steepness(at->answers[order], section, own, l2, steepness);
	if (held.other && !l2 && find_spread(at, section, own, order, spread))
		held.spread = spread;
	ws_order_judge(&held, p);
}

/* What is known of the order that answers. */
static struct ws_held find_held(const struct predicting *w, const struct prepared_profile *at,
				const struct ws_machine *m, size_t order)
{
	const struct ws_profile *p = ws_profile_order(at->profile, order);
	bool timeless = ws_order_timeless(m) ||
			(w->input->profile ? ws_profile_single_file(p)
					   : ws_plan_single_file(w->plan, m));
	struct ws_held held = {
		.order = p->order,
		.own = timeless || (p->order == WS_ORDER_CYCLES &&
				    ws_suspects_own(&at->suspects[order], m, true)),
	};

	held.other = !held.own && !ws_suspects_own(&at->suspects[order], m, false);
	return held;
}

/* What holds of the numbers, beyond the order that they were measured in. */
static void judge(const struct predicting *w, const struct prepared_profile *at, size_t section,
		  const struct ws_machine *m, struct ws_held held, struct ws_answered *out)
{
	const struct ws_profile *p = ws_profile_order(at->profile, out->order);

	if (held.own && p->order == WS_ORDER_CYCLES)
		held.simulated = p->section[section].simulated[0];
	out->own[0] = held.own && out->l1.basis == WS_EXACT;
	out->own[1] = held.own && out->l2.basis == WS_EXACT;
	if (w->plan->l1)
		judge_level(at, section, m, false, out->order, held, &out->l1);
	if (held.simulated)
		held.simulated = p->section[section].simulated[1];
	if (w->plan->l2) {
		held.other = !held.own && !ws_suspects_own(&at->suspects[0], m, false);
		judge_level(at, section, m, true, 0, held, &out->l2);
	}
}

static enum ws_status compute_kernel(const struct predicting *w, const struct prepared_profile *at,
				     size_t i, const struct ws_machine *m,
				     const struct ws_machine *own, struct ws_answered *out,
				     struct ws_err *err)
{
	enum ws_status status = WS_OK;

	out->order = ws_order_pick(at->profile, i, own, w->plan->l2 || w->options->latency);
	if (w->plan->l1)
		status = predict_l1(w, at, i, own, out, err);
	if (status == WS_OK && w->plan->l2)
		status = predict_l2(at, i, own, out, err);
	if (status == WS_OK && w->options->latency)
		status = predict_time(w, at, i, m, out, err);
	if (status == WS_OK)
		judge(w, at, i, m, find_held(w, at, m, out->order), out);
	return status;
}

/* Answers with what is kept, if nothing has changed that it depends on. */
static bool is_kept(const struct predicting *w, const struct prepared_profile *at,
		    const struct answered_before *b, const struct ws_machine *m,
		    const struct ws_machine *own, struct ws_answered *out)
{
	struct ws_held held;

	if (!b->is || !ws_model_same(&own->l1, &b->l1))
		return false;
	held = find_held(w, at, m, b->order);
	if (held.own != b->own || held.other != b->other)
		return false;
	out->order = b->order;
	out->l1 = b->answer;
	memcpy(out->own, b->exact, sizeof out->own);
	return true;
}

static enum ws_status compute_and_keep(const struct predicting *w,
				       const struct prepared_profile *at, size_t i,
				       const struct ws_machine *m, const struct ws_machine *own,
				       struct answered_before *b, struct ws_answered *out,
				       struct ws_err *err)
{
	struct ws_held held;
	enum ws_status status;

	if (is_kept(w, at, b, m, own, out))
		return WS_OK;
	status = compute_kernel(w, at, i, m, own, out, err);
	held = find_held(w, at, m, out->order);
	b->is = status == WS_OK;
	b->l1 = own->l1;
	b->own = held.own;
	b->other = held.other;
	b->order = out->order;
	b->answer = out->l1;
	memcpy(b->exact, out->own, sizeof out->own);
	return status;
}

static enum ws_status compute(void *context, unsigned slot, unsigned thread, uint64_t config,
			      const struct ws_machine *m, void *result, struct ws_err *err)
{
	const struct predicting *w = context;
	const struct prepared_profile *at = &w->slot[slot];
	struct answered_before *before = before_of(w, slot, thread);
	struct ws_answered *out = result;
	enum ws_status status = WS_OK;
	const struct ws_machine *own;
	struct ws_machine adapted;

	(void)config;
	for (size_t i = 0; i < at->profile->sections && status == WS_OK; i++) {
		own = ws_machine_adapts(m) ? &adapted : m;
		if (own != m)
			status = ws_study_kernel_machine(&w->emitter.kernels, i, m, &adapted, err);
		if (status != WS_OK)
			break;
		status = i < w->kept
			? compute_and_keep(w, at, i, m, own, &before[i], &out[i], err)
			: compute_kernel(w, at, i, m, own, &out[i], err);
	}
	return status;
}

/* ---- misses by array and line ---------------------------------------------------- */

/* Moves a name that may be NULL; NULL to: says how long it is. */
static size_t move_name(const char **name, char *to)
{
	size_t len = *name ? strlen(*name) + 1 : 0;

	if (to && len)
		*name = memcpy(to, *name, len);
	return len;
}

/* Rows wait for those before them, and may be printed when the profile is gone. */
static enum ws_status keep_names(struct ws_answered *a, struct ws_err *err)
{
	size_t len = 1;

	for (size_t i = 0; i < a->parts; i++)
		len += move_name(&a->part[i].array, NULL) + move_name(&a->part[i].file, NULL);
	a->names = ws_alloc(len, 1);
	if (!a->names)
		return ws_fail_memory(err, "the names of arrays");
	len = 0;
	for (size_t i = 0; i < a->parts; i++) {
		len += move_name(&a->part[i].array, a->names + len);
		len += move_name(&a->part[i].file, a->names + len);
	}
	return WS_OK;
}

/* A part is as far off as the whole, in points, as far as is known. */
static void judge_part(struct ws_prediction *part, const struct ws_prediction *whole)
{
	part->basis = whole->basis;
	part->low_confidence = whole->low_confidence;
	for (unsigned kind = 0; kind <= WS_KINDS; kind++) {
		double ratio = ws_miss_ratio(&part->kind[kind], false);
		double of_whole = ws_miss_ratio(&whole->kind[kind], false);

		part->error_pp[kind] = whole->error_pp[kind];
		part->low[kind] = ratio - (of_whole - whole->low[kind]);
		part->high[kind] = ratio + (whole->high[kind] - of_whole);
		part->low[kind] = part->low[kind] > 0 ? part->low[kind] : 0;
		part->high[kind] = part->high[kind] < 1 ? part->high[kind] : 1;
	}
}

static enum ws_status compute_parts(void *context, unsigned slot, unsigned thread,
				    uint64_t config, const struct ws_machine *m, void *result,
				    struct ws_err *err)
{
	const struct predicting *w = context;
	const struct prepared_profile *at = &w->slot[slot];
	struct ws_answered *out = result;
	enum ws_status status = WS_OK;
	struct ws_machine own;

	(void)thread;
	(void)config;
	for (size_t i = 0; i < at->profile->sections && status == WS_OK; i++) {
		status = ws_study_kernel_machine(&w->emitter.kernels, i, m, &own, err);
		if (status == WS_OK)
			status = predict_l1(w, at, i, &own, &out[i], err);
		if (status == WS_OK)
			judge(w, at, i, m, find_held(w, at, m, out[i].order), &out[i]);
		if (status == WS_OK)
			status = ws_model_parts(at->answers[0], i, &own.l1, w->by, w->most,
						  &out[i].part, &out[i].parts, err);
		for (size_t k = 0; k < out[i].parts && status == WS_OK; k++)
			judge_part(&out[i].part[k].prediction, &out[i].l1);
		if (status == WS_OK)
			status = keep_names(&out[i], err);
	}
	return status;
}

/* Per-array counts exist for one line size and one set count; others are rejected before the
 * first row is printed. */
static enum ws_status check_part(const struct predicting *w, uint64_t config, struct ws_err *err)
{
	struct ws_err inner = { 0 };
	struct ws_machine m, own;
	enum ws_status status = ws_study_plan_machine(w->plan, config, &m, err);

	if (status == WS_OK && w->input->profile)
		own = w->input->profile->machine;
	else if (status == WS_OK)
		status = parts_machine(w->plan, ws_partition_group(&w->plan->profiles, config),
				       &own,
				       err);
	if (status != WS_OK)
		return status;
	status = ws_parts_check(&own, &m.l1, &inner);
	if (status == WS_OK)
		return WS_OK;
	if (m.l1.line_bytes != own.l1.line_bytes)
		return ws_fail(err, status, "%s: want a machine with these lines",
			       inner.text);
	if (m.l1.sets != own.l1.sets)
		return ws_fail(err, status, "%s: %s", inner.text, w->input->profile
			       ? "want the trace, with one l1.sets, or a profile of another machine"
			       : "want one l1.sets at a time");
	return ws_fail_as(err, &inner);
}

/* ---- the study ----------------------------------------------------------------------- */

static enum ws_status print(void *context, uint64_t config, const struct ws_machine *m,
			    const void *result, struct ws_err *err)
{
	struct predicting *w = context;

	return ws_emitter_put(&w->emitter, config, m, result, err);
}

static void clear_answered(void *context, void *result)
{
	const struct predicting *w = context;

	ws_answered_clear(result, w->emitter.kernels.count);
}

static enum ws_by by_number(const char *by)
{
	return strcmp(by, "array") == 0 ? WS_BY_ARRAY
		: strcmp(by, "line") == 0 ? WS_BY_LINE : WS_BY_SITE;
}

/* Do the profiles fit into memory that are made at once?  Said before the first is made. */
static enum ws_status check_room(const struct predicting *w, struct ws_err *err)
{
	unsigned record = record_of(w);
	enum ws_status status = WS_OK;

	for (uint64_t g = 0; g < ws_partition_groups(&w->plan->profiles) && status == WS_OK; g++) {
		struct ws_source source = { .options = w->options, .trace = w->input->trace };
		uint64_t sms;

		status = find_source(w, &source, g, err);
		if (status == WS_OK) {
			sms = ws_busy_sms(w->input->trace, &source.machine, source.sm);
			status = ws_shapes_fit(&source.shapes, &source.machine, sms,
					       w->emitter.kernels.count, record, w->slots, err);
		}
		ws_shapes_clear(&source.shapes);
		ws_l2_wanted_clear(&source.behind);
	}
	return status;
}

static enum ws_status begin_predicting(struct predicting *w, struct ws_err *err)
{
	const struct ws_study_options *o = w->options;
	enum ws_status status = WS_OK;

	w->slots = ws_runner_slots(o, &w->plan->profiles);
	w->slot = ws_alloc_zero(w->slots, sizeof *w->slot);
	w->threads = ws_runner_threads(o, &w->plan->profiles);
	if (!w->plan->l2 && !o->latency && !o->verify && !o->by)
		w->kept = w->emitter.kernels.count < KEPT ? w->emitter.kernels.count : KEPT;
	w->before = ws_alloc_zero((size_t)w->slots * w->threads * w->kept + 1, sizeof *w->before);
	if (!w->slot || !w->before)
		return ws_fail_memory(err, "the profiles");
	w->most = o->kind ? ws_kind_number(o->kind) : WS_KINDS;
	if (w->input->trace)
		status = check_room(w, err);
	for (unsigned i = 0; i < w->slots && o->verify && status == WS_OK; i++)
		status = ws_verify_new(&w->slot[i].verify, o, w->input->trace, w->plan, err);
	if (!o->by)
		return status;
	w->by = by_number(o->by);
	for (uint64_t i = 0; i < w->plan->count && status == WS_OK; i++)
		status = check_part(w, i, err);
	return status;
}

enum ws_status ws_study_predict(const struct ws_study_options *o, const struct ws_study_plan *plan,
				const struct ws_study_input *input, ws_row_sink *sink,
					void *context,
				struct ws_err *err)
{
	struct predicting w = { .options = o, .plan = plan, .input = input };
	struct ws_runner runner = {
		.options = o, .plan = plan, .partition = &plan->profiles,
		.runs = o->runs ? o->runs : 1, .context = &w, .prepare = prepare_profile,
		.compute = o->by ? compute_parts : compute, .print = print, .clear = clear_answered,
	};
	enum ws_status status;

	if (!plan->count)
		return WS_OK;
	status = ws_emitter_init(&w.emitter, o, plan, input, sink, context, err);
	runner.size = w.emitter.kernels.count * sizeof(struct ws_answered);
	if (status == WS_OK)
		status = begin_predicting(&w, err);
	if (status == WS_OK)
		status = ws_runner_run(&runner, err);
	for (unsigned i = 0; w.slot && i < w.slots; i++) {
		forget_prepared(&w.slot[i]);
		ws_verify_free(w.slot[i].verify);
	}
	free(w.slot);
	free(w.before);
	ws_emitter_clear(&w.emitter);
	return status;
}

enum ws_status ws_study_pilot(const struct ws_study_options *o, const struct ws_study_plan *plan,
			      const struct ws_study_input *input, double seconds, double least,
			      struct ws_pilot *out, struct ws_err *err)
{
	struct predicting w = { .options = o, .plan = plan, .input = input,
				.slots = ws_runner_slots(o, &plan->profiles) };
	double profiles = (double)ws_partition_groups(&plan->profiles) *
			  (double)(o->runs ? o->runs : 1);
	struct ws_source source = source_of(&w, 0, 0);
	enum ws_status status = find_source(&w, &source, 0, err);

	if (status == WS_OK)
		status = ws_source_pilot(&source, seconds * w.slots / profiles, least, out, err);
	if (status == WS_OK) {
		out->requests *= profiles;
		out->seconds *= profiles / w.slots;
	}
	ws_shapes_clear(&source.shapes);
	ws_l2_wanted_clear(&source.behind);
	return status;
}
