# SPDX-License-Identifier: GPL-3.0-or-later
# Configurations of GPGPU-Sim and Accel-Sim: cache strings in words, files as machines, machines
# as files.  The reader's own tests are tests/machine/t-gpgpusim*.c.
0 warpstack machine --explain S:4:128:64,L:T:m:L:L,A:384:48,16:0,32 --no-provenance => explain.tsv
0 warpstack machine --explain 16:256:8,L:B:m:W,A:16:4,4
	=> ~^size	32768	bytes	32 KB = 16 sets x 8 ways x 256 bytes~
0 warpstack machine --explain 16:256:8,L:B:m:W,A:16:4,4 => ~^form	3\.0		before July 2013~
0 warpstack machine --explain N:4:128:256,L:R:m:N:L,T:512:8,128:2
	=> ~^reorder	128		entries of the reorder buffer$~
0 warpstack machine --explain S:32:128:24,L:B:m:L:P,A:192:4,32:0,32 v100
	=> ~^all as L2	6291456	bytes	6 MB = 64 slices x 96 KB$~
0 warpstack machine --explain S:64:128:8,L:B:m:L:L,A:256:4,4:0,32 --set l2.slices=6
	=> ~^all as L2	393216	bytes	384 KB = 6 slices x 64 KB$~
0 warpstack machine --explain S:1:128:512,L:L:s:N:L,A:256:8,16:0,32 --format json
	=> ~^\{"field":"sets","value":"1","unit":"sets",~
0 warpstack machine --explain S:8:128:2,B:T:m:N:P,A:256:8,16
	=> ~^note			set index: GPGPU-Sim itself has P for 16, 32 and 64 sets only$~
# The strings of the presets of others.
0 while read -r name string kb slices all; do case $name in '#'*) continue ;; esac; set --; [ $slices = - ] ||
	set -- --set l2.slices=$slices --set dram.channels=0;
	warpstack machine --explain $string --no-provenance "$@" >c || exit 1;
	grep -q "^size	$((kb * 1024))	bytes" c && { [ $slices = - ] ||
	grep -q "^all as L2	$((all * 1024))	bytes" c; } && echo same || echo "$name";
	done <"$root/tests/cli/presets.txt" | sort | uniq -c | tr -s ' ' => ~^ 36 same$~
0 warpstack machine --explain none => ~^none			there is no such cache$~
2 warpstack machine --explain S:4:128:64,L:Q:m:L:L,A:384:48,16:0,32
	=> /--explain=S:4:128:64,L:Q:m:L:L,A:384:48,16:0,32: character 14: 'Q': want R, B, T, E or L, what a store
	does$/
0 warpstack machine --explain S:1:128:512,L:L:s:N:L,A:256:8
	=> ~^note			miss queue: left out, and what it is then in GPGPU-Sim is chance; taken as 16$~
0 warpstack machine --explain S:1:128:512,L:L:s:N:L,A:256:8 => ~^miss queue	16		~
2 warpstack machine --explain S:4:128:64,L:T:m:L:L,A:384:48:
	=> /character 30: ':': want ',' and the miss queue, or the end$/
2 warpstack machine --explain N:4:128:256,L:R:m:N:L,T:512:8
	=> /character 30: the end: want ',' and the reorder buffer, which F and T need$/
0 printf -- '-gpgpu_cache:dl2_texture_only 0 -gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:384:48\n' >queue &&
	warpstack machine ./queue --conf 2>e | grep '^l1.queue' => ~^l1.queue = 15$~
0 cat e => ~\./queue:1: -gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:384:48: miss queue: left out~
2 warpstack machine --explain S:3:128:64,L:T:m:L:L,A:384:48,16 => /character 3: '3': want a power of two of sets/
2 warpstack machine --explain '' => /--explain=: character 1: the end: want N or S, or the number of sets$/
2 warpstack machine --explain => /option '--explain' wants a value, CACHE/
2 warpstack machine --explain none --keys => /want one of --keys, --conf, --to and --explain/
2 warpstack machine --explain none nosuch => /unknown machine 'nosuch'/

0 warpstack machine gtx480 --to gpgpusim => gtx480.config
0 warpstack machine v100 --to gpgpusim => ~^#   coalesce\.line = 128, not 32$~
0 warpstack machine gtx480 --to conf >a && warpstack machine gtx480 --conf | cmp - a => -
0 warpstack machine gtx480 --to gpgpusim -o gtx480.config && warpstack machine ./gtx480.config --conf >b => -
0 for f in a b; do
	grep -v '^title\|^profile\|^shared\|^sm.lsu\|^sm.st\|^sm.alu =\|^l2.[rm]\|^l1.mshr.\|^l2.sl\|^icnt.q\|^l1.look'
	$f >$f.c;
	done; cmp a.c b.c => -
0 warpstack machine gtx480 --set l1.policy=srrip-kumar --set l2.slices=7 --set dram.channels=7 --to gpgpusim -o x.config
	&& warpstack machine -q x.config => ~^l1\.policy	srrip-kumar	~
2 warpstack machine v100 --set l2.slices=8192 --set dram.channels=0
	=> /l2\.slice-hash = ipoly is defined for 1\.\.4096 times an odd number of slices, and l2\.slices = 8192: want/
2 warpstack machine v100 --set l2.interleave=64 => /l2\.interleave = 64: want l2\.line = 128 or more/
2 warpstack machine --to gpgpusim => /--to wants the NAME of a machine/
2 warpstack machine gtx480 --to nonsense => /--to=nonsense: want one of conf gpgpusim/

# What GPGPU-Sim would end with: nothing, or it is said in a remark of the file, as often.
0 for m in v100 rtx2060 a100 h100 gtx480; do warpstack machine $m --to gpgpusim | awk -v NAME=$m -f
	$files/gpgpusim-accepts.awk; done => -
0 for m in $(cd "$root/data/machine" && ls *.conf); do warpstack machine ${m%.conf} --to gpgpusim >one;
	awk -v NAME=$m -f $files/gpgpusim-accepts.awk one | wc -l >n;
	grep -c '^# .*GPGPU-Sim itself' one | cmp -s - n || echo $m; done => -
0 warpstack machine v100 --to gpgpusim | sed 's/unified_l1d_size 128/unified_l1d_size 100/' |
	awk -v NAME=v -f $files/gpgpusim-accepts.awk; true => ~^v: an array of 100 KB, an L1 of 128$~

# A file is one by its first word, whatever it is called.
0 printf -- '# a comment\n-gpgpu_cache:dl1 32:128:4,L:L:m:N:H,A:32:8,8\n-gpgpu_cache:dl2_texture_only 0
	-visualizer_enabled 0\n' >old && warpstack machine ./old => ~^l1\.hash	fermi	~
0 warpstack machine ./old => ~^-visualizer_enabled	0		not modelled: what GPGPU-Sim prints or checks,~
0 warpstack machine ./old => ~^-gpgpu_l1_latency			left out: GPGPU-Sim's default 1$~
0 warpstack machine ./old => ~^-gpgpu_perf_sim_memcpy			what the program copied to addresses of 32 bits
	is in the L2
	there; here it starts empty: l2.start = warm or copies fills it$~
0 printf -- '-gpgpu_memory_partition_indexing 4 -gpgpu_n_mem 12 -icnt_flit_size 40 -gpgpu_clock_domains 1:1:1:1\n' |
	cat old - >new; warpstack machine ./new
	=> ~^-gpgpu_memory_partition_indexing			slices by a table of random numbers there; here modulo$~
0 warpstack machine ./new --conf | grep -c '^icnt.width = 40\|^dram.channels = 12\|^l2.start = keep\|^l1.queue = 7'
	=> ~^4$~
0 warpstack machine ./old --set l1.size=48K => ~^l1\.ways	12	~
0 mkdir -p SM2_MINE && cp old SM2_MINE/gpgpusim.config && warpstack machine SM2_MINE/gpgpusim.config
	=> ~^name	sm2_mine	~
0 printf -- '-gpgpu_n_clustres 3\n-gpgpu_n_clustres 4\n' | cat old - >warn; warpstack machine ./warn
	=> /note: \.\/warn:4: unknown option '-gpgpu_n_clustres': did you mean -gpgpu_n_clusters\?$/
0 warpstack machine ./warn -q => ~^l1\.ways	4	~
0 ?llvm warpstack simulate data/kernel/mm-16x8.launch -m ./old -q => ~lru	16384	32	4	128~
3 printf -- '-gpgpu_n_clusters' | cat old - >cut; warpstack machine ./cut
	=> /\.\/cut:4: -gpgpu_n_clusters without a value$/
3 printf -- '-gpgpu_cache:dl2 S:64:128:8,L:B:f:N:L,A:256:4,4' | cat old - >bad; warpstack machine ./bad
	=> /\.\/bad:4: -gpgpu_cache:dl2 S:64:128:8,L:B:f:N:L,A:256:4,4: character 16: 'f': want m with write back/
3 printf -- '-gpgpu_cache:dl2 none\n' >none; warpstack machine ./none
	=> /\.\/none: -gpgpu_cache:dl1 \(none if left out\): want a data cache: the least one is
	N:1:128:1,L:L:m:N:L,A:32:8,8/
0 printf -- '-gpgpu_cache:dl2_texture_only 0 -gpgpu_cache:dl1 none' | cat none - | sed 's/dl2 none/dl2
	N:1:128:1,L:L:m:N:L,A:32:8,8/'
	>least; warpstack machine ./least | grep -c
	'^l1.size	0	\|^l1.ways	0	\|^l2.sets	1	' => ~^3$~
# Other files, where the file is that names them.
0 mkdir -p sub && cp old sub/base && printf -- '-config base -gpgpu_n_mem 16\n-config "more" # none' >sub/top &&
	printf -- '-gpgpu_l1_latency 33 -gpgpu_n_clustres 1' >sub/more && warpstack machine sub/top --conf 2>e |
	grep -c '^l1.ways = 4$\|^dram.channels = 16$\|^l1.latency = 38$' => ~^3$~
0 cat e => ~^warpstack: note: sub/more:1: unknown option '-gpgpu_n_clustres'~
3 printf -- '-gpgpu_n_clusters x' >sub/more; warpstack machine sub/top
	=> /sub\/more:1: -gpgpu_n_clusters x: want a whole number/
3 printf -- '-config nosuch' >sub/top; warpstack machine sub/top
	=> /sub\/top:1: -config nosuch: cannot open sub\/nosuch/
3 printf -- '-config top' >sub/top; warpstack machine sub/top
	=> /sub\/top:1: -config top: want at most 16 files, 4 deep: does it lead back to itself\?/
3 printf -- '-config .' >sub/top; warpstack machine sub/top => /sub\/top:1: -config \.: sub\/\.: no regular file/
3 printf -- '-config -gpgpu_n_mem 3' >sub/top; warpstack machine sub/top => /sub\/top:1: -config without a value/
0 printf '\357\273\277' | cat - old >bom && warpstack machine ./bom => ~^l1\.hash	fermi	~
