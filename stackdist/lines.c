/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/lines.c -- numbers for the lines of a stream (lines.h).
 */
#include "stackdist/lines.h"

#include <stdlib.h>
#include <string.h>

#define SIZE_MIN 64u

/* Strided addresses are the rule, so all bits must count: the finaliser of
 * MurmurHash3 (Appleby), shortened by its last step. */
static size_t hash(const struct ws_lines *l, uint64_t address)
{
	address ^= address >> 33;
	address *= 0xff51afd7ed558ccdu;
	address ^= address >> 33;
	address *= 0xc4ceb9fe1a85ec53u;
	return (size_t)(address >> 32 ^ address) & (l->size - 1);
}

/* The line's place in the table, or the free one where it belongs. */
static struct ws_line *find(const struct ws_lines *l, uint64_t address)
{
	size_t i = hash(l, address);

	while (l->table[i].id != WS_LINE_NONE && l->table[i].address != address)
		i = (i + 1) & (l->size - 1);
	return l->table + i;
}

static bool enlarge(struct ws_lines *l)
{
	struct ws_lines new = { .size = l->size ? 2 * l->size : SIZE_MIN, .count = l->count };

	new.table = ws_alloc(new.size, sizeof(*new.table));
	if (!new.table)
		return false;
	for (size_t i = 0; i < new.size; i++)
		new.table[i] = (struct ws_line){ .id = WS_LINE_NONE };
	for (size_t i = 0; i < l->size; i++)
		if (l->table[i].id != WS_LINE_NONE)
			*find(&new, l->table[i].address) = l->table[i];
	free(l->table);
	*l = new;
	return true;
}

static enum ws_status make_room(struct ws_lines *l, struct ws_err *err)
{
	if (l->count >= WS_LINES_MAX)
		return ws_fail(err, WS_EINVAL,
			       "more than %u distinct cache lines on one SM in one launch; "
			       "a profile holds no more", WS_LINES_MAX);
	if (l->count >= l->size / 8 * 5 && !enlarge(l))
		return ws_fail_memory(err, "the table of cache lines");
	return WS_OK;
}

static enum ws_status number(struct ws_lines *l, bool allocates, uint64_t address,
			     uint32_t *id, struct ws_err *err)
{
	struct ws_line *line = l->size ? find(l, address) : NULL;
	enum ws_status status;

	*id = line ? line->id : WS_LINE_NONE;
	if (*id != WS_LINE_NONE || !allocates)
		return WS_OK;
	status = make_room(l, err);
	if (status)
		return status;
	*id = l->count++;
	*find(l, address) = (struct ws_line){ address, *id };
	return WS_OK;
}

enum ws_status ws_lines_number(struct ws_lines *l, enum ws_write write,
			       const struct ws_request *request, size_t count,
			       uint32_t *id, struct ws_err *err)
{
	bool stores = ws_store_allocates(write);
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < count && !status; i++) {
		unsigned kind = request[i].kind;

		id[i] = WS_LINE_NONE;
		if (kind >= WS_KINDS)
			status = ws_fail(err, WS_EINVAL, "a request of kind %u: expected 0 to %u",
					 kind, WS_KINDS - 1);
		else if (kind != WS_ATOMIC)
			status = number(l, kind == WS_LOAD || stores, request[i].address,
					id + i, err);
	}
	return status;
}

void ws_lines_clear(struct ws_lines *l)
{
	free(l->table);
	memset(l, 0, sizeof(*l));
}
