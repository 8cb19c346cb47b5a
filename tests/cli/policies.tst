# SPDX-License-Identifier: GPL-3.0-or-later
# Replacement policies: lists, what is recorded, confidence, --verify.  See tests/cli/run.
0 ?llvm warpstack trace data/kernel/mm-16x5.launch -o mm.wst && warpstack profile mm.wst -o mm.wsp => -

# lists: `all`, parameters with commas
0 ?llvm warpstack simulate mm.wst --vary l1.policy=all --no-provenance --columns l1.policy,$rows | cut -f1,9 |
	sed -n 's/	all$//p' >c; warpstack policies --no-provenance | awk -F'\t' 'NR > 1 && $7 == "no" {
	print $1 }' | diff c - => -
0 ?llvm warpstack simulate mm.wst --vary l1.policy=opt,all,lru,prob:1/6,1/2,1/6,.25,all,srrip:2,fp --no-provenance
	--columns l1.policy,$rows | cut -f1,9 | sed -n 's/	all$//p' >c; { echo opt;
	warpstack policies --no-provenance | awk -F'\t' 'NR > 1 && $7 == "no" && $1 != "lru" { print $1 }'; echo lru;
	echo prob:1/6,1/2,1/6,.25; echo srrip:2,fp; } | diff c - => -
0 ?llvm warpstack simulate mm.wst --vary l1.policy=lru,prob:1/6,1/2,1/6,1/6,srrip:2,fp,fifo --format csv --no-provenance
	--columns l1.policy,$rows | grep -c
	'^lru,mm,L1,lru,\|^"prob:1/6,1/2,1/6,1/6",mm,L1,"prob:1/6,1/2,1/6,1/6",\|^"srrip:2,fp",mm,\|^fifo,mm,' => ~^12$~
0 ?llvm warpstack simulate mm.wst --vary l1.policy=srrip:2,fp --no-provenance --columns l1.policy,$rows | tail -n 1 |
	cut -f10- >c; warpstack simulate mm.wst --set l1.policy=srrip:2,fp --no-provenance --columns $rows | tail -n 1 |
	cut -f9- | diff c - => -
2 ?llvm warpstack sweep mm.wst --vary l1.policy=lru,fp => /^warpstack: l1\.policy: no policy "fp"; /
2 ?llvm warpstack sweep mm.wst --vary l1.policy=lru,srrip:2,fifi => /l1\.policy: policy "srrip:2,fifi": .*want srrip:M/
2 ?llvm warpstack sweep mm.wst --vary l1.policy=lru,,fifo => /l1\.policy = : want 1\.\.63/
2 ?llvm warpstack sweep mm.wst --vary
	l1.policy=prob:1/1000,1/1000,1/1000,1/1000,1/1000,1/1000,1/1000,1/1000,1/1000,1/1000
	=> /l1\.policy = prob:1/1000.*: want 1\.\.63/
2 ?llvm warpstack simulate mm.wst --set l1.policy=prob:1/2,1/2
	=> /l1\.policy=prob:1/2,1/2: policy prob: 2 weights for 4 ways$/
2 ?llvm warpstack simulate mm.wst --vary l1.ways=2,4 --set l1.policy=prob:1/2,1/2
	=> /l1\.policy=prob:1/2,1/2: policy prob: 2 weights for 4 ways$/
2 ?llvm warpstack simulate mm.wst --set l1.policy=prob => /l1\.policy: policy "prob": /
2 ?llvm warpstack simulate mm.wst --set l1.policy=srrip:17
	=> /l1\.policy: policy "srrip:17": "17" is not a whole number from 1 to 16; want srrip:M/
2 ?llvm warpstack simulate mm.wst --set l1.policy=select:lru/opt
	=> /l1\.policy: policy "select:lru\/opt": opt cannot be selected: it looks ahead, goes past the cache,
	has tables, or wants parameters; want select:P\/P\/\.\.\.$/
2 ?llvm warpstack simulate mm.wst --set l1.policy=select:lru,lrv
	=> /"select:lru,lrv": "lrv" is neither a policy nor a number of cycles; want select:P/
0 ?llvm warpstack crosscheck -q mm.wst --vary l1.policy=lru,select:fifo/lru/500/50 --set l1.size=4K
	--no-provenance --columns l1.policy,within_bound | sed '1d;$d' | paste -s -d' '
	=> ~^lru	yes select:fifo/lru/500/50	yes$~
0 ?llvm warpstack simulate -q mm.wst --cycles --set l2.policy=select:lru/lfu/500 --set l2.size=96K
	--no-provenance --columns level | sort -u | wc -l => ~^3$~
2 ?llvm warpstack simulate mm.wst --set l1.policy=lru:2 => /l1\.policy: policy "lru:2": lru takes no parameters$/
2 ?llvm warpstack simulate mm.wst --set l1.policy=lfo => /l1\.policy: no policy "lfo"; did you mean "lfu"\?$/
2 ?llvm warpstack simulate mm.wst --set l1.policy=all => /l1\.policy=all: want one policy;
	where it is varied it may be all/
3 printf 'base = gtx480\n\nl1.policy = lfo\n' >lfo.conf; warpstack machine ./lfo.conf
	=> /^warpstack: \.\/lfo\.conf:3: l1\.policy: no policy "lfo"; did you mean "lfu"\?$/
3 printf '0 0\n' | warpstack predict -q -m ./lfo.conf --set l1.ways=2
	=> /^warpstack: \.\/lfo\.conf:3: l1\.policy: no policy "lfo"/
3 printf 'base = gtx480\nl1.policy = prob:1/2,1/2\n' >two.conf; warpstack machine ./two.conf
	=> /^warpstack: \.\/two\.conf:2: l1\.policy=prob:1\/2,1\/2: .*2 weights for 4 ways$/
0 warpstack machine ./two.conf --set l1.ways=2 --no-provenance => ~^l1\.policy	prob:1/2,1/2~
# l2.policy, too, wherever it is said and whether or not it is asked about; and names of any length
2 ?llvm warpstack predict mm.wst --set l2.policy=lfo => /^warpstack: l2\.policy: no policy "lfo"; did you mean "lfu"\?$/
2 ?llvm warpstack simulate mm.wst --cycles --set l2.policy=srrip:17
	=> /^warpstack: l2\.policy: policy "srrip:17": "17" is not a whole number from 1 to 16; want srrip:M/
2 ?llvm warpstack sweep mm.wst --vary l2.policy=lru,lfo => /^warpstack: l2\.policy: no policy "lfo"/
2 warpstack machine gtx480 --set l2.policy=lfo => /^warpstack: l2\.policy: no policy "lfo"; did you mean "lfu"\?$/
3 printf 'base = gtx480\nl2.policy = lfo\n' >lfo2.conf; warpstack machine ./lfo2.conf
	=> /^warpstack: \.\/lfo2\.conf:2: l2\.policy: no policy "lfo"; did you mean "lfu"\?$/
2 for k in l1 l2; do warpstack machine gtx480 --set $k.policy=$(printf '%064d' 0) 2>$k; done; sed s/l1/l2/ l1 |
	cmp - l2 && cat l1 >&2; exit 2 => /^warpstack: l1\.policy = 0*\.\.\.: too long: want 1\.\.63 of the characters
	a-z 0-9 : \/ , \. _ -$/
2 warpstack machine gtx480 --set l1.policy=$(printf '%063d' 0) => /^warpstack: l1\.policy: no policy "0{63}";
	there are: lru, /
3 printf 'base = gtx480\nl1.policy = %064d\n' 0 >long.conf; warpstack machine ./long.conf
	=> /^warpstack: \.\/long\.conf:2: l1\.policy = 0*\.\.\.: too long: want 1\.\.63 /
2 warpstack machine gtx480 --set l1.policy=srip => /l1\.policy: no policy "srip"; did you mean "srrip"\?$/
0 warpstack machine gtx480 --set l1.policy=prob:1/6,1/2,1/6,1/6 --conf -o m.conf &&
	warpstack machine ./m.conf --no-provenance => ~^l1\.policy	prob:1/6,1/2,1/6,1/6	~
0 warpstack machine -k => ~^l1\.policy	name	lru fifo random .*		predict	~

# exact faces: the same numbers for any threads, other draws for other seeds; opt is least, and lfu-age:1 is lru
0 ?llvm for t in 1 2; do warpstack simulate mm.wst --vary
	l1.policy=lru,fifo,random,plru,nru,srrip,brrip,drrip,lfu,lfu-age,mfu,bip,dip,opt --vary l1.size=8K,16K --threads
	$t --no-provenance --columns l1.policy,l1.size,$rows >t$t; done; cmp t1 t2 && wc -l <t1 | tr -d ' ' => ~^85$~
0 ?llvm awk -F'\t' '$10 == "all" { if (!($2 in least) || $14 < least[$2]) least[$2] = $14;
	if ($1 == "opt") opt[$2] = $14 } END { for (s in opt) n += opt[s] == least[s]; exit !(n == 2) }' t1 => -
0 ?llvm warpstack simulate mm.wst --vary l1.policy=lru,lfu-age:1 --no-provenance --columns l1.policy,$counts |
	grep '	all	' | cut -f10- | sort -u | wc -l | tr -d ' ' => ~^1$~
0 ?llvm for s in 1 1 2; do warpstack simulate mm.wst --set l1.policy=random --seed $s --no-provenance | tail -n 1;
	done | uniq -c | sed 's/ *\([0-9]\) .*/\1/' | tr -d '\n' => ~^21$~

# what is recorded, and what a profile lacks
0 ?llvm warpstack predict mm.wsp --set l1.policy=fifo --no-provenance >c;
	warpstack predict mm.wst --set l1.policy=fifo --no-provenance | diff c - => -
0 ?llvm warpstack sweep mm.wsp --vary l1.policy=all --set l1.size=16K --vary l1.ways=4 --no-provenance >c;
	warpstack sweep mm.wst --vary l1.policy=all --set l1.size=16K --vary l1.ways=4 --no-provenance | diff c - => -
0 ?llvm warpstack sweep mm.wsp --vary l1.policy=lru,fifo,random,plru,nru,srrip,brrip,drrip,lfu,lfu-age,mfu,bip,dip
	--no-provenance | wc -l | tr -d ' ' => ~^14$~
0 ?llvm warpstack profile mm.wst --distances -o d.wsp &&
	warpstack sweep d.wsp --vary l1.policy=lru,fifo --set l1.ways=1 --no-provenance --columns l1.policy,$counts |
	cut -f10- | sort -u | wc -l | tr -d ' ' => ~^2$~
2 ?llvm warpstack predict d.wsp --set l1.policy=fifo
	=> /policy fifo is predicted from reuse windows, and the profile holds distances alone/
2 ?llvm warpstack predict mm.wst --sample 0.1 --set l1.policy=fifo
	=> /--sample: a sample holds distances alone, which predict l1.policy lru and l1.organisation line or sector;
	try/
2 ?llvm warpstack predict mm.wsp --by array --set l1.policy=fifo
	=> /misses by array and line are predicted for exact policies/
0 ?llvm for t in 1 2; do warpstack sweep mm.wst --vary
	l1.policy=lru,fifo,random,plru,nru,srrip,brrip,drrip,lfu,lfu-age,mfu,bip,dip --vary l1.size=8K:32K:x2 --threads
	$t --no-provenance --columns l1.policy,l1.size,$rows >t$t; done; cmp t1 t2 && wc -l <t1 | tr -d ' ' => ~^40$~
0 ?llvm awk -F'\t' 'NR > 1 && ($11 != 48400 || $11 != $12 + $13 + $14 || $14 != $15 + $16 + $17 + $21 || $22 > $18 ||
	$23 < $18 || $22 < 0 || $23 > 1 || $24 !~ /^(high|low)$/ || ($19 == "exact" && $20 != 0))' t1 | wc -l |
	tr -d ' ' => ~^0$~

# --verify
2 ?llvm warpstack predict mm.wsp --verify => /--verify: a profile cannot be simulated: want the trace;
	try 'warpstack predict --help'$/
2 ?llvm warpstack predict mm.wst --verify --sample 0.1 => /--verify and --sample: want one of them/
2 ?llvm warpstack predict mm.wst --set l1.organisation=decoupled
	=> /l1.organisation decoupled has no model, only a simulation: use `warpstack simulate`, or --verify$/
2 ?llvm warpstack crosscheck mm.wst --vary l1.organisation=line,decoupled
	=> /decoupled has no model, only a simulation: there is nothing to check; use `warpstack simulate`$/
0 ?llvm warpstack predict mm.wst --set l1.organisation=decoupled --verify --no-provenance --columns $counts,basis >c;
	warpstack simulate mm.wst --set l1.organisation=decoupled --no-provenance --columns $counts,basis | diff c - &&
	grep -c '	simulated$' c => ~^3$~

# Policies without a model of their own, from samples of sets: of all sets the simulator's hits.
0 ?llvm for p in opt clock ship-pc pc-bypass; do warpstack predict mm.wst --set l1.policy=$p --no-provenance --columns
	kind,requests,hits,misses,miss_ratio,cold,uncached,confidence >c;
	warpstack simulate mm.wst --set l1.policy=$p --no-provenance --columns
	kind,requests,hits,misses,miss_ratio,cold,uncached,confidence | cmp - c || echo $p; done => -
2 ?llvm warpstack profile mm.wst --no-set-sample -o plain.wsp; warpstack predict plain.wsp --set l1.policy=opt
	=> /policy opt is predicted from a sample of sets, and the profile has none that is enough/
0 ?llvm warpstack predict plain.wsp --set l1.policy=fifo --no-provenance --columns basis,error_pp | tail -n 1 |
	grep -vc '0.000000$' => ~^1$~
2 ?llvm warpstack profile mm.wst --set-sample 100 --no-set-sample => /--set-sample and --no-set-sample: want one of
	them/
2 ?llvm warpstack profile mm.wst --set-sample 100 --distances => /--set-sample and --distances: want one of them/
2 ?llvm warpstack profile mm.wst --set-sample 0 => /--set-sample/
0 ?llvm warpstack predict mm.wst --no-provenance >c; warpstack predict mm.wst --verify --no-provenance | diff c - => -
0 ?llvm warpstack predict mm.wst --verify -v 2>&1 >/dev/null | grep -c 'request streams\|simulated' || : => ~^0$~
0 ?llvm warpstack sweep mm.wst --vary l1.organisation=decoupled,line --vary l1.hash=modulo,xor --vary
	sm.scheduler=gto,lrr --verify
	-v 2>&1 >/dev/null | grep -c 'request streams' => ~^4$~
0 ?llvm awk -v from=data/kernel -f "$files/smaller.awk" data/kernel/bfs.launch | warpstack trace - -o bfs.wst &&
	for t in 1 2; do
	warpstack sweep bfs.wst --vary l1.organisation=line,decoupled --vary l1.size=4K:64K:x4 --threads $t --verify
	--no-provenance --columns l1.organisation,l1.size,$counts,basis,confidence >v$t; done; cmp v1 v2 => -
0 ?llvm warpstack simulate bfs.wst --vary l1.organisation=line,decoupled --vary l1.size=4K:64K:x4 --no-provenance
	--columns l1.organisation,l1.size,$counts,basis,confidence | grep '	all	' >s;
	warpstack sweep bfs.wst --vary l1.organisation=line --vary l1.size=4K:64K:x4 --no-provenance --columns
	l1.organisation,l1.size,$counts,basis,confidence >p; awk -F'\t' '{ basis = $20; confidence = $21;
	sub(/\t[^\t]*$/, "") } FILENAME == "s" { s[$1, $2, $3] = $0; next } FILENAME == "p" { p[$1, $2, $3] = $0;
	next } FNR > 1 { k = $1 SUBSEP $2 SUBSEP $3; n++; sure += p[k] == $0; simulated += basis == "simulated";
	bad += $0 != s[k] && $0 != p[k] } END { print (n == sure + simulated), bad + 0, (simulated > 4) }' s p v1
	=> ~^1 0 1$~

# crosscheck
1 ?llvm warpstack crosscheck mm.wst --set l1.policy=prob:1/6,1/2,1/6,1/6 --set l1.write=write-back --bound 0
	=> /note: 1 of 1 rows are outside the bound$/
0 ?llvm warpstack crosscheck mm.wst --set l1.policy=prob:1/6,1/2,1/6,1/6 --set l1.write=write-back --bound 0
	2>/dev/null | tail -n 1
	=> ~^# mean_abs_error_pp=0\.[0-9]+ max_abs_error_pp=0\.[0-9]+ configurations=1 rows=1 outside=1
	low_confidence=[01]$~
0 ?llvm warpstack crosscheck mm.wst --set l1.policy=fifo --bound 100 --no-provenance | tail -n 1 => ~ rows=1 outside=0 ~
0 ?llvm warpstack crosscheck mm.wst --vary l1.policy=lru,fifo --bound 100 --no-provenance --columns $checks,l1.policy |
	head -n 1 =>
	~^kernel	level	policy	.*	miss_ratio_high	confidence	l1\.policy$~
0 ?llvm warpstack crosscheck mm.wst --vary l1.policy=lru,fifo,random,plru,nru,srrip,brrip,drrip,lfu,lfu-age,mfu,bip,dip
	--vary l1.size=8K:32K:x2 --no-provenance --columns $checks,l1.policy,l1.size >c 2>e; code=$?;
	awk -F'\t' -v code=$code '/^#/ { n = split($0, f, /[ =]/); for (i = 2; i < n; i += 2) said[f[i]] = f[i + 1];
	next } NR > 1 { rows++; e = 100 * ($10 - $9); e = e < 0 ? -e : e; bad += (e - $11) ^ 2 > 1e-7;
	inside = $12 == "exact" || ($10 >= $15 - 1e-6 && $10 <= $16 + 1e-6); edge = ($10 - $15) ^ 2 < 1e-11 ||
	($10 - $16) ^ 2 < 1e-11; bad += !edge && inside != ($13 == "yes"); approx += $12 == "approx";
	outside += $13 == "no"; low += $17 == "low" } END { bad += said["rows"] != rows || said["outside"] != outside ||
	said["low_confidence"] != low || said["configurations"] != 39;
	print bad + 0, rows, code == (outside > int(approx / 20)) }' c => ~^0 39 1$~
0 ?llvm for t in 1 2; do warpstack crosscheck mm.wst --vary l1.policy=random,fifo,lfu --vary l1.size=8K,16K --threads $t
	--no-provenance --bound 100 --columns $checks,l1.policy,l1.size >t$t; done; cmp t1 t2 && sed 1d t1 |
	cut -f3,4,10 | grep -v '^#' >c; warpstack simulate mm.wst --vary l1.policy=random,fifo,lfu --vary l1.size=8K,16K
	--no-provenance --columns l1.policy,l1.size,$rows | awk -F'\t' '$10 == "all" { print $5 "\t" $6 "\t" $18 }' |
	diff c - => -

# help and completion
0 warpstack help policies | tr -s ' \n' '  ' => ~ lru .* fifo .* srrip\[:M\[,fp\]\] .* prob:W0,W1,\.\.\. ~
0 warpstack predict --help | tr -s ' \n' '  ' => ~--verify simulates what .*32 bytes a request~
0 warpstack __manual policies | tr '\n' ' ' => ~brrip\[:EPS\].*drrip\[:BITS\]~
0 warpstack __completion bash >c; bash -c '. ./c; COMP_WORDS=(warpstack predict --set l1.policy = srr) COMP_CWORD=5;
	_warpstack; echo "${COMPREPLY[@]}"' => ~^srrip srrip-kumar$~
0 bash -c '. ./c; COMP_WORDS=(warpstack sweep --vary l1.policy =) COMP_CWORD=4; _warpstack; echo "${COMPREPLY[@]}"'
	=> ~^all lru fifo .*lfu-kumar$~
0 bash -c '. ./c; COMP_WORDS=(warpstack sweep --vary l1.policy = lru,pl) COMP_CWORD=5; _warpstack;
	echo "${COMPREPLY[@]}"' => ~^lru,plru$~
0 warpstack __completion bash >c; for o in --set --vary; do bash -c '. ./c;
	COMP_WORDS=(warpstack sweep $0 l1.policy = a) COMP_CWORD=5; _warpstack; echo "$0 ${COMPREPLY[@]}."' $o; done |
	tr '\n' ' ' => ~^--set \. --vary all\. $~
0 warpstack __completion zsh => ~^	if compset -P '\(l1\.policy\|l2\.policy\)='; then$~

# chains: one set solved, beside the model and the simulator
0 for p in fifo random prob:1,2,3; do warpstack policies --chain $p --ways 3 --lines 6 --no-provenance --columns
	fraction |
	sed 1d; done | uniq => ~^400/1029$~
0 warpstack policies --chain lru --ways 5 --lines 6 --law loop --no-provenance
	--columns policy,law,chain_miss_ratio,model_miss_ratio,simulated_miss_ratio,standard_error,fraction
	=> ~^lru	loop	1	1\.000000	1\.000000	0\.000000	1$~
0 warpstack policies --chain bip:1/4 --ways 2 --lines 4 --law weights:7,4,2,1 --no-provenance --columns
	fraction,chain_miss_ratio,chain_within,simulated_miss_ratio,standard_error,states,joined | awk 'NR == 2 {
	split($1, f, "/");
	e = ($4 - $2) / $5; print ($2 - f[1] / f[2]) ^ 2 < 1e-30, $3 == 0, e ^ 2 < 36, $7 <= $6 }' => ~^1 1 1 1$~
0 for s in 1 1 2; do warpstack policies --chain brrip --ways 2 --lines 4 --law zipf:0 --seed $s --no-provenance | sed
	1d; done |
	uniq | wc -l => ~^2$~
0 warpstack policies -q --chain srrip --ways 3 --lines 6 --no-provenance --columns
	joined,chain_miss_ratio,chain_within,fraction
	=> ~^5173	0\.34341479544.*	4\.[0-9]*e-13	$~
0 warpstack policies --chain srrip --ways 3 --lines 6 => /note: 5173 states are too many for a fraction \(2048 at
	most\)/
0 warpstack policies --chain lru --ways 2 --lines 4 --law zipf:0.7 => /note: zipf:0\.7: weights are no fractions/
0 warpstack policies --chain clock --ways 2 --lines 4 --no-provenance --columns model_miss_ratio,confidence,policy =>
	~^		clock$~
2 warpstack policies --chain lfu --ways 4 --lines 8 => /policy lfu has no chain: it counts uses without an end/
2 warpstack policies --chain opt --ways 4 --lines 8 => /policy opt has no chain: it looks ahead in the requests/
2 warpstack policies --chain lru --ways 16 --lines 64 => /16 ways, 64 lines: a chain of more than 131072 states/
2 warpstack policies --chain lru --ways 1000000 --lines 8 => /--ways.*1\.\.16/
2 warpstack policies --chain lru --ways 4 --lines 18446744073709551615 => /--lines.*1\.\.64/
2 warpstack policies --chain lru --ways 4 --lines 99999999999999999999999 => /--lines/
2 warpstack policies --chain lru --ways 4 => /--chain wants --ways and --lines/
2 warpstack policies --ways 4 => /--ways, --lines and --law go with --chain/
2 warpstack policies --chain nosuch --ways 4 --lines 5 => /nosuch/
2 warpstack policies --chain srrip:99 --ways 4 --lines 5 => /99/
2 warpstack policies --chain lru --ways 4 --lines 5 --law zipf:nan => /zipf:nan: want an exponent from 0 to 8/
2 warpstack policies --chain lru --ways 4 --lines 5 --law weights:1,2,3,4,-5 => /"-5" is no weight of a line/
2 warpstack policies --chain lru --ways 4 --lines 5 --law weights: => /"" is no weight of a line/
2 warpstack policies --chain lru --ways 4 --lines 5 --law elephants => /"elephants" is no law of references: want
	zipf:A/
