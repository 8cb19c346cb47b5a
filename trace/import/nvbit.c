/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/nvbit.c -- the text that NVBit's mem_trace tool prints.
 *
 *	MEMTRACE: CTX 0x.. - LAUNCH - Kernel pc 0x.. - Kernel name NAME - grid launch id N -
 *		grid size x,y,z - block size x,y,z - nregs n - shmem n - cuda stream id n
 *	MEMTRACE: CTX 0x.. - grid_launch_id N - CTA x,y,z - warp w - OPCODE - 0x.. (32 of them)
 *
 * on one line each; what else is printed in between is passed over.  There is no mask: a lane
 * whose address is 0 is taken for inactive.  (Some versions leave other addresses in inactive
 * lanes, which cannot be told.)  There is no width: it is that of the opcode's modifiers.
 * There are no PCs, and no instructions but these.
 *
 * Warps are numbered within their CTA or as the hardware has them, depending on the version: a
 * number that the CTA cannot have or that is taken stands for the lowest free one.
 */
#include "base/map.h"
#include "trace/import/sass.h"
#include "trace/import/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MARK "MEMTRACE: CTX 0x"
#define TAKEN (1ull << 63) /* a seat that says that one of our numbers is taken */

struct seat {	/* name: the file's number of a warp; or ours and TAKEN */
	uint64_t key, cta, name;
	uint32_t warp;
};

struct nvbit_reader {
	struct ws_packed *s;
	struct ws_builder *b;
	bool begun;
	uint64_t id, grid[3];
	uint32_t warps;		/* of a CTA */
	struct ws_sass_shape shape;
	struct seat *seat;
	struct ws_map seat_map;
	size_t seats, seat_cap;
};

/* ---- warps' numbers ------------------------------------------------------------------ */

/* The slot of a seat, or where it would be with the key given. */
static uint32_t *find_seat(const struct nvbit_reader *r, uint64_t cta, uint64_t name, uint64_t *key)
{
	uint32_t *slot;

	*key = ws_map_mix(cta, name);
	while (*(slot = ws_map_slot(&r->seat_map, r->seat, sizeof *r->seat, *key)) &&
	       (r->seat[*slot - 1].cta != cta || r->seat[*slot - 1].name != name))
		++*key;
	return slot;
}

static bool is_taken(const struct nvbit_reader *r, uint64_t cta, uint64_t name)
{
	uint64_t key;

	return *find_seat(r, cta, name, &key);
}

static void sit(struct nvbit_reader *r, uint64_t cta, uint64_t name, uint32_t warp)
{
	struct seat new = { .cta = cta, .name = name, .warp = warp };
	uint32_t *slot = find_seat(r, cta, name, &new.key);

	r->seat[r->seats++] = new;
	*slot = (uint32_t)r->seats;
}

/* Our number of a warp. */
static enum ws_status seat_warp(struct nvbit_reader *r, uint64_t cta, uint64_t name, uint32_t *warp,
				struct ws_err *err)
{
	uint32_t own = name < r->warps ? (uint32_t)name : 0, *known;
	uint64_t key;

	if (!ws_map_room(&r->seat_map, r->seat, sizeof *r->seat, r->seats + 2) ||
	    !WS_ROOM(r->seat, r->seat_cap, r->seats + 2))
		return ws_fail_memory(err, "the warps of a launch");
	known = find_seat(r, cta, name, &key);
	if (*known) {
		*warp = r->seat[*known - 1].warp;
		return WS_OK;
	}
	if (is_taken(r, cta, own | TAKEN))
		for (own = 0; own < r->warps && is_taken(r, cta, own | TAKEN); own++)
			continue;
	if (own == r->warps)
		return ws_packed_fail(r->s, err, "warp %" PRIu64 ": CTA %" PRIu64 " has %" PRIu32
				      " warps, and that many others were there", name, cta,
				      r->warps);
	sit(r, cta, name, own);
	sit(r, cta, own | TAKEN, own);
	*warp = own;
	return WS_OK;
}

static void forget_warps(struct nvbit_reader *r)
{
	free(r->seat);
	r->seat = NULL;
	ws_map_clear(&r->seat_map);
	r->seats = r->seat_cap = 0;
}

/* ---- fields ------------------------------------------------------------------------- */

static bool field(const char **p, const char *key, uint64_t *v)
{
	return ws_text_word(p, key) && ws_text_decimal(p, v);
}

static bool triple(const char **p, const char *key, uint64_t v[3])
{
	return field(p, key, &v[0]) && field(p, ",", &v[1]) && field(p, ",", &v[2]);
}

/* The last place where key is. */
static const char *last_of(const char *text, const char *key)
{
	const char *last = NULL;

	for (const char *p = strstr(text, key); p; p = strstr(p + 1, key))
		last = p;
	return last;
}

/* ---- launches -------------------------------------------------------------------------- */

static enum ws_status launch(struct nvbit_reader *r, char *p, struct ws_err *err)
{
	char *name = strstr(p, " - Kernel name "), *end = NULL;
	struct ws_built_launch l = { .warp_width = WS_SASS_LANES };
	struct ws_err why = { 0 };
	enum ws_status status;
	const char *q;

	if (name) {
		name += sizeof " - Kernel name " - 1;
		end = name + (last_of(name, " - grid launch id ") ?
			      last_of(name, " - grid launch id ") - name : 0);
	}
	q = end;
	if (!name || end == name || !field(&q, " - grid launch id ", &r->id) ||
	    !triple(&q, " - grid size ", l.grid) || !triple(&q, " - block size ", l.block))
		return ws_packed_fail(r->s, err, "want LAUNCH - Kernel pc - Kernel name - grid "
				      "launch id - grid size - block size");
	*end = '\0';
	l.kernel = name;
	if (field(&q, " - nregs ", &l.registers) && l.registers > WS_SASS_REGISTERS_MAX)
		l.registers = 0;
	if (field(&q, " - shmem ", &l.shared_bytes) && l.shared_bytes > WS_SASS_SHARED_MAX)
		l.shared_bytes = 0;
	status = ws_builder_launch(r->b, &l, &why);
	if (status != WS_OK)
		return ws_text_blame(r->s, status, &why, err);
	forget_warps(r);
	memcpy(r->grid, l.grid, sizeof r->grid);
	r->shape.threads = l.block[0] * l.block[1] * l.block[2];
	r->shape.all = r->shape.threads * l.grid[0] * l.grid[1] * l.grid[2];
	r->warps = (uint32_t)((r->shape.threads + WS_SASS_LANES - 1) / WS_SASS_LANES);
	r->begun = true;
	return WS_OK;
}

/* ---- accesses ---------------------------------------------------------------------------- */

/* Of the 32 lanes; false if they are not there. */
static bool addresses(const char *p, uint64_t address[WS_SASS_LANES], uint64_t *mask)
{
	*mask = 0;
	for (unsigned lane = 0; lane < WS_SASS_LANES; lane++) {
		if ((lane && !ws_text_gap(&p)) || !ws_text_word(&p, "0x") ||
		    !ws_text_hex(&p, &address[lane]))
			return false;
		*mask |= (uint64_t)(address[lane] != 0) << lane;
	}
	return ws_text_end(&p);
}

static enum ws_status add_instruction(struct nvbit_reader *r, uint64_t cta, uint32_t warp,
				      const char *opcode, size_t len, const char *p,
				      struct ws_err *err)
{
	const struct ws_sass *op = ws_sass_find(opcode, len);
	uint64_t address[WS_SASS_LANES], mask, pieces;
	struct ws_err why = { 0 };
	enum ws_status status;

	if (!addresses(p, address, &mask))
		return ws_packed_fail(r->s, err, "want %u addresses of 0x and digits",
				      WS_SASS_LANES);
	if (op && mask) {
		struct ws_built_access a = { .cta = cta, .warp = warp, .kind = op->kind,
					     .bytes = ws_sass_bytes(opcode, len), .lanes = mask,
					     .address = address };

		status = ws_sass_access(r->b, &r->shape, &a, (enum ws_sass_place)op->place, &pieces,
					&why);
	} else {
		status = ws_builder_other(r->b, cta, warp, 1, &why);
	}
	return status == WS_OK ? WS_OK : ws_text_blame(r->s, status, &why, err);
}

static enum ws_status access(struct nvbit_reader *r, const char *p, struct ws_err *err)
{
	uint64_t id, at[3], name, cta;
	const char *opcode;
	enum ws_status status;
	uint32_t warp = 0;
	size_t len;

	if (!field(&p, "grid_launch_id ", &id) || !triple(&p, " - CTA ", at) ||
	    !field(&p, " - warp ", &name) || !ws_text_word(&p, " - "))
		return ws_packed_fail(r->s, err, "want grid_launch_id - CTA - warp - opcode - "
				      "addresses");
	opcode = p;
	len = strcspn(p, " ");
	p += len;
	if (!ws_text_word(&p, " - "))
		return ws_packed_fail(r->s, err, "want an opcode and addresses");
	if (!r->begun || id != r->id)
		return ws_packed_fail(r->s, err, "an access of launch %" PRIu64
				      ", which is not the one whose LAUNCH line came last", id);
	if (at[0] >= r->grid[0] || at[1] >= r->grid[1] || at[2] >= r->grid[2] || name & TAKEN)
		return ws_packed_fail(r->s, err, "CTA %" PRIu64 ",%" PRIu64 ",%" PRIu64 ", warp %"
				      PRIu64 ": the grid is %" PRIu64 ",%" PRIu64 ",%" PRIu64,
				      at[0], at[1], at[2], name, r->grid[0], r->grid[1],
				      r->grid[2]);
	cta = at[0] + r->grid[0] * (at[1] + r->grid[1] * at[2]);
	status = seat_warp(r, cta, name, &warp, err);
	return status == WS_OK ? add_instruction(r, cta, warp, opcode, len, p, err) : status;
}

/* ---- the row ------------------------------------------------------------------------------ */

static enum ws_status nvbit_line(void *reader, char *line, struct ws_err *err)
{
	struct nvbit_reader *r = reader;
	const char *p = line;
	uint64_t context;

	if (!ws_text_word(&p, MARK))
		return WS_OK;
	if (!ws_text_hex(&p, &context) || !ws_text_word(&p, " - "))
		return ws_packed_fail(r->s, err, "want a context after MEMTRACE: CTX");
	if (ws_text_word(&p, "LAUNCH"))
		return launch(r, line + (p - line), err);
	return access(r, p, err);
}

static enum ws_status read_nvbit(struct ws_packed *s, const char *path, struct ws_builder *b,
				 struct ws_err *err)
{
	struct nvbit_reader r = { .s = s, .b = b };
	enum ws_status status = ws_packed_lines(s, nvbit_line, &r, err);

	(void)path;
	forget_warps(&r);
	return status;
}

/* A marked line among the first: programs and NVBit itself may print before it. */
static bool nvbit_recognise(const uint8_t *data, size_t len)
{
	static const size_t mark = sizeof MARK - 1;

	while (len >= mark) {
		const uint8_t *end;

		if (memcmp(data, MARK, mark) == 0)
			return true;
		end = memchr(data, '\n', len);
		if (!end)
			break;
		len -= (size_t)(end + 1 - data);
		data = end + 1;
	}
	return false;
}

const struct ws_trace_format ws_trace_format_nvbit = {
	.name = "nvbit",
	.summary = "text of NVBit's mem_trace tool",
	.recognise = nvbit_recognise,
	.read = read_nvbit,
};
