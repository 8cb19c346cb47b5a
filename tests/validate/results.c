/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/results.c -- one stream: profiled once, then every policy predicted and
 * simulated at every geometry.
 */
#include "tests/validate/results.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

const struct results_geometry results_geometries[RESULTS_GEOMETRIES] = {
	{ 32, 4 }, { 64, 6 }, { 128, 16 }, { 4, 64 }, { 4, 192 }, { 16, 16 }, { 1, 64 },
};

const struct results_geometry results_sectored[RESULTS_GEOMETRIES] = {
	{ 8, 4 }, { 16, 6 }, { 32, 16 }, { 1, 64 }, { 4, 48 }, { 4, 16 }, { 1, 16 },
};

void results_geometry_text(struct results_geometry g, char text[RESULTS_TEXT])
{
	snprintf(text, RESULTS_TEXT, "%ux%u", g.sets, g.ways);
}

#define SECTOR 32u

static struct ws_cache cache_of(const struct streams_spec *spec, bool sectored,
				struct results_geometry g, const char *policy)
{
	struct ws_cache c = {
		.size_bytes = (uint64_t)g.sets * g.ways * STREAMS_LINE, .sets = g.sets,
		.ways = g.ways, .line_bytes = STREAMS_LINE,
		.sector_bytes = sectored ? SECTOR : STREAMS_LINE,
		.hash = ws_hash_find("modulo"), .write = spec->write,
	};

	snprintf(c.policy, sizeof c.policy, "%s", policy);
	return c;
}

/* ---- policies --------------------------------------------------------------------------- */

/* Whether the seed matters: tried out on random lines. */
static bool draws(const char *name)
{
	struct ws_cache c = cache_of(&(struct streams_spec){ 0 }, false,
				     (struct results_geometry){ 8, 4 }, name);
	uint64_t misses[RESULTS_SEEDS] = { 0 };

	for (unsigned i = 0; i < RESULTS_SEEDS; i++) {
		struct ws_counts kind[WS_KINDS + 1];
		struct ws_request r[2000] = { { 0 } };
		struct ws_rng rng;
		struct ws_sim *sim;

		ws_rng_seed(&rng, 1);
		for (size_t j = 0; j < WS_COUNT(r); j++) {
			r[j].address = ws_rng_below(&rng, 60) * STREAMS_LINE;
			r[j].sectors = 1;
		}
		if (ws_sim_new(&sim, &c, NULL))
			return true; /* of other ways */
		ws_sim_seed(sim, i + 1);
		if (!ws_sim_push(sim, r, WS_COUNT(r), NULL)) {
			ws_sim_counts(sim, kind);
			misses[i] = kind[WS_KINDS].misses;
		}
		ws_sim_free(sim);
	}
	return misses[0] != misses[1] || misses[0] != misses[2];
}

enum ws_status results_policy(struct results_policy *out, const char *name, struct ws_err *err)
{
	struct ws_use use;
	enum ws_status status = ws_use_parse(&use, name, err);

	if (status)
		return status;
	snprintf(out->name, sizeof out->name, "%s", name);
	out->policy = use.policy;
	out->draws = draws(name);
	return WS_OK;
}

/* ---- the profile ------------------------------------------------------------------------- */

static enum ws_status gather(struct ws_profiler *p, const struct streams_stream *s,
			     struct ws_profile **out, struct ws_err *err)
{
	char kernel[] = "stream";
	struct ws_launch launch = { .kernel = kernel, .grid = { 1, 1, 1 }, .block = { 32, 1, 1 },
				    .ctas = 1 };
	struct ws_order_stats stats = { .cycles = s->count, .requests = s->count,
					.resident_ctas = 1 };
	enum ws_status status = ws_profiler_launch(p, &launch, err);

	if (!status)
		status = ws_profiler_push(p, 0, s->request, s->count, err);
	if (!status)
		status = ws_profiler_end(p, &stats, err);
	return status ? status : ws_profiler_finish(p, out, err);
}

static enum ws_status profile(struct ws_profile **out, const struct results_plan *plan,
			      const struct streams_stream *s, struct ws_err *err)
{
	struct ws_machine m = { .name = "streams", .sm_count = 1, .l1_parts = 1,
				 .coalesce_line = STREAMS_LINE,
				.warp_width = 32,
				.l1 = cache_of(s->spec, plan->sectored, results_geometries[0],
					       "lru") };
	struct ws_shape *shape = ws_alloc(plan->geometries + 1, sizeof *shape);
	struct ws_profile_options options = {
		.shape = shape, .shapes = plan->geometries, .threads = 1, .seed = 1,
		.record = WS_RECORD_DETAIL |
			  (plan->set_sample ? WS_RECORD_SETS : 0),
		.set_sample = plan->set_sample,
	};
	struct ws_profiler *p;
	enum ws_status status;

	*out = NULL;
	if (!shape)
		return ws_fail_memory(err, "shapes");
	for (size_t i = 0; i < plan->geometries; i++)
		shape[i] = (struct ws_shape){ STREAMS_LINE, plan->geometry[i].sets };
	status = ws_profiler_new(&p, &m, &options, err);
	if (!status) {
		status = gather(p, s, out, err);
		ws_profiler_free(p);
	}
	free(shape);
	return status;
}

/* ---- rows -------------------------------------------------------------------------------- */

struct stream {			/* at work on */
	const struct results_plan *plan;
	struct streams_stream made;
	uint64_t checksum;
	struct ws_profile *profile;
	struct ws_model *answers;
};

static double processor_seconds(void)
{
	struct timespec t;

	return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) ? 0
		: (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static enum ws_status predict(const struct stream *s, struct results_row *row, struct ws_err *err)
{
	struct ws_cache cache = cache_of(s->made.spec, s->plan->sectored, row->geometry,
					 row->policy->name);
	struct ws_prediction p;
	double start = processor_seconds();
	enum ws_status status = ws_model_predict(s->answers, 0, &cache, &p, err);

	row->seconds = processor_seconds() - start;
	if (status)
		return status;
	row->model = ws_miss_ratio(&p.kind[WS_KINDS], false);
	row->expected_pp = p.error_pp[WS_KINDS];
	row->low = p.low[WS_KINDS];
	row->high = p.high[WS_KINDS];
	row->low_confidence = p.low_confidence;
	snprintf(cache.policy, sizeof cache.policy, "lru");
	status = ws_model_predict(s->answers, 0, &cache, &p, err);
	row->lru = ws_miss_ratio(&p.kind[WS_KINDS], false);
	return status;
}

static enum ws_status fill(const struct stream *s, struct results_row *row, struct ws_err *err)
{
	struct ws_cache cache = cache_of(s->made.spec, s->plan->sectored, row->geometry,
					 row->policy->name);
	enum ws_status status = WS_OK;

	row->requests = s->made.count;
	if (s->plan->model)
		status = predict(s, row, err);
	if (!status && s->plan->exact)
		status = exact_ratio(s->plan->cache, &s->made, s->checksum, &cache,
				     row->policy->draws, &row->exact, err);
	row->failed = status;
	return status;
}

static enum ws_status rows(struct results *out, const struct stream *s, struct ws_err *err)
{
	struct results_row *row = out->row;

	for (size_t i = 0; i < s->plan->policies; i++)
		for (size_t j = 0; j < s->plan->geometries; j++, row++) {
			struct ws_err own = { 0 };
			char text[RESULTS_TEXT];

			row->policy = s->plan->policy + i;
			row->geometry = s->plan->geometry[j];
			results_geometry_text(row->geometry, text);
			if (fill(s, row, &own) == WS_ENOMEM)
				return ws_fail(err, own.status, "%s", own.text);
			if (own.status && !out->failure[0])
				snprintf(out->failure, sizeof out->failure, "%s %s: %.160s",
					 row->policy->name, text, own.text);
		}
	return WS_OK;
}

/* Neighbours share a line. */
static void put_into_sectors(struct streams_stream *s)
{
	for (size_t i = 0; i < s->count; i++) {
		struct ws_request *r = s->request + i;
		uint64_t item = r->address / STREAMS_LINE;

		r->address = item * SECTOR / STREAMS_LINE * STREAMS_LINE;
		r->sectors = 1u << item % (STREAMS_LINE / SECTOR);
	}
}

enum ws_status results_make(struct results *out, const struct results_plan *plan,
			    const struct streams_spec *spec, struct ws_err *err)
{
	struct stream s = { .plan = plan };
	enum ws_status status = streams_make(&s.made, spec, err);

	*out = (struct results){ .family = spec->family };
	if (status)
		return status;
	snprintf(out->stream, sizeof out->stream, "%s", s.made.name);
	out->row = ws_alloc_zero(plan->policies * plan->geometries + 1, sizeof *out->row);
	if (!status && plan->sectored)
		put_into_sectors(&s.made);
	s.checksum = streams_checksum(&s.made) ^ plan->sectored;
	if (!out->row)
		status = ws_fail_memory(err, "results");
	if (!status && plan->model)
		status = profile(&s.profile, plan, &s.made, err);
	if (!status && plan->model)
		status = ws_model_new(&s.answers, s.profile, err);
	if (!status)
		status = rows(out, &s, err);
	ws_model_free(s.answers);
	ws_profile_free(s.profile);
	streams_free(&s.made);
	return status;
}

void results_free(struct results *r)
{
	free(r->row);
	r->row = NULL;
}
