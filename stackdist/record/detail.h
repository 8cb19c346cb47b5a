/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/detail.h -- private: what is recorded beside the distances.
 *
 * Each recorder keeps the state of one SM's cache at one geometry during one launch (struct
 * ws_windows, ws_lifetimes, ws_fill_recorder, ws_reservation) and counts into a struct that belongs
 * to the calling thread and is shared by the SMs it works for; those of the threads are added up
 * when the launch ends.  Integer sums do not depend on the threads.
 *
 * A batch is requests of one SM in order.  new: lines that are numbered for the first
 * time come as id = number of lines so far, as in sets.h.
 *
 * ws_<recorder>_new    O(sets)
 * ws_<recorder>_push   amortised O(1) per request, up to the width of a table's row; fails
 *                      for want of memory only
 * ws_<recorder>_end    the launch has ended; counts what is known only then.  Then free.
 * memory               O(distinct lines + sets)
 */
#ifndef WS_STACKDIST_DETAIL_H
#define WS_STACKDIST_DETAIL_H

#include "stackdist/stackdist.h"

#include <float.h>
#include <string.h>

struct ws_batch {
	size_t count;
	const struct ws_request *request;
	const uint32_t *id;	/* number of the line, or WS_LINE_NONE: no reference */
	const uint32_t *set;	/* of the line, where id is one */
	const uint32_t *position; /* at which the line was found; WS_DISTANCE_COLD: never
				 * referenced before; WS_DISTANCE_UNCACHED: not in the stack */
	const uint32_t *distance; /* of the request: with sectors, the largest m */
	const uint8_t *type;	/* WS_TYPE_NONE: no reference */
	const uint32_t *sector;	/* sectored only: m of each sector asked for, as in ws_places */
};

_Static_assert(FLT_RADIX == 2 && FLT_MANT_DIG == 24 && sizeof(float) == sizeof(uint32_t),
	       "ws_octaves");

/* 2^fine steps for each octave of x, which is less than 2^24, counted from anywhere: exponent and
 * highest bits of it as a float.  For loops without branches, and vectors, which many processors
 * cannot scan for bits. */
static inline uint32_t ws_octaves(uint32_t x, unsigned fine)
{
	float f = (float)(int32_t)x;
	uint32_t bits;

	memcpy(&bits, &f, sizeof bits);
	return bits >> (FLT_MANT_DIG - 1 - fine);
}

/* type[i] of each request from id, position and kind. */
void ws_types(enum ws_write write, const struct ws_request *request, const uint32_t *id,
	      const uint32_t *position, size_t count, uint8_t *type);

/* references, time, within, previous, end_* of *to. */
struct ws_windows;

enum ws_status ws_windows_new(struct ws_windows **out, uint64_t sets,
			      struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_windows_push(struct ws_windows *w, const struct ws_batch *b,
			       struct ws_detail *to, struct ws_err *err) WS_MUST_CHECK;
void ws_windows_end(struct ws_windows *w, struct ws_detail *to);
void ws_windows_free(struct ws_windows *w);

/* arrivals, fill, retained, top of *to. */
struct ws_lifetimes;

enum ws_status ws_lifetimes_new(struct ws_lifetimes **out, uint64_t sets,
				struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_lifetimes_push(struct ws_lifetimes *l, const struct ws_batch *b,
				 struct ws_detail *to, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_lifetimes_end(struct ws_lifetimes *l, struct ws_detail *to,
				struct ws_err *err) WS_MUST_CHECK;
void ws_lifetimes_free(struct ws_lifetimes *l);

/* Fill-to-reuse times, counted into a table of changes. */
struct ws_fill_recorder;
struct ws_changes;

/* Lines, sectors and write policy are the cache's. */
enum ws_status ws_fill_recorder_new(struct ws_fill_recorder **out, const struct ws_cache *cache,
			       struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_fill_recorder_push(struct ws_fill_recorder *f, const struct ws_batch *b,
				struct ws_changes *to, struct ws_err *err) WS_MUST_CHECK;
void ws_fill_recorder_free(struct ws_fill_recorder *f);

/* reservation of *to. */
struct ws_reservation;

enum ws_status ws_reservation_new(struct ws_reservation **out, uint64_t sets,
				  struct ws_err *err) WS_MUST_CHECK;
void ws_reservation_push(struct ws_reservation *c, const struct ws_batch *b, struct ws_detail *to);
void ws_reservation_end(struct ws_reservation *c, struct ws_detail *to);
void ws_reservation_free(struct ws_reservation *c);

enum ws_status ws_changes_new(struct ws_changes **out, struct ws_err *err) WS_MUST_CHECK;
/* Adds what was counted to fill_reuse[WS_KINDS], sorted and without zeros, and empties it. */
enum ws_status ws_changes_take(struct ws_changes *c, struct ws_fill_reuses *fill_reuse,
			       struct ws_err *err) WS_MUST_CHECK;
void ws_changes_free(struct ws_changes *c);

/* Sums, for merging; fill-to-reuse times stay sorted and without zeros. */
void ws_detail_free(struct ws_detail *d); /* and what it holds; NULL is fine */
enum ws_status ws_detail_add(struct ws_detail *to, const struct ws_detail *from,
			     struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_fill_reuses_add(struct ws_fill_reuses *to, const struct ws_fill_reuses *from,
			      struct ws_err *err) WS_MUST_CHECK;

#endif
