/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/objects.c -- the less usual ways to contexts, programs, kernels and memory: a
 * context of a type, sub-devices, builds with a callback, in two steps and from a binary, all
 * kernels of a program and a clone, fills, rectangles, maps of a part, launches of nothing.
 */
#include "tests/opencl/host.h"

#include <CL/cl_ext.h>
#include <unistd.h>

#define N 1024

static const char source[] =
	"kernel void add(global uint *a) { a[get_global_id(0)] += (uint)get_global_id(0) + 1; }\n"
	"kernel void twice(global uint *a) { a[get_global_id(0)] *= 2; }\n"
	"kernel void first(global uint *a) { a[0] += 77; }\n";

static cl_uint a[N];

static void read_all(const struct host *h, cl_mem m)
{
	host_read(h, m, sizeof a, a);
}

static void on(const struct host *h, cl_kernel k, cl_mem m)
{
	host_arg(k, 0, sizeof m, &m);
	host_run(h, k, N, 64);
}

static bool is(cl_uint (*want)(cl_uint i))
{
	bool good = true;

	for (cl_uint i = 0; i < N; i++)
		good &= a[i] == want(i);
	return good;
}

/* ---- programs ----------------------------------------------------------------------------- */

static void CL_CALLBACK is_built(cl_program p, void *data)
{
	(void)p;
	__atomic_store_n((int *)data, 1, __ATOMIC_SEQ_CST);
}

static cl_uint want_kernels(cl_uint i)
{
	return 2 * (i % 4 + 1 + i + 1 + i + 1) + (i == 0 ? 77 : 0);
}

/* Built in the background; all its kernels at once, and one cloned with its arguments. */
static void kernels(const struct host *h)
{
	static const cl_uint pattern[] = { 1, 2, 3, 4 };
	const char *text = source;
	cl_int status, built = 0;
	cl_program p = clCreateProgramWithSource(h->context, 1, &text, NULL, &status);
	cl_mem m = host_buffer(h, CL_MEM_READ_WRITE, sizeof a, NULL);
	cl_kernel k[8], by[3] = { NULL }, clone;
	cl_uint n = 0;

	host_try(clBuildProgram(p, 0, NULL, NULL, is_built, &built), "build");
	for (int i = 0; i < 10000 && !__atomic_load_n(&built, __ATOMIC_SEQ_CST); i++)
		usleep(1000);
	host_try(clCreateKernelsInProgram(p, 8, k, &n), "kernels");
	host_check(built && n == 3, "built, with its kernels");
	for (cl_uint i = 0; i < n; i++) {
		char name[16];

		clGetKernelInfo(k[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
		by[name[0] == 'a' ? 0 : name[0] == 't' ? 1 : 2] = k[i];
	}
	host_try(clEnqueueFillBuffer(h->queue, m, pattern, sizeof pattern, 0, sizeof a, 0, NULL,
				     NULL), "fill");
	on(h, by[0], m);
	clone = clCloneKernel(by[0], &status);
	host_try(status, "clone");
	host_run(h, clone, N, 32);
	on(h, by[1], m);
	host_arg(by[2], 0, sizeof m, &m);
	host_try(clEnqueueTask(h->queue, by[2], 0, NULL, NULL), "task");
	read_all(h, m);
	host_check(is(want_kernels), "kernels, a clone and a task");
	clReleaseKernel(clone);
	for (cl_uint i = 0; i < n; i++)
		clReleaseKernel(k[i]);
	clReleaseMemObject(m);
	clReleaseProgram(p);
}

static cl_program compiled(const struct host *h, const char *text, cl_program header)
{
	const char *name = "h.h";
	cl_int status;
	cl_program p = clCreateProgramWithSource(h->context, 1, &text, NULL, &status);

	if (header)
		host_try(clCompileProgram(p, 1, &h->device, "", 1, &header, &name, NULL, NULL),
			 "compile");
	return p;
}

static cl_program from_binary(const struct host *h, cl_program p)
{
	unsigned char *binary;
	cl_int status, each;
	cl_program copy;
	size_t bytes;

	clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL);
	binary = malloc(bytes);
	clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL);
	copy = clCreateProgramWithBinary(h->context, 1, &h->device, &bytes,
					 (const unsigned char **)&binary, &each, &status);
	host_try(status, "binary");
	host_try(clBuildProgram(copy, 1, &h->device, "", NULL, NULL), "its build");
	free(binary);
	return copy;
}

static cl_uint want_steps(cl_uint i)
{
	(void)i;
	return 2 * (3 * 4 + 5);
}

/* Without source at the end of it: the platform's. */
static void steps(const struct host *h)
{
	cl_program header = compiled(h, "#define PLUS 5\nuint f(uint x);\n", NULL);
	cl_program part[] = {
		compiled(h, "#include \"h.h\"\n"
			 "kernel void use(global uint *a)\n"
			 "{ size_t i = get_global_id(0); a[i] = f(a[i]) + PLUS; }\n",
			 header),
		compiled(h, "#include \"h.h\"\nuint f(uint x) { return x * 3; }\n", header),
	};
	cl_program whole = host_program(h, source, ""), copy = from_binary(h, whole), linked;
	cl_mem m = host_buffer(h, CL_MEM_READ_WRITE, sizeof a, NULL);
	cl_kernel use, twice = host_kernel(copy, "twice");
	cl_uint four = 4;
	cl_int status;

	linked = clLinkProgram(h->context, 1, &h->device, "", 2, part, NULL, NULL, &status);
	host_try(status, "link");
	use = host_kernel(linked, "use");
	clEnqueueFillBuffer(h->queue, m, &four, sizeof four, 0, sizeof a, 0, NULL, NULL);
	on(h, use, m);
	on(h, twice, m);
	read_all(h, m);
	host_check(is(want_steps), "linked, and from a binary");
	clReleaseKernel(use);
	clReleaseKernel(twice);
	clReleaseMemObject(m);
	clReleaseProgram(linked);
	clReleaseProgram(copy);
	clReleaseProgram(whole);
	clReleaseProgram(part[0]);
	clReleaseProgram(part[1]);
	clReleaseProgram(header);
}

/* ---- memory ------------------------------------------------------------------------------- */

static cl_uint want_memory(cl_uint i)
{
	cl_uint v = 2 * (i / 128 == 3 ? i - 64 + 1 : 0);

	return 2 * (i >= 256 && i < 384 ? v + i : v);
}

static void memory(const struct host *h, cl_program p)
{
	static const size_t from[] = { 256, 2, 0 }, to[] = { 0, 3, 0 }, region[] = { 512, 1, 1 };
	static const size_t none = 0;
	cl_kernel add = host_kernel(p, "add"), twice = host_kernel(p, "twice");
	cl_mem m[2];
	cl_uint zero = 0, *part;
	cl_int status;
	cl_event e;

	for (int i = 0; i < 2; i++) {
		m[i] = host_buffer(h, CL_MEM_READ_WRITE, sizeof a, NULL);
		clEnqueueFillBuffer(h->queue, m[i], &zero, 1, 0, sizeof a, 0, NULL, NULL);
	}
	on(h, add, m[0]);
	host_try(clEnqueueCopyBufferRect(h->queue, m[0], m[1], from, to, region, 512, 0, 512, 0, 0,
					 NULL, NULL), "rectangle");
	on(h, twice, m[1]);
	part = clEnqueueMapBuffer(h->queue, m[1], CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 256 * 4,
				  128 * 4, 0, NULL, NULL, &status);
	host_try(status, "map");
	for (cl_uint i = 0; i < 128; i++)
		part[i] += 256 + i;
	clEnqueueUnmapMemObject(h->queue, m[1], part, 0, NULL, NULL);
	on(h, twice, m[1]);
	host_try(clEnqueueNDRangeKernel(h->queue, twice, 1, NULL, &none, NULL, 0, NULL, &e),
		 "nothing");
	host_try(clWaitForEvents(1, &e), "to wait for nothing");
	host_try(clEnqueueMigrateMemObjects(h->queue, 1, &m[1], CL_MIGRATE_MEM_OBJECT_HOST, 0,
					    NULL, NULL), "migrate");
	read_all(h, m[1]);
	host_check(is(want_memory), "a rectangle, and a map of a part");
	clReleaseEvent(e);
	clReleaseKernel(add);
	clReleaseKernel(twice);
	clReleaseMemObject(m[0]);
	clReleaseMemObject(m[1]);
}

/* ---- devices ------------------------------------------------------------------------------ */

static cl_uint want_add(cl_uint i)
{
	return i + 1;
}

static void use_context(struct host *h, const char *what)
{
	cl_uint zero = 0;
	cl_program p = host_program(h, source, "");
	cl_kernel k = host_kernel(p, "add");
	cl_mem m = host_buffer(h, CL_MEM_READ_WRITE, sizeof a, NULL);

	clEnqueueFillBuffer(h->queue, m, &zero, 1, 0, sizeof a, 0, NULL, NULL);
	on(h, k, m);
	read_all(h, m);
	host_check(is(want_add), what);
	clReleaseMemObject(m);
	clReleaseKernel(k);
	clReleaseProgram(p);
	host_close(h);
}

static void of_type(const struct host *from)
{
	const cl_context_properties properties[] = {
		CL_CONTEXT_PLATFORM, (cl_context_properties)from->platform, 0 };
	struct host h = *from;
	cl_int status;

	h.context = clCreateContextFromType(properties, CL_DEVICE_TYPE_GPU, NULL, NULL, &status);
	if (status != CL_SUCCESS)
		h.context = clCreateContextFromType(properties, CL_DEVICE_TYPE_DEFAULT, NULL, NULL,
						    &status);
	host_try(status, "a context of a type");
	clGetContextInfo(h.context, CL_CONTEXT_DEVICES, sizeof h.device, &h.device, NULL);
	h.queue = clCreateCommandQueueWithProperties(h.context, h.device, NULL, &status);
	host_try(status, "its queue");
	use_context(&h, "a context of a type");
}

static void sub_device(const struct host *from)
{
	const cl_device_partition_property each[] = { CL_DEVICE_PARTITION_EQUALLY, 1, 0 };
	struct host h = *from;
	cl_device_id device[64];
	cl_int status;
	cl_uint n = 0;

	if (clCreateSubDevices(from->device, each, 64, device, &n) != CL_SUCCESS || n == 0) {
		device[0] = from->device; /* it has one unit */
		n = 0;
	}
	h.device = device[0];
	h.context = clCreateContext(NULL, 1, &h.device, NULL, NULL, &status);
	host_try(status, "its context");
	h.queue = clCreateCommandQueue(h.context, h.device, 0, &status);
	host_try(status, "its queue");
	use_context(&h, "a sub-device");
	for (cl_uint i = 0; i < n; i++)
		clReleaseDevice(device[i]);
}

int main(void)
{
	struct host h = host_open(0);
	cl_program p = host_program(&h, source, "");

	host_check(!clGetExtensionFunctionAddressForPlatform(h.platform, "clNoSuchFunctionXYZ"),
		   "no such extension");
	kernels(&h);
	steps(&h);
	memory(&h, p);
	of_type(&h);
	sub_device(&h);
	clReleaseProgram(p);
	host_close(&h);
	return host_wrong > 0;
}
