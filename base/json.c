/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/json.c -- objects, lists, strings and numbers as JSON.  Bytes that are not UTF-8 become
 * U+FFFD.
 */
#include "base/json.h"

#include <inttypes.h>
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

static void put_escaped(FILE *file, const unsigned char *s, size_t len)
{
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
}

static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

size_t ws_json_plain(const char *text)
{
	size_t len = 0;

	while (is_plain((unsigned char)text[len]))
		len++;
	return len;
}

void ws_json_string(FILE *file, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t len;

	fputc('"', file);
	while (*s) {
		len = ws_json_plain((const char *)s);
		if (len) {
			fwrite(s, 1, len, file);
		} else {
			len = utf8_length(s);
			put_escaped(file, s, len);
		}
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

static void begin_value(struct ws_json *j, const char *name)
{
	if (j->comma)
		fputc(',', j->file);
	j->comma = true;
	if (name) {
		ws_json_string(j->file, name);
		fputc(':', j->file);
	}
}

void ws_json_open(struct ws_json *j, const char *name, char bracket)
{
	begin_value(j, name);
	fputc(bracket, j->file);
	j->comma = false;
}

void ws_json_close(struct ws_json *j, char bracket)
{
	fputc(bracket, j->file);
	j->comma = true;
}

void ws_json_trace_events(struct ws_json *j, const char *machine)
{
	ws_json_open(j, NULL, '{');
	ws_json_text(j, "displayTimeUnit", "ns");
	ws_json_open(j, "otherData", '{');
	ws_json_text(j, "program", "warpstack " WS_VERSION);
	ws_json_text(j, "machine", machine);
	ws_json_text(j, "time", "one microsecond is one cycle");
	ws_json_close(j, '}');
	ws_json_open(j, "traceEvents", '[');
}

void ws_json_line(struct ws_json *j, const char *type)
{
	ws_json_open(j, NULL, '{');
	ws_json_text(j, "type", type);
}

void ws_json_line_end(struct ws_json *j)
{
	fputs("}\n", j->file);
	j->comma = false;
}

void ws_json_u64(struct ws_json *j, const char *name, uint64_t value)
{
	begin_value(j, name);
	fprintf(j->file, "%" PRIu64, value);
}

void ws_json_i64(struct ws_json *j, const char *name, int64_t value)
{
	begin_value(j, name);
	fprintf(j->file, "%" PRId64, value);
}

void ws_json_fixed(struct ws_json *j, const char *name, double value)
{
	begin_value(j, name);
	fprintf(j->file, "%.4f", value);
}

void ws_json_f64(struct ws_json *j, const char *name, double value)
{
	begin_value(j, name);
	fprintf(j->file, "%.17g", value);
}

void ws_json_true(struct ws_json *j, const char *name, bool value)
{
	begin_value(j, name);
	fputs(value ? "true" : "false", j->file);
}

void ws_json_text(struct ws_json *j, const char *name, const char *text)
{
	begin_value(j, name);
	if (text)
		ws_json_string(j->file, text);
	else
		fputs("null", j->file);
}

void ws_json_list(struct ws_json *j, const char *name, const uint64_t *value, size_t count)
{
	ws_json_open(j, name, '[');
	for (size_t i = 0; i < count; i++)
		ws_json_u64(j, NULL, value[i]);
	ws_json_close(j, ']');
}
