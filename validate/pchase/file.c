/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/file.c -- reads files of measured loads.
 */
#include "validate/counters/csv.h"
#include "validate/pchase.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_MOST (1ull << 40)
#define NOWHERE SIZE_MAX

enum { OFFSET, LATENCY, ARRAY, STRIDE, RATIO, LOADS, LEVEL, COLUMNS };
static const char *const names[COLUMNS] = {
	"offset", "latency", "array_bytes", "stride_bytes", "miss_ratio", "loads", "level",
};

static enum ws_status read_header(struct ws_csv *c, size_t *at, struct ws_err *err)
{
	enum ws_status status = ws_csv_next(c, err);

	for (size_t k = 0; k < COLUMNS && status == WS_OK; k++) {
		at[k] = NOWHERE;
		for (size_t i = 0; i < c->cells; i++)
			if (strcmp(ws_csv_cell(c, i), names[k]) == 0)
				at[k] = i;
	}
	if (status != WS_OK || (at[OFFSET] != NOWHERE && at[LATENCY] != NOWHERE) ||
	    (at[ARRAY] != NOWHERE && at[STRIDE] != NOWHERE && at[RATIO] != NOWHERE))
		return status;
	return ws_csv_fail(c, err, "no measured loads: want a header with offset and latency, or "
			   "with array_bytes, stride_bytes and miss_ratio");
}

static enum ws_status whole(const struct ws_csv *c, size_t at, const char *name, uint64_t *value,
			    struct ws_err *err)
{
	const char *text = ws_csv_cell(c, at);

	if (ws_parse_u64(text, value) && *value <= BYTES_MOST)
		return WS_OK;
	return ws_csv_fail(c, err, "%s is '%.64s', want a whole number up to 2^40", name, text);
}

static enum ws_status real(const struct ws_csv *c, size_t at, const char *name, double most,
			   double *value, struct ws_err *err)
{
	const char *text = ws_csv_cell(c, at);

	if (ws_parse_double(text, value) && *value >= 0 && *value <= most)
		return WS_OK;
	return ws_csv_fail(c, err, "%s is '%.64s', want a number from 0 to %g", name, text, most);
}

static enum ws_status read_load(struct ws_chase_file *f, const struct ws_csv *c, const size_t *at,
				struct ws_err *err)
{
	enum ws_status status;

	if (!WS_ROOM(f->offset, f->offset_cap, f->loads + 1) ||
	    !WS_ROOM(f->latency, f->latency_cap, f->loads + 1))
		return ws_fail_memory(err, "the loads");
	status = whole(c, at[OFFSET], names[OFFSET], &f->offset[f->loads], err);
	if (status == WS_OK)
		status = real(c, at[LATENCY], names[LATENCY], 1e9, &f->latency[f->loads], err);
	f->loads += status == WS_OK;
	return status;
}

static enum ws_status read_point(struct ws_chase_file *f, const struct ws_csv *c, const size_t *at,
				 struct ws_err *err)
{
	struct ws_chase_point p = { 0 };
	enum ws_status status;

	if (at[LEVEL] != NOWHERE && strcmp(ws_csv_cell(c, at[LEVEL]), "l1") != 0)
		return WS_OK;
	status = whole(c, at[STRIDE], names[STRIDE], &p.stride, err);
	if (status == WS_OK && p.stride == 0)
		return ws_csv_fail(c, err, "stride_bytes is 0, want 1 or more");
	if (status == WS_OK && *ws_csv_cell(c, at[ARRAY]))
		status = whole(c, at[ARRAY], names[ARRAY], &p.array, err);
	if (status == WS_OK && at[LOADS] != NOWHERE && *ws_csv_cell(c, at[LOADS]))
		status = whole(c, at[LOADS], names[LOADS], &p.loads, err);
	if (status == WS_OK) /* counters of fetched bytes may count a little more */
		status = real(c, at[RATIO], names[RATIO], 1.5, &p.miss_ratio, err);
	if (status != WS_OK)
		return status;
	p.miss_ratio = fmin(p.miss_ratio, 1);
	if (!WS_ROOM(f->point, f->point_cap, f->points + 1))
		return ws_fail_memory(err, "the curve");
	f->point[f->points++] = p;
	return WS_OK;
}

enum ws_status ws_chase_read(struct ws_chase_file *out, const struct ws_in *in, struct ws_err *err)
{
	size_t at[COLUMNS], cells = 0;
	struct ws_csv c;
	enum ws_status status;

	*out = (struct ws_chase_file){ 0 };
	ws_csv_init(&c, in->data, in->len, in->name);
	status = read_header(&c, at, err);
	cells = c.cells;
	while (status == WS_OK && ws_csv_more(&c)) {
		status = ws_csv_next(&c, err);
		if (status == WS_OK && c.cells != cells)
			status = ws_csv_fail(&c, err, "%zu cells: want %zu, as the header has",
					     c.cells, cells);
		if (status == WS_OK)
			status = at[OFFSET] != NOWHERE && at[LATENCY] != NOWHERE
				? read_load(out, &c, at, err) : read_point(out, &c, at, err);
	}
	if (status == WS_OK && !out->loads && !out->points)
		status = ws_csv_fail(&c, err, "no measured load of an L1 is in it");
	ws_csv_clear(&c);
	if (status != WS_OK)
		ws_chase_file_clear(out);
	return status;
}

void ws_chase_file_clear(struct ws_chase_file *f)
{
	free(f->point);
	free(f->offset);
	free(f->latency);
	*f = (struct ws_chase_file){ 0 };
}
