/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/source_text.c -- the text of a kernel's source, that goes into the trace.
 */
#include "trace/capture/kernel.h"
#include "trace/format/wst.h"

#include <stdlib.h>
#include <string.h>

char *ws_source_text(const char *path)
{
	struct ws_in in;
	char *text = NULL;

	if (ws_in_open(&in, path, NULL) != WS_OK)
		return NULL;
	if (in.len <= WST_TEXT_MAX && !memchr(in.data, 0, in.len))
		text = malloc(in.len + 1);
	if (text) {
		memcpy(text, in.data, in.len);
		text[in.len] = '\0';
	}
	ws_in_close(&in);
	return text;
}

enum ws_status ws_launch_keep_text(struct ws_launch *l, const char *path, const char *text,
				   struct ws_err *err)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	for (size_t i = 0; text && i < l->files; i++) {
		if (strcmp(l->file[i], name) != 0 || strlen(text) > WST_TEXT_MAX)
			continue;
		l->text = ws_alloc_zero(l->files, sizeof *l->text);
		if (!l->text || !(l->text[i] = ws_strdup(text)))
			return ws_fail_memory(err, "a launch's source");
		return WS_OK;
	}
	return WS_OK;
}
