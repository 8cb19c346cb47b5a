/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/file/file.h -- private: the parts of the profile file, warpstack-profile(5).
 *
 *   write.c    a profile to blocks
 *   read.c     blocks to a profile: places, sizes, order
 *   reader.c   one block after the other, and memory
 *   counts.c   histograms, and what must hold of them
 *   detail.c   details, both ways
 *   chunks.c   chunks, both ways
 *   check.c    what must hold of details
 *   sparse.c   tables of few entries, both ways
 *
 * The checksummed blocks of base.h, in this order:
 *
 *   PMAC   once: seed, SMs, sampling, number of sections, the machine as a .conf text, order
 *   PSEC   a section: kernel, launch geometry, totals, numbers of what follows
 *   PSIT   its sites, if it has some
 *   PGEO   one of its geometries: the histograms
 *   PDET   its detail, if it has one
 *   PCNT   the count types of that, if it has them
 *   PCHK   the section's chunks, after its last geometry
 *   PL2H   the L1s behind which an L2 was recorded
 *   PL2S   that L2's part of a section, in the sections' order; then PGEO, PDET, PCNT of it
 *   PSIM   what the simulation that the order is from counted itself, if that is known
 *   PORD   the number of other orders, if there are some; then PMAC, PSEC, PGEO, PSIM of each
 *   PEND   empty, and nothing after it
 *
 * Version 3 is version 2 with PL2H, or with ops issued and waits in PSEC; what has none of these
 * is written as version 2.  Version 4 is version 3 with PCHK, crowd in a PDET, or an order other
 * than the nominal one.  Version 5 is version 4 of a machine that adapts to launches, or with PSIM or
 * PORD: each PSEC says what its launch wants.  Every number is a varint, and a profile has one encoding only.
 */
#ifndef WS_STACKDIST_PROFILE_FILE_H
#define WS_STACKDIST_PROFILE_FILE_H

#include "stackdist/stackdist.h"

#define WS_PROFILE_VERSION 2u	/* without an L2, ops issued and waits */
#define WS_PROFILE_VERSION_L2 3u
#define WS_PROFILE_VERSION_CHUNKS 4u
#define WS_PROFILE_VERSION_NEWEST 5u	/* of a machine that adapts; what was simulated; orders */
#define WS_PROFILE_MAGIC "WSPROF\0"
#define WS_PMAC WS_BLOCK_TYPE('P', 'M', 'A', 'C')
#define WS_PSEC WS_BLOCK_TYPE('P', 'S', 'E', 'C')
#define WS_PSIT WS_BLOCK_TYPE('P', 'S', 'I', 'T')
#define WS_PGEO WS_BLOCK_TYPE('P', 'G', 'E', 'O')
#define WS_PDET WS_BLOCK_TYPE('P', 'D', 'E', 'T')
#define WS_PCNT WS_BLOCK_TYPE('P', 'C', 'N', 'T')
#define WS_PCHK WS_BLOCK_TYPE('P', 'C', 'H', 'K')
#define WS_PL2H WS_BLOCK_TYPE('P', 'L', '2', 'H')
#define WS_PL2S WS_BLOCK_TYPE('P', 'L', '2', 'S')
#define WS_PSIM WS_BLOCK_TYPE('P', 'S', 'I', 'M')
#define WS_PORD WS_BLOCK_TYPE('P', 'O', 'R', 'D')
#define WS_PEND WS_BLOCK_TYPE('P', 'E', 'N', 'D')

#define WS_DISTANCE_CELLS ((1u << WS_DISTANCE_BITS) + 16u * (32u - WS_DISTANCE_BITS))
enum { /* in PGEO: what follows it */
	WS_FOLLOWS_NONE, WS_FOLLOWS_DETAIL, WS_FOLLOWS_COUNTED, WS_FOLLOWS_KINDS,
};

/* Sampled profiles are estimates: less is certain of them. */
static inline bool ws_profile_sampled(const struct ws_profile *p)
{
	return p->sample_rate < 1 || p->sample_lines > 0;
}

static inline bool ws_detail_crowded(const struct ws_detail *d)
{
	for (unsigned i = 0; i < WS_CROWD_WAYS; i++)
		for (unsigned cell = 0; cell < WS_FLIGHT_CELLS; cell++)
			if (d->crowd[i][cell])
				return true;
	return false;
}

static inline bool ws_section_crowded(const struct ws_section *s)
{
	for (size_t i = 0; i < s->geometries; i++)
		if (s->geometry[i].detail && ws_detail_crowded(s->geometry[i].detail))
			return true;
	return false;
}

static inline bool ws_profile_simulated(const struct ws_profile *p)
{
	for (size_t i = 0; i < p->sections; i++)
		for (unsigned j = 0; j < 2 * WS_KINDS; j++)
			if (p->section[i].simulated[j / WS_KINDS][j % WS_KINDS].requests)
				return true;
	return false;
}

/* The oldest that holds all that is there. */
static inline uint32_t ws_profile_version(const struct ws_profile *p)
{
	bool timed = false, chunks = false;

	if (ws_machine_adapts(&p->machine) || p->others || ws_profile_simulated(p))
		return WS_PROFILE_VERSION_NEWEST;
	for (size_t i = 0; i < p->sections; i++) {
		timed |= p->section[i].issued || p->section[i].waits;
		chunks |= p->section[i].chunkeds > 0 || ws_section_crowded(p->section + i);
	}
	if (chunks || p->order != WS_ORDER_NOMINAL)
		return WS_PROFILE_VERSION_CHUNKS;
	return timed || p->behinds ? WS_PROFILE_VERSION_L2 : WS_PROFILE_VERSION;
}

static inline bool ws_geometry_sectored(const struct ws_geometry *g)
{
	return g->sector_bytes < g->line_bytes;
}

/* ws_profile_write, of any profile: whatever does not hold of it. */
enum ws_status ws_profile_put(const struct ws_profile *p, struct ws_out *out,
			      struct ws_err *err) WS_MUST_CHECK;

/* ---- tables of few entries (sparse.c) ---------------------------------------
 *
 * The number of entries that are not 0; of each the zeros before it; then of each the
 * count (plain), or its difference to the count of the entry before (smooth).
 */
enum ws_sparse_kind { WS_SPARSE_PLAIN, WS_SPARSE_SMOOTH };

void ws_sparse_put(struct ws_buf *raw, const uint64_t *count, size_t len,
		   enum ws_sparse_kind kind);
/* Entry (r, c) is number r * columns + c. */
void ws_sparse_put_matrix(struct ws_buf *raw, const struct ws_matrix *m, size_t columns);

struct ws_sparse {		/* one that has been found in a block */
	struct ws_cursor gap, count;
	size_t entries, len;	/* len: one more than the last index */
	enum ws_sparse_kind kind;
	uint64_t index, value;	/* where ws_sparse_next stands */
	uint64_t next;
};

/* Finds the table that begins at c and moves c behind it.  c->bad if it is malformed or has an
 * index of size or more. */
struct ws_sparse ws_sparse_find(struct ws_cursor *c, uint64_t size, enum ws_sparse_kind kind);
bool ws_sparse_next(struct ws_sparse *s); /* to the first or next entry; false: no more */
/* count[len] is zero. */
void ws_sparse_expand(struct ws_sparse s, uint64_t *count);

/* ---- reading (reader.c) ------------------------------------------------------- */

struct ws_profile_reader {
	const struct ws_in *in;
	struct ws_block block;	/* the one being read */
	uint64_t next;		/* offset of the one after it */
	struct ws_buf raw;
	struct ws_cursor c;	/* in raw */
	struct ws_profile *profile;
	uint32_t version;
	uint64_t limit, room;	/* bytes that the profile may take, and may still */
	struct ws_err *err;
};

void ws_reader_begin(struct ws_profile_reader *r); /* sets limit and room; r->in is set */
/* WS_EFORMAT, with file and offset. */
enum ws_status ws_reader_bad(const struct ws_profile_reader *r, const char *what);
enum ws_status ws_reader_open(struct ws_profile_reader *r, uint32_t type);  /* the next block */
enum ws_status ws_reader_close(struct ws_profile_reader *r); /* nothing may be left of it */
/* Zeroed memory, as far as there is room; *out NULL on failure. */
enum ws_status ws_reader_alloc(struct ws_profile_reader *r, void *out, size_t count, size_t size);

/* counts.c.  sectored: with sectors.  Checks what holds of each alone. */
void ws_histogram_put(struct ws_buf *raw, const struct ws_histogram *h, bool sectored,
		      bool sampled);
enum ws_status ws_histogram_get(struct ws_profile_reader *r, struct ws_histogram *h,
				bool sectored, bool sampled);
/* What holds of the histograms of a geometry, and of the ones of a section's sites: NULL, or what
 * does not. */
const char *ws_histograms_check(const struct ws_profile *p, const struct ws_section *s,
			    const struct ws_geometry *g);
const char *ws_sites_check(const struct ws_profile *p, const struct ws_section *s);

/* detail.c */
void ws_detail_put(struct ws_buf *raw, const struct ws_detail *d);
void ws_counted_put(struct ws_buf *raw, const struct ws_counted *c);
enum ws_status ws_detail_get(struct ws_profile_reader *r, struct ws_detail *d);
enum ws_status ws_counted_get(struct ws_profile_reader *r, struct ws_counted *c);

/* chunks.c: of the section's PCHK, all but whether it is there */
void ws_chunked_put(struct ws_buf *raw, const struct ws_section *s);
enum ws_status ws_chunked_get(struct ws_profile_reader *r, struct ws_section *s);

/* check.c: NULL, or what does not hold.  scratch: zeroed. */
const char *ws_detail_check(const struct ws_detail *d, const struct ws_geometry *g,
			    const struct ws_cache *cache);
const char *ws_counted_check(const struct ws_detail *d, struct ws_detail *scratch);

#endif
