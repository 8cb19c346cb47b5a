/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/builder.h -- shared by the files of the builder.
 *
 * Private to trace/import/.
 *   builder.c  takes what readers tell: items found, records kept per warp
 *   code.c     instructions of machine code, and the paths that warps took through them
 *   store.c    the records' memory
 *   ranges.c   touched pages; arrays made of them
 *   merge.c    a launch ends: warps' records become steps of CTAs
 *   lone.c     a trace of one thread, as a list
 *
 * An *item* is what a warp executes as one: a memory instruction with the other instructions before
 * it, a barrier with those before it, or other instructions alone.  It becomes one segment.
 * A *record* is one execution of an item by a warp:
 *
 *	var      item * 4 + (1: a mask follows) + (2: a list of addresses)
 *	u64      the mask; without it, that of the warp's record before
 *	svar     first active lane's address, less that of the warp's record before
 *	svar     no list: the stride from one active lane to the next; left out for one lane
 *	svar*    list: each active lane's address less that of the one before
 *
 * and for a barrier or other instructions only the first of these.
 */
#ifndef WS_IMPORT_BUILDER_H
#define WS_IMPORT_BUILDER_H

#include "base/map.h"
#include "trace/import.h"
#include "trace/format/lone.h"

/* Limits on CTAs without accesses: a base, and more for each CTA that has some.  They are written,
 * and a header may claim any number. */
#define WS_BUILT_SILENT_MAX (1ull << 18)
#define WS_BUILT_SILENT_EACH (1ull << 10)
#define WS_BUILT_WIDTH_MAX 64u
enum { WS_RECORD_MASK = 1, WS_RECORD_LIST = 2, WS_RECORD_BITS = 2 };
#define WS_RECORD_MAX (10u + 8u + 10u * (WS_BUILT_WIDTH_MAX + 1)) /* bytes */

/* ---- store.c -------------------------------------------------------------------- */

struct ws_store_segment;

struct ws_store {	/* memory that is given back all at once */
	struct ws_store_segment *first, *now;
	size_t used;		/* of `now` */
	uint64_t bytes;		/* of all segments */
	int spill;		/* a file for what is too much for memory; 0: none yet */
	uint64_t spilled;
};

struct ws_store_block {
	struct ws_store_block *next;
	uint32_t used, cap;
	uint8_t data[];
};

/* A block with room for at least cap bytes; NULL: no memory. */
struct ws_store_block *ws_store_block(struct ws_store *s, uint32_t cap);
void ws_store_reset(struct ws_store *s); /* nothing is in it any more */
void ws_store_clear(struct ws_store *s);

/* ---- ranges.c ------------------------------------------------------------------- */

#define WS_PAGE_SHIFT 12
#define WS_LAST_PAGES 4096u /* a power of two */
#define WS_KNOWN_ITEMS 256u

struct ws_builder;
/* Empties the set of pages; the launch gets its arrays, by ascending base. */
enum ws_status ws_builder_ranges(struct ws_builder *b, struct ws_err *err) WS_MUST_CHECK;

/* ---- builder.c ------------------------------------------------------------------- */

enum { WS_ITEM_BARRIER = WS_KINDS, WS_ITEM_OTHER }; /* item.kind besides enum ws_kind's */

struct ws_item {
	uint64_t key;
	/* what tells it from others: */
	uint64_t pc;		/* of a barrier or others: of the access before */
	uint32_t bytes, gap, file, line; /* file: 0 none, else one more than its index */
	struct ws_pace pace;
	uint32_t path;		/* 1 + index; 0: unknown */
	uint8_t kind, space;
	/* found out: */
	bool used;
	uint32_t use;		/* 0: not told */
	uint32_t next;		/* followed it last time: a guess */
	uint64_t low, high;	/* first and last byte accessed */
};

struct ws_warp_log {
	uint64_t key, cta;
	uint32_t warp;
	uint32_t item;		/* the last one */
	struct ws_store_block *first, *last;
	uint64_t mask, base, pc;
	uint64_t other;		/* instructions since the last item */
	struct ws_pace pace;	/* of them */
	uint32_t path;		/* likewise: 1 + index */
};

/* ---- code.c ---------------------------------------------------------------------- */

struct ws_built_code {		/* of a launch; all zero: empty */
	struct ws_coded_op {
		uint64_t key;
		struct ws_code_op op;
		uint32_t next;	/* followed it last time: a guess */
	} *op;
	struct ws_map op_map;
	size_t ops, op_cap;
	struct ws_coded_path {
		uint64_t key;
		struct ws_code_path path;
	} *path;
	struct ws_map path_map;
	size_t paths, path_cap;
	struct ws_code_run *run; /* of paths, and behind them .told of what no path was made of */
	size_t runs, run_cap, told;
	uint16_t *reg;
	size_t regs, reg_cap;
	uint64_t length;	/* instructions in those */
	uint32_t last;		/* op */
	bool lost;		/* there were too many */
};

/* Of what was told since the last time: 1 + the path's index; 0: nothing was. */
enum ws_status ws_built_path(struct ws_built_code *c, uint32_t *path,
			     struct ws_err *err) WS_MUST_CHECK;
/* The launch gets it; false: no memory. */
bool ws_built_code_end(struct ws_built_code *c, struct ws_launch *l);
void ws_built_code_clear(struct ws_built_code *c);

struct ws_builder {
	struct ws_trace_writer *writer;
	bool arrays, open;	/* open: a launch has begun */
	uint64_t number;	/* of the launch */
	struct ws_launch launch; /* header and files; the rest at its end */
	uint32_t width, warps;	/* of a warp; of a CTA */
	uint64_t ctas;
	uint64_t silent, busy;	/* CTAs of earlier launches without accesses, and with */
	struct ws_item *item;
	struct ws_map item_map;
	size_t items, item_cap;
	struct ws_warp_log *log;
	struct ws_map log_map;
	size_t logs, log_cap;
	size_t log_now;		/* used last */
	size_t file_now, file_cap;
	uint32_t last;		/* item of the last access */
	struct ws_store store;
	struct ws_keys pages;	/* touched */
	uint64_t last_page[WS_LAST_PAGES]; /* 1 + those touched of late, by their last bits; 0:
				 * none */
	const struct ws_import_options *options; /* NULL: a builder of one's own */
	/* A trace of one thread, whose accesses are not kept here; NULL: any trace, to a file. */
	struct ws_lone_writer *lone;
	uint64_t lone_items;	/* of the launches before */
	uint32_t known[WS_KNOWN_ITEMS]; /* 1 + items of such a trace, by a hash; 0: none */
	struct ws_built_code code;
	struct ws_copy *copy;	/* for the next launch */
	size_t copies, copy_cap;
};

/* A launch whose file has so many of its grid's CTAs. */
void ws_builder_partial(const struct ws_builder *b, const char *kernel, uint64_t has,
			uint64_t grid);

/* ---- merge.c --------------------------------------------------------------------- */

/* Writes the launch whose records are there. */
enum ws_status ws_builder_write(struct ws_builder *b, struct ws_err *err) WS_MUST_CHECK;
/* The launch's instructions and segments.  *segment: [item], the caller's. */
enum ws_status ws_builder_number(struct ws_builder *b, uint32_t **segment,
				 struct ws_err *err) WS_MUST_CHECK;

/* ---- builder.c ------------------------------------------------------------------- */

/* A builder whose launches become lists (lone.c). */
enum ws_status ws_builder_lone_new(struct ws_builder **out, bool arrays,
				   struct ws_err *err) WS_MUST_CHECK;
/* ws_builder_access of CTA 0, warp 0, lane 0, without a source file: quicker. */
enum ws_status ws_builder_single(struct ws_builder *b, const struct ws_built_access *a,
				 struct ws_err *err) WS_MUST_CHECK;
/* More such accesses, each like the last one, *a, which had no instructions before it.  None passes
 * the end of the address space. */
enum ws_status ws_builder_again(struct ws_builder *b, const struct ws_built_access *a,
				const uint64_t *address, size_t count,
				struct ws_err *err) WS_MUST_CHECK;

/* ---- lone.c ---------------------------------------------------------------------- */

/* The launch, which is CTA 0 of one thread, is over. */
enum ws_status ws_builder_lone_launch(struct ws_builder *b, struct ws_err *err) WS_MUST_CHECK;
/* After ws_builder_end: the trace, which outlives the builder. */
enum ws_status ws_builder_lone_end(struct ws_builder *b, struct ws_trace **out, const char *name,
				   struct ws_err *err) WS_MUST_CHECK;

#endif
