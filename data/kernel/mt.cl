/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrix transposition: each work-item moves one element, reading along rows
 * and writing down columns.  As described in the L1 cache model for OpenCL
 * kernels, section 7.4.2.
 */
__kernel void mt(__global float *odata, const __global float *idata, int width, int height)
{
	const uint x = get_global_id(0), y = get_global_id(1);

	odata[x * height + y] = idata[y * width + x];
}
