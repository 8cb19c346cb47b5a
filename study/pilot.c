/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/pilot.c -- chooses the rate of a sample by the time that there is.
 *
 * A beginning of the trace is ordered once, and once more with distances of all its requests.  So
 * known is what a request costs that is skipped, and one that is measured.  How many there will be
 * is told from the part of its launch that the beginning was.  The stacks are small at first, so a
 * long trace takes somewhat longer than is said here.
 */
#include "study/private.h"

#include <math.h>
#include <stdlib.h>

#define REQUESTS (UINT64_C(1) << 19) /* of a pilot, at most */
#define SHARE 0.1		/* of the time that there is */
#define REQUESTS_LEAST (1u << 16) /* whatever the time: fewer say nothing */
#define STEP 4096u		/* requests between looks at the clock */
#define CTAS 256u		/* that are done: more than are in flight */
#define HALVINGS 50u		/* of the range of rates */

struct piloting {
	struct ws_profiler *profiler; /* NULL: requests are only counted */
	uint64_t taken, of_launch; /* requests */
	uint64_t instructions, ctas; /* of the launch: warp instructions, CTAs done */
	double until;
	bool enough;
};

struct piloted {
	double each;		/* seconds a request */
	double requests;	/* expected of the whole trace */
};

static enum ws_status take_requests(void *context, uint64_t sm, const struct ws_request *r,
				    size_t count, struct ws_err *err)
{
	struct piloting *p = context;
	uint64_t steps = p->taken / STEP;
	enum ws_status status = WS_OK;

	p->taken += count;
	p->of_launch += count;
	for (size_t i = 0; i < count; i++)
		p->instructions += !r[i].follows;
	if (p->profiler)
		status = ws_profiler_push(p->profiler, sm, r, count, err);
	p->enough = p->taken >= REQUESTS ||
		    (p->taken >= REQUESTS_LEAST && p->taken / STEP > steps &&
		     ws_seconds() > p->until);
	return status == WS_OK && p->enough ? ws_fail(err, WS_EIO, "the pilot is over") : status;
}

static void take_ctas(void *context, uint64_t ctas)
{
	struct piloting *p = context;

	p->ctas = ctas;
}

/* Those of a launch of which the pilot has seen a part: so many of its CTAs or, where those in
 * flight would count for much, of its accesses, as if all lanes of warps took part. */
static double expect_whole(const struct piloting *p, const struct ws_machine *m,
			   const struct ws_launch *l)
{
	uint64_t lanes = ws_launch_threads(l) < m->warp_width ? ws_launch_threads(l)
							      : m->warp_width;
	double accesses = (double)p->instructions * (double)lanes;

	if (p->ctas >= CTAS)
		return (double)p->of_launch * (double)l->ctas / (double)p->ctas;
	return (double)p->of_launch *
	       fmax(1, (double)ws_launch_accesses(l) / fmax(1, accesses));
}

static enum ws_status run_launch(const struct ws_source *source, struct ws_orderer *orderer,
				 struct piloting *p, size_t i, double *requests,
				 struct ws_err *err)
{
	const struct ws_launch *l = ws_trace_launch(source->trace, i);
	struct ws_sink sink = { .context = p, .requests = take_requests, .progress = take_ctas };
	struct ws_order_stats stats = { 0 };
	struct ws_err over = { .status = WS_OK };
	enum ws_status status = WS_OK;

	p->of_launch = p->instructions = p->ctas = 0;
	if (p->profiler)
		status = ws_profiler_launch(p->profiler, l, err);
	if (status == WS_OK)
		status = ws_orderer_run(orderer, i, &sink, &stats, &over);
	if (status != WS_OK && !p->enough)
		return over.status == WS_OK ? status : ws_fail_as(err, &over);
	*requests += status == WS_OK ? (double)p->of_launch : expect_whole(p, &source->machine, l);
	return p->profiler ? ws_profiler_end(p->profiler, &stats, err) : WS_OK;
}

/* Launches until it is enough; of those that are left as many requests an access. */
static enum ws_status run_launches(const struct ws_source *source, struct ws_orderer *orderer,
				   struct piloting *p, struct piloted *out, struct ws_err *err)
{
	size_t launches = ws_trace_launches(source->trace), i = 0;
	double accesses = 0, left = 0, start = ws_seconds();
	enum ws_status status = WS_OK;

	for (; i < launches && !p->enough && status == WS_OK; i++) {
		accesses += (double)ws_launch_accesses(ws_trace_launch(source->trace, i));
		status = run_launch(source, orderer, p, i, &out->requests, err);
	}
	out->each = (ws_seconds() - start) / fmax(1, (double)p->taken);
	for (; i < launches; i++)
		left += (double)ws_launch_accesses(ws_trace_launch(source->trace, i));
	out->requests += left * out->requests / fmax(1, accesses);
	return status;
}

static enum ws_status run_pilot(const struct ws_source *source, double seconds, bool profiles,
				struct piloted *out, struct ws_err *err)
{
	struct ws_profile_options options = ws_source_options(source, NULL);
	struct piloting p = { .until = ws_seconds() + seconds };
	struct ws_orderer *orderer = NULL;
	enum ws_status status = ws_source_orderer(source, &orderer, err);

	options.sample_rate = 1;
	options.sample_lines = 0;
	options.progress = NULL;
	if (status == WS_OK && profiles)
		status = ws_profiler_new(&p.profiler, &source->measured, &options, err);
	if (status == WS_OK)
		status = run_launches(source, orderer, &p, out, err);
	ws_profiler_free(p.profiler);
	ws_orderer_free(orderer);
	return status;
}

/* What the pilots say of a rate. */
struct forecast {
	double requests, sms, order, measure; /* order, measure: seconds a request */
};

static double forecast(const struct forecast *f, double rate)
{
	return f->requests * f->order +
	       f->measure * f->sms * ws_sample_cost(f->requests / f->sms, rate);
}

/* The highest that fits, to two digits as they are written. */
static double choose_rate(const struct forecast *f, double seconds, double least)
{
	double low = log(least), high = 0;
	char text[32];

	if (forecast(f, 1) <= seconds)
		return 1;
	for (unsigned i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2;

		if (forecast(f, exp(middle)) <= seconds)
			low = middle;
		else
			high = middle;
	}
	snprintf(text, sizeof text, "%.2g", exp(low));
	return fmax(least, strtod(text, NULL));
}

enum ws_status ws_source_pilot(const struct ws_source *source, double seconds, double least,
			       struct ws_pilot *out, struct ws_err *err)
{
	double end = ws_seconds() + seconds;
	struct piloted ordered = { 0 }, measured = { 0 };
	struct forecast f = { 0 };
	enum ws_status status = run_pilot(source, SHARE * seconds, false, &ordered, err);

	if (status == WS_OK)
		status = run_pilot(source, SHARE * seconds, true, &measured, err);
	if (status != WS_OK)
		return status;
	f.requests = measured.requests;
	f.sms = fmax(1, (double)ws_busy_sms(source->trace, &source->machine, source->sm));
	f.order = ordered.each;
	f.measure = fmax(0, measured.each - ordered.each);
	out->rate = choose_rate(&f, end - ws_seconds(), least);
	out->seconds = forecast(&f, out->rate);
	out->late = out->rate <= least && out->seconds > end - ws_seconds();
	out->requests = f.requests;
	return WS_OK;
}
