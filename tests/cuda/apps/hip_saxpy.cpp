/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program of HIP.
 */
#include <hip/hip_runtime.h>
#include <cstdio>
#include <vector>

#define CHECK(call) \
	do { \
		hipError_t error_ = (call); \
		if (error_ != hipSuccess) { \
			fprintf(stderr, "%d: %s\n", __LINE__, hipGetErrorString(error_)); \
			return 1; \
		} \
	} while (0)

__constant__ float factor;

template <class T> __global__ void saxpy(const T *x, T *y, int n)
{
	int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;

	if (i < n)
		y[i] += factor * x[i];
}

/* As programs for the first HIP have it. */
template <class T> __global__ void add(hipLaunchParm lp, const T *x, T *y, unsigned n)
{
	unsigned i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;

	if (i < n)
		y[i] += x[i];
}

int main()
{
	const int n = 5000;
	std::vector<float> x(n), y(n, 1.0f);
	const float a = 3;
	float *dx, *dy, *pinned;
	hipDeviceProp_t p;
	hipStream_t stream;
	hipEvent_t from, to;
	float ms;
	bool good = true;

	for (int i = 0; i < n; i++)
		x[i] = (float)i;
	CHECK(hipGetDeviceProperties(&p, 0));
	CHECK(hipStreamCreate(&stream));
	CHECK(hipEventCreate(&from));
	CHECK(hipEventCreate(&to));
	CHECK(hipMalloc(&dx, n * sizeof *dx));
	CHECK(hipMalloc((void **)&dy, n * sizeof *dy));
	CHECK(hipHostMalloc(&pinned, 64));
	CHECK(hipMemcpyToSymbol(HIP_SYMBOL(factor), &a, sizeof a));
	CHECK(hipMemcpy(dx, x.data(), n * sizeof *dx, hipMemcpyHostToDevice));
	CHECK(hipMemcpyAsync(dy, y.data(), n * sizeof *dy, hipMemcpyHostToDevice, stream));
	CHECK(hipEventRecord(from, stream));
	hipLaunchKernelGGL(HIP_KERNEL_NAME(saxpy<float>), dim3((n + 255) / 256), dim3(256), 0, stream, dx,
			   dy, n);
	hipLaunchKernel(HIP_KERNEL_NAME(add<float>), dim3((n + 255) / 256), dim3(256), 0, 0, dx, dy, n);
	CHECK(hipEventRecord(to, stream));
	CHECK(hipGetLastError());
	CHECK(hipDeviceSynchronize());
	CHECK(hipEventElapsedTime(&ms, from, to));
	CHECK(hipMemcpy(y.data(), dy, n * sizeof *dy, hipMemcpyDeviceToHost));
	for (int i = 0; i < n; i++)
		good &= y[i] == 1 + 4.0f * i;
	CHECK(hipHostFree(pinned));
	CHECK(hipFree(dx));
	CHECK(hipFree(dy));
	printf("%s\n", good ? "PASSED" : "FAILED");
	return !good;
}
