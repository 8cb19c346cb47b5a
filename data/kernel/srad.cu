/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Speckle reducing anisotropic diffusion (Yu and Acton 2002), two launches a step: the diffusion
 * coefficient of each pixel from its differences to its four neighbours, which are kept;
 * then the step itself, which reads the coefficients of two neighbours.  Neighbours
 * beyond the edge are found through index arrays and are the pixel itself.
 */
__global__ void srad_indices(int *north, int *south, int *west, int *east, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;

	north[i] = west[i] = max(i - 1, 0);
	south[i] = east[i] = min(i + 1, n - 1);
}

__global__ void srad_coefficient(const float *image, const int *north, const int *south,
				 const int *west, const int *east, float *dn, float *ds, float *dw,
				 float *de, float *c, int n, float q0)
{
	const int x = blockIdx.x * blockDim.x + threadIdx.x,
		  y = blockIdx.y * blockDim.y + threadIdx.y, at = y * n + x;
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
	c[at] = __saturatef(1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0))));
}

__global__ void srad_step(float *image, const int *south, const int *east, const float *dn,
			  const float *ds, const float *dw, const float *de, const float *c, int n,
			  float rate)
{
	const int x = blockIdx.x * blockDim.x + threadIdx.x,
		  y = blockIdx.y * blockDim.y + threadIdx.y, at = y * n + x;
	const float here = c[at], below = c[south[y] * n + x], right = c[y * n + east[x]];

	image[at] +=
	    0.25f * rate * (here * dn[at] + below * ds[at] + here * dw[at] + right * de[at]);
}
