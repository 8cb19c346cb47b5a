/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/t-counters.c -- profilers' files: records, numbers, units, names, launches,
 * groups; the seeds of the fuzzer, and files that were damaged at random.
 */
#include "tests/test.h"
#include "validate/counters.h"
#include "validate/counters/cell.h"
#include "validate/counters/csv.h"
#include "validate/counters/header.h"

#include <glob.h>

static struct ws_in in_of(const char *text, size_t len)
{
	return (struct ws_in){ .data = (const uint8_t *)text, .len = len, .name = (char *)"x.csv" };
}

/* ---- records ------------------------------------------------------------ */

/* Cells as any writer of RFC 4180 has them, quoted where they must be and now and then. */
static size_t write_cell(char *out, const char *cell, struct ws_rng *rng)
{
	char *p = out;

	if (!cell[strcspn(cell, ",\"\n\r")] && ws_rng_below(rng, 2))
		return (size_t)sprintf(out, "%s", cell);
	*p++ = '"';
	for (; *cell; cell++) {
		if (*cell == '"')
			*p++ = '"';
		*p++ = *cell;
	}
	*p++ = '"';
	return (size_t)(p - out);
}

static void random_cell(char *cell, struct ws_rng *rng)
{
	static const char letters[] = "ab,\"\n\r 1";
	size_t len = ws_rng_below(rng, 7);

	for (size_t i = 0; i < len; i++)
		cell[i] = letters[ws_rng_below(rng, sizeof letters - 1)];
	cell[len] = '\0';
}

static void records(uint64_t seed)
{
	struct ws_rng rng;
	unsigned wrong = 0;

	ws_rng_seed(&rng, seed);
	for (unsigned round = 0; round < 3000; round++) {
		char cell[8][8], text[512];
		size_t cells = 1 + ws_rng_below(&rng, 8), len = 0;
		const char *end = ws_rng_below(&rng, 2) ? "\n" : "\r\n";
		uint64_t lines = 1;
		struct ws_csv c;

		for (size_t i = 0; i < cells; i++) {
			random_cell(cell[i], &rng);
			for (const char *p = cell[i]; *p; p++)
				lines += *p == '\n';
			if (i)
				text[len++] = ',';
			len += write_cell(text + len, cell[i], &rng);
		}
		len += (size_t)sprintf(text + len, "%slast%s", end, end);
		ws_csv_init(&c, (const uint8_t *)text, len, "x");
		wrong += ws_csv_next(&c, NULL) != WS_OK || c.cells != cells || c.line != 1;
		for (size_t i = 0; i < cells && i < c.cells; i++)
			wrong += strcmp(ws_csv_cell(&c, i), cell[i]) != 0;
		wrong += ws_csv_next(&c, NULL) != WS_OK || c.cells != 1 || c.line != lines + 1 ||
			 strcmp(ws_csv_cell(&c, 0), "last") != 0 || ws_csv_more(&c);
		ws_csv_clear(&c);
	}
	test_u64(wrong, 0, "3000 random records come back");
}

/* ---- cells -------------------------------------------------------------- */

static void numbers(void)
{
	static const struct {
		const char *text;
		enum ws_cell_says says;
		double value;
		const char *unit;
	} row[] = {
		{ "1,234,567.25", WS_CELL_NUMBER, 1234567.25, "" },
		{ "1.024000e+03", WS_CELL_NUMBER, 1024, "" },
		{ "55.3%", WS_CELL_NUMBER, 55.3, "%" },
		{ "512", WS_CELL_NUMBER, 512, "" }, { "3.5 KB", WS_CELL_NUMBER, 3.5, "KB" },
		{ "12,34", WS_CELL_WRONG, 0, "" }, { "1,2345", WS_CELL_WRONG, 0, "" },
		{ ",123", WS_CELL_WRONG, 0, "" }, { "-1", WS_CELL_WRONG, 0, "" },
		{ "1e19", WS_CELL_WRONG, 0, "" }, { "Low (1)", WS_CELL_WRONG, 0, "" },
		{ "", WS_CELL_MISSING, 0, "" }, { "n/a", WS_CELL_MISSING, 0, "" },
		{ "<OVERFLOW>", WS_CELL_MISSING, 0, "" }, { "NaN", WS_CELL_MISSING, 0, "" },
		{ "1234567890,123", WS_CELL_WRONG, 0, "" },
	};

	for (size_t i = 0; i < WS_COUNT(row); i++) {
		const char *unit = "";
		double value = 0;
		enum ws_cell_says says = ws_cell_number(row[i].text, &value, &unit);

		test_ok(says == row[i].says && (says != WS_CELL_NUMBER ||
			(fabs(value - row[i].value) < 1e-9 && strcmp(unit, row[i].unit) == 0)),
			"number '%s'", row[i].text);
	}
}

static void units(void)
{
	static const struct {
		const char *text;
		enum ws_gpu_profiler profiler;
		double factor;	/* 0: no unit */
	} row[] = {
		{ "", WS_PROFILER_NCU, 1 }, { "sector", WS_PROFILER_NCU, 1 },
		{ "Kbyte", WS_PROFILER_NCU, 1e3 }, { "Mbyte/block", WS_PROFILER_NCU, 1e6 },
		{ "KB", WS_PROFILER_NVPROF, 1024 }, { "B", WS_PROFILER_NVPROF, 1 },
		{ "MB", WS_PROFILER_NVPROF, 1048576 }, { "KiB", WS_PROFILER_NCU, 1024 },
		{ "%", WS_PROFILER_NCU, 1 }, { "register/thread", WS_PROFILER_NCU, 1 },
		{ "furlong", WS_PROFILER_NCU, 0 }, { "K", WS_PROFILER_NCU, 0 },
		{ "nsecond", WS_PROFILER_NCU, 0 }, { "requests", WS_PROFILER_NCU, 1 },
	};

	for (size_t i = 0; i < WS_COUNT(row); i++) {
		double factor = 0;
		bool is = ws_cell_unit(row[i].text, row[i].profiler, &factor);

		test_ok(is == (row[i].factor > 0) && (!is || fabs(factor - row[i].factor) < 1e-9),
			"unit '%s'", row[i].text);
	}
}

static void names(void)
{
	static const char *const row[][2] = {
		{ "void ns::f<int, (a)1>(float *, int)", "ns::f<int, (a)1>" },
		{ "(anonymous namespace)::k(int)", "(anonymous namespace)::k" },
		{ "copy(float*) [clone .kd]", "copy" }, { "copy.kd", "copy" },
		{ "tiled [112]", "tiled" }, { "tiled(float *) [112]", "tiled" },
		{ "hello(char*) (.kd)", "hello" }, { "plain", "plain" }, { "(x)", "(x)" },
	};
	uint64_t v[3] = { 0 };
	unsigned hidden = 0;

	for (size_t i = 0; i < WS_COUNT(row); i++) {
		char *name = ws_cell_kernel(row[i][0]);

		test_str(name, row[i][1], row[i][0]);
		free(name);
	}
	test_ok(ws_cell_triple("(256, 2, 1)", v) && v[0] == 256 && v[1] == 2 && v[2] == 1,
		"triple");
	test_ok(!ws_cell_triple("(256, 0, 1)", v) && !ws_cell_triple("(256, 1)", v) &&
		!ws_cell_triple("1,2,3,4", v), "no triples");
	test_ok(ws_cell_fits("a*_b*", "a12_b3") && !ws_cell_fits("a*_b", "a_b"), "patterns");
	/* No row is hidden by one above it. */
	for (const struct ws_counters_name *n = ws_counters_names; n->name; n++) {
		char text[128];
		size_t len = 0;

		for (const char *p = n->name; *p && len < sizeof text - 1; p++)
			text[len++] = *p == '*' ? '7' : *p;
		text[len] = '\0';
		hidden += ws_header_counter(n->profiler, text) != n;
	}
	test_u64(hidden, 0, "names that another row of the table takes");
}

/* ---- files -------------------------------------------------------------- */

#define HEAD "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
#define ROW(id, name, unit, value) id ",\"k(int)\",\"" name "\"," unit "," value "\n"

static struct ws_counters *read_text(const char *text, double sms)
{
	const struct ws_counters_options o = { .sms = sms };
	struct ws_in in = in_of(text, strlen(text));
	struct ws_err err = { 0 };
	struct ws_counters *c;
	enum ws_status status = ws_counters_read(&c, &in, &o, &err);

	test_ok(status == WS_OK, "is read %s", err.text);
	return c;
}

static void launches(void)
{
	struct ws_counters *c = read_text(
		HEAD ROW("0", "dram__bytes_read.sum", "Kbyte", "6.4")
		ROW("0", "lts__t_sectors_srcunit_tex_op_read.sum", "sector", "\"1,000\"")
		ROW("7", "lts__t_sectors_srcunit_tex_op_read.sum", "sector", "10")
		ROW("0", "lts__t_sectors_srcunit_tex_op_read_lookup_miss.sum", "sector", "400")
		ROW("0", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", "30")
		ROW("0", "unheard_of.sum", "furlong", "many"), 15);

	if (!c)
		return;
	test_u64(c->launches, 2, "launches");
	test_abs(c->launch[0].value[WS_COUNTER_DRAM_READ].value, 200, 1e-9, "bytes by 32");
	test_abs(c->launch[0].value[WS_COUNTER_L2_READ_HITS].value, 600, 1e-9,
		 "hits by difference");
	test_ok(c->launch[0].value[WS_COUNTER_L2_READ_HITS].told, "which two others tell");
	test_abs(c->launch[0].value[WS_COUNTER_L1_LOAD_QUERIES].value, 450, 1e-9, "one SM of 15");
	test_ok(!c->launch[1].value[WS_COUNTER_L2_READ_MISSES].from, "not counted");
	ws_counters_free(c);
}

/* A sum of which a part overflowed is unknown. */
static void parts(void)
{
#define EVENT(name, value) "\"Tesla (0)\",\"k\",1,\"" name "\"," value "," value "," value "\n"
	struct ws_counters *c = read_text(
		"\"Device\",\"Kernel\",\"Invocations\",\"Event Name\",\"Min\",\"Max\",\"Avg\"\n"
		EVENT("l2_subp0_read_l1_sector_queries", "100")
		EVENT("l2_subp1_read_l1_sector_queries", "<OVERFLOW>")
		EVENT("l2_subp0_read_l1_hit_sectors", "30")
		EVENT("l2_subp1_read_l1_hit_sectors", "4")
		EVENT("l2_subp0_read_sector_misses", "70"), 0);

	if (!c)
		return;
	test_ok(!c->launch[0].value[WS_COUNTER_L2_READ_QUERIES].from, "a sum without a part");
	test_abs(c->launch[0].value[WS_COUNTER_L2_READ_HITS].value, 34, 1e-9, "a sum");
	test_u64(c->missing, 1, "values that could not be counted");
	ws_counters_free(c);
}

/* Percentiles as numpy.percentile([4, 1, 10, 2], [10, 50, 90]) has them. */
static void groups(void)
{
	struct ws_counters *c[2] = {
		read_text(HEAD ROW("0", "dram__sectors_read.sum", "", "4")
			  ROW("1", "dram__sectors_read.sum", "", "1")
			  ROW("2", "dram__sectors_read.sum", "", "10"), 0),
		read_text(HEAD ROW("0", "dram__sectors_read.sum", "", "2")
			  ROW("7", "dram__bytes_read.sum", "", "9999") /* left out */
			  "1,\"other\",\"dram__sectors_read.sum\",,5\n", 0),
	};
	struct ws_counters_group *group = NULL;
	const struct ws_counters_spread *s;
	size_t count = 0;

	if (c[0] && c[1] && test_ok(ws_counters_gather(&group, &count, c, 2, NULL) == WS_OK &&
				    count == 2, "two groups")) {
		s = &group[0].value[WS_COUNTER_DRAM_READ];
		test_u64(s->runs, 4, "runs");
		test_abs(s->p10, 1.3, 1e-12, "p10");
		test_abs(s->median, 3, 1e-12, "median");
		test_abs(s->p90, 8.2, 1e-12, "p90");
		test_str(group[1].launch->kernel, "other", "the other kernel");
	}
	free(group);
	ws_counters_free(c[0]);
	ws_counters_free(c[1]);
}

/* ---- any bytes ---------------------------------------------------------- */

/* Reads it; false unless all is as it must be. */
static bool try_bytes(const char *data, size_t len, enum ws_status *status)
{
	struct ws_in in = in_of(data, len);
	struct ws_err err = { 0 };
	struct ws_counters_group *group = NULL;
	struct ws_counters *c;
	size_t count;
	bool good;

	*status = ws_counters_read(&c, &in, NULL, &err);
	if (*status != WS_OK)
		return *status == WS_EFORMAT && !c && strncmp(err.text, "x.csv:", 6) == 0 &&
		       err.text[6] >= '1' && err.text[6] <= '9';
	good = ws_counters_gather(&group, &count, &c, 1, NULL) == WS_OK && count <= c->launches;
	for (size_t i = 0; good && i < c->launches; i++)
		for (unsigned k = 0; k < WS_COUNTERS; k++)
			good = good && (!c->launch[i].value[k].from ||
					c->launch[i].value[k].value >= 0);
	free(group);
	ws_counters_free(c);
	return good;
}

static unsigned damage(const char *data, size_t len, struct ws_rng *rng)
{
	unsigned wrong = 0;
	enum ws_status status;

	for (unsigned round = 0; round < 300; round++) {
		static const char bytes[] = "\",\n\r0 9.%=K\0";
		char *copy = ws_alloc(len + 1, 1);
		size_t cut = ws_rng_below(rng, 4) ? len : ws_rng_below(rng, len + 1);

		memcpy(copy, data, len);
		for (uint64_t times = 1 + ws_rng_below(rng, 4); times--;)
			copy[ws_rng_below(rng, len)] =
				bytes[ws_rng_below(rng, sizeof bytes - 1)];
		wrong += !try_bytes(copy, cut, &status);
		free(copy);
	}
	return wrong;
}

static void seeds(uint64_t seed)
{
	struct ws_rng rng;
	glob_t found;

	ws_rng_seed(&rng, seed);
	if (!test_ok(glob("tests/fuzz/corpus-counters/*", 0, NULL, &found) == 0, "the seeds"))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		bool good = strstr(found.gl_pathv[i], "/ok-") != NULL;
		struct ws_in in = { 0 };
		enum ws_status status = WS_OK;

		if (!test_ok(ws_in_open(&in, found.gl_pathv[i], NULL) == WS_OK, "opens"))
			continue;
		test_ok(try_bytes((const char *)in.data, in.len, &status) &&
			good == (status == WS_OK), "%s", found.gl_pathv[i]);
		test_u64(damage((const char *)in.data, in.len, &rng), 0, "damaged 300 times");
		ws_in_close(&in);
	}
	globfree(&found);
}

int main(void)
{
	uint64_t seed = test_seed(20261);

	records(seed);
	numbers();
	units();
	names();
	launches();
	parts();
	groups();
	seeds(seed);
	return test_done();
}
