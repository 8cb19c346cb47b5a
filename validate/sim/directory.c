/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/sim/directory.c -- see directory.h.
 */
#include <stdlib.h>
#include <string.h>

#include "validate/sim/directory.h"

#define ENTRIES_FIRST 1024u	/* a power of two */
#define ENTRIES_SPARE 64u	/* entries per line beyond which clearing costs too much */

static size_t home(const struct ws_directory *d, uint64_t address)
{
	/* The finaliser of splitmix64: all address bits reach the low ones. */
	address = (address ^ address >> 30) * 0xbf58476d1ce4e5b9u;
	address = (address ^ address >> 27) * 0x94d049bb133111ebu;
	return (size_t)(address ^ address >> 31) & (d->entries - 1);
}

/* The entry that holds the address, or the free one where it belongs. */
static uint32_t *entry(const struct ws_directory *d, uint64_t address)
{
	size_t i = home(d, address);

	while (d->entry[i] && d->line[d->entry[i] - 1].address != address)
		i = (i + 1) & (d->entries - 1);
	return &d->entry[i];
}

static enum ws_status grow(struct ws_directory *d, struct ws_err *err)
{
	size_t entries = d->entries ? 2 * d->entries : ENTRIES_FIRST;
	uint32_t *bigger = ws_alloc_zero(entries, sizeof *bigger);

	if (!bigger)
		return ws_fail_memory(err, "a simulated cache's directory of lines");
	free(d->entry);
	d->entry = bigger;
	d->entries = entries;
	for (size_t i = 0; i < d->lines; i++)
		*entry(d, d->line[i].address) = (uint32_t)i + 1;
	return WS_OK;
}

static enum ws_status add(struct ws_directory *d, uint64_t address, struct ws_err *err)
{
	if (d->lines >= WS_NOWHERE - 1)
		return ws_fail_memory(err, "more than 4294967294 distinct lines in one launch");
	if (!WS_ROOM(d->line, d->lines_cap, d->lines + 1))
		return ws_fail_memory(err, "a simulated cache's lines");
	d->line[d->lines++] = (struct ws_sim_line){ .address = address, .slot = WS_NOWHERE,
						    .newer = WS_NOWHERE, .older = WS_NOWHERE };
	return WS_OK;
}

enum ws_status ws_directory_find(struct ws_directory *d, uint64_t address, uint32_t *number,
				 bool *fresh, struct ws_err *err)
{
	enum ws_status status;
	uint32_t *e;

	if (d->entries < 2 * (d->lines + 1)) {
		status = grow(d, err);
		if (status)
			return status;
	}
	e = entry(d, address);
	*fresh = !*e;
	if (*fresh) {
		status = add(d, address, err);
		if (status)
			return status;
		*e = (uint32_t)d->lines;
	}
	*number = *e - 1;
	return WS_OK;
}

void ws_directory_flush(struct ws_directory *d)
{
	if (d->lines < d->entries / ENTRIES_SPARE) {
		free(d->entry);
		d->entry = NULL;
		d->entries = 0;
	} else if (d->entry) {
		memset(d->entry, 0, d->entries * sizeof *d->entry);
	}
	d->lines = 0;
}

void ws_directory_clear(struct ws_directory *d)
{
	free(d->line);
	free(d->entry);
	*d = (struct ws_directory){ 0 };
}
