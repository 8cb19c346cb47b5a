/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * builtins.cl -- the built-in functions of OpenCL C 1.2 for kernels that run on the CPU.
 *
 * Compiled once, without clang's own header:
 *
 *   clang-19 -x cl -cl-std=CL1.2 -target x86_64-pc-linux-gnu -Xclang -ffake-address-space-map
 *	-O1 -Xclang -disable-llvm-passes -emit-llvm -include opencl-c-base.h -c builtins.cl
 *
 * and linked into a kernel's module, which keeps what it calls.  Functions are
 * overloadable, so their names are mangled as clang mangles its declarations.
 *
 * What is here: everything of chapter 6.12 (images in images.cl) but printf and the functions on
 * half as a type (cl_khr_fp16).  What is not modelled: native_ and half_
 * functions are as good as the others; a fence orders nothing but the compiler,
 * since the work-items of a group take turns on one core.
 *
 * Accuracy is that of the C library's functions, but for cbrt, within the bounds of section 7.4:
 * tests/trace/builtins/table.def.  Float versions of composed functions are
 * computed in double.  Memory is accessed as the program says: vloadn is one
 * access of n elements, but vload3 and vstore3 are three, since a vector of
 * three takes the room of four.
 *
 * How to read it: a scalar function is written out; LIFTn(result, name, arguments...)
 * defines it for vectors of 2, 3, 4, 8, 16 by halves.  Where operators alone make
 * the body, WIDTHS writes the same body for all widths; N is the width in a name.
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Wide vectors go through memory in the host's calling convention, on both sides. */
#pragma clang diagnostic ignored "-Wpsabi"

#define FN __attribute__((overloadable, always_inline))
#define PURE __attribute__((overloadable, always_inline, const))

#define VECTORS(M, ...) M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__) \
	M(8, __VA_ARGS__) M(16, __VA_ARGS__)
#define WIDTHS(M, ...) M(, __VA_ARGS__) VECTORS(M, __VA_ARGS__)

/* M(type, unsigned, bits, least, most, wide): wide holds every product plus one
 * more, of the same signedness. */
#define EACH_INT(M) \
	M(char, uchar, 8, CHAR_MIN, CHAR_MAX, int) \
	M(uchar, uchar, 8, 0, UCHAR_MAX, uint) \
	M(short, ushort, 16, SHRT_MIN, SHRT_MAX, int) \
	M(ushort, ushort, 16, 0, USHRT_MAX, uint) \
	M(int, uint, 32, INT_MIN, INT_MAX, long) \
	M(uint, uint, 32, 0, UINT_MAX, ulong) \
	M(long, ulong, 64, LONG_MIN, LONG_MAX, __int128) \
	M(ulong, ulong, 64, 0, ULONG_MAX, unsigned __int128)

#define EACH_TYPE(M) M(char) M(uchar) M(short) M(ushort) M(int) M(uint) M(long) M(ulong) \
	M(float) M(double)

/* ---- functions of vectors, by halves -------------------------------------------- */

#define HALVES1(N, R, F, A) \
	PURE R##N F(A##N a) { return (R##N)(F(a.lo), F(a.hi)); }
#define LIFT1(R, F, A) \
	HALVES1(2, R, F, A) HALVES1(4, R, F, A) HALVES1(8, R, F, A) HALVES1(16, R, F, A) \
	PURE R##3 F(A##3 a) { return (R##3)(F(a.x), F(a.y), F(a.z)); }

#define HALVES2(N, R, F, A, B) \
	PURE R##N F(A##N a, B##N b) { return (R##N)(F(a.lo, b.lo), F(a.hi, b.hi)); }
#define LIFT2(R, F, A, B) \
	HALVES2(2, R, F, A, B) HALVES2(4, R, F, A, B) HALVES2(8, R, F, A, B) \
	HALVES2(16, R, F, A, B) \
	PURE R##3 F(A##3 a, B##3 b) \
	{ return (R##3)(F(a.x, b.x), F(a.y, b.y), F(a.z, b.z)); }

#define HALVES3(N, R, F, A, B, C) \
	PURE R##N F(A##N a, B##N b, C##N c) \
	{ return (R##N)(F(a.lo, b.lo, c.lo), F(a.hi, b.hi, c.hi)); }
#define LIFT3(R, F, A, B, C) \
	HALVES3(2, R, F, A, B, C) HALVES3(4, R, F, A, B, C) HALVES3(8, R, F, A, B, C) \
	HALVES3(16, R, F, A, B, C) \
	PURE R##3 F(A##3 a, B##3 b, C##3 c) \
	{ return (R##3)(F(a.x, b.x, c.x), F(a.y, b.y, c.y), F(a.z, b.z, c.z)); }

/* F(vector, scalar) by repeating the scalar. */
#define REPEAT2(N, F, A, B) \
	PURE A##N F(A##N a, B b) { return F(a, (B##N)b); }
#define REPEAT3(N, F, A) \
	PURE A##N F(A##N a, A b, A c) { return F(a, (A##N)b, (A##N)c); }

/* ---- 6.12.1 work-items ----------------------------------------------------------- */

/* The engine puts its own pointer in place of __ws_ctx(); the fields are its
 * own struct's first ones. */
struct ws_lane_ctx {
	ulong gid[3], lid[3], grp[3], lsz[3], gsz[3], ngr[3], off[3];
	uint dim;
};

__private struct ws_lane_ctx *__ws_ctx(void) __attribute__((const));
void __ws_barrier(uint flags) __attribute__((convergent));

#define WORK_ITEM(F, FIELD, BEYOND) \
	PURE size_t F(uint d) { return d < 3 ? __ws_ctx()->FIELD[d] : BEYOND; }

WORK_ITEM(get_global_id, gid, 0)
WORK_ITEM(get_local_id, lid, 0)
WORK_ITEM(get_group_id, grp, 0)
WORK_ITEM(get_local_size, lsz, 1)
WORK_ITEM(get_enqueued_local_size, lsz, 1)
WORK_ITEM(get_global_size, gsz, 1)
WORK_ITEM(get_num_groups, ngr, 1)
WORK_ITEM(get_global_offset, off, 0)

PURE uint get_work_dim(void)
{
	return __ws_ctx()->dim;
}

PURE size_t get_local_linear_id(void)
{
	__private const struct ws_lane_ctx *c = __ws_ctx();

	return c->lid[0] + c->lsz[0] * (c->lid[1] + c->lsz[1] * c->lid[2]);
}

PURE size_t get_global_linear_id(void)
{
	__private const struct ws_lane_ctx *c = __ws_ctx();

	return c->gid[0] - c->off[0] + c->gsz[0] * (c->gid[1] - c->off[1] +
						    c->gsz[1] * (c->gid[2] - c->off[2]));
}

/* ---- 6.12.8 synchronisation -------------------------------------------------------- */

FN __attribute__((convergent)) void barrier(cl_mem_fence_flags flags)
{
	__ws_barrier(flags);
}

FN __attribute__((convergent)) void work_group_barrier(cl_mem_fence_flags flags)
{
	__ws_barrier(flags);
}

#define FENCE(F) \
	FN void F(cl_mem_fence_flags flags) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
FENCE(mem_fence)
FENCE(read_mem_fence)
FENCE(write_mem_fence)

/* ---- 6.12.3 integers ---------------------------------------------------------------- */

/* A wide value brought into the type's range. */
#define SATURATE(T, LEAST, MOST, v) ((v) < (LEAST) ? (T)(LEAST) : (v) > (MOST) ? (T)(MOST) : (T)(v))

#define INTEGER(T, U, BITS, LEAST, MOST, W) \
	PURE U abs(T a) { return a < 0 ? (U)(0 - (U)a) : (U)a; } \
	PURE U abs_diff(T a, T b) { return a > b ? (U)((U)a - (U)b) : (U)((U)b - (U)a); } \
	PURE T add_sat(T a, T b) \
	{ __int128 v = (__int128)a + b; return SATURATE(T, LEAST, MOST, v); } \
	PURE T sub_sat(T a, T b) \
	{ __int128 v = (__int128)a - b; return SATURATE(T, LEAST, MOST, v); } \
	PURE T hadd(T a, T b) { return (T)((a & b) + ((a ^ b) >> 1)); } \
	PURE T rhadd(T a, T b) { return (T)((a | b) - ((a ^ b) >> 1)); } \
	PURE T clz(T a) \
	{ return a ? (T)(__builtin_clzl((ulong)(U)a) - (64 - BITS)) : (T)BITS; } \
	PURE T popcount(T a) { return (T)__builtin_popcountl((ulong)(U)a); } \
	PURE T rotate(T a, T b) \
	{ \
		uint s = (uint)b & (BITS - 1); \
		return (T)((U)a << s | (U)a >> (-s & (BITS - 1))); \
	} \
	PURE T mul_hi(T a, T b) { return (T)((W)a * (W)b >> BITS); } \
	PURE T mad_hi(T a, T b, T c) { return (T)((U)mul_hi(a, b) + (U)c); } \
	PURE T mad_sat(T a, T b, T c) \
	{ W v = (W)a * (W)b + (W)c; return SATURATE(T, LEAST, MOST, v); } \
	LIFT1(U, abs, T) LIFT2(U, abs_diff, T, T) \
	LIFT2(T, add_sat, T, T) LIFT2(T, sub_sat, T, T) \
	LIFT2(T, hadd, T, T) LIFT2(T, rhadd, T, T) \
	LIFT1(T, clz, T) LIFT1(T, popcount, T) LIFT2(T, rotate, T, T) \
	LIFT2(T, mul_hi, T, T) LIFT3(T, mad_hi, T, T, T) LIFT3(T, mad_sat, T, T, T)
EACH_INT(INTEGER)

/* Also 6.12.4 for float and double. */
#define MIN_MAX_ONE(N, T) \
	PURE T##N min(T##N a, T##N b) { return b < a ? b : a; } \
	PURE T##N max(T##N a, T##N b) { return a < b ? b : a; } \
	PURE T##N clamp(T##N a, T##N low, T##N high) { return min(max(a, low), high); }
#define MIN_MAX(T) \
	WIDTHS(MIN_MAX_ONE, T) VECTORS(REPEAT2, min, T, T) VECTORS(REPEAT2, max, T, T) \
	VECTORS(REPEAT3, clamp, T)
EACH_TYPE(MIN_MAX)

#define UPSAMPLE(R, H, L, BITS) \
	PURE R upsample(H high, L low) { return (R)((R)high * ((R)1 << BITS) | (R)low); } \
	LIFT2(R, upsample, H, L)
UPSAMPLE(short, char, uchar, 8)
UPSAMPLE(ushort, uchar, uchar, 8)
UPSAMPLE(int, short, ushort, 16)
UPSAMPLE(uint, ushort, ushort, 16)
UPSAMPLE(long, int, uint, 32)
UPSAMPLE(ulong, uint, uint, 32)

/* In unsigned arithmetic, which has no overflow. */
#define MUL24(N, T) \
	PURE T##N mul24(T##N a, T##N b) { return as_##T##N(as_uint##N(a) * as_uint##N(b)); } \
	PURE T##N mad24(T##N a, T##N b, T##N c) \
	{ return as_##T##N(as_uint##N(a) * as_uint##N(b) + as_uint##N(c)); }
WIDTHS(MUL24, int)
WIDTHS(MUL24, uint)

/* ---- 6.12.2 mathematics: the C library's -------------------------------------------- */

#define LIBM1(F) \
	PURE float F(float a) { return __builtin_##F##f(a); } \
	PURE double F(double a) { return __builtin_##F(a); } \
	LIFT1(float, F, float) LIFT1(double, F, double)
#define LIBM2(F) \
	PURE float F(float a, float b) { return __builtin_##F##f(a, b); } \
	PURE double F(double a, double b) { return __builtin_##F(a, b); } \
	LIFT2(float, F, float, float) LIFT2(double, F, double, double)
#define LIBM3(F) \
	PURE float F(float a, float b, float c) { return __builtin_##F##f(a, b, c); } \
	PURE double F(double a, double b, double c) { return __builtin_##F(a, b, c); } \
	LIFT3(float, F, float, float, float) LIFT3(double, F, double, double, double)

LIBM1(acos) LIBM1(acosh) LIBM1(asin) LIBM1(asinh) LIBM1(atan) LIBM1(atanh)
LIBM1(cos) LIBM1(cosh) LIBM1(sin) LIBM1(sinh) LIBM1(tan) LIBM1(tanh)
LIBM1(exp) LIBM1(exp2) LIBM1(exp10) LIBM1(expm1)
LIBM1(log) LIBM1(log2) LIBM1(log10) LIBM1(log1p) LIBM1(logb)
LIBM1(sqrt) LIBM1(erf) LIBM1(erfc) LIBM1(tgamma)
LIBM1(fabs) LIBM1(ceil) LIBM1(floor) LIBM1(rint) LIBM1(round) LIBM1(trunc)
LIBM2(atan2) LIBM2(copysign) LIBM2(fdim) LIBM2(fmax) LIBM2(fmin) LIBM2(fmod)
LIBM2(hypot) LIBM2(nextafter) LIBM2(pow) LIBM2(remainder)
LIBM3(fma)

VECTORS(REPEAT2, fmax, float, float)
VECTORS(REPEAT2, fmax, double, double)
VECTORS(REPEAT2, fmin, float, float)
VECTORS(REPEAT2, fmin, double, double)

/* ---- 6.12.2 mathematics: composed ----------------------------------------------------- */

/* The double version is written out; a float one goes through it. */
#define THROUGH1(F) \
	PURE float F(float a) { return (float)F((double)a); } \
	LIFT1(float, F, float) LIFT1(double, F, double)
#define THROUGH2(F) \
	PURE float F(float a, float b) { return (float)F((double)a, (double)b); } \
	LIFT2(float, F, float, float) LIFT2(double, F, double, double)
#define THROUGH_INT(F) \
	PURE float F(float a, int n) { return (float)F((double)a, n); } \
	LIFT2(float, F, float, int) LIFT2(double, F, double, int)

/* The C library's cbrt is off by more than the 2 units allowed: one step of
 * Newton's method, the cube in twice the precision, away from overflow. */
PURE double cbrt(double a)
{
	double x = fabs(a), scale = x < 0x1p-700 ? 0x1p200 : x > 0x1p700 ? 0x1p-200 : 1;
	double b = a * (scale * scale * scale), y = __builtin_cbrt(b), square = y * y;
	double cube = square * y, rest = __builtin_fma(square, y, -cube);

	if (!(x > 0 && x < INFINITY))
		return y;
	rest += __builtin_fma(y, y, -square) * y;
	return (y - ((cube - b) + rest) / (3 * square)) / scale;
}
THROUGH1(cbrt)

PURE double rsqrt(double a) { return 1 / sqrt(a); }
THROUGH1(rsqrt)
PURE double acospi(double a) { return acos(a) / M_PI; }
THROUGH1(acospi)
PURE double asinpi(double a) { return asin(a) / M_PI; }
THROUGH1(asinpi)
PURE double atanpi(double a) { return atan(a) / M_PI; }
THROUGH1(atanpi)
PURE double atan2pi(double a, double b) { return atan2(a, b) / M_PI; }
THROUGH2(atan2pi)

/* What is left of a after whole turns, in [-1, 1] half turns; exact. */
static PURE double half_turns(double a)
{
	return a - 2 * rint(a / 2);
}

/* Zeros have the sign of a: sinpi(-3) is -0. */
PURE double sinpi(double a)
{
	double t = half_turns(a), folded = fabs(t) > 0.5 ? copysign(1 - fabs(t), t) : t;

	return folded == 0 ? copysign(0.0, a) : sin(M_PI * folded);
}
THROUGH1(sinpi)

PURE double cospi(double a)
{
	return sin(M_PI * (0.5 - fabs(half_turns(a))));
}
THROUGH1(cospi)

PURE double tanpi(double a) { return sinpi(a) / cospi(a); }
THROUGH1(tanpi)

PURE double pown(double a, int n) { return pow(a, (double)n); }
THROUGH_INT(pown)

PURE double powr(double a, double b)
{
	bool undefined = !(a >= 0) || b != b || (b == 0 && (a == 0 || a == INFINITY)) ||
			 (a == 1 && fabs(b) == INFINITY);

	return undefined ? (double)NAN : pow(fabs(a), b);
}
THROUGH2(powr)

/* pow(a, 1/n) loses up to log(a)/n units in the last place by the rounding of
 * 1/n; without the powers of 2^n in a, less than one. */
PURE double rootn(double a, int n)
{
	double x = fabs(a), y;
	int whole;

	if (n == 0 || (a < 0 && !(n & 1)))
		return (double)NAN;
	whole = x > 0 && x < INFINITY ? __builtin_ilogb(x) / n : 0;
	y = __builtin_ldexp(pow(__builtin_ldexp(x, -whole * n), 1.0 / n), whole);
	return n & 1 ? copysign(y, a) : y;
}
THROUGH_INT(rootn)

#define LDEXP(T, F) \
	PURE T ldexp(T a, int n) { return F(a, n); } \
	LIFT2(T, ldexp, T, int) VECTORS(REPEAT2, ldexp, T, int)
LDEXP(float, __builtin_ldexpf)
LDEXP(double, __builtin_ldexp)

/* OpenCL's FP_ILOGBNAN is INT_MAX, the C library's INT_MIN. */
#define ILOGB(T, F) \
	PURE int ilogb(T a) { return a != a ? INT_MAX : F(a); } \
	LIFT1(int, ilogb, T)
ILOGB(float, __builtin_ilogbf)
ILOGB(double, __builtin_ilogb)

#define MAD(N, T) \
	PURE T##N mad(T##N a, T##N b, T##N c) { return a * b + c; }
WIDTHS(MAD, float)
WIDTHS(MAD, double)

#define MAGNITUDE(T) \
	PURE T maxmag(T a, T b) \
	{ return fabs(a) > fabs(b) ? a : fabs(b) > fabs(a) ? b : fmax(a, b); } \
	PURE T minmag(T a, T b) \
	{ return fabs(a) < fabs(b) ? a : fabs(b) < fabs(a) ? b : fmin(a, b); } \
	LIFT2(T, maxmag, T, T) LIFT2(T, minmag, T, T)
MAGNITUDE(float)
MAGNITUDE(double)

PURE float nan(uint code) { return as_float(0x7fc00000u | (code & 0x3fffffu)); }
LIFT1(float, nan, uint)
PURE double nan(ulong code)
{
	return as_double(0x7ff8000000000000ul | (code & 0x7fffffffffffful));
}
LIFT1(double, nan, ulong)

/* Float only: half_ and native_ are the full functions. */
#define SAME1(F, EXPRESSION) \
	PURE float F(float a) { return EXPRESSION; } LIFT1(float, F, float)
#define SAME2(F, EXPRESSION) \
	PURE float F(float a, float b) { return EXPRESSION; } LIFT2(float, F, float, float)
#define QUICK(PREFIX) \
	SAME1(PREFIX##cos, cos(a)) SAME1(PREFIX##sin, sin(a)) SAME1(PREFIX##tan, tan(a)) \
	SAME1(PREFIX##exp, exp(a)) SAME1(PREFIX##exp2, exp2(a)) SAME1(PREFIX##exp10, exp10(a)) \
	SAME1(PREFIX##log, log(a)) SAME1(PREFIX##log2, log2(a)) SAME1(PREFIX##log10, log10(a)) \
	SAME1(PREFIX##sqrt, sqrt(a)) SAME1(PREFIX##rsqrt, rsqrt(a)) SAME1(PREFIX##recip, 1 / a) \
	SAME2(PREFIX##divide, a / b) SAME2(PREFIX##powr, powr(a, b))
QUICK(half_)
QUICK(native_)

/* ---- 6.12.2 mathematics: with a second result through a pointer --------------------- */

/* Scalars are written as two_F(a, private pointer); here they are lifted and
 * given a pointer into each address space, stored to once.  P: what it points at. */
#define TWO_HALVES(N, H, F, T, P) \
	static FN T##N two_##F(T##N a, __private P##N *out) \
	{ \
		P##H low, high; \
		T##N v = (T##N)(two_##F(a.lo, &low), two_##F(a.hi, &high)); \
		*out = (P##N)(low, high); \
		return v; \
	}
#define TWO_OUT(N, F, T, P, AS) \
	FN T##N F(T##N a, AS P##N *out) \
	{ \
		P##N second; \
		T##N v = two_##F(a, &second); \
		*out = second; \
		return v; \
	}
#define TWO_RESULTS(F, T, P) \
	TWO_HALVES(2, , F, T, P) TWO_HALVES(4, 2, F, T, P) TWO_HALVES(8, 4, F, T, P) \
	TWO_HALVES(16, 8, F, T, P) \
	static FN T##3 two_##F(T##3 a, __private P##3 *out) \
	{ \
		P x, y, z; \
		T##3 v = (T##3)(two_##F(a.x, &x), two_##F(a.y, &y), two_##F(a.z, &z)); \
		*out = (P##3)(x, y, z); \
		return v; \
	} \
	WIDTHS(TWO_OUT, F, T, P, __global) WIDTHS(TWO_OUT, F, T, P, __local) \
	WIDTHS(TWO_OUT, F, T, P, __private)

double __ws_lgamma_r(double a, __private int *sign) __asm__("lgamma_r");
float __ws_lgammaf_r(float a, __private int *sign) __asm__("lgammaf_r");

/* BELOW_ONE: the largest number below 1. */
#define TWO_SCALARS(T, BELOW_ONE, LGAMMA, FREXP) \
	static FN T two_modf(T a, __private T *whole) \
	{ \
		*whole = trunc(a); \
		return copysign(fabs(a) == (T)INFINITY ? 0 : a - *whole, a); \
	} \
	static FN T two_fract(T a, __private T *whole) \
	{ \
		T below = floor(a), rest = a - below; \
		*whole = below; \
		if (a == 0 || fabs(a) == (T)INFINITY) \
			return copysign((T)0, a); \
		return rest > BELOW_ONE ? BELOW_ONE : rest; \
	} \
	static FN T two_sincos(T a, __private T *cosine) \
	{ \
		*cosine = cos(a); \
		return sin(a); \
	} \
	static FN T two_lgamma_r(T a, __private int *sign) { return LGAMMA(a, sign); } \
	static FN T two_frexp(T a, __private int *exponent) \
	{ \
		int e = 0; \
		T fraction = fabs(a) < (T)INFINITY ? FREXP(a, &e) : a; \
		*exponent = e; \
		return fraction; \
	} \
	TWO_RESULTS(modf, T, T) TWO_RESULTS(fract, T, T) TWO_RESULTS(sincos, T, T) \
	TWO_RESULTS(lgamma_r, T, int) TWO_RESULTS(frexp, T, int)
TWO_SCALARS(float, 0x1.fffffep-1f, __ws_lgammaf_r, __builtin_frexpf)
TWO_SCALARS(double, 0x1.fffffffffffffp-1, __ws_lgamma_r, __builtin_frexp)

/* The C library's lgamma writes a global variable; this one does not. */
PURE float lgamma(float a) { int sign; return __ws_lgammaf_r(a, &sign); }
PURE double lgamma(double a) { int sign; return __ws_lgamma_r(a, &sign); }
LIFT1(float, lgamma, float)
LIFT1(double, lgamma, double)

/* Seven bits of the quotient; the C library gives three.  Each subtraction
 * takes off one bit of it and is exact; the last rounds to nearest even. */
#define REMQUO(T) \
	static FN T two_remquo(T a, T b, __private int *quotient) \
	{ \
		T y = fabs(b), rest = fmod(fabs(a), 128 * y); \
		int q = 0; \
		*quotient = 0; \
		if (a != a || b != b || fabs(a) == (T)INFINITY || b == 0) \
			return (T)NAN; \
		for (int bit = 64; bit; bit >>= 1) { \
			if (rest >= bit * y) { \
				rest -= bit * y; \
				q += bit; \
			} \
		} \
		if (rest > y - rest || (rest == y - rest && q & 1)) { \
			rest -= y; \
			q++; \
		} \
		q &= 127; \
		*quotient = (a < 0) != (b < 0) ? -q : q; \
		return a < 0 || (a == 0 && copysign((T)1, a) < 0) ? -rest : rest; \
	} \
	REMQUO_HALVES(2, , T) REMQUO_HALVES(4, 2, T) REMQUO_HALVES(8, 4, T) \
	REMQUO_HALVES(16, 8, T) \
	static FN T##3 two_remquo(T##3 a, T##3 b, __private int3 *out) \
	{ \
		int x, y, z; \
		T##3 v = (T##3)(two_remquo(a.x, b.x, &x), two_remquo(a.y, b.y, &y), \
				two_remquo(a.z, b.z, &z)); \
		*out = (int3)(x, y, z); \
		return v; \
	} \
	WIDTHS(REMQUO_OUT, T, __global) WIDTHS(REMQUO_OUT, T, __local) \
	WIDTHS(REMQUO_OUT, T, __private)
#define REMQUO_HALVES(N, H, T) \
	static FN T##N two_remquo(T##N a, T##N b, __private int##N *out) \
	{ \
		int##H low, high; \
		T##N v = (T##N)(two_remquo(a.lo, b.lo, &low), two_remquo(a.hi, b.hi, &high)); \
		*out = (int##N)(low, high); \
		return v; \
	}
#define REMQUO_OUT(N, T, AS) \
	FN T##N remquo(T##N a, T##N b, AS int##N *out) \
	{ \
		int##N quotient; \
		T##N v = two_remquo(a, b, &quotient); \
		*out = quotient; \
		return v; \
	}
REMQUO(float)
REMQUO(double)

/* ---- 6.12.4 common ------------------------------------------------------------------ */

#define COMMON_ONE(N, T) \
	PURE T##N degrees(T##N a) { return a * (T)(180 / M_PI); } \
	PURE T##N radians(T##N a) { return a * (T)(M_PI / 180); } \
	PURE T##N mix(T##N a, T##N b, T##N t) { return a + (b - a) * t; } \
	PURE T##N step(T##N edge, T##N a) { return a < edge ? (T##N)0 : (T##N)1; } \
	PURE T##N smoothstep(T##N edge0, T##N edge1, T##N a) \
	{ \
		T##N t = clamp((a - edge0) / (edge1 - edge0), (T##N)0, (T##N)1); \
		return t * t * (3 - 2 * t); \
	}
#define COMMON_SCALAR(N, T) \
	PURE T##N mix(T##N a, T##N b, T t) { return mix(a, b, (T##N)t); } \
	PURE T##N step(T edge, T##N a) { return step((T##N)edge, a); } \
	PURE T##N smoothstep(T edge0, T edge1, T##N a) \
	{ return smoothstep((T##N)edge0, (T##N)edge1, a); }
#define COMMON(T) \
	WIDTHS(COMMON_ONE, T) VECTORS(COMMON_SCALAR, T) \
	PURE T sign(T a) { return a > 0 ? (T)1 : a < 0 ? (T)-1 : a == 0 ? a : (T)0; } \
	LIFT1(T, sign, T)
COMMON(float)
COMMON(double)

/* ---- 6.12.5 geometric --------------------------------------------------------------- */

#define CROSS(T) \
	PURE T##3 cross(T##3 a, T##3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; } \
	PURE T##4 cross(T##4 a, T##4 b) { return (T##4)(cross(a.xyz, b.xyz), 0); } \
	PURE T dot(T a, T b) { return a * b; } \
	PURE T dot(T##2 a, T##2 b) { return a.x * b.x + a.y * b.y; } \
	PURE T dot(T##3 a, T##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; } \
	PURE T dot(T##4 a, T##4 b) \
	{ return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; } \
	static PURE T largest(T a) { return fabs(a); } \
	static PURE T largest(T##2 a) { return fmax(fabs(a.x), fabs(a.y)); } \
	static PURE T largest(T##3 a) { return fmax(largest(a.xy), fabs(a.z)); } \
	static PURE T largest(T##4 a) { return fmax(largest(a.xy), largest(a.zw)); }
CROSS(float)
CROSS(double)

/* Scaled by a power of two, exactly, so that nothing overflows on the way.  A
 * vector with infinite components points along these. */
#define GEOMETRIC(N, T, MOST) \
	static PURE T scale(T##N a) \
	{ \
		T m = largest(a); \
		return m > 0 && m <= MOST ? ldexp((T)1, clamp(ilogb(m), -1000, 1000)) : (T)1; \
	} \
	PURE T length(T##N a) \
	{ \
		T s = scale(a); \
		T##N b = a / s; \
		return s * sqrt(dot(b, b)); \
	} \
	PURE T distance(T##N a, T##N b) { return length(a - b); } \
	PURE T##N normalize(T##N a) \
	{ \
		T m = largest(a), s = scale(a); \
		T##N b = m > MOST ? POINTS_##N(a, T) : a / s; \
		return m > 0 ? b / sqrt(dot(b, b)) : a; \
	}
#define POINT(a, T) copysign(fabs(a) == (T)INFINITY ? (T)1 : (T)0, a)
#define POINTS_(a, T) POINT(a, T)
#define POINTS_2(a, T) (T##2)(POINT(a.x, T), POINT(a.y, T))
#define POINTS_3(a, T) (T##3)(POINT(a.x, T), POINT(a.y, T), POINT(a.z, T))
#define POINTS_4(a, T) (T##4)(POINT(a.x, T), POINT(a.y, T), POINT(a.z, T), POINT(a.w, T))
#define FAST_GEOMETRIC(N) \
	PURE float fast_length(float##N a) { return length(a); } \
	PURE float fast_distance(float##N a, float##N b) { return distance(a, b); } \
	PURE float##N fast_normalize(float##N a) { return normalize(a); }
#define FOUR_WIDTHS(M, ...) M(, __VA_ARGS__) M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__)
FOUR_WIDTHS(GEOMETRIC, float, FLT_MAX)
FOUR_WIDTHS(GEOMETRIC, double, DBL_MAX)
FAST_GEOMETRIC() FAST_GEOMETRIC(2) FAST_GEOMETRIC(3) FAST_GEOMETRIC(4)

/* ---- 6.12.6 relational --------------------------------------------------------------- */

/* Comparisons are 0 or 1 of int for scalars, 0 or -1 of I for vectors; so are
 * the operators. */
#define RELATIONAL(N, R, I, T, LEAST) \
	PURE R##N isequal(T##N a, T##N b) { return a == b; } \
	PURE R##N isnotequal(T##N a, T##N b) { return a != b; } \
	PURE R##N isgreater(T##N a, T##N b) { return a > b; } \
	PURE R##N isgreaterequal(T##N a, T##N b) { return a >= b; } \
	PURE R##N isless(T##N a, T##N b) { return a < b; } \
	PURE R##N islessequal(T##N a, T##N b) { return a <= b; } \
	PURE R##N islessgreater(T##N a, T##N b) { return (a < b) | (a > b); } \
	PURE R##N isordered(T##N a, T##N b) { return (a == a) & (b == b); } \
	PURE R##N isunordered(T##N a, T##N b) { return (a != a) | (b != b); } \
	PURE R##N isnan(T##N a) { return a != a; } \
	PURE R##N isinf(T##N a) { return fabs(a) == (T)INFINITY; } \
	PURE R##N isfinite(T##N a) { return fabs(a) < (T)INFINITY; } \
	PURE R##N isnormal(T##N a) \
	{ return (fabs(a) < (T)INFINITY) & (fabs(a) >= LEAST); } \
	PURE R##N signbit(T##N a) { return as_##I##N(a) < 0; }
RELATIONAL(, int, int, float, FLT_MIN)
VECTORS(RELATIONAL, int, int, float, FLT_MIN)
RELATIONAL(, int, long, double, DBL_MIN)
VECTORS(RELATIONAL, long, long, double, DBL_MIN)

#define ANY_ALL_HALVES(N, T) \
	PURE int any(T##N a) { return any(a.lo) | any(a.hi); } \
	PURE int all(T##N a) { return all(a.lo) & all(a.hi); }
#define ANY_ALL(T) \
	PURE int any(T a) { return a < 0; } \
	PURE int all(T a) { return a < 0; } \
	ANY_ALL_HALVES(2, T) ANY_ALL_HALVES(4, T) ANY_ALL_HALVES(8, T) ANY_ALL_HALVES(16, T) \
	PURE int any(T##3 a) { return any(a.x) | any(a.y) | any(a.z); } \
	PURE int all(T##3 a) { return all(a.x) & all(a.y) & all(a.z); }
ANY_ALL(char) ANY_ALL(short) ANY_ALL(int) ANY_ALL(long)

#define BITSELECT(N, T) \
	PURE T##N bitselect(T##N a, T##N b, T##N c) { return (a & ~c) | (b & c); }
#define BITSELECT_INT(T, ...) WIDTHS(BITSELECT, T)
EACH_INT(BITSELECT_INT)
#define BITSELECT_FLOAT(N, T, I) \
	PURE T##N bitselect(T##N a, T##N b, T##N c) \
	{ return as_##T##N(bitselect(as_##I##N(a), as_##I##N(b), as_##I##N(c))); }
WIDTHS(BITSELECT_FLOAT, float, int)
WIDTHS(BITSELECT_FLOAT, double, long)

/* A scalar's condition is c != 0, a vector's the highest bit of each component;
 * so is the operator's. */
#define SELECT(N, T, I) \
	PURE T##N select(T##N a, T##N b, I##N c) { return c ? b : a; }
#define SELECTS(T, S, U) WIDTHS(SELECT, T, S) WIDTHS(SELECT, T, U)
SELECTS(char, char, uchar) SELECTS(uchar, char, uchar)
SELECTS(short, short, ushort) SELECTS(ushort, short, ushort)
SELECTS(int, int, uint) SELECTS(uint, int, uint) SELECTS(float, int, uint)
SELECTS(long, long, ulong) SELECTS(ulong, long, ulong) SELECTS(double, long, ulong)

/* ---- 6.12.7 vector loads and stores --------------------------------------------------- */

/* A vector that is aligned as its elements are. */
#define LOOSE(N, T) \
	typedef T __attribute__((ext_vector_type(N), aligned(sizeof(T)))) loose_##T##N;
#define LOOSE_ALL(T) LOOSE(2, T) LOOSE(4, T) LOOSE(8, T) LOOSE(16, T)
EACH_TYPE(LOOSE_ALL)

#define VLOAD(N, T, AS) \
	FN T##N vload##N(size_t i, const AS T *p) \
	{ return *(const AS loose_##T##N *)(p + i * N); }
#define VSTORE(N, T, AS) \
	FN void vstore##N(T##N v, size_t i, AS T *p) \
	{ *(AS loose_##T##N *)(p + i * N) = v; }
#define VLOADS(T, AS) \
	VLOAD(2, T, AS) VLOAD(4, T, AS) VLOAD(8, T, AS) VLOAD(16, T, AS) \
	FN T##3 vload3(size_t i, const AS T *p) \
	{ return (T##3)(p[i * 3], p[i * 3 + 1], p[i * 3 + 2]); }
#define VSTORES(T, AS) \
	VSTORE(2, T, AS) VSTORE(4, T, AS) VSTORE(8, T, AS) VSTORE(16, T, AS) \
	FN void vstore3(T##3 v, size_t i, AS T *p) \
	{ \
		p[i * 3] = v.x; \
		p[i * 3 + 1] = v.y; \
		p[i * 3 + 2] = v.z; \
	}
#define VMEMORY(T) \
	VLOADS(T, __global) VLOADS(T, __local) VLOADS(T, __private) VLOADS(T, __constant) \
	VSTORES(T, __global) VSTORES(T, __local) VSTORES(T, __private)
EACH_TYPE(VMEMORY)

/* ---- half in memory: bits, since the CPU's run-time library may lack it --------------- */

PURE float ws_from_half(ushort h)
{
	/* As a float with half's exponent, then scaled; subnormals come out right. */
	float f = as_float((uint)(h & 0x7fff) << 13) * 0x1p112f;
	uint special = (h & 0x7c00) == 0x7c00 ? 0x7f800000u : 0;

	return as_float(as_uint(f) | special | (uint)(h & 0x8000) << 16);
}
LIFT1(float, ws_from_half, ushort)

enum { NEAREST, TO_ZERO, AWAY };

/* How a rounding mode treats the magnitude of a number of that sign. */
#define MODE_ NEAREST
#define MODE__rte NEAREST
#define MODE__rtz TO_ZERO
#define MODE__rtp (signbit(a) ? TO_ZERO : AWAY)
#define MODE__rtn (signbit(a) ? AWAY : TO_ZERO)

static PURE ushort to_half(double a, int mode)
{
	ushort sign = signbit(a) ? 0x8000 : 0;
	double x = fabs(a), units, whole;
	int e;

	if (a != a)
		return sign | 0x7e00 | (ushort)(as_ulong(a) >> 42 & 0x1ff);
	if (x >= 65536)
		return sign | (mode == TO_ZERO && x != INFINITY ? 0x7bff : 0x7c00);
	/* In units of the last place at this exponent; a carry moves into it. */
	e = max((int)(as_ulong(x) >> 52) - 1023, -14);
	units = x * as_double((ulong)(1023 + 10 - e) << 52);
	whole = mode == NEAREST ? rint(units) : mode == AWAY ? ceil(units) : floor(units);
	return sign | (ushort)((e + 14) * 1024 + (int)whole);
}

#define TO_HALF(SUFFIX, T) \
	PURE ushort ws_to_half##SUFFIX(T a) { return to_half((double)a, MODE_##SUFFIX); } \
	LIFT1(ushort, ws_to_half##SUFFIX, T)
#define TO_HALF_ALL(T) \
	TO_HALF(, T) TO_HALF(_rte, T) TO_HALF(_rtz, T) TO_HALF(_rtp, T) TO_HALF(_rtn, T)
TO_HALF_ALL(float)
TO_HALF_ALL(double)

#define AS_USHORTS(N, AS, p) ((AS loose_ushort##N *)(p))
#define VLOAD_HALF(N, M, AS) \
	FN float##N vload_half##N(size_t i, const AS half *p) \
	{ return ws_from_half(*AS_USHORTS(N, const AS, (const AS ushort *)p + i * N)); } \
	FN float##N vloada_half##N(size_t i, const AS half *p) \
	{ return ws_from_half(*(const AS ushort##N *)((const AS ushort *)p + i * N)); }
#define VLOAD_HALVES(AS) \
	FN float vload_half(size_t i, const AS half *p) \
	{ return ws_from_half(((const AS ushort *)p)[i]); } \
	VLOAD_HALF(2, , AS) VLOAD_HALF(4, , AS) VLOAD_HALF(8, , AS) VLOAD_HALF(16, , AS) \
	FN float3 vload_half3(size_t i, const AS half *p) \
	{ return ws_from_half(vload3(i, (const AS ushort *)p)); } \
	FN float3 vloada_half3(size_t i, const AS half *p) \
	{ return ws_from_half(vload3(0, (const AS ushort *)p + i * 4)); }
VLOAD_HALVES(__global)
VLOAD_HALVES(__local)
VLOAD_HALVES(__private)
VLOAD_HALVES(__constant)

#define VSTORE_HALF(N, SUFFIX, T, AS) \
	FN void vstore_half##N##SUFFIX(T##N v, size_t i, AS half *p) \
	{ *AS_USHORTS(N, AS, (AS ushort *)p + i * N) = ws_to_half##SUFFIX(v); } \
	FN void vstorea_half##N##SUFFIX(T##N v, size_t i, AS half *p) \
	{ *(AS ushort##N *)((AS ushort *)p + i * N) = ws_to_half##SUFFIX(v); }
#define VSTORE_HALVES(SUFFIX, T, AS) \
	FN void vstore_half##SUFFIX(T v, size_t i, AS half *p) \
	{ ((AS ushort *)p)[i] = ws_to_half##SUFFIX(v); } \
	VSTORE_HALF(2, SUFFIX, T, AS) VSTORE_HALF(4, SUFFIX, T, AS) \
	VSTORE_HALF(8, SUFFIX, T, AS) VSTORE_HALF(16, SUFFIX, T, AS) \
	FN void vstore_half3##SUFFIX(T##3 v, size_t i, AS half *p) \
	{ vstore3(ws_to_half##SUFFIX(v), i, (AS ushort *)p); } \
	FN void vstorea_half3##SUFFIX(T##3 v, size_t i, AS half *p) \
	{ vstore3(ws_to_half##SUFFIX(v), 0, (AS ushort *)p + i * 4); }
#define VSTORE_MODES(T, AS) \
	VSTORE_HALVES(, T, AS) VSTORE_HALVES(_rte, T, AS) VSTORE_HALVES(_rtz, T, AS) \
	VSTORE_HALVES(_rtp, T, AS) VSTORE_HALVES(_rtn, T, AS)
VSTORE_MODES(float, __global) VSTORE_MODES(double, __global)
VSTORE_MODES(float, __local) VSTORE_MODES(double, __local)
VSTORE_MODES(float, __private) VSTORE_MODES(double, __private)

/* ---- 6.2.3 conversions ----------------------------------------------------------------- */

/* convert_D##N##SUFFIX(S##N) for vectors, by halves of the function of that name. */
#define CONVERT_HALVES(N, H, D, S, SUFFIX) \
	PURE D##N convert_##D##N##SUFFIX(S##N a) \
	{ return (D##N)(convert_##D##H##SUFFIX(a.lo), convert_##D##H##SUFFIX(a.hi)); }
#define CONVERT_LIFT(D, S, SUFFIX) \
	CONVERT_HALVES(2, , D, S, SUFFIX) CONVERT_HALVES(4, 2, D, S, SUFFIX) \
	CONVERT_HALVES(8, 4, D, S, SUFFIX) CONVERT_HALVES(16, 8, D, S, SUFFIX) \
	PURE D##3 convert_##D##3##SUFFIX(S##3 a) \
	{ \
		return (D##3)(convert_##D##SUFFIX(a.x), convert_##D##SUFFIX(a.y), \
			      convert_##D##SUFFIX(a.z)); \
	}

#define CONVERT_VECTOR(N, D, S) \
	PURE D##N convert_##D##N(S##N a) { return __builtin_convertvector(a, D##N); }
#define CONVERT(D, S) \
	PURE D convert_##D(S a) { return (D)a; } \
	VECTORS(CONVERT_VECTOR, D, S)

/* The same as TO, a name that may differ in its suffix, of ROUND(a). */
#define CONVERT_AS_ONE(N, D, S, SUFFIX, TO, ROUND) \
	PURE D##N convert_##D##N##SUFFIX(S##N a) { return convert_##D##N##TO(ROUND(a)); }
#define CONVERT_AS(D, S, SUFFIX, TO, ROUND) \
	WIDTHS(CONVERT_AS_ONE, D, S, SUFFIX, TO, ROUND)
#define AS_IT_IS(a) a

/* Between integers, and wherever the value is exact, rounding modes do nothing. */
#define CONVERT_EXACT(D, S) \
	CONVERT_AS(D, S, _rte, , AS_IT_IS) CONVERT_AS(D, S, _rtz, , AS_IT_IS) \
	CONVERT_AS(D, S, _rtp, , AS_IT_IS) CONVERT_AS(D, S, _rtn, , AS_IT_IS)
#define CONVERT_INT(D, S, LEAST, MOST) \
	CONVERT(D, S) CONVERT_EXACT(D, S) \
	PURE D convert_##D##_sat(S a) \
	{ __int128 v = a; return SATURATE(D, LEAST, MOST, v); } \
	CONVERT_LIFT(D, S, _sat) \
	CONVERT_AS(D, S, _sat_rte, _sat, AS_IT_IS) CONVERT_AS(D, S, _sat_rtz, _sat, AS_IT_IS) \
	CONVERT_AS(D, S, _sat_rtp, _sat, AS_IT_IS) CONVERT_AS(D, S, _sat_rtn, _sat, AS_IT_IS)

/* From floating point to integers: towards zero, unless said otherwise.  (S)MOST may be
 * one more than MOST, but no value lies between them. */
#define CONVERT_ROUNDED(D, S, SAT) \
	CONVERT_AS(D, S, SAT##_rte, SAT, rint) CONVERT_AS(D, S, SAT##_rtz, SAT, AS_IT_IS) \
	CONVERT_AS(D, S, SAT##_rtp, SAT, ceil) CONVERT_AS(D, S, SAT##_rtn, SAT, floor)
#define CONVERT_TO_INT(D, S, LEAST, MOST) \
	CONVERT(D, S) \
	PURE D convert_##D##_sat(S a) \
	{ \
		return a != a ? (D)0 : a <= (S)(LEAST) ? (D)(LEAST) : \
		       a >= (S)(MOST) ? (D)(MOST) : (D)a; \
	} \
	CONVERT_LIFT(D, S, _sat) \
	CONVERT_ROUNDED(D, S, ) CONVERT_ROUNDED(D, S, _sat)

#define TO_ONE_INT(D, U, BITS, LEAST, MOST, W) \
	CONVERT_INT(D, char, LEAST, MOST) CONVERT_INT(D, uchar, LEAST, MOST) \
	CONVERT_INT(D, short, LEAST, MOST) CONVERT_INT(D, ushort, LEAST, MOST) \
	CONVERT_INT(D, int, LEAST, MOST) CONVERT_INT(D, uint, LEAST, MOST) \
	CONVERT_INT(D, long, LEAST, MOST) CONVERT_INT(D, ulong, LEAST, MOST) \
	CONVERT_TO_INT(D, float, LEAST, MOST) CONVERT_TO_INT(D, double, LEAST, MOST)
EACH_INT(TO_ONE_INT)

/* To floating point: the conversion rounds to nearest, r; ABOVE and BELOW say
 * whether that is more or less than the value itself, exactly. */
#define ABOVE_(r, a) ((double)(r) > (double)(a))
#define BELOW_(r, a) ((double)(r) < (double)(a))
#define ABOVE_long(r, a) ((r) >= 0x1p63 || (long)(r) > (a))
#define BELOW_long(r, a) ((r) < 0x1p63 && (long)(r) < (a))
#define ABOVE_ulong(r, a) ((r) >= 0x1p64 || (ulong)(r) > (a))
#define BELOW_ulong(r, a) ((r) < 0x1p64 && (ulong)(r) < (a))

#define CONVERT_DIRECTED(D, S, HOW) \
	CONVERT(D, S) CONVERT_AS(D, S, _rte, , AS_IT_IS) \
	PURE D convert_##D##_rtp(S a) \
	{ D r = (D)a; return BELOW_##HOW(r, a) ? nextafter(r, (D)INFINITY) : r; } \
	PURE D convert_##D##_rtn(S a) \
	{ D r = (D)a; return ABOVE_##HOW(r, a) ? nextafter(r, -(D)INFINITY) : r; } \
	PURE D convert_##D##_rtz(S a) \
	{ return a < 0 ? convert_##D##_rtp(a) : convert_##D##_rtn(a); } \
	CONVERT_LIFT(D, S, _rtp) CONVERT_LIFT(D, S, _rtn) CONVERT_LIFT(D, S, _rtz)
#define CONVERT_FLOAT_EXACT(D, S) CONVERT(D, S) CONVERT_EXACT(D, S)

CONVERT_FLOAT_EXACT(float, char) CONVERT_FLOAT_EXACT(float, uchar)
CONVERT_FLOAT_EXACT(float, short) CONVERT_FLOAT_EXACT(float, ushort)
CONVERT_DIRECTED(float, int, ) CONVERT_DIRECTED(float, uint, )
CONVERT_DIRECTED(float, long, long) CONVERT_DIRECTED(float, ulong, ulong)
CONVERT_FLOAT_EXACT(float, float) CONVERT_DIRECTED(float, double, )
CONVERT_FLOAT_EXACT(double, char) CONVERT_FLOAT_EXACT(double, uchar)
CONVERT_FLOAT_EXACT(double, short) CONVERT_FLOAT_EXACT(double, ushort)
CONVERT_FLOAT_EXACT(double, int) CONVERT_FLOAT_EXACT(double, uint)
CONVERT_DIRECTED(double, long, long) CONVERT_DIRECTED(double, ulong, ulong)
CONVERT_FLOAT_EXACT(double, float) CONVERT_FLOAT_EXACT(double, double)

/* ---- 6.12.11 atomics ------------------------------------------------------------------- */

/* Groups run on several cores, so these are the CPU's own; no order but the
 * location's is promised by OpenCL 1.2. */
#define RELAXED __ATOMIC_RELAXED
#define ATOMIC2(F, PREFIX, BUILTIN, T, AS) \
	FN T PREFIX##F(volatile AS T *p, T v) { return BUILTIN(p, v, RELAXED); }
#define ATOMICS(PREFIX, T, AS) \
	ATOMIC2(add, PREFIX, __atomic_fetch_add, T, AS) \
	ATOMIC2(sub, PREFIX, __atomic_fetch_sub, T, AS) \
	ATOMIC2(and, PREFIX, __atomic_fetch_and, T, AS) \
	ATOMIC2(or, PREFIX, __atomic_fetch_or, T, AS) \
	ATOMIC2(xor, PREFIX, __atomic_fetch_xor, T, AS) \
	ATOMIC2(min, PREFIX, __atomic_fetch_min, T, AS) \
	ATOMIC2(max, PREFIX, __atomic_fetch_max, T, AS) \
	ATOMIC2(xchg, PREFIX, __atomic_exchange_n, T, AS) \
	FN T PREFIX##inc(volatile AS T *p) { return __atomic_fetch_add(p, (T)1, RELAXED); } \
	FN T PREFIX##dec(volatile AS T *p) { return __atomic_fetch_sub(p, (T)1, RELAXED); } \
	FN T PREFIX##cmpxchg(volatile AS T *p, T expected, T desired) \
	{ return __sync_val_compare_and_swap(p, expected, desired); }
#define ATOMIC_XCHG_FLOAT(AS) \
	FN float atomic_xchg(volatile AS float *p, float v) \
	{ return as_float(__atomic_exchange_n((volatile AS int *)p, as_int(v), RELAXED)); }
#define ATOMICS_IN(AS) \
	ATOMICS(atomic_, int, AS) ATOMICS(atomic_, uint, AS) ATOMIC_XCHG_FLOAT(AS) \
	ATOMICS(atom_, int, AS) ATOMICS(atom_, uint, AS) \
	ATOMICS(atom_, long, AS) ATOMICS(atom_, ulong, AS)
ATOMICS_IN(__global)
ATOMICS_IN(__local)

/* ---- 6.12.10 copies, prefetch ------------------------------------------------------------ */

/* Each work-item copies its share, neighbours next to each other; all of it is
 * there after wait_group_events, which is a barrier. */
#define SHARE(i, n) \
	for (size_t i = get_local_linear_id(), \
	     items_ = get_local_size(0) * get_local_size(1) * get_local_size(2); \
	     i < (n); i += items_)
#define ASYNC_COPY(N, T) \
	FN event_t async_work_group_copy(__local T##N *to, const __global T##N *from, size_t n, \
					 event_t e) \
	{ SHARE(i, n) to[i] = from[i]; return e; } \
	FN event_t async_work_group_copy(__global T##N *to, const __local T##N *from, size_t n, \
					 event_t e) \
	{ SHARE(i, n) to[i] = from[i]; return e; } \
	FN event_t async_work_group_strided_copy(__local T##N *to, const __global T##N *from, \
						 size_t n, size_t stride, event_t e) \
	{ SHARE(i, n) to[i] = from[i * stride]; return e; } \
	FN event_t async_work_group_strided_copy(__global T##N *to, const __local T##N *from, \
						 size_t n, size_t stride, event_t e) \
	{ SHARE(i, n) to[i * stride] = from[i]; return e; } \
	FN void prefetch(const __global T##N *p, size_t n) { }
#define ASYNC_COPIES(T) WIDTHS(ASYNC_COPY, T)
EACH_TYPE(ASYNC_COPIES)

FN __attribute__((convergent)) void wait_group_events(int n, event_t *events)
{
	__ws_barrier(CLK_LOCAL_MEM_FENCE);
}

/* clang's built-in declaration has the events in the generic address space, which
 * OpenCL C 1.2 has no word for. */
void ws_wait_generic(int n, __attribute__((address_space(4))) event_t *events)
	__asm__("_Z17wait_group_eventsiPU9CLgeneric9ocl_event");
__attribute__((always_inline, convergent))
void ws_wait_generic(int n, __attribute__((address_space(4))) event_t *events)
{
	__ws_barrier(CLK_LOCAL_MEM_FENCE);
}

/* ---- 6.12.12 shuffles -------------------------------------------------------------------- */

/* PICK(M, i): component i of the result, from vectors of M. */
#define PICKS2(PICK, M) PICK(M, 0), PICK(M, 1)
#define PICKS4(PICK, M) PICKS2(PICK, M), PICK(M, 2), PICK(M, 3)
#define PICKS8(PICK, M) PICKS4(PICK, M), PICK(M, 4), PICK(M, 5), PICK(M, 6), PICK(M, 7)
#define PICKS16(PICK, M) PICKS8(PICK, M), PICK(M, 8), PICK(M, 9), PICK(M, 10), PICK(M, 11), \
	PICK(M, 12), PICK(M, 13), PICK(M, 14), PICK(M, 15)
#define PICK_OF_ONE(M, i) a[mask[i] & (M - 1)]
#define PICK_OF_TWO(M, i) (mask[i] & M ? b[mask[i] & (M - 1)] : a[mask[i] & (M - 1)])
#define SHUFFLE(N, M, T, U) \
	PURE T##N shuffle(T##M a, U##N mask) { return (T##N)(PICKS##N(PICK_OF_ONE, M)); } \
	PURE T##N shuffle2(T##M a, T##M b, U##N mask) \
	{ return (T##N)(PICKS##N(PICK_OF_TWO, M)); }
#define SHUFFLE_FROM(M, T, U) \
	SHUFFLE(2, M, T, U) SHUFFLE(4, M, T, U) SHUFFLE(8, M, T, U) SHUFFLE(16, M, T, U)
#define SHUFFLES(T, U) \
	SHUFFLE_FROM(2, T, U) SHUFFLE_FROM(4, T, U) SHUFFLE_FROM(8, T, U) SHUFFLE_FROM(16, T, U)
SHUFFLES(char, uchar) SHUFFLES(uchar, uchar) SHUFFLES(short, ushort) SHUFFLES(ushort, ushort)
SHUFFLES(int, uint) SHUFFLES(uint, uint) SHUFFLES(float, uint)
SHUFFLES(long, ulong) SHUFFLES(ulong, ulong) SHUFFLES(double, ulong)

/* ---- 6.12.14 images ---------------------------------------------------------------------- */

#include "images.cl"
