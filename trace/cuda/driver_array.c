/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/driver_array.c -- the driver's arrays, copies of boxes, textures and surfaces, by
 * those of the runtime.  A CUarray is a cudaArray_t.
 */
#include "trace/cuda/runtime.h"

static const struct {
	CUarray_format format;
	int bits;
	enum cudaChannelFormatKind kind;
} formats[] = {
	{ CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned },
	{ CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned },
	{ CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned },
	{ CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned },
	{ CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned },
	{ CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned },
	{ CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat },
	{ CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat },
};

/* None is of no channel. */
static struct cudaChannelFormatDesc channels(CUarray_format format, unsigned int count)
{
	struct cudaChannelFormatDesc d = { 0, 0, 0, 0, cudaChannelFormatKindNone };

	for (size_t i = 0; i < WS_COUNT(formats); i++) {
		int bits = formats[i].bits;

		if (formats[i].format == format)
			d = (struct cudaChannelFormatDesc){ bits, count > 1 ? bits : 0,
							    count > 2 ? bits : 0,
							    count > 3 ? bits : 0, formats[i].kind };
	}
	return d;
}

static CUarray_format format_of(const struct cudaChannelFormatDesc *d)
{
	for (size_t i = 0; i < WS_COUNT(formats); i++) {
		if (formats[i].bits == d->x && formats[i].kind == d->f)
			return formats[i].format;
	}
	return CU_AD_FORMAT_FLOAT;
}

static cudaArray_t array_of(CUarray array)
{
	return (cudaArray_t)(void *)array;
}

WS_CUDA_CALL CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	const struct cudaChannelFormatDesc format = channels(d->Format, d->NumChannels);
	const struct cudaExtent extent = { d->Width, d->Height, d->Depth };
	cudaArray_t made = NULL;
	CUresult result = ws_driver_error(cudaMalloc3DArray(&made, &format, extent, d->Flags));

	*array = (CUarray)(void *)made;
	return result;
}

WS_CUDA_CALL CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *d)
{
	const CUDA_ARRAY3D_DESCRIPTOR all = { d->Width, d->Height, 0, d->Format, d->NumChannels,
					      0 };

	return cuArray3DCreate(array, &all);
}

WS_CUDA_CALL CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *d, CUarray array)
{
	const struct cudaArray *a = array_of(array);

	if (!a)
		return CUDA_ERROR_INVALID_HANDLE;
	*d = (CUDA_ARRAY3D_DESCRIPTOR){
		a->extent.width, a->extent.height, a->extent.depth, format_of(&a->format),
		(unsigned int)(a->texel * 8 / (size_t)a->format.x), a->flags };
	return CUDA_SUCCESS;
}

WS_CUDA_CALL CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *d, CUarray array)
{
	CUDA_ARRAY3D_DESCRIPTOR all;
	CUresult result = cuArray3DGetDescriptor(&all, array);

	if (result == CUDA_SUCCESS)
		*d = (CUDA_ARRAY_DESCRIPTOR){ all.Width, all.Height, all.Format, all.NumChannels };
	return result;
}

WS_CUDA_CALL CUresult cuArrayDestroy(CUarray array)
{
	return array ? ws_driver_error(cudaFreeArray(array_of(array))) : CUDA_ERROR_INVALID_HANDLE;
}

/* ---- copies ---------------------------------------------------------------------------- */

struct copy_end { /* where it begins */
	CUmemorytype type;
	void *host;
	CUdeviceptr device;
	CUarray array;
	size_t x, y, z, pitch, height;
};

static bool driver_box(struct ws_cuda_box *b, const struct copy_end *s,
		       const struct cudaExtent *bytes)
{
	uint8_t *at = s->type == CU_MEMORYTYPE_HOST ? s->host : (void *)(uintptr_t)s->device;
	size_t pitch = s->pitch ? s->pitch : bytes->width;
	size_t height = s->height ? s->height : bytes->height;

	if (s->type == CU_MEMORYTYPE_ARRAY)
		return s->array &&
		       ws_cuda_array_box(b, array_of(s->array), s->x, s->y, s->z, bytes);
	*b = (struct ws_cuda_box){ at + (s->z * height + s->y) * pitch + s->x, pitch,
				   pitch * height };
	return at != NULL;
}

static enum cudaMemcpyKind kind_of(CUmemorytype to, CUmemorytype from)
{
	bool from_host = from == CU_MEMORYTYPE_HOST;

	if (to == CU_MEMORYTYPE_UNIFIED || from == CU_MEMORYTYPE_UNIFIED)
		return cudaMemcpyDefault;
	if (to == CU_MEMORYTYPE_HOST)
		return from_host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
	return from_host ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

static CUresult copy_box(const struct copy_end *to, const struct copy_end *from,
			 const struct cudaExtent *bytes)
{
	struct ws_cuda_box target, source;

	if (!driver_box(&target, to, bytes) || !driver_box(&source, from, bytes))
		return CUDA_ERROR_INVALID_VALUE;
	return ws_driver_error(ws_cuda_copy(&target, &source, bytes,
					    kind_of(to->type, from->type)));
}

WS_CUDA_CALL CUresult cuMemcpy3D(const CUDA_MEMCPY3D *c)
{
	const struct copy_end to = { c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray,
				 c->dstXInBytes, c->dstY, c->dstZ, c->dstPitch, c->dstHeight };
	const struct copy_end from = { c->srcMemoryType, (void *)(uintptr_t)c->srcHost,
				   c->srcDevice,
				   c->srcArray, c->srcXInBytes, c->srcY, c->srcZ, c->srcPitch,
				   c->srcHeight };
	const struct cudaExtent bytes = { c->WidthInBytes, c->Height, c->Depth };

	return copy_box(&to, &from, &bytes);
}

WS_CUDA_CALL CUresult cuMemcpy2D(const CUDA_MEMCPY2D *c)
{
	const struct copy_end to = { c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray,
				 c->dstXInBytes, c->dstY, 0, c->dstPitch, 0 };
	const struct copy_end from = { c->srcMemoryType, (void *)(uintptr_t)c->srcHost,
				   c->srcDevice,
				   c->srcArray, c->srcXInBytes, c->srcY, 0, c->srcPitch, 0 };
	const struct cudaExtent bytes = { c->WidthInBytes, c->Height, 1 };

	return copy_box(&to, &from, &bytes);
}

WS_CUDA_CALL CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *c)
{
	return cuMemcpy2D(c);
}

WS_CUDA_CALL CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *c, CUstream stream)
{
	(void)stream;
	return cuMemcpy2D(c);
}

WS_CUDA_CALL CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *c, CUstream stream)
{
	(void)stream;
	return cuMemcpy3D(c);
}

/* Bytes of an array's first row. */
static CUresult copy_row(const struct copy_end *to, const struct copy_end *from, size_t bytes)
{
	const struct cudaExtent extent = { bytes, 1, 1 };

	return copy_box(to, from, &extent);
}

WS_CUDA_CALL CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void *from, size_t bytes)
{
	const struct copy_end target = { .type = CU_MEMORYTYPE_ARRAY, .array = to, .x = offset };
	const struct copy_end source = { .type = CU_MEMORYTYPE_HOST,
					 .host = (void *)(uintptr_t)from };

	return copy_row(&target, &source, bytes);
}

WS_CUDA_CALL CUresult cuMemcpyAtoH(void *to, CUarray from, size_t offset, size_t bytes)
{
	const struct copy_end target = { .type = CU_MEMORYTYPE_HOST, .host = to };
	const struct copy_end source = { .type = CU_MEMORYTYPE_ARRAY, .array = from, .x = offset };

	return copy_row(&target, &source, bytes);
}

WS_CUDA_CALL CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t bytes)
{
	const struct copy_end target = { .type = CU_MEMORYTYPE_ARRAY, .array = to, .x = offset };
	const struct copy_end source = { .type = CU_MEMORYTYPE_DEVICE, .device = from };

	return copy_row(&target, &source, bytes);
}

WS_CUDA_CALL CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t bytes)
{
	const struct copy_end target = { .type = CU_MEMORYTYPE_DEVICE, .device = to };
	const struct copy_end source = { .type = CU_MEMORYTYPE_ARRAY, .array = from, .x = offset };

	return copy_row(&target, &source, bytes);
}

/* ---- textures and surfaces ------------------------------------------------------------- */

static CUresult resource_of(struct cudaResourceDesc *to, const CUDA_RESOURCE_DESC *from)
{
	*to = (struct cudaResourceDesc){ .resType = (enum cudaResourceType)from->resType };
	switch (from->resType) {
	case CU_RESOURCE_TYPE_ARRAY:
		to->res.array.array = array_of(from->res.array.hArray);
		return CUDA_SUCCESS;
	case CU_RESOURCE_TYPE_LINEAR:
		to->res.linear.devPtr = (void *)(uintptr_t)from->res.linear.devPtr;
		to->res.linear.desc = channels(from->res.linear.format,
					       from->res.linear.numChannels);
		to->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
		return CUDA_SUCCESS;
	case CU_RESOURCE_TYPE_PITCH2D:
		to->res.pitch2D.devPtr = (void *)(uintptr_t)from->res.pitch2D.devPtr;
		to->res.pitch2D.desc = channels(from->res.pitch2D.format,
						from->res.pitch2D.numChannels);
		to->res.pitch2D.width = from->res.pitch2D.width;
		to->res.pitch2D.height = from->res.pitch2D.height;
		to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
		return CUDA_SUCCESS;
	case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	return CUDA_ERROR_INVALID_VALUE;
}

static struct cudaChannelFormatDesc format_in(const struct cudaResourceDesc *r)
{
	struct cudaChannelFormatDesc none = { 0, 0, 0, 0, cudaChannelFormatKindNone };

	switch (r->resType) {
	case cudaResourceTypeArray:
		return r->res.array.array ? r->res.array.array->format : none;
	case cudaResourceTypeLinear:
		return r->res.linear.desc;
	case cudaResourceTypePitch2D:
		return r->res.pitch2D.desc;
	default:
		return none;
	}
}

/* Small integers are read as parts of one, unless as integers is asked for. */
static void texture_of(struct cudaTextureDesc *to, const CUDA_TEXTURE_DESC *from,
		       const struct cudaChannelFormatDesc *format)
{
	bool small = format->f != cudaChannelFormatKindFloat && format->x < 32;

	*to = (struct cudaTextureDesc){
		.filterMode = (enum cudaTextureFilterMode)from->filterMode,
		.normalizedCoords = (from->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0,
		.readMode = small && !(from->flags & CU_TRSF_READ_AS_INTEGER)
				    ? cudaReadModeNormalizedFloat : cudaReadModeElementType,
	};
	for (unsigned a = 0; a < 3; a++)
		to->addressMode[a] = (enum cudaTextureAddressMode)from->addressMode[a];
}

WS_CUDA_CALL CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource,
					const CUDA_TEXTURE_DESC *texture,
					const CUDA_RESOURCE_VIEW_DESC *view)
{
	struct cudaResourceDesc r;
	struct cudaTextureDesc t;
	struct cudaChannelFormatDesc format;
	CUresult result = view ? CUDA_ERROR_NOT_SUPPORTED : resource_of(&r, resource);

	*object = 0;
	if (result != CUDA_SUCCESS)
		return result;
	format = format_in(&r);
	texture_of(&t, texture, &format);
	return ws_driver_error(cudaCreateTextureObject(object, &r, &t, NULL));
}

WS_CUDA_CALL CUresult cuTexObjectDestroy(CUtexObject object)
{
	return ws_driver_error(cudaDestroyTextureObject(object));
}

WS_CUDA_CALL CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource)
{
	struct cudaResourceDesc r;
	CUresult result = resource_of(&r, resource);

	*object = 0;
	return result == CUDA_SUCCESS ? ws_driver_error(cudaCreateSurfaceObject(object, &r))
				      : result;
}

WS_CUDA_CALL CUresult cuSurfObjectDestroy(CUsurfObject object)
{
	return ws_driver_error(cudaDestroySurfaceObject(object));
}
