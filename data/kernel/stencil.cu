/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Seven-point Jacobi step in three dimensions, as stencil.cl; its two factors are in constant memory.
 */
__constant__ float c[2];

static __device__ size_t at(int nx, int ny, int i, int j, int k)
{
	return i + nx * (j + ny * k);
}

__global__ void naive_kernel(const float *A0, float *Anext, int nx, int ny, int nz)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
	const int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
	const int k = blockIdx.z * blockDim.z + threadIdx.z + 1;

	if (i < nx - 1) {
		const float around = A0[at(nx, ny, i, j, k + 1)] + A0[at(nx, ny, i, j, k - 1)] +
				     A0[at(nx, ny, i, j + 1, k)] + A0[at(nx, ny, i, j - 1, k)] +
				     A0[at(nx, ny, i + 1, j, k)] + A0[at(nx, ny, i - 1, j, k)];

		Anext[at(nx, ny, i, j, k)] = c[1] * around - c[0] * A0[at(nx, ny, i, j, k)];
	}
}
