/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/v-grains.c -- Elastic-Cache and DyCache as predicted from a profile, beside the
 * caches of validate/grain/grain.h that are simulated, on our own kernels.
 *
 *   v-grains LAUNCH...     writes a CSV to standard output, a summary to standard error
 *
 * GTX 480, L1s of 16 KB (32 sets of 4) and 48 KB (64 of 6).  One row is all kernels of a launch
 * file under one cache.  Tables, by the column `table`:
 *
 *   default elastic:32, elastic:64; dycache of thresholds 25, 50, 75 and periods 1000, 5000, 10000
 *   write-back, write-through elastic, and dycache with periods of 1000 tag-8, tag-6, tag-4 elastic
 *   with so small an l1.chunk.tag retain, adapt, choose dycache with periods of 1000 and
 *   l1.grain.retain, .period.max =
 *                                  8000, .fine = choose
 *
 * All of a table and launch file is from one profile of windows of 1000 requests.  Nothing in the
 * model is a number that was fitted, but its rules were chosen with the rows of `default`,
 * write-back, write-through and, in part, tag-* in sight; those of retain, adapt and choose were
 * not.
 */
#include <stdlib.h>

#include "tests/test.h"
#include "tests/validate/captured.h"
#include "validate/validate.h"

#define PERIOD 1000u
#define TABLES_MAX 16u

struct table {
	const char *name, *set;
	bool elastic, dycache, periods;
};

static const struct table tables[] = {
	{ "default", NULL, true, true, true },
	{ "write-back", "l1.write=write-back", true, true, false },
	{ "write-through", "l1.write=write-through", true, true, false },
	{ "tag-8", "l1.chunk.tag=8", true, false, false },
	{ "tag-6", "l1.chunk.tag=6", true, false, false },
	{ "tag-4", "l1.chunk.tag=4", true, false, false },
	{ "retain", "l1.grain.retain=yes", false, true, false },
	{ "adapt", "l1.grain.period.max=8000", false, true, false },
	{ "choose", "l1.grain.fine=choose", false, true, false },
};

struct sums {
	double sum, max;
	unsigned count, outside;
};

static struct sums sums[TABLES_MAX][2]; /* by table; elastic, dycache */
static double seconds;		/* of predictions of `default`, dycache */

static void must(enum ws_status status, const struct ws_err *err)
{
	if (status == WS_OK)
		return;
	fprintf(stderr, "v-grains: %s\n", err->text);
	exit(1);
}

struct measured {		/* of a table and a launch file */
	const char *file;
	size_t name;		/* characters of the file's name */
	const struct table *table;
	struct ws_machine machine;
	struct ws_profile *profile;
	struct ws_model *answers;
	struct ws_streams *streams;
	size_t launches;
};

static void predict(const struct measured *m, const struct ws_cache *cache, struct ws_check *c)
{
	double start = ws_seconds();
	struct ws_err err = { 0 };

	*c = (struct ws_check){ .error_pp = 0 };
	for (size_t i = 0; i < m->profile->sections; i++) {
		struct ws_prediction p;

		must(ws_model_predict(m->answers, i, cache, &p, &err), &err);
		for (unsigned kind = 0; kind <= WS_KINDS; kind++)
			ws_counts_add(c->model.kind + kind, p.kind + kind);
		c->model.basis = p.basis;
		c->model.low[WS_KINDS] += p.low[WS_KINDS] * (double)p.kind[WS_KINDS].requests;
		c->model.high[WS_KINDS] += p.high[WS_KINDS] * (double)p.kind[WS_KINDS].requests;
	}
	c->model.low[WS_KINDS] /= (double)c->model.kind[WS_KINDS].requests;
	c->model.high[WS_KINDS] /= (double)c->model.kind[WS_KINDS].requests;
	if (m->table->periods && cache->organised.as == WS_DYCACHE)
		seconds += ws_seconds() - start;
}

/* period: 0 for elastic. */
static void row(const struct measured *m, const char *organisation, uint64_t period, bool large)
{
	struct sums *s = &sums[m->table - tables][period > 0];
	struct ws_cache cache = m->machine.l1;
	struct ws_machine as = m->machine;
	struct ws_err err = { 0 };
	struct ws_check c;
	double model, exact;
	char text[64];

	snprintf(text, sizeof text, "l1.organisation=%s", organisation);
	must(ws_machine_set(&as, text, &err), &err);
	cache.organised = as.l1.organised;
	cache.sets = large ? 64 : 32;
	cache.ways = large ? 6 : 4;
	cache.size_bytes = cache.sets * cache.ways * cache.line_bytes;
	cache.grain_period = period ? period : PERIOD;
	predict(m, &cache, &c);
	must(ws_simulate(m->streams, m->launches, NULL, &cache, 1, c.exact, &err), &err);
	ws_check_judge(&c, false, -1);
	model = ws_miss_ratio(c.model.kind + WS_KINDS, false);
	exact = ws_miss_ratio(c.exact + WS_KINDS, false);
	printf("%s,%.*s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.6f,%.6f,%.3f\n",
	       m->table->name, (int)m->name, m->file, organisation, period, cache.size_bytes,
	       c.exact[WS_KINDS].requests, exact, model, 100 * (model - exact));
	s->sum += c.error_pp;
	s->max = c.error_pp > s->max ? c.error_pp : s->max;
	s->count++;
	s->outside += !c.within_bound;
}

static void rows(const struct measured *m)
{
	static const char *const elastic[] = { "elastic:32", "elastic:64" };
	static const char *const dycache[] = { "dycache:25", "dycache:50", "dycache:75" };
	static const uint64_t periods[] = { PERIOD, 5 * PERIOD, 10 * PERIOD };

	for (unsigned large = 0; large < 2; large++) {
		for (size_t i = 0; m->table->elastic && i < WS_COUNT(elastic); i++)
			row(m, elastic[i], 0, large);
		for (size_t i = 0; m->table->dycache && i < WS_COUNT(dycache); i++)
			for (size_t j = 0; j < (m->table->periods ? WS_COUNT(periods) : 1); j++)
				row(m, dycache[i], periods[j], large);
	}
}

static void measure(const char *file, struct ws_trace *t, const struct table *table)
{
	static const struct ws_shape shape[] = { { 128, 32 }, { 128, 64 } };
	const struct ws_profile_options o = {
		.shape = shape, .shapes = WS_COUNT(shape), .seed = 1,
		.record = WS_RECORD_CHUNKS, .grain_period = PERIOD,
	};
	const char *base = strrchr(file, '/');
	struct measured m = { .file = base ? base + 1 : file, .table = table };
	struct ws_err err = { 0 };

	m.name = strcspn(m.file, ".");
	must(ws_machine_load(&m.machine, "gtx480", &err), &err);
	if (table->set)
		must(ws_machine_set(&m.machine, table->set, &err), &err);
	must(ws_machine_check(&m.machine, &err), &err);
	must(ws_profile_trace(&m.profile, t, &m.machine, &o, &err), &err);
	must(ws_model_new(&m.answers, m.profile, &err), &err);
	must(ws_streams_make(&m.streams, &m.launches, t, &m.machine, &o, &err), &err);
	rows(&m);
	ws_streams_free(m.streams, m.launches);
	ws_model_free(m.answers);
	ws_profile_free(m.profile);
}

static void say(const struct table *table, const char *what, const struct sums *s)
{
	if (s->count)
		fprintf(stderr, "%-13s %-7s mean %.3f, max %.3f points of %u; %u outside the "
			"interval\n", table->name, what, s->sum / s->count, s->max, s->count,
			s->outside);
}

int main(int argc, char **argv)
{
	printf("table,application,organisation,period,size_bytes,requests,exact_miss_ratio,"
	       "model_miss_ratio,error_pp\n");
	for (int i = 1; i < argc; i++) {
		struct ws_err err = { 0 };
		struct ws_trace *t;

		must(captured(&t, argv[i], &err), &err);
		for (size_t k = 0; k < WS_COUNT(tables); k++)
			measure(argv[i], t, tables + k);
		ws_trace_close(t);
		fflush(stdout);
	}
	for (size_t k = 0; k < WS_COUNT(tables); k++) {
		say(tables + k, "elastic", &sums[k][0]);
		say(tables + k, "dycache", &sums[k][1]);
	}
	fprintf(stderr, "dycache, 3 thresholds x 3 periods x 2 sizes of %d files: %.3f s of "
		"predictions\n", argc - 1, seconds);
	return 0;
}
