/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/chunk.c -- a launch on its way out: its chunks of CTAs, packed, go into the file or
 * to the process that has it.
 */
#include "trace/capture/child.h"
#include "trace/capture/kernel.h"
#include "trace/format/handover.h"
#include "trace/format/wst.h"

#include <assert.h>

enum ws_status ws_launch_put_tables(const struct ws_launch_run *run, const struct ws_launch *l,
				    struct ws_err *err)
{
	struct ws_buf message = { 0 };
	enum ws_status status;

	if (!run->port)
		return run->writer ? ws_trace_writer_launch(run->writer, l, err) : WS_OK;
	ws_handover_put_launch(&message, l);
	status = ws_port_send(run->port, WS_MSG_LAUNCH, &message, err);
	ws_buf_clear(&message);
	return status;
}

uint64_t ws_launch_chunk_ctas(uint64_t ctas)
{
	uint64_t size = ctas / 64;

	return size < 1 ? 1 : size > 64 ? 64 : size;
}

enum ws_status ws_launch_pack(const struct ws_launch_run *run, struct ws_launch_chunk *c,
			      struct ws_packer *packer, const struct ws_buf *data,
			      const uint64_t *lens, struct ws_err *err)
{
	const struct ws_chunk_place at = { run->number, c->first };

	if (!run->port && !run->writer)
		return WS_OK;
	return ws_chunk_pack_by(packer, &c->packed, &at, data, lens, c->count, err);
}

enum ws_status ws_launch_put_chunk(const struct ws_launch_run *run, const struct ws_launch_chunk *c,
				   struct ws_err *err)
{
	struct ws_buf message = { 0 };
	enum ws_status status;

	assert(c->count);
	if (!run->port && !run->writer)
		return WS_OK;
	if (!run->port)
		return ws_trace_writer_chunk(run->writer, &c->packed, c->first, c->count,
					     c->accesses, err);
	ws_handover_put_chunk(&message, &c->packed, c->first, c->count, c->accesses);
	status = ws_port_send(run->port, WS_MSG_CHUNK, &message, err);
	ws_buf_clear(&message);
	return status;
}
