/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/counters/cell.c -- numbers, units and names as profilers write them.
 */
#include "validate/counters/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- numbers ------------------------------------------------------------ */

static bool is_missing(const char *text)
{
	static const char *const word[] = {
		"", "n/a", "<overflow>", "nan", "-nan", "inf", "-inf", "overflow", "(null)",
	};

	for (size_t i = 0; i < WS_COUNT(word); i++)
		if (strcasecmp(text, word[i]) == 0)
			return true;
	return false;
}

static size_t digits(const char *text)
{
	return strspn(text, "0123456789");
}

/* Digits with commas before each three: copied without them.  The length in text, or 0. */
static size_t whole_part(const char *text, char *out, size_t room, size_t *len)
{
	size_t n = digits(text), at = n;

	if (n >= room)
		return 0;
	memcpy(out, text, n);
	*len = n;
	while (text[at] == ',') {
		if (n == 0 || n > 3 || digits(text + at + 1) != 3 || *len + 3 >= room)
			return 0;
		memcpy(out + *len, text + at + 1, 3);
		*len += 3;
		at += 4;
	}
	return at;
}

/* The fraction and the exponent that follow. */
static size_t other_parts(const char *text)
{
	size_t n = 0, sign;

	if (text[0] == '.')
		n = 1 + digits(text + 1);
	if (text[n] == 'e' || text[n] == 'E') {
		sign = text[n + 1] == '+' || text[n + 1] == '-';
		if (digits(text + n + 1 + sign))
			n += 1 + sign + digits(text + n + 1 + sign);
	}
	return n;
}

enum ws_cell_says ws_cell_number(const char *text, double *value, const char **unit)
{
	char plain[128];
	size_t len = 0, n, more;

	text += strspn(text, " \t");
	if (is_missing(text))
		return WS_CELL_MISSING;
	n = whole_part(text, plain, sizeof plain, &len);
	more = other_parts(text + n);
	if (n + more == 0 || len + more >= sizeof plain)
		return WS_CELL_WRONG;
	memcpy(plain + len, text + n, more);
	plain[len + more] = '\0';
	if (!ws_parse_double(plain, value) || *value < 0 || *value > WS_CELL_MOST)
		return WS_CELL_WRONG;
	*unit = text + n + more + strspn(text + n + more, " \t");
	return WS_CELL_NUMBER;
}

bool ws_cell_triple(const char *text, uint64_t v[3])
{
	for (unsigned i = 0; i < 3; i++) {
		char number[24];
		size_t n;

		text += strspn(text, i ? " ," : " (");
		n = digits(text);
		if (n == 0 || n >= sizeof number)
			return false;
		memcpy(number, text, n);
		number[n] = '\0';
		if (!ws_parse_u64(number, &v[i]) || v[i] == 0)
			return false;
		text += n;
	}
	return text[strspn(text, " )")] == '\0';
}

/* ---- units -------------------------------------------------------------- */

static bool is_noun(const char *text, size_t len)
{
	static const char *const noun[] = {
		"byte", "b", "sector", "request", "inst", "instruction", "thread", "block",
		"register", "warp", "line", "wavefront", "transaction", "%", "tag", "access",
		"cycle",
	};

	for (size_t i = 0; i < WS_COUNT(noun); i++) {
		size_t n = strlen(noun[i]);

		if (strncasecmp(text, noun[i], n) == 0 &&
		    (len == n || (len == n + 1 && (text[n] == 's' || text[n] == 'S'))))
			return true;
	}
	return false;
}

bool ws_cell_unit(const char *text, enum ws_gpu_profiler profiler, double *factor)
{
	static const char prefix[] = "kmgt";
	size_t len = strcspn(text, "/");
	double step = profiler == WS_PROFILER_NVPROF ? 1024 : 1000;
	const char *p;

	while (len && text[len - 1] == ' ')
		len--;
	*factor = 1;
	if (len == 0 || is_noun(text, len))
		return true;
	p = strchr(prefix, text[0] | 0x20);
	if (!p || !*p || len < 2)
		return false;
	if (len > 2 && text[1] == 'i') { /* KiB */
		step = 1024;
		text++, len--;
	}
	*factor = pow(step, (double)(p - prefix + 1));
	return is_noun(text + 1, len - 1);
}

/* ---- names -------------------------------------------------------------- */

/* Where the parameters begin: an open parenthesis that is not within template arguments and not
 * part of a name. */
static size_t name_length(const char *text)
{
	size_t depth = 0, i;

	for (i = 0; text[i]; i++) {
		depth += text[i] == '<';
		depth -= text[i] == '>' && depth;
		if (text[i] != '(' || depth)
			continue;
		if (strncmp(text + i, "(anonymous", strlen("(anonymous")) != 0)
			break;
		i += strcspn(text + i, ")");
		if (!text[i])
			break;
	}
	return i;
}

/* Less what profilers put behind a name: " [clone .kd]" of AMD, " [112]" of nvprof. */
static size_t bare_length(const char *text, size_t len)
{
	static const char *const end[] = { " [clone .kd]", " (.kd)", ".kd" };
	size_t digit;

	for (size_t i = 0; i < WS_COUNT(end); i++) {
		size_t n = strlen(end[i]);

		if (len > n && memcmp(text + len - n, end[i], n) == 0)
			len -= n;
	}
	if (len && text[len - 1] == ']') {
		for (digit = len - 1; digit && strchr("0123456789", text[digit - 1]); digit--)
			;
		if (digit >= 2 && text[digit - 1] == '[' && text[digit - 2] == ' ')
			len = digit - 2;
	}
	while (len && text[len - 1] == ' ')
		len--;
	return len;
}

char *ws_cell_kernel(const char *text)
{
	size_t len;
	char *name;

	text += strspn(text, " ");
	if (strncmp(text, "void ", strlen("void ")) == 0)
		text += strlen("void ");
	len = bare_length(text, name_length(text));
	if (len == 0)
		return ws_strdup(text);
	name = ws_alloc(len + 1, 1);
	if (name) {
		memcpy(name, text, len);
		name[len] = '\0';
	}
	return name;
}

bool ws_cell_fits(const char *pattern, const char *name)
{
	for (; *pattern; pattern++) {
		if (*pattern == '*') {
			size_t n = digits(name);

			if (n == 0)
				return false;
			name += n;
		} else if (*pattern != *name++) {
			return false;
		}
	}
	return *name == '\0';
}
