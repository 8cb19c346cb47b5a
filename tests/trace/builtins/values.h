/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * values.h -- testing the values of built-ins: rows, inputs, and comparing.
 *
 * Any element, integer or floating point, fits a real of 113 bits exactly; so do
 * the references' results, up to far less than any bound.
 */
#ifndef WS_BUILTINS_VALUES_H
#define WS_BUILTINS_VALUES_H
#include <quadmath.h>

#include "tests/test.h"

typedef __float128 real;
enum type { CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, FLOAT, DOUBLE, TYPES };
enum { N = 48 * 64, ROOM = N * 16 }; /* elements a call, bytes of a buffer */
#define EXACT 0
#define ROUNDED 0.5
#define NONE -1

/* One element: arguments in, expected results out. */
struct element {
	enum type type;
	bool vector; /* one of a vector's */
	real x[3], want, want2;
	real slack; /* an absolute error that is fine */
	bool skip;  /* the specification leaves it open */
	bool any_zero; /* either sign */
};

struct row {
	const char *family, *name;
	void (*run)(const struct row *row);
	double bound[2]; /* float, double */
	double low, high;
};

struct reference {
	const char *name;
	void (*value)(struct element *e);
};

/* Worst error in ulps and elements compared, over one row. */
struct tally {
	double worst[2];
	uint64_t compared, bad;
};

extern const char *const type_names[TYPES];
extern const size_t type_size[TYPES];
extern const int widths[6];
extern const char *const width_names[6], *const spaces[4];
extern uint8_t in[3][ROOM], out[2][2][ROOM]; /* arguments; scalars' and vectors' results */
extern struct tally tally;

real get(enum type type, const void *p, size_t i);
void put(enum type type, void *p, size_t i, real v);
bool is_signed(enum type type);
real least(enum type type); /* of integers */
real most(enum type type);
real to_type(enum type type, real v); /* to the nearest */
real random_value(const struct row *row, enum type type);
void fill(const struct row *row, enum type type, unsigned arg, unsigned arity);
WS_PRINTF(7, 8)
void call(void *r, void *s, const void *a, const void *b, const void *c, uint64_t n,
	  const char *name, ...);
bool compare(const struct row *row, enum type type, real got, const struct element *e, real want);
void (*reference(const char *name))(struct element *e);
uint64_t random_u64(void);

/* Runners of the classes that do not work element by element: structured.c. */
#define RUNNER(name) void run_##name(const struct row *row);
RUNNER(ANY) RUNNER(BITS) RUNNER(CROSS) RUNNER(DOT) RUNNER(LEN) RUNNER(DIST) RUNNER(NORM)
RUNNER(CONVERT) RUNNER(AS) RUNNER(VLOAD) RUNNER(VSTORE) RUNNER(VLOADH) RUNNER(VLOADAH)
RUNNER(VSTOREH) RUNNER(VSTOREAH) RUNNER(COPY) RUNNER(STRIDED) RUNNER(PREFETCH) RUNNER(ATOM1)
RUNNER(SHUF1) RUNNER(SHUF2) RUNNER(KNOWN)
#define run_LENQ run_LEN
#define run_DISTQ run_DIST
#define run_NORMQ run_NORM
#define run_ATOM2 run_ATOM1
#define run_ATOM3 run_ATOM1
#define run_ATOMX run_ATOM1
#define run_ATOML1 run_ATOM1
#define run_ATOML2 run_ATOM1
#define run_ATOML3 run_ATOM1
#endif
