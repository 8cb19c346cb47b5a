/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cusparse.cu -- the calls of cusparse.h by kernels of ours: what -lcusparse links.
 *
 * Their requests to memory are those of these kernels, which are plain ones: a thread for each row,
 * or for each value, and one thread where rows depend on those before.  Device memory is the host's
 * here: scalars are read wherever they lie.
 */
#include <cusparse.h>

#define THREADS 256
#define SPARE	8 /* bytes of a buffer: none is needed, but some programs want one */

struct cusparseContext {
	cudaStream_t stream;
	cusparsePointerMode_t mode;
};
struct cusparseMatDescr {
	cusparseMatrixType_t Type;
	cusparseIndexBase_t IndexBase;
	cusparseFillMode_t FillMode;
	cusparseDiagType_t DiagType;
};
struct cusparseDnVecDescr {
	int64_t size;
	void *values;
	cudaDataType type;
};
struct cusparseDnMatDescr {
	int64_t rows, columns, ld;
	void *values;
	cudaDataType type;
	cusparseOrder_t order;
	int batch; /* matrices, 0 as 1 */
	int64_t stride;
};
/* offsets: of rows (CSR) or columns (CSC), or each value's row (COO); indices: the others. */
struct cusparseSpMatDescr {
	cusparseFormat_t format;
	int64_t rows, columns, count;
	int *offsets, *indices;
	void *values;
	int base;
	cudaDataType type;
	cusparseFillMode_t fill;
	cusparseDiagType_t diagonal;
	int batch;
	int64_t offsets_stride, stride;
	bool wide; /* offsets and indices have 64 bits */
};
struct cusparseSpSVDescr {
	bool analysed;
};
struct csrilu02Info {
	int pivot; /* the first row whose pivot is 0 or not there; -1: none */
};

namespace
{
template <class T> struct same {
	typedef T type;
};
template <class... P> cusparseStatus_t run(cusparseHandle_t h, void (*kernel)(P...), int64_t threads,
					   typename same<P>::type... given)
{
	void *arguments[] = { (void *)&given... };
	unsigned block = threads == 1 ? 1 : THREADS;

	if (threads <= 0)
		return CUSPARSE_STATUS_SUCCESS;
	return cudaLaunchKernel((const void *)kernel, (unsigned)((threads + block - 1) / block),
				block, arguments, 0, h->stream) == cudaSuccess
		       ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}
template <class T> T scalar(const void *p) { return *(const T *)p; }

/* What a kernel is told of a matrix.  I: the type of its indices. */
template <class T, class I = int> struct sparse {
	int rows, columns, count, base;
	I *offsets, *indices;
	T *values;
	sparse(const cusparseSpMatDescr &a) : rows((int)a.rows), columns((int)a.columns),
		count((int)a.count), base(a.base), offsets((I *)a.offsets),
		indices((I *)a.indices), values((T *)a.values) {}
};
template <class T> struct dense {
	long long down, across; /* from an element to the next one of its column, of its row */
	int rows, columns;
	T *values;
	dense(const cusparseDnMatDescr &a, bool turned = false) : rows((int)a.rows),
		columns((int)a.columns), values((T *)a.values)
	{
		bool by_rows = (a.order == CUSPARSE_ORDER_ROW) != turned;
		down = by_rows ? a.ld : 1;
		across = by_rows ? 1 : a.ld;
		if (turned) {
			rows = (int)a.columns;
			columns = (int)a.rows;
		}
	}
	/* A vector is a matrix of one column. */
	dense(const cusparseDnVecDescr &a) : down(1), across(a.size), rows((int)a.size), columns(1),
		values((T *)a.values) {}
	__device__ T &at(int i, int j) const { return values[i * down + j * across]; }
};

__device__ int thread() { return (int)(blockIdx.x * blockDim.x + threadIdx.x); }

/* ---- products: a vector is a matrix of one column -------------------------------------- */

template <class T, class I> __global__ void gather(sparse<T, I> a, dense<T> b, dense<T> c, T alpha,
						   T beta)
{
	int i = thread() / c.columns, j = thread() % c.columns;
	T sum = 0;
	if (i >= c.rows)
		return;
	for (int k = a.offsets[i] - a.base; k < a.offsets[i + 1] - a.base; k++)
		sum += a.values[k] * b.at(a.indices[k] - a.base, j);
	T *out = &c.at(i, j);
	*out = alpha * sum + (beta == 0 ? 0 : beta * *out);
}
template <class T> __global__ void scale(dense<T> c, T beta)
{
	int i = thread() / c.columns, j = thread() % c.columns;
	if (i < c.rows)
		c.at(i, j) = beta == 0 ? 0 : beta * c.at(i, j);
}
/* Of a compressed matrix, turned: its row is the source's. */
template <class T, class I> __global__ void scatter(sparse<T, I> a, dense<T> b, dense<T> c, int lines,
						    T alpha)
{
	int i = thread() / c.columns, j = thread() % c.columns;
	if (i >= lines)
		return;
	for (int k = a.offsets[i] - a.base; k < a.offsets[i + 1] - a.base; k++)
		atomicAdd(&c.at(a.indices[k] - a.base, j), alpha * a.values[k] * b.at(i, j));
}
template <class T, class I> __global__ void scatter_each(sparse<T, I> a, dense<T> b, dense<T> c, bool turned,
						T alpha)
{
	int k = thread() / c.columns, j = thread() % c.columns;
	if (k >= a.count)
		return;
	int row = a.offsets[k] - a.base, column = a.indices[k] - a.base;
	atomicAdd(&c.at(turned ? column : row, j),
		  alpha * a.values[k] * b.at(turned ? row : column, j));
}

/* The row of a value: the last that begins at it or before. */
template <class T> __device__ int row_of(const sparse<T> &a, int k)
{
	int low = 0, high = a.rows;
	while (high - low > 1) {
		int middle = (low + high) / 2;
		if (a.offsets[middle] - a.base <= k)
			low = middle;
		else
			high = middle;
	}
	return low;
}
template <class T> __global__ void sample(dense<T> a, dense<T> b, sparse<T> c, T alpha, T beta)
{
	int k = thread();
	T sum = 0;
	if (k >= c.count)
		return;
	int row = row_of(c, k), column = c.indices[k] - c.base;
	for (int i = 0; i < a.columns; i++)
		sum += a.at(row, i) * b.at(i, column);
	c.values[k] = alpha * sum + (beta == 0 ? 0 : beta * c.values[k]);
}
/* Of a batch those at `n`. */
template <class T> dense<T> one_of(const cusparseDnMatDescr &a, bool turned, int n)
{
	cusparseDnMatDescr one = a;
	one.values = (T *)a.values + n * a.stride;
	return dense<T>(one, turned);
}
template <class T> cusparseStatus_t sample_all(cusparseHandle_t h, const cusparseDnMatDescr &a,
					       bool turn_a, const cusparseDnMatDescr &b, bool turn_b,
					       const cusparseSpMatDescr &c, T alpha, T beta)
{
	cusparseStatus_t status = CUSPARSE_STATUS_SUCCESS;

	for (int n = 0; n < (c.batch ? c.batch : 1) && status == CUSPARSE_STATUS_SUCCESS; n++) {
		cusparseSpMatDescr one = c;
		one.offsets += n * c.offsets_stride;
		one.indices += n * c.stride;
		one.values = (T *)c.values + n * c.stride;
		status = run(h, sample<T>, c.count, one_of<T>(a, turn_a, n), one_of<T>(b, turn_b, n),
			     sparse<T>(one), alpha, beta);
	}
	return status;
}

template <class T, class I> cusparseStatus_t
multiply_by(cusparseHandle_t h, bool turned, const cusparseSpMatDescr &a, dense<T> b, dense<T> c,
					     T alpha, T beta)
{
	int64_t columns = c.columns, lines = a.format == CUSPARSE_FORMAT_CSC ? a.columns : a.rows;
	cusparseStatus_t status;

	if (a.format != CUSPARSE_FORMAT_COO && turned == (a.format == CUSPARSE_FORMAT_CSC))
		return run(h, gather<T, I>, c.rows * columns, a, b, c, alpha, beta);
	status = run(h, scale<T>, c.rows * columns, c, beta);
	if (status != CUSPARSE_STATUS_SUCCESS)
		return status;
	return a.format == CUSPARSE_FORMAT_COO
		       ? run(h, scatter_each<T, I>, a.count * columns, a, b, c, turned, alpha)
		       : run(h, scatter<T, I>, lines * columns, a, b, c, (int)lines, alpha);
}

template <class T> cusparseStatus_t multiply(cusparseHandle_t h, bool turned,
					     const cusparseSpMatDescr &a, dense<T> b, dense<T> c,
					     T alpha, T beta)
{
	return a.wide ? multiply_by<T, long long>(h, turned, a, b, c, alpha, beta)
		      : multiply_by<T, int>(h, turned, a, b, c, alpha, beta);
}

/* ---- triangles --------------------------------------------------------------------------- */

/* One row of a triangle after the other. */
template <class T> __global__ void solve(sparse<T> a, const T *x, T *y, bool upper, bool unit,
					 T alpha)
{
	for (int n = 0; n < a.rows; n++) {
		int i = upper ? a.rows - 1 - n : n;
		T sum = alpha * x[i], pivot = 1;
		for (int k = a.offsets[i] - a.base; k < a.offsets[i + 1] - a.base; k++) {
			int j = a.indices[k] - a.base;
			if (upper ? j > i : j < i)
				sum -= a.values[k] * y[j];
			else if (j == i && !unit)
				pivot = a.values[k];
		}
		y[i] = sum / pivot;
	}
}
/* The same of it turned: what is solved is taken from the rows that follow. */
template <class T> __global__ void solve_turned(sparse<T> a, const T *x, T *y, bool upper, bool unit,
						T alpha)
{
	for (int i = 0; i < a.rows; i++)
		y[i] = alpha * x[i];
	for (int n = 0; n < a.rows; n++) {
		int i = upper ? n : a.rows - 1 - n;
		int from = a.offsets[i] - a.base, to = a.offsets[i + 1] - a.base;
		for (int k = from; k < to && !unit; k++) {
			if (a.indices[k] - a.base == i)
				y[i] /= a.values[k];
		}
		for (int k = from; k < to; k++) {
			int j = a.indices[k] - a.base;
			if (upper ? j > i : j < i)
				y[j] -= a.values[k] * y[i];
		}
	}
}

template <class T> __device__ int place(const T *a, int from, int to, int column)
{
	for (; from < to && a[from] < column; from++)
		;
	return from < to && a[from] == column ? from : -1;
}
template <class T> __global__ void ilu(int rows, T *values, const int *offsets, const int *indices,
				       int base, csrilu02Info *info)
{
	info->pivot = -1;
	for (int i = 0; i < rows; i++) {
		int from = offsets[i] - base, to = offsets[i + 1] - base;
		for (int k = from; k < to && indices[k] - base < i; k++) {
			int row = indices[k] - base, end = offsets[row + 1] - base;
			int d = place(indices, offsets[row] - base, end, row + base);
			if (d < 0)
				continue;
			values[k] /= values[d];
			for (int m = d + 1; m < end; m++) {
				int at = place(indices, k + 1, to, indices[m]);
				if (at >= 0)
					values[at] -= values[k] * values[m];
			}
		}
		int d = place(indices, from, to, i + base);
		if (info->pivot < 0 && (d < 0 || values[d] == 0))
			info->pivot = i + base;
	}
}

/* ---- other forms --------------------------------------------------------------------------- */

__global__ void rows_of(const int *offsets, int rows, int base, int *row_of)
{
	int i = thread();
	if (i >= rows)
		return;
	for (int k = offsets[i] - base; k < offsets[i + 1] - base; k++)
		row_of[k] = i + base;
}
/* The first value of a row is the first that is not of a row before. */
__global__ void offsets_of(const int *row_of, int count, int rows, int base, int *offsets)
{
	int i = thread(), low = 0, high = count;
	if (i > rows)
		return;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (row_of[middle] - base < i)
			low = middle + 1;
		else
			high = middle;
	}
	offsets[i] = low + base;
}
template <class T> __global__ void turn(sparse<T> a, int *offsets, int *indices, T *values)
{
	for (int j = 0; j <= a.columns; j++)
		offsets[j] = 0;
	for (int k = 0; k < a.count; k++)
		offsets[a.indices[k] - a.base]++;
	for (int j = 0, sum = a.base; j <= a.columns; j++) {
		int n = offsets[j];
		offsets[j] = sum;
		sum += n;
	}
	for (int i = 0; i < a.rows; i++) {
		for (int k = a.offsets[i] - a.base; k < a.offsets[i + 1] - a.base; k++) {
			int at = offsets[a.indices[k] - a.base]++ - a.base;
			indices[at] = i + a.base;
			if (values)
				values[at] = a.values[k];
		}
	}
	for (int j = a.columns; j > 0; j--)
		offsets[j] = offsets[j - 1];
	offsets[0] = a.base;
}
template <class T, class I> __global__ void spread(sparse<T, I> a, dense<T> b,
						   cusparseFormat_t format)
{
	int i = thread();
	if (format == CUSPARSE_FORMAT_COO) {
		if (i < a.count)
			b.at(a.offsets[i] - a.base, a.indices[i] - a.base) = a.values[i];
		return;
	}
	bool by_rows = format == CUSPARSE_FORMAT_CSR;
	if (i >= (by_rows ? a.rows : a.columns))
		return;
	for (int k = a.offsets[i] - a.base; k < a.offsets[i + 1] - a.base; k++) {
		int j = a.indices[k] - a.base;
		b.at(by_rows ? i : j, by_rows ? j : i) = a.values[k];
	}
}
template <class T, class I> __global__ void count_rows(dense<T> a, I *offsets, int base)
{
	int i = thread(), n = 0;
	if (i >= a.rows)
		return;
	for (int j = 0; j < a.columns; j++)
		n += a.at(i, j) != 0;
	offsets[i + 1] = n;
	if (i == 0)
		offsets[0] = base;
}
template <class I> __global__ void add_up(I *offsets, int rows)
{
	for (int i = 0; i < rows; i++)
		offsets[i + 1] += offsets[i];
}
template <class T, class I> __global__ void collect(dense<T> a, sparse<T, I> b)
{
	int i = thread();
	if (i >= a.rows)
		return;
	for (int j = 0, k = b.offsets[i] - b.base; j < a.columns; j++) {
		if (a.at(i, j) != 0) {
			b.indices[k] = j + b.base;
			b.values[k++] = a.at(i, j);
		}
	}
}

template <class T, class I> cusparseStatus_t to_dense(cusparseHandle_t h, const cusparseSpMatDescr &a,
					     const cusparseDnMatDescr &b)
{
	int64_t lines = a.format == CUSPARSE_FORMAT_CSR ? a.rows
			: a.format == CUSPARSE_FORMAT_CSC ? a.columns : a.count;
	cusparseStatus_t status = run(h, scale<T>, b.rows * b.columns, b, 0);

	return status == CUSPARSE_STATUS_SUCCESS ? run(h, spread<T, I>, lines, a, b, a.format) : status;
}
template <class T, class I> cusparseStatus_t count_all(cusparseHandle_t h, const cusparseDnMatDescr &a,
					      cusparseSpMatDescr *b)
{
	I *offsets = (I *)b->offsets, last = b->base;
	cusparseStatus_t status = run(h, count_rows<T, I>, a.rows, a, offsets, b->base);

	if (status == CUSPARSE_STATUS_SUCCESS)
		status = run(h, add_up<I>, 1, offsets, (int)a.rows);
	if (status == CUSPARSE_STATUS_SUCCESS && a.rows &&
	    cudaMemcpy(&last, offsets + a.rows, sizeof last, cudaMemcpyDeviceToHost) != cudaSuccess)
		status = CUSPARSE_STATUS_MAPPING_ERROR;
	b->count = last - b->base;
	return status;
}

bool is_number(cudaDataType type) { return type == CUDA_R_32F || type == CUDA_R_64F; }
bool turns(cusparseOperation_t op) { return op != CUSPARSE_OPERATION_NON_TRANSPOSE; }

cusparseStatus_t describe(cusparseSpMatDescr **matrix, const cusparseSpMatDescr &given,
			  cusparseIndexType_t of_offsets, cusparseIndexType_t of_indices)
{
	if (!matrix || given.rows < 0 || given.columns < 0 || given.count < 0)
		return CUSPARSE_STATUS_INVALID_VALUE;
	*matrix = nullptr;
	if (of_offsets != of_indices || of_offsets == CUSPARSE_INDEX_16U ||
	    !is_number(given.type) || given.rows > INT32_MAX || given.columns > INT32_MAX ||
	    given.count > INT32_MAX)
		return CUSPARSE_STATUS_NOT_SUPPORTED;
	*matrix = new cusparseSpMatDescr(given);
	(*matrix)->wide = of_offsets == CUSPARSE_INDEX_64I;
	return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t give_buffer(cusparseHandle_t h, size_t *bytes)
{
	if (!h)
		return CUSPARSE_STATUS_NOT_INITIALIZED;
	if (!bytes)
		return CUSPARSE_STATUS_INVALID_VALUE;
	*bytes = SPARE;
	return CUSPARSE_STATUS_SUCCESS;
}
}

#define WANT(condition) \
	do { \
		if (!(condition)) \
			return CUSPARSE_STATUS_INVALID_VALUE; \
	} while (0)
#define WANT_HANDLE() \
	do { \
		if (!handle) \
			return CUSPARSE_STATUS_NOT_INITIALIZED; \
	} while (0)
/* The call with T for the kind of number. */
#define BY_TYPE(TYPE, ...) \
	switch (TYPE) { \
	case CUDA_R_32F: { \
		typedef float T; \
		return __VA_ARGS__; \
	} \
	case CUDA_R_64F: { \
		typedef double T; \
		return __VA_ARGS__; \
	} \
	default: \
		return CUSPARSE_STATUS_NOT_SUPPORTED; \
	}

#include "cusparse_calls.h"
#include "cusparse_more.cu"
