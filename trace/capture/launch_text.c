/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/launch_text.c -- places of errors in a launch file, and its names and paths.
 */
#include "trace/capture/launch.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_LEN 255u

struct ws_text_place ws_place_of(const struct ws_program *p, int line, const char *what)
{
	struct ws_text_place at;

	if (line > 0) {
		at.status = WS_EFORMAT;
		snprintf(at.text, sizeof at.text, "%.400s:%d", p->name ? p->name : "launch file",
			 line);
	} else {
		at.status = WS_EINVAL;
		snprintf(at.text, sizeof at.text, "%.400s", what);
	}
	return at;
}

enum ws_status ws_place_fail(const struct ws_text_place *at, struct ws_err *err, const char *fmt,
			     ...)
{
	char text[480];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return ws_fail(err, at->status, "%s: %s", at->text, text);
}

char *ws_trim(char *s)
{
	size_t len;

	s += strspn(s, WS_BLANK);
	len = strlen(s);
	while (len && strchr(WS_BLANK, s[len - 1]))
		s[--len] = '\0';
	return s;
}

bool ws_is_kernel_name(const char *s)
{
	size_t len = strlen(s);

	if (!strpbrk(s, "<:"))
		return ws_is_name(s);
	if (len > NAME_MAX_LEN || s[0] == ' ' || isdigit((unsigned char)s[0]))
		return false;
	for (; *s; s++) {
		if (*s < ' ' || *s > '~')
			return false;
	}
	return true;
}

bool ws_is_name(const char *s)
{
	size_t len = strlen(s);

	if (!len || len > NAME_MAX_LEN || isdigit((unsigned char)s[0]))
		return false;
	for (; *s; s++) {
		if (!isalnum((unsigned char)*s) && *s != '_')
			return false;
	}
	return true;
}
