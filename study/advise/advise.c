/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/advise/advise.c -- offers, simulated and ranked (study/advise.h).
 */
#include "study/advise/private.h"
#include "study/private.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE_REQUESTS 550000	/* of a simulation */
/* Of the cycles that are left: what else is different in a kernel that was changed so.  Where
 * work-items are sorted the order of ways that a program has is none of those tried, which made 7 %
 * in one kernel of five and 5 % in another; loops and indexes made 5 % at most. */
#define SORTED_ERROR_SHARE 0.1
#define CODE_ERROR_SHARE 0.05
/* How far gains of samples were off, at most, where nine kernels had the same advice of the whole
 * (docs/advice.md): so many percent, and no more than that fraction of the cycles that a change
 * leaves. */
#define SAMPLE_ERROR 6
#define SAMPLE_ERROR_SHARE 0.2
#define SAMPLE_ERROR_SWAPPED 12	/* in place of 6: a sample's CTAs stay in their order */
#define GAIN_TRIED 0.5		/* percent: below it an offer is not simulated again */
#define SHIFT_SEED 1u
#define GAP 2u			/* instructions that another index may take */
#define GAP_LANES 4u		/* ... and another work-item, of which all indexes are made */
#define GAP_SOFTWARE 8u		/* that LLVM's code for a look-up may take besides */

const struct ws_advice_row ws_advice_rows[WS_ADVICES] = {
	[WS_ADVICE_UNCOALESCED] = { "uncoalesced",
		"neighbouring lanes access sectors that are far apart" },
	[WS_ADVICE_CONFLICT] = { "conflict",
		"lines that are in use map to the same sets" },
	[WS_ADVICE_RESIDENCY] = { "residency",
		"the CTAs that are on an SM at once use more than its L1 holds" },
	[WS_ADVICE_TILE] = { "tile",
		"a CTA goes again and again through more data than its L1 holds" },
	[WS_ADVICE_STREAMING] = { "streaming",
		"data that is not used again replaces data that is" },
	[WS_ADVICE_DIVERGENCE] = { "divergence",
		"lanes of a warp take different branches" },
	[WS_ADVICE_SHARED] = { "shared", "a CTA reads the same data again and again" },
	[WS_ADVICE_SOFTWARE] = { "softcache",
		"a work-item comes back to lines that others replaced meanwhile" },
	[WS_ADVICE_WRITE] = { "write", "another write policy suits the stores" },
	[WS_ADVICE_REPLACEMENT] = { "replacement", "another replacement policy suits the reuse" },
};

struct advising {
	const struct ws_trace *whole;
	const struct ws_machine *given;
	const struct ws_advise_options *options;
	struct ws_advice_list *out;
	struct ws_study_kernels kernels;

	/* of the kernel at hand */
	const char *kernel;
	struct ws_sample sample;
	const struct ws_trace *trace;	/* the sample, or the whole */
	const struct ws_machine *machine; /* its, or as it was given */
	struct ws_machine adapted;
	struct ws_scan scan;
	struct ws_measure before;
	struct ws_trace *base[2];	/* as it is; its arrays elsewhere */
	struct ws_advice_counts counts[2];
	struct ws_facts facts;
	struct ws_offers offers;
	size_t tried;			/* of them, so far */

	pthread_mutex_t lock;		/* of done */
	uint64_t done, total;		/* simulations, so far and as far as is known */
};

/* ---- one simulation ---------------------------------------------------- */

static enum ws_status simulate(const struct advising *a, const struct ws_trace *t,
			       const struct ws_machine *m, const char *past,
			       struct ws_advice_counts *out, struct ws_err *err)
{
	struct ws_measuring how = { .trace = t, .machine = m, .past = past, .threads = 1,
				    .seed = a->options->study->seed, .sample = &a->sample };
	struct ws_measure measure;
	enum ws_status status = ws_measure_run(&how, &measure, err);

	*out = measure.counts;
	ws_measure_clear(&measure);
	return status;
}

/* A simulation is done. */
static void tell(struct advising *a)
{
	pthread_mutex_lock(&a->lock);
	a->done++;
	if (a->options->progress)
		a->options->progress(a->options->context, a->done, a->total);
	pthread_mutex_unlock(&a->lock);
}

static double gain_of(const struct ws_advice_counts *before, const struct ws_advice_counts *after)
{
	return before->cycles ? 100 * (1 - (double)after->cycles / (double)before->cycles) : 0;
}

/* The changed trace of the n-th variant; NULL: as it is. */
static enum ws_status change_trace(const struct advising *a, const struct ws_offer *o, unsigned n,
				   struct ws_trace **out, struct ws_err *err)
{
	struct ws_change change = o->change;
	struct ws_trace *slower = NULL;
	enum ws_status status = WS_OK;

	*out = NULL;
	change.shift = n == 1 ? SHIFT_SEED : 0;
	change.together = change.stagger > 0;
	change.fewer = n == 2 && *change.staged;
	change.again = n < 2;
	change.gap = n < 2 || *change.staged ? 0 : o->soft.lines ? GAP_SOFTWARE
			     : change.lanes == WS_LANES_STAY ? GAP : GAP_LANES;
	change.gap_all = o->soft.lines > 0;
	if (o->regrouped)
		return ws_regroup(out, a->base[n == 1], (enum ws_way_order)n, err);
	if (o->rewritten)
		return ws_rewrite(out, a->trace, a->kernel, &change, err);
	if (!o->soft.lines)
		return WS_OK;
	if (n == 2)
		status = ws_rewrite(&slower, a->trace, a->kernel, &change, err);
	if (status == WS_OK)
		status = ws_soften(out, slower ? slower : a->base[n == 1], a->machine, &o->soft,
				   err);
	if (slower)
		ws_trace_close(slower);
	return status;
}

/* What is before a variant: space between arrays depends on where they lie, so it is tried with all
 * of them moved together. */
static enum ws_status count_before(const struct advising *a, const struct ws_offer *o, unsigned n,
				   struct ws_advice_counts *before, struct ws_err *err)
{
	const struct ws_change moved = { .shift = SHIFT_SEED, .together = true };
	struct ws_trace *t = NULL;
	enum ws_status status;

	*before = a->counts[n == 1];
	if (n != 1 || !o->change.stagger)
		return WS_OK;
	status = ws_rewrite(&t, a->trace, a->kernel, &moved, err);
	if (status == WS_OK)
		status = simulate(a, t, a->machine, NULL, before, err);
	if (t)
		ws_trace_close(t);
	return status;
}

/* The n-th variant of an offer: as it is; arrays elsewhere; more instructions, or fewer if
 * an array is in shared memory, or work-items of the whole grid sorted with their ways in another
 * order. */
static enum ws_status try_variant(const struct advising *a, struct ws_offer *o, unsigned n,
				  struct ws_err *err)
{
	struct ws_machine m = *a->machine;
	struct ws_trace *t = NULL;
	struct ws_advice_counts before, after;
	enum ws_status status = count_before(a, o, n, &before, err);

	if (status == WS_OK && *o->set)
		status = ws_machine_set(&m, o->set, err);
	if (status == WS_OK && *o->set)
		status = ws_machine_check(&m, err);
	if (status == WS_OK)
		status = change_trace(a, o, n, &t, err);
	if (status == WS_OK)
		status = simulate(a, t ? t : a->base[n == 1], &m, *o->past ? o->past : NULL, &after,
				  err);
	if (t)
		ws_trace_close(t);
	if (status != WS_OK)
		return status;
	o->gain[n] = gain_of(&before, &after);
	if (!n)
		o->advice.after = after;
	return WS_OK;
}

static bool has_variant(const struct ws_offer *o, unsigned n)
{
	return n < 2 || o->regrouped || o->change.remap.row || o->soft.lines ||
	       o->change.lanes != WS_LANES_STAY || *o->change.staged || o->change.pieces;
}

static enum ws_status try_first(void *context, size_t i, unsigned thread, struct ws_err *err)
{
	struct advising *a = context;
	enum ws_status status = try_variant(a, &a->offers.offer[a->tried + i], 0, err);

	(void)thread;
	tell(a);
	return status;
}

static enum ws_status try_again(void *context, size_t i, unsigned thread, struct ws_err *err)
{
	struct advising *a = context;
	struct ws_offer *o = &a->offers.offer[i / 2];
	unsigned n = 1 + (unsigned)(i % 2);
	enum ws_status status = has_variant(o, n) ? try_variant(a, o, n, err) : WS_OK;

	(void)thread;
	tell(a);
	return status;
}

/* ---- which offers are advice ---------------------------------------------------- */

/* Do both change the same thing?  Of such offers only the best is advice. */
static bool is_alike(const struct ws_offer *a, const struct ws_offer *b)
{
	return a->advice.kind == b->advice.kind && a->advice.of_machine == b->advice.of_machine &&
	       a->regrouped == b->regrouped && a->change.lanes == b->change.lanes &&
	       strcmp(a->advice.array, b->advice.array) == 0;
}

/* Changes of the kernel, then those that need a copy and a barrier, then a software cache, then
 * another cache. */
static int effort_of(const struct ws_offer *o)
{
	return o->advice.of_machine                       ? 3
	       : o->advice.kind == WS_ADVICE_SOFTWARE ? 2
						      : o->advice.kind == WS_ADVICE_SHARED;
}

static int by_first_gain(const void *a, const void *b)
{
	const struct ws_offer *x = a, *y = b;

	if (effort_of(x) != effort_of(y))
		return effort_of(x) - effort_of(y);
	if (x->gain[0] > y->gain[0] || x->gain[0] < y->gain[0])
		return x->gain[0] > y->gain[0] ? -1 : 1;
	if (x->advice.kind != y->advice.kind)
		return x->advice.kind < y->advice.kind ? -1 : 1;
	return strcmp(x->advice.change, y->advice.change);
}

/* Of paddings of an array that do as well, that of the shortest rows, and of them the least; of
 * set indexes one without parameters, which are of these addresses. */
static bool is_simpler(const struct ws_offer *x, const struct ws_offer *y)
{
	const struct ws_remap *a = &x->change.remap, *b = &y->change.remap;

	if (x->change.pieces && y->change.pieces)
		return x->change.pieces < y->change.pieces;
	return (a->pad && b->pad && (a->row != b->row ? a->row < b->row : a->pad < b->pad)) ||
	       (strchr(y->set, ':') && *x->set && !strchr(x->set, ':'));
}

static struct ws_offer *simplest(const struct ws_offers *offers, size_t best)
{
	struct ws_offer *found = &offers->offer[best];
	double enough = found->gain[0] - WS_ADVICE_ERROR_MIN;

	for (size_t i = best + 1; i < offers->count; i++) {
		struct ws_offer *o = &offers->offer[i];

		if (is_alike(o, found) && o->gain[0] >= enough &&
		    is_simpler(o, found))
			found = o;
	}
	return found;
}

/* Are all arrays padded where one alone does as well? */
static bool pads_too_many(const struct ws_offers *offers, const struct ws_offer *all)
{
	for (size_t i = 0; i < offers->count && all->change.remap.pad && !*all->advice.array; i++) {
		const struct ws_offer *one = &offers->offer[i];

		if (one->change.remap.pad && *one->advice.array &&
		    one->gain[0] >= all->gain[0] - WS_ADVICE_ERROR_MIN)
			return true;
	}
	return false;
}

/* The best of each, best first. */
static void choose_offers(struct ws_offers *offers)
{
	size_t kept = 0;

	for (size_t i = 0; i < offers->count; i++)
		if (pads_too_many(offers, &offers->offer[i]))
			offers->offer[i].gain[0] = 0; /* not tried again */
	if (offers->count)
		qsort(offers->offer, offers->count, sizeof *offers->offer, by_first_gain);
	for (size_t i = 0; i < offers->count; i++) {
		bool known = offers->offer[i].gain[0] < GAIN_TRIED;

		for (size_t j = 0; j < kept && !known; j++)
			known = is_alike(&offers->offer[i], &offers->offer[j]);
		if (!known) {
			struct ws_offer *o = simplest(offers, i), best = offers->offer[i];

			offers->offer[kept++] = *o;
			*o = best;
		}
	}
	offers->count = kept;
}

static double sample_error(const struct ws_offer *o)
{
	return fmin(o->change.lanes == WS_LANES_SWAPPED ? SAMPLE_ERROR_SWAPPED : SAMPLE_ERROR,
		    SAMPLE_ERROR_SHARE * (100 - o->gain[0]));
}

/* Padding, other operators and other CTAs on an SM leave the code as it is. */
static double code_share(const struct ws_offer *o)
{
	if (o->regrouped || o->change.lanes == WS_LANES_SORTED)
		return SORTED_ERROR_SHARE;
	return o->change.remap.element || o->change.pieces ? CODE_ERROR_SHARE : 0;
}

static double error_of(const struct ws_offer *o, bool sampled)
{
	double error = WS_ADVICE_ERROR_MIN;

	for (unsigned n = 1; n < 3; n++) {
		double off = has_variant(o, n) ? fabs(o->gain[n] - o->gain[0]) : 0;

		error = off > error ? off : error;
	}
	error = fmax(error, code_share(o) * (100 - o->gain[0]));
	return sampled ? hypot(error, sample_error(o)) : error;
}

/* Does it gain more than what may be lost of it?  That it may gain more is no doubt. */
static bool is_sure(const struct ws_offer *o, bool sampled)
{
	bool more = (*o->change.staged || o->change.pieces) && o->gain[2] > o->gain[0];
	struct ws_offer without = *o;

	if (more)
		without.gain[2] = o->gain[0];
	return o->gain[0] > error_of(&without, sampled);
}

/* What it takes: another operator, or more shared memory; an array's rows or the indexes; the
 * layout of an array, or loops; that of several arrays, or work for the host. */
static int cost_of(const struct ws_offer *o)
{
	if (o->regrouped || o->change.others[0].row)
		return 3;
	if (o->change.remap.element || o->change.pieces || o->change.lanes == WS_LANES_SORTED)
		return 2;
	return o->change.remap.pad || o->change.stagger || o->change.lanes != WS_LANES_STAY;
}

/* Is the later one as good, within their errors?  Or what it gains at least is no less. */
static bool is_as_good(const struct ws_offer *late, const struct ws_offer *early)
{
	double l = error_of(late, false), e = error_of(early, false);

	return early->gain[0] - late->gain[0] < fmin(l, e) ||
	       late->gain[0] - l >= early->gain[0] - e - WS_ADVICE_ERROR_MIN;
}

/* Of two as good, the one that needs no list of what data asks for comes first, then the one that
 * takes less, then the one with fewer misses. */
static bool comes_first(const struct ws_offer *late, const struct ws_offer *early)
{
	if (effort_of(late) != effort_of(early) || !is_as_good(late, early))
		return false;
	if (early->gathered != late->gathered)
		return early->gathered;
	return cost_of(early) != cost_of(late)
		       ? cost_of(late) < cost_of(early)
		       : late->advice.after.misses < early->advice.after.misses;
}

static void settle_order(struct ws_offers *offers)
{
	for (size_t i = 1; i < offers->count; i++)
		for (struct ws_offer *o = &offers->offer[i];
		     o > offers->offer && comes_first(o, o - 1); o--) {
			struct ws_offer late = *o;

			*o = o[-1];
			o[-1] = late;
		}
}

static enum ws_status keep_advice(struct advising *a, struct ws_err *err)
{
	bool sampled = a->sample.trace != NULL;
	struct ws_advice_list *out = a->out;

	settle_order(&a->offers);
	for (size_t i = 0; i < a->offers.count; i++) {
		const struct ws_offer *o = &a->offers.offer[i];
		struct ws_advice *to;

		if (!is_sure(o, sampled))
			continue;
		if (!WS_ROOM(out->advice, out->cap, out->count + 1))
			return ws_fail_memory(err, "advice");
		to = &out->advice[out->count];
		*to = o->advice;
		to->kernel = ws_strdup(a->kernel);
		if (!to->kernel)
			return ws_fail_memory(err, "advice");
		to->before = a->counts[0];
		to->gain = o->gain[0];
		to->error = error_of(o, sampled);
		to->sample = sampled ? 100 * a->sample.share : 100;
		out->count++;
	}
	return WS_OK;
}

/* ---- a kernel ---------------------------------------------------- */

static enum ws_status measure_base(struct advising *a, struct ws_err *err)
{
	struct ws_change change = { .shift = 0 };
	struct ws_measuring how = { .machine = a->machine, .arrays = true,
				    .sample = &a->sample, .seed = a->options->study->seed,
				    .threads = a->options->study->threads };
	enum ws_status status = ws_rewrite(&a->base[0], a->trace, a->kernel, &change, err);

	change.shift = SHIFT_SEED;
	if (status == WS_OK)
		status = ws_rewrite(&a->base[1], a->trace, a->kernel, &change, err);
	how.trace = a->base[0];
	if (status == WS_OK)
		status = ws_measure_run(&how, &a->before, err);
	a->counts[0] = a->before.counts;
	return status == WS_OK ? simulate(a, a->base[1], a->machine, NULL, &a->counts[1], err)
			       : status;
}

/* Misses by cause, of a simulation without time. */
static enum ws_status count_causes(struct advising *a, struct ws_err *err)
{
	struct ws_source source = { .options = a->options->study, .trace = a->base[0],
				    .machine = *a->machine, .quiet = true,
				    .seed = a->options->study->seed, .order = WS_ORDER_CYCLES };
	struct ws_counts kind[WS_KINDS + 1] = { { 0 } }, *all = &kind[WS_KINDS];
	struct ws_streams *streams = NULL;
	size_t launches = 0;
	double times;
	enum ws_status status = ws_source_streams(&source, &streams, &launches, err);

	if (status == WS_OK)
		status = ws_simulate(streams, launches, a->kernel, &a->adapted.l1,
				     a->options->study->seed, kind, err);
	ws_streams_free(streams, launches);
	times = a->sample.trace && all->requests
			? (double)a->counts[0].requests / (double)all->requests : 1;
	a->facts.conflict = (uint64_t)llround((double)all->conflict * times);
	a->facts.capacity = (uint64_t)llround((double)all->capacity * times);
	return status;
}

static enum ws_status make_offers(struct advising *a, struct ws_err *err)
{
	enum ws_status status;

	a->facts = (struct ws_facts){ .scan = &a->scan, .measure = &a->before,
				      .machine = &a->adapted, .named = a->machine,
				      .base = a->base[0] };
	status = count_causes(a, err);
	if (status == WS_OK)
		status = ws_offers_make(&a->offers, &a->facts, err);
	if (status == WS_OK)
		status = ws_offers_conflict(&a->offers, &a->facts, err);
	if (status == WS_OK)
		status = ws_offers_pieces(&a->offers, &a->facts, err);
	if (status == WS_OK)
		status = ws_offers_shared(&a->offers, &a->facts, a->trace, err);
	if (status == WS_OK)
		status = ws_offers_software(&a->offers, &a->facts, err);
	if (status == WS_OK && !a->options->kernel_only)
		status = ws_offers_machine(&a->offers, &a->facts, err);
	return status;
}

/* Those that were not yet. */
static enum ws_status try_new_offers(struct advising *a, struct ws_err *err)
{
	size_t count = a->offers.count - a->tried;
	enum ws_status status;

	a->total += count;
	a->out->tried += count;
	status = ws_parallel(a->options->study->threads, count, try_first, a, err);
	a->tried = a->offers.count;
	return status;
}

static enum ws_status try_offers(struct advising *a, struct ws_err *err)
{
	enum ws_status status = try_new_offers(a, err);

	if (status == WS_OK)
		status = ws_offers_wider(&a->offers, &a->facts, err);
	if (status == WS_OK)
		status = ws_offers_together(&a->offers, err);
	if (status == WS_OK)
		status = try_new_offers(a, err);
	choose_offers(&a->offers);
	a->total += 2 * a->offers.count;
	if (status == WS_OK)
		status = ws_parallel(a->options->study->threads, 2 * a->offers.count, try_again, a,
				     err);
	return status == WS_OK ? keep_advice(a, err) : status;
}

static void clear_kernel(struct advising *a)
{
	for (unsigned i = 0; i < 2; i++)
		if (a->base[i])
			ws_trace_close(a->base[i]);
	a->base[0] = a->base[1] = NULL;
	free(a->offers.offer);
	a->offers = (struct ws_offers){ 0 };
	a->tried = 0;
	ws_scan_clear(&a->scan);
	ws_measure_clear(&a->before);
	ws_sample_clear(&a->sample);
}

/* Kernels share what is simulated, half of it by their accesses. */
static double requests_for(const struct advising *a)
{
	double all = 0, own = 0, requests = a->options->sample ? (double)a->options->sample
							      : SAMPLE_REQUESTS;

	for (size_t i = 0; i < ws_trace_launches(a->whole); i++) {
		const struct ws_launch *l = ws_trace_launch(a->whole, i);
		double accesses = (double)ws_launch_accesses(l);

		all += accesses;
		own += strcmp(l->kernel, a->kernel) == 0 ? accesses : 0;
	}
	return requests * 0.5 * (1 / (double)a->kernels.count + (all > 0 ? own / all : 0));
}

static enum ws_status take_sample(struct advising *a, struct ws_err *err)
{
	enum ws_status status;

	if (a->options->whole)
		return WS_OK;
	status = ws_sample_make(&a->sample, a->whole, a->kernel, a->given, requests_for(a), err);
	if (a->sample.trace) {
		a->out->sampled++;
		a->trace = a->sample.trace;
		a->machine = &a->sample.machine;
	}
	return status;
}

static enum ws_status advise_kernel(struct advising *a, size_t k, struct ws_err *err)
{
	enum ws_status status;

	a->kernel = a->kernels.name[k];
	a->trace = a->whole;
	a->machine = a->given;
	status = take_sample(a, err);
	if (status == WS_OK)
		status = ws_study_kernel_machine(&a->kernels, k, a->machine, &a->adapted, err);
	if (status == WS_OK)
		status = ws_scan_kernel(&a->scan, a->trace, a->kernel, a->machine, err);
	if (status == WS_OK)
		status = measure_base(a, err);
	if (status == WS_OK)
		status = make_offers(a, err);
	if (status == WS_OK)
		status = try_offers(a, err);
	clear_kernel(a);
	return status;
}

enum ws_status ws_advise(const struct ws_trace *t, const struct ws_machine *m,
			 const struct ws_advise_options *o, struct ws_advice_list *out,
			 struct ws_err *err)
{
	struct advising *a = ws_alloc_zero(1, sizeof *a);
	enum ws_status status;

	*out = (struct ws_advice_list){ 0 };
	if (!a)
		return ws_fail_memory(err, "advice");
	*a = (struct advising){ .whole = t, .given = m, .options = o, .out = out };
	pthread_mutex_init(&a->lock, NULL);
	status = ws_cycles_check(m, err);
	if (status == WS_OK)
		status = ws_study_kernels_find(&a->kernels, t, NULL, err);
	if (status == WS_OK && o->study->kernel &&
	    !ws_study_kernels_only(&a->kernels, o->study->kernel))
		status = ws_fail(err, WS_EINVAL, "%s: no kernel is called %s", ws_trace_name(t),
				 o->study->kernel);
	for (size_t k = 0; k < a->kernels.count && status == WS_OK; k++)
		status = advise_kernel(a, k, err);
	ws_study_kernels_clear(&a->kernels);
	pthread_mutex_destroy(&a->lock);
	free(a);
	return status;
}

void ws_advice_list_clear(struct ws_advice_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->advice[i].kernel);
	free(list->advice);
	*list = (struct ws_advice_list){ 0 };
}
