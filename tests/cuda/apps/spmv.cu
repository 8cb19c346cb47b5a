/* SPDX-License-Identifier: GPL-3.0-or-later
 * spmv.cu -- sparse matrix times vector: a thread a row, and a warp a row, with __ldg.
 */
#include "common.h"
#include <cmath>
#include <vector>

__global__ void spmv_thread(const int *row, const int *column, const double *value,
			    const double *__restrict__ x, double *y, int n)
{
	int r = blockIdx.x * blockDim.x + threadIdx.x;
	double sum = 0;

	if (r >= n)
		return;
	for (int i = row[r]; i < row[r + 1]; i++)
		sum += value[i] * __ldg(&x[column[i]]);
	y[r] = sum;
}

__global__ void spmv_warp(const int *row, const int *column, const double *value, const double *x,
			  double *y, int n)
{
	int r = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize;
	double sum = 0;

	if (r >= n)
		return;
	for (int i = row[r] + lane; i < row[r + 1]; i += warpSize)
		sum += value[i] * x[column[i]];
	for (int by = warpSize / 2; by > 0; by /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, by);
	if (lane == 0)
		y[r] = sum;
}

int main()
{
	const int n = 700;
	std::vector<int> row(1, 0), column;
	std::vector<double> value, x(n), want(n, 0), got(n);
	int *d_row, *d_column;
	double *d_value, *d_x, *d_y;
	unsigned seed = 5;
	bool good = true;

	for (auto &v : x)
		v = next(&seed) % 10;
	for (int r = 0; r < n; r++) {
		for (unsigned k = next(&seed) % 40; k > 0; k--) {
			column.push_back(next(&seed) % n);
			value.push_back(next(&seed) % 10);
			want[r] += value.back() * x[column.back()];
		}
		row.push_back(column.size());
	}
	CHECK(cudaMallocManaged(&d_row, row.size() * 4));
	std::copy(row.begin(), row.end(), d_row);
	CHECK(cudaMallocHost(&d_column, column.size() * 4));
	std::copy(column.begin(), column.end(), d_column);
	CHECK(cudaMalloc(&d_value, value.size() * 8));
	CHECK(cudaMalloc(&d_x, n * 8));
	CHECK(cudaMalloc(&d_y, n * 8));
	CHECK(cudaMemcpyAsync(d_value, value.data(), value.size() * 8, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(d_x, x.data(), n * 8, cudaMemcpyDefault));
	for (int k = 0; k < 2; k++) {
		CHECK(cudaMemset(d_y, 0xff, n * 8));
		if (k)
			spmv_warp<<<(n + 3) / 4, 128>>>(d_row, d_column, d_value, d_x, d_y, n);
		else
			spmv_thread<<<(n + 127) / 128, 128>>>(d_row, d_column, d_value, d_x, d_y, n);
		CHECK(cudaMemcpy(got.data(), d_y, n * 8, cudaMemcpyDeviceToHost));
		good &= got == want;
	}
	CHECK(cudaFreeHost(d_column));
	CHECK(cudaFree(d_row));
	return passed(good);
}
