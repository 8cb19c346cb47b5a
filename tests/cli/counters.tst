# Hardware counters from profilers' files.  See tests/cli/run.
0 ln -s "$root/tests/fuzz/corpus-counters" c; warpstack counters -q c/ok-ncu-details.csv --no-provenance
	=> counters-ncu-details
0 warpstack counters -q c/ok-nvprof-trace.csv c/ok-nvprof-metrics.csv c/ok-rocprof-v[123].csv --no-provenance
	=> counters-others
0 warpstack counters -q c/ok-ncu-raw.csv --aggregate --format csv => counters-aggregate
# However it is written, it is the same.
0 columns=gpu,kernel,launch,counter,counted; warpstack counters -q c/ok-ncu-raw.csv --no-provenance --columns $columns
	>a
	&& warpstack counters -q c/ok-bom-crlf.csv --no-provenance --columns $columns | cmp - a &&
	warpstack counters -q --from ncu --no-provenance --columns $columns <c/ok-ncu-raw.csv | cmp - a => -
0 warpstack counters -q c/ok-ncu-raw.csv c/ok-bom-crlf.csv --aggregate --gpu X --where counter=dram_read --columns
	gpu,median,runs --no-provenance => ~^X	1024	6$~
0 warpstack counters -q c/ok-nvprof-metrics.csv --aggregate --where counter=l2_hit_pct --columns median,p10,p90,runs
	=> ~^50	49.9	50.1	3$~
0 warpstack counters c/ok-ncu-raw.csv -o x.tsv => /note: c\/ok-ncu-raw\.csv: Nsight Compute could not count 1 value,
	left out$/
0 warpstack counters -q c/ok-nvprof-trace.csv --sms 1/15 --where counter=l1_load_hits --where launch=1 --columns counted
	=> ~^105000$~
0 head -n 2 c/ok-ncu-raw.csv | warpstack counters => /\(standard input\): no launch is in it$/
0 sed 's/dram_read_t/dram_t/; s/l2_/l3_/; s/gld_/old_/' c/ok-nvprof-metrics.csv | warpstack counters
	=> /none of its counters is one that `warpstack help counters` lists$/
0 warpstack help counters => ~ncu l1tex__t_sector_hit_rate\.pct, in %; stores count~
0 warpstack counters -q c/ok-nvprof-trace-metrics.csv --no-provenance --columns launch,kernel,counter,counted,unit |
	tr '\n\t' ' ,' => ~ 1,vectorAdd,l2_hit_pct,50.25,% 1,vectorAdd,dram_read,2048,sector 2,~
0 warpstack counters --list --from rocprof --where counter=dram_read --columns counted_as,unit,scale,note =>
	~^FETCH_SIZE	sector	32	kilobytes, by 32 bytes$~
0 warpstack counters --list --no-provenance --columns profiler | sort | uniq -c | wc -l => ~^4$~
2 warpstack counters --list x.csv => /--list reads no FILE, but x\.csv is given/
# Damaged files.
3 warpstack counters c/bad-cut.csv -o bad.tsv => /c\/bad-cut\.csv:11: a quote is not closed$/
1 ls bad.tsv 2>/dev/null | grep . || { echo warpstack: >&2; false; } => -
3 warpstack counters c/bad-cells.csv => /bad-cells\.csv:3: 25 cells, but the header on line 1 has 26$/
3 warpstack counters c/bad-grid.csv => /bad-grid\.csv:4: column 9 is '\(16, 1\)', want three numbers/
3 warpstack counters c/bad-launch.csv => /bad-launch\.csv:5: launch 0 is of kernel other, but of vectorAdd on line 4$/
3 warpstack counters c/bad-mixed.csv => /bad-mixed\.csv:8: a table of rocprof after one of nvprof$/
3 warpstack counters c/bad-none.csv => /bad-none\.csv:3: no table of Nsight Compute, nvprof or rocprof: want the csv/
3 warpstack counters c/bad-number.csv => /bad-number\.csv:4: dram__sectors_read\.sum is '10,24', want a number/
3 warpstack counters c/bad-quote.csv => /bad-quote\.csv:7: text after a cell that was closed by a quote$/
3 warpstack counters c/bad-twice.csv => /bad-twice\.csv:5: dram__sectors_read\.sum of launch 1 is given twice: 1030, and
	1024/
3 warpstack counters c/bad-unit.csv => /bad-unit\.csv:4: .* is in 'furlong', which is no unit of a counter$/
3 warpstack counters --from rocprof c/ok-ncu-raw.csv => /ok-ncu-raw\.csv:2: a table of ncu, not of rocprof$/
3 printf 'a\0b\n"ID","Kernel Name"\n0,a\0b\n' | warpstack counters => /\(standard input\):3: a zero byte$/
3 warpstack counters none.csv => /none\.csv: No such file/
2 warpstack counters --sms 15/1 c/ok-ncu-raw.csv => /--sms=15\/1: want COUNTED\/ALL, as 1\/15, with/
2 warpstack counters --from perf c/ok-ncu-raw.csv => /--from.*perf/
