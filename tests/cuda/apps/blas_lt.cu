/* SPDX-License-Identifier: GPL-3.0-or-later
 * blas_lt.cu -- products that are described (cublasLt.h) against loops of the host, on whole numbers:
 * equal to the last bit but for GELU.
 */
#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cmath>
#include <vector>
#include "common.h"

#define DO(call) REQUIRE((call) == CUBLAS_STATUS_SUCCESS)

static unsigned state = 1;
static float draw()
{
	return (float)((int)(next(&state) % 9) - 4);
}

/* Of a batch, by columns or by rows, transposed or not; managed, so that the host sees it. */
template <class T> struct operand {
	int rows, columns, ld, batch;
	bool by_rows;
	T *at;
	cublasLtMatrixLayout_t layout;
	operand(cudaDataType type, int rows, int columns, bool by_rows = false, int batch = 1)
		: rows(rows), columns(columns), ld((by_rows ? columns : rows) + 3), batch(batch),
		  by_rows(by_rows)
	{
		const int order = by_rows ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
		const int64_t stride = (int64_t)ld * (by_rows ? rows : columns);

		CHECK(cudaMallocManaged(&at, sizeof(T) * (size_t)stride * (size_t)batch));
		for (int64_t i = 0; i < stride * batch; i++)
			at[i] = (T)draw();
		cublasLtMatrixLayoutCreate(&layout, type, (uint64_t)rows, (uint64_t)columns, ld);
		cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order);
		cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch,
						 sizeof batch);
		cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
						 &stride, sizeof stride);
	}
	~operand()
	{
		cudaFree(at);
		cublasLtMatrixLayoutDestroy(layout);
	}
	float get(bool across, int i, int j, int z = 0) const
	{
		const int r = across ? j : i, c = across ? i : j;

		return (float)at[z * ld * (by_rows ? rows : columns) + (by_rows ? r * ld + c : r + c * ld)];
	}
};

struct description {
	cublasLtMatmulDesc_t desc;
	description(bool ta, bool tb, int epilogue, const void *bias = nullptr, void *kept = nullptr, int64_t ld = 0)
	{
		const cublasOperation_t t = CUBLAS_OP_T;

		cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F);
		if (ta)
			set(CUBLASLT_MATMUL_DESC_TRANSA, t);
		if (tb)
			set(CUBLASLT_MATMUL_DESC_TRANSB, t);
		set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
		set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
		set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, kept);
		set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, ld);
	}
	template <class V> void set(cublasLtMatmulDescAttributes_t attribute, const V &value)
	{
		cublasLtMatmulDescSetAttribute(desc, attribute, &value, sizeof value);
	}
	~description() { cublasLtMatmulDescDestroy(desc); }
};

/* alpha and beta are 2 and -1. */
template <class A, class D> static cublasStatus_t
multiply(cublasLtHandle_t h, const description &how, const operand<A> &a, const operand<A> &b,
	 const operand<D> &c, const operand<D> &d)
{
	const float alpha = 2, beta = -1;
	cublasLtMatmulPreference_t preference;
	cublasLtMatmulHeuristicResult_t result;
	int found = 7;
	const size_t room = 1 << 20;

	cublasLtMatmulPreferenceCreate(&preference);
	cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &room,
					     sizeof room);
	cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(h, how.desc, a.layout, b.layout, c.layout,
							       d.layout, preference, 1, &result, &found);
	cublasLtMatmulPreferenceDestroy(preference);
	if (found != (status == CUBLAS_STATUS_SUCCESS))
		return CUBLAS_STATUS_INTERNAL_ERROR;
	cublasStatus_t done = cublasLtMatmul(h, how.desc, &alpha, a.at, a.layout, b.at, b.layout, &beta, c.at,
					     c.layout, d.at, d.layout, &result.algo, nullptr, 0, 0);
	return cudaDeviceSynchronize() || done != status ? CUBLAS_STATUS_INTERNAL_ERROR : status;
}
template <class A, class D> static float want(bool ta, bool tb, const operand<A> &a, const operand<A> &b,
					      const operand<D> &c, int i, int j, int z = 0)
{
	float sum = 0;

	for (int k = 0; k < (ta ? a.rows : a.columns); k++)
		sum += a.get(ta, i, k, z) * b.get(tb, k, j, z);
	return 2 * sum - c.get(false, i, j, z);
}

template <class A, class D> static bool products(cublasLtHandle_t h, cudaDataType in, cudaDataType out, bool ta,
						 bool tb, bool by_rows)
{
	const int m = 17, n = 19, k = 7, batch = 2;
	const operand<A> a(in, ta ? k : m, ta ? m : k, by_rows, batch), b(in, tb ? n : k, tb ? k : n, !by_rows, batch);
	const operand<D> c(out, m, n, false, batch), d(out, m, n, by_rows, batch);
	operand<D> bias(out, m, 1);

	DO(multiply(h, description(ta, tb, CUBLASLT_EPILOGUE_RELU_BIAS, bias.at), a, b, c, d));
	for (int e = 0; e < m * n * batch; e++) {
		const int i = e % m, j = e / m % n, z = e / m / n;
		const float v = want(ta, tb, a, b, c, i, j, z) + (float)bias.at[i];

		REQUIRE(d.get(false, i, j, z) == (v < 0 ? 0 : v));
	}
	return true;
}

static double gelu(double x)
{
	return 0.5 * x * (1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}
static bool near(double a, double b) { return fabs(a - b) <= 1e-5 * (1 + fabs(b)); }

/* What a layer does forwards and backwards. */
static bool layers(cublasLtHandle_t h)
{
	const int m = 18, n = 5, k = 3;
	const operand<float> a(CUDA_R_32F, m, k), b(CUDA_R_32F, k, n), c(CUDA_R_32F, m, n), d(CUDA_R_32F, m, n);
	operand<float> bias(CUDA_R_32F, m, 1), kept(CUDA_R_32F, m, n);

	for (int i = 0; i < k * b.ld; i++)
		a.at[i] /= 8, b.at[i] /= 4;
	DO(multiply(h, description(false, false, CUBLASLT_EPILOGUE_GELU_AUX_BIAS, bias.at, kept.at, kept.ld), a, b,
		    c, d));
	for (int e = 0; e < m * n; e++) {
		const float v = want(false, false, a, b, c, e % m, e / m) + bias.at[e % m];

		REQUIRE(near(kept.get(false, e % m, e / m), v) && near(d.get(false, e % m, e / m), gelu(v)));
	}
	DO(multiply(h, description(false, false, CUBLASLT_EPILOGUE_DGELU, nullptr, kept.at, kept.ld), a, b, c, d));
	for (int e = 0; e < m * n; e++) {
		const double x = kept.get(false, e % m, e / m), slope = (gelu(x + 1e-4) - gelu(x - 1e-4)) / 2e-4;

		REQUIRE(fabs(d.get(false, e % m, e / m) - want(false, false, a, b, c, e % m, e / m) * slope) < 1e-3);
	}
	for (int which = 0; which < 2; which++) {
		const auto &x = which ? b : a;

		DO(multiply(h, description(false, false, which ? CUBLASLT_EPILOGUE_BGRADB : CUBLASLT_EPILOGUE_BGRADA,
					   bias.at), a, b, c, d));
		for (int i = 0; i < (which ? n : m); i++) {
			float sum = 0;

			for (int l = 0; l < k; l++)
				sum += which ? x.get(false, l, i) : x.get(false, i, l);
			REQUIRE(near(bias.at[i], sum));
		}
		REQUIRE(near(d.get(false, 3, 4), want(false, false, a, b, c, 3, 4)));
	}
	/* What is not there. */
	REQUIRE(multiply(h, description(false, false, CUBLASLT_EPILOGUE_RELU_AUX, nullptr, kept.at, 128), a, b, c, d) ==
		CUBLAS_STATUS_NOT_SUPPORTED);
	REQUIRE(multiply(h, description(true, false, CUBLASLT_EPILOGUE_DEFAULT), a, b, c, d) ==
		CUBLAS_STATUS_INVALID_VALUE);
	return true;
}

int main()
{
	cublasLtHandle_t h;
	bool good = cublasLtCreate(&h) == CUBLAS_STATUS_SUCCESS;

	for (int i = 0; i < 8 && good; i++)
		good = products<float, float>(h, CUDA_R_32F, CUDA_R_32F, i & 1, i & 2, i & 4);
	good = good && products<__half, __half>(h, CUDA_R_16F, CUDA_R_16F, true, false, false) &&
	       products<__nv_bfloat16, float>(h, CUDA_R_16BF, CUDA_R_32F, true, false, false) && layers(h) &&
	       cublasLtDestroy(h) == CUBLAS_STATUS_SUCCESS;
	return passed(good);
}
