/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/steps.c -- launches said step by step, as programs of before CUDA 4 have them: sizes,
 * each argument at its offset, then the launch.  By the driver's calls a kernel keeps its steps, by
 * the runtime's a thread has those of the launch to come.
 */
#include "trace/cuda/runtime.h"

#include <stdlib.h>
#include <string.h>

#define ARGS_BYTES 4096u /* of a kernel's arguments, as CUDA has it */

struct ws_cuda_steps {
	dim3 block;
	unsigned int shared;
	size_t bytes; /* of arguments; 0: as many as were set */
	size_t set;
	uint8_t argument[ARGS_BYTES];
};

static bool set_bytes(struct ws_cuda_steps *s, size_t offset, const void *value, size_t bytes)
{
	if (offset > ARGS_BYTES || bytes > ARGS_BYTES - offset)
		return false;
	memcpy(s->argument + offset, value, bytes);
	s->set = s->set > offset + bytes ? s->set : offset + bytes;
	return true;
}

/* ---- the driver's ---------------------------------------------------------------------- */

/* A kernel's; NULL: it is none, or memory is out. */
static struct ws_cuda_steps *steps_of(CUfunction function)
{
	struct ws_cuda_kernel *k = ws_cuda_enter() ? ws_cuda_kernel(function) : NULL;

	if (k && !k->steps) {
		k->steps = ws_alloc_zero(1, sizeof *k->steps);
		if (k->steps)
			k->steps->block = (dim3){ 1, 1, 1 };
	}
	ws_cuda_leave();
	return k ? k->steps : NULL;
}

WS_CUDA_CALL CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z)
{
	struct ws_cuda_steps *s = steps_of(function);

	if (!s || x < 1 || y < 1 || z < 1)
		return s ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	s->block = (dim3){ (unsigned)x, (unsigned)y, (unsigned)z };
	return CUDA_SUCCESS;
}

WS_CUDA_CALL CUresult cuFuncSetSharedSize(CUfunction function, unsigned int bytes)
{
	struct ws_cuda_steps *s = steps_of(function);

	if (s)
		s->shared = bytes;
	return s ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

WS_CUDA_CALL CUresult cuParamSetSize(CUfunction function, unsigned int bytes)
{
	struct ws_cuda_steps *s = steps_of(function);

	if (s)
		s->bytes = bytes;
	return !s ? CUDA_ERROR_INVALID_HANDLE
	       : bytes <= ARGS_BYTES ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

WS_CUDA_CALL CUresult cuParamSetv(CUfunction function, int offset, void *value, unsigned int bytes)
{
	struct ws_cuda_steps *s = steps_of(function);

	if (!s)
		return CUDA_ERROR_INVALID_HANDLE;
	return value && offset >= 0 && set_bytes(s, (size_t)offset, value, bytes)
		       ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

WS_CUDA_CALL CUresult cuParamSeti(CUfunction function, int offset, unsigned int value)
{
	return cuParamSetv(function, offset, &value, sizeof value);
}

WS_CUDA_CALL CUresult cuParamSetf(CUfunction function, int offset, float value)
{
	return cuParamSetv(function, offset, &value, sizeof value);
}

WS_CUDA_CALL CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream)
{
	struct ws_cuda_steps *s = steps_of(function);
	size_t bytes = s && s->bytes ? s->bytes : s ? s->set : 0;
	void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, s ? s->argument : NULL,
			  CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END };

	if (!s || width < 1 || height < 1 || bytes > ARGS_BYTES)
		return s ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	return cuLaunchKernel(function, (unsigned)width, (unsigned)height, 1, s->block.x,
			      s->block.y, s->block.z, s->shared, stream, NULL, extra);
}

WS_CUDA_CALL CUresult cuLaunchGrid(CUfunction function, int width, int height)
{
	return cuLaunchGridAsync(function, width, height, NULL);
}

WS_CUDA_CALL CUresult cuLaunch(CUfunction function)
{
	return cuLaunchGridAsync(function, 1, 1, NULL);
}

/* ---- the runtime's --------------------------------------------------------------------- */

static _Thread_local struct ws_cuda_steps next;
static _Thread_local struct {
	dim3 grid;
	cudaStream_t stream;
	size_t shared;
	bool said;
} sizes;

WS_CUDA_CALL cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared,
					   cudaStream_t stream)
{
	sizes.grid = grid;
	sizes.stream = stream;
	sizes.shared = shared;
	sizes.said = true;
	next.block = block;
	next.set = 0;
	return cudaSuccess;
}

WS_CUDA_CALL cudaError_t cudaSetupArgument(const void *value, size_t bytes, size_t offset)
{
	return ws_cuda_error(value && set_bytes(&next, offset, value, bytes) ? cudaSuccess
								       : cudaErrorInvalidValue);
}

WS_CUDA_CALL cudaError_t cudaLaunch(const void *kernel)
{
	struct cudaFuncAttributes compiled;
	void *argument[WS_CUDA_ARGS_MAX] = { 0 };
	void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, next.argument,
			  CU_LAUNCH_PARAM_BUFFER_SIZE, &next.set, CU_LAUNCH_PARAM_END };
	struct ws_cuda_kernel *k;
	cudaError_t error = sizes.said ? cudaFuncGetAttributes(&compiled, kernel)
				       : ws_cuda_error(cudaErrorMissingConfiguration);

	sizes.said = false;
	if (error != cudaSuccess)
		return error;
	k = ws_cuda_enter() ? ws_cuda_kernel(kernel) : NULL;
	if (!k || ws_cuda_spread(k, extra, argument) != CUDA_SUCCESS)
		error = cudaErrorInvalidValue;
	ws_cuda_leave();
	return error != cudaSuccess ? ws_cuda_error(error)
				    : cudaLaunchKernel(kernel, sizes.grid, next.block, argument,
						       sizes.shared, sizes.stream);
}
