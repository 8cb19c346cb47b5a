/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/library.c -- the driver's calls by name, and libraries of kernels, which are modules
 * by another name.
 */
#include "trace/cuda/runtime.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* ---- calls by name --------------------------------------------------------------------- */

/* There is one version of each call, whatever its name ends with; false: there is none. */
static bool call_of(const char *name, void **call)
{
	char plain[128];
	size_t len = name ? strlen(name) : 0;
	const char *version = name ? strrchr(name, '_') : NULL;

	*call = NULL;
	if (!name || strncmp(name, "cu", 2) != 0 || len >= sizeof plain)
		return false;
	if (version && version[1] == 'v' && version[2] >= '0' && version[2] <= '9')
		len = (size_t)(version - name);
	memcpy(plain, name, len);
	plain[len] = '\0';
	*call = dlsym(RTLD_DEFAULT, plain);
	return *call != NULL;
}

WS_CUDA_CALL CUresult cuGetProcAddress(const char *name, void **call, int version,
				       unsigned long flags, CUdriverProcAddressQueryResult *status)
{
	bool found;

	(void)version;
	(void)flags;
	if (!name || !call)
		return CUDA_ERROR_INVALID_VALUE;
	found = call_of(name, call);
	if (status)
		*status = found ? CU_GET_PROC_ADDRESS_SUCCESS
				: CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
	return found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

WS_CUDA_CALL cudaError_t cudaGetDriverEntryPoint(const char *name, void **call,
						 unsigned long long flags,
						 enum cudaDriverEntryPointQueryResult *status)
{
	bool found;

	(void)flags;
	if (!name || !call)
		return ws_cuda_error(cudaErrorInvalidValue);
	found = call_of(name, call);
	if (status)
		*status = found ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
	return found || status ? cudaSuccess : ws_cuda_error(cudaErrorSymbolNotFound);
}

WS_CUDA_CALL cudaError_t
cudaGetDriverEntryPointByVersion(const char *name, void **call, unsigned int version,
				 unsigned long long flags,
				 enum cudaDriverEntryPointQueryResult *status)
{
	(void)version;
	return cudaGetDriverEntryPoint(name, call, flags, status);
}

/* ---- kernels --------------------------------------------------------------------------- */

WS_CUDA_CALL cudaError_t cudaFuncGetName(const char **name, const void *kernel)
{
	struct ws_cuda_kernel *k = ws_cuda_enter() ? ws_cuda_kernel(kernel) : NULL;

	ws_cuda_leave();
	if (!k || !name)
		return ws_cuda_error(k ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction);
	*name = k->name;
	return cudaSuccess;
}

/* A kernel is known by the host's function, too. */
WS_CUDA_CALL cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *kernel)
{
	const char *name;
	cudaError_t error = function ? cudaFuncGetName(&name, kernel) : cudaErrorInvalidValue;

	if (error == cudaSuccess)
		*function = (cudaFunction_t)(uintptr_t)kernel;
	return ws_cuda_error(error);
}

/* ---- libraries ------------------------------------------------------------------------- */

WS_CUDA_CALL CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *jit,
					void **jit_values, unsigned int jits,
					CUlibraryOption *option, void **values,
					unsigned int options)
{
	(void)jit;
	(void)jit_values;
	(void)jits;
	(void)option;
	(void)values;
	(void)options;
	return cuModuleLoadData((CUmodule *)library, image);
}

WS_CUDA_CALL CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path,
					    CUjit_option *jit, void **jit_values,
					    unsigned int jits, CUlibraryOption *option,
					    void **values, unsigned int options)
{
	(void)jit;
	(void)jit_values;
	(void)jits;
	(void)option;
	(void)values;
	(void)options;
	return cuModuleLoad((CUmodule *)library, path);
}

WS_CUDA_CALL CUresult cuLibraryUnload(CUlibrary library)
{
	return cuModuleUnload((CUmodule)library);
}

WS_CUDA_CALL CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
	return cuModuleGetFunction((CUfunction *)kernel, (CUmodule)library, name);
}

WS_CUDA_CALL CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
	*module = (CUmodule)library;
	return library ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

WS_CUDA_CALL CUresult cuLibraryGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUlibrary library,
					 const char *name)
{
	return cuModuleGetGlobal(pointer, bytes, (CUmodule)library, name);
}

WS_CUDA_CALL CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
	*function = (CUfunction)kernel;
	return kernel ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* The driver's numbers of errors are the runtime's. */
static cudaError_t as_runtime(CUresult result)
{
	return ws_cuda_error((cudaError_t)result);
}

WS_CUDA_CALL cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *image,
					     enum cudaJitOption *jit, void **jit_values,
					     unsigned int jits, enum cudaLibraryOption *option,
					     void **values, unsigned int options)
{
	(void)jit;
	(void)jit_values;
	(void)jits;
	(void)option;
	(void)values;
	(void)options;
	return as_runtime(cuModuleLoadData(library, image));
}

WS_CUDA_CALL cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path,
						 enum cudaJitOption *jit, void **jit_values,
						 unsigned int jits, enum cudaLibraryOption *option,
						 void **values, unsigned int options)
{
	(void)jit;
	(void)jit_values;
	(void)jits;
	(void)option;
	(void)values;
	(void)options;
	return as_runtime(cuModuleLoad(library, path));
}

WS_CUDA_CALL cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
	return as_runtime(cuModuleUnload(library));
}

WS_CUDA_CALL cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library,
					      const char *name)
{
	return as_runtime(cuModuleGetFunction(kernel, library, name));
}

WS_CUDA_CALL cudaError_t cudaLibraryGetGlobal(void **pointer, size_t *bytes, cudaLibrary_t library,
					      const char *name)
{
	CUdeviceptr at = 0;
	cudaError_t error = as_runtime(cuModuleGetGlobal(&at, bytes, library, name));

	if (pointer)
		*pointer = (void *)(uintptr_t)at;
	return error;
}
