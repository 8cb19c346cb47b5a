# A thread-private software cache: softcache, and the figure softcache-lines.  See tests/cli/run.
0 ?llvm warpstack trace data/kernel/records.launch -o r.wst && warpstack trace data/kernel/bfs.launch -o bfs.wst &&
	for k in h:histogram s:spmv-csr; do awk -v from=data/kernel -f "$files/smaller.awk" data/kernel/${k#*:}.launch |
	warpstack trace - -o ${k%:*}.wst || exit; done => -

# The same kernels with less to do: 512 threads, two CTAs, of the 4096; 40 records a thread of the 400; few work-groups.
0 ?llvm sed 's,^source = ,&data/kernel/,; s/1638400/204800/; s/= 4096$/= 512/' data/kernel/records.launch >q.launch &&
	warpstack trace q.launch -o q.wst && sed 's/204800/163840/; s/= 512$/= 4096/; s/ 400$/ 40/' q.launch |
	warpstack trace - -o p.wst && for k in bfs degree; do
	awk -v from=data/kernel -f "$files/smaller.awk" data/kernel/$k.launch | warpstack trace - -o few-$k.wst; done
	=> -

# The text's example: a character and an integer in, an integer out; lines are given in the order of
# its rule.  100 turns of 4096 threads are monitored, 93 of 100 characters hit, 75 integers.
0 ?llvm warpstack softcache q.wst --lines 0:3:+1 --by launch --no-provenance --columns $launches | cut -f7 | tail -n 4 |
	tr '\n' ' ' => ~^ char_in char_in,int_in char_in,int_in,out $~
0 ?llvm warpstack softcache r.wst --lines 1 --no-provenance --columns $structures | cut -f7,13,14,16 | tail -n 4 |
	tr '\t\n' '  ' => ~^char_in 380928 1 chosen int_in 307200 2 fewer hits out 307200 3 fewer hits all 995328   $~
0 ?llvm warpstack softcache r.wst --lines 0 --no-provenance --columns $structures | cut -f7,15,16,22 | sed -n 2p
	=> ~^char_in	0	no line	1638400$~
0 ?llvm warpstack softcache r.wst --format json --no-provenance | head -n 1
	=>
	~^{"machine":"gtx480","kernel":"records",.*"structure":"char_in","access":"read-only",.*"soft_hit_ratio":0\.93~
# CLN = floor(floor(48 KB / threads) / 16), of 256 threads a CTA and two CTAs for each of the eight SMs.
0 ?llvm warpstack softcache p.wst --by launch --set sm.shared=48K --set sm.count=2 --vary sm.ctas=1:6:+1 --no-provenance
	--columns sm.ctas,$launches | cut -f1,5,6,7 | tail -n 6 | tr '\t\n' ' ,'
	=> ~^1 256 192 12,2 512 96 6,3 768 64 4,4 1024 48 3,5 1280 38 2,6 1536 32 2,$~
0 ?llvm warpstack softcache p.wst --by launch --set sm.shared=48K --vary sm.ctas=2,4 --line 4:256:x4 --no-provenance
	--columns sm.ctas,$launches | cut -f1,3,7 | tail -n 8 | tr '\t\n' ' ,'
	=> ~^2 4 24,2 16 6,2 64 1,2 256 0,4 4 24,4 16 6,4 64 1,4 256 0,$~
# Registers: 60 and 2 + 2 + 3.
0 ?llvm warpstack softcache q.wst --by launch --registers 60 --set sm.registers=32768 --set sm.count=1 --no-provenance
	--columns $launches | tail -n 1 | cut -f16-18,20-22 => ~^6	7	7	2	1	registers$~

# As simulated, to the last count, with barriers and atomics too; nothing is left out.
0 ?llvm for f in q.wst 'bfs.wst --kernel bfs_level#4' h.wst s.wst; do
	o='--threshold 3,40 --line 16 --lines 2 --no-provenance';
	warpstack softcache $f $o --simulate --columns $structures >a || echo $f;
	warpstack softcache $f $o --aliased --columns $structures | cmp a -; done; grep -c '	1	chosen	' a
	=> ~^[1-9]~
0 ?llvm warpstack softcache bfs.wst --lines 2 --threshold 3 --no-provenance --columns $structures |
	awk -F'\t' '$7 == "all" { for (i in s) if (s[i] != $i) exit 1; delete s; n++; next } NR > 1 { for (i = 9;
	i <= 22; i++) if (i < 14 || i == 17 || i == 18 || i > 19) s[i] += $i } END { print n }' => ~^9$~
0 ?llvm warpstack softcache h.wst --lines 3 --threshold 2 --no-provenance --columns $structures | awk -F'\t' 'NR > 1 &&
	$7 != "all" && $15 == 0 && $22 != $9 + $10 + $11 { exit 1 }' => -
0 ?llvm warpstack softcache few-bfs.wst --by launch --threads 1 >a; warpstack softcache few-bfs.wst --by launch
	--threads 2 >b;
	sed 1d a >c; sed 1d b | cmp - c => -

# Each thread chooses: as simulated, another choice than the launch's, nothing left out, one threshold as
# among several, and the same in traces.
0 ?llvm warpstack trace data/kernel/degree.launch -o d.wst && for f in few-degree.wst 'bfs.wst --kernel
	bfs_level#4' h.wst s.wst;
	do warpstack softcache $f --choice thread --threshold 3,40 --lines 1,2 --simulate --no-provenance >a || echo $f;
	done => -
0 ?llvm for c in launch thread; do warpstack softcache d.wst --choice $c --threshold 5 --lines 1 --no-provenance
	--columns $structures | cut -f7,14-18,23 | sed -n 2,3p | tr '\t\n' ' ,'; done
	=> ~^row 1 1 chosen 0 0 12403,column 2 0 fewer hits 0 0 0,row  1 chosen 0 0 9322,column  1 chosen 34802 13512
	2303,$~
0 ?llvm warpstack softcache d.wst --choice thread --threshold 5 --lines 1,2 --no-provenance --columns $structures >a;
	warpstack softcache d.wst --choice thread --threshold 3,5 --lines 1,2 --no-provenance --columns $structures |
	awk -F'\t' 'NR == 1 || $3 == 5' | cmp - a => -
0 ?llvm warpstack softcache d.wst --choice thread --threshold 5 --lines 1 --by launch --trace o.wst --no-provenance
	--columns $launches | cut -f12 | tail -n 1 >a; warpstack info o.wst | awk -F'\t' '$2 == "accesses" {
	print $3 }' | cmp - a => -

# The requests that are left: with warps of one lane, accesses; without a line, all.
0 ?llvm warpstack softcache s.wst --by launch --simulate --set warp.width=1 --set sm.warps=256 --lines 0,3 --threshold
	20 --no-provenance --columns $launches | awk -F'\t' 'NR > 1 { if ($23 != $11 || $26 != $12) exit 1; n++ } END {
	print n }' => ~^2$~
0 ?llvm warpstack softcache s.wst --by launch --simulate --lines 0 --no-provenance --columns $launches | tail -n 1 |
	cut -f23-25 >a; warpstack simulate s.wst --order nominal --no-provenance --columns $rows |
	awk -F'\t' '$8 == "load" { l = $12 } $8 == "all" { print $9 "\t" $12 "\t" l }' | cmp a - && cat a => ~^[1-9]~
0 ?llvm warpstack softcache s.wst --by launch --simulate --lines 0 --no-provenance --columns $launches |
	awk -F'\t' 'NR > 1 && ($23 != $26 || $24 != $27 || $25 != $28) { exit 1 }' => -

# Requests of warps: derived as simulated.
0 ?llvm for f in s.wst few-degree.wst h.wst; do warpstack softcache $f --by launch --lines 2 --threshold 9
	--line 4,64 --vary
	l1.line=32,128 --no-provenance --columns l1.line,$launches | cut -f1,24,27 >a;
	warpstack softcache $f --by launch --lines 2 --threshold 9 --line 4,64 --vary l1.line=32,128 --simulate
	--no-provenance --columns l1.line,$launches | cut -f1,24,27 | cmp - a || echo $f; done;
	warpstack softcache d.wst --by launch --choice thread --no-provenance --columns $launches | cut -f23,26 |
	tail -n 1 | tr '\t' ' ' => ~^ $~

# Traces with the cache put in: as many accesses as counted, without a line the same bytes; rows of
# traffic are what the rest of the tool says of such a trace.
0 ?llvm for k in mm-16x2 mt-8 bfs histogram spmv-csr nw mm-tiled kmeans gaussian lud hotspot backprop streamcluster
	heartwall particle cfd lps btree divergent degree; do l=data/kernel/$k.launch;
	test $k = mt-8 || { awk -v from=data/kernel -f "$files/smaller.awk" $l >k.launch && l=k.launch; };
	warpstack trace $l -o k.wst;
	warpstack softcache k.wst --by launch --lines 2 --threshold 20 --trace o.wst --no-provenance --columns $launches
	| awk -F'\t' 'NR > 1 { n += $12 } END { print n }' >a; warpstack info o.wst | awk -F'\t' '$2 == "accesses" {
	print $3 }' | cmp a - || echo $k; done => -
0 ?llvm for f in h.wst bfs.wst; do warpstack softcache $f --lines 0 --trace o.wst >a; cmp $f o.wst; done => -
0 ?llvm warpstack softcache q.wst --line 1 --aliased --set sm.shared=1G --set sm.count=1 --trace o.wst --by
	launch --no-provenance
	--columns $launches | cut -f6 | tail -n 1 => ~^2097152$~
0 ?llvm warpstack softcache few-bfs.wst --lines 2 --threshold 3 --set l2.size=48K --trace o.wst --by traffic
	--no-provenance
	--columns $traffic | awk -F'\t' 'NR > 10 { print $1 " " $15 " " $16 " " $18 " " $19 }' >a;
	warpstack predict o.wst --set l2.size=48K --per launch --level all --kind all --no-provenance --columns $rows |
	awk -F'\t' '$2 == "L1" { a[++m] = $1 " " $9 " " $12 } $2 == "L2" { print a[++n] " " $9 " " $12 }' | cmp a - &&
	wc -l <a => ~^ *9$~
0 ?llvm warpstack softcache s.wst --lines 2 --threshold 9 --trace o.wst --by traffic --cycles --no-provenance --columns
	$traffic | awk -F'\t' 'NR > 1 { print $24 " " $25 " " $26 " " $13 }' >a; for f in s.wst o.wst; do
	warpstack simulate $f --cycles --no-provenance --columns $rows,$fails,$timed | awk -F'\t' '$2 == "L1" &&
	$8 == "all" { print $28 " " $42 " " $43 " " $29 }'; done | cmp a - && wc -l <a => ~^ *2$~
0 ?llvm warpstack softcache q.wst --lines 2 --registers 60 --set sm.registers=32768 --set sm.count=1 --by traffic
	--trace o.wst --no-provenance --columns $traffic | cut -f2,5-11 | tail -n 2 | tr '\t\n' ' ,';
	warpstack info o.wst | grep -E 'registers|shared' | cut -f3 | tr '\n' ' '
	=> ~^none   0 60 2 512 registers,software 2 2 8192 67 1 256 registers,8192 67 $~
0 ?llvm warpstack softcache q.wst --lines 2 --registers 60 --set sm.registers=15361 --set sm.count=1 --by traffic
	--format json --no-provenance | tail -n 1
	=> ~"cycles":null,"simulated_cycles":null,.*"software",.*"ctas":0,"sm_threads":0,"limit":"registers",~
0 ?llvm warpstack softcache h.wst --by traffic --line 4,16 --threshold 2 --threads 1 --format csv >a;
	warpstack softcache h.wst --by traffic --line 4,16 --threshold 2 --threads 2 --format csv | sed 1d >b;
	sed 1d a | cmp - b && grep -c software b => ~^4$~
2 ?llvm warpstack softcache r.wst --trace o.wst --lines 1,2
	=> /--trace is of one line size, threshold and number of lines/
2 ?llvm warpstack softcache r.wst --trace o.wst --vary sm.ctas=1,2 => /--trace and --vary: it is of one machine/
2 ?llvm cp r.wst same.wst; warpstack softcache same.wst --lines 2 --trace ./same.wst
	=> /--trace=\./same\.wst is the input too: want another file/
2 warpstack softcache x.launch --transform --emit-llvm x --trace x => /--emit-llvm=x is --trace too: want another file/
2 ?llvm warpstack softcache r.wst --trace - => /--trace=-: want a file of its own/
2 ?llvm warpstack softcache r.wst --cycles => /--cycles wants --by traffic/
2 ?llvm warpstack softcache r.wst --by traffic --simulate => /--simulate wants --by structure or launch/
0 ?llvm warpstack softcache q.wst --by traffic --set l1.policy=opt --no-provenance --columns $traffic | grep -c
	'	opt	\|approx'
	=> ~[1-9]~
2 ?llvm warpstack softcache r.wst --by traffic --vary l1.organisation=line,dycache:50
	=> /knows line and sector only, not dycache: ask for --by launch --simulate/

# Kernels rewritten and run: the same bytes, the same counts, and as many loads as of launches with the
# cache put into their trace; what does not go together.
0 ?llvm warpstack softcache q.launch --transform --lines 0:3:+1 --emit-llvm k.ll --no-provenance
	--columns $transformed | cut -f4-11,18,19 | tail -n 4 | tr '\t\n' ' ,'; grep -c '^define .*@__ws_body(' k.ll
	=> ~^0 0 153600 124416 0 0 0 0 0 0,1 1 153600 124416 143872 9728 0 0 0 0,2 2 153600 124416 259072 48128 0
	0 0 0,3 3 153600 124416 374272 86528 38400 614400 0 0,4$~
# A constant of program scope is an array of the launch, and of no argument.
0 ?llvm { echo '__constant float t[4] = { 1, 2, 3, 4 };'; echo '__kernel void k(__global float *a, __global float *b)';
	echo '{ int i = get_global_id(0); b[i] = a[i] + a[2 * i] * t[i & 3]; }'; } >t.cl;
	{ echo 'source = t.cl'; echo '[buffers]'; echo 'a = float 128 random'; echo 'b = float 64'; echo '[launch]';
	echo 'kernel = k'; echo 'global = 64'; echo 'local = 32'; echo 'args = a b'; } >t.launch;
	warpstack softcache t.launch --transform --lines 1 --threshold 2 --columns wrong_bytes,different_counts
	--no-provenance | tail -n 1 | tr '\t' ' ' => ~^0 0$~
0 ?llvm warpstack softcache data/kernel/histogram.launch --transform --lines 2 --threshold 2 --aliased --format json
	--no-provenance | tr '\n' ' ' => ~^{"kernel":"histogram_global",.*"different_counts":0,"wrong_bytes":0}
	{"kernel":"histogram_local",.*"different_counts":0,"wrong_bytes":0} $~
0 ?llvm warpstack softcache q.launch --transform --lines 2 --trace t.wst --columns $transformed >a;
	warpstack softcache q.wst --lines 2 --trace o.wst --columns $structures >a; for f in t.wst o.wst; do
	warpstack simulate $f --no-provenance --columns $rows | awk -F'\t' '$8 == "load" { print $9 }'; done | uniq |
	wc -l => ~^ *1$~
2 ?llvm warpstack softcache r.wst --transform => /r.wst is no launch file: --transform runs kernels/
2 warpstack softcache r.wst --emit-llvm k.ll => /--emit-llvm wants --transform/
4 ?llvm warpstack softcache data/kernel/divergent.launch --transform --emit-llvm none/x.ll
	=> /^warpstack: none/x.ll: No such file or directory$/
2 warpstack softcache r.wst --transform --by launch => /--transform does not go with --by/
2 warpstack softcache r.wst --transform --choice thread => /--transform does not go with --choice/
3 ?llvm printf 'kernel void k(volatile global int *a) {\n\ta[get_global_id(0)]++; }\n' >v.cl;
	printf 'source = v.cl\n[buffers]\na = int 64\n[launch]\nkernel = k\nglobal = 64\nlocal = 32\nargs = a\n'
	>v.launch; warpstack softcache v.launch --transform --lines 1
	=> /kernel k, line 2: no software cache: a volatile or atomic access must reach memory/

# Launches by name.
0 ?llvm warpstack softcache bfs.wst --kernel bfs_level#4 --threshold 3 --by launch --no-provenance --columns $launches |
	cut -f1,7 => ~^bfs_level#4	row$~
0 ?llvm warpstack softcache bfs.wst --kernel bfs_level --by launch --no-provenance | wc -l => ~^9$~
2 ?llvm warpstack softcache bfs.wst --kernel bfs_lev => /no launch of a kernel bfs_lev in bfs.wst/

# What is refused.
2 ?llvm warpstack softcache r.wst --line 24 => /a line of 24 bytes: want a power of two 1\.\.256/
2 ?llvm warpstack softcache r.wst --line 512 => /a line of 512 bytes/
2 ?llvm warpstack softcache r.wst --threshold 0 => /a threshold of 0: want 1\.\.1024/
2 ?llvm warpstack softcache r.wst --lines 257 => /--lines 257: want 0\.\.256/
2 ?llvm warpstack softcache r.wst --lines 3:1:+1 => /--lines 3:1:\+1: want a,b,c, LO:HI:\+STEP/
2 ?llvm warpstack softcache r.wst --line 4:256:x1 => /--line 4:256:x1: want/
2 ?llvm warpstack softcache r.wst --line '' => /--line : want/
2 ?llvm warpstack softcache r.wst --threshold 1:1000:+1 => /at most 64 values/
2 ?llvm warpstack softcache r.wst --set warp.width=1 => /a CTA of 256 warps/

# Help, and the figure.
0 warpstack softcache --help | tr -s ' \n' '  ' => ~--simulate .*CLN = floor\(floor\(shared memory free ~
0 ?figures warpstack plot softcache-lines r.wst -o t.svg && grep -c '<svg' t.svg => ~^1$~
2 ?figures warpstack plot softcache-lines r.wst --kernel nn -o t.svg => /kernel nn is not in /
