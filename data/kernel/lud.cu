/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LU decomposition in place without pivoting, in blocks of 16 x 16: for each block of the diagonal
 * it is decomposed, then the blocks to the right of it and below it, then what is right
 * and below of these.  In L the diagonal is 1.
 */
#define B 16

/* Makes the diagonal dominant, so that no pivots are needed. */
__global__ void lud_prepare(float *a, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;

	a[i * n + i] += n;
}

__global__ void lud_diagonal(float *a, int n, int offset)
{
	__shared__ float block[B][B];
	const int x = threadIdx.x;

	a += offset * n + offset;
	for (int y = 0; y < B; y++)
		block[y][x] = a[y * n + x];
	for (int k = 0; k < B - 1; k++) {
		__syncthreads();
		if (x > k)
			block[x][k] /= block[k][k];
		__syncthreads();
		if (x > k)
			for (int y = k + 1; y < B; y++)
				block[y][x] -= block[y][k] * block[k][x];
	}
	__syncthreads();
	for (int y = 1; y < B; y++)
		a[y * n + x] = block[y][x];
}

/* The first 16 threads have a column each of the block to the right, the others a row of
 * the one below. */
__global__ void lud_perimeter(float *a, int n, int offset)
{
	__shared__ float diagonal[B][B], right[B][B], below[B][B];
	const int id = threadIdx.x, x = id % B, first = id < B;
	const int away = (blockIdx.x + 1) * B;

	a += offset * n + offset;
	for (int y = first ? 0 : B / 2; y < (first ? B / 2 : B); y++)
		diagonal[y][x] = a[y * n + x];
	for (int y = 0; y < B; y++) {
		if (first)
			right[y][x] = a[y * n + away + x];
		else
			below[y][x] = a[(away + y) * n + x];
	}
	__syncthreads();
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
	__syncthreads();
	for (int y = 0; y < B; y++) {
		if (first)
			a[y * n + away + x] = right[y][x];
		else
			a[(away + y) * n + x] = below[y][x];
	}
}

__global__ void lud_inside(float *a, int n, int offset)
{
	__shared__ float right[B][B], below[B][B];
	const int x = threadIdx.x, y = threadIdx.y;
	const int column = (blockIdx.x + 1) * B + x, row = (blockIdx.y + 1) * B + y;
	float sum = 0.0f;

	a += offset * n + offset;
	right[y][x] = a[y * n + column];
	below[y][x] = a[row * n + x];
	__syncthreads();
	for (int k = 0; k < B; k++)
		sum += below[y][k] * right[k][x];
	a[row * n + column] -= sum;
}
