/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/grain/grain.h -- caches that hold 32 B words under tags of their own: decoupled sectors,
 * chunks of one size (Elastic-Cache), chunks whose size follows the requests (DyCache).
 *
 * Li, Sun, Annavaram and Kim, IPDPS 2017; Guo, Huang, Lu, Ma and Wang, IEEE Access 6, 2018;
 * Seznec, ISCA 1994.  All replace least recently used.  What those texts leave open is
 * marked (*); where it matters a key of the machine says which.
 *
 * Chunks.  A line is 128 B: four words.  The *region* of an address is address >> (5 +
 * l1.chunk.tag + log2 sets, rounded up): their common tag.  The words of a line are of one
 * region and set; the l1.chunk.tag bits below say which of that region's.  (With other sets than
 * modulo a power of two, hardware would want more bits to tell lines of a set apart; here
 * whole addresses are compared (*).)
 *   Request: of 32, 64 or 128 B: the smallest aligned block that holds the sectors asked for.
 *   It hits iff one line holds all its words, wherever in the line (*).
 *   Fetched, and kept together: the larger of request and grain, its *block*, k words, in an
 *   aligned group of k places of one line.
 *   Miss: words of the block that are in the set are partial hits: thrown out, written back if
 *   dirty, and the whole block is fetched.  Then, in this order, the block takes
 *     of 128 B: the lowest invalid line, else the one used longest ago;
 *     of less:  an empty group of a line of its region, lowest way, lowest place (*);
 *               the first group of the lowest invalid line, if l1.chunk.invalid is first or no line
 *               is of its region (*);
 *               if a line is of its region, the group whose latest use is longest ago, among those
 *               lines that l1.chunk.victim names (*);
 *               else the line used longest ago, all of it thrown out, its first group.
 *   A line is used when a request hits or fills it; of its words those of the block are.
 *   Stores that do not allocate: write-through uses the words that are there; write-evict
 *   throws the block's out (*).
 *
 * DyCache begins, and begins anew at each flush, with a grain of 128 B (*).  Each l1.grain.period
 * requests, loads and stores that the cache looks up (*), it decides (ws_grain_decide).  A smaller
 * grain keeps everything.  A larger one flushes, writing dirty words back, or, with
 * l1.grain.retain, keeps the aligned groups of that size that hold one aligned block.
 * l1.grain.period.max > period: the period doubles, up to that, when two decisions in succession
 * changed the grain, and halves, down to l1.grain.period, after eight that did not (*).
 *
 * Decoupled.  A set has N tags per way, and for each place of a line as many words as ways, each
 * with the number of its tag.  A request hits iff all its sectors are there; a miss fetches those
 * missing.  A new line takes the lowest tag without words, else the tag used longest ago, whose
 * words are thrown out; a sector the lowest free word at its place, else the one used longest ago.
 * write-evict throws the whole line out.
 *
 * Three Cs: the fully associative cache is one of as many words, LRU, which fetches
 * the same blocks; so what tags, regions, partial hits and flushes cost are conflicts.
 *
 * A request: O(words of a block) and, on a miss, O(ways), of a decoupled cache O(words * log ways)
 * (in cycles O(ways) where what was used longest ago is on its way); a larger grain and a flush:
 * O(words).
 */
#ifndef WS_GRAIN_H
#define WS_GRAIN_H

#include "validate/sim/directory.h"
#include "validate/validate.h"

struct ws_grain;

/* cache->organised: one with sub-sectors.  The geometry has been checked. */
enum ws_status ws_grain_new(struct ws_grain **out, const struct ws_cache *cache,
			    struct ws_err *err) WS_MUST_CHECK;
/* A load or a store of the cache's lines, checked; counted in *c. */
enum ws_status ws_grain_request(struct ws_grain *g, const struct ws_request *r, struct ws_counts *c,
				struct ws_err *err) WS_MUST_CHECK;
void ws_grain_flush(struct ws_grain *g); /* empty; statistics kept, nothing written back */
void ws_grain_stats(const struct ws_grain *g, struct ws_grain_stats *out);
unsigned ws_grain_now(const struct ws_grain *g); /* bytes, for tests; 0: a decoupled cache */
void ws_grain_free(struct ws_grain *g);
#endif
