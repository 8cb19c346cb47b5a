/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figure of tables: its bars and means against the values that the table was made of, tsv and
 * csv, and what is said of tables and questions that are not right.
 */
#include "tests/plots/script.h"

#define GROUPS 7u
#define ODD 3u			/* the first groups' class; the others' is even */
#define BARS 3u
#define SIZES 2u

struct values {
	double of[GROUPS][BARS][SIZES];
	char text[16384];
	size_t len;
};

static struct ws_in table_of(const char *text)
{
	return (struct ws_in){ .data = (const uint8_t *)text, .len = strlen(text),
			       .name = (char *)"rows" };
}

WS_PRINTF(2, 3)
static void put(struct values *v, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	v->len += (size_t)vsnprintf(v->text + v->len, sizeof v->text - v->len, fmt, ap);
	va_end(ap);
}

static void put_row(struct values *v, bool csv, unsigned g, unsigned b, unsigned z)
{
	const char *class = g < ODD ? "odd" : "even";

	if (csv) {
		put(v, "b%u,%uK,L1,\"a,\"\"\\%u\",%s,%.3f\r\n", b, 16u << z, g, class,
		    v->of[g][b][z]);
		put(v, "b%u,%uK,L2,\"a,\"\"\\%u\",%s,-\r\n", b, 16u << z, g, class);
	} else {
		put(v, "b%u\t%uK\tL1\ta,\"\\\\%u\t%s\t%.3f\n", b, 16u << z, g, class,
		    v->of[g][b][z]);
		put(v, "b%u\t%uK\tL2\ta,\"\\\\%u\t%s\t-\n", b, 16u << z, g, class);
	}
}

/* Group g is called `a,"\g`, which either format has to escape; of level L2 no row has a value. */
static void make_table(struct values *v, struct ws_rng *rng, bool csv)
{
	*v = (struct values){ .len = 0 };
	put(v, "# remark\n%s\n\n", csv ? "bar,size,\"level\",kernel,class,ipc"
				       : "bar\tsize\tlevel\tkernel\tclass\tipc");
	for (unsigned i = 0; i < GROUPS * BARS * SIZES; i++) {
		unsigned g = i % GROUPS, b = i / GROUPS % BARS, z = i / GROUPS / BARS;

		v->of[g][b][z] = (1000 + (double)ws_rng_below(rng, 9000)) / 1000;
		put_row(v, csv, g, b, z);
	}
}

/* Of a block of points: the value of that number; NAN: none. */
static double point(const char *script, const char *block, unsigned number, unsigned at)
{
	double scale = pow(10, (double)(int64_t)variable(script, "decimals"));
	char start[32];
	const char *line;
	unsigned where;
	double value;

	snprintf(start, sizeof start, "$%s%u << EOD\n", block, number);
	line = find_line(script, start);
	for (; line && sscanf(line, "%u %lf", &where, &value) == 2; line = strchr(line, '\n') + 1)
		if (where == at)
			return value / scale;
	return (double)NAN;
}

static bool near(double got, double want)
{
	return fabs(got - want) <= 1e-7 * fabs(want);
}

/* The mean that the figure should have of bar b: of groups [from, to). */
static double mean(double value[GROUPS], unsigned from, unsigned to, bool geometric)
{
	double product = 1, sum = 0;

	for (unsigned g = from; g < to; g++) {
		product *= value[g];
		sum += value[g];
	}
	return geometric ? pow(product, 1.0 / (to - from)) : sum / (to - from);
}

static void check_bar(const char *script, unsigned number, double want[GROUPS], bool geometric)
{
	uint64_t wrong = 0;

	for (unsigned g = 0; g < GROUPS; g++)
		wrong += !near(point(script, "bar", number, g), want[g]);
	wrong += !near(point(script, "mean", number, GROUPS), mean(want, 0, ODD, geometric));
	wrong += !near(point(script, "mean", number, GROUPS + 1),
		       mean(want, ODD, GROUPS, geometric));
	wrong += !near(point(script, "mean", number, GROUPS + 2), mean(want, 0, GROUPS, geometric));
	test_u64(wrong, 0, "bars: values and means");
}

/* Each bar and size, as it is. */
static void check_plain(const struct values *v)
{
	struct ws_in table = table_of(v->text);
	struct ws_figure_input in = { .table = &table, .bars = {
		.value = "ipc", .bar = "bar,size", .mean = "class" } };
	char *script = script_of("bars", &in), name[32];

	test_u64(variable(script, "bars"), BARS * SIZES, "bars");
	test_u64(variable(script, "groups"), GROUPS, "groups");
	test_u64(variable(script, "means"), 3, "means");
	test_ok(find_line(script, "group6 = 'a,\"\\6'\n") &&
			find_line(script, "group7 = 'odd'\n") &&
			find_line(script, "group9 = 'all'\n"),
		"names of groups");
	for (unsigned i = 0; i < BARS * SIZES; i++) {
		double want[GROUPS];

		for (unsigned g = 0; g < GROUPS; g++)
			want[g] = v->of[g][i % BARS][i / BARS];
		snprintf(name, sizeof name, "name%u = 'b%u, %uK'\n", i + 1, i % BARS,
			 16 << i / BARS);
		test_ok(find_line(script, name) != NULL, "bar %u is b%u", i + 1, i % BARS);
		check_bar(script, i + 1, want, false);
	}
	free(script);
}

/* b1 and b2 over b0 of the same size; and larger over smaller, of b0 and b2 alone. */
static void check_base(const struct values *v)
{
	static const char *const where[] = { "bar=b2", "bar=b0" };
	struct ws_in table = table_of(v->text);
	struct ws_figure_input in = { .table = &table, .bars = {
		.value = "ipc", .bar = "bar,size", .mean = "class", .base = "bar=b0" } };
	char *script = script_of("bars", &in);
	double want[GROUPS];

	test_u64(variable(script, "bars"), (BARS - 1) * SIZES, "relative bars");
	for (unsigned i = 0; i < (BARS - 1) * SIZES; i++) {
		for (unsigned g = 0; g < GROUPS; g++)
			want[g] = v->of[g][1 + i % 2][i / 2] / v->of[g][0][i / 2];
		check_bar(script, i + 1, want, true);
	}
	free(script);
	in.bars.base = "size=16384";
	in.bars.bar = NULL;
	in.bars.where = where;
	in.bars.wheres = WS_COUNT(where);
	script = script_of("bars", &in);
	test_u64(variable(script, "bars"), 2, "bars of two chosen");
	for (unsigned i = 0; i < 2; i++) {
		for (unsigned g = 0; g < GROUPS; g++)
			want[g] = v->of[g][2 * i][1] / v->of[g][2 * i][0];
		check_bar(script, i + 1, want, true);
	}
	free(script);
}

/* ---- what is not right ------------------------------------------------------------------ */

static void refused(const char *text, struct ws_bars bars, enum ws_status want, const char *why)
{
	struct ws_in table = table_of(text);
	struct ws_figure_input in = { .table = &table, .bars = bars };
	struct ws_buf script = { 0 };
	struct ws_err err = { 0 };
	enum ws_status got = ws_figure_find("bars")->data(&in, &script, &err);

	test_ok(got == want && strstr(err.text, why), "%s (%d)", err.text, got);
	ws_buf_clear(&script);
}

static void test_tables(void)
{
	struct ws_bars none = { 0 };

	refused("", none, WS_EFORMAT, "rows: holds no row");
	refused("# only\n\n", none, WS_EFORMAT, "holds no row");
	refused("kernel,miss_ratio\n", none, WS_EFORMAT, "a header, but no rows");
	refused("kernel,miss_ratio\n\nk\n", none, WS_EFORMAT, "rows:3: 1 cell, want 2");
	refused("kernel,miss_ratio\n\"k\nk,1", none, WS_EFORMAT, "a quoted cell has no end");
	refused("kernel,miss_ratio\n\"k\"k,1\n", none, WS_EFORMAT, "rows:2: a quoted cell");
	refused("{\"kernel\":1}\n", none, WS_EFORMAT, "rows:1: json: want rows");
	refused("kernel,miss_ratio\nk,1e400\n", none, WS_EINVAL, "rows:2: '1e400' is no number");
	refused("kernel,miss_ratio\nk,1\nl,-1e308\n", none, WS_EINVAL,
		"rows:3: miss_ratio = -1e308 is too large to draw: want at most 1e+300");
	refused("kernel,miss_ratio\nk,1\nl,1\nk,2\n", none, WS_EINVAL, "lines 2 and 4 of rows are "
		"both");
	refused("kernel,missratio\nk,1\n", none, WS_EINVAL, "no column 'miss_ratio', did you mean "
		"'missratio'");
	refused("a,kernel\nk,1\n", none, WS_EINVAL, "no column 'miss_ratio': want one of a, "
		"kernel");
}

static void test_questions(void)
{
	static const char table[] = "bar\tkernel\tipc\tclass\nb\tk\t1\tc\na\tk\t1\td\nb\tl\t3\tc\n";
	static const char *const where[] = { "bar=c", "bar" };
	struct ws_bars b = { .value = "ipc" };

	b.mean = "class";
	refused(table, b, WS_EINVAL, "rows:3: k is 'd' here and was 'c'");
	b.mean = NULL;
	b.base = "bar=a";
	refused(table, b, WS_EINVAL, "'b' of l has no row with bar=a beside it");
	refused("bar,kernel,ipc\na,k,1e-10\nb,k,1e299\n", b, WS_EINVAL,
		"'b' of k is too large to draw relative to bar=a: want at most 1e+300");
	b.base = "bar";
	refused(table, b, WS_EINVAL, "base bar: want COLUMN=VALUE");
	b.base = "ipc=1";
	b.bar = "bar,size";
	refused(table, b, WS_EINVAL, "no column 'size'");
	b = (struct ws_bars){ .value = "ipc", .where = where, .wheres = 1 };
	refused(table, b, WS_EINVAL, "no row of 3 is as where wants");
	b.wheres = 2;
	refused(table, b, WS_EINVAL, "where bar: want COLUMN=VALUE");
	b = (struct ws_bars){ .value = "ipc", .base = "class=c",
			      .where = (const char *const[]){ "class=c" },
			      .wheres = 1 };
	refused(table, b, WS_EINVAL, "all rows are the base's");
}

/* A cell without a value is no bar, and in no mean; nor is what is divided by nothing. */
static void test_gaps(void)
{
	struct ws_in table = table_of("bar,kernel,ipc\na,k,2\nb,k,4\nc,k,-\na,l,0\nb,l,4\nc,l,3\n"
				      "a,m,2\nb,m,9\nc,m,\n");
	struct ws_figure_input in = { .table = &table, .bars = { .value = "ipc",
				      .base = "bar=a" } };
	char *script = script_of("bars", &in);

	test_abs(point(script, "bar", 1, 0), 2, 1e-9, "4 / 2");
	test_ok(isnan(point(script, "bar", 1, 1)), "4 / 0 is no bar");
	test_abs(point(script, "mean", 1, 3), 3, 1e-7, "mean of 2 and 4.5");
	test_ok(isnan(point(script, "bar", 2, 0)) && isnan(point(script, "bar", 2, 2)) &&
		isnan(point(script, "mean", 2, 3)), "no bars, no mean");
	free(script);
}

/* Whatever the bytes, an error or a figure. */
static void test_damage(const struct values *v, struct ws_rng *rng)
{
	static const char bytes[] = "\",\t\n\\#\r0-e";
	uint64_t bad = 0, refusals = 0;
	char text[sizeof v->text];

	for (unsigned round = 0; round < 2000; round++) {
		size_t len = round % 4 ? v->len : ws_rng_below(rng, v->len);
		struct ws_in table = { .data = (const uint8_t *)text, .len = len,
				       .name = (char *)"rows" };
		struct ws_figure_input in = { .table = &table, .bars = {
			.value = "ipc", .bar = "bar,size", .mean = "class", .base = "bar=b0" } };
		struct ws_buf script = { 0 };
		struct ws_err err = { 0 };
		enum ws_status got;

		memcpy(text, v->text, v->len);
		for (unsigned i = 0; i < round % 3; i++)
			text[ws_rng_below(rng, v->len)] = bytes[ws_rng_below(rng, sizeof bytes)];
		got = ws_figure_find("bars")->data(&in, &script, &err);
		bad += got != WS_OK && got != WS_EFORMAT && got != WS_EINVAL;
		refusals += got != WS_OK;
		ws_buf_clear(&script);
	}
	test_ok(bad == 0 && refusals > 500 && refusals < 2000,
		"damaged: %" PRIu64 " of 2000 refused, %" PRIu64 " in another way", refusals, bad);
}

int main(void)
{
	static struct values v;
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(17));
	for (int csv = 0; csv < 2; csv++) {
		make_table(&v, &rng, csv);
		check_plain(&v);
		check_base(&v);
		test_damage(&v, &rng);
	}
	test_gaps();
	test_tables();
	test_questions();
	return test_done();
}
