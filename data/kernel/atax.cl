/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * y = transposed(A) (A x), with A row by row in memory: a work-item a row, then a work-item a column.
 * In the first launch neighbours' loads of A are a row apart, in the second they are side by side.
 */
__kernel void atax_rows(const __global float *a, const __global float *x, __global float *t, int rows,
			int columns)
{
	const int row = get_global_id(0);
	float sum = 0;

	for (int j = 0; j < columns; j++)
		sum += a[row * columns + j] * x[j];
	if (row < rows)
		t[row] = sum;
}

__kernel void atax_columns(const __global float *a, const __global float *t, __global float *y,
			   int rows, int columns)
{
	const int column = get_global_id(0);
	float sum = 0;

	for (int i = 0; i < rows; i++)
		sum += a[i * columns + column] * t[i];
	if (column < columns)
		y[column] = sum;
}
