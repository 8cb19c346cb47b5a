/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/run.h -- private to run.c, window.c, lockstep.c, sites.c, packets.c, meetings.c:
 * the whole machine, simulated launch by launch and window by window.
 */
#ifndef WS_VALIDATE_CYCLE_RUN_H
#define WS_VALIDATE_CYCLE_RUN_H

#include "base/pool.h"
#include "validate/cycle/crossbar.h"
#include "validate/cycle/router.h"

/* ---- packets.c: lists merged into one, in order of (arrival, list) --------------------- */

struct ws_merger {
	const struct ws_packet **order;	/* [count]: into the lists */
	uint32_t *place;		/* [cycle of the window] */
	size_t count, cap, places;
};

/* Each list is in order of arrival, with arrivals in [first, first + span).  Empties the lists;
 * what g->order points to is valid until something is added to them. */
enum ws_status ws_merge(struct ws_merger *g, struct ws_packets *const *list, size_t lists,
			uint64_t first, uint64_t span, struct ws_err *err) WS_MUST_CHECK;
void ws_merger_clear(struct ws_merger *g);

/* ---- sites.c: tables added up ---------------------------------------------------------- */

enum ws_status ws_site_table_add(struct ws_site_table *to, const struct ws_site_table *from,
				 struct ws_err *err) WS_MUST_CHECK;
/* The sites that have requests, ordered by instruction, then array; the caller frees them. */
enum ws_status ws_site_table_list(const struct ws_site_table *p, struct ws_cycle_site **out,
				  size_t *count, struct ws_err *err) WS_MUST_CHECK;

/* ---- meetings.c: policies that caches choose together (struct ws_policy, meet) --------------- */

struct ws_meetings {		/* of the L1s, or of the slices, in a launch */
	const struct ws_use *use;
	uint64_t **shared;	/* [caches] */
	size_t caches;
	uint64_t turn;		/* the next meeting */
};

/* The cycle of the next meeting; UINT64_MAX: there is none. */
uint64_t ws_meetings_next(const struct ws_meetings *m);
/* Holds the meetings up to a cycle; true: there was one.  Everything before the cycle has been
 * simulated, and nothing in it. */
bool ws_meetings_hold(struct ws_meetings *m, uint64_t cycle);

/* ---- a run ----------------------------------------------------------------------------- */

struct ws_cycles {
	const struct ws_trace *trace;
	const struct ws_machine *machine;
	const struct ws_cycle_options *options;
	struct ws_use l1, l2;		/* the machine's policies */
	uint64_t network;		/* ws_icnt_cycles */
	uint64_t window;		/* the longest, in cycles */
	uint64_t period;		/* cycles between samples; UINT64_MAX: none */
	struct ws_core **core;		/* [cores], one for each SM */
	struct ws_lsu **lsu;		/* theirs */
	struct ws_channel **channel;	/* [channels] */
	size_t cores, channels;
	struct ws_packets **sent, **replies; /* theirs */
	struct ws_credits **credits;
	struct ws_pool *pool;
	struct ws_merger merger;
	struct ws_crossbar *requests, *responses; /* NULL: packets wait for ports alone */
	struct ws_router *out, *back;	/* likewise; they are simulated cycle by cycle */
	struct ws_stream *accepted;	/* [cores]: for the sink; NULL: it wants none */
	size_t *known;			/* [cores]: how many of them have their .fetch */
	struct ws_meetings l1s, slices;
	uint64_t ctas_before, ctas_total; /* of earlier launches; of all launches */
	uint64_t cycles_before;		/* of the launch before */
	struct ws_dram_clock dram;	/* as the launch at hand begins */
	size_t first;			/* SM that gets the next launch's first CTA */
	struct ws_front_kept **kept;	/* [cores]: room to rotate them by .first */

	/* Of the launch at hand: */
	struct ws_engine *engine;
	struct ws_cycle_result *result;
	struct ws_site_table **sites;	/* [cores + channels], NULL: not wanted */
	struct ws_cycle_sample *before;	/* [sms]: counts at the last sample */
	uint64_t *due;			/* [channels] */
	uint64_t *waiting;		/* bit i: channel i is due at some time; mostly few are */
	size_t *active, actives;	/* channels with something to do in the window */
	struct ws_packets **answers;	/* [actives]: their replies */
	size_t sms;			/* SMs that get CTAs */
	uint64_t sms_end, channels_end;	/* cycles before these are simulated */
	uint64_t sampled;		/* cycles before this one are in samples */
	uint64_t ctas;			/* CTAs that have ended */
};

/* run.c.  window: as in ws_cycles_windows.  What the arguments point to must not change before
 * ws_cycles_free, except options->sink: another one may be set for the next launch. */
enum ws_status ws_cycles_new(struct ws_cycles **out, const struct ws_trace *t,
			     const struct ws_machine *m, const struct ws_cycle_options *options,
			     uint64_t window, struct ws_err *err) WS_MUST_CHECK;
/* Simulates a launch; launches in ascending order, some may be left out.  The caller clears *r,
 * after a failure, too. */
enum ws_status ws_cycles_next(struct ws_cycles *run, size_t launch, struct ws_cycle_result *r,
			      struct ws_err *err) WS_MUST_CHECK;
void ws_cycles_free(struct ws_cycles *run);

/* Simulates all cycles of the launch at hand, until nothing is in flight. */
typedef enum ws_status ws_cycles_loop(struct ws_cycles *run, struct ws_err *err);
/* window.c: simulates the launch at hand and fills in the result's SMs and slices. */
enum ws_status ws_cycles_launch(struct ws_cycles *run, ws_cycles_loop *loop,
				struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_windows(struct ws_cycles *run, struct ws_err *err) WS_MUST_CHECK;
/* Takes the samples and holds the L1s' meetings up to a cycle; all before it is simulated. */
void ws_cycles_up_to(struct ws_cycles *run, uint64_t cycle);
uint64_t ws_cycles_next_sample(const struct ws_cycles *run); /* UINT64_MAX: none */
/* Simulates the SMs' cycles before `end`; all replies that arrive by then have been added.  What
 * they send is in run->sent. */
enum ws_status ws_cycles_sms(struct ws_cycles *run, uint64_t end, struct ws_err *err) WS_MUST_CHECK;

/* lockstep.c: a launch with routers; SMs, slices and routers are simulated cycle by cycle. */
enum ws_status ws_lockstep_new(struct ws_cycles *run, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_lockstep(struct ws_cycles *run, struct ws_err *err) WS_MUST_CHECK;

#endif
