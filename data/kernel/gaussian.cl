/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gaussian elimination without pivoting, two launches a column: the multipliers of the rows below the
 * pivot, which walk down the column; then these rows less the pivot's row times them.
 * The right-hand side is the matrix's last column.
 */
__kernel void gaussian_prepare(__global float *a, int n, int width)
{
	const int i = get_global_id(0);

	a[i * width + i] += n;
}

__kernel void gaussian_multipliers(const __global float *a, __global float *m, int n, int width,
				   int k)
{
	const int row = k + 1 + get_global_id(0);

	if (row < n)
		m[row * n + k] = a[row * width + k] / a[k * width + k];
}

__kernel void gaussian_rows(__global float *a, const __global float *m, int n, int width, int k)
{
	const int column = k + get_global_id(0), row = k + 1 + get_global_id(1);

	if (column <= n && row < n)
		a[row * width + column] -= m[row * n + k] * a[k * width + column];
}
