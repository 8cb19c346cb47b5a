/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/file/sets.c -- a sample of sets in a profile file: whether it is that of the geometry
 * before, of all sets; else halvings, how many requests at most, and of each run its launch (less
 * that of the run before), SM, requests, lines, from version 7 on whether it is timed, and code.
 */
#include "stackdist/file/file.h"

#include <stdlib.h>
#include <string.h>

#include "stackdist/sample/set_sample.h"

#define RUN_BYTES 7u		/* no run takes less in a block */

static void code_bytes(struct ws_codec *c, struct ws_sampled_run *run)
{
	const uint8_t *from;

	ws_code_array(c, &run->code, &run->bytes, 1, 1, "bytes of a sample's run");
	if (c->status)
		return;
	if (c->putting) {
		ws_put_bytes(&c->raw, run->code, run->bytes);
		return;
	}
	from = ws_get_bytes(&c->c, run->bytes);
	if (from)
		memcpy(run->code, from, run->bytes);
}

/* The code is whole, and of sets that are in the sample; counts these. */
static bool run_holds(const struct ws_codec *c, const struct ws_geometry *g,
		      struct ws_sampled_run *run, uint64_t *address, bool *seen)
{
	struct ws_cache cache = ws_geometry_cache(&c->profile->machine, g->line_bytes,
						  g->sector_bytes, g->sets);
	struct ws_run_reader r = ws_run_read(run, g->line_bytes, g->sector_bytes < g->line_bytes,
					     address);
	struct ws_sampled_request request;
	uint64_t checked = 0;
	bool ok = true;

	run->sets = 0;
	while (ok && ws_run_next(&r, &request))
		if (request.line == checked) {
			uint64_t set = ws_set_index(&cache, request.address);

			ok = set < g->sets &&
			     ws_set_sampled(run->sm, set, g->sample->halvings);
			run->sets += ok && !seen[set];
			seen[ok ? set : 0] = true;
			checked++;
		}
	return ok && !r.left && r.p == r.end && r.lines == run->lines;
}

static void check_run(struct ws_codec *c, const struct ws_geometry *g,
		      struct ws_sampled_run *run)
{
	uint64_t *address;
	bool *seen;

	if (!ws_codec_got(c))
		return;
	address = ws_alloc((size_t)run->lines, sizeof *address);
	seen = ws_alloc_zero((size_t)g->sets, sizeof *seen);
	if (!address || !seen)
		ws_codec_fail(c, ws_fail_memory(c->err, "a sample of sets"));
	else
		ws_codec_want(c, run_holds(c, g, run, address, seen), "a sample's run is damaged");
	free(address);
	free(seen);
}

static void code_run(struct ws_codec *c, const struct ws_geometry *g, struct ws_sampled_run *run)
{
	bool first = run == g->sample->run;
	uint64_t before = first ? 0 : run[-1].launch, step = run->launch - before;
	uint64_t timed = run->timed;

	ws_code_any(c, &step, "launch of a sample's run");
	ws_code_u32(c, &run->sm, 0, UINT32_MAX, "SM of a sample's run");
	ws_code(c, &run->requests, 1, UINT64_MAX, "requests of a sample's run");
	ws_code(c, &run->lines, 1, run->requests, "lines of a sample's run");
	if (c->version >= WS_PROFILE_VERSION_NEWEST)
		ws_code(c, &timed, 0, 1, "times of a sample's run");
	code_bytes(c, run);
	if (!ws_codec_got(c))
		return;
	run->timed = timed;
	run->launch = before + step;
	run->halvings = g->sample->halvings;
	ws_codec_want(c, first || step ? run->launch >= before : run->sm > run[-1].sm,
		      "a sample's runs do not ascend");
	ws_codec_want(c, run->requests <= run->bytes, "a sample's run is damaged");
	check_run(c, g, run);
	g->sample->requests += run->requests;
}

static bool same_run(const struct ws_sampled_run *a, const struct ws_sampled_run *b)
{
	return a->launch == b->launch && a->sm == b->sm && a->timed == b->timed &&
	       a->requests == b->requests && a->lines == b->lines && a->bytes == b->bytes &&
	       !memcmp(a->code, b->code, a->bytes);
}

/* Of all sets a sample is the same whatever their number. */
static bool same_sample(const struct ws_set_sample *a, const struct ws_set_sample *b)
{
	bool same = !a->halvings && !b->halvings && a->most == b->most && a->runs == b->runs;

	for (size_t i = 0; i < a->runs && same; i++)
		same = same_run(a->run + i, b->run + i);
	return same;
}

static void copy_sample(struct ws_codec *c, struct ws_geometry *g, const struct ws_set_sample *from)
{
	struct ws_set_sample *s = g->sample;

	s->most = from->most;
	ws_codec_array(c, &s->run, &s->runs, from->runs, sizeof *s->run);
	for (size_t i = 0; i < s->runs && !c->status; i++) {
		struct ws_sampled_run *run = s->run + i;

		*run = from->run[i];
		ws_codec_array(c, &run->code, &run->bytes, from->run[i].bytes, 1);
		if (c->status)
			return;
		memcpy(run->code, from->run[i].code, run->bytes);
		check_run(c, g, run);
		s->requests += run->requests;
	}
}

static void code_sample(struct ws_codec *c, struct ws_geometry *g)
{
	struct ws_set_sample *s = g->sample;
	uint64_t halvings = s->halvings;

	ws_code(c, &halvings, 0, WS_SET_HALVINGS_MAX, "halvings of a sample of sets");
	ws_code(c, &s->most, 1, UINT64_MAX, "requests of a sample of sets");
	if (!c->putting)
		s->halvings = (unsigned)halvings;
	ws_code_array(c, &s->run, &s->runs, sizeof *s->run, RUN_BYTES, "runs of a sample");
	for (size_t i = 0; i < s->runs && !c->status; i++)
		code_run(c, g, s->run + i);
}

/* That of the geometry before, if it may be the same: of the same line. */
static const struct ws_set_sample *sample_before(const struct ws_section *section,
						 const struct ws_geometry *g)
{
	bool follows = g > section->geometry && g[-1].line_bytes == g->line_bytes;

	return follows ? g[-1].sample : NULL;
}

/* Requests of the sample are some of the geometry's, of each kind. */
void ws_code_sets(struct ws_codec *c, const struct ws_section *section, struct ws_geometry *g)
{
	const struct ws_set_sample *before = sample_before(section, g);
	uint64_t same, all = 0;

	if (!ws_codec_next_is(c, WS_PSET, WS_PROFILE_VERSION_SETS, g->sample != NULL))
		return;
	ws_codec_open(c, WS_PSET);
	ws_codec_alloc(c, &g->sample, 1, sizeof *g->sample);
	if (c->status)
		return;
	same = c->putting && before && same_sample(before, g->sample);
	ws_code(c, &same, 0, before != NULL, "a sample that is that of the geometry before");
	if (!same)
		code_sample(c, g);
	else if (!c->putting)
		copy_sample(c, g, before);
	ws_codec_close(c);
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		all += g->kind[kind].requests;
	if (!ws_codec_got(c))
		return;
	ws_codec_want(c, g->sample->requests <= all && g->detail,
		      "a sample of more requests than there are, or without details");
	ws_codec_want(c, same || !before || !same_sample(before, g->sample),
		      "a sample that is that of the geometry before is said again");
}
