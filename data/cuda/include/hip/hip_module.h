/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hip/hip_module.h -- HIP's names of the driver's calls, which return HIP's errors, of graphs and of
 * what else has another form than CUDA's.
 *
 * Part of hip/hip_runtime.h, which includes it in C++.
 */
#pragma GCC system_header
#ifndef WARPSTACK_HIP_MODULE_H
#define WARPSTACK_HIP_MODULE_H

#include "../cuda.h"

typedef CUmodule hipModule_t;
typedef CUfunction hipFunction_t;
typedef CUcontext hipCtx_t;
typedef void *hipDeviceptr_t;
#define hipArray cudaArray
#define hipMemPool_t cudaMemPool_t
#define hipGraph_t cudaGraph_t
#define hipGraphExec_t cudaGraphExec_t
#define hipGraphNode_t cudaGraphNode_t
#define hipIpcMemHandle_t cudaIpcMemHandle_t
#define hipStreamPerThread cudaStreamPerThread
#define hipStreamCaptureModeGlobal cudaStreamCaptureModeGlobal
#define hipStreamCaptureModeRelaxed cudaStreamCaptureModeRelaxed
#define HIP_LAUNCH_PARAM_BUFFER_POINTER CU_LAUNCH_PARAM_BUFFER_POINTER
#define HIP_LAUNCH_PARAM_BUFFER_SIZE CU_LAUNCH_PARAM_BUFFER_SIZE
#define HIP_LAUNCH_PARAM_END CU_LAUNCH_PARAM_END

#define hipMemcpy2DToArray cudaMemcpy2DToArray
#define hipMemcpy2DFromArray cudaMemcpy2DFromArray
#define hipMemcpyToArray cudaMemcpyToArray
#define hipDeviceSetSharedMemConfig cudaDeviceSetSharedMemConfig
#define hipDeviceGetPCIBusId cudaDeviceGetPCIBusId
#define hipDeviceGetByPCIBusId cudaDeviceGetByPCIBusId
#define hipDeviceGetDefaultMemPool cudaDeviceGetDefaultMemPool
#define hipMemPoolSetAttribute cudaMemPoolSetAttribute
#define hipIpcGetMemHandle cudaIpcGetMemHandle
#define hipIpcOpenMemHandle cudaIpcOpenMemHandle
#define hipIpcCloseMemHandle cudaIpcCloseMemHandle
#define hipStreamBeginCapture cudaStreamBeginCapture
#define hipStreamEndCapture cudaStreamEndCapture
#define hipStreamIsCapturing cudaStreamIsCapturing
#define hipGraphCreate cudaGraphCreate
#define hipGraphDestroy cudaGraphDestroy
#define hipGraphInstantiate cudaGraphInstantiate
#define hipGraphLaunch cudaGraphLaunch
#define hipGraphExecDestroy cudaGraphExecDestroy
#define hipGraphAddKernelNode cudaGraphAddKernelNode
#define hipGraphAddMemcpyNode1D cudaGraphAddMemcpyNode1D
#define hipGraphAddMemsetNode cudaGraphAddMemsetNode
#define hipKernelNodeParams cudaKernelNodeParams
#define hipMemsetParams cudaMemsetParams

static inline hipError_t hipInit(unsigned int flags) { return (hipError_t)cuInit(flags); }
static inline hipError_t hipDeviceGet(hipDevice_t *device, int number)
{
	return (hipError_t)cuDeviceGet(device, number);
}
static inline hipError_t hipDeviceGetName(char *name, int len, hipDevice_t device)
{
	const cudaError_t error = (hipError_t)cuInit(0);

	return error != cudaSuccess ? error : (hipError_t)cuDeviceGetName(name, len, device);
}
static inline hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device)
{
	const cudaError_t error = (hipError_t)cuInit(0);

	return error != cudaSuccess ? error : (hipError_t)cuDeviceTotalMem(bytes, device);
}
static inline hipError_t hipCtxCreate(hipCtx_t *context, unsigned int flags, hipDevice_t device)
{
	return (hipError_t)cuCtxCreate(context, flags, device);
}
static inline hipError_t hipCtxDestroy(hipCtx_t context) { return (hipError_t)cuCtxDestroy(context); }
static inline hipError_t hipModuleLoad(hipModule_t *module, const char *path)
{
	const cudaError_t error = (hipError_t)cuInit(0);

	return error != cudaSuccess ? error : (hipError_t)cuModuleLoad(module, path);
}
static inline hipError_t hipModuleLoadData(hipModule_t *module, const void *image)
{
	const cudaError_t error = (hipError_t)cuInit(0);

	return error != cudaSuccess ? error : (hipError_t)cuModuleLoadData(module, image);
}
static inline hipError_t hipModuleUnload(hipModule_t module)
{
	return (hipError_t)cuModuleUnload(module);
}
static inline hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module,
					      const char *name)
{
	return (hipError_t)cuModuleGetFunction(function, module, name);
}
static inline hipError_t hipModuleGetGlobal(hipDeviceptr_t *pointer, size_t *bytes, hipModule_t module,
					    const char *name)
{
	CUdeviceptr at = 0;
	const cudaError_t error = (hipError_t)cuModuleGetGlobal(&at, bytes, module, name);

	*pointer = (void *)at;
	return error;
}
static inline hipError_t
hipModuleLaunchKernel(hipFunction_t function, unsigned int grid_x, unsigned int grid_y,
		      unsigned int grid_z, unsigned int block_x, unsigned int block_y,
		      unsigned int block_z, unsigned int shared, hipStream_t stream, void **arguments,
		      void **extra)
{
	return (hipError_t)cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z,
					  shared, stream, arguments, extra);
}
static inline hipError_t hipMemcpyHtoD(hipDeviceptr_t to, const void *from, size_t bytes)
{
	return cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
}
static inline hipError_t hipMemcpyDtoH(void *to, hipDeviceptr_t from, size_t bytes)
{
	return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost);
}
static inline hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes)
{
	return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}
static inline hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, const void *from, size_t bytes,
					    hipStream_t stream)
{
	return cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream);
}
static inline hipError_t hipMemcpyDtoHAsync(void *to, hipDeviceptr_t from, size_t bytes,
					    hipStream_t stream)
{
	return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream);
}
/* The copy is done when it returns. */
static inline hipError_t hipMemcpyWithStream(void *to, const void *from, size_t bytes,
					     hipMemcpyKind kind, hipStream_t stream)
{
	const cudaError_t error = cudaMemcpyAsync(to, from, bytes, kind, stream);

	return error != cudaSuccess ? error : cudaStreamSynchronize(stream);
}
#define hipDeviceMallocDefault 0
#define hipDeviceMallocFinegrained 1
static inline hipError_t hipExtMallocWithFlags(void **pointer, size_t bytes, unsigned int)
{
	return cudaMalloc(pointer, bytes);
}
#ifdef __CUDA__
/* Events around the launch; NULL: none. */
#define hipExtLaunchKernelGGL(kernel, grid, block, shared, stream, before, after, flags, ...) \
	do { \
		if (before) \
			cudaEventRecord(before, stream); \
		(kernel)<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__); \
		if (after) \
			cudaEventRecord(after, stream); \
	} while (0)
#endif

#endif
