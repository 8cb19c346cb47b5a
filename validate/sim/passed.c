/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/sim/passed.c -- a simulated L1's requests to the L2, cut at the L2's lines.
 */
#include "validate/sim/miss_stream.h"

static void put_part(struct ws_miss_stream *to, const struct ws_request *from, uint64_t address,
		     uint32_t sectors, enum ws_kind kind)
{
	struct ws_stream *s = &to->stream;
	struct ws_request *r;

	if (!WS_ROOM(s->request, s->cap, s->count + 1)) {
		to->failed = true;
		return;
	}
	r = s->request + s->count++;
	*r = *from;
	r->address = address;
	r->sectors = sectors;
	r->kind = (uint8_t)kind;
	r->follows = 0;
}

void ws_miss_stream_put(struct ws_miss_stream *to, const struct ws_request *r, uint64_t address,
		   uint32_t sectors, enum ws_kind kind)
{
	unsigned each = (unsigned)(to->line / WS_SECTOR_BYTES);
	uint64_t first = address & ~(to->line - 1);

	if (to->from_line <= to->line) {
		put_part(to, r, first, sectors << (address - first) / WS_SECTOR_BYTES, kind);
		return;
	}
	for (unsigned at = 0; at < to->from_line / WS_SECTOR_BYTES; at += each) {
		uint32_t piece = sectors >> at & ((1u << each) - 1);

		if (piece)
			put_part(to, r, address + at * WS_SECTOR_BYTES, piece, kind);
	}
}
