/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/keys.c -- the one table of a machine's keys.
 *
 * A new key is a row here and a member of struct ws_machine; the .conf reader and writer, --set,
 * --vary, range checks, help and the tests walk the table.  Ranges are those of the model, not of
 * built machines.
 */
#include "machine/private.h"

#include <string.h>

#define AT(member) offsetof(struct ws_machine, member)

static const char *const schedulers[] = {
	[WS_SCHED_LRR] = "lrr",
	[WS_SCHED_GTO] = "gto",
	[WS_SCHED_TWO_LEVEL] = "two-level",
	[WS_SCHED_SEQUENTIAL] = "sequential",
	[WS_SCHED_ROUND_ROBIN] = "round-robin",
	[WS_SCHED_RANDOM] = "random",
	NULL,
};

static const char *const assignments[] = {
	[WS_ASSIGN_DYNAMIC] = "dynamic",
	[WS_ASSIGN_RANDOM] = "random",
	[WS_ASSIGN_ROUND_ROBIN] = "round-robin",
	NULL,
};

static const char *const allocations[] = {
	[WS_ALLOC_ON_MISS] = "on-miss",
	[WS_ALLOC_ON_FILL] = "on-fill",
	NULL,
};

static const char *const lsu_orders[] = {
	[WS_LSU_TURNS] = "turns",
	[WS_LSU_FIFO] = "fifo",
	NULL,
};

static const char *const store_ends[] = {
	[WS_STORES_SENT] = "sent",
	[WS_STORES_ACKNOWLEDGED] = "acknowledged",
	NULL,
};

static const char *const slice_orders[] = {
	[WS_SLICES_NEXT] = "slices",
	[WS_SLICES_CHANNELS] = "channels",
	NULL,
};

static const char *const queues[] = {
	[WS_QUEUES_OUTPUT] = "output",
	[WS_QUEUES_INPUT] = "input",
	[WS_QUEUES_ROUTER] = "router",
	NULL,
};

static const char *const lsu_requests[] = {
	[WS_REQUESTS_LANES] = "lanes",
	[WS_REQUESTS_FALLING] = "falling",
	NULL,
};

static const char *const profiles[] = {
	[WS_BEHAVES_HARDWARE] = "hardware",
	[WS_BEHAVES_GPGPUSIM] = "gpgpusim",
	NULL,
};

static const char *const starts[] = {
	[WS_L2_COLD] = "cold",
	[WS_L2_WARM] = "warm",
	[WS_L2_COPIES] = "copies",
	[WS_L2_KEEP] = "keep",
	NULL,
};

static const char *const chunk_victims[] = {
	[WS_CHUNK_ANY] = "any",
	[WS_CHUNK_NEWEST] = "newest",
	[WS_CHUNK_OLDEST] = "oldest",
	NULL,
};

static const char *const chunk_invalids[] = {
	[WS_CHUNK_INVALID_FIRST] = "first",
	[WS_CHUNK_INVALID_LAST] = "last",
	NULL,
};

static const char *const grain_fines[] = {
	[WS_GRAIN_KEEP] = "keep",
	[WS_GRAIN_CHOOSE] = "choose",
	NULL,
};

static const char *const or_auto[] = { "auto", NULL };
static const char *const or_auto_or_none[] = { "auto", "none", NULL };

_Static_assert(sizeof(enum ws_lsu_order) == sizeof(unsigned) &&
	       sizeof(enum ws_lsu_requests) == sizeof(unsigned) &&
	       sizeof(enum ws_stores) == sizeof(unsigned) &&
	       sizeof(enum ws_behaviour) == sizeof(unsigned), "choices are stored as unsigned");
_Static_assert(sizeof(enum ws_chunk_victim) == sizeof(unsigned) &&
	       sizeof(enum ws_chunk_invalid) == sizeof(unsigned) &&
	       sizeof(enum ws_grain_fine) == sizeof(unsigned), "choices are stored as unsigned");
_Static_assert(sizeof(enum ws_alloc_when) == sizeof(unsigned) &&
	       sizeof(enum ws_l2_start) == sizeof(unsigned), "choices are stored as unsigned");
_Static_assert(sizeof(enum ws_scheduler) == sizeof(unsigned) &&
	       sizeof(enum ws_assign) == sizeof(unsigned) &&
	       sizeof(enum ws_write) == sizeof(unsigned), "choices are stored as unsigned");

#define L1_MAX (1ull << 30)	/* bytes */
#define L2_MAX (1ull << 36)
#define SETS_MAX 65536u
#define SHARED_MAX (1ull << 30)
#define CYCLES_MAX 1000000u
#define PERIOD_MAX 1000000000u	/* requests */

#define U64(text, member, lo, hi, what, in, says) { \
	.name = (text), .type = WS_KEY_U64, .offset = AT(member), .min = (lo), .max = (hi), \
	.unit = (what), .stage = WS_STAGE_##in, .help = (says) }
#define SIZE(text, member, lo, hi, in, says) { \
	.name = (text), .type = WS_KEY_SIZE, .offset = AT(member), .min = (lo), .max = (hi), \
	.unit = "bytes", .stage = WS_STAGE_##in, .help = (says) }
#define SIZE_WORDS(text, member, words, otherwise, says) { \
	.name = (text), .type = WS_KEY_SIZE, .offset = AT(member), .max = SHARED_MAX, \
	.choices = (words), .unit = "bytes", .stage = WS_STAGE_ORDER, .fallback = (otherwise), \
	.help = (says) }
#define LINE(text, member, in, says) { \
	.name = (text), .type = WS_KEY_SIZE, .offset = AT(member), .min = WS_SECTOR_BYTES, \
	.max = WS_LINE_MAX, .pow2 = true, .unit = "bytes", .stage = WS_STAGE_##in, .help = (says) }
#define CHOICE(text, member, names, in, says) { \
	.name = (text), .type = WS_KEY_CHOICE, .offset = AT(member), .choices = (names), \
	.stage = WS_STAGE_##in, .help = (says) }
/* Keys that a .conf file may leave out: their value then. */
#define U64_OR(text, member, lo, hi, what, in, otherwise, says) { \
	.name = (text), .type = WS_KEY_U64, .offset = AT(member), .min = (lo), .max = (hi), \
	.unit = (what), .stage = WS_STAGE_##in, .fallback = (otherwise), .help = (says) }
#define CHOICE_OR(text, member, names, in, otherwise, says) { \
	.name = (text), .type = WS_KEY_CHOICE, .offset = AT(member), .choices = (names), \
	.stage = WS_STAGE_##in, .fallback = (otherwise), .help = (says) }
#define OTHER_OR(text, kind, member, in, otherwise, says) { \
	.name = (text), .type = (kind), .offset = AT(member), .stage = WS_STAGE_##in, \
	.fallback = (otherwise), .help = (says) }
#define OTHER(text, kind, member, in, says) { \
	.name = (text), .type = (kind), .offset = AT(member), .stage = WS_STAGE_##in, \
	.help = (says) }

const struct ws_key ws_keys[] = {
	OTHER("name", WS_KEY_NAME, name, LABEL, "what the machine is called in tables"),
	OTHER("title", WS_KEY_TEXT, title, LABEL, "what figures call it"),

	U64("sm.count", sm_count, 1, 4096, "SMs", ORDER, "streaming multiprocessors"),
	U64("sm.warps", sm_warps, 1, 4096, "warps", ORDER, "resident warps of an SM, at most"),
	U64("sm.ctas", sm_ctas, 1, 4096, "CTAs", ORDER, "resident CTAs of an SM, at most"),
	U64("sm.threads", sm_threads, 1, 65536, "threads", ORDER,
	    "resident threads of an SM, at most"),
	U64("sm.schedulers", sm_schedulers, 1, 64, "schedulers", ORDER,
	    "warp schedulers of an SM; warp w belongs to scheduler w mod this"),
	CHOICE("sm.scheduler", sm_scheduler, schedulers, ORDER,
	       "which ready warp goes next; the last three ignore time and residency"),
	U64("sm.active-warps", sm_active_warps, 1, 4096, "warps", ORDER,
	    "active warps of each scheduler; two-level alone reads it"),
	U64_OR("sm.large-warp", sm_large_warp, 1, WS_LARGE_WARP_MAX, "warps", ORDER, "1",
	       "warps of a CTA that make a large warp: it is scheduled as one, and in every step "
	       "its active lanes, each in its column, make as few sub-warps as they can; 1: "
	       "none do"),
	U64_OR("sm.launch", sm_launch_cycles, 0, 1024, "cycles", ORDER, "0",
	       "cycles between the starts of a CTA's warps"),
	U64_OR("sm.start", sm_start_cycles, 0, CYCLES_MAX, "cycles", ORDER, "0",
	       "cycles from the start of a launch until its first warps issue: fetching their code "
	       "takes so long"),
	U64_OR("sm.alu", sm_alu_cycles, 0, 1024, "cycles", ORDER, "0",
	       "cycles from the issue of an arithmetic instruction to that of the one that needs "
	       "its result, if the trace has such chains; 0 and 1: none waits"),
	U64_OR("sm.alu.interval", sm_alu_interval, 0, 1024, "cycles", ORDER, "0",
	       "cycles between two such instructions of one scheduler; 0 and 1: one each cycle"),
	U64_OR("sm.alu.queue", sm_alu_queue, 0, 1024, "instructions", ORDER, "0",
	       "instructions that a scheduler may issue earlier than sm.alu.interval lets it, and "
	       "that wait in a queue"),
	U64_OR("sm.buffer", sm_buffer, 0, 1024, "instructions", ORDER, "0",
	       "instructions of a warp that are fetched together, in 2 cycles, once those before "
	       "have issued; 0: fetching takes no time"),
	U64_OR("sm.fetch", sm_fetch, 0, 64, "warps", ORDER, "0",
	       "warps for which an SM fetches sm.buffer instructions in one cycle, in turn; 0: any "
	       "number"),
	U64_OR("sm.code.line", sm_code_line, 0, 65536, "bytes", ORDER, "0",
	       "bytes of a line of the instruction cache; the first warp of an SM that needs a "
	       "line waits sm.start cycles for it, if the trace has PCs; 0: all code is there"),
	U64_OR("sm.code", sm_code_cycles, 0, CYCLES_MAX, "cycles", ORDER, "0",
	       "cycles in place of sm.start for code that earlier launches left in the L2"),
	OTHER_OR("sm.pipeline", WS_KEY_TEXT, sm_pipeline, CYCLES, "none",
		 "in place of sm.alu and sm.lsu for traces of machine code: registers, operand "
		 "collectors and units of each scheduler.  col=2:bank=4:step=2:in=8:out=8:wb=8 "
		 "are collectors, banks of registers, steps of the collectors in a cycle, ways "
		 "into and out of them and results in a cycle, smem=20 the cycles of shared "
		 "memory; int=2/2, and sp, hp, dp (of precision), sfu, bra, tex, mma and uni so, "
		 "the cycles of a unit and those from one instruction to the next; with share=1 "
		 "schedulers share all that, int=4/1x2 being two units"),
	OTHER_OR("sm.front", WS_KEY_TEXT, sm_front, CYCLES, "none",
		 "what fetches machine code for sm.pipeline, cycle by cycle, in place of sm.start "
		 "and sm.code: all, an instruction cache that has all lines; or with icnt.queues = "
		 "router one of sm.code.line, sets=4:ways=4:mshr=2:merge=32:queue=4, whose misses "
		 "go to the L2"),
	CHOICE("sm.assign", sm_assign, assignments, ORDER, "which SM gets the next CTA"),
	SIZE_WORDS("sm.shared", sm_shared_asked, or_auto, NULL,
		   "shared memory of an SM: limits resident CTAs; auto: what sm.carveout says"),
	SIZE_WORDS("sm.shared.reserved", sm_shared_reserved, NULL, "0",
		   "shared memory that the system takes of each CTA, besides its own"),
	SIZE_WORDS("sm.unified", sm_unified_bytes, NULL, "0",
		   "the array that L1 and shared memory of an SM share; 0: they are apart"),
	{ .name = "sm.carveouts", .type = WS_KEY_SIZES, .offset = AT(sm_carveouts),
	  .max = SHARED_MAX, .unit = "bytes", .stage = WS_STAGE_ORDER, .fallback = "none",
	  .help = "what shared memory may have of sm.unified: up to 12 sizes, ascending, in whole "
		  "KB, as 0,8K,16K" },
	SIZE_WORDS("sm.carveout", sm_carveout, or_auto_or_none, "none",
		   "the one of sm.carveouts that shared memory has, the L1 having what is left of "
		   "sm.unified; auto: of each launch, the least that holds all CTAs that the other "
		   "limits let onto an SM; none: l1.size and sm.shared stay as they are"),
	U64("sm.registers", sm_registers, 1, 1ull << 30, "registers", ORDER,
	    "32-bit registers of an SM: limit resident CTAs"),
	U64("cta.threads", cta_threads, 1, 65536, "threads", ORDER, "threads of a CTA, at most"),
	U64("warp.width", warp_width, 1, 64, "threads", ORDER, "threads of a warp"),
	LINE("coalesce.line", coalesce_line, ORDER,
	     "segment within which a warp's accesses become one request"),
	CHOICE_OR("profile", profile, profiles, ORDER, "hardware",
		  "gpgpusim: as GPGPU-Sim 4 has it and no other key says.  Accesses of 1 and 2 "
		  "bytes are cut at 32 and 64 bytes; atomics become requests of 32 bytes, and "
		  "lanes that share bytes are in different ones; in the cycle simulator a "
		  "sector that stores wrote in part is fetched when it is read, and a sectored "
		  "L2 counts each sector asked for.  hardware: none of that"),

	SIZE("l1.size", l1.size_bytes, 0, L1_MAX, PREDICT,
	     "sets * ways * line of one SM's L1; given alone it decides l1.sets, or l1.ways where "
	     "no whole number of sets that the hash takes would do, or of an L1 that is part of "
	     "sm.unified; what is given of an L1's sizes ends sm.carveout = auto; 0: no L1, every "
	     "request goes to the L2"),
	U64("l1.sets", l1.sets, 1, SETS_MAX, "sets", PREDICT,
	    "sets of one SM's L1; without l1.size it decides the size, with it the ways"),
	U64("l1.ways", l1.ways, 0, SETS_MAX, "ways", PREDICT,
	    "lines of a set; without l1.size it decides the size"),
	OTHER_OR("l1.sets.ways", WS_KEY_SET_WAYS, l1.set_ways, PROFILE, "equal",
		 "ways of each set if sets differ, from set 0 on, SETSxWAYS or WAYS with + "
		 "between: "
		 "17+6x8 is a set of 17 lines and six of 8; l1.sets, l1.ways (the most) and "
		 "l1.size follow"),
	LINE("l1.line", l1.line_bytes, PREDICT,
	     "bytes under one tag; another than the machine's own cuts or merges its requests"),
	LINE("l1.sector", l1.sector_bytes, PROFILE,
	     "bytes fetched by a miss; the line if left out: not sectored"),
	OTHER("l1.hash", WS_KEY_HASH, l1.hash, PROFILE, "how an address finds its set"),
	OTHER("l1.policy", WS_KEY_NAME, l1.policy, PREDICT,
	      "replacement policy, NAME or NAME:PARAMETERS"),
	CHOICE("l1.write", l1.write, ws_write_names, PROFILE, "what a store does to a line"),
	U64("l1.latency", l1.latency_cycles, 0, CYCLES_MAX, "cycles", ORDER,
	    "cycles of an L1 hit"),
	U64("l1.mshr", l1.mshr_entries, 1, 1u << 20, "entries", CYCLES,
	    "misses that may be outstanding"),
	U64("l1.mshr.merge", l1.mshr_merge, 1, 1u << 20, "requests", CYCLES,
	    "requests for one outstanding miss, the first included"),
	U64_OR("l1.mshr.rate", l1_mshr_rate, 0, 1u << 20, "requests/cycle", CYCLES, "0",
	       "requests that waited for a miss and are served in a cycle; 0: all at once"),
	U64_OR("l1.mshr.latency", l1_mshr_cycles, 0, CYCLES_MAX, "cycles", CYCLES, "0",
	       "the part of l2.latency from a line's arrival in the L1, where it is hit from then "
	       "on, to the data of the first request that waited for it"),

	U64_OR("sm.lsu", sm_lsu_ops, 1, 1024, "ops", CYCLES, "1",
	       "memory ops that the load-store unit holds; their requests take turns, unless "
	       "sm.lsu.order = fifo"),
	CHOICE_OR("sm.lsu.order", sm_lsu_order, lsu_orders, CYCLES, "turns",
		  "whether the requests of the ops held take turns, or those of an op come after "
		  "all of the op before it"),
	CHOICE_OR("sm.lsu.requests", sm_lsu_requests, lsu_requests, CYCLES, "lanes",
		  "which request of an op comes first: that of its first lane, or that of the "
		  "highest address, and so on"),
	CHOICE_OR("sm.stores", sm_stores, store_ends, CYCLES, "sent",
		  "what a CTA waits for before it ends: nothing of its stores, or that the L2 "
		  "acknowledges those sent to it"),
	CHOICE_OR("l1.alloc", l1.alloc, allocations, CYCLES, "on-miss",
		  "when a miss takes a way: at once, reserving it, or when the data arrives"),
	U64_OR("l1.parts", l1_parts, 1, 16, "L1s", ORDER, "1",
	       "L1s of an SM, each of l1.size: the warp in slot w of the SM asks number "
	       "w / sm.schedulers mod this"),
	U64_OR("l1.banks", l1_banks, 1, 64, "banks", CYCLES, "1",
	       "requests looked up in a cycle, each of another bank: line number mod this, or "
	       "what l1.banks.bytes says"),
	{ .name = "l1.banks.bytes", .type = WS_KEY_SIZE, .offset = AT(l1_banks_bytes),
	  .max = WS_LINE_MAX, .unit = "bytes", .stage = WS_STAGE_CYCLES, .fallback = "0",
	  .help = "consecutive bytes of one bank: a power of two from 32 on; a request is of that "
		  "of its first sector; 0: l1.line" },
	U64_OR("l1.lookup", l1_lookup_cycles, 0, 1024, "cycles", CYCLES, "0",
	       "the part of l1.latency that a request spends before its look-up, in a queue of "
	       "its bank that holds as many; 0: it is looked up at once"),
	U64_OR("l1.queue", l1_queue, 1, 1u << 20, "requests", CYCLES, "16",
	       "requests to the L2 that may wait for the network"),

	OTHER_OR("l1.organisation", WS_KEY_ORGANISATION, l1.organised, PREDICT, "line",
		 "how data are held"),
	U64_OR("l1.chunk.tag", l1.chunk_tag_bits, 2, 40, "bits", PROFILE, "16",
	       "elastic, dycache: bits of the tag that each 32 bytes have of their own; the rest "
	       "of the address, less the set's bits, is the line's"),
	CHOICE_OR("l1.chunk.victim", l1.chunk_victim, chunk_victims, PREDICT, "any",
		  "elastic, dycache: the chunk that goes for another one of its region: the one "
		  "used longest ago of any line, or of the newest or oldest line there"),
	CHOICE_OR("l1.chunk.invalid", l1.chunk_invalid, chunk_invalids, PREDICT, "first",
		  "elastic, dycache: whether a chunk takes an invalid line first, or only where no "
		  "line is of its region"),
	U64_OR("l1.grain.period", l1.grain_period, 1, PERIOD_MAX, "requests", PREDICT, "1000",
	       "dycache: requests between decisions on the grain"),
	U64_OR("l1.grain.period.max", l1.grain_period_max, 0, PERIOD_MAX, "requests", PREDICT, "0",
	       "dycache: the period grows up to this while the grain changes back and forth; 0: "
	       "stays"),
	OTHER_OR("l1.grain.retain", WS_KEY_BOOL, l1.grain_retain, PREDICT, "no",
		 "dycache: whether a change to a larger grain keeps what is as large as that"),
	CHOICE_OR("l1.grain.fine", l1.grain_fine, grain_fines, PREDICT, "keep",
		  "dycache: whether a grain of 32 or 64 bytes is kept while fine requests miss, or "
		  "chosen anew each period"),

	SIZE("l2.size", l2.size_bytes, WS_SECTOR_BYTES, L2_MAX, L2_PREDICT,
	     "slices * sets * ways * line: all of the L2"),
	U64("l2.sets", l2.sets, 1, SETS_MAX, "sets", L2_PREDICT, "sets of one slice"),
	U64("l2.ways", l2.ways, 1, SETS_MAX, "ways", L2_PREDICT, "lines of a set"),
	LINE("l2.line", l2.line_bytes, L2_PROFILE, "bytes under one tag"),
	LINE("l2.sector", l2.sector_bytes, L2_PROFILE,
	     "bytes fetched by a miss; the line if left out: not sectored"),
	OTHER("l2.hash", WS_KEY_HASH, l2.hash, L2_PROFILE,
	      "how an address finds its set within a slice"),
	OTHER("l2.policy", WS_KEY_NAME, l2.policy, L2_PREDICT,
	      "replacement policy, NAME or NAME:PARAMETERS"),
	CHOICE("l2.write", l2.write, ws_write_names, L2_PROFILE, "what a store does to a line"),
	U64("l2.latency", l2.latency_cycles, 0, CYCLES_MAX, "cycles", ORDER,
	    "what an L2 hit takes on top of l1.latency"),
	U64("l2.slices", l2_slices, 1, 65536, "slices", L2_PROFILE,
	    "L2 slices; another number changes l2.size unless that is given"),

	U64_OR("l2.mshr", l2.mshr_entries, 1, 1u << 20, "entries", CYCLES, "256",
	       "misses of a slice that may be outstanding"),
	U64_OR("l2.mshr.merge", l2.mshr_merge, 1, 1u << 20, "requests", CYCLES, "4",
	       "requests for one of them, the first included"),
	U64_OR("l2.queue", l2_queue, 4, 1u << 20, "requests", CYCLES, "64",
	       "behind a router, requests of a sector in each queue of a slice: to it, to DRAM, "
	       "and back"),
	U64_OR("l2.misses", l2_misses, 0, 1u << 20, "requests", CYCLES, "0",
	       "behind a router, requests of a slice that wait for its queue to DRAM of banks, "
	       "into which one goes in a cycle; 0: they go there at once"),
	U64_OR("l2.rate", l2_rate, 0, 32, "sectors/cycle", CYCLES, "0",
	       "32-byte sectors that a slice looks up in a cycle: a request of more takes as many "
	       "more cycles; 0: one cycle for any"),
	{ .name = "l2.interleave", .type = WS_KEY_SIZE, .offset = AT(l2_interleave_bytes),
	  .min = WS_SECTOR_BYTES, .max = 1u << 20, .pow2 = true, .unit = "bytes",
	  .stage = WS_STAGE_L2_PROFILE, .fallback = "256",
	  .help = "consecutive bytes that belong to one slice" },
	CHOICE_OR("l2.slice-hash", l2_slice_hash, ws_slice_hash_names, L2_PROFILE, "modulo",
		  "how an address finds its slice; xor wants a power of two of slices"),
	CHOICE_OR("l2.slice-order", l2_slice_order, slice_orders, L2_PROFILE, "slices",
		  "what follows a block, before the hash: one of the next slice, or of the next "
		  "DRAM channel, whose slices take turns when all channels have had one"),
	CHOICE_OR("l2.start", l2_start, starts, L2_PROFILE, "cold",
		  "the L2 when a kernel starts: empty; filled by the host's copies of its arrays, "
		  "or of those that it reads; or as the launch before left it, the first one "
		  "empty"),

	U64_OR("icnt.latency", icnt_latency_cycles, 0, CYCLES_MAX, "cycles", CYCLES, "0",
	       "the part of l2.latency that the network takes one way, at least a cycle; 0: a "
	       "quarter.  What both ways exceed l2.latency by is added to a hit's"),
	U64_OR("icnt.width", icnt_width, 1, 1u << 20, "bytes/cycle", CYCLES, "32",
	       "what each port of an SM and of a slice passes in a cycle"),
	CHOICE_OR("icnt.queues", icnt_queues, queues, CYCLES, "output",
		  "where packets wait in the network: output, for the ports of their two ends "
		  "alone; input, also for those that their SM or slice sent before, whose "
		  "target may be busy (head-of-line blocking); router, flit by flit in the buffers "
		  "of a router, in front of slices that take a sector at a time"),
	U64_OR("icnt.router.in", icnt_router_in, 1, 4096, "flits", CYCLES, "9",
	       "flits of icnt.width bytes that wait at each SM and each slice for a router"),
	U64_OR("icnt.router.buffer", icnt_router_buffer, 1, 4096, "flits", CYCLES, "64",
	       "those that each of its inputs holds, and those on their way out of an output"),
	U64_OR("icnt.router.out", icnt_router_out, 1, 4096, "flits", CYCLES, "16",
	       "those that have come to an SM or a slice, and wait to be taken"),
	U64_OR("icnt.router.speedup", icnt_router_speedup, 0, 16, "steps/cycle", CYCLES, "2",
	       "how often in a cycle it gives outputs to inputs and passes flits on; 0: it is a "
	       "crossbar that passes whole packets, with those queues at its ends alone"),
	U64_OR("icnt.credits", icnt_credits, 1, 1u << 20, "requests", CYCLES, "64",
	       "requests of an SM that may be on their way to a slice's lookup"),

	U64("dram.latency", dram_latency_cycles, 0, CYCLES_MAX, "cycles", CYCLES,
	    "what DRAM takes on top of an L2 hit, at least a cycle"),
	U64("dram.bandwidth", dram_bandwidth, 1, 1u << 20, "bytes/cycle", CYCLES,
	    "peak bandwidth, in a cycle of the SMs' clock"),

	U64_OR("dram.channels", dram_channels, 0, 65536, "channels", CYCLES, "0",
	       "channels that share the bandwidth; of a number that does not divide l2.slices, the "
	       "greatest common divisor; 0: one for each slice"),

	{ .name = "dram.atom", .type = WS_KEY_SIZE, .offset = AT(dram_atom),
	  .min = WS_SECTOR_BYTES, .max = WS_LINE_MAX, .pow2 = true, .unit = "bytes",
	  .stage = WS_STAGE_CYCLES, .fallback = "32",
	  .help = "what each sector of 32 bytes takes of the bandwidth" },
	{ .name = "dram.row", .type = WS_KEY_SIZE, .offset = AT(dram_row), .max = 1u << 20,
	  .unit = "bytes", .stage = WS_STAGE_CYCLES, .fallback = "0",
	  .help = "bytes of a slice in one row, of which each channel has the last one that was "
		  "asked for open: a power of two, l2.line or more; 0: rows make no difference" },
	U64_OR("dram.row.miss", dram_row_miss_cycles, 0, CYCLES_MAX, "cycles", CYCLES, "0",
	       "what a fetch from another row takes on top of dram.latency"),

	OTHER_OR("dram.timing", WS_KEY_TEXT, dram_timing, CYCLES, "none",
		 "banks in place of dram.bandwidth and rows: CCD=2:RRD=6:... of CCD, CCDL, RRD, "
		 "RCD, RAS, RP, RC, CL, WL, CDLR, WR, RTPL and BL (a burst) in ticks; nbk, grp "
		 "(groups of banks), low (1: low bits of the bank are its group), bus (2: row and "
		 "column commands side by side), in, out (places)"),
	OTHER_OR("dram.mapping", WS_KEY_TEXT, dram_mapping, CYCLES, "none",
		 "with dram.timing: a letter for each bit of an address without its channel, the "
		 "lowest last, B of the bank and R of the row"),
	U64_OR("dram.ticks", dram_ticks, 1, 1u << 30, "ticks", CYCLES, "1",
	       "with dram.timing: ticks of DRAM in dram.ticks.cycles"),
	U64_OR("dram.ticks.cycles", dram_ticks_cycles, 1, 1u << 30, "cycles", CYCLES, "1",
	       "in which dram.ticks are"),
	U64_OR("dram.wait", dram_wait_cycles, 0, CYCLES_MAX, "cycles", CYCLES, "0",
	       "with dram.timing: the part of dram.latency before a bank is asked"),

	U64_OR("shared.banks", shared_banks, 1, 64, "banks", CYCLES, "32",
	       "banks of shared memory: pchase banks alone reads these keys"),
	{ .name = "shared.width", .type = WS_KEY_U64, .offset = AT(shared_width), .min = 4,
	  .max = 64, .pow2 = true, .unit = "bytes", .stage = WS_STAGE_CYCLES, .fallback = "4",
	  .help = "neighbouring bytes of one bank: threads that load of the same ones "
		  "take one turn" },
	U64_OR("shared.latency", shared_latency_cycles, 0, CYCLES_MAX, "cycles", CYCLES, "28",
	       "a load's from shared memory without a conflict"),
	U64_OR("shared.conflict", shared_conflict_cycles, 0, 4096, "cycles", CYCLES, "2",
	       "on top of that for each further turn that a bank takes"),

	{ .name = "tlb.page", .type = WS_KEY_SIZE, .offset = AT(tlb_page), .min = 4096,
	  .max = 1u << 30, .pow2 = true, .unit = "bytes", .stage = WS_STAGE_CYCLES,
	  .fallback = "2M", .help = "bytes under one entry of a TLB" },
	OTHER_OR("tlb.l1", WS_KEY_SET_WAYS, tlb[0], CYCLES, "none",
		 "the TLB that each L1 asks for what it does not hold itself: entries of its "
		 "sets, from set 0 on, as 16, 4x8 (four sets of 8) or 17+6x8; page number modulo "
		 "sets, LRU"),
	U64_OR("tlb.l1.miss", tlb_miss_cycles[0], 0, CYCLES_MAX, "cycles", CYCLES, "0",
	       "what a miss there adds to the way to the L2"),
	OTHER_OR("tlb.l2", WS_KEY_SET_WAYS, tlb[1], CYCLES, "none",
		 "the TLB that is asked next, of each L1, too"),
	U64_OR("tlb.l2.miss", tlb_miss_cycles[1], 0, CYCLES_MAX, "cycles", CYCLES, "0",
	       "what a miss there, too, adds to that"),

	OTHER("count_pending", WS_KEY_BOOL, count_pending, CYCLES,
	      "whether hits on a line still in flight count as misses"),
	{ .name = NULL },
};

#define KEYS (WS_COUNT(ws_keys) - 1)
_Static_assert(KEYS <= WS_KEYS_MAX, "WS_KEYS_MAX is too small");

const struct ws_key *ws_key_find(const char *name)
{
	for (const struct ws_key *key = ws_keys; key->name; key++) {
		if (strcmp(key->name, name) == 0)
			return key;
	}
	return NULL;
}

static const char *key_name(size_t i, const void *context)
{
	(void)context;
	return ws_keys[i].name;
}

enum ws_status ws_key_unknown(const char *name, struct ws_err *err)
{
	int nearest = ws_nearest_name(name, KEYS, key_name, NULL);
	char shown[48];

	ws_shown(name, shown, sizeof shown);
	if (nearest >= 0)
		return ws_fail(err, WS_EINVAL, "unknown key '%s': did you mean %s?", shown,
			       ws_keys[nearest].name);
	return ws_fail_remedy(err, WS_REMEDY_KEYS, "unknown key '%s': want one of the machine's",
			      shown);
}
