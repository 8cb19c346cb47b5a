/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Connected components by hooking and pointer jumping (Shiloach and Vishkin 1982): a node hangs its
 * tree below that of a neighbour with a smaller root; then every node is
 * hung directly below its root.  Once nothing changes, a node's parent is the
 * smallest node of its component.
 */
__kernel void components_start(__global uint *parent)
{
	parent[get_global_id(0)] = get_global_id(0);
}

__kernel void components_hook(const __global uint *row, const __global uint *column,
			      __global uint *parent)
{
	const size_t node = get_global_id(0);

	for (uint e = row[node]; e < row[node + 1]; e++) {
		const uint mine = parent[node], other = parent[column[e]];

		if (other < mine)
			atomic_min(&parent[mine], other);
	}
}

__kernel void components_jump(__global uint *parent)
{
	const size_t node = get_global_id(0);
	uint root = parent[node];

	while (root != parent[root])
		root = parent[root];
	parent[node] = root;
}
