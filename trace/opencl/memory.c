/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/opencl/memory.c -- buffers, sub-buffers and shared virtual memory.
 *
 * Each allocation has a device address, given when it is made: the first gap that takes it, at 256
 * bytes, as devices' allocators do; so addresses do not depend on the host's, and memory
 * that is released is used again.
 *
 * Flags that keep the host from reading or writing a buffer are not handed on, since kernels run on
 * the host; queries answer with what the program gave.
 *
 * Where a buffer's memory is, is asked once, by a mapping before the program has the buffer: on a
 * CPU that memory stays where it is.  A mapping by us while the program holds one, or waits for
 * one, would be taken for it: platforms find mappings by their pointers.
 */
#include "trace/opencl/layer.h"

#include <stdlib.h>
#include <string.h>

#define HOST_FLAGS \
	((cl_mem_flags)(CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS))
#define DEVICE_ALIGN UINT64_C(256)

/* ---- device addresses ------------------------------------------------------------------ */

static uint64_t rounded(uint64_t bytes)
{
	return ((bytes ? bytes : 1) + DEVICE_ALIGN - 1) / DEVICE_ALIGN * DEVICE_ALIGN;
}

/* Allocations by address; the lock is held. */
struct space {
	struct span {
		uint64_t base, bytes;
	} *span;
	size_t count, cap;
};
static struct space space;

/* 0: out of memory. */
uint64_t ws_address_take(size_t bytes)
{
	uint64_t at = WS_DEVICE_BASE, want = rounded(bytes);
	size_t i = 0;

	if (!WS_ROOM(space.span, space.cap, space.count + 1))
		return 0;
	for (; i < space.count && space.span[i].base - at < want; i++)
		at = space.span[i].base + space.span[i].bytes;
	memmove(&space.span[i + 1], &space.span[i], (space.count - i) * sizeof *space.span);
	space.span[i] = (struct span){ at, want };
	space.count++;
	return at;
}

static void address_give(uint64_t base)
{
	for (size_t i = 0; i < space.count; i++) {
		if (space.span[i].base != base)
			continue;
		space.count--;
		memmove(&space.span[i], &space.span[i + 1],
			(space.count - i) * sizeof *space.span);
		return;
	}
}

/* ---- buffers --------------------------------------------------------------------------- */

static struct ws_cl_buffer *find_buffer(cl_mem mem)
{
	return (struct ws_cl_buffer *)ws_handles_get(&ws_layer.buffers, mem);
}

struct ws_cl_buffer *ws_buffer_hold(cl_mem mem)
{
	struct ws_cl_buffer *b = find_buffer(mem);

	if (b)
		b->handle.refs++;
	return b;
}

void ws_cl_buffer_drop(struct ws_cl_buffer *b)
{
	if (--b->handle.refs > 0)
		return;
	ws_handles_remove(&ws_layer.buffers, &b->handle);
	if (b->root != b)
		ws_cl_buffer_drop(b->root);
	else
		address_give(b->base);
	free(b);
}

struct ws_cl_buffer *ws_cl_buffer_new(cl_mem mem, cl_context context, size_t bytes,
				      cl_mem_flags flags)
{
	struct ws_cl_buffer *b = ws_alloc_zero(1, sizeof *b);

	if (!b)
		return NULL;
	*b = (struct ws_cl_buffer){ .handle = { .key = mem, .refs = 1 }, .mem = mem,
				    .context = context, .root = b, .bytes = bytes,
				    .flags = flags };
	ws_handles_put(&ws_layer.buffers, &b->handle); /* what it replaces was no longer there */
	return b;
}

cl_command_queue ws_own_queue(cl_context context)
{
	cl_device_id device[64];
	size_t bytes = 0;
	cl_int status = CL_SUCCESS;

	if (ws_layer.next->clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, device,
					    &bytes) != CL_SUCCESS || bytes < sizeof *device)
		return NULL;
	return ws_layer.next->clCreateCommandQueue(context, device[0], 0, &status);
}

void ws_own_queue_end(cl_command_queue queue)
{
	if (ws_event_in_callback())
		ws_layer.next->clFlush(queue);
	else
		ws_layer.next->clFinish(queue);
	ws_layer.next->clReleaseCommandQueue(queue);
}

/* Where a new buffer's memory is; NULL: the platform does not tell.  In a callback nothing is
 * waited for: the pointer is known at once, and what the program maps comes behind. */
static uint8_t *memory_of(cl_context context, cl_mem mem, size_t bytes)
{
	cl_command_queue queue = ws_own_queue(context);
	cl_int status = CL_SUCCESS;
	uint8_t *host;

	if (!queue)
		return NULL;
	host = ws_layer.next->clEnqueueMapBuffer(queue, mem, CL_FALSE, CL_MAP_READ, 0, bytes, 0,
						 NULL, NULL, &status);
	if (host)
		ws_layer.next->clEnqueueUnmapMemObject(queue, mem, host, 0, NULL, NULL);
	ws_own_queue_end(queue);
	return host;
}

static void add_buffer(cl_mem mem, cl_context context, size_t bytes, cl_mem_flags flags)
{
	uint8_t *host = memory_of(context, mem, bytes);
	struct ws_cl_buffer *b;

	pthread_mutex_lock(&ws_layer.lock);
	b = ws_cl_buffer_new(mem, context, bytes, flags);
	if (b) {
		b->base = ws_address_take(bytes);
		b->host = host;
	}
	pthread_mutex_unlock(&ws_layer.lock);
}

/* Contradictory ones are the platform's to refuse. */
cl_mem_flags ws_without_host(cl_mem_flags flags)
{
	cl_mem_flags host = flags & HOST_FLAGS;

	return host & (host - 1) ? flags : flags & ~HOST_FLAGS;
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t bytes,
					void *host, cl_int *status)
{
	cl_mem mem = ws_layer.next->clCreateBuffer(context, ws_without_host(flags), bytes, host,
						   status);

	if (mem)
		add_buffer(mem, context, bytes, flags);
	return mem;
}

static cl_mem CL_API_CALL create_buffer_with_properties(cl_context context,
							const cl_mem_properties *properties,
							cl_mem_flags flags, size_t bytes,
							void *host, cl_int *status)
{
	cl_mem mem = ws_layer.next->clCreateBufferWithProperties(
		context, properties, ws_without_host(flags), bytes, host, status);

	if (mem)
		add_buffer(mem, context, bytes, flags);
	return mem;
}

static cl_mem CL_API_CALL create_sub_buffer(cl_mem parent, cl_mem_flags flags,
					    cl_buffer_create_type type, const void *info,
					    cl_int *status)
{
	cl_mem mem = ws_layer.next->clCreateSubBuffer(parent, ws_without_host(flags), type, info,
						      status);
	const cl_buffer_region *region = info;
	struct ws_cl_buffer *root, *b;

	if (!mem)
		return NULL;
	pthread_mutex_lock(&ws_layer.lock);
	root = ws_buffer_hold(parent);
	b = root ? ws_cl_buffer_new(mem, root->context, region->size,
				    flags & HOST_FLAGS ? flags
						       : flags | (root->flags & HOST_FLAGS))
		 : NULL;
	if (b) {
		b->root = root;
		b->origin = region->origin;
		b->base = root->base + region->origin;
		b->host = root->host ? root->host + region->origin : NULL;
	} else if (root) {
		ws_cl_buffer_drop(root);
	}
	pthread_mutex_unlock(&ws_layer.lock);
	return mem;
}

static cl_int CL_API_CALL retain(cl_mem mem)
{
	cl_int status = ws_layer.next->clRetainMemObject(mem);

	if (status == CL_SUCCESS) {
		pthread_mutex_lock(&ws_layer.lock);
		ws_buffer_hold(mem);
		pthread_mutex_unlock(&ws_layer.lock);
	}
	return status;
}

static cl_int CL_API_CALL release(cl_mem mem)
{
	struct ws_cl_buffer *b;

	pthread_mutex_lock(&ws_layer.lock);
	if ((b = find_buffer(mem)))
		ws_cl_buffer_drop(b);
	pthread_mutex_unlock(&ws_layer.lock);
	return ws_layer.next->clReleaseMemObject(mem);
}

static cl_int CL_API_CALL get_info(cl_mem mem, cl_mem_info what, size_t room, void *to,
				   size_t *size)
{
	struct ws_cl_buffer *b;
	cl_mem_flags flags = 0;

	if (what == CL_MEM_FLAGS) {
		pthread_mutex_lock(&ws_layer.lock);
		b = find_buffer(mem);
		flags = b && (b->flags & HOST_FLAGS) ? b->flags : 0;
		pthread_mutex_unlock(&ws_layer.lock);
	}
	return flags ? ws_answer(&flags, sizeof flags, room, to, size)
		     : ws_layer.next->clGetMemObjectInfo(mem, what, room, to, size);
}

/* ---- shared virtual memory ------------------------------------------------------------- */

static void *CL_API_CALL svm_alloc(cl_context context, cl_svm_mem_flags flags, size_t bytes,
				   cl_uint align)
{
	void *host = ws_layer.next->clSVMAlloc(context, flags, bytes, align);
	uint64_t base;

	if (!host)
		return NULL;
	pthread_mutex_lock(&ws_layer.lock);
	base = ws_address_take(bytes);
	if (WS_ROOM(ws_layer.svm, ws_layer.svm_cap, ws_layer.svms + 1))
		ws_layer.svm[ws_layer.svms++] = (struct ws_svm){ context, host, bytes, base };
	pthread_mutex_unlock(&ws_layer.lock);
	return host;
}

static void forget_host(const void *host)
{
	pthread_mutex_lock(&ws_layer.lock);
	for (size_t i = 0; i < ws_layer.svms; i++) {
		if (ws_layer.svm[i].host != host)
			continue;
		address_give(ws_layer.svm[i].base);
		ws_layer.svms--;
		memmove(&ws_layer.svm[i], &ws_layer.svm[i + 1],
			(ws_layer.svms - i) * sizeof *ws_layer.svm);
		break;
	}
	pthread_mutex_unlock(&ws_layer.lock);
}

static void CL_API_CALL svm_free(cl_context context, void *host)
{
	if (host)
		forget_host(host);
	ws_layer.next->clSVMFree(context, host);
}

/* With a callback the program frees by clSVMFree, which is seen too. */
static cl_int CL_API_CALL enqueue_svm_free(
	cl_command_queue queue, cl_uint count, void *host[],
	void(CL_CALLBACK *callback)(cl_command_queue, cl_uint, void *[], void *), void *data,
	cl_uint waits, const cl_event *wait, cl_event *event)
{
	cl_int status = ws_layer.next->clEnqueueSVMFree(queue, count, host, callback, data, waits,
							wait, event);

	for (cl_uint i = 0; status == CL_SUCCESS && !callback && i < count; i++)
		forget_host(host[i]);
	return status;
}

void ws_memory_take(cl_icd_dispatch *d)
{
	d->clCreateBuffer = create_buffer;
	d->clCreateBufferWithProperties = create_buffer_with_properties;
	d->clCreateSubBuffer = create_sub_buffer;
	d->clRetainMemObject = retain;
	d->clReleaseMemObject = release;
	d->clGetMemObjectInfo = get_info;
	d->clSVMAlloc = svm_alloc;
	d->clSVMFree = svm_free;
	d->clEnqueueSVMFree = enqueue_svm_free;
}
