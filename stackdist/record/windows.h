/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/windows.h -- private: the log of the windows recorder, between the part that
 * writes it (windows.c, which says how it works) and the part that sums it (settle.c).
 */
#ifndef WS_STACKDIST_WINDOWS_H
#define WS_STACKDIST_WINDOWS_H

#include "stackdist/record/pairs.h"

#define WS_NO_ENTRY 0u		/* no entry, no block: block 0 is there, but of no set */
#define WS_NO_SET UINT32_MAX
#define WS_END_LIVE 0xfeu	/* the window has not ended */
#define WS_END_NONE 0xffu	/* there is no window */

struct ws_log_block {
	uint64_t first;		/* references to the set before it */
	uint32_t set;		/* WS_NO_SET: free, or done with */
	uint32_t next;		/* free block */
};

struct ws_windows {
	const struct ws_pairs_loops *loops;
	struct ws_pairs pairs;
	uint64_t sets;
	uint32_t *open;		/* by set: the entry its next reference will be, or WS_NO_ENTRY */
	uint32_t *last;		/* by line: the entry that began its window, or WS_NO_ENTRY */
	size_t lines_cap;
	struct ws_log_block *block;
	uint16_t *live;		/* by block: its size less windows ended and EVICTs */
	uint64_t *before;	/* [block][type] */
	uint8_t *type, *end;	/* by entry, block << WS_LOG_BITS | place */
	size_t blocks, cap;
	uint32_t free;
};

static inline uint64_t *ws_log_before(const struct ws_windows *w, uint32_t b)
{
	return w->before + (size_t)b * WS_TYPES;
}

static inline uint8_t *ws_log_types(const struct ws_windows *w, uint32_t b)
{
	return w->type + ((size_t)b << WS_LOG_BITS);
}

static inline uint8_t *ws_log_ends(const struct ws_windows *w, uint32_t b)
{
	return w->end + ((size_t)b << WS_LOG_BITS);
}

/* The block has `count` entries and gets no more: to[j] = its before[j] + its entries of type j.
 * The windows that they ended are counted. */
void ws_windows_count(const struct ws_windows *w, uint32_t b, unsigned count, uint64_t *to,
		      struct ws_detail *sums);
/* Adds the terms of the block's entries. */
void ws_windows_settle(struct ws_windows *w, uint32_t b, unsigned count, struct ws_detail *sums);

#endif
