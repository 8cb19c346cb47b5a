/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/advise.h -- changes that make a kernel faster, each of them simulated; not installed.
 *
 * Of each kernel of a trace:
 *
 *   scan     what its accesses have in common: sectors that a warp instruction asks for and could
 *            do with, lanes that are active, distances between lanes, rows and steps
 *   offers   changes that this makes worth trying: other addresses of arrays, other lanes for the
 *            work-items, fewer CTAs on an SM, loops by pieces, accesses past the L1, an array in
 *            shared memory, a software cache, another key of the machine
 *   measure  the kernel's trace with the change made in it (rewrite.c), in the cycle simulator
 *
 * Advice is an offer that takes fewer cycles there.  Its error is how far the gain moves when the
 * arrays lie elsewhere, and when accesses with another index need two instructions more (four if
 * work-items change places, eight with a software cache); at least WS_ADVICE_ERROR_MIN, and some of
 * the cycles that are left where code changes besides.  Offers whose gain is not larger than their
 * error are dropped.
 *
 * Of a kernel of many requests a sample is simulated in place of all of it (sample.c): the counts
 * are estimates of the whole then, and the error has that of the sample, too.
 *
 * Cost: some 10 to 60 simulations of the kernel or sample (ws_cycles_run), and three of each that
 * gains.
 */
#ifndef WS_ADVISE_H
#define WS_ADVISE_H

#include "study/study.h"

#define WS_ADVICE_ERROR_MIN 0.5	/* percent of the cycles */

enum ws_advice_kind {
	WS_ADVICE_UNCOALESCED, WS_ADVICE_CONFLICT, WS_ADVICE_RESIDENCY, WS_ADVICE_TILE,
	WS_ADVICE_STREAMING, WS_ADVICE_DIVERGENCE, WS_ADVICE_SHARED, WS_ADVICE_SOFTWARE,
	WS_ADVICE_WRITE, WS_ADVICE_REPLACEMENT,
	WS_ADVICES
};
struct ws_advice_row {
	const char *name;	/* [a-z ]+: "uncoalesced" */
	const char *meaning;	/* what it says of the kernel */
};
extern const struct ws_advice_row ws_advice_rows[WS_ADVICES];

struct ws_advice_counts {	/* of all launches of the kernel, in the cycle simulator */
	uint64_t cycles, requests, misses; /* of the L1s, all kinds; misses with pending hits if the
					    * machine counts them so */
};

#define WS_ADVICE_TEXT 256u

struct ws_advice {
	enum ws_advice_kind kind;
	bool of_machine;	/* a change of the cache, not of the kernel */
	char *kernel;
	char array[64];		/* "": of none in particular */
	char source[96];	/* FILE:LINE that shows it most; "": of none in particular */
	char change[WS_ADVICE_TEXT], evidence[WS_ADVICE_TEXT]; /* sentences without full stop */
	struct ws_advice_counts before, after;
	double gain, error;	/* percent of the cycles before */
	double sample;		/* percent of the kernel's requests that were simulated */
};

struct ws_advice_list {		/* zero is empty */
	struct ws_advice *advice; /* by kernel, in order of first launch; changes of the kernel
				   * before those of the machine, and shared memory and a
				 * software cache between the two; most gain first */
	size_t count, cap;
	uint64_t tried;		/* offers that were simulated */
	uint64_t sampled;	/* kernels of which a sample was */
};
void ws_advice_list_clear(struct ws_advice_list *list);

struct ws_advise_options {
	const struct ws_study_options *study; /* seed, threads, kernel, note, detail */
	bool kernel_only;	/* changes of the kernel alone */
	bool whole;		/* all of each kernel, not a sample of a large one */
	uint64_t sample;	/* requests of a simulation, about, of all kernels; 0: 550 000 */
	/* After each simulation, one call at a time; total grows as offers are found. */
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *context;
};

/* Errors: as ws_cycles_run. */
enum ws_status ws_advise(const struct ws_trace *t, const struct ws_machine *m,
			 const struct ws_advise_options *o, struct ws_advice_list *out,
			 struct ws_err *err) WS_MUST_CHECK;

/* ---- what the warp instructions of each source line ask for (advise/lines.c) ---------------- */

struct ws_line_sum {
	char source[96];	/* FILE:LINE without folders; "?": unknown */
	uint64_t instructions;	/* of warps, to global memory */
	uint64_t sectors;	/* that they ask for */
	uint64_t needed;	/* ... and that would do, if lanes had neighbouring elements */
};
struct ws_line_sums {		/* zero is empty */
	struct ws_line_sum *line;
	size_t count, cap;
};
/* Of all launches of the kernel; m as it was given.  *out is cleared by ws_line_sums_clear; on
 * failure it is empty. */
enum ws_status ws_line_sums_make(struct ws_line_sums *out, const struct ws_trace *t,
				 const struct ws_machine *m, const char *kernel,
				 struct ws_err *err) WS_MUST_CHECK;
/* NULL: the line asks for nothing.  line 0: those of no known line. */
const struct ws_line_sum *ws_line_sums_of(const struct ws_line_sums *sums, const char *file,
					  uint32_t line);
void ws_line_sums_clear(struct ws_line_sums *sums);

#endif
