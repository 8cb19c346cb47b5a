/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/file/file.h -- private: the parts of the profile file, warpstack-profile(5).
 *
 * Each part of a profile is described once, by a function ws_code_...(codec, part) that writes or
 * reads it, as the codec says.  A field's range stands beside the field and is checked on reading;
 * writing checks nothing.
 *
 *   codec.c    blocks, numbers, texts, tables; memory and failures
 *   counts.c   histograms
 *   detail.c   details of a geometry
 *   check.c    what must hold of details
 *   chunks.c   chunks and their windows
 *   sets.c     samples of sets
 *   section.c  a kernel: its sites and geometries
 *   profile.c  all of it: machine, sections, L2s, other orders
 *
 * The checksummed blocks of base.h, in this order:
 *
 *   PMAC   once: seed, SMs, sampling, number of sections, the machine as a .conf text, order
 *   PSEC   a section: kernel, launch geometry, totals, numbers of what follows
 *   PSIT   its sites, if it has some
 *   PGEO   one of its geometries: the histograms
 *   PDET   its detail, if it has one
 *   PSET   a sample of its sets, if there is one
 *   PCHK   the section's chunks, after its last geometry
 *   PL2H   the L1s behind which an L2 was recorded
 *   PL2S   that L2's part of a section, in the sections' order; then PGEO, PDET, PSET of it
 *   PSIM   what the simulation that the order is from counted itself, if that is known
 *   PORD   the number of other orders, if there are some; then PMAC, PSEC, PGEO, PSIM of each
 *   PEND   empty, and nothing after it
 *
 * Version 3 is version 2 with PL2H, or with ops issued and waits in PSEC; what has none of these
 * is written as version 2.  Version 4 is version 3 with PCHK, reservation in a PDET, or an order
 * other than the nominal one.  Version 5 is version 4 of a machine that adapts to launches, or with
 * PSIM or PORD: each PSEC says what its launch wants.  Version 6 is version 5 with PSET, version
 * 7 version 6 with times in one, of which each run says whether it has them.  Every
 * number is a varint, and a profile has one encoding only.
 */
#ifndef WS_STACKDIST_PROFILE_FILE_H
#define WS_STACKDIST_PROFILE_FILE_H

#include "stackdist/profile.h"

#define WS_PROFILE_VERSION 2u	/* without an L2, ops issued and waits */
#define WS_PROFILE_VERSION_L2 3u
#define WS_PROFILE_VERSION_CHUNKS 4u
#define WS_PROFILE_VERSION_DEMAND 5u	/* of a machine that adapts; what was simulated; orders */
#define WS_PROFILE_VERSION_SETS 6u	/* samples of sets */
#define WS_PROFILE_VERSION_NEWEST 7u	/* with times */
#define WS_PROFILE_MAGIC "WSPROF\0"
#define WS_PMAC WS_BLOCK_TYPE('P', 'M', 'A', 'C')
#define WS_PSEC WS_BLOCK_TYPE('P', 'S', 'E', 'C')
#define WS_PSIT WS_BLOCK_TYPE('P', 'S', 'I', 'T')
#define WS_PGEO WS_BLOCK_TYPE('P', 'G', 'E', 'O')
#define WS_PDET WS_BLOCK_TYPE('P', 'D', 'E', 'T')
#define WS_PSET WS_BLOCK_TYPE('P', 'S', 'E', 'T')
#define WS_PCHK WS_BLOCK_TYPE('P', 'C', 'H', 'K')
#define WS_PL2H WS_BLOCK_TYPE('P', 'L', '2', 'H')
#define WS_PL2S WS_BLOCK_TYPE('P', 'L', '2', 'S')
#define WS_PSIM WS_BLOCK_TYPE('P', 'S', 'I', 'M')
#define WS_PORD WS_BLOCK_TYPE('P', 'O', 'R', 'D')
#define WS_PEND WS_BLOCK_TYPE('P', 'E', 'N', 'D')

#define WS_DISTANCE_CELLS ((1u << WS_DISTANCE_BITS) + 16u * (32u - WS_DISTANCE_BITS))
#define WS_PROFILE_TEXT_MAX 4096u /* bytes of a name, as in a trace */

/* ws_profile_write, of any profile: whatever does not hold of it. */
enum ws_status ws_profile_put(const struct ws_profile *p, struct ws_out *out,
			      struct ws_err *err) WS_MUST_CHECK;

/* ---- the codec (codec.c) ---------------------------------------------------------
 *
 * The first failure stays in .status.  After it nothing is written, and reading gives 0, an empty
 * text or no memory, so callers check only before they use a value as an index.
 *
 * What is allocated for a profile is bounded by its file: 1 KiB for each byte of it, and 512 MiB,
 * since the few bytes of a table may stand for many zeros.
 */
struct ws_codec {
	bool putting;		/* else getting */
	uint32_t version;
	/* What is put, or got so far; of an L2 or of another order while that is.  Nothing of it is
	 * written to when it is put. */
	struct ws_profile *profile;
	enum ws_status status;
	struct ws_err *err;
	struct ws_buf raw;	/* the block's contents */
	/* putting */
	struct ws_out *out;
	struct ws_packer *packer;
	struct ws_buf packed;
	uint32_t type;		/* of the block */
	/* getting */
	const struct ws_in *in;
	struct ws_cursor c;	/* in raw */
	uint64_t offset, next;	/* of the block, of the one after it */
	uint64_t limit, room;	/* bytes that the profile may take, and may still */
};

void ws_codec_getter(struct ws_codec *c, const struct ws_in *in, uint64_t first);
void ws_codec_clear(struct ws_codec *c);
/* True if a value was read, to be checked or stored. */
static inline bool ws_codec_got(const struct ws_codec *c)
{
	return !c->putting && !c->status;
}
void ws_codec_fail(struct ws_codec *c, enum ws_status status); /* *err is set, if status is */
/* Getting: WS_EFORMAT, with file and offset. */
void ws_codec_bad(struct ws_codec *c, const char *format, ...) WS_COLD WS_PRINTF(2, 3);
static inline void ws_codec_want(struct ws_codec *c, bool holds, const char *otherwise)
{
	if (!holds)
		ws_codec_bad(c, "%s", otherwise);
}
static inline void ws_codec_check(struct ws_codec *c, const char *wrong) /* NULL: nothing is */
{
	if (wrong)
		ws_codec_bad(c, "%s", wrong);
}
/* Getting: zeroed memory, as far as there is room.  *out is a pointer; NULL on failure. */
void ws_codec_alloc(struct ws_codec *c, void *out, size_t count, size_t size);
/* The same of an array of n; *count becomes n, 0 on failure. */
void ws_codec_array(struct ws_codec *c, void *array, size_t *count, uint64_t n, size_t size);

void ws_codec_open(struct ws_codec *c, uint32_t type); /* the next block */
void ws_codec_close(struct ws_codec *c);
/* Blocks that the rest of the file may hold. */
uint64_t ws_codec_blocks(const struct ws_codec *c);
/* Is the next block of that type, which there is since that version?  Putting: `there`. */
bool ws_codec_next_is(struct ws_codec *c, uint32_t type, uint32_t since, bool there);
/* Has the block more, as it may since that version?  Putting: `there`. */
bool ws_codec_more(const struct ws_codec *c, uint32_t since, bool there);

/* ---- fields: `what` names one in messages ---------------------------------------- */

/* Most numbers take one byte, most others two. */
void ws_code_long(struct ws_codec *c, uint64_t *x, uint64_t min, uint64_t max, const char *what);
static inline void ws_code(struct ws_codec *c, uint64_t *x, uint64_t min, uint64_t max,
			   const char *what)
{
	const uint8_t *p = c->c.p;

	if (c->putting && *x < 0x80 && c->raw.len < c->raw.cap)
		c->raw.data[c->raw.len++] = (uint8_t)*x;
	else if (!c->putting && p < c->c.end && *p < 0x80 && *p >= min && *p <= max)
		*x = *c->c.p++;
	else
		ws_code_long(c, x, min, max, what);
}
static inline void ws_code_any(struct ws_codec *c, uint64_t *x, const char *what)
{
	ws_code(c, x, 0, UINT64_MAX, what);
}
static inline void ws_code_u32(struct ws_codec *c, uint32_t *x, uint32_t min, uint32_t max,
			       const char *what)
{
	uint64_t wide = *x;

	ws_code(c, &wide, min, max, what);
	if (!c->putting)
		*x = (uint32_t)wide;
}
void ws_code_signed(struct ws_codec *c, int64_t *x, const char *what);
/* Getting: *text is allocated. */
void ws_code_text(struct ws_codec *c, char **text, size_t max, const char *what);
/* The number of entries of an array, each of which takes `least` bytes of the block or more.
 * Getting: *array, a pointer to entries of `size` bytes, is allocated. */
void ws_code_array(struct ws_codec *c, void *array, size_t *count, size_t size, size_t least,
		   const char *what);
/* One of ascending indices below size, as its distance to the lowest that it may be, *next. */
void ws_codec_bad_index(struct ws_codec *c, uint64_t at, uint64_t size, const char *what) WS_COLD;
static inline void ws_code_index(struct ws_codec *c, uint64_t *at, uint64_t *next, uint64_t size,
				 const char *what)
{
	uint64_t gap = *at - *next;

	ws_code_any(c, &gap, what);
	if (!c->putting && gap >= size - *next) {
		ws_codec_bad_index(c, gap > UINT64_MAX - *next ? UINT64_MAX : *next + gap, size,
				   what);
		gap = 0;
	}
	if (!c->putting)
		*at = *next + gap;
	*next = *at + 1;
}
/* A table of few entries: the number of those that are not 0; the zeros before each; each count
 * (plain), or its difference to the one before (smooth).  Gaps and counts stand apart, since each
 * is like its own kind; neighbours in a histogram are alike.  Getting: count[len] is zero. */
enum ws_table_kind { WS_TABLE_PLAIN, WS_TABLE_SMOOTH };
void ws_code_table(struct ws_codec *c, uint64_t *count, size_t len, enum ws_table_kind kind,
		   const char *what);
/* Getting: how long the smooth table that follows is, and memory for it; at most `most`. */
void ws_code_growing(struct ws_codec *c, uint64_t **count, size_t *len, size_t most,
		     const char *what);

/* ---- parts ---------------------------------------------------------------------- */

/* counts.c */
enum { WS_WITH_SECTORS = 1, WS_WITH_VARIANCE = 2 };
void ws_code_histogram(struct ws_codec *c, struct ws_histogram *h, unsigned with);
/* What holds of the histograms of a geometry, and of the ones of a section's sites. */
void ws_codec_check_histograms(struct ws_codec *c, const struct ws_section *s,
			       const struct ws_geometry *g);
void ws_codec_check_sites(struct ws_codec *c, const struct ws_section *s);

/* detail.c, chunks.c, section.c */
void ws_code_detail(struct ws_codec *c, struct ws_geometry *g); /* PDET */
void ws_code_chunks(struct ws_codec *c, struct ws_section *s);	/* PCHK, if there is one */
void ws_code_geometries(struct ws_codec *c, struct ws_section *s, uint64_t count);
void ws_code_section(struct ws_codec *c, struct ws_section *s);
/* PSET, if there is one. */
void ws_code_sets(struct ws_codec *c, const struct ws_section *section, struct ws_geometry *g);
bool ws_detail_reserved(const struct ws_detail *d);

/* check.c: NULL, or what does not hold. */
const char *ws_detail_check(const struct ws_detail *d, const struct ws_geometry *g,
			    const struct ws_cache *cache);

#endif
