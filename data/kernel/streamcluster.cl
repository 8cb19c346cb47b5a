/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Streamcluster's gain of opening a centre at a point: each point compares its distance to that
 * candidate with the cost of the centre it has.  If the candidate is nearer, the point would
 * change, and what that saves is noted for the candidate; if not, what closing the
 * point's own centre would cost is added to that centre's place in the point's row of a
 * table.  Points are structures, coordinates lie dimension by dimension.
 */
struct point {
	float weight, cost;
	int centre, open;
};

__kernel void streamcluster_points(const __global float *weight, const __global int *centre,
				   const __global float *coordinate, __global struct point *point,
				   int points, int dimensions)
{
	const int p = get_global_id(0), c = centre[p];
	float cost = 0.0f;

	for (int d = 0; d < dimensions; d++) {
		const float apart = coordinate[d * points + p] - coordinate[d * points + c];

		cost += apart * apart;
	}
	point[p].weight = weight[p];
	point[p].cost = cost * weight[p];
	point[p].centre = c;
	point[p].open = 0;
}

__kernel void streamcluster_gain(const __global struct point *point,
				 const __global float *coordinate, const __global int *place,
				 __global float *table, __global uchar *change, int points,
				 int dimensions, int centres, int candidate)
{
	__local float at[256];
	const int p = get_global_id(0), row = p * (centres + 1);
	float cost = 0.0f, gain;

	for (int d = get_local_id(0); d < dimensions; d += get_local_size(0))
		at[d] = coordinate[d * points + candidate];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int d = 0; d < dimensions; d++) {
		const float apart = coordinate[d * points + p] - at[d];

		cost += apart * apart;
	}
	gain = cost * point[p].weight - point[p].cost;
	change[p] = gain < 0.0f;
	if (gain < 0.0f)
		table[row + centres] += gain;
	else
		table[row + place[point[p].centre]] += gain;
}

/* What each centre, and in the last place the candidates, gained over all points. */
__kernel void streamcluster_total(const __global float *table, __global float *total, int points,
				  int places)
{
	__local float sum[256];
	const int id = get_local_id(0), place = get_group_id(0);

	sum[id] = 0.0f;
	for (int p = id; p < points; p += get_local_size(0))
		sum[id] += table[p * places + place];
	for (int rest = get_local_size(0) / 2; rest; rest /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (id < rest)
			sum[id] += sum[id + rest];
	}
	if (id == 0)
		total[place] = sum[0];
}
