/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Known answers of the built-ins, by hand from the OpenCL C 1.2 specification
 * (sections 6.2.3, 6.12, 7.5), and rounding against the host's own arithmetic.
 * Run on the host by builtins-probe.sh; scratch memory comes from host.c.
 */
void report(int line, int ok);
#define CHECK(condition) report(__LINE__, (condition))
#define SAME(a, b) CHECK(as_uint(a) == as_uint(b))
#define SAMED(a, b) CHECK(as_ulong(a) == as_ulong(b))
#define NEAR(a, b, ulps) CHECK(fabs((double)(a) - (double)(b)) <= \
	(ulps) * fabs((double)(b)) * (sizeof(a) == 4 ? 0x1p-23 : 0x1p-52))
#define INF ((float)INFINITY)

static void integers(void)
{
	CHECK(abs((char)-128) == 128 && abs((uchar)200) == 200);
	CHECK(abs(INT_MIN) == 0x80000000u && abs(LONG_MIN) == 0x8000000000000000ul);
	CHECK(all(abs((short4)(-1, 2, -32768, 0)) == (ushort4)(1, 2, 32768, 0)));
	CHECK(abs_diff((char)-128, (char)127) == 255 && abs_diff(LONG_MIN, LONG_MAX) == ULONG_MAX);
	CHECK(abs_diff(3u, 5u) == 2 && abs_diff(INT_MAX, INT_MIN) == UINT_MAX);
	CHECK(add_sat((char)100, (char)100) == 127 && add_sat((char)-100, (char)-100) == -128);
	CHECK(add_sat((uchar)200, (uchar)100) == 255 && add_sat(UINT_MAX, 1u) == UINT_MAX);
	CHECK(add_sat(LONG_MAX, 1L) == LONG_MAX && add_sat(LONG_MIN, -1L) == LONG_MIN);
	CHECK(add_sat(ULONG_MAX, 5UL) == ULONG_MAX && add_sat(1L, 2L) == 3);
	CHECK(sub_sat((uchar)3, (uchar)5) == 0 && sub_sat(3UL, 5UL) == 0 && sub_sat(3u, 5u) == 0);
	CHECK(sub_sat(INT_MIN, 1) == INT_MIN && sub_sat(LONG_MIN, 1L) == LONG_MIN);
	CHECK(sub_sat(LONG_MAX, -1L) == LONG_MAX && sub_sat((short)5, (short)7) == -2);
	CHECK(hadd(ULONG_MAX, ULONG_MAX) == ULONG_MAX && hadd(LONG_MAX, LONG_MAX - 1) == LONG_MAX - 1);
	CHECK(hadd(-3, 0) == -2 && rhadd(-3, 0) == -1 && hadd(7u, 4u) == 5 && rhadd(7u, 4u) == 6);
	CHECK(rhadd(ULONG_MAX, ULONG_MAX - 1) == ULONG_MAX && rhadd((uchar)255, (uchar)254) == 255);
	CHECK(hadd((char)-128, (char)-127) == -128 && rhadd((char)-128, (char)-127) == -127);
	CHECK(clz((char)0) == 8 && clz((char)-1) == 0 && clz((uchar)1) == 7 && clz((short)1) == 15);
	CHECK(clz(0) == 32 && clz(1u) == 31 && clz(0L) == 64 && clz(1UL << 40) == 23);
	CHECK(popcount((char)-1) == 8 && popcount(-1) == 32 && popcount(0xf0f0UL) == 8);
	CHECK(all(popcount((uchar3)(255, 1, 0)) == (uchar3)(8, 1, 0)));
	CHECK(rotate((uchar)0x81, (uchar)1) == 3 && rotate(0x80000001u, 4u) == 0x18);
	CHECK(rotate((char)-127, (char)1) == 3 && rotate(1, 32) == 1 && rotate(1, -1) == INT_MIN);
	CHECK(rotate(1UL, 63UL) == 1UL << 63 && rotate(5UL, 64UL) == 5 && rotate(-2, 0) == -2);
	CHECK(mul_hi((char)-128, (char)-128) == 64 && mul_hi((uchar)255, (uchar)255) == 254);
	CHECK(mul_hi(INT_MIN, INT_MIN) == 1 << 30 && mul_hi(UINT_MAX, UINT_MAX) == UINT_MAX - 1);
	CHECK(mul_hi(LONG_MIN, LONG_MIN) == 1L << 62 && mul_hi(-1L, 1L) == -1);
	CHECK(mul_hi(ULONG_MAX, ULONG_MAX) == ULONG_MAX - 1 && mad_hi(-1L, 1L, 5L) == 4);
	CHECK(mad_hi(UINT_MAX, UINT_MAX, 3u) == 1 && mad_hi(1 << 30, 8, -7) == -5);
	CHECK(mad_sat(INT_MAX, INT_MAX, -1) == INT_MAX && mad_sat(INT_MIN, INT_MAX, 1) == INT_MIN);
	CHECK(mad_sat(1 << 16, 1 << 15, -1) == INT_MAX && mad_sat(1 << 16, 1 << 15, 0) == INT_MAX);
	CHECK(mad_sat(UINT_MAX, UINT_MAX, UINT_MAX) == UINT_MAX && mad_sat(3u, 4u, 5u) == 17);
	CHECK(mad_sat(LONG_MIN, LONG_MIN, LONG_MAX) == LONG_MAX && mad_sat(-3L, 4L, 5L) == -7);
	CHECK(mad_sat(LONG_MIN, LONG_MAX, LONG_MAX) == LONG_MIN);
	CHECK(mad_sat(1L << 32, 1L << 31, -1L) == LONG_MAX && mad_sat(1L << 32, 1L << 31, -2L) == LONG_MAX - 1);
	CHECK(mad_sat(ULONG_MAX, ULONG_MAX, ULONG_MAX) == ULONG_MAX && mad_sat(3UL, 4UL, 5UL) == 17);
	CHECK(mad_sat((uchar)16, (uchar)16, (uchar)0) == 255 && mad_sat((short)-200, (short)200, (short)1) == -32768);
	CHECK(all(mad_sat((char3)(100, -100, 2), (char3)2, (char3)1) == (char3)(127, -128, 5)));
	CHECK(all(max((int4)(1, -2, 3, -4), 0) == (int4)(1, 0, 3, 0)) && min(3UL, 4UL) == 3);
	CHECK(all(clamp((uchar8)(0, 1, 2, 3, 4, 5, 6, 7), (uchar)2, (uchar)5) ==
		  (uchar8)(2, 2, 2, 3, 4, 5, 5, 5)));
	CHECK(upsample((char)-1, (uchar)0xfe) == -2 && upsample((short)-2, (ushort)1) == -131071);
	CHECK(upsample(1, 2u) == 0x100000002L && upsample((uchar)0xab, (uchar)0xcd) == 0xabcd);
	CHECK(all(upsample((uint2)(1, 0xffffffff), (uint2)(3, 4)) == (ulong2)(0x100000003UL, 0xffffffff00000004UL)));
	CHECK(mul24(-5, 7) == -35 && mad24(0xffffffu, 2u, 3u) == 0x2000001u);
}

static void mathematics(void)
{
	float4 v = (float4)(0.5f, 1, 2, -3);
	int e, q;
	float f;
	double d;
	int4 ev;

	SAME(sinpi(-3.0f), -0.0f);
	SAME(sinpi(4.0f), 0.0f);
	SAME(sinpi(0.5f), 1.0f);
	SAME(sinpi(-1.5f), 1.0f);
	SAMED(cospi(2.5), 0.0);
	SAMED(cospi(3.0), -1.0);
	SAMED(cospi(1e300), 1.0);
	SAMED(tanpi(1.0), -0.0);
	SAMED(tanpi(2.0), 0.0);
	CHECK(tanpi(0.5) == INFINITY && tanpi(1.5) == -INFINITY && isnan(sinpi(INF)));
	NEAR(sinpi(0.25), M_SQRT1_2, 2);
	NEAR(cospi(1.0 / 3), 0.5, 3);
	NEAR(tanpi(0.125f), 0.41421356237309503, 1);
	NEAR(acospi(0.5), 1.0 / 3, 2);
	NEAR(atan2pi(1.0f, -1.0f), 0.75, 1);
	NEAR(rsqrt(16.0f), 0.25, 0);
	NEAR(exp10(3.0f), 1000.0, 1);
	SAME(pown(-2.0f, 3), -8.0f);
	SAME(pown(-1.0f, 16777217), -1.0f);
	SAME(pown(0.0f, -1), INF);
	SAME(powr(4.0f, 0.5f), 2.0f);
	CHECK(isnan(powr(-1.0f, 2.0f)) && isnan(powr(0.0f, 0.0f)) && isnan(powr(INF, 0.0f)));
	CHECK(isnan(powr(1.0f, INF)) && powr(0.0f, -1.0f) == INF && powr(2.0f, -INF) == 0);
	NEAR(rootn(27.0, 3), 3.0, 1);
	NEAR(rootn(-32.0f, 5), -2.0, 1);
	NEAR(rootn(1e300, 7), 7.196856730011519e42, 2);
	NEAR(rootn(DBL_MAX, 4), 1.157920892373162e77, 2);
	CHECK(isnan(rootn(-4.0f, 2)) && isnan(rootn(3.0f, 0)) && rootn(-0.0f, -3) == -INF);
	CHECK(rootn(0.0f, -2) == INF && rootn(-0.0f, 2) == 0 && rootn(16.0f, -2) == 0.25f);
	SAME(ldexp(0.75f, 4), 12.0f);
	CHECK(all(ldexp(v, 1) == v * 2) && ldexp(1.0, -1074) == 0x1p-1074);
	CHECK(ilogb(8.5f) == 3 && ilogb(0.0) == FP_ILOGB0 && ilogb((float)NAN) == FP_ILOGBNAN);
	CHECK(ilogb(INF) == INT_MAX && logb(0.25) == -2);
	CHECK(maxmag(-3.0f, 2.0f) == -3 && maxmag(-3.0f, 3.0f) == 3 && minmag(-3.0f, 3.0f) == -3);
	CHECK(maxmag((float)NAN, 2.0f) == 2 && minmag(1.0f, (float)NAN) == 1);
	SAME(nan(5u), as_float(0x7fc00005u));
	CHECK(fmax((float)NAN, 1.0f) == 1 && all(fmin(v, 0.0f) == (float4)(0, 0, 0, -3)));
	SAME(fract(-0.25f, &f), 0.75f);
	SAME(f, -1.0f);
	SAME(fract(-1e-20f, &f), 0x1.fffffep-1f);
	SAME(fract(-INF, &f), -0.0f);
	CHECK(f == -INF && isnan(fract((float)NAN, &f)));
	SAMED(fract(-0.0, &d), -0.0);
	SAME(modf(-2.5f, &f), -0.5f);
	SAME(f, -2.0f);
	SAMED(modf(-INFINITY, &d), -0.0);
	CHECK(d == -INFINITY);
	SAMED(modf(-3.0, &d), -0.0);
	SAME(frexp(-12.0f, &e), -0.75f);
	CHECK(e == 4 && frexp(0x1p-149f, &e) == 0.5f && e == -148);
	CHECK(frexp(INF, &e) == INF && e == 0 && frexp(0.0, &e) == 0 && e == 0);
	CHECK(all(frexp(v, &ev) == (float4)(0.5f, 0.5f, 0.5f, -0.75f)) &&
	      all(ev == (int4)(0, 1, 2, 2)));
	NEAR(sincos(1.0f, &f), 0.8414709848078965, 1);
	NEAR(f, 0.5403023058681398, 1);
	NEAR(lgamma_r(-0.5, &e), 1.2655121234846454, 3);
	CHECK(e == -1 && fabs(lgamma(10.0f) - 12.801827f) < 1e-5f);
	CHECK(remquo(29.0f, 3.0f, &q) == -1 && q == 10);
	CHECK(remquo(-29.0f, 3.0f, &q) == 1 && q == -10 && remquo(29.0, -3.0, &q) == -1 && q == -10);
	CHECK(remquo(7.5f, 3.0f, &q) == 1.5f && q == 2 && remquo(4.5f, 3.0f, &q) == -1.5f && q == 2);
	CHECK(remquo(1000.0f, 7.0f, &q) == -1 && q == (143 & 127));
	CHECK(isnan(remquo(1.0f, 0.0f, &q)) && q == 0 && remquo(5.0, (double)INFINITY, &q) == 5 && q == 0);
	CHECK(remquo(FLT_MAX, FLT_MAX, &q) == 0 && q == 1);
	SAME(remquo(-0.0f, 2.0f, &q), -0.0f);
	CHECK(mad(2.0f, 3.0f, 4.0f) == 10 && fma(0x1.000002p0f, 0x1.fffffep-1f, -1.0f) == 0x1.fffffcp-25f);
	CHECK(half_divide(1.0f, 4.0f) == 0.25f && native_recip(8.0f) == 0.125f);
}

static void common_and_geometric(void)
{
	float3 a = (float3)(3, 0, 4), b = (float3)(0, 1, 0);

	SAME(degrees(M_PI_F), 180.0f);
	NEAR(radians(180.0), M_PI, 1);
	SAME(sign(-0.0f), -0.0f);
	CHECK(sign(-INF) == -1 && sign((float)NAN) == 0 && sign(3.0) == 1);
	CHECK(all(step(1.0f, (float2)(0.5f, 1)) == (float2)(0, 1)) && mix(1.0f, 3.0f, 0.25f) == 1.5f);
	CHECK(smoothstep(0.0f, 2.0f, 1.0f) == 0.5f && smoothstep(0.0, 1.0, 9.0) == 1);
	CHECK(all(mix((double2)(0, 4), (double2)(2, 8), 0.5) == (double2)(1, 6)));
	CHECK(all(cross(a, b) == (float3)(-4, 0, 3)) && dot(a, a) == 25 && length(a) == 5);
	CHECK(length((float2)(3e30f, 4e30f)) > 4.99e30f && length((float2)(3e30f, 4e30f)) < 5.01e30f);
	CHECK(fabs(length((double2)(3e-320, 4e-320)) / 5e-320 - 1) < 1e-3);
	CHECK(length((float2)(-INF, 1)) == INF && length((double4)0) == 0 && length(-2.0f) == 2);
	CHECK(distance((float4)(1, 1, 1, 1), (float4)(2, 2, 2, 2)) == 2);
	CHECK(all(normalize(a) == (float3)(0.6f, 0, 0.8f)) && normalize(-7.0f) == -1);
	CHECK(all(normalize((float2)(-INF, 5)) == (float2)(-1, 0)) && all(normalize((float4)0) == 0));
	CHECK(all(fabs(normalize((double2)(1e308, 1e308)) - M_SQRT1_2) < 1e-15));
}

static void relational(void)
{
	float4 v = (float4)(NAN, INF, -1, 0x1p-130f);

	CHECK(isequal(1.0f, 1.0f) == 1 && isnan((float)NAN) == 1 && isless(2.0, 3.0) == 1);
	CHECK(all(isnan(v) == (int4)(-1, 0, 0, 0)) && all(isinf(v) == (int4)(0, -1, 0, 0)));
	CHECK(all(isfinite(v) == (int4)(0, 0, -1, -1)) && all(isnormal(v) == (int4)(0, 0, -1, 0)));
	CHECK(all(signbit((double2)(-0.0, 1)) == (long2)(-1, 0)) && signbit(-1.0f) == 1);
	CHECK(isordered(1.0f, (float)NAN) == 0 && isunordered(1.0f, (float)NAN) == 1);
	CHECK(islessgreater(1.0f, 2.0f) == 1 && islessgreater(1.0f, (float)NAN) == 0);
	CHECK(isnotequal((float)NAN, (float)NAN) == 1 && isgreaterequal(2.0f, 2.0f) == 1);
	CHECK(any((char4)(0, 0, -1, 0)) == 1 && any((int4)(1, 2, 3, 4)) == 0 && all((short2)-1) == 1);
	CHECK(all((long3)(-1, -1, 0)) == 0 && any(LONG_MIN) == 1 && all(1) == 0);
	CHECK(bitselect((uchar)0xf0, (uchar)0x0f, (uchar)0x3c) == 0xcc);
	SAME(bitselect(1.0f, -1.0f, as_float(0x80000000)), -1.0f);
	CHECK(select(1, 2, 4) == 2 && select(1.0, 2.0, 0UL) == 1);
	CHECK(all(select((int4)(1, 2, 3, 4), (int4)(5, 6, 7, 8), (uint4)(0x80000000, 1, 0, ~0u)) ==
		  (int4)(5, 2, 3, 8)));
	CHECK(all(shuffle((uchar4)(10, 11, 12, 13), (uchar2)(7, 1)) == (uchar2)(13, 11)));
	CHECK(all(shuffle2((int2)(10, 11), (int2)(12, 13), (uint4)(3, 0, 6, 1)) ==
		  (int4)(13, 10, 12, 11)));
}

static void conversions(void)
{
	CHECK(convert_uchar_sat(-5) == 0 && convert_uchar_sat(300L) == 255 && convert_char(300) == 44);
	CHECK(convert_int_sat(3e9f) == INT_MAX && convert_int_sat(-INF) == INT_MIN);
	CHECK(convert_int_sat((float)NAN) == 0 && convert_uint_sat(-1.0) == 0);
	CHECK(convert_ulong_sat(1e30) == ULONG_MAX && convert_long_sat(ULONG_MAX) == LONG_MAX);
	CHECK(convert_ulong_sat(-1L) == 0 && convert_uint_sat(LONG_MIN) == 0);
	CHECK(convert_int_rte(2.5f) == 2 && convert_int_rte(3.5f) == 4 && convert_int(-2.7f) == -2);
	CHECK(convert_int_rtp(2.1f) == 3 && convert_int_rtn(-2.1f) == -3 && convert_int_rtz(-2.9) == -2);
	CHECK(convert_char_sat_rte(127.4f) == 127 && convert_uchar_sat_rtp(0.1f) == 1);
	CHECK(convert_float_rtz(16777217) == 16777216 && convert_float_rtp(16777217) == 16777218);
	CHECK(convert_float_rtz(-16777219) == -16777218 && convert_float_rtn(-16777217) == -16777218);
	CHECK(convert_float_rtz(ULONG_MAX) == 0x1.fffffep63f && convert_float(ULONG_MAX) == 0x1p64f);
	CHECK(convert_float_rtn(LONG_MAX) == 0x1.fffffep62f && convert_float_rtp(LONG_MAX) == 0x1p63f);
	CHECK(convert_double_rtz(LONG_MAX) == 0x1.fffffffffffffp62 && convert_double_rtz(LONG_MIN) == -0x1p63);
	CHECK(convert_double_rtn(ULONG_MAX) == 0x1.fffffffffffffp63);
	CHECK(convert_float_rtz(1e300) == FLT_MAX && convert_float(1e300) == INF);
	CHECK(convert_float_rtp(-1e300) == -FLT_MAX && convert_float_rtn(-1e300) == -INF);
	CHECK(convert_float_rtp(1e-300) == 0x1p-149f && isnan(convert_float_rtp((double)NAN)));
	CHECK(all(convert_uchar4_sat_rte((float4)(-1, 2.5f, 254.6f, 1e9f)) == (uchar4)(0, 2, 255, 255)));
	CHECK(all(convert_long3((int3)(-1, 2, INT_MIN)) == (long3)(-1, 2, INT_MIN)));
	CHECK(all(convert_float16_rtz((double16)(1e300)) == FLT_MAX));
}

#define LOADS_AND_STORES(SPACE) \
static void memory_##SPACE(SPACE uchar *bytes) \
{ \
	SPACE int *i = (SPACE int *)bytes; \
	SPACE ushort *u = (SPACE ushort *)bytes; \
	SPACE half *h = (SPACE half *)bytes; \
	SPACE float *f = (SPACE float *)bytes; \
	float4 v = (float4)(1, -2, 65504, 0x1p-24f); \
	for (int k = 0; k < 40; k++) \
		i[k] = k; \
	CHECK(all(vload4(1, i + 1) == (int4)(5, 6, 7, 8))); \
	CHECK(all(vload3(2, i) == (int3)(6, 7, 8)) && all(vload16(1, i) == vload16(0, i + 16))); \
	vstore3((int3)(-1, -2, -3), 1, i); \
	CHECK(i[2] == 2 && i[3] == -1 && i[5] == -3 && i[6] == 6); \
	vstore8((int8)9, 1, i + 1); \
	CHECK(i[8] == 8 && i[9] == 9 && i[16] == 9 && i[17] == 17); \
	vstore_half4(v, 0, h + 1); \
	CHECK(u[1] == 0x3c00 && u[2] == 0xc000 && u[3] == 0x7bff && u[4] == 1); \
	CHECK(all(vload_half4(0, h + 1) == v) && vload_half(2, h) == -2); \
	vstorea_half3((float3)(1, 2, 3), 1, h); \
	CHECK(u[4] == 0x3c00 && u[6] == 0x4200 && all(vloada_half3(1, h) == (float3)(1, 2, 3))); \
	vstore_half_rtz(65535.0f, 0, h); \
	CHECK(u[0] == 0x7bff); \
	vstore_half_rte(65520.0f, 0, h); \
	CHECK(u[0] == 0x7c00); \
	vstore_half_rtp(-1e-9, 0, h); \
	CHECK(u[0] == 0x8000); \
	vstore_half_rtn(-1e-9, 0, h); \
	CHECK(u[0] == 0x8001); \
	vstore_half_rtz(INF, 0, h); \
	CHECK(u[0] == 0x7c00 && vload_half(0, h) == INF); \
	vstore_half((float)NAN, 0, h); \
	CHECK(isnan(vload_half(0, h))); \
	sincos(0.0f, f); \
	CHECK(f[0] == 1.0f); \
}
LOADS_AND_STORES(global)
LOADS_AND_STORES(local)
LOADS_AND_STORES(private)

#define ATOMICS(SPACE) \
static void atomics_##SPACE(SPACE uchar *bytes) \
{ \
	SPACE int *i = (SPACE int *)bytes; \
	SPACE uint *u = (SPACE uint *)bytes; \
	SPACE ulong *w = (SPACE ulong *)bytes; \
	SPACE float *f = (SPACE float *)bytes; \
	*i = 5; \
	CHECK(atomic_add(i, 3) == 5 && atomic_sub(i, 1) == 8 && atomic_inc(i) == 7 && *i == 8); \
	CHECK(atomic_dec(i) == 8 && atomic_xchg(i, -4) == 7 && atomic_min(i, 2) == -4 && *i == -4); \
	CHECK(atomic_max(i, 2) == -4 && *i == 2 && atomic_cmpxchg(i, 2, 6) == 2 && *i == 6); \
	CHECK(atomic_cmpxchg(i, 2, 9) == 6 && *i == 6 && atomic_and(i, 3) == 6 && *i == 2); \
	CHECK(atomic_or(i, 5) == 2 && *i == 7 && atomic_xor(i, 1) == 7 && *i == 6); \
	*u = 0xffffffff; \
	CHECK(atomic_min(u, 7u) == 0xffffffff && *u == 7 && atomic_max(u, 0x80000000) == 7); \
	CHECK(*u == 0x80000000 && atom_inc(u) == 0x80000000); \
	*w = 1UL << 63; \
	CHECK(atom_max(w, 1UL) == 1UL << 63 && *w == 1UL << 63 && atom_min(w, 3UL) && *w == 3); \
	CHECK(atom_add(w, ULONG_MAX) == 3 && *w == 2 && atom_cmpxchg(w, 2UL, 8UL) == 2 && *w == 8); \
	*f = 1.5f; \
	CHECK(atomic_xchg(f, 2.5f) == 1.5f && *f == 2.5f); \
}
ATOMICS(global)
ATOMICS(local)

static void work_items(global int *g, local int *l)
{
	event_t e;

	CHECK(get_global_id(0) == 11 && get_global_id(2) == 13 && get_global_id(3) == 0);
	CHECK(get_local_size(1) == 1 && get_local_size(7) == 1 && get_work_dim() == 2);
	CHECK(get_group_id(1) == 4 && get_group_id(3) == 0 && get_local_id(0) == 0);
	CHECK(get_global_size(0) == 20 && get_global_size(3) == 1 && get_local_id(9) == 0);
	CHECK(get_num_groups(2) == 22 && get_num_groups(3) == 1);
	CHECK(get_global_offset(1) == 7 && get_global_offset(3) == 0);
	CHECK(vec_step(float3) == 4 && vec_step(int) == 1 && vec_step(uchar16) == 16);
	CHECK(as_int((uchar4)(1, 2, 3, 4)) == 0x04030201 && as_uchar4(0x04030201).z == 3);
	CHECK(as_float3((int4)(0x3f800000, 0, 0, 7)).x == 1 && as_double((int2)0) == 0);
	barrier(CLK_LOCAL_MEM_FENCE);
	mem_fence(CLK_GLOBAL_MEM_FENCE);
	read_mem_fence(CLK_LOCAL_MEM_FENCE);
	write_mem_fence(CLK_GLOBAL_MEM_FENCE);
	CHECK(1);
	for (int k = 0; k < 8; k++)
		g[k] = k;
	e = async_work_group_strided_copy(l, g, 4, 2, 0);
	wait_group_events(1, &e);
	CHECK(l[0] == 0 && l[3] == 6);
	e = async_work_group_copy((global int2 *)g, (local int2 *)l, 2, 0);
	wait_group_events(1, &e);
	CHECK(g[1] == 2 && g[3] == 6 && g[4] == 4);
}

void check(global uchar *g, local uchar *l)
{
	uchar p[256] __attribute__((aligned(128)));

	integers();
	mathematics();
	common_and_geometric();
	relational();
	conversions();
	memory_global(g);
	memory_local(l);
	memory_private(p);
	atomics_global(g);
	atomics_local(l);
	work_items((global int *)g, (local int *)l);
}

/* For host.c, which rounds the same way on its own. */
#define ROUNDING(M) \
float to_float_##M(double a) { return convert_float_##M(a); } \
float from_long_##M(long a) { return convert_float_##M(a); } \
double double_from_ulong_##M(ulong a) { return convert_double_##M(a); } \
ushort half_##M(double a) \
{ \
	ushort h; \
	vstore_half_##M(a, 0, (half *)&h); \
	return h; \
}
ROUNDING(rte) ROUNDING(rtz) ROUNDING(rtp) ROUNDING(rtn)
float from_half(ushort a)
{
	return vload_half(0, (const half *)&a);
}
