/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sum of an array: threads sum a stride of it, warps by shuffles, blocks in shared memory, and the
 * grid by an atomic.
 */
template <class T> static __device__ T warp_sum(T sum)
{
	for (int by = warpSize / 2; by > 0; by /= 2)
		sum += __shfl_down_sync(0xffffffffu, sum, by);
	return sum;
}

__global__ void reduce(const float *in, float *out, unsigned int count)
{
	__shared__ float part[32];
	const unsigned int warp = threadIdx.x / warpSize, lane = threadIdx.x % warpSize;
	float sum = 0.0f;

	for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
	     i += gridDim.x * blockDim.x)
		sum += in[i];
	sum = warp_sum(sum);
	if (lane == 0)
		part[warp] = sum;
	__syncthreads();
	if (warp == 0) {
		sum = warp_sum(lane < blockDim.x / warpSize ? part[lane] : 0.0f);
		if (lane == 0)
			atomicAdd(out, sum);
	}
}
