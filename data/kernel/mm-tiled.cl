/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrix multiplication through local memory: a group of T x T work-items
 * makes a T x T tile of C from tiles of A and B that it loads once.  a and b are
 * T x T floats of local memory each; width is a multiple of T.
 */
__kernel void mm_tiled(const __global float *A, const __global float *B, __global float *C,
		       uint width, __local float *a, __local float *b)
{
	const uint t = get_local_size(0), i = get_local_id(0), j = get_local_id(1);
	const uint x = get_global_id(0), y = get_global_id(1);
	float sum = 0.0f;

	for (uint tile = 0; tile < width; tile += t) {
		a[j * t + i] = A[y * width + tile + i];
		b[j * t + i] = B[(tile + j) * width + x];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (uint k = 0; k < t; k++)
			sum += a[j * t + k] * b[k * t + i];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	C[y * width + x] = sum;
}
