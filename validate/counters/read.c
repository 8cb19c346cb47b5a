/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/counters/read.c -- a profiler's file: tables, rows, launches.
 *
 * Before the first header stands whatever the program printed; after it, but for lines that begin
 * with == and empty ones, each record is a row of the table or the header of the next.
 */
#include "base/map.h"
#include "validate/counters/cell.h"
#include "validate/counters/header.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ws_counter_file {
	struct ws_csv csv;
	const struct ws_counters_options *options;
	struct ws_counters *out;
	struct ws_header header; /* of the table at hand */
	bool headed;		/* there is one */
	bool first;		/* its first row comes next, which may have the units */
	struct ws_map map;	/* of its launches */
	struct ws_counters_launch *launch; /* of the row at hand */
	bool fresh;		/* it is this row's */
	uint64_t items, group;	/* of a row of rocprof */
};

/* ---- launches ----------------------------------------------------------- */

static const char *cell_of(const struct ws_counter_file *f, enum ws_column_role role)
{
	size_t place = f->header.place[role];

	return place < f->csv.cells ? ws_csv_cell(&f->csv, place) : NULL;
}

static uint64_t text_key(uint64_t h, const char *text)
{
	for (; *text; text++)
		h = ws_map_mix(h, (uint8_t)*text);
	return ws_map_mix(h, 0x100);
}

/* "Tesla K20c (0)" without the number. */
static char *gpu_name(const char *text)
{
	const char *open = strrchr(text, '(');
	size_t len = strlen(text);
	char *name = ws_strdup(text);

	if (name && open && open > text && open[1] && len && text[len - 1] == ')' &&
	    strspn(open + 1, "0123456789") == strlen(open) - 2)
		name[open - text - (open[-1] == ' ')] = '\0';
	return name;
}

static enum ws_status launch_new(struct ws_counter_file *f, uint64_t key, const char *kernel,
				 struct ws_err *err)
{
	struct ws_counters *c = f->out;
	const char *gpu = cell_of(f, WS_ROLE_GPU);
	struct ws_counters_launch *l;

	if (!WS_ROOM(c->launch, c->cap, c->launches + 1))
		return ws_fail_memory(err, "a launch's counters");
	l = &c->launch[c->launches];
	*l = (struct ws_counters_launch){ .key = key, .line = f->csv.line, .samples = 1,
					  .registers = UINT64_MAX, .shared_bytes = UINT64_MAX };
	l->kernel = ws_cell_kernel(kernel);
	if (gpu && f->header.profiler == WS_PROFILER_NVPROF && *gpu)
		l->gpu = gpu_name(gpu);
	c->launches++;
	if (!l->kernel || (gpu && *gpu && f->header.profiler == WS_PROFILER_NVPROF && !l->gpu))
		return ws_fail_memory(err, "a launch's counters");
	if (f->header.place[WS_ROLE_SAMPLES] == SIZE_MAX)
		l->number = c->launches;
	f->launch = l;
	f->fresh = true;
	return WS_OK;
}

/* The launch of that number, or of that kernel where launches have none. */
static enum ws_status launch_find(struct ws_counter_file *f, const char *kernel, struct ws_err *err)
{
	const char *id = cell_of(f, WS_ROLE_LAUNCH), *gpu = cell_of(f, WS_ROLE_GPU);
	uint64_t key = id ? text_key(1, id) : text_key(text_key(2, gpu ? gpu : ""), kernel);
	uint32_t *slot;
	char *name;
	bool same;

	if (id && (!*id || id[strspn(id, "0123456789")]))
		return ws_csv_fail(&f->csv, err, "launch '%.40s' is no number", id);
	if (!ws_map_room(&f->map, f->out->launch, sizeof *f->out->launch, f->out->launches + 1))
		return ws_fail_memory(err, "the launches");
	slot = ws_map_slot(&f->map, f->out->launch, sizeof *f->out->launch, key);
	if (!*slot) {
		*slot = (uint32_t)f->out->launches + 1;
		return launch_new(f, key, kernel, err);
	}
	f->launch = &f->out->launch[*slot - 1];
	name = ws_cell_kernel(kernel);
	if (!name)
		return ws_fail_memory(err, "a kernel's name");
	same = strcmp(name, f->launch->kernel) == 0;
	free(name);
	return same ? WS_OK : ws_csv_fail(&f->csv, err, "launch %s is of kernel %.100s, but of "
					  "%.100s on line %" PRIu64, id ? id : "", kernel,
					  f->launch->kernel, f->launch->line);
}

/* ---- what rows say ------------------------------------------------------ */

struct ws_reading {		/* a number of a counter */
	double value, min, max;
};

/* A cell as a number times what its unit says.  Missing: *value is NAN. */
static enum ws_status number_of(const struct ws_counter_file *f, const char *what, const char *text,
				const char *unit, double *value, struct ws_err *err)
{
	const char *after = "";
	double factor;

	switch (ws_cell_number(text, value, &after)) {
	case WS_CELL_WRONG:
		return ws_csv_fail(&f->csv, err, "%.100s is '%.60s', want a number of 0 to 1e18, "
				   "with a point before its decimals", what, text);
	case WS_CELL_MISSING:
		*value = (double)NAN;
		return WS_OK;
	default:
		break;
	}
	if (*after)
		unit = after;
	if (!ws_cell_unit(unit ? unit : "", f->header.profiler, &factor))
		return ws_csv_fail(&f->csv, err, "%.100s is in '%.40s', which is no unit of a "
				   "counter", what, unit);
	*value *= factor;
	return WS_OK;
}

static enum ws_status count_of(const struct ws_counter_file *f, const char *what, const char *text,
			       const char *unit, uint64_t *count, struct ws_err *err)
{
	double value;
	enum ws_status status = number_of(f, what, text, unit, &value, err);

	if (status == WS_OK && !isnan(value))
		*count = (uint64_t)(value + 0.5);
	return status;
}

/* Adds to the counter, or takes the place of one that the table has further down. */
static enum ws_status put_counter(struct ws_counter_file *f, const struct ws_counters_name *name,
				  const char *what, struct ws_reading r, struct ws_err *err)
{
	struct ws_counter_value *v = &f->launch->value[name->counter];
	bool adds = strchr(name->name, '*') != NULL;
	double scale = name->scale;

	f->out->missing += isnan(r.value) != 0;
	if (isnan(r.value) && !adds) /* a sum without one of its parts is unknown */
		return WS_OK;
	if (name->by_sm && f->options && f->options->sms > 0)
		scale *= f->options->sms;
	r = (struct ws_reading){ r.value * scale, isnan(r.min) ? r.value * scale : r.min * scale,
				 isnan(r.max) ? r.value * scale : r.max * scale };
	if (!v->from || name < v->from) {
		*v = (struct ws_counter_value){ name, r.value, r.min, r.max, false };
	} else if (name == v->from && adds) {
		v->value += r.value;
		v->min += r.min;
		v->max += r.max;
	} else if (name == v->from && (v->value < r.value || v->value > r.value)) {
		return ws_csv_fail(&f->csv, err, "%.100s of launch %" PRIu64 " is given twice: "
				   "%.15g, and %.15g before", what, f->launch->number, r.value,
				   v->value);
	}
	return WS_OK;
}

static enum ws_status put_shared(struct ws_counter_file *f, const char *what, const char *text,
				 const char *unit, struct ws_err *err)
{
	uint64_t more = UINT64_MAX;
	enum ws_status status = count_of(f, what, text, unit, &more, err);

	if (status == WS_OK && more != UINT64_MAX)
		f->launch->shared_bytes = more + (f->launch->shared_bytes == UINT64_MAX
						  ? 0 : f->launch->shared_bytes);
	return status;
}

/* A property of the launch. */
static enum ws_status put_property(struct ws_counter_file *f, enum ws_column_role role,
				   const char *what, const char *text, const char *unit,
				   struct ws_err *err)
{
	struct ws_counters_launch *l = f->launch;

	switch (role) {
	case WS_ROLE_GRID:
	case WS_ROLE_BLOCK:
		if (!ws_cell_triple(text, role == WS_ROLE_GRID ? l->grid : l->block))
			return ws_csv_fail(&f->csv, err, "%s is '%.60s', want three numbers, as in "
					   "(256, 1, 1)", what, text);
		return WS_OK;
	case WS_ROLE_GRID_X: case WS_ROLE_GRID_Y: case WS_ROLE_GRID_Z:
		return count_of(f, what, text, unit, &l->grid[role - WS_ROLE_GRID_X], err);
	case WS_ROLE_BLOCK_X: case WS_ROLE_BLOCK_Y: case WS_ROLE_BLOCK_Z:
		return count_of(f, what, text, unit, &l->block[role - WS_ROLE_BLOCK_X], err);
	case WS_ROLE_ITEMS:
		return count_of(f, what, text, unit, &f->items, err);
	case WS_ROLE_GROUP:
		return count_of(f, what, text, unit, &f->group, err);
	case WS_ROLE_REGISTERS:
		return count_of(f, what, text, unit, &l->registers, err);
	case WS_ROLE_SAMPLES:
		return count_of(f, what, text, unit, &l->samples, err);
	case WS_ROLE_SHARED:
		return put_shared(f, what, text, unit, err);
	case WS_ROLE_GPU:
		if (l->gpu || f->header.profiler != WS_PROFILER_NCU || !*text)
			return WS_OK;
		l->gpu = ws_strdup(text);
		return l->gpu ? WS_OK : ws_fail_memory(err, "a GPU's name");
	default:
		return WS_OK;
	}
}

/* What a launch's first row says of it in columns. */
static enum ws_status take_columns(struct ws_counter_file *f, struct ws_err *err)
{
	struct ws_counters_launch *l = f->launch;
	enum ws_status status = WS_OK;
	char what[40];

	f->items = f->group = 0;
	for (size_t i = 0; i < f->csv.cells && i < f->header.columns && status == WS_OK; i++) {
		const struct ws_heading *h = &f->header.column[i];

		snprintf(what, sizeof what, "column %zu", i + 1);
		if (h->role >= WS_ROLE_GRID || h->role == WS_ROLE_SAMPLES || h->role == WS_ROLE_GPU)
			status = put_property(f, h->role, what, ws_csv_cell(&f->csv, i), h->unit,
					      err);
	}
	if (f->group) {
		l->grid[0] = f->items / f->group + (f->items % f->group != 0);
		l->block[0] = f->group;
	}
	if (l->samples == 0)
		l->samples = 1;
	return status;
}

/* A row of one metric. */
static enum ws_status take_metric(struct ws_counter_file *f, struct ws_err *err)
{
	const char *name = cell_of(f, WS_ROLE_METRIC), *value = cell_of(f, WS_ROLE_VALUE);
	const char *unit = cell_of(f, WS_ROLE_UNIT), *min = cell_of(f, WS_ROLE_MIN);
	const char *max = cell_of(f, WS_ROLE_MAX);
	enum ws_column_role role = ws_header_property(f->header.profiler, name);
	const struct ws_counters_name *counter = ws_header_counter(f->header.profiler, name);
	struct ws_reading r = { (double)NAN, (double)NAN, (double)NAN };
	enum ws_status status;

	if (role != WS_ROLE_NONE)
		return put_property(f, role, name, value, unit, err);
	if (!counter)
		return WS_OK;
	status = number_of(f, name, value, unit, &r.value, err);
	if (status == WS_OK && min)
		status = number_of(f, name, min, unit, &r.min, err);
	if (status == WS_OK && max)
		status = number_of(f, name, max, unit, &r.max, err);
	return status == WS_OK ? put_counter(f, counter, name, r, err) : status;
}

/* A row of a launch with all of its counters. */
static enum ws_status take_launch(struct ws_counter_file *f, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < f->header.columns && status == WS_OK; i++) {
		const struct ws_heading *h = &f->header.column[i];
		struct ws_reading r = { (double)NAN, (double)NAN, (double)NAN };

		if (!h->counter)
			continue;
		status = number_of(f, h->counter->name, ws_csv_cell(&f->csv, i), h->unit, &r.value,
				   err);
		if (status == WS_OK)
			status = put_counter(f, h->counter, h->counter->name, r, err);
	}
	return status;
}

/* ---- rows --------------------------------------------------------------- */

/* Has the row the header's cells?  Notes at the end may be left out. */
static enum ws_status check_cells(const struct ws_counter_file *f, struct ws_err *err)
{
	size_t cells = f->csv.cells, columns = f->header.columns, i = cells;

	if (cells == columns + 1 && *ws_csv_cell(&f->csv, columns) == '\0')
		return WS_OK;
	while (i < columns && f->header.column[i].role == WS_ROLE_NOTE)
		i++;
	if (cells <= columns && i >= columns)
		return WS_OK;
	return ws_csv_fail(&f->csv, err, "%zu cells, but the header on line %" PRIu64 " has %zu",
			   cells, f->header.line, columns);
}

static void take_units(struct ws_counter_file *f)
{
	for (size_t i = 0; i < f->header.columns; i++)
		snprintf(f->header.column[i].unit, sizeof f->header.column[i].unit, "%s",
			 ws_csv_cell(&f->csv, i));
}

static enum ws_status take_row(struct ws_counter_file *f, struct ws_err *err)
{
	enum ws_status status = check_cells(f, err);
	bool first = f->first;
	const char *kernel;

	if (status != WS_OK)
		return status;
	kernel = cell_of(f, WS_ROLE_KERNEL);
	f->first = f->fresh = false;
	if (first && !f->header.by_metric && *kernel == '\0') {
		take_units(f);
		return WS_OK;
	}
	if (*kernel == '\0')
		return ws_csv_fail(&f->csv, err, "a row without a kernel's name");
	if (strncmp(kernel, "[CUDA ", strlen("[CUDA ")) == 0) /* a copy */
		return WS_OK;
	status = f->header.by_metric || f->header.place[WS_ROLE_LAUNCH] != SIZE_MAX
			 ? launch_find(f, kernel, err) : launch_new(f, 0, kernel, err);
	if (status == WS_OK && f->fresh)
		status = take_columns(f, err);
	if (status != WS_OK)
		return status;
	return f->header.by_metric ? take_metric(f, err) : take_launch(f, err);
}

/* ---- tables ------------------------------------------------------------- */

/* The record at hand, if it is a header, begins a table. */
static enum ws_status take_header(struct ws_counter_file *f, bool *taken, struct ws_err *err)
{
	bool no_memory;
	const char *wanted = f->options ? f->options->profiler : NULL;

	*taken = ws_header_take(&f->header, &f->csv, &no_memory);
	if (no_memory)
		return ws_fail_memory(err, "a table's columns");
	if (!*taken)
		return WS_OK;
	if (wanted && strcmp(wanted, ws_gpu_profiler_names[f->header.profiler]) != 0)
		return ws_csv_fail(&f->csv, err, "a table of %s, not of %s",
				   ws_gpu_profiler_names[f->header.profiler], wanted);
	if (f->headed && f->out->profiler != f->header.profiler)
		return ws_csv_fail(&f->csv, err, "a table of %s after one of %s",
				   ws_gpu_profiler_names[f->header.profiler],
				   ws_gpu_profiler_names[f->out->profiler]);
	f->out->profiler = f->header.profiler;
	f->headed = f->first = true;
	ws_map_clear(&f->map);
	return WS_OK;
}

/* A line of what comes before the first header. */
static enum ws_status seek_header(struct ws_counter_file *f, struct ws_err *err)
{
	struct ws_csv at = f->csv;
	enum ws_status status;
	bool taken;

	f->csv.end = f->csv.p + ws_csv_line(&f->csv);
	status = ws_csv_next(&f->csv, NULL);
	f->csv.p = at.p;
	f->csv.end = at.end;
	f->csv.next = at.next;
	ws_csv_skip(&f->csv);
	if (status == WS_ENOMEM)
		return ws_fail_memory(err, "a record");
	return status == WS_OK ? take_header(f, &taken, err) : WS_OK;
}

/* A line that is no record: empty, or what the profiler says. */
static bool is_remark(const struct ws_csv *c)
{
	size_t len = ws_csv_line(c);

	return len == 0 || (len >= 2 && c->p[0] == '=' && c->p[1] == '=');
}

static enum ws_status take_record(struct ws_counter_file *f, struct ws_err *err)
{
	enum ws_status status;
	bool taken = false;

	if (!f->headed)
		return seek_header(f, err);
	if (is_remark(&f->csv)) {
		ws_csv_skip(&f->csv);
		return WS_OK;
	}
	status = ws_csv_next(&f->csv, err);
	if (status == WS_OK && ws_header_begins(ws_csv_cell(&f->csv, 0)))
		status = take_header(f, &taken, err);
	return status == WS_OK && !taken ? take_row(f, err) : status;
}

/* ---- files -------------------------------------------------------------- */

/* The third of queries, hits and misses. */
static void tell_third(struct ws_counters_launch *l, enum ws_counter queries)
{
	struct ws_counter_value *q = &l->value[queries], *hit = q + 1, *miss = q + 2;
	struct ws_counter_value *third = !q->from ? q : !hit->from ? hit : miss;
	const struct ws_counter_value *one = third == q ? hit : q;
	const struct ws_counter_value *other = third == miss ? hit : miss;
	double sign = third == q ? 1 : -1;

	if (third->from || !one->from || !other->from || one->from->apart || other->from->apart ||
	    strcmp(one->from->unit, other->from->unit) != 0)
		return;
	*third = (struct ws_counter_value){ one->from, fmax(0, one->value + sign * other->value),
				      fmax(0, one->min + sign * (sign > 0 ? other->min
									   : other->max)),
				      fmax(0, one->max + sign * (sign > 0 ? other->max
									   : other->min)), true };
}

static void tell_rest(struct ws_counters *c)
{
	static const enum ws_counter queries[] = {
		WS_COUNTER_L1_LOAD_QUERIES, WS_COUNTER_L1_STORE_QUERIES,
		WS_COUNTER_L2_READ_QUERIES, WS_COUNTER_L2_WRITE_QUERIES,
	};

	for (size_t i = 0; i < c->launches; i++) {
		for (size_t k = 0; k < WS_COUNTERS; k++)
			if (c->launch[i].value[k].from && isnan(c->launch[i].value[k].value))
				c->launch[i].value[k] = (struct ws_counter_value){ .from = NULL };
		for (size_t k = 0; k < WS_COUNT(queries); k++)
			tell_third(&c->launch[i], queries[k]);
	}
}

enum ws_status ws_counters_read(struct ws_counters **out, const struct ws_in *in,
				const struct ws_counters_options *options, struct ws_err *err)
{
	struct ws_counter_file f = { .options = options };
	enum ws_status status = WS_OK;

	*out = NULL;
	f.out = ws_alloc_zero(1, sizeof *f.out);
	if (!f.out)
		return ws_fail_memory(err, "counters");
	ws_csv_init(&f.csv, in->data, in->len, in->name);
	while (status == WS_OK && ws_csv_more(&f.csv))
		status = take_record(&f, err);
	if (status == WS_OK && !f.headed) {
		f.csv.line = f.csv.next;
		status = ws_csv_fail(&f.csv, err, "no table of Nsight Compute, nvprof or rocprof: "
				     "want the csv that they write");
	}
	if (status == WS_OK) {
		tell_rest(f.out);
		*out = f.out;
		f.out = NULL;
	}
	ws_counters_free(f.out);
	ws_csv_clear(&f.csv);
	ws_header_clear(&f.header);
	ws_map_clear(&f.map);
	return status;
}

void ws_counters_free(struct ws_counters *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->launches; i++) {
		free(c->launch[i].kernel);
		free(c->launch[i].gpu);
	}
	free(c->launch);
	free(c);
}
