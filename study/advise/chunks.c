/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/advise/chunks.c -- CTAs, one after the other, into a launch of a trace that is written.
 */
#include "study/advise/private.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES (1u << 20)

enum ws_status ws_cta_chunks_flush(struct ws_cta_chunks *c, struct ws_trace_writer *w,
				   struct ws_err *err)
{
	enum ws_status status;

	if (!c->count)
		return WS_OK;
	c->packed.len = 0;
	status = ws_chunk_pack(&c->packed, ws_trace_writer_launches(w) - 1, c->first, &c->data,
			       c->lens, c->count, err);
	if (status == WS_OK)
		status = ws_trace_writer_chunk(w, &c->packed, c->first, c->count, c->accesses, err);
	c->first += c->count;
	c->count = c->data.len = 0;
	memset(c->accesses, 0, sizeof c->accesses);
	return status;
}

enum ws_status ws_cta_chunks_put(struct ws_cta_chunks *c, struct ws_trace_writer *w,
				 struct ws_encoder *e, struct ws_err *err)
{
	size_t before;
	enum ws_status status = WS_OK;

	if (c->data.len >= CHUNK_BYTES || c->count == WS_CTA_CHUNK_MAX)
		status = ws_cta_chunks_flush(c, w, err);
	if (status != WS_OK)
		return status;
	before = c->data.len;
	status = ws_encoder_end(e, &c->data, c->accesses, err);
	c->lens[c->count++] = c->data.len - before;
	return status;
}

void ws_cta_chunks_clear(struct ws_cta_chunks *c)
{
	ws_buf_clear(&c->data);
	ws_buf_clear(&c->packed);
	*c = (struct ws_cta_chunks){ .count = 0 };
}
