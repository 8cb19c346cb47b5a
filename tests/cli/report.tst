# Reports: well-formed, nothing outside, names and contrast (files/report/check); the same bytes; hostile names.
0 ?llvm awk -v from=$PWD/data/kernel -f $files/smaller.awk data/kernel/mm-16x5.launch >mm.launch;
	warpstack report mm.launch -m gtx480 -q -o mm.html; python3 $files/report/check mm.html;
	grep -c 'class="hot"' mm.html; grep -o 'id="[a-z0-9]*"' mm.html | tr '\n' ' '
	=> ~^id="advice" id="kernels" id="k0" id="how" $~
0 ?llvm for n in 1 3; do warpstack report mm.launch -m gtx480 -q --threads $n -o r.html; sed
	's/ --threads .//' r.html | cksum; done | uniq | wc -l => ~^1$~
# From a profile no advice, and with a trace the source's lines.
0 ?llvm warpstack trace $files/advise/columns.launch -q -o c.wst; warpstack profile c.wst -m v100 -q -o c.wsp;
	warpstack report c.wsp --sources $files/advise -o c.html; python3 $files/report/check c.html; grep -c
	'What would help' c.html; true => ~^0$~
0 ?llvm warpstack report c.wst -m v100 -q --sources $files/advise -o c.html; python3 $files/report/check c.html;
	grep -o 'in\[k \* pitch + i\];</code></td><td class="n">[0-9]*</td>' c.html | head -n 1
	=> ~class="n">11520</td>$~
# A trace of another tool, whose name is markup; what XML cannot hold.
0 n=$(printf '<script>"x"&\001'\''.txt'); seq 400 | awk '{ printf "R 0x%x\n", $1 * $1 % 997 * 128 }' >"$n";
	warpstack report "$n" --no-advice -q -m gtx480 -o h.html; python3 $files/report/check h.html;
	grep -o '<title>.*</title>' h.html
	=> ~^<title>&#60;script&#62;&#34;x&#34;&#38;&#xfffd;&#39;\.txt: cache report</title>$~
# Only sources are shown, whatever a trace names.
0 ?llvm mkdir s; echo secret >s/faults.cl; warpstack trace --no-source $files/advise/columns.launch -q -o b.wst;
	warpstack report b.wst --no-advice -q -m gtx480 --sources s -o s.html;
	grep -c secret s.html; true => ~^0$~
# Records of 16 floats: a warp asks for 32 sectors where 4 would do.
0 ?llvm warpstack report $files/advise/records.launch -m gtx480 -q --no-advice -o u.html; grep -o '<td>in</td><td
	class="n">[^<]*' u.html | sed 's/<[^>]*>/ /g' => ~in *32\.0 \(4\.0\)$~
3 warpstack report none.wst => /none\.wst: /
# Counters of a GPU: of 2048 queries 1024, 1000 and 1010 hit.
0 ?llvm sed 's/vectorAdd/columns/' $root/tests/fuzz/corpus-counters/ok-ncu-raw.csv >n.csv; warpstack report c.wst
	-m v100 -q --no-advice --counters n.csv -o n.html; python3 $files/report/check n.html; grep -o
	'columns</th><td class="n">3</td><td class="n">2048</td><td class="n">[0-9]*</td><td class="n">49.4</td>' n.html
	=> ~49\.4~
3 ?llvm echo x >x.csv; warpstack report c.wst --counters x.csv -q => /x\.csv:2: no table of /
# A trace has a timeline and a picture of each array it accesses, a profile has none.
0 ?llvm for f in c.wst c.wsp; do warpstack report $f -m v100 -q --no-advice -o t.html; grep -c '<h3>Timeline'
	t.html; grep -o '<path class="cells s[0-9]" d="M[0-9]* ' t.html | wc -l; done | tr '\n' ' ' => ~^1 4 0 0 $~
# The source is in the trace, wherever its file is now; but with --no-source.
0 ?llvm mkdir k; cp data/kernel/mm.cl data/kernel/mm-16x5.launch k; for o in '' --no-source; do warpstack trace $o
	k/mm-16x5.launch -q -o v$o.wst; done; rm -r k; for o in '' --no-source; do warpstack report v$o.wst -m v100 -q
	--no-advice -o v.html; grep -c '<code>.*sum += ' v.html; done | tr '\n' ' ' => ~^[1-9] 0 $~
