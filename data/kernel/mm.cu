/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrix multiplication without tiling, as mm.cl.
 */
__global__ void mm(const float *A, const float *B, float *C, unsigned int width,
		   unsigned int height)
{
	const unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
	const unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
	float sum = 0.0f;

	for (unsigned int k = 0; k < width; k++)
		sum += A[y * width + k] * B[k * width + x];
	C[y * width + x] = sum;
}
