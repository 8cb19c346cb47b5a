/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ptx.c -- what instructions of inline PTX do, where that is more than one of LLVM's: addresses of
 * shared memory, asynchronous copies, matrices of a warp, barriers with a number, formats of 16
 * bits, rounding to a side.
 *
 * trace/capture/ptx_*.c translate an instruction into calls of these.  Names and meanings are those
 * of the PTX ISA.  The functions are linked into a kernel's module and inlined there.  __ws_ctx(),
 * __ws_barrier() and __ws_warp() are the engine's.
 */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef int s32;
typedef unsigned long long u64;
typedef long long s64;
typedef u32 u32x2 __attribute__((ext_vector_type(2)));
typedef u32 u32x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16;
typedef f16 f16x2 __attribute__((ext_vector_type(2)));
typedef float f32x2 __attribute__((ext_vector_type(2)));

#define SHARED __attribute__((address_space(3)))
#define GLOBAL __attribute__((address_space(1)))
#define MEETS __attribute__((convergent))
#define ALL_LANES 0xffffffffu

struct thread { /* as data/cuda/include/cuda_device.h has it */
	u64 gid[3], lid[3], grp[3], lsz[3], gsz[3], ngr[3], off[3];
	u32 dim, lane;
	u64 clock;
	char *shared;
};
struct meeting {
	u64 value[32];
	u32 lanes;
};
struct thread *__ws_ctx(void) __attribute__((const));
void __ws_barrier(u32) MEETS;
const struct meeting *__ws_warp(u32 mask, u64 value) MEETS;

static u32 lane(void) { return __ws_ctx()->lane & 31; }
static u64 threads(void)
{
	const struct thread *t = __ws_ctx();

	return t->lsz[0] * t->lsz[1] * t->lsz[2];
}

u32 ws_ptx_warps(void) { return (u32)(threads() + 31) / 32; }

/* ---- addresses of shared memory --------------------------------------------------------- */

/* Numbers of 32 bits: bytes from where the block's shared memory begins. */
SHARED char *ws_ptx_shared(u32 at) { return (SHARED char *)(__ws_ctx()->shared + at); }
u64 ws_ptx_to_shared(const char *generic) { return (u32)(generic - __ws_ctx()->shared); }
char *ws_ptx_from_shared(u64 at) { return __ws_ctx()->shared + (u32)at; }

/* ---- asynchronous copies: done at once --------------------------------------------------- */

/* The bytes of the destination beyond those of the source are 0. */
static void copy_some(u32 to, const char *from, u32 bytes, u32 of)
{
	SHARED u8 *p = (SHARED u8 *)ws_ptx_shared(to);
	const GLOBAL u8 *q = (const GLOBAL u8 *)from;

	for (u32 i = 0; i < of; i++)
		p[i] = i < bytes ? q[i] : 0;
}
#define COPY(NAME, T, LOAD) \
	void NAME(u32 to, const char *from, u32 bytes) \
	{ \
		if (bytes >= sizeof(T)) \
			*(SHARED T *)ws_ptx_shared(to) = LOAD((const GLOBAL T *)from); \
		else if (bytes == 0) \
			*(SHARED T *)ws_ptx_shared(to) = (T)0; \
		else \
			copy_some(to, from, bytes, sizeof(T)); \
	}
#define PLAIN(P) *(P)
COPY(ws_ptx_copy_4, u32, PLAIN)
COPY(ws_ptx_copy_8, u32x2, PLAIN)
COPY(ws_ptx_copy_16, u32x4, PLAIN)
COPY(ws_ptx_copy_past, u32x4, __builtin_nontemporal_load)

/* ---- barriers with a number -------------------------------------------------------------- */

static SHARED struct {
	u32 come, round;
} barriers[16];

/* How many a thread stands for: a barrier counts whole warps. */
static u32 weight(void)
{
	u32 left = (u32)threads() - (__ws_ctx()->lane & ~31u);

	return left < 32 && lane() == 0 ? 33 - left : 1;
}

/* Has the last one come? */
static int come_to(u32 id, u32 count)
{
	SHARED volatile u32 *come = &barriers[id & 15].come, *round = &barriers[id & 15].round;
	u32 all = count ? count : (u32)(threads() + 31) & ~31u, mine = weight();

	if (__atomic_fetch_add(come, mine, __ATOMIC_RELAXED) + mine != all)
		return 0;
	*come = 0;
	__atomic_fetch_add(round, 1, __ATOMIC_RELAXED);
	return 1;
}
void ws_ptx_arrive(u32 id, u32 count) { come_to(id, count); }
void ws_ptx_sync(u32 id, u32 count)
{
	SHARED volatile u32 *round = &barriers[id & 15].round;
	u32 before = *round;

	if (come_to(id, count))
		return;
	while (*round == before)
		;
}

/* Of the whole block: how many have a predicate that holds. */
static SHARED u32 holding;
u32 MEETS ws_ptx_count(u32 holds)
{
	holding = 0;
	__ws_barrier(0);
	if (holds)
		__atomic_fetch_add(&holding, 1, __ATOMIC_RELAXED);
	__ws_barrier(0);
	holds = holding;
	__ws_barrier(0);
	return holds;
}

/* ---- lanes of a warp ---------------------------------------------------------------------- */

u32 MEETS ws_ptx_match_any(u32 mask, u64 v)
{
	const struct meeting *m = __ws_warp(mask, v);
	u32 same = 0;

	for (u32 i = 0; i < 32; i++)
		same |= (u32)(m->value[i] == v) << i;
	return same & m->lanes;
}
/* 0: not all have the same. */
u32 MEETS ws_ptx_match_all(u32 mask, u64 v)
{
	const struct meeting *m = __ws_warp(mask, v);
	u32 same = 0;

	for (u32 i = 0; i < 32; i++)
		same |= (u32)(m->value[i] == v) << i;
	return (same & m->lanes) == m->lanes ? m->lanes : 0;
}
#define REDUX(NAME, T, STEP) \
	u32 MEETS ws_ptx_redux_##NAME(u32 mask, u32 v) \
	{ \
		const struct meeting *m = __ws_warp(mask, v); \
		u32 first = 1; \
		T all = 0; \
		for (u32 i = 0; i < 32; i++) { \
			T one = (T)m->value[i]; \
			if (!(m->lanes >> i & 1)) \
				continue; \
			all = first ? one : (STEP); \
			first = 0; \
		} \
		return (u32)all; \
	}
REDUX(add_u32, u32, all + one)
REDUX(add_s32, u32, all + one)
REDUX(min_u32, u32, one < all ? one : all)
REDUX(min_s32, s32, one < all ? one : all)
REDUX(max_u32, u32, one > all ? one : all)
REDUX(max_s32, s32, one > all ? one : all)
REDUX(and_b32, u32, all & one)
REDUX(or_b32, u32, all | one)
REDUX(xor_b32, u32, all ^ one)

/* ---- formats of 16 bits -------------------------------------------------------------------- */

static u32 bits_of(float f) { return __builtin_bit_cast(u32, f); }
static float float_of(u32 u) { return __builtin_bit_cast(float, u); }

/* bfloat16, to nearest, ties to even. */
u16 ws_ptx_to_bf16(float f)
{
	u32 u = bits_of(f);

	if ((u & 0x7fffffff) > 0x7f800000)
		return 0x7fff;
	return (u16)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}
float ws_ptx_from_bf16(u16 h) { return float_of((u32)h << 16); }
u16 ws_ptx_to_f16(float f) { return __builtin_bit_cast(u16, (f16)f); }
float ws_ptx_from_f16(u16 h) { return (float)__builtin_bit_cast(f16, h); }
u32 ws_ptx_to_bf16x2(float high, float low)
{
	return (u32)ws_ptx_to_bf16(high) << 16 | ws_ptx_to_bf16(low);
}
/* tf32, to nearest, ties away from 0: the other bits are 0. */
u32 ws_ptx_to_tf32(float f)
{
	u32 u = bits_of(f);

	return (u & 0x7f800000) == 0x7f800000 ? u : (u + 0x1000) & ~0x1fffu;
}

static float least(float a, float b) { return __builtin_fminf(a, b); }
static float most(float a, float b) { return __builtin_fmaxf(a, b); }
/* Each is a function of floats, of one number and of a pair. */
#define OF_FORMAT(NAME, FORMAT, A, B, C, VALUE) \
	u16 ws_ptx_##NAME##_##FORMAT(u16 x, u16 y, u16 z) \
	{ \
		float A = ws_ptx_from_##FORMAT(x), B = ws_ptx_from_##FORMAT(y); \
		float C = ws_ptx_from_##FORMAT(z); \
		(void)B, (void)C; \
		return ws_ptx_to_##FORMAT(VALUE); \
	} \
	u32 ws_ptx_##NAME##_##FORMAT##x2(u32 x, u32 y, u32 z) \
	{ \
		u32 high = ws_ptx_##NAME##_##FORMAT((u16)(x >> 16), (u16)(y >> 16), (u16)(z >> 16)); \
		return high << 16 | ws_ptx_##NAME##_##FORMAT((u16)x, (u16)y, (u16)z); \
	}
#define OF_HALVES(NAME, VALUE) \
	OF_FORMAT(NAME, f16, a, b, c, VALUE) OF_FORMAT(NAME, bf16, a, b, c, VALUE)
float exp2f(float);
float tanhf(float);
OF_HALVES(add, a + b)
OF_HALVES(sub, a - b)
OF_HALVES(mul, a * b)
OF_HALVES(fma, __builtin_fmaf(a, b, c))
OF_HALVES(min, least(a, b))
OF_HALVES(max, most(a, b))
OF_HALVES(neg, -a)
OF_HALVES(abs, __builtin_fabsf(a))
OF_HALVES(ex2, exp2f(a))
OF_HALVES(tanh, tanhf(a))

/* ---- rounding to a side: 0 to zero, 1 down, 2 up ------------------------------------------- */

static float toward(double d, u32 side)
{
	float r = (float)d;
	u32 u = bits_of(r), larger = (double)__builtin_fabsf(r) > __builtin_fabs(d);
	int off = (double)r != d && d == d, negative = __builtin_signbit(d);

	if (!off)
		return r;
	if (side == 0 || (side == 1) == !negative) /* to a smaller magnitude */
		return larger ? float_of(u - 1) : r;
	return larger ? r : float_of(u + 1);
}
/* Of a sum and what it lacks, a number that rounds as their sum does. */
static double sticky(double sum, double lacks)
{
	u64 u = __builtin_bit_cast(u64, sum);

	if (lacks == 0 || lacks != lacks || sum == 0)
		return sum;
	u -= (lacks < 0) != (sum < 0);
	return __builtin_bit_cast(double, u | 1);
}
static double exact_sum(double a, double b)
{
	double sum = a + b, part = sum - a;

	return sticky(sum, (a - (sum - part)) + (b - part));
}
float ws_ptx_add_to(float a, float b, u32 side) { return toward(exact_sum(a, b), side); }
float ws_ptx_mul_to(float a, float b, u32 side) { return toward((double)a * b, side); }
float ws_ptx_fma_to(float a, float b, float c, u32 side)
{
	return toward(exact_sum((double)a * b, c), side);
}
float ws_ptx_float_to(double d, u32 side) { return toward(d, side); }

/* ---- integers ------------------------------------------------------------------------------- */

s32 ws_ptx_bfe_s32(s32 a, u32 at, u32 n)
{
	u32 p = at & 255, width = n & 255, sign = p + width - 1;

	if (!width)
		return 0;
	sign = sign < 31 ? (u32)a >> sign & 1 : (u32)a >> 31;
	if (p > 31)
		return -(s32)sign;
	if (width >= 32 - p)
		return a >> p;
	return (s32)((u32)a << (32 - p - width)) >> (32 - width);
}
u64 ws_ptx_bfe_u64(u64 a, u32 at, u32 n)
{
	u32 p = at & 255, width = n & 255;

	a = p > 63 ? 0 : a >> p;
	return width > 63 ? a : a & ((1ull << width) - 1);
}
u64 ws_ptx_bfi_b64(u64 a, u64 b, u32 at, u32 n)
{
	u32 p = at & 255, width = n & 255;
	u64 ones = width > 63 ? ~0ull : (1ull << width) - 1;

	if (p > 63)
		return b;
	return (a << p & ones << p) | (b & ~(ones << p));
}
/* Where the highest bit is that differs from the sign. */
u32 ws_ptx_bfind_s32(s32 a) { return a == 0 || a == -1 ? ~0u : 31u - (u32)__builtin_clz((u32)(a < 0 ? ~a : a)); }
u32 ws_ptx_bfind_u64(u64 a) { return a ? 63u - (u32)__builtin_clzll(a) : ~0u; }
u32 ws_ptx_bfind_shift(u32 a) { return a ? (u32)__builtin_clz(a) : ~0u; }
u32 ws_ptx_clz_b64(u64 a) { return a ? (u32)__builtin_clzll(a) : 64; }
/* The n-th bit from `base` on, downwards if n is negative. */
u32 ws_ptx_fns(u32 mask, u32 base, s32 n)
{
	s32 step = n < 0 ? -1 : 1, left = n < 0 ? -n : n;

	if (n == 0)
		return mask >> (base & 31) & 1 ? base : ~0u;
	for (s32 at = (s32)base; at >= 0 && at < 32; at += step)
		if ((mask >> at & 1) && --left == 0)
			return (u32)at;
	return ~0u;
}
s32 ws_ptx_add_sat(s32 a, s32 b) { return __builtin_elementwise_add_sat(a, b); }
s32 ws_ptx_sub_sat(s32 a, s32 b) { return __builtin_elementwise_sub_sat(a, b); }
u32 ws_ptx_mul24_u32(u32 a, u32 b) { return (a & 0xffffff) * (b & 0xffffff); }
s32 ws_ptx_mul24_s32(s32 a, s32 b)
{
	return (s32)((u32)((s32)((u32)a << 8) >> 8) * (u32)((s32)((u32)b << 8) >> 8));
}
u32 ws_ptx_mad24_u32(u32 a, u32 b, u32 c) { return ws_ptx_mul24_u32(a, b) + c; }
s32 ws_ptx_mad24_s32(s32 a, s32 b, s32 c) { return (s32)((u32)ws_ptx_mul24_s32(a, b) + (u32)c); }
u64 ws_ptx_mad_64(u64 a, u64 b, u64 c) { return a * b + c; }
/* The high or low half of two words that are shifted as one; by at most 32. */
u32 ws_ptx_shl_clamp(u32 a, u32 b, u32 n)
{
	u64 all = (u64)b << 32 | a;

	return (u32)(all << (n < 32 ? n : 32) >> 32);
}
u32 ws_ptx_shr_clamp(u32 a, u32 b, u32 n)
{
	u64 all = (u64)b << 32 | a;

	return (u32)(all >> (n < 32 ? n : 32));
}
u32 ws_ptx_slct(u32 a, u32 b, s32 c) { return c >= 0 ? a : b; }
u32 ws_ptx_slct_f32(u32 a, u32 b, float c) { return c >= 0 ? a : b; }
u32 ws_ptx_cnot(u32 a) { return a == 0; }
float ws_ptx_copysign(float sign, float of) { return __builtin_copysignf(of, sign); }
double ws_ptx_copysign_f64(double sign, double of) { return __builtin_copysign(of, sign); }
double ws_ptx_rcp_f64(double a) { return 1.0 / a; }
double ws_ptx_rsqrt_f64(double a) { return 1.0 / __builtin_sqrt(a); }
float ws_ptx_mad_f32(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

#define DOT4(NAME, A, B) \
	u32 ws_ptx_dp4a_##NAME(u32 a, u32 b, u32 c) \
	{ \
		for (u32 i = 0; i < 32; i += 8) \
			c += (u32)((s32)(A)(a >> i) * (s32)(B)(b >> i)); \
		return c; \
	} \
	u32 ws_ptx_dp2a_lo_##NAME(u32 a, u32 b, u32 c) \
	{ \
		return c + (u32)((s32)(A##w)a * (s32)(B)b) + \
		       (u32)((s32)(A##w)(a >> 16) * (s32)(B)(b >> 8)); \
	} \
	u32 ws_ptx_dp2a_hi_##NAME(u32 a, u32 b, u32 c) \
	{ \
		return ws_ptx_dp2a_lo_##NAME(a, b >> 16, c); \
	}
typedef signed char s8;
typedef short s8w;
typedef unsigned short u8w;
DOT4(ss, s8, s8)
DOT4(su, s8, u8)
DOT4(us, u8, s8)
DOT4(uu, u8, u8)

/* Numbers in a word: what each two become, how many of them there are, how wide they are. */
#define EACH(NAME, T, WIDTH, VALUE) \
	u32 ws_ptx_##NAME(u32 x, u32 y, u32 z) \
	{ \
		u32 r = 0; \
		(void)z; \
		for (u32 i = 0; i < 32; i += WIDTH) { \
			s32 a = (T)(x >> i), b = (T)(y >> i); \
			r |= ((u32)(VALUE) & (u32)((1ull << WIDTH) - 1)) << i; \
		} \
		return r; \
	}
#define EACH_KIND(NAME, VALUE) \
	EACH(NAME##2_u, u16, 16, VALUE) EACH(NAME##2_s, short, 16, VALUE) \
	EACH(NAME##4_u, u8, 8, VALUE) EACH(NAME##4_s, s8, 8, VALUE)
EACH_KIND(vadd, a + b)
EACH_KIND(vsub, a - b)
EACH_KIND(vmin, a < b ? a : b)
EACH_KIND(vmax, a > b ? a : b)
EACH_KIND(vabsdiff, a > b ? a - b : b - a)

/* ---- matrices of a warp ---------------------------------------------------------------------- */

/* Rows of 8 numbers of 16 bits: lane i's address is that of row i % 8 of matrix i / 8.  A lane
 * gets two neighbours of a row, or of a column. */
static u32 row_part(const struct meeting *m, u32 matrix)
{
	u32 l = lane();

	return *(SHARED u32 *)ws_ptx_shared((u32)m->value[8 * matrix + l / 4] + 4 * (l % 4));
}
static u32 column_part(const struct meeting *m, u32 matrix)
{
	u32 l = lane(), row = 8 * matrix + 2 * (l % 4), at = 2 * (l / 4);
	u32 low = *(SHARED u16 *)ws_ptx_shared((u32)m->value[row] + at);
	u32 high = *(SHARED u16 *)ws_ptx_shared((u32)m->value[row + 1] + at);

	return high << 16 | low;
}
#define LDMATRIX(NAME, PART) \
	void MEETS NAME##_1(u32 *to, u32 at) \
	{ \
		const struct meeting *m = __ws_warp(ALL_LANES, at); \
		to[0] = PART(m, 0); \
	} \
	void MEETS NAME##_2(u32 *to, u32 at) \
	{ \
		const struct meeting *m = __ws_warp(ALL_LANES, at); \
		to[0] = PART(m, 0); \
		to[1] = PART(m, 1); \
	} \
	void MEETS NAME##_4(u32 *to, u32 at) \
	{ \
		const struct meeting *m = __ws_warp(ALL_LANES, at); \
		to[0] = PART(m, 0); \
		to[1] = PART(m, 1); \
		to[2] = PART(m, 2); \
		to[3] = PART(m, 3); \
	}
LDMATRIX(ws_ptx_ldmatrix, row_part)
LDMATRIX(ws_ptx_ldmatrix_trans, column_part)

enum number { F16, BF16, TF32, S8, U8, S4, U4, B1 }; /* as ptx_matrix.c has them */

static float real_part(u32 word, u32 i, u32 kind)
{
	if (kind == TF32)
		return float_of(word & ~0x1fffu);
	return kind == F16 ? ws_ptx_from_f16((u16)(word >> 16 * i))
			   : ws_ptx_from_bf16((u16)(word >> 16 * i));
}
static s32 whole_part(u32 word, u32 i, u32 kind)
{
	switch (kind) {
	case S8: return (s8)(word >> 8 * i);
	case U8: return (u8)(word >> 8 * i);
	case S4: return (s32)(word << (28 - 4 * i)) >> 28;
	default: return (s32)(word >> 4 * i & 15);
	}
}
/* The words of all lanes. */
static MEETS void gather(const u32 *own, u32 words, u32 (*all)[32])
{
	for (u32 i = 0; i < words; i += 2) {
		u64 mine = own[i] | (i + 1 < words ? (u64)own[i + 1] << 32 : 0);
		const struct meeting *m = __ws_warp(ALL_LANES, mine);

		for (u32 l = 0; l < 32; l++) {
			all[i][l] = (u32)m->value[l];
			if (i + 1 < words)
				all[i + 1][l] = (u32)(m->value[l] >> 32);
		}
	}
}
/* d = a b + c of 8 * `rows` rows and 8 columns, over `words` words of 4 lanes each: element i of a
 * lane is in row lane / 4 + 8 (i / 2) and column 2 (lane % 4) + i % 2. */
void MEETS ws_ptx_mma_real(u32 kind, u32 rows, u32 words, const u32 *a, const u32 *b,
			   const float *c, float *d)
{
	u32 left[4][32], right[2][32], l = lane(), each = kind == TF32 ? 1 : 2;

	gather(a, rows * words, left);
	gather(b, words, right);
	for (u32 i = 0; i < 2 * rows; i++) {
		float sum = c[i];

		for (u32 w = 0; w < 4 * words; w++) {
			u32 x = left[w / 4 * rows + i / 2][l / 4 * 4 + w % 4];
			u32 y = right[w / 4][(2 * (l % 4) + i % 2) * 4 + w % 4];

			for (u32 k = 0; k < each; k++)
				sum += real_part(x, k, kind) * real_part(y, k, kind);
		}
		d[i] = sum;
	}
}
/* Sums that are kept as halves, two in a word. */
void MEETS ws_ptx_mma_half(u32 kind, u32 rows, u32 words, const u32 *a, const u32 *b, const u32 *c,
			   u32 *d)
{
	float from[4], to[4];

	for (u32 i = 0; i < 2 * rows; i++)
		from[i] = ws_ptx_from_f16((u16)(c[i / 2] >> 16 * (i % 2)));
	ws_ptx_mma_real(kind, rows, words, a, b, from, to);
	for (u32 i = 0; i < rows; i++)
		d[i] = (u32)ws_ptx_to_f16(to[2 * i + 1]) << 16 | ws_ptx_to_f16(to[2 * i]);
}
/* limited: sums stay within 32 bits; B1: `kind_b` is 0 for and, 1 for xor. */
void MEETS ws_ptx_mma_whole(u32 kind, u32 kind_b, u32 rows, u32 words, u32 limited, const u32 *a,
			    const u32 *b, const u32 *c, u32 *d)
{
	u32 left[4][32], right[2][32], l = lane(), each = kind == S8 || kind == U8 ? 4 : 8;

	gather(a, rows * words, left);
	gather(b, words, right);
	for (u32 i = 0; i < 2 * rows; i++) {
		s64 sum = (s32)c[i];

		for (u32 w = 0; w < 4 * words; w++) {
			u32 x = left[w / 4 * rows + i / 2][l / 4 * 4 + w % 4];
			u32 y = right[w / 4][(2 * (l % 4) + i % 2) * 4 + w % 4];

			if (kind == B1) {
				sum += __builtin_popcount(kind_b ? x ^ y : x & y);
				continue;
			}
			for (u32 k = 0; k < each; k++)
				sum += whole_part(x, k, kind) * whole_part(y, k, kind_b);
		}
		if (limited)
			sum = sum < -0x80000000ll ? -0x80000000ll : sum > 0x7fffffff ? 0x7fffffff : sum;
		d[i] = (u32)sum;
	}
}
void MEETS ws_ptx_mma_double(u32 rows, u32 words, const double *a, const double *b,
			     const double *c, double *d)
{
	double left[8][32], right[4][32];
	u32 l = lane();

	for (u32 i = 0; i < rows * words; i++) {
		const struct meeting *m = __ws_warp(ALL_LANES, __builtin_bit_cast(u64, a[i]));

		for (u32 k = 0; k < 32; k++)
			left[i][k] = __builtin_bit_cast(double, m->value[k]);
	}
	for (u32 i = 0; i < words; i++) {
		const struct meeting *m = __ws_warp(ALL_LANES, __builtin_bit_cast(u64, b[i]));

		for (u32 k = 0; k < 32; k++)
			right[i][k] = __builtin_bit_cast(double, m->value[k]);
	}
	for (u32 i = 0; i < 2 * rows; i++) {
		double sum = c[i];

		for (u32 w = 0; w < 4 * words; w++)
			sum = __builtin_fma(left[w / 4 * rows + i / 2][l / 4 * 4 + w % 4],
					    right[w / 4][(2 * (l % 4) + i % 2) * 4 + w % 4], sum);
		d[i] = sum;
	}
}
