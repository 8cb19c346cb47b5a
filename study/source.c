/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/source.c -- makes streams and profiles of a trace, with a progress line.
 *
 * The machine that orders a trace and the one that its requests are profiled with differ in
 * the keys of the stage profile (struct ws_study_plan), so profiles are made step by step here.
 */
#include "base/bits.h"
#include "study/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum ws_status ws_source_machines(struct ws_source *source, const struct ws_study_plan *plan,
				   uint64_t config, struct ws_err *err)
{
	enum ws_status status = ws_study_plan_anchor(plan, config, &source->machine, err);

	source->order = ws_study_plan_order(plan, config);
	return status == WS_OK ? ws_study_plan_measured(plan, config, &source->measured, err)
	       : status;
}

uint64_t ws_busy_sms(const struct ws_trace *t, const struct ws_machine *m, const uint64_t *sm)
{
	uint64_t counted = 0, ctas = 0;

	for (uint64_t i = 0; i < ws_l1s(m); i++)
		counted += ws_bit(sm, i);
	for (size_t i = 0; i < ws_trace_launches(t); i++)
		if (ws_trace_launch(t, i)->ctas > ctas)
			ctas = ws_trace_launch(t, i)->ctas;
	counted = counted ? counted : ws_l1s(m);
	return ctas < counted / m->l1_parts ? ctas * m->l1_parts : counted;
}

static void report_progress(void *context, uint64_t done, uint64_t total)
{
	struct ws_progress *p = context;

	p->total = total;
	ws_progress_step(p, done);
}

static unsigned threads_of(const struct ws_source *source)
{
	return source->threads ? source->threads : source->options->threads;
}

struct ws_profile_options ws_source_options(const struct ws_source *source,
					    struct ws_progress *progress)
{
	struct ws_profile_options options = {
		.shape = source->shapes.shape,
		.shapes = source->shapes.count,
		.plain = source->plain.shape,
		.plains = source->plain.count,
		.filter = source->behind.filter,
		.filters = source->behind.filters,
		.l2_sets = source->behind.sets,
		.l2_set_counts = source->behind.set_counts,
		.record = source->record,
		.order = source->order,
		.grain_period = source->grain_period,
		.set_sample = source->set_sample,
		.seed = source->seed,
		.threads = threads_of(source),
		.sample_rate = source->options->sample,
		.sample_lines = source->options->sample_lines,
		.progress = report_progress,
		.context = progress,
	};

	memcpy(options.sm, source->sm, sizeof options.sm);
	return options;
}

/* Threads of the cycle simulator pay on few launches: only if asked for. */
static unsigned order_threads(const struct ws_source *source)
{
	unsigned threads = threads_of(source);

	return threads || source->order == WS_ORDER_NOMINAL ? threads : 1;
}

static void say(const struct ws_source *source, const struct ws_progress *progress,
		const char *what)
{
	ws_study_detail(source->options, "%s: %s for %s with seed %" PRIu64 " in %.3f s",
		ws_trace_name(source->trace), what, source->machine.name, source->seed,
		ws_seconds() - progress->start);
}

/* ---- profiles ------------------------------------------------------------------ */

struct making {
	const struct ws_source *source;
	struct ws_profiler *profiler;
	struct ws_orderer *orderer;
	struct ws_progress *progress;
	/* For the progress line: accesses of lanes, or requests in their place, of a launch. */
	const struct ws_launch *launch;
	uint64_t before;	/* of earlier launches */
	uint64_t taken;
	struct ws_simulated simulated;
};

uint64_t ws_launch_accesses(const struct ws_launch *l)
{
	uint64_t all = 0;

	for (size_t k = 0; k < WS_KINDS; k++)
		all += l->accesses[k];
	return all;
}

#define TAKEN_STEP 65536u /* requests between looks at the clock */

static enum ws_status push_requests(void *context, uint64_t sm, const struct ws_request *r,
				    size_t count,
				    struct ws_err *err)
{
	struct making *m = context;
	uint64_t steps = m->taken / TAKEN_STEP;

	/* Other tools' traces are one CTA, often of one lane: its requests are its accesses. */
	m->taken += count;
	if (m->launch->ctas == 1 && m->taken / TAKEN_STEP > steps)
		ws_progress_step(m->progress, m->before + m->taken);
	return ws_profiler_push(m->profiler, sm, r, count, err);
}

static void ctas_done(void *context, uint64_t ctas)
{
	const struct making *m = context;

	double part = (double)ctas / (double)m->launch->ctas;

	ws_progress_step(m->progress,
			 m->before + (uint64_t)(part * (double)ws_launch_accesses(m->launch)));
}

static enum ws_status make_launch(struct making *m, size_t i, struct ws_err *err)
{
	const struct ws_source *source = m->source;
	const struct ws_launch *launch = ws_trace_launch(source->trace, i);
	struct ws_sink sink = { .context = m, .requests = push_requests, .progress = ctas_done };
	struct ws_order_stats stats = { 0 };
	enum ws_status status = ws_profiler_launch(m->profiler, launch, err);

	m->launch = launch;
	m->progress->of = launch->kernel;
	m->taken = 0;
	if (status == WS_OK)
		status = ws_orderer_run(m->orderer, i, &sink, &stats, err);
	if (status == WS_OK && source->order == WS_ORDER_CYCLES)
		status = ws_simulated_add(&m->simulated, m->orderer, launch->kernel, err);
	if (status == WS_OK)
		status = ws_profiler_end(m->profiler, &stats, err);
	m->before += ws_launch_accesses(launch);
	return status;
}

static enum ws_status check_room(const struct ws_source *source, struct ws_err *err)
{
	uint64_t sms = ws_busy_sms(source->trace, &source->machine, source->sm);
	struct ws_study_kernels kernels;
	enum ws_status status = ws_study_kernels_find(&kernels, source->trace, NULL, err);

	if (status == WS_OK)
		status = ws_shapes_fit(&source->shapes, &source->machine, sms, kernels.count,
				       source->record, 1, err);
	ws_study_kernels_clear(&kernels);
	return status;
}

/* Will anything that is made of the stream, or asked for, read its cycles? */
static bool timeless(const struct ws_source *source)
{
	const struct ws_study_options *o = source->options;

	return source->order == WS_ORDER_NOMINAL && !source->record && !source->behind.filters &&
	       !o->latency && !o->cycles;
}

enum ws_status ws_source_orderer(const struct ws_source *source, struct ws_orderer **out,
				 struct ws_err *err)
{
	const struct ws_order_options order = { .seed = source->seed,
					       .threads = order_threads(source),
					       .untold = timeless(source) };

	return ws_orderer_new(out, source->order, source->trace, &source->machine, &order, err);
}

static enum ws_status begin_making(struct making *m, const struct ws_profile_options *options,
				   struct ws_err *err)
{
	const struct ws_source *source = m->source;
	enum ws_status status = ws_source_orderer(source, &m->orderer, err);

	if (status == WS_OK)
		status = ws_profiler_new(&m->profiler, &source->measured, options, err);
	if (status != WS_OK)
		ws_orderer_free(m->orderer);
	return status;
}

static enum ws_status profile_once(const struct ws_source *source, struct ws_profile **out,
				   struct ws_err *err)
{
	struct ws_progress progress;
	struct ws_profile_options options = ws_source_options(source, &progress);
	struct making m = { .source = source, .progress = &progress };
	size_t end = source->end ? source->end : ws_trace_launches(source->trace);
	enum ws_status status = check_room(source, err);

	if (status == WS_OK)
		status = begin_making(&m, &options, err);
	if (status != WS_OK)
		return status;
	ws_progress_begin(&progress, "profiling accesses", 0, source->quiet ||
			  !source->options->progress);
	progress.hint = source->options->hint;
	for (size_t i = source->begin; i < end; i++)
		progress.total += ws_launch_accesses(ws_trace_launch(source->trace, i));
	for (size_t i = 0; i < source->begin && status == WS_OK; i++)
		status = ws_profiler_skip(m.profiler, ws_trace_launch(source->trace, i), err);
	for (size_t i = source->begin; i < end && status == WS_OK; i++)
		status = make_launch(&m, i, err);
	if (status == WS_OK)
		status = ws_profiler_finish(m.profiler, out, err);
	ws_profiler_free(m.profiler);
	ws_orderer_free(m.orderer);
	ws_progress_end(&progress);
	if (status == WS_OK) {
		say(source, &progress, "profiled");
		ws_simulated_put(&m.simulated, *out);
	}
	ws_simulated_clear(&m.simulated);
	return status;
}

enum ws_status ws_source_profile(const struct ws_source *source, struct ws_profile **out,
				 struct ws_err *err)
{
	struct ws_source s = *source;
	bool timed = s.timed && s.order == WS_ORDER_CYCLES && !s.options->sample_lines &&
		     !(s.options->sample > 0 && s.options->sample < 1);
	enum ws_status status;

	if (timed && (s.partial || s.machine.l1.alloc == WS_ALLOC_ON_FILL))
		s.record |= WS_STUDY_TIMES;
	status = profile_once(&s, out, err);
	if (status != WS_OK || !timed || s.record & WS_RECORD_TIMES ||
	    !ws_simulated_differs(*out, &s.machine))
		return status;
	ws_profile_free(*out);
	*out = NULL;
	s.record |= WS_STUDY_TIMES;
	return profile_once(&s, out, err);
}

/* Its sections' geometries, which are p's, without samples of sets: from those that have times LRU
 * would be told as it was simulated.  False: no memory. */
static bool copy_bare(const struct ws_profile *p, struct ws_profile *bare)
{
	bool ok = true;

	bare->section = ws_alloc_zero(p->sections + 1, sizeof *bare->section);
	for (size_t i = 0; bare->section && ok && i < p->sections; i++) {
		struct ws_section *s = bare->section + bare->sections++;

		*s = p->section[i];
		s->geometry = ws_alloc(s->geometries + 1, sizeof *s->geometry);
		ok = s->geometry != NULL;
		for (size_t k = 0; ok && k < s->geometries; k++) {
			s->geometry[k] = p->section[i].geometry[k];
			s->geometry[k].sample = NULL;
		}
	}
	return ok && bare->section;
}

/* Times are kept where a whole source has them (ws_source_profile). */
enum ws_status ws_profile_settle(struct ws_profile *p, struct ws_err *err)
{
	struct ws_profile bare = *p;
	enum ws_status status = WS_OK;

	if (p->order != WS_ORDER_CYCLES || p->machine.l1.alloc == WS_ALLOC_ON_FILL)
		return WS_OK;
	bare.sections = 0;
	if (!copy_bare(p, &bare))
		status = ws_fail_memory(err, "the sections of a profile");
	else if (!ws_simulated_differs(&bare, &p->machine))
		status = ws_profile_forget_times(p, err);
	for (size_t i = 0; bare.section && i < bare.sections; i++)
		free(bare.section[i].geometry);
	free(bare.section);
	return status;
}

/* ---- other orders ------------------------------------------------------------------ */

struct source_ordering {
	const struct ws_source *source;
	const uint64_t *sizes;
	struct ws_profile **made; /* [sizes]; NULL: left out */
};

/* The source's machine with an L1 of that size; false: there is none. */
static bool resize(const struct ws_source *source, uint64_t bytes, struct ws_machine *m)
{
	struct ws_err ignored = { 0 };
	char text[40];

	*m = source->machine;
	m->l1.given = 0;
	snprintf(text, sizeof text, "l1.size=%" PRIu64, bytes);
	return bytes != source->machine.l1.size_bytes &&
	       ws_machine_set(m, text, &ignored) == WS_OK &&
	       ws_machine_check(m, &ignored) == WS_OK && ws_cycles_check(m, &ignored) == WS_OK;
}

#define WAYS_MAX 32u

static enum ws_status find_shapes(struct ws_shapes *shapes, const struct ws_machine *m,
				  struct ws_err *err)
{
	enum ws_status status = ws_shapes_add(shapes, m->l1.line_bytes, m->l1.sets, err);
	uint64_t lines = m->l1.sets * m->l1.ways;

	for (uint64_t ways = 1; lines && ways <= WAYS_MAX && lines % ways == 0 &&
	     status == WS_OK; ways *= 2) {
		struct ws_cache c = m->l1;

		c.sets = lines / ways;
		c.ways = ways;
		if (c.sets <= ws_key_find("l1.sets")->max &&
		    (c.sets == 1 || !c.hash->check || c.hash->check(&c, NULL) == WS_OK))
			status = ws_shapes_add(shapes, c.line_bytes, c.sets, err);
	}
	return status;
}

static enum ws_status make_order(void *context, size_t i, unsigned thread, struct ws_err *err)
{
	const struct source_ordering *o = context;
	struct ws_source source = *o->source;
	enum ws_status status;

	(void)thread;
	source.shapes = (struct ws_shapes){ 0 };
	source.plain = (struct ws_shapes){ 0 };
	source.behind = (struct ws_l2_wanted){ 0 };
	source.record = 0;
	source.timed = false;
	source.grain_period = 0;
	source.threads = 1;
	source.quiet = true;
	if (!resize(o->source, o->sizes[i], &source.machine))
		return WS_OK;
	source.measured = source.machine;
	status = find_shapes(&source.shapes, &source.machine, err);
	if (status == WS_OK)
		status = ws_source_profile(&source, &o->made[i], err);
	ws_shapes_clear(&source.shapes);
	return status;
}

enum ws_status ws_source_orders(const struct ws_source *source, const uint64_t *sizes, size_t count,
				struct ws_profile *p, struct ws_err *err)
{
	struct source_ordering o = { source, sizes, ws_alloc_zero(count + 1, sizeof *o.made) };
	enum ws_status status;

	if (!o.made)
		return ws_fail_memory(err, "the orders");
	status = ws_parallel(threads_of(source), count, make_order, &o, err);
	p->other = o.made;
	for (size_t i = 0; i < count; i++)
		if (o.made[i])
			p->other[p->others++] = o.made[i];
	return status;
}

/* ---- streams ------------------------------------------------------------------- */

enum ws_status ws_source_streams(const struct ws_source *source, struct ws_streams **out,
				size_t *launches, struct ws_err *err)
{
	struct ws_progress progress;
	struct ws_profile_options options = ws_source_options(source, &progress);
	enum ws_status status;

	options.threads = order_threads(source);
	ws_progress_begin(&progress, "ordering CTAs", 0, source->quiet ||
			  !source->options->progress);
	status = ws_streams_make(out, launches, source->trace, &source->machine, &options, err);
	ws_progress_end(&progress);
	if (status == WS_OK)
		say(source, &progress, "request streams");
	return status;
}
