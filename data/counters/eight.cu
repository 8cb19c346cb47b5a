/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The eight kernels of gpuperfpredict, written anew in CUDA: the requests of eight.cl.  T is the tile:
 * blocks of T x T threads, vectors in blocks of T * T.
 */
#ifndef T
#define T 16
#endif

/* One element of the product a thread; neighbours lie along a row. */
__global__ void mm_row(float *P, const float *M, const float *N, int w)
{
	int j = blockIdx.x * T + threadIdx.x, i = blockIdx.y * T + threadIdx.y;
	float acc = 0;

	for (int k = 0; k < w; k++)
		acc += M[i * w + k] * N[k * w + j];
	P[i * w + j] = acc;
}

/* The same, but neighbours lie along a column. */
__global__ void mm_column(float *P, const float *M, const float *N, int w)
{
	int i = blockIdx.x * T + threadIdx.x, j = blockIdx.y * T + threadIdx.y;
	float acc = 0;

	for (int k = 0; k < w; k++)
		acc += M[i * w + k] * N[k * w + j];
	P[i * w + j] = acc;
}

__global__ void mm_tile_row(float *P, const float *M, const float *N, int w)
{
	__shared__ float s1[T][T], s2[T][T];
	int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * T + x, row = blockIdx.y * T + y;
	float acc = 0;

	for (int m = 0; m < w / T; m++) {
		s1[y][x] = M[row * w + m * T + x];
		s2[y][x] = N[col + (m * T + y) * w];
		__syncthreads();
		for (int k = 0; k < T; k++)
			acc += s1[y][k] * s2[k][x];
		__syncthreads();
	}
	P[row * w + col] = acc;
}

__global__ void mm_tile_column(float *P, const float *M, const float *N, int w)
{
	__shared__ float s1[T][T], s2[T][T];
	int x = threadIdx.x, y = threadIdx.y, row = blockIdx.x * T + x, col = blockIdx.y * T + y;
	float acc = 0;

	for (int m = 0; m < w / T; m++) {
		s1[x][y] = M[row * w + m * T + y];
		s2[x][y] = N[col + (m * T + x) * w];
		__syncthreads();
		for (int k = 0; k < T; k++)
			acc += s1[x][k] * s2[k][y];
		__syncthreads();
	}
	P[row * w + col] = acc;
}

__global__ void sum_row(float *S, const float *A, const float *B, int n)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;

	if (i < n && j < n)
		S[i * n + j] = A[i * n + j] + B[i * n + j];
}

__global__ void sum_column(float *S, const float *A, const float *B, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;

	if (i < n && j < n)
		S[i * n + j] = A[i * n + j] + B[i * n + j];
}

__global__ void add(float *C, const float *A, const float *B, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		C[i] = A[i] + B[i];
}

__global__ void dot_partial(float *C, const float *A, const float *B, int n)
{
	__shared__ float part[T * T];
	int me = threadIdx.x;
	float sum = 0;

	for (int t = blockIdx.x * blockDim.x + me; t < n; t += blockDim.x * gridDim.x)
		sum += A[t] * B[t];
	part[me] = sum;
	__syncthreads();
	for (int step = blockDim.x / 2; step; step /= 2) {
		if (me < step)
			part[me] += part[me + step];
		__syncthreads();
	}
	if (me == 0)
		C[blockIdx.x] = part[0];
}
