/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Breadth-first search, one level a launch: a work-item for each node looks whether the node is on
 * the frontier and, if so, gives its unvisited neighbours the next level.  The frontier, and
 * with it what is read, changes from launch to launch.  Two work-items may visit the same
 * neighbour; both write the same level.
 */
#define UNVISITED 0xffffffffu

__kernel void bfs_begin(__global uint *level, uint root)
{
	const size_t node = get_global_id(0);

	level[node] = node == root ? 0 : UNVISITED;
}

__kernel void bfs_level(const __global uint *row, const __global uint *column,
			__global uint *level, uint depth, uint nodes)
{
	const size_t node = get_global_id(0);

	if (node < nodes && level[node] == depth)
		for (uint e = row[node]; e < row[node + 1]; e++)
			if (level[column[e]] == UNVISITED)
				level[column[e]] = depth + 1;
}
