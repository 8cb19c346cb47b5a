/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/chain/beside.c -- the model's and the simulator's answer to what a chain answers.
 */
#include <math.h>
#include <stdlib.h>

#include "validate/chain.h"

#define LINE 128u
#define BATCHES 15u		/* and one before them, that is not counted */

/* ---- the stream ------------------------------------------------------------------------- */

static unsigned draw_line(struct ws_rng *rng, const struct ws_line_law *law, uint64_t sum,
			  size_t at)
{
	unsigned line = 0;
	uint64_t u;

	if (law->loop)
		return (unsigned)(at % law->lines);
	for (u = ws_rng_below(rng, sum); u >= law->weight[line]; line++)
		u -= law->weight[line];
	return line;
}

static struct ws_request *draw_stream(const struct ws_line_law *law, uint64_t seed, size_t count)
{
	struct ws_request *r = ws_alloc_zero(count, sizeof *r);
	uint64_t sum = 0;
	struct ws_rng rng;

	if (!r)
		return NULL;
	ws_rng_seed(&rng, seed);
	for (unsigned i = 0; i < law->lines; i++)
		sum += law->weight[i];
	for (size_t i = 0; i < count; i++)
		r[i] = (struct ws_request){ .address = LINE * draw_line(&rng, law, sum, i),
					    .sectors = 15, .cycle = i };
	return r;
}

/* ---- the model ---------------------------------------------------------------------------- */

static enum ws_status profile_stream(struct ws_profiler *p, const struct ws_request *r,
				     size_t count, struct ws_profile **out, struct ws_err *err)
{
	char kernel[] = "law";
	struct ws_launch launch = { .kernel = kernel, .grid = { 1, 1, 1 }, .block = { 32, 1, 1 },
				    .ctas = 1 };
	struct ws_order_stats stats = { .cycles = count, .requests = count, .resident_ctas = 1 };
	enum ws_status status = ws_profiler_launch(p, &launch, err);

	if (status == WS_OK)
		status = ws_profiler_push(p, 0, r, count, err);
	if (status == WS_OK)
		status = ws_profiler_end(p, &stats, err);
	return status != WS_OK ? status : ws_profiler_finish(p, out, err);
}

static enum ws_status predict(struct ws_chain_beside *out, const struct ws_cache *cache,
			      const struct ws_request *r, struct ws_err *err)
{
	struct ws_machine m = { .name = "chain", .sm_count = 1, .l1_parts = 1,
				.coalesce_line = LINE, .warp_width = 32, .l1 = *cache };
	struct ws_shape shape = { LINE, 1 };
	struct ws_profile_options options = {
		.shape = &shape, .shapes = 1, .threads = 1, .seed = 1,
		.record = WS_RECORD_DETAIL,
	};
	struct ws_profile *profile = NULL;
	struct ws_profiler *p;
	enum ws_status status = ws_profiler_new(&p, &m, &options, err);

	if (status != WS_OK)
		return status;
	status = profile_stream(p, r, out->requests, &profile, err);
	ws_profiler_free(p);
	if (status == WS_OK)
		status = ws_predict(profile, 0, cache, &out->model, err);
	ws_profile_free(profile);
	return status;
}

/* ---- the simulator ---------------------------------------------------------------------- */

static enum ws_status simulate_batches(struct ws_chain_beside *out, struct ws_sim *sim,
				       const struct ws_request *r, struct ws_err *err)
{
	size_t batch = out->requests / (BATCHES + 1);
	double sum = 0, squares = 0, mean;
	uint64_t before = 0;

	for (unsigned i = 0; i <= BATCHES; i++) {
		enum ws_status status = ws_sim_push(sim, r + i * batch, batch, err);
		struct ws_counts kind[WS_KINDS + 1];
		double ratio;

		if (status != WS_OK)
			return status;
		ws_sim_counts(sim, kind);
		ratio = (double)(kind[WS_KINDS].misses - before) / (double)batch;
		before = kind[WS_KINDS].misses;
		sum += i ? ratio : 0;
		squares += i ? ratio * ratio : 0;
	}
	mean = sum / BATCHES;
	out->simulated = mean;
	out->standard_error = sqrt(fmax(0, squares / BATCHES - mean * mean) / (BATCHES - 1));
	return WS_OK;
}

static enum ws_status simulate(struct ws_chain_beside *out, const struct ws_cache *cache,
			       const struct ws_request *r, uint64_t seed, struct ws_err *err)
{
	struct ws_sim *sim;
	enum ws_status status = ws_sim_new(&sim, cache, err);

	if (status != WS_OK)
		return status;
	ws_sim_seed(sim, seed);
	status = simulate_batches(out, sim, r, err);
	ws_sim_free(sim);
	return status;
}

enum ws_status ws_chain_beside(struct ws_chain_beside *out, const char *policy, unsigned ways,
			       const struct ws_line_law *law, uint64_t seed, struct ws_err *err)
{
	struct ws_cache cache = { .sets = 1, .ways = ways, .line_bytes = LINE,
				  .sector_bytes = LINE, .size_bytes = LINE * (uint64_t)ways,
				  .hash = ws_hash_find("modulo") };
	struct ws_request *r;
	enum ws_status status;
	struct ws_use use;

	*out = (struct ws_chain_beside){ .requests = WS_CHAIN_REQUESTS };
	status = ws_use_parse(&use, policy, err);
	if (status != WS_OK)
		return status;
	snprintf(cache.policy, sizeof cache.policy, "%s", policy);
	out->modelled = use.policy->solve || use.policy->predict;
	r = draw_stream(law, seed, out->requests);
	if (!r)
		return ws_fail_memory(err, "a stream");
	status = simulate(out, &cache, r, seed, err);
	if (status == WS_OK && out->modelled)
		status = predict(out, &cache, r, err);
	free(r);
	return status;
}
