# Keys fitted to hardware counters: a tiny set, whose counters the tool itself counts.  See tests/cli/run.
0 cp -r $files/counters set; printf 'base = gtx480\nsm.count = 2\n' >set/tiny.conf; cp -r set one; head -n 3
	set/tiny.csv
	>one/tiny.csv => -

# Counters of a machine with other ways and another hash: they are found, and nothing is said of the L2's policy.
0 ?llvm warpstack validate -q one --level l1 --set l1.ways=1 --set l1.hash=modulo --where item=launch --no-provenance
	--columns predicted_hit | awk 'NR == 1 { print "gpu,l1,kernel,n,hit,spread,l2_hit,l2_missed" }
	/^[0-9]/ { print "Tiny,ca,mm," 32 * ++n "," $1 ",0.1,50,250" }' >a; mv a one/tiny.csv; cat one/tiny.csv
	=> ~^Tiny,ca,mm,64,50\.4~
0 ?llvm warpstack fit -q one --level l1 --free 'l1.ways=1|2,l1.hash=modulo|fermi,l2.policy=lru|fifo' -o found.conf
	--no-provenance --columns item,key,value,choice,start,fitted,determined >rows; cat rows
	=> ~^value	l1\.ways	1	best	no	yes	yes$~
0 ?llvm cat rows => ~^value	l1\.hash	modulo	best	no	yes	yes$~
0 ?llvm cat rows => ~^value	l2\.policy	fifo	within	no	no	no$~
0 ?llvm cat rows => ~^value	l2\.policy	lru	best	yes	yes	no$~
0 ?llvm cat rows => ~^# All 12 combinations were tried$~
0 ?llvm grep '^l1\.[wh]a' found.conf | paste -s => ~^l1.ways = 1	l1.hash = modulo$~
0 ?llvm grep '^# Mean' found.conf => ~^# Mean absolute error of hit rates, in points: at the start 3[0-9.]+; fitted
	0\.00~
0 ?llvm cat found.conf => ~^# l2\.policy: not determined; the start's value stays\.  Least error with lru: 0\.00 points;
	with fifo, the next: 0\.00\.$~
0 ?llvm cat found.conf => ~^# l1\.hash: fitted\.  Least error with modulo: 0\.00 points; with fermi, the start:
	[0-9.]+\.$~
0 ?llvm cat found.conf => ~^# Licence: none\.$~
0 ?llvm mkdir m; cp found.conf m/tiny.conf; warpstack validate -q one -m m --level l1 --where item=level --no-provenance
	--columns mean_abs_pp => ~^0\.00$~

# The start is a machine, a folder, or what --set says; what it is has no errors to tell it by.
0 ?llvm for m in found.conf m; do warpstack fit -q one --level l1 --free l1.ways=1\|2 -m $m --no-provenance --where
	item=fitted
	--columns item,scored_launches,mean_abs_pp; done | grep -c '^fitted.2.0.00$' => ~^2$~
0 ?llvm warpstack fit -q one --level l1 --free l1.ways=1\|2 --set l1.hash=modulo --where value=1 --columns
	mean_abs_pp,start,fitted --no-provenance => ~^0\.00	no	yes$~
0 ?llvm warpstack fit -q one --level l1 --free l1.hash=xor,ipoly,l1.ways=2:4:x2 --no-provenance --columns key,value |
	grep -c '^l1' => ~^5$~

# Threads, what is kept, and how it is searched change no row.
0 ?llvm set -- 'l1.ways,l1.hash,l1.policy=lru|fifo|srrip:2,fp'; for t in 1 3; do warpstack fit -q one --level l1 --free
	"$1"
	--threads $t --no-provenance >$t; done; cmp 1 3; for i in 1 2; do warpstack fit -q one --level l1 --free "$1"
	--state kept --no-provenance | cmp - 1; done; head -c -9 kept >cut; warpstack fit -q one --level l1 --free "$1"
	--state cut --no-provenance | cmp - 1 => -
0 ?llvm warpstack fit -q one --level l1 --free l1.ways,l1.hash --most 3 --no-provenance => ~^# 16 of 20 combinations
	were
	tried, in 3 descents, [123] of which ended at the best$~
0 ?llvm warpstack fit -q one --free l1.ways=2\|4 --level l1 --predicted --format json --no-provenance | head -n 1
	=> ~"key":"l1.ways","value":"2"~

# What cannot be.
2 warpstack fit one => /no key is free: want one at least$/
2 warpstack fit one --free l1.hsah => /unknown key 'l1\.hsah': did you mean l1\.hash\?$/
2 warpstack fit one --free title => /title is a label, and changes nothing: want a key of the machine$/
2 warpstack fit one --free l1.hash= => /l1\.hash has no value: want KEY or KEY=A\|B\|C$/
2 warpstack fit one --free l1.hash,l1.hash=xor => /l1\.hash is free twice: want it once$/
2 warpstack fit one --free l1.policy=lur\|fifo => /l1\.policy: no policy "lur"/
2 warpstack fit one --free l1.ways=4 => /l1\.ways has one candidate, 4, where it starts: want KEY=A\|B\|C$/
2 warpstack fit one --free l1.ways,,l1.hash => /an empty key: want KEY or KEY=A\|B\|C, separated by commas$/
2 warpstack fit one --free l1.hash --gpu K4O => /one: no launch that was asked for is scored at that level: there is
	nothing to fit$/
2 warpstack fit one --free l1.hash -o - => /-o -: the rows go to standard output: want -o FILE;/
2 warpstack fit one --free l1.hash -o one/tiny.conf => /--output=one\/tiny\.conf is the input too/
2 ?llvm warpstack fit one --free l1.hash -o m/tiny.conf -m m => /--output=m\/tiny\.conf is the input too/
3 cp -r one bad; echo Tiny,ca >>bad/tiny.csv; warpstack fit bad --free l1.hash
	=> /bad\/tiny\.csv:4: 2 cells: want 8, as the header has$/
3 warpstack fit none --free l1.hash => /none: No such file or directory$/
2 ?llvm warpstack fit one --free l1.hash -m gtx48 => /unknown machine 'gtx48': did you mean gtx480\?/

# Default candidates: a ladder around the start, all choices that have time, the policies that have a model.
0 ?llvm warpstack fit -q one --level l1 --free sm.launch,sm.scheduler,l1.ways --most 1 --no-provenance --where
	item=value
	--columns key,value | sed -n '/	/s/.*	//p' | paste -s -d , =>
	~^value,0,10,20,40,80,lrr,gto,two-level,1,2,4,8,16$~
0 ?llvm warpstack fit -q one --level l1 --free l1.policy --no-provenance --where item=value --columns value |
	grep -cxE 'lru|fifo|plru|nru|srrip' => ~^5$~
