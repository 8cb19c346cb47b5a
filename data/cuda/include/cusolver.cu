/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cusolver.cu -- the calls of cusolverDn.h by kernels of ours.
 *
 * One block has a whole matrix, step by step; where vectors do not depend on each other a thread has
 * one of them.  Requests to memory are those of these kernels, not those of NVIDIA's library.
 */
#include <cusolverDn.h>

#define THREADS 256
#define SWEEPS	40 /* of rotations at most: they converge in some 10 */

struct cusolverDnContext {
	cudaStream_t stream;
};

namespace
{
/* Column by column; of `across` rows and columns are exchanged. */
template <class T> struct matrix {
	T *a;
	long long lda;
	bool across;
	__device__ T &operator()(int i, int j) const
	{
		return across ? a[j + i * lda] : a[i + j * lda];
	}
};

__device__ int thread() { return (int)(blockIdx.x * blockDim.x + threadIdx.x); }

/* ---- Cholesky ------------------------------------------------------------------------------- */

/* A = L L', L in place of the lower triangle of a. */
template <class T> __global__ void potrf(matrix<T> a, int n, int *info)
{
	int me = (int)threadIdx.x;

	for (int k = 0; k < n; k++) {
		T pivot = a(k, k);
		__syncthreads();
		if (!(pivot > 0)) {
			if (me == 0)
				*info = k + 1;
			return;
		}
		pivot = sqrt(pivot);
		for (int i = k + me; i < n; i += THREADS)
			a(i, k) = i == k ? pivot : a(i, k) / pivot;
		__syncthreads();
		for (int j = k + 1; j < n; j++) {
			for (int i = j + me; i < n; i += THREADS)
				a(i, j) -= a(i, k) * a(j, k);
		}
		__syncthreads();
	}
	if (me == 0)
		*info = 0;
}

/* L y = b or L' y = b, a column for each thread; `unit`: ones on the diagonal. */
template <class T> __device__ void forward(matrix<T> l, bool unit, int n, T *b)
{
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < i; k++)
			b[i] -= l(i, k) * b[k];
		b[i] = unit ? b[i] : b[i] / l(i, i);
	}
}
template <class T> __device__ void backward(matrix<T> u, bool unit, int n, T *b)
{
	for (int i = n - 1; i >= 0; i--) {
		for (int k = i + 1; k < n; k++)
			b[i] -= u(i, k) * b[k];
		b[i] = unit ? b[i] : b[i] / u(i, i);
	}
}
template <class T> __global__ void potrs(matrix<T> l, int n, int count, T *b, int ldb, int *info)
{
	int v = thread();
	matrix<T> u = { l.a, l.lda, !l.across };

	if (v == 0)
		*info = 0;
	if (v >= count)
		return;
	forward(l, false, n, b + (long long)v * ldb);
	backward(u, false, n, b + (long long)v * ldb);
}

/* ---- LU ----------------------------------------------------------------------------------- */

/* Pivots from 1; NULL: rows stay where they are. */
template <class T> __global__ void getrf(matrix<T> a, int m, int n, int *pivots, int *info)
{
	__shared__ int pivot, bad;
	int me = (int)threadIdx.x;

	if (me == 0)
		bad = 0;
	for (int k = 0; k < m && k < n; k++) {
		if (me == 0) {
			pivot = k;
			for (int i = k + 1; i < m && pivots; i++)
				pivot = fabs(a(i, k)) > fabs(a(pivot, k)) ? i : pivot;
			if (pivots)
				pivots[k] = pivot + 1;
			bad = bad || a(pivot, k) != 0 ? bad : k + 1;
		}
		__syncthreads();
		for (int j = me; j < n && pivot != k; j += THREADS) {
			T t = a(k, j);
			a(k, j) = a(pivot, j);
			a(pivot, j) = t;
		}
		__syncthreads();
		T by = a(k, k);
		for (int i = k + 1 + me; i < m && by != 0; i += THREADS)
			a(i, k) /= by;
		__syncthreads();
		for (int j = k + 1; j < n && by != 0; j++) {
			for (int i = k + 1 + me; i < m; i += THREADS)
				a(i, j) -= a(i, k) * a(k, j);
		}
		__syncthreads();
	}
	if (me == 0)
		*info = bad;
}

template <class T> __device__ void exchange(T *b, int i, int pivot)
{
	T t = b[i];

	b[i] = b[pivot - 1];
	b[pivot - 1] = t;
}
template <class T> __global__ void getrs(matrix<T> a, int n, int count, const int *pivots, T *b,
					 int ldb, int *info)
{
	int v = thread();

	if (v == 0)
		*info = 0;
	if (v >= count)
		return;
	b += (long long)v * ldb;
	for (int i = 0; i < n && pivots && !a.across; i++)
		exchange(b, i, pivots[i]);
	forward(a, !a.across, n, b); /* the transpose of U is a lower triangle */
	backward(a, a.across, n, b);
	for (int i = n - 1; i >= 0 && pivots && a.across; i--)
		exchange(b, i, pivots[i]);
}

/* ---- QR ------------------------------------------------------------------------------------- */

/* x -= tau v (v' x), where v is column k of a below the diagonal and 1 on it. */
template <class T> __device__ void reflect(matrix<const T> a, T tau, int k, int m, T *x,
					   long long step)
{
	T sum = x[k * step];

	for (int i = k + 1; i < m; i++)
		sum += a(i, k) * x[i * step];
	sum *= tau;
	x[k * step] -= sum;
	for (int i = k + 1; i < m; i++)
		x[i * step] -= a(i, k) * sum;
}

template <class T> __global__ void geqrf(matrix<T> a, int m, int n, T *tau, int *info)
{
	__shared__ T scale;
	int me = (int)threadIdx.x;
	matrix<const T> v = { a.a, a.lda, false };

	for (int k = 0; k < m && k < n; k++) {
		if (me == 0) {
			T alpha = a(k, k), length = 0, beta;
			for (int i = k + 1; i < m; i++)
				length = hypot(length, a(i, k));
			beta = length == 0 ? alpha : -copysign(hypot(alpha, length), alpha);
			tau[k] = length == 0 ? T(0) : (beta - alpha) / beta;
			scale = length == 0 ? T(0) : alpha - beta;
			a(k, k) = beta;
		}
		__syncthreads();
		for (int i = k + 1 + me; i < m && scale != 0; i += THREADS)
			a(i, k) /= scale;
		__syncthreads();
		for (int j = k + 1 + me; j < n; j += THREADS)
			reflect(v, tau[k], k, m, &a(0, j), 1);
		__syncthreads();
	}
	if (me == 0)
		*info = 0;
}

/* C = Q C, or C = C Q', if `first` the first reflection first; of `rows` c is taken by rows. */
template <class T> __global__ void ormqr(matrix<const T> a, const T *tau, int k, bool first,
					 bool rows, int count, int length, T *c, int ldc, int *info)
{
	int v = thread();

	if (v == 0)
		*info = 0;
	if (v >= count)
		return;
	for (int i = 0; i < k; i++) {
		int at = first ? i : k - 1 - i;
		reflect(a, tau[at], at, length, c + (rows ? v : (long long)v * ldc),
			rows ? (long long)ldc : 1);
	}
}

template <class T> __global__ void unit_matrix(int m, int n, T *a)
{
	int at = thread();

	if (at < m * n)
		a[at] = at % m == at / m;
}
template <class T> __global__ void copy_matrix(int m, int n, const T *from, T *a, int lda)
{
	int at = thread();

	if (at < m * n)
		a[at % m + (long long)(at / m) * lda] = from[at];
}

/* ---- eigenvalues ------------------------------------------------------------------------------ */

/* Rotates rows and columns p and q of s so that s(p, q) is 0, and columns of v. */
template <class T> __device__ void rotate(matrix<T> s, matrix<T> v, int n, int p, int q)
{
	T theta = (s(q, q) - s(p, p)) / (2 * s(p, q));
	T t = (theta < 0 ? T(-1) : T(1)) / (fabs(theta) + sqrt(theta * theta + 1));
	T c = 1 / sqrt(t * t + 1), d = t * c;

	__syncthreads();
	for (int i = (int)threadIdx.x; i < n; i += THREADS) {
		T a = s(i, p), b = s(i, q), x = v(i, p), y = v(i, q);
		s(i, p) = c * a - d * b;
		s(i, q) = d * a + c * b;
		v(i, p) = c * x - d * y;
		v(i, q) = d * x + c * y;
	}
	__syncthreads();
	for (int i = (int)threadIdx.x; i < n; i += THREADS) {
		T a = s(p, i), b = s(q, i);
		s(p, i) = c * a - d * b;
		s(q, i) = d * a + c * b;
	}
	__syncthreads();
}

/* Jacobi's rotations on a copy; eigenvalues ascend. */
template <class T> __global__ void syevd(matrix<T> a, bool vectors, int n, T *w, T *work, int *info)
{
	matrix<T> s = { work, n, false }, v = { work + (long long)n * n, n, false };
	__shared__ bool again;
	int me = (int)threadIdx.x, sweep = 0;

	for (int at = me; at < n * n; at += THREADS) {
		int i = at % n, j = at / n;
		s(i, j) = i >= j ? a(i, j) : a(j, i);
		v(i, j) = i == j;
	}
	for (again = true; again && sweep < SWEEPS; sweep++) {
		__syncthreads();
		again = false;
		__syncthreads();
		for (int p = 0; p < n; p++) {
			for (int q = p + 1; q < n; q++) {
				T all = fabs(s(p, p)) + fabs(s(q, q));
				bool none = all + fabs(s(p, q)) == all;
				__syncthreads();
				if (none)
					continue;
				again = true;
				rotate(s, v, n, p, q);
			}
		}
		__syncthreads();
	}
	for (int j = me; j < n; j += THREADS) {
		int place = 0;
		for (int k = 0; k < n; k++)
			place += s(k, k) < s(j, j) || (s(k, k) == s(j, j) && k < j);
		w[place] = s(j, j);
		for (int i = 0; i < n && vectors; i++)
			a.a[i + place * a.lda] = v(i, j);
	}
	if (me == 0)
		*info = sweep < SWEEPS ? 0 : n;
}

/* ---- launches ------------------------------------------------------------------------------- */

template <class T> struct same {
	typedef T type;
};
template <class... P> cusolverStatus_t run(cusolverDnHandle_t h, void (*kernel)(P...), int blocks,
					   typename same<P>::type... given)
{
	void *arguments[] = { (void *)&given... };

	if (!h)
		return CUSOLVER_STATUS_NOT_INITIALIZED;
	return cudaLaunchKernel((const void *)kernel, dim3(blocks), dim3(THREADS), arguments, 0,
				h->stream) == cudaSuccess ? CUSOLVER_STATUS_SUCCESS
							  : CUSOLVER_STATUS_EXECUTION_FAILED;
}
int blocks_of(long long count)
{
	return count > 0 ? (int)((count + THREADS - 1) / THREADS) : 1;
}
bool fits(int rows, int columns, int lda)
{
	return rows >= 0 && columns >= 0 && lda >= (rows > 1 ? rows : 1);
}

template <class T> cusolverStatus_t apply_q(cusolverDnHandle_t h, cublasSideMode_t side,
					    cublasOperation_t op, int m, int n, int k, const T *a,
					    int lda, const T *tau, T *c, int ldc, int *info)
{
	bool left = side == CUBLAS_SIDE_LEFT;

	if (!fits(m, n, ldc) || k < 0 || k > (left ? m : n) || !fits(left ? m : n, k, lda))
		return CUSOLVER_STATUS_INVALID_VALUE;
	return run(h, ormqr<T>, blocks_of(left ? n : m), matrix<const T>{ a, lda, false }, tau, k,
		   left == (op != CUBLAS_OP_N), !left, left ? n : m, left ? m : n, c, ldc, info);
}
template <class T> cusolverStatus_t make_q(cusolverDnHandle_t h, int m, int n, int k, T *a, int lda,
					   const T *tau, T *work, int *info)
{
	int blocks = blocks_of((long long)m * n);
	cusolverStatus_t status = CUSOLVER_STATUS_INVALID_VALUE;

	if (fits(m, n, lda) && n <= m && k <= n)
		status = run(h, unit_matrix<T>, blocks, m, n, work);
	if (status == CUSOLVER_STATUS_SUCCESS)
		status = apply_q(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, m, n, k, a, lda, tau, work,
				 m > 1 ? m : 1, info);
	return status == CUSOLVER_STATUS_SUCCESS ? run(h, copy_matrix<T>, blocks, m, n, work, a, lda)
						 : status;
}
}

/* ---- the calls ------------------------------------------------------------------------------- */

extern "C" {
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle)
{
	*handle = new cusolverDnContext();
	return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle)
{
	delete handle;
	return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream)
{
	if (!handle)
		return CUSOLVER_STATUS_NOT_INITIALIZED;
	handle->stream = stream;
	return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream)
{
	if (!handle)
		return CUSOLVER_STATUS_NOT_INITIALIZED;
	*stream = handle->stream;
	return CUSOLVER_STATUS_SUCCESS;
}

#define CALL(NAME, ...) cusolverStatus_t cusolverDn##NAME(cusolverDnHandle_t h, __VA_ARGS__)
#define SIZE(NAME, GOOD, VALUE, ...) \
	CALL(NAME##_bufferSize, __VA_ARGS__, int *size) \
	{ \
		if (!h || !(GOOD)) \
			return h ? CUSOLVER_STATUS_INVALID_VALUE : CUSOLVER_STATUS_NOT_INITIALIZED; \
		*size = VALUE; \
		return CUSOLVER_STATUS_SUCCESS; \
	}
#define IF(GOOD, CODE) \
	{ return (GOOD) ? CODE : CUSOLVER_STATUS_INVALID_VALUE; }
#define LOWER (uplo == CUBLAS_FILL_MODE_UPPER)
#define ALL(S, T) \
	SIZE(S##potrf, fits(n, n, lda), 1, cublasFillMode_t, int n, T *, int lda) \
	CALL(S##potrf, cublasFillMode_t uplo, int n, T *a, int lda, T *, int, int *info) \
	IF(fits(n, n, lda), run(h, potrf<T>, 1, matrix<T>{ a, lda, LOWER }, n, info)) \
	CALL(S##potrs, cublasFillMode_t uplo, int n, int count, const T *a, int lda, T *b, int ldb, \
	     int *info) \
	IF(fits(n, n, lda) && fits(n, count, ldb), \
	   run(h, potrs<T>, blocks_of(count), matrix<T>{ const_cast<T *>(a), lda, LOWER }, n, count, \
	       b, ldb, info)) \
	SIZE(S##getrf, fits(m, n, lda), 1, int m, int n, T *, int lda) \
	CALL(S##getrf, int m, int n, T *a, int lda, T *, int *pivots, int *info) \
	IF(fits(m, n, lda), run(h, getrf<T>, 1, matrix<T>{ a, lda, false }, m, n, pivots, info)) \
	CALL(S##getrs, cublasOperation_t op, int n, int count, const T *a, int lda, \
	     const int *pivots, T *b, int ldb, int *info) \
	IF(fits(n, n, lda) && fits(n, count, ldb), \
	   run(h, getrs<T>, blocks_of(count), \
	       matrix<T>{ const_cast<T *>(a), lda, op != CUBLAS_OP_N }, n, count, pivots, b, ldb, \
	       info)) \
	SIZE(S##geqrf, fits(m, n, lda), n > 0 ? n : 1, int m, int n, T *, int lda) \
	CALL(S##geqrf, int m, int n, T *a, int lda, T *tau, T *, int, int *info) \
	IF(fits(m, n, lda), run(h, geqrf<T>, 1, matrix<T>{ a, lda, false }, m, n, tau, info)) \
	SIZE(S##ormqr, fits(m, n, ldc), 1, cublasSideMode_t, cublasOperation_t, int m, int n, int, \
	     const T *, int, const T *, const T *, int ldc) \
	CALL(S##ormqr, cublasSideMode_t side, cublasOperation_t op, int m, int n, int k, const T *a, \
	     int lda, const T *tau, T *c, int ldc, T *, int, int *info) \
	{ return apply_q(h, side, op, m, n, k, a, lda, tau, c, ldc, info); } \
	SIZE(S##orgqr, fits(m, n, lda), m * n > 0 ? m * n : 1, int m, int n, int, const T *, int lda, \
	     const T *) \
	CALL(S##orgqr, int m, int n, int k, T *a, int lda, const T *tau, T *work, int, int *info) \
	{ return make_q(h, m, n, k, a, lda, tau, work, info); } \
	SIZE(S##syevd, fits(n, n, lda), n > 0 ? 2 * n * n : 1, cusolverEigMode_t, cublasFillMode_t, \
	     int n, const T *, int lda, const T *) \
	CALL(S##syevd, cusolverEigMode_t mode, cublasFillMode_t uplo, int n, T *a, int lda, T *w, \
	     T *work, int, int *info) \
	IF(fits(n, n, lda), run(h, syevd<T>, 1, matrix<T>{ a, lda, LOWER }, \
				mode == CUSOLVER_EIG_MODE_VECTOR, n, w, work, info))
ALL(S, float)
ALL(D, double)
}
