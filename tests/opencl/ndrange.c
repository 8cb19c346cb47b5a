/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/ndrange.c -- one to three dimensions, offsets, work-groups left to OpenCL or
 * required by the kernel, tasks.
 */
#include "tests/opencl/host.h"

#define X 48
#define Y 20
#define Z 6

static const char source[] =
	"kernel void where(global ulong *a)\n"
	"{\n"
	"	size_t x = get_global_id(0) - get_global_offset(0),\n"
	"	       y = get_global_id(1) - get_global_offset(1),\n"
	"	       z = get_global_id(2) - get_global_offset(2);\n"
	"	size_t i = x + get_global_size(0) * (y + get_global_size(1) * z);\n"
	"	a[i] = get_global_id(0) + 1000 * get_global_id(1) + 1000000 * get_global_id(2)\n"
	"	     + 1000000000ul * get_work_dim();\n"
	"	if (get_global_id(0) != get_group_id(0) * get_local_size(0) + get_local_id(0) +\n"
	"	    get_global_offset(0) || get_num_groups(1) * get_local_size(1) != "
	"get_global_size(1))\n"
	"		a[i] = 0;\n"
	"}\n"
	"kernel __attribute__((reqd_work_group_size(8, 4, 1))) void required(global int *a)\n"
	"{\n"
	"	a[get_global_id(0) + get_global_size(0) * get_global_id(1)] =\n"
	"		get_local_size(0) * 10 + get_local_size(1);\n"
	"}\n"
	"kernel void task(global int *a) { for (int i = 0; i < 100; i++) a[i] = i * i; }\n";

static void try(const struct host *h, cl_kernel k, cl_uint dim, const size_t *offset,
		const size_t *local, const char *what)
{
	static cl_ulong a[X * Y * Z];
	const size_t global[] = { X, Y, Z };
	cl_mem m = host_buffer(h, CL_MEM_READ_WRITE, sizeof a, NULL);
	size_t n[3] = { X, dim > 1 ? Y : 1, dim > 2 ? Z : 1 }, o[3] = { 0, 0, 0 };
	bool good = true;

	host_arg(k, 0, sizeof m, &m);
	host_try(clEnqueueNDRangeKernel(h->queue, k, dim, offset, global, local, 0, NULL, NULL),
		 what);
	host_read(h, m, sizeof a, a);
	for (cl_uint d = 0; offset && d < dim; d++)
		o[d] = offset[d];
	for (size_t z = 0; z < n[2]; z++)
		for (size_t y = 0; y < n[1]; y++)
			for (size_t x = 0; x < n[0]; x++)
				good &= a[x + X * (y + Y * z)] ==
					x + o[0] + 1000 * (y + o[1]) + 1000000 * (z + o[2]) +
						1000000000ul * dim;
	host_check(good, what);
	clReleaseMemObject(m);
}

static void required(const struct host *h, cl_program p)
{
	static const size_t global[] = { 32, 8 }, right[] = { 8, 4 }, wrong[] = { 4, 8 };
	cl_kernel k = host_kernel(p, "required");
	int a[256];
	cl_mem m = host_buffer(h, CL_MEM_READ_WRITE, sizeof a, NULL);
	bool good = true;

	host_arg(k, 0, sizeof m, &m);
	host_check(clEnqueueNDRangeKernel(h->queue, k, 2, NULL, global, wrong, 0, NULL, NULL) ==
		   CL_INVALID_WORK_GROUP_SIZE, "another group than required is refused");
	host_try(clEnqueueNDRangeKernel(h->queue, k, 2, NULL, global, right, 0, NULL, NULL),
		 "required");
	host_read(h, m, sizeof a, a);
	for (int i = 0; i < 256; i++)
		good &= a[i] == 84;
	host_check(good, "a required group");
	clReleaseMemObject(m);
	clReleaseKernel(k);
}

static void task(const struct host *h, cl_program p)
{
	cl_kernel k = host_kernel(p, "task");
	int a[100];
	cl_mem m = host_buffer(h, CL_MEM_READ_WRITE, sizeof a, NULL);
	bool good = true;

	host_check(clEnqueueTask(h->queue, k, 0, NULL, NULL) == CL_INVALID_KERNEL_ARGS,
		   "an argument that was not set is refused");
	host_arg(k, 0, sizeof m, &m);
	host_try(clEnqueueTask(h->queue, k, 0, NULL, NULL), "task");
	host_read(h, m, sizeof a, a);
	for (int i = 0; i < 100; i++)
		good &= a[i] == i * i;
	host_check(good, "a task");
	clReleaseMemObject(m);
	clReleaseKernel(k);
}

int main(void)
{
	struct host h = host_open(0);
	cl_program p = host_program(&h, source, "");
	cl_kernel k = host_kernel(p, "where");
	static const size_t offset[] = { 5, 7, 11 }, local[] = { 16, 4, 2 }, bad[] = { 7, 4, 2 },
			    global[] = { X, Y, Z };

	try(&h, k, 1, NULL, local, "one dimension");
	try(&h, k, 2, NULL, local, "two dimensions");
	try(&h, k, 3, NULL, local, "three dimensions");
	try(&h, k, 3, offset, local, "an offset");
	try(&h, k, 1, offset, NULL, "groups left to OpenCL, 1 dimension");
	try(&h, k, 3, offset, NULL, "groups left to OpenCL, 3 dimensions");
	host_check(clEnqueueNDRangeKernel(h.queue, k, 3, NULL, global, bad, 0, NULL, NULL) ==
		   CL_INVALID_WORK_GROUP_SIZE, "groups that do not divide are refused");
	host_check(clEnqueueNDRangeKernel(h.queue, k, 4, NULL, global, local, 0, NULL, NULL) ==
		   CL_INVALID_WORK_DIMENSION, "four dimensions are refused");
	required(&h, p);
	task(&h, p);
	clReleaseKernel(k);
	clReleaseProgram(p);
	host_close(&h);
	return host_wrong > 0;
}
