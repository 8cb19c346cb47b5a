/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cublas_more.cu -- the calls of cublas_calls.h: triangles, symmetric and complex matrices, and
 * factors of many small ones.
 *
 * Part of cublas.cu, which includes it.  A thread has an element of the result, or a vector where
 * elements depend on those before.
 */
namespace
{
/* The numbers that kernels know cuBLAS's by. */
template <class T> struct kernel_type {
	typedef T type;
};
template <> struct kernel_type<cuComplex> {
	typedef complex<float> type;
};
template <> struct kernel_type<cuDoubleComplex> {
	typedef complex<double> type;
};
template <class T> using number = typename kernel_type<T>::type;
template <class T> number<T> *as(T *p) { return (number<T> *)p; }
template <class T> const number<T> *as(const T *p) { return (const number<T> *)p; }
template <class T> number<T> *const *as(T *const *p) { return (number<T> *const *)p; }
template <class T> const number<T> *const *as(const T *const *p)
{
	return (const number<T> *const *)p;
}

/* ---- triangles -------------------------------------------------------------------------- */

/* A triangular matrix, transposed if op says so. */
template <class T> struct triangle {
	const T *a;
	long long lda;
	int op;
	bool upper, unit; /* as it lies */
	__device__ bool is_upper() const { return upper == (op == CUBLAS_OP_N); }
	__device__ T at(int i, int j) const
	{
		int row = op == CUBLAS_OP_N ? i : j, column = op == CUBLAS_OP_N ? j : i;

		if (unit && i == j)
			return 1;
		T v = a[row + column * lda];
		return op == CUBLAS_OP_C ? conjugate(v) : v;
	}
};
/* Vectors of n elements: element i of the v-th is p[v * next + i * step]. */
template <class T> struct vectors {
	T *p;
	long long step, next;
	__device__ T &at(int v, int i) const { return p[v * next + i * step]; }
};
/* Of the triangle t, or of its transpose. */
template <class T> __device__ T entry(const triangle<T> &t, bool across, int i, int k)
{
	return across ? t.at(k, i) : t.at(i, k);
}

/* to = alpha t from, in place if they are one. */
template <class T> __global__ void trmm(triangle<T> t, bool across, int n, int count, T alpha,
					vectors<const T> from, vectors<T> to)
{
	int v = thread();
	bool upper = t.is_upper() != across;

	if (v >= count)
		return;
	for (int s = 0; s < n; s++) {
		int i = upper ? s : n - 1 - s;
		T sum = 0;
		for (int k = upper ? i : 0; k < (upper ? n : i + 1); k++)
			sum += entry(t, across, i, k) * from.at(v, k);
		to.at(v, i) = alpha * sum;
	}
}
/* t x = alpha x before. */
template <class T> __device__ void solve(const triangle<T> &t, bool across, int n, int v, T alpha,
					 vectors<T> x)
{
	bool upper = t.is_upper() != across;

	for (int s = 0; s < n; s++) {
		int i = upper ? n - 1 - s : s;
		T sum = alpha * x.at(v, i);
		for (int k = upper ? i + 1 : 0; k < (upper ? n : i); k++)
			sum -= entry(t, across, i, k) * x.at(v, k);
		x.at(v, i) = t.unit ? sum : sum / entry(t, across, i, i);
	}
}
template <class T> __global__ void trsm(triangle<T> t, bool across, int n, int count, T alpha,
					vectors<T> x)
{
	int v = thread();
	if (v < count)
		solve(t, across, n, v, alpha, x);
}
template <class T> __global__ void trsm_each(const T *const *a, triangle<T> t, bool across, int n,
					     int count, T alpha, T *const *b, vectors<T> x)
{
	int v = thread();

	t.a = a[blockIdx.y];
	x.p = b[blockIdx.y];
	if (v < count)
		solve(t, across, n, v, alpha, x);
}

/* ---- symmetric matrices ------------------------------------------------------------------ */

__device__ bool within(bool upper, int i, int j) { return upper ? i <= j : i >= j; }
template <class T> __device__ T symmetric(const T *a, long long lda, bool upper, int i, int j)
{
	return within(upper, i, j) ? a[i + j * lda] : a[j + i * lda];
}
template <class T> __device__ T scaled(T beta, T v) { return beta == 0 ? T(0) : beta * v; }

template <class T> __global__ void symv(bool upper, int n, T alpha, const T *a, int lda, const T *x,
					int incx, T beta, T *y, int incy)
{
	int i = thread();
	T sum = 0;

	if (i >= n)
		return;
	for (int k = 0; k < n; k++)
		sum += symmetric(a, lda, upper, i, k) * x[place(k, n, incx)];
	T *out = y + place(i, n, incy);
	*out = alpha * sum + scaled(beta, *out);
}
template <class T> __global__ void syr(bool upper, int n, T alpha, const T *x, int incx, const T *y,
				       int incy, T *a, int lda)
{
	int i = (int)(blockIdx.x * TILE + threadIdx.x), j = (int)(blockIdx.y * TILE + threadIdx.y);

	if (i >= n || j >= n || !within(upper, i, j))
		return;
	T *out = a + i + (long long)j * lda;
	*out += alpha * x[place(i, n, incx)] * (y ? y : x)[place(j, n, y ? incy : incx)];
	if (y)
		*out += alpha * y[place(i, n, incy)] * x[place(j, n, incx)];
}
template <class T> __global__ void symm(bool left, bool upper, int m, int n, T alpha, const T *a,
					int lda, const T *b, int ldb, T beta, T *c, int ldc)
{
	int i = (int)(blockIdx.x * TILE + threadIdx.x), j = (int)(blockIdx.y * TILE + threadIdx.y);
	T sum = 0;

	if (i >= m || j >= n)
		return;
	for (int k = 0; k < (left ? m : n); k++)
		sum += left ? symmetric(a, lda, upper, i, k) * b[k + (long long)j * ldb]
			    : b[i + (long long)k * ldb] * symmetric(a, lda, upper, k, j);
	T *out = c + i + (long long)j * ldc;
	*out = alpha * sum + scaled(beta, *out);
}
/* b NULL: of a alone. */
template <class T> __global__ void syrk(bool upper, bool across, int n, int inner, T alpha,
					const T *a, int lda, const T *b, int ldb, T beta, T *c,
						int ldc)
{
	int i = (int)(blockIdx.x * TILE + threadIdx.x), j = (int)(blockIdx.y * TILE + threadIdx.y);
	int op = across ? CUBLAS_OP_T : CUBLAS_OP_N;
	T sum = 0;

	if (i >= n || j >= n || !within(upper, i, j))
		return;
	for (int k = 0; k < inner; k++) {
		T left = element(a, lda, op, i, k), right = element(b ? b : a, b ? ldb : lda, op, j,
			k);
		sum += left * right;
		if (b)
			sum += element(b, ldb, op, i, k) * element(a, lda, op, j, k);
	}
	T *out = c + i + (long long)j * ldc;
	*out = alpha * sum + scaled(beta, *out);
}

/* ---- vectors and diagonals ---------------------------------------------------------------- */

template <class T> __global__ void rot(int n, T *x, int incx, T *y, int incy, T c, T s)
{
	int i = thread();

	if (i >= n)
		return;
	T *p = x + place(i, n, incx), *q = y + place(i, n, incy), was = *p;
	*p = c * was + s * *q;
	*q = c * *q - s * was;
}
template <class T> __global__ void dgmm(bool left, int m, int n, const T *a, int lda, const T *x,
					int incx, T *c, int ldc)
{
	int i = (int)(blockIdx.x * TILE + threadIdx.x), j = (int)(blockIdx.y * TILE + threadIdx.y);

	if (i < m && j < n)
		c[i + (long long)j * ldc] = a[i + (long long)j * lda] *
			x[left ? place(i, m, incx) : place(j, n, incx)];
}
template <class T> __global__ void dotc(int n, const T *x, int incx, const T *y, int incy,
	T *result)
{
	T sum = sum_of<T>(n, [=](int i) {
		return conjugate(x[place(i, n, incx)]) * y[place(i, n, incy)];
	});
	if (threadIdx.x == 0)
		*result = sum;
}
/* Of squares, or of magnitudes, in double precision. */
template <class R, bool SQUARES> __global__ void sizes(int n, const complex<R> *x, int incx,
	R *result)
{
	double sum = sum_of<double>(n, [=](int i) {
		complex<R> v = x[(long long)i * incx];
		double a = fabs((double)v.x), b = fabs((double)v.y);
		return SQUARES ? a * a + b * b : a + b;
	});
	if (threadIdx.x == 0)
		*result = (R)(SQUARES ? sqrt(sum) : sum);
}

/* ---- many small matrices -------------------------------------------------------------------- */

/* L and U in place, by one block; pivots from 1, NULL: rows stay.  info is the first pivot of 0. */
template <class T> __global__ void getrf(int n, T *const *list, int lda, int *pivots, int *info)
{
	__shared__ int pivot;
	T *a = list[blockIdx.x];
	int me = (int)threadIdx.x, bad = 0;

	for (int k = 0; k < n; k++) {
		T *column = a + (long long)k * lda;
		if (me == 0) {
			pivot = k;
			for (int i = k + 1; i < n && pivots; i++)
				if (magnitude(column[i]) > magnitude(column[pivot]))
					pivot = i;
			if (pivots)
				pivots[(long long)blockIdx.x * n + k] = pivot + 1;
		}
		__syncthreads();
		for (int j = me; j < n && pivot != k; j += THREADS) {
			T *p = a + (long long)j * lda, t = p[k];
			p[k] = p[pivot];
			p[pivot] = t;
		}
		__syncthreads();
		if (column[k] == T(0)) {
			bad = bad ? bad : k + 1;
			continue;
		}
		for (int i = k + 1 + me; i < n; i += THREADS)
			column[i] = column[i] / column[k];
		__syncthreads();
		for (int at = me; at < (n - k - 1) * (n - k - 1); at += THREADS) {
			int i = k + 1 + at % (n - k - 1), j = k + 1 + at / (n - k - 1);
			a[i + (long long)j * lda] -= column[i] * a[k + (long long)j * lda];
		}
		__syncthreads();
	}
	if (me == 0)
		info[blockIdx.x] = bad;
}
template <class T> __device__ void exchange(vectors<T> x, int v, int i, int pivot)
{
	T t = x.at(v, i);
	x.at(v, i) = x.at(v, pivot - 1);
	x.at(v, pivot - 1) = t;
}
/* op(a) x = x before, a in factors. */
template <class T> __device__ void solve_factors(const T *a, int lda, const int *pivots, int op,
	int n,
						 int v, vectors<T> x)
{
	triangle<T> lower = { a, lda, op, false, true }, upper = { a, lda, op, true, false };

	for (int i = 0; i < n && pivots && op == CUBLAS_OP_N; i++)
		exchange(x, v, i, pivots[i]);
	solve(op == CUBLAS_OP_N ? lower : upper, false, n, v, T(1), x);
	solve(op == CUBLAS_OP_N ? upper : lower, false, n, v, T(1), x);
	for (int i = n - 1; i >= 0 && pivots && op != CUBLAS_OP_N; i--)
		exchange(x, v, i, pivots[i]);
}
template <class T> __global__ void getrs(int op, int n, int count, const T *const *a, int lda,
					 const int *pivots, T *const *b, int ldb)
{
	vectors<T> x = { b[blockIdx.y], 1, ldb };
	int v = thread();

	if (v < count)
		solve_factors(a[blockIdx.y], lda,
			pivots ? pivots + (long long)blockIdx.y * n : nullptr,
			      op, n, v, x);
}
template <class T> __global__ void getri(int n, const T *const *a, int lda, const int *pivots,
					 T *const *c, int ldc, int *info)
{
	vectors<T> x = { c[blockIdx.y], 1, ldc };
	int v = thread(), bad = 0;

	for (int i = n - 1; i >= 0; i--)
		bad = a[blockIdx.y][i + (long long)i * lda] == T(0) ? i + 1 : bad;
	if (v == 0)
		info[blockIdx.y] = bad;
	if (v >= n || bad)
		return;
	for (int i = 0; i < n; i++)
		x.at(v, i) = T(i == v);
	solve_factors(a[blockIdx.y], lda, pivots ? pivots + (long long)blockIdx.y * n : nullptr,
		      CUBLAS_OP_N, n, v, x);
}
/* Gauss and Jordan's way, in place; a thread has a matrix. */
template <class T> __device__ int invert(int n, T *c, long long ldc)
{
	int row_of[32];

	for (int k = 0; k < n; k++) {
		int pivot = k;
		for (int i = k + 1; i < n; i++)
			if (magnitude(c[i + k * ldc]) > magnitude(c[pivot + k * ldc]))
				pivot = i;
		row_of[k] = pivot;
		if (c[pivot + k * ldc] == T(0))
			return k + 1;
		for (int j = 0; j < n && pivot != k; j++) {
			T t = c[k + j * ldc];
			c[k + j * ldc] = c[pivot + j * ldc];
			c[pivot + j * ldc] = t;
		}
		T inverse = T(1) / c[k + k * ldc];
		c[k + k * ldc] = 1;
		for (int j = 0; j < n; j++)
			c[k + j * ldc] = c[k + j * ldc] * inverse;
		for (int i = 0; i < n; i++) {
			T factor = c[i + k * ldc];
			if (i == k)
				continue;
			c[i + k * ldc] = 0;
			for (int j = 0; j < n; j++)
				c[i + j * ldc] -= factor * c[k + j * ldc];
		}
	}
	for (int k = n - 1; k >= 0; k--) {
		for (int i = 0; i < n && row_of[k] != k; i++) {
			T t = c[i + k * ldc];
			c[i + k * ldc] = c[i + row_of[k] * ldc];
			c[i + row_of[k] * ldc] = t;
		}
	}
	return 0;
}
template <class T> __global__ void matinv(int n, const T *const *a, int lda, T *const *c, int ldc,
					  int *info, int batch)
{
	int b = thread();

	if (b >= batch)
		return;
	for (int j = 0; j < n; j++)
		for (int i = 0; i < n; i++)
			c[b][i + (long long)j * ldc] = a[b][i + (long long)j * lda];
	info[b] = invert(n, c[b], ldc);
}

/* ---- what the calls share -------------------------------------------------------------------- */

template <class T> vectors<T> vector_of(T *x, int n, int step)
{
	return { step < 0 && n > 0 ? x - (n - 1) * (long long)step : x, step, 0 };
}
/* Columns of an m x n matrix, or its rows. */
template <class T> vectors<T> lines_of(T *b, int ldb, bool rows)
{
	return { b, rows ? ldb : 1, rows ? 1 : ldb };
}
bool is_square(int n, int lda) { return fits(CUBLAS_OP_N, n, n, lda); }
/* A triangle that an m x n matrix is multiplied by, on the left or on the right. */
bool fits_side(bool left, int m, int n, int lda, int ldb)
{
	return is_square(left ? m : n, lda) && fits(CUBLAS_OP_N, m, n, ldb);
}
}

#define UPPER (uplo == CUBLAS_FILL_MODE_UPPER)
#define LEFT (side == CUBLAS_SIDE_LEFT)
#define TRIANGLE(A) \
	triangle<number<T>> t = { A, lda, op, UPPER, diag == CUBLAS_DIAG_UNIT }; \
	typedef number<T> N

extern "C" {
#define WS_ANY(S, TYPE) \
cublasStatus_t cublas##S##symv(cublasHandle_t handle, cublasFillMode_t uplo, int n, \
	const TYPE *alpha, \
	const TYPE *a, int lda, const TYPE *x, int incx, const TYPE *beta, TYPE *y, int incy) \
{ \
	WANT(is_square(n, lda) && incx && incy); \
	return run(handle, symv<number<TYPE>>, blocks(n, THREADS), THREADS, UPPER, n, *as(alpha), \
		as(a), \
		   lda, as(x), incx, *as(beta), as(y), incy); \
} \
cublasStatus_t cublas##S##syr(cublasHandle_t handle, cublasFillMode_t uplo, int n, \
	const TYPE *alpha, \
	const TYPE *x, int incx, TYPE *a, int lda) \
{ \
	WANT(is_square(n, lda) && incx); \
	return run(handle, syr<number<TYPE>>, tiles(n, n), tile, UPPER, n, *as(alpha), as(x), \
		incx, \
		   nullptr, 0, as(a), lda); \
} \
cublasStatus_t cublas##S##syr2(cublasHandle_t handle, cublasFillMode_t uplo, int n, \
	const TYPE *alpha, \
	const TYPE *x, int incx, const TYPE *y, int incy, TYPE *a, int lda) \
{ \
	WANT(is_square(n, lda) && incx && incy); \
	return run(handle, syr<number<TYPE>>, tiles(n, n), tile, UPPER, n, *as(alpha), as(x), \
		incx, as(y), \
		   incy, as(a), lda); \
} \
cublasStatus_t cublas##S##trmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t op, \
	cublasDiagType_t diag, int n, const TYPE *a, int lda, TYPE *x, int incx) \
{ \
	typedef TYPE T; \
	WANT(is_square(n, lda) && incx); \
	TRIANGLE(as(a)); \
	return run(handle, trmm<N>, 1, 1, t, false, n, 1, N(1), vector_of((const N *)as(x), n, \
		incx), \
		   vector_of(as(x), n, incx)); \
} \
cublasStatus_t cublas##S##trsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t op, \
	cublasDiagType_t diag, int n, const TYPE *a, int lda, TYPE *x, int incx) \
{ \
	typedef TYPE T; \
	WANT(is_square(n, lda) && incx); \
	TRIANGLE(as(a)); \
	return run(handle, trsm<N>, 1, 1, t, false, n, 1, N(1), vector_of(as(x), n, incx)); \
} \
cublasStatus_t cublas##S##symm(cublasHandle_t handle, cublasSideMode_t side, \
	cublasFillMode_t uplo, \
	int m, int n, const TYPE *alpha, const TYPE *a, int lda, const TYPE *b, int ldb, \
	const TYPE *beta, TYPE *c, int ldc) \
{ \
	WANT(fits_side(LEFT, m, n, lda, ldb) && fits(CUBLAS_OP_N, m, n, ldc)); \
	return run(handle, symm<number<TYPE>>, tiles(m, n), tile, LEFT, UPPER, m, n, *as(alpha), \
		as(a), \
		   lda, as(b), ldb, *as(beta), as(c), ldc); \
} \
cublasStatus_t cublas##S##syrk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t op, \
	int n, int k, const TYPE *alpha, const TYPE *a, int lda, const TYPE *beta, TYPE *c, \
		int ldc) \
{ \
	WANT(fits(op, n, k, lda) && is_square(n, ldc)); \
	return run(handle, syrk<number<TYPE>>, tiles(n, n), tile, UPPER, op != CUBLAS_OP_N, n, k, \
		   *as(alpha), as(a), lda, nullptr, 0, *as(beta), as(c), ldc); \
} \
cublasStatus_t cublas##S##syr2k(cublasHandle_t handle, cublasFillMode_t uplo, \
	cublasOperation_t op, \
	int n, int k, const TYPE *alpha, const TYPE *a, int lda, const TYPE *b, int ldb, \
	const TYPE *beta, TYPE *c, int ldc) \
{ \
	WANT(fits(op, n, k, lda) && fits(op, n, k, ldb) && is_square(n, ldc)); \
	return run(handle, syrk<number<TYPE>>, tiles(n, n), tile, UPPER, op != CUBLAS_OP_N, n, k, \
		   *as(alpha), as(a), lda, as(b), ldb, *as(beta), as(c), ldc); \
} \
cublasStatus_t cublas##S##trmm(cublasHandle_t handle, cublasSideMode_t side, \
	cublasFillMode_t uplo, \
	cublasOperation_t op, cublasDiagType_t diag, int m, int n, const TYPE *alpha, \
		const TYPE *a, \
	int lda, const TYPE *b, int ldb, TYPE *c, int ldc) \
{ \
	typedef TYPE T; \
	WANT(fits_side(LEFT, m, n, lda, ldb) && fits(CUBLAS_OP_N, m, n, ldc)); \
	TRIANGLE(as(a)); \
	return run(handle, trmm<N>, blocks(LEFT ? n : m, THREADS), THREADS, t, !LEFT, \
		LEFT ? m : n, \
		   LEFT ? n : m, *as(alpha), lines_of((const N *)as(b), ldb, !LEFT), \
		   lines_of(as(c), ldc, !LEFT)); \
} \
cublasStatus_t cublas##S##trsm(cublasHandle_t handle, cublasSideMode_t side, \
	cublasFillMode_t uplo, \
	cublasOperation_t op, cublasDiagType_t diag, int m, int n, const TYPE *alpha, \
		const TYPE *a, \
	int lda, TYPE *b, int ldb) \
{ \
	typedef TYPE T; \
	WANT(fits_side(LEFT, m, n, lda, ldb)); \
	TRIANGLE(as(a)); \
	return run(handle, trsm<N>, blocks(LEFT ? n : m, THREADS), THREADS, t, !LEFT, \
		LEFT ? m : n, \
		   LEFT ? n : m, *as(alpha), lines_of(as(b), ldb, !LEFT)); \
} \
cublasStatus_t cublas##S##trsmBatched(cublasHandle_t handle, cublasSideMode_t side, \
	cublasFillMode_t uplo, cublasOperation_t op, cublasDiagType_t diag, int m, int n, \
	const TYPE *alpha, const TYPE *const a[], int lda, TYPE *const b[], int ldb, int batch) \
{ \
	typedef TYPE T; \
	WANT(batch >= 0 && fits_side(LEFT, m, n, lda, ldb)); \
	TRIANGLE(nullptr); \
	return run(handle, trsm_each<N>, dim3(blocks(LEFT ? n : m, THREADS), (unsigned)batch), \
		THREADS, \
		   as(a), t, !LEFT, LEFT ? m : n, LEFT ? n : m, *as(alpha), as(b), \
		   lines_of((N *)nullptr, ldb, !LEFT)); \
} \
cublasStatus_t cublas##S##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, \
	const TYPE *a, int lda, const TYPE *x, int incx, TYPE *c, int ldc) \
{ \
	WANT(fits(CUBLAS_OP_N, m, n, lda) && fits(CUBLAS_OP_N, m, n, ldc)); \
	return run(handle, dgmm<number<TYPE>>, tiles(m, n), tile, LEFT, m, n, as(a), lda, as(x), \
		incx, \
		   as(c), ldc); \
} \
cublasStatus_t cublas##S##getrfBatched(cublasHandle_t handle, int n, TYPE *const a[], int lda, \
	int *pivots, int *info, int batch) \
{ \
	WANT(batch >= 0 && is_square(n, lda) && info); \
	return run(handle, getrf<number<TYPE>>, (unsigned)batch, THREADS, n, as(a), lda, pivots, \
		info); \
} \
cublasStatus_t cublas##S##getriBatched(cublasHandle_t handle, int n, const TYPE *const a[], \
	int lda, \
	const int *pivots, TYPE *const c[], int ldc, int *info, int batch) \
{ \
	WANT(batch >= 0 && is_square(n, lda) && is_square(n, ldc) && info); \
	return run(handle, getri<number<TYPE>>, dim3(blocks(n, THREADS), (unsigned)batch), \
		THREADS, n, \
		   as(a), lda, pivots, as(c), ldc, info); \
} \
cublasStatus_t cublas##S##getrsBatched(cublasHandle_t handle, cublasOperation_t op, int n, \
	int columns, \
	const TYPE *const a[], int lda, const int *pivots, TYPE *const b[], int ldb, int *info, \
	int batch) \
{ \
	WANT(batch >= 0 && is_square(n, lda) && fits(CUBLAS_OP_N, n, columns, ldb) && info); \
	*info = 0; \
	return run(handle, getrs<number<TYPE>>, dim3(blocks(columns, THREADS), (unsigned)batch), \
		THREADS, \
		   op, n, columns, as(a), lda, pivots, as(b), ldb); \
} \
cublasStatus_t cublas##S##matinvBatched(cublasHandle_t handle, int n, const TYPE *const a[], \
	int lda, \
	TYPE *const c[], int ldc, int *info, int batch) \
{ \
	WANT(batch >= 0 && n <= 32 && is_square(n, lda) && is_square(n, ldc) && info); \
	return run(handle, matinv<number<TYPE>>, blocks(batch, THREADS), THREADS, n, as(a), lda, \
		as(c), \
		   ldc, info, batch); \
}
WS_ANY(S, float)
WS_ANY(D, double)
WS_ANY(C, cuComplex)
WS_ANY(Z, cuDoubleComplex)

#define WS_REAL(S, T, SQRT, ABS) \
cublasStatus_t cublas##S##rot(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy, \
	const T *c, \
	const T *s) \
{ \
	WANT(true); \
	return run(handle, rot<T>, blocks(n, THREADS), THREADS, n, x, incx, y, incy, *c, *s); \
} \
cublasStatus_t cublas##S##rotg(cublasHandle_t handle, T *a, T *b, T *c, T *s) \
{ \
	WANT(a && b && c && s); \
	T larger = ABS(*a) > ABS(*b) ? *a : *b, r = SQRT(*a * *a + *b * *b), z = 1; \
	r = larger < 0 ? -r : r; \
	*c = r == 0 ? 1 : *a / r; \
	*s = r == 0 ? 0 : *b / r; \
	if (ABS(*a) > ABS(*b)) \
		z = *s; \
	else if (*c != 0) \
		z = 1 / *c; \
	*a = r; \
	*b = r == 0 ? 0 : z; \
	return CUBLAS_STATUS_SUCCESS; \
}
WS_REAL(S, float, sqrtf, fabsf)
WS_REAL(D, double, sqrt, fabs)

/* R: what the names of results that are real begin with, BY_REAL: the call that scales by one,
 * AMAX: the one that finds the largest */
#define WS_COMPLEX_CALLS(S, Z, R, T, BY_REAL, AMAX) \
cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const Z *alpha, const Z *x, int incx, \
	Z *y, int incy) \
{ \
	WANT(true); \
	return run(handle, axpy<complex<T>>, blocks(n, THREADS), THREADS, n, *as(alpha), as(x), \
		incx, \
		   as(y), incy); \
} \
cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const Z *alpha, Z *x, int incx) \
{ \
	WANT(true); \
	return run(handle, scal<complex<T>>, blocks(n, THREADS), THREADS, n, *as(alpha), as(x), \
		incx); \
} \
cublasStatus_t BY_REAL(cublasHandle_t handle, int n, const T *alpha, Z *x, int incx) \
{ \
	WANT(true); \
	return run(handle, scal<complex<T>>, blocks(n, THREADS), THREADS, n, complex<T>(*alpha), \
		as(x), \
		   incx); \
} \
cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const Z *x, int incx, Z *y, int incy) \
{ \
	WANT(true); \
	return run(handle, copy<complex<T>>, blocks(n, THREADS), THREADS, n, as(x), incx, as(y), \
		incy); \
} \
cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, Z *x, int incx, Z *y, int incy) \
{ \
	WANT(true); \
	return run(handle, swap<complex<T>>, blocks(n, THREADS), THREADS, n, as(x), incx, as(y), \
		incy); \
} \
cublasStatus_t cublas##S##dotu(cublasHandle_t handle, int n, const Z *x, int incx, const Z *y, \
	int incy, Z *result) \
{ \
	WANT(result); \
	return finish(handle, run(handle, dot<complex<T>>, 1, THREADS, n, as(x), incx, as(y), \
		incy, \
				  (complex<T> *)handle->result), result); \
} \
cublasStatus_t cublas##S##dotc(cublasHandle_t handle, int n, const Z *x, int incx, const Z *y, \
	int incy, Z *result) \
{ \
	WANT(result); \
	return finish(handle, run(handle, dotc<complex<T>>, 1, THREADS, n, as(x), incx, as(y), \
		incy, \
				  (complex<T> *)handle->result), result); \
} \
cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, \
	const Z *alpha, const Z *a, int lda, const Z *x, int incx, const Z *beta, Z *y, int incy) \
{ \
	bool across = op != CUBLAS_OP_N; \
	WANT(fits(CUBLAS_OP_N, m, n, lda) && (unsigned)op <= CUBLAS_OP_C && incx && incy); \
	return run(handle, gemv<complex<T>>, blocks(across ? n : m, THREADS), THREADS, op, \
		   across ? n : m, across ? m : n, *as(alpha), as(a), lda, as(x), incx, *as(beta), \
		   as(y), \
		   incy); \
} \
cublasStatus_t cublas##S##geru(cublasHandle_t handle, int m, int n, const Z *alpha, const Z *x, \
	int incx, const Z *y, int incy, Z *a, int lda) \
{ \
	WANT(fits(CUBLAS_OP_N, m, n, lda) && incx && incy); \
	return run(handle, ger<complex<T>>, tiles(m, n), tile, m, n, *as(alpha), as(x), incx, \
		as(y), incy, \
		   as(a), lda); \
} \
cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t opa, \
	cublasOperation_t opb, \
	int m, int n, int k, const Z *alpha, const Z *a, int lda, const Z *b, int ldb, \
		const Z *beta, \
	Z *c, int ldc) \
{ \
	WANT(fits_gemm(opa, opb, m, n, k, lda, ldb, ldc)); \
	return run(handle, gemm<complex<T>>, tiles(m, n), tile, opa, opb, m, n, k, *as(alpha), \
		as(a), lda, \
		   0LL, as(b), ldb, 0LL, *as(beta), as(c), ldc, 0LL); \
} \
cublasStatus_t cublas##S##gemmStridedBatched(cublasHandle_t handle, cublasOperation_t opa, \
	cublasOperation_t opb, int m, int n, int k, const Z *alpha, const Z *a, int lda, \
	long long stride_a, const Z *b, int ldb, long long stride_b, const Z *beta, Z *c, int ldc, \
	long long stride_c, int batch) \
{ \
	WANT(batch >= 0 && fits_gemm(opa, opb, m, n, k, lda, ldb, ldc)); \
	return run(handle, gemm<complex<T>>, tiles(m, n, batch), tile, opa, opb, m, n, k, \
		*as(alpha), \
		   as(a), lda, stride_a, as(b), ldb, stride_b, *as(beta), as(c), ldc, stride_c); \
} \
cublasStatus_t cublas##S##gemmBatched(cublasHandle_t handle, cublasOperation_t opa, \
	cublasOperation_t opb, int m, int n, int k, const Z *alpha, const Z *const a[], int lda, \
	const Z *const b[], int ldb, const Z *beta, Z *const c[], int ldc, int batch) \
{ \
	WANT(batch >= 0 && fits_gemm(opa, opb, m, n, k, lda, ldb, ldc)); \
	return run(handle, gemm_each<complex<T>>, tiles(m, n, batch), tile, opa, opb, m, n, k, \
		*as(alpha), \
		   as(a), lda, as(b), ldb, *as(beta), as(c), ldc); \
} \
cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t opa, \
	cublasOperation_t opb, \
	int m, int n, const Z *alpha, const Z *a, int lda, const Z *beta, const Z *b, int ldb, \
		Z *c, \
	int ldc) \
{ \
	WANT(fits(opa, m, n, lda) && fits(opb, m, n, ldb) && fits(CUBLAS_OP_N, m, n, ldc)); \
	return run(handle, geam<complex<T>>, tiles(m, n), tile, opa, opb, m, n, *as(alpha), as(a), \
		lda, \
		   *as(beta), as(b), ldb, as(c), ldc); \
} \
cublasStatus_t AMAX(cublasHandle_t handle, int n, const Z *x, int incx, int *result) \
{ \
	WANT(result); \
	if (n <= 0 || incx <= 0) \
		return cudaMemset(handle->result, 0, 4), finish(handle, CUBLAS_STATUS_SUCCESS, \
			result); \
	return finish(handle, run(handle, extreme<complex<T>, false>, 1, THREADS, n, as(x), incx, \
				  (int *)handle->result), result); \
} \
cublasStatus_t cublas##R##nrm2(cublasHandle_t handle, int n, const Z *x, int incx, T *result) \
{ \
	WANT(result); \
	return finish(handle, run(handle, sizes<T, true>, 1, THREADS, incx > 0 ? n : 0, as(x), \
		incx, \
				  (T *)handle->result), result); \
} \
cublasStatus_t cublas##R##asum(cublasHandle_t handle, int n, const Z *x, int incx, T *result) \
{ \
	WANT(result); \
	return finish(handle, run(handle, sizes<T, false>, 1, THREADS, incx > 0 ? n : 0, as(x), \
		incx, \
				  (T *)handle->result), result); \
}
WS_COMPLEX_CALLS(C, cuComplex, Sc, float, cublasCsscal, cublasIcamax)
WS_COMPLEX_CALLS(Z, cuDoubleComplex, Dz, double, cublasZdscal, cublasIzamax)

cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode)
{
	WANT(mode);
	*mode = CUBLAS_DEFAULT_MATH;
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t)
{
	WANT(true);
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode)
{
	WANT(mode);
	*mode = CUBLAS_ATOMICS_NOT_ALLOWED;
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *, size_t)
{
	WANT(true);
	return CUBLAS_STATUS_SUCCESS;
}
}
