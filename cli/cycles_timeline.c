/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cycles_timeline.c -- --timeline FILE: the run as Chrome trace events (the format of Perfetto
 * and chrome://tracing), one microsecond a cycle, launches one after the other.
 *
 * Process 0 has a slice for each launch; process i + 1 is SM i, with counter tracks:
 *   issue slots   of one cycle, on average over the period: issued, and not by reason
 *   L1 miss ratio of the loads looked up in the period; pending hits beside it
 *   MSHRs, warps  at the period's beginning
 *
 * Samples come during the run.  With a given period, each is written at once.  Without one, samples
 * of a launch are kept until it ends, and neighbouring periods are joined whenever there are
 * PERIODS_MAX.
 */
#include "base/json.h"
#include "cli/cycles.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PERIODS_MAX 1000u
#define NONE SIZE_MAX
#define PROCESS "M"
#define BEGIN "B"
#define END "E"
#define COUNTER "C"
#define SAMPLES_MANY 1000000u	/* that something is said of */
#define SAMPLE_BYTES 400u	/* in the file, about */

struct sm_state { /* of an SM at the end of its last period */
	uint64_t in_flight, warps;
};

struct cycles_timeline {
	struct ws_out out;
	struct ws_json json;
	const struct cli_call *call;
	const struct ws_trace *trace;
	uint64_t samples;	/* so far, each of one SM */
	bool noted;		/* that they are many */
	uint64_t period;
	bool keep;		/* no period was given */
	struct ws_cycle_sample *sample; /* periods one after the other, in each the SMs */
	size_t count, cap, periods;
	uint64_t from, first, width; /* of the sample at hand; of the last period; of a period */
	bool joining;		/* samples add to the last period */
	struct sm_state *state;
	size_t sms;
	size_t launch;		/* whose samples are there; NONE */
	uint64_t start, end;	/* of it, in microseconds */
	bool begun, settled, failed; /* failed: no memory */
};

/* ---- events ------------------------------------------------------------------- */

/* phase: one of PROCESS, BEGIN, END and COUNTER; its arguments follow, then end_event. */
static void begin_event(struct cycles_timeline *l, const char *name, const char *phase,
			uint64_t ts, size_t pid)
{
	struct ws_json *j = &l->json;

	fputs(l->begun ? ",\n" : "\n", l->out.file);
	l->begun = true;
	j->comma = false;
	ws_json_open(j, NULL, '{');
	ws_json_text(j, "name", name);
	if (*phase == *BEGIN || *phase == *END)
		ws_json_text(j, "cat", "launch");
	ws_json_text(j, "ph", phase);
	ws_json_u64(j, "ts", ts);
	ws_json_u64(j, "pid", pid);
	if (*phase != *COUNTER)
		ws_json_u64(j, "tid", 0);
	ws_json_open(j, "args", '{');
}

static void end_event(struct cycles_timeline *l)
{
	ws_json_close(&l->json, '}');
	ws_json_close(&l->json, '}');
}

static void name_process(struct cycles_timeline *l, size_t pid, const char *what,
			 const char *name)
{
	begin_event(l, what, PROCESS, 0, pid);
	ws_json_text(&l->json, "name", name);
	end_event(l);
}

static void put_process(struct cycles_timeline *l, size_t pid, const char *name)
{
	name_process(l, pid, "process_name", name);
	begin_event(l, "process_sort_index", PROCESS, 0, pid);
	ws_json_u64(&l->json, "sort_index", pid);
	end_event(l);
	name_process(l, pid, "thread_name", name);
}

static void put_launch_event(struct cycles_timeline *l, const char *phase, uint64_t ts)
{
	const struct ws_launch *launch = ws_trace_launch(l->trace, l->launch);

	begin_event(l, launch->kernel, phase, ts, 0);
	ws_json_u64(&l->json, "launch", l->launch + 1);
	ws_json_u64(&l->json, "ctas", launch->ctas);
	end_event(l);
}

static void counter(struct cycles_timeline *l, const char *name, size_t sm, uint64_t ts)
{
	begin_event(l, name, COUNTER, ts, sm + 1);
}

static double per(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static void put_state(struct cycles_timeline *l, size_t sm, uint64_t ts)
{
	const struct sm_state *s = &l->state[sm];

	counter(l, "MSHRs in use", sm, ts);
	ws_json_u64(&l->json, "MSHRs", s->in_flight);
	end_event(l);
	counter(l, "resident warps", sm, ts);
	ws_json_u64(&l->json, "warps", s->warps);
	end_event(l);
}

static void put_rates(struct cycles_timeline *l, const struct ws_cycle_sample *s, uint64_t ts)
{
	struct ws_json *j = &l->json;
	uint64_t cycles = s->to - s->from;

	counter(l, "issue slots", s->sm, ts);
	ws_json_fixed(j, "issued", per(s->issued, cycles));
	for (int i = 0; i < WS_STALLS; i++)
		ws_json_fixed(j, ws_stall_names[i], per(s->stalls[i], cycles));
	end_event(l);
	counter(l, "L1 load miss ratio", s->sm, ts);
	ws_json_fixed(j, "miss", per(s->misses, s->requests));
	ws_json_fixed(j, "pending", per(s->pending, s->requests));
	end_event(l);
}

static void put_sample(struct cycles_timeline *l, const struct ws_cycle_sample *s)
{
	uint64_t ts = l->start + s->from;

	put_rates(l, s, ts);
	put_state(l, s->sm, ts);
	l->state[s->sm] = (struct sm_state){ s->in_flight, s->warps };
}

/* ---- samples -------------------------------------------------------------------- */

static void flush_pending(struct cycles_timeline *l)
{
	for (size_t i = 0; i < l->count; i++)
		put_sample(l, &l->sample[i]);
	l->count = l->periods = 0;
}

static void join_samples(struct ws_cycle_sample *to, const struct ws_cycle_sample *from)
{
	to->to = from->to;
	to->issued += from->issued;
	for (int i = 0; i < WS_STALLS; i++)
		to->stalls[i] += from->stalls[i];
	to->requests += from->requests;
	to->hits += from->hits;
	to->pending += from->pending;
	to->misses += from->misses;
	to->in_flight = from->in_flight;
	to->warps = from->warps;
}

/* Two periods become one; all have the same SMs. */
static void halve(struct cycles_timeline *l)
{
	size_t sms = l->count / l->periods;

	for (size_t p = 0; p < l->periods; p += 2)
		for (size_t i = 0; i < sms; i++) {
			struct ws_cycle_sample *to = &l->sample[p / 2 * sms + i];

			*to = l->sample[p * sms + i];
			if (p + 1 < l->periods)
				join_samples(to, &l->sample[(p + 1) * sms + i]);
		}
	l->periods = (l->periods + 1) / 2;
	l->count = l->periods * sms;
	l->width *= 2;
}

/* All tracks of a launch end with it. */
static void end_launch(struct cycles_timeline *l)
{
	struct ws_cycle_sample last = { 0 };

	if (l->launch == NONE)
		return;
	flush_pending(l);
	for (size_t i = 0; i < l->sms; i++) {
		last.sm = i;
		l->state[i] = (struct sm_state){ 0 };
		put_rates(l, &last, l->end);
		put_state(l, i, l->end);
	}
	put_launch_event(l, END, l->end);
	l->start = l->end;
}

static void begin_launch(struct cycles_timeline *l, size_t launch)
{
	end_launch(l);
	l->launch = launch;
	put_launch_event(l, BEGIN, l->start);
}

/* The first sample of other cycles than those before. */
static void begin_period(struct cycles_timeline *l, const struct ws_cycle_sample *s)
{
	l->joining = l->keep && l->count && s->from - l->first < l->width;
	l->from = s->from;
	if (l->joining)
		return;
	if (!l->keep)
		flush_pending(l);
	else if (l->periods == PERIODS_MAX) /* even: none is left over */
		halve(l);
	if (!l->periods)
		l->width = s->to - s->from;
	l->first = s->from;
	l->periods++;
}

static void note_many(struct cycles_timeline *l, const char *how, uint64_t samples)
{
	l->noted = true;
	cli_note(l->call, "--timeline: %s %" PRIu64 " samples, some %" PRIu64 " MB: a longer "
		 "--period makes fewer", how, samples, samples / 1000000 * SAMPLE_BYTES);
}

void cycles_timeline_sample(void *timeline, const struct ws_cycle_sample *s)
{
	struct cycles_timeline *l = timeline;

	if (l->failed)
		return;
	if (++l->samples > SAMPLES_MANY && !l->keep && !l->noted)
		note_many(l, "more than", SAMPLES_MANY);
	if (l->launch != s->launch)
		begin_launch(l, s->launch);
	if (l->count == 0 || l->from != s->from)
		begin_period(l, s);
	if (l->joining)
		join_samples(&l->sample[l->count - l->count / l->periods + s->sm], s);
	else if (WS_ROOM(l->sample, l->cap, l->count + 1))
		l->sample[l->count++] = *s;
	else
		l->failed = true;
	l->end = l->start + s->to;
}

/* ---- the file ------------------------------------------------------------------- */

/* Cycles that a launch takes at least: one for each memory instruction of a warp. */
static uint64_t least_cycles(const struct ws_launch *launch, const struct ws_machine *m)
{
	uint64_t accesses = 0;

	for (int k = 0; k < WS_KINDS; k++)
		accesses += launch->accesses[k];
	return accesses / m->warp_width / m->sm_count;
}

/* Short enough for the longest launch: shorter samples are put together, longer ones could not be
 * cut. */
static uint64_t period_for(const struct ws_trace *t, const struct ws_machine *m)
{
	uint64_t most = 0;

	for (size_t i = 0; i < ws_trace_launches(t); i++) {
		uint64_t cycles = least_cycles(ws_trace_launch(t, i), m);

		most = cycles > most ? cycles : most;
	}
	return most / PERIODS_MAX + 1;
}

void cycles_timeline_expect(struct cycles_timeline *l, const char *kernel,
			    const struct ws_machine *m)
{
	uint64_t step = ws_icnt_cycles(m), samples = 0;
	uint64_t period = (l->period + step - 1) / step * step;

	for (size_t i = 0; i < ws_trace_launches(l->trace); i++) {
		const struct ws_launch *launch = ws_trace_launch(l->trace, i);

		if (!kernel || !strcmp(launch->kernel, kernel))
			samples += least_cycles(launch, m) / period * m->sm_count;
	}
	if (!l->keep && samples > SAMPLES_MANY)
		note_many(l, "at least", samples);
}

enum ws_status cycles_timeline_new(struct cycles_timeline **out, const struct cli_call *call,
				   const char *path, const struct ws_trace *t,
				   const struct ws_machine *m, uint64_t period,
				   struct ws_err *err)
{
	struct cycles_timeline *l = ws_alloc_zero(1, sizeof *l);
	enum ws_status status;

	*out = NULL;
	if (!l)
		return ws_fail_memory(err, "a timeline");
	l->call = call;
	l->trace = t;
	l->keep = period == 0;
	l->period = period ? period : period_for(t, m);
	l->sms = (size_t)m->sm_count;
	l->launch = NONE;
	l->state = ws_alloc_zero(l->sms, sizeof *l->state);
	status = l->state ? cli_out_open(&l->out, call, path, err)
			  : ws_fail_memory(err, "a timeline");
	if (status != WS_OK) {
		free(l->state);
		free(l);
		return status;
	}
	l->json.file = l->out.file;
	ws_json_trace_events(&l->json, m->name);
	put_process(l, 0, "launches");
	for (size_t i = 0; i < l->sms; i++) {
		char name[40];

		snprintf(name, sizeof name, "SM %zu", i);
		put_process(l, i + 1, name);
	}
	*out = l;
	return WS_OK;
}

uint64_t cycles_timeline_period(const struct cycles_timeline *l)
{
	return l->period;
}

enum ws_status cycles_timeline_settle(struct cycles_timeline *l, enum ws_status status,
				      struct ws_err *err)
{
	if (!l || l->settled || status != WS_OK)
		return status;
	if (l->failed)
		return ws_fail_memory(err, "a timeline");
	end_launch(l);
	fputs("\n]}\n", l->out.file);
	l->settled = true;
	return ws_out_settle(&l->out, err);
}

enum ws_status cycles_timeline_end(struct cycles_timeline *l, enum ws_status status,
				   struct ws_err *err)
{
	if (!l)
		return status;
	if (status == WS_OK)
		status = ws_out_commit(&l->out, err);
	else
		ws_out_abort(&l->out);
	free(l->sample);
	free(l->state);
	free(l);
	return status;
}
