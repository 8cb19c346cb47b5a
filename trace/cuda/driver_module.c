/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/driver_module.c -- modules that the program loads itself, their kernels and variables.
 *
 * A file is what warpstack-nvcc makes with -cubin, -fatbin or -ptx: what module.c finds inside
 * programs.  A module's kernels stay known when it is unloaded, since the trace may name them.
 */
#include "trace/cuda/runtime.h"

#include <cuda.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_CHARS 1024u /* of a variable */

/* ---- modules --------------------------------------------------------------------------- */

/* A copy of the image is the module's.  bytes: of it; SIZE_MAX: as many as it says. */
static CUresult load(CUmodule *module, const char *image, size_t bytes)
{
	struct ws_cuda_module *m = ws_cuda_enter() ? ws_alloc_zero(1, sizeof *m) : NULL;
	CUresult result = CUDA_ERROR_OUT_OF_MEMORY;

	if (m && WS_ROOM(ws_cuda.module, ws_cuda.module_cap, ws_cuda.modules + 1))
		result = ws_cuda_image(&m->code, image, bytes) ? CUDA_SUCCESS
							       : CUDA_ERROR_INVALID_IMAGE;
	if (result == CUDA_SUCCESS) {
		m->alone = true;
		ws_cuda.module[ws_cuda.modules++] = m;
		*module = (CUmodule)(void *)m;
	} else {
		free(m);
	}
	ws_cuda_leave();
	if (result == CUDA_ERROR_INVALID_IMAGE)
		ws_say("a module cannot be loaded: want one that this warpstack-nvcc compiled "
		       "with -cubin, -fatbin or -ptx");
	return result;
}

WS_CUDA_CALL CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
	return image ? load(module, image, SIZE_MAX) : CUDA_ERROR_INVALID_VALUE;
}

WS_CUDA_CALL CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count,
					 CUjit_option *options, void **values)
{
	(void)count;
	(void)options;
	(void)values;
	return cuModuleLoadData(module, image);
}

WS_CUDA_CALL CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
	return cuModuleLoadData(module, image);
}

WS_CUDA_CALL CUresult cuModuleLoad(CUmodule *module, const char *path)
{
	size_t bytes;
	char *text = path ? ws_cuda_file(path, &bytes) : NULL;
	CUresult result = text ? load(module, text, bytes) : CUDA_ERROR_FILE_NOT_FOUND;

	free(text);
	return result;
}

WS_CUDA_CALL CUresult cuModuleUnload(CUmodule module)
{
	return module ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* ---- what is in them ------------------------------------------------------------------- */

static struct ws_cuda_kernel *add_kernel(struct ws_cuda_module *m, const char *name)
{
	struct ws_cuda_kernel *k = ws_alloc_zero(1, sizeof *k);

	if (!k || !WS_ROOM(m->kernel, m->kernel_cap, m->kernels + 1)) {
		free(k);
		return NULL;
	}
	k->stub = k; /* it has none in the host's code */
	k->name = ws_strdup(name);
	k->module = m;
	m->kernel[m->kernels++] = k;
	return k;
}

WS_CUDA_CALL CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
	struct ws_cuda_module *m = (struct ws_cuda_module *)(void *)module;
	struct ws_cuda_kernel *k = NULL;
	CUresult result = CUDA_ERROR_NOT_INITIALIZED;

	if (!module || !name)
		return module ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	if (ws_cuda_enter()) {
		for (size_t i = 0; i < m->kernels && !k; i++)
			k = m->kernel[i]->name && strcmp(m->kernel[i]->name, name) == 0
				    ? m->kernel[i] : NULL;
		k = k ? k : add_kernel(m, name);
		result = k ? ws_driver_error(ws_cuda_compile(k)) : CUDA_ERROR_OUT_OF_MEMORY;
		if (k && k->missing)
			result = CUDA_ERROR_NOT_FOUND;
	}
	ws_cuda_leave();
	*function = result == CUDA_SUCCESS ? (CUfunction)(void *)k : NULL;
	return result;
}

WS_CUDA_CALL CUresult cuModuleGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUmodule module,
					const char *name)
{
	struct ws_cuda_module *m = (struct ws_cuda_module *)(void *)module;
	uint8_t *host = NULL;
	uint64_t extent = 0;
	char plain[NAME_MAX_CHARS];

	if (!module || !name)
		return module ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	snprintf(plain, sizeof plain, "_ZL%zu%s", strlen(name), name); /* of a static one */
	if (ws_cuda_enter()) {
		if (ws_cuda_extent(&m->code, name, &extent))
			host = ws_cuda_variable_of(m, name, extent);
		else if (ws_cuda_extent(&m->code, plain, &extent))
			host = ws_cuda_variable_of(m, plain, extent);
	}
	ws_cuda_leave();
	if (pointer)
		*pointer = (CUdeviceptr)(uintptr_t)host;
	if (bytes)
		*bytes = (size_t)extent;
	return host ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

/* ---- kernels --------------------------------------------------------------------------- */

static const struct { /* of cudaFuncGetAttributes */
	CUfunction_attribute attribute;
	size_t offset;
	bool wide;
} members[] = {
#define AT(member) offsetof(struct cudaFuncAttributes, member), \
		   sizeof ((struct cudaFuncAttributes *)NULL)->member == sizeof(size_t)
	{ CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, AT(maxThreadsPerBlock) },
	{ CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, AT(sharedSizeBytes) },
	{ CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, AT(constSizeBytes) },
	{ CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, AT(localSizeBytes) },
	{ CU_FUNC_ATTRIBUTE_NUM_REGS, AT(numRegs) },
	{ CU_FUNC_ATTRIBUTE_PTX_VERSION, AT(ptxVersion) },
	{ CU_FUNC_ATTRIBUTE_BINARY_VERSION, AT(binaryVersion) },
	{ CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, AT(cacheModeCA) },
	{ CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, AT(maxDynamicSharedSizeBytes) },
	{ CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, AT(preferredShmemCarveout) },
#undef AT
};

WS_CUDA_CALL CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute,
					 CUfunction function)
{
	struct cudaFuncAttributes a;
	CUresult result = ws_driver_error(cudaFuncGetAttributes(&a, function));
	const char *from = (const char *)&a;

	for (size_t i = 0; i < WS_COUNT(members) && result == CUDA_SUCCESS; i++) {
		if (members[i].attribute != attribute)
			continue;
		from += members[i].offset;
		*value = members[i].wide ? (int)*(const size_t *)(const void *)from
					 : *(const int *)(const void *)from;
		return CUDA_SUCCESS;
	}
	return result == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : result;
}

WS_CUDA_CALL CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute,
					 int value)
{
	return ws_driver_error(cudaFuncSetAttribute(function, (enum cudaFuncAttribute)attribute,
						    value));
}

WS_CUDA_CALL CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config)
{
	return ws_driver_error(cudaFuncSetCacheConfig(function, (enum cudaFuncCache)config));
}

WS_CUDA_CALL CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
								  int threads, size_t shared)
{
	return ws_driver_error(cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function,
									     threads, shared));
}

WS_CUDA_CALL CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function,
						       CUoccupancyB2DSize shared_of, size_t shared,
						       int limit)
{
	int most = 0, sms = 0, blocks, best = 0;
	CUresult result = cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
					     function);

	*grid = *block = 0;
	if (result == CUDA_SUCCESS)
		result = cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0);
	most = limit > 0 && limit < most ? limit : most;
	for (int threads = most / 32 * 32; threads > 0 && result == CUDA_SUCCESS; threads -= 32) {
		result = cuOccupancyMaxActiveBlocksPerMultiprocessor(
			&blocks, function, threads, shared_of ? shared_of(threads) : shared);
		if (result == CUDA_SUCCESS && blocks * threads > best) {
			best = blocks * threads;
			*grid = blocks * sms;
			*block = threads;
		}
	}
	return result;
}

CUresult ws_cuda_spread(const struct ws_cuda_kernel *k, void **extra, void **argument)
{
	uint8_t *buffer = NULL;
	size_t bytes = 0, at = 0;

	for (; extra[0] != CU_LAUNCH_PARAM_END; extra += 2) {
		if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
			buffer = extra[1];
		else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
			bytes = *(const size_t *)extra[1];
		else
			return CUDA_ERROR_INVALID_VALUE;
	}
	for (size_t i = 0; i < k->kernel->args && i < WS_CUDA_ARGS_MAX; i++) {
		const struct ws_kernel_arg *arg = &k->kernel->arg[i];

		if (arg->symbol || arg->kind == WS_ARG_LOCAL)
			continue;
		at = (at + arg->align - 1) / arg->align * arg->align;
		if (!buffer || at + arg->bytes > bytes)
			return CUDA_ERROR_INVALID_VALUE;
		argument[i] = buffer + at;
		at += arg->bytes;
	}
	return CUDA_SUCCESS;
}

/* What goes wrong while a kernel runs is told by later calls, as its launch does not wait. */
static CUresult launched(cudaError_t error)
{
	switch (error) {
	case cudaErrorAssert:
	case cudaErrorIllegalAddress:
	case cudaErrorMisalignedAddress:
	case cudaErrorLaunchFailure:
		return CUDA_SUCCESS;
	default:
		return ws_driver_error(error);
	}
}

static CUresult launch(CUfunction function, dim3 grid, dim3 block, size_t shared, CUstream stream,
		       void **arguments, void **extra)
{
	struct ws_cuda_kernel *k = ws_cuda_enter() ? ws_cuda_kernel(function) : NULL;
	void *spread_out[WS_CUDA_ARGS_MAX] = { 0 };
	CUresult result = k && k->kernel ? ws_driver_error(ws_cuda_stays())
					 : CUDA_ERROR_INVALID_HANDLE;

	if (result == CUDA_SUCCESS && !arguments) {
		result = extra ? ws_cuda_spread(k, extra, spread_out) : CUDA_SUCCESS;
		arguments = spread_out;
	}
	ws_cuda_leave();
	return result != CUDA_SUCCESS ? result
	       : launched(cudaLaunchKernel(function, grid, block, arguments, shared, stream));
}

WS_CUDA_CALL CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
				     unsigned int grid_z, unsigned int block_x,
				     unsigned int block_y, unsigned int block_z,
				     unsigned int shared, CUstream stream, void **arguments,
				     void **extra)
{
	const dim3 grid = { grid_x, grid_y, grid_z }, block = { block_x, block_y, block_z };

	return launch(function, grid, block, shared, stream, arguments, extra);
}

WS_CUDA_CALL CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x,
						unsigned int grid_y, unsigned int grid_z,
						unsigned int block_x, unsigned int block_y,
						unsigned int block_z, unsigned int shared,
						CUstream stream, void **arguments)
{
	const dim3 grid = { grid_x, grid_y, grid_z }, block = { block_x, block_y, block_z };

	return launch(function, grid, block, shared, stream, arguments, NULL);
}
