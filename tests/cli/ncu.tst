# predict --format ncu-csv: what `warpstack counters` reads of it is what predict says.
0 ?llvm awk -v from=data/kernel -f $files/smaller.awk data/kernel/bfs.launch >b.launch; warpstack trace b.launch -q -o
	b.wst; warpstack predict b.wst -m v100 --level all --latency --format ncu-csv -q -o n.csv; warpstack counters
	n.csv -q --no-provenance --columns kernel,launch,grid_x,block_x,counter,counted | sed 1d | awk -F '\t' '
	$5 ~ /^(l1_load|l2_read|l2_write)_(queries|misses)$/ || $5 == "cycles"' | LC_ALL=C sort >got;
	warpstack predict b.wst -m v100 --level all --latency -q --no-provenance --per launch --columns
	kernel,level,kind,sectors,sectors_missed,cycles --format tsv | sed 1d | awk -F '\t' -v OFS='\t' '
	{ n = index($1, "#") ? substr($1, index($1, "#") + 1) : 1; sub(/#.*/, "", $1); c = ($2 == "L1" ? "l1_" : "l2_")
	($3 == "store" ? "write" : $2 == "L1" ? "load" : "read"); at = $1 OFS n OFS 4 OFS 256 OFS }
	$3 == "load" || ($3 == "store" && $2 == "L2") { print at c "_queries", $4; print at c "_misses", $5 }
	$6 != "" { print at "cycles", $6 }' | LC_ALL=C sort >want;
	echo $(LC_ALL=C comm -23 want got | wc -l) $(wc -l <want) => ~^0 [1-9][0-9]+$~
# Names with quotes and commas.
0 printf -- '-kernel name = a"b,c\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-accelsim tracer version =
	3\n\n#traces\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n0010 ffffffff 1 R4 LDG.E 1 R2 4 1 0x10000 4
	\n#END_TB\n' >k.traceg; warpstack predict -q k.traceg -m v100 --format ncu-csv --no-provenance | tail -n 1
	=> ~^"0","0","k.traceg","127.0.0.1","a""b,c","1","7","\(32, 1, 1\)","\(1, 1, 1\)","0","","V100.*","4","0","4",~
2 ?llvm warpstack predict b.wst --format ncu-csv --by line => /--format ncu-csv and --by: want one of them/
2 ?llvm warpstack predict b.wst --format ncu-csv --per kernel => /--format ncu-csv and --per=kernel: it is of launches/
2 ?llvm warpstack profile b.wst -q -o b.wsp; warpstack predict b.wsp --format ncu-csv => /b\.wsp is a profile/
2 warpstack sweep x --vary l1.ways=1 --format ncu-csv => /--format=ncu-csv/
4 ?llvm warpstack predict b.wst -m v100 --format ncu-csv >/dev/full => /No space left on device/
