/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cusparse.h -- calls of cuSPARSE.  warpstack-nvcc -lcusparse compiles cusparse.cu for them, whose
 * kernels are traced as the program's own are.
 *
 * Of the generic calls: matrices in CSR, CSC and COO with 32-bit indices, dense vectors and
 * matrices, SpMV, SpMM, SDDMM, SpSV, conversions; of the older ones csr2coo, coo2csr, csr2csc, csrilu02.
 * Values are float or double.  Others return CUSPARSE_STATUS_NOT_SUPPORTED, or are not there.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUSPARSE_H
#define WARPSTACK_CUSPARSE_H
#define CUSPARSE_H_
#define CUSPARSEAPI

#include <stdint.h>
#include "cuda_runtime_api.h"
#include "cuComplex.h"
#include "library_types.h"
#include "cuda_letters_begin.h"

#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 0
#define CUSPARSE_VER_PATCH 0
#define CUSPARSE_VERSION 12000

/* X(name behind CUSPARSE_STATUS_, number, text) */
#define WS_CUSPARSE_STATUSES(X) \
	X(SUCCESS, 0, "success") X(NOT_INITIALIZED, 1, "initialization error") \
	X(ALLOC_FAILED, 2, "out of memory") X(INVALID_VALUE, 3, "invalid value") \
	X(ARCH_MISMATCH, 4, "architecture mismatch") X(MAPPING_ERROR, 5, "mapping error") \
	X(EXECUTION_FAILED, 6, "kernel launch failure") X(INTERNAL_ERROR, 7, "internal error") \
	X(MATRIX_TYPE_NOT_SUPPORTED, 8, "matrix type not supported") \
	X(ZERO_PIVOT, 9, "zero pivot") X(NOT_SUPPORTED, 10, "not supported") \
	X(INSUFFICIENT_RESOURCES, 11, "insufficient resources")
#define WS_STATUS(NAME, NUMBER, TEXT) CUSPARSE_STATUS_##NAME = NUMBER,
typedef enum { WS_CUSPARSE_STATUSES(WS_STATUS) } cusparseStatus_t;
#undef WS_STATUS
typedef enum { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1 } cusparsePointerMode_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC = 1 } cusparseAction_t;
typedef enum {
	CUSPARSE_MATRIX_TYPE_GENERAL = 0, CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
	CUSPARSE_MATRIX_TYPE_HERMITIAN = 2, CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3,
} cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;
typedef enum {
	CUSPARSE_OPERATION_NON_TRANSPOSE = 0, CUSPARSE_OPERATION_TRANSPOSE = 1,
	CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2,
} cusparseOperation_t;
typedef enum { CUSPARSE_DIRECTION_ROW = 0, CUSPARSE_DIRECTION_COLUMN = 1 } cusparseDirection_t;
typedef enum {
	CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0, CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1,
} cusparseSolvePolicy_t;
typedef enum {
	CUSPARSE_FORMAT_CSR = 1, CUSPARSE_FORMAT_CSC = 2, CUSPARSE_FORMAT_COO = 3,
} cusparseFormat_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum {
	CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3,
} cusparseIndexType_t;
typedef enum {
	CUSPARSE_SPMV_ALG_DEFAULT = 0, CUSPARSE_MV_ALG_DEFAULT = 0, CUSPARSE_SPMV_COO_ALG1 = 1,
	CUSPARSE_COOMV_ALG = 1, CUSPARSE_SPMV_CSR_ALG1 = 2, CUSPARSE_CSRMV_ALG1 = 2,
	CUSPARSE_SPMV_CSR_ALG2 = 3, CUSPARSE_CSRMV_ALG2 = 3, CUSPARSE_SPMV_COO_ALG2 = 4,
} cusparseSpMVAlg_t;
typedef enum {
	CUSPARSE_SPMM_ALG_DEFAULT = 0, CUSPARSE_MM_ALG_DEFAULT = 0, CUSPARSE_SPMM_COO_ALG1 = 1,
	CUSPARSE_SPMM_COO_ALG2 = 2, CUSPARSE_SPMM_COO_ALG3 = 3, CUSPARSE_SPMM_CSR_ALG1 = 4,
	CUSPARSE_CSRMM_ALG1 = 4, CUSPARSE_SPMM_COO_ALG4 = 5, CUSPARSE_SPMM_CSR_ALG2 = 6,
	CUSPARSE_SPMM_CSR_ALG3 = 12,
} cusparseSpMMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT = 0 } cusparseSDDMMAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0 } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 } cusparseDenseToSparseAlg_t;
typedef enum {
	CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1, CUSPARSE_CSR2CSC_ALG2 = 2,
} cusparseCsr2CscAlg_t;
typedef enum {
	CUSPARSE_SPMAT_FILL_MODE = 0, CUSPARSE_SPMAT_DIAG_TYPE = 1,
} cusparseSpMatAttribute_t;

typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef const struct cusparseSpMatDescr *cusparseConstSpMatDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef const struct cusparseDnVecDescr *cusparseConstDnVecDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef const struct cusparseDnMatDescr *cusparseConstDnMatDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct csrilu02Info *csrilu02Info_t;

#ifdef __cplusplus
extern "C" {
#endif
cusparseStatus_t cusparseCreate(cusparseHandle_t *handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode);
const char *cusparseGetErrorName(cusparseStatus_t status);
const char *cusparseGetErrorString(cusparseStatus_t status);

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *matrix);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t matrix);
#define WS_MEMBER(NAME, TYPE) \
	cusparseStatus_t cusparseSetMat##NAME(cusparseMatDescr_t matrix, TYPE value); \
	TYPE cusparseGetMat##NAME(const cusparseMatDescr_t matrix);
WS_MEMBER(Type, cusparseMatrixType_t)
WS_MEMBER(IndexBase, cusparseIndexBase_t)
WS_MEMBER(FillMode, cusparseFillMode_t)
WS_MEMBER(DiagType, cusparseDiagType_t)
#undef WS_MEMBER

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t size, void *values,
				     cudaDataType type);
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *vector, int64_t size,
					  const void *values, cudaDataType type);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector);
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t *size, void **values,
				  cudaDataType *type);
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void **values);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t columns,
				     int64_t ld, void *values, cudaDataType type,
				     cusparseOrder_t order);
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *matrix, int64_t rows,
					  int64_t columns, int64_t ld, const void *values,
					  cudaDataType type, cusparseOrder_t order);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix);
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int count, int64_t stride);
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void **values);
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void *values);

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
				   int64_t count, void *offsets, void *indices, void *values,
				   cusparseIndexType_t offsets_type, cusparseIndexType_t indices_type,
				   cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t *matrix, int64_t rows,
					int64_t columns, int64_t count, const void *offsets,
					const void *indices, const void *values,
					cusparseIndexType_t offsets_type,
					cusparseIndexType_t indices_type, cusparseIndexBase_t base,
					cudaDataType type);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
				   int64_t count, void *offsets, void *indices, void *values,
				   cusparseIndexType_t offsets_type, cusparseIndexType_t indices_type,
				   cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
				   int64_t count, void *row_of, void *column_of, void *values,
				   cusparseIndexType_t index_type, cusparseIndexBase_t base,
				   cudaDataType type);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows,
				      int64_t *columns, int64_t *count);
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t *format);
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void **values);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void *values);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices,
					void *values);
/* Of many matrices SDDMM takes each with its own. */
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count,
					    int64_t offsets_stride, int64_t values_stride);
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices,
					void *values);
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void *row_of, void *column_of,
					void *values);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
					   cusparseSpMatAttribute_t attribute, void *data,
					   size_t bytes);
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix,
					   cusparseSpMatAttribute_t attribute, void *data,
					   size_t bytes);

/* y = alpha op(a) x + beta y */
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
					 const void *alpha, cusparseConstSpMatDescr_t a,
					 cusparseConstDnVecDescr_t x, const void *beta,
					 cusparseDnVecDescr_t y, cudaDataType type,
					 cusparseSpMVAlg_t algorithm, size_t *bytes);
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op,
					 const void *alpha, cusparseConstSpMatDescr_t a,
					 cusparseConstDnVecDescr_t x, const void *beta,
					 cusparseDnVecDescr_t y, cudaDataType type,
					 cusparseSpMVAlg_t algorithm, void *buffer);
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
			      cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
			      const void *beta, cusparseDnVecDescr_t y, cudaDataType type,
			      cusparseSpMVAlg_t algorithm, void *buffer);
/* c = alpha op(a) op(b) + beta c */
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opa,
					 cusparseOperation_t opb, const void *alpha,
					 cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
					 const void *beta, cusparseDnMatDescr_t c, cudaDataType type,
					 cusparseSpMMAlg_t algorithm, size_t *bytes);
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opa,
					 cusparseOperation_t opb, const void *alpha,
					 cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
					 const void *beta, cusparseDnMatDescr_t c, cudaDataType type,
					 cusparseSpMMAlg_t algorithm, void *buffer);
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opa,
			      cusparseOperation_t opb, const void *alpha,
			      cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
			      const void *beta, cusparseDnMatDescr_t c, cudaDataType type,
			      cusparseSpMMAlg_t algorithm, void *buffer);
/* c = alpha op(a) op(b), where c has values, + beta c, which is in CSR */
cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opa,
					  cusparseOperation_t opb, const void *alpha,
					  cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
					  const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
					  cusparseSDDMMAlg_t algorithm, size_t *bytes);
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opa,
					  cusparseOperation_t opb, const void *alpha,
					  cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
					  const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
					  cusparseSDDMMAlg_t algorithm, void *buffer);
cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opa,
			       cusparseOperation_t opb, const void *alpha,
			       cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
			       const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
			       cusparseSDDMMAlg_t algorithm, void *buffer);
/* op(a) y = alpha x, a triangle of CSR: by one thread, row after row */
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *solve);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t solve);
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
					 const void *alpha, cusparseConstSpMatDescr_t a,
					 cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
					 cudaDataType type, cusparseSpSVAlg_t algorithm,
					 cusparseSpSVDescr_t solve, size_t *bytes);
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op,
				       const void *alpha, cusparseConstSpMatDescr_t a,
				       cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
				       cudaDataType type, cusparseSpSVAlg_t algorithm,
				       cusparseSpSVDescr_t solve, void *buffer);
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op,
				    const void *alpha, cusparseConstSpMatDescr_t a,
				    cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
				    cudaDataType type, cusparseSpSVAlg_t algorithm,
				    cusparseSpSVDescr_t solve);

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
						  cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b,
						  cusparseSparseToDenseAlg_t algorithm,
						  size_t *bytes);
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
				       cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t algorithm,
				       void *buffer);
/* To CSR: its analysis counts, which cusparseSpMatGetSize tells. */
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
						  cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
						  cusparseDenseToSparseAlg_t algorithm,
						  size_t *bytes);
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
						cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
						cusparseDenseToSparseAlg_t algorithm, void *buffer);
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
					       cusparseSpMatDescr_t b,
					       cusparseDenseToSparseAlg_t algorithm, void *buffer);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int count, int rows,
				  int *row_of, cusparseIndexBase_t base);
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *row_of, int count, int rows,
				  int *offsets, cusparseIndexBase_t base);
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(
	cusparseHandle_t handle, int rows, int columns, int count, const void *values,
	const int *offsets, const int *indices, void *to_values, int *to_offsets, int *to_indices,
	cudaDataType type, cusparseAction_t action, cusparseIndexBase_t base,
	cusparseCsr2CscAlg_t algorithm, size_t *bytes);
cusparseStatus_t cusparseCsr2cscEx2(
	cusparseHandle_t handle, int rows, int columns, int count, const void *values,
	const int *offsets, const int *indices, void *to_values, int *to_offsets, int *to_indices,
	cudaDataType type, cusparseAction_t action, cusparseIndexBase_t base,
	cusparseCsr2CscAlg_t algorithm, void *buffer);

/* In place, without fill-in, rows' indices in order: by one thread. */
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info);
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
					     int *position);
#define WS_ILU(LETTER, T) \
	cusparseStatus_t cusparse##LETTER##csrilu02_bufferSize( \
		cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t matrix, \
		T *values, const int *offsets, const int *indices, csrilu02Info_t info, int *bytes); \
	cusparseStatus_t cusparse##LETTER##csrilu02_analysis( \
		cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t matrix, \
		const T *values, const int *offsets, const int *indices, csrilu02Info_t info, \
		cusparseSolvePolicy_t policy, void *buffer); \
	cusparseStatus_t cusparse##LETTER##csrilu02( \
		cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t matrix, \
		T *values, const int *offsets, const int *indices, csrilu02Info_t info, \
		cusparseSolvePolicy_t policy, void *buffer);
WS_ILU(S, float)
WS_ILU(D, double)
#undef WS_ILU
#ifdef __cplusplus
}
#endif
#include "cusparse_more.h"
#include "cuda_letters_end.h"

#endif
