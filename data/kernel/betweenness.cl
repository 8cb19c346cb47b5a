/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Betweenness centrality of one source (Brandes 2001).  Forwards, a level a launch: the nodes of
 * a level give their unvisited neighbours the next one and add to each of that level the number
 * of shortest paths that lead to them.  Backwards: the nodes of a level gather the
 * dependencies of their neighbours one level further.
 */
#define UNVISITED 0xffffffffu

__kernel void bc_start(__global uint *level, __global uint *paths, __global float *dependency,
		       uint source)
{
	const size_t node = get_global_id(0);

	level[node] = node == source ? 0 : UNVISITED;
	paths[node] = node == source;
	dependency[node] = 0.0f;
}

__kernel void bc_forward(const __global uint *row, const __global uint *column,
			 __global uint *level, __global uint *paths, uint depth)
{
	const size_t node = get_global_id(0);

	if (level[node] != depth)
		return;
	for (uint e = row[node]; e < row[node + 1]; e++) {
		const uint next = column[e];

		if (level[next] == UNVISITED)
			level[next] = depth + 1;
		if (level[next] == depth + 1)
			atomic_add(&paths[next], paths[node]);
	}
}

__kernel void bc_backward(const __global uint *row, const __global uint *column,
			  const __global uint *level, const __global uint *paths,
			  __global float *dependency, uint depth)
{
	const size_t node = get_global_id(0);
	float sum = 0.0f;

	if (level[node] != depth)
		return;
	for (uint e = row[node]; e < row[node + 1]; e++) {
		const uint next = column[e];

		if (level[next] == depth + 1)
			sum += (1.0f + dependency[next]) / (float)paths[next];
	}
	dependency[node] = sum * (float)paths[node];
}
