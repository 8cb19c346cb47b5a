/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Seven-point Jacobi step in three dimensions, without tiling: a work-item for
 * each inner cell; the first dimension is rounded up to whole groups, so
 * work-items past the end do nothing.  The neighbours are read in the order
 * k+1, k-1, j+1, j-1, i+1, i-1, then the cell itself.  As described in the L1
 * cache model for OpenCL kernels, section 7.4.3 (from Parboil's stencil).
 */
static inline size_t at(int nx, int ny, int i, int j, int k)
{
	return i + nx * (j + ny * k);
}

__kernel void naive_kernel(float c0, float c1, __global float *A0, __global float *Anext,
			   int nx, int ny, int nz)
{
	const int i = get_global_id(0) + 1;
	const int j = get_global_id(1) + 1;
	const int k = get_global_id(2) + 1;

	if (i < nx - 1) {
		const float around = A0[at(nx, ny, i, j, k + 1)] + A0[at(nx, ny, i, j, k - 1)] +
				     A0[at(nx, ny, i, j + 1, k)] + A0[at(nx, ny, i, j - 1, k)] +
				     A0[at(nx, ny, i + 1, j, k)] + A0[at(nx, ny, i - 1, j, k)];

		Anext[at(nx, ny, i, j, k)] = c1 * around - c0 * A0[at(nx, ny, i, j, k)];
	}
}
