/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A heap on the device: blocks are apart, are used again, and run out.
 */
#include <new>
#include "common.h"

struct Pair {
	int a, b;
	__device__ Pair(int x) : a(x), b(-x) {}
	__device__ ~Pair() { a = b = 0; }
};

__global__ void blocks(int *wrong)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;

	/* Of all sizes once; what is large would not do 20 times if it were not used again. */
	for (int turn = 0; turn < 20; turn++) {
		int n = 1 + (t * 7 + turn * 3) % 20;
		int *p = (int *)malloc(n * sizeof *p), *large = (int *)malloc(2000);
		Pair *q = new Pair(t);

		if (!p || !q || !large) {
			atomicAdd(wrong, 1);
			return;
		}
		for (int i = 0; i < n; i++)
			p[i] = t * 1000 + i;
		large[0] = large[499] = t;
		__syncwarp(__activemask());
		for (int i = 0; i < n; i++)
			if (p[i] != t * 1000 + i)
				atomicAdd(wrong, 1);
		if (q->a != t || q->b != -t || large[0] != t || large[499] != t)
			atomicAdd(wrong, 1);
		delete q;
		free(large);
		free(p);
	}
}

__global__ void keep(float **lists)
{
	lists[threadIdx.x] = (float *)malloc(100 * sizeof(float));
	for (int i = 0; i < 100; i++)
		lists[threadIdx.x][i] = threadIdx.x + i;
}

__global__ void use(float **lists, float *sum)
{
	float s = 0;

	for (int i = 0; i < 100; i++)
		s += lists[threadIdx.x][i];
	sum[threadIdx.x] = s;
	free(lists[threadIdx.x]);
}

__global__ void exhaust(int *count)
{
	while (malloc(1 << 20))
		++*count;
	if (malloc(0) || malloc((size_t)1 << 40) || new char[1 << 20])
		*count = -1;
}

int main()
{
	int *wrong, *count;
	float **lists, *sum;
	bool good = true;

	CHECK(cudaMallocManaged(&wrong, sizeof *wrong));
	CHECK(cudaMallocManaged(&count, sizeof *count));
	CHECK(cudaMallocManaged(&lists, 64 * sizeof *lists));
	CHECK(cudaMallocManaged(&sum, 64 * sizeof *sum));
	*wrong = *count = 0;
	blocks<<<8, 64>>>(wrong);
	keep<<<1, 64>>>(lists);
	use<<<1, 64>>>(lists, sum);
	exhaust<<<1, 1>>>(count);
	CHECK(cudaDeviceSynchronize());
	for (int t = 0; t < 64; t++)
		good &= sum[t] == 100 * t + 4950;
	good &= *wrong == 0 && *count > 0 && *count < 8;
	return passed(good);
}
