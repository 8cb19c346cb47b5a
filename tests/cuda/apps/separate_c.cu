/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "separate.cuh"

__device__ float more(float x)
{
	return x + 1;
}
