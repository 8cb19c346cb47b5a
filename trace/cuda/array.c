/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/array.c -- arrays of texels.  Their rows lie one behind the other, as an allocation's.
 */
#include "trace/cuda/graph.h"

#include <pthread.h>
#include <stdlib.h>

static struct cudaArray *all_arrays;
static pthread_mutex_t arrays_mutex = PTHREAD_MUTEX_INITIALIZER;

size_t ws_cuda_texel(const struct cudaChannelFormatDesc *f)
{
	int channels = (f->x > 0) + (f->y > 0) + (f->z > 0) + (f->w > 0);
	bool same = (!f->y || f->y == f->x) && (!f->z || f->z == f->x) && (!f->w || f->w == f->x);

	if (!same || (f->x != 8 && f->x != 16 && f->x != 32) || channels == 3 ||
	    (unsigned)f->f > cudaChannelFormatKindFloat || (f->z && !f->y))
		return 0;
	return (size_t)(f->x / 8 * channels);
}

WS_CUDA_CALL struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
								enum cudaChannelFormatKind kind)
{
	return (struct cudaChannelFormatDesc){ x, y, z, w, kind };
}

/* Its bytes; false: too many. */
static bool set_pitches(struct cudaArray *a, size_t *bytes)
{
	size_t height = a->extent.height ? a->extent.height : 1;
	size_t depth = a->extent.depth ? a->extent.depth : 1;

	return a->extent.width && !__builtin_mul_overflow(a->extent.width, a->texel, &a->pitch) &&
	       !__builtin_mul_overflow(a->pitch, height, &a->slice) &&
	       !__builtin_mul_overflow(a->slice, depth, bytes);
}

WS_CUDA_CALL cudaError_t cudaMalloc3DArray(cudaArray_t *array,
					   const struct cudaChannelFormatDesc *format,
					   struct cudaExtent extent, unsigned int flags)
{
	struct cudaArray *a = ws_alloc_zero(1, sizeof *a);
	cudaError_t error;
	size_t bytes;

	if (!a)
		return ws_cuda_error(cudaErrorMemoryAllocation);
	*a = (struct cudaArray){ .format = *format, .extent = extent, .flags = flags,
				 .texel = ws_cuda_texel(format) };
	if (!a->texel)
		error = ws_cuda_error(cudaErrorInvalidChannelDescriptor);
	else if (!set_pitches(a, &bytes))
		error = ws_cuda_error(cudaErrorInvalidValue);
	else
		error = cudaMalloc((void **)&a->memory, bytes);
	if (error != cudaSuccess) {
		free(a);
		a = NULL;
	} else {
		pthread_mutex_lock(&arrays_mutex);
		a->next = all_arrays;
		all_arrays = a;
		pthread_mutex_unlock(&arrays_mutex);
	}
	*array = a;
	return error;
}

WS_CUDA_CALL cudaError_t cudaMallocArray(cudaArray_t *array,
					 const struct cudaChannelFormatDesc *format, size_t width,
					 size_t height, unsigned int flags)
{
	return cudaMalloc3DArray(array, format, (struct cudaExtent){ width, height, 0 }, flags);
}

/* Takes it off the list; false: it is no array, or no longer one. */
static bool forget_array(cudaArray_t array)
{
	struct cudaArray **at = &all_arrays;
	bool found;

	pthread_mutex_lock(&arrays_mutex);
	while (*at && *at != array)
		at = &(*at)->next;
	found = *at != NULL;
	if (found)
		*at = array->next;
	pthread_mutex_unlock(&arrays_mutex);
	return found;
}

WS_CUDA_CALL cudaError_t cudaFreeArray(cudaArray_t array)
{
	cudaError_t error;

	if (!array)
		return cudaSuccess;
	if (!forget_array(array))
		return ws_cuda_error(cudaErrorInvalidValue);
	error = cudaFree(array->memory);
	free(array);
	return error;
}

WS_CUDA_CALL cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format,
					  struct cudaExtent *extent, unsigned int *flags,
					  cudaArray_t array)
{
	if (!array)
		return ws_cuda_error(cudaErrorInvalidResourceHandle);
	if (format)
		*format = array->format;
	if (extent)
		*extent = array->extent;
	if (flags)
		*flags = array->flags;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *format,
					    cudaArray_const_t array)
{
	return cudaArrayGetInfo(format, NULL, NULL, (cudaArray_t)(uintptr_t)array);
}

/* ---- copies ---------------------------------------------------------------------------- */

/* A box that begins at byte x of row y of slice z. */
static struct ws_cuda_box box_of(cudaArray_const_t a, size_t x, size_t y, size_t z)
{
	return (struct ws_cuda_box){ a->memory + z * a->slice + y * a->pitch + x, a->pitch,
				     a->slice };
}

/* Rows do not run over their ends. */
static bool fits(cudaArray_const_t a, size_t x, size_t y, const struct cudaExtent *e)
{
	size_t rows = a->extent.height ? a->extent.height : 1;

	return x <= a->pitch && e->width <= a->pitch - x && y <= rows && e->height <= rows - y;
}

bool ws_cuda_array_box(struct ws_cuda_box *box, cudaArray_const_t a, size_t x, size_t y, size_t z,
		       const struct cudaExtent *bytes)
{
	size_t slices = a->extent.depth ? a->extent.depth : 1;

	*box = box_of(a, x, y, z);
	return fits(a, x, y, bytes) && z <= slices && bytes->depth <= slices - z;
}

WS_CUDA_CALL cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from,
					     size_t pitch, size_t width, size_t height,
					     enum cudaMemcpyKind kind)
{
	const struct ws_cuda_box source = { (uint8_t *)(uintptr_t)from, pitch, 0 };
	const struct cudaExtent extent = { width, height, 1 };
	struct ws_cuda_box target;

	if (!to || !fits(to, x, y, &extent))
		return ws_cuda_error(cudaErrorInvalidValue);
	target = box_of(to, x, y, 0);
	return ws_cuda_copy(&target, &source, &extent, kind);
}

WS_CUDA_CALL cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from,
					       size_t x, size_t y, size_t width, size_t height,
					       enum cudaMemcpyKind kind)
{
	const struct ws_cuda_box target = { to, pitch, 0 };
	const struct cudaExtent extent = { width, height, 1 };
	struct ws_cuda_box source;

	if (!from || !fits(from, x, y, &extent))
		return ws_cuda_error(cudaErrorInvalidValue);
	source = box_of(from, x, y, 0);
	return ws_cuda_copy(&target, &source, &extent, kind);
}

/* So many bytes, to the end of a row and on in the next one, slice by slice. */
static bool has_bytes(cudaArray_const_t a, size_t x, size_t y, size_t bytes)
{
	size_t rows = a->extent.height ? a->extent.height : 1;
	size_t slices = a->extent.depth ? a->extent.depth : 1;

	return x <= a->pitch && y < rows && bytes <= slices * a->slice - y * a->pitch - x;
}

WS_CUDA_CALL cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from,
					   size_t bytes, enum cudaMemcpyKind kind)
{
	if (!to || !has_bytes(to, x, y, bytes))
		return ws_cuda_error(cudaErrorInvalidValue);
	return cudaMemcpy(box_of(to, x, y, 0).memory, from, bytes, kind);
}

WS_CUDA_CALL cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y,
					     size_t bytes, enum cudaMemcpyKind kind)
{
	if (!from || !has_bytes(from, x, y, bytes))
		return ws_cuda_error(cudaErrorInvalidValue);
	return cudaMemcpy(to, box_of(from, x, y, 0).memory, bytes, kind);
}

WS_CUDA_CALL cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t x, size_t y,
						  cudaArray_const_t from, size_t from_x,
						  size_t from_y, size_t width, size_t height,
						  enum cudaMemcpyKind kind)
{
	const struct cudaExtent extent = { width, height, 1 };

	if (!from || !fits(from, from_x, from_y, &extent))
		return ws_cuda_error(cudaErrorInvalidValue);
	return cudaMemcpy2DToArray(to, x, y, box_of(from, from_x, from_y, 0).memory, from->pitch,
				   width, height, kind);
}

WS_CUDA_CALL cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t x, size_t y,
						cudaArray_const_t from, size_t from_x,
						size_t from_y, size_t bytes,
						enum cudaMemcpyKind kind)
{
	if (!from || !has_bytes(from, from_x, from_y, bytes))
		return ws_cuda_error(cudaErrorInvalidValue);
	return cudaMemcpyToArray(to, x, y, box_of(from, from_x, from_y, 0).memory, bytes, kind);
}

/* One side of a three-dimensional copy: positions and widths are in texels of an array, in bytes
 * of what is none. */
static bool side(struct ws_cuda_box *b, cudaArray_const_t array, const struct cudaPitchedPtr *p,
		 const struct cudaPos *at, const struct cudaExtent *bytes)
{
	if (array)
		return at->x <= array->extent.width &&
		       ws_cuda_array_box(b, array, at->x * array->texel, at->y, at->z, bytes);
	*b = (struct ws_cuda_box){
		(uint8_t *)p->ptr + (at->z * p->ysize + at->y) * p->pitch + at->x,
		p->pitch, p->pitch * p->ysize };
	return p->ptr != NULL;
}

WS_CUDA_CALL cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
	cudaArray_const_t array = p->srcArray ? p->srcArray : p->dstArray;
	struct cudaExtent bytes = p->extent;
	struct ws_cuda_box to, from;

	if (__builtin_mul_overflow(bytes.width, array ? array->texel : 1, &bytes.width) ||
	    !side(&to, p->dstArray, &p->dstPtr, &p->dstPos, &bytes) ||
	    !side(&from, p->srcArray, &p->srcPtr, &p->srcPos, &bytes))
		return ws_cuda_error(cudaErrorInvalidValue);
	return ws_cuda_copy(&to, &from, &bytes, p->kind);
}

/* There is one device. */
WS_CUDA_CALL cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
	struct cudaMemcpy3DParms copy = { .kind = cudaMemcpyDeviceToDevice };

	if (!p || p->srcDevice || p->dstDevice)
		return ws_cuda_error(p ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
	copy.srcArray = p->srcArray;
	copy.srcPos = p->srcPos;
	copy.srcPtr = p->srcPtr;
	copy.dstArray = p->dstArray;
	copy.dstPos = p->dstPos;
	copy.dstPtr = p->dstPtr;
	copy.extent = p->extent;
	return cudaMemcpy3D(&copy);
}

WS_CUDA_CALL cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p,
					       cudaStream_t stream)
{
	(void)stream;
	return cudaMemcpy3DPeer(p);
}

WS_CUDA_CALL cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
	const struct ws_graph_copy copy = { .box = *p };

	if (ws_captures(stream))
		return ws_cuda_error(ws_capture_copy(stream, &copy));
	return cudaMemcpy3D(p);
}
