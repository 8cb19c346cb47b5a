# Where the order of requests comes from: --order nominal|cycles.  See tests/cli/run.
0 ?llvm warpstack trace data/kernel/mm-16x5.launch -o mm.wst &&
	awk -v from=data/kernel -f "$files/smaller.awk" data/kernel/bfs.launch | warpstack trace - -o bfs.wst => -

# It is part of a profile, which answers as the trace does, whatever the threads.
0 ?llvm for t in 1 2; do warpstack profile mm.wst --order cycles --threads $t -o c$t.wsp; done; cmp c1.wsp c2.wsp &&
	warpstack info c1.wsp --no-provenance | sed -n 4p => ~^profile	order	cycles$~
0 ?llvm warpstack profile mm.wst --order nominal -o n.wsp; ! warpstack profile mm.wst | cmp -s n.wsp - &&
	warpstack profile mm.wst | cmp c1.wsp - && warpstack info n.wsp --format json --no-provenance | head -n 1
	=> ~"seed":1,"order":"nominal",~
0 ?llvm warpstack predict mm.wst --order cycles --no-provenance >c; warpstack predict c1.wsp --no-provenance |
	diff c - && warpstack predict c1.wsp --order cycles --no-provenance | diff c - &&
	! warpstack predict mm.wst --order nominal --no-provenance | cmp -s c - &&
	warpstack predict mm.wst --no-provenance | diff c - => -
0 ?llvm warpstack profile mm.wst --order cycles --sm 0-6 -o a.wsp &&
	warpstack profile mm.wst --order cycles --sm 7-14 -o b.wsp && warpstack merge a.wsp b.wsp | cmp c1.wsp - => -
2 ?llvm warpstack merge n.wsp c1.wsp -o both.wsp => /the order is cycles, and nominal in what it is added to/
2 ?llvm warpstack profile mm.wst --order cycles --set l1.mshr=8 -o m.wsp && warpstack merge c1.wsp m.wsp -o both.wsp
	=> /l1\.mshr is 8, and 64 in what it is added to/
2 ?llvm warpstack predict n.wsp --order cycles
	=> /order cycles was asked for, and the profile was made in order nominal: want the trace/

# LRU in the order of the simulation finds what its L1s found, but for reserved lines: within a tenth of
# a point, and in the nominal order not.
0 ?llvm warpstack simulate mm.wst --cycles --no-provenance --columns $rows,$fails,$timed | awk -F'\t' '$2 == "L1" &&
	$8 == "load" { print $12 / $9 }' >r; for o in nominal cycles; do
	warpstack predict mm.wst --order $o --kind load --no-provenance --columns $rows | awk -F'\t' 'NR > 1 {
	print $12 / $9 }'; done | cat r - | tr '\n' ' ' | awk '{ n = 100 * ($2 - $1); c = 100 * ($3 - $1);
	print (c * c < 0.01), (n * n > 1) }' => ~^1 1$~
0 ?llvm warpstack crosscheck mm.wst --cycles --order cycles --no-provenance --columns $budget |
	sed -n 's/.*mean_abs_timing_error_pp=\([0-9.]*\).*/\1/p' | awk '{ print ($1 < 0.1) }' => ~^1$~
0 ?llvm warpstack crosscheck mm.wst --order cycles --vary l1.size=8K:64K:x2 --no-provenance --columns $checks,l1.size |
	grep -c 'exact	yes' => ~^4$~
0 ?llvm warpstack simulate mm.wst --order cycles --vary l1.size=16K,48K --no-provenance --columns l1.size,$rows |
	awk -F'\t' '{ print $1, $10, $11, $13 }' >c; warpstack sweep mm.wst --order cycles --kind each --vary
	l1.size=16K,48K --no-provenance --columns l1.size,$rows | awk -F'\t' '{ print $1, $10, $11, $13 }' | diff c -
	=> -

# It is taken again for another l1.size and other keys of time, given or varied; the rest leaves it as it is.
0 ?llvm warpstack machine gtx480 --conf --set l1.size=48K --set l1.mshr=8 >own.conf;
	warpstack predict mm.wst -m own.conf --order cycles --no-provenance >c;
	warpstack predict mm.wst --order cycles --set l1.size=48K --set l1.mshr=8 --no-provenance | diff c - => -
0 ?llvm for k in l1.size=8K l1.size=48K l1.ways=3 l1.mshr=8 dram.latency=400; do
	warpstack predict mm.wst --set $k --kind all --no-provenance --columns $rows | tail -n 1; done >c;
	(warpstack sweep mm.wst --vary l1.size=8K,48K --no-provenance --columns l1.size,$rows;
	warpstack sweep mm.wst --vary l1.ways=3 --no-provenance --columns l1.ways,$rows;
	warpstack sweep mm.wst --vary l1.mshr=8 --no-provenance --columns l1.mshr,$rows;
	warpstack sweep mm.wst --vary dram.latency=400 --no-provenance --columns dram.latency,$rows) | grep -v kernel |
	cut -f2- | diff c - && sort -u c | wc -l | tr -d ' ' => ~^5$~
0 ?llvm warpstack predict c1.wsp --set l1.size=48K --kind all --no-provenance --columns $rows | cut -f9- >c;
	! warpstack predict mm.wst --set l1.size=48K --kind all --no-provenance --columns $rows | cut -f9- | cmp -s c -
	=> -
0 ?llvm for k in 'l1.size=16K --set l1.ways=8' l1.policy=fifo l1.line=32; do
	warpstack predict c1.wsp --set $k --kind all --no-provenance --columns $rows >c;
	warpstack predict mm.wst --set $k --kind all --no-provenance --columns $rows | diff c - >d || cat d; done |
	grep '^[<>]' | cut -f1 | sort -u => -
0 ?llvm warpstack profile bfs.wst --order cycles --l2 --set dram.latency=400 -o b.wsp &&
	warpstack predict b.wsp --level all --kind all --no-provenance --columns $rows | cut -f1,2 | tr '\t\n' '- '
	=> ~^kernel-level bfs_begin-L1 bfs_level-L1 bfs_begin-L2 bfs_level-L2 $~
0 ?llvm warpstack sweep c1.wsp --vary dram.latency=100,400 -o /dev/null
	=> /note: dram\.latency has no effect on sweep without --latency/
0 ?llvm warpstack predict mm.wst --order cycles --latency --kind all --no-provenance | awk 'END { print NR }' => ~^2$~

# What the cycle simulator does not take is said; a what-if of it is none of its business.
2 ?llvm warpstack predict mm.wst --order cycles --set sm.scheduler=sequential
	=> /sm\.scheduler is an order without time/
2 ?llvm warpstack machine gtx480 --conf --set l1.policy=opt >opt.conf;
	warpstack simulate mm.wst --order cycles -m opt.conf => /l1\.policy = opt: an offline policy/
0 ?llvm warpstack simulate mm.wst -m opt.conf --no-provenance >a;
	warpstack simulate mm.wst -m opt.conf --order nominal --no-provenance | diff a -; for s in gto sequential; do
	warpstack simulate mm.wst --set sm.scheduler=$s --no-provenance --columns $rows,order | sed 1d; done >a;
	warpstack simulate mm.wst --vary sm.scheduler=gto,sequential --no-provenance --columns $rows,order | sed 1d |
	diff a - => -
0 printf 'R 0x0 4\nR 0x80 4\n' >two.txt; warpstack profile -q two.txt | warpstack info --format json --no-provenance |
	head -n 1 => ~"order":"nominal"~
0 ?llvm warpstack simulate mm.wst --order cycles --vary l1.policy=opt --no-provenance | awk 'END { print NR }' => ~^4$~
2 warpstack simulate --cycles --order cycles => /--cycles and --order: want one of them/
2 warpstack predict --order warp => /--order=warp: want one of nominal cycles/
0 ?llvm warpstack sweep mm.wst --vary l1.ways=1:17:+1 --no-provenance --columns l1.ways,$rows,order >c; for w in 8 9 17;
	do warpstack sweep mm.wst --vary l1.ways=$w --no-provenance --columns l1.ways,$rows,order | sed 1d; done |
	while read -r row; do grep -cxF "$row" c; done | tr '\n' ' ' => ~^1 1 1 $~
0 ?llvm warpstack sweep mm.wst --vary l1.ways=8,9,17 --kind load --no-provenance --columns basis,order | tail -n +2 |
	tr '\t\n' ' ;' => ~^(exact|approx) own;approx l1\.size=40960 l1\.ways=10;approx l1\.size=65536 l1\.ways=16;$~
0 ?llvm warpstack predict mm.wst --set l1.size=4K --set l1.alloc=on-fill --kind load --no-provenance --columns
	error_pp,order | awk 'NR == 2 { print ($1 < 0.5), $2 }' => ~^1 own$~
0 ?llvm warpstack crosscheck mm.wst --cycles --set l1.size=4K --set l1.alloc=on-fill --no-provenance --columns
	policy_error_pp,total_error_pp | awk 'NR == 2 { print ($1 < -1), ($2 * $2 < 0.1) }' => ~^1 1$~

# Several L1s an SM: the model is exact of each, and all requests go to one of them.
0 ?llvm for o in nominal own; do warpstack crosscheck bfs.wst --order $o --level all --vary l1.parts=1,2,3
	--set l1.size=4K --no-provenance | tail -n 1; done | sort -u
	=> ~^# mean_abs_error_pp=0\.000000 max_abs_error_pp=0\.000000 configurations=3 ~
0 ?llvm for p in 1 2 4; do warpstack simulate --cycles mm.wst --set l1.parts=$p --no-provenance
	--columns level,kind,requests | grep 'L1.all'; done | uniq | wc -l => ~^1$~
0 ?llvm warpstack profile mm.wst --set l1.parts=2 --set sm.count=2 --sm 3 | warpstack info --no-provenance |
	grep -c '^profile' => ~^[1-9]~
2 ?llvm warpstack profile mm.wst --set l1.parts=2 --set sm.count=2 --sm 4 => /want SMs 0..3/
2 warpstack machine v100 --set l1.parts=2 => /l1.parts = 2: want 1, as the L1 shares sm.unified/
2 warpstack machine gtx480 --set icnt.queues=router --set icnt.width=8 =>
	/icnt.router.in = 9: want 17 flits of icnt.width = 8 or more, a store of an L2 line/
2 warpstack machine gtx480 --set icnt.queues=router --set icnt.router.out=3 =>
	/icnt.router.out = 3: want 4 flits of icnt.width = 40 or more, a store of an L2 line/
2 warpstack machine gtx480 --set icnt.queues=router --set l2.queue=8 --set l2.line=512 --set icnt.width=64
	--set l2.interleave=512 => /l2.queue = 8: want 16 or more, the sectors of an L2 line/
2 warpstack machine k20 --set l1.parts=2 --set sm.count=4096 => /want at most 4096 L1s, and sm.count is 4096/

# Large warps: fewer memory instructions, other requests; predicted as simulated; what was measured with others is
# refused
0 ?llvm warpstack trace data/kernel/divergent.launch -q -o d.wst; for k in 1 4; do warpstack simulate d.wst -m gtx480 -q
	--set sm.large-warp=$k --where kind=all --no-provenance --columns instructions,requests,misses | tail -n 1; done
	|
	paste -s -d'	' | awk -F'\t' '{ print $4 < 0.8 * $1, $5 < $2, $6 != $3 }' => ~^1 1 1$~
0 ?llvm warpstack crosscheck d.wst -m gtx480 -q --set sm.large-warp=4 --vary sm.scheduler=lrr,gto,two-level
	--no-provenance
	--columns difference_pp,model_basis | sort | uniq -c => ~ 3 0\.000000	exact$~
0 ?llvm warpstack profile d.wst -m gtx480 -q --set sm.large-warp=4 -o d.wsp && warpstack predict d.wsp --no-provenance
	--kind all
	--columns requests,misses | tail -n 1 >p; warpstack simulate d.wst -m gtx480 -q --set sm.large-warp=4 --where
	kind=all
	--no-provenance --columns requests,misses | tail -n 1 | cmp - p => -
2 ?llvm warpstack predict d.wsp --set sm.large-warp=2 => /sm\.large-warp is 4 in the profile and 2 was asked for/
0 ?llvm for t in 1 2 3; do warpstack simulate d.wst -m gtx480 -q --cycles --set sm.large-warp=3 --threads $t
	--no-provenance |
	cksum; done | uniq | wc -l => ~^1$~
2 ?llvm warpstack softcache data/kernel/records.launch -q --by launch --set sm.large-warp=2
	=> /sm\.large-warp = 2: .*plain warps: want 1/
2 warpstack machine gtx480 --set sm.large-warp=33 => /sm\.large-warp = 33: want 1\.\.32/
2 warpstack machine gtx480 --set sm.large-warp=0 => /sm\.large-warp = 0: want 1\.\.32/
0 warpstack machine gtx480 --set sm.large-warp=8 --to gpgpusim | grep large => ~sm\.large-warp = 8, not 1~
