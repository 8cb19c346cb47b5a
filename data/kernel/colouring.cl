/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Graph colouring (Jones and Plassmann 1993), a colour a launch: an uncoloured node takes the
 * colour if none of its neighbours that were uncoloured before the launch precedes it in a
 * random order.  A neighbour that has taken this very colour was uncoloured, so the result
 * does not depend on who runs first.
 */
#define UNCOLOURED 0xffffffffu

__kernel void colouring_start(__global uint *colour)
{
	colour[get_global_id(0)] = UNCOLOURED;
}

__kernel void colouring(const __global uint *row, const __global uint *column,
			const __global uint *priority, __global uint *colour, uint round)
{
	const size_t node = get_global_id(0);
	uint mine;

	if (colour[node] != UNCOLOURED)
		return;
	mine = priority[node];
	for (uint e = row[node]; e < row[node + 1]; e++) {
		const uint next = column[e];

		if (colour[next] >= round && next != node &&
		    (priority[next] > mine || (priority[next] == mine && next > node)))
			return;
	}
	colour[node] = round;
}
