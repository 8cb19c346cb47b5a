/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/random.c -- xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number
 * generators", 2018), seeded by splitmix64 (Steele, Lea and Flood 2014), with the state in a struct
 * of the caller's.
 */
#include "base/base.h"

static uint64_t splitmix(uint64_t *x)
{
	uint64_t z = *x += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static uint64_t rotate(uint64_t x, unsigned k)
{
	return x << k | x >> (64 - k);
}

void ws_rng_seed(struct ws_rng *rng, uint64_t seed)
{
	for (size_t i = 0; i < WS_COUNT(rng->s); i++)
		rng->s[i] = splitmix(&seed);
}

static inline uint64_t next(uint64_t s[4])
{
	uint64_t result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

static inline double unit(uint64_t x)
{
	return (double)(x >> 11) * 0x1p-53;
}

uint64_t ws_rng_u64(struct ws_rng *rng)
{
	return next(rng->s);
}

uint64_t ws_rng_below(struct ws_rng *rng, uint64_t bound)
{
	uint64_t biased = (0 - bound) % bound, x; /* 2^64 mod bound */

	do
		x = ws_rng_u64(rng);
	while (x < biased);
	return x % bound;
}

double ws_rng_double(struct ws_rng *rng)
{
	return unit(next(rng->s));
}

void ws_rng_doubles(struct ws_rng *rng, double *to, size_t count)
{
	struct ws_rng r = *rng; /* in registers: `to` might be rng */

	for (size_t i = 0; i < count; i++)
		to[i] = unit(next(r.s));
	*rng = r;
}
