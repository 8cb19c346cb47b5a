/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/window.c -- a launch, window by window.
 *
 * What SMs and slices send each other takes N = ws_icnt_cycles.  If the SMs' next event is at a,
 * and that of the channels at b, no packet arrives before a + N, and no reply before
 * min(b, a + N) + N: up to there all SMs can be simulated side by side.  Then likewise all
 * channels.  So they take turns, in windows of 2 N cycles and longer where one of them waits.  What
 * was sent is handed over in order of (arrival, sender), whoever simulated it.  So the result is
 * the same for any number of threads, and for any length of windows.
 */
#include "base/bits.h"
#include "validate/cycle/run.h"

#include <inttypes.h>
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

uint64_t ws_cycles_next_sample(const struct ws_cycles *run)
{
	return run->period == NEVER || run->result->cycles ? NEVER : run->sampled + run->period;
}

/* ---- a window -------------------------------------------------------------------------- */

static enum ws_status run_sm(void *context, size_t i, unsigned thread, struct ws_err *err)
{
	struct ws_cycles *run = context;

	(void)thread;
	return ws_engine_sm(run->engine, i, run->sms_end, err);
}

static enum ws_status run_channel(void *context, size_t i, unsigned thread, struct ws_err *err)
{
	struct ws_cycles *run = context;
	size_t k = run->active[i];

	(void)thread;
	return ws_channel_run(run->channel[k], run->channels_end, &run->due[k], err);
}

static uint64_t later(uint64_t cycle, uint64_t by)
{
	return cycle < NEVER - by ? cycle + by : NEVER;
}

static uint64_t next_of_channels(const struct ws_cycles *run)
{
	uint64_t next = ws_crossbar_next(run->requests);

	for (size_t w = 0; w <= run->channels / 64; w++) {
		for (uint64_t bits = run->waiting[w]; bits; bits &= bits - 1) {
			uint64_t due = run->due[w * 64 + ws_lowest_bit(bits)];

			next = due < next ? due : next;
		}
	}
	return next;
}

/* Those of the window, in ascending order. */
static void find_active(struct ws_cycles *run)
{
	run->actives = 0;
	for (size_t w = 0; w <= run->channels / 64; w++) {
		for (uint64_t bits = run->waiting[w]; bits; bits &= bits - 1) {
			size_t i = w * 64 + ws_lowest_bit(bits);

			if (run->due[i] >= run->channels_end)
				continue;
			run->answers[run->actives] = run->replies[i];
			run->active[run->actives++] = i;
		}
	}
}

static void drop_idle(struct ws_cycles *run)
{
	for (size_t k = 0; k < run->actives; k++) {
		size_t i = run->active[k];

		if (run->due[i] == NEVER)
			ws_bit_clear(run->waiting, i);
	}
}

/* Where a window ends of those whose next event is at `own`, the others' at `other`. */
static uint64_t window_end(const struct ws_cycles *run, uint64_t own, uint64_t other)
{
	uint64_t answer = later(own, run->network), longest = later(own, run->window);
	uint64_t end = later(other < answer ? other : answer, run->network);

	return end < longest ? end : longest;
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

/* ---- the sink -------------------------------------------------------------------------- */

#define BATCH 1024u

/* Of an SM's requests those of whole warp instructions whose fetches have all ended. */
static size_t known_requests(struct ws_cycles *run, size_t sm)
{
	const struct ws_stream *s = &run->accepted[sm];
	size_t n = run->known[sm] = ws_core_known(run->core[sm], run->known[sm]);

	while (n && n < s->count && s->request[n].follows)
		n--;
	return n;
}

/* What SMs have accepted, of those with so many requests or more. */
static enum ws_status pass_on(struct ws_cycles *run, size_t least, struct ws_err *err)
{
	const struct ws_sink *sink = run->options->sink;
	enum ws_status status = WS_OK;

	for (size_t i = 0; run->accepted && i < run->sms && status == WS_OK; i++) {
		const struct ws_stream *s = &run->accepted[i];
		size_t n = s->count < least ? 0 : known_requests(run, i);

		if (n < least)
			continue;
		status = ws_sink_put(sink, run->machine, i, s->request, n, err);
		ws_core_take(run->core[i], n);
		run->known[i] -= n;
	}
	return status;
}

/* ---- what goes between SMs and slices -------------------------------------------------- */

static enum ws_status to_channel(struct ws_cycles *run, const struct ws_packet *p,
				 struct ws_err *err)
{
	size_t channel = p->slice / (size_t)(run->machine->l2_slices / run->channels);

	if (p->arrival < run->due[channel])
		run->due[channel] = p->arrival;
	ws_bit_set(run->waiting, channel);
	return ws_channel_push(run->channel[channel], p, err);
}

static enum ws_status to_channels(struct ws_cycles *run, struct ws_err *err)
{
	const struct ws_merger *g = &run->merger;
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < g->count && status == WS_OK; i++)
		status = run->requests ? ws_crossbar_add(run->requests, g->order[i], err)
				       : to_channel(run, g->order[i], err);
	return status;
}

static enum ws_status to_cores(struct ws_cycles *run, struct ws_err *err)
{
	const struct ws_merger *g = &run->merger;
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < g->count && status == WS_OK; i++)
		status = run->responses ? ws_crossbar_add(run->responses, g->order[i], err)
			: ws_core_reply(run->core[g->order[i]->sm], g->order[i], err);
	return status;
}

/* What crosses before the channels' window ends, and before the SMs'. */
static enum ws_status cross_to_channels(struct ws_cycles *run, struct ws_err *err)
{
	const struct ws_packet *p;
	enum ws_status status = WS_OK;

	while (run->requests && status == WS_OK &&
	       (p = ws_crossbar_take(run->requests, run->channels_end)) != NULL)
		status = to_channel(run, p, err);
	return status;
}

static enum ws_status cross_to_cores(struct ws_cycles *run, struct ws_err *err)
{
	const struct ws_packet *p;
	enum ws_status status = WS_OK;

	while (run->responses && status == WS_OK &&
	       (p = ws_crossbar_take(run->responses, run->sms_end)) != NULL)
		status = ws_core_reply(run->core[p->sm], p, err);
	return status;
}

/* The SMs' next event, a reply that crosses to one too. */
static uint64_t next_of_sms(const struct ws_cycles *run)
{
	uint64_t engine = ws_engine_next(run->engine), reply = ws_crossbar_next(run->responses);

	return engine < reply ? engine : reply;
}

/* In any order. */
static enum ws_status give_credits(struct ws_cycles *run, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < run->actives; i++) {
		struct ws_credits *from = run->credits[run->active[i]];

		for (size_t k = 0; k < from->count && status == WS_OK; k++)
			status = ws_core_credit(run->core[from->credit[k].sm],
						from->credit[k].arrival, err);
		from->count = 0;
	}
	return status;
}

/* When all CTAs have ended. */
static void find_end(struct ws_cycles *run)
{
	for (size_t i = 0; i < run->sms; i++) {
		struct ws_core_stats *to = &run->result->sm[i];
		struct ws_sm_stats s;

		ws_engine_stats(run->engine, i, run->sms_end, &s);
		to->cycles = s.end + 1;
		if (to->cycles > run->result->cycles)
			run->result->cycles = to->cycles;
	}
}

void ws_cycles_up_to(struct ws_cycles *run, uint64_t cycle)
{
	while (ws_cycles_next_sample(run) <= cycle)
		sample(run, ws_cycles_next_sample(run));
	if (ws_meetings_hold(&run->l1s, cycle))
		for (size_t i = 0; i < run->sms; i++)
			ws_core_met(run->core[i], cycle);
}

enum ws_status ws_cycles_sms(struct ws_cycles *run, uint64_t end, struct ws_err *err)
{
	enum ws_status status;

	run->sms_end = end;
	status = ws_pool_run(run->pool, run->sms, run_sm, run, err);
	if (status == WS_OK)
		status = ws_engine_settle(run->engine, run->sms_end, err);
	if (status != WS_OK)
		return status;
	report_progress(run);
	if (!run->result->cycles && ws_engine_done(run->engine))
		find_end(run);
	return pass_on(run, BATCH, err);
}

static enum ws_status run_sms(struct ws_cycles *run, uint64_t own, uint64_t other,
			      struct ws_err *err)
{
	enum ws_status status;

	ws_cycles_up_to(run, run->sms_end);
	run->sms_end = window_end(run, own, other);
	if (ws_cycles_next_sample(run) < run->sms_end)
		run->sms_end = ws_cycles_next_sample(run);
	if (ws_meetings_next(&run->l1s) < run->sms_end)
		run->sms_end = ws_meetings_next(&run->l1s);
	status = cross_to_cores(run, err);
	if (status == WS_OK)
		status = ws_cycles_sms(run, run->sms_end, err);
	if (own >= run->sms_end || status != WS_OK)
		return status;
	status = ws_merge(&run->merger, run->sent, run->sms, later(own, run->network),
			  run->sms_end - own, err);
	return status == WS_OK ? to_channels(run, err) : status;
}

static enum ws_status run_channels(struct ws_cycles *run, uint64_t own, uint64_t other,
				   struct ws_err *err)
{
	enum ws_status status;

	ws_meetings_hold(&run->slices, run->channels_end);
	run->channels_end = window_end(run, own, other);
	if (ws_meetings_next(&run->slices) < run->channels_end)
		run->channels_end = ws_meetings_next(&run->slices);
	status = cross_to_channels(run, err);
	if (status != WS_OK)
		return status;
	find_active(run);
	if (!run->actives)
		return WS_OK;
	status = ws_pool_run(run->pool, run->actives, run_channel, run, err);
	drop_idle(run);
	if (status == WS_OK)
		status = ws_merge(&run->merger, run->answers, run->actives,
				  later(own, run->network), run->channels_end - own, err);
	if (status == WS_OK)
		status = to_cores(run, err);
	return status == WS_OK ? give_credits(run, err) : status;
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
	to->warp_cycles = s.warp_cycles;
	to->waits = s.waits;
	to->stalls[WS_STALL_EMPTY] = s.empty;
	to->stalls[WS_STALL_LSU] = s.lsu;
	to->stalls[WS_STALL_DATA] = s.data;
	to->stalls[WS_STALL_BARRIER] = s.barrier;
	to->stalls[WS_STALL_OTHER] = s.other;
}

enum ws_status ws_windows(struct ws_cycles *run, struct ws_err *err)
{
	uint64_t sms = next_of_sms(run), channels = NEVER;
	enum ws_status status = WS_OK;

	while (status == WS_OK && (sms != NEVER || channels != NEVER)) {
		status = run_sms(run, sms, channels, err);
		sms = next_of_sms(run);
		channels = next_of_channels(run);
		if (status == WS_OK && channels != NEVER)
			status = run_channels(run, channels, sms, err);
		sms = next_of_sms(run);
		channels = next_of_channels(run);
	}
	return status;
}

enum ws_status ws_cycles_launch(struct ws_cycles *run, ws_cycles_loop *loop, struct ws_err *err)
{
	enum ws_status status;

	run->sms_end = run->channels_end = run->sampled = run->ctas = 0;
	memset(run->before, 0, run->cores * sizeof *run->before);
	memset(run->waiting, 0, (run->channels / 64 + 1) * sizeof *run->waiting);
	ws_crossbar_launch(run->requests);
	ws_crossbar_launch(run->responses);
	ws_router_launch(run->out);
	ws_router_launch(run->back);
	status = loop(run, err);
	if (status == WS_OK)
		status = pass_on(run, 1, err);
	if (status == WS_OK && !ws_engine_done(run->engine))
		status = ws_fail(err, WS_EINVAL, "kernel %s: nothing happens any more from cycle %"
				 PRIu64 " on, and %" PRIu64 " CTAs have ended", run->result->kernel,
				 run->sms_end, run->ctas);
	if (status != WS_OK)
		return status;
	for (size_t i = 0; i < run->cores; i++)
		read_sm(run, i);
	if (run->period != NEVER && run->sampled < run->result->cycles)
		sample(run, run->result->cycles);
	return status;
}
