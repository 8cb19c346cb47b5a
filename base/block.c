/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/block.c -- the container of traces and profiles: blocks of one zstd
 * frame each, with a CRC-32 over header and frame, so that any damage is
 * found and named by its offset.
 */
#include "base/base.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#define LEVEL       3 /* zstd's default: the streams are already compact */
#define FILE_HEADER 16u

void ws_blocks_begin(struct ws_out *out, const char magic[8], uint32_t version)
{
	struct ws_buf head = { 0 };

	ws_put_bytes(&head, magic, 8);
	ws_put_u32(&head, version);
	ws_put_u32(&head, 0);
	if (head.failed)
		out->failed = true;
	else
		ws_out_write(out, head.data, head.len);
	ws_buf_clear(&head);
}

/* CRC-32 of type, both lengths and the packed bytes. */
static uint32_t checksum(uint32_t type, uint64_t packed_len, uint64_t raw_len,
			 const uint8_t *packed)
{
	uint8_t head[20];
	uLong crc;

	for (unsigned i = 0; i < 4; i++)
		head[i] = (uint8_t)(type >> 8 * i);
	for (unsigned i = 0; i < 8; i++) {
		head[4 + i] = (uint8_t)(packed_len >> 8 * i);
		head[12 + i] = (uint8_t)(raw_len >> 8 * i);
	}
	crc = crc32(0, head, sizeof head);
	return (uint32_t)crc32_z(crc, packed, (size_t)packed_len);
}

struct ws_packer {
	ZSTD_CCtx *context;
};

enum ws_status ws_packer_new(struct ws_packer **out, struct ws_err *err)
{
	struct ws_packer *p = ws_alloc_zero(1, sizeof *p);

	if (p && !(p->context = ZSTD_createCCtx())) {
		free(p);
		p = NULL;
	}
	*out = p;
	return p ? WS_OK : ws_fail_memory(err, "the packing of blocks");
}

void ws_packer_free(struct ws_packer *p)
{
	if (p)
		ZSTD_freeCCtx(p->context);
	free(p);
}

/* A context asks the processor what it can do, which takes 10 us in a virtual machine. */
static size_t pack(struct ws_packer *p, void *to, size_t room, const void *data, size_t len)
{
	const void *from = len ? data : "";

	return p ? ZSTD_compressCCtx(p->context, to, room, from, len, LEVEL)
		 : ZSTD_compress(to, room, from, len, LEVEL);
}

enum ws_status ws_block_pack(struct ws_buf *packed, uint32_t type, const void *data, size_t len,
			     struct ws_err *err)
{
	return ws_packer_block(NULL, packed, type, data, len, err);
}

enum ws_status ws_packer_block(struct ws_packer *p, struct ws_buf *packed, uint32_t type,
			       const void *data, size_t len, struct ws_err *err)
{
	size_t start = packed->len, bound = ZSTD_compressBound(len), n;
	struct ws_buf head = { 0 };
	uint8_t *body;

	if (len >= WS_BLOCK_MAX)
		return ws_fail(err, WS_EINVAL, "a block of %zu bytes: want less than %" PRIu64, len,
			       (uint64_t)WS_BLOCK_MAX);
	if (packed->failed || !WS_ROOM(packed->data, packed->cap, start + WS_BLOCK_HEADER + bound))
		return ws_fail_memory(err, "a packed block");
	body = packed->data + start + WS_BLOCK_HEADER;
	n = pack(p, body, bound, data, len);
	if (ZSTD_isError(n))
		return ws_fail(err, WS_ENOMEM, "zstd: %s", ZSTD_getErrorName(n));
	ws_put_u32(&head, type);
	ws_put_u32(&head, checksum(type, n, len, body));
	ws_put_u64(&head, n);
	ws_put_u64(&head, len);
	if (!head.failed) {
		memcpy(packed->data + start, head.data, WS_BLOCK_HEADER);
		packed->len = start + WS_BLOCK_HEADER + n;
	}
	ws_buf_clear(&head);
	return packed->len > start ? WS_OK : ws_fail_memory(err, "a block header");
}

enum ws_status ws_blocks_check(const struct ws_in *in, const char magic[8], uint32_t max_version,
			       uint64_t *offset, struct ws_err *err)
{
	struct ws_cursor c = { .p = in->data, .end = in->data + in->len };
	const uint8_t *got = ws_get_bytes(&c, 8);
	uint32_t version = ws_get_u32(&c);

	ws_get_u32(&c);
	if (c.bad || memcmp(got, magic, 8) != 0)
		return ws_fail(err, WS_EFORMAT, "%s: offset 0: not a %.7s file", in->name, magic);
	if (version == 0 || version > max_version)
		return ws_fail(err, WS_EFORMAT,
			       "%s: offset 8: format version %" PRIu32
			       ", this program reads 1..%" PRIu32,
			       in->name, version, max_version);
	*offset = FILE_HEADER;
	return WS_OK;
}

enum ws_status ws_block_at(const struct ws_in *in, uint64_t offset, struct ws_block *block,
			   struct ws_err *err)
{
	struct ws_cursor c;
	uint64_t left;

	*block = (struct ws_block){ .offset = offset };
	if (offset > in->len || in->len - offset < WS_BLOCK_HEADER)
		return ws_fail(err, WS_EFORMAT,
			       "%s: offset %" PRIu64 ": the file ends where a block should begin",
			       in->name, offset);
	c = (struct ws_cursor){ .p = in->data + offset, .end = in->data + in->len };
	block->type = ws_get_u32(&c);
	block->crc = ws_get_u32(&c);
	block->packed_len = ws_get_u64(&c);
	block->raw_len = ws_get_u64(&c);
	block->packed = c.p;
	left = (uint64_t)(c.end - c.p);
	if (block->packed_len > left)
		return ws_fail(err, WS_EFORMAT,
			       "%s: offset %" PRIu64 ": a block of %" PRIu64
			       " bytes, but only %" PRIu64 " follow: truncated or corrupt",
			       in->name, offset, block->packed_len, left);
	if (block->raw_len >= WS_BLOCK_MAX)
		return ws_fail(err, WS_EFORMAT,
			       "%s: offset %" PRIu64 ": a block that unpacks to %" PRIu64
			       " bytes, want less than %" PRIu64,
			       in->name, offset, block->raw_len, (uint64_t)WS_BLOCK_MAX);
	block->next = offset + WS_BLOCK_HEADER + block->packed_len;
	return WS_OK;
}

enum ws_status ws_block_unpack(const struct ws_in *in, const struct ws_block *block,
			       struct ws_buf *raw, struct ws_err *err)
{
	size_t len = (size_t)block->raw_len, n;

	raw->len = 0;
	/* The sum covers raw_len, so what is allocated below is what was written. */
	if (checksum(block->type, block->packed_len, block->raw_len, block->packed) != block->crc)
		return ws_fail(err, WS_EFORMAT,
			       "%s: offset %" PRIu64 ": checksum of the block is wrong: corrupt",
			       in->name, block->offset);
	if (!WS_ROOM(raw->data, raw->cap, len + 1))
		return ws_fail_memory(err, "an unpacked block");
	n = ZSTD_decompress(raw->data, len, block->packed, (size_t)block->packed_len);
	if (ZSTD_isError(n) && ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation)
		return ws_fail_memory(err, "unpacking a block");
	if (ZSTD_isError(n) || n != len)
		return ws_fail(err, WS_EFORMAT,
			       "%s: offset %" PRIu64 ": the block does not unpack: %s", in->name,
			       block->offset,
			       ZSTD_isError(n) ? ZSTD_getErrorName(n) : "wrong length");
	raw->len = len;
	return WS_OK;
}
