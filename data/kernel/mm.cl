/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrix multiplication without tiling, C = A x B: each work-item makes one
 * element, reading A along a row and B down a column.  As described in the L1
 * cache model for OpenCL kernels, section 7.4.1.
 */
__kernel void mm(const __global float *A, const __global float *B, __global float *C,
		 uint width, uint height)
{
	const uint x = get_global_id(0), y = get_global_id(1);
	float sum = 0.0f;

	for (uint k = 0; k < width; k++)
		sum += A[y * width + k] * B[k * width + x];
	C[y * width + x] = sum;
}
