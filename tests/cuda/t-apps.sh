#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs of tests/cuda/apps/, built by their Makefile with NVCC=warpstack-nvcc: they pass their own checks,
# alone and traced, and the traces' LRU is derived exactly.  CHECK_O is the build folder.
set -u
cd "$(dirname "$0")/../.." || exit 1
CHECK_O=$(realpath "${CHECK_O:?}")
tool=$CHECK_O/warpstack
nvcc=$CHECK_O/warpstack-nvcc
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM # sh ends without EXIT else
# The allocator that looks for errors is the tool's alone.
# What a program compiles alone it finds when it is traced.
export WARPSTACK_DATA="$PWD/data" WARPSTACK_CACHE="$tmp/cache" ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0:verify_asan_link_order=0"
. tests/tap.sh

if ! [ -x "$nvcc" ] || ! command -v clang-19 >/dev/null; then
	skip 'CUDA programs' 'no warpstack-nvcc'
fi
mkdir "$tmp/kernels" && cp data/kernel/*.cu "$tmp/kernels" && cp tests/cuda/apps/* "$tmp" && cd "$tmp" || exit 1
make NVCC="$nvcc" -j2 >make.log 2>&1
report $? 'all programs are built with NVCC=warpstack-nvcc' make.log
awk 'BEGIN { x = 1; n = 500; print n, 5 * n; for (i = 0; i < n; i++) print 5 * i, 5
	for (i = 0; i < 5 * n; i++) { x = (x * 3877 + 29573) % 139968; print x % n } }' >graph

# launches PROGRAM LAUNCHES [ARGUMENT]: it runs, traced and not, and its trace is exact
launches() {
	program=$1 want=$2
	shift 2
	"./$program" "$@" >alone 2>errors
	report $? "$program passes" alone
	"$tool" trace --app -q -o "$program.wst" -- "./$program" "$@" >traced 2>errors
	report $? "$program passes when it is traced" errors
	cmp -s alone traced
	report $? "$program: the same output" traced
	got=$("$tool" info "$program.wst" | awk -F'\t' '$1 == "trace" && $2 == "launches" { print $3 }')
	[ "$got" = "$want" ]
	report $? "$program: $got launches, want $want"
	"$tool" crosscheck -q "$program.wst" -m v100 --vary l1.size=8K,64K --per kernel >exact 2>&1 &&
		tail -n 1 exact | grep -q 'max_abs_error_pp=0.000000'
	report $? "$program: LRU is exact" exact
}
launches reduction 2
launches scan 3
launches radix_sort 24
launches bfs 16 graph
launches spmv 2
launches stencil 1
launches matmul 6
launches nbody 1
launches lud 78
launches needle 7
launches hash_join 2
launches list 2
launches groups 5
launches calls 3
launches textures 22
launches legacy 6
launches separate 3
launches pointers 7
launches recursion 1
launches helpers 1
launches names 3
launches solver 17
launches ptx 5
launches monte_carlo 5
launches halves 2
launches structs 3
launches heap 4
launches pair 2
launches driver 15
launches linked 4
launches older 2
launches blas_lt 16
launches newer 15
# What NVRTC compiles is in a folder of TMPDIR meanwhile.
mkdir folder && TMPDIR=folder ./driver >out 2>err && [ -z "$(ls -A folder)" ]
report $? 'NVRTC leaves nothing in TMPDIR' err
TMPDIR=/nowhere ./driver >out 2>err
[ $? -eq 1 ]
report $? 'NVRTC asks for nothing outside TMPDIR' err
launches rounding 4
launches blas 25
./blas more >out 2>err
report $? 'triangles, complex numbers, factors and mixed products of cuBLAS' out
launches graphs 23
launches async 3
launches applications 27
launches products 6
launches fourier 49
launches sparse 39
launches sparse_more 32
launches lenient 3
./lenient | grep -qx 'text Own   s good'
report $? 'strings of any memory are printed'
launches lanes 10
WARPSTACK_FIBRES=1 ./lanes >fibres 2>/dev/null
cmp -s alone fibres
report $? 'lanes: the same output of threads one by one'
launches warps 14
launches waits 8
launches tensor 4
WARPSTACK_FIBRES=1 ./warps >out 2>/dev/null
report $? 'warps passes with threads one by one' out
# Debian's libthrust-dev, or that of a folder.  All that was tried takes a minute: if the folder is given.
all_thrust=${THRUST_INCLUDE:+1}
if [ -e "${THRUST_INCLUDE:=/usr/include}/thrust/device_vector.h" ]; then
	"$nvcc" -w -std=c++11 -I "$THRUST_INCLUDE" -c -o lenient.o lenient.cu 2>err
	report $? 'libcu++ of C++11, where it is there' err
	if [ -n "$all_thrust" ]; then
		"$nvcc" -w --extended-lambda -I "$THRUST_INCLUDE" -o thrust_more thrust_more.cu 2>err && ./thrust_more >out 2>err
		report $? 'more of Thrust and CUB: iterators, orders, blocks and warps, device calls' err
	fi
	"$nvcc" -w -I "$THRUST_INCLUDE" -o thrust_cub thrust_cub.cu 2>err
	report $? 'a program of Thrust and CUB is built' err
	# How many kernels a call takes is Thrust's to say: Debian 12 has 1.17, Debian 13 2.3.
	version=$(awk '$1 == "#define" && $2 == "THRUST_VERSION" { print $3 }' "$THRUST_INCLUDE/thrust/version.h")
	launches thrust_cub "$([ "$version" -ge 200000 ] && echo 12 || echo 15)"
else
	echo '# no Thrust'
fi
"$("$nvcc" --cuda-home)/bin/hipcc" -O3 --offload-arch=gfx90a -o hip_saxpy hip_saxpy.cpp 2>err
report $? 'a program of HIP is built' err
launches hip_saxpy 2
"$("$nvcc" --cuda-home)/bin/hipcc" --genco --offload-arch=gfx90a -o hip_module.co hip_module.cpp 2>err &&
	"$("$nvcc" --cuda-home)/bin/hipcc" -fgpu-rdc -mllvm -amdgpu-early-inline-all=true -o hip_module hip_module.cpp 2>err
report $? 'a module of HIP, and a program that loads it' err
launches hip_module 4 hip_module.co

# What it must not do.
./misuse >out 2>err
report $? 'misuse has CUDA'\''s error codes' out
grep -q 'misuse.cu:8: out of bounds in kernel write: work-item (0,0,0) makes a store of 4 bytes at byte 40' err
report $? 'the line of an access out of bounds' err
./assertion >out 2>err && grep -q 'assertion.cu:10: block: .0,0,0., thread: .40,0,0. Assertion `p.threadIdx.x. >= 0. failed' out
report $? 'an assertion that fails' out
./recursion endless >out 2>err && grep -q 'recursion.cu:85: kernel endless: work-item (0,0,0) calls a function that calls itself, too deep' err
report $? 'recursion without an end' err
./bfs >out 2>err
[ $? -eq 1 ]
report $? "a program's own exit code" err

# What is traced, and what not, has the same results.
"$tool" trace --app -q --kernel 'tiled<float, 8>' -o one.wst -- ./matmul >out 2>&1 && grep -q PASSED out &&
	[ "$("$tool" info one.wst | grep -c 'kernel.tiled<float, 8>')" = 1 ]
report $? '--kernel with template arguments' out
"$tool" trace --app -q --launches 2:3 -o some.wst -- ./scan >out 2>&1 && grep -q PASSED out &&
	"$tool" info some.wst | grep -q '^trace	launches	2$'
report $? '--launches A:B' out
"$tool" trace --app -q --ctas 2 -o cut.wst -- ./matmul >out 2>&1 && grep -q PASSED out &&
	"$tool" info cut.wst | grep -q '^launch 1	ctas	2$'
report $? '--ctas' out
"$tool" trace --app -o all.wst -- ./pair >out 2>err && grep -q '2 launches of 2 kernels traced' err
report $? 'a report' err
"$tool" predict all.wst -m v100 --by site --kind store --columns kernel,array,source --format csv |
	grep -q '^fill,p,pair_kernel.cu:11$'
report $? 'arrays and lines of the source'

# The headers that are compiled once: what is made by them is the same, and what they were made of may change.
cp -r "$WARPSTACK_DATA/cuda/include" "$tmp/include" && mkdir kept own &&
	sed "s|^include=.*|include=$tmp/include|" "$nvcc" >kept/nvcc && chmod 755 kept/nvcc
kept() { # FOLDER of what is kept, ARGUMENTS; how many headers there are then
	(export WARPSTACK_CACHE=$1; shift; kept/nvcc "$@" "${source:-scan.cu}" 2>err) && ls "$1" 2>/dev/null | grep -c '[.]pch$'
}
[ "$(kept '' -c -o a) $(kept kept/c -c -o b) $(kept kept/c -c -o c)" = '0 2 2' ] && cmp a b && cmp a c
report $? 'headers are compiled once for device and host' err
kept '' -cubin -o a >out
[ "$(kept kept/c -cubin -o b)" = 2 ] && cmp a b
report $? 'a module takes those of the device' err
echo 'static const int changed = 1;' >>"$tmp/include/cuda_math.h"
(cat scan.cu && echo 'static_assert(changed, "");') >changed.cu
[ "$(source=changed.cu kept kept/c -cubin -o b)" = 1 ]
report $? 'headers that have changed are compiled again' err
kept kept/c -cubin -o b >out
for f in kept/c/*.pch; do echo damaged >"$f"; done
for i in 1 2 3 4 5 6 7 8 9; do touch -d @$i "kept/c/$i.pch"; done
[ "$(kept kept/c -cubin -o b)" = 10 ] && cmp a b && [ "$(kept kept/c -cubin -o b)" = 8 ] && cmp a b && ! [ -e kept/c/2.pch ]
report $? 'a damaged header is none; no more than eight are kept' err
echo '#include_next <math.h>' >own/math.h
[ "$(kept kept/d -cubin -o b -Iown) $(kept kept/d -c -o b -MMD)" = '0 1' ] && rm kept/d/* && chmod o+w kept/d &&
	[ "$(kept kept/d -cubin -o b)" = 0 ]
report $? 'none with a header of the system'\''s name, dependencies, or a folder of others' err

# The driver: what it takes, and what it says.
"$nvcc" --version | grep -q 'release 12'
report $? '--version'
"$nvcc" --help | grep -q 'usage: warpstack-nvcc'
report $? '--help'
"$nvcc" -o x no-such.cu 2>err
[ $? -eq 1 ] && grep -q 'no-such.cu: No such file' err
report $? 'a file that is not there' err
"$nvcc" 2>err
[ $? -eq 1 ] && grep -q 'no file to compile' err
report $? 'no file' err
letters=$(echo A B C D E F G H I J K L M N O P Q R S T U V W X Y Z | sed 's/[A-Z]/-D&=7/g')
"$nvcc" -cubin $letters -o every every_header.cu 2>err
report $? 'macros of one letter before all headers' err
echo '#include <cub/none.cuh>' >absent.cu
"$nvcc" -c absent.cu 2>err
[ $? -eq 1 ] && grep -q 'warpstack-nvcc: Thrust, CUB and libcu++ are NVIDIA' err
report $? "a header of NVIDIA's own" err
missing() { # HEADER FILE: it is told behind the error
	echo "#include <$1>" >"$2"
	"$nvcc" -c "$2" 2>err
	[ $? -eq 1 ] && grep -q "^warpstack-nvcc: $1 is not there: of NVIDIA's libraries there are cuBLAS, " err
}
missing cudnn.h absent.cu && missing nccl.h absent.cpp && echo 'int main() { return cublasXtCreate(0); }' >absent.cu &&
	! "$nvcc" absent.cu -o absent 2>err && grep -q '^warpstack-nvcc: cublasXtCreate is none of CUDA' err &&
	! "$nvcc" -o absent list.cu -lcudnn 2>err && grep -q '^warpstack-nvcc: cudnn is not there: ' err
report $? 'libraries of NVIDIA that are not there' err
echo '__global__ void a() {} __global__ void b() { a<<<1, 1>>>(); }' >nested.cu
"$nvcc" -c nested.cu 2>err
[ $? -eq 1 ] && grep -q 'warpstack-nvcc: kernels that launch kernels' err
report $? 'kernels that launch kernels' err
# Makefiles that know a toolkit's folder, and objects that another compiler links.
home=$("$nvcc" --cuda-home)
cat >driver.c <<'C'
#include <cuda_runtime.h>
#include <omp.h>
extern void fill_it(int *p, int n);
int main(void)
{
	int n = 0;
	void *p = 0;
	dim3 d = { 1, 1, 1 };

	return cudaGetDeviceCount(&n) || n != 1 || cudaMalloc(&p, 64) || cudaFree(p) || d.x != 1 ||
	       omp_get_num_threads() != 1;
}
C
"$home/bin/nvcc" -c -I/usr/local/cuda/include -o reduction.o reduction.cu 2>err &&
	${CC:-gcc} -fopenmp -I"$home/include" -o driver driver.c -L"$home/lib64" -lcudart 2>>err &&
	env -u LD_LIBRARY_PATH ./driver
report $? 'a toolkit'\''s folder, and the linker of gcc' err
printf '%s\n' '-O2 -DSPACE="a b"' -c >words
cat >product.c <<'C'
#include <cublas_v2.h>
#include <cufft.h>
int main(void)
{
	float a[4] = { 1, 2, 3, 4 }, c[4] = { 0 }, one = 1, zero = 0, *p = 0, *q = 0;
	cublasHandle_t h;
	cufftHandle plan;

	cublasCreate(&h);
	cudaMalloc((void **)&p, sizeof a);
	cudaMalloc((void **)&q, sizeof a);
	cudaMemcpy(p, a, sizeof a, cudaMemcpyHostToDevice);
	cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, p, 2, p, 2, &zero, q, 2);
	cudaMemcpy(c, q, sizeof c, cudaMemcpyDeviceToHost);
	return c[0] != 7 || c[3] != 22 || cufftPlan1d(&plan, 8, CUFFT_C2C, 1);
}
C
${CC:-gcc} -I"$home/include" -o product product.c -L"$home/lib64" -lcublas -lcufft -lcudart 2>err &&
	env -u LD_LIBRARY_PATH "$tool" trace --app -q -o product.wst -- ./product &&
	"$tool" info product.wst | grep -q '^launch 1	kernel	.*gemm<float>' &&
	grep -qa 'warpstack-cuda 1 [0-9]* cuda/include/cublas.cu' "$CHECK_O/libwarpstack-cublas.so"
report $? 'cuBLAS and cuFFT in a program that gcc links' err
"$nvcc" --options-file words -odir . -M list.cu >out 2>err && grep -q 'list.o:.*list.cu' out &&
	"$nvcc" @words -keep-dir /tmp -Xcompiler '"-Wall"' --forward-unknown-to-host-compiler -odir "$tmp" list.cu 2>err
report $? 'files of options, dependencies, folders' err
if command -v cmake >/dev/null; then
	mkdir project && cat >project/CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.18)
project(separate LANGUAGES CXX CUDA)
add_executable(separate ../separate_a.cu ../separate_b.cu ../separate_c.cu)
set_target_properties(separate PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
find_package(CUDAToolkit REQUIRED)
target_link_libraries(separate CUDA::cudart CUDA::cublas)
C
	{ cmake -S project -B project/build -DCMAKE_CUDA_COMPILER="$home/bin/nvcc" && cmake --build project/build; } >out 2>&1 &&
		"$tool" trace --app -q -o cmake.wst -- project/build/separate >>out 2>&1 && [ -s cmake.wst ]
	report $? 'a project of CMake' out
	# as older projects have it: the toolkit's module, libraries, the host's compiler for the rest
	mkdir old && cat >old/CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.8)
project(pair CUDA CXX)
find_package(CUDA REQUIRED)
set(CUDA_NVCC_FLAGS "${CUDA_NVCC_FLAGS} -O3 -arch=sm_60")
cuda_add_library(kernel STATIC ../pair_kernel.cu)
add_executable(pair host.cpp)
target_include_directories(pair PRIVATE ${CUDA_INCLUDE_DIRS})
target_link_libraries(pair kernel ${CUDA_LIBRARIES})
C
	cat >old/host.cpp <<'C'
#include <cuda_runtime.h>
void fill_all(int *p, int n);
int main()
{
	int *p;
	cudaMallocManaged(&p, 400);
	fill_all(p, 100);
	return cudaDeviceSynchronize() != cudaSuccess || p[99] != 297;
}
C
	{ cmake -S old -B old/build -DCMAKE_CUDA_COMPILER="$home/bin/nvcc" -DCUDA_TOOLKIT_ROOT_DIR="$home" &&
		cmake --build old/build; } >out 2>&1 && env -u LD_LIBRARY_PATH old/build/pair >>out 2>&1
	report $? 'an older project of CMake' out
else
	echo '# no cmake'
fi
"$nvcc" -Xcompiler "-Wall -fopenmp" -o driver driver.c -lcudart 2>err && ./driver
report $? 'a source of C with OpenMP' err
"$nvcc" -lib -o libdevice.a separate_b.o separate_c.o && "$nvcc" -rdc=true -o from_library separate_a.o libdevice.a 2>err &&
	./from_library | grep -q PASSED
report $? 'device code of a library that -lib makes' err
mkdir archive && "$nvcc" -dc -odir archive separate_b.cu separate_c.cu && ar rcs archive/libunits.a archive/*.o &&
	"$nvcc" -dc -o units_a.o separate_a.cu && "$nvcc" -dlink -o units.o units_a.o -Larchive -lunits 2>err &&
	${CXX:-g++} -o linked units_a.o units.o -Larchive -lunits -L"$home/lib64" -lcudadevrt -lcudart 2>>err &&
	env -u LD_LIBRARY_PATH ./linked | grep -q PASSED && "$nvcc" -o linked units_a.o -Larchive -lunits && ./linked | grep -q PASSED
report $? 'device code of an archive that another linker links' err
printf 'int main() { return undeclared; }\n' >wrong.cu
"$nvcc" -o wrong wrong.cu 2>err
[ $? -eq 1 ] && grep -q "wrong.cu:1:21: error: use of undeclared identifier" err && ! [ -e wrong ]
report $? 'a mistake in a source' err
"$nvcc" -c -o p.o pair_kernel.cu && "$nvcc" -shared -Xcompiler -fPIC -o libp.so p.o pair_kernel.cu 2>err
"$nvcc" -dryrun -arch sm_80 -gencode=arch=compute_80,code=sm_80 -Xptxas -O3 -Xfatbin -compress-all -dlto -maxrregcount=32 -ccbin g++ \
	-std=c++14 -DN=3 -Iinc -Llib -lfoo -Xcompiler -O1,-fopenmp -o x matmul.cu >out &&
	grep -q -e '-std=c++14' out && grep -q -e 'openmp' out && grep -q -e 'gomp' -e '-fopenmp' out && grep -q -e '-lfoo' out && ! grep -q sm_80 out
report $? 'options of nvcc' out
"$nvcc" --allow-unsupported-compiler --diag-warn 177 -diag-error=20012 --Wno-deprecated-declarations --undefine-macro N -objtemp \
	--generate-dependencies-with-compile --dependency-output list.d --source-in-ptx -e list_it -c list.cu 2>err && grep -q 'list.cu' list.d
report $? 'options of nvcc that are rare' err
echo 'int main(int argc, char **) { return argc != 2; }' >runs.cu && "$nvcc" -run -run-args one -o runs runs.cu 2>err &&
	[ "$("$nvcc" --list-gpu-code)" = sm_70 ] && ! "$nvcc" -run -o runs runs.cu 2>>err
report $? '-run' err
"$nvcc" -std=c++03 -o runs.o runs.cu -lcupti -lcublasLt -lnvidia-ml 2>err && [ "$("$home/bin/hipconfig" --platform) $("$home/bin/__nvcc_device_query")" = 'amd 70' ]
report $? 'an old standard; what Makefiles ask for' err
if command -v mpicxx >/dev/null; then
	printf '#include <mpi.h>\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); return MPI_COMM_WORLD == 0; }\n' >mpi.cu
	"$nvcc" -ccbin mpicxx -o mpi mpi.cu 2>err && ./mpi
	report $? 'a source with the header of MPI' err
fi
"$nvcc" -dryrun -o x matmul.cu driver.c >out && [ "$(grep -c -e ' -O1 -fno-strict-aliasing ' out)" = 2 ] &&
	"$nvcc" -dryrun -g -o x matmul.cu driver.c >out && ! grep -q -e ' -O1 -fno-strict-aliasing ' out
report $? 'the host code is optimized a little where nothing is said' out
echo "1..$n"
exit $bad
