/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_device_runtime_api.h -- what kernels that launch kernels call: declared, for headers that name
 * it, and defined nowhere.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_DEVICE_RUNTIME_H
#define WARPSTACK_CUDA_DEVICE_RUNTIME_H
#include "cuda_runtime.h"

#ifdef __CUDA__
extern "C" {
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t bytes);
__device__ void *cudaGetParameterBufferV2(void *f, dim3 grid, dim3 block, unsigned int shared);
__device__ cudaError_t cudaLaunchDevice(void *f, void *parameters, dim3 grid, dim3 block, unsigned int shared,
					cudaStream_t stream);
__device__ cudaError_t cudaLaunchDeviceV2(void *parameters, cudaStream_t stream);
}
#endif

#endif
