/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_runtime_calls.h -- calls of the runtime that few programs have: launches step by step, as up to
 * CUDA 9; the driver's calls by name; libraries of kernels; objects that graphs hold.
 *
 * Part of cuda_runtime_api.h, which includes it.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_RUNTIME_CALLS_H
#define WARPSTACK_CUDA_RUNTIME_CALLS_H

#include "cuda_letters_begin.h"

typedef struct CUfunc_st *cudaFunction_t;
typedef struct CUmod_st *cudaLibrary_t;
typedef struct CUfunc_st *cudaKernel_t;
typedef struct cudaUserObject_st *cudaUserObject_t;
enum cudaUserObjectFlags { cudaUserObjectNoDestructorSync = 1 };
enum cudaUserObjectRetainFlags { cudaGraphUserObjectMove = 1 };
enum cudaJitOption { cudaJitMaxRegisters = 0, cudaJitOptimizationLevel = 7 };
enum cudaLibraryOption { cudaLibraryHostUniversalFunctionAndDataTable = 0, cudaLibraryBinaryIsPreserved = 1 };
enum cudaDriverEntryPointQueryResult {
	cudaDriverEntryPointSuccess = 0, cudaDriverEntryPointSymbolNotFound = 1,
	cudaDriverEntryPointVersionNotSufficent = 2,
};
#define cudaEnableDefault 0
#define cudaEnableLegacyStream 1
#define cudaEnablePerThreadDefaultStream 2

#ifdef __cplusplus
#define WS_OR(v) = v
extern "C" {
#else
#define WS_OR(v)
#endif
/* A launch: its sizes, each argument at its offset, then the kernel. */
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared WS_OR(0), cudaStream_t stream WS_OR(0));
cudaError_t cudaSetupArgument(const void *value, size_t bytes, size_t offset);
cudaError_t cudaLaunch(const void *kernel);
cudaError_t cudaFuncGetName(const char **name, const void *kernel);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *kernel);
/* status may be NULL.  A version is not asked for: there is one of each call. */
cudaError_t cudaGetDriverEntryPoint(const char *name, void **call, unsigned long long flags,
				    enum cudaDriverEntryPointQueryResult *status WS_OR(0));
cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **call, unsigned int version,
					     unsigned long long flags,
					     enum cudaDriverEntryPointQueryResult *status WS_OR(0));
/* What warpstack-nvcc -cubin, -fatbin or -ptx made, or NVRTC.  Options change nothing. */
cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *image, enum cudaJitOption *jit,
				void **jit_values, unsigned int jits, enum cudaLibraryOption *option,
				void **values, unsigned int options);
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path, enum cudaJitOption *jit,
				    void **jit_values, unsigned int jits, enum cudaLibraryOption *option,
				    void **values, unsigned int options);
cudaError_t cudaLibraryUnload(cudaLibrary_t library);
cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name);
cudaError_t cudaLibraryGetGlobal(void **pointer, size_t *bytes, cudaLibrary_t library, const char *name);
/* Counted: `destroy` is called with `object` when nobody holds it.  What a graph holds its copies hold. */
cudaError_t cudaUserObjectCreate(cudaUserObject_t *out, void *object, cudaHostFn_t destroy,
				 unsigned int count, unsigned int flags);
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count WS_OR(1));
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count WS_OR(1));
cudaError_t cudaGraphRetainUserObject(struct CUgraph_st *graph, cudaUserObject_t object,
				      unsigned int count WS_OR(1), unsigned int flags WS_OR(0));
cudaError_t cudaGraphReleaseUserObject(struct CUgraph_st *graph, cudaUserObject_t object,
				       unsigned int count WS_OR(1));
#ifdef __cplusplus
}
template <class T> static inline cudaError_t cudaSetupArgument(T value, size_t offset)
{
	return cudaSetupArgument(&value, sizeof value, offset);
}
template <class T> static inline cudaError_t cudaLaunch(T *kernel)
{
	return cudaLaunch((const void *)kernel);
}
template <class T> static inline cudaError_t cudaFuncGetName(const char **name, T *kernel)
{
	return cudaFuncGetName(name, (const void *)kernel);
}
template <class T> static inline cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, T *kernel)
{
	return cudaGetFuncBySymbol(function, (const void *)kernel);
}
#endif
#undef WS_OR
#include "cuda_letters_end.h"

#endif
