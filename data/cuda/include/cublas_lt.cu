/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cublas_lt.cu -- the calls of cublasLt.h.  A thread has an element of the result.
 *
 * Part of cublas.cu, which includes it.
 */
#include <cublasLt.h>
#include <string.h>

struct cublasLtContext {
	struct cublasContext run;
};
struct cublasLtMatrixLayout {
	uint64_t value[8]; /* by attribute */
};
struct cublasLtMatmulDesc {
	uint64_t value[27];
};
struct cublasLtMatmulPreference {
	int unused;
};

namespace
{
/* Attributes have 4 or 8 bytes: the others of the 8 are zero, or its sign for offsets. */
template <class D> cublasStatus_t set_value(D *d, unsigned attribute, const void *value, size_t bytes)
{
	if (!d || !value || attribute >= sizeof d->value / sizeof d->value[0] || bytes > 8 || !bytes)
		return CUBLAS_STATUS_INVALID_VALUE;
	d->value[attribute] = 0;
	memcpy(&d->value[attribute], value, bytes);
	return CUBLAS_STATUS_SUCCESS;
}
template <class D> cublasStatus_t get_value(D *d, unsigned attribute, void *value, size_t bytes,
					    size_t *written)
{
	if (!d || !value || attribute >= sizeof d->value / sizeof d->value[0] || bytes > 8)
		return CUBLAS_STATUS_INVALID_VALUE;
	memcpy(value, &d->value[attribute], bytes);
	if (written)
		*written = bytes;
	return CUBLAS_STATUS_SUCCESS;
}

/* A matrix of a batch, by columns or by rows. */
struct placed {
	long long ld, stride;
	int by_rows;
	__host__ __device__ long long at(int row, int column, unsigned z) const
	{
		return z * stride + (by_rows ? row * ld + column : row + column * ld);
	}
};
/* Numbers whose kind is known at run time. */
struct any_numbers {
	void *p;
	cudaDataType type;
	__device__ double get(long long i) const
	{
		switch (type) {
		case CUDA_R_64F: return ((const double *)p)[i];
		case CUDA_R_16F: return (double)(float)((const __half *)p)[i];
		case CUDA_R_16BF: return (double)(float)((const __nv_bfloat16 *)p)[i];
		default: return (double)((const float *)p)[i];
		}
	}
	__device__ void set(long long i, double v) const
	{
		switch (type) {
		case CUDA_R_64F: ((double *)p)[i] = v; break;
		case CUDA_R_16F: ((__half *)p)[i] = (__half)(float)v; break;
		case CUDA_R_16BF: ((__nv_bfloat16 *)p)[i] = (__nv_bfloat16)(float)v; break;
		default: ((float *)p)[i] = (float)v;
		}
	}
};
bool is_any(cudaDataType type)
{
	return type == CUDA_R_32F || type == CUDA_R_64F || type == CUDA_R_16F || type == CUDA_R_16BF;
}
struct follows {
	int relu, gelu, derivative; /* of GELU */
	any_numbers bias;	    /* p NULL: none; of each row */
	long long bias_stride;
	any_numbers kept;	    /* what GELU is of; p NULL: not kept */
	long long kept_ld, kept_stride;
};

/* GELU by its tangent, and its derivative. */
template <class T> __device__ T gelu_of(T x)
{
	T inner = T(0.7978845608028654) * (x + T(0.044715) * x * x * x);
	return T(0.5) * x * (T(1) + (T)tanh(inner));
}
template <class T> __device__ T gelu_slope(T x)
{
	T cube = T(0.044715) * x * x * x, t = (T)tanh(T(0.7978845608028654) * (x + cube));
	return T(0.5) * (T(1) + t) +
	       T(0.5) * x * (T(1) - t * t) * T(0.7978845608028654) * (T(1) + T(3 * 0.044715) * x * x);
}
template <class T> __device__ T follow(const follows &f, T v, int row, int column, unsigned z)
{
	const long long kept = z * f.kept_stride + row + column * f.kept_ld;

	if (f.bias.p)
		v += (T)f.bias.get(z * f.bias_stride + row);
	if (f.derivative)
		return v * gelu_slope((T)f.kept.get(kept));
	if (f.kept.p)
		f.kept.set(kept, (double)v);
	if (f.gelu)
		v = gelu_of(v);
	return f.relu && v < T(0) ? T(0) : v;
}
__device__ int follow(const follows &f, int v, int, int, unsigned) { return f.relu && v < 0 ? 0 : v; }

template <class A, class T> __device__ T across(const A *a, placed layout, int op, int row,
						int column, unsigned z)
{
	return (T)(op != CUBLAS_OP_N ? a[layout.at(column, row, z)] : a[layout.at(row, column, z)]);
}
template <class A, class C, class T> __global__ void
matmul(int opa, int opb, int m, int n, int inner, T alpha, const A *a, placed la, const A *b,
       placed lb, T beta, const C *c, placed lc, C *d, placed ld, follows f)
{
	int i = (int)(blockIdx.x * TILE + threadIdx.x), j = (int)(blockIdx.y * TILE + threadIdx.y);
	unsigned z = blockIdx.z;
	T sum = 0;

	if (i >= m || j >= n)
		return;
	for (int k = 0; k < inner; k++)
		sum += across<A, T>(a, la, opa, i, k, z) * across<A, T>(b, lb, opb, k, j, z);
	sum = alpha * sum + (beta == T(0) ? T(0) : beta * (T)c[lc.at(i, j, z)]);
	d[ld.at(i, j, z)] = (C)follow(f, sum, i, j, z);
}
/* The sums of op(a)'s rows, or of op(b)'s columns. */
template <class A> __global__ void bias_sums(int op, int of_columns, int count, int inner, const A *a,
					     placed layout, any_numbers out)
{
	int i = thread();
	float sum = 0;

	if (i >= count)
		return;
	for (int k = 0; k < inner; k++)
		sum += of_columns ? across<A, float>(a, layout, op, k, i, 0)
				  : across<A, float>(a, layout, op, i, k, 0);
	out.set(i, (double)sum);
}

struct described {
	cublasOperation_t opa, opb;
	int m, n, k;
	unsigned batch;
	placed a, b, c, d;
	cudaDataType in, out, scale;
	follows then;
	bool sums_a, sums_b;
	any_numbers sums;
};
placed place_of(const cublasLtMatrixLayout *l)
{
	return { (long long)l->value[CUBLASLT_MATRIX_LAYOUT_LD],
		 (long long)l->value[CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET],
		 l->value[CUBLASLT_MATRIX_LAYOUT_ORDER] == CUBLASLT_ORDER_ROW };
}
cudaDataType type_of(const cublasLtMatrixLayout *l)
{
	return (cudaDataType)l->value[CUBLASLT_MATRIX_LAYOUT_TYPE];
}
uint64_t of(const cublasLtMatrixLayout *l, cublasLtMatrixLayoutAttribute_t a) { return l->value[a]; }
bool is_simple(const cublasLtMatrixLayout *l)
{
	uint64_t order = of(l, CUBLASLT_MATRIX_LAYOUT_ORDER);
	uint64_t rows = of(l, CUBLASLT_MATRIX_LAYOUT_ROWS), columns = of(l, CUBLASLT_MATRIX_LAYOUT_COLS);

	return order <= CUBLASLT_ORDER_ROW && rows <= INT_MAX && columns <= INT_MAX &&
	       of(l, CUBLASLT_MATRIX_LAYOUT_LD) >= (order == CUBLASLT_ORDER_ROW ? columns : rows);
}
bool is_epilogue_there(uint64_t e)
{
	switch (e) {
	case CUBLASLT_EPILOGUE_DEFAULT: case CUBLASLT_EPILOGUE_RELU: case CUBLASLT_EPILOGUE_BIAS:
	case CUBLASLT_EPILOGUE_RELU_BIAS: case CUBLASLT_EPILOGUE_GELU:
	case CUBLASLT_EPILOGUE_GELU_AUX: case CUBLASLT_EPILOGUE_GELU_BIAS:
	case CUBLASLT_EPILOGUE_GELU_AUX_BIAS: case CUBLASLT_EPILOGUE_DGELU:
	case CUBLASLT_EPILOGUE_BGRADA: case CUBLASLT_EPILOGUE_BGRADB:
		return true;
	default:
		return false;
	}
}
/* A kind that was not said is that of the result. */
any_numbers numbers_of(const cublasLtMatmulDesc *d, unsigned pointer, unsigned type, cudaDataType out)
{
	const int said = (int)d->value[type];
	return { (void *)(uintptr_t)d->value[pointer], said < 0 ? out : (cudaDataType)said };
}
bool describe_epilogue(described *p, const cublasLtMatmulDesc *d)
{
	const uint64_t e = d->value[CUBLASLT_MATMUL_DESC_EPILOGUE];
	const any_numbers bias = numbers_of(d, CUBLASLT_MATMUL_DESC_BIAS_POINTER,
					    CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, p->out);
	const any_numbers kept = numbers_of(d, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER,
					    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, p->out);

	p->sums_a = e == CUBLASLT_EPILOGUE_BGRADA;
	p->sums_b = e == CUBLASLT_EPILOGUE_BGRADB;
	p->sums = bias;
	p->then.derivative = e == CUBLASLT_EPILOGUE_DGELU;
	p->then.gelu = !p->then.derivative && (e & CUBLASLT_EPILOGUE_GELU) != 0;
	p->then.relu = (e & CUBLASLT_EPILOGUE_RELU) != 0;
	p->then.bias_stride = (long long)d->value[CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE];
	p->then.kept_ld = (long long)d->value[CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD];
	p->then.kept_stride = (long long)d->value[CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE];
	if (e & CUBLASLT_EPILOGUE_BIAS)
		p->then.bias = bias;
	if (e & 128)
		p->then.kept = kept;
	return is_epilogue_there(e) && is_any(bias.type) && is_any(kept.type) &&
	       (p->in != CUDA_R_8I || e <= CUBLASLT_EPILOGUE_RELU);
}
bool is_plain(const cublasLtMatmulDesc *d)
{
	return d->value[CUBLASLT_MATMUL_DESC_POINTER_MODE] <= CUBLASLT_POINTER_MODE_DEVICE &&
	       !d->value[CUBLASLT_MATMUL_DESC_TRANSC] &&
	       !d->value[CUBLASLT_MATMUL_DESC_A_SCALE_POINTER] &&
	       !d->value[CUBLASLT_MATMUL_DESC_B_SCALE_POINTER] &&
	       !d->value[CUBLASLT_MATMUL_DESC_D_SCALE_POINTER];
}
cublasStatus_t describe(described *p, const cublasLtMatmulDesc *desc, const cublasLtMatrixLayout *a,
			const cublasLtMatrixLayout *b, const cublasLtMatrixLayout *c,
			const cublasLtMatrixLayout *d)
{
	const auto rows = CUBLASLT_MATRIX_LAYOUT_ROWS, columns = CUBLASLT_MATRIX_LAYOUT_COLS;
	const auto batch = CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT;

	if (!desc || !a || !b || !c || !d)
		return CUBLAS_STATUS_INVALID_VALUE;
	p->opa = (cublasOperation_t)desc->value[CUBLASLT_MATMUL_DESC_TRANSA];
	p->opb = (cublasOperation_t)desc->value[CUBLASLT_MATMUL_DESC_TRANSB];
	const bool ta = p->opa != CUBLAS_OP_N, tb = p->opb != CUBLAS_OP_N;
	if (of(a, ta ? columns : rows) != of(d, rows) || of(b, tb ? rows : columns) != of(d, columns) ||
	    of(a, ta ? rows : columns) != of(b, tb ? columns : rows) || of(c, rows) != of(d, rows) ||
	    of(c, columns) != of(d, columns) || of(a, batch) != of(d, batch) ||
	    of(b, batch) != of(d, batch) || of(c, batch) != of(d, batch) || !is_simple(a) ||
	    !is_simple(b) || !is_simple(c) || !is_simple(d))
		return CUBLAS_STATUS_INVALID_VALUE;
	p->m = (int)of(d, rows), p->n = (int)of(d, columns), p->k = (int)of(a, ta ? rows : columns);
	p->batch = (unsigned)of(d, batch);
	p->a = place_of(a), p->b = place_of(b), p->c = place_of(c), p->d = place_of(d);
	p->in = type_of(a), p->out = type_of(d);
	p->scale = (cudaDataType)desc->value[CUBLASLT_MATMUL_DESC_SCALE_TYPE];
	return type_of(a) == type_of(b) && type_of(c) == type_of(d) && is_plain(desc) &&
	       describe_epilogue(p, desc) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

template <class T> T scale_of(const void *p, cudaDataType type)
{
	return type == CUDA_R_32I ? (T)*(const int *)p : scalar_of<T>(p, type);
}
template <class A, class C, class T> cublasStatus_t
multiply_described(cublasHandle_t h, const described &p, const void *alpha, const void *a,
		   const void *b, const void *beta, const void *c, void *d)
{
	cublasStatus_t status =
		run(h, matmul<A, C, T>, tiles(p.m, p.n, (int)p.batch), tile, p.opa, p.opb, p.m, p.n,
		    p.k, scale_of<T>(alpha, p.scale), (const A *)a, p.a, (const A *)b, p.b,
		    scale_of<T>(beta, p.scale), (const C *)c, p.c, (C *)d, p.d, p.then);

	if (status != CUBLAS_STATUS_SUCCESS || !p.sums.p || !(p.sums_a || p.sums_b))
		return status;
	const int count = p.sums_a ? p.m : p.n;
	return run(h, bias_sums<A>, blocks(count, THREADS), THREADS, p.sums_a ? p.opa : p.opb,
		   (int)p.sums_b, count, p.k, (const A *)(p.sums_a ? a : b), p.sums_a ? p.a : p.b,
		   p.sums);
}
typedef cublasStatus_t described_product(cublasHandle_t, const described &, const void *, const void *,
					 const void *, const void *, const void *, void *);
/* NULL: not of these kinds. */
described_product *product_of(const described &p)
{
	static const struct {
		cudaDataType in, out;
		described_product *call;
	} kinds[] = {
		{ CUDA_R_32F, CUDA_R_32F, multiply_described<float, float, float> },
		{ CUDA_R_64F, CUDA_R_64F, multiply_described<double, double, double> },
		{ CUDA_R_16F, CUDA_R_16F, multiply_described<__half, __half, float> },
		{ CUDA_R_16F, CUDA_R_32F, multiply_described<__half, float, float> },
		{ CUDA_R_16BF, CUDA_R_16BF, multiply_described<__nv_bfloat16, __nv_bfloat16, float> },
		{ CUDA_R_16BF, CUDA_R_32F, multiply_described<__nv_bfloat16, float, float> },
		{ CUDA_R_8I, CUDA_R_32I, multiply_described<signed char, int, int> },
	};

	for (const auto &kind : kinds)
		if (kind.in == p.in && kind.out == p.out)
			return kind.call;
	return nullptr;
}
}

extern "C" {
cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
	WANT(true);
	*handle = new cublasLtContext();
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
	WANT(true);
	delete handle;
	return CUBLAS_STATUS_SUCCESS;
}
size_t cublasLtGetVersion(void) { return CUDART_VERSION * 10; }
const char *cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
const char *cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type,
					  uint64_t rows, uint64_t columns, int64_t ld)
{
	if (!layout)
		return CUBLAS_STATUS_INVALID_VALUE;
	*layout = new cublasLtMatrixLayout{ { (uint64_t)type, CUBLASLT_ORDER_COL, rows, columns,
					      (uint64_t)ld, 1, 0, 0 } };
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout)
{
	delete layout;
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
						cublasLtMatrixLayoutAttribute_t attribute,
						const void *value, size_t bytes)
{
	return set_value(layout, attribute, value, bytes);
}
cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout,
						cublasLtMatrixLayoutAttribute_t attribute,
						void *value, size_t bytes, size_t *written)
{
	return get_value(layout, attribute, value, bytes, written);
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *desc, cublasComputeType_t compute,
					cudaDataType scale)
{
	if (!desc)
		return CUBLAS_STATUS_INVALID_VALUE;
	*desc = new cublasLtMatmulDesc();
	(*desc)->value[CUBLASLT_MATMUL_DESC_COMPUTE_TYPE] = (uint64_t)compute;
	(*desc)->value[CUBLASLT_MATMUL_DESC_SCALE_TYPE] = (uint64_t)scale;
	(*desc)->value[CUBLASLT_MATMUL_DESC_EPILOGUE] = CUBLASLT_EPILOGUE_DEFAULT;
	(*desc)->value[CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE] = (uint32_t)-1;
	(*desc)->value[CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE] = (uint32_t)-1;
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc)
{
	delete desc;
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc,
					      cublasLtMatmulDescAttributes_t attribute,
					      const void *value, size_t bytes)
{
	return set_value(desc, attribute, value, bytes);
}
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t desc,
					      cublasLtMatmulDescAttributes_t attribute, void *value,
					      size_t bytes, size_t *written)
{
	return get_value(desc, attribute, value, bytes, written);
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference)
{
	if (preference)
		*preference = new cublasLtMatmulPreference();
	return preference ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference)
{
	delete preference;
	return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
						    cublasLtMatmulPreferenceAttributes_t,
						    const void *value, size_t)
{
	return preference && value ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t
cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
			       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
			       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
			       cublasLtMatmulPreference_t, int wanted,
			       cublasLtMatmulHeuristicResult_t results[], int *found)
{
	described p = {};

	WANT(wanted > 0 && results && found);
	cublasStatus_t status = describe(&p, desc, a, b, c, d);
	if (status == CUBLAS_STATUS_SUCCESS && !product_of(p))
		status = CUBLAS_STATUS_NOT_SUPPORTED;
	*found = status == CUBLAS_STATUS_SUCCESS;
	if (*found)
		results[0] = {};
	return status;
}
cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha,
			      const void *a, cublasLtMatrixLayout_t layout_a, const void *b,
			      cublasLtMatrixLayout_t layout_b, const void *beta, const void *c,
			      cublasLtMatrixLayout_t layout_c, void *d,
			      cublasLtMatrixLayout_t layout_d, const cublasLtMatmulAlgo_t *, void *,
			      size_t, cudaStream_t stream)
{
	described p = {};

	WANT(alpha && beta && a && b && d);
	cublasStatus_t status = describe(&p, desc, layout_a, layout_b, layout_c, layout_d);
	if (status != CUBLAS_STATUS_SUCCESS)
		return status;
	described_product *product = product_of(p);
	struct cublasContext run = handle->run;
	run.stream = stream;
	return product ? product(&run, p, alpha, a, b, beta, c, d) : CUBLAS_STATUS_NOT_SUPPORTED;
}
}
