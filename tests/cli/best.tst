# sweep --best: the best of a product, and what could be as good.

0 awk 'BEGIN { for (i = 0; i < 3000; i++) printf "%s 0x%x\n", i % 7 ? "R" : "W", i * i % 9000 * 4 }' >t.txt;
	wc -l <t.txt => ~^3000$~
0 ?llvm cp "$WARPSTACK_DATA"/kernel/spmv-csr.* .; sed -i 's/4097/1025/; s/4096/1024/g; s/32768/8192/g' spmv-csr.launch;
	warpstack trace spmv-csr.launch -o s.wst -q; warpstack info s.wst --no-provenance | grep -c spmv_csr => ~^[1-9]~

# Exact rows: the best is the first of the sweep, sorted; of equal ones the cheaper.
0 warpstack sweep -q t.txt --vary l1.size=2K:32K:x2 --vary l1.ways=2,4 --best miss_ratio --no-provenance --columns
	choice,l1.size,l1.ways,misses | paste -s -d' '
	=> ~^choice	l1.size	l1.ways	misses best	32768	4	751 # trace L1 all: the least miss_ratio of 10
	configurations; no other could be as good$~
0 warpstack sweep -q t.txt --vary l1.size=2K:32K:x2 --vary l1.ways=2,4 --no-provenance --sort miss_ratio --top 1
	--columns l1.size,l1.ways,misses | tail -n 1 => ~^32768	4	751$~
0 warpstack sweep -q t.txt --vary l1.size=2K:32K:x2 --vary l1.ways=2,4 --best hits:max --budget 16000 --no-provenance
	--columns l1.size,l1.ways | paste -s -d' '
	=> ~^l1\.size	l1\.ways 8192	2 # trace L1 all: the most hits of 6 configurations;
	no other could be as good \(no error is stated of it\)$~
0 warpstack sweep -q t.txt --vary l1.ways=16,8 --vary l1.size=1M,512K --vary l1.policy=fifo,lru --best misses --top 3
	--no-provenance --columns choice,size_bytes,ways,policy | paste -s -d' '
	=> ~^choice	size_bytes	ways	policy best	524288	8	lru within	524288	8	fifo
	within	524288	16	lru # trace .* of 8 configurations; 7 others could be as good, within the errors$~
0 warpstack sweep -q t.txt --vary l1.size=8K,16K --best misses --kind each --no-provenance --columns choice,kind |
	paste -s -d' ' => ~^choice	kind best	load best	store best	all # trace L1 load: .*# trace
	L1 store: .*# trace L1 all: ~
0 warpstack sweep -q t.txt --vary l1.size=8K,16K --vary l1.policy=lru,fifo --best cycles --latency --no-provenance
	--columns choice,l1.size | paste -s -d' ' => ~^choice	l1\.size best	16384 ~

# What no machine could have is left out; of nothing but that the first is said.
0 warpstack sweep -v t.txt --vary l1.size=8K,16K,24K --vary l1.ways=4,5 --best misses -o /dev/null 2>&1 |
	grep configurations => ~^warpstack: 2 configurations; left out: 4 that are impossible, 0 that are too large$~
2 warpstack sweep -q t.txt --vary l1.size=8K,16K --vary l1.ways=5 --best misses
	=> /none of the 2 combinations is possible; the first: /

# The default product.
0 warpstack sweep t.txt -m gtx480 --best miss_ratio --budget 8K -o /dev/null 2>&1 | grep searched
	=> ~^warpstack: note: searched without --vary: 588 configurations that are possible and fit into 8192 bytes, of
	l1\.size=1024,2048,4096,8192,16384, l1\.ways=1,2,4,8,16,32, l1\.organisation=line,sector,elastic:32,elastic:64,
	l1\.policy=all$~
0 warpstack sweep -q t.txt --best miss_ratio --set l1.policy=lru --set l1.organisation=line --no-provenance --columns
	choice,size_bytes,ways | paste -s -d' '
	=> ~^choice	size_bytes	ways best	16384	[0-9]+ .* of 2[0-9] configurations; ~
0 warpstack profile -q t.txt -o t.wsp; warpstack sweep -q t.wsp --best misses --top 1 --no-provenance --columns
	choice,size_bytes | head -n 2 | tail -n 1 => ~^best	16384$~
0 warpstack sweep -q t.txt --level l2 --best misses --budget 96K --top 1 --no-provenance --columns
	choice,level,size_bytes | head -n 2 | tail -n 1 => ~^best	L2	[0-9]+$~

# A budget that nothing fits.
2 warpstack sweep -q t.txt --vary l1.size=2K:32K:x2 --best miss_ratio --budget 2000
	=> /nothing fits into 2000 bytes: the smallest of the caches asked for has 2048/
2 warpstack sweep -q t.txt --best miss_ratio --budget 100
	=> /nothing fits into 100 bytes: the smallest of the caches asked for has 128/
2 warpstack sweep -q t.txt -m h100 --vary l1.policy=lru,fifo --best miss_ratio --budget 32K
	=> /nothing fits into 32768 bytes: the smallest of the caches asked for has [0-9]+/

# What does not go together, or is not there.
2 warpstack sweep t.txt --budget 32K => /--budget: is of a search: want --best; try/
2 warpstack sweep nothing.wst --best mis_ratio
	=> /--best: 'mis_ratio' is nothing to choose by, did you mean 'miss_ratio'\? try/
2 warpstack sweep nothing.wst --best policy
	=> /--best: 'policy' is nothing to choose by: want a column that says how good a cache is, as miss_ratio; try/
2 warpstack sweep nothing.wst --best miss_ratio:most => /--best: 'miss_ratio:most': want miss_ratio or miss_ratio:max;
	try/
2 warpstack sweep nothing.wst --best cycles => /--best=cycles: want --latency, which predicts it/
2 warpstack sweep nothing.wst --best misses --by array => /--best and --by: want one of them/
2 warpstack sweep -q t.txt --vary l1.policy=lru,srip --best misses => /no policy "srip"/
2 warpstack sweep -q t.txt --vary l1.size=8K --best sectors_missed => /sectors_missed: no row has a value of it/
2 warpstack predict t.txt --best misses => /unknown option '--best'/

# Beside all of the product, simulated, each in the usual order and in its own: the best of all is chosen, or could be
# the best.
0 ?llvm p='--vary l1.size=2K:8K:x2 --vary l1.ways=2,4,8 --vary l1.policy=lru,fifo,srrip,random'; for o in cycles own; do
	warpstack simulate -q s.wst --order $o $p --where kind=all --no-provenance --sort misses --columns
	l1.size,l1.ways,l1.policy,misses | sed 1d >$o; done;
	warpstack sweep -q s.wst $p --best misses --budget 8K --no-provenance --columns l1.size,l1.ways,l1.policy |
	sed '1d; /#/d' >b; for o in cycles own; do head -n 1 $o | cut -f1-3 | grep -cxFf - b; done | paste -s -d' '
	=> ~^1 1$~
0 ?llvm head -n 1 b >c; (head -n 1 cycles; grep -Ff c cycles) | cut -f4 | paste -s | awk '{ print $2 <= 1.1 * $1 }'
	=> ~^1$~
0 ?llvm cut -f1-3 cycles >c; wc -l <c | tr -d ' '; [ $(grep -cxFf b c) -eq $(wc -l <b) ] || echo no => ~^36$~
