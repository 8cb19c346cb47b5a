/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/cuda/stub.c -- a libcuda.so.1 without a GPU: checks the calls, and answers the loads.
 *
 * A launch of "chase" runs no PTX: it looks the loads up in a level 1 of 32 sets, 4 ways and lines
 * of 128 bytes under LRU, which is empty at each launch, or in an L2 of 64 sets, 8 ways and lines
 * of 64 bytes, which a memset empties.  Device addresses are the host's.  WS_STUB_CUDA says what
 * goes wrong.  A call out of order ends the program.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define MUST(what) ((what) ? (void)0 : must(#what, __LINE__))
#define WAYS_MOST 8

struct stub_cache {
	uint64_t line[64][WAYS_MOST];	/* + 1; the last used one first */
	unsigned sets, ways, shift;
};

static struct stub_cache l1 = { .sets = 32, .ways = 4, .shift = 7 };
static struct stub_cache l2 = { .sets = 64, .ways = 8, .shift = 6 };
static int context, module, function, retained, allocated;
static unsigned long launches;

static void must(const char *what, int line)
{
	fprintf(stderr, "libcuda stub, line %d: not %s\n", line, what);
	abort();
}

static int is(const char *mode)
{
	const char *now = getenv("WS_STUB_CUDA");

	return now && strcmp(now, mode) == 0;
}

static int hits(struct stub_cache *c, uint64_t address)
{
	uint64_t line = (address >> c->shift) + 1;
	uint64_t *way = c->line[(line - 1) % c->sets];
	unsigned i = 0;
	int hit;

	while (i < c->ways - 1 && way[i] != line)
		i++;
	hit = way[i] == line;
	memmove(way + 1, way, i * sizeof *way);
	way[0] = line;
	return hit;
}

EXPORT int cuInit(unsigned flags)
{
	MUST(flags == 0);
	return is("nodevice") ? 100 : is("broken") ? 803 : 0;
}

EXPORT int cuDriverGetVersion(int *version)
{
	*version = is("old") ? 7050 : 12040;
	return 0;
}

EXPORT int cuGetErrorName(int code, const char **name)
{
	*name = code == 719 ? "CUDA_ERROR_LAUNCH_FAILED" : "CUDA_ERROR_OTHER";
	return 0;
}

EXPORT int cuDeviceGetCount(int *count)
{
	*count = is("none") ? 0 : 1;
	return 0;
}

EXPORT int cuDeviceGet(int *device, int number)
{
	MUST(number == 0);
	*device = 17;
	return 0;
}

EXPORT int cuDeviceGetName(char *name, int len, int device)
{
	MUST(device == 17);
	snprintf(name, (size_t)len, "Stub GPU");
	return 0;
}

EXPORT int cuDeviceGetAttribute(int *value, int which, int device)
{
	MUST(device == 17);
	MUST(which == 75 || which == 76 || which == 38);
	*value = which == 38 ? 32 << 10 : which == 76 ? 5 : is("kepler") ? 3 : 7;
	return 0;
}

EXPORT int cuDevicePrimaryCtxRetain(void **out, int device)
{
	MUST(device == 17);
	retained++;
	*out = &context;
	return 0;
}

EXPORT int cuDevicePrimaryCtxRelease_v2(int device)
{
	MUST(device == 17 && retained == 1 && allocated == 0);
	retained--;
	return 0;
}

EXPORT int cuCtxSetCurrent(void *given)
{
	MUST(given == &context && retained == 1);
	return 0;
}

EXPORT int cuCtxSynchronize(void)
{
	return is("launch") ? 719 : 0;
}

EXPORT int cuModuleLoadDataEx(void **out, const char *image, unsigned count, const int *option,
			      void **value)
{
	MUST(retained == 1 && strstr(image, ".version 5.0") && strstr(image, ".target sm_50"));
	MUST(strstr(image, ".entry chase(") && strstr(image, "%clock64"));
	MUST(strstr(image, "ld.global.ca.u32") && strstr(image, "ld.global.cg.u32"));
	MUST(strstr(image, "ld.global.nc.u32"));
	MUST(count == 2 && option[0] == 5 && option[1] == 6 && (uintptr_t)value[1] > 16);
	if (is("jit")) {
		snprintf(value[0], (uintptr_t)value[1], "ptxas says\nno");
		return 218;
	}
	launches = 0;
	*out = &module;
	return 0;
}

EXPORT int cuModuleUnload(void *given)
{
	MUST(given == &module && retained == 1);
	return 0;
}

EXPORT int cuModuleGetFunction(void **out, void *given, const char *name)
{
	MUST(given == &module && strcmp(name, "chase") == 0);
	*out = &function;
	return 0;
}

EXPORT int cuMemAlloc_v2(uint64_t *out, size_t bytes)
{
	void *memory;

	MUST(retained == 1 && bytes > 0);
	if (is("memory") || bytes > (80u << 20))
		return 2;
	memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
	MUST(memory);
	allocated++;
	*out = (uintptr_t)memory;
	return 0;
}

EXPORT int cuMemFree_v2(uint64_t address)
{
	MUST(address && allocated > 0);
	allocated--;
	free((void *)(uintptr_t)address);
	return 0;
}

EXPORT int cuMemsetD8_v2(uint64_t address, unsigned char value, size_t bytes)
{
	memset((void *)(uintptr_t)address, value, bytes);
	memset(l2.line, 0, sizeof l2.line);
	return 0;
}

EXPORT int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes)
{
	memcpy((void *)(uintptr_t)to, from, bytes);
	return 0;
}

EXPORT int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes)
{
	memcpy(to, (const void *)(uintptr_t)from, bytes);
	return 0;
}

static uint32_t latency(uint64_t address, unsigned how)
{
	int first = how != 1 && hits(&l1, address);
	int second = !first && hits(&l2, address);
	uint32_t cycles = first ? 33 : second ? 220 : 450;

	return is("drift") && launches > 20 ? cycles * 3 / 2 : cycles;
}

EXPORT int cuLaunchKernel(void *given, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
			  unsigned by, unsigned bz, unsigned shared, void *stream, void **argument,
			  void **extra)
{
	uint64_t array, list, ticks;
	uint32_t count, how;

	MUST(given == &function && !stream && !extra && shared == 0);
	MUST(gx * gy * gz * bx * by * bz == 1);
	memcpy(&array, argument[0], sizeof array);
	memcpy(&list, argument[1], sizeof list);
	memcpy(&ticks, argument[2], sizeof ticks);
	memcpy(&count, argument[3], sizeof count);
	memcpy(&how, argument[4], sizeof how);
	MUST(array && list && ticks && array % 4096 == 0 && how < 3);
	memset(l1.line, 0, sizeof l1.line);
	launches++;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = ((const uint32_t *)(uintptr_t)list)[i];

		((uint32_t *)(uintptr_t)ticks)[i] = latency(array + at, how);
	}
	return 0;
}
