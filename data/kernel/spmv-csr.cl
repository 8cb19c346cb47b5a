/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sparse matrix times vector, y = A x, A in compressed rows: a work-item for
 * each row, so lanes of a warp leave the loop at different times and gather x
 * at columns that the data choose.
 */
__kernel void spmv_csr(const __global uint *row, const __global uint *column,
		       const __global float *value, const __global float *x, __global float *y,
		       uint rows)
{
	const size_t r = get_global_id(0);

	if (r < rows) {
		float sum = 0.0f;

		for (uint e = row[r]; e < row[r + 1]; e++)
			sum += value[e] * x[column[e]];
		y[r] = sum;
	}
}
