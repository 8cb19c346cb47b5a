/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/advise/private.h -- private: what the files of study/advise/ share.
 */
#ifndef WS_ADVISE_PRIVATE_H
#define WS_ADVISE_PRIVATE_H

#include "softcache/softcache.h"
#include "study/advise.h"

/* ---- CTAs that are written (chunks.c) -------------------------------------------------------- */

#define WS_CTA_CHUNK_MAX 4096u
struct ws_cta_chunks {		/* of a launch; zero is none */
	struct ws_buf data, packed;
	uint64_t lens[WS_CTA_CHUNK_MAX], first, accesses[WS_KINDS];
	size_t count;
};
/* The CTA that the encoder has. */
enum ws_status ws_cta_chunks_put(struct ws_cta_chunks *c, struct ws_trace_writer *w,
				 struct ws_encoder *e, struct ws_err *err) WS_MUST_CHECK;
/* After the last CTA. */
enum ws_status ws_cta_chunks_flush(struct ws_cta_chunks *c, struct ws_trace_writer *w,
				   struct ws_err *err) WS_MUST_CHECK;
void ws_cta_chunks_clear(struct ws_cta_chunks *c);

/* ---- a trace with changed addresses and lanes (rewrite.c) ------------------------------------ */

struct ws_remap {		/* where the bytes of an array go; row 0: they stay */
	char array[64];		/* its name; "": all arrays */
	uint64_t row;		/* bytes of a row */
	uint64_t pad;		/* bytes that follow each row */
	uint64_t element;	/* not 0: transposed, an element has as many bytes */
};

#define WS_REMAPS_MORE 3u

enum ws_lane_order { WS_LANES_STAY, WS_LANES_SWAPPED, WS_LANES_SORTED };

struct ws_change {
	struct ws_remap remap, others[WS_REMAPS_MORE]; /* others: of other arrays, besides */
	uint64_t shift;		/* not 0: seed of how far arrays move apart */
	bool together;		/* all of them as far as the first */
	uint64_t stagger;	/* bytes that each array moves away from the one before */
	/* swapped: x and y change places; sorted: work-items of a CTA that
	 * go the same way are neighbours */
	enum ws_lane_order lanes;
	uint32_t gap;		/* instructions more before each access of a remapped array, or
				 * before all if lanes change, or: */
	bool gap_all;
	uint64_t shared_bytes;	/* of a CTA, at least; 0: as it is */
	/* An array that shared memory takes the place of: a CTA begins with copying all sectors
	 * that it reads of it, and waits for them.  "": none. */
	char staged[64];
	bool fewer;		/* its reads take fewer instructions (rewrite.c) */
	/* An array that a CTA goes through in so many pieces (pieces.c); 0: as it is. */
	char pieced[64];
	uint32_t pieces;
	bool again;		/* what stands between two passes is executed once a piece */
};

/* The launches of one kernel, with the change.  *out is closed by ws_trace_close. */
enum ws_status ws_rewrite(struct ws_trace **out, const struct ws_trace *t, const char *kernel,
			  const struct ws_change *change, struct ws_err *err) WS_MUST_CHECK;
/* order[lane of the changed CTA] = lane of the CTA; steps: a decoder at the CTA's begin, which is
 * read.  (sort.c) */
enum ws_status ws_lanes_sort(struct ws_decoder *steps, size_t threads, uint16_t *order,
			     struct ws_err *err) WS_MUST_CHECK;

/* ---- a CTA's steps by pieces of an array (pieces.c) ------------------------------------------ */

struct ws_piece_step {
	uint64_t least;		/* address of the array; UINT64_MAX: the step reads none of it */
	uint32_t part, piece;	/* part: barriers before it */
	uint32_t segment;
	bool barrier, between;	/* between: it stands between two passes */
};
struct ws_pieces {		/* of a CTA; zero is none */
	struct ws_piece_step *step;
	size_t steps, cap;
	uint32_t count, barriers;
	uint32_t passes;	/* how often it goes back to an earlier piece */
	uint32_t turns;		/* in which its steps are executed; 1: they stay as they are */
};

/* Of the CTA that the decoder is at, which is read. */
enum ws_status ws_pieces_cut(struct ws_pieces *p, struct ws_decoder *steps,
			     const struct ws_launch *l, const char *array, uint32_t count,
			     struct ws_err *err) WS_MUST_CHECK;
/* Is the CTA's n-th step executed in that turn? */
bool ws_pieces_has(const struct ws_pieces *p, size_t step, uint32_t turn, bool again);
void ws_pieces_clear(struct ws_pieces *p);

/* ---- work-items sorted over the grid (regroup.c) --------------------------------------------- */

/* All launches with their work-items, and what these index, sorted by the branches they take.
 * *out: closed by ws_trace_close; NULL: they cannot be, as they have barriers, more dimensions than
 * one, or too many accesses. */
enum ws_way_order { WS_WAYS_LONG_FIRST, WS_WAYS_ANY, WS_WAYS_SHORT_FIRST };
enum ws_status ws_regroup(struct ws_trace **out, const struct ws_trace *t, enum ws_way_order ways,
			  struct ws_err *err) WS_MUST_CHECK;

/* ---- a part of a kernel (sample.c) ----------------------------------------------------------- */

struct ws_sample {		/* zero: all is simulated */
	struct ws_trace *trace;	/* some CTAs of some launches of the kernel; NULL: no sample */
	struct ws_machine machine; /* some of the SMs, with their share of the rest */
	double times;		/* SMs that each of them stands for */
	double *weight;		/* [launches]: what the cycles of each count */
	double share;		/* of the kernel's requests, that are simulated */
};

/* Of a kernel with many more requests than these, about as many; more if that would be less than
 * two waves of CTAs. */
enum ws_status ws_sample_make(struct ws_sample *out, const struct ws_trace *t, const char *kernel,
			      const struct ws_machine *m, double requests,
			      struct ws_err *err) WS_MUST_CHECK;
void ws_sample_clear(struct ws_sample *s);

/* ---- what a kernel does (scan.c) ----------------------------------------------------------- */

#define WS_STRIDES 8u
struct ws_strides {		/* distances in bytes that occur most, with how often at least */
	uint64_t bytes[WS_STRIDES], count[WS_STRIDES];
};
/* From a lane to the next; to the lane in the block's next row; from an execution to the next; from
 * the access before, of another instruction to the same array. */
enum { WS_STRIDE_LANE, WS_STRIDE_ROW, WS_STRIDE_STEP, WS_STRIDE_OTHER, WS_STRIDE_KINDS };

struct ws_access_sum {		/* of warp instructions */
	uint64_t instructions, requests, sectors, needed; /* needed: sectors, if lanes that are
							   * active had neighbouring elements */
	uint64_t lanes;
};

struct ws_scan_site {		/* a static instruction, by source line */
	char array[64];		/* "?": unknown */
	char source[96];
	uint32_t bytes;		/* of a lane, at most */
	uint8_t kind;
	struct ws_access_sum sum;
	struct ws_strides stride[WS_STRIDE_KINDS];
};

struct ws_scan {		/* zero is empty */
	struct ws_scan_site *site;
	size_t count, cap;
	struct ws_access_sum all;
	uint64_t cta_lines, ctas_scanned; /* distinct lines of these CTAs, summed */
	uint64_t resident;	/* CTAs of an SM, of the largest launch */
	const struct ws_launch *launch;	/* that one */
};

/* m: as the machine is for the kernel. */
enum ws_status ws_scan_kernel(struct ws_scan *scan, const struct ws_trace *t, const char *kernel,
			      const struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;
void ws_scan_clear(struct ws_scan *scan);

/* ---- arrays of a scan (arrays.c) ------------------------------------------------------------- */

static inline double ws_share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

#define WS_STRIDES_TRIED 3u
struct ws_array_sum {
	const char *name;
	const struct ws_scan_site *worst; /* wastes most sectors */
	struct ws_access_sum sum;
	uint32_t bytes;		/* of an element: of the widest access */
	uint64_t wasted;	/* of the worst */
};

void ws_scan_array(struct ws_array_sum *a, const struct ws_scan *scan, const char *name);
/* Is this the first site of its array, which has a name? */
bool ws_scan_begins_array(const struct ws_scan *scan, size_t site);
/* The strides of an array (NULL: of all) of some kinds (bits), from `least` bytes on, the most
 * frequent first; with l1, those that come to few of its sets before others.  0 where there are no
 * more. */
void ws_scan_strides(uint64_t out[WS_STRIDES_TRIED], const struct ws_scan *scan,
		     const char *array, unsigned kinds, uint64_t least, const struct ws_cache *l1);
/* How many of the array's warp instructions have neighbours so far apart, at least. */
uint64_t ws_scan_lanes_apart(const struct ws_scan *scan, const char *array, uint64_t bytes);
/* In the largest launch. */
uint64_t ws_scan_array_bytes(const struct ws_scan *scan, const char *name);

/* ---- one simulation (measure.c) ------------------------------------------------------------ */

struct ws_array_counts {	/* of the L1 */
	char array[64];
	uint64_t requests, hits;
	bool loads;
};
struct ws_measure {
	struct ws_advice_counts counts;
	struct ws_array_counts *array; /* if asked for */
	size_t arrays, cap;
};
#define WS_PAST_STORES "\001stores" /* no array's name: it has a control character */

struct ws_measuring {
	const struct ws_trace *trace;
	const struct ws_machine *machine;
	const char *kernel;
	const char *past;	/* arrays, a line each, whose accesses go past the L1, or
				 * WS_PAST_STORES: those of all stores; NULL: none */
	const struct ws_sample *sample; /* that the trace is of; NULL: of none */
	uint64_t seed;
	unsigned threads;
	bool arrays;
};
enum ws_status ws_measure_run(const struct ws_measuring *how, struct ws_measure *out,
			      struct ws_err *err) WS_MUST_CHECK;
void ws_measure_clear(struct ws_measure *m);

/* ---- offers (offers.c, offers_conflict.c, offers_machine.c) ---------------------------------- */

struct ws_offer {
	struct ws_advice advice; /* .kernel NULL; without counts and gain */
	struct ws_change change;
	bool rewritten;		/* change says something */
	bool regrouped;		/* work-items are sorted over the grid */
	bool gathered;		/* what is in shared memory is found by data */
	char past[256];		/* arrays, or WS_PAST_STORES; "": none */
	char set[256];		/* "KEY=VALUE"; "": none */
	struct ws_soft soft;	/* line_bytes 0: no software cache */
	double gain[3];		/* as it is, arrays elsewhere, more instructions */
};

struct ws_offers {		/* zero is empty */
	struct ws_offer *offer;
	size_t count, cap;
};

struct ws_facts {		/* what offers are made of */
	const struct ws_scan *scan;
	const struct ws_measure *measure;
	const struct ws_machine *machine, *named; /* as it is for the kernel; as it was given */
	const struct ws_trace *base; /* the kernel's launches alone */
	uint64_t conflict, capacity; /* misses, of a simulation without time */
};

enum ws_status ws_offers_make(struct ws_offers *offers, const struct ws_facts *facts,
			      struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_offers_conflict(struct ws_offers *offers, const struct ws_facts *facts,
				  struct ws_err *err) WS_MUST_CHECK;
/* More padding than those of ws_offers_conflict, which are tried, where these leave conflicts. */
enum ws_status ws_offers_wider(struct ws_offers *offers, const struct ws_facts *facts,
			       struct ws_err *err) WS_MUST_CHECK;
/* All arrays that gain if they are transposed, which is tried, at once. */
enum ws_status ws_offers_together(struct ws_offers *offers, struct ws_err *err) WS_MUST_CHECK;
/* A software cache (software.c). */
enum ws_status ws_offers_software(struct ws_offers *offers, const struct ws_facts *facts,
				  struct ws_err *err) WS_MUST_CHECK;
/* Tiles that are gone through in pieces (pieces.c). */
enum ws_status ws_offers_pieces(struct ws_offers *offers, const struct ws_facts *facts,
				struct ws_err *err) WS_MUST_CHECK;
/* Arrays in shared memory (shared.c).  t: the facts' trace. */
enum ws_status ws_offers_shared(struct ws_offers *offers, const struct ws_facts *facts,
				const struct ws_trace *t, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_offers_machine(struct ws_offers *offers, const struct ws_facts *facts,
				 struct ws_err *err) WS_MUST_CHECK;
/* A cleared one of that kind; NULL: out of memory. */
struct ws_offer *ws_offer_add(struct ws_offers *offers, enum ws_advice_kind kind,
			      struct ws_err *err);
void ws_offer_name(struct ws_offer *o, const char *array, const char *source);

/* ---- a software cache (software.c) ----------------------------------------------------------- */

/* The launches of a trace with the cache in their kernels.  *out is closed by ws_trace_close. */
enum ws_status ws_soften(struct ws_trace **out, const struct ws_trace *t,
			 const struct ws_machine *m, const struct ws_soft *soft,
			 struct ws_err *err) WS_MUST_CHECK;

#endif
