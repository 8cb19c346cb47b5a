/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Alignment of two sequences (Needleman and Wunsch 1970): the table of scores in blocks of 16 x 16,
 * a launch for each diagonal of blocks; within a block its diagonals in local memory.  The first
 * row and column hold gaps only.
 */
#define B 16

__global__ void nw_start(int *score, int n, int gap)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i > n)
		return;
	score[i] = -i * gap;
	score[i * (n + 1)] = -i * gap;
}

/* Blocks (x, diagonal - x), the first of them that of `from`. */
__global__ void nw_diagonal(const int *similar, int *score, int n, int gap, int diagonal, int from)
{
	__shared__ int table[B + 1][B + 1], match[B][B];
	const int id = threadIdx.x, bx = from + blockIdx.x, by = diagonal - bx;

	similar += by * B * n + bx * B;
	score += by * B * (n + 1) + bx * B;
	for (int y = 0; y < B; y++)
		match[y][id] = similar[y * n + id];
	table[0][id + 1] = score[id + 1];
	table[id + 1][0] = score[(id + 1) * (n + 1)];
	if (id == 0)
		table[0][0] = score[0];
	for (int d = 0; d < 2 * B - 1; d++) {
		const int y = d - id;

		__syncthreads();
		if (y >= 0 && y < B)
			table[y + 1][id + 1] = max(table[y][id] + match[y][id],
						   max(table[y + 1][id], table[y][id + 1]) - gap);
	}
	__syncthreads();
	for (int y = 0; y < B; y++)
		score[(y + 1) * (n + 1) + id + 1] = table[y + 1][id + 1];
}
