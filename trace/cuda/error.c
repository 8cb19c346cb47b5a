/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/error.c -- each thread's last error, and the program's sticky one, after which all
 * calls fail.
 */
#include "trace/cuda/runtime.h"

static _Thread_local cudaError_t last;
static _Atomic int stays;

#define ROW(NAME, NUMBER, TEXT) { cudaError##NAME, "cudaError" #NAME, TEXT },
static const struct {
	cudaError_t error;
	const char *name, *text;
} table[] = {
	{ cudaSuccess, "cudaSuccess", "no error" }, WS_CUDA_ERRORS(ROW)
};
#undef ROW

cudaError_t ws_cuda_error(cudaError_t error)
{
	if (error != cudaSuccess)
		last = error;
	return error;
}

cudaError_t ws_cuda_broken(cudaError_t error)
{
	stays = (int)error;
	return ws_cuda_error(error);
}

cudaError_t ws_cuda_stays(void)
{
	return (cudaError_t)stays;
}

WS_CUDA_CALL cudaError_t cudaGetLastError(void)
{
	cudaError_t error = last;

	last = ws_cuda_stays();
	return error;
}

WS_CUDA_CALL cudaError_t cudaPeekAtLastError(void)
{
	return last;
}

WS_CUDA_CALL const char *cudaGetErrorString(cudaError_t error)
{
	for (size_t i = 0; i < WS_COUNT(table); i++) {
		if (table[i].error == error)
			return table[i].text;
	}
	return "unrecognized error code";
}

WS_CUDA_CALL const char *cudaGetErrorName(cudaError_t error)
{
	for (size_t i = 0; i < WS_COUNT(table); i++) {
		if (table[i].error == error)
			return table[i].name;
	}
	return "unrecognized error code";
}
