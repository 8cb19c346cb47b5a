/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/demangle.c -- by the demangler of libstdc++, which is C and of which nothing else is linked.
 */
#include "base/demangle.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX 4096u /* what is longer is left as it is: a short name can stand for gigabytes */

/* Of libstdc++, in no header: what __cxa_demangle is made of. */
int __gcclibcxx_demangle_callback(const char *name,
				  void (*put)(const char *text, size_t len, void *to), void *to);

struct demangled {
	jmp_buf full;		/* the only way out of a demangler that is at it */
	size_t len;
	char text[TEXT_MAX + 1];
};

static void put_text(const char *text, size_t len, void *to)
{
	struct demangled *d = to;

	if (len > TEXT_MAX - d->len)
		longjmp(d->full, 1);
	memcpy(d->text + d->len, text, len);
	d->len += len;
}

char *ws_demangle(const char *name)
{
	struct demangled d;

	d.len = 0;
	if (strncmp(name, "_Z", 2) != 0 || setjmp(d.full) ||
	    __gcclibcxx_demangle_callback(name, put_text, &d) != 0)
		return NULL;
	return strndup(d.text, d.len);
}

const char *ws_skip_nested(const char *p, const char *stop)
{
	for (int open = 0; *p; p++) {
		if (open == 0 && strchr(stop, *p))
			break;
		open += strchr("(<[{", *p) != NULL;
		open -= strchr(")>]}", *p) != NULL;
		if (open < 0)
			break;
	}
	return p;
}

/* The first blank or bracket that is in none and ends a word. */
static const char *skip_word(const char *p)
{
	static const char nameless[] = "(anonymous namespace)";

	for (;;) {
		p = ws_skip_nested(p, " (");
		if (strncmp(p, nameless, sizeof nameless - 1) != 0)
			return p;
		p += sizeof nameless - 1;
	}
}

const char *ws_demangled_name(const char *text, size_t *len)
{
	const char *name = text, *p = skip_word(text);

	while (*p == ' ') {
		name = p + 1;
		p = skip_word(name);
	}
	*len = (size_t)(p - name);
	return name;
}

char *ws_plain_name(const char *name)
{
	char *text = ws_demangle(name), *plain;
	const char *at = name;
	size_t len = strlen(name);

	if (text)
		at = ws_demangled_name(text, &len);
	plain = strndup(at, len);
	free(text);
	return plain;
}
