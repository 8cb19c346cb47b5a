/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/text.c -- parses a machine's file.
 */
#include "machine/private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum ws_status ws_machine_file(const char *path, char **text, size_t *len, struct ws_err *err)
{
	FILE *file = fopen(path, "rb");
	bool bad;

	if (!file && errno == ENOMEM)
		return ws_fail_memory(err, "a machine file");
	if (!file)
		return ws_fail(err, ws_input_status(errno), "cannot open %s: %s", path,
			       strerror(errno));
	*text = malloc(WS_CONF_MAX + 1);
	if (!*text) {
		fclose(file);
		return ws_fail_memory(err, "a machine file");
	}
	*len = fread(*text, 1, WS_CONF_MAX + 1, file);
	bad = ferror(file) != 0;
	if (bad && errno == EISDIR)
		ws_fail(err, WS_EINPUT, "%s: is a directory, want a file", path);
	else if (bad)
		ws_fail(err, WS_EINPUT, "cannot read %s: %s", path, strerror(errno));
	fclose(file);
	if (bad)
		free(*text);
	return bad ? WS_EINPUT : WS_OK;
}

enum ws_status ws_machine_regular_file(const char *path, char **text, size_t *len,
				       struct ws_err *err)
{
	struct stat st;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return ws_fail(err, WS_EINPUT, "%s: no regular file", path);
	return ws_machine_file(path, text, len, err);
}
