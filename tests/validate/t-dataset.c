/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/t-dataset.c -- expressions, set.conf, tables, launches, and the error's measures.
 */
#include <glob.h>

#include "tests/test.h"
#include "tests/validate/any_dataset.h"

/* ---- expressions --------------------------------------------------------------------- */

static bool names(const void *context, const char *name, struct ws_scalar *v)
{
	(void)context;
	if (strcmp(name, "n") == 0)
		v->number = 48;
	else if (strcmp(name, "gone") == 0)
		v->number = (double)NAN;
	else if (strcmp(name, "gpu") == 0)
		snprintf(v->text, sizeof v->text, "K40");
	else
		return false;
	return true;
}

static void gives(const char *text, double want)
{
	struct ws_scalar v = { .number = -1 };
	struct ws_err err = { .status = WS_OK };
	enum ws_status status = ws_expression(text, names, NULL, &v, &err);

	test_ok(status == WS_OK && (isnan(want) ? isnan(v.number) : v.number == want),
		"%s is %g: got %g %s", text, want, v.number, err.text);
}

static void refused(const char *text, const char *want)
{
	struct ws_scalar v;
	struct ws_err err = { .status = WS_OK };

	test_ok(ws_expression(text, names, NULL, &v, &err) == WS_EFORMAT, "%s is refused", text);
	test_str(err.text, want, "and says");
}

static void expressions(void)
{
	char deep[400];

	gives("1 + 2 * 3", 7);
	gives("(1 + 2) * 3 - 10 % 4", 7);
	gives("n*n / 32", 72);
	gives("-n + 50 = 2 & !(n < 48) & n <= 48", 1);
	gives("n != 48 | gpu = 'K40'", 1);
	gives("gpu != 'K40'", 0);
	gives("gpu = 'K4'", 0);
	gives("gone > 3", 0);
	gives("!gone & (gone | 1)", 1);
	gives("gone < 3 | gone >= 3", 0);
	gives("gone + 1", (double)NAN);
	gives("1 / 0", (double)NAN);
	gives("2 - 1 - 1", 0);
	refused("n +", "'n +': character 4: want a number, a name, a 'text' or a parenthesis");
	refused("n n", "'n n': character 3: want an operator");
	refused("m", "'m': there is no 'm'");
	refused("(n", "'(n': character 3: want ')'");
	refused("'n", "''n': character 2: want a text of at most 63 characters in quotes");
	memset(deep, '(', sizeof deep);
	deep[sizeof deep - 1] = '\0';
	test_ok(ws_expression(deep, names, NULL, &(struct ws_scalar){ 0 }, NULL) == WS_EFORMAT,
		"parentheses have an end");
	memset(deep, '-', sizeof deep - 1);
	test_ok(ws_expression(deep, names, NULL, &(struct ws_scalar){ 0 }, NULL) == WS_EFORMAT,
		"and signs");
}

static void fills(void)
{
	struct ws_buf buf = { 0 };
	struct ws_err err = { .status = WS_OK };

	test_ok(ws_expression_fill("X = float {n*n} on {gpu}", names, NULL, &buf, &err) == WS_OK,
		"a template is filled");
	ws_put_u8(&buf, 0);
	test_str((const char *)buf.data, "X = float 2304 on K40", "with whole numbers and texts");
	ws_buf_clear(&buf);
	test_ok(ws_expression_fill("{n / 5}", names, NULL, &buf, &err) == WS_EFORMAT,
		"9.6 is no whole number");
	test_str(err.text, "{n / 5}: want a whole number", "which it says");
	ws_buf_clear(&buf);
}

/* ---- measures ----------------------------------------------------------------------------- */

static void measures(void)
{
	/* By hand: ranks 1 2 3 4 5 against 2 1 4 3 5, sum of squares 4: 1 - 6*4 / (5*24) = 0.8. */
	static const double predicted[] = { 10, 20, 30, 40, 55 };
	static const double measured[] = { 12, 8, 40, 35, 50 };
	static const double same[] = { 7, 7, 7, 7, 7 };
	struct ws_agreement a;
	struct ws_error_budget b = ws_error_budget_of(61, 60, 57.5, 52);

	test_ok(ws_agreement_of(predicted, measured, 5, &a, NULL) == WS_OK, "five launches");
	test_u64(a.count, 5, "count");
	test_abs(a.mean_abs, 34 / 5.0, 1e-12, "mean of 2 12 10 5 5");
	test_abs(a.bias, 10 / 5.0, 1e-12, "mean of -2 12 -10 5 5");
	test_abs(a.largest, 12, 0, "largest");
	test_abs(a.rank, 0.8, 1e-12, "Spearman's rank correlation");
	test_ok(ws_agreement_of(predicted, same, 5, &a, NULL) == WS_OK && isnan(a.rank),
		"which values that are all the same have not");
	test_ok(ws_agreement_of(predicted, measured, 0, &a, NULL) == WS_OK && isnan(a.mean_abs) &&
		isnan(a.rank), "of nothing there is no mean");
	test_abs(b.policy, 1, 0, "policy: model less simulation");
	test_abs(b.time, -2.5, 0, "time: nominal less cycles");
	test_abs(b.machine, 8, 0, "machine: simulation less counter");
	test_abs(b.total, b.policy + b.machine, 0, "their sum is the error");
}

/* ---- sets ------------------------------------------------------------------------------------ */

#define HEAD "title = t\nlicence = l\nsource = s\nattribution = a\n"
#define KERNEL "[kernel sum]\nsource = k.cl\nkernel = sum\nbuffer = A = int {n}\nglobal = {n}\n" \
	       "local = 32\nargs = A\nrequests = n / 8\nstreaming = 1\nlabel = n={n}\n"

static enum ws_status parse(struct ws_data_set *set, const char *text, struct ws_err *err)
{
	*set = (struct ws_data_set){ 0 };
	return ws_data_set_parse(set, "set.conf", text, strlen(text), err);
}

static void bad_set(const char *text, const char *want)
{
	struct ws_data_set set;
	struct ws_err err = { .status = WS_OK };

	test_ok(parse(&set, text, &err) == WS_EFORMAT, "refused");
	test_str(err.text, want, "and says");
	ws_data_set_close(&set);
}

static void bad_sets(void)
{
	bad_set("title = t\n", "set.conf:1: no licence before the first section");
	bad_set(HEAD "[sets]\n", "set.conf:5: 'sets': want [counter NAME], [counter NAME GPU], "
		"[gpu NAME], [kernel NAME], [leave-out NAME] or [limit LEVEL]");
	bad_set(HEAD "[limit l1]\n", "set.conf:5: [limit l1] has no mean");
	bad_set(HEAD "[limit l1]\nmean = 1\nmedian = 2\n",
		"set.conf:7: 'median': there is no such key here");
	bad_set(HEAD "title = u\n", "set.conf:5: 'title': was given already");
	bad_set(HEAD "nothing\n", "set.conf:5: 'nothing': want KEY = VALUE");
	bad_set(HEAD "[limit l1]\nmean = 1\n[limit l1]\n",
		"set.conf:7: 'l1': there is one already");
}

static const char conf[] = HEAD
	"[counter l1.hit]\nunit = percent\ndefinition = d\ncounts = requests\n"
	"median = 100 * hits / (hits + misses)\np10 = low # a comment\n"
	"[counter l1.hit K40]\nmedian = l1_bytes\n"
	"[gpu K40]\nnames = k40c\nmachine.ca = m/k40.conf\n[gpu K20]\nmachine = m/k20.conf\n"
	"[leave-out small]\nbecause = small\nlevel = l2\nwhere = n < 64 | requests > 1e3\n" KERNEL;
static const char rows[] = "gpu,l1,kernel,n,hits,misses,low\n"
	"K-20,off,sum,64,30,10,70\nk40c,ca,sum,32,1,1,\nK20,ca,none,8,0,0,1\n";

/* Each line of the launch is of a line of set.conf that begins so. */
static void launch_lines(const struct ws_set_row *r)
{
	static const char *const key[] = { "source", "[kernel", "buffer", "[kernel", "kernel",
					   "global", "local", "args", "[kernel" };
	unsigned wrong = 0;

	for (size_t i = 0; i < WS_COUNT(key); i++) {
		const char *at = conf;

		for (size_t line = ws_set_launch_line(r, i + 1); line > 1; line--)
			at = strchr(at, '\n') + 1;
		wrong += strncmp(at, key[i], strlen(key[i])) != 0;
	}
	test_u64(wrong, 0, "lines of the launch");
}

static void read_rows(void)
{
	struct ws_data_set set;
	struct ws_err err = { .status = WS_OK };
	struct ws_set_row r = { .set = &set, .l1_bytes = 16384 };
	struct ws_measured m;
	struct ws_buf text = { 0 };
	const char *because;
	char *path;

	test_ok(parse(&set, conf, &err) == WS_OK, "set.conf: %s", err.text);
	test_ok(ws_data_set_table(&set, "a.csv", rows, strlen(rows), &err) == WS_OK, "its table");
	set.base = ws_strdup("d");
	r.table = set.table;
	test_u64(r.table->rows, 3, "rows");
	test_str(ws_set_cell(&r, "hits"), "30", "a cell");
	test_str(ws_set_cell(&r, "none"), "", "of no column");
	test_ok(ws_set_measured(&r, "l1.hit", &m, &err) == WS_OK && !m.sectors, "a counter");
	test_abs(m.median, 75, 0, "its median");
	test_abs(m.p10, 70, 0, "its p10");
	test_ok(isnan(m.p90), "no p90");
	test_ok(ws_set_measured(&r, "l2.hit", &m, &err) == WS_OK && isnan(m.median), "another");
	test_ok(ws_set_machine(&r, NULL, &path, &err) == WS_OK, "a machine");
	test_str(path, "d/m/k20.conf", "of K-20, of any mode");
	free(path);
	test_ok(ws_set_launch(&r, &text, &err) == WS_OK, "a launch");
	ws_put_u8(&text, 0);
	test_str((const char *)text.data, "source = k.cl\n[buffers]\nA = int 64\n[launch]\n"
		 "kernel = sum\nglobal = 64\nlocal = 32\nargs = A\n", "as a launch file");
	ws_buf_clear(&text);
	launch_lines(&r);
	test_ok(ws_set_left_out(&r, WS_SET_L2, &because, &err) == WS_OK && !because, "scored");
	r.row = 1;
	test_ok(ws_set_left_out(&r, WS_SET_L2, &because, &err) == WS_OK && because, "left out");
	test_str(because, "small", "for that reason");
	test_ok(ws_set_left_out(&r, WS_SET_L1, &because, &err) == WS_OK && !because, "not of L1");
	test_ok(ws_set_measured(&r, "l1.hit", &m, &err) == WS_OK, "K40 counts otherwise");
	test_abs(m.median, 16384, 0, "as its section says");
	test_ok(ws_set_machine(&r, "other", &path, &err) == WS_OK, "a machine of another folder");
	test_str(path, "other/k40.conf", "under the same name");
	free(path);
	r.row = 2;
	test_ok(!ws_set_kernel(&r), "a kernel that nothing is known of");
	test_u64(ws_set_line(&r), 4, "its line");
	test_ok(ws_data_set_table(&set, "b.csv", "a,b\n1\n", 6, &err) == WS_EFORMAT, "a short row");
	test_str(err.text, "b.csv:2: 1 cells: want 2, as the header has", "is told of");
	ws_data_set_close(&set);
}

/* What a kernel says of requests may name columns, but not itself. */
static void no_circles(void)
{
	struct ws_data_set set;
	struct ws_err err = { .status = WS_OK };
	struct ws_set_row r = { .set = &set };
	struct ws_scalar v;

	test_ok(parse(&set, HEAD "[kernel sum]\nsource = k\nkernel = k\nbuffer = b\nglobal = 1\n"
		      "local = 1\nargs = b\nrequests = requests + 1\n", &err) == WS_OK, "a set");
	test_ok(ws_data_set_table(&set, "a.csv", rows, strlen(rows), &err) == WS_OK, "a table");
	r.table = set.table;
	test_ok(ws_set_evaluate(&r, "it", "requests", &v, &err) == WS_EFORMAT,
		"requests of itself");
	test_str(err.text, "a.csv:2: it of set.conf: 'requests': there is no 'requests'",
		 "is told");
	ws_data_set_close(&set);
}

/* Damaged sets are read, or told of. */
static void damaged(const char *path)
{
	struct ws_err err = { .status = WS_OK };
	struct ws_rng rng;
	struct ws_in in;
	size_t wrong = 0;
	char *copy;

	if (!test_ok(ws_in_open(&in, path, &err) == WS_OK, "%s", path))
		return;
	test_ok(try_dataset((const char *)in.data, in.len), "as it is");
	copy = ws_alloc(in.len, 1);
	ws_rng_seed(&rng, test_seed(17));
	for (unsigned i = 0; i < 3000; i++) {
		size_t len = i % 3 ? in.len : (size_t)ws_rng_below(&rng, in.len + 1);

		memcpy(copy, in.data, in.len);
		for (unsigned k = 0; k <= i % 4; k++)
			copy[ws_rng_below(&rng, in.len)] = "({['|&=<#\n, 9}\0x"[i % 17];
		wrong += !try_dataset(copy, len);
	}
	test_u64(wrong, 0, "sets of 3000 that fail without a sentence, or say one without failing");
	free(copy);
	ws_in_close(&in);
}

/* What the fuzzer begins with: sets that are read, and others. */
static void seeds(void)
{
	glob_t found;

	if (!test_ok(glob("tests/fuzz/corpus-dataset/*", 0, NULL, &found) == 0, "the seeds"))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		bool bad = strstr(found.gl_pathv[i], "/bad-") != NULL, read = false;
		struct ws_err err = { .status = WS_OK };
		struct ws_in in;

		if (!test_ok(ws_in_open(&in, found.gl_pathv[i], &err) == WS_OK, "%s", err.text))
			continue;
		test_ok(read_dataset((const char *)in.data, in.len, &read) && read != bad,
			"%s is %s", found.gl_pathv[i], bad ? "refused" : "read");
		ws_in_close(&in);
	}
	globfree(&found);
}

int main(void)
{
	expressions();
	fills();
	measures();
	bad_sets();
	read_rows();
	no_circles();
	seeds();
	damaged("tests/fuzz/corpus-dataset/ok-tiny");
	damaged("tests/fuzz/corpus-dataset/ok-counters");
	return test_done();
}
