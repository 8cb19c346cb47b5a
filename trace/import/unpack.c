/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/unpack.c -- traces and profiles of ours that somebody packed.
 *
 * They are made of packed blocks and mapped when they are read, so that packing them again gains
 * little and they have to be unpacked to be read: into a file without a name.
 */
#include "trace/import/packed.h"

#include <stdlib.h>

#define PIECE_BYTES (256u << 10)

static enum ws_status copy_unpacked(struct ws_packed *s, struct ws_out *out, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t got = PIECE_BYTES;
	uint8_t *piece = ws_alloc(PIECE_BYTES, 1);

	if (!piece)
		return ws_fail_memory(err, "unpacking");
	while (status == WS_OK && got == PIECE_BYTES) {
		status = ws_packed_read(s, piece, PIECE_BYTES, &got, err);
		if (status == WS_OK)
			ws_out_write(out, piece, got);
	}
	free(piece);
	return status;
}

static enum ws_status unpack(struct ws_in *in, struct ws_packed *s, struct ws_err *err)
{
	struct ws_in whole = { 0 };
	struct ws_out out;
	enum ws_status status = ws_out_temporary(&out, err);

	if (status != WS_OK)
		return status;
	status = copy_unpacked(s, &out, err);
	if (status == WS_OK)
		status = ws_in_written(&whole, &out, in->name, err);
	ws_out_abort(&out);
	if (status == WS_OK) {
		ws_in_close(in);
		*in = whole;
	}
	return status;
}

enum ws_status ws_in_unpack(struct ws_in *in, bool (*ours)(const void *data, size_t len),
			    struct ws_err *err)
{
	struct ws_packed *s;
	struct ws_err why = { 0 };
	const uint8_t *data;
	size_t len;
	enum ws_status status = ours(in->data, in->len) ? WS_OK : ws_packed_open(&s, in, err);

	if (status != WS_OK || ours(in->data, in->len))
		return status;
	/* Damage is for those to tell who know what it should be. */
	if (ws_packed_peek(s, &data, &len, &why) == WS_OK && ours(data, len))
		status = unpack(in, s, err);
	ws_packed_close(s);
	return status;
}
