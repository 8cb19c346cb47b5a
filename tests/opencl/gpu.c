/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/gpu.c -- a program that wants a GPU and asks what it can do.  Without the layer
 * there may be none: then it says so and exits with 77.
 */
#include "tests/opencl/host.h"

static const char source[] =
	"kernel void fill(global uint *a) { a[get_global_id(0)] = get_local_size(0); }\n";

int main(void)
{
	struct host h = { 0 };
	cl_context_properties properties[3] = { CL_CONTEXT_PLATFORM, 0, 0 };
	size_t group = 0, items[3] = { 0 }, kernel_group = 0, too_large, warp = 0;
	cl_ulong shared = 0;
	cl_device_type type = 0;
	cl_uint units = 0, n = 0, *a;
	char name[256] = "";
	cl_int status;
	cl_program p;
	cl_kernel k;
	cl_mem m;
	bool good = true;

	host_try(clGetPlatformIDs(1, &h.platform, NULL), "platform");
	if (clGetDeviceIDs(h.platform, CL_DEVICE_TYPE_GPU, 1, &h.device, &n) != CL_SUCCESS ||
	    n < 1) {
		printf("no GPU\n");
		return 77;
	}
	properties[1] = (cl_context_properties)h.platform;
	h.context = clCreateContextFromType(properties, CL_DEVICE_TYPE_GPU, NULL, NULL, &status);
	host_try(status, "context from type");
	h.queue = clCreateCommandQueue(h.context, h.device, 0, &status);
	host_try(status, "queue");
	clGetDeviceInfo(h.device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
	clGetDeviceInfo(h.device, CL_DEVICE_NAME, sizeof name, name, NULL);
	clGetDeviceInfo(h.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
	clGetDeviceInfo(h.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group, NULL);
	clGetDeviceInfo(h.device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof items, items, NULL);
	clGetDeviceInfo(h.device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof shared, &shared, NULL);
	printf("device: %s, %u units, groups of %zu (%zu %zu %zu), %llu bytes of local memory\n",
	       name, units, group, items[0], items[1], items[2], (unsigned long long)shared);
	host_check(type == CL_DEVICE_TYPE_GPU, "the type is GPU");
	p = host_program(&h, source, "");
	k = host_kernel(p, "fill");
	clGetKernelWorkGroupInfo(k, h.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof kernel_group,
				 &kernel_group, NULL);
	clGetKernelWorkGroupInfo(k, h.device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
				 sizeof warp, &warp, NULL);
	printf("device: kernel groups of %zu, multiples of %zu\n", kernel_group, warp);
	a = calloc(4 * group, sizeof *a);
	m = host_buffer(&h, CL_MEM_READ_WRITE, 4 * group * sizeof *a, NULL);
	host_arg(k, 0, sizeof m, &m);
	too_large = 2 * group;
	status = clEnqueueNDRangeKernel(h.queue, k, 1, NULL, &too_large, &too_large, 0, NULL, NULL);
	host_check(status == CL_INVALID_WORK_GROUP_SIZE, "a group too large is refused");
	host_run(&h, k, 4 * group, group);
	host_read(&h, m, 4 * group * sizeof *a, a);
	for (size_t i = 0; i < 4 * group; i++)
		good &= a[i] == group;
	host_check(good, "the largest group");
	free(a);
	clReleaseMemObject(m);
	clReleaseKernel(k);
	clReleaseProgram(p);
	host_close(&h);
	return host_wrong > 0;
}
