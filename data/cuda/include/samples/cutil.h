/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cutil.h -- the helpers of programs as old as CUDA 1 to 4, under the names of NVIDIA's samples then.
 */
#pragma GCC system_header
#ifndef WARPSTACK_SAMPLES_CUTIL_H
#define WARPSTACK_SAMPLES_CUTIL_H

#include <cuda_runtime.h>
#include "helper_cuda.h"
#include "helper_functions.h"

enum CUTBoolean { CUTFalse = 0, CUTTrue = 1 };

#define CUDA_SAFE_CALL_NO_SYNC(call) checkCudaErrors(call)
#define CUDA_SAFE_CALL(call) checkCudaErrors(call)
#define cutilSafeCall(call) checkCudaErrors(call)
#define cutilSafeCallNoSync(call) checkCudaErrors(call)
#define cutilSafeThreadSync() checkCudaErrors(cudaDeviceSynchronize())
#define cutilSafeMalloc(pointer) __cutilSafeMalloc(pointer, __FILE__, __LINE__)
#define cutilCheckMsg(text) getLastCudaError(text)
#define cutilCheckError(call) CUT_SAFE_CALL(call)
#define cutilCondition(value) CUT_CONDITION(value)
#define cutilExit(argc, argv) CUT_EXIT(argc, argv)
#define cutilDeviceInit(argc, argv) findCudaDevice(argc, (const char **)argv)
#define cutilChooseCudaDevice(argc, argv) findCudaDevice(argc, (const char **)argv)
#define cutGetMaxGflopsDeviceId() gpuGetMaxGflopsDeviceId()
#define CUT_DEVICE_INIT(...) ((void)findCudaDevice(0, NULL))
#define CUT_CHECK_ERROR(text) getLastCudaError(text)
#define CUT_CHECK_ERROR_GL() ((void)0)
#define CUT_CONDITION(value) ((void)(value))
#define CUT_BANK_CHECKER(array, index) array[index]
#define CUT_EXIT(argc, argv) exit(EXIT_SUCCESS)
#define CUT_SAFE_CALL(call) __cut_safe_call((call) == CUTTrue, __FILE__, __LINE__)
#define CUT_SAFE_MALLOC(pointer) __cutilSafeMalloc(pointer, __FILE__, __LINE__)

static inline void __cut_safe_call(bool good, const char *file, int line)
{
	if (good)
		return;
	fprintf(stderr, "%s:%d: a call failed\n", file, line);
	exit(EXIT_FAILURE);
}
static inline void *__cutilSafeMalloc(void *pointer, const char *file, int line)
{
	__cut_safe_call(pointer != NULL, file, line);
	return pointer;
}

/* A timer is a number from 1 on. */
static inline StopWatchInterface *&__cut_timer(unsigned int name)
{
	static StopWatchInterface *timers[256], *none;

	return name >= 1 && name <= 256 ? timers[name - 1] : none;
}
static inline CUTBoolean cutCreateTimer(unsigned int *name)
{
	for (*name = 1; *name <= 256; ++*name) {
		if (!__cut_timer(*name)) {
			sdkCreateTimer(&__cut_timer(*name));
			return CUTTrue;
		}
	}
	return CUTFalse;
}
static inline CUTBoolean cutDeleteTimer(unsigned int name)
{
	sdkDeleteTimer(&__cut_timer(name));
	return CUTTrue;
}
static inline CUTBoolean cutStartTimer(unsigned int name)
{
	sdkStartTimer(&__cut_timer(name));
	return CUTTrue;
}
static inline CUTBoolean cutStopTimer(unsigned int name)
{
	sdkStopTimer(&__cut_timer(name));
	return CUTTrue;
}
static inline CUTBoolean cutResetTimer(unsigned int name)
{
	sdkResetTimer(&__cut_timer(name));
	return CUTTrue;
}
static inline float cutGetTimerValue(unsigned int name)
{
	return sdkGetTimerValue(&__cut_timer(name));
}
static inline float cutGetAverageTimerValue(unsigned int name)
{
	return sdkGetAverageTimerValue(&__cut_timer(name));
}

static inline CUTBoolean cutCheckCmdLineFlag(int argc, const char **argv, const char *name)
{
	return checkCmdLineFlag(argc, argv, name) ? CUTTrue : CUTFalse;
}
static inline CUTBoolean cutGetCmdLineArgumenti(int argc, const char **argv, const char *name,
						int *value)
{
	const char *at = __ws_option(argc, argv, name);

	if (!at || !*at)
		return CUTFalse;
	*value = atoi(at + 1);
	return CUTTrue;
}
static inline CUTBoolean cutGetCmdLineArgumentf(int argc, const char **argv, const char *name,
						float *value)
{
	const char *at = __ws_option(argc, argv, name);

	if (!at || !*at)
		return CUTFalse;
	*value = (float)atof(at + 1);
	return CUTTrue;
}
static inline CUTBoolean cutGetCmdLineArgumentstr(int argc, const char **argv, const char *name,
						  char **value)
{
	return getCmdLineArgumentString(argc, argv, name, value) ? CUTTrue : CUTFalse;
}

/* Files: as those of helper_image.h. */
#define WS_CUT(CALL) ((CALL) ? CUTTrue : CUTFalse)
static inline char *cutFindFilePath(const char *name, const char *executable)
{
	return sdkFindFilePath(name, executable);
}
static inline void cutFree(void *pointer)
{
	free(pointer);
}
static inline CUTBoolean cutReadFilef(const char *name, float **data, unsigned int *len,
				      bool verbose = false)
{
	return WS_CUT(sdkReadFile(name, data, len, verbose));
}
static inline CUTBoolean cutReadFilei(const char *name, int **data, unsigned int *len,
				      bool verbose = false)
{
	return WS_CUT(sdkReadFile(name, data, len, verbose));
}
static inline CUTBoolean cutWriteFilef(const char *name, const float *data, unsigned int len,
				       const float epsilon, bool verbose = false)
{
	return WS_CUT(sdkWriteFile(name, data, len, epsilon, verbose));
}
static inline CUTBoolean cutWriteFilei(const char *name, const int *data, unsigned int len,
				       bool verbose = false)
{
	return WS_CUT(sdkWriteFile(name, data, len, 0, verbose));
}
static inline CUTBoolean cutLoadPGMub(const char *name, unsigned char **data, unsigned int *w,
				      unsigned int *h)
{
	return WS_CUT(sdkLoadPGM(name, data, w, h));
}
static inline CUTBoolean cutLoadPGMf(const char *name, float **data, unsigned int *w,
				     unsigned int *h)
{
	return WS_CUT(sdkLoadPGM(name, data, w, h));
}
static inline CUTBoolean cutSavePGMub(const char *name, unsigned char *data, unsigned int w,
				      unsigned int h)
{
	return WS_CUT(sdkSavePGM(name, data, w, h));
}
static inline CUTBoolean cutSavePGMf(const char *name, float *data, unsigned int w, unsigned int h)
{
	return WS_CUT(sdkSavePGM(name, data, w, h));
}
static inline CUTBoolean cutLoadPPM4ub(const char *name, unsigned char **data, unsigned int *w,
				       unsigned int *h)
{
	return WS_CUT(sdkLoadPPM4ub(name, data, w, h));
}
static inline CUTBoolean cutSavePPM4ub(const char *name, unsigned char *data, unsigned int w,
				       unsigned int h)
{
	return WS_CUT(sdkSavePPM4ub(name, data, w, h));
}
static inline CUTBoolean cutComparef(const float *reference, const float *data, unsigned int len)
{
	return WS_CUT(compareData(reference, data, len, 0.0f, 0.0f));
}
static inline CUTBoolean cutComparefe(const float *reference, const float *data, unsigned int len,
				      const float epsilon)
{
	return WS_CUT(compareData(reference, data, len, epsilon, 0.0f));
}
static inline CUTBoolean cutComparei(const int *reference, const int *data, unsigned int len)
{
	return WS_CUT(compareData(reference, data, len, 0, 0.0f));
}
static inline CUTBoolean cutCompareub(const unsigned char *reference, const unsigned char *data,
				      unsigned int len)
{
	return WS_CUT(compareData(reference, data, len, 0, 0.0f));
}
static inline CUTBoolean cutCompareL2fe(const float *reference, const float *data,
					unsigned int len, const float epsilon)
{
	return WS_CUT(sdkCompareL2fe(reference, data, len, epsilon));
}
#undef WS_CUT

#endif
