# SPDX-License-Identifier: GPL-3.0-or-later
# TLBs behind the L1 (tlb.*).  See tests/cli/run.
0 warpstack machine gtx480 --set tlb.l1=1x16 --set tlb.l1.miss=40 --set tlb.l2=17+6x8 --set tlb.l2.miss=300 --conf -o
	t.conf &&
	warpstack machine ./t.conf --no-provenance --columns key,value | grep '^tlb' | tr '\n\t' ' ='
	=> ~^tlb\.page=2097152 tlb\.l1=16 tlb\.l1\.miss=40 tlb\.l2=17\+6x8 tlb\.l2\.miss=300 $~
0 warpstack machine gtx480 --no-provenance --columns key,value | grep '^tlb' | tr '\n\t' ' ='
	=> ~^tlb\.page=2097152 tlb\.l1=none tlb\.l1\.miss=0 tlb\.l2=none tlb\.l2\.miss=0 $~
2 warpstack machine gtx480 --set tlb.l2=8 => /^warpstack: tlb\.l2: want a tlb\.l1 before it$/
2 warpstack machine gtx480 --set tlb.l1=equal => /tlb\.l1 = equal: want none, or up to 32 runs of sets/
2 warpstack machine gtx480 --set tlb.l1=65536x2 => /tlb\.l1: want at most 65536 entries$/
2 warpstack machine gtx480 --set tlb.page=3M => /tlb\.page = 3M: want a power of two 4096\.\.1073741824/
0 warpstack machine ./t.conf --to gpgpusim => ~^#   tlb\.l2 = 17\+6x8, not none$~
# A load that goes past the L1 takes what its page's translation takes.
0 warpstack pchase trace -m ./t.conf --array 8M --stride 1M --passes 1 --no-provenance --columns latency | tr '\n' ' '
	=> ~^latency 595 255 595 255 595 255 595 255 $~
# Mei and Chu's second TLB: one set of 17 entries, six of 8.
0 warpstack pchase infer -m ./t.conf --jitter 0.04 --outliers 0.002 --no-provenance --columns property,value | tr '\n\t'
	' =' =>
	~ page=2097152 tlb_l1=16 tlb_l1_reach=16 tlb_l1_miss=(3[7-9]|4[0-3]) tlb_l2=17\+6x8 tlb_l2_reach=[0-9]+
	tlb_l2_miss=(29[0-9]|30[0-9]) ~
0 warpstack pchase conf -m ./t.conf -o u.conf && for m in t u; do warpstack pchase trace -m ./$m.conf --array 200M
	--stride 2M
	--passes 3 --no-provenance --columns latency >$m; done && cmp t u => -
0 warpstack pchase infer -m gtx480 --no-provenance --columns property | grep -c tlb; test $? = 1
	=> ~^0$~
# Counts, where there is a TLB; time.
0 ?llvm warpstack trace data/kernel/mm-16x2.launch -o mm.wst && warpstack simulate mm.wst -m ./t.conf --set tlb.page=4K
	--set tlb.l1=1
	--no-provenance --where kind=all --columns misses,tlb_requests,tlb_l1_misses,tlb_l2_misses | tail -n 1 | tr '\t'
	' '
	=> ~^256 256 20 12$~
2 ?llvm warpstack simulate mm.wst -m gtx480 --columns tlb_requests => /there is no column 'tlb_requests' here/
0 ?llvm for t in none 1; do warpstack simulate --cycles mm.wst -m gtx480 --set tlb.page=4K --set tlb.l1=$t --set
	tlb.l1.miss=500
	--no-provenance --where 'kind=all' --where level=L1 --columns cycles | tail -n 1; done | sort -n -c && echo more
	=> ~^more$~
0 ?llvm warpstack simulate --cycles mm.wst -m ./t.conf --set tlb.page=4K --no-provenance --where kind=all --where
	level=L1
	--columns tlb_requests,tlb_l2_misses | tail -n 1 | tr '\t' ' ' => ~^[1-9][0-9]* [1-9][0-9]*$~
# Mei and Chu's patterns: hits of the L1 wait for no translation, those of the L2 do.
0 warpstack pchase spectrum -m ./t.conf --no-provenance --columns property,latency | tr '\n\t' ' ='
	=> ~^property=latency L1=35 P1=155 P2=195 P3=495 P4=255 P5=295 P6=595 $~
# A row of each DRAM channel is open.
0 warpstack pchase trace -m gtx480 --set dram.row=1K --set dram.row.miss=50 --set dram.channels=1 --set l2.slices=1
	--array 2K
	--stride 512 --passes 1 --no-provenance --columns latency | tr '\n' ' ' => ~^latency 305 255 305 255 $~
0 ?llvm for t in 0 2K; do warpstack simulate --cycles mm.wst -m gtx480 --set dram.row=$t --set dram.row.miss=500
	--no-provenance
	--where 'kind=all' --where level=L1 --columns cycles | tail -n 1; done | sort -n -c -u && echo more => ~^more$~
2 warpstack machine gtx480 --set dram.row=64 => /dram\.row = 64: want 0, or a power of two from l2\.line = 128 on/
2 warpstack machine gtx480 --set dram.row=3000 => /dram\.row = 3000: want 0, or a power of two/

# DRAM of banks: what is wrong with its times, its mapping and its clock is said.
2 warpstack machine gtx480 --set dram.timing=CCD=2:CCE=3 --set dram.mapping=RB
	=> /dram\.timing: 'CCE=3': want none, or NAME=NUMBER/
2 warpstack machine gtx480 --set dram.timing=CCD=2:CL=0 --set dram.mapping=RB => /dram\.timing: 'CL=0'/
2 warpstack machine gtx480 --set dram.timing=nbk=16:grp=3 --set dram.mapping=RB => /a power of two of grp/
2 warpstack machine gtx480 --set dram.timing=CCD=2 --set dram.mapping=RRSS
	=> /dram\.mapping: want at most 64 letters, B for/
2 warpstack machine gtx480 --set dram.timing=CCD=2 --set dram.mapping=RB --set dram.ticks=65
	=> /dram\.ticks = 65: want at most 64 in each/
2 warpstack machine gtx480 --set dram.timing=CCD=2 --set dram.mapping=RB --set dram.ticks.cycles=65
	=> /dram\.ticks\.cycles = 65: want at most 64 to each of dram\.ticks = 1/
