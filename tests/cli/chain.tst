# SPDX-License-Identifier: GPL-3.0-or-later
# From a kernel to rows: every command on real traces.  See tests/cli/run.
0 ?llvm warpstack trace data/kernel/mm-16x5.launch -o mm.wst => -
0 ?llvm warpstack trace data/kernel/mm.cl --kernel mm --global 80,80 --local 16,16 --arg A=buffer:float:6400:random
	--arg B=buffer:float:6400:random --arg C=buffer:float:6400:zero --arg width=80 --arg height=80 -o same.wst
	&& warpstack info mm.wst --no-provenance >a && warpstack info same.wst --no-provenance | sed s/same/mm/ |
	diff a - => -
0 ?llvm warpstack trace data/kernel/mm-16x5.launch --threads 1 | cmp - mm.wst => -
0 ?llvm warpstack trace <data/kernel/mm-16x5.launch 2>&1 | head -n 1 | cut -c1-24; : => ~mm\.cl~
0 ?llvm warpstack profile mm.wst -m gtx480 -o mm.wsp => -
# It has evictions: capacity and conflict are not 0.
0 ?llvm cp mm.wst m.wst && warpstack profile m.wst -o m.wsp &&
	warpstack predict m.wst --no-provenance --columns $rows >m && tail -n 1 m | cut -f14,15 =>
	~^[1-9][0-9]*	[1-9]~
0 ?llvm warpstack profile m.wst --threads 1 | cmp - m.wsp => -
0 ?llvm warpstack info mm.wst => info-trace.tsv
0 ?llvm warpstack info mm.wst --format json => info-trace.json
0 ?llvm warpstack info mm.wsp => ~^kernel mm line 128 sets 32 load	requests	48000$~
0 ?llvm warpstack info mm.wsp --no-provenance | grep -v "^machine\|sets [0-9]* [ls]" => info-profile.tsv
0 ?llvm warpstack info mm.wsp | awk '$(NF - 1) == "misses" { n += $NF } END { print n }' >c;
	warpstack predict mm.wsp --no-provenance --columns $rows | tail -n 1 | cut -f12 | diff c - => -
0 ?llvm warpstack info mm.wsp --format json | grep '"line":128,"sector":128,"sets":32' |
	sed 's/"distance":[^a-z]*"capacity"/D,"capacity"/'
	=> ~"load":\{"requests":48000,"cold":2200,"uncached":0,D,"capacity":\[\[0,[0-9]+\],~
0 ?llvm command -v python3 >/dev/null || { echo "['profile', 'kernel', 'geometry', 'site', 'site', 'site']"; exit 0; };
	warpstack info mm.wsp --format json --no-provenance | python3 -c 'import json, sys;
	print([json.loads(l)["type"] for l in sys.stdin])'
	=> ~^\['profile', 'kernel', 'geometry', .*'site', 'site', 'site'\]$~
0 ?llvm warpstack profile mm.wst --sm 2-4,9 --sample 0.5 | warpstack info | grep '^profile' | cut -f2- | tr '\n' ' '
	=> ~file	\(standard input\) seed	1 order	cycles sms	2-4,9 sample_rate	0.5 kernels	1~
0 warpstack info data/kernel/mm-16x5.launch => info-launch.tsv
0 warpstack info data/kernel/mm-16x5.launch --format json
	=> ~^\{"type":"launch","launch":1,"kernel":"mm","global":\[80,80,1\]~
0 ?llvm warpstack info mm.wst --format json --no-provenance | cut -c1-16 | tr '\n' ' '
	=> ~^\{"type":"trace", \{"type":"launch" $~

# predict
0 ?llvm warpstack predict mm.wsp => predict.tsv
0 ?llvm warpstack predict mm.wsp --no-provenance --format csv => predict.csv
0 ?llvm warpstack predict mm.wsp --no-provenance --format json => predict.json
0 ?llvm warpstack predict mm.wst --no-provenance --columns $rows >a &&
	warpstack predict mm.wsp --no-provenance --columns $rows | diff a - => -
0 ?llvm warpstack predict data/kernel/mm-16x5.launch -m gtx480 --no-provenance --columns $rows | diff a - => -
0 ?llvm warpstack trace data/kernel/mm-16x5.launch | warpstack profile |
	warpstack predict --no-provenance --columns $rows | diff m - => -
0 ?llvm warpstack predict mm.wsp -o b --no-provenance --columns $rows && diff a b => -
0 ?llvm warpstack predict mm.wsp --set l1.size=7K --set l1.ways=7 --no-provenance --columns $rows | tail -n 1
	=> ~^mm	L1	lru	7168	8	7	128	all	48400	45183	0	3217	~
0 ?llvm warpstack predict mm.wst --set l1.size=7K --set l1.ways=7 --no-provenance --columns $rows | tail -n 1
	=> ~^mm	L1	lru	7168	8	7	128	all	48400	45180	0	3220	~
0 ?llvm warpstack predict mm.wsp --set l1.mshr=3 => /note: l1\.mshr has no effect on predict without --latency$/
0 ?llvm warpstack predict mm.wsp --set l1.mshr=3 -q => -
0 ?llvm warpstack predict mm.wst --set sm.assign=random --runs 4 --seed 7 --no-provenance | tail -n 1 => runs.tsv
0 ?llvm warpstack predict mm.wst --seed 7 | head -n 1
	=> ~^# warpstack [0-9.]+ predict mm\.wst --seed 7 seed=7 machine=gtx480$~
2 ?llvm warpstack predict mm.wsp --set sm.warps=24 => /sm\.warps is 48 in the profile and 24 was asked for/
2 ?llvm warpstack predict mm.wsp -m h100 => /sm\.count is 15 in the profile and 132/
2 ?llvm warpstack predict mm.wsp --set l1.policy=nonsense => /l1\.policy: no policy "nonsense"; there are: lru, .*fifo/
2 ?llvm warpstack predict mm.wsp --runs 3 => /--runs=3: a profile is of one run/
2 ?llvm warpstack predict mm.wsp --seed 3 => /--seed=3: the profile was made with seed 1/
2 ?llvm warpstack predict mm.wsp -m nowhere => /nowhere/

0 ?llvm warpstack predict mm.wsp --kind store --no-provenance --columns $rows | cut -f7,8,9 | paste -s -d' '
	=> ~^line_bytes	kind	requests 128	store	400$~
0 ?llvm warpstack predict mm.wsp --kind each --no-provenance --columns $rows | diff a - => -
2 ?llvm warpstack predict mm.wsp --kind nonsense => /--kind=nonsense: want one of all load store atomic each/

# the L2
0 ?llvm warpstack profile m.wst --l2 -o l2.wsp && warpstack predict l2.wsp --no-provenance --columns $rows | diff m -
	=> -
0 ?llvm warpstack profile m.wst --l2 --threads 1 | cmp - l2.wsp => -
0 ?llvm warpstack predict l2.wsp --level l2 --no-provenance --columns $rows >l2 &&
	warpstack predict m.wst --level l2 --no-provenance --columns $rows | diff l2 - => -
0 ?llvm warpstack predict m.wst --level all --no-provenance --columns $rows | grep -v "	L2	" | diff m - &&
	warpstack predict m.wst --level all --no-provenance --columns $rows | grep -v "	L1	" | diff l2 -
	=> -
0 ?llvm cut -f2-7 l2 | tail -n 1 => ~^L2	lru	786432	64	8	128$~
0 ?llvm warpstack predict l2.wsp --kind all --no-provenance --columns $rows | tail -n 1 | cut -f12 >n;
	warpstack predict l2.wsp --level l2 --kind all --no-provenance --columns $rows | tail -n 1 | cut -f9 | diff n -
	=> -
0 ?llvm warpstack merge l2.wsp l2.wsp | warpstack predict --level l2 --kind all --no-provenance --columns $rows |
	tail -n 1 | cut -f16 >c; tail -n 1 l2 | cut -f16 | diff c - => -
0 ?llvm warpstack sweep l2.wsp --level l2 --vary l2.ways=1:64:x2 --vary l2.policy=lru,srrip --no-provenance | wc -l |
	tr -d ' ' => ~^15$~
0 ?llvm warpstack sweep mm.wst --level l2 --vary l2.slices=4,12 --vary l1.size=16K,48K --no-provenance --columns
	l2.slices,l1.size,$rows | cut -f1,2,4,17 | paste -s -d' '
	=> ~^l2\.slices	l1\.size	level	[a-z_]+ 4	16384	L2	[^ ]* 4	49152	L2	[^ ]*
	12	16384	L2	[^ ]* 12	49152	L2	~
0 ?llvm warpstack predict mm.wst --level l2 --set l1.policy=fifo --kind all --no-provenance --columns $rows | tail -n 1
	=> ~	approx	.*	0\.[0-9]+	0\.[0-9]+	low$~
0 ?llvm warpstack info l2.wsp => ~^kernel mm L2 behind 32 x 4 x 128 line 128 sets 768 load	requests	[0-9]+$~
2 ?llvm warpstack predict mm.wsp --level l2 => /holds no L2.*--l2/
2 ?llvm warpstack predict l2.wsp --level l2 --set l2.slices=4 => /l2\.slices is 12 in the profile and 4 was asked for/
2 ?llvm warpstack predict l2.wsp --level l2 --set l1.ways=8
	=> /no L2 behind L1s of 16 sets x 8 ways of 128 B|no L2 behind L1s of 32 sets x 8 ways/
2 ?llvm warpstack sweep l2.wsp --level l2 --vary l2.size=48K
	=> /no distances for l2\.sets = 4 \(of l2\.size = 49152\), but for 16, 32, 64, 128, 256/
2 ?llvm warpstack predict l2.wsp --level l2 --set l2.sets=7
	=> /no distances for l2\.sets = 7, but for 16, 32, 64, 128, 256/
2 ?llvm warpstack predict mm.wst --level l2 --verify => /--verify and --level=l2: want one of them/
2 ?llvm warpstack predict mm.wst --level all --by array => /--by and --level=all/
# The L2 simulated behind simulated L1s: equal to the model with LRU in both, however it starts; other policies near it
0 ?llvm warpstack simulate mm.wst --level all --no-provenance --columns $counts >s &&
	warpstack predict mm.wst --level all --no-provenance --columns $counts | diff s - => -
0 ?llvm warpstack simulate mm.wst --level l2 --set l2.start=warm --set l2.size=48K --no-provenance --columns $counts >s
	&& warpstack predict mm.wst --level l2 --set l2.start=warm --set l2.size=48K --no-provenance --columns $counts |
	diff s - => -
# No L1: all that it is asked for misses, and is what the L2 is asked for
0 ?llvm warpstack simulate mm.wst --level all --set l1.size=0 --no-provenance --columns $counts >s &&
	warpstack predict mm.wst --level all --set l1.size=0 --no-provenance --columns $counts | diff s - => -
0 ?llvm warpstack predict mm.wst --level all --set l1.size=0 --no-provenance --columns
	level,kind,size_bytes,ways,requests,misses
	>s; n=$(grep "^L1	load" s | cut -f5); grep -c
	"^L1	load	0	0	$n	$n$\|^L2	load	[0-9]*	[0-9]*	$n	" s => ~^2$~
0 ?llvm warpstack crosscheck m.wst --level all --vary l1.size=0,8K --vary l1.write=write-back,write-evict --set
	l2.size=48K
	--no-provenance | tail -n 1 => ~^# mean_abs_error_pp=0\.000000 .* rows=8 outside=0~
0 ?llvm warpstack profile mm.wst --l2 --set l1.size=0 | warpstack predict --level all --no-provenance --columns
	level,kind,size_bytes,ways,requests,misses | diff s - => -
0 ?llvm warpstack simulate mm.wst --cycles --set l1.size=0 --no-provenance --columns level,kind,requests,hits,pending |
	grep "^L1	load" | cut -f3-5 >c; cut -f5 s | sed -n 2p | sed 's/$/	0	0/' | diff c - => -
0 ?llvm warpstack sweep mm.wst --vary l1.size=0,16K --order nominal --no-provenance --columns l1.size,hits | sed -n 2p
	=> ~^0	0$~
0 ?llvm warpstack predict mm.wst --latency --set l1.size=0 --kind all --no-provenance --columns
	cycles,mshrs,latency_mean
	=> ~^[1-9][0-9]*	0\.000	[1-9][0-9]*\.[0-9]+$~
2 warpstack machine gtx480 --set l1.size=0 --set l1.ways=4
	=> /l1\.size = 0 is none at all, and l1\.ways = 4 contradicts it: want one of them/
2 warpstack machine gtx480 --set l1.size=0 --set l1.organisation=dycache:50
	=> /l1\.organisation = dycache: want an L1, and l1\.size is 0/
2 warpstack machine v100 --set l1.size=0 --set sm.carveout=auto
	=> /l1\.size = 0 and sm\.carveout = auto of sm\.unified = 131072 contradict each other/
0 warpstack machine v100 --set l1.size=0 --conf >none.conf && warpstack machine ./none.conf --conf | diff none.conf - =>
	-
0 warpstack machine gtx480 --set l1.size=0 --to gpgpusim >none.gpgpu; warpstack machine ./none.gpgpu | grep -c
	'^l1.size	0	\|^l1.ways	0	' => ~^2$~
# It keeps what the launches before left: the second finds all in a large one, and a kernel's rows know of the others
0 ?llvm printf 'source = k.cl\n[buffers]\na = int 4096\nb = int 4096\n[launch]\nkernel = k\nglobal = 4096\nlocal =
	64\nargs = a
	b\n[launch]\nkernel = l\nglobal = 4096\nlocal = 64\nargs = b\n[launch]\nkernel = k\nglobal = 4096\nlocal =
	64\nargs
	= a b\n' >keep.launch; printf '__kernel void k(__global int *a, __global int *b){ int i = get_global_id(0); b[i]
	= a[i];
	}\n__kernel void l(__global int *b){ b[get_global_id(0)] += 1; }\n' >k.cl; warpstack trace keep.launch -o
	keep.wst
	=> -
0 ?llvm warpstack predict keep.wst --level l2 --per launch --kind load --set l2.start=keep --no-provenance --columns
	kernel,requests,hits,cold | paste -s -d' ' => ~^kernel	requests	hits	cold
	k#1	128	0	128 l	128	128	0 k#3	128	128	0$~
0 ?llvm for s in warm copies; do warpstack predict keep.wst --level l2 --per launch --kind all --set l2.start=$s
	--no-provenance --columns kernel,requests,hits | grep k#1; done | paste -s -d' '
	=> ~^k#1	256	256 k#1	256	128$~
0 ?llvm for p in launch kernel; do warpstack simulate keep.wst --level l2 --per $p --set l2.start=keep --set l2.size=24K
	--no-provenance --columns $counts >s && warpstack predict keep.wst --level l2 --per $p --set
	l2.start=keep --set l2.size=24K --no-provenance --columns $counts | diff s -; done => -
0 ?llvm warpstack simulate keep.wst --level l2 --set l2.start=copies --set l2.size=24K --no-provenance --columns $counts
	>s && warpstack predict keep.wst --level l2 --set l2.start=copies --set l2.size=24K --no-provenance --columns
	$counts | diff s - => -
0 ?llvm warpstack profile keep.wst --l2 --set l2.start=keep -o keep.wsp && warpstack predict keep.wsp --level l2
	--no-provenance --columns $counts >s && warpstack simulate keep.wst --level l2 --set l2.start=keep
	--no-provenance
	--columns $counts | diff s - => -
0 ?llvm warpstack simulate keep.wst --cycles --set l2.start=keep --kernel l --no-provenance --columns
	level,kernel,requests,misses | grep L2 => ~^L2	l	[0-9]+	0$~
2 ?llvm warpstack predict keep.wst --level l2 --set l2.start=keep --set l2.policy=fifo
	=> /l2\.start = keep: predicted of l2\.policy = lru only, not of fifo; it can be simulated$/
2 ?llvm warpstack simulate keep.wst --level l2 --set l2.start=keep --set l2.policy=opt
	=> /l2\.start = keep: an offline policy needs to know what comes/
0 ?llvm warpstack crosscheck m.wst --level all --vary l2.size=48K:768K:x4 --vary l1.size=8K,32K --vary l1.line=64,128
	--no-provenance | tail -n 1 => ~^# mean_abs_error_pp=0\.000000 max_abs_error_pp=0\.000000 configurations=12
	rows=24 outside=0 low_confidence=0$~
0 ?llvm warpstack crosscheck mm.wst --level l2 --vary l1.policy=lru,fifo --vary l2.policy=lru,srrip --set l2.size=48K
	--bound 2 --no-provenance | tail -n 1 => ~ rows=4 outside=0 low_confidence=2$~
0 ?llvm warpstack simulate mm.wst --level l2 --vary l1.policy=lru,fifo --no-provenance --columns l1.policy,$rows |
	cut -f1,10 | paste -s -d' ' => ~^l1\.policy	requests lru	[0-9]+ .* fifo	[0-9]+$~
2 ?llvm warpstack simulate mm.wst --level l2 --set l1.organisation=elastic:32
	=> /l1.organisation = elastic: an L2 behind it is simulated in cycles only$/
2 ?llvm warpstack simulate mm.wst --level l2 --cycles => /--cycles and --level: want one of them/
2 ?llvm warpstack profile mm.wst --l2 --sm 0-3 => /--l2 and --sm: want one of them/
2 ?llvm warpstack merge l2.wsp mm.wsp => /one of the two has an L2/
0 ?llvm warpstack predict mm.wsp --set l2.size=192K => /note: l2\.size has no effect on predict$/

# sweep
0 ?llvm warpstack sweep mm.wsp --vary l1.size=4K:64K:x2 => sweep.tsv
0 ?llvm warpstack sweep mm.wsp --vary l1.size=8K,16K --vary l1.ways=1,2,4 --kind load --format csv --no-provenance
	--columns l1.size,l1.ways,$rows | cut -d, -f1,2,11,18 => sweep-product.csv
0 ?llvm warpstack sweep m.wst --vary l1.size=4K,8K --vary sm.scheduler=lrr,gto --vary l1.hash=modulo,xor
	--no-provenance => sweep-trace.tsv
0 ?llvm warpstack sweep m.wst --vary l1.size=8K,16K --vary sm.scheduler=lrr,gto --vary l1.hash=modulo,xor
	--no-provenance --threads 1 >c; warpstack sweep m.wst --vary l1.size=8K,16K --vary sm.scheduler=lrr,gto --vary
	l1.hash=modulo,xor --no-provenance --threads 3 | diff c - => -
0 ?llvm warpstack sweep mm.wsp --vary l1.size=16K --kind each --no-provenance --columns l1.size,$rows | cut -f2- |
	diff a - => -
0 ?llvm warpstack sweep mm.wsp --vary l1.size=8K --format json --no-provenance
	=> ~^\{"l1\.size":8192,"machine":"gtx480","kernel":"mm",~
0 ?llvm warpstack sweep mm.wsp --vary l1.ways=1:2000:+1 --no-provenance | wc -l | tr -d ' ' => ~^2001$~
2 ?llvm warpstack sweep mm.wsp => /nothing to sweep: want --vary/
2 ?llvm warpstack sweep mm.wsp --vary l1.hash=modulo,xor
	=> /l1\.hash is varied, and one profile holds one value of it: want the trace/
2 ?llvm warpstack sweep mm.wsp --vary l1.size=8K --vary l1.size=1K => /l1\.size is varied twice: want one range a key/
2 ?llvm warpstack sweep mm.wst --set l1.size=8K --vary l1.size=8K,16K
	=> /l1\.size is set \(l1\.size=8K\) and varied: want one of them/
2 ?llvm warpstack sweep mm.wsp --vary l1.ways=1:1000:+1 --vary l1.policy=lru --vary l1.size=1K:1M:+1
	=> /configurations: want at most|l1\.size/
2 ?llvm warpstack sweep mm.wsp --vary l1.ways=4:2:+1 => /l1\.ways/
2 ?llvm warpstack sweep mm.wsp --vary l1.sets=32,24 => /l1\.hash|sets/
0 ?llvm warpstack profile m.wst --order nominal -o n.wsp;
	warpstack sweep n.wsp --vary l1.line=32,128 --vary l1.ways=1:40:+1 --kind each --format csv --no-provenance
	--columns l1.line,l1.ways,$rows >c; warpstack sweep m.wst -q --order nominal --vary l1.line=32,128 --vary
	l1.ways=1:40:+1 --kind each --format csv --no-provenance --columns l1.line,l1.ways,$rows | cmp - c &&
	cut -d, -f1,2,9 c | grep -c '^32,40,32$' => ~^3$~
0 ?llvm warpstack sweep mm.wst --vary l1.line=32:128:x2 => sweep-line.tsv
2 ?llvm warpstack sweep mm.wsp --vary l1.line=64,128
	=> /no distances for l1\.sets=64 of l1\.line=64: `warpstack profile --lines 64,128 --sets 32` measures/
0 ?llvm warpstack profile m.wst --lines 64,128 --sets 32 |
	warpstack sweep --vary l1.line=64,128 --no-provenance --columns l1.line,$rows
	=> ~^64	mm	L1	lru	16384	64	4	64	all	~
2 ?llvm warpstack sweep mm.wsp --vary l1.size=8K:1M:x2
	=> /no distances for l1\.sets=2048 of l1\.line=128: `warpstack profile --sets 16,32,64,128,256,512,1024,2048`
	measures/
0 ?llvm warpstack profile m.wst --sets 16,32,64,128,256,512 |
	warpstack sweep --vary l1.size=8K:256K:x2 --no-provenance | wc -l | tr -d ' ' => ~^7$~
2 ?llvm warpstack sweep mm.wsp --vary l1.sets=1,2 --set l1.line=32
	=> /l1\.sets=2 of l1\.line=32: want the trace instead of the profile$/
0 ?llvm warpstack sweep mm.wsp --vary l1.sets=1,8,16,32,64,128 --vary l1.ways=1:2000:+1 --format csv --no-provenance |
	wc -l | tr -d ' ' => ~^12001$~
2 ?llvm warpstack sweep mm.wsp --vary l1.size=16K --sample 0.1
	=> /--sample: a profile is sampled when it is made: want the trace/
2 ?llvm warpstack sweep mm.wst --vary l1.size=16K --sample 0 => /--sample=0: want more than 0 and at most 1/

# profiles
0 ?llvm warpstack profile m.wst --distances -o d.wsp && warpstack predict d.wsp --no-provenance --columns $rows |
	diff m - && test $(wc -c <d.wsp) -lt $(wc -c <m.wsp) => -
0 ?llvm warpstack profile m.wst --set l1.ways=8 | warpstack predict --no-provenance --columns $rows | tail -n 1 |
	cut -f4-6 => ~^32768	32	8$~
0 ?llvm warpstack profile m.wst --set l1.size=256K | warpstack predict --no-provenance >c;
	warpstack predict m.wst --set l1.size=256K --no-provenance | diff c - => -
0 ?llvm warpstack profile m.wst --order nominal --set l1.size=256K 2>note |
	warpstack predict --set l1.size=256K --no-provenance >c; cat note >&2;
	warpstack predict m.wst --order nominal --set l1.size=256K --no-provenance | diff c -
	=> /note: another l1\.line or l1\.sets is measured too, but predict starts from the machine's own 32 sets of
	lines of 128 bytes/
0 ?llvm warpstack profile m.wst --set l1.hash=xor | warpstack predict --no-provenance >c;
	warpstack predict m.wst --set l1.hash=xor --no-provenance | diff c - => -
0 ?llvm for c in 0-7 8-14; do warpstack profile m.wst --sm $c | warpstack predict --no-provenance --columns $rows |
	tail -n 1 | cut -f9; done | awk '{ n += $1 } END { print n }' >c; tail -n 1 m | cut -f9 | diff c - && cat c
	=> ~^48400$~
0 ?llvm warpstack profile m.wst --sm 0-6 -o l.wsp; warpstack profile m.wst --sm 7-14 -o h.wsp;
	warpstack merge l.wsp h.wsp | cmp - m.wsp => -
0 ?llvm warpstack merge mm.wsp -o c.wsp && cmp c.wsp mm.wsp => -
0 ?llvm warpstack merge mm.wsp mm.wsp - <mm.wsp | warpstack info |
	grep -c '	launches	3$\|	requests	589824$' => ~^[1-9]~
2 ?llvm warpstack merge mm.wsp l.wsp -o c.wsp => /l\.wsp: some of its SMs, not all, are counted/
2 ?llvm warpstack profile m.wst --seed 2 | warpstack merge m.wsp -
	=> /\(standard input\): the seed is 2, and 1 in what it is added to$/
2 ?llvm warpstack merge mm.wsp mm.wst => /mm\.wst is a trace: merge wants profiles, which `warpstack profile` makes$/
2 ?llvm warpstack merge data/kernel/mm-16x5.launch => /mm-16x5\.launch is no profile: merge wants profiles/
2 ?llvm warpstack merge mm.wsp -o mm.wsp => /--output=mm\.wsp is the input too/
3 ?llvm warpstack merge mm.wsp nowhere.wsp => /nowhere\.wsp: No such file/
0 ?llvm cmp c.wsp mm.wsp => -
3 ?llvm head -c 7 mm.wst | warpstack info => /: a trace that is cut off after 7 bytes$/
3 ?llvm head -c 7 mm.wsp | warpstack info => /: a profile that is cut off after 7 bytes$/
2 ?llvm warpstack profile mm.wst --sm 3,15 => /--sm=3,15: want SMs 0\.\.14/
2 ?llvm warpstack profile mm.wst --sm 5-3 => /--sm=5-3: want numbers and ranges/
2 ?llvm warpstack profile mm.wst --sm 3, => /--sm=3,: want numbers and ranges/
2 ?llvm warpstack profile mm.wst --lines 48 => /--lines=48: want a power of two/
2 ?llvm warpstack profile mm.wst --lines '' => /--lines=: want A,B,C, LOW:HIGH/
2 ?llvm warpstack profile mm.wst --lines 64:32:x2 => /--lines=64:32:x2: want LOW:HIGH/
2 ?llvm warpstack profile mm.wst --sets 24 => /--sets: fermi is defined for a power of two of sets, not 24/
2 ?llvm warpstack profile mm.wst --sets 0,1 => /--sets=0: want 1\.\./
2 ?llvm warpstack profile mm.wst -m v100 --sets 1:65536:+1 -o x.wsp
	=> /[0-9]+ set counts on [0-9]+ SMs of v100 want some [0-9]+ GiB of memory, and there are [0-9]+: want fewer set
	counts or line sizes, fewer SMs, or distances alone$/
2 ?llvm warpstack sweep mm.wst -q -m v100 --set l1.ways=1 --vary l1.sets=1:65536:+1
	=> /[0-9]+ set counts on [0-9]+ SMs of v100 want some/
0 ln -s "$root/tests/fuzz/corpus-profile" p; for v in 2 3 4 5 6; do warpstack info p/bad-counted-$v -o no.tsv 2>note;
	test $? -eq 3 && test ! -e no.tsv && sed -n '/: offset [0-9]*: the profile has count types, which this version
	does not
	read any more: profile the trace again$/p' note; done | wc -l | tr -d ' ' => ~^5$~
2 ?llvm warpstack profile mm.wst --sample 1.5 => /--sample=1\.5: want more than 0 and at most 1/
2 ?llvm warpstack profile mm.wst --sample-lines 0 => /--sample-lines=0: want 64\.\./

# misses by array and line: parts that add up
0 ?llvm warpstack predict mm.wsp --by array => by-array.tsv
0 ?llvm warpstack predict mm.wst --by array --no-provenance >c; warpstack predict mm.wsp --by array --no-provenance |
	diff c - => -
0 ?llvm warpstack predict mm.wsp --by site --format csv --no-provenance => by-site.csv
0 ?llvm warpstack profile m.wst --orders none -o one.wsp; for by in array line site; do
	warpstack sweep one.wsp --by $by --vary l1.ways=1,4,7 --kind each --format csv --no-provenance --columns
	l1.ways,kernel,array,source,${rows#kernel,} | awk -F, 'NR > 1 { k = $1 "," $11; for (i = 12; i <= 18;
	i++) s[k, i] += $i; u[k] += $22; seen[k] } END { for (k in seen) { printf "%s", k; for (i = 12; i <= 18;
	i++) printf ",%d", s[k, i]; print "," u[k] } }' | sort >by.$by; done;
	warpstack sweep one.wsp --vary l1.ways=1,4,7 --kind each --format csv --no-provenance --columns l1.ways,$rows |
	awk -F, 'NR > 1 { print $1 "," $9 "," $10 "," $11 "," $12 "," $13 "," $14 "," $15 "," $16 "," $20 }' |
	sort >whole; for by in array line site; do diff whole by.$by; done && wc -l <whole | tr -d ' ' => ~^9$~
0 ?llvm warpstack sweep mm.wsp --by line --vary l1.ways=4 --kind store --no-provenance | wc -l | tr -d ' ' => ~^2$~
0 ?llvm warpstack predict mm.wsp --by line --format json --no-provenance
	=> ~"kernel":"mm","array":null,"source":"[^"]*mm\.cl:[0-9]+",~
2 ?llvm warpstack predict mm.wsp --by array --set l1.size=32K
	=> /own l1\.line = 128 and l1\.sets = 32 alone, with any l1\.ways;
	not for l1\.line = 128 and l1\.sets = 64: want the trace, with one l1\.sets, or/
2 ?llvm warpstack predict mm.wst --by array --set l1.line=32
	=> /own l1\.line = 128 and l1\.sets = 32 alone.*: want a machine with these lines$/
2 ?llvm warpstack sweep mm.wst --order nominal --by array --vary l1.sets=32,64
	=> /not for l1\.line = 128 and l1\.sets = 64: want one l1\.sets at a time$/
0 ?llvm warpstack predict mm.wst --by array --set l1.size=32K --kind all --no-provenance => by-array-32K.tsv
0 ?llvm warpstack predict mm.wst --by array --set l1.size=32K --kind all --no-provenance --columns
	kernel,array,source,${rows#kernel,} | awk -F'\t' 'NR > 1 { r += $11; m += $14; a += $16 } END {
	print r, m, a }' >c; warpstack predict mm.wst --set l1.size=32K --kind all --no-provenance --columns $rows |
	awk 'NR > 1 { print $9, $12, $14 }' | diff c - => -
0 ?llvm warpstack sweep m.wst --by array --set l1.sets=64 --vary l1.ways=2,8 --vary l1.hash=fermi,xor --no-provenance
	--format csv >c; for h in fermi xor; do warpstack sweep m.wst --by array --set l1.sets=64 --set l1.hash=$h
	--vary l1.ways=2,8 --no-provenance --format csv | sed "s/^\([28]\),/\1,$h,/"; done | grep -v kernel | sort >h;
	tail -n +2 c | sort | diff - h => -
2 ?llvm warpstack predict d.wsp --by array
	=> /has no misses by array and line: profile all lines of the trace again, with details \(without --distances
	and --sample\)$/
2 ?llvm warpstack predict mm.wst --by array --runs 2 => /--by and --runs: want one of them/
2 ?llvm warpstack predict mm.wst --by array --sample 0.5
	=> /--by and --sample: a sample has no misses by array and line/
2 ?llvm warpstack predict mm.wst --by kernel => /--by=kernel: want one of array line site/

# samples: an interval around the truth; what a sample holds whole is the truth
0 ?llvm warpstack trace data/kernel/mm-256.launch -o big.wst; for x in '' '--sample 0.1'; do
	warpstack predict big.wst --set sm.count=1 --set sm.scheduler=sequential --set l1.line=32 --set l1.sets=1 --set
	l1.ways=1000 $x --no-provenance --columns $rows | tail -n 1; done | awk -F'\t' 'NR == 1 { t = $16 } NR == 2 {
	exit !($17 == "approx" && $18 > 0 && $20 < t && t < $21 && $21 - $20 < 0.05) }' => -
0 ?llvm warpstack profile m.wst --sample 0.3 -o s.wsp; warpstack predict m.wst --sample 0.3 --no-provenance >c;
	warpstack predict s.wsp --no-provenance | diff c - => -
0 ?llvm warpstack predict big.wst --set sm.count=1 --set sm.scheduler=sequential --set l1.line=32 --set l1.sets=1 --set
	l1.ways=1000 --sample 0.1 --no-provenance --columns $rows | awk -F'\t' 'NR > 1 && $9 { n++;
	half = 50 * ($21 - $20); if ($18 > 100 || ($20 > 0 && $21 < 1 && (half - $18) ^ 2 > 1e-6)) exit 1;
	e[$8] = $18 } END { exit !(n == 3 && e["load"] != e["store"]) }' => -
0 ?llvm warpstack predict mm.wst --set sm.scheduler=sequential --sample 0.3 --no-provenance --columns $rows |
	awk -F'\t' 'NR > 1 && ($17 != "approx" || $18 != 0 || $20 != $16 || $21 != $16)' | wc -l | tr -d ' ' => ~^0$~
0 ?llvm warpstack predict mm.wst --sample-lines 100 --no-provenance --columns $rows | tail -n 1 | cut -f17 => ~^approx$~
0 ?llvm warpstack predict mm.wst --sample 1 --no-provenance --columns $rows | diff a - => -

# simulate and crosscheck
0 ?llvm warpstack predict mm.wst --no-provenance --columns $counts >c &&
	warpstack simulate mm.wst --no-provenance --columns $counts | diff c - => -
0 ?llvm warpstack simulate m.wst --vary l1.size=4K,8K --vary sm.scheduler=lrr,gto --no-provenance => simulate.tsv
0 ?llvm warpstack crosscheck m.wst -m gtx480 --vary l1.size=2K:16K:x2 --vary l1.ways=1,4,8 => crosscheck.tsv
0 ?llvm warpstack crosscheck data/kernel/mm-16x5.launch -m gtx480 --vary sm.scheduler=lrr,gto --vary l1.hash=modulo,xor
	--vary l1.write=write-back,write-evict | tail -n 1
	=> ~^# mean_abs_error_pp=0\.000000 max_abs_error_pp=0\.000000 configurations=8 rows=8 outside=0
	low_confidence=0$~
0 ?llvm for k in divergent stencil; do sed 's,^source = ,&data/kernel/,; s/= 4096$/= 1024/; s/128 126 30/128 42 4/'
	data/kernel/$k.launch >$k.launch; done; for k in histogram mm-tiled spmv-csr mt-8; do
	awk -v from=data/kernel -f "$files/smaller.awk" data/kernel/$k.launch >$k.launch; done => -
0 ?llvm for k in divergent histogram mm-tiled spmv-csr stencil mt-8; do
	warpstack crosscheck $k.launch --vary l1.size=8K:32K:x2 --vary l1.sector=32,128 --no-provenance |
	tail -n 1; done | sort -u => ~^# mean_abs_error_pp=0\.000000 max_abs_error_pp=0\.000000 configurations=6 rows=6
	outside=0 low_confidence=0$~
0 ?llvm for m in gtx480 v100; do warpstack crosscheck m.wst -m $m --vary l1.line=32,64,128,256 --vary l1.ways=1,3,8,64
	--no-provenance | tail -n 1; done | sort -u
	=> ~^# mean_abs_error_pp=0\.000000 max_abs_error_pp=0\.000000 configurations=16 rows=16 outside=0
	low_confidence=0$~
0 ?llvm for k in divergent histogram spmv-csr stencil; do for m in gtx480 v100; do
	warpstack crosscheck $k.launch -m $m --vary l1.line=32,64,128 --vary
	l1.write=write-through,write-evict --no-provenance | tail -n 1; done; done | sort -u
	=> ~^# mean_abs_error_pp=0\.000000 max_abs_error_pp=0\.000000 configurations=6 rows=6 outside=0
	low_confidence=0$~
0 ?llvm warpstack simulate mm.wst --set l1.line=64 --no-provenance --columns $counts >c;
	warpstack predict mm.wst --set l1.line=64 --no-provenance --columns $counts | diff c - => -
0 ?llvm warpstack sweep m.wst --vary l1.hash=modulo,xor --vary l1.write=write-back,write-evict --kind each
	--no-provenance --columns l1.hash,l1.write,$counts >c;
	warpstack simulate m.wst --vary l1.hash=modulo,xor --vary l1.write=write-back,write-evict --no-provenance
	--columns l1.hash,l1.write,$counts | diff c - => -
2 ?llvm warpstack crosscheck mm.wst --set l1.sector=128 --set l1.line=256
	=> /l1\.sector = 128 in lines of 256 bytes: with requests for lines of 128, sectors are measured that are
	shorter than those, or whole lines$/
0 ?llvm warpstack crosscheck mm.wst --set l1.sector=64 --set l1.line=256 --no-provenance | tail -n 1
	=> ~max_abs_error_pp=0\.000000~
2 ?llvm warpstack simulate mm.wsp => /mm\.wsp is a profile: simulate wants a trace or a launch file/
2 ?llvm warpstack crosscheck mm.wst --bound -1 => /--bound=-1: want a number/
2 ?llvm warpstack trace mm.wst => /mm\.wst is a trace already/

# Checks of outputs: mt-8.launch has one that holds.
0 ?llvm warpstack trace data/kernel/mt-8.launch -o mt.wst => -
1 ?llvm head -c 25600 /dev/zero >zero; warpstack trace data/kernel/mm-16x5.launch --check C=zero -o wrong.wst => /C/
0 ?llvm test ! -e wrong.wst => -

# Damaged files: one line, exit 3, no crash.
3 ?llvm head -c 2000 mm.wst >cut.wst; warpstack simulate cut.wst => /cut\.wst/
3 ?llvm head -c 3000 mm.wsp >cut.wsp; warpstack predict cut.wsp => /cut\.wsp/
3 ?llvm (head -c 1000 mm.wst; printf XXXX; tail -c +1005 mm.wst) >bad.wst; warpstack profile bad.wst -o bad.wsp
	=> /bad\.wst/
0 ?llvm test ! -e bad.wsp => -
4 ?llvm warpstack profile m.wst >/dev/full => /No space left on device/
4 ?llvm warpstack trace data/kernel/mm-16x5.launch >/dev/full => /No space left on device/

# The examples of every --help run, but for those of trace on a smaller matrix and pchase's report of a smaller cache.
# They are whole studies: minutes under a sanitizer, which other lines have.  Targets of pchase that a machine may not
# have are other tests'.
0 ?plain sed s,mm.cl,data/kernel/mm.cl, data/kernel/mm-16x2.launch >mm.launch; for c in trace convert profile merge
	predict sweep simulate crosscheck pchase machine policies info; do
	warpstack $c --help | sed -n '/^examples:/,/^$/s/^  //p' | grep -v " \./program\|--target" |
	sed 's/ report -m p100/ report -m gtx480 --set l1.size=4K/' | while read example; do
	sh -c "$example" >/dev/null 2>e || { echo "failed: $example"; cat e; }; done;
	test $c != trace || warpstack trace mm.launch -o mm.wst; done | { ! grep . >&2; } => -

# Those of fit, on a tiny set.
0 ?llvm warpstack fit --help | sed -n '/^examples:/,/^$/s/^  //p' | sed "s,data/counters,$files/counters,;
	s,Tesla-K40,Tiny,;
	s,-m k40,-m $files/counters/tiny.conf," | while read example; do
	sh -c "$example" >/dev/null 2>e || { echo "failed: $example"; cat e; }; done; test -s k40-fitted.conf => -

# Figures.  Hardware's is of a tiny set.
0 ?figures warpstack plot reuse data/kernel/mm-16x5.launch -o reuse.svg && grep -c '<svg' reuse.svg => ~^1$~
0 ?figures warpstack plot missratio mm.wsp -o missratio.png && head -c 4 missratio.png | tail -c 3 => ~^PNG$~
# Another title, or none; sizes with their unit; a script that draws the figure again by itself.
0 ?figures warpstack plot missratio mm.wsp --title 'My kernel' --keep kept -o t.svg &&
	grep -o 'My kernel\|Predicted\|>128 KB<' t.svg | sort | tr '\n' ' ' => ~^>128 KB< My kernel $~
0 ?figures warpstack plot missratio mm.wsp --title '' -o t.svg && grep -c 'Predicted\|GeForce' t.svg || : => ~^0$~
0 ?figures ls kept && warpstack plot missratio mm.wsp --title 'My kernel' -o t.svg && cd kept && gnuplot t.gp &&
	cmp t.svg ../t.svg && grep -c '^load\|^set output .*/' t.gp || : => ~^0$~
0 ?figures warpstack sweep mm.wsp --vary l1.ways=1,2 >ways.tsv && warpstack plot bars ./ways.tsv -o t.svg &&
	grep -o '>l1.ways<\|>ways.tsv,' t.svg | tr '\n' ' ' => ~>l1.ways<~
4 ?figures warpstack plot missratio mm.wsp --keep mm.wsp/kept -o kept.svg => /^warpstack: mm\.wsp\/kept: /
0 ls kept.svg 2>/dev/null || : => -
0 ?figures warpstack sweep mm.wsp --vary l1.ways=1,2 --kind load | warpstack plot bars -o t.svg &&
	grep -c 'kind=' t.svg || :
	=> ~^0$~
# LaTeX with its lines in a PDF beside it, texts as LaTeX wants them; EPS; PNG for print; what to put below a figure.
0 ?figures mkdir tex && warpstack plot missratio mm.wsp --title 'a_b 5 % {x} \y' --caption tex/c.txt -o tex/m_1.tex &&
	cat tex/c.txt && grep -c '^%PDF' tex/m_1.pdf && grep -o 'graphics.*{m_1}' tex/m_1.tex && ls tex | wc -l && grep
	-oF 'strut{}a\_b 5 \% \{x\} \textbackslash{}y}}%' tex/m_1.tex | wc -l => ~^1$~
0 ?figures warpstack plot missratio mm.wsp --caption c.txt -o m.eps && head -n 1 m.eps && cat c.txt
	=> ~^Predicted L1 miss ratio: mm, .*; GeForce GTX 480.*, lru, .*\. Predicted miss ratio against cache size,~
0 ?figures for s in 1 3; do warpstack plot reuse mm.wsp --width 240 --scale $s -o s.png; od -An -tu1 -j16 -N8 s.png;
	done | tr -s ' \n' ' ' => ~^ 0 0 0 240 0 0 0 240 0 0 2 208 0 0 2 208 $~
2 warpstack plot reuse mm.wsp --scale 2 -o s.svg => /scale 2: want 1\.\.16, and a \.png/
2 warpstack plot reuse mm.wsp --width 239 -o s.svg => /--width=239: want 240\.\.1200/
# What an approximate policy does not know is a band; what is exact has none.
0 ?figures for p in lru random; do warpstack plot missratio mm.wsp --set l1.policy=$p --keep band -o $p.svg; awk '
	/^\$ways4/ { on = 1; next } /^EOD/ { on = 0 } on { low += $4 < $2; high += $5 > $2; odd += $4 > $2 ||
	$5 < $2 } END { print (low && high), odd }' band/$p.gp; done | tr '\n' ' ' => ~^0 0 1 0 $~
0 ?figures warpstack sweep mm.wsp --vary l1.size=8K,16K,32K | warpstack plot bars --keep band -o sizes.svg && grep
	'^name[0-9] = ' band/sizes.gp | tr '\n' ' ' => ~^name1 = '8 KB' name2 = '16 KB' name3 = '32 KB' $~
2 ?figures warpstack plot access mm.wsp -o x.svg => /mm\.wsp is a profile: plot wants a trace/
0 ?figures warpstack plot --help | sed -n '/^examples:/,/^$/s/^  //p' |
	sed "s,data/counters,$files/counters," | while read example; do
	sh -c "$example" >/dev/null 2>e || { echo "failed: $example"; cat e; }; done | { ! grep . >&2; } => -
2 ?figures warpstack plot reuse mm.wsp -o x.gif => /svg/
0 ls -A | grep -v '\.launch$' | grep -c '\.......$' || : => ~^0$~
