# SPDX-License-Identifier: GPL-3.0-or-later
# An L1 whose sets differ in their ways (l1.sets.ways).  See tests/cli/run.
0 warpstack machine gtx480 --set l1.hash=modulo --set l1.sets.ways=17+8+5x8 --conf -o m.conf && warpstack machine
	./m.conf
	--no-provenance --columns key,value | grep '^l1.s[ie]' | tr '\n\t' ' =' => ~^l1.size=8320 l1.sets=7
	l1.sets.ways=17\+6x8 ~
0 warpstack machine gtx480 --no-provenance => ~^l1\.sets\.ways	equal	~
0 warpstack machine ./m.conf --set l1.sets.ways=equal --no-provenance => ~^l1\.size	15232	~
0 warpstack machine ./m.conf --set l1.line=64 --no-provenance => ~^l1\.size	4160	~
2 warpstack machine ./m.conf --set l1.ways=4 => /^warpstack: l1\.ways = 4 contradicts l1\.sets\.ways = 17\+6x8, by which
	it is 17: want one of them, or l1\.sets\.ways = equal$/
2 warpstack machine ./m.conf --set l1.size=16K => /l1\.size = 16384 contradicts l1\.sets\.ways/
2 warpstack machine gtx480 --set l1.sets.ways=3x => /l1\.sets\.ways = 3x: want equal, or up to 32 runs of sets, as
	17\+6x8/
2 warpstack machine gtx480 --set l1.sets.ways=0x4 => /l1\.sets\.ways = 0x4: want equal/
2 warpstack machine gtx480 --set l1.sets.ways=65536x1+1 => /want equal/
2 warpstack machine ./m.conf --set l1.organisation=elastic:32 => /l1\.sets\.ways: want equal where l1\.organisation =
	elastic$/
2 warpstack machine gtx480 --set l1.sets.ways=17+6x8 => /l1\.hash: /
2 warpstack machine v100 --set l1.hash=modulo --set l1.sets.ways=17+6x8 --set sm.carveout=auto => /contradict/
3 printf 'base = gtx480\nl1.sets.ways = 8+x\n' >e.conf; warpstack machine ./e.conf => /^warpstack: \.\/e\.conf:2:
	l1\.sets\.ways = 8\+x: want/
0 warpstack machine ./m.conf --to gpgpusim => ~^#   l1\.sets\.ways = 17\+6x8, not equal$~
# LRU is predicted as it is simulated, the L2 behind it too; other policies are simulated.
0 ?llvm warpstack trace data/kernel/mm-16x2.launch -o mm.wst && warpstack crosscheck mm.wst -m ./m.conf --level all
	--no-provenance --columns level,difference_pp | sort -u | tr '\n\t' ' =' => ~ L1=0\.000000 L2=0\.000000 level=~
0 ?llvm for s in 17+6x8 7x8; do warpstack simulate mm.wst -m ./m.conf --set l1.sets.ways=$s --set l1.policy=plru
	--no-provenance --columns requests | tail -n 1; done | uniq | wc -l => ~^1$~
2 ?llvm warpstack predict mm.wst -m ./m.conf --set l1.policy=fifo
	=> /l1\.sets\.ways = 17\+6x8: policy fifo is predicted of sets of equal ways only: use `warpstack simulate`/
2 ?llvm warpstack simulate mm.wst -m ./m.conf --set l1.policy=prob:1,3,1,1 => /prob/
2 ?llvm warpstack profile mm.wst -m ./m.conf --sample 0.5 -o x.wsp => /expected all lines to be counted/
0 ?llvm warpstack profile mm.wst -m ./m.conf -o mm.wsp && warpstack predict mm.wsp --no-provenance --columns basis |
	tail -n 1 => ~exact~
2 ?llvm warpstack predict mm.wsp --set l1.sets.ways=equal => /l1\.sets\.ways is 17\+6x8 in the profile and equal was
	asked for/
2 ?llvm warpstack plot reuse mm.wsp -o x.svg => /want equal/
2 ?llvm warpstack plot missratio mm.wsp -o x.svg => /want equal/
2 ?llvm warpstack predict mm.wst -m ./m.conf --latency => /time is predicted of sets of equal ways only/
# Found by pointer chasing, written, read again.
0 warpstack pchase conf -m gtx480 --set l1.hash=modulo --set l1.sets.ways=8+17+5x8 --jitter 0.05 -o u.conf && warpstack
	machine ./u.conf
	--no-provenance --columns key,value | grep '^l1.s[ei]' | tr '\n\t' ' ='
	=> ~^l1.size=8320 l1.sets=7 l1.sets.ways=8\+17\+5x8 l1.sector=128 ~
0 for m in gtx480 ./u.conf; do warpstack pchase trace -m $m --set l1.hash=modulo --set l1.sets.ways=8+17+5x8 --array 9K
	--passes 3
	--no-provenance --columns offset,latency; done | sort | uniq -c | awk '$1 % 2' => -
