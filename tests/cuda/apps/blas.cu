/* SPDX-License-Identifier: GPL-3.0-or-later
 * blas.cu -- cuBLAS's calls against loops of the host, on whole numbers: equal to the last bit.  With an
 * argument, those of blas_more.cuh.
 */
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cmath>
#include <vector>
#include "common.h"

#define DO(call) REQUIRE((call) == CUBLAS_STATUS_SUCCESS)

static unsigned state = 1;
static double draw()
{
	state = state * 1664525u + 1013904223u;
	return (int)(state >> 24) % 9 - 4;
}

/* Column-major, m x n with room below; on the device too. */
struct matrix {
	int ld;
	std::vector<double> host;
	double *device;
	matrix(int m, int n) : ld(m + 3), host((size_t)(m + 3) * n), device(nullptr)
	{
		for (auto &v : host)
			v = draw();
		cudaMalloc(&device, host.size() * sizeof(double));
		cublasSetMatrix(ld, n, sizeof(double), host.data(), ld, device, ld);
	}
	~matrix() { cudaFree(device); }
	double at(bool across, int i, int j) const
	{
		return across ? host[(size_t)(j + i * ld)] : host[(size_t)(i + j * ld)];
	}
	bool is(const std::vector<double> &want) const
	{
		std::vector<double> got(host.size());
		cudaMemcpy(got.data(), device, got.size() * sizeof(double), cudaMemcpyDeviceToHost);
		return got == want;
	}
};

static bool products(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb)
{
	const int m = 19, n = 35, k = 21;
	const bool ta = opa != CUBLAS_OP_N, tb = opb != CUBLAS_OP_N;
	const double alpha = 2, beta = -1, zero = 0;
	matrix a(ta ? k : m, ta ? m : k), b(tb ? n : k, tb ? k : n), c(m, n);
	std::vector<double> want = c.host;

	for (int j = 0; j < n; j++) {
		for (int i = 0; i < m; i++) {
			double sum = 0;
			for (int l = 0; l < k; l++)
				sum += a.at(ta, i, l) * b.at(tb, l, j);
			want[(size_t)(i + j * c.ld)] = alpha * sum + beta * c.at(false, i, j);
		}
	}
	DO(cublasDgemm(h, opa, opb, m, n, k, &alpha, a.device, a.ld, b.device, b.ld, &beta, c.device,
		       c.ld));
	REQUIRE(c.is(want));
	/* What c has is not looked at if beta is 0. */
	cudaMemset(c.device, 0xff, c.host.size() * sizeof(double));
	DO(cublasDgemmStridedBatched(h, opa, opb, m, 1, k, &alpha, a.device, a.ld, 0, b.device, b.ld,
				     tb ? 1 : b.ld, &zero, c.device, c.ld, c.ld, n));
	std::vector<double> got(c.host.size());
	cudaMemcpy(got.data(), c.device, got.size() * sizeof(double), cudaMemcpyDeviceToHost);
	for (int j = 0; j < n; j++) {
		for (int i = 0; i < m; i++)
			REQUIRE(got[(size_t)(i + j * c.ld)] ==
			     want[(size_t)(i + j * c.ld)] - beta * c.at(false, i, j));
	}
	return true;
}

static bool matrices(cublasHandle_t h)
{
	const int m = 18, n = 33;
	const double alpha = 3, beta = 2;
	matrix a(m, n), b(n, m), c(m, n), x(m, 1), y(n, 1);
	std::vector<double> want = c.host, wy = y.host;

	for (int i = 0; i < m; i++) {
		for (int j = 0; j < n; j++)
			want[(size_t)(i + j * c.ld)] = alpha * a.at(false, i, j) + beta * b.at(true, i, j);
	}
	DO(cublasDgeam(h, CUBLAS_OP_N, CUBLAS_OP_T, m, n, &alpha, a.device, a.ld, &beta, b.device, b.ld,
		       c.device, c.ld));
	REQUIRE(c.is(want));
	for (int j = 0; j < n; j++) {
		double sum = 0;
		for (int i = 0; i < m; i++)
			sum += a.at(false, i, j) * x.host[(size_t)i];
		wy[(size_t)j] = alpha * sum + beta * wy[(size_t)j];
	}
	DO(cublasDgemv(h, CUBLAS_OP_T, m, n, &alpha, a.device, a.ld, x.device, 1, &beta, y.device, 1));
	REQUIRE(y.is(wy));
	for (int i = 0; i < m; i++) {
		for (int j = 0; j < n; j++)
			want[(size_t)(i + j * c.ld)] += alpha * x.host[(size_t)i] * wy[(size_t)(n - 1 - j)];
	}
	DO(cublasDger(h, m, n, &alpha, x.device, 1, y.device, -1, c.device, c.ld));
	REQUIRE(c.is(want));
	REQUIRE(cublasDgemv(h, CUBLAS_OP_N, m, n, &alpha, a.device, m - 1, x.device, 1, &beta, y.device,
			 1) == CUBLAS_STATUS_INVALID_VALUE);
	return true;
}

#include "blas_more.cuh"

static bool vectors(cublasHandle_t h)
{
	const int n = 700;
	const float alpha = 2;
	std::vector<float> x((size_t)n * 2), y((size_t)n), got((size_t)n);
	float *dx, *dy, dot = 0, sum = 0, norm, result, *on_device;
	int at, most = 0, least = 0;

	for (auto &v : x)
		v = (float)draw();
	for (auto &v : y)
		v = (float)draw();
	x[2 * 400] = -9, x[2 * 600] = 9; /* the first of two */
	REQUIRE(cudaMalloc(&dx, x.size() * 4) == cudaSuccess &&
		cudaMalloc(&dy, y.size() * 4) == cudaSuccess &&
		cudaMalloc(&on_device, 4) == cudaSuccess);
	DO(cublasSetVector(2 * n, 4, x.data(), 1, dx, 1));
	DO(cublasSetVector(n, 4, y.data(), 1, dy, 1));
	DO(cublasSaxpy(h, n, &alpha, dx, 2, dy, -1));
	for (int i = 0; i < n; i++)
		y[(size_t)(n - 1 - i)] += alpha * x[(size_t)(2 * i)];
	DO(cublasGetVector(n, 4, dy, 1, got.data(), 1));
	REQUIRE(got == y);
	norm = 0;
	for (int i = 0; i < n; i++) {
		float v = x[(size_t)(2 * i)];
		dot += v * y[(size_t)i];
		sum += std::fabs(v);
		norm += v * v;
		most = std::fabs(v) > std::fabs(x[(size_t)(2 * most)]) ? i : most;
		least = std::fabs(v) < std::fabs(x[(size_t)(2 * least)]) ? i : least;
	}
	DO(cublasSdot(h, n, dx, 2, dy, 1, &result));
	REQUIRE(result == dot);
	DO(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
	DO(cublasSasum(h, n, dx, 2, on_device));
	DO(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
	REQUIRE(cudaMemcpy(&result, on_device, 4, cudaMemcpyDeviceToHost) == cudaSuccess && result == sum);
	DO(cublasSnrm2(h, n, dx, 2, &result));
	REQUIRE(std::fabs(result - std::sqrt(norm)) < 1e-5f * std::sqrt(norm));
	DO(cublasIsamax(h, n, dx, 2, &at));
	REQUIRE(at == most + 1);
	DO(cublasIsamin(h, n, dx, 2, &at));
	REQUIRE(at == least + 1);
	DO(cublasIsamax(h, 0, dx, 2, &at));
	REQUIRE(at == 0);
	DO(cublasSscal(h, n, &alpha, dx, 2));
	DO(cublasSswap(h, n, dx, 2, dy, 1));
	DO(cublasGetVector(n, 4, dx, 2, got.data(), 1));
	REQUIRE(got == y);
	DO(cublasScopy(h, n, dy, 1, dx, 2));
	DO(cublasGetVector(n, 4, dx, 2, got.data(), 1));
	for (int i = 0; i < n; i++)
		REQUIRE(got[(size_t)i] == alpha * x[(size_t)(2 * i)]);
	return true;
}

extern "C" int legacy_goes_wrong(void); /* blas_legacy.c */

static bool legacy()
{
	int line = legacy_goes_wrong();

	if (line)
		printf("blas_legacy.c, line %d\n", line);
	return !line;
}

int main(int argc, char **)
{
	cublasHandle_t h;
	bool good = cublasCreate(&h) == CUBLAS_STATUS_SUCCESS;

	if (argc > 1)
		return passed(good && more(h));
	good = good && vectors(h) && matrices(h);

	for (int i = 0; i < 4 && good; i++)
		good = products(h, (cublasOperation_t)(i & 1), (cublasOperation_t)(i / 2));
	good = good && cublasSscal(nullptr, 0, nullptr, nullptr, 0) == CUBLAS_STATUS_NOT_INITIALIZED;
	cublasDestroy(h);
	return passed(good && legacy());
}
