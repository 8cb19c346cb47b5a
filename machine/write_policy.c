/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/write_policy.c -- the one list of write policies: a store's effect on its line, and
 * whether it goes on to the next level.  To add one: a constant in enum ws_write, and its row here.
 */
#include "machine/machine.h"

/* Constant, name, act, through, and what GPGPU-Sim says: write policy, allocation, write miss, for
 * a line that is reserved on a miss and for one that comes on a fill.  (f with B deadlocks
 * there.) */
#define WRITES(X) \
	X(WS_WRITE_BACK, "write-back", WS_ACT_FETCH, false, "B:m:L", "B:m:L") \
	X(WS_WRITE_THROUGH, "write-through", WS_ACT_TOUCH, true, "T:m:N", "T:f:N") \
	X(WS_WRITE_THROUGH_ALLOCATE, "write-through-allocate", WS_ACT_FETCH, true, "T:m:L", \
	  "T:f:W") \
	X(WS_WRITE_EVICT, "write-evict", WS_ACT_EVICT, true, "L:m:N", "L:f:N")

#define ROW(write, name, act, through, on_miss, on_fill) \
	[write] = { act, through, { [WS_ALLOC_ON_MISS] = on_miss, [WS_ALLOC_ON_FILL] = on_fill } },
#define NAME(write, name, act, through, on_miss, on_fill) [write] = name,

const struct ws_write_policy ws_write_policies[WS_WRITES] = { WRITES(ROW) };
const char *const ws_write_names[WS_WRITES + 1] = { WRITES(NAME) };

const char *ws_write_name(enum ws_act store, bool through)
{
	for (unsigned i = 0; i < WS_WRITES; i++)
		if (ws_write_policies[i].store == store && ws_write_policies[i].through == through)
			return ws_write_names[i];
	return NULL;
}
