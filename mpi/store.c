/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mpi/store.c -- results that wait for their turn: in a checkpoint, or in a file without a name.
 *
 * A checkpoint begins with a line of the question's hash and the number of parts.  Each result is a
 * line of its part, its lengths and hashes of the bytes and of the line, and then the bytes.  A
 * last result that is cut off is ignored; any other damage is an error.
 */
#include "mpi/mpi.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE 256u

struct mpi_place {		/* of a part's result; offset 0: it is not there */
	uint64_t offset, len[MPI_STREAMS];
};

uint64_t mpi_hash(uint64_t h, const void *data, size_t len)
{
	const uint8_t *at = data;

	for (size_t i = 0; i < len; i++) /* FNV-1a */
		h = (h ^ at[i]) * UINT64_C(0x100000001b3);
	return h;
}

static enum ws_status store_failed(const struct mpi_store *s, struct ws_err *err)
{
	return ws_fail(err, WS_EIO, "%s: %s", s->path ? s->path : "a temporary file",
		       strerror(errno));
}

static bool put_bytes(struct mpi_store *s, const void *data, size_t len)
{
	const char *at = data;

	while (len) {
		ssize_t n = pwrite(s->fd, at, len, (off_t)s->end);

		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0) {
			s->end += (uint64_t)n;
			at += n;
			len -= (size_t)n;
		}
	}
	return true;
}

/* ---- reading a checkpoint ---------------------------------------------------------- */

/* The line at *at, which moves behind it; 0: it is cut off. */
static size_t take_line(const struct ws_in *in, uint64_t *at, char line[LINE])
{
	size_t most = in->len - *at < LINE - 1 ? (size_t)(in->len - *at) : LINE - 1;
	const uint8_t *start = in->data + *at, *stop = memchr(start, '\n', most);
	size_t len = stop ? (size_t)(stop - start) : 0;

	memcpy(line, start, len);
	line[len] = '\0';
	*at += stop ? len + 1 : 0;
	return len;
}

static enum ws_status damaged(const struct ws_in *in, uint64_t at, struct ws_err *err)
{
	return ws_fail(err, WS_EFORMAT, "%s: byte %" PRIu64 ": damaged: want a result as it was "
		       "written", in->name, at);
}

static enum ws_status read_head(const struct ws_in *in, uint64_t question, uint64_t *parts,
				uint64_t *at, struct ws_err *err)
{
	char line[LINE], again[LINE];
	uint64_t has = 0;

	*at = 0;
	take_line(in, at, line);
	if (sscanf(line, "warpstack-mpi checkpoint 1 %" SCNx64 " %" SCNu64, &has, parts) == 2)
		snprintf(again, sizeof again, "warpstack-mpi checkpoint 1 %016" PRIx64 " %" PRIu64,
			 has, *parts);
	else
		again[0] = '\0';
	if (!*line || strcmp(line, again) != 0 || !*parts || *parts > WS_PARTS_MAX)
		return ws_fail(err, WS_EFORMAT, "%s: not a checkpoint of warpstack-mpi", in->name);
	if (has != question)
		return ws_fail(err, WS_EINVAL, "--checkpoint=%s does not fit: it is of another "
			       "command line, other inputs or another version", in->name);
	return WS_OK;
}

/* "PART OUTPUT MESSAGES NOTES HASH LINE'S" */
static bool parse_result(char *line, uint64_t *part, struct mpi_place *p, uint64_t *hash)
{
	char *last = strrchr(line, ' '), again[24];

	if (!last || sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNx64, part,
			    &p->len[0], &p->len[1], &p->len[2], hash) != 5)
		return false;
	snprintf(again, sizeof again, "%016" PRIx64, mpi_hash(MPI_HASH, line,
							      (size_t)(last - line)));
	return strcmp(last + 1, again) == 0;
}

/* *at moves behind the result; *whole: it is all there. */
static enum ws_status read_result(struct mpi_store *s, const struct ws_in *in, uint64_t *at,
				  bool *whole, struct ws_err *err)
{
	uint64_t start = *at, next = *at, part = 0, hash = 0, left;
	struct mpi_place p = { 0 };
	char line[LINE];
	size_t len = take_line(in, &next, line);

	*whole = next > start;
	if (!*whole && in->len - start < LINE - 1)
		return WS_OK;
	if (!len || !parse_result(line, &part, &p, &hash) || !part || part > s->parts)
		return damaged(in, start, err);
	p.offset = next;
	for (unsigned i = 0; i < MPI_STREAMS && *whole; i++) {
		left = in->len - next;
		*whole = p.len[i] <= left;
		next += *whole ? p.len[i] : 0;
	}
	if (!*whole)
		return WS_OK;
	if (mpi_hash(MPI_HASH, in->data + p.offset, (size_t)(next - p.offset)) != hash)
		return damaged(in, p.offset, err);
	s->resumed += !s->place[part - 1].offset;
	s->place[part - 1] = p;
	*at = next;
	return WS_OK;
}

static enum ws_status read_checkpoint(struct mpi_store *s, uint64_t question, uint64_t *parts,
				      struct ws_err *err)
{
	struct ws_in in = { 0 };
	bool whole = true;
	enum ws_status status = ws_in_open(&in, s->path, err);

	if (status == WS_OK)
		status = read_head(&in, question, parts, &s->end, err);
	s->parts = *parts;
	if (status == WS_OK) {
		s->place = ws_alloc_zero((size_t)s->parts, sizeof *s->place);
		if (!s->place)
			status = ws_fail_memory(err, "the parts");
	}
	while (status == WS_OK && whole && s->end < in.len)
		status = read_result(s, &in, &s->end, &whole, err);
	ws_in_close(&in);
	return status == WS_OK && ftruncate(s->fd, (off_t)s->end) ? store_failed(s, err) : status;
}

/* ---- a store --------------------------------------------------------------------------- */

static enum ws_status open_checkpoint(struct mpi_store *s, const struct mpi_options *o,
				      uint64_t *size, struct ws_err *err)
{
	struct stat st;

	s->fd = open(o->checkpoint, O_RDWR | O_CREAT | O_CLOEXEC | (o->resume ? 0 : O_EXCL), 0666);
	if (s->fd < 0 && errno == EEXIST)
		return ws_fail(err, WS_EINVAL, "--checkpoint=%s exists: want --resume to go on "
			       "with it, or another name", o->checkpoint);
	if (s->fd < 0 || fstat(s->fd, &st))
		return store_failed(s, err);
	if (!S_ISREG(st.st_mode))
		return ws_fail(err, WS_EINVAL, "--checkpoint=%s: want a regular file",
			       o->checkpoint);
	if (flock(s->fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return ws_fail(err, WS_EINVAL, "--checkpoint=%s: in use by another job",
			       o->checkpoint);
	*size = (uint64_t)st.st_size;
	return WS_OK;
}

enum ws_status mpi_store_open(struct mpi_store *s, const struct mpi_options *o, uint64_t question,
			      uint64_t *parts, struct ws_err *err)
{
	struct ws_out unnamed = { 0 };
	char line[LINE];
	uint64_t size = 0;
	enum ws_status status;
	int n;

	*s = (struct mpi_store){ .fd = -1, .path = o->checkpoint };
	status = s->path ? open_checkpoint(s, o, &size, err) : ws_out_temporary(&unnamed, err);
	if (status == WS_OK && !s->path)
		s->fd = dup(fileno(unnamed.file));
	ws_out_abort(&unnamed);
	if (status == WS_OK && size)
		return read_checkpoint(s, question, parts, err);
	if (status != WS_OK)
		return status;
	s->parts = *parts;
	s->place = ws_alloc_zero((size_t)s->parts, sizeof *s->place);
	if (!s->place)
		return ws_fail_memory(err, "the parts");
	n = snprintf(line, sizeof line, "warpstack-mpi checkpoint 1 %016" PRIx64 " %" PRIu64 "\n",
		     question, s->parts);
	return put_bytes(s, line, (size_t)n) ? WS_OK : store_failed(s, err);
}

enum ws_status mpi_store_put(struct mpi_store *s, const struct mpi_result *r, struct ws_err *err)
{
	struct mpi_place p = { 0 };
	uint64_t hash = MPI_HASH;
	char line[LINE];
	bool ok;
	int n;

	for (unsigned i = 0; i < MPI_STREAMS; i++) {
		hash = mpi_hash(hash, r->stream[i].data, r->stream[i].len);
		p.len[i] = r->stream[i].len;
	}
	n = snprintf(line, sizeof line, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		     " %016" PRIx64, r->part, p.len[0], p.len[1], p.len[2], hash);
	n += snprintf(line + n, sizeof line - (size_t)n, " %016" PRIx64 "\n",
		      mpi_hash(MPI_HASH, line, (size_t)n));
	ok = put_bytes(s, line, (size_t)n);
	p.offset = s->end;
	for (unsigned i = 0; i < MPI_STREAMS && ok; i++)
		ok = put_bytes(s, r->stream[i].data, r->stream[i].len);
	if (!ok)
		return store_failed(s, err);
	s->place[r->part - 1] = p;
	return WS_OK;
}

bool mpi_store_has(const struct mpi_store *s, uint64_t part)
{
	return s->place[part - 1].offset != 0;
}

void mpi_store_forget(struct mpi_store *s, uint64_t part)
{
	s->place[part - 1].offset = 0;
	s->resumed--;
}

enum ws_status mpi_store_get(const struct mpi_store *s, uint64_t part, struct mpi_result *r,
			     struct ws_err *err)
{
	const struct mpi_place *p = &s->place[part - 1];
	uint64_t at = p->offset;

	*r = (struct mpi_result){ .part = part };
	for (unsigned i = 0; i < MPI_STREAMS; i++) {
		struct ws_buf *to = &r->stream[i];

		to->data = ws_alloc((size_t)p->len[i] + 1, 1);
		if (!to->data)
			return ws_fail_memory(err, "a part's output");
		to->cap = (size_t)p->len[i] + 1;
		while (to->len < p->len[i]) {
			ssize_t n = pread(s->fd, to->data + to->len, (size_t)p->len[i] - to->len,
					  (off_t)at);

			if (n <= 0)
				return store_failed(s, err);
			to->len += (size_t)n;
			at += (uint64_t)n;
		}
	}
	return WS_OK;
}

void mpi_store_close(struct mpi_store *s)
{
	if (s->fd >= 0)
		close(s->fd);
	free(s->place);
	*s = (struct mpi_store){ .fd = -1 };
}
