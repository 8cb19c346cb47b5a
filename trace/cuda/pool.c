/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/pool.c -- calls beside the usual ones for what there is in one form: memory of pools,
 * launches with attributes, copies of arrays in streams.
 */
#include "trace/cuda/graph.h"

#include <stdlib.h>
#include <string.h>

struct CUmemPoolHandle_st {
	uint64_t kept; /* the release threshold, as it was set */
};
static struct CUmemPoolHandle_st usual;

WS_CUDA_CALL cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
	*pool = &usual;
	return ws_cuda_error(device ? cudaErrorInvalidDevice : cudaSuccess);
}

WS_CUDA_CALL cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
	return cudaDeviceGetDefaultMemPool(pool, device);
}

WS_CUDA_CALL cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
	return ws_cuda_error(device ? cudaErrorInvalidDevice
			     : pool ? cudaSuccess : cudaErrorInvalidValue);
}

WS_CUDA_CALL cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool,
					   const struct cudaMemPoolProps *properties)
{
	(void)properties;
	*pool = ws_alloc_zero(1, sizeof **pool);
	return ws_cuda_error(*pool ? cudaSuccess : cudaErrorMemoryAllocation);
}

WS_CUDA_CALL cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
	if (!pool || pool == &usual)
		return ws_cuda_error(cudaErrorInvalidValue);
	free(pool);
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes)
{
	(void)bytes;
	return ws_cuda_error(pool ? cudaSuccess : cudaErrorInvalidValue);
}

WS_CUDA_CALL cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool,
					      const struct cudaMemAccessDesc *access, size_t count)
{
	if (!pool || (!access && count))
		return ws_cuda_error(cudaErrorInvalidValue);
	for (size_t i = 0; i < count; i++)
		if (access[i].location.type != cudaMemLocationTypeDevice || access[i].location.id)
			return ws_cuda_error(cudaErrorInvalidDevice);
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
					      struct cudaMemLocation *location)
{
	if (!pool || !flags || !location)
		return ws_cuda_error(cudaErrorInvalidValue);
	*flags = location->id ? cudaMemAccessFlagsProtNone : cudaMemAccessFlagsProtReadWrite;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool,
						 enum cudaMemPoolAttr attribute, void *value)
{
	if (!pool || !value)
		return ws_cuda_error(cudaErrorInvalidValue);
	if (attribute == cudaMemPoolAttrReleaseThreshold)
		memcpy(&pool->kept, value, sizeof pool->kept);
	return cudaSuccess;
}

/* Nothing is kept beyond what is used, and that is not counted by pool. */
WS_CUDA_CALL cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool,
						 enum cudaMemPoolAttr attribute, void *value)
{
	uint64_t number = 0;

	if (!pool || !value)
		return ws_cuda_error(cudaErrorInvalidValue);
	if (attribute == cudaMemPoolAttrReleaseThreshold)
		number = pool->kept;
	/* The switches are int, amounts of memory 64 bits. */
	memcpy(value, &number,
	       attribute < cudaMemPoolAttrReleaseThreshold ? sizeof(int) : sizeof number);
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream)
{
	cudaError_t error;

	if (ws_captures(stream)) {
		error = ws_cuda_allocate_for_graph(pointer, bytes);
		return ws_cuda_error(error == cudaSuccess
					     ? ws_capture_alloc(stream, *pointer, bytes) : error);
	}
	return cudaMalloc(pointer, bytes);
}

WS_CUDA_CALL cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
	if (ws_captures(stream))
		return ws_cuda_error(ws_capture_free(stream, pointer));
	return cudaFree(pointer);
}

WS_CUDA_CALL cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool,
						 cudaStream_t stream)
{
	return pool ? cudaMallocAsync(pointer, bytes, stream)
		    : ws_cuda_error(cudaErrorInvalidValue);
}

WS_CUDA_CALL cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel,
					     void **arguments)
{
	return cudaLaunchKernel(kernel, config->gridDim, config->blockDim, arguments,
				config->dynamicSmemBytes, config->stream);
}

WS_CUDA_CALL cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *launches,
								unsigned int devices,
								unsigned int flags)
{
	(void)flags;
	if (devices != 1 || !launches)
		return ws_cuda_error(cudaErrorInvalidDevice);
	return cudaLaunchCooperativeKernel(launches->func, launches->gridDim, launches->blockDim,
					   launches->args, launches->sharedMem, launches->stream);
}

WS_CUDA_CALL cudaError_t cudaCtxResetPersistingL2Cache(void)
{
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y,
						const void *from, size_t bytes,
						enum cudaMemcpyKind kind, cudaStream_t stream)
{
	(void)stream;
	return cudaMemcpyToArray(to, x, y, from, bytes, kind);
}

WS_CUDA_CALL cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x,
						  size_t y, size_t bytes, enum cudaMemcpyKind kind,
						  cudaStream_t stream)
{
	(void)stream;
	return cudaMemcpyFromArray(to, from, x, y, bytes, kind);
}

WS_CUDA_CALL cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y,
						  const void *from, size_t pitch, size_t width,
						  size_t height, enum cudaMemcpyKind kind,
						  cudaStream_t stream)
{
	(void)stream;
	return cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind);
}

WS_CUDA_CALL cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from,
						    size_t x, size_t y, size_t width, size_t height,
						    enum cudaMemcpyKind kind, cudaStream_t stream)
{
	(void)stream;
	return cudaMemcpy2DFromArray(to, pitch, from, x, y, width, height, kind);
}

WS_CUDA_CALL cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pointer, int value,
					   struct cudaExtent extent, cudaStream_t stream)
{
	(void)stream;
	return cudaMemset3D(pointer, value, extent);
}
