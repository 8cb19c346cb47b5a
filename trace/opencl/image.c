/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/opencl/image.c -- images, which are buffers with a shape, and samplers.
 *
 * Kernels run on an image's memory as the platform keeps it: rows with whatever pitch a mapping
 * tells.  An image made of a buffer has that buffer's memory and addresses.  An image whose format
 * or kind is not supported stays unknown, and kernels that use it are left to the platform.
 */
#include "trace/opencl/layer.h"

#include <stdlib.h>
#include <string.h>

/* ---- images ---------------------------------------------------------------------------- */

static enum ws_image_shape shape_of(cl_mem_object_type type)
{
	switch (type) {
	case CL_MEM_OBJECT_IMAGE1D:
		return WS_IMAGE_1D;
	case CL_MEM_OBJECT_IMAGE1D_BUFFER:
		return WS_IMAGE_BUFFER;
	case CL_MEM_OBJECT_IMAGE1D_ARRAY:
		return WS_IMAGE_1D_ARRAY;
	case CL_MEM_OBJECT_IMAGE2D:
		return WS_IMAGE_2D;
	case CL_MEM_OBJECT_IMAGE2D_ARRAY:
		return WS_IMAGE_2D_ARRAY;
	case CL_MEM_OBJECT_IMAGE3D:
		return WS_IMAGE_3D;
	default:
		return WS_IMAGE_NONE;
	}
}

static size_t size_of(cl_mem mem, cl_image_info what)
{
	size_t value = 0;

	ws_layer.next->clGetImageInfo(mem, what, sizeof value, &value, NULL);
	return value;
}

/* False: it is none that we know. */
static bool describe(cl_mem mem, struct ws_image *m)
{
	cl_mem_object_type type = 0;
	cl_image_format format = { 0 };
	size_t depth;

	ws_layer.next->clGetMemObjectInfo(mem, CL_MEM_TYPE, sizeof type, &type, NULL);
	ws_layer.next->clGetImageInfo(mem, CL_IMAGE_FORMAT, sizeof format, &format, NULL);
	*m = (struct ws_image){ .shape = (uint8_t)shape_of(type),
				.order = format.image_channel_order,
				.type = format.image_channel_data_type,
				.width = (uint32_t)size_of(mem, CL_IMAGE_WIDTH),
				.height = (uint32_t)size_of(mem, CL_IMAGE_HEIGHT) };
	depth = size_of(mem, m->shape == WS_IMAGE_3D ? CL_IMAGE_DEPTH : CL_IMAGE_ARRAY_SIZE);
	m->depth = depth ? (uint32_t)depth : 1;
	m->height = m->height ? m->height : 1;
	m->texel = ws_texel_bytes(m->order, m->type);
	m->row = size_of(mem, CL_IMAGE_ROW_PITCH);
	m->slice = size_of(mem, CL_IMAGE_SLICE_PITCH);
	return m->shape && m->width && m->texel;
}

/* Where its memory is, and its pitches, by a mapping; NULL: the platform does not tell. */
static uint8_t *memory_of(cl_context context, cl_mem mem, struct ws_image *m)
{
	static const size_t origin[3];
	size_t region[3] = { m->width, m->height, m->depth }, row = 0, slice = 0;
	cl_command_queue queue = ws_own_queue(context);
	cl_int status = CL_SUCCESS;
	uint8_t *host;

	if (!queue)
		return NULL;
	if (m->shape == WS_IMAGE_1D_ARRAY) {
		region[1] = m->depth;
		region[2] = 1;
	}
	host = ws_layer.next->clEnqueueMapImage(queue, mem, CL_FALSE, CL_MAP_READ, origin, region,
						&row, &slice, 0, NULL, NULL, &status);
	if (host) {
		ws_layer.next->clEnqueueUnmapMemObject(queue, mem, host, 0, NULL, NULL);
		m->row = row ? row : m->row;
		m->slice = slice ? slice : m->slice;
	}
	ws_own_queue_end(queue);
	return host;
}

/* Pitches that the platform leaves out where they do not matter. */
static void complete(struct ws_image *m)
{
	if (!m->row)
		m->row = (uint64_t)m->width * m->texel;
	if (m->shape == WS_IMAGE_1D_ARRAY && m->slice < m->row)
		m->slice = m->row; /* a layer is a row */
	if (m->slice < m->row * m->height)
		m->slice = m->row * m->height;
}

/* Of a buffer, whose memory it is. */
static void add_part(cl_mem mem, cl_mem parent, cl_mem_flags flags, const struct ws_image *m)
{
	struct ws_cl_buffer *of, *b;

	pthread_mutex_lock(&ws_layer.lock);
	of = ws_buffer_hold(parent);
	b = of && !of->image.shape
		    ? ws_cl_buffer_new(mem, of->context, (size_t)ws_image_bytes(m), flags) : NULL;
	if (b) {
		b->root = of->root;
		b->root->handle.refs++;
		b->origin = of->origin;
		b->base = of->base;
		b->host = of->host;
		b->image = *m;
	}
	if (of)
		ws_cl_buffer_drop(of);
	pthread_mutex_unlock(&ws_layer.lock);
}

static void add_whole(cl_mem mem, cl_context context, cl_mem_flags flags, struct ws_image *m)
{
	uint8_t *host = memory_of(context, mem, m);
	struct ws_cl_buffer *b;

	complete(m);
	m->tiled = ws_app.settings.tiled && m->height > 1;
	pthread_mutex_lock(&ws_layer.lock);
	b = ws_cl_buffer_new(mem, context, (size_t)(m->slice * m->depth), flags);
	if (b) {
		b->image = *m;
		b->base = ws_address_take((size_t)ws_image_bytes(m));
		b->host = host;
	}
	pthread_mutex_unlock(&ws_layer.lock);
}

static void add_image(cl_mem mem, cl_context context, cl_mem_flags flags)
{
	struct ws_image m;
	cl_mem parent = NULL;

	if (!describe(mem, &m))
		return;
	ws_layer.next->clGetMemObjectInfo(mem, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent,
					  NULL);
	if (parent) {
		complete(&m);
		add_part(mem, parent, flags, &m);
	} else {
		add_whole(mem, context, flags, &m);
	}
}

static cl_mem CL_API_CALL create(cl_context context, cl_mem_flags flags,
				 const cl_image_format *format, const cl_image_desc *desc,
				 void *host, cl_int *status)
{
	cl_mem mem = ws_layer.next->clCreateImage(context, ws_without_host(flags), format, desc,
						  host, status);

	if (mem)
		add_image(mem, context, flags);
	return mem;
}

static cl_mem CL_API_CALL create_with_properties(cl_context context,
						 const cl_mem_properties *properties,
						 cl_mem_flags flags,
						 const cl_image_format *format,
						 const cl_image_desc *desc, void *host,
						 cl_int *status)
{
	cl_mem mem = ws_layer.next->clCreateImageWithProperties(
		context, properties, ws_without_host(flags), format, desc, host, status);

	if (mem)
		add_image(mem, context, flags);
	return mem;
}

static cl_mem CL_API_CALL create_2d(cl_context context, cl_mem_flags flags,
				    const cl_image_format *format, size_t width, size_t height,
				    size_t row, void *host, cl_int *status)
{
	cl_mem mem = ws_layer.next->clCreateImage2D(context, ws_without_host(flags), format, width,
						    height, row, host, status);

	if (mem)
		add_image(mem, context, flags);
	return mem;
}

static cl_mem CL_API_CALL create_3d(cl_context context, cl_mem_flags flags,
				    const cl_image_format *format, size_t width, size_t height,
				    size_t depth, size_t row, size_t slice, void *host,
				    cl_int *status)
{
	cl_mem mem = ws_layer.next->clCreateImage3D(context, ws_without_host(flags), format, width,
						    height, depth, row, slice, host, status);

	if (mem)
		add_image(mem, context, flags);
	return mem;
}

/* ---- samplers -------------------------------------------------------------------------- */

struct sampler {
	struct ws_handle handle;
	uint32_t bits; /* as OpenCL C has them */
};

static uint32_t bits_of(cl_sampler s)
{
	cl_addressing_mode address = CL_ADDRESS_NONE;
	cl_filter_mode filter = CL_FILTER_NEAREST;
	cl_bool normalized = CL_FALSE;
	uint32_t bits;

	ws_layer.next->clGetSamplerInfo(s, CL_SAMPLER_ADDRESSING_MODE, sizeof address, &address,
					NULL);
	ws_layer.next->clGetSamplerInfo(s, CL_SAMPLER_FILTER_MODE, sizeof filter, &filter, NULL);
	ws_layer.next->clGetSamplerInfo(s, CL_SAMPLER_NORMALIZED_COORDS, sizeof normalized,
					&normalized, NULL);
	bits = filter == CL_FILTER_LINEAR ? 0x20 : 0x10;
	bits |= normalized ? 1 : 0;
	return bits | (address == CL_ADDRESS_CLAMP_TO_EDGE     ? 2
		       : address == CL_ADDRESS_CLAMP	       ? 4
		       : address == CL_ADDRESS_REPEAT	       ? 6
		       : address == CL_ADDRESS_MIRRORED_REPEAT ? 8
							       : 0);
}

static void add_sampler(cl_sampler s)
{
	struct sampler *new = ws_alloc_zero(1, sizeof *new);

	if (!new)
		return;
	*new = (struct sampler){ .handle = { .key = s, .refs = 1 }, .bits = bits_of(s) };
	pthread_mutex_lock(&ws_layer.lock);
	free(ws_handles_put(&ws_layer.samplers, &new->handle));
	pthread_mutex_unlock(&ws_layer.lock);
}

static cl_sampler CL_API_CALL create_sampler(cl_context context, cl_bool normalized,
					     cl_addressing_mode address, cl_filter_mode filter,
					     cl_int *status)
{
	cl_sampler s = ws_layer.next->clCreateSampler(context, normalized, address, filter, status);

	if (s)
		add_sampler(s);
	return s;
}

static cl_sampler CL_API_CALL create_sampler_with_properties(
	cl_context context, const cl_sampler_properties *properties, cl_int *status)
{
	cl_sampler s = ws_layer.next->clCreateSamplerWithProperties(context, properties, status);

	if (s)
		add_sampler(s);
	return s;
}

static cl_int CL_API_CALL retain_sampler(cl_sampler s)
{
	cl_int status = ws_layer.next->clRetainSampler(s);
	struct ws_handle *h;

	if (status == CL_SUCCESS) {
		pthread_mutex_lock(&ws_layer.lock);
		if ((h = ws_handles_get(&ws_layer.samplers, s)))
			h->refs++;
		pthread_mutex_unlock(&ws_layer.lock);
	}
	return status;
}

static cl_int CL_API_CALL release_sampler(cl_sampler s)
{
	struct ws_handle *h;

	pthread_mutex_lock(&ws_layer.lock);
	if ((h = ws_handles_get(&ws_layer.samplers, s)) && --h->refs == 0) {
		ws_handles_remove(&ws_layer.samplers, h);
		free(h);
	}
	pthread_mutex_unlock(&ws_layer.lock);
	return ws_layer.next->clReleaseSampler(s);
}

/* ---- what kernels are made for --------------------------------------------------------- */

/* A value that happens to be the handle of an image makes a kernel like the others. */
struct ws_opaque ws_opaque_of(const struct ws_cl_arg *a)
{
	const struct ws_handle *sampler;
	const struct ws_cl_buffer *b;
	void *handle;

	if (!a->value || a->svm || a->size != sizeof handle)
		return (struct ws_opaque){ 0 };
	memcpy(&handle, a->value, sizeof handle);
	b = (const struct ws_cl_buffer *)ws_handles_get(&ws_layer.buffers, handle);
	if (b && b->image.shape)
		return (struct ws_opaque){ b->image.order | b->image.type << 16, b->image.tiled };
	sampler = b ? NULL : ws_handles_get(&ws_layer.samplers, handle);
	return (struct ws_opaque){ sampler ? ((const struct sampler *)sampler)->bits : 0, false };
}

void ws_image_take(cl_icd_dispatch *d)
{
	d->clCreateImage = create;
	d->clCreateImageWithProperties = create_with_properties;
	d->clCreateImage2D = create_2d;
	d->clCreateImage3D = create_3d;
	d->clCreateSampler = create_sampler;
	d->clCreateSamplerWithProperties = create_sampler_with_properties;
	d->clRetainSampler = retain_sampler;
	d->clReleaseSampler = release_sampler;
}
