/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/wake.h -- an SM's sleeping warps: a heap by cycle, then slot.
 *
 * ws_sleep_until, ws_wake_first: O(log warps that sleep)
 */
#ifndef WS_TRACE_ORDER_WAKE_H
#define WS_TRACE_ORDER_WAKE_H

#include "trace/order/sm.h"

static inline bool ws_wake_earlier(const struct ws_wake *a, const struct ws_wake *b)
{
	return a->cycle < b->cycle || (a->cycle == b->cycle && a->slot < b->slot);
}

static inline void ws_sleep_until(struct ws_sm *sm, size_t slot, uint64_t cycle)
{
	struct ws_wake wake = { cycle, slot };
	size_t i = sm->wakes++;

	for (; i && ws_wake_earlier(&wake, &sm->wake[(i - 1) / 2]); i = (i - 1) / 2)
		sm->wake[i] = sm->wake[(i - 1) / 2];
	sm->wake[i] = wake;
}

static inline size_t ws_wake_first(struct ws_sm *sm)
{
	size_t slot = sm->wake[0].slot, i = 0, n = --sm->wakes;
	struct ws_wake wake = sm->wake[n];

	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		child += child + 1 < n && ws_wake_earlier(&sm->wake[child + 1], &sm->wake[child]);
		if (!ws_wake_earlier(&sm->wake[child], &wake))
			break;
		sm->wake[i] = sm->wake[child];
	}
	sm->wake[i] = wake;
	return slot;
}

#endif
