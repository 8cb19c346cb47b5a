# Counts of source lines for callgrind_annotate and KCachegrind.
0 ?llvm warpstack trace data/kernel/mm-16x2.launch -o mm.wst && warpstack trace data/kernel/spmv-csr.launch -o spmv.wst
	=> -
# Lines add up to the totals, which are predict's.
0 ?llvm warpstack predict spmv.wst -m gtx480 --format callgrind >s.cg && awk '/^summary:/ { all = $0 }
	/^[0-9]/ { for (i = 2; i <= NF; i++) sum[i] += $i } END { sub("summary:", "", all);
	for (i = 2; i <= 7; i++) text = text " " sum[i]; print (text == all), (NR > 12) }' s.cg => ~^1 1$~
0 ?llvm warpstack predict spmv.wst -m gtx480 --no-provenance --where kind=all
	--columns requests,misses,cold,capacity,conflict,uncached | sed -n '2s/\t/ /gp' >want &&
	sed -n 's/^summary: //p' s.cg | cmp - want => -
# Each load has a line, that of a loop's condition, too.
0 ?llvm warpstack info spmv.wst -q --no-provenance | grep -c 'row, at spmv-csr.cl:16$'; grep "^fl=???$" s.cg; true
	=> ~^2$~
0 ?llvm grep -c '^fl=spmv-csr.cl$' s.cg; grep -c '^fn=spmv_csr$' s.cg; sed -n 3p s.cg
	=> ~^events: Requests Misses Cold Capacity Conflict Uncached$~
# From a profile the same; where Valgrind is, both its tools read it, with the same totals.
0 ?llvm warpstack profile spmv.wst -m gtx480 -o s.wsp && warpstack predict s.wsp --format callgrind -o p.cg &&
	grep -v '^cmd:' s.cg >a; grep -v '^cmd:' p.cg | cmp - a => -
0 ?llvm for t in callgrind_annotate cg_annotate; do command -v $t >/dev/null || { echo 'PROGRAM TOTALS'; continue; }; $t
	$([ $t = cg_annotate ] || echo --include=data/kernel) s.cg | tr -d , >text; awk '{ print $1 }' want |
	xargs -I N grep '^ *N (100.0%) .*PROGRAM TOTALS' text; done | grep -o 'PROGRAM TOTALS' | uniq -c | tr -s ' '
	=> ~^ 2 PROGRAM TOTALS$~
# What does not go together.
2 ?llvm warpstack predict mm.wst --format callgrind --by array
	=> /--format callgrind and --by=array: it is of source lines/
2 ?llvm warpstack predict mm.wst --format callgrind --kind load => /--format callgrind and --kind: want one of them/
2 ?llvm warpstack predict mm.wst --format callgrind --columns misses => /--format callgrind and --columns: want one/
2 ?llvm warpstack predict mm.wst --format callgrind --level l2
	=> /--by and --level=l2: misses by array and line are of the L1s alone/
2 ?llvm warpstack sweep mm.wst --format callgrind --vary l1.ways=1 => /--format=callgrind: want one of auto tsv/
4 ?llvm warpstack predict mm.wst -m gtx480 --format callgrind >/dev/full => /No space left on device/
# Names are one line.
0 printf -- '-kernel name = a(int)\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-accelsim tracer version =
	3\n\n#traces\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n0010 ffffffff 1 R4 LDG.E 1 R2 4 1 0x10000 4
	\n#END_TB\n' >k.traceg; warpstack predict -q k.traceg -m v100 --format callgrind | sed -n '/^fl/,$p' |
	tr '\n' ' ' => ~^fl=.* fn=a\(int\) [0-9]+ 1 1 1 0 0 0 summary: 1 1 1 0 0 0 $~
