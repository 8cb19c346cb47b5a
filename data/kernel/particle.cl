/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A particle filter that follows an object through frames of a film.  Each particle moves and weighs
 * the pixels of a disk around it; the weights, whole numbers, are added up to their
 * distribution; each particle then becomes that one in whose step of the distribution its
 * draw falls, and fetches its place.
 */
__kernel void particle_weigh(const __global uchar *frame, const __global int2 *disk,
			     __global int2 *place, const __global int2 *move,
			     __global uint *weight, int width, int height, int pixels)
{
	const size_t particle = get_global_id(0);
	const int2 at = place[particle] + move[particle];
	uint sum = 1;

	for (int i = 0; i < pixels; i++) {
		const int x = clamp(at.x + disk[i].x, 0, width - 1);
		const int y = clamp(at.y + disk[i].y, 0, height - 1);

		sum += frame[y * width + x];
	}
	place[particle] = at;
	weight[particle] = sum;
}

/* Sums up to each particle of its group. */
__kernel void particle_sum(const __global uint *weight, __global uint *distribution,
			   __global uint *total)
{
	__local uint sum[256];
	const int id = get_local_id(0), last = get_local_size(0) - 1;

	sum[id] = weight[get_global_id(0)];
	for (int step = 1; step <= last; step *= 2) {
		uint before;

		barrier(CLK_LOCAL_MEM_FENCE);
		before = id >= step ? sum[id - step] : 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		sum[id] += before;
	}
	distribution[get_global_id(0)] = sum[id];
	if (id == last)
		total[get_group_id(0)] = sum[id];
}

/* Adds the groups before; in the last place of total comes the sum of all. */
__kernel void particle_add(__global uint *distribution, __global uint *total)
{
	const uint groups = get_num_groups(0), group = get_group_id(0);
	uint before = 0;

	for (uint g = 0; g < group; g++)
		before += total[g];
	distribution[get_global_id(0)] += before;
	if (group == groups - 1 && get_local_id(0) == 0)
		total[groups] = before + total[group];
}

__kernel void particle_resample(const __global uint *distribution, const __global uint *total,
				const __global uint *draw, const __global int2 *place,
				__global int2 *next, uint particles, uint groups)
{
	const size_t particle = get_global_id(0);
	const uint want = mul_hi(draw[particle], total[groups]);
	uint low = 0, high = particles - 1;

	while (low < high) {
		const uint middle = (low + high) / 2;

		if (distribution[middle] > want)
			high = middle;
		else
			low = middle + 1;
	}
	next[particle] = place[low];
}
