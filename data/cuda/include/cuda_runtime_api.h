/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_runtime_api.h -- what a CUDA source's host code calls, declared.
 *
 * Names, values and meanings are those of the CUDA Runtime API.
 */
#ifndef WARPSTACK_CUDA_RUNTIME_API_H
#define WARPSTACK_CUDA_RUNTIME_API_H

#include <stddef.h>
#include "vector_types.h"

#define CUDART_VERSION 12000
#define CUDA_VERSION 12000

enum cudaError {
	cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2,
	cudaErrorInitializationError = 3, cudaErrorCudartUnloading = 4,
	cudaErrorInvalidConfiguration = 9, cudaErrorInvalidPitchValue = 12,
	cudaErrorInvalidSymbol = 13, cudaErrorInvalidHostPointer = 16,
	cudaErrorInvalidDevicePointer = 17, cudaErrorInvalidTexture = 18,
	cudaErrorInvalidMemcpyDirection = 21, cudaErrorInsufficientDriver = 35,
	cudaErrorInvalidDeviceFunction = 98, cudaErrorNoDevice = 100,
	cudaErrorInvalidDevice = 101, cudaErrorInvalidKernelImage = 200,
	cudaErrorNoKernelImageForDevice = 209, cudaErrorInvalidSource = 300,
	cudaErrorInvalidResourceHandle = 400, cudaErrorSymbolNotFound = 500,
	cudaErrorNotReady = 600, cudaErrorIllegalAddress = 700,
	cudaErrorLaunchOutOfResources = 701, cudaErrorLaunchTimeout = 702,
	cudaErrorAssert = 710, cudaErrorMisalignedAddress = 716, cudaErrorLaunchFailure = 719,
	cudaErrorCooperativeLaunchTooLarge = 720, cudaErrorNotSupported = 801,
	cudaErrorUnknown = 999,
};
typedef enum cudaError cudaError_t;

enum cudaMemcpyKind {
	cudaMemcpyHostToHost = 0, cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2,
	cudaMemcpyDeviceToDevice = 3, cudaMemcpyDefault = 4,
};
enum cudaFuncCache {
	cudaFuncCachePreferNone = 0, cudaFuncCachePreferShared = 1, cudaFuncCachePreferL1 = 2,
	cudaFuncCachePreferEqual = 3,
};
enum cudaSharedMemConfig {
	cudaSharedMemBankSizeDefault = 0, cudaSharedMemBankSizeFourByte = 1,
	cudaSharedMemBankSizeEightByte = 2,
};
enum cudaFuncAttribute {
	cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
	cudaFuncAttributePreferredSharedMemoryCarveout = 9,
};
enum cudaDeviceAttr {
	cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxSharedMemoryPerBlock = 8,
	cudaDevAttrWarpSize = 10, cudaDevAttrMaxRegistersPerBlock = 12, cudaDevAttrClockRate = 13,
	cudaDevAttrMultiProcessorCount = 16, cudaDevAttrMaxThreadsPerMultiProcessor = 39,
	cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor = 76,
	cudaDevAttrCooperativeLaunch = 95,
};

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;

typedef struct cudaDeviceProp cudaDeviceProp;
struct cudaDeviceProp {
	char name[256];
	size_t totalGlobalMem, sharedMemPerBlock;
	int regsPerBlock, warpSize;
	size_t memPitch;
	int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
	size_t totalConstMem;
	int major, minor;
	size_t textureAlignment;
	int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated;
	int canMapHostMemory, computeMode, concurrentKernels, ECCEnabled;
	int pciBusID, pciDeviceID, asyncEngineCount, unifiedAddressing;
	int memoryClockRate, memoryBusWidth, l2CacheSize, maxThreadsPerMultiProcessor;
	size_t sharedMemPerMultiprocessor;
	int regsPerMultiprocessor, managedMemory, concurrentManagedAccess;
	int cooperativeLaunch, maxBlocksPerMultiProcessor;
};

typedef struct cudaFuncAttributes cudaFuncAttributes;
struct cudaFuncAttributes {
	size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
	int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion;
};

#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaMemAttachGlobal 1
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2

#ifdef __cplusplus
#define WS_OR(v) = v
extern "C" {
#else
#define WS_OR(v)
#endif
cudaError_t cudaMalloc(void **pointer, size_t bytes);
cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags WS_OR(1));
cudaError_t cudaMallocHost(void **pointer, size_t bytes);
cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int flags);
cudaError_t cudaHostUnregister(void *pointer);
cudaError_t cudaFree(void *pointer);
cudaError_t cudaFreeHost(void *pointer);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
			    cudaStream_t stream WS_OR(0));
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
			 size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes,
			       size_t offset WS_OR(0),
			       enum cudaMemcpyKind kind WS_OR(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes,
				 size_t offset WS_OR(0),
				 enum cudaMemcpyKind kind WS_OR(cudaMemcpyDeviceToHost));
cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol);
cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol);
cudaError_t cudaMemset(void *pointer, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream WS_OR(0));
cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemGetInfo(size_t *unused, size_t *total);
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
				 cudaStream_t stream WS_OR(0));
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorString(cudaError_t error);
const char *cudaGetErrorName(cudaError_t error);
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
				unsigned int flags WS_OR(0));
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream WS_OR(0));
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
			     size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block,
					void **arguments, size_t shared, cudaStream_t stream);
cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, enum cudaSharedMemConfig config);
cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel,
							  int threads, size_t shared);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared WS_OR(0),
					 struct CUstream_st *stream WS_OR(0));
#ifdef __cplusplus
}

/* The same of pointers to what they point to, and of kernels and variables by name. */
template <class T> static inline cudaError_t cudaMalloc(T **pointer, size_t bytes)
{
	return cudaMalloc((void **)(void *)pointer, bytes);
}
template <class T> static inline cudaError_t cudaMallocManaged(T **pointer, size_t bytes,
							       unsigned int flags = 1)
{
	return cudaMallocManaged((void **)(void *)pointer, bytes, flags);
}
template <class T> static inline cudaError_t cudaMallocHost(T **pointer, size_t bytes)
{
	return cudaMallocHost((void **)(void *)pointer, bytes);
}
template <class T> static inline cudaError_t cudaHostAlloc(T **pointer, size_t bytes,
							   unsigned int flags)
{
	return cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
template <class T> static inline cudaError_t cudaHostGetDevicePointer(T **device, void *host,
								      unsigned int flags)
{
	return cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
template <class T> static inline cudaError_t cudaMallocPitch(T **pointer, size_t *pitch,
							     size_t width, size_t height)
{
	return cudaMallocPitch((void **)(void *)pointer, pitch, width, height);
}
template <class T> static inline cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol)
{
	return cudaGetSymbolAddress(pointer, (const void *)&symbol);
}
template <class T> static inline cudaError_t
cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
		   cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
	return cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T> static inline cudaError_t
cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
		     cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
	return cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class T> static inline cudaError_t
cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
		 cudaStream_t stream = 0)
{
	return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, stream);
}
template <class T> static inline cudaError_t
cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
			    size_t shared = 0, cudaStream_t stream = 0)
{
	return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments, shared,
					   stream);
}
template <class T> static inline cudaError_t cudaFuncSetCacheConfig(T *kernel,
								    cudaFuncCache config)
{
	return cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <class T> static inline cudaError_t
cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute, int value)
{
	return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class T> static inline cudaError_t
cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *kernel)
{
	return cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class T> static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *kernel, int threads, size_t shared)
{
	return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel,
							     threads, shared);
}
#endif
#undef WS_OR

#endif
