/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/t-validate.c -- the streams that models are validated on, and the table of
 * results: that a sample of validate/results.csv, made anew, comes out the same (if not,
 * something has changed and `make validate` was not run), and that the policies say of themselves
 * what the table says.
 */
#include "tests/test.h"

#include "tests/validate/results.h"

#define FAMILIES 24u
#define STREAMS 40u
#define TINY 5000u		/* requests */
#define MOST 300000u
#define SAMPLE_STREAMS 3u
#define SAMPLE_REQUESTS 20000u	/* streams sampled are the shortest of more than that */
#define POLICIES_MAX 64u
#define POINTS 100.0

/* ---- streams ----------------------------------------------------------------------------- */

static size_t specs(const struct streams_spec *all)
{
	size_t count = 0;

	while (all[count].family)
		count++;
	return count;
}

static bool has_family(const struct streams_spec *all, const char *family)
{
	for (; all->family; all++)
		if (!strcmp(all->family, family))
			return true;
	return false;
}

static bool same_work(const struct streams_spec *a, const struct streams_spec *b)
{
	return !strcmp(a->family, b->family) && !memcmp(a->n, b->n, sizeof a->n) &&
	       fabs(a->skew - b->skew) < 1e-9 && !a->part && !b->part;
}

static size_t families(const struct streams_spec *all)
{
	size_t count = 0;

	for (size_t i = 0; all[i].family; i++)
		count += !i || strcmp(all[i].family, all[i - 1].family) != 0;
	return count;
}

static void sets_differ(enum streams_set first, enum streams_set second)
{
	const struct streams_spec *a = streams_sets[first], *b = streams_sets[second];
	const char *names[] = { streams_set_names[first], streams_set_names[second] };
	size_t same = 0;

	for (size_t i = 0; a[i].family; i++) {
		for (size_t j = 0; b[j].family; j++) {
			char of_a[STREAMS_NAME_MAX], of_b[STREAMS_NAME_MAX];

			streams_name(a + i, of_a);
			streams_name(b + j, of_b);
			same += !strcmp(of_a, of_b) || same_work(a + i, b + j) ||
				a[i].seed == b[j].seed;
		}
		if (!has_family(b, a[i].family))
			test_ok(false, "%s is in the %s set", a[i].family, names[1]);
	}
	for (size_t i = 0; b[i].family; i++)
		if (!has_family(a, b[i].family))
			test_ok(false, "%s is in the %s set", b[i].family, names[0]);
	test_ok(!same, "%s and %s: %zu pairs of streams with equal names, parameters or seeds",
		names[0], names[1], same);
}

static void sets_ok(void)
{
	for (enum streams_set i = 0; i < STREAMS_SETS; i++) {
		const struct streams_spec *all = streams_sets[i];

		test_ok(families(all) >= FAMILIES && specs(all) >= STREAMS,
			"%s: %zu streams of %zu families", streams_set_names[i], specs(all),
			families(all));
		for (enum streams_set j = i + 1; j < STREAMS_SETS; j++)
			sets_differ(i, j);
	}
}

static bool valid(const struct streams_stream *s)
{
	struct ws_cache cache = { .sets = 32, .ways = 4, .line_bytes = STREAMS_LINE,
				  .sector_bytes = STREAMS_LINE, .hash = ws_hash_find("modulo"),
				  .write = s->spec->write, .policy = "lru" };
	struct ws_counts kind[WS_KINDS + 1] = { { 0 } };
	struct ws_err err = { 0 };
	struct ws_sim *sim;
	bool ok = !ws_sim_new(&sim, &cache, &err) && !ws_sim_push(sim, s->request, s->count, &err);

	if (ok)
		ws_sim_counts(sim, kind);
	else
		printf("# %s: %s\n", s->name, err.text);
	ws_sim_free(sim);
	for (size_t i = 1; i < s->count; i++)
		ok = ok && s->request[i].cycle == i && (s->request[i].follows == 0 ||
			s->request[i].kind == s->request[i - 1].kind);
	return ok && kind[WS_KINDS].requests == s->count && !s->request[0].follows;
}

static bool stream_ok(const struct streams_spec *spec)
{
	struct streams_stream a, b;
	bool tiny = !strcmp(spec->family, "tiny"), ok;

	if (streams_make(&a, spec, NULL))
		return false;
	if (streams_make(&b, spec, NULL)) {
		streams_free(&a);
		return false;
	}
	ok = a.count == b.count && streams_checksum(&a) == streams_checksum(&b) && valid(&a) &&
	     a.count >= (tiny ? 500 : SAMPLE_REQUESTS) && a.count <= (tiny ? TINY : MOST);
	if (!ok)
		printf("# %s: %zu requests, %zu the second time\n", a.name, a.count, b.count);
	streams_free(&a);
	streams_free(&b);
	return ok;
}

static void streams_ok(enum streams_set set)
{
	const struct streams_spec *all = streams_sets[set];
	size_t bad = 0;

	for (size_t i = 0; all[i].family; i++)
		bad += !stream_ok(all + i);
	test_ok(!bad, "%s: the same twice, as the simulator wants them, neither short nor long: "
		"%zu are not", streams_set_names[set], bad);
}

/* ---- the table --------------------------------------------------------------------------- */

struct line {
	char stream[STREAMS_NAME_MAX], policy[WS_NAME_MAX], geometry[RESULTS_TEXT];
	double value[COLUMNS];	/* from REQUESTS on */
};

struct table {
	struct line *line;
	size_t count, cap;
};

static bool split(char *text, struct line *out)
{
	char *word = text;

	text[strcspn(text, "\r\n")] = '\0';
	for (int i = 0; i < COLUMNS; i++) {
		char *comma = strchr(word, ',');

		if (!comma != (i == COLUMNS - 1))
			return false;
		if (comma)
			*comma = '\0';
		if (i == STREAM)
			snprintf(out->stream, sizeof out->stream, "%s", word);
		else if (i == POLICY)
			snprintf(out->policy, sizeof out->policy, "%s", word);
		else if (i == GEOMETRY)
			snprintf(out->geometry, sizeof out->geometry, "%s", word);
		else if (i >= REQUESTS && !ws_parse_double(word[0] == '-' ? word + 1 : word,
							   &out->value[i]))
			return false;
		if (i >= REQUESTS && word[0] == '-')
			out->value[i] = -out->value[i];
		word = comma ? comma + 1 : word;
	}
	return true;
}

/* False if there is none; a malformed line fails a test. */
static bool table_read(struct table *t)
{
	const char *data = getenv("WARPSTACK_DATA");
	char path[4096], *text = NULL;
	size_t cap = 0, bad = 0;
	FILE *file = fopen("validate/results.csv", "r");

	snprintf(path, sizeof(path), "%s/../validate/results.csv", data ? data : ".");
	file = file ? file : fopen(path, "r");
	if (!file)
		return false;
	bad += getline(&text, &cap, file) <= 0 || strncmp(text, "stream,family,policy,", 21) != 0;
	while (getline(&text, &cap, file) > 0) {
		if (!WS_ROOM(t->line, t->cap, t->count + 1))
			break;
		if (split(text, t->line + t->count))
			t->count++;
		else
			bad++;
	}
	bad += !feof(file);
	fclose(file);
	free(text);
	test_ok(!bad && t->count, "the table is read: %zu rows", t->count);
	return true;
}

/* Distinct policies of the table. */
static size_t table_policies(const struct table *t, struct results_policy *policy)
{
	size_t count = 0, unknown = 0;

	for (size_t i = 0; i < t->count && count < POLICIES_MAX; i++) {
		size_t j = 0;

		while (j < count && strcmp(policy[j].name, t->line[i].policy) != 0)
			j++;
		if (j < count)
			continue;
		if (results_policy(policy + count, t->line[i].policy, NULL))
			unknown++;
		else
			count++;
	}
	test_u64(unknown, 0, "policies of the table that there are not");
	return count;
}

static void complete(const struct table *t, const struct results_policy *policy, size_t policies)
{
	size_t rows = specs(streams_sets[STREAMS_REPORT]) * RESULTS_GEOMETRIES;

	test_u64(t->count, rows * policies, "rows: streams x geometries x policies");
	for (size_t i = 0; ws_policies[i]; i++) {
		const struct ws_policy *p = ws_policies[i];
		size_t j = 0;

		while (j < policies && strcmp(policy[j].name, p->name) != 0)
			j++;
		if (!p->variant && (p->solve || p->predict))
			test_ok(j < policies, "%s is in the table", p->name);
	}
}

/* mean_pp and max_pp of a policy. */
static void figures(const struct table *t, const struct ws_policy *p)
{
	double sum = 0, most = 0;
	size_t rows = 0;

	for (size_t i = 0; i < t->count; i++) {
		const struct line *l = t->line + i;

		if (strcmp(l->policy, p->name) != 0)
			continue;
		rows++;
		sum += fabs(l->value[ERROR]);
		if (l->value[LOW_CONFIDENCE] < 0.5)
			most = fmax(most, fabs(l->value[ERROR]));
	}
	if (!rows)
		return;
	test_abs(p->mean_pp, sum / (double)rows, 0.0101, p->name);
	test_abs(p->max_pp, most, 0.0101, p->name);
}

/* ---- a sample of it, made anew ----------------------------------------------------------- */

static double requests_of(const struct table *t, const struct streams_spec *spec)
{
	char name[STREAMS_NAME_MAX];

	streams_name(spec, name);
	for (size_t i = 0; i < t->count; i++)
		if (!strcmp(t->line[i].stream, name))
			return t->line[i].value[REQUESTS];
	return 0;
}

/* The shortest that is longer than `more`, or of the same length and further down the set. */
static const struct streams_spec *next_sample(const struct table *t, double more,
					      const struct streams_spec *last)
{
	const struct streams_spec *all = streams_sets[STREAMS_REPORT], *best = NULL;

	for (const struct streams_spec *s = all; s->family; s++) {
		double requests = requests_of(t, s);

		if (requests < more || (requests <= more && s <= last))
			continue;
		if (!best || requests < requests_of(t, best))
			best = s;
	}
	return best;
}

static bool near(double got, double want, double tolerance)
{
	return fabs(got - want) <= tolerance;
}

/* Exact ratios to the table's last digit; of models solvers' last digits may differ. */
static bool row_same(const struct results_row *r, const struct line *l)
{
	const double ratio = 5e-5;

	return !r->failed && near((double)r->requests, l->value[REQUESTS], 0.5) &&
	       near(r->exact, l->value[EXACT], 1e-6) && near(r->model, l->value[MODEL], ratio) &&
	       near(r->expected_pp, l->value[EXPECTED], POINTS * ratio) &&
	       near(r->low, l->value[LOW], ratio) && near(r->high, l->value[HIGH], ratio) &&
	       r->low_confidence == (l->value[LOW_CONFIDENCE] > 0.5);
}

static size_t different(const struct table *t, const struct results *r, size_t rows, size_t *found)
{
	size_t bad = 0;

	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < t->count; j++) {
			const struct line *l = t->line + j;
			char geometry[RESULTS_TEXT];

			results_geometry_text(r->row[i].geometry, geometry);
			if (strcmp(l->stream, r->stream) || strcmp(l->geometry, geometry) ||
			    strcmp(l->policy, r->row[i].policy->name))
				continue;
			++*found;
			if (row_same(r->row + i, l))
				continue;
			bad++;
			printf("# %s %s %s: model %.6f exact %.6f, in the table %.6f and %.6f\n",
			       l->policy, l->stream, geometry, r->row[i].model, r->row[i].exact,
			       l->value[MODEL], l->value[EXACT]);
		}
	return bad;
}

static void sample(const struct table *t, const struct results_policy *policy, size_t policies)
{
	static const struct results_geometry geometry[] = { { 32, 4 }, { 16, 16 } };
	struct results_plan plan = { .policy = policy, .policies = policies, .geometry = geometry,
				     .geometries = WS_COUNT(geometry), .model = true,
				     .exact = true, .set_sample = WS_SET_SAMPLE_MOST };
	const struct streams_spec *spec = NULL;
	size_t rows = policies * WS_COUNT(geometry);
	double more = SAMPLE_REQUESTS;

	if (exact_new(&plan.cache, NULL, NULL))
		return;
	for (unsigned i = 0; i < SAMPLE_STREAMS; i++) {
		struct ws_err err = { 0 };
		struct results r = { .row = NULL };
		size_t found = 0;

		spec = next_sample(t, more, spec);
		if (!test_ok(spec && !results_make(&r, &plan, spec, &err), "a stream to sample %s",
			     err.text))
			break;
		more = requests_of(t, spec);
		test_u64(different(t, &r, rows, &found), 0, r.stream);
		test_u64(found, rows, "its rows in the table");
		results_free(&r);
	}
	exact_free(plan.cache);
}

/* ---- sectors ------------------------------------------------------------------------------ */

#define SECTORED_STREAMS 4u	/* the shortest of the report set */

static const struct {
	const char *policy;
	double mean_pp;		/* at most; the report set as a whole: NEWS */
} sectored_bounds[] = {
	{ "lru", 0 }, { "plru", 1 }, { "nru", 2 }, { "random", 2 }, { "fifo", 3 },
	{ "srrip", 2 }, { "drrip", 4 }, { "dip", 4 }, { "brrip", 8 }, { "lfu", 5 },
};

static void sectored_error(const struct results *r, size_t geometries, double *sum)
{
	for (size_t i = 0; i < WS_COUNT(sectored_bounds) * geometries; i++)
		sum[i / geometries] += fabs(POINTS * (r->row[i].model - r->row[i].exact));
}

/* Streams whose lines become sectors, four to a line: models against the simulator. */
static void sectored(const struct table *t)
{
	static struct results_policy policy[WS_COUNT(sectored_bounds)];
	struct results_plan plan = { .policy = policy, .policies = WS_COUNT(sectored_bounds),
				     .geometry = results_sectored,
				     .geometries = RESULTS_GEOMETRIES, .model = true,
				     .exact = true, .sectored = true };
	double sum[WS_COUNT(sectored_bounds)] = { 0 }, more = 0;
	const struct streams_spec *spec = NULL;
	struct ws_err err = { 0 };

	for (size_t i = 0; i < WS_COUNT(sectored_bounds); i++)
		test_ok(!results_policy(&policy[i], sectored_bounds[i].policy, &err), "%s",
			sectored_bounds[i].policy);
	if (exact_new(&plan.cache, NULL, NULL))
		return;
	for (unsigned i = 0; i < SECTORED_STREAMS; i++) {
		struct results r = { .row = NULL };

		spec = next_sample(t, more, spec);
		if (!test_ok(spec && !results_make(&r, &plan, spec, &err), "in sectors: %s",
			     err.text))
			break;
		more = requests_of(t, spec);
		sectored_error(&r, plan.geometries, sum);
		results_free(&r);
	}
	exact_free(plan.cache);
	for (size_t i = 0; i < WS_COUNT(sectored_bounds); i++) {
		double mean = sum[i] / (SECTORED_STREAMS * RESULTS_GEOMETRIES);

		test_ok(mean <= sectored_bounds[i].mean_pp, "%s in sectors: %.3f points, want at "
			"most %g", sectored_bounds[i].policy, mean, sectored_bounds[i].mean_pp);
	}
}

int main(void)
{
	static struct results_policy policy[POLICIES_MAX];
	struct table t = { .line = NULL };
	size_t policies;

	sets_ok();
	for (enum streams_set i = 0; i < STREAMS_SETS; i++)
		streams_ok(i);
	if (!table_read(&t)) {
		test_skip("validate/results.csv", "it is not there: make validate");
		return test_done();
	}
	policies = table_policies(&t, policy);
	complete(&t, policy, policies);
	for (size_t i = 0; ws_policies[i]; i++)
		figures(&t, ws_policies[i]);
	sample(&t, policy, policies);
	sectored(&t);
	free(t.line);
	return test_done();
}
