/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cublas.cu -- the calls of cublas_v2.h by kernels of ours: what -lcublas links.
 *
 * Matrices lie column by column.  Their requests to memory are those of these kernels, which are
 * plain ones, not those of NVIDIA's library.  Device memory is the host's here: scalars are read
 * wherever they lie.
 */
#include <cublas_v2.h>
#include <cuda_bf16.h>

#define TILE	16
#define THREADS 256

struct cublasContext {
	cudaStream_t stream;
	cublasPointerMode_t mode;
	void *result; /* 16 bytes of the device's */
};

namespace
{
/* cuComplex with arithmetic. */
template <class R> struct complex {
	R x, y;
	complex() = default;
	__host__ __device__ complex(R real, R imaginary = 0) : x(real), y(imaginary) {}
	friend __device__ complex operator+(complex a, complex b) { return { a.x + b.x,
		a.y + b.y }; }
	friend __device__ complex operator-(complex a, complex b) { return { a.x - b.x,
		a.y - b.y }; }
	friend __device__ complex operator*(complex a, complex b)
	{
		return { a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x };
	}
	friend __device__ complex operator/(complex a, complex b)
	{
		R d = b.x * b.x + b.y * b.y;
		return { (a.x * b.x + a.y * b.y) / d, (a.y * b.x - a.x * b.y) / d };
	}
	friend __device__ bool operator==(complex a, complex b) { return a.x == b.x && a.y == b.y; }
	__device__ complex &operator+=(complex b) { return *this = *this + b; }
	__device__ complex &operator-=(complex b) { return *this = *this - b; }
	__device__ complex &operator*=(complex b) { return *this = *this * b; }
};
template <class T> __device__ T conjugate(T v) { return v; }
template <class R> __device__ complex<R> conjugate(complex<R> v) { return { v.x, -v.y }; }
template <class T> __device__ T conjugate_if(bool yes, T v) { return yes ? conjugate(v) : v; }

template <class T> struct same {
	typedef T type;
};

template <class... P> cublasStatus_t run(cublasHandle_t h, void (*kernel)(P...), dim3 grid,
					 dim3 block, typename same<P>::type... given)
{
	void *arguments[] = { (void *)&given... };

	if (!grid.x || !grid.y || !grid.z)
		return CUBLAS_STATUS_SUCCESS;
	return cudaLaunchKernel((const void *)kernel, grid, block, arguments, 0, h->stream) ==
			       cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

unsigned blocks(int n,
		int each) { return n > 0 ? (unsigned)((n + (long long)each - 1) / each) : 0; }

/* ---- vectors ---------------------------------------------------------------------------- */

/* Element i of n; a negative step begins at the end. */
__device__ long long place(long long i, long long n, long long step)
{
	return step >= 0 ? i * step : (i - (n - 1)) * step;
}
__device__ int thread() { return (int)(blockIdx.x * blockDim.x + threadIdx.x); }

template <class T> __global__ void axpy(int n, T alpha, const T *x, int incx, T *y, int incy)
{
	int i = thread();
	if (i < n)
		y[place(i, n, incy)] += alpha * x[place(i, n, incx)];
}
template <class T> __global__ void scal(int n, T alpha, T *x, int incx)
{
	int i = thread();
	if (i < n)
		x[place(i, n, incx)] *= alpha;
}
template <class T> __global__ void copy(int n, const T *x, int incx, T *y, int incy)
{
	int i = thread();
	if (i < n)
		y[place(i, n, incy)] = x[place(i, n, incx)];
}
template <class T> __global__ void swap(int n, T *x, int incx, T *y, int incy)
{
	int i = thread();
	if (i < n) {
		T *p = x + place(i, n, incx), *q = y + place(i, n, incy), t = *p;
		*p = *q;
		*q = t;
	}
}

/* One block adds up f(i) of all elements. */
template <class T, class F> __device__ T sum_of(int n, F f)
{
	__shared__ T part[THREADS];
	T sum = 0;
	for (int i = (int)threadIdx.x; i < n; i += THREADS)
		sum += f(i);
	part[threadIdx.x] = sum;
	__syncthreads();
	for (unsigned by = THREADS / 2; by; by /= 2) {
		if (threadIdx.x < by)
			part[threadIdx.x] += part[threadIdx.x + by];
		__syncthreads();
	}
	return part[0];
}
template <class T> __global__ void dot(int n, const T *x, int incx, const T *y, int incy, T *result)
{
	T sum = sum_of<T>(n, [=](int i) { return x[place(i, n, incx)] * y[place(i, n, incy)]; });
	if (threadIdx.x == 0)
		*result = sum;
}
template <class T> __device__ T magnitude(T x) { return x < 0 ? -x : x; }
template <class R> __device__ R magnitude(complex<R> v) { return magnitude(v.x) + magnitude(v.y); }
template <class T> __global__ void asum(int n, const T *x, int incx, T *result)
{
	T sum = sum_of<T>(n, [=](int i) { return magnitude(x[place(i, n, incx)]); });
	if (threadIdx.x == 0)
		*result = sum;
}
/* By the largest element, so that no square is out of range; one that is no number has no scale. */
template <class T> __global__ void nrm2(int n, const T *x, int incx, const int *largest, T *result)
{
	T scale = magnitude(x[(long long)(*largest - 1) * incx]);
	if (!(scale > 0 && scale - scale == 0))
		scale = 1;
	T sum = sum_of<T>(n, [=](int i) {
		T v = x[(long long)i * incx] / scale;
		return v * v;
	});
	if (threadIdx.x == 0)
		*result = scale * sqrt(sum);
}
/* The first, from 1, of the largest or least magnitude. */
template <class T, bool LEAST> __global__ void extreme(int n, const T *x, int incx, int *result)
{
	typedef decltype(magnitude(T())) R;
	__shared__ R value[THREADS];
	__shared__ int at[THREADS];
	R best = 0;
	int where = n;
	for (int i = (int)threadIdx.x; i < n; i += THREADS) {
		R v = magnitude(x[(long long)i * incx]);
		if (where == n || (LEAST ? v < best : v > best)) {
			best = v;
			where = i;
		}
	}
	value[threadIdx.x] = best;
	at[threadIdx.x] = where;
	__syncthreads();
	if (threadIdx.x)
		return;
	for (int t = 1; t < THREADS; t++) {
		bool better = LEAST ? value[t] < best : value[t] > best;
		if (at[t] < n && (better || (value[t] == best && at[t] < where))) {
			best = value[t];
			where = at[t];
		}
	}
	*result = where + 1;
}

template <class T> cublasStatus_t finish(cublasHandle_t h, cublasStatus_t status, T *result)
{
	if (status == CUBLAS_STATUS_SUCCESS &&
	    cudaMemcpy(result, h->result, sizeof(T), cudaMemcpyDefault) != cudaSuccess)
		status = CUBLAS_STATUS_MAPPING_ERROR;
	return status;
}

/* ---- matrices ---------------------------------------------------------------------------- */

template <class T> __device__ T element(const T *a, long long lda, int op, int row, int column)
{
	return op == CUBLAS_OP_N ? a[row + column * lda]
				 : conjugate_if(op == CUBLAS_OP_C, a[column + row * lda]);
}

template <class T> __global__ void gemv(int op, int rows, int inner, T alpha, const T *a,
		int lda,
					const T *x, int incx, T beta, T *y, int incy)
{
	int i = thread();
	T sum = 0;
	if (i >= rows)
		return;
	for (int k = 0; k < inner; k++)
		sum += element(a, lda, op, i, k) * x[place(k, inner, incx)];
	T *out = y + place(i, rows, incy);
	*out = alpha * sum + (beta == 0 ? 0 : beta * *out);
}
template <class T> __global__ void ger(int m, int n, T alpha, const T *x, int incx, const T *y,
		int incy,
				       T *a, int lda)
{
	int i = (int)(blockIdx.x * TILE + threadIdx.x), j = (int)(blockIdx.y * TILE + threadIdx.y);
	if (i < m && j < n)
		a[i + (long long)j * lda] += alpha * x[place(i, m, incx)] * y[place(j, n, incy)];
}
template <class T> __global__ void geam(int opa, int opb, int m, int n, T alpha,
		const T *a,
					int lda, T beta, const T *b, int ldb, T *c, int ldc)
{
	int i = (int)(blockIdx.x * TILE + threadIdx.x), j = (int)(blockIdx.y * TILE + threadIdx.y);
	if (i < m && j < n)
		c[i + (long long)j * ldc] =
			(alpha == 0 ? 0 : alpha * element(a, lda, opa, i, j)) +
			(beta == 0 ? 0 : beta * element(b, ldb, opb, i, j));
}

/* By tiles in shared memory: one element of c a thread. */
template <class T> __device__ void multiply(int opa, int opb, int m, int n, int inner,
					    T alpha, const T *a, int lda, const T *b, int ldb,
		T beta,
					    T *c, int ldc)
{
	__shared__ T left[TILE][TILE], right[TILE][TILE];
	int x = (int)threadIdx.x, y = (int)threadIdx.y;
	int i = (int)blockIdx.x * TILE + x, j = (int)blockIdx.y * TILE + y;
	T sum = 0;
	for (int from = 0; from < inner; from += TILE) {
		left[y][x] = i < m && from + y < inner ? element(a, lda, opa, i, from + y) : 0;
		right[y][x] = j < n && from + x < inner ? element(b, ldb, opb, from + x,
		j) : 0;
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += left[k][x] * right[y][k];
		__syncthreads();
	}
	if (i < m && j < n) {
		T *out = c + i + (long long)j * ldc;
		*out = alpha * sum + (beta == 0 ? 0 : beta * *out);
	}
}
template <class T> __global__ void gemm(int opa, int opb, int m, int n, int inner,
		T alpha,
					const T *a, int lda, long long stride_a, const T *b,
		int ldb,
					long long stride_b, T beta, T *c, int ldc,
		long long stride_c)
{
	long long z = blockIdx.z;
	multiply(opa, opb, m, n, inner, alpha, a + z * stride_a, lda,
		b + z * stride_b, ldb,
		 beta, c + z * stride_c, ldc);
}
template <class T> __global__ void gemm_each(int opa, int opb, int m, int n, int inner,
					     T alpha, const T *const *a, int lda, const T *const *b,
					     int ldb, T beta, T *const *c, int ldc)
{
	multiply(opa, opb, m, n, inner, alpha, a[blockIdx.z], lda, b[blockIdx.z], ldb,
		beta,
		 c[blockIdx.z], ldc);
}

/* Is there room for the rows of op(a), rows x columns? */
bool fits(cublasOperation_t op, int rows, int columns, int lda)
{
	int height = op == CUBLAS_OP_N ? rows : columns;

	return (unsigned)op <= CUBLAS_OP_C && rows >= 0 && columns >= 0 && lda >= (height > 1 ? height : 1);
}
bool fits_gemm(cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k, int lda, int ldb,
	       int ldc)
{
	return fits(opa, m, k, lda) && fits(opb, k, n, ldb) && fits(CUBLAS_OP_N, m, n, ldc);
}
const dim3 tile(TILE, TILE);
dim3 tiles(int m, int n, int batch = 1) { return dim3(blocks(m, TILE), blocks(n, TILE),
		(unsigned)batch); }
}

#define WANT(condition) \
	do { \
		if (!handle) \
			return CUBLAS_STATUS_NOT_INITIALIZED; \
		if (!(condition)) \
			return CUBLAS_STATUS_INVALID_VALUE; \
	} while (0)

/* Each part is a module of its own, since a kernel waits for all of its module to be read. */
#if WS_LIBRARY_PART == 1
extern "C" {
cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
	if (!handle)
		return CUBLAS_STATUS_INVALID_VALUE;
	*handle = new cublasContext();
	if (cudaMalloc(&(*handle)->result, 16) == cudaSuccess)
		return CUBLAS_STATUS_SUCCESS;
	delete *handle;
	*handle = nullptr;
	return CUBLAS_STATUS_ALLOC_FAILED;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle)
{
	WANT(true);
	cudaFree(handle->result);
	delete handle;
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version)
{
	WANT(version);
	*version = CUDART_VERSION * 10;
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream)
{
	WANT(true);
	handle->stream = stream;
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream)
{
	WANT(stream);
	*stream = handle->stream;
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode)
{
	WANT((unsigned)mode <= CUBLAS_POINTER_MODE_DEVICE);
	handle->mode = mode;
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode)
{
	WANT(mode);
	*mode = handle->mode;
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t)
{
	WANT(true);
	return CUBLAS_STATUS_SUCCESS;
}
const char *cublasGetStatusName(cublasStatus_t status)
{
#define CASE(NAME, NUMBER) case CUBLAS_STATUS_##NAME: return "CUBLAS_STATUS_" #NAME;
	switch (status) {
		WS_CUBLAS_STATUSES(CASE)
	}
#undef CASE
	return "unrecognized status";
}
const char *cublasGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }

static cublasStatus_t carry(int rows, int columns, int size, const void *a, long long lda, void *b,
			    long long ldb, cudaMemcpyKind kind)
{
	size_t width = (size_t)rows * (size_t)size;

	if (rows < 0 || columns < 0 || size <= 0 || lda < rows || ldb < rows || lda <= 0 || ldb <= 0)
		return CUBLAS_STATUS_INVALID_VALUE;
	return cudaMemcpy2D(b, (size_t)ldb * (size_t)size, a, (size_t)lda * (size_t)size, width,
			    (size_t)columns, kind) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
								 : CUBLAS_STATUS_MAPPING_ERROR;
}
cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx, void *y, int incy)
{
	return carry(1, n, size, x, incx, y, incy, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void *a, int lda, void *b,
	int ldb)
{
	return carry(rows, columns, size, a, lda, b, ldb, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasSetVectorAsync(int n, int size, const void *x, int incx, void *y, int incy,
		cudaStream_t)
{
	return carry(1, n, size, x, incx, y, incy, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int size, const void *a, int lda,
		void *b,
	int ldb, cudaStream_t)
{
	return carry(rows, columns, size, a, lda, b, ldb, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetVector(int n, int size, const void *x, int incx, void *y, int incy)
{
	return carry(1, n, size, x, incx, y, incy, cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void *a, int lda, void *b,
	int ldb)
{
	return carry(rows, columns, size, a, lda, b, ldb, cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasGetVectorAsync(int n, int size, const void *x, int incx, void *y, int incy,
		cudaStream_t)
{
	return carry(1, n, size, x, incx, y, incy, cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int size, const void *a, int lda,
		void *b,
	int ldb, cudaStream_t)
{
	return carry(rows, columns, size, a, lda, b, ldb, cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasSaxpy(cublasHandle_t handle, int n, const float *alpha, const float *x, int
			   incx, float *y, int incy)
{
	WANT(true);
	return run(handle, axpy<float>, blocks(n, THREADS), THREADS, n, *alpha, x, incx, y,
		   incy);
}
cublasStatus_t cublasDaxpy(cublasHandle_t handle, int n, const double *alpha, const double *x,
			   int incx, double *y, int incy)
{
	WANT(true);
	return run(handle, axpy<double>, blocks(n, THREADS), THREADS, n, *alpha, x, incx, y,
		   incy);
}
cublasStatus_t cublasSscal(cublasHandle_t handle, int n, const float *alpha, float *x, int incx)
{
	WANT(true);
	return run(handle, scal<float>, blocks(n, THREADS), THREADS, n, *alpha, x, incx);
}
cublasStatus_t cublasDscal(cublasHandle_t handle, int n, const double *alpha, double *x, int
			   incx)
{
	WANT(true);
	return run(handle, scal<double>, blocks(n, THREADS), THREADS, n, *alpha, x, incx);
}
cublasStatus_t cublasScopy(cublasHandle_t handle, int n, const float *x, int incx, float *y, int
			   incy)
{
	WANT(true);
	return run(handle, copy<float>, blocks(n, THREADS), THREADS, n, x, incx, y, incy);
}
cublasStatus_t cublasDcopy(cublasHandle_t handle, int n, const double *x, int incx, double *y,
			   int incy)
{
	WANT(true);
	return run(handle, copy<double>, blocks(n, THREADS), THREADS, n, x, incx, y, incy);
}
cublasStatus_t cublasSswap(cublasHandle_t handle, int n, float *x, int incx, float *y, int incy)
{
	WANT(true);
	return run(handle, swap<float>, blocks(n, THREADS), THREADS, n, x, incx, y, incy);
}
cublasStatus_t cublasDswap(cublasHandle_t handle, int n, double *x, int incx, double *y, int
			   incy)
{
	WANT(true);
	return run(handle, swap<double>, blocks(n, THREADS), THREADS, n, x, incx, y, incy);
}
cublasStatus_t cublasSdot(cublasHandle_t handle, int n, const float *x, int incx, const float
			   *y, int incy, float *result)
{
	WANT(result);
	return finish(handle, run(handle, dot<float>, 1, THREADS, n, x, incx, y, incy, (float
		   *)handle->result), result);
}
cublasStatus_t cublasDdot(cublasHandle_t handle, int n, const double *x, int incx, const double
			   *y, int incy, double *result)
{
	WANT(result);
	return finish(handle, run(handle, dot<double>, 1, THREADS, n, x, incx, y, incy, (double
		   *)handle->result), result);
}
cublasStatus_t cublasSnrm2(cublasHandle_t handle, int n, const float *x, int incx, float
			   *result)
{
	WANT(result);
	if (n <= 0 || incx <= 0)
		return cublasSasum(handle, 0, x, 1, result);
	int *largest = (int *)handle->result + 3;
	cublasStatus_t status = run(handle, extreme<float, false>, 1, THREADS, n, x, incx, largest);
	if (status == CUBLAS_STATUS_SUCCESS)
		status = run(handle, nrm2<float>, 1, THREADS, n, x, incx, (const int *)largest,
		(float *)handle->result);
	return finish(handle, status, result);
}
cublasStatus_t cublasDnrm2(cublasHandle_t handle, int n, const double *x, int incx, double
			   *result)
{
	WANT(result);
	if (n <= 0 || incx <= 0)
		return cublasDasum(handle, 0, x, 1, result);
	int *largest = (int *)handle->result + 3;
	cublasStatus_t status = run(handle, extreme<double, false>, 1, THREADS, n, x, incx,
		largest);
	if (status == CUBLAS_STATUS_SUCCESS)
		status = run(handle, nrm2<double>, 1, THREADS, n, x, incx, (const int *)largest,
		(double *)handle->result);
	return finish(handle, status, result);
}
cublasStatus_t cublasSasum(cublasHandle_t handle, int n, const float *x, int incx, float
			   *result)
{
	WANT(result);
	return finish(handle, run(handle, asum<float>, 1, THREADS, incx > 0 ? n : 0, x, incx,
		   (float *)handle->result), result);
}
cublasStatus_t cublasDasum(cublasHandle_t handle, int n, const double *x, int incx, double
			   *result)
{
	WANT(result);
	return finish(handle, run(handle, asum<double>, 1, THREADS, incx > 0 ? n : 0, x, incx,
		   (double *)handle->result), result);
}
cublasStatus_t cublasIsamax(cublasHandle_t handle, int n, const float *x, int incx, int *result)
{
	WANT(result);
	if (n <= 0 || incx <= 0)
		return cudaMemset(handle->result, 0, 4), finish(handle, CUBLAS_STATUS_SUCCESS,
		result);
	return finish(handle, run(handle, extreme<float, false>, 1, THREADS, n, x, incx, (int
		   *)handle->result), result);
}
cublasStatus_t cublasIdamax(cublasHandle_t handle, int n, const double *x, int incx, int
			   *result)
{
	WANT(result);
	if (n <= 0 || incx <= 0)
		return cudaMemset(handle->result, 0, 4), finish(handle, CUBLAS_STATUS_SUCCESS,
		result);
	return finish(handle, run(handle, extreme<double, false>, 1, THREADS, n, x, incx, (int
		   *)handle->result), result);
}
cublasStatus_t cublasIsamin(cublasHandle_t handle, int n, const float *x, int incx, int *result)
{
	WANT(result);
	if (n <= 0 || incx <= 0)
		return cudaMemset(handle->result, 0, 4), finish(handle, CUBLAS_STATUS_SUCCESS,
		result);
	return finish(handle, run(handle, extreme<float, true>, 1, THREADS, n, x, incx, (int
		   *)handle->result), result);
}
cublasStatus_t cublasIdamin(cublasHandle_t handle, int n, const double *x, int incx, int
			   *result)
{
	WANT(result);
	if (n <= 0 || incx <= 0)
		return cudaMemset(handle->result, 0, 4), finish(handle, CUBLAS_STATUS_SUCCESS,
		result);
	return finish(handle, run(handle, extreme<double, true>, 1, THREADS, n, x, incx, (int
		   *)handle->result), result);
}
cublasStatus_t cublasSgemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const
			   float *alpha, const float *a, int lda, const float *x, int incx,
		const float *beta, float
			   *y, int incy)
{
	bool across = op != CUBLAS_OP_N;
	WANT(fits(CUBLAS_OP_N, m, n, lda) && (unsigned)op <= CUBLAS_OP_C && incx && incy);
	return run(handle, gemv<float>, blocks(across ? n : m, THREADS), THREADS, op, across
		   ? n : m, across ? m : n, *alpha, a, lda, x, incx, *beta, y, incy);
}
cublasStatus_t cublasDgemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const
			   double *alpha, const double *a, int lda, const double *x, int incx,
		const double *beta,
			   double *y, int incy)
{
	bool across = op != CUBLAS_OP_N;
	WANT(fits(CUBLAS_OP_N, m, n, lda) && (unsigned)op <= CUBLAS_OP_C && incx && incy);
	return run(handle, gemv<double>, blocks(across ? n : m, THREADS), THREADS, op,
		   across ? n : m, across ? m : n, *alpha, a, lda, x, incx, *beta, y, incy);
}
cublasStatus_t cublasSger(cublasHandle_t handle, int m, int n, const float *alpha, const float
			   *x, int incx, const float *y, int incy, float *a, int lda)
{
	WANT(fits(CUBLAS_OP_N, m, n, lda) && incx && incy);
	return run(handle, ger<float>, tiles(m, n), tile, m, n, *alpha, x, incx, y, incy, a,
		   lda);
}
cublasStatus_t cublasDger(cublasHandle_t handle, int m, int n, const double *alpha, const double
			   *x, int incx, const double *y, int incy, double *a, int lda)
{
	WANT(fits(CUBLAS_OP_N, m, n, lda) && incx && incy);
	return run(handle, ger<double>, tiles(m, n), tile, m, n, *alpha, x, incx, y, incy, a,
		   lda);
}
cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
			   int m, int n, int k, const float *alpha, const float *a, int lda,
		const float *b, int ldb,
			   const float *beta, float *c, int ldc)
{
	WANT(fits_gemm(opa, opb, m, n, k, lda, ldb, ldc));
	return run(handle, gemm<float>, tiles(m, n), tile, opa, opb, m, n, k, *alpha, a, lda, 0LL,
		b, ldb, 0LL, *beta, c, ldc, 0LL);
}
cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
			   int m, int n, int k, const double *alpha, const double *a, int lda,
		const double *b, int
			   ldb, const double *beta, double *c, int ldc)
{
	WANT(fits_gemm(opa, opb, m, n, k, lda, ldb, ldc));
	return run(handle, gemm<double>, tiles(m, n), tile, opa, opb, m, n, k, *alpha, a, lda, 0LL,
		b, ldb, 0LL, *beta, c, ldc, 0LL);
}
cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t opa,
			   cublasOperation_t opb, int m, int n, int k, const float *alpha,
		const float *a, int lda,
			   long long stride_a, const float *b, int ldb, long long stride_b,
		const float *beta, float
			   *c, int ldc, long long stride_c, int batch)
{
	WANT(batch >= 0 && fits_gemm(opa, opb, m, n, k, lda, ldb, ldc));
	return run(handle, gemm<float>, tiles(m, n, batch), tile, opa, opb, m, n, k, *alpha, a, lda,
		stride_a, b, ldb, stride_b, *beta, c,
		   ldc, stride_c);
}
cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t handle, cublasOperation_t opa,
			   cublasOperation_t opb, int m, int n, int k, const double *alpha,
		const double *a, int lda,
			   long long stride_a, const double *b, int ldb, long long stride_b,
		const double *beta,
			   double *c, int ldc, long long stride_c, int batch)
{
	WANT(batch >= 0 && fits_gemm(opa, opb, m, n, k, lda, ldb, ldc));
	return run(handle, gemm<double>, tiles(m, n, batch), tile, opa, opb, m, n, k, *alpha, a,
		lda, stride_a, b, ldb, stride_b, *beta, c,
		   ldc, stride_c);
}
cublasStatus_t cublasSgemmBatched(cublasHandle_t handle, cublasOperation_t opa,
			   cublasOperation_t opb, int m, int n, int k, const float *alpha,
		const float *const a[],
			   int lda, const float *const b[], int ldb, const float *beta,
		float *const c[], int ldc,
			   int batch)
{
	WANT(batch >= 0 && fits_gemm(opa, opb, m, n, k, lda, ldb, ldc));
	return run(handle, gemm_each<float>, tiles(m, n, batch), tile, opa, opb, m, n, k, *alpha, a,
		lda, b, ldb, *beta, c, ldc);
}
cublasStatus_t cublasDgemmBatched(cublasHandle_t handle, cublasOperation_t opa,
			   cublasOperation_t opb, int m, int n, int k, const double *alpha,
		const double *const a[],
			   int lda, const double *const b[], int ldb, const double *beta,
		double *const c[], int ldc,
			   int batch)
{
	WANT(batch >= 0 && fits_gemm(opa, opb, m, n, k, lda, ldb, ldc));
	return run(handle, gemm_each<double>, tiles(m, n, batch), tile, opa, opb, m, n, k, *alpha,
		a, lda, b, ldb, *beta, c, ldc);
}
cublasStatus_t cublasSgeam(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
			   int m, int n, const float *alpha, const float *a, int lda,
		const float *beta, const float
			   *b, int ldb, float *c, int ldc)
{
	WANT(fits(opa, m, n, lda) && fits(opb, m, n, ldb) && fits(CUBLAS_OP_N, m, n, ldc));
	return run(handle, geam<float>, tiles(m, n), tile, opa, opb, m, n, *alpha, a, lda, *beta, b,
		ldb, c, ldc);
}
cublasStatus_t cublasDgeam(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
			   int m, int n, const double *alpha, const double *a, int lda,
		const double *beta, const
			   double *b, int ldb, double *c, int ldc)
{
	WANT(fits(opa, m, n, lda) && fits(opb, m, n, ldb) && fits(CUBLAS_OP_N, m, n, ldc));
	return run(handle, geam<double>, tiles(m, n), tile, opa, opb, m, n, *alpha, a, lda, *beta,
		b, ldb, c, ldc);
}
}
#elif WS_LIBRARY_PART == 2
#include "cublas_more.cu"
#else
#include "cublas_mixed.cu"
#include "cublas_least.cu"
#include "cublas_lt.cu"
#endif
