/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/random.c -- cuRAND's calls of the host, by GSL's generator and distributions.
 */
#include "trace/cuda/runtime.h"

#include <curand.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

struct curandGenerator_st {
	gsl_rng *rng;
	bool host;		/* it fills the host's memory */
};

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool host)
{
	struct curandGenerator_st *g;

	*generator = NULL;
	if (type < CURAND_RNG_PSEUDO_DEFAULT || type > CURAND_RNG_PSEUDO_PHILOX4_32_10)
		return CURAND_STATUS_TYPE_ERROR;
	g = ws_alloc_zero(1, sizeof *g);
	if (g)
		g->rng = gsl_rng_alloc(gsl_rng_mt19937);
	if (!g || !g->rng) {
		free(g);
		return CURAND_STATUS_ALLOCATION_FAILED;
	}
	g->host = host;
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
	gsl_rng_set(generator->rng, (unsigned long)seed);
	return CURAND_STATUS_SUCCESS;
}

WS_CUDA_CALL curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
						     unsigned long long offset)
{
	if (!generator)
		return CURAND_STATUS_NOT_INITIALIZED;
	while (offset--)
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
	return good && out ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

#define FILL(NAME, T, PARAMETERS, VALUE) \
	WS_CUDA_CALL curandStatus_t NAME PARAMETERS \
	{ \
		curandStatus_t status = check(generator, out, count, sizeof *out); \
\
		for (size_t i = 0; i < count && status == CURAND_STATUS_SUCCESS; i++) \
			out[i] = (T)(VALUE); \
		return status; \
	}

FILL(curandGenerate, unsigned int,
     (curandGenerator_t generator, unsigned int *out, size_t count), gsl_rng_get(generator->rng))
/* From 0, exclusive, to 1, inclusive. */
FILL(curandGenerateUniform, float, (curandGenerator_t generator, float *out, size_t count),
     1 - gsl_rng_uniform(generator->rng))
FILL(curandGenerateUniformDouble, double, (curandGenerator_t generator, double *out, size_t count),
     1 - gsl_rng_uniform(generator->rng))
FILL(curandGenerateNormal, float,
     (curandGenerator_t generator, float *out, size_t count, float mean, float deviation),
     (double)mean + gsl_ran_gaussian(generator->rng, (double)deviation))
FILL(curandGenerateNormalDouble, double,
     (curandGenerator_t generator, double *out, size_t count, double mean, double deviation),
     mean + gsl_ran_gaussian(generator->rng, deviation))
FILL(curandGenerateLogNormal, float,
     (curandGenerator_t generator, float *out, size_t count, float mean, float deviation),
     gsl_ran_lognormal(generator->rng, (double)mean, (double)deviation))
FILL(curandGeneratePoisson, unsigned int,
     (curandGenerator_t generator, unsigned int *out, size_t count, double mean),
     gsl_ran_poisson(generator->rng, mean))
