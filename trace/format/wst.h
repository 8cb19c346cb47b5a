/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/format/wst.h -- what the writer and the reader of .wst files share.
 *
 * Private to trace/format/.  The format itself is described in
 * warpstack-trace(5); one file each:
 *   lanes.c     the CTA's shape, and active masks as runs of lanes
 *   header.c    a launch's static part: limits, to bytes, from bytes
 *   codes.c     of that, machine code and copies
 *   encoder.c   steps to bytes
 *   decoder.c   bytes to steps
 *   texts.c     source files, each once
 *   writer.c    the file, front to back
 *   reader.c    the file, from its end record
 *   lone.c      traces of one thread, as lists instead of files
 */
#ifndef WS_WST_H
#define WS_WST_H

#include "trace/trace.h"

#include <string.h>

#define WST_MAGIC "WSTRACE" /* 8 bytes with its NUL */
/* 1: without struct ws_pace; 2: without texts of source files; 4: without machine code and copies;
 * 7: without stores past the L1; 3, 5, 6: none, so that any two differ in more than a bit. */
#define WST_VERSION 8u
#define WST_VERSION_LOADS_PAST 7u
#define WST_LAUNCH WS_BLOCK_TYPE('L', 'N', 'C', 'H')
#define WST_CHUNK WS_BLOCK_TYPE('C', 'H', 'N', 'K')
#define WST_INDEX WS_BLOCK_TYPE('I', 'N', 'D', 'X')
#define WST_END WS_BLOCK_TYPE('W', 'E', 'N', 'D')
#define WST_TEXTURE 0x80u  /* in an instruction's byte of space */
#define WST_PAST 0x20u	   /* there: a load or store that goes past the L1 */
#define WST_PACE 0x40u	   /* there, or in a segment's of the barrier: a struct ws_pace follows */
#define WST_FIRST 16u	  /* offset of the first block */
#define WST_END_BYTES 24u /* the end record: type, crc, index offset, file length */
#define WST_BLOCK_MIN (WS_BLOCK_HEADER + 1u)

/* Limits, the same for writer and reader, so that a reader's memory is bounded. */
#define WST_STRING_MAX 4096u		/* bytes of a name */
#define WST_TEXT_MAX (1u << 22)		/* bytes of a source file */
#define WST_GRID_MAX (1ull << 40)	/* CTAs of a launch */
#define WST_CHUNK_CTAS_MAX (1ull << 20)
#define WST_LANE_WORDS_MAX (1ull << 25) /* instructions of a segment times threads */
#define WST_ACCESSES_MAX (1ull << 61)	/* per kind and launch */
/* Over all launches of a file: */
#define WST_CTAS_MAX (1ull << 22)	 /* CTAs, and more for each byte of the file: those */
#define WST_CTAS_PER_BYTE (1ull << 10)	 /* that do nothing take next to none */
#define WST_ITEMS_MAX (1ull << 24)	 /* arrays, instructions, segments, files */
#define WST_HEADER_BYTES_MAX (1ull << 28) /* unpacked launch blocks */

/* len: bytes of the file */
static inline uint64_t wst_ctas_most(uint64_t len)
{
	return WST_CTAS_MAX + (len < UINT64_MAX >> 12 ? len * WST_CTAS_PER_BYTE : UINT64_MAX / 2);
}

static inline bool wst_ctas_fit(uint64_t ctas, uint64_t len)
{
	return ctas <= wst_ctas_most(len);
}

/* How a step's mask is written. */
enum ws_mask_code { WST_MASK_FULL, WST_MASK_SAME, WST_MASK_BITS, WST_MASK_RANGE };
/* How an address vector is written: flags of its first byte. */
enum ws_vector_code { WST_DELTA = 1, WST_STRIDES = 2, WST_LIST = 4 };

/* ---- lanes.c: masks ------------------------------------------------------ */

#define WST_MASK_WORDS (WS_CTA_THREADS_MAX / 64)

/* x, y, z are along the block's extents with those equal to 1 moved to the
 * end: the lane numbers stay the same and rows are as long as they can be. */
struct ws_lanes {
	size_t threads, words;
	uint16_t extent[3];
	uint64_t all[WST_MASK_WORDS];	/* the full mask */
	/* the mask in force, and the same as runs: */
	uint64_t mask[WST_MASK_WORDS];
	const struct ws_lane_run *run;
	size_t runs, active;
	/* private */
	struct ws_lane_run *full, *own, *at; /* at[lane].x, y, z */
	size_t fulls;
};

enum ws_status ws_lanes_init(struct ws_lanes *l, const uint64_t block[3],
			      struct ws_err *err) WS_MUST_CHECK;
void ws_lanes_clear(struct ws_lanes *l);
void ws_lanes_full(struct ws_lanes *l);   /* all lanes active */
void ws_lanes_update(struct ws_lanes *l); /* after a change of .mask */

/* ---- one instruction's addresses ----------------------------------------- */

/* What encoder and decoder both remember of an instruction within a CTA.  Zero
 * at the CTA's first use of it, which epoch tells without clearing them all. */
struct ws_vector_state {
	uint64_t epoch;
	uint64_t base, delta; /* base: at (0,0,0), or the first active lane's in a list */
	uint64_t stride[3];
};

static inline uint64_t ws_zigzag(uint64_t v)
{
	return v << 1 ^ (v >> 63 ? UINT64_MAX : 0);
}

static inline uint64_t ws_unzigzag(uint64_t v)
{
	return v >> 1 ^ (v & 1 ? UINT64_MAX : 0);
}

/* The same bytes in memory on every machine; one move where their number is constant. */
static inline void ws_word_put(uint8_t *p, uint64_t v, unsigned bytes)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	if (__builtin_constant_p(bytes)) { /* GCC leaves the loop as it is */
		memcpy(p, &v, bytes);
		return;
	}
#endif
	for (unsigned i = 0; i < bytes; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static inline uint64_t ws_word_get(const uint8_t *p, unsigned bytes)
{
	uint64_t v = 0;

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	if (__builtin_constant_p(bytes)) {
		memcpy(&v, p, bytes);
		return v;
	}
#endif
	for (unsigned i = 0; i < bytes; i++)
		v |= (uint64_t)p[i] << 8 * i;
	return v;
}

/* ---- header.c: launches --------------------------------------------------- */

/* Checks all that readers may rely on.  where begins the message. */
enum ws_status ws_launch_check(const struct ws_launch *l, enum ws_status status,
				const char *where, struct ws_err *err) WS_MUST_CHECK;
uint64_t ws_launch_items(const struct ws_launch *l);
void ws_launch_put(struct ws_buf *raw, uint64_t number, const struct ws_launch *l);
/* False if the bytes are no launch block's, or have more than *left items (which
 * is reduced); *l is to be cleared in any case.  Ranges are not checked here. */
bool ws_launch_get(struct ws_cursor *c, uint64_t *left, uint64_t *number, struct ws_launch *l);

/* ---- codes.c -------------------------------------------------------------- */

/* As the functions of header.c, of machine code and copies. */
enum ws_status ws_codes_check(const struct ws_launch *l, enum ws_status status, const char *where,
			     struct ws_err *err) WS_MUST_CHECK;
uint64_t ws_codes_items(const struct ws_launch *l);
bool ws_codes_any(const struct ws_launch *l);
void ws_codes_put(struct ws_buf *raw, const struct ws_launch *l);
void ws_codes_get(struct ws_cursor *c, uint64_t *left, struct ws_launch *l);

/* Of bytes: room for a count of things of at least `least` bytes each in the input, and at most
 * *left things, zeroed; a number below 2^32.  c->bad if there is none. */
void *ws_room_get(struct ws_cursor *c, uint64_t *left, size_t *count, size_t least, size_t size);
uint32_t ws_u32_get(struct ws_cursor *c);

/* ---- reader.c -------------------------------------------------------------- */

/* CTAs first .. next one's first - 1, in the block at offset .. next one's - 1;
 * one more entry closes the list. */
struct ws_trace_chunk {
	uint64_t first, offset;
};

struct ws_trace_section { /* a launch in the file */
	struct ws_launch launch;
	struct ws_trace_chunk *chunk;
	size_t chunks;
	/* Of a list (lone.h): where it is in its file, and the segments that its items became. */
	uint64_t begin, end;
	uint32_t *segment;
	size_t items;
};

struct ws_trace {
	struct ws_in in;
	struct ws_trace_section *section;
	size_t sections;
	int lone;		/* 1 + the file of the lists; 0: it is a .wst */
};

/* CRC-32 of the end record's other 20 bytes. */
uint32_t ws_trace_end_crc(const uint8_t record[WST_END_BYTES]);

/* Is it of a launch of so many source files, CTAs, and threads of a CTA? */
static inline bool wst_unmet_good(const struct ws_unmet *u, uint64_t files, uint64_t ctas,
				  uint64_t threads)
{
	return (u->file < files || (!files && !u->file)) && u->ctas && u->ctas <= ctas &&
	       u->cta < ctas && u->threads && u->threads < threads;
}

/* ---- texts.c ---- */
struct ws_texts {		/* zero is empty: the texts that are written */
	struct ws_written_text {
		char *file, *text;
		size_t launch;
	} *text;
	size_t count, cap;
};
/* *l with those texts alone that are new, which are noted as launch's; to be freed: l->text. */
enum ws_status ws_texts_new(struct ws_texts *t, size_t launch, struct ws_launch *l,
			    struct ws_err *err) WS_MUST_CHECK;
void ws_texts_drop(struct ws_texts *t, size_t launch); /* launch's, and those of later ones */

/* ---- writer.c ---- */
struct ws_chunk_place {
	uint64_t launch, first; /* the launch in the trace, the CTA in it */
};
/* ws_chunk_pack by what a thread keeps for its next chunk. */
enum ws_status ws_chunk_pack_by(struct ws_packer *by, struct ws_buf *packed,
				const struct ws_chunk_place *at, const struct ws_buf *data,
				const uint64_t *lens, size_t count,
				struct ws_err *err) WS_MUST_CHECK;

#endif
