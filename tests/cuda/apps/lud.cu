/* SPDX-License-Identifier: GPL-3.0-or-later
 * lud.cu -- LU decomposition without pivots: a launch for each column, classes with device methods.
 */
#include "common.h"
#include <cmath>
#include <vector>

class Matrix {
public:
	double *data;
	int n;

	__host__ __device__ double &operator()(int y, int x) { return data[y * n + x]; }
};

__global__ void scale(Matrix m, int k)
{
	int y = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;

	if (y < m.n)
		m(y, k) /= m(k, k);
}

__global__ void update(Matrix m, int k)
{
	int x = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
	int y = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;

	if (x < m.n && y < m.n)
		m(y, x) -= m(y, k) * m(k, x);
}

int main()
{
	const int n = 40;
	std::vector<double> a(n * n), lu(n * n);
	Matrix m = { NULL, n }, h = { lu.data(), n };
	unsigned seed = 8;
	double worst = 0;

	for (int i = 0; i < n * n; i++)
		a[i] = next(&seed) % 10 + (i % (n + 1) == 0 ? 400 : 0);
	CHECK(cudaMalloc(&m.data, n * n * sizeof(double)));
	CHECK(cudaMemcpy(m.data, a.data(), n * n * sizeof(double), cudaMemcpyHostToDevice));
	for (int k = 0; k < n - 1; k++) {
		scale<<<1, 64>>>(m, k);
		update<<<dim3(5, 5), dim3(8, 8)>>>(m, k);
	}
	CHECK(cudaMemcpy(lu.data(), m.data, n * n * sizeof(double), cudaMemcpyDeviceToHost));
	for (int y = 0; y < n; y++)
		for (int x = 0; x < n; x++) {
			double sum = 0;

			for (int k = 0; k <= min(x, y); k++)
				sum += (k == y ? 1 : h(y, k)) * h(k, x);
			worst = fmax(worst, fabs(sum - a[y * n + x]));
		}
	return passed(worst < 1e-6);
}
