/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/v-results.c -- how far each policy's model is from the simulator, on the streams
 * of tests/streams/.
 *
 *   make validate                 the report set into validate/results.csv, and a summary
 *   v-results                     the dev set, all policies that have a model, all geometries
 *     --set dev,tried             one or several of dev, tried (the second to develop on) and
 *                                 report, which is for reporting only
 *     --policy srrip,fifo         these; may be repeated (prob:... is one policy, commas and all)
 *     --stream kmeans             streams whose name contains that; may be repeated
 *     --geometry 32x4,4x192       any sets x ways; may be repeated
 *     --exact FILE                exact results are read from FILE, those missing appended to it
 *     --worst N                   the N rows with the largest errors; --sure: of those not flagged
 *     --sectored                  a stream's lines become sectors of 32 B, four to a line
 *     --set-sample N              of each stream a sample of sets of N requests (131072)
 *     --models                    no sample: what models say
 *     --by geometry|family|stream errors by these too
 *     --csv FILE                  all rows
 *     --warm                      simulates all policies of the table into --exact, asks no model
 *
 * So for one model at work:  v-results --policy fifo --exact exact.txt --worst 10
 *
 * Errors are of the miss ratio over all requests, in points.  Exact results of policies that draw
 * random numbers are the mean of 3 seeds.  "same as LRU" is what the error would be if LRU's ratio
 * were taken for the policy's.  Times are processor time of one question, the first of a
 * profile paying for what the others share.  Rows are the same whatever the threads.
 */
#include "tests/validate/results.h"

#include <stdlib.h>
#include <string.h>

#define POLICIES_MAX 64u
#define GEOMETRIES_MAX 32u

struct options {
	const char *exact, *csv, *by;
	struct ws_list set, policy, stream, geometry;
	uint64_t worst, threads, set_sample;
	bool models, warm, sure, sectored, help;
};

#define AT(field) offsetof(struct options, field)
static const struct ws_option options[] = {
	{ .name = "set", .type = WS_OPT_LIST, .offset = AT(set), .arg = "NAMES",
	  .help = "sets of streams: dev, tried, report" },
	{ .name = "policy", .type = WS_OPT_LIST, .offset = AT(policy), .arg = "NAMES",
	  .help = "policies" },
	{ .name = "stream", .type = WS_OPT_LIST, .offset = AT(stream), .arg = "TEXT",
	  .help = "streams so named" },
	{ .name = "geometry", .type = WS_OPT_LIST, .offset = AT(geometry), .arg = "SETSxWAYS",
	  .help = "caches" },
	{ .name = "exact", .type = WS_OPT_STRING, .offset = AT(exact), .arg = "FILE",
	  .help = "exact results are kept there" },
	{ .name = "csv", .type = WS_OPT_STRING, .offset = AT(csv), .arg = "FILE",
	  .help = "all rows" },
	{ .name = "worst", .type = WS_OPT_U64, .offset = AT(worst), .arg = "N",
	  .help = "the largest errors" },
	{ .name = "sure", .type = WS_OPT_FLAG, .offset = AT(sure),
	  .help = "--worst of rows that are not flagged" },
	{ .name = "by", .type = WS_OPT_CHOICE, .offset = AT(by), .arg = "WHAT",
	  .choices = "geometry family stream", .help = "errors by these too" },
	{ .name = "warm", .type = WS_OPT_FLAG, .offset = AT(warm), .help = "simulates only" },
	{ .name = "sectored", .type = WS_OPT_FLAG, .offset = AT(sectored),
	  .help = "lines become sectors, four to a line" },
	{ .name = "set-sample", .type = WS_OPT_U64, .offset = AT(set_sample), .arg = "N",
	  .help = "requests of a sample of sets", .min = 1, .max = UINT32_MAX },
	{ .name = "models", .type = WS_OPT_FLAG, .offset = AT(models),
	  .help = "no sample of sets: models alone" },
	{ .name = "threads", .type = WS_OPT_U64, .offset = AT(threads), .arg = "N",
	  .help = "0: all cores", .max = 1024 },
	{ .name = "help", .letter = 'h', .type = WS_OPT_FLAG, .offset = AT(help), .help = "this" },
	{ 0 },
};

struct table {
	struct results_table all;
	struct results_plan plan;
	struct results_policy policy[POLICIES_MAX];
	struct results_geometry geometry[GEOMETRIES_MAX];
	const struct streams_spec **spec; /* of each stream */
	size_t specs;		/* room for so many */
};

/* ---- what is asked for ------------------------------------------------------------------- */

static enum ws_status add_policy(struct table *t, const char *name, struct ws_err *err)
{
	struct results_policy *p = t->policy + t->plan.policies;
	enum ws_status status;

	if (t->plan.policies == POLICIES_MAX)
		return ws_fail(err, WS_EINVAL, "more than %u policies", POLICIES_MAX);
	status = results_policy(p, name, err);
	if (status)
		return status;
	if (t->plan.model && !p->policy->solve && !p->policy->predict)
		fprintf(stderr, "%s has no model yet: left out\n", name);
	else
		t->plan.policies++;
	return WS_OK;
}

/* Cuts text at commas; a policy of per-way weights has some of its own. */
static enum ws_status add_policies(struct table *t, const char *text, struct ws_err *err)
{
	char name[WS_NAME_MAX];
	enum ws_status status = WS_OK;

	if (!strncmp(text, "prob:", 5))
		return add_policy(t, text, err);
	while (*text && !status) {
		size_t len = strcspn(text, ",");

		snprintf(name, sizeof(name), "%.*s", (int)len, text);
		status = add_policy(t, name, err);
		text += len + (text[len] == ',');
	}
	return status;
}

/* The table's that take no parameters or can do without, and some with. */
static void add_default(struct table *t, bool variants)
{
	static const char *const more[] = { "srrip:3", "lfu-age:1", "lfu-age:8" };

	for (size_t i = 0; ws_policies[i]; i++) {
		const struct ws_policy *p = ws_policies[i];

		if ((p->variant && !variants) || (t->plan.model && !p->solve && !p->predict))
			continue;
		(void)!add_policy(t, p->name, NULL); /* one that must have parameters is left out */
	}
	for (size_t i = 0; i < WS_COUNT(more); i++) {
		const struct ws_policy *p = ws_policy_find(more[i]);

		if (p && (!t->plan.model || p->solve || p->predict))
			(void)!add_policy(t, more[i], NULL);
	}
}

static enum ws_status add_geometries(struct table *t, const char *text, struct ws_err *err)
{
	while (*text) {
		struct results_geometry g;
		int used = 0;

		if (sscanf(text, "%ux%u%n", &g.sets, &g.ways, &used) != 2 || !g.sets || !g.ways ||
		    (text[used] && text[used] != ','))
			return ws_fail(err, WS_EINVAL, "geometry \"%s\": want SETSxWAYS,...", text);
		if (t->plan.geometries == GEOMETRIES_MAX)
			return ws_fail(err, WS_EINVAL, "more than %u geometries", GEOMETRIES_MAX);
		t->geometry[t->plan.geometries++] = g;
		text += used + (text[used] == ',');
	}
	return WS_OK;
}

static bool wanted(const struct options *o, const struct streams_spec *spec)
{
	char name[STREAMS_NAME_MAX];

	streams_name(spec, name);
	for (size_t i = 0; i < o->stream.count; i++)
		if (strstr(name, o->stream.item[i]))
			return true;
	return !o->stream.count;
}

/* Cuts text at commas. */
static enum ws_status choose_sets(bool chosen[STREAMS_SETS], const char *text, struct ws_err *err)
{
	while (*text) {
		size_t len = strcspn(text, ","), i = 0;

		while (i < STREAMS_SETS && (strlen(streams_set_names[i]) != len ||
					    strncmp(text, streams_set_names[i], len) != 0))
			i++;
		if (i == STREAMS_SETS)
			return ws_fail(err, WS_EINVAL, "no set of streams \"%.*s\"", (int)len,
				       text);
		chosen[i] = true;
		text += len + (text[len] == ',');
	}
	return WS_OK;
}

static enum ws_status add_set(struct table *t, const struct options *o,
			      const struct streams_spec *all, struct ws_err *err)
{
	size_t count = 0;

	while (all[count].family)
		count++;
	if (!WS_ROOM(t->spec, t->specs, t->all.streams + count))
		return ws_fail_memory(err, "streams");
	for (size_t i = 0; i < count; i++)
		if (wanted(o, all + i))
			t->spec[t->all.streams++] = all + i;
	return WS_OK;
}

static enum ws_status add_streams(struct table *t, const struct options *o, struct ws_err *err)
{
	bool chosen[STREAMS_SETS] = { [STREAMS_DEV] = !o->set.count };
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < o->set.count && !status; i++)
		status = choose_sets(chosen, o->set.item[i], err);
	for (size_t i = 0; i < STREAMS_SETS && !status; i++)
		if (chosen[i])
			status = add_set(t, o, streams_sets[i], err);
	if (status)
		return status;
	if (!t->all.streams)
		return ws_fail(err, WS_EINVAL, "no stream is so named");
	t->all.result = ws_alloc_zero(t->all.streams, sizeof *t->all.result);
	return t->all.result ? WS_OK : ws_fail_memory(err, "results");
}

static enum ws_status plan(struct table *t, const struct options *o, struct ws_err *err)
{
	enum ws_status status = exact_new(&t->plan.cache, o->exact, err);

	t->all.plan = &t->plan;
	t->plan.policy = t->policy;
	t->plan.geometry = t->geometry;
	t->plan.model = !o->warm;
	t->plan.exact = true;
	t->plan.sectored = o->sectored;
	t->plan.set_sample = o->models ? 0 : o->set_sample ? o->set_sample : WS_SET_SAMPLE_MOST;
	for (size_t i = 0; i < o->policy.count && !status; i++)
		status = add_policies(t, o->policy.item[i], err);
	if (!o->policy.count)
		add_default(t, o->warm);
	for (size_t i = 0; i < o->geometry.count && !status; i++)
		status = add_geometries(t, o->geometry.item[i], err);
	if (!o->geometry.count) {
		memcpy(t->geometry, o->sectored ? results_sectored : results_geometries,
		       sizeof(results_geometries));
		t->plan.geometries = RESULTS_GEOMETRIES;
	}
	return status ? status : add_streams(t, o, err);
}

/* ---- work -------------------------------------------------------------------------------- */

static enum ws_status work(void *context, size_t i, unsigned thread, struct ws_err *err)
{
	struct table *t = context;

	(void)thread;
	return results_make(t->all.result + i, &t->plan, t->spec[i], err);
}

static const struct ws_column csv_columns[] = {
	[STREAM] = { .name = "stream", .type = WS_COLUMN_TEXT },
	[FAMILY] = { .name = "family", .type = WS_COLUMN_TEXT },
	[POLICY] = { .name = "policy", .type = WS_COLUMN_TEXT },
	[GEOMETRY] = { .name = "geometry", .type = WS_COLUMN_TEXT },
	[REQUESTS] = { .name = "requests", .type = WS_COLUMN_COUNT },
	[MODEL] = { .name = "model", .type = WS_COLUMN_REAL, .decimals = 6 },
	[EXACT] = { .name = "exact", .type = WS_COLUMN_REAL, .decimals = 6 },
	[ERROR] = { .name = "error_pp", .type = WS_COLUMN_REAL, .decimals = 4 },
	[EXPECTED] = { .name = "expected_pp", .type = WS_COLUMN_REAL, .decimals = 4 },
	[LOW] = { .name = "low", .type = WS_COLUMN_REAL, .decimals = 6 },
	[HIGH] = { .name = "high", .type = WS_COLUMN_REAL, .decimals = 6 },
	[LOW_CONFIDENCE] = { .name = "unsure", .type = WS_COLUMN_COUNT },
};

static void csv_row(struct ws_table *csv, const struct results *s,
		    const struct results_row *r)
{
	char geometry[RESULTS_TEXT];

	results_geometry_text(r->geometry, geometry);
	ws_cell_str(csv, STREAM, s->stream);
	ws_cell_str(csv, FAMILY, s->family);
	ws_cell_str(csv, POLICY, r->policy->name);
	ws_cell_str(csv, GEOMETRY, geometry);
	ws_cell_u64(csv, REQUESTS, r->requests);
	ws_cell_f64(csv, MODEL, r->model);
	ws_cell_f64(csv, EXACT, r->exact);
	ws_cell_f64(csv, ERROR, results_error_pp(r));
	ws_cell_f64(csv, EXPECTED, r->expected_pp);
	ws_cell_f64(csv, LOW, r->low);
	ws_cell_f64(csv, HIGH, r->high);
	ws_cell_u64(csv, LOW_CONFIDENCE, r->low_confidence);
	ws_row_end(csv);
}

static enum ws_status write_csv(const struct results_table *t, const char *path, struct ws_err *err)
{
	struct ws_field field[WS_COUNT(csv_columns)];
	struct ws_out out;
	struct ws_table *csv;
	enum ws_status status = ws_out_open(&out, path, err);

	if (status)
		return status;
	for (unsigned i = 0; i < WS_COUNT(field); i++)
		field[i] = (struct ws_field){ i, &csv_columns[i] };
	status = ws_table_new(&csv, out.file, field, WS_COUNT(field),
			      &(struct ws_table_options){ .format = WS_CSV }, err);
	for (size_t i = 0; !status && i < t->streams; i++)
		for (size_t j = 0; j < t->plan->policies * t->plan->geometries; j++)
			if (!t->result[i].row[j].failed)
				csv_row(csv, &t->result[i], &t->result[i].row[j]);
	if (!status)
		status = ws_table_end(csv, err);
	ws_table_free(csv);
	if (!status)
		status = ws_out_commit(&out, err);
	ws_out_abort(&out);
	return status;
}

/* ---- main -------------------------------------------------------------------------------- */

static enum ws_status run(const struct options *o, struct ws_err *err)
{
	struct table t = { .spec = NULL };
	enum ws_status status = plan(&t, o, err);
	double start = ws_seconds();

	if (!status)
		status = ws_parallel((unsigned)o->threads, t.all.streams, work, &t, err);
	if (!status)
		results_print_failures(&t.all);
	if (!status && o->csv && !o->warm)
		status = write_csv(&t.all, o->csv, err);
	if (!status && !o->warm)
		status = results_print_summary(&t.all, o->by, err);
	if (!status && !o->warm && o->worst)
		status = results_print_worst(&t.all, (size_t)o->worst, o->sure, err);
	fflush(stdout);
	if (!status)
		fprintf(stderr, "%zu streams, %zu policies, %zu geometries: %.1f s\n",
			t.all.streams, t.plan.policies, t.plan.geometries, ws_seconds() - start);
	for (size_t i = 0; t.all.result && i < t.all.streams; i++)
		results_free(t.all.result + i);
	free(t.all.result);
	free(t.spec);
	exact_free(t.plan.cache);
	return status;
}

static void help(void)
{
	puts("usage: v-results [options]");
	for (const struct ws_option *o = options; o->name; o++)
		printf("  --%s %s\t%s\n", o->name, o->arg ? o->arg : "", o->help);
}

int main(int argc, char **argv)
{
	const struct ws_option *const tables[] = { options };
	struct options o = { .exact = NULL };
	struct ws_list operands = { NULL, 0, 0 };
	struct ws_err err = { 0 };
	enum ws_status status = ws_options_parse(tables, 1, &o, argc, argv, &operands, &err);

	if (!status && operands.count)
		status = ws_fail(&err, WS_EINVAL, "no operands are taken: \"%s\"",
				 operands.item[0]);
	if (!status && o.help)
		help();
	else if (!status)
		status = run(&o, &err);
	if (status)
		fprintf(stderr, "v-results: %s\n", err.text);
	ws_list_clear(&o.set);
	ws_list_clear(&o.policy);
	ws_list_clear(&o.stream);
	ws_list_clear(&o.geometry);
	ws_list_clear(&operands);
	return ws_exit_code(status);
}
