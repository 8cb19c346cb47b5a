/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/host.h -- what the host programs share: a device, a program, checks.
 *
 * Each is an OpenCL program as others write them: it knows nothing of warpstack, checks its own
 * results, prints what it found and exits with 1 if something was wrong.  What it prints must
 * be the same with and without the layer, but for lines that begin with "device:".
 */
#ifndef HOST_H
#define HOST_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct host {
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
};

static int host_wrong;

static inline void host_try(cl_int status, const char *what)
{
	if (status != CL_SUCCESS) {
		printf("%s: OpenCL error %d\n", what, (int)status);
		exit(1);
	}
}

static inline void host_check(bool good, const char *what)
{
	printf("%s: %s\n", what, good ? "right" : "WRONG");
	host_wrong += !good;
}

/* The first device of any platform that is not a mere loader. */
static inline struct host host_open(cl_command_queue_properties properties)
{
	struct host h;
	cl_int status;
	cl_uint n = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (clGetPlatformIDs(1, &h.platform, &n) != CL_SUCCESS || n == 0) {
		printf("no OpenCL platform\n");
		exit(77);
	}
	host_try(clGetDeviceIDs(h.platform, CL_DEVICE_TYPE_ALL, 1, &h.device, NULL), "device");
	h.context = clCreateContext(NULL, 1, &h.device, NULL, NULL, &status);
	host_try(status, "context");
	h.queue = clCreateCommandQueue(h.context, h.device, properties, &status);
	host_try(status, "queue");
	return h;
}

static inline void host_close(struct host *h)
{
	clReleaseCommandQueue(h->queue);
	clReleaseContext(h->context);
}

static inline cl_program host_program(const struct host *h, const char *source,
				      const char *options)
{
	cl_int status;
	cl_program p = clCreateProgramWithSource(h->context, 1, &source, NULL, &status);
	char log[4096] = "";

	host_try(status, "program");
	if (clBuildProgram(p, 1, &h->device, options, NULL, NULL) != CL_SUCCESS) {
		clGetProgramBuildInfo(p, h->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log,
				      NULL);
		printf("build: %s\n", log);
		exit(1);
	}
	return p;
}

static inline cl_kernel host_kernel(cl_program p, const char *name)
{
	cl_int status;
	cl_kernel k = clCreateKernel(p, name, &status);

	host_try(status, name);
	return k;
}

static inline cl_mem host_buffer(const struct host *h, cl_mem_flags flags, size_t bytes, void *data)
{
	cl_int status;
	cl_mem m = clCreateBuffer(h->context, flags | (data ? CL_MEM_COPY_HOST_PTR : 0), bytes,
				  data, &status);

	host_try(status, "buffer");
	return m;
}

static inline void host_arg(cl_kernel k, cl_uint i, size_t bytes, const void *value)
{
	host_try(clSetKernelArg(k, i, bytes, value), "argument");
}

static inline void host_run(const struct host *h, cl_kernel k, size_t global, size_t local)
{
	host_try(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &global, local ? &local : NULL, 0,
					NULL, NULL), "launch");
}

static inline void host_read(const struct host *h, cl_mem m, size_t bytes, void *to)
{
	host_try(clEnqueueReadBuffer(h->queue, m, CL_TRUE, 0, bytes, to, 0, NULL, NULL), "read");
}

#endif
