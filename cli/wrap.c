/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/wrap.c -- text in lines of 80 characters.
 */
#include "cli/cli.h"

#include <string.h>

#define WIDTH 80u

/* Writes text up to `end` from column `column` on, later lines indented, filled to WIDTH. */
static void wrap(FILE *file, const char *text, const char *end, size_t indent, size_t column)
{
	bool first = true;

	while (text < end) {
		const char *blank = memchr(text, ' ', (size_t)(end - text));
		size_t len = (size_t)((blank ? blank : end) - text);

		if (!first && column + 1 + len > WIDTH) {
			fprintf(file, "\n%*s", (int)indent, "");
			column = indent;
		} else if (!first) {
			fputc(' ', file);
			column++;
		}
		fwrite(text, 1, len, file);
		column += len;
		text += len + (blank != NULL);
		first = false;
	}
	fputc('\n', file);
}

void cli_wrap(FILE *file, const char *text, size_t indent, size_t column)
{
	wrap(file, text, text + strlen(text), indent, column);
}

void cli_wrap_paragraphs(FILE *file, const char *text)
{
	while (*text) {
		const char *end = strstr(text, "\n\n");

		wrap(file, text, end ? end : text + strlen(text), 0, 0);
		text = end ? end + 2 : text + strlen(text);
		if (end)
			fputc('\n', file);
	}
}
