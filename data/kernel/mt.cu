/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrix transposition, as mt.cl.
 */
template <typename T> __global__ void transpose(T *odata, const T *idata, int width, int height)
{
	const unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
	const unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;

	odata[x * height + y] = idata[y * width + x];
}

template __global__ void transpose(float *, const float *, int, int);
template __global__ void transpose(double *, const double *, int, int);
