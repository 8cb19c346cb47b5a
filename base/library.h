/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/library.h -- shared objects of warpstack's own, which are loaded where they are used; not
 * installed.
 */
#ifndef WS_BASE_LIBRARY_H
#define WS_BASE_LIBRARY_H

#include <stddef.h>

/* The full path of one, allocated, or NULL if it is nowhere (errno is ENOENT) or memory is out
 * (ENOMEM).  Looked for beside the program or the shared library that asks, in ../lib and
 * ../lib/warpstack of that, where both are installed. */
char *ws_library_path(const char *name);

/* The folder of the shared library that this code is in, else of the program; "" if unknown. */
void ws_own_folder(char *folder, size_t len);

#endif
