/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/counters/names.c -- which of a profiler's counters is which of ours.
 *
 * Sources: NVIDIA, Nsight Compute's metrics and CUPTI's events and metrics by compute capability;
 * AMD, MI200 performance counters; Accel-Sim, util/plotting/correl_mappings.py.
 */
#include "validate/counters.h"

const char *const ws_gpu_profiler_names[WS_PROFILERS] = { "ncu", "nvprof", "rocprof" };
const char *const ws_gpu_profiler_titles[WS_PROFILERS] = {
	"Nsight Compute", "nvprof", "rocprof, rocprofv2, rocprofv3",
};

const struct ws_counter_row ws_counter_rows[WS_COUNTERS] = {
	[WS_COUNTER_LOAD_REQUESTS] = { "load_requests",
		"warp instructions that load from global memory" },
	[WS_COUNTER_STORE_REQUESTS] = { "store_requests",
		"warp instructions that store to global memory" },
	[WS_COUNTER_ATOMIC_REQUESTS] = { "atomic_requests",
		"warp instructions that are atomic on global memory, reductions too" },
	[WS_COUNTER_L1_LOAD_QUERIES] = { "l1_load_queries",
		"what global loads ask the L1s for: lines of 128 bytes to Fermi and Kepler, "
		"sectors of 32 bytes since, requests of up to 64 bytes to AMD" },
	[WS_COUNTER_L1_LOAD_HITS] = { "l1_load_hits", "of them, those that the L1s have" },
	[WS_COUNTER_L1_LOAD_MISSES] = { "l1_load_misses", "of them, those that they have not" },
	[WS_COUNTER_L1_UNCACHED] = { "l1_uncached",
		"transactions of global loads that go past the L1s" },
	[WS_COUNTER_L1_STORE_QUERIES] = { "l1_store_queries",
		"sectors that global stores bring to the L1s" },
	[WS_COUNTER_L1_STORE_HITS] = { "l1_store_hits",
		"of them, those whose line the L1s have; they are written to the L2 all the same" },
	[WS_COUNTER_L1_STORE_MISSES] = { "l1_store_misses", "the rest of them" },
	[WS_COUNTER_L1_HIT_PCT] = { "l1_hit_pct", "share of the loads' queries that hit" },
	[WS_COUNTER_L1_ALL_HIT_PCT] = { "l1_all_hit_pct",
		"share of all that the L1s are asked that hits: stores, local memory and textures "
		"with the loads" },
	[WS_COUNTER_TEX_SECTOR_QUERIES] = { "tex_sector_queries",
		"what Maxwell's and Pascal's unified L1s count: halves of sectors, 16 bytes" },
	[WS_COUNTER_TEX_SECTOR_MISSES] = { "tex_sector_misses",
		"of them, those that miss: one of a sector, as its other half then hits" },
	[WS_COUNTER_L2_READ_QUERIES] = { "l2_read_queries",
		"sectors of 32 bytes that the L1s read from the L2; AMD counts requests" },
	[WS_COUNTER_L2_READ_HITS] = { "l2_read_hits", "of them, those that the L2 has" },
	[WS_COUNTER_L2_READ_MISSES] = { "l2_read_misses",
		"sectors that the L2 has not; nvprof's are of all sources" },
	[WS_COUNTER_L2_WRITE_QUERIES] = { "l2_write_queries",
		"sectors that the L1s write to the L2" },
	[WS_COUNTER_L2_WRITE_HITS] = { "l2_write_hits",
		"of them, those that hit: to NVIDIA a write that allocates is a hit, to GPGPU-Sim "
		"a miss" },
	[WS_COUNTER_L2_WRITE_MISSES] = { "l2_write_misses", "the rest of them" },
	[WS_COUNTER_L2_ATOMIC_QUERIES] = { "l2_atomic_queries",
		"sectors of atomics and reductions that the L1s send to the L2" },
	[WS_COUNTER_L2_ALL_HITS] = { "l2_all_hits", "hits of reads, writes and atomics together" },
	[WS_COUNTER_L2_ALL_MISSES] = { "l2_all_misses", "misses of all of them" },
	[WS_COUNTER_L2_HIT_PCT] = { "l2_hit_pct", "share of the L1s' reads that hit in the L2" },
	[WS_COUNTER_L2_ALL_HIT_PCT] = { "l2_all_hit_pct",
		"share of all that the L2 is asked that hits: writes, which nearly always do, and "
		"other sources with the L1s' reads" },
	[WS_COUNTER_DRAM_READ] = { "dram_read", "sectors of 32 bytes that are read from DRAM" },
	[WS_COUNTER_DRAM_WRITE] = { "dram_write", "sectors that are written to it" },
	[WS_COUNTER_CYCLES] = { "cycles", "cycles of the GPU from begin to end" },
	[WS_COUNTER_INSTRUCTIONS] = { "instructions", "instructions of warps" },
};

#define SECTOR "sector"
#define TEX "lts__t_sectors_srcunit_tex"
#define LSU "l1tex__t_sectors_pipe_lsu_mem_global_op_"

#define NCU(name, counter, unit, scale, sm, note) \
	{ WS_PROFILER_NCU, name, WS_COUNTER_##counter, unit, scale, sm, false, note }
#define NVP(name, counter, unit, sm, note) \
	{ WS_PROFILER_NVPROF, name, WS_COUNTER_##counter, unit, 1, sm, false, note }
#define NVP_ALL(name, counter, note) \
	{ WS_PROFILER_NVPROF, name, WS_COUNTER_##counter, SECTOR, 1, false, true, note }
#define ROC(name, counter, unit, scale, note) \
	{ WS_PROFILER_ROCPROF, name, WS_COUNTER_##counter, unit, scale, false, true, note }

/* What GPU traces call a metric: its description. */
#define NVP_TITLE(name, counter, unit) NVP(name, counter, unit, false, TITLE)
#define TITLE "in GPU traces"
#define ALLOCATES "a write that allocates counts as a hit"
#define OF_ALL "of all sources, not of the L1s alone"
#define FERMI "Fermi, Kepler"
#define MAXWELL "Maxwell and later"

const struct ws_counters_name ws_counters_names[] = {
	NCU("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", LOAD_REQUESTS, "request", 1, true,
	    NULL),
	NCU("smsp__sass_inst_executed_op_global_ld.sum", LOAD_REQUESTS, "request", 1, true, NULL),
	NCU("smsp__inst_executed_op_global_ld.sum", LOAD_REQUESTS, "request", 1, true, NULL),
	NCU("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", STORE_REQUESTS, "request", 1, true,
	    NULL),
	NCU("smsp__sass_inst_executed_op_global_st.sum", STORE_REQUESTS, "request", 1, true, NULL),
	NCU("smsp__inst_executed_op_global_st.sum", STORE_REQUESTS, "request", 1, true, NULL),
	NCU("smsp__inst_executed_op_global_atom.sum", ATOMIC_REQUESTS, "request", 1, true,
	    "those that return a value"),
	NCU(LSU "ld.sum", L1_LOAD_QUERIES, SECTOR, 1, true, NULL),
	NCU(LSU "ld_lookup_hit.sum", L1_LOAD_HITS, SECTOR, 1, true,
	    "a sector that is on its way is a hit; columns of other commands call it pending"),
	NCU(LSU "ld_lookup_miss.sum", L1_LOAD_MISSES, SECTOR, 1, true, NULL),
	NCU(LSU "st.sum", L1_STORE_QUERIES, SECTOR, 1, true, NULL),
	NCU(LSU "st_lookup_hit.sum", L1_STORE_HITS, SECTOR, 1, true, NULL),
	NCU(LSU "st_lookup_miss.sum", L1_STORE_MISSES, SECTOR, 1, true, NULL),
	NCU("l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct", L1_HIT_PCT, "%", 1, false,
	    NULL),
	NCU("l1tex__t_sector_hit_rate.pct", L1_ALL_HIT_PCT, "%", 1, false,
	    "stores count, and most of them hit"),
	NCU("L1/TEX Hit Rate", L1_ALL_HIT_PCT, "%", 1, false,
	    "the details page's name of it"),
	NCU(TEX "_op_read.sum", L2_READ_QUERIES, SECTOR, 1, false, NULL),
	NCU(TEX "_op_read_lookup_hit.sum", L2_READ_HITS, SECTOR, 1, false, NULL),
	NCU(TEX "_op_read_lookup_miss.sum", L2_READ_MISSES, SECTOR, 1, false,
	    "of an A100's or H100's two halves the way to the other one may count as well"),
	NCU(TEX "_op_write.sum", L2_WRITE_QUERIES, SECTOR, 1, false, NULL),
	NCU(TEX "_op_write_lookup_hit.sum", L2_WRITE_HITS, SECTOR, 1, false, ALLOCATES),
	NCU(TEX "_op_write_lookup_miss.sum", L2_WRITE_MISSES, SECTOR, 1, false, ALLOCATES),
	NCU(TEX "_op_atom.sum", L2_ATOMIC_QUERIES, SECTOR, 1, false, "without reductions"),
	NCU(TEX "_lookup_hit.sum", L2_ALL_HITS, SECTOR, 1, false, ALLOCATES),
	NCU(TEX "_lookup_miss.sum", L2_ALL_MISSES, SECTOR, 1, false, NULL),
	NCU("lts__t_sectors_lookup_hit.sum", L2_ALL_HITS, SECTOR, 1, false, OF_ALL),
	NCU("lts__t_sectors_lookup_miss.sum", L2_ALL_MISSES, SECTOR, 1, false, OF_ALL),
	NCU("lts__t_sector_op_read_hit_rate.pct", L2_HIT_PCT, "%", 1, false, OF_ALL),
	NCU("lts__t_sector_hit_rate.pct", L2_ALL_HIT_PCT, "%", 1, false, ALLOCATES),
	NCU("L2 Hit Rate", L2_ALL_HIT_PCT, "%", 1, false, "the details page's name of it"),
	NCU("dram__sectors_read.sum", DRAM_READ, SECTOR, 1, false, NULL),
	NCU("dram__bytes_read.sum", DRAM_READ, SECTOR, 1.0 / 32, false, "bytes, by 32"),
	NCU("dram__sectors_write.sum", DRAM_WRITE, SECTOR, 1, false, NULL),
	NCU("dram__bytes_write.sum", DRAM_WRITE, SECTOR, 1.0 / 32, false, "bytes, by 32"),
	NCU("gpc__cycles_elapsed.max", CYCLES, "cycle", 1, false, NULL),
	NCU("gpc__cycles_elapsed.avg", CYCLES, "cycle", 1, false, NULL),
	NCU("sm__cycles_elapsed.max", CYCLES, "cycle", 1, false, NULL),
	NCU("Elapsed Cycles", CYCLES, "cycle", 1, false, "the details page's name of it"),
	NCU("smsp__inst_executed.sum", INSTRUCTIONS, "instruction", 1, true, NULL),

	NVP("gld_request", LOAD_REQUESTS, "request", true, FERMI),
	NVP("global_load", LOAD_REQUESTS, "request", true, MAXWELL),
	NVP("inst_executed", INSTRUCTIONS, "instruction", true, NULL),
	NVP("gst_request", STORE_REQUESTS, "request", true, FERMI),
	NVP("global_store", STORE_REQUESTS, "request", true, MAXWELL),
	NVP("l1_global_load_hit", L1_LOAD_HITS, "line", true, FERMI),
	NVP("l1_global_load_miss", L1_LOAD_MISSES, "line", true, FERMI),
	NVP("uncached_global_load_transaction", L1_UNCACHED, "request", true, FERMI),
	NVP("l1_cache_global_hit_rate", L1_HIT_PCT, "%", false, FERMI),
	NVP_TITLE("L1 Global Hit Rate", L1_HIT_PCT, "%"),
	NVP("global_hit_rate", L1_ALL_HIT_PCT, "%", false,
	    "Maxwell and Pascal count half sectors: a sector that misses counts as a miss and a "
	    "hit, so that no hits are 50 %"),
	NVP("tex_cache_hit_rate", L1_ALL_HIT_PCT, "%", false, "half sectors, as global_hit_rate"),
	NVP_TITLE("Global Hit Rate", L1_ALL_HIT_PCT, "%"),
	NVP_TITLE("Global Hit Rate in unified l1/tex", L1_ALL_HIT_PCT, "%"),
	NVP_TITLE("Unified Cache Hit Rate", L1_ALL_HIT_PCT, "%"),
	NVP("tex*_cache_sector_queries", TEX_SECTOR_QUERIES, "half sector", true,
	    MAXWELL ": twice the sectors; compare l2_read_queries with and without the L1"),
	NVP("tex*_cache_sector_misses", TEX_SECTOR_MISSES, "half sector", true,
	    MAXWELL ": as many as sectors"),
	NVP("l2_subp*_read_l1_sector_queries", L2_READ_QUERIES, SECTOR, false, FERMI),
	NVP("l2_subp*_read_tex_sector_queries", L2_READ_QUERIES, SECTOR, false, MAXWELL),
	NVP("l2_l1_read_transactions", L2_READ_QUERIES, SECTOR, false, FERMI),
	NVP("l2_tex_read_transactions", L2_READ_QUERIES, SECTOR, false, MAXWELL),
	NVP_TITLE("L2 Transactions (L1 Reads)", L2_READ_QUERIES, SECTOR),
	NVP_TITLE("L2 Transactions (Texture Reads)", L2_READ_QUERIES, SECTOR),
	NVP("l2_subp*_read_l1_hit_sectors", L2_READ_HITS, SECTOR, false, FERMI),
	NVP("l2_subp*_read_tex_hit_sectors", L2_READ_HITS, SECTOR, false, MAXWELL),
	NVP_ALL("l2_subp*_read_sector_misses", L2_READ_MISSES, OF_ALL),
	NVP("l2_subp*_write_l1_sector_queries", L2_WRITE_QUERIES, SECTOR, false, FERMI),
	NVP("l2_subp*_write_tex_sector_queries", L2_WRITE_QUERIES, SECTOR, false, MAXWELL),
	NVP("l2_l1_write_transactions", L2_WRITE_QUERIES, SECTOR, false, FERMI),
	NVP("l2_tex_write_transactions", L2_WRITE_QUERIES, SECTOR, false, MAXWELL),
	NVP_TITLE("L2 Transactions (L1 Writes)", L2_WRITE_QUERIES, SECTOR),
	NVP_TITLE("L2 Transactions (Texture Writes)", L2_WRITE_QUERIES, SECTOR),
	NVP("l2_subp*_write_tex_hit_sectors", L2_WRITE_HITS, SECTOR, false, MAXWELL),
	NVP_ALL("l2_subp*_write_sector_misses", L2_WRITE_MISSES,
	    "of all sources; lines thrown out, so that it is no share of l2_write_queries"),
	NVP("l2_atomic_transactions", L2_ATOMIC_QUERIES, SECTOR, false, NULL),
	NVP("l2_l1_read_hit_rate", L2_HIT_PCT, "%", false, FERMI),
	NVP("l2_tex_read_hit_rate", L2_HIT_PCT, "%", false, MAXWELL),
	NVP_TITLE("L2 Hit Rate (L1 Reads)", L2_HIT_PCT, "%"),
	NVP_TITLE("L2 Hit Rate (Texture Reads)", L2_HIT_PCT, "%"),
	NVP("l2_tex_hit_rate", L2_ALL_HIT_PCT, "%", false, ALLOCATES),
	NVP_TITLE("L2 Cache Hit Rate", L2_ALL_HIT_PCT, "%"),
	NVP("fb*_subp*_read_sectors", DRAM_READ, SECTOR, false, NULL),
	NVP("fb_subp*_read_sectors", DRAM_READ, SECTOR, false, NULL),
	NVP("dram_read_transactions", DRAM_READ, SECTOR, false, NULL),
	NVP_TITLE("Device Memory Read Transactions", DRAM_READ, SECTOR),
	NVP("fb*_subp*_write_sectors", DRAM_WRITE, SECTOR, false, NULL),
	NVP("fb_subp*_write_sectors", DRAM_WRITE, SECTOR, false, NULL),
	NVP("dram_write_transactions", DRAM_WRITE, SECTOR, false, NULL),
	NVP_TITLE("Device Memory Write Transactions", DRAM_WRITE, SECTOR),

	ROC("SQ_INSTS_VMEM_RD", LOAD_REQUESTS, "request", 1, "of wavefronts; scratch with them"),
	ROC("SQ_INSTS_VMEM_WR", STORE_REQUESTS, "request", 1, "of wavefronts; scratch with them"),
	ROC("TCP_TOTAL_READ_sum", L1_LOAD_QUERIES, "request", 1, NULL),
	ROC("TCP_TOTAL_READ[*]", L1_LOAD_QUERIES, "request", 1, NULL),
	ROC("TCP_TOTAL_WRITE_sum", L1_STORE_QUERIES, "request", 1, NULL),
	ROC("TCP_TOTAL_WRITE[*]", L1_STORE_QUERIES, "request", 1, NULL),
	ROC("TCP_TCC_READ_REQ_sum", L2_READ_QUERIES, "request", 1, "64 or 128 bytes each"),
	ROC("TCP_TCC_READ_REQ[*]", L2_READ_QUERIES, "request", 1, "64 or 128 bytes each"),
	ROC("TCC_READ_sum", L2_READ_QUERIES, "request", 1, OF_ALL),
	ROC("TCP_TCC_WRITE_REQ_sum", L2_WRITE_QUERIES, "request", 1, "64 bytes each"),
	ROC("TCP_TCC_WRITE_REQ[*]", L2_WRITE_QUERIES, "request", 1, "64 bytes each"),
	ROC("TCC_WRITE_sum", L2_WRITE_QUERIES, "request", 1, OF_ALL),
	ROC("TCC_ATOMIC_sum", L2_ATOMIC_QUERIES, "request", 1, OF_ALL),
	ROC("TCC_HIT_sum", L2_ALL_HITS, "request", 1, "of lines of 128 bytes; instructions and "
	    "scalar loads too"),
	ROC("TCC_HIT[*]", L2_ALL_HITS, "request", 1, "of lines of 128 bytes; instructions and "
	    "scalar loads too"),
	ROC("TCC_MISS_sum", L2_ALL_MISSES, "request", 1, NULL),
	ROC("TCC_MISS[*]", L2_ALL_MISSES, "request", 1, NULL),
	ROC("L2CacheHit", L2_ALL_HIT_PCT, "%", 1, NULL),
	ROC("FETCH_SIZE", DRAM_READ, SECTOR, 1024.0 / 32, "kilobytes, by 32 bytes"),
	ROC("FetchSize", DRAM_READ, SECTOR, 1024.0 / 32, "kilobytes, by 32 bytes"),
	ROC("WRITE_SIZE", DRAM_WRITE, SECTOR, 1024.0 / 32, "kilobytes, by 32 bytes"),
	ROC("WriteSize", DRAM_WRITE, SECTOR, 1024.0 / 32, "kilobytes, by 32 bytes"),
	{ .name = NULL },
};
