/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Monte Carlo with cuRAND: pi by states of threads, moments of distributions, numbers that the host
 * asks for.  Philox is held against its authors' known answer.
 */
#include <cmath>
#include <curand.h>
#include <curand_kernel.h>
#include "common.h"

#define THREADS 512
#define EACH 400

__global__ void seed(curandState *state, unsigned long long s)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	curand_init(s, i, 0, &state[i]);
}

__global__ void circle(curandState *state, unsigned *hits)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	curandState mine = state[i];
	unsigned in = 0;

	for (int k = 0; k < EACH; k++) {
		float x = curand_uniform(&mine), y = curand_uniform(&mine);

		in += x * x + y * y <= 1;
	}
	state[i] = mine;
	atomicAdd(hits, in);
}

__global__ void moments(double *sum)
{
	curandStatePhilox4_32_10_t s;
	double m[6] = { 0 };

	curand_init(77, blockIdx.x * blockDim.x + threadIdx.x, 5, &s);
	for (int k = 0; k < EACH; k++) {
		float n = curand_normal(&s);
		float4 u = curand_uniform4(&s);

		m[0] += n;
		m[1] += n * n;
		m[2] += u.x + u.y + u.z + u.w;
		m[3] += curand_normal_double(&s);
		m[4] += curand_poisson(&s, 3.5);
		m[5] += curand_uniform_double(&s);
	}
	for (int k = 0; k < 6; k++)
		atomicAdd(&sum[k], m[k]);
}

__global__ void known(uint4 *out)
{
	curandStatePhilox4_32_10_t s, later, first, last;

	curand_init(0, 0, 0, &s);
	curand_init(0, 0, 2, &later);
	curand_init(0, 5, 2, &last);
	curand_init(0, 2, 2, &first);
	skipahead_sequence(3, &first);
	if (curand(&first) != curand(&last))
		return;
	out[0] = curand4(&s);
	out[1] = make_uint4(curand(&later), curand(&later), curand(&later), curand(&s));
}

static bool near(double value, double want, double deviations, double deviation, double n)
{
	return fabs(value - want) < deviations * deviation / sqrt(n);
}

__global__ void quasi(unsigned *direction, unsigned long long *wide, unsigned *out,
		      unsigned long long *wide_out)
{
	curandStateSobol32 s;
	curandStateSobol64 w;

	curand_init(direction + 32 * threadIdx.x, 1, &s);
	curand_init(wide + 64 * threadIdx.x, 1, &w);
	for (int i = 0; i < 3; i++)
		out[3 * threadIdx.x + i] = curand(&s);
	skipahead(3ull, &w);
	wide_out[threadIdx.x] = curand(&w);
}

/* Of three dimensions the numbers 1 to 7, in eighths, as the authors of the vectors print them. */
static const unsigned eighths[3][7] = {
	{ 4, 6, 2, 3, 7, 5, 1 }, { 4, 2, 6, 3, 7, 1, 5 }, { 4, 2, 6, 5, 1, 7, 3 },
};

static bool sobol()
{
	curandDirectionVectors32_t *vectors;
	curandDirectionVectors64_t *wide;
	curandGenerator_t g;
	unsigned *direction, *out;
	unsigned long long *more, *wide_out;
	float *x;
	bool good = curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6) == 0;

	good &= curandGetDirectionVectors64(&wide, CURAND_DIRECTION_VECTORS_64_JOEKUO6) == 0;
	CHECK(cudaMallocManaged(&direction, 3 * sizeof *vectors));
	CHECK(cudaMallocManaged(&more, 3 * sizeof *wide));
	CHECK(cudaMallocManaged(&out, 9 * sizeof *out));
	CHECK(cudaMallocManaged(&wide_out, 3 * sizeof *wide_out));
	CHECK(cudaMallocManaged(&x, 21 * sizeof *x));
	CHECK(cudaMemcpy(direction, vectors, 3 * sizeof *vectors, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(more, wide, 3 * sizeof *wide, cudaMemcpyHostToDevice));
	quasi<<<1, 3>>>(direction, more, out, wide_out);
	CHECK(cudaDeviceSynchronize());
	good &= curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32) == 0;
	good &= curandSetPseudoRandomGeneratorSeed(g, 1) == CURAND_STATUS_TYPE_ERROR;
	good &= curandSetQuasiRandomGeneratorDimensions(g, 3) == 0;
	good &= curandSetGeneratorOffset(g, 1) == 0;
	good &= curandGenerateUniform(g, x, 20) == CURAND_STATUS_LENGTH_NOT_MULTIPLE;
	good &= curandGenerateUniform(g, x, 21) == 0 && curandDestroyGenerator(g) == 0;
	for (int d = 0; d < 3; d++) {
		for (int i = 0; i < 7; i++)
			good &= fabs(x[7 * d + i] - eighths[d][i] / 8.0) < 1e-6;
		for (int i = 0; i < 3; i++)
			good &= out[3 * d + i] >> 29 == eighths[d][i];
		good &= wide_out[d] >> 61 == eighths[d][3];
	}
	return good;
}

int main()
{
	const double n = (double)THREADS * EACH;
	curandGenerator_t g;
	curandState *state;
	unsigned *hits;
	double *sum, mean = 0, square = 0;
	float *numbers;
	uint4 *out;
	bool good = true;

	CHECK(cudaMalloc(&state, THREADS * sizeof *state));
	CHECK(cudaMallocManaged(&hits, sizeof *hits));
	CHECK(cudaMallocManaged(&sum, 6 * sizeof *sum));
	CHECK(cudaMallocManaged(&out, 2 * sizeof *out));
	CHECK(cudaMallocManaged(&numbers, 10000 * sizeof *numbers));
	CHECK(cudaMemset(hits, 0, sizeof *hits));
	CHECK(cudaMemset(sum, 0, 6 * sizeof *sum));
	seed<<<THREADS / 64, 64>>>(state, 1234);
	circle<<<THREADS / 64, 64>>>(state, hits);
	moments<<<THREADS / 64, 64>>>(sum);
	known<<<1, 1>>>(out);
	CHECK(cudaDeviceSynchronize());
	good &= near(*hits / n, atan(1.0), 5, 0.41, n);
	good &= near(sum[0] / n, 0, 5, 1, n) && near(sum[1] / n, 1, 5, sqrt(2.0), n);
	good &= near(sum[2] / n / 4, 0.5, 5, 0.29, 4 * n) && near(sum[3] / n, 0, 5, 1, n);
	good &= near(sum[4] / n, 3.5, 5, sqrt(3.5), n) && near(sum[5] / n, 0.5, 5, 0.29, n);
	good &= out[0].x == 0x6627e8d5u && out[0].y == 0xe169c58du && out[0].z == 0xbc57ac4cu &&
		out[0].w == 0x9b00dbd8u;
	good &= out[1].x == out[0].z && out[1].y == out[0].w && out[1].z == out[1].w;

	good &= curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS;
	good &= curandSetPseudoRandomGeneratorSeed(g, 99) == CURAND_STATUS_SUCCESS;
	good &= curandGenerateNormal(g, numbers, 10000, 2, 3) == CURAND_STATUS_SUCCESS;
	for (int i = 0; i < 10000; i++) {
		mean += numbers[i] / 10000;
		square += numbers[i] * numbers[i] / 10000;
	}
	good &= near(mean, 2, 5, 3, 10000) && fabs(square - mean * mean - 9) < 0.7;
	good &= curandGenerateUniform(g, numbers, 10001) == CURAND_STATUS_LAUNCH_FAILURE;
	good &= curandGenerateSeeds(g) == CURAND_STATUS_SUCCESS;
	good &= curandGenerateLogNormalDouble(g, sum, 6, -1, 0) == CURAND_STATUS_SUCCESS;
	good &= fabs(sum[5] - exp(-1.0)) < 1e-12;
	good &= curandGenerateLongLong(g, (unsigned long long *)sum, 6) == CURAND_STATUS_TYPE_ERROR;
	good &= curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS && sobol();
	return passed(good);
}
