/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * helper_cuda.h -- errors that end a program with a line, and the choice of a device, under the names
 * of NVIDIA's samples.
 */
#pragma GCC system_header
#ifndef WARPSTACK_SAMPLES_HELPER_CUDA_H
#define WARPSTACK_SAMPLES_HELPER_CUDA_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include "helper_string.h"
#include "../cuda_letters_begin.h"

#ifndef DEVICE_RESET
#define DEVICE_RESET cudaDeviceReset();
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

/* Of a library's status the number says it. */
template <class T> inline const char *_cudaGetErrorEnum(T)
{
	return "<unknown>";
}
inline const char *_cudaGetErrorEnum(cudaError_t error)
{
	return cudaGetErrorName(error);
}
#ifdef __cuda_cuda_h__
inline const char *_cudaGetErrorEnum(CUresult error)
{
	const char *name = NULL;

	cuGetErrorName(error, &name);
	return name ? name : "<unknown>";
}
#endif

template <class T> void check(T result, char const *const call, const char *const file,
			      int const line)
{
	if (result) {
		fprintf(stderr, "%s:%d: %s: error %d, %s\n", file, line, call, (int)result,
			_cudaGetErrorEnum(result));
		exit(EXIT_FAILURE);
	}
}
#ifndef checkCudaErrors
#define checkCudaErrors(value) check((value), #value, __FILE__, __LINE__)
#endif

static inline bool __ws_last_error(const char *text, const char *file, int line)
{
	cudaError_t error = cudaGetLastError();

	if (error != cudaSuccess)
		fprintf(stderr, "%s:%d: %s: error %d, %s\n", file, line, text, (int)error,
			cudaGetErrorString(error));
	return error != cudaSuccess;
}
inline void __getLastCudaError(const char *text, const char *file, const int line)
{
	if (__ws_last_error(text, file, line))
		exit(EXIT_FAILURE);
}
inline void __printLastCudaError(const char *text, const char *file, const int line)
{
	__ws_last_error(text, file, line);
}
#define getLastCudaError(text) __getLastCudaError(text, __FILE__, __LINE__)
#define printLastCudaError(text) __printLastCudaError(text, __FILE__, __LINE__)

inline int ftoi(float value)
{
	return (int)(value >= 0 ? value + 0.5f : value - 0.5f);
}

/* Of a compute capability: single precision units of an SM, and its architecture. */
struct __ws_sm {
	int version, cores;
	const char *name;
};
inline const __ws_sm *__ws_sm_of(int major, int minor)
{
	static const __ws_sm list[] = {
		{ 0x30, 192, "Kepler" },  { 0x32, 192, "Kepler" },  { 0x35, 192, "Kepler" },
		{ 0x37, 192, "Kepler" },  { 0x50, 128, "Maxwell" }, { 0x52, 128, "Maxwell" },
		{ 0x53, 128, "Maxwell" }, { 0x60, 64, "Pascal" },   { 0x61, 128, "Pascal" },
		{ 0x62, 128, "Pascal" },  { 0x70, 64, "Volta" },    { 0x72, 64, "Xavier" },
		{ 0x75, 64, "Turing" },	  { 0x80, 64, "Ampere" },   { 0x86, 128, "Ampere" },
		{ 0x87, 128, "Ampere" },  { 0x89, 128, "Ada" },	    { 0x90, 128, "Hopper" },
		{ 0xa0, 128, "Blackwell" },
	};
	const __ws_sm *best = list;

	for (const __ws_sm &s : list)
		best = s.version <= (major << 4) + minor ? &s : best;
	return best;
}
inline int _ConvertSMVer2Cores(int major, int minor)
{
	return __ws_sm_of(major, minor)->cores;
}
inline const char *_ConvertSMVer2ArchName(int major, int minor)
{
	return __ws_sm_of(major, minor)->name;
}

inline int gpuDeviceInit(int device)
{
	int count = 0, mode = 0, major = 0, minor = 0;

	checkCudaErrors(cudaGetDeviceCount(&count));
	if (device < 0)
		device = 0;
	if (device >= count) {
		fprintf(stderr, "-device=%d: there are %d devices\n", device, count);
		return -device;
	}
	checkCudaErrors(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, device));
	checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
	checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
	if (mode == cudaComputeModeProhibited || major < 1)
		return -1;
	checkCudaErrors(cudaSetDevice(device));
	printf("device %d, %s\n", device, _ConvertSMVer2ArchName(major, minor));
	return device;
}

/* The fastest by its units and its clock. */
inline int gpuGetMaxGflopsDeviceId()
{
	int count = 0, best = 0;
	double most = -1;

	checkCudaErrors(cudaGetDeviceCount(&count));
	for (int d = 0; d < count; d++) {
		cudaDeviceProp p;
		double speed;

		checkCudaErrors(cudaGetDeviceProperties(&p, d));
		speed = (double)p.multiProcessorCount * _ConvertSMVer2Cores(p.major, p.minor) *
			p.clockRate;
		if (speed > most && p.computeMode != cudaComputeModeProhibited) {
			most = speed;
			best = d;
		}
	}
	if (most < 0) {
		fprintf(stderr, "there is no device\n");
		exit(EXIT_FAILURE);
	}
	return best;
}

inline int findCudaDevice(int argc, const char **argv)
{
	int device, major = 0, minor = 0;

	if (checkCmdLineFlag(argc, argv, "device")) {
		device = gpuDeviceInit(getCmdLineArgumentInt(argc, argv, "device"));
		if (device < 0)
			exit(EXIT_FAILURE);
		return device;
	}
	device = gpuGetMaxGflopsDeviceId();
	checkCudaErrors(cudaSetDevice(device));
	checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
	checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
	printf("device %d, %s, compute capability %d.%d\n", device,
	       _ConvertSMVer2ArchName(major, minor), major, minor);
	return device;
}

/* One that shares the processor's memory; it ends the program if there is none. */
inline int findIntegratedGPU()
{
	int count = 0, integrated = 0;

	checkCudaErrors(cudaGetDeviceCount(&count));
	for (int d = 0; d < count; d++) {
		checkCudaErrors(cudaDeviceGetAttribute(&integrated, cudaDevAttrIntegrated, d));
		if (integrated) {
			checkCudaErrors(cudaSetDevice(d));
			return d;
		}
	}
	fprintf(stderr, "no device shares the processor's memory\n");
	exit(EXIT_FAILURE);
}

inline bool checkCudaCapabilities(int major, int minor)
{
	int device = 0, has = 0, and_ = 0;

	checkCudaErrors(cudaGetDevice(&device));
	checkCudaErrors(cudaDeviceGetAttribute(&has, cudaDevAttrComputeCapabilityMajor, device));
	checkCudaErrors(cudaDeviceGetAttribute(&and_, cudaDevAttrComputeCapabilityMinor, device));
	if (has > major || (has == major && and_ >= minor))
		return true;
	printf("device %d has compute capability %d.%d: want %d.%d\n", device, has, and_, major,
	       minor);
	return false;
}
#include "../cuda_letters_end.h"

#endif
