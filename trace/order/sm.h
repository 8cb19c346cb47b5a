/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/sm.h -- one SM of the timed engine, and the table of schedulers.
 *
 * The machine, cycle by cycle:
 *
 * - Warp slot i belongs to scheduler i mod sm.schedulers, where it is number
 *   i / sm.schedulers.  CTA slot j has the warp slots from j * warps of a CTA on.
 * - Every cycle each scheduler issues one op of one ready warp.  At cycle c
 *   scheduler c mod sm.schedulers goes first, the others follow in turn
 *   (GPGPU-Sim rotates its Issue_Prio likewise).
 * - A memory op needs the SM's load-store unit (LSU), which looks up one
 *   request a cycle: with n requests, issued at c, it is busy until c + n.
 * - The op `use` places after a load or atomic (at least 1), and what follows,
 *   waits until the data is back.  Data back at cycle b serves an op of cycle b.
 * - A barrier is an op of its own (it takes an issue slot, but is not counted
 *   by `use`).  The warp goes on the cycle after the last warp of the CTA
 *   that has not issued everything has issued it.
 * - A CTA ends at the cycle in which its last op is issued or, if later, its
 *   last load is back; one without ops in the cycle it starts.  The next CTA
 *   in its slot starts the cycle after.
 * - Warp k of a CTA that starts at cycle c issues from c + k * sm.launch on, and none before cycle
 *   sm.start.  Until then it is
 *   resident and waits for nothing else.  A warp without ops ends when the CTA starts.
 *
 * Other instructions (sm.alu, sm.buffer, sm.code; all are off if 0).  A *run* of a warp is its
 * ops from a memory op or barrier, exclusive, to the next one, inclusive, or to its end.
 * - Chains.  The run's chain c, the sum of those of the trace's places in it (at most its ops - 1;
 *   of large warps 0), is spread over its ops 1 .. n: op j is a link if
 *   floor((j - 1) c / (n - 1)) > floor((j - 2) c / (n - 1)).  A link is issued sm.alu cycles after
 *   the link before it, the first one after op 1, or later.
 * - Buffer.  A warp's ops, barriers too, are fetched sm.buffer at a time: if the last of them is
 *   issued at c, the next one is not before c + 2.
 * - Fetch.  With sm.fetch = F, too, ops are fetched for F warps in a cycle at most.  A cycle
 *   begins, once data is there and runs' code was asked for, with looking at the warps that have
 *   ops left, but none fetched, and whose run's code (at a barrier: of the run before) is there
 *   by the next cycle: from the slot after that of the warp that was last (slot 0 at first) on, in
 *   turn.  What is fetched for a warp in cycle c is issued from c + 1 on, and not before; of
 *   several warps of a cycle all but the F-th, from c on.  So a warp's first ops come a cycle
 *   after its start; of sm.start, the cycle is before.  With F > 1 a warp's start is a cycle later
 *   for all of this, and sm.start, too.  With two-level F > 1 changes no more than how many are
 *   fetched for.
 * - Code.  The lines (sm.code.line bytes, the lowest to the highest PC of the trace's places in it)
 *   of a run are asked for when the warp could issue its first op but for this: the cycle after
 *   its last op or after its barrier opened, or the warp's first.  A line is there sm.start cycles
 *   after an SM asked for it first, sm.code if l2.start = keep and an earlier launch of the trace
 *   has it, and line 0 from the start; no op of the run is issued before all are.  If line 0 is
 *   kept so, sm.code is for sm.start when the launch starts, too.  An
 *   SM that had a CTA of an earlier launch, with l2.start = keep, has line 0 and does not wait for
 *   sm.start or sm.code then.  For this alone the CTAs of all launches are taken to go to SMs in
 *   turn, one after the other, and SM i is the one among them that the launch's CTA i comes to.
 * - Interval.  Ops but memory ops go to a unit of their scheduler: with f = 0 at first, one is
 *   issued at c only if f <= c + sm.alu.queue * sm.alu.interval, and f = max(f, c) +
 *   sm.alu.interval then.
 * A warp that waits for the first three is not ready, and holds no seat.
 *
 * Large warps (sm.large-warp = K > 1).  Warps 0 to K - 1 of a CTA are one warp here, the next K the
 * next one: a warp slot, a place with a scheduler, one program.  An instruction is an op for each
 * of its sub-warps (large.c), one after the other, and sub-warps do not wait for each other; but an
 * instruction that needs data of an earlier one waits for all sub-warps of that one.  Other
 * instructions take as many issue slots.  A barrier is one op.  `use` counts instructions, not ops.
 * Limits of residency count plain warps.
 *
 * Of large warps in hardware (Narasiman et al., MICRO 2011) these are left out:
 * - Fetch and pipelines.  A branch costs no wait until its last sub-warp has completed it, and what
 *   shortens that (a jump that all take) gains nothing.
 * - Sub-warps back to back.  The scheduler may go to another warp between two sub-warps of an
 *   instruction, as between any two ops; under gto it stays while the LSU lets it.
 * - Sub-warps apart.  The threads of a sub-warp whose data is back do not go on before those of the
 *   others; hardware that tracks threads could let them.
 * - A stack of reconvergence points.  The lowest block of any active lane comes first, for large
 *   warps as for plain ones (architecture, invariant 1).
 * - Registers, but for the rule that lanes stay in their columns.
 *
 * With a memory that answers later (struct ws_lsu), the unit says how long the LSU is busy and,
 * some time after the issue, when a load's data is back.  All else is the same.
 */
#ifndef WS_TRACE_ORDER_SM_H
#define WS_TRACE_ORDER_SM_H

#include "base/bits.h"
#include "base/heap.h"
#include "trace/order/order.h"

#define WS_NO_WARP SIZE_MAX

struct ws_need {	/* op number `at` of the warp waits for cycle `back` */
	uint64_t at, back;	/* back: WS_NEVER while a unit has not said */
	uint32_t ticket;	/* the unit's name of it */
};

struct ws_warp {
	uint64_t at;		/* ops issued, barriers aside */
	uint64_t run, taken;	/* other ops before its next visit: left, at first */
	uint64_t since;		/* ready but not seated since this cycle */
	struct ws_need *need;	/* at and back both increase: later needs are longer waits; with a
				 * unit only at does */
	size_t needs, need_cap;
	uint32_t tickets;	/* given so far */
	uint32_t op, left;	/* the next op that does something; others left before it */
	uint32_t number, slot;	/* in its CTA; its CTA's slot */
	uint32_t group, index;	/* its scheduler; its number there */
	bool seated;		/* among the active warps of its scheduler */
	bool memory;		/* ready for a memory op, else for another */
	bool arriving;		/* ... which is a barrier */
	bool data;		/* waits for data */
	bool parked;		/* ... nobody knows until when: not in the heap */
	bool blocked;		/* of machine code: for registers, or an atomic: likewise */
	/* Only of machines that pace instructions, so behind what all look at: */
	bool entered;		/* its code was asked for */
	bool hungry;		/* nothing is fetched for it, */
	bool starved;		/* which is what it waits for */
	uint32_t issued;	/* ops, barriers too, modulo sm.buffer */
	uint64_t last, link;	/* the cycle of its last issue; of the last link's */
	uint64_t open;		/* the cycle from which its run's code is there */
	uint64_t fetched;	/* may be issued from this cycle on */
	uint32_t atomics;	/* of machine code: not back */
	uint32_t outstanding;	/* likewise: instructions, data, stores not acknowledged */
	uint32_t issued_code;	/* likewise: of its last instruction */
};

struct ws_cta {
	struct ws_cta_program *program;	/* NULL: the slot is free */
	uint64_t start, end;		/* end: as far as known */
	size_t ended, waiting;		/* warps */
	size_t left;			/* likewise, with all that they began: sm.front */
	size_t outstanding;		/* loads whose data the unit has not reported */
};

struct ws_warp_group {	/* a scheduler and its warps */
	uint64_t *other, *memory;	/* seated warps, ready for that kind of op */
	uint64_t *pending;		/* ready, not seated */
	size_t seated;
	size_t last;			/* issued last, or WS_NO_WARP */
	size_t alive, data, barred;	/* warps not ended; that wait for data; at barriers */
	uint64_t next;			/* no state change before this cycle */
	uint64_t counted;		/* its issue slots of the cycles before are in stats */
	uint64_t alu_busy;		/* until then, with all that was issued */
	bool running;			/* its last warp issues other ops up to .next, there the
					 * last of its run; else nothing is issued before .next */
	bool leads;			/* running, up to .next - 1; at .next that warp is ready for
					 * a memory op */
	size_t late;			/* with a unit: a slot that keeps its seat until the next
					 * cycle says whether its data is back; or WS_NO_WARP */
};

struct ws_scheduler_row;
struct ws_pipe;
struct ws_front;

struct ws_sm {
	struct ws_run *run;
	const struct ws_scheduler_row *scheduler;
	uint64_t id, cycle;		/* cycle: the next to be simulated */
	uint64_t lsu_free;		/* from this cycle on */
	uint64_t next_end;		/* of the CTAs whose warps have all ended, or WS_NEVER */
	uint64_t end;			/* of the last CTA so far */
	struct ws_warp *warp;		/* [slot] */
	struct ws_cta *cta;		/* [CTA slot] */
	size_t *oldest;			/* CTA slots taken, in order of dispatch */
	size_t slots, resident;		/* CTA slots; taken */
	struct ws_warp_group *group;		/* [scheduler] */
	size_t *first;			/* [CTA slot * schedulers + scheduler]: number of its first
					 * warp there; one CTA slot more than there are */
	uint64_t *own;			/* [CTA slot * schedulers + scheduler]: its warps there, if
					 * below 64 */
	uint64_t *bits;			/* the groups' */
	size_t schedulers, words;	/* words of a group's masks */
	size_t seats;			/* of a group */
	bool steps;			/* a warp's run is looked at each cycle */
	bool leaps;			/* ... and may be leapt over */
	bool paced;			/* other instructions are held up by more than a cycle */
	uint64_t start;			/* no warp issues before */
	uint64_t *line;			/* [run->code.lines]: of code, there from that cycle on;
					 * WS_NEVER: not asked for */
	uint64_t *hungry;		/* [slot]: those warps, if they are fetched for in turn */
	size_t hungries, last_fetched;	/* how many; the slot */
	bool fetches;			/* warps are fetched for in turn */
	size_t lsu_queue;		/* seated warps that wait for the LSU or could use it */
	struct ws_heap wake;		/* sleeping warps' slots by cycle */
	unsigned plain;			/* cycles since leaping was tried */
	uint64_t now;			/* the cycle at hand; after its issues, the next */
	size_t turn;			/* schedulers that had their turn in the cycle at hand */
	struct ws_outlet outlet;
	uint64_t waits;			/* of warps, for data */
	/* With a unit only, but for stats.issued: */
	struct ws_lsu *lsu;
	struct ws_pipe *pipe;		/* of machine code (pipeline.h); or NULL */
	struct ws_front *front;		/* likewise (front.h) */
	uint64_t turns;			/* the schedulers' turn in a cycle is that number later */
	uint64_t given;			/* the next CTA is, from that cycle on at first */
	enum ws_status lost;		/* ... of memory, when data came back */
	uint64_t limit;			/* the last cycle of the window */
	struct ws_sm_stats stats;
};

/* One row per scheduler.  To add one: a row, a name in machine/keys.c, its
 * semantics in tests/ref/order.c. */
struct ws_scheduler_row {
	const char *name, *summary, *source;
	/* Timed: the warp of the group to issue, or WS_NO_WARP; memory ops are
	 * possible if lsu, others if other. */
	size_t (*pick)(const struct ws_sm *sm, size_t group, bool other, bool lsu);
	bool rotates;	/* all ready warps take turns (else one goes on while it can) */
	bool seats;	/* only sm.active-warps of a scheduler are looked at */
	/* Untimed: all CTAs of an SM. */
	enum ws_status (*drain)(struct ws_run *run, uint64_t sm, struct ws_err *err);
};

extern const struct ws_scheduler_row *const ws_scheduler_rows[]; /* by enum ws_scheduler */
extern const size_t ws_scheduler_count;

/* In untimed.c */
enum ws_status ws_drain_sequential(struct ws_run *run, uint64_t sm, struct ws_err *err);
enum ws_status ws_drain_round_robin(struct ws_run *run, uint64_t sm, struct ws_err *err);
enum ws_status ws_drain_random(struct ws_run *run, uint64_t sm, struct ws_err *err);

/* In sm_ctas.c: from here to ws_sm_remove, but for ws_sm_run, which is sm.c. */
enum ws_status ws_sm_init(struct ws_sm *sm, struct ws_run *run, uint64_t id,
			  struct ws_err *err) WS_MUST_CHECK;
void ws_sm_clear(struct ws_sm *sm);
/* Puts a CTA in the lowest free slot; its warps may issue from `start` on. */
void ws_sm_place(struct ws_sm *sm, struct ws_cta_program *program, uint64_t start);
/* Simulates the cycles up to `limit`, inclusive.  Stops earlier if a CTA has ended or nothing is
 * outstanding. */
enum ws_status ws_sm_run(struct ws_sm *sm, uint64_t limit, struct ws_err *err) WS_MUST_CHECK;
/* The cycle of the next event: a CTA's end or an issue. */
static inline uint64_t ws_sm_next(const struct ws_sm *sm)
{
	return sm->next_end < sm->cycle ? sm->next_end : sm->cycle;
}
/* Removes a CTA that ended before sm->cycle, or NULL. */
struct ws_cta_program *ws_sm_remove(struct ws_sm *sm);

/* engine.c: the next CTA of the queue, if there is one, from a cycle on. */
enum ws_status ws_sm_take(struct ws_sm *sm, uint64_t start, bool *taken,
			  struct ws_err *err) WS_MUST_CHECK;
/* Breadth-first at cycle 0: one CTA for each SM, again until all are full. */
enum ws_status ws_sms_fill(struct ws_sm *sm, size_t sms, struct ws_err *err) WS_MUST_CHECK;

/* pace.c: other instructions that are held up.  The warp's run begins: its code is asked for. */
void ws_pace_enter(struct ws_sm *sm, struct ws_warp *w, uint64_t cycle);
/* From which cycle on may it issue its next op? */
uint64_t ws_pace_ready(const struct ws_sm *sm, const struct ws_warp *w);
/* How many ops from its next one on need not be looked at before they are issued; 1 or more. */
uint64_t ws_pace_free(const struct ws_sm *sm, const struct ws_warp *w);
/* `count` of those are issued, the last in this cycle, and its run goes on by them after this. */
void ws_pace_issued(struct ws_sm *sm, struct ws_warp *w, uint64_t count, uint64_t cycle);
/* Ops are to be fetched for a warp.  What is fetched in a cycle; warps that wait for it go into
 * sm->wake.  The next cycle with one that can be fetched for, or WS_NEVER. */
void ws_pace_ask(struct ws_sm *sm, struct ws_warp *w);
void ws_pace_fetch(struct ws_sm *sm, uint64_t cycle);
uint64_t ws_pace_next_fetch(const struct ws_sm *sm, uint64_t cycle);
/* They are fetched for it, to be issued from a cycle on. */
void ws_pace_feed(struct ws_sm *sm, size_t slot, uint64_t from);
/* The first cycle in which the scheduler's unit takes another instruction; and it takes one. */
uint64_t ws_pace_unit(const struct ws_sm *sm, const struct ws_warp_group *g);
void ws_pace_take(const struct ws_sm *sm, struct ws_warp_group *g, uint64_t cycle);

/* leap.c: skips cycles in which rotating warps only use up runs; false if they are few. */
bool ws_sm_leap(struct ws_sm *sm);
#define WS_LEAP_EVERY 32u	/* cycles between attempts */

/* scheduler.c: counts the issue slots of a group, or of all, in the cycles before `cycle`, during
 * which no state changed. */
void ws_sm_count(struct ws_sm *sm, struct ws_warp_group *g, uint64_t cycle);
void ws_sm_count_all(struct ws_sm *sm, uint64_t cycle);

static inline struct ws_warp_group *ws_group_of(const struct ws_sm *sm, size_t slot)
{
	return &sm->group[sm->warp[slot].group];
}

/* Whether the CTA has ended. */
static inline bool ws_cta_over(const struct ws_sm *sm, const struct ws_cta *c)
{
	return c->program && (sm->front ? c->left : c->ended) == sm->run->plan.warps &&
	       !c->outstanding;
}

/* What is fetched may be issued in the same cycle. */
static inline bool ws_fetches_at_once(const struct ws_sm *sm)
{
	return sm->fetches && sm->run->machine.sm_fetch > 1 && sm->seats == SIZE_MAX && !sm->front;
}

static inline bool ws_any(const struct ws_sm *sm, const uint64_t *mask)
{
	uint64_t any = mask[0];

	for (size_t i = 1; i < sm->words; i++)
		any |= mask[i];
	return any != 0;
}

#endif
