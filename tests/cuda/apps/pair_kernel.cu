/* SPDX-License-Identifier: GPL-3.0-or-later
 * pair_kernel.cu -- a program of two files: the kernel and the function that launches it.
 */
#include "common.h"

static __global__ void fill(int *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i] = 3 * i;
}

void fill_all(int *p, int n)
{
	fill<<<(n + 63) / 64, 64>>>(p, n);
}
