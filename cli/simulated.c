/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/simulated.c -- what the simulation that an order was taken from says of its own L1s, beside
 * what LRU makes of that order.
 *
 * They differ by what a reservation changes: a line that is on its way is not thrown out, so that
 * another one goes in its place.  No order of requests tells that, so it is said.
 */
#include "cli/cli.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORTH 1.0 /* percentage points */

struct cli_simulated_row {
	const char *kernel; /* the trace's */
	uint64_t requests, misses;	/* loads */
};

enum ws_status cli_simulated_add(struct cli_simulated *s, const struct ws_orderer *orderer,
				 const char *kernel, struct ws_err *err)
{
	struct ws_cycle_counts l1[WS_KINDS + 1];
	struct cli_simulated_row *row;
	size_t i = 0;

	ws_orderer_l1(orderer, l1);
	while (i < s->count && strcmp(s->row[i].kernel, kernel) != 0)
		i++;
	if (i == s->count) {
		row = ws_grow(s->row, &s->cap, i + 1, sizeof *row);
		if (!row)
			return ws_fail_memory(err, "simulated counts");
		s->row = row;
		s->row[s->count++] = (struct cli_simulated_row){ .kernel = kernel };
	}
	s->row[i].requests += l1[WS_LOAD].requests;
	s->row[i].misses += l1[WS_LOAD].misses;
	return WS_OK;
}

/* By how many points LRU is off for the kernel's loads; 0 if the L1 has another policy, or if the profile
 * is not of that L1, or of some of its requests. */
static double off_by(const struct ws_profile *p, const struct ws_cache *l1,
		     const struct cli_simulated_row *row)
{
	struct ws_err ignored = { 0 };
	struct ws_prediction answer;
	const struct ws_counts *loads = &answer.kind[WS_LOAD];
	size_t i = 0;

	while (i < p->sections && strcmp(p->section[i].kernel, row->kernel) != 0)
		i++;
	if (i == p->sections || ws_predict(p, i, l1, &answer, &ignored) != WS_OK ||
	    answer.basis != WS_EXACT || loads->requests != row->requests || !row->requests)
		return 0;
	return 100 * ((double)loads->misses - (double)row->misses) / (double)row->requests;
}

static double simulated(const struct cli_simulated_row *row)
{
	return 100 * (double)row->misses / (double)row->requests;
}

void cli_simulated_note(const struct cli_simulated *s, const struct cli_call *call,
			const struct ws_profile *p, const struct ws_machine *m)
{
	const struct cli_simulated_row *worst = NULL;
	double most = 0;

	for (size_t i = 0; i < s->count; i++) {
		double off = off_by(p, &m->l1, &s->row[i]);

		if (fabs(off) < WORTH || fabs(off) <= fabs(most))
			continue;
		most = off;
		worst = &s->row[i];
	}
	if (worst)
		cli_note(call, "%s: of its loads %.1f %% missed in the simulated L1 of %" PRIu64 " bytes, and "
			 "%.1f %% miss by LRU in the same order, which knows nothing of lines on their "
			 "way: predictions near that L1 are off by as much (`warpstack simulate "
			 "--cycles` is not)", worst->kernel, simulated(worst), m->l1.size_bytes,
			 simulated(worst) + most);
}

void cli_simulated_clear(struct cli_simulated *s)
{
	free(s->row);
	*s = (struct cli_simulated){ 0 };
}
