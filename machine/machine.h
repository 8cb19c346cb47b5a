/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/machine.h -- the modelled hardware.
 *
 * struct ws_machine is plain data.  One table of keys (name, type, range,
 * unit, help, stage) drives the .conf reader, --set, range errors,
 * `warpstack machine -k` and the man page; nothing else lists the keys.
 *
 * Geometry: size = sets * ways * line.  ws_machine_set records which of the
 * four were given; ws_machine_check settles the rest:
 *   size given, sets not:  sets = size / (ways * line); if that is no whole number that
 *                          the hash takes, and ways was not given, ways = size / (sets * line)
 *   size and sets given, ways not:  ways = size / (sets * line)
 *   sets or ways given, size not:   size = sets * ways * line
 *   line alone given:      size and ways kept, sets = size / (ways * line)
 *   size 0 (an L1):        ways = 0, sets kept: it holds nothing, all requests go on
 *   sets that differ (l1.sets.ways): all three follow from them, ways being the most
 * and a contradiction among given values is an error that names the four.
 */
#ifndef WS_MACHINE_H
#define WS_MACHINE_H

#include "base/base.h"

WS_API_BEGIN

#define WS_NAME_MAX 64
#define WS_SECTOR_BYTES 32u	/* the coalescer's grain on every GPU since Fermi */
#define WS_WRITTEN_BYTES 128u	/* of which profile = gpgpusim knows what a store wrote */
#define WS_LINE_MAX 1024u	/* bytes: 32 sectors, one bit each in a u32 mask */

/* ---- set-index functions -------------------------------------------------
 * index(addr, cfg) in 0..sets-1 for a byte address.  `check` accepts the geometries for which the
 * function is defined (NULL: all).
 */
struct ws_cache;

#define WS_HASH_ROWS 12u	/* of matrix:, at most */

struct ws_hash {
	const char *name;	/* "modulo", "xor", "fermi", "ipoly", "bits", "matrix" */
	const char *summary, *source;
	char gpgpusim;		/* its letter in a GPGPU-Sim configuration, or 0 */
	uint64_t (*index)(uint64_t addr, const struct ws_cache *cache);
	enum ws_status (*check)(const struct ws_cache *cache, struct ws_err *err);
	/* Parse, print and compare the function's parameters, which follow name and colon and are
	 * kept in the cache; NULL: it has none. */
	bool (*parse)(struct ws_cache *cache, const char *text);
	void (*print)(const struct ws_cache *cache, char *text, size_t len);
	bool (*same)(const struct ws_cache *a, const struct ws_cache *b);
};

extern const struct ws_hash *const ws_hashes[]; /* NULL-terminated */
const struct ws_hash *ws_hash_find(const char *name); /* "bits:7-8" finds bits; NULL if none */
/* Whether function and parameters are the same. */
bool ws_hash_same(const struct ws_cache *a, const struct ws_cache *b);

/* What a store does.  Hits always refresh the line's recency.
 *   write-back              a store is handled as a load: allocates
 *   write-through           a store that hits updates; one that misses changes nothing
 *   write-through-allocate  contents as write-back
 *   write-evict             a store that hits throws the line out; one that
 *                           misses changes nothing
 */
enum ws_write {
	WS_WRITE_BACK,
	WS_WRITE_THROUGH,
	WS_WRITE_THROUGH_ALLOCATE,
	WS_WRITE_EVICT,
	WS_WRITES,
};

enum ws_act {			/* what a request does to its line */
	WS_ACT_FETCH,		/* brings what is missing: a load, a store that allocates */
	WS_ACT_TOUCH,		/* refreshes its recency, if it is there */
	WS_ACT_EVICT,		/* throws it out, if it is there */
};

enum ws_alloc_when {
	WS_ALLOC_ON_MISS,	/* and is reserved until the data is there */
	WS_ALLOC_ON_FILL,	/* the data, when it arrives */
	WS_ALLOCS,
};

struct ws_write_policy {	/* write_policy.c */
	enum ws_act store;	/* what a store does */
	bool through;		/* a store goes on to the next level; else it modifies the line */
	const char *gpgpusim[WS_ALLOCS]; /* what GPGPU-Sim writes for it */
};
extern const struct ws_write_policy ws_write_policies[WS_WRITES];
extern const char *const ws_write_names[WS_WRITES + 1]; /* NULL-terminated */
/* The name of the first policy that does so; NULL: none. */
const char *ws_write_name(enum ws_act store, bool through);

static inline enum ws_act ws_store_act(enum ws_write write)
{
	return ws_write_policies[write].store;
}

static inline bool ws_store_allocates(enum ws_write write)
{
	return ws_store_act(write) == WS_ACT_FETCH;
}

static inline bool ws_writes_through(enum ws_write write)
{
	return ws_write_policies[write].through;
}

/* How an L1 holds what it fetches.  An L2 always holds lines.  Only organisation.c and tests name
 * an organisation; all else reads its row. */
enum ws_organised_as {
	WS_LINES, WS_SECTORS, WS_DECOUPLED, WS_ELASTIC, WS_DYCACHE,
	WS_ORGANISATIONS,
};

struct ws_organised {
	enum ws_organised_as as;
	uint32_t parameter;	/* tags per line; bytes of a chunk; threshold in percent */
};

struct ws_organisation {	/* organisation.c */
	const char *name;	/* what l1.organisation takes, and a parameter after a colon */
	const char *summary, *source;
	/* Smallest and largest parameter, 0: it has none.  Its default, 0: it must be given. */
	uint32_t low, high, otherwise;
	bool pow2;		/* the parameter is a power of two */
	bool sectors;		/* lines have sectors of 32 bytes; ws_machine_check enforces it */
	bool sub_sectors;	/* each 32 bytes of a line have their own tag or tag number, and LRU
				 * replaces: validate/grain/grain.h */
	bool chunks;		/* of these: lines have WS_GRAIN_LINE bytes, in chunks from anywhere
				 * in one region */
	bool dynamic;		/* of these: their size follows the requests */
	bool predicted;		/* a profile predicts its misses; else it is only simulated */
};
/* Number 0 holds whole lines, or sectors if l1.sector is less than l1.line. */
extern const struct ws_organisation ws_organisations[WS_ORGANISATIONS];
/* By name, with or without :PARAMETER; NULL if none. */
const struct ws_organisation *ws_organisation_find(const char *text);

#define WS_GRAIN_LINE 128u	/* line size of organisations of chunks, bytes */

enum ws_chunk_victim {		/* what a miss of less than a line replaces when its region is
				 * full */
	WS_CHUNK_ANY,		/* the least recently used chunk of all lines of the region */
	WS_CHUNK_NEWEST,	/* a chunk of the most recently used line */
	WS_CHUNK_OLDEST,	/* a chunk of the least recently used line */
};
enum ws_chunk_invalid { WS_CHUNK_INVALID_FIRST, WS_CHUNK_INVALID_LAST };
enum ws_grain_fine { WS_GRAIN_KEEP, WS_GRAIN_CHOOSE };

#define WS_SET_RUNS 32u
struct ws_set_ways {		/* of sets that differ; one set of 17 and six of 8: "17+6x8" */
	uint32_t runs;		/* 0: they do not */
	struct {
		uint32_t sets, ways;
	} run[WS_SET_RUNS];	/* from set 0 on */
};

struct ws_cache {
	uint64_t size_bytes, sets, ways, line_bytes; /* of sets that differ, the most ways */
	uint64_t sector_bytes;	/* = line_bytes when not sectored */
	const struct ws_hash *hash;
	unsigned hash_low, hash_high;	/* bits:LOW-HIGH, both inclusive */
	uint64_t hash_row[WS_HASH_ROWS]; /* matrix:ROW/ROW/...: address bits of set bit 0, 1, ... */
	unsigned hash_rows;
	enum ws_write write;
	char policy[WS_NAME_MAX];	/* replacement, a name of model/ */
	uint64_t latency_cycles;	/* of a hit; the L2's on top of the L1's */
	uint64_t mshr_entries, mshr_merge;
	enum ws_alloc_when alloc; /* when a miss takes a way */
	unsigned given;		/* WS_GIVEN_*: set since the file was read */
	uint32_t policy_line;	/* line of the .conf file that sets the policy; 0: none */
	struct ws_organised organised;
	uint64_t sector_else;	/* sector_bytes without l1.organisation, if that differs; else 0 */
	uint64_t chunk_tag_bits;
	enum ws_chunk_victim chunk_victim;
	enum ws_chunk_invalid chunk_invalid; /* whether an invalid line is taken before a chunk is
					      * replaced, or after */
	uint64_t grain_period, grain_period_max; /* in requests; grain_period_max 0: the period is
						  * fixed */
	enum ws_grain_fine grain_fine;	/* whether one fine grain may follow the other directly */
	bool grain_retain;	/* keeps the chunks that have the new grain's size */
	/* Only of a sliced cache seen as one (ws_l2_whole); else slices is 0: */
	uint64_t slices, interleave_bytes;
	uint64_t slice_groups;	/* channels, if a block's slice is of the next; 0, 1: none */
	const struct ws_hash *slice_hash;
	struct ws_set_ways set_ways; /* size_bytes, sets and ways follow from it */
};

/* set_ways.c: the lines of all sets; and the ways of each set, allocated: NULL if they are equal,
 * false: out of memory. */
uint64_t ws_cache_lines(const struct ws_cache *cache);
bool ws_cache_set_ways(const struct ws_cache *cache, uint32_t **ways);
/* As a key has it, "" if there is none; what text would take is returned, without its NUL. */
size_t ws_set_ways_text(const struct ws_set_ways *w, char *buf, size_t len);
/* The ways of each set, allocated; NULL: out of memory. */
uint32_t *ws_set_ways_list(const struct ws_set_ways *w);
uint64_t ws_set_ways_sum(const struct ws_set_ways *w);
/* So many sets more; false: too many runs. */
bool ws_set_ways_add(struct ws_set_ways *w, uint64_t sets, uint64_t ways);
uint64_t ws_set_ways_sets(const struct ws_set_ways *w);
uint64_t ws_set_ways_most(const struct ws_set_ways *w);

enum {
	WS_GIVEN_SIZE = 1, WS_GIVEN_SETS = 2, WS_GIVEN_WAYS = 4, WS_GIVEN_LINE = 8,
	WS_GIVEN_SECTOR = 16, /* else an unsectored cache's sector follows its line */
	WS_GIVEN_UNSECTORED = 32, /* not sectored when its line was given first */
	WS_GIVEN_CARVEOUT = 64, WS_GIVEN_SHARED = 128, /* of a machine: sm.carveout, sm.shared */
};

/* slice.c: set-index of a cache in slices, slice * sets of one + set in the slice. */
uint64_t ws_sliced_index(const struct ws_cache *cache, uint64_t addr);

static inline const struct ws_organisation *ws_organisation_of(const struct ws_cache *cache)
{
	return &ws_organisations[cache->organised.as];
}

/* Only of organisation 0. */
static inline bool ws_organised_plainly(const struct ws_cache *cache)
{
	return ws_organisation_of(cache) == ws_organisations;
}

/* "elastic:32"; and what may be asked for: "decoupled[:1..32]". */
void ws_organisation_text(const struct ws_organised *o, char *buf, size_t len);
void ws_organisation_form(const struct ws_organisation *o, char *buf, size_t len);
/* Chunks: the common tag is an address >> this; and the smallest aligned block of 1, 2 or 4 words
 * of 32 B that holds all of `sectors`, as a mask. */
unsigned ws_region_shift(const struct ws_cache *cache);
uint32_t ws_request_block(uint32_t sectors);

static inline uint64_t ws_set_index(const struct ws_cache *cache, uint64_t addr)
{
	if (cache->sets == 1)
		return 0;
	return cache->slices > 1 ? ws_sliced_index(cache, addr) : cache->hash->index(addr, cache);
}

#define WS_CARVEOUTS_MAX 12u
#define WS_AUTO UINT64_MAX		/* "auto" and "none" of keys that take numbers too */
#define WS_APART (UINT64_MAX - 1)

struct ws_sizes {		/* ascending, whole KB */
	uint64_t bytes[WS_CARVEOUTS_MAX];
	size_t count;
};

enum ws_scheduler { /* the names are those of ws_scheduler_names */
	WS_SCHED_LRR, WS_SCHED_GTO, WS_SCHED_TWO_LEVEL,
	WS_SCHED_SEQUENTIAL, WS_SCHED_ROUND_ROBIN, WS_SCHED_RANDOM,
};
/* Where an instruction of machine code is executed. */
enum ws_function_unit {
	WS_UNIT_INT,		/* integers, and all that has no unit of its own */
	WS_UNIT_CONTROL,	/* barriers and exits: there, but in a cycle */
	WS_UNIT_SINGLE, WS_UNIT_HALF, WS_UNIT_DOUBLE, WS_UNIT_SPECIAL,
	WS_UNIT_BRANCH, WS_UNIT_TEXTURE, WS_UNIT_MATRIX, WS_UNIT_UNIFORM,
	WS_UNIT_MEMORY,		/* the load-store unit, whether it accesses memory or not */
	WS_UNITS,
};

enum ws_l2_start {
	WS_L2_COLD,		/* empty when a kernel starts */
	WS_L2_WARM,		/* the kernel's arrays have been copied in, in order */
	WS_L2_COPIES,		/* those that it reads have been */
	WS_L2_KEEP,		/* as the launch before left it; before the first one empty */
};
static inline bool ws_l2_filled(enum ws_l2_start start)
{
	return start == WS_L2_WARM || start == WS_L2_COPIES;
}

enum ws_lsu_order {
	WS_LSU_TURNS,		/* the ops that the unit holds take turns, request by request */
	WS_LSU_FIFO,		/* one after the other */
};
enum ws_lsu_requests {		/* of an op, which first */
	WS_REQUESTS_LANES,	/* that of the first lane */
	WS_REQUESTS_FALLING,	/* that of the highest address */
};

enum ws_behaviour {		/* whose ways, where a GPU and its simulator differ */
	WS_BEHAVES_HARDWARE,
	WS_BEHAVES_GPGPUSIM,	/* see the key's help */
};

enum ws_stores {			/* when a CTA's stores are done with */
	WS_STORES_SENT,		/* once they are looked up */
	WS_STORES_ACKNOWLEDGED,	/* when the L2 has said that it has them */
};

enum ws_queues {			/* where packets wait in the network */
	WS_QUEUES_OUTPUT,	/* for the ports of their ends */
	WS_QUEUES_INPUT,	/* also behind those of their sender */
	WS_QUEUES_ROUTER,	/* flit by flit, in a router's buffers */
};

enum ws_slice_order {		/* whose is the block after one of a slice */
	WS_SLICES_NEXT,		/* the next slice's */
	WS_SLICES_CHANNELS,	/* the same slice's of the next channel */
};

enum ws_assign { WS_ASSIGN_DYNAMIC, WS_ASSIGN_RANDOM, WS_ASSIGN_ROUND_ROBIN };

#define WS_ALTERNATIVES_MAX 512u

#define WS_LARGE_WARP_MAX 32u

struct ws_machine {
	char name[WS_NAME_MAX];
	char title[128];		/* for figures: "GeForce GTX 480 (Fermi), 16 KB L1" */
	uint64_t sm_count, sm_warps, sm_ctas, sm_threads;
	uint64_t cta_threads;		/* largest CTA */
	uint64_t sm_schedulers;
	enum ws_scheduler sm_scheduler;
	uint64_t sm_active_warps;	/* two-level: active warps per scheduler */
	enum ws_assign sm_assign;
	uint64_t sm_registers;
	/* Shared memory.  The first is derived from the keys, and limits launches: */
	uint64_t sm_shared_bytes;
	uint64_t sm_shared_asked;	/* bytes, or WS_AUTO: a carve-out */
	uint64_t shared_banks, shared_width; /* of shared memory; width in bytes */
	uint64_t shared_latency_cycles, shared_conflict_cycles;
	uint64_t sm_shared_reserved;	/* bytes of each CTA besides its own */
	uint64_t sm_unified_bytes;	/* of the array that L1 and shared memory share; 0: apart */
	struct ws_sizes sm_carveouts;	/* sizes of shared memory that can be chosen */
	uint64_t sm_carveout;		/* one of them; WS_AUTO: chosen for each launch; WS_APART:
					 * l1.size and sm.shared are fixed */
	unsigned given;			/* WS_GIVEN_CARVEOUT, _SHARED: since the file was read */
	uint64_t warp_width;		/* 1..64 */
	uint64_t coalesce_line;		/* bytes */
	struct ws_cache l1, l2;		/* l2: all slices together in size; per slice sets */
	uint64_t sm_launch_cycles;	/* between the starts of a CTA's warps */
	uint64_t sm_start_cycles;	/* no warp issues before this cycle of a launch */
	/* What holds up instructions that are no memory ones; of all, 0 is as if they took a
	 * cycle and were there. */
	uint64_t sm_alu_cycles;		/* until what needs one's result is issued */
	uint64_t sm_alu_interval;	/* between two of a scheduler */
	uint64_t sm_alu_queue;		/* that wait for that */
	uint64_t sm_buffer;		/* instructions of a warp fetched at a time */
	uint64_t sm_fetch;		/* warps of which an SM does so in a cycle; 0: any */
	uint64_t sm_code_line;		/* bytes of a line of code */
	uint64_t sm_code_cycles;	/* until one is there that the L2 has */
	char sm_pipeline[128];		/* of machine code; ws_pipeline_read reads it */
	char sm_front[128];		/* likewise; ws_front_read */
	uint64_t sm_large_warp;		/* warps that make a large one; 0 and 1: none do */
	uint64_t sm_lsu_ops;		/* memory ops that the load-store unit holds */
	enum ws_lsu_order sm_lsu_order;
	enum ws_lsu_requests sm_lsu_requests;
	enum ws_behaviour profile;
	enum ws_stores sm_stores;
	uint64_t l1_parts;		/* L1s of an SM, each of l1's geometry */
	uint64_t l1_mshr_rate;		/* requests served a cycle that waited; 0: all */
	uint64_t l1_mshr_cycles;	/* of l2.latency, from a reply to what waited */
	uint64_t l1_banks, l1_queue;	/* lookups a cycle; requests waiting for the network */
	uint64_t l1_banks_bytes;	/* consecutive bytes of a bank; 0: a line */
	uint64_t l1_lookup_cycles;	/* of l1.latency, before the look-up */
	uint64_t l2_slices;
	uint64_t l2_queue;		/* behind a router: requests in each queue of a slice */
	uint64_t l2_misses;		/* likewise: on their way to DRAM's; 0: none */
	uint64_t l2_rate;		/* 32-byte sectors that a slice looks up in a cycle; 0: a
					 * request's all */
	uint64_t l2_interleave_bytes;	/* consecutive bytes of one slice */
	unsigned l2_slice_hash;		/* of ws_slice_hash_names */
	enum ws_slice_order l2_slice_order;
	enum ws_l2_start l2_start;
	uint64_t icnt_latency_cycles;	/* one way, of what l2.latency says; 0: a quarter of it */
	uint64_t icnt_width;		/* bytes a cycle of one port */
	enum ws_queues icnt_queues;
	uint64_t icnt_router_in, icnt_router_buffer, icnt_router_out; /* flits */
	uint64_t icnt_router_speedup;	/* its steps in a cycle; 0: a crossbar */
	uint64_t icnt_credits;		/* requests of an SM on their way to the L2's lookup */
	uint64_t dram_latency_cycles, dram_bandwidth; /* beyond L2; bytes per core cycle */
	uint64_t dram_atom;		/* bytes that each 32-byte sector takes of the bandwidth */
	uint64_t dram_channels;		/* 0: one for each slice */
	uint64_t dram_row, dram_row_miss_cycles; /* bytes; 0: rows make no difference */
	/* Banks, in place of bandwidth and rows; ws_dram_timing_read reads the first. */
	char dram_timing[128], dram_mapping[128];
	uint64_t dram_ticks, dram_ticks_cycles; /* so many ticks in so many cycles */
	uint64_t dram_wait_cycles;	/* of dram.latency, before the banks */
	/* Translation, of each L1: validate/sim/tlb.h.  tlb[0].runs 0: there is none. */
	uint64_t tlb_page;		/* bytes */
	struct ws_set_ways tlb[2];	/* entries of each set */
	uint64_t tlb_miss_cycles[2];	/* the second on top of the first */
	bool count_pending;		/* pending hits count as misses */
	/* Keys with more values than one, "KEY=A|B|C" lines; the machine has the first of each. */
	char alternatives[WS_ALTERNATIVES_MAX];
};

/* ---- the L1s -----------------------------------------------------------------------
 * Those of SM s have the numbers s * l1.parts .. + l1.parts - 1.  Warps in as many neighbouring
 * slots as the SM has schedulers ask the same one.
 */
#define WS_L1S_MAX 4096u
static inline uint64_t ws_l1s(const struct ws_machine *m)
{
	return m->sm_count * m->l1_parts;
}
/* Of the warp in a slot: that of its CTA times warps of a CTA, and its number in the CTA. */
static inline uint8_t ws_l1_part(const struct ws_machine *m, uint64_t slot)
{
	return (uint8_t)(m->l1_parts == 1 ? 0 : slot / m->sm_schedulers % m->l1_parts);
}

/* ---- the L2, in slices ------------------------------------------------------------
 * With I = l2.interleave, an address belongs to slice h(addr / I), h being l2.slice-hash over
 * l2.slices (with l2.slice-order = channels, of P slices in each of C channels, block b is hashed
 * as b - r + (r mod C) P + r / C, r = b mod l2.slices), and is at (addr / (I * slices)) * I + addr
 * mod I within it: the *local* address, of
 * which l2.hash makes the set.  Tags are whole addresses.
 */
uint64_t ws_l2_slice(const struct ws_machine *m, uint64_t addr);
uint64_t ws_l2_local(const struct ws_machine *m, uint64_t addr);
/* All slices as one cache of slices * sets sets, for ws_set_index.  Set number: slice * sets + set
 * in the slice. */
struct ws_cache ws_l2_whole(const struct ws_machine *m);
/* Cycles from an SM to a slice, one way, at least 1.  Then a slice's own part of a hit: l2.latency
 * less both ways and l1.mshr.latency, at least 0. */
uint64_t ws_icnt_cycles(const struct ws_machine *m);
uint64_t ws_l2_cycles(const struct ws_machine *m);
/* With icnt.queues = router: what passes before a slice looks up a request, so that a hit takes
 * l2.latency in all; at least 1. */
uint64_t ws_router_wait_cycles(const struct ws_machine *m);
/* DRAM channels in use, all with equally many slices: the greatest common divisor of dram.channels
 * and l2.slices, so that l2.slices can vary alone. */
uint64_t ws_dram_channels(const struct ws_machine *m);
/* The row of its channel that an address is in, and the channel; dram.row is not 0.  Rows are
 * dram.row bytes of one slice. */
uint64_t ws_dram_row(const struct ws_machine *m, uint64_t addr, uint64_t *channel);

/* ---- DRAM of banks ----------------------------------------------------------------
 * dram.timing is names and numbers, "CCD=2:RRD=6:...", in any order, in ticks; "none": there are no
 * banks.
 */
/* ---- sm.pipeline ------------------------------------------------------------------ */

struct ws_pipeline {		/* of each scheduler, but for .ports, .dispatches and .results: the
				 * SM's */
	uint64_t collectors, banks;	/* of operands; of registers */
	uint64_t steps;		/* of the collectors in a cycle */
	uint64_t ports, dispatches;	/* ways into all collectors, and out of them, in a step */
	uint64_t results;	/* that all units deliver in a cycle */
	uint64_t shared_cycles;	/* in the load-store unit, of shared memory */
	uint64_t shared;	/* 1: schedulers share all that; else 0 */
	struct {
		uint64_t cycles, interval; /* 0: there is none, WS_UNIT_INT does its work */
		uint64_t count;	/* if they share: of these units; 1 of WS_UNIT_MEMORY */
	} unit[WS_UNITS];
};

bool ws_machine_has_pipeline(const struct ws_machine *m);
/* Of a machine that has it. */
enum ws_status ws_pipeline_read(const struct ws_machine *m, struct ws_pipeline *out,
				struct ws_err *err) WS_MUST_CHECK;
/* Cycles from a memory instruction's issue to its first look-up, if it waits for nothing. */
uint64_t ws_pipeline_front(const struct ws_pipeline *p);
/* Do loads that it executes write their registers one after the other (trace/order/pipeline.h)? */
bool ws_pipeline_has_port(const struct ws_machine *m);

/* ---- sm.front --------------------------------------------------------------------- */

struct ws_front_is {		/* what fetches machine code */
	bool all;		/* all lines are there; else of the instruction cache */
	uint64_t sets, ways, mshrs, queue; /* queue: of its misses */
	uint64_t merges;	/* warps that wait for a line */
};

/* With icnt.queues = router alone, unless all lines are there; and warps must be fetched for in
 * turn (sm.fetch). */
bool ws_machine_has_front(const struct ws_machine *m);
/* Of a machine that has it. */
enum ws_status ws_front_read(const struct ws_machine *m, struct ws_front_is *out,
			     struct ws_err *err) WS_MUST_CHECK;

enum ws_dram_time {
	WS_DRAM_CCD,		/* column commands apart, of a channel, */
	WS_DRAM_CCDL,		/* of a group of banks */
	WS_DRAM_RRD,		/* activates apart */
	WS_DRAM_RCD,		/* from activate to column command */
	WS_DRAM_RAS,		/* from activate to precharge */
	WS_DRAM_RP,		/* from precharge to activate */
	WS_DRAM_RC,		/* from activate to activate, of a bank */
	WS_DRAM_CL,		/* until data are there, */
	WS_DRAM_WL,		/* or taken */
	WS_DRAM_CDLR,		/* from the end of a write to a read */
	WS_DRAM_WR,		/* ... to a precharge */
	WS_DRAM_RTPL,		/* from a read to a precharge in its group */
	WS_DRAM_BL,		/* a burst */
	WS_DRAM_BANKS,		/* nbk, 64 at most, and groups of them, grp, a power of two */
	WS_DRAM_GROUPS,
	WS_DRAM_LOW,		/* 1: banks' low bits are their group; 0: the high ones */
	WS_DRAM_BUS,		/* 2: a row and a column command in a tick; 1: one of them */
	WS_DRAM_QUEUE,		/* in: requests that wait for banks, */
	WS_DRAM_RETURN,		/* out: and data for slices */
	WS_DRAM_TIMES,
};

struct ws_dram_timing {
	uint64_t t[WS_DRAM_TIMES];
	uint64_t bank, row;	/* bits, of dram.mapping */
};

extern const char *const ws_dram_time_names[WS_DRAM_TIMES];

uint64_t ws_dram_group(const struct ws_dram_timing *d, uint64_t bank);
bool ws_dram_has_banks(const struct ws_machine *m);
/* Of a machine that has them. */
enum ws_status ws_dram_timing_read(const struct ws_machine *m, struct ws_dram_timing *out,
				   struct ws_err *err) WS_MUST_CHECK;
/* The bank and the row of it that an address is in, by dram.mapping: a letter for each bit, the
 * lowest last, of the address without its channel, (addr / (I * channels)) * I + addr mod I; B: of
 * the bank, R: of the row, any other: of neither; dots are between them. */
void ws_dram_place(const struct ws_machine *m, const struct ws_dram_timing *d, uint64_t addr,
		   uint64_t *bank, uint64_t *row);

/* ---- keys ------------------------------------------------------------------ */

enum ws_key_type {
	WS_KEY_U64, WS_KEY_SIZE, WS_KEY_CHOICE, WS_KEY_BOOL,
	WS_KEY_NAME,	/* char[WS_NAME_MAX] of [a-z0-9:/,._-] */
	WS_KEY_HASH,
	WS_KEY_TEXT,	/* char[128], printable */
	WS_KEY_ORGANISATION,
	WS_KEY_SIZES,	/* struct ws_sizes: "0,8K,16K", or none */
	WS_KEY_SET_WAYS, /* struct ws_set_ways: "17+6x8", or the key's fallback */
};

/* The first stage that reads a key.  A change of the key repeats that stage and those after it. */
enum ws_stage {
	WS_STAGE_ORDER,		/* the request stream depends on it */
	WS_STAGE_PROFILE,	/* the stream does not, the profile does */
	WS_STAGE_PREDICT,	/* one profile answers all values; of l1.line and l1.sets those that
				 * it holds */
	/* Keys of the L2, read only if an L2 is asked for, or by the cycle simulator.  L2_PROFILE:
	 * what is recorded depends on the key.  L2_PREDICT: a profile with an L2 answers all
	 * values; of l2.sets those that it holds. */
	WS_STAGE_L2_PROFILE, WS_STAGE_L2_PREDICT,
	WS_STAGE_CYCLES,	/* only the cycle simulator reads it */
	WS_STAGE_LABEL,		/* a text for people */
};

struct ws_key {
	const char *name;		/* "l1.ways" */
	enum ws_key_type type;
	enum ws_stage stage;
	size_t offset;			/* in struct ws_machine */
	uint64_t min, max;		/* inclusive, numbers only */
	bool pow2;			/* only powers of two */
	/* NULL-terminated or NULL.  WS_KEY_CHOICE: names by enum value.  WS_KEY_SIZE: words allowed
	 * instead of a number; they stand for UINT64_MAX, UINT64_MAX - 1, ... */
	const char *const *choices;
	const char *unit, *help;
	const char *fallback;		/* default in a .conf file; NULL: mandatory, with the
					 * exceptions in conf.c */
};

extern const struct ws_key ws_keys[]; /* ends with name NULL */
#define WS_KEYS_MAX 256u	/* no fewer than its rows */
const struct ws_key *ws_key_find(const char *name);

/* ---- machines ---------------------------------------------------------------- */

#define WS_MACHINE_DEFAULT "gtx480"

/* Reads a preset by name (data/machine/NAME.conf) or a .conf file (or a gpgpusim.config) by path
 * (anything with a '/' or an existing file), and checks it.  A .conf file is
 * lines of "key = value", '#' comments; `base = NAME` as first key starts from
 * another preset.  Errors: unknown name (lists those there are), file:line for
 * an unknown key, a value out of range, a line that is no assignment, a
 * missing mandatory key. */
enum ws_status ws_machine_load(struct ws_machine *m, const char *name_or_path,
			       struct ws_err *err) WS_MUST_CHECK;
/* One "key=value"; ws_machine_check must follow the last. */
enum ws_status ws_machine_set(struct ws_machine *m, const char *assignment,
			      struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_machine_set_key(struct ws_machine *m, const struct ws_key *key,
				  const char *value, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_machine_check(struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;
/* The same of a machine much like one that has passed: only keys that differ are checked.
 * like: NULL is none.  On an error m has been changed, too. */
enum ws_status ws_machine_check_like(struct ws_machine *m, const struct ws_machine *like,
				     struct ws_err *err) WS_MUST_CHECK;
/* The same of many machines, whose keys are listed once for those that differ from `like` in the
 * same blocks.  Begins with zeros; like must have passed; blocks are then the last machine's. */
struct ws_beside {
	const struct ws_machine *like;
	uint64_t blocks;	/* ws_machine_blocks */
	const struct ws_key *key[WS_KEYS_MAX]; /* those in them */
	size_t keys;
};

enum ws_status ws_machine_check_beside(struct ws_machine *m, struct ws_beside *beside,
				       struct ws_err *err) WS_MUST_CHECK;
/* Sets what follows from the keys that are set, of a machine that ws_machine_check has passed. */
enum ws_status ws_machine_settle(struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;
/* alternatives.c: a value "A|B|C" is a set of alternatives, which nobody can tell apart: the key
 * has the first, and the set is kept until the key is set to one value.  The i-th such key, as
 * "KEY=A|B|C"; false past the last.  text of WS_ALTERNATIVES_MAX. */
bool ws_machine_alternatives(const struct ws_machine *m, size_t i, char *text, size_t len);
/* WS_EINVAL, with the first of them, if there are any. */
enum ws_status ws_machine_single(const struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;
/* The key's value as text that ws_machine_set_key reads back; buf of WS_NAME_MAX * 2. */
void ws_machine_get(const struct ws_machine *m, const struct ws_key *key,
		    char *buf, size_t len);
/* Whether the key has the same value in both machines; the second compares an L1's key in two
 * L1s. */
bool ws_key_same(const struct ws_machine *a, const struct ws_machine *b, const struct ws_key *key);
bool ws_key_same_l1(const struct ws_cache *a, const struct ws_cache *b, const struct ws_key *key);
/* Where two machines differ: bit i is of bytes WS_MACHINE_BLOCK i and on.  A key of which
 * ws_key_elsewhere says so is the same in both. */
#define WS_MACHINE_BLOCK 128u
uint64_t ws_machine_blocks(const struct ws_machine *a, const struct ws_machine *b);
static inline bool ws_key_elsewhere(const struct ws_key *key, uint64_t blocks)
{
	/* Texts are no longer than a block; of the other types a value has more bytes. */
	size_t len = key->type == WS_KEY_NAME ? WS_NAME_MAX
		: key->type == WS_KEY_TEXT ? WS_MACHINE_BLOCK : 1;
	size_t last = (key->offset + len - 1) / WS_MACHINE_BLOCK;

	return (key->type <= WS_KEY_NAME || key->type == WS_KEY_TEXT) &&
	       !((blocks >> key->offset / WS_MACHINE_BLOCK | blocks >> last) & 1);
}
/* All keys as a .conf file (for the profile file and `machine NAME`); onto buf. */
void ws_machine_write(const struct ws_machine *m, struct ws_buf *buf);
/* Reads what ws_machine_write wrote; name for messages. */
enum ws_status ws_machine_read(struct ws_machine *m, const char *text, size_t len,
			       const char *name, struct ws_err *err) WS_MUST_CHECK;
/* Names of all presets, sorted.  *names and each name are allocated; caller frees. */
enum ws_status ws_machine_list(char ***names, size_t *count, struct ws_err *err) WS_MUST_CHECK;
/* The file that ws_machine_load would read, allocated; NULL if there is none. */
enum ws_status ws_machine_path(const char *name_or_path, char **path,
			       struct ws_err *err) WS_MUST_CHECK;

/* ---- a machine and a launch ---------------------------------------------------------- */

struct ws_demand {		/* a launch's demand on an SM */
	uint64_t shared_bytes, threads;	/* of a CTA */
	uint64_t registers;	/* of a thread; 0: unknown */
	uint64_t ctas;		/* of the grid; 0: more than fit */
};

/* One launch stands for all that are taken together, whatever their order: the one with the most
 * shared memory a CTA, then the most CTAs, then the fewest threads and registers.  *to becomes that
 * one of the two. */
void ws_demand_add(struct ws_demand *to, struct ws_demand other);

/* CTAs resident on an SM, and their limit: "CTAs", "warps", "threads", "shared memory" or
 * "registers".  WS_EINVAL if not even one fits: *ctas is 0. */
enum ws_status ws_machine_residency(const struct ws_machine *m, const struct ws_demand *d,
				    uint64_t *ctas, const char **limit,
				    struct ws_err *err) WS_MUST_CHECK;

/* The machine while such a launch runs (carveout.c): if sm.carveout is auto, with the chosen
 * carve-out and the L1 that is left; else *m.  m has passed ws_machine_check; the result is fixed.
 * Errors: as ws_machine_residency. */
enum ws_status ws_machine_adapt(const struct ws_machine *m, const struct ws_demand *d,
				struct ws_machine *out, struct ws_err *err) WS_MUST_CHECK;
static inline bool ws_machine_adapts(const struct ws_machine *m)
{
	return m->sm_unified_bytes && m->sm_carveout == WS_AUTO;
}

/* ---- GPGPU-Sim and Accel-Sim -----------------------------------------------------
 * ws_machine_load takes a gpgpusim.config as it takes a .conf file: one is a file whose first word
 * begins with '-'.  Options without a key are dropped, keys without an option get GPGPU-Sim's
 * default, and unknown options are noted, not refused.
 */

/* A reader's remarks, in the order of the file. */
enum ws_note_kind {
	WS_NOTE_WARNING,	/* text: a sentence with file and line */
	WS_NOTE_UNMODELLED,	/* an option without a key; text: its value */
	WS_NOTE_REMARK,		/* text: how an option was understood, or that it was dropped */
};

struct ws_note {
	enum ws_note_kind kind;
	size_t line;		/* 0: none */
	char *option, *text;
	const char *why;	/* WS_NOTE_UNMODELLED: why no key stands for it */
};

struct ws_notes {		/* zero is empty */
	struct ws_note *note;
	size_t count, cap;
};

void ws_notes_clear(struct ws_notes *notes);

/* As ws_machine_load, and keeps the notes; notes may be NULL. */
enum ws_status ws_machine_load_notes(struct ws_machine *m, const char *name_or_path,
				     struct ws_notes *notes, struct ws_err *err) WS_MUST_CHECK;
/* The text of a gpgpusim.config; name for messages, and for the machine's. */
enum ws_status ws_gpgpusim_read(struct ws_machine *m, const char *text, size_t len,
				const char *name, struct ws_notes *notes,
				struct ws_err *err) WS_MUST_CHECK;
/* A checked machine as options, onto buf.  Keys that no option can say are in a comment; reading
 * the text restores all others. */
enum ws_status ws_gpgpusim_write(const struct ws_machine *m, struct ws_buf *buf,
				 struct ws_err *err) WS_MUST_CHECK;

enum ws_cache_form { WS_CACHE_FORM_30, WS_CACHE_FORM_32, WS_CACHE_FORM_322, WS_CACHE_FORM_4 };

struct ws_cache_string {	/* "S:4:128:64,L:T:m:L:L,A:384:48,16:0,32" */
	bool none, has_result, has_port, queue_left_out;
	enum ws_cache_form form;
	char type, replacement, write, alloc, write_alloc, index, mshr;
	uint64_t sets, line_bytes, ways;
	uint64_t mshr_entries, mshr_merge, queue, result, port_bytes;
	const char *uncertainty[4];	/* what GPGPU-Sim itself refuses */
	unsigned uncertainties;
};

/* WS_EINVAL: "character 12: 'Q': want ...". */
enum ws_status ws_cache_string_parse(struct ws_cache_string *c, const char *text,
				     struct ws_err *err) WS_MUST_CHECK;
uint64_t ws_cache_string_size(const struct ws_cache_string *c); /* bytes; 0 if none */

struct ws_cache_field {
	const char *name, *unit;	/* unit may be NULL */
	char value[24], meaning[192];	/* value may be "" */
};

/* The i-th thing there is to say of it, from 0; false past the last. */
bool ws_cache_string_field(const struct ws_cache_string *c, size_t i, struct ws_cache_field *f);
void ws_size_words(uint64_t bytes, char *out, size_t len); /* "96 KB" */

/* One --vary: "key=a,b,c", "key=lo:hi:+step", "key=lo:hi:xfactor" -> values as
 * texts.  A list is cut at every comma, whatever the key.  At most 1e6 values; an empty
 * range is an error. */
struct ws_vary {
	const struct ws_key *key;
	char **value;
	size_t count;
};

enum ws_status ws_vary_parse(struct ws_vary *v, const char *spec,
			     struct ws_err *err) WS_MUST_CHECK;
void ws_vary_clear(struct ws_vary *v);
/* The i-th machine of the product of the ranges (the last varies fastest),
 * started from base.  i < ws_vary_product. */
uint64_t ws_vary_product(const struct ws_vary *v, size_t n); /* UINT64_MAX if it overflows */
enum ws_status ws_vary_machine(const struct ws_machine *base, const struct ws_vary *v,
			       size_t n, uint64_t i, struct ws_machine *out,
			       struct ws_err *err) WS_MUST_CHECK;
/* Neither settled nor checked: ws_machine_check or ws_machine_settle must follow. */
enum ws_status ws_vary_set(const struct ws_machine *base, const struct ws_vary *v, size_t n,
			   uint64_t i, struct ws_machine *out, struct ws_err *err) WS_MUST_CHECK;
/* like: as ws_machine_check_like has it, another machine of the product. */
enum ws_status ws_vary_machine_like(const struct ws_machine *base, const struct ws_machine *like,
				    const struct ws_vary *v, size_t n, uint64_t i,
				    struct ws_machine *out, struct ws_err *err) WS_MUST_CHECK;

WS_API_END
#endif
