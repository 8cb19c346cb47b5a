/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/window.c -- the timed engine, driven by its caller, window by window.
 *
 * SMs share only the queue of CTAs, which is served in order of (cycle, SM).  In a window SMs run
 * in parallel, each up to its first CTA that ends while others are queued.  The SM that stopped
 * earliest is served first: all others are past that cycle, so none can ask earlier.  It runs on,
 * and the next one is served.
 */
#include "trace/order/front.h"

#include <assert.h>
#include <stdlib.h>

struct ws_engine {
	struct ws_run run;
	struct ws_machine machine;	/* the run's */
	struct ws_launch_steps *reader;
	struct ws_order_options options;
	struct ws_sm *sm;
	uint64_t *ended;		/* [sm]: CTAs */
	size_t sms;
	size_t last;			/* SM that got a CTA */
};

void ws_engine_stats(struct ws_engine *e, size_t sm, uint64_t cycle, struct ws_sm_stats *out)
{
	struct ws_sm *s = &e->sm[sm];

	assert(sm < e->sms);
	ws_sm_count_all(s, cycle);
	*out = s->stats;
	for (size_t g = 0; g < s->schedulers; g++) /* the SM was empty then */
		out->empty -= s->group[g].counted - cycle;
	out->cycle = cycle;
	out->end = s->end;
	out->waits = s->waits;
	out->warps = 0;
	for (size_t g = 0; g < s->schedulers; g++)
		out->warps += s->group[g].alive;
}

/* ---- windows ------------------------------------------------------------------------------- */

/* A CTA of it has ended, before `end`, and is still there. */
static inline bool stopped(const struct ws_sm *sm, uint64_t end)
{
	return sm->next_end < sm->cycle && sm->next_end < end;
}

enum ws_status ws_engine_sm(struct ws_engine *e, size_t sm, uint64_t end, struct ws_err *err)
{
	struct ws_sm *s = &e->sm[sm];
	enum ws_status status = ws_sm_run(s, end - 1, err);

	while (status == WS_OK && stopped(s, end) && ws_dispatch_empty(&e->run.dispatch, sm)) {
		struct ws_cta_program *program;

		ws_sm_count_all(s, s->next_end + 1);
		while ((program = ws_sm_remove(s))) {
			ws_program_free(program); /* the supply's list is one thread's */
			e->ended[sm]++;
		}
		status = ws_sm_run(s, end - 1, err);
	}
	return status;
}

static enum ws_status replace(struct ws_engine *e, size_t sm, struct ws_err *err)
{
	struct ws_sm *s = &e->sm[sm];
	enum ws_status status = WS_OK;
	struct ws_cta_program *program;
	bool taken;

	ws_sm_count_all(s, s->next_end + 1);
	while (status == WS_OK && (program = ws_sm_remove(s))) {
		ws_supply_give_back(&e->run.supply, program);
		e->ended[sm]++;
		status = ws_sm_take(s, s->end + 1, &taken, err);
		e->last = taken ? sm : e->last;
	}
	return status;
}

/* Has the CTA of an SM ended before that of another?  In one cycle, with sm.front, that SM is first
 * that follows the one that got a CTA last; else the lower one. */
static bool is_before(const struct ws_engine *e, size_t a, size_t b)
{
	size_t first = e->sm[a].front ? e->last + 1 : 0;

	if (e->sm[a].next_end != e->sm[b].next_end)
		return e->sm[a].next_end < e->sm[b].next_end;
	return (a + e->sms - first) % e->sms < (b + e->sms - first) % e->sms;
}

enum ws_status ws_engine_settle(struct ws_engine *e, uint64_t end, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	while (status == WS_OK) {
		size_t first = e->sms;

		for (size_t i = 0; i < e->sms; i++) {
			if (stopped(&e->sm[i], end) && (first == e->sms || is_before(e, i, first)))
				first = i;
		}
		if (first == e->sms)
			break;
		status = replace(e, first, err);
		if (status == WS_OK)
			status = ws_engine_sm(e, first, end, err);
	}
	return status;
}

uint64_t ws_engine_next(const struct ws_engine *e)
{
	uint64_t next = WS_NEVER;

	for (size_t i = 0; i < e->sms; i++) {
		const struct ws_sm *s = &e->sm[i];
		uint64_t own = ws_sm_next(s);

		own = s->lsu->due < own ? s->lsu->due : own;
		next = own < next ? own : next;
	}
	return next;
}

uint64_t ws_engine_ctas(const struct ws_engine *e)
{
	uint64_t ended = 0;

	for (size_t i = 0; i < e->sms; i++)
		ended += e->ended[i];
	return ended;
}

bool ws_engine_done(const struct ws_engine *e)
{
	return ws_engine_ctas(e) == e->run.plan.launch->ctas;
}

size_t ws_engine_sms(const struct ws_engine *e)
{
	return e->sms;
}

uint64_t ws_engine_resident(const struct ws_engine *e)
{
	return e->run.stats.resident_ctas;
}

/* ---- life ------------------------------------------------------------------------------------ */

enum ws_status ws_engine_keep(struct ws_engine *e, size_t *last, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < e->sms && status == WS_OK; i++)
		if (e->sm[i].front)
			status = ws_front_keep(&e->sm[i], &e->sm[i].lsu->kept, err);
	if (e->sms && e->sm[0].front)
		*last = e->last;
	return status;
}

void ws_engine_free(struct ws_engine *e)
{
	if (!e)
		return;
	for (size_t i = 0; e->sm && i < e->sms; i++) {
		if (e->sm[i].run)
			ws_sm_clear(&e->sm[i]);
	}
	free(e->sm);
	free(e->ended);
	ws_run_clear(&e->run, &e->options);
	ws_launch_steps_free(e->reader);
	free(e);
}

static enum ws_status make_sms(struct ws_engine *e, struct ws_lsu *const *lsu, struct ws_err *err)
{
	const struct ws_dispatch *d = &e->run.dispatch;
	enum ws_status status = WS_OK;

	e->sms = (size_t)(d->sms < d->ctas ? d->sms : d->ctas);
	e->sm = ws_alloc_zero(e->sms + 1, sizeof *e->sm);
	e->ended = ws_alloc_zero(e->sms + 1, sizeof *e->ended);
	if (!e->sm || !e->ended)
		return ws_fail_memory(err, "the SMs");
	for (size_t i = 0; i < e->sms && status == WS_OK; i++) {
		status = ws_sm_init(&e->sm[i], &e->run, i, err);
		e->sm[i].lsu = lsu[i];
		lsu[i]->sm = &e->sm[i];
		ws_front_resume(&e->sm[i], lsu[i]->kept);
	}
	if (d->ctas)
		e->last = (size_t)((d->ctas < d->sms * e->run.resident ? d->ctas - 1
				    : d->sms - 1) % d->sms);
	if (status == WS_OK)
		status = ws_sms_fill(e->sm, e->sms, err);
	return status;
}

enum ws_status ws_engine_new(struct ws_engine **out, const struct ws_trace *t, size_t launch,
			     const struct ws_machine *m, const struct ws_order_options *options,
			     struct ws_lsu *const *lsu, struct ws_err *err)
{
	struct ws_engine *e = ws_alloc_zero(1, sizeof *e);
	struct ws_steps steps;
	enum ws_status status;

	*out = NULL;
	if (!e)
		return ws_fail_memory(err, "the SMs");
	e->machine = *m;
	e->options = options ? *options : (struct ws_order_options){ .seed = 1 };
	status = ws_launch_steps_new(&e->reader, t, launch, e->options.threads,
				     ws_needs_no_lanes(m), &steps, err);
	if (status == WS_OK)
		status = ws_run_init(&e->run, ws_trace_launch(t, launch), &steps, &e->machine,
				     &e->options, NULL, true, err);
	ws_code_clear(&e->run.code);
	if (status == WS_OK)
		status = ws_code_init(&e->run.code, ws_trace_launch(t, launch), t, launch,
				      &e->machine, err);
	if (status == WS_OK)
		status = make_sms(e, lsu, err);
	if (status != WS_OK) {
		ws_engine_free(e);
		return status;
	}
	*out = e;
	return WS_OK;
}
