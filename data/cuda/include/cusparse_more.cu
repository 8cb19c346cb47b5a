/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cusparse_more.cu -- the calls of cusparse_more.h.  A thread has a value of a vector, a right side
 * of a triangle or a row of a product; one thread sorts.
 *
 * Part of cusparse.cu, which includes it.
 */
struct cusparseSpVecDescr {
	int64_t size, count;
	int *indices;
	void *values;
	cusparseIndexBase_t base;
	cudaDataType type;
};
struct cusparseSpSMDescr {
	bool analysed;
};
/* Of each row of the product: where its room begins, columns and values there, how many. */
struct cusparseSpGEMMDescr {
	int *begin, *columns, *counts;
	void *values;
};

namespace
{
/* ---- vectors --------------------------------------------------------------------------- */

template <class T> __global__ void scale_vector(int n, T *y, T beta)
{
	int i = thread();
	if (i < n)
		y[i] = beta == T(0) ? T(0) : beta * y[i];
}
template <class T> __global__ void add_sparse(int n, const int *indices, int base, const T *x, T *y,
					      T alpha)
{
	int i = thread();
	if (i < n)
		y[indices[i] - base] += alpha * x[i];
}
template <class T> __global__ void gather_values(int n, const int *indices, int base, T *x, const T *y)
{
	int i = thread();
	if (i < n)
		x[i] = y[indices[i] - base];
}
template <class T> __global__ void scatter_values(int n, const int *indices, int base, const T *x, T *y)
{
	int i = thread();
	if (i < n)
		y[indices[i] - base] = x[i];
}
template <class T> __global__ void rotate(int n, const int *indices, int base, T *x, T *y, T c, T s)
{
	int i = thread();
	if (i >= n)
		return;
	T *to = y + (indices[i] - base), v = *to;
	*to = c * v - s * x[i];
	x[i] = c * x[i] + s * v;
}
template <class T> __global__ void dot_sparse(int n, const int *indices, int base, const T *x,
					      const T *y, T *out)
{
	__shared__ T part[THREADS];
	T sum = 0;
	for (int i = (int)threadIdx.x; i < n; i += THREADS)
		sum += x[i] * y[indices[i] - base];
	part[threadIdx.x] = sum;
	__syncthreads();
	for (unsigned by = THREADS / 2; by; by /= 2) {
		if (threadIdx.x < by)
			part[threadIdx.x] += part[threadIdx.x + by];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		*out = part[0];
}
template <class T> cusparseStatus_t axpby(cusparseHandle_t h, const cusparseSpVecDescr &x,
					  const cusparseDnVecDescr &y, T alpha, T beta)
{
	cusparseStatus_t status = run(h, scale_vector<T>, y.size, (int)y.size, (T *)y.values, beta);

	return status != CUSPARSE_STATUS_SUCCESS
		       ? status : run(h, add_sparse<T>, x.count, (int)x.count, x.indices, x.base,
				      (const T *)x.values, (T *)y.values, alpha);
}
template <class T> cusparseStatus_t dot(cusparseHandle_t h, const cusparseSpVecDescr &x,
					const cusparseDnVecDescr &y, T *result)
{
	T *out;
	if (cudaMalloc(&out, sizeof *out) != cudaSuccess)
		return CUSPARSE_STATUS_ALLOC_FAILED;
	cusparseStatus_t status = run(h, dot_sparse<T>, THREADS, (int)x.count, x.indices, x.base,
				      (const T *)x.values, (const T *)y.values, out);
	if (status == CUSPARSE_STATUS_SUCCESS &&
	    cudaMemcpy(result, out, sizeof *out, cudaMemcpyDefault) != cudaSuccess)
		status = CUSPARSE_STATUS_EXECUTION_FAILED;
	cudaFree(out);
	return status;
}

/* ---- triangles with many right sides ----------------------------------------------------- */

template <class T> __global__ void solve_each(sparse<T> a, dense<T> b, dense<T> c, bool turned,
					      bool upper, bool unit, T alpha)
{
	const int j = thread();
	if (j >= c.columns)
		return;
	for (int i = 0; i < a.rows; i++)
		c.at(i, j) = alpha * b.at(i, j);
	for (int n = 0; n < a.rows; n++) {
		int i = upper != turned ? a.rows - 1 - n : n;
		T pivot = 1, sum = c.at(i, j);
		int from = a.offsets[i] - a.base, to = a.offsets[i + 1] - a.base;
		for (int k = from; k < to; k++) {
			int l = a.indices[k] - a.base;
			if (l == i && !unit)
				pivot = a.values[k];
			else if (!turned && (upper ? l > i : l < i))
				sum -= a.values[k] * c.at(l, j);
		}
		c.at(i, j) = sum / pivot;
		for (int k = from; k < to && turned; k++) {
			int l = a.indices[k] - a.base;
			if (upper ? l > i : l < i)
				c.at(l, j) -= a.values[k] * (sum / pivot);
		}
	}
}

/* ---- products -------------------------------------------------------------------------- */

/* At most so many columns has row i: those that are in several rows of b are counted for each. */
template <class T> __global__ void bound_rows(sparse<T> a, sparse<T> b, int *begin)
{
	int i = thread(), n = 0;
	if (i >= a.rows)
		return;
	for (int k = a.offsets[i] - a.base; k < a.offsets[i + 1] - a.base; k++) {
		int j = a.indices[k] - a.base;
		n += b.offsets[j + 1] - b.offsets[j];
	}
	begin[i + 1] = n;
	if (i == 0)
		begin[0] = 0;
}
/* Where column is among n in order, or belongs. */
__device__ int rank_of(const int *columns, int n, int column)
{
	int low = 0;
	for (int high = n; low < high;) {
		int middle = (low + high) / 2;
		if (columns[middle] < column)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
template <class T> __global__ void multiply_rows(sparse<T> a, sparse<T> b, const int *begin, int *columns,
						 T *values, int *counts)
{
	int i = thread(), n = 0;
	if (i >= a.rows)
		return;
	int *column = columns + begin[i];
	T *value = values + begin[i];
	for (int k = a.offsets[i] - a.base; k < a.offsets[i + 1] - a.base; k++) {
		int row = a.indices[k] - a.base;
		for (int l = b.offsets[row] - b.base; l < b.offsets[row + 1] - b.base; l++) {
			int j = b.indices[l] - b.base, at = rank_of(column, n, j);
			T v = a.values[k] * b.values[l];
			if (at < n && column[at] == j) {
				value[at] += v;
				continue;
			}
			for (int m = n++; m > at; m--) {
				column[m] = column[m - 1];
				value[m] = value[m - 1];
			}
			column[at] = j;
			value[at] = v;
		}
	}
	counts[i + 1] = n;
	if (i == 0)
		counts[0] = 0;
}
template <class T> __global__ void copy_rows(sparse<T> c, const int *begin, const int *columns,
					     const T *values, const int *to, T alpha)
{
	int i = thread();
	if (i >= c.rows)
		return;
	c.offsets[i + 1] = to[i + 1] + c.base;
	if (i == 0)
		c.offsets[0] = c.base;
	for (int k = to[i]; k < to[i + 1]; k++) {
		c.indices[k] = columns[begin[i] + k - to[i]] + c.base;
		c.values[k] = alpha * values[begin[i] + k - to[i]];
	}
}
void forget(cusparseSpGEMMDescr *p)
{
	cudaFree(p->begin);
	cudaFree(p->columns);
	cudaFree(p->counts);
	cudaFree(p->values);
	*p = {};
}
template <class T> cusparseStatus_t make_product(cusparseHandle_t h, cusparseSpGEMMDescr *p,
						 const cusparseSpMatDescr &a,
						 const cusparseSpMatDescr &b, cusparseSpMatDescr *c)
{
	const size_t bytes = (size_t)(a.rows + 1) * sizeof(int);
	int room = 0, all = 0;

	forget(p);
	if (a.rows == 0)
		return CUSPARSE_STATUS_SUCCESS;
	if (cudaMalloc(&p->begin, bytes) || cudaMalloc(&p->counts, bytes))
		return CUSPARSE_STATUS_ALLOC_FAILED;
	cusparseStatus_t status = run(h, bound_rows<T>, a.rows, a, b, p->begin);
	if (status == CUSPARSE_STATUS_SUCCESS)
		status = run(h, add_up<int>, 1, p->begin, (int)a.rows);
	if (status != CUSPARSE_STATUS_SUCCESS)
		return status;
	cudaMemcpy(&room, p->begin + a.rows, sizeof room, cudaMemcpyDeviceToHost);
	if (cudaMalloc(&p->columns, ((size_t)room + 1) * sizeof(int)) ||
	    cudaMalloc(&p->values, ((size_t)room + 1) * sizeof(T)))
		return CUSPARSE_STATUS_ALLOC_FAILED;
	status = run(h, multiply_rows<T>, a.rows, a, b, p->begin, p->columns, (T *)p->values, p->counts);
	if (status == CUSPARSE_STATUS_SUCCESS)
		status = run(h, add_up<int>, 1, p->counts, (int)a.rows);
	cudaMemcpy(&all, p->counts + a.rows, sizeof all, cudaMemcpyDeviceToHost);
	c->count = all;
	return status;
}
bool is_plain_csr(const cusparseSpMatDescr *a, cudaDataType type)
{
	return a->format == CUSPARSE_FORMAT_CSR && !a->wide && a->type == type;
}

/* ---- counts and orders ----------------------------------------------------------------- */

template <class T> __global__ void count_lines(int lines, int length, const T *a, long long step,
					       long long next, int *counts)
{
	int i = thread(), n = 0;
	if (i >= lines)
		return;
	for (int j = 0; j < length; j++)
		n += a[i * step + j * next] != T(0);
	counts[i] = n;
}
template <class T> cusparseStatus_t count_in(cusparseHandle_t h, bool by_rows, int rows, int columns,
					     const T *a, int ld, int *counts, int *all)
{
	const int lines = by_rows ? rows : columns;
	cusparseStatus_t status = run(h, count_lines<T>, lines, lines, by_rows ? columns : rows, a,
				      by_rows ? 1LL : (long long)ld, by_rows ? (long long)ld : 1LL,
				      counts);
	int sum = 0;

	for (int i = 0; i < lines && status == CUSPARSE_STATUS_SUCCESS; i++)
		sum += counts[i]; /* device memory is the host's here */
	*all = sum;
	return status;
}
__global__ void number(int n, int *p)
{
	int i = thread();
	if (i < n)
		p[i] = i;
}
struct triples { /* in the order of first, then of second */
	int *first, *second, *permutation;
	__device__ bool less(int i, int j) const
	{
		return first[i] != first[j] ? first[i] < first[j] : second[i] < second[j];
	}
	__device__ void swap(int i, int j) const
	{
		int a = first[i], b = second[i], p = permutation[i];
		first[i] = first[j], second[i] = second[j], permutation[i] = permutation[j];
		first[j] = a, second[j] = b, permutation[j] = p;
	}
	__device__ void sink(int i, int n) const
	{
		for (int child; (child = 2 * i + 1) < n; i = child) {
			child += child + 1 < n && less(child, child + 1);
			if (!less(i, child))
				return;
			swap(i, child);
		}
	}
};
__global__ void sort_triples(triples t, int n)
{
	for (int i = n / 2; i-- > 0;)
		t.sink(i, n);
	for (int end = n; end-- > 1;) {
		t.swap(0, end);
		t.sink(0, end);
	}
}
__global__ void sort_rows(int rows, const int *offsets, int base, int *indices, int *permutation)
{
	int i = thread();
	if (i >= rows)
		return;
	const int from = offsets[i] - base, to = offsets[i + 1] - base;
	for (int k = from + 1; k < to; k++) {
		int column = indices[k], p = permutation ? permutation[k] : 0, l = k;
		for (; l > from && indices[l - 1] > column; l--) {
			indices[l] = indices[l - 1];
			if (permutation)
				permutation[l] = permutation[l - 1];
		}
		indices[l] = column;
		if (permutation)
			permutation[l] = p;
	}
}
}

extern "C" {
cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *vector, int64_t size, int64_t count,
				     void *indices, void *values, cusparseIndexType_t index_type,
				     cusparseIndexBase_t base, cudaDataType type)
{
	WANT(vector && count >= 0 && count <= size && size <= INT32_MAX);
	if (index_type != CUSPARSE_INDEX_32I || !is_number(type))
		return CUSPARSE_STATUS_NOT_SUPPORTED;
	*vector = new cusparseSpVecDescr{ size, count, (int *)indices, values, base, type };
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector)
{
	delete vector;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t vector, int64_t *size, int64_t *count,
				  void **indices, void **values, cusparseIndexType_t *index_type,
				  cusparseIndexBase_t *base, cudaDataType *type)
{
	WANT(vector && size && count && indices && values && index_type && base && type);
	*size = vector->size, *count = vector->count, *indices = vector->indices;
	*values = vector->values, *index_type = CUSPARSE_INDEX_32I, *base = vector->base;
	*type = vector->type;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t vector, void **values)
{
	WANT(vector && values);
	*values = vector->values;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector, void *values)
{
	WANT(vector);
	vector->values = values;
	return CUSPARSE_STATUS_SUCCESS;
}
#define ARE_ALIKE(x, y) WANT(x && y && x->size == y->size && x->type == y->type)
cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha, cusparseConstSpVecDescr_t x,
			       const void *beta, cusparseDnVecDescr_t y)
{
	WANT_HANDLE();
	ARE_ALIKE(x, y);
	WANT(alpha && beta);
	BY_TYPE(x->type, axpby<T>(handle, *x, *y, scalar<T>(alpha), scalar<T>(beta)))
}
cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y,
				cusparseSpVecDescr_t x)
{
	WANT_HANDLE();
	ARE_ALIKE(x, y);
	BY_TYPE(x->type, run(handle, gather_values<T>, x->count, (int)x->count, x->indices, x->base,
			     (T *)x->values, (const T *)y->values))
}
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
				 cusparseDnVecDescr_t y)
{
	WANT_HANDLE();
	ARE_ALIKE(x, y);
	BY_TYPE(x->type, run(handle, scatter_values<T>, x->count, (int)x->count, x->indices, x->base,
			     (const T *)x->values, (T *)y->values))
}
cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void *c, const void *s,
			     cusparseSpVecDescr_t x, cusparseDnVecDescr_t y)
{
	WANT_HANDLE();
	ARE_ALIKE(x, y);
	WANT(c && s);
	BY_TYPE(x->type, run(handle, rotate<T>, x->count, (int)x->count, x->indices, x->base,
			     (T *)x->values, (T *)y->values, scalar<T>(c), scalar<T>(s)))
}
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t,
					 cusparseConstSpVecDescr_t, cusparseConstDnVecDescr_t,
					 const void *, cudaDataType, size_t *bytes)
{
	return give_buffer(handle, bytes);
}
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t, cusparseConstSpVecDescr_t x,
			      cusparseConstDnVecDescr_t y, void *result, cudaDataType type, void *)
{
	WANT_HANDLE();
	ARE_ALIKE(x, y);
	WANT(result && x->type == type);
	BY_TYPE(type, dot<T>(handle, *x, *y, (T *)result))
}
#undef ARE_ALIKE

cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *solve)
{
	WANT(solve);
	*solve = new cusparseSpSMDescr();
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t solve)
{
	delete solve;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t, cusparseOperation_t,
					 const void *, cusparseConstSpMatDescr_t,
					 cusparseConstDnMatDescr_t, cusparseDnMatDescr_t, cudaDataType,
					 cusparseSpSMAlg_t, cusparseSpSMDescr_t, size_t *bytes)
{
	return give_buffer(handle, bytes);
}
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t, cusparseOperation_t,
				       const void *, cusparseConstSpMatDescr_t,
				       cusparseConstDnMatDescr_t, cusparseDnMatDescr_t, cudaDataType,
				       cusparseSpSMAlg_t, cusparseSpSMDescr_t solve, void *)
{
	WANT_HANDLE();
	WANT(solve);
	solve->analysed = true;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t opa,
				    cusparseOperation_t opb, const void *alpha,
				    cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
				    cusparseDnMatDescr_t c, cudaDataType type, cusparseSpSMAlg_t,
				    cusparseSpSMDescr_t how)
{
	WANT_HANDLE();
	WANT(alpha && a && b && c && how && how->analysed && a->rows == a->columns &&
	     c->rows == a->rows && (turns(opb) ? b->columns : b->rows) == a->rows &&
	     (turns(opb) ? b->rows : b->columns) == c->columns);
	if (!is_plain_csr(a, type) || b->type != type || c->type != type)
		return CUSPARSE_STATUS_NOT_SUPPORTED;
	BY_TYPE(type, run(handle, solve_each<T>, c->columns, *a, dense<T>(*b, turns(opb)), *c, turns(opa),
			  a->fill == CUSPARSE_FILL_MODE_UPPER,
			  a->diagonal == CUSPARSE_DIAG_TYPE_UNIT, scalar<T>(alpha)))
}

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *product)
{
	WANT(product);
	*product = new cusparseSpGEMMDescr();
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t product)
{
	if (product)
		forget(product);
	delete product;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t,
					       cusparseOperation_t, const void *,
					       cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t,
					       const void *, cusparseSpMatDescr_t, cudaDataType,
					       cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t, size_t *bytes,
					       void *)
{
	return give_buffer(handle, bytes);
}
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t opa,
					cusparseOperation_t opb, const void *alpha,
					cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
					const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
					cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t product,
					size_t *bytes, void *buffer)
{
	WANT_HANDLE();
	WANT(alpha && beta && a && b && c && product && bytes && a->columns == b->rows &&
	     c->rows == a->rows && c->columns == b->columns);
	if (turns(opa) || turns(opb) || !is_plain_csr(a, type) || !is_plain_csr(b, type) ||
	    !is_plain_csr(c, type))
		return CUSPARSE_STATUS_NOT_SUPPORTED;
	if (!buffer)
		return give_buffer(handle, bytes);
	BY_TYPE(type, make_product<T>(handle, product, *a, *b, c))
}
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t, cusparseOperation_t,
				     const void *alpha, cusparseConstSpMatDescr_t,
				     cusparseConstSpMatDescr_t, const void *beta,
				     cusparseSpMatDescr_t c, cudaDataType type, cusparseSpGEMMAlg_t,
				     cusparseSpGEMMDescr_t product)
{
	WANT_HANDLE();
	WANT(alpha && beta && c && product && (product->counts || !c->rows));
	if (!is_plain_csr(c, type) ||
	    (type == CUDA_R_64F ? *(const double *)beta : (double)*(const float *)beta) != 0)
		return CUSPARSE_STATUS_NOT_SUPPORTED;
	BY_TYPE(type, run(handle, copy_rows<T>, c->rows, *c, product->begin, product->columns,
			  (const T *)product->values, product->counts, scalar<T>(alpha)))
}

#define NNZ(S, T) \
	cusparseStatus_t cusparse##S##nnz(cusparseHandle_t handle, cusparseDirection_t direction, \
					  int rows, int columns, const cusparseMatDescr_t, const T *a, \
					  int ld, int *counts, int *all) \
	{ \
		WANT_HANDLE(); \
		WANT(rows >= 0 && columns >= 0 && ld >= rows && counts && all); \
		return count_in<T>(handle, direction == CUSPARSE_DIRECTION_ROW, rows, columns, a, ld, \
				   counts, all); \
	}
NNZ(S, float)
NNZ(D, double)
#undef NNZ

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int count, int *permutation)
{
	WANT_HANDLE();
	WANT(count >= 0 && permutation);
	return run(handle, number, count, count, permutation);
}
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int, int, int, const int *,
						const int *, size_t *bytes)
{
	return give_buffer(handle, bytes);
}
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int, int, int count, int *row_of,
				       int *column_of, int *permutation, void *)
{
	WANT_HANDLE();
	WANT(count >= 0 && row_of && column_of && permutation);
	return run(handle, sort_triples, 1, triples{ row_of, column_of, permutation }, count);
}
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int, int, int count, int *row_of,
					  int *column_of, int *permutation, void *)
{
	WANT_HANDLE();
	WANT(count >= 0 && row_of && column_of && permutation);
	return run(handle, sort_triples, 1, triples{ column_of, row_of, permutation }, count);
}
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int, int, int, const int *,
						const int *, size_t *bytes)
{
	return give_buffer(handle, bytes);
}
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int rows, int, int, const cusparseMatDescr_t matrix,
				  const int *offsets, int *indices, int *permutation, void *)
{
	WANT_HANDLE();
	WANT(rows >= 0 && matrix && offsets && indices);
	return run(handle, sort_rows, rows, rows, offsets, matrix->IndexBase, indices, permutation);
}
}
