/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/packed.c -- the content of a file, plain or packed by gzip, xz or zstd.
 *
 * A source gives bytes on demand: one row per packing, with `fill`.  The stream keeps what has been
 * filled and not yet been taken in one buffer, which grows to the longest line and no
 * further; memory is that (16 MiB) and what an unpacker wants (xz: at most UNPACK_MAX;
 * zstd: windows of at most 128 MiB), whatever the content is.  Files packed in several
 * pieces, one after another, are one content.
 */
#include "trace/import/packed.h"

#include <inttypes.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#define LINE_MAX_BYTES (16u << 20)
#define PEEK_BYTES (64u << 10)
#define LEFT_BYTES (8u << 20)
#define BLOCK_BYTES (256u << 10)   /* filled at once */
#define UNPACK_MAX (256ull << 20)  /* memory for unpacking xz; its own -9 takes 65 MiB */
/* What is packed further than this, once it is large, is the same byte over and over, of which zstd
 * makes 30000 of one; a trace that repeats itself is packed to a 10000th at most. */
#define RATIO_MAX 16384u
#define RATIO_FROM (32ull << 20)
#define EMPTY_MAX (1u << 24) /* lines in a row */
#define INPUT_STEP (1u << 30)	   /* zlib counts in 32 bits */

/* Packings: see rows below. */
struct packing {
	const char *name;
	uint8_t magic[6];
	size_t magic_len;
	bool (*begin)(struct ws_packed *s); /* false: no memory */
	/* Writes at most room bytes; 0: the end, or *what says what is wrong. */
	size_t (*fill)(struct ws_packed *s, uint8_t *to, size_t room, const char **what);
	void (*end)(struct ws_packed *s);
};

struct ws_packed {
	const struct ws_in *in;
	const struct packing *packing;
	size_t used;		/* bytes of the input that were unpacked */
	size_t left;		/* of them those that memory was told it may drop */
	union {
		z_stream gzip;
		lzma_stream xz;
		ZSTD_DCtx *zstd;
	} u;
	bool inside;		/* a piece has begun and not ended */
	bool ended;		/* nothing more comes */
	uint8_t *data;		/* filled: [at, len); one more byte fits */
	size_t at, len, cap;
	uint64_t filled;	/* bytes so far */
	uint64_t lines, bytes;	/* taken so far */
	uint64_t empty;		/* of them the last ones that are empty */
	bool text;		/* taken as lines */
};

/* ---- plain --------------------------------------------------------------------- */

static bool plain_begin(struct ws_packed *s)
{
	(void)s;
	return true;
}

static const char no_memory[] = "no memory"; /* what went wrong, if it is not the data's fault */

static size_t plain_fill(struct ws_packed *s, uint8_t *to, size_t room, const char **what)
{
	size_t n = s->in->len - s->used;

	(void)what;
	if (n > room)
		n = room;
	memcpy(to, s->in->data + s->used, n);
	s->used += n;
	return n;
}

static void plain_end(struct ws_packed *s)
{
	(void)s;
}

/* ---- gzip ---------------------------------------------------------------------- */

static bool gzip_begin(struct ws_packed *s)
{
	s->u.gzip = (z_stream){ 0 };
	return inflateInit2(&s->u.gzip, 15 + 16) == Z_OK; /* 16: gzip's header and sums */
}

static size_t gzip_fill(struct ws_packed *s, uint8_t *to, size_t room, const char **what)
{
	z_stream *z = &s->u.gzip;
	size_t left = s->in->len - s->used, got = 0;

	while (got == 0) {
		uInt step = (uInt)(left < INPUT_STEP ? left : INPUT_STEP);
		int result;

		if (!s->inside && left == 0)
			return 0;
		if (!s->inside)
			inflateReset(z);
		s->inside = true;
		z->next_in = (z_const Bytef *)(s->in->data + s->used);
		z->avail_in = step;
		z->next_out = to;
		z->avail_out = (uInt)room;
		result = inflate(z, Z_NO_FLUSH);
		s->used += step - z->avail_in;
		left = s->in->len - s->used;
		got = room - z->avail_out;
		if (result == Z_STREAM_END)
			s->inside = false;
		else if (result != Z_OK && !(result == Z_BUF_ERROR && left))
			*what = result == Z_BUF_ERROR ? "cut short" :
				result == Z_MEM_ERROR ? no_memory : "corrupt";
		if (*what)
			return 0;
	}
	return got;
}

static void gzip_end(struct ws_packed *s)
{
	inflateEnd(&s->u.gzip);
}

/* ---- xz ------------------------------------------------------------------------ */

static bool xz_begin(struct ws_packed *s)
{
	s->u.xz = (lzma_stream)LZMA_STREAM_INIT;
	return lzma_stream_decoder(&s->u.xz, UNPACK_MAX, LZMA_CONCATENATED) == LZMA_OK;
}

static const char *xz_problem(lzma_ret result)
{
	return result == LZMA_BUF_ERROR ? "cut short" :
	       result == LZMA_MEM_ERROR ? no_memory :
	       result == LZMA_MEMLIMIT_ERROR ?
		       "packed so that it takes more than 256 MiB to unpack" : "corrupt";
}

static size_t xz_fill(struct ws_packed *s, uint8_t *to, size_t room, const char **what)
{
	lzma_stream *x = &s->u.xz;
	lzma_ret result;

	x->next_in = s->in->data + s->used;
	x->avail_in = s->in->len - s->used;
	x->next_out = to;
	x->avail_out = room;
	do
		result = lzma_code(x, LZMA_FINISH);
	while (result == LZMA_OK && x->avail_out == room);
	s->used = s->in->len - x->avail_in;
	if (result != LZMA_OK && result != LZMA_STREAM_END) {
		*what = xz_problem(result);
		return 0;
	}
	return room - x->avail_out;
}

static void xz_end(struct ws_packed *s)
{
	lzma_end(&s->u.xz);
}

/* ---- zstd ---------------------------------------------------------------------- */

static bool zstd_begin(struct ws_packed *s)
{
	s->u.zstd = ZSTD_createDCtx();
	return s->u.zstd != NULL;
}

static size_t zstd_fill(struct ws_packed *s, uint8_t *to, size_t room, const char **what)
{
	ZSTD_outBuffer out = { to, room, 0 };
	ZSTD_inBuffer in = { s->in->data, s->in->len, s->used };

	while (out.pos == 0) {
		size_t before = in.pos, hint;

		if (!s->inside && in.pos == in.size)
			return 0;
		hint = ZSTD_decompressStream(s->u.zstd, &out, &in);
		s->used = in.pos;
		s->inside = hint != 0;
		if (ZSTD_isError(hint))
			*what = ZSTD_getErrorCode(hint) == ZSTD_error_memory_allocation
					? no_memory : "corrupt";
		else if (s->inside && out.pos == 0 && in.pos == before)
			*what = "cut short";
		if (*what)
			return 0;
	}
	return out.pos;
}

static void zstd_end(struct ws_packed *s)
{
	ZSTD_freeDCtx(s->u.zstd);
}

/* ---- the table of packings ------------------------------------------------------- */

static const struct packing packings[] = {
	{ "gzip", { 0x1f, 0x8b }, 2, gzip_begin, gzip_fill, gzip_end },
	{ "xz", { 0xfd, '7', 'z', 'X', 'Z', 0 }, 6, xz_begin, xz_fill, xz_end },
	{ "zstd", { 0x28, 0xb5, 0x2f, 0xfd }, 4, zstd_begin, zstd_fill, zstd_end },
	{ "", { 0 }, 0, plain_begin, plain_fill, plain_end },
};

enum ws_status ws_packed_open(struct ws_packed **out, const struct ws_in *in, struct ws_err *err)
{
	struct ws_packed *s = ws_alloc_zero(1, sizeof *s);
	const struct packing *p = packings;

	*out = NULL;
	if (!s)
		return ws_fail_memory(err, "an input stream");
	while (in->len < p->magic_len || memcmp(in->data, p->magic, p->magic_len))
		p++; /* the last one has no magic number */
	s->in = in;
	s->packing = p;
	if (!p->begin(s)) {
		free(s);
		return ws_fail_memory(err, "unpacking");
	}
	*out = s;
	return WS_OK;
}

void ws_packed_close(struct ws_packed *s)
{
	if (!s)
		return;
	s->packing->end(s);
	free(s->data);
	free(s);
}

/* ---- places and failures ------------------------------------------------------------ */

uint64_t ws_packed_at(const struct ws_packed *s)
{
	return s->text ? s->lines : s->bytes;
}

enum ws_status ws_packed_fail(const struct ws_packed *s, struct ws_err *err, const char *format,
			      ...)
{
	char text[sizeof err->text];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	return ws_fail(err, WS_EFORMAT,
		       s->text ? "%s:%" PRIu64 ": %s" : "%s: offset %" PRIu64 ": %s", s->in->name,
		       ws_packed_at(s), text);
}

/* ---- bytes -------------------------------------------------------------------------- */

/* More bytes after those that are there; s->ended if there are none. */
static enum ws_status fill_packed(struct ws_packed *s, struct ws_err *err)
{
	const char *what = NULL;
	size_t n;

	if (s->used - s->left > LEFT_BYTES) {
		s->left = s->used;
		ws_in_leave(s->in, s->left);
	}
	if (s->at) {
		memmove(s->data, s->data + s->at, s->len - s->at);
		s->len -= s->at;
		s->at = 0;
	}
	if (!WS_ROOM(s->data, s->cap, s->len + BLOCK_BYTES + 1))
		return ws_fail_memory(err, "an input stream");
	n = s->packing->fill(s, s->data + s->len, s->cap - s->len - 1, &what);
	if (what == no_memory)
		return ws_fail_memory(err, "unpacking");
	if (what)
		return ws_fail(err, WS_EFORMAT, "%s: offset %zu: the %s data are %s", s->in->name,
			       s->used, s->packing->name, what);
	s->len += n;
	s->filled += n;
	s->ended = n == 0;
	if (s->filled > RATIO_FROM && s->filled / RATIO_MAX > s->used)
		return ws_fail(err, WS_EFORMAT, "%s: offset %zu: %" PRIu64 " MiB unpacked so far, "
			       "want at most %u times what is packed", s->in->name, s->used,
			       s->filled >> 20, RATIO_MAX);
	return WS_OK;
}

enum ws_status ws_packed_peek(struct ws_packed *s, const uint8_t **data, size_t *len,
			      struct ws_err *err)
{
	enum ws_status status = WS_OK;

	while (status == WS_OK && !s->ended && s->len - s->at < PEEK_BYTES)
		status = fill_packed(s, err);
	*len = s->len - s->at < PEEK_BYTES ? s->len - s->at : PEEK_BYTES;
	*data = *len ? s->data + s->at : (const uint8_t *)"";
	return status;
}

enum ws_status ws_packed_read(struct ws_packed *s, void *to, size_t want, size_t *got,
			      struct ws_err *err)
{
	uint8_t *p = to;
	enum ws_status status = WS_OK;

	*got = 0;
	while (*got < want) {
		size_t n = s->len - s->at;

		if (n == 0 && s->ended)
			break;
		if (n == 0) {
			status = fill_packed(s, err);
			if (status != WS_OK)
				return status;
			continue;
		}
		if (n > want - *got)
			n = want - *got;
		memcpy(p + *got, s->data + s->at, n);
		s->at += n;
		*got += n;
	}
	s->bytes += *got;
	return WS_OK;
}

enum ws_status ws_packed_view(struct ws_packed *s, const uint8_t **data, size_t want, size_t *got,
			      struct ws_err *err)
{
	enum ws_status status = WS_OK;

	while (status == WS_OK && !s->ended && s->len - s->at < want)
		status = fill_packed(s, err);
	*got = s->len - s->at < want ? s->len - s->at : want;
	*data = *got ? s->data + s->at : (const uint8_t *)"";
	s->at += *got;
	s->bytes += *got;
	return status;
}

/* ---- lines -------------------------------------------------------------------------- */

/* Makes [at, at + *len) the next line, and says whether its end was a \n. */
static enum ws_status find_line(struct ws_packed *s, size_t *len, bool *ended, struct ws_err *err)
{
	size_t seen = 0;

	for (;;) {
		size_t n = s->len - s->at;
		uint8_t *end = n > seen ? memchr(s->data + s->at + seen, '\n', n - seen) : NULL;
		enum ws_status status;

		*len = end ? (size_t)(end - (s->data + s->at)) : n;
		*ended = end != NULL;
		if (*len > LINE_MAX_BYTES) {
			s->lines++;
			return ws_packed_fail(s, err, "a line of more than %u bytes",
					      LINE_MAX_BYTES);
		}
		if (end || s->ended)
			return WS_OK;
		seen = n;
		status = fill_packed(s, err);
		if (status != WS_OK)
			return status;
	}
}

const char *ws_packed_there(struct ws_packed *s, size_t *len)
{
	s->text = true;
	*len = s->len - s->at;
	return *len ? (const char *)s->data + s->at : "";
}

void ws_packed_took(struct ws_packed *s, size_t bytes, size_t lines)
{
	s->at += bytes;
	s->bytes += bytes;
	s->lines += lines;
	s->empty = lines ? 0 : s->empty;
}

enum ws_status ws_packed_line(struct ws_packed *s, char **line, size_t *len, struct ws_err *err)
{
	enum ws_status status;
	size_t n = 0;
	bool ended;
	char *text;

	*line = NULL;
	*len = 0;
	s->text = true;
	status = find_line(s, &n, &ended, err);
	if (status != WS_OK || (n == 0 && !ended))
		return status;
	s->lines++;
	text = (char *)s->data + s->at;
	s->at += n + ended;
	s->bytes += n + ended;
	if (n && text[n - 1] == '\r')
		n--;
	text[n] = '\0';
	s->empty = n ? 0 : s->empty + 1;
	if (s->empty > EMPTY_MAX)
		return ws_packed_fail(s, err, "%u empty lines, want fewer", EMPTY_MAX);
	if (memchr(text, '\0', n))
		return ws_packed_fail(s, err, "a zero byte within a line of text");
	*line = text;
	*len = n;
	return WS_OK;
}

enum ws_status ws_packed_lines(struct ws_packed *s, ws_packed_take *take, void *reader,
			       struct ws_err *err)
{
	enum ws_status status;
	size_t len;
	char *line;

	do {
		status = ws_packed_line(s, &line, &len, err);
		if (status == WS_OK && line)
			status = take(reader, line, err);
	} while (status == WS_OK && line);
	return status;
}
