/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shortest paths from one source (Bellman and Ford), two launches a round: nodes whose distance
 * has changed offer their neighbours a way through them, kept by an atomic
 * minimum; then every node takes the best offer if it is better than what it has.
 */
#define FAR 0x7fffffffu

__kernel void sssp_start(__global uint *distance, __global uint *offer, __global uchar *changed,
			 uint source)
{
	const size_t node = get_global_id(0);

	distance[node] = offer[node] = node == source ? 0 : FAR;
	changed[node] = node == source;
}

__kernel void sssp_relax(const __global uint *row, const __global uint *column,
			 const __global uint *weight, const __global uint *distance,
			 const __global uchar *changed, __global uint *offer)
{
	const size_t node = get_global_id(0);

	if (changed[node])
		for (uint e = row[node]; e < row[node + 1]; e++)
			atomic_min(&offer[column[e]], distance[node] + weight[e]);
}

__kernel void sssp_take(__global uint *distance, const __global uint *offer,
			__global uchar *changed)
{
	const size_t node = get_global_id(0);
	const int better = offer[node] < distance[node];

	if (better)
		distance[node] = offer[node];
	changed[node] = better;
}
