/* SPDX-License-Identifier: GPL-3.0-or-later
 * sparse.cu -- cuSPARSE's calls against loops of the host, on whole numbers: equal to the last bit.
 */
#include <cusparse.h>
#include <vector>
#include "common.h"

#define DO(call) REQUIRE((call) == CUSPARSE_STATUS_SUCCESS)

enum { ROWS = 37, COLUMNS = 29, WIDE = 3 };
typedef std::vector<double> numbers;

static unsigned state = 1;
static int draw(int below)
{
	state = state * 1664525u + 1013904223u;
	return (int)(state >> 16) % below;
}

template <class T> struct on_device {
	T *p;
	size_t n;
	on_device(const std::vector<T> &v) : p(nullptr), n(v.size())
	{
		CHECK(cudaMalloc(&p, n * sizeof(T)));
		CHECK(cudaMemcpy(p, v.data(), n * sizeof(T), cudaMemcpyHostToDevice));
	}
	~on_device() { cudaFree(p); }
	std::vector<T> get() const
	{
		std::vector<T> v(n);
		CHECK(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
		return v;
	}
};

/* Every third number or so is there. */
static numbers drawn(int rows, int columns)
{
	numbers a((size_t)(rows * columns));
	for (double &v : a)
		v = draw(3) ? 0 : draw(9) - 4;
	return a;
}

struct csr {
	std::vector<int> offsets, indices, row_of;
	numbers values;
	csr(const numbers &a, int rows, int columns, int base)
	{
		offsets.push_back(base);
		for (int i = 0; i < rows; i++) {
			for (int j = 0; j < columns; j++) {
				if (a[(size_t)(i * columns + j)] == 0)
					continue;
				indices.push_back(j + base);
				row_of.push_back(i + base);
				values.push_back(a[(size_t)(i * columns + j)]);
			}
			offsets.push_back((int)values.size() + base);
		}
	}
};

/* 2 op(a) b - c, of WIDE columns. */
static numbers product(const numbers &a, bool turned, const numbers &b, numbers c)
{
	int rows = turned ? COLUMNS : ROWS, inner = turned ? ROWS : COLUMNS;
	for (int i = 0; i < rows * WIDE; i++) {
		double sum = 0;
		for (int k = 0; k < inner; k++)
			sum += a[(size_t)(turned ? k * COLUMNS + i / WIDE : i / WIDE * COLUMNS + k)] *
			       b[(size_t)(k * WIDE + i % WIDE)];
		c[(size_t)i] = 2 * sum - c[(size_t)i];
	}
	return c;
}

static bool products(cusparseHandle_t h, cusparseSpMatDescr_t a, const numbers &full,
		     cusparseOperation_t op)
{
	bool turned = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
	int rows = turned ? COLUMNS : ROWS, inner = turned ? ROWS : COLUMNS;
	numbers b = drawn(inner, WIDE), c = drawn(rows, WIDE), want = product(full, turned, b, c);
	on_device<double> db(b), dc(c);
	const double alpha = 2, beta = -1;
	cusparseDnMatDescr_t mb, mc;
	cusparseDnVecDescr_t x, y;
	size_t bytes;

	DO(cusparseCreateDnMat(&mb, inner, WIDE, WIDE, db.p, CUDA_R_64F, CUSPARSE_ORDER_ROW));
	DO(cusparseCreateDnMat(&mc, rows, WIDE, WIDE, dc.p, CUDA_R_64F, CUSPARSE_ORDER_ROW));
	DO(cusparseSpMM_bufferSize(h, op, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, mb, &beta, mc,
				   CUDA_R_64F, CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
	DO(cusparseSpMM(h, op, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, mb, &beta, mc, CUDA_R_64F,
			CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
	REQUIRE(dc.get() == want);
	/* A vector is its first column, laid out for itself. */
	numbers first((size_t)inner), last((size_t)rows);
	for (int i = 0; i < inner; i++)
		first[(size_t)i] = b[(size_t)(i * WIDE)];
	on_device<double> dx(first), dy(last);
	DO(cusparseCreateDnVec(&x, inner, dx.p, CUDA_R_64F));
	DO(cusparseCreateDnVec(&y, rows, dy.p, CUDA_R_64F));
	DO(cusparseSpMV(h, op, &alpha, a, x, &beta, y, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
	last = dy.get();
	for (int i = 0; i < rows; i++)
		REQUIRE(last[(size_t)i] == want[(size_t)(i * WIDE)] + c[(size_t)(i * WIDE)]);
	REQUIRE(cusparseSpMV(h, op, &alpha, a, y, &beta, x, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT,
			  nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
	DO(cusparseDestroyDnVec(x));
	DO(cusparseDestroyDnVec(y));
	DO(cusparseDestroyDnMat(mb));
	DO(cusparseDestroyDnMat(mc));
	return true;
}

/* Of two full matrices, where a has values: with one on the right, then with the other, of what that has given. */
static bool sampled(cusparseHandle_t h, cusparseSpMatDescr_t a, const numbers &full, double *values,
		    numbers now)
{
	const auto N = CUSPARSE_OPERATION_NON_TRANSPOSE, T = CUSPARSE_OPERATION_TRANSPOSE;
	numbers left = drawn(ROWS, WIDE), right = drawn(2 * WIDE, COLUMNS), got(now.size());
	on_device<double> dl(left), dr(right);
	const double alpha = 3, beta = -2;
	cusparseDnMatDescr_t l, r;
	size_t bytes;

	/* What lies row after row is its transpose by columns. */
	DO(cusparseCreateDnMat(&l, WIDE, ROWS, WIDE, dl.p, CUDA_R_64F, CUSPARSE_ORDER_COL));
	DO(cusparseCreateDnMat(&r, WIDE, COLUMNS, COLUMNS, dr.p, CUDA_R_64F, CUSPARSE_ORDER_ROW));
	DO(cusparseDnMatSetStridedBatch(l, 2, 0));
	DO(cusparseDnMatSetStridedBatch(r, 2, WIDE * COLUMNS));
	DO(cusparseCsrSetStridedBatch(a, 2, 0, 0));
	DO(cusparseSDDMM_bufferSize(h, T, N, &alpha, l, r, &beta, a, CUDA_R_64F,
				    CUSPARSE_SDDMM_ALG_DEFAULT, &bytes));
	DO(cusparseSDDMM(h, T, N, &alpha, l, r, &beta, a, CUDA_R_64F, CUSPARSE_SDDMM_ALG_DEFAULT,
			 nullptr));
	CHECK(cudaMemcpy(got.data(), values, sizeof(double) * got.size(), cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(values, now.data(), sizeof(double) * got.size(), cudaMemcpyHostToDevice));
	for (int n = 0; n < 2; n++) {
		double *p = now.data();
		for (int i = 0; i < ROWS * COLUMNS; i++) {
			double sum = 0;
			for (int m = 0; m < WIDE; m++)
				sum += left[(size_t)(i / COLUMNS * WIDE + m)] *
				       right[(size_t)((n * WIDE + m) * COLUMNS + i % COLUMNS)];
			if (full[(size_t)i] != 0) {
				*p = 3 * sum - 2 * *p;
				p++;
			}
		}
	}
	REQUIRE(got == now);
	REQUIRE(cusparseSDDMM(h, N, T, &alpha, l, r, &beta, a, CUDA_R_64F, CUSPARSE_SDDMM_ALG_DEFAULT,
			      nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
	DO(cusparseDestroyDnMat(l));
	return cusparseDestroyDnMat(r) == CUSPARSE_STATUS_SUCCESS;
}

/* CSR to COO, CSC, a full matrix and back. */
static bool forms(cusparseHandle_t h)
{
	const auto I = CUSPARSE_INDEX_32I;
	const auto one = CUSPARSE_INDEX_BASE_ONE;
	numbers full = drawn(ROWS, COLUMNS);
	csr a(full, ROWS, COLUMNS, 1);
	int count = (int)a.values.size();
	on_device<int> offsets(a.offsets), indices(a.indices), row_of(a.indices),
		back(a.offsets), turned(std::vector<int>(COLUMNS + 1)), turned_rows(a.indices);
	on_device<double> values(a.values), turned_values(a.values), dense(full);
	cusparseSpMatDescr_t of_rows, of_columns, of_each, again;
	cusparseDnMatDescr_t whole;
	int64_t n, m, k;

	DO(cusparseXcsr2coo(h, offsets.p, count, ROWS, row_of.p, one));
	REQUIRE(row_of.get() == a.row_of);
	CHECK(cudaMemset(back.p, 0, sizeof(int) * (ROWS + 1)));
	DO(cusparseXcoo2csr(h, row_of.p, count, ROWS, back.p, one));
	REQUIRE(back.get() == a.offsets);
	DO(cusparseCsr2cscEx2(h, ROWS, COLUMNS, count, values.p, offsets.p, indices.p, turned_values.p,
			      turned.p, turned_rows.p, CUDA_R_64F, CUSPARSE_ACTION_NUMERIC, one,
			      CUSPARSE_CSR2CSC_ALG1, nullptr));
	DO(cusparseCreateCsr(&of_rows, ROWS, COLUMNS, count, offsets.p, indices.p, values.p, I, I, one,
			     CUDA_R_64F));
	DO(cusparseCreateCsc(&of_columns, ROWS, COLUMNS, count, turned.p, turned_rows.p,
			     turned_values.p, I, I, one, CUDA_R_64F));
	DO(cusparseCreateCoo(&of_each, ROWS, COLUMNS, count, row_of.p, indices.p, values.p, I, one,
			     CUDA_R_64F));
	if (!sampled(h, of_rows, full, values.p, a.values))
		return false;
	for (auto matrix : { of_rows, of_columns, of_each }) {
		if (!products(h, matrix, full, CUSPARSE_OPERATION_NON_TRANSPOSE) ||
		    !products(h, matrix, full, CUSPARSE_OPERATION_TRANSPOSE))
			return false;
		CHECK(cudaMemset(dense.p, 1, sizeof(double) * full.size()));
		DO(cusparseCreateDnMat(&whole, ROWS, COLUMNS, COLUMNS, dense.p, CUDA_R_64F,
				       CUSPARSE_ORDER_ROW));
		DO(cusparseSparseToDense(h, matrix, whole, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
		REQUIRE(dense.get() == full);
	}
	DO(cusparseCreateCsr(&again, ROWS, COLUMNS, 0, back.p, nullptr, nullptr, I, I, one, CUDA_R_64F));
	DO(cusparseDenseToSparse_analysis(h, whole, again, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
	DO(cusparseSpMatGetSize(again, &n, &m, &k));
	REQUIRE(n == ROWS && m == COLUMNS && k == count);
	DO(cusparseCsrSetPointers(again, back.p, turned_rows.p, turned_values.p));
	DO(cusparseDenseToSparse_convert(h, whole, again, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
	REQUIRE(back.get() == a.offsets && turned_rows.get() == a.indices &&
	     turned_values.get() == a.values);
	for (auto matrix : { of_rows, of_columns, of_each, again })
		DO(cusparseDestroySpMat(matrix));
	return cusparseDestroyDnMat(whole) == CUSPARSE_STATUS_SUCCESS;
}

/* lower * upper of a full pattern, factored, and each triangle solved both ways round. */
static bool triangles(cusparseHandle_t h)
{
	const int n = 8;
	numbers both((size_t)(n * n)), full(both.size()), want(n), x(n);
	for (int i = 0; i < n * n; i++)
		both[(size_t)i] = i % (n + 1) ? draw(3) + 1 : 2;
	for (int i = 0; i < n * n; i++)
		for (int k = 0; k <= i / n && k <= i % n; k++)
			full[(size_t)i] += (k < i / n ? both[(size_t)(i / n * n + k)] : 1) *
					   both[(size_t)(k * n + i % n)];
	csr a(full, n, n, 0);
	csr pattern(both, n, n, 0);
	for (int i = 0; i < n * n; i++) /* products may be 0 */
		pattern.values[(size_t)i] = full[(size_t)i];
	on_device<int> offsets(pattern.offsets), indices(pattern.indices);
	on_device<double> values(pattern.values);
	cusparseMatDescr_t kind;
	csrilu02Info_t info;
	int bytes, zero;

	DO(cusparseCreateMatDescr(&kind));
	DO(cusparseCreateCsrilu02Info(&info));
	DO(cusparseDcsrilu02_bufferSize(h, n, n * n, kind, values.p, offsets.p, indices.p, info, &bytes));
	DO(cusparseDcsrilu02_analysis(h, n, n * n, kind, values.p, offsets.p, indices.p, info,
				      CUSPARSE_SOLVE_POLICY_USE_LEVEL, nullptr));
	DO(cusparseDcsrilu02(h, n, n * n, kind, values.p, offsets.p, indices.p, info,
			     CUSPARSE_SOLVE_POLICY_USE_LEVEL, nullptr));
	DO(cusparseXcsrilu02_zeroPivot(h, info, &zero));
	REQUIRE(values.get() == both);
	for (int way = 0; way < 4; way++) {
		bool upper = way & 1, turned = way & 2;
		auto fill = upper ? CUSPARSE_FILL_MODE_UPPER : CUSPARSE_FILL_MODE_LOWER;
		auto diagonal = upper ? CUSPARSE_DIAG_TYPE_NON_UNIT : CUSPARSE_DIAG_TYPE_UNIT;
		auto op = turned ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
		const double alpha = 2;
		cusparseSpMatDescr_t matrix;
		cusparseDnVecDescr_t from, to;
		cusparseSpSVDescr_t solve;

		for (int i = 0; i < n; i++)
			want[(size_t)i] = 2 * (draw(9) - 4);
		for (int i = 0; i < n; i++) {
			x[(size_t)i] = 0;
			for (int k = 0; k < n; k++) {
				int r = turned ? k : i, c = turned ? i : k;
				double v = r == c && !upper ? 1 : both[(size_t)(r * n + c)];
				if (r == c || (upper ? c > r : c < r))
					x[(size_t)i] += v * want[(size_t)k] / 2;
			}
		}
		on_device<double> dx(x), dy(x);
		DO(cusparseCreateCsr(&matrix, n, n, n * n, offsets.p, indices.p, values.p,
				     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
				     CUDA_R_64F));
		DO(cusparseSpMatSetAttribute(matrix, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
		DO(cusparseSpMatSetAttribute(matrix, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal,
					     sizeof diagonal));
		DO(cusparseCreateDnVec(&from, n, dx.p, CUDA_R_64F));
		DO(cusparseCreateDnVec(&to, n, dy.p, CUDA_R_64F));
		DO(cusparseSpSV_createDescr(&solve));
		REQUIRE(cusparseSpSV_solve(h, op, &alpha, matrix, from, to, CUDA_R_64F,
					CUSPARSE_SPSV_ALG_DEFAULT, solve) != CUSPARSE_STATUS_SUCCESS);
		DO(cusparseSpSV_analysis(h, op, &alpha, matrix, from, to, CUDA_R_64F,
					 CUSPARSE_SPSV_ALG_DEFAULT, solve, nullptr));
		DO(cusparseSpSV_solve(h, op, &alpha, matrix, from, to, CUDA_R_64F,
				      CUSPARSE_SPSV_ALG_DEFAULT, solve));
		REQUIRE(dy.get() == want);
		DO(cusparseSpSV_destroyDescr(solve));
	}
	DO(cusparseDestroyCsrilu02Info(info));
	return cusparseDestroyMatDescr(kind) == CUSPARSE_STATUS_SUCCESS;
}

int main()
{
	cusparseHandle_t h;
	bool good = cusparseCreate(&h) == CUSPARSE_STATUS_SUCCESS && forms(h) && triangles(h);

	cusparseDestroy(h);
	return passed(good);
}
