/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * K-means clustering: points come one after another, each with its features together, and are turned
 * feature by feature, so that neighbours read neighbours when each point looks for the
 * nearest of the centres.  The centres then move: a group adds up the features of
 * its share of the points for all clusters, a last launch adds the groups' sums.
 */
__kernel void kmeans_turn(const __global float *point, __global float *feature, int points,
			  int features)
{
	const int p = get_global_id(0);

	for (int f = 0; f < features; f++)
		feature[f * points + p] = point[p * features + f];
}

__kernel void kmeans_assign(const __global float *feature, const __global float *centre,
			    __global int *member, int points, int clusters, int features)
{
	const int p = get_global_id(0);
	float least = INFINITY;
	int nearest = 0;

	for (int c = 0; c < clusters; c++) {
		float sum = 0.0f;

		for (int f = 0; f < features; f++) {
			const float apart = feature[f * points + p] - centre[c * features + f];

			sum += apart * apart;
		}
		if (sum < least) {
			least = sum;
			nearest = c;
		}
	}
	member[p] = nearest;
}

/* A work-item for each feature of each cluster; others do nothing. */
__kernel void kmeans_sum(const __global float *point, const __global int *member,
			 __global float *sum, __global int *count, int share, int clusters,
			 int features)
{
	const int id = get_local_id(0), c = id / features, f = id % features;
	const int group = get_group_id(0), to = group * clusters * features + id;
	float total = 0.0f;
	int found = 0;

	if (c >= clusters)
		return;
	for (int p = group * share; p < (group + 1) * share; p++) {
		if (member[p] == c) {
			total += point[p * features + f];
			found++;
		}
	}
	sum[to] = total;
	count[to] = found;
}

__kernel void kmeans_move(const __global float *sum, const __global int *count,
			  __global float *centre, int groups, int entries)
{
	const int id = get_global_id(0);
	float total = 0.0f;
	int found = 0;

	if (id >= entries)
		return;
	for (int g = 0; g < groups; g++) {
		total += sum[g * entries + id];
		found += count[g * entries + id];
	}
	if (found)
		centre[id] = total / (float)found;
}
