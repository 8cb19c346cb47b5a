# Rows: columns, order, conditions, formats.

0 awk 'BEGIN { for (i = 0; i < 3000; i++) printf "%s 0x%x\n", i % 7 ? "R" : "W", i * i % 9000 * 4 }' >t.txt;
	wc -l <t.txt => ~^3000$~
0 warpstack help columns => ~^  requests_per_instruction$~
0 warpstack help columns | awk '/^  [a-z]/ { n[$1]++ } END { for (c in n) if (n[c] > 1) print c;
	print (length(n) > 100) }' => ~^1$~

# The default: tsv to a pipe, all columns, varied keys first.
0 warpstack sweep -q t.txt --vary l1.size=8K,16K | head -n 1
	=> ~^# warpstack [0-9.]* sweep -q t.txt --vary l1.size=8K,16K seed=1 machine=gtx480$~
0 warpstack sweep -q t.txt --vary l1.size=8K,16K --no-provenance | head -n 1
	=>
	~^l1\.size	machine	kernel	level	policy	size_bytes	sets	ways	line_bytes	kind	~
0 warpstack crosscheck -q t.txt --vary l1.size=8K,16K --no-provenance | head -n 1
	=> ~^l1\.size	machine	kernel	level	policy	~
0 warpstack predict -q t.txt --format auto --no-provenance >a; warpstack predict -q t.txt --format tsv --no-provenance |
	cmp a - => -

# Missing is empty, or null; it is no dash, and no 0.
0 warpstack simulate -q t.txt --no-provenance | grep -c '	-	' | grep -x 0 => -
0 warpstack predict -q t.txt --kind atomic --no-provenance --columns kind,requests,miss_ratio,error_pp,sectors
	=> ~^atomic	0			$~
0 warpstack predict -q t.txt --kind atomic --no-provenance --columns kind,miss_ratio --format json
	=> ~^\{"kind":"atomic","miss_ratio":null\}$~

# csv and json have rows alone, unless asked.
0 warpstack predict -q t.txt --format csv | head -n 1 => ~^machine,kernel,level,~
0 warpstack predict -q t.txt --format csv --provenance | head -n 1 => ~^# warpstack ~
0 warpstack predict -q t.txt --format json | head -n 1 => ~^\{"machine":"gtx480","kernel":"trace",~
0 warpstack predict -q t.txt --format json --provenance | head -n 1 => ~^\{"remark":"warpstack ~
0 warpstack crosscheck -q t.txt --format csv | tail -n 1 => ~^gtx480,~
0 warpstack crosscheck -q t.txt --format csv --provenance | tail -n 1 => ~^# mean_abs_error_pp=~
0 warpstack crosscheck t.txt --format json 2>&1 >a | tail -n 1 => ~^warpstack: note: mean_abs_error_pp=0\.000000 ~
0 warpstack crosscheck -q t.txt --no-provenance | tail -n 1 => ~^# mean_abs_error_pp=~

# For people.
0 warpstack sweep -q t.txt --vary l1.size=8K,16K,32K --format table => rows-table.txt
0 warpstack sweep -q t.txt --vary l1.size=8K,16K,32K --format md => rows-table.md
0 warpstack simulate -q t.txt --level all --format table | awk 'length > 100 { n++ } END { print n + 0 }' => ~^0$~
0 warpstack machine -k --format table | awk 'length > 100 { n++ } END { print n + 0 }' => ~^0$~
0 warpstack simulate -q t.txt --format md --provenance | head -n 1
	=> ~^<!-- warpstack .* - -format md - -provenance seed=1 machine=gtx480 -->$~

# Columns and rows.
0 warpstack sweep -q t.txt --vary l1.ways=1,2,4,8 --no-provenance --columns miss_ratio,l1.ways | cut -f2 |
	paste -s -d' ' => ~^l1\.ways 1 2 4 8$~
0 warpstack sweep -q t.txt --vary l1.ways=1,2,4,8 --no-provenance --columns all >a;
	warpstack sweep -q t.txt --vary l1.ways=1,2,4,8 --no-provenance | cmp a - => -
0 warpstack sweep -q t.txt --vary l1.ways=1,2,4,8 --no-provenance --columns l1.ways --sort l1.ways:desc --top 3 |
	paste -s -d' ' => ~^l1\.ways 8 4 2$~
0 warpstack sweep -q t.txt --vary l1.ways=1,2,4,8 --no-provenance --columns l1.ways --sort level,misses,l1.ways:desc |
	sed 1d | wc -l => ~^4$~
0 warpstack sweep -q t.txt --vary l1.size=8K,16K,32K --no-provenance --columns l1.size --where 'l1.size>8K' --where
	l1.size!=32K | paste -s -d' ' => ~^l1\.size 16384$~
0 warpstack simulate -q t.txt --no-provenance --columns kind --where kind!=all | paste -s -d' ' => ~^kind load store$~
0 warpstack policies --no-provenance --columns policy --where basis=exact | paste -s -d' ' => ~^policy lru lfu-kumar$~
0 warpstack policies --no-provenance --columns policy --where max_pp= | paste -s -d' ' => ~ opt~

# What is not there.
2 warpstack sweep -q t.txt --vary l1.size=8K,16K --columns kernel,mises
	=> /there is no column 'mises' here, did you mean 'misses'\? try 'warpstack sweep --help'$/
# A word of what a column means finds it.
2 warpstack crosscheck nothing.wst --columns predicted
	=> /there is no column 'predicted' here, did you mean 'model_miss_ratio', the miss ratio as predicted\?/
2 warpstack predict nothing.wst --sort xyzzyx => /there is no column 'xyzzyx' here; try/
2 warpstack predict -q t.txt --where 'ipc>1' => /there is no column 'ipc' here/
2 warpstack predict -q t.txt --where 'kind>load' => /'kind>load': kind is a text: want = or !=/
2 warpstack predict -q t.txt --where 'misses>many' => /'misses>many': misses is a number: 'many' is none/
2 warpstack predict -q t.txt --where misses => /'misses': want NAME=VALUE, or with != < <= > >=/
2 warpstack predict -q t.txt --sort misses:down => /'misses:down': want NAME, NAME:asc or NAME:desc/
2 warpstack predict -q t.txt --columns '' => /no column is named: want NAME,NAME,\.\.\., \+NAME or all/
2 warpstack predict -q t.txt --top 0 => /--top=0: want /
# What --where leaves nothing of is told; a range and a size that are none say how they are written.
0 printf '0 100\n' >w.din; for k in al all; do warpstack predict w.din -m gtx480 --where kind=$k --format
	table 2>&1 | grep -c 'note: no row is what --where asks for'; done | tr '\n' ' ' => ~^1 0 $~
2 warpstack sweep w.din -q --vary l1.size=4K..64K
	=> /l1.size = 4K\.\.64K: want 0\.\.[0-9]* bytes; a range is LOW:HIGH:\+STEP or LOW:HIGH:xFACTOR/
2 warpstack predict w.din --set l1.size=16KX -q => /want 0\.\.[0-9]* bytes, a whole number, K, M and G allowed/
2 warpstack predict nothing.wst --columns miss => /did you mean 'misses'/
