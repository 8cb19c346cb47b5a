/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/windows.h -- reuse windows the slow way: each window is walked from one reference to
 * the line to the next, and what lies between is counted.  O(count * window).
 */
#ifndef WS_REF_WINDOWS_H
#define WS_REF_WINDOWS_H

#include "stackdist/record/detail.h"

/* The whole stream of one SM in one launch; adds to *to.  Reads
 * count, request[].kind, id, set and type.  False: out of memory. */
bool ref_windows(const struct ws_batch *stream, struct ws_detail *to);

#endif
