/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/formats.c -- the table of foreign traces; telling them apart; reading one.
 */
#include "trace/import/builder.h"
#include "trace/import/text.h"

#include <string.h>

/* The only list, in the order in which they are asked: those with a signature first, mere columns
 * of numbers last. */
#define FORMATS(X) \
	X(accel_sim) \
	X(nvbit) \
	X(nugteren) \
	X(ppt) \
	X(crawford) \
	X(lackey) \
	X(pinatrace) \
	X(crawford_order) \
	X(xdin) \
	X(plain) \
	X(din) \
	X(oracle) \
	X(perfetto)

#define DECLARE(name) extern const struct ws_trace_format ws_trace_format_##name;
FORMATS(DECLARE)
#define ROW(name) &ws_trace_format_##name,
const struct ws_trace_format *const ws_trace_formats[] = { FORMATS(ROW) NULL };

const struct ws_trace_format *ws_trace_format_find(const char *name)
{
	for (size_t i = 0; ws_trace_formats[i]; i++)
		if (strcmp(ws_trace_formats[i]->name, name) == 0)
			return ws_trace_formats[i];
	return NULL;
}

/* ---- byte order marks ------------------------------------------------------------- */

#define MARK_BYTES 3u

static bool is_text(const struct ws_trace_format *f)
{
	return f != &ws_trace_format_oracle;
}

static bool has_mark(const uint8_t *data, size_t len)
{
	return len >= MARK_BYTES && memcmp(data, "\xef\xbb\xbf", MARK_BYTES) == 0;
}

/* Some editors put one before UTF-8, where it means nothing. */
static enum ws_status skip_mark(struct ws_packed *s, struct ws_err *err)
{
	uint8_t mark[MARK_BYTES];
	const uint8_t *data;
	size_t len;
	enum ws_status status = ws_packed_peek(s, &data, &len, err);

	if (status != WS_OK || !has_mark(data, len))
		return status;
	return ws_packed_read(s, mark, sizeof mark, &len, err);
}

/* ---- all of them -------------------------------------------------------------------- */

enum ws_status ws_trace_format_recognise(const struct ws_in *in, const struct ws_trace_format **out,
					 struct ws_err *err)
{
	struct ws_packed *s;
	const uint8_t *data;
	size_t len;
	bool marked;
	enum ws_status status = ws_packed_open(&s, in, err);

	*out = NULL;
	if (status != WS_OK)
		return status;
	status = ws_packed_peek(s, &data, &len, err);
	marked = status == WS_OK && has_mark(data, len);
	for (size_t i = 0; status == WS_OK && !*out && ws_trace_formats[i]; i++) {
		const struct ws_trace_format *f = ws_trace_formats[i];
		size_t skip = marked && is_text(f) ? MARK_BYTES : 0;

		if (f->recognise && f->recognise(data + skip, len - skip))
			*out = f;
	}
	ws_packed_close(s);
	return status;
}

/* NULL: no path that others are relative to. */
static const char *path_of(const struct ws_in *in)
{
	return strcmp(in->name, "(standard input)") == 0 ? NULL : in->name;
}

enum ws_status ws_import_files(const struct ws_trace_format *f, const struct ws_in *in,
			       ws_file_visit *visit, void *context, struct ws_err *err)
{
	struct ws_packed *s = NULL;
	enum ws_status status = WS_OK;

	if (!f->files) /* none, or it is not read at all */
		return WS_OK;
	status = ws_packed_open(&s, in, err);
	if (status == WS_OK && is_text(f))
		status = skip_mark(s, err);
	if (status == WS_OK)
		status = f->files(s, path_of(in), visit, context, err);
	ws_packed_close(s);
	return status;
}

/* What the input holds, told to the builder. */
static enum ws_status convert(const struct ws_trace_format *f, const struct ws_in *in,
			      const struct ws_import_options *options, struct ws_builder *b,
			      struct ws_err *err)
{
	struct ws_packed *s = NULL;
	struct ws_err why = { 0 };
	enum ws_status status = ws_packed_open(&s, in, err);

	b->options = options;
	if (status == WS_OK && is_text(f))
		status = skip_mark(s, err);
	if (status == WS_OK)
		status = f->read(s, path_of(in), b, err);
	if (status == WS_OK) {
		status = ws_builder_end(b, &why);
		if (status != WS_OK)
			status = ws_text_blame(s, status, &why, err);
	}
	ws_packed_close(s);
	return status;
}

static enum ws_status find_format(const struct ws_trace_format **f, const struct ws_in *in,
				  struct ws_err *err)
{
	enum ws_status status = *f ? WS_OK : ws_trace_format_recognise(in, f, err);

	if (status == WS_OK && *f && !(*f)->read)
		return ws_fail(err, WS_EINVAL, "%s: %s is written only", in->name, (*f)->name);
	if (status == WS_OK && !*f)
		status = ws_fail(err, WS_EFORMAT, "%s: a trace of no format that is known",
				 in->name);
	return status;
}

enum ws_status ws_import(const struct ws_trace_format *f, const struct ws_in *in,
			 const struct ws_import_options *options, struct ws_out *file,
			 struct ws_err *err)
{
	struct ws_builder *b = NULL;
	enum ws_status status = find_format(&f, in, err);

	if (status == WS_OK)
		status = ws_builder_new(&b, file, options->arrays, err);
	if (status == WS_OK)
		status = convert(f, in, options, b, err);
	ws_builder_free(b);
	return status;
}

static enum ws_status import_list(struct ws_trace **out, const struct ws_in *in,
				  const struct ws_trace_format *f,
				  const struct ws_import_options *options, struct ws_err *err)
{
	struct ws_builder *b;
	enum ws_status status = ws_builder_lone_new(&b, options->arrays, err);

	if (status == WS_OK)
		status = convert(f, in, options, b, err);
	if (status == WS_OK)
		status = ws_builder_lone_end(b, out, in->name, err);
	ws_builder_free(b);
	return status;
}

enum ws_status ws_import_trace(struct ws_trace **out, const struct ws_in *in,
			       const struct ws_trace_format *f,
			       const struct ws_import_options *options, struct ws_err *err)
{
	struct ws_out file;
	enum ws_status status = find_format(&f, in, err);

	*out = NULL;
	if (status == WS_OK && options->listed && f->single)
		return import_list(out, in, f, options, err);
	if (status == WS_OK)
		status = ws_out_temporary(&file, err);
	if (status != WS_OK)
		return status;
	status = ws_import(f, in, options, &file, err);
	if (status == WS_OK)
		status = ws_trace_open_written(out, &file, in->name, err);
	ws_out_abort(&file);
	return status;
}
