/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/report.h -- a report on kernels and their caches, as one HTML file; not installed.
 *
 * The file refers to nothing outside itself.  It is well-formed XML, too.  All figures are tables
 * as well, and every text that comes from an input is escaped.  The same input gives the same
 * bytes.
 */
#ifndef WS_REPORT_H
#define WS_REPORT_H

#include "study/advise.h"
#include "validate/counters.h"

#define WS_REPORT_KERNELS 12u	/* shown, of those with the most requests */

struct ws_report_input {
	const struct ws_profile *profile; /* what everything but advice is computed from */
	const struct ws_trace *trace; /* NULL: none; else what the profile was made of */
	const struct ws_machine *machine;
	const struct ws_counters *counters; /* of a GPU that ran the kernels; NULL: none */
	const struct ws_study_options *study;
	const struct ws_advice_list *advice; /* NULL: not asked for */
	const char *name;	/* of the input */
	const char *made;	/* how: "warpstack 0.2.0 report mm.wst" */
	const char *commands;	/* that print the same numbers, a line each */
	const char *sources;	/* a folder where the files of the kernels are looked for besides
				 * their own; NULL: none */
};

/* A range of l1.sets: of the machine's line, up to six set counts that the profile holds, and its
 * own. */
void ws_report_sets(const struct ws_profile *profile, const struct ws_machine *m, char *text,
		    size_t len);
/* Appends the file to *html.  Errors: as ws_study_predict. */
enum ws_status ws_report_make(const struct ws_report_input *in, struct ws_buf *html,
			      struct ws_err *err) WS_MUST_CHECK;
/* The set counts of a profile that a report can be made of: powers of two that the machine's hash
 * takes, and its own. */
enum ws_status ws_report_shapes(const struct ws_machine *m, struct ws_shapes *shapes,
				struct ws_err *err) WS_MUST_CHECK;

#endif
