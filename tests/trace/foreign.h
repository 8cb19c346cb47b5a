/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/foreign.h -- other tools' traces read from memory, and what they became as text.
 */
#ifndef WS_TESTS_TRACE_FOREIGN_H
#define WS_TESTS_TRACE_FOREIGN_H

#include "tests/trace/wstfile.h"
#include "trace/import.h"

/* Reads text of a format (NULL: by content) of that name, or path, into *t; *f is behind it. */
static inline enum ws_status read_named(const char *format, const char *name, const void *data,
					size_t len, struct file *f, struct ws_trace **t,
					struct ws_err *err)
{
	const struct ws_import_options options = { .arrays = true };
	const struct ws_trace_format *row = format ? ws_trace_format_find(format) : NULL;
	struct ws_in in = { .data = data, .len = len, .name = (char *)(uintptr_t)name };
	struct ws_out out = { 0 };
	enum ws_status status = WS_OK;

	*t = NULL;
	*f = (struct file){ NULL, 0 };
	out.file = open_memstream(&f->data, &f->len);
	must(out.file != NULL, "open_memstream");
	if (!format)
		status = ws_trace_format_recognise(&in, &row, err);
	must(row || !format, "the name of a format");
	if (status == WS_OK && !row)
		status = ws_fail(err, WS_EFORMAT, "not recognised");
	if (status == WS_OK)
		status = ws_import(row, &in, &options, &out, err);
	must(!fclose(out.file), "fclose");
	if (status == WS_OK)
		must(!ws_trace_open_in(t, &(struct ws_in){ .data = (uint8_t *)f->data,
							   .len = f->len,
							   .name = ws_strdup("built") }, err),
							   err->text);
	return status;
}

static inline enum ws_status read_text(const char *format, const char *text, struct file *f,
				       struct ws_trace **t, struct ws_err *err)
{
	return read_named(format, "x", text, strlen(text), f, t, err);
}

/* One warp's part of a step. */
static inline void tell_step(FILE *to, const struct ws_launch *l, const struct ws_step *step,
			     uint64_t mask, size_t lane)
{
	static const char kinds[] = "LSA", spaces[] = "gcs";
	const struct ws_segment *s = &l->segment[step->segment];

	for (uint32_t a = 0; a < s->count; a++) {
		const struct ws_instruction *i = &l->instruction[s->first + a];

		fprintf(to, " %c%c%u", kinds[i->kind], spaces[i->space], i->bytes);
		if (i->gap)
			fprintf(to, "+%u", i->gap);
		if (i->kind != WS_STORE && i->use != 1)
			fprintf(to, "@%u", i->use);
		for (unsigned b = 0; b < 64; b++)
			if (mask >> b & 1)
				fprintf(to, "%c%u:%llx", b && mask & ((1ull << b) - 1) ? ',' : ' ',
					b, (unsigned long long)step->address[a][lane + b]);
		fputc(';', to);
	}
	if (s->tail)
		fprintf(to, " +%u;", s->tail);
	if (s->barrier)
		fputs(" B;", to);
}

/* "cta.warp: accesses; ..." of each warp of the width that has any, one line each:
 * kind (L S A), space (g c s), bytes, +gap, @use, and lane:address.  Allocated. */
static inline char *tell(const struct ws_trace *t, size_t launch, unsigned width)
{
	const struct ws_launch *l = ws_trace_launch(t, launch);
	size_t warps = (size_t)(ws_launch_threads(l) + width - 1) / width, len;
	struct ws_decoder *d;
	char *text;
	FILE *to = open_memstream(&text, &len);

	must(to && !ws_decoder_new(&d, t, launch, NULL), "ws_decoder_new");
	for (uint64_t cta = 0; cta < l->ctas; cta++) {
		for (size_t w = 0; w < warps; w++) {
			bool more = true, any = false;
			struct ws_step step;

			must(!ws_decoder_seek(d, cta, NULL), "ws_decoder_seek");
			while (!ws_decoder_next(d, &step, &more, NULL) && more) {
				uint64_t mask = 0;

				for (unsigned b = 0;
				     b < width && w * width + b < ws_launch_threads(l); b++)
					mask |= (uint64_t)is_active(step.mask, w * width + b) << b;
				if (!mask)
					continue;
				if (!any)
					fprintf(to, "%llu.%zu:", (unsigned long long)cta, w);
				any = true;
				tell_step(to, l, &step, mask, w * width);
			}
			if (any)
				fputc('\n', to);
		}
	}
	ws_decoder_free(d);
	fclose(to);
	return text;
}

/* Any bytes, read as a format: they become a trace that decodes, or give one sentence. */
static inline enum ws_status try_foreign(const char *format, const void *data, size_t len)
{
	struct ws_err err = { 0 };
	struct ws_trace *t;
	struct file f;
	enum ws_status status = read_named(format, "tests/fuzz/x", data, len, &f, &t, &err);

	must(status == err.status && (status == WS_OK) == (err.text[0] == '\0'),
	     "a failure without a sentence, or a sentence without one");
	must(status == WS_OK || status == WS_EFORMAT || status == WS_EINPUT || status == WS_ENOMEM,
	     err.text);
	if (status == WS_OK)
		must(!decode_all(t, 64, &err), err.text);
	ws_trace_close(t);
	free(f.data);
	return status;
}

#endif
