/* SPDX-License-Identifier: GPL-3.0-or-later
 * driver_kernels.cu -- what driver_host.cpp loads: kernels, a constant, a variable with a value.
 */
struct triple { int a, b, c; };

__constant__ float factor = 2.0f;
__device__ int begun[4] = { 5, 6, 7, 8 };

extern "C" __global__ void scale(float *x, char skip, int n, triple t, double add)
{
	int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

	if (i < n && skip == 'n')
		x[i] = x[i] * factor + (float)add + (float)(t.a + 10 * t.b + 100 * t.c);
}

template <class T> __global__ void fill(T *x, T v)
{
	extern __shared__ char room[];

	((T *)room)[threadIdx.x] = v;
	__syncthreads();
	x[threadIdx.x] = ((T *)room)[blockDim.x - 1 - threadIdx.x] + (T)begun[threadIdx.x % 4];
}
template __global__ void fill<int>(int *, int);

/* A picture turned round, by parts of its size, and with its rows swapped. */
extern "C" __global__ void turn(cudaTextureObject_t from, cudaSurfaceObject_t to, float *sums)
{
	int x = (int)threadIdx.x, y = (int)blockIdx.x, w = (int)blockDim.x, h = (int)gridDim.x;
	float v = tex2D<float>(from, (w - x - 0.5f) / (float)w, (y + 0.5f) / (float)h);

	surf2Dwrite((unsigned char)(255 * v + 0.5f), to, x, h - 1 - y);
	atomicAdd(&sums[y], 255 * v);
}
