/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/probe.c -- programs of loads, and the test whether lines overflow a set.
 *
 * The test weighs two hypotheses.  Lines that fit miss only by mistake, as often in a pass as
 * Poisson's law has it; so a pass with misses is evidence against them, the less the more loads the
 * pass has.  Lines that overflow miss in every pass; so a pass without a miss is evidence against
 * that, unless the one miss may be among loads that could not be read.
 */
#include "validate/pchase/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DECIDED 11.0	/* log of the likelihood ratio at which a test ends */
#define CLEAN 11.5	/* of a pass of which every load was read as a hit */
#define MISSED_MOST 6.9	/* of a pass with misses: rates of mistakes are estimates */
#define HIDDEN_LEAST 1e-4
#define PASSES_MOST 64u
#define MODEL_DOUBT 1e-4	/* that noise is other than assumed, say */

enum ws_status ws_chase_list_add(struct ws_chase_list *l, uint64_t at, struct ws_err *err)
{
	if (!WS_ROOM(l->at, l->cap, l->count + 1))
		return ws_fail_memory(err, "the loads");
	l->at[l->count++] = at;
	return WS_OK;
}

enum ws_status ws_chase_list_copy(struct ws_chase_list *to, const uint64_t *at, size_t count,
			     struct ws_err *err)
{
	if (!WS_ROOM(to->at, to->cap, count ? count : 1))
		return ws_fail_memory(err, "the loads");
	if (count)
		memmove(to->at, at, count * sizeof *at);
	to->count = count;
	return WS_OK;
}

bool ws_chase_list_have(const struct ws_chase_list *l, uint64_t at)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->at[i] == at)
			return true;
	return false;
}

void ws_chase_list_clear(struct ws_chase_list *l)
{
	free(l->at);
	*l = (struct ws_chase_list){ 0 };
}

enum ws_status ws_probe_run(struct ws_probe *p, struct ws_err *err)
{
	size_t count = p->program.count;

	if (!WS_ROOM(p->cycles, p->cycles_cap, count ? count : 1))
		return ws_fail_memory(err, "the latencies");
	if (p->found->loads + count > p->budget || (p->until > 0 && ws_seconds() > p->until)) {
		p->found->exhausted = true;
		for (size_t i = 0; i < count; i++)
			p->cycles[i] = p->found->level[0].cycles;
		return WS_OK;
	}
	p->found->loads += count;
	return p->target->run(p->target->state, p->program.at, count, true, p->cycles, err);
}

enum ws_probe_load ws_probe_read(const struct ws_probe *p, double cycles)
{
	for (size_t i = 0; i < p->found->levels; i++) {
		const struct ws_chase_level *l = &p->found->level[i];

		if (cycles >= l->low && cycles <= l->high)
			return i ? WS_PROBE_MISS : WS_PROBE_HIT;
	}
	return WS_PROBE_UNREAD;
}

/* P(X >= misses), X with Poisson's law. */
static double poisson_tail(double mean, uint64_t misses)
{
	double term = exp(-mean), below = 0;

	for (uint64_t k = 0; k < misses && k < 1000; k++) {
		below += term;
		term *= mean / (double)(k + 1);
	}
	return fmax(1 - below, 1e-12);
}

struct chase_pass {
	uint64_t misses, unread;
};

static double pass_weight(const struct ws_probe *p, const struct chase_pass *pass, size_t count)
{
	double mean = p->found->false_misses * (double)count;

	if (pass->misses)
		return fmin(-log(poisson_tail(mean, pass->misses)), MISSED_MOST);
	return pass->unread ? log(fmax(p->found->unread, HIDDEN_LEAST)) : -CLEAN;
}

/* No order that a prefetcher knows. */
static void scatter(struct ws_rng *rng, uint64_t *at, size_t count)
{
	for (size_t i = count; i > 1; i--) {
		size_t k = (size_t)ws_rng_below(rng, i);
		uint64_t other = at[k];

		at[k] = at[i - 1];
		at[i - 1] = other;
	}
}

/* `passes` over the lines after one that is not looked at; the evidence that they overflow. */
static enum ws_status weigh_passes(struct ws_probe *p, const uint64_t *at, size_t count,
				   size_t passes, double *weight, struct ws_err *err)
{
	struct ws_chase_list *l = &p->program;
	enum ws_status status;

	if (!WS_ROOM(l->at, l->cap, count * (passes + 1)))
		return ws_fail_memory(err, "the loads");
	memcpy(l->at, at, count * sizeof *at);
	scatter(&p->rng, l->at, count);
	for (size_t k = 1; k <= passes; k++)
		memcpy(l->at + k * count, l->at, count * sizeof *at);
	l->count = count * (passes + 1);
	status = ws_probe_run(p, err);
	for (size_t k = 1; k <= passes && status == WS_OK; k++) {
		struct chase_pass pass = { 0 };

		for (size_t i = 0; i < count; i++) {
			enum ws_probe_load load = ws_probe_read(p, p->cycles[k * count + i]);

			pass.misses += load == WS_PROBE_MISS;
			pass.unread += load == WS_PROBE_UNREAD;
		}
		*weight += pass_weight(p, &pass, count);
		if (fabs(*weight) >= DECIDED)
			break;
	}
	return status;
}

static enum ws_status decide(struct ws_probe *p, const uint64_t *at, size_t count, bool *yes,
			     struct ws_err *err)
{
	enum ws_status status = WS_OK;
	double weight = 0;

	for (size_t passes = 2; passes <= PASSES_MOST && status == WS_OK; passes *= 2) {
		status = weigh_passes(p, at, count, passes, &weight, err);
		if (fabs(weight) >= DECIDED || p->found->exhausted)
			break;
	}
	p->doubt += exp(-fabs(weight));
	*yes = weight > 0;
	return status;
}

/* Lines that overflow miss in every order.  A prefetcher takes some orders for a pattern, and
 * throws lines out that fit: so an order without misses decides. */
enum ws_status ws_probe_overflows(struct ws_probe *p, const uint64_t *at, size_t count, bool *yes,
				  struct ws_err *err)
{
	enum ws_status status = WS_OK;
	unsigned orders = p->target->orders ? p->target->orders : 1;

	*yes = count >= 2;
	while (orders-- && *yes && status == WS_OK)
		status = decide(p, at, count, yes, err);
	return status;
}

enum ws_status ws_probe_same_set(struct ws_probe *p, const uint64_t *at, size_t count, bool *yes,
				 struct ws_err *err)
{
	enum ws_status status = ws_chase_list_copy(&p->trial, p->full.at, p->full.count, err);

	*yes = false;
	for (size_t i = 0; i < count && status == WS_OK; i++) {
		if (ws_chase_list_have(&p->full, at[i])) {
			*yes = true;
			return WS_OK;
		}
		status = ws_chase_list_add(&p->trial, at[i], err);
	}
	return status == WS_OK
		? ws_probe_overflows(p, p->trial.at, p->trial.count, yes, err) : status;
}

uint64_t ws_probe_draw(struct ws_probe *p)
{
	uint64_t line = p->found->line.value;

	return ws_rng_below(&p->rng, p->target->bytes / line) * line;
}

double ws_probe_confidence(const struct ws_probe *p)
{
	return fmax(0, 1 - MODEL_DOUBT - p->doubt);
}
