# sweep --part: the parts one after another are the whole, to the byte.

0 awk 'BEGIN { for (i = 0; i < 3000; i++) printf "%s 0x%x\n", i % 7 ? "R" : "W", i * i % 9000 * 4 }' >t.txt;
	warpstack profile -q t.txt -o t.wsp; printf '%s\n' 'n=$1; shift; warpstack sweep -q "$@" >whole || exit 8'
	'for k in $(seq $n); do warpstack sweep -q "$@" --part $k/$n || exit 9; done | cmp - whole' >check => -
0 sh check 1 t.wsp --vary l1.ways=1:9:+1 => -
0 sh check 4 t.wsp --vary l1.ways=1:9:+1 --kind each => -
0 sh check 11 t.wsp --vary l1.ways=1,2,4 --columns l1.ways,misses --where 'l1.ways>1' => -
0 sh check 3 t.wsp --vary l1.ways=1,2,4 --vary l1.policy=lru,fifo,srrip:2 --format csv => -
0 sh check 5 t.txt --vary l1.size=8K,16K --vary l1.ways=1,2,4 --format json --provenance --latency => -
0 sh check 3 t.txt --vary l1.size=8K,16K --vary l1.policy=lru,opt --verify => -
0 sh check 4 t.txt --vary machine=gtx480,v100 --vary l1.ways=2,4 --level all => -
# Machines of a band stay together.
0 sed '/^l1.hash/d; $a l1.hash = modulo|xor' data/machine/gtx480.conf >band.conf; sh check 3 t.txt -m band.conf
	--vary l1.ways=2,4 --columns l1.ways,misses,alternatives_low,alternatives_high => -
0 warpstack sweep -q t.wsp --vary l1.ways=1,2 --part=2/2 --no-provenance --columns l1.ways => ~^2$~
# More parts than rows: some are empty, and the first has the header.
0 warpstack sweep -q t.wsp --vary l1.ways=1,2 --part 1/3 --no-provenance --columns l1.ways => ~^l1\.ways$~

2 warpstack sweep t.wsp --vary l1.ways=1,2 --part 3/2 => /--part=3\/2: want K\/N, part K of N, at most 1000000;/
2 warpstack sweep t.wsp --vary l1.ways=1,2 --part 0/2 => /--part=0\/2: want K/
2 warpstack sweep t.wsp --vary l1.ways=1,2 --part 1 => /--part=1: want K/
2 warpstack sweep t.wsp --vary l1.ways=1,2 --part 1/x => /--part=1\/x: want K/
2 warpstack sweep t.wsp --best misses --part 1/2 => /--part and --best: want one of them/
2 warpstack sweep t.wsp --vary l1.ways=1,2 --sort misses --part 1/2 => /--part and --sort: want one of them/
2 warpstack sweep t.wsp --vary l1.ways=1,2 --top 1 --part 1/2 => /--part and --top: want one of them/
2 warpstack sweep t.wsp --vary l1.ways=1,2 --format md --part 1/2 => /--part and --format=md: want tsv, csv or json/

# --jobs-file: a line for each part.
0 warpstack sweep -q t.wsp --vary 'l1.ways=1:9:+1' --jobs-file j --jobs 4 --where 'l1.ways>1'; wc -l <j | grep -q '^4$';
	warpstack sweep -q t.wsp --vary 'l1.ways=1:9:+1' --where 'l1.ways>1' >whole; sh j | cmp - whole => -
0 warpstack sweep -q --jobs=3 --jobs-file=j --vary l1.ways=1,2 -- t.wsp; head -n 1 j =>
	~^warpstack sweep --part=1/3 -q --vary l1\.ways=1,2 -- t\.wsp$~
2 warpstack sweep t.wsp --vary l1.ways=1,2 --jobs-file j -o x => /--jobs-file and --output: want one of them/
2 warpstack sweep --vary l1.ways=1,2 --jobs-file j => /--jobs-file: want FILE/
2 warpstack sweep t.wsp --vary l1.ways=1,2 --jobs 4 => /--jobs: want --jobs-file FILE too/
2 warpstack sweep t.wsp --vary l1.ways=1,2 --jobs-file t.wsp => /--jobs-file=t.wsp is the input too/
