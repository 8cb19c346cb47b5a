/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cusolverDn.h -- calls of cuSOLVER on dense matrices of real numbers: factors of Cholesky, LU and QR,
 * what is solved with them, and eigenvalues of symmetric matrices.  Their code is in cusolver.cu.
 *
 * Matrices lie column by column.  Sizes of work are in numbers.  *info is the device's: 0, or -i if
 * argument i makes no sense, or i if the i-th pivot, or leading minor, says that there are no factors.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUSOLVERDN_H
#define WARPSTACK_CUSOLVERDN_H

#include "cusolver_common.h"
#include "cuda_letters_begin.h"

typedef struct cusolverDnContext *cusolverDnHandle_t;

#ifdef __cplusplus
extern "C" {
#endif
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream);

/* S: the letter, T: its type. */
#define WS_SOLVER(NAME, ...) cusolverStatus_t cusolverDn##NAME(cusolverDnHandle_t handle, __VA_ARGS__)
#define WS_SOLVERS(S, T) \
	WS_SOLVER(S##potrf_bufferSize, cublasFillMode_t uplo, int n, T *a, int lda, int *size); \
	WS_SOLVER(S##potrf, cublasFillMode_t uplo, int n, T *a, int lda, T *work, int size, \
		  int *info); \
	WS_SOLVER(S##potrs, cublasFillMode_t uplo, int n, int count, const T *a, int lda, T *b, \
		  int ldb, int *info); \
	WS_SOLVER(S##getrf_bufferSize, int m, int n, T *a, int lda, int *size); \
	WS_SOLVER(S##getrf, int m, int n, T *a, int lda, T *work, int *pivots, int *info); \
	WS_SOLVER(S##getrs, cublasOperation_t op, int n, int count, const T *a, int lda, \
		  const int *pivots, T *b, int ldb, int *info); \
	WS_SOLVER(S##geqrf_bufferSize, int m, int n, T *a, int lda, int *size); \
	WS_SOLVER(S##geqrf, int m, int n, T *a, int lda, T *tau, T *work, int size, int *info); \
	WS_SOLVER(S##ormqr_bufferSize, cublasSideMode_t side, cublasOperation_t op, int m, int n, \
		  int k, const T *a, int lda, const T *tau, const T *c, int ldc, int *size); \
	WS_SOLVER(S##ormqr, cublasSideMode_t side, cublasOperation_t op, int m, int n, int k, \
		  const T *a, int lda, const T *tau, T *c, int ldc, T *work, int size, int *info); \
	WS_SOLVER(S##orgqr_bufferSize, int m, int n, int k, const T *a, int lda, const T *tau, \
		  int *size); \
	WS_SOLVER(S##orgqr, int m, int n, int k, T *a, int lda, const T *tau, T *work, int size, \
		  int *info); \
	WS_SOLVER(S##syevd_bufferSize, cusolverEigMode_t mode, cublasFillMode_t uplo, int n, \
		  const T *a, int lda, const T *w, int *size); \
	WS_SOLVER(S##syevd, cusolverEigMode_t mode, cublasFillMode_t uplo, int n, T *a, int lda, \
		  T *w, T *work, int size, int *info);
WS_SOLVERS(S, float)
WS_SOLVERS(D, double)
#undef WS_SOLVERS
#undef WS_SOLVER
#ifdef __cplusplus
}
#endif
#include "cuda_letters_end.h"

#endif
