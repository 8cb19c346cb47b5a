# SPDX-License-Identifier: GPL-3.0-or-later
# Organisations of the L1: keys, what suits them, what knows them.  See tests/cli/run.
0 warpstack machine gtx480 --set l1.organisation=decoupled --no-provenance
	=> ~^l1\.organisation	decoupled:2	~
0 warpstack machine gtx480 --set l1.organisation=dycache:75 --set l1.grain.retain=yes --conf -o m.conf &&
	warpstack machine ./m.conf --no-provenance | grep -c
	'l1.organisation	dycache:75	\|l1.grain.retain	yes	\|l1.grain.period	1000	'
	=> ~^3$~
0 warpstack machine -k => ~^l1\.organisation	name	line sector decoupled elastic dycache		predict	how data
	are held~
2 warpstack machine gtx480 --set l1.organisation=elastic
	=> /^warpstack: l1\.organisation = elastic: want line, sector, decoupled\[:1\.\.32\], elastic:32, elastic:64 or
	dycache:0\.\.100$/
2 ?llvm warpstack simulate data/kernel/mm-16x2.launch --set l1.organisation=decoupled:32 --set l1.line=32 --set
	l1.sets=1024 --set l1.ways=32768 => /33554432 lines with 32 tags each: want 268435456 tags at most$/
2 warpstack machine gtx480 --set l1.organisation=elastic:128 => /l1\.organisation = elastic:128: want line/
2 warpstack machine gtx480 --set l1.organisation=dycache:101 => /l1\.organisation = dycache:101: want line/
2 warpstack machine gtx480 --set l1.organisation=elastic:32 --set l1.line=64
	=> /l1\.organisation = elastic:32 is of lines of 128 bytes, and l1\.line = 64: want 128$/
2 warpstack machine gtx480 --set l1.organisation=dycache:50 --set l1.policy=fifo
	=> /l1\.policy=fifo: l1\.organisation dycache replaces by LRU alone: want lru$/
2 warpstack machine gtx480 --set l1.chunk.tag=1 => /l1\.chunk\.tag = 1: want 2\.\.40/
2 warpstack machine gtx480 --set l1.grain.period=0 => /l1\.grain\.period = 0: want 1\.\.1000000000/
3 printf 'base = gtx480\nl1.organisation = elastic:16\n' >e.conf; warpstack machine ./e.conf
	=> /^warpstack: \.\/e\.conf:2: l1\.organisation = elastic:16: want/
3 printf 'base = gtx480\nl1.organisation = elastic:32\nl1.policy = fifo\n' >f.conf; warpstack machine ./f.conf
	=> /^warpstack: \.\/f\.conf:3: l1\.policy=fifo: l1\.organisation elastic /
0 warpstack machine gtx480 --set l1.organisation=elastic:32 --to gpgpusim
	=> ~^#   l1\.organisation = elastic:32, not line$~

# simulated: eight lines of one set of four ways, twice, of which 32 bytes are read
0 for n in 1 2; do for i in 0 1 2 3 4 5 6 7; do printf 'R 0x%x\n' $((i * 4096)); done; done |
	warpstack simulate -q --set sm.count=1 --set l1.hash=modulo --vary
	l1.organisation=line,sector,decoupled:2,elastic:32,elastic:64,dycache:0 --no-provenance --columns
	l1.organisation,$rows | grep '	all	' | cut -f11 | tr '\n' ' ' => ~^0 0 0 8 8 0 $~
# Half of the work-items, a work-group an SM.
0 ?llvm sed 's/^global = 4096/global = 2048/; s,divergent.cl,data/kernel/&,' data/kernel/divergent.launch >half.launch;
	warpstack trace half.launch -o d.wst => -
0 ?llvm few=line,sector,decoupled,decoupled:1,elastic:32 &&
	warpstack simulate d.wst --vary
	l1.organisation=$few,elastic:64,dycache:25,dycache:50,dycache:75,dycache:100
	--no-provenance --columns l1.organisation,$rows >c; awk -F'\t' 'NR > 1 { n++; bad += $10 != $11 + $13 ||
	$13 != $14 + $15 + $16 + $20 } END { print n, bad + 0 }' c => ~^30 0$~
0 ?llvm awk -F'\t' '$9 == "all" { m[$1] = $11 " " $13 } END {
	print (m["sector"] == m["decoupled:1"]), (m["line"] == m["dycache:100"]), (m["elastic:32"] != m["elastic:64"])
	}' c => ~^1 1 1$~
0 ?llvm warpstack simulate d.wst --order nominal --set l1.organisation=sector --no-provenance --columns $rows >a;
	warpstack simulate d.wst --order nominal --set l1.sector=32 --no-provenance --columns $rows | diff a - => -
0 ?llvm warpstack simulate d.wst --set l1.organisation=dycache:25 --vary l1.grain.period=1000,5000,10000,1000000000
	--no-provenance --columns l1.grain.period,$rows | grep '	all	' | cut -f13 | sort -u | wc -l |
	tr -d ' ' => ~^[34]$~
0 ?llvm warpstack simulate d.wst --no-provenance --columns $rows | cut -f12 >a;
	warpstack simulate d.wst --set l1.organisation=dycache:25 --set l1.grain.period=1000000000 --no-provenance
	--columns $rows | cut -f12 | diff a - => -
0 ?llvm for t in 1 2; do warpstack simulate d.wst --vary l1.organisation=elastic:32,dycache:50 --vary l1.size=16K,48K
	--threads $t --no-provenance >t$t; done; cmp t1 t2 => -

# what does not know them
2 ?llvm warpstack predict d.wst --set l1.organisation=decoupled
	=> /l1\.organisation decoupled has no model, only a simulation: use `warpstack simulate`/
2 ?llvm warpstack sweep d.wst --vary l1.organisation=line,decoupled
	=> /l1\.organisation decoupled has no model, only a simulation/
0 ?llvm warpstack crosscheck d.wst --vary l1.organisation=line,sector --vary l1.size=16K,48K --no-provenance | tail -n 1
	=> ~^# mean_abs_error_pp=0\.000000 max_abs_error_pp=0\.000000 configurations=4 rows=4 outside=0 ~
# A quarter of the work-items on as many SMs.
0 ?llvm sed 's/^global = 4096/global = 1024/; s/^local .*/local = 64/; s,divergent.cl,data/kernel/&,'
	data/kernel/divergent.launch >small.launch; warpstack trace small.launch -o small.wst;
	sed 's/^global = .*/global = 256/' small.launch >few.launch; warpstack trace few.launch -o few.wst => -
0 ?llvm warpstack profile few.wst --chunks --distances -o d.wsp &&
	warpstack sweep d.wsp --vary l1.organisation=line,sector,elastic:32,elastic:64 --set l1.size=16K --vary
	l1.ways=4 --no-provenance --columns l1.organisation,l1.ways,$counts >a;
	warpstack sweep few.wst --vary l1.organisation=line,sector,elastic:32,elastic:64 --set l1.size=16K --vary
	l1.ways=4 --no-provenance --columns l1.organisation,l1.ways,$counts | diff a - => -
0 ?llvm warpstack crosscheck d.wst --vary l1.organisation=elastic:32,elastic:64 --vary l1.size=16K,48K --bound 2
	--no-provenance | tail -n 1 | grep -c 'rows=4 outside=0' => ~^1$~
0 ?llvm warpstack info d.wsp --no-provenance | grep -c 'chunks of \(32\|64\|128\) sets 32 load	requests' => ~^3$~
2 ?llvm warpstack predict d.wsp --set l1.organisation=elastic:32 --set l1.chunk.tag=8
	=> /l1\.chunk\.tag is 16 in the profile and 8 was asked for/
2 ?llvm warpstack predict d.wsp --set l1.organisation=elastic:32 --latency
	=> /time is known of line and sector only, not of elastic$/
2 ?llvm warpstack profile small.wst --distances -o e.wsp && warpstack predict e.wsp --set l1.organisation=elastic:32
	=> /l1\.organisation = elastic:32 is predicted from chunks, and the profile has none: profile the trace again
	with chunks \(--chunks\)$/
2 ?llvm warpstack merge d.wsp e.wsp -o f.wsp => /one of the two has chunks, or windows of them, that the other has not/
0 ?llvm warpstack profile few.wst --grains 500 --distances -o g.wsp && for f in g.wsp few.wst; do
	warpstack sweep $f --vary l1.organisation=line,dycache:25,dycache:50 --set l1.grain.period=500 --no-provenance
	--columns l1.organisation,$counts >s.$f; done; cmp s.g.wsp s.few.wst => -
0 ?llvm warpstack crosscheck d.wst --vary l1.organisation=dycache:25,dycache:50,dycache:75 --vary
	l1.grain.period=1000,5000 --bound 4 --no-provenance | tail -n 1 | grep -c 'rows=6 outside=0' => ~^1$~
0 ?llvm warpstack predict d.wst --set l1.organisation=dycache:100 --no-provenance --columns $rows | cut -f9-13 >a;
	warpstack predict d.wst --no-provenance --columns $rows | cut -f9-13 | diff a - => -
0 ?llvm warpstack merge g.wsp g.wsp -o gg.wsp && warpstack info gg.wsp --no-provenance |
	grep -c 'window_requests	500' => ~^1$~
2 ?llvm warpstack predict d.wsp --set l1.organisation=dycache:50
	=> /dycache is replayed from windows of time, and the profile has none: profile the trace again with windows of
	1000 \(--grains\)$/
2 ?llvm warpstack predict g.wsp --set l1.organisation=dycache:50 --set l1.grain.period=750
	=> /l1\.grain\.period = 750 is no multiple of the profile's windows of 500 requests: profile the trace again
	with windows of 750 \(--grains\)$/
2 ?llvm warpstack merge g.wsp d.wsp -o f.wsp => /one of the two has chunks, or windows of them, that the other has not/
0 ?llvm for t in 1 2; do warpstack profile few.wst --grains 100 --distances --threads $t -o t$t.wsp; done;
	cmp t1.wsp t2.wsp => -
0 printf 'base = gtx480\nl1.sector = 64\nl1.organisation = sector\n' >s.conf;
	warpstack machine ./s.conf --no-provenance | grep '^l1.sector' | cut -f2 => ~^32$~
0 warpstack machine ./s.conf --set l1.organisation=line --no-provenance | grep '^l1.sector' | cut -f2 => ~^64$~
0 warpstack machine ./s.conf --set l1.organisation=line --set l1.sector=32 --no-provenance | grep '^l1.sector' | cut -f2
	=> ~^32$~
0 ?llvm warpstack sweep d.wst --order nominal --vary l1.organisation=line,sector --no-provenance --columns
	l1.organisation,$rows | sed 1d | cut -f2- >a; for s in 128 32; do
	warpstack sweep d.wst --order nominal --vary l1.sector=$s --no-provenance --columns l1.sector,$rows | sed 1d |
	cut -f2-; done | diff a - => -
0 ?llvm warpstack simulate d.wst --cycles --set l1.organisation=sector --no-provenance >a;
	warpstack simulate d.wst --cycles --set l1.sector=32 --no-provenance | diff a - => -

# in time
0 ?llvm warpstack simulate small.wst --cycles --vary
	l1.organisation=line,decoupled,elastic:32,elastic:64,dycache:0,dycache:25 --no-provenance --columns
	l1.organisation,$rows,$fails,$timed,partial,invalidated,finer,coarser,flushed >c; awk -F'\t' 'NR == 1 {
	for (i = 1; i <= NF; i++) c[$i] = i } $c["cycles"] ~ /[0-9]/ { n++;
	bad += $c["requests"] != $c["hits"] + $c["pending"] + $c["misses"]; if ($1 == "line") { req = $c["requests"];
	bytes = $c["received_bytes"]; bad += $c["flushed"] != "" } bad += $c["requests"] != req;
	if ($c["received_bytes"] < bytes) fewer++; if ($c["finer"] > 0) finer++ } END {
	print n, bad + 0, (fewer > 3), finer + 0 }' c => ~^6 0 1 2$~
0 ?llvm for o in line elastic:32; do warpstack simulate small.wst --set l1.organisation=$o --set l1.grain.period=100
	--no-provenance --columns $rows | awk '$8 == "all" { print $9 }';
	warpstack simulate small.wst --cycles --set l1.organisation=$o --no-provenance --columns $rows,$fails,$timed |
	awk '$2 == "L1" && $8 == "all" { print $9 }'; done | sort -u | wc -l | tr -d ' ' => ~^1$~
0 ?llvm for t in 1 2 3; do warpstack simulate small.wst --cycles --set l1.organisation=dycache:25 --threads $t
	--no-provenance >w$t; done; cmp w1 w2 && cmp w2 w3 => -
0 ?llvm warpstack simulate d.wst --cycles --no-provenance | head -n 1 | grep -c flushed || true => ~^0$~
2 ?llvm warpstack simulate d.wst --cycles --set l1.organisation=elastic:32 --set l1.alloc=on-fill
	=> /^warpstack: l1\.organisation = elastic takes places on a miss, and l1\.alloc = on-fill: want on-miss$/
0 warpstack simulate --help | tr -s ' \n' '  ' => ~l1\.organisation says how the L1 holds what it fetches~

# figures
0 ?figures warpstack plot request-sizes d.wst -o t.svg && warpstack plot request-sizes d.wst --threads 1 -o u.svg &&
	cmp t.svg u.svg && grep -c '<svg' t.svg => ~^1$~
0 ?figures warpstack plot request-sizes d.wst --kernel divergent --period 1000 -o t.svg &&
	grep -c 'at least 1000 requests a step' t.svg => ~^1$~
2 ?figures warpstack plot request-sizes d.wst --period 1 -o none.svg
	=> /a period of 1 of [0-9]+ requests: want [0-9]+ or more$/
2 ?figures warpstack plot request-sizes d.wst --kernel nn -o none.svg => /kernel nn is not in d\.wst$/
0 test ! -e none.svg => -
0 ?figures warpstack simulate d.wst --vary l1.organisation=line,elastic:32 --vary l1.size=16K,48K |
	warpstack plot bars --bars l1.organisation,l1.size --base l1.organisation=line --title 'Two sizes' -o t.svg &&
	grep -c '>Two sizes<\|<text>elastic:32, 49152' t.svg => ~^2$~
0 ?figures warpstack sweep d.wst --vary l1.ways=1,2 --format csv |
	warpstack plot bars --value hits --where kind=all -o t.png && head -c 4 t.png | tail -c 3 => ~^PNG$~
2 printf 'kernel,ipc\nk,1e308\n' | warpstack plot bars --value ipc -o none.svg
	=> /^warpstack: \(standard input\):2: ipc = 1e308 is too large to draw: want at most 1e\+300$/
0 ?figures printf 'kernel,ipc\nk,-1\nl,-3\n' | warpstack plot bars --value ipc -o t.svg && sed -n 's/<[^>]*>//g;
	s/^\t*\(-*[0-9.][0-9.]*\)$/\1/p' t.svg | tr '\n' ' ' => ~^-3 -2.5 -2 -1.5 -1 -0.5 0 -2.00 $~
0 ?figures printf 'kernel,l1.size,ipc\nk,8192,1\nk,16384,2\n' | warpstack plot bars --value ipc --groups l1.size --bars
	kernel -o t.svg && grep -o '8 KB\|16 KB' t.svg | tr '\n' ' ' => ~^8 KB 16 KB $~
0 ?figures printf 'kernel,ipc\nk,1e300\nl,1e300\n' | warpstack plot bars --value ipc -o t.svg && grep -c '1e+300' t.svg
	=> ~^2$~
2 printf 'kernel,ipc\nk,1\n' | warpstack plot bars -o none.svg
	=> /^warpstack: \(standard input\) has no column 'miss_ratio': want one of kernel, ipc$/
2 printf 'kernel,ipc\nk,1\nk,2\n' | warpstack plot bars --value ipc -o none.svg
	=> /lines 2 and 3 of \(standard input\) are both '' of k: want one, by where COLUMN=VALUE$/
3 printf 'kernel,ipc\nk\n' >bad.csv; warpstack plot bars --value ipc bad.csv -o none.svg
	=> /^warpstack: bad\.csv:2: 1 cell, want 2 as in the header$/
0 test ! -e none.svg => -

# the table of applications: kernels added up; the tool does no more than above
0 ?plain APPLICATIONS=LUD EXTRA='--set l1.ways=2' "$root/tests/validate-grain-ipc" "$(command -v warpstack)" lud.csv |
	grep -c 'text\|graphs' => ~^8$~
0 ?plain warpstack simulate data/kernel/lud.launch --cycles --set l1.ways=2 --no-provenance --format csv --columns
	$rows,$fails,$timed >a; awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i;
	next } $at["level"] $at["kind"] == "L1all" { c += $at["cycles"]; r += $at["requests"]; m += $at["misses"];
	n += $at["issued_instructions"] } END { printf "%d,%d,%.6f,%d,%d\n", c, n, n / c, r, m }' a >b;
	grep '^LUD,regular,none,line,16K,1000,' lud.csv | cut -d, -f7-10,13 | diff b - && wc -l <lud.csv | tr -d ' '
	=> ~^14$~
0 ?figures warpstack plot missratio few.wst --set l1.organisation=elastic:32 -o m.svg &&
	grep -c ', lru, elastic:32, approx<' m.svg => ~^1$~
2 ?llvm warpstack plot reuse few.wst --set l1.organisation=elastic:32 -o r.svg
	=> /l1\.organisation = elastic: reuse distances are of lines, want line or sector$/
