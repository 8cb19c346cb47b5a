/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/device.c -- the machine as the one device there is, and what a kernel takes of it.
 */
#include "trace/cuda/runtime.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MAJOR 7		/* what the device code is compiled for */
#define MINOR 0
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
	p->maxThreadsDim[2] = most < 64 ? most : 64;
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
	p->canMapHostMemory = p->concurrentKernels = p->unifiedAddressing = 1;
	p->managedMemory = p->concurrentManagedAccess = p->cooperativeLaunch = 1;
	p->asyncEngineCount = 1;
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

WS_CUDA_CALL cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute,
						int number)
{
	struct cudaDeviceProp p;
	cudaError_t error = cudaGetDeviceProperties(&p, number);

	if (error != cudaSuccess)
		return error;
	switch (attribute) {
	case cudaDevAttrMaxThreadsPerBlock:
		*value = p.maxThreadsPerBlock;
		return cudaSuccess;
	case cudaDevAttrMaxSharedMemoryPerBlock:
		*value = (int)p.sharedMemPerBlock;
		return cudaSuccess;
	case cudaDevAttrWarpSize:
		*value = p.warpSize;
		return cudaSuccess;
	case cudaDevAttrMaxRegistersPerBlock:
		*value = p.regsPerBlock;
		return cudaSuccess;
	case cudaDevAttrClockRate:
		*value = p.clockRate;
		return cudaSuccess;
	case cudaDevAttrMultiProcessorCount:
		*value = p.multiProcessorCount;
		return cudaSuccess;
	case cudaDevAttrMaxThreadsPerMultiProcessor:
		*value = p.maxThreadsPerMultiProcessor;
		return cudaSuccess;
	case cudaDevAttrComputeCapabilityMajor:
		*value = p.major;
		return cudaSuccess;
	case cudaDevAttrComputeCapabilityMinor:
		*value = p.minor;
		return cudaSuccess;
	case cudaDevAttrCooperativeLaunch:
		*value = p.cooperativeLaunch;
		return cudaSuccess;
	}
	return ws_cuda_error(cudaErrorInvalidValue);
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

WS_CUDA_CALL cudaError_t cudaDriverGetVersion(int *version)
{
	*version = CUDART_VERSION;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaRuntimeGetVersion(int *version)
{
	*version = CUDART_VERSION;
	return cudaSuccess;
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
			attributes->maxThreadsPerBlock =
				as_int(ws_app.settings.machine.cta_threads);
			attributes->ptxVersion = attributes->binaryVersion = 10 * MAJOR + MINOR;
		}
	}
	ws_cuda_leave();
	return ws_cuda_error(error);
}

/* By threads and shared memory: registers are not known. */
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
			if (ws_launch_machine(&l, &ws_app.settings.machine, &adapted, NULL) ==
				    WS_OK &&
			    ws_residency(&l, &adapted, &ctas, &limit, NULL) == WS_OK)
				*blocks = as_int(ctas);
		}
	}
	ws_cuda_leave();
	return ws_cuda_error(error);
}
