/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Breadth-first search by masks, two launches a level: the first, irregular, has a work-item for
 * each node on the frontier give its unvisited neighbours their depth and mark them;
 * the second, regular, makes the marked nodes the next frontier.
 */
__kernel void bfs_start(__global uint *depth, __global uchar *frontier, __global uchar *visited,
			uint root)
{
	const size_t node = get_global_id(0);

	depth[node] = node == root ? 0 : 0xffffffffu;
	frontier[node] = visited[node] = node == root;
}

__kernel void bfs_expand(const __global uint *row, const __global uint *column,
			 __global uchar *frontier, __global uchar *marked,
			 const __global uchar *visited, __global uint *depth)
{
	const size_t node = get_global_id(0);

	if (!frontier[node])
		return;
	frontier[node] = 0;
	for (uint e = row[node]; e < row[node + 1]; e++) {
		const uint next = column[e];

		if (!visited[next]) {
			depth[next] = depth[node] + 1;
			marked[next] = 1;
		}
	}
}

__kernel void bfs_advance(__global uchar *frontier, __global uchar *marked,
			  __global uchar *visited)
{
	const size_t node = get_global_id(0);

	if (marked[node]) {
		marked[node] = 0;
		frontier[node] = visited[node] = 1;
	}
}
