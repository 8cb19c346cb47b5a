/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Speckle reducing anisotropic diffusion (Yu and Acton 2002), two launches a step: the diffusion
 * coefficient of each pixel from its differences to its four neighbours, which are kept;
 * then the step itself, which reads the coefficients of two neighbours.  Neighbours
 * beyond the edge are found through index arrays and are the pixel itself.
 */
__kernel void srad_indices(__global int *north, __global int *south, __global int *west,
			   __global int *east, int n)
{
	const int i = get_global_id(0);

	north[i] = west[i] = max(i - 1, 0);
	south[i] = east[i] = min(i + 1, n - 1);
}

__kernel void srad_coefficient(const __global float *image, const __global int *north,
			       const __global int *south, const __global int *west,
			       const __global int *east, __global float *dn, __global float *ds,
			       __global float *dw, __global float *de, __global float *c, int n,
			       float q0)
{
	const int x = get_global_id(0), y = get_global_id(1), at = y * n + x;
	const float here = image[at];
	const float n_ = image[north[y] * n + x] - here, s_ = image[south[y] * n + x] - here;
	const float w_ = image[y * n + west[x]] - here, e_ = image[y * n + east[x]] - here;
	const float gradient = (n_ * n_ + s_ * s_ + w_ * w_ + e_ * e_) / (here * here);
	const float laplacian = (n_ + s_ + w_ + e_) / here;
	const float scale = 1.0f + 0.25f * laplacian;
	const float q = (0.5f * gradient - 0.0625f * laplacian * laplacian) / (scale * scale);

	dn[at] = n_;
	ds[at] = s_;
	dw[at] = w_;
	de[at] = e_;
	c[at] = clamp(1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0))), 0.0f, 1.0f);
}

__kernel void srad_step(__global float *image, const __global int *south,
			const __global int *east, const __global float *dn,
			const __global float *ds, const __global float *dw,
			const __global float *de, const __global float *c, int n, float rate)
{
	const int x = get_global_id(0), y = get_global_id(1), at = y * n + x;
	const float here = c[at], below = c[south[y] * n + x], right = c[y * n + east[x]];

	image[at] += 0.25f * rate *
		     (here * dn[at] + below * ds[at] + here * dw[at] + right * de[at]);
}
