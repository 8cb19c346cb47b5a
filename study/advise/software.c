/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/advise/software.c -- offers of a software cache in shared memory (softcache/softcache.h).
 *
 * One pass over the largest launch tells, for all numbers of lines, which requests would be left
 * and how many CTAs there would be room for.  Those are offered than which none leaves fewer
 * requests with as many CTAs.  The trace with the cache in it, which is simulated, equals that
 * of kernels which were rewritten by LLVM in every access of so long a line.
 */
#include "study/advise/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SAVED_MIN 0.1		/* of the requests */
#define LINES_MOST 4u		/* of a thread */
#define CALLS_MIN 16u		/* of a thread */
#define THRESHOLD_SHARE 16u	/* a thread monitors such a part of its calls, */
#define THRESHOLD_MIN 4u	/* but enough of them to see some hit */

/* No instruction loads more at once: longer lines take more of them than the trace with the cache
 * has. */
#define LINE_BYTES 16u

struct cached_lines {
	struct ws_soft soft;
	uint64_t requests, ctas;	/* left, of the L1; of an SM */
	double hits;			/* of the loads and stores */
	char arrays[96];
};

struct finding {
	const struct ws_facts *facts;
	const struct ws_launch *launch;
	struct ws_soft_record *record;
	struct ws_soft_requests *requests;
	uint64_t before, calls;		/* requests as it is; loads and stores of a thread */
	struct cached_lines point[LINES_MOST];
	size_t count;
};

/* ---- the trace ------------------------------------------------------------------------------ */

/* The launch as it is to be. */
static enum ws_status plan_kernel(struct ws_soft_kernel *out, const struct ws_soft_record *record,
				  const struct ws_launch *l, const struct ws_machine *m,
				  const struct ws_soft *soft, struct ws_err *err)
{
	struct ws_soft_result result = { .parts = 0 };
	struct ws_soft_room room = { .lines = 0 };
	enum ws_status status = ws_soft_predict(record, soft, &result, err);

	if (status == WS_OK)
		status = ws_soft_fit(&room, l, m, 0, soft->line_bytes, &result, err);
	*out = (struct ws_soft_kernel){
		.soft = *soft,
		.shared_bytes = l->shared_bytes + ws_soft_lines_used(soft, result.chosen) *
				soft->line_bytes * ws_launch_threads(l),
		.registers = l->registers ? l->registers + ws_soft_added(&room) : 0,
	};
	ws_soft_result_clear(&result);
	return status;
}

static enum ws_status soften_launch(struct ws_trace_writer *w, const struct ws_trace *t, size_t i,
				    const struct ws_machine *m, const struct ws_soft *soft,
				    struct ws_err *err)
{
	struct ws_soft_result result = { .parts = 0 };
	struct ws_soft_record *record = NULL;
	struct ws_soft_kernel kernel;
	enum ws_status status = ws_soft_record_make(&record, t, i, NULL, err);

	if (status == WS_OK)
		status = plan_kernel(&kernel, record, ws_trace_launch(t, i), m, soft, err);
	if (status == WS_OK)
		status = ws_soft_rewrite(w, t, i, &kernel, &result, err);
	ws_soft_result_clear(&result);
	ws_soft_record_free(record);
	return status;
}

enum ws_status ws_soften(struct ws_trace **out, const struct ws_trace *t,
			 const struct ws_machine *m, const struct ws_soft *soft,
			 struct ws_err *err)
{
	struct ws_trace_writer *w = NULL;
	struct ws_out file = { 0 };
	enum ws_status status = ws_out_temporary(&file, err);

	*out = NULL;
	if (status == WS_OK)
		status = ws_trace_writer_new(&w, &file, err);
	for (size_t i = 0; i < ws_trace_launches(t) && status == WS_OK; i++)
		status = soften_launch(w, t, i, m, soft, err);
	if (status == WS_OK)
		status = ws_trace_writer_end(w, err);
	if (status == WS_OK)
		status = ws_trace_open_written(out, &file, ws_trace_name(t), err);
	ws_trace_writer_free(w);
	ws_out_abort(&file);
	return status;
}

/* ---- what a cache would leave --------------------------------------------------------------- */

static uint64_t requests_left(const struct finding *f, const struct ws_soft *soft,
			      const struct ws_soft_result *choice)
{
	uint64_t kind[WS_KINDS], sum = 0;

	ws_soft_requests_left(f->requests, soft, choice, kind);
	for (unsigned i = 0; i < WS_KINDS; i++)
		sum += kind[i];
	return sum;
}

static void name_chosen(struct cached_lines *p, const struct finding *f,
			const struct ws_soft_result *result)
{
	size_t used = 0;

	*p->arrays = '\0';
	for (size_t i = 0; i < result->parts && used + 40 < sizeof p->arrays; i++)
		if (result->part[i].why == WS_SOFT_CHOSEN)
			used += (size_t)snprintf(p->arrays + used, sizeof p->arrays - used,
						 "%s%.30s", used ? ", " : "",
						 f->launch->array[result->part[i].array].name);
}

static uint64_t residency_with(const struct finding *f, const struct ws_soft_kernel *kernel)
{
	struct ws_launch l = *f->launch;
	const char *limit;
	uint64_t ctas;

	l.shared_bytes = kernel->shared_bytes;
	l.registers = kernel->registers;
	return ws_residency(&l, f->facts->named, &ctas, &limit, NULL) == WS_OK ? ctas : 0;
}

/* Lines that are written in part are written back byte by byte, by lanes that wait for each other:
 * what that costs is not known. */
static bool writes_in_part(const struct ws_soft_counts *sum, const struct ws_soft *soft)
{
	return sum->write_back_bytes < sum->write_backs * soft->line_bytes;
}

/* Leaves it out if it saves little, no CTA has room, or fewer structures than lines have hits. */
static enum ws_status look_at_point(struct finding *f, const struct ws_soft *soft,
				    struct ws_err *err)
{
	struct cached_lines *p = &f->point[f->count];
	struct ws_soft_result result = { .parts = 0 };
	struct ws_soft_counts sum;
	struct ws_soft_kernel kernel;
	enum ws_status status = ws_soft_predict(f->record, soft, &result, err);

	if (status == WS_OK)
		status = plan_kernel(&kernel, f->record, f->launch, f->facts->named, soft, err);
	if (status == WS_OK && result.chosen == soft->lines) {
		sum = ws_soft_sum(&result);
		*p = (struct cached_lines){ .soft = *soft, .ctas = residency_with(f, &kernel),
					    .requests = requests_left(f, soft, &result) };
		p->hits = ws_share(sum.hits[WS_LOAD] + sum.hits[WS_STORE],
				   sum.accesses[WS_LOAD] + sum.accesses[WS_STORE]);
		name_chosen(p, f, &result);
		f->count += p->ctas && !writes_in_part(&sum, soft) &&
			    (double)p->requests < (1 - SAVED_MIN) * (double)f->before;
	}
	ws_soft_result_clear(&result);
	return status;
}

/* Loads and stores of a thread, in the mean. */
static uint64_t calls_of(const struct ws_soft_record *record, const struct ws_launch *l,
			 struct ws_err *err)
{
	const struct ws_soft none = { .line_bytes = 1, .threshold = 1 };
	struct ws_soft_result result = { .parts = 0 };
	struct ws_soft_counts sum = { .monitored = 0 };

	if (ws_soft_predict(record, &none, &result, err) == WS_OK)
		sum = ws_soft_sum(&result);
	ws_soft_result_clear(&result);
	return (sum.accesses[WS_LOAD] + sum.accesses[WS_STORE]) /
	       (l->ctas * ws_launch_threads(l));
}

static enum ws_status look_at_points(struct finding *f, struct ws_err *err)
{
	struct ws_soft soft = WS_SOFT_INIT;
	uint64_t few = f->calls / THRESHOLD_SHARE;
	enum ws_status status = WS_OK;

	few = few > THRESHOLD_MIN ? few : THRESHOLD_MIN;
	soft.threshold = few < soft.threshold ? few : soft.threshold;
	f->before = requests_left(f, &soft, NULL);
	soft.line_bytes = LINE_BYTES;
	for (soft.lines = 1; soft.lines <= LINES_MOST && status == WS_OK; soft.lines++)
		status = look_at_point(f, &soft, err);
	return status;
}

/* ---- offers --------------------------------------------------------------------------------- */

static bool is_beaten(const struct finding *f, size_t i)
{
	const struct cached_lines *p = &f->point[i];

	for (size_t j = 0; j < f->count; j++) {
		const struct cached_lines *q = &f->point[j];

		if (q->requests <= p->requests && q->ctas >= p->ctas &&
		    (q->requests < p->requests || q->ctas > p->ctas || j < i))
			return true;
	}
	return false;
}

static int by_requests(const void *a, const void *b)
{
	const struct cached_lines *x = a, *y = b;

	if (x->requests != y->requests)
		return x->requests < y->requests ? -1 : 1;
	return (x->ctas < y->ctas) - (x->ctas > y->ctas);
}

static enum ws_status offer_point(struct ws_offers *offers, const struct finding *f,
				  const struct cached_lines *p, struct ws_err *err)
{
	struct ws_offer *o = ws_offer_add(offers, WS_ADVICE_SOFTWARE, err);

	if (!o)
		return WS_ENOMEM;
	o->soft = p->soft;
	snprintf(o->advice.change, sizeof o->advice.change,
		 "give each work-item %" PRIu64 " line%s of %" PRIu64 " bytes in shared memory, as "
		 "a software cache of %s, chosen by its first %" PRIu64 " accesses", p->soft.lines,
		 p->soft.lines > 1 ? "s" : "", p->soft.line_bytes, p->arrays, p->soft.threshold);
	snprintf(o->advice.evidence, sizeof o->advice.evidence,
		 "%.1f %% of the loads and stores hit in such lines, which leaves %.1f %% of the "
		 "L1's requests; %" PRIu64 " CTAs are on an SM, %" PRIu64 " without them",
		 100 * p->hits, 100 * ws_share(p->requests, f->before), p->ctas,
		 f->facts->scan->resident);
	return WS_OK;
}

static enum ws_status offer_best(struct ws_offers *offers, struct finding *f, struct ws_err *err)
{
	size_t kept = 0;
	struct cached_lines best[WS_COUNT(f->point)];
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < f->count; i++)
		if (!is_beaten(f, i))
			best[kept++] = f->point[i];
	qsort(best, kept, sizeof *best, by_requests);
	for (size_t i = 0; i < kept && status == WS_OK; i++)
		status = offer_point(offers, f, &best[i], err);
	return status;
}

static size_t largest_launch(const struct ws_trace *t)
{
	size_t largest = 0;

	for (size_t i = 1; i < ws_trace_launches(t); i++)
		if (ws_trace_launch(t, i)->ctas > ws_trace_launch(t, largest)->ctas)
			largest = i;
	return largest;
}

/* A work-item that makes few accesses has none left once it has monitored some. */
enum ws_status ws_offers_software(struct ws_offers *offers, const struct ws_facts *facts,
				  struct ws_err *err)
{
	size_t i = largest_launch(facts->base);
	struct finding *f;
	enum ws_status status;

	if (facts->named->sm_large_warp > 1 || !ws_trace_launch(facts->base, i)->arrays)
		return WS_OK;
	f = ws_alloc_zero(1, sizeof *f);
	if (!f)
		return ws_fail_memory(err, "a software cache's offers");
	f->facts = facts;
	f->launch = ws_trace_launch(facts->base, i);
	status = ws_soft_record_make(&f->record, facts->base, i, NULL, err);
	if (status == WS_OK)
		f->calls = calls_of(f->record, f->launch, err);
	if (status == WS_OK && f->calls >= CALLS_MIN) {
		status = ws_soft_requests_make(&f->requests, facts->base, i, facts->machine, err);
		if (status == WS_OK)
			status = look_at_points(f, err);
		if (status == WS_OK)
			status = offer_best(offers, f, err);
	}
	ws_soft_requests_free(f->requests);
	ws_soft_record_free(f->record);
	free(f);
	return status;
}
