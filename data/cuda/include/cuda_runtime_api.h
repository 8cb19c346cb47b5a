/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_runtime_api.h -- what a CUDA source's host code calls, declared.
 *
 * Names, values and meanings are those of the CUDA Runtime API.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_RUNTIME_API_H
#define WARPSTACK_CUDA_RUNTIME_API_H
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __DEVICE_TYPES_H__

#include <stddef.h>
#include "cuda_errors.h"
#include "vector_types.h"
#include "cuda_letters_begin.h"

#define CUDART_VERSION 12000
#define CUDA_VERSION 12000

#define WS_ERROR(NAME, NUMBER, TEXT) cudaError##NAME = NUMBER,
enum cudaError { cudaSuccess = 0, WS_CUDA_ERRORS(WS_ERROR) };
#undef WS_ERROR
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
	cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxBlockDimX = 2,
	cudaDevAttrMaxBlockDimY = 3, cudaDevAttrMaxBlockDimZ = 4, cudaDevAttrMaxGridDimX = 5,
	cudaDevAttrMaxGridDimY = 6, cudaDevAttrMaxGridDimZ = 7,
	cudaDevAttrMaxSharedMemoryPerBlock = 8, cudaDevAttrTotalConstantMemory = 9,
	cudaDevAttrWarpSize = 10, cudaDevAttrMaxPitch = 11, cudaDevAttrMaxRegistersPerBlock = 12,
	cudaDevAttrClockRate = 13, cudaDevAttrTextureAlignment = 14, cudaDevAttrGpuOverlap = 15,
	cudaDevAttrMultiProcessorCount = 16, cudaDevAttrKernelExecTimeout = 17,
	cudaDevAttrIntegrated = 18, cudaDevAttrCanMapHostMemory = 19, cudaDevAttrComputeMode = 20,
	cudaDevAttrMaxTexture1DWidth = 21, cudaDevAttrMaxTexture2DWidth = 22,
	cudaDevAttrMaxTexture2DHeight = 23, cudaDevAttrMaxTexture3DWidth = 24,
	cudaDevAttrMaxTexture3DHeight = 25, cudaDevAttrMaxTexture3DDepth = 26,
	cudaDevAttrSurfaceAlignment = 30, cudaDevAttrPciDomainId = 50,
	cudaDevAttrTexturePitchAlignment = 51, cudaDevAttrMaxTexture1DLinearWidth = 69,
	cudaDevAttrMaxTexture2DLinearWidth = 70, cudaDevAttrMaxTexture2DLinearHeight = 71,
	cudaDevAttrMaxTexture2DLinearPitch = 72, cudaDevAttrMultiGpuBoardGroupID = 85,
	cudaDevAttrCanUseHostPointerForRegisteredMem = 91, cudaDevAttrCanFlushRemoteWrites = 98,
	cudaDevAttrHostRegisterSupported = 99,
	cudaDevAttrPageableMemoryAccessUsesHostPageTables = 100,
	cudaDevAttrDirectManagedMemAccessFromHost = 101,
	cudaDevAttrReservedSharedMemoryPerBlock = 111, cudaDevAttrSparseCudaArraySupported = 112,
	cudaDevAttrHostRegisterReadOnlySupported = 113, cudaDevAttrGPUDirectRDMASupported = 116,
	cudaDevAttrClusterLaunch = 120, cudaDevAttrReserved92 = 92, cudaDevAttrReserved93 = 93,
	cudaDevAttrReserved94 = 94, cudaDevAttrTimelineSemaphoreInteropSupported = 114,
	cudaDevAttrConcurrentKernels = 31, cudaDevAttrEccEnabled = 32, cudaDevAttrPciBusId = 33,
	cudaDevAttrPciDeviceId = 34, cudaDevAttrTccDriver = 35,
	cudaDevAttrMemoryClockRate = 36, cudaDevAttrGlobalMemoryBusWidth = 37,
	cudaDevAttrL2CacheSize = 38, cudaDevAttrMaxThreadsPerMultiProcessor = 39,
	cudaDevAttrAsyncEngineCount = 40, cudaDevAttrUnifiedAddressing = 41,
	cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor = 76,
	cudaDevAttrStreamPrioritiesSupported = 78, cudaDevAttrGlobalL1CacheSupported = 79,
	cudaDevAttrLocalL1CacheSupported = 80,
	cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
	cudaDevAttrMaxRegistersPerMultiprocessor = 82, cudaDevAttrManagedMemory = 83,
	cudaDevAttrIsMultiGpuBoard = 84, cudaDevAttrPageableMemoryAccess = 88,
	cudaDevAttrConcurrentManagedAccess = 89, cudaDevAttrComputePreemptionSupported = 90,
	cudaDevAttrCooperativeLaunch = 95, cudaDevAttrCooperativeMultiDeviceLaunch = 96,
	cudaDevAttrMaxSharedMemoryPerBlockOptin = 97, cudaDevAttrMaxBlocksPerMultiprocessor = 106,
	cudaDevAttrMemoryPoolsSupported = 115, cudaDevAttrHostNativeAtomicSupported = 86,
	cudaDevAttrSingleToDoublePrecisionPerfRatio = 87, cudaDevAttrMaxPersistingL2CacheSize = 108,
	cudaDevAttrMaxAccessPolicyWindowSize = 109,
};
enum cudaDeviceP2PAttr {
	cudaDevP2PAttrPerformanceRank = 1, cudaDevP2PAttrAccessSupported = 2,
	cudaDevP2PAttrNativeAtomicSupported = 3, cudaDevP2PAttrCudaArrayAccessSupported = 4,
};
/* What a stream's accesses are to stay in the L2: asked for, and not obeyed. */
enum cudaAccessProperty {
	cudaAccessPropertyNormal = 0, cudaAccessPropertyStreaming = 1,
	cudaAccessPropertyPersisting = 2,
};
typedef struct cudaAccessPolicyWindow cudaAccessPolicyWindow;
struct cudaAccessPolicyWindow {
	void *base_ptr;
	size_t num_bytes;
	float hitRatio;
	enum cudaAccessProperty hitProp, missProp;
};
enum cudaLimit {
	cudaLimitStackSize = 0, cudaLimitPrintfFifoSize = 1, cudaLimitMallocHeapSize = 2,
	cudaLimitDevRuntimeSyncDepth = 3, cudaLimitDevRuntimePendingLaunchCount = 4,
	cudaLimitMaxL2FetchGranularity = 5, cudaLimitPersistingL2CacheSize = 6,
};
enum cudaMemoryAdvise {
	cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly = 2,
	cudaMemAdviseSetPreferredLocation = 3, cudaMemAdviseUnsetPreferredLocation = 4,
	cudaMemAdviseSetAccessedBy = 5, cudaMemAdviseUnsetAccessedBy = 6,
};
enum cudaMemRangeAttribute {
	cudaMemRangeAttributeReadMostly = 1, cudaMemRangeAttributePreferredLocation = 2,
	cudaMemRangeAttributeAccessedBy = 3, cudaMemRangeAttributeLastPrefetchLocation = 4,
};
enum cudaMemoryType {
	cudaMemoryTypeUnregistered = 0, cudaMemoryTypeHost = 1, cudaMemoryTypeDevice = 2,
	cudaMemoryTypeManaged = 3,
};
enum cudaComputeMode {
	cudaComputeModeDefault = 0, cudaComputeModeExclusive = 1, cudaComputeModeProhibited = 2,
	cudaComputeModeExclusiveProcess = 3,
};
enum cudaSharedCarveout {
	cudaSharedmemCarveoutDefault = -1, cudaSharedmemCarveoutMaxL1 = 0,
	cudaSharedmemCarveoutMaxShared = 100,
};

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;

typedef struct cudaDeviceProp cudaDeviceProp;
struct cudaDeviceProp {
	char name[256];
	cudaUUID_t uuid;
	size_t totalGlobalMem, sharedMemPerBlock;
	int regsPerBlock, warpSize;
	size_t memPitch;
	int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
	size_t totalConstMem;
	int major, minor;
	size_t textureAlignment, texturePitchAlignment;
	int maxTexture1D, maxTexture1DLinear, maxTexture2D[2], maxTexture2DLinear[3];
	int maxTexture3D[3], maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3];
	size_t surfaceAlignment;
	int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated;
	int canMapHostMemory, computeMode, concurrentKernels, ECCEnabled;
	int pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing;
	int memoryClockRate, memoryBusWidth, l2CacheSize, maxThreadsPerMultiProcessor;
	size_t sharedMemPerMultiprocessor;
	int regsPerMultiprocessor, managedMemory, concurrentManagedAccess;
	int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
	int isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
	int singleToDoublePrecisionPerfRatio, pageableMemoryAccess;
	int computePreemptionSupported, cooperativeMultiDeviceLaunch;
	size_t sharedMemPerBlockOptin, reservedSharedMemPerBlock;
	int persistingL2CacheMaxSize, accessPolicyMaxWindowSize;
	int cooperativeLaunch, maxBlocksPerMultiProcessor;
	char luid[8];
	unsigned int luidDeviceNodeMask;
	int maxTexture1DMipmap, maxTexture2DMipmap[2], maxTexture2DGather[2], maxTexture3DAlt[3];
	int maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2], maxSurface3D[3];
	int maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap;
	int maxSurfaceCubemapLayered[2], canUseHostPointerForRegisteredMem;
	int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
	int hostRegisterSupported, hostRegisterReadOnlySupported, sparseCudaArraySupported;
	int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
	unsigned int gpuDirectRDMAFlushWritesOptions, memoryPoolSupportedHandleTypes;
	int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch;
	int gpuDirectRDMAWritesOrdering, unifiedFunctionPointers;
};

/* Pools are names: memory that is freed is given back. */
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
enum cudaMemPoolAttr {
	cudaMemPoolReuseFollowEventDependencies = 1, cudaMemPoolReuseAllowOpportunistic = 2,
	cudaMemPoolReuseAllowInternalDependencies = 3, cudaMemPoolAttrReleaseThreshold = 4,
	cudaMemPoolAttrReservedMemCurrent = 5, cudaMemPoolAttrReservedMemHigh = 6,
	cudaMemPoolAttrUsedMemCurrent = 7, cudaMemPoolAttrUsedMemHigh = 8,
};
enum cudaMemLocationType {
	cudaMemLocationTypeInvalid = 0, cudaMemLocationTypeDevice = 1, cudaMemLocationTypeHost = 2,
	cudaMemLocationTypeHostNuma = 3, cudaMemLocationTypeHostNumaCurrent = 4,
};
typedef struct cudaMemLocation {
	enum cudaMemLocationType type;
	int id;
} cudaMemLocation;
enum cudaMemAllocationType {
	cudaMemAllocationTypeInvalid = 0, cudaMemAllocationTypePinned = 1,
	cudaMemAllocationTypeManaged = 2,
};
enum cudaMemAllocationHandleType {
	cudaMemHandleTypeNone = 0, cudaMemHandleTypePosixFileDescriptor = 1,
	cudaMemHandleTypeWin32 = 2, cudaMemHandleTypeWin32Kmt = 4,
};
typedef struct cudaMemPoolProps cudaMemPoolProps;
struct cudaMemPoolProps {
	enum cudaMemAllocationType allocType;
	enum cudaMemAllocationHandleType handleTypes;
	struct cudaMemLocation location;
	void *win32SecurityAttributes;
	size_t maxSize;
};
enum cudaMemAccessFlags {
	cudaMemAccessFlagsProtNone = 0, cudaMemAccessFlagsProtRead = 1,
	cudaMemAccessFlagsProtReadWrite = 3,
};
typedef struct cudaMemAccessDesc {
	struct cudaMemLocation location;
	enum cudaMemAccessFlags flags;
} cudaMemAccessDesc;
typedef struct { char reserved[64]; } cudaIpcMemHandle_t, cudaIpcEventHandle_t;

/* A launch and what it asks for; its attributes change nothing here. */
typedef struct cudaLaunchAttribute cudaLaunchAttribute;
enum cudaSynchronizationPolicy {
	cudaSyncPolicyAuto = 1, cudaSyncPolicySpin = 2, cudaSyncPolicyYield = 3,
	cudaSyncPolicyBlockingSync = 4,
};
typedef enum cudaLaunchAttributeID {
	cudaLaunchAttributeIgnore = 0, cudaLaunchAttributeAccessPolicyWindow = 1,
	cudaLaunchAttributeCooperative = 2, cudaLaunchAttributeSynchronizationPolicy = 3,
	cudaLaunchAttributeClusterDimension = 4,
	cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
	cudaLaunchAttributeProgrammaticStreamSerialization = 6,
	cudaLaunchAttributeProgrammaticEvent = 7, cudaLaunchAttributePriority = 8,
	cudaLaunchAttributePreferredSharedMemoryCarveout = 14,
} cudaLaunchAttributeID;
typedef union cudaLaunchAttributeValue {
	char pad[64];
	int cooperative, priority, programmaticStreamSerializationAllowed;
	unsigned int sharedMemCarveout;
	enum cudaSynchronizationPolicy syncPolicy;
	struct { unsigned int x, y, z; } clusterDim;
	cudaAccessPolicyWindow accessPolicyWindow;
} cudaLaunchAttributeValue;
struct cudaLaunchAttribute {
	cudaLaunchAttributeID id;
	cudaLaunchAttributeValue val;
};
typedef cudaLaunchAttributeValue cudaStreamAttrValue, cudaKernelNodeAttrValue;
typedef cudaLaunchAttributeID cudaStreamAttrID, cudaKernelNodeAttrID;
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributePriority cudaLaunchAttributePriority
#define cudaKernelNodeAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaKernelNodeAttributeCooperative cudaLaunchAttributeCooperative
#define cudaKernelNodeAttributePriority cudaLaunchAttributePriority
typedef struct cudaLaunchConfig_st cudaLaunchConfig_t;
struct cudaLaunchConfig_st {
	dim3 gridDim, blockDim;
	size_t dynamicSmemBytes;
	cudaStream_t stream;
	cudaLaunchAttribute *attrs;
	unsigned int numAttrs;
};

typedef struct cudaLaunchParams cudaLaunchParams;
struct cudaLaunchParams {
	void *func;
	dim3 gridDim, blockDim;
	void **args;
	size_t sharedMem;
	cudaStream_t stream;
};

typedef struct cudaPointerAttributes cudaPointerAttributes;
struct cudaPointerAttributes {
	enum cudaMemoryType type;
	int device;
	void *devicePointer, *hostPointer;
};
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);
typedef void (*cudaHostFn_t)(void *data);

#include "texture_types.h"

typedef struct cudaFuncAttributes cudaFuncAttributes;
struct cudaFuncAttributes {
	size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
	int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
	int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};

#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaHostRegisterDefault 0
#define cudaHostRegisterPortable 1
#define cudaHostRegisterMapped 2
#define cudaHostRegisterIoMemory 4
#define cudaHostRegisterReadOnly 8
#define cudaPeerAccessDefault 0
#define cudaOccupancyDefault 0
#define cudaOccupancyDisableCachingOverride 1
#define cudaIpcMemLazyEnablePeerAccess 1
#define cudaEventRecordDefault 0
#define cudaEventWaitDefault 0
#define cudaDeviceMask 31
#define cudaMemAttachGlobal 1
#define cudaMemAttachHost 2
#define cudaMemAttachSingle 4
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleYield 2
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceBlockingSync 4
#define cudaDeviceMapHost 8
#define cudaDeviceLmemResizeToMax 16
#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaEventInterprocess 4

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
cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream);
cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool,
				    cudaStream_t stream);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
				    void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
				    void *value);
/* There is one device, which has access. */
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *access,
				 size_t count);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
				 struct cudaMemLocation *location);
/* No memory or event is another process's: cudaErrorNotSupported. */
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer);
cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned int flags);
cudaError_t cudaIpcCloseMemHandle(void *pointer);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent);
cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
			    size_t width, size_t height WS_OR(0), unsigned int flags WS_OR(0));
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
			      struct cudaExtent extent, unsigned int flags WS_OR(0));
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent,
			     unsigned int *flags, cudaArray_t array);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *format, cudaArray_const_t array);
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
						   enum cudaChannelFormatKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
			      size_t width, size_t height, enum cudaMemcpyKind kind,
			      cudaStream_t stream WS_OR(0));
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream WS_OR(0));
struct cudaMemcpy3DPeerParms {
	cudaArray_t srcArray;
	struct cudaPos srcPos;
	struct cudaPitchedPtr srcPtr;
	int srcDevice;
	cudaArray_t dstArray;
	struct cudaPos dstPos;
	struct cudaPitchedPtr dstPtr;
	int dstDevice;
	struct cudaExtent extent;
};
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p);
cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p,
				  cudaStream_t stream WS_OR(0));
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
			      enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y,
				size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
				size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
				  size_t y, size_t width, size_t height,
				  enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
				   size_t bytes, enum cudaMemcpyKind kind,
				   cudaStream_t stream WS_OR(0));
cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y,
				     size_t bytes, enum cudaMemcpyKind kind,
				     cudaStream_t stream WS_OR(0));
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
				     size_t pitch, size_t width, size_t height,
				     enum cudaMemcpyKind kind, cudaStream_t stream WS_OR(0));
cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
				       size_t y, size_t width, size_t height,
				       enum cudaMemcpyKind kind, cudaStream_t stream WS_OR(0));
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t x, size_t y, cudaArray_const_t from,
				     size_t from_x, size_t from_y, size_t width, size_t height,
				     enum cudaMemcpyKind kind WS_OR(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t x, size_t y, cudaArray_const_t from,
				   size_t from_x, size_t from_y, size_t bytes,
				   enum cudaMemcpyKind kind WS_OR(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent,
			      cudaStream_t stream WS_OR(0));
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
			   size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
				size_t bytes, cudaStream_t stream WS_OR(0));
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
				    size_t offset, enum cudaMemcpyKind kind,
				    cudaStream_t stream WS_OR(0));
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
				      enum cudaMemcpyKind kind, cudaStream_t stream WS_OR(0));
cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
			      cudaStream_t stream WS_OR(0));
cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent);
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
			  int device);
cudaError_t cudaMemRangeGetAttribute(void *value, size_t bytes,
				     enum cudaMemRangeAttribute attribute, const void *pointer,
				     size_t range);
cudaError_t cudaMemRangeGetAttributes(void **values, size_t *bytes,
				      enum cudaMemRangeAttribute *attributes, size_t count,
				      const void *pointer, size_t range);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
				     const void *pointer);
cudaError_t cudaHostGetFlags(unsigned int *flags, void *pointer);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
				    const struct cudaResourceDesc *resource,
				    const struct cudaTextureDesc *texture,
				    const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
				    const struct cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *texture,
			    const void *pointer, const struct cudaChannelFormatDesc *format,
			    size_t bytes WS_OR(0xffffffffu));
cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *texture,
			      const void *pointer, const struct cudaChannelFormatDesc *format,
			      size_t width, size_t height, size_t pitch);
cudaError_t cudaBindTextureToArray(const struct textureReference *texture,
				   cudaArray_const_t array,
				   const struct cudaChannelFormatDesc *format);
cudaError_t cudaUnbindTexture(const struct textureReference *texture);
cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *surface,
				   cudaArray_const_t array,
				   const struct cudaChannelFormatDesc *format);
cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *texture);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
					     cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture,
					    cudaTextureObject_t object);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource,
					     cudaSurfaceObject_t object);
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
cudaError_t cudaGetDeviceFlags(unsigned int *flags);
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties);
cudaError_t cudaSetValidDevices(int *devices, int count);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaInitDevice(int device, unsigned int flags, unsigned int device_flags);
cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config);
cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetPCIBusId(char *text, int len, int device);
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorString(cudaError_t error);
const char *cudaGetErrorName(cudaError_t error);
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t f, void *data,
				  unsigned int flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t f, void *data);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes WS_OR(0),
				     unsigned int flags WS_OR(4));
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
				   const cudaStreamAttrValue *value);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
				   cudaStreamAttrValue *value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id);
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int device,
				      int peer);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
				unsigned int flags WS_OR(0));
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream WS_OR(0));
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream WS_OR(0),
				     unsigned int flags WS_OR(0));
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
			     size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block,
					void **arguments, size_t shared, cudaStream_t stream);
/* Of the one device. */
cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *launches,
						   unsigned int devices,
						   unsigned int flags WS_OR(0));
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel,
				void **arguments);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, enum cudaSharedMemConfig config);
cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel,
							  int threads, size_t shared);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel,
								   int threads, size_t shared,
								   unsigned int flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *kernel, int blocks,
						      int threads);
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
template <class T> static inline cudaError_t cudaMallocAsync(T **pointer, size_t bytes,
							     cudaStream_t stream)
{
	return cudaMallocAsync((void **)(void *)pointer, bytes, stream);
}
template <class T> static inline cudaError_t
cudaMallocFromPoolAsync(T **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
	return cudaMallocFromPoolAsync((void **)(void *)pointer, bytes, pool, stream);
}
template <class T> static inline cudaError_t
cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset,
			cudaMemcpyKind kind, cudaStream_t stream = 0)
{
	return cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <class T> static inline cudaError_t
cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset,
			  cudaMemcpyKind kind, cudaStream_t stream = 0)
{
	return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}
template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
	return cudaGetSymbolSize(bytes, (const void *)&symbol);
}
template <class T> static inline cudaError_t cudaGetSymbolAddress(T **pointer, const T &symbol)
{
	return cudaGetSymbolAddress((void **)(void *)pointer, (const void *)&symbol);
}
/* As they are since CUDA 13. */
static inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes,
					       cudaMemLocation where, unsigned int,
					       cudaStream_t stream = 0)
{
	return cudaMemPrefetchAsync(pointer, bytes, where.type == cudaMemLocationTypeDevice
					? where.id : cudaCpuDeviceId, stream);
}
static inline cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
					cudaMemLocation where)
{
	return cudaMemAdvise(pointer, bytes, advice, where.type == cudaMemLocationTypeDevice
				 ? where.id : cudaCpuDeviceId);
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
	return cudaEventCreateWithFlags(event, flags);
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
template <class... P, class... A> static inline cudaError_t
cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...), A &&...given)
{
	return [&](P... values) {
		void *arguments[] = { (void *)&values..., nullptr };
		return cudaLaunchKernelExC(config, (const void *)kernel, arguments);
	}(static_cast<A &&>(given)...);
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
template <class T> static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T *kernel, int threads,
						       size_t shared, unsigned int)
{
	return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel,
							     threads, shared);
}
template <class T> static inline cudaError_t cudaFuncSetSharedMemConfig(T *kernel,
									cudaSharedMemConfig config)
{
	return cudaFuncSetSharedMemConfig((const void *)kernel, config);
}

/* The block size of the most threads at once; of several the largest. */
template <class T, class F> static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, T *kernel, F shared,
					       int limit = 0)
{
	cudaFuncAttributes a;
	int sms = 0, best = 0, blocks;
	cudaError_t error = cudaFuncGetAttributes(&a, (const void *)kernel);

	*grid = *block = 0;
	if (error == cudaSuccess)
		error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
	if (error == cudaSuccess && (limit <= 0 || limit > a.maxThreadsPerBlock))
		limit = a.maxThreadsPerBlock;
	for (int threads = limit / 32 * 32; threads > 0 && error == cudaSuccess; threads -= 32) {
		error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
			&blocks, (const void *)kernel, threads, shared(threads));
		if (blocks * threads > best) {
			best = blocks * threads;
			*grid = blocks * sms;
			*block = threads;
		}
	}
	return error;
}
template <class T> static inline cudaError_t
cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T *kernel, size_t shared = 0,
				   int limit = 0)
{
	return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
		grid, block, kernel, [shared](int) { return shared; }, limit);
}
template <class T, class F> static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *grid, int *block, T *kernel, F shared,
							int limit = 0, unsigned int = 0)
{
	return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernel, shared, limit);
}
template <class T> static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, T *kernel, size_t shared = 0,
					    int limit = 0, unsigned int = 0)
{
	return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, shared, limit);
}
template <class T> static inline cudaError_t
cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T *kernel, int blocks, int threads)
{
	return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)kernel, blocks,
							 threads);
}
#include "channel_descriptor.h"
#endif
#include "cuda_graph.h"
#include "cuda_graph_params.h"
#include "cuda_runtime_calls.h"
#undef WS_OR
#include "cuda_letters_end.h"

#endif
