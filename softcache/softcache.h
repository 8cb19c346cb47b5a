/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * softcache/softcache.h -- a thread-private software cache in shared memory.
 *
 * Its hits are derived from a trace and simulated, and a trace can be rewritten to contain it.
 * trace/capture.h puts it into kernels that run.
 */
#ifndef WS_SOFTCACHE_H
#define WS_SOFTCACHE_H

#include "validate/validate.h"

WS_API_BEGIN

/* ---- a software cache in shared memory, private to each thread (softcache/simulate.c, softcache/r
 *
 * Model.  The structures of a launch are its arrays.  Each thread counts its *calls*, which are its
 * loads and stores of global memory; the first `threshold` are its monitoring phase, in which all
 * go to memory, while an imaginary line for each structure counts what would have hit.  Then
 * `lines` structures are chosen, and each thread has one line of line_bytes for each of them, empty
 * at first.  An access to a chosen structure looks up its line: a miss writes the bytes that were
 * modified back, then fetches the whole line, for a store too; a store sets the bits of its bytes
 * in the line's mask.  Accesses to other structures, to no array, and atomics go to memory.  A
 * barrier, and a thread's end, write back and empty all its lines; before an atomic, its
 * structure's line is written back and emptied if it holds the address.  Barriers and atomics do so
 * with imaginary lines too.
 *
 * In the published design each thread counts hits in registers and chooses for itself: by_thread.
 * Otherwise one choice is made for the launch, by the monitored hits of all threads, as by a host
 * that monitors one launch for later ones.  A structure is read-write if a store names it; it goes
 * before a read-only one if it has at least twice its hits, else after; equals in the order of the
 * arguments.  Without a hit none is chosen.
 *
 * Choices of ours: a thread stops monitoring after exactly `threshold` calls, not at the end of its
 * loop's turn; an access that does not lie in one line looks up each line it touches, in
 * ascending order, each a hit or a miss of its own.
 *
 * Aliased: structures' pointers may overlap, so every access looks in all lines in use, whatever
 * its own structure.  Arrays begin at multiples of 256 bytes and lines are no longer, so lines of
 * different arrays never overlap: only the instruction counts differ.
 *
 * Derivation.  A line of 2^k bytes holds the last access's line, so an access hits if the bit
 * length of (address XOR the last byte accessed) is at most k, and nothing emptied the line
 * between.  So each access adds to the histograms of all k at once; under the number of the call
 * before it in the same structure, as it hits in the cached phase of all thresholds below that.
 * Write-backs are stores less those that find the line dirty, by the number of the store before.
 *
 * With by_thread, a thread's counts are kept until it ends, separately for both phases, and then
 * added to the ranks that the structures have for it.  So such histograms hold one threshold, but
 * all line sizes and numbers of lines.
 *
 * The remaining accesses of threads to the L1s are derived: `direct`, `misses`, `write_backs`; with
 * one choice for the launch, requests of warps too (softcache/requests.c).  Misses in L1s and L2
 * depend on all choices and are not derived: the trace is rewritten with the cache in it
 * (ws_soft_rewrite) and profiled.
 */
#define WS_SOFT_LINE_BITS 8u			/* lines of 1, 2, ... 256 bytes */
#define WS_SOFT_SIZES (WS_SOFT_LINE_BITS + 1)
#define WS_SOFT_THRESHOLD_MAX 1024u
#define WS_SOFT_STRUCTURES_MAX 256u		/* later ones count as no array */

struct ws_soft {
	uint64_t line_bytes, threshold; /* 1..WS_SOFT_THRESHOLD_MAX */
	uint64_t lines;		/* of a thread, CLN */
	bool aliased;
	bool by_thread;		/* each thread chooses for itself */
};
#define WS_SOFT_INIT { .line_bytes = 16, .threshold = 300 }

enum ws_status ws_soft_check(const struct ws_soft *soft, struct ws_err *err) WS_MUST_CHECK;

/* Lines of a thread that are put into shared memory, where so many structures are chosen. */
static inline uint64_t ws_soft_lines_used(const struct ws_soft *soft, uint64_t chosen)
{
	return chosen < soft->lines ? chosen : soft->lines;
}

struct ws_soft_counts {
	uint64_t accesses[WS_KINDS];	/* of threads */
	uint64_t monitored, monitor_hits; /* loads and stores of the monitoring phase */
	uint64_t hits[2], misses[2];	/* [WS_LOAD], [WS_STORE]: of the cached phase, each line
					 * that an access touches */
	uint64_t write_backs, write_back_bytes; /* lines; modified bytes */
	uint64_t direct[WS_KINDS];	/* accesses that bypassed the cache */
	/* By threads that have a line for the structure, in their cached phase: */
	uint64_t atomics;		/* they look for it */
	uint64_t emptied;		/* lines looked at by barriers and ends */
	uint64_t others;		/* of all threads: other lines that they have in use, of
					 * each load and store of the cached phase */
};

/* Instructions that the cache adds to a thread's; softcache/simulate.c says of what they are. */
#define WS_SOFT_DO_MONITOR 5u
#define WS_SOFT_DO_DIRECT 3u
#define WS_SOFT_DO_LOOK_UP 5u
#define WS_SOFT_DO_FETCH 4u
#define WS_SOFT_DO_ATOMIC 3u
#define WS_SOFT_DO_EMPTY 1u
#define WS_SOFT_DO_OTHER_LINE 2u

enum ws_soft_why {
	WS_SOFT_CHOSEN,
	WS_SOFT_NO_ARRAY,	/* addresses in no array */
	WS_SOFT_NO_LINE,	/* CLN is 0 */
	WS_SOFT_NO_HIT,
	WS_SOFT_FEWER_HITS,	/* than the last that was chosen, in the order of the rule */
	WS_SOFT_NOT_TWICE,	/* read-write; it has more than the last, which is read-only, but
				 * not twice */
	WS_SOFT_BY_NONE,	/* by_thread: hits there were, but no thread chose it */
};
extern const char *const ws_soft_why_names[];

struct ws_soft_part {		/* a structure */
	uint32_t array;		/* of the launch; WS_NO_ARRAY: all else */
	uint32_t rank;		/* by the rule, from 1; 0: without a hit, or by_thread */
	bool writable;
	enum ws_soft_why why;	/* by_thread: chosen by any */
	uint64_t threads;	/* that were through with monitoring, and have a line for it */
	struct ws_soft_counts counts;
};

struct ws_soft_result {
	struct ws_soft_part *part; /* in the order of arguments, all else last, accessed ones
				    * only */
	size_t parts;
	uint64_t chosen;
	uint64_t barriers;	/* of threads, in the cached phase: all lines are looked at */
	uint64_t past;		/* calls after monitoring */
	uint64_t instructions;	/* of threads, as the kernel is */
	uint64_t extra;		/* of threads, that monitoring and caching add; softcache/simulate.c
				 * says how many each */
};

void ws_soft_result_clear(struct ws_soft_result *r);
struct ws_soft_counts ws_soft_sum(const struct ws_soft_result *r);
/* Fills rank and why of r's parts, whose accesses, writable and monitor_hits are set; chosen. */
void ws_soft_choose(struct ws_soft_result *r, uint64_t lines);
/* The same where each thread chose for itself; their number is set, too. */
void ws_soft_chosen_by(struct ws_soft_result *r, uint64_t lines);
/* r->extra of all other counts. */
void ws_soft_instructions(struct ws_soft_result *r, const struct ws_soft *soft);

/* A launch's histograms: of one choice for the launch and any threshold, or, where each thread
 * chooses (by_thread not NULL), of by_thread->threshold. */
struct ws_soft_record;

enum ws_status ws_soft_record_new(struct ws_soft_record **out, const struct ws_launch *launch,
				  const struct ws_soft *by_thread,
					  struct ws_err *err) WS_MUST_CHECK;
/* Before all, if by_thread: each step, as the choice has to know what is stored to. */
void ws_soft_record_stores(struct ws_soft_record *r, const struct ws_step *step);
void ws_soft_record_cta(struct ws_soft_record *r); /* before each CTA's steps, and after the
						    * last's */
enum ws_status ws_soft_record_step(struct ws_soft_record *r, const struct ws_step *step,
				   struct ws_err *err) WS_MUST_CHECK;
/* All of that of a launch of a trace. */
enum ws_status ws_soft_record_make(struct ws_soft_record **out, const struct ws_trace *t,
				   size_t launch, const struct ws_soft *by_thread,
				   struct ws_err *err) WS_MUST_CHECK;
void ws_soft_record_free(struct ws_soft_record *r);
/* Any number of threads may ask.  O(threshold * structures).  WS_EINVAL: soft->by_thread, and that
 * threshold, are not the record's. */
enum ws_status ws_soft_predict(const struct ws_soft_record *r, const struct ws_soft *soft,
			       struct ws_soft_result *out, struct ws_err *err) WS_MUST_CHECK;

/* Of a record for any threshold: of a structure with a line of its own all through the launch,
 * hits of lines of 2^k bytes, and lines looked up. */
void ws_soft_lines(const struct ws_soft_record *r, size_t structure, uint64_t hits[WS_SOFT_SIZES],
		   uint64_t look_ups[WS_SOFT_SIZES]);

/* Requests of warps that are left, for any threshold, line size and number of lines: of the
 * machine's warp.width, coalesce.line and l1.line.  For one choice for the launch.  Equal to those
 * of ws_soft_streams, and of a rewritten trace, where no request of a warp as it is holds both
 * bytes of an array and bytes of none; those are two here. */
struct ws_soft_requests;

enum ws_status ws_soft_requests_make(struct ws_soft_requests **out, const struct ws_trace *t,
				     size_t launch, const struct ws_machine *m,
				     struct ws_err *err) WS_MUST_CHECK;
void ws_soft_requests_free(struct ws_soft_requests *r);
/* choice: of ws_soft_predict, with the same soft; NULL: without a cache. */
void ws_soft_requests_left(const struct ws_soft_requests *r, const struct ws_soft *soft,
			   const struct ws_soft_result *choice, uint64_t kind[WS_KINDS]);

/* Which structure of the launch a thread's access is to: an array's number, or `structures` - 1 for
 * no array. */
size_t ws_soft_structures(const struct ws_launch *launch);
size_t ws_soft_structure(const struct ws_launch *launch, uint32_t instruction, uint64_t address);
/* [structure]: does a store instruction name it? */
bool ws_soft_stored(const struct ws_launch *launch, size_t structure);

/* What an SM has room for: CLN = floor(floor(shared memory free / threads) / line), where threads
 * are those of the CTAs that an SM holds, or of those that there are for it if they are fewer.
 * Monitoring takes two registers a structure, caching three, two if read-only; one kernel is
 * compiled for both. */
struct ws_soft_room {
	uint64_t ctas_before, ctas; /* of an SM, without and with the cache's registers; 0: not even
				     * one */
	const char *limit;	/* of the latter, as in ws_order_stats */
	uint64_t threads, shared_free, thread_bytes, lines;
	uint64_t shared_used;	/* by lines, on an SM */
	uint64_t monitor_registers, cache_registers; /* of a thread */
	uint64_t spilled_registers; /* the latter if structures that are not chosen keep one */
};

static inline uint64_t ws_soft_added(const struct ws_soft_room *room) /* registers, of a thread */
{
	return room->monitor_registers > room->cache_registers ? room->monitor_registers
							       : room->cache_registers;
}

/* registers: of a thread without the cache, 0: not known, they bound nothing.  r: of one structure
 * set; its parts say which are read-write and, for the last member, chosen. */
enum ws_status ws_soft_fit(struct ws_soft_room *out, const struct ws_launch *launch,
			    const struct ws_machine *m, uint64_t registers, uint64_t line_bytes,
			    const struct ws_soft_result *r, struct ws_err *err) WS_MUST_CHECK;

/* ---- simulated --------------------------------------------------------------
 *
 * As ws_soft_predict, by keeping each thread's lines with their tags and masks.  The same steps are
 * given twice: first all threads monitor, then, after ws_softsim_choose, they use what was chosen.
 */
struct ws_softsim;

enum ws_status ws_softsim_new(struct ws_softsim **out, const struct ws_launch *launch,
			      const struct ws_soft *soft, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_softsim_cta(struct ws_softsim *s,
			      struct ws_err *err) WS_MUST_CHECK; /* before each CTA's steps, and
								  * after the last's */
void ws_softsim_step(struct ws_softsim *s, const struct ws_step *step);
enum ws_status ws_softsim_choose(struct ws_softsim *s, struct ws_err *err) WS_MUST_CHECK;
/* Gives up its result. */
void ws_softsim_result(struct ws_softsim *s, struct ws_soft_result *out);
void ws_softsim_free(struct ws_softsim *s);

/* A launch of a trace. */
enum ws_status ws_soft_simulate(struct ws_soft_result *out, const struct ws_trace *t, size_t launch,
				const struct ws_soft *soft, struct ws_err *err) WS_MUST_CHECK;

/* The requests that are left, to be run through caches by ws_simulate; *out is one launch's.  Warps
 * run in the order of the kernel as it is, ctas (if not 0) of them on an SM at most.  In place of a
 * warp's access to a chosen structure are, for the lanes that miss, a store of whole lines, where
 * bytes of them were modified, and a load of whole lines; before barriers and atomics and at its
 * end stores alike. */
enum ws_status ws_soft_streams(struct ws_streams **out, const struct ws_trace *t, size_t launch,
			       const struct ws_machine *m, uint64_t ctas,
				       const struct ws_soft *soft,
			       const struct ws_profile_options *options,
			       struct ws_err *err) WS_MUST_CHECK;

/* A launch's trace as it would be if its kernel had the cache (softcache/rewrite.c), for anything
 * that takes a trace: engine, coalescer, L1s, L2, time.  Without lines it is the launch's own
 * trace, step by step.  Else, in a warp instruction that loads or stores:
 *	what monitoring, looking up or not caching adds to each lane, as other instructions;
 *	lanes that miss a line: first a store of a whole line by those that wrote to theirs,
	 then a load
 *	of a whole line,
	 whose use is the next instruction; again for each further line that an access
 *	touches;
 *	one instruction, the access to shared memory, by the lanes that went through the cache;
 *	the access itself, by all other lanes.
 * Before an atomic, before a barrier and at a CTA's end there are stores of lines alike, structure
 * by structure.  Threads end together, as the flush is behind the loop.  Lines are loaded and
 * stored as one access of line_bytes.  A warp whose lanes are partly through with monitoring issues
 * the instructions of both.  What a load waits for (use) is as far off as before, plus
 * WS_SOFT_DO_DIRECT for each access before it.
 *
 * So the accesses of threads are, to the last count, `direct`, and a load for each of `misses`, and
 * a store for each of `write_backs` of *out, which is what ws_soft_simulate says.  Its instructions
 * of threads are instructions + extra, but that of what is doubled as a structure is written to,
 * one of each miss and of each line looked at by a barrier or an end is the store, which only a
 * thread with modified bytes executes: instructions + extra + write_backs - (misses + emptied) of
 * structures that are written to. */
struct ws_soft_kernel {
	struct ws_soft soft;
	char *name;		/* NULL: the launch's */
	uint64_t shared_bytes, registers; /* of the launch as it is to be; as in struct ws_launch */
};

enum ws_status ws_soft_rewrite(struct ws_trace_writer *w, const struct ws_trace *t, size_t launch,
			       const struct ws_soft_kernel *kernel, struct ws_soft_result *out,
			       struct ws_err *err) WS_MUST_CHECK;

WS_API_END
#endif
