/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/cache.h -- compiled kernels in a folder, so that a source is compiled once.
 *
 * Private to trace/capture/.  An entry is a file of two checksummed blocks: its key, which is all
 * that the code was made from, and the code.  The file's name is a hash of the key; the key is
 * compared whole.  A file that is damaged, or of another user, is no entry.  Writers rename whole
 * files, so that readers see none in the making and the last of two writers stays.
 */
#ifndef WS_CAPTURE_CACHE_H
#define WS_CAPTURE_CACHE_H

#include "base/base.h"

#define WS_CACHE_MOST (UINT64_C(64) << 20) /* bytes of a folder's entries */

/* Does code made of this text depend on nothing else: it includes no file and asks for no time?  In
 * doubt it does. */
bool ws_cache_closed(const void *text, size_t len);
/* False: there is none, or it cannot be read.  *code is appended to. */
bool ws_cache_get(const char *folder, const struct ws_buf *key, struct ws_buf *code);
/* Makes the folder if it is missing, and room for the entry: those used longest ago go.  What fails
 * is no matter. */
void ws_cache_put(const char *folder, const struct ws_buf *key, const struct ws_buf *code,
		  uint64_t most);

#endif
