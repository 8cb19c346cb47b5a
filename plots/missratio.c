/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/missratio.c -- the figure `missratio`: predicted miss ratio against cache size.
 *
 * One curve per associativity, the machine's replacement policy, line, sectors, hash and write
 * policy kept.  A point is drawn wherever the profile holds the set count it needs: sets = size /
 * (ways * line).  Fully associative is one set of size / line ways.  Each curve reads its points
 * off sums made once.  Sizes run from well below the
 * machine's to where the fully associative cache stops improving.
 */
#include "plots/script.h"

#include <inttypes.h>
#include <string.h>

#define BELOW 16u	/* smallest size: the machine's divided by this */
#define ABOVE 8u	/* largest: at least the machine's times this */
#define SIZE_MAX_BYTES (UINT64_C(1) << 30)

static const uint64_t associativity[] = { 1, 2, 4, 8, 16, 0 /* fully */ };

struct plot_subject {
	const struct ws_profile *profile;
	struct ws_model *answers;
	size_t section;
	const struct ws_machine *machine;
	uint64_t size_min, size_max;
	uint64_t most_misses;	/* of all points */
};

static uint64_t misses(const struct plot_subject *s, const struct ws_counts *c)
{
	return c->misses + (s->machine->count_pending ? c->pending : 0);
}

/* An end of the 95 % interval, in misses; what is exact is its own. */
static uint64_t bound_misses(const struct plot_subject *s, const struct ws_prediction *p,
			     bool high)
{
	const struct ws_counts *all = &p->kind[WS_KINDS];
	uint64_t waiting = misses(s, all) - all->misses, bound;

	if (p->basis == WS_EXACT || !(p->error_pp[WS_KINDS] >= 0))
		return misses(s, all);
	bound = (uint64_t)((high ? p->high : p->low)[WS_KINDS] * (double)all->requests + 0.5);
	bound += waiting;
	return bound < all->requests ? bound : all->requests;
}

/* One size on a curve; nothing if the profile or the policy has no such cache. */
static enum ws_status point(struct plot_subject *s, uint64_t sets, uint64_t ways,
			    struct ws_buf *script, struct ws_err *err)
{
	struct ws_cache cache = s->machine->l1;
	struct ws_prediction prediction;
	const struct ws_counts *all = &prediction.kind[WS_KINDS];
	struct ws_err why = { 0 };
	enum ws_status status;

	cache.sets = sets;
	cache.ways = ways;
	cache.size_bytes = sets * ways * cache.line_bytes;
	status = ws_model_predict(s->answers, s->section, &cache, &prediction, &why);
	if (status == WS_EINVAL)
		return WS_OK;
	if (status != WS_OK)
		return ws_fail_as(err, &why);
	ws_put_printf(script, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
		      cache.size_bytes, misses(s, all), all->requests,
		      bound_misses(s, &prediction, false), bound_misses(s, &prediction, true));
	if (misses(s, all) > s->most_misses)
		s->most_misses = misses(s, all);
	return WS_OK;
}

/* ways 0: fully associative. */
static enum ws_status curve(struct plot_subject *s, uint64_t ways, struct ws_buf *script,
			    struct ws_err *err)
{
	enum ws_status status = WS_OK;

	ws_put_printf(script, "$ways%" PRIu64 " << EOD\n", ways);
	for (uint64_t size = s->size_min; status == WS_OK && size <= s->size_max; size *= 2) {
		uint64_t lines = size / s->machine->l1.line_bytes;

		if (ways == 0)
			status = point(s, 1, lines, script, err);
		else if (lines % ways == 0)
			status = point(s, lines / ways, ways, script, err);
	}
	ws_put_printf(script, "EOD\n");
	return status;
}

/* The lines an LRU stack of one set ever holds a reuse at: no larger size hits more. */
static uint64_t working_set(const struct ws_section *s, uint64_t line_bytes)
{
	const struct ws_geometry *g = ws_section_geometry(s, line_bytes, 1);
	uint64_t lines = 0;

	for (unsigned k = 0; g && k < WS_KINDS; k++) {
		uint64_t end = ws_script_distances(g->kind[k].len);

		if (end > lines)
			lines = end;
	}
	return lines;
}

static void size_range(struct plot_subject *s)
{
	uint64_t line = s->machine->l1.line_bytes;
	uint64_t size = s->machine->l1.size_bytes;
	uint64_t own = UINT64_C(1) << ws_log2(size ? size : line);
	uint64_t enough = working_set(&s->profile->section[s->section], line) * line;

	s->size_min = own / BELOW > line ? own / BELOW : line;
	s->size_max = own * ABOVE;
	while (s->size_max < enough && s->size_max < SIZE_MAX_BYTES)
		s->size_max *= 2;
}

static enum ws_status own_point(const struct plot_subject *s, struct ws_buf *script,
				struct ws_err *err)
{
	const struct ws_cache *own = &s->machine->l1;
	struct ws_prediction p;
	enum ws_status status = ws_model_predict(s->answers, s->section, own, &p, err);
	const struct ws_counts *all = &p.kind[WS_KINDS];

	char policy[128], organised[32];

	if (status != WS_OK)
		return status;
	ws_organisation_text(&own->organised, organised, sizeof organised);
	snprintf(policy, sizeof policy, "%s%s%s", own->policy,
		 ws_organised_plainly(own) ? "" : ", ",
		 ws_organised_plainly(own) ? "" : organised);
	ws_script_u64(script, "own_size", own->size_bytes);
	ws_script_u64(script, "own_ways", own->ways);
	ws_script_u64(script, "own_misses", misses(s, all));
	ws_script_u64(script, "own_floor", all->cold + all->uncached);
	ws_script_u64(script, "requests", all->requests);
	ws_script_string(script, "policy", policy);
	ws_script_string(script, "basis", ws_basis_names[p.basis]);
	return WS_OK;
}

static enum ws_status missratio_data(const struct ws_figure_input *in, struct ws_buf *script,
				     struct ws_err *err)
{
	struct ws_machine own;
	struct plot_subject s = { .profile = in->profile, .machine = &own };
	const struct ws_section *section;
	enum ws_status status = ws_script_section(in, &s.section, err);

	if (status != WS_OK)
		return status;
	if ((in->machine ? in->machine : &in->profile->machine)->l1.set_ways.runs)
		return ws_fail(err, WS_EINVAL, "l1.sets.ways: misses are drawn over the size of "
			       "sets of equal ways: want equal");
	section = &in->profile->section[s.section];
	status = ws_section_machine(section, in->machine ? in->machine : &in->profile->machine,
				    &own, err);
	if (status == WS_OK)
		status = ws_model_new(&s.answers, in->profile, err);
	if (status != WS_OK)
		return status;
	ws_script_title(script, section->kernel, section->grid, section->block, s.machine);
	status = own_point(&s, script, err);
	size_range(&s);
	ws_script_u64(script, "size_min", s.size_min);
	ws_script_u64(script, "size_max", s.size_max);
	for (size_t i = 0; status == WS_OK && i < WS_COUNT(associativity); i++)
		status = curve(&s, associativity[i], script, err);
	ws_script_u64(script, "most_misses", s.most_misses);
	ws_model_free(s.answers);
	return status;
}

const struct ws_figure ws_figure_missratio = {
	.name = "missratio",
	.summary = "predicted miss ratio against cache size, a curve per associativity, with the "
		   "machine's own point",
	.data = missratio_data,
};
