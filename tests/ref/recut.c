/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/recut.c -- requests for other lines, the slow way (recut.h).
 */
#include "tests/ref/recut.h"

/* Of a piece all sectors are in one segment: any of them tells which. */
static uint64_t segment_of(const struct ws_request *piece, uint64_t coalesce_line)
{
	return (piece->address + ws_log2(piece->sectors) * WS_SECTOR_BYTES) / coalesce_line;
}

size_t ref_recut(uint64_t coalesce_line, uint64_t from_line, uint64_t to_line,
		 const struct ws_request *r, size_t count, struct ws_request *out)
{
	size_t n = 0, first = 0; /* first: piece of the warp instruction */

	for (size_t i = 0; i < count; i++) {
		first = r[i].follows ? first : n;
		for (uint64_t s = 0; s < from_line / WS_SECTOR_BYTES; s++) {
			uint64_t at = r[i].address + s * WS_SECTOR_BYTES;
			uint64_t line = at - at % to_line;
			size_t p = first;

			if (!(r[i].sectors >> s & 1))
				continue;
			while (p < n && (out[p].address != line ||
					 segment_of(out + p, coalesce_line) != at / coalesce_line))
				p++;
			if (p == n) {
				out[n] = r[i];
				out[n].address = line;
				out[n].sectors = 0;
				out[n].follows = n > first;
				n++;
			}
			out[p].sectors |= (uint32_t)1 << (at - line) / WS_SECTOR_BYTES;
		}
	}
	return n;
}
