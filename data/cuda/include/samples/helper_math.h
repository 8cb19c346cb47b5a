/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * helper_math.h -- sums, products and other functions of vectors of two to four floats, ints and uints,
 * under the names of NVIDIA's samples.  Operators are component by component; a number stands
 * for a vector of it.
 */
#pragma GCC system_header
#ifndef WARPSTACK_SAMPLES_HELPER_MATH_H
#define WARPSTACK_SAMPLES_HELPER_MATH_H

#include <cuda_runtime.h>
#ifndef __CUDACC__
#include <math.h>
#endif
#include "../cuda_letters_begin.h"

typedef unsigned int uint;
typedef unsigned short ushort;

#define WS_BOTH inline __host__ __device__

#ifndef __CUDACC__
inline float fminf(float a, float b) { return a < b ? a : b; }
inline float fmaxf(float a, float b) { return a > b ? a : b; }
inline int max(int a, int b) { return a > b ? a : b; }
inline int min(int a, int b) { return a < b ? a : b; }
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
#endif

/* F(x) F(y) ... of the components, with commas between them. */
#define WS_EACH2(F) F(x), F(y)
#define WS_EACH3(F) F(x), F(y), F(z)
#define WS_EACH4(F) F(x), F(y), F(z), F(w)
#define WS_ALL(M) \
	M(float2, float, 2) M(float3, float, 3) M(float4, float, 4) M(int2, int, 2) \
	M(int3, int, 3) M(int4, int, 4) M(uint2, uint, 2) M(uint3, uint, 3) M(uint4, uint, 4)

/* ---- one vector made of another --------------------------------------------------------- */

WS_BOTH float2 make_float2(float s) { return make_float2(s, s); }
WS_BOTH float2 make_float2(float3 a) { return make_float2(a.x, a.y); }
WS_BOTH float2 make_float2(int2 a) { return make_float2(float(a.x), float(a.y)); }
WS_BOTH float2 make_float2(uint2 a) { return make_float2(float(a.x), float(a.y)); }
WS_BOTH int2 make_int2(int s) { return make_int2(s, s); }
WS_BOTH int2 make_int2(int3 a) { return make_int2(a.x, a.y); }
WS_BOTH int2 make_int2(uint2 a) { return make_int2(int(a.x), int(a.y)); }
WS_BOTH int2 make_int2(float2 a) { return make_int2(int(a.x), int(a.y)); }
WS_BOTH uint2 make_uint2(uint s) { return make_uint2(s, s); }
WS_BOTH uint2 make_uint2(uint3 a) { return make_uint2(a.x, a.y); }
WS_BOTH uint2 make_uint2(int2 a) { return make_uint2(uint(a.x), uint(a.y)); }

#define WS_MAKE3(V, T) \
	WS_BOTH V##3 make_##V##3(T s) { return make_##V##3(s, s, s); } \
	WS_BOTH V##3 make_##V##3(V##2 a) { return make_##V##3(a.x, a.y, T(0)); } \
	WS_BOTH V##3 make_##V##3(V##2 a, T s) { return make_##V##3(a.x, a.y, s); } \
	WS_BOTH V##3 make_##V##3(V##4 a) { return make_##V##3(a.x, a.y, a.z); } \
	WS_BOTH V##4 make_##V##4(T s) { return make_##V##4(s, s, s, s); } \
	WS_BOTH V##4 make_##V##4(V##3 a) { return make_##V##4(a.x, a.y, a.z, T(0)); } \
	WS_BOTH V##4 make_##V##4(V##3 a, T s) { return make_##V##4(a.x, a.y, a.z, s); }
WS_MAKE3(float, float)
WS_MAKE3(int, int)
WS_MAKE3(uint, uint)
#undef WS_MAKE3
#define WS_CONVERT(V, T, FROM) \
	WS_BOTH V##3 make_##V##3(FROM##3 a) { return make_##V##3(T(a.x), T(a.y), T(a.z)); } \
	WS_BOTH V##4 make_##V##4(FROM##4 a) \
	{ return make_##V##4(T(a.x), T(a.y), T(a.z), T(a.w)); }
WS_CONVERT(float, float, int)
WS_CONVERT(float, float, uint)
WS_CONVERT(int, int, float)
WS_CONVERT(int, int, uint)
WS_CONVERT(uint, uint, int)
#undef WS_CONVERT

/* ---- operators --------------------------------------------------------------------------- */

#define WS_PLUS(c) a.c + b.c
#define WS_MINUS(c) a.c - b.c
#define WS_TIMES(c) a.c * b.c
#define WS_PLUS_NUMBER(c) a.c + b
#define WS_MINUS_NUMBER(c) a.c - b
#define WS_TIMES_NUMBER(c) a.c * b
#define WS_BY_NUMBER(c) b * a.c
#define WS_ASSIGN(V, T, OP) \
	WS_BOTH void operator OP##=(V &a, V b) { a = a OP b; } \
	WS_BOTH void operator OP##=(V &a, T b) { a = a OP b; }
#define WS_OPERATORS(V, T, N) \
	WS_BOTH V operator+(V a, V b) { return make_##V(WS_EACH##N(WS_PLUS)); } \
	WS_BOTH V operator-(V a, V b) { return make_##V(WS_EACH##N(WS_MINUS)); } \
	WS_BOTH V operator*(V a, V b) { return make_##V(WS_EACH##N(WS_TIMES)); } \
	WS_BOTH V operator+(V a, T b) { return make_##V(WS_EACH##N(WS_PLUS_NUMBER)); } \
	WS_BOTH V operator+(T b, V a) { return make_##V(WS_EACH##N(WS_PLUS_NUMBER)); } \
	WS_BOTH V operator-(V a, T b) { return make_##V(WS_EACH##N(WS_MINUS_NUMBER)); } \
	WS_BOTH V operator-(T b, V a) { return make_##V(b) - a; } \
	WS_BOTH V operator*(V a, T b) { return make_##V(WS_EACH##N(WS_TIMES_NUMBER)); } \
	WS_BOTH V operator*(T b, V a) { return make_##V(WS_EACH##N(WS_BY_NUMBER)); } \
	WS_ASSIGN(V, T, +) WS_ASSIGN(V, T, -) WS_ASSIGN(V, T, *)
WS_ALL(WS_OPERATORS)

#define WS_NEGATE(c) -a.c
#define WS_OVER(c) a.c / b.c
#define WS_OVER_NUMBER(c) a.c / b
#define WS_NUMBER_OVER(c) b / a.c
#define WS_SIGNED(V, T, N) \
	WS_BOTH V operator-(V a) { return make_##V(WS_EACH##N(WS_NEGATE)); }
WS_SIGNED(float2, float, 2) WS_SIGNED(float3, float, 3) WS_SIGNED(float4, float, 4)
WS_SIGNED(int2, int, 2) WS_SIGNED(int3, int, 3) WS_SIGNED(int4, int, 4)
#define WS_DIVIDED(V, N) \
	WS_BOTH V operator/(V a, V b) { return make_##V(WS_EACH##N(WS_OVER)); } \
	WS_BOTH V operator/(V a, float b) { return make_##V(WS_EACH##N(WS_OVER_NUMBER)); } \
	WS_BOTH V operator/(float b, V a) { return make_##V(WS_EACH##N(WS_NUMBER_OVER)); } \
	WS_ASSIGN(V, float, /)
WS_DIVIDED(float2, 2)
WS_DIVIDED(float3, 3)
WS_DIVIDED(float4, 4)

/* ---- functions of components --------------------------------------------------------------- */

WS_BOTH float lerp(float a, float b, float t) { return a + t * (b - a); }
WS_BOTH float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
WS_BOTH int clamp(int f, int a, int b) { return max(a, min(f, b)); }
WS_BOTH uint clamp(uint f, uint a, uint b)
{
	uint low = f < b ? f : b;

	return low > a ? low : a;
}
WS_BOTH float fracf(float v) { return v - floorf(v); }
WS_BOTH float smoothstep(float a, float b, float x)
{
	float y = clamp((x - a) / (b - a), 0.0f, 1.0f);

	return y * y * (3.0f - 2.0f * y);
}

#define WS_LESS(c) a.c < b.c ? a.c : b.c
#define WS_MORE(c) a.c > b.c ? a.c : b.c
#define WS_CLAMPED(c) clamp(v.c, a.c, b.c)
#define WS_CLAMPED_NUMBER(c) clamp(v.c, a, b)
#define WS_SQUARES2 a.x * b.x + a.y * b.y
#define WS_SQUARES3 WS_SQUARES2 + a.z * b.z
#define WS_SQUARES4 WS_SQUARES3 + a.w * b.w
#define WS_WITHIN(V, T, N) \
	WS_BOTH V clamp(V v, V a, V b) { return make_##V(WS_EACH##N(WS_CLAMPED)); } \
	WS_BOTH V clamp(V v, T a, T b) { return make_##V(WS_EACH##N(WS_CLAMPED_NUMBER)); } \
	WS_BOTH T dot(V a, V b) { return WS_SQUARES##N; }
WS_ALL(WS_WITHIN)
#define WS_EXTREMES(V, T, N) \
	WS_BOTH V min(V a, V b) { return make_##V(WS_EACH##N(WS_LESS)); } \
	WS_BOTH V max(V a, V b) { return make_##V(WS_EACH##N(WS_MORE)); }
WS_EXTREMES(int2, int, 2) WS_EXTREMES(int3, int, 3) WS_EXTREMES(int4, int, 4)
WS_EXTREMES(uint2, uint, 2) WS_EXTREMES(uint3, uint, 3) WS_EXTREMES(uint4, uint, 4)

#define WS_FMIN(c) fminf(a.c, b.c)
#define WS_FMAX(c) fmaxf(a.c, b.c)
#define WS_FLOOR(c) floorf(a.c)
#define WS_FRACTION(c) fracf(a.c)
#define WS_MODULO(c) fmodf(a.c, b.c)
#define WS_ABSOLUTE(c) fabsf(a.c)
#define WS_SMOOTH(c) smoothstep(a.c, b.c, x.c)
#define WS_REALS(V, N) \
	WS_BOTH V lerp(V a, V b, float t) { return a + t * (b - a); } \
	WS_BOTH V fminf(V a, V b) { return make_##V(WS_EACH##N(WS_FMIN)); } \
	WS_BOTH V fmaxf(V a, V b) { return make_##V(WS_EACH##N(WS_FMAX)); } \
	WS_BOTH V floorf(V a) { return make_##V(WS_EACH##N(WS_FLOOR)); } \
	WS_BOTH V fracf(V a) { return make_##V(WS_EACH##N(WS_FRACTION)); } \
	WS_BOTH V fmodf(V a, V b) { return make_##V(WS_EACH##N(WS_MODULO)); } \
	WS_BOTH V fabs(V a) { return make_##V(WS_EACH##N(WS_ABSOLUTE)); } \
	WS_BOTH V smoothstep(V a, V b, V x) { return make_##V(WS_EACH##N(WS_SMOOTH)); } \
	WS_BOTH float length(V a) { return sqrtf(dot(a, a)); } \
	WS_BOTH V normalize(V a) { return a * rsqrtf(dot(a, a)); } \
	WS_BOTH V reflect(V i, V n) { return i - 2.0f * n * dot(n, i); }
WS_REALS(float2, 2)
WS_REALS(float3, 3)
WS_REALS(float4, 4)
#define WS_ABSOLUTE_INT(c) (a.c < 0 ? -a.c : a.c)
WS_BOTH int2 abs(int2 a) { return make_int2(WS_EACH2(WS_ABSOLUTE_INT)); }
WS_BOTH int3 abs(int3 a) { return make_int3(WS_EACH3(WS_ABSOLUTE_INT)); }
WS_BOTH int4 abs(int4 a) { return make_int4(WS_EACH4(WS_ABSOLUTE_INT)); }

WS_BOTH float3 cross(float3 a, float3 b)
{
	return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

#undef WS_BOTH
#undef WS_EACH2
#undef WS_EACH3
#undef WS_EACH4
#undef WS_ALL
#undef WS_PLUS
#undef WS_MINUS
#undef WS_TIMES
#undef WS_PLUS_NUMBER
#undef WS_MINUS_NUMBER
#undef WS_TIMES_NUMBER
#undef WS_BY_NUMBER
#undef WS_ASSIGN
#undef WS_OPERATORS
#undef WS_NEGATE
#undef WS_OVER
#undef WS_OVER_NUMBER
#undef WS_NUMBER_OVER
#undef WS_SIGNED
#undef WS_DIVIDED
#undef WS_LESS
#undef WS_MORE
#undef WS_CLAMPED
#undef WS_CLAMPED_NUMBER
#undef WS_SQUARES2
#undef WS_SQUARES3
#undef WS_SQUARES4
#undef WS_WITHIN
#undef WS_EXTREMES
#undef WS_FMIN
#undef WS_FMAX
#undef WS_FLOOR
#undef WS_FRACTION
#undef WS_MODULO
#undef WS_ABSOLUTE
#undef WS_SMOOTH
#undef WS_REALS
#undef WS_ABSOLUTE_INT
#include "../cuda_letters_end.h"

#endif
