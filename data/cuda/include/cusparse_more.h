/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cusparse_more.h -- calls of cuSPARSE: sparse vectors, triangles with many right sides, sparse
 * products of sparse matrices, orders.  Indices have 32 bits.
 *
 * Part of cusparse.h, which includes it.  Their code is in cusparse_more.cu.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUSPARSE_MORE_H
#define WARPSTACK_CUSPARSE_MORE_H

typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef const struct cusparseSpVecDescr *cusparseConstSpVecDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT = 0 } cusparseSpSMAlg_t;
typedef enum {
	CUSPARSE_SPGEMM_DEFAULT = 0, CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,
	CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2, CUSPARSE_SPGEMM_ALG1 = 3,
	CUSPARSE_SPGEMM_ALG2 = 4, CUSPARSE_SPGEMM_ALG3 = 5,
} cusparseSpGEMMAlg_t;

#ifdef __cplusplus
extern "C" {
#endif
#define WS_CALL(NAME, ...) cusparseStatus_t cusparse##NAME(cusparseHandle_t handle, __VA_ARGS__);
cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *vector, int64_t size, int64_t count,
				     void *indices, void *values, cusparseIndexType_t index_type,
				     cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector);
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t vector, int64_t *size, int64_t *count,
				  void **indices, void **values, cusparseIndexType_t *index_type,
				  cusparseIndexBase_t *base, cudaDataType *type);
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t vector, void **values);
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector, void *values);
/* y = alpha x + beta y */
WS_CALL(Axpby, const void *alpha, cusparseConstSpVecDescr_t x, const void *beta,
	cusparseDnVecDescr_t y)
WS_CALL(Gather, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x)
WS_CALL(Scatter, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y)
WS_CALL(Rot, const void *c, const void *s, cusparseSpVecDescr_t x, cusparseDnVecDescr_t y)
WS_CALL(SpVV_bufferSize, cusparseOperation_t op, cusparseConstSpVecDescr_t x,
	cusparseConstDnVecDescr_t y, const void *result, cudaDataType type, size_t *bytes)
WS_CALL(SpVV, cusparseOperation_t op, cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
	void *result, cudaDataType type, void *buffer)

/* op(a) c = alpha op(b) */
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *solve);
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t solve);
WS_CALL(SpSM_bufferSize, cusparseOperation_t opa, cusparseOperation_t opb, const void *alpha,
	cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c,
	cudaDataType type, cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t solve, size_t *bytes)
WS_CALL(SpSM_analysis, cusparseOperation_t opa, cusparseOperation_t opb, const void *alpha,
	cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c,
	cudaDataType type, cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t solve, void *buffer)
WS_CALL(SpSM_solve, cusparseOperation_t opa, cusparseOperation_t opb, const void *alpha,
	cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c,
	cudaDataType type, cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t solve)

/* c = alpha a b, all in CSR and not turned, beta 0.  compute sets how many values c has, copy writes
 * them where cusparseCsrSetPointers says. */
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *product);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t product);
#define WS_PRODUCT(NAME, ...) \
	WS_CALL(SpGEMM_##NAME, cusparseOperation_t opa, cusparseOperation_t opb, const void *alpha, \
		cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void *beta, \
		cusparseSpMatDescr_t c, cudaDataType type, cusparseSpGEMMAlg_t algorithm, __VA_ARGS__)
WS_PRODUCT(workEstimation, cusparseSpGEMMDescr_t product, size_t *bytes, void *buffer)
WS_PRODUCT(compute, cusparseSpGEMMDescr_t product, size_t *bytes, void *buffer)
WS_PRODUCT(copy, cusparseSpGEMMDescr_t product)
#undef WS_PRODUCT

/* Of each row, or column, and of all, which may be the host's. */
#define WS_COUNT(S, T) \
	WS_CALL(S##nnz, cusparseDirection_t direction, int rows, int columns, \
		const cusparseMatDescr_t matrix, const T *a, int ld, int *counts, int *all)
WS_COUNT(S, float) WS_COUNT(D, double)
#undef WS_COUNT

/* Orders: permutation says where each came from; that of csrsort may be NULL. */
WS_CALL(CreateIdentityPermutation, int count, int *permutation)
WS_CALL(Xcoosort_bufferSizeExt, int rows, int columns, int count, const int *row_of,
	const int *column_of, size_t *bytes)
WS_CALL(XcoosortByRow, int rows, int columns, int count, int *row_of, int *column_of,
	int *permutation, void *buffer)
WS_CALL(XcoosortByColumn, int rows, int columns, int count, int *row_of, int *column_of,
	int *permutation, void *buffer)
WS_CALL(Xcsrsort_bufferSizeExt, int rows, int columns, int count, const int *offsets,
	const int *indices, size_t *bytes)
WS_CALL(Xcsrsort, int rows, int columns, int count, const cusparseMatDescr_t matrix,
	const int *offsets, int *indices, int *permutation, void *buffer)
#undef WS_CALL
#ifdef __cplusplus
}
#endif

#endif
