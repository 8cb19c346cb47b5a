/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/transfers.c -- ways to and from a buffer: blocking and not, rectangles, copies,
 * fills, maps, memory of the host's, buffers that the host may not read or write.
 */
#include "tests/opencl/host.h"

#define N 1024

static const char source[] =
	"kernel void next(global int *a) { a[get_global_id(0)]++; }\n"
	"kernel void copy(global const int *a, global int *b)\n"
	"{ b[get_global_id(0)] = a[get_global_id(0)]; }\n";

static bool counts(const int *a, int from)
{
	bool good = true;

	for (int i = 0; i < N; i++)
		good &= a[i] == i + from;
	return good;
}

static void in_order(const struct host *h, cl_kernel next)
{
	static int a[N], b[N], c[N];
	cl_mem m = host_buffer(h, CL_MEM_READ_WRITE, sizeof a, NULL);
	cl_event read;

	for (int i = 0; i < N; i++)
		a[i] = i;
	host_arg(next, 0, sizeof m, &m);
	host_try(clEnqueueWriteBuffer(h->queue, m, CL_FALSE, 0, sizeof a, a, 0, NULL, NULL),
		 "write");
	host_run(h, next, N, 64);
	host_try(clEnqueueReadBuffer(h->queue, m, CL_FALSE, 0, sizeof b, b, 0, NULL, &read),
		 "read");
	host_run(h, next, N, 64);
	host_read(h, m, sizeof c, c);
	host_try(clWaitForEvents(1, &read), "wait");
	clReleaseEvent(read);
	host_check(counts(b, 1) && counts(c, 2), "reads between launches");
	clReleaseMemObject(m);
}

static void maps(const struct host *h, cl_kernel next)
{
	static int own[N];
	cl_int status;
	cl_mem m = clCreateBuffer(h->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, sizeof own,
				  own, &status);
	int *a;

	host_try(status, "host memory");
	a = clEnqueueMapBuffer(h->queue, m, CL_TRUE, CL_MAP_WRITE, 0, sizeof own, 0, NULL, NULL,
			       &status);
	host_try(status, "map");
	for (int i = 0; i < N; i++)
		a[i] = i;
	host_try(clEnqueueUnmapMemObject(h->queue, m, a, 0, NULL, NULL), "unmap");
	host_arg(next, 0, sizeof m, &m);
	host_run(h, next, N, 0);
	host_run(h, next, N, 0);
	a = clEnqueueMapBuffer(h->queue, m, CL_TRUE, CL_MAP_READ, 0, sizeof own, 0, NULL, NULL,
			       &status);
	host_try(status, "map");
	host_check(a == own && counts(own, 2), "memory of the host's, mapped");
	host_try(clEnqueueUnmapMemObject(h->queue, m, a, 0, NULL, NULL), "unmap");
	clFinish(h->queue);
	clReleaseMemObject(m);
}

static void fills(const struct host *h, cl_kernel next, cl_kernel copy)
{
	static const size_t origin[3] = { 64, 2, 0 }, zero[3] = { 0, 0, 0 },
			    region[3] = { 32, 4, 1 };
	static int a[N], rect[32];
	cl_mem m = host_buffer(h, CL_MEM_READ_WRITE, sizeof a, NULL),
	       n = host_buffer(h, CL_MEM_READ_WRITE, sizeof a, NULL);
	int value = 5;
	bool good = true;

	host_try(clEnqueueFillBuffer(h->queue, m, &value, sizeof value, 0, sizeof a, 0, NULL, NULL),
		 "fill");
	host_arg(next, 0, sizeof m, &m);
	host_run(h, next, N, 64);
	host_try(clEnqueueCopyBuffer(h->queue, m, n, 0, 0, sizeof a, 0, NULL, NULL), "copy");
	host_arg(next, 0, sizeof n, &n);
	host_run(h, next, N / 2, 64);
	host_arg(copy, 0, sizeof n, &n);
	host_arg(copy, 1, sizeof m, &m);
	host_run(h, copy, N, 256);
	host_read(h, m, sizeof a, a);
	for (int i = 0; i < N; i++)
		good &= a[i] == (i < N / 2 ? 7 : 6);
	host_check(good, "a fill and a copy");
	host_try(clEnqueueReadBufferRect(h->queue, m, CL_TRUE, origin, zero, region, 512, 0, 32, 0,
					 rect, 0, NULL, NULL), "rectangle");
	good = true;
	for (int i = 0; i < 32; i++)
		good &= rect[i] == (origin[1] + (size_t)i / 8 < 4 ? 7 : 6);
	host_check(good, "a rectangle");
	clReleaseMemObject(m);
	clReleaseMemObject(n);
}

static void forbidden(const struct host *h, cl_kernel copy)
{
	static int a[N];
	cl_mem in, out = host_buffer(h, CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY, sizeof a, NULL);
	cl_mem_flags flags = 0;

	for (int i = 0; i < N; i++)
		a[i] = i;
	in = host_buffer(h, CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, sizeof a, a);
	host_try(clGetMemObjectInfo(in, CL_MEM_FLAGS, sizeof flags, &flags, NULL), "flags");
	host_check((flags & CL_MEM_HOST_WRITE_ONLY) && (flags & CL_MEM_READ_ONLY),
		   "flags as given");
	host_arg(copy, 0, sizeof in, &in);
	host_arg(copy, 1, sizeof out, &out);
	host_run(h, copy, N, 64);
	host_read(h, out, sizeof a, a);
	host_check(counts(a, 0), "buffers that the host may only write or read");
	clReleaseMemObject(in);
	clReleaseMemObject(out);
}

int main(void)
{
	struct host h = host_open(0);
	cl_program p = host_program(&h, source, "");
	cl_kernel next = host_kernel(p, "next"), copy = host_kernel(p, "copy");

	in_order(&h, next);
	maps(&h, next);
	fills(&h, next, copy);
	forbidden(&h, copy);
	clReleaseKernel(next);
	clReleaseKernel(copy);
	clReleaseProgram(p);
	host_close(&h);
	return host_wrong > 0;
}
