/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tools/counters/kernels.h -- the kernels whose counters are collected.
 *
 * The first eight are written anew from the description of those of gpuperfpredict (Amaris et al.,
 * NCA 2016): float, row-major, W = n, grid ceil(W/T) x ceil(W/T), block T x T.  T is blockDim.x, so
 * that a kernel has one name for all tiles.  OpenCL reads them, too (kernels.cl), which is what
 * predictions are made of.
 */
#ifndef KERNELS_H
#define KERNELS_H

#ifndef __OPENCL_VERSION__
#include "gpu.h"
#endif

/* ---- the eight ---------------------------------------------------------------------- */

KERNEL matMul_gpu(GLOBAL const float *M, GLOBAL const float *N, GLOBAL float *P, int W)
{
	int j = (int)(blockIdx.x * blockDim.x + threadIdx.x);
	int i = (int)(blockIdx.y * blockDim.y + threadIdx.y);
	float sum = 0;

	if (i >= W || j >= W)
		return;
	for (int k = 0; k < W; k++)
		sum += M[i * W + k] * N[k * W + j];
	P[i * W + j] = sum;
}

KERNEL matMul_gpu_uncoalesced(GLOBAL const float *M, GLOBAL const float *N, GLOBAL float *P, int W)
{
	int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
	int j = (int)(blockIdx.y * blockDim.y + threadIdx.y);
	float sum = 0;

	if (i >= W || j >= W)
		return;
	for (int k = 0; k < W; k++)
		sum += M[i * W + k] * N[k * W + j];
	P[i * W + j] = sum;
}

/* W is a multiple of the tile. */
KERNEL matMul_gpu_sharedmem(GLOBAL const float *M, GLOBAL const float *N, GLOBAL float *P, int W)
{
	SHARED(float, tiles);
	int T = (int)blockDim.x, tx = (int)threadIdx.x, ty = (int)threadIdx.y;
	int row = (int)blockIdx.y * T + ty, col = (int)blockIdx.x * T + tx;
	LOCAL float *s1 = tiles, *s2 = tiles + T * T;
	float sum = 0;

	for (int m = 0; m < W / T; m++) {
		s1[ty * T + tx] = M[row * W + m * T + tx];
		s2[ty * T + tx] = N[col + (m * T + ty) * W];
		__syncthreads();
		for (int k = 0; k < T; k++)
			sum += s1[ty * T + k] * s2[k * T + tx];
		__syncthreads();
	}
	P[row * W + col] = sum;
}

KERNEL matMul_gpu_sharedmem_uncoalesced(GLOBAL const float *M, GLOBAL const float *N,
		GLOBAL float *P, int W)
{
	SHARED(float, tiles);
	int T = (int)blockDim.x, tx = (int)threadIdx.x, ty = (int)threadIdx.y;
	int row = (int)blockIdx.y * T + ty, col = (int)blockIdx.x * T + tx;
	LOCAL float *s1 = tiles, *s2 = tiles + T * T;
	float sum = 0;

	for (int m = 0; m < W / T; m++) {
		s1[tx * T + ty] = M[col * W + m * T + ty];
		s2[tx * T + ty] = N[row + (m * T + tx) * W];
		__syncthreads();
		for (int k = 0; k < T; k++)
			sum += s1[tx * T + k] * s2[k * T + ty];
		__syncthreads();
	}
	P[col * W + row] = sum;
}

KERNEL matrix_sum_coalesced(GLOBAL const float *A, GLOBAL const float *B, GLOBAL float *S, int W)
{
	int j = (int)(blockIdx.x * blockDim.x + threadIdx.x);
	int i = (int)(blockIdx.y * blockDim.y + threadIdx.y);

	if (i < W && j < W)
		S[i * W + j] = A[i * W + j] + B[i * W + j];
}

KERNEL matrix_sum_normal(GLOBAL const float *A, GLOBAL const float *B, GLOBAL float *S, int W)
{
	int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
	int j = (int)(blockIdx.y * blockDim.y + threadIdx.y);

	if (i < W && j < W)
		S[i * W + j] = A[i * W + j] + B[i * W + j];
}

KERNEL vectorAdd(GLOBAL const float *A, GLOBAL const float *B, GLOBAL float *C, int n)
{
	int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

	if (i < n)
		C[i] = A[i] + B[i];
}

/* A sum for each block, whose threads are a power of two. */
KERNEL dotProd(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *partial, int n)
{
	SHARED(float, sums);
	int step = (int)(gridDim.x * blockDim.x), own = (int)threadIdx.x;
	float sum = 0;

	for (int t = (int)(blockIdx.x * blockDim.x) + own; t < n; t += step)
		sum += a[t] * b[t];
	sums[own] = sum;
	__syncthreads();
	for (int span = (int)blockDim.x / 2; span; span /= 2) {
		if (own < span)
			sums[own] += sums[own + span];
		__syncthreads();
	}
	if (own == 0)
		partial[blockIdx.x] = sums[0];
}

/* ---- six more ----------------------------------------------------------------------- */

/* A thread for each row of a sparse matrix in rows. */
KERNEL spmv(GLOBAL const int *row, GLOBAL const int *column, GLOBAL const float *value,
		GLOBAL const float *x, GLOBAL float *y, int n)
{
	int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
	float sum = 0;

	if (i >= n)
		return;
	for (int k = row[i]; k < row[i + 1]; k++)
		sum += value[k] * x[column[k]];
	y[i] = sum;
}

/* Five points; the rim is copied. */
KERNEL stencil(GLOBAL const float *in, GLOBAL float *out, int W)
{
	int j = (int)(blockIdx.x * blockDim.x + threadIdx.x);
	int i = (int)(blockIdx.y * blockDim.y + threadIdx.y), at = i * W + j;

	if (i >= W || j >= W)
		return;
	if (i == 0 || j == 0 || i == W - 1 || j == W - 1)
		out[at] = in[at];
	else
		out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - W] +
						    in[at + W]);
}

/* One level of a breadth-first search: who has the depth gives its neighbours the next one. */
KERNEL bfs(GLOBAL const int *row, GLOBAL const int *column, GLOBAL int *depth, int level, int n)
{
	int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

	if (i >= n || depth[i] != level)
		return;
	for (int k = row[i]; k < row[i + 1]; k++)
		if (depth[column[k]] < 0)
			depth[column[k]] = level + 1;
}

#define BINS 256

/* Bins of a block in shared memory, then added to those of all. */
KERNEL histogram(GLOBAL const int *data, GLOBAL int *bins, int n)
{
	SHARED(int, own);
	int step = (int)(gridDim.x * blockDim.x), first = (int)threadIdx.x;

	for (int b = first; b < BINS; b += (int)blockDim.x)
		own[b] = 0;
	__syncthreads();
	for (int t = (int)(blockIdx.x * blockDim.x) + first; t < n; t += step)
		atomicAdd(&own[data[t]], 1);
	__syncthreads();
	for (int b = first; b < BINS; b += (int)blockDim.x)
		if (own[b])
			atomicAdd(&bins[b], own[b]);
}

/* Through a tile, a word wider than it has to be. */
KERNEL transpose(GLOBAL const float *in, GLOBAL float *out, int W)
{
	SHARED(float, tile);
	int T = (int)blockDim.x, tx = (int)threadIdx.x, ty = (int)threadIdx.y;
	int i = (int)blockIdx.y * T + ty, j = (int)blockIdx.x * T + tx;

	if (i < W && j < W)
		tile[ty * (T + 1) + tx] = in[i * W + j];
	__syncthreads();
	i = (int)blockIdx.x * T + ty;
	j = (int)blockIdx.y * T + tx;
	if (i < W && j < W)
		out[i * W + j] = tile[tx * (T + 1) + ty];
}

#define RADIUS 2

/* Each block has its tile and a halo of RADIUS around it; zero outside. */
KERNEL convolution(GLOBAL const float *in, GLOBAL const float *weight, GLOBAL float *out, int W)
{
	SHARED(float, tile);
	int T = (int)blockDim.x, S = T + 2 * RADIUS;
	int top = (int)blockIdx.y * T - RADIUS, left = (int)blockIdx.x * T - RADIUS;
	int i = (int)blockIdx.y * T + (int)threadIdx.y, j = (int)blockIdx.x * T + (int)threadIdx.x;
	float sum = 0;

	for (int k = (int)threadIdx.y * T + (int)threadIdx.x; k < S * S; k += T * T) {
		int y = top + k / S, x = left + k % S;

		tile[k] = y >= 0 && y < W && x >= 0 && x < W ? in[y * W + x] : 0;
	}
	__syncthreads();
	for (int y = 0; y <= 2 * RADIUS; y++)
		for (int x = 0; x <= 2 * RADIUS; x++)
			sum += weight[y * (2 * RADIUS + 1) + x] *
			       tile[((int)threadIdx.y + y) * S + (int)threadIdx.x + x];
	if (i < W && j < W)
		out[i * W + j] = sum;
}

#endif
