/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/time/timing.c -- time from a profile: the latency of an access, the cycles of a kernel, and
 * what bounds them.
 *
 * A fetch that hits in the L2 takes 2 N + T + M cycles: N = ws_icnt_cycles, T = ws_l2_cycles, M =
 * l1.mshr.latency.  Other fetches take dram.latency more.
 *
 * Cycles: each bound (bounds.c) is what the kernel would take if that were its only limit, given
 * the number of SMs that have work and the busiest SM's fraction of it.  A warp waits as often as
 * in the profile's order, each time for the expected latency of its instruction's slowest request.
 * Stalls of the LSU (stand.c) are added.
 *
 * Bounds are combined by a p-norm, since two bounds of similar size cost more than either alone
 * (Little 1961 for latency; the rest is the roofline's argument, Williams et al. 2009, with more
 * roofs).  This assumes that one bound hides the other.  A wait is hidden by warps that have data,
 * and the first of the n successive waits of a warp slot is hidden by none.  So for 1 / n of the
 * time, latency and the largest other bound add up.  (A kernel that loads once and then stores
 * takes both.) Issue, lsu and latency are scaled by the ratio of a nominal order's known cycles to
 * what the same three bounds predict for it: this accounts for barriers, tails and uneven SMs.
 *
 * Anchor: a profile in the order of cycles knows the cycles that its own machine took in the
 * simulator.  The bounds are scaled so that the prediction for that machine is exact.  The excess
 * over the bounds is attributed to them by their parts in the norm.  If bandwidth or MSHRs bind,
 * they are slightly smaller than they look; other costs of a schedule grow with the front.  If a
 * scale would become too large, the rest scales the whole.
 */
#include "model/time/time.h"
#include "model/constants.h"
#include "model/solve/solver.h"

#include <math.h>
#include <string.h>

/* ---- how long an access takes -------------------------------------------------------- */

static struct ws_fetches fetch_cycles(const struct ws_machine *m, const struct ws_l2_demand *d)
{
	double asked = d->requests[WS_LOAD] + d->requests[WS_ATOMIC];
	double hit = (double)(2 * ws_icnt_cycles(m) + ws_l2_cycles(m) + m->l1_mshr_cycles);
	double miss = ws_per(d->misses + d->pending / 2, asked);

	miss = fmin(1, miss);
	hit += ws_per(d->blocked, asked) * (double)m->dram_latency_cycles;
	return (struct ws_fetches){ { hit, hit + (double)m->dram_latency_cycles },
				    { 1 - miss, miss } };
}

/* What an instruction waits for. */
struct access_shares {
	double miss, pending, atomic; /* fractions: of loads' requests; of atomics among both */
	double l1, fetch, rest;	/* cycles: of a hit; more for a miss, for a pending hit */
};

/* The slowest of an instruction's n requests. */
static double slowest(const struct access_shares *a, double n, double banks)
{
	double alike = pow(n, WS_TIME_ALIKE), none = pow(1 - a->miss, alike);
	double calm = pow(1 - fmin(1, a->miss + a->pending), alike);
	double load = (1 - none) * a->fetch + (none - calm) * a->rest;

	return a->l1 + (n - 1) / banks + (1 - a->atomic) * load + a->atomic * a->fetch;
}

static double atomics(const struct ws_prediction *p)
{
	double loads = (double)p->kind[WS_LOAD].requests, n = (double)p->kind[WS_ATOMIC].requests;

	return ws_per(n, loads + n);
}

/* ---- from bounds to cycles ----------------------------------------------------------- */

static struct ws_busiest busiest_of(const struct ws_section *s, const struct ws_machine *m)
{
	double ctas = (double)s->ctas / (double)s->launches;
	double threads = (double)(s->block[0] * s->block[1] * s->block[2]);
	uint64_t rows = m->sm_large_warp ? m->sm_large_warp : 1;
	struct ws_busiest w = { .launches = (double)s->launches,
				.sms = fmin((double)m->sm_count, ctas) };
	double most = ceil(ctas / w.sms), waits;

	w.fraction = ws_per(most, ctas);
	w.warps = fmin((double)s->resident_ctas, most) *
		  ceil(threads / (double)(m->warp_width * rows));
	waits = ws_per((double)s->waits * w.fraction, w.warps * w.launches);
	w.alone = fmin(waits, ws_per(1, waits)); /* less than one: few warps wait at all */
	return w;
}

static double norm(const double *bound, unsigned upto)
{
	double sum = 0, most = 0;

	for (unsigned i = 0; i < upto; i++)
		most = fmax(most, bound[i]);
	for (unsigned i = 0; i < upto && most > 0; i++)
		sum += pow(bound[i] / most, WS_TIME_NORM);
	return most * pow(sum, 1 / WS_TIME_NORM);
}

/* The cycles that the bounds before `upto` take together. */
static double together(const double *bound, unsigned upto, const struct ws_busiest *w)
{
	double hidden = norm(bound, upto), most = 0;

	for (unsigned i = 0; i < upto; i++)
		if (i != WS_BOUND_LATENCY)
			most = fmax(most, bound[i]);
	return hidden + w->alone * (bound[WS_BOUND_LATENCY] + most - hidden);
}

/* Computes the bounds before `upto`. */
static void bounds(const struct ws_bound_case *c, unsigned upto, double *bound)
{
	for (unsigned i = 0; i < upto; i++)
		bound[i] = ws_bound_rows[i].cycles(c);
}

/* Everything before the correction: counts, latencies without queues, and bounds.  The front's
 * bounds are not scaled yet, and latency is without w->stand. */
static void estimate(const struct ws_section *s, const struct ws_machine *m,
		     const struct ws_l2_demand *d, const struct ws_fetches *fetch,
		     const struct ws_pending *pending, struct ws_busiest *w, struct ws_timing *out)
{
	const struct ws_counts *loads = out->l1.kind + WS_LOAD;
	const struct ws_geometry *g = ws_section_geometry(s, m->l1.line_bytes, m->l1.sets);
	double requests = (double)out->l1.kind[WS_KINDS].requests;
	struct access_shares access = {
		.miss = ws_per((double)loads->misses, (double)loads->requests),
		.pending = ws_per((double)loads->pending, (double)loads->requests),
		.atomic = atomics(&out->l1),
		.l1 = (double)m->l1.latency_cycles, .fetch = ws_fetches_mean(fetch),
		.rest = ws_per(pending->cycles[WS_LOAD], (double)loads->pending),
	};

	*w = busiest_of(s, m);
	w->requests_each = fmax(1, ws_per(requests, (double)s->warp_instructions));
	out->fetch_cycles = access.fetch;
	out->access_cycles = access.l1 + access.miss * access.fetch + access.pending * access.rest;
	out->load_cycles = slowest(&access, w->requests_each, (double)m->l1_banks);
	w->stand = w->fraction * (ws_stand_sets(m, g, w->sms * (double)s->launches,
					     (double)loads->misses, pending->lru_misses, fetch) +
			       ws_stand_mshrs(m, g, d, fetch));
	bounds(&(struct ws_bound_case){
		.section = s, .machine = m, .busiest = w, .banks = (double)m->l1_banks,
		.requests = requests, .wait = out->load_cycles, .demand = d,
		.misses = (double)loads->misses, .fetch = access.fetch,
	}, WS_BOUNDS, out->bound);
}

static enum ws_status uncorrected(const struct ws_model *a, size_t section,
				  const struct ws_machine *asked, struct ws_busiest *w,
				  struct ws_timing *out, struct ws_err *err)
{
	const struct ws_section *s = a->profile->section + section;
	struct ws_l2_demand d;
	struct ws_fetches fetch;
	struct ws_pending pending = { .blocked = 0 };
	struct ws_machine m;
	enum ws_status status = ws_section_machine(s, asked, &m, err);

	memset(out, 0, sizeof *out);
	if (status == WS_OK)
		status = ws_plain_check(&m.l1, "time is", err);
	if (status == WS_OK)
		status = ws_equal_check(&m.l1, "time is", err);
	if (status == WS_OK)
		status = ws_model_predict(a, section, &m.l1, &out->l1, err);
	if (status == WS_OK)
		status = ws_l2_demand_find(a, section, &m, &d, out, err);
	if (status != WS_OK)
		return status;
	fetch = fetch_cycles(&m, &d);
	status = ws_pending_take(a, section, &m.l1, &fetch, &out->l1, &pending, err);
	if (status == WS_OK)
		estimate(s, &m, &d, &fetch, &pending, w, out);
	return status;
}

/* ---- corrections from what is known -------------------------------------------------- */

struct correction {
	double front;		/* for the bounds of an SM's front */
	double memory;		/* for the others, and for stalls of the LSU */
	double all;		/* for the cycles as a whole */
	double anchor;		/* simulated cycles of the profile's own machine; 0: unknown */
};

/* The nominal order's cycles, divided by what the same bounds predict for it. */
static enum ws_status from_nominal(const struct ws_model *a, size_t section,
				   const struct ws_busiest *w, double *out, struct ws_err *err)
{
	const struct ws_section *s = a->profile->section + section;
	struct ws_machine own;
	struct ws_cache plain;
	struct ws_prediction p;
	double bound[WS_BOUNDS] = { 0 }, said;
	struct access_shares access;
	enum ws_status status = ws_section_machine(s, &a->profile->machine, &own, err);

	*out = 1;
	if (status != WS_OK)
		return status;
	plain = own.l1;
	access = (struct access_shares){ .l1 = (double)own.l1.latency_cycles,
				  .fetch = (double)own.l2.latency_cycles };
	if (!ws_section_geometry(s, plain.line_bytes, plain.sets) || !s->issued)
		return WS_OK;
	ws_policy_set_lru(&plain);
	status = ws_model_predict(a, section, &plain, &p, err);
	if (status != WS_OK)
		return status;
	access.miss = ws_per((double)p.kind[WS_LOAD].misses, (double)p.kind[WS_LOAD].requests);
	access.atomic = atomics(&p);
	bounds(&(struct ws_bound_case){
		.section = s, .machine = &own, .busiest = w, .banks = 1,
		.requests = (double)p.kind[WS_KINDS].requests,
		.wait = slowest(&access, w->requests_each, 1),
	}, WS_BOUND_MSHR, bound);
	said = together(bound, WS_BOUND_MSHR, w);
	if (said > 0)
		*out = (double)s->cycles / said;
	return WS_OK;
}

static void corrected(const struct ws_busiest *w, const struct correction *c, double *bound)
{
	for (unsigned i = 0; i < WS_BOUNDS; i++)
		bound[i] *= i < WS_BOUND_MSHR ? c->front : c->memory;
	bound[WS_BOUND_LATENCY] += w->stand * c->memory;
}

static double cycles_with(const struct ws_timing *t, const struct ws_busiest *w,
			  const struct correction *c)
{
	double bound[WS_BOUNDS];

	memcpy(bound, t->bound, sizeof bound);
	corrected(w, c, bound);
	return together(bound, WS_BOUNDS, w);
}

/* The front's part of the norm's sum. */
static double front_share(const struct ws_timing *t, const struct ws_busiest *w)
{
	const double *bound = t->bound;
	double most = bound[WS_BOUND_LATENCY] + w->stand, all = 0, front = 0;

	for (unsigned i = 0; i < WS_BOUNDS; i++)
		most = fmax(most, bound[i]);
	for (unsigned i = 0; i < WS_BOUNDS && most > 0; i++) {
		double whole = bound[i] + (i == WS_BOUND_LATENCY ? w->stand : 0);
		double part = pow(whole / most, WS_TIME_NORM);

		all += part;
		front += i < WS_BOUND_MSHR ? part * ws_per(bound[i], whole) : 0;
	}
	return ws_per(front, all);
}

struct anchoring {
	const struct ws_timing *own;
	const struct ws_busiest *busiest;
	double cycles, share;	/* of the front */
};

/* Memory takes its share of a scale, up to a limit; the front takes the rest. */
static struct correction shared_out(const struct anchoring *a, double log_scale)
{
	double most = log(WS_TIME_MEMORY_MOST);
	double memory = fmax(-most, fmin(most, log_scale * (1 - a->share)));

	return (struct correction){ .front = exp(log_scale - memory), .memory = exp(memory),
				    .all = 1 };
}

/* The scale at which the front's part reaches its limit. */
static double most_of(const struct anchoring *a)
{
	double front = log(WS_TIME_FRONT_MOST), both = front + log(WS_TIME_MEMORY_MOST);

	return a->share * both > front ? front / a->share : both;
}

static double too_long(double log_scale, void *context)
{
	const struct anchoring *a = context;
	struct correction c = shared_out(a, log_scale);

	return cycles_with(a->own, a->busiest, &c) - a->cycles;
}

/* The correction with which the profile's own machine takes its simulated cycles; if none does, the
 * nearest. */
static enum ws_status solve_correction(struct anchoring *a, struct correction *c,
				       struct ws_err *err)
{
	const struct ws_equation equation = { too_long, a };
	double most = most_of(a);
	struct ws_root root;
	enum ws_status status = ws_root_find(&equation, -most, most, &root, err);

	if (status != WS_OK)
		return status;
	*c = shared_out(a, root.x);
	c->anchor = a->cycles;
	c->all = a->cycles / cycles_with(a->own, a->busiest, c);
	return WS_OK;
}

static enum ws_status correction(const struct ws_model *a, size_t section,
				 const struct ws_busiest *w, struct correction *c,
				 struct ws_err *err)
{
	const struct ws_section *s = a->profile->section + section;
	struct ws_timing own;
	struct ws_busiest work;
	struct ws_err inner = { 0 };
	enum ws_status status;

	*c = (struct correction){ .front = 1, .memory = 1, .all = 1 };
	if (a->profile->order == WS_ORDER_NOMINAL)
		return from_nominal(a, section, w, &c->front, err);
	status = uncorrected(a, section, &a->profile->machine, &work, &own, &inner);
	/* E.g. the profile need not hold its own machine's geometry. */
	if (status == WS_EINVAL || (status == WS_OK && !(cycles_with(&own, &work, c) > 0)))
		return WS_OK;
	if (status != WS_OK)
		return ws_fail_as(err, &inner);
	return solve_correction(&(struct anchoring){ &own, &work, (double)s->cycles,
						     front_share(&own, &work) }, c, err);
}

/* Cycles without the LSU's stalls.  A request that has not passed the LSU was not issued, so that
 * wait is no part of a load's latency. */
static double beyond_lsu(const double *bound, const struct ws_busiest *w)
{
	double some[WS_BOUNDS];

	memcpy(some, bound, sizeof some);
	some[WS_BOUND_MSHR] = some[WS_BOUND_SEND] = 0;
	return together(some, WS_BOUNDS, w);
}

/* Results that follow from the bounds. */
static void sum_up(const struct ws_section *s, const struct ws_busiest *w,
		   const struct correction *c, struct ws_timing *out)
{
	double misses = (double)out->l1.kind[WS_LOAD].misses;
	double sm = together(out->bound, WS_BOUND_MSHR, w);

	out->cycles = c->all * together(out->bound, WS_BOUNDS, w);
	out->anchor_cycles = c->anchor;
	for (unsigned i = 0; i < WS_BOUNDS; i++)
		if (out->bound[i] > out->bound[out->binds])
			out->binds = (enum ws_bound)i;
	out->load_cycles += ws_per((beyond_lsu(out->bound, w) - sm) * w->warps,
				(double)s->waits * w->fraction);
	if (out->bound[WS_BOUND_MSHR] > 0)
		out->mshrs = ws_per(misses * out->fetch_cycles, out->cycles * w->sms);
}

/* ---- answers ------------------------------------------------------------------------- */

enum ws_status ws_model_timing(const struct ws_model *a, size_t section,
				 const struct ws_machine *m, struct ws_timing *out,
				 struct ws_err *err)
{
	const struct ws_section *s = a->profile->section + section;
	struct correction c;
	struct ws_busiest w;
	enum ws_status status = uncorrected(a, section, m, &w, out, err);

	if (status == WS_OK)
		status = correction(a, section, &w, &c, err);
	if (status != WS_OK)
		return status;
	corrected(&w, &c, out->bound);
	if (s->issued)
		sum_up(s, &w, &c, out);
	return WS_OK;
}
