/* SPDX-License-Identifier: GPL-3.0-or-later
 * matmul.cu -- naive, tiled and templated matrix multiplication; a kernel by its pointer.
 */
#include "common.h"
#include <vector>

template <typename T> __global__ void naive(const T *a, const T *b, T *c, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	T sum = 0;

	for (int k = 0; k < n; k++)
		sum += a[y * n + k] * b[k * n + x];
	c[y * n + x] = sum;
}

template <typename T, int TILE> __global__ void tiled(const T *a, const T *b, T *c, int n)
{
	__shared__ T ta[TILE][TILE], tb[TILE][TILE + 1];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	T sum = 0;

	for (int t = 0; t < n; t += TILE) {
		ta[threadIdx.y][threadIdx.x] = a[y * n + t + threadIdx.x];
		tb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + x];
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
		__syncthreads();
	}
	c[y * n + x] = sum;
}

template <typename T> static bool test(int n)
{
	std::vector<T> a(n * n), b(n * n), want(n * n), got(n * n);
	T *da, *db, *dc;
	unsigned seed = 7;
	bool good = true;
	void (*kernel[])(const T *, const T *, T *, int) = { naive<T>, tiled<T, 8>, tiled<T, 16> };

	for (int i = 0; i < n * n; i++) {
		a[i] = next(&seed) % 8;
		b[i] = next(&seed) % 8;
	}
	for (int y = 0; y < n; y++)
		for (int k = 0; k < n; k++)
			for (int x = 0; x < n; x++)
				want[y * n + x] += a[y * n + k] * b[k * n + x];
	CHECK(cudaMalloc(&da, n * n * sizeof(T)));
	CHECK(cudaMalloc(&db, n * n * sizeof(T)));
	CHECK(cudaMalloc(&dc, n * n * sizeof(T)));
	CHECK(cudaMemcpy(da, a.data(), n * n * sizeof(T), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(db, b.data(), n * n * sizeof(T), cudaMemcpyHostToDevice));
	for (int k = 0; k < 3; k++) {
		int tile = k == 1 ? 8 : 16;
		void *args[] = { &da, &db, &dc, &n };

		CHECK(cudaMemset(dc, 0, n * n * sizeof(T)));
		CHECK(cudaLaunchKernel(kernel[k], dim3(n / tile, n / tile), dim3(tile, tile), args));
		CHECK(cudaMemcpy(got.data(), dc, n * n * sizeof(T), cudaMemcpyDeviceToHost));
		good &= got == want;
	}
	return good;
}

int main()
{
	Timer timer;
	bool good = test<float>(64) && test<double>(48);

	printf("%.0f ms\n", timer.stop() < 0 ? -1.0 : 0.0);
	return passed(good);
}
