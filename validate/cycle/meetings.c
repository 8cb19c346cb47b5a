/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/meetings.c -- caches that choose their policy together meet at cycles that it
 * names.  Windows end there, so all have come to the same cycle.
 */
#include "validate/cycle/run.h"

uint64_t ws_meetings_next(const struct ws_meetings *m)
{
	return m->use->policy->meet ? m->use->policy->meeting(m->use, m->turn) : UINT64_MAX;
}

bool ws_meetings_hold(struct ws_meetings *m, uint64_t cycle)
{
	uint64_t before = m->turn;

	while (ws_meetings_next(m) <= cycle)
		m->use->policy->meet(m->use, m->turn++, m->shared, m->caches);
	return m->turn > before;
}
