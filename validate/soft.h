/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/soft.h -- the threads' lines, for the two that drive them: soft.c by a CTA's steps,
 * soft_streams.c by warps in a machine's order.
 */
#ifndef WS_SOFT_H
#define WS_SOFT_H

#include "validate/validate.h"

struct soft_line {
	uint64_t number;	/* address / line_bytes */
	bool there;
	uint64_t mask[(1u << WS_SOFT_LINE_BITS) / 64];
};

struct soft_threads {		/* of a CTA */
	struct soft_line *line;	/* [thread * structures + structure] */
	uint64_t *calls;	/* [thread] */
};

struct ws_softsim {
	struct ws_launch launch; /* a copy of the struct */
	struct ws_soft soft;
	size_t threads, structures;
	struct soft_threads cta; /* the one whose steps are given */
	bool begun, chosen;	/* a CTA; the second time */
	bool *stored, *use;	/* [structure]: read-write; chosen */
	struct ws_soft_counts *counts; /* [structure] */
	uint64_t barriers, past, instructions;
	struct ws_soft_result choice;
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
void soft_empty(struct ws_softsim *s, struct soft_threads *cta, size_t thread, size_t structure,
		struct soft_out *out);
/* All CTAs' steps the first time, and the choice. */
enum ws_status soft_monitor(struct ws_softsim *s, struct ws_decoder *d,
			    struct ws_err *err) WS_MUST_CHECK;
#endif
