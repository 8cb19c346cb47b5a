# CUDA kernels run alone: no GPU, no toolkit.

# The same kernel in OpenCL and in CUDA makes the same requests, warp by warp.
0 ?llvm same() { sed "s#source = .*#source = data/kernel/$2.cu#;s/kernel = mt/kernel = transpose<float>/"
	data/kernel/$1.launch >same.launch; warpstack trace data/kernel/$1.launch -o a.wst && warpstack trace
	${3:-same.launch} -o b.wst; for t in a b; do warpstack convert $t.wst -q --to din --set
	sm.scheduler=sequential -o $t.din || return; done; cmp a.din b.din && wc -l <a.din | tr '\n' ' '; };
	same mt-16x16 mt; same bfs bfs; same histogram histogram; same mm-16x2 mm;
	same stencil stencil data/kernel/stencil-cuda.launch
	=> ~36864 677513 20500 [0-9]+ 200340 ~
# Sizes in blocks; arrays and lines of the source, shuffles of warps in it.
0 ?llvm warpstack trace data/kernel/reduce.cu --kernel reduce --grid 64 --block 256 --arg
	in=buffer:float:262144:constant:1
	--arg out=buffer:float:1 --arg count=262144 -o r.wst && warpstack predict r.wst -m v100 --by site --kind all
	--columns array,source,requests --no-provenance --format csv | tr '\n' ' '
	=> ~array,source,requests in,reduce.cu:21,8192 out,reduce.cu:29,64 ~
0 ?llvm printf '\0\0\200\110' >sum.bin; warpstack trace data/kernel/reduce.cu --kernel reduce --grid 64 --block 256
	--arg in=buffer:float:262144:constant:1 --arg out=buffer:float:1 --arg count=262144 --check out=sum.bin -o r.wst
	=> -
0 ?llvm warpstack crosscheck data/kernel/reduce.launch -m v100 | tail -1 => ~max_abs_error_pp=0.000000~
# Loads and stores with .cg and their like, of the header and of assembly, go past the L1: to it they are as atomics, to
# the L2 what they are.
0 ?llvm warpstack trace $files/operators.cu --kernel k --grid 8 --block 128 --arg a=buffer:float:1024:iota
	--arg b=buffer:float4:1024:iota --arg out=buffer:float:1024 --arg n=1024 -o op.wst; { for k in load store; do
	warpstack info op.wst | grep -c "$k.*past the L1"; done; for k in load store atomic; do warpstack predict op.wst
	-m v100 --level all --kind $k --columns requests,misses --no-provenance --format csv; done; warpstack crosscheck
	op.wst -m v100 --level all --cycles --vary l1.size=8K,64K | tail -n 1; } | tr '\n' ' '
	=> ~^4 3 [a-z,]* 128,32 320,160 requests,misses 32,32 128,32 requests,misses 384,384 .*total_error_pp=0.000000~
# All write policies of the L1 let them pass.
0 ?llvm for w in write-evict write-through write-back; do warpstack crosscheck op.wst -m gtx480 --set l1.write=$w
	--level all | tail -n 1 | grep -o 'max.*000'; done | uniq -c => ~^ *3 max_abs_error_pp=0.000000 *$~
# Applications, and the kernels of data/counters.
0 ?llvm for k in kernel/backprop kernel/hotspot kernel/lud kernel/nw kernel/srad counters/eight; do warpstack crosscheck
	data/$k-cuda.launch -m v100 --vary l1.size=8K,64K | tail -n 1 | grep -o 'max.*000 '; done | uniq -c
	=> ~6 max_abs_error_pp=0.000000 ~
# Variables of the module follow the parameters.
2 ?llvm warpstack trace data/kernel/stencil.cu --kernel naive_kernel --grid 1 --block 64 --arg A0=buffer:float:64 -o
	s.wst
	=> /1 argument, want 5 to 6: naive_kernel\(global float const\* A0, global float\* Anext, int nx, int ny,
	int nz, constant float\* c\)/
# Mistakes.
2 ?llvm warpstack trace data/kernel/mt.cu --kernel transpose --grid 1 --block 64 -o s.wst
	=> /kernel 'transpose' is there 2 times: want one of transpose<float>, transpose<double>/
2 ?llvm warpstack trace data/kernel/mt.cu --kernel mt --grid 1 --block 64 -o s.wst
	=> /no kernel 'mt': want one of transpose<float>, transpose<double>/
2 ?llvm warpstack trace data/kernel/mt.cu
	=> /mt.cu is a kernel's source: want the kernel to run, one of transpose<float>.* \(--kernel NAME with --grid/
2 warpstack trace data/kernel/mm.cl --kernel mm --grid 1 --global 16 --local 16 => /--kernel wants --grid and --block,
	or/
2 warpstack trace data/kernel/mm.cl --kernel mm --grid 1,2 --block 16 
	=> /--block=16 has 1 number: want 2, as --grid has/
2 warpstack trace data/kernel/mm.cl --kernel mm --grid 10000000000 --block 10000000000
	=> /--grid=10000000000: want less than 2\^64 threads/
3 ?llvm printf '__global__ void k(int *a) {\n\tasm("wgmma.fence.sync.aligned;");\n\ta[0] = 1;\n}\n' >k.cu;
	warpstack trace k.cu --kernel k --grid 1 --block 1 --arg a=buffer:int:1 -o k.wst
	=> /k.cu:2: inline assembly .wgmma.fence.sync.aligned. is not supported/
# Assembly that cannot be read is refused, however long its operands: surfaces, and too much of all.
3 ?llvm printf '__global__ void k(int *a) {\n\tint r;\n\tasm("{ .reg .pred p; setp.eq.u32 p, 1, 1;
	@p suld.b.1d.b32 %%0, [%%1]; }" : "=r"(r) : "l"(a));\n\ta[0] = r;\n}\n' >k.cu; warpstack trace k.cu --kernel k
	--grid 1 --block 1 --arg a=buffer:int:1 -o k.wst => /k.cu:3: inline assembly .* is not supported/
3 ?llvm long=%%%%tid.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; printf "__global__ void k(int *a) {\n\tint r;\n
	\tasm(\"mov.u32 %%0, $long, $long, $long, $long, $long;\" : \"=r\"(r));\n\ta[0] = r;\n}\n" >k.cu;
	warpstack trace k.cu --kernel k --grid 1 --block 1 --arg a=buffer:int:1 -o k.wst
	=> /inline assembly 'mov.u32/
3 ?llvm printf '__global__ void k(int *a) {\n\ta[0] = b;\n}\n' >k.cu; warpstack trace k.cu --kernel k --grid 1 --block 1
	--arg
	a=buffer:int:1 -o k.wst => /k.cu:2:9: error: use of undeclared identifier 'b'/
# A constant table is read at an index that is not known before.
0 ?llvm printf '__constant__ const int t[4] = {5, 6, 7, 8};\n__global__ void k(int *a) {\n\ta[threadIdx.x] =\n
	t[a[threadIdx.x] & 3];\n}\n' >k.cu; warpstack trace k.cu --kernel k --grid 1 --block 32
	--arg a=buffer:int:32 -q -o k.wst; warpstack info k.wst | sed -n '/load.*array t, at/s/^/warpstack: /p' >&2
	=> /load.constant 4 bytes, array t, at k.cu:4/
# Reads of constants are counted, and are no requests of the L1: 48 work-items, twice each.
0 ?llvm printf '__constant__ float w[16];\n__global__ void k(float *a) {\n\ta[threadIdx.x] = w[threadIdx.x %% 16] *
	w[1];\n}\n' >k.cu; warpstack trace k.cu --kernel k --grid 1 --block 48 --arg a=buffer:float:48
	--arg w=buffer:float:16
	-o k.wst; printf '__kernel void k(__global float *a, __constant float *w) {\n\tint i = get_global_id(0);\n
	a[i] = w[i %% 16] * w[1];\n}\n' >k.cl; warpstack trace k.cl --kernel k --global 48 --local 48
	--arg a=buffer:float:48 --arg w=buffer:float:16 -o c.wst; for f in k c; do warpstack info $f.wst -q
	--no-provenance | awk '/_accesses/ { print $3, $4 }'; done | tr '\n' ' '
	=> ~^load_accesses 0 store_accesses 48 atomic_accesses 0 constant_accesses 96 load_accesses 0 .* 96 $~
# Variables begin with what the source says, addresses of others and of virtual functions among it, and keep what a
# launch leaves there; one that is given begins with that, also where others have its address.
0 ?llvm python3 -c 'import struct; w = lambda name, t, s, n: open(name, "wb").write(struct.pack("<4i", *[(i * i if
	i & 1 else 10 * i) + 1000 * t[i] + 10000 * t[1] + 100000 * s[i & 1] + 100000000 * n for i in range(4)]));
	w("first", [1, 2, 3, 4], [50, 70], 0); w("second", [1, 2, 3, 4], [50, 70], 1);
	w("seven", [7] * 4, [50, 70], 0)'; k="warpstack trace $files/variables.cu --kernel k --grid 1 --block 4 --arg
	out=buffer:int:4 -o k.wst"; $k --check out=first && $k --arg table=buffer:int:4:constant:7 --check out=seven &&
	printf "source = $files/variables.cu\n[buffers]\nout = int 4\n[launch]\nkernel = k\ngrid = 1\nblock = 4
	\nargs = out\nrepeat = 2\n[check]\nout = second\n" >v.launch && warpstack trace v.launch -o v.wst &&
	warpstack predict v.launch -m v100 --by array --columns array --where kind=load --no-provenance -q |
	sort | tr '\n' ' ' => ~^array chosen counter table vtable for square vtable for strip $~
2 ?llvm warpstack trace $files/variables.cu --kernel k --grid 1 --block 4 --arg out=buffer:int:4
	--arg tabel=buffer:int:4 -o k.wst => /variables.cu: 2 arguments, want 1 to 8: k\(/
2 ?llvm warpstack trace $files/variables.cu --kernel k --grid 1 --block 4 --arg out=buffer:int:4
	--arg table=buffer:float:4 -o k.wst => /argument 2 is table, a buffer of float, want one for global int/
# All errors, each with its line of the source, and no warnings.
0 ?llvm printf '__global__ void k(int *a) {\n\tint c;\n\ta[0] = b;\n\tc(); // error: no\n}\n#warning w\n' >k.cu;
	warpstack trace k.cu --kernel k --grid 1 --block 1 --arg a=buffer:int:1 -o k.wst 2>&1 | tr '\n' '!'
	=> ~^warpstack: k.cu:3:9: error: [^!]*! +3 . +a.0. = b;! +. +\^!k.cu:4:3: error: [^!]*! +4 . +c[^!]* no!.*!$~
3 ?llvm printf 'extern __device__ int f(int);\n__global__ void k(int *a) {\n\ta[0] = f(a[0]);\n}\n' >k.cu; warpstack
	trace k.cu
	--kernel k --grid 1 --block 1 --arg a=buffer:int:1 -o k.wst => /k.cu:3: /
3 ?llvm printf '__global__ void k(int *a) {\n\ta[threadIdx.x] = 1;\n}\n' >k.cu; warpstack trace k.cu --kernel k --grid 1
	--block 8 --arg a=buffer:int:4 -o k.wst => /k.cu:2: out of bounds in kernel k: work-item \(4,0,0\) makes a store
	of
	4 bytes at byte 16 of buffer a/
# An assertion that fails ends the run.
3 ?llvm printf '#include <assert.h>\n__global__ void k(int *a) {\n\tassert(a[threadIdx.x] == 0);\n}\n' >k.cu;
	warpstack trace k.cu --kernel k --grid 1 --block 8 --arg a=buffer:int:8:iota -o k.wst 2>err; s=$?;
	grep -q 'thread: .1,0,0. Assertion `a.threadIdx.x. == 0. failed' err && tail -n 1 err >&2; exit $s
	=> /k\.cu: kernel k: an assertion failed in work-item \(1,0,0\)/
# Launch files: blocks or work-items, not both.
3 printf 'source = k.cu\n[buffers]\na = int 8\n[launch]\nkernel = k\ngrid = 1\nblock = 8\nglobal = 8\nargs = a\n'
	>g.launch;
	warpstack trace g.launch -o g.wst => /g.launch:4: global and grid: want one of them/
3 printf 'source = k.cu\n[buffers]\na = int 8\n[launch]\nkernel = k\ngrid = 1\nargs = a\n' >g.launch;
	warpstack trace g.launch -o g.wst => /g.launch:4: launch without local: want kernel, global and local, or
	kernel, grid and/
