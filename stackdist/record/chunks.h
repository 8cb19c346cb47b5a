/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/chunks.h -- private: distances of chunks and sectors (stackdist.h) of one SM in
 * one launch, at all set counts.
 *
 * ws_chunks_push   of a form, and set count: O(words before it in its set, at most
 *                  4 * WS_CHUNK_LINES, times regions that these are of, if they alternate), O(1)
 *                  for first references without invalid ways
 * memory           O(distinct words), and of each form, and set count, 12 KB at most for each set
 */
#ifndef WS_STACKDIST_CHUNKS_H
#define WS_STACKDIST_CHUNKS_H

#include "stackdist/record/tally.h"

struct ws_chunks;

/* cache: the machine's L1, of lines of 128 B; sets: ascending; period: requests of a window, 0: no
 * windows. */
enum ws_status ws_chunks_new(struct ws_chunks **out, const struct ws_cache *cache,
			     const uint64_t *sets, size_t count, uint64_t period,
			     struct ws_err *err) WS_MUST_CHECK;
/* Of one form; those of another one may be pushed meanwhile. */
enum ws_status ws_chunks_push(struct ws_chunks *c, enum ws_chunk_form form,
			      const struct ws_request *r, size_t count,
			      struct ws_err *err) WS_MUST_CHECK;
/* Adds what was counted to `to`, of the same set counts and period.  The last that it does. */
enum ws_status ws_chunks_take(struct ws_chunks *c, struct ws_section *to,
			      struct ws_err *err) WS_MUST_CHECK;
void ws_chunks_free(struct ws_chunks *c);

/* Room for the tables of a section. */
enum ws_status ws_chunked_new(struct ws_section *s, const uint64_t *sets, size_t count,
			      uint64_t period, struct ws_err *err) WS_MUST_CHECK;

#endif
