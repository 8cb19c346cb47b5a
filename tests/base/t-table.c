/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/base/t-table.c -- rows in every format, byte for byte; and random texts,
 * which must come back when they are read.
 */
#include "tests/test.h"

static const char *const columns[] = { "name", "count", "ratio", "none" };

struct sheet { /* a table written to memory */
	char *text;
	size_t len;
	FILE *file;
	struct ws_table table;
};

static void open_sheet(struct sheet *s, enum ws_format format, size_t n)
{
	*s = (struct sheet){ 0 };
	s->file = open_memstream(&s->text, &s->len);
	ws_table_begin(&s->table, s->file, format, columns, n);
}

static void expect(struct sheet *s, const char *want, const char *what)
{
	fclose(s->file);
	test_str(s->text, want, what);
	free(s->text);
}

static void row(struct sheet *s, const char *name, double ratio)
{
	ws_cell_str(&s->table, name);
	ws_cell_u64(&s->table, UINT64_MAX);
	ws_cell_f64(&s->table, ratio, 6);
	ws_cell_none(&s->table);
}

static void test_formats(void)
{
	static const char hard[] = "a\tb,\"c\"\n\\";
	struct sheet s;

	open_sheet(&s, WS_TSV, 4);
	row(&s, "plain", 1.0 / 3);
	row(&s, hard, 1);
	ws_table_remark(&s.table, "mean=%.2f\nend", 0.5);
	expect(&s, "name\tcount\tratio\tnone\n"
	       "plain\t18446744073709551615\t0.333333\t-\n"
	       "a\\tb,\"c\"\\n\\\\\t18446744073709551615\t1.000000\t-\n"
	       "# mean=0.50\\nend\n", "tsv");

	open_sheet(&s, WS_CSV, 4);
	row(&s, "plain", 1.0 / 3);
	row(&s, hard, 1);
	row(&s, "#no remark", 0);
	expect(&s, "name,count,ratio,none\n"
	       "plain,18446744073709551615,0.333333,-\n"
	       "\"a\tb,\"\"c\"\"\n\\\",18446744073709551615,1.000000,-\n"
	       "\"#no remark\",18446744073709551615,0.000000,-\n", "csv");

	open_sheet(&s, WS_JSON, 4);
	row(&s, "plain", 1.0 / 3);
	row(&s, hard, 1);
	ws_table_remark(&s.table, "a \"remark\"");
	expect(&s, "{\"name\":\"plain\",\"count\":18446744073709551615,"
	       "\"ratio\":0.3333333333333333,\"none\":null}\n"
	       "{\"name\":\"a\\tb,\\\"c\\\"\\n\\\\\",\"count\":18446744073709551615,"
	       "\"ratio\":1,\"none\":null}\n"
	       "{\"remark\":\"a \\\"remark\\\"\"}\n", "json");
}

static void test_numbers(void)
{
	static const double values[] = { 0.1, 1.0 / 3, 2.0 / 3, 1e-300, 123456789012345680.0, 0.0 };
	struct sheet s;
	bool same = true;

	for (size_t i = 0; i < WS_COUNT(values); i++) {
		double back;

		open_sheet(&s, WS_TSV, 1);
		ws_cell_f64(&s.table, values[i], -1);
		fclose(s.file);
		s.text[s.len - 1] = '\0';
		same = same && ws_parse_double(strchr(s.text, '\n') + 1, &back) && back == values[i];
		free(s.text);
	}
	test_ok(same, "the shortest form reads back as the same double");

	open_sheet(&s, WS_CSV, 3);
	ws_cell_f64(&s.table, 0.1, -1);
	ws_cell_f64(&s.table, -0.0, 2);
	ws_cell_f64(&s.table, (double)INFINITY, 2);
	expect(&s, "name,count,ratio\n0.1,0.00,-\n", "short, no minus zero, no infinity");

	open_sheet(&s, WS_JSON, 2);
	ws_cell_f64(&s.table, (double)NAN, 6);
	ws_cell_f64(&s.table, 0.25, 1);
	expect(&s, "{\"name\":null,\"count\":0.25}\n", "json: no NaN, and all digits");
}

static void test_names(void)
{
	enum ws_format f = WS_TSV;

	test_ok(ws_format_parse("json", &f) && f == WS_JSON, "json is a format");
	test_ok(ws_format_parse("csv", &f) && f == WS_CSV, "csv is a format");
	test_ok(!ws_format_parse("xml", &f) && f == WS_CSV, "xml is none");
	test_ok(!ws_format_parse("", &f), "nor is nothing");
}

static void json_is(const char *text, const char *want, const char *what)
{
	struct sheet s = { 0 };

	s.file = open_memstream(&s.text, &s.len);
	ws_json_string(s.file, text);
	expect(&s, want, what);
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
	open_sheet(&s, format, 2);
	ws_cell_str(&s.table, first);
	ws_cell_str(&s.table, second);
	fclose(s.file);
	p = strchr(s.text, '\n') + 1;
	p = format == WS_TSV ? read_tsv(p, got[0]) : read_csv(p, got[0]);
	same = *p++ == (format == WS_TSV ? '\t' : ',');
	if (same)
		p = format == WS_TSV ? read_tsv(p, got[1]) : read_csv(p, got[1]);
	same = same && *p == '\n' && p[1] == '\0' && strcmp(got[0], first) == 0 &&
	       strcmp(got[1], second) == 0;
	free(s.text);
	return same;
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

int main(void)
{
	test_formats();
	test_numbers();
	test_names();
	test_json_strings();
	test_round_trips();
	return test_done();
}
