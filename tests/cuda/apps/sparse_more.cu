/* SPDX-License-Identifier: GPL-3.0-or-later
 * sparse_more.cu -- cuSPARSE's vectors, products of sparse matrices, triangles with many right sides, counts, orders and
 * indices of 64 bits against loops of the host, on whole numbers: equal to the last bit.
 */
#include <cusparse.h>
#include <algorithm>
#include <vector>
#include "common.h"

#define DO(call) REQUIRE((call) == CUSPARSE_STATUS_SUCCESS)

enum { ROWS = 23, INNER = 19, COLUMNS = 31 };
typedef std::vector<double> numbers;

static unsigned state = 7;

/* Managed, so that the host sees it. */
template <class T> struct shared {
	T *p;
	size_t n;
	explicit shared(size_t n) : n(n)
	{
		CHECK(cudaMallocManaged(&p, (n + 1) * sizeof(T)));
		std::fill(p, p + n, T(0));
	}
	~shared() { cudaFree(p); }
	T &operator[](size_t i) { return p[i]; }
};

/* Rows of a drawn matrix, some of them empty. */
template <class I> struct csr {
	int rows, columns, base;
	numbers dense;
	shared<I> offsets, indices;
	shared<double> values;
	cusparseSpMatDescr_t matrix;
	csr(int rows, int columns, int base, bool triangle = false, bool upper = false)
		: rows(rows), columns(columns), base(base), dense((size_t)(rows * columns)), offsets((size_t)rows + 1),
		  indices((size_t)(rows * columns)), values((size_t)(rows * columns))
	{
		I n = 0;

		for (int i = 0; i < rows; i++) {
			offsets[(size_t)i] = n + base;
			for (int j = 0; j < columns; j++) {
				double v = next(&state) % 3 ? 0 : (int)(next(&state) % 9) - 4;

				if (triangle)
					v = i == j ? 1 + i % 2 : (upper ? j > i : j < i) ? v : 0;
				dense[(size_t)(i * columns + j)] = v;
				if (v == 0 || (i == 4 && !triangle)) {
					dense[(size_t)(i * columns + j)] = 0;
					continue;
				}
				indices[(size_t)n] = j + base;
				values[(size_t)n++] = v;
			}
		}
		offsets[(size_t)rows] = n + base;
		const cusparseIndexType_t type = sizeof(I) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
		if (cusparseCreateCsr(&matrix, rows, columns, n, offsets.p, indices.p, values.p, type, type,
				      (cusparseIndexBase_t)base, CUDA_R_64F))
			exit(1);
	}
	~csr() { cusparseDestroySpMat(matrix); }
};

static bool vectors(cusparseHandle_t h)
{
	const int n = 40, count = 6, index[count] = { 1, 5, 8, 20, 39, 40 };
	const double alpha = 2, beta = -1, c = 3, s = 2;
	shared<int> indices(count);
	shared<double> x(count), y(n);
	cusparseSpVecDescr_t sparse;
	cusparseDnVecDescr_t dense;
	numbers want((size_t)n);
	double sum = 0, got = -1;
	size_t bytes;

	for (int i = 0; i < n; i++)
		y[i] = want[i] = i % 7 - 3;
	for (int i = 0; i < count; i++)
		indices[i] = index[i], x[i] = i + 1;
	DO(cusparseCreateSpVec(&sparse, n, count, indices.p, x.p, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, CUDA_R_64F));
	DO(cusparseCreateDnVec(&dense, n, y.p, CUDA_R_64F));
	DO(cusparseAxpby(h, &alpha, sparse, &beta, dense));
	for (double &v : want)
		v *= beta;
	for (int i = 0; i < count; i++) {
		want[index[i] - 1] += alpha * (i + 1);
		sum += (i + 1) * want[index[i] - 1];
	}
	REQUIRE(std::equal(want.begin(), want.end(), y.p));
	DO(cusparseSpVV_bufferSize(h, CUSPARSE_OPERATION_NON_TRANSPOSE, sparse, dense, &got, CUDA_R_64F, &bytes));
	DO(cusparseSpVV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, sparse, dense, &got, CUDA_R_64F, nullptr));
	REQUIRE(got == sum);
	DO(cusparseRot(h, &c, &s, sparse, dense));
	for (int i = 0; i < count; i++) {
		double &v = want[index[i] - 1], before = v;

		v = c * before - s * (i + 1);
		REQUIRE(x[i] == c * (i + 1) + s * before && y[index[i] - 1] == v);
	}
	DO(cusparseGather(h, dense, sparse));
	for (int i = 0; i < count; i++) {
		REQUIRE(x[i] == want[index[i] - 1]);
		x[i] = want[index[i] - 1] = 100 + i;
	}
	DO(cusparseScatter(h, sparse, dense));
	REQUIRE(std::equal(want.begin(), want.end(), y.p));
	DO(cusparseDestroySpVec(sparse));
	DO(cusparseDestroyDnVec(dense));
	return true;
}

static bool products(cusparseHandle_t h)
{
	csr<int> a(ROWS, INNER, 0), b(INNER, COLUMNS, 1);
	const double alpha = 2, beta = 0;
	const auto no = CUSPARSE_OPERATION_NON_TRANSPOSE;
	const auto how = CUSPARSE_SPGEMM_DEFAULT;
	shared<int> offsets(ROWS + 1);
	cusparseSpMatDescr_t c;
	cusparseSpGEMMDescr_t product;
	size_t bytes;
	int64_t rows, columns, count;
	char buffer[8];

	DO(cusparseCreateCsr(&c, ROWS, COLUMNS, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
			     CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
	DO(cusparseSpGEMM_createDescr(&product));
	DO(cusparseSpGEMM_workEstimation(h, no, no, &alpha, a.matrix, b.matrix, &beta, c, CUDA_R_64F, how, product, &bytes,
					 nullptr));
	DO(cusparseSpGEMM_compute(h, no, no, &alpha, a.matrix, b.matrix, &beta, c, CUDA_R_64F, how, product, &bytes, nullptr));
	DO(cusparseSpGEMM_compute(h, no, no, &alpha, a.matrix, b.matrix, &beta, c, CUDA_R_64F, how, product, &bytes, buffer));
	DO(cusparseSpMatGetSize(c, &rows, &columns, &count));
	shared<int> indices((size_t)count);
	shared<double> values((size_t)count);
	DO(cusparseCsrSetPointers(c, offsets.p, indices.p, values.p));
	DO(cusparseSpGEMM_copy(h, no, no, &alpha, a.matrix, b.matrix, &beta, c, CUDA_R_64F, how, product));
	REQUIRE(offsets[ROWS] == count && offsets[4] == offsets[5] && count > ROWS);
	for (int i = 0; i < ROWS; i++) {
		numbers row(COLUMNS);

		for (int k = offsets[i]; k < offsets[i + 1]; k++) {
			REQUIRE(k == offsets[i] || indices[k] > indices[k - 1]);
			row[indices[k]] = values[k];
		}
		for (int j = 0; j < COLUMNS; j++) {
			double sum = 0;

			for (int l = 0; l < INNER; l++)
				sum += a.dense[i * INNER + l] * b.dense[l * COLUMNS + j];
			REQUIRE(row[j] == alpha * sum);
		}
	}
	REQUIRE(cusparseSpGEMM_compute(h, CUSPARSE_OPERATION_TRANSPOSE, no, &alpha, a.matrix, b.matrix, &beta, c, CUDA_R_64F,
				       how, product, &bytes, buffer) == CUSPARSE_STATUS_NOT_SUPPORTED);
	DO(cusparseSpGEMM_destroyDescr(product));
	DO(cusparseDestroySpMat(c));
	return true;
}

/* op(a) c is 2 b again: pivots are 1 and 2, so that nothing is rounded. */
static bool triangles(cusparseHandle_t h, bool upper, bool turned, bool unit)
{
	enum { N = 12, SIDES = 3 };
	csr<int> a(N, N, 1, true, upper);
	const double alpha = 2;
	const auto op = turned ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
	const auto no = CUSPARSE_OPERATION_NON_TRANSPOSE;
	cusparseFillMode_t fill = upper ? CUSPARSE_FILL_MODE_UPPER : CUSPARSE_FILL_MODE_LOWER;
	cusparseDiagType_t diagonal = unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
	shared<double> b(N * SIDES), c(N * SIDES);
	cusparseDnMatDescr_t from, to;
	cusparseSpSMDescr_t solve;
	size_t bytes;

	for (int i = 0; i < N * SIDES; i++)
		b[i] = i % 5 - 2;
	DO(cusparseSpMatSetAttribute(a.matrix, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
	DO(cusparseSpMatSetAttribute(a.matrix, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
	DO(cusparseCreateDnMat(&from, N, SIDES, SIDES, b.p, CUDA_R_64F, CUSPARSE_ORDER_ROW));
	DO(cusparseCreateDnMat(&to, N, SIDES, N, c.p, CUDA_R_64F, CUSPARSE_ORDER_COL));
	DO(cusparseSpSM_createDescr(&solve));
	DO(cusparseSpSM_bufferSize(h, op, no, &alpha, a.matrix, from, to, CUDA_R_64F, CUSPARSE_SPSM_ALG_DEFAULT, solve, &bytes));
	REQUIRE(cusparseSpSM_solve(h, op, no, &alpha, a.matrix, from, to, CUDA_R_64F, CUSPARSE_SPSM_ALG_DEFAULT, solve) ==
		CUSPARSE_STATUS_INVALID_VALUE);
	DO(cusparseSpSM_analysis(h, op, no, &alpha, a.matrix, from, to, CUDA_R_64F, CUSPARSE_SPSM_ALG_DEFAULT, solve, nullptr));
	DO(cusparseSpSM_solve(h, op, no, &alpha, a.matrix, from, to, CUDA_R_64F, CUSPARSE_SPSM_ALG_DEFAULT, solve));
	for (int e = 0; e < N * SIDES; e++) {
		const int i = e % N, j = e / N;
		double sum = 0;

		for (int l = 0; l < N; l++) {
			const double v = i == l && unit ? 1 : a.dense[turned ? l * N + i : i * N + l];

			sum += v * c[l + j * N];
		}
		REQUIRE(sum == alpha * b[i * SIDES + j]);
	}
	DO(cusparseSpSM_destroyDescr(solve));
	DO(cusparseDestroyDnMat(from));
	DO(cusparseDestroyDnMat(to));
	return true;
}

static bool orders(cusparseHandle_t h)
{
	const int n = 50;
	shared<int> row(n), column(n), p(n), offsets(6);
	std::vector<int> rows(n), columns(n);
	cusparseMatDescr_t matrix;

	for (int by = 0; by < 2; by++) {
		for (int i = 0; i < n; i++) {
			row[i] = rows[i] = (int)(next(&state) % 6);
			column[i] = columns[i] = (int)(next(&state) % 1000);
		}
		DO(cusparseCreateIdentityPermutation(h, n, p.p));
		DO((by ? cusparseXcoosortByColumn : cusparseXcoosortByRow)(h, 6, 1000, n, row.p, column.p, p.p, nullptr));
		for (int i = 0; i < n; i++) {
			REQUIRE(row[i] == rows[p[i]] && column[i] == columns[p[i]]);
			REQUIRE(!i || (by ? column[i - 1] <= column[i] : row[i - 1] * 1000 + column[i - 1] <=
										 row[i] * 1000 + column[i]));
		}
	}
	for (int i = 0; i < 6; i++)
		offsets[i] = 10 * i + 1;
	DO(cusparseCreateMatDescr(&matrix));
	DO(cusparseSetMatIndexBase(matrix, CUSPARSE_INDEX_BASE_ONE));
	DO(cusparseCreateIdentityPermutation(h, n, p.p));
	for (int i = 0; i < n; i++)
		column[i] = columns[i];
	DO(cusparseXcsrsort(h, 5, 1000, n, matrix, offsets.p, column.p, p.p, nullptr));
	for (int i = 0; i < n; i++)
		REQUIRE(column[i] == columns[p[i]] && p[i] / 10 == i / 10 && (i % 10 == 0 || column[i - 1] <= column[i]));
	DO(cusparseDestroyMatDescr(matrix));
	return true;
}

/* To a dense matrix, back, and times a vector. */
static bool wide(cusparseHandle_t h)
{
	csr<long long> a(ROWS, INNER, 0);
	const double alpha = 2, beta = 0;
	shared<double> dense(ROWS * INNER), x(INNER), y(ROWS), values(a.values.n);
	shared<long long> offsets(ROWS + 1), indices(a.indices.n);
	shared<int> counts(ROWS);
	cusparseDnMatDescr_t matrix;
	cusparseSpMatDescr_t back;
	cusparseDnVecDescr_t from, to;
	int64_t rows, columns, count;
	int all = -1;

	DO(cusparseCreateDnMat(&matrix, ROWS, INNER, ROWS, dense.p, CUDA_R_64F, CUSPARSE_ORDER_COL));
	DO(cusparseSparseToDense(h, a.matrix, matrix, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
	DO(cusparseDnnz(h, CUSPARSE_DIRECTION_ROW, ROWS, INNER, nullptr, dense.p, ROWS, counts.p, &all));
	for (int i = 0; i < ROWS; i++) {
		REQUIRE(counts[i] == a.offsets[i + 1] - a.offsets[i]);
		for (int j = 0; j < INNER; j++)
			REQUIRE(dense[i + j * ROWS] == a.dense[i * INNER + j]);
	}
	REQUIRE(all == a.offsets[ROWS]);
	DO(cusparseCreateCsr(&back, ROWS, INNER, 0, offsets.p, indices.p, values.p, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_64I,
			     CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
	DO(cusparseDenseToSparse_analysis(h, matrix, back, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
	DO(cusparseSpMatGetSize(back, &rows, &columns, &count));
	DO(cusparseDenseToSparse_convert(h, matrix, back, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
	REQUIRE(count == a.offsets[ROWS] && std::equal(offsets.p, offsets.p + ROWS + 1, a.offsets.p) &&
		std::equal(indices.p, indices.p + count, a.indices.p) && std::equal(values.p, values.p + count, a.values.p));
	for (int i = 0; i < INNER; i++)
		x[i] = i - 5;
	DO(cusparseCreateDnVec(&from, INNER, x.p, CUDA_R_64F));
	DO(cusparseCreateDnVec(&to, ROWS, y.p, CUDA_R_64F));
	DO(cusparseSpMV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a.matrix, from, &beta, to, CUDA_R_64F,
			CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
	for (int i = 0; i < ROWS; i++) {
		double sum = 0;

		for (int j = 0; j < INNER; j++)
			sum += a.dense[i * INNER + j] * x[j];
		REQUIRE(y[i] == alpha * sum);
	}
	DO(cusparseDestroyDnVec(from));
	DO(cusparseDestroyDnVec(to));
	DO(cusparseDestroyDnMat(matrix));
	DO(cusparseDestroySpMat(back));
	return true;
}

int main()
{
	cusparseHandle_t h;
	bool good = cusparseCreate(&h) == CUSPARSE_STATUS_SUCCESS && vectors(h) && products(h) && orders(h) && wide(h);

	for (int i = 0; i < 8 && good; i++)
		good = triangles(h, i & 1, i & 2, i & 4);
	return passed(good && cusparseDestroy(h) == CUSPARSE_STATUS_SUCCESS);
}
