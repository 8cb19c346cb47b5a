/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/texture.c -- texture and surface objects, and textures of a variable's own.  An object
 * is the address of what device code (cuda_texture.h) is told of it.
 */
#include "trace/cuda/runtime.h"

#include <pthread.h>
#include <stdlib.h>

/* Memory that a texture is made of; width in texels. */
static cudaError_t describe(struct __ws_texture *t, void *data, const struct cudaExtent *texels,
			    size_t pitch, size_t slice, const struct cudaChannelFormatDesc *f)
{
	size_t texel = ws_cuda_texel(f);

	if (!texel)
		return cudaErrorInvalidChannelDescriptor;
	if (!data || !texels->width || texels->width > UINT32_MAX ||
	    texels->height > UINT32_MAX || texels->depth > UINT32_MAX)
		return cudaErrorInvalidValue;
	*t = (struct __ws_texture){
		.data = data, .pitch = pitch, .slice = slice, .texel = (unsigned int)texel,
		.extent = { (unsigned int)texels->width,
			    texels->height ? (unsigned int)texels->height : 1,
			    texels->depth ? (unsigned int)texels->depth : 1 },
		.channels = (unsigned int)(texel / ((size_t)f->x / 8)),
		.bits = (unsigned int)f->x, .kind = (int)f->f,
	};
	return cudaSuccess;
}

static cudaError_t describe_array(struct __ws_texture *t, cudaArray_const_t a)
{
	return a ? describe(t, a->memory, &a->extent, a->pitch, a->slice, &a->format)
		 : cudaErrorInvalidValue;
}

static cudaError_t describe_linear(struct __ws_texture *t, const void *pointer, size_t bytes,
				   const struct cudaChannelFormatDesc *f)
{
	size_t texel = ws_cuda_texel(f);
	const struct cudaExtent extent = { texel ? bytes / texel : 0, 0, 0 };

	return describe(t, (void *)(uintptr_t)pointer, &extent, bytes, bytes, f);
}

static cudaError_t describe_resource(struct __ws_texture *t, const struct cudaResourceDesc *r)
{
	struct cudaExtent extent;

	switch (r->resType) {
	case cudaResourceTypeArray:
		return describe_array(t, r->res.array.array);
	case cudaResourceTypeLinear:
		return describe_linear(t, r->res.linear.devPtr, r->res.linear.sizeInBytes,
				       &r->res.linear.desc);
	case cudaResourceTypePitch2D:
		extent = (struct cudaExtent){ r->res.pitch2D.width, r->res.pitch2D.height, 0 };
		return describe(t, r->res.pitch2D.devPtr, &extent, r->res.pitch2D.pitchInBytes,
				r->res.pitch2D.pitchInBytes * r->res.pitch2D.height,
				&r->res.pitch2D.desc);
	case cudaResourceTypeMipmappedArray:
		return cudaErrorNotSupported;
	}
	return cudaErrorInvalidValue;
}

/* Integers are read as fractions of their range if they have at most 16 bits, and only then are
 * filtered. */
static cudaError_t check_reads(const struct __ws_texture *t)
{
	if (t->real && t->kind != cudaChannelFormatKindFloat && t->bits > 16)
		return cudaErrorInvalidNormSetting;
	return t->linear && !t->real && t->kind != cudaChannelFormatKindFloat
		       ? cudaErrorInvalidFilterSetting : cudaSuccess;
}

/* What an object's address is of: what device code is told, and what it was made of. */
struct made_of {
	struct __ws_texture texture;
	struct cudaResourceDesc resource;
	struct cudaTextureDesc how;
	struct made_of *next; /* of those that there are */
};
static struct made_of *all_made;
static pthread_mutex_t made = PTHREAD_MUTEX_INITIALIZER;

/* A face ends at its edges, and coordinates are parts of it, whatever is said. */
static void as_cube(struct __ws_texture *t)
{
	t->normalized = 1;
	t->mode[0] = t->mode[1] = cudaAddressModeClamp;
}

static unsigned long long object_for(const struct __ws_texture *t,
				     const struct cudaResourceDesc *resource,
				     const struct cudaTextureDesc *how)
{
	struct made_of *kept = ws_alloc_zero(1, sizeof *kept);

	if (!kept)
		return 0;
	kept->texture = *t;
	if (resource)
		kept->resource = *resource;
	if (how)
		kept->how = *how;
	pthread_mutex_lock(&made);
	kept->next = all_made;
	all_made = kept;
	pthread_mutex_unlock(&made);
	return (uintptr_t)kept;
}

/* False: it is no object, or no longer one. */
static bool forget_object(unsigned long long object)
{
	struct made_of **at = &all_made, *found;

	pthread_mutex_lock(&made);
	while (*at && (uintptr_t)*at != object)
		at = &(*at)->next;
	found = *at;
	if (found)
		*at = found->next;
	pthread_mutex_unlock(&made);
	free(found);
	return found != NULL;
}

/* What one was made of; NULL: it is no object. */
static const struct made_of *find_object(unsigned long long object)
{
	const struct made_of *found;

	pthread_mutex_lock(&made);
	for (found = all_made; found && (uintptr_t)found != object;)
		found = found->next;
	pthread_mutex_unlock(&made);
	return found;
}

/* ---- objects --------------------------------------------------------------------------- */

WS_CUDA_CALL cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
						 const struct cudaResourceDesc *resource,
						 const struct cudaTextureDesc *texture,
						 const struct cudaResourceViewDesc *view)
{
	struct __ws_texture t;
	cudaError_t error = describe_resource(&t, resource);

	*object = 0;
	if (error == cudaSuccess && view)
		error = cudaErrorNotSupported;
	if (error != cudaSuccess)
		return ws_cuda_error(error);
	for (unsigned a = 0; a < 3; a++)
		t.mode[a] = (int)texture->addressMode[a];
	t.linear = texture->filterMode == cudaFilterModeLinear;
	t.normalized = texture->normalizedCoords;
	if (resource->resType == cudaResourceTypeArray &&
	    resource->res.array.array->flags & cudaArrayCubemap)
		as_cube(&t);
	t.real = texture->readMode == cudaReadModeNormalizedFloat &&
		 t.kind != cudaChannelFormatKindFloat;
	error = check_reads(&t);
	if (error == cudaSuccess && !(*object = object_for(&t, resource, texture)))
		error = cudaErrorMemoryAllocation;
	return ws_cuda_error(error);
}

/* Nothing is destroyed twice; 0 is never one. */
WS_CUDA_CALL cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
	return ws_cuda_error(!object || forget_object(object) ? cudaSuccess
							      : cudaErrorInvalidValue);
}

WS_CUDA_CALL cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
						 const struct cudaResourceDesc *resource)
{
	struct __ws_texture t;
	cudaError_t error = resource->resType == cudaResourceTypeArray
				    ? describe_resource(&t, resource) : cudaErrorInvalidValue;

	*object = 0;
	if (error == cudaSuccess && !(*object = object_for(&t, resource, NULL)))
		error = cudaErrorMemoryAllocation;
	return ws_cuda_error(error);
}

WS_CUDA_CALL cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object)
{
	return cudaDestroyTextureObject(object);
}

WS_CUDA_CALL cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
							  cudaTextureObject_t object)
{
	const struct made_of *found = find_object(object);

	if (!found)
		return ws_cuda_error(cudaErrorInvalidValue);
	*resource = found->resource;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture,
							 cudaTextureObject_t object)
{
	const struct made_of *found = find_object(object);

	if (!found)
		return ws_cuda_error(cudaErrorInvalidValue);
	*texture = found->how;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource,
							  cudaSurfaceObject_t object)
{
	return cudaGetTextureObjectResourceDesc(resource, object);
}

/* ---- textures of a variable's own ------------------------------------------------------ */

WS_CUDA_CALL cudaError_t cudaUnbindTexture(const struct textureReference *texture)
{
	struct textureReference *r = (struct textureReference *)(uintptr_t)texture;

	(void)forget_object(r->object);
	r->object = 0;
	return cudaSuccess;
}

static cudaError_t bind_reference(const struct textureReference *r, struct __ws_texture *t)
{
	cudaError_t error;

	for (unsigned a = 0; a < 3; a++)
		t->mode[a] = (int)r->addressMode[a];
	t->linear = r->filterMode == cudaFilterModeLinear;
	t->normalized = r->normalized;
	t->real = r->readMode == cudaReadModeNormalizedFloat &&
		  t->kind != cudaChannelFormatKindFloat;
	error = check_reads(t);
	if (error == cudaSuccess) {
		(void)cudaUnbindTexture(r);
		((struct textureReference *)(uintptr_t)r)->object = object_for(t, NULL, NULL);
		error = r->object ? cudaSuccess : cudaErrorMemoryAllocation;
	}
	return error;
}

/* The bytes from there to the end of its allocation, if fewer than are asked for. */
static size_t bytes_behind(const void *pointer, size_t bytes)
{
	const struct ws_cuda_array *a = ws_cuda_enter() ? ws_cuda_find(pointer) : NULL;
	size_t left = a ? (size_t)(a->bytes - (uint64_t)((const uint8_t *)pointer - a->host)) : 0;

	ws_cuda_leave();
	return left < bytes ? left : bytes;
}

WS_CUDA_CALL cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *texture,
					 const void *pointer,
					 const struct cudaChannelFormatDesc *format, size_t bytes)
{
	struct __ws_texture t;
	cudaError_t error = describe_linear(&t, pointer, bytes_behind(pointer, bytes), format);

	if (offset)
		*offset = 0;
	return ws_cuda_error(error == cudaSuccess ? bind_reference(texture, &t) : error);
}

WS_CUDA_CALL cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *texture,
					   const void *pointer,
					   const struct cudaChannelFormatDesc *format,
					   size_t width, size_t height, size_t pitch)
{
	const struct cudaExtent extent = { width, height, 0 };
	struct __ws_texture t;
	cudaError_t error = describe(&t, (void *)(uintptr_t)pointer, &extent, pitch,
				     pitch * height, format);

	if (offset)
		*offset = 0;
	return ws_cuda_error(error == cudaSuccess ? bind_reference(texture, &t) : error);
}

WS_CUDA_CALL cudaError_t cudaBindTextureToArray(const struct textureReference *texture,
						cudaArray_const_t array,
						const struct cudaChannelFormatDesc *format)
{
	struct __ws_texture t;
	cudaError_t error = describe_array(&t, array);

	(void)format;
	return ws_cuda_error(error == cudaSuccess ? bind_reference(texture, &t) : error);
}

WS_CUDA_CALL cudaError_t cudaGetTextureAlignmentOffset(size_t *offset,
						       const struct textureReference *texture)
{
	*offset = 0;
	return ws_cuda_error(texture->object ? cudaSuccess : cudaErrorInvalidTextureBinding);
}

WS_CUDA_CALL cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *surface,
						cudaArray_const_t array,
						const struct cudaChannelFormatDesc *format)
{
	struct surfaceReference *s = (struct surfaceReference *)(uintptr_t)surface;
	struct __ws_texture t;
	cudaError_t error = describe_array(&t, array);

	if (error == cudaSuccess) {
		free((void *)(uintptr_t)s->object);
		s->object = object_for(&t, NULL, NULL);
		s->channelDesc = *format;
		error = s->object ? cudaSuccess : cudaErrorMemoryAllocation;
	}
	return ws_cuda_error(error);
}
