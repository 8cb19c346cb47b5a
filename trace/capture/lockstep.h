/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/lockstep.h -- a CTA's run-time state: worker.c makes and keeps it, lockstep.c runs
 * it.  Private to trace/capture/.
 */
#ifndef WS_LOCKSTEP_H
#define WS_LOCKSTEP_H

#include <setjmp.h>
#include <signal.h>

#include "trace/capture/fibre.h"

enum lane_state {
	LANE_NEW, LANE_FULL, LANE_BARRIER, LANE_WAIT, LANE_MEET, LANE_DONE, LANE_FAULT,
};

enum fault {
	FAULT_NONE, FAULT_BOUNDS, FAULT_ALIGN, FAULT_BUDGET, FAULT_SIZE, FAULT_CRASH, FAULT_EACH,
	FAULT_MEET,
	FAULT_CALL,
};

/* What stands in head[] instead of a segment. */
enum { HEAD_BLOCKED = 0x7ffffffe, HEAD_DONE = 0x7fffffff };

#define WS_SIGNAL_STACK (64u << 10)

struct unmet { /* a barrier that some work-items had ended before */
	uint64_t ctas, cta, threads, last; /* cta, threads: of the first; last: + 1 */
};

#define WS_MEETING_LANES 32u

/* A lane's part in meetings of its warp.  The first two are what compiled code reads: struct
 * __ws_meeting of data/cuda/include/cuda_device.h. */
struct ws_meeting {
	uint64_t value[WS_MEETING_LANES];
	uint32_t lanes, mask;	/* that have met; that it waits for, 0: none by name */
	uint64_t mine;
	bool met;		/* it may go on */
	const struct ws_meeting *seen; /* where the values are: its own, or the first's */
};

struct ws_path { /* what some work-items recorded */
	const uint64_t *word;
	size_t words, at; /* at: the next to merge */
	uint64_t *mask;	  /* those that did */
};
#define WS_PATHS 4u

struct ws_columns;
struct ws_cta_run {
	const struct ws_cta_config *config;
	struct ws_fibres *fibres;
	struct ws_lane_ctx *lane;
	struct ws_meeting *meeting; /* of each lane; of kernels that have any */
	uint32_t *head;    /* next segment of each lane */
	uint32_t *low;	   /* the lowest of 64 of them, unless one has changed: */
	uint64_t moved;	   /* a bit of each 64 */
	size_t reach;	   /* words that are turned at once */
	const struct ws_columns *columns;
	uint64_t *record;
	size_t lanes, record_words, record_pitch, mask_words;
	uint64_t *mask, *address;
	struct ws_path path[WS_PATHS];
	size_t paths;
	const uint64_t **column; /* address, per instruction of a segment */
	uint64_t **each;	 /* the same */
	enum ws_status each_status; /* of config->each */
	struct ws_err each_err;
	uint8_t *frame;		 /* of a kernel in parts: frames of all lanes */
	size_t frame_bytes;
	bool wide;		 /* so many follow each other in x */
	uint64_t rows, parted;	 /* in this CTA: so many together, and those who parted */
	uint8_t *local;          /* __local memory: arguments, then variables */
	size_t local_bytes;
	uint8_t **local_variable;
	void **value; /* the kernel's arguments, __local ones our own */
	uint8_t **local_argument;
	enum fault fault;
	uint32_t fault_lane, fault_instruction, wanted_alignment;
	uint64_t fault_address, cta, group[3];
	size_t next_lane;	     /* the first that has not begun */
	uint64_t all_used, barriers; /* of all lanes, in this CTA */
	struct unmet *unmet;	     /* by segment, since it was made */
	uint64_t *mark;		     /* by segment, of its last step: stalls.c */
	uint64_t stale, patience, stops;
	uint32_t stale_segment;
	bool stalls, novel; /* now; in this turn: more than stale steps */
	bool placed;	     /* what no CTA changes is in the lanes */
	bool begun, waits;	     /* waits: some wait for other CTAs, and no other can go on */
	bool apart;		     /* lanes that wait for their warp go on without the others */
	sigjmp_buf crash;            /* where a crash on a fibre goes on */
	int crash_signal;
	struct ws_lane_ctx *running;
	struct ws_outside_run *outside;
	void *signal_stack;
	stack_t signal_before; /* of the thread */
	bool on_thread;
	uint8_t *memory; /* holds all of the above but the stacks */
	size_t memory_bytes;
	struct ws_packer *packer;
	struct ws_cta_run *next; /* of those that are kept */
};

/* It waits for another CTA. */
static inline bool ws_lane_waits(const struct ws_cta_run *r, size_t lane)
{
	return r->head[lane] == HEAD_BLOCKED && r->lane[lane].state == LANE_WAIT;
}

/* Called on the lane's fibre: it says why it waits, and returns when it is resumed. */
static inline void ws_lane_yield(struct ws_lane_ctx *ctx, enum lane_state state)
{
	ctx->state = (int)state;
	ws_fibre_yield(ctx->run->fibres, ctx);
}

/* ---- faults.c ---- */
/* The error of r->fault. */
enum ws_status ws_fault_report(const struct ws_cta_run *r, struct ws_err *err) WS_MUST_CHECK;
/* Two work-items wait at different barriers. */
enum ws_status ws_fault_divergent(const struct ws_cta_run *r, uint32_t lane, uint32_t other_lane,
				  struct ws_err *err) WS_MUST_CHECK;

/* ---- crash.c ---- */
/* The CTA that this thread runs from now on, whose crashes go on at r->crash; NULL: none. */
void ws_crash_watch(struct ws_cta_run *r);

/* ---- meet.c ---- */
/* Those of the warp that can meet have met (meeting[].met); false: none can. */
bool ws_warp_meets(struct ws_cta_run *r, size_t warp);
/* Where no warp's can: does one, r->fault_lane, wait for lanes that do not come? */
bool ws_meeting_stuck(struct ws_cta_run *r);

/* ---- unmet.c ---- */
/* The barrier of a segment has opened, and so many had ended before; 0: nothing. */
void ws_unmet_note(struct ws_cta_run *r, uint32_t segment, uint64_t ended);

/* ---- stalls.c ---- */
void ws_stall_begin(struct ws_cta_run *r); /* a CTA; */
void ws_stall_turn(struct ws_cta_run *r);  /* its turn; */
void ws_stall_step(struct ws_cta_run *r, uint32_t segment); /* a step: sets r->stalls, as do */
/* work-items that go on from a barrier, or from so many meetings. */
void ws_stall_stop(struct ws_cta_run *r, unsigned stops);

/* ---- paths.c ---- */
void ws_paths_begin(struct ws_cta_run *r);
/* What x has recorded since it was resumed.  False: work-items must be merged one by one. */
bool ws_paths_add(struct ws_cta_run *r, const struct ws_lane_ctx *x);
/* The next step: its segment, and r->mask; false: there is none. */
bool ws_paths_step(struct ws_cta_run *r, uint32_t *segment);

#endif
