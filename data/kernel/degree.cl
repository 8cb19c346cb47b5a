/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Degree centrality: a work-item for each node writes how many edges leave it and adds one, by an
 * atomic, to each node that they lead to.
 */
__kernel void degree(const __global uint *row, const __global uint *column, __global uint *out,
		     __global uint *in)
{
	const size_t node = get_global_id(0);
	const uint begin = row[node], end = row[node + 1];

	out[node] = end - begin;
	for (uint e = begin; e < end; e++)
		atomic_inc(&in[column[e]]);
}
