/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/crawford.h -- the entries of Crawford's memory traces, and the order in which a
 * warp's lanes execute them.
 *
 * Private to trace/import/.  Source: Crawford, "GPU L1 Cache Model for OpenCL Programs",
 * Edinburgh 2014, sections 4.3, 4.4 and 5.3.
 */
#ifndef WS_IMPORT_CRAWFORD_H
#define WS_IMPORT_CRAWFORD_H

#include "trace/import/text.h"

#define WS_CRAWFORD_WARP 32u	/* lanes: the trace is of work-items and leaves that open */
#define WS_CRAWFORD_LOOPS 3u
#define WS_CRAWFORD_BARRIER UINT32_MAX

struct ws_crawford {		/* one line: an access or a barrier of a work-item */
	uint64_t item;		/* as written: 20 bits a dimension; later CTA and lane */
	uint64_t number;	/* in the file: what a work-item does, it does in this order */
	uint64_t loops;		/* as written */
	uint32_t address;
	uint32_t instruction;	/* its name as a number in base 36; or WS_CRAWFORD_BARRIER */
	bool store;
};

/* Whether they are one warp instruction. */
static inline bool ws_crawford_together(const struct ws_crawford *a, const struct ws_crawford *b)
{
	return a->instruction == b->instruction && a->loops == b->loops && a->store == b->store;
}

/* Passes a launch's sorted entries to the builder.  local: work-items of a work-group. */
enum ws_status ws_crawford_launch(struct ws_packed *s, struct ws_builder *b,
				  const uint64_t local[3], struct ws_crawford *entry, size_t count,
				  struct ws_err *err) WS_MUST_CHECK;

#endif
