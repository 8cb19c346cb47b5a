# Arguments of kernels, and what kernels do that they should not.

# Vectors: as many numbers as they have, or one for all; spelt out or by a typedef.
0 ?llvm printf 'typedef float2 pair;\nkernel void k(global int *out, int2 v, uchar3 w, pair p) {\nout[0] = v.x;
	out[1] = v.y; out[2] = w.x; out[3] = w.z; out[4] = (int)(2 * p.x); out[5] = (int)p.y;\n}\n' >v.cl;
	printf '\1\0\0\0\376\377\377\377\7\0\0\0\11\0\0\0\3\0\0\0\4\0\0\0' >v.bin;
	warpstack trace v.cl --kernel k --global 1 --local 1 --arg out=buffer:int:6 --arg v=1,-2 --arg w=7,8,9 --arg
	p=1.5,4 --check out=v.bin -o v.wst => -
0 ?llvm printf '\3\0\0\0\3\0\0\0\5\0\0\0\5\0\0\0\4\0\0\0\2\0\0\0' >s.bin;
	warpstack trace v.cl --kernel k --global 1 --local 1 --arg out=buffer:int:6 --arg v=3 --arg w=5 --arg p=2
	--check out=s.bin -o s.wst => -
2 ?llvm warpstack trace v.cl --kernel k --global 1 --local 1 --arg out=buffer:int:6 --arg v=1,2,3 --arg w=5 --arg p=2 -o
	s.wst => /argument 2 is '1,2,3', want 2 numbers, or one for all, not 3, for int2 v of k\(global int\* out, int2
	v, uchar3 w, pair p\)/
2 ?llvm warpstack trace v.cl --kernel k --global 1 --local 1 --arg out=buffer:int:6 --arg v=1,2 --arg w=1,256,0 --arg
	p=2 -o s.wst => /argument 3 is '1,256,0', want numbers in their range for uchar3 w of k\(/
3 ?llvm printf 'source = v.cl\n[buffers]\no = int 6\n[launch]\nkernel = k\nglobal = 1\nlocal = 1\nargs = o 1,2 1,2 2\n'
	>v.launch; warpstack predict v.launch
	=> /^warpstack: v.launch:4: argument 3 is '1,2', want 3 numbers, or one for all, not 2, for uchar3 w of k\(/
2 ?llvm warpstack trace data/kernel/mm.cl --kernel mm --global 16,16 --local 16,16 --arg A=buffer:float:256 --arg
	B=buffer:float:256 --arg C=buffer:float:256 --arg width=16,16 --arg height=16 -o s.wst
	=> /argument 4 is '16,16', want one number, not 2, for uint width of mm/
# A name is the parameter's.
2 ?llvm warpstack trace data/kernel/mm.cl --kernel mm --global 16,16 --local 16,16 --arg A=buffer:float:256 --arg
	B=buffer:float:256 --arg C=buffer:float:256 --arg height=16 --arg width=16 -o s.wst
	=> /argument 4 is given as height, want width: mm\(global float\* A, global float\* B, global float\* C, uint
	width, uint height\)/
0 ?llvm warpstack trace data/kernel/mm.cl --kernel mm --global 16,16 --local 16,16 --arg A=buffer:float:256 --arg B=A
	--arg C=buffer:float:256 --arg width=16 --arg height=16 -o s.wst => -
# Accesses out of bounds: the first ends the run, unless they are to be recorded; commands that take a launch file, too.
3 ?llvm printf 'kernel void k(global int *a, global int *b) {\nint i = get_global_id(0);\nb[i] = a[i + 4] + 1;\n}\n'
	>o.cl; printf 'source = o.cl\n[buffers]\na = int 64 iota\nb = int 64\n[launch]\nkernel = k\nglobal = 64\nlocal =
	16\nargs = a b\n' >o.launch; warpstack trace o.launch -o o.wst
	=> /^warpstack: o.cl:3: out of bounds in kernel k: work-item \(60,0,0\) makes a load of 4 bytes at byte 256 of
	buffer a \(argument a\), which has 256/
0 ?llvm warpstack trace o.launch --out-of-bounds record -o o.wst
	=> /^warpstack: note: o.cl:3: out of bounds in kernel k: 4 loads, first work-item \(60,0,0\) makes a load of 4
	bytes at byte 256 of buffer a/
0 ?llvm warpstack trace o.launch --out-of-bounds record -q -o q.wst && cmp o.wst q.wst => -
0 ?llvm warpstack trace o.launch --out-of-bounds ignore -o i.wst && cmp o.wst i.wst &&
	warpstack predict o.wst --no-provenance >a && warpstack predict o.launch --out-of-bounds ignore --no-provenance
	| diff a - => -
0 ?llvm for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do printf '\7\0\0\0\7\0\0\0\7\0\0\0\7\0\0\0'; done >o.bin;
	printf '\1\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0' >>o.bin; warpstack trace o.cl --kernel k --global 64 --local 16 --arg
	a=buffer:int:64:constant:6 --arg b=buffer:int:64 --out-of-bounds ignore --check b=o.bin -o c.wst => -
0 ?llvm for c in profile predict 'sweep --vary l1.size=8K,16K' simulate 'simulate --cycles' crosscheck softcache
	'convert --to din' 'plot reuse'; do warpstack $c -q --out-of-bounds ignore -o x.svg o.launch &&
	warpstack $c o.launch -o y.svg 2>/dev/null; [ $? -eq 3 ] || echo "$c: $?"; done => -
2 ?llvm warpstack predict o.wst --out-of-bounds ignore => /--out-of-bounds wants a launch file/
2 warpstack trace o.launch --out-of-bounds maybe => /--out-of-bounds=maybe: want one of fail record ignore/
2 ?llvm warpstack softcache o.launch --transform --out-of-bounds record
	=> /--transform does not go with --out-of-bounds/
# A misaligned vector is called that.
3 ?llvm printf 'kernel void k(global float *a, global float *b) {\nint i = get_global_id(0);\nfloat4 v = *(global float4
	*)(a + i);\nb[i] = v.x + v.y;\n}\n' >m.cl; sed 's/o.cl/m.cl/;s/= int/= float/' o.launch >m.launch;
	warpstack predict m.launch --out-of-bounds record
	=> /^warpstack: m.cl:3: misaligned access in kernel k: work-item \(1,0,0\) makes a load of 16 bytes at byte 4 of
	buffer a \(argument a\), which has 256, address 0x100000004: want a multiple of 16/
# Barriers that not all work-items reach are told of once, and are in the trace.
0 ?llvm printf 'kernel void k(global int *a, int n) {\nlocal int t[64];\nint i = get_global_id(0), l =
	get_local_id(0);\nif (i >= n) return;\nt[l] = a[i];\nbarrier(CLK_LOCAL_MEM_FENCE);\na[i] = t[l ^ 1];\n}\n'
	>b.cl; printf 'source = b.cl\n[buffers]\na = int 1024\n[launch]\nkernel = k\nglobal = 1024\nlocal = 64\nargs = a
	1000\nrepeat = 3\n' >b.launch; warpstack trace b.launch -o b.wst
	=> /^warpstack: note: b.cl:6: kernel k: not all work-items of a group reach this barrier \(undefined in
	OpenCL\): in 1 of 16 groups, first in group 15, of which 24 of 64 work-items had ended/
0 ?llvm warpstack trace b.launch -q --threads 1 -o c.wst && cmp b.wst c.wst && warpstack info b.wst | grep barrier
	=> ~^launch 3 barrier b.cl:6	threads_ended_before	24$~
0 ?llvm warpstack info --format json b.wst
	=> ~"barriers":\[\{"file":"b.cl","line":6,"ctas_not_all_reach":1,"first_cta":15,"threads_ended_before":24\}\]~
0 ?llvm sed 's/1000/1024/' b.launch >w.launch; warpstack trace w.launch -o w.wst; warpstack info w.wst |
	grep -c barrier || : => ~^0$~
0 ?llvm sed 's/if (i >= n) return;/if (l < 16) barrier(CLK_LOCAL_MEM_FENCE);/' b.cl >d.cl;
	sed 's/b.cl/d.cl/' b.launch >d.launch; warpstack trace d.launch -q -o d.wst 2>&1 | sed 's/^warpstack: //'
	=> ~d.cl: divergent barrier in kernel k: work-item \(0,0,0\) waits at line 4, \(16,0,0\) at line 6~

# A compiler cache that stands in PATH under the compiler's name is passed by.
0 ?llvm mkdir cached && ln -s "$(command -v false)" cached/clang-19 &&
	warpstack trace data/kernel/mm-16x10.launch -o mm.wst &&
	PATH=$PWD/cached:$PATH warpstack trace data/kernel/mm-16x10.launch | cmp - mm.wst => -

# Reads of a program's constants are counted, but for those that became numbers; which of two arrays is not told.
0 ?llvm printf '%s\n' '__constant int t[2][8] = { { 1, 2 }, { 3 } }, u[8] = { 4, 5 };' \
	'__kernel void f(__global int *o) { __constant int w[3] = { 6, 7, 8 }; int i = get_global_id(0);' \
	'__constant int *p = i & 1 ? t[0] : u;' \
	'o[i] = t[1][i & 7] + t[0][1] + u[o[i] & 7] + p[o[i] & 3] + w[i % 3]; }' >constants.cl;
	warpstack trace constants.cl --kernel f --global 64 --local 32 --arg o=buffer:int:64:iota -o c.wst -q;
	warpstack info c.wst -q --no-provenance | tr '\t' ' ' |
	sed -n 's/^launch 1 constant_accesses //p; s/.* load constant/constant/p' | tr '\n' ';'
	=> ~^192;constant 4 bytes, array t, at constants.cl:4;constant .* array u, at .*;constant .* array w, at .*;$~
