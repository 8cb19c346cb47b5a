# SPDX-License-Identifier: GPL-3.0-or-later
# L1 and shared memory in one array (machine/carveout.c), an option that is given twice, and the
# machine that nobody named.  A kernel of 4, 48, 96 and 100 KB of shared memory for each CTA of 64.
0 ?llvm printf '__kernel void k(__global float *x) {\n__local float t[@];\nint i = get_local_id(0);\nt[i] =
	x[get_global_id(0)];\nbarrier(CLK_LOCAL_MEM_FENCE);\nx[get_global_id(0)] = t[63 - i];\n}\n' >k.txt &&
	for kb in 4 48 96 100; do sed "s/@/$((kb * 256))/" k.txt >k$kb.cl &&
	warpstack trace k$kb.cl --kernel k --global 65536 --local 64 --arg x=buffer:float:65536:zero -o k$kb.wst ||
	exit 1; done => -
0 ?llvm for kb in 4 48 96; do warpstack predict k$kb.wst -m v100 --kind all --no-provenance --columns
	size_bytes,sets,ways | tail -n 1; done => carveout-predict.tsv
2 ?llvm warpstack predict k100.wst -m v100
	=> /a CTA of 102400 bytes of shared memory: v100 allows 98304 \(sm\.carveouts\)$/
# V100 has 1024 CTAs for 80 SMs, 13 for each at most: 52 KB, so 64 KB are carved out.
0 ?llvm warpstack sweep k4.wst -m v100 --vary sm.carveout=auto,none,32K,96K --kind all --no-provenance --columns
	sm.carveout,size_bytes,sets,ways => carveout-sweep.tsv
0 ?llvm warpstack simulate k48.wst -m v100 --cycles --no-provenance --columns level,size_bytes,sets,ways | uniq
	=> carveout-cycles.tsv
0 ?llvm warpstack simulate k48.wst -m v100 --level all --no-provenance --columns level,size_bytes,sets,ways | uniq
	=> carveout-cycles.tsv
0 ?llvm warpstack crosscheck k48.wst -m v100 --level all --vary sm.carveout=auto,64K,96K | tail -n 1
	=> ~max_abs_error_pp=0\.000000 configurations=3 rows=6 outside=0~
0 ?llvm warpstack predict k48.wst -m rtx2060 --kind all --columns size_bytes,sets,ways | tail -n 1
	=> ~^32768	4	64$~
0 ?llvm warpstack predict k96.wst -m a100 --kind all --columns size_bytes,sets,ways | tail -n 1
	=> ~^94208	4	184$~
2 ?llvm warpstack predict k48.wst -m v100 --set sm.carveout=32K
	=> /a CTA of 49152 bytes of shared memory: v100 allows 32768 \(sm\.carveout\)$/
2 ?llvm warpstack predict k48.wst -m v100 --set sm.carveout=64K --set l1.size=96K
	=> /l1\.size = 98304 and sm\.carveout = 65536 of sm\.unified = 131072 contradict each other: want one of them/
2 ?llvm warpstack predict k48.wst -m v100 --set sm.carveout=64K --set sm.shared=96K
	=> /sm\.shared = 98304 and sm\.carveout = 65536 of sm\.unified = 131072 contradict/
2 warpstack machine v100 --set sm.carveout=48K
	=> /sm\.carveout = 49152: want auto, none, or one of sm\.carveouts = 0,8K,16K,32K,64K,96K$/
2 warpstack machine v100 --set sm.carveouts=8K,8K
	=> /sm\.carveouts = 8K,8K: want none or up to 12 sizes in whole KB, ascending/
2 warpstack machine gtx480 --set sm.carveout=16K
	=> /sm\.carveout: L1 and shared memory of gtx480 are apart \(sm\.unified = 0\)$/
# An L1 that is asked about is that, whatever the array has room for.
0 ?llvm warpstack sweep k48.wst -m v100 --vary l1.size=32K:1M:x4 --kind all --no-provenance --columns
	l1.size,size_bytes,sets,ways => carveout-sizes.tsv
# A profile says what its launches want, and what it was made with.
0 ?llvm warpstack profile k48.wst -m v100 -o k.wsp && warpstack predict k.wsp --kind all --columns size_bytes,sets,ways
	| tail -n 1 => ~^32768	4	64$~
0 ?llvm warpstack merge k.wsp k.wsp | warpstack predict --set l1.ways=8 --kind all --columns size_bytes,sets,ways |
	tail -n 1 => ~^4096	4	8$~
2 ?llvm warpstack predict k.wsp --set sm.carveout=96K => /sm\.carveout is auto in the profile and 98304 was asked for/
0 ?llvm warpstack profile k48.wst -m v100 --l2 -o l2.wsp &&
	warpstack predict l2.wsp --level all --kind all --no-provenance --columns level,size_bytes,sets,ways
	=> carveout-l2.tsv
0 ?figures warpstack plot reuse k48.wst -m v100 -o r.svg && grep -c 'L1 32 KB = 4 sets x 64 ways' r.svg => ~^[12]$~
# GPGPU-Sim's adaptive cache is this, both ways.
0 warpstack machine v100 --to gpgpusim -o v.config && grep -A 2 adaptive v.config => carveout-gpgpusim.txt
0 for key in l1.size l1.ways sm.shared sm.unified sm.carveouts sm.carveout; do for m in v100 ./v.config; do
	warpstack machine $m | grep "^$key	"; done | uniq -c | tr -s ' '; done | cut -d ' ' -f 2 | uniq -c |
	tr -s ' ' => ~^ 6 2$~
# Twice, and not at all.
2 warpstack predict x.wst -m gtx480 -m v100 => /^warpstack: --machine is given twice: want one;
	try 'warpstack predict --help'$/
2 warpstack predict x.wst --seed 1 --seed=1 => /--seed is given twice: want one/
0 ?llvm warpstack predict k4.wst => /^warpstack: note: no machine named: gtx480 \(-m names another\)$/
0 ?llvm warpstack profile k4.wst -o named.wsp => /^warpstack: note: no machine named: gtx480 \(-m names another\)$/
0 ?llvm for c in 'predict k4.wst -q' 'sweep k4.wst -m v100' 'predict k.wsp' 'info k4.wst'; do warpstack $c 2>&1 >o |
	grep -c 'no machine named'; done | uniq -c | tr -s ' ' => ~^ 4 0$~
