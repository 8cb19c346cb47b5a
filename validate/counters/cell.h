/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/counters/cell.h -- what the cells of profilers' tables say.
 */
#ifndef WS_COUNTERS_CELL_H
#define WS_COUNTERS_CELL_H

#include "validate/counters.h"

#define WS_CELL_MOST 1e18	/* counters are below it */

enum ws_cell_says { WS_CELL_NUMBER, WS_CELL_MISSING, WS_CELL_WRONG };

/* "1,234.5", "1.024e+03", "55.3%": the number, and the text after it, which may be a unit.
 * Missing: nothing, n/a, <OVERFLOW>, nan, inf.  Wrong: else, and negative or beyond the most. */
enum ws_cell_says ws_cell_number(const char *text, double *value, const char **unit);
/* "(256, 1, 1)", "256,1,1": true, and each at least 1. */
bool ws_cell_triple(const char *text, uint64_t v[3]);
/* What a unit multiplies a number by: 1000 of Kbyte, 1024 of nvprof's KB, 1 of sector or of none;
 * what is after a slash does not matter.  False: no unit that counters have. */
bool ws_cell_unit(const char *text, enum ws_gpu_profiler profiler, double *factor);
/* The function's name in "void ns::f<int>(float *, int) [clone .kd]": ns::f<int>; allocated. */
char *ws_cell_kernel(const char *text);
/* Does name fit the pattern, in which * is digits? */
bool ws_cell_fits(const char *pattern, const char *name);

#endif
