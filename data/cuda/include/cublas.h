/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cublas.h -- cuBLAS as it was before CUDA 4: no handles, transpositions by letters, results that
 * are returned, and an error that is asked for afterwards.  Calls are those of cublas_v2.h.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUBLAS_H
#define WARPSTACK_CUBLAS_H
#define CUBLAS_H_

#include "cublas_v2.h"
#include "cuda_letters_begin.h"

typedef cublasStatus_t cublasStatus;

/* One of each for all sources of a program. */
__attribute__((weak)) cublasHandle_t __ws_blas_handle;
__attribute__((weak)) cublasStatus_t __ws_blas_error;

static inline cublasStatus cublasInit(void)
{
	return __ws_blas_handle ? CUBLAS_STATUS_SUCCESS : cublasCreate(&__ws_blas_handle);
}
static inline cublasStatus cublasShutdown(void)
{
	cublasStatus status = __ws_blas_handle ? cublasDestroy(__ws_blas_handle)
					       : CUBLAS_STATUS_NOT_INITIALIZED;

	__ws_blas_handle = 0;
	return status;
}
static inline cublasStatus cublasGetError(void)
{
	cublasStatus status = __ws_blas_error;

	__ws_blas_error = CUBLAS_STATUS_SUCCESS;
	return status;
}
static inline void __ws_blas_did(cublasStatus_t status)
{
	if (status != CUBLAS_STATUS_SUCCESS)
		__ws_blas_error = status;
}
static inline cublasStatus cublasAlloc(int n, int size, void **pointer)
{
	if (n <= 0 || size <= 0)
		return CUBLAS_STATUS_INVALID_VALUE;
	return cudaMalloc(pointer, (size_t)n * (size_t)size) == cudaSuccess
		       ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
static inline cublasStatus cublasFree(const void *pointer)
{
	return cudaFree((void *)pointer) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
							: CUBLAS_STATUS_INTERNAL_ERROR;
}
static inline cublasStatus cublasSetKernelStream(cudaStream_t stream)
{
	return cublasSetStream(__ws_blas_handle, stream);
}
static inline cublasOperation_t __ws_blas_op(char letter)
{
	return letter == 'T' || letter == 't' ? CUBLAS_OP_T
	       : letter == 'C' || letter == 'c' ? CUBLAS_OP_C : CUBLAS_OP_N;
}

#define WS_BLAS(T, S, I) \
	static inline void __ws_blas_##S##axpy(int n, T alpha, const T *x, int incx, T *y, int incy) \
	{ __ws_blas_did(cublas##S##axpy(__ws_blas_handle, n, &alpha, x, incx, y, incy)); } \
	static inline void __ws_blas_##S##scal(int n, T alpha, T *x, int incx) \
	{ __ws_blas_did(cublas##S##scal(__ws_blas_handle, n, &alpha, x, incx)); } \
	static inline void __ws_blas_##S##copy(int n, const T *x, int incx, T *y, int incy) \
	{ __ws_blas_did(cublas##S##copy(__ws_blas_handle, n, x, incx, y, incy)); } \
	static inline void __ws_blas_##S##swap(int n, T *x, int incx, T *y, int incy) \
	{ __ws_blas_did(cublas##S##swap(__ws_blas_handle, n, x, incx, y, incy)); } \
	static inline T __ws_blas_##S##dot(int n, const T *x, int incx, const T *y, int incy) \
	{ \
		T r = 0; \
		__ws_blas_did(cublas##S##dot(__ws_blas_handle, n, x, incx, y, incy, &r)); \
		return r; \
	} \
	static inline T __ws_blas_##S##nrm2(int n, const T *x, int incx) \
	{ T r = 0; __ws_blas_did(cublas##S##nrm2(__ws_blas_handle, n, x, incx, &r)); return r; } \
	static inline T __ws_blas_##S##asum(int n, const T *x, int incx) \
	{ T r = 0; __ws_blas_did(cublas##S##asum(__ws_blas_handle, n, x, incx, &r)); return r; } \
	static inline int __ws_blas_##I##amax(int n, const T *x, int incx) \
	{ int r = 0; __ws_blas_did(cublas##I##amax(__ws_blas_handle, n, x, incx, &r)); return r; } \
	static inline int __ws_blas_##I##amin(int n, const T *x, int incx) \
	{ int r = 0; __ws_blas_did(cublas##I##amin(__ws_blas_handle, n, x, incx, &r)); return r; } \
	static inline void __ws_blas_##S##gemv(char op, int m, int n, T alpha, const T *a, int lda, \
					       const T *x, int incx, T beta, T *y, int incy) \
	{ \
		__ws_blas_did(cublas##S##gemv(__ws_blas_handle, __ws_blas_op(op), m, n, &alpha, a, \
					      lda, x, incx, &beta, y, incy)); \
	} \
	static inline void __ws_blas_##S##ger(int m, int n, T alpha, const T *x, int incx, \
					      const T *y, int incy, T *a, int lda) \
	{ \
		__ws_blas_did(cublas##S##ger(__ws_blas_handle, m, n, &alpha, x, incx, y, incy, a, \
					     lda)); \
	} \
	static inline void __ws_blas_##S##gemm(char opa, char opb, int m, int n, int k, T alpha, \
					       const T *a, int lda, const T *b, int ldb, T beta, \
					       T *c, int ldc) \
	{ \
		__ws_blas_did(cublas##S##gemm(__ws_blas_handle, __ws_blas_op(opa), \
					      __ws_blas_op(opb), m, n, k, &alpha, a, lda, b, ldb, \
					      &beta, c, ldc)); \
	}
WS_BLAS(float, S, Is)
WS_BLAS(double, D, Id)
#undef WS_BLAS
#define cublasSaxpy __ws_blas_Saxpy
#define cublasDaxpy __ws_blas_Daxpy
#define cublasSscal __ws_blas_Sscal
#define cublasDscal __ws_blas_Dscal
#define cublasScopy __ws_blas_Scopy
#define cublasDcopy __ws_blas_Dcopy
#define cublasSswap __ws_blas_Sswap
#define cublasDswap __ws_blas_Dswap
#define cublasSdot __ws_blas_Sdot
#define cublasDdot __ws_blas_Ddot
#define cublasSnrm2 __ws_blas_Snrm2
#define cublasDnrm2 __ws_blas_Dnrm2
#define cublasSasum __ws_blas_Sasum
#define cublasDasum __ws_blas_Dasum
#define cublasIsamax __ws_blas_Isamax
#define cublasIdamax __ws_blas_Idamax
#define cublasIsamin __ws_blas_Isamin
#define cublasIdamin __ws_blas_Idamin
#define cublasSgemv __ws_blas_Sgemv
#define cublasDgemv __ws_blas_Dgemv
#define cublasSger __ws_blas_Sger
#define cublasDger __ws_blas_Dger
#define cublasSgemm __ws_blas_Sgemm
#define cublasDgemm __ws_blas_Dgemm
#include "cuda_letters_end.h"

#endif
