/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The host side of check.cl: context, barrier, scratch memory, and rounding by
 * the CPU's own rounding modes on random numbers.  Prints TAP.
 */
#include <fenv.h>
#include <inttypes.h>

#include "tests/test.h"

struct context {
	uint64_t gid[3], lid[3], grp[3], lsz[3], gsz[3], ngr[3], off[3];
	uint32_t dim;
};

void report(int line, int ok);
struct context *__ws_ctx(void);
void __ws_barrier(uint32_t flags);
void check(void *global, void *local);
float from_half(uint16_t h);

static unsigned good;
static struct context context = {
	.gid = { 11, 12, 13 }, .lsz = { 1, 1, 1 }, .gsz = { 20, 20, 20 }, .ngr = { 20, 21, 22 },
	.grp = { 3, 4, 5 }, .off = { 6, 7, 8 }, .dim = 2,
};

struct context *__ws_ctx(void)
{
	return &context;
}

void __ws_barrier(uint32_t flags)
{
	(void)flags;
}

void report(int line, int ok)
{
	if (ok)
		good++;
	else
		test_ok(false, "check.cl:%d", line);
}

#define DECLARE(M) \
	float to_float_##M(double a); \
	float from_long_##M(int64_t a); \
	double double_from_ulong_##M(uint64_t a); \
	uint16_t half_##M(double a);
DECLARE(rte) DECLARE(rtz) DECLARE(rtp) DECLARE(rtn)

static const struct {
	int host;
	float (*to_float)(double a);
	float (*from_long)(int64_t a);
	double (*from_ulong)(uint64_t a);
	uint16_t (*half)(double a);
} mode[] = {
	{ FE_TONEAREST, to_float_rte, from_long_rte, double_from_ulong_rte, half_rte },
	{ FE_TOWARDZERO, to_float_rtz, from_long_rtz, double_from_ulong_rtz, half_rtz },
	{ FE_UPWARD, to_float_rtp, from_long_rtp, double_from_ulong_rtp, half_rtp },
	{ FE_DOWNWARD, to_float_rtn, from_long_rtn, double_from_ulong_rtn, half_rtn },
};

/* half by its definition, in units of 2^-24, in the host's rounding mode. */
static double half_value(uint16_t h)
{
	int e = h >> 10 & 31, m = h & 1023;
	double v = e == 31 ? (m ? NAN : INFINITY) : ldexp(e ? m + 1024 : m, (e ? e : 1) - 25);

	return h >> 15 ? -v : v;
}

/* Rounded to a multiple of half's spacing at a; no overflow here. */
static double to_half_value(double a)
{
	int e = a == 0 ? -14 : ilogb(a) < -14 ? -14 : ilogb(a);

	return ldexp(rint(ldexp(a, 10 - e)), e - 10);
}

static void test_rounding(struct ws_rng *rng)
{
	unsigned bad[4] = { 0 };

	for (unsigned i = 0; i < 40000; i++) {
		unsigned m = i % 4;
		volatile int64_t n = (int64_t)(ws_rng_u64(rng) >> ws_rng_below(rng, 64));
		volatile double d = ldexp(ws_rng_double(rng) - 0.5,
					  (int)ws_rng_below(rng, 320) - 160);
		volatile double s = ldexp(ws_rng_double(rng) - 0.5,
					  (int)ws_rng_below(rng, 42) - 26);
		volatile float f, g;
		volatile double u, h;

		if (i & 4)
			n = -n;
		fesetround(mode[m].host);
		f = (float)d;
		g = (float)n;
		u = (double)(uint64_t)n;
		h = to_half_value(s);
		fesetround(FE_TONEAREST);
		bad[0] += mode[m].to_float(d) != f;
		bad[1] += mode[m].from_long(n) != g;
		bad[2] += mode[m].from_ulong((uint64_t)n) != u;
		bad[3] += half_value(mode[m].half(s)) != h;
	}
	test_u64(bad[0], 0, "double to float rounds as the CPU does");
	test_u64(bad[1], 0, "long to float");
	test_u64(bad[2], 0, "ulong to double");
	test_u64(bad[3], 0, "double to half");
}

int main(void)
{
	static uint8_t global[256] __attribute__((aligned(128)));
	static uint8_t local[256] __attribute__((aligned(128)));
	unsigned bad = 0;
	struct ws_rng rng;

	check(global, local);
	test_ok(good > 150, "%u known answers", good);
	for (unsigned h = 0; h < 65536; h++) {
		double want = half_value((uint16_t)h), got = (double)from_half((uint16_t)h);

		bad += isnan(want) ? !isnan(got) : got != want || signbit(got) != signbit(want);
	}
	test_u64(bad, 0, "every half is loaded right");
	ws_rng_seed(&rng, test_seed(7));
	test_rounding(&rng);
	return test_done();
}
