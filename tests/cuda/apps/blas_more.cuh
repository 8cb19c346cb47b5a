/* SPDX-License-Identifier: GPL-3.0-or-later
 * blas_more.cuh -- calls of cublas_calls.h against loops of the host, on complex whole numbers: equal to
 * the last bit.  Part of blas.cu.
 */
#include <complex>

typedef std::complex<double> Z;
typedef cuDoubleComplex *ZP;

/* Column-major, as many rows as ld; on the device too. */
struct numbers {
	int ld;
	std::vector<Z> host;
	ZP device;
	numbers(int m, int n) : ld(m), host((size_t)m * n), device(nullptr)
	{
		for (auto &v : host)
			v = Z(draw(), draw());
		cudaMalloc(&device, host.size() * sizeof(Z));
		send();
	}
	~numbers() { cudaFree(device); }
	void send() { cudaMemcpy(device, host.data(), host.size() * sizeof(Z), cudaMemcpyHostToDevice); }
	Z &at(int i, int j) { return host[(size_t)(i + j * ld)]; }
	std::vector<Z> got() const
	{
		std::vector<Z> v(host.size());
		cudaMemcpy(v.data(), device, v.size() * sizeof(Z), cudaMemcpyDeviceToHost);
		return v;
	}
};
static const Z two(2, 1), three(3, -2);
static const ZP alpha_ = (ZP)&two, beta_ = (ZP)&three;

/* op(v), and the place of it */
static Z of(numbers &a, cublasOperation_t op, int i, int j)
{
	Z v = op == CUBLAS_OP_N ? a.at(i, j) : a.at(j, i);
	return op == CUBLAS_OP_C ? std::conj(v) : v;
}

/* A whole matrix of what a triangle says; the diagonal's inverses are whole numbers. */
static void spread(numbers &a, numbers &whole, bool upper, bool unit, bool symmetric)
{
	for (int i = 0; i < a.ld; i++) {
		a.at(i, i) = i % 2 ? Z(0, 1) : Z(-1, 0);
		for (int j = 0; j < a.ld; j++) {
			bool in = upper ? i <= j : i >= j;
			whole.at(i, j) = in ? a.at(i, j) : symmetric ? a.at(j, i) : Z(0);
		}
		if (unit)
			whole.at(i, i) = 1;
	}
	a.send();
}

static bool triangles(cublasHandle_t h, int which)
{
	const int m = 7, n = 5;
	auto side = (cublasSideMode_t)(which & 1);
	auto uplo = (cublasFillMode_t)(which >> 1 & 1);
	auto diag = (cublasDiagType_t)(which >> 2 & 1);
	auto op = (cublasOperation_t)(which / 8);
	bool left = side == CUBLAS_SIDE_LEFT;
	int size = left ? m : n;
	numbers a(size, size), whole(size, size), b(m, n), c(m, n), x(size, 2);
	std::vector<Z> want = c.host;

	spread(a, whole, uplo == CUBLAS_FILL_MODE_UPPER, diag == CUBLAS_DIAG_UNIT, false);
	for (int i = 0; i < m; i++) {
		for (int j = 0; j < n; j++) {
			Z sum = 0;
			for (int k = 0; k < size; k++)
				sum += left ? of(whole, op, i, k) * b.at(k, j) : b.at(i, k) * of(whole, op, k, j);
			want[(size_t)(i + j * m)] = two * sum;
		}
	}
	DO(cublasZtrmm(h, side, uplo, op, diag, m, n, alpha_, a.device, a.ld, b.device, m, c.device, m));
	REQUIRE(c.got() == want);
	DO(cublasZtrsm(h, side, uplo, op, diag, m, n, beta_, a.device, a.ld, c.device, m));
	for (size_t i = 0; i < want.size(); i++)
		want[i] = two * three * b.host[i];
	REQUIRE(c.got() == want);
	/* Every other number of x, from its end. */
	want = x.host;
	for (int i = 0; i < size; i++) {
		Z sum = 0;
		for (int k = 0; k < size; k++)
			sum += of(whole, op, i, k) * x.host[(size_t)(2 * (size - 1 - k))];
		want[(size_t)(2 * (size - 1 - i))] = sum;
	}
	DO(cublasZtrmv(h, uplo, op, diag, size, a.device, a.ld, x.device, -2));
	REQUIRE(x.got() == want);
	DO(cublasZtrsv(h, uplo, op, diag, size, a.device, a.ld, x.device, -2));
	REQUIRE(x.got() == x.host);
	return true;
}

static bool symmetric_ones(cublasHandle_t h, bool upper)
{
	const int n = 9, k = 6;
	auto uplo = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
	numbers s(n, n), whole(n, n), a(n, k), b(n, k), c(n, n), d(n, k), x(n, 1), y(n, 1);
	std::vector<Z> want = c.host, product = d.host, sum = y.host, ranked;

	spread(s, whole, upper, false, true);
	for (int j = 0; j < n; j++) {
		sum[(size_t)j] *= three;
		for (int i = 0; i < n; i++) {
			sum[(size_t)j] += two * whole.at(j, i) * x.host[(size_t)i];
			if (upper ? i > j : i < j)
				continue;
			want[(size_t)(i + j * n)] *= three;
			for (int l = 0; l < k; l++)
				want[(size_t)(i + j * n)] += two * (a.at(i, l) * b.at(j, l) + b.at(i, l) * a.at(j, l));
		}
		for (int l = 0; l < k; l++) {
			product[(size_t)(j + l * n)] *= three;
			for (int i = 0; i < n; i++)
				product[(size_t)(j + l * n)] += two * whole.at(j, i) * a.at(i, l);
		}
	}
	DO(cublasZsyr2k(h, uplo, CUBLAS_OP_N, n, k, alpha_, a.device, n, b.device, n, beta_, c.device, n));
	REQUIRE(c.got() == want);
	DO(cublasZsymm(h, CUBLAS_SIDE_LEFT, uplo, n, k, alpha_, s.device, n, a.device, n, beta_, d.device, n));
	REQUIRE(d.got() == product);
	DO(cublasZsymv(h, uplo, n, alpha_, s.device, n, x.device, 1, beta_, y.device, 1));
	REQUIRE(y.got() == sum);
	/* Ranks one and two, and k of a transposed matrix: a is taken as 6 x 9. */
	ranked = want;
	for (int j = 0; j < n; j++) {
		for (int i = upper ? 0 : j; i <= (upper ? j : n - 1); i++) {
			Z &v = ranked[(size_t)(i + j * n)];
			v += two * x.at(i, 0) * x.at(j, 0);
			v += two * (x.at(i, 0) * sum[(size_t)j] + sum[(size_t)i] * x.at(j, 0));
			v *= three;
			for (int l = 0; l < k; l++)
				v += two * a.host[(size_t)(l + i * k)] * a.host[(size_t)(l + j * k)];
		}
	}
	DO(cublasZsyr(h, uplo, n, alpha_, x.device, 1, c.device, n));
	DO(cublasZsyr2(h, uplo, n, alpha_, x.device, 1, y.device, 1, c.device, n));
	DO(cublasZsyrk(h, uplo, CUBLAS_OP_T, n, k, alpha_, a.device, k, beta_, c.device, n));
	REQUIRE(c.got() == ranked);
	return true;
}

static bool complex_ones(cublasHandle_t h, cublasOperation_t op)
{
	const int n = 18;
	numbers a(n, n), b(n, n), c(n, n), x(n, 1), y(n, 1);
	std::vector<Z> want = c.host, sum = y.host;
	Z dot = 0, got;
	double norm = 0, length;

	for (int j = 0; j < n; j++) {
		sum[(size_t)j] *= three;
		dot += std::conj(x.at(j, 0)) * y.at(j, 0);
		norm += std::norm(x.at(j, 0));
		for (int i = 0; i < n; i++) {
			sum[(size_t)j] += two * of(a, op, j, i) * x.at(i, 0);
			want[(size_t)(i + j * n)] *= three;
			for (int k = 0; k < n; k++)
				want[(size_t)(i + j * n)] += two * of(a, op, i, k) * of(b, op, k, j);
		}
	}
	DO(cublasZgemm(h, op, op, n, n, n, alpha_, a.device, n, b.device, n, beta_, c.device, n));
	REQUIRE(c.got() == want);
	DO(cublasZdotc(h, n, x.device, 1, y.device, 1, (ZP)&got));
	REQUIRE(got == dot);
	DO(cublasDznrm2(h, n, x.device, 1, &length));
	REQUIRE(std::fabs(length - std::sqrt(norm)) < 1e-12 * length);
	DO(cublasZgemv(h, op, n, n, alpha_, a.device, n, x.device, 1, beta_, y.device, 1));
	REQUIRE(y.got() == sum);
	DO(cublasZdgmm(h, CUBLAS_SIDE_LEFT, n, n, a.device, n, x.device, 1, c.device, n));
	for (int i = 0; i < n * n; i++)
		want[(size_t)i] = x.host[(size_t)(i % n)] * a.host[(size_t)i];
	REQUIRE(c.got() == want);
	return true;
}

/* Factors, solutions and inverses of three matrices, of which the last has none. */
static bool factored(cublasHandle_t h)
{
	const int n = 6;
	double *a[3], *inverse[3], *again[3], *b[3], **list;
	int *pivots, *info;

	CHECK(cudaMallocManaged(&list, 12 * sizeof *list));
	CHECK(cudaMallocManaged(&pivots, 3 * n * sizeof *pivots));
	CHECK(cudaMallocManaged(&info, 3 * sizeof *info));
	for (int m = 0; m < 12; m++)
		CHECK(cudaMallocManaged(&list[m], n * n * sizeof(double)));
	std::vector<double> was;
	for (int m = 0; m < 3; m++) {
		a[m] = list[m], inverse[m] = list[3 + m], again[m] = list[6 + m], b[m] = list[9 + m];
		for (int i = 0; i < n * n; i++) {
			was.push_back(a[m][i] = m == 2 ? 1 : draw() + 10 * (i % n == (i / n + 2) % n));
			b[m][i] = i / n == 0;
		}
	}
	DO(cublasDmatinvBatched(h, n, list, n, list + 6, n, info, 3));
	REQUIRE(info[0] == 0 && info[1] == 0 && info[2] == 2);
	DO(cublasDgetrfBatched(h, n, list, n, pivots, info, 3));
	REQUIRE(info[0] == 0 && info[1] == 0 && info[2] == 2);
	DO(cublasDgetriBatched(h, n, list, n, pivots, list + 3, n, info, 2));
	DO(cublasDgetrsBatched(h, CUBLAS_OP_T, n, 1, list, n, pivots, list + 9, n, info, 2));
	CHECK(cudaDeviceSynchronize());
	for (int m = 0; m < 2; m++) {
		for (int at = 0; at < n * n; at++) {
			double sum = 0, solved = 0;
			for (int k = 0; k < n; k++) {
				sum += was[(size_t)(m * n * n + at % n + k * n)] * inverse[m][k + at / n * n];
				solved += was[(size_t)(m * n * n + k + at % n * n)] * b[m][k];
			}
			REQUIRE(std::fabs(sum - (at % n == at / n)) < 1e-12);
			REQUIRE(std::fabs(solved - 1) < 1e-12);
			REQUIRE(std::fabs(again[m][at] - inverse[m][at]) < 1e-12);
		}
	}
	return true;
}

/* Least squares and QR factors of two complex matrices: the rest is across to the columns, and Q R is the matrix. */
static bool least(cublasHandle_t h)
{
	const int m = 7, n = 4, sides = 2, batch = 2;
	numbers a(m, n * batch), c(m, sides * batch), q(m, n * batch), tau(n, batch);
	ZP *list;
	int info = -9, *each;

	CHECK(cudaMallocManaged(&list, 4 * batch * sizeof *list));
	CHECK(cudaMallocManaged(&each, batch * sizeof *each));
	q.host = a.host;
	q.send();
	for (int z = 0; z < batch; z++) {
		list[z] = a.device + z * m * n;
		list[batch + z] = c.device + z * m * sides;
		list[2 * batch + z] = q.device + z * m * n;
		list[3 * batch + z] = tau.device + z * n;
	}
	DO(cublasZgelsBatched(h, CUBLAS_OP_N, m, n, sides, list, m, list + batch, m, &info, each, batch));
	REQUIRE(info == 0 && each[0] == 0 && each[1] == 0);
	const std::vector<Z> x = c.got();
	for (int at = 0; at < n * sides * batch; at++) {
		const int j = at % n, side = at / n;
		Z sum = 0;

		for (int i = 0; i < m; i++) {
			Z rest = -c.at(i, side);

			for (int k = 0; k < n; k++)
				rest += a.at(i, side / sides * n + k) * x[(size_t)(side * m + k)];
			sum += std::conj(a.at(i, side / sides * n + j)) * rest;
		}
		REQUIRE(std::abs(sum) < 1e-10);
	}
	DO(cublasZgeqrfBatched(h, m, n, list + 2 * batch, m, list + 3 * batch, &info, batch));
	const std::vector<Z> got = q.got(), scale = tau.got();
	for (int at = 0; at < n * batch; at++) {
		const int z = at / n, j = at % n;
		const Z *f = &got[(size_t)(z * m * n)];
		Z y[m] = { 0 };

		for (int i = 0; i <= j; i++)
			y[i] = f[i + j * m];
		for (int k = n; k-- > 0;) {
			Z sum = y[k];

			for (int i = k + 1; i < m; i++)
				sum += std::conj(f[i + k * m]) * y[i];
			for (int i = k; i < m; i++)
				y[i] -= scale[(size_t)(z * n + k)] * (i == k ? 1.0 : f[i + k * m]) * sum;
		}
		for (int i = 0; i < m; i++)
			REQUIRE(std::abs(y[i] - a.at(i, at)) < 1e-10);
	}
	CHECK(cudaMemset(list[0], 0, m * sizeof(Z)));
	DO(cublasZgelsBatched(h, CUBLAS_OP_N, m, n, sides, list, m, list + batch, m, &info, each, batch));
	REQUIRE(each[0] == 1);
	REQUIRE(cublasZgelsBatched(h, CUBLAS_OP_N, m, n, sides, list, 1, list + batch, m, &info, each, batch) ==
		CUBLAS_STATUS_INVALID_VALUE && info == -6);
	cudaFree(list);
	cudaFree(each);
	return true;
}

/* A product of small whole numbers that are kept as A and C; s: what alpha and beta are. */
template <class A, class C, class S> static bool mixed(cublasHandle_t h, cudaDataType in, cudaDataType out,
						       cublasComputeType_t compute)
{
	const int n = 17;
	A *a, **list;
	C *c;
	S one = S(1), minus = S(-1);

	CHECK(cudaMallocManaged(&a, 2 * n * n * sizeof *a));
	CHECK(cudaMallocManaged(&c, n * n * sizeof *c));
	CHECK(cudaMallocManaged(&list, 3 * sizeof *list));
	for (int i = 0; i < 2 * n * n; i++)
		a[i] = A((float)draw());
	for (int i = 0; i < n * n; i++)
		c[i] = C((float)(i % 5));
	list[0] = a, list[1] = a + n * n, list[2] = (A *)c;
	DO(cublasGemmEx(h, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &one, a, in, n, a + n * n, in, n, &minus, c,
			out, n, compute, CUBLAS_GEMM_DEFAULT));
	for (int turn = 0; turn < 2; turn++) {
		CHECK(cudaDeviceSynchronize());
		for (int i = 0; i < n * n; i++) {
			float sum = turn ? 0 : -(float)(i % 5);
			for (int k = 0; k < n; k++)
				sum += (float)a[k + i % n * n] * (float)a[n * n + k + i / n * n];
			REQUIRE((float)c[i] == sum);
			c[i] = C(0.0f);
		}
		DO(cublasGemmBatchedEx(h, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &one, (void **)list, in, n,
				       (void **)list + 1, in, n, &minus, (void **)list + 2, out, n, 1, compute,
				       CUBLAS_GEMM_DEFAULT));
	}
	return true;
}

static bool rotations(cublasHandle_t h)
{
	float *x, c, s, a = 3, b = -4;

	CHECK(cudaMallocManaged(&x, 4 * sizeof *x));
	for (int i = 0; i < 4; i++)
		x[i] = (float)i;
	DO(cublasSrotg(h, &a, &b, &c, &s));
	REQUIRE(a == -5 && c == -0.6f && s == 0.8f && b == 1 / c);
	c = 2, s = 3;
	DO(cublasSrot(h, 2, x, 1, x + 2, -1, &c, &s));
	CHECK(cudaDeviceSynchronize());
	REQUIRE(x[0] == 9 && x[1] == 8 && x[2] == 1 && x[3] == 6);
	return true;
}

/* Vectors whose kind is an argument: of whole numbers, which halves hold. */
template <class T> static bool of_kind(cublasHandle_t h, cudaDataType kind, cudaDataType scalar)
{
	const float three = 3, four = 4;
	const double three_wide = 3, four_wide = 4;
	const void *by_three = scalar == CUDA_R_64F ? (const void *)&three_wide : &three;
	const void *by_four = scalar == CUDA_R_64F ? (const void *)&four_wide : &four;
	const float x[] = { 3, -4, 0, 12, 84 }, y[] = { 1, 2, 3, -1, 1 };
	T *v, result;
	bool good = cudaMallocManaged(&v, 10 * sizeof(T)) == cudaSuccess;

	for (int i = 0; i < 5 && good; i++) {
		v[i] = (T)x[i];
		v[5 + i] = (T)y[i];
	}
	good = good && cublasDotEx(h, 5, v, kind, 1, v + 5, kind, 1, &result, kind, scalar) ==
			       CUBLAS_STATUS_SUCCESS && (float)result == 67;
	good = good && cublasNrm2Ex(h, 4, v, kind, 1, &result, kind, scalar) == CUBLAS_STATUS_SUCCESS &&
	       (float)result == 13;
	good = good && cublasAxpyEx(h, 5, by_three, scalar, v, kind, 1, v + 5, kind, -1, scalar) ==
			       CUBLAS_STATUS_SUCCESS;
	good = good && cublasScalEx(h, 3, by_four, scalar, v, kind, 2, scalar) == CUBLAS_STATUS_SUCCESS &&
	       cudaDeviceSynchronize() == cudaSuccess;
	for (int i = 0; i < 5 && good; i++) {
		good &= (float)v[5 + i] == y[i] + 3 * x[4 - i];
		good &= (float)v[i] == (i % 2 ? 1 : 4) * x[i];
	}
	return cudaFree(v) == cudaSuccess && good;
}
/* Of what is no number, or too large for one, so is the length. */
static bool lengths(cublasHandle_t h)
{
	const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
	const double x[4][3] = { { 1, inf, 2 }, { 0, nan, 0 }, { inf, 1, nan }, { 3e200, 0, 4e200 } };
	double *v, length[4];

	REQUIRE(cudaMallocManaged(&v, sizeof x[0]) == cudaSuccess);
	for (int i = 0; i < 4; i++) {
		memcpy(v, x[i], sizeof x[i]);
		REQUIRE(cublasDnrm2(h, 3, v, 1, &length[i]) == CUBLAS_STATUS_SUCCESS);
	}
	cudaFree(v);
	return length[0] == inf && length[1] != length[1] && length[2] != length[2] &&
	       std::fabs(length[3] - 5e200) < 1e186;
}

static bool more(cublasHandle_t h)
{
	for (int i = 0; i < 24; i++)
		REQUIRE(triangles(h, i));
	for (int op = 0; op < 3; op++)
		REQUIRE(complex_ones(h, (cublasOperation_t)op));
	REQUIRE(symmetric_ones(h, true) && symmetric_ones(h, false) && factored(h) && least(h) && rotations(h));
	REQUIRE((mixed<__half, float, float>(h, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F)));
	REQUIRE((mixed<__half, __half, __half>(h, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F)));
	REQUIRE((mixed<__nv_bfloat16, float, float>(h, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F)));
	REQUIRE((mixed<signed char, int, int>(h, CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I)));
	REQUIRE(of_kind<float>(h, CUDA_R_32F, CUDA_R_32F) && of_kind<double>(h, CUDA_R_64F, CUDA_R_64F));
	REQUIRE(of_kind<__half>(h, CUDA_R_16F, CUDA_R_32F));
	REQUIRE(of_kind<__nv_bfloat16>(h, CUDA_R_16BF, CUDA_R_32F));
	REQUIRE(lengths(h));
	return cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, nullptr, nullptr, CUDA_R_32F, 1, nullptr,
			    CUDA_R_64F, 1, nullptr, nullptr, CUDA_R_64F, 1, CUBLAS_COMPUTE_32F,
			    CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED;
}
