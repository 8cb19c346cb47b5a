# Advice: each kernel has one fault, which is named first, and the kernel without it gains what was promised, within the
# error (files/advise/advised); kernels without a fault get no advice.
0 ?llvm $files/advise/advised $files/advise/records.launch $files/advise/records_mended.launch uncoalesced -m gtx480
	=> ~^uncoalesced is first and kept$~
0 ?llvm $files/advise/advised $files/advise/columns.launch $files/advise/columns_mended.launch conflict -m gtx480
	=> ~^conflict is first and kept$~
# Rows of two lines are padded by two; arrays lie apart.
0 ?llvm f=$files/advise/window; $files/advise/advised $f.launch ${f}_mended.launch conflict -m gtx480 --set
	l1.hash=modulo => ~^conflict is first and kept$~
0 ?llvm f=$files/advise/products; $files/advise/advised $f.launch ${f}_mended.launch conflict -m gtx480 --set
	l1.hash=modulo => ~^conflict is first and kept$~
# A tile that is too large: by pieces, or with fewer CTAs on an SM.
0 ?llvm $files/advise/advised $files/advise/tiles.launch $files/advise/tiles_pieces.launch tile -m gtx480
	=> ~^tile is first and kept$~
0 ?llvm f=$files/advise/tiles; only=1 $files/advise/advised $f.launch ${f}_mended.launch residency -m gtx480
	=> ~^residency is first and kept$~
# Two arrays that are both uncoalesced are transposed at once; lanes that data sends apart have no rows to transpose.
0 ?llvm f=$files/advise/pairs; $files/advise/advised $f.launch ${f}_mended.launch uncoalesced -m gtx480
	=> ~^uncoalesced is first and kept$~
0 ?llvm warpstack advise $files/advise/lookups.launch -m gtx480 -q --no-provenance --where advice=uncoalesced --columns
	array --format csv => ~^array$~
# The whole grid sorted gains what a kernel does whose data was, and is told apart from sorting CTAs.
0 ?llvm warpstack advise $files/advise/branches.launch -m gtx480 -q --no-provenance --where advice=divergence --columns
	change => ~sort the work-items of the whole grid~
# Stores past the cache; those of streams are of a cache that does not take them.
0 ?llvm s=$files/advise/stream; $files/advise/advised $s.launch ${s}_mended.launch streaming -m gtx480 --set
	l1.write=write-through-allocate => ~^streaming is first and kept$~
0 ?llvm s=$files/advise/streams.launch; w=l1.write=write-through; $files/advise/advised $s $s streaming -m gtx480 --set
	$w-allocate -- --set $w => ~^streaming is first and kept$~
0 ?llvm $files/advise/advised $files/advise/branches.launch $files/advise/branches_mended.launch divergence -m gtx480
	=> ~^divergence is first and kept$~
0 ?llvm $files/advise/advised $files/advise/lookups.launch $files/advise/lookups_mended.launch shared -m gtx480
	=> ~^shared is first and kept$~
# LLVM's kernel with the software cache gains what the trace with it does.
0 ?llvm f=$files/advise/parse.launch; warpstack softcache $f -m gtx480 --transform --line 16 --lines 1 --threshold 4
	--trace p.wst -q >p.tsv; only=1 $files/advise/advised $f p.wst softcache -m gtx480
	=> ~^softcache is first and kept$~
# A launch that asks for no shared memory can have more than its carve-out.
0 ?llvm warpstack advise $files/advise/lookups.launch -m v100 -q --no-provenance --where advice=shared --columns
	array,source,change
	=> ~^table	faults.cl:[0-9]+	keep what a CTA reads of array table in shared memory: 8192 bytes$~
# What data says which it is has to be gathered; a table that is read in any order lies together.
0 ?llvm for k in gather lookups; do warpstack advise $files/advise/$k.launch -m gtx480 -q --no-provenance --where
	array=table --where advice=shared --columns change | grep -c gather; done | tr '\n' ' ' => ~^1 0 $~
0 ?llvm for k in add blur sums; do warpstack advise $files/advise/$k.launch -m gtx480 -q --no-provenance --columns
	advice,gain_percent | grep -cv '^#'; done | tr '\n' ' ' => ~^1 1 1 $~
0 ?llvm warpstack trace $files/advise/columns.launch -q -o c.wst; warpstack advise c.wst -m gtx480 -q --no-provenance
	=> advise.tsv
0 ?llvm for n in 1 3; do warpstack advise c.wst -m gtx480 --threads $n --format json -q; done | sort | uniq -c | awk '{
	print $1 }' | sort -u => ~^2$~
0 ?llvm warpstack advise c.wst -m gtx480 --of kernel -q --no-provenance --where change_of=machine --columns advice
	--format csv => ~^advice$~
2 ?llvm warpstack profile c.wst -m gtx480 -q -o c.wsp; warpstack advise c.wsp
	=> /c\.wsp is a profile: advise wants a trace or a launch file/
2 ?llvm warpstack advise c.wst -m gtx480 --kernel none => /no kernel is called none/
# At the end of the address space what is moved goes down, and gains as much as elsewhere.
0 for top in 000001fffff fffffffffff; do awk -v top=$top 'BEGIN { for (r = 0; r < 9; r++) for (i = 0; i < 40; i++)
	printf "0 %s%02x%03x\n", top, i + 216, r * 8 }' >$top.din; warpstack advise $top.din -q -m gtx480 --set
	l1.hash=modulo --no-provenance --columns advice,gain_percent >$top.rows; done; cmp 0*.rows f*.rows &&
	sed -n 2p f*.rows => ~^conflict	64\.2$~
# A sample of the CTAs finds the same, within its error, and says that it is one; what is whole has all.
0 ?llvm for o in --whole '--sample 2000'; do warpstack advise $files/advise/records.launch -m gtx480 -q --no-provenance
	--of kernel $o --where array=in --where advice=uncoalesced --columns gain_percent,gain_error,sample_percent | tr
	'\n' ' '; done >s.txt; cat s.txt; awk '{ off = $13 - $4; if (off < 0) off = -off; exit !(off <= $14 && $6 == 100
	&& $15 < 50) }' s.txt && echo kept => ~advised=[0-9]+ gain.*sampled=1 .*kept$~
2 warpstack advise nothing.wst --sample 0 => /--sample/
# Machine code of another tool's trace is not that of the changed kernel.
0 awk 'BEGIN { print "blocksize: 32 1 1"; for (i = 0; i < 512; i++) print i % 32, 0, 4096 + i % 32 * 512 + int(i / 32)
	* 4, 4 }' >u.n; warpstack convert -q u.n --to accel-sim -o u.g && warpstack advise u.g -q -m gtx480
	--no-provenance --columns requests,advice,change_of => ~^512	softcache	kernel$~
# What an array's loads past the L1 read can be kept in shared memory as well.
0 ?llvm warpstack trace $files/operators.cu --kernel k --grid 8 --block 128 --arg a=buffer:float:1024:iota -q
	--arg b=buffer:float4:1024:iota --arg out=buffer:float:1024 --arg n=1024 -o op.wst; warpstack advise op.wst
	-m v100 -q --no-provenance --columns advice,array => ~^shared	a$~
