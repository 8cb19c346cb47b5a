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
 * A record is one execution of an item, which is what becomes a segment (trace/import/builder.h):
 *
 *	u8	bytes of the address that follow, 0..8; WS_LONE_ITEM; WS_LONE_OTHER
 *	u32	with WS_LONE_ITEM: the item.  Else it is the one that followed the item before it
 *		last time
 *	u*	the address less that of the access before, zigzag; WS_LONE_OTHER: no access, none
 */
#ifndef WS_LONE_H
#define WS_LONE_H

#include "trace/format/wst.h"

#define WS_LONE_NONE UINT32_MAX
#define WS_LONE_BLOCK (256u << 10)
#define WS_LONE_RECORD_MAX 16u	/* bytes; some may be written past it */
enum { WS_LONE_BYTES = 15, WS_LONE_ITEM = 16, WS_LONE_OTHER = 32 };

/* ---- writing ------------------------------------------------------------------------------- */

struct ws_lone_writer {
	int fd;			/* -1: no file yet */
	uint8_t *data;		/* [WS_LONE_BLOCK + WS_LONE_RECORD_MAX] */
	size_t len;
	uint64_t written;	/* bytes before those in data */
	uint64_t base;		/* the address before */
	struct ws_trace_section *section; /* launches that have ended */
	size_t sections, cap;
};

enum ws_status ws_lone_writer_init(struct ws_lone_writer *w, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_lone_flush(struct ws_lone_writer *w, struct ws_err *err) WS_MUST_CHECK;
void ws_lone_writer_clear(struct ws_lone_writer *w);

/* guessed: the item is the one that a reader expects. */
static inline enum ws_status ws_lone_put(struct ws_lone_writer *w, uint32_t item, bool guessed,
					 const uint64_t *address, struct ws_err *err)
{
	uint64_t far = address ? ws_zigzag(*address - w->base) : 0;
	unsigned bytes = far ? ws_log2(far) / 8 + 1 : 0;
	uint8_t *p = w->data + w->len;

	*p++ = (uint8_t)(bytes | (guessed ? 0 : WS_LONE_ITEM) | (address ? 0 : WS_LONE_OTHER));
	if (!guessed) {
		ws_word_put(p, item, 4);
		p += 4;
	}
	ws_word_put(p, far, 8);
	w->len = (size_t)(p - w->data) + bytes;
	if (address)
		w->base = *address;
	return w->len < WS_LONE_BLOCK ? WS_OK : ws_lone_flush(w, err);
}

/* The launch is over: *l is taken over.  segment: [items], taken over, too. */
enum ws_status ws_lone_launch(struct ws_lone_writer *w, struct ws_launch *l, uint32_t *segment,
			      size_t items, struct ws_err *err) WS_MUST_CHECK;
/* A trace of the launches.  name is for messages. */
enum ws_status ws_lone_open(struct ws_trace **out, struct ws_lone_writer *w, const char *name,
			    struct ws_err *err) WS_MUST_CHECK;

/* ---- reading -------------------------------------------------------------------------------- */

struct ws_lone_step {
	uint64_t address;
	uint32_t segment;	/* one without instructions has no address */
};

struct ws_lone_reader;
bool ws_trace_lone(const struct ws_trace *t, size_t launch); /* has it such a list? */
enum ws_status ws_lone_reader_new(struct ws_lone_reader **out, const struct ws_trace *t,
				  size_t launch, struct ws_err *err) WS_MUST_CHECK;
void ws_lone_rewind(struct ws_lone_reader *r);
/* The next steps, at most max; 0: no more. */
enum ws_status ws_lone_read(struct ws_lone_reader *r, struct ws_lone_step *out, size_t max,
			    size_t *count, struct ws_err *err) WS_MUST_CHECK;
void ws_lone_reader_free(struct ws_lone_reader *r);

#endif
