/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/base/t-table.c -- rows in every format, byte for byte: cells in any order, missing cells,
 * columns, order and conditions; and random texts, which must come back when they are read.
 */
#include "base/json.h"
#include "base/table.h"
#include "tests/test.h"

#include <inttypes.h>
#include <math.h>

enum { NAME, COUNTED, RATIO, DETAIL, VALUE, COLUMNS };

static const struct ws_column columns[COLUMNS] = {
	[NAME] = { .name = "name", .type = WS_COLUMN_TEXT, .brief = 1 },
	[COUNTED] = { .name = "count", .type = WS_COLUMN_COUNT, .brief = 2 },
	[RATIO] = { .name = "ratio", .type = WS_COLUMN_REAL, .decimals = 6, .brief = 3 },
	[DETAIL] = { .name = "detail", .type = WS_COLUMN_TEXT },
	[VALUE] = { .name = "value", .type = WS_COLUMN_ANY, .brief = 4 },
};

struct sheet { /* a table written to memory */
	char *text;
	size_t len;
	FILE *file;
	struct ws_table *table;
	struct ws_err err;
};

/* Of the first n columns. */
static bool open_sheet(struct sheet *s, const struct ws_table_options *o, unsigned n)
{
	struct ws_field field[COLUMNS];

	*s = (struct sheet){ 0 };
	s->file = open_memstream(&s->text, &s->len);
	for (unsigned i = 0; i < n; i++)
		field[i] = (struct ws_field){ i, &columns[i] };
	if (ws_table_new(&s->table, s->file, field, n, o, &s->err) == WS_OK)
		return true;
	fclose(s->file);
	free(s->text);
	return false;
}

static void close_sheet(struct sheet *s)
{
	test_ok(ws_table_end(s->table, &s->err) == WS_OK, "the table ends");
	ws_table_free(s->table);
	fclose(s->file);
}

static void expect(struct sheet *s, const char *want, const char *what)
{
	close_sheet(s);
	test_str(s->text, want, what);
	free(s->text);
}

static void row(struct sheet *s, const char *name, double ratio)
{
	ws_cell_f64(s->table, RATIO, ratio); /* in no order */
	ws_cell_str(s->table, NAME, name);
	ws_cell_u64(s->table, COUNTED, UINT64_MAX);
	ws_cell_str(s->table, VALUE + 7, "a column that the table does not have");
	ws_row_end(s->table);
}

static void test_formats(void)
{
	static const char hard[] = "a\tb,\"c\"\n\\";
	struct sheet s;

	open_sheet(&s, &(struct ws_table_options){ .format = WS_TSV, .remarks = true,
						   .provenance = "made by\tme" }, 4);
	row(&s, "plain", 1.0 / 3);
	row(&s, hard, 1);
	test_ok(ws_table_remark(s.table, "mean=0.50\nend"), "tsv has remarks");
	expect(&s, "# made by\\tme\nname\tcount\tratio\tdetail\n"
	       "plain\t18446744073709551615\t0.333333\t\n"
	       "a\\tb,\"c\"\\n\\\\\t18446744073709551615\t1.000000\t\n"
	       "# mean=0.50\\nend\n", "tsv");

	open_sheet(&s, &(struct ws_table_options){ .format = WS_CSV, .provenance = "me" }, 4);
	row(&s, "plain", 1.0 / 3);
	row(&s, hard, 1);
	row(&s, "#no remark", 0);
	test_ok(!ws_table_remark(s.table, "lost"), "csv has none unless asked");
	expect(&s, "name,count,ratio,detail\n"
	       "plain,18446744073709551615,0.333333,\n"
	       "\"a\tb,\"\"c\"\"\n\\\",18446744073709551615,1.000000,\n"
	       "\"#no remark\",18446744073709551615,0.000000,\n", "csv");

	open_sheet(&s, &(struct ws_table_options){ .format = WS_JSON, .remarks = true,
						   .provenance = "me" }, 4);
	row(&s, "plain", 1.0 / 3);
	row(&s, hard, 1);
	expect(&s, "{\"remark\":\"me\"}\n"
	       "{\"name\":\"plain\",\"count\":18446744073709551615,"
	       "\"ratio\":0.3333333333333333,\"detail\":null}\n"
	       "{\"name\":\"a\\tb,\\\"c\\\"\\n\\\\\",\"count\":18446744073709551615,"
	       "\"ratio\":1,\"detail\":null}\n", "json");
}

/* name, and count if there is one, and ratio if that is not negative */
static void cells(struct sheet *s, const char *name, int count, double ratio)
{
	ws_cell_str(s->table, NAME, name);
	if (count >= 0)
		ws_cell_u64(s->table, COUNTED, (uint64_t)count);
	if (ratio >= 0)
		ws_cell_f64(s->table, RATIO, ratio);
	ws_row_end(s->table);
}

static void some_rows(struct sheet *s)
{
	cells(s, "lru", 20, 0.25);
	cells(s, "fifo", 9, 0.1234567);
	cells(s, "a|b", -1, -1);
	cells(s, "opt", 20, 0);
}

static void test_people(void)
{
	struct sheet s;

	open_sheet(&s, &(struct ws_table_options){ .format = WS_ALIGNED, .provenance = "me" }, 5);
	some_rows(&s);
	test_ok(ws_table_remark(s.table, "the end"), "aligned output has remarks");
	expect(&s, "name  count   ratio\n"
	       "lru      20  0.2500\n"
	       "fifo      9  0.1235\n"
	       "a|b                \n"
	       "opt      20  0.0000\n# the end\n", "aligned: no empty column, four digits");

	open_sheet(&s, &(struct ws_table_options){ .format = WS_MARKDOWN, .remarks = true,
						   .provenance = "me --q" }, 3);
	some_rows(&s);
	expect(&s, "<!-- me - -q -->\n"
	       "| name | count |  ratio |\n"
	       "| ---- | ----: | -----: |\n"
	       "| lru  |    20 | 0.2500 |\n"
	       "| fifo |     9 | 0.1235 |\n"
	       "| a\\|b |       |        |\n"
	       "| opt  |    20 | 0.0000 |\n", "Markdown");

	open_sheet(&s, &(struct ws_table_options){ .format = WS_ALIGNED }, 3);
	cells(&s, "lru", 20, 0.25);
	cells(&s, "lru", 20, 12.5);
	expect(&s, "name lru, count 20\n\nratio\n 0.25\n12.50\n", "what is the same is said once");

	open_sheet(&s, &(struct ws_table_options){ .format = WS_ALIGNED }, 3);
	cells(&s, "lru", 20, -1);
	cells(&s, "lru", 20, -1);
	expect(&s, "name  count\nlru      20\nlru      20\n", "but not if all is");

	open_sheet(&s, &(struct ws_table_options){ .format = WS_ALIGNED }, 3);
	expect(&s, "name  count  ratio\n", "aligned, without rows");

	open_sheet(&s, &(struct ws_table_options){ .format = WS_ALIGNED,
						   .columns = "ratio,detail,name" },
		   4);
	cells(&s, "lru", 20, 0.5);
	expect(&s, " ratio  detail  name\n0.5000          lru\n", "asked for by name: all is "
	       "shown");
}

/* Columns that are too wide go, those of the highest numbers first. */
static void test_fit(void)
{
	static const char wide[] = "1234567890123456789012345678901234567890"
				   "1234567890123456789012345678901234567890";
	char want[256];
	struct sheet s;

	open_sheet(&s, &(struct ws_table_options){ .format = WS_ALIGNED }, 5);
	for (int i = 0; i < 2; i++) {
		ws_cell_str(s.table, NAME, i ? wide : "x");
		ws_cell_u64(s.table, COUNTED, (uint64_t)i);
		ws_cell_f64(s.table, RATIO, 0.5 + i);
		ws_cell_str(s.table, DETAIL, "y");
		ws_cell_u64(s.table, VALUE, 1234567 + (uint64_t)i);
		ws_row_end(s.table);
	}
	close_sheet(&s);
	snprintf(want, sizeof want, "\n%s      1  1.500\n", wide);
	test_ok(strstr(s.text, want) != NULL, "a column too many is left out");
	test_ok(strstr(s.text, "\n(2 more columns)\n") != NULL, "and that is said");
	free(s.text);

	open_sheet(&s, &(struct ws_table_options){ .format = WS_ALIGNED }, 3);
	for (int i = 0; i < 1500; i++)
		cells(&s, i < 1200 ? "same" : "wider name", i, 0.5);
	close_sheet(&s);
	test_ok(strncmp(s.text, "name  count   ratio\nsame      0  0.5000\n", 40) == 0,
		"the widths are those of the first 1000 rows");
	test_ok(strstr(s.text, "\nwider name   1499  0.5000\n") != NULL, "all rows are written");
	free(s.text);
}

static void query(const char *columns_, const char *sort, const char *where, uint64_t top,
		  const char *want, const char *what)
{
	struct ws_list list = { 0 };
	struct ws_table_options o = { .format = WS_CSV, .columns = columns_, .sort = sort,
				      .where = &list, .top = top };
	struct sheet s;

	if (where && !ws_list_add(&list, where))
		abort();
	if (open_sheet(&s, &o, 3)) {
		some_rows(&s);
		expect(&s, want, what);
	} else {
		test_str(s.err.text, want, what);
	}
	ws_list_clear(&list);
}

static void test_queries(void)
{
	query("count,name", NULL, NULL, 2, "count,name\n20,lru\n9,fifo\n", "columns, and the first "
	      "2");
	query("+count", NULL, NULL, 1, "name,count,ratio\nlru,20,0.250000\n", "one more column");
	query("all", NULL, NULL, 1, "name,count,ratio\nlru,20,0.250000\n", "all columns");
	query("name", "count,ratio:desc", NULL, 0, "name\nfifo\nlru\nopt\na|b\n",
	      "by one column, then another; missing cells last");
	query("name", "count:desc", NULL, 0, "name\nlru\nopt\nfifo\na|b\n",
	      "equals stay in order; missing cells last again");
	query("name", "name:asc", NULL, 2, "name\na|b\nfifo\n", "the first 2 by name");
	query("name", NULL, "count>9", 0, "name\nlru\nopt\n", "more than");
	query("name", NULL, "ratio<=.25", 0, "name\nlru\nfifo\nopt\n", "at most; missing never");
	query("name", NULL, "count!=20", 0, "name\nfifo\n", "missing is not unequal to a number");
	query("name", NULL, "count=", 0, "name\na|b\n", "missing");
	query("name", NULL, "count!=", 0, "name\nlru\nfifo\nopt\n", "not missing");
	query("name", NULL, "name=fifo", 0, "name\nfifo\n", "a text");
	query("name", NULL, "name!=fifo", 0, "name\nlru\na|b\nopt\n", "another text");
	query("name", NULL, "count<1K", 0, "name\nlru\nfifo\nopt\n", "a number with a suffix");
	query("nmae", NULL, NULL, 0, "there is no column 'nmae' here, did you mean 'name'?",
	      "a typo");
	query("name", "xyzzy", NULL, 0, "there is no column 'xyzzy' here", "a column unknown");
	query("name", "count:up", NULL, 0, "'count:up': want NAME, NAME:asc or NAME:desc",
	      "no order");
	query("name", NULL, "count", 0,
	      "'count': want NAME=VALUE, or with != < <= > >=", "no relation");
	query("name", NULL, "count>x", 0, "'count>x': count is a number: 'x' is none", "no number");
	query("name", NULL, "name>x", 0,
	      "'name>x': name is a text: want = or !=", "no order of texts");
	query("", NULL, NULL, 0, "no column is named: want NAME,NAME,..., +NAME or all",
	      "no column");
}

static void test_numbers(void)
{
	static const double values[] = { 0.1, 1.0 / 3, 2.0 / 3, 1e-300, 123456789012345680.0, 0.0 };
	struct sheet s;
	bool same = true;

	for (size_t i = 0; i < WS_COUNT(values); i++) {
		double back;

		s = (struct sheet){ 0 };
		s.file = open_memstream(&s.text, &s.len);
		ws_shortest(s.file, values[i]);
		fclose(s.file);
		same = same && ws_parse_double(s.text, &back) && back == values[i];
		free(s.text);
	}
	test_ok(same, "the shortest form reads back as the same double");

	open_sheet(&s, &(struct ws_table_options){ .format = WS_CSV }, 3);
	ws_cell_f64(s.table, RATIO, -0.0);
	ws_row_end(s.table);
	ws_cell_f64(s.table, RATIO, (double)INFINITY);
	ws_row_end(s.table);
	ws_cell_ratio(s.table, RATIO, 0, 0);
	ws_row_end(s.table);
	expect(&s, "name,count,ratio\n,,0.000000\n,,\n,,\n", "no minus zero, no infinity, no 0/0");

	open_sheet(&s, &(struct ws_table_options){ .format = WS_JSON }, 3);
	ws_cell_f64(s.table, RATIO, (double)NAN);
	ws_cell_str(s.table, NAME, NULL);
	ws_row_end(s.table);
	ws_cell_f64(s.table, RATIO, 0.25);
	ws_row_end(s.table);
	expect(&s, "{\"name\":null,\"count\":null,\"ratio\":null}\n"
	       "{\"name\":null,\"count\":null,\"ratio\":0.25}\n", "json: no NaN, and all digits");
}

static void test_names(void)
{
	enum ws_format f = WS_TSV;

	test_ok(ws_format_parse("json", &f) && f == WS_JSON, "json is a format");
	test_ok(ws_format_parse("csv", &f) && f == WS_CSV, "csv is a format");
	test_ok(ws_format_parse("md", &f) && f == WS_MARKDOWN, "md is a format");
	test_ok(ws_format_parse("table", &f) && f == WS_ALIGNED, "table is a format");
	test_ok(!ws_format_parse("xml", &f) && f == WS_ALIGNED, "xml is none");
	test_ok(!ws_format_parse("", &f), "nor is nothing");
}

static void json_is(const char *text, const char *want, const char *what)
{
	struct sheet s = { 0 };

	s.file = open_memstream(&s.text, &s.len);
	ws_json_string(s.file, text);
	fclose(s.file);
	test_str(s.text, want, what);
	free(s.text);
}

static void test_json_strings(void)
{
	json_is("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82",
		"\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82\"", "UTF-8 stays");
	json_is("a\xff" "b\xc3", "\"a\\ufffdb\\ufffd\"", "bytes that are not UTF-8");
	json_is("\xc0\xaf", "\"\\ufffd\\ufffd\"", "an overlong slash");
	json_is("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"", "a surrogate");
	json_is("\x01\x1f\x7f\r", "\"\\u0001\\u001f\\u007f\\u000d\"", "control characters");
}

/* ---- random texts, read back by the obvious reader ----------------------- */

static void random_text(struct ws_rng *rng, char *text, size_t len)
{
	static const char some[] = "ab\t\n\r\\\",# -";
	size_t n = (size_t)ws_rng_below(rng, len);

	for (size_t i = 0; i < n; i++)
		text[i] = some[ws_rng_below(rng, sizeof some - 1)];
	text[n] = '\0';
}

/* The cell that begins at p; returns where it ends. */
static const char *read_tsv(const char *p, char *to)
{
	for (; *p != '\t' && *p != '\n'; p++) {
		if (*p == '\\') {
			p++;
			*to++ = *p == 't' ? '\t' : *p == 'n' ? '\n' : *p == 'r' ? '\r' : *p;
		} else {
			*to++ = *p;
		}
	}
	*to = '\0';
	return p;
}

static const char *read_csv(const char *p, char *to)
{
	if (*p != '"') {
		while (*p != ',' && *p != '\n')
			*to++ = *p++;
	} else {
		for (p++; *p != '"' || p[1] == '"'; p++) {
			p += *p == '"';
			*to++ = *p;
		}
		p++;
	}
	*to = '\0';
	return p;
}

static bool round_trip(struct ws_rng *rng, enum ws_format format)
{
	char first[24], second[24], got[2][64];
	struct sheet s;
	const char *p;
	bool same;

	random_text(rng, first, sizeof first);
	random_text(rng, second, sizeof second);
	open_sheet(&s, &(struct ws_table_options){ .format = format, .columns = "name,detail" }, 4);
	ws_cell_str(s.table, DETAIL, second);
	ws_cell_str(s.table, NAME, first);
	ws_row_end(s.table);
	same = ws_table_end(s.table, NULL) == WS_OK;
	ws_table_free(s.table);
	fclose(s.file);
	p = strchr(s.text, '\n') + 1;
	p = format == WS_TSV ? read_tsv(p, got[0]) : read_csv(p, got[0]);
	same = same && *p++ == (format == WS_TSV ? '\t' : ',');
	if (same)
		p = format == WS_TSV ? read_tsv(p, got[1]) : read_csv(p, got[1]);
	same = same && *p == '\n' && p[1] == '\0' && strcmp(got[0], first) == 0 &&
	       strcmp(got[1], second) == 0;
	free(s.text);
	return same;
}

/* A row of few values, some of them long, odd or missing. */
static void some_row(struct ws_rng *rng, struct ws_table *t)
{
	static const char *const odd[] = { "", "a", "a,\t\"b\"", "\n" };
	char text[5001];
	size_t lengths[] = { 95, 96, 97, 5000 }, choice = (size_t)ws_rng_below(rng, 12);

	if (choice < 8)
		ws_cell_str(t, NAME, odd[choice % 4]);
	if (choice >= 8 && ws_rng_below(rng, 2)) {
		memset(text, 'x', lengths[choice - 8]);
		text[lengths[choice - 8]] = '\0';
		ws_cell_str(t, NAME, text);
	}
	if (ws_rng_below(rng, 4))
		ws_cell_u64(t, COUNTED, ws_rng_below(rng, 2));
	if (ws_rng_below(rng, 4))
		ws_cell_f64(t, RATIO, (double)ws_rng_below(rng, 3) / 3);
	if (ws_rng_below(rng, 2))
		ws_cell_u64(t, VALUE, 1);
	else if (ws_rng_below(rng, 2))
		ws_cell_str(t, VALUE, "1");
	ws_row_end(t);
}

/* Rows of one table, and the same rows each in a table of its own. */
static bool rows_alone(uint64_t seed, enum ws_format format, unsigned rows)
{
	const struct ws_table_options o = { .format = format, .columns = "all", .goes_on = true };
	struct ws_rng rng[2];
	struct sheet all, one;
	size_t at = 0;
	bool same = true;

	ws_rng_seed(&rng[0], seed);
	ws_rng_seed(&rng[1], seed);
	open_sheet(&all, &o, COLUMNS);
	for (unsigned i = 0; i < rows; i++)
		some_row(&rng[0], all.table);
	ws_table_free(all.table);
	fclose(all.file);
	for (unsigned i = 0; i < rows && same; i++) {
		open_sheet(&one, &o, COLUMNS);
		some_row(&rng[1], one.table);
		ws_table_free(one.table);
		fclose(one.file);
		same = at + one.len <= all.len && memcmp(all.text + at, one.text, one.len) == 0;
		at += one.len;
		free(one.text);
	}
	same = same && at == all.len;
	free(all.text);
	return same;
}

static void test_rows_alone(void)
{
	static const enum ws_format formats[] = { WS_TSV, WS_CSV, WS_JSON };
	unsigned wrong = 0;

	for (uint64_t i = 0; i < 300; i++)
		wrong += !rows_alone(test_seed(31) + i, formats[i % 3], 20);
	test_ok(!wrong, "300 tables: rows are what they are alone, %u are not", wrong);
}

static void test_round_trips(void)
{
	struct ws_rng rng;
	bool same = true;

	ws_rng_seed(&rng, test_seed(21));
	for (int i = 0; i < 2000 && same; i++)
		same = round_trip(&rng, i % 2 ? WS_TSV : WS_CSV);
	test_ok(same, "2000 random rows come back");
}

/* 0, halves that are ties, what is beyond, and doubles of any size below 10^9. */
static double some_real(struct ws_rng *rng)
{
	static const double special[] = {
		0, 0.5, 1.5, 2.5, 0.0000005, 0.125, 0.375, 0.9999995, 0.99999949999, 5e-324,
		999999999.9999995, 1e9, 1e15, 1e-40, 0x1p-47, 4.4501477170144028e-308,
	};
	uint64_t which = ws_rng_below(rng, 4);

	if (which == 0)
		return special[ws_rng_below(rng, WS_COUNT(special))];
	if (which == 1)		/* ties, as it has few bits */
		return ldexp((double)ws_rng_below(rng, 4096), -(int)ws_rng_below(rng, 20));
	return ldexp(ws_rng_double(rng), 30 - (int)ws_rng_below(rng, 90));
}

static bool same_number(double value, int decimals, uint64_t count)
{
	char own[WS_NUMBER_TEXT + 1], want[400];
	size_t len = ws_fixed_text(own, value, decimals);
	bool same;

	snprintf(want, sizeof want, "%.*f", decimals, value);
	own[len] = '\0';
	same = len ? strcmp(own, want) == 0 : value >= 1e9 || value < 0;
	own[ws_count_text(own, count)] = '\0';
	snprintf(want, sizeof want, "%" PRIu64, count);
	return same && strcmp(own, want) == 0;
}

static void test_fixed(void)
{
	struct ws_rng rng;
	bool same = same_number(-1, 3, 0) && same_number(-0.25, 0, UINT64_MAX);

	ws_rng_seed(&rng, test_seed(22));
	for (int i = 0; i < 20000 && same; i++) {
		double value = some_real(&rng);
		int decimals = (int)ws_rng_below(&rng, 10);

		same = same_number(value, decimals, ws_rng_u64(&rng) >> ws_rng_below(&rng, 64));
		if (!same)
			printf("# %.17g with %d decimals\n", value, decimals);
	}
	test_ok(same, "20000 numbers are what printf writes");
}

/* Of the kinds that tables have: ratios of counts, few digits, and next to powers of ten. */
static double some_ratio(struct ws_rng *rng)
{
	uint64_t which = ws_rng_below(rng, 5);

	if (which == 0)
		return (double)ws_rng_below(rng, 400000) / (double)(1 + ws_rng_below(rng, 400000));
	if (which == 1)
		return (double)ws_rng_below(rng, 1u << 27) / pow(10, (double)ws_rng_below(rng, 12));
	if (which == 2)
		return nextafter(pow(10, (double)ws_rng_below(rng, 13) - 4),
				 ws_rng_below(rng, 2) ? 0 : (double)INFINITY);
	return which == 3 ? -ws_rng_double(rng) : some_real(rng);
}

static void test_shortest(void)
{
	size_t wrong = 0, own = 0, ratios = 0;
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(23));
	for (int i = 0; i < 20000; i++) {
		double value = some_ratio(&rng);
		char text[WS_NUMBER_TEXT + 1], *want = NULL;
		size_t len = ws_shortest_text(text, value), size;
		FILE *file = open_memstream(&want, &size);

		ws_shortest(file, value);
		fclose(file);
		text[len] = '\0';
		wrong += len && strcmp(text, want) != 0;
		if (len && strcmp(text, want) != 0)
			printf("# %s, want %s\n", text, want);
		ratios += value >= 0.0011 && value < 0.999e9;
		own += value >= 0.0011 && value < 0.999e9 && len;
		free(want);
	}
	test_ok(!wrong, "20000 shortest numbers are printf's: %zu are not", wrong);
	test_ok(own > ratios / 5 * 4, "printf is asked for %zu of %zu", ratios - own,
		ratios);
}

int main(void)
{
	test_formats();
	test_people();
	test_fit();
	test_queries();
	test_numbers();
	test_names();
	test_json_strings();
	test_round_trips();
	test_rows_alone();
	test_fixed();
	test_shortest();
	return test_done();
}
