/* SPDX-License-Identifier: GPL-3.0-or-later
 * pair_main.cpp -- the other file: a kernel of the same name, and CUDA in a file that is not called so.
 */
#include "common.h"
#include <vector>

void fill_all(int *p, int n);

static __global__ void fill(int *p)
{
	p[threadIdx.x] += 1;
}

int main()
{
	const int n = 100;
	std::vector<int> got(n);
	bool good = true;
	int *p;

	CHECK(cudaMalloc(&p, n * sizeof(int)));
	fill_all(p, n);
	fill<<<1, n>>>(p);
	CHECK(cudaMemcpy(got.data(), p, n * sizeof(int), cudaMemcpyDeviceToHost));
	for (int i = 0; i < n; i++)
		good &= got[i] == 3 * i + 1;
	return passed(good);
}
