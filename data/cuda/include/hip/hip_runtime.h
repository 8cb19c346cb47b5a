/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hip/hip_runtime.h -- HIP's names of what CUDA has.  Warps are of 32 threads.
 */
#pragma GCC system_header
#ifndef WARPSTACK_HIP_RUNTIME_H
#define WARPSTACK_HIP_RUNTIME_H

#include "../cuda_runtime.h"
#include "../cuda_letters_begin.h"

#define __HIP_PLATFORM_NVIDIA__ 1
#define __HIP_PLATFORM_NVCC__ 1

/* ---- types ------------------------------------------------------------------------------------ */

#define hipError_t cudaError_t
#define hipMemcpyKind cudaMemcpyKind
#define hipFuncCache cudaFuncCache
#define hipFuncAttribute cudaFuncAttribute
#define hipArray_t cudaArray_t
#define hipTextureObject_t cudaTextureObject_t
#define hipSurfaceObject_t cudaSurfaceObject_t
#define hipResourceDesc cudaResourceDesc
#define hipTextureDesc cudaTextureDesc
#define hipChannelFormatDesc cudaChannelFormatDesc
#define hipExtent cudaExtent
#define hipPos cudaPos
#define hipPitchedPtr cudaPitchedPtr
#define hipMemcpy3DParms cudaMemcpy3DParms
#define hipFuncAttributes cudaFuncAttributes
#define hipHostFn_t cudaHostFn_t
#define hipStream_t cudaStream_t
#define hipEvent_t cudaEvent_t
#define hipDeviceProp_t cudaDeviceProp
#define hipPointerAttribute_t cudaPointerAttributes
#define hipDeviceAttribute_t enum cudaDeviceAttr
#define hipDevice_t int

/* ---- values ----------------------------------------------------------------------------------- */

#define hipSuccess cudaSuccess
#define hipErrorInvalidValue cudaErrorInvalidValue
#define hipErrorInvalidConfiguration cudaErrorInvalidConfiguration
#define hipErrorInvalidDevice cudaErrorInvalidDevice
#define hipErrorNotReady cudaErrorNotReady
#define hipErrorNotSupported cudaErrorNotSupported
#define hipErrorUnknown cudaErrorUnknown
#define hipErrorInvalidDevicePointer cudaErrorInvalidDevicePointer
#define hipErrorIllegalAddress cudaErrorIllegalAddress
#define hipErrorLaunchFailure cudaErrorLaunchFailure
#define hipErrorNoDevice cudaErrorNoDevice
#define hipMemcpyHostToHost cudaMemcpyHostToHost
#define hipMemcpyHostToDevice cudaMemcpyHostToDevice
#define hipMemcpyDeviceToHost cudaMemcpyDeviceToHost
#define hipMemcpyDeviceToDevice cudaMemcpyDeviceToDevice
#define hipMemcpyDefault cudaMemcpyDefault
#define hipFuncCachePreferNone cudaFuncCachePreferNone
#define hipFuncCachePreferShared cudaFuncCachePreferShared
#define hipFuncCachePreferL1 cudaFuncCachePreferL1
#define hipFuncCachePreferEqual cudaFuncCachePreferEqual
#define hipEventDefault cudaEventDefault
#define hipEventBlockingSync cudaEventBlockingSync
#define hipEventDisableTiming cudaEventDisableTiming
#define hipStreamDefault cudaStreamDefault
#define hipStreamNonBlocking cudaStreamNonBlocking
#define hipHostRegisterDefault cudaHostRegisterDefault
#define hipHostRegisterPortable cudaHostRegisterPortable
#define hipHostRegisterMapped cudaHostRegisterMapped
#define hipMemAttachGlobal cudaMemAttachGlobal
#define hipMemAttachHost cudaMemAttachHost
#define hipDeviceScheduleAuto cudaDeviceScheduleAuto
#define hipDeviceScheduleSpin cudaDeviceScheduleSpin
#define hipDeviceScheduleYield cudaDeviceScheduleYield
#define hipDeviceScheduleBlockingSync cudaDeviceScheduleBlockingSync
#define hipDeviceMapHost cudaDeviceMapHost
#define hipFuncAttributeMaxDynamicSharedMemorySize cudaFuncAttributeMaxDynamicSharedMemorySize
#define hipLimitMallocHeapSize cudaLimitMallocHeapSize
#define hipLimitStackSize cudaLimitStackSize
#define hipResourceTypeLinear cudaResourceTypeLinear
#define hipResourceTypeArray cudaResourceTypeArray
#define hipResourceTypePitch2D cudaResourceTypePitch2D
#define hipReadModeElementType cudaReadModeElementType
#define hipReadModeNormalizedFloat cudaReadModeNormalizedFloat
#define hipAddressModeWrap cudaAddressModeWrap
#define hipAddressModeClamp cudaAddressModeClamp
#define hipAddressModeMirror cudaAddressModeMirror
#define hipAddressModeBorder cudaAddressModeBorder
#define hipFilterModePoint cudaFilterModePoint
#define hipFilterModeLinear cudaFilterModeLinear
#define hipChannelFormatKindFloat cudaChannelFormatKindFloat
#define hipChannelFormatKindSigned cudaChannelFormatKindSigned
#define hipChannelFormatKindUnsigned cudaChannelFormatKindUnsigned
#define hipChannelFormatKindNone cudaChannelFormatKindNone
#define hipMemoryTypeHost cudaMemoryTypeHost
#define hipMemoryTypeDevice cudaMemoryTypeDevice
#define hipMemoryTypeManaged cudaMemoryTypeManaged
#define hipArrayDefault cudaArrayDefault
#define hipArraySurfaceLoadStore cudaArraySurfaceLoadStore
#define hipArrayLayered cudaArrayLayered
#define hipErrorOutOfMemory cudaErrorMemoryAllocation
#define hipErrorMemoryAllocation cudaErrorMemoryAllocation
#define hipErrorNotInitialized cudaErrorInitializationError
#define hipErrorInvalidHandle cudaErrorInvalidResourceHandle
#define hipErrorInvalidSymbol cudaErrorInvalidSymbol
#define hipHostMallocDefault cudaHostAllocDefault
#define hipHostMallocPortable cudaHostAllocPortable
#define hipHostMallocMapped cudaHostAllocMapped
#define hipDeviceAttributeMultiprocessorCount cudaDevAttrMultiProcessorCount
#define hipDeviceAttributeMaxThreadsPerBlock cudaDevAttrMaxThreadsPerBlock
#define hipDeviceAttributeMaxSharedMemoryPerBlock cudaDevAttrMaxSharedMemoryPerBlock
#define hipDeviceAttributeWarpSize cudaDevAttrWarpSize
#define hipDeviceAttributeClockRate cudaDevAttrClockRate
#define hipDeviceAttributeComputeCapabilityMajor cudaDevAttrComputeCapabilityMajor
#define hipDeviceAttributeComputeCapabilityMinor cudaDevAttrComputeCapabilityMinor

/* ---- calls ------------------------------------------------------------------------------------ */

#define hipMalloc cudaMalloc
#define hipFree cudaFree
#define hipMallocManaged cudaMallocManaged
#define hipMallocPitch cudaMallocPitch
#define hipMalloc3D cudaMalloc3D
#define hipMallocArray cudaMallocArray
#define hipFreeArray cudaFreeArray
#define hipMallocAsync cudaMallocAsync
#define hipFreeAsync cudaFreeAsync
#define hipMemcpy cudaMemcpy
#define hipMemcpyAsync cudaMemcpyAsync
#define hipMemcpy2D cudaMemcpy2D
#define hipMemcpy2DAsync cudaMemcpy2DAsync
#define hipMemcpy3D cudaMemcpy3D
#define hipMemcpyPeer cudaMemcpyPeer
#define hipMemcpyPeerAsync cudaMemcpyPeerAsync
#define hipMemcpyToSymbol cudaMemcpyToSymbol
#define hipMemcpyFromSymbol cudaMemcpyFromSymbol
#define hipMemcpyToSymbolAsync cudaMemcpyToSymbolAsync
#define hipMemcpyFromSymbolAsync cudaMemcpyFromSymbolAsync
#define hipGetSymbolAddress cudaGetSymbolAddress
#define hipGetSymbolSize cudaGetSymbolSize
#define hipMemset cudaMemset
#define hipMemsetAsync cudaMemsetAsync
#define hipMemset2D cudaMemset2D
#define hipMemset2DAsync cudaMemset2DAsync
#define hipMemset3D cudaMemset3D
#define hipMemGetInfo cudaMemGetInfo
#define hipMemPrefetchAsync cudaMemPrefetchAsync
#define hipMemAdvise cudaMemAdvise
#define hipHostGetDevicePointer cudaHostGetDevicePointer
#define hipHostGetFlags cudaHostGetFlags
#define hipHostRegister cudaHostRegister
#define hipHostUnregister cudaHostUnregister
#define hipPointerGetAttributes cudaPointerGetAttributes
#define hipDeviceSynchronize cudaDeviceSynchronize
#define hipDeviceReset cudaDeviceReset
#define hipGetDevice cudaGetDevice
#define hipSetDevice cudaSetDevice
#define hipGetDeviceCount cudaGetDeviceCount
#define hipGetDeviceProperties cudaGetDeviceProperties
#define hipDeviceGetAttribute cudaDeviceGetAttribute
#define hipSetDeviceFlags cudaSetDeviceFlags
#define hipGetDeviceFlags cudaGetDeviceFlags
#define hipChooseDevice cudaChooseDevice
#define hipDeviceSetCacheConfig cudaDeviceSetCacheConfig
#define hipDeviceGetLimit cudaDeviceGetLimit
#define hipDeviceSetLimit cudaDeviceSetLimit
#define hipDeviceCanAccessPeer cudaDeviceCanAccessPeer
#define hipDeviceEnablePeerAccess cudaDeviceEnablePeerAccess
#define hipDeviceDisablePeerAccess cudaDeviceDisablePeerAccess
#define hipDriverGetVersion cudaDriverGetVersion
#define hipRuntimeGetVersion cudaRuntimeGetVersion
#define hipGetLastError cudaGetLastError
#define hipPeekAtLastError cudaPeekAtLastError
#define hipGetErrorString cudaGetErrorString
#define hipGetErrorName cudaGetErrorName
#define hipStreamCreate cudaStreamCreate
#define hipStreamCreateWithFlags cudaStreamCreateWithFlags
#define hipStreamCreateWithPriority cudaStreamCreateWithPriority
#define hipStreamDestroy cudaStreamDestroy
#define hipStreamSynchronize cudaStreamSynchronize
#define hipStreamQuery cudaStreamQuery
#define hipStreamWaitEvent cudaStreamWaitEvent
#define hipStreamAddCallback cudaStreamAddCallback
#define hipDeviceGetStreamPriorityRange cudaDeviceGetStreamPriorityRange
#define hipLaunchHostFunc cudaLaunchHostFunc
#define hipEventCreate cudaEventCreate
#define hipEventCreateWithFlags cudaEventCreateWithFlags
#define hipEventRecord cudaEventRecord
#define hipEventSynchronize cudaEventSynchronize
#define hipEventQuery cudaEventQuery
#define hipEventElapsedTime cudaEventElapsedTime
#define hipEventDestroy cudaEventDestroy
#define hipLaunchCooperativeKernel cudaLaunchCooperativeKernel
#define hipFuncSetCacheConfig cudaFuncSetCacheConfig
#define hipFuncSetAttribute cudaFuncSetAttribute
#define hipFuncGetAttributes cudaFuncGetAttributes
#define hipOccupancyMaxActiveBlocksPerMultiprocessor cudaOccupancyMaxActiveBlocksPerMultiprocessor
#define hipOccupancyMaxPotentialBlockSize cudaOccupancyMaxPotentialBlockSize
#define hipProfilerStart cudaProfilerStart
#define hipProfilerStop cudaProfilerStop
#define hipCreateTextureObject cudaCreateTextureObject
#define hipDestroyTextureObject cudaDestroyTextureObject
#define hipCreateSurfaceObject cudaCreateSurfaceObject
#define hipDestroySurfaceObject cudaDestroySurfaceObject
#define hipCreateChannelDesc cudaCreateChannelDesc
#define hipBindTexture cudaBindTexture
#define hipUnbindTexture cudaUnbindTexture
#define hipBindTextureToArray cudaBindTextureToArray
#define hipHostFree cudaFreeHost
#define hipFreeHost cudaFreeHost
#define hipHostAlloc cudaHostAlloc
#define HIP_SYMBOL(x) x
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(T, name) extern __shared__ T name[];
#define make_hipExtent make_cudaExtent
#define make_hipPos make_cudaPos
#define make_hipPitchedPtr make_cudaPitchedPtr

#ifdef __cplusplus
template <class T> static inline hipError_t hipHostMalloc(T **pointer, size_t bytes,
							  unsigned int flags = 0)
{
	return cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
#endif
#ifdef __cplusplus
static inline hipError_t hipLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
					 size_t shared, hipStream_t stream)
{
	return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
#include "hip_module.h"
#else
#define hipLaunchKernel cudaLaunchKernel
#endif
#ifdef __CUDA__
/* As it was before HIP 2: a kernel's first parameter is one that it does not use. */
typedef struct {
	int unused;
} hipLaunchParm;
template <class... P, class... A>
static inline void hipLaunchKernel(void (*kernel)(hipLaunchParm, P...), dim3 grid, dim3 block,
				   unsigned int shared, hipStream_t stream, A &&...arguments)
{
	kernel<<<grid, block, shared, stream>>>(hipLaunchParm(), arguments...);
}
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...) \
	(kernel)<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__)
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z
#endif
#include "../cuda_letters_end.h"

#endif
