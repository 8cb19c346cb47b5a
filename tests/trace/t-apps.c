/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The applications of data/kernel/ that are not about graphs: each launch file's results are
 * compared with a sequential algorithm's, in double where the kernel's are float, whole
 * numbers exactly.
 */
#include "tests/trace/kernels.h"
#include "trace/capture/launch.h"

#include <math.h>

static const int32_t *i32(const struct ws_program *p, const char *name)
{
	return (const int32_t *)(const void *)f32(p, name, NULL);
}

static const uint8_t *u8(const struct ws_program *p, const char *name)
{
	return (const uint8_t *)f32(p, name, NULL);
}

static double *numbers(const float *from, size_t count)
{
	double *n = calloc(count, sizeof *n);

	if (!n)
		abort();
	for (size_t i = 0; from && i < count; i++)
		n[i] = (double)from[i];
	return n;
}

/* The program as it was before it ran. */
static void restart(struct ws_program *fresh, const struct ws_program *p)
{
	struct ws_err err = { 0 };

	if (ws_program_read(fresh, p->name, &err) == WS_OK && ws_program_fill(fresh, &err) == WS_OK)
		return;
	printf("Bail out! %s\n", err.text);
	exit(1);
}

/* What the buffer held then. */
static double *numbers_before(const struct ws_program *p, const char *name, size_t count)
{
	struct ws_program fresh;
	double *n;

	restart(&fresh, p);
	n = numbers(f32(&fresh, name, NULL), count);
	ws_program_clear(&fresh);
	return n;
}

static double square(double x)
{
	return x * x;
}

/* Not a number is wrong too. */
static bool far(float got, double want)
{
	return !(fabs((double)got - want) <= 2e-4 * (fabs(want) + 1e-2));
}

static uint64_t all_far(const float *got, const double *want, size_t count)
{
	uint64_t bad = 0;

	for (size_t i = 0; i < count; i++)
		bad += far(got[i], want[i]);
	return bad;
}

static uint64_t wrong_backprop(const struct ws_program *p)
{
	enum { IN = 16384, HIDDEN = 16, ALL = IN * HIDDEN };
	double *weight = numbers_before(p, "weight", ALL),
	       *change = numbers_before(p, "change", ALL);
	const float *input = f32(p, "input", NULL), *target = f32(p, "target", NULL);
	uint64_t bad = 0;

	for (size_t h = 0; h < HIDDEN; h++) {
		double sum = 0, delta;

		for (size_t i = 0; i < IN; i++)
			sum += weight[i * HIDDEN + h] * (double)input[i];
		sum = 1 / (1 + exp(-sum));
		delta = sum * (1 - sum) * ((double)target[h] - sum);
		bad += far(f32(p, "hidden", NULL)[h], sum) + far(f32(p, "delta", NULL)[h], delta);
		for (size_t at = h; at < ALL; at += HIDDEN) {
			change[at] = 0.3 * delta * (double)input[at / HIDDEN] + 0.3 * change[at];
			weight[at] += change[at];
		}
	}
	bad += all_far(f32(p, "weight", NULL), weight, ALL);
	bad += all_far(f32(p, "change", NULL), change, ALL);
	free(weight);
	free(change);
	return bad;
}

static int32_t difference(const uint8_t *frame, const int32_t *template)
{
	int32_t sum = 0;

	for (int at = 0; at < 144; at++)
		sum += abs(frame[at / 12 * 256 + at % 12] - template[at]);
	return sum;
}

static int32_t clamped(int32_t v, int32_t low, int32_t high)
{
	return v < low ? low : v > high ? high : v;
}

/* Moves the point and its template by a frame. */
static void track(const uint8_t *frame, int32_t place[2], int32_t *template)
{
	int32_t best = INT32_MAX, x = 0, y = 0;

	for (int shift = 0; shift < 256; shift++) {
		int32_t sx = clamped(place[0] - 8 + shift % 16, 0, 244);
		int32_t sy = clamped(place[1] - 8 + shift / 16, 0, 244);
		int32_t sum = difference(frame + sy * 256 + sx, template);

		if (sum < best) {
			best = sum;
			x = sx;
			y = sy;
		}
	}
	place[0] = x;
	place[1] = y;
	for (int at = 0; at < 144; at++)
		template[at] = (template[at] + frame[(y + at / 12) * 256 + x + at % 12] + 1) / 2;
}

static uint64_t wrong_heartwall(const struct ws_program *p)
{
	const uint8_t *first = u8(p, "first");
	struct ws_program fresh;
	uint64_t bad = 0;

	restart(&fresh, p);
	for (size_t point = 0; point < 32; point++) {
		const int32_t *from = i32(&fresh, "place") + 2 * point;
		int32_t place[2] = { from[0], from[1] }, template[144];

		for (int at = 0; at < 144; at++)
			template[at] = first[(place[1] + at / 12) * 256 + place[0] + at % 12];
		track(u8(p, "second"), place, template);
		track(u8(p, "third"), place, template);
		bad += memcmp(place, i32(p, "place") + 2 * point, sizeof place) != 0;
		for (size_t at = 0; at < 144; at++)
			bad += template[at] != u8(p, "template")[point * 144 + at];
	}
	ws_program_clear(&fresh);
	return bad;
}

static void heat(const double *from, const float *power, double *to)
{
	enum { N = 256 };

	for (size_t y = 0; y < N; y++) {
		for (size_t x = 0; x < N; x++) {
			const double *at = from + y * N + x;
			double around = at[x ? -1 : 0] + at[x < N - 1] + at[y ? -N : 0] +
					at[y < N - 1 ? N : 0];

			to[y * N + x] = *at + (double)power[y * N + x] + 0.1 * (around - 4 * *at) +
					0.01 * (300 - *at);
		}
	}
}

/* Two steps from odd to even; odd itself is two from what even held. */
static uint64_t wrong_hotspot(const struct ws_program *p)
{
	enum { CELLS = 256 * 256 };
	double *a = numbers_before(p, "even", CELLS), *b = numbers(NULL, CELLS);
	const float *power = f32(p, "power", NULL);
	uint64_t bad;

	heat(a, power, b);
	heat(b, power, a);
	bad = all_far(f32(p, "odd", NULL), a, CELLS);
	heat(a, power, b);
	heat(b, power, a);
	bad += all_far(f32(p, "even", NULL), a, CELLS);
	free(a);
	free(b);
	return bad;
}

enum { KM_POINTS = 4096, FEATURES = 34, CLUSTERS = 5 };

static int32_t nearest(const float *point, const double *centre)
{
	double least = HUGE_VAL;
	int32_t found = 0;

	for (int32_t c = 0; c < CLUSTERS; c++) {
		double sum = 0;

		for (int f = 0; f < FEATURES; f++)
			sum += square((double)point[f] - centre[c * FEATURES + f]);
		if (sum < least) {
			least = sum;
			found = c;
		}
	}
	return found;
}

static void move_centres(const float *point, const int32_t *member, double *centre)
{
	for (int32_t c = 0; c < CLUSTERS; c++) {
		for (size_t f = 0; f < FEATURES; f++) {
			double sum = 0, count = 0;

			for (size_t i = 0; i < KM_POINTS; i++) {
				sum += member[i] == c ? (double)point[i * FEATURES + f] : 0;
				count += member[i] == c;
			}
			if (count > 0)
				centre[(size_t)c * FEATURES + f] = sum / count;
		}
	}
}

/* A point between two centres may go either way. */
static uint64_t wrong_kmeans(const struct ws_program *p)
{
	double *centre = numbers_before(p, "centre", CLUSTERS * FEATURES);
	const float *point = f32(p, "point", NULL);
	int32_t member[KM_POINTS];
	uint64_t bad = 0, other = 0;

	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < KM_POINTS; i++)
			member[i] = nearest(point + i * FEATURES, centre);
		if (round == 0)
			move_centres(point, member, centre);
	}
	for (size_t i = 0; i < KM_POINTS; i++)
		other += member[i] != i32(p, "member")[i];
	move_centres(point, i32(p, "member"), centre);
	bad += all_far(f32(p, "centre", NULL), centre, CLUSTERS * FEATURES);
	free(centre);
	return bad + (other > 4);
}

static uint64_t wrong_lud(const struct ws_program *p)
{
	enum { N = 256 };
	double *a = numbers_before(p, "a", N * N);
	uint64_t bad;

	for (size_t i = 0; i < N; i++)
		a[i * N + i] += (double)N;
	for (size_t k = 0; k < N; k++) {
		for (size_t y = k + 1; y < N; y++) {
			a[y * N + k] /= a[k * N + k];
			for (size_t x = k + 1; x < N; x++)
				a[y * N + x] -= a[y * N + k] * a[k * N + x];
		}
	}
	bad = all_far(f32(p, "a", NULL), a, N * N);
	free(a);
	return bad;
}

static int32_t largest(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

static uint64_t wrong_nw(const struct ws_program *p)
{
	enum { N = 512, W = N + 1 };
	const int32_t *similar = i32(p, "similar"), *got = i32(p, "score");
	static int32_t score[W * W];
	uint64_t bad = 0;

	for (int i = 0; i < W; i++)
		score[i] = score[i * W] = -10 * i;
	for (int y = 1; y < W; y++) {
		for (int x = 1; x < W; x++) {
			int32_t *at = score + y * W + x;

			*at = largest(at[-W - 1] + similar[(y - 1) * N + x - 1],
				      largest(at[-1], at[-W]) - 10);
		}
	}
	for (int i = 0; i < W * W; i++)
		bad += got[i] != score[i];
	return bad;
}

enum { PARTICLES = 8192, DISK = 61 };

/* One frame: place moves to where the draws say. */
static void filter(const struct ws_program *p, const uint8_t *frame, const int32_t *move,
		   const uint32_t *draw, int32_t (*place)[2])
{
	static uint64_t upto[PARTICLES];
	static int32_t old[PARTICLES][2];
	const int32_t *disk = i32(p, "disk");
	uint64_t sum = 0;

	for (size_t i = 0; i < PARTICLES; i++) {
		old[i][0] = place[i][0] + move[2 * i];
		old[i][1] = place[i][1] + move[2 * i + 1];
		for (size_t d = 0; d < DISK; d++)
			sum += frame[clamped(old[i][1] + disk[2 * d + 1], 0, 511) * 512 +
				     clamped(old[i][0] + disk[2 * d], 0, 511)];
		upto[i] = ++sum;
	}
	for (size_t i = 0; i < PARTICLES; i++) {
		uint64_t want = draw[i] * sum >> 32;
		size_t chosen = 0;

		while (upto[chosen] <= want)
			chosen++;
		memcpy(place[i], old[chosen], sizeof old[0]);
	}
}

static uint64_t wrong_particle(const struct ws_program *p)
{
	static int32_t place[PARTICLES][2];
	struct ws_program fresh;
	uint64_t bad = 0;

	restart(&fresh, p);
	memcpy(place, i32(&fresh, "place"), sizeof place);
	filter(p, u8(p, "first"), i32(p, "move"), u32(p, "draw"), place);
	filter(p, u8(p, "second"), i32(p, "turn"), u32(p, "lot"), place);
	for (size_t i = 0; i < PARTICLES; i++)
		bad += memcmp(place[i], i32(p, "place") + 2 * i, sizeof place[i]) != 0;
	ws_program_clear(&fresh);
	return bad;
}

static void diffuse(double *image, double *c)
{
	enum { N = 256 };
	const double q0 = 0.05;
	double *to = numbers(NULL, N * N);

	for (size_t i = 0; i < N * N; i++) {
		size_t x = i % N, y = i / N;
		double here = image[i], n = image[y ? i - N : i] / here - 1;
		double s = image[y < N - 1 ? i + N : i] / here - 1,
		       w = image[x ? i - 1 : i] / here - 1;
		double e = image[x < N - 1 ? i + 1 : i] / here - 1, l = n + s + w + e;
		double q = (square(n) + square(s) + square(w) + square(e)) / 2 - square(l) / 16;

		q /= square(1 + l / 4);
		c[i] = fmin(1, fmax(0, 1 / (1 + (q - q0) / (q0 * (1 + q0)))));
	}
	for (size_t i = 0; i < N * N; i++) {
		size_t x = i % N, y = i / N, south = y < N - 1 ? i + N : i,
		       east = x < N - 1 ? i + 1 : i;

		to[i] = image[i] + 0.125 * (c[i] * (image[y ? i - N : i] + image[x ? i - 1 : i] -
						     2 * image[i]) +
					    c[south] * (image[south] - image[i]) +
					    c[east] * (image[east] - image[i]));
	}
	memcpy(image, to, N * N * sizeof *image);
	free(to);
}

static uint64_t wrong_srad(const struct ws_program *p)
{
	double *image = numbers_before(p, "image", 65536), *c = numbers(NULL, 65536);
	uint64_t bad;

	diffuse(image, c);
	diffuse(image, c);
	bad = all_far(f32(p, "image", NULL), image, 65536) + all_far(f32(p, "c", NULL), c, 65536);
	free(image);
	free(c);
	return bad;
}

enum { SC_POINTS = 8192, SC_PLACES = 17 };

static double apart(const float *coordinate, size_t a, size_t b)
{
	double sum = 0;

	for (size_t d = 0; d < 32 * SC_POINTS; d += SC_POINTS)
		sum += square((double)coordinate[d + a] - (double)coordinate[d + b]);
	return sum;
}

static uint64_t wrong_streamcluster(const struct ws_program *p)
{
	static const size_t candidate[] = { 1000, 2500, 4711, 8000 };
	const float *coordinate = f32(p, "coordinate", NULL), *weight = f32(p, "weight", NULL);
	const int32_t *centre = i32(p, "centre");
	double total[SC_PLACES] = { 0 };
	uint64_t bad = 0;

	for (size_t i = 0; i < SC_POINTS; i++) {
		double row[SC_PLACES] = { 0 }, cost = apart(coordinate, i, (size_t)centre[i]),
		       gain = 0;

		for (size_t c = 0; c < WS_COUNT(candidate); c++) {
			gain = (apart(coordinate, i, candidate[c]) - cost) * (double)weight[i];
			row[gain < 0 ? SC_PLACES - 1 : centre[i]] += gain;
		}
		bad += u8(p, "change")[i] != (gain < 0) && fabs(gain) > 1e-4;
		for (size_t k = 0; k < SC_PLACES; k++) {
			bad += fabs((double)f32(p, "table", NULL)[i * SC_PLACES + k] - row[k]) >
			       1e-3;
			total[k] += row[k];
		}
	}
	for (size_t k = 0; k < SC_PLACES; k++)
		bad += fabs((double)f32(p, "total", NULL)[k] - total[k]) > 1e-3 * fabs(total[k]);
	return bad;
}

static uint64_t wrong_gaussian(const struct ws_program *p)
{
	enum { N = 128, W = 160 };
	double *a = numbers_before(p, "a", N * W);
	const float *got = f32(p, "a", NULL), *m = f32(p, "m", NULL);
	uint64_t bad = 0;

	for (size_t i = 0; i < N; i++)
		a[i * W + i] += (double)N;
	for (size_t k = 0; k < N; k++) {
		for (size_t y = k + 1; y < N; y++) {
			double factor = a[y * W + k] / a[k * W + k];

			bad += far(m[y * N + k], factor);
			for (size_t x = k; x <= N; x++)
				a[y * W + x] -= factor * a[k * W + x];
		}
		for (size_t x = k; x <= N; x++)
			bad += far(got[k * W + x], a[k * W + x]);
	}
	free(a);
	return bad;
}

static uint64_t wrong_btree(const struct ws_program *p)
{
	uint64_t bad = 0, found = 0;

	/* The tree holds 0, 3, 6 and so on. */
	for (size_t i = 0; i < 1024; i++) {
		uint32_t q = u32(p, "query")[i];

		bad += u32(p, "answer")[i] != (q % 3 ? UINT32_MAX : u32(p, "record")[q / 3]);
		found += q % 3 == 0;
	}
	for (size_t i = 0; i < 512; i++) {
		uint32_t q = u32(p, "start")[i];

		bad += u32(p, "count")[i] != (q + 1000) / 3 - (q + 2) / 3 + 1;
	}
	return bad + (found < 200);
}

struct gas {
	double v[5], p, speed;
};

static struct gas gas_of(const double v[5])
{
	double squares = square(v[1]) + square(v[2]) + square(v[3]);
	struct gas g = { .p = 0.4 * (v[4] - squares / v[0] / 2) };

	memcpy(g.v, v, sizeof g.v);
	g.speed = sqrt(squares) / v[0] + sqrt(1.4 * g.p / v[0]);
	return g;
}

enum { ELEMENTS = 16384 };

/* What flows out of an element through a face to the other side of it. */
static void flow(double out[5], const struct gas *a, const struct gas *b, const double n[3])
{
	double size = sqrt(square(n[0]) + square(n[1]) + square(n[2]));

	for (int side = 0; side < 2; side++) {
		const struct gas *g = side ? b : a;
		double through = (g->v[1] * n[0] + g->v[2] * n[1] + g->v[3] * n[2]) / g->v[0] / 2;

		for (int k = 0; k < 5; k++)
			out[k] += through * (g->v[k] + (k == 4 ? g->p : 0)) +
				  (k >= 1 && k <= 3 ? g->p * n[k - 1] / 2 : 0);
	}
	for (int k = 0; k < 5; k++)
		out[k] -= 0.2 * size * (a->speed + b->speed) * (b->v[k] - a->v[k]);
}

static void flow_step(const struct ws_program *p, double (*v)[5])
{
	static const double beyond[5] = { 1.4, 1.7, 0, 0, 3.5 };
	static double out[ELEMENTS][5];
	const float *normal = f32(p, "normal", NULL);

	for (int i = 0; i < ELEMENTS; i++) {
		struct gas own = gas_of(v[i]), other;
		double step = 0.5 / (sqrt((double)f32(p, "area", NULL)[i]) * own.speed);

		memset(out[i], 0, sizeof out[i]);
		for (int f = 0; f < 4; f++) {
			int32_t jump = i32(p, "jump")[f * ELEMENTS + i];
			double n[3];

			for (int d = 0; d < 3; d++)
				n[d] = (double)normal[(3 * f + d) * ELEMENTS + i];
			if (jump % 64 == 0) {
				for (int d = 0; d < 3; d++)
					out[i][1 + d] += own.p * n[d];
				continue;
			}
			other = gas_of(jump % 64 == 1 ? beyond :
				       v[(i + jump + ELEMENTS) % ELEMENTS]);
			flow(out[i], &own, &other, n);
		}
		for (int k = 0; k < 5; k++)
			out[i][k] = v[i][k] - step * out[i][k];
	}
	memcpy(v, out, sizeof out);
}

static uint64_t wrong_cfd(const struct ws_program *p)
{
	static double v[ELEMENTS][5];
	const float *got = f32(p, "v", NULL), *noise = f32(p, "noise", NULL);
	uint64_t bad = 0;

	for (size_t i = 0; i < ELEMENTS; i++) {
		double little = 0.1 * (double)noise[i];

		memcpy(v[i], (const double[]){ 1.4 + little, 1.7, little, 0, 3.5 + little },
		       sizeof v[i]);
	}
	flow_step(p, v);
	flow_step(p, v);
	for (size_t i = 0; i < ELEMENTS; i++)
		for (size_t k = 0; k < 5; k++)
			bad += !(fabs((double)got[k * ELEMENTS + i] - v[i][k]) < 1e-4) ||
			       v[i][0] < 0.5;
	return bad;
}

int main(void)
{
	struct ws_err why = { 0 };

	if (ws_capture_load(&why) != WS_OK) {
		test_skip("the applications' results", why.text);
		return test_done();
	}
	run("backprop", wrong_backprop, 2);
	run("heartwall", wrong_heartwall, 2);
	run("hotspot", wrong_hotspot, 2);
	run("kmeans", wrong_kmeans, 2);
	run("lud", wrong_lud, 2);
	run("nw", wrong_nw, 2);
	run("particle", wrong_particle, 2);
	run("srad", wrong_srad, 2);
	run("streamcluster", wrong_streamcluster, 2);
	run("gaussian", wrong_gaussian, 2);
	run("btree", wrong_btree, 2);
	run("cfd", wrong_cfd, 2);
	return test_done();
}
