/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/script.h -- gnuplot text: numbers and names onto a growing script.
 *
 * Only integers are written, so that no locale's decimal comma gets in; templates divide.
 */
#ifndef WS_PLOTS_SCRIPT_H
#define WS_PLOTS_SCRIPT_H

#include "plots/plots.h"

/* 'text' as a gnuplot string in which nothing is special, control characters as blanks. */
void ws_script_quote(struct ws_buf *script, const char *text);
/* name = 'text' */
void ws_script_string(struct ws_buf *script, const char *name, const char *text);
void ws_script_u64(struct ws_buf *script, const char *name, uint64_t value);

/* source: what a table is of, without its folders. */
void ws_script_source(struct ws_buf *script, const struct ws_figure_input *in);

/* The section of in->profile that in->kernel names (NULL: the first). */
enum ws_status ws_script_section(const struct ws_figure_input *in, size_t *section,
				 struct ws_err *err) WS_MUST_CHECK;
/* The variables of every title: kernel, launch ("128x8 CTAs of 16x16"), machine, cache. */
void ws_script_title(struct ws_buf *script, const char *kernel, const uint64_t grid[3],
		     const uint64_t block[3], const struct ws_machine *m);
/* The same of a launch, and the machine as it is while that runs. */
void ws_script_launch(struct ws_buf *script, const struct ws_launch *l, const struct ws_machine *m);
/* One more than the longest distance that a histogram of so many cells can have counted. */
uint64_t ws_script_distances(size_t cells);
/* "16 KiB", "24 B": as few digits as are exact. */
void ws_script_bytes(char text[32], uint64_t bytes);

#endif
