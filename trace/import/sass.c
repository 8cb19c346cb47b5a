/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/sass.c -- the table of memory instructions, and the address spaces.
 *
 * Not in it, and so counted among other instructions: textures and surfaces (tools record no
 * address), prefetches and cache control.  Bulk copies between global and shared memory are
 * accesses to global memory.
 */
#include "trace/import/sass.h"

#include <string.h>

#define LOCAL_AT (1ull << 62)

static const struct ws_sass table[] = {
	{ "LDG", WS_LOAD, WS_SASS_GLOBAL },	 { "STG", WS_STORE, WS_SASS_GLOBAL },
	{ "LDS", WS_LOAD, WS_SASS_SHARED },	 { "STS", WS_STORE, WS_SASS_SHARED },
	{ "LDL", WS_LOAD, WS_SASS_LOCAL },	 { "STL", WS_STORE, WS_SASS_LOCAL },
	{ "LD", WS_LOAD, WS_SASS_GENERIC },	 { "ST", WS_STORE, WS_SASS_GENERIC },
	{ "LDGSTS", WS_LOAD, WS_SASS_GLOBAL },	 { "LDSM", WS_LOAD, WS_SASS_SHARED },
	{ "STSM", WS_STORE, WS_SASS_SHARED },	 { "LDC", WS_LOAD, WS_SASS_CONSTANT },
	{ "ULDC", WS_LOAD, WS_SASS_CONSTANT },	 { "LDCU", WS_LOAD, WS_SASS_CONSTANT },
	{ "ATOM", WS_ATOMIC, WS_SASS_GENERIC },	 { "ATOMG", WS_ATOMIC, WS_SASS_GLOBAL },
	{ "RED", WS_ATOMIC, WS_SASS_GENERIC },	 { "REDG", WS_ATOMIC, WS_SASS_GLOBAL },
	{ "ATOMS", WS_ATOMIC, WS_SASS_SHARED },	 { "REDS", WS_ATOMIC, WS_SASS_SHARED },
	{ "UTMALDG", WS_LOAD, WS_SASS_BULK },	 { "UTMASTG", WS_STORE, WS_SASS_BULK },
	{ "UTMAREDG", WS_ATOMIC, WS_SASS_BULK }, { "UBLKCP", WS_LOAD, WS_SASS_BULK },
	{ "UBLKRED", WS_ATOMIC, WS_SASS_BULK },
};

/* Up to the next dot. */
static size_t part(const char *text, size_t len)
{
	const char *dot = len ? memchr(text, '.', len) : NULL;

	return dot ? (size_t)(dot - text) : len;
}

const struct ws_sass *ws_sass_find(const char *opcode, size_t len)
{
	len = part(opcode, len);
	if (!len || len >= sizeof table->name)
		return NULL;
	for (size_t i = 0; i < WS_COUNT(table); i++)
		if (memcmp(table[i].name, opcode, len) == 0 && table[i].name[len] == '\0')
			return &table[i];
	return NULL;
}

static bool is(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && memcmp(text, word, len) == 0;
}

uint32_t ws_sass_bytes(const char *opcode, size_t len)
{
	static const struct { const char *modifier; uint32_t bytes; } widths[] = {
		{ "U8", 1 }, { "S8", 1 }, { "U16", 2 }, { "S16", 2 }, { "64", 8 }, { "U64", 8 },
		{ "S64", 8 }, { "F64", 8 }, { "128", 16 },
	};
	size_t n = part(opcode, len);

	if (is(opcode, n, "LDSM") || is(opcode, n, "STSM"))
		return 16; /* a lane's address is that of a row */
	while (n < len) {
		opcode += n + 1;
		len -= n + 1;
		n = part(opcode, len);
		for (size_t i = 0; i < WS_COUNT(widths); i++)
			if (is(opcode, n, widths[i].modifier))
				return widths[i].bytes;
	}
	return 4;
}

/* ---- address spaces ----------------------------------------------------------------- */

static unsigned lowest(uint64_t mask)
{
	unsigned lane = 0;

	while (!(mask >> lane & 1))
		lane++;
	return lane;
}

static enum ws_sass_place resolve(const struct ws_sass_shape *shape, uint64_t address)
{
	if (shape->shared_base && address - shape->shared_base < WS_SASS_WINDOW)
		return WS_SASS_SHARED;
	if (shape->local_base && address - shape->local_base < WS_SASS_WINDOW)
		return WS_SASS_LOCAL;
	return WS_SASS_GLOBAL;
}

static enum ws_status access_local(struct ws_builder *b, const struct ws_sass_shape *shape,
				   struct ws_built_access *a, uint64_t *pieces, struct ws_err *err)
{
	uint64_t first = a->cta * shape->threads + a->warp * (uint64_t)WS_SASS_LANES;
	uint64_t address[WS_SASS_LANES];
	const uint64_t *from = a->address;
	uint32_t words = a->bytes > 4 ? (a->bytes + 3) / 4 : 1;
	enum ws_status status = WS_OK;

	a->bytes = a->bytes < 4 ? a->bytes : 4;
	a->address = address;
	for (uint32_t w = 0; w < words && status == WS_OK; w++) {
		for (unsigned lane = 0; lane < WS_SASS_LANES; lane++) {
			uint64_t at;

			if (!(a->lanes >> lane & 1))
				continue;
			at = from[lane] - shape->local_base;
			at = (at < WS_SASS_WINDOW ? at : from[lane] & (WS_SASS_WINDOW - 1)) + 4 * w;
			address[lane] = LOCAL_AT + 4 * (at / 4 * shape->all + first + lane) +
					at % 4;
		}
		status = ws_builder_access(b, a, err);
		a->gap = 0;
	}
	a->address = from;
	*pieces = words;
	return status;
}

enum ws_status ws_sass_access(struct ws_builder *b, const struct ws_sass_shape *shape,
			      const struct ws_built_access *a, enum ws_sass_place place,
			      uint64_t *pieces, struct ws_err *err)
{
	struct ws_built_access own = *a;

	*pieces = 1;
	if (place == WS_SASS_GENERIC)
		place = resolve(shape, a->address[lowest(a->lanes)]);
	own.space = place == WS_SASS_SHARED ? WS_SPACE_LOCAL :
		    place == WS_SASS_CONSTANT ? WS_SPACE_CONSTANT : WS_SPACE_GLOBAL;
	/* An access that the builder would refuse is its to refuse. */
	if (place == WS_SASS_LOCAL && a->bytes <= WS_ACCESS_BYTES_MAX)
		return access_local(b, shape, &own, pieces, err);
	return ws_builder_access(b, &own, err);
}
