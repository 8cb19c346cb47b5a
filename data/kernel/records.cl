/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records, a run of them to each thread: a character and an integer in, an integer out.  The loop of
 * "Resurrecting L1: a software cache for GPUs", section 1.1.
 */
__kernel void records(__global const char *char_in, __global const int *int_in, __global int *out,
		      int each)
{
	int start = (int)get_global_id(0) * each;

	for (int i = start; i < start + each; i++)
		out[i] = int_in[i] + 3 * char_in[i];
}
