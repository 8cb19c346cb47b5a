/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/chain/law.c -- which line a reference is to, from its text.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "validate/chain.h"

#define WEIGHT_MOST 1000000u
#define EXPONENT_MOST 8
#define COMMON_MOST (UINT64_C(1) << 31)

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* The least number that all of 1 .. lines divide, to the power; 0: too large. */
static uint64_t common_multiple(unsigned lines, unsigned power)
{
	uint64_t least = 1, all = 1;

	for (uint64_t i = 2; i <= lines; i++) {
		least *= i / common_divisor(least, i);
		if (least >= COMMON_MOST)
			return 0;
	}
	for (unsigned i = 0; i < power; i++) {
		all *= least;
		if (all >= COMMON_MOST)
			return 0;
	}
	return all;
}

static enum ws_status zipf(struct ws_line_law *law, const char *text, struct ws_err *err)
{
	uint64_t common;
	double a;

	if (!ws_parse_double(text, &a) || !(a >= 0 && a <= EXPONENT_MOST))
		return ws_fail(err, WS_EINVAL, "zipf:%s: want an exponent from 0 to %d, as in "
			       "zipf:1", text, EXPONENT_MOST);
	common = fmod(a, 1) > 0 ? 0 : common_multiple(law->lines, (unsigned)a);
	law->rounded = !common;
	for (unsigned i = 0; i < law->lines; i++) {
		uint64_t power = 1;

		for (unsigned k = 0; common && k < (unsigned)a; k++)
			power *= i + 1;
		law->weight[i] = common ? common / power
					: (uint64_t)llround(WEIGHT_MOST * pow(i + 1, -a));
		if (!law->weight[i])
			return ws_fail(err, WS_EINVAL, "zipf:%s: line %u of %u would be asked for "
				       "less often than once in %u times the first: want a smaller "
				       "exponent, or fewer lines", text, i + 1, law->lines,
				       2 * WEIGHT_MOST);
	}
	return WS_OK;
}

static enum ws_status weights(struct ws_line_law *law, const char *text, struct ws_err *err)
{
	unsigned count = 0;

	for (const char *at = text; at;) {
		size_t len = strcspn(at, ",");
		char one[WS_NAME_MAX];
		uint64_t value = 0;

		snprintf(one, sizeof one, "%.*s", (int)(len < sizeof one ? len : sizeof one - 1),
			 at);
		if (len >= sizeof one || !ws_parse_u64(one, &value) || !value ||
		    value > WEIGHT_MOST)
			return ws_fail(err, WS_EINVAL, "\"%s\" is no weight of a line: want a "
				       "whole number from 1 to %u", one, WEIGHT_MOST);
		if (count < law->lines)
			law->weight[count] = value;
		count++;
		at = at[len] ? at + len + 1 : NULL;
	}
	if (count != law->lines)
		return ws_fail(err, WS_EINVAL, "%u weights for %u lines: want one each", count,
			       law->lines);
	return WS_OK;
}

enum ws_status ws_line_law_parse(struct ws_line_law *out, const char *text, unsigned lines,
			    struct ws_err *err)
{
	*out = (struct ws_line_law){ .lines = lines };
	if (!lines || lines > WS_CHAIN_LINES)
		return ws_fail(err, WS_EINVAL, "%u lines: want 1 to %u", lines, WS_CHAIN_LINES);
	for (unsigned i = 0; i < lines; i++)
		out->weight[i] = 1;
	if (strcmp(text, "uniform") == 0)
		return WS_OK;
	out->loop = strcmp(text, "loop") == 0;
	if (out->loop)
		return WS_OK;
	if (strncmp(text, "zipf:", 5) == 0)
		return zipf(out, text + 5, err);
	if (strncmp(text, "weights:", 8) == 0)
		return weights(out, text + 8, err);
	return ws_fail(err, WS_EINVAL, "\"%.64s\" is no law of references: want " WS_LAWS, text);
}
