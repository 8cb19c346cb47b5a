/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The value of every built-in of table.def against reference.c and the bounds there.
 * Scalars are compared with the reference; vectors, element by element, with
 * scalars, bit for bit.  Prints TAP, a line per row, and a summary per family.
 */
#define _GNU_SOURCE
#include "tests/trace/builtins/values.h"

#include <dlfcn.h>

const char *const type_names[TYPES] = { "char", "uchar", "short", "ushort", "int",
					"uint", "long",	 "ulong", "float",  "double" };
const size_t type_size[TYPES] = { 1, 1, 2, 2, 4, 4, 8, 8, 4, 8 };
const int widths[6] = { 1, 2, 3, 4, 8, 16 };
const char *const width_names[6] = { "", "2", "3", "4", "8", "16" };
const char *const spaces[4] = { "global", "local", "private", "constant" };
uint8_t in[3][ROOM] __attribute__((aligned(128)));
uint8_t out[2][2][ROOM] __attribute__((aligned(128)));
struct tally tally;
static struct ws_rng rng;

uint64_t random_u64(void)
{
	return ws_rng_u64(&rng);
}

/* ---- elements ---------- */

#define ACCESS(T) { T v; memcpy(&v, (const T *)p + i, sizeof(v)); return v; }

real get(enum type type, const void *p, size_t i)
{
	switch (type) {
	case CHAR: ACCESS(int8_t)
	case UCHAR: ACCESS(uint8_t)
	case SHORT: ACCESS(int16_t)
	case USHORT: ACCESS(uint16_t)
	case INT: ACCESS(int32_t)
	case UINT: ACCESS(uint32_t)
	case LONG: ACCESS(int64_t)
	case ULONG: ACCESS(uint64_t)
	case FLOAT: ACCESS(float)
	default: ACCESS(double)
	}
}

void put(enum type type, void *p, size_t i, real v)
{
	char *at = (char *)p + i * type_size[type];
	float f = (float)v;
	double d = (double)v;
	uint64_t raw = type >= FLOAT ? 0 : v < 0 ? (uint64_t)(int64_t)v : (uint64_t)v;

	memcpy(at, type == FLOAT ? (void *)&f : type == DOUBLE ? (void *)&d : (void *)&raw,
	       type_size[type]);
}

bool is_signed(enum type type)
{
	return type >= FLOAT || type % 2 == 0;
}

real most(enum type type)
{
	return (real)(UINT64_MAX >> (64 - type_size[type] * 8 + is_signed(type)));
}

real least(enum type type)
{
	return is_signed(type) ? -most(type) - 1 : 0;
}

real to_type(enum type type, real v)
{
	return type == FLOAT ? (real)(float)v : (real)(double)v;
}

/* ---- inputs ---------- */

static const double special_floats[] = {
	0, 0.5, 1, 1.5, 2, 2.5, 3, 0.25, 1e-3, 10, 100.5, 0x1p-149, 0x1.fffffcp-127, 0x1p-126,
	0x1.000002p0, 0x1.fffffep-1, 0x1.921fb6p1, 0x1.921fb6p0, 0x1.fffffep127, 0x1p127, 8388607.5,
	8388608, 16777216, 1e10, 88.7, 103.9, INFINITY, NAN,
};
static const double special_doubles[] = {
	0, 0.5, 1, 1.5, 2, 2.5, 3, 0.25, 1e-3, 10, 100.5, 0x1p-1074, 0x1.ffffffffffffep-1023,
	0x1p-1022, 0x1.0000000000001p0, 0x1.fffffffffffffp-1, M_PI, M_PI_2, 0x1.fffffffffffffp1023,
	0x1p1023, 4503599627370495.5, 4503599627370496, 0x1p53, 1e22, 709.7, 745.1, INFINITY, NAN,
};
enum { SPECIALS = 2 * sizeof(special_floats) / sizeof special_floats[0] }; /* both signs */

static real special(enum type type, uint64_t i)
{
	int64_t near = (int64_t)(i / 4 % (SPECIALS / 4));

	if (type >= FLOAT) {
		double v = (type == FLOAT ? special_floats
					  : special_doubles)[i / 2 % (SPECIALS / 2)];

		return i % 2 ? -v : v;
	}
	switch (i % 4) {
	case 0: return most(type) - near;
	case 1: return least(type) + near;
	case 2: return near;
	default: return is_signed(type) ? -near : (real)(1ull << (type_size[type] * 8 - 1)) - near;
	}
}

real random_value(const struct row *row, enum type type)
{
	uint64_t bits = random_u64(), how = random_u64();
	double at = row->low + (row->high - row->low) * ws_rng_double(&rng);
	uint8_t raw[8];

	if (how % 8 == 0)
		return special(type, bits % SPECIALS);
	if (type < FLOAT)
		bits >>= how / 8 % (type_size[type] * 8);
	memcpy(raw, &bits, 8);
	if (type < FLOAT || how % 8 < 3)
		return get(type, raw, 0);
	if (how % 8 == 3)
		at = rint(2 * at) / 2;
	else if (how % 8 == 4)
		at = ldexp(at, -(int)(how / 8 % 40));
	return to_type(type, at);
}

/* Argument number arg: special values in all combinations with each other's, then random. */
void fill(const struct row *row, enum type type, unsigned arg, unsigned arity)
{
	uint64_t stride = 1, grid = arity == 1 ? SPECIALS : N / 2;

	for (unsigned i = 0; i < arg; i++)
		stride *= SPECIALS;
	for (uint64_t i = 0; i < N; i++) {
		uint64_t k = i / stride % SPECIALS;

		/* Of three arguments, combinations by chance. */
		if (arity == 3)
			k = random_u64() % SPECIALS;
		put(type, in[arg], i, i < grid ? special(type, k) : random_value(row, type));
	}
}

/* ---- calling and comparing ---------- */

void call(void *r, void *s, const void *a, const void *b, const void *c, uint64_t n,
	  const char *name, ...)
{
	char text[120];
	va_list ap;
	void *found;
	void (*entry)(void *, void *, const void *, const void *, const void *, uint64_t);

	va_start(ap, name);
	vsnprintf(text, sizeof(text), name, ap);
	va_end(ap);
	found = dlsym(NULL, text);
	if (!found) {
		printf("Bail out! no %s in device.cl\n", text);
		exit(1);
	}
	memcpy(&entry, &found, sizeof(entry));
	entry(r, s, a, b, c, n);
}

/* Section 7.4's unit at a value: the distance of the two numbers around it. */
static double error_in_ulps(enum type type, real got, real want)
{
	int digits = type == FLOAT ? 24 : 53, low = type == FLOAT ? -126 : -1022, e;
	real over = ldexpq(1, type == FLOAT ? 128 : 1024);

	if (fabsq(want) >= over)
		want = copysignq(over, want);
	if (isinfq(got))
		got = copysignq(over, got);
	e = want == 0 ? low : ilogbq(want);
	e = e < low ? low : e >= 1 - low ? -low + 1 : e;
	return (double)(fabsq(got - want) / ldexpq(1, e - digits + 1));
}

static bool same(real a, real b, bool any_zero)
{
	if (isnanq(a) || isnanq(b))
		return isnanq(a) && isnanq(b);
	return a == b && (any_zero || a != 0 || !signbitq(a) == !signbitq(b));
}

static bool good(const struct row *row, enum type type, real got, const struct element *e,
		 real want)
{
	bool wide = e->type == DOUBLE;
	double bound = type < FLOAT ? EXACT : row->bound[wide], error;

	if (type < FLOAT || isnanq(want) || bound == EXACT)
		return same(got, want, e->any_zero || type < FLOAT);
	if (bound == ROUNDED) {
		tally.worst[wide] = fmax(tally.worst[wide], error_in_ulps(type, got, want));
		return same(got, to_type(type, want), e->any_zero);
	}
	if (isnanq(got))
		return false;
	if (bound == NONE)
		return to_type(type, want) == got || fabsq(got - want) <= e->slack;
	error = want == 0 && got == 0 && !same(got, want, false) ? INFINITY :
								     error_in_ulps(type, got, want);
	tally.worst[wide] = fmax(tally.worst[wide], error);
	return error <= bound;
}

bool compare(const struct row *row, enum type type, real got, const struct element *e, real want)
{
	bool fine = e->skip || good(row, type, got, e, want);

	tally.compared += !e->skip;
	if (!fine && tally.bad++ < 3)
		printf("# %s of %s: (%.9a, %.9a, %.9a) = %a, want %a\n", row->name,
		       type_names[e->type], (double)e->x[0], (double)e->x[1], (double)e->x[2],
		       (double)got, (double)want);
	return fine;
}

/* ---- built-ins that work element by element ---------- */

/* Types of arguments and result: T the row's, i int, s and u signed and unsigned
 * of the same size, w twice as wide, m T within 24 bits, - none. */
struct class {
	const char *args;
	char result, second;
	bool by_width; /* vectors' results are not the scalars' */
	unsigned scalars; /* a bit per argument that may be a scalar, in names with s */
	enum type first, last;
	const char *suffix; /* of the name */
};

static enum type type_of(char code, enum type type, bool vector)
{
	switch (code) {
	case 'i': return INT;
	case 't': return !vector || type == FLOAT ? INT : LONG; /* truth */
	case 's': return type == FLOAT ? INT : type == DOUBLE ? LONG : type & ~1u;
	case 'u': return type == FLOAT ? UINT : type == DOUBLE ? ULONG : type | 1u;
	case 'w': return type + 2;
	default: return type;
	}
}

static struct element element(const struct class *class, enum type type, size_t i, bool vector)
{
	struct element e = { .type = type, .vector = vector };

	for (unsigned k = 0; class->args[k]; k++)
		e.x[k] = get(type_of(class->args[k], type, false), in[k], i);
	return e;
}

static void check_results(const struct row *row, const struct class *class, enum type type,
			  int width)
{
	void (*value)(struct element *e) = reference(row->name);
	bool vector = width > 1;
	enum type result = type_of(class->result, type, vector);
	enum type second = type_of(class->second, type, vector);
	size_t stride = width == 3 ? 4 : (size_t)width;

	for (size_t i = 0; i < N; i++) {
		struct element e = element(class, type, i, vector);
		size_t at = i / (size_t)width * stride + i % (size_t)width;

		value(&e);
		compare(row, result, get(result, out[vector][0], i), &e, e.want);
		if (class->second == '-' || (second == INT && isnanq(e.want2)))
			continue;
		e.slack = 0;
		compare(row, second, get(second, out[vector][1], at), &e, e.want2);
	}
}

/* Bits of vectors against bits of scalars. */
static void check_widths(const struct row *row, const struct class *class, enum type type,
			 int width)
{
	enum type result = type_of(class->result, type, true);
	enum type second = type_of(class->second, type, true);
	size_t stride = width == 3 ? 4 : (size_t)width;

	for (size_t i = 0; i < N; i++) {
		struct element e = element(class, type, i, true);
		size_t at = i / (size_t)width * stride + i % (size_t)width;
		bool fine = same(get(result, out[1][0], i), get(result, out[0][0], i), false);

		if (class->second != '-')
			fine &= same(get(second, out[1][1], at), get(second, out[0][1], i), false);
		tally.compared++;
		if (!fine && tally.bad++ < 3)
			printf("# %s of %s%d is not the scalar's: (%a, %a, %a)\n", row->name,
			       type_names[type], width, (double)e.x[0], (double)e.x[1],
			       (double)e.x[2]);
	}
}

static void call_widths(const struct row *row, const struct class *class, enum type type,
			const char *space, const char *s)
{
	for (unsigned w = *s ? 1 : 0; w < 6; w++) {
		memset(out[w > 0], 0xa5, sizeof out[0]);
		call(out[w > 0][0], out[w > 0][1], in[0], in[1], in[2], N, "t_%s%s%s%s_%s_%s",
		     row->name, s, class->suffix, space, type_names[type], width_names[w]);
		if (w == 0 || class->by_width)
			check_results(row, class, type, widths[w]);
		else
			check_widths(row, class, type, widths[w]);
	}
}

static void fill_all(const struct row *row, const struct class *class, enum type type)
{
	unsigned arity = (unsigned)strlen(class->args);

	for (unsigned k = 0; k < arity; k++) {
		enum type of = type_of(class->args[k], type, false);

		fill(row, of, k, arity);
		for (size_t i = 0; class->args[k] == 'm' && k < 2 && i < N; i++)
			put(of, in[k], i, floorq(get(of, in[k], i) / 256));
	}
}

static void elementwise(const struct row *row, const struct class *class)
{
	for (enum type type = class->first; type <= class->last; type++) {
		fill_all(row, class, type);
		if (class->second != '-') {
			for (unsigned s = 0; s < 3; s++) {
				char space[16];

				snprintf(space, sizeof(space), "_%s", spaces[s]);
				call_widths(row, class, type, space, "");
			}
			continue;
		}
		call_widths(row, class, type, "", "");
		if (!class->scalars)
			continue;
		/* 48 elements have the same scalar, whatever the width. */
		for (unsigned k = 0; class->args[k]; k++) {
			enum type of = type_of(class->args[k], type, false);

			for (size_t i = 0; class->scalars >> k & 1 && i < N; i++)
				put(of, in[k], i, get(of, in[k], i / 48 * 48));
		}
		call(out[0][0], out[0][1], in[0], in[1], in[2], N, "t_%s_%s_", row->name,
		     type_names[type]);
		check_results(row, class, type, 1);
		call_widths(row, class, type, "", "s");
	}
}

#define CLASS(name, args, result, second, by_width, scalars, first, last) \
	static void run_##name(const struct row *row) \
	{ \
		elementwise(row, &(struct class){ args, result, second, by_width, scalars, first, \
						  last, "" }); \
	}
CLASS(F1, "T", 'T', '-', false, 0, FLOAT, DOUBLE)
CLASS(F2, "TT", 'T', '-', false, 0, FLOAT, DOUBLE)
CLASS(F3, "TTT", 'T', '-', false, 0, FLOAT, DOUBLE)
CLASS(F2S, "TT", 'T', '-', false, 2, FLOAT, DOUBLE)
CLASS(FN, "Ti", 'T', '-', false, 0, FLOAT, DOUBLE)
CLASS(FNS, "Ti", 'T', '-', false, 2, FLOAT, DOUBLE)
CLASS(IF, "T", 'i', '-', false, 0, FLOAT, DOUBLE)
CLASS(FU, "u", 'T', '-', false, 0, FLOAT, DOUBLE)
CLASS(H1, "T", 'T', '-', false, 0, FLOAT, FLOAT)
CLASS(H2, "TT", 'T', '-', false, 0, FLOAT, FLOAT)
CLASS(PT, "T", 'T', 'T', false, 0, FLOAT, DOUBLE)
CLASS(PI, "T", 'T', 'i', false, 0, FLOAT, DOUBLE)
CLASS(P2I, "TT", 'T', 'i', false, 0, FLOAT, DOUBLE)
CLASS(F3MIX, "TTT", 'T', '-', false, 4, FLOAT, DOUBLE)
CLASS(STEP, "TT", 'T', '-', false, 1, FLOAT, DOUBLE)
CLASS(SMOOTH, "TTT", 'T', '-', false, 3, FLOAT, DOUBLE)
CLASS(ABS, "T", 'u', '-', false, 0, CHAR, ULONG)
CLASS(ABS2, "TT", 'u', '-', false, 0, CHAR, ULONG)
CLASS(I1, "T", 'T', '-', false, 0, CHAR, ULONG)
CLASS(I2, "TT", 'T', '-', false, 0, CHAR, ULONG)
CLASS(I3, "TTT", 'T', '-', false, 0, CHAR, ULONG)
CLASS(G2S, "TT", 'T', '-', false, 2, CHAR, DOUBLE)
CLASS(G3S, "TTT", 'T', '-', false, 6, CHAR, DOUBLE)
CLASS(M2, "mm", 'T', '-', false, 0, INT, UINT)
CLASS(M3, "mmT", 'T', '-', false, 0, INT, UINT)
CLASS(UP, "Tu", 'w', '-', false, 0, CHAR, UINT)
CLASS(R1, "T", 't', '-', true, 0, FLOAT, DOUBLE)
CLASS(R2, "TT", 't', '-', true, 0, FLOAT, DOUBLE)

static void run_SELECT(const struct row *row)
{
	elementwise(row, &(struct class){ "TTs", 'T', '-', true, 0, CHAR, DOUBLE, "" });
	elementwise(row, &(struct class){ "TTu", 'T', '-', true, 0, CHAR, DOUBLE, "u" });
}

/* ---- the table ---------- */

#define BUILTIN(family, name, class, f, d, low, high) \
	{ #family, #name, run_##class, { f, d }, low, high },
static const struct row rows[] = {
#include "tests/trace/builtins/table.def"
};
enum { ROWS = sizeof(rows) / sizeof rows[0] };

static void summary(const struct tally *family, const char *name, unsigned count)
{
	printf("# %s: %u built-ins, %" PRIu64 " values, worst error %.3g ulp of float, %.3g of "
	       "double\n", name, count, family->compared, family->worst[0], family->worst[1]);
}

int main(void)
{
	struct tally family = { { 0, 0 }, 0, 0 };
	uint64_t all = 0;
	unsigned count = 0;

	ws_rng_seed(&rng, test_seed(11));
	for (size_t i = 0; i < ROWS; i++) {
		const struct row *row = &rows[i];

		tally = (struct tally){ { 0, 0 }, 0, 0 };
		row->run(row);
		test_ok(tally.bad == 0 && (tally.compared || row->run == run_KNOWN),
			"%s %s: %" PRIu64 " values, %" PRIu64 " wrong, worst %.3g %.3g ulp of %g "
			"%g", row->family, row->name, tally.compared, tally.bad, tally.worst[0],
			tally.worst[1], row->bound[0], row->bound[1]);
		count++;
		family.compared += tally.compared;
		all += tally.compared;
		family.worst[0] = fmax(family.worst[0], tally.worst[0]);
		family.worst[1] = fmax(family.worst[1], tally.worst[1]);
		if (i + 1 == ROWS || strcmp(row->family, rows[i + 1].family) != 0) {
			summary(&family, row->family, count);
			family = (struct tally){ { 0, 0 }, 0, 0 };
			count = 0;
		}
	}
	printf("# all: %d built-ins, %" PRIu64 " values compared\n", (int)ROWS, all);
	return test_done();
}
