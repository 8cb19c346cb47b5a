/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/machine/t-gpgpusim.c -- configurations of GPGPU-Sim: the keys that a file's options become,
 * and files that are refused.
 */
#include "tests/machine/gpgpusim.h"
#include "model/model.h"

#define BANKS \
	"-gpgpu_mem_addr_mapping dramid@8;" ZEROS "0000RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS " \
	"-gpgpu_dram_timing_opt nbk=16:CCD=2:RRD=6:RCD=12:RAS=28:RP=12:RC=40:CL=11:WL=4:" \
	"CDLR=5:WR=13:nbkgrp=4:CCDL=3:RTPL=1 -gpgpu_dram_burst_length 8 " \
	"-gpgpu_clock_domains 1000:1000:1000:500"

/* ---- files ------------------------------------------------------------------------ */

static const char *value_of(const struct ws_machine *m, const char *key, char *out)
{
	ws_machine_get(m, ws_key_find(key), out, 2 * WS_NAME_MAX);
	return out;
}

/* What options after a complete L1 say: the options, a key, its value. */
#define CROSSBAR \
	"-gpgpu_clock_domains 700:700:700:924 -network_mode 2 -icnt_in_buffer_limit 512 " \
	"-icnt_out_buffer_limit 256"
#define SUB_CORE "-gpgpu_sub_core_model 1 -gpgpu_enable_specialized_operand_collector 0 " \
	"-gpgpu_num_sched_per_core 4 -gpgpu_num_reg_banks 16 -gpgpu_reg_file_port_throughput 2 " \
	"-gpgpu_operand_collector_num_units_gen 8 -gpgpu_operand_collector_num_in_ports_gen 8 " \
	"-gpgpu_operand_collector_num_out_ports_gen 7 -gpgpu_smem_latency 30 " \
	"-gpgpu_pipeline_widths 4,4,4,4,4,4,4,4,4,4,6,4,4 -gpgpu_num_int_units 4 " \
	"-gpgpu_num_dp_units 4 -ptx_opcode_latency_int 4,13 -ptx_opcode_initiation_int 2,2 " \
	"-ptx_opcode_latency_fp 5,13 -ptx_opcode_initiation_fp 3,2 -ptx_opcode_latency_dp 9,19 " \
	"-ptx_opcode_initiation_dp 4,4 -ptx_opcode_latency_sfu 21 -ptx_opcode_initiation_sfu 8 " \
	"-trace_opcode_latency_initiation_spec_op_2 200,4"

#define SHARED "-gpgpu_enable_specialized_operand_collector 0 -gpgpu_num_reg_banks 8 " \
	"-gpgpu_operand_collector_num_units_gen 6 -gpgpu_operand_collector_num_in_ports_gen 3 " \
	"-gpgpu_operand_collector_num_out_ports_gen 2 -gpgpu_smem_latency 30 " \
	"-gpgpu_pipeline_widths 1,3,2,1,1,1,3,2,1,1,3 -gpgpu_num_int_units 2 " \
	"-gpgpu_num_sp_units 1 -gpgpu_num_dp_units 3 -gpgpu_num_sfu_units 1 " \
	"-trace_opcode_latency_initiation_sp 5,3 -ptx_opcode_latency_sfu 21"

static const char *const of_the_sm[][3] = {
	{ "-gpgpu_n_clusters 40 -gpgpu_n_cores_per_cluster 2", "sm.count", "80" },
	{ "-gpgpu_n_clusters 40", "sm.count", "120" }, /* three cores by default */
	{ "-gpgpu_shader_core_pipeline 1536:64", "sm.warps", "24" },
	{ "-gpgpu_shader_core_pipeline 1536:64", "warp.width", "64" },
	{ "-gpgpu_shader_core_pipeline 1536:64", "cta.threads", "1024" },
	{ "-gpgpu_shader_core_pipeline 96:32", "cta.threads", "96" },
	{ "-gpgpu_shader_cta 9", "sm.ctas", "9" },
	{ "-gpgpu_shader_registers 7", "sm.registers", "7" },
	{ "-gpgpu_shmem_size 49152", "sm.shared", "49152" },
	{ "-gpgpu_num_sched_per_core 3", "sm.schedulers", "3" },
	{ "-gpgpu_scheduler loose_lrr", "sm.scheduler", "lrr" },
	{ "-gpgpu_scheduler two_level_active:5:0:1", "sm.scheduler", "two-level" },
	{ "-gpgpu_scheduler two_level_active:5:0:1", "sm.active-warps", "5" },
	{ "-gpgpu_scheduler warp_limiting:2:7", "sm.scheduler", "gto" },
	{ "-gpgpu_coalesce_arch 70", "coalesce.line", "32" },
	{ "-gpgpu_coalesce_arch 40", "coalesce.line", "32" },
	{ "-gpgpu_coalesce_arch 20", "coalesce.line", "128" },
	{ "-gpgpu_coalesce_arch 20 -gmem_skip_L1D 1", "coalesce.line", "32" },
	{ "-gpgpu_coalesce_arch 13 -gpgpu_gmem_skip_L1D 1", "coalesce.line", "128" },
	{ "", "sm.stores", "acknowledged" },
	{ "-trace_opcode_latency_initiation_int 4,1", "sm.alu", "10" },
	{ "-gpgpu_reg_file_port_throughput 2 -trace_opcode_latency_initiation_int 2,2",
	  "sm.alu", "7" },
	{ "-ptx_opcode_latency_int 6,13,4,5,145", "sm.alu", "12" },
	{ "-ptx_opcode_latency_int 6,13,4,5,145 -trace_opcode_latency_initiation_int 2,2",
	  "sm.alu", "8" },
	{ "-gpgpu_num_int_units 4 -trace_opcode_latency_initiation_int 2,2 "
	  "-gpgpu_num_sched_per_core 4", "sm.alu.interval", "2" },
	{ "-gpgpu_num_int_units 2 -trace_opcode_latency_initiation_int 2,2 "
	  "-gpgpu_num_sched_per_core 4", "sm.alu.interval", "4" },
	{ "-gpgpu_num_int_units 8 -trace_opcode_latency_initiation_int 2,2 "
	  "-gpgpu_num_sched_per_core 4", "sm.alu.interval", "0" },
	{ "-gpgpu_num_int_units 4 -trace_opcode_latency_initiation_int 2,2 "
	  "-gpgpu_pipeline_widths 4,4,4,4,4,4,4,4,4,4,8,4,4 "
	  "-gpgpu_enable_specialized_operand_collector 0 -gpgpu_num_sched_per_core 4 "
	  "-gpgpu_operand_collector_num_units_gen 8", "sm.alu.queue", "4" },
	{ "-gpgpu_inst_fetch_throughput 4", "sm.buffer", "0" },
	{ "-gpgpu_inst_fetch_throughput 1", "sm.buffer", "2" },
	{ "-gpgpu_perfect_inst_const_cache 1", "sm.code.line", "0" },
	{ "-gpgpu_cache:il1 N:64:64:16,L:R:f:N:L,S:2:48,4", "sm.code.line", "64" },
	{ "-gpgpu_cache:il1 none", "sm.code.line", "128" },
	{ "", "sm.fetch", "1" },
	{ "-gpgpu_inst_fetch_throughput 4", "sm.fetch", "0" },
	{ "-gpgpu_inst_fetch_throughput 4 -gpgpu_sub_core_model 1", "sm.fetch", "4" },
	{ "-gpgpu_perfect_inst_const_cache 1 -gpgpu_sub_core_model 1", "sm.start", "1" },
	{ "-gpgpu_perfect_inst_const_cache 1", "sm.start", "0" },
	{ "", "sm.pipeline", "none" },
	{ SUB_CORE, "sm.pipeline",
	  "col=2:bank=4:step=2:in=8:out=7:wb=6:smem=30:int=4/2:sp=5/3:hp=5/1:dp=9/4:sfu=21/8:"
	  "bra=4/4:tex=200/4:mma=4/4:uni=4/4" },
	{ SUB_CORE " -gpgpu_enable_specialized_operand_collector 1", "sm.pipeline", "none" },
	{ SUB_CORE " -gpgpu_operand_collector_num_units_gen 7", "sm.pipeline", "none" },
	{ SUB_CORE " -trace_opcode_latency_initiation_sp 3,2 -ptx_opcode_latency_sfu 7",
	  "sm.pipeline", "col=2:bank=4:step=2:in=8:out=7:wb=6:smem=30:int=4/2:sp=3/2:hp=3/1:"
	  "dp=9/4:sfu=7/7:bra=4/4:tex=200/4:mma=4/4:uni=4/4" },
	{ SHARED, "sm.pipeline",
	  "share=1:col=6:bank=8:step=1:in=3:out=2:wb=3:smem=30:int=4/1x2:sp=5/3x1:dp=4/1x3:"
	  "sfu=4/1x1:hp=5/1" },
	{ SHARED " -gpgpu_num_sfu_units 2", "sm.pipeline", "none" },
	{ SHARED " -gpgpu_pipeline_widths 1,3,2,1,2,1,3,2,1,1,3", "sm.pipeline", "none" },
	{ SHARED, "sm.front", "sets=4:ways=4:mshr=2:merge=32:queue=4" },
	{ "", "sm.front", "none" },
	{ SHARED " -gpgpu_cache:il1 N:64:64:16,L:R:f:N:L,S:3:48,5", "sm.front",
	  "sets=64:ways=16:mshr=3:merge=48:queue=5" },
	{ SHARED " -gpgpu_cache:il1 N:3:64:16,L:R:f:N:L,S:2:48,4", "sm.front", "none" },
	{ SHARED " -gpgpu_cache:il1 none", "sm.front", "none" },
	{ SUB_CORE " -gpgpu_perfect_inst_const_cache 1", "sm.front", "all" },
	{ "", "sm.lsu", "5" },
	{ "", "sm.lsu.order", "fifo" },
	{ "", "sm.lsu.requests", "falling" },
	{ "-gpgpu_pipeline_widths 4,4,4,4,4,4,4,4,4,4,8,4,4 "
	  "-gpgpu_enable_specialized_operand_collector 0 "
	  "-gpgpu_operand_collector_num_units_gen 8", "sm.lsu", "17" },
	{ "-gpgpu_n_clusters 1\n# -gpgpu_n_clusters 2\n-gpgpu_n_clusters\n3 # 4",
	  "sm.count", "9" },
	{ "-gpgpu_n_clusters \"5\"", "sm.count", "15" },
	{ "-gpgpu_scheduler \" l # o\n r\n\tr \"", "sm.scheduler", "lrr" },
	{ "-gpgpu_shader_cta 4\r", "sm.ctas", "4" },
	{ "-gpgpu_dram_timing_opt \"a=1:\n -gpgpu_shader_cta 3 b=2\"", "sm.ctas", "32" },
	{ "-gpgpu_warpdistro_shader -1 -gpgpu_shader_cta 5", "sm.ctas", "5" },
	{ "", "sm.assign", "dynamic" },
	{ "", "name", "here" },
};

static const char *const of_the_l1[][3] = {
	{ "-l1_latency 34", "l1.latency", "39" }, /* 5 steps of a cycle */
	{ "-l1_latency 34 -gpgpu_reg_file_port_throughput 2", "l1.latency", "38" },
	{ "-gpgpu_l1_banks 4", "l1.banks.bytes", "32" },
	{ "-gpgpu_l1_banks 4 -gpgpu_l1_banks_byte_interleaving 64", "l1.banks.bytes",
	  "64" },
	{ "-gpgpu_l1_banks 4 -gpgpu_l1_banks_byte_interleaving 128", "l1.banks.bytes",
	  "0" }, /* a line's */
	{ "-gpgpu_l1_banks 1", "l1.banks.bytes", "0" },
	{ "", "profile", "gpgpusim" },
	{ "-gpgpu_cache:dl1 N:32:64:4,L:L:m:N:L,A:32:8,8", "profile", "hardware" },
	{ "-gpgpu_coalesce_arch 70 -gpgpu_cache:dl1 N:32:64:4,L:L:m:N:L,A:32:8,8", "profile",
	  "gpgpusim" },
	{ "", "l1.lookup", "1" },
	{ "-gpgpu_l1_latency 35", "l1.lookup", "35" },
	{ "-gpgpu_l1_latency 5000", "l1.lookup", "1024" },
	{ "-gpgpu_l1_banks 4", "l1.banks", "4" },
	{ "", "l1.banks", "1" },
	{ "", "l1.queue", "15" },
	{ "", "l1.mshr.rate", "1" },
	{ "", "l1.mshr.latency", "2" },
	{ "-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:H,S:64:8,1", "l1.queue", "1" },
	{ "", "l1.alloc", "on-miss" },
	{ "", "l1.mshr", "512" },
	{ "", "l1.mshr.merge", "8" },
	{ "", "l1.sector", "32" },
	{ "", "l1.write", "write-through-allocate" },
};

static const char *const of_the_l2[][3] = {
	{ "-rop_latency 77", "l2.latency", "96" }, /* 9 queues, two routers */
	{ "-rop_latency 77 -network_mode 2", "l2.latency", "86" },
	{ "", "l2.rate", "1" },
	{ "-gpgpu_n_mem 40 -gpgpu_n_sub_partition_per_mchannel 2", "l2.slices", "80" },
	{ "-gpgpu_n_mem 40 -gpgpu_n_sub_partition_per_mchannel 2", "l2.size", "7864320" },
	{ "", "l2.mshr", "192" },
	{ "", "l2.mshr.merge", "4" },
	{ "-gpgpu_cache:dl2 S:64:128:8,L:B:m:L:L,A:256:5,4:0,32", "l2.mshr", "256" },
	{ "-gpgpu_cache:dl2 S:64:128:8,L:B:m:L:L,A:256:5,4:0,32", "l2.mshr.merge", "5" },
	{ "-gpgpu_memory_partition_indexing 0", "l2.slice-hash", "modulo" },
	{ "-memory_partition_indexing 1", "l2.slice-hash", "xor" },
	{ "-gpgpu_memory_partition_indexing 2", "l2.slice-hash", "ipoly" },
	{ "-gpgpu_memory_partition_indexing 6", "l2.slice-hash", "ipoly" },
	{ "-gpgpu_memory_partition_indexing 6 -gpgpu_n_mem 12", "l2.slice-hash", "ipoly" },
	{ "-gpgpu_memory_partition_indexing 4", "l2.slice-hash", "modulo" },
	{ "-gpgpu_memory_partition_indexing 2 -gpgpu_n_mem 12", "l2.slice-hash", "modulo" },
	{ "-gpgpu_memory_partition_indexing 1 -gpgpu_n_mem 12", "l2.slice-hash", "modulo" },
	{ "", "l2.start", "keep" },
	{ "-gpgpu_perf_sim_memcpy 1 -gpgpu_flush_l2_cache 1", "l2.start", "warm" },
	{ "-perf_sim_memcpy 0", "l2.start", "keep" },
	{ "-perf_sim_memcpy 0 -gpgpu_flush_l2_cache 1", "l2.start", "cold" },
	{ "", "icnt.width", "128" }, /* 32 bytes at four times the core's clock */
	{ "-icnt_flit_size 40 -gpgpu_clock_domains 700:700:1:1", "icnt.width", "40" },
	{ "-icnt_flit_size 40 -gpgpu_clock_domains 2:3:1:1", "icnt.width", "60" },
	{ "-icnt_flit_size 1 -gpgpu_clock_domains 9:1:1:1", "icnt.width", "1" },
	{ "", "icnt.latency", "0" },
	{ "", "icnt.credits", "64" }, { "-icnt_in_buffer_limit 512", "icnt.credits", "512" },
	{ "", "icnt.queues", "input" }, /* its clocks differ */
	{ "-gpgpu_clock_domains 700:700:700:924", "icnt.queues", "router" },
	{ "-gpgpu_clock_domains 700:700:700:924 -network_mode 2", "icnt.queues", "input" },
	{ CROSSBAR, "icnt.queues", "router" }, { CROSSBAR, "icnt.router.speedup", "0" },
	{ CROSSBAR, "icnt.router.in", "512" }, { CROSSBAR, "icnt.router.out", "256" },
	{ CROSSBAR " -icnt_out_buffer_limit 5000", "icnt.queues", "input" },
	{ CROSSBAR " -icnt_out_buffer_limit 1", "icnt.queues", "input" },
	{ "-gpgpu_clock_domains 700:700:650:924", "icnt.queues", "input" },
	{ "-gpgpu_clock_domains 700:700:700:924 -icnt_flit_size 8", "icnt.queues", "input" },
	{ "", "icnt.router.in", "9" }, { "", "icnt.router.buffer", "64" },
	{ "", "icnt.router.out", "16" }, { "", "icnt.router.speedup", "2" },
	{ "", "l2.queue", "64" }, { "", "l2.misses", "32" },
	{ "-gpgpu_cache:dl2 S:64:128:8,L:B:m:L:L,A:256:5,4:0,32", "l2.misses", "4" },
	{ "", "l2.interleave", "256" },
	/* V100, RTX 2060: two slices of a channel, with bank bits above and below it. */
	{ "-gpgpu_n_sub_partition_per_mchannel 2 -gpgpu_mem_addr_mapping dramid@8;" ZEROS
	  "0000RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS",
	  "l2.interleave", "256" },
	{ "-gpgpu_n_sub_partition_per_mchannel 2 -gpgpu_mem_addr_mapping dramid@8;" ZEROS
	  "0000RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS",
	  "l2.interleave", "128" },
	{ "-gpgpu_n_sub_partition_per_mchannel 1 -gpgpu_mem_addr_mapping dramid@8;" ZEROS
	  "0000RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS",
	  "l2.interleave", "256" },
	{ "-gpgpu_mem_addr_mapping dramid@11;" ZEROS "0000RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS",
	  "l2.interleave", "2048" },
	{ "-gpgpu_mem_addr_mapping " ZEROS "0000RRRR|RRRRRRRR.RBBBDDDC.CCCSSSSS",
	  "l2.interleave", "512" },
	{ "-gpgpu_mem_addr_mapping \"dramid@9; " ZEROS
	  "0000RRRR RRRRRRRR RBBBCCCC CCCSSSSS\"",
	  "l2.interleave", "512" },
	{ "-gpgpu_mem_addr_mapping dramid@5;" ZEROS "0000RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS",
	  "l2.interleave", "128" }, /* no less than a line */
	{ "-gpgpu_mem_addr_mapping dramid@40;" ZEROS "0000RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS",
	  "l2.interleave", "1048576" },
};

static const char *const of_the_dram[][3] = {
	{ "-dram_latency 99", "dram.latency", "102" }, /* CL 9 and a burst of 2 at 4 times
						     * the core's clock */
	{ "-dram_latency 99 -gpgpu_simple_dram_model 1", "dram.latency", "99" },
	{ "-dram_latency 99 -gpgpu_clock_domains 1000:1:1:500 -gpgpu_dram_timing_opt "
	  "\"nbk=16:CCD=2:\n CL=7:RCD=5\" -gpgpu_dram_burst_length 8", "dram.latency",
	  "121" }, /* 2 * (7 + 8 / 2) */
	{ "-gpgpu_clock_domains 1000:1:1:500 -gpgpu_dram_timing_opt CL=7:RCD=5 "
	  "-gpgpu_mem_addr_mapping dramid@8;" ZEROS "0000RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS",
	  "dram.row.miss", "10" },
	{ "-gpgpu_dram_timing_opt RCD=9 -gpgpu_mem_addr_mapping dramid@8;" ZEROS
	  "0000RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS", "dram.row", "2048" },
	{ BANKS, "dram.timing", "CCD=2:RRD=6:RCD=12:RAS=28:RP=12:RC=40:CL=11:WL=4:CDLR=5:"
	  "WR=13:CCDL=3:RTPL=1:nbk=16:grp=4:BL=4:in=999:out=999" },
	{ BANKS " -dram_bnkgrp_indexing_policy 1 -dram_dual_bus_interface 1 "
	  "-gpgpu_frfcfs_dram_sched_queue_size 64 -gpgpu_dram_return_queue_size 116",
	  "dram.timing", "CCD=2:RRD=6:RCD=12:RAS=28:RP=12:RC=40:CL=11:WL=4:CDLR=5:WR=13:"
	  "CCDL=3:RTPL=1:nbk=16:grp=4:BL=4:low=1:bus=2:in=64:out=116" },
	{ BANKS, "dram.mapping", "RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS" },
	{ BANKS " -gpgpu_clock_domains 700:700:700:924.5", "dram.ticks", "924500" },
	{ BANKS " -gpgpu_clock_domains 700:700:700:924", "dram.ticks.cycles", "700000" },
	{ BANKS " -dram_latency 77", "dram.wait", "77" },
	{ BANKS " -gpgpu_dram_scheduler 0", "dram.timing", "none" },
	{ BANKS " -dram_bnk_indexing_policy 1", "dram.timing", "none" },
	{ BANKS " -gpgpu_simple_dram_model 1", "dram.timing", "none" },
	{ "-gpgpu_mem_addr_mapping " ZEROS "0000RRRR.RRRRRRRR.RBBBCCCB.DDDCCCCC",
	  "dram.timing", "none" }, /* its channel's bits are among the others */
	{ BANKS " -gpgpu_n_sub_partition_per_mchannel 2", "l2.slice-order", "channels" },
	{ "-gpgpu_n_sub_partition_per_mchannel 2", "l2.slice-order", "slices" },
	{ "-gpgpu_n_mem_per_ctrlr 2 -gpgpu_dram_buswidth 4 -gpgpu_dram_burst_length 8",
	  "dram.atom", "64" },
	{ "-gpgpu_dram_buswidth 4 -gpgpu_dram_burst_length 2", "dram.atom", "32" },
	{ "-gpgpu_n_mem 6 -gpgpu_n_mem_per_ctrlr 2 -gpgpu_dram_buswidth 4 "
	  "-dram_data_command_freq_ratio 4 -gpgpu_clock_domains 700:700:700:924",
	  "dram.bandwidth", "253" },  /* 177.4 GB/s at 700 MHz */
	{ "-gpgpu_n_mem 40 -gpgpu_n_sub_partition_per_mchannel 2", "dram.channels", "40" },
};

static void values(const char *const rows[][3], size_t count)
{
	char text[1024], value[2 * WS_NAME_MAX];
	struct ws_err err;
	struct ws_machine m;

	for (size_t i = 0; i < count; i++) {
		snprintf(text, sizeof text, L1 "\n%s", rows[i][0]);
		if (test_ok(read_text(&m, text, NULL, &err) == WS_OK, "%s %s", rows[i][0],
			    err.text))
			test_str(value_of(&m, rows[i][1], value), rows[i][2], rows[i][1]);
	}
}

/* A cache's letters, as l1.KEY. */
static void letters(void)
{
	static const char *const rows[][3] = {
		{ "N:64:64:2,L:B:m:W:X,A:4:2,1", "write", "write-back" },
		{ "N:64:64:2,L:B:m:F:X,A:4:2,1", "write", "write-back" },
		{ "N:64:64:2,L:B:m:N:X,A:4:2,1", "write", "write-through" },
		{ "N:64:64:2,L:T:m:N:X,A:4:2,1", "write", "write-through" },
		{ "N:64:64:2,L:T:m:F:X,A:4:2,1", "write", "write-through-allocate" },
		{ "N:64:64:2,L:E:m:N:X,A:4:2,1", "write", "write-evict" },
		{ "N:64:64:2,L:L:s:N:X,A:4:2,1", "write", "write-evict" },
		{ "N:64:64:2,F:T:m:N:L,A:4:2,1", "hash", "modulo" },
		{ "N:64:64:2,F:T:m:N:X,A:4:2,1", "hash", "xor" },
		{ "N:64:64:2,F:T:m:N:P,A:4:2,1", "hash", "ipoly" },
		{ "64:64:2,F:T:m:N:H,A:4:2,1", "hash", "fermi" },
		{ "64:64:2,F:T:m:N,A:4:2,1", "hash", "modulo" },
		{ "64:64:2,F:T:m:N,A:4:2,1", "policy", "fifo" },
		{ "N:64:64:2,F:T:m:N:X,A:4:2,1", "sector", "64" },
		{ "N:64:64:2,F:T:m:N:X,A:4:2,1", "size", "8192" },
		{ "N:64:64:2,F:T:m:N:X,S:4:2,1", "mshr", "4" },
		{ "N:64:64:2,F:T:m:N:X,S:4:2,9", "queue", "8" },
		{ "N:64:64:2,F:T:m:N:X,S:4:2,9", "alloc", "on-miss" },
		{ "N:64:64:2,F:T:f:N:X,S:4:2,9", "alloc", "on-fill" },
		{ "N:64:64:2,F:T:s:W:X,S:4:2,9", "alloc", "on-fill" },
		{ "N:64:64:2,F:T:s:W:X,S:4:2,9", "write", "write-through-allocate" },
	};
	char text[256], key[32], value[2 * WS_NAME_MAX];
	struct ws_err err;
	struct ws_machine m;

	for (size_t i = 0; i < WS_COUNT(rows); i++) {
		snprintf(text, sizeof text, "-gpgpu_cache:dl1 %s", rows[i][0]);
		snprintf(key, sizeof key, "l1.%s", rows[i][1]);
		if (test_ok(read_text(&m, text, NULL, &err) == WS_OK, "%s %s", rows[i][0],
			    err.text))
			test_str(value_of(&m, key, value), rows[i][2], key);
	}
}

/* A policy's letter is the one that the table of policies gives it. */
static void policy_letters(void)
{
	unsigned count = 0;
	char text[128];
	struct ws_err err;
	struct ws_machine m;

	for (size_t i = 0; ws_policies[i]; i++) {
		if (!ws_policies[i]->gpgpusim)
			continue;
		snprintf(text, sizeof text, "-gpgpu_cache:dl1 N:64:64:2,%c:T:m:N:L,A:4:2,1",
			 ws_policies[i]->gpgpusim);
		test_ok(read_text(&m, text, NULL, &err) == WS_OK &&
			strcmp(m.l1.policy, ws_policies[i]->name) == 0, "%s is %s %s", text,
			ws_policies[i]->name, err.text);
		count++;
	}
	test_ok(count == 5, "%u letters", count);
}

static void refused(void)
{
	static const char *const rows[][2] = {
		{ "-gpgpu_n_clusters", "here.config:2: -gpgpu_n_clusters without a value" },
		{ "-gpgpu_n_clusters -gpgpu_shader_cta 2",
		  "here.config:2: -gpgpu_n_clusters without a value" },
		{ "-gpgpu_n_clusters 8x", "here.config:2: -gpgpu_n_clusters 8x: want a whole" },
		{ "-gpgpu_n_clusters 0", "here.config:2: -gpgpu_n_clusters 0: sm.count = 0: want" },
		{ "-gpgpu_n_clusters 18446744073709551615", "here.config:2: " },
		{ "-gpgpu_n_clusters 18446744073709551616", "want a whole number" },
		{ "\n\n-gpgpu_shader_cta 5000", "here.config:4: -gpgpu_shader_cta 5000: sm.ctas" },
		{ "-gpgpu_shader_core_pipeline 100:32", "a multiple of the second" },
		{ "-gpgpu_shader_core_pipeline 32:0", "a multiple of the second" },
		{ "-gpgpu_shader_core_pipeline 32", "a multiple of the second" },
		{ "-gpgpu_shader_core_pipeline 4096:128", "warp.width = 128: want 1..64" },
		{ "-gpgpu_scheduler fastest", "want lrr, gto or two_level" },
		{ "-gpgpu_scheduler two_level_active", "N active warps" },
		{ "-gpgpu_scheduler two_level_active:x:1", "sm.active-warps = x" },
		{ "-gpgpu_cache:dl2 none", "here.config:2: -gpgpu_cache:dl2 none: want a data" },
		{ "-gpgpu_cache:dl1 N:4:128:64,L:R:m:N:L,A:1:1,1", "R, read only" },
		{ "-gpgpu_cache:dl1 N:4:128:64,L:T:m:N:C,A:1:1,1", "C puts every line" },
		{ "-gpgpu_cache:dl1 N:4:128:64,L:T:m:N:L,F:1:1,1:1", "texture caches'" },
		{ "-gpgpu_cache:dl1 N:3:128:64,L:T:m:N:L,A:1:1,1", "character 3: '3': want" },
		{ "-gpgpu_cache:dl1 N:4:2048:64,L:T:m:N:L,A:1:1,1", "l1.line = 2048" },
		{ "-gpgpu_cache:dl1 N:131072:128:64,L:T:m:N:L,A:1:1,1", "l1.sets = 131072" },
		{ "-gpgpu_cache:dl1 N:65536:1024:65536,L:T:m:N:L,A:1:1,1", "l1.size = " },
		{ "-gpgpu_cache:dl1 N:8192:128:1,L:T:m:N:P,A:1:1,1", "ipoly is defined for" },
		{ "-gpgpu_n_mem 0", "here.config:2: -gpgpu_n_mem 0: l2.slices = 0" },
		{ "-gpgpu_dram_buswidth 0", "here.config:2: -gpgpu_dram_buswidth 0: want 1" },
		{ "-gpgpu_clock_domains 1:2:3", "want CORE:NETWORK:L2:DRAM" },
		{ "-gpgpu_clock_domains 1:2:3:4:5", "want CORE:NETWORK:L2:DRAM" },
		{ "-gpgpu_clock_domains 0:2:3:4", "want CORE:NETWORK:L2:DRAM" },
		{ "-gpgpu_clock_domains nan:2:3:4", "want CORE:NETWORK:L2:DRAM" },
		{ "-gpgpu_clock_domains 1e-300:2:3:4", "more bytes a cycle" },
		{ "-gpgpu_gmem_skip_L1D yes", "want a whole number" },
		{ "-gpgpu_l1_banks 0",
		  "here.config:2: -gpgpu_l1_banks 0: l1.banks = 0: want 1..64" },
		{ "-gpgpu_l1_banks x", "here.config:2: -gpgpu_l1_banks x: want a whole number" },
		{ "-icnt_flit_size 0", "here.config:2: -icnt_flit_size 0: want 1 or more" },
		{ "-icnt_flit_size 99999999", "icnt.width = " },
		{ "-gpgpu_perf_sim_memcpy maybe", "want a whole number" },
		{ "-gpgpu_memory_partition_indexing -1", "want a whole number" },
		{ "-gpgpu_dram_timing_opt \"nbk=16", "here.config:2: a quote that nothing closes" },
		{ "-gpgpu_dram_timing_opt \"nbk=16 # \"", "a quote that nothing closes" },
	};
	char text[512];
	struct ws_err err;
	struct ws_machine m;

	for (size_t i = 0; i < WS_COUNT(rows); i++) {
		snprintf(text, sizeof text, L1 "\n%s", rows[i][0]);
		test_ok(read_text(&m, text, NULL, &err) == WS_EFORMAT &&
			strncmp(err.text, FILE_NAME, strlen(FILE_NAME)) == 0 &&
			strstr(err.text, rows[i][1]), "%s: %s", rows[i][0], err.text);
	}
	test_ok(read_text(&m, "-gpgpu_n_clusters 3", NULL, &err) == WS_EFORMAT &&
		strstr(err.text, "-gpgpu_cache:dl1"), "no L1: %s", err.text);
	test_ok(ws_gpgpusim_read(&m, NULL, 0, FILE_NAME, NULL, NULL) == WS_EFORMAT, "nothing");
}

int main(void)
{
	values(of_the_sm, WS_COUNT(of_the_sm));
	values(of_the_l1, WS_COUNT(of_the_l1));
	values(of_the_l2, WS_COUNT(of_the_l2));
	values(of_the_dram, WS_COUNT(of_the_dram));
	letters();
	policy_letters();
	refused();
	return test_done();
}
