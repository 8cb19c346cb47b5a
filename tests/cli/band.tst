# A machine with alternatives: the row of the first of all, and the band of their combinations.  See tests/cli/run.
0 awk 'BEGIN { for (i = 0; i < 6000; i++) printf "%s 0x%x\n", i % 7 ? "R" : "W", i * i % 9000 * 4 }' >t.txt;
	printf 'base = gtx480\nname = vague\nl1.size = 4K|8K\nl1.hash = modulo|ipoly\n' >vague.conf => -

# The row is that of the machine with the first of each, the band that of a table of all.
0 for l in l1 l2; do warpstack predict -q t.txt -m vague.conf --level $l --no-provenance --columns
	kernel,level,kind,requests,misses,miss_ratio,error_pp,miss_ratio_low,miss_ratio_high,order >a;
	warpstack predict -q t.txt -m vague.conf --level $l --set l1.size=4K --set l1.hash=modulo --no-provenance
	--columns
	kernel,level,kind,requests,misses,miss_ratio,error_pp,miss_ratio_low,miss_ratio_high,order | cmp a -; done => -
0 for c in predict simulate; do for l in l1 l2; do
	warpstack $c -q t.txt -m vague.conf --level $l --no-provenance --columns kind,alternatives_low,alternatives_high
	|
	sed 1d | sort >a; for s in 4K 8K; do for h in modulo ipoly; do
	warpstack $c -q t.txt -m vague.conf --level $l --set l1.size=$s --set l1.hash=$h --no-provenance --columns
	kind,miss_ratio_low,miss_ratio_high | sed 1d; done; done | awk '{ if (!($1 in l) || $2 < l[$1]) l[$1] = $2;
	if ($3 > h[$1]) h[$1] = $3 } END { for (k in l) print k "\t" l[k] "\t" h[k] }' | sort | cmp a -; done; done; wc
	-l <a
	=> ~^[23]$~
0 warpstack predict -q t.txt -m vague.conf --no-provenance --columns kind,basis,alternatives,alternatives_low
	=> ~^all	approx	4	0\.[0-9]+$~
0 warpstack predict -q t.txt -m vague.conf --no-provenance --columns kind,alternatives_low,alternatives_high |
	awk '$1 == "all" { print ($2 < $3 - 0.01) }' => ~^1$~

# It is exact where all are, and alike.
0 warpstack predict -q t.txt --set 'l1.size=16K|16K' --no-provenance --columns kind,basis,alternatives
	=> ~^all	exact	2$~
0 warpstack simulate -q t.txt -m vague.conf --no-provenance --columns kind,basis => ~^all	simulated$~
0 warpstack predict -q t.txt -m vague.conf --no-provenance --columns alternatives_high,confidence,kind
	=> ~^[01]\.[0-9]*	low	all$~

# --set and --vary choose; what is left open has a band in each row.
0 warpstack predict -q t.txt -m vague.conf --set l1.size=8K --no-provenance --columns kind,alternatives
	=> ~^all	2$~
0 warpstack sweep -q t.txt -m vague.conf --vary l1.size=4K,8K,16K --vary l1.ways=1,2 --no-provenance --columns
	l1.size,l1.ways,alternatives | paste -s -d' '
	=> ~^l1\.size	l1\.ways	alternatives 4096	1	2 4096	2	2 8192	1	2
	8192	2	2 16384	1	2 16384	2	2$~
0 warpstack predict -q t.txt -m vague.conf --set l1.size=8K --set l1.hash=ipoly --no-provenance | grep -c alternatives |
	grep -x 0 => -
0 for t in 1 3; do warpstack simulate -q t.txt -m vague.conf --level all --runs 2 --threads $t --no-provenance
	--columns all >$t; done; cmp 1 3 => -

# What has no band says so.
2 warpstack profile -q t.txt -m vague.conf -o t.wsp
	=> /machine vague has alternatives, l1\.size=4K\|8K: want one of them \(--set KEY=VALUE chooses\)$/
2 warpstack sweep -q t.txt -m vague.conf --best misses
	=> /machine vague has alternatives, l1\.hash=modulo\|ipoly: want one of them \(--set KEY=VALUE chooses\)$/
2 warpstack predict -q t.txt -m vague.conf --by line
	=> /machine vague has alternatives, l1\.size=4K\|8K: want one of them \(--set KEY=VALUE chooses\)$/
2 warpstack sweep -q t.txt --vary machine=vague.conf,gtx480
	=> /machine vague has alternatives, l1\.size=4K\|8K: want one of them \(--set KEY=VALUE chooses\)$/
2 warpstack profile -q t.txt -o t.wsp; warpstack predict -q t.wsp --set 'l1.hash=modulo|ipoly'
	=> /l1\.hash has alternatives, and one profile holds one value of it: want the trace$/
0 warpstack predict -q t.wsp --set 'l1.ways=2|4' --no-provenance --columns kind,alternatives => ~^all	2$~

# Of several warps the scheduler moves the order.
0 ?llvm warpstack trace -q data/kernel/mm-16x5.launch -o mm.wst; warpstack predict -q mm.wst --set
	'sm.scheduler=gto|lrr' --set 'l1.policy=lru|fifo' --kind load --no-provenance --columns alternatives_low,order
	>a;
	for s in gto lrr; do warpstack sweep -q mm.wst --set sm.scheduler=$s --vary l1.policy=lru,fifo --kind load
	--no-provenance --columns miss_ratio_low | sed 1d; done | sort | head -n 1 | tr '\n' '\t' >b; echo own >>b; sed
	1d a |
	cmp b - => -
