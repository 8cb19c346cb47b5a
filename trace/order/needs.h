/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/needs.h -- a warp's outstanding loads: which of its next ops wait for data, and until
 * when.
 *
 * A list in order of ops.  Without a unit (struct ws_lsu) the time of data is known at issue, and a
 * load that returns no later than an earlier need is left out.  With a unit each load has an entry
 * until the unit reports its data.  O(outstanding loads) each.
 */
#ifndef WS_TRACE_ORDER_NEEDS_H
#define WS_TRACE_ORDER_NEEDS_H

#include <string.h>

#include "trace/order/sm.h"

static inline bool ws_need_add(struct ws_warp *w, uint64_t at, uint64_t back)
{
	size_t i = w->needs, end;

	while (i && w->need[i - 1].at >= at)
		i--;
	/* [0, i) come before; those from i on that are back no later say nothing more. */
	if ((i && w->need[i - 1].back >= back) ||
	    (i < w->needs && w->need[i].at == at && w->need[i].back >= back))
		return true;
	for (end = i; end < w->needs && w->need[end].back <= back; end++)
		continue;
	if (!WS_ROOM(w->need, w->need_cap, w->needs + 1))
		return false;
	memmove(&w->need[i + 1], &w->need[end], (w->needs - end) * sizeof *w->need);
	w->needs += 1 - (end - i);
	w->need[i] = (struct ws_need){ .at = at, .back = back };
	return true;
}

/* With a unit: ordered by `at`, one entry for each load. */
static inline bool ws_need_open(struct ws_warp *w, uint64_t at, uint32_t ticket)
{
	size_t i = w->needs;

	if (!WS_ROOM(w->need, w->need_cap, w->needs + 1))
		return false;
	for (; i && w->need[i - 1].at > at; i--)
		w->need[i] = w->need[i - 1];
	w->need[i] = (struct ws_need){ .at = at, .back = WS_NEVER, .ticket = ticket };
	w->needs++;
	return true;
}

static inline void ws_needs_drop_met(struct ws_warp *w, uint64_t cycle)
{
	size_t kept = 0;

	for (size_t i = 0; i < w->needs; i++) {
		if (w->need[i].back <= cycle)
			continue;
		if (kept < i) /* copying what was just written in parts stalls the store buffer */
			w->need[kept] = w->need[i];
		kept++;
	}
	w->needs = kept;
}

/* With a unit: when the current op's data is there; 0: it needs none, WS_NEVER: unknown. */
static inline uint64_t ws_needs_back(const struct ws_warp *w)
{
	uint64_t back = 0;

	for (size_t i = 0; i < w->needs && w->need[i].at <= w->at; i++)
		back = w->need[i].back > back ? w->need[i].back : back;
	return back;
}

static inline void ws_needs_drop(struct ws_warp *w, uint64_t cycle)
{
	size_t n = 0;

	while (n < w->needs && w->need[n].back <= cycle)
		n++;
	w->needs -= n;
	if (n)
		memmove(w->need, w->need + n, w->needs * sizeof *w->need);
}

#endif
