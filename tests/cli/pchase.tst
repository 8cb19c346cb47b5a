# SPDX-License-Identifier: GPL-3.0-or-later
# Pointer chasing.  See tests/cli/run.
# The P100's texture L1, as it was measured: 24 KB, 4 sets of 192 lines of 32 bytes, by bits 7-8, LRU.
0 warpstack pchase infer -m p100 --no-provenance --columns property,value | sed '1,4d' | tr '\n\t' ' ='
	=> ~^sector=32 line=32 ways=192 hash=bits:7-8 sets=4 size=24576 policy=lru~
0 warpstack pchase infer -m gtx480 --no-provenance --where property=latency --columns value | tr '\n' ' ' => ~^value 35
	155 255 $~
0 warpstack pchase infer -m gtx480 --set l1.policy=prob:1/6,1/2,1/6,1/6 --jitter 0.05 --outliers 0.002 --where
	property=policy
	--no-provenance --columns value,determined => ~^prob:1,3,1,1	yes$~
0 warpstack pchase infer -m gtx480 --seed 3 --jitter 0.05 --outliers 0.002 >a && warpstack pchase infer -m gtx480 --seed
	3
	--jitter 0.05 --outliers 0.002 | cmp - a => -
# Without an L1 it is the L2.
0 warpstack pchase infer -m gtx480 --set l1.size=0 --no-provenance --where property=latency --columns value | tr '\n' '
	'
	=> ~^value 155 255 $~
0 warpstack pchase infer -m gtx480 --set l1.size=0 --no-provenance --where property=size --columns value => ~^786432$~
2 warpstack pchase conf -m gtx480 --set l1.size=0 => /gtx480 has no L1/
# What is not determined has no value, and that is no failure.
0 warpstack pchase infer -m gtx480 --loads 5000 --no-provenance --columns property,value,determined | tr '\n\t' ' ='
	=> /5000 loads did not suffice|[0-9]+ loads did not suffice: what is not determined wants more \(--loads\)$/
0 warpstack pchase infer -m gtx480 --seconds 1e-9 --no-provenance --columns property
	=> /^warpstack: note: 0 loads did not suffice: .* wants more \(--loads, --seconds\)$/
0 warpstack pchase infer -q -m gtx480 --loads 5000 --no-provenance --columns property,value,determined | tr '\n\t' ' ='
	=> ~sector==no line==no ways==no hash==no sets==no size==no policy==no~
0 warpstack pchase trace -m gtx480 --array 256 --stride 64 --no-provenance | tr '\n\t' ' ,'
	=> ~ 0,0,0,255 1,0,64,35 2,0,128,255 3,0,192,35 4,1,0,35 5,1,64,35 6,1,128,35 7,1,192,35 $~
# A machine of which only the latencies of a chase are known has the same L1.
0 warpstack pchase conf -m p100 -o p.conf && warpstack machine p.conf --no-provenance --columns key,value | grep
	'^l1.[slwh]' >a
	&& warpstack machine p100 --no-provenance --columns key,value | grep '^l1.[slwh]' |
	sed s,matrix:80/100,bits:7-8, | diff - a => -
0 head -n 3 p.conf | tr '\n' ' ' => ~dependent loads say\. # sector 32, certainty 1\.0000 # line 32, certainty 0\.99~
0 warpstack pchase conf -q -m gtx480 --loads 5000 => ~# ways was not determined: the value is not measured~
2 warpstack pchase guess => /'guess': want infer, trace, .* or [a-z]*; try 'warpstack pchase --help'$/
2 warpstack pchase => /try 'warpstack pchase --help'$/
2 warpstack pchase infer -m nosuch => /nosuch/
2 warpstack pchase infer --jitter 0.9 => /--jitter/
2 warpstack pchase trace --array 16G --stride 1 => /want at most 67108864 loads/
2 warpstack pchase infer --set 'l1.policy=opt' => /opt/
4 warpstack pchase conf -m gtx480 -o nodir/x.conf => /nodir/
0 warpstack pchase infer -m gtx480 --set l1.policy=srrip:3 --where property=policy --columns value --no-provenance
	=> ~^srrip:3$~
# A cache whose lines share tags, or data, of several sets is no set-associative one.
1 warpstack pchase infer -m gtx480 --set l1.organisation=decoupled -o x.tsv => /the evidence is contradictory: sets hold
	other/
0 grep ^size x.tsv | tr '\t' ' ' => ~^size  *no  bytes$~
2 warpstack pchase conf -m gtx480 --set l1.organisation=decoupled => /the evidence is contradictory/
# Files of measured loads.
0 ln -s "$root/tests/fuzz/corpus-pchase" c; warpstack pchase trace -m gtx480 --passes 3 --format csv -o walk.csv &&
	warpstack pchase infer walk.csv --no-provenance --columns property,value | sed -n '7,13p' | tr '\n\t' ' ='
	=> ~^sector= line=128 ways=4 hash=fermi sets=32 size=16384 policy=lru ~
0 warpstack pchase infer <walk.csv - --no-provenance --where property=error --columns value => ~^0\.00$~
0 warpstack pchase infer c/ok-curve.csv --no-provenance --columns property,value | tr '\n\t' ' ='
	=> ~fits=1024 overflows=1056 sector=32 line= ~
0 warpstack pchase infer c/ok-loads.csv --no-provenance --where determined=yes --columns property => ~^property$~
0 ?chase warpstack pchase infer $root/../shared/data/pchase/p6000.csv --no-provenance --columns property,value | tr
	'\n\t' ' ='
	=> ~fits=24576 overflows=24832 sector=32 .*error=0\.00~
3 warpstack pchase infer c/bad-cells.csv -o bad.tsv => /c\/bad-cells\.csv:3: 1 cells: want 2, as the header has$/
3 warpstack pchase infer c/bad-header.csv => /bad-header\.csv:1: no measured loads: want a header with offset and
	latency, or/
3 warpstack pchase infer c/bad-offset.csv => /bad-offset\.csv:3: offset is 'x', want a whole number up to/
3 warpstack pchase infer c/bad-latency.csv => /bad-latency\.csv:2: latency is '-1', want a number from 0/
3 warpstack pchase infer c/bad-stride.csv => /bad-stride\.csv:2: stride_bytes is 0, want 1 or more$/
3 warpstack pchase infer c/bad-ratio.csv => /bad-ratio\.csv:2: miss_ratio is '7', want a number from 0 to 1\.5$/
3 warpstack pchase infer c/bad-none.csv => /bad-none\.csv:2: no measured load of an L1 is in it$/
3 warpstack pchase infer nosuch.csv => /nosuch\.csv/
2 warpstack pchase trace c/ok-loads.csv => /trace reads no FILE, but c\/ok-loads\.csv is given/
2 warpstack pchase infer -m gtx480 c/ok-loads.csv => /a FILE and a machine/
# Curves, and what was measured beside them.
0 warpstack pchase curve -m p100 --array 26K --no-provenance --where 'array_bytes>=24K' --columns
	array_bytes,miss_ratio,basis |
	tr '\n\t' ' =' => ~ 24576=0\.000000=exact 25344=1\.000000=exact ~
0 warpstack pchase curve -m gtx480 --array 24K --stride 128 --policies lru,fifo,random --set l1.hash=modulo
	--no-provenance
	--where array_bytes=20K --columns policy,miss_ratio,basis | tr '\n\t' ' =' => ~ lru=1\.000000=exact
	fifo=1\.000000=simulated random=0\.[1-9]~
0 warpstack pchase curve -m gtx480 --like c/ok-curve.csv --no-provenance --columns
	item,array_bytes,timed_loads,walk_error_pp
	| tr '\n\t' ' =' => ~^item=array_bytes=timed_loads=walk_error_pp walk=~
0 warpstack pchase curve -q -m gtx480 --like c/ok-curve.csv --nearest --no-provenance --where item=curve --columns
	mean_abs_pp
	| tail -n 1 => ~^[0-9.]+$~
0 ?chase warpstack pchase curve -q -m titanx-pascal --like $root/../shared/data/pchase/p6000.csv --nearest
	--no-provenance
	--where item=curve --columns mean_abs_pp,largest_pp | tr '\t' ' ' => ~^0\.00 0\.00$~
0 ?chase warpstack pchase curve -q -m v100 --set sm.carveout=none --set l1.sets=64 --set l1.ways=15 --set l1.hash=ipoly
	--base 21504 --like $root/../shared/data/pchase/v100.csv --where item=curve --no-provenance --columns
	mean_abs_pp => ~^3\.33$~
2 warpstack pchase curve -m gtx480 --nearest => /--nearest goes with --like FILE/
2 warpstack pchase curve -m gtx480 --like c/ok-curve.csv --array 16K => /--like says which walks/
3 printf 'array_bytes,stride_bytes,miss_ratio\n1024,32,0\n1000000000,1,0\n' >long.csv; warpstack pchase curve -m gtx480
	--like long.csv
	=> /long\.csv: walk 2 has over 33554432 loads, want fewer$/
3 warpstack pchase curve -m gtx480 --like c/ok-loads.csv => /ok-loads\.csv: loads, want a curve/
3 warpstack pchase curve -m gtx480 --like c/bad-ratio.csv => /bad-ratio\.csv:2: miss_ratio is '7'/
2 warpstack pchase curve -m gtx480 --policies lru,nosuch => /nosuch/
# Classic means, sets, spectrum and banks.
0 warpstack pchase classic -m gtx480 --no-provenance --where array_bytes=24K --where stride_bytes=128 --columns
	timed_loads,latency_mean
	| tail -n 1 | tr '\t' ' ' => ~^192 [0-9.]+$~
# The table of sets of the P100's texture L1, by words.
0 warpstack pchase map -m p100 --array 12K --no-provenance --where line_of_set=0 --columns set,first_word,last_word | tr
	'\n\t' ' -'
	=> ~ 0-1-8 1-33-40 2-65-72 3-97-104 ~
0 warpstack pchase map -m p100 --array 12K --no-provenance --where line_of_set=4 --columns set,first_word,last_word | tr
	'\n\t' ' -'
	=> ~ 0-129-136 1-161-168 ~
0 warpstack pchase map -m p100 --array 12K --no-provenance --where 'first_word>=2969' --columns set,first_word,last_word
	| sed -n '2p;6p;10p;14p' | tr '\n\t' ' -' => ~^0-2969-2976 1-3001-3008 2-3033-3040 3-3065-3072 $~
0 warpstack pchase map -m p100 --no-provenance | cut -f 2 | grep -c '^3$' => ~^192$~
0 warpstack pchase structure -m p100 --no-provenance --columns set,ways | tr '\n\t' ' -' => ~^set-ways 0-192 1-192 2-192
	3-192 $~
0 warpstack pchase structure -m gtx480 --set l1.policy=prob:1/6,1/2,1/6,1/6 --no-provenance --where item=victim
	--columns way,victim_share
	| tr '\n\t' ' -' => ~^way-victim_share 0-0\.1[4-9][0-9] 1-0\.[45][0-9]+ 2-0\.1[4-9][0-9] 3-0\.1[4-9][0-9] $~
0 warpstack pchase spectrum -m v100 --no-provenance --where determined=yes --columns property,latency | tr '\n\t' ' -'
	=> ~^property-latency L1-30 P1-219 P4-395 $~
0 warpstack pchase spectrum -m gtx480 --set l1.size=0 --no-provenance --where determined=yes --columns property,latency
	|
	tr '\n\t' ' -' => ~^property-latency P1-155 P4-255 $~
0 warpstack pchase spectrum -m gtx480 --set tlb.l1=16 --set tlb.l2=17+6x8 --set tlb.l1.miss=60 --set tlb.l2.miss=200
	--no-provenance
	--columns property,latency | tr '\n\t' ' -' => ~^property-latency L1-35 P1-155 P2-215 P3-415 P4-255 P5-315
	P6-515 $~
0 warpstack pchase banks -m gtx480 --no-provenance --columns stride_bytes,turns,latency --where 'turns>2' | tr '\n\t' '
	-'
	=> ~ 16-4-161 32-8-309 48-4-161 64-16-605 .* 128-32-1197 ~
0 warpstack pchase banks -m gtx680 --no-provenance --columns stride_bytes,turns | tr '\n\t' ' -' => ~ 0-1 4-1 8-1 12-2
	16-2 ~
2 warpstack pchase map -m gtx480 --array 16G => /want an --array of at most 1048576/
2 warpstack pchase banks -m gtx480 --set shared.width=6 => /shared\.width/
# This processor: whatever is determined, and however busy it is.
0 ?rdtscp warpstack pchase infer -q --target cpu --seconds 3 --no-provenance --columns property |
	tr '\n' ' ' => ~sector line ways hash sets size policy loads time $~
0 ?rdtscp warpstack pchase trace -q --target cpu --array 4K --stride 512 --no-provenance | wc -l => ~^17$~
0 ?rdtscp warpstack pchase infer -q --target cpu --cache l2 --seconds 2 --no-provenance --where property=ways --columns
	unit => ~^lines$~
2 ?x86 warpstack pchase infer --target cpu --cache readonly => /--cache readonly is of a GPU/
2 warpstack pchase infer --target gpu => /gpu/
2 warpstack pchase curve --target cpu => /curve is of a machine, but --target cpu is given/
2 warpstack pchase infer --target cpu --jitter 0.1 => /--target cpu is measured: want no FILE, --jitter or --outliers/
2 warpstack pchase infer --target cpu c/ok-loads.csv => /--target cpu is measured/
# Every figure of a machine in one folder.
0 ?figures warpstack pchase report -m p100 --set l1.policy=random --set l1.ways=4 -o rep && for f in curve size stride
	access map sets
	victims spectrum banks; do grep -c '<svg' rep/$f.svg; grep -c "($f.svg)" rep/report.md; done | sort | uniq -c |
	tr -s ' ' => ~^ 18 1$~
# Lines join the points of a stride, although other strides' rows stand between them.
0 ?figures warpstack pchase classic -m v100 -q -o c.tsv; warpstack plot pchase-size c.tsv -o c.svg; tr '\n' ' ' <c.svg |
	grep -o "<path[^>]*'/>" | awk '{ n = gsub(/ L/, ""); most = n > most ? n : most } END { print (most > 9) }'
	=> ~^1$~
0 ?figures sed -n 's/<[^>]*>//g; s/^[ \t]*//; /^[0-9]*-[0-9]*$/p' rep/map.svg | sed -n '1,2p' | tr '\n' ' ' => ~^1-8
	9-16 $~
0 ?figures warpstack pchase report -m gtx480 --set l1.size=4K --set l1.ways=4 -o rep2; grep -c 'no histogram of victims'
	rep2/report.md => ~^1$~
2 warpstack pchase report -m p100 => /no -o FOLDER for the report/
4 warpstack pchase report -m p100 -o nodir/rep => /nodir\/rep/
2 ?figures warpstack pchase spectrum -m v100 -o s.tsv; warpstack plot pchase-banks s.tsv -o x.svg => /stride_bytes/
0 warpstack __completion bash >c.sh; bash -c '. ./c.sh; COMP_WORDS=(warpstack pchase spe) COMP_CWORD=2; _warpstack
	2>/dev/null; echo $COMPREPLY'
	=> ~^spectrum$~
0 warpstack __completion zsh | grep -c "1:operand:(infer trace conf curve" => ~^1$~
0 warpstack pchase --help | tr -s '\n ' ' ' | sed -n 's/.*] \(infer|[a-z|]*\) .*/\1/p' | tr '|' '\n' |
	while read -r v; do warpstack pchase $v --help |
	grep -c '^usage'; done | sort -u => ~^1$~
# What the presets say of measured GPUs.
0 ?chase for g in v100 a100; do warpstack pchase curve -m $g --like $root/../shared/data/pchase/$g.csv --where
	item=curve --no-provenance
	--columns mean_abs_pp,largest_pp | tail -n 1; done | tr '\n\t' '; ' => ~^27\.19 50\.20;1\.32 83\.92;$~
0 warpstack pchase curve -q -m gtx480 --set l1.hash=modulo --set l1.sets.ways=17+6x8 --like c/ok-curve.csv --nearest
	--where item=curve
	--no-provenance --columns mean_abs_pp | tail -n 1 => ~^0\.00$~
0 ?chase warpstack pchase curve -m titanx-pascal --like $root/../shared/data/pchase/p6000.csv --where item=curve
	--no-provenance
	--columns mean_abs_pp,largest_pp | tr '\t' ' ' => ~^0\.01 0\.40$~
# PoCL: latencies at least, and what is not determined says so.  What its LLVM leaks when it compiles the kernel
# has a stack that ends in libstdc++: nobody can say whose it is, and only the runs after are looked at.
0 ?pocl export ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0; warpstack pchase trace -q --target opencl
	--array 4K --stride 512
	--no-provenance | wc -l => ~^17$~
0 ?pocl warpstack pchase infer -q --target opencl --loads 300000 --no-provenance --columns property | tr '\n' ' '
	=> ~^property latency .*sector line ways hash sets size policy loads device time $~
0 ?pocl warpstack pchase trace -q --target opencl --array 4K --stride 512 --no-provenance | wc -l => ~^17$~
2 ?pocl warpstack pchase infer --target opencl --platform 200 => /platform 200: there are [0-9]+, from 0/
2 ?pocl warpstack pchase infer --target opencl --device 200 => /device 200: there are [0-9]+, from 0/
# Where the means of walks mislead: sets that are not equal, and random replacement.  57 and 128 lines fit; the mean is
# flat from 63 to
# 119 lines although only 65 fit, and rises up to 1024 lines although 128 fit.
0 for n in 57 58 63 64 119 120; do warpstack pchase trace -m gtx480 --set l1.hash=modulo --set l1.sets.ways=17+6x8
	--array $((n * 128))
	--stride 128 --passes 3 --no-provenance --where pass=2 --where 'latency>35' --columns load | tail -n +2 | wc -l;
	done | tr '\n' ' '
	=> ~^0 9 54 54 102 120 $~
0 for n in 128 129 160 1024; do warpstack pchase trace -m gtx480 --set l1.hash=modulo --set l1.policy=random --array
	$((n * 128))
	--stride 128 --passes 3 --no-provenance --where pass=2 --where 'latency>35' --columns load | tail -n +2 | wc -l;
	done | tr '\n' ' '
	=> ~^0 1 [4-9][0-9] 10[012][0-9] $~
# Eight warps that read an array of 204 KB again and again, of which 160 KB fit: all loads miss where they start
# together; apart they
# miss less than Belady's bound of lock step, (204 - 160) / 204, lets them.
0 ?llvm printf '%s\n' '__kernel void again(__global const double *a, __global double *out, int n, int passes)' '{'
	'double sum = 0;'
	'for (int p = 0; p < passes; p++) {' 'int i = get_local_id(0);' 'for (; i + 1792 < n; i += 2048) {'
	'double b = a[i], c = a[i + 256], d = a[i + 512], e = a[i + 768];'
	'double f = a[i + 1024], g = a[i + 1280], h = a[i + 1536], j = a[i + 1792];' 'sum += b * c + d * e + f * g + h *
	j; }'
	'for (; i < n; i += 256)' 'sum += a[i]; }' 'out[get_global_id(0)] = sum;' '}' >again.cl; for p in 3 7; do printf
	'%s\n' 'source = again.cl' '[buffers]' 'a = double 26112' 'out = double 256' '[launch]'
	'kernel = again' 'global = 256' 'local = 256' "args = a out 26112 $p" >again$p.launch; done; for l in 0 500; do
	for p in 3 7; do
	warpstack simulate again$p.launch --cycles -q -m a100 --set sm.count=1 --set sm.carveout=none --set l1.ways=320
	--set sm.launch=$l
	--no-provenance --where level=L1 --where kind=load --columns misses | tail -n 1; done; done | tr '\n' ' ' |
	awk '{ m = 6528; r = ($4 - $3) / m; print ($2 - $1) / m, (r < 0.215 && r > 0.05) }' => ~^1 1$~
# A driver that is none answers as a GPU (tests/cuda/stub.c); in PTX of a compiler's making.
0 ?stub export LD_LIBRARY_PATH=$stub; warpstack pchase infer --target cuda --no-provenance --columns property,value | tr
	'\n\t' ' ='
	=> ~sector=128 line=128 ways=4 hash=.* sets=32 size=16384 policy=lru .*device=Stub GPU time=~
0 ?stub export LD_LIBRARY_PATH=$stub; warpstack pchase infer --target cuda --cache l2 --no-provenance --where
	property=size --columns value
	=> ~^32768$~
0 ?stub export LD_LIBRARY_PATH=$stub; warpstack pchase conf --target cuda -m gtx480 | grep -c '^l1.size *= *16' => ~^1$~
0 ?stub export LD_LIBRARY_PATH=$stub WS_STUB_CUDA=drift; warpstack pchase infer --target cuda --loads 200000 -o x.tsv
	=> /latencies drift: in [0-9]+ of [0-9]+ programs, each repeated|did not suffice/
2 ?stub export LD_LIBRARY_PATH=$stub WS_STUB_CUDA=nodevice; warpstack pchase infer --target cuda => /the NVIDIA driver
	finds no GPU/
2 ?stub export LD_LIBRARY_PATH=$stub; warpstack pchase infer --target cuda --device 1 => /device 1: there are 1, from 0/
4 ?stub export LD_LIBRARY_PATH=$stub WS_STUB_CUDA=launch; warpstack pchase trace --target cuda => /the launch: CUDA
	error 719/
0 ?ptxas ptxas -arch=sm_90 -o x.cubin $stub/../../chase.ptx => -
# What means say beside single loads: the same of equal sets under LRU; else 6 sets of 9.5 lines for 17+6x8.
0 for m in l1.policy=lru l1.sets.ways=17+6x8; do warpstack pchase means -m gtx480 --set l1.hash=modulo --set $m
	--no-provenance
	--columns by_means,inferred --where property!=flat | tail -n +2; done | tr '\n\t' ' =' => ~^16384=16384 32=32
	4=4 7296=8320 6=7 9.5=8 $~
0 warpstack pchase means -m gtx480 --set l1.hash=modulo --set l1.policy=random --no-provenance --where property=sets
	--where 'by_means!=32' --columns inferred | tail -n 1 => ~^32$~
