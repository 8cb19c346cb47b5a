/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/gpgpusim/notes.c -- notes on a gpgpusim.config.
 */
#include "machine/gpgpusim/gpgpusim.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void ws_notes_clear(struct ws_notes *notes)
{
	for (size_t i = 0; i < notes->count; i++) {
		free(notes->note[i].option);
		free(notes->note[i].text);
	}
	free(notes->note);
	*notes = (struct ws_notes){ .note = NULL };
}

struct ws_note *ws_gs_note(struct ws_gs *r, enum ws_note_kind kind, size_t line, const char *option,
			   const char *fmt, ...)
{
	struct ws_notes *notes = r->notes;
	struct ws_note one = { .kind = kind, .line = line };
	char text[1024];
	va_list ap;

	if (!notes || r->status)
		return NULL;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	one.option = ws_strdup(option);
	one.text = ws_strdup(text);
	if (one.option && one.text && WS_ROOM(notes->note, notes->cap, notes->count + 1)) {
		notes->note[notes->count] = one;
		return &notes->note[notes->count++];
	}
	free(one.option);
	free(one.text);
	r->no_memory = true;
	return NULL;
}

/* "FILE:12: -gpgpu_n_clusters 0", or, left out, "FILE: -gpgpu_n_clusters (10 if left out)". */
static const char *place_of_option(const struct ws_gs *r, enum ws_gs_option o, char *out,
				   size_t len)
{
	char shown[80];

	if (r->given[o].line)
		snprintf(out, len, "%.600s:%zu: %s %s", r->given[o].file, r->given[o].line,
			 r->row[o].name, ws_shown(r->given[o].value, shown, sizeof shown));
	else
		snprintf(out, len, "%.600s: %s (%s if left out)", r->file, r->row[o].name,
			 r->row[o].value);
	return out;
}

void ws_gs_remark(struct ws_gs *r, enum ws_gs_option o, const char *what)
{
	ws_gs_note(r, WS_NOTE_REMARK, r->given[o].line, r->row[o].name, "%s", what);
}

void ws_gs_warn(struct ws_gs *r, enum ws_gs_option o, const char *what)
{
	char where[768];

	ws_gs_note(r, WS_NOTE_WARNING, r->given[o].line, r->row[o].name, "%s: %s",
		   place_of_option(r, o, where, sizeof where), what);
}

void ws_gs_bad(struct ws_gs *r, enum ws_gs_option o, const char *what)
{
	char where[768];

	if (!r->status)
		r->status = ws_fail(r->err, WS_EFORMAT, "%s: %s",
				    place_of_option(r, o, where, sizeof where), what);
}

void ws_gs_put(struct ws_buf *buf, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	ws_put_bytes(buf, text, strlen(text));
}
