/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Built-ins that do not work element by element: conversions, memory, shuffles,
 * atomics, geometry.  Every width is compared with the expected value.
 */
#include "tests/trace/builtins/values.h"

static const struct row any_bits = { .low = -300, .high = 300 };

static void random_bytes(void *p, size_t n)
{
	for (size_t i = 0; i < n; i += 8) {
		uint64_t bits = random_u64();

		memcpy((char *)p + i, &bits, n - i < 8 ? n - i : 8);
	}
}

/* Compares bytes with what they should be; counted as elements of that size. */
static void same_bytes(const struct row *row, const char *what, const void *got, const void *want,
		       size_t count, size_t size)
{
	tally.compared += count;
	for (size_t i = 0; i < count; i++)
		if (memcmp((const char *)got + i * size, (const char *)want + i * size, size) !=
			    0 &&
		    tally.bad++ < 3)
			printf("# %s, %s: element %zu\n", row->name, what, i);
}

static void expect(const struct row *row, enum type type, size_t i, real got, real want)
{
	struct element e = { .type = type, .x = { (real)i } };

	compare(row, type, got, &e, want);
}

/* ---- relational ---------- */

void run_ANY(const struct row *row)
{
	bool all = strcmp(row->name, "all") == 0;

	for (enum type type = CHAR; type <= LONG; type += 2)
		for (unsigned w = 0; w < 6; w++) {
			size_t width = (size_t)widths[w];

			fill(&any_bits, type, 0, 1);
			for (size_t i = 0; i < N; i++) /* uniform in most vectors but one place */
				if (random_u64() % 8)
					put(type, in[0], i, i / width % 2 ? 1 : -1);
			call(out[0][0], NULL, in[0], NULL, NULL, N, "t_%s_%s_%s", row->name,
			     type_names[type], width_names[w]);
			for (size_t i = 0; i < N / width; i++) {
				size_t negative = 0;

				for (size_t k = 0; k < width; k++)
					negative += get(type, in[0], i * width + k) < 0;
				expect(row, INT, i, get(INT, out[0][0], i),
				       all ? negative == width : negative > 0);
			}
		}
}

void run_BITS(const struct row *row)
{
	static uint8_t want[N * 8];

	for (enum type type = CHAR; type < TYPES; type++)
		for (unsigned w = 0; w < 6; w++) {
			for (unsigned k = 0; k < 3; k++)
				random_bytes(in[k], N * 8);
			for (size_t i = 0; i < sizeof(want); i++)
				want[i] = (in[0][i] & (uint8_t)~in[2][i]) | (in[1][i] & in[2][i]);
			call(out[0][0], NULL, in[0], in[1], in[2], N, "t_%s_%s_%s", row->name,
			     type_names[type], width_names[w]);
			same_bytes(row, type_names[type], out[0][0], want, N, type_size[type]);
		}
}

/* ---- geometry ---------- */

/* Vectors from the smallest numbers to the largest; middle: no product overflows or vanishes. */
static void fill_vectors(const struct row *row, enum type type, unsigned arg, size_t width,
			 bool middle)
{
	int range = (type == FLOAT ? 126 : 1022) / (middle ? 4 : 1), e = 0;

	for (size_t i = 0; i < N; i++) {
		double v = row->low +
			   (row->high - row->low) * (double)(random_u64() >> 11) * 0x1p-53;

		if (i % width == 0)
			e = (int)(random_u64() % (uint64_t)(2 * range)) - range;
		if (random_u64() % 16 == 0)
			v = 0;
		put(type, in[arg], i, to_type(type, ldexpq(v, e - 5)));
	}
}

static real length_of(const real *v, size_t width)
{
	real sum = 0;

	for (size_t k = 0; k < width; k++)
		sum += v[k] * v[k];
	return sqrtq(sum);
}

/* Reads vector i of argument arg; gives its largest magnitude. */
static real vector(enum type type, unsigned arg, size_t i, size_t width, real *v)
{
	real largest = 0;

	for (size_t k = 0; k < width; k++) {
		v[k] = get(type, in[arg], i * width + k);
		largest = fmaxq(largest, fabsq(v[k]));
	}
	return largest;
}

typedef void check_vector(const struct row *row, enum type type, size_t i, size_t width);

static void geometric(const struct row *row, bool middle, unsigned from, check_vector *check)
{
	bool quick = strncmp(row->name, "fast_", 5) == 0;

	for (enum type type = FLOAT; type <= (quick ? FLOAT : DOUBLE); type++)
		for (unsigned w = from; w < 4; w++) {
			fill_vectors(row, type, 0, (size_t)widths[w], middle);
			fill_vectors(row, type, 1, (size_t)widths[w], middle);
			call(out[0][0], NULL, in[0], in[1], NULL, N, "t_%s_%s_%s", row->name,
			     type_names[type], width_names[w]);
			for (size_t i = 0; i < N / (size_t)widths[w]; i++)
				check(row, type, i, (size_t)widths[w]);
		}
}

/* The row's bound and so much for each component. */
static void near(const struct row *row, enum type type, real got, real want, double more)
{
	struct row mine = *row;
	struct element e = { .type = type };

	mine.bound[type == DOUBLE] += more;
	compare(&mine, type, got, &e, want);
}

/* max * max * count * epsilon. */
static void within(const struct row *row, enum type type, real got, real want, real largest,
		   double count)
{
	struct element e = { .type = type };

	e.slack = largest * largest * count * (type == FLOAT ? 0x1p-23 : 0x1p-52);
	compare(row, type, got, &e, want);
}

static void check_length(const struct row *row, enum type type, size_t i, size_t width)
{
	bool quick = row->bound[0] > 100;
	real v[4];

	vector(type, 0, i, width, v);
	near(row, type, get(type, out[0][0], i), length_of(v, width),
	     (double)width * (quick ? 1 : 0.5));
}

static void check_distance(const struct row *row, enum type type, size_t i, size_t width)
{
	real a[4], b[4];

	vector(type, 0, i, width, a);
	vector(type, 1, i, width, b);
	for (size_t k = 0; k < width; k++)
		a[k] -= b[k];
	near(row, type, get(type, out[0][0], i), length_of(a, width), 2 * (double)width);
}

static void check_normalize(const struct row *row, enum type type, size_t i, size_t width)
{
	real v[4], size;

	vector(type, 0, i, width, v);
	size = length_of(v, width);
	for (size_t k = 0; k < width; k++)
		near(row, type, get(type, out[0][0], i * width + k), size > 0 ? v[k] / size : v[k],
		     (double)width);
}

static void check_dot(const struct row *row, enum type type, size_t i, size_t width)
{
	real a[4], b[4], sum = 0, largest = vector(type, 0, i, width, a);

	largest = fmaxq(largest, vector(type, 1, i, width, b));
	for (size_t k = 0; k < width; k++)
		sum += a[k] * b[k];
	within(row, type, get(type, out[0][0], i), sum, largest, 2 * (double)width - 1);
}

static void check_cross(const struct row *row, enum type type, size_t i, size_t width)
{
	real a[4], b[4], largest = vector(type, 0, i, width, a);

	largest = fmaxq(largest, vector(type, 1, i, width, b));
	for (size_t k = 0; k < width; k++) {
		size_t p = (k + 1) % 3, q = (k + 2) % 3;
		real want = k == 3 ? 0 : a[p] * b[q] - a[q] * b[p];

		within(row, type, get(type, out[0][0], i * width + k), want, largest, 3);
	}
}

void run_LEN(const struct row *row) { geometric(row, false, 0, check_length); }
void run_DIST(const struct row *row) { geometric(row, false, 0, check_distance); }
void run_NORM(const struct row *row) { geometric(row, false, 0, check_normalize); }
void run_DOT(const struct row *row) { geometric(row, true, 0, check_dot); }
void run_CROSS(const struct row *row) { geometric(row, true, 2, check_cross); }

/* ---- conversions ---------- */

static const char *const modes[5] = { "", "_rte", "_rtz", "_rtp", "_rtn" };
enum { NEAREST = 1, ZERO, UP, DOWN };

/* v in the floating-point type, by the mode (default: to nearest). */
static real rounded(enum type type, real v, int mode)
{
	real r = to_type(type, v), to = mode == UP ? (real)INFINITY : -(real)INFINITY;
	bool off = mode == UP ? r < v : mode == DOWN ? r > v : mode == ZERO && fabsq(r) > fabsq(v);

	if (!off)
		return r;
	to = mode == ZERO ? 0 : to;
	return type == FLOAT ? (real)nextafterf((float)r, (float)to) :
			       (real)nextafter((double)r, (double)to);
}

static void converted(struct element *e, enum type to, bool saturated, int mode)
{
	real v = e->x[0], whole = v;
	uint8_t raw[8];

	if (to >= FLOAT) {
		e->want = isnanq(v) ? v : rounded(to, v, mode);
		return;
	}
	whole = mode == NEAREST ? rintq(v)
		: mode == UP    ? ceilq(v)
		: mode == DOWN  ? floorq(v)
				: truncq(v);
	if (saturated) {
		e->want = isnanq(v) ? 0 : whole < least(to) ? least(to) :
					  whole > most(to)  ? most(to) : whole;
	} else if (e->type >= FLOAT) { /* out of range: anything */
		e->skip = !(whole >= least(to) && whole <= most(to));
		e->want = whole;
	} else { /* the low bits */
		put(e->type, raw, 0, v);
		memset(raw + type_size[e->type], v < 0 ? 0xff : 0, 8 - type_size[e->type]);
		e->want = get(to, raw, 0);
	}
	e->any_zero = true;
}

static void check_conversion(const struct row *row, enum type to, enum type from, bool saturated,
			     int mode)
{
	enum { SOME = 48 * 16 };

	for (unsigned w = 0; w < 6; w++) {
		call(out[0][0], NULL, in[0], NULL, NULL, SOME, "t_convert%s%s_%s_%s_%s",
		     saturated ? "_sat" : "", modes[mode], type_names[to], type_names[from],
		     width_names[w]);
		for (size_t i = 0; i < SOME; i++) {
			struct element e = { .type = from, .x = { get(from, in[0], i) } };

			converted(&e, to, saturated, mode);
			compare(row, to, get(to, out[0][0], i), &e, e.want);
		}
	}
}

void run_CONVERT(const struct row *row)
{
	for (enum type from = CHAR; from < TYPES; from++) {
		fill(&any_bits, from, 0, 1);
		for (size_t i = 0; from >= FLOAT && i < N; i += 2) { /* about the ends of
								      * integers */
			real half = (real)((int64_t)(random_u64() % 9) - 4) / 2;

			if (i >= 112)
				put(from, in[0], i,
				    (i % 4 ? -1 : 1) * (half + ldexpq(1, i / 4 % 66)));
		}
		for (enum type to = CHAR; to < TYPES; to++)
			for (int mode = 0; mode < 5; mode++) {
				check_conversion(row, to, from, false, mode);
				if (to < FLOAT)
					check_conversion(row, to, from, true, mode);
			}
	}
}

void run_AS(const struct row *row)
{
	for (enum type to = CHAR; to < TYPES; to++)
		for (enum type from = CHAR; from < TYPES; from++)
			for (unsigned w = 0; w < 6; w++) {
				if (to == from || type_size[to] != type_size[from])
					continue;
				random_bytes(in[0], N * 8);
				call(out[0][0], NULL, in[0], NULL, NULL, N, "t_as_%s_%s_%s",
				     type_names[to], type_names[from], width_names[w]);
				same_bytes(row, type_names[to], out[0][0], in[0], N, type_size[to]);
			}
}

/* ---- vectors in memory ---------- */

/* At an address aligned as one element is; nothing beyond it is written. */
static void memory(const struct row *row, bool load)
{
	for (enum type type = CHAR; type < TYPES; type++)
		for (unsigned s = 0; s < (load ? 4 : 3); s++)
			for (unsigned w = 1; w < 6; w++) {
				size_t size = type_size[type], i = load ? size : 0,
				       o = load ? 0 : size;

				random_bytes(in[0], ROOM);
				memset(out[0][0], 0xa5, ROOM);
				call(out[0][0] + o, NULL, in[0] + i, NULL, NULL, N, "t_%s_%s_%s_%s",
				     row->name, spaces[s], type_names[type], width_names[w]);
				same_bytes(row, type_names[type], out[0][0] + o, in[0] + i, N,
					   size);
				if (out[0][0][o + N * size] != 0xa5)
					tally.bad++;
			}
}

void run_VLOAD(const struct row *row) { memory(row, true); }
void run_VSTORE(const struct row *row) { memory(row, false); }

static real half_value(uint16_t h)
{
	int e = h >> 10 & 31, m = h & 1023;
	real v = e == 31 ? (m ? (real)NAN : (real)INFINITY)
			 : ldexpq(e ? m + 1024 : m, (e ? e : 1) - 25);

	return h >> 15 ? -v : v;
}

/* By search: the halves' bits are in the order of their magnitudes. */
static uint16_t to_half(real v, int mode)
{
	uint16_t sign = signbitq(v) ? 0x8000 : 0, low = 0, high = 0x7c00;
	real a = fabsq(v), below, above;
	bool away;

	if (isnanq(v))
		return 0x7e00;
	while (high - low > 1) {
		uint16_t middle = (uint16_t)((low + high) / 2);

		if (half_value(middle) <= a)
			low = middle;
		else
			high = middle;
	}
	if (isinfq(a))
		return sign | 0x7c00;
	below = half_value(low);
	above = high == 0x7c00 ? 65536 : half_value(high);
	away = mode == ZERO ? false : mode == UP ? !sign : mode == DOWN ? sign :
	       a - below > above - a || (a - below == above - a && low % 2);
	return sign | (a > below && away ? high : low);
}

static size_t place(size_t i, size_t width, bool aligned)
{
	return i / width * (aligned && width == 3 ? 4 : width) + i % width;
}

void run_VLOADH(const struct row *row)
{
	bool aligned = strcmp(row->name, "vloada_half") == 0;

	for (uint32_t base = 0; base < 65536; base += N)
		for (unsigned s = 0; s < 4; s++)
			for (unsigned w = aligned; w < 6; w++) {
				size_t width = (size_t)widths[w];

				for (size_t i = 0; i < N; i++)
					put(USHORT, in[0], place(i, width, aligned),
					    (uint16_t)(base + i));
				call(out[0][0], NULL, in[0], NULL, NULL, N, "t_%s_%s_%s", row->name,
				     spaces[s], width_names[w]);
				for (size_t i = 0; i < N; i++)
					expect(row, FLOAT, i, get(FLOAT, out[0][0], i),
					       half_value((uint16_t)(base + i)));
			}
}

/* Halves, their halfway points, and one step of float to each side of either; then random. */
static void fill_for_halves(enum type type)
{
	for (size_t i = 0; i < N; i++) {
		uint16_t h = (uint16_t)random_u64();
		real v = half_value(h), w = (v + half_value((uint16_t)(h + 1))) / 2;
		real tiny = 1 + (real)((int)(i % 3) - 1) * (type == FLOAT ? 0x1p-22 : 0x1p-50);

		if (i % 4 == 3)
			put(type, in[0], i, random_value(&any_bits, type));
		else
			put(type, in[0], i, to_type(type, (i % 2 ? v : w) * tiny));
	}
	put(type, in[0], 5, 65520);
	put(type, in[0], 6, to_type(type, (real)0x1p-25));
}

static void store_half(const struct row *row, enum type type, const char *space, int mode,
		       unsigned w)
{
	bool aligned = strcmp(row->name, "vstorea_half") == 0;
	size_t width = (size_t)widths[w];

	call(out[0][0], NULL, in[0], NULL, NULL, N, "t_%s%s_%s_%s_%s", row->name, modes[mode],
	     space, type_names[type], width_names[w]);
	for (size_t i = 0; i < N; i++) {
		struct element e = { .type = type, .x = { get(type, in[0], i) } };
		real got = get(USHORT, out[0][0], place(i, width, aligned));

		if (isnanq(e.x[0]))
			got = isnanq(half_value((uint16_t)got)) ? 0x7e00 : got;
		compare(row, USHORT, got, &e, to_half(e.x[0], mode));
	}
}

void run_VSTOREH(const struct row *row)
{
	bool aligned = strcmp(row->name, "vstorea_half") == 0;

	for (enum type type = FLOAT; type <= DOUBLE; type++) {
		fill_for_halves(type);
		for (unsigned s = 0; s < 3; s++)
			for (int mode = 0; mode < 5; mode++)
				for (unsigned w = aligned; w < 6; w++)
					store_half(row, type, spaces[s], mode, w);
	}
}

void run_VLOADAH(const struct row *row) { run_VLOADH(row); }
void run_VSTOREAH(const struct row *row) { run_VSTOREH(row); }

/* ---- copies ---------- */

/* A stride is of the global side. */
static void copies(const struct row *row, size_t stride)
{
	for (enum type type = CHAR; type < TYPES; type++)
		for (unsigned to = 0; to < 2; to++)
			for (unsigned w = 0; w < 6; w++) {
				size_t width = (size_t)widths[w], count = N / width / stride;
				size_t size = type_size[type];
				size_t step = (width == 3 ? 4 : width) * size;

				random_bytes(in[0], ROOM);
				call(out[0][0], NULL, in[0], NULL, NULL, N, "t_%s_%s_%s_%s",
				     row->name, spaces[to], type_names[type], width_names[w]);
				for (size_t i = 0; i < count; i++)
					same_bytes(row, type_names[type],
						   out[0][0] + i * step * (to ? 1 : stride),
						   in[0] + i * step * (to ? stride : 1), width,
						   size);
			}
}

void run_COPY(const struct row *row) { copies(row, 1); }
void run_STRIDED(const struct row *row) { copies(row, 3); }

void run_PREFETCH(const struct row *row)
{
	for (enum type type = CHAR; type < TYPES; type++)
		for (unsigned w = 0; w < 6; w++, tally.compared++)
			call(NULL, NULL, in[0], NULL, NULL, N, "t_%s_%s_%s", row->name,
			     type_names[type], width_names[w]);
}

/* ---- atomics, by one work-item ---------- */

static real after(const char *operation, enum type type, real v, real b, real c)
{
	uint64_t x = v < 0 ? (uint64_t)(int64_t)v : (uint64_t)v;
	uint64_t y = b < 0 ? (uint64_t)(int64_t)b : (uint64_t)b, r;
	uint8_t raw[8];

	if (strcmp(operation, "xchg") == 0)
		return b;
	if (strcmp(operation, "cmpxchg") == 0)
		return v == b ? c : v;
	if (strcmp(operation, "min") == 0)
		return v < b ? v : b;
	if (strcmp(operation, "max") == 0)
		return v > b ? v : b;
	r = strcmp(operation, "add") == 0 ? x + y : strcmp(operation, "sub") == 0 ? x - y :
	    strcmp(operation, "inc") == 0 ? x + 1 : strcmp(operation, "dec") == 0 ? x - 1 :
	    strcmp(operation, "and") == 0 ? (x & y) :
	    strcmp(operation, "or") == 0 ? (x | y) : x ^ y;
	memcpy(raw, &r, 8);
	return get(type, raw, 0);
}

static void atomic(const struct row *row, enum type type, const char *space)
{
	const char *operation = strchr(row->name, '_') + 1;

	for (unsigned k = 0; k < 3; k++)
		fill(&any_bits, type, k, 3);
	for (size_t i = 0; i < N; i++) {
		if (i % 2 && strcmp(operation, "cmpxchg") == 0)
			put(type, in[1], i, get(type, in[0], i));
		if (i % 3 == 0 && isnanq(get(type, in[0], i)))
			put(type, in[0], i, 1);
	}
	memcpy(out[0][1], in[0], ROOM);
	call(out[0][0], out[0][1], NULL, in[1], in[2], N, "t_%s_%s_%s", row->name, space,
	     type_names[type]);
	for (size_t i = 0; i < N; i++) {
		real v = get(type, in[0], i), b = get(type, in[1], i), c = get(type, in[2], i);

		expect(row, type, i, get(type, out[0][0], i), v);
		expect(row, type, i, get(type, out[0][1], i),
		       type == FLOAT ? b : after(operation, type, v, b, c));
	}
}

void run_ATOM1(const struct row *row)
{
	bool wide = strncmp(row->name, "atom_", 5) == 0;

	for (unsigned s = 0; s < 2; s++) {
		for (enum type type = INT; type <= (wide ? ULONG : UINT); type++)
			atomic(row, type, spaces[s]);
		if (strcmp(row->name, "atomic_xchg") == 0)
			atomic(row, FLOAT, spaces[s]);
	}
}

/* ---- shuffles ---------- */

static void shuffle(const struct row *row, enum type type, unsigned from, unsigned to)
{
	size_t m = (size_t)widths[from], n = (size_t)widths[to], size = type_size[type];
	size_t sources = strcmp(row->name, "shuffle2") == 0 ? 2 : 1;
	static const enum type mask_type[9] = { [1] = UCHAR, [2] = USHORT, [4] = UINT,
						[8] = ULONG };

	for (unsigned k = 0; k < 3; k++)
		random_bytes(in[k], N * 8);
	call(out[0][0], NULL, in[0], in[1], in[2], N, "t_%s_%s_%zu_%zu", row->name,
	     type_names[type], m, n);
	for (size_t i = 0; i < N / 16; i++)
		for (size_t k = 0; k < n; k++) {
			uint64_t mask = (uint64_t)get(mask_type[size], in[2], i * n + k) %
					(sources * m);

			same_bytes(row, type_names[type], out[0][0] + (i * n + k) * size,
				   in[mask / m] + (i * m + mask % m) * size, 1, size);
		}
}

void run_SHUF1(const struct row *row)
{
	for (enum type type = CHAR; type < TYPES; type++)
		for (unsigned from = 1; from < 6; from++)
			for (unsigned to = 1; to < 6; to++)
				if (widths[from] != 3 && widths[to] != 3)
					shuffle(row, type, from, to);
}

void run_SHUF2(const struct row *row) { run_SHUF1(row); }

/* In check.cl. */
void run_KNOWN(const struct row *row) { (void)row; }

/* ---- what the engine gives ---------- */

struct context *__ws_ctx(void);
void __ws_barrier(uint32_t flags);
struct context {
	uint64_t gid[3], lid[3], grp[3], lsz[3], gsz[3], ngr[3], off[3];
	uint32_t dim;
};

struct context *__ws_ctx(void)
{
	static struct context one = { .lsz = { 1, 1, 1 }, .gsz = { 1, 1, 1 }, .ngr = { 1, 1, 1 } };

	return &one;
}

void __ws_barrier(uint32_t flags)
{
	(void)flags;
}
