/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_numbers.h -- integers, conversions, and numbers in parts of a word, in device code.
 *
 * Part of cuda_device.h, which includes it.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_NUMBERS_H
#define WARPSTACK_CUDA_NUMBERS_H
#include "cuda_letters_begin.h"

/* ---- integers --------------------------------------------------------------------------------------- */

WS_DEVICE int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
WS_DEVICE unsigned int __umul24(unsigned int a, unsigned int b)
{
	return (a & 0xffffffu) * (b & 0xffffffu);
}
WS_DEVICE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
WS_DEVICE unsigned int __umulhi(unsigned int a, unsigned int b)
{
	return (unsigned int)((unsigned long long)a * b >> 32);
}
WS_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
	return (unsigned long long)((unsigned __int128)a * b >> 64);
}
WS_DEVICE long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
WS_DEVICE int mul24(int a, int b) { return __mul24(a, b); }
WS_DEVICE unsigned int umul24(unsigned int a, unsigned int b) { return __umul24(a, b); }
WS_DEVICE int mulhi(int a, int b) { return __mulhi(a, b); }
WS_DEVICE unsigned int umulhi(unsigned int a, unsigned int b) { return __umulhi(a, b); }
WS_DEVICE long long mul64hi(long long a, long long b) { return __mul64hi(a, b); }
WS_DEVICE unsigned long long umul64hi(unsigned long long a, unsigned long long b)
{
	return __umul64hi(a, b);
}
WS_DEVICE int __popc(unsigned int x) { return __builtin_popcount(x); }
WS_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
WS_DEVICE int __clz(int x) { return x ? __builtin_clz((unsigned int)x) : 32; }
WS_DEVICE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
WS_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
WS_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
WS_DEVICE unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
WS_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
WS_DEVICE unsigned int __sad(int a, int b, unsigned int c)
{
	return c + (a > b ? (unsigned int)a - (unsigned int)b : (unsigned int)b - (unsigned int)a);
}
WS_DEVICE unsigned int __usad(unsigned int a, unsigned int b, unsigned int c)
{
	return c + (a > b ? a - b : b - a);
}
WS_DEVICE unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int s)
{
	unsigned long long bytes = (unsigned long long)b << 32 | a;
	unsigned int r = 0;
	for (unsigned int i = 0; i < 4; i++) {
		unsigned int pick = s >> 4 * i & 15, byte = (unsigned int)(bytes >> 8 * (pick & 7)) & 255;
		r |= (pick & 8 ? byte & 128 ? 255u : 0u : byte) << 8 * i;
	}
	return r;
}
WS_DEVICE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int by)
{
	return (unsigned int)((((unsigned long long)high << 32 | low) << (by & 31)) >> 32);
}
WS_DEVICE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int by)
{
	return (unsigned int)(((unsigned long long)high << 32 | low) >> (by & 31));
}
WS_DEVICE int __dp4a(int a, int b, int c)
{
	for (int i = 0; i < 32; i += 8)
		c += (signed char)(a >> i) * (signed char)(b >> i);
	return c;
}

/* ---- bits of numbers, and conversions ------------------------------------------------------------------ */

WS_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
WS_DEVICE unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
WS_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
WS_DEVICE float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
WS_DEVICE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
WS_DEVICE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
WS_DEVICE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
WS_DEVICE int __double2loint(double x) { return (int)__double_as_longlong(x); }
WS_DEVICE double __hiloint2double(int high, int low)
{
	return __longlong_as_double((long long)((unsigned long long)(unsigned int)high << 32 |
						(unsigned int)low));
}
WS_DEVICE int __float2int_rn(float x) { return (int)rintf(x); }
WS_DEVICE int __float2int_rz(float x) { return (int)x; }
WS_DEVICE int __float2int_rd(float x) { return (int)floorf(x); }
WS_DEVICE int __float2int_ru(float x) { return (int)ceilf(x); }
WS_DEVICE unsigned int __float2uint_rn(float x) { return (unsigned int)rintf(x); }
WS_DEVICE unsigned int __float2uint_rz(float x) { return (unsigned int)x; }
WS_DEVICE float __int2float_rn(int x) { return (float)x; }
WS_DEVICE float __uint2float_rn(unsigned int x) { return (float)x; }
WS_DEVICE int __double2int_rn(double x) { return (int)rint(x); }
WS_DEVICE int __double2int_rz(double x) { return (int)x; }
WS_DEVICE double __int2double_rn(int x) { return (double)x; }
WS_DEVICE float __double2float_rn(double x) { return (float)x; }

#define WS_CONVERT(NAME, TO, FROM, ROUND) WS_DEVICE TO __##NAME(FROM x) { return (TO)ROUND(x); }
WS_CONVERT(float2uint_rd, unsigned int, float, floorf)
WS_CONVERT(float2uint_ru, unsigned int, float, ceilf)
WS_CONVERT(float2ll_rn, long long, float, rintf) WS_CONVERT(float2ll_rz, long long, float, )
WS_CONVERT(float2ll_rd, long long, float, floorf) WS_CONVERT(float2ll_ru, long long, float, ceilf)
WS_CONVERT(float2ull_rn, unsigned long long, float, rintf)
WS_CONVERT(float2ull_rz, unsigned long long, float, )
WS_CONVERT(float2ull_rd, unsigned long long, float, floorf)
WS_CONVERT(float2ull_ru, unsigned long long, float, ceilf)
WS_CONVERT(double2int_rd, int, double, floor) WS_CONVERT(double2int_ru, int, double, ceil)
WS_CONVERT(double2uint_rn, unsigned int, double, rint)
WS_CONVERT(double2uint_rz, unsigned int, double, )
WS_CONVERT(double2uint_rd, unsigned int, double, floor)
WS_CONVERT(double2uint_ru, unsigned int, double, ceil)
WS_CONVERT(double2ll_rn, long long, double, rint) WS_CONVERT(double2ll_rz, long long, double, )
WS_CONVERT(double2ll_rd, long long, double, floor) WS_CONVERT(double2ll_ru, long long, double, ceil)
WS_CONVERT(double2ull_rn, unsigned long long, double, rint)
WS_CONVERT(double2ull_rz, unsigned long long, double, )
WS_CONVERT(double2ull_rd, unsigned long long, double, floor)
WS_CONVERT(double2ull_ru, unsigned long long, double, ceil)
WS_CONVERT(uint2double_rn, double, unsigned int, ) WS_CONVERT(ll2float_rn, float, long long, )
WS_CONVERT(ll2double_rn, double, long long, ) WS_CONVERT(ull2float_rn, float, unsigned long long, )
WS_CONVERT(ull2double_rn, double, unsigned long long, )
#undef WS_CONVERT

/* The next number below or above, or the nearest one if that is on the right side: `left` has the
 * sign of what the nearest one leaves, which is not a number where the result is infinite or none. */
template <class T> WS_DEVICE T __ws_next(T near, double left, int up)
{
	if (up > 0)
		return left > 0 ? nextafter(near, (T)__builtin_inf()) : near;
	return left < 0 ? nextafter(near, -(T)__builtin_inf()) : near;
}
/* A sum's is exact (Knuth's two-sum); a fused product's is, too (S. Boldo and J.-M. Muller, "Exact
 * and approximated error of the FMA", IEEE Trans. Comput. 60(2), 2011). */
WS_DEVICE double __ws_left_of_sum(double x, double y, double sum)
{
	double z = sum - x;
	return (x - (sum - z)) + (y - z);
}
WS_DEVICE double __ws_left_of_fma(double x, double y, double z, double near)
{
	double product = x * y, rest = __builtin_fma(x, y, -product);
	double low = z + rest, lowest = __ws_left_of_sum(z, rest, low);
	double high = product + low, middle = __ws_left_of_sum(product, low, high);

	return (high - near) + middle + lowest;
}
#define WS_DIRECTED(T, NAME, PARAMETERS, NEAR, LEFT) \
	WS_DEVICE T __##NAME##_rd PARAMETERS \
	{ auto e = NEAR; T r = (T)e; return __ws_next(r, LEFT, -1); } \
	WS_DEVICE T __##NAME##_ru PARAMETERS \
	{ auto e = NEAR; T r = (T)e; return __ws_next(r, LEFT, 1); } \
	WS_DEVICE T __##NAME##_rz PARAMETERS \
	{ auto e = NEAR; T r = (T)e; return __ws_next(r, LEFT, r < 0 ? 1 : -1); }
/* In single precision e is the result in double precision. */
#define WS_FLOAT(NAME, PARAMETERS, EXACT, LEFT) \
	WS_DIRECTED(float, NAME, PARAMETERS, EXACT, (double)r == e ? LEFT : e - (double)r)
WS_FLOAT(fadd, (float x, float y), (double)x + y, __ws_left_of_sum(x, y, e))
WS_FLOAT(fsub, (float x, float y), (double)x - y, __ws_left_of_sum(x, -y, e))
WS_FLOAT(fmul, (float x, float y), (double)x * y, 0)
WS_FLOAT(fdiv, (float x, float y), (double)x / y,
	 __builtin_fma(-e, (double)y, (double)x) * __builtin_copysign(1.0, (double)y))
WS_FLOAT(fmaf, (float x, float y, float z), __builtin_fma((double)x, (double)y, (double)z),
	 __ws_left_of_sum((double)x * y, z, e))
WS_FLOAT(frcp, (float x), 1.0 / x,
	 __builtin_fma(-e, (double)x, 1.0) * __builtin_copysign(1.0, (double)x))
WS_FLOAT(fsqrt, (float x), sqrt((double)x), __builtin_fma(-e, e, (double)x))
WS_FLOAT(int2float, (int x), (double)x, 0)
WS_FLOAT(uint2float, (unsigned int x), (double)x, 0)
WS_FLOAT(double2float, (double x), x, 0)
#undef WS_FLOAT
WS_DIRECTED(double, dadd, (double x, double y), x + y, __ws_left_of_sum(x, y, r))
WS_DIRECTED(double, dsub, (double x, double y), x - y, __ws_left_of_sum(x, -y, r))
WS_DIRECTED(double, dmul, (double x, double y), x * y, __builtin_fma(x, y, -r))
WS_DIRECTED(double, ddiv, (double x, double y), x / y,
	    __builtin_fma(-r, y, x) * __builtin_copysign(1.0, y))
WS_DIRECTED(double, fma, (double x, double y, double z), __builtin_fma(x, y, z),
	    __ws_left_of_fma(x, y, z, r))
WS_DIRECTED(double, drcp, (double x), 1.0 / x,
	    __builtin_fma(-r, x, 1.0) * __builtin_copysign(1.0, x))
WS_DIRECTED(double, dsqrt, (double x), sqrt(x), __builtin_fma(-r, r, x))
/* Of an integer, whose nearest number may be the first that is too large to be one. */
template <class I> WS_DEVICE int __ws_left_of_integer(I x, double near)
{
	if (near >= ((I)-1 > 0 ? 0x1p64 : 0x1p63))
		return -1;
	return (x > (I)near) - (x < (I)near);
}
WS_DIRECTED(double, ll2double, (long long x), x, __ws_left_of_integer(x, r))
WS_DIRECTED(double, ull2double, (unsigned long long x), x, __ws_left_of_integer(x, r))
WS_DIRECTED(float, ll2float, (long long x), x, __ws_left_of_integer(x, (double)r))
WS_DIRECTED(float, ull2float, (unsigned long long x), x, __ws_left_of_integer(x, (double)r))
#undef WS_DIRECTED
WS_DEVICE double __dsub_rn(double x, double y) { return x - y; }
WS_DEVICE double __drcp_rn(double x) { return 1.0 / x; }

/* ---- integers in parts of a word ------------------------------------------------------------------------ */

WS_DEVICE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
WS_DEVICE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
WS_DEVICE unsigned int __uhadd(unsigned int a, unsigned int b)
{
	return (unsigned int)(((unsigned long long)a + b) >> 1);
}
WS_DEVICE unsigned int __urhadd(unsigned int a, unsigned int b)
{
	return (unsigned int)(((unsigned long long)a + b + 1) >> 1);
}
WS_DEVICE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int by)
{
	return by >= 32 ? low : __funnelshift_l(low, high, by);
}
WS_DEVICE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int by)
{
	return by >= 32 ? high : __funnelshift_r(low, high, by);
}
/* OF of the parts a and b of two words, N bits each. */
#define WS_PARTWISE(NAME, N, T, OF) \
	WS_DEVICE unsigned int __##NAME(unsigned int x, unsigned int y) \
	{ \
		unsigned int r = 0, ones = (1u << N) - 1; \
		for (int i = 0; i < 32; i += N) { \
			T a = (T)(x >> i & ones), b = (T)(y >> i & ones); \
			r |= ((unsigned int)(OF) & ones) << i; \
		} \
		return r; \
	}
#define WS_PARTS2(NAME, S, U, OF) \
	WS_PARTWISE(v##NAME##s4, 8, S##char, OF) WS_PARTWISE(v##NAME##s2, 16, S##short, OF) \
	WS_PARTWISE(v##NAME##u4, 8, U##char, OF) WS_PARTWISE(v##NAME##u2, 16, U##short, OF)
typedef signed char __ws_s8char;
typedef short __ws_s8short;
typedef unsigned char __ws_u8char;
typedef unsigned short __ws_u8short;
WS_PARTWISE(vadd4, 8, __ws_u8char, a + b) WS_PARTWISE(vadd2, 16, __ws_u8short, a + b)
WS_PARTWISE(vsub4, 8, __ws_u8char, a - b) WS_PARTWISE(vsub2, 16, __ws_u8short, a - b)
WS_PARTS2(max, __ws_s8, __ws_u8, a > b ? a : b)
WS_PARTS2(min, __ws_s8, __ws_u8, a < b ? a : b)
WS_PARTS2(absdiff, __ws_s8, __ws_u8, a > b ? a - b : b - a)
#define WS_PARTS(NAME, OF) \
	WS_PARTWISE(v##NAME##4, 8, __ws_u8char, OF) WS_PARTWISE(v##NAME##2, 16, __ws_u8short, OF)
#define WS_PARTS_COMPARE(NAME, OP) \
	WS_PARTS2(cmp##NAME, __ws_s8, __ws_u8, a OP b ? -1 : 0) \
	WS_PARTS2(set##NAME, __ws_s8, __ws_u8, a OP b)
WS_PARTS(cmpeq, a == b ? -1 : 0) WS_PARTS(cmpne, a != b ? -1 : 0)
WS_PARTS(seteq, a == b) WS_PARTS(setne, a != b)
WS_PARTS_COMPARE(ge, >=)
WS_PARTS_COMPARE(gt, >)
WS_PARTS_COMPARE(le, <=)
WS_PARTS_COMPARE(lt, <)
WS_PARTS2(avg, __ws_s8, __ws_u8, (a + b + (a + b >= 0)) >> 1)
WS_PARTS(haddu, (a + b) >> 1)
/* Saturated: what does not fit is the nearest that does. */
template <class T> WS_DEVICE int __ws_fit(int v, T least, T most)
{
	return v < least ? least : v > most ? most : v;
}
WS_PARTWISE(vaddus4, 8, __ws_u8char, __ws_fit(a + b, 0, 255))
WS_PARTWISE(vaddus2, 16, __ws_u8short, __ws_fit(a + b, 0, 65535))
WS_PARTWISE(vaddss4, 8, __ws_s8char, __ws_fit(a + b, -128, 127))
WS_PARTWISE(vaddss2, 16, __ws_s8short, __ws_fit(a + b, -32768, 32767))
WS_PARTWISE(vsubus4, 8, __ws_u8char, __ws_fit(a - b, 0, 255))
WS_PARTWISE(vsubus2, 16, __ws_u8short, __ws_fit(a - b, 0, 65535))
WS_PARTWISE(vsubss4, 8, __ws_s8char, __ws_fit(a - b, -128, 127))
WS_PARTWISE(vsubss2, 16, __ws_s8short, __ws_fit(a - b, -32768, 32767))
#define WS_PART(NAME, N, T, OF) \
	WS_PARTWISE(ws_##NAME, N, T, (OF) + 0 * b) \
	WS_DEVICE unsigned int __##NAME(unsigned int x) { return __ws_##NAME(x, 0); }
WS_PART(vabs4, 8, __ws_s8char, a < 0 ? -a : a) WS_PART(vabs2, 16, __ws_s8short, a < 0 ? -a : a)
WS_PART(vneg4, 8, __ws_s8char, -a) WS_PART(vneg2, 16, __ws_s8short, -a)
WS_PART(vabsss4, 8, __ws_s8char, __ws_fit(a < 0 ? -a : a, 0, 127))
WS_PART(vabsss2, 16, __ws_s8short, __ws_fit(a < 0 ? -a : a, 0, 32767))
WS_PART(vnegss4, 8, __ws_s8char, __ws_fit(-a, -128, 127))
WS_PART(vnegss2, 16, __ws_s8short, __ws_fit(-a, -32768, 32767))
#undef WS_PART
#undef WS_PARTS_COMPARE
#undef WS_PARTS
#undef WS_PARTS2
#undef WS_PARTWISE
#define WS_SUM_OF_PARTS(NAME, N, T) \
	WS_DEVICE unsigned int __##NAME(unsigned int x, unsigned int y) \
	{ \
		unsigned int sum = 0; \
		for (int i = 0; i < 32; i += N) { \
			int d = (T)(x >> i) - (T)(y >> i); \
			sum += (unsigned int)(d < 0 ? -d : d); \
		} \
		return sum; \
	}
WS_SUM_OF_PARTS(vsadu4, 8, __ws_u8char) WS_SUM_OF_PARTS(vsadu2, 16, __ws_u8short)
WS_SUM_OF_PARTS(vsads4, 8, __ws_s8char) WS_SUM_OF_PARTS(vsads2, 16, __ws_s8short)
#undef WS_SUM_OF_PARTS
/* Of two halves of a and two bytes of b. */
#define WS_DOT2(T, LONG) \
	WS_DEVICE T __dp2a_lo(T a, T b, T c) \
	{ return c + (LONG##short)a * (LONG##char)b + (LONG##short)(a >> 16) * (LONG##char)(b >> 8); } \
	WS_DEVICE T __dp2a_hi(T a, T b, T c) { return __dp2a_lo(a, b >> 16, c); }
WS_DOT2(int, __ws_s8)
WS_DOT2(unsigned int, __ws_u8)
#undef WS_DOT2
/* The largest or least of two or three, or of a sum and a number. */
#define WS_EXTREMES3(OF, TYPE, T, OP) \
	WS_DEVICE T __vi##OF##_##TYPE(T a, T b) { return a OP b ? a : b; } \
	WS_DEVICE T __vi##OF##3_##TYPE(T a, T b, T c) \
	{ return __vi##OF##_##TYPE(__vi##OF##_##TYPE(a, b), c); } \
	WS_DEVICE T __viadd##OF##_##TYPE(T a, T b, T c) \
	{ return __vi##OF##_##TYPE((T)((unsigned int)a + (unsigned int)b), c); }
/* What is below 0 is 0. */
#define WS_EXTREMES3_RELU(OF) \
	WS_DEVICE int __vi##OF##_s32_relu(int a, int b) { return __vimax_s32(__vi##OF##_s32(a, b), 0); } \
	WS_DEVICE int __vi##OF##3_s32_relu(int a, int b, int c) \
	{ return __vimax_s32(__vi##OF##3_s32(a, b, c), 0); } \
	WS_DEVICE int __viadd##OF##_s32_relu(int a, int b, int c) \
	{ return __vimax_s32(__viadd##OF##_s32(a, b, c), 0); }
WS_EXTREMES3(max, s32, int, >) WS_EXTREMES3(min, s32, int, <)
WS_EXTREMES3(max, u32, unsigned int, >) WS_EXTREMES3(min, u32, unsigned int, <)
#undef WS_EXTREMES3
WS_EXTREMES3_RELU(max) WS_EXTREMES3_RELU(min)
#undef WS_EXTREMES3_RELU
/* Which one it is, too: the first, if they are equal. */
#define WS_EXTREME_WHICH(OF, TYPE, T, OP) \
	WS_DEVICE T __vib##OF##_##TYPE(T a, T b, bool *first) { return (*first = a OP b) ? a : b; }
WS_EXTREME_WHICH(max, s32, int, >=) WS_EXTREME_WHICH(min, s32, int, <=)
WS_EXTREME_WHICH(max, u32, unsigned int, >=) WS_EXTREME_WHICH(min, u32, unsigned int, <=)
#undef WS_EXTREME_WHICH
/* The position of the offset-th one from base on, upwards or downwards. */
WS_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int offset)
{
	int step = offset < 0 ? -1 : 1, left = offset < 0 ? -offset : offset;
	if (!offset)
		return base < 32 && mask >> base & 1 ? base : 0xffffffffu;
	for (int i = (int)base; i >= 0 && i < 32; i += step)
		if (mask >> i & 1 && --left == 0)
			return (unsigned int)i;
	return 0xffffffffu;
}
WS_DEVICE unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c)
{
	for (int i = 0; i < 32; i += 8)
		c += (a >> i & 255) * (b >> i & 255);
	return c;
}
#include "cuda_letters_end.h"

#endif
