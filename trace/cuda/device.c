/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/device.c -- the machine as the one device there is, and what a kernel takes of it.
 */
#include "trace/cuda/runtime.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define DRIVER_VERSION 12040
#define MAJOR 7		/* what the device code is compiled for */
#define MINOR 0
#define ATTRIBUTES_END 150	/* behind the last one that CUDA 12 has */
#define SHARED_USUAL (48u << 10)

static int as_int(uint64_t value)
{
	return value > INT_MAX ? INT_MAX : (int)value;
}

static uint64_t shared_of_cta(const struct ws_machine *m)
{
	return m->sm_shared_bytes && m->sm_shared_bytes < SHARED_USUAL ? m->sm_shared_bytes
								       : SHARED_USUAL;
}

static void describe(struct cudaDeviceProp *p, const struct ws_machine *m)
{
	int most = as_int(m->cta_threads);

	memset(p, 0, sizeof *p);
	snprintf(p->name, sizeof p->name, "%s", m->title[0] ? m->title : m->name);
	p->totalGlobalMem = WS_PROGRAM_BYTES_MAX;
	p->sharedMemPerBlock = (size_t)shared_of_cta(m);
	p->sharedMemPerMultiprocessor = (size_t)m->sm_shared_bytes;
	p->regsPerBlock = p->regsPerMultiprocessor = as_int(m->sm_registers);
	p->warpSize = 32;
	p->memPitch = INT_MAX;
	p->maxThreadsPerBlock = most;
	p->maxThreadsDim[0] = p->maxThreadsDim[1] = most;
	p->maxThreadsDim[2] = most < WS_BLOCK_Z_MAX ? most : WS_BLOCK_Z_MAX;
	p->maxGridSize[0] = INT_MAX;
	p->maxGridSize[1] = p->maxGridSize[2] = 65535;
	p->clockRate = 1000000;
	p->memoryClockRate = 1000000;
	p->memoryBusWidth = 256;
	p->totalConstMem = 65536;
	p->major = MAJOR;
	p->minor = MINOR;
	p->textureAlignment = 512;
	p->multiProcessorCount = as_int(m->sm_count);
	p->maxThreadsPerMultiProcessor = as_int(m->sm_threads);
	p->maxBlocksPerMultiProcessor = as_int(m->sm_ctas);
	p->l2CacheSize = as_int(m->l2.size_bytes);
	p->sharedMemPerBlockOptin = m->sm_shared_bytes ? (size_t)m->sm_shared_bytes
						       : p->sharedMemPerBlock;
	p->maxTexture1D = 131072;
	p->maxTexture1DLinear = 1 << 28;
	p->maxTexture2D[0] = p->maxTexture2DLinear[0] = p->maxTexture2DLinear[2] = 131072;
	p->maxTexture2D[1] = p->maxTexture2DLinear[1] = 65536;
	p->maxSurface1D = p->maxSurface2D[0] = 131072;
	p->maxSurface2D[1] = 65536;
	p->maxSurface3D[0] = p->maxSurface3D[1] = p->maxSurface3D[2] = 16384;
	p->hostRegisterSupported = p->canUseHostPointerForRegisteredMem = 1;
	p->maxTexture3D[0] = p->maxTexture3D[1] = p->maxTexture3D[2] = 16384;
	p->texturePitchAlignment = 32;
	p->surfaceAlignment = 512;
	p->deviceOverlap = p->globalL1CacheSupported = p->localL1CacheSupported = 1;
	p->canMapHostMemory = p->concurrentKernels = p->unifiedAddressing = 1;
	p->managedMemory = p->concurrentManagedAccess = p->cooperativeLaunch = 1;
	p->asyncEngineCount = p->memoryPoolsSupported = 1;
}

static cudaError_t device(int number)
{
	cudaError_t error = ws_cuda_enter() ? ws_cuda_stays() : cudaErrorInitializationError;

	ws_cuda_leave();
	return ws_cuda_error(error != cudaSuccess ? error
			     : number ? cudaErrorInvalidDevice : cudaSuccess);
}

WS_CUDA_CALL cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int number)
{
	cudaError_t error = device(number);

	if (error == cudaSuccess)
		describe(properties, &ws_app.settings.machine);
	return error;
}

/* Members of whole numbers: int, or size_t with the flag. */
#define AT(member) offsetof(struct cudaDeviceProp, member), \
		   sizeof ((struct cudaDeviceProp *)NULL)->member == sizeof(size_t)

static const struct {
	enum cudaDeviceAttr attribute;
	size_t offset;
	bool wide;
} known_attributes[] = {
	{ cudaDevAttrMaxThreadsPerBlock, AT(maxThreadsPerBlock) },
	{ cudaDevAttrMaxBlockDimX, AT(maxThreadsDim[0]) },
	{ cudaDevAttrMaxBlockDimY, AT(maxThreadsDim[1]) },
	{ cudaDevAttrMaxBlockDimZ, AT(maxThreadsDim[2]) },
	{ cudaDevAttrMaxGridDimX, AT(maxGridSize[0]) },
	{ cudaDevAttrMaxGridDimY, AT(maxGridSize[1]) },
	{ cudaDevAttrMaxGridDimZ, AT(maxGridSize[2]) },
	{ cudaDevAttrMaxSharedMemoryPerBlock, AT(sharedMemPerBlock) },
	{ cudaDevAttrMaxSharedMemoryPerBlockOptin, AT(sharedMemPerBlockOptin) },
	{ cudaDevAttrMaxSharedMemoryPerMultiprocessor, AT(sharedMemPerMultiprocessor) },
	{ cudaDevAttrTotalConstantMemory, AT(totalConstMem) },
	{ cudaDevAttrWarpSize, AT(warpSize) },
	{ cudaDevAttrMaxPitch, AT(memPitch) },
	{ cudaDevAttrMaxRegistersPerBlock, AT(regsPerBlock) },
	{ cudaDevAttrMaxRegistersPerMultiprocessor, AT(regsPerMultiprocessor) },
	{ cudaDevAttrClockRate, AT(clockRate) },
	{ cudaDevAttrMemoryClockRate, AT(memoryClockRate) },
	{ cudaDevAttrGlobalMemoryBusWidth, AT(memoryBusWidth) },
	{ cudaDevAttrTextureAlignment, AT(textureAlignment) },
	{ cudaDevAttrMultiProcessorCount, AT(multiProcessorCount) },
	{ cudaDevAttrL2CacheSize, AT(l2CacheSize) },
	{ cudaDevAttrMaxThreadsPerMultiProcessor, AT(maxThreadsPerMultiProcessor) },
	{ cudaDevAttrMaxBlocksPerMultiprocessor, AT(maxBlocksPerMultiProcessor) },
	{ cudaDevAttrAsyncEngineCount, AT(asyncEngineCount) },
	{ cudaDevAttrGpuOverlap, AT(deviceOverlap) },
	{ cudaDevAttrCanMapHostMemory, AT(canMapHostMemory) },
	{ cudaDevAttrConcurrentKernels, AT(concurrentKernels) },
	{ cudaDevAttrUnifiedAddressing, AT(unifiedAddressing) },
	{ cudaDevAttrManagedMemory, AT(managedMemory) },
	{ cudaDevAttrConcurrentManagedAccess, AT(concurrentManagedAccess) },
	{ cudaDevAttrCooperativeLaunch, AT(cooperativeLaunch) },
	{ cudaDevAttrComputeCapabilityMajor, AT(major) },
	{ cudaDevAttrComputeCapabilityMinor, AT(minor) },
	{ cudaDevAttrGlobalL1CacheSupported, AT(globalL1CacheSupported) },
	{ cudaDevAttrMemoryPoolsSupported, AT(memoryPoolsSupported) },
	{ cudaDevAttrMaxTexture1DWidth, AT(maxTexture1D) },
	{ cudaDevAttrMaxTexture1DLinearWidth, AT(maxTexture1DLinear) },
	{ cudaDevAttrMaxTexture2DWidth, AT(maxTexture2D[0]) },
	{ cudaDevAttrMaxTexture2DHeight, AT(maxTexture2D[1]) },
	{ cudaDevAttrMaxTexture2DLinearWidth, AT(maxTexture2DLinear[0]) },
	{ cudaDevAttrMaxTexture2DLinearHeight, AT(maxTexture2DLinear[1]) },
	{ cudaDevAttrMaxTexture2DLinearPitch, AT(maxTexture2DLinear[2]) },
	{ cudaDevAttrMaxTexture3DWidth, AT(maxTexture3D[0]) },
	{ cudaDevAttrMaxTexture3DHeight, AT(maxTexture3D[1]) },
	{ cudaDevAttrMaxTexture3DDepth, AT(maxTexture3D[2]) },
	{ cudaDevAttrTexturePitchAlignment, AT(texturePitchAlignment) },
	{ cudaDevAttrSurfaceAlignment, AT(surfaceAlignment) },
	{ cudaDevAttrHostRegisterSupported, AT(hostRegisterSupported) },
	{ cudaDevAttrCanUseHostPointerForRegisteredMem, AT(canUseHostPointerForRegisteredMem) },
	{ cudaDevAttrLocalL1CacheSupported, AT(localL1CacheSupported) },
};

static int member_of(const struct cudaDeviceProp *p, size_t offset, bool wide)
{
	const void *at = (const char *)p + offset;

	return wide ? (int)*(const size_t *)at : *(const int *)at;
}

/* One of the table's rows is it. */
static bool find_attribute(const struct cudaDeviceProp *p, enum cudaDeviceAttr attribute,
			   int *value)
{
	for (size_t i = 0; i < WS_COUNT(known_attributes); i++) {
		if (known_attributes[i].attribute == attribute) {
			*value = member_of(p, known_attributes[i].offset, known_attributes[i].wide);
			return true;
		}
	}
	*value = 0; /* what is not there */
	return attribute > 0 && (int)attribute < ATTRIBUTES_END;
}

WS_CUDA_CALL cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute,
						int number)
{
	struct cudaDeviceProp p;
	cudaError_t error = cudaGetDeviceProperties(&p, number);

	if (error == cudaSuccess && !find_attribute(&p, attribute, value))
		error = ws_cuda_error(cudaErrorInvalidValue);
	return error;
}

WS_CUDA_CALL cudaError_t cudaGetDeviceCount(int *count)
{
	*count = 1;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGetDevice(int *number)
{
	*number = 0;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaSetDevice(int number)
{
	return ws_cuda_error(number ? cudaErrorInvalidDevice : cudaSuccess);
}

WS_CUDA_CALL cudaError_t cudaInitDevice(int number, unsigned int flags, unsigned int device_flags)
{
	(void)flags;
	(void)device_flags;
	return device(number);
}

WS_CUDA_CALL cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
	(void)flags;
	return cudaSuccess;
}

/* Each launch has ended when its call returns; an error of one that failed stays. */
WS_CUDA_CALL cudaError_t cudaDeviceSynchronize(void)
{
	return ws_cuda_error(ws_cuda_stays());
}

WS_CUDA_CALL cudaError_t cudaThreadSynchronize(void)
{
	return cudaDeviceSynchronize();
}

WS_CUDA_CALL cudaError_t cudaDeviceReset(void)
{
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaThreadExit(void)
{
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
	(void)config;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
	(void)config;
	return cudaSuccess;
}

/* As of a driver that is newer than the toolkit: programs ask for graphs with conditions so. */
WS_CUDA_CALL cudaError_t cudaDriverGetVersion(int *version)
{
	*version = DRIVER_VERSION;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaRuntimeGetVersion(int *version)
{
	*version = CUDART_VERSION;
	return cudaSuccess;
}

/* ---- settings that change nothing here ------------------------------------------------- */

WS_CUDA_CALL cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
	*flags = cudaDeviceScheduleAuto;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaChooseDevice(int *number, const struct cudaDeviceProp *properties)
{
	(void)properties;
	*number = 0;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaSetValidDevices(int *devices, int count)
{
	(void)devices;
	(void)count;
	return cudaSuccess;
}

static _Atomic size_t limits[cudaLimitPersistingL2CacheSize + 1] = {
	[cudaLimitStackSize] = 1024, [cudaLimitPrintfFifoSize] = 1 << 20,
	[cudaLimitMallocHeapSize] = 8 << 20,
};

WS_CUDA_CALL cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
	if ((unsigned)limit >= WS_COUNT(limits))
		return ws_cuda_error(cudaErrorInvalidValue);
	*value = limits[limit];
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
	if ((unsigned)limit >= WS_COUNT(limits))
		return ws_cuda_error(cudaErrorInvalidValue);
	limits[limit] = value;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit)
{
	return cudaDeviceGetLimit(value, limit);
}

WS_CUDA_CALL cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
	return cudaDeviceSetLimit(limit, value);
}

WS_CUDA_CALL cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
	*config = cudaFuncCachePreferNone;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config)
{
	return cudaDeviceGetCacheConfig(config);
}

WS_CUDA_CALL cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
	*config = cudaSharedMemBankSizeFourByte;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config)
{
	return cudaDeviceSetCacheConfig(config);
}

WS_CUDA_CALL cudaError_t cudaProfilerStart(void)
{
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaProfilerStop(void)
{
	return cudaSuccess;
}

/* ---- one device has no peers ----------------------------------------------------------- */

#define BUS_ID "0000:00:00.0"

WS_CUDA_CALL cudaError_t cudaDeviceGetPCIBusId(char *text, int len, int number)
{
	if (len < (int)sizeof BUS_ID)
		return ws_cuda_error(cudaErrorInvalidValue);
	memcpy(text, BUS_ID, sizeof BUS_ID);
	return device(number);
}

WS_CUDA_CALL cudaError_t cudaDeviceGetByPCIBusId(int *number, const char *text)
{
	*number = 0;
	return ws_cuda_error(strcmp(text, BUS_ID) == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

WS_CUDA_CALL cudaError_t cudaDeviceCanAccessPeer(int *can, int number, int peer)
{
	*can = 0;
	return ws_cuda_error(number || peer ? cudaErrorInvalidDevice : cudaSuccess);
}

WS_CUDA_CALL cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute,
						   int number, int peer)
{
	(void)value;
	(void)attribute;
	(void)number;
	(void)peer;
	return ws_cuda_error(cudaErrorInvalidDevice);
}

WS_CUDA_CALL cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
	(void)flags;
	return ws_cuda_error(peer ? cudaErrorInvalidDevice : cudaErrorPeerAccessUnsupported);
}

WS_CUDA_CALL cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
	return ws_cuda_error(peer ? cudaErrorInvalidDevice : cudaErrorPeerAccessNotEnabled);
}

/* ---- kernels --------------------------------------------------------------------------- */

static cudaError_t known(const void *kernel)
{
	bool good = ws_cuda_enter() && ws_cuda_kernel(kernel);

	ws_cuda_leave();
	return ws_cuda_error(good ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

WS_CUDA_CALL cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config)
{
	(void)config;
	return known(kernel);
}

WS_CUDA_CALL cudaError_t cudaFuncSetSharedMemConfig(const void *kernel,
						    enum cudaSharedMemConfig config)
{
	(void)config;
	return known(kernel);
}

WS_CUDA_CALL cudaError_t cudaFuncSetAttribute(const void *kernel,
					      enum cudaFuncAttribute attribute, int value)
{
	(void)attribute;
	(void)value;
	return known(kernel);
}

static uint64_t static_shared(const struct ws_kernel *k)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < k->locals; i++)
		bytes += k->local[i].bytes;
	return bytes;
}

/* As in a launch's trace. */
static uint64_t registers_of(const struct ws_kernel *k)
{
	return ws_app.settings.registers ? ws_app.settings.registers : k->registers;
}

static uint64_t most_threads(const struct ws_kernel *k)
{
	uint64_t most = ws_app.settings.machine.cta_threads;

	return k->cta_most && k->cta_most < most ? k->cta_most : most;
}

WS_CUDA_CALL cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes,
					       const void *kernel)
{
	cudaError_t error = cudaErrorInitializationError;
	struct ws_cuda_kernel *k;

	memset(attributes, 0, sizeof *attributes);
	if (ws_cuda_enter()) {
		k = ws_cuda_kernel(kernel);
		error = k ? ws_cuda_compile(k) : cudaErrorInvalidDeviceFunction;
		if (error == cudaSuccess) {
			attributes->sharedSizeBytes = (size_t)static_shared(k->kernel);
			attributes->localSizeBytes = k->kernel->frame_bytes;
			attributes->numRegs = as_int(registers_of(k->kernel));
			attributes->maxThreadsPerBlock = as_int(most_threads(k->kernel));
			attributes->maxDynamicSharedSizeBytes = (int)
				(shared_of_cta(&ws_app.settings.machine) -
				 static_shared(k->kernel));
			attributes->ptxVersion = attributes->binaryVersion = 10 * MAJOR + MINOR;
		}
	}
	ws_cuda_leave();
	return ws_cuda_error(error);
}

WS_CUDA_CALL cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
								       const void *kernel,
								       int threads, size_t shared)
{
	cudaError_t error = cudaErrorInitializationError;
	struct ws_launch l = { .grid = { 1u << 20, 1, 1 }, .ctas = 1u << 20,
			       .block = { threads > 0 ? (uint64_t)threads : 1, 1, 1 } };
	struct ws_machine adapted;
	const char *limit;
	uint64_t ctas = 0;
	struct ws_cuda_kernel *k;

	*blocks = 0;
	if (ws_cuda_enter()) {
		k = ws_cuda_kernel(kernel);
		error = threads < 1 ? cudaErrorInvalidValue
			: k ? ws_cuda_compile(k) : cudaErrorInvalidDeviceFunction;
		if (error == cudaSuccess) {
			l.shared_bytes = static_shared(k->kernel) + shared;
			l.registers = registers_of(k->kernel);
			if (ws_launch_machine(&l, &ws_app.settings.machine, &adapted, NULL) ==
				    WS_OK &&
			    ws_residency(&l, &adapted, &ctas, &limit, NULL) == WS_OK)
				*blocks = as_int(ctas);
		}
	}
	ws_cuda_leave();
	return ws_cuda_error(error);
}

WS_CUDA_CALL cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel, int threads,
						       size_t shared, unsigned int flags)
{
	(void)flags;
	return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, shared);
}

/* What each of so many blocks of an SM finds beside its own variables; a multiple of 128. */
WS_CUDA_CALL cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes,
								   const void *kernel, int blocks,
								   int threads)
{
	cudaError_t error = cudaErrorInitializationError;
	struct ws_cuda_kernel *k;
	uint64_t each, usual;

	*bytes = 0;
	if (ws_cuda_enter()) {
		k = ws_cuda_kernel(kernel);
		error = threads < 1 || blocks < 1 ? cudaErrorInvalidValue
			: k ? ws_cuda_compile(k) : cudaErrorInvalidDeviceFunction;
		if (error == cudaSuccess) {
			usual = shared_of_cta(&ws_app.settings.machine);
			each = ws_app.settings.machine.sm_shared_bytes / (uint64_t)blocks;
			if (!each || each > usual)
				each = usual;
			if (each > static_shared(k->kernel))
				*bytes = (size_t)(each - static_shared(k->kernel)) / 128 * 128;
		}
	}
	ws_cuda_leave();
	return ws_cuda_error(error);
}
