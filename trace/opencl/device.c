/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/opencl/device.c -- the platform's CPU, presented as the machine: a GPU.
 *
 * Programs that ask for GPUs only find it, where the platform has none of its own; name and
 * limits are the machine's.  Asked for as a CPU it is found too.  Other devices are left alone.
 */
#include "trace/opencl/layer.h"

#include <string.h>

#define WARP_SIZE_NV 0x4003 /* CL_DEVICE_WARP_SIZE_NV */
#define GROUP_DEPTH  64u    /* work-items in the third dimension, on GPUs */

cl_int ws_answer(const void *value, size_t len, size_t room, void *to, size_t *size)
{
	if (to && room < len)
		return CL_INVALID_VALUE;
	if (to)
		memcpy(to, value, len);
	if (size)
		*size = len;
	return CL_SUCCESS;
}

static bool asks_for_gpu(cl_device_type type)
{
	return type != CL_DEVICE_TYPE_ALL && (type & CL_DEVICE_TYPE_GPU);
}

static cl_device_type with_cpu(cl_device_type type)
{
	return (type & ~(cl_device_type)CL_DEVICE_TYPE_GPU) | CL_DEVICE_TYPE_CPU;
}

static cl_int CL_API_CALL get_device_ids(cl_platform_id platform, cl_device_type type,
					 cl_uint room, cl_device_id *device, cl_uint *count)
{
	cl_int status = ws_layer.next->clGetDeviceIDs(platform, type, room, device, count);

	if (status == CL_DEVICE_NOT_FOUND && asks_for_gpu(type))
		return ws_layer.next->clGetDeviceIDs(platform, with_cpu(type), room, device, count);
	return status;
}

static cl_context CL_API_CALL create_context_from_type(
	const cl_context_properties *properties, cl_device_type type,
	void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,
	cl_int *status)
{
	cl_int own = CL_SUCCESS;
	cl_context context = ws_layer.next->clCreateContextFromType(properties, type, notify, data,
								    &own);

	if (own == CL_DEVICE_NOT_FOUND && asks_for_gpu(type)) /* PoCL's is not NULL then */
		context = ws_layer.next->clCreateContextFromType(properties, with_cpu(type), notify,
								 data, &own);
	if (status)
		*status = own;
	return context;
}

static bool is_ours(cl_device_id device)
{
	cl_device_type type = 0;

	return ws_layer.next->clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL) ==
		       CL_SUCCESS &&
	       (type & CL_DEVICE_TYPE_CPU);
}

struct answer {
	union {
		cl_uint u;
		cl_ulong ul;
		size_t s[3];
	} v;
	const void *at;
	size_t len;
};

static bool answer_uint(struct answer *a, uint64_t value)
{
	a->v.u = (cl_uint)value;
	a->len = sizeof a->v.u;
	return true;
}

static bool answer_ulong(struct answer *a, uint64_t value)
{
	a->v.ul = value;
	a->len = sizeof a->v.ul;
	return true;
}

static bool answer_sizes(struct answer *a, size_t x, size_t y, size_t z, size_t count)
{
	a->v.s[0] = x;
	a->v.s[1] = y;
	a->v.s[2] = z;
	a->len = count * sizeof a->v.s[0];
	return true;
}

static bool answer_text(struct answer *a, const char *text)
{
	a->at = text;
	a->len = strlen(text) + 1;
	return true;
}

/* What the machine answers; false: it does not say. */
static bool machine_answer(struct answer *a, cl_device_info what)
{
	const struct ws_machine *m = &ws_app.settings.machine;
	size_t most = (size_t)m->cta_threads;

	a->at = &a->v;
	switch (what) {
	case CL_DEVICE_TYPE:
		return answer_ulong(a, CL_DEVICE_TYPE_GPU);
	case CL_DEVICE_NAME:
		return answer_text(a, m->title[0] ? m->title : m->name);
	case CL_DEVICE_MAX_COMPUTE_UNITS:
		return answer_uint(a, m->sm_count);
	case CL_DEVICE_MAX_WORK_GROUP_SIZE:
		return answer_sizes(a, most, 0, 0, 1);
	case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
		return answer_uint(a, 3);
	case CL_DEVICE_MAX_WORK_ITEM_SIZES:
		return answer_sizes(a, most, most, most < GROUP_DEPTH ? most : GROUP_DEPTH, 3);
	case CL_DEVICE_LOCAL_MEM_SIZE:
		return answer_ulong(a, m->sm_shared_bytes);
	case CL_DEVICE_LOCAL_MEM_TYPE:
		return answer_uint(a, CL_LOCAL);
	case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE:
		return answer_uint(a, CL_READ_WRITE_CACHE);
	case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
		return answer_ulong(a, m->l2.size_bytes ? m->l2.size_bytes : m->l1.size_bytes);
	case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
		return answer_uint(a, m->l1.line_bytes);
	case CL_DEVICE_HOST_UNIFIED_MEMORY:
		return answer_uint(a, CL_FALSE);
	case WARP_SIZE_NV:
		return answer_uint(a, m->warp_width);
	default:
		return false;
	}
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info what, size_t room,
					  void *to, size_t *size)
{
	struct answer a;

	if (!machine_answer(&a, what) || !is_ours(device))
		return ws_layer.next->clGetDeviceInfo(device, what, room, to, size);
	return ws_answer(a.at, a.len, room, to, size);
}

static cl_int CL_API_CALL get_kernel_work_group_info(cl_kernel kernel, cl_device_id device,
						     cl_kernel_work_group_info what, size_t room,
						     void *to, size_t *size)
{
	const struct ws_machine *m = &ws_app.settings.machine;
	size_t value = 0;
	cl_int status = ws_layer.next->clGetKernelWorkGroupInfo(kernel, device, what, room, to,
								size);

	if (status != CL_SUCCESS || (device && !is_ours(device)))
		return status;
	if (what == CL_KERNEL_WORK_GROUP_SIZE)
		value = (size_t)m->cta_threads;
	if (what == CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)
		value = (size_t)m->warp_width;
	return value ? ws_answer(&value, sizeof value, room, to, size) : status;
}

void ws_device_take(cl_icd_dispatch *d)
{
	d->clGetDeviceIDs = get_device_ids;
	d->clCreateContextFromType = create_context_from_type;
	d->clGetDeviceInfo = get_device_info;
	d->clGetKernelWorkGroupInfo = get_kernel_work_group_info;
}
