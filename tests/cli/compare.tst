# Two outputs of the same launches, side by side.  See tests/cli/run; the readers' own tests are
# tests/validate/t-compare.c.
0 ln -s "$root/tests/fuzz/corpus-compare" c; ln -s "$root/tests/fuzz/corpus-counters" n;
	warpstack compare c/ok-two.log c/ok-rows.csv -q --no-provenance => compare.tsv
0 warpstack compare c/ok-two.log c/ok-rows.csv -q --means --format json --provenance | tail -n 1
	=> ~^\{"remark":"launches=3 values=50 equal=46"\}$~
0 warpstack compare c/ok-two.log - -q --columns counter,a,b --where item=launch --where launch=3 --where
	counter=l2_load_misses --no-provenance <c/ok-two.log | tail -n 2 | tr '\t' ' ' => ~^l2_load_misses 1 1$~
0 warpstack compare c/ok-two.log c/ok-rows.csv --means -o x.tsv => -
0 sed 's/_Z1fPf/_Z1hPf/; s/_Z1gPf/i/' c/ok-two.log >other.log;
	warpstack compare other.log c/ok-rows.csv --means -o x.tsv
	=> /note: 3 of 3 launches are called otherwise in the second file: launch 1 is h and f$/
0 warpstack compare c/ok-rows.jsonl c/ok-rows.csv --match name -q --no-provenance --where equal=no --columns
	launch,counter,a,b | tail -n +2 | tr '\n\t' '; ' =>
	~^1 cycles 77 1100;1 l1_store_accesses 0 10;1 l1_store_misses 0 10;# launches=1 values=9 equal=6;$~
0 warpstack compare c/ok-rows.csv c/ok-rows.jsonl --match name -o x.tsv
	=> /note: c\/ok-rows\.csv: 2 of 3 launches are not in the other file, left out$/
0 warpstack compare c/ok-rows.tsv c/ok-rows.tsv -o x.tsv => /have no counter in common$/
# A profiler's: sectors; where there are no counts, the rates.
0 warpstack compare n/ok-ncu-raw.csv n/ok-ncu-raw.csv -q --no-provenance --where launch=2 --columns counter,a |
	tail -n +2 | tr '\n\t' '; ' =>
	~^l1_load_accesses 2048;l1_load_misses 1048;l1_load_miss_ratio 0\.51171875;dram_reads 1030;# launches=3 ~
0 { echo '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"'; 
	echo '"0","f","Elapsed Cycles","cycle","1,234"';
	echo '"0","f","L2 Hit Rate","%","75"';
	} >d.csv; sed 1d c/ok-rows.csv | grep -e machine -e 'f#1' >f.csv;
	warpstack compare d.csv f.csv --no-provenance -q --where item=launch --columns counter,a,b | sed '1d; $d' |
	tr '\n\t' '; ' => ~^cycles 1234 1100;l2_miss_ratio 0\.25 0\.4090909090909091;$~

# The simulator's own outputs, in every format, say the same of each launch.
0 printf 'blocksize: 64 1 1\n0 0 4096 4\n1 0 4352 4\n40 1 8192 4\n40 1 4096 4\n' >t.trace;
	s='warpstack simulate --from nugteren -q -m v100 --cycles --no-provenance t.trace';
	$s >t.tsv; $s --format csv >t.csv; $s --format json >t.json; $s --format gpgpusim >t.txt;
	for f in csv json txt; do warpstack compare t.tsv t.$f --no-provenance -q --where item=launch --columns equal |
	sed '1d; $d' | sort | uniq -c | tr -s ' '; done | tr '\n' ';' => ~^ 31 yes; 31 yes; 31 yes;$~
# Accel-Sim beside the cycle simulator, as oracle.csv has its counts.
0 ?recorded a="$root/../shared/data/accel-sim"; cat $a/qv100.config $a/qv100-trace.config >q.config;
	awk -F, -v rows='^qv100,.*,bfs-list,' -f $files/oracle-text.awk $a/oracle.csv >q.log;
	warpstack simulate $a/bfs-kernelslist.g -m ./q.config --cycles --per launch -q >q.tsv;
	warpstack compare q.log q.tsv -q --means --no-provenance --where 'counter!=cycles' --columns
	counter,equal_launches,launches | awk '{ n += $2; m += $3 } END { print n, m }' => ~^92 92$~
0 ?recorded warpstack compare q.log q.tsv --means --where counter=cycles --columns rank_correlation --no-provenance
	| sed -n 2p => ~^1\.000$~

# What is no output, or damaged.
2 warpstack convert --from nugteren -q t.trace -o t.wst; warpstack compare t.wst t.tsv
	=> /t\.wst is a trace: compare wants outputs, such as those of `warpstack simulate --cycles`$/
2 warpstack profile -q t.wst -o t.wsp; warpstack compare t.tsv t.wsp => /t\.wsp is a profile: compare wants outputs, /
2 warpstack counters t.wst => /t\.wst is a trace: counters wants the csv that a profiler writes$/
3 warpstack compare c/bad-cut.log c/ok-two.log -o bad.tsv => /c\/bad-cut\.log:63: the file is cut off: want/
1 ls bad.tsv 2>/dev/null | grep . || { echo warpstack: >&2; false; } => -
3 warpstack compare c/ok-two.log c/bad-falls.log => /bad-falls\.log:43: l1_load_misses falls from 10 to 3, but it/
3 warpstack compare c/ok-two.log c/bad-first.log => /bad-first\.log:5: a statistic before the first kernel_name$/
3 warpstack compare c/ok-two.log c/bad-no-cycles.log => /:42: the launch before has no gpu_sim_cycle$/
3 warpstack compare c/ok-two.log c/bad-number.log => /:35: cycles is '5e2', want a count up to 2\^53$/
3 warpstack compare c/ok-two.log c/bad-twice.log => /:36: cycles is given on line 35 already$/
3 warpstack compare c/bad-twice.csv c/ok-two.log => /bad-twice\.csv:11: L1 load of kernel f#1 is on line 3 already/
3 warpstack compare c/bad-column.csv c/ok-two.log => /bad-column\.csv:2: no column misses: want rows of simulate, /
3 warpstack compare c/bad-level.csv c/ok-two.log => /bad-level\.csv:7: level is 'L3', want L1 or L2$/
3 warpstack compare c/bad-count.csv c/ok-two.log => /bad-count\.csv:3: hits is '-6', want a count up to 2\^53$/
3 warpstack compare c/bad-cells.tsv c/ok-two.log => /bad-cells\.tsv:2: 4 cells, but the header has 5$/
3 warpstack compare c/bad-cut.jsonl c/ok-two.log => /bad-cut\.jsonl:3: want an object of texts, numbers and nulls on/
3 warpstack compare c/bad-members.jsonl c/ok-two.log => /:3: an object of other members than the first$/
3 warpstack compare c/bad-none.csv c/ok-two.log => /bad-none\.csv:1: no launch is in it$/
3 echo nothing | warpstack compare c/ok-two.log - => /\(standard input\):2: no table of .*; nor is it stat/
3 warpstack compare none.log c/ok-two.log => /none\.log: No such file/
2 warpstack compare c/ok-two.log c/ok-rows.jsonl => /ok-two\.log has 3 launches, .*jsonl 1: want as many, or/
2 warpstack compare other.log c/ok-rows.csv --match name => /have no kernel of the same name; try/
2 warpstack compare - - => /A and B are both standard input; try/
2 warpstack compare c/ok-two.log => /compare/
2 warpstack compare c/ok-two.log c/ok-two.log -o c/ok-two.log => /ok-two\.log/
# Rows by line and array: each part with its like, the same counts as in the rows.
0 ?llvm warpstack trace data/kernel/mm-16x8.launch -q -o mm.wst; for s in 16K 32K; do warpstack predict mm.wst -m gtx480
	--set l1.size=$s --by site -q -o $s.tsv --columns
	kernel,level,kind,array,source,requests,hits,pending,misses; done;
	warpstack compare 16K.tsv 32K.tsv --match name -q --where counter=l1_load_misses --where item=launch
	--columns kernel,a,b --format csv | sed 1d | grep -v ' C at ' | sort >got;
	for s in 16K 32K; do awk -F '\t' '$3 == "load" { print "\"" $1 ", " $4 " at " $5 "\"," $9 }' $s.tsv |
	sort >$s.want; done; paste -d , 16K.want 32K.want | awk -F , '{ print $1 "," $2 "," $3 "," $6 }' |
	diff got - && wc -l <got => ~^2$~
