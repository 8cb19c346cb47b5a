/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/window.c -- a launch, window by window.
 *
 * What SMs and slices send each other takes ws_icnt_cycles, so in a window no longer than that they
 * do not see each other: all SMs and channels are simulated side by side.  What they sent is then
 * handed over in order of (arrival, sender), whoever simulated it.  The next window starts with the
 * first cycle in which anything happens.  So the result is the same for any number of threads, and
 * for any length of windows.
 */
#include "validate/cycle/run.h"

#include <string.h>

#define NEVER UINT64_MAX

/* ---- samples --------------------------------------------------------------------------- */

static void read_counts(struct ws_cycles *run, size_t sm, uint64_t cycle,
			struct ws_cycle_sample *out)
{
	const struct ws_cycle_counts *loads = &run->result->sm[sm].l1[WS_LOAD];
	struct ws_sm_stats s;

	ws_engine_stats(run->engine, sm, cycle, &s);
	*out = (struct ws_cycle_sample){
		.launch = run->result->launch, .sm = sm, .from = run->sampled, .to = cycle,
		.issued = s.issued,
		.stalls = { [WS_STALL_EMPTY] = s.empty, [WS_STALL_LSU] = s.lsu,
			    [WS_STALL_DATA] = s.data, [WS_STALL_BARRIER] = s.barrier,
			    [WS_STALL_OTHER] = s.other },
		.requests = loads->requests, .hits = loads->hits, .pending = loads->pending,
		.misses = loads->misses,
		.in_flight = ws_core_in_flight(run->core[sm]), .warps = s.warps,
	};
}

/* All cycles before `cycle` have been simulated, and nothing happens up to there. */
static void sample(struct ws_cycles *run, uint64_t cycle)
{
	for (size_t i = 0; i < run->sms; i++) {
		struct ws_cycle_sample now, s, *before = &run->before[i];

		read_counts(run, i, cycle, &now);
		s = now;
		s.issued -= before->issued;
		for (size_t k = 0; k < WS_STALLS; k++)
			s.stalls[k] -= before->stalls[k];
		s.requests -= before->requests;
		s.hits -= before->hits;
		s.pending -= before->pending;
		s.misses -= before->misses;
		*before = now;
		run->options->sample(run->options->context, &s);
	}
	run->sampled = cycle;
}

/* The next sample is due at this cycle. */
static uint64_t next_sample(const struct ws_cycles *run)
{
	return run->period == NEVER || run->result->cycles ? NEVER : run->sampled + run->period;
}

/* ---- a window -------------------------------------------------------------------------- */

static enum ws_status run_item(void *context, size_t i, struct ws_err *err)
{
	struct ws_cycles *run = context;
	size_t k;

	if (i < run->sms)
		return ws_engine_sm(run->engine, i, run->end, err);
	k = run->active[i - run->sms];
	return ws_channel_run(run->channel[k], run->end, &run->due[k], err);
}

static enum ws_status simulate(struct ws_cycles *run, struct ws_err *err)
{
	size_t n = 0;
	enum ws_status status;

	for (size_t i = 0; i < run->channels; i++) {
		if (run->due[i] < run->end)
			run->active[n++] = i;
	}
	status = ws_crew_run(run->crew, run->sms + n, run_item, run, err);
	return status == WS_OK ? ws_engine_settle(run->engine, run->end, err) : status;
}

static void report_progress(struct ws_cycles *run)
{
	uint64_t ctas = ws_engine_ctas(run->engine);

	if (ctas == run->ctas)
		return;
	run->ctas = ctas;
	if (run->options->progress)
		run->options->progress(run->options->context, run->ctas_before + ctas,
				       run->ctas_total);
}

/* ---- what goes between SMs and slices -------------------------------------------------- */

static enum ws_status to_channels(struct ws_cycles *run, struct ws_err *err)
{
	const struct ws_merger *g = &run->merger;
	uint64_t per = run->machine->l2_slices / run->channels;
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < g->count && status == WS_OK; i++) {
		const struct ws_packet *p = g->order[i];
		size_t channel = (size_t)(p->slice / per);

		if (p->arrival < run->due[channel])
			run->due[channel] = p->arrival;
		status = ws_channel_push(run->channel[channel], p, err);
	}
	return status;
}

static enum ws_status to_cores(struct ws_cycles *run, struct ws_err *err)
{
	const struct ws_merger *g = &run->merger;
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < g->count && status == WS_OK; i++)
		status = ws_core_reply(run->core[g->order[i]->sm], g->order[i], err);
	return status;
}

/* In any order. */
static enum ws_status give_credits(struct ws_cycles *run, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < run->channels; i++) {
		struct ws_credits *from = run->credits[i];

		for (size_t k = 0; k < from->count && status == WS_OK; k++)
			status = ws_core_credit(run->core[from->credit[k].sm],
						from->credit[k].arrival, err);
		from->count = 0;
	}
	return status;
}

static enum ws_status exchange(struct ws_cycles *run, struct ws_err *err)
{
	uint64_t first = run->start + ws_icnt_cycles(run->machine), span = run->end - run->start;
	enum ws_status status;

	status = ws_merge(&run->merger, run->sent, run->sms, first, span, err);
	if (status == WS_OK)
		status = to_channels(run, err);
	if (status == WS_OK)
		status = ws_merge(&run->merger, run->replies, run->channels, first, span, err);
	if (status == WS_OK)
		status = to_cores(run, err);
	return status == WS_OK ? give_credits(run, err) : status;
}

static uint64_t next_cycle(const struct ws_cycles *run)
{
	uint64_t next = ws_engine_next(run->engine);

	for (size_t i = 0; i < run->channels; i++)
		next = run->due[i] < next ? run->due[i] : next;
	return next;
}

/* When all CTAs have ended. */
static void find_end(struct ws_cycles *run)
{
	for (size_t i = 0; i < run->sms; i++) {
		struct ws_core_stats *to = &run->result->sm[i];
		struct ws_sm_stats s;

		ws_engine_stats(run->engine, i, run->end, &s);
		to->cycles = s.end + 1;
		if (to->cycles > run->result->cycles)
			run->result->cycles = to->cycles;
	}
}

static enum ws_status run_window(struct ws_cycles *run, struct ws_err *err)
{
	enum ws_status status;

	while (next_sample(run) <= run->start)
		sample(run, next_sample(run));
	run->end = run->start + run->window;
	if (next_sample(run) < run->end)
		run->end = next_sample(run);
	status = simulate(run, err);
	if (status != WS_OK)
		return status;
	report_progress(run);
	if (!run->result->cycles && ws_engine_done(run->engine))
		find_end(run);
	status = exchange(run, err);
	run->start = next_cycle(run);
	if (run->start < run->end)
		run->start = run->end;
	return status;
}

/* ---- a launch -------------------------------------------------------------------------- */

static void read_sm(struct ws_cycles *run, size_t sm)
{
	struct ws_core_stats *to = &run->result->sm[sm];
	struct ws_sm_stats s = { 0 };

	to->slots = run->machine->sm_schedulers * run->result->cycles;
	if (sm >= run->sms) {
		to->stalls[WS_STALL_EMPTY] = to->slots;
		return;
	}
	ws_engine_stats(run->engine, sm, run->result->cycles, &s);
	to->issued = s.issued;
	to->memory_instructions = s.memory_instructions;
	to->stalls[WS_STALL_EMPTY] = s.empty;
	to->stalls[WS_STALL_LSU] = s.lsu;
	to->stalls[WS_STALL_DATA] = s.data;
	to->stalls[WS_STALL_BARRIER] = s.barrier;
	to->stalls[WS_STALL_OTHER] = s.other;
}

enum ws_status ws_cycles_launch(struct ws_cycles *run, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	run->start = run->end = run->sampled = run->ctas = 0;
	memset(run->before, 0, run->cores * sizeof *run->before);
	while (status == WS_OK && run->start != NEVER)
		status = run_window(run, err);
	if (status == WS_OK && !ws_engine_done(run->engine))
		status = ws_fail(err, WS_EINVAL, "kernel %s: nothing happens any more from cycle "
				 "%llu on, and %llu CTAs have ended", run->result->kernel,
				 (unsigned long long)run->end, (unsigned long long)run->ctas);
	if (status != WS_OK)
		return status;
	for (size_t i = 0; i < run->cores; i++)
		read_sm(run, i);
	if (run->period != NEVER && run->sampled < run->result->cycles)
		sample(run, run->result->cycles);
	return status;
}
