/* SPDX-License-Identifier: GPL-3.0-or-later
 * every_header.cu -- all headers that sources of CUDA include.  A program may have macros of one capital letter before
 * them: t-apps.sh gives -DA=7 to -DZ=7.
 */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <cufft.h>
#include <curand.h>
#include <curand_kernel.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_math.h>
#include <mma.h>
#include <nvToolsExt.h>
#include <nvfunctional>
#include <nvrtc.h>
#include <nvtx3/nvtx3.hpp>

__global__ void letters(int *out)
{
	*out = A + N + Z;
}
