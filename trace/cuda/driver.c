/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/driver.c -- the driver's calls: of the device, contexts, memory, streams and events,
 * all of them by the runtime's.  A context is a handle without a state.
 */
#include "trace/cuda/runtime.h"

#include <cuda.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors ---------------------------------------------------------------------------- */

#define ROW(NAME, NUMBER) { CUDA_ERROR_##NAME, "CUDA_ERROR_" #NAME },
static const struct {
	CUresult error;
	const char *name;
} table[] = {
	{ CUDA_SUCCESS, "CUDA_SUCCESS" }, WS_DRIVER_ERRORS(ROW)
};
#undef ROW

static const char *name_of(int error)
{
	for (size_t i = 0; i < WS_COUNT(table); i++) {
		if ((int)table[i].error == error)
			return table[i].name;
	}
	return NULL;
}

/* Errors that the driver's interface lacks become CUDA_ERROR_INVALID_VALUE. */
CUresult ws_driver_error(cudaError_t error)
{
	switch (error) {
	case cudaErrorInvalidDeviceFunction:
		return CUDA_ERROR_INVALID_HANDLE;
	case cudaErrorInvalidSymbol:
		return CUDA_ERROR_NOT_FOUND;
	default:
		return name_of((int)error) ? (CUresult)error : CUDA_ERROR_INVALID_VALUE;
	}
}

WS_CUDA_CALL CUresult cuGetErrorName(CUresult error, const char **name)
{
	*name = name_of((int)error);
	return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

WS_CUDA_CALL CUresult cuGetErrorString(CUresult error, const char **text)
{
	*text = name_of((int)error) ? cudaGetErrorString((cudaError_t)error) : NULL;
	return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- the device ------------------------------------------------------------------------ */

static _Atomic bool initialized;

/* cuInit, or a call of the runtime, comes first. */
static CUresult ready(void)
{
	return initialized || ws_cuda.begun ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

/* What the runtime's call says, if the driver is ready for it. */
#define AS(CALL) (ready() == CUDA_SUCCESS ? ws_driver_error(CALL) : CUDA_ERROR_NOT_INITIALIZED)

WS_CUDA_CALL CUresult cuInit(unsigned int flags)
{
	bool good;

	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	good = ws_cuda_enter();
	ws_cuda_leave();
	initialized = good;
	return good ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

WS_CUDA_CALL CUresult cuDriverGetVersion(int *version)
{
	return ws_driver_error(cudaDriverGetVersion(version));
}

WS_CUDA_CALL CUresult cuDeviceGetCount(int *count)
{
	return AS(cudaGetDeviceCount(count));
}

WS_CUDA_CALL CUresult cuDeviceGet(CUdevice *device, int number)
{
	*device = number;
	return AS(cudaSetDevice(number));
}

WS_CUDA_CALL CUresult cuDeviceGetName(char *name, int len, CUdevice device)
{
	struct cudaDeviceProp p;
	CUresult result = AS(cudaGetDeviceProperties(&p, device));

	if (result == CUDA_SUCCESS && len > 0)
		snprintf(name, (size_t)len, "%s", p.name);
	return result;
}

WS_CUDA_CALL CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
	struct cudaDeviceProp p;
	CUresult result = AS(cudaGetDeviceProperties(&p, device));

	if (result == CUDA_SUCCESS)
		*bytes = p.totalGlobalMem;
	return result;
}

WS_CUDA_CALL CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
					   CUdevice device)
{
	switch (attribute) { /* that the runtime has not */
	case CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED:
		*value = 1;
		return AS(device ? cudaErrorInvalidDevice : cudaSuccess);
	case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
	case CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED:
		*value = 0;
		return AS(device ? cudaErrorInvalidDevice : cudaSuccess);
	default:
		break;
	}
	return AS(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device));
}

WS_CUDA_CALL CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
	CUresult result = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
					       device);

	return result != CUDA_SUCCESS ? result
	       : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

WS_CUDA_CALL CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute,
					      CUdevice device, CUdevice peer)
{
	return AS(cudaDeviceGetP2PAttribute(value, (enum cudaDeviceP2PAttr)attribute, device,
					    peer));
}

WS_CUDA_CALL CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
	return AS(cudaDeviceCanAccessPeer(can, device, peer));
}

/* ---- contexts -------------------------------------------------------------------------- */

#define CONTEXTS 16u	/* a thread's, that are pushed */

struct CUctx_st {
	CUdevice device;
};
static struct CUctx_st primary;
static _Thread_local CUcontext stack[CONTEXTS];
static _Thread_local unsigned depth;

WS_CUDA_CALL CUresult cuCtxPushCurrent(CUcontext context)
{
	if (!context || depth == CONTEXTS)
		return CUDA_ERROR_INVALID_CONTEXT;
	stack[depth++] = context;
	return CUDA_SUCCESS;
}

WS_CUDA_CALL CUresult cuCtxPopCurrent(CUcontext *context)
{
	if (!depth)
		return CUDA_ERROR_INVALID_CONTEXT;
	depth--;
	if (context)
		*context = stack[depth];
	return CUDA_SUCCESS;
}

WS_CUDA_CALL CUresult cuCtxSetCurrent(CUcontext context)
{
	depth -= depth != 0;
	return context ? cuCtxPushCurrent(context) : CUDA_SUCCESS;
}

WS_CUDA_CALL CUresult cuCtxGetCurrent(CUcontext *context)
{
	*context = depth ? stack[depth - 1] : NULL;
	return ready();
}

WS_CUDA_CALL CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device)
{
	CUresult result = AS(cudaSetDevice(device));

	(void)flags;
	if (result != CUDA_SUCCESS)
		return result;
	*context = ws_alloc_zero(1, sizeof **context);
	return *context ? cuCtxPushCurrent(*context) : CUDA_ERROR_OUT_OF_MEMORY;
}

WS_CUDA_CALL CUresult cuCtxDestroy(CUcontext context)
{
	if (!context)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (depth && stack[depth - 1] == context)
		depth--;
	if (context != &primary)
		free(context);
	return CUDA_SUCCESS;
}

WS_CUDA_CALL CUresult cuCtxDetach(CUcontext context)
{
	return cuCtxDestroy(context);
}

WS_CUDA_CALL CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
	*context = &primary;
	return AS(cudaSetDevice(device));
}

WS_CUDA_CALL CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
	return AS(cudaSetDevice(device));
}

WS_CUDA_CALL CUresult cuDevicePrimaryCtxReset(CUdevice device)
{
	return AS(cudaSetDevice(device));
}

WS_CUDA_CALL CUresult cuCtxGetDevice(CUdevice *device)
{
	*device = 0;
	return ready();
}

WS_CUDA_CALL CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version)
{
	(void)context;
	*version = CUDA_VERSION / 10;
	return ready();
}

WS_CUDA_CALL CUresult cuCtxSynchronize(void)
{
	return AS(cudaDeviceSynchronize());
}

WS_CUDA_CALL CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
	return AS(cudaDeviceSetCacheConfig((enum cudaFuncCache)config));
}

/* ---- memory ---------------------------------------------------------------------------- */

static void *at(CUdeviceptr pointer)
{
	return (void *)(uintptr_t)pointer;
}

/* A pointer that a call of the runtime has made. */
static CUresult put(CUdeviceptr *to, void *pointer, CUresult result)
{
	*to = (CUdeviceptr)(uintptr_t)pointer;
	return result;
}

/* The driver refuses allocations of 0 bytes, which the runtime does not. */
WS_CUDA_CALL CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes)
{
	void *p = NULL;
	CUresult result = bytes ? AS(cudaMalloc(&p, bytes)) : CUDA_ERROR_INVALID_VALUE;

	return put(pointer, p, result);
}

WS_CUDA_CALL CUresult cuMemAllocPitch(CUdeviceptr *pointer, size_t *pitch, size_t width,
				      size_t height, unsigned int element)
{
	void *p = NULL;
	CUresult result = AS(cudaMallocPitch(&p, pitch, width, height));

	(void)element;
	return put(pointer, p, result);
}

WS_CUDA_CALL CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned int flags)
{
	void *p = NULL;
	CUresult result = AS(cudaMallocManaged(&p, bytes, flags));

	return put(pointer, p, result);
}

WS_CUDA_CALL CUresult cuMemFree(CUdeviceptr pointer)
{
	return AS(cudaFree(at(pointer)));
}

WS_CUDA_CALL CUresult cuMemAllocHost(void **pointer, size_t bytes)
{
	return AS(cudaMallocHost(pointer, bytes));
}

WS_CUDA_CALL CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
	return AS(cudaHostAlloc(pointer, bytes, flags));
}

WS_CUDA_CALL CUresult cuMemFreeHost(void *pointer)
{
	return AS(cudaFreeHost(pointer));
}

WS_CUDA_CALL CUresult cuMemHostGetDevicePointer(CUdeviceptr *pointer, void *host,
						unsigned int flags)
{
	void *p = NULL;
	CUresult result = AS(cudaHostGetDevicePointer(&p, host, flags));

	return put(pointer, p, result);
}

WS_CUDA_CALL CUresult cuMemGetInfo(size_t *unused, size_t *total)
{
	return AS(cudaMemGetInfo(unused, total));
}

WS_CUDA_CALL CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr pointer)
{
	const struct ws_cuda_array *a = ws_cuda_enter() ? ws_cuda_find(at(pointer)) : NULL;

	if (a && base)
		*base = (CUdeviceptr)(uintptr_t)a->host;
	if (a && bytes)
		*bytes = (size_t)a->bytes;
	ws_cuda_leave();
	return a ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

WS_CUDA_CALL CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes,
				    CUstream stream)
{
	return AS(cudaMemcpyAsync(at(to), at(from), bytes, cudaMemcpyDefault, stream));
}

WS_CUDA_CALL CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
	return cuMemcpyAsync(to, from, bytes, NULL);
}

WS_CUDA_CALL CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes,
					CUstream stream)
{
	return AS(cudaMemcpyAsync(at(to), from, bytes, cudaMemcpyHostToDevice, stream));
}

WS_CUDA_CALL CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
	return AS(cudaMemcpyAsync(to, at(from), bytes, cudaMemcpyDeviceToHost, stream));
}

WS_CUDA_CALL CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes,
					CUstream stream)
{
	return AS(cudaMemcpyAsync(at(to), at(from), bytes, cudaMemcpyDeviceToDevice, stream));
}

WS_CUDA_CALL CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes)
{
	return cuMemcpyHtoDAsync(to, from, bytes, NULL);
}

WS_CUDA_CALL CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes)
{
	return cuMemcpyDtoHAsync(to, from, bytes, NULL);
}

WS_CUDA_CALL CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
	return cuMemcpyDtoDAsync(to, from, bytes, NULL);
}

/* Values of several bytes: each of them is filled in where the first fill has checked. */
static CUresult fill(CUdeviceptr to, const void *value, size_t each, size_t count)
{
	CUresult result;
	size_t bytes;

	if (to % each || __builtin_mul_overflow(each, count, &bytes))
		return CUDA_ERROR_INVALID_VALUE;
	result = AS(cudaMemset(at(to), 0, bytes));
	for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
		memcpy((uint8_t *)at(to) + i * each, value, each);
	return result;
}

WS_CUDA_CALL CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count)
{
	return fill(to, &value, sizeof value, count);
}

WS_CUDA_CALL CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count)
{
	return fill(to, &value, sizeof value, count);
}

WS_CUDA_CALL CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count)
{
	return fill(to, &value, sizeof value, count);
}

WS_CUDA_CALL CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count,
				      CUstream stream)
{
	(void)stream;
	return cuMemsetD8(to, value, count);
}

WS_CUDA_CALL CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count,
				       CUstream stream)
{
	(void)stream;
	return cuMemsetD32(to, value, count);
}

/* ---- streams and events ---------------------------------------------------------------- */

WS_CUDA_CALL CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
	return AS(cudaStreamCreateWithFlags(stream, flags));
}

WS_CUDA_CALL CUresult cuStreamDestroy(CUstream stream)
{
	return AS(cudaStreamDestroy(stream));
}

WS_CUDA_CALL CUresult cuStreamSynchronize(CUstream stream)
{
	return AS(cudaStreamSynchronize(stream));
}

WS_CUDA_CALL CUresult cuStreamQuery(CUstream stream)
{
	return AS(cudaStreamQuery(stream));
}

WS_CUDA_CALL CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
	return AS(cudaStreamWaitEvent(stream, event, flags));
}

WS_CUDA_CALL CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
	return AS(cudaEventCreateWithFlags(event, flags));
}

WS_CUDA_CALL CUresult cuEventRecord(CUevent event, CUstream stream)
{
	return AS(cudaEventRecord(event, stream));
}

WS_CUDA_CALL CUresult cuEventSynchronize(CUevent event)
{
	return AS(cudaEventSynchronize(event));
}

WS_CUDA_CALL CUresult cuEventQuery(CUevent event)
{
	return AS(cudaEventQuery(event));
}

WS_CUDA_CALL CUresult cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to)
{
	return AS(cudaEventElapsedTime(milliseconds, from, to));
}

WS_CUDA_CALL CUresult cuEventDestroy(CUevent event)
{
	return AS(cudaEventDestroy(event));
}
