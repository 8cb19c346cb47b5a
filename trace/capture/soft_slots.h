/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/soft_slots.h -- counters of a software cache, of each structure WS_SLOTS; one more
 * of the launch comes first.  For C and for OpenCL C.
 */
#ifndef WS_SOFT_SLOTS_H
#define WS_SOFT_SLOTS_H

#define WS_SLOT_LEFT 0u		/* threads at barriers and ends, past monitoring */
#define WS_SLOT_FIRST 1u	/* of the first structure */

enum {	/* those with a kind: loads, stores, atomics */
	WS_SLOT_ACCESSES = 0,
	WS_SLOT_DIRECT = 3,
	WS_SLOT_HITS = 6,
	WS_SLOT_MISSES = 8,
	WS_SLOT_MONITORED = 10,
	WS_SLOT_MONITOR_HITS,
	WS_SLOT_WRITE_BACKS,
	WS_SLOT_WRITE_BACK_BYTES,
	WS_SLOT_ATOMICS,
	WS_SLOT_EMPTIED,
	WS_SLOTS,
};

#endif
