/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cublas_calls.h -- calls of cuBLAS that are alike for several kinds of numbers.
 *
 * Part of cublas_v2.h, which includes it.  Their code is in cublas_more.cu and
 * cublas_mixed.cu, cublas_least.cu.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUBLAS_CALLS_H
#define WARPSTACK_CUBLAS_CALLS_H

#ifdef __cplusplus
#include "cuda_fp16.h"
#endif
#include "cuda_letters_begin.h"

typedef enum {
	CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_ALGO0 = 0,
		CUBLAS_GEMM_ALGO1 = 1,
	CUBLAS_GEMM_ALGO2 = 2, CUBLAS_GEMM_ALGO3 = 3, CUBLAS_GEMM_ALGO4 = 4, CUBLAS_GEMM_ALGO5 = 5,
	CUBLAS_GEMM_ALGO6 = 6, CUBLAS_GEMM_ALGO7 = 7, CUBLAS_GEMM_ALGO23 = 23,
	CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99, CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
	CUBLAS_GEMM_ALGO0_TENSOR_OP = 100, CUBLAS_GEMM_ALGO15_TENSOR_OP = 115,
} cublasGemmAlgo_t;
typedef enum {
	CUBLAS_COMPUTE_16F = 64, CUBLAS_COMPUTE_16F_PEDANTIC = 65, CUBLAS_COMPUTE_32F = 68,
	CUBLAS_COMPUTE_32F_PEDANTIC = 69, CUBLAS_COMPUTE_64F = 70, CUBLAS_COMPUTE_64F_PEDANTIC = 71,
	CUBLAS_COMPUTE_32I = 72, CUBLAS_COMPUTE_32I_PEDANTIC = 73, CUBLAS_COMPUTE_32F_FAST_16F = 74,
	CUBLAS_COMPUTE_32F_FAST_16BF = 75, CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
} cublasComputeType_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef cudaDataType cublasDataType_t;

#ifdef __cplusplus
extern "C" {
#endif
#define WS_CALL(NAME, ...) cublasStatus_t NAME(cublasHandle_t handle, __VA_ARGS__);
WS_CALL(cublasGetMathMode, cublasMath_t *mode)
WS_CALL(cublasSetAtomicsMode, cublasAtomicsMode_t mode)
WS_CALL(cublasGetAtomicsMode, cublasAtomicsMode_t *mode)
WS_CALL(cublasSetWorkspace, void *workspace, size_t bytes)

/* S: the letter of the names, T: the numbers' type */
#define WS_CUBLAS_ANY(S, T) \
	WS_CALL(cublas##S##symv, cublasFillMode_t uplo, int n, const T *alpha, const T *a, \
		int lda, \
		const T *x, int incx, const T *beta, T *y, int incy) \
	WS_CALL(cublas##S##syr, cublasFillMode_t uplo, int n, const T *alpha, const T *x, \
		int incx, T *a, \
		int lda) \
	WS_CALL(cublas##S##syr2, cublasFillMode_t uplo, int n, const T *alpha, const T *x, \
		int incx, \
		const T *y, int incy, T *a, int lda) \
	WS_CALL(cublas##S##trmv, cublasFillMode_t uplo, cublasOperation_t op, \
		cublasDiagType_t diag, \
		int n, const T *a, int lda, T *x, int incx) \
	WS_CALL(cublas##S##trsv, cublasFillMode_t uplo, cublasOperation_t op, \
		cublasDiagType_t diag, \
		int n, const T *a, int lda, T *x, int incx) \
	WS_CALL(cublas##S##symm, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n, \
		const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, \
			int ldc) \
	WS_CALL(cublas##S##syrk, cublasFillMode_t uplo, cublasOperation_t op, int n, int k, \
		const T *alpha, const T *a, int lda, const T *beta, T *c, int ldc) \
	WS_CALL(cublas##S##syr2k, cublasFillMode_t uplo, cublasOperation_t op, int n, int k, \
		const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, \
			int ldc) \
	WS_CALL(cublas##S##trmm, cublasSideMode_t side, cublasFillMode_t uplo, \
		cublasOperation_t op, \
		cublasDiagType_t diag, int m, int n, const T *alpha, const T *a, int lda, \
			const T *b, \
		int ldb, T *c, int ldc) \
	WS_CALL(cublas##S##trsm, cublasSideMode_t side, cublasFillMode_t uplo, \
		cublasOperation_t op, \
		cublasDiagType_t diag, int m, int n, const T *alpha, const T *a, int lda, T *b, \
			int ldb) \
	WS_CALL(cublas##S##trsmBatched, cublasSideMode_t side, cublasFillMode_t uplo, \
		cublasOperation_t op, cublasDiagType_t diag, int m, int n, const T *alpha, \
		const T *const a[], int lda, T *const b[], int ldb, int batch) \
	WS_CALL(cublas##S##dgmm, cublasSideMode_t side, int m, int n, const T *a, int lda, \
		const T *x, \
		int incx, T *c, int ldc) \
	WS_CALL(cublas##S##getrfBatched, int n, T *const a[], int lda, int *pivots, int *info, \
		int batch) \
	WS_CALL(cublas##S##getriBatched, int n, const T *const a[], int lda, const int *pivots, \
		T *const c[], int ldc, int *info, int batch) \
	WS_CALL(cublas##S##getrsBatched, cublasOperation_t op, int n, int columns, \
		const T *const a[], \
		int lda, const int *pivots, T *const b[], int ldb, int *info, int batch) \
	WS_CALL(cublas##S##geqrfBatched, int m, int n, T *const a[], int lda, T *const tau[], \
		int *info, int batch) \
	WS_CALL(cublas##S##gelsBatched, cublasOperation_t op, int m, int n, int columns, \
		T *const a[], int lda, T *const c[], int ldc, int *info, int *each, int batch) \
	WS_CALL(cublas##S##matinvBatched, int n, const T *const a[], int lda, T *const c[], \
		int ldc, \
		int *info, int batch)
WS_CUBLAS_ANY(S, float) WS_CUBLAS_ANY(D, double)
WS_CUBLAS_ANY(C, cuComplex) WS_CUBLAS_ANY(Z, cuDoubleComplex)

#define WS_CUBLAS_REAL(S, T) \
	WS_CALL(cublas##S##rot, int n, T *x, int incx, T *y, int incy, const T *c, const T *s) \
	WS_CALL(cublas##S##rotg, T *a, T *b, T *c, T *s)
WS_CUBLAS_REAL(S, float) WS_CUBLAS_REAL(D, double)

/* What cublas_v2.h has for real numbers.  R: the letter, T: the type of their parts */
#define WS_CUBLAS_COMPLEX(S, Z, R, T) \
	WS_CALL(cublas##S##axpy, int n, const Z *alpha, const Z *x, int incx, Z *y, int incy) \
	WS_CALL(cublas##S##scal, int n, const Z *alpha, Z *x, int incx) \
	WS_CALL(cublas##S##R##scal, int n, const T *alpha, Z *x, int incx) \
	WS_CALL(cublas##S##copy, int n, const Z *x, int incx, Z *y, int incy) \
	WS_CALL(cublas##S##swap, int n, Z *x, int incx, Z *y, int incy) \
	WS_CALL(cublas##S##dotu, int n, const Z *x, int incx, const Z *y, int incy, Z *result) \
	WS_CALL(cublas##S##dotc, int n, const Z *x, int incx, const Z *y, int incy, Z *result) \
	WS_CALL(cublas##S##gemv, cublasOperation_t op, int m, int n, const Z *alpha, const Z *a, \
		int lda, \
		const Z *x, int incx, const Z *beta, Z *y, int incy) \
	WS_CALL(cublas##S##geru, int m, int n, const Z *alpha, const Z *x, int incx, const Z *y, \
		int incy, Z *a, int lda) \
	WS_CALL(cublas##S##gemm, cublasOperation_t opa, cublasOperation_t opb, int m, int n, \
		int k, \
		const Z *alpha, const Z *a, int lda, const Z *b, int ldb, const Z *beta, Z *c, \
			int ldc) \
	WS_CALL(cublas##S##gemmStridedBatched, cublasOperation_t opa, cublasOperation_t opb, \
		int m, int n, \
		int k, const Z *alpha, const Z *a, int lda, long long stride_a, const Z *b, \
			int ldb, \
		long long stride_b, const Z *beta, Z *c, int ldc, long long stride_c, int batch) \
	WS_CALL(cublas##S##gemmBatched, cublasOperation_t opa, cublasOperation_t opb, int m, \
		int n, int k, \
		const Z *alpha, const Z *const a[], int lda, const Z *const b[], int ldb, \
			const Z *beta, \
		Z *const c[], int ldc, int batch) \
	WS_CALL(cublas##S##geam, cublasOperation_t opa, cublasOperation_t opb, int m, int n, \
		const Z *alpha, const Z *a, int lda, const Z *beta, const Z *b, int ldb, Z *c, \
			int ldc)
WS_CUBLAS_COMPLEX(C, cuComplex, s, float) WS_CUBLAS_COMPLEX(Z, cuDoubleComplex, d, double)
WS_CALL(cublasIcamax, int n, const cuComplex *x, int incx, int *result)
WS_CALL(cublasIzamax, int n, const cuDoubleComplex *x, int incx, int *result)
WS_CALL(cublasScnrm2, int n, const cuComplex *x, int incx, float *result)
WS_CALL(cublasDznrm2, int n, const cuDoubleComplex *x, int incx, double *result)
WS_CALL(cublasScasum, int n, const cuComplex *x, int incx, float *result)
WS_CALL(cublasDzasum, int n, const cuDoubleComplex *x, int incx, double *result)

/* Vectors of float, double, halves or bfloat16, each call's all of one kind. */
WS_CALL(cublasDotEx, int n, const void *x, cudaDataType type_x, int incx, const void *y,
	cudaDataType type_y, int incy, void *result, cudaDataType type, cudaDataType compute)
WS_CALL(cublasNrm2Ex, int n, const void *x, cudaDataType type_x, int incx, void *result,
	cudaDataType type, cudaDataType compute)
WS_CALL(cublasAxpyEx, int n, const void *alpha, cudaDataType type_alpha, const void *x,
	cudaDataType type_x, int incx, void *y, cudaDataType type_y, int incy, cudaDataType compute)
WS_CALL(cublasScalEx, int n, const void *alpha, cudaDataType type_alpha, void *x,
	cudaDataType type_x, int incx, cudaDataType compute)
WS_CALL(cublasGemmEx, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
	const void *alpha, const void *a, cudaDataType type_a, int lda, const void *b,
	cudaDataType type_b, int ldb, const void *beta, void *c, cudaDataType type_c, int ldc,
	cublasComputeType_t compute, cublasGemmAlgo_t algorithm)
WS_CALL(cublasGemmStridedBatchedEx, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
	int k,
	const void *alpha, const void *a, cudaDataType type_a, int lda, long long stride_a,
	const void *b, cudaDataType type_b, int ldb, long long stride_b, const void *beta, void *c,
	cudaDataType type_c, int ldc, long long stride_c, int batch, cublasComputeType_t compute,
	cublasGemmAlgo_t algorithm)
WS_CALL(cublasGemmBatchedEx, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
	const void *alpha, const void *const a[], cudaDataType type_a, int lda,
		const void *const b[],
	cudaDataType type_b, int ldb, const void *beta, void *const c[], cudaDataType type_c,
		int ldc,
	int batch, cublasComputeType_t compute, cublasGemmAlgo_t algorithm)
WS_CALL(cublasSgemmEx, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
	const float *alpha, const void *a, cudaDataType type_a, int lda, const void *b,
	cudaDataType type_b, int ldb, const float *beta, void *c, cudaDataType type_c, int ldc)
#ifdef __cplusplus
WS_CALL(cublasHgemm, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
	const __half *alpha, const __half *a, int lda, const __half *b, int ldb, const __half *beta,
	__half *c, int ldc)
WS_CALL(cublasHgemmStridedBatched, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
	int k,
	const __half *alpha, const __half *a, int lda, long long stride_a, const __half *b, int ldb,
	long long stride_b, const __half *beta, __half *c, int ldc, long long stride_c, int batch)
WS_CALL(cublasHgemmBatched, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
	const __half *alpha, const __half *const a[], int lda, const __half *const b[], int ldb,
	const __half *beta, __half *const c[], int ldc, int batch)
}

/* Up to CUDA 10 the computation was said by a kind of numbers. */
static inline cublasComputeType_t __ws_compute(cudaDataType type)
{
	switch (type) {
	case CUDA_R_16F: return CUBLAS_COMPUTE_16F;
	case CUDA_R_64F: case CUDA_C_64F: return CUBLAS_COMPUTE_64F;
	case CUDA_R_32I: return CUBLAS_COMPUTE_32I;
	default: return CUBLAS_COMPUTE_32F;
	}
}
static inline cublasStatus_t
cublasGemmEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
	int k,
	     const void *alpha, const void *a, cudaDataType type_a, int lda, const void *b,
	     cudaDataType type_b, int ldb, const void *beta, void *c, cudaDataType type_c, int ldc,
	     cudaDataType compute, cublasGemmAlgo_t algorithm)
{
	return cublasGemmEx(handle, opa, opb, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta,
		c,
			    type_c, ldc, __ws_compute(compute), algorithm);
}
static inline cublasStatus_t
cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
	int m,
			   int n, int k, const void *alpha, const void *a, cudaDataType type_a,
			   int lda,
			   long long stride_a, const void *b, cudaDataType type_b, int ldb,
			   long long stride_b, const void *beta, void *c, cudaDataType type_c,
			   int ldc,
			   long long stride_c, int batch, cudaDataType compute,
			   cublasGemmAlgo_t algorithm)
{
	return cublasGemmStridedBatchedEx(handle, opa, opb, m, n, k, alpha, a, type_a, lda,
		stride_a, b,
					  type_b, ldb, stride_b, beta, c, type_c, ldc, stride_c,
					  batch,
					  __ws_compute(compute), algorithm);
}
#endif
#undef WS_CALL
#include "cuda_letters_end.h"

#endif
