/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One function per row of table.def, type and width, for values.c to call by name:
 *
 *	t_NAME_TYPE_WIDTH(result, second result, a, b, c, n)
 *
 * applies the built-in to n elements, n a multiple of 48; WIDTH is empty for
 * scalars.  Names of some classes say more: address space, rounding mode.  A second result,
 * and what is stored as vectors, has the stride of its type: four for vectors of three.
 * With CONVERSIONS defined, the conversions; without, all else.
 */
#define WIDTH_ 1
#define WIDTH_2 2
#define WIDTH_3 3
#define WIDTH_4 4
#define WIDTH_8 8
#define WIDTH_16 16
#define LOAD_(i, p) (p)[i]
#define LOAD_2 vload2
#define LOAD_3 vload3
#define LOAD_4 vload4
#define LOAD_8 vload8
#define LOAD_16 vload16
#define STORE_(v, i, p) ((p)[i] = (v))
#define STORE_2 vstore2
#define STORE_3 vstore3
#define STORE_4 vstore4
#define STORE_8 vstore8
#define STORE_16 vstore16
#define VECTORS(M, ...) M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__) \
	M(8, __VA_ARGS__) M(16, __VA_ARGS__)
#define WIDTHS(M, ...) M(, __VA_ARGS__) VECTORS(M, __VA_ARGS__)
#define SPACES(M, ...) M(global, __VA_ARGS__) M(local, __VA_ARGS__) M(private, __VA_ARGS__)

/* M(type, unsigned, signed) */
#define EACH_INT(M, ...) \
	M(char, uchar, char, __VA_ARGS__) M(uchar, uchar, char, __VA_ARGS__) \
	M(short, ushort, short, __VA_ARGS__) M(ushort, ushort, short, __VA_ARGS__) \
	M(int, uint, int, __VA_ARGS__) M(uint, uint, int, __VA_ARGS__) \
	M(long, ulong, long, __VA_ARGS__) M(ulong, ulong, long, __VA_ARGS__)
#define EACH(M, ...) EACH_INT(M, __VA_ARGS__) \
	M(float, uint, int, __VA_ARGS__) M(double, ulong, long, __VA_ARGS__)

#define ENTRY(TAG, N, R, A, B, C) \
	void t_##TAG##_##N(R *r, void *s, const A *a, const B *b, const C *c, ulong n)
#define LOOP(N) for (ulong i = 0; i < n / WIDTH_##N; i++)
#define ARG(N, p) LOAD_##N(i, p)

/* r = EXPRESSION, in which ARG(N, a) is a vector and a[i * N] its first element. */
#define DO(N, TAG, R, A, B, C, EXPRESSION) \
	ENTRY(TAG, N, R, A, B, C) { LOOP(N) STORE_##N(EXPRESSION, i, r); }
#define DO1(N, F, TAG, R, A) DO(N, TAG, R, A, A, A, F(ARG(N, a)))
#define DO2(N, F, TAG, R, A, B) DO(N, TAG, R, A, B, B, F(ARG(N, a), ARG(N, b)))
#define DO3(N, F, TAG, R, A, B, C) \
	DO(N, TAG, R, A, B, C, F(ARG(N, a), ARG(N, b), ARG(N, c)))
#define FIRST(N, p) (p)[i * WIDTH_##N]
#define DO2S(N, F, TAG, R, A, B) DO(N, TAG, R, A, B, B, F(ARG(N, a), FIRST(N, b)))
#define DO3S(N, F, TAG, R) DO(N, TAG, R, R, R, R, F(ARG(N, a), FIRST(N, b), FIRST(N, c)))

#ifndef CONVERSIONS
#define ON_BOTH(M, ...) M(float, __VA_ARGS__) M(double, __VA_ARGS__)
#define F1_OF(T, F) WIDTHS(DO1, F, F##_##T, T, T)
#define F2_OF(T, F) WIDTHS(DO2, F, F##_##T, T, T, T)
#define F3_OF(T, F) WIDTHS(DO3, F, F##_##T, T, T, T, T)
#define FN_OF(T, F) WIDTHS(DO2, F, F##_##T, T, T, int)
#define IF_OF(T, F) WIDTHS(DO1, F, F##_##T, int, T)
#define D_F1(F) ON_BOTH(F1_OF, F)
#define D_F2(F) ON_BOTH(F2_OF, F)
#define D_F3(F) ON_BOTH(F3_OF, F)
#define D_FN(F) ON_BOTH(FN_OF, F)
#define D_IF(F) ON_BOTH(IF_OF, F)
#define F2S_OF(T, F) VECTORS(DO2S, F, F##s_##T, T, T, T)
#define FNS_OF(T, F) VECTORS(DO2S, F, F##s_##T, T, T, int)
#define D_F2S(F) D_F2(F) ON_BOTH(F2S_OF, F)
#define D_FNS(F) D_FN(F) ON_BOTH(FNS_OF, F)
#define D_FU(F) WIDTHS(DO1, F, F##_float, float, uint) WIDTHS(DO1, F, F##_double, double, ulong)
#define D_H1(F) F1_OF(float, F)
#define D_H2(F) F2_OF(float, F)

/* mix with a scalar last, step with one first, smoothstep with two first. */
#define DO_MIX(N, F, T) DO(N, F##s_##T, T, T, T, T, F(ARG(N, a), ARG(N, b), FIRST(N, c)))
#define DO_STEP(N, F, T) DO(N, F##s_##T, T, T, T, T, F(FIRST(N, a), ARG(N, b)))
#define DO_SMOOTH(N, F, T) \
	DO(N, F##s_##T, T, T, T, T, F(FIRST(N, a), FIRST(N, b), ARG(N, c)))
#define D_F3MIX(F) D_F3(F) VECTORS(DO_MIX, F, float) VECTORS(DO_MIX, F, double)
#define D_STEP(F) D_F2(F) VECTORS(DO_STEP, F, float) VECTORS(DO_STEP, F, double)
#define D_SMOOTH(F) D_F3(F) VECTORS(DO_SMOOTH, F, float) VECTORS(DO_SMOOTH, F, double)

#define DO_OUT(N, AS, F, T, S, ...) \
	void t_##F##_##AS##_##T##_##N(T *r, AS S *s, const T *a, const T *b, const T *c, ulong n) \
	{ LOOP(N) STORE_##N(F(__VA_ARGS__, (AS S##N *)s + i), i, r); }
/* The arguments are spelt per width: a macro's own arguments are expanded before it. */
#define OUT1(N, AS, F, T, S) DO_OUT(N, AS, F, T, S, ARG(N, a))
#define OUT2(N, AS, F, T, S) DO_OUT(N, AS, F, T, S, ARG(N, a), ARG(N, b))
#define OUT1_IN(AS, F, T, S) WIDTHS(OUT1, AS, F, T, S)
#define OUT2_IN(AS, F, T, S) WIDTHS(OUT2, AS, F, T, S)
#define D_PT(F) SPACES(OUT1_IN, F, float, float) SPACES(OUT1_IN, F, double, double)
#define D_PI(F) SPACES(OUT1_IN, F, float, int) SPACES(OUT1_IN, F, double, int)
#define D_P2I(F) SPACES(OUT2_IN, F, float, int) SPACES(OUT2_IN, F, double, int)

#define ABS_OF(T, U, S, F) WIDTHS(DO1, F, F##_##T, U, T)
#define ABS2_OF(T, U, S, F) WIDTHS(DO2, F, F##_##T, U, T, T)
#define I1_OF(T, U, S, F) WIDTHS(DO1, F, F##_##T, T, T)
#define I2_OF(T, U, S, F) WIDTHS(DO2, F, F##_##T, T, T, T)
#define I3_OF(T, U, S, F) WIDTHS(DO3, F, F##_##T, T, T, T, T)
#define D_ABS(F) EACH_INT(ABS_OF, F)
#define D_ABS2(F) EACH_INT(ABS2_OF, F)
#define D_I1(F) EACH_INT(I1_OF, F)
#define D_I2(F) EACH_INT(I2_OF, F)
#define D_I3(F) EACH_INT(I3_OF, F)
#define G2S_OF(T, U, S, F) I2_OF(T, U, S, F) VECTORS(DO2S, F, F##s_##T, T, T, T)
#define G3S_OF(T, U, S, F) I3_OF(T, U, S, F) VECTORS(DO3S, F, F##s_##T, T)
#define D_G2S(F) EACH(G2S_OF, F)
#define D_G3S(F) EACH(G3S_OF, F)
#define D_M2(F) I2_OF(int, , , F) I2_OF(uint, , , F)
#define D_M3(F) I3_OF(int, , , F) I3_OF(uint, , , F)
#define D_UP(F) \
	WIDTHS(DO2, F, F##_char, short, char, uchar) WIDTHS(DO2, F, F##_uchar, ushort, uchar, uchar) \
	WIDTHS(DO2, F, F##_short, int, short, ushort) \
	WIDTHS(DO2, F, F##_ushort, uint, ushort, ushort) \
	WIDTHS(DO2, F, F##_int, long, int, uint) WIDTHS(DO2, F, F##_uint, ulong, uint, uint)

/* Truth: int for scalars, the integer of the same size for vectors. */
#define D_R1(F) DO1(, F, F##_float, int, float) VECTORS(DO1, F, F##_float, int, float) \
	DO1(, F, F##_double, int, double) VECTORS(DO1, F, F##_double, long, double)
#define D_R2(F) DO2(, F, F##_float, int, float, float) \
	VECTORS(DO2, F, F##_float, int, float, float) \
	DO2(, F, F##_double, int, double, double) VECTORS(DO2, F, F##_double, long, double, double)
#define DO_ANY(N, F, T) \
	ENTRY(F##_##T, N, int, T, T, T) { LOOP(N) r[i] = F(ARG(N, a)); }
#define D_ANY(F) WIDTHS(DO_ANY, F, char) WIDTHS(DO_ANY, F, short) WIDTHS(DO_ANY, F, int) \
	WIDTHS(DO_ANY, F, long)
#define BITS_OF(T, U, S, F) I3_OF(T, U, S, F)
#define D_BITS(F) EACH(BITS_OF, F)
#define SELECT_OF(T, U, S, F) WIDTHS(DO3, F, F##_##T, T, T, T, S) \
	WIDTHS(DO3, F, F##u_##T, T, T, T, U)
#define D_SELECT(F) EACH(SELECT_OF, F)

#define TO_ONE1(N, F, T) \
	ENTRY(F##_##T, N, T, T, T, T) { LOOP(N) r[i] = F(ARG(N, a)); }
#define TO_ONE2(N, F, T) \
	ENTRY(F##_##T, N, T, T, T, T) { LOOP(N) r[i] = F(ARG(N, a), ARG(N, b)); }
#define UP_TO_4(M, ...) M(, __VA_ARGS__) M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__)
#define D_LENQ(F) UP_TO_4(TO_ONE1, F, float)
#define D_LEN(F) D_LENQ(F) UP_TO_4(TO_ONE1, F, double)
#define D_DISTQ(F) UP_TO_4(TO_ONE2, F, float)
#define D_DIST(F) D_DISTQ(F) UP_TO_4(TO_ONE2, F, double)
#define D_DOT(F) D_DIST(F)
#define D_NORMQ(F) UP_TO_4(DO1, F, F##_float, float, float)
#define D_NORM(F) D_NORMQ(F) UP_TO_4(DO1, F, F##_double, double, double)
#define D_CROSS(F) DO2(3, F, F##_float, float, float, float) \
	DO2(4, F, F##_float, float, float, float) DO2(3, F, F##_double, double, double, double) \
	DO2(4, F, F##_double, double, double, double)

/* Element by element on the other side, so that no vload stands in for a vstore. */
#define VLOAD(N, AS, T) \
	void t_vload_##AS##_##T##_##N(T *r, void *s, const AS T *a, void *b, void *c, ulong n) \
	{ \
		LOOP(N) { \
			T##N v = vload##N(i, a); \
			for (int k = 0; k < N; k++) \
				r[i * N + k] = v[k]; \
		} \
	}
#define VSTORE(N, AS, T) \
	void t_vstore_##AS##_##T##_##N(AS T *r, void *s, const T *a, void *b, void *c, ulong n) \
	{ \
		LOOP(N) { \
			T##N v; \
			for (int k = 0; k < N; k++) \
				v[k] = a[i * N + k]; \
			vstore##N(v, i, r); \
		} \
	}
#define VLOAD_IN(AS, T) VECTORS(VLOAD, AS, T)
#define VSTORE_IN(AS, T) VECTORS(VSTORE, AS, T)
#define VLOAD_OF(T, U, S, F) SPACES(VLOAD_IN, T) VLOAD_IN(constant, T)
#define VSTORE_OF(T, U, S, F) SPACES(VSTORE_IN, T)
#define D_VLOAD(F) EACH(VLOAD_OF, F)
#define D_VSTORE(F) EACH(VSTORE_OF, F)
#define LOAD_HALF(N, AS, F) \
	void t_##F##_##AS##_##N(float *r, void *s, const AS half *a, void *b, void *c, ulong n) \
	{ LOOP(N) STORE_##N(F##N(i, a), i, r); }
#define LOAD_HALF_IN(AS, F) VECTORS(LOAD_HALF, AS, F)
#define SCALAR_LOAD_IN(AS, F) LOAD_HALF(, AS, F)
#define D_VLOADAH(F) SPACES(LOAD_HALF_IN, F) LOAD_HALF_IN(constant, F)
#define D_VLOADH(F) D_VLOADAH(F) SPACES(SCALAR_LOAD_IN, F) SCALAR_LOAD_IN(constant, F)
#define STORE_HALF(N, AS, F, M, T) \
	void t_##F##M##_##AS##_##T##_##N(AS half *r, void *s, const T *a, void *b, void *c, ulong n) \
	{ LOOP(N) F##N##M(ARG(N, a), i, r); }
#define STORE_HALF_IN(AS, F, M, T) VECTORS(STORE_HALF, AS, F, M, T)
#define SCALAR_STORE_IN(AS, F, M, T) STORE_HALF(, AS, F, M, T)
#define STORE_HALVES(T, IN, F) SPACES(IN, F, , T) SPACES(IN, F, _rte, T) \
	SPACES(IN, F, _rtz, T) SPACES(IN, F, _rtp, T) SPACES(IN, F, _rtn, T)
#define D_VSTOREAH(F) ON_BOTH(STORE_HALVES, STORE_HALF_IN, F)
#define D_VSTOREH(F) D_VSTOREAH(F) ON_BOTH(STORE_HALVES, SCALAR_STORE_IN, F)

/* n / WIDTH vectors; strided, every third. */
#define DO_COPY(N, F, T, TO, FROM, ...) \
	void t_##F##_##TO##_##T##_##N(TO T##N *r, void *s, const FROM T##N *a, void *b, void *c, \
				      ulong n) \
	{ \
		event_t e = F(r, a, n / WIDTH_##N __VA_ARGS__, 0); \
		wait_group_events(1, &e); \
	}
#define COPY_OF(T, U, S, F) WIDTHS(DO_COPY, F, T, local, global) \
	WIDTHS(DO_COPY, F, T, global, local)
#define STRIDED(N, F, T, TO, FROM) DO_COPY(N, F, T, TO, FROM, / 3, 3)
#define STRIDED_OF(T, U, S, F) WIDTHS(STRIDED, F, T, local, global) \
	WIDTHS(STRIDED, F, T, global, local)
#define DO_PREFETCH(N, F, T) \
	void t_##F##_##T##_##N(void *r, void *s, const global T##N *a, void *b, void *c, ulong n) \
	{ F(a, n / WIDTH_##N); }
#define PREFETCH_OF(T, U, S, F) WIDTHS(DO_PREFETCH, F, T)
#define D_COPY(F) EACH(COPY_OF, F)
#define D_STRIDED(F) EACH(STRIDED_OF, F)
#define D_PREFETCH(F) EACH(PREFETCH_OF, F)

#define DO_ATOM(AS, F, T, ...) \
	void t_##F##_##AS##_##T(T *r, volatile AS T *s, void *a, const T *b, const T *c, ulong n) \
	{ \
		for (ulong i = 0; i < n; i++) \
			r[i] = F(s + i __VA_ARGS__); \
	}
#define SHARED(M, ...) M(global, __VA_ARGS__) M(local, __VA_ARGS__)
#define D_ATOM1(F) SHARED(DO_ATOM, F, int) SHARED(DO_ATOM, F, uint)
#define D_ATOM2(F) SHARED(DO_ATOM, F, int, , b[i]) SHARED(DO_ATOM, F, uint, , b[i])
#define D_ATOM3(F) SHARED(DO_ATOM, F, int, , b[i], c[i]) SHARED(DO_ATOM, F, uint, , b[i], c[i])
#define D_ATOMX(F) D_ATOM2(F) SHARED(DO_ATOM, F, float, , b[i])
#define D_ATOML1(F) D_ATOM1(F) SHARED(DO_ATOM, F, long) SHARED(DO_ATOM, F, ulong)
#define D_ATOML2(F) D_ATOM2(F) SHARED(DO_ATOM, F, long, , b[i]) SHARED(DO_ATOM, F, ulong, , b[i])
#define D_ATOML3(F) D_ATOM3(F) SHARED(DO_ATOM, F, long, , b[i], c[i]) \
	SHARED(DO_ATOM, F, ulong, , b[i], c[i])

/* c is the mask: t_shuffle_TYPE_FROM_TO. */
#define DO_SHUFFLE(M, N, T, U) \
	ENTRY(shuffle_##T##_##M, N, T, T, T, U) \
	{ \
		for (ulong i = 0; i < n / 16; i++) \
			vstore##N(shuffle(vload##M(i, a), vload##N(i, c)), i, r); \
	}
#define DO_SHUFFLE2(M, N, T, U) \
	ENTRY(shuffle2_##T##_##M, N, T, T, T, U) \
	{ \
		for (ulong i = 0; i < n / 16; i++) \
			vstore##N(shuffle2(vload##M(i, a), vload##M(i, b), vload##N(i, c)), i, r); \
	}
#define FROM_TO(DOES, N, ...) DOES(2, N, __VA_ARGS__) DOES(4, N, __VA_ARGS__) \
	DOES(8, N, __VA_ARGS__) DOES(16, N, __VA_ARGS__)
#define SHUFFLES(DOES, ...) FROM_TO(DOES, 2, __VA_ARGS__) FROM_TO(DOES, 4, __VA_ARGS__) \
	FROM_TO(DOES, 8, __VA_ARGS__) FROM_TO(DOES, 16, __VA_ARGS__)
#define SHUF1_OF(T, U, S, F) SHUFFLES(DO_SHUFFLE, T, U)
#define SHUF2_OF(T, U, S, F) SHUFFLES(DO_SHUFFLE2, T, U)
#define D_SHUF1(F) EACH(SHUF1_OF, F)
#define D_SHUF2(F) EACH(SHUF2_OF, F)

#define DO_AS(N, D, S) DO1(N, as_##D##N, as_##D##_##S, D, S)
#define AS_BOTH(D, S) WIDTHS(DO_AS, D, S) WIDTHS(DO_AS, S, D)
#define D_AS(F) AS_BOTH(char, uchar) AS_BOTH(short, ushort) AS_BOTH(int, uint) \
	AS_BOTH(int, float) AS_BOTH(uint, float) AS_BOTH(long, ulong) AS_BOTH(long, double) \
	AS_BOTH(ulong, double)
#define D_CONVERT(F)
#define D_KNOWN(F)

#define BUILTIN(family, name, class, ...) D_##class(name)
#include "table.def"
#else
#define CONVERT(N, D, S, SUFFIX) \
	DO1(N, convert_##D##N##SUFFIX, convert##SUFFIX##_##D##_##S, D, S)
#define MODES(D, S, SAT) WIDTHS(CONVERT, D, S, SAT) WIDTHS(CONVERT, D, S, SAT##_rte) \
	WIDTHS(CONVERT, D, S, SAT##_rtz) WIDTHS(CONVERT, D, S, SAT##_rtp) \
	WIDTHS(CONVERT, D, S, SAT##_rtn)
#define TO_INT(S, D) MODES(D, S, ) MODES(D, S, _sat)
#define TO_FLOAT(S, D) MODES(D, S, )
#define TO_ALL(S, ...) TO_INT(S, char) TO_INT(S, uchar) TO_INT(S, short) TO_INT(S, ushort) \
	TO_INT(S, int) TO_INT(S, uint) TO_INT(S, long) TO_INT(S, ulong) TO_FLOAT(S, float) \
	TO_FLOAT(S, double)
TO_ALL(char) TO_ALL(uchar) TO_ALL(short) TO_ALL(ushort) TO_ALL(int) TO_ALL(uint)
TO_ALL(long) TO_ALL(ulong) TO_ALL(float) TO_ALL(double)
#endif
