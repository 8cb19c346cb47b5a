/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/packed.h -- input that may be packed.
 *
 * Private to trace/import/.  A stream yields the content of an input that is plain or packed by
 * gzip, xz or zstd (told by its first bytes), piece by piece: memory is bounded whatever it
 * unpacks to.  Errors name the file and, in text, the line.
 */
#ifndef WS_IMPORT_PACKED_H
#define WS_IMPORT_PACKED_H

#include "trace/import.h"

/* *in must outlive the stream. */
enum ws_status ws_packed_open(struct ws_packed **out, const struct ws_in *in,
			      struct ws_err *err) WS_MUST_CHECK;
/* The first bytes, at most 64 KiB, without consuming them. */
enum ws_status ws_packed_peek(struct ws_packed *s, const uint8_t **data, size_t *len,
			      struct ws_err *err) WS_MUST_CHECK;
/* The next line without its end (\n or \r\n; the last may lack it), NUL-terminated; it points into
 * the stream until the next call.  *line NULL: the end.  A line of more than 16 MiB is an
 * error, as is a NUL byte inside one. */
enum ws_status ws_packed_line(struct ws_packed *s, char **line, size_t *len,
			      struct ws_err *err) WS_MUST_CHECK;
/* Each line to its end. */
typedef enum ws_status ws_packed_take(void *reader, char *line, struct ws_err *err);
enum ws_status ws_packed_lines(struct ws_packed *s, ws_packed_take *take, void *reader,
			       struct ws_err *err) WS_MUST_CHECK;
/* For readers that take lines where they are: what is there of the content, until the next call
 * that fills, perhaps nothing; and so many bytes of it, of lines that are not empty, are taken. */
const char *ws_packed_there(struct ws_packed *s, size_t *len);
void ws_packed_took(struct ws_packed *s, size_t bytes, size_t lines);
/* The next bytes where they are, until the next call; *got < want at the end. */
enum ws_status ws_packed_view(struct ws_packed *s, const uint8_t **data, size_t want, size_t *got,
			      struct ws_err *err) WS_MUST_CHECK;
/* The next `want` bytes; *got less only at the end. */
enum ws_status ws_packed_read(struct ws_packed *s, void *to, size_t want, size_t *got,
			      struct ws_err *err) WS_MUST_CHECK;
uint64_t ws_packed_at(const struct ws_packed *s); /* text: lines so far; else bytes */
/* WS_EFORMAT with "NAME:LINE: " before the message. */
enum ws_status ws_packed_fail(const struct ws_packed *s, struct ws_err *err, const char *format,
			      ...) WS_PRINTF(3, 4);
void ws_packed_close(struct ws_packed *s);

#endif
