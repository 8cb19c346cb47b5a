# The cycle simulator: simulate --cycles, its formats and its timeline; crosscheck --cycles; the figure
# missrate-time.  See tests/cli/run.
0 ?llvm warpstack trace data/kernel/mm-16x8.launch -o mm.wst && awk -v from=data/kernel -f "$files/smaller.awk"
	data/kernel/bfs.launch | warpstack trace - -o bfs.wst &&
	warpstack trace data/kernel/histogram.launch -o histogram.wst => -

# Rows: requests add up, and are those of the functional simulation; misses of the L1 that fetch are the
# L2's requests; issue slots add up.
0 ?llvm warpstack simulate mm.wst --cycles --no-provenance --columns $rows,$fails,$timed | awk -F'\t' 'NR == 1 {
	for (i = 1; i <= NF; i++) c[$i] = i; next } { n++; if ($c["requests"] != $c["hits"] + $c["pending"] +
	$c["misses"] || $c["cold"] != "" || $c["basis"] != "simulated") bad++;
	r[$c["level"], $c["kind"]] = $c["requests"]; m[$c["level"], $c["kind"]] = $c["misses"] } $c["level"] $c["kind"]
	== "L1all" { slots = $c["issued_instructions"] + $c["stall_empty"] + $c["stall_lsu"] + $c["stall_data"] +
	$c["stall_barrier"] + $c["stall_other"]; if (slots != $c["cycles"] * 15 * 2 ||
	$c["latency_p50"] > $c["latency_p95"] || $c["latency_mean"] < 18 || $c["ipc"] <= 0) bad++ } END {
	if (r["L2", "load"] != m["L1", "load"] || r["L2", "store"] != r["L1", "store"]) bad++; print n, bad + 0 }'
	=> ~^6 0$~
0 ?llvm warpstack simulate bfs.wst --cycles --no-provenance --columns $rows,$fails,$timed | awk -F'\t' '$2 == "L1" {
	print $1, $8, $9 }' >c; warpstack simulate bfs.wst --no-provenance --columns $rows | awk -F'\t' '$2 == "L1" {
	print $1, $8, $9 }' | diff c - => -
0 ?llvm for m in gtx480 v100; do for t in 1 2; do warpstack simulate histogram.wst -m $m --cycles --threads $t
	--no-provenance >c$t; done; cmp c1 c2; done => -
0 ?llvm warpstack simulate mm.wst --cycles --vary l1.mshr=8,32 --vary l1.size=16K,48K --no-provenance --columns
	l1.mshr,l1.size,$rows,$fails,$timed >c; tail -n 6 c | cut -f3- >d;
	warpstack simulate mm.wst --cycles --set l1.mshr=32 --set l1.size=48K --no-provenance --columns
	$rows,$fails,$timed | tail -n 6 | diff d - && cut -f1,2 c | uniq | tr '\t\n' '- '
	=> ~^l1.mshr-l1.size 8-16384 8-49152 32-16384 32-49152 $~
0 ?llvm warpstack simulate mm.wst --cycles --format json --no-provenance | tail -n 1
	=> ~"level":"L2",.*"cold":null,.*"cycles":null,~
0 ?llvm warpstack simulate mm.wst --cycles --set count_pending=true --no-provenance --columns $rows,$fails,$timed |
	awk -F'\t' 'NR > 1 { e = $16 - ($11 + $12) / $9; if (e * e > 1e-11) exit 1 }' => -

# Parts add up to the whole.
0 ?llvm for b in array line site sm; do warpstack simulate histogram.wst --cycles --by $b --set l1.write=write-through
	--no-provenance | awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } {
	k = $c["level"] " " $c["kind"]; r[k] += $c["requests"]; m[k] += $c["misses"] } END {
	for (k in r) print k, r[k], m[k] }' | sort; done | sort | uniq -c | awk '$1 != 4' => -
0 ?llvm warpstack simulate histogram.wst --cycles --by array --set l1.write=write-through --no-provenance --columns
	kernel,array,source,${rows#kernel,},$fails | awk -F'\t' '$4 == "L1" && $10 == "all" { print $14 }' >c;
	sort -nr c | diff c - => -
0 ?llvm warpstack simulate mm.wst --cycles --by site --no-provenance --columns
	kernel,array,source,${rows#kernel,},$fails | sed -n 2p | cut -f1-4 => ~^mm	[AB]	.*mm\.cl:[0-9]+	L1$~
0 ?llvm warpstack simulate mm.wst --cycles --by sm --no-provenance --columns kernel,unit_number,${rows#kernel,},$fails |
	awk -F'\t' '$8 == "all" || $9 == "all" { n[$3]++ } END { print n["L1"], n["L2"] }' => ~^15 12$~

# One kernel, one launch.
0 ?llvm warpstack simulate bfs.wst --cycles --kernel bfs_begin --no-provenance --columns $rows,$fails,$timed | cut -f1 |
	sort -u | tr '\n' ' ' => ~^bfs_begin kernel $~
0 ?llvm warpstack simulate bfs.wst --cycles --per launch --no-provenance --columns $rows,$fails,$timed |
	grep '^bfs_level#3' >c; warpstack simulate bfs.wst --cycles --kernel bfs_level#3 --no-provenance --columns
	$rows,$fails,$timed | tail -n +2 | diff c - => -
0 ?llvm warpstack simulate bfs.wst --no-provenance --columns $rows | grep '^bfs_begin' >c;
	warpstack simulate bfs.wst --kernel bfs_begin --no-provenance --columns $rows | tail -n +2 | diff c - => -
2 ?llvm warpstack simulate mm.wst --cycles --kernel nn => /--kernel=nn: the trace has no such kernel;
	the first it has is mm; try/

# GPGPU-Sim's lines, by the expressions of Accel-Sim's stats/example_stats.yml.
0 ?llvm warpstack simulate mm.wst --cycles --format gpgpusim --no-provenance >g; while IFS= read -r re; do
	[ "$(grep -cE "$re" g)" = 1 ] || echo "$re" >&2; done <$files/gpgpusim-lines.txt;
	wc -l <$files/gpgpusim-lines.txt => ~^29$~
# All 25 that Accel-Sim's get_stats.py collects, each once; equal runs, equal bytes.
0 printf 'blocksize: 32 1 1\n0 1 4096 4\n0 0 8192 4\n' | warpstack simulate --from nugteren -q -m v100 --cycles --format
	gpgpusim --no-provenance >one; while IFS= read -r re; do grep -cE "$re" one; done <$files/get-stats.txt | sort |
	uniq -c |
	tr -s ' ' => ~^ 25 1$~
# Its folders of traces, and results where get_stats.py looks for them, with all values of each kernel.
0 mkdir -p as/t/two/NO_ARGS/traces as/A as/B;
	printf 'blocksize: 32 1 1\n0 1 4096 4\n0 0 8192 4\n' >two.n && warpstack convert -q two.n --to accel-sim -o
	as/t/two/NO_ARGS/traces/kernelslist.g && warpstack machine gtx480 --to gpgpusim -o as/A/gpgpusim.config &&
	warpstack machine v100 --to gpgpusim -o as/B/gpgpusim.config &&
	"$root/examples/accel-sim/run" as/t as/r as/A as/B && awk -v RUNS=as/r -v EXPRESSIONS=$files/get-stats.txt -f
	$files/get-stats.awk as/r/sim_log.warpstack => ~^2 runs, 2 kernels, 25 values each$~
0 sed -i '/^L2_BW/d' as/r/two/NO_ARGS/B/two-NO_ARGS.warpstack.o2; awk -v RUNS=as/r -v EXPRESSIONS=$files/get-stats.txt
	-f $files/get-stats.awk as/r/sim_log.warpstack
	=> ~^as/r/two/NO_ARGS/B/two-NO_ARGS\.warpstack\.o2: .*: 0 of L2_BW~
0 "$root/examples/accel-sim/run" as/A as/r as/B 2>e; echo $?; cat e => ~^as/A: no APP/ARGUMENTS/traces/kernelslist\.g$~
# One warp of 64.
0 printf 'blocksize: 32 1 1\n0 1 4096 4\n' | warpstack simulate --from nugteren -q -m v100 --cycles --format gpgpusim
	=> ~^gpu_occupancy = 1\.5625% $~
# Lanes 32 words apart: 32 turns of one bank; of one word: one.
0 printf -- '-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n\n#traces\n#BEGIN_TB\nthread block =
	0,0,0\nwarp = 0\ninsts = 4\n0010 ffffffff 0 STS 1 R4 4 1 0x0 128 \n0020 ffffffff 0 STS 1 R4 4 1 0x0 4 \n0030
	ffffffff
	0 STS 1 R4 4 1 0x10 0 \n0040 ffffffff 0 STG.E 1 R4 4 1 0x1000 4 \n#END_TB\n' | warpstack simulate -q -m v100
	--cycles
	--format gpgpusim --no-provenance => ~^gpgpu_n_shmem_bkconflict = 31$~
0 ?llvm awk '/^gpgpu_n_tot_thrd_icount/ { t = $3 } /^gpgpu_n_tot_w_icount/ { w = $3 } /^gpu_sim_insn/ {
	i = $3 } /ACC_.*TOTAL_ACCESS/ { split($1, a, "["); s[a[1]] += $3 } /L1D_total_cache_accesses/ {
	l1 = $3 } /L2_total_cache_accesses/ { l2 = $3 } END {
	print t - 32 * w, t - i, l1 - s["\tTotal_core_cache_stats_breakdown"] - s["Total_core_cache_stats_breakdown"],
	l2 - s["L2_cache_stats_breakdown"] }' g => ~^0 0 0 0$~
0 ?llvm warpstack simulate mm.wst --cycles --no-provenance --columns $rows,$fails,$timed | awk -F'\t' '$2 == "L1" &&
	$8 == "load" { print $10, $11, $12 }' >c; sed -n
	's/^.Total_core_cache_stats_breakdown.GLOBAL_ACC_R..\(HIT\|HIT_RESERVED\|MISS\). = //p' g | tr '\n' ' ' |
	sed 's/ $//' | { cat; echo; } | diff c - => -
# cumulative over launches; gpu_sim_cycle is the launch's
0 ?llvm warpstack simulate bfs.wst --cycles --format gpgpusim --no-provenance | awk '/^gpu_sim_cycle/ { n++;
	sum += $3 } /^gpu_tot_sim_cycle/ { bad += $3 != sum } /^kernel_launch_uid/ {
	bad += $3 != n + 1 } /total_cache_accesses|dram_reads|gpgpu_n_load/ { bad += $3 < last[$1];
	last[$1] = $3 } END { print n, bad + 0 }' => ~^9 0$~
0 ?llvm warpstack simulate bfs.wst --cycles --per launch --format gpgpusim | grep '^kernel_name' | sort | uniq -c |
	tr -s ' ' | tr '\n' ';' => ~^ 1 kernel_name = bfs_begin ; 8 kernel_name = bfs_level ;$~
0 ?llvm warpstack simulate mm.wst --cycles --format gpgpusim --set l1.write=write-back --set l1.size=4K |
	awk '/L2_cache_stats_breakdown.(GLOBAL_ACC_W|L1_WRBK_ACC)..MISS|HIT|SECTOR_MISS/ {
	n[substr($1, 26, 6)] += $3 } /^gpgpu_n_mem_write_global/ { w = $3 } END { print w, (n["L1_WRB"] > 0) }'
	=> ~^0 1$~

# As GPGPU-Sim has it: a byte is stored, and its sector, of which the rest is not known, is fetched when it is read;
# lanes that add to one word are requests of their own; bytes 64 apart are of two segments of 32 bytes.
0 printf -- '-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n\n#traces\n#BEGIN_TB\nthread block =
	0,0,0\nwarp = 0\ninsts = 4\n0010 00000001 0 STG.E.U8 1 R4 1 2 0x1000 \n0020 00000001 1 R1 LDG.E 1 R4 4 2 0x1000
	\n0030 ffffffff 0 RED.E.ADD 1 R4 4 1 0x3000 0 \n0040 00000003 1 R1 LDG.E.U8 1 R1 1 1 0x5000 64 \n#END_TB\n' >p;
	for p in hardware gpgpusim; do warpstack simulate p -q -m gtx480 --set profile=$p --cycles --no-provenance
	--columns level,kind,requests,hits,pending,misses,dram_read_sectors | sed 1d | tr '\t' ' '; done
	=> profile.txt
2 warpstack simulate p -q -m gtx480 --set profile=gpgpusim --set coalesce.line=256 --set l1.line=256 --cycles
	=> /coalesce\.line = 256: want at most 128 and l1\.line = 256 with profile = gpgpusim$/
2 warpstack simulate p -q -m gtx480 --set profile=gpgpusim --set sm.large-warp=4 --cycles
	=> /sm\.large-warp = 4: want 1 with profile = gpgpusim, which has none$/

# The timeline: JSON, time never goes back, a slice for each launch; some hundred periods, or as asked for.
0 ?llvm warpstack simulate mm.wst --cycles --timeline t.json >/dev/null && python3 -c 'import json;
	e = json.load(open("t.json"))["traceEvents"]; t = [x["ts"] for x in e];
	s = [x for x in e if x["name"] == "issue slots" and x["pid"] == 1];
	print(t == sorted(t), 500 <= len(s) <= 1001, all(abs(sum(x["args"].values()) - 2) < 1e-2 for x in s[:-1]),
	[x["ph"] for x in e if x["pid"] == 0 and x["ph"] != "M"], len({x["pid"] for x in e}))'
	=> ~^True True True \['B', 'E'\] 16$~
0 ?llvm warpstack trace data/kernel/bfs.launch -o all.wst;
	warpstack simulate all.wst --cycles --timeline t.json --period 5000 --no-provenance --columns
	$rows,$fails,$timed >c && python3 -c 'import json; e = json.load(open("t.json"))["traceEvents"];
	t = [x["ts"] for x in e]; s = sorted({x["ts"] for x in e if x["name"] == "issue slots"});
	b = [x for x in e if x["ph"] == "B"]; print(t == sorted(t), len(b), b[1]["name"], sum(5000 <= q - p < 5100 for
	p, q in zip(s, s[1:])) > 100, s[-1])' >d; awk -F'\t' '$2 == "L1" && $8 == "all" { n += $28 } END {
	print "True 9 bfs_level True", n }' c | diff d - => -
0 ?llvm for t in 1 2; do warpstack simulate mm.wst --cycles --threads $t --timeline t$t.json >/dev/null; done;
	cmp t1.json t2.json => -
4 ?llvm warpstack simulate mm.wst --cycles --timeline /dev/full => /\/dev\/full: No space left on device$/
4 ?llvm warpstack simulate mm.wst --cycles --timeline nowhere/t.json => /nowhere\/t\.json: No such file or directory$/
4 ?llvm cp t.json kept; warpstack simulate mm.wst --cycles --timeline kept >/dev/full; code=$?; cmp kept t.json ||
	exit 9; exit $code => -
2 ?llvm warpstack simulate mm.wst --cycles --timeline - => /--timeline=-: want a file of its own/
2 ?llvm warpstack simulate mm.wst --cycles --timeline x -o x => /--output=x is --timeline too: want another file/
2 ?llvm cp mm.wst same.wst; ln -sf same.wst link.wst; warpstack simulate same.wst --cycles --timeline link.wst
	=> /--timeline=link\.wst is the input too: want another file/
0 ?llvm cmp mm.wst same.wst => -
0 ?llvm warpstack simulate mm.wst --cycles --timeline /dev/null -o /dev/null => -

# What does not go together.
2 warpstack simulate --timeline t.json => /--timeline wants --cycles; try 'warpstack simulate --help'$/
2 warpstack simulate --by array => /--by wants --cycles/
2 warpstack simulate --format gpgpusim => /--format=gpgpusim wants --cycles/
2 warpstack simulate --cycles --period 10 => /--period wants --timeline/
2 warpstack simulate --cycles --runs 2 => /--cycles and --runs: want one of them/
2 warpstack simulate --cycles --format gpgpusim --by array => /--format=gpgpusim and --by: want one of them/
2 warpstack simulate --cycles --format gpgpusim --vary l1.size=8K,16K
	=> /--format=gpgpusim and --vary: it is of one configuration/
2 warpstack simulate --cycles --timeline t.json --vary l1.size=8K,16K
	=> /--timeline and --vary: it is of one configuration/
2 ?llvm warpstack simulate mm.wst --cycles --set sm.scheduler=sequential => /sm\.scheduler is an order without time/
2 ?llvm warpstack simulate mm.wst --cycles --set l1.policy=opt => /l1\.policy = opt: an offline policy/
0 ?llvm warpstack simulate mm.wst --order nominal --set l1.mshr=8
	=> /note: l1\.mshr has no effect on simulate without --cycles$/
0 ?llvm warpstack simulate mm.wst --cycles --set l1.mshr=8 --set dram.latency=300 -o /dev/null => -

# crosscheck --cycles: the parts add up; the functional ratio is simulate's, that of cycles simulate --cycles'.
0 ?llvm warpstack crosscheck mm.wst --cycles --vary l1.policy=lru,fifo --vary l1.size=16K,48K --no-provenance --columns
	$budget,l1.policy,l1.size >c; awk -F'\t' '/^#/ { print $0; next } NR > 1 { n++; e = $12 + $13 - $14;
	f = 100 * ($9 - $11) - $14; bad += e * e > 1e-11 || f * f > 1e-7 || $2 != "L1" } END { print n, bad + 0 }' c |
	sed 's/[0-9.]*[0-9]\.[0-9]*/N/g' | tr '\n' ';'
	=> ~^# mean_abs_policy_error_pp=N mean_abs_timing_error_pp=N mean_abs_total_error_pp=N max_abs_total_error_pp=N
	configurations=4 rows=4 outside=0;4 0;$~
0 ?llvm awk -F'\t' 'NR > 1 && !/^#/ { print $3, $4, $10, $11 }' c >d; for p in lru fifo; do for s in 16384 49152; do
	echo "$p $s $(warpstack simulate mm.wst --set l1.policy=$p --set l1.size=$s --no-provenance --columns $rows |
	awk -F'\t' '$8 == "load" { print $16 }') $(warpstack simulate mm.wst --cycles --set l1.policy=$p --set
	l1.size=$s --no-provenance --columns $rows,$fails,$timed | awk -F'\t' '$2 == "L1" && $8 == "load" {
	print $16 }')"; done; done | diff d - => -
0 ?llvm for t in 1 2; do warpstack crosscheck mm.wst --cycles --vary l1.size=16K,48K --threads $t --no-provenance
	--columns $budget,l1.size >c$t; done; cmp c1 c2 => -
# Pending hits are hits there whatever count_pending says.
0 ?llvm warpstack crosscheck mm.wst --cycles --no-provenance --columns $budget >c;
	warpstack crosscheck mm.wst --cycles --set count_pending=true --no-provenance --columns $budget | diff c - &&
	awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } NR == 2 {
	print $c["model_basis"], $c["confidence"], ($c["pending_ratio"] > 0.01) }' c => ~^exact high 1$~
1 ?llvm warpstack crosscheck mm.wst --cycles --bound 0.01 => /note: 1 of 1 rows are outside the bound$/
0 ?llvm warpstack crosscheck mm.wst --cycles --bound 100 => ~rows=1 outside=0$~
0 ?llvm warpstack simulate mm.wst --cycles --no-provenance --columns $rows,$fails,$timed >c;
	warpstack crosscheck mm.wst --cycles --level all --no-provenance --columns $budget | awk -F'\t' 'NR == FNR {
	if ($8 == "load") m[$2] = $12 / $9; next } FNR > 1 && NF > 9 { d = m[$2] - $11; print $2, (d < 1e-5 &&
	d > -1e-5) }' c - | paste -s -d' ' => ~^L1 1 L2 1$~

# The figure.
0 ?figures warpstack plot missrate-time bfs.wst --kernel bfs_level -o t.svg && grep -c '<svg' t.svg => ~^1$~
0 ?figures warpstack plot missrate-time mm.wst --set l1.mshr=4 -o u.svg;
	warpstack plot missrate-time mm.wst --set l1.mshr=4 --threads 1 -o v.svg; cmp u.svg v.svg => -
0 ?figures warpstack plot missrate-time bfs.wst --caption c.txt -o t.svg && sed 's/, .*//' c.txt
	=> ~^L1 load miss ratio over time: bfs_level$~
2 ?figures warpstack plot missrate-time bfs.wst --kernel bfs_begin -o none.svg => /kernel bfs_begin loads nothing/
2 ?figures warpstack plot missrate-time mm.wst --kernel nn -o t.svg => /kernel nn is not in /

# An L2 that keeps its lines: on four launches of a BFS Accel-Sim counts the same (oracle.csv, gtx480).
0 ?recorded warpstack simulate $root/../shared/data/accel-sim/bfs-kernelslist.g -m
	$root/../shared/data/accel-sim/gtx480.config --set l2.start=keep --cycles --per launch -q --no-provenance
	--columns
	level,kind,hits,pending,misses | grep "^L2	load" | cut -f3- | paste -s -d' '
	=> ~^0	0	180 0	0	128 284	8	200 128	0	0$~

# A register that an instruction reads twice is read once: two dependent additions take 2 x 10 cycles and 1, and one
# more if the first reads two registers of one bank (R2 and R18 of 16).
0 for r in '1 R2' '2 R2 R2' '2 R2 R3' '2 R2 R18' '3 R2 R18 R2'; do
	printf -- "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-accelsim tracer version =
	3\n\n#traces\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n0000 ffffffff 1 R4 IADD3 $r 0\n0010
	ffffffff 1 R5 IADD3 1 R4 0\n#END_TB\n" >r.traceg;
	warpstack simulate r.traceg -m gtx480 --set
	sm.pipeline=share=1:col=8:bank=16:step=1:in=4:out=4:wb=4:int=4/1x2 --cycles -q --no-provenance --columns
	level,kind,cycles | grep '^L1	all' | cut -f3; done | paste -s -d' ' => ~^21 21 21 22 22$~
