/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/error.c -- errors: of a thread the last one; of the program the one after which all
 * calls fail.
 */
#include "trace/cuda/runtime.h"

static _Thread_local cudaError_t last;
static _Atomic int stays;

static const struct {
	cudaError_t error;
	const char *name, *text;
} table[] = {
	{ cudaSuccess, "cudaSuccess", "no error" },
	{ cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument" },
	{ cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory" },
	{ cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error" },
	{ cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
	  "invalid configuration argument" },
	{ cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol" },
	{ cudaErrorInvalidDevicePointer, "cudaErrorInvalidDevicePointer",
	  "invalid device pointer" },
	{ cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection",
	  "invalid copy direction for memcpy" },
	{ cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction",
	  "invalid device function" },
	{ cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected" },
	{ cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal" },
	{ cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice",
	  "no kernel image is available for execution on the device" },
	{ cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle",
	  "invalid resource handle" },
	{ cudaErrorNotReady, "cudaErrorNotReady", "device not ready" },
	{ cudaErrorIllegalAddress, "cudaErrorIllegalAddress",
	  "an illegal memory access was encountered" },
	{ cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources",
	  "too many resources requested for launch" },
	{ cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure" },
	{ cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge",
	  "too many blocks in cooperative launch" },
	{ cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported" },
	{ cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue",
	  "invalid pitch argument" },
	{ cudaErrorInvalidTexture, "cudaErrorInvalidTexture",
	  "invalid texture reference" },
	{ cudaErrorInvalidChannelDescriptor, "cudaErrorInvalidChannelDescriptor",
	  "invalid channel descriptor" },
	{ cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
	  "CUDA driver version is insufficient for CUDA runtime version" },
	{ cudaErrorInvalidSurface, "cudaErrorInvalidSurface",
	  "invalid surface reference" },
	{ cudaErrorPeerAccessUnsupported, "cudaErrorPeerAccessUnsupported",
	  "peer access is not supported between these two devices" },
	{ cudaErrorPeerAccessNotEnabled, "cudaErrorPeerAccessNotEnabled",
	  "peer access has not been enabled" },
	{ cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout",
	  "the launch timed out and was terminated" },
	{ cudaErrorAssert, "cudaErrorAssert",
	  "device-side assert triggered" },
	{ cudaErrorHostMemoryAlreadyRegistered, "cudaErrorHostMemoryAlreadyRegistered",
	  "part or all of the requested memory range is already mapped" },
	{ cudaErrorHostMemoryNotRegistered, "cudaErrorHostMemoryNotRegistered",
	  "pointer does not correspond to a registered memory region" },
	{ cudaErrorMisalignedAddress, "cudaErrorMisalignedAddress",
	  "misaligned address" },
	{ cudaErrorInvalidSource, "cudaErrorInvalidSource",
	  "device kernel image is invalid" },
	{ cudaErrorSymbolNotFound, "cudaErrorSymbolNotFound",
	  "named symbol not found" },
	{ cudaErrorNotPermitted, "cudaErrorNotPermitted",
	  "operation not permitted" },
	{ cudaErrorInvalidHostPointer, "cudaErrorInvalidHostPointer",
	  "invalid host pointer" },
	{ cudaErrorInvalidTextureBinding, "cudaErrorInvalidTextureBinding",
	  "texture is not bound to a pointer" },
	{ cudaErrorUnknown, "cudaErrorUnknown", "unknown error" },
};

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
