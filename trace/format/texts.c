/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/format/texts.c -- what is in source files, kept once however many launches are of them.
 *
 * A launch has the text of a file if none before it has one under that name, or the last of those
 * is another.  So a launch's text is its own, or that of the last launch before it that has one.
 */
#include "trace/format/wst.h"

#include <stdlib.h>
#include <string.h>

/* The last that was written under that name. */
static const char *last_text(const struct ws_texts *t, const char *file)
{
	for (size_t i = t->count; i > 0; i--)
		if (strcmp(t->text[i - 1].file, file) == 0)
			return t->text[i - 1].text;
	return NULL;
}

static bool note_text(struct ws_texts *t, size_t launch, const char *file, const char *text)
{
	struct ws_written_text one = { ws_strdup(file), ws_strdup(text), launch };

	if (one.file && one.text && WS_ROOM(t->text, t->cap, t->count + 1)) {
		t->text[t->count++] = one;
		return true;
	}
	free(one.file);
	free(one.text);
	return false;
}

enum ws_status ws_texts_new(struct ws_texts *t, size_t launch, struct ws_launch *l,
			    struct ws_err *err)
{
	char **all = l->text;

	l->text = all ? ws_alloc_zero(l->files, sizeof *l->text) : NULL;
	if (all && !l->text)
		return ws_fail_memory(err, "the texts of source files");
	for (size_t i = 0; all && i < l->files; i++) {
		const char *last = all[i] ? last_text(t, l->file[i]) : NULL;

		if (!all[i] || (last && strcmp(last, all[i]) == 0))
			continue;
		if (!note_text(t, launch, l->file[i], all[i]))
			return ws_fail_memory(err, "the texts of source files");
		l->text[i] = all[i];
	}
	return WS_OK;
}

void ws_texts_drop(struct ws_texts *t, size_t launch)
{
	while (t->count && t->text[t->count - 1].launch >= launch) {
		t->count--;
		free(t->text[t->count].file);
		free(t->text[t->count].text);
	}
	if (t->count)
		return;
	free(t->text);
	*t = (struct ws_texts){ .count = 0 };
}

const char *ws_trace_text(const struct ws_trace *t, size_t launch, const char *file)
{
	for (size_t n = launch + 1; n > 0; n--) {
		const struct ws_launch *l = &t->section[n - 1].launch;

		for (size_t i = 0; l->text && i < l->files; i++)
			if (l->text[i] && strcmp(l->file[i], file) == 0)
				return l->text[i];
	}
	return NULL;
}
