/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cublas_mixed.cu -- products of numbers that are not of one kind: cublasGemmEx and its like, and
 * those of halves; vectors whose kind is an argument.  A thread has an element of the result.
 *
 * Part of cublas.cu, which includes it.
 */
namespace
{
/* Matrices one behind another, or a list of them. */
template <class P> struct many {
	P *one;
	long long stride;
	P *const *list;
	__device__ P *at(unsigned z) const { return list ? list[z] : one + z * stride; }
};
template <class A, class T> __device__ T operand(const A *a, long long lda, int op, int row,
	int column)
{
	return conjugate_if(op == CUBLAS_OP_C,
			    (T)(op != CUBLAS_OP_N ? a[column + row * lda] : a[row + column * lda]));
}
template <class A, class C, class T> __global__ void
gemm_mixed(int opa, int opb, int m, int n, int inner, T alpha, many<const A> a, int lda,
	   many<const A> b, int ldb, T beta, many<C> c, int ldc)
{
	int i = (int)(blockIdx.x * TILE + threadIdx.x), j = (int)(blockIdx.y * TILE + threadIdx.y);
	T sum = 0;

	if (i >= m || j >= n)
		return;
	const A *left = a.at(blockIdx.z), *right = b.at(blockIdx.z);
	for (int k = 0; k < inner; k++)
		sum += operand<A, T>(left, lda, opa, i, k) * operand<A, T>(right, ldb, opb, k, j);
	C *out = c.at(blockIdx.z) + i + (long long)j * ldc;
	*out = (C)(alpha * sum + (beta == T(0) ? T(0) : beta * (T)*out));
}

struct product {
	cublasOperation_t opa, opb;
	int m, n, k, lda, ldb, ldc, batch;
	const void *alpha, *beta, *a, *b;
	void *c;
	const void *const *list_a, *const *list_b;
	void *const *list_c;
	long long stride_a, stride_b, stride_c;
	cudaDataType type_a, type_b, type_c;
	cublasComputeType_t compute;
};
template <class T> T scalar(const void *p, cublasComputeType_t compute)
{
	if constexpr (sizeof(T) == sizeof(float))
		if (compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC)
			return (T)(float)*(const __half *)p;
	return *(const T *)p;
}
template <class A, class C, class T> cublasStatus_t multiply_mixed(cublasHandle_t h,
	const product &p)
{
	many<const A> a = { (const A *)p.a, p.stride_a, (const A *const *)p.list_a };
	many<const A> b = { (const A *)p.b, p.stride_b, (const A *const *)p.list_b };
	many<C> c = { (C *)p.c, p.stride_c, (C *const *)p.list_c };

	return run(h, gemm_mixed<A, C, T>, tiles(p.m, p.n, p.batch), tile, (int)p.opa, (int)p.opb,
		p.m,
		   p.n, p.k, scalar<T>(p.alpha, p.compute), a, p.lda, b, p.ldb,
		   scalar<T>(p.beta, p.compute), c, p.ldc);
}
cublasStatus_t multiply_any(cublasHandle_t handle, const product &p)
{
	static const struct {
		cudaDataType in, out;
		cublasStatus_t (*multiply)(cublasHandle_t, const product &);
	} kinds[] = {
		{ CUDA_R_32F, CUDA_R_32F, multiply_mixed<float, float, float> },
		{ CUDA_R_64F, CUDA_R_64F, multiply_mixed<double, double, double> },
		{ CUDA_C_32F, CUDA_C_32F, multiply_mixed<complex<float>, complex<float>,
			complex<float>> },
		{ CUDA_C_64F, CUDA_C_64F,
		  multiply_mixed<complex<double>, complex<double>, complex<double>> },
		{ CUDA_R_16F, CUDA_R_16F, multiply_mixed<__half, __half, float> },
		{ CUDA_R_16F, CUDA_R_32F, multiply_mixed<__half, float, float> },
		{ CUDA_R_16BF, CUDA_R_16BF, multiply_mixed<__nv_bfloat16, __nv_bfloat16, float> },
		{ CUDA_R_16BF, CUDA_R_32F, multiply_mixed<__nv_bfloat16, float, float> },
		{ CUDA_R_8I, CUDA_R_32I, multiply_mixed<signed char, int, int> },
		{ CUDA_R_8I, CUDA_R_32F, multiply_mixed<signed char, float, float> },
	};

	WANT(p.batch >= 0 && fits_gemm(p.opa, p.opb, p.m, p.n, p.k, p.lda, p.ldb, p.ldc));
	for (const auto &kind : kinds)
		if (kind.in == p.type_a && kind.in == p.type_b && kind.out == p.type_c)
			return kind.multiply(handle, p);
	return CUBLAS_STATUS_NOT_SUPPORTED;
}
}

extern "C" {
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
	int m,
	int n, int k, const void *alpha, const void *a, cudaDataType type_a, int lda, const void *b,
	cudaDataType type_b, int ldb, const void *beta, void *c, cudaDataType type_c, int ldc,
	cublasComputeType_t compute, cublasGemmAlgo_t)
{
	return multiply_any(handle, { opa, opb, m, n, k, lda, ldb, ldc, 1, alpha, beta, a, b, c,
		nullptr,
				      nullptr, nullptr, 0, 0, 0, type_a, type_b, type_c, compute });
}
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t opa,
	cublasOperation_t opb, int m, int n, int k, const void *alpha, const void *a,
	cudaDataType type_a, int lda, long long stride_a, const void *b, cudaDataType type_b,
		int ldb,
	long long stride_b, const void *beta, void *c, cudaDataType type_c, int ldc,
	long long stride_c, int batch, cublasComputeType_t compute, cublasGemmAlgo_t)
{
	return multiply_any(handle, { opa, opb, m, n, k, lda, ldb, ldc, batch, alpha, beta, a, b, c,
				      nullptr, nullptr, nullptr, stride_a, stride_b, stride_c,
				      type_a,
				      type_b, type_c, compute });
}
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t opa,
	cublasOperation_t opb,
	int m, int n, int k, const void *alpha, const void *const a[], cudaDataType type_a, int lda,
	const void *const b[], cudaDataType type_b, int ldb, const void *beta, void *const c[],
	cudaDataType type_c, int ldc, int batch, cublasComputeType_t compute, cublasGemmAlgo_t)
{
	return multiply_any(handle, { opa, opb, m, n, k, lda, ldb, ldc, batch, alpha, beta, nullptr,
				      nullptr, nullptr, a, b, c, 0, 0, 0, type_a, type_b, type_c,
				      compute });
}
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
	int m,
	int n, int k, const float *alpha, const void *a, cudaDataType type_a, int lda,
		const void *b,
	cudaDataType type_b, int ldb, const float *beta, void *c, cudaDataType type_c, int ldc)
{
	return cublasGemmEx(handle, opa, opb, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta,
		c,
			    type_c, ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
	int m,
	int n, int k, const __half *alpha, const __half *a, int lda, const __half *b, int ldb,
	const __half *beta, __half *c, int ldc)
{
	return cublasGemmEx(handle, opa, opb, m, n, k, alpha, a, CUDA_R_16F, lda, b, CUDA_R_16F,
		ldb,
			    beta, c, CUDA_R_16F, ldc, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t opa,
	cublasOperation_t opb, int m, int n, int k, const __half *alpha, const __half *a, int lda,
	long long stride_a, const __half *b, int ldb, long long stride_b, const __half *beta,
		__half *c,
	int ldc, long long stride_c, int batch)
{
	return cublasGemmStridedBatchedEx(handle, opa, opb, m, n, k, alpha, a, CUDA_R_16F, lda,
		stride_a,
					  b, CUDA_R_16F, ldb, stride_b, beta, c, CUDA_R_16F, ldc,
					  stride_c, batch, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}
cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t opa,
	cublasOperation_t opb,
	int m, int n, int k, const __half *alpha, const __half *const a[], int lda,
	const __half *const b[], int ldb, const __half *beta, __half *const c[], int ldc, int batch)
{
	return cublasGemmBatchedEx(handle, opa, opb, m, n, k, alpha, (const void *const *)a,
		CUDA_R_16F,
				   lda, (const void *const *)b, CUDA_R_16F, ldb, beta,
				   (void *const *)c,
				   CUDA_R_16F, ldc, batch, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}
}

/* ---- vectors whose kind is an argument: halves are computed with as floats ---------------- */

namespace
{
template <class T> struct computes_as {
	typedef float type;
};
template <> struct computes_as<double> {
	typedef double type;
};
template <class T> __global__ void dot_any(int n, const T *x, int incx, const T *y, int incy,
					   T *result)
{
	typedef typename computes_as<T>::type C;
	C sum = sum_of<C>(n, [=](int i) {
		return (C)x[place(i, n, incx)] * (C)y[place(i, n, incy)];
	});
	if (threadIdx.x == 0)
		*result = (T)sum;
}
/* Squares of halves are within float's range. */
template <class T> __global__ void nrm2_any(int n, const T *x, int incx, T *result)
{
	float sum = sum_of<float>(n, [=](int i) {
		float v = (float)x[(long long)i * incx];
		return v * v;
	});
	if (threadIdx.x == 0)
		*result = (T)sqrtf(sum);
}
template <class T, class C> __global__ void axpy_any(int n, C alpha, const T *x, int incx, T *y,
						     int incy)
{
	int i = thread();
	if (i < n)
		y[place(i, n, incy)] = (T)(alpha * (C)x[place(i, n, incx)] +
					   (C)y[place(i, n, incy)]);
}
template <class T, class C> __global__ void scal_any(int n, C alpha, T *x, int incx)
{
	int i = thread();
	if (i < n)
		x[(long long)i * incx] = (T)(alpha * (C)x[(long long)i * incx]);
}
/* A scalar is of the kind of the computation, or a half with vectors of them. */
template <class C> C scalar_of(const void *p, cudaDataType type)
{
	switch (type) {
	case CUDA_R_16F: return (C)(float)*(const __half *)p;
	case CUDA_R_16BF: return (C)(float)*(const __nv_bfloat16 *)p;
	case CUDA_R_64F: return (C)*(const double *)p;
	default: return (C)*(const float *)p;
	}
}
}

/* CALL of vectors of T. */
#define BY_KIND(type, CALL) \
	switch (type) { \
	case CUDA_R_32F: { typedef float T; return CALL; } \
	case CUDA_R_64F: { typedef double T; return CALL; } \
	case CUDA_R_16F: { typedef __half T; return CALL; } \
	case CUDA_R_16BF: { typedef __nv_bfloat16 T; return CALL; } \
	default: return CUBLAS_STATUS_NOT_SUPPORTED; \
	}

namespace
{
template <class T> cublasStatus_t nrm2_of(cublasHandle_t h, int n, const T *x, int incx, T *result)
{
	if (n <= 0 || incx <= 0)
		n = 0, incx = 1;
	return finish(h, run(h, nrm2_any<T>, 1, THREADS, n, x, incx, (T *)h->result), result);
}
cublasStatus_t nrm2_of(cublasHandle_t h, int n, const float *x, int incx, float *result)
{
	return cublasSnrm2(h, n, x, incx, result);
}
cublasStatus_t nrm2_of(cublasHandle_t h, int n, const double *x, int incx, double *result)
{
	return cublasDnrm2(h, n, x, incx, result);
}
template <class T> cublasStatus_t axpy_of(cublasHandle_t h, int n, const void *alpha,
	cudaDataType type, const T *x, int incx, T *y, int incy)
{
	typedef typename computes_as<T>::type C;
	return run(h, axpy_any<T, C>, blocks(n, THREADS), THREADS, n, scalar_of<C>(alpha, type), x,
		   incx, y, incy);
}
template <class T> cublasStatus_t scal_of(cublasHandle_t h, int n, const void *alpha,
	cudaDataType type, T *x, int incx)
{
	typedef typename computes_as<T>::type C;
	return incx <= 0 ? CUBLAS_STATUS_SUCCESS
			 : run(h, scal_any<T, C>, blocks(n, THREADS), THREADS, n,
			       scalar_of<C>(alpha, type), x, incx);
}
}

extern "C" {
cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType type_x, int incx,
	const void *y, cudaDataType type_y, int incy, void *result, cudaDataType type, cudaDataType)
{
	WANT(result);
	if (type_x != type_y || type_x != type)
		return CUBLAS_STATUS_NOT_SUPPORTED;
	BY_KIND(type, finish(handle, run(handle, dot_any<T>, 1, THREADS, n, (const T *)x, incx,
					 (const T *)y, incy, (T *)handle->result), (T *)result))
}
cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void *x, cudaDataType type_x,
	int incx, void *result, cudaDataType type, cudaDataType)
{
	WANT(result);
	if (type_x != type)
		return CUBLAS_STATUS_NOT_SUPPORTED;
	BY_KIND(type, nrm2_of(handle, n, (const T *)x, incx, (T *)result))
}
cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void *alpha, cudaDataType type_alpha,
	const void *x, cudaDataType type_x, int incx, void *y, cudaDataType type_y, int incy,
	cudaDataType)
{
	WANT(alpha);
	if (type_x != type_y)
		return CUBLAS_STATUS_NOT_SUPPORTED;
	BY_KIND(type_x, axpy_of(handle, n, alpha, type_alpha, (const T *)x, incx, (T *)y, incy))
}
cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void *alpha, cudaDataType type_alpha,
	void *x, cudaDataType type_x, int incx, cudaDataType)
{
	WANT(alpha);
	BY_KIND(type_x, scal_of(handle, n, alpha, type_alpha, (T *)x, incx))
}
}
#undef BY_KIND
