# Arguments of kernels, and what kernels do that they should not.

# Vectors: as many numbers as they have, or one for all; spelt out or by a typedef.
0 ?llvm printf 'typedef float2 pair;\nkernel void k(global int *out, int2 v, uchar3 w, pair p) {\nout[0] = v.x; out[1] = v.y; out[2] = w.x; out[3] = w.z; out[4] = (int)(2 * p.x); out[5] = (int)p.y;\n}\n' >v.cl; printf '\1\0\0\0\376\377\377\377\7\0\0\0\11\0\0\0\3\0\0\0\4\0\0\0' >v.bin; warpstack trace v.cl --kernel k --global 1 --local 1 --arg out=buffer:int:6 --arg v=1,-2 --arg w=7,8,9 --arg p=1.5,4 --check out=v.bin -o v.wst => -
0 ?llvm printf '\3\0\0\0\3\0\0\0\5\0\0\0\5\0\0\0\4\0\0\0\2\0\0\0' >s.bin; warpstack trace v.cl --kernel k --global 1 --local 1 --arg out=buffer:int:6 --arg v=3 --arg w=5 --arg p=2 --check out=s.bin -o s.wst => -
2 ?llvm warpstack trace v.cl --kernel k --global 1 --local 1 --arg out=buffer:int:6 --arg v=1,2,3 --arg w=5 --arg p=2 -o s.wst => /argument 2 is '1,2,3', want 2 numbers, or one for all, not 3, for int2 v of k\(global int\* out, int2 v, uchar3 w, pair p\)/
2 ?llvm warpstack trace v.cl --kernel k --global 1 --local 1 --arg out=buffer:int:6 --arg v=1,2 --arg w=1,256,0 --arg p=2 -o s.wst => /argument 3 is '1,256,0', want numbers in their range for uchar3 w of k\(/
3 ?llvm printf 'source = v.cl\n[buffers]\no = int 6\n[launch]\nkernel = k\nglobal = 1\nlocal = 1\nargs = o 1,2 1,2 2\n' >v.launch; warpstack predict v.launch => /^warpstack: v.launch:4: argument 3 is '1,2', want 3 numbers, or one for all, not 2, for uchar3 w of k\(/
2 ?llvm warpstack trace data/kernel/mm.cl --kernel mm --global 16,16 --local 16,16 --arg A=buffer:float:256 --arg B=buffer:float:256 --arg C=buffer:float:256 --arg width=16,16 --arg height=16 -o s.wst => /argument 4 is '16,16', want one number, not 2, for uint width of mm/
# A name is the parameter's.
2 ?llvm warpstack trace data/kernel/mm.cl --kernel mm --global 16,16 --local 16,16 --arg A=buffer:float:256 --arg B=buffer:float:256 --arg C=buffer:float:256 --arg height=16 --arg width=16 -o s.wst => /argument 4 is given as height, want width: mm\(global float\* A, global float\* B, global float\* C, uint width, uint height\)/
0 ?llvm warpstack trace data/kernel/mm.cl --kernel mm --global 16,16 --local 16,16 --arg A=buffer:float:256 --arg B=A --arg C=buffer:float:256 --arg width=16 --arg height=16 -o s.wst => -
