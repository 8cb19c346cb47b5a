# Traces of warps: Accel-Sim's, NVBit's, Nugteren's, PPT-GPU's.  See tests/cli/run.
0 printf -- '-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n-accelsim tracer version =
	3\n\n#traces\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 3\n0010 ffffffff 1 R4 LDG.E 1 R2 4 1 0x10000 4
	\n0020 ffffffff 0 STG.E 1 R4 4 1 0x40000 4 \n0030 ffffffff 0 EXIT 0 0 \nwarp = 1\ninsts = 1\n0010 00000001 1 R4
	LDG.E 1 R2 4 2 0x10000 \n#END_TB\n' >k.traceg; warpstack info k.traceg
	=> /note: k\.traceg: read as accel-sim: 1 launch, 2 warps, 65 lane accesses$/
# A file may have fewer CTAs than its grid.
0 sed 's/(1,1,1)/(5,2,1)/' k.traceg >some.traceg; warpstack info some.traceg
	=> /read as accel-sim: 1 launch, 20 warps, 65 lane accesses; k has 1 of its 10 CTAs there$/
0 printf 'k.traceg\nsome.traceg\nsome.traceg\n' >some.g; warpstack info some.g
	=> /195 lane accesses; k has 1 of its 10 CTAs there, and so 1 more launch$/
0 warpstack predict -q k.traceg --no-provenance --by site --columns kernel,array,source,${rows#kernel,}
	=> ~^k	range1	pc:32	L1	lru	16384	32	4	128	store	1	~
0 warpstack predict -q k.traceg --no-provenance --kind load --columns $rows
	=>
	~^k	L1	lru	.*	load	2	1	0	1	.*	0\.500000	exact~
3 sed 's/insts = 3/insts = 4/' k.traceg >bad.traceg; warpstack predict bad.traceg
	=> /bad\.traceg:14: warp 0 of thread block 0,0,0 has 3 instructions, but insts = 4$/
3 head -c 200 k.traceg | warpstack predict -q => /\(standard input\):[0-9]+: /
3 sed 's/(1,1,1)/(1152921504606846976,1,1)/' k.traceg | warpstack predict -q
	=> /\(standard input\):6: launch 0: a grid of 1152921504606846976x1x1 CTAs/
3 tr '\020' '\000' <k.traceg | sed 's/warp = 1/warp = \x00/' | warpstack predict -q
	=> /a zero byte within a line of text$/

# Lists: in their folder, files packed since, those that are not there, pipes.
0 mkdir -p d && printf 'MemcpyHtoD,0x0000000000010000,64\nkernel-1.traceg\nkernel-1.traceg\n' >d/kernelslist.g &&
	cp k.traceg d/kernel-1.traceg && warpstack info d/kernelslist.g
	=> /read as accel-sim: 2 launches, 4 warps, 130 lane accesses$/
0 warpstack convert -q d/kernelslist.g -o plain.wst && xz d/kernel-1.traceg && warpstack convert -q d/kernelslist.g |
	cmp - plain.wst => -
# Traces and profiles of our own, packed.
0 warpstack profile plain.wst -m gtx480 -o plain.wsp; for p in 'gzip -c' 'xz -c' 'zstd -qc'; do
	$p plain.wst >p.wst.p; $p plain.wsp >p.wsp.p; $p plain.wst | warpstack convert -o q.wst && cmp q.wst plain.wst;
	warpstack predict p.wst.p -m gtx480 --no-provenance --columns misses | tail -n 1;
	warpstack predict p.wsp.p --no-provenance --columns misses | tail -n 1; done | sort -u | wc -l => ~^1$~
3 head -c 300 plain.wst | xz >cut.wst.xz; warpstack info cut.wst.xz => /^warpstack: cut\.wst\.xz: /
3 xz -c plain.wst | head -c 100 >cut.wst.xz; warpstack info cut.wst.xz => /^warpstack: cut\.wst\.xz: /
3 { cat plain.wst; head -c 300000000 /dev/zero; } | zstd -q >zero.wst.zst; warpstack info zero.wst.zst
	=> /zero\.wst\.zst: offset [0-9]+: 32 MiB unpacked so far, want at most 16384 times what is packed$/
0 cd d && warpstack convert -q <kernelslist.g | cmp - ../plain.wst => -
0 printf 'MemcpyHtoD,0x0,64\n' >d/none.g; warpstack info d/none.g
	=> /d\/none\.g: read as accel-sim: no kernel is in it: there is nothing to count$/
0 for c in predict simulate 'simulate --cycles' 'sweep --vary l1.ways=2,4' crosscheck 'crosscheck --cycles' 'softcache
	--by launch' 'softcache --by traffic' 'simulate --cycles --format gpgpusim'; do rm -f none.tsv;
	warpstack $c -q d/none.g -o none.tsv && test -e none.tsv || { echo "$c"; exit 1; }; done => -
3 printf 'kernel-1.traceg\nkernel-2.traceg\n' >d/two.g; warpstack convert -q d/two.g -o two.wst
	=> /d\/kernel-2\.traceg: No such file or directory$/
1 ls two.wst 2>/dev/null | grep . || { echo warpstack: >&2; false; } => -
3 printf 'kernel-9.traceg\n' >d/fifo.g; mkfifo d/kernel-9.traceg; warpstack convert -q d/fifo.g
	=> /d\/kernel-9\.traceg: no regular file$/

# Each launch by itself, or together; the same counts whoever asks.
0 printf 'kernel-1.traceg\nj.traceg\nkernel-1.traceg\n' >d/three.g; sed 's/name = k/name = j/' k.traceg >d/j.traceg;
	warpstack predict -q d/three.g --kind all --no-provenance --columns $rows | cut -f1,9 | sed 1d | tr '\n\t' ' ='
	=> ~^k#1=3 j=3 k#3=3 $~
0 warpstack predict -q d/three.g --kind all --no-provenance --per kernel --columns $rows | cut -f1,9 | sed 1d |
	tr '\n\t' ' =' => ~^k=6 j=3 $~
0 warpstack convert -q d/three.g -o three.wst && warpstack predict three.wst --kind all --no-provenance --columns $rows
	| cut -f1,9 | sed 1d | tr '\n\t' ' =' => ~^k=6 j=3 $~
0 warpstack predict -q d/three.g --no-provenance --columns $rows >a &&
	warpstack predict three.wst --per launch --no-provenance --columns $rows | cmp - a &&
	warpstack profile three.wst --per launch -o three.wsp &&
	warpstack predict three.wsp --no-provenance --columns $rows | cmp - a => -
0 warpstack simulate three.wst --per launch --no-provenance --columns $rows | cut -f1,9-15 >b && cut -f1,9-15 a |
	cmp - b => -
0 warpstack crosscheck three.wst --per launch --vary l1.policy=lru,fifo | tail -n 1
	=> ~ configurations=2 rows=6 outside=0 ~
0 warpstack sweep three.wst --per launch --vary l1.ways=2,4 --by array --no-provenance --columns
	l1.ways,kernel,array,source,${rows#kernel,} | cut -f2 | sed 1d | sort -u | tr '\n' ' ' => ~^j k#1 k#3 $~
2 warpstack predict three.wsp --per launch
	=> /--per=launch: a profile was made per kernel or per launch: want the trace/
2 warpstack plot access three.wst --kernel k#2 -o x.svg => /kernel k#2 is not in three\.wst, whose first is k#1$/
2 warpstack plot access -q d/three.g --kernel l -o x.svg => /kernel l is not in d\/three\.g, whose first is k$/
0 sed 's/name = k/name = k#3/' k.traceg >d/j.traceg; warpstack predict -q d/three.g --kind all --no-provenance --columns
	$rows | cut -f1 | sed 1d | tr '\n' ' ' => ~^k#1 k#3#2 k#3 $~
0 yes kernel-1.traceg | head -n 65 >d/many.g; warpstack predict -q d/many.g --kind all --no-provenance --columns $rows |
	cut -f1,9 | sed 1d => ~^k	195$~

# Cut off in the header, or behind it.
3 head -n 2 k.traceg | warpstack predict
	=> /\(standard input\):2: an Accel-Sim trace without thread blocks: cut off in its header\?$/
3 sed '/^#traces/q' k.traceg >cut.traceg; warpstack predict -q cut.traceg -m v100
	=> /cut\.traceg:6: none of the grid's thread blocks is there: cut off before the first #BEGIN_TB\?$/

# --from, wherever a trace is read.
0 printf '0 1000\n1 1044\n' >f.din; for c in predict 'sweep --vary l1.ways=1' simulate crosscheck info 'profile -o
	f.wsp' 'convert -o f.wst'; do warpstack $c -q f.din --from din >/dev/null || exit 1; done => -
3 warpstack predict f.din --from lackey => /f\.din:1: '0 1000' is no line of lackey/
3 warpstack info f.din --from wst => /f\.din: no trace of the format wst$/
2 warpstack predict three.wst --from din => /--from=din: three\.wst is a trace of warpstack's own$/
2 warpstack predict three.wsp --from wst => /--from=wst: three\.wsp is a profile of warpstack's own$/
2 warpstack info f.din --from dim => /--from=dim: unknown format, did you mean 'din'/

# Written: a launch to a file, several to a list; the same predictions.
0 warpstack convert -q k.traceg --to accel-sim | sed -n '/^0010/p' | head -n 1
	=> ~^0010 ffffffff 1 R0 LDG\.E 0 4 1 0x10000 4 0 $~
0 warpstack convert -q k.traceg --to accel-sim | warpstack predict -q --no-provenance --columns $rows | cut -f2- >a &&
	warpstack predict -q k.traceg --no-provenance --columns $rows | cut -f2- | cmp - a => -
2 warpstack convert -q d/kernelslist.g --to accel-sim -o two.traceg
	=> /has 2 launches, and accel-sim has one in a file: want an output called NAME\.g/
0 mkdir -p e && warpstack convert -q d/kernelslist.g --to accel-sim -o e/all.g && cat e/all.g &&
	warpstack predict -q e/all.g --per launch --no-provenance >a && warpstack predict plain.wst -q --per launch
	--no-provenance | cmp - a
	=> ~^kernel-2-all\.traceg$~
0 warpstack convert -q plain.wst --to accel-sim -o e/kernelslist.g && ls e | tr '\n' ' '
	=> ~^all\.g kernel-1-all\.traceg kernel-1\.traceg kernel-2-all\.traceg kernel-2\.traceg kernelslist\.g $~
0 ?llvm for k in mm-tiled histogram; do warpstack trace data/kernel/$k.launch -o $k.wst &&
	warpstack convert $k.wst --to accel-sim -o e/$k.g &&
	warpstack predict $k.wst -m v100 --no-provenance --kind each >a &&
	warpstack predict -q e/$k.g -m v100 --no-provenance --kind each | cmp - a || exit 1; done => -
0 printf '0 1000\n1 1044\n0 2000\n' | warpstack convert -q --to accel-sim -o one.traceg &&
	printf '0 1000\n1 1044\n0 2000\n' | warpstack predict -q --no-provenance >a &&
	warpstack predict -q one.traceg --no-provenance | cmp - a => -

# As Accel-Sim's parser takes it: files/accel-sim.awk, which says nothing then, and where an EXIT is missing else.
0 ?llvm for k in mt-16x2 mm-16x3 mm-tiled histogram divergent; do
	awk -v from=data/kernel -f "$files/smaller.awk" data/kernel/$k.launch | warpstack trace - -q -o $k.wst &&
	mkdir -p form && warpstack convert -q $k.wst --to accel-sim -o form/$k.g || exit 1; done;
	for f in form/*.traceg; do awk -f $files/accel-sim.awk $f; done; grep -v EXIT form/kernel-1-mm-tiled.traceg |
	awk -f $files/accel-sim.awk || ls form | wc -l => ~^-:1999: insts = 1974, but 1973 lines$~
0 ls form | tr '\n' ' ' => ~^divergent\.g .* mt-16x2\.g $~
0 printf 'blocksize: 45 1 1\n0 0 4096 4\n44 1 4100 4\n' | warpstack convert -q --to accel-sim >blocks.traceg &&
	awk -f $files/accel-sim.awk blocks.traceg && grep -c 'EXIT' blocks.traceg => ~^2$~
0 grep -B 1 EXIT blocks.traceg | tail -n 1 => ~^0000 00001fff 0 EXIT 0 0 0 $~

# The others.
0 printf 'blocksize: 64 1 1\n0 0 4096 4\n1 0 4100 4\n40 1 8192 4\n' | warpstack info
	=> /read as nugteren: 1 launch, 2 warps, 3 lane accesses$/
3 printf 'blocksize: 64 1 1\n0 0 18446744073709551615 4\n' | warpstack info
	=> /:2: '0 0 18446744073709551615 4': an access past the end of the address space$/
0 printf 'blocksize: 64 1 1\n0 0 18446744073709551615 1\n' | warpstack info
	=> /read as nugteren: 1 launch, 2 warps, 1 lane access$/
0 printf '\357\273\277R 0x1000 4\nW 0x2000 4\n' | warpstack info => /read as plain: 1 launch, 1 warp, 2 lane accesses$/
0 { printf '\357\273\277'; cat k.traceg; } | warpstack convert -q >a && warpstack convert -q k.traceg | cmp - a => -
0 printf '\n=====\nLDG.E 0x1000 0x1004 \n' | warpstack info => /read as ppt-gpu: 1 launch, 1 warp, 2 lane accesses$/
0 { echo NVBit; printf 'MEMTRACE: CTX 0x0 - LAUNCH - Kernel pc 0x0 - Kernel name k - grid launch id 0 - grid size 1,1,1
	- block size 32,1,1 - nregs 8 - shmem 0 - cuda stream id 0\nMEMTRACE: CTX 0x0 - grid_launch_id 0 - CTA 0,0,0 -
	warp 0 - LDG.E -'; seq 4096 4127 | xargs printf ' 0x%x'; echo; } | warpstack info
	=> /read as nvbit: 1 launch, 1 warp, 32 lane accesses$/
3 printf '\001\000' | warpstack predict
	=> /an unknown kind of file: want a trace, a profile or a launch file, or one of accel-sim, nvbit, /

# Recorded on a GPU.
0 ?recorded warpstack sweep -q "$root/../shared/data/accel-sim/bfs-kernelslist.g" -m v100 --vary l1.size=16K:128K:x2
	--vary l1.policy=lru,srrip --no-provenance --columns l1.size,l1.policy,$rows | sed 1d | cut -f3,11,12 | sort |
	uniq -c | tr -s ' \t' ' ' => bfs-launches.txt
0 ?recorded warpstack predict -q "$root/../shared/data/accel-sim/bfs-kernelslist.g" -m v100 --per kernel --kind all
	--no-provenance --columns $rows | cut -f1,9,10 => ~^Kernel	799	291$~
0 ?recorded warpstack info "$root/../shared/data/accel-sim/bfs-kernelslist.g"
	=> /read as accel-sim: 4 launches, 512 warps, 17207 lane accesses$/
0 ?recorded warpstack info "$root/../shared/data/accel-sim/vectoradd-kernel-1.traceg"
	=> /read as accel-sim: 1 launch, 1568 warps, 150000 lane accesses$/
# R6 of two S2Rs' results, then R10 of R6: the load comes last of a chain of three
0 ?recorded warpstack info -q --format json "$root/../shared/data/accel-sim/bfs-kernel-2.traceg"
	=> ~"gap":10,"use":1,"chain":3,"code":0,"code_end":160}~

# a sample by the time that there is: what was chosen gives the same bytes again
0 awk 'BEGIN { for (i = 0; i < 3000; i++) printf "0 %x\n", i * i % 9000 * 4 }' >auto.din;
	warpstack profile auto.din --sample auto --time 5min -o a.wsp 2>said;
	grep -c 'note: --sample 1: some 3e+03 requests' said;
	warpstack profile -q auto.din --sample 1 -o b.wsp; cmp a.wsp b.wsp => ~^1$~
0 warpstack profile auto.din --sample auto --time .001ms -o a.wsp 2>said;
	grep -c 'sample 1e-06.*no rate takes less' said;
	warpstack profile -q auto.din --sample 1e-6 -o b.wsp; cmp a.wsp b.wsp => ~^1$~
# of predict and sweep: all their profiles
0 warpstack predict auto.din --sample auto --time .001ms --runs 2 2>said >a.tsv;
	grep -c 'sample 1e-06: some 6e+03 requests.*no rate takes less' said;
	warpstack predict -q auto.din --sample 1e-6 --runs 2 >b.tsv; tail -n +2 a.tsv >a; tail -n +2 b.tsv >b;
	cmp a b => ~^1$~
0 warpstack sweep auto.din --vary l1.hash=modulo,xor --sample auto --time 5min 2>said >a.tsv;
	grep -c 'note: --sample 1: some 6e+03 requests' said;
	warpstack sweep -q auto.din --vary l1.hash=modulo,xor >b.tsv; tail -n +2 a.tsv >a; tail -n +2 b.tsv >b;
	cmp a b => ~^1$~
2 warpstack sweep auto.din --vary l1.ways=1,2 --sample auto --time 1s --part 1/2 => /each part would choose a rate/
2 warpstack sweep auto.din --vary l1.ways=1,2 --sample auto => /--sample=auto: want --time TIME too/
2 warpstack predict -q auto.din --by array --sample auto --time 1s => /--by and --sample: a sample has no misses/
2 warpstack profile auto.din --sample auto => /--sample=auto: want --time TIME too/
2 warpstack profile auto.din --time 10s => /--time: want --sample auto too/
2 warpstack profile auto.din --sample auto --time 3d => /--time=3d: want a time, as in 10s/
2 warpstack profile auto.din --sample auto --time 0 => /--time=0: want a time/
