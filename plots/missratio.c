/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/missratio.c -- the figure `missratio`: predicted miss ratio against cache size.
 *
 * One curve per associativity, the machine's replacement policy, line, sectors, hash and write
 * policy kept.  A point is drawn wherever the profile holds the set count it needs: sets = size /
 * (ways * line).  Fully associative is one set of size / line ways.  Sizes run from well below the
 * machine's to where the fully associative cache stops improving.
 */
#include "plots/script.h"

#include <inttypes.h>
#include <string.h>

#define BELOW 16u	/* smallest size: the machine's divided by this */
#define ABOVE 8u	/* largest: at least the machine's times this */
#define SIZE_MAX_BYTES (UINT64_C(1) << 30)

static const uint64_t associativity[] = { 1, 2, 4, 8, 16, 0 /* fully */ };

/* requests and misses of one cache; *known false if the profile or the policy lacks it. */
static enum ws_status point(const struct ws_figure_input *in, size_t section,
			    const struct ws_machine *m, uint64_t sets, uint64_t ways,
			    struct ws_counts *counts, bool *known, struct ws_err *err)
{
	struct ws_cache cache = m->l1;
	struct ws_prediction prediction;
	struct ws_err why = { WS_OK, "" };
	enum ws_status status;

	cache.sets = sets;
	cache.ways = ways;
	cache.size_bytes = sets * ways * cache.line_bytes;
	status = ws_predict(in->profile, section, &cache, &prediction, &why);
	*known = status == WS_OK;
	if (status == WS_OK)
		*counts = prediction.kind[WS_KINDS];
	else if (status != WS_EINVAL)
		return ws_fail(err, status, "%s", why.text);
	return WS_OK;
}

static uint64_t misses(const struct ws_counts *c, bool count_pending)
{
	return c->misses + (count_pending ? c->pending : 0);
}

/* *most: the largest count of misses so far. */
static enum ws_status curve(const struct ws_figure_input *in, size_t section,
			    const struct ws_machine *m, uint64_t ways, const uint64_t range[2],
			    struct ws_buf *script, uint64_t *most, struct ws_err *err)
{
	enum ws_status status;
	struct ws_counts c;
	bool known;

	ws_script_printf(script, "$ways%" PRIu64 " << EOD\n", ways);
	for (uint64_t size = range[0]; size <= range[1]; size *= 2) {
		uint64_t lines = size / m->l1.line_bytes;

		if (lines == 0 || (ways && lines % ways))
			continue;
		status = point(in, section, m, ways ? lines / ways : 1, ways ? ways : lines, &c,
			       &known, err);
		if (status != WS_OK)
			return status;
		if (!known)
			continue;
		ws_script_printf(script, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", size,
				 misses(&c, m->count_pending), c.requests);
		if (misses(&c, m->count_pending) > *most)
			*most = misses(&c, m->count_pending);
	}
	ws_script_printf(script, "EOD\n");
	return WS_OK;
}

/* The lines an LRU stack of one set ever holds a reuse at: no larger size hits more. */
static uint64_t working_set(const struct ws_section *s)
{
	const struct ws_geometry *g = ws_section_geometry(s, 1);
	uint64_t lines = 0;

	for (unsigned k = 0; g && k < WS_KINDS; k++)
		if (g->kind[k].len > lines)
			lines = g->kind[k].len;
	return lines;
}

static void size_range(const struct ws_section *s, const struct ws_machine *m, uint64_t range[2])
{
	uint64_t line = m->l1.line_bytes, own = UINT64_C(1) << ws_log2(m->l1.size_bytes);
	uint64_t enough = working_set(s) * line;

	range[0] = own / BELOW > line ? own / BELOW : line;
	range[1] = own * ABOVE;
	while (range[1] < enough && range[1] < SIZE_MAX_BYTES)
		range[1] *= 2;
}

static enum ws_status own_point(const struct ws_figure_input *in, size_t section,
				const struct ws_machine *m, struct ws_buf *script,
				struct ws_err *err)
{
	struct ws_prediction p;
	enum ws_status status = ws_predict(in->profile, section, &m->l1, &p, err);
	const struct ws_counts *c = &p.kind[WS_KINDS];

	if (status != WS_OK)
		return status;
	ws_script_u64(script, "own_size", m->l1.size_bytes);
	ws_script_u64(script, "own_ways", m->l1.ways);
	ws_script_u64(script, "own_misses", misses(c, m->count_pending));
	ws_script_u64(script, "own_floor", c->cold + c->uncached);
	ws_script_u64(script, "requests", c->requests);
	ws_script_string(script, "policy", m->l1.policy);
	ws_script_string(script, "basis", ws_basis_names[p.basis]);
	return WS_OK;
}

static enum ws_status data(const struct ws_figure_input *in, struct ws_buf *script,
			   struct ws_err *err)
{
	const struct ws_machine *m = in->machine ? in->machine : &in->profile->machine;
	const struct ws_section *s;
	enum ws_status status;
	uint64_t range[2], most = 0;
	size_t section;

	status = ws_script_section(in, &section, err);
	if (status != WS_OK)
		return status;
	s = &in->profile->section[section];
	ws_script_title(script, s->kernel, s->grid, s->block, m);
	status = own_point(in, section, m, script, err);
	size_range(s, m, range);
	ws_script_u64(script, "size_min", range[0]);
	ws_script_u64(script, "size_max", range[1]);
	for (size_t i = 0; status == WS_OK && i < WS_COUNT(associativity); i++)
		status = curve(in, section, m, associativity[i], range, script, &most, err);
	ws_script_u64(script, "most_misses", most);
	return status;
}

const struct ws_figure ws_figure_missratio = {
	.name = "missratio",
	.summary = "predicted miss ratio against cache size, a curve per associativity, with the "
		   "machine's own point",
	.data = data,
};
