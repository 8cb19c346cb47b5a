# SPDX-License-Identifier: GPL-3.0-or-later
# From a kernel to rows: every command on real traces.  See tests/cli/run.
0 ?llvm warpstack trace data/kernel/mm-16x8.launch -o mm.wst => -
0 ?llvm warpstack trace data/kernel/mm.cl --kernel mm --global 128,128 --local 16,16 --arg A=buffer:float:16384:random --arg B=buffer:float:16384:random --arg C=buffer:float:16384:zero --arg width=128 --arg height=128 -o same.wst && warpstack info mm.wst --no-provenance >a && warpstack info same.wst --no-provenance | sed s/same/mm/ | diff a - => -
0 ?llvm warpstack trace data/kernel/mm-16x8.launch --threads 1 | cmp - mm.wst => -
0 ?llvm warpstack trace <data/kernel/mm-16x8.launch 2>&1 | head -n 1 | cut -c1-24; : => ~mm\.cl~
0 ?llvm warpstack profile mm.wst -m gtx480 -o mm.wsp => -
0 ?llvm warpstack profile mm.wst --threads 1 | cmp - mm.wsp => -
0 ?llvm warpstack info mm.wst => info-trace.tsv
0 ?llvm warpstack info mm.wst --format json => info-trace.json
0 ?llvm warpstack info mm.wsp => ~^kernel mm sets 32 load	requests	196608$~
0 ?llvm warpstack info mm.wsp --format json | sed -n '3s/"distance":\[[0-9,]*\]/D/gp' => ~"sets":32,"load":\{"requests":196608,"cold":9216,"uncached":0,D,"capacity":\[~
0 warpstack info data/kernel/mm-16x8.launch => info-launch.tsv
0 warpstack info data/kernel/mm-16x8.launch --format json => ~^\{"launch":1,"kernel":"mm","global":\[128,128,1\]~

# predict
0 ?llvm warpstack predict mm.wsp => predict.tsv
0 ?llvm warpstack predict mm.wsp --no-provenance --format csv => predict.csv
0 ?llvm warpstack predict mm.wsp --no-provenance --format json => predict.json
0 ?llvm warpstack predict mm.wst --no-provenance >a && warpstack predict mm.wsp --no-provenance | diff a - => -
0 ?llvm warpstack predict data/kernel/mm-16x8.launch -m gtx480 --no-provenance | diff a - => -
0 ?llvm warpstack trace data/kernel/mm-16x8.launch | warpstack profile | warpstack predict --no-provenance | diff a - => -
0 ?llvm warpstack predict mm.wsp -o b --no-provenance && diff a b => -
0 ?llvm warpstack predict mm.wsp --set l1.size=28K --set l1.ways=7 --no-provenance | tail -n 1 => ~^mm	L1	lru	28672	32	7	128	all	197632	184448	0	13184	~
0 ?llvm warpstack predict mm.wst --set l1.size=28K --set l1.ways=7 --no-provenance | tail -n 1 => ~^mm	L1	lru	28672	32	7	128	all	197632	184448	0	13184	~
0 ?llvm warpstack predict mm.wsp --set l1.mshr=3 => /note: l1\.mshr has no effect on predict$/
0 ?llvm warpstack predict mm.wsp --set l1.mshr=3 -q => -
0 ?llvm warpstack predict mm.wst --set sm.assign=random --runs 4 --seed 7 --no-provenance | tail -n 1 => runs.tsv
0 ?llvm warpstack predict mm.wst --seed 7 | head -n 1 => ~^# warpstack [0-9.]+ predict mm\.wst --seed 7 seed=7$~
2 ?llvm warpstack predict mm.wsp --set sm.warps=24 => /sm\.warps is 48 in the profile and 24 was asked for/
2 ?llvm warpstack predict mm.wsp -m h100 => /sm\.count is 15 in the profile and 132/
2 ?llvm warpstack predict mm.wsp --set l1.policy=nonsense => /l1\.policy=nonsense: want one of .*lru/
2 ?llvm warpstack predict mm.wsp --runs 3 => /--runs=3: a profile is of one run/
2 ?llvm warpstack predict mm.wsp --seed 3 => /--seed=3: the profile was made with seed 1/
2 ?llvm warpstack predict mm.wsp -m nowhere => /nowhere/

# sweep
0 ?llvm warpstack sweep mm.wsp --vary l1.size=8K:128K:x2 => sweep.tsv
0 ?llvm warpstack sweep mm.wsp --vary l1.size=8K,16K --vary l1.ways=1,2,4 --kind load --format csv --no-provenance | cut -d, -f1,2,11,18 => sweep-product.csv
0 ?llvm warpstack sweep mm.wst --vary l1.size=8K,16K --vary sm.scheduler=lrr,gto --vary l1.hash=modulo,xor --no-provenance => sweep-trace.tsv
0 ?llvm warpstack sweep mm.wst --vary l1.size=8K,16K --vary sm.scheduler=lrr,gto --vary l1.hash=modulo,xor --no-provenance --threads 1 >c; warpstack sweep mm.wst --vary l1.size=8K,16K --vary sm.scheduler=lrr,gto --vary l1.hash=modulo,xor --no-provenance --threads 3 | diff c - => -
0 ?llvm warpstack sweep mm.wsp --vary l1.size=16K --kind each --no-provenance | cut -f2- | diff a - => -
0 ?llvm warpstack sweep mm.wsp --vary l1.size=8K --format json --no-provenance => ~^\{"l1\.size":8192,"kernel":"mm",~
0 ?llvm warpstack sweep mm.wsp --vary l1.ways=1:2000:+1 --no-provenance | wc -l | tr -d ' ' => ~^2001$~
2 ?llvm warpstack sweep mm.wsp => /nothing to sweep: want --vary/
2 ?llvm warpstack sweep mm.wsp --vary l1.hash=modulo,xor => /--vary l1\.hash: one profile holds one value/
2 ?llvm warpstack sweep mm.wsp --vary l1.size=8K --vary l1.size=1K => /--vary l1\.size is given twice/
2 ?llvm warpstack sweep mm.wsp --vary l1.ways=1:1000:+1 --vary l1.policy=lru --vary l1.size=1K:1M:+1 => /configurations: want at most|l1\.size/
2 ?llvm warpstack sweep mm.wsp --vary l1.ways=4:2:+1 => /l1\.ways/
2 ?llvm warpstack sweep mm.wsp --vary l1.sets=32,24 => /l1\.hash|sets/

# simulate and crosscheck
0 ?llvm warpstack simulate mm.wst --no-provenance | sed 's/simulated/exact/' | diff a - => -
0 ?llvm warpstack simulate mm.wst --vary l1.size=8K,16K --vary sm.scheduler=lrr,gto --no-provenance => simulate.tsv
0 ?llvm warpstack crosscheck mm.wst -m gtx480 --vary l1.size=8K:64K:x2 --vary l1.ways=1,4,8 => crosscheck.tsv
0 ?llvm warpstack crosscheck data/kernel/mm-16x8.launch -m gtx480 --vary sm.scheduler=lrr,gto --vary l1.hash=modulo,xor --vary l1.write=write-back,write-evict | tail -n 1 => ~^# mean_abs_error_pp=0\.000000 max_abs_error_pp=0\.000000 configurations=8$~
0 ?llvm for k in divergent histogram mm-tiled spmv-csr stencil mt-8; do warpstack crosscheck data/kernel/$k.launch --vary l1.size=8K:32K:x2 --vary l1.sector=32,128 --no-provenance | tail -n 1; done | sort -u => ~^# mean_abs_error_pp=0\.000000 max_abs_error_pp=0\.000000 configurations=6$~
2 ?llvm warpstack simulate mm.wsp => /mm\.wsp is a profile: simulate wants a trace or a launch file/
2 ?llvm warpstack crosscheck mm.wst --bound -1 => /--bound=-1: want a number/
2 ?llvm warpstack trace mm.wst => /mm\.wst is a trace already/

# Checks of outputs: mt-8.launch has one that holds.
0 ?llvm warpstack trace data/kernel/mt-8.launch -o mt.wst => -
1 ?llvm head -c 65536 /dev/zero >zero; warpstack trace data/kernel/mm-16x8.launch --check C=zero -o wrong.wst => /C/
0 ?llvm test ! -e wrong.wst => -

# Damaged files: one line, exit 3, no crash.
3 ?llvm head -c 3000 mm.wst >cut.wst; warpstack simulate cut.wst => /cut\.wst/
3 ?llvm head -c 3000 mm.wsp >cut.wsp; warpstack predict cut.wsp => /cut\.wsp/
3 ?llvm (head -c 1000 mm.wst; printf XXXX; tail -c +1005 mm.wst) >bad.wst; warpstack profile bad.wst -o bad.wsp => /bad\.wst/
0 ?llvm test ! -e bad.wsp => -
4 ?llvm warpstack profile mm.wst >/dev/full => /No space left on device/
4 ?llvm warpstack trace data/kernel/mm-16x8.launch >/dev/full => /No space left on device/

# The examples of every --help run.
0 ?llvm sed s,mm.cl,data/kernel/mm.cl, data/kernel/mm-16x8.launch >mm.launch; for c in trace profile predict sweep simulate crosscheck machine policies info; do warpstack $c --help | sed -n '/^examples:/,/^$/s/^  //p' | while read -r example; do sh -c "$example" >/dev/null 2>e || { echo "failed: $example"; cat e; }; done; done | { ! grep . >&2; } => -

# Figures.
0 ?figures warpstack plot reuse data/kernel/mm-16x8.launch -o reuse.svg && grep -c '<svg' reuse.svg => ~^1$~
0 ?figures warpstack plot missratio mm.wsp -o missratio.png && head -c 4 missratio.png | tail -c 3 => ~^PNG$~
2 ?figures warpstack plot access mm.wsp -o x.svg => /mm\.wsp is a profile: plot wants a trace/
0 ?figures warpstack plot --help | sed -n '/^examples:/,/^$/s/^  //p' | while read -r example; do sh -c "$example" >/dev/null 2>e || { echo "failed: $example"; cat e; }; done | { ! grep . >&2; } => -
2 ?figures warpstack plot reuse mm.wsp -o x.gif => /svg/
0 ls -A | grep -v '\.launch$' | grep -c '\.......$' || : => ~^0$~
