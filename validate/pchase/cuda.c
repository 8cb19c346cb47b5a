/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/cuda.c -- an NVIDIA GPU as a target of pointer chasing.
 *
 * The driver is loaded when it is wanted; no toolkit is.  The kernel is chase.cu, which clang makes
 * PTX of when the tool is built, and the driver compiles for the GPU that is there.  One thread
 * makes the loads: through the level 1, past it (then the L2 answers), or through the read-only
 * cache.  A launch begins with an empty level 1; the L2 is emptied by writing twice its size.
 *
 * Before and after each program loads of a line of its own are timed.  If what they take has
 * changed by DRIFT, the GPU throttles, or something else runs on it: the program is repeated, and
 * the user is told.
 *
 * Sources: the CUDA driver API reference; the PTX ISA, 8.4, for the cache operators of loads.
 */
#include "validate/pchase.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_L1 (64ull << 20)
#define BYTES_L2 (1ull << 30)
#define BYTES_LEAST (1ull << 20)
#define OWN_BYTES 4096u		/* after the array, for the loads that watch the clock */
#define WATCH 33u		/* loads */
#define DRIFT 0.15		/* of their median */
#define REPEATS 4u
#define VERSION_LEAST 8000	/* CUDA 8.0 knows PTX 5.0 */
#define MAJOR_LEAST 5		/* the PTX is of sm_50 */

extern const char ws_chase_ptx[];

/* ---- the driver, as much of it as is used ---------------------------------------------------- */

typedef struct cu_object *cu_handle; /* contexts, modules, functions */
typedef uint64_t cu_address;

enum { CU_CAPABILITY_MAJOR = 75, CU_CAPABILITY_MINOR = 76, CU_L2_BYTES = 38 };
enum { CU_JIT_ERROR_LOG = 5, CU_JIT_ERROR_LOG_BYTES = 6 };

struct cuda_api {
	int (*cuInit)(unsigned);
	int (*cuDriverGetVersion)(int *);
	int (*cuGetErrorName)(int, const char **);
	int (*cuDeviceGetCount)(int *);
	int (*cuDeviceGet)(int *, int);
	int (*cuDeviceGetName)(char *, int, int);
	int (*cuDeviceGetAttribute)(int *, int, int);
	int (*cuDevicePrimaryCtxRetain)(cu_handle *, int);
	int (*cuDevicePrimaryCtxRelease)(int);
	int (*cuCtxSetCurrent)(cu_handle);
	int (*cuCtxSynchronize)(void);
	int (*cuModuleLoadDataEx)(cu_handle *, const void *, unsigned, const int *, void **);
	int (*cuModuleUnload)(cu_handle);
	int (*cuModuleGetFunction)(cu_handle *, cu_handle, const char *);
	int (*cuMemAlloc)(cu_address *, size_t);
	int (*cuMemFree)(cu_address);
	int (*cuMemsetD8)(cu_address, unsigned char, size_t);
	int (*cuMemcpyHtoD)(cu_address, const void *, size_t);
	int (*cuMemcpyDtoH)(void *, cu_address, size_t);
	int (*cuLaunchKernel)(cu_handle, unsigned, unsigned, unsigned, unsigned, unsigned,
			      unsigned, unsigned, cu_handle, void **, void **);
};

static const char *const names[] = {	/* in the order of the members */
	"cuInit", "cuDriverGetVersion", "cuGetErrorName", "cuDeviceGetCount", "cuDeviceGet",
	"cuDeviceGetName", "cuDeviceGetAttribute", "cuDevicePrimaryCtxRetain",
	"cuDevicePrimaryCtxRelease_v2", "cuCtxSetCurrent", "cuCtxSynchronize",
	"cuModuleLoadDataEx", "cuModuleUnload", "cuModuleGetFunction", "cuMemAlloc_v2",
	"cuMemFree_v2", "cuMemsetD8_v2", "cuMemcpyHtoD_v2", "cuMemcpyDtoH_v2", "cuLaunchKernel",
};

struct chase_cuda {
	void *library;
	struct cuda_api api;
	int device;
	cu_handle context, module, function;
	cu_address array, list, ticks, flush;
	size_t room;		/* loads that list and ticks hold */
	uint64_t bytes, flush_bytes;
	uint32_t *host, how;
	double usual;		/* median of the loads that watch the clock, of the first program */
	uint64_t drifts, programs;
};

static enum ws_status failed(const struct chase_cuda *c, const char *what, int code,
			     struct ws_err *err)
{
	const char *name = NULL;

	if (c->api.cuGetErrorName(code, &name) || !name)
		name = "no name";
	return ws_fail(err, WS_EIO, "%s: CUDA error %d, %s", what, code, name);
}

/* ---- opening ------------------------------------------------------------------------------ */

static enum ws_status load_api(struct chase_cuda *c, const char *library, struct ws_err *err)
{
	void (**to)(void) = (void (**)(void))(void *)&c->api;

	c->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	if (!c->library)
		return ws_fail(err, WS_EINVAL, "no CUDA: %s is not found; it needs an NVIDIA "
			       "driver", library);
	for (size_t i = 0; i < WS_COUNT(names); i++) {
		void *symbol = dlsym(c->library, names[i]);

		if (!symbol)
			return ws_fail(err, WS_EINVAL, "%s has no %s: the driver is too old, want "
				       "one of CUDA 8.0 or newer", library, names[i]);
		memcpy(&to[i], &symbol, sizeof symbol);
	}
	return WS_OK;
}

static enum ws_status choose_device(struct chase_cuda *c, unsigned device, char *name, size_t len,
				    struct ws_err *err)
{
	int code = c->api.cuInit(0), version = 0, count = 0, major = 0, minor = 0;

	if (code == 100)
		return ws_fail(err, WS_EINVAL, "the NVIDIA driver finds no GPU");
	if (code)
		return failed(c, "the NVIDIA driver does not start", code, err);
	if (c->api.cuDriverGetVersion(&version) || version < VERSION_LEAST)
		return ws_fail(err, WS_EINVAL, "the driver is of CUDA %d.%d: want 8.0 or newer",
			       version / 1000, version % 1000 / 10);
	if (c->api.cuDeviceGetCount(&count) || count <= 0)
		return ws_fail(err, WS_EINVAL, "the NVIDIA driver finds no GPU");
	if (device >= (unsigned)count)
		return ws_fail(err, WS_EINVAL, "device %u: there are %d, from 0", device, count);
	code = c->api.cuDeviceGet(&c->device, (int)device);
	if (code)
		return failed(c, "the device", code, err);
	(void)c->api.cuDeviceGetName(name, (int)len, c->device);
	(void)c->api.cuDeviceGetAttribute(&major, CU_CAPABILITY_MAJOR, c->device);
	(void)c->api.cuDeviceGetAttribute(&minor, CU_CAPABILITY_MINOR, c->device);
	if (major < MAJOR_LEAST)
		return ws_fail(err, WS_EINVAL, "%s is of compute capability %d.%d: want %d.0 or "
			       "newer", name, major, minor, MAJOR_LEAST);
	return WS_OK;
}

bool ws_chase_has_ptx(void)
{
	return ws_chase_ptx[0] != '\0';
}

static enum ws_status load_kernel(struct chase_cuda *c, struct ws_err *err)
{
	char log[512] = "";
	int option[] = { CU_JIT_ERROR_LOG, CU_JIT_ERROR_LOG_BYTES };
	void *value[] = { log, (void *)(uintptr_t)(sizeof log - 1) };
	int code;

	if (!ws_chase_has_ptx())
		return ws_fail(err, WS_EINVAL, "built without a clang-19 that makes PTX, which "
			       "CUDA wants");
	code = c->api.cuDevicePrimaryCtxRetain(&c->context, c->device);
	if (!code)
		code = c->api.cuCtxSetCurrent(c->context);
	if (code)
		return failed(c, "the context", code, err);
	code = c->api.cuModuleLoadDataEx(&c->module, ws_chase_ptx, WS_COUNT(option), option,
					 value);
	for (char *at = log; *at; at++)
		*at = *at < ' ' ? ' ' : *at;
	if (code)
		return ws_fail(err, WS_EIO, "the driver does not compile the kernel: CUDA error %d "
			       "%.300s", code, log);
	code = c->api.cuModuleGetFunction(&c->function, c->module, "chase");
	return code ? failed(c, "the kernel", code, err) : WS_OK;
}

/* As much of `bytes` as there is, by halves. */
static enum ws_status make_array(struct chase_cuda *c, uint64_t bytes, struct ws_err *err)
{
	int code = 1, l2 = 0;

	for (c->bytes = bytes; code && c->bytes >= BYTES_LEAST; c->bytes /= code ? 2 : 1)
		code = c->api.cuMemAlloc(&c->array, c->bytes + OWN_BYTES);
	if (code)
		return failed(c, "the array", code, err);
	code = c->api.cuMemsetD8(c->array, 0, c->bytes + OWN_BYTES);
	if (!code && c->how == WS_CHASE_PAST_L1) {
		(void)c->api.cuDeviceGetAttribute(&l2, CU_L2_BYTES, c->device);
		c->flush_bytes = 2 * (uint64_t)(l2 > 0 ? l2 : 1 << 26);
		code = c->api.cuMemAlloc(&c->flush, c->flush_bytes);
	}
	return code ? failed(c, "memory of the GPU", code, err) : WS_OK;
}

/* ---- running ------------------------------------------------------------------------------ */

static enum ws_status make_room(struct chase_cuda *c, size_t loads, struct ws_err *err)
{
	int code = 0;

	if (loads <= c->room)
		return WS_OK;
	if (c->room)
		code = c->api.cuMemFree(c->list) | c->api.cuMemFree(c->ticks);
	c->room = 0;
	free(c->host);
	c->host = ws_alloc(loads, sizeof *c->host);
	if (!c->host)
		return ws_fail_memory(err, "the loads");
	if (!code)
		code = c->api.cuMemAlloc(&c->list, loads * sizeof *c->host);
	if (!code) {
		code = c->api.cuMemAlloc(&c->ticks, loads * sizeof *c->host);
		if (code)
			(void)c->api.cuMemFree(c->list);
	}
	if (code)
		return failed(c, "memory of the GPU", code, err);
	c->room = loads;
	return WS_OK;
}

static int by_ticks(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static enum ws_status launch(struct chase_cuda *c, uint32_t count, bool flush, struct ws_err *err)
{
	void *argument[] = { &c->array, &c->list, &c->ticks, &count, &c->how };
	size_t bytes = count * sizeof *c->host;
	int code = 0;

	if (flush && c->flush_bytes)
		code = c->api.cuMemsetD8(c->flush, 0, c->flush_bytes);
	if (!code)
		code = c->api.cuMemcpyHtoD(c->list, c->host, bytes);
	if (code)
		return failed(c, "the list of loads", code, err);
	code = c->api.cuLaunchKernel(c->function, 1, 1, 1, 1, 1, 1, 0, NULL, argument, NULL);
	if (!code)
		code = c->api.cuCtxSynchronize();
	if (code)
		return failed(c, "the launch", code, err);
	code = c->api.cuMemcpyDtoH(c->host, c->ticks, bytes);
	return code ? failed(c, "the latencies", code, err) : WS_OK;
}

static bool steady(struct chase_cuda *c, uint32_t *before, uint32_t *after)
{
	double a, b;

	qsort(before, WATCH, sizeof *before, by_ticks);
	qsort(after, WATCH, sizeof *after, by_ticks);
	a = before[WATCH / 2];
	b = after[WATCH / 2];
	if (!(c->usual > 0))
		c->usual = a;
	return fabs(a - c->usual) <= DRIFT * c->usual && fabs(b - c->usual) <= DRIFT * c->usual;
}

static enum ws_status chase_cuda_run(void *state, const uint64_t *offset, size_t count,
				     bool flush, double *cycles, struct ws_err *err)
{
	struct chase_cuda *c = state;
	size_t all = count + 2 * WATCH;
	enum ws_status status;
	bool good = false;

	if (count > UINT32_MAX - 2 * WATCH)
		return ws_fail(err, WS_EINVAL, "%zu loads: want at most %u", count, UINT32_MAX);
	for (size_t i = 0; i < count; i++)
		if (offset[i] > c->bytes - sizeof(uint32_t))
			return ws_fail(err, WS_EINVAL, "offset %" PRIu64 ": the GPU's array has %"
				       PRIu64 " bytes", offset[i], c->bytes);
	status = make_room(c, all, err);
	for (unsigned k = 0; k < REPEATS && !good && status == WS_OK; k++) {
		for (size_t i = 0; i < all; i++)
			c->host[i] = (uint32_t)(i < WATCH || i >= WATCH + count
						? c->bytes : offset[i - WATCH]);
		status = launch(c, (uint32_t)all, flush, err);
		good = status == WS_OK && steady(c, c->host, c->host + WATCH + count);
	}
	for (size_t i = 0; i < count && status == WS_OK; i++)
		cycles[i] = c->host[WATCH + i];
	c->programs++;
	c->drifts += status == WS_OK && !good;
	return status;
}

static void chase_cuda_tell(const void *state, char *note, size_t len)
{
	const struct chase_cuda *c = state;

	if (c->drifts)
		snprintf(note, len, "latencies drift: in %" PRIu64 " of %" PRIu64 " programs, each "
			 "repeated, loads that hit did not take the %.0f cycles of the first; the "
			 "GPU throttles, or is shared", c->drifts, c->programs, c->usual);
}

static void chase_cuda_free(void *state)
{
	struct chase_cuda *c = state;

	if (!c)
		return;
	if (c->room) {
		(void)c->api.cuMemFree(c->list);
		(void)c->api.cuMemFree(c->ticks);
	}
	if (c->flush)
		(void)c->api.cuMemFree(c->flush);
	if (c->array)
		(void)c->api.cuMemFree(c->array);
	if (c->module)
		(void)c->api.cuModuleUnload(c->module);
	if (c->context)
		(void)c->api.cuDevicePrimaryCtxRelease(c->device);
	free(c->host);
	free(c);	/* drivers do not bear to be unloaded: the library stays */
}

enum ws_status ws_chase_cuda(struct ws_chase_target *out, const struct ws_chase_cuda *o,
			     struct ws_err *err)
{
	struct chase_cuda *c = ws_alloc_zero(1, sizeof *c);
	enum ws_status status;

	*out = (struct ws_chase_target){ .state = c, .run = chase_cuda_run,
					 .tell = chase_cuda_tell, .free = chase_cuda_free };
	if (!c)
		return ws_fail_memory(err, "the GPU");
	c->how = o->how;
	status = load_api(c, o->library ? o->library : "libcuda.so.1", err);
	if (status == WS_OK)
		status = choose_device(c, o->device, out->name, sizeof out->name, err);
	if (status == WS_OK)
		status = load_kernel(c, err);
	if (status == WS_OK)
		status = make_array(c, c->how == WS_CHASE_PAST_L1 ? BYTES_L2 : BYTES_L1, err);
	out->bytes = c->bytes;
	if (status != WS_OK)
		ws_chase_close(out);
	return status;
}
