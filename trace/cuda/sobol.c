/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/sobol.c -- Sobol's sequences: direction vectors of the first dimensions, for host and
 * device.
 *
 * Primitive polynomials and first numbers are those of S. Joe and F. Y. Kuo, "Constructing Sobol
 * sequences with better two-dimensional projections", SIAM J. Sci. Comput. 30(5), 2008.  Numbers
 * come in the order of a Gray code, as I. A. Antonov and V. M. Saleev have it.
 */
#include "trace/cuda/sobol.h"

#include <pthread.h>

static const struct { /* of dimensions from the second on */
	unsigned degree, inner, m[5];
} polynomial[WS_SOBOL_DIMENSIONS - 1] = {
	{ 1, 0, { 1 } },	   { 2, 1, { 1, 3 } },
	{ 3, 1, { 1, 3, 1 } },	   { 3, 2, { 1, 1, 1 } },
	{ 4, 1, { 1, 1, 3, 3 } },  { 4, 4, { 1, 3, 5, 13 } },
	{ 5, 2, { 1, 1, 5, 5, 17 } }, { 5, 4, { 1, 1, 5, 5, 5 } },
	{ 5, 7, { 1, 1, 7, 11, 19 } },
};

static curandDirectionVectors32_t narrow[WS_SOBOL_DIMENSIONS];
static curandDirectionVectors64_t wide[WS_SOBOL_DIMENSIONS];

static void make_dimension(unsigned dimension)
{
	unsigned s = dimension ? polynomial[dimension - 1].degree : 0;
	unsigned a = dimension ? polynomial[dimension - 1].inner : 0;
	unsigned long long *v = wide[dimension];

	for (unsigned i = 0; i < 64; i++) {
		if (!dimension || i < s) {
			v[i] = (dimension ? polynomial[dimension - 1].m[i] : 1ull) << (63 - i);
			continue;
		}
		v[i] = v[i - s] ^ v[i - s] >> s;
		for (unsigned k = 1; k < s; k++)
			v[i] ^= a >> (s - 1 - k) & 1 ? v[i - k] : 0;
	}
	for (unsigned i = 0; i < 32; i++)
		narrow[dimension][i] = (unsigned)(v[i] >> 32);
}

static void make_all(void)
{
	for (unsigned d = 0; d < WS_SOBOL_DIMENSIONS; d++)
		make_dimension(d);
}

static void need_all(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_all);
}

uint64_t ws_sobol(unsigned dimension, uint64_t number)
{
	uint64_t bits = 0;

	need_all();
	for (uint64_t gray = number ^ number >> 1; gray; gray &= gray - 1)
		bits ^= wide[dimension][__builtin_ctzll(gray)];
	return bits;
}

WS_CUDA_CALL curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t **vectors,
							curandDirectionVectorSet_t set)
{
	need_all();
	*vectors = narrow;
	return set == CURAND_DIRECTION_VECTORS_32_JOEKUO6 ? CURAND_STATUS_SUCCESS
							  : CURAND_STATUS_OUT_OF_RANGE;
}

WS_CUDA_CALL curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t **vectors,
							curandDirectionVectorSet_t set)
{
	need_all();
	*vectors = wide;
	return set == CURAND_DIRECTION_VECTORS_64_JOEKUO6 ? CURAND_STATUS_SUCCESS
							  : CURAND_STATUS_OUT_OF_RANGE;
}
