/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/advise/measure.c -- a kernel in the cycle simulator, with some accesses past the L1.
 */
#include "study/advise/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct run {
	const struct ws_measuring *how;
	struct ws_measure *out;
	bool *past;		/* [instructions of the launch at hand] */
	bool no_memory;
};

static bool is_among(const char *names, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = names; at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (strncmp(at, name, len) == 0 && (!at[len] || at[len] == '\n'))
			return true;
	}
	return false;
}

static const bool *past_of(void *context, size_t launch)
{
	struct run *r = context;
	const struct ws_launch *l = ws_trace_launch(r->how->trace, launch);

	bool stores = strcmp(r->how->past, WS_PAST_STORES) == 0;

	free(r->past);
	r->past = ws_alloc_zero(l->instructions, sizeof *r->past);
	r->no_memory |= !r->past;
	for (size_t i = 0; r->past && i < l->instructions; i++) {
		uint32_t array = l->instruction[i].array;

		r->past[i] = stores ? l->instruction[i].kind == WS_STORE
				    : array < l->arrays &&
					      is_among(r->how->past, l->array[array].name);
	}
	return r->past;
}

/* What that many of the launch's stand for. */
static uint64_t weighed(const struct run *r, size_t launch, uint64_t count, double times)
{
	const struct ws_sample *s = r->how->sample;

	return s && s->trace ? (uint64_t)llround((double)count * s->weight[launch] * times) : count;
}

static uint64_t requests_of(const struct run *r, size_t launch, uint64_t count)
{
	return weighed(r, launch, count, r->how->sample ? r->how->sample->times : 1);
}

static enum ws_status add_array(struct ws_measure *m, const char *name,
				const struct ws_array_counts *more, struct ws_err *err)
{
	struct ws_array_counts *a = NULL;

	for (size_t i = 0; i < m->arrays && !a; i++)
		if (strcmp(m->array[i].array, name) == 0)
			a = &m->array[i];
	if (!a) {
		if (!WS_ROOM(m->array, m->cap, m->arrays + 1))
			return ws_fail_memory(err, "the arrays of a kernel");
		a = &m->array[m->arrays++];
		*a = (struct ws_array_counts){ .requests = 0 };
		snprintf(a->array, sizeof a->array, "%s", name);
	}
	a->requests += more->requests;
	a->hits += more->hits;
	a->loads |= more->loads;
	return WS_OK;
}

static enum ws_status take_sites(struct run *r, const struct ws_cycle_result *result,
				 struct ws_err *err)
{
	const struct ws_launch *l = ws_trace_launch(r->how->trace, result->launch);
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < result->sites && status == WS_OK; i++) {
		const struct ws_cycle_site *s = &result->site[i];
		const struct ws_instruction *in = &l->instruction[s->instruction];
		struct ws_array_counts one = {
			.requests = requests_of(r, result->launch, s->l1.requests),
			.hits = requests_of(r, result->launch, s->l1.hits + s->l1.pending),
			.loads = in->kind == WS_LOAD,
		};

		if (s->array < l->arrays && in->kind != WS_ATOMIC)
			status = add_array(r->out, l->array[s->array].name, &one, err);
	}
	return status;
}

static enum ws_status take_launch(void *context, const struct ws_cycle_result *result,
				  struct ws_err *err)
{
	struct run *r = context;
	struct ws_cycle_counts kind[WS_KINDS + 1];
	struct ws_advice_counts *c = &r->out->counts;

	if (r->no_memory)
		return ws_fail_memory(err, "accesses past the L1");
	ws_cycle_l1(result, kind);
	c->cycles += weighed(r, result->launch, result->cycles, 1);
	c->requests += requests_of(r, result->launch, kind[WS_KINDS].requests);
	c->misses += requests_of(r, result->launch, kind[WS_KINDS].misses);
	if (r->how->machine->count_pending)
		c->misses += requests_of(r, result->launch, kind[WS_KINDS].pending);
	return r->how->arrays ? take_sites(r, result, err) : WS_OK;
}

enum ws_status ws_measure_run(const struct ws_measuring *how, struct ws_measure *out,
			      struct ws_err *err)
{
	struct run r = { .how = how, .out = out };
	const struct ws_cycle_options options = {
		.seed = how->seed, .threads = how->threads, .kernel = how->kernel,
		.sites = how->arrays, .past = how->past ? past_of : NULL,
		.launched = take_launch, .context = &r,
	};
	struct ws_cycle_result *none = NULL;
	size_t launches = 0;
	enum ws_status status;

	*out = (struct ws_measure){ .arrays = 0 };
	status = ws_cycles_run(&none, &launches, how->trace, how->machine, &options, err);
	ws_cycle_results_free(none, launches);
	free(r.past);
	return status;
}

void ws_measure_clear(struct ws_measure *m)
{
	free(m->array);
	*m = (struct ws_measure){ .arrays = 0 };
}
