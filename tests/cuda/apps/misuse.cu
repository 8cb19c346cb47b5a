/* SPDX-License-Identifier: GPL-3.0-or-later
 * misuse.cu -- what a program must not do has CUDA's error codes.
 */
#include "common.h"

__global__ void write(int *p, int at)
{
	p[at] = 1;
}

#define WANT(call, error) \
	do { \
		cudaError_t got_ = (call); \
		if (got_ != (error)) { \
			printf("line %d: %s\n", __LINE__, cudaGetErrorName(got_)); \
			good = false; \
		} \
	} while (0)

int main()
{
	bool good = true;
	int *p, local = 0, *inner;
	cudaDeviceProp prop;
	size_t pitch;

	CHECK(cudaGetDeviceProperties(&prop, 0));
	CHECK(cudaMalloc(&p, 40));
	inner = p + 1;
	WANT(cudaFree(inner), cudaErrorInvalidValue);
	WANT(cudaGetLastError(), cudaErrorInvalidValue);
	WANT(cudaGetLastError(), cudaSuccess);
	WANT(cudaFree(nullptr), cudaSuccess);
	WANT(cudaMemcpy(p, &local, 44, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	WANT(cudaMemcpy(&local, &local, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
	WANT(cudaMemset(&local, 0, 4), cudaErrorInvalidValue);
	WANT(cudaMemset2D(p, (size_t)1 << 63, 0, 4, 3), cudaErrorInvalidValue);
	WANT(cudaMemset2D(p, 4, 0, 8, 2), cudaErrorInvalidValue);
	WANT(cudaSetDevice(3), cudaErrorInvalidDevice);
	WANT(cudaMemcpyToSymbol(local, &local, 4), cudaErrorInvalidSymbol);
	write<<<1, prop.maxThreadsPerBlock * 2>>>(p, 0);
	WANT(cudaGetLastError(), cudaErrorInvalidConfiguration);
	write<<<1, dim3(1, 1, prop.maxThreadsDim[2] + 1)>>>(p, 0);
	WANT(cudaGetLastError(), cudaErrorInvalidConfiguration);
	WANT(cudaHostRegister(&local, ~(size_t)0, 0), cudaErrorInvalidValue);
	write<<<0, 32>>>(p, 0);
	WANT(cudaGetLastError(), cudaErrorInvalidConfiguration);
	write<<<1, 1>>>(p + 5, -5); /* the same allocation */
	WANT(cudaDeviceSynchronize(), cudaSuccess);
	WANT(cudaMalloc(&inner, (size_t)1 << 60), cudaErrorMemoryAllocation);
	WANT(cudaMallocPitch(&inner, &pitch, ~(size_t)0, 1), cudaErrorMemoryAllocation);
	write<<<1, 2048>>>(p, 0);
	WANT(cudaGetLastError(), cudaErrorInvalidConfiguration);
	CHECK(cudaFree(p));
	WANT(cudaFree(p), cudaErrorInvalidValue); /* twice */
	WANT(cudaMemcpy(&local, p, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
	CHECK(cudaMalloc(&p, 40));
	write<<<1, 1>>>(p, 10);
	WANT(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
	WANT(cudaMalloc(&inner, 4), cudaErrorIllegalAddress);
	return passed(good);
}
