/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/policy.c -- the replacement policy, by what a walk over one set misses.
 *
 * The walk draws from ways + 3 lines of a set, low numbers more often.  Repeated, it misses the
 * same loads, or not.  If so, policies whose simulation misses the very same are the answer.  If
 * not, the frequency of misses at each load is held against that of each policy, and the way that a
 * full set loses first is counted, from its order of filling.
 */
#include "validate/pchase/probe.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MORE_LINES 3u
#define WALKS 3u
#define REPEATS 5u
#define WALK_LEAST 300u
#define WALK_MOST 16384u
#define WALK_EACH 30u		/* loads for each line of it */
#define UNSTABLE_MOST 0.01	/* of the loads of a policy without random numbers */
#define MISMATCH_MOST 0.003
#define PARAMETER_MOST 4u	/* of policies that take one */
#define DRAWN_REPEATS 96u
#define DRAWN_FACTOR 4u		/* times as many in simulation */
#define DRAWN_LOADS 256u
#define DISTANCE_MOST 2.0	/* 1: as two samples of one policy */
#define DISTANCE_NEAR 0.35
#define VICTIM_RUNS 3000u
#define WEIGHTS_MOST 16u	/* their sum, where weights are whole numbers */

struct chase_walk {
	size_t count;
	uint64_t *at;
	uint32_t *missed, *read; /* by load: repeats that did, that could be read */
};

static void walk_clear(struct chase_walk *w)
{
	free(w->at);
	free(w->missed);
	free(w->read);
	*w = (struct chase_walk){ 0 };
}

static enum ws_status draw_walk(struct chase_walk *w, struct ws_probe *p,
				const struct ws_chase_list *pool, size_t count, double power,
				struct ws_err *err)
{
	*w = (struct chase_walk){
		.count = count, .at = ws_alloc(count, sizeof *w->at),
		.missed = ws_alloc_zero(count, sizeof *w->missed),
		.read = ws_alloc_zero(count, sizeof *w->read),
	};
	if (!w->at || !w->missed || !w->read)
		return ws_fail_memory(err, "the walk");
	for (size_t i = 0; i < count; i++) {
		double part = pow(ws_rng_double(&p->rng), power);

		w->at[i] = pool->at[(size_t)(part * (double)pool->count)];
	}
	return WS_OK;
}

static enum ws_status repeat_walk(struct chase_walk *w, struct ws_probe *p, size_t repeats,
				  struct ws_err *err)
{
	enum ws_status status = ws_chase_list_copy(&p->program, w->at, w->count, err);

	for (size_t k = 0; k < repeats && status == WS_OK && !p->found->exhausted; k++) {
		status = ws_probe_run(p, err);
		for (size_t i = 0; i < w->count && status == WS_OK; i++) {
			enum ws_probe_load load = ws_probe_read(p, p->cycles[i]);

			w->missed[i] += load == WS_PROBE_MISS;
			w->read[i] += load != WS_PROBE_UNREAD;
		}
	}
	return status;
}

/* Lines of the full set's. */
static enum ws_status draw_pool(struct ws_chase_list *pool, struct ws_probe *p, struct ws_err *err)
{
	size_t want = (size_t)p->found->ways.value + MORE_LINES;
	enum ws_status status = ws_chase_list_copy(pool, p->full.at, p->full.count, err);

	if (status == WS_OK)
		status = ws_chase_list_add(pool, p->other, err);
	if (!p->indexed) {	/* simulated as a single set */
		p->shape.sets = 1;
		p->shape.hash = ws_hashes[0];
	}
	while (p->indexed && pool->count < want && status == WS_OK) {
		uint64_t at = ws_probe_draw(p);

		if (ws_set_index(&p->shape, at) == ws_set_index(&p->shape, p->other) &&
		    !ws_chase_list_have(pool, at))
			status = ws_chase_list_add(pool, at, err);
	}
	return status;
}

/* ---- simulation ------------------------------------------------------------------------ */

/* How often each load of the walk misses in `repeats` from empty; false: no such cache, or no
 * memory, which p remembers. */
static bool simulate_walk(struct ws_probe *p, uint32_t *missed, const struct chase_walk *w,
			  const struct ws_cache *cache, size_t repeats)
{
	struct ws_err ignored = { 0 };
	struct ws_sim *sim = NULL;
	uint64_t before = 0;
	enum ws_status status = ws_sim_new(&sim, cache, &ignored);

	memset(missed, 0, w->count * sizeof *missed);
	for (size_t k = 0; k < repeats && status == WS_OK; k++) {
		ws_sim_flush(sim);
		for (size_t i = 0; i < w->count && status == WS_OK; i++) {
			struct ws_counts kind[WS_KINDS + 1];
			struct ws_request r = { .address = w->at[i], .sectors = 1, .cycle = i,
						.kind = WS_LOAD };

			status = ws_sim_push(sim, &r, 1, &ignored);
			ws_sim_counts(sim, kind);
			missed[i] += kind[WS_KINDS].misses != before;
			before = kind[WS_KINDS].misses;
		}
	}
	ws_sim_free(sim);
	p->no_memory |= status == WS_ENOMEM;
	return status == WS_OK;
}

static struct ws_cache shape_with(const struct ws_probe *p, const char *policy)
{
	struct ws_cache cache = p->shape;

	cache.size_bytes = cache.sets * cache.ways * cache.line_bytes;
	snprintf(cache.policy, sizeof cache.policy, "%s", policy);
	return cache;
}

/* ---- the same loads miss again ----------------------------------------------------------- */

static bool stable(const struct chase_walk *w, size_t walks)
{
	size_t unstable = 0, count = 0;

	for (size_t k = 0; k < walks; k++)
		for (size_t i = 0; i < w[k].count; i++, count++)
			unstable += w[k].missed[i] >= 2 && w[k].read[i] - w[k].missed[i] >= 2;
	return (double)unstable <= UNSTABLE_MOST * (double)count;
}

/* Part of the loads that do otherwise; 1 if there is no such cache. */
static double mismatch(struct ws_probe *p, const struct chase_walk *w,
		       const struct ws_cache *cache, uint32_t *missed)
{
	size_t wrong = 0, count = 0;

	for (size_t k = 0; k < WALKS; k++) {
		if (!simulate_walk(p, missed, &w[k], cache, 1))
			return 1;
		for (size_t i = 0; i < w[k].count; i++) {
			if (w[k].missed[i] * 2 == w[k].read[i])
				continue;
			wrong += (w[k].missed[i] * 2 > w[k].read[i]) != (missed[i] > 0);
			count++;
		}
	}
	return count ? (double)wrong / (double)count : 1;
}

static void add_name(char *text, const char *name)
{
	size_t len = strlen(text);

	snprintf(text + len, WS_CHASE_TEXT - len, "%s%s", len ? " " : "", name);
}

/* Keeps the names of those that do otherwise least. */
static void keep_best(struct ws_probe *p, const struct chase_walk *w, const char *text,
		      double *best, uint32_t *missed)
{
	struct ws_cache cache = shape_with(p, text);
	double wrong = mismatch(p, w, &cache, missed);

	if (wrong < *best) {
		*best = wrong;
		p->found->policy[0] = '\0';
	}
	if (wrong == *best && wrong < 1)
		add_name(p->found->policy, text);
}

/* All policies as they are without parameters; if none agrees, those that take a small number. */
static double try_stable(struct ws_probe *p, const struct chase_walk *w, uint32_t *missed)
{
	double best = 1;

	for (unsigned n = 0; n <= PARAMETER_MOST && best > MISMATCH_MOST; n++)
		for (size_t i = 0; ws_policies[i]; i++) {
			char text[WS_NAME_MAX];

			if (ws_policies[i]->offline || (n && !ws_policies[i]->parse))
				continue;
			snprintf(text, sizeof text, "%s", ws_policies[i]->name);
			if (n)
				snprintf(text, sizeof text, "%s:%u", ws_policies[i]->name, n);
			keep_best(p, w, text, &best, missed);
		}
	return best;
}

static enum ws_status name_stable(struct ws_probe *p, const struct chase_walk *w,
				  struct ws_err *err)
{
	struct ws_chase *found = p->found;
	uint32_t *missed = ws_alloc(WALK_MOST, sizeof *missed);
	double best;

	if (!missed)
		return ws_fail_memory(err, "the walk");
	best = try_stable(p, w, missed);
	free(missed);
	if (p->no_memory)
		return ws_fail_memory(err, "a cache to compare with");
	found->agreement = 1 - best;
	if (best <= MISMATCH_MOST) {
		found->policy_confidence = ws_probe_confidence(p) - best;
		return WS_OK;
	}
	memcpy(found->nearest, found->policy, sizeof found->nearest);
	found->policy[0] = '\0';
	return WS_OK;
}

/* ---- random replacement ------------------------------------------------------------------ */

/* One run: ways lines, one more, and the first again; the first that misses was the victim. */
static enum ws_status count_victims(struct ws_probe *p, const struct ws_chase_list *pool,
				    struct ws_err *err)
{
	size_t ways = (size_t)p->found->ways.value;
	enum ws_status status = ws_chase_list_copy(&p->program, pool->at, ways + 1, err);

	if (ways > WS_CHASE_VICTIMS)
		return WS_OK;
	for (size_t i = 0; i < ways && status == WS_OK; i++)
		status = ws_chase_list_add(&p->program, pool->at[i], err);
	for (size_t k = 0; k < VICTIM_RUNS && status == WS_OK && !p->found->exhausted; k++) {
		size_t i = 0;

		status = ws_probe_run(p, err);
		while (i < ways && ws_probe_read(p, p->cycles[ways + 1 + i]) == WS_PROBE_HIT)
			i++;
		if (i < ways && ws_probe_read(p, p->cycles[ways + 1 + i]) == WS_PROBE_MISS)
			p->found->victims[i]++;
	}
	p->found->victim_ways = ways;
	return status;
}

/* The smallest whole numbers that are in the ratio of the victims, within what chance does. */
static bool whole_weights(const struct ws_chase *found, uint64_t sum, uint64_t *weight)
{
	double all = 0;
	uint64_t total = 0;

	for (size_t i = 0; i < found->victim_ways; i++)
		all += (double)found->victims[i];
	for (size_t i = 0; i < found->victim_ways; i++) {
		double part = (double)found->victims[i] / fmax(all, 1), near;

		weight[i] = (uint64_t)rint(part * (double)sum);
		total += weight[i];
		near = (double)weight[i] / (double)sum;
		if (fabs(part - near) > 3.5 * sqrt(part * (1 - part) / fmax(all, 1)) + 0.002)
			return false;
	}
	return total == sum;
}

static bool weights_text(const struct ws_chase *found, char *text, size_t len)
{
	uint64_t weight[WS_CHASE_VICTIMS], sum = 1;
	bool whole = false;
	size_t at = strlen(text);

	while (!whole && sum <= WEIGHTS_MOST)
		whole = whole_weights(found, sum++, weight);
	for (size_t i = 0; i < found->victim_ways; i++) {
		uint64_t n = whole ? weight[i] : found->victims[i];

		if (at < len)
			at += (size_t)snprintf(text + at, len - at, "%s%" PRIu64, i ? "," : ":", n);
	}
	return at < len;
}

/* Mean square of the difference of frequencies, in units of its variance. */
static double distance(const struct chase_walk *w, const uint32_t *missed)
{
	double sum = 0, simulated = DRAWN_REPEATS * DRAWN_FACTOR;

	for (size_t i = 0; i < w->count; i++) {
		double read = fmax(w->read[i], 1), f = w->missed[i] / read;
		double g = missed[i] / simulated;
		double both = (w->missed[i] + missed[i] + 1.0) / (read + simulated + 2);

		sum += (f - g) * (f - g) / (both * (1 - both) * (1 / read + 1 / simulated));
	}
	return w->count ? sum / (double)w->count : HUGE_VAL;
}

struct drawn_policy {
	char text[WS_NAME_MAX];
	double distance;
};

/* A policy by name alone, or with the weights that were counted if it has nothing without. */
static bool try_drawn(struct drawn_policy *d, struct ws_probe *p, const struct chase_walk *w,
		      const struct ws_policy *policy, uint32_t *missed)
{
	struct ws_cache cache;

	snprintf(d->text, sizeof d->text, "%s", policy->name);
	cache = shape_with(p, d->text);
	if (!simulate_walk(p, missed, w, &cache, DRAWN_REPEATS * DRAWN_FACTOR)) {
		if (!policy->parse || !weights_text(p->found, d->text, sizeof d->text))
			return false;
		cache = shape_with(p, d->text);
		if (!simulate_walk(p, missed, w, &cache, DRAWN_REPEATS * DRAWN_FACTOR))
			return false;
	}
	d->distance = distance(w, missed);
	return true;
}

static enum ws_status name_drawn(struct ws_probe *p, const struct chase_walk *w,
				 struct ws_err *err)
{
	struct drawn_policy drawn[64], *best = drawn;
	struct ws_chase *found = p->found;
	uint32_t *missed = ws_alloc(w->count, sizeof *missed);
	size_t count = 0;

	if (!missed)
		return ws_fail_memory(err, "the walk");
	for (size_t i = 0; ws_policies[i] && count < WS_COUNT(drawn); i++)
		if (!ws_policies[i]->offline &&
		    try_drawn(&drawn[count], p, w, ws_policies[i], missed))
			count++;
	free(missed);
	if (p->no_memory)
		return ws_fail_memory(err, "a cache to compare with");
	for (size_t i = 1; i < count; i++)
		if (drawn[i].distance < best->distance)
			best = &drawn[i];
	if (!count)
		return WS_OK;
	found->agreement = best->distance;
	snprintf(found->nearest, sizeof found->nearest, "%s", best->text);
	if (best->distance > DISTANCE_MOST)
		return WS_OK;
	for (size_t i = 0; i < count; i++)
		if (drawn[i].distance <= best->distance + DISTANCE_NEAR)
			add_name(found->policy, drawn[i].text);
	found->policy_confidence = fmax(0, ws_probe_confidence(p) - 0.01);
	return WS_OK;
}

static enum ws_status drawn_walk(struct ws_probe *p, const struct ws_chase_list *pool,
				 struct ws_err *err)
{
	struct chase_walk w = { 0 };
	enum ws_status status = count_victims(p, pool, err);

	if (status == WS_OK)
		status = draw_walk(&w, p, pool, DRAWN_LOADS, 1.5, err);
	if (status == WS_OK)
		status = repeat_walk(&w, p, DRAWN_REPEATS, err);
	if (status == WS_OK && !p->found->exhausted)
		status = name_drawn(p, &w, err);
	walk_clear(&w);
	return status;
}

enum ws_status ws_chase_policy(struct ws_probe *p, struct ws_err *err)
{
	static const double power[WALKS] = { 1.5, 1, 2.5 };
	struct chase_walk walk[WALKS] = { { 0 } };
	struct ws_chase_list pool = { 0 };
	size_t count = WALK_EACH * ((size_t)p->found->ways.value + MORE_LINES);
	enum ws_status status = draw_pool(&pool, p, err);

	count = count < WALK_LEAST ? WALK_LEAST : count > WALK_MOST ? WALK_MOST : count;
	for (size_t k = 0; k < WALKS && status == WS_OK; k++) {
		status = draw_walk(&walk[k], p, &pool, count, power[k], err);
		if (status == WS_OK)
			status = repeat_walk(&walk[k], p, REPEATS, err);
	}
	if (status == WS_OK && !p->found->exhausted) {
		p->found->random = !stable(walk, WALKS);
		if (!p->found->random)
			status = name_stable(p, walk, err);
		if (status == WS_OK && !p->found->policy[0]) /* one may draw rarely */
			status = drawn_walk(p, &pool, err);
		p->found->random |= p->found->policy_confidence > 0 && p->found->victim_ways;
	}
	for (size_t k = 0; k < WALKS; k++)
		walk_clear(&walk[k]);
	ws_chase_list_clear(&pool);
	return status;
}
