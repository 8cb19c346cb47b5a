/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/format/lone.h -- the accesses of launches of one thread, in a file that only this process
 * sees.
 *
 * Private to trace/.  Other tools' traces of a single thread have no order to find, and may be
 * longer than memory.  They are not made into a CTA, which is unpacked as a whole, but kept as a
 * list that is read from front to back.  A trace of them is opened by ws_lone_open; its decoders,
 * and ws_order_run, read the list in blocks.
 *
 * A step is one execution of an item, which is what becomes a segment (trace/import/builder.h).
 * Steps go in blocks of at most WS_LONE_STEPS, in columns:
 *
 *	u16	steps
 *	column	items
 *	column	addresses; of an item without an access the address before
 *
 * A column is
 *
 *	u64	the least
 *	u8	zero bits at the end of all differences from it, which are shifted by so many
 *	u8	bytes of each, 0..8; 0: there is none
 *	u*	the differences
 */
#ifndef WS_LONE_H
#define WS_LONE_H

#include "trace/format/wst.h"

#define WS_LONE_STEPS 256u
#define WS_LONE_BLOCK (256u << 10)
#define WS_LONE_SPARE 8u	/* bytes that may be read, or written, past those meant */
#define WS_LONE_COLUMN_MAX (10u + 8u * WS_LONE_STEPS)
#define WS_LONE_PACKED_MAX (2u + 2u * WS_LONE_COLUMN_MAX) /* bytes of a block of steps */

/* ---- writing ------------------------------------------------------------------------------- */

struct ws_lone_writer {
	int fd;			/* -1: no file yet */
	uint64_t item[WS_LONE_STEPS], address[WS_LONE_STEPS];
	size_t steps;		/* of these, not packed yet */
	uint64_t last;		/* address */
	uint8_t *data;		/* [WS_LONE_BLOCK + WS_LONE_PACKED_MAX + WS_LONE_SPARE] */
	size_t len;
	uint64_t written;	/* bytes before those in data */
	struct ws_trace_section *section; /* launches that have ended */
	size_t sections, cap;
};

enum ws_status ws_lone_writer_init(struct ws_lone_writer *w, struct ws_err *err) WS_MUST_CHECK;
/* Packs the steps at hand. */
enum ws_status ws_lone_pack(struct ws_lone_writer *w, struct ws_err *err) WS_MUST_CHECK;
void ws_lone_writer_clear(struct ws_lone_writer *w);

/* address NULL: the item has no access. */
static inline enum ws_status ws_lone_put(struct ws_lone_writer *w, uint32_t item,
					 const uint64_t *address, struct ws_err *err)
{
	if (address)
		w->last = *address;
	w->item[w->steps] = item;
	w->address[w->steps] = w->last;
	return ++w->steps < WS_LONE_STEPS ? WS_OK : ws_lone_pack(w, err);
}

/* The launch is over: *l is taken over.  segment: [items], taken over, too. */
enum ws_status ws_lone_launch(struct ws_lone_writer *w, struct ws_launch *l, uint32_t *segment,
			      size_t items, struct ws_err *err) WS_MUST_CHECK;
/* A trace of the launches.  name is for messages. */
enum ws_status ws_lone_open(struct ws_trace **out, struct ws_lone_writer *w, const char *name,
			    struct ws_err *err) WS_MUST_CHECK;

/* ---- reading -------------------------------------------------------------------------------- */

struct ws_lone_steps {		/* those of a block */
	size_t count;
	uint64_t segment[WS_LONE_STEPS]; /* one without instructions has no address */
	uint64_t address[WS_LONE_STEPS];
};

struct ws_lone_reader;
bool ws_trace_lone(const struct ws_trace *t, size_t launch); /* has it such a list? */
enum ws_status ws_lone_reader_new(struct ws_lone_reader **out, const struct ws_trace *t,
				  size_t launch, struct ws_err *err) WS_MUST_CHECK;
void ws_lone_rewind(struct ws_lone_reader *r);
/* The next steps, until the next call; count 0: no more. */
enum ws_status ws_lone_read(struct ws_lone_reader *r, const struct ws_lone_steps **out,
			    struct ws_err *err) WS_MUST_CHECK;
/* The next one alone; *more false: there is none.  Not to be mixed with ws_lone_read. */
enum ws_status ws_lone_next(struct ws_lone_reader *r, uint32_t *segment, uint64_t *address,
			    bool *more, struct ws_err *err) WS_MUST_CHECK;
void ws_lone_reader_free(struct ws_lone_reader *r);

#endif
