/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/ptx_read.c -- statements of PTX in their parts.
 */
#include "trace/capture/ptx_read.h"

#include <ctype.h>
#include <string.h>

const char *ws_ptx_blanks(const char *p, const char *end)
{
	for (;;) {
		while (p < end && isspace((unsigned char)*p))
			p++;
		if (end - p >= 2 && p[0] == '/' && p[1] == '/') {
			while (p < end && *p != '\n')
				p++;
		} else if (end - p >= 2 && p[0] == '/' && p[1] == '*') {
			for (p += 2; p < end && !(p[-1] == '*' && p[0] == '/'); p++)
				;
			p += p < end;
		} else {
			return p;
		}
	}
}

bool ws_ptx_word(const char **at, const char *end, const char *stop, char *to)
{
	size_t n = 0;

	*at = ws_ptx_blanks(*at, end);
	while (*at < end && !strchr(stop, **at)) {
		if (!isspace((unsigned char)**at)) {
			if (n + 1 == WS_PTX_WORD)
				return false;
			to[n++] = **at;
		}
		++*at;
	}
	to[n] = '\0';
	return true;
}

static bool read_operand(const char **at, const char *end, struct ptx_operand *o)
{
	char open;

	*o = (struct ptx_operand){ 0 };
	*at = ws_ptx_blanks(*at, end);
	open = *at < end ? **at : '\0';
	o->address = open == '[';
	if (open == '[' || open == '{')
		++*at;
	do {
		const char *stop = open == '{' ? ",}" : open == '[' ? "]" : ",;|";

		if (o->parts == WS_PTX_VECTOR ||
		    !ws_ptx_word(at, end, stop, o->text[o->parts++]))
			return false;
	} while (*at < end && strchr(open == '{' ? "," : "|", **at) && ++*at);
	if (open == '[' || open == '{') {
		if (*at == end)
			return false;
		*at = ws_ptx_blanks(*at + 1, end);
	}
	return true;
}

bool ws_ptx_statement(const char **at, const char *end, struct ptx_statement *s)
{
	*s = (struct ptx_statement){ .operands = 0 };
	if (**at == '@') {
		++*at;
		s->unless = *at < end && **at == '!';
		*at += s->unless;
		if (!ws_ptx_word(at, end, " \t\n", s->guard))
			return false;
	}
	if (!ws_ptx_word(at, end, " \t\n;", s->opcode))
		return false;
	*at = ws_ptx_blanks(*at, end);
	while (*at < end && **at != ';') {
		if (s->operands == WS_PTX_OPERANDS ||
		    !read_operand(at, end, &s->operand[s->operands++]))
			return false;
		*at = ws_ptx_blanks(*at, end);
		if (*at < end && **at == ',')
			++*at;
		else if (*at < end && **at != ';')
			return false;
	}
	*at += *at < end;
	return true;
}
