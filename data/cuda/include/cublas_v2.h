/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cublas_v2.h -- calls of cuBLAS.  Their code is in cublas.cu, whose
 * kernels are traced as the program's own are.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUBLAS_V2_H
#define WARPSTACK_CUBLAS_V2_H
#define CUBLAS_V2_H_
#define CUBLAS_API_H_

#include "cuda_runtime_api.h"
#include "cuComplex.h"
#include "library_types.h"
#include "cuda_letters_begin.h"

/* X(name behind CUBLAS_STATUS_, number) */
#define WS_CUBLAS_STATUSES(X) \
	X(SUCCESS, 0) X(NOT_INITIALIZED, 1) X(ALLOC_FAILED, 3) X(INVALID_VALUE, 7) \
	X(ARCH_MISMATCH, 8) X(MAPPING_ERROR, 11) X(EXECUTION_FAILED, 13) X(INTERNAL_ERROR, 14) \
	X(NOT_SUPPORTED, 15) X(LICENSE_ERROR, 16)
#define WS_STATUS(NAME, NUMBER) CUBLAS_STATUS_##NAME = NUMBER,
typedef enum { WS_CUBLAS_STATUSES(WS_STATUS) } cublasStatus_t;
#undef WS_STATUS
typedef enum {
	CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2, CUBLAS_OP_HERMITAN = 2,
} cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_DEFAULT_MATH = 0, CUBLAS_TENSOR_OP_MATH = 1,
	CUBLAS_PEDANTIC_MATH = 2, CUBLAS_TF32_TENSOR_OP_MATH = 3 } cublasMath_t;
typedef struct cublasContext *cublasHandle_t;

#ifdef __cplusplus
extern "C" {
#endif
cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasGetVector(int n, int size, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void *a, int lda, void *b,
			       int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void *a, int lda, void *b,
			       int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int size, const void *x, int incx, void *y, int incy,
				    cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int size, const void *x, int incx, void *y, int incy,
				    cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int size, const void *a, int lda,
				    void *b, int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int size, const void *a, int lda,
				    void *b, int ldb, cudaStream_t stream);
cublasStatus_t cublasSaxpy(cublasHandle_t handle, int n, const float *alpha, const float *x, int
			   incx, float *y, int incy);
cublasStatus_t cublasDaxpy(cublasHandle_t handle, int n, const double *alpha, const double *x,
			   int incx, double *y, int incy);
cublasStatus_t cublasSscal(cublasHandle_t handle, int n, const float *alpha, float *x, int
			   incx);
cublasStatus_t cublasDscal(cublasHandle_t handle, int n, const double *alpha, double *x, int
			   incx);
cublasStatus_t cublasScopy(cublasHandle_t handle, int n, const float *x, int incx, float *y, int
			   incy);
cublasStatus_t cublasDcopy(cublasHandle_t handle, int n, const double *x, int incx, double *y,
			   int incy);
cublasStatus_t cublasSswap(cublasHandle_t handle, int n, float *x, int incx, float *y, int
			   incy);
cublasStatus_t cublasDswap(cublasHandle_t handle, int n, double *x, int incx, double *y, int
			   incy);
cublasStatus_t cublasSdot(cublasHandle_t handle, int n, const float *x, int incx, const float
			   *y, int incy, float *result);
cublasStatus_t cublasDdot(cublasHandle_t handle, int n, const double *x, int incx, const double
			   *y, int incy, double *result);
cublasStatus_t cublasSnrm2(cublasHandle_t handle, int n, const float *x, int incx, float
			   *result);
cublasStatus_t cublasDnrm2(cublasHandle_t handle, int n, const double *x, int incx, double
			   *result);
cublasStatus_t cublasSasum(cublasHandle_t handle, int n, const float *x, int incx, float
			   *result);
cublasStatus_t cublasDasum(cublasHandle_t handle, int n, const double *x, int incx, double
			   *result);
cublasStatus_t cublasIsamax(cublasHandle_t handle, int n, const float *x, int incx, int
			   *result);
cublasStatus_t cublasIdamax(cublasHandle_t handle, int n, const double *x, int incx, int
			   *result);
cublasStatus_t cublasIsamin(cublasHandle_t handle, int n, const float *x, int incx, int
			   *result);
cublasStatus_t cublasIdamin(cublasHandle_t handle, int n, const double *x, int incx, int
			   *result);
cublasStatus_t cublasSgemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const
			   float *alpha, const float *a, int lda, const float *x, int incx, const float *beta, float
			   *y, int incy);
cublasStatus_t cublasDgemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const
			   double *alpha, const double *a, int lda, const double *x, int incx, const double *beta,
			   double *y, int incy);
cublasStatus_t cublasSger(cublasHandle_t handle, int m, int n, const float *alpha, const float
			   *x, int incx, const float *y, int incy, float *a, int lda);
cublasStatus_t cublasDger(cublasHandle_t handle, int m, int n, const double *alpha, const double
			   *x, int incx, const double *y, int incy, double *a, int lda);
cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
			   int m, int n, int k, const float *alpha, const float *a, int lda, const float *b, int ldb,
			   const float *beta, float *c, int ldc);
cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
			   int m, int n, int k, const double *alpha, const double *a, int lda, const double *b, int
			   ldb, const double *beta, double *c, int ldc);
cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t opa,
			   cublasOperation_t opb, int m, int n, int k, const float *alpha, const float *a, int lda,
			   long long stride_a, const float *b, int ldb, long long stride_b, const float *beta, float
			   *c, int ldc, long long stride_c, int batch);
cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t handle, cublasOperation_t opa,
			   cublasOperation_t opb, int m, int n, int k, const double *alpha, const double *a, int lda,
			   long long stride_a, const double *b, int ldb, long long stride_b, const double *beta,
			   double *c, int ldc, long long stride_c, int batch);
cublasStatus_t cublasSgemmBatched(cublasHandle_t handle, cublasOperation_t opa,
			   cublasOperation_t opb, int m, int n, int k, const float *alpha, const float *const a[],
			   int lda, const float *const b[], int ldb, const float *beta, float *const c[], int ldc,
			   int batch);
cublasStatus_t cublasDgemmBatched(cublasHandle_t handle, cublasOperation_t opa,
			   cublasOperation_t opb, int m, int n, int k, const double *alpha, const double *const a[],
			   int lda, const double *const b[], int ldb, const double *beta, double *const c[], int ldc,
			   int batch);
cublasStatus_t cublasSgeam(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
			   int m, int n, const float *alpha, const float *a, int lda, const float *beta, const float
			   *b, int ldb, float *c, int ldc);
cublasStatus_t cublasDgeam(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
			   int m, int n, const double *alpha, const double *a, int lda, const double *beta, const
			   double *b, int ldb, double *c, int ldc);
#ifdef __cplusplus
}
#endif

#include "cublas_calls.h"

/* Older names of the same. */
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasGetStream_v2 cublasGetStream
#define cublasSetPointerMode_v2 cublasSetPointerMode
#define cublasGetPointerMode_v2 cublasGetPointerMode
#define cublasGetVersion_v2 cublasGetVersion
#define cublasSaxpy_v2 cublasSaxpy
#define cublasDaxpy_v2 cublasDaxpy
#define cublasSscal_v2 cublasSscal
#define cublasDscal_v2 cublasDscal
#define cublasScopy_v2 cublasScopy
#define cublasDcopy_v2 cublasDcopy
#define cublasSswap_v2 cublasSswap
#define cublasDswap_v2 cublasDswap
#define cublasSdot_v2 cublasSdot
#define cublasDdot_v2 cublasDdot
#define cublasSnrm2_v2 cublasSnrm2
#define cublasDnrm2_v2 cublasDnrm2
#define cublasSasum_v2 cublasSasum
#define cublasDasum_v2 cublasDasum
#define cublasIsamax_v2 cublasIsamax
#define cublasIdamax_v2 cublasIdamax
#define cublasIsamin_v2 cublasIsamin
#define cublasIdamin_v2 cublasIdamin
#define cublasSgemv_v2 cublasSgemv
#define cublasDgemv_v2 cublasDgemv
#define cublasSger_v2 cublasSger
#define cublasDger_v2 cublasDger
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm
#include "cuda_letters_end.h"

#endif
