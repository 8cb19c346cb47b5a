# Faults of the machine that a shell can make, and what a launch file or a program is to blame for.  See tests/cli/run.
0 ?llvm warpstack trace data/kernel/mm-16x2.launch -o a.wst && warpstack profile a.wst -q -o a.wsp &&
	warpstack predict a.wst -q -o want.tsv => -

# Closed descriptors: what is needed is missing, what is not is no matter; nothing else gets their numbers.
4 ?llvm warpstack predict a.wst >&- => /\(standard output\): Bad file descriptor/
4 ?llvm warpstack convert a.wst --to din >&- => /\(standard output\): Bad file descriptor/
4 ?llvm warpstack profile a.wst -q >&- => /\(standard output\): Bad file descriptor/
4 warpstack --help >&- => /\(standard output\): Bad file descriptor/
4 warpstack predict <&- => /\(standard input\): Bad file descriptor/
4 warpstack convert - -o x.wst <&- => /\(standard input\): Bad file descriptor/
0 ?llvm warpstack trace data/kernel/mm-16x2.launch -o b.wst <&- >&- 2>&- && cmp a.wst b.wst => -
0 ?llvm warpstack trace data/kernel/mm-16x2.launch -o b.wst 2>&- && cmp a.wst b.wst => -
0 ?llvm warpstack predict a.wst -o b.tsv >&- 2>&- && sed 1d b.tsv >b && sed 1d want.tsv | cmp - b => -
0 ?llvm cat a.wst | warpstack predict -o b.tsv >&- 2>&- && sed 1d b.tsv >b && sed 1d want.tsv | cmp - b => -
0 ?figures warpstack plot reuse a.wsp -o a.svg && warpstack plot reuse a.wsp -o b.svg <&- >&- 2>&- && cmp a.svg b.svg
	=> -
2 warpstack nosuch => /unknown command/
3 mkdir -p folder; warpstack machine ./folder/ => /folder\/: is a directory, want a file$/
3 warpstack fit $root/README.md => /README\.md: is no directory, want a data set's, which has \*\.csv in it$/

# Few descriptors: as ever, or exit 4 and one line, and the file is as it was.
0 ?plain for n in 4 6 8 9 10 11 12 16; do echo old >b; (ulimit -n $n;
	exec warpstack trace data/kernel/mm-16x2.launch -o b) 2>e; case $? in 0) cmp a.wst b ;; 4) echo old | cmp - b;
	[ "$(grep -c '^warpstack: ' e)" = 1 ] || cat e ;; *) echo $n: $?; cat e ;; esac; done => -
0 ?plain for n in 4 5 6 7 8 9 10; do echo old >b; (ulimit -n $n;
	exec warpstack simulate a.wst -q --cycles --timeline t -o b) 2>e; case $? in 0) [ -s t ] &&
	grep -q '^gtx480' b ;; 4) echo old | cmp - b; [ "$(grep -c '^warpstack: ' e)" = 1 ] && ! [ -e t ] || cat e ;;
	*) false ;; esac || echo $n; rm -f t; done => -

# Little memory, for the compiler too; no room on the disk.
0 ?plain for v in 240000 255000 262000 266000 280000; do echo old >b; (ulimit -v $v; ulimit -c 0;
	exec warpstack trace data/kernel/mm-16x2.launch -o b) 2>e; case $? in 0) cmp a.wst b ;; 4) echo old | cmp - b;
	[ "$(grep -c '^warpstack: ' e)" = 1 ] || cat e ;; 127) grep -q 'loading shared libraries' e ;; *) echo $v: $?;
	cat e ;; esac; done => -
0 ?llvm for f in 0 1 2; do for c in 'predict a.wst -q' 'profile a.wst -q' 'trace data/kernel/mm-16x2.launch' 'simulate
	a.wst -q --cycles' 'softcache a.wst -q' 'convert a.wst -q --to din' 'merge a.wsp a.wsp'; do echo old >b;
	(ulimit -f $f; exec warpstack $c -o b) 2>e; s=$?; [ $s = 0 ] && [ $f -gt 0 ] || { [ $s = 4 ] &&
	[ "$(cat b)" = old ] && [ "$(wc -l <e)" = 1 ]; } || echo "$f $c: $s"; done; done => -
0 ?llvm for c in 'predict a.wst -q' 'profile a.wst -q' 'trace data/kernel/mm-16x2.launch' 'simulate a.wst -q' 'convert
	a.wst -q --to din' 'machine' 'info a.wst' 'sweep a.wsp -q --vary l1.ways=1,2'; do warpstack $c >/dev/full 2>e;
	echo "$? $(cat e)"; done | sort | uniq -c | tr -s ' '
	=> ~^ 8 4 warpstack: \(standard output\): No space left on device$~

# A launch file's mistakes are told with its line; on the command line they are usage.
0 printf 'kernel void k(global int *a) { a[get_global_id(0)] = N; }\n' >k.cl;
	for f in 'kernel=nosuch' 'options=-DN=1 -fplugin=x' 'options=-DN=1 -cl-std=CL9' 'options=-DN=1 -I/usr'; do
	printf 'source = k.cl\noptions = -DN=1\n[buffers]\na = int 64\n[launch]\nkernel = k\nglobal = 64\nlocal =
	32\nargs = a\n' | sed "s|^${f%%=*} = .*|${f%%=*} = ${f#*=}|" >"$(echo "$f" | tr -dc a-z0-9A-Z).launch"; done;
	ls *.launch | wc -l | tr -d ' ' => ~^4$~
3 ?llvm warpstack trace kernelnosuch.launch -o x
	=> /^warpstack: kernelnosuch\.launch:5: k\.cl: no kernel 'nosuch': want one of k$/
3 ?llvm warpstack predict kernelnosuch.launch -o x => /^warpstack: kernelnosuch\.launch:5: k\.cl: no kernel 'nosuch'/
3 ?llvm warpstack softcache kernelnosuch.launch --transform
	=> /^warpstack: kernelnosuch\.launch:5: k\.cl: no kernel 'nosuch'/
2 ?llvm warpstack trace k.cl --kernel nosuch --global 64 --local 32 --build -DN=1 -o x => /k\.cl: no kernel 'nosuch'/
3 warpstack trace optionsDN1fpluginx.launch -o x
	=> /^warpstack: optionsDN1fpluginx\.launch:2: build option '-fplugin=x'/
3 warpstack trace optionsDN1Iusr.launch -o x => /^warpstack: optionsDN1Iusr\.launch:2: build option '-I\/usr'/
3 ?llvm warpstack trace optionsDN1clstdCL9.launch -o x
	=> /^warpstack: optionsDN1clstdCL9\.launch:2: invalid value 'CL9' in '-cl-std=CL9'$/
2 ?llvm warpstack trace k.cl --kernel k --global 64 --local 32 --build '-DN=1 -cl-std=CL9' -o x
	=> /^warpstack: build options: invalid value 'CL9'/
2 warpstack trace k.cl --kernel k --global 64 --local 32 --build -fplugin=x -o x => /build option '-fplugin=x'/

# A program that launches nothing: its exit code, a line, and no trace.
0 ?app echo old >o; for c in true false 'exit 77' 'kill -9 $$' 'kill -SEGV $$' 'kill -TERM $$'; do
	warpstack trace --app -o o -- sh -c "$c" 2>e; echo "$c: $? $(wc -l <e) $(grep -c '^warpstack: sh: no trace: ' e)
	$(cat o)"; done | tr '\n' ',' | tr -s ' '
	=> ~^true: 0 1 1 old,false: 1 1 1 old,exit 77: 77 1 1 old,kill -9 .*: 137 1 1 old,kill -SEGV .*: 139 1 1
	old,kill -TERM .*: 143 1 1 old,$~
3 ?app warpstack trace --app -o o -- ./nosuch => /\.\/nosuch: No such file or directory$/
3 ?app warpstack trace --app -o o -- nosuch => /nosuch: No such file or directory$/
3 ?app warpstack trace --app -o o -- ./k.cl => /\.\/k\.cl: Permission denied$/
