/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/format/lone.c -- lists of the accesses of one thread: see lone.h.
 */
#include "trace/format/lone.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- writing ------------------------------------------------------------------------------- */

#define DATA_BYTES (WS_LONE_BLOCK + WS_LONE_PACKED_MAX + WS_LONE_SPARE)

enum ws_status ws_lone_writer_init(struct ws_lone_writer *w, struct ws_err *err)
{
	*w = (struct ws_lone_writer){ .fd = -1 };
	w->data = ws_alloc(DATA_BYTES, 1);
	if (!w->data)
		return ws_fail_memory(err, "the accesses of a trace");
	return ws_temporary_fd(&w->fd, err);
}

static enum ws_status flush(struct ws_lone_writer *w, struct ws_err *err)
{
	for (size_t at = 0; at < w->len;) {
		ssize_t n = write(w->fd, w->data + at, w->len - at);

		if (n < 0 && errno != EINTR)
			return ws_fail(err, WS_EIO, "a temporary file for a trace's accesses: %s",
				       strerror(errno));
		at += n > 0 ? (size_t)n : 0;
	}
	w->written += w->len;
	w->len = 0;
	return WS_OK;
}

static uint8_t *put_column(uint8_t *p, const uint64_t *v, size_t count)
{
	uint64_t least = v[0], most = v[0], any = 0;
	unsigned shift, bytes;

	for (size_t i = 0; i < count; i++) {
		least = v[i] < least ? v[i] : least;
		most = v[i] > most ? v[i] : most;
		any |= v[i] ^ v[0];
	}
	/* Below the lowest bit in which two of them differ, differences are zero. */
	shift = any ? ws_lowest_bit(any) : 0;
	bytes = any ? ws_log2((most - least) >> shift) / 8 + 1 : 0;
	ws_word_put(p, least, 8);
	p[8] = (uint8_t)shift;
	p[9] = (uint8_t)bytes;
	p += 10;
	for (size_t i = 0; i < count && bytes; i++, p += bytes)
		ws_word_put(p, (v[i] - least) >> shift, 8);
	return p;
}

enum ws_status ws_lone_pack(struct ws_lone_writer *w, struct ws_err *err)
{
	uint8_t *p = w->data + w->len;

	if (!w->steps)
		return WS_OK;
	ws_word_put(p, w->steps, 2);
	p = put_column(p + 2, w->item, w->steps);
	p = put_column(p, w->address, w->steps);
	w->steps = 0;
	w->len = (size_t)(p - w->data);
	return w->len < WS_LONE_BLOCK ? WS_OK : flush(w, err);
}

static void clear_section(struct ws_trace_section *s)
{
	ws_launch_clear(&s->launch);
	free(s->chunk);
	free(s->segment);
}

void ws_lone_writer_clear(struct ws_lone_writer *w)
{
	for (size_t i = 0; i < w->sections; i++)
		clear_section(&w->section[i]);
	free(w->section);
	free(w->data);
	if (w->fd >= 0)
		close(w->fd);
	*w = (struct ws_lone_writer){ .fd = -1 };
}

enum ws_status ws_lone_launch(struct ws_lone_writer *w, struct ws_launch *l, uint32_t *segment,
			      size_t items, struct ws_err *err)
{
	enum ws_status status = ws_lone_pack(w, err);
	struct ws_trace_section *s;

	if (status == WS_OK && !WS_ROOM(w->section, w->cap, w->sections + 1))
		status = ws_fail_memory(err, "the launches of a trace");
	if (status != WS_OK) {
		free(segment);
		return status;
	}
	s = &w->section[w->sections];
	*s = (struct ws_trace_section){ .launch = *l, .segment = segment, .items = items,
					.end = w->written + w->len };
	s->begin = w->sections ? s[-1].end : 0;
	w->sections++;
	w->last = 0;
	*l = (struct ws_launch){ 0 };
	return WS_OK;
}

enum ws_status ws_lone_open(struct ws_trace **out, struct ws_lone_writer *w, const char *name,
			    struct ws_err *err)
{
	enum ws_status status = flush(w, err);
	struct ws_trace *t = ws_alloc_zero(1, sizeof *t);

	*out = NULL;
	if (t)
		t->in.name = ws_strdup(name);
	if (status == WS_OK && (!t || !t->in.name))
		status = ws_fail_memory(err, "a trace");
	if (status != WS_OK) {
		free(t ? t->in.name : NULL);
		free(t);
		return status;
	}
	t->in.len = (size_t)w->written;
	t->section = w->section;
	t->sections = w->sections;
	t->lone = w->fd + 1;
	w->section = NULL;
	w->sections = w->cap = 0;
	w->fd = -1;
	*out = t;
	return WS_OK;
}

/* ---- reading ------------------------------------------------------------------------------- */

struct ws_lone_reader {
	const struct ws_trace *trace;
	const struct ws_trace_section *section;
	uint8_t *data;		/* [DATA_BYTES] */
	size_t at, len;		/* what is left of it: [at, len) */
	uint64_t filled;	/* offset in the file of what comes after data */
	struct ws_lone_steps steps;
	size_t next;		/* of them, for ws_lone_next */
};

bool ws_trace_lone(const struct ws_trace *t, size_t launch)
{
	return t->lone && launch < t->sections;
}

enum ws_status ws_lone_reader_new(struct ws_lone_reader **out, const struct ws_trace *t,
				  size_t launch, struct ws_err *err)
{
	struct ws_lone_reader *r = ws_alloc_zero(1, sizeof *r);

	assert(ws_trace_lone(t, launch));
	*out = NULL;
	if (r) {
		r->trace = t;
		r->section = &t->section[launch];
		r->data = ws_alloc_zero(DATA_BYTES, 1);
	}
	if (!r || !r->data) {
		ws_lone_reader_free(r);
		return ws_fail_memory(err, "a trace's accesses");
	}
	ws_lone_rewind(r);
	*out = r;
	return WS_OK;
}

void ws_lone_rewind(struct ws_lone_reader *r)
{
	r->at = r->len = r->next = r->steps.count = 0;
	r->filled = r->section->begin;
}

void ws_lone_reader_free(struct ws_lone_reader *r)
{
	if (!r)
		return;
	free(r->data);
	free(r);
}

/* More bytes after those that are left. */
static enum ws_status fill(struct ws_lone_reader *r, struct ws_err *err)
{
	uint64_t left = r->section->end - r->filled;

	memmove(r->data, r->data + r->at, r->len - r->at);
	r->len -= r->at;
	r->at = 0;
	while (left && r->len < WS_LONE_BLOCK) {
		size_t room = WS_LONE_BLOCK - r->len;
		ssize_t n = pread(r->trace->lone - 1, r->data + r->len,
				  left < room ? (size_t)left : room, (off_t)r->filled);

		if (n == 0 || (n < 0 && errno != EINTR))
			return ws_fail(err, WS_EIO, "%s: a temporary file of its accesses: %s",
				       r->trace->in.name, n ? strerror(errno) : "cut short");
		if (n < 0)
			continue;
		r->len += (size_t)n;
		r->filled += (uint64_t)n;
		left -= (uint64_t)n;
	}
	return WS_OK;
}

static const uint8_t *take_column(const uint8_t *p, uint64_t *v, size_t count)
{
	static const uint64_t mask[] = { 0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff,
					 0xffffffffffff, 0xffffffffffffff, UINT64_MAX };
	uint64_t least = ws_word_get(p, 8);
	unsigned shift = p[8], bytes = p[9];

	assert(bytes <= 8 && shift < 64);
	p += 10;
	for (size_t i = 0; i < count; i++, p += bytes)
		v[i] = least + ((ws_word_get(p, 8) & mask[bytes]) << shift);
	return p;
}

static void unpack(struct ws_lone_reader *r)
{
	struct ws_lone_steps *s = &r->steps;
	const uint8_t *p = r->data + r->at;

	s->count = ws_word_get(p, 2);
	assert(s->count && s->count <= WS_LONE_STEPS);
	p = take_column(p + 2, s->segment, s->count);
	p = take_column(p, s->address, s->count);
	for (size_t i = 0; i < s->count; i++) {
		assert(s->segment[i] < r->section->items);
		s->segment[i] = r->section->segment[s->segment[i]];
	}
	r->at = (size_t)(p - r->data);
}

enum ws_status ws_lone_read(struct ws_lone_reader *r, const struct ws_lone_steps **out,
			    struct ws_err *err)
{
	enum ws_status status = WS_OK;

	*out = &r->steps;
	r->steps.count = 0;
	if (r->len - r->at < WS_LONE_PACKED_MAX && r->filled < r->section->end)
		status = fill(r, err);
	if (status == WS_OK && r->at < r->len)
		unpack(r);
	return status;
}

enum ws_status ws_lone_next(struct ws_lone_reader *r, uint32_t *segment, uint64_t *address,
			    bool *more, struct ws_err *err)
{
	const struct ws_lone_steps *s = &r->steps;
	enum ws_status status = WS_OK;

	if (r->next == s->count) {
		status = ws_lone_read(r, &s, err);
		r->next = 0;
	}
	*more = r->next < s->count;
	if (*more) {
		*segment = (uint32_t)s->segment[r->next];
		*address = s->address[r->next++];
	}
	return status;
}
