/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each built-in's value should be, in 113 bits, by the text of chapter 6.12
 * and section 7.5.1 (special cases) of OpenCL C 1.2.
 */
#include "tests/trace/builtins/values.h"

#define X e->x[0]
#define Y e->x[1]
#define Z e->x[2]
#define REFERENCE(name) static void ref_##name(struct element *e)
#define VALUE(name, expression) \
	REFERENCE(name) { e->want = (expression); }
#define QUAD1(name) VALUE(name, name##q(X))
#define QUAD2(name) VALUE(name, name##q(X, Y))
#define PI_Q M_PIq

QUAD1(acos) QUAD1(acosh) QUAD1(asin) QUAD1(asinh) QUAD1(atan) QUAD1(atanh) QUAD1(cbrt) QUAD1(ceil)
QUAD1(cos) QUAD1(cosh) QUAD1(erf) QUAD1(erfc) QUAD1(exp) QUAD1(expm1) QUAD1(fabs) QUAD1(floor)
QUAD1(log) QUAD1(log10) QUAD1(log1p) QUAD1(log2) QUAD1(logb) QUAD1(rint) QUAD1(round) QUAD1(sin)
QUAD1(sinh) QUAD1(sqrt) QUAD1(tan) QUAD1(tanh) QUAD1(tgamma) QUAD1(trunc)
QUAD2(atan2) QUAD2(copysign) QUAD2(fdim) QUAD2(fmod) QUAD2(hypot) QUAD2(pow) QUAD2(remainder)
VALUE(exp2, powq(2, X))
VALUE(exp10, powq(10, X))
VALUE(acospi, acosq(X) / PI_Q)
VALUE(asinpi, asinq(X) / PI_Q)
VALUE(atanpi, atanq(X) / PI_Q)
VALUE(atan2pi, atan2q(X, Y) / PI_Q)
VALUE(rsqrt, 1 / sqrtq(X))
VALUE(recip, 1 / X)
VALUE(divide, X / Y)
VALUE(pown, powq(X, Y))
VALUE(ldexp, ldexpq(X, (int)Y))
VALUE(ilogb, isnanq(X) || isinfq(X) ? INT32_MAX : X == 0 ? INT32_MIN : logbq(X))
VALUE(nan, (real)NAN)
VALUE(degrees, X * 180 / PI_Q)
VALUE(radians, X * PI_Q / 180)
VALUE(sign, isnanq(X) ? 0 : X > 0 ? 1 : X < 0 ? -1 : X)
VALUE(step, Y < X ? 0 : 1)

/* Sums of quads are rounded once more when made a double: to odd, so that a tie
 * of the double is one. */
REFERENCE(fma)
{
	real product = X * Y, sum = product + Z, part = sum - product;
	real lost = (product - (sum - part)) + (Z - part);
	union { real v; uint64_t word[2]; } bits = { .v = sum };

	if (lost != 0 && finiteq(lost) && !(bits.word[0] & 1))
		sum = nextafterq(sum, lost > 0 ? (real)INFINITY : -(real)INFINITY);
	e->want = sum;
}

/* Any value is allowed; ours is a product and a sum, both rounded. */
REFERENCE(mad)
{
	real size = fmaxq(fabsq(X * Y), fabsq(Z));

	e->want = X * Y + Z;
	e->slack = size * (e->type == FLOAT ? 0x1p-22 : 0x1p-51) + (real)0x1p-149;
	e->skip = !(size < (e->type == FLOAT ? (real)0x1p127 : (real)0x1p1023));
}

static real whole_turns_off(real a)
{
	return fmodq(a, 2); /* exact, of a's sign */
}

REFERENCE(sinpi)
{
	real t = whole_turns_off(X), a = fabsq(t);

	a = a > 1 ? -(2 - a > 0.5Q ? a - 1 : 2 - a) : a > 0.5Q ? 1 - a : a;
	e->want = fabsq(a) == 0 ? copysignq(0, X) : copysignq(1, X) * sinq(PI_Q * a);
}

REFERENCE(cospi)
{
	real a = fabsq(whole_turns_off(X));

	a = a > 1 ? 2 - a : a;
	e->want = a == 0.5Q ? 0 : a > 0.5Q ? -sinq(PI_Q * (a - 0.5Q)) : cosq(PI_Q * a);
}

REFERENCE(tanpi)
{
	real n = floorq(X), part = X - n;
	bool odd = fmodq(n, 2) != 0;

	if (part == 0)
		e->want = odd ? copysignq(0, -X) : copysignq(0, X);
	else if (part == 0.5Q)
		e->want = odd ? -(real)INFINITY : (real)INFINITY;
	else
		e->want = tanq(PI_Q * fmodq(X, 1));
}

REFERENCE(powr)
{
	bool none = !(X >= 0) || isnanq(Y) || (Y == 0 && (X == 0 || isinfq(X))) ||
		    (X == 1 && isinfq(Y));

	e->want = none ? (real)NAN : powq(fabsq(X), Y);
}

REFERENCE(rootn)
{
	bool odd = fmodq(Y, 2) != 0;
	real root = powq(fabsq(X), 1 / Y);

	e->want = Y == 0 || (X < 0 && !odd) ? (real)NAN : odd ? copysignq(root, X) : root;
}

REFERENCE(fmax) { e->any_zero = true; e->want = fmaxq(X, Y); }
REFERENCE(fmin) { e->any_zero = true; e->want = fminq(X, Y); }

REFERENCE(maxmag)
{
	e->any_zero = true;
	e->want = fabsq(X) > fabsq(Y) ? X : fabsq(Y) > fabsq(X) ? Y : fmaxq(X, Y);
}

REFERENCE(minmag)
{
	e->any_zero = true;
	e->want = fabsq(X) < fabsq(Y) ? X : fabsq(Y) < fabsq(X) ? Y : fminq(X, Y);
}

/* By its bits, counted from the most negative number up. */
REFERENCE(nextafter)
{
	int64_t top = e->type == FLOAT ? INT32_MIN : INT64_MIN, at;
	union { float f; int32_t i; } f = { .f = (float)X };
	union { double d; int64_t i; } d = { .d = (double)X };

	at = e->type == FLOAT ? f.i : d.i;
	if (isnanq(X) || isnanq(Y) || X == Y) {
		e->want = X == Y ? Y : (real)NAN;
		return;
	}
	if (X == 0)
		at = Y > 0 ? 1 : top + 1;
	else
		at += (X < Y) == (X > 0) ? 1 : -1;
	f.i = (int32_t)at;
	d.i = at;
	e->want = e->type == FLOAT ? (real)f.f : (real)d.d;
}

REFERENCE(fract)
{
	real below = e->type == FLOAT ? (real)0x1.fffffep-1 : (real)0x1.fffffffffffffp-1;
	real rest = to_type(e->type, X - floorq(X));

	e->want2 = floorq(X);
	e->want = X == 0 || isinfq(X) ? copysignq(0, X) : isnanq(rest) ? rest : fminq(rest, below);
}

REFERENCE(modf) { e->want = modfq(X, &e->want2); }
REFERENCE(sincos) { e->want = sinq(X); e->want2 = cosq(X); }

REFERENCE(frexp)
{
	int n = 0;

	e->want = finiteq(X) ? frexpq(X, &n) : X;
	e->want2 = n;
}

/* Without a bound: 16 ulps, where the result is not near a zero of it. */
REFERENCE(lgamma)
{
	e->want = lgammaq(X);
	e->slack = 16 * fmaxq(fabsq(e->want), 1) * (e->type == FLOAT ? 0x1p-23 : 0x1p-52);
}

REFERENCE(lgamma_r)
{
	ref_lgamma(e);
	/* Of poles no sign is said: not negative where X is not. */
	e->want2 = X < 0 && finiteq(X) && fmodq(floorq(X), 2) != 0 ? -1 : 1;
	if (X <= 0 && (X == floorq(X) || isinfq(X)))
		e->want2 = (real)NAN;
	if (isnanq(X))
		e->want2 = (real)NAN;
}

REFERENCE(remquo)
{
	real a = fabsq(X), b = fabsq(Y), q = (fmodq(a, 128 * b) - remainderq(a, b)) / b;

	e->want = remainderq(X, Y);
	q = isinfq(b) ? 0 : fmodq(rintq(q), 128);
	e->want2 = isnanq(e->want) ? 0 : (X < 0) != (Y < 0) ? -q : q;
}

/* ---- integers: exact in a real, products in 128 bits ------------------------------------- */

#define BITS ((int)type_size[e->type] * 8)

static real clamped(enum type type, real v)
{
	return v < least(type) ? least(type) : v > most(type) ? most(type) : v;
}

/* The type's value of the same low bits. */
static real wrapped(enum type type, unsigned __int128 v)
{
	int64_t raw = (int64_t)(uint64_t)v;

	switch (type_size[type] * 2 + is_signed(type)) {
	case 2: return (uint8_t)raw;
	case 3: return (int8_t)raw;
	case 4: return (uint16_t)raw;
	case 5: return (int16_t)raw;
	case 8: return (uint32_t)raw;
	case 9: return (int32_t)raw;
	case 16: return (uint64_t)raw;
	default: return raw;
	}
}

static unsigned __int128 product(const struct element *e)
{
	if (is_signed(e->type))
		return (unsigned __int128)((__int128)X * (__int128)Y);
	return (unsigned __int128)X * (unsigned __int128)Y;
}

/* The bits of an integer element, as many as its type has. */
static uint64_t bits_of(enum type type, real v)
{
	uint64_t raw = v < 0 ? (uint64_t)(int64_t)v : (uint64_t)v;

	return type_size[type] == 8 ? raw : raw & ((1ull << type_size[type] * 8) - 1);
}

VALUE(abs, fabsq(X))
VALUE(abs_diff, fabsq(X - Y))
VALUE(add_sat, clamped(e->type, X + Y))
VALUE(sub_sat, clamped(e->type, X - Y))
VALUE(hadd, floorq((X + Y) / 2))
VALUE(rhadd, ceilq((X + Y) / 2))
VALUE(popcount, __builtin_popcountll(bits_of(e->type, X)))
VALUE(upsample, X * (real)(1ull << BITS) + Y)
VALUE(mul24, wrapped(e->type, (unsigned __int128)(__int128)(X * Y)))
VALUE(mad24, wrapped(e->type, (unsigned __int128)(__int128)(X * Y + Z)))

REFERENCE(clz)
{
	uint64_t v = bits_of(e->type, X);
	int n = 0;

	while (n < BITS && !(v >> (BITS - 1 - n) & 1))
		n++;
	e->want = n;
}

REFERENCE(rotate)
{
	uint64_t v = bits_of(e->type, X), by = bits_of(e->type, Y) % (uint64_t)BITS;

	for (; by; by--)
		v = v << 1 | (v >> (BITS - 1) & 1);
	e->want = wrapped(e->type, v);
}

REFERENCE(mul_hi)
{
	unsigned __int128 p = product(e);

	e->want = is_signed(e->type) ? (real)((__int128)p >> BITS) : (real)(p >> BITS);
}

REFERENCE(mad_hi)
{
	ref_mul_hi(e);
	e->want = wrapped(e->type, (unsigned __int128)((__int128)e->want + (__int128)Z));
}

REFERENCE(mad_sat)
{
	unsigned __int128 p = product(e);

	if (is_signed(e->type)) {
		__int128 v = (__int128)p + (__int128)Z;

		e->want = v < (__int128)least(e->type) ? least(e->type) :
			  v > (__int128)most(e->type)  ? most(e->type) : (real)v;
	} else {
		p += (unsigned __int128)Z;
		e->want = p > (unsigned __int128)most(e->type) ? most(e->type) : (real)p;
	}
}

/* ---- common, relational -------------------------------------------------------------------- */

static bool unordered(const struct element *e, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (isnanq(e->x[i]))
			return true;
	return false;
}

REFERENCE(max) { e->any_zero = true; e->skip = unordered(e, 2); e->want = X < Y ? Y : X; }
REFERENCE(min) { e->any_zero = true; e->skip = unordered(e, 2); e->want = Y < X ? Y : X; }

REFERENCE(clamp)
{
	e->any_zero = true;
	e->skip = unordered(e, 3) || Y > Z;
	e->want = X < Y ? Y : X > Z ? Z : X;
}

REFERENCE(mix)
{
	real size = fmaxq(fmaxq(fabsq(X), fabsq(Y)), fabsq((Y - X) * Z));

	e->want = X + (Y - X) * Z;
	e->slack = size * (e->type == FLOAT ? 0x1p-21 : 0x1p-50) + (real)0x1p-149;
	e->skip = unordered(e, 3) || !(Z >= 0 && Z <= 1) ||
		  !(size < (e->type == FLOAT ? (real)0x1p126 : (real)0x1p1022));
}

REFERENCE(smoothstep)
{
	real t = (Z - X) / (Y - X);

	t = t < 0 ? 0 : t > 1 ? 1 : t;
	e->want = t * t * (3 - 2 * t);
	e->slack = e->type == FLOAT ? 0x1p-21 : 0x1p-50;
	e->skip = unordered(e, 3) || !(X < Y) || isinfq(X) || isinfq(Y) || isinfq(Z) ||
		  isinfq(to_type(e->type, Y - X)) || isinfq(to_type(e->type, Z - X));
}

#define TRUTH(name, condition) VALUE(name, (condition) ? e->vector ? -1 : 1 : 0)
TRUTH(isequal, X == Y)
TRUTH(isnotequal, X != Y)
TRUTH(isgreater, X > Y)
TRUTH(isgreaterequal, X >= Y)
TRUTH(isless, X < Y)
TRUTH(islessequal, X <= Y)
TRUTH(islessgreater, X < Y || X > Y)
TRUTH(isordered, !unordered(e, 2))
TRUTH(isunordered, unordered(e, 2))
TRUTH(isnan, isnanq(X))
TRUTH(isinf, isinfq(X))
TRUTH(isfinite, finiteq(X))
TRUTH(isnormal, finiteq(X) && fabsq(X) >= (e->type == FLOAT ? (real)0x1p-126 : (real)0x1p-1022))
TRUTH(signbit, signbitq(X))
VALUE(select, (e->vector ? bits_of(e->type, Z) >> (BITS - 1) & 1 : Z != 0) ? Y : X)

#define ROW(name) { #name, ref_##name },
static const struct reference references[] = {
	ROW(acos) ROW(acosh) ROW(asin) ROW(asinh) ROW(atan) ROW(atanh) ROW(cbrt) ROW(ceil)
	ROW(cos) ROW(cosh) ROW(erf) ROW(erfc) ROW(exp) ROW(expm1) ROW(fabs) ROW(floor) ROW(log)
	ROW(log10) ROW(log1p) ROW(log2) ROW(logb) ROW(rint) ROW(round) ROW(sin) ROW(sinh)
	ROW(sqrt) ROW(tan) ROW(tanh) ROW(tgamma) ROW(trunc) ROW(atan2) ROW(copysign) ROW(fdim)
	ROW(fmod) ROW(hypot) ROW(pow) ROW(remainder) ROW(exp2) ROW(exp10) ROW(acospi)
	ROW(asinpi) ROW(atanpi) ROW(atan2pi) ROW(rsqrt) ROW(recip) ROW(divide) ROW(pown)
	ROW(ldexp) ROW(ilogb) ROW(nan) ROW(degrees) ROW(radians) ROW(sign) ROW(step) ROW(fma)
	ROW(mad) ROW(sinpi) ROW(cospi) ROW(tanpi) ROW(powr) ROW(rootn) ROW(fmax) ROW(fmin)
	ROW(maxmag) ROW(minmag) ROW(nextafter) ROW(fract) ROW(modf) ROW(sincos) ROW(frexp)
	ROW(lgamma) ROW(lgamma_r) ROW(remquo) ROW(abs) ROW(abs_diff) ROW(add_sat) ROW(sub_sat)
	ROW(hadd) ROW(rhadd) ROW(popcount) ROW(upsample) ROW(mul24) ROW(mad24) ROW(clz)
	ROW(rotate) ROW(mul_hi) ROW(mad_hi) ROW(mad_sat) ROW(max) ROW(min) ROW(clamp) ROW(mix)
	ROW(smoothstep) ROW(isequal) ROW(isnotequal) ROW(isgreater) ROW(isgreaterequal)
	ROW(isless) ROW(islessequal) ROW(islessgreater) ROW(isordered) ROW(isunordered)
	ROW(isnan) ROW(isinf) ROW(isfinite) ROW(isnormal) ROW(signbit) ROW(select)
};

/* half_ and native_ functions are compared with the function they replace. */
void (*reference(const char *name))(struct element *e)
{
	name += strncmp(name, "half_", 5) == 0 ? 5 : strncmp(name, "native_", 7) == 0 ? 7 : 0;
	for (size_t i = 0; i < sizeof(references) / sizeof references[0]; i++)
		if (strcmp(references[i].name, name) == 0)
			return references[i].value;
	printf("Bail out! no reference for %s\n", name);
	exit(1);
}
