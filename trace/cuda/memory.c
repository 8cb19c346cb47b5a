/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/memory.c -- allocations.
 *
 * An allocation has unreadable pages around it, and begins at a multiple of 256 bytes, on the
 * device too.  Device addresses are never given twice, so that the trace tells allocations apart.
 */
#include "trace/cuda/runtime.h"

#include <stdlib.h>
#include <string.h>

#define PITCH 512u

/* ---- the table ------------------------------------------------------------------------- */

/* The first array that ends behind the address. */
static size_t place_of(const void *pointer)
{
	size_t low = 0, high = ws_cuda.arrays;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct ws_cuda_array *a = &ws_cuda.array[middle];

		if ((const uint8_t *)pointer < a->host + (a->bytes ? a->bytes : 1))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

struct ws_cuda_array *ws_cuda_find(const void *pointer)
{
	size_t i = place_of(pointer);

	return i < ws_cuda.arrays && ws_cuda.array[i].host <= (const uint8_t *)pointer
		       ? &ws_cuda.array[i] : NULL;
}

static struct ws_cuda_array *add(const struct ws_cuda_array *a)
{
	size_t i = place_of(a->host);

	if (!WS_ROOM(ws_cuda.array, ws_cuda.array_cap, ws_cuda.arrays + 1))
		return NULL;
	memmove(&ws_cuda.array[i + 1], &ws_cuda.array[i],
		(ws_cuda.arrays - i) * sizeof *ws_cuda.array);
	ws_cuda.array[i] = *a;
	ws_cuda.array[i].base = ws_cuda.next;
	ws_cuda.next += (a->bytes / WS_DEVICE_ALIGN + 1) * WS_DEVICE_ALIGN;
	ws_cuda.arrays++;
	return &ws_cuda.array[i];
}

struct ws_cuda_array *ws_cuda_allocate(size_t bytes)
{
	struct ws_buffer *b = ws_alloc_zero(1, sizeof *b);
	struct ws_cuda_array a = { .mapping = b, .bytes = bytes }, *added;
	struct ws_err err = { 0 };

	if (!b || bytes > WS_PROGRAM_BYTES_MAX) {
		free(b);
		return NULL;
	}
	b->bytes = bytes;
	if (ws_buffer_map(b, &err) != WS_OK) {
		free(b);
		return NULL;
	}
	a.host = b->host;
	added = add(&a);
	if (!added) {
		ws_buffer_unmap(b);
		free(b);
	}
	return added;
}

struct ws_cuda_array *ws_cuda_adopt(void *host, size_t bytes)
{
	const struct ws_cuda_array a = { .host = host, .bytes = bytes };

	return add(&a);
}

static void drop(struct ws_cuda_array *a)
{
	size_t i = (size_t)(a - ws_cuda.array);

	if (a->mapping) {
		ws_buffer_unmap(a->mapping);
		free(a->mapping);
	}
	ws_cuda.arrays--;
	memmove(&ws_cuda.array[i], &ws_cuda.array[i + 1],
		(ws_cuda.arrays - i) * sizeof *ws_cuda.array);
}

void ws_cuda_forget(const void *host)
{
	struct ws_cuda_array *a = ws_cuda_find(host);

	if (a && a->host == host)
		drop(a);
}

/* ---- allocations ----------------------------------------------------------------------- */

cudaError_t ws_cuda_allocate_for_graph(void **pointer, size_t bytes)
{
	struct ws_cuda_array *a = NULL;
	cudaError_t error = cudaErrorInitializationError;

	if (ws_cuda_enter() && (error = ws_cuda_stays()) == cudaSuccess)
		a = ws_cuda_allocate(bytes);
	if (a)
		a->graphs = true;
	*pointer = a ? a->host : NULL;
	ws_cuda_leave();
	return error == cudaSuccess && !a ? cudaErrorMemoryAllocation : error;
}

/* managed: the host uses it, too. */
static cudaError_t allocate(void **pointer, size_t bytes, bool pinned, bool managed)
{
	cudaError_t error = cudaSuccess;
	struct ws_cuda_array *a = NULL;

	if (!pointer)
		return ws_cuda_error(cudaErrorInvalidValue);
	*pointer = NULL;
	if (!ws_cuda_enter())
		error = cudaErrorInitializationError;
	else if ((error = ws_cuda_stays()) == cudaSuccess && bytes &&
		 !(a = ws_cuda_allocate(bytes)))
		error = cudaErrorMemoryAllocation;
	if (a) {
		a->pinned = pinned;
		a->managed = managed;
		*pointer = a->host;
	}
	ws_cuda_leave();
	return ws_cuda_error(error);
}

WS_CUDA_CALL cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
	return allocate(pointer, bytes, false, false);
}

WS_CUDA_CALL cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags)
{
	(void)flags;
	return allocate(pointer, bytes, false, true);
}

WS_CUDA_CALL cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
	return allocate(pointer, bytes, true, false);
}

WS_CUDA_CALL cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
	(void)flags;
	return allocate(pointer, bytes, true, false);
}

WS_CUDA_CALL cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width,
					 size_t height)
{
	size_t bytes;

	*pitch = width / PITCH * PITCH + (width % PITCH ? PITCH : 0);
	if (*pitch < width || __builtin_mul_overflow(*pitch, height, &bytes))
		return ws_cuda_error(cudaErrorMemoryAllocation);
	return allocate(pointer, bytes, false, false);
}

WS_CUDA_CALL cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent)
{
	size_t rows;
	cudaError_t error;

	if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
		return ws_cuda_error(cudaErrorMemoryAllocation);
	error = cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, rows);
	pointer->xsize = extent.width;
	pointer->ysize = extent.height;
	return error;
}

static cudaError_t free_array(void *pointer, bool pinned)
{
	cudaError_t error = cudaSuccess;
	struct ws_cuda_array *a;

	if (!pointer)
		return cudaSuccess;
	if (!ws_cuda_enter()) {
		error = cudaErrorInitializationError;
	} else if ((error = ws_cuda_stays()) == cudaSuccess) {
		a = ws_cuda_find(pointer);
		if (a && a->host == pointer && a->mapping && a->pinned == pinned && !a->graphs)
			drop(a);
		else if (!a || a->host != pointer || !a->graphs)
			error = cudaErrorInvalidValue;
	}
	ws_cuda_leave();
	return ws_cuda_error(error);
}

WS_CUDA_CALL cudaError_t cudaFree(void *pointer)
{
	return free_array(pointer, false);
}

WS_CUDA_CALL cudaError_t cudaFreeHost(void *pointer)
{
	return free_array(pointer, true);
}

WS_CUDA_CALL cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int flags)
{
	const struct ws_cuda_array a = { .host = pointer, .bytes = bytes, .pinned = true };
	cudaError_t error = cudaErrorInvalidValue;

	(void)flags;
	if (ws_cuda_enter() && pointer && bytes && bytes <= WS_PROGRAM_BYTES_MAX &&
	    !ws_cuda_find(pointer))
		error = add(&a) ? cudaSuccess : cudaErrorMemoryAllocation;
	ws_cuda_leave();
	return ws_cuda_error(error);
}

WS_CUDA_CALL cudaError_t cudaHostUnregister(void *pointer)
{
	cudaError_t error = cudaErrorInvalidValue;
	struct ws_cuda_array *a = ws_cuda_enter() ? ws_cuda_find(pointer) : NULL;

	if (a && a->host == pointer && !a->mapping) {
		drop(a);
		error = cudaSuccess;
	}
	ws_cuda_leave();
	return ws_cuda_error(error);
}

WS_CUDA_CALL cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
	(void)flags;
	*device = host;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaMemGetInfo(size_t *unused, size_t *total)
{
	size_t used = 0;

	if (ws_cuda_enter()) {
		for (size_t i = 0; i < ws_cuda.arrays; i++)
			used += ws_cuda.array[i].pinned ? 0 : (size_t)ws_cuda.array[i].bytes;
	}
	ws_cuda_leave();
	*total = WS_PROGRAM_BYTES_MAX;
	*unused = used < *total ? *total - used : 0;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
						  const void *pointer)
{
	cudaError_t error = cudaErrorInitializationError;
	const struct ws_cuda_array *a;

	*attributes = (struct cudaPointerAttributes){ .device = -2 };
	if (ws_cuda_enter() && (error = ws_cuda_stays()) == cudaSuccess) {
		a = ws_cuda_find(pointer);
		attributes->type = !a ? cudaMemoryTypeUnregistered : a->pinned ? cudaMemoryTypeHost
				   : a->managed ? cudaMemoryTypeManaged : cudaMemoryTypeDevice;
		attributes->hostPointer = !a || a->pinned || a->managed ? (void *)(uintptr_t)pointer
									: NULL;
		if (a) {
			attributes->device = 0;
			attributes->devicePointer = (void *)(uintptr_t)pointer;
		}
	}
	ws_cuda_leave();
	return ws_cuda_error(error);
}

WS_CUDA_CALL cudaError_t cudaHostGetFlags(unsigned int *flags, void *pointer)
{
	const struct ws_cuda_array *a = ws_cuda_enter() ? ws_cuda_find(pointer) : NULL;
	bool good = a && a->pinned;

	ws_cuda_leave();
	*flags = cudaHostAllocMapped;
	return ws_cuda_error(good ? cudaSuccess : cudaErrorInvalidValue);
}

WS_CUDA_CALL cudaError_t cudaMemAdvise(const void *pointer, size_t bytes,
				       enum cudaMemoryAdvise advice, int device)
{
	(void)pointer;
	(void)bytes;
	(void)advice;
	(void)device;
	return cudaSuccess;
}

/* What was advised is not kept: no place is preferred, and nothing was moved. */
WS_CUDA_CALL cudaError_t cudaMemRangeGetAttribute(void *value, size_t bytes,
						  enum cudaMemRangeAttribute attribute,
						  const void *pointer, size_t range)
{
	int *number = value;

	(void)range;
	if (!value || !pointer || !bytes || bytes % sizeof *number ||
	    (attribute != cudaMemRangeAttributeAccessedBy && bytes != sizeof *number))
		return ws_cuda_error(cudaErrorInvalidValue);
	for (size_t i = 0; i < bytes / sizeof *number; i++)
		number[i] = attribute == cudaMemRangeAttributeReadMostly ? 0 : cudaInvalidDeviceId;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaMemRangeGetAttributes(void **values, size_t *bytes,
						   enum cudaMemRangeAttribute *attributes,
						   size_t count, const void *pointer, size_t range)
{
	cudaError_t error = cudaSuccess;

	for (size_t i = 0; i < count && error == cudaSuccess; i++)
		error = cudaMemRangeGetAttribute(values[i], bytes[i], attributes[i], pointer,
						 range);
	return error;
}

/* ---- nothing is another process's ------------------------------------------------------ */

WS_CUDA_CALL cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer)
{
	(void)handle;
	(void)pointer;
	return ws_cuda_error(cudaErrorNotSupported);
}

WS_CUDA_CALL cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle,
					      unsigned int flags)
{
	(void)pointer;
	(void)handle;
	(void)flags;
	return ws_cuda_error(cudaErrorNotSupported);
}

WS_CUDA_CALL cudaError_t cudaIpcCloseMemHandle(void *pointer)
{
	(void)pointer;
	return ws_cuda_error(cudaErrorNotSupported);
}

WS_CUDA_CALL cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)
{
	(void)handle;
	(void)event;
	return ws_cuda_error(cudaErrorNotSupported);
}

WS_CUDA_CALL cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle)
{
	(void)event;
	(void)handle;
	return ws_cuda_error(cudaErrorNotSupported);
}
