/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/bytes.c -- what the bytes of a warp's accesses decide with profile = gpgpusim: which
 * atomics are requests of their own, and what a store writes of each sector.
 *
 * Rules: GPGPU-Sim 4, abstract_hardware_model.cc, memory_coalescing_arch_atomic, and the byte masks
 * of mem_access_t.
 */
#include "trace/order/order.h"

#include <assert.h>
#include <string.h>

struct lane_piece {		/* of a lane's access, in one sector */
	uint64_t first, last;
};

/* The next piece after *p, whose .last was the access's beginning - 1 at first. */
static bool next_piece(struct lane_piece *p, uint64_t end)
{
	if (p->last == end)
		return false;
	p->first = p->last + 1;
	p->last = p->first | (WS_SECTOR_BYTES - 1);
	p->last = p->last < end ? p->last : end;
	return true;
}

static uint64_t end_of(uint64_t first, uint32_t bytes)
{
	uint64_t end = first + (bytes - 1);

	return end < first ? UINT64_MAX : end;
}

static uint32_t bits_of(const struct lane_piece *p)
{
	unsigned low = p->first % WS_SECTOR_BYTES, high = p->last % WS_SECTOR_BYTES;

	return (uint32_t)((2ull << high) - (1ull << low));
}

static uint32_t sector_in(uint64_t line, const struct lane_piece *p)
{
	return UINT32_C(1) << (p->first & (line - 1)) / WS_SECTOR_BYTES;
}

/* ---- atomics --------------------------------------------------------------------------- */

static size_t add_atomic(uint64_t line, const struct lane_piece *p, struct ws_request *out,
			 uint32_t *taken, size_t n)
{
	uint64_t address = p->first & ~(line - 1);
	uint32_t sector = sector_in(line, p), bits = bits_of(p);
	size_t i = 0;

	while (i < n && (out[i].address != address || out[i].sectors != sector ||
			 taken[i] & bits))
		i++;
	if (i == n) {
		out[n].address = address;
		out[n].sectors = sector;
		taken[n++] = 0;
	}
	taken[i] |= bits;
	return n;
}

size_t ws_coalesce_atomics(const struct ws_machine *m, const uint64_t *address, uint64_t mask,
			   uint32_t bytes, struct ws_request *out)
{
	uint32_t taken[WS_COALESCE_MAX(64, WS_SECTOR_BYTES)];
	size_t n = 0;

	assert(bytes <= WS_SECTOR_BYTES);
	for (; mask && bytes; mask &= mask - 1) {
		uint64_t first = address[ws_lowest_bit(mask)], end = end_of(first, bytes);
		struct lane_piece p = { .last = first - 1 };

		while (next_piece(&p, end))
			n = add_atomic(m->l1.line_bytes, &p, out, taken, n);
	}
	return n;
}

/* ---- stores ---------------------------------------------------------------------------- */

/* A piece is of the one request with its sector: mostly of that of the piece before. */
static size_t request_of(uint64_t line, const struct lane_piece *p, const struct ws_request *r,
			 size_t count, size_t guess)
{
	uint64_t address = p->first & ~(line - 1);
	uint32_t sector = sector_in(line, p);
	size_t i = guess;

	while (r[i].address != address || !(r[i].sectors & sector))
		i = i + 1 == count ? 0 : i + 1;
	return i;
}

void ws_written_find(const struct ws_machine *m, const uint64_t *address, uint64_t mask,
		     uint32_t bytes, const struct ws_request *r, size_t count,
		     struct ws_written *out)
{
	size_t at = 0;

	memset(out, 0, count * sizeof *out);
	for (; mask && bytes; mask &= mask - 1) {
		uint64_t first = address[ws_lowest_bit(mask)], end = end_of(first, bytes);
		struct lane_piece p = { .last = first - 1 };

		while (next_piece(&p, end)) {
			at = request_of(m->l1.line_bytes, &p, r, count, at);
			out[at].byte[p.first % WS_WRITTEN_BYTES / WS_SECTOR_BYTES] |= bits_of(&p);
		}
	}
}
