# Compiled kernels that are kept.  See tests/cli/run.
0 printf 'kernel void k(global int *a) { a[get_global_id(0)] = N; }\n' >k.cl;
	echo 'exec warpstack trace --kernel k --global 64 --local 32 --arg a=buffer:int:64 "$@" k.cl' >run => -
0 ?llvm export WARPSTACK_CACHE=c/d; sh run --build -DN=1 -o a.wst && sh run --build -DN=1 -o b.wst && cmp a.wst b.wst &&
	ls c/d | wc -l | tr -d ' ' => ~^1$~
0 ?llvm [ "$(ls c/d | sed 's/[0-9a-f]*//')" = .kernel ] && stat -c %a c/d => ~^700$~
0 ?llvm WARPSTACK_CACHE= sh run --build -DN=1 -o b.wst && cmp a.wst b.wst && ls c/d | wc -l | tr -d ' ' => ~^1$~
0 ?strace WARPSTACK_CACHE=c/d strace -f -o calls -e execve sh run --build -DN=1 -o b.wst && cmp a.wst b.wst &&
	! grep 'execve.*clang' calls => -
# Another option, another text, another name is another kernel.
0 ?llvm export WARPSTACK_CACHE=c/d; sh run --build -DN=2 -o b.wst && echo >>k.cl && sh run --build -DN=1 -o b.wst &&
	cp k.cl l.cl && sed s/k.cl/l.cl/ run | sh -s -- --build -DN=1 -o b.wst && ls c/d | wc -l | tr -d ' ' => ~^4$~
# Nothing is kept of what includes files, asks for the time or does not compile.
0 ?llvm export WARPSTACK_CACHE=e; mkdir e; echo '#define M 1' >n.h; k='kernel void k(global int *a) { a[0] = 1; }';
	for s in "$k" "#include \"n.h\"\n$k" "constant char t[] = __TIME__; $k" "it is $k"; do printf "$s\n" >t.cl;
	sed 's/ k\.cl/ t.cl/' run | sh -s -- -o t.wst 2>e.txt; echo "$? $(ls e | wc -l)"; done | tr '\n' ' '
	=> ~^0 1 0 1 0 1 3 1 $~
# A damaged entry, or a folder that cannot be: as without.
0 ?llvm export WARPSTACK_CACHE=f; sh run --build -DN=1 -o g.wst && for f in f/*; do head -c 300 "$f" >x; cat x >"$f";
	done &&
	sh run --build -DN=1 -o h.wst && cmp g.wst h.wst && cat f/* | wc -c | awk '{ print ($1 > 300) }' => ~^1$~
0 ?llvm for c in k.cl/x /proc/none/x /dev/null f/; do WARPSTACK_CACHE=$c sh run --build -DN=1 -o h.wst && cmp g.wst
	h.wst;
	done => -
0 ?llvm WARPSTACK_CACHE=f warpstack version -v => ~^cache: f$~
0 ?llvm WARPSTACK_CACHE= warpstack version -v => ~^cache: none$~
0 ?llvm unset WARPSTACK_CACHE XDG_CACHE_HOME; HOME=$PWD/home; export HOME; mkdir home; sh run --build -DN=1 -o h.wst;
	ls home/.cache/warpstack | wc -l | tr -d ' ' => ~^1$~
