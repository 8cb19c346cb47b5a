/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/copy.c -- copies and fills, of allocations and of a module's variables.
 */
#include "trace/cuda/runtime.h"

#include <string.h>

/* ---- copies ---------------------------------------------------------------------------- */

/* Memory of the device's must be one allocation's. */
static bool is_device(const void *pointer, size_t bytes)
{
	const struct ws_cuda_array *a = ws_cuda_find(pointer);

	return a && (uint64_t)((const uint8_t *)pointer - a->host) + bytes <= a->bytes;
}

/* Memory that is no allocation is taken to be the host's. */
static bool is_good(const void *pointer, size_t bytes, bool device)
{
	return device || ws_cuda_find(pointer) ? is_device(pointer, bytes) : pointer != NULL;
}

static cudaError_t check_copy(const void *to, const void *from, size_t bytes,
			      enum cudaMemcpyKind kind)
{
	if ((unsigned)kind > cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	return is_good(to, bytes, kind == cudaMemcpyHostToDevice ||
		       kind == cudaMemcpyDeviceToDevice) &&
	       is_good(from, bytes, kind == cudaMemcpyDeviceToHost ||
		       kind == cudaMemcpyDeviceToDevice) ? cudaSuccess : cudaErrorInvalidValue;
}

WS_CUDA_CALL cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from,
				      size_t from_pitch, size_t width, size_t height,
				      enum cudaMemcpyKind kind)
{
	cudaError_t error;

	if (!width || !height)
		return cudaSuccess;
	if (height > 1 && (to_pitch < width || from_pitch < width))
		return ws_cuda_error(cudaErrorInvalidPitchValue);
	if (!ws_cuda_enter())
		error = cudaErrorInitializationError;
	else if ((error = ws_cuda_stays()) == cudaSuccess)
		error = check_copy(to, from, width, kind);
	if (error == cudaSuccess && height > 1)
		error = check_copy((uint8_t *)to + (height - 1) * to_pitch,
				   (const uint8_t *)from + (height - 1) * from_pitch, width, kind);
	for (size_t y = 0; y < height && error == cudaSuccess; y++)
		memmove((uint8_t *)to + y * to_pitch, (const uint8_t *)from + y * from_pitch,
			width);
	ws_cuda_leave();
	return ws_cuda_error(error);
}

WS_CUDA_CALL cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
				    enum cudaMemcpyKind kind)
{
	return cudaMemcpy2D(to, bytes, from, bytes, bytes, 1, kind);
}

WS_CUDA_CALL cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
					 enum cudaMemcpyKind kind, cudaStream_t stream)
{
	(void)stream;
	return cudaMemcpy(to, from, bytes, kind);
}

WS_CUDA_CALL cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width,
				      size_t height)
{
	cudaError_t error;

	if (!width || !height)
		return cudaSuccess;
	if (!ws_cuda_enter())
		error = cudaErrorInitializationError;
	else if ((error = ws_cuda_stays()) == cudaSuccess)
		error = is_device(pointer, (height - 1) * pitch + width) ? cudaSuccess
									 : cudaErrorInvalidValue;
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
	(void)stream;
	return cudaMemset(pointer, value, bytes);
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
