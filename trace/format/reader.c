/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/format/reader.c -- opens a .wst file from its end record.
 *
 * The index gives the length of every block in the file's order, so blocks can
 * neither overlap nor leave gaps: their lengths must lead from the first block
 * to the index exactly, and each launch's chunks must cover its CTAs exactly.
 * Counts are held against what the file's length can hold before anything is
 * allocated.  Chunks themselves are looked at by decoders.
 *
 * Costs: O(launches + chunks), and only the end and launch blocks are touched.
 */
#include "trace/format/wst.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A launch and a chunk in the index have at most 260 and 20 bytes; each has a block. */
#define INDEX_BYTES_MAX(file) (10 + (file) / WST_BLOCK_MIN * 260)

struct opening {
	struct ws_trace *t;
	struct ws_err *err;
	uint64_t index, at;	/* offsets: of the index, of the next block */
	uint64_t items, header_bytes; /* left of the limits */
	struct ws_buf raw;	/* of launch blocks */
};

#define CORRUPT(o, offset, fmt, ...)                                                   \
	ws_fail((o)->err, WS_EFORMAT, "%s: offset %" PRIu64 ": " fmt, (o)->t->in.name, \
		(uint64_t)(offset), __VA_ARGS__)

bool ws_trace_recognise(const void *data, size_t len)
{
	return len >= sizeof WST_MAGIC && memcmp(data, WST_MAGIC, sizeof WST_MAGIC) == 0;
}

/* The file's two ends: magic and version, and where the index is. */
static enum ws_status read_ends(struct opening *o)
{
	const struct ws_in *in = &o->t->in;
	enum ws_status status = ws_blocks_check(in, WST_MAGIC, WST_VERSION, &o->at, o->err);
	const uint8_t *end;
	uint64_t last, len, version;

	if (status != WS_OK)
		return status;
	version = ws_word_get(in->data + 8, 4);
	if (version != WST_VERSION_LOADS_PAST && !ws_is_pow2(version))
		return CORRUPT(o, 8, "format version %" PRIu64 ": there is none, corrupt",
			       version);
	if (ws_word_get(in->data + 12, 4))
		return CORRUPT(o, 12, "%s", "reserved bytes that are not 0: corrupt");
	if (in->len < WST_FIRST + WST_BLOCK_MIN + WST_END_BYTES)
		return CORRUPT(o, in->len, "%s", "the file ends before its index: truncated");
	last = in->len - WST_END_BYTES;
	end = in->data + last;
	if (ws_word_get(end, 4) != WST_END || ws_word_get(end + 4, 4) != ws_trace_end_crc(end))
		return CORRUPT(o, last, "%s", "no end record: the file is truncated or corrupt");
	o->index = ws_word_get(end + 8, 8);
	len = ws_word_get(end + 16, 8);
	if (len != in->len)
		return CORRUPT(o, last, "the file should have %" PRIu64 " bytes, it has %zu", len,
			       in->len);
	if (o->index < WST_FIRST || o->index > last - WST_BLOCK_MIN)
		return CORRUPT(o, last, "the index is said to be at %" PRIu64 ", want %u..%" PRIu64,
			       o->index, WST_FIRST, last - WST_BLOCK_MIN);
	return WS_OK;
}

/* The block at offset must be of this type, end at end and unpack to at most max bytes. */
static enum ws_status read_block(struct opening *o, uint64_t offset, uint64_t end, uint32_t type,
				 uint64_t max, struct ws_buf *raw)
{
	struct ws_block block;
	enum ws_status status = ws_block_at(&o->t->in, offset, &block, o->err);

	if (status != WS_OK)
		return status;
	if (block.type != type || block.next != end)
		return CORRUPT(o, offset, "a block of type 0x%08" PRIx32 " up to %" PRIu64
			       ", want 0x%08" PRIx32 " up to %" PRIu64, block.type, block.next,
				       type,
			       end);
	if (block.raw_len > max)
		return CORRUPT(o, offset, "a block that unpacks to %" PRIu64
			       " bytes, want at most %" PRIu64, block.raw_len, max);
	return ws_block_unpack(&o->t->in, &block, raw, o->err);
}

/* Takes the next len bytes of the file, which must lie before the index. */
static bool advance(struct opening *o, uint64_t len)
{
	if (len < WST_BLOCK_MIN || len > o->index - o->at)
		return false;
	o->at += len;
	return true;
}

static enum ws_status read_launch(struct opening *o, size_t number, uint64_t len)
{
	struct ws_launch *l = &o->t->section[number].launch;
	uint64_t offset = o->at, got;
	enum ws_status status;
	struct ws_cursor c;
	char where[5000];

	if (!advance(o, len))
		return CORRUPT(o, o->index, "launch %zu: a block of %" PRIu64 " bytes at %" PRIu64
			       " does not fit before the index: corrupt", number, len, offset);
	status = read_block(o, offset, o->at, WST_LAUNCH, o->header_bytes, &o->raw);
	if (status != WS_OK)
		return status;
	o->header_bytes -= o->raw.len;
	c = (struct ws_cursor){ .p = o->raw.data, .end = o->raw.data + o->raw.len };
	if (!ws_launch_get(&c, &o->items, &got, l))
		return c.no_memory ? ws_fail_memory(o->err, "the description of a launch") :
		       CORRUPT(o, offset, "launch %zu: its description is malformed or too large",
			       number);
	if (got != number)
		return CORRUPT(o, offset, "launch %" PRIu64 ", want launch %zu", got, number);
	snprintf(where, sizeof where, "%.4900s: offset %" PRIu64, o->t->in.name, offset);
	return ws_launch_check(l, WS_EFORMAT, where, o->err);
}

/* The list of chunks, c being after their count. */
static enum ws_status read_chunks(struct opening *o, size_t number, struct ws_cursor *c)
{
	struct ws_trace_section *s = &o->t->section[number];
	uint64_t first = 0, ctas = s->launch.ctas;

	for (size_t i = 0; i < s->chunks; i++) {
		uint64_t count = ws_get_var(c), len = ws_get_var(c);

		s->chunk[i] = (struct ws_trace_chunk){ .first = first, .offset = o->at };
		if (c->bad || count < 1 || count > ctas - first || count > WST_CHUNK_CTAS_MAX ||
		    !advance(o, len))
			return CORRUPT(o, o->index, "launch %zu: chunk %zu has %" PRIu64
				       " CTAs from %" PRIu64 " of %" PRIu64 " and %" PRIu64
				       " bytes from %" PRIu64 ": corrupt", number, i, count, first,
					       ctas,
				       len, s->chunk[i].offset);
		first += count;
	}
	if (first != ctas)
		return CORRUPT(o, o->index, "launch %zu: its chunks hold %" PRIu64 " of %" PRIu64
			       " CTAs: corrupt", number, first, ctas);
	s->chunk[s->chunks] = (struct ws_trace_chunk){ .first = first, .offset = o->at };
	return WS_OK;
}

/* How many; more than WS_UNMET_MAX: it is damaged. */
static uint64_t read_unmet(struct ws_unmet unmet[WS_UNMET_MAX], struct ws_cursor *c)
{
	uint64_t n = ws_get_var(c);

	for (uint64_t i = 0; i < n && n <= WS_UNMET_MAX; i++) {
		uint64_t file = ws_get_var(c), line = ws_get_var(c);

		unmet[i].file = (uint32_t)file;
		unmet[i].line = (uint32_t)line;
		unmet[i].ctas = ws_get_var(c);
		unmet[i].cta = ws_get_var(c);
		unmet[i].threads = ws_get_var(c);
		c->bad |= file > UINT32_MAX || line > UINT32_MAX;
	}
	c->bad |= n < 1 || n > WS_UNMET_MAX;
	return n;
}

static enum ws_status keep_unmet(struct opening *o, size_t number, const struct ws_unmet *unmet,
				 uint64_t n)
{
	struct ws_launch *l = &o->t->section[number].launch;

	for (uint64_t i = 0; i < n; i++) {
		if (n > WS_UNMET_MAX ||
		    !wst_unmet_good(&unmet[i], l->files, l->grid[0] * l->grid[1] * l->grid[2],
				    ws_launch_threads(l)))
			return CORRUPT(o, o->index,
				       "launch %zu: a barrier of no CTA of it: corrupt",
				       number);
	}
	if (!n)
		return WS_OK;
	l->unmet = ws_alloc((size_t)n, sizeof *l->unmet);
	if (!l->unmet)
		return ws_fail_memory(o->err, "the index of a trace");
	memcpy(l->unmet, unmet, (size_t)n * sizeof *unmet);
	l->unmets = (size_t)n;
	return WS_OK;
}


static enum ws_status read_section(struct opening *o, size_t number, struct ws_cursor *c)
{
	struct ws_trace_section *s = &o->t->section[number];
	struct ws_launch *l = &s->launch;
	struct ws_unmet unmet[WS_UNMET_MAX];
	uint64_t len = ws_get_var(c), unmets = 0, ctas, chunks;
	enum ws_status status = WS_OK;
	bool sane = true;

	if (len == 0) {
		unmets = read_unmet(unmet, c);
		len = ws_get_var(c);
	}
	status = read_launch(o, number, len);
	if (status == WS_OK)
		status = keep_unmet(o, number, unmet, unmets);
	if (status != WS_OK)
		return status;
	ctas = ws_get_var(c);
	l->ctas = l->grid[0] * l->grid[1] * l->grid[2];
	for (int k = 0; k < WS_KINDS; k++) {
		l->accesses[k] = ws_get_var(c);
		sane = sane && l->accesses[k] <= WST_ACCESSES_MAX;
	}
	chunks = ws_get_count(c, 2);
	if (c->bad || chunks > (o->index - o->at) / WST_BLOCK_MIN)
		return CORRUPT(o, o->index, "launch %zu: its entry is short or has more chunks"
			       " than the file can hold: corrupt", number);
	if (ctas != l->ctas)
		return CORRUPT(o, o->index,
			       "launch %zu: %" PRIu64 " CTAs, but its grid has %" PRIu64
			       ": corrupt", number, ctas, l->ctas);
	if (!sane)
		return CORRUPT(o, o->index, "launch %zu: more than %" PRIu64
			       " accesses of a kind: corrupt", number, (uint64_t)WST_ACCESSES_MAX);
	s->chunks = (size_t)chunks;
	s->chunk = ws_alloc(s->chunks + 1, sizeof *s->chunk);
	if (!s->chunk)
		return ws_fail_memory(o->err, "the index of a trace");
	return read_chunks(o, number, c);
}

static enum ws_status read_index(struct opening *o, struct ws_cursor *c)
{
	struct ws_trace *t = o->t;
	uint64_t launches = ws_get_count(c, 6), ctas = 0;
	enum ws_status status = WS_OK;

	if (c->bad || launches > (o->index - WST_FIRST) / WST_BLOCK_MIN)
		return CORRUPT(o, o->index, "%s", "more launches than the file can hold: corrupt");
	t->section = ws_alloc_zero((size_t)launches, sizeof *t->section);
	if (!t->section)
		return ws_fail_memory(o->err, "the index of a trace");
	t->sections = (size_t)launches;
	for (size_t i = 0; status == WS_OK && i < t->sections; i++) {
		status = read_section(o, i, c);
		ctas += status == WS_OK ? t->section[i].launch.ctas : 0;
		if (status == WS_OK && !wst_ctas_fit(ctas, t->in.len))
			status = CORRUPT(o, o->index, "launch %zu: %" PRIu64 " CTAs so far, want "
					 "at most %" PRIu64 " in a file of this size", i, ctas,
					 wst_ctas_most(t->in.len));
	}
	if (status != WS_OK)
		return status;
	if (c->bad || c->p != c->end)
		return CORRUPT(o, o->index,
			       "%td bytes follow the last launch of the index: corrupt",
			       c->end - c->p);
	if (o->at != o->index)
		return CORRUPT(o, o->at, "%" PRIu64 " bytes before the index are of no launch: "
			       "corrupt",
			       o->index - o->at);
	return WS_OK;
}

static enum ws_status read_all(struct opening *o)
{
	struct ws_buf raw = { 0 };
	uint64_t len = o->t->in.len;
	enum ws_status status = read_ends(o);
	struct ws_cursor c;

	if (status == WS_OK)
		status = read_block(o, o->index, len - WST_END_BYTES, WST_INDEX,
				    INDEX_BYTES_MAX(len), &raw);
	if (status == WS_OK) {
		c = (struct ws_cursor){ .p = raw.data, .end = raw.data + raw.len };
		status = read_index(o, &c);
	}
	ws_buf_clear(&raw);
	return status;
}

enum ws_status ws_trace_open_in(struct ws_trace **out, struct ws_in *in, struct ws_err *err)
{
	struct opening o = { .err = err, .items = WST_ITEMS_MAX,
			     .header_bytes = WST_HEADER_BYTES_MAX };
	enum ws_status status;

	*out = NULL;
	o.t = ws_alloc_zero(1, sizeof *o.t);
	if (!o.t)
		return ws_fail_memory(err, "a trace");
	o.t->in = *in;
	status = read_all(&o);
	ws_buf_clear(&o.raw);
	if (status != WS_OK) {
		o.t->in = (struct ws_in){ 0 }; /* still the caller's */
		ws_trace_close(o.t);
		return status;
	}
	*in = (struct ws_in){ 0 };
	*out = o.t;
	return WS_OK;
}

enum ws_status ws_trace_open(struct ws_trace **out, const char *path, struct ws_err *err)
{
	struct ws_in in;
	enum ws_status status;

	*out = NULL;
	status = ws_in_open(&in, path, err);
	if (status != WS_OK)
		return status;
	status = ws_trace_open_in(out, &in, err);
	if (status != WS_OK)
		ws_in_close(&in);
	return status;
}

enum ws_status ws_trace_open_written(struct ws_trace **out, struct ws_out *file, const char *name,
				     struct ws_err *err)
{
	struct ws_in in;
	enum ws_status status = ws_in_written(&in, file, name, err);

	*out = NULL;
	if (status == WS_OK)
		status = ws_trace_open_in(out, &in, err);
	if (status != WS_OK)
		ws_in_close(&in);
	return status;
}

void ws_trace_close(struct ws_trace *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->sections; i++) {
		ws_launch_clear(&t->section[i].launch);
		free(t->section[i].chunk);
		free(t->section[i].segment);
	}
	free(t->section);
	if (t->lone)
		close(t->lone - 1);
	ws_in_close(&t->in);
	free(t);
}

const char *ws_trace_name(const struct ws_trace *t)
{
	return t->in.name;
}

size_t ws_trace_launches(const struct ws_trace *t)
{
	return t->sections;
}

const struct ws_launch *ws_trace_launch(const struct ws_trace *t, size_t launch)
{
	return &t->section[launch].launch;
}

uint64_t ws_trace_bytes(const struct ws_trace *t)
{
	return t->in.len;
}

void ws_trace_copy(const struct ws_trace *t, struct ws_out *out)
{
	assert(!t->lone);
	ws_out_write(out, t->in.data, t->in.len);
}
