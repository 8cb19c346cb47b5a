/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * softcache/simulate.h -- the threads' lines, for those that drive them: simulate.c by a CTA's
 * steps, rewrite.c likewise, streams.c by warps in a machine's order.
 */
#ifndef WS_SOFT_H
#define WS_SOFT_H

#include "softcache/softcache.h"

struct soft_line {
	uint64_t number;	/* address / line_bytes */
	bool there;
	uint64_t mask[(1u << WS_SOFT_LINE_BITS) / 64];
};

struct soft_threads {		/* of a CTA */
	struct soft_line *line;	/* [thread * structures + structure] */
	bool *use;		/* likewise: it has a line for it, after monitoring */
	uint64_t *hits;		/* likewise, while it monitored; by_thread */
	uint64_t *calls, *in_use; /* [thread]; lines */
};

struct ws_softsim {
	struct ws_launch launch; /* a copy of the struct */
	struct ws_soft soft;
	size_t threads, structures;
	struct soft_threads cta; /* the one whose steps are given */
	bool begun, chosen;	/* a CTA; the second time */
	bool *stored, *use;	/* [structure]: read-write; chosen for the launch */
	struct ws_soft_counts *counts; /* [structure] */
	uint64_t *choosers;	/* [structure]: threads */
	uint64_t barriers, past, instructions;
	struct ws_soft_result choice, own; /* the launch's; by_thread, scratch for a thread's */
};

enum ws_status soft_threads_new(struct soft_threads *t, const struct ws_softsim *s,
				struct ws_err *err) WS_MUST_CHECK;
void soft_threads_clear(struct soft_threads *t);

struct soft_access {		/* one of a thread */
	size_t thread, structure;
	unsigned kind;
	uint64_t first, last;	/* bytes */
	bool through;		/* looks up a line: soft_look_up each that it touches, ascending */
};

struct soft_out {		/* what a thread sends to memory: the line's number */
	bool store, load;
	uint64_t stored, loaded;
};

/* False: an instruction that is none of the cache's.  *out: what an atomic writes back. */
bool soft_begin(struct ws_softsim *s, struct soft_threads *cta, size_t thread,
		uint32_t instruction, uint64_t address, struct soft_access *a,
		struct soft_out *out);
void soft_look_up(struct ws_softsim *s, struct soft_threads *cta, const struct soft_access *a,
		  uint64_t line, struct soft_out *out);
/* A barrier or an end, but for the count of it: of one line. */
void soft_leave(struct ws_softsim *s, struct soft_threads *cta, size_t thread, size_t structure,
		struct soft_out *out);
/* Is it past its monitoring phase, and does it have a line for that structure? */
bool soft_past(const struct ws_softsim *s, const struct soft_threads *cta, size_t thread);
bool soft_uses(const struct ws_softsim *s, const struct soft_threads *cta, size_t thread,
	       size_t structure);
/* All CTAs' steps the first time, and the choice. */
enum ws_status soft_monitor(struct ws_softsim *s, struct ws_decoder *d,
			    struct ws_err *err) WS_MUST_CHECK;

/* ---- the static part of a rewritten launch (program.c) ------------------------------ */

/* The launch's own instructions and segments keep their numbers; behind them are the cache's. */
struct soft_program {
	struct ws_launch launch; /* instructions and segments are its own, all else the
				  * original's */
	uint32_t *single;	/* [instruction]: the segment of it alone */
	uint32_t *back, *fetch;	/* [instruction]: those of a line that is written back or fetched
				 * before it */
	uint32_t *empty;	/* [structure]: of a line that is written back at a barrier */
	uint32_t barrier;	/* of nothing but a barrier */
	struct soft_run {	/* of nothing but other instructions, by their number */
		uint32_t instructions, segment;
	} *run;
	size_t runs, run_cap, instruction_cap, segment_cap;
};

/* What a line that is fetched takes besides the load, and after it; one that may be written back
 * besides the store, and before it. */
#define SOFT_FETCHED (WS_SOFT_DO_FETCH - 1u)
#define SOFT_TAKEN_OUT (WS_SOFT_DO_FETCH - 1u)
#define SOFT_SHARED 1u		/* the access to shared memory, which takes the place of another */

enum ws_status soft_program_new(struct soft_program *p, const struct ws_launch *l,
				const struct ws_soft *soft, struct ws_err *err) WS_MUST_CHECK;
void soft_program_clear(struct soft_program *p);
/* The segment of so many other instructions, of those that there are. */
uint32_t soft_program_run(const struct soft_program *p, uint64_t instructions);
#endif
