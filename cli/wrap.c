/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/wrap.c -- text, and commands, in lines of 80 characters.
 */
#include "cli/cli.h"

#include <string.h>

#define WIDTH 80u
#define ENTRY 26u		/* the column of what a name is */

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

void cli_entry(FILE *file, const char *name, const char *text)
{
	int n = fprintf(file, "  %s", name);

	if (n + 2 > (int)ENTRY) {
		fputc('\n', file);
		n = 0;
	}
	fprintf(file, "%*s", (int)ENTRY - n, "");
	cli_wrap(file, text, ENTRY, ENTRY);
}

void cli_entry_more(FILE *file, const char *text)
{
	fprintf(file, "%*s", (int)ENTRY, "");
	cli_wrap(file, text, ENTRY, ENTRY);
}

/* Up to the next blank that is in no quotes. */
static size_t shell_word(const char *text, size_t len)
{
	char quote = '\0';

	for (size_t i = 0; i < len; i++) {
		if (quote)
			quote = text[i] == quote ? '\0' : quote;
		else if (text[i] == '\'' || text[i] == '"')
			quote = text[i];
		else if (text[i] == ' ')
			return i;
	}
	return len;
}

/* A word, or an option with the value that follows it. */
static size_t shell_words(const char *text, size_t len)
{
	size_t word = shell_word(text, len);

	if (text[0] == '-' && word + 1 < len && text[word + 1] != '-')
		word += 1 + shell_word(text + word + 1, len - word - 1);
	return word;
}

void cli_wrap_command(FILE *file, const char *text, size_t len)
{
	const size_t indent = 2, later = 6, end = WIDTH - 2; /* " \\" */
	size_t column = indent;
	bool first = true;

	fprintf(file, "%*s", (int)indent, "");
	for (size_t at = 0; at < len;) {
		size_t word = shell_words(text + at, len - at);

		if (!first && column + 1 + word > end) {
			fprintf(file, " \\\n%*s", (int)later, "");
			column = later;
		} else if (!first) {
			fputc(' ', file);
			column++;
		}
		fwrite(text + at, 1, word, file);
		column += word;
		at += word + 1;
		first = false;
	}
	fputc('\n', file);
}
