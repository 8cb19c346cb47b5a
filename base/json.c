/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/json.c -- strings, numbers and members of objects as JSON.
 *
 * Numbers are the shortest that read back as the same double; bytes that are not UTF-8 become
 * U+FFFD.  Write errors stay in the FILE.
 */
#include "base/base.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Bytes of the UTF-8 sequence at s (Unicode 15, table 3-7); 0 if it is none. */
static size_t utf8_length(const unsigned char *s)
{
	size_t len = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
		   : s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;

	for (size_t i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return len;
}

void ws_json_string(FILE *file, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	fputc('"', file);
	while (*s) {
		size_t len = utf8_length(s);

		if (len == 0)
			fputs("\\ufffd", file);
		else if (*s == '"' || *s == '\\')
			fprintf(file, "\\%c", *s);
		else if (*s == '\n')
			fputs("\\n", file);
		else if (*s == '\t')
			fputs("\\t", file);
		else if (*s < 0x20 || *s == 0x7f)
			fprintf(file, "\\u%04x", *s);
		else
			fwrite(s, 1, len, file);
		s += len ? len : 1;
	}
	fputc('"', file);
}

/* 15 digits are enough for most decimal fractions, 17 for every double. */
void ws_shortest(FILE *file, double value)
{
	char text[40];

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	fputs(text, file);
}

void ws_json_name(FILE *file, bool first, const char *name)
{
	if (!first)
		fputc(',', file);
	ws_json_string(file, name);
	fputc(':', file);
}

void ws_json_u64(FILE *file, bool first, const char *name, uint64_t value)
{
	ws_json_name(file, first, name);
	fprintf(file, "%" PRIu64, value);
}

void ws_json_f64(FILE *file, bool first, const char *name, double value)
{
	ws_json_name(file, first, name);
	if (isfinite(value))
		ws_shortest(file, value);
	else
		fputs("null", file);
}

void ws_json_text(FILE *file, bool first, const char *name, const char *text)
{
	ws_json_name(file, first, name);
	if (text)
		ws_json_string(file, text);
	else
		fputs("null", file);
}

void ws_json_list(FILE *file, bool first, const char *name, const uint64_t *value, size_t count)
{
	ws_json_name(file, first, name);
	fputc('[', file);
	for (size_t i = 0; i < count; i++)
		fprintf(file, "%s%" PRIu64, i ? "," : "", value[i]);
	fputc(']', file);
}
