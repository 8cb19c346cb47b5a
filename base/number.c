/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/number.c -- numbers from text, and the nearest name to a misspelt one.
 *
 * Unlike strtoull these refuse signs, spaces and octal: the text must begin with a digit and be
 * consumed whole.
 */
#include "base/base.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS_SURE 19u		/* decimal digits that always fit */

/* The decimal digits that the text begins with; false: there may be too many. */
static bool leading_digits(const char *text, uint64_t *value, const char **rest)
{
	uint64_t v = 0;
	size_t n = 0;

	for (; n < DIGITS_SURE && text[n] >= '0' && text[n] <= '9'; n++)
		v = 10 * v + (uint64_t)(text[n] - '0');
	*value = v;
	*rest = text + n;
	return n < DIGITS_SURE;
}

/* Parses a leading number; *rest is what follows it. */
static bool leading_u64(const char *text, uint64_t *value, const char **rest)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	unsigned long long v;
	char *end;

	if (!isdigit((unsigned char)text[0]) ||
	    (hex && !isxdigit((unsigned char)text[2])))
		return false;
	if (!hex && leading_digits(text, value, rest))
		return true;
	errno = 0;
	v = strtoull(text, &end, hex ? 16 : 10);
	if (errno)
		return false;
	*value = v;
	*rest = end;
	return true;
}

bool ws_parse_u64(const char *text, uint64_t *value)
{
	const char *rest;
	uint64_t v;

	if (!leading_u64(text, &v, &rest) || *rest)
		return false;
	*value = v;
	return true;
}

static bool suffix_shift(const char *suffix, unsigned *shift)
{
	static const struct {
		const char *name;
		unsigned shift;
	} table[] = {
		{ "", 0 },    { "B", 0 },    { "K", 10 },  { "KB", 10 },
		{ "KiB", 10 }, { "M", 20 },  { "MB", 20 }, { "MiB", 20 },
		{ "G", 30 },  { "GB", 30 },  { "GiB", 30 },
	};

	for (size_t i = 0; i < WS_COUNT(table); i++) {
		if (strcmp(suffix, table[i].name) == 0) {
			*shift = table[i].shift;
			return true;
		}
	}
	return false;
}

bool ws_parse_size(const char *text, uint64_t *value)
{
	const char *rest;
	unsigned shift;
	uint64_t v;

	if (!leading_u64(text, &v, &rest) || !suffix_shift(rest, &shift) ||
	    v > UINT64_MAX >> shift)
		return false;
	*value = v << shift;
	return true;
}

bool ws_parse_i64(const char *text, int64_t *value)
{
	bool minus = text[0] == '-';
	uint64_t v;

	if (!ws_parse_u64(text + minus, &v) || v > (uint64_t)INT64_MAX + minus)
		return false;
	*value = minus ? (int64_t)(0 - v) : (int64_t)v;
	return true;
}

bool ws_parse_double(const char *text, double *value)
{
	char *end;
	double v;

	if (text[0] == '\0' || isspace((unsigned char)text[0]))
		return false;
	errno = 0;
	v = strtod(text, &end);
	if (*end || !isfinite(v) || (errno == ERANGE && fabs(v) > 1))
		return false;
	*value = v;
	return true;
}

/* ---- nearest name ------------------------------------------------------- */

#define WORD_MAX 63

static size_t least(size_t a, size_t b, size_t c)
{
	size_t m = a < b ? a : b;

	return m < c ? m : c;
}

/* Insertions, deletions, other letters and swapped neighbours (Damerau's optimal string alignment);
 * words longer than WORD_MAX are far. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t rows[3][WORD_MAX + 1], la = strlen(a), lb = strlen(b);
	size_t *two = rows[0], *above = rows[1], *row = rows[2];

	if (la > WORD_MAX || lb > WORD_MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= lb; j++)
		row[j] = j;
	for (size_t i = 1; i <= la; i++) {
		size_t *oldest = two;

		two = above;
		above = row;
		row = oldest;
		row[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			row[j] = least(above[j] + 1, row[j - 1] + 1,
				       above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], row[j], two[j - 2] + 1);
		}
	}
	return row[lb];
}

/* The shortest, and of those the first; -1: none does.  A name's whole first word says little of
 * it: "predicted" of predicted_hit. */
static int beginning_with(const char *word, size_t count,
			  const char *(*name)(size_t i, const void *context), const void *context)
{
	size_t len = strlen(word), shortest = SIZE_MAX;
	int found = -1;

	for (size_t i = 0; i < count && len > 1; i++)
		if (strncmp(name(i, context), word, len) == 0 && name(i, context)[len] != '_' &&
		    strlen(name(i, context)) < shortest) {
			shortest = strlen(name(i, context));
			found = (int)i;
		}
	return found;
}

int ws_nearest_name(const char *word, size_t count,
		    const char *(*name)(size_t i, const void *context), const void *context)
{
	size_t best = SIZE_MAX, limit = (strlen(word) + 2) / 3;
	int nearest = -1, longer = beginning_with(word, count, name, context);

	for (size_t i = 0; i < count; i++) {
		size_t distance = edit_distance(word, name(i, context));

		if (distance <= limit && distance < best) {
			best = distance;
			nearest = (int)i;
		}
	}
	return best > 1 && longer >= 0 ? longer : nearest;
}
