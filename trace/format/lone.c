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

enum ws_status ws_lone_writer_init(struct ws_lone_writer *w, struct ws_err *err)
{
	*w = (struct ws_lone_writer){ .fd = -1 };
	w->data = ws_alloc(WS_LONE_BLOCK + WS_LONE_RECORD_MAX, 1);
	if (!w->data)
		return ws_fail_memory(err, "the accesses of a trace");
	return ws_temporary_fd(&w->fd, err);
}

enum ws_status ws_lone_flush(struct ws_lone_writer *w, struct ws_err *err)
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
	uint64_t end = w->written + w->len;
	struct ws_trace_section *s;

	if (!WS_ROOM(w->section, w->cap, w->sections + 1)) {
		free(segment);
		return ws_fail_memory(err, "the launches of a trace");
	}
	s = &w->section[w->sections];
	*s = (struct ws_trace_section){ .launch = *l, .segment = segment, .items = items,
					.end = end };
	s->begin = w->sections ? s[-1].end : 0;
	w->sections++;
	w->base = 0;
	*l = (struct ws_launch){ 0 };
	return WS_OK;
}

enum ws_status ws_lone_open(struct ws_trace **out, struct ws_lone_writer *w, const char *name,
			    struct ws_err *err)
{
	enum ws_status status = ws_lone_flush(w, err);
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
	uint8_t *data;		/* [WS_LONE_BLOCK + WS_LONE_RECORD_MAX] */
	size_t at, len;		/* what is left of it: [at, len) */
	uint64_t filled;	/* offset in the file of what comes after data */
	uint32_t *next;		/* [item] followed it last time */
	uint32_t item;		/* the one before */
	uint64_t base;
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
		r->data = ws_alloc(WS_LONE_BLOCK + WS_LONE_RECORD_MAX, 1);
		r->next = ws_alloc(r->section->items + 1, sizeof *r->next);
	}
	if (!r || !r->data || !r->next) {
		ws_lone_reader_free(r);
		return ws_fail_memory(err, "a trace's accesses");
	}
	ws_lone_rewind(r);
	*out = r;
	return WS_OK;
}

void ws_lone_rewind(struct ws_lone_reader *r)
{
	for (size_t i = 0; i < r->section->items; i++)
		r->next[i] = WS_LONE_NONE;
	r->item = WS_LONE_NONE;
	r->base = 0;
	r->at = r->len = 0;
	r->filled = r->section->begin;
}

void ws_lone_reader_free(struct ws_lone_reader *r)
{
	if (!r)
		return;
	free(r->data);
	free(r->next);
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

static inline void take_item(struct ws_lone_reader *r, uint32_t item)
{
	assert(item < r->section->items);
	if (r->item != WS_LONE_NONE)
		r->next[r->item] = item;
	r->item = item;
}

static inline struct ws_lone_step take_record(struct ws_lone_reader *r)
{
	static const uint64_t mask[] = { 0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff,
					 0xffffffffffff, 0xffffffffffffff, UINT64_MAX };
	const uint8_t *p = r->data + r->at;
	unsigned head = *p++, bytes = head & WS_LONE_BYTES;

	assert(bytes <= 8);
	if (head & WS_LONE_ITEM) {
		take_item(r, (uint32_t)ws_word_get(p, 4));
		p += 4;
	} else {
		r->item = r->next[r->item];
	}
	r->base += ws_unzigzag(ws_word_get(p, 8) & mask[bytes]);
	r->at = (size_t)(p - r->data) + bytes;
	return (struct ws_lone_step){ r->base, r->section->segment[r->item] };
}

enum ws_status ws_lone_read(struct ws_lone_reader *r, struct ws_lone_step *out, size_t max,
			    size_t *count, struct ws_err *err)
{
	size_t n = 0;

	for (*count = 0; n < max; n++) {
		if (r->len - r->at < WS_LONE_RECORD_MAX && r->filled < r->section->end) {
			enum ws_status status = fill(r, err);

			if (status != WS_OK)
				return status;
		}
		if (r->at == r->len)
			break;
		out[n] = take_record(r);
	}
	*count = n;
	return WS_OK;
}
