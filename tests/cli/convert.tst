# Traces of other tools: recognised, converted, written, and the same stream in every format.
0 warpstack convert --help => ~^formats:$~
0 warpstack convert --help => ~^  oracle-general +libCacheSim's oracleGeneral, binary~
0 warpstack __manual convert => ~^\.SH FORMATS$~
0 warpstack __completion bash => ~--from\) COMPREPLY=.*"wst .*crawford-order .*oracle-general~
0 warpstack __completion zsh => ~^_warpstack_format\(\) \{$~
2 warpstack convert --to nonsense x => /--to=nonsense: unknown format: want one of those of 'warpstack help formats'/
2 warpstack convert --to dinn x => /--to=dinn: unknown format, did you mean 'din'\?/
2 warpstack convert --from oracle-generl x => /--from=oracle-generl: unknown format, did you mean 'oracle-general'\?/
2 warpstack convert --to lackey x => /--to=lackey: that format is read only/
2 warpstack convert --arrays some x => /--arrays=some: want one of auto none/

0 printf '0 1000\n1 1044\n0 1000\n4 0\n0 20\n' >a.din; warpstack convert a.din -o a.wst
	=> /a\.din: read as din: 2 launches, 2 warps, 4 lane accesses$/
0 warpstack convert -q a.wst --to din | tr '\n' ' ' => ~^0 1000 1 1040 0 1000 4 0 0 20 $~
0 warpstack info -q a.din --no-provenance => ~^launch 1 array range0	base	0x1000$~
0 warpstack convert -q a.din --arrays none | warpstack info --no-provenance | grep -c '^launch 1 array' || : => ~^0$~
2 warpstack convert a.din -o a.din => /--output=a\.din is the input too/
2 warpstack convert a.din -o '' => /--output=: want a file name/
3 warpstack convert -q a.din --from lackey => /a\.din:1: '0 1000' is no line of lackey/
3 warpstack convert -q nowhere.din => /nowhere\.din: No such file/
3 printf 'R 10\nR 20\nnonsense\n' | warpstack convert -q -o none.wst
	=> /\(standard input\):3: 'nonsense': want 'R\|W ADDRESS/
1 ls none.wst 2>/dev/null | grep . || { echo warpstack: >&2; false; } => -
4 warpstack convert -q a.din -o /dev/full => /\/dev\/full: No space left on device$/
4 warpstack convert -q a.din --to din -o /dev/full => /\/dev\/full: No space left on device$/
2 printf '0 100000000\n0 0\n' | warpstack convert -q --to crawford => /this format has 32 bits of an address/
2 warpstack profile -q a.din -o a.wsp; warpstack convert a.wsp
	=> /a\.wsp is a profile: convert wants a trace or a launch file$/

# Packed, and through a pipe.
0 gzip -c a.din | warpstack convert -q | cmp - a.wst => -
0 xz -c a.din | warpstack convert -q | cmp - a.wst => -
0 zstd -qc a.din | warpstack convert -q | cmp - a.wst => -
3 xz -c a.din | head -c 60 | warpstack convert -q => /\(standard input\)/

# One stream of a thread, with loads only: the same predictions whatever it is written as.
0 awk 'BEGIN { for (i = 0; i < 20000; i++) { x = (x * 69069 + 1) % 1048576;
	printf "0 %x\n", 65536 + 4 * (i % 3 ? i % 5000 : int(x / 64)) } }' >l.din;
	warpstack sweep -q l.din --no-provenance --vary l1.size=8K:64K:x2 --vary l1.policy=lru,srrip --kind each >l.tsv
	&& wc -l <l.tsv => ~^17$~
0 for f in wst din oracle-general accel-sim crawford crawford-order; do
	warpstack convert -q l.din --to $f -o l.$f.trace &&
	warpstack sweep -q l.$f.trace --no-provenance --vary l1.size=8K:64K:x2 --vary l1.policy=lru,srrip --kind each |
	cmp - l.tsv || exit 1; done => -
# Stores too, but in oracle-general; a sectored machine; a second time.
0 sed '/[048]$/s/^0/1/' l.din >s.din; warpstack sweep -q s.din -m v100 --no-provenance --vary l1.ways=4,64 --kind each
	--columns l1.ways,$rows >s.tsv && cut -f9 s.tsv | sort -u | tr '\n' ' ' => ~^all kind load store $~
0 for f in din accel-sim crawford crawford-order wst; do warpstack convert -q s.din -m v100 --to $f -o s.$f.trace &&
	warpstack convert -q s.$f.trace -m v100 --to $f | cmp - s.$f.trace &&
	warpstack sweep -q s.$f.trace -m v100 --no-provenance --vary l1.ways=4,64 --kind each --columns l1.ways,$rows |
	cmp - s.tsv || exit 1; done => -

# Warps: what work-items do comes back; in an order without latencies so do the predictions.
0 ?llvm warpstack trace data/kernel/mm.cl --kernel mm --global 32,32 --local 16,8 --arg A=buffer:float:1024:random --arg
	B=buffer:float:1024:random --arg C=buffer:float:1024:zero --arg width=32 --arg height=32 -o mm.wst &&
	warpstack predict mm.wst --no-provenance --set sm.scheduler=sequential --kind each --columns $rows |
	cut -f2- >mm.tsv; wc -l <mm.tsv => ~^4$~
0 ?llvm for f in crawford crawford-order; do warpstack convert mm.wst --to $f -o mm.$f &&
	warpstack predict -q mm.$f --no-provenance --set sm.scheduler=sequential --kind each --columns $rows |
	cut -f2- | cmp - mm.tsv || exit 1; done => -
0 ?llvm warpstack convert -q mm.crawford --to crawford | cmp - mm.crawford => -
0 ?llvm warpstack convert mm.wst --to din --set sm.count=1 | wc -l | tr -d ' ' >n;
	warpstack predict mm.wst --set sm.count=1 --no-provenance --kind all --columns $rows | cut -f9 | sed 1d |
	cmp - n => -

# What is written is the stream that is predicted, whatever of the L1 is asked for.
0 ?llvm warpstack trace data/kernel/mm-16x4.launch -o mm.wst => -
0 ?llvm for s in l1.size=8K l1.hash=modulo l1.line=32 l1.line=64 l1.write=write-back l1.latency=90 l1.ways=1; do
	p="--set sm.count=1 --set $s"; warpstack convert mm.wst $p --to din |
	warpstack predict -q $p --no-provenance --columns $rows | cut -f8-15 >a;
	warpstack predict mm.wst $p --no-provenance --columns $rows | cut -f8-15 | cmp - a || echo "$s"; done | {
	! grep . >&2; } => -
0 ?llvm for o in nominal cycles; do warpstack convert mm.wst --to din --set sm.count=1 --order $o -o m.din;
	for f in mm.wst m.din; do warpstack predict -q $f --set sm.count=1 --order $o --kind all --no-provenance
	--columns $rows | tail -n 1 | cut -f9-14; done | uniq | wc -l | tr -d ' '; cksum <m.din; done | sort -u |
	wc -l | tr -d ' ' => ~^3$~
2 warpstack convert --order cycles --to crawford-order x => /--order: that is for din, oracle-general and perfetto/
0 ?llvm o='--to oracle-general --set sm.count=1'; warpstack convert mm.wst $o >a;
	warpstack convert mm.wst $o --set l1.policy=fifo | cmp - a && warpstack convert mm.wst $o --order nominal >a;
	warpstack convert mm.wst $o --order nominal --set l1.size=4K --set l1.hash=xor | cmp - a => -

# Spans of SMs, CTAs and warps, within each other: all requests of all launches that make some.
0 ?llvm awk -v from=data/kernel -f $files/smaller.awk data/kernel/bfs.launch >b.launch; for m in gtx480 v100; do
	warpstack convert b.launch -m $m --to perfetto -o p.json && python3 $files/spans.py p.json && warpstack
	simulate b.launch -m $m -q --where kind=all --no-provenance --columns requests | awk '{ n += $1 }
	END { print n }'; done | tr '\n' ' ' | awk '{ print $1, $2 == $5, $3, $4, $6, $7 == $10, $8, $9 }'
	=> ~^0 1 9 5 0 1 9 5$~
2 warpstack convert --from perfetto a.din => /a\.din: perfetto is written only$/
