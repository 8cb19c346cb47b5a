/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/library.c -- where warpstack's own shared objects are.
 */
#include "base/library.h"
#include "base/base.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef WS_LIBDIR
#define WS_LIBDIR "/usr/local/lib"
#endif

void ws_own_folder(char *folder, size_t len)
{
	struct link_map *map = NULL;
	Dl_info info;
	char *slash;
	ssize_t n;

	if (dladdr1(WS_LIBDIR, &info, (void **)&map, RTLD_DL_LINKMAP) && map && *map->l_name) {
		snprintf(folder, len, "%s", map->l_name);
	} else { /* the program's name is as it was called */
		n = readlink("/proc/self/exe", folder, len - 1);
		folder[n > 0 ? n : 0] = '\0';
	}
	slash = strrchr(folder, '/');
	*(slash ? slash : folder) = '\0';
}

char *ws_library_path(const char *name)
{
	static const char *const beside[] = { ".", "warpstack", "../lib", "../lib/warpstack" };
	static const char *const installed[] = { WS_LIBDIR, WS_LIBDIR "/warpstack" };
	char folder[4096], path[4300], *found = NULL;

	ws_own_folder(folder, sizeof folder);
	for (size_t i = 0; i < WS_COUNT(beside) && *folder && !found; i++) {
		snprintf(path, sizeof path, "%s/%s/%s", folder, beside[i], name);
		found = realpath(path, NULL);
		if (!found && errno == ENOMEM)
			return NULL;
	}
	for (size_t i = 0; i < WS_COUNT(installed) && !found; i++) {
		snprintf(path, sizeof path, "%s/%s", installed[i], name);
		found = realpath(path, NULL);
		if (!found && errno == ENOMEM)
			return NULL;
	}
	if (!found)
		errno = ENOENT;
	return found;
}
