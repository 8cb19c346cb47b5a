/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Separate compilation: a kernel whose functions and variables are in two other files.
 */
#include "common.h"
#include "separate.cuh"

__global__ void k(float *out)
{
	out[threadIdx.x] = twice(square((float)threadIdx.x)) + table[threadIdx.x % 4];
}

int main()
{
	bool good = true;
	float *out;

	CHECK(cudaMallocManaged(&out, 32 * sizeof *out));
	set_up();
	k<<<1, 32>>>(out);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < 32; i++)
		good &= out[i] == 2 * i * i + 1 + i % 4;
	good &= count() == 32;
	return passed(good);
}
