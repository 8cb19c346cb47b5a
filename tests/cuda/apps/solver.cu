/* SPDX-License-Identifier: GPL-3.0-or-later
 * solver.cu -- linear equations by Cholesky, LU and QR, eigenvalues, matrices that have no factors.
 */
#include <cusolverDn.h>
#include "common.h"
#include <cmath>
#include <vector>

#define SOLVED(call) REQUIRE((call) == CUSOLVER_STATUS_SUCCESS)
static const int N = 37, COUNT = 3, LDA = 40;

typedef std::vector<double> numbers;
static cusolverDnHandle_t handle;
static double *room;
static int *info;

static double *copy(const numbers &from)
{
	double *to;

	CHECK(cudaMallocManaged(&to, from.size() * sizeof *to));
	CHECK(cudaMemcpy(to, from.data(), from.size() * sizeof *to, cudaMemcpyHostToDevice));
	return to;
}

static int outcome()
{
	CHECK(cudaDeviceSynchronize());
	return *info;
}

/* The most that op(a) x and b are apart. */
static double residual(const numbers &a, bool across, const double *x, const numbers &b)
{
	double most = 0;

	for (int v = 0; v < COUNT; v++) {
		for (int i = 0; i < N; i++) {
			double sum = -b[i + v * LDA];
			for (int k = 0; k < N; k++)
				sum += (across ? a[k + i * LDA] : a[i + k * LDA]) * x[k + v * LDA];
			most = fmax(most, fabs(sum));
		}
	}
	return most;
}

static bool cholesky(const numbers &a, const numbers &b)
{
	for (cublasFillMode_t uplo : { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER }) {
		numbers half(a);
		int size = 0;

		for (int at = 0; at < LDA * N; at++) { /* the other half is not looked at */
			if (uplo == CUBLAS_FILL_MODE_LOWER ? at % LDA < at / LDA : at % LDA > at / LDA)
				half[at] = NAN;
		}
		double *d = copy(half), *x = copy(b);
		SOLVED(cusolverDnDpotrf_bufferSize(handle, uplo, N, d, LDA, &size));
		SOLVED(cusolverDnDpotrf(handle, uplo, N, d, LDA, room, size, info));
		REQUIRE(outcome() == 0);
		SOLVED(cusolverDnDpotrs(handle, uplo, N, COUNT, d, LDA, x, LDA, info));
		REQUIRE(outcome() == 0 && residual(a, false, x, b) < 1e-11);
	}
	return true;
}

static bool lu(const numbers &a, const numbers &b)
{
	double *d = copy(a), *x = copy(b), *y = copy(b);
	int size = 0, *pivots;

	CHECK(cudaMallocManaged(&pivots, N * sizeof *pivots));
	SOLVED(cusolverDnDgetrf_bufferSize(handle, N, N, d, LDA, &size));
	SOLVED(cusolverDnDgetrf(handle, N, N, d, LDA, room, pivots, info));
	REQUIRE(outcome() == 0);
	SOLVED(cusolverDnDgetrs(handle, CUBLAS_OP_N, N, COUNT, d, LDA, pivots, x, LDA, info));
	SOLVED(cusolverDnDgetrs(handle, CUBLAS_OP_T, N, COUNT, d, LDA, pivots, y, LDA, info));
	REQUIRE(outcome() == 0 && residual(a, false, x, b) < 1e-11 && residual(a, true, y, b) < 1e-11);
	numbers twice(a); /* two rows are the same: the last pivot is none */
	for (int k = 0; k < N; k++)
		twice[5 + k * LDA] = twice[2 + k * LDA];
	d = copy(twice);
	SOLVED(cusolverDnDgetrf(handle, N, N, d, LDA, room, pivots, info));
	REQUIRE(outcome() == N);
	REQUIRE(cusolverDnDgetrf(handle, N, N, d, N - 1, room, pivots, info) == CUSOLVER_STATUS_INVALID_VALUE);
	return true;
}

static bool qr(const numbers &a, const numbers &b)
{
	double *d = copy(a), *x = copy(b), *tau = copy(numbers(N)), *c = copy(a);
	int size = 0;

	SOLVED(cusolverDnDgeqrf_bufferSize(handle, N, N, d, LDA, &size));
	SOLVED(cusolverDnDgeqrf(handle, N, N, d, LDA, tau, room, size, info));
	SOLVED(cusolverDnDormqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, N, COUNT, N, d, LDA, tau, x, LDA, room, size, info));
	REQUIRE(outcome() == 0);
	for (int v = 0; v < COUNT; v++) { /* R x = Q' b */
		for (int i = N - 1; i >= 0; i--) {
			for (int k = i + 1; k < N; k++)
				x[i + v * LDA] -= d[i + k * LDA] * x[k + v * LDA];
			x[i + v * LDA] /= d[i + i * LDA];
		}
	}
	REQUIRE(residual(a, false, x, b) < 1e-11);
	/* A Q', then times Q, is A again. */
	SOLVED(cusolverDnDormqr(handle, CUBLAS_SIDE_RIGHT, CUBLAS_OP_T, N, N, N, d, LDA, tau, c, LDA, room, size, info));
	SOLVED(cusolverDnDormqr(handle, CUBLAS_SIDE_RIGHT, CUBLAS_OP_N, N, N, N, d, LDA, tau, c, LDA, room, size, info));
	REQUIRE(outcome() == 0);
	for (int at = 0; at < LDA * N; at++)
		REQUIRE(fabs(c[at] - a[at]) < 1e-12);
	numbers factor(d, d + LDA * N);
	SOLVED(cusolverDnDorgqr_bufferSize(handle, N, N, N, d, LDA, tau, &size));
	SOLVED(cusolverDnDorgqr(handle, N, N, N, d, LDA, tau, room, size, info));
	REQUIRE(outcome() == 0);
	for (int i = 0; i < N; i++) { /* Q R is A */
		for (int j = 0; j < N; j++) {
			double sum = 0;
			for (int k = 0; k <= j; k++)
				sum += d[i + k * LDA] * factor[k + j * LDA];
			REQUIRE(fabs(sum - a[i + j * LDA]) < 1e-12);
		}
	}
	return true;
}

static bool eigenvalues(const numbers &a)
{
	double *d = copy(a), *w = copy(numbers(N));
	int size = 0;

	SOLVED(cusolverDnDsyevd_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, N, d, LDA, w, &size));
	REQUIRE(size <= 3 * LDA * N);
	SOLVED(cusolverDnDsyevd(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, N, d, LDA, w, room, size, info));
	REQUIRE(outcome() == 0);
	for (int j = 0; j < N; j++) {
		double length = 0;
		REQUIRE(j == 0 || w[j - 1] <= w[j]);
		for (int i = 0; i < N; i++) {
			double sum = -w[j] * d[i + j * LDA];
			for (int k = 0; k < N; k++)
				sum += a[i + k * LDA] * d[k + j * LDA];
			REQUIRE(fabs(sum) < 1e-11);
			length += d[i + j * LDA] * d[i + j * LDA];
		}
		REQUIRE(fabs(length - 1) < 1e-12);
	}
	numbers negative(a); /* is no product of Cholesky's */
	negative[4 + 4 * LDA] = -1;
	d = copy(negative);
	SOLVED(cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, N, d, LDA, room, size, info));
	REQUIRE(outcome() == 5);
	return true;
}

int main()
{
	numbers a(LDA * N), symmetric(LDA * N), b(LDA * COUNT);
	unsigned seed = 11;
	bool good;

	for (double &v : b)
		v = next(&seed) % 1000 / 500.0 - 1;
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < N; j++)
			a[i + j * LDA] = next(&seed) % 1000 / 500.0 - 1;
	}
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < N; j++)
			symmetric[i + j * LDA] = a[i + j * LDA] + a[j + i * LDA] + (i == j ? 2 * N : 0);
	}
	CHECK(cudaMallocManaged(&info, sizeof *info));
	CHECK(cudaMalloc(&room, 3 * LDA * N * sizeof *room));
	good = cusolverDnCreate(&handle) == CUSOLVER_STATUS_SUCCESS && cholesky(symmetric, b) && lu(a, b) && qr(a, b) &&
	       eigenvalues(symmetric);
	cusolverDnDestroy(handle);
	return passed(good);
}
