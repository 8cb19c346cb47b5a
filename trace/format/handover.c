/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/format/handover.c -- launches and chunks as messages (handover.h).
 */
#include "trace/format/handover.h"
#include "trace/format/wst.h"

static enum ws_status wrong(const char *what, struct ws_err *err)
{
	return ws_fail(err, WS_EINPUT, "what a kernel's process handed back is damaged: %s", what);
}

/* The writer takes what it is given for its caller's. */
static enum ws_status taken(const struct ws_err *why, struct ws_err *err)
{
	return why->status == WS_EINVAL ? wrong(why->text, err) : ws_fail_as(err, why);
}

void ws_handover_put_launch(struct ws_buf *message, const struct ws_launch *launch)
{
	ws_launch_put(message, 0, launch);
}

enum ws_status ws_handover_get_launch(struct ws_launch *launch, const void *data, size_t len,
				      struct ws_err *err)
{
	struct ws_cursor c = { .p = data, .end = (const uint8_t *)data + len };
	uint64_t left = WST_ITEMS_MAX, number;

	if (!ws_launch_get(&c, &left, &number, launch))
		return c.no_memory ? ws_fail_memory(err, "the description of a launch")
				   : wrong("a launch's tables", err);
	return ws_launch_check(launch, WS_EINPUT, "what a kernel's process handed back", err);
}

enum ws_status ws_handover_take_launch(struct ws_trace_writer *w, const void *data, size_t len,
				       struct ws_err *err)
{
	struct ws_launch launch = { 0 };
	struct ws_err why = { 0 };
	enum ws_status status = ws_handover_get_launch(&launch, data, len, err);

	if (status == WS_OK && ws_trace_writer_launch(w, &launch, &why) != WS_OK)
		status = taken(&why, err);
	ws_launch_clear(&launch);
	return status;
}

void ws_handover_put_chunk(struct ws_buf *message, const struct ws_buf *packed, uint64_t first,
			   uint64_t count, const uint64_t accesses[WS_KINDS])
{
	ws_put_u64(message, first);
	ws_put_u64(message, count);
	for (unsigned k = 0; k < WS_KINDS; k++)
		ws_put_u64(message, accesses[k]);
	ws_put_bytes(message, packed->data, packed->len);
}

/* One block, of a chunk, that unpacks. */
static bool is_chunk(const struct ws_buf *packed, struct ws_err *err)
{
	const struct ws_in in = { .name = (char *)(uintptr_t)"a chunk", .data = packed->data,
				  .len = packed->len };
	struct ws_buf raw = { 0 };
	struct ws_block block;
	bool good = packed->len >= WST_BLOCK_MIN && ws_block_at(&in, 0, &block, err) == WS_OK &&
		    block.type == WST_CHUNK && block.next == packed->len &&
		    ws_block_unpack(&in, &block, &raw, err) == WS_OK;

	ws_buf_clear(&raw);
	return good;
}

enum ws_status ws_handover_take_chunk(struct ws_trace_writer *w, const void *data, size_t len,
				      struct ws_err *err)
{
	struct ws_cursor c = { .p = data, .end = (const uint8_t *)data + len };
	uint64_t first = ws_get_u64(&c), count = ws_get_u64(&c), accesses[WS_KINDS];
	struct ws_err inner = { 0 };
	struct ws_buf packed;

	for (unsigned k = 0; k < WS_KINDS; k++)
		accesses[k] = ws_get_u64(&c);
	packed = (struct ws_buf){ .data = (uint8_t *)(uintptr_t)c.p, .len = (size_t)(c.end - c.p) };
	if (c.bad || !count || count > WST_CHUNK_CTAS_MAX || !is_chunk(&packed, &inner))
		return inner.status == WS_ENOMEM ? ws_fail_memory(err, "a chunk")
						 : wrong("a chunk of CTAs", err);
	for (unsigned k = 0; k < WS_KINDS; k++) {
		if (accesses[k] > WST_ACCESSES_MAX)
			return wrong("counts of accesses", err);
	}
	if (ws_trace_writer_chunk(w, &packed, first, (size_t)count, accesses, &inner) != WS_OK)
		return taken(&inner, err);
	return WS_OK;
}
