/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histogram of the values' low bits, as histogram.cl: with atomics on global memory alone, and with a
 * histogram of each block in shared memory.
 */
__global__ void histogram_global(const unsigned int *value, unsigned int *bin, unsigned int count,
				 unsigned int bins)
{
	for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
	     i += gridDim.x * blockDim.x)
		atomicAdd(&bin[value[i] & (bins - 1)], 1u);
}

__global__ void histogram_local(const unsigned int *value, unsigned int *bin, unsigned int count,
				unsigned int bins)
{
	extern __shared__ unsigned int mine[];

	for (unsigned int b = threadIdx.x; b < bins; b += blockDim.x)
		mine[b] = 0;
	__syncthreads();
	for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
	     i += gridDim.x * blockDim.x)
		atomicAdd(&mine[value[i] & (bins - 1)], 1u);
	__syncthreads();
	for (unsigned int b = threadIdx.x; b < bins; b += blockDim.x) {
		if (mine[b])
			atomicAdd(&bin[b], mine[b]);
	}
}
