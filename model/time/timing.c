/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/time/timing.c -- time, from a profile: how long an access takes, how many cycles a kernel
 * takes and what bounds them.
 *
 * A fetch that hits in the L2 takes 2 N + T + M, N = ws_icnt_cycles, T = ws_l2_cycles, M =
 * l1.mshr.latency, others dram.latency more.
 *
 * Cycles: each bound (bounds.c) is what the kernel would take if nothing else took any, with U SMs
 * that have work, and the busiest one's fraction of it.  A warp waits as often as in the profile's
 * order, each time as long as its instruction's slowest request is expected to take; and the LSU
 * stands still (stand.c).
 *
 * Bounds are combined by a p-norm, as those that are near each other add to what either costs
 * (Little 1961 for latency; the rest is the roofline's argument, Williams et al. 2009, with more
 * roofs).  But that is what they take as far as one hides the other, and a wait is hidden by warps
 * that have data.  Of n waits that a warp's place sees one after the other the first is hidden by
 * nothing: the n-th part of the time is latency and then the largest other bound.  (A kernel that
 * loads once and then stores takes both.)  Issue, lsu and latency are scaled by what the same three
 * say of a nominal order, whose cycles are known: barriers, tails and uneven SMs are in it.
 *
 * Anchor.  A profile in the order of cycles knows what its own machine took in the simulator.
 * There the bounds are scaled so that the whole is just that for that machine.  What it took beyond
 * the bounds is put to those that it waited for, by their parts in the norm: where bandwidth or
 * MSHRs are what binds, they are a little less than they look, and what a schedule costs besides
 * grows with the front.  Where that would take too large a scale, what is left scales the whole.
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

/* Of an instruction's n requests the slowest. */
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
	w.alone = fmin(waits, ws_per(1, waits)); /* less than one: so few warps wait at all */
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

/* Cycles of all bounds before upto. */
static double together(const double *bound, unsigned upto, const struct ws_busiest *w)
{
	double hidden = norm(bound, upto), most = 0;

	for (unsigned i = 0; i < upto; i++)
		if (i != WS_BOUND_LATENCY)
			most = fmax(most, bound[i]);
	return hidden + w->alone * (bound[WS_BOUND_LATENCY] + most - hidden);
}

/* Those before upto. */
static void bounds(const struct ws_bound_case *c, unsigned upto, double *bound)
{
	for (unsigned i = 0; i < upto; i++)
		bound[i] = ws_bound_rows[i].cycles(c);
}

/* All but the correction: counts, times without queues, bounds of which the front's are not scaled
 * and latency is without w->stand. */
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
	double front;		/* of the bounds of an SM's front */
	double memory;		/* of the others, and of the time that the LSU stands still */
	double all;		/* of cycles */
	double anchor;		/* cycles of the own machine, simulated; 0: not known */
};

/* What the nominal order took, over what the same bounds say of it. */
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

/* The front's part of what the norm sums up. */
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

/* The memory's part of a scale is its share, as far as it goes; the front's is the rest. */
static struct correction shared_out(const struct anchoring *a, double log_scale)
{
	double most = log(WS_TIME_MEMORY_MOST);
	double memory = fmax(-most, fmin(most, log_scale * (1 - a->share)));

	return (struct correction){ .front = exp(log_scale - memory), .memory = exp(memory),
				    .all = 1 };
}

/* Where the front's part is the most that it may be. */
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

/* What makes the own machine take as long as it did in the simulation.  If no front does, the
 * nearest there may be. */
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
	/* Its own geometry, say, need not be in the profile. */
	if (status == WS_EINVAL || (status == WS_OK && !(cycles_with(&own, &work, c) > 0)))
		return WS_OK;
	if (status != WS_OK)
		return ws_fail_as(err, &inner);
	return solve_correction(&(struct anchoring){ &own, &work, (double)s->cycles,
						     front_share(&own, &work) }, c, err);
}

/* Cycles if requests wait only behind the LSU: what does not get past it has not been issued, and
 * is no part of a load's latency. */
static double beyond_lsu(const double *bound, const struct ws_busiest *w)
{
	double some[WS_BOUNDS];

	memcpy(some, bound, sizeof some);
	some[WS_BOUND_MSHR] = some[WS_BOUND_SEND] = 0;
	return together(some, WS_BOUNDS, w);
}

/* What follows from the bounds. */
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
