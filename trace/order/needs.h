/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/needs.h -- a warp's loads in flight: which of its ops to come wait for data, and
 * until when.
 *
 * A list by the op's number.  Without a unit (struct ws_lsu) it is known when data is back, and a
 * load that is back no later than one needed before it is left out; with one each load has an entry
 * of its own, until the unit says.  O(loads in flight) each.
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

/* With a unit: by at alone, each load's own. */
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

/* With a unit: when the op at hand can have its data; 0 if it needs none, WS_NEVER: not known. */
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
