/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/oracle.c -- libCacheSim's oracleGeneral: records of 24 bytes, little-endian, nothing
 * before or between them.
 *
 *	u32	time
 *	u64	object
 *	u32	size of the object in bytes
 *	i64	number of the next request for it, from 1; -1: there is none
 *
 * The object is the address of a line (or a sector): a load of its first byte, whatever its size.
 * Such a file has neither stores nor instructions.  It has no magic number, so it is told by its
 * first records: times that do not fall, sizes, and next requests that are where they should
 * be.
 *
 * Written are requests in the order of ordered.h, with the line's address as object and its
 * size, or the sector's if the L1 is sectored; cycles as time.  Next requests are known last, so
 * all records are kept in memory until then: 24 bytes each, and up to 32 for each object.
 */
#include "base/map.h"
#include "trace/import/ordered.h"
#include "trace/import/text.h"
#include "trace/format/wst.h"

#include <stdlib.h>
#include <string.h>

#define RECORD 24u
#define VIEW 128u		/* records at a time */
#define NEVER UINT64_MAX
#define VTIME_MAX (1ull << 48)	/* more requests are not believed */

struct record {
	uint64_t time, object, size, next;
};

static struct record unpack(const uint8_t *p)
{
	return (struct record){ ws_word_get(p, 4), ws_word_get(p + 4, 8), ws_word_get(p + 12, 4),
				ws_word_get(p + 16, 8) };
}

/* ---- reading ----------------------------------------------------------------------- */

/* Record i of the count first ones. */
static bool plausible(const uint8_t *data, size_t count, size_t i)
{
	struct record r = unpack(data + i * RECORD);

	if (r.size == 0 || (i && r.time < unpack(data + (i - 1) * RECORD).time))
		return false;
	if (r.next == NEVER || r.next == INT64_MAX) /* libCacheSim reads them as the same */
		return true;
	if (r.next < i + 2 || r.next > VTIME_MAX)
		return false;
	return r.next > count || unpack(data + (r.next - 1) * RECORD).object == r.object;
}

static bool oracle_recognise(const uint8_t *data, size_t len)
{
	size_t count = len / RECORD;

	for (size_t i = 0; i < count; i++)
		if (!plausible(data, count, i))
			return false;
	return count > 0;
}

static enum ws_status read_oracle(struct ws_packed *s, const char *path, struct ws_builder *b,
				  struct ws_err *err)
{
	struct ws_single one;
	enum ws_status status = ws_single_begin(&one, s, b, err);
	size_t got = VIEW * RECORD;
	const uint8_t *data;

	(void)path;
	while (status == WS_OK && got == VIEW * RECORD) {
		status = ws_packed_view(s, &data, VIEW * RECORD, &got, err);
		for (size_t at = 0; got - at >= RECORD && status == WS_OK; at += RECORD)
			status = ws_single_access(&one, WS_LOAD, unpack(data + at).object, 1, err);
	}
	if (status == WS_OK && got % RECORD)
		return ws_packed_fail(s, err, "the last record has %zu bytes, want %u",
				      got % RECORD, RECORD);
	return status == WS_OK ? ws_single_end(&one, err) : status;
}

/* ---- writing ------------------------------------------------------------------------- */

struct oracle_writing {
	const struct ws_cache *l1;
	uint8_t *data;		/* records */
	size_t count, cap;	/* of them; of bytes */
	struct ws_keys object;
	uint64_t *last;		/* an object's last record, from 1 on */
	size_t last_cap;
};

static enum ws_status put_object(struct oracle_writing *w, uint64_t object, uint64_t size,
				 uint64_t time, struct ws_err *err)
{
	size_t objects = w->object.count;
	uint32_t number = ws_keys_add(&w->object, object);
	uint8_t *p;

	if (number == WS_MAP_NONE || !WS_ROOM(w->last, w->last_cap, w->object.count) ||
	    !WS_ROOM(w->data, w->cap, (w->count + 1) * RECORD))
		return ws_fail_memory(err, "the records of a trace");
	p = w->data + w->count * RECORD;
	ws_word_put(p, time < UINT32_MAX ? time : UINT32_MAX, 4);
	ws_word_put(p + 4, object, 8);
	ws_word_put(p + 12, size, 4);
	ws_word_put(p + 16, NEVER, 8);
	if (number < objects)
		ws_word_put(w->data + (w->last[number] - 1) * RECORD + 16, w->count + 1, 8);
	w->last[number] = ++w->count;
	return WS_OK;
}

static enum ws_status put_request(void *context, uint64_t l1, const struct ws_request *r,
				  struct ws_err *err)
{
	struct oracle_writing *w = context;
	uint64_t line = w->l1->line_bytes, sector = w->l1->sector_bytes;
	uint64_t size = sector < line ? sector : line, at = 0, first;
	enum ws_status status = WS_OK;

	(void)l1;
	while (status == WS_OK && ws_ordered_part(w->l1, r, &at, &first))
		status = put_object(w, first & ~(size - 1), size, r->cycle, err);
	return status;
}

static enum ws_status write_oracle(const struct ws_trace *t, const struct ws_writing *how,
				   struct ws_out *out, struct ws_err *err)
{
	struct oracle_writing w = { .l1 = how->l1 };
	struct ws_ordered to = { .context = &w, .request = put_request };
	enum ws_status status = ws_ordered_run(t, how, &to, err);

	if (status == WS_OK && w.count)
		ws_out_write(out, w.data, w.count * RECORD);
	free(w.data);
	free(w.last);
	ws_keys_clear(&w.object);
	return status;
}

const struct ws_trace_format ws_trace_format_oracle = {
	.name = "oracle-general",
	.summary = "libCacheSim's oracleGeneral, binary",
	.recognise = oracle_recognise,
	.read = read_oracle,
	.write = write_oracle,
	.streams = true,
	.single = true,
};
