/* SPDX-License-Identifier: GPL-3.0-or-later
 * linked_kernels.cu -- what linked_host.cpp loads as PTX: one of its functions is defined by what that compiles.
 */
extern __device__ int weight(int i);
__device__ int offset = 1000;

extern "C" __global__ void weigh(int *out, char skip, int n, float factor)
{
	extern __shared__ int room[];
	int i = (int)(blockIdx.y * gridDim.x * blockDim.x + blockIdx.x * blockDim.x + threadIdx.x);

	room[threadIdx.x] = weight(i);
	__syncthreads();
	if (i < n && skip == 's')
		out[i] = (int)((float)room[threadIdx.x] * factor) + offset;
}
