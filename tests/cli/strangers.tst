# SPDX-License-Identifier: GPL-3.0-or-later
# Launch files and kernels from strangers: what they may ask for, and what they cannot reach.  See tests/cli/run.
# sh run OPTIONS [SOURCE]: kernel k of in/k.launch with these build options; the trace is k.wst.
0 mkdir -p in/inc out; echo '#define N 3' >in/inc/n.h; echo 'int secret' >out/s.h; ln -sf ../../out/s.h in/inc/link.h;
	echo 'printf "%s\n" "source = k.cl" "options = $1" "[buffers]" "a = float 64" "[launch]" "kernel = k" "global =
	64" "local = 32" "args = a" >in/k.launch; [ $# -lt 2 ] && set -- "" "__kernel void k(__global float *a) {
	a[get_global_id(0)] = 1; }"; printf "%b\n" "$2" >in/k.cl; exec warpstack trace in/k.launch -o k.wst' >run => -

# ---- options: an allow-list ----
0 ?llvm sh run '-DX=1 -D Y -D "Z=1 + 2" -U V -Iinc -I inc -I . -Inowhere -cl-mad-enable -cl-std=CL1.2 -Wall -Wno-unused
	-w -O2 -O -g' => -
0 ?llvm sh run '-std=CL2.0' => -
# Code loaded into the compiler, files written, files with more options.
3 sh run "-fpass-plugin=$PWD/x.so" => /in/k\.launch:2: build option '-fpass-plugin=.*': want one of -DNAME/
3 sh run "-Wp,-MD,$PWD/out/f" => /in/k\.launch:2: build option '-Wp,/
3 sh run "-ftime-trace=$PWD/out/f" => /in/k\.launch:2: build option '-ftime-trace=/
3 sh run "-foptimization-record-file=$PWD/out/f" => /in/k\.launch:2: build option '-fopt/
3 sh run "-fproc-stat-report=$PWD/out/f" => /in/k\.launch:2: build option '-fproc/
3 sh run "-fmodules-cache-path=$PWD/out/f" => /in/k\.launch:2: build option '-fmod/
3 sh run '-fprofile-instr-generate' => /in/k\.launch:2: build option '-fprofile/
3 sh run "-include $PWD/out/s.h" => /in/k\.launch:2: build option '-include'/
3 sh run '-isystem inc' => /in/k\.launch:2: build option '-isystem'/
3 sh run '-gsplit-dwarf' => /in/k\.launch:2: build option '-gsplit-dwarf'/
3 sh run '-W=/etc/passwd' => /in/k\.launch:2: build option '-W=/
3 sh run '-D @in/k.cl' => /in/k\.launch:2: build option '-D@in/
3 sh run '@in/k.cl' => /in/k\.launch:2: build option '@in/
3 sh run '-D' => /in/k\.launch:2: build option '-D': want a value behind it/
3 sh run '-Xclang -load' => /in/k\.launch:2: build option '-Xclang'/
3 sh run '-Dq=__asm__' => /in/k\.launch:2: build option '-Dq=__asm__'/
3 sh run '-I..' => /in/k\.launch:2: build option '-I\.\.': want a folder below the launch file's/
3 sh run '-I /etc' => /in/k\.launch:2: build option '-I\/etc': want a folder below/
3 sh run '-I inc/../../out' => /in/k\.launch:2: build option .*: want a folder below/
0 ls out => ~^s\.h$~
0 ls out | wc -l => ~^1$~
# As it is on the command line, where folders may be anywhere.
0 ?llvm warpstack trace --kernel k --global 64 --local 32 --arg a=buffer:float:64 --build "-DM=2 -I $PWD/out" in/k.cl -o
	c.wst => -
2 ?llvm warpstack trace --kernel k --global 64 --local 32 --arg a=buffer:float:64 --build "-fplugin=$PWD/x.so" in/k.cl
	-o d.wst => /build option '-fplugin=/
2 ?llvm warpstack trace --kernel k --global 64 --local 32 --arg a=buffer:float:64 --build "-ftime-trace" in/k.cl -o
	d.wst => /build option '-ftime-trace'/
3 ?llvm cp in/k.cl in/@k.cl && warpstack trace --kernel k --global 64 --local 32 --arg a=buffer:float:64 in/@k.cl -o
	d.wst => /@k\.cl: want a source whose name does not begin with @/

# ---- what sources include: what lies beside them or the launch file, and below ----
0 ?llvm sh run '' '#include "inc/n.h"\n__kernel void k(__global float *a) { a[get_global_id(0)] = N; }' => -
0 ?llvm sh run -Iinc '#include <n.h>\n__kernel void k(__global float *a) { a[get_global_id(0)] = N; }' => -
3 ?landlock sh run '' '#include "/etc/passwd"\n__kernel void k(__global float *a) {}'
	=> /in/k\.cl:1:.*cannot open file '\/etc\/passwd': Permission denied: want files below the source's or the
	launch file's folder/
3 ?landlock sh run '' '#include "../out/s.h"\n__kernel void k(__global float *a) {}' => /in/k\.cl:1:.*cannot open file/
3 ?landlock sh run '' '#include "inc/link.h"\n__kernel void k(__global float *a) {}' => /in/k\.cl:1:.*cannot open file/
3 ?llvm sh run '' '#pragma clang module import x\n#pragma comment(lib, "x")\n#include "@/x"\n' => /in/k\.cl:/
# Without end.
3 ?llvm sh run '' '#include "k.cl"' => /in/k\.cl:1:.*nested too deeply/

# ---- what kernels may say ----
3 ?llvm sh run '' 'asm("nop");\n__kernel void k(__global float *a) {}'
	=> /in/k\.cl:1:1: error: assembler, other names for functions, and names that begin with __ws_, are not
	supported/
3 ?llvm sh run '' 'asm(".incbin \"/etc/passwd\"");\n__kernel void k(__global float *a) {}'
	=> /in/k\.cl:1:1: error: assembler/
3 ?llvm sh run '' 'int f(int) __asm__("system");\n__kernel void k(__global float *a) { a[0] = f(1); }'
	=> /in/k\.cl:1:12: error: assembler/
3 ?llvm sh run '' '#define P(a,b) a##b\nint f(int) P(__as,m__)("system");\n__kernel void k(__global float *a) {
	a[0] = f(1); }' => /in/k\.cl:2:12: error: assembler/
3 ?llvm sh run '' 'void __ws_barrier(uint);\n__kernel void k(__global float *a) { __ws_barrier(7); }'
	=> /in/k\.cl:1:6: error: assembler, other names/
3 ?llvm sh run '' '#pragma redefine_extname f memset\nulong f(ulong, ulong, ulong);\n__kernel void k(__global float *a)
	{ f(0, 0, 9); }' => /in/k\.cl:1:9: error: assembler, other names/
3 ?llvm sh run '' 'static ulong f(void) __attribute__((weakref("__ws_ctx")));\n__kernel void k(__global float *a) {
	a[0] = f(); }' => /in/k\.cl:1:37: error: assembler, other names/
3 ?llvm sh run '' 'ulong memset(ulong, int, ulong);\n__kernel void k(__global float *a) { memset(0, 0, 9); }'
	=> /in/k\.cl:2: function memset is called but not defined/
0 ?llvm sh run '' '__constant int x[4] __attribute__((section(".eh_frame"))) = {1,2,3,4};\n__kernel void k(__global
	float *a) { a[0] = x[(int)a[1]]; }' => -
3 ?llvm sh run '' '__kernel void k(__global float *a) { __local char x[1UL << 40]; x[get_global_id(0)] = 1; a[0] = x[3];
	}' => /kernel k: __local variable k\.x: want at most 16777216 bytes/
3 ?llvm sh run '' 'void __ws_body(int x) {}\n__kernel void k(__global float *a) { __ws_body(1); }'
	=> /in/k\.cl: function __ws_body: want names that do not begin with __ws_/
3 ?llvm sh run '' 'void __ws_run(int);\n__kernel void k(__global float *a) { __ws_run(1); }'
	=> /in/k\.cl:2: function __ws_run is called but not defined/
3 ?llvm sh run '' 'int system(const __constant char *);\n__kernel void k(__global float *a) { system("true"); }'
	=> /in/k\.cl:2: function system is called but not defined/
3 ?llvm sh run '' '__kernel void k(__global float *a) { int n; printf("%n", &n); }'
	=> /in/k\.cl:1: kernel k: printf with %n, which writes to memory/
3 ?llvm sh run '' '__kernel void k(__global float *a) { printf("%s", (__private char *)0); }'
	=> /in/k\.cl:1: kernel k: printf with %s of what is no literal/
3 ?llvm sh run '' '__kernel void k(__global float *a) { printf("%s", a); }'
	=> /in/k\.cl:1: kernel k: printf with %s of what is no literal/
3 ?llvm sh run '' '__kernel void k(__global float *a) { printf("%d %d", 1); }'
	=> /in/k\.cl:1: kernel k: printf with fewer values than its format has/
3 ?llvm sh run '' '__kernel void k(__global float *a) { printf("%1$d", 1); }'
	=> /in/k\.cl:1: kernel k: printf with a format that OpenCL C does not have/
# Formats that C's printf reads otherwise, and values of the other kind: others would be taken for strings.
3 ?llvm sh run '' '__kernel void k(__global float *a) { printf("%5-d %s", 7L, "x"); }'
	=> /in/k\.cl:1: kernel k: printf with a format that OpenCL C does not have/
3 ?llvm sh run '' '__kernel void k(__global float *a) { printf("%hhhd %s", 7, "x"); }'
	=> /in/k\.cl:1: kernel k: printf with a format that OpenCL C does not have/
3 ?llvm sh run '' '__kernel void k(__global float *a) { printf("%**d %s", 1, 2, 7, "x"); }'
	=> /in/k\.cl:1: kernel k: printf with a format that OpenCL C does not have/
3 ?llvm sh run '' '__kernel void k(__global float *a) { printf("%f %s", 7L, "x"); }'
	=> /in/k\.cl:1: kernel k: printf with a value that is not of its format/
3 ?llvm sh run '' '__kernel void k(__global float *a) { printf("%d %s", 1.0f, "x"); }'
	=> /in/k\.cl:1: kernel k: printf with a value that is not of its format/
3 ?llvm sh run '' '__kernel void k(__global float *a) { printf("%d", (int2)(1, 2)); }'
	=> /in/k\.cl:1: kernel k: printf with a value that is not of its format/
0 ?llvm sh run '' '__kernel void k(__global float *a) {
	if (get_global_id(0) == 0) printf("%-+8.3f|%#lx|%c|%hhd|%lld|%*.*f|%s|%v4hlf|%v2hld|%d|%u %%\\n", 1.5f, 3L, 65,
	300, 7L, 9, 2, 1.25f, "str", (float4)(1,2,3,4), (int2)(1,2), a[0] > 1, (uchar)200); }' 2>said; cat said
	=> ~^\+1\.500  .0x3.A.44.7.     1\.25.str.1\.000000,2\.000000,3\.000000,4\.000000.1,2.0.200 %$~
0 ?llvm sh run '' '__kernel void k(__global float *a) {
	if (get_global_id(0) == 0) printf("%5.1f %s %*d %% %v2hld\\n", a[0], "word", 4, 7, (int2)(1, 2)); }' 2>said;
	cat said => ~^  0\.0 word    7 % 1,2$~

# ---- files that are none: pipes that nobody writes to, devices without end ----
0 mkfifo in/pipe && ln -s /dev/zero in/zero => -
3 ?llvm sed 's/k\.cl/pipe/' in/k.launch >in/l.launch; timeout 20 warpstack trace in/l.launch -o k.wst
	=> /in/pipe: want a regular file of OpenCL C/
3 ?llvm sed 's/k\.cl/zero/' in/k.launch >in/l.launch; warpstack trace in/l.launch -o k.wst
	=> /in/zero: want a regular file of OpenCL C/
3 ?llvm sed 's/k\.cl/inc/' in/k.launch >in/l.launch; warpstack trace in/l.launch -o k.wst
	=> /in/inc: want a regular file of OpenCL C/
3 ?llvm echo '#include "pipe"' >in/k.cl; timeout 60 warpstack trace in/k.launch --kernel-timeout 3 -o k.wst
	=> /in/k\.cl: clang-.* waits for a file that it includes: want no pipes/
3 ?llvm echo '__kernel void k(__global float *a) {}' >in/k.cl; { cat in/k.launch; echo '[check]'; echo 'a = zero';
	} >in/l.launch; timeout 20 warpstack trace in/l.launch -o k.wst
	=> /in/l\.launch:11: in/zero: want a regular file/
3 ?llvm { cat in/k.launch; echo '[check]'; echo 'a = pipe'; } >in/l.launch;
	timeout 20 warpstack trace in/l.launch -o k.wst => /in/l\.launch:11: in/pipe: want a regular file/
3 ?llvm sed 's/args/repeat = 1\nargs/; s/= float 64/= float 64 file pipe/' in/k.launch >in/l.launch;
	timeout 20 warpstack trace in/l.launch -o k.wst => /in/l\.launch:4: in/pipe: want a regular file/

# ---- what kernels take ----
3 ?llvm sed 's/global = 64/global = 3200/' in/k.launch >in/slow.launch; echo '__kernel void k(__global float *a) {
	for (volatile uint i = 0; i < 30000000; i++) ; a[get_global_id(0) % 64] = 1; }' >in/k.cl;
	warpstack trace in/slow.launch --kernel-timeout 1 -o k.wst
	=> /in/k\.cl: kernel k: the launch took more than 1 s, in group [0-9]* at last \(--kernel-timeout allows more\)/
3 ?llvm warpstack predict in/slow.launch --kernel-timeout 1 => /in/k\.cl: kernel k: the launch took more than 1 s/
3 ?llvm warpstack softcache in/slow.launch --transform --kernel-timeout 1
	=> /in/k\.cl: kernel k: the launch took more than 1 s/
2 ?llvm warpstack info in/slow.launch --kernel-timeout 1 => /kernel-timeout/
2 warpstack trace in/slow.launch --kernel-timeout 0 => /--kernel-timeout=0: want/
# A kernel's stack is its own.
3 ?plain sh run '' '__kernel void k(__global float *a) { float x[4096]; for (int i = 0; i < 1 << 20;
	i++) x[i] = a[i % 64]; a[0] = x[(int)a[1]]; }' => /in/k\.cl: kernel k: work-item .* crashed/
# Compilers that give up: one line each.
3 ?llvm { echo '__kernel void k(__global float *a) { a[0] = '; seq -f 'a[%g] +' 60000; echo '0; }'; } >in/k.cl;
	warpstack trace in/k.launch -o k.wst
	=> /in/k\.cl: clang-.* crashed|in/k\.cl: kernel k: the compiler crashed at it/
3 ?llvm printf '#define B A A A A A A A A A A\n#define C B B B B B B B B B B\n#define D C C C C C C C C C C\n#define E D
	D D D D D D D D D\n#define F E E E E E E E E E E\n#define A a[0] += 1;\n__kernel void k(__global float *a) {
	F F }' >in/k.cl; warpstack trace in/k.launch --kernel-timeout 1 -o k.wst
	=> /in/k\.cl: (kernel k: compiling it|clang-.*) took more than 1 s/
3 ?llvm sh run '' 'extern __constant int environ[];\n__kernel void k(__global float *a) { a[0] = environ[0]; }'
	=> /in/k\.cl: variable environ is used but not defined/
# What they print holds nothing that a terminal obeys.
0 ?llvm sh run '' '__kernel void k(__global float *a) { if (!get_global_id(0)) printf("\\033[2J%c[1m\\n", 27);
	}' 2>said; od -c said | head -n 1 => ~^0000000   \?   \[   2   J   \?   \[   1   m  .n$~

# ---- what compiler and kernels do: no file opened to be written, none changed, no socket ----
0 ?strace sh run '' && strace -f -o calls -e trace=%file,%network,%process warpstack trace in/k.launch -o k.wst;
	awk 'NR == 1 { tool = $1 } $1 != tool { of[$1] } /^[0-9]+ +execve\(.* = 0$/ { ran++ } $1 != tool && !/ = -1 / &&
	(/open(at2?)?\(.*O_(WRONLY|RDWR|CREAT)/ && !/"\/dev\/null"/ ||
	/(creat|unlink|unlinkat|rename|renameat2?|link|linkat|symlink|mkdir|chmod|chown|truncate|utimensat|mknod)\(/ &&
	!/readlink/) || /socket|connect\(|bind\(/ { print "wrong: " $0 } END { for (p in of) n++;
	print "processes " n ", programs " ran }' calls => ~^processes [2-9], programs 2$~
0 ?strace awk 'NR == 1 { tool = $1 } $1 != tool && (/open(at2?)?\(.*O_(WRONLY|RDWR|CREAT)/ && !/"\/dev\/null"/ ||
	/(creat|unlink|unlinkat|rename|renameat2?|link|linkat|symlink|mkdir|chmod|chown|truncate|utimensat|mknod)\(/ &&
	!/readlink/) || /socket|connect\(|bind\(/' calls => -
# Messages hold no more than kernels' text: Unicode has control characters of its own.
3 printf 'a\302\2332J\177 = b\n' >in/l.launch; warpstack trace in/l.launch -o k.wst
	=> /unknown key 'a 2J ': want source, options, base or align/
