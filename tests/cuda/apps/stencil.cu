/* SPDX-License-Identifier: GPL-3.0-or-later
 * stencil.cu -- convolution in two dimensions with coefficients in constant memory, a halo in shared
 * memory, rows with a pitch.
 */
#include "common.h"
#include <vector>

#define R 2
#define TILE 16

__constant__ float coefficient[(2 * R + 1) * (2 * R + 1)];

__global__ void convolve(const float *in, float *out, size_t pitch, int width, int height)
{
	__shared__ float tile[TILE + 2 * R][TILE + 2 * R];
	int x0 = blockIdx.x * TILE - R, y0 = blockIdx.y * TILE - R, step = pitch / sizeof(float);
	float sum = 0;

	for (int y = threadIdx.y; y < TILE + 2 * R; y += TILE)
		for (int x = threadIdx.x; x < TILE + 2 * R; x += TILE) {
			int gx = min(max(x0 + x, 0), width - 1), gy = min(max(y0 + y, 0), height - 1);

			tile[y][x] = in[gy * step + gx];
		}
	__syncthreads();
	for (int y = 0; y <= 2 * R; y++)
#pragma unroll
		for (int x = 0; x <= 2 * R; x++)
			sum += coefficient[y * (2 * R + 1) + x] *
			       tile[threadIdx.y + y][threadIdx.x + x];
	x0 += R + threadIdx.x;
	y0 += R + threadIdx.y;
	if (x0 < width && y0 < height)
		out[y0 * step + x0] = sum;
}

int main()
{
	const int width = 75, height = 50;
	std::vector<float> in(width * height), got(width * height);
	float c[(2 * R + 1) * (2 * R + 1)], *a, *b;
	unsigned seed = 2;
	size_t pitch;
	bool good = true;

	for (auto &v : in)
		v = next(&seed) % 16;
	for (auto &v : c)
		v = next(&seed) % 4;
	CHECK(cudaMallocPitch(&a, &pitch, width * sizeof(float), height));
	CHECK(cudaMallocPitch(&b, &pitch, width * sizeof(float), height));
	CHECK(cudaMemcpy2D(a, pitch, in.data(), width * sizeof(float), width * sizeof(float), height,
			   cudaMemcpyHostToDevice));
	CHECK(cudaMemcpyToSymbol(coefficient, c, sizeof c));
	convolve<<<dim3((width + TILE - 1) / TILE, (height + TILE - 1) / TILE),
		   dim3(TILE, TILE)>>>(a, b, pitch, width, height);
	CHECK(cudaMemcpy2D(got.data(), width * sizeof(float), b, pitch, width * sizeof(float), height,
			   cudaMemcpyDeviceToHost));
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++) {
			float want = 0;

			for (int j = -R; j <= R; j++)
				for (int i = -R; i <= R; i++)
					want += c[(j + R) * (2 * R + 1) + i + R] *
						in[min(max(y + j, 0), height - 1) * width +
						   min(max(x + i, 0), width - 1)];
			good &= got[y * width + x] == want;
		}
	return passed(good);
}
