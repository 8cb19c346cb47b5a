/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/load.c -- capture, loaded with LLVM when it is called first (plugin.h).
 *
 * Loading takes 12 ms and 45 MB, which commands that run no kernel are spared.  The plug-in stays
 * loaded: LLVM cannot be taken out of a process.
 */
#include "base/library.h"
#include "trace/capture/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PLUGIN "libwarpstack-capture.so"
#define GIVEN "WARPSTACK_CAPTURE"

/* *path: allocated. */
static enum ws_status find(char **path, struct ws_err *err)
{
	const char *given = getenv(GIVEN);

	*path = given && *given ? realpath(given, NULL) : ws_library_path(PLUGIN);
	if (*path)
		return WS_OK;
	if (errno == ENOMEM)
		return ws_fail_memory(err, "the name of " PLUGIN);
	if (given && *given)
		return ws_fail(err, WS_EINVAL, GIVEN "=%s: %s", given, strerror(errno));
	return ws_fail(err, WS_EINVAL, PLUGIN ", which runs kernels, is not there: install "
		       "clang-19 and llvm-19-dev and build again, or name it in " GIVEN);
}

static enum ws_status refuse(const char *path, const char *why, struct ws_err *err)
{
	size_t len = strlen(path);

	if (strncmp(why, path, len) == 0 && strncmp(why + len, ": ", 2) == 0)
		why += len + 2;
	return ws_fail(err, WS_EIO, "%s cannot be loaded: %s", path, why);
}

static enum ws_status load(const struct ws_capture_plugin **plugin, struct ws_err *err)
{
	enum ws_status status;
	void *library;
	char *path;

	status = find(&path, err);
	if (status != WS_OK)
		return status;
	library = dlopen(path, RTLD_LAZY | RTLD_LOCAL); /* with all of LLVM bound: 3 ms more */
	*plugin = library ? dlsym(library, WS_PLUGIN_SYMBOL) : NULL;
	if (!library)
		status = refuse(path, dlerror(), err);
	else if (!*plugin)
		status = ws_fail(err, WS_EINVAL, "%s is not warpstack's " PLUGIN, path);
	else if (strcmp((*plugin)->version, WS_PLUGIN_VERSION) != 0)
		status = ws_fail(err, WS_EINVAL, "%s is of warpstack %s, and this is %s: install "
				 "both from one build", path, (*plugin)->version,
				 WS_PLUGIN_VERSION);
	free(path);
	return status;
}

enum ws_status ws_capture_load(struct ws_err *err)
{
	const struct ws_capture_plugin *plugin;

	return load(&plugin, err);
}

enum ws_status ws_capture(struct ws_program *p, const struct ws_capture_options *options,
			  struct ws_out *out, struct ws_err *err)
{
	const struct ws_capture_plugin *plugin;
	enum ws_status status = load(&plugin, err);

	return status == WS_OK ? plugin->capture(p, options, out, err) : status;
}

enum ws_status ws_soft_run(struct ws_program *p, const struct ws_soft_run_options *options,
			   const struct ws_soft_hooks *hooks, struct ws_err *err)
{
	const struct ws_capture_plugin *plugin;
	enum ws_status status = load(&plugin, err);

	return status == WS_OK ? plugin->soft_run(p, options, hooks, err) : status;
}
