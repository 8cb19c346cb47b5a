/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cusparse_calls.h -- the host's side of cusparse.cu, which includes it.
 */
extern "C" {
/* ---- the library, and what describes --------------------------------------------------------- */
cusparseStatus_t cusparseCreate(cusparseHandle_t *handle)
{
	WANT(handle);
	*handle = new cusparseContext();
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle)
{
	WANT_HANDLE();
	delete handle;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version)
{
	WANT_HANDLE();
	*version = CUSPARSE_VERSION;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream)
{
	WANT_HANDLE();
	handle->stream = stream;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream)
{
	WANT_HANDLE();
	*stream = handle->stream;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode)
{
	WANT_HANDLE();
	handle->mode = mode;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode)
{
	WANT_HANDLE();
	*mode = handle->mode;
	return CUSPARSE_STATUS_SUCCESS;
}
const char *cusparseGetErrorName(cusparseStatus_t status)
{
#define CASE(NAME, NUMBER, TEXT) case CUSPARSE_STATUS_##NAME: return "CUSPARSE_STATUS_" #NAME;
	switch (status) {
		WS_CUSPARSE_STATUSES(CASE)
	}
#undef CASE
	return "unrecognized error code";
}
const char *cusparseGetErrorString(cusparseStatus_t status)
{
#define CASE(NAME, NUMBER, TEXT) case CUSPARSE_STATUS_##NAME: return TEXT;
	switch (status) {
		WS_CUSPARSE_STATUSES(CASE)
	}
#undef CASE
	return "unrecognized error code";
}

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *matrix)
{
	WANT(matrix);
	*matrix = new cusparseMatDescr();
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t matrix)
{
	delete matrix;
	return CUSPARSE_STATUS_SUCCESS;
}
#define MEMBER(NAME, TYPE) \
	cusparseStatus_t cusparseSetMat##NAME(cusparseMatDescr_t matrix, TYPE value) \
	{ \
		WANT(matrix); \
		matrix->NAME = value; \
		return CUSPARSE_STATUS_SUCCESS; \
	} \
	TYPE cusparseGetMat##NAME(const cusparseMatDescr_t matrix) { return matrix->NAME; }
MEMBER(Type, cusparseMatrixType_t)
MEMBER(IndexBase, cusparseIndexBase_t)
MEMBER(FillMode, cusparseFillMode_t)
MEMBER(DiagType, cusparseDiagType_t)
#undef MEMBER

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t size, void *values,
				     cudaDataType type)
{
	WANT(vector && size >= 0 && size <= INT32_MAX);
	*vector = new cusparseDnVecDescr{ size, values, type };
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *vector, int64_t size,
					  const void *values, cudaDataType type)
{
	return cusparseCreateDnVec((cusparseDnVecDescr_t *)vector, size, (void *)values, type);
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector)
{
	delete vector;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t *size, void **values,
				  cudaDataType *type)
{
	WANT(vector);
	*size = vector->size;
	*values = vector->values;
	*type = vector->type;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void **values)
{
	WANT(vector && values);
	*values = vector->values;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values)
{
	WANT(vector);
	vector->values = values;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t columns,
				     int64_t ld, void *values, cudaDataType type,
				     cusparseOrder_t order)
{
	WANT(matrix && rows >= 0 && columns >= 0 && rows <= INT32_MAX && columns <= INT32_MAX &&
	     ld >= (order == CUSPARSE_ORDER_ROW ? columns : rows));
	*matrix = new cusparseDnMatDescr{ rows, columns, ld, values, type, order };
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *matrix, int64_t rows,
					  int64_t columns, int64_t ld, const void *values,
					  cudaDataType type, cusparseOrder_t order)
{
	return cusparseCreateDnMat((cusparseDnMatDescr_t *)matrix, rows, columns, ld, (void *)values,
				   type, order);
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix)
{
	delete matrix;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int count, int64_t stride)
{
	WANT(matrix && count > 0);
	matrix->batch = count;
	matrix->stride = stride;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void **values)
{
	WANT(matrix && values);
	*values = matrix->values;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void *values)
{
	WANT(matrix);
	matrix->values = values;
	return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
				   int64_t count, void *offsets, void *indices, void *values,
				   cusparseIndexType_t offsets_type, cusparseIndexType_t indices_type,
				   cusparseIndexBase_t base, cudaDataType type)
{
	return describe(matrix, { CUSPARSE_FORMAT_CSR, rows, columns, count, (int *)offsets,
				  (int *)indices, values, base, type }, offsets_type, indices_type);
}
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t *matrix, int64_t rows,
					int64_t columns, int64_t count, const void *offsets,
					const void *indices, const void *values,
					cusparseIndexType_t offsets_type,
					cusparseIndexType_t indices_type, cusparseIndexBase_t base,
					cudaDataType type)
{
	return cusparseCreateCsr((cusparseSpMatDescr_t *)matrix, rows, columns, count,
				 (void *)offsets, (void *)indices, (void *)values, offsets_type,
				 indices_type, base, type);
}
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
				   int64_t count, void *offsets, void *indices, void *values,
				   cusparseIndexType_t offsets_type, cusparseIndexType_t indices_type,
				   cusparseIndexBase_t base, cudaDataType type)
{
	return describe(matrix, { CUSPARSE_FORMAT_CSC, rows, columns, count, (int *)offsets,
				  (int *)indices, values, base, type }, offsets_type, indices_type);
}
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
				   int64_t count, void *row_of, void *column_of, void *values,
				   cusparseIndexType_t index_type, cusparseIndexBase_t base,
				   cudaDataType type)
{
	return describe(matrix, { CUSPARSE_FORMAT_COO, rows, columns, count, (int *)row_of,
				  (int *)column_of, values, base, type }, index_type, index_type);
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix)
{
	delete matrix;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows,
				      int64_t *columns, int64_t *count)
{
	WANT(matrix);
	*rows = matrix->rows;
	*columns = matrix->columns;
	*count = matrix->count;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t *format)
{
	WANT(matrix && format);
	*format = matrix->format;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void **values)
{
	WANT(matrix && values);
	*values = matrix->values;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void *values)
{
	WANT(matrix);
	matrix->values = values;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices,
					void *values)
{
	WANT(matrix);
	matrix->offsets = (int *)offsets;
	matrix->indices = (int *)indices;
	matrix->values = values;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count,
					    int64_t offsets_stride, int64_t values_stride)
{
	WANT(matrix && count > 0);
	matrix->batch = count;
	matrix->offsets_stride = offsets_stride;
	matrix->stride = values_stride;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices,
					void *values)
{
	return cusparseCsrSetPointers(matrix, offsets, indices, values);
}
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void *row_of, void *column_of,
					void *values)
{
	return cusparseCsrSetPointers(matrix, row_of, column_of, values);
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
					   cusparseSpMatAttribute_t attribute, void *data,
					   size_t bytes)
{
	WANT(matrix && data && bytes == sizeof(int));
	if (attribute == CUSPARSE_SPMAT_FILL_MODE)
		matrix->fill = *(cusparseFillMode_t *)data;
	else
		matrix->diagonal = *(cusparseDiagType_t *)data;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix,
					   cusparseSpMatAttribute_t attribute, void *data,
					   size_t bytes)
{
	WANT(matrix && data && bytes == sizeof(int));
	*(int *)data = attribute == CUSPARSE_SPMAT_FILL_MODE ? (int)matrix->fill
							     : (int)matrix->diagonal;
	return CUSPARSE_STATUS_SUCCESS;
}

/* ---- products ---------------------------------------------------------------------------- */
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t, const void *,
					 cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
					 const void *, cusparseDnVecDescr_t, cudaDataType,
					 cusparseSpMVAlg_t, size_t *bytes)
{
	return give_buffer(handle, bytes);
}
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t, const void *,
					 cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
					 const void *, cusparseDnVecDescr_t, cudaDataType,
					 cusparseSpMVAlg_t, void *)
{
	WANT_HANDLE();
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
			      cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
			      const void *beta, cusparseDnVecDescr_t y, cudaDataType type,
			      cusparseSpMVAlg_t, void *)
{
	WANT_HANDLE();
	WANT(alpha && a && x && beta && y && (turns(op) ? a->rows : a->columns) == x->size &&
	     (turns(op) ? a->columns : a->rows) == y->size);
	if (a->type != type || x->type != type || y->type != type)
		return CUSPARSE_STATUS_NOT_SUPPORTED;
	BY_TYPE(type, multiply<T>(handle, turns(op), *a, *x, *y, scalar<T>(alpha), scalar<T>(beta)))
}
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t,
					 cusparseOperation_t, const void *,
					 cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t,
					 const void *, cusparseDnMatDescr_t, cudaDataType,
					 cusparseSpMMAlg_t, size_t *bytes)
{
	return give_buffer(handle, bytes);
}
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t,
					 cusparseOperation_t, const void *,
					 cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t,
					 const void *, cusparseDnMatDescr_t, cudaDataType,
					 cusparseSpMMAlg_t, void *)
{
	WANT_HANDLE();
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opa,
			      cusparseOperation_t opb, const void *alpha,
			      cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
			      const void *beta, cusparseDnMatDescr_t c, cudaDataType type,
			      cusparseSpMMAlg_t, void *)
{
	WANT_HANDLE();
	WANT(alpha && a && b && beta && c &&
	     (turns(opa) ? a->rows : a->columns) == (turns(opb) ? b->columns : b->rows) &&
	     (turns(opa) ? a->columns : a->rows) == c->rows &&
	     (turns(opb) ? b->rows : b->columns) == c->columns);
	if (a->type != type || b->type != type || c->type != type)
		return CUSPARSE_STATUS_NOT_SUPPORTED;
	BY_TYPE(type, multiply<T>(handle, turns(opa), *a, dense<T>(*b, turns(opb)), *c,
				  scalar<T>(alpha), scalar<T>(beta)))
}

cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t,
					  cusparseOperation_t, const void *,
					  cusparseConstDnMatDescr_t, cusparseConstDnMatDescr_t,
					  const void *, cusparseSpMatDescr_t, cudaDataType,
					  cusparseSDDMMAlg_t, size_t *bytes)
{
	return give_buffer(handle, bytes);
}
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t,
					  cusparseOperation_t, const void *,
					  cusparseConstDnMatDescr_t, cusparseConstDnMatDescr_t,
					  const void *, cusparseSpMatDescr_t, cudaDataType,
					  cusparseSDDMMAlg_t, void *)
{
	WANT_HANDLE();
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opa,
			       cusparseOperation_t opb, const void *alpha,
			       cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
			       const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
			       cusparseSDDMMAlg_t, void *)
{
	WANT_HANDLE();
	WANT(alpha && a && b && beta && c &&
	     (turns(opa) ? a->rows : a->columns) == (turns(opb) ? b->columns : b->rows) &&
	     (turns(opa) ? a->columns : a->rows) == c->rows &&
	     (turns(opb) ? b->rows : b->columns) == c->columns);
	if (a->type != type || b->type != type || c->type != type || c->wide ||
	    c->format != CUSPARSE_FORMAT_CSR)
		return CUSPARSE_STATUS_NOT_SUPPORTED;
	BY_TYPE(type, sample_all<T>(handle, *a, turns(opa), *b, turns(opb), *c, scalar<T>(alpha),
				    scalar<T>(beta)))
}

/* ---- triangles --------------------------------------------------------------------------- */
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *solve)
{
	WANT(solve);
	*solve = new cusparseSpSVDescr();
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t solve)
{
	delete solve;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t, const void *,
					 cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
					 cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
					 cusparseSpSVDescr_t, size_t *bytes)
{
	return give_buffer(handle, bytes);
}
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t, const void *,
				       cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
				       cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
				       cusparseSpSVDescr_t solve, void *)
{
	WANT_HANDLE();
	WANT(solve);
	solve->analysed = true;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op,
				    const void *alpha, cusparseConstSpMatDescr_t a,
				    cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
				    cudaDataType type, cusparseSpSVAlg_t, cusparseSpSVDescr_t how)
{
	bool upper, unit;

	WANT_HANDLE();
	WANT(alpha && a && x && y && how && how->analysed && a->rows == a->columns &&
	     x->size == a->rows && y->size == a->rows);
	if (a->format != CUSPARSE_FORMAT_CSR || a->wide || a->type != type || x->type != type ||
	    y->type != type)
		return CUSPARSE_STATUS_NOT_SUPPORTED;
	upper = a->fill == CUSPARSE_FILL_MODE_UPPER;
	unit = a->diagonal == CUSPARSE_DIAG_TYPE_UNIT;
	BY_TYPE(type, run(handle, turns(op) ? solve_turned<T> : solve<T>, 1, *a,
			  (const T *)x->values, (T *)y->values, upper, unit, scalar<T>(alpha)))
}
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info)
{
	WANT(info && cudaMallocManaged(info, sizeof **info) == cudaSuccess);
	(*info)->pivot = -1;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info)
{
	return cudaFree(info) == cudaSuccess ? CUSPARSE_STATUS_SUCCESS
					     : CUSPARSE_STATUS_INVALID_VALUE;
}
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
					     int *position)
{
	WANT_HANDLE();
	WANT(info && position);
	*position = info->pivot;
	return info->pivot < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}
#define ILU(LETTER, T) \
	cusparseStatus_t cusparse##LETTER##csrilu02_bufferSize( \
		cusparseHandle_t handle, int, int, const cusparseMatDescr_t, T *, const int *, \
		const int *, csrilu02Info_t, int *bytes) \
	{ \
		WANT_HANDLE(); \
		*bytes = SPARE; \
		return CUSPARSE_STATUS_SUCCESS; \
	} \
	cusparseStatus_t cusparse##LETTER##csrilu02_analysis( \
		cusparseHandle_t handle, int, int, const cusparseMatDescr_t, const T *, \
		const int *, const int *, csrilu02Info_t, cusparseSolvePolicy_t, void *) \
	{ \
		WANT_HANDLE(); \
		return CUSPARSE_STATUS_SUCCESS; \
	} \
	cusparseStatus_t cusparse##LETTER##csrilu02( \
		cusparseHandle_t handle, int rows, int, const cusparseMatDescr_t matrix, T *values, \
		const int *offsets, const int *indices, csrilu02Info_t info, cusparseSolvePolicy_t, \
		void *) \
	{ \
		WANT_HANDLE(); \
		WANT(rows >= 0 && matrix && info); \
		return run(handle, ilu<T>, 1, rows, values, offsets, indices, matrix->IndexBase, \
			   info); \
	}
ILU(S, float)
ILU(D, double)
#undef ILU

/* ---- other forms --------------------------------------------------------------------------- */
cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
						  cusparseConstSpMatDescr_t, cusparseDnMatDescr_t,
						  cusparseSparseToDenseAlg_t, size_t *bytes)
{
	return give_buffer(handle, bytes);
}
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
				       cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t, void *)
{
	WANT_HANDLE();
	WANT(a && b && a->rows == b->rows && a->columns == b->columns && a->type == b->type);
	BY_TYPE(a->type, a->wide ? to_dense<T, long long>(handle, *a, *b)
				 : to_dense<T, int>(handle, *a, *b))
}
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
						  cusparseConstDnMatDescr_t, cusparseSpMatDescr_t,
						  cusparseDenseToSparseAlg_t, size_t *bytes)
{
	return give_buffer(handle, bytes);
}
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
						cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
						cusparseDenseToSparseAlg_t, void *)
{
	WANT_HANDLE();
	WANT(a && b && a->rows == b->rows && a->columns == b->columns && a->type == b->type);
	if (b->format != CUSPARSE_FORMAT_CSR)
		return CUSPARSE_STATUS_NOT_SUPPORTED;
	BY_TYPE(a->type, b->wide ? count_all<T, long long>(handle, *a, b)
				 : count_all<T, int>(handle, *a, b))
}
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
					       cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t,
					       void *)
{
	WANT_HANDLE();
	WANT(a && b && a->rows == b->rows && a->columns == b->columns && a->type == b->type);
	if (b->format != CUSPARSE_FORMAT_CSR)
		return CUSPARSE_STATUS_NOT_SUPPORTED;
	BY_TYPE(a->type, b->wide ? run(handle, collect<T, long long>, a->rows, *a, *b)
				 : run(handle, collect<T, int>, a->rows, *a, *b))
}
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int, int rows,
				  int *row_of, cusparseIndexBase_t base)
{
	WANT_HANDLE();
	return run(handle, rows_of, rows, offsets, rows, base, row_of);
}
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *row_of, int count, int rows,
				  int *offsets, cusparseIndexBase_t base)
{
	WANT_HANDLE();
	WANT(count >= 0 && rows >= 0);
	return run(handle, offsets_of, rows + INT64_C(1), row_of, count, rows, base, offsets);
}
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int, int, int, const void *,
					       const int *, const int *, void *, int *, int *,
					       cudaDataType, cusparseAction_t, cusparseIndexBase_t,
					       cusparseCsr2CscAlg_t, size_t *bytes)
{
	return give_buffer(handle, bytes);
}
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int rows, int columns, int count,
				    const void *values, const int *offsets, const int *indices,
				    void *to_values, int *to_offsets, int *to_indices,
				    cudaDataType type, cusparseAction_t action,
				    cusparseIndexBase_t base, cusparseCsr2CscAlg_t, void *)
{
	const cusparseSpMatDescr a = { CUSPARSE_FORMAT_CSR, rows, columns, count, (int *)offsets,
				       (int *)indices, (void *)values, base, type };

	WANT_HANDLE();
	WANT(rows >= 0 && columns >= 0 && count >= 0);
	BY_TYPE(type, run(handle, turn<T>, 1, a, to_offsets, to_indices,
			  action == CUSPARSE_ACTION_NUMERIC ? (T *)to_values : (T *)nullptr))
}
}
