# SPDX-License-Identifier: GPL-3.0-or-later
# What needs no trace: help, versions, usage errors, machines, policies.  See tests/cli/run.
0 warpstack --help => ~^  crosscheck  compares the model with the simulator~
0 warpstack -h => ~^usage: warpstack COMMAND~
0 warpstack help => ~^exit codes:$~
0 warpstack help sweep => ~^usage: warpstack sweep --vary~
0 warpstack sweep --help => ~^      --vary KEY=RANGE~
0 warpstack plot --help => ~^figures:$~
# -h fits a screen, with two examples; --help begins with the options.
0 for c in $(warpstack -h | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p') ''; do
	warpstack $c -h >h.txt;
	awk -v c="$c" 'length > 80 || NR > (c ? 24 : 30) { print c ": " $0 } END { if (NR < 9) print c }' h.txt;
	grep -q '^More: ' h.txt || echo "$c: no more"; done >wide.txt; cat wide.txt >&2; wc -c <wide.txt => ~^0$~
0 warpstack sweep -h | grep -c '^  warpstack sweep' => ~^2$~
0 warpstack sweep --help | sed -n 5p => ~^options:$~
0 warpstack sweep --help => ~^order of requests:$~
0 warpstack trace --help | tr '\n' ' ' => ~--block 256 \\ +--arg in=buffer[^ ]* --arg out=[^ ]* \\ +--arg count=~
0 warpstack simulate --usage => ~^  -m, --machine NAME.FILE$~
# Kernels that are installed, by name.
0 ?llvm for k in mm-16x2 mm-16x2.launch data/kernel/mm-16x2.launch; do
	warpstack predict $k -m v100 --no-provenance >$(echo $k | tr / -).tsv || exit; done;
	cmp mm-16x2.tsv mm-16x2.launch.tsv && cmp mm-16x2.tsv data-kernel-mm-16x2.launch.tsv => -
3 warpstack predict mm-16x99 => /^warpstack: mm-16x99: No such file or directory$/
3 warpstack predict mm.cl => /^warpstack: mm\.cl: No such file or directory$/
2 ?llvm warpstack predict mm-16x2 -o data/kernel/mm-16x2.launch => /mm-16x2\.launch/
# Lists.
0 warpstack help keys | tr -s ' \n' ' '
	=> ~ l1.mshr misses that may be outstanding number: 1\.\.1048576, in entries; stage cycles ~
0 warpstack help formats => ~^  lackey  ~
0 warpstack help policies | tr -s ' \n' ' '
	=> ~ drrip\[:BITS\] dynamic RRIP.* approx: 0.11 in the mean, 3.93 at most ~
0 warpstack help policies => ~^`warpstack policies --help` explains the command\.$~
0 warpstack help counters => ~^  l1_load_misses  ~
0 warpstack help figures => ~^  missratio  ~
0 warpstack machine -k l1.mshr --no-provenance | cut -f1 | tr '\n' ' ' =>
	~^key l1\.mshr l1\.mshr\.merge l1\.mshr\.rate l1\.mshr\.latency $~
0 warpstack machine -k l1.mshr --format table | tr -s ' \n' ' '
	=> ~^ l1.mshr misses that may be outstanding number: .* l1.mshr.merge ~
0 warpstack machine -k l1 --no-provenance --format csv --columns key => ~^l1.size$~
2 warpstack machine -k l1.msrh => /unknown key 'l1.msrh', did you mean 'l1.mshr'\?/
0 warpstack predict --nonsense --help || warpstack predict --help --format json => /unknown option '--nonsense'/
0 warpstack --version => ~^warpstack [0-9]+\.[0-9]+\.[0-9]+$~
0 warpstack version -v => ~^libraries: GSL .*zstd .*zlib~
0 for c in trace convert profile merge predict sweep simulate crosscheck plot machine policies info; do
	warpstack $c --help | head -n 1; done => summaries.txt

2 warpstack => /no command given; try 'warpstack --help'$/
2 warpstack frobnicate => /unknown command 'frobnicate'; try 'warpstack --help'$/
2 warpstack columns => /unknown command 'columns'; try 'warpstack help columns'$/
2 warpstack predcit => /unknown command 'predcit', did you mean 'predict'/
2 warpstack help colums => /no help on 'colums', did you mean 'warpstack help columns'\?$/
2 warpstack help predcit => /did you mean 'predict'/
2 warpstack --frobnicate => /unknown option '--frobnicate' before a command/
2 warpstack __manuel => /unknown command/
2 warpstack predict --fromat json => /unknown option '--fromat', did you mean '--format'\? try 'warpstack predict
	--help'$/
2 warpstack predict --format xml => /--format=xml: want one of auto tsv csv json md table callgrind ncu-csv;
	try 'warpstack predict --help'$/
2 warpstack predict --threads 0 => /--threads=0: want 1\.\.4096/
2 warpstack predict --threads -2 => /--threads=-2: want a whole number/
2 warpstack predict -m => /option '-m' wants a value, NAME\|FILE/
2 warpstack predict --quiet=1 => /option '--quiet' takes no value/
2 warpstack predict a b => /one operand too many, 'b'/
2 warpstack predict --sample 1e-7 => /--sample=1e-07: want at least 1e-06, one line in a million;
	try 'warpstack predict --help'$/
2 warpstack profile --sample-lines 63 => /--sample-lines=63: want 64\.\./
0 warpstack profile --help | tr -s ' \n' '  '
	=> ~--sample RATE\|auto .*more than 524288 requests.*tens of millions of requests per SM~
2 warpstack profile --sample any => /--sample=any: want a number or auto/
2 warpstack sweep --sample any => /--sample=any: want a number or auto/
0 warpstack profile --help | tr -s ' \n' '  '
	=> ~--sets LIST .*about 390 bytes for each set.*with --distances by 64 bytes~
2 warpstack plot => /an operand is missing: warpstack plot FIGURE/
2 warpstack merge => /an operand is missing: warpstack merge \[options\] FILE/
2 warpstack plot nonsense x => /unknown figure 'nonsense': want one of reuse/
2 warpstack plot resue x -o x.svg => /did you mean 'reuse'/
2 warpstack plot reuse x => /no -o FILE: want one that ends in \.svg, \.png, \.pdf, \.eps or \.tex/
2 ?llvm warpstack trace data/kernel/mm.cl => /mm\.cl is a kernel's source: want the kernel to run, one of mm \(--k/
2 ?llvm warpstack trace data/kernel/mm.cl --kernel mm --global 16 --local 16
	=> /mm\.cl: 0 arguments, want 5: mm\(.*\); the next is A=buffer:float:COUNT \(--arg\)$/
3 printf '\342\202\254\377 k\n' >noise; warpstack info noise => /^warpstack: noise:1: not text, thus no launch file/
3 printf 'x \342\202\254\n' >euro; warpstack info euro => /^warpstack: euro:1: 'x €': no launch file/
2 warpstack trace data/kernel/mm-16x8.launch --global 5 => /--global wants --kernel too/
2 warpstack trace data/kernel/mm.cl --kernel mm --global 128,128 --local 16
	=> /--local=16 has 1 number: want 2, as --global has/
2 warpstack trace data/kernel/mm.cl --kernel mm --global 128,x --local 16,16
	=> /--global=128,x: want one to three numbers/
2 warpstack trace data/kernel/mm.cl --kernel mm --global 128
	=> /--kernel wants --grid and --block, or --global and --local, too/
2 warpstack trace data/kernel/mm.cl --kernel mm --global 128,128 --local 16,16 --arg nonsense
	=> /argument nonsense: want NAME=VALUE/
2 ?llvm warpstack trace data/kernel/mm.cl --kernel mm --global 16,16 --local 16,16 --arg A=256 --arg B=buffer:float:256
	--arg C=buffer:float:256 --arg width=16 --arg height=16 -o s.wst
	=> /argument 1 is '256', want buffer:TYPE:COUNT or the name of a buffer for/

0 warpstack machine --no-provenance => ~^gtx480	GeForce GTX 480~
0 warpstack machine gtx480 --no-provenance => ~^l1\.ways	4	ways	lines of a set;
	without l1.size it decides the size$~
0 warpstack machine gtx480 --set l1.size=64K => ~^l1\.sets	128	~
0 warpstack machine -k => ~^l1\.line	size	32\.\.1024, a power of two	bytes	predict	~
0 warpstack machine -k --format csv => ~^l1\.line,size,"32\.\.1024, a power of two",bytes,predict,~
0 warpstack machine -k --no-provenance | cut -f5 | LC_ALL=C sort -u | tr '\n' ' '
	=> ~^cycles l2-predict l2-profile label order predict profile stage $~
0 warpstack machine gtx480 --format json => ~^\{"key":"l1.ways","value":"4","unit":"ways","help":"lines of a set;
	without l1.size it decides the size"\}$~
0 warpstack machine gtx480 --set l1.ways=7 --conf -o my.conf && warpstack machine ./my.conf | grep '^l1\.'
	=> ~^l1\.size	28672	~
2 warpstack machine --conf => /--conf wants the NAME of a machine/
2 warpstack machine gtx4800 => /gtx4800/
2 warpstack machine gtx480 --set l1.wasy=3 => /unknown key 'l1\.wasy': did you mean l1\.ways\?/
2 warpstack machine gtx480 --set l1.ways=0 => /l1\.ways = 0: want one or more; l1\.size = 0 is none at all/
2 warpstack machine gtx480 --set l1.size=16K --set l1.sets=5 --set l1.ways=3 => /l1\.size.*l1\.sets|l1\.sets.*l1\.size/
0 warpstack policies => ~^lru	exact		0\.00	0\.00	L	no	least recently used~
0 warpstack policies => ~^prob	[a-z]+	W0,W1,\.\.\.	[^	]*	[^	]*		yes	~
0 warpstack policies --format json =>
	~^\{"policy":"lru","basis":"exact","parameters":null,"mean_pp":0,"max_pp":0,"gpgpusim":"L","variant":"no",~
0 warpstack policies --no-provenance | head -n 1
	=> ~^policy	basis	parameters	mean_pp	max_pp	gpgpusim	variant	summary	reference$~
0 warpstack policies | head -n 1 => ~^# warpstack [0-9.]+ policies seed=1$~

# Input that is missing or malformed.
3 warpstack predict nowhere.wst => /nowhere\.wst: No such file or directory$/
3 warpstack predict data => /data: is a directory/
3 warpstack predict => /\(standard input\): an empty file: want a trace, a profile or a launch file/
3 printf '\0\1\2' | warpstack info => /\(standard input\): an unknown kind of file/
3 printf '\357\273\277source = k.cl\n' | warpstack predict => /begins with a byte order mark: want a text without one$/
# What a trace can be made of says how.
2 printf '\177ELF\2\1\1\0' >prog; warpstack predict ./prog -m v100
	=> /\.\/prog is a program: `warpstack trace --app -o TRACE -- \.\/prog` traces its kernels$/
2 warpstack trace ./prog -o x.wst => /\.\/prog is a program: `warpstack trace --app /
2 echo '__kernel void f(void) {}' >f.cl; warpstack predict f.cl => /f\.cl is a kernel's source: `warpstack trace` makes/
2 warpstack machine gtx481 => /did you mean gtx480\? There are: .*; or want a path to a \.conf file$/
3 printf 'nonsense\n' | warpstack simulate => /\(standard input\):1/
3 printf W | warpstack info => /\(standard input\): a trace or profile that is cut off after 1 byte$/
3 printf WSP | warpstack predict => /\(standard input\): a profile that is cut off after 3 bytes$/
3 printf WSTR >short; warpstack merge short => /short: a trace that is cut off after 4 bytes$/
3 printf 'WSPROF\0' | warpstack info => /a profile that is cut off after 7 bytes$/
3 printf WSPX | warpstack info => /\(standard input\):1: 'WSPX'/
3 warpstack trace nowhere.launch => /nowhere\.launch: No such file/
3 printf 'source = x.cl\n[launch]\nkernel = k\nglobal = 10\nlocal = 3\n' | warpstack info => /10/
3 printf '# a note\n\n  \tno such thing\n' >other.txt; warpstack predict other.txt
	=> /other\.txt:3: 'no such thing': no .*--from names a trace's format \(`warpstack help formats`\)$/
3 warpstack info other.txt => /other\.txt:3: 'no such thing': no launch file/
3 printf '# a note\n source x.cl\n' | warpstack predict
	=> /\(standard input\):2: 'source x\.cl': want NAME = VALUE or a section/

# The system.
4 warpstack policies >/dev/full => /\(standard output\): No space left on device$/
4 warpstack --help >/dev/full => /\(standard output\): No space left on device$/
4 warpstack policies -o /dev/full => /\/dev\/full: No space left on device$/
4 warpstack policies -o nowhere/x => /nowhere\/x: No such file or directory$/
4 warpstack policies -o data => /data: is a directory/
4 ulimit -f 1; warpstack machine -k -o x.tsv => /x\.tsv: File too large$/
4 ulimit -f 1; warpstack machine -k >x.tsv => /\(standard output\): File too large$/
0 rm -f x.tsv; warpstack machine -k | head -n 1 => ~^# warpstack~
0 (trap '' PIPE; warpstack machine -k | :) => -
0 printf old >kept; warpstack machine -o kept --set x=1 nonsense 2>/dev/null; cat kept => ~^old$~
0 warpstack policies -o new --format csv && ls -A && rm new => ~^new$~
0 ls -A | grep -c '\.......$' || : => ~^0$~

# Manual pages and completion.
0 warpstack __manual => ~^\.SH MACHINE KEYS$~
0 warpstack __manual predict => ~^\.TH WARPSTACK\\-PREDICT 1 ~
2 warpstack __manual nonsense => /unknown command 'nonsense'/
0 warpstack __completion bash >c; bash -c '. ./c; COMP_WORDS=(warpstack sweep --format = c) COMP_CWORD=4; _warpstack;
	echo "${COMPREPLY[@]}"' => ~^csv$~
0 warpstack __completion bash >c; bash -c '. ./c; COMP_WORDS=(warpstack sweep --format =) COMP_CWORD=3; _warpstack;
	echo "${COMPREPLY[@]}"' => ~^auto tsv csv json md table$~
0 warpstack __completion bash >c; bash -c '. ./c; COMP_WORDS=(warpstack predict --fo) COMP_CWORD=2; _warpstack;
	echo "${COMPREPLY[@]}"' => ~^--format$~
0 bash -c '. ./c; COMP_WORDS=(warpstack swe) COMP_CWORD=1; _warpstack; echo "${COMPREPLY[@]}"' => ~^sweep$~
0 bash -c '. ./c; COMP_WORDS=(warpstack policies --format cs) COMP_CWORD=3; _warpstack; echo "${COMPREPLY[@]}"'
	=> ~^csv$~
0 warpstack __completion zsh => ~^#compdef warpstack$~
2 warpstack __completion fish => /unknown shell 'fish': want bash or zsh/
2 warpstack __completion => /an operand is missing/

# What runs kernels is loaded where it is needed, with LLVM, and it is said what is wrong with it.
0 ?llvm for c in version 'machine gtx480' policies 'info data/kernel/mm-16x2.launch'; do LD_DEBUG=files warpstack $c
	2>&1
	>/dev/null | grep -c libLLVM; done | uniq -c | tr -s ' ' => ~^ 4 0$~
2 WARPSTACK_CAPTURE=nowhere.so warpstack trace data/kernel/mm-16x2.launch -o x.wst
	=> /: WARPSTACK_CAPTURE=nowhere\.so: No such file or directory$/
2 WARPSTACK_CAPTURE=nowhere.so warpstack predict data/kernel/mm-16x2.launch => /WARPSTACK_CAPTURE=nowhere/
2 WARPSTACK_CAPTURE=nowhere.so warpstack softcache data/kernel/mm-16x2.launch --transform => /WARPSTACK_CAPTURE=nowhere/
0 WARPSTACK_CAPTURE=nowhere.so warpstack version -v => ~^capture: no; WARPSTACK_CAPTURE=nowhere\.so: No such~
0 : >empty.so; d=$(dirname "$(command -v warpstack)"); [ ! -e $d/libwarpstack-capture.so ] ||
	{ v=$(warpstack version); v=${v#* }; LC_ALL=C sed "s/$v (headers/X${v#?} (headers/" $d/libwarpstack-capture.so
	>old.so; }; mkdir bin; cp $d/warpstack bin
	=> -
4 WARPSTACK_CAPTURE=empty.so warpstack trace data/kernel/mm-16x2.launch -o x.wst
	=> /\/empty\.so cannot be loaded: file too short$/
2 WARPSTACK_CAPTURE=$(dirname "$(command -v warpstack)")/libwarpstack.so warpstack trace data/kernel/mm-16x2.launch -o
	x.wst
	=> /libwarpstack\.so is not warpstack's libwarpstack-capture\.so$/
2 ?llvm WARPSTACK_CAPTURE=old.so warpstack trace data/kernel/mm-16x2.launch -o x.wst
	=> /old\.so is of warpstack X[0-9.]+ \(headers [0-9]+\), and this is [0-9].*from one build$/
2 bin/warpstack trace data/kernel/mm-16x2.launch -o x.wst
	=> /libwarpstack-capture\.so, which runs kernels, is not there: install clang-19 /
0 ?llvm mkdir -p lib/warpstack; cp "$(dirname "$(command -v warpstack)")/libwarpstack-capture.so" lib/warpstack;
	bin/warpstack version -v => ~^capture: yes$~
0 test ! -e x.wst => -
# Without LLVM a kernel cannot be captured, and all else works.
2 ?nollvm warpstack trace data/kernel/mm-16x8.launch -o x.wst => /install clang-19/
2 ?nollvm warpstack predict data/kernel/mm-16x8.launch => /install clang-19/
0 ?nollvm test ! -e x.wst => -
# -m names the machine here, too.
0 warpstack machine v100 --no-provenance >a && warpstack machine -m v100 --no-provenance | cmp - a && warpstack machine
	-m v100 --set l1.size=64K --conf | grep '^l1.size' => ~^l1.size += 65536$~
2 warpstack machine v100 -m a100 => /two machines: 'v100', and -m a100/
2 warpstack machine -m gtx480 --set l1.policy=LRU => /l1\.policy = LRU: want .*; did you mean lru\?/
