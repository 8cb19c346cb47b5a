/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/sim/directory.c -- see directory.h.
 */
#include <stdlib.h>

#include "validate/sim/directory.h"

static enum ws_status add_line(struct ws_directory *d, uint64_t address, struct ws_err *err)
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
	uint32_t *slot;

	if (!ws_map_room(&d->map, d->line, sizeof *d->line, d->lines + 1))
		return ws_fail_memory(err, "a simulated cache's directory of lines");
	slot = ws_map_slot(&d->map, d->line, sizeof *d->line, address);
	*fresh = !*slot;
	if (*fresh) {
		enum ws_status status = add_line(d, address, err);

		if (status != WS_OK)
			return status;
		*slot = (uint32_t)d->lines;
	}
	*number = *slot - 1;
	return WS_OK;
}

void ws_directory_flush(struct ws_directory *d)
{
	ws_map_flush(&d->map, d->lines);
	d->lines = 0;
}

void ws_directory_clear(struct ws_directory *d)
{
	free(d->line);
	ws_map_clear(&d->map);
	*d = (struct ws_directory){ 0 };
}
