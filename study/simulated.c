/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/simulated.c -- the counts of the simulation that an order is from, for the profile.
 *
 * LRU in that order differs from them by reservations: a line being fetched cannot be evicted, so
 * another one is.  The order of requests does not show that, so the counts are kept; and where they
 * differ, times of requests are worth having.
 */
#include "study/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ws_simulated_kernel {
	const char *kernel; /* the trace's */
	struct ws_missed level[2][WS_KINDS];
};

static void add_missed(struct ws_missed to[WS_KINDS],
		       const struct ws_cycle_counts from[WS_KINDS + 1])
{
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		to[kind].requests += from[kind].requests;
		to[kind].misses += from[kind].misses;
	}
}

enum ws_status ws_simulated_add(struct ws_simulated *s, const struct ws_orderer *orderer,
				const char *kernel, struct ws_err *err)
{
	struct ws_cycle_counts l1[WS_KINDS + 1], l2[WS_KINDS + 1];
	size_t i = 0;

	ws_orderer_counts(orderer, l1, l2);
	while (i < s->count && strcmp(s->row[i].kernel, kernel) != 0)
		i++;
	if (i == s->count) {
		if (!WS_ROOM(s->row, s->cap, i + 1))
			return ws_fail_memory(err, "simulated counts");
		s->row[s->count++] = (struct ws_simulated_kernel){ .kernel = kernel };
	}
	add_missed(s->row[i].level[0], l1);
	add_missed(s->row[i].level[1], l2);
	return WS_OK;
}

void ws_simulated_put(const struct ws_simulated *s, struct ws_profile *p)
{
	for (size_t i = 0; i < p->sections; i++)
		for (size_t k = 0; k < s->count; k++)
			if (strcmp(p->section[i].kernel, s->row[k].kernel) == 0)
				memcpy(p->section[i].simulated, s->row[k].level,
				       sizeof p->section[i].simulated);
}

#define DIFFERS 0.01 /* of a kernel's loads */

/* Misses of loads in the section, less those of LRU in their order, as a ratio. */
static double difference(const struct ws_profile *p, size_t section, const struct ws_machine *m)
{
	const struct ws_missed *simulated = &p->section[section].simulated[0][WS_LOAD];
	struct ws_prediction lru;
	struct ws_machine own;
	struct ws_err ignored = { 0 };

	if (!simulated->requests ||
	    ws_section_machine(&p->section[section], m, &own, &ignored) != WS_OK ||
	    ws_predict(p, section, &own.l1, &lru, &ignored) != WS_OK ||
	    lru.kind[WS_LOAD].requests != simulated->requests)
		return 0;
	return ((double)simulated->misses - (double)lru.kind[WS_LOAD].misses) /
	       (double)simulated->requests;
}

bool ws_simulated_differs(const struct ws_profile *p, const struct ws_machine *m)
{
	bool differs = false;

	if (!m->l1.ways || !ws_policy_as_lru(&m->l1) || !ws_organised_plainly(&m->l1))
		return false;
	for (size_t i = 0; i < p->sections && !differs; i++)
		differs = fabs(difference(p, i, m)) > DIFFERS;
	return differs;
}

void ws_simulated_clear(struct ws_simulated *s)
{
	free(s->row);
	*s = (struct ws_simulated){ 0 };
}
