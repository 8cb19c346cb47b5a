/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/compare/rows.c -- rows of simulate, predict and sweep as statistics of launches.
 *
 * A row is of a kernel or launch, or of a source line or array of it, a level and a kind.  Kinds
 * without a row have had no requests if those that have one add up to that of kind all; else they
 * are not known.
 */
#include "base/map.h"
#include "trace/trace.h"
#include "validate/compare/stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOAD, STORE, ATOMIC, ALL, KINDS };
static const char *const kinds[KINDS] = { "load", "store", "atomic", "all" };
static const char *const levels[] = { "L1", "L2" };

/* The columns; those of the cache first, in the order of enum ws_stat_of_cache. */
enum {
	REQUESTS, HITS, PENDING, MISSES,
	FAIL_LINE, FAIL_QUEUE, FAIL_MSHR, FAIL_MERGE,
	CYCLES, ISSUED, DRAM_READS, DRAM_WRITES,
	NUMBERS,
	KERNEL = NUMBERS, LEVEL, KIND, ARRAY, SOURCE,
	COLUMNS
};
static const char *const names[COLUMNS] = {
	"requests", "hits", "pending", "misses", "fail_line", "fail_queue", "fail_mshr",
	"fail_merge", "cycles", "issued_instructions", "dram_read_sectors", "dram_write_sectors",
	"kernel", "level", "kind", "array", "source",
};

struct row_kernel {		/* what its rows say */
	double number[2][KINDS][NUMBERS]; /* NAN: not said */
	uint64_t line[2][KINDS];	  /* of the row; 0: there is none */
	char *name;			  /* as the rows have it */
};

struct rows_reader {
	struct ws_records records;
	size_t column[COLUMNS];
	struct ws_stats *s;
	struct row_kernel *kernel; /* by launch */
	size_t cap;
	struct ws_map map;	/* of the launches, by their names in the rows */
};

bool ws_stats_is_rows(const struct ws_in *in)
{
	struct ws_records r;
	bool is = ws_records_begin(&r, in, NULL) == WS_OK, more;

	if (is && r.separator == '{')
		is = ws_records_next(&r, &more, NULL) == WS_OK;
	is = is && ws_records_column(&r, names[KERNEL]) != SIZE_MAX &&
	     ws_records_column(&r, names[LEVEL]) != SIZE_MAX;
	ws_records_end(&r);
	return is;
}

/* ---- rows ------------------------------------------------------------------------------ */

static uint64_t name_key(const char *text)
{
	uint64_t h = 0;

	for (; *text; text++)
		h = ws_map_mix(h, (uint8_t)*text);
	return h;
}

static bool kernel_init(struct row_kernel *k, const char *name)
{
	for (unsigned l = 0; l < 2; l++)
		for (unsigned i = 0; i < KINDS; i++) {
			k->line[l][i] = 0;
			for (unsigned n = 0; n < NUMBERS; n++)
				k->number[l][i][n] = (double)NAN;
		}
	k->name = ws_strdup(name);
	return k->name != NULL;
}

/* The kernel of that name, a new one if need be.  NULL: memory is out. */
static struct row_kernel *kernel_of(struct rows_reader *r, const char *name)
{
	uint64_t key = name_key(name);
	struct ws_stats *s = r->s;
	struct ws_stats_launch *l;
	uint32_t *slot;

	if (!WS_ROOM(r->kernel, r->cap, s->launches + 1) ||
	    !WS_ROOM(s->launch, s->cap, s->launches + 1) ||
	    !ws_map_room(&r->map, s->launch, sizeof *s->launch, s->launches + 1))
		return NULL;
	for (;; key++) {
		slot = ws_map_slot(&r->map, s->launch, sizeof *s->launch, key);
		if (!*slot)
			break;
		if (strcmp(r->kernel[*slot - 1].name, name) == 0)
			return &r->kernel[*slot - 1];
	}
	if (!kernel_init(&r->kernel[s->launches], name))
		return NULL;
	l = ws_stats_launch_new(s, name, ws_kernel_length(name), r->records.csv.line);
	if (!l) {
		free(r->kernel[s->launches].name);
		return NULL;
	}
	l->key = key;
	*slot = (uint32_t)s->launches;
	return &r->kernel[s->launches - 1];
}

/* Which of the words a cell is. */
static enum ws_status word_of(struct rows_reader *r, unsigned column, const char *const *word,
			      unsigned words, const char *wanted, unsigned *found,
			      struct ws_err *err)
{
	const char *cell = ws_records_cell(&r->records, r->column[column]);

	for (*found = 0; *found < words; ++*found)
		if (strcmp(word[*found], cell) == 0)
			return WS_OK;
	return ws_csv_fail(&r->records.csv, err, "%s is '%.40s', want %s", names[column], cell,
			   wanted);
}

static enum ws_status cell_number(struct rows_reader *r, unsigned column, double *number,
				  struct ws_err *err)
{
	const char *cell = ws_records_cell(&r->records, r->column[column]);

	if (!*cell)
		return WS_OK;
	if (!ws_parse_double(cell, number) || !(*number >= 0 && *number <= WS_STAT_MOST))
		return ws_csv_fail(&r->records.csv, err, "%s is '%.40s', want a count up to 2^53",
				   names[column], cell);
	return WS_OK;
}

#define PART_NAME 1024u

static const char *cell_of(struct rows_reader *r, unsigned column)
{
	return r->column[column] == SIZE_MAX ? ""
					     : ws_records_cell(&r->records, r->column[column]);
}

/* "mm", or of a row of its own: "mm, A at mm.cl:13". */
static const char *part_name(struct rows_reader *r, char text[PART_NAME])
{
	const char *kernel = cell_of(r, KERNEL), *array = cell_of(r, ARRAY);
	const char *source = cell_of(r, SOURCE);

	if (!*array && !*source)
		return kernel;
	snprintf(text, PART_NAME, "%.600s%s%.200s%s%.200s", kernel, *array ? ", " : "", array,
		 *source ? *array ? " at " : ", " : "", source);
	return text;
}

static enum ws_status take_row(struct rows_reader *r, struct ws_err *err)
{
	char text[PART_NAME];
	const char *name = part_name(r, text);
	struct row_kernel *k;
	unsigned level, kind;
	enum ws_status status = word_of(r, LEVEL, levels, 2, "L1 or L2", &level, err);

	if (status == WS_OK)
		status = word_of(r, KIND, kinds, KINDS, "load, store, atomic or all", &kind, err);
	if (status != WS_OK)
		return status;
	k = kernel_of(r, name);
	if (!k)
		return ws_fail_memory(err, "a kernel");
	if (k->line[level][kind])
		return ws_csv_fail(&r->records.csv, err, "%s %s of kernel %.100s is on line "
				   "%" PRIu64 " already: want rows of one configuration",
				   levels[level], kinds[kind], name, k->line[level][kind]);
	k->line[level][kind] = r->records.csv.line;
	for (unsigned i = 0; i < NUMBERS && status == WS_OK; i++)
		status = cell_number(r, i, &k->number[level][kind][i], err);
	return status;
}

/* ---- statistics ----------------------------------------------------------------------- */

/* Are all requests those of kinds with a row of their own? */
static bool kinds_add_up(const struct row_kernel *k, unsigned level)
{
	double sum = 0;

	for (unsigned i = 0; i < ALL; i++)
		if (k->line[level][i])
			sum += k->number[level][i][REQUESTS];
	return k->line[level][ALL] && sum >= k->number[level][ALL][REQUESTS];
}

/* What the kinds that are counted together have of each number. */
static void add_kinds(const struct row_kernel *k, unsigned level, unsigned kind, unsigned and,
		      double *of)
{
	bool none = kinds_add_up(k, level);

	for (unsigned i = 0; i < WS_OF_MISS_RATIO; i++)
		of[i] = 0;
	for (unsigned n = 0; n < 2 && (n == 0 || and != kind); n++) {
		const double *number = k->number[level][n ? and : kind];

		if (!k->line[level][n ? and : kind] && none)
			continue;
		for (unsigned i = 0; i < WS_OF_FAILS; i++)
			of[i] += number[i];
		of[WS_OF_FAILS] += number[FAIL_LINE] + number[FAIL_QUEUE] +
						number[FAIL_MSHR] + number[FAIL_MERGE];
	}
}

static void settle(struct ws_stats_launch *l, const struct row_kernel *k)
{
	const double *all = k->number[0][ALL], *l2 = k->number[1][ALL];

	add_kinds(k, 0, LOAD, LOAD, &l->value[WS_STAT_L1_LOAD]);
	add_kinds(k, 0, STORE, STORE, &l->value[WS_STAT_L1_STORE]);
	add_kinds(k, 1, LOAD, ATOMIC, &l->value[WS_STAT_L2_LOAD]);
	add_kinds(k, 1, STORE, STORE, &l->value[WS_STAT_L2_STORE]);
	l->value[WS_STAT_CYCLES] = all[CYCLES];
	l->value[WS_STAT_WARP_INSTRUCTIONS] = all[ISSUED];
	l->value[WS_STAT_DRAM_READS] = all[DRAM_READS];
	l->value[WS_STAT_DRAM_WRITES] = all[DRAM_WRITES];
	l->value[WS_STAT_L2_ACCESSES] = l2[REQUESTS];
	l->value[WS_STAT_L2_MISSES] = l2[MISSES];
	ws_stats_ratios(l);
}

static enum ws_status find_columns(struct rows_reader *r, struct ws_err *err)
{
	static const unsigned needed[] = { KERNEL, LEVEL, KIND, REQUESTS, MISSES };

	for (unsigned i = 0; i < COLUMNS; i++)
		r->column[i] = ws_records_column(&r->records, names[i]);
	for (unsigned i = 0; i < WS_COUNT(needed); i++)
		if (r->column[needed[i]] == SIZE_MAX)
			return ws_csv_fail(&r->records.csv, err, "no column %s: want rows of "
					   "simulate, predict or sweep", names[needed[i]]);
	return WS_OK;
}

enum ws_status ws_stats_rows(struct ws_stats *s, const struct ws_in *in, struct ws_err *err)
{
	struct rows_reader r = { .s = s };
	bool more = true, json;
	enum ws_status status = ws_records_begin(&r.records, in, err);

	s->kind = "rows";
	json = r.records.separator == '{'; /* its names are those of the first record */
	if (status == WS_OK && !json)
		status = find_columns(&r, err);
	while (status == WS_OK && more) {
		status = ws_records_next(&r.records, &more, err);
		if (status == WS_OK && more && json)
			status = find_columns(&r, err);
		if (status == WS_OK && more)
			status = take_row(&r, err);
		json = false;
	}
	for (size_t i = 0; i < s->launches; i++) {
		settle(&s->launch[i], &r.kernel[i]);
		free(r.kernel[i].name);
	}
	free(r.kernel);
	ws_map_clear(&r.map);
	ws_records_end(&r.records);
	return status;
}
