/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/sample/late.c -- requests of a period without a burst, of a kind that has had none
 * before (sample.h): all that is known of them is from chosen lines, the young ones too.
 *
 * They are scaled by the rate, as often as there are lines for one chosen.  A few lines may be so
 * popular that whether they were chosen decides how many requests were seen; such lines are
 * soon used again, so what is missing, or too much, is at the shortest distances (SHARDS-adj:
 * Waldspurger et al., FAST 2015).  A fraction of the requests seen would be wrong in the same
 * direction on all SMs.  But where the groups of lines have more first references the more
 * requests they have, that fraction is the better estimate.
 */
#include "stackdist/sample/part.h"

#include <string.h>

void ws_late_empty(struct ws_sampler *s, unsigned what, unsigned kind)
{
	struct ws_old *late = s->late[what] + kind;

	if (!late->count)
		return;
	late->seen = late->cold = late->uncached = 0;
	late->count = 0;
	for (size_t i = 0; i < s->stacks; i++)
		late->placed[i].len = late->before[i].len = 0;
	if (what == WS_SAMPLE_REQUESTS)
		memset(s->late_group + kind, 0, sizeof *s->late_group);
}

static void add_groups(struct ws_sample_group *to, const struct ws_sample_group *from)
{
	for (unsigned i = 0; i < WS_SAMPLE_GROUPS; i++) {
		to[i].seen += from[i].seen;
		to[i].ended += from[i].ended;
		for (unsigned bin = 0; bin < WS_SAMPLE_BINS; bin++)
			to[i].bin[bin] += from[i].bin[bin];
	}
}

/* Squared deviations of the groups' first references: from as many in each, and from the same
 * fraction of each one's requests, which must be far better. */
static bool by_share(const struct ws_sample_group *group, double seen)
{
	double ended = 0, lines = 0, fraction = 0;

	for (unsigned i = 0; i < WS_SAMPLE_GROUPS; i++)
		ended += group[i].ended;
	for (unsigned i = 0; i < WS_SAMPLE_GROUPS; i++) {
		double line = group[i].ended - ended / WS_SAMPLE_GROUPS;
		double part = group[i].ended - ended / seen * group[i].seen;

		lines += line * line;
		fraction += part * part;
	}
	return 4 * fraction < lines;
}

static double take_weight(struct ws_mass *m, double weight)
{
	for (size_t i = 0; i < m->len && weight > 0; i++) {
		double part = m->at[i] < weight ? m->at[i] : weight;

		m->at[i] -= part;
		weight -= part;
	}
	return weight;
}

/* Until `all` are seen, by more or fewer at the shortest distances. */
static bool level_out(struct ws_sampler *s, struct ws_old *o, double all)
{
	const struct ws_level *l = s->level + s->active;
	double missing = all - o->seen, left = 0;
	bool ok = ws_old_spread(o, s->stacks, l);

	for (size_t i = 0; i < s->stacks && ok; i++) {
		double wide = 1 / l->rate / (double)s->sets[i];

		if (missing < 0)
			left = take_weight(o->before + i, -missing);
		else
			ok = ws_mass_spread(o->before + i, 0, wide < 1 ? 1 : wide, missing);
	}
	o->seen = all + left;
	return ok;
}

bool ws_late_add(struct ws_sampler *s, unsigned what, unsigned kind)
{
	struct ws_old *to = s->old[what] + kind;
	const struct ws_old *from = s->late[what] + kind;
	double all = (double)s->period_requests[what][kind];
	bool ok = true;

	to->seen += from->seen;
	to->cold += from->cold;
	to->uncached += from->uncached;
	to->count += from->count;
	for (size_t i = 0; i < s->stacks && ok; i++)
		ok = ws_mass_sum(to->placed + i, from->placed + i, 1) &&
		     ws_mass_sum(to->before + i, from->before + i, 1);
	if (!ok || to->seen <= 0)
		return ok;
	if (what == WS_SAMPLE_REQUESTS) {
		add_groups(s->group[kind], s->late_group[kind]);
		s->by_share[kind] = by_share(s->group[kind], to->seen);
		for (unsigned i = 0; i < WS_SAMPLE_GROUPS && !s->by_share[kind]; i++)
			s->group[kind][i].seen = all / WS_SAMPLE_GROUPS;
	}
	return s->by_share[kind] || level_out(s, to, all);
}
