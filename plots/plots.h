/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/plots.h -- figures through gnuplot.
 *
 * One row of ws_figures per figure: a template (data/plot/NAME.gp) and a function that
 * writes its data.  The output's format is its ending's: ws_figure_endings.
 */
#ifndef WS_PLOTS_H
#define WS_PLOTS_H

#include "study/study.h"

WS_API_BEGIN

/* Of the figure bars.  Columns are named as in the table's header. */
struct ws_bars {
	const char *value;	/* the column that is drawn; NULL: miss_ratio */
	const char *group;	/* its cells name the groups of bars; NULL: kernel.  Of
				 * hardware-budget: the item of the rows; NULL: gpu */
	const char *bar;	/* "COLUMN,...": their cells name a group's bars; NULL: the first
				 * column, if it is not the groups' */
	const char *base;	/* "COLUMN=VALUE": each bar is divided by its like there, which is
				 * not drawn; NULL: none */
	const char *mean;	/* its cells say what means are taken over besides all; NULL:
				 * nothing */
	const char *const *where; /* "COLUMN=VALUE": only such rows; of one column, any of them */
	size_t wheres;
};

struct ws_figure_input {
	const struct ws_profile *profile; /* figures made of profiles */
	const struct ws_trace *trace;	/* figures made of traces */
	const struct ws_in *table;	/* figures made of tables: tsv or csv */
	const char *source;		/* what the table is of; NULL: its file's name */
	const char *title;		/* the first line; NULL: says what is drawn; "": no
					 * title, and no second line */
	const char *keep;		/* a folder, made if it is not there, that gets the script
					 * with its data, under the figure's name: gnuplot draws
					 * the figure again from it alone; NULL: none */
	const char *caption;		/* a file that gets a text on what is drawn; NULL: none */
	unsigned scale;			/* of a .png: pixels for each of width, 1 to 16; 0: 1 */
	const struct ws_machine *machine; /* of profiles and traces */
	const char *kernel;		/* NULL: the first; request-sizes: all */
	uint64_t seed;
	const char *order;		/* access: warp, sequential, round-robin, random */
	uint64_t period;		/* request-sizes: requests of a step, 0: what makes 250
					 * steps */
	struct ws_bars bars;
	bool no_sync;			/* as in struct ws_out */
};

enum ws_figure_needs { WS_FIGURE_PROFILE, WS_FIGURE_TRACE, WS_FIGURE_TABLE }; /* what a figure is
									       * made of */

struct ws_figure {
	const char *name;	/* "reuse" */
	const char *summary;
	enum ws_figure_needs needs;
	bool cycles;		/* simulated in time: every key of the machine counts */
	/* Writes the data block and the variables the template reads onto *script. */
	enum ws_status (*data)(const struct ws_figure_input *in, struct ws_buf *script,
			       struct ws_err *err);
};

extern const struct ws_figure *const ws_figures[]; /* NULL-terminated */
const struct ws_figure *ws_figure_find(const char *name);

extern const char ws_figure_endings[]; /* ".svg, .png, ... or .tex" */

/* Draws to path, whose ending says how; .tex is LaTeX that includes a .pdf, which is written beside
 * it under its name.  gnuplot is run.  width in pixels or 1/100 inch, 240 to 1200, 0: 800.  Errors:
 * an ending unknown, gnuplot missing (what to install), gnuplot's own message. */
enum ws_status ws_plot(const struct ws_figure *f, const struct ws_figure_input *in,
		       const char *path, unsigned width, struct ws_err *err) WS_MUST_CHECK;

WS_API_END
#endif
