/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Divergence: each work-item follows the Collatz sequence of its own start,
 * adding up a table's entries on the way, until it is at 1; the number of
 * rounds depends on the data and differs from lane to lane.  entries is a power
 * of two.  Even and odd rounds take different branches, and only odd ones read
 * the second table.
 */
__kernel void divergent(const __global uint *start, const __global uint *even,
			const __global uint *odd, __global uint *sum, __global uint *rounds,
			uint entries)
{
	const size_t id = get_global_id(0);
	ulong n = start[id];
	uint total = 0, count = 0;

	while (n > 1) {
		total += even[n & (entries - 1)];
		if (n & 1) {
			total ^= odd[(n >> 1) & (entries - 1)];
			n = 3 * n + 1;
		} else {
			n >>= 1;
		}
		count++;
	}
	sum[id] = total;
	rounds[id] = count;
}
