/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuComplex.h -- complex numbers of two floats or two doubles.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUCOMPLEX_H
#define WARPSTACK_CUCOMPLEX_H

#include <math.h>
#include "cuda_runtime.h"
#include "cuda_letters_begin.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define WS_COMPLEX static __host__ __device__ inline
/* T: the part; Z: the number; S: what its functions' names end in; F: what the library's do */
#define WS_COMPLEX_FUNCTIONS(T, Z, S, F) \
	WS_COMPLEX T cuCreal##S(Z a) { return a.x; } \
	WS_COMPLEX T cuCimag##S(Z a) { return a.y; } \
	WS_COMPLEX Z cuConj##S(Z a) { Z z = { a.x, -a.y }; return z; } \
	WS_COMPLEX Z cuCadd##S(Z a, Z b) { Z z = { a.x + b.x, a.y + b.y }; return z; } \
	WS_COMPLEX Z cuCsub##S(Z a, Z b) { Z z = { a.x - b.x, a.y - b.y }; return z; } \
	WS_COMPLEX Z cuCmul##S(Z a, Z b) \
	{ \
		Z z = { a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x }; return z; \
	} \
	/* Scaled, so that no square of a large part overflows. */ \
	WS_COMPLEX Z cuCdiv##S(Z a, Z b) \
	{ \
		T s = 1 / (fabs##F(b.x) + fabs##F(b.y)); \
		T bx = b.x * s, by = b.y * s, ax = a.x * s, ay = a.y * s, d = 1 / (bx * bx + by * by); \
		Z z = { (ax * bx + ay * by) * d, (ay * bx - ax * by) * d }; return z; \
	} \
	WS_COMPLEX T cuCabs##S(Z a) { return hypot##F(a.x, a.y); } \
	WS_COMPLEX Z cuCfma##S(Z a, Z b, Z c) { return cuCadd##S(cuCmul##S(a, b), c); }
WS_COMPLEX_FUNCTIONS(float, cuFloatComplex, f, f)
WS_COMPLEX_FUNCTIONS(double, cuDoubleComplex, ,)
#undef WS_COMPLEX_FUNCTIONS
WS_COMPLEX cuFloatComplex make_cuFloatComplex(float x, float y) { cuFloatComplex z = { x, y }; return z; }
WS_COMPLEX cuDoubleComplex make_cuDoubleComplex(double x, double y) { cuDoubleComplex z = { x, y }; return z; }
WS_COMPLEX cuComplex make_cuComplex(float x, float y) { cuComplex z = { x, y }; return z; }
WS_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { cuDoubleComplex z = { a.x, a.y }; return z; }
WS_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a)
{
	cuFloatComplex z = { (float)a.x, (float)a.y };
	return z;
}
#undef WS_COMPLEX
#include "cuda_letters_end.h"

#endif
