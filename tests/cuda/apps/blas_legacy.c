/* SPDX-License-Identifier: GPL-3.0-or-later
 * blas_legacy.c -- cuBLAS without handles, from C: the line of what is wrong, or 0.
 */
#include <cublas.h>

#define N 4
#define WANT(condition) if (!(condition)) return __LINE__

int legacy_goes_wrong(void)
{
	float a[N * N], b[N * N], c[N * N], *da, *db, *dc;
	double *x;

	WANT(cublasInit() == CUBLAS_STATUS_SUCCESS);
	for (int i = 0; i < N * N; i++) {
		a[i] = (float)(i % 5 - 2);
		b[i] = (float)(i % 7 - 3);
	}
	WANT(cublasAlloc(N * N, sizeof *da, (void **)&da) == CUBLAS_STATUS_SUCCESS);
	WANT(cublasAlloc(N * N, sizeof *db, (void **)&db) == CUBLAS_STATUS_SUCCESS);
	WANT(cublasAlloc(N * N, sizeof *dc, (void **)&dc) == CUBLAS_STATUS_SUCCESS);
	WANT(cublasAlloc(0, 4, (void **)&x) == CUBLAS_STATUS_INVALID_VALUE);
	WANT(cublasSetMatrix(N, N, sizeof *a, a, N, da, N) == CUBLAS_STATUS_SUCCESS);
	WANT(cublasSetVector(N * N, sizeof *b, b, 1, db, 1) == CUBLAS_STATUS_SUCCESS);
	cublasSgemm('n', 'T', N, N, N, 2.0f, da, N, db, N, 0.0f, dc, N);
	WANT(cublasGetError() == CUBLAS_STATUS_SUCCESS);
	WANT(cublasGetMatrix(N, N, sizeof *c, dc, N, c, N) == CUBLAS_STATUS_SUCCESS);
	for (int i = 0; i < N * N; i++) {
		float sum = 0;

		for (int k = 0; k < N; k++)
			sum += 2 * a[i % N + N * k] * b[i / N + N * k];
		WANT(c[i] == sum);
	}
	WANT(cublasSdot(N, da, 1, db, 1) == a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
	WANT(cublasIsamax(N, db, 1) == 1 && cublasSasum(N, db, 1) == 6);
	cublasSgemm('n', 'n', -1, N, N, 1.0f, da, N, db, N, 0.0f, dc, N);
	WANT(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE);
	WANT(cublasGetError() == CUBLAS_STATUS_SUCCESS);
	WANT(cublasFree(da) == CUBLAS_STATUS_SUCCESS && cublasFree(db) == CUBLAS_STATUS_SUCCESS);
	WANT(cublasFree(dc) == CUBLAS_STATUS_SUCCESS && cublasShutdown() == CUBLAS_STATUS_SUCCESS);
	WANT(cublasShutdown() == CUBLAS_STATUS_NOT_INITIALIZED);
	return 0;
}
