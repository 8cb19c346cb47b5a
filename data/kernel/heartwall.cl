/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tracking of points on a moving wall through frames of a film: a group for each point compares the
 * point's template, 12 x 12 pixels, with the frame at each of 16 x 16 shifts around the
 * point's place, by the sum of absolute differences, moves the point to the best shift and takes
 * the template anew, half of it from the frame.
 */
#define SHIFTS 16
#define SIDE 12
#define PIXELS (SIDE * SIDE)

static int difference(const __global uchar *frame, const __global uchar *template, int width)
{
	int sum = 0;

	for (int y = 0; y < SIDE; y++)
		for (int x = 0; x < SIDE; x++)
			sum += abs((int)frame[y * width + x] - (int)template[y * SIDE + x]);
	return sum;
}

__kernel void heartwall_start(const __global uchar *frame, const __global int *place,
			      __global uchar *template, int width)
{
	const int point = get_group_id(0), pixel = get_local_id(0);

	template[point * PIXELS + pixel] =
		frame[(place[2 * point + 1] + pixel / SIDE) * width + place[2 * point] + pixel % SIDE];
}

__kernel void heartwall_track(const __global uchar *frame, __global int *place,
			      __global uchar *template, int width, int height)
{
	__local int best[SHIFTS * SHIFTS];
	const int point = get_group_id(0), id = get_local_id(0);
	const int x0 = place[2 * point] - SHIFTS / 2, y0 = place[2 * point + 1] - SHIFTS / 2;
	const int x = clamp(x0 + id % SHIFTS, 0, width - SIDE);
	const int y = clamp(y0 + id / SHIFTS, 0, height - SIDE);

	/* The shift in the low bits: of equal sums the first shift is the smallest. */
	best[id] = difference(frame + y * width + x, template + point * PIXELS, width) << 8 | id;
	for (int rest = SHIFTS * SHIFTS / 2; rest; rest /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (id < rest)
			best[id] = min(best[id], best[id + rest]);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (id == (best[0] & 255)) {
		place[2 * point] = x;
		place[2 * point + 1] = y;
	}
	barrier(CLK_GLOBAL_MEM_FENCE);
	if (id < PIXELS) {
		const int at = place[2 * point + 1] * width + place[2 * point];
		const int pixel = frame[at + id / SIDE * width + id % SIDE];

		template[point * PIXELS + id] = (template[point * PIXELS + id] + pixel + 1) / 2;
	}
}
