/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase.h -- pointer chasing: what is this cache?  Not installed.
 *
 * A target answers programs of dependent loads with the latency of each.  ws_chase_infer finds from
 * the answers alone: levels of latency, sector, line, sets, set index, ways, sets of unequal size,
 * and the replacement policy.  It rests on this: a set that is asked for more lines than it has
 * ways misses at least once in each pass over them, whatever the policy; a set that is asked for no
 * more never misses after the first pass.  Sources: Mei and Chu, TPDS 2017 (fine-grained pointer
 * chasing); Vila, Koepf and Morales, S&P 2019 (minimal eviction sets); Abel and Reineke, RTAS 2013
 * (policies held against their own simulation).
 *
 *   ws_chase_infer   some 10^5 to 10^6 loads of a cache of 16 to 4096 lines; at most options->loads
 */
#ifndef WS_PCHASE_H
#define WS_PCHASE_H

#include "validate/validate.h"

/* ---- targets ------------------------------------------------------------------------ */

#define WS_CHASE_NOTE 192u

struct ws_chase_target {
	uint64_t bytes;		/* offsets below it can be loaded; a power of two */
	double offset;		/* is added to each latency */
	/* Not 0: it prefetches.  A walk over new words does not miss each line, or sector; and
	 * lines that fit are thrown out in some orders, but not in one of so many. */
	unsigned orders;
	uint64_t page;		/* not 0: where pages lie in the cache is not known */
	char name[128];		/* of a device */
	char note[WS_CHASE_NOTE]; /* what a user is to know of it; may be empty */
	void *state;
	/* Loads offset[0..count-1] one after the other; cycles[i] is the latency of load i.  flush:
	 * the cache is empty before the first one; what is behind it keeps its content. */
	enum ws_status (*run)(void *state, const uint64_t *offset, size_t count, bool flush,
			      double *cycles, struct ws_err *err);
	/* Takes other memory, before another attempt; NULL: there is no reason to. */
	enum ws_status (*renew)(void *state, struct ws_err *err);
	/* After runs: what a user is to know of them, if anything; NULL: never. */
	void (*tell)(const void *state, char *note, size_t len);
	void (*free)(void *state); /* takes NULL */
};

struct ws_chase_noise {
	double jitter;		/* standard deviation of a latency, relative to it */
	double outliers;	/* part of the loads that take 300 to 2000 cycles more */
	uint64_t seed;		/* of the noise, and of what the simulated policies draw */
};

/* The L1 of *m in functional simulation, its L2 behind it; without an L1 the L2.  A load takes
 * l1.latency, and l2.latency and dram.latency on top where it misses, and what its TLBs take where
 * it goes past the L1 and they miss (validate/sim/tlb.h); a flush empties them too.  Errors: as
 * ws_sim_new. */
enum ws_status ws_chase_machine(struct ws_chase_target *out, const struct ws_machine *m,
				const struct ws_chase_noise *noise,
				struct ws_err *err) WS_MUST_CHECK;
/* The processor that this runs on, x86-64 alone.  Latencies are in cycles of its time stamp
 * counter.  Binds the calling thread to its processor until it is closed.  Level 2 answers as if
 * there were no level 1.  Errors: WS_EINVAL (another architecture), WS_ENOMEM. */
struct ws_chase_cpu {
	unsigned level;		/* 1 or 2 */
	bool small_pages;	/* as if there were no huge ones */
	uint32_t clock_step;	/* ticks: as if the clock counted in such steps; 0: as it does */
	uint64_t seed;
};
enum ws_status ws_chase_cpu(struct ws_chase_target *out, const struct ws_chase_cpu *options,
			    struct ws_err *err) WS_MUST_CHECK;

/* A device of an OpenCL platform, both by number from 0; one work-item makes the loads.
 * Latencies are too long by what reading its clock takes.  Errors: WS_EINVAL (no ICD loader,
 * platform or device), WS_EIO (the driver's), WS_ENOMEM. */
struct ws_chase_opencl {
	const char *library;	/* NULL: libOpenCL.so.1 */
	unsigned platform, device;
	bool counter;		/* as if the device had no clock */
	uint64_t seed;
};
enum ws_status ws_chase_opencl(struct ws_chase_target *out, const struct ws_chase_opencl *options,
			       struct ws_err *err) WS_MUST_CHECK;

/* An NVIDIA GPU, by its number from 0; one thread makes the loads.  Latencies are what reading its
 * clock takes too long.  Errors: WS_EINVAL (no driver or GPU, too old ones), WS_EIO (the driver's),
 * WS_ENOMEM. */
bool ws_chase_has_ptx(void);	/* or there was no compiler for the kernel */
enum ws_chase_how { WS_CHASE_L1, WS_CHASE_PAST_L1, WS_CHASE_READ_ONLY };
struct ws_chase_cuda {
	const char *library;	/* NULL: libcuda.so.1 */
	unsigned device;
	enum ws_chase_how how;
};
enum ws_status ws_chase_cuda(struct ws_chase_target *out, const struct ws_chase_cuda *options,
			     struct ws_err *err) WS_MUST_CHECK;

void ws_chase_close(struct ws_chase_target *t);

/* ---- what is found ------------------------------------------------------------------- */

#define WS_CHASE_LEVELS 4u
#define WS_CHASE_SETS 4096u	/* counted one by one; more are taken to be equal */
#define WS_CHASE_VICTIMS 64u
#define WS_CHASE_TEXT 256u

struct ws_chase_value {		/* confidence 0: not determined */
	uint64_t value;
	double confidence;
};

struct ws_chase_level {
	double cycles, sd;
	double low, high;	/* a latency between them is of this level */
};

struct ws_chase_tlb {		/* a level of translation */
	struct ws_set_ways entries; /* of its sets, page number modulo sets, LRU */
	struct ws_chase_value reach; /* pages that are all found, one after the other */
	double confidence;	/* of entries; 0: not determined */
	double cycles;		/* what a miss adds */
};

struct ws_chase_options {
	uint64_t seed;		/* of the lines that are tried */
	uint64_t loads;		/* budget; 0: 2^26 */
	double seconds;		/* budget, by the wall clock; 0: none.  A busy processor repeats
				 * what was disturbed, which no budget of loads bounds */
};
#define WS_CHASE_LOADS (1ull << 26)

struct ws_chase {
	struct ws_chase_level level[WS_CHASE_LEVELS]; /* the first is a hit */
	size_t levels;
	double false_misses, unread; /* parts of the loads that hit: read as misses, not read */
	struct ws_chase_value sector, line, ways, sets, size;
	uint64_t set_ways[WS_CHASE_SETS]; /* if unequal; by their numbers under hash */
	bool unequal;
	uint64_t short_sets;	/* of a processor: so many hold a line less, which something else
				 * has, as the clock of a virtual machine does */
	bool contradictory;	/* sets hold other numbers of lines together than alone: size is not
				 * determined */
	char hash[WS_CHASE_TEXT];	/* as l1.hash takes it */
	double hash_confidence;
	unsigned hash_low, hash_high;	/* the address bits that were tried */
	char policy[WS_CHASE_TEXT];	/* "lru", or "lru fifo": they cannot be told apart */
	double policy_confidence;
	bool random;			/* the same loads do not miss again */
	double agreement;		/* of the policy's simulation with the walk */
	char nearest[WS_CHASE_TEXT];	/* a policy, if none agrees */
	uint64_t victims[WS_CHASE_VICTIMS]; /* random: how often a full set lost way i */
	size_t victim_ways;
	struct ws_chase_value page;	/* bytes; not determined where there is no TLB */
	struct ws_chase_tlb tlb[2];
	unsigned tlbs;
	double behind[2];		/* with TLBs: a load that misses the L1, and the L2, too,
					 * and no TLB */
	uint64_t loads;
	bool exhausted;			/* a budget ended it */
};

/* WS_OK also where little was determined; errors are the target's, or WS_ENOMEM. */
enum ws_status ws_chase_infer(struct ws_chase *out, const struct ws_chase_target *target,
			      const struct ws_chase_options *options,
			      struct ws_err *err) WS_MUST_CHECK;
/* What was determined as the L1 of *m, whose other keys stay.  WS_EINVAL: sets of unequal size
 * that are no value of l1.sets.ways, contradictory evidence, or an L1 that such a machine cannot
 * have. */
enum ws_status ws_chase_apply(const struct ws_chase *found, struct ws_machine *m,
			      struct ws_err *err) WS_MUST_CHECK;

/* ---- files of measured loads ------------------------------------------------------------
 *
 * Comma-separated values with a header.  Columns `offset` and `latency` (others may stand beside
 * them): the loads one after the other, from an empty cache; those of the least latency are hits.
 * Or a curve, one row a walk in steps of `stride_bytes` over `array_bytes` (empty: over memory that
 * was never loaded) with `miss_ratio`; `loads`, if not empty, is how many were timed, after one
 * whole pass.  Of rows with `level` only those of "l1" count.  Where the stride is less than a
 * sector of 32 bytes, the miss ratio of a curve is bytes fetched by bytes loaded.
 */
struct ws_chase_point {
	uint64_t array, stride, loads; /* array 0: fresh memory; loads 0: a whole pass */
	uint64_t base;		/* address of the array; 0 of files, which do not say */
	double miss_ratio;
};

struct ws_chase_file {		/* a curve, or loads */
	struct ws_chase_point *point;
	size_t points, point_cap;
	uint64_t *offset;
	double *latency;
	size_t loads, offset_cap, latency_cap;
};

/* WS_EFORMAT with file and line. */
enum ws_status ws_chase_read(struct ws_chase_file *out, const struct ws_in *in,
			     struct ws_err *err) WS_MUST_CHECK;
void ws_chase_file_clear(struct ws_chase_file *f);

/* What a machine answers to a walk of a curve: the miss ratio of its L1 (without one its L2) and
 * the mean latency of the timed loads, which are those after one whole pass from an empty cache.
 * exact: derived, under LRU, and equal to the simulation; other policies and organisations, TLBs,
 * and more loads than a pass has, are simulated.  WS_EINVAL: over 2^26 loads.  O(loads). */
struct ws_chase_answer {
	double miss_ratio, cycles;
	enum ws_basis basis;
};
enum ws_status ws_chase_answer(struct ws_chase_answer *out, const struct ws_machine *m,
			       const struct ws_chase_point *walk, uint64_t seed,
			       struct ws_err *err) WS_MUST_CHECK;

/* Which caches miss as the file says: lines of 32 to 256 bytes, 1 to 256 sets, the known hashes,
 * under LRU; then the policies.  What all those have in common that are as near as the best is
 * determined.  Fills sector, line, ways, sets, size, hash, policy and, of loads, levels.  A second
 * or a few.  best_pp: the mean error of the nearest, in points of the miss ratio; of loads the part
 * of them that do otherwise, in percent. */
struct ws_chase_nearest {
	struct ws_cache cache;	/* ways 0: there is none */
	uint64_t base;		/* of the array, as it must have been */
	double best_pp;
	uint64_t fits, overflows; /* bytes of arrays of the curve; 0: none does */
};
enum ws_status ws_chase_explain(struct ws_chase *out, struct ws_chase_nearest *nearest,
				const struct ws_chase_file *f, struct ws_err *err) WS_MUST_CHECK;

/* ---- latencies by where a load hits -------------------------------------------------------
 *
 * P1 to P6 of Mei and Chu: the L2 hits, and so does the L1 TLB (P1), only the L2 TLB (P2), none
 * (P3); no cache hits, and the L1 TLB does (P4), only the L2 TLB (P5), or none, in a page that no
 * load was in before (P6).  P0: an L1 hit, which asks no TLB.  loads 0: not seen, as P2, P3, P5
 * and P6 without a TLB. */
enum { WS_CHASE_P0, WS_CHASE_P1, WS_CHASE_P2, WS_CHASE_P3, WS_CHASE_P4, WS_CHASE_P5, WS_CHASE_P6,
       WS_CHASE_PATTERNS };
#define WS_CHASE_PAGE (1ull << 21)

struct ws_chase_pattern {
	double cycles, low, high; /* median, and 90 % of the loads */
	uint64_t loads;
	uint64_t pages;		/* of TLBs: that were walked by turns */
};
struct ws_chase_spectrum {
	struct ws_chase_pattern pattern[WS_CHASE_PATTERNS];
	uint64_t page;
};
/* The sizes of the caches are the machine's; page 0: its tlb.page, without TLBs WS_CHASE_PAGE. */
enum ws_status ws_chase_spectrum(struct ws_chase_spectrum *out,
				 const struct ws_chase_target *target, const struct ws_machine *m,
				 uint64_t page, struct ws_err *err) WS_MUST_CHECK;

/* ---- what mean latencies would say ---------------------------------------------------------
 *
 * As Wong and Saavedra read them, assuming sets of one size and LRU.  Else it is wrong: that is
 * what it is for, beside ws_chase_infer.  All 0: nothing overflows. */
struct ws_chase_means {
	uint64_t line;		/* as given */
	uint64_t lines;		/* the size: the most lines whose mean is a hit's */
	uint64_t flat;		/* lines from which on the mean no longer rises */
	uint64_t sets;		/* steps in between */
	double ways;		/* lines / sets */
};
enum ws_status ws_chase_means(struct ws_chase_means *out, const struct ws_chase_target *target,
			      uint64_t line, struct ws_err *err) WS_MUST_CHECK;

/* ---- shared memory ----------------------------------------------------------------------- */

/* Turns that a warp's load takes at the banks: rows of shared.width bytes that the most wanted bank
 * is asked for, each once.  At most 64 threads. */
uint64_t ws_chase_turns(const struct ws_machine *m, const uint64_t *address, size_t threads);
/* Of a warp whose thread t loads byte t * stride. */
uint64_t ws_chase_stride_turns(const struct ws_machine *m, uint64_t stride);
/* shared.latency, and shared.conflict for each turn after the first. */
double ws_chase_shared_cycles(const struct ws_machine *m, uint64_t turns);

#endif
