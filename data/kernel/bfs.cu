/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Breadth-first search, one level a launch, as bfs.cl.
 */
#include <limits.h>

__global__ void bfs_begin(unsigned int *level, unsigned int root)
{
	const size_t node = blockIdx.x * blockDim.x + threadIdx.x;

	level[node] = node == root ? 0 : UINT_MAX;
}

__global__ void bfs_level(const unsigned int *row, const unsigned int *column, unsigned int *level,
			  unsigned int depth, unsigned int nodes)
{
	const size_t node = blockIdx.x * blockDim.x + threadIdx.x;

	if (node < nodes && level[node] == depth)
		for (unsigned int e = row[node]; e < row[node + 1]; e++)
			if (level[column[e]] == UINT_MAX)
				level[column[e]] = depth + 1;
}
