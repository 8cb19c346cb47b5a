/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * curand_kernel.h -- random numbers in device code, under cuRAND's names.
 *
 * XORWOW: G. Marsaglia, "Xorshift RNGs", J. Stat. Softw. 8(14), 2003.  Philox: J. Salmon et al.,
 * "Parallel random numbers: as easy as 1, 2, 3", SC 2011.  Sequences of XORWOW begin where Philox
 * says, not 2^67 numbers apart, so its numbers are not NVIDIA's; their distribution is.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CURAND_KERNEL_H
#define WARPSTACK_CURAND_KERNEL_H

#include "cuda_runtime.h"
#include "curand.h"
#include "cuda_letters_begin.h"

/* ---- states, which host code of other compilers may hold, too --------------------------------------- */

struct curandStatePhilox4_32_10 {
	uint4 counter, output;
	uint2 key;
	unsigned int used;
	int kept;
	float normal;
	double normal_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

struct curandStateXORWOW {
	unsigned int d, v[5];
	int kept;
	float normal;
	double normal_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStateXORWOW curandStateMRG32k3a_t;
typedef struct curandStateXORWOW curandStateMRG32k3a;

struct curandStateSobol32 {
	unsigned int i, x, direction[32];
};
typedef struct curandStateSobol32 curandStateSobol32_t;
struct curandStateSobol64 {
	unsigned long long i, x, direction[64];
};
typedef struct curandStateSobol64 curandStateSobol64_t;
/* Scrambled: each number is exclusively ored with a constant of its sequence. */
struct curandStateScrambledSobol32 {
	unsigned int i, x, direction[32];
};
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;
struct curandStateScrambledSobol64 {
	unsigned long long i, x, direction[64];
};
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t;

#ifdef __CUDA__
/* ---- Philox 4x32, 10 rounds ------------------------------------------------------------------------ */

WS_BOTH uint4 __ws_philox(uint4 c, uint2 k)
{
	for (int round = 0; round < 10; round++) {
		unsigned long long a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
		c = uint4{ (unsigned int)(b >> 32) ^ c.y ^ k.x, (unsigned int)b,
			   (unsigned int)(a >> 32) ^ c.w ^ k.y, (unsigned int)a };
		k.x += 0x9e3779b9u;
		k.y += 0xbb67ae85u;
	}
	return c;
}

WS_BOTH void __ws_next_counter(uint4 *c, unsigned long long by)
{
	unsigned long long low = ((unsigned long long)c->y << 32 | c->x) + by;
	unsigned long long high = ((unsigned long long)c->w << 32 | c->z) + (low < by);
	*c = uint4{ (unsigned int)low, (unsigned int)(low >> 32), (unsigned int)high,
		    (unsigned int)(high >> 32) };
}
WS_BOTH void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *s)
{
	s->used += (unsigned int)(n & 3);
	__ws_next_counter(&s->counter, n / 4 + (s->used > 3));
	s->used &= 3;
	s->output = __ws_philox(s->counter, s->key);
}
WS_BOTH void curand_init(unsigned long long seed, unsigned long long sequence,
			 unsigned long long offset, curandStatePhilox4_32_10_t *s)
{
	s->key = uint2{ (unsigned int)seed, (unsigned int)(seed >> 32) };
	s->counter = uint4{ 0, 0, (unsigned int)sequence, (unsigned int)(sequence >> 32) };
	s->used = 0;
	s->kept = 0;
	skipahead(offset, s);
}
WS_BOTH unsigned int curand(curandStatePhilox4_32_10_t *s)
{
	unsigned int v = s->used == 0 ? s->output.x : s->used == 1 ? s->output.y
		       : s->used == 2 ? s->output.z : s->output.w;
	skipahead(1, s);
	return v;
}
WS_BOTH uint4 curand4(curandStatePhilox4_32_10_t *s)
{
	uint4 v;
	v.x = curand(s);
	v.y = curand(s);
	v.z = curand(s);
	v.w = curand(s);
	return v;
}

/* ---- XORWOW ------------------------------------------------------------------------------------------ */

WS_BOTH unsigned int curand(curandStateXORWOW_t *s)
{
	unsigned int t = s->v[0] ^ s->v[0] >> 2;
	s->v[0] = s->v[1];
	s->v[1] = s->v[2];
	s->v[2] = s->v[3];
	s->v[3] = s->v[4];
	s->v[4] ^= s->v[4] << 4 ^ t ^ t << 1;
	s->d += 362437;
	return s->v[4] + s->d;
}
WS_BOTH void skipahead(unsigned long long n, curandStateXORWOW_t *s)
{
	while (n--)
		curand(s);
}
WS_BOTH void curand_init(unsigned long long seed, unsigned long long sequence,
			 unsigned long long offset, curandStateXORWOW_t *s)
{
	uint2 key = { (unsigned int)seed, (unsigned int)(seed >> 32) };
	uint4 a = { 0, 0, (unsigned int)sequence, (unsigned int)(sequence >> 32) }, b = a;
	a = __ws_philox(a, key);
	b.x = 1;
	b = __ws_philox(b, key);
	s->v[0] = a.x;
	s->v[1] = a.y;
	s->v[2] = a.z;
	s->v[3] = a.w;
	s->v[4] = b.x | 1; /* not all 0 */
	s->d = b.y;
	s->kept = 0;
	skipahead(offset, s);
}

/* ---- Sobol's sequences, of one dimension --------------------------------------------------------------- */

template <class S, class T> WS_BOTH void __ws_sobol_skip(S *s, T n)
{
	T before = s->i ^ s->i >> 1, after = (s->i + n) ^ (s->i + n) >> 1;
	for (unsigned int b = 0; b < sizeof(T) * 8; b++)
		s->x ^= (before ^ after) >> b & 1 ? s->direction[b] : 0;
	s->i += n;
}
template <class S, class T> WS_BOTH void __ws_sobol_init(const T *direction, T offset, S *s)
{
	for (unsigned int b = 0; b < sizeof(T) * 8; b++)
		s->direction[b] = direction[b];
	s->i = s->x = 0;
	__ws_sobol_skip(s, offset);
}
WS_BOTH void curand_init(unsigned int *direction, unsigned int offset, curandStateSobol32_t *s)
{
	__ws_sobol_init(direction, offset, s);
}
WS_BOTH void curand_init(unsigned long long *direction, unsigned long long offset,
			 curandStateSobol64_t *s)
{
	__ws_sobol_init(direction, offset, s);
}
WS_BOTH void curand_init(unsigned int *direction, unsigned int scramble, unsigned int offset,
			 curandStateScrambledSobol32_t *s)
{
	__ws_sobol_init(direction, offset, s);
	s->x ^= scramble;
}
WS_BOTH void curand_init(unsigned long long *direction, unsigned long long scramble,
			 unsigned long long offset, curandStateScrambledSobol64_t *s)
{
	__ws_sobol_init(direction, offset, s);
	s->x ^= scramble;
}
WS_BOTH void skipahead(unsigned int n, curandStateScrambledSobol32_t *s) { __ws_sobol_skip(s, n); }
WS_BOTH void skipahead(unsigned long long n, curandStateScrambledSobol64_t *s)
{
	__ws_sobol_skip(s, n);
}
WS_BOTH unsigned int curand(curandStateScrambledSobol32_t *s)
{
	unsigned int v = s->x;
	__ws_sobol_skip(s, 1u);
	return v;
}
WS_BOTH unsigned long long curand(curandStateScrambledSobol64_t *s)
{
	unsigned long long v = s->x;
	__ws_sobol_skip(s, 1ull);
	return v;
}
WS_BOTH void skipahead(unsigned int n, curandStateSobol32_t *s) { __ws_sobol_skip(s, n); }
WS_BOTH void skipahead(unsigned long long n, curandStateSobol64_t *s) { __ws_sobol_skip(s, n); }
WS_BOTH unsigned int curand(curandStateSobol32_t *s)
{
	unsigned int v = s->x;
	__ws_sobol_skip(s, 1u);
	return v;
}
WS_BOTH unsigned long long curand(curandStateSobol64_t *s)
{
	unsigned long long v = s->x;
	__ws_sobol_skip(s, 1ull);
	return v;
}

/* ---- distributions ------------------------------------------------------------------------------------- */

/* From 0, exclusive, to 1, inclusive. */
template <class S> WS_DEVICE float curand_uniform(S *s)
{
	return (float)curand(s) * 2.3283064e-10f + 1.1641532e-10f;
}
template <class S> WS_DEVICE double curand_uniform_double(S *s)
{
	unsigned long long bits = curand(s);
	bits = bits << 21 ^ curand(s);
	return (double)(bits & 0x1fffffffffffffull) * 1.1102230246251565e-16 +
	       5.5511151231257827e-17;
}
/* Of a Sobol's sequence a number each. */
#define WS_SOBOL(SCRAMBLED) \
	WS_DEVICE double curand_uniform_double(curandState##SCRAMBLED##Sobol32_t *s) \
	{ \
		return (double)curand(s) * 2.3283064365386963e-10 + 1.1641532182693481e-10; \
	} \
	WS_DEVICE float curand_uniform(curandState##SCRAMBLED##Sobol64_t *s) \
	{ \
		return (float)(curand(s) >> 32) * 2.3283064e-10f + 1.1641532e-10f; \
	} \
	WS_DEVICE double curand_uniform_double(curandState##SCRAMBLED##Sobol64_t *s) \
	{ \
		return (double)(curand(s) >> 11) * 1.1102230246251565e-16 + 5.5511151231257827e-17; \
	}
WS_SOBOL()
WS_SOBOL(Scrambled)
#undef WS_SOBOL
template <class S> WS_DEVICE float2 curand_normal2(S *s)
{
	float r = sqrtf(-2 * logf(curand_uniform(s))), a = 6.2831853f * curand_uniform(s);
	return float2{ r * sinf(a), r * cosf(a) };
}
template <class S> WS_DEVICE double2 curand_normal2_double(S *s)
{
	double r = sqrt(-2 * log(curand_uniform_double(s)));
	double a = 6.2831853071795864769 * curand_uniform_double(s);
	return double2{ r * sin(a), r * cos(a) };
}
template <class S> WS_DEVICE float curand_normal(S *s)
{
	if (s->kept & 1) {
		s->kept &= ~1;
		return s->normal;
	}
	float2 v = curand_normal2(s);
	s->normal = v.y;
	s->kept |= 1;
	return v.x;
}
template <class S> WS_DEVICE double curand_normal_double(S *s)
{
	if (s->kept & 2) {
		s->kept &= ~2;
		return s->normal_double;
	}
	double2 v = curand_normal2_double(s);
	s->normal_double = v.y;
	s->kept |= 2;
	return v.x;
}
/* Of a sequence's number each, so that what is even stays so. */
#define WS_SOBOL(STATE) \
	WS_DEVICE float curand_normal(STATE *s) { return normcdfinvf(curand_uniform(s)); } \
	WS_DEVICE double curand_normal_double(STATE *s) \
	{ \
		return normcdfinv(curand_uniform_double(s)); \
	}
WS_SOBOL(curandStateSobol32_t)
WS_SOBOL(curandStateSobol64_t)
WS_SOBOL(curandStateScrambledSobol32_t)
WS_SOBOL(curandStateScrambledSobol64_t)
#undef WS_SOBOL
template <class S> WS_DEVICE float curand_log_normal(S *s, float mean, float deviation)
{
	return expf(mean + deviation * curand_normal(s));
}
template <class S> WS_DEVICE double curand_log_normal_double(S *s, double mean, double deviation)
{
	return exp(mean + deviation * curand_normal_double(s));
}
template <class S> WS_DEVICE float2 curand_log_normal2(S *s, float mean, float deviation)
{
	float2 v = curand_normal2(s);
	return float2{ expf(mean + deviation * v.x), expf(mean + deviation * v.y) };
}
template <class S> WS_DEVICE double2 curand_log_normal2_double(S *s, double mean, double deviation)
{
	double2 v = curand_normal2_double(s);
	return double2{ exp(mean + deviation * v.x), exp(mean + deviation * v.y) };
}
WS_DEVICE float4 curand_uniform4(curandStatePhilox4_32_10_t *s)
{
	float4 v;
	v.x = curand_uniform(s);
	v.y = curand_uniform(s);
	v.z = curand_uniform(s);
	v.w = curand_uniform(s);
	return v;
}
WS_DEVICE double2 curand_uniform2_double(curandStatePhilox4_32_10_t *s)
{
	double2 v;
	v.x = curand_uniform_double(s);
	v.y = curand_uniform_double(s);
	return v;
}
WS_DEVICE float4 curand_normal4(curandStatePhilox4_32_10_t *s)
{
	float2 a = curand_normal2(s), b = curand_normal2(s);
	return float4{ a.x, a.y, b.x, b.y };
}
WS_DEVICE float4 curand_log_normal4(curandStatePhilox4_32_10_t *s, float mean, float deviation)
{
	float2 a = curand_log_normal2(s, mean, deviation), b = curand_log_normal2(s, mean, deviation);
	return float4{ a.x, a.y, b.x, b.y };
}
/* Multiplied uniform numbers (Knuth), by parts of a large mean. */
template <class S> WS_DEVICE unsigned int curand_poisson(S *s, double mean)
{
	unsigned int n = 0;
	while (mean > 0) {
		double part = mean < 500 ? mean : 500, limit = exp(-part), p = 1;
		for (p *= curand_uniform_double(s); p > limit; p *= curand_uniform_double(s))
			n++;
		mean -= part;
	}
	return n;
}
WS_DEVICE uint4 curand_poisson4(curandStatePhilox4_32_10_t *s, double mean)
{
	unsigned int x = curand_poisson(s, mean), y = curand_poisson(s, mean);
	unsigned int z = curand_poisson(s, mean);
	return uint4{ x, y, z, curand_poisson(s, mean) };
}
/* To the numbers of the n-th sequence from this one on. */
WS_BOTH void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *s)
{
	unsigned long long high = ((unsigned long long)s->counter.w << 32 | s->counter.z) + n;
	s->counter.z = (unsigned int)high;
	s->counter.w = (unsigned int)(high >> 32);
	s->output = __ws_philox(s->counter, s->key);
}
#endif
#include "cuda_letters_end.h"

#endif
