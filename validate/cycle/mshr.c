/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/mshr.c -- records of lines, MSHRs and waiting requests in pools.
 */
#include "validate/cycle/mshr.h"

#include <stdlib.h>

/* ---- lines --------------------------------------------------------------------------------- */

void ws_tag_lines_flush(struct ws_tag_lines *l)
{
	ws_map_flush(&l->map, l->live);
	l->used = l->free = l->live = 0;
}

void ws_tag_lines_clear(struct ws_tag_lines *l)
{
	free(l->line);
	ws_map_clear(&l->map);
	*l = (struct ws_tag_lines){ 0 };
}

/* ---- MSHRs --------------------------------------------------------------------------------- */

void ws_mshrs_flush(struct ws_mshrs *m)
{
	m->used = m->free = m->live = m->waiters = m->free_waiter = 0;
}

void ws_mshrs_clear(struct ws_mshrs *m)
{
	free(m->mshr);
	free(m->waiter);
	free(m->woken);
	*m = (struct ws_mshrs){ 0 };
}
