// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels without a fault.

__kernel void add(__global float *c, __global const float *a, __global const float *b)
{
	int i = get_global_id(0);

	c[i] = a[i] + b[i];
}

// Each row of three is read by three warps; it fits.
__kernel void blur(__global float *out, __global const float *in, int width)
{
	int x = get_global_id(0) + 1, y = get_global_id(1) + 1;

	out[y * width + x] = (in[(y - 1) * width + x] + in[y * width + x] + in[(y + 1) * width + x]) / 3;
}

__kernel void sums(__global float *out, __global const float *in, __local float *part)
{
	int t = get_local_id(0), n = get_local_size(0);

	part[t] = in[get_global_id(0)];
	for (int left = n / 2; left > 0; left /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (t < left)
			part[t] += part[t + left];
	}
	if (t == 0)
		out[get_group_id(0)] = part[0];
}
