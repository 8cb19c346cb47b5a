/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An assertion that fails in a kernel is an error that stays.
 */
#include <cassert>
#include "common.h"

__global__ void check(const int *p)
{
	assert(p[threadIdx.x] >= 0);
}

int main()
{
	int *p;
	bool good = true;

	CHECK(cudaMallocManaged(&p, 64 * sizeof *p));
	for (int i = 0; i < 64; i++)
		p[i] = i;
	check<<<1, 64>>>(p);
	CHECK(cudaDeviceSynchronize());
	p[40] = -1;
	check<<<1, 64>>>(p);
	good &= cudaDeviceSynchronize() == cudaErrorAssert;
	good &= cudaFree(p) == cudaErrorAssert;
	return passed(good);
}
