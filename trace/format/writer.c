/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/format/writer.c -- a .wst file, front to back.
 *
 * Launch blocks and chunks go out as they come; what the index needs of them
 * (16 bytes a chunk) is kept until the end.  A launch whose chunks do not cover
 * its CTAs, in order, is refused: a file that ends well is complete.
 */
#include "trace/format/spool.h"
#include "trace/format/wst.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

struct chunk {
	uint64_t ctas, bytes;
};

struct written_section {
	uint64_t bytes;			/* of the launch block */
	uint64_t offset, items, header_bytes; /* for taking it back */
	uint64_t ctas, done;		/* to come in all, and so far */
	uint64_t threads, files;	/* of a CTA; of the source */
	uint64_t accesses[WS_KINDS];
	struct chunk *chunk;
	size_t chunks, cap;
	struct ws_unmet unmet[WS_UNMET_MAX];
	size_t unmets;
};

struct ws_trace_writer {
	struct ws_out *out;
	uint64_t start;			/* where the file begins in out */
	uint64_t items, header_bytes;	/* of all launches, as the limits count */
	struct written_section *section;
	size_t sections, cap;
	struct ws_buf raw, packed;
	struct ws_packer *packer;
	struct ws_texts texts;
};

enum ws_status ws_trace_writer_new(struct ws_trace_writer **out, struct ws_out *file,
				   struct ws_err *err)
{
	struct ws_trace_writer *w = ws_alloc_zero(1, sizeof *w);

	*out = w;
	if (!w)
		return ws_fail_memory(err, "a trace writer");
	if (ws_packer_new(&w->packer, err) != WS_OK) {
		free(w);
		*out = NULL;
		return WS_ENOMEM;
	}
	w->out = file;
	w->start = file->offset;
	ws_blocks_begin(file, WST_MAGIC, WST_VERSION);
	return WS_OK;
}

/* Packs w->raw as one block and writes it. */
static enum ws_status write_block(struct ws_trace_writer *w, uint32_t type, struct ws_err *err)
{
	enum ws_status status;

	if (w->raw.failed)
		return ws_fail_memory(err, "a block of a trace");
	w->packed.len = 0;
	status = ws_packer_block(w->packer, &w->packed, type, w->raw.data, w->raw.len, err);
	if (status == WS_OK)
		ws_out_write(w->out, w->packed.data, w->packed.len);
	return status;
}

/* Whether the launch before is complete. */
static enum ws_status check_complete(const struct ws_trace_writer *w, struct ws_err *err)
{
	const struct written_section *s = w->sections ? &w->section[w->sections - 1] : NULL;

	if (s && s->done != s->ctas)
		return ws_fail(err, WS_EINVAL, "launch %zu has chunks for %" PRIu64
			       " CTAs, want all %" PRIu64, w->sections - 1, s->done, s->ctas);
	return WS_OK;
}

static enum ws_status check_limits(const struct ws_trace_writer *w, const struct ws_launch *launch,
				   struct ws_err *err)
{
	if (w->items + ws_launch_items(launch) > WST_ITEMS_MAX)
		return ws_fail(err, WS_EINVAL, "launch %zu: more than %" PRIu64
			       " arrays, instructions, segments and files in one trace",
			       w->sections, (uint64_t)WST_ITEMS_MAX);
	if (w->header_bytes + w->raw.len > WST_HEADER_BYTES_MAX)
		return ws_fail(err, WS_EINVAL, "launch %zu: more than %" PRIu64
			       " bytes of launch descriptions in one trace",
			       w->sections, (uint64_t)WST_HEADER_BYTES_MAX);
	return WS_OK;
}

/* Into w->raw. */
static enum ws_status describe_launch(struct ws_trace_writer *w, const struct ws_launch *launch,
			       struct ws_err *err)
{
	struct ws_launch l = *launch;
	enum ws_status status;

	ws_texts_drop(&w->texts, w->sections); /* of one that failed */
	status = ws_texts_new(&w->texts, w->sections, &l, err);
	w->raw.len = 0;
	if (status == WS_OK)
		ws_launch_put(&w->raw, w->sections, &l);
	free(l.text);
	return status;
}

enum ws_status ws_trace_writer_launch(struct ws_trace_writer *w, const struct ws_launch *launch,
				      struct ws_err *err)
{
	enum ws_status status = check_complete(w, err);
	uint64_t offset;
	char where[32];

	snprintf(where, sizeof where, "launch %zu", w->sections);
	if (status == WS_OK)
		status = ws_launch_check(launch, WS_EINVAL, where, err);
	if (status != WS_OK)
		return status;
	status = describe_launch(w, launch, err);
	if (status == WS_OK)
		status = check_limits(w, launch, err);
	if (status != WS_OK)
		return status;
	if (!WS_ROOM(w->section, w->cap, w->sections + 1))
		return ws_fail_memory(err, "the index of a trace");
	offset = w->out->offset;
	status = write_block(w, WST_LAUNCH, err);
	if (status != WS_OK)
		return status;
	w->section[w->sections++] = (struct written_section){
		.bytes = w->packed.len,
		.offset = offset,
		.items = ws_launch_items(launch),
		.header_bytes = w->raw.len,
		.ctas = launch->grid[0] * launch->grid[1] * launch->grid[2],
		.threads = ws_launch_threads(launch),
		.files = launch->files,
	};
	w->items += ws_launch_items(launch);
	w->header_bytes += w->raw.len;
	return WS_OK;
}

size_t ws_trace_writer_launches(const struct ws_trace_writer *w)
{
	return w->sections;
}

/* The index forgets it, and so does the file. */
enum ws_status ws_trace_writer_drop(struct ws_trace_writer *w, struct ws_err *err)
{
	struct written_section *s = &w->section[w->sections - 1];

	if (fflush(w->out->file) || fseeko(w->out->file, (off_t)s->offset, SEEK_SET) ||
	    ftruncate(fileno(w->out->file), (off_t)s->offset))
		return ws_fail(err, WS_EIO, "taking a launch back out of a trace: %s",
			       strerror(errno));
	w->out->offset = s->offset;
	w->items -= s->items;
	w->header_bytes -= s->header_bytes;
	free(s->chunk);
	w->sections--;
	return WS_OK;
}

/* ---- chunks --------------------------------------------------------------------- */

static enum ws_status check_chunk(const struct ws_buf *data, const uint64_t *lens, size_t count,
				  struct ws_err *err)
{
	uint64_t sum = 0;

	if (count < 1 || count > WST_CHUNK_CTAS_MAX)
		return ws_fail(err, WS_EINVAL, "a chunk of %zu CTAs, want 1..%" PRIu64, count,
			       (uint64_t)WST_CHUNK_CTAS_MAX);
	if (data->failed)
		return ws_fail_memory(err, "the bytes of a chunk");
	for (size_t i = 0; i < count; i++) {
		if (lens[i] < 1 || lens[i] > data->len - sum)
			return ws_fail(err, WS_EINVAL, "CTA %zu of a chunk has %" PRIu64
				       " bytes, want 1..%" PRIu64, i, lens[i], data->len - sum);
		sum += lens[i];
	}
	if (sum != data->len)
		return ws_fail(err, WS_EINVAL, "a chunk's CTAs have %" PRIu64
			       " bytes, but the chunk has %zu", sum, data->len);
	return WS_OK;
}

enum ws_status ws_chunk_pack(struct ws_buf *packed, uint64_t launch_number, uint64_t first,
			     const struct ws_buf *data, const uint64_t *lens, size_t count,
			     struct ws_err *err)
{
	const struct ws_chunk_place at = { launch_number, first };

	return ws_chunk_pack_by(NULL, packed, &at, data, lens, count, err);
}

enum ws_status ws_chunk_pack_by(struct ws_packer *by, struct ws_buf *packed,
				const struct ws_chunk_place *at, const struct ws_buf *data,
				const uint64_t *lens, size_t count, struct ws_err *err)
{
	enum ws_status status = check_chunk(data, lens, count, err);
	struct ws_buf raw = { 0 };

	if (status != WS_OK)
		return status;
	ws_put_var(&raw, at->launch);
	ws_put_var(&raw, at->first);
	ws_put_var(&raw, count);
	for (size_t i = 0; i < count; i++)
		ws_put_var(&raw, lens[i]);
	ws_put_bytes(&raw, data->data, data->len);
	if (raw.failed)
		status = ws_fail_memory(err, "a chunk");
	else if (raw.len >= WS_BLOCK_MAX)
		status = ws_fail(err, WS_EINVAL, "CTAs %" PRIu64 "..%" PRIu64 " of launch %" PRIu64
				 " take %zu bytes in one chunk, want less than %" PRIu64,
				 at->first, at->first + count - 1, at->launch, raw.len,
				 (uint64_t)WS_BLOCK_MAX);
	else
		status = ws_packer_block(by, packed, WST_CHUNK, raw.data, raw.len, err);
	ws_buf_clear(&raw);
	return status;
}

/* One whole chunk block and nothing else, as far as its header tells. */
static bool is_chunk(const struct ws_buf *packed)
{
	struct ws_cursor c = { .p = packed->data, .end = packed->data + packed->len };
	uint32_t type = ws_get_u32(&c);
	uint64_t len;

	ws_get_u32(&c);
	len = ws_get_u64(&c);
	return !c.bad && !packed->failed && type == WST_CHUNK && len > 0 &&
	       packed->len > WS_BLOCK_HEADER && len == packed->len - WS_BLOCK_HEADER;
}

enum ws_status ws_trace_writer_chunk(struct ws_trace_writer *w, const struct ws_buf *packed,
				     uint64_t first, size_t count,
				     const uint64_t accesses[WS_KINDS], struct ws_err *err)
{
	struct written_section *s = w->sections ? &w->section[w->sections - 1] : NULL;

	if (!s || !is_chunk(packed))
		return ws_fail(err, WS_EINVAL, s ? "the bytes are not one packed chunk" :
						   "a chunk before any launch");
	if (first != s->done || count < 1 || count > s->ctas - s->done)
		return ws_fail(err, WS_EINVAL, "a chunk of %zu CTAs from %" PRIu64
			       ", want them from %" PRIu64 " and at most %" PRIu64,
			       count, first, s->done, s->ctas - s->done);
	for (int k = 0; k < WS_KINDS; k++)
		if (accesses[k] > WST_ACCESSES_MAX - s->accesses[k])
			return ws_fail(err, WS_EINVAL,
				       "launch %zu: more than %" PRIu64 " %s accesses",
				       w->sections - 1, (uint64_t)WST_ACCESSES_MAX,
				       ws_kind_names[k]);
	if (!WS_ROOM(s->chunk, s->cap, s->chunks + 1))
		return ws_fail_memory(err, "the index of a trace");
	s->chunk[s->chunks++] = (struct chunk){ .ctas = count, .bytes = packed->len };
	s->done += count;
	for (int k = 0; k < WS_KINDS; k++)
		s->accesses[k] += accesses[k];
	ws_out_write(w->out, packed->data, packed->len);
	return WS_OK;
}

/* ---- the end ---------------------------------------------------------------------- */

uint32_t ws_trace_end_crc(const uint8_t record[WST_END_BYTES])
{
	return (uint32_t)crc32_z(crc32_z(0, record, 4), record + 8, WST_END_BYTES - 8);
}

static void write_end(struct ws_out *out, uint64_t start, uint64_t index)
{
	uint8_t record[WST_END_BYTES];

	ws_word_put(record, WST_END, 4);
	ws_word_put(record + 8, index, 8);
	ws_word_put(record + 16, out->offset - start + sizeof record, 8);
	ws_word_put(record + 4, ws_trace_end_crc(record), 4);
	ws_out_write(out, record, sizeof record);
}

enum ws_status ws_trace_writer_unmet(struct ws_trace_writer *w, const struct ws_unmet *unmet,
				     size_t n, struct ws_err *err)
{
	struct written_section *s = w->sections ? &w->section[w->sections - 1] : NULL;

	if (!s || s->done != s->ctas || n > WS_UNMET_MAX)
		return ws_fail(err, WS_EINVAL, "%zu barriers, want at most %u of a launch that is "
			       "complete", n, WS_UNMET_MAX);
	for (size_t i = 0; i < n; i++) {
		if (!wst_unmet_good(&unmet[i], s->files, s->ctas, s->threads))
			return ws_fail(err, WS_EINVAL, "barrier %zu is of no CTA of its launch", i);
		s->unmet[i] = unmet[i];
	}
	s->unmets = n;
	return WS_OK;
}

/* 0 is the length of no launch block: barriers come first. */
static void put_unmet(struct ws_buf *raw, const struct written_section *s)
{
	ws_put_var(raw, 0);
	ws_put_var(raw, s->unmets);
	for (size_t i = 0; i < s->unmets; i++) {
		ws_put_var(raw, s->unmet[i].file);
		ws_put_var(raw, s->unmet[i].line);
		ws_put_var(raw, s->unmet[i].ctas);
		ws_put_var(raw, s->unmet[i].cta);
		ws_put_var(raw, s->unmet[i].threads);
	}
}

static void put_entry(struct ws_buf *raw, const struct written_section *s)
{
	if (s->unmets)
		put_unmet(raw, s);
	ws_put_var(raw, s->bytes);
	ws_put_var(raw, s->ctas);
	for (int k = 0; k < WS_KINDS; k++)
		ws_put_var(raw, s->accesses[k]);
	ws_put_var(raw, s->chunks);
	for (size_t c = 0; c < s->chunks; c++) {
		ws_put_var(raw, s->chunk[c].ctas);
		ws_put_var(raw, s->chunk[c].bytes);
	}
}

enum ws_status ws_trace_writer_end(struct ws_trace_writer *w, struct ws_err *err)
{
	uint64_t index = w->out->offset - w->start, ctas = 0;
	enum ws_status status = check_complete(w, err);

	if (status != WS_OK)
		return status;
	for (size_t i = 0; i < w->sections; i++)
		ctas += w->section[i].ctas;
	if (!wst_ctas_fit(ctas, index))
		return ws_fail(err, WS_EINVAL,
			       "%" PRIu64 " CTAs, of which hardly any does "
			       "something: want at most %" PRIu64
			       " in a trace that packs into %" PRIu64 " bytes",
			       ctas, wst_ctas_most(index), index);
	w->raw.len = 0;
	ws_put_var(&w->raw, w->sections);
	for (size_t i = 0; i < w->sections; i++)
		put_entry(&w->raw, &w->section[i]);
	status = write_block(w, WST_INDEX, err);
	if (status == WS_OK)
		write_end(w->out, w->start, index);
	return status;
}

void ws_trace_writer_entry(const struct ws_trace_writer *w, struct ws_buf *entry)
{
	put_entry(entry, &w->section[w->sections - 1]);
}

enum ws_status ws_trace_end(struct ws_out *out, uint64_t launches, const void *entries,
			    size_t len, struct ws_err *err)
{
	struct ws_trace_writer w = { .out = out };
	uint64_t index = out->offset;
	enum ws_status status;

	ws_put_var(&w.raw, launches);
	ws_put_bytes(&w.raw, entries, len);
	status = write_block(&w, WST_INDEX, err);
	if (status == WS_OK)
		write_end(out, 0, index);
	ws_buf_clear(&w.raw);
	ws_buf_clear(&w.packed);
	return status;
}

void ws_trace_writer_free(struct ws_trace_writer *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->sections; i++)
		free(w->section[i].chunk);
	free(w->section);
	ws_texts_drop(&w->texts, 0);
	ws_buf_clear(&w->raw);
	ws_buf_clear(&w->packed);
	ws_packer_free(w->packer);
	free(w);
}
