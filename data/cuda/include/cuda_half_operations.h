/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_half_operations.h -- what the numbers of 16 bits have in common: __half, __nv_bfloat16.
 *
 * cuda_fp16.h and cuda_bf16.h include it, each with its own WS_ONE and WS_TWO (the types of a number
 * and of a pair), WS_RAW (of its bits), WS_WORD (what the names of functions have for it), WS_TO()
 * and WS_FROM() (a float to bits, and back) and WS_INFINITE (the bits of infinity).
 *
 * Sums, products, quotients and roots are computed as float, which has digits enough that rounding
 * twice is rounding once.  Subnormal numbers are kept.
 */
#pragma GCC system_header
#define WS_JOINED(A, B, C, D, E) A##B##C##D##E
#define WS_JOIN(A, B, C, D, E) WS_JOINED(A, B, C, D, E)
#define WS_NAME(BEFORE, AFTER) WS_JOIN(BEFORE, WS_WORD, AFTER, , )
#define WS_TWICE(BEFORE, BETWEEN, AFTER) WS_JOIN(BEFORE, WS_WORD, BETWEEN, WS_WORD, AFTER)

/* ---- types ----------------------------------------------------------------------------------------- */

#define WS_HALF_MADE_OF(T) \
	WS_HALF_MEMBER WS_ONE(T v) : __x(WS_TO((float)v)) {} \
	WS_HALF_MEMBER WS_ONE &operator=(T v) { __x = WS_TO((float)v); return *this; }
struct __attribute__((aligned(2))) WS_ONE {
	unsigned short __x;
	WS_ONE() = default;
	WS_HALF_MEMBER WS_ONE(WS_RAW r) : __x(r.x) {}
	WS_HALF_MADE_OF(float)
	WS_HALF_MADE_OF(double)
	WS_HALF_MADE_OF(short)
	WS_HALF_MADE_OF(unsigned short)
	WS_HALF_MADE_OF(int)
	WS_HALF_MADE_OF(unsigned int)
	WS_HALF_MADE_OF(long)
	WS_HALF_MADE_OF(unsigned long)
	WS_HALF_MADE_OF(long long)
	WS_HALF_MADE_OF(unsigned long long)
	WS_HALF_MEMBER operator float() const { return WS_FROM(__x); }
	WS_HALF_MEMBER operator WS_RAW() const { return WS_RAW{ __x }; }
};
#undef WS_HALF_MADE_OF
struct __attribute__((aligned(4))) WS_TWO {
	WS_ONE x, y;
	WS_TWO() = default;
	WS_HALF_MEMBER WS_TWO(WS_ONE a, WS_ONE b) : x(a), y(b) {}
};

/* ---- bits and parts ------------------------------------------------------------------------------------ */

WS_HALF unsigned short WS_NAME(__, _as_ushort)(WS_ONE h) { return h.__x; }
WS_HALF short WS_NAME(__, _as_short)(WS_ONE h) { return (short)h.__x; }
WS_HALF WS_ONE WS_NAME(__ushort_as_,)(unsigned short u) { return WS_ONE(WS_RAW{ u }); }
WS_HALF WS_ONE WS_NAME(__short_as_,)(short s) { return WS_ONE(WS_RAW{ (unsigned short)s }); }
WS_HALF float __low2float(WS_TWO h) { return (float)h.x; }
WS_HALF float __high2float(WS_TWO h) { return (float)h.y; }
WS_HALF WS_ONE WS_NAME(__low2,)(WS_TWO h) { return h.x; }
WS_HALF WS_ONE WS_NAME(__high2,)(WS_TWO h) { return h.y; }
WS_HALF WS_TWO WS_NAME(__low2, 2)(WS_TWO h) { return WS_TWO(h.x, h.x); }
WS_HALF WS_TWO WS_NAME(__high2, 2)(WS_TWO h) { return WS_TWO(h.y, h.y); }
WS_HALF WS_TWO __lowhigh2highlow(WS_TWO h) { return WS_TWO(h.y, h.x); }
WS_HALF WS_TWO WS_NAME(__lows2, 2)(WS_TWO a, WS_TWO b) { return WS_TWO(a.x, b.x); }
WS_HALF WS_TWO WS_NAME(__highs2, 2)(WS_TWO a, WS_TWO b) { return WS_TWO(a.y, b.y); }
WS_HALF WS_TWO WS_NAME(__halves2, 2)(WS_ONE a, WS_ONE b) { return WS_TWO(a, b); }
WS_HALF WS_TWO WS_TWICE(__, 2, 2)(WS_ONE a) { return WS_TWO(a, a); }
WS_HALF WS_TWO WS_NAME(make_, 2)(WS_ONE a, WS_ONE b) { return WS_TWO(a, b); }

/* ---- conversions ------------------------------------------------------------------------------------------ */

/* The next number in a direction; bits above the sign go away from 0. */
WS_HALF WS_ONE __ws_towards(WS_ONE near, float exact, int up)
{
	unsigned short sign = near.__x & 0x8000;
	float h = (float)near;
	if (!(up > 0 ? h < exact : h > exact))
		return near;
	if (near.__x == sign) /* from 0 */
		return WS_ONE(WS_RAW{ (unsigned short)(up > 0 ? 1 : 0x8001) });
	return WS_ONE(WS_RAW{ (unsigned short)(near.__x + ((up > 0) == !sign ? 1 : -1)) });
}
WS_HALF WS_ONE WS_NAME(__float2,)(float f) { return WS_ONE(f); }
WS_HALF WS_ONE WS_NAME(__float2, _rn)(float f) { return WS_ONE(f); }
WS_HALF WS_ONE WS_NAME(__float2, _rd)(float f) { return __ws_towards(WS_ONE(f), f, -1); }
WS_HALF WS_ONE WS_NAME(__float2, _ru)(float f) { return __ws_towards(WS_ONE(f), f, 1); }
WS_HALF WS_ONE WS_NAME(__float2, _rz)(float f) { return __ws_towards(WS_ONE(f), f, f < 0 ? 1 : -1); }
WS_HALF WS_ONE WS_NAME(__double2,)(double f) { return WS_ONE(f); }
WS_HALF float WS_NAME(__, 2float)(WS_ONE h) { return (float)h; }
WS_HALF WS_TWO WS_NAME(__float2, 2_rn)(float f) { return WS_TWO(WS_ONE(f), WS_ONE(f)); }
WS_HALF WS_TWO WS_NAME(__floats2, 2_rn)(float a, float b) { return WS_TWO(WS_ONE(a), WS_ONE(b)); }
WS_HALF WS_TWO WS_NAME(__float22, 2_rn)(float2 f) { return WS_TWO(WS_ONE(f.x), WS_ONE(f.y)); }
WS_HALF float2 WS_NAME(__, 22float2)(WS_TWO h) { return float2{ (float)h.x, (float)h.y }; }

/* A whole number as float with its last digits to odd, so that it is rounded once; up: 0 to the
 * nearest, 1 upwards, -1 downwards. */
template <class T> WS_HALF WS_ONE WS_NAME(__ws_whole_, )(T i, int up)
{
	unsigned long long n = i < 0 ? 0ull - (unsigned long long)i : (unsigned long long)i;
	unsigned int lost = 0;
	for (; n >> 24; n = n >> 1 | (n & 1))
		lost++;
	float f = (float)n * __ws_float_of((127u + lost) << 23);
	f = i < 0 ? -f : f;
	return up ? __ws_towards(WS_ONE(f), f, up) : WS_ONE(f);
}

/* What does not fit is the nearest that does; not a number: 0. */
#define WS_HALF_INTEGER_BY(T, NAME, LEAST, MOST, HOW, ROUND) \
	WS_HALF T WS_NAME(__, 2##NAME##_##HOW)(WS_ONE h) \
	{ \
		float f = ROUND((float)h); \
		return __builtin_isnan(f) ? 0 : f <= (float)(LEAST) ? (LEAST) \
					      : f >= (float)(MOST) ? (MOST) : (T)f; \
	}
#define WS_HALF_INTEGER(T, NAME, LEAST, MOST) \
	WS_HALF_INTEGER_BY(T, NAME, LEAST, MOST, rn, __builtin_rintf) \
	WS_HALF_INTEGER_BY(T, NAME, LEAST, MOST, rz, ) \
	WS_HALF_INTEGER_BY(T, NAME, LEAST, MOST, rd, __builtin_floorf) \
	WS_HALF_INTEGER_BY(T, NAME, LEAST, MOST, ru, __builtin_ceilf) \
	WS_HALF WS_ONE WS_NAME(__##NAME##2, _rn)(T i) { return WS_NAME(__ws_whole_, )(i, 0); } \
	WS_HALF WS_ONE WS_NAME(__##NAME##2, _rz)(T i) { return WS_NAME(__ws_whole_, )(i, i < 0 ? 1 : -1); } \
	WS_HALF WS_ONE WS_NAME(__##NAME##2, _rd)(T i) { return WS_NAME(__ws_whole_, )(i, -1); } \
	WS_HALF WS_ONE WS_NAME(__##NAME##2, _ru)(T i) { return WS_NAME(__ws_whole_, )(i, 1); }
WS_HALF_INTEGER(short, short, -0x7fff - 1, 0x7fff)
WS_HALF_INTEGER(unsigned short, ushort, 0, 0xffff)
WS_HALF_INTEGER(int, int, -0x7fffffff - 1, 0x7fffffff)
WS_HALF_INTEGER(unsigned int, uint, 0u, 0xffffffffu)
WS_HALF_INTEGER(long long, ll, -0x7fffffffffffffffll - 1, 0x7fffffffffffffffll)
WS_HALF_INTEGER(unsigned long long, ull, 0ull, 0xffffffffffffffffull)
#undef WS_HALF_INTEGER
#undef WS_HALF_INTEGER_BY

/* ---- arithmetic ------------------------------------------------------------------------------------------ */

#define WS_HALF2(NAME) \
	WS_HALF WS_TWO __h##NAME##2(WS_TWO a, WS_TWO b) \
	{ return WS_TWO(__h##NAME(a.x, b.x), __h##NAME(a.y, b.y)); }
#define WS_HALF_OPERATION(NAME, OP) \
	WS_HALF WS_ONE __h##NAME(WS_ONE a, WS_ONE b) { return WS_ONE((float)a OP (float)b); } \
	WS_HALF2(NAME) \
	WS_HALF WS_ONE operator OP(WS_ONE a, WS_ONE b) { return __h##NAME(a, b); } \
	WS_HALF WS_TWO operator OP(WS_TWO a, WS_TWO b) { return __h##NAME##2(a, b); } \
	WS_HALF WS_ONE &operator OP##=(WS_ONE &a, WS_ONE b) { return a = __h##NAME(a, b); } \
	WS_HALF WS_TWO &operator OP##=(WS_TWO &a, WS_TWO b) { return a = __h##NAME##2(a, b); }
WS_HALF_OPERATION(add, +)
WS_HALF_OPERATION(sub, -)
WS_HALF_OPERATION(mul, *)
WS_HALF_OPERATION(div, /)
#undef WS_HALF_OPERATION
WS_HALF WS_TWO __h2div(WS_TWO a, WS_TWO b) { return __hdiv2(a, b); }
#define WS_HALF_STEP(OP, NAME) \
	WS_HALF WS_ONE &operator OP(WS_ONE &a) { return a = NAME(a, WS_ONE(1.0f)); } \
	WS_HALF WS_ONE operator OP(WS_ONE &a, int) { WS_ONE was = a; a = NAME(a, WS_ONE(1.0f)); return was; }
WS_HALF_STEP(++, __hadd)
WS_HALF_STEP(--, __hsub)
#undef WS_HALF_STEP
WS_HALF WS_ONE __ws_saturated(WS_ONE h) { return (float)h > 1 ? WS_ONE(1.0f) : (float)h > 0 ? h : WS_ONE(0.0f); }
#define WS_HALF_SATURATED(NAME) \
	WS_HALF WS_ONE __h##NAME##_rn(WS_ONE a, WS_ONE b) { return __h##NAME(a, b); } \
	WS_HALF WS_TWO __h##NAME##2_rn(WS_TWO a, WS_TWO b) { return __h##NAME##2(a, b); } \
	WS_HALF WS_ONE __h##NAME##_sat(WS_ONE a, WS_ONE b) { return __ws_saturated(__h##NAME(a, b)); } \
	WS_HALF WS_TWO __h##NAME##2_sat(WS_TWO a, WS_TWO b) \
	{ return WS_TWO(__h##NAME##_sat(a.x, b.x), __h##NAME##_sat(a.y, b.y)); }
WS_HALF_SATURATED(add)
WS_HALF_SATURATED(sub)
WS_HALF_SATURATED(mul)
#undef WS_HALF_SATURATED
WS_HALF WS_ONE __hfma(WS_ONE a, WS_ONE b, WS_ONE c);
WS_HALF WS_ONE __hfma_sat(WS_ONE a, WS_ONE b, WS_ONE c) { return __ws_saturated(__hfma(a, b, c)); }
WS_HALF WS_ONE __hfma_relu(WS_ONE a, WS_ONE b, WS_ONE c)
{
	WS_ONE r = __hfma(a, b, c);
	return (float)r < 0 ? WS_ONE(0.0f) : r;
}
#define WS_HALF_FUSED(AFTER) \
	WS_HALF WS_TWO __hfma2##AFTER(WS_TWO a, WS_TWO b, WS_TWO c) \
	{ return WS_TWO(__hfma##AFTER(a.x, b.x, c.x), __hfma##AFTER(a.y, b.y, c.y)); }
WS_HALF_FUSED()
WS_HALF_FUSED(_sat)
WS_HALF_FUSED(_relu)
#undef WS_HALF_FUSED
WS_HALF WS_ONE __hneg(WS_ONE a) { return WS_ONE(WS_RAW{ (unsigned short)(a.__x ^ 0x8000) }); }
WS_HALF WS_ONE __habs(WS_ONE a) { return WS_ONE(WS_RAW{ (unsigned short)(a.__x & 0x7fff) }); }
WS_HALF WS_TWO __hneg2(WS_TWO a) { return WS_TWO(__hneg(a.x), __hneg(a.y)); }
WS_HALF WS_TWO __habs2(WS_TWO a) { return WS_TWO(__habs(a.x), __habs(a.y)); }
WS_HALF WS_ONE operator-(WS_ONE a) { return __hneg(a); }
WS_HALF WS_TWO operator-(WS_TWO a) { return __hneg2(a); }
WS_HALF WS_ONE operator+(WS_ONE a) { return a; }
WS_HALF bool __hisnan(WS_ONE a) { return (a.__x & 0x7fff) > WS_INFINITE; }
WS_HALF int __hisinf(WS_ONE a)
{
	return (a.__x & 0x7fff) != WS_INFINITE ? 0 : a.__x & 0x8000 ? -1 : 1;
}
WS_HALF WS_TWO __hisnan2(WS_TWO a)
{
	return WS_TWO(WS_ONE((float)__hisnan(a.x)), WS_ONE((float)__hisnan(a.y)));
}
#define WS_HALF_CHOICE(NAME, OF) \
	WS_HALF WS_ONE __h##NAME(WS_ONE a, WS_ONE b) { return WS_ONE(OF((float)a, (float)b)); } \
	WS_HALF2(NAME) \
	WS_HALF WS_ONE __h##NAME##_nan(WS_ONE a, WS_ONE b) \
	{ return __hisnan(a) || __hisnan(b) ? WS_ONE(WS_RAW{ 0x7fff }) : __h##NAME(a, b); } \
	WS_HALF WS_TWO __h##NAME##2_nan(WS_TWO a, WS_TWO b) \
	{ return WS_TWO(__h##NAME##_nan(a.x, b.x), __h##NAME##_nan(a.y, b.y)); }
WS_HALF_CHOICE(max, __builtin_fmaxf)
WS_HALF_CHOICE(min, __builtin_fminf)
#undef WS_HALF_CHOICE
#undef WS_HALF2

/* With "u" numbers that cannot be compared count as well. */
#define WS_HALF_COMPARED(NAME) \
	WS_HALF WS_TWO __h##NAME##2(WS_TWO a, WS_TWO b) \
	{ return WS_TWO(WS_ONE((float)__h##NAME(a.x, b.x)), WS_ONE((float)__h##NAME(a.y, b.y))); } \
	WS_HALF bool __hb##NAME##2(WS_TWO a, WS_TWO b) \
	{ return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y); } \
	WS_HALF unsigned int __h##NAME##2_mask(WS_TWO a, WS_TWO b) \
	{ return (__h##NAME(a.x, b.x) ? 0xffffu : 0) | (__h##NAME(a.y, b.y) ? 0xffff0000u : 0); }
#define WS_HALF_COMPARE(NAME, OP) \
	WS_HALF bool __h##NAME(WS_ONE a, WS_ONE b) { return (float)a OP (float)b; } \
	WS_HALF bool __h##NAME##u(WS_ONE a, WS_ONE b) \
	{ return __hisnan(a) || __hisnan(b) || __h##NAME(a, b); } \
	WS_HALF_COMPARED(NAME) \
	WS_HALF_COMPARED(NAME##u) \
	WS_HALF bool operator OP(WS_ONE a, WS_ONE b) { return __h##NAME(a, b); } \
	WS_HALF bool operator OP(WS_TWO a, WS_TWO b) { return __hb##NAME##2(a, b); }
WS_HALF_COMPARE(eq, ==)
WS_HALF_COMPARE(ne, !=)
WS_HALF_COMPARE(lt, <)
WS_HALF_COMPARE(le, <=)
WS_HALF_COMPARE(gt, >)
WS_HALF_COMPARE(ge, >=)
#undef WS_HALF_COMPARE
#undef WS_HALF_COMPARED

#ifdef __CUDA__
/* ---- mathematics ------------------------------------------------------------------------------------------ */

#define WS_HALF_FUNCTION(NAME, OF) \
	WS_DEVICE WS_ONE h##NAME(WS_ONE a) { return WS_ONE(OF((float)a)); } \
	WS_DEVICE WS_TWO h2##NAME(WS_TWO a) { return WS_TWO(h##NAME(a.x), h##NAME(a.y)); }
WS_HALF_FUNCTION(sqrt, sqrtf) WS_HALF_FUNCTION(rsqrt, rsqrtf) WS_HALF_FUNCTION(rcp, 1.0f /)
WS_HALF_FUNCTION(exp, expf) WS_HALF_FUNCTION(exp2, exp2f) WS_HALF_FUNCTION(exp10, exp10f)
WS_HALF_FUNCTION(log, logf) WS_HALF_FUNCTION(log2, log2f) WS_HALF_FUNCTION(log10, log10f)
WS_HALF_FUNCTION(sin, sinf) WS_HALF_FUNCTION(cos, cosf) WS_HALF_FUNCTION(floor, floorf)
WS_HALF_FUNCTION(ceil, ceilf) WS_HALF_FUNCTION(trunc, truncf) WS_HALF_FUNCTION(rint, rintf)
WS_HALF_FUNCTION(tanh, tanhf) WS_HALF_FUNCTION(tanh_approx, tanhf)
#undef WS_HALF_FUNCTION
/* The complex product of two pairs, and a third. */
WS_DEVICE WS_TWO __hcmadd(WS_TWO a, WS_TWO b, WS_TWO c)
{
	WS_ONE real = __hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x));
	return WS_TWO(real, __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

/* By exchanges of the 4 bytes that it lies in. */
WS_DEVICE WS_ONE atomicAdd(WS_ONE *p, WS_ONE v)
{
	unsigned int *word = (unsigned int *)((size_t)p & ~(size_t)3), shift = (size_t)p & 2 ? 16 : 0;
	unsigned int old = *(volatile unsigned int *)word, seen;
	WS_ONE was;
	do {
		seen = old;
		was = WS_ONE(WS_RAW{ (unsigned short)(seen >> shift) });
		old = atomicCAS(word, seen, (seen & ~(0xffffu << shift)) |
						    (unsigned int)(was + v).__x << shift);
	} while (old != seen);
	return was;
}
WS_DEVICE WS_TWO atomicAdd(WS_TWO *p, WS_TWO v)
{
	unsigned int *word = (unsigned int *)p, old = *(volatile unsigned int *)word, seen;
	WS_TWO was, now;
	do {
		unsigned int bits;
		seen = old;
		__builtin_memcpy(&was, &seen, sizeof was);
		now = was + v;
		__builtin_memcpy(&bits, &now, sizeof bits);
		old = atomicCAS(word, seen, bits);
	} while (old != seen);
	return was;
}
#endif
#undef WS_TWICE
#undef WS_NAME
#undef WS_JOIN
#undef WS_JOINED
