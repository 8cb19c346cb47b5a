/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_math.h -- mathematics of device code.
 *
 * Part of cuda_device.h, which includes it.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_MATH_H
#define WARPSTACK_CUDA_MATH_H
#include "cuda_letters_begin.h"

#define WS_REAL1(F) WS_LIBRARY double F(double); WS_LIBRARY float F##f(float); \
	WS_DEVICE float F(float x) { return F##f(x); }
#define WS_REAL2(F) WS_LIBRARY double F(double, double); WS_LIBRARY float F##f(float, float); \
	WS_DEVICE float F(float x, float y) { return F##f(x, y); }
WS_REAL1(acos) WS_REAL1(acosh) WS_REAL1(asin) WS_REAL1(asinh) WS_REAL1(atan) WS_REAL1(atanh)
WS_REAL1(cbrt) WS_REAL1(ceil) WS_REAL1(cos) WS_REAL1(cosh) WS_REAL1(erf) WS_REAL1(erfc)
WS_REAL1(exp) WS_REAL1(exp2) WS_REAL1(expm1) WS_REAL1(fabs) WS_REAL1(floor) WS_REAL1(lgamma)
WS_REAL1(log) WS_REAL1(log10) WS_REAL1(log1p) WS_REAL1(log2) WS_REAL1(logb) WS_REAL1(rint)
WS_REAL1(round) WS_REAL1(sin) WS_REAL1(sinh) WS_REAL1(sqrt) WS_REAL1(tan) WS_REAL1(tanh)
WS_REAL1(tgamma) WS_REAL1(trunc) WS_REAL1(j0) WS_REAL1(j1) WS_REAL1(y0) WS_REAL1(y1)
WS_REAL2(atan2) WS_REAL2(copysign) WS_REAL2(fdim) WS_REAL2(fmax) WS_REAL2(fmin) WS_REAL2(fmod)
WS_REAL2(hypot) WS_REAL2(nextafter) WS_REAL2(pow) WS_REAL2(remainder)
#undef WS_REAL1
#undef WS_REAL2
WS_LIBRARY double fma(double, double, double);
WS_LIBRARY float fmaf(float, float, float);
WS_LIBRARY double ldexp(double, int);
WS_LIBRARY float ldexpf(float, int);
WS_LIBRARY double exp10(double);
WS_LIBRARY float exp10f(float);
WS_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }
WS_DEVICE double pow(double x, int n) { return pow(x, (double)n); }
WS_DEVICE float pow(float x, int n) { return powf(x, (float)n); }
WS_DEVICE double nearbyint(double x) { return rint(x); }
WS_DEVICE float nearbyintf(float x) { return rintf(x); }
WS_BOTH double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
WS_BOTH float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
WS_BOTH float rsqrt(float x) { return rsqrtf(x); }
WS_DEVICE double rcbrt(double x) { return 1.0 / cbrt(x); }
WS_DEVICE float rcbrtf(float x) { return 1.0f / cbrtf(x); }
WS_DEVICE void sincos(double x, double *s, double *c) { *s = sin(x); *c = cos(x); }
WS_DEVICE void sincosf(float x, float *s, float *c) { *s = sinf(x); *c = cosf(x); }
WS_DEVICE void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
/* Of x and so many quarters of a turn, from what is left of the nearest half, which is exact. */
WS_DEVICE double __ws_sinpi(double x, int quarters)
{
	double half = rint(2 * x), left = (x - half / 2) * 3.14159265358979323846, v;
	int turned = ((int)fmod(half, 4.0) + 4 + quarters) & 3;
	v = turned & 1 ? cos(left) : sin(left);
	return turned & 2 ? -v : v;
}
WS_DEVICE double sinpi(double x) { return __ws_sinpi(x, 0); }
WS_DEVICE float sinpif(float x) { return (float)sinpi((double)x); }
WS_DEVICE double cospi(double x) { return __ws_sinpi(x, 1); }
WS_DEVICE float cospif(float x) { return (float)cospi((double)x); }
WS_DEVICE float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
WS_DEVICE double normcdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }
WS_DEVICE float normcdff(float x) { return (float)normcdf((double)x); }
WS_DEVICE float saturate(float x) { return x > 0 ? x < 1 ? x : 1.0f : 0.0f; }
WS_DEVICE float __saturatef(float x) { return saturate(x); }

#define WS_FAST1(F) WS_DEVICE float __##F##f(float x) { return F##f(x); }
WS_FAST1(cos) WS_FAST1(sin) WS_FAST1(tan) WS_FAST1(exp) WS_FAST1(exp10) WS_FAST1(log)
WS_FAST1(log2) WS_FAST1(log10)
#undef WS_FAST1
WS_DEVICE float __powf(float x, float y) { return powf(x, y); }
WS_DEVICE float __fdividef(float x, float y) { return x / y; }
WS_DEVICE float fdividef(float x, float y) { return x / y; }
WS_DEVICE void __sincosf(float x, float *s, float *c) { sincosf(x, s, c); }
WS_DEVICE float __frsqrt_rn(float x) { return rsqrtf(x); }
WS_DEVICE float __frcp_rn(float x) { return 1.0f / x; }
WS_DEVICE float __fsqrt_rn(float x) { return sqrtf(x); }
WS_DEVICE double __dsqrt_rn(double x) { return sqrt(x); }
WS_DEVICE float __fadd_rn(float x, float y) { return x + y; }
WS_DEVICE float __fsub_rn(float x, float y) { return x - y; }
WS_DEVICE float __fmul_rn(float x, float y) { return x * y; }
WS_DEVICE float __fdiv_rn(float x, float y) { return x / y; }
WS_DEVICE float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
WS_DEVICE double __dadd_rn(double x, double y) { return x + y; }
WS_DEVICE double __dmul_rn(double x, double y) { return x * y; }
WS_DEVICE double __ddiv_rn(double x, double y) { return x / y; }
WS_DEVICE double __fma_rn(double x, double y, double z) { return fma(x, y, z); }
WS_DEVICE int __isnan(double x) { return __builtin_isnan(x); }

/* On the host too, where the toolkit has them. */
#define WS_CHOOSE(A, B, T) \
	WS_BOTH T min(A a, B b) { return (T)a < (T)b ? (T)a : (T)b; } \
	WS_BOTH T max(A a, B b) { return (T)a > (T)b ? (T)a : (T)b; }
WS_CHOOSE(int, int, int)
WS_CHOOSE(unsigned int, unsigned int, unsigned int)
WS_CHOOSE(int, unsigned int, unsigned int)
WS_CHOOSE(unsigned int, int, unsigned int)
WS_CHOOSE(long, long, long)
WS_CHOOSE(unsigned long, unsigned long, unsigned long)
WS_CHOOSE(long, unsigned long, unsigned long)
WS_CHOOSE(unsigned long, long, unsigned long)
WS_CHOOSE(long long, long long, long long)
WS_CHOOSE(unsigned long long, unsigned long long, unsigned long long)
WS_CHOOSE(long long, unsigned long long, unsigned long long)
WS_CHOOSE(unsigned long long, long long, unsigned long long)
#undef WS_CHOOSE
#define WS_CHOOSE(A, B, T, S) \
	WS_BOTH T min(A a, B b) { return __builtin_fmin##S(a, b); } \
	WS_BOTH T max(A a, B b) { return __builtin_fmax##S(a, b); }
WS_CHOOSE(float, float, float, f)
WS_CHOOSE(double, double, double,)
WS_CHOOSE(float, double, double,)
WS_CHOOSE(double, float, double,)
#undef WS_CHOOSE
WS_DEVICE int abs(int x) { return x < 0 ? -x : x; }
WS_DEVICE long abs(long x) { return x < 0 ? -x : x; }
WS_DEVICE long long abs(long long x) { return x < 0 ? -x : x; }
WS_DEVICE float abs(float x) { return fabsf(x); }
WS_DEVICE double abs(double x) { return fabs(x); }
WS_DEVICE long labs(long x) { return x < 0 ? -x : x; }
WS_DEVICE long long llabs(long long x) { return x < 0 ? -x : x; }

WS_BOTH double norm3d(double a, double b, double c) { return __builtin_sqrt(a * a + b * b + c * c); }
WS_BOTH double norm4d(double a, double b, double c, double d)
{
	return __builtin_sqrt(a * a + b * b + c * c + d * d);
}
WS_BOTH float norm4df(float a, float b, float c, float d)
{
	return __builtin_sqrtf(a * a + b * b + c * c + d * d);
}
WS_BOTH float rnorm3df(float a, float b, float c)
{
	return 1.0f / __builtin_sqrtf(a * a + b * b + c * c);
}
WS_BOTH double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
WS_DEVICE double norm(int n, const double *a)
{
	double sum = 0;
	for (int i = 0; i < n; i++)
		sum += a[i] * a[i];
	return __builtin_sqrt(sum);
}
WS_DEVICE float normf(int n, const float *a)
{
	double sum = 0;
	for (int i = 0; i < n; i++)
		sum += (double)a[i] * a[i];
	return (float)__builtin_sqrt(sum);
}
WS_DEVICE double rnorm(int n, const double *a) { return 1.0 / norm(n, a); }
WS_DEVICE float rnormf(int n, const float *a) { return 1.0f / normf(n, a); }
WS_DEVICE double rhypot(double a, double b) { return 1.0 / hypot(a, b); }
WS_DEVICE float rhypotf(float a, float b) { return 1.0f / hypotf(a, b); }
WS_DEVICE double erfcx(double x) { return exp(x * x) * erfc(x); }
WS_DEVICE float erfcxf(float x) { return (float)erfcx((double)x); }
/* Two Newton steps from a rational approximation (Giles, GPU Computing Gems, 2011, of 2e-4). */
WS_DEVICE double erfinv(double y)
{
	double w = -log((1 - y) * (1 + y)), x, s;
	if (y <= -1 || y >= 1)
		return y == 1 ? __builtin_inf() : y == -1 ? -__builtin_inf() : __builtin_nan("");
	if (w < 5) {
		w -= 2.5;
		x = 1.50140941 + w * (0.246640727 + w * (-0.00417768164 + w * -0.00125372503));
	} else {
		w = sqrt(w) - 3;
		x = 2.83297682 + w * (1.00167406 + w * (0.00943887047 + w * -0.0076224613));
	}
	x *= y;
	for (int i = 0; i < 3; i++) {
		s = erf(x) - y;
		if (fabs(y) > 0.5) /* what is left of 1 keeps its digits */
			s = y > 0 ? (1 - y) - erfc(x) : erfc(-x) - (1 + y);
		x -= s / (1.12837916709551257390 * exp(-x * x));
	}
	return x;
}
WS_DEVICE float erfinvf(float y) { return (float)erfinv((double)y); }
WS_DEVICE double erfcinv(double y)
{
	double x = erfinv(1 - y), s;
	for (int i = 0; i < 2 && y > 0 && y < 0.5; i++) {
		s = erfc(x) - y;
		x += s / (1.12837916709551257390 * exp(-x * x));
	}
	return x;
}
WS_DEVICE float erfcinvf(float y) { return (float)erfcinv((double)y); }
WS_DEVICE double normcdfinv(double p) { return -1.41421356237309504880 * erfcinv(2 * p); }
WS_DEVICE float normcdfinvf(float p) { return (float)normcdfinv((double)p); }
WS_DEVICE void sincospi(double x, double *s, double *c) { *s = sinpi(x); *c = cospi(x); }
WS_DEVICE void sincospif(float x, float *s, float *c) { *s = sinpif(x); *c = cospif(x); }
WS_DEVICE void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }
WS_DEVICE unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
WS_DEVICE unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
WS_DEVICE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
WS_DEVICE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
WS_DEVICE long long llmin(long long a, long long b) { return a < b ? a : b; }
WS_DEVICE long long llmax(long long a, long long b) { return a > b ? a : b; }
WS_DEVICE long lrint(double x) { return (long)rint(x); }
WS_DEVICE long lrintf(float x) { return (long)rintf(x); }
WS_DEVICE long long llrint(double x) { return (long long)rint(x); }
WS_DEVICE long long llrintf(float x) { return (long long)rintf(x); }
WS_DEVICE long lround(double x) { return (long)round(x); }
WS_DEVICE long long llround(double x) { return (long long)round(x); }
WS_DEVICE long long llroundf(float x) { return (long long)roundf(x); }
WS_DEVICE long lroundf(float x) { return (long)roundf(x); }
WS_LIBRARY int ilogb(double);
WS_LIBRARY int ilogbf(float);
WS_DEVICE double frexp(double x, int *e)
{
	if (x == 0 || __builtin_isnan(x) || __builtin_isinf(x)) {
		*e = 0;
		return x;
	}
	*e = ilogb(x) + 1;
	return ldexp(x, -*e);
}
WS_DEVICE float frexpf(float x, int *e) { return (float)frexp((double)x, e); }
WS_DEVICE float frexp(float x, int *e) { return frexpf(x, e); }
WS_DEVICE double modf(double x, double *whole)
{
	*whole = trunc(x);
	return __builtin_isinf(x) ? copysign(0.0, x) : copysign(x - *whole, x);
}
WS_DEVICE float modff(float x, float *whole)
{
	*whole = truncf(x);
	return __builtin_isinf(x) ? copysignf(0.0f, x) : copysignf(x - *whole, x);
}
WS_DEVICE float modf(float x, float *whole) { return modff(x, whole); }
WS_DEVICE double nan(const char *) { return __builtin_nan(""); }
WS_DEVICE float nanf(const char *) { return __builtin_nanf(""); }
WS_DEVICE double scalbn(double x, int n) { return ldexp(x, n); }
WS_DEVICE float scalbnf(float x, int n) { return ldexpf(x, n); }
WS_DEVICE double scalbln(double x, long n) { return ldexp(x, (int)(n < -4200 ? -4200 : n > 4200 ? 4200 : n)); }
WS_DEVICE float scalblnf(float x, long n) { return (float)scalbln((double)x, n); }
WS_DEVICE double remquo(double x, double y, int *quotient)
{
	double r = remainder(x, y), n = rint((x - r) / y);
	*quotient = (int)fmod(n, 8.0);
	return r;
}
WS_DEVICE float remquof(float x, float y, int *quotient) { return (float)remquo((double)x, (double)y, quotient); }
WS_DEVICE float remquo(float x, float y, int *quotient) { return remquof(x, y, quotient); }
WS_LIBRARY double jn(int, double);
WS_LIBRARY double yn(int, double);
WS_DEVICE float jnf(int n, float x) { return (float)jn(n, (double)x); }
WS_DEVICE float ynf(int n, float x) { return (float)yn(n, (double)x); }
/* Modified Bessel functions by their series, whose terms are all positive. */
WS_DEVICE double __ws_bessel_i(double x, int order)
{
	double term = order ? x / 2 : 1, sum = term;
	for (int k = 1; k < 2000 && fabs(term) > 1e-17 * fabs(sum); k++) {
		term *= x * x / 4 / k / (k + order);
		sum += term;
	}
	return sum;
}
WS_DEVICE double cyl_bessel_i0(double x) { return __ws_bessel_i(x, 0); }
WS_DEVICE double cyl_bessel_i1(double x) { return __ws_bessel_i(x, 1); }
WS_DEVICE float cyl_bessel_i0f(float x) { return (float)__ws_bessel_i((double)x, 0); }
WS_DEVICE float cyl_bessel_i1f(float x) { return (float)__ws_bessel_i((double)x, 1); }
WS_DEVICE double rnorm4d(double a, double b, double c, double d) { return 1 / norm4d(a, b, c, d); }
WS_DEVICE float rnorm4df(float a, float b, float c, float d) { return 1 / norm4df(a, b, c, d); }
#include "cuda_letters_end.h"

#endif
