/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/test.h -- TAP output, and the seed of random tests.
 */
#ifndef WS_TEST_H
#define WS_TEST_H
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

static int test_run, test_bad;

WS_PRINTF(2, 3)
static inline bool test_ok(bool ok, const char *fmt, ...)
{
	va_list ap;

	test_bad += !ok;
	printf("%sok %d - ", ok ? "" : "not ", ++test_run);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	return ok;
}

/* Passes and says why nothing was tested. */
static inline void test_skip(const char *what, const char *why)
{
	printf("ok %d - %s # SKIP %s\n", ++test_run, what, why);
}

static inline void test_u64(uint64_t got, uint64_t want, const char *what)
{
	test_ok(got == want, "%s: got %" PRIu64 " want %" PRIu64, what, got, want);
}

static inline void test_abs(double got, double want, double tol, const char *what)
{
	test_ok(fabs(got - want) <= tol, "%s: got %.9g want %.9g tol %.2g", what, got, want, tol);
}

static inline void test_str(const char *got, const char *want, const char *what)
{
	test_ok(strcmp(got, want) == 0, "%s: got \"%s\" want \"%s\"", what, got, want);
}

/* The seed of a random test: WS_TEST_SEED, or fallback; printed. */
static inline uint64_t test_seed(uint64_t fallback)
{
	const char *text = getenv("WS_TEST_SEED");
	uint64_t seed = fallback;

	if (text && !ws_parse_u64(text, &seed))
		seed = fallback;
	printf("# seed %" PRIu64 "\n", seed);
	return seed;
}

static inline int test_done(void)
{
	printf("1..%d\n", test_run);
	return test_bad != 0;
}
#endif
