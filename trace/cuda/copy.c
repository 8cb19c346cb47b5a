/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/copy.c -- copies and fills, of allocations and of a module's variables.
 */
#include "trace/cuda/graph.h"

#include <string.h>

/* ---- copies ---------------------------------------------------------------------------- */

/* Memory of the device's must be one allocation's. */
static bool is_device(const void *pointer, size_t bytes)
{
	const struct ws_cuda_array *a = ws_cuda_find(pointer);

	return a && bytes <= a->bytes &&
	       (uint64_t)((const uint8_t *)pointer - a->host) <= a->bytes - bytes;
}

/* Memory that is no allocation is taken to be the host's. */
static bool is_good(const void *pointer, size_t bytes, bool device)
{
	return device || ws_cuda_find(pointer) ? is_device(pointer, bytes) : pointer != NULL;
}

/* The bytes from the first one of a box to the last one; SIZE_MAX: too many. */
static size_t span(const struct ws_cuda_box *b, const struct cudaExtent *e)
{
	size_t slices, rows, all;

	if (__builtin_mul_overflow(e->depth - 1, b->slice, &slices) ||
	    __builtin_mul_overflow(e->height - 1, b->pitch, &rows) ||
	    __builtin_add_overflow(slices, rows, &all) ||
	    __builtin_add_overflow(all, e->width, &all))
		return SIZE_MAX;
	return all;
}

static cudaError_t check_copy(const struct ws_cuda_box *to, const struct ws_cuda_box *from,
			      const struct cudaExtent *e, enum cudaMemcpyKind kind)
{
	bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
	bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;

	if ((unsigned)kind > cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	if (e->height > 1 && (to->pitch < e->width || from->pitch < e->width))
		return cudaErrorInvalidPitchValue;
	return is_good(to->memory, span(to, e), to_device) &&
	       is_good(from->memory, span(from, e), from_device) ? cudaSuccess
								 : cudaErrorInvalidValue;
}

cudaError_t ws_cuda_copy(const struct ws_cuda_box *to, const struct ws_cuda_box *from,
			 const struct cudaExtent *e, enum cudaMemcpyKind kind)
{
	cudaError_t error;

	if (!e->width || !e->height || !e->depth)
		return cudaSuccess;
	if (!ws_cuda_enter())
		error = cudaErrorInitializationError;
	else if ((error = ws_cuda_stays()) == cudaSuccess)
		error = check_copy(to, from, e, kind);
	for (size_t z = 0; z < e->depth && error == cudaSuccess; z++) {
		for (size_t y = 0; y < e->height; y++)
			memmove(to->memory + z * to->slice + y * to->pitch,
				from->memory + z * from->slice + y * from->pitch, e->width);
	}
	ws_cuda_leave();
	return ws_cuda_error(error);
}

WS_CUDA_CALL cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from,
				      size_t from_pitch, size_t width, size_t height,
				      enum cudaMemcpyKind kind)
{
	const struct ws_cuda_box target = { to, to_pitch, 0 };
	const struct ws_cuda_box source = { (uint8_t *)(uintptr_t)from, from_pitch, 0 };
	const struct cudaExtent extent = { width, height, 1 };

	return ws_cuda_copy(&target, &source, &extent, kind);
}

WS_CUDA_CALL cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
					   size_t from_pitch, size_t width, size_t height,
					   enum cudaMemcpyKind kind, cudaStream_t stream)
{
	struct ws_graph_copy copy = { .box = {
		.srcPtr = { (void *)(uintptr_t)from, from_pitch, width, height },
		.dstPtr = { to, to_pitch, width, height },
		.extent = { width, height, 1 },
		.kind = kind,
	} };

	if (ws_captures(stream))
		return ws_cuda_error(ws_capture_copy(stream, &copy));
	return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

WS_CUDA_CALL cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
				    enum cudaMemcpyKind kind)
{
	return cudaMemcpy2D(to, bytes, from, bytes, bytes, 1, kind);
}

WS_CUDA_CALL cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
					 enum cudaMemcpyKind kind, cudaStream_t stream)
{
	const struct ws_graph_copy copy = { true, to, from, bytes, kind, { 0 } };

	if (ws_captures(stream))
		return ws_cuda_error(ws_capture_copy(stream, &copy));
	return cudaMemcpy(to, from, bytes, kind);
}

WS_CUDA_CALL cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
					size_t bytes)
{
	if (to_device || from_device)
		return ws_cuda_error(cudaErrorInvalidDevice);
	return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

WS_CUDA_CALL cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from,
					     int from_device, size_t bytes, cudaStream_t stream)
{
	(void)stream;
	return cudaMemcpyPeer(to, to_device, from, from_device, bytes);
}

WS_CUDA_CALL cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width,
				      size_t height)
{
	const struct ws_cuda_box box = { pointer, pitch, 0 };
	const struct cudaExtent extent = { width, height, 1 };
	cudaError_t error;

	if (!width || !height)
		return cudaSuccess;
	if (!ws_cuda_enter())
		error = cudaErrorInitializationError;
	else if ((error = ws_cuda_stays()) == cudaSuccess)
		error = (height == 1 || pitch >= width) && is_device(pointer, span(&box, &extent))
				? cudaSuccess : cudaErrorInvalidValue;
	for (size_t y = 0; y < height && error == cudaSuccess; y++)
		memset((uint8_t *)pointer + y * pitch, value, width);
	ws_cuda_leave();
	return ws_cuda_error(error);
}

WS_CUDA_CALL cudaError_t cudaMemset(void *pointer, int value, size_t bytes)
{
	return cudaMemset2D(pointer, bytes, value, bytes, 1);
}

WS_CUDA_CALL cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes,
					 cudaStream_t stream)
{
	return cudaMemset2DAsync(pointer, bytes, value, bytes, 1, stream);
}

WS_CUDA_CALL cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width,
					   size_t height, cudaStream_t stream)
{
	const struct cudaMemsetParams fill = { pointer, pitch, (unsigned)value, 1, width, height };

	if (ws_captures(stream))
		return ws_cuda_error(ws_capture_fill(stream, &fill));
	return cudaMemset2D(pointer, pitch, value, width, height);
}

WS_CUDA_CALL cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value,
				      struct cudaExtent extent)
{
	cudaError_t error = cudaSuccess;

	for (size_t z = 0; z < extent.depth && error == cudaSuccess; z++)
		error = cudaMemset2D((uint8_t *)pointer.ptr + z * pointer.pitch * pointer.ysize,
				     pointer.pitch, value, extent.width, extent.height);
	return error;
}

WS_CUDA_CALL cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
					      cudaStream_t stream)
{
	(void)pointer;
	(void)bytes;
	(void)device;
	(void)stream;
	return cudaSuccess;
}

/* ---- variables of the module ----------------------------------------------------------- */

static uint8_t *symbol_memory(const void *symbol, size_t *bytes)
{
	struct ws_cuda_module *m;
	struct ws_cuda_variable *v = ws_cuda_symbol(symbol, &m);

	if (!v)
		return NULL;
	*bytes = (size_t)v->bytes;
	return ws_cuda_variable_of(m, v->name, v->bytes);
}

static cudaError_t copy_symbol(const void *symbol, void *to, const void *from, size_t bytes,
			       size_t offset)
{
	cudaError_t error = cudaErrorInvalidSymbol;
	uint8_t *memory = NULL;
	size_t size = 0;

	if (ws_cuda_enter() && (error = ws_cuda_stays()) == cudaSuccess)
		memory = symbol_memory(symbol, &size);
	if (memory && (offset > size || bytes > size - offset))
		error = cudaErrorInvalidValue;
	else if (memory)
		memmove(to ? to : memory + offset, from ? from : memory + offset, bytes);
	else if (error == cudaSuccess)
		error = cudaErrorInvalidSymbol;
	ws_cuda_leave();
	return ws_cuda_error(error);
}

WS_CUDA_CALL cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes,
					    size_t offset, enum cudaMemcpyKind kind)
{
	(void)kind;
	return from ? copy_symbol(symbol, NULL, from, bytes, offset)
		    : ws_cuda_error(cudaErrorInvalidValue);
}

WS_CUDA_CALL cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes,
					      size_t offset, enum cudaMemcpyKind kind)
{
	(void)kind;
	return to ? copy_symbol(symbol, to, NULL, bytes, offset)
		  : ws_cuda_error(cudaErrorInvalidValue);
}

WS_CUDA_CALL cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
						 size_t offset, enum cudaMemcpyKind kind,
						 cudaStream_t stream)
{
	void *pointer;

	if (!ws_captures(stream))
		return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
	return cudaGetSymbolAddress(&pointer, symbol) == cudaSuccess
		       ? cudaMemcpyAsync((uint8_t *)pointer + offset, from, bytes, kind, stream)
		       : cudaErrorInvalidSymbol;
}

WS_CUDA_CALL cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes,
						   size_t offset, enum cudaMemcpyKind kind,
						   cudaStream_t stream)
{
	void *pointer;

	if (!ws_captures(stream))
		return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
	return cudaGetSymbolAddress(&pointer, symbol) == cudaSuccess
		       ? cudaMemcpyAsync(to, (uint8_t *)pointer + offset, bytes, kind, stream)
		       : cudaErrorInvalidSymbol;
}

WS_CUDA_CALL cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol)
{
	size_t bytes;

	*pointer = ws_cuda_enter() ? symbol_memory(symbol, &bytes) : NULL;
	ws_cuda_leave();
	return ws_cuda_error(*pointer ? cudaSuccess : cudaErrorInvalidSymbol);
}

WS_CUDA_CALL cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
	bool good = ws_cuda_enter() && symbol_memory(symbol, bytes);

	ws_cuda_leave();
	return ws_cuda_error(good ? cudaSuccess : cudaErrorInvalidSymbol);
}
