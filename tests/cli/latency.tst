# SPDX-License-Identifier: GPL-3.0-or-later
# Time by the model: predict and sweep --latency.  See tests/cli/run.
0 ?llvm warpstack trace data/kernel/mm-16x5.launch -o mm.wst && warpstack profile mm.wst -o mm.wsp &&
	warpstack profile mm.wst --l2 -o l2.wsp => -

# Nothing changes but pending hits, which were hits, and columns at the end; on rows of kind all, and of
# the L1s, these say something.
0 ?llvm warpstack predict mm.wst --latency --no-provenance --columns $rows,$latency >a;
	warpstack predict mm.wst --no-provenance --columns $rows | cut -f1-9,12-22 >b; cut -f1-9,12-22 a | diff - b => -
0 ?llvm awk -F'\t' 'NR > 1 { if ($9 != $10 + $11 + $12 || ($8 == "all") != ($23 != "") ||
	($8 == "all") != ($25 != "")) bad++; if ($8 == "load" && $11 > 0) n++ } END { print n, bad + 0 }' a => ~^1 0$~
0 ?llvm head -n 1 a | cut -f23- | tr '\t' ' '
	=> ~^cycles bound latency_mean access_cycles fetch_cycles mshrs anchor_cycles$~
0 ?llvm warpstack predict l2.wsp --latency --no-provenance --columns $rows,$latency | diff a - => -
0 ?llvm warpstack predict mm.wst --latency --level all --no-provenance --columns $rows,$latency |
	awk -F'\t' '$2 == "L1" || NR == 1' | diff a - => -
0 ?llvm for t in 1 2; do warpstack sweep mm.wsp --latency --vary l1.size=8K:64K:x2 --vary l1.policy=lru,fifo,srrip
	--vary l1.mshr=4,64 --threads $t --no-provenance >s$t; done; cmp s1 s2; wc -l <s1 => ~^25$~

# Pending hits are misses if asked for.
0 ?llvm warpstack predict mm.wsp --latency --set count_pending=yes --no-provenance --columns $rows,$latency |
	awk -F'\t' 'NR > 1 { e = $16 - ($11 + $12) / $9; if (e * e > 1e-11 || $20 > $16 || $16 > $21) exit 1 }' => -
# A slower machine is slower; its bound is named.
0 ?llvm for b in 1 253; do warpstack predict mm.wst --latency --kind all --set dram.bandwidth=$b --no-provenance
	--columns $rows,$latency | tail -n 1 | cut -f23,24; done | awk '{ c[NR] = $1; b[NR] = $2 } END {
	print (c[1] > c[2]), b[1] }' => ~^1 dram$~
# An untimed order has no cycles.
0 ?llvm warpstack predict mm.wst --latency --kind all --set sm.scheduler=random --no-provenance --columns $rows,$latency
	| tail -n 1 | cut -f23-25 | tr '\t' ' ' => ~^  $~
0 ?llvm warpstack predict mm.wsp --latency --format json --no-provenance | head -n 1 => ~"cycles":null,"bound":null,~

# What the simulation took is known, where the order is its own; elsewhere cycles follow from it.
0 ?llvm warpstack predict mm.wst --order nominal --latency --kind all --no-provenance --columns $rows,$latency |
	tail -n 1 | cut -f29 => ~^$~
# Cycles follow from those of the machine that was simulated whatever else of its caches is asked for, from a trace as
# from its profile.
0 ?llvm { for s in 'l1.size=48K --set l1.ways=3'; do warpstack predict mm.wst --latency --set $s --kind all
	--no-provenance --columns $rows,$latency | cut -f23,29 >c; warpstack profile mm.wst --l2 --set $s 2>note |
	warpstack predict --latency --set $s --kind all --no-provenance --columns $rows,$latency | cut -f23,29 |
	cmp - c || echo "$s"; tail -n 1 c | cut -f2 | grep -q '^[1-9]' || echo "none: $s"; done;
	warpstack predict mm.wst --latency --set l2.size=192K --kind all --no-provenance --columns $rows,$latency |
	tail -n 1 | cut -f29 | grep -q '^[1-9]' || echo l2; } | { ! grep . >&2; } => -
0 ?llvm warpstack simulate mm.wst --cycles --no-provenance --columns $rows,$fails,$timed | awk -F'\t' 'NR == 1 {
	for (i = 1; i <= NF; i++) if ($i == "cycles") c = i } NR > 1 && $c != "" && !n++ { print $c, $c }' >own;
	warpstack profile mm.wst --order cycles --l2 -o c.wsp &&
	warpstack predict c.wsp --latency --kind all --no-provenance --columns $rows,$latency | tail -n 1 |
	cut -f23,29 | tr '\t' ' ' | diff own - => -
0 ?llvm warpstack predict mm.wst --order cycles --latency --kind all --no-provenance --columns $rows,$latency |
	tail -n 1 | cut -f23,29 | tr '\t' ' ' | diff own - => -
0 ?llvm for l in 100 300; do warpstack predict c.wsp --latency --kind all --set dram.latency=$l --no-provenance
	--columns $rows,$latency | tail -n 1 | cut -f23,29; done | awk '{ c[NR] = $1; a[NR] = $2 } END {
	print (c[1] < c[2]), (a[1] == a[2]) }' => ~^1 1$~

2 ?llvm warpstack predict mm.wst --latency --by array => /--latency and --by: want one of them/
2 ?llvm warpstack sweep mm.wst --vary l1.ways=1,2 --latency --verify => /--latency and --verify: want one of them/
2 ?llvm warpstack predict mm.wst --latency --level l2 => /--latency and --level=l2/
2 ?llvm warpstack profile mm.wst --distances | warpstack predict --latency => /distances alone/
0 ?llvm warpstack predict mm.wsp --set dram.latency=500
	=> /note: dram\.latency has no effect on predict without --latency/
