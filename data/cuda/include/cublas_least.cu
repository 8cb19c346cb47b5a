/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cublas_least.cu -- QR factors and least squares of batches, by Householder's reflections.  A thread
 * has a matrix.
 *
 * Part of cublas.cu, which includes it.
 */
namespace
{
template <class T> struct real_of {
	typedef T type;
};
template <class R> struct real_of<complex<R>> {
	typedef R type;
};
template <class T> __device__ T square_of(T v) { return v * v; }
template <class R> __device__ R square_of(complex<R> v) { return v.x * v.x + v.y * v.y; }

/* The reflection that takes column k's part from row k on to beta in row k and zeros: its vector is
 * there then but for row k, whose element is returned.  0: there is nothing to reflect. */
template <class T> __device__ T reflect(T *a, int lda, int m, int k, T *beta, typename real_of<T>::type *norm)
{
	typedef typename real_of<T>::type R;
	T *x = a + (long long)k * lda;
	R sum = 0;

	for (int i = k; i < m; i++)
		sum += square_of(x[i]);
	if (!(sum > 0)) {
		*beta = T(0);
		return T(0);
	}
	R length = sqrt(sum), head = sqrt(square_of(x[k]));
	*beta = head > 0 ? x[k] * T(-length / head) : T(-length);
	*norm = 2 * length * (length + head);
	return x[k] - *beta;
}
/* From row k on, by the reflection whose vector begins with head. */
template <class T> __device__ void apply(const T *x, T head, typename real_of<T>::type norm, int m, int k, T *column)
{
	T sum = conjugate(head) * column[k];

	for (int i = k + 1; i < m; i++)
		sum += conjugate(x[i]) * column[i];
	sum *= T(2 / norm);
	column[k] -= head * sum;
	for (int i = k + 1; i < m; i++)
		column[i] -= x[i] * sum;
}
/* R and, below it, vectors whose first element is 1 and that tau scales. */
template <class T> __global__ void geqrf_each(int m, int n, T *const *list, int lda, T *const *taus, int batch)
{
	int which = thread();
	if (which >= batch)
		return;
	T *a = list[which], beta;
	typename real_of<T>::type norm = 1;
	for (int k = 0; k < (m < n ? m : n); k++) {
		T *x = a + (long long)k * lda, head = reflect(a, lda, m, k, &beta, &norm);
		taus[which][k] = T(0);
		if (head == T(0))
			continue;
		for (int j = k + 1; j < n; j++)
			apply(x, head, norm, m, k, a + (long long)j * lda);
		x[k] = beta;
		for (int i = k + 1; i < m; i++)
			x[i] = x[i] / head;
		taus[which][k] = T(2 * square_of(head) / norm);
	}
}
/* The solution in place of c's first n rows; info: the first row of R whose pivot is 0, or 0. */
template <class T> __global__ void gels_each(int m, int n, int columns, T *const *list, int lda,
					     T *const *sides, int ldc, int *info, int batch)
{
	int which = thread();
	if (which >= batch)
		return;
	T *a = list[which], *c = sides[which], beta;
	typename real_of<T>::type norm = 1;
	if (info)
		info[which] = 0;
	for (int k = 0; k < n; k++) {
		T *x = a + (long long)k * lda, head = reflect(a, lda, m, k, &beta, &norm);
		if (beta == T(0)) {
			if (info)
				info[which] = k + 1;
			return;
		}
		for (int j = k + 1; j < n; j++)
			apply(x, head, norm, m, k, a + (long long)j * lda);
		for (int j = 0; j < columns; j++)
			apply(x, head, norm, m, k, c + (long long)j * ldc);
		x[k] = beta;
	}
	for (int j = 0; j < columns; j++) {
		T *y = c + (long long)j * ldc;
		for (int i = n; i-- > 0;) {
			for (int k = i + 1; k < n; k++)
				y[i] -= a[i + (long long)k * lda] * y[k];
			y[i] = y[i] / a[i + (long long)i * lda];
		}
	}
}
/* Which argument is wrong, as LAPACK counts them: 0 if none is. */
int wrong_of_gels(int m, int n, int columns, int lda, int ldc, int batch)
{
	return m < 0 ? -2 : n < 0 ? -3 : columns < 0 ? -4 : lda < (m > 1 ? m : 1) ? -6
	       : ldc < (m > 1 ? m : 1) ? -8 : batch < 0 ? -11 : 0;
}
}

extern "C" {
#define LEAST(S, T, N) \
	cublasStatus_t cublas##S##geqrfBatched(cublasHandle_t handle, int m, int n, T *const a[], int lda, \
					       T *const tau[], int *info, int batch) \
	{ \
		WANT(info); \
		*info = m < 0 ? -1 : n < 0 ? -2 : lda < (m > 1 ? m : 1) ? -4 : batch < 0 ? -7 : 0; \
		WANT(*info == 0); \
		return run(handle, geqrf_each<N>, blocks(batch, THREADS), THREADS, m, n, (N *const *)a, \
			   lda, (N *const *)tau, batch); \
	} \
	cublasStatus_t cublas##S##gelsBatched(cublasHandle_t handle, cublasOperation_t op, int m, int n, \
					      int columns, T *const a[], int lda, T *const c[], int ldc, \
					      int *info, int *each, int batch) \
	{ \
		WANT(info); \
		*info = wrong_of_gels(m, n, columns, lda, ldc, batch); \
		WANT(*info == 0); \
		if (op != CUBLAS_OP_N || m < n) \
			return CUBLAS_STATUS_NOT_SUPPORTED; \
		return run(handle, gels_each<N>, blocks(batch, THREADS), THREADS, m, n, columns, \
			   (N *const *)a, lda, (N *const *)c, ldc, each, batch); \
	}
LEAST(S, float, float)
LEAST(D, double, double)
LEAST(C, cuComplex, complex<float>)
LEAST(Z, cuDoubleComplex, complex<double>)
#undef LEAST
}
