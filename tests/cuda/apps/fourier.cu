/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuFFT: each kind of transform against sums written down as they are, of lengths with several
 * factors, of one, two and three axes, in batches, with gaps, in place.
 */
#include <cmath>
#include <complex>
#include <cufft.h>
#include <vector>
#include "common.h"

typedef std::complex<double> number;

#define FFT(call) \
	do { \
		if ((call) != CUFFT_SUCCESS) { \
			fprintf(stderr, "%s:%d: %s failed\n", __FILE__, __LINE__, #call); \
			exit(EXIT_FAILURE); \
		} \
	} while (0)

/* Of n0 x n1 x n2 numbers. */
static std::vector<number> sums(const std::vector<number> &x, const int *n, int sign)
{
	const int total = n[0] * n[1] * n[2];
	std::vector<number> out((size_t)total);

	for (int k = 0; k < total; k++) {
		for (int i = 0; i < total; i++) {
			double turn = (double)(k / n[2] / n[1]) * (i / n[2] / n[1]) / n[0] +
				      (double)(k / n[2] % n[1]) * (i / n[2] % n[1]) / n[1] +
				      (double)(k % n[2]) * (i % n[2]) / n[2];

			out[(size_t)k] += x[(size_t)i] * std::polar(1.0, sign * 2 * M_PI * turn);
		}
	}
	return out;
}

static bool near(number a, number b, double bound) { return std::abs(a - b) < bound; }

static bool complex_is_right(int rank, int n0, int n1, int n2, int sign)
{
	int n[3] = { n0, n1, n2 };
	size_t total = (size_t)(n0 * n1 * n2);
	std::vector<number> x(total), want;
	cufftHandle plan;
	float2 *d;
	bool good = true;
	unsigned state = 3;

	CHECK(cudaMallocManaged(&d, total * sizeof *d));
	for (size_t i = 0; i < total; i++) {
		d[i] = make_float2((float)(next(&state) % 100) / 10, (float)(next(&state) % 100) / 10);
		x[i] = number(d[i].x, d[i].y);
	}
	want = sums(x, n, sign);
	FFT(rank == 1 ? cufftPlan1d(&plan, n2, CUFFT_C2C, 1)
	    : rank == 2 ? cufftPlan2d(&plan, n1, n2, CUFFT_C2C) : cufftPlan3d(&plan, n0, n1, n2, CUFFT_C2C));
	FFT(cufftExecC2C(plan, d, d, sign));
	CHECK(cudaDeviceSynchronize());
	for (size_t i = 0; i < total; i++)
		good &= near(number(d[i].x, d[i].y), want[i], 1e-5 * (double)total * 10);
	FFT(cufftDestroy(plan));
	return good;
}

/* To a spectrum and back, in place, where rows have gaps, and out of it. */
static bool real_is_right(bool in_place)
{
	int n[3] = { 1, 6, 10 }, half = n[2] / 2 + 1, row = in_place ? 2 * half : n[2];
	std::vector<number> x(60), want;
	cufftHandle there, back;
	double *d;
	double2 *spectrum;
	bool good = true;

	CHECK(cudaMallocManaged(&d, sizeof *d * 2 * (size_t)(n[1] * half)));
	CHECK(cudaMallocManaged(&spectrum, sizeof *spectrum * (size_t)(n[1] * half)));
	if (in_place)
		spectrum = (double2 *)d;
	for (int i = 0; i < 60; i++)
		x[(size_t)i] = d[i / n[2] * row + i % n[2]] = i * i % 17;
	want = sums(x, n, -1);
	FFT(cufftPlan2d(&there, n[1], n[2], CUFFT_D2Z));
	FFT(cufftCreate(&back));
	FFT(cufftMakePlan2d(back, n[1], n[2], CUFFT_Z2D, NULL));
	FFT(cufftExecD2Z(there, d, spectrum));
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < n[1] * half; i++)
		good &= near(number(spectrum[i].x, spectrum[i].y),
			     want[(size_t)(i / half * n[2] + i % half)], 1e-9);
	FFT(cufftExecZ2D(back, spectrum, d));
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < 60; i++)
		good &= near(d[i / n[2] * row + i % n[2]] / 60, x[(size_t)i], 1e-12);
	return good && cufftExecZ2D(there, spectrum, d) == CUFFT_INVALID_TYPE;
}

/* Columns of a matrix. */
static bool strided_is_right()
{
	int length = 7, embed[1] = { 7 }, n[3] = { 1, 1, 7 };
	cufftHandle plan;
	double2 *in, *out;
	bool good = true;

	CHECK(cudaMallocManaged(&in, 21 * sizeof *in));
	CHECK(cudaMallocManaged(&out, 21 * sizeof *out));
	for (int i = 0; i < 21; i++)
		in[i] = make_double2(i % 5, i % 3);
	FFT(cufftPlanMany(&plan, 1, &length, embed, 3, 1, embed, 1, 7, CUFFT_Z2Z, 3));
	FFT(cufftExecZ2Z(plan, in, out, CUFFT_FORWARD));
	CHECK(cudaDeviceSynchronize());
	for (int c = 0; c < 3; c++) {
		std::vector<number> x(7), want;

		for (int i = 0; i < 7; i++)
			x[(size_t)i] = number(in[3 * i + c].x, in[3 * i + c].y);
		want = sums(x, n, -1);
		for (int i = 0; i < 7; i++)
			good &= near(number(out[7 * c + i].x, out[7 * c + i].y), want[(size_t)i], 1e-12);
	}
	return good;
}

int main()
{
	return passed(complex_is_right(1, 1, 1, 120, CUFFT_FORWARD) &&
		      complex_is_right(1, 1, 1, 64, CUFFT_INVERSE) &&
		      complex_is_right(2, 1, 12, 16, CUFFT_FORWARD) &&
		      complex_is_right(3, 3, 4, 5, CUFFT_INVERSE) && real_is_right(false) &&
		      real_is_right(true) && strided_is_right());
}
