# SPDX-License-Identifier: GPL-3.0-or-later
# Rows of oracle.csv, counts of Accel-Sim's launch by launch, as the statistics that it printed: cumulative but for
# gpu_sim_*, 0 after a launch of a cache that nothing came to.  awk -F, -v rows=PATTERN of "config,l1,run,kernel".
FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
($1 "," $2 "," $3 "," $4) !~ rows { next }
function sum(name) { return total[name] += $c[name] }
function put(cache, kind, name,   i) {
	split("HIT HIT_RESERVED MISS SECTOR_MISS RESERVATION_FAIL", outcome, " ")
	split("hit pending miss sector_miss resfail", column, " ")
	for (i = 1; i <= 5; i++)
		if ((name "_" column[i]) in c)
			printf "%s[%s][%s] = %d\n", cache, kind, outcome[i], sum(name "_" column[i])
}
{
	split($c["kernel"], id, ":")
	print "Processing kernel " id[1]
	printf "kernel_name = %s \nkernel_launch_uid = %d \nkernel_stream_id = 0\n", id[2], ++launch
	printf "gpu_sim_cycle = %d\ngpu_sim_insn = %d\n", $c["cycles"], $c["thread_insns"]
	put("\tTotal_core_cache_stats_breakdown", "GLOBAL_ACC_R", "l1_ld")
	put("\tTotal_core_cache_stats_breakdown", "GLOBAL_ACC_W", "l1_st")
	printf "gpgpu_n_tot_w_icount = %d\n", sum("warp_insns")
	if ($1 != "gtx480")
		printf "total dram reads = %d\n", sum("dram_reads")
	printf "L2_total_cache_accesses = %d\nL2_total_cache_misses = %d\n", sum("l2_acc"), sum("l2_miss")
	put("\tL2_cache_stats_breakdown", "GLOBAL_ACC_R", "l2_ld")
}
END { if (launch) print "GPGPU-Sim: *** exit detected ***" }
