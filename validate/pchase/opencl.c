/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/opencl.c -- a device of an OpenCL platform as a target of pointer chasing.
 *
 * One work-item makes the loads.  The offsets of CHUNK loads lie in local memory, and so do their
 * latencies, so that nothing but the loads passes through the cache.  The clock is the first that
 * the device's compiler knows: cl_khr_kernel_clock, NVIDIA's clock64, clang's cycle counter; else a
 * second work-group that counts as fast as it can, whose number the first one reads.  If it is not
 * run beside the first one, latencies are not determined.
 *
 * Assumed: a launch begins with an empty cache of the first level, as on GPUs.  A device that is a
 * processor keeps its caches, has local memory in them, and prefetches.
 *
 * The ICD loader is loaded when it is wanted.  Sources: the OpenCL 1.2 specification.
 */
#include "validate/pchase.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK 2048u		/* loads; 16 KiB of local memory */
#define CHUNK_CPU 128u
#define BYTES_MOST (64ull << 20)
#define BYTES_CPU (128ull << 10)
/* Of a processor, whose frequency changes: latencies are relative to those of loads of one line
 * that go before.  Quick loads would lie too far apart on a scale of logarithms. */
#define BEFORE 17u
#define ORDERS 6u		/* see struct ws_chase_target */
#define HIT 4.0			/* cycles that they are taken to take */
#define OFFSET 12.0
#define GRAIN 2.0		/* the clock counts in steps of so many */
#define LIST_MOST 16u		/* platforms, devices */

/* ---- OpenCL, as much of it as is used --------------------------------------------------- */

typedef struct cl_object *cl_handle; /* platforms, devices, contexts and so on */

#define CL_DEVICE_TYPE_ALL 0xffffffffull
#define CL_DEVICE_TYPE_CPU 2u
#define CL_DEVICE_TYPE 0x1000u
#define CL_DEVICE_MAX_MEM_ALLOC_SIZE 0x1010u
#define CL_DEVICE_NAME 0x102bu
#define CL_MEM_READ_WRITE 1u
#define CL_PROGRAM_BUILD_LOG 0x1183u

struct opencl_api {
	int32_t (*clGetPlatformIDs)(uint32_t, cl_handle *, uint32_t *);
	int32_t (*clGetDeviceIDs)(cl_handle, uint64_t, uint32_t, cl_handle *, uint32_t *);
	int32_t (*clGetDeviceInfo)(cl_handle, uint32_t, size_t, void *, size_t *);
	cl_handle (*clCreateContext)(const intptr_t *, uint32_t, const cl_handle *, void *,
				     void *, int32_t *);
	cl_handle (*clCreateCommandQueue)(cl_handle, cl_handle, uint64_t, int32_t *);
	cl_handle (*clCreateProgramWithSource)(cl_handle, uint32_t, const char **,
					       const size_t *, int32_t *);
	int32_t (*clBuildProgram)(cl_handle, uint32_t, const cl_handle *, const char *, void *,
				  void *);
	int32_t (*clGetProgramBuildInfo)(cl_handle, cl_handle, uint32_t, size_t, void *,
					 size_t *);
	cl_handle (*clCreateKernel)(cl_handle, const char *, int32_t *);
	cl_handle (*clCreateBuffer)(cl_handle, uint64_t, size_t, void *, int32_t *);
	int32_t (*clSetKernelArg)(cl_handle, uint32_t, size_t, const void *);
	int32_t (*clEnqueueWriteBuffer)(cl_handle, cl_handle, uint32_t, size_t, size_t,
					const void *, uint32_t, const void *, void *);
	int32_t (*clEnqueueReadBuffer)(cl_handle, cl_handle, uint32_t, size_t, size_t, void *,
				       uint32_t, const void *, void *);
	int32_t (*clEnqueueNDRangeKernel)(cl_handle, cl_handle, uint32_t, const size_t *,
					  const size_t *, const size_t *, uint32_t, const void *,
					  void *);
	int32_t (*clFinish)(cl_handle);
	int32_t (*clReleaseMemObject)(cl_handle);
	int32_t (*clReleaseKernel)(cl_handle);
	int32_t (*clReleaseProgram)(cl_handle);
	int32_t (*clReleaseCommandQueue)(cl_handle);
	int32_t (*clReleaseContext)(cl_handle);
};

static const char *const names[] = {	/* in the order of the members */
	"clGetPlatformIDs", "clGetDeviceIDs", "clGetDeviceInfo", "clCreateContext",
	"clCreateCommandQueue", "clCreateProgramWithSource", "clBuildProgram",
	"clGetProgramBuildInfo", "clCreateKernel", "clCreateBuffer", "clSetKernelArg",
	"clEnqueueWriteBuffer", "clEnqueueReadBuffer", "clEnqueueNDRangeKernel", "clFinish",
	"clReleaseMemObject", "clReleaseKernel", "clReleaseProgram", "clReleaseCommandQueue",
	"clReleaseContext",
};

/* ---- the kernel --------------------------------------------------------------------------- */

/* state[0]: tickets, [1]: the counter runs, [2]: stop, [3]: 1 if latencies were taken; counter. */
static const char kernel_text[] =
	"#ifdef __has_builtin\n"
	"#if __has_builtin(__builtin_readcyclecounter)\n"
	"#define HAS_CYCLES\n"
	"#endif\n"
	"#endif\n"
	"#if defined(COUNTER)\n"
	"#define TICKS() ((uint)state[4])\n"
	"#elif defined(cl_khr_kernel_clock)\n"
	"#pragma OPENCL EXTENSION cl_khr_kernel_clock : enable\n"
	"#define TICKS() ((uint)clock_read_device())\n"
	"#elif defined(__NV_CL_C_VERSION)\n"
	"static uint nv_ticks(void)\n"
	"{ uint t; __asm__ volatile(\"mov.u32 %0, %%clock;\" : \"=r\"(t) :: \"memory\");\n"
	"  return t; }\n"
	"#define TICKS() nv_ticks()\n"
	"#elif defined(HAS_CYCLES) && defined(__x86_64__)\n"
	"static uint x86_ticks(void)\n"
	"{ uint t; __asm__ volatile(\"lfence\" ::: \"memory\");\n"
	"  t = (uint)__builtin_readcyclecounter();\n"
	"  __asm__ volatile(\"lfence\" ::: \"memory\"); return t; }\n"
	"#define TICKS() x86_ticks()\n"
	"#elif defined(HAS_CYCLES)\n"
	"#define TICKS() ((uint)__builtin_readcyclecounter())\n"
	"#else\n"
	"#define NO_CLOCK\n"
	"#define TICKS() 0u\n"
	"#endif\n"
	"static void count_up(volatile __global uint *state)\n"
	"{\n"
	"	state[1] = 1;\n"
	"	for (uint i = 0; i < 0xf0000000u && !state[2]; i++)\n"
	"		state[4] = i;\n"
	"}\n"
	"static int is_counted(volatile __global uint *state)\n"
	"{\n"
	"#ifdef NO_CLOCK\n"
	"	return 0;\n"
	"#endif\n"
	"#ifdef COUNTER\n"
	"	for (uint i = 0; i < 20000000u && !state[1]; i++)\n"
	"		;\n"
	"	return state[1] != 0;\n"
	"#else\n"
	"	return 1;\n"
	"#endif\n"
	"}\n"
	"__kernel void chase(__global const volatile uchar *array, __global const uint *list,\n"
	"	__global uint *ticks, volatile __global uint *state, uint count)\n"
	"{\n"
	"	__local uint at[CHUNK];\n"
	"	__local volatile uint took[CHUNK], sink;\n"
	"	if (atomic_inc(&state[0])) {\n"
	"		count_up(state);\n"
	"		return;\n"
	"	}\n"
	"	if (!is_counted(state)) {\n"
	"		state[2] = 1;\n"
	"		return;\n"
	"	}\n"
	"	for (uint from = 0; from < count; from += CHUNK) {\n"
	"		uint n = min(count - from, (uint)CHUNK);\n"
	"		for (uint i = 0; i < n; i++)\n"
	"			at[i] = list[from + i];\n"
	"		for (uint i = 0; i < n; i++) {\n"
	"			__global const volatile uint *p =\n"
	"				(__global const volatile uint *)(array + at[i]);\n"
	"			uint begin = TICKS();\n"
	"			sink = *p;\n"
	"			took[i] = TICKS() - begin;\n"
	"		}\n"
	"		for (uint i = 0; i < n; i++)\n"
	"			ticks[from + i] = took[i];\n"
	"	}\n"
	"	state[3] = 1;\n"
	"	state[2] = 1;\n"
	"}\n";

struct chase_opencl {
	void *library;
	struct opencl_api api;
	cl_handle device, context, queue, program, kernel;
	cl_handle array, list, ticks, state; /* buffers */
	size_t room;		/* loads that list and ticks hold */
	uint64_t bytes;
	uint32_t *host;
	struct ws_rng rng;
	bool counter, processor;
};

static enum ws_status failed(const char *what, int32_t code, struct ws_err *err)
{
	return ws_fail(err, WS_EIO, "%s: OpenCL error %d", what, (int)code);
}

/* ---- opening ------------------------------------------------------------------------------ */

static enum ws_status load_api(struct chase_opencl *c, const char *library, struct ws_err *err)
{
	void (**to)(void) = (void (**)(void))(void *)&c->api;

	c->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	if (!c->library)
		return ws_fail(err, WS_EINVAL, "no OpenCL: %s is not found; it is of an ICD "
			       "loader, as Debian's ocl-icd-libopencl1", library);
	for (size_t i = 0; i < WS_COUNT(names); i++) {
		void *symbol = dlsym(c->library, names[i]);

		if (!symbol)
			return ws_fail(err, WS_EINVAL, "%s has no %s", library, names[i]);
		memcpy(&to[i], &symbol, sizeof symbol);
	}
	return WS_OK;
}

static enum ws_status choose_device(struct chase_opencl *c, const struct ws_chase_opencl *o,
				    struct ws_err *err)
{
	cl_handle platform[LIST_MOST], device[LIST_MOST];
	uint32_t count = 0;

	if (c->api.clGetPlatformIDs(LIST_MOST, platform, &count) || !count)
		return ws_fail(err, WS_EINVAL, "OpenCL has no platform: a driver is wanted, as "
			       "Debian's pocl-opencl-icd");
	count = count < LIST_MOST ? count : LIST_MOST;
	if (o->platform >= count)
		return ws_fail(err, WS_EINVAL, "platform %u: there are %u, from 0", o->platform,
			       count);
	platform[0] = platform[o->platform];
	count = 0;
	if (c->api.clGetDeviceIDs(platform[0], CL_DEVICE_TYPE_ALL, LIST_MOST, device, &count) ||
	    !count)
		return ws_fail(err, WS_EINVAL, "platform %u has no device", o->platform);
	count = count < LIST_MOST ? count : LIST_MOST;
	if (o->device >= count)
		return ws_fail(err, WS_EINVAL, "device %u: there are %u, from 0", o->device, count);
	c->device = device[o->device];
	return WS_OK;
}

static enum ws_status build(struct chase_opencl *c, struct ws_err *err)
{
	const char *text = kernel_text;
	char options[64], log[4096] = "";
	int32_t code = 0;

	snprintf(options, sizeof options, "-DCHUNK=%u%s", c->processor ? CHUNK_CPU : CHUNK,
		 c->counter ? " -DCOUNTER" : "");
	c->program = c->api.clCreateProgramWithSource(c->context, 1, &text, NULL, &code);
	if (!c->program)
		return failed("the program", code, err);
	code = c->api.clBuildProgram(c->program, 1, &c->device, options, NULL, NULL);
	if (code) {
		(void)c->api.clGetProgramBuildInfo(c->program, c->device, CL_PROGRAM_BUILD_LOG,
						   sizeof log - 1, log, NULL);
		for (char *at = log; *at; at++)
			*at = *at < ' ' ? ' ' : *at;
		return ws_fail(err, WS_EIO, "the device's compiler, error %d: %.900s", (int)code,
			       log);
	}
	c->kernel = c->api.clCreateKernel(c->program, "chase", &code);
	return c->kernel ? WS_OK : failed("the kernel", code, err);
}

static enum ws_status make_buffer(struct chase_opencl *c, cl_handle *buffer, size_t bytes,
				  struct ws_err *err)
{
	int32_t code = 0;

	if (*buffer)
		(void)c->api.clReleaseMemObject(*buffer);
	*buffer = c->api.clCreateBuffer(c->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
	return *buffer ? WS_OK : failed("a buffer", code, err);
}

/* ---- running ------------------------------------------------------------------------------ */

static int32_t write_all(struct chase_opencl *c, cl_handle buffer, const void *from, size_t bytes)
{
	return c->api.clEnqueueWriteBuffer(c->queue, buffer, 1, 0, bytes, from, 0, NULL, NULL);
}

static int32_t read_all(struct chase_opencl *c, cl_handle buffer, void *to, size_t bytes)
{
	return c->api.clEnqueueReadBuffer(c->queue, buffer, 1, 0, bytes, to, 0, NULL, NULL);
}

/* c->host: the list before, the latencies after.  *taken: there was a clock. */
static enum ws_status launch(struct chase_opencl *c, uint32_t count, bool *taken,
			     struct ws_err *err)
{
	uint32_t state[5] = { 0 };
	size_t groups = c->counter ? 2 : 1, one = 1;
	const cl_handle *const buffer[] = { &c->array, &c->list, &c->ticks, &c->state };
	int32_t code = write_all(c, c->list, c->host, count * sizeof *c->host);

	if (!code)
		code = write_all(c, c->state, state, sizeof state);
	for (uint32_t i = 0; i < WS_COUNT(buffer) && !code; i++)
		code = c->api.clSetKernelArg(c->kernel, i, sizeof *buffer[i], buffer[i]);
	if (!code)
		code = c->api.clSetKernelArg(c->kernel, WS_COUNT(buffer), sizeof count, &count);
	if (!code)
		code = c->api.clEnqueueNDRangeKernel(c->queue, c->kernel, 1, NULL, &groups, &one, 0,
						     NULL, NULL);
	if (!code)
		code = c->api.clFinish(c->queue);
	if (!code)
		code = read_all(c, c->ticks, c->host, count * sizeof *c->host);
	if (!code)
		code = read_all(c, c->state, state, sizeof state);
	*taken = state[3] != 0;
	return code ? failed("the loads", code, err) : WS_OK;
}

static enum ws_status make_room(struct chase_opencl *c, size_t loads, struct ws_err *err)
{
	enum ws_status status;

	if (loads <= c->room)
		return WS_OK;
	c->room = 0;
	free(c->host);
	c->host = ws_alloc(loads, sizeof *c->host);
	if (!c->host)
		return ws_fail_memory(err, "the loads");
	status = make_buffer(c, &c->list, loads * sizeof *c->host, err);
	if (status == WS_OK)
		status = make_buffer(c, &c->ticks, loads * sizeof *c->host, err);
	if (status == WS_OK)
		c->room = loads;
	return status;
}

static int by_ticks(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void answer_processor(struct chase_opencl *c, double *cycles, size_t count)
{
	double hit;

	qsort(c->host, BEFORE, sizeof *c->host, by_ticks);
	hit = c->host[BEFORE / 2];
	for (size_t i = 0; i < count; i++) {
		cycles[i] = c->host[BEFORE + i] - hit + HIT + OFFSET + GRAIN / 2 -
			GRAIN * ws_rng_double(&c->rng);
		cycles[i] = cycles[i] < 1 ? 1 : cycles[i];
	}
}

static enum ws_status chase_opencl_run(void *state, const uint64_t *offset, size_t count,
				       bool flush, double *cycles, struct ws_err *err)
{
	struct chase_opencl *c = state;
	size_t before = c->processor ? BEFORE : 0;
	enum ws_status status;
	bool taken = false;

	(void)flush;	/* each launch begins with an empty cache */
	if (count == 0)
		return WS_OK;
	if (count > UINT32_MAX - before)
		return ws_fail(err, WS_EINVAL, "%zu loads: want at most %u", count, UINT32_MAX);
	status = make_room(c, before + count, err);
	if (status != WS_OK)
		return status;
	for (size_t i = 0; i < count; i++) {
		if (offset[i] > c->bytes - sizeof(uint32_t))
			return ws_fail(err, WS_EINVAL, "offset %" PRIu64 ": this device's array "
				       "has %" PRIu64 " bytes", offset[i], c->bytes);
		c->host[before + i] = (uint32_t)offset[i];
	}
	for (size_t i = 0; i < before; i++)
		c->host[i] = (uint32_t)offset[0];
	status = launch(c, (uint32_t)(before + count), &taken, err);
	if (status != WS_OK)
		return status;
	if (c->processor && taken)
		answer_processor(c, cycles, count);
	for (size_t i = 0; i < count && !(c->processor && taken); i++)
		cycles[i] = taken ? c->host[i] : 0;
	return WS_OK;
}

static void chase_opencl_free(void *state)
{
	struct chase_opencl *c = state;

	if (!c)
		return;
	for (size_t i = 0; i < 4; i++) {
		cl_handle buffer = (cl_handle[]){ c->array, c->list, c->ticks, c->state }[i];

		if (buffer)
			(void)c->api.clReleaseMemObject(buffer);
	}
	if (c->kernel)
		(void)c->api.clReleaseKernel(c->kernel);
	if (c->program)
		(void)c->api.clReleaseProgram(c->program);
	if (c->queue)
		(void)c->api.clReleaseCommandQueue(c->queue);
	if (c->context)
		(void)c->api.clReleaseContext(c->context);
	free(c->host);
	free(c);	/* drivers do not bear to be unloaded: the library stays */
}

/* One load says whether there is a clock; if not, a second work-group is to be one. */
static enum ws_status build_clock(struct chase_opencl *c, bool *taken, struct ws_err *err)
{
	enum ws_status status = make_room(c, 1, err);

	for (*taken = false; !*taken && status == WS_OK; c->counter = true) {
		status = build(c, err);
		if (status == WS_OK) {
			c->host[0] = 0;
			status = launch(c, 1, taken, err);
		}
		if (*taken || c->counter)
			break;
		(void)c->api.clReleaseKernel(c->kernel);
		(void)c->api.clReleaseProgram(c->program);
		c->kernel = c->program = NULL;
	}
	return status;
}

/* Memory that was never written may be one and the same page everywhere. */
static enum ws_status make_array(struct chase_opencl *c, struct ws_err *err)
{
	uint64_t most = 0;
	uint8_t *zeros;
	enum ws_status status;

	(void)c->api.clGetDeviceInfo(c->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most,
				     NULL);
	c->bytes = c->processor ? BYTES_CPU : BYTES_MOST;
	while (c->bytes > most / 4 && c->bytes > BYTES_CPU)
		c->bytes /= 2;
	zeros = ws_alloc_zero(c->bytes, 1);
	if (!zeros)
		return ws_fail_memory(err, "the array");
	status = make_buffer(c, &c->array, c->bytes, err);
	if (status == WS_OK && write_all(c, c->array, zeros, c->bytes))
		status = ws_fail(err, WS_EIO, "the array of %" PRIu64 " bytes cannot be written",
				 c->bytes);
	free(zeros);
	return status;
}

static enum ws_status open_device(struct chase_opencl *c, struct ws_chase_target *out,
				  struct ws_err *err)
{
	uint64_t type = 0;
	int32_t code = 0;
	bool taken = false;
	enum ws_status status;

	(void)c->api.clGetDeviceInfo(c->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
	(void)c->api.clGetDeviceInfo(c->device, CL_DEVICE_NAME, sizeof out->name - 1, out->name,
				     NULL);
	c->processor = type & CL_DEVICE_TYPE_CPU;
	c->context = c->api.clCreateContext(NULL, 1, &c->device, NULL, NULL, &code);
	if (!c->context)
		return failed("the context", code, err);
	c->queue = c->api.clCreateCommandQueue(c->context, c->device, 0, &code);
	if (!c->queue)
		return failed("the queue", code, err);
	status = make_array(c, err);
	if (status == WS_OK)
		status = make_buffer(c, &c->state, 5 * sizeof(uint32_t), err);
	if (status == WS_OK)
		status = build_clock(c, &taken, err);
	out->bytes = c->bytes;
	out->offset = c->processor ? OFFSET : 0;
	out->orders = c->processor ? ORDERS : 0;
	if (status == WS_OK && !taken)
		snprintf(out->note, sizeof out->note, "the device has no clock, and runs no "
			 "work-group beside another that could be one: no latency is known");
	else if (status == WS_OK && c->counter)
		snprintf(out->note, sizeof out->note, "the device has no clock: latencies are in "
			 "steps of a counter");
	return status;
}

enum ws_status ws_chase_opencl(struct ws_chase_target *out, const struct ws_chase_opencl *o,
			       struct ws_err *err)
{
	struct chase_opencl *c = ws_alloc_zero(1, sizeof *c);
	enum ws_status status;

	*out = (struct ws_chase_target){ .state = c, .run = chase_opencl_run,
					 .free = chase_opencl_free };
	if (!c)
		return ws_fail_memory(err, "the device");
	c->counter = o->counter;
	ws_rng_seed(&c->rng, o->seed);
	status = load_api(c, o->library ? o->library : "libOpenCL.so.1", err);
	if (status == WS_OK)
		status = choose_device(c, o, err);
	if (status == WS_OK)
		status = open_device(c, out, err);
	if (status != WS_OK)
		ws_chase_close(out);
	return status;
}
