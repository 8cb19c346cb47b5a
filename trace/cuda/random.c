/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/random.c -- cuRAND's calls of the host, by GSL's generator and distributions.
 */
#include "trace/cuda/sobol.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

struct curandGenerator_st {
	gsl_rng *rng;
	bool host;		/* it fills the host's memory */
	unsigned quasi;		/* 0, or the bits of a number of a Sobol sequence, */
	unsigned dimensions;	/* of so many, */
	uint64_t offset;	/* from this number on */
};

static bool is_sobol(curandRngType_t type)
{
	return type == CURAND_RNG_QUASI_DEFAULT || type == CURAND_RNG_QUASI_SOBOL32 ||
	       type == CURAND_RNG_QUASI_SOBOL64;
}

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool host)
{
	struct curandGenerator_st *g;

	*generator = NULL;
	if (!is_sobol(type) &&
	    (type < CURAND_RNG_PSEUDO_DEFAULT || type > CURAND_RNG_PSEUDO_PHILOX4_32_10))
		return CURAND_STATUS_TYPE_ERROR;
	g = ws_alloc_zero(1, sizeof *g);
	if (g)
		g->rng = gsl_rng_alloc(gsl_rng_mt19937);
	if (!g || !g->rng) {
		free(g);
		return CURAND_STATUS_ALLOCATION_FAILED;
	}
	g->host = host;
	g->quasi = !is_sobol(type) ? 0 : type == CURAND_RNG_QUASI_SOBOL64 ? 64 : 32;
	g->dimensions = 1;
	*generator = g;
	return CURAND_STATUS_SUCCESS;
}

WS_CUDA_CALL curandStatus_t curandCreateGenerator(curandGenerator_t *generator,
						  curandRngType_t type)
{
	return create(generator, type, false);
}

WS_CUDA_CALL curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator,
						      curandRngType_t type)
{
	return create(generator, type, true);
}

WS_CUDA_CALL curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
	if (!generator)
		return CURAND_STATUS_NOT_INITIALIZED;
	gsl_rng_free(generator->rng);
	free(generator);
	return CURAND_STATUS_SUCCESS;
}

WS_CUDA_CALL curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
							       unsigned long long seed)
{
	if (!generator)
		return CURAND_STATUS_NOT_INITIALIZED;
	if (generator->quasi)
		return CURAND_STATUS_TYPE_ERROR;
	gsl_rng_set(generator->rng, (unsigned long)seed);
	return CURAND_STATUS_SUCCESS;
}

WS_CUDA_CALL curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
						     unsigned long long offset)
{
	if (!generator)
		return CURAND_STATUS_NOT_INITIALIZED;
	generator->offset = offset;
	while (!generator->quasi && offset--)
		(void)gsl_rng_get(generator->rng);
	return CURAND_STATUS_SUCCESS;
}

WS_CUDA_CALL curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator,
						       curandOrdering_t order)
{
	(void)order;
	return generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

WS_CUDA_CALL curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream)
{
	(void)stream;
	return generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

WS_CUDA_CALL curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
								    unsigned int count)
{
	if (!generator)
		return CURAND_STATUS_NOT_INITIALIZED;
	if (!generator->quasi)
		return CURAND_STATUS_TYPE_ERROR;
	if (!count || count > WS_SOBOL_DIMENSIONS)
		return CURAND_STATUS_OUT_OF_RANGE;
	generator->dimensions = count;
	return CURAND_STATUS_SUCCESS;
}

/* May the memory be filled? */
static curandStatus_t check(curandGenerator_t g, const void *out, size_t count, size_t each)
{
	const struct ws_cuda_array *a;
	bool good = true;
	uint64_t before;

	if (!g)
		return CURAND_STATUS_NOT_INITIALIZED;
	if (!g->host) {
		a = ws_cuda_enter() ? ws_cuda_find(out) : NULL;
		before = a ? (uint64_t)((const uint8_t *)out - a->host) : 0;
		good = a && count <= (a->bytes - before) / each;
		ws_cuda_leave();
	}
	if (count % g->dimensions)
		return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
	return good && out ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

/* Number i of count. */
static uint64_t bits_of(const struct curandGenerator_st *g, size_t i, size_t count)
{
	size_t each = count / g->dimensions;

	return g->quasi ? ws_sobol((unsigned)(i / each), g->offset + i % each)
			: gsl_rng_get(g->rng);
}

/* From 0, exclusive, to 1, inclusive: of the sequences' middles of their steps. */
static double uniform(const struct curandGenerator_st *g, size_t i, size_t count)
{
	if (!g->quasi)
		return 1 - gsl_rng_uniform(g->rng);
	return g->quasi == 64 ? ((double)(bits_of(g, i, count) >> 11) + 0.5) * 0x1p-53
			      : ((double)(bits_of(g, i, count) >> 32) + 0.5) * 0x1p-32;
}

/* The least k that so much of the distribution lies below or at. */
static unsigned poisson_below(double u, double mean)
{
	unsigned k = 0;

	while (k < 1u << 30 && gsl_cdf_poisson_P(k, mean) < u)
		k++;
	return k;
}

static double normal(const struct curandGenerator_st *g, size_t i, size_t count)
{
	return g->quasi ? gsl_cdf_ugaussian_Pinv(uniform(g, i, count)) : gsl_ran_ugaussian(g->rng);
}

#define FILL(NAME, T, PARAMETERS, VALUE) FILL_IF(true, NAME, T, PARAMETERS, VALUE)
#define FILL_IF(KIND, NAME, T, PARAMETERS, VALUE) \
	WS_CUDA_CALL curandStatus_t NAME PARAMETERS \
	{ \
		curandStatus_t status = check(generator, out, count, sizeof *out); \
\
		if (status == CURAND_STATUS_SUCCESS && !(KIND)) \
			status = CURAND_STATUS_TYPE_ERROR; \
		for (size_t i = 0; i < count && status == CURAND_STATUS_SUCCESS; i++) \
			out[i] = (T)(VALUE); \
		if (status == CURAND_STATUS_SUCCESS) \
			generator->offset += count / generator->dimensions; \
		return status; \
	}

FILL(curandGenerate, unsigned int,
     (curandGenerator_t generator, unsigned int *out, size_t count),
     bits_of(generator, i, count) >> (generator->quasi ? 32 : 0))
FILL(curandGenerateUniform, float, (curandGenerator_t generator, float *out, size_t count),
     uniform(generator, i, count))
FILL(curandGenerateUniformDouble, double, (curandGenerator_t generator, double *out, size_t count),
     uniform(generator, i, count))
FILL(curandGenerateNormal, float,
     (curandGenerator_t generator, float *out, size_t count, float mean, float deviation),
     (double)mean + (double)deviation * normal(generator, i, count))
FILL(curandGenerateNormalDouble, double,
     (curandGenerator_t generator, double *out, size_t count, double mean, double deviation),
     mean + deviation * normal(generator, i, count))
FILL(curandGenerateLogNormal, float,
     (curandGenerator_t generator, float *out, size_t count, float mean, float deviation),
     exp((double)mean + (double)deviation * normal(generator, i, count)))
FILL(curandGenerateLogNormalDouble, double,
     (curandGenerator_t generator, double *out, size_t count, double mean, double deviation),
     exp(mean + deviation * normal(generator, i, count)))
FILL(curandGeneratePoisson, unsigned int,
     (curandGenerator_t generator, unsigned int *out, size_t count, double mean),
     generator->quasi ? poisson_below(uniform(generator, i, count), mean)
		      : gsl_ran_poisson(generator->rng, mean))
FILL_IF(generator->quasi == 64, curandGenerateLongLong, unsigned long long,
	(curandGenerator_t generator, unsigned long long *out, size_t count),
	bits_of(generator, i, count))

WS_CUDA_CALL curandStatus_t curandGenerateSeeds(curandGenerator_t generator)
{
	return generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

WS_CUDA_CALL curandStatus_t curandGetVersion(int *version)
{
	*version = CURAND_VERSION;
	return CURAND_STATUS_SUCCESS;
}
