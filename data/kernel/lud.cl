/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LU decomposition in place without pivoting, in blocks of 16 x 16: for each block of the diagonal
 * it is decomposed, then the blocks to the right of it and below it, then what is right
 * and below of these.  In L the diagonal is 1.
 */
#define B 16

/* Makes the diagonal dominant, so that no pivots are needed. */
__kernel void lud_prepare(__global float *a, int n)
{
	const int i = get_global_id(0);

	a[i * n + i] += n;
}

__kernel void lud_diagonal(__global float *a, int n, int offset)
{
	__local float block[B][B];
	const int x = get_local_id(0);

	a += offset * n + offset;
	for (int y = 0; y < B; y++)
		block[y][x] = a[y * n + x];
	for (int k = 0; k < B - 1; k++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (x > k)
			block[x][k] /= block[k][k];
		barrier(CLK_LOCAL_MEM_FENCE);
		if (x > k)
			for (int y = k + 1; y < B; y++)
				block[y][x] -= block[y][k] * block[k][x];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int y = 1; y < B; y++)
		a[y * n + x] = block[y][x];
}

/* The first 16 work-items have a column each of the block to the right, the others a row of
 * the one below. */
__kernel void lud_perimeter(__global float *a, int n, int offset)
{
	__local float diagonal[B][B], right[B][B], below[B][B];
	const int id = get_local_id(0), x = id % B, first = id < B;
	const int away = (get_group_id(0) + 1) * B;

	a += offset * n + offset;
	for (int y = first ? 0 : B / 2; y < (first ? B / 2 : B); y++)
		diagonal[y][x] = a[y * n + x];
	for (int y = 0; y < B; y++) {
		if (first)
			right[y][x] = a[y * n + away + x];
		else
			below[y][x] = a[(away + y) * n + x];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 0; k < B; k++) {
		if (first) {
			for (int i = 0; i < k; i++)
				right[k][x] -= diagonal[k][i] * right[i][x];
		} else {
			for (int i = 0; i < k; i++)
				below[x][k] -= below[x][i] * diagonal[i][k];
			below[x][k] /= diagonal[k][k];
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int y = 0; y < B; y++) {
		if (first)
			a[y * n + away + x] = right[y][x];
		else
			a[(away + y) * n + x] = below[y][x];
	}
}

__kernel void lud_inside(__global float *a, int n, int offset)
{
	__local float right[B][B], below[B][B];
	const int x = get_local_id(0), y = get_local_id(1);
	const int column = (get_group_id(0) + 1) * B + x, row = (get_group_id(1) + 1) * B + y;
	float sum = 0.0f;

	a += offset * n + offset;
	right[y][x] = a[y * n + column];
	below[y][x] = a[row * n + x];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 0; k < B; k++)
		sum += below[y][k] * right[k][x];
	a[row * n + column] -= sum;
}
