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

__global__ void by_rule(float *out, Rule *const *rule)
{
	out[threadIdx.x] = (*rule)->apply(known(out[threadIdx.x]));
}

int main()
{
	bool good = true;
	float *out;
	Rule **rule;

	CHECK(cudaMallocManaged(&out, 32 * sizeof *out));
	set_up();
	k<<<1, 32>>>(out);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < 32; i++)
		good &= out[i] == 2 * i * i + 1 + i % 4;
	good &= count() == 32;
	CHECK(cudaMalloc(&rule, sizeof *rule));
	make_rule(rule);
	by_rule<<<1, 32>>>(out, rule);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < 32; i++)
		good &= out[i] == (2 * i * i + 2 + i % 4) * 0.5f;
	return passed(good);
}
