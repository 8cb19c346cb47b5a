/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * helper_cuda_drvapi.h -- the same as helper_cuda.h for programs of the driver's calls.
 */
#pragma GCC system_header
#ifndef WARPSTACK_SAMPLES_HELPER_CUDA_DRVAPI_H
#define WARPSTACK_SAMPLES_HELPER_CUDA_DRVAPI_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include "helper_string.h"
#include "../cuda_letters_begin.h"

#ifndef checkCudaErrors
#define checkCudaErrors(error) __checkCudaErrors(error, __FILE__, __LINE__)
inline void __checkCudaErrors(CUresult error, const char *file, const int line)
{
	const char *text = NULL;

	if (error == CUDA_SUCCESS)
		return;
	cuGetErrorString(error, &text);
	fprintf(stderr, "%s:%d: error %d, %s\n", file, line, (int)error, text ? text : "?");
	exit(EXIT_FAILURE);
}
#endif

template <class T> inline void getCudaAttribute(T *value, CUdevice_attribute which, int device)
{
	int number = 0;

	checkCudaErrors(cuDeviceGetAttribute(&number, which, device));
	*value = (T)number;
}

/* Device 0, or that of -device=N. */
inline CUdevice findCudaDeviceDRV(int argc, const char **argv)
{
	CUdevice device = 0;
	char name[256];
	int count = 0, which = getCmdLineArgumentInt(argc, argv, "device");

	checkCudaErrors(cuInit(0));
	checkCudaErrors(cuDeviceGetCount(&count));
	if (which < 0 || which >= count) {
		fprintf(stderr, "-device=%d: there are %d devices\n", which, count);
		exit(EXIT_FAILURE);
	}
	checkCudaErrors(cuDeviceGet(&device, which));
	checkCudaErrors(cuDeviceGetName(name, sizeof name, device));
	printf("device %d, %s\n", which, name);
	return device;
}
inline int gpuDeviceInitDRV(int argc, const char **argv)
{
	return (int)findCudaDeviceDRV(argc, argv);
}
inline int gpuGetMaxGflopsDeviceIdDRV()
{
	checkCudaErrors(cuInit(0));
	return 0;
}

inline bool checkCudaCapabilitiesDRV(int major, int minor, int device)
{
	int has = 0, and_ = 0;

	getCudaAttribute(&has, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
	getCudaAttribute(&and_, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
	return has > major || (has == major && and_ >= minor);
}

/* A module's file and what is in it. */
inline bool findFatbinPath(const char *file, std::string &path, char **argv,
			   std::ostringstream &content)
{
	char *found = sdkFindFilePath(file, argv[0]);

	if (!found)
		return false;
	path = found;
	free(found);
	std::ifstream in(path.c_str(), std::ios::binary);
	content << in.rdbuf();
	return in.good();
}
#include "../cuda_letters_end.h"

#endif
