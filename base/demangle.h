/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/demangle.h -- functions' names of C++, as a reader knows them; not installed.
 */
#ifndef WS_BASE_DEMANGLE_H
#define WS_BASE_DEMANGLE_H

#include <stddef.h>

/* "void scale<float>(float*, int)" of "_Z5scaleIfEvPT_i", allocated.  NULL: it is no mangled name
 * (Itanium C++ ABI) or one of over 4096 bytes, or memory is out. */
char *ws_demangle(const char *name);
/* Where "scale<float>" begins in a text of ws_demangle: behind its type, before its parameters. */
const char *ws_demangled_name(const char *text, size_t *len);
/* Where one of the characters `stop` is outside of all brackets, or a bracket ends that began
 * before p, or the text. */
const char *ws_skip_nested(const char *p, const char *stop);
/* "scale<float>" of "_Z5scaleIfEvPT_i", and a copy of what is no mangled name; allocated.  NULL:
 * memory is out. */
char *ws_plain_name(const char *name);

#endif
