/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/summary.c -- what a table of results comes to.
 */
#include "tests/validate/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 100.0

double results_error_pp(const struct results_row *r)
{
	return POINTS * (r->model - r->exact);
}

static const struct results_row *row_at(const struct results_table *t, size_t stream,
					size_t policy, size_t geometry)
{
	return t->result[stream].row + policy * t->plan->geometries + geometry;
}

struct sample {			/* a row to be summed up */
	const struct results_row *row;
	const char *stream;
	double error, lru;	/* absolute, points */
};

struct samples {
	struct sample *sample;
	size_t count;
};

static int by_error(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	return (x->error < y->error) - (x->error > y->error);
}

static int by_lru(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	return (x->lru < y->lru) - (x->lru > y->lru);
}

typedef bool filter(const struct results_table *t, const struct sample *s, const void *context);

/* Rows of a policy (SIZE_MAX: of all), of which is() is true, by error, largest first. */
static struct samples gather(const struct results_table *t, size_t policy, struct sample *room,
			     filter *is, const void *context)
{
	struct samples s = { room, 0 };

	for (size_t i = 0; i < t->streams; i++)
		for (size_t p = 0; p < t->plan->policies; p++)
			for (size_t g = 0; g < t->plan->geometries; g++) {
				const struct results_row *r = row_at(t, i, p, g);
				struct sample one = { r, t->result[i].stream,
						      fabs(results_error_pp(r)),
						      POINTS * fabs(r->lru - r->exact) };

				if ((p == policy || policy == SIZE_MAX) && !r->failed &&
				    (!is || is(t, &one, context)))
					s.sample[s.count++] = one;
			}
	if (s.count)
		qsort(s.sample, s.count, sizeof *s.sample, by_error);
	return s;
}

struct sums {
	size_t flagged, covered;
	double error, error_flagged, lru, seconds, longest;
	double p95, largest, lru_p95, lru_largest;
	struct sample sure;	/* the largest error that is not flagged; row NULL: all are */
};

static struct sums add_up(const struct samples *s)
{
	struct sums sum = { 0 };
	size_t twentieth = s->count - (s->count * 95 + 99) / 100;

	for (size_t i = 0; i < s->count; i++) {
		const struct sample *x = s->sample + i;
		const double slack = 5e-7; /* six decimals */

		sum.error += x->error;
		sum.lru += x->lru;
		sum.flagged += x->row->low_confidence;
		sum.error_flagged += x->row->low_confidence ? x->error : 0;
		sum.covered += x->row->exact >= x->row->low - slack &&
			       x->row->exact <= x->row->high + slack;
		sum.seconds += x->row->seconds;
		sum.longest = fmax(sum.longest, x->row->seconds);
		if (!x->row->low_confidence && !sum.sure.row)
			sum.sure = *x;
	}
	sum.p95 = s->sample[twentieth].error;
	sum.largest = s->sample[0].error;
	qsort(s->sample, s->count, sizeof *s->sample, by_lru);
	sum.lru_p95 = s->sample[twentieth].lru;
	sum.lru_largest = s->sample[0].lru;
	return sum;
}

static double part(double sum, size_t count)
{
	return count ? sum / (double)count : 0;
}

static void print_head(const char *what)
{
	printf("%-24s %5s %7s %7s %7s %7s | %5s %7s %7s | %5s | %8s %8s | %6s %6s %6s | %s\n", what,
	       "rows", "mean", "p95", "max", "maxsure", "flag%", "m.flag", "m.sure", "cov%",
	       "ms mean", "ms max", "LRU m.", "p95", "max", "where maxsure is");
}

static void print_sums(const char *what, const struct samples *s)
{
	struct sums sum;
	char geometry[RESULTS_TEXT] = "";

	if (!s->count)
		return;
	sum = add_up(s);
	if (sum.sure.row)
		results_geometry_text(sum.sure.row->geometry, geometry);
	printf("%-24s %5zu %7.3f %7.2f %7.2f %7.2f | %5.1f %7.2f %7.3f | %5.1f | %8.3f %8.2f | "
	       "%6.2f %6.2f %6.2f | %s %s\n", what, s->count, part(sum.error, s->count), sum.p95,
	       sum.largest, sum.sure.error, 100 * part((double)sum.flagged, s->count),
	       part(sum.error_flagged, sum.flagged),
	       part(sum.error - sum.error_flagged, s->count - sum.flagged),
	       100 * part((double)sum.covered, s->count), 1e3 * part(sum.seconds, s->count),
	       1e3 * sum.longest, part(sum.lru, s->count), sum.lru_p95, sum.lru_largest,
	       sum.sure.row ? sum.sure.stream : "-", geometry);
}

static bool is_geometry(const struct results_table *t, const struct sample *s, const void *context)
{
	const struct results_geometry *g = context;

	(void)t;
	return s->row->geometry.sets == g->sets && s->row->geometry.ways == g->ways;
}

static bool is_stream(const struct results_table *t, const struct sample *s, const void *context)
{
	(void)t;
	return s->stream == context;
}

static bool is_family(const struct results_table *t, const struct sample *s, const void *context)
{
	for (size_t i = 0; i < t->streams; i++)
		if (t->result[i].stream == s->stream)
			return !strcmp(t->result[i].family, context);
	return false;
}

/* Whether an earlier stream is of the same family: sets of streams have the same ones. */
static bool family_again(const struct results_table *t, size_t stream)
{
	for (size_t i = 0; i < stream; i++)
		if (!strcmp(t->result[i].family, t->result[stream].family))
			return true;
	return false;
}

static void print_by(const struct results_table *t, const char *by, size_t policy,
		     struct sample *room)
{
	for (size_t i = 0; *by == 'g' && i < t->plan->geometries; i++) {
		struct samples s = gather(t, policy, room, is_geometry, t->plan->geometry + i);
		char what[RESULTS_TEXT + 2] = "  ";

		results_geometry_text(t->plan->geometry[i], what + 2);
		print_sums(what, &s);
	}
	for (size_t i = 0; *by != 'g' && i < t->streams; i++) {
		const struct results *r = t->result + i;
		bool family = *by == 'f';
		char what[STREAMS_NAME_MAX + 2];
		struct samples s;

		if (family && family_again(t, i))
			continue;
		s = gather(t, policy, room, family ? is_family : is_stream,
			   family ? r->family : r->stream);
		snprintf(what, sizeof(what), "  %s", family ? r->family : r->stream);
		print_sums(what, &s);
	}
}

static struct sample *room_for(const struct results_table *t)
{
	return ws_alloc(t->streams * t->plan->policies * t->plan->geometries + 1,
			sizeof(struct sample));
}

enum ws_status results_print_summary(const struct results_table *t, const char *by,
				     struct ws_err *err)
{
	struct sample *room = room_for(t);

	if (!room)
		return ws_fail_memory(err, "the summary");
	print_head("policy");
	for (size_t i = 0; i < t->plan->policies; i++) {
		struct samples s = gather(t, i, room, NULL, NULL);

		print_sums(t->plan->policy[i].name, &s);
		if (by)
			print_by(t, by, i, room);
	}
	free(room);
	return WS_OK;
}

static bool is_sure(const struct results_table *t, const struct sample *s, const void *context)
{
	(void)t;
	(void)context;
	return !s->row->low_confidence;
}

enum ws_status results_print_worst(const struct results_table *t, size_t most, bool sure,
				   struct ws_err *err)
{
	struct sample *room = room_for(t);
	struct samples s;

	if (!room)
		return ws_fail_memory(err, "the summary");
	s = gather(t, SIZE_MAX, room, sure ? is_sure : NULL, NULL);
	printf("\n%-12s %-44s %-8s %8s %8s %8s %8s %8s %8s %8s\n", "policy", "stream", "geometry",
	       "model", "exact", "error_pp", "expected", "low", "high", "LRU");
	for (size_t i = 0; i < s.count && i < most; i++) {
		const struct results_row *r = s.sample[i].row;
		char geometry[RESULTS_TEXT];

		results_geometry_text(r->geometry, geometry);
		printf("%-12s %-44s %-8s %8.4f %8.4f %8.2f %8.2f %8.4f %8.4f %8.4f%s\n",
		       r->policy->name, s.sample[i].stream, geometry, r->model, r->exact,
		       results_error_pp(r), r->expected_pp, r->low, r->high, r->lru,
		       r->low_confidence ? " flagged" : "");
	}
	free(room);
	return WS_OK;
}

void results_print_failures(const struct results_table *t)
{
	size_t failed = 0;

	for (size_t i = 0; i < t->streams; i++) {
		for (size_t j = 0; j < t->plan->policies * t->plan->geometries; j++)
			failed += t->result[i].row[j].failed;
		if (t->result[i].failure[0])
			fprintf(stderr, "%s: %s\n", t->result[i].stream, t->result[i].failure);
	}
	if (failed)
		fprintf(stderr, "%zu rows have no result\n", failed);
}
