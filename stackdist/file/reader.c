/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/file/reader.c -- the blocks of a profile file, one by one, and memory for what is
 * in them.
 *
 * What is allocated is bounded by the file: 1 KiB for each byte of it, and 512 MiB, since
 * the few bytes of a sparse table may stand for a large one.
 */
#include "stackdist/file/file.h"

#include <inttypes.h>
#include <string.h>

#define ROOM_ALWAYS (512ull << 20)
#define ROOM_PER_BYTE 1024u

void ws_reader_begin(struct ws_profile_reader *r)
{
	r->limit = ROOM_ALWAYS;
	if (r->in->len < (UINT64_MAX - ROOM_ALWAYS) / ROOM_PER_BYTE)
		r->limit += r->in->len * ROOM_PER_BYTE;
	r->room = r->limit;
}

/* Or WS_ENOMEM, if that is what the cursor is bad for. */
enum ws_status ws_reader_bad(const struct ws_profile_reader *r, const char *what)
{
	if (r->c.no_memory)
		return ws_fail_memory(r->err, "a text of the profile");
	return ws_fail(r->err, WS_EFORMAT, "%s: offset %" PRIu64 ": %s", r->in->name,
		       r->block.offset, what);
}

static enum ws_status too_large(const struct ws_profile_reader *r)
{
	return ws_fail(r->err, WS_EFORMAT, "%s: offset %" PRIu64 ": a profile of more than %" PRIu64
		       " MiB in memory: a file of this size is not expected to hold it",
		       r->in->name, r->block.offset, r->limit >> 20);
}

enum ws_status ws_reader_alloc(struct ws_profile_reader *r, void *out, size_t count, size_t size)
{
	void *memory;

	if (count > r->room / size)
		return too_large(r);
	memory = ws_alloc_zero(count, size);
	memcpy(out, &memory, sizeof(memory));
	if (!memory)
		return ws_fail_memory(r->err, "a profile");
	r->room -= count * size;
	return WS_OK;
}

enum ws_status ws_reader_open(struct ws_profile_reader *r, uint32_t type)
{
	enum ws_status status = ws_block_at(r->in, r->next, &r->block, r->err);

	if (status)
		return status;
	if (r->block.type != type)
		return ws_fail(r->err, WS_EFORMAT, "%s: offset %" PRIu64 ": expected a block of "
			       "type %c%c%c%c", r->in->name, r->block.offset, (int)(type & 0xff),
			       (int)(type >> 8 & 0xff), (int)(type >> 16 & 0xff),
			       (int)(type >> 24));
	if (r->block.raw_len > r->room)
		return too_large(r);
	status = ws_block_unpack(r->in, &r->block, &r->raw, r->err);
	if (status)
		return status;
	r->c = (struct ws_cursor){ .p = r->raw.data, .end = r->raw.data + r->raw.len };
	r->next = r->block.next;
	return WS_OK;
}

enum ws_status ws_reader_close(struct ws_profile_reader *r)
{
	if (r->c.bad)
		return ws_reader_bad(r, "the block ends too soon, or has a malformed number in it");
	if (r->c.p != r->c.end)
		return ws_reader_bad(r, "the block is longer than what is in it");
	return WS_OK;
}
