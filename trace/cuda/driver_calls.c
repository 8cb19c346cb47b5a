/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/driver_calls.c -- the calls of cuda_driver_calls.h, by the runtime's.
 */
#include "trace/cuda/runtime.h"

#include <cuda.h>
#include <stdlib.h>
#include <string.h>

/* What the runtime's call says, once cuInit or a call of the runtime has begun. */
#define AS(CALL) (ws_cuda.begun ? ws_driver_error(CALL) : CUDA_ERROR_NOT_INITIALIZED)

static void *at(CUdeviceptr pointer)
{
	return (void *)(uintptr_t)pointer;
}

/* ---- the device and contexts ----------------------------------------------------------- */

WS_CUDA_CALL CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
	struct cudaDeviceProp p;
	CUresult result = AS(cudaGetDeviceProperties(&p, device));

	if (result == CUDA_SUCCESS)
		memcpy(uuid, &p.uuid, sizeof *uuid);
	return result;
}

WS_CUDA_CALL CUresult cuDeviceGetPCIBusId(char *text, int len, CUdevice device)
{
	return AS(cudaDeviceGetPCIBusId(text, len, device));
}

WS_CUDA_CALL CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *text)
{
	return AS(cudaDeviceGetByPCIBusId(device, text));
}

WS_CUDA_CALL CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{
	return AS(cudaDeviceGetDefaultMemPool(pool, device));
}

WS_CUDA_CALL CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device)
{
	return AS(cudaDeviceGetMemPool(pool, device));
}

WS_CUDA_CALL CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool)
{
	return AS(cudaDeviceSetMemPool(device, pool));
}

WS_CUDA_CALL CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active)
{
	*active = 1;
	return device ? CUDA_ERROR_INVALID_DEVICE : AS(cudaGetDeviceFlags(flags));
}

WS_CUDA_CALL CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags)
{
	return device ? CUDA_ERROR_INVALID_DEVICE : AS(cudaSetDeviceFlags(flags));
}

WS_CUDA_CALL CUresult cuCtxGetFlags(unsigned int *flags)
{
	return AS(cudaGetDeviceFlags(flags));
}

WS_CUDA_CALL CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
	return AS(cudaDeviceGetLimit(value, (enum cudaLimit)limit));
}

WS_CUDA_CALL CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
	return AS(cudaDeviceSetLimit((enum cudaLimit)limit, value));
}

WS_CUDA_CALL CUresult cuCtxGetCacheConfig(CUfunc_cache *config)
{
	enum cudaFuncCache got = cudaFuncCachePreferNone;
	CUresult result = AS(cudaDeviceGetCacheConfig(&got));

	*config = (CUfunc_cache)got;
	return result;
}

WS_CUDA_CALL CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
	enum cudaSharedMemConfig got = cudaSharedMemBankSizeDefault;
	CUresult result = AS(cudaDeviceGetSharedMemConfig(&got));

	*config = (CUsharedconfig)got;
	return result;
}

WS_CUDA_CALL CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
	return AS(cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)config));
}

WS_CUDA_CALL CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config)
{
	(void)config;
	return cuFuncSetCacheConfig(function, CU_FUNC_CACHE_PREFER_NONE);
}

WS_CUDA_CALL CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
	return AS(cudaDeviceGetStreamPriorityRange(least, greatest));
}

/* There is one device. */
WS_CUDA_CALL CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags)
{
	(void)peer;
	return AS(cudaDeviceEnablePeerAccess(0, flags));
}

WS_CUDA_CALL CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
	(void)peer;
	return AS(cudaDeviceDisablePeerAccess(0));
}

WS_CUDA_CALL CUresult cuProfilerStart(void)
{
	return AS(cudaProfilerStart());
}

WS_CUDA_CALL CUresult cuProfilerStop(void)
{
	return AS(cudaProfilerStop());
}

/* ---- memory ---------------------------------------------------------------------------- */

WS_CUDA_CALL CUresult cuMemHostGetFlags(unsigned int *flags, void *pointer)
{
	return AS(cudaHostGetFlags(flags, pointer));
}

WS_CUDA_CALL CUresult cuMemHostRegister(void *pointer, size_t bytes, unsigned int flags)
{
	return AS(cudaHostRegister(pointer, bytes, flags));
}

WS_CUDA_CALL CUresult cuMemHostUnregister(void *pointer)
{
	return AS(cudaHostUnregister(pointer));
}

WS_CUDA_CALL CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
				   CUcontext from_context, size_t bytes)
{
	(void)to_context;
	(void)from_context;
	return cuMemcpyDtoD(to, from, bytes);
}

WS_CUDA_CALL CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count,
				       CUstream stream)
{
	(void)stream;
	return cuMemsetD16(to, value, count);
}

WS_CUDA_CALL CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
				   size_t height)
{
	return AS(cudaMemset2D(at(to), pitch, value, width, height));
}

/* Row by row: what is wrong with one is told by its fill. */
WS_CUDA_CALL CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value,
				    size_t width, size_t height)
{
	CUresult result = CUDA_SUCCESS;

	for (size_t i = 0; i < height && result == CUDA_SUCCESS; i++)
		result = cuMemsetD16(to + i * pitch, value, width);
	return result;
}

WS_CUDA_CALL CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned int value, size_t width,
				    size_t height)
{
	CUresult result = CUDA_SUCCESS;

	for (size_t i = 0; i < height && result == CUDA_SUCCESS; i++)
		result = cuMemsetD32(to + i * pitch, value, width);
	return result;
}

WS_CUDA_CALL CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value,
					size_t width, size_t height, CUstream stream)
{
	(void)stream;
	return cuMemsetD2D8(to, pitch, value, width, height);
}

WS_CUDA_CALL CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value,
					 size_t width, size_t height, CUstream stream)
{
	(void)stream;
	return cuMemsetD2D16(to, pitch, value, width, height);
}

WS_CUDA_CALL CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned int value,
					 size_t width, size_t height, CUstream stream)
{
	(void)stream;
	return cuMemsetD2D32(to, pitch, value, width, height);
}

WS_CUDA_CALL CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUdevice device,
					 CUstream stream)
{
	return AS(cudaMemPrefetchAsync(at(pointer), bytes, device, stream));
}

WS_CUDA_CALL CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, CUmem_advise advice,
				  CUdevice device)
{
	return AS(cudaMemAdvise(at(pointer), bytes, (enum cudaMemoryAdvise)advice, device));
}

/* The driver knows no memory that is not its own. */
WS_CUDA_CALL CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute,
					    CUdeviceptr pointer)
{
	struct cudaPointerAttributes a = { .device = 0 };
	CUresult result = AS(cudaPointerGetAttributes(&a, at(pointer)));
	bool host = a.type == cudaMemoryTypeHost, managed = a.type == cudaMemoryTypeManaged;

	if (result == CUDA_SUCCESS && a.type == cudaMemoryTypeUnregistered)
		result = CUDA_ERROR_INVALID_VALUE;
	if (result != CUDA_SUCCESS)
		return result;
	switch (attribute) {
	case CU_POINTER_ATTRIBUTE_CONTEXT:
		return cuCtxGetCurrent(value);
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
		*(unsigned int *)value = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
		*(CUdeviceptr *)value = (CUdeviceptr)(uintptr_t)a.devicePointer;
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_HOST_POINTER:
		*(void **)value = a.hostPointer;
		return a.hostPointer ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
	case CU_POINTER_ATTRIBUTE_IS_MANAGED:
		*(unsigned int *)value = managed;
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
		*(int *)value = a.device;
		return CUDA_SUCCESS;
	}
	return CUDA_ERROR_INVALID_VALUE;
}

WS_CUDA_CALL CUresult cuMemAllocAsync(CUdeviceptr *pointer, size_t bytes, CUstream stream)
{
	void *p = NULL;
	CUresult result = AS(cudaMallocAsync(&p, bytes, stream));

	*pointer = (CUdeviceptr)(uintptr_t)p;
	return result;
}

WS_CUDA_CALL CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream)
{
	return AS(cudaFreeAsync(at(pointer), stream));
}

WS_CUDA_CALL CUresult cuMemAllocFromPoolAsync(CUdeviceptr *pointer, size_t bytes,
					      CUmemoryPool pool, CUstream stream)
{
	void *p = NULL;
	CUresult result = AS(cudaMallocFromPoolAsync(&p, bytes, pool, stream));

	*pointer = (CUdeviceptr)(uintptr_t)p;
	return result;
}

WS_CUDA_CALL CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties)
{
	const struct cudaMemPoolProps p = {
		.allocType = (enum cudaMemAllocationType)properties->allocType,
		.handleTypes = (enum cudaMemAllocationHandleType)properties->handleTypes,
		.location = { (enum cudaMemLocationType)properties->location.type,
			      properties->location.id },
		.maxSize = properties->maxSize,
	};

	return AS(cudaMemPoolCreate(pool, &p));
}

WS_CUDA_CALL CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
	return AS(cudaMemPoolDestroy(pool));
}

WS_CUDA_CALL CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes)
{
	return AS(cudaMemPoolTrimTo(pool, bytes));
}

WS_CUDA_CALL CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute,
					    void *value)
{
	return AS(cudaMemPoolSetAttribute(pool, (enum cudaMemPoolAttr)attribute, value));
}

WS_CUDA_CALL CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute,
					    void *value)
{
	return AS(cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)attribute, value));
}

/* ---- streams and graphs ------------------------------------------------------------------ */

WS_CUDA_CALL CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags,
						 int priority)
{
	return AS(cudaStreamCreateWithPriority(stream, flags, priority));
}

WS_CUDA_CALL CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
	return AS(cudaStreamGetPriority(stream, priority));
}

WS_CUDA_CALL CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags)
{
	return AS(cudaStreamGetFlags(stream, flags));
}

WS_CUDA_CALL CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
	(void)stream;
	return cuCtxGetCurrent(context);
}

struct stream_callback {
	CUstreamCallback f;
	CUstream stream;
	void *data;
};

static void call_back(void *data)
{
	struct stream_callback c = *(struct stream_callback *)data;

	free(data);
	c.f(c.stream, CUDA_SUCCESS, c.data);
}

WS_CUDA_CALL CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback f, void *data,
					  unsigned int flags)
{
	struct stream_callback *c = flags ? NULL : ws_alloc_zero(1, sizeof *c);
	CUresult result;

	if (!c)
		return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_OUT_OF_MEMORY;
	*c = (struct stream_callback){ f, stream, data };
	result = AS(cudaLaunchHostFunc(stream, call_back, c));
	if (result != CUDA_SUCCESS)
		free(c);
	return result;
}

WS_CUDA_CALL CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, size_t bytes,
					     unsigned int flags)
{
	return AS(cudaStreamAttachMemAsync(stream, at(pointer), bytes, flags));
}

WS_CUDA_CALL CUresult cuLaunchHostFunc(CUstream stream, CUhostFn f, void *data)
{
	return AS(cudaLaunchHostFunc(stream, f, data));
}

WS_CUDA_CALL CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode)
{
	return AS(cudaStreamBeginCapture(stream, (enum cudaStreamCaptureMode)mode));
}

WS_CUDA_CALL CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
	return AS(cudaStreamEndCapture(stream, graph));
}

WS_CUDA_CALL CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
	enum cudaStreamCaptureStatus got = cudaStreamCaptureStatusNone;
	CUresult result = AS(cudaStreamIsCapturing(stream, &got));

	*status = (CUstreamCaptureStatus)got;
	return result;
}

WS_CUDA_CALL CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph,
					 unsigned long long flags)
{
	return AS(cudaGraphInstantiateWithFlags(exec, graph, flags));
}

WS_CUDA_CALL CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
	return AS(cudaGraphLaunch(exec, stream));
}

WS_CUDA_CALL CUresult cuGraphExecDestroy(CUgraphExec exec)
{
	return AS(cudaGraphExecDestroy(exec));
}

WS_CUDA_CALL CUresult cuGraphDestroy(CUgraph graph)
{
	return AS(cudaGraphDestroy(graph));
}

WS_CUDA_CALL CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
									   CUfunction function,
									   int threads,
									   size_t shared,
									   unsigned int flags)
{
	(void)flags;
	return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared);
}
