/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Triangles of an undirected graph with sorted rows, a work-item for each entry of the rows: if it is
 * an edge from a node to a larger one, their two rows are walked together, and each still
 * larger node in both closes a triangle.  Repeated edges count once.
 */
__kernel void triangles_sources(const __global uint *row, __global uint *source)
{
	const size_t node = get_global_id(0);

	for (uint e = row[node]; e < row[node + 1]; e++)
		source[e] = node;
}

static uint common(const __global uint *column, uint a, uint a_end, uint b, uint b_end, uint above)
{
	uint last = above, found = 0;

	while (a < a_end && b < b_end) {
		const uint x = column[a], y = column[b];

		if (x == y && x > last) {
			found++;
			last = x;
		}
		a += x <= y;
		b += y <= x;
	}
	return found;
}

__kernel void triangles(const __global uint *row, const __global uint *column,
			const __global uint *source, __global uint *mine, uint entries)
{
	const uint e = get_global_id(0);
	uint node, next, found;

	if (e >= entries)
		return;
	node = source[e];
	next = column[e];
	if (next <= node || (e > row[node] && column[e - 1] == next))
		return;
	found = common(column, e, row[node + 1], row[next], row[next + 1], next);
	if (found)
		atomic_add(&mine[node], found);
}
