/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/collect/hip/hip_runtime.h -- as much of HIP's declarations as tools/counters uses, so that
 * clang can check the HIP source where there is no ROCm.  Nothing of it is ever linked.
 */
#ifndef STAND_IN_HIP_RUNTIME_H
#define STAND_IN_HIP_RUNTIME_H

#include <cstddef>

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __host__ __attribute__((host))

struct dim3 {
	unsigned x, y, z;
	__host__ __device__ dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1)
		: x(a), y(b), z(c) {}
};
struct stand_in_index {
	unsigned x, y, z;
};
extern __device__ const stand_in_index threadIdx, blockIdx, blockDim, gridDim;
__device__ void __syncthreads();
__device__ int atomicAdd(int *, int);

enum hipError_t { hipSuccess };
enum hipMemcpyKind { hipMemcpyHostToDevice, hipMemcpyDeviceToHost };
typedef void *hipStream_t;
struct hipDeviceProp_t {
	char name[256];
	int multiProcessorCount, maxThreadsPerMultiProcessor, regsPerBlock, l2CacheSize, warpSize;
	size_t sharedMemPerBlock;
};
hipError_t hipGetDeviceProperties(hipDeviceProp_t *, int);
hipError_t hipGetLastError();
hipError_t hipDeviceSynchronize();
const char *hipGetErrorString(hipError_t);
hipError_t hipMalloc(void **, size_t);
hipError_t hipMemcpy(void *, const void *, size_t, hipMemcpyKind);
extern "C" hipError_t __hipPushCallConfiguration(dim3, dim3, size_t = 0, hipStream_t = 0);
extern "C" hipError_t hipLaunchKernel(const void *, dim3, dim3, void **, size_t, hipStream_t);

#endif
