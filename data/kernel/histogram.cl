/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histogram of the values' low bits, bins a power of two: with atomics on
 * global memory alone, and with a histogram of each group in local memory that is
 * added to the global one at the end.  The stride between a work-item's values is the
 * whole range, so that neighbours read neighbours.
 */
__kernel void histogram_global(const __global uint *value, __global uint *bin, uint count,
			       uint bins)
{
	for (size_t i = get_global_id(0); i < count; i += get_global_size(0))
		atomic_inc(&bin[value[i] & (bins - 1)]);
}

__kernel void histogram_local(const __global uint *value, __global uint *bin, uint count,
			      uint bins, __local uint *mine)
{
	for (uint b = get_local_id(0); b < bins; b += get_local_size(0))
		mine[b] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (size_t i = get_global_id(0); i < count; i += get_global_size(0))
		atomic_inc(&mine[value[i] & (bins - 1)]);
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint b = get_local_id(0); b < bins; b += get_local_size(0)) {
		if (mine[b])
			atomic_add(&bin[b], mine[b]);
	}
}
